"""Journals: they write the record of a match as it goes.

Every line is handed to the operating system before its move is shown: a killed program loses
nothing that anybody has seen. While a record is written it is locked, and before every line it is
checked: nothing is written to a file that was deleted or replaced.
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
from tabletop.states.bounds import Seat
from tabletop.states.codec import to_json

if TYPE_CHECKING:
    from typing import Self


class Journal:
    """Records a match as it goes; a `Recorder`.

    Make one with `create` or `resume`. Use it in a `with` statement, which leaves the match without
    a recorder; or close it, and the match refuses every further move.

    A clock gives seconds, from any point on (`time.monotonic`, for instance). With one, the record
    tells how long the match has taken.

    Attributes:
        on_lost: called with a `RecordLost` before anything is taken back. It raises that, or calls
            `move`. With it, a file that was moved counts as lost.
    """

    def __init__(self, file: RecordFile, clock: Callable[[], float] | None = None) -> None:
        self._file = file
        self._clock = clock
        self._began = clock() if clock is not None else 0.0
        self._before = 0.0
        # The number of actions in the file, while it has this size, and after that.
        self._step = (file.size, 0, 0)
        self._match: AnyMatch | None = None
        self.on_lost: Callable[[RecordLost], None] | None = None

    @property
    def path(self) -> Path:
        """The file."""
        return self._file.path

    @property
    def locked(self) -> bool:
        """True when others cannot write to the file: not every drive can lock files."""
        return self._file.locked

    @classmethod
    def create(
        cls,
        path: str | Path,
        match: AnyMatch,
        header: Header | None = None,
        *,
        clock: Callable[[], float] | None = None,
    ) -> Self:
        """Begin a record of `match` in a new file, as the recorder of the match.

        Raises:
            RecordError: the file exists already or cannot be written.
            ContractError: the state of the match is no plain data; there is no file then.
        """
        match.digest()  # before there is a file
        file = RecordFile.create(Path(path))
        # As in `RecordFile.create_with`: an interrupt within a context manager of both would come
        # before its `try`, and leave an empty file.
        try:
            journal = cls(file, clock)
            journal._write_past(match, header or Header.of(match))
        except BaseException as error:
            file.discard()
            if isinstance(error, RecordLost):  # there was none to lose
                raise RecordError(str(error)) from error.__cause__
            raise
        journal._attach(match)
        return journal

    def _write_past(self, match: AnyMatch, header: Header) -> None:
        """Write the header, and the actions played already."""
        self._append(_encoded(header_line(header)), 0)
        past = match_from_header(match.game, header)
        past.set_recorder(self)
        replay_actions(match, past)  # a match of its own: it gives the digest after every action

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
        """Go on with the record that `match` was replayed from; cut an incomplete last line off.

        Raises:
            RecordInUse: another program is writing it.
            RecordError: the file cannot be written, or has changed since it was read.
        """
        journal = cls(RecordFile.resume(record), clock)
        journal._step = (record.size, record.plies, record.plies)
        journal._before = record.seconds
        journal._attach(match)
        return journal

    def __reduce__(self) -> NoReturn:
        raise TypeError(
            f"{self.path}: a journal that is being written cannot be sent; send its path"
        )

    def move(self, path: Path, match: AnyMatch, header: Header) -> None:
        """Go on in a new file, with all that was written.

        Where that cannot be read any more, `match` is written anew as it stands, with `header`:
        what was taken back, and who played when, is lost.

        Raises:
            RecordError: there is a file already, or it cannot be written; nothing has changed.
        """
        former, contents = self._file, self._file.contents()
        if contents is not None:
            self._file = RecordFile.create_with(path, contents)
        else:
            anew = Journal.create(path, match, header)
            match.set_recorder(self)
            self._file, self._step = anew._file, anew._step
        former.close()

    def copy(self, path: Path) -> None:
        """Copy all written so far to a new file.

        Raises:
            RecordError: there is a file already, or one of the two cannot be read or written.
        """
        contents = self._file.contents()
        if contents is None:
            raise RecordError(f"{self.path}: it cannot be read, or somebody else has written to it")
        RecordFile.create_with(path, contents).close()

    @property
    def seconds(self) -> float:
        """The time of the match in seconds, all its sessions together; rounded to milliseconds."""
        now = self._clock() - self._began if self._clock is not None else 0.0
        return round(self._before + max(now, 0.0), 3)

    @property
    def plies(self) -> int:
        """The number of actions in the file, without those taken back."""
        # The size of the file changes with the writing itself. So this is right at any moment.
        size, before, after = self._step
        return before if self._file.size == size else after

    def played(self, match: AnyMatch, seat: Seat, action: Any) -> None:
        """Record an action, and the outcome if it ended the match."""
        line: dict[str, object] = {"seat": seat, "do": str(action), "digest": match.digest()}
        if (drawn := match.last_bot_draws) is not None:
            # The digest does not cover the chance of bots: such a line gets a check of its own.
            line = with_check({**line, "chance": drawn.after})
        data = _encoded(line)
        if match.over and (outcome := match.outcome) is not None:
            data += _encoded(end_line(outcome))
        # All at once: no action stands without the outcome that it has led to.
        self._append(data, match.ply)

    def undone(self, match: AnyMatch, count: int) -> None:
        """Record that `count` actions are taken back."""
        self._append(_encoded({"undo": count, "digest": match.digest()}), match.ply)

    def seated(self, seat: Seat, player: str) -> None:
        """Record that `player` decides for `seat` from now on."""
        self._append(_encoded(with_check({"seat": seat, "player": player})), self.plies)

    def _append(self, data: bytes, plies: int) -> None:
        """Hand lines to the operating system, all at once: all of them or nothing."""
        before = self.plies
        self._step = (self._file.size, before, plies)
        try:
            if self.on_lost is not None:
                self._file.check()
            self._file.append(data)
        except RecordLost as lost:
            if self.on_lost is None:
                raise
            self.on_lost(lost)
            if before == plies or self.plies != plies:  # else the match was written anew
                self._append(data, plies)

    def check(self) -> None:
        """Make sure that the record is at its place, and unchanged.

        Raises:
            RecordLost: it is not.
            RecordError: the journal is closed.
        """
        try:
            self._file.check()
        except RecordLost as lost:
            if self.on_lost is None:
                raise
            self.on_lost(lost)

    def close(self) -> None:
        """Write the time of the match, and close the file; nothing can be written any more.

        If the time cannot be written it is left out; nothing of the match is lost. Closing
        twice is no harm.
        """
        self.on_lost = None
        try:
            if self._clock is not None:
                with suppress(RecordError):
                    self._append(_encoded(with_check({"played": self.seconds})), self.plies)
        finally:
            self._file.close()

    def detach(self) -> None:
        """Detach from the match, which can be played on without a record."""
        match, self._match = self._match, None
        if match is not None and match.recorder is self:
            match.set_recorder(None)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.detach()
        self.close()


def _encoded(line: Mapping[str, object]) -> bytes:
    return to_json(line, order=None) + b"\n"
