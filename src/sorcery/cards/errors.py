"""Errors of cards, and of actions that fail because of a card."""

from __future__ import annotations

from tabletop import TabletopError


class CardsError(TabletopError, ValueError):
    """A card or a set of cards is invalid. The message names the card and the reason."""


class ActionAborted(TabletopError):
    """An action failed before it was complete. The match undoes it."""


class EndlessChain(ActionAborted):
    """The triggers of an action set each other off endlessly."""


class CardFailed(ActionAborted):
    """An effect from outside the game left an invalid state. The message names the card."""
