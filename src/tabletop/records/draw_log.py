"""Logs of every random draw of a match: stream, offset, bound and result.

`tabletop.records.compare` compares two logs to find where two matches diverge. A log consists of
JSON lines: the header of a record with a different format name, the draws of the setup, and then
for each action its draws and a line for the action:

    {"format": "tabletop-draws", "format_version": 1, "game": "lcr", ...}
    {"ply": 0, "digest": "90af..."}
    {"stream": "dice", "position": 0, "bound": 6, "result": 2}
    {"ply": 1, "seat": 0, "do": "roll", "digest": "51c3..."}
    {"ply": 0, "undo": 1, "digest": "90af..."}

    with DrawLog.create("draws.jsonl") as log:
        match = Match(game, seed="old oak", on_draw=log.draw)
        log.follow(match)
        match.run()

Every complete line is written to the operating system at once, so if a program hangs or is killed,
the log contains all earlier draws. Draws after the last action line belong to an incomplete action.
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
from tabletop.rules.concessions import ConcessionReason
from tabletop.rules.events import ActionPlayed, ActionsUndone
from tabletop.states.bounds import Seat

if TYPE_CHECKING:
    from typing import Self

LOG_FORMAT: Final = "tabletop-draws"  # the `format` of a log of draws


class DrawLog:
    """Logs the draws and actions of a match. Create it with `create`, and close it or use `with`.

    A log never affects the match. If writing fails, logging stops and `close` raises the error. The
    match can continue after its log is closed.
    """

    def __init__(self, path: Path, file: TextIO) -> None:
        self.path = path
        self._file = file
        self._waiting: list[Draw] | None = []  # until the header is written
        self._failure: OSError | None = None
        self._stop: Callable[[], None] | None = None

    @classmethod
    def create(cls, path: str | Path) -> Self:
        """Create a log in a new file.

        Pass its method `draw` to the match, and the match to `follow`.

        Raises:
            RecordError: The file already exists or cannot be written.
        """
        path = Path(path)
        try:
            # Line buffering, so that all draws are in the file if the program hangs or is killed.
            file = path.open("x", encoding="utf-8", newline="\n", buffering=1)
        except FileExistsError as error:
            raise RecordError(f"{path}: the file already exists (choose a new name)") from error
        except OSError as error:
            raise RecordError(f"{path}: cannot be written: {error.strerror}") from error
        return cls(path, file)

    def draw(self, draw: Draw) -> None:
        """Log a draw. Pass this method to the match as `on_draw`."""
        if self._waiting is not None:
            self._waiting.append(draw)
        else:
            self._write(_as_line(draw))

    def follow(self, match: AnyMatch, header: Header | None = None) -> None:
        """Write the header and the draws of the setup, and start logging the match.

        Args:
            match: A match that was created with `on_draw=log.draw`, and in which no action has been
                played.
            header: A header with more data, such as the players. By default, it is derived from the
                match.

        Raises:
            ValueError: An action has been played, or this log already follows a match.
        """
        if match.ply or self._waiting is None:
            raise ValueError("a log can follow only one match, before its first action")
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
        if match.ply == event.ply:  # otherwise an observer has already changed the state
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
        """Stop following the match and close the file. A file without a header is removed.

        Closing twice has no effect.

        Raises:
            RecordError: The log is incomplete because it could not be written.
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
                f"{self.path}: cannot be written: {failure.strerror}, so the log is incomplete"
            ) from failure

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        try:
            self.close()
        except RecordError:
            if error is None:  # otherwise the error in the `with` block is more important
                raise


@dataclass(frozen=True, slots=True)
class Step:
    """A step of a match and its draws.

    The setup is the first step. An incomplete action is the last step.

    Attributes:
        line: The number of the step's line in the file, starting at 1.
        draws: The draws in order, or None if they are unknown.
        lines: The line number of each draw.
        seat: The seat that acted.
        do: The action, as a player would type it.
        undo: The number of actions undone.
        digest: The digest of the match after the step, if known.
        conceded: The concessions after the step, with seats as in `Entry`, or None if they are
            unknown. A log of draws does not contain concessions.
    """

    line: int
    draws: tuple[Draw, ...] | None
    lines: tuple[int, ...] = ()
    seat: int | None = None
    do: str | None = None
    undo: int | None = None
    digest: str | None = None
    conceded: tuple[tuple[Seat | None, ConcessionReason], ...] | None = None


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
    """Convert a draw to a line. In the line, the offset is called `position`."""
    stream, offset, bound, result = draw
    return {"stream": stream, "position": offset, "bound": bound, "result": result}


def read_log(path: str | Path) -> tuple[Header, list[Step]]:
    """Read a log of draws. An incomplete last line is ignored.

    Raises:
        RecordError: The file cannot be read or is not a log. The message contains the line and the
            reason.
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
            item = _read_line(line)
        except ValueError as error:
            raise RecordError(f"line {number} is damaged: {error}", line=number) from error
        if isinstance(item, Draw):
            draws.append(item)
            places.append(number)
            continue
        yield Step(number, tuple(draws), tuple(places), item.seat, item.do, item.undo, item.digest)
        draws.clear()
        places.clear()
    if draws:
        yield Step(len(lines) + 1, tuple(draws), tuple(places))


def _read_line(line: bytes) -> Draw | _Line:
    """Parse a line: a draw or a step."""
    import msgspec

    try:
        data = json.loads(line)  # unlike msgspec, json reads integers of any size
    except (ValueError, RecursionError) as error:
        raise ValueError(f"invalid JSON: {getattr(error, 'msg', error)}") from error
    if not isinstance(data, dict) or not data.keys() <= _FIELDS:
        raise ValueError(f"neither a draw nor an action (known fields: {sorted(_FIELDS)})")
    try:
        step = msgspec.convert(data, _Line)
    except msgspec.MsgspecError as error:
        raise ValueError(str(error)) from error
    if step.ply is not None:
        return step
    stream, position, bound, result = step.stream, step.position, step.bound, step.result
    if stream is None or position is None or bound is None or result is None:
        raise ValueError("a draw needs all of: stream, position, bound, result")
    return Draw(stream, position, bound, result)
