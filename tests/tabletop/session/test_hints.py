"""Hints: who may ask for one, and that a bot is told nothing that the seat does not know."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tabletop import IllegalAction, Match, Streams
from tabletop.match import AnyMatch
from tabletop.records import HUMAN
from tabletop.registry import load
from tabletop.session import Answer, Session, answer
from tabletop.session.hints import hint_bot, hint_question, how_sure
from tests.tabletop.session.fronts import Front


def table(game: str, match: AnyMatch | None = None, **more: Any) -> Session:
    """A table of two people."""
    plugin = load(game)
    return Session(
        match or Match(plugin.game, seed="old oak", seats=2), plugin, [HUMAN] * 2, **more
    )


@pytest.mark.slow
@pytest.mark.parametrize("undo", ["free", "casual"])
def test_a_hint_is_a_legal_action_and_says_how_sure_the_bot_is(undo: str) -> None:
    session = table("examples/tictactoe.py", undo=undo)
    question = hint_question(session, 0)
    found = answer(question)
    assert session.match.parse(found.action, 0) in session.match.legal_actions(0)
    assert found.value is not None
    assert re.fullmatch(r"hard: \d+ % sure, chances \d+ %", how_sure(found, question.bot))


def test_there_is_no_hint_at_a_fair_table() -> None:
    session = table("examples/tictactoe.py", undo="fair")
    assert not session.gives_hints
    with pytest.raises(IllegalAction, match="no hints at a fair table"):
        hint_question(session, 0)


def test_there_is_no_hint_for_a_seat_that_is_not_asked_or_is_a_bot_s() -> None:
    session = table("examples/tictactoe.py")
    with pytest.raises(IllegalAction, match="not your turn"):
        hint_question(session, 1)
    plugin = session.plugin
    with_bot = Session(Match(plugin.game, seats=2), plugin, ["random", HUMAN])
    with pytest.raises(IllegalAction, match="not your turn"):
        hint_question(with_bot, 0)


def test_a_game_with_nothing_to_decide_gives_no_hints() -> None:
    plugin = load("lcr")
    session = Session(Match(plugin.game, seats=3), plugin, [HUMAN] * 3)
    assert hint_bot(plugin) == ""
    with pytest.raises(IllegalAction, match="no bot of lcr thinks"):
        hint_question(session, 0)


@pytest.mark.parametrize("game", ["examples/masks.py", "sorcery"])
def test_a_bot_is_asked_the_same_whatever_is_hidden_from_the_seat(game: str) -> None:
    plugin = load(game)
    match: AnyMatch = Match(plugin.game, seed="old oak", seats=2)
    seat = match.to_act[0]
    asked = hint_question(table(game, match), seat)
    hidden = [plugin.game.redeal(match.state, seat, Streams(name)["deal"]) for name in "abcd"]
    assert any(state != match.state for state in hidden)
    for state in hidden:
        other: AnyMatch = Match(plugin.game, seed="another", seats=2, state=state)
        assert hint_question(table(game, other), seat).state == asked.state


def test_a_hint_draws_nothing_from_the_match_nor_from_its_bots() -> None:
    session = table("sorcery")
    Front(session)
    match = session.match
    before = match.digest(), match.chances(), match.streams()
    hint_question(session, match.to_act[0])
    assert (match.digest(), match.chances(), match.streams()) == before


def test_what_a_bot_does_not_say_is_left_out() -> None:
    assert how_sure(Answer("roll"), "duelist") == "duelist"
    assert how_sure(Answer("roll", value=0.5), "deep") == "deep: chances 50 %"
