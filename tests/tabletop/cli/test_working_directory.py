"""Programs never execute code in the working directory unless the user names it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.pages import unmeasured
from tests.tabletop.cli.program import TICTACTOE, WIN, here, process
from tests.tabletop.told import tells

pytestmark = pytest.mark.slow  # most of these are of real processes

PROGRAMS = Path(sys.executable).parent
LIBRARIES = {"msgspec", "numpy", "platformdirs", "rich", "shtab", "typing_extensions"}
TRAP = """
import os
os.write(os.open({mark!r}, os.O_WRONLY | os.O_CREAT | os.O_APPEND), (__name__ + " ").encode())
"""
EVERY_PROGRAM: dict[str, list[str]] = {
    "tabletop": ["play", "sorcery", "--bot", "1", "--weekly", "--log", "log"],
    "lcr": ["--players", "3", "--seed", "1"],
    "constructor": ["-log", "events"],
    "sorcery": [],
}


def traps(folder: Path, names: Sequence[str]) -> Path:
    """Write files with names of modules. Return the file that they create if they run."""
    mark = folder / "mark"
    for name in names:
        (folder / f"{name}.py").write_text(TRAP.format(mark=str(mark)))
    return mark


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The working directory."""
    folder = tmp_path / "strange"
    folder.mkdir()
    return folder


def run(words: Sequence[str], folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        words,
        cwd=folder,
        input="",
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
        env={name: value for name, value in unmeasured().items() if name != "PYTHONPATH"},
    )


@pytest.mark.parametrize("program", EVERY_PROGRAM)
def test_a_program_imports_nothing_from_the_working_directory(program: str, folder: Path) -> None:
    mark = traps(folder, sorted((sys.stdlib_module_names | LIBRARIES) - {"__future__"}))
    done = run([str(PROGRAMS / program), *EVERY_PROGRAM[program]], folder)
    assert not mark.exists(), mark.read_text()
    assert (done.returncode, done.stderr) == (0, "")


@pytest.fixture(params=["a module of a package", "a path to a module"])
def named(request: pytest.FixtureRequest, folder: Path) -> str:
    """Return the name of a game in the working directory, whose module imports a helper."""
    rules = Path(TICTACTOE).read_text() + "import helper\nhelper.used()\n"
    file = folder / ("mine.py" if "path" in request.param else "mine/rules.py")
    file.parent.mkdir(exist_ok=True)
    file.write_text(rules)
    (folder / "helper.py").write_text("def used():\n    import second\n")
    (folder / "second.py").write_text("import random, csv, msgspec\n")
    name = "mine.rules" if file.stem == "rules" else "mine"
    return f"{'./' if 'path' in request.param else ''}{name}:GAME"


def test_a_named_module_is_found_with_its_neighbours(named: str, folder: Path) -> None:
    mark = traps(folder, ["random", "csv", "msgspec", "platformdirs", "textwrap"])
    done = process("play", named, "--no-record", "--no-score", typed=WIN, cwd=folder)
    assert (done.returncode, done.stderr) == (0, "")
    assert "Player 1 wins" in done.stdout
    assert not mark.exists()


def test_an_installed_module_has_precedence(folder: Path) -> None:
    (folder / "calendar.py").write_text(Path(TICTACTOE).read_text())
    words = ("--no-record", "--no-score")
    done = here("play", "calendar:GAME", *words, cwd=folder)
    assert done.returncode == 2
    assert tells(done.stderr, "calendar:GAME: calendar ... 'GAME'")
    assert here("play", "./calendar:GAME", *words, cwd=folder).returncode == 0


def test_without_a_working_directory_no_module_is_found_there(folder: Path) -> None:
    gone = f"cd {folder} && rm -r {folder} && '{sys.executable}' -m tabletop play mine:GAME"
    done = run(["sh", "-c", gone], folder.parent)
    assert done.returncode == 2
    assert "cannot import 'mine'" in done.stderr
