"""The class of an error identifies the reason for a refusal, for programs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from tabletop import CommandError, IllegalAction, Match, Plugin, RecordError, Seat
from tabletop.errors import MatchOver, NotPermitted, NotYourTurn, OutOfDate, RecordLost
from tabletop.protocol import ActIn, ConsentIn, MessageIn, RedoIn, ReseatIn, UndoIn
from tabletop.records import HUMAN
from tabletop.table import SeatHolder, UndoPolicy
from tabletop.table.hints import hint_question
from tests.tabletop.games import rps
from tests.tabletop.table.failing_bots import Full
from tests.tabletop.table.sittings import Sitting

PLUGIN = Plugin(rps.GAME, levels={})


def table(
    moves: Sequence[str] = (), *, undo: UndoPolicy = "casual", rounds: int = 1, **more: Any
) -> list[SeatHolder]:
    """Ann, Bo and a spectator, after these moves, at a table of these rules."""
    match = Match(rps.GAME, seed="oak", seats=["Ann", "Bo"], options={"rounds": rounds})
    at = Sitting(match, PLUGIN, undo=undo, **more)
    holders = [*at.table.holders]
    for number, hand in enumerate(moves):
        holders[number % 2].request(ActIn(hand))
    return holders


@pytest.mark.parametrize(
    ("moves", "who", "request_", "kind"),
    [
        ([], 0, ActIn("castle"), CommandError),
        ([], 0, ReseatIn(9, HUMAN), CommandError),
        ([], 0, ReseatIn(0, "nobody"), CommandError),
        (["rock"], 0, ActIn("rock"), NotYourTurn),
        (["rock"], 0, ActIn("rock", seat=0), NotYourTurn),
        (["rock", "paper"], 0, ActIn("rock"), MatchOver),
        (["rock", "paper"], 0, ActIn(str(rps.Show(0, "rock"))), MatchOver),
        ([], 0, ActIn("rock", ply=3), OutOfDate),
        (["rock"], 0, ActIn("paper", ply=0), OutOfDate),
        ([], 0, ConsentIn(yes=True), OutOfDate),
        ([], 2, ActIn("rock"), NotPermitted),
        ([], 2, UndoIn(), NotPermitted),
        ([], 1, ActIn("rock", seat=0), NotPermitted),
        ([], 1, ReseatIn(0, "random"), NotPermitted),
    ],
)
def test_the_class_of_an_error_says_why_a_request_is_refused(
    moves: Sequence[str], who: Seat, request_: MessageIn, kind: type[Exception]
) -> None:
    holders = table(moves)
    with pytest.raises(kind) as caught:
        holders[who].request(request_)
    assert type(caught.value) is kind


def answers_itself() -> None:
    ann, *_ = table(["rock", "paper"], rounds=2)
    ann.request(UndoIn(actions=2))
    ann.request(ConsentIn(yes=True))


def asks_twice() -> None:
    ann, *_ = table(["rock", "paper"], rounds=2)
    ann.request(UndoIn(actions=2))
    ann.request(UndoIn(actions=2))


def plays_another_s_move_again() -> None:
    ann, bo, _ = table(["rock", "paper"], rounds=2)
    ann.request(UndoIn(actions=2))
    bo.request(ConsentIn(yes=True))
    bo.request(RedoIn(actions=1))


def takes_back_behind_a_reveal() -> None:
    table(["rock", "paper"], rounds=2, undo="fair")[0].request(UndoIn(actions=2))


def takes_back_while_nobody_can_be_asked() -> None:
    ann, watcher = table([], rounds=2, seating={0: [0]})
    ann.request(ActIn("rock"))
    watcher.perspective.match.play(rps.Show(1, "paper"))
    ann.request(UndoIn(actions=2))


def reads_another_s_view() -> None:
    table()[1].perspective.view(0)


def asks_for_a_hint_that_is_turned_off() -> None:
    match = Match(rps.GAME, seed="oak")
    hint_question(Sitting(match, PLUGIN, no_hints=True).table.requests, 0)


@pytest.mark.parametrize(
    "do",
    [
        answers_itself,
        asks_twice,
        plays_another_s_move_again,
        takes_back_behind_a_reveal,
        takes_back_while_nobody_can_be_asked,
        reads_another_s_view,
        asks_for_a_hint_that_is_turned_off,
    ],
)
def test_what_a_table_does_not_permit_has_a_class_of_its_own(do: Callable[[], None]) -> None:
    with pytest.raises(NotPermitted):
        do()


def test_nothing_is_taken_back_at_a_fair_table_when_the_match_is_over() -> None:
    ann, *_ = table(["rock", "paper"], undo="fair")
    with pytest.raises(MatchOver):
        ann.request(UndoIn(actions=1))


def test_what_the_rules_refuse_is_no_matter_of_the_table() -> None:
    others = (MatchOver, NotPermitted, NotYourTurn, OutOfDate)
    assert all(issubclass(kind, IllegalAction) for kind in others)
    match = Match(rps.GAME, seed="oak")
    with pytest.raises(IllegalAction) as caught:
        match.play(rps.Show(0, "lizard"))
    assert not isinstance(caught.value, others)


def test_what_cannot_be_recorded_has_a_class_of_its_own() -> None:
    match = Match(rps.GAME, seed="oak")
    holder = Sitting(match, PLUGIN, recorder=Full()).table.holders[0]
    with pytest.raises(RecordError) as caught:
        holder.request(ActIn("rock", seat=0))
    assert type(caught.value) is RecordLost
