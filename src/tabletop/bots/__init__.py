"""Bots for every game: search bots, and bots that are external programs.

The search bots contain no knowledge of a particular game. The `Plugin` of a game may supply
`evaluate`, `policy` and `belief`, which make the bots stronger. A search bot has no more
information than its seat: it searches complete states from a `Sampler`, which redeals hidden cards
at random. The options of the match are public, including a deck that the opponent has set as an
option.

`external_bot` runs a bot written in any language.
"""

from typing import TYPE_CHECKING

from tabletop.host.extras import lazy_attributes

__all__ = [
    "ISMCTS",
    "AlphaBeta",
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

if TYPE_CHECKING:
    from tabletop.bots.alpha_beta import AlphaBeta
    from tabletop.bots.expectimax import Expectimax
    from tabletop.bots.external import ExternalBot, ProgramFault, external_bot
    from tabletop.bots.search import ISMCTS, FlatMonteCarlo
    from tabletop.bots.search_bot import Belief, Budget, Evaluate, Policy, SearchBot, SearchResult
else:
    __getattr__, __dir__ = lazy_attributes(__name__)
