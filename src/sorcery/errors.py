"""The errors of cards, and of actions that cannot be carried out."""

from __future__ import annotations

from tabletop import TabletopError


class CardsError(TabletopError, ValueError):
    """A card, or a set of cards, makes no sense. The message names the card and the reason."""


class BrokenOff(TabletopError):
    """An action cannot be carried out to its end. The match takes it back; nothing has changed."""


class EndlessChain(BrokenOff):
    """Triggers set each other off without end."""


class NotAWholeNumber(BrokenOff):
    """An amount of a card comes to something that is no whole number."""


class CardFailed(BrokenOff):
    """An effect from outside the game has left the table in an impossible state; names the card."""
