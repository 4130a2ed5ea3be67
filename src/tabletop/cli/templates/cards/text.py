"""The texts of positions and events, for terminals."""

from __future__ import annotations

from typing import ClassVar

from tabletop import Event
from tabletop.display import CardText

from .picture import Drawing
from .rules import Position, TrickTaken


class Text(CardText[Position]):
    """The contents of the picture in words. `verbs` is for the log."""

    table = Drawing()
    verbs: ClassVar = {**CardText.verbs, "TrickTaken": "takes the trick"}

    def pause(self, event: Event) -> float:
        """Return the seconds for which bots wait after a trick."""
        return 1.5 * isinstance(event, TrickTaken)
