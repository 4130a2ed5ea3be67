"""Pages that replay finished matches."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

from tabletop.display.replay_page import MatchSteps, replay_page
from tabletop.match.match import AnyMatch
from tabletop.records.file import read
from tabletop.records.replaying import Stepper
from tabletop.registry import Plugin
from tabletop.states.bounds import Seat
from tabletop.table.presenter import picture_for

MakePage: TypeAlias = Callable[[], str]
"""A function that makes the replay page of a finished match. It runs in its own thread."""


def replay_of_record(plugin: Plugin, path: Path, seat: Seat | None) -> str:
    """Return the replay page of a record as a seat, or a spectator, saw the match."""
    return replay_page(Stepper(read(path), plugin.game), picture_for(plugin), plugin.text, seat)


def replay_of_match(plugin: Plugin, match: AnyMatch, seat: Seat | None) -> str:
    """Return the replay page of a match without a record. It leaves out undone actions."""
    return replay_page(MatchSteps(match), picture_for(plugin), plugin.text, seat)
