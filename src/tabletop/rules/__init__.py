"""The contract of a game, with commands, events, options, outcomes, secrets and turn orders.

`tabletop` exports the names that most games need. The other names are here.
"""

from tabletop.rules.action_text import complete_text, find_by_text
from tabletop.rules.concessions import Concession, ConcessionReason, LossReason
from tabletop.rules.events import Handler, ObserverFailure, Subscription
from tabletop.rules.game import AnyGame, CatalogValue, is_among
from tabletop.rules.options import OptionKind, OptionValue
from tabletop.rules.outcome import Points
from tabletop.rules.secrets import Masking, glance_of, masking_of
from tabletop.rules.turns import clockwise, from_seat, next_phase, next_seat, others, snake

__all__ = [
    "AnyGame",
    "CatalogValue",
    "Concession",
    "ConcessionReason",
    "Handler",
    "LossReason",
    "Masking",
    "ObserverFailure",
    "OptionKind",
    "OptionValue",
    "Points",
    "Subscription",
    "clockwise",
    "complete_text",
    "find_by_text",
    "from_seat",
    "glance_of",
    "is_among",
    "masking_of",
    "next_phase",
    "next_seat",
    "others",
    "snake",
]
