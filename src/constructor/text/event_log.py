"""A log of events in a file, written by an observer of a match (Constructor §6).

The log has one line for each event, with the action number, the name of the event and its
fields.

    3 ActionPlayed seat=Orange action=17
    3 BasementChosen seat=Orange vertex=17

Each game begins with the data that is needed to play it again.

    game 1
    seed: "brave old world"
    options: {"fair": false, ..., "variant": "standard"}
    version: constructor 2 (tabletop-rules 0.1.0)
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import fields
from enum import Enum
from typing import Any, BinaryIO, Final

from constructor.rules.state import COLOURS, Tile
from tabletop import ActionPlayed, Event, Outcome
from tabletop.display import TextView
from tabletop.match import AnyMatch

SEATS: Final = frozenset({"seat", "to", "victim", "victims"})  # fields of events that contain seats


class EventLog:
    """An observer that writes each event to a file immediately.

    After the first error, nothing more is written, because a log with gaps would be misleading.

    Args:
        file: An unbuffered binary file.
        report: A function that is called with the error if a line cannot be written.
    """

    def __init__(self, file: BinaryIO, report: Callable[[OSError], object]) -> None:
        self._file = file
        self._report = report
        self._failed = False
        self._ply = 0

    def begin(self, number: int, match: AnyMatch) -> None:
        """Write the header of a game: its number from 1, seed, options and version."""
        from importlib.metadata import version  # slow to import, and most games are not logged

        self._ply, game = 0, match.game
        options = json.dumps(dict(match.options), ensure_ascii=False, sort_keys=True)
        self._write(f"game {number}")
        self._write(f"seed: {json.dumps(match.seed.text, ensure_ascii=False)}")
        self._write(f"options: {options}")
        package = version("tabletop-rules")
        self._write(f"version: {game.name} {game.version} (tabletop-rules {package})")

    def __call__(self, event: Event) -> None:
        """Write an event."""
        if isinstance(event, ActionPlayed):
            self._ply = event.ply
        self._write(f"{self._ply} {format_event(event)}")

    def _write(self, line: str) -> None:
        if self._failed:
            return
        try:
            self._file.write(f"{line}\n".encode(errors="backslashreplace"))
        except OSError as error:
            self._failed = True
            self._report(error)


def format_event(event: Event) -> str:
    """Return an event as one line, with its name and its fields."""
    data: Any = event  # `Event` itself is not a dataclass, but all events are
    details = [
        f"{field.name}={_format(getattr(event, field.name), is_seat=field.name in SEATS)}"
        for field in fields(data)
        if field.name != "ply"  # already at the beginning of each line
    ]
    return " ".join([type(event).__name__, *details])


def _format(value: object, *, is_seat: bool = False) -> str:
    if isinstance(value, tuple):
        return ",".join(_format(item, is_seat=is_seat) for item in value) or "-"
    if isinstance(value, Outcome):
        return repr(TextView[Any]().outcome(value, COLOURS))
    if isinstance(value, Tile):
        kinds = value.kind.name if value.also is None else f"{value.kind.name}+{value.also.name}"
        return kinds if value.left is None else f"{kinds}:{value.left}"
    if isinstance(value, Enum):
        return value.name
    if is_seat and isinstance(value, int):
        return COLOURS[value]
    return str(value)
