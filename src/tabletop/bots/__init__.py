"""Opponents for every game: bots that look ahead on states their seat may take for the real one.

They know no game. A game's `Plugin` may bring `evaluate`, `policy` and `belief`, and these decide
how strong they are. All they know of a match is what its seat knows: they draw whole states from a
`Sampler`, which deals what is hidden anew. What a seat knows includes the options of the match, and
with them a deck that the opponent has chosen, where the game's options hold it.

A bot may be a program of its own, in any language (`external_bot`).
"""

from tabletop.bots.expectimax import Expectimax
from tabletop.bots.external import ExternalBot, ProgramFault, external_bot
from tabletop.bots.search import ISMCTS, FlatMonteCarlo
from tabletop.bots.search_bot import Belief, Budget, Evaluate, Policy, SearchBot, SearchResult

__all__ = [
    "ISMCTS",
    "Belief",
    "Budget",
    "Evaluate",
    "Expectimax",
    "ExternalBot",
    "FlatMonteCarlo",
    "Policy",
    "ProgramFault",
    "SearchBot",
    "SearchResult",
    "external_bot",
]
