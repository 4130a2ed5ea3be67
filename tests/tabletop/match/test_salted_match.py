"""A salt changes the setup of a match, and is kept by clones, pickles and records."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.tabletop.games import cards

from tabletop import Match, Random, SeedError, Table, TabletopError
from tabletop.records import Header, Journal, read, replay
from tabletop.registry import load
from tabletop.scores import ScoreSheet
from tabletop.scores.verify import MemoryRecorder
from tabletop.testing.probe import streams_like

SALT = bytes(range(16))
GAME = cards.GAME

Playing = Match[Any, Any]


def table(salt: bytes | None = SALT, **more: Any) -> Playing:
    """Return a match of cards with bots that draw from their streams."""
    match: Playing = Match(GAME, seed="old oak", salt=salt, seats=3, **more)
    for seat in range(match.seats):
        match.set_player(seat, Random(match.bot_stream(seat)))
    return match


def first_choices(match: Playing) -> list[int]:
    return [match.bot_stream(seat).below(2**30) for seat in range(match.seats)]


def test_a_salt_changes_the_deal_and_the_choices_of_bots() -> None:
    plain, salted = table(None), table()
    assert (plain.salt, salted.salt) == (None, SALT)
    assert plain.state != salted.state
    assert not set(first_choices(plain)) & set(first_choices(salted))


def test_the_setup_for_a_seed_and_a_salt_never_changes() -> None:
    match = table()
    assert match.state.hands[0] == [13, 9, 23, 11]
    match.run()
    assert match.digest() == "153a3835e18bdce32a782ad49bbc5b2f"


@pytest.mark.parametrize(
    "twin",
    [Match.clone, copy.copy, copy.deepcopy, lambda match: pickle.loads(pickle.dumps(match))],
)
def test_clones_copies_and_pickles_make_the_same_draws_as_the_match(
    twin: Callable[[Playing], Playing],
) -> None:
    match = table()
    match.run(4)
    other = twin(match)
    assert other.salt == SALT
    assert first_choices(other) == first_choices(match)
    other.undo(4)
    assert other.digest() == table().digest()


@pytest.mark.parametrize("salt", [b"too short", "00" * 16, 7])
def test_an_invalid_salt_is_refused(salt: Any) -> None:
    with pytest.raises(SeedError, match=r"\b16\b"):
        Match(GAME, salt=salt)


def test_a_salt_is_in_no_repr_or_message() -> None:
    match = table()
    shown = [repr(match), repr(Header.of(match)), repr(match.state), repr(match.view(0))]
    with pytest.raises(TabletopError) as caught:
        match.play("nonsense")
    shown += [str(caught.value), repr(caught.value), repr(vars(caught.value))]
    for text in shown:
        assert SALT.hex() not in text
        assert repr(SALT)[2:-1] not in text


def test_a_salted_match_is_resumed_in_the_same_position(tmp_path: Path) -> None:
    path, match = tmp_path / "match.jsonl", table()
    whole = table()
    whole.run()
    with Journal.create(path, match):
        match.run(5)
    again = replay(read(path), GAME)
    for seat in range(again.seats):
        again.set_player(seat, Random(again.bot_stream(seat)))
    with Journal.resume(read(path), again):
        again.run()
    assert again.digest() == whole.digest()
    assert replay(read(path), GAME).digest() == whole.digest()
    assert again.salt == SALT


def test_the_score_sheet_contains_the_salt_after_the_match() -> None:
    match = table()
    memory = MemoryRecorder(Header.of(match))
    match.set_recorder(memory)
    outcome = match.run()
    assert outcome is not None
    header = Header.of(match)
    sheet = ScoreSheet.of(header, memory.entries, outcome)
    assert sheet.salt == SALT.hex()
    assert sheet.key != ScoreSheet.of(Header.of(table(None)), memory.entries, outcome).key


def test_check_game_uses_the_draws_of_the_salted_match() -> None:
    match: Playing = Match(load("lcr").game, seed="old oak", salt=SALT)
    state, (action,) = match.state.clone(), match.legal_actions()
    match.game.apply(state, action, Table(streams_like(match, match.seed)))
    match.play(action)
    assert state == match.state
