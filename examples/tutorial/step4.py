"""Goats: who sends one goat too many onto the bridge?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field

from tabletop import (
    Event,
    Game,
    Option,
    Options,
    Outcome,
    Seat,
    State,
    Streams,
    Table,
    event,
    state,
)
from tabletop.parts.cards import deal, deck_of

GOATS = range(1, 7)
BEARS = Option("bears", 30, "Limit of the weight.", low=10, high=40)


@state
class Bridge(State):
    """The herds, the points, and the goats on the bridge.

    A goat is its weight, 1 to 6.
    """

    herds: list[list[int]]
    deck: list[int]
    points: list[int]
    bears: int
    load: list[int] = field(default_factory=list[int])
    seat: Seat = 0
    fallen: Seat | None = None


@event
class Broke(Event):
    """The bridge broke under this weight."""

    seat: Seat
    weight: int


# --8<-- [start:event]
@event
class Drawn(Event):
    """A goat has come out of the deck."""

    seat: Seat
    goat: int


# --8<-- [end:event]
class Goats(Game[Bridge, int]):
    """Goats score their weight, unless you break the bridge."""

    name = "goats"
    title = "Goats"
    seats = range(2, 6)
    options = (BEARS,)

    def setup(
        self, options: Options, seats: int, rng: Streams
    ) -> Bridge:
        # --8<-- [start:deal]
        deck = deck_of(dict.fromkeys(GOATS, 4))
        rng["deck"].shuffle(deck)
        herds = deal(deck, seats, 3)
        return Bridge(herds, deck, [0] * seats, BEARS.of(options))
        # --8<-- [end:deal]

    def to_act(self, state: Bridge) -> Sequence[Seat]:
        return (state.seat,) if state.fallen is None else ()

    def legal_actions(self, state: Bridge, seat: Seat) -> Sequence[int]:
        return sorted(set(state.herds[seat]))

    def apply(self, state: Bridge, action: int, table: Table) -> None:
        seat = state.seat
        state.herds[seat].remove(action)
        state.load.append(action)
        state.points[seat] += action
        # --8<-- [start:draw]
        if state.deck:
            drawn = state.deck.pop()
            state.herds[seat].append(drawn)
            table.emit(Drawn(seat, drawn))
        # --8<-- [end:draw]
        weight = sum(state.load)
        if weight > state.bears:
            state.points[seat] = 0
            state.fallen = seat
            table.emit(Broke(seat, weight))
        state.seat = (seat + 1) % len(state.herds)

    def outcome(self, state: Bridge) -> Outcome | None:
        if state.fallen is None:
            return None
        return Outcome.by_score(state.points, "the bridge broke")


GAME = Goats()
