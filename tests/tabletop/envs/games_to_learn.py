"""Games that can be learnt: all installed ones, and the examples that list their actions."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from tabletop import Game, Options, Outcome, Plugin, Seat, State, Streams, Table, state
from tabletop.registry import installed

EXAMPLES = Path(__file__).parents[3] / "examples"
FILES = [
    str(path)
    for path in sorted(EXAMPLES.glob("*.py"))
    if "\nGAME = " in (text := path.read_text("utf-8")) and "def all_actions" in text
]
GAMES = [*installed(), *FILES]


def title(game: str) -> str:
    """Return the test id of a game."""
    return Path(game).stem


every_game = pytest.mark.parametrize(
    "game",
    [pytest.param(it, marks=pytest.mark.slow) if it.endswith("herons.py") else it for it in GAMES],
    ids=title,
)
"""All games. The observations of herons are the largest."""

VARIED = [str(EXAMPLES / f"{it}.py") for it in ("beacons", "chess", "deck_builder", "hearts")]
"""Examples of different kinds, for language models: hidden roles, a board, cards to buy, tricks."""


def example(name: str) -> str:
    """Return the path of an example."""
    return str(EXAMPLES / f"{name}.py")


@state
class Throw(State):
    """The seat to act, and the winner."""

    seat: Seat = 0
    winner: Seat | None = None


class Coin(Game[Throw, str]):
    """The first player throws, and wins with a 0. Otherwise the second player always wins."""

    name = "coin"

    def __init__(self, sides: int) -> None:
        self._sides = sides

    def setup(self, options: Options, seats: int, rng: Streams) -> Throw:
        return Throw()

    def to_act(self, state: Throw) -> Sequence[Seat]:
        return (state.seat,) if state.winner is None else ()

    def legal_actions(self, state: Throw, seat: Seat) -> Sequence[str]:
        return ("throw",)

    def all_actions(self, options: Options, seats: int) -> Sequence[str] | None:
        return ("throw",)

    def apply(self, state: Throw, action: str, table: Table) -> None:
        if state.seat or not table.rng["coin"].below(self._sides):
            state.winner = state.seat
        state.seat = 1

    def outcome(self, state: Throw) -> Outcome | None:
        return None if state.winner is None else Outcome.win(state.winner, 2)


def coin(sides: int) -> Plugin:
    """Return the game with a coin of the given number of sides."""
    return Plugin(Coin(sides), levels={})
