"""A game in which only players with a guard can stop what the player to move takes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from tabletop import OWNER, Options, Outcome, Seat, SecretGame, State, Streams, Table, secret, state
from tabletop.states import PER_SEAT, OneOf, Range

TAKES = 2  # in a turn
HANDS = ("nothing", "guard")


@dataclass(frozen=True)
class Act:
    """Take a coin, or answer `pass` or `stop`."""

    seat: Seat
    word: str = secret(to=OWNER, back="?")

    def __str__(self) -> str:
        return self.word


@state
class Bank(State):
    """The hand and the coins of each seat, and the answers to what is taken."""

    hands: Annotated[list[Annotated[str, OneOf(HANDS)]], PER_SEAT] = secret(
        to=OWNER, back="?", choices=HANDS
    )
    coins: Annotated[list[Annotated[int, Range(0, 9)]], PER_SEAT]
    waiting: Annotated[list[bool], PER_SEAT]
    stopped: bool = False
    taken: Annotated[int, Range(0, TAKES)] = 0
    turns: Annotated[int, Range(0, 9)] = 0


class Guards(SecretGame[Bank, Act]):
    """Each player takes twice in a turn, unless the guard of the second player stops it."""

    name = "guards"
    seats = range(3, 4)

    def setup(self, options: Options, seats: int, rng: Streams) -> Bank:
        return Bank([HANDS[seat == 1] for seat in range(seats)], [0] * seats, [False] * seats)

    def to_act(self, state: Bank) -> Sequence[Seat]:
        if any(state.waiting):
            return [seat for seat, waits in enumerate(state.waiting) if waits]
        return () if state.turns == 6 else (state.turns % len(state.coins),)

    def legal_actions(self, state: Bank, seat: Seat) -> Sequence[Act]:
        if not any(state.waiting):
            return [Act(seat, "take")]
        return [Act(seat, word) for word in ("pass", "stop")[: 1 + (state.hands[seat] == "guard")]]

    def passing(self, state: Bank, seat: Seat) -> Act | None:
        return Act(seat, "pass") if any(state.waiting) else None

    def apply(self, state: Bank, action: Act, table: Table) -> None:
        turn = state.turns % len(state.coins)
        if action.word == "take":
            state.waiting = [seat != turn for seat in range(len(state.coins))]
            return
        state.waiting[action.seat] = False
        state.stopped |= action.word == "stop"
        if not any(state.waiting):
            state.coins[turn] += not state.stopped
            state.stopped = False
            state.taken += 1
            if state.taken == TAKES:
                state.taken, state.turns = 0, state.turns + 1

    def outcome(self, state: Bank) -> Outcome | None:
        return None if self.to_act(state) else Outcome.by_score(state.coins)


GAME = Guards()
