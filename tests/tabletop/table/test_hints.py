"""Hints: permission to request them, and no hidden information for the bot."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from tabletop import IllegalAction, Match, Streams
from tabletop.match import AnyMatch
from tabletop.protocol import TableOut
from tabletop.records import HUMAN
from tabletop.registry import load
from tabletop.table import Answer, UndoPolicy, answer
from tabletop.table.bot_names import hint_bot
from tabletop.table.hints import because, estimate, hint_lines, hint_question
from tests.tabletop.table.sittings import Sitting


def table(
    game: str,
    match: AnyMatch | None = None,
    undo: UndoPolicy = "free",
    *,
    no_hints: bool = False,
) -> Sitting:
    """A table of two people."""
    plugin = load(game)
    match = match or Match(plugin.game, seed="old oak", seats=2)
    return Sitting(match, plugin, undo=undo, no_hints=no_hints)


@pytest.mark.slow
@pytest.mark.parametrize("undo", ["free", "casual", "fair"])
def test_a_hint_is_a_legal_action_and_says_how_sure_the_bot_is(undo: UndoPolicy) -> None:
    at = table("examples/tictactoe.py", undo=undo)
    question = hint_question(at.table.requests, 0)
    found = answer(question)
    assert at.match.parse(found.action, 0) in at.match.legal_actions(0)
    assert found.value is not None
    assert re.fullmatch(r"estimated win chance \d+ %", estimate(found))


def test_there_is_no_hint_at_a_table_without_hints() -> None:
    at = table("examples/tictactoe.py", no_hints=True)
    assert not at.table.requests.gives_hints
    with pytest.raises(IllegalAction, match="hints are turned off"):
        hint_question(at.table.requests, 0)


def test_there_is_no_hint_for_a_seat_that_is_not_asked_or_is_a_bot_s() -> None:
    at = table("examples/tictactoe.py")
    with pytest.raises(IllegalAction, match="not your turn"):
        hint_question(at.table.requests, 1)
    plugin = at.table.plugin
    with_bot = Sitting(Match(plugin.game, seats=2), plugin, ["random", HUMAN], undo="free")
    with pytest.raises(IllegalAction, match="not your turn"):
        hint_question(with_bot.table.requests, 0)


def test_a_game_with_nothing_to_decide_gives_no_hints() -> None:
    plugin = load("lcr")
    at = Sitting(Match(plugin.game, seats=3), plugin, undo="free")
    assert hint_bot(plugin) == ""
    at.open(0)
    assert not at.told(0, TableOut)[0].hints
    with pytest.raises(IllegalAction, match="none of the bots of lcr"):
        hint_question(at.table.requests, 0)


@pytest.mark.parametrize("game", ["examples/masks.py", "sorcery"])
def test_a_bot_is_asked_the_same_whatever_is_hidden_from_the_seat(game: str) -> None:
    plugin = load(game)
    match: AnyMatch = Match(plugin.game, seed="old oak", seats=2)
    seat = match.to_act[0]
    asked = hint_question(table(game, match).table.requests, seat)
    hidden = [plugin.game.redeal(match.state, seat, Streams(name)["deal"]) for name in "abcd"]
    assert any(state != match.state for state in hidden)
    for state in hidden:
        other: AnyMatch = Match(plugin.game, seed="another", seats=2, state=state)
        assert hint_question(table(game, other).table.requests, seat).state == asked.state


def test_a_hint_draws_nothing_from_the_match_nor_from_its_bots() -> None:
    at = table("sorcery")
    match = at.match
    before = match.digest(), match.bot_offsets(), match.streams()
    hint_question(at.table.requests, match.to_act[0])
    assert (match.digest(), match.bot_offsets(), match.streams()) == before


def test_what_a_bot_does_not_say_is_left_out() -> None:
    assert estimate(Answer("roll")) == ""
    assert because(Answer("roll")) == ()
    assert because(Answer("roll", tries={"roll": (0, 0.0)})) == ()


def test_a_hint_without_an_estimate_has_no_brackets() -> None:
    assert hint_lines("roll", "", ()) == "Hint: roll"
    assert hint_lines("roll", "rated 7 of 100", ["why"]) == "Hint: roll (rated 7 of 100)\nwhy"


TRIED = {"end": (60, 24.0), "play 1": (310, 192.2), "play 2": (0, 0.0), "attack 1 2": (130, 70.2)}


def test_a_hint_says_what_speaks_for_it_and_what_is_next_best() -> None:
    found = Answer("play 1", share=0.62, value=0.62, counts_wins=True, tries=TRIED)
    assert because(found) == (
        "310 of 500 simulations chose this action",
        "next best: attack 1 2 (54 %), end (40 %)",
    )
    assert because(found, str.upper)[1] == "next best: ATTACK 1 2 (54 %), END (40 %)"
    alone = Answer("end", share=1.0, tries={"end": (7, 3.5)})
    assert because(alone) == ("7 of 7 simulations chose this action",)


def test_a_number_that_is_no_chance_of_winning_is_called_a_rating() -> None:
    found = Answer("play 1", share=0.62, value=0.62, tries=TRIED)
    assert estimate(found) == "rated 62 of 100"
    assert because(found) == (
        "310 of 500 simulations chose this action",
        "next best: attack 1 2 (54), end (40)",
    )


def test_a_bot_that_had_nothing_else_to_try_says_so() -> None:
    at = table("examples/tictactoe.py")
    for line in ("1", "5", "2"):
        at.match.play(at.match.parse(line))
    found = answer(hint_question(at.table.requests, 1))
    assert (found.action, found.tries) == ("3", {})
    assert estimate(found) == "the only sensible action"
    assert because(found) == ()


@pytest.mark.parametrize(
    ("game", "bot", "counts"),
    [
        ("examples/tictactoe.py", "search:40", True),
        ("examples/tictactoe.py", "flat:40", True),
        ("examples/tictactoe.py", "expectimax:1", True),
        ("examples/masks.py", "search:40", True),
        ("examples/nettles.py", "search:20", False),  # three places, and positions are rated
        ("examples/peal.py", "search:20", False),  # all together
        ("examples/kuhn_poker.py", "search:20", False),  # for points
        ("sorcery", "search:20", False),  # tries do not go on to the end
    ],
)
def test_a_bot_knows_whether_it_has_counted_wins(game: str, bot: str, counts: bool) -> None:
    plugin = load(game)
    match: AnyMatch = Match(plugin.game, seed="old oak")
    at = Sitting(match, plugin, undo="free")
    question = replace(hint_question(at.table.requests, match.to_act[0]), bot=bot)
    found = answer(question)
    assert found.error == ""
    assert found.counts_wins is counts
    assert found.value is not None
    tried = {action: total / visits for action, (visits, total) in found.tries.items()}
    assert tried[found.action] == pytest.approx(found.value)
    assert len(because(found)) == 2
