"""Rock, paper, scissors: all choose at the same time, and nobody sees a choice until all are in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tabletop import (
    OWNER,
    Event,
    Option,
    Options,
    Outcome,
    Seat,
    SecretGame,
    State,
    Streams,
    Table,
    event,
    secret,
    state,
)

HANDS = ("rock", "paper", "scissors")
HIDDEN = "?"
ROUNDS = Option("rounds", 3, "How many rounds", low=1, high=99)


def is_out(state: Round, seat: Seat | None, show: Show) -> bool:
    """Whether a seat may know what was shown: its own, and all when the round is over."""
    return seat == show.seat or not state.chosen[show.seat]


@dataclass(frozen=True, slots=True)
class Show:
    """What a seat shows."""

    seat: Seat
    hand: str = secret(to=is_out, back=HIDDEN)

    def __str__(self) -> str:
        return self.hand


@event
class Revealed(Event):
    """All hands are in."""

    hands: tuple[str, ...]


@event
class RoundWon(Event):
    """A hand beat all others."""

    seat: Seat


@state
class Round(State):
    """The choices of this round, the points so far, and how many rounds are still to come."""

    chosen: list[str | None] = secret(to=OWNER, back=HIDDEN, choices=HANDS)
    points: list[int]
    rounds: int


class RockPaperScissors(SecretGame[Round, Show]):
    """A hand that beats every other scores a point; most points win."""

    name = "rps"
    title = "Rock, paper, scissors"
    seats = range(2, 5)
    options = (ROUNDS,)

    def setup(self, options: Options, seats: int, rng: Streams) -> Round:
        return Round([None] * seats, [0] * seats, ROUNDS.of(options))

    def to_act(self, state: Round) -> Sequence[Seat]:
        if not state.rounds:
            return ()
        return [seat for seat, hand in enumerate(state.chosen) if hand is None]

    def legal_actions(self, state: Round, seat: Seat) -> Sequence[Show]:
        return [Show(seat, hand) for hand in HANDS]

    def apply(self, state: Round, action: Show, table: Table) -> None:
        state.chosen[action.seat] = action.hand
        hands = tuple(hand for hand in state.chosen if hand is not None)
        if len(hands) < len(state.chosen):
            return
        table.emit(Revealed(hands))
        winner = winning_seat(hands)
        if winner is not None:
            state.points[winner] += 1
            table.emit(RoundWon(winner))
        state.rounds -= 1
        state.chosen = [None] * len(hands)

    def outcome(self, state: Round) -> Outcome | None:
        return None if state.rounds else Outcome.by_score(state.points, "all rounds played")


def winning_seat(hands: Sequence[str]) -> Seat | None:
    """Who beats all others; None when nobody does."""
    for seat, hand in enumerate(hands):
        beaten = HANDS[HANDS.index(hand) - 1]
        if all(other == beaten for at, other in enumerate(hands) if at != seat):
            return seat
    return None


GAME = RockPaperScissors()
