"""The laws of redealt states: they do not depend on hidden values."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

import pytest

from tabletop import (
    NOBODY,
    OWNER,
    Known,
    Options,
    Outcome,
    Seat,
    SecretGame,
    State,
    Stream,
    Streams,
    Table,
    secret,
    state,
)
from tabletop.parts.cards import deal, mix
from tabletop.rules import AnyGame
from tabletop.testing import LawBroken, check_game
from tests.tabletop.testing.leaky import Auction, Sealed

FACES, DICE, HIDDEN = (1, 2, 3, 4, 5, 6), 5, 0


@state
class Cups(State):
    """The dice under each cup, the bids, and the seat that leads."""

    dice: list[list[int]] = secret(to=OWNER, back=HIDDEN, pool="dice")
    bids: list[int]
    leader: Seat = 0


@state
class RolledCups(Cups):
    """The same with a correct declaration."""

    dice: list[list[int]] = secret(to=OWNER, back=HIDDEN, choices=FACES)


class Dealt(SecretGame[Cups, int]):
    """Bid how many dice of all show a six, or more than that; the highest bid that is true wins.

    The dice are declared as if they were cards.
    """

    name = "cups"
    seats = range(2, 4)

    def setup(self, options: Options, seats: int, rng: Streams) -> Cups:
        return Cups(roll(rng, seats), [])

    def to_act(self, state: Cups) -> Sequence[Seat]:
        seats = len(state.dice)
        return ((state.leader + len(state.bids)) % seats,) if len(state.bids) < 2 * seats else ()

    def legal_actions(self, state: Cups, seat: Seat) -> Sequence[int]:
        return range(DICE + 1)

    def apply(self, state: Cups, action: int, table: Table) -> None:
        state.bids.append(action)

    def outcome(self, state: Cups) -> Outcome | None:
        if self.to_act(state):
            return None
        sixes = sum(die == 6 for cup in state.dice for die in cup)
        worth = [bid if bid <= sixes else 0 for bid in state.bids[-len(state.dice) :]]
        return Outcome.by_score(worth)


def roll(rng: Streams, seats: int) -> list[list[int]]:
    return [[rng["dice"].roll(6) for _ in range(DICE)] for _ in range(seats)]


class Rolled(Dealt):
    """Correct: declares the faces of a die."""

    def setup(self, options: Options, seats: int, rng: Streams) -> Cups:
        return RolledCups(roll(rng, seats), [])


class RolledLater(Dealt):
    """Rolls after all seats have bid once. Before that, the cups are empty."""

    def setup(self, options: Options, seats: int, rng: Streams) -> Cups:
        return Cups([[] for _ in range(seats)], [])

    def apply(self, state: Cups, action: int, table: Table) -> None:
        super().apply(state, action, table)
        if len(state.bids) == len(state.dice):
            state.dice = roll(table.rng, len(state.dice))


class FirstAtRandom(Dealt):
    """Also draws the first seat, which is public."""

    def setup(self, options: Options, seats: int, rng: Streams) -> Cups:
        return Cups(roll(rng, seats), [], rng["first"].below(seats))


class WrittenOut(Dealt):
    """The same as `Dealt`, with its redeal written out."""

    def redeal(self, state: Cups, seat: Seat | None, rng: Stream) -> Cups:
        other = state.clone()
        mix(rng, [cup for owner, cup in enumerate(other.dice) if owner != seat])
        return other


@pytest.mark.parametrize("kind", [Dealt, RolledLater, FirstAtRandom, WrittenOut])
def test_dice_that_are_redealt_like_cards_are_found(kind: type[Dealt]) -> None:
    with pytest.raises(
        LawBroken,
        match=r" real .*\(\d.* other .*\(\d.*"
        r" secret\(\.\.\., choices=\.\.\.\)",
    ) as caught:
        check_game(kind(), matches=2)
    assert caught.value.law == "redealt"


@pytest.mark.slow
def test_dice_with_declared_choices_pass() -> None:
    assert check_game(Rolled(), matches=2, seeded=False).matches == 2


@state
class SevenSides(Cups):
    """Declares a face that no die has."""

    dice: list[list[int]] = secret(to=OWNER, back=HIDDEN, choices=(*FACES, 7))


class CannotBeCounted(Dealt):
    """`redeal` returns dice that only make the end of a match fail."""

    def setup(self, options: Options, seats: int, rng: Streams) -> Cups:
        return SevenSides(roll(rng, seats), [])

    def outcome(self, state: Cups) -> Outcome | None:
        if not self.to_act(state):
            for die in chain(*state.dice):
                FACES.index(die)
        return super().outcome(state)


class NobodyWins(CannotBeCounted):
    """Has no outcome with these dice."""

    def outcome(self, state: Cups) -> Outcome | None:
        return None if 7 in chain(*state.dice) else Dealt.outcome(self, state)


@pytest.mark.parametrize(
    ("kind", "fault"),
    [
        (CannotBeCounted, ": ValueError"),
        (NobodyWins, "without an outcome"),
    ],
)
def test_a_redealt_state_must_be_playable_to_the_end(kind: type[Dealt], fault: str) -> None:
    with pytest.raises(LawBroken, match=r" redealt for ") as caught:
        check_game(kind(), matches=4)
    assert fault in caught.value.what
    assert caught.value.law == "redealt"


class ShufflesAsItLies(Sealed):
    """`redeal` shuffles the hidden cards in their real order."""

    def redeal(self, state: Auction, seat: Seat | None, rng: Stream) -> Auction:
        dealt = state.clone()
        rng.shuffle(dealt.deck)
        return dealt


class KeepsTheBids(Sealed):
    """`redeal` keeps the real bids half of the time."""

    def redeal(self, state: Auction, seat: Seat | None, rng: Stream) -> Auction:
        dealt = super().redeal(state, seat, rng)
        if rng.chance(1, 2):
            dealt.bids = state.bids.copy()
        return dealt


@pytest.mark.parametrize("game", [ShufflesAsItLies(), KeepsTheBids()], ids=["shuffles", "bids"])
def test_a_redeal_that_depends_on_hidden_values_is_found(game: AnyGame) -> None:
    with pytest.raises(LawBroken, match=r"\bhidden values: .*\bdraws\b"):
        check_game(game, matches=4)


@state
class Peeks(State):
    """Cards, one of which a seat may have seen in the hand of its neighbour."""

    hands: list[list[int]] = secret(to=OWNER, back=HIDDEN, known="known")
    deck: list[int] = secret(to=NOBODY, back=HIDDEN)
    known: Known[int]
    shown: list[int]


class QueenSeen(SecretGame[Peeks, int]):
    """Whoever has the left neighbour of the queen, the 9, has seen her; the others do not know."""

    name = "queen-seen"
    seats = range(3, 4)

    def setup(self, options: Options, seats: int, rng: Streams) -> Peeks:
        deck = rng["deck"].sample(range(1, 10), 9)
        state = Peeks(deal(deck, seats, 2), deck, Known(), [])
        for seat, hand in enumerate(state.hands):
            if 9 in hand:
                state.known.show((seat + 1) % seats, 9, owner=seat)
        return state

    def to_act(self, state: Peeks) -> Sequence[Seat]:
        return (len(state.shown),) if len(state.shown) < 3 else ()

    def legal_actions(self, state: Peeks, seat: Seat) -> Sequence[int]:
        return [1, 2]

    def apply(self, state: Peeks, action: int, table: Table) -> None:
        state.shown.append(action)

    def outcome(self, state: Peeks) -> Outcome | None:
        return None if self.to_act(state) else Outcome.by_score(state.shown)


def test_values_that_others_have_seen_need_not_be_redealt() -> None:
    assert check_game(QueenSeen(), matches=2).matches == 2
