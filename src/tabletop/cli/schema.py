"""The command `tabletop schema`, which prints JSON Schemas for clients in other languages."""

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
from tabletop.rules.events import ActionPlayed, ActionsUndone, Conceded, Event, MatchEnded
from tabletop.rules.game import AnyGame
from tabletop.rules.options import Option
from tabletop.rules.selections import examples
from tabletop.states.json_schema import DIALECT, json_schema
from tabletop.states.type_hints import SchemaError
from tabletop.terminal.programs import OK

_PLIES: Final = 400  # length of the random match that is played to collect the classes of actions

_TYPES: Final = {int: "integer", float: "number", str: "string", bool: "boolean"}


def add_schema_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "game",
        metavar="GAME",
        nargs="?",
        help="name of an installed game, module:NAME, or path of a .py file (default: the protocol"
        " messages)",
    )


def run_schema(arguments: argparse.Namespace) -> int:
    """Print the JSON Schema of a game: its view, actions, events and options.

    The schema describes the output of `tabletop.states.to_json`. Without GAME, it describes
    the messages between a client and a table. Use it to generate types for another language:
    tabletop schema GAME | npx json-schema-to-typescript
    """
    game = arguments.game
    schema = schema_of_messages() if game is None else schema_of_game(load(game).game)
    sys.stdout.write(json.dumps(schema, indent=2) + "\n")
    return OK


def schema_of_game(game: AnyGame) -> dict[str, Any]:
    """Return the JSON Schema of a game: an object with a view, an action, an event and options.

    Actions that are not dataclasses are strings or numbers. Bounds that depend on the match are
    omitted.

    Raises:
        ContractError: A class cannot be expressed in JSON. The message names the class.
    """
    match: AnyMatch = Match(game, seed="schema")
    kinds = {
        "view": [type(match.state)],
        "action": list(dict.fromkeys(_actions(match))),
        "event": [ActionPlayed, ActionsUndone, Conceded, MatchEnded, *_events(game)],
    }
    try:
        schemas, definitions = json_schema([kind for group in kinds.values() for kind in group])
    except SchemaError as error:
        raise ContractError(f"{game.name}: {error.at('a class')}") from error
    rest, properties = iter(schemas), dict[str, Any]()
    for name, group in kinds.items():
        choices = [next(rest) for _ in group]
        properties[name] = choices[0] if len(choices) == 1 else {"anyOf": choices}
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
    """Yield the classes of all actions or, if the game does not list them, of a random match."""
    listed = match.game.all_actions(match.options, match.seats)
    if listed is not None:
        yield from map(type, listed)
        return
    for seat in range(match.seats):
        match.set_player(seat, Random(Streams("schema")["player", seat]))
    while match.to_act and match.ply < _PLIES:
        for seat in match.to_act:
            yield from map(type, examples(match.legal_actions(seat)))
        match.step()


def _events(game: AnyGame) -> Iterable[type[Event]]:
    """Return the classes of events in the package or file of the rules."""
    package = type(game).__module__.partition(".")[0]

    def below(kind: type[Event]) -> Iterator[type[Event]]:
        for child in kind.__subclasses__():
            yield child
            yield from below(child)

    kinds = (kind for kind in below(Event) if hasattr(kind, "__dataclass_fields__"))
    # `@event` replaces each class by a copy with slots. The copy is later in the list, and wins.
    return {
        kind.__qualname__: kind for kind in kinds if kind.__module__.partition(".")[0] == package
    }.values()


def _options(options: Iterable[Option[Any]]) -> dict[str, Any]:
    properties = {}
    for option in options:
        limits = {
            "minimum": option.low,
            "maximum": option.high,
            "enum": list(option.choices) or None,
        }
        kind: Any = _TYPES[option.type]
        properties[option.name] = {
            "type": kind if option.default is not None else [kind, "null"],
            "description": option.help,
            "default": option.default,
            **{name: value for name, value in limits.items() if value is not None},
        }
    return {"type": "object", "properties": properties, "additionalProperties": False}
