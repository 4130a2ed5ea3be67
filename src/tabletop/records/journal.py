"""Writing the record of a match as it goes.

Every line is handed to the operating system before its move is shown: a killed program loses
nothing that anybody was told. While a record is written it is locked, and before every line it is
checked: nothing is written to a file that was deleted or replaced, where nobody would find it.

Every `CHECKPOINT_LINES` lines a checkpoint is written as well, so that going on with a long match
need not play all of it again. A line costs no more for it late in a match than early.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NoReturn

from tabletop.codec import digest, from_json, to_json
from tabletop.errors import ContractError, RecordError, RecordLost
from tabletop.match import AnyMatch
from tabletop.outcome import Seat
from tabletop.records.entries import (
    FORMAT,
    Header,
    action_line,
    end_line,
    header_line,
    sealed,
    version_needed,
)
from tabletop.records.reading import Record
from tabletop.records.record import Earlier, remake
from tabletop.records.recordfile import RecordFile

if TYPE_CHECKING:
    from typing import Self


CHECKPOINT_LINES: Final = 1000
"""How many lines a record has from one checkpoint to the next."""

MOST_WAITING: Final = 64
"""How many lines wait at most, of actions that nobody has seen yet."""


class Journal:
    """Writes a match down as it goes; a `Recorder`.

    Make one with `create` or `resume`. Use it in a `with` statement, which leaves the match without
    a recorder; or close it, and the match refuses every further move.

    Args:
        file: where to write.
        header: what the match was made from.
        players: who decides for each seat.
        clock: gives seconds, from any point on (`time.monotonic`, for instance). With one, the
            record tells how long the match has taken.

    Attributes:
        recorded: while lines may wait (`hold`): how many actions there are before those that do.
    """

    def __init__(
        self,
        file: RecordFile,
        header: Header,
        players: Sequence[str],
        clock: Callable[[], float] | None = None,
    ) -> None:
        self._file = file
        self._header = header
        self._players = list(players)
        self._clock = clock
        self._began = clock() if clock is not None else 0.0
        self._before = 0.0
        self._lines = 0  # since the last checkpoint
        self._waiting: list[bytes] | None = None  # lines of actions; None: each is written at once
        self._hurried = False
        self.recorded = 0
        self._match: AnyMatch | None = None
        self._resumed: Record | None = None

    @property
    def path(self) -> Path:
        """The file."""
        return self._file.path

    @property
    def locked(self) -> bool:
        """Whether others are kept from writing to the file: not every drive can lock files."""
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
        header = header or Header.of(match)
        players = Header.of(match, players=header.players).players
        file = RecordFile.create(Path(path))
        try:
            journal = cls(file, header, players, clock)
            journal._begin(match, header)
        except BaseException as error:
            file.discard()
            if isinstance(error, RecordLost):  # there was none to lose
                raise RecordError(str(error)) from error.__cause__
            raise
        journal._attach(match)
        return journal

    def _begin(self, match: AnyMatch, header: Header) -> None:
        """Write the header, and what has been played already."""
        version = version_needed(header, has_chances=match.has_chances)
        self._write([header_line(header, FORMAT, version)])
        past = remake(match.game, header)
        past.set_recorder(self)
        drawn = {note.ply: note for note in match.drawn}
        # Played again on a match of its own, which gives the digest after every action.
        for ply, action in enumerate(match.actions, 1):
            if ply in drawn:
                past.chance_of(drawn[ply].seat).offset = drawn[ply].after
            past.play(action)

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
        """Go on with the record that `match` was replayed from; cuts an incomplete last line off.

        Raises:
            RecordInUse: another program is writing it; says which.
            RecordError: the file cannot be written, or has changed since it was read.
        """
        journal = cls(RecordFile.resume(record), record.header, record.players, clock)
        journal._before = record.seconds
        journal._resumed = record
        # Go on counting where the last program stopped, so that checkpoints keep their distance.
        for entry in record.entries:
            journal._lines = 0 if entry.checkpoint is not None else journal._lines + 1
        journal._attach(match)
        return journal

    def __reduce__(self) -> NoReturn:
        raise TypeError(
            f"{self.path}: a journal that is being written cannot be sent; send its path"
        )

    def move(self, path: str | Path, match: AnyMatch) -> bool:
        """Go on in another file: where this one is gone, or takes no more lines (`RecordLost`).

        What was written is copied. Where it cannot be read any more, or somebody else has written
        to it as well, the match is written anew as it stands; what was taken back and who played
        when is lost then. If the file itself was moved to `path`, that is where it goes on.

        Args:
            path: a new file.
            match: what is recorded.

        Returns:
            Whether the match was written anew; else what could not be written is still to be.

        Raises:
            RecordError: there is a file already, or it cannot be written; nothing has changed.
        """
        path, former = Path(path), self._file
        if former.follow(path):
            anew = False
        else:
            self._file, lines = RecordFile.create(path), self._lines
            try:
                anew = self._copy(former, match)
            except BaseException:
                self._file.discard()
                self._file, self._lines = former, lines
                raise
            former.close()
        self._rely_on(path, match, anew=anew)
        return anew

    def _copy(self, former: RecordFile, match: AnyMatch) -> bool:
        """Copy the former file; where that is impossible, write the match anew, and say so."""
        contents = former.contents()
        if contents is not None:
            self._file.append(contents)
            return False
        self._lines = 0
        self._begin(match, replace(self._header, players=tuple(self._players)))
        return True

    def copy(self, path: Path) -> None:
        """Write what has been written so far into a new file as well.

        Raises:
            RecordError: there is a file already, or one of the two cannot be read or written.
        """
        contents = self._file.contents()
        if contents is None:
            raise RecordError(f"{self.path}: it cannot be read, or somebody else has written to it")
        file = RecordFile.create(path)
        try:
            file.append(contents)
        except BaseException as error:
            file.discard()
            if isinstance(error, RecordLost):  # the record itself is whole
                raise RecordError(str(error)) from error.__cause__
            raise
        file.close()

    def _rely_on(self, path: Path, match: AnyMatch, *, anew: bool) -> None:
        """Read actions from before the checkpoint, if they are needed, from the new file."""
        resumed = self._resumed
        if resumed is None or anew:
            return
        self._resumed = resumed = replace(resumed, path=str(path))
        if resumed.start is not None:
            earlier = Earlier(resumed, resumed.start, match.game)
            match.set_earlier(earlier.actions, earlier.drawn)

    @property
    def seconds(self) -> float:
        """How long the match has taken, all its sessions together; rounded to milliseconds."""
        now = self._clock() - self._began if self._clock is not None else 0.0
        return round(self._before + max(now, 0.0), 3)

    def played(self, match: AnyMatch, seat: Seat, action: Any) -> None:
        """Write an action down, and the outcome if it ended the match."""
        text, stands_for = str(action), match.digest()
        over, drawn = match.over, match.last_drawn
        if drawn is None and not over and self._lines + 1 < CHECKPOINT_LINES:  # as nearly always
            self._write_plain(action_line(seat, text, stands_for))
            return
        line: dict[str, object] = {"seat": seat, "do": text, "digest": stands_for}
        # The digest does not cover the chance of bots: such a line gets a check of its own.
        lines = [line if drawn is None else sealed({**line, "chance": drawn.after})]
        outcome = match.outcome if over else None
        if outcome is not None:
            lines.append(end_line(outcome))
        self._write_step(match, lines)

    def _write_plain(self, line: bytes) -> None:
        """Write the line of an action, or let it wait with the others."""
        if self._waiting is None:
            self._file.append(line)
        else:
            if len(self._waiting) == MOST_WAITING:
                self._write([])
            self._waiting.append(line)
            if self._hurried:
                self._write([])
        self._lines += 1

    def undone(self, match: AnyMatch, count: int) -> None:
        """Write down that `count` actions are taken back."""
        # No checkpoint here: the chance of bots goes back when this is written, and not before.
        lines, ply = self._lines + 1, match.ply
        self._write([{"undo": count, "digest": match.digest()}])
        self._lines, self.recorded = lines, ply

    def _write_step(self, match: AnyMatch, lines: list[dict[str, object]]) -> None:
        """Write the lines of an action, and a checkpoint when one is due."""
        count, ply = self._lines + len(lines), match.ply
        # None at the end: nobody goes on from there.
        if count >= CHECKPOINT_LINES and not match.over:
            checkpoint = self._checkpoint(match)
            if checkpoint is not None:
                lines.append(checkpoint)
                count = 0
        self._write(lines)
        self._lines, self.recorded = count, ply

    def _checkpoint(self, match: AnyMatch) -> dict[str, object] | None:
        """The line of a checkpoint; None if the state does not survive the way through JSON."""
        streams, stands_for = match.streams(), match.digest()
        data = to_json(match.state)
        # Tried first: from a checkpoint that gives back another state nobody could go on.
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
        chances = match.chances()
        if chances:
            line["chances"] = [chances.get(seat, 0) for seat in range(match.seats)]
        if self._clock is not None or self._before:
            line["played"] = self.seconds
        return sealed(line)

    def seated(self, seat: Seat, player: str) -> None:
        """Write down that `player` decides for `seat` from now on."""
        self._write([sealed({"seat": seat, "player": player})])
        self._lines += 1
        self._players[seat] = player

    def _write(self, lines: Sequence[object]) -> None:
        """Hand the lines that wait, and then these, to the operating system: all or nothing.

        Raises:
            RecordLost: it did not take them, or the file is not what and where it was.
            RecordError: the journal is closed.
        """
        # All lines at once: no action stands without the outcome that it has led to.
        data = b"".join([to_json(line, order=None) + b"\n" for line in lines])
        waiting, recorded = self._waiting, self.recorded
        if waiting:
            data, waiting, recorded = b"".join([*waiting, data]), [], recorded + len(waiting)
        # Nothing is called after this, here and in what calls it: a KeyboardInterrupt comes when
        # something is called, and then either nothing is written or all that is to be is noted.
        self._file.append(data)
        self._waiting, self.recorded = waiting, recorded

    def hold(self, match: AnyMatch) -> None:
        """Let the lines of actions wait from here on: nobody sees these actions before `release`.

        Every `MOST_WAITING` lines are written all the same.
        """
        self._waiting, self._hurried, self.recorded = [], False, match.ply

    def hurry(self) -> None:
        """Write the lines that wait with the next one, and each at once from then on.

        Nothing is written here: another thread may be writing just now.
        """
        self._hurried = True

    def release(self, match: AnyMatch) -> None:
        """Write the lines that wait.

        Raises:
            RecordLost: they cannot be written; none of them was, and they wait still (`forget`).
        """
        waiting = self._waiting or []
        # An action that was broken off when it had been noted is none of the match.
        stay = match.ply - self.recorded
        self._lines -= len(waiting[stay:])
        del waiting[stay:]
        if waiting:
            self._write([])
        self._waiting = None

    def forget(self) -> None:
        """Write none of the lines that wait, and let none wait any more."""
        self._lines -= len(self._waiting or ())
        self._waiting = None

    def check(self) -> None:
        """Make sure that the record is where it was, and as it was left.

        Raises:
            RecordLost: it is not.
            RecordError: the journal is closed.
        """
        self._file.check()

    def close(self) -> None:
        """Write how long the match has taken, and close the file; nothing can be written any more.

        Where that cannot be written it is left out: nothing of the match is lost with it. Closing
        twice is no harm.
        """
        try:
            if self._clock is not None:
                with suppress(RecordError):
                    self._write([sealed({"played": self.seconds})])
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
