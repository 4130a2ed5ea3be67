"""A log of every draw of a match: stream, offset, bound and result, as the match goes.

`tabletop.records.compare` compares two logs, to find where two matches diverge. JSON Lines: the
header of a record under another format, the draws of the setup, then for each action its draws and
a line for the action:

    {"format": "tabletop-draws", "format_version": 1, "game": "lcr", ...}
    {"ply": 0, "digest": "90af..."}
    {"stream": "dice", "position": 0, "bound": 6, "result": 2}
    {"ply": 1, "seat": 0, "do": "roll", "digest": "51c3..."}
    {"ply": 0, "undo": 1, "digest": "90af..."}

    with DrawLog.create("draws.jsonl") as log:
        match = Match(game, seed="old oak", on_draw=log.draw)
        log.follow(match)
        match.run()

A line is on its way to the disk as soon as it is written: the log holds all draws before a match
hung or was killed. Draws after the last line of an action belong to one that was not completed.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TextIO

from tabletop.errors import RecordError
from tabletop.match.match import AnyMatch
from tabletop.records.file import errors_in, read_file, split_lines
from tabletop.records.format import Header, header_line, parse_header
from tabletop.rng.stream import Draw
from tabletop.rules.events import ActionPlayed, ActionsUndone

if TYPE_CHECKING:
    from typing import Self

LOG_FORMAT: Final = "tabletop-draws"
"""The `format` of a log of draws."""


class DrawLog:
    """Logs the draws and actions of a match. Make one with `create`; close it, or use `with`.

    A log never hurts the match: if it cannot be written it stops, and `close` gives the reason. A
    match can be played on when its log is closed.
    """

    def __init__(self, path: Path, file: TextIO) -> None:
        self.path = path
        self._file = file
        self._waiting: list[Draw] | None = []  # until the header is written
        self._failure: OSError | None = None
        self._stop: Callable[[], None] | None = None

    @classmethod
    def create(cls, path: str | Path) -> Self:
        """Begin a log in a new file. Give its `draw` to the match, and then the match to `follow`.

        Raises:
            RecordError: the file exists already or cannot be written.
        """
        path = Path(path)
        try:
            # A buffer of one line: the draws before a program hangs or is killed are in the
            # file.
            file = path.open("x", encoding="utf-8", newline="\n", buffering=1)
        except FileExistsError as error:
            raise RecordError(f"{path}: there is a file already; name a new one") from error
        except OSError as error:
            raise RecordError(f"{path}: cannot be written: {error.strerror}") from error
        return cls(path, file)

    def draw(self, draw: Draw) -> None:
        """Log a draw; pass this method as `on_draw` to the match."""
        if self._waiting is not None:
            self._waiting.append(draw)
        else:
            self._write(_as_line(draw))

    def follow(self, match: AnyMatch, header: Header | None = None) -> None:
        """Write the header and the draws of the setup, and from now on log the match.

        Args:
            match: one that was made with `draw` as its `on_draw`, and that has not begun.
            header: its header, if it is to hold more than the match does.

        Raises:
            ValueError: it has begun, or this log follows a match already.
        """
        if match.ply or self._waiting is None:
            raise ValueError("a log follows one match, from its beginning")
        draws, self._waiting = self._waiting, None
        header = header or Header.of(match)
        self._write(header_line(header, LOG_FORMAT))
        for draw in draws:
            self.draw(draw)
        self._write({"ply": 0, "digest": match.digest()})

        def notify(event: ActionPlayed | ActionsUndone) -> None:
            self._log(match, event)

        self._stop = match.observe(notify, ActionPlayed, ActionsUndone)

    def _log(self, match: AnyMatch, event: ActionPlayed | ActionsUndone) -> None:
        line: dict[str, object] = {"ply": event.ply}
        if isinstance(event, ActionsUndone):
            line["undo"] = event.count
        else:
            line |= {"seat": event.seat, "do": str(event.action)}
        if match.ply == event.ply:  # else an observer has gone on, and the state with it
            line["digest"] = match.digest()
        self._write(line)

    def _write(self, line: dict[str, Any]) -> None:
        if self._failure is not None or self._file.closed:
            return
        try:
            self._file.write(json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n")
        except OSError as error:
            self._failure = error

    def close(self) -> None:
        """Stop following the match, and close the file; an empty file is removed.

        Closing twice is no harm.

        Raises:
            RecordError: the log is incomplete, because it could not be written.
        """
        if self._stop is not None:
            self._stop()
        try:
            self._file.close()
        except OSError as error:
            self._failure = self._failure or error
        if self._waiting is not None:
            self.path.unlink(missing_ok=True)
            self._waiting = None
        if self._failure is not None:
            failure, self._failure = self._failure, None
            raise RecordError(
                f"{self.path}: cannot be written: {failure.strerror}; the log is incomplete"
            ) from failure

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        try:
            self.close()
        except RecordError:
            if error is None:  # else report that error
                raise


@dataclass(frozen=True, slots=True)
class Step:
    """A step of a match, and its draws.

    The setup is a step too, the first; and so is an action that was not completed, the last.

    Attributes:
        line: its line in the file, counted from 1.
        draws: in order; None where they are not known.
        lines: the lines of the draws, one each.
        seat: the seat that acted.
        do: the action, as a player would type it.
        undo: the number of actions taken back.
        digest: the digest of the match after it, if known.
    """

    line: int
    draws: tuple[Draw, ...] | None
    lines: tuple[int, ...] = ()
    seat: int | None = None
    do: str | None = None
    undo: int | None = None
    digest: str | None = None


@dataclass(frozen=True, slots=True)
class _Line:
    """A line after the header."""

    stream: str | None = None
    position: int | None = None
    bound: int | None = None
    result: int | None = None
    ply: int | None = None
    seat: int | None = None
    do: str | None = None
    undo: int | None = None
    digest: str | None = None


_FIELDS: Final = frozenset(field.name for field in fields(_Line))


def _as_line(draw: Draw) -> dict[str, object]:
    """The line of a draw; its offset is called `position` there."""
    stream, offset, bound, result = draw
    return {"stream": stream, "position": offset, "bound": bound, "result": result}


def read_log(path: str | Path) -> tuple[Header, list[Step]]:
    """Read a log of draws. An incomplete last line is left out.

    Raises:
        RecordError: The file cannot be read or is not a log. Names the line and the fault.
        RecordVersionError: The format is newer than this program.
    """
    return parse_log(read_file(path), path)


def parse_log(data: bytes, path: str | Path) -> tuple[Header, list[Step]]:
    """Parse the bytes of the log at `path`, as `read_log` does."""
    lines = split_lines(data)[:-1]
    with errors_in(path):
        header = parse_header(lines[0] if lines else b"", LOG_FORMAT)
        return header, list(_read_steps(lines[1:]))


def _read_steps(lines: Sequence[bytes]) -> Iterator[Step]:
    draws: list[Draw] = []
    places: list[int] = []
    for number, line in enumerate(lines, 2):
        if not line.strip():
            continue
        try:
            found = _read_line(line)
        except ValueError as error:
            raise RecordError(f"line {number} is damaged: {error}", line=number) from error
        if isinstance(found, Draw):
            draws.append(found)
            places.append(number)
            continue
        yield Step(
            number, tuple(draws), tuple(places), found.seat, found.do, found.undo, found.digest
        )
        draws.clear()
        places.clear()
    if draws:
        yield Step(len(lines) + 1, tuple(draws), tuple(places))


def _read_line(line: bytes) -> Draw | _Line:
    """Parse a line: a draw or a step."""
    import msgspec

    try:
        found = json.loads(line)  # which reads whole numbers of any size
    except (ValueError, RecursionError) as error:
        raise ValueError(f"it is no JSON: {getattr(error, 'msg', error)}") from error
    if not isinstance(found, dict) or not found.keys() <= _FIELDS:
        raise ValueError(f"it is no draw and nothing that was done; fields: {sorted(_FIELDS)}")
    try:
        it = msgspec.convert(found, _Line)
    except msgspec.MsgspecError as error:
        raise ValueError(str(error)) from error
    if it.ply is not None:
        return it
    if it.stream is None or it.position is None or it.bound is None or it.result is None:
        raise ValueError("a draw says all of: stream, position, bound, result")
    return Draw(it.stream, it.position, it.bound, it.result)
