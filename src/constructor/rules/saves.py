"""Saved games in the document's format (Constructor §3.7).

    <whose turn it is>
    <brick> <energy> <glass> <heat> <wifi> r <roads> h <residences>
    <layout>
    <the tile with the geese>

The second line stands once for each builder. Without geese the last line is left out; old saves may
have -1 in it. Dice are not saved: all are loaded afterwards, and it is the beginning of the turn. A
game of a variant has a line more, which says the variant and what has become of its tiles.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from constructor.rules.board import Board
from constructor.rules.layouts import read_tiles, spell_layout, whole_number
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
"""The variants in which tiles change; a game in which they do not needs no line for it."""

MOST_OWNED: Final = 99_999
"""More of a kind is no hand that anybody plays with; and the geese take half of it card by card."""

BUILDER_FORM: Final = "<brick> <energy> <glass> <heat> <wifi> r <roads> h <residences>"


def write_save(state: ConstructorState) -> str:
    """Return the text of a saved game, with a newline at its end."""
    lines = [str(state.turn)]
    lines += [_builder(state, seat) for seat in range(state.seats)]
    lines.append(spell_layout(state.tiles))
    if state.geese != NOWHERE:
        lines.append(str(state.geese))
    if state.variant in CHANGING:
        lines.append(" ".join([VARIANT_WORD, state.variant, *map(_spell_change, state.tiles)]))
    return "\n".join(lines) + "\n"


def _builder(state: ConstructorState, seat: Seat) -> str:
    words = [*map(str, state.hand(seat)), "r", *map(str, state.roads_of(seat)), "h"]
    for vertex in state.homes_of(seat):
        words += [str(vertex), LEVEL_LETTERS[state.levels[vertex] - 1]]
    return " ".join(words)


def _spell_change(tile: Tile) -> str:
    """Spell the change that a variant has made to a tile: `-:-`, `WIFI:-`, or `WIFI:12`."""
    also = "-" if tile.also is None else tile.also.name
    return f"{also}:{'-' if tile.left is None else tile.left}"


def parse_save(text: str, board: Board, *, seats: int = len(COLOURS)) -> ConstructorState:
    """Read a saved game. It does not judge whether play could have led there.

    Raises:
        TextFileError: it is no save of a game on `board`; names the line and the fault.
    """
    lines = text.split("\n")
    while lines and not lines[-1].strip():
        lines.pop()
    fewest = seats + 2
    if len(lines) < fewest:
        missing = f"it has {len(lines)} of the {fewest} lines that a save needs"
        raise TextFileError(f"this is no saved game: {missing}", line=max(len(lines), 1))
    turn = _one_number(lines[0], 1, "whose turn it is", seats - 1)
    layout = [(fewest, word) for word in lines[seats + 1].split()]
    state = empty_state(board, read_tiles(layout, board, fewest), seats)
    state.turn, state.geese = turn, NOWHERE
    for seat in range(seats):
        _read_builder(state, seat, lines[seat + 1], seat + 2)
    _read_rest(state, lines, fewest)
    if max(map(state.points, range(seats))) >= WINNING_POINTS:
        state.phase = Phase.OVER
    return state


def _one_number(line: str, number: int, what: str, most: int) -> int:
    words = line.split()
    if len(words) != 1:
        message = f"{quote(line.strip())} is not one number: {what}, 0 to {most}"
        raise TextFileError(message, line=number)
    value = whole_number(words[0], number, f"{what}: ")
    if value > most:
        raise TextFileError(f"{what}: {value} is not from 0 to {most}", line=number)
    return value


def _read_builder(state: ConstructorState, seat: Seat, line: str, number: int) -> None:
    words = line.split()
    try:
        roads = words.index("r")
        homes = words.index("h", roads)  # from there on: the two lists have a fixed order
    except ValueError:
        raise TextFileError(f"this is no builder: {BUILDER_FORM}", line=number) from None
    if roads != KINDS:
        message = f"{roads} numbers of resources, not {KINDS}; a builder is {BUILDER_FORM}"
        raise TextFileError(message, line=number)
    base = seat * KINDS
    for kind, word in enumerate(words[:KINDS]):
        name = Resource(kind).name
        amount = whole_number(word, number, f"{name}: ")
        if amount > MOST_OWNED:
            raise TextFileError(f"{name}: {amount} is not from 0 to {MOST_OWNED}", line=number)
        state.cards[base + kind] = amount
    for word in words[roads + 1 : homes]:
        edge = _free_place(word, number, state.roads, "road", "edges")
        state.roads[edge] = seat
        state.built.append(edge)
    _read_homes(state, seat, words[homes + 1 :], number)


def _read_homes(state: ConstructorState, seat: Seat, words: list[str], number: int) -> None:
    if len(words) % 2:
        letters = ", ".join(LEVEL_LETTERS)
        what = f"a vertex and one of {letters} belong together"
        raise TextFileError(f"residence {quote(words[-1])}: {what}", line=number)
    for word, letter in zip(words[::2], words[1::2], strict=True):
        vertex = _free_place(word, number, state.homes, "residence", "vertices")
        if len(letter) != 1 or letter not in LEVEL_LETTERS:
            message = (
                f"residence {vertex}: {quote(letter)} is not {join_words(LEVEL_LETTERS, 'or')}"
            )
            raise TextFileError(message, line=number)
        state.homes[vertex] = seat
        state.levels[vertex] = LEVEL_LETTERS.index(letter) + 1
        state.settled.append(vertex)


def _free_place(word: str, number: int, owners: Sequence[Seat], what: str, places: str) -> int:
    """Read the place of a road or a residence: one that is there, and that nobody has."""
    place = whole_number(word, number, f"{what} ")
    if place >= len(owners):
        message = f"{what} {place}: {places} are 0 to {len(owners) - 1}"
        raise TextFileError(message, line=number)
    if owners[place] != NOBODY:
        raise TextFileError(f"{what} {place}: there is one already", line=number)
    return place


def _read_rest(state: ConstructorState, lines: list[str], fewest: int) -> None:
    """Read the lines that may follow the layout: the geese, and the variant."""
    rest = list(enumerate(lines[fewest:], fewest + 1))
    if rest and rest[0][1].split()[:1] != [VARIANT_WORD]:
        number, line = rest.pop(0)
        # Old saves have -1 where later ones leave the line out.
        if line.split() != ["-1"]:
            most = len(state.tiles) - 1
            state.geese = _one_number(line, number, "the tile with the geese", most)
    if rest and rest[0][1].split()[:1] == [VARIANT_WORD]:
        number, line = rest.pop(0)
        _read_variant(state, line.split(), number)
    if rest:
        number, line = rest[0]
        raise TextFileError(f"{quote(line.strip())} is too much: a save ends before", line=number)


def _read_variant(state: ConstructorState, words: list[str], number: int) -> None:
    if len(words) != 2 + len(state.tiles) or words[1] not in CHANGING:
        message = f"a variant is one of {', '.join(CHANGING)}, and a change of each of the tiles"
        raise TextFileError(message, line=number)
    variant, tiles = words[1], []
    for place, (before, word) in enumerate(zip(state.tiles, words[2:], strict=True)):
        tiles.append(_read_change(before, word, number))
        if not can_become(before, tiles[-1], VARIANTS[variant]):
            what = f"tile {place}: {before.kind.name} cannot become {word} in the {variant} game"
            raise TextFileError(what, line=number)
    state.variant, state.tiles = variant, tuple(tiles)


def _read_change(tile: Tile, word: str, number: int) -> Tile:
    also, colon, left = word.partition(":")
    kinds = {kind.name: kind for kind in Resource if kind is not Resource.PARK}
    if not colon or (also != "-" and also not in kinds):
        raise TextFileError(f"{quote(word)} is no change of a tile, like WIFI:12", line=number)
    return replace(
        tile, also=kinds.get(also), left=None if left == "-" else whole_number(left, number)
    )
