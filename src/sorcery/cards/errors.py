"""The errors of cards, and of actions that cannot be carried out."""

from __future__ import annotations

from tabletop import TabletopError


class CardsError(TabletopError, ValueError):
    """A card, or a set of cards, makes no sense. The message names the card and the reason."""


class BrokenOff(TabletopError):
    """An action cannot be carried out to its end. The match takes it back."""


class EndlessChain(BrokenOff):
    """Triggers set each other off without end."""


class CardFailed(BrokenOff):
    """Somebody's own effect has done what no effect may. The message names the card."""
