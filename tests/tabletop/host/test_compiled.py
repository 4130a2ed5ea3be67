"""Compiled or not, all is the same: what could be told apart is tried here, on whichever runs.

`python -m compiled test` runs these on the accelerated wheel, and everything else with them.
"""

from __future__ import annotations

import copy
import gc
import json
import pickle
import subprocess
import sys
import traceback
import weakref
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import pytest
from compiled.modules import MODULES
from tests.pages import unmeasured

import tabletop
from constructor import GAME as CONSTRUCTOR
from constructor import Constructor
from constructor.legal import Choices, choices
from sorcery import GAME as SORCERY
from sorcery import Sorcery
from tabletop import (
    ContractError,
    IllegalAction,
    Match,
    Random,
    SeedError,
    Stream,
    Streams,
    Table,
)
from tabletop.game import AnyGame
from tabletop.host import compiled
from tabletop.match import AnyMatch
from tabletop.rng import HashStream

KEY: Final = bytes(range(32))


def elsewhere(code: str, *arguments: str, data: bytes = b"", switch: str | None = None) -> bytes:
    """What a fresh process writes, with the switch at a value, or as it is here."""
    changed = {} if switch is None else {compiled.SWITCH: switch}
    command = [sys.executable, "-W", "error", "-c", code, *arguments]
    # What counts lines holds a lock while it does: interrupted there, a process waits for ever.
    environment = {**unmeasured(), **changed}
    done = subprocess.run(
        command, input=data, env=environment, capture_output=True, check=False, timeout=100
    )
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout


# Which of the two runs, and the switch.

FILES: Final = """
import sys
from importlib import import_module
from pathlib import Path
from importlib.machinery import EXTENSION_SUFFIXES
first, *names = sys.argv[1:]
import_module(first)
from tabletop.host.compiled import build_in_use
files = [import_module(name).__file__ for name in names]
print(build_in_use(), *{file.endswith(tuple(EXTENSION_SUFFIXES)) for file in files})
"""


@pytest.mark.slow
@pytest.mark.parametrize("first", ["tabletop", "lcr", "constructor.legal", "sorcery.zones"])
def test_the_switch_makes_all_of_it_python_whatever_is_imported_first(first: str) -> None:
    switched_off = elsewhere(FILES, first, *MODULES, switch="1")
    assert switched_off.decode().split(maxsplit=2) == ["pure", "Python", "False\n"]


@pytest.mark.slow
@pytest.mark.parametrize("value", ["", "0"])
def test_without_the_switch_what_is_compiled_is_used_by_itself(value: str) -> None:
    installed = bool([*Path(tabletop.__file__).parent.glob("turns.*.*")])
    expected = ["compiled", "True\n"] if installed else ["pure", "Python", "False\n"]
    assert elsewhere(FILES, "lcr", *MODULES, switch=value).decode().split(" ") == expected


@pytest.mark.slow
@pytest.mark.parametrize("program", ["tabletop", "sorcery", "constructor"])
def test_every_program_says_which_build_it_is(program: str) -> None:
    code = f"import {program}.cli as cli; cli.main(['--version'])"
    assert elsewhere(code, switch="1").decode().rstrip().endswith("(pure Python)")
    assert elsewhere(code).decode().rstrip().endswith(f"({compiled.build_in_use()})")


def test_either_all_modules_are_compiled_or_none() -> None:
    python = {(import_module(name).__file__ or "").endswith(".py") for name in MODULES}
    assert python == {not compiled.is_compiled()}


# Digests.

DIGESTS: Final = """
import json, sys
from tabletop import Match, Random
from tabletop.registry import installed, load
seeds = [*range(1, 49), "old oak", "three old friends"]
found = {}
for name in installed():
    for seed in seeds:
        match = Match(load(name).game, seed=seed)
        for seat in range(match.seats):
            match.set_player(seat, Random(f"{seed} {seat}"))
        digests = [match.digest()]
        while not match.over and match.ply < 600:
            match.run(50)
            digests.append(match.digest())
        found[f"{name} {seed}"] = digests
json.dump(found, sys.stdout)
"""


@pytest.mark.slow
def test_digests_equal_the_interpreted_ones_on_every_seed_of_the_catalogue() -> None:
    here = json.loads(elsewhere(DIGESTS))
    assert len(here) >= 300
    assert here == json.loads(elsewhere(DIGESTS, switch="1"))


# Objects.


def _drawn() -> Streams:
    streams = Streams("old oak")
    streams["dice"].roll(6, 3)
    streams.child("bots")["x"].below(10)
    return streams


THINGS: Final[dict[str, Callable[[], Any]]] = {
    "a stream": lambda: HashStream(KEY, 70),
    "streams": _drawn,
    "a table": lambda: Table(_drawn()),
    "choices": lambda: choices(CONSTRUCTOR.board),
    "a match": lambda: begun(SORCERY),
}


def begun(game: AnyGame, plies: int = 30) -> AnyMatch:
    match = Match(game, seed="x")
    for seat in range(match.seats):
        match.set_player(seat, Random(seat))
    match.run(plies)
    return match


def told(thing: Any) -> object:
    """What can be told of a thing, so that two can be compared."""
    if isinstance(thing, Stream):
        return thing.offset, thing.below(10**30)
    if isinstance(thing, Streams):
        return thing.state(), thing["dice"].below(1000), thing.child("bots")["x"].below(1000)
    if isinstance(thing, Table):
        return told(thing.rng)
    return thing.settles if isinstance(thing, Choices) else thing.digest()


@pytest.mark.parametrize("make", THINGS.values(), ids=THINGS.keys())
@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_pickles_and_copies_are_the_same(make: Callable[[], Any], protocol: int) -> None:
    twins = [copy.copy(make()), copy.deepcopy(make()), pickle.loads(pickle.dumps(make(), protocol))]
    assert {repr(told(twin)) for twin in twins} == {repr(told(make()))}


LOADED: Final = """
import pickle, sys
match, stream = pickle.load(sys.stdin.buffer)
match.play(match.legal_actions()[-1])
sys.stdout.write(f"{match.digest()} {stream.below(10**20)}")
"""

MADE: Final = """
import pickle, sys
from tabletop import Match, Random
from tabletop.registry import load
from tabletop.rng import HashStream
match = Match(load("sorcery").game, seed="x", players=[Random(0), Random(1)])
match.run(30)
pickle.dump((match, HashStream(bytes(range(32)), 70)), sys.stdout.buffer)
"""


@pytest.mark.slow
def test_pickles_go_from_either_build_to_the_other() -> None:
    made = [elsewhere(MADE), elsewhere(MADE, switch="1")]
    told_of = {elsewhere(LOADED, data=data) for data in made}
    told_of |= {elsewhere(LOADED, data=data, switch="1") for data in made}
    assert len(told_of) == 1


def test_a_match_can_be_referred_to_weakly_and_dies() -> None:
    match = begun(CONSTRUCTOR, 200)
    dead: list[str] = []
    reference = weakref.ref(match)
    weakref.finalize(match, dead.append, "yes")
    assert reference() is match
    del match
    gc.collect()
    assert reference() is None
    assert dead == ["yes"]
    assert repr(reference).endswith("; dead>")


class Loaded(HashStream):
    """A stream of a user's own: a six in every second draw."""

    def below(self, bound: int) -> int:
        return bound - 1 if self.offset % 2 else super().below(bound)


def test_a_stream_derived_by_a_user_is_asked_by_all_that_is_made_of_below() -> None:
    stream = Loaded(KEY, 1)
    assert (stream.roll(6), stream.choice("abc"), stream.between(2, 9)) == (6, "c", 9)
    twin = stream.copy()
    assert type(twin) is Loaded
    assert (twin.offset, twin.roll(6)) == (1, 6)
    assert type(pickle.loads(pickle.dumps(stream))) is Loaded
    streams = Streams("x")
    streams.install("dice", stream)
    assert streams["dice"].roll(6, 2) == 12


class Curious(Sorcery):
    """Rules that a user has derived: they look at what the rules do."""

    def apply(self, state: Any, action: Any, table: Table) -> None:
        self.seen = [*getattr(self, "seen", []), str(action)]
        super().apply(state, action, table)


def test_rules_derived_by_a_user_play_the_same() -> None:
    game, match = Curious(), begun(SORCERY)
    assert begun(game).digest() == match.digest()
    assert game.seen == [str(action) for action in match.actions]


# Errors.


class Broken(Constructor):
    """Rules that fail in the middle of a turn."""

    def to_act(self, state: Any) -> Any:
        if state.settled:
            raise ZeroDivisionError("in the middle")
        return super().to_act(state)


def test_a_failure_of_rules_says_where_and_keeps_its_cause() -> None:
    players = [Random(seat) for seat in range(4)]
    match: AnyMatch = Match(Broken(name="broken"), seed="x", players=players)
    with pytest.raises(ContractError, match="in the middle") as caught:
        match.run()
    assert isinstance(caught.value.__cause__, ZeroDivisionError)
    assert match.ply == 0
    files = [frame.filename for frame in traceback.extract_tb(caught.tb)]
    assert any(file.endswith("tabletop/match/running.py") for file in files)


def test_a_traceback_names_the_function_the_file_and_the_line() -> None:
    with pytest.raises(SeedError, match="the bound must be at least 1") as caught:
        HashStream(KEY).below(0)
    last = traceback.extract_tb(caught.tb)[-1]
    assert last.name == "_below_rare"
    assert last.filename.replace("\\", "/").endswith("tabletop/rng/hashed.py")
    lines = (
        Path(tabletop.__file__).parent.joinpath("rng", "hashed.py").read_text("utf-8").split("\n")
    )
    assert lines[(last.lineno or 0) - 1].strip().startswith("raise SeedError")


def test_a_refused_action_changes_nothing() -> None:
    match = begun(SORCERY)
    before = match.digest()
    action = next(each for each in match.game.all_actions({}, 2) or () if _is_refused(match, each))
    with pytest.raises(IllegalAction):
        match.play(action)
    assert match.digest() == before


def _is_refused(match: AnyMatch, action: Any) -> bool:
    try:
        match.game.check(match.state, action)
    except IllegalAction:
        return True
    return False


INTERRUPTED: Final = """
import signal, sys
from random import Random as Chance
from tabletop import Match, Random
from tabletop.registry import load

game, times = load(sys.argv[1]).game, int(sys.argv[2])
signal.signal(signal.SIGALRM, signal.default_int_handler)
chance, whole = Chance(1), 0
for number in range(times):
    match = Match(game, seed=number)
    for seat in range(match.seats):
        match.set_player(seat, Random(seat))
    try:
        signal.setitimer(signal.ITIMER_REAL, chance.uniform(0.0005, 0.004), 0.5)
        while True:
            match.run()
            match.undo(match.ply)
    except KeyboardInterrupt:
        signal.setitimer(signal.ITIMER_REAL, 0)
    fresh = Match(game, seed=number)
    for action in match.actions:
        fresh.play(action)
    whole += match.digest() == fresh.digest()
print(whole)
"""
"""Interrupts a playout so many times, at any moment; prints how often the match was left whole."""


@pytest.mark.slow
@pytest.mark.parametrize("game", ["lcr", "constructor", "sorcery"])
def test_ctrl_c_breaks_a_long_playout_off_and_leaves_a_whole_match(game: str) -> None:
    assert elsewhere(INTERRUPTED, game, "400").decode() == "400\n"


# Leaks.

DRAWS: Final = 1_000_000


@pytest.mark.slow
def test_a_million_draws_leak_nothing() -> None:
    """References and blocks of memory: a draw that forgot either would show a million of them."""
    stream = Streams("x")["dice"]
    bound, items = int("600"), ["one", "two", "three"]

    def draw(count: int) -> None:
        for _ in range(count // 4):
            stream.below(bound)
            stream.choice(items)
            stream.below(bound << 40)
            stream.offset += 1

    draw(10_000)
    gc.collect()
    before = sys.getallocatedblocks(), sys.getrefcount(bound), sys.getrefcount(items[0])
    draw(DRAWS)
    gc.collect()
    after = sys.getallocatedblocks(), sys.getrefcount(bound), sys.getrefcount(items[0])
    assert after[1:] == before[1:]
    assert after[0] - before[0] < 1000


@pytest.mark.slow
@pytest.mark.parametrize("game", [CONSTRUCTOR, SORCERY], ids=["constructor", "sorcery"])
def test_playouts_leak_nothing(game: AnyGame) -> None:
    def play(count: int) -> None:
        for seed in range(count):
            match = Match(game, seed=seed % 3)
            for seat in range(match.seats):
                match.set_player(seat, Random(seed % 3))
            match.run(600)
            for action in match.legal_actions():
                match.game.check(match.state, action)

    play(6)
    gc.collect()
    before = sys.getallocatedblocks()
    play(60)
    gc.collect()
    assert sys.getallocatedblocks() - before < 500
