"""Saved games in the document's format (Constructor §3.7).

    <builder whose turn it is>
    <brick> <energy> <glass> <heat> <wifi> r <roads> h <residences>
    <layout>
    <the tile with the geese>

The second line is repeated for each builder. If the geese are not on the board, the last line is
missing (or contains -1, in old saves). Dice are not saved, so a resumed game continues with loaded
dice at the beginning of the turn. A game of a variant has an additional line with the name of the
variant and the changes of each tile.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import zip_longest
from typing import Final

from constructor.rules.board import Board
from constructor.rules.layouts import format_layout, on_line, read_tiles, whole_number
from constructor.rules.production import VARIANTS, Variant, can_become
from constructor.rules.state import (
    COLOURS,
    KINDS,
    LEVEL_LETTERS,
    NOBODY,
    NOWHERE,
    WINNING_POINTS,
    ConstructorState,
    Phase,
    Resource,
    Tile,
    empty_state,
)
from tabletop import Seat
from tabletop.host import TextFileError
from tabletop.wording import join_words, quote

VARIANT_WORD: Final = "variant"
CHANGING: Final = tuple(name for name, variant in VARIANTS.items() if variant != Variant())
"""Variants in which tiles change. Only their saves contain a line for the variant."""

MOST_OWNED: Final = 99_999
"""The largest number of cards of one kind in a save.

The number is limited because the geese take half of a hand card by card, which would take too long
with larger numbers.
"""

BUILDER_FORM: Final = "<brick> <energy> <glass> <heat> <wifi> r <roads> h <residences>"


def write_save(state: ConstructorState) -> str:
    """Return the text of a saved game, with a newline at the end."""
    lines = [str(state.turn)]
    lines += [_builder(state, seat) for seat in range(state.seats)]
    lines.append(format_layout(state.tiles))
    if state.geese != NOWHERE:
        lines.append(str(state.geese))
    if state.variant in CHANGING:
        lines.append(" ".join([VARIANT_WORD, state.variant, *map(_format_change, state.tiles)]))
    return "\n".join(lines) + "\n"


def _builder(state: ConstructorState, seat: Seat) -> str:
    words = [*map(str, state.hand(seat)), "r", *map(str, state.roads_of(seat)), "h"]
    for vertex in state.homes_of(seat):
        words += [str(vertex), LEVEL_LETTERS[state.levels[vertex] - 1]]
    return " ".join(words)


def _format_change(tile: Tile) -> str:
    """Return the second kind and the stock of a tile as text, such as `-:-` or `WIFI:12`."""
    also = "-" if tile.also is None else tile.also.name
    return f"{also}:{'-' if tile.left is None else tile.left}"


def parse_save(text: str, board: Board, *, seats: int = len(COLOURS)) -> ConstructorState:
    """Parse a saved game, without checking whether play can lead to its position.

    Blank lines are skipped. The first line may contain the number of the builder whose turn it is,
    the colour, or the first letter of the colour.

    Raises:
        TextFileError: The text is not a saved game on `board`. The error names the line.
    """
    lines = [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
    fewest = seats + 2
    if len(lines) < fewest:
        missing = f"it has {len(lines)} of the {fewest} lines that a save needs"
        last = lines[-1][0] if lines else 1
        raise TextFileError(f"this is not a saved game: {missing}", line=last)
    with on_line(lines[0][0]):
        turn = _read_turn(lines[0][1].strip(), seats)
    number, layout = lines[seats + 1]
    tiles = read_tiles([(number, word) for word in layout.split()], board, number)
    state = empty_state(board, tiles, seats)
    state.turn, state.geese = turn, NOWHERE
    for seat, (number, line) in enumerate(lines[1 : seats + 1]):
        with on_line(number):
            _read_builder(state, seat, line.split())
    _read_rest(state, lines[fewest:])
    if max(map(state.points, range(seats))) >= WINNING_POINTS:
        state.phase = Phase.OVER
    return state


def _read_turn(word: str, seats: int) -> Seat:
    """Parse the seat whose turn it is: a number, a colour, or the first letter of a colour."""
    colours = [colour.casefold() for colour in COLOURS[:seats]]
    spellings = {str(seat): seat for seat in range(seats)}
    spellings |= {colour: seat for seat, colour in enumerate(colours)}
    spellings |= {colour[0]: seat for seat, colour in enumerate(colours)}
    seat = spellings.get(word.casefold())
    if seat is None:
        numbers = f"a number from 0 to {seats - 1}"
        raise ValueError(f"the current builder must be {numbers} or a colour, not {quote(word)}")
    return seat


def _read_builder(state: ConstructorState, seat: Seat, words: list[str]) -> None:
    if [word for word in words if word in ("r", "h")][:1] != ["r"]:
        raise ValueError(f"`r` is missing before the roads (a builder is {BUILDER_FORM})")
    roads = words.index("r")
    if roads != KINDS:
        message = f"{roads} numbers of resources, not {KINDS} (a builder is {BUILDER_FORM})"
        raise ValueError(message)
    after = words[roads + 1 :]
    ends = (place for place, word in enumerate(after) if word[-1].upper() in LEVEL_LETTERS)
    homes = next(ends, len(after))
    if after[homes : homes + 1] != ["h"]:
        raise ValueError(f"`h` is missing before the residences (a builder is {BUILDER_FORM})")
    base = seat * KINDS
    for kind, word in enumerate(words[:KINDS]):
        state.cards[base + kind] = _number_up_to(MOST_OWNED, word, Resource(kind).name)
    for word in after[:homes]:
        edge = _free_place(word, state.roads, "road", "edges")
        state.roads[edge] = seat
        state.built.append(edge)
    _read_homes(state, seat, after[homes + 1 :])


def _number_up_to(most: int, word: str, name: str) -> int:
    number = whole_number(word, f"{name}: ")
    if number > most:
        raise ValueError(f"{name} must be from 0 to {most}, not {number}")
    return number


def _read_homes(state: ConstructorState, seat: Seat, words: list[str]) -> None:
    letters = join_words(LEVEL_LETTERS, "or")
    for word, letter in zip_longest(words[::2], words[1::2]):
        if word[-1].upper() in LEVEL_LETTERS and word[:-1].isdecimal():
            blank = f"a blank is missing before {quote(word[-1])}"
            raise ValueError(f"residence {quote(word)}: {blank}")
        vertex = _free_place(word, state.homes, "residence", "vertices")
        if letter is None:
            raise ValueError(f"residence {vertex}: {letters} is missing after it")
        if len(letter) != 1 or letter.upper() not in LEVEL_LETTERS:
            raise ValueError(f"residence {vertex}: {quote(letter)} is not {letters}")
        state.homes[vertex] = seat
        state.levels[vertex] = LEVEL_LETTERS.index(letter.upper()) + 1
        state.settled.append(vertex)


def _free_place(word: str, owners: Sequence[Seat], building: str, places: str) -> int:
    """Parse the place of a road or a residence and check that it exists and is free."""
    place = whole_number(word, f"{building} ")
    if place >= len(owners):
        raise ValueError(f"{building} {place}: {places} are 0 to {len(owners) - 1}")
    if owners[place] != NOBODY:
        raise ValueError(f"{building} {place}: this place already has a {building}")
    return place


def _read_rest(state: ConstructorState, rest: list[tuple[int, str]]) -> None:
    """Parse the optional lines after the layout: the geese and the variant."""
    if rest and rest[0][1].split()[0] != VARIANT_WORD:
        number, line = rest.pop(0)
        if line.strip() != "-1":  # old saves contain -1 if there are no geese
            with on_line(number):
                most = len(state.tiles) - 1
                state.geese = _number_up_to(most, line.strip(), "the tile with the geese")
    if rest and rest[0][1].split()[0] == VARIANT_WORD:
        number, line = rest.pop(0)
        with on_line(number):
            _read_variant(state, line.split())
    for number, line in rest[:1]:
        message = f"unexpected line {quote(line.strip())} after the end of the save"
        raise TextFileError(message, line=number)


def _read_variant(state: ConstructorState, words: list[str]) -> None:
    if len(words) != 2 + len(state.tiles) or words[1] not in CHANGING:
        names = ", ".join(CHANGING)
        raise ValueError(f"a variant is one of {names}, followed by a change for each tile")
    variant, tiles = words[1], []
    for place, (before, word) in enumerate(zip(state.tiles, words[2:], strict=True)):
        tiles.append(_read_change(before, word))
        if not can_become(before, tiles[-1], VARIANTS[variant]):
            change = f"{before.kind.name} cannot become {word}"
            raise ValueError(f"tile {place}: {change} in the {variant} game")
    state.variant, state.tiles = variant, tuple(tiles)


def _read_change(tile: Tile, word: str) -> Tile:
    also, colon, left = word.partition(":")
    kinds = {kind.name: kind for kind in Resource if kind is not Resource.PARK}
    if not colon or (also != "-" and also not in kinds):
        raise ValueError(f"{quote(word)} is not a change of a tile, such as WIFI:12")
    return replace(tile, also=kinds.get(also), left=None if left == "-" else whole_number(left))
