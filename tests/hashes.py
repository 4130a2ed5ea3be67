"""Programs whose sets lie in memory in other orders: what they print must not depend on that."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent


def printed(program: str) -> set[str]:
    """All that the lines of a program print, in processes in which texts have other hashes."""
    return {
        subprocess.run(
            [sys.executable, "-W", "error", "-c", program],
            env={**os.environ, "PYTHONHASHSEED": hashes, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            encoding="utf-8",
            check=True,
            timeout=60,
        ).stdout
        for hashes in ("1", "4711")
    }
