"""A game for tests of studies: each seat bids a number, and the highest bid plus a roll wins."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tabletop import (
    ActionPlayed,
    Event,
    Game,
    Option,
    Options,
    Outcome,
    Plugin,
    Seat,
    State,
    Stream,
    Streams,
    Table,
    state,
)

START = Option("start", 0, "Head start of seat 1.", low=0, high=20)
DOUBLE = Option("double", False, "Double the head start of seat 1.")


@state
class Bids(State):
    """The total of each seat, and the number of bids so far."""

    totals: list[int]
    made: int = 0


class Bidding(Game[Bids, int]):
    """A bid counts with a d20 roll added. Equal totals win together. A total of 0 never wins."""

    name = "bids"
    seats = range(1, 5)
    options = (START, DOUBLE)

    def setup(self, options: Options, seats: int, rng: Streams) -> Bids:
        head_start = START.of(options) * (1 + DOUBLE.of(options))
        return Bids([head_start] + [0] * (seats - 1))

    def to_act(self, state: Bids) -> Sequence[Seat]:
        return [state.made] if state.made < len(state.totals) else ()

    def legal_actions(self, state: Bids, seat: Seat) -> Sequence[int]:
        return range(11)

    def apply(self, state: Bids, action: int, table: Table) -> None:
        state.totals[state.made] += action and action + table.rng["die", state.made].roll(20)
        state.made += 1

    def outcome(self, state: Bids) -> Outcome | None:
        if state.made < len(state.totals):
            return None
        if not any(state.totals):
            return Outcome.draw(len(state.totals))
        return Outcome.by_score(state.totals)


class Bidder:
    """Always bids the same number."""

    def __init__(self, chance: Stream, *, bid: int = 3, nothing: float = 0.5) -> None:
        self._bid = bid

    def choose(self, view: Any, actions: Sequence[int]) -> int:
        return self._bid


def bids(events: Sequence[Event]) -> tuple[int, ...]:
    """Return the bid of each seat."""
    return tuple(event.action for event in events if isinstance(event, ActionPlayed))


def highest(events: Sequence[Event]) -> int | None:
    """Return the highest bid, or None if all bids are 0."""
    return max(bids(events)) or None


def told(events: Sequence[Event]) -> str:
    """Return the bids as text."""
    return " ".join(map(str, bids(events)))


GAME = Bidding()
PLUGIN = Plugin(
    GAME,
    bots={"bidder": Bidder, "meek": lambda chance: Bidder(chance, bid=0)},
    metrics={"bids": bids, "highest": highest, "told": told},
    weights={"bidder": {"bid": (0, 10), "nothing": (0.0, 1.0)}},
)
