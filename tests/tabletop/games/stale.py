"""A faulty game: after two actions a seat is to act that has no legal action."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from tabletop import Game, Options, Outcome, Plugin, Seat, State, Streams, Table, state
from tabletop.states import Range

ACTIONS = ("go", "stop")


@state
class Turns(State):
    """The number of actions played."""

    played: Annotated[int, Range(0, 6)] = 0


class Stale(Game[Turns, str]):
    """Two players alternate; the third action does not exist."""

    name = "stale"

    def setup(self, options: Options, seats: int, rng: Streams) -> Turns:
        return Turns()

    def to_act(self, state: Turns) -> Sequence[Seat]:
        return (state.played % 2,) if state.played < 6 else ()

    def all_actions(self, options: Options, seats: int) -> Sequence[str]:
        return ACTIONS

    def legal_actions(self, state: Turns, seat: Seat) -> Sequence[str]:
        return () if state.played == 2 else ACTIONS

    def apply(self, state: Turns, action: str, table: Table) -> None:
        state.played += 1

    def outcome(self, state: Turns) -> Outcome | None:
        return None if state.played < 6 else Outcome.draw(2)


PLUGIN = Plugin(Stale())
