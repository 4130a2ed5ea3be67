"""The errors of cards, and of triggers without end."""

from __future__ import annotations

from tabletop import TabletopError


class CardsError(TabletopError, ValueError):
    """A card, or a set of cards, makes no sense. The message names the card and the reason."""


class EndlessChain(TabletopError):
    """Triggers set each other off without end. The match takes the action back."""
