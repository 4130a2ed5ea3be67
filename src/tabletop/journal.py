"""Writing the record of a match as it goes.

Every line is handed to the operating system before its move is shown: a killed program loses
nothing that anybody was told.

Every `CHECKPOINT_LINES` lines a checkpoint is written as well, so that going on with a long match
need not play all of it again. A line costs no more for it late in a match than early.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NoReturn

from tabletop.codec import digest, from_json, to_json
from tabletop.entries import FORMAT, FORMAT_VERSION, Header, sealed
from tabletop.errors import ContractError, RecordError
from tabletop.game import Seat
from tabletop.match import Match
from tabletop.reading import Record
from tabletop.record import remake

if TYPE_CHECKING:
    from types import TracebackType
    from typing import Self


CHECKPOINT_LINES: Final = 1000
"""How many lines a record has from one checkpoint to the next."""


class Journal:
    """Writes a match down as it goes; a `Recorder`.

    Make one with `create` or `resume`; close it, or use it in a `with` statement.

    Args:
        path: the file, for messages.
        descriptor: where to write; open for reading and writing.
        size: how many bytes are there already.
        players: who decides for each seat.
        clock: gives seconds, from any point on (`time.monotonic`, for instance). With one, the
            record tells how long the match has taken.
    """

    def __init__(
        self,
        path: Path,
        descriptor: int,
        size: int,
        players: Sequence[str],
        clock: Callable[[], float] | None = None,
    ) -> None:
        self.path = path
        self._descriptor = descriptor
        self._size = size
        self._players = list(players)
        self._clock = clock
        self._began = clock() if clock is not None else 0.0
        self._before = 0.0
        self._lines = 0  # since the last checkpoint

    @classmethod
    def create(
        cls,
        path: str | Path,
        match: Match[Any, Any],
        header: Header | None = None,
        *,
        clock: Callable[[], float] | None = None,
    ) -> Self:
        """Begin a record of `match` in a new file, and have the match tell it every action.

        Raises:
            RecordError: the file exists already or cannot be written.
            ContractError: the state of the match is no plain data; there is no file then.
        """
        path = Path(path)
        match.digest()  # before there is a file
        header = header or Header.of(match)
        sign = {"format": FORMAT, "format_version": FORMAT_VERSION}
        try:
            flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
            descriptor = os.open(path, flags, 0o666)
        except FileExistsError as error:
            raise RecordError(f"{path}: there is a file already; name a new one") from error
        except OSError as error:
            raise RecordError(f"{path}: cannot be written: {error.strerror}") from error
        journal = cls(path, descriptor, 0, Header.of(match, players=header.players).players, clock)
        try:
            journal._write(sealed({**sign, **asdict(header)}))
            journal._catch_up(match, header)
        except BaseException:
            journal._shut()
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
    def resume(
        cls,
        record: Record,
        match: Match[Any, Any],
        *,
        clock: Callable[[], float] | None = None,
    ) -> Self:
        """Go on with the record that `match` was replayed from; cuts an incomplete last line off.

        Raises:
            RecordError: the file cannot be written, or has grown since it was read.
        """
        path = Path(record.path)
        try:
            descriptor = os.open(path, os.O_RDWR | getattr(os, "O_BINARY", 0))
        except OSError as error:
            raise RecordError(f"{path}: cannot be written: {error.strerror}") from error
        journal = cls(path, descriptor, record.size + record.dropped, record.players, clock)
        journal._before = record.seconds
        for entry in record.entries:
            journal._lines = 0 if entry.checkpoint is not None else journal._lines + 1
        try:
            journal._check_alone()
            journal._cut_back(record.size)
        except RecordError:
            journal._shut()
            raise
        match.set_recorder(journal)
        return journal

    def __reduce__(self) -> NoReturn:
        raise TypeError(
            f"{self.path}: a journal that is being written cannot be sent; send its path"
        )

    @property
    def seconds(self) -> float:
        """How long the match has taken, all its sessions together; rounded to milliseconds."""
        now = self._clock() - self._began if self._clock is not None else 0.0
        return round(self._before + max(now, 0.0), 3)

    def played(self, match: Match[Any, Any], seat: Seat, action: Any) -> None:
        """Write an action down, and the outcome if it ended the match."""
        lines: list[object] = [{"seat": seat, "do": str(action), "digest": match.digest()}]
        outcome = match.outcome if match.over else None
        if outcome is not None:
            lines.append({"end": outcome})
        self._write_deed(match, lines)

    def undone(self, match: Match[Any, Any], count: int) -> None:
        """Write down that `count` actions are taken back."""
        self._write_deed(match, [{"undo": count, "digest": match.digest()}])

    def _write_deed(self, match: Match[Any, Any], lines: list[object]) -> None:
        """Write lines that tell what was done, and a checkpoint when it is time for one."""
        count = self._lines + len(lines)
        if count >= CHECKPOINT_LINES and not match.over:
            checkpoint = self._checkpoint(match)
            if checkpoint is not None:
                lines.append(checkpoint)
                count = 0
        self._write(*lines)
        self._lines = count

    def _checkpoint(self, match: Match[Any, Any]) -> dict[str, object] | None:
        """The line that a match can begin at; None where JSON does not give the state back."""
        streams, stands_for = match.streams(), match.digest()
        data = to_json(match.state)
        try:
            again = from_json(data, type(match.state))
        except ContractError:
            return None
        if digest(again, streams) != stands_for:
            return None
        line: dict[str, object] = {
            "checkpoint": match.ply,
            "state": from_json(data, object),
            "streams": streams,
            "players": self._players,
            "digest": stands_for,
        }
        if self._clock is not None or self._before:
            line["played"] = self.seconds
        return sealed(line)

    def seated(self, seat: Seat, player: str) -> None:
        """Write down that `player` decides for `seat` from now on."""
        self._write(sealed({"seat": seat, "player": player}))
        self._lines += 1
        self._players[seat] = player

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
        """Write how long the match has taken, and close the file; nothing can be written any more.

        Where that cannot be written it is left out: nothing of the match is lost with it.
        """
        if self._descriptor >= 0 and self._clock is not None:
            with suppress(RecordError):
                self._write(sealed({"played": self.seconds}))
        self._shut()

    def _shut(self) -> None:
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
