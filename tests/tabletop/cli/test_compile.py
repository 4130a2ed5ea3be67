"""`tabletop compile`: a wheel of compiled rules that play the same, or a word about why not."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final
from zipfile import ZipFile

import pytest

from tabletop import Match, Random
from tabletop.registry import load
from tests.pages import unmeasured
from tests.tabletop.cli.program import refused, shown

GAME: Final = '''\
"""Takes stones: a lone file, with rules for people beside it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from tabletop import (
    Event, Game, Options, Outcome, Plugin, Seat, State, Streams, Table, event, state,
)
from tabletop.states import PER_SEAT, Range


@dataclass(frozen=True, slots=True)
class Take:
    """Take stones."""

    stones: int


@event
class Taken(Event):
    """Stones have gone."""

    by: Seat | None
    drawn: Annotated[int, Range(1, 6)]


@state
class Heap(State):
    """The stones that are left."""

    taken: Annotated[list[int], PER_SEAT]
    stones: int = 20
    seat: Seat = 0
    half: float = 0

    def is_empty(self) -> bool:
        return self.stones <= 0


class Heaps(Game[Heap, Take]):
    """Whoever takes the last stone wins."""

    name = "NAME"
    seats = range(2, 4)
    most = 3

    def setup(self, options: Options, seats: int, rng: Streams) -> Heap:
        return Heap([0] * seats)

    def to_act(self, state: Heap) -> Sequence[Seat]:
        return () if state.is_empty() else (state.seat,)

    def legal_actions(self, state: Heap, seat: Seat) -> Sequence[Take]:
        return [Take(count) for count in range(1, self.most + 1)]

    def apply(self, state: Heap, action: Take, table: Table) -> None:
        drawn = table.rng["die"].roll(6)
        state.stones -= action.stones + drawn
        state.taken[state.seat] += 1
        state.half = halve(state.stones)
        table.emit(Taken(state.seat, drawn))
        state.seat = (state.seat + 1) % len(state.taken)

    def outcome(self, state: Heap) -> Outcome | None:
        seats = len(state.taken)
        return Outcome.win((state.seat - 1) % seats, seats) if state.is_empty() else None


def halve(stones: float) -> float:
    return stones / 2


PLUGIN = Plugin(Heaps(), rulebook=Path(__file__).with_suffix(".md"))
'''

LOOK: Final = """
import json, pickle
from tabletop import Match, Random
from tabletop.registry import load
import NAME as module
assert not module.__file__.endswith(".py"), module.__file__

class Fewer(module.Heaps):
    def to_act(self, state):
        return () if state.stones < 10 else super().to_act(state)

plugin = load("NAME")
def played(game, seed):
    match = Match(game, seed=seed, players=[Random(0), Random(1)])
    match.run()
    return match

matches = [played(plugin.game, seed) for seed in range(5)]
fewer = played(Fewer(), 1)
print(json.dumps({
    "digests": [match.digest() for match in matches],
    "rules": plugin.rules,
    "doc": [module.__doc__, module.Heap.__doc__],
    "annotations": module.Taken.__annotations__,
    "pickled": pickle.loads(pickle.dumps(plugin.game)).name,
    "derived": fewer.state.stones < 10 and fewer.state.taken,
}))
"""


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.chdir(tmp_path)
    before, path = set(sys.modules), list(sys.path)
    yield
    sys.path[:] = path
    for name in sys.modules.keys() - before:
        if name.startswith("heaps_"):
            del sys.modules[name]


def written(name: str, text: str = GAME) -> Path:
    """The file of the game, under a name of its own."""
    file = Path(f"{name}.py")
    file.write_text(text.replace("NAME", name))
    file.with_suffix(".md").write_text("# Stones\n")
    return file


@pytest.mark.slow
@pytest.mark.long
def test_a_game_in_a_file_plays_the_same_from_its_wheel(tmp_path: Path) -> None:
    file = written("heaps_same")
    said = shown("compile", str(file), "--matches", "6", "-o", "wheels")
    [wheel] = Path("wheels").iterdir()
    assert said.startswith(f"{wheel}: heaps_same, compiled\nheaps_same: 6 matches are the same, ")
    site = tmp_path / "site"
    with ZipFile(wheel) as packed:
        packed.extractall(site)
    found = subprocess.run(
        [sys.executable, "-P", "-c", LOOK.replace("NAME", "heaps_same")],
        env=unmeasured() | {"PYTHONPATH": os.pathsep.join([str(site), *sys.path])},
        capture_output=True,
        check=True,
        timeout=60,
    )
    plugin = load(str(file))
    matches = [Match(plugin.game, seed=seed, players=[Random(0), Random(1)]) for seed in range(5)]
    for match in matches:
        match.run()
    told = json.loads(found.stdout)
    assert told["digests"] == [match.digest() for match in matches]
    assert told["rules"] == "# Stones\n"
    assert told["doc"] == [sys.modules["heaps_same"].__doc__, "The stones that are left."]
    assert told["annotations"] == {"by": "Seat | None", "drawn": "Annotated[int, Range(1, 6)]"}
    assert told["pickled"] == "heaps_same"
    assert told["derived"], "who derives a class from a compiled one is asked by it"


@pytest.mark.slow
@pytest.mark.long
def test_a_package_becomes_the_wheel_of_its_project_with_compiled_rules() -> None:
    shown("new", "heaps_board")
    os.chdir("heaps_board")
    folder = Path("src", "heaps_board")
    folder.joinpath("build").mkdir()
    folder.joinpath("build", "__init__.py").touch()
    folder.joinpath("build", "helpers.py").write_text(
        "def twice(number: int) -> int:\n    return 2 * number\n"
    )
    folder.joinpath("later.py").write_text("# Nothing stands here yet.\n")
    rules = folder / "rules.py"
    imports = "from heaps_board import later\nfrom heaps_board.build.helpers import twice\n"
    text = rules.read_text().replace("from tabletop import", f"{imports}from tabletop import", 1)
    rules.write_text(f"{text}\n\nassert twice(2) == 4 and later.__doc__ is not later\n")
    said = shown("compile", "./src/heaps_board:PLUGIN", "--matches", "2")
    [wheel] = Path("dist").iterdir()
    modules = "heaps_board.rules, heaps_board.later and heaps_board.build.helpers"
    assert said.startswith(f"{wheel}: {modules}, compiled\n")
    assert wheel.name.startswith("tabletop_heaps_board-0.1.0-cp3")
    with ZipFile(wheel) as packed:
        names = packed.namelist()
    libraries = {name.partition(".")[0] for name in names if name.endswith((".so", ".pyd"))}
    compiled = {f"heaps_board/{name}" for name in ("rules", "later", "build/helpers")}
    assert libraries == {*compiled, "heaps_board__mypyc"}
    assert {"heaps_board/rules.py", "heaps_board/rules.md", "heaps_board/text.py"} <= {*names}


@pytest.mark.slow
@pytest.mark.long
def test_rules_that_play_otherwise_when_compiled_make_no_wheel() -> None:
    """A whole number that is taken for a float becomes one only when it is compiled."""
    file = written("heaps_other", GAME.replace("return stones / 2", "return stones"))
    said = refused("compile", str(file), "--matches", "2", status=1)
    assert said.startswith("tabletop: heaps_other: seed 'compile 0', 2 seats, ply 0: compiled, ")
    assert not Path("dist").exists()


@pytest.mark.slow
@pytest.mark.long
def test_what_the_compiler_refuses_is_named_by_file_and_line() -> None:
    inner = "    most = 3\n\n    class Inner:\n        pass\n"
    file = written("heaps_inner", GAME.replace("    most = 3\n", inner))
    line = 1 + file.read_text().splitlines().index("    class Inner:")
    where = f"tabletop: heaps_inner.py, line {line}: Unsupported statement in class body\n"
    said = refused("compile", str(file), status=1)
    assert said == f"{where}tabletop: heaps_inner cannot be compiled: 1 place in it\n"
    assert not Path("dist").exists()


# What is refused before anything is compiled.


def test_without_a_c_compiler_that_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", "no-such-compiler")
    said = refused("compile", str(written("heaps_tool")), status=1)
    why = "the C compiler no-such-compiler is not installed"
    assert said == f"tabletop: heaps_tool cannot be compiled: {why}\n"


def test_a_module_that_the_game_has_not_is_refused() -> None:
    said = refused("compile", str(written("heaps_named")), "--module", "heaps_named.rules")
    assert "there are heaps_named" in said


def test_an_installed_game_is_refused() -> None:
    assert "this is installed" in refused("compile", "lcr")


def test_rules_in_the_file_of_a_package_are_refused() -> None:
    Path("heaps_package").mkdir()
    written("heaps_package/__init__")
    assert "move them into a module" in refused("compile", "heaps_package/__init__.py")


def test_a_file_that_is_called_as_another_module_is_refused() -> None:
    Path("elsewhere").mkdir()
    file = written("elsewhere/json")
    assert "another module is called json" in refused("compile", str(file))


def test_a_file_that_imports_one_beside_it_is_refused() -> None:
    Path("heaps_beside.py").write_text("MOST = 3\n")
    text = GAME.replace("    most = 3", "    most = heaps_beside.MOST")
    text = text.replace("from pathlib", "import heaps_beside\nfrom pathlib")
    said = refused("compile", str(written("heaps_lone", text)))
    assert "it imports heaps_beside, which lies beside it: make a package of them" in said


def test_a_project_that_setuptools_does_not_build_is_refused() -> None:
    Path("heaps_hatched").mkdir()
    Path("heaps_hatched/__init__.py").write_text("from .rules import PLUGIN\n")
    written("heaps_hatched/rules")
    Path("pyproject.toml").write_text('[build-system]\nbuild-backend = "hatchling.build"\n')
    said = refused("compile", "./heaps_hatched:PLUGIN")
    assert "its build-backend is hatchling.build" in said
