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
import shlex
import shutil
import subprocess
import sys
import sysconfig
import venv
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Final

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
    "tests/tabletop/bots/test_thinkers.py",
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
WORK: Final = ROOT / "build" / "compiled"
"""The folder in which the wheel is built; made anew each time."""

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


class BuildError(Exception):
    """The wheel could not be built or installed; says why."""


def path_of(module: str) -> str:
    """Return the path of a module's source below `src/`: `tabletop/rng/stream.py`."""
    return module.replace(".", "/") + ".py"


def missing_tool() -> str:
    """Name the missing tool for compiling, as a sentence; empty when all are there."""
    compiler = shlex.split(os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc")[0]
    if os.name != "nt" and shutil.which(compiler) is None:
        return f"there is no C compiler here: {compiler} is not installed"
    if os.name != "nt" and not Path(sysconfig.get_path("include"), "Python.h").is_file():
        return f"the headers of Python {sysconfig.get_python_version()} are not installed"
    return ""


def build() -> Path:
    """Build the wheel for this Python into `dist/`; where it lies.

    Raises:
        BuildError: a tool is missing, or the compiler refuses something.
    """
    missing = missing_tool()
    if missing:
        raise BuildError(missing)
    copy, made = WORK / "copy", WORK / "wheels"
    shutil.rmtree(WORK, ignore_errors=True)
    WORK.mkdir(parents=True)
    # A copy, so that no library is left among the sources, and none of an older build is taken.
    dist.copy_sources(ROOT, copy)
    command = [sys.executable, "-m", "tools.compiled", "compile", str(copy), str(made)]
    if subprocess.run(command, cwd=ROOT, check=False).returncode:
        raise BuildError("the compiler has said above what is wrong")
    DIST.mkdir(exist_ok=True)
    wheel = next(made.glob("*.whl"))
    return Path(shutil.move(wheel, DIST / wheel.name))


def compile_copy(copy: Path, wheels: Path) -> None:
    """Compile a copy of the project, and pack a wheel of it.

    It takes a process of its own: it changes the working directory, and mypyc remembers much.
    """
    from mypyc.build import mypycify
    from setuptools import SetuptoolsDeprecationWarning, setup

    # It would rather be run by pip, which would have to fetch it first.
    warnings.simplefilter("ignore", SetuptoolsDeprecationWarning)
    # From where the packages lie: tracebacks name files as they are named here.
    os.chdir(copy / "src")
    options = ["--strict", "--explicit-package-bases", f"--cache-dir={copy / 'cache'}"]
    extensions = mypycify(
        [*options, *map(path_of, MODULES)],
        opt_level="3",
        group_name="tabletop_rules",
        target_dir=str(copy / "generated"),
    )
    os.chdir(copy)
    setup(
        ext_modules=extensions,
        script_name="setup.py",
        script_args=["--quiet", "bdist_wheel", "--dist-dir", str(wheels)],
    )


def install(wheel: Path) -> Path:
    """Make the environment and install the wheel into it; its Python.

    Nothing is downloaded: the tools of the tests are those of the environment that this runs in.

    Raises:
        BuildError: the wheel cannot be installed, or something would be imported from elsewhere.
    """
    venv.create(VENV, clear=True, symlinks=os.name != "nt")
    python = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]
    words = ["--python", str(python), "install", "--no-deps", "--no-index", str(wheel)]
    if subprocess.run([*pip, *words], check=False).returncode:
        raise BuildError(f"{wheel.name} cannot be installed")
    asked = "import sysconfig; print(sysconfig.get_path('purelib'))"
    folder = subprocess.check_output([str(python), "-c", asked], text=True).strip()
    # The folder is put on the path, but what its own .pth files add is not: an editable install of
    # the project, which is one of those, stays out.
    tools = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}
    Path(folder, "tools.pth").write_text("\n".join(sorted(tools)) + "\n", "utf-8")
    command = [str(python), "-c", _STRAYS, str(VENV), *MODULES]
    found = subprocess.run(command, cwd=ROOT, check=False, capture_output=True, text=True)
    if found.returncode or found.stdout.strip():
        raise BuildError(f"not from the wheel: {found.stdout.strip() or found.stderr.strip()}")
    return python


def run_tests() -> int:
    """Run the tests of what is compiled on a wheel built now; the exit status of pytest."""
    words = ["--numprocesses", "auto", "--hypothesis-profile", "quick", *TESTS]
    command = [str(install(build())), "-m", "pytest", *words]
    return subprocess.run(command, cwd=ROOT, check=False).returncode


def main(arguments: Sequence[str] | None = None) -> int:
    """Execute one command; the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tools.compiled", description=__doc__)
    commands = ("wheel", "test", "missing", "compile")
    parser.add_argument("command", nargs="?", choices=commands, default="wheel")
    parser.add_argument("folders", nargs="*", type=Path, help=argparse.SUPPRESS)
    said = parser.parse_args(arguments)
    if len(said.folders) != (2 if said.command == "compile" else 0):
        parser.error(f"{said.command} takes no further words")
    try:
        if said.command == "missing":
            print(missing_tool(), end="")
        elif said.command == "compile":
            compile_copy(*said.folders)
        elif said.command == "test":
            return run_tests()
        else:
            print(f"Built {build().relative_to(ROOT)}.")
    except BuildError as error:
        sys.stderr.write(f"compiled: {error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
