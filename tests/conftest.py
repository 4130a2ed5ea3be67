"""How properties are tried: without a clock, since a busy machine is no failure of theirs."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

settings.register_profile("tabletop", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("tabletop")
