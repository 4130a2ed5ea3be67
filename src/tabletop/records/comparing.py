"""Compare two matches: find the first draw and the first action in which their records differ.

A record holds the actions; it is played again to find the draws. A log of draws
(`tabletop.records.draw_log`) holds both.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
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
"""A function that finds the rules to replay a record with."""


@dataclass(slots=True)
class Source:
    """A side of a comparison.

    Attributes:
        path: the file.
        kind: "record" or "log".
        header: the header of the match.
        steps: the setup and all actions, in order; can be iterated once.
        note: the step from which its draws are not known, and the reason; empty while they are
            known.
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
        step: the number of the step, as in `tabletop replay`; 0 is the setup.
        first, second: the step of either side; None for a side that has ended before.
        draw: the number of the differing draw, from 1 over all steps; 0 if no draw differs.
        place: the draw's place among those of the step, counted from 0.
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
        headers: the differences of their headers: name, and the value of either.
        draw: the first draw that differs.
        action: the first action that differs.
        state: the first step with a different result.
        steps, draws: the numbers compared; the setup does not count as a step.
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
        """True when nothing differs."""
        return not self.headers and self.draw is self.action is self.state is None


def open_source(path: str | Path, find: GameFinder) -> Source:
    """Open a record, to replay with the rules that `find` returns, or a log of draws.

    The file may be a pipe, such as `/dev/stdin`.

    Raises:
        RecordError: The file is neither or is damaged, or the game cannot play such a match.
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
    """Yield the steps of a record, with their draws in a replay."""
    draws: list[Draw] = []
    match = match_of(record, game, anyway=True, on_draw=draws.append)
    yield Step(1, tuple(draws), (1,) * len(draws), digest=match.digest())
    replaying = replayed(match, record.entries)
    for entry in record.entries:
        draws.clear()
        try:
            next(replaying, None)  # none, after an error
        except RecordError as error:
            side.note = str(error)
        if entry.do is not None or entry.undo is not None:
            yield _step(entry, None if side.note else draws, match)


def _step(entry: Entry, draws: list[Draw] | None, match: AnyMatch) -> Step:
    """An entry as a step; its `draws` are None where it did not replay."""
    if draws is None:
        return Step(entry.line, None, (), entry.seat, entry.do, entry.undo, entry.digest)
    lines = (entry.line,) * len(draws)
    digest = entry.digest or match.digest()
    return Step(entry.line, tuple(draws), lines, entry.seat, entry.do, entry.undo, digest)


def compare(first: Source, second: Source) -> Comparison:
    """Compare two matches, up to the first draw and the first action that differ.

    Raises:
        RecordError: a record is of a match that its game cannot be.
    """
    found = Comparison(list(_different_headers(first.header, second.header)))
    for number, (one, other) in enumerate(zip_longest(first.steps, second.steps)):
        found.steps = number
        _compare_actions(found, number, one, other)
        if found.draw is None and found._known:
            _compare_draws(found, number, one, other)
        if found.action is not None and (found.draw is not None or not found._known):
            break
    return found


_COMPARED: Final = ("game", "version", "options")


def _different_headers(one: Header, other: Header) -> Iterator[tuple[str, object, object]]:
    """Yield the fields in which headers differ, of those that influence the match."""
    for name in _COMPARED:
        if getattr(one, name) != getattr(other, name):
            yield name, getattr(one, name), getattr(other, name)
    if Seed.of(one.seed) != Seed.of(other.seed):
        yield "seed", one.seed, other.seed
    if one.salt_bytes != other.salt_bytes:
        yield "salt", one.salt or "none", other.salt or "none"
    if len(one.seats) != len(other.seats):
        yield "seats", len(one.seats), len(other.seats)
    if one.state != other.state:
        yield "first state", _begun_from(one), _begun_from(other)


def _begun_from(header: Header) -> str:
    """Return the fields a match begins from; a given state appears as the start of its digest."""
    return "the setup" if header.state is None else f"given, {digest(header.state, {})[:12]}"


def _compare_actions(found: Comparison, number: int, one: Step | None, other: Step | None) -> None:
    if found.action is None and _action_of(one) != _action_of(other):
        found.action = Divergence(number, one, other)
    digests = {step.digest for step in (one, other) if step is not None and step.digest}
    if found.state is None and len(digests) > 1:
        found.state = Divergence(number, one, other)


def _action_of(step: Step | None) -> object:
    return None if step is None else (step.seat, step.do, step.undo)


def _compare_draws(found: Comparison, number: int, one: Step | None, other: Step | None) -> None:
    left = () if one is None else one.draws
    right = () if other is None else other.draws
    if left is None or right is None:
        found._known = False
        return
    for place, (draw, twin) in enumerate(zip_longest(left, right)):
        found.draws += 1
        if draw != twin:
            found.draw = Divergence(number, one, other, found.draws, place)
            return
