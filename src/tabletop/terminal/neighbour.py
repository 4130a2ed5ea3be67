"""What a terminal has to do with a front beside it, whose loop runs when the terminal lets it.

The terminal does not know what that is: a program brings it. See `tabletop.graphics`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from tabletop.outcome import Seat

if TYPE_CHECKING:  # programs start quickly
    from tabletop.registry import Plugin
    from tabletop.session import Session
    from tabletop.terminal.console import Console


class Neighbour(Protocol):
    """A front beside a terminal, for the same people."""

    @property
    def where(self) -> str:
        """How people get to it, in a line."""

    def catch_up(self) -> None:
        """Let it show what has happened."""

    def pause(self, seconds: float) -> None:
        """Let people look at the position there for so long, if anybody does."""

    def taken(self, seat: Seat) -> None:
        """A person has taken the keyboard: what they may see can be shown."""

    def has_taken(self, seat: Seat) -> bool:
        """Whether a person has said there that they sit down."""

    def freeze(self) -> None:
        """Show from now on what is shown now: nothing more is played."""

    def stay(self) -> None:
        """Stay open while people look how it ended."""


class Beside(Protocol):
    """Has a front join a session, beside the terminal with a console."""

    def announce(self, plugin: Plugin, console: Console) -> None:
        """Say how people get to it, before there is a session: while they are asked for names."""

    def __call__(self, session: Session, console: Console) -> Neighbour:
        """The front, which shows the session from now on."""
