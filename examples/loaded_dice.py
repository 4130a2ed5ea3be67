"""A custom random stream: loaded dice for the first player.

In this race, the first player with 30 points wins, and a turn is one
roll of two dice. With the option `loaded`, each die of the first seat
shows the better of two rolls. The rules do not depend on it: `setup`
installs the stream once, and `apply` rolls whatever stream it receives.

    tabletop play examples/loaded_dice.py --option loaded=yes
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from tabletop import (
    Game,
    Match,
    Option,
    Options,
    Outcome,
    Plugin,
    Random,
    Seat,
    State,
    Stream,
    Streams,
    Table,
    state,
)
from tabletop.states import PER_SEAT, Range

GOAL = 30
LOADED = Option(
    "loaded", default=False, help="Load the dice of the first player."
)


class Loaded(Stream):
    """A stream that keeps the higher of two draws of another stream.

    Args:
        inner: The other stream. Its offset is the whole state of this
            stream.
    """

    def __init__(self, inner: Stream) -> None:
        self._inner = inner

    @property
    def offset(self) -> int:
        return self._inner.offset

    @offset.setter
    def offset(self, value: int) -> None:
        self._inner.offset = value

    def copy(self) -> Loaded:
        return Loaded(self._inner.copy())

    def below(self, bound: int) -> int:
        return max(self._inner.below(bound), self._inner.below(bound))


@state
class Track(State):
    """The points of each seat, and the seat to act."""

    points: Annotated[
        list[Annotated[int, Range(0, GOAL + 11)]], PER_SEAT
    ]
    seat: Seat = 0


class Race(Game[Track, str]):
    """The first player with 30 points wins."""

    name = "race"
    title = "A race with dice"
    seats = range(2, 5)
    options = (LOADED,)

    def setup(
        self, options: Options, seats: int, rng: Streams
    ) -> Track:
        if LOADED.of(options):
            rng.install(("dice", 0), Loaded(rng.at("dice", 0)))
        return Track([0] * seats)

    def to_act(self, state: Track) -> Sequence[Seat]:
        return () if max(state.points) >= GOAL else (state.seat,)

    def legal_actions(self, state: Track, seat: Seat) -> Sequence[str]:
        return ("roll",)

    def all_actions(
        self, options: Options, seats: int
    ) -> Sequence[str]:
        return ("roll",)

    def why_not(self, state: Track, action: str) -> str:
        return f"{action} is not possible; the only action is roll"

    def apply(self, state: Track, action: str, table: Table) -> None:
        seat = state.seat
        state.points[seat] += table.rng["dice", seat].roll(6, dice=2)
        state.seat = (seat + 1) % len(state.points)

    def outcome(self, state: Track) -> Outcome | None:
        if max(state.points) < GOAL:
            return None
        return Outcome.by_score(state.points, f"{GOAL} points")


GAME = Race()
PLUGIN = Plugin(
    GAME, levels={}
)  # no bot levels, as there are no decisions


def wins_of_the_first(loaded: bool, matches: int = 200) -> int:
    """Count the matches that the first seat wins."""
    wins = 0
    for number in range(matches):
        match = Match(
            GAME,
            seed=number,
            options={"loaded": loaded},
            players=[Random("either")] * 2,
        )
        outcome = match.run()
        wins += outcome is not None and outcome.winners == (0,)
    return wins


def main() -> None:
    for loaded in (False, True):
        dice = "loaded" if loaded else "fair"
        print(
            f"{dice + ' dice:':<12} the first player wins {wins_of_the_first(loaded)} of 200"
        )


if __name__ == "__main__":
    main()
