"""Write the rules of a turn-based game once, as plain Python; everything else is there.

The rules are a `Game`; one playing of it is a `Match`. What is listed here is what the rules of a
game and the programs around it need most; the rest is in the modules.
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
from tabletop.match import Match
from tabletop.match.players import BlindPlayer, Player, Random, Sampler, Scripted
from tabletop.rng import Stream, Streams
from tabletop.rng.seeds import Seed
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
from tabletop.rules.outcome import Outcome, Seat
from tabletop.rules.secrets import Known, SecretGame
from tabletop.states.states import State, state
from tabletop.states.visibility import EVERYBODY, NOBODY, OWNER, secret

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
    "event",
    "secret",
    "state",
]
