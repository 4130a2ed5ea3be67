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

GOATS = range(1, 7)
# --8<-- [start:option]
BEARS = Option("bears", 30, "Limit of the weight.", low=10, high=40)
# --8<-- [end:option]


# --8<-- [start:state]
@state
class Bridge(State):
    """The herds, the points, and the goats on the bridge.

    A goat is its weight, 1 to 6.
    """

    herds: list[list[int]]
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


# --8<-- [end:state]
class Goats(Game[Bridge, int]):
    """Goats score their weight, unless you break the bridge."""

    name = "goats"
    title = "Goats"
    seats = range(2, 6)
    # --8<-- [start:options]
    options = (BEARS,)
    # --8<-- [end:options]

    def setup(
        self, options: Options, seats: int, rng: Streams
    ) -> Bridge:
        herds = [list(GOATS) for _ in range(seats)]
        # --8<-- [start:setup]
        return Bridge(herds, [0] * seats, BEARS.of(options))

    def to_act(self, state: Bridge) -> Sequence[Seat]:
        return (state.seat,) if state.fallen is None else ()

    # --8<-- [end:setup]
    def legal_actions(self, state: Bridge, seat: Seat) -> Sequence[int]:
        return sorted(set(state.herds[seat]))

    def apply(self, state: Bridge, action: int, table: Table) -> None:
        seat = state.seat
        state.herds[seat].remove(action)
        state.load.append(action)
        state.points[seat] += action
        # --8<-- [start:end]
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
# --8<-- [end:end]
