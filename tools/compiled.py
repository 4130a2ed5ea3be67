"""A compiled wheel and the tests of the compiled modules.

`python -m tools.compiled` builds the wheel into `dist/`, installs it into a separate environment,
and runs the tests there. The exit code is that of pytest, or 1 if there is no wheel to test.
CONTRIBUTING.md explains which modules can be compiled.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from tools import dist

TESTS: Final = (
    "tests/sorcery",
    "tests/tabletop/bots/test_search_tree.py",
    "tests/tabletop/bots/test_search_bots.py",
    "tests/tabletop/rng/test_rng.py",
    "tests/tabletop/rng/test_streams.py",
    "tests/tabletop/studies/test_simulate.py",
    "tests/project/test_compiled.py",
    "tests/programs/test_same_match.py",
)
"""The tests of the compiled modules."""

ROOT: Final = Path(__file__).resolve().parents[1]
DIST: Final = ROOT / "dist"
VENV: Final = ROOT / f".venv-compiled-{sys.version_info.major}.{sys.version_info.minor}"
"""The environment of the tests on the wheel. It is created again in each run."""

_PIP: Final = (sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet")


class CompileError(Exception):
    """The wheel cannot be built or installed."""


def build() -> Path:
    """Build the wheel for this Python into `dist/`, as pip does, and return its path.

    Raises:
        CompileError: If pip fails. The error of pip is in the output.
    """
    with TemporaryDirectory() as name:
        # pip builds a copy, because setuptools leaves files in `build`.
        copy, folder = Path(name, "copy"), Path(name, "wheel")
        dist.copy_sources(ROOT, copy)
        words = ["wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", str(folder)]
        variables = {**os.environ, "TABLETOP_COMPILED": "1"}
        done = subprocess.run([*_PIP, *words, str(copy)], env=variables, check=False)
        if done.returncode:
            raise CompileError("the compiled wheel cannot be built; the error of pip is above")
        DIST.mkdir(exist_ok=True)
        [built] = folder.iterdir()
        return Path(shutil.copy(built, DIST))


def install(wheel: Path) -> Path:
    """Create the environment, install a wheel into it, and return the path of its Python.

    Nothing is downloaded. The test tools are those of the present environment.

    Raises:
        CompileError: If the wheel cannot be installed.
    """
    venv.create(VENV, clear=True, symlinks=os.name != "nt")
    python = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    words = ["--python", str(python), "install", "--no-deps", "--no-index", str(wheel)]
    if subprocess.run([*_PIP, *words], check=False).returncode:
        raise CompileError(f"{wheel.name} cannot be installed")
    code = "import sysconfig; print(sysconfig.get_path('purelib'))"
    folder = subprocess.check_output([str(python), "-c", code], text=True).strip()
    # A .pth file adds folders to the path, but does not read the .pth files in them. So an editable
    # install of the project, which is such a file, stays out.
    tools = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}
    Path(folder, "tools.pth").write_text("\n".join(sorted(tools)) + "\n", "utf-8")
    return python


def main() -> int:
    """Build and install a wheel, run the tests on it, and return the exit code."""
    try:
        python = install(build())
    except CompileError as error:
        sys.stderr.write(f"compiled: {error}\n")
        return 1
    words = ["--numprocesses", "auto", "--hypothesis-profile", "quick", "-m", "not matrix", *TESTS]
    return subprocess.run([str(python), "-m", "pytest", *words], cwd=ROOT, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
