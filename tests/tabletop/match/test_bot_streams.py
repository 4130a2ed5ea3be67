"""The random streams of bots follow undo and redo, so that bots make the same choices again."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.tabletop.cli.program import TICTACTOE
from tests.tabletop.games import cards, walk

from tabletop import (
    ActionPlayed,
    BlindPlayer,
    ContractError,
    IllegalAction,
    Match,
    Plugin,
    Stream,
    Streams,
)
from tabletop.errors import RecordLost
from tabletop.match import AnyMatch
from tabletop.match.bot_streams import DrawMark
from tabletop.records import Journal, read, replay
from tabletop.registry import load

BOTS = {TICTACTOE: "random", "constructor-small": "builder", "sorcery": "duelist"}
PLIES = 60
STEPS = st.lists(
    st.tuples(
        st.sampled_from(["play", "play", "undo", "redo", "clone", "pickle", "copy", "resume"]),
        st.integers(1, 20),
    ),
    max_size=12,
)


def seated(match: AnyMatch, plugin: Plugin, bot: str) -> AnyMatch:
    """Return `match` with new bots at every seat."""
    for seat in range(match.seats):
        match.set_player(seat, plugin.bot(bot, match.bot_stream(seat), seat))
    return match


def resumed(match: AnyMatch) -> AnyMatch:
    """Record the match, and return the match that is resumed from the record."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "match.jsonl"
        Journal.create(path, match).close()
        match.set_recorder(None)
        return replay(read(path), match.game)


AGAIN: dict[str, Callable[[AnyMatch], AnyMatch]] = {
    "clone": Match.clone,
    "pickle": lambda match: pickle.loads(pickle.dumps(match)),
    "copy": copy.deepcopy,
    "resume": resumed,
}


@pytest.mark.slow
@settings(max_examples=25, deadline=None)
@given(game=st.sampled_from(sorted(BOTS)), seed=st.integers(0, 3), steps=STEPS)
@example(game="sorcery", seed=1, steps=[("play", 20), ("undo", 7), ("resume", 1), ("play", 9)])
@example(
    game="constructor-small", seed=2, steps=[("play", 20), ("undo", 9), ("redo", 4), ("play", 9)]
)
def test_bots_play_the_same_match_after_any_undo(
    game: str, seed: int, steps: Sequence[tuple[str, int]]
) -> None:
    plugin, bot = load(game), BOTS[game]
    straight = seated(Match(plugin.game, seed=seed), plugin, bot)
    straight.run(PLIES * 4)
    match = seated(Match(plugin.game, seed=seed), plugin, bot)
    for step, number in steps:
        if step == "play":
            match.run(number)
        elif step == "undo":
            match.undo(min(number, match.ply))
        elif step == "redo":
            match.redo(min(number, match.undone))
        else:
            match = seated(AGAIN[step](match), plugin, bot)
        assert match.actions == straight.actions[: match.ply]
    if match.ply < PLIES:
        match.run(PLIES - match.ply)
    assert match.actions == straight.actions[: match.ply]
    straight.undo(straight.ply - match.ply)
    assert match.bot_offsets() == straight.bot_offsets()
    assert match.digest() == straight.digest()


class Draws:
    """A bot that draws a number for each choice, and may choose an illegal action first."""

    def __init__(self, chance: Stream, *, refuse: int = 0) -> None:
        self.chance = chance
        self.numbers: list[int] = []
        self.refuse = refuse

    def choose(self, view: Any, actions: Sequence[Any]) -> Any:
        """Return the first action, or an illegal one."""
        self.numbers.append(self.chance.below(1000))
        self.refuse -= 1
        return "nonsense" if self.refuse >= 0 else actions[0]

    def refused(self, error: IllegalAction) -> None:
        """Count down the refusals."""


class Sloppy(walk.LongWalk):
    """Rejects unknown actions, and fails from the fourth action on if `fails` is set."""

    fails = False

    def apply(self, state: walk.Path, action: str, table: Any) -> None:
        """Take a step."""
        if self.fails and state.steps >= 3:
            raise RuntimeError("no more")
        super().apply(state, action, table)


def walking() -> Match[walk.Path, str]:
    """Return a match in which the bots at both seats draw from their streams."""
    match = Match(Sloppy(), seed="oak")
    for seat in range(2):
        match.set_player(seat, Draws(match.bot_stream(seat)))
    return match


def test_the_draws_of_a_bot_for_a_seed_never_change() -> None:
    match = walking()
    expected = Streams("oak").child(("bot", 1))["choices"]
    assert match.bot_stream(1) is match.bot_stream(1)
    assert [match.bot_stream(1).below(100) for _ in range(99)] == [
        expected.below(100) for _ in range(99)
    ]


def test_a_bot_stream_needs_an_existing_seat() -> None:
    for seat in (-1, 2):
        with pytest.raises(ValueError, match=f"no seat {seat + 1}"):
            Match(walk.GAME).bot_stream(seat)


def test_draws_of_bots_do_not_change_the_digest_or_the_streams() -> None:
    match, other = walking(), Match(Sloppy(), seed="oak")
    match.run(5)
    for action in match.actions:
        other.play(action)
    assert match.bot_offsets() == {0: 3, 1: 2}
    assert other.bot_offsets() == {}
    assert (match.streams(), match.digest()) == (other.streams(), other.digest())


def test_draws_for_refused_choices_are_undone_with_the_action() -> None:
    match = Match(Sloppy(), seed="oak")
    bot = Draws(match.bot_stream(0), refuse=2)
    match.set_player(0, bot)
    match.step()
    assert match.last_bot_draws == DrawMark(ply=1, seat=0, before=0, after=3)
    match.undo()
    bot.refuse = 2
    match.step()
    assert bot.numbers[:3] == bot.numbers[3:]


def test_redo_advances_the_stream_and_a_different_action_does_not() -> None:
    match = walking()
    match.run(6)
    drawn = match.bot_draws
    match.undo(4)
    assert match.bot_offsets() == {0: 1, 1: 1}
    match.redo(3)
    assert match.bot_draws == drawn[:5]
    match.undo(2)
    match.play("wait")
    assert (match.bot_draws, match.bot_offsets()) == (drawn[:3], {0: 2, 1: 1})
    match.undo()
    match.redo()
    assert match.undone == 0
    assert match.last_bot_draws is None


def test_the_draws_for_an_action_that_fails_are_rewound() -> None:
    match = walking()
    match.run(3)
    Sloppy.fails = True
    try:
        with pytest.raises(ContractError):
            match.step()
    finally:
        Sloppy.fails = False
    assert match.bot_offsets() == {0: 2, 1: 1}
    assert (match.bot_stream(0).offset, match.bot_stream(1).offset) == (2, 1)


def test_an_action_that_could_not_be_recorded_is_drawn_again(tmp_path: Path) -> None:
    match = walking()
    straight = walking()
    straight.run(4)
    with Journal.create(tmp_path / "here.jsonl", match):
        match.run(2)
        (tmp_path / "here.jsonl").unlink()
        with pytest.raises(RecordLost):
            match.step()
    with Journal.create(tmp_path / "there.jsonl", match):
        match.run(2)
    assert match.bot_draws == straight.bot_draws
    assert replay(read(tmp_path / "there.jsonl"), walk.GAME).bot_draws == straight.bot_draws


class Blind(BlindPlayer):
    """A blind player that picks at random."""

    def __init__(self, chance: Stream) -> None:
        self.pick = chance.below


def test_undo_rewinds_the_streams_of_blind_players_that_an_observer_seated() -> None:
    match = Match(cards.GAME, seed="oak", seats=2, players=[Blind(Streams(1)["a"])] * 2)

    def seat_them(event: ActionPlayed) -> None:
        if event.ply == 3:
            for seat in range(2):
                match.set_player(seat, Blind(match.bot_stream(seat)))

    match.observe(seat_them, ActionPlayed)
    match.run()
    actions = match.actions
    match.undo(match.ply - 3)
    assert match.bot_offsets() == {}
    match.run()
    assert match.actions == actions
