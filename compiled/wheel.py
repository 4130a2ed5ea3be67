"""Building the accelerated wheel."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

from compiled.place import DIST, ROOT, WORK, missing_tool, newest_wheel

TAKEN: Final = ("pyproject.toml", "README.md", "LICENSE")
"""What a wheel is made of, beside `src/`."""


class BuildError(Exception):
    """The wheel could not be built; says why."""


def wheel_of_now() -> Path:
    """A wheel of the sources as they are: the newest in `dist/`, or one built for it.

    Raises:
        BuildError: as `build`.
    """
    sources = [ROOT / "pyproject.toml", *(ROOT / "src").rglob("*.py"), ROOT / "compiled/modules.py"]
    changed = max(source.stat().st_mtime_ns for source in sources)
    newest = newest_wheel()
    if newest is None or newest.stat().st_mtime_ns < changed:
        return build()
    return newest


def build(dist: Path = DIST) -> Path:
    """Build the wheel for this Python into `dist`; where it lies.

    Raises:
        BuildError: a tool is missing, or the compiler refuses something.
    """
    missing = missing_tool()
    if missing:
        raise BuildError(missing)
    copy, made = WORK / "copy", WORK / "wheels"
    shutil.rmtree(WORK, ignore_errors=True)
    copy.mkdir(parents=True)
    for name in TAKEN:
        shutil.copy(ROOT / name, copy)
    # A copy, so that no library is left among the sources, and none of an older build is taken.
    stray = shutil.ignore_patterns("__pycache__", "*.egg-info", "*.so", "*.pyd")
    shutil.copytree(ROOT / "src", copy / "src", ignore=stray)
    recipe = [sys.executable, "-m", "compiled.recipe", str(copy), str(made)]
    if subprocess.run(recipe, cwd=ROOT, check=False).returncode:
        raise BuildError("the compiler has said above what is wrong")
    wheel = newest_wheel(made)
    if wheel is None:
        raise BuildError(f"no wheel was made in {made}")
    dist.mkdir(exist_ok=True)
    return Path(shutil.move(wheel, dist / wheel.name))
