"""What a front may ask of a session."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

from tabletop.outcome import Seat


@dataclass(frozen=True, slots=True)
class Act:
    """Act for a seat, in the words that a person typed: an action, or the number of a listed one.

    Attributes:
        line: the words.
        seat: whose action it is; the first of the front's seats that is to act when None.
    """

    line: str
    seat: Seat | None = None


@dataclass(frozen=True, slots=True)
class Play:
    """Act for a seat, with the action itself: what a click on a board means."""

    action: Any


@dataclass(frozen=True, slots=True)
class Undo:
    """Take back actions. At a fair table others may be asked for their consent first.

    Attributes:
        actions: how many; the last one of a person and all since when None. Where that takes the
            consent of others, it is a person of this front.
    """

    actions: int | None = None


@dataclass(frozen=True, slots=True)
class Consent:
    """Answer somebody who has asked to take back actions; see `UndoAsked`.

    Who has asked may say no as well: then nothing is asked any more.

    Attributes:
        yes: whether they may.
    """

    yes: bool


@dataclass(frozen=True, slots=True)
class Redo:
    """Play actions again that were taken back.

    Attributes:
        actions: how many; up to the next person's turn when None.
    """

    actions: int | None = None


@dataclass(frozen=True, slots=True)
class Reseat:
    """Let somebody else decide for a seat: hand it to a bot, or take it back.

    Attributes:
        seat: which one.
        player: "human" (`tabletop.records.format.HUMAN`) or the name of a bot; letter case does
            not matter.
    """

    seat: Seat
    player: str


Request: TypeAlias = Act | Play | Undo | Consent | Redo | Reseat
"""Everything that a front may ask."""
