"""Compare two matches: find the first draw and the first action that differ.

A record contains only the actions, so it is replayed to find the draws. A log of draws
(`tabletop.records.draw_log`) contains both.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import zip_longest
from pathlib import Path
from typing import Final, TypeAlias

from tabletop.errors import RecordError
from tabletop.match.match import AnyMatch
from tabletop.records.draw_log import LOG_FORMAT, Step, parse_log
from tabletop.records.file import Record, parse, read_file
from tabletop.records.format import Entry, Header
from tabletop.records.replaying import match_of, replayed
from tabletop.rng.seeds import Seed
from tabletop.rng.stream import Draw
from tabletop.rules.game import AnyGame
from tabletop.states.codec import digest

GameFinder: TypeAlias = Callable[[Record], AnyGame]
"""A function that returns the rules for replaying a record."""


@dataclass(slots=True)
class Source:
    """One side of a comparison.

    Attributes:
        path: The path of the file.
        kind: "record" or "log".
        header: The header of the match.
        steps: The setup and all actions, in order. It can be iterated only once.
        note: The reason why draws are unknown from a certain step on, or an empty string.
    """

    path: str
    kind: str
    header: Header
    steps: Iterable[Step]
    note: str = ""


@dataclass(frozen=True, slots=True)
class Divergence:
    """The first place where two matches differ.

    Attributes:
        step: The step number, as in `tabletop replay`. 0 is the setup.
        first, second: The step of each side, or None if that side has already ended.
        draw: The number of the first different draw, counted from 1 over all steps, or 0 if no draw
            differs.
        place: The index of the draw within the step, starting at 0.
    """

    step: int
    first: Step | None
    second: Step | None
    draw: int = 0
    place: int = 0


@dataclass(slots=True)
class Comparison:
    """The result of comparing two matches.

    Attributes:
        headers: Differences between the headers: the name of the field, and both values.
        draw: The first draw that differs, or None.
        action: The first action or concession that differs, or None.
        state: The first step with a different resulting state, or None.
        steps, draws: The numbers of steps and draws compared. The setup does not count as a step.
    """

    headers: list[tuple[str, object, object]]
    draw: Divergence | None = None
    action: Divergence | None = None
    state: Divergence | None = None
    steps: int = -1
    draws: int = 0
    _known: bool = field(default=True, repr=False)

    @property
    def same(self) -> bool:
        """True if nothing differs."""
        return not self.headers and self.draw is self.action is self.state is None


def open_source(path: str | Path, find: GameFinder) -> Source:
    """Open a log of draws, or a record, which is replayed with the rules that `find` returns.

    The file may be a pipe, such as `/dev/stdin`.

    Raises:
        RecordError: The file is neither a log nor a record, the file is damaged, or the game cannot
            set up this match.
    """
    data = read_file(path, pipes=True)
    if f'"{LOG_FORMAT}"'.encode() in data[:100].partition(b"\n")[0]:
        header, steps = parse_log(data, path)
        return Source(str(path), "log", header, steps)
    record = parse(data, path)
    side = Source(str(path), "record", record.header, ())
    side.steps = _replayed(record, find(record), side)
    return side


def _replayed(record: Record, game: AnyGame, side: Source) -> Iterator[Step]:
    """Yield the steps of a record with the draws of a replay."""
    draws: list[Draw] = []
    match = match_of(record, game, anyway=True, on_draw=draws.append)
    step = Step(1, tuple(draws), (1,) * len(draws), digest=match.digest(), conceded=())
    replaying = replayed(match, record.entries)
    for entry in record.entries:
        is_step = entry.do is not None or entry.undo is not None
        if is_step:
            yield step  # with all its concessions
        draws.clear()
        try:
            next(replaying, None)  # returns None after an error
        except RecordError as error:
            side.note = str(error)
        if is_step:
            step = _step(entry, None if side.note else draws, match)
        elif entry.conceded is not None:
            concessions = *(step.conceded or ()), (entry.seat, entry.conceded)
            step = replace(step, conceded=concessions)
    yield step


def _step(entry: Entry, draws: list[Draw] | None, match: AnyMatch) -> Step:
    """Convert an entry to a step. `draws` is None if the entry could not be replayed."""
    step = Step(entry.line, None, (), entry.seat, entry.do, entry.undo, entry.digest, conceded=())
    if draws is None:
        return step
    lines = (entry.line,) * len(draws)
    digest = entry.digest or match.digest()
    return replace(step, draws=tuple(draws), lines=lines, digest=digest)


def compare(first: Source, second: Source) -> Comparison:
    """Compare two matches, up to the first draw and the first action that differ.

    Raises:
        RecordError: The game cannot set up the match of a record.
    """
    result = Comparison(list(_different_headers(first.header, second.header)))
    for number, (left, right) in enumerate(zip_longest(first.steps, second.steps)):
        result.steps = number
        _compare_actions(result, number, left, right)
        if result.draw is None and result._known:
            _compare_draws(result, number, left, right)
        if result.action is not None and (result.draw is not None or not result._known):
            break
    return result


_COMPARED: Final = ("game", "version", "options")


def _different_headers(left: Header, right: Header) -> Iterator[tuple[str, object, object]]:
    """Yield the fields that influence the match and differ between two headers."""
    for name in _COMPARED:
        if getattr(left, name) != getattr(right, name):
            yield name, getattr(left, name), getattr(right, name)
    if Seed.of(left.seed) != Seed.of(right.seed):
        yield "seed", left.seed, right.seed
    if left.salt_bytes != right.salt_bytes:
        yield "salt", left.salt or "none", right.salt or "none"
    if len(left.seats) != len(right.seats):
        yield "seats", len(left.seats), len(right.seats)
    if left.state != right.state:
        yield "first state", _begun_from(left), _begun_from(right)


def _begun_from(header: Header) -> str:
    """Describe the initial state of a match: a given state by the start of its digest."""
    return "the setup" if header.state is None else f"given, {digest(header.state, {})[:12]}"


def _compare_actions(
    result: Comparison, number: int, left: Step | None, right: Step | None
) -> None:
    if result.action is None and _actions_differ(left, right):
        result.action = Divergence(number, left, right)
    digests = {step.digest for step in (left, right) if step is not None and step.digest}
    if result.state is None and len(digests) > 1:
        result.state = Divergence(number, left, right)


def _actions_differ(left: Step | None, right: Step | None) -> bool:
    """Return whether the actions of two steps differ, or their concessions if both are known."""
    if left is None or right is None:
        return left is not right
    if None not in (left.conceded, right.conceded) and left.conceded != right.conceded:
        return True
    return (left.seat, left.do, left.undo) != (right.seat, right.do, right.undo)


def _compare_draws(result: Comparison, number: int, left: Step | None, right: Step | None) -> None:
    left_draws = () if left is None else left.draws
    right_draws = () if right is None else right.draws
    if left_draws is None or right_draws is None:
        result._known = False
        return
    for place, draws in enumerate(zip_longest(left_draws, right_draws)):
        result.draws += 1
        if draws[0] != draws[1]:
            result.draw = Divergence(number, left, right, result.draws, place)
            return
