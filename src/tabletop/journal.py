"""Writing the record of a match as it goes.

Every line is handed to the operating system before its move is shown: a killed program loses
nothing that anybody was told.
"""

from __future__ import annotations

import os
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tabletop.codec import to_json
from tabletop.errors import RecordError
from tabletop.game import Seat
from tabletop.match import Match
from tabletop.record import FORMAT, FORMAT_VERSION, Header, Record, remake, sealed

if TYPE_CHECKING:
    from types import TracebackType
    from typing import Self


class Journal:
    """Writes a match down as it goes; a `Recorder`.

    Make one with `create` or `resume`; close it, or use it in a `with` statement.
    """

    def __init__(self, path: Path, descriptor: int, size: int) -> None:
        self.path = path
        self._descriptor = descriptor
        self._size = size

    @classmethod
    def create(cls, path: str | Path, match: Match[Any, Any], header: Header | None = None) -> Self:
        """Begin a record of `match` in a new file, and have the match tell it every action.

        Raises:
            RecordError: the file exists already or cannot be written.
        """
        path = Path(path)
        header = header or Header.of(match)
        sign = {"format": FORMAT, "format_version": FORMAT_VERSION}
        try:
            flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
            descriptor = os.open(path, flags, 0o666)
        except FileExistsError as error:
            raise RecordError(f"{path}: there is a file already; name a new one") from error
        except OSError as error:
            raise RecordError(f"{path}: cannot be written: {error.strerror}") from error
        journal = cls(path, descriptor, 0)
        try:
            journal._write(sealed({**sign, **asdict(header)}))
            journal._catch_up(match, header)
        except BaseException:
            journal.close()
            path.unlink()
            raise
        match.set_recorder(journal)
        return journal

    def _catch_up(self, match: Match[Any, Any], header: Header) -> None:
        """Write down what has been played already."""
        past = remake(match.game, header)
        past.set_recorder(self)
        for action in match.actions:
            past.play(action)

    @classmethod
    def resume(cls, record: Record, match: Match[Any, Any]) -> Self:
        """Go on with the record that `match` was replayed from; cuts an incomplete last line off.

        Raises:
            RecordError: the file cannot be written, or has grown since it was read.
        """
        path = Path(record.path)
        try:
            descriptor = os.open(path, os.O_RDWR | getattr(os, "O_BINARY", 0))
        except OSError as error:
            raise RecordError(f"{path}: cannot be written: {error.strerror}") from error
        journal = cls(path, descriptor, record.size + record.dropped)
        try:
            journal._check_alone()
            journal._cut_back(record.size)
        except RecordError:
            journal.close()
            raise
        match.set_recorder(journal)
        return journal

    def played(self, match: Match[Any, Any], seat: Seat, action: Any) -> None:
        """Write an action down, and the outcome if it ended the match."""
        lines: list[object] = [{"seat": seat, "do": str(action), "digest": match.digest()}]
        outcome = match.outcome if match.over else None
        if outcome is not None:
            lines.append({"end": outcome})
        self._write(*lines)

    def undone(self, match: Match[Any, Any], count: int) -> None:
        """Write down that `count` actions are taken back."""
        self._write({"undo": count, "digest": match.digest()})

    def seated(self, seat: Seat, player: str) -> None:
        """Write down that `player` decides for `seat` from now on."""
        self._write(sealed({"seat": seat, "player": player}))

    def _write(self, *lines: object) -> None:
        """Hand lines to the operating system, all of them or nothing.

        Raises:
            RecordError: it did not take them; the file is as it was.
        """
        data = b"".join(to_json(line, order=None) + b"\n" for line in lines)
        self._check_alone()
        size, rest = self._size, data
        try:
            while rest:
                rest = rest[os.write(self._descriptor, rest) :]
            self._size = size + len(data)
        except BaseException as error:
            self._cut_back(size)
            if not isinstance(error, OSError):  # a KeyboardInterrupt, for instance
                raise
            raise RecordError(f"{self.path}: cannot be written: {error.strerror}") from error

    def _check_alone(self) -> None:
        """Make sure that the file is as this journal left it.

        Raises:
            RecordError: it is not, or the journal is closed.
        """
        if self._descriptor < 0:
            raise RecordError(f"{self.path}: this record is closed")
        try:
            size = os.fstat(self._descriptor).st_size
        except OSError as error:  # a drive that is not there any more
            raise RecordError(f"{self.path}: cannot be written: {error.strerror}") from error
        if size != self._size:
            raise RecordError(f"{self.path}: another program has written to this record")

    def _cut_back(self, size: int) -> None:
        """Go on after the first `size` bytes, and drop what comes after them."""
        try:
            if os.fstat(self._descriptor).st_size > size:
                os.ftruncate(self._descriptor, size)
            os.lseek(self._descriptor, size, os.SEEK_SET)
        except OSError as error:
            raise RecordError(f"{self.path}: cannot be written: {error.strerror}") from error
        self._size = size

    def close(self) -> None:
        """Close the file; nothing can be written any more."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
