"""These tests are collected only if the extra `train` is installed."""

from __future__ import annotations

from importlib.util import find_spec

collect_ignore_glob = [] if find_spec("sb3_contrib") else ["test_*.py"]
