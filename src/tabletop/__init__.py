"""A framework for turn-based card and board games whose rules are written in plain Python.

The rules are a `Game`, one run of the rules is a `Match`, and a `Plugin` bundles the rules with
their text, picture and bots. This module exports the names that most authors need. Each package in
`tabletop`, such as `tabletop.display`, is a further public module.
"""

from typing import TYPE_CHECKING

from tabletop.host.extras import lazy_attributes

__all__ = [
    "ALL",
    "EVERYBODY",
    "NOBODY",
    "OWNER",
    "ActionPlayed",
    "ActionsUndone",
    "Argument",
    "BlindPlayer",
    "Choice",
    "Command",
    "CommandError",
    "Commands",
    "Conceded",
    "ContractError",
    "EndOfInput",
    "Event",
    "Game",
    "IllegalAction",
    "Integer",
    "Known",
    "Match",
    "MatchEnded",
    "Observers",
    "Option",
    "OptionError",
    "Options",
    "Ordinal",
    "Outcome",
    "Player",
    "Plugin",
    "Random",
    "RecordError",
    "RegistryError",
    "Sampler",
    "Scripted",
    "Seat",
    "SecretGame",
    "Seed",
    "SeedError",
    "Selections",
    "Several",
    "Spelled",
    "State",
    "Stream",
    "Streams",
    "Table",
    "TabletopError",
    "Text",
    "Watcher",
    "Word",
    "draw_match",
    "event",
    "secret",
    "state",
]


def _find_other(name: str) -> object:
    """Return the version or a module, or name the public module that exports a missing name.

    Raises:
        ImportError: Another public module exports the name. `from tabletop import ...` hides the
            messages of all other exceptions.
        AttributeError: No public module exports the name.
    """
    if name == "__version__":
        from importlib.metadata import version  # slow to import

        return version("tabletop-rules")
    from importlib import import_module
    from importlib.util import find_spec
    from pathlib import Path

    if not name.startswith("_"):
        if find_spec(f"{__name__}.{name}") is not None:
            return import_module(f"{__name__}.{name}")
        # These are rarely needed.
        from tabletop.host.public_modules import public_modules_of
        from tabletop.wording import join_words

        if modules := public_modules_of(name, Path(__path__[0]), __name__):
            listed = join_words(modules, "and")
            raise ImportError(f"{name} is in {listed}: from {modules[0]} import {name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}", name=name)


if TYPE_CHECKING:
    __version__: str
    from tabletop.errors import (
        CommandError,
        ContractError,
        EndOfInput,
        IllegalAction,
        OptionError,
        RecordError,
        RegistryError,
        SeedError,
        TabletopError,
    )
    from tabletop.match.match import Match
    from tabletop.match.players import BlindPlayer, Player, Random, Sampler, Scripted
    from tabletop.registry import Plugin, draw_match
    from tabletop.rng.seeds import Seed
    from tabletop.rng.stream import Stream
    from tabletop.rng.streams import Streams
    from tabletop.rules.commands import (
        Argument,
        Choice,
        Command,
        Commands,
        Integer,
        Ordinal,
        Several,
        Spelled,
        Text,
        Word,
    )
    from tabletop.rules.events import (
        ALL,
        ActionPlayed,
        ActionsUndone,
        Conceded,
        Event,
        MatchEnded,
        Observers,
        Watcher,
        event,
    )
    from tabletop.rules.game import Game, Table
    from tabletop.rules.options import Option, Options
    from tabletop.rules.outcome import Outcome
    from tabletop.rules.secrets import Known, SecretGame
    from tabletop.rules.selections import Selections
    from tabletop.states.bounds import Seat
    from tabletop.states.states import State, state
    from tabletop.states.visibility import EVERYBODY, NOBODY, OWNER, secret
else:
    __getattr__, __dir__ = lazy_attributes(__name__, other=_find_other)
