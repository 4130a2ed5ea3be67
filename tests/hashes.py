"""Programs whose sets have another order in another process: their output must not depend on it."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

ROOT = Path(__file__).parent.parent


def printed(program: str) -> set[str]:
    """Return the outputs of a program, here and in a process in which texts have other hashes."""
    with redirect_stdout(StringIO()) as here:
        exec(program, {})
    other = "2" if os.environ.get("PYTHONHASHSEED") == "1" else "1"
    elsewhere = subprocess.run(
        [sys.executable, "-W", "error", "-c", program],
        env={**os.environ, "PYTHONHASHSEED": other, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        encoding="utf-8",
        check=True,
        timeout=60,
    )
    return {here.getvalue(), elsewhere.stdout}
