"""Layouts: which tile produces what (Constructor §3.5.5, §3.8).

A layout is written as two numbers a tile, in the order of the tiles: the resource, 0 for BRICK to 5
for PARK, and the value.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from importlib.resources import files
from typing import Final, TypeVar

from constructor.rules.board import STANDARD, Board
from constructor.rules.state import GEESE_ROLL, Resource, Tile
from tabletop import Stream
from tabletop.host import TextFileError
from tabletop.wording import quote

T = TypeVar("T")

LOWEST_VALUE: Final = 2
HIGHEST_VALUE: Final = 12
PARK_VALUE: Final = 7
"""The number behind a PARK in a file; it means nothing there."""

MOST_DIGITS: Final = 9

RANDOM_KINDS: Final = (
    (Resource.WIFI,) * 3
    + (Resource.HEAT,) * 3
    + (Resource.BRICK,) * 4
    + (Resource.ENERGY,) * 4
    + (Resource.GLASS,) * 4
)
"""The tiles of a random board beside its PARK (Constructor §3.5.5)."""

RANDOM_VALUES: Final = (2, *(3, 4, 5, 6) * 2, *(8, 9, 10, 11) * 2, 12)
"""The values of a random board (Constructor §3.5.5)."""


@cache
def default_layout() -> str:
    """Return the course's default layout, which comes with the package."""
    return files("constructor").joinpath("data", "layout.txt").read_text("utf-8")


def parse_layout(text: str, board: Board = STANDARD) -> tuple[Tile, ...]:
    """Read the tiles of `text`; any white space between the numbers will do.

    Raises:
        TextFileError: it describes no layout of `board`; names the line and the fault.
    """
    words = [
        (number, word) for number, line in enumerate(text.split("\n"), 1) for word in line.split()
    ]
    return read_tiles(words, board)


def read_tiles(words: Sequence[tuple[int, str]], board: Board, first: int = 1) -> tuple[Tile, ...]:
    """Read tiles from words with their line numbers; the first should stand on `first`.

    Raises:
        TextFileError: they describe no layout of `board`.
    """
    numbers = [whole_number(word, line) for line, word in words]
    tiles = []
    for place in range(0, len(numbers) - 1, 2):
        tile, (line, _) = place // 2, words[place]
        if tile < len(board.tiles):
            tiles.append(_tile(tile, numbers[place], numbers[place + 1], line))
    if len(numbers) != 2 * len(board.tiles):
        line = words[min(len(words) - 1, 2 * len(board.tiles))][0] if words else first
        what = f"{len(numbers)} numbers, but {len(board.tiles)} tiles need two each"
        raise TextFileError(f"{what}: {2 * len(board.tiles)}", line=line)
    return tuple(tiles)


def _tile(tile: int, kind: int, value: int, line: int) -> Tile:
    if kind > Resource.PARK:
        message = f"tile {tile}: resource {kind} is not from 0 (BRICK) to 5 (PARK)"
        raise TextFileError(message, line=line)
    if not LOWEST_VALUE <= value <= HIGHEST_VALUE and kind != Resource.PARK:
        message = f"tile {tile}: value {value} is not from {LOWEST_VALUE} to {HIGHEST_VALUE}"
        raise TextFileError(message, line=line)
    return Tile(Resource(kind), value)


def whole_number(word: str, line: int, what: str = "") -> int:
    """Read `word` as a whole number of at least 0. The message of an error begins with `what`.

    Raises:
        TextFileError: The word is not a whole number, is negative, or has more than `MOST_DIGITS`
            digits.
    """
    if word[:1] == "-" and word[1:].isascii() and word[1:].isdecimal():
        raise TextFileError(f"{what}{quote(word)} is less than 0", line=line)
    if not (word.isascii() and word.isdecimal()):
        raise TextFileError(f"{what}{quote(word)} is not a whole number", line=line)
    digits = word.lstrip("0") or "0"
    if len(digits) > MOST_DIGITS:
        why = f"is too large: no number here has more than {MOST_DIGITS} digits"
        raise TextFileError(f"{what}{quote(word)} {why}", line=line)
    return int(digits)


def spell_layout(tiles: Iterable[Tile]) -> str:
    """Return the layout as it is written in files, without a newline."""
    return " ".join(f"{int(tile.kind)} {tile.value}" for tile in tiles)


def random_layout(board: Board, chance: Stream) -> tuple[Tile, ...]:
    """Make a random layout: for the standard board the document's tiles and values.

    Other boards get as much of each as fits, in the same proportions as nearly as can be, and one
    PARK.
    """
    wanted = len(board.tiles) - 1
    kinds = _spread(RANDOM_KINDS, wanted)
    values = _spread(RANDOM_VALUES, wanted)
    # The order of these draws must stay: every seed stands for the board that they make.
    chance.shuffle(values)
    tiles = [Tile(kind, value) for kind, value in zip(kinds, values, strict=True)]
    tiles.append(Tile(Resource.PARK, PARK_VALUE))
    chance.shuffle(tiles)
    return tuple(tiles)


def _spread(items: Sequence[T], count: int) -> list[T]:
    """`count` of `items`, evenly spread over them, again from the start where they do not last."""
    laps, rest = divmod(count, len(items))
    return [*list(items) * laps, *(items[place * len(items) // rest] for place in range(rest))]


def pips(tile: Tile) -> int:
    """Count those of the 36 throws of two dice that `tile` produces on, 0 to 5."""
    if tile.kind is Resource.PARK or tile.value == GEESE_ROLL:
        return 0
    return 6 - abs(GEESE_ROLL - tile.value)
