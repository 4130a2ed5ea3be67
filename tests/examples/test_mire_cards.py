"""The mechanic of `examples/mire_cards.py`: who devours whom, and what that sets off."""

from __future__ import annotations

from pathlib import Path

import pytest

from tabletop import IllegalAction, Match
from tabletop.match import AnyMatch
from tabletop.registry import load

PLUGIN = load(str(Path(__file__).parents[2] / "examples" / "mire_cards.py"))


def played(*lines: str) -> AnyMatch:
    """A match after these lines; the hand is Bog Maw, Old Hunger, Tadpole, Poison Toad, Spawn."""
    match = Match(PLUGIN.game, seed=1, options={"testing": True})
    for line in lines:
        match.play(match.parse(line))
    return match


def board(match: AnyMatch) -> list[tuple[str, int, int]]:
    return [(one.card, one.attack, one.defence) for one in match.state.sides[0].minions]


def test_who_devours_takes_in_the_numbers_of_the_weakest_other_minion_which_dies() -> None:
    match = played("play 1", "play 2", "play 2", "end", "end", "use 1")
    assert board(match) == [("Bog Maw", 2, 3), ("Poison Toad", 1, 2)]
    assert "Tadpole" in [card.card for card in match.state.sides[0].graveyard]


def test_a_tadpole_that_is_devoured_brings_a_card_and_a_toad_strikes() -> None:
    match = played("play 1", "play 2", "play 2", "end", "end")
    cards, life = len(match.state.sides[0].hand), match.state.sides[1].life
    match.play(match.parse("use 1"))
    assert len(match.state.sides[0].hand) == cards + 1
    assert match.state.sides[1].life == life - 1


def test_who_is_alone_cannot_devour() -> None:
    match = played("play 1", "end", "end")
    with pytest.raises(IllegalAction, match=r"\bminion\b.*\bdevour\b"):
        match.play(match.parse("use 1"))


def test_old_hunger_devours_at_the_end_of_its_owner_s_turn_alone() -> None:
    match = played("play 2", "play 2", "play 2", "end")
    assert board(match) == [("Old Hunger", 4, 7), ("Poison Toad", 1, 2)]
    match.play(match.parse("end"))
    assert len(board(match)) == 2
