"""Write the rules of a turn-based game once, as plain Python; everything else is there.

The rules are a `Game`; one playing of it is a `Match`; what comes with the rules is a `Plugin`.
This is the door that most people need. Each folder beside it is a room with a door of its own.
"""

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
from tabletop.rules.commands import Argument, Choice, Command, Commands, Integer, Text, Word
from tabletop.rules.events import (
    ALL,
    ActionPlayed,
    ActionsUndone,
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
from tabletop.states.bounds import Seat
from tabletop.states.states import State, state
from tabletop.states.visibility import EVERYBODY, NOBODY, OWNER, secret

Match._repr_svg_ = draw_match

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
