"""Journals, which record a match while it is played.

Every line is written to the operating system before its action is shown, so nothing that players
have seen is lost if the program is killed. The file is locked while a journal writes it. Before
every line the journal checks that the file was not deleted or replaced.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from tabletop.errors import RecordError, RecordLost
from tabletop.match.match import AnyMatch
from tabletop.records.file import Record, RecordFile
from tabletop.records.format import Header, end_line, header_line, with_check
from tabletop.records.replaying import match_from_header, replay_actions
from tabletop.rules.concessions import Concession
from tabletop.states.bounds import Seat
from tabletop.states.codec import to_json

if TYPE_CHECKING:
    from typing import Self


class Journal:
    """Records a match while it is played. Create it with `create` or `resume`.

    A journal is a `Recorder`. At the end of a `with` statement, the journal is detached from the
    match. If you only call `close`, every further action fails because it cannot be recorded.

    If you pass a `clock`, a function that returns seconds, such as `time.monotonic`, the record
    contains the duration of the match.

    Attributes:
        must_stay: Whether a record counts as lost if its file was moved. By default, lines are
            written to the moved file.
    """

    def __init__(self, file: RecordFile, clock: Callable[[], float] | None = None) -> None:
        self._file = file
        self._clock = clock
        self._began = clock() if clock is not None else 0.0
        self._before = 0.0
        # A size, the number of actions while the file has this size, and the number afterwards.
        self._step = (file.size, 0, 0)
        self._match: AnyMatch | None = None
        self.must_stay: bool = False

    @property
    def path(self) -> Path:
        """The path of the file."""
        return self._file.path

    @property
    def locked(self) -> bool:
        """True if other programs cannot write to the file. Some drives do not support locks."""
        return self._file.locked

    @classmethod
    def create(
        cls,
        path: str | Path,
        match: AnyMatch,
        header: Header | None = None,
        *,
        clock: Callable[[], float] | None = None,
        has_note: bool = True,
    ) -> Self:
        """Start a record of `match` in a new file, and become the recorder of the match.

        Args:
            path: The path of the file.
            match: The match.
            header: The header of the record. By default, only the match is described.
            clock: A function that returns seconds, for the duration of the match.
            has_note: Whether a note next to the file names this program while it writes. A process
                that may be killed leaves the note behind.

        Raises:
            RecordError: The file already exists or cannot be written.
            ContractError: The state of the match is not plain data. No file has been created.
        """
        match.digest()  # raises an error before a file is created
        file = RecordFile.create(Path(path), has_note=has_note)
        # Not in a context manager shared with `RecordFile.create_with`, because an interrupt before
        # its `try` would leave an empty file.
        try:
            journal = cls(file, clock)
            journal._write_past(match, header or Header.of(match))
        except BaseException as error:
            file.discard()
            if isinstance(error, RecordLost):  # a file that is not complete yet cannot be lost
                raise RecordError(str(error)) from error.__cause__
            raise
        journal._attach(match)
        return journal

    def _write_past(self, match: AnyMatch, header: Header) -> None:
        """Write the header and the actions that have already been played."""
        self._append(_encoded(header_line(header)), 0)
        past = match_from_header(match.game, header)
        past.set_recorder(self)
        replay_actions(match, past)  # a second match, which provides the digest after every action

    def _attach(self, match: AnyMatch) -> None:
        self._match = match
        match.set_recorder(self)

    @classmethod
    def resume(
        cls,
        record: Record,
        match: AnyMatch,
        *,
        clock: Callable[[], float] | None = None,
    ) -> Self:
        """Continue the record that `match` was replayed from. An incomplete last line is cut off.

        Raises:
            RecordInUse: Another program is writing the record.
            RecordError: The file cannot be written, or has changed since it was read.
        """
        journal = cls(RecordFile.resume(record), clock)
        journal._step = (record.size, record.plies, record.plies)
        journal._before = record.seconds
        journal._attach(match)
        return journal

    def __reduce__(self) -> NoReturn:
        raise TypeError(
            f"{self.path}: an open journal cannot be copied or pickled (send its path instead)"
        )

    def move(self, path: Path, match: AnyMatch, header: Header) -> None:
        """Continue in a new file that contains everything written so far.

        If the old file can no longer be read, the current actions of `match` are written with
        `header`. Undone actions, and changes of players during the match, are then lost.

        Raises:
            RecordError: The file already exists or cannot be written. Nothing has changed.
        """
        former, contents = self._file, self._file.contents()
        if contents is not None:
            self._file = RecordFile.create_with(path, contents)
        else:
            journal = Journal.create(path, match, header)
            match.set_recorder(self)
            self._file, self._step = journal._file, journal._step
        former.close()

    def copy(self, path: Path) -> None:
        """Copy everything written so far to a new file.

        Raises:
            RecordError: The new file already exists, or one of the two cannot be read or written.
        """
        contents = self._file.contents()
        if contents is None:
            raise RecordError(f"{self.path}: cannot be read, or another program has changed it")
        RecordFile.create_with(path, contents).close()

    @property
    def seconds(self) -> float:
        """The duration of the match in seconds over all sessions, rounded to milliseconds."""
        now = self._clock() - self._began if self._clock is not None else 0.0
        return round(self._before + max(now, 0.0), 3)

    @property
    def plies(self) -> int:
        """The number of actions in the file, without undone actions."""
        # Decided by the size of the file, so the number is correct even after an interrupted write.
        size, before, after = self._step
        return before if self._file.size == size else after

    def played(self, match: AnyMatch, seat: Seat, action: Any) -> None:
        """Record an action, and the outcome if it ended the match."""
        line: dict[str, object] = {"seat": seat, "do": str(action), "digest": match.digest()}
        if (mark := match.last_bot_draws) is not None:
            # The digest does not cover the streams of bots, so the line needs a checksum.
            line = with_check({**line, "chance": mark.after})
        self._append(_encoded(line) + _ending(match), match.ply)

    def undone(self, match: AnyMatch, count: int) -> None:
        """Record that `count` actions were undone."""
        self._append(_encoded({"undo": count, "digest": match.digest()}), match.ply)

    def conceded(self, match: AnyMatch, concession: Concession) -> None:
        """Record a concession, and the outcome if it has ended the match."""
        seat = {} if concession.seat is None else {"seat": concession.seat}
        line = with_check({**seat, "conceded": concession.reason})
        self._append(_encoded(line) + _ending(match), match.ply)

    def seated(self, seat: Seat, player: str) -> None:
        """Record that `player` plays for `seat` from now on."""
        self._append(_encoded(with_check({"seat": seat, "player": player})), self.plies)

    def _append(self, data: bytes, plies: int) -> None:
        """Write lines to the operating system, either all or none."""
        self._step = (self._file.size, self.plies, plies)
        if self.must_stay:
            self._file.check()
        self._file.append(data)

    def check(self) -> None:
        """Check that the record still exists at its path and is unchanged.

        Raises:
            RecordLost: The file was moved, deleted, replaced or changed.
            RecordError: The journal is closed.
        """
        self._file.check()

    def close(self) -> None:
        """Write the duration of the match and close the file.

        If the duration cannot be written, it is omitted. Closing twice has no effect.
        """
        self.must_stay = False
        try:
            if self._clock is not None:
                with suppress(RecordError):
                    self._append(_encoded(with_check({"played": self.seconds})), self.plies)
        finally:
            self._file.close()

    def detach(self) -> None:
        """Detach the journal from the match, which can then continue without a record."""
        match, self._match = self._match, None
        if match is not None and match.recorder is self:
            match.set_recorder(None)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.detach()
        self.close()


def _ending(match: AnyMatch) -> bytes:
    """Return the line with the outcome if the match is over.

    It is written together with the line before it, so that the last action is never stored without
    the outcome.
    """
    if not match.over or (outcome := match.outcome) is None:
        return b""
    return _encoded(end_line(outcome))


def _encoded(line: Mapping[str, object]) -> bytes:
    return to_json(line, order=None) + b"\n"
