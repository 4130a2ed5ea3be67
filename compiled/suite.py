"""Running the test suite on a built wheel, in an environment of its own.

Nothing is downloaded: the tools of the tests are those of the environment that this runs in. The
project itself comes from the wheel alone; that is made sure of before a test begins.
"""

from __future__ import annotations

import subprocess
import sys
import sysconfig
import venv
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from compiled.modules import MODULES
from compiled.place import ROOT, SUITE

PACKAGES: Final = ("tabletop", "tabletop_start", "lcr", "constructor", "sorcery")

_STRAYS: Final = """
import sys
from importlib import import_module
from importlib.machinery import EXTENSION_SUFFIXES
home, *names = sys.argv[1:]
ends = tuple(EXTENSION_SUFFIXES)
files = [import_module(name).__file__ for name in names]
print(*(file for file in files if not (file.startswith(home) and file.endswith(ends))))
"""
"""Prints which modules are not compiled, or lie elsewhere than in the new environment."""


def run_suite(wheel: Path, words: Sequence[str] = ()) -> int:
    """Run the tests, or those that `words` for pytest say, on `wheel`; the exit status of pytest.

    Raises:
        SuiteError: the wheel cannot be installed, or something would be imported from elsewhere.
    """
    python = prepare(wheel)
    command = [str(python), "-m", "pytest", *(words or everything(python))]
    return subprocess.run(command, cwd=ROOT, check=False).returncode


class SuiteError(Exception):
    """The suite cannot run on the wheel; says why."""


def prepare(wheel: Path, home: Path = SUITE) -> Path:
    """Make the environment and install the wheel into it; its Python.

    Raises:
        SuiteError: as `run_suite`.
    """
    venv.create(home, clear=True, symlinks=sys.platform != "win32")
    python = home / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]
    words = ["--python", str(python), "install", "--no-deps", "--no-index", str(wheel)]
    if subprocess.run([*pip, *words], check=False).returncode:
        raise SuiteError(f"{wheel.name} cannot be installed")
    # The folder is put on the path, but what its own .pth files add is not: an editable install of
    # the project, which is one of those, stays out.
    tools = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}
    (folder_of(python) / "tools.pth").write_text("\n".join(sorted(tools)) + "\n", "utf-8")
    command = [str(python), "-c", _STRAYS, str(home), *MODULES]
    found = subprocess.run(command, cwd=ROOT, check=False, capture_output=True, text=True)
    if found.returncode or found.stdout.strip():
        raise SuiteError(f"not from the wheel: {found.stdout.strip() or found.stderr.strip()}")
    return python


def folder_of(python: Path) -> Path:
    """Where an environment has its packages."""
    asked = "import sysconfig; print(sysconfig.get_path('purelib'))"
    return Path(subprocess.check_output([str(python), "-c", asked], text=True).strip())


def everything(python: Path) -> list[str]:
    """What pytest is to run: all tests, and the examples in docstrings as they are installed."""
    folder = folder_of(python)
    packages = [str(folder / name) for name in PACKAGES]
    return ["--numprocesses", "auto", "--hypothesis-profile", "quick", "tests", *packages]
