"""Helpers for tests of the laws: call the rules, list values in a state, find shared objects."""

from __future__ import annotations

import dataclasses
import json
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import Enum
from math import inf
from time import monotonic
from types import FunctionType, ModuleType
from typing import Any, Final, NamedTuple, TypeAlias, TypeVar

from tabletop.errors import ContractError
from tabletop.host.modules import place_of
from tabletop.match.match import AnyMatch, Match
from tabletop.match.players import Random
from tabletop.rng.seeds import Seed
from tabletop.rng.stream import Stream
from tabletop.rng.streams import Streams
from tabletop.rules.events import ALL, Event, ObserverFailure, Watcher
from tabletop.rules.game import AnyGame, Game
from tabletop.rules.options import Options
from tabletop.states.bounds import Seat
from tabletop.states.codec import to_builtins, to_json
from tabletop.testing.coverage import Coverage, kind_of
from tabletop.testing.laws import LawBroken

T = TypeVar("T")

StatePath: TypeAlias = tuple[object, ...]  # the path of a value in a state: `("hands", 1, 0)`
Leaves: TypeAlias = Mapping[StatePath, object]  # the values in a state, by path


def some(items: Sequence[T], count: int, stream: Stream) -> Sequence[T]:
    """Return a random sample of at most `count` items."""
    return items if len(items) <= count else stream.sample(items, count)


def name_seat(seat: Seat | None) -> str:
    """Return the name of a seat (from 0, as in the rules) or a spectator, for messages."""
    return "a spectator" if seat is None else f"seat {seat}"


def describe_failure(error: BaseException) -> str:
    """Describe an error of the rules with its place, and a remedy if one is known."""
    failed = isinstance(error, ContractError) and error.ply > 0
    if failed and error.__cause__ is not None:  # the match has wrapped it
        error = error.__cause__
    where = place_of(error)
    return f"{error!r}{f' in {where}' if where else ''}{_advice(error)}"


def _advice(error: BaseException) -> str:
    if isinstance(error, dataclasses.FrozenInstanceError):
        return ": apply changes the state in place, so the state class must not be frozen"
    if isinstance(error, TypeError):
        for kind in Event.__subclasses__():
            bare = "__annotations__" in vars(kind) and not dataclasses.is_dataclass(kind)
            if bare and str(error).startswith((f"{kind.__name__}(", f"{kind.__name__}.")):
                return f": write @event above class {kind.__name__}"
    return ""


@dataclasses.dataclass(slots=True)
class Probe:
    """Calls the rules of a match under test, and turns their errors into broken laws.

    Attributes:
        ply: The number of actions played so far, for errors.
    """

    game: AnyGame
    seed: str
    seats: int
    options: Options | None
    ply: int = 0

    def fail(self, law: str, what: str) -> LawBroken:
        """Return the error for a broken law at the current ply."""
        return LawBroken(self.game.name, self.seed, self.ply, law, what)

    def attempt(self, law: str, what: str, act: Callable[..., Any], *arguments: Any) -> Any:
        """Call `act` with the arguments. An error in the call breaks `law`."""
        try:
            return act(*arguments)
        except LawBroken:
            raise
        except (Exception, SystemExit) as error:
            raise self.fail(law, f"{what} raised {describe_failure(error)}") from error

    def check_shape(self, wrong: str | None) -> None:
        """Raise a violation of the law "shape" with this description, unless `wrong` is None."""
        if wrong is not None:
            raise self.fail("shape", wrong)

    def check_shared(self, law: str, what: str, part: Any, state: Any) -> None:
        """Check that `part` and the state share no mutable object."""
        shared = shared_part(part, state)
        if shared is not None:
            raise self.fail(law, f"{what} shares {shared} with the state: return a copy")

    def write(self, state: Any) -> bytes:
        """Return a state as JSON, to compare it before and after a call to the rules."""
        written: bytes = self.attempt("json", "writing the state as JSON", to_json, state)
        return written

    def check_unchanged(self, law: str, what: str, before: bytes, state: Any) -> None:
        """Check that the call `what` has not changed a state whose JSON was `before`."""
        after = self.write(state)
        if after != before:
            was, now = leaves(json.loads(before)), leaves(json.loads(after))
            at = next(at for at in {**was, **now} if was.get(at, was) != now.get(at, now))
            raise self.fail(
                law,
                f"{what} changed the state ({spell_path(at)}: {was.get(at)!r} becomes"
                f" {now.get(at)!r}). Only apply may do that. Change a copy instead, such as"
                " sorted(...)",
            )

    def check_fault(self, what: str, state: Any) -> None:
        """Check that `Game.fault` finds nothing wrong in a state. `what` describes the state."""
        if type(self.game).fault is Game.fault:
            return
        before = self.write(state)
        fault: object = self.attempt("fault", f"fault of {what}", self.game.fault, state)
        self.check_unchanged("fault", f"fault of {what}", before, state)
        if not isinstance(fault, str | None):
            raise self.fail("fault", f"fault returns {fault!r}: return a string, or None")
        if fault:
            raise self.fail("fault", f"{what} has a fault: {fault}")

    def redeal(self, state: Any, watcher: Seat | None, stream: Stream) -> Any:
        """Redeal a state for a watcher, and check that it has no fault."""
        other = self.game.redeal(state, watcher, stream)
        self.check_fault(f"a state redealt for {name_seat(watcher)}", other)
        return other

    def make(self) -> AnyMatch:
        """Create the match in its initial state."""
        return Match(self.game, seed=self.seed, seats=self.seats, options=self.options)

    def digest(self, match: AnyMatch) -> str:
        """Return the digest of a match."""
        digest: str = self.attempt("json", "writing the state as JSON", match.digest)
        return digest


class Position(NamedTuple):
    """A position of a match.

    Attributes:
        match: The match.
        recent: The events since the last position, for each watcher.
        is_new: Whether the position has a new situation.
        is_due: Whether there is time to test the position.
    """

    match: AnyMatch
    recent: Mapping[Watcher, Sequence[Event]]
    is_new: bool
    is_due: bool


def watched_positions(
    game: AnyGame,
    *,
    matches: int,
    plies: int,
    seconds: float | None,
    seed: str,
    options: Options | None,
    coverage: Coverage,
    more: Callable[[AnyMatch], Iterable[object]] = lambda match: (),
) -> Iterator[Position]:
    """Yield each position of random matches.

    The matches cycle through the numbers of seats. Every second match prefers the kinds of actions
    that were played least. Matches share the time equally, but positions with a new situation may
    use all of the time.

    Args:
        seed: The start of the seeds of the matches.
        options: The options that differ from their defaults.
        coverage: Receives the situations.
        more: Returns further situations of a position.
    """
    began = monotonic()
    for number in range(matches):
        share = inf if seconds is None else began + seconds * (number + 1) / matches
        stream = Streams(seed)["guided", number]
        name = f"{seed} {number}"
        seats = game.seats[number % len(game.seats)]
        match: AnyMatch = Match(game, seed=name, seats=seats, options=options or {})
        for seat in range(seats):
            match.set_player(seat, Random(Streams(name)["player", seat]))
        audience = Audience(match)
        while True:
            is_new = coverage.is_new(match, audience.events[ALL], more(match))
            yield Position(match, audience.events, is_new, is_new or monotonic() < share)
            audience.clear()
            if seconds is not None and monotonic() >= began + seconds:
                return
            if match.over or match.ply >= plies:
                break
            if number % 2:
                actions = match.legal_actions(stream.choice(match.to_act))
                action = coverage.choose(actions, stream, match.game)
                coverage.played[kind_of(action, match.game)] += 1
                match.play(action)
            else:
                coverage.played[kind_of(match.step(), match.game)] += 1
            audience.check()


class Audience:
    """All watchers of a match.

    Attributes:
        events: The events that each watcher received since the last `clear`.
    """

    def __init__(self, match: AnyMatch) -> None:
        self._match = match
        self._failures = list[ObserverFailure]()
        watchers = (ALL, None, *range(match.seats))
        self.events: dict[Watcher, list[Event]] = {watcher: [] for watcher in watchers}
        match.on_observer_failure(self._failures.append)
        for watcher, events in self.events.items():
            match.observe(events.append, seat=watcher)

    def check(self) -> None:
        """Raise `LawBroken` if `view_event` has failed."""
        for failure in self._failures:
            what = f"view_event of {failure.event} raised {describe_failure(failure.error)}"
            match = self._match
            raise LawBroken(match.game.name, match.seed.text, match.ply, "events", what)

    def clear(self) -> None:
        """Forget the events."""
        for events in self.events.values():
            events.clear()


def name_watcher(watcher: Watcher) -> str:
    """Return the name of a watcher, for messages."""
    return "a watcher who sees everything" if watcher == ALL else name_seat(watcher)


def streams_like(match: AnyMatch, seed: Seed | str) -> Streams:
    """Return streams with `seed` and the salt of `match`, at the offsets of the match's streams."""
    streams = Streams(seed, match.salt)
    match.game.setup(match.options, match.seats, streams)  # the rules may install streams
    streams.restore(match.streams())
    return streams


# The values in a state.


def leaves(state: object) -> dict[StatePath, object]:
    """Return the values in a state that have no parts, such as numbers, by path."""
    value = to_builtins(state)
    if not isinstance(value, dict | list):
        return {(): value}
    values: dict[StatePath, object] = {}
    _add_leaves(value, (), values)
    return values


def _add_leaves(
    value: dict[str, Any] | list[Any], at: StatePath, values: dict[StatePath, object]
) -> None:
    """Add the leaves of `value`, which has the path `at`, to `values`."""
    # This must be fast, because it runs for many states per action of a test.
    for name, item in value.items() if isinstance(value, dict) else enumerate(value):
        if isinstance(item, dict | list):
            _add_leaves(item, (*at, name), values)
        else:
            values[*at, name] = item


def spell_path(path: StatePath) -> str:
    """Return a path in Python notation: `hands[1][0]`."""
    words = "".join(f".{part}" if isinstance(part, str) else f"[{part}]" for part in path)
    return words.removeprefix(".")


# Shared parts of states.

_WITHOUT_PARTS: Final = (
    *(str, bytes, int, float, complex, bool, type(None)),
    *(Enum, type, FunctionType, ModuleType),
)
"""Types without parts, or whose parts a state never changes."""


def shared_part(value: object, other: object) -> str | None:
    """Return the place in `value` of a mutable object that `other` also contains, or None."""
    theirs = {id(part) for _, part in _mutable_parts(other)}
    for place, part in _mutable_parts(value):
        if id(part) in theirs:
            return f"{place.removeprefix('it.')} (a {type(part).__name__})"
    return None


def place_in(whole: object, part: object) -> str | None:
    """Return the place of a mutable object in a state, or None if it is not part of the state."""
    places = (place for place, item in _mutable_parts(whole) if item is part)
    place = next(places, None)
    return None if place is None else place.removeprefix("it.")


def find_held_twice(value: object) -> tuple[str, str] | None:
    """Return two places in a state that contain the same mutable object, or None."""
    places: dict[int, str] = {}
    for place, part in _mutable_parts(value, repeats=True):
        former = places.setdefault(id(part), place)
        if former != place:
            return former.removeprefix("it."), place.removeprefix("it.")
    return None


def _mutable_parts(value: object, *, repeats: bool = False) -> Iterator[tuple[str, object]]:
    """Yield every mutable object in `value`, with its place, once or (`repeats`) at each place."""
    seen: set[int] = set()
    waiting = deque([("it", value)])
    while waiting:
        place, value = waiting.popleft()
        if isinstance(value, _WITHOUT_PARTS):
            continue
        is_new = id(value) not in seen
        if (is_new or repeats) and not _is_immutable(value):
            yield place, value
        if is_new:
            seen.add(id(value))
            waiting += _parts(place, value)


def _parts(place: str, value: Any) -> list[tuple[str, object]]:
    """Return the parts of a value, each with its place."""
    if isinstance(value, dict):
        return [(f"{place}[{key!r}]", item) for key, item in value.items()]
    if isinstance(value, list | tuple | set | frozenset):
        return [(f"{place}[{number}]", item) for number, item in enumerate(value)]
    return [(f"{place}.{name}", item) for name, item in _attributes(value)]


def _is_immutable(value: Any) -> bool:
    """Return whether `value` itself is immutable. Its parts may be mutable."""
    if isinstance(value, tuple | frozenset):
        return True
    if dataclasses.is_dataclass(value):
        kind: Any = type(value)
        return bool(kind.__dataclass_params__.frozen)
    return not isinstance(value, list | dict | set | bytearray) and not _attributes(value)


def _attributes(value: Any) -> list[tuple[str, object]]:
    names = [*getattr(value, "__dict__", ())]
    for kind in type(value).__mro__:
        slots = kind.__dict__.get("__slots__", ())
        names += [slots] if isinstance(slots, str) else slots
    return [(name, getattr(value, name)) for name in names if hasattr(value, name)]
