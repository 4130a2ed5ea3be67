"""The directories of the user are those of the program's tests."""

from __future__ import annotations

from tests.tabletop.cli.conftest import state

__all__ = ["state"]
