"""What becomes of an action that cannot be carried out.

Numbers break nothing off: they stop at `sorcery.state.MOST`. Without that, cards that double each
other would make numbers that take minutes to add and cannot be written down.
"""

from __future__ import annotations

from tabletop import TabletopError


class BrokenOff(TabletopError):
    """An action cannot be carried out to its end. The match takes it back; nothing has changed."""


class EndlessChain(BrokenOff):
    """Triggers set each other off without end."""


class NoWholeNumber(BrokenOff):
    """Something that a card counts is no whole number."""


class CardFailed(BrokenOff):
    """An effect of somebody's own has done what no effect may; names the card."""
