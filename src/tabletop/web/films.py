"""The films that pages lead to when a match is over. They are made in a thread of their own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

from tabletop.film import Replayed, film_of
from tabletop.match import AnyMatch
from tabletop.outcome import Seat
from tabletop.records.reading import read
from tabletop.records.stepping import Stepper
from tabletop.registry import Plugin
from tabletop.web.showing import picture_for

Film: TypeAlias = Callable[[], str]
"""Makes the page of a match that is over; it touches no table."""


def film_of_record(plugin: Plugin, path: Path, seat: Seat | None) -> str:
    """The page of a record, as a seat or spectators saw it.

    Raises:
        RecordError: it cannot be read, or does not replay.
    """
    return film_of(Stepper(read(path), plugin.game), picture_for(plugin), plugin.text, seat)


def film_of_match(plugin: Plugin, match: AnyMatch, seat: Seat | None) -> str:
    """The page of a match that is over, and of which there may be no record.

    What was taken back on the way is not in it.
    """
    return film_of(Replayed(match), picture_for(plugin), plugin.text, seat)
