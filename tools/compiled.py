"""The accelerated wheel: the hot modules of `src/`, compiled by mypyc from the same sources.

`python -m tools.compiled` builds it into `dist/`; `python -m tools.compiled test` installs it into
an environment of its own and runs the tests of what is compiled there;
`python -m tools.compiled missing` prints what is not there to build it, and nothing where all is.
Exits 0 when all went well, 1 when not, and 2 when it was used wrongly. CONTRIBUTING.md says what
can be compiled.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import sysconfig
import venv
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from tabletop.host.compiling import CompileError, build_wheel, missing_tool
from tools import dist

MODULES: Final = (
    "tabletop.rng.hash_stream",
    "tabletop.match.playouts",
    "tabletop.bots.search_tree",
    "sorcery.rules.engine",
    "sorcery.cards.trigger_index",
    "sorcery.rules.legal",
    "sorcery.rules.minion_stats",
    "sorcery.rules.apply_actions",
    "sorcery.bots.evaluation",
)
"""The modules that are compiled: draws, searches, and what Sorcery's rules spend their time in."""

TESTS: Final = (
    "tests/sorcery",
    "tests/tabletop/bots/test_search_tree.py",
    "tests/tabletop/bots/test_search_bots.py",
    "tests/tabletop/match/test_playouts.py",
    "tests/tabletop/rng/test_rng.py",
    "tests/tabletop/rng/test_streams.py",
    "tests/tabletop/studies/test_simulate.py",
    "tests/project/test_compiled.py",
    "tests/programs/test_same_match.py",
)
"""The tests of what is compiled."""

ROOT: Final = Path(__file__).resolve().parents[1]
DIST: Final = ROOT / "dist"
VENV: Final = ROOT / f".venv-compiled-{sys.version_info.major}.{sys.version_info.minor}"
"""The environment in which the tests run on the wheel; made anew each time."""

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


def build() -> Path:
    """Build the wheel for this Python into `dist/`; where it lies.

    Raises:
        CompileError: a tool is missing, or the compiler refuses something.
    """
    if missing := missing_tool():
        raise CompileError(missing)
    modules = [import_module(name) for name in MODULES]
    with TemporaryDirectory() as name:
        # A copy, so that no library is left among the sources, and none of an older build is taken.
        copy = Path(name, "copy")
        dist.copy_sources(ROOT, copy)
        return build_wheel(copy, modules, DIST, sources="src", library="tabletop_rules").wheel


def install(wheel: Path) -> Path:
    """Make the environment and install the wheel into it; its Python.

    Nothing is downloaded: the tools of the tests are those of the environment that this runs in.

    Raises:
        CompileError: the wheel cannot be installed, or something would be imported from elsewhere.
    """
    venv.create(VENV, clear=True, symlinks=os.name != "nt")
    python = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]
    words = ["--python", str(python), "install", "--no-deps", "--no-index", str(wheel)]
    if subprocess.run([*pip, *words], check=False).returncode:
        raise CompileError(f"{wheel.name} cannot be installed")
    asked = "import sysconfig; print(sysconfig.get_path('purelib'))"
    folder = subprocess.check_output([str(python), "-c", asked], text=True).strip()
    # The folder is put on the path, but what its own .pth files add is not: an editable install of
    # the project, which is one of those, stays out.
    tools = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}
    Path(folder, "tools.pth").write_text("\n".join(sorted(tools)) + "\n", "utf-8")
    command = [str(python), "-c", _STRAYS, str(VENV), *MODULES]
    found = subprocess.run(command, cwd=ROOT, check=False, capture_output=True, text=True)
    if found.returncode or found.stdout.strip():
        raise CompileError(f"not from the wheel: {found.stdout.strip() or found.stderr.strip()}")
    return python


def run_tests() -> int:
    """Run the tests of what is compiled on a wheel built now; the exit status of pytest."""
    words = ["--numprocesses", "auto", "--hypothesis-profile", "quick", *TESTS]
    command = [str(install(build())), "-m", "pytest", *words]
    return subprocess.run(command, cwd=ROOT, check=False).returncode


def main(arguments: Sequence[str] | None = None) -> int:
    """Execute one command; the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tools.compiled", description=__doc__)
    commands = ("wheel", "test", "missing")
    parser.add_argument("command", nargs="?", choices=commands, default="wheel")
    said = parser.parse_args(arguments)
    try:
        if said.command == "missing":
            print(missing_tool(), end="")
        elif said.command == "test":
            return run_tests()
        else:
            print(f"Built {build().relative_to(ROOT)}.")
    except CompileError as error:
        sys.stderr.write(f"compiled: {error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
