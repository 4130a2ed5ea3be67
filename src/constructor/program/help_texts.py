"""Texts for people at a terminal that the document does not specify: help and suggestions."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from constructor.program.table_commands import (
    AT_TABLE,
    IMPROVE_TILE,
    NO_TO_ALL,
    USAGES,
    dice_commands,
)
from constructor.rules import actions
from constructor.rules.production import TILE_COST, VARIANTS
from constructor.rules.state import (
    COLOURS,
    RESIDENCE_COSTS,
    RESIDENCES,
    ROAD_COST,
    ConstructorState,
    Phase,
    Resource,
    Tile,
)
from constructor.text.text_view import amounts
from tabletop import Command
from tabletop.display import Topic
from tabletop.wording import nearest, plural

_RESIDENCES: Final = [
    f"{it.name}, {plural(it.points, 'point')}: {amounts(it.cost)}." for it in RESIDENCES
]
COSTS: Final[Mapping[str, str]] = {
    "build-road": f"A road: {amounts(ROAD_COST)}.",
    "build-res": f"A {_RESIDENCES[0]}",
    "improve": "\n".join(f"To a {residence}" for residence in _RESIDENCES[1:]),
    IMPROVE_TILE: f"A second kind from a tile: {amounts(TILE_COST)}.",
}
"""The costs of building (Constructor §2.4.1, §2.6), by command."""

LIKENESS: Final = 0.7  # minimum similarity, from 0 to 1, for suggesting a word


def person_help(state: ConstructorState) -> list[Topic]:
    """Return the commands with their costs for a person at a terminal, starting with this phase."""
    rich = VARIANTS[state.variant].rich
    during = [it for it in actions.BUILDING_COMMANDS.commands if it.words != IMPROVE_TILE or rich]
    topics = {
        Phase.BEGINNING: Topic("Before the roll", _rows(dice_commands(state))),
        Phase.BUILDING: Topic("After the roll", _rows(during)),
    }
    now = topics.pop(state.phase, None)
    looking = [command for command in AT_TABLE.commands if command.words != NO_TO_ALL]
    return [
        Topic("Now", _answers(state) if now is None else now.rows),
        *topics.values(),
        Topic("Other commands of this game", _rows(looking)),
    ]


def _rows(commands: Iterable[Command]) -> list[tuple[str, str]]:
    return [(USAGES.get(it.words, it.words), COSTS.get(it.words, it.help)) for it in commands]


def _answers(state: ConstructorState) -> list[tuple[str, str]]:
    """Return the answers to the question of this phase, with their meanings."""
    if state.phase is Phase.ANSWERING:
        commands = [*actions.ANSWER_COMMANDS.commands, AT_TABLE.commands[-1]]
        return [(command.words, command.help) for command in commands]
    board = state.topology
    vertices = f"A vertex for a basement, 0 to {len(board.vertices) - 1}"
    answers = {
        Phase.SETUP: ("<housing#>", f"{vertices}, with no residence on an adjacent vertex."),
        Phase.CHOOSING_ROLL: ("<roll>", "The total of your loaded dice, 2 to 12."),
        Phase.PLACING_GEESE: ("<tile#>", f"A tile for the geese, 0 to {len(board.tiles) - 1}."),
    }
    return [answers.get(state.phase, ("<colour>", "The builder to steal from."))]


def meaning(action: object, state: ConstructorState) -> str:
    """Return the cost of an action or a description of its place, or an empty text."""
    text = ""
    match action:
        case actions.Settle(vertex):
            text = _tiles_at(vertex, state)
        case actions.BuildRoad():
            text = amounts(ROAD_COST)
        case actions.BuildResidence(vertex):
            text = f"{_tiles_at(vertex, state)}; costs {amounts(RESIDENCE_COSTS[0])}"
        case actions.Improve(vertex):
            text = amounts(RESIDENCE_COSTS[state.levels[vertex]])
        case actions.ImproveTile():
            text = amounts(TILE_COST)
        case actions.PlaceGeese(tile):
            text = _kind_of(state.tiles[tile])
        case actions.Steal(seat):
            text = f"has {plural(sum(state.hand(seat)), 'resource')}"
        case actions.Decline():
            text = f"`{NO_TO_ALL}` declines all in this turn"
    return text


def _tiles_at(vertex: int, state: ConstructorState) -> str:
    return ", ".join(_kind_of(state.tiles[tile]) for tile in state.topology.vertex_tiles[vertex])


def _kind_of(tile: Tile) -> str:
    """Return a tile's kind and the roll that produces it, such as `BRICK 3`."""
    return tile.kind.name if tile.kind is Resource.PARK else f"{tile.kind.name} {tile.value}"


def suggestion(line: str, state: ConstructorState) -> str:
    """Return the command that a misspelled line probably means, or an empty text.

    For a command of another phase, the text describes when it can be typed.
    """
    if state.phase is Phase.ANSWERING and nearest(line, [NO_TO_ALL], likeness=0.7):
        return f"Did you mean `{NO_TO_ALL}`?"
    rich = VARIANTS[state.variant].rich
    always = [command.words for command in AT_TABLE.commands]
    known = [word for word in ("help", *always, *_PHASES) if word != IMPROVE_TILE or rich]
    meant = nearest(line.split(maxsplit=1)[0], known, likeness=LIKENESS)
    if meant is None:
        return ""
    phase = _PHASES.get(meant, state.phase)
    return f"Did you mean `{meant}`?" if phase is state.phase else f"`{meant}`: {_MOMENTS[phase]}."


_PHASES: Final[Mapping[str, Phase]] = {
    **{command.words: Phase.BEGINNING for command in actions.BEGINNING_COMMANDS.commands},
    **{command.words: Phase.BUILDING for command in actions.BUILDING_COMMANDS.commands},
    **{command.words: Phase.ANSWERING for command in actions.ANSWER_COMMANDS.commands},
}
"""The phase in which each command of the game can be typed."""

_MOMENTS: Final = {
    Phase.BEGINNING: "only at the beginning of a turn",
    Phase.BUILDING: "only during a turn, after the roll",
    Phase.ANSWERING: "only when a trade is offered",
}


def farewell(state: ConstructorState, file: str, options: Sequence[str] = ()) -> str:
    """Return how to resume a game that was saved in `file`.

    The document's format does not contain the dice (Constructor §3.7), so they are loaded after
    resuming, unless `options` contain `-fair`. `options` also restore the players.
    """
    if state.phase is Phase.OVER:
        return f"The game is over and saved in {file}."
    command = shlex.join(["constructor", "-load", file, *options])
    turn = f"the beginning of {COLOURS[state.turn]}'s turn"
    if state.phase is Phase.SETUP:
        return (
            f"{plural(len(state.order), 'basement')} still to be chosen. At a terminal you can"
            f" continue the setup. Otherwise the game continues without them, at {turn}.\n"
            f"To resume the game: {command}"
        )
    dice = "fair" if state.fair_only else "loaded"
    return f"The game will continue at {turn}, with {dice} dice.\nTo resume the game: {command}"
