"""People see only what their perspective shows them, whatever happens at their table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, get_args

import pytest

from tabletop import Match, Plugin
from tabletop.display import Size
from tabletop.protocol import (
    ActIn,
    AskIn,
    ConsentIn,
    ExplainIn,
    HelpIn,
    HintIn,
    LookIn,
    MessageIn,
    PassIn,
    PlayAgainIn,
    ProposeIn,
    RedoIn,
    ReseatIn,
    ResignIn,
    RulesIn,
    SampleIn,
    SayIn,
    SitIn,
    StateOut,
    UndoIn,
    encode,
)
from tabletop.protocol.incoming import Request
from tabletop.registry import load
from tabletop.table import HandOver, Next, ReplayPages, Reseat, Wants
from tabletop.table.match_table import MatchTable
from tests.tabletop.games import rps
from tests.tabletop.table.perspectives import (
    Late,
    late_for_spectators,
    only_the_start_for_spectators,
)
from tests.tabletop.table.sittings import Sitting

REQUESTS: tuple[MessageIn, ...] = (
    *(LookIn(ply, id=1) for ply in range(3)),
    *(SampleIn(1, id=2, seat=seat) for seat in (None, 0)),
    *(AskIn(line, id=3) for line in ("/table", "/actions", "roll")),
    *(ActIn(line, id=4, ply=0, seat=0) for line in ("rock", "roll")),
    *(ReseatIn(0, player, id=5) for player in ("human", "random", "nobody")),
    *(ProposeIn(kind, id=6) for kind in ("pause", "resume")),
    *(UndoIn(id=7, actions=actions) for actions in (None, 1)),
    ConsentIn(True, id=8),
    RedoIn(id=9),
    ResignIn(id=10, seat=0),
    ProposeIn("draw", 11),
    SayIn("hello", id=12),
    PassIn(id=13),
    SitIn(0, id=14),
    PlayAgainIn(id=15),
    ExplainIn("part", id=16),
    HelpIn(id=17),
    RulesIn(id=18),
    HintIn(id=19),
)
"""Requests and questions of a spectator."""


def test_the_spectator_of_these_tests_sends_every_kind_of_request() -> None:
    assert {type(it) for it in REQUESTS} == set(get_args(Request))


def sitting(plugin: Plugin, names: Sequence[str], options: dict[str, Any]) -> Sitting:
    """Return a table with clocks, two players and a spectator."""
    match = Match(plugin.game, seed="old oak", seats=names, options=options)
    at = Sitting(match, plugin, undo="casual", casual=True, clock=1000)
    at.open(0, 1)
    return at


def events(at: Sitting) -> list[Callable[[], object]]:
    """Return events at a table, one after the other."""
    first, second = ("rock", "paper") if at.match.game is rps.GAME else ("roll", "roll")
    return [
        lambda: at.ask(0, SayIn("hello")),
        lambda: at.ask(0, ActIn(first)),
        lambda: at.ask(1, ActIn(second)),
        lambda: at.ask(0, ProposeIn("pause")),
        lambda: at.ask(1, ConsentIn(True)),
        lambda: at.ask(0, ProposeIn("resume")),
        lambda: at.ask(0, UndoIn()),
        lambda: at.ask(1, ConsentIn(True)),
        lambda: at.ask(0, RedoIn()),
        lambda: at.receive(HandOver(1, "A guest sat down")),
        lambda: at.receive(Reseat(1, "random")),
        lambda: at.receive(Reseat(1, "human")),
        lambda: at.ask(0, ResignIn()),
        lambda: at.ask(1, ResignIn()),
        lambda: at.receive(ReplayPages([*["own"] * at.match.seats, "spectators"])),
        lambda: at.receive(Next([*["own"] * at.match.seats, "spectators"])),
        lambda: at.close(0),
    ]


@pytest.mark.slow
@pytest.mark.parametrize("columns", [0, 80], ids=["page", "terminal"])
@pytest.mark.parametrize(
    ("plugin", "names", "options"),
    [
        (Plugin(rps.GAME), ("Ann", "Bo"), {"rounds": 2}),
        (load("lcr"), ("Ann", "Bo", "Cy"), {}),
    ],
    ids=["rps", "lcr"],
)
def test_spectators_learn_nothing_that_their_perspective_does_not_show(
    plugin: Plugin,
    names: Sequence[str],
    options: dict[str, Any],
    columns: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(MatchTable, "perspective", only_the_start_for_spectators)
    played, quiet = (sitting(plugin, names, options) for _ in range(2))
    for rows, event in enumerate((lambda: None, *events(played)), start=24):
        event()
        heard = []
        wants = Wants("wide", data=True, size=Size(columns, rows))  # new, so it is drawn again
        for at in (played, quiet):
            at.wait(10)
            screen = at.new_screen(None, wants)
            at.screens[None] = screen
            at.ask(None, *REQUESTS)
            heard.append([encode(message) for message in at.due(screen)])
            at.close(None)
        assert heard[0] == heard[1]
    assert played.match.over


def test_a_perspective_shows_news_at_its_deadline(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(MatchTable, "perspective", late_for_spectators)
    at = sitting(load("lcr"), ("Ann", "Bo", "Cy"), {})
    at.open(None)
    at.told(None, StateOut)
    at.ask(0, ActIn("roll"))
    shown_at = at.now + Late.DELAY
    at.wait(Late.DELAY - 1)
    assert at.told(None, StateOut) == []
    assert at.table.deadline is not None
    assert at.table.deadline <= shown_at
    at.wait(1)
    assert [state.ply for state in at.told(None, StateOut)] == [1]
