"""Where things lie, and what is there to build with."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
import sysconfig
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
"""The project."""

DIST: Final = ROOT / "dist"
"""Where wheels are put."""

WORK: Final = ROOT / "build" / "compiled"
"""Where they are built; made anew each time."""

SUITE: Final = ROOT / f".venv-compiled-{sys.version_info.major}.{sys.version_info.minor}"
"""The environment in which the test suite runs on a wheel; made anew each time."""


def missing_tool() -> str:
    """What cannot be found that is needed to compile, as a sentence; empty when all is there."""
    if os.name == "nt":
        return ""  # setuptools finds the compiler, which is on no path there
    compiler = shlex.split(os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc")[0]
    if shutil.which(compiler) is None:
        return f"there is no C compiler here: {compiler} is not installed"
    if not Path(sysconfig.get_path("include"), "Python.h").is_file():
        return f"the headers of Python {sysconfig.get_python_version()} are not installed"
    return ""


def newest_wheel(folder: Path = DIST) -> Path | None:
    """The accelerated wheel for this Python that was built last, if there is one."""
    tag = f"cp{sys.version_info.major}{sys.version_info.minor}"
    wheels = folder.glob(f"tabletop_rules-*-{tag}-{tag}-*.whl")
    return max(wheels, key=lambda wheel: wheel.stat().st_mtime_ns, default=None)
