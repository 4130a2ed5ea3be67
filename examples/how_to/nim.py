"""Take one to three matches. The last match wins."""

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


@state
class Heap(State):
    """The remaining matches, and the seat to act."""

    matches: int
    seat: Seat = 0


class Nim(Game[Heap, int]):
    """An action is the number of matches to take."""

    name = "nim"

    def setup(self, options: Options, seats: int, rng: Streams) -> Heap:
        return Heap(matches=rng["heap"].between(10, 20))

    def to_act(self, state: Heap) -> list[Seat]:
        return [state.seat] if state.matches else []

    def legal_actions(self, state: Heap, seat: Seat) -> range:
        return range(1, min(3, state.matches) + 1)

    def apply(self, state: Heap, action: int, table: Table) -> None:
        state.matches -= action
        state.seat = 1 - state.seat

    def outcome(self, state: Heap) -> Outcome | None:
        return None if state.matches else Outcome.win(1 - state.seat, 2)
