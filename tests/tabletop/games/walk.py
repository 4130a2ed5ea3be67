"""A walk of twenty thousand steps, for what must not grow with the length of a match."""

from __future__ import annotations

from collections.abc import Sequence

from tabletop import Game, Options, Outcome, Plugin, Seat, State, Streams, Table, state

STEPS = 20_000
WAYS = {"left": -1, "right": 1, "wait": 0}
ACTIONS = tuple(WAYS)


@state
class Path(State):
    """How many steps were taken, and where they have led."""

    steps: int = 0
    place: int = 0


class LongWalk(Game[Path, str]):
    """Two take turns to step; the wind pushes."""

    name = "longwalk"
    title = "The long walk"

    def setup(self, options: Options, seats: int, rng: Streams) -> Path:
        return Path()

    def to_act(self, state: Path) -> Sequence[Seat]:
        return () if state.steps >= STEPS else (state.steps % 2,)

    def legal_actions(self, state: Path, seat: Seat) -> Sequence[str]:
        return ACTIONS

    def apply(self, state: Path, action: str, table: Table) -> None:
        state.steps += 1
        state.place += table.rng["wind"].between(-3, 3) + WAYS[action]

    def outcome(self, state: Path) -> Outcome | None:
        return Outcome.draw(2) if state.steps >= STEPS else None


GAME = LongWalk()
PLUGIN = Plugin(GAME)
