"""The accelerated wheel: the hot modules of `src/`, compiled by mypyc from the same sources.

`python -m tools.compiled` builds it into `dist/`. `python -m tools.compiled test` installs it into
a separate environment and runs the tests of the compiled modules there. `python -m tools.compiled
missing` prints which build tools are missing, or nothing. Exit codes: 0 for success, 1 for a
failure, 2 for a usage error. CONTRIBUTING.md explains which modules can be compiled.
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

from tools import dist
from tools.compiling import CompileError, build_wheel, missing_tool

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
"""The modules to compile: draws, searches, and the hot modules of Sorcery's rules."""

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
"""The tests of the compiled modules."""

ROOT: Final = Path(__file__).resolve().parents[1]
DIST: Final = ROOT / "dist"
VENV: Final = ROOT / f".venv-compiled-{sys.version_info.major}.{sys.version_info.minor}"
"""The environment of the tests on the wheel. It is created again in each run."""

_STRAYS: Final = """
import sys
from importlib import import_module
from importlib.machinery import EXTENSION_SUFFIXES
home, *names = sys.argv[1:]
ends = tuple(EXTENSION_SUFFIXES)
files = [import_module(name).__file__ for name in names]
print(*(file for file in files if not (file.startswith(home) and file.endswith(ends))))
"""
"""A program that prints the modules that are not compiled or not in the new environment."""


def build() -> Path:
    """Build the wheel for this Python into `dist/` and return its path.

    Raises:
        CompileError: If a tool is missing, or the compiler fails.
    """
    if missing := missing_tool():
        raise CompileError(missing)
    modules = [import_module(name) for name in MODULES]
    with TemporaryDirectory() as name:
        # Build a copy, so that compiled libraries do not mix with the sources.
        copy = Path(name, "copy")
        dist.copy_sources(ROOT, copy)
        return build_wheel(copy, modules, DIST, sources="src", library="tabletop_rules").wheel


def install(wheel: Path) -> Path:
    """Create the environment, install the wheel into it, and return the path of its Python.

    Nothing is downloaded. The test tools are those of the present environment.

    Raises:
        CompileError: If the wheel cannot be installed, or a module would not come from the wheel.
    """
    venv.create(VENV, clear=True, symlinks=os.name != "nt")
    python = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]
    words = ["--python", str(python), "install", "--no-deps", "--no-index", str(wheel)]
    if subprocess.run([*pip, *words], check=False).returncode:
        raise CompileError(f"{wheel.name} cannot be installed")
    code = "import sysconfig; print(sysconfig.get_path('purelib'))"
    folder = subprocess.check_output([str(python), "-c", code], text=True).strip()
    # A .pth file adds folders to the path, but does not read the .pth files in them. So an editable
    # install of the project, which is such a file, stays out.
    tools = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}
    Path(folder, "tools.pth").write_text("\n".join(sorted(tools)) + "\n", "utf-8")
    command = [str(python), "-c", _STRAYS, str(VENV), *MODULES]
    done = subprocess.run(command, cwd=ROOT, check=False, capture_output=True, text=True)
    if done.returncode or done.stdout.strip():
        raise CompileError(f"not from the wheel: {done.stdout.strip() or done.stderr.strip()}")
    return python


def run_tests() -> int:
    """Build a wheel, run the tests of the compiled modules on it, and return pytest's exit code."""
    words = ["--numprocesses", "auto", "--hypothesis-profile", "quick", *TESTS]
    command = [str(install(build())), "-m", "pytest", *words]
    return subprocess.run(command, cwd=ROOT, check=False).returncode


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tools.compiled", description=__doc__)
    commands = ("wheel", "test", "missing")
    parser.add_argument("command", nargs="?", choices=commands, default="wheel")
    command = parser.parse_args(arguments).command
    try:
        if command == "missing":
            print(missing_tool(), end="")
        elif command == "test":
            return run_tests()
        else:
            print(f"Built {build().relative_to(ROOT)}.")
    except CompileError as error:
        sys.stderr.write(f"compiled: {error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
