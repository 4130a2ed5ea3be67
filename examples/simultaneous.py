"""Simultaneous secret choices: rock, paper, scissors to three points.

Seats that choose simultaneously act one after the other with ordinary
actions, which contain the seat. The state keeps the choices and
declares each of them a secret of its owner until all are in. The action
declares its secret, too, so other players see that a seat has chosen,
but not the choice.

    tabletop play examples/simultaneous.py --bot 2
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from tabletop import (
    OWNER,
    Event,
    Match,
    Options,
    Outcome,
    Plugin,
    Random,
    Seat,
    SecretGame,
    State,
    Streams,
    Table,
    event,
    secret,
    state,
)
from tabletop.states import PER_SEAT, OneOf, Range

SHAPES = ("rock", "paper", "scissors")
HIDDEN = "hidden"
GOAL = 3


def is_out(state: Duel, seat: Seat | None, show: Show) -> bool:
    """Check whether a seat sees a choice: its own, or a known one."""
    return seat == show.seat or state.chosen[show.seat] is None


@dataclass(frozen=True, slots=True)
class Show:
    """Choose a shape in secret."""

    seat: Seat
    shape: str = secret(to=is_out, back=HIDDEN)

    def __str__(self) -> str:
        return self.shape


CHOICES = tuple(
    tuple(Show(seat, shape) for shape in SHAPES) for seat in (0, 1)
)


@event
class Revealed(Event):
    """Both seats have chosen.

    Attributes:
        shapes: The choice of each seat.
        winner: The seat that gets the point, or None for equal shapes.
    """

    shapes: tuple[str, ...]
    winner: Seat | None


@state
class Duel(State):
    """The points, and the choice of each seat in this round or None."""

    points: Annotated[list[Annotated[int, Range(0, GOAL)]], PER_SEAT]
    chosen: Annotated[
        list[Annotated[str | None, OneOf(SHAPES)]], PER_SEAT
    ] = secret(to=OWNER, back=HIDDEN, choices=SHAPES)


class RockPaperScissors(SecretGame[Duel, Show]):
    """The first player with three points wins."""

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

    def all_actions(
        self, options: Options, seats: int
    ) -> Sequence[Show]:
        return [show for shows in CHOICES for show in shows]

    def apply(self, state: Duel, action: Show, table: Table) -> None:
        state.chosen[action.seat] = action.shape
        shapes = tuple(
            shape for shape in state.chosen if shape is not None
        )
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


GAME = RockPaperScissors()
PLUGIN = Plugin(GAME, levels={"fair": "search:200"})


def main() -> None:
    match = Match(
        GAME,
        seed="on three",
        players=(Random("left hand"), Random("right hand")),
    )
    match.step()
    print(f"the first has chosen {match.state.chosen[0]}")
    print(f"the second sees      {match.view(1).chosen[0]}")
    match.observe(
        lambda event: print(*event.shapes, "->", event.winner),
        Revealed,
    )
    match.run()
    print(match.state.points, match.outcome)


if __name__ == "__main__":
    main()
