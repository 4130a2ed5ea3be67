"""Choosing at the same time, and in secret: rock, paper, scissors, to three points.

Seats that choose at once act one after the other through ordinary actions. Each action says whose
it is; the state keeps the choices, `view` hides them until all are in, and `view_event` tells
the others that somebody has chosen, not what.

    tabletop play examples/simultaneous.py --bot 2
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tabletop import (
    ActionPlayed,
    Event,
    Game,
    Match,
    Options,
    Outcome,
    Random,
    Seat,
    Stream,
    Streams,
    Table,
    event,
)

SHAPES = ("rock", "paper", "scissors")
HIDDEN = "hidden"
GOAL = 3


@dataclass(frozen=True, slots=True)
class Show:
    """Choose a shape, in secret."""

    seat: Seat
    shape: str

    def __str__(self) -> str:
        return self.shape


CHOICES = tuple(tuple(Show(seat, shape) for shape in SHAPES) for seat in (0, 1))


@event
class Revealed(Event):
    """Both have chosen.

    Attributes:
        shapes: what each seat has chosen.
        winner: who gets the point; None when the shapes are equal.
    """

    shapes: tuple[str, ...]
    winner: Seat | None


@dataclass(slots=True)
class Duel:
    """The points, and what has been chosen in this round; None as long as a seat has not."""

    points: list[int]
    chosen: list[str | None]

    def clone(self) -> Duel:
        return Duel(self.points.copy(), self.chosen.copy())


class RockPaperScissors(Game[Duel, Show]):
    """First to three points."""

    name = "rock-paper-scissors"
    title = "Rock, paper, scissors"

    def setup(self, options: Options, seats: int, rng: Streams) -> Duel:
        return Duel([0, 0], [None, None])

    def to_act(self, state: Duel) -> Sequence[Seat]:
        if max(state.points) == GOAL:
            return ()
        return [seat for seat in (0, 1) if state.chosen[seat] is None]

    def legal_actions(self, state: Duel, seat: Seat) -> Sequence[Show]:
        return CHOICES[seat]

    def all_actions(self, options: Options, seats: int) -> Sequence[Show]:
        return [show for own in CHOICES for show in own]

    def apply(self, state: Duel, action: Show, table: Table) -> None:
        state.chosen[action.seat] = action.shape
        shapes = tuple(shape for shape in state.chosen if shape is not None)
        if len(shapes) < 2:
            return
        lead = (SHAPES.index(shapes[0]) - SHAPES.index(shapes[1])) % 3
        winner = (None, 0, 1)[lead]
        if winner is not None:
            state.points[winner] += 1
        state.chosen = [None, None]
        table.emit(Revealed(shapes, winner))

    def outcome(self, state: Duel) -> Outcome | None:
        if max(state.points) < GOAL:
            return None
        return Outcome.by_score(state.points, f"{GOAL} points")

    def view(self, state: Duel, seat: Seat | None) -> Duel:
        view = state.clone()
        for other in (0, 1):
            if other != seat and view.chosen[other] is not None:
                view.chosen[other] = HIDDEN
        return view

    def view_event(self, event: Event, state: Duel, seat: Seat | None) -> Event | None:
        if isinstance(event, ActionPlayed) and event.seat != seat and state.chosen[event.seat]:
            return ActionPlayed(event.ply, event.seat, None)  # that they have chosen, not what
        return event

    def redeal(self, state: Duel, seat: Seat | None, rng: Stream) -> Duel:
        other = state.clone()
        for hidden in (0, 1):
            if hidden != seat and other.chosen[hidden] is not None:
                other.chosen[hidden] = rng.choice(SHAPES)
        return other


GAME = RockPaperScissors()


def main() -> None:
    match = Match(GAME, seed="on three", players=(Random("left hand"), Random("right hand")))
    match.step()
    print(f"the first has chosen {match.state.chosen[0]}")
    print(f"the second sees      {match.view(1).chosen[0]}")
    match.observe(lambda told: print(*told.shapes, "->", told.winner), Revealed)
    match.run()
    print(match.state.points, match.outcome)


if __name__ == "__main__":
    main()
