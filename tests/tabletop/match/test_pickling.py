"""Games, matches and related objects can be pickled, copied and used in another process."""

from __future__ import annotations

import copy
import importlib
import inspect
import pickle
import pkgutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.tabletop.games import cards

from constructor import Board, Constructor
from lcr import CourseStream
from sorcery import GAME as SORCERY
from sorcery import SPRING_2024, Sorcery, minion
from tabletop import (
    CommandError,
    IllegalAction,
    Match,
    MatchEnded,
    Outcome,
    Random,
    Scripted,
    Seed,
    Streams,
    Table,
    TabletopError,
)
from tabletop.errors import RecordMismatch
from tabletop.match import AnyMatch
from tabletop.records import Header, Journal, read, replay
from tabletop.registry import installed, load
from tabletop.testing import LawBroken, ScriptedStream

EXAMPLES: Final = Path(__file__).parents[3] / "examples"
FILES: Final = [
    str(path) for path in sorted(EXAMPLES.glob("*.py")) if "\nGAME = " in path.read_text()
]
GAMES: Final = [*installed(), *FILES]

WAYS: Final[list[Callable[[Any], Any]]] = [
    copy.copy,
    copy.deepcopy,
    lambda value: pickle.loads(pickle.dumps(value)),
]
"""Every way to make another of something."""

any_way = pytest.mark.parametrize("sent", WAYS, ids=["copy", "deepcopy", "pickle"])

GO_ON: Final = """
import pickle, sys
match = pickle.load(sys.stdin.buffer)
while not match.over and match.ply < 40:
    match.play(match.legal_actions()[-1])
played = match.digest()
match.undo(match.ply)
print(played, match.digest(), match.undone)
"""


def started(name: str, plies: int = 20, seed: str = "old oak") -> AnyMatch:
    """Return a match that random players have started."""
    match = Match(load(name).game, seed=seed)
    for seat in range(match.seats):
        match.set_player(seat, Random(seat))
    match.run(plies)
    return match


def play_to_end(match: AnyMatch) -> str:
    """Play on, undo everything, and return the digests. The other process does the same."""
    while not match.over and match.ply < 40:
        match.play(match.legal_actions()[-1])
    played = match.digest()
    match.undo(match.ply)
    return f"{played} {match.digest()} {match.undone}"


def in_new_process(code: str, value: object) -> str:
    """Return the output of a new process that runs `code` with the pickled `value`."""
    run = subprocess.run(
        [sys.executable, "-c", code], input=pickle.dumps(value), capture_output=True, check=False
    )
    assert run.returncode == 0, run.stderr.decode()
    return run.stdout.decode().strip()


@any_way
@pytest.mark.parametrize("name", GAMES)
def test_a_copied_match_continues_in_the_same_way(name: str, sent: Callable[[Any], Any]) -> None:
    match = started(name)
    before = match.digest()
    twin = sent(match)
    assert (twin.digest(), twin.ply, twin.names) == (before, match.ply, match.names)
    digests = play_to_end(twin)
    assert match.digest() == before, "drawing from the copy has not moved the original"
    assert digests == play_to_end(match)


def on_a_random_board() -> AnyMatch:
    game = Constructor(Board("lonely", ((0, 0), (0, 2), (1, 1))), seats=range(2, 3))
    return Match(game, seed="x", options={"random-board": True})


def with_custom_cards() -> AnyMatch:
    wolf = minion("Lone Wolf", cost=2, attack=3, defence=3)
    return Match(Sorcery(SPRING_2024.with_cards([wolf]), deck="Lone Wolf\n" * 12), seed="x")


@pytest.mark.slow
@pytest.mark.parametrize("made", [on_a_random_board, with_custom_cards])
def test_a_pickled_match_continues_in_the_same_way_in_a_new_process(
    made: Callable[[], AnyMatch],
) -> None:
    match = made()
    assert in_new_process(GO_ON, match) == play_to_end(match)


@given(st.integers(0, 60), st.integers(0, 60), st.text(max_size=5))
def test_the_history_and_undone_actions_are_copied(plies: int, back: int, seed: str) -> None:
    match = Match(cards.GAME, seed=seed, players=[Random("a"), Random("b")])
    match.run(plies)
    match.undo(min(back, match.ply))
    twin = pickle.loads(pickle.dumps(match))
    assert (twin.actions, twin.undone, twin.streams()) == (
        match.actions,
        match.undone,
        match.streams(),
    )
    match.redo(match.undone)
    twin.redo(twin.undone)
    assert twin.digest() == match.digest()


@any_way
def test_players_observers_and_draw_listeners_are_not_copied(sent: Callable[[Any], Any]) -> None:
    received: list[object] = []
    match = Match(SORCERY, seed="x", players=[Random(1), Random(2)], on_draw=received.append)
    match.observe(received.append)
    match.run(4)
    before = len(received)
    twin = sent(match)
    assert twin.players == (None, None)
    for _ in range(6):
        twin.play(twin.legal_actions()[-1])
    assert len(received) == before
    match.run(1)
    assert len(received) > before


@any_way
@pytest.mark.parametrize("name", GAMES)
def test_a_copied_game_plays_in_the_same_way(name: str, sent: Callable[[Any], Any]) -> None:
    game = load(name).game
    _ = game.vocabulary  # and other data that the game has cached by then
    twin = sent(game)
    assert (twin.name, twin.title, twin.seats) == (game.name, game.title, game.seats)
    assert twin.vocabulary == game.vocabulary
    one, other = Match(game, seed="old oak"), Match(twin, seed="old oak")
    assert one.digest() == other.digest()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["lcr", FILES[0]])
def test_a_plugin_is_found_again_by_its_source(name: str) -> None:
    plugin = load(name)
    twin = pickle.loads(pickle.dumps(plugin))
    assert (twin.source, list(twin.bots)) == (plugin.source, list(plugin.bots))
    output = in_new_process(
        "import pickle, sys; print(pickle.load(sys.stdin.buffer).game.name)", plugin
    )
    assert output == plugin.game.name


@any_way
def test_copied_streams_continue_with_the_same_draws_independently(
    sent: Callable[[Any], Any],
) -> None:
    streams = Streams("x")
    streams.install("course", CourseStream(7))
    streams.install("script", ScriptedStream([1, 2, 3, 4, 5]))
    streams.set_listener(lambda draw: None)
    opened = [streams["dice"], streams["course"], streams["script"], streams.child("bots")["a", 1]]
    for stream in opened:
        stream.below(6)
    twin = sent(streams)
    assert twin.state() == streams.state()
    names = ("dice", "course", "script")
    drawn = [twin[name].below(9) for name in names], twin.child("bots")["a", 1].below(9)
    assert ([streams[name].below(9) for name in names], opened[3].below(9)) == drawn


@pytest.mark.parametrize("sent", WAYS[1:])
def test_a_copied_table_is_not_watched(sent: Callable[[Any], Any]) -> None:
    table = Table(Streams("x"))
    table.watch(True)
    twin = sent(table)
    twin.emit(MatchEnded(Outcome.draw(2)))
    assert (twin.watched, twin.events, table.events) == (False, [], [])
    assert twin.rng["dice"].below(99) == table.rng["dice"].below(99)


NEEDED = {"tabletop.envs.spiel": "pyspiel", "tabletop.training.learner": "torch"}
"""Libraries that are not everywhere: OpenSpiel has no wheel for the newest Python, and PyTorch is
installed for the tests of training alone.
"""


def errors() -> Iterator[type[Exception]]:
    """Return all error classes that the packages define."""
    for package in ("tabletop", "lcr", "constructor", "sorcery"):
        for found in pkgutil.walk_packages(
            importlib.import_module(package).__path__, f"{package}."
        ):
            library = NEEDED.get(found.name)
            if library and find_spec(library) is None:
                continue
            if not found.name.endswith("__main__"):
                importlib.import_module(found.name)
    waiting: list[type[Exception]] = [TabletopError]
    while waiting:
        kind = waiting.pop()
        waiting += kind.__subclasses__()
        if kind.__module__.partition(".")[0] != "tests":
            yield kind


def make_error(kind: type[Exception]) -> Exception:
    """Return an error of a class, with values for its required arguments."""
    if kind is LawBroken:
        return LawBroken("go", "x", 3, "undo", "no")
    initial = vars(kind).get("__init__")
    wanted = list(inspect.signature(initial).parameters.values()) if initial else []
    message = [] if [it.name for it in wanted] == ["self"] else ["so wrong"]
    return kind(*message, **{it.name: 3 for it in wanted if it.kind is it.KEYWORD_ONLY})


@pytest.mark.slow
@any_way
def test_every_error_keeps_its_message_and_attributes(sent: Callable[[Any], Any]) -> None:
    kinds = [*errors(), LawBroken]
    assert len(kinds) > 15
    known: list[Exception] = [
        CommandError("what?", line="atack 1", place=1),
        IllegalAction("asleep", action=("attack", 1), seat=0),
        RecordMismatch("differs", line=3),
    ]
    for error in [*known, *map(make_error, kinds)]:
        twin = sent(error)
        assert (type(twin), str(twin), vars(twin)) == (type(error), str(error), vars(error))


@any_way
def test_records_headers_and_outcomes_are_equal(sent: Callable[[Any], Any], tmp_path: Path) -> None:
    match = started("lcr")
    with Journal.create(tmp_path / "record.jsonl", match):
        match.run()
    record = read(tmp_path / "record.jsonl")
    values = [record, record.header, Header.of(match), match.outcome, match.seed, match.state]
    for value in [*values, *match.actions, *load("lcr").game.options, Seed("Old Oak")]:
        assert sent(value) == value
    assert replay(sent(record), load("lcr").game).digest() == match.digest()


@any_way
def test_players_choose_the_same(sent: Callable[[Any], Any]) -> None:
    for player in (Random("x"), Scripted([3, 1, 2])):
        player.choose(None, [1, 2, 3])
        twin = copy.deepcopy(player) if sent is copy.copy else sent(player)
        assert [twin.choose(None, [1, 2, 3]) for _ in "12"] == [
            player.choose(None, [1, 2, 3]) for _ in "12"
        ]


def test_a_journal_cannot_be_copied_or_pickled(tmp_path: Path) -> None:
    with Journal.create(tmp_path / "record.jsonl", started("lcr")) as journal:
        for sent in WAYS:
            with pytest.raises(TypeError, match=r"record\.jsonl: .*\bjournal\b"):
                sent(journal)
