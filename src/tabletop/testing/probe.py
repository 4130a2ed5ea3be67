"""Tools of the laws: calls of the rules, the values in a state, and parts that two states share."""

from __future__ import annotations

import dataclasses
import json
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

StatePath: TypeAlias = tuple[object, ...]
"""The path of a value in a state: `("hands", 1, 0)`."""

Leaves: TypeAlias = Mapping[StatePath, object]
"""The values in a state, by their paths."""


def some(items: Sequence[T], count: int, chance: Stream) -> Sequence[T]:
    """All of `items`, or `count` of them where there are more."""
    return items if len(items) <= count else chance.sample(items, count)


def name_seat(seat: Seat | None) -> str:
    """A seat, counted from 0 as the rules count, or a spectator."""
    return "a spectator" if seat is None else f"seat {seat}"


def describe_failure(error: BaseException) -> str:
    """Describe an error of the rules, its place, and a remedy if one is known."""
    failed = isinstance(error, ContractError) and error.ply > 0
    if failed and error.__cause__ is not None:  # the match has wrapped it
        error = error.__cause__
    where = place_of(error)
    return f"{error!r}{f' in {where}' if where else ''}{_advice(error)}"


def _advice(error: BaseException) -> str:
    if isinstance(error, dataclasses.FrozenInstanceError):
        return ": apply changes the state in place, so the class of states must not be frozen"
    if isinstance(error, TypeError):
        for kind in Event.__subclasses__():
            bare = "__annotations__" in vars(kind) and not dataclasses.is_dataclass(kind)
            if bare and str(error).startswith((f"{kind.__name__}(", f"{kind.__name__}.")):
                return f": write @event above class {kind.__name__}"
    return ""


@dataclasses.dataclass(slots=True)
class Probe:
    """Calls the rules of a match under test; whatever they raise breaks a law."""

    game: AnyGame
    seed: str
    seats: int
    options: Options | None
    ply: int = 0

    def fail(self, law: str, what: str) -> LawBroken:
        """The error for a law that is broken at this moment."""
        return LawBroken(self.game.name, self.seed, self.ply, law, what)

    def attempt(self, law: str, what: str, act: Callable[..., Any], *arguments: Any) -> Any:
        """Call `act`; any error that it raises breaks `law`."""
        try:
            return act(*arguments)
        except LawBroken:
            raise
        except (Exception, SystemExit) as error:
            raise self.fail(law, f"{what} raised {describe_failure(error)}") from error

    def check_shape(self, wrong: str | None) -> None:
        """Break the law of shape, unless nothing is `wrong`."""
        if wrong is not None:
            raise self.fail("shape", wrong)

    def check_shared(self, law: str, what: str, part: Any, state: Any) -> None:
        """Break `law` if `part` and the state share something that can change."""
        shared = shared_part(part, state)
        if shared is not None:
            raise self.fail(law, f"{what} shares {shared} with the state: copy it as well")

    def write(self, state: Any) -> bytes:
        """A state as JSON, to compare it before and after a call of the rules."""
        written: bytes = self.attempt("json", "writing the state as JSON", to_json, state)
        return written

    def check_unchanged(self, law: str, what: str, before: bytes, state: Any) -> None:
        """Break `law` if the call `what` has changed the state, which was `before`."""
        after = self.write(state)
        if after != before:
            was, now = leaves(json.loads(before)), leaves(json.loads(after))
            at = next(at for at in {**was, **now} if was.get(at, was) != now.get(at, now))
            raise self.fail(
                law,
                f"{what} has changed the state ({spell_path(at)}: {was.get(at)!r} becomes"
                f" {now.get(at)!r}): only apply may do that; others change a copy, such as"
                " sorted(...)",
            )

    def check_fault(self, what: str, state: Any) -> None:
        """Break the law of faults if the rules find one in a state, which is called `what`."""
        if type(self.game).fault is Game.fault:
            return
        before = self.write(state)
        fault: object = self.attempt("fault", f"fault of {what}", self.game.fault, state)
        self.check_unchanged("fault", f"fault of {what}", before, state)
        if not isinstance(fault, str | None):
            raise self.fail("fault", f"fault returns {fault!r}: write a text, or None for no fault")
        if fault:
            raise self.fail("fault", f"{what} has a fault: {fault}")

    def redeal(self, state: Any, watcher: Seat | None, chance: Stream) -> Any:
        """Deal a state anew, without a fault."""
        other = self.game.redeal(state, watcher, chance)
        self.check_fault(f"a state that {name_seat(watcher)} imagines (redeal)", other)
        return other

    def make(self) -> AnyMatch:
        """The match, at its beginning."""
        return Match(self.game, seed=self.seed, seats=self.seats, options=self.options)

    def digest(self, match: AnyMatch) -> str:
        """The digest of a match."""
        digest: str = self.attempt("json", "writing the state as JSON", match.digest)
        return digest


class Position(NamedTuple):
    """A position of a match, with the events since the last position by their receivers.

    `is_new` is true for a new situation, and `is_due` if there is time for this position.
    """

    match: AnyMatch
    told: Mapping[Watcher, Sequence[Event]]
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

    The numbers of seats take turns. Every other match prefers kinds of actions that were played
    least. Matches share the time equally; positions with a new situation may use all of it.

    Args:
        matches: The number of matches.
        plies: The maximum number of actions of a match.
        seconds: The time limit, or None for no limit.
        seed: The start of the seeds of the matches.
        options: The options that differ from their defaults.
        coverage: Receives the situations.
        more: Returns further situations of a position.
    """
    began = monotonic()
    for number in range(matches):
        share = inf if seconds is None else began + seconds * (number + 1) / matches
        chance = Streams(seed)["guided", number]
        name = f"{seed} {number}"
        seats = game.seats[number % len(game.seats)]
        match: AnyMatch = Match(game, seed=name, seats=seats, options=options or {})
        for seat in range(seats):
            match.set_player(seat, Random(Streams(name)["player", seat]))
        audience = Audience(match)
        while True:
            is_new = coverage.is_new(match, audience.told[ALL], more(match))
            yield Position(match, audience.told, is_new, is_new or monotonic() < share)
            audience.forget()
            if seconds is not None and monotonic() >= began + seconds:
                return
            if match.over or match.ply >= plies:
                break
            if number % 2:
                actions = match.legal_actions(chance.choice(match.to_act))
                action = coverage.choose(actions, chance)
                coverage.played[kind_of(action)] += 1
                match.play(action)
            else:
                coverage.played[kind_of(match.step())] += 1
            audience.check()


class Audience:
    """Everybody who may watch a match.

    Attributes:
        told: what each watcher was told since it was last forgotten.
    """

    def __init__(self, match: AnyMatch) -> None:
        self._match = match
        self._failures = list[ObserverFailure]()
        self.told: dict[Watcher, list[Event]] = {it: [] for it in (ALL, None, *range(match.seats))}
        match.on_observer_failure(self._failures.append)
        for watcher, events in self.told.items():
            match.observe(events.append, seat=watcher)

    def check(self) -> None:
        """Raise `LawBroken` if the rules failed to say what somebody is told."""
        for event, error in ((it.event, it.error) for it in self._failures):
            what = f"view_event of {event} raised {describe_failure(error)}"
            match = self._match
            raise LawBroken(match.game.name, match.seed.text, match.ply, "told", what)

    def forget(self) -> None:
        """Forget what everybody was told."""
        for events in self.told.values():
            events.clear()


def name_watcher(watcher: Watcher) -> str:
    """Name a watcher: a seat, counted from 0 as the rules count, a spectator, or who sees all."""
    return "who sees all" if watcher == ALL else name_seat(watcher)


def streams_like(match: AnyMatch, seed: Seed | str) -> Streams:
    """Streams of `seed` and the salt of `match`, at the offsets that its own streams have."""
    streams = Streams(seed, match.salt)
    match.game.setup(match.options, match.seats, streams)  # which may install some of its own
    streams.restore(match.streams())
    return streams


# The values in a state.


def leaves(state: object) -> dict[StatePath, object]:
    """The values in a state that have no parts, by their paths."""
    value = to_builtins(state)
    if not isinstance(value, dict | list):
        return {(): value}
    found: dict[StatePath, object] = {}
    _find_leaves(value, (), found)
    return found


def _find_leaves(
    value: dict[str, Any] | list[Any], at: StatePath, found: dict[StatePath, object]
) -> None:
    """Add the values in `value`, which has the path `at`, to those that were found."""
    # Fast, as states are gone through many times for each action of a test.
    for name, item in value.items() if isinstance(value, dict) else enumerate(value):
        if isinstance(item, dict | list):
            _find_leaves(item, (*at, name), found)
        else:
            found[*at, name] = item


def spell_path(path: StatePath) -> str:
    """A path as in Python: `hands[1][0]`."""
    words = "".join(f".{part}" if isinstance(part, str) else f"[{part}]" for part in path)
    return words.removeprefix(".")


# What two states share.

_WITHOUT_PARTS: Final = (
    *(str, bytes, int, float, complex, bool, type(None)),
    *(Enum, type, FunctionType, ModuleType),
)
"""Types that have no parts, or whose parts a state never changes."""


def shared_part(one: object, other: object) -> str | None:
    """The place of something in `one` that can change and is part of `other` too; None if none."""
    theirs = {id(part) for _, part in _changeable(other)}
    for place, part in _changeable(one):
        if id(part) in theirs:
            return f"{place.removeprefix('it.')} (a {type(part).__name__})"
    return None


def place_in(whole: object, part: object) -> str | None:
    """Return the place of `part`, which can change, in a state; None if it is no part of it."""
    found = (place for place, it in _changeable(whole) if it is part)
    place = next(found, None)
    return None if place is None else place.removeprefix("it.")


def find_held_twice(value: object) -> tuple[str, str] | None:
    """Return two places in a state that hold one and the same thing that can change; or None."""
    places: dict[int, str] = {}
    waiting = [("it", value)]
    while waiting:
        place, part = waiting.pop(0)
        if isinstance(part, _WITHOUT_PARTS):
            continue
        if id(part) in places:
            if not _is_immutable(part):
                return places[id(part)].removeprefix("it."), place.removeprefix("it.")
            continue
        places[id(part)] = place
        waiting += _parts(place, part)
    return None


def _changeable(value: object) -> Iterator[tuple[str, object]]:
    """Everything in `value` that can change, with its place."""
    seen: set[int] = set()
    waiting = [("it", value)]
    while waiting:
        place, value = waiting.pop()
        if isinstance(value, _WITHOUT_PARTS) or id(value) in seen:
            continue
        seen.add(id(value))
        if not _is_immutable(value):
            yield place, value
        waiting += _parts(place, value)


def _parts(place: str, value: Any) -> list[tuple[str, object]]:
    """The parts of a value, each with its place."""
    if isinstance(value, dict):
        return [(f"{place}[{key!r}]", item) for key, item in value.items()]
    if isinstance(value, list | tuple | set | frozenset):
        return [(f"{place}[{number}]", item) for number, item in enumerate(value)]
    return [(f"{place}.{name}", item) for name, item in _attributes(value)]


def _is_immutable(value: Any) -> bool:
    """Check whether `value` itself cannot change; its parts may."""
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
