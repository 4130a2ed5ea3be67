"""A record at a table: where its file is lost, whoever sits there says where it goes on."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from tabletop.errors import RecordError, RecordLost
from tabletop.host.files import user_path
from tabletop.host.printable import printable
from tabletop.match import AnyMatch
from tabletop.outcome import Seat
from tabletop.storage.origins import note_origin
from tabletop.terminal.console import Console

if TYPE_CHECKING:
    from typing import Self

    from tabletop.records.journal import Journal

NONE: Final = "none"
_LEAVE: Final = ("quit", "exit")
QUESTION: Final = (
    f"Where shall it be written? (a new FILE; `{NONE}`: play on unrecorded; `{_LEAVE[0]}`: leave) "
)


class Recording:
    """Writes a match down with a journal; a `Recorder`. Use it with `with`, or close it.

    At a terminal nothing is lost with the file: the move that could not be written waits until
    somebody has said where the record goes on. Elsewhere it is taken back, and `RecordLost` raised.

    Args:
        journal: one that has been begun; it is closed at the end.
        match: what is recorded.
        console: where to ask.
        origin: where the game of a record was found that this program has begun; see
            `tabletop.storage.origins`.
    """

    def __init__(
        self,
        journal: Journal,
        match: AnyMatch,
        console: Console,
        origin: str | None = None,
    ) -> None:
        self._journal: Journal | None = journal
        self._origin = origin
        self._match = match
        self._console = console
        match.set_recorder(self)
        if not journal.locked:
            from tabletop.storage.keeping import warn

            warn(
                f"{journal.path}: files cannot be locked there: see to it that no other program"
                " resumes this match meanwhile"
            )

    @property
    def match(self) -> AnyMatch:
        """What is recorded."""
        return self._match

    @property
    def path(self) -> Path | None:
        """The path of the record; None once it is given up."""
        return None if self._journal is None else self._journal.path

    def played(self, match: AnyMatch, seat: Seat, action: Any) -> None:
        """Write an action down."""
        self._write(lambda journal: journal.played(match, seat, action))

    def undone(self, match: AnyMatch, count: int) -> None:
        """Write down that `count` actions are taken back."""
        self._write(lambda journal: journal.undone(match, count))

    def seated(self, seat: Seat, player: str) -> None:
        """Write down that `player` decides for `seat` from now on."""
        self._write(lambda journal: journal.seated(seat, player), in_match=False)

    def check(self) -> None:
        """Make sure, before somebody leaves, that there is a record to go on with.

        Raises:
            RecordLost: the record is gone, and nobody has named another file.
        """
        self._write(lambda journal: journal.check(), in_match=False)

    def copy(self, path: Path) -> None:
        """Write what is recorded so far into a new file; the record goes on where it is.

        Raises:
            RecordLost: the record is gone, and nobody has named another file.
            RecordError: there is a file already, or it cannot be written.
        """
        self.check()
        if self._journal is None:
            raise RecordError("the match is not recorded any more")
        self._journal.copy(path)

    def _write(self, write: Callable[[Journal], None], *, in_match: bool = True) -> None:
        """Write something, if need be in another file.

        Args:
            write: does it.
            in_match: whether it is a part of the match already, and so of a record written anew.
        """
        while (journal := self._journal) is not None:
            try:
                write(journal)
            except RecordLost as error:
                if not self._console.interactive or self._console.is_busy:
                    raise
                if self._ask(journal, error) and in_match:
                    return  # all of the match has been written anew
            else:
                return

    def _ask(self, journal: Journal, lost: RecordLost) -> bool:
        """Go on where a person says; whether the match was written anew there.

        Raises:
            RecordLost: they have left.
        """
        say = self._console.say
        say(printable(str(lost)))
        while True:
            try:
                line = self._console.read(QUESTION)
            except KeyboardInterrupt:
                say()
                raise lost from None
            word = "" if line is None else line.strip()
            if line is None or word in _LEAVE:
                raise lost
            if word == NONE:
                self._journal = None
                journal.close()
                say("The match goes on unrecorded; no score is kept.")
                return False
            if not word:
                continue
            try:
                anew = journal.move(user_path(word), self._match)
            except RecordError as error:
                say(printable(str(error)))
            else:
                if self._origin is not None:
                    note_origin(journal.path, self._origin)
                say(printable(f"The record goes on in {journal.path}"))
                return anew

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Write nothing more. Closing twice is no harm."""
        if self._match.recorder is self:
            self._match.set_recorder(None)
        if self._journal is not None:
            self._journal.close()
