"""The connection of a terminal to a table, which is in this process or on a server.

A connection prints what happens at the table on the console of the terminal. `TerminalClient` reads
the lines, and carries out the commands that every table has.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from tabletop.display.console_text import Topic
from tabletop.protocol.incoming import Request
from tabletop.protocol.outgoing import MessageOut
from tabletop.rules.commands import Commands
from tabletop.terminal.console import Completion


class Connection(Protocol):
    """A table at which people at a terminal play.

    Every method may raise `EndOfInput` if the terminal has to leave the table.
    """

    @property
    def commands(self) -> Commands:
        """The commands of every table that are available here."""

    @property
    def is_over(self) -> bool:
        """True if nothing more is asked at this table."""

    def loss(self, line: str) -> str:
        """Return a sentence about what is lost permanently if a line is carried out, or ""."""

    def ask(self) -> str | None:
        """Let others act, print the news, and print the next question if it is new.

        Returns:
            The prompt of the next line, or None if something has happened meanwhile, so that the
            method must be called again.
        """

    def interpret(self, line: str) -> Any:
        """Play the action in a line.

        Returns:
            None, or the command that the line means, which is not carried out: one of `commands`,
            a `ConsentIn`, or an `AskIn` for a command of the game that shows information.

        Raises:
            TabletopError, ValueError: The line is refused.
        """

    def request(self, message: Request) -> MessageOut | None:
        """Send a request to the table, and return its answer, or None without an answer.

        Raises:
            TabletopError, ValueError: The request is refused.
        """

    def save(self, name: str, content: str) -> str:
        """Save a file that the game has made, and return a text about it.

        Raises:
            TabletopError: The file cannot be saved.
        """

    def carry_out(self, command: object) -> str:
        """Carry out a command that only this kind of table has, and return a text about it.

        Raises:
            TabletopError, ValueError: The command is refused.
        """

    def complete(self, line: str) -> Sequence[Completion]:
        """Return the words that can follow a line that is being typed."""

    def topics(self) -> Sequence[Topic]:
        """Return the topics of `help`, starting with the commands that are possible now."""

    def refusal(self, line: str, error: Exception) -> str:
        """Return the text for a line that was refused with an error."""
