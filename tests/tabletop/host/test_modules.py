"""A game in a file imports the modules next to it, without other effects on imports."""

from __future__ import annotations

import pickle
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from tabletop import RegistryError
from tabletop.host import load_file
from tabletop.host.modules import game_file
from tabletop.registry import load

GAME = """
from dataclasses import dataclass
from tabletop import Game

@dataclass
class State:
    name: str

class Nothing(Game):
    name = "nothing"
    def setup(self, options, seats, rng): return State(self.title)
    def to_act(self, state): return ()
    def legal_actions(self, state, seat): return ()
    def apply(self, state, action, table): pass
    def outcome(self, state): return None
    def later(self):
        {later}

{first}
"""


def write(
    folder: Path,
    first: str = "",
    later: str = "pass",
    *,
    files: Mapping[str, str] | None = None,
) -> str:
    """Write a game and the files next to it, and return its path."""
    for name, text in (files or {}).items():
        file = folder / f"{name}.py"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    folder.mkdir(exist_ok=True)
    path = folder / "game.py"
    path.write_text(GAME.format(first=first, later=later))
    return str(path)


def later(path: str) -> object:
    """Return the value that the game at `path` imports later, while it is played."""
    game: object = vars(type(load(path).game))["later"](load(path).game)
    return game


WAYS = {
    "a module": ("import helper", "helper.WORD"),
    "a name of a module": ("from helper import WORD", "WORD"),
    "a module of a package": ("import kit.cards", "kit.cards.WORD"),
    "a module out of a package": ("from kit import cards", "cards.WORD"),
    "a module out of a folder": ("from heap import stones", "stones.WORD"),
    "a module of a package by a function": (
        "import importlib, kit; cards = importlib.import_module('.cards', kit.__name__)",
        "cards.WORD",
    ),
}
FILES = {
    "helper": "WORD = 'found'",
    "kit/__init__": "",
    "kit/cards": "from . import more\nfrom kit.more import WORD\nimport helper",
    "kit/more": "from helper import WORD",
    "heap/stones": "from helper import WORD",
}


@pytest.mark.parametrize("way", WAYS)
def test_a_game_in_a_file_imports_modules_next_to_it_at_once_and_later(
    way: str, tmp_path: Path
) -> None:
    statement, word = WAYS[way]
    at_once = write(tmp_path, f"{statement}\nNothing.title = {word}", files=FILES)
    assert load(at_once).game.title == "found"
    other = tmp_path / "second.py"
    other.write_text(GAME.format(first="", later=f"{statement}; return {word}"))
    assert later(str(other)) == "found"


def test_two_folders_may_have_a_game_of_the_same_name(tmp_path: Path) -> None:
    """The modules next to them need different names."""
    one, other = (
        Path(write(tmp_path / it, f"import {it}\nNothing.title = {it}.WORD", files={it: word}))
        for it, word in (("one", "WORD = 'one'"), ("other", "WORD = 'other'"))
    )
    assert [load(str(path)).game.title for path in (one, other)] == ["one", "other"]
    assert load_file(one) is load_file(one) is not load_file(other)
    assert load_file(other) is load_file(other)


def test_files_next_to_a_game_hide_neither_python_nor_installed_modules(
    tmp_path: Path,
) -> None:
    trap = "raise SystemExit('a trap')"
    names = ["random", "csv", "msgspec", "numpy", "calendar", "tabletop", "lcr", "textwrap"]
    path = write(
        tmp_path,
        f"import {', '.join(names)}\nNothing.title = str(random.__file__)",
        "import wave, lcr.program.cli; return wave.__file__",
        files=dict.fromkeys([*names, "wave"], trap),
    )
    assert not load(path).game.title.startswith(str(tmp_path))
    assert not str(later(path)).startswith(str(tmp_path))


CARD = "from dataclasses import dataclass\n@dataclass\nclass Card:\n    rank: int\n"


@pytest.mark.slow
def test_pickled_objects_of_games_are_read_by_a_process_that_loads_their_files(
    tmp_path: Path,
) -> None:
    cards = []
    for name in ("one", "other"):  # two files of the same name: `import` does not find the second
        path = write(tmp_path / name, CARD)
        cards.append(load_file(Path(path)).Card(3))
    assert game_file(type(cards[0]).__module__) == ""
    assert game_file(type(cards[1]).__module__) == path
    assert pickle.loads(pickle.dumps(cards)) == cards
    code = "import pickle, sys; from pathlib import Path; from tabletop.host.modules import *;"
    code += "[load_file(Path(path)) for path in sys.argv[1:]];"
    code += "print(pickle.load(sys.stdin.buffer))"
    paths = [str(tmp_path / name / "game.py") for name in ("one", "other")]
    done = subprocess.run(
        [sys.executable, "-c", code, *paths],
        input=pickle.dumps(cards),
        capture_output=True,
        check=True,
    )
    assert done.stdout.decode().strip() == "[Card(rank=3), Card(rank=3)]"


BROKEN = {
    "helper is broken": (
        "import helper",
        {"helper": "x = 1\nx.y\n"},
        r"AttributeError: 'int' object has no attribute 'y' \(helper\.py, line 2\)",
    ),
    "helper is not there": (
        "import helper",
        {},
        r"ModuleNotFoundError: No module named 'helper' \(game\.py, line \d+\)",
    ),
    "helper has no such name": (
        "from helper import WORD",
        {"helper": ""},
        r"ImportError: cannot import name 'WORD' from 'helper' \(.*helper\.py\) \(game\.py, line",
    ),
    "helper lacks something": (
        "import helper",
        {"helper": "import nowhere_at_all"},
        r"ModuleNotFoundError: No module named 'nowhere_at_all' \(helper\.py, line 1\)",
    ),
}


@pytest.mark.parametrize("case", BROKEN)
def test_an_error_in_an_imported_neighbour_is_reported_with_its_place(
    case: str, tmp_path: Path
) -> None:
    first, files, wrong = BROKEN[case]
    path = write(tmp_path, first, files=files)
    for _ in range(2):
        with pytest.raises(RegistryError, match=wrong):
            load(path)


def test_a_package_can_be_named_by_its_file(tmp_path: Path) -> None:
    package = tmp_path / "kit"
    write(package, "from . import cards\nimport kit.cards\nimport beside", files={"cards": ""})
    (package / "game.py").rename(package / "__init__.py")
    (tmp_path / "beside.py").write_text("")
    assert load(str(package / "__init__.py")).game.name == "nothing"
    assert load(f"{tmp_path}/kit:Nothing").source == f"{package}:Nothing"
