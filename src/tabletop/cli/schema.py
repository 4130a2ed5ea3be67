"""Command that prints the JSON Schema of a game, or of messages, for other languages."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Iterator
from typing import Any, Final

from tabletop.errors import ContractError
from tabletop.match.match import AnyMatch, Match
from tabletop.match.players import Random
from tabletop.protocol.schema import schema_of_messages
from tabletop.registry import load
from tabletop.rng.streams import Streams
from tabletop.rules.events import ActionPlayed, ActionsUndone, Event, MatchEnded
from tabletop.rules.game import AnyGame
from tabletop.rules.options import Option
from tabletop.states.json_schema import DIALECT, json_schema
from tabletop.states.type_hints import SchemaError
from tabletop.terminal.programs import OK

_PLIES: Final = 400
"""Actions of a random match from which the classes of actions are known."""

_TYPES: Final = {int: "integer", float: "number", str: "string", bool: "boolean"}


def add_schema_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `tabletop schema`."""
    parser.add_argument(
        "game",
        metavar="GAME",
        nargs="?",
        help="a name, module:NAME, or a path to a .py file; without one, messages",
    )


def run_schema(arguments: argparse.Namespace) -> int:
    """Print the JSON Schema of a game: of what a seat sees, of its actions, events and options.

    It describes what `tabletop.states.to_json` writes. Without a game it is that of the messages
    between a client and a table. Another program makes types of either:
    tabletop schema GAME | npx json-schema-to-typescript
    """
    game = arguments.game
    told = schema_of_messages() if game is None else schema_of_game(load(game).game)
    sys.stdout.write(json.dumps(told, indent=2) + "\n")
    return OK


def schema_of_game(game: AnyGame) -> dict[str, Any]:
    """Return the JSON Schema of a game: an object with a view, an action, an event and options.

    Actions that are no dataclasses are texts or numbers. Bounds that depend on a match are left
    out.

    Raises:
        ContractError: JSON cannot express some class; names it.
    """
    match: AnyMatch = Match(game, seed="schema")
    kinds = {
        "view": [type(match.state)],
        "action": list(dict.fromkeys(_actions(match))),
        "event": [ActionPlayed, ActionsUndone, MatchEnded, *_events(game)],
    }
    try:
        found, definitions = json_schema([it for group in kinds.values() for it in group])
    except SchemaError as error:
        raise ContractError(f"{game.name}: {error.at('a class')}") from error
    rest, properties = iter(found), dict[str, Any]()
    for name, group in kinds.items():
        each = [next(rest) for _ in group]
        properties[name] = each[0] if len(each) == 1 else {"anyOf": each}
    properties["options"] = _options(game.options)
    return {
        "$schema": DIALECT,
        "title": game.title or game.name,
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "$defs": definitions,
    }


def _actions(match: AnyMatch) -> Iterator[type[Any]]:
    """Yield the classes of actions: of all there are, or else of those in a random match."""
    listed = match.game.all_actions(match.options, match.seats)
    if listed is not None:
        yield from map(type, listed)
        return
    for seat in range(match.seats):
        match.set_player(seat, Random(Streams("schema")["player", seat]))
    while match.to_act and match.ply < _PLIES:
        for seat in match.to_act:
            yield from map(type, match.legal_actions(seat))
        match.step()


def _events(game: AnyGame) -> Iterable[type[Event]]:
    """Return the classes of events in the package, or file, of the rules."""
    place = type(game).__module__.partition(".")[0]

    def below(kind: type[Event]) -> Iterator[type[Event]]:
        for child in kind.__subclasses__():
            yield child
            yield from below(child)

    found = (it for it in below(Event) if hasattr(it, "__dataclass_fields__"))
    # A class that `@event` has made anew, with slots, comes after the one that was written.
    return {
        it.__qualname__: it for it in found if it.__module__.partition(".")[0] == place
    }.values()


def _options(options: Iterable[Option[Any]]) -> dict[str, Any]:
    properties = {}
    for it in options:
        bounds = {"minimum": it.low, "maximum": it.high, "enum": list(it.choices) or None}
        told = {name: value for name, value in bounds.items() if value is not None}
        kind: Any = _TYPES[it.type]
        properties[it.name] = {
            "type": kind if it.default is not None else [kind, "null"],
            "description": it.help,
            "default": it.default,
            **told,
        }
    return {"type": "object", "properties": properties, "additionalProperties": False}
