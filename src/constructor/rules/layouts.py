"""Layouts, which assign a resource and a value to each tile (Constructor §3.5.5, §3.8).

The text of a layout contains two numbers for each tile, in the order of the tiles: the resource,
from 0 for BRICK to 5 for PARK, and the value.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Final, TypeVar

from constructor.rules.board import STANDARD, Board
from constructor.rules.state import GEESE_ROLL, Resource, Tile
from tabletop import Stream
from tabletop.host import TextFileError
from tabletop.wording import quote

T = TypeVar("T")

LOWEST_VALUE: Final = 2
HIGHEST_VALUE: Final = 12
PARK_VALUE: Final = 7  # of a PARK in random layouts, without an effect on the game

MOST_DIGITS: Final = 9

RANDOM_KINDS: Final = (
    (Resource.WIFI,) * 3
    + (Resource.HEAT,) * 3
    + (Resource.BRICK,) * 4
    + (Resource.ENERGY,) * 4
    + (Resource.GLASS,) * 4
)
"""The resources of a random board, except the PARK (Constructor §3.5.5)."""

RANDOM_VALUES: Final = (2, *(3, 4, 5, 6) * 2, *(8, 9, 10, 11) * 2, 12)  # of a board (§3.5.5)


@cache
def default_layout() -> str:
    """Return the default layout of the course, which is part of the package."""
    return (Path(__file__).parents[1] / "data" / "layout.txt").read_text("utf-8")


def parse_layout(text: str, board: Board = STANDARD) -> tuple[Tile, ...]:
    """Parse a layout, whose numbers are separated by any white space.

    Raises:
        TextFileError: The text is not a layout of `board`. The error names the line.
    """
    words = [
        (number, word) for number, line in enumerate(text.split("\n"), 1) for word in line.split()
    ]
    return read_tiles(words, board)


def read_tiles(words: Sequence[tuple[int, str]], board: Board, first: int = 1) -> tuple[Tile, ...]:
    """Parse a layout from its words.

    Args:
        words: Pairs of a line number and a word.
        first: The line number for the error message if there are no words.

    Raises:
        TextFileError: The words are not a layout of `board`.
    """
    numbers = []
    for line, word in words:
        with on_line(line):
            numbers.append(whole_number(word))
    tiles = []
    for tile, place in enumerate(range(0, len(numbers) - 1, 2)):
        if tile < len(board.tiles):
            with on_line(words[place][0]):
                tiles.append(_tile(tile, numbers[place], numbers[place + 1]))
    if len(numbers) != 2 * len(board.tiles):
        line = words[min(len(words) - 1, 2 * len(board.tiles))][0] if words else first
        problem = f"{len(numbers)} numbers, but {len(board.tiles)} tiles need two each"
        raise TextFileError(f"{problem}: {2 * len(board.tiles)}", line=line)
    return tuple(tiles)


@contextmanager
def on_line(number: int) -> Iterator[None]:
    """Add the number of a line to the error that is raised for a part of the line."""
    try:
        yield
    except ValueError as error:
        raise TextFileError(str(error), line=number) from None


def _tile(tile: int, kind: int, value: int) -> Tile:
    if kind > Resource.PARK:
        raise ValueError(
            f"tile {tile}: the resource must be from 0 (BRICK) to 5 (PARK), not {kind}"
        )
    if not LOWEST_VALUE <= value <= HIGHEST_VALUE and kind != Resource.PARK:
        values = f"{LOWEST_VALUE} to {HIGHEST_VALUE}"
        raise ValueError(f"tile {tile}: the value must be from {values}, not {value}")
    return Tile(Resource(kind), value)


def whole_number(word: str, prefix: str = "") -> int:
    """Parse an integer that is at least 0. Error messages begin with `prefix`.

    Raises:
        ValueError: The word is not an integer, is negative, or has more than `MOST_DIGITS` digits.
    """
    if word[:1] == "-" and word[1:].isascii() and word[1:].isdecimal():
        raise ValueError(f"{prefix}{quote(word)} is less than 0")
    if not (word.isascii() and word.isdecimal()):
        raise ValueError(f"{prefix}{quote(word)} is not a whole number")
    digits = word.lstrip("0") or "0"
    if len(digits) > MOST_DIGITS:
        problem = f"is too large: numbers have at most {MOST_DIGITS} digits"
        raise ValueError(f"{prefix}{quote(word)} {problem}")
    return int(digits)


def format_layout(tiles: Iterable[Tile]) -> str:
    """Return the text of a layout, without a newline at the end."""
    return " ".join(f"{int(tile.kind)} {tile.value}" for tile in tiles)


def random_layout(board: Board, chance: Stream) -> tuple[Tile, ...]:
    """Return a random layout with one PARK.

    The standard board uses the tiles and values of the specification (Constructor §3.2). Other
    boards use the same resources and values in about the same proportions.
    """
    count = len(board.tiles) - 1
    kinds = _spread(RANDOM_KINDS, count)
    values = _spread(RANDOM_VALUES, count)
    # Do not reorder these draws, because the boards of all seeds would change.
    chance.shuffle(values)
    tiles = [Tile(kind, value) for kind, value in zip(kinds, values, strict=True)]
    tiles.append(Tile(Resource.PARK, PARK_VALUE))
    chance.shuffle(tiles)
    return tuple(tiles)


def _spread(items: Sequence[T], count: int) -> list[T]:
    """Return `count` evenly spaced items from `items`, which are repeated if they are too few."""
    laps, rest = divmod(count, len(items))
    return [*list(items) * laps, *(items[place * len(items) // rest] for place in range(rest))]


def pips(tile: Tile) -> int:
    """Return on how many of the 36 throws of two dice a tile produces, from 0 to 5."""
    if tile.kind is Resource.PARK or tile.value == GEESE_ROLL:
        return 0
    return 6 - abs(GEESE_ROLL - tile.value)
