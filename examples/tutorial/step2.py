"""Goats: who sends one goat too many onto the bridge?"""

from __future__ import annotations

# --8<-- [start:head]
from collections.abc import Sequence
from dataclasses import field

from tabletop import (
    Game,
    Options,
    Outcome,
    Seat,
    State,
    Streams,
    Table,
    state,
)

GOATS = range(1, 7)
# --8<-- [end:head]


@state
class Bridge(State):
    """The herds, the points, and the goats on the bridge.

    A goat is its weight, 1 to 6.
    """

    herds: list[list[int]]
    points: list[int]
    load: list[int] = field(default_factory=list[int])
    seat: Seat = 0


# --8<-- [start:game]
class Goats(Game[Bridge, int]):
    """Each goat scores its weight for the player who sent it."""

    name = "goats"
    title = "Goats"
    seats = range(2, 6)

    def setup(
        self, options: Options, seats: int, rng: Streams
    ) -> Bridge:
        herds = [list(GOATS) for _ in range(seats)]
        return Bridge(herds, points=[0] * seats)

    # --8<-- [end:game]
    # --8<-- [start:moves]
    def to_act(self, state: Bridge) -> Sequence[Seat]:
        return (state.seat,) if any(state.herds) else ()

    def legal_actions(self, state: Bridge, seat: Seat) -> Sequence[int]:
        return sorted(set(state.herds[seat]))

    # --8<-- [end:moves]
    # --8<-- [start:apply]
    def apply(self, state: Bridge, action: int, table: Table) -> None:
        seat = state.seat
        state.herds[seat].remove(action)
        state.load.append(action)
        state.points[seat] += action
        state.seat = (seat + 1) % len(state.herds)

    # --8<-- [end:apply]
    # --8<-- [start:outcome]
    def outcome(self, state: Bridge) -> Outcome | None:
        if any(state.herds):
            return None
        return Outcome.by_score(state.points, "all are across")


GAME = Goats()
# --8<-- [end:outcome]
