"""The laws of secrets: a player learns no more than the view of the seat shows.

A player knows the `view` of the seat and the events that `view_event` returns. `redeal` returns
states that the player cannot distinguish from the real state. Therefore, an event must not rule out
a state that `redeal` can return, because the player would then know more than the view shows.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import product
from math import prod
from typing import Any, Final, TypeAlias

from tabletop.errors import ContractError, IllegalAction
from tabletop.match.contract_errors import state_problem
from tabletop.match.match import AnyMatch
from tabletop.match.match_view import find_spectator_leak
from tabletop.rng.stream import Stream
from tabletop.rng.streams import Streams
from tabletop.rules.events import ActionPlayed, Event
from tabletop.rules.game import AnyGame, Game, Table
from tabletop.rules.secrets import masking_of
from tabletop.rules.selections import spread
from tabletop.states.bounds import Seat
from tabletop.states.codec import difference, to_json
from tabletop.states.masking import holds_secrets, secrets_in
from tabletop.states.schema import schema_of
from tabletop.testing.laws import Clock, LawBroken, Report
from tabletop.testing.probe import (
    Leaves,
    Probe,
    StatePath,
    describe_failure,
    leaves,
    name_seat,
    some,
    spell_path,
    streams_like,
)
from tabletop.testing.redeals import (
    LookalikeTrial,
    check_blindness,
    check_dealt,
    check_shares,
    values_of,
)

_SECRET_TESTS: Final = 32  # tests of secrets in a match, most of them early
_TRIES: Final = 6  # alternative courses of each kind to try first
_PROOF_TRIES: Final = 400  # courses to try, to find out whether an apparent leak was chance
_LOST_TRIES: Final = 100
"""Number of courses to compare before a value that a view hides counts as known to the seat."""

_FURTHER_TRIES: Final = 8000  # courses to try if a leak does not look like chance
_RARE: Final = 1000  # courses after which a test stops if too few have the same events
_LIKELY: Final = 0.8  # a value up to this probability, given the events, does not count as known
_CERTAIN: Final = 1e-6  # a leak is certain if chance explains it with a lower probability
_SPELLED_OUT: Final = 20  # cases in which an event must contain a value to count as its source

_BEFORE: Final = object()  # the first part of the path of a value in the state before an action

Case: TypeAlias = tuple[Sequence[Event], Leaves]
"""The events that a watcher received, and the values in the state that led to them."""


# Views.


def check_view(probe: Probe, match: AnyMatch, seat: Seat | None, stream: Stream) -> None:
    """Check that a view depends on no hidden value, and shares no mutable object with the state."""
    game = probe.game
    watcher = name_seat(seat)
    state = match.state
    before = probe.write(state)
    other = probe.attempt("redealt", f"redeal for {watcher}", probe.redeal, state, seat, stream)
    probe.check_shape(state_problem("redeal", other))
    probe.check_unchanged("views", f"redeal for {watcher}", before, state)
    if any(secret.fits is not None for secret in secrets_in(schema_of(type(state)))):
        check = masking_of(type(state)).check_fits
        probe.attempt("redealt", f"redeal for {watcher}", check, state, seat, game.view)
    if type(game).view is Game.view and holds_secrets(schema_of(type(state))):
        what = f"{type(state).__name__} declares secrets, but view shows them to {watcher}"
        raise probe.fail("views", f"{what}: derive {type(game).__name__} from SecretGame")
    view = probe.attempt("views", f"view of {watcher}", game.view, state, seat)
    probe.check_shape(state_problem("view", view))
    probe.check_unchanged("views", f"view of {watcher}", before, state)
    view = probe.attempt("views", f"view of {watcher}", match.view, seat)
    hides = probe.attempt("views", f"view of {watcher}", to_json, view) != before
    if hides and type(game).redeal is Game.redeal:
        what = f"the view of {watcher} hides values, so implement redeal too"
        raise probe.fail("views", what)
    # If only an order is hidden, a redealt state may be equal to the view.
    masked = to_json(other) == to_json(view) and values_of(view) != values_of(state)
    if hides and masked:
        raise probe.fail("redealt", f"redeal for {watcher} returns the masked view, not a state")
    if type(game).view is not Game.view and view is not state:
        probe.check_shared("views", f"the view of {watcher}", view, state)
    to_act = probe.attempt("redealt", "to_act after redeal", game.to_act, other)
    if tuple(to_act) != match.to_act:
        raise probe.fail(
            "redealt",
            f"to_act returns {match.to_act}, but {tuple(to_act)} after a redeal for {watcher}:"
            " everybody sees whose turn it is, so derive it from public values",
        )
    if seat in match.to_act:
        what = f"legal_actions of seat {seat} after redeal"
        legal = list(spread(match.legal_actions(seat)))
        others = list(spread(probe.attempt("redealt", what, game.legal_actions, other, seat)))
        if legal != others:
            odd = next(
                (it for it in [*legal, *others] if (it in legal) != (it in others)), legal[0]
            )
            raise probe.fail(
                "redealt",
                f"seat {seat} has other legal actions after a redeal, such as {odd}: they reveal"
                f" values that seat {seat} cannot see",
            )
    again = probe.attempt("views", f"view of {watcher} after redeal", game.view, other, seat)
    if to_json(again) != to_json(view):
        what = difference(view, again, type(view).__name__) or "its view"
        raise probe.fail(
            "views",
            f"the view of {watcher} reveals a value that redeal changes: {what}. Hide the value in"
            " view, or do not change it in redeal",
        )


def check_spectators(probe: Probe, match: AnyMatch) -> None:
    """Check that the spectator view shows nothing that is hidden from a seat."""
    seat = find_spectator_leak(match)
    if seat is not None:
        raise probe.fail(
            "spectators",
            f"the spectator view shows values that are hidden from seat {seat}, but a player"
            " can watch as a spectator, too: hide these values from spectators",
        )


def check_masked_events(probe: Probe, match: AnyMatch, events: Sequence[Event]) -> None:
    """Check that `view_event` does not fail, and hides nothing if the view hides nothing."""
    game = probe.game
    for event, seat in product(events, (*range(probe.seats), None)):
        what = f"view_event of {event} for {name_seat(seat)}"
        received = probe.attempt("events", what, game.view_event, event, match.state, seat)
        if received != event and type(game).view is Game.view:
            raise probe.fail(
                "views",
                f"{name_seat(seat)} receives {received or 'nothing'} in place of {event}, but its"
                " view shows everything: implement view and redeal too",
            )


# Events.


@dataclass(frozen=True, slots=True)
class Course:
    """The result of an action.

    Attributes:
        received: The events that the watcher receives.
        seen: The JSON of the watcher's view after the action.
    """

    action: Any
    before: Any
    state: Any
    events: tuple[Event, ...]
    received: tuple[Event, ...]
    seen: bytes

    def is_indistinguishable(self, other: Course) -> bool:
        """Return whether the watcher receives the same events and view in two courses."""
        return self.seen == other.seen and self.received == other.received

    def facts(self) -> dict[StatePath, object]:
        """Return the values in the states after and before the action, by path."""
        former = {(_BEFORE, *at): value for at, value in leaves(self.before).items()}
        return leaves(self.state) | former


@dataclass(slots=True)
class SecretsTrial:
    """Tests the laws of secrets in one position, for a watcher: a seat or a spectator."""

    match: AnyMatch
    watcher: Seat | None
    stream: Stream
    probe: Probe
    shown: Collection[str] = ()  # values that were public earlier, in a game with `views_forget`
    _game: AnyGame = field(init=False)
    _name: str = field(init=False)
    _rng: Streams = field(init=False)

    def __post_init__(self) -> None:
        self._game, self._name = self.match.game, name_seat(self.watcher)
        self._rng = streams_like(self.match, self.match.seed)

    def check(self, seat: Seat, action: Any) -> None:
        """Test the events that the watcher receives when `seat` plays `action`."""
        for course in self._course(self.match.state, seat, action, self._streams()):
            self._check_masks(course)
            declared = type(self._game).view_event is not Game.view_event
            if declared and not self._game.to_act(course.state):
                return  # after the end, events may reveal all cards
            for other in self._change_one_thing(seat, action):
                if other.seen == course.seen and other.received != course.received:
                    self._check_declared(course, other, seat)
                    self._check_leak(course, other, seat)

    # Alternative courses.

    def _streams(self, other: bool = False) -> Streams:
        """Return streams at the offsets of the match, with the same or different future draws."""
        if other:
            return streams_like(self.match, f"other {self.stream.below(2**32)}")
        return self._rng.clone()

    def _change_one_thing(self, seat: Seat, action: Any) -> Iterator[Course]:
        """Yield courses in which either the hidden values, the choice or the draws differ."""
        state, stream = self.match.state, self.stream
        for _ in range(_TRIES):
            redealt = self.probe.redeal(state, self.watcher, stream)
            yield from self._play_imagined(redealt, seat, action, self._streams())
        legal = spread(self._game.legal_actions(state, seat))
        # The watcher knows its own choice.
        others = [other for other in legal if other != action and seat != self.watcher]
        for other in some(others, _TRIES, stream):
            yield from self._course(state, seat, other, self._streams())
        for _ in range(_TRIES // 3):
            yield from self._course(state, seat, action, self._streams(other=True))

    def _change_everything(
        self, course: Course, seat: Seat, tries: int, *, evenly: bool = False
    ) -> Iterator[Course]:
        """Yield courses in which hidden values, the choice and the draws may all differ.

        Args:
            evenly: Whether the choice and the draws are uniformly random. By default, the real
                choice and draws are more frequent, so that fewer tries are needed to find courses
                with the same events.
        """
        state, stream = self.match.state, self.stream
        is_open = any(
            isinstance(event, ActionPlayed) and event.action == course.action
            for event in course.received
        )
        # Periods of two and three give every combination of a different choice and other draws.
        for number in range(tries):
            redealt = self.probe.redeal(state, self.watcher, stream)
            played = course.action
            if seat != self.watcher and (not is_open if evenly else number % 2):
                played = stream.choice(self._game.legal_actions(redealt, seat))
            yield from self._play_imagined(
                redealt, seat, played, self._streams(other=evenly or number % 3 > 0)
            )

    def _play_imagined(
        self, state: Any, seat: Seat, action: Any, streams: Streams
    ) -> Iterator[Course]:
        """Yield the course in a redealt state. If the rules fail there, `redeal` is wrong."""
        try:
            yield from self._course(state, seat, action, streams)
        except LawBroken as broken:
            laws = {"accepted": "redealt", "fault": "fault"}
            if broken.law not in laws:
                raise
            what = f"a state redealt for {self._name} cannot be played: {broken.what}"
            raise self.probe.fail(laws[broken.law], what) from broken.__cause__

    def _course(self, state: Any, seat: Seat, action: Any, streams: Streams) -> Iterator[Course]:
        """Yield the result of an action if it is legal."""
        game, watcher, before = self._game, self.watcher, state
        state = state.clone()
        try:
            game.check(state, action)
        except IllegalAction:
            return
        table = Table(streams)
        table.watch(True)
        try:
            game.apply(state, action, table)
        except Exception as error:
            raise self.probe.fail(
                "accepted", f"playing {action} raised {describe_failure(error)}"
            ) from error
        self.probe.check_fault(f"the state after {action}", state)
        events = [ActionPlayed(self.match.ply + 1, seat, action), *table.events]
        views = [game.view_event(event, state, watcher) for event in events]
        received = tuple(event for event in views if event is not None)
        seen = to_json(game.view(state, watcher))
        yield Course(action, before, state, tuple(events), received, seen)

    # The laws.

    def _check_masks(self, course: Course) -> None:
        """Check that the result of `view_event` does not depend on hidden values."""
        for event in course.events:
            received = self._game.view_event(event, course.state, self.watcher)
            for _ in range(2):
                redealt = self.probe.redeal(course.state, self.watcher, self.stream)
                other = self._game.view_event(event, redealt, self.watcher)
                if other != received:
                    raise self.probe.fail(
                        "events",
                        f"view_event of {event} for {self._name} depends on hidden values:"
                        f" {received}, but {other} after a redeal",
                    )

    def _check_declared(self, course: Course, other: Course, seat: Seat) -> None:
        """Check that the rules define `view_event` if a seat cannot see the effect of an action."""
        if type(self._game).view_event is not Game.view_event or seat == self.watcher:
            return
        if course.action != other.action and to_json(course.state) != to_json(other.state):
            raise self.probe.fail(
                "effects",
                f"{self._name} cannot see whether {course.action} or {other.action} was played, but"
                " receives an event that reveals it: decide in view_event which seats receive the"
                " event (return the event if all may)",
            )

    def _check_leak(self, course: Course, other: Course, seat: Seat) -> None:
        """Check that the events that a seat receives reveal no value that `redeal` changes."""
        declared = type(self._game).view_event is not Game.view_event
        difference = [event for event in course.received if event not in other.received]
        known, places = course.facts(), self._open_places(course, other)
        if places and self._game.views_forget and self._is_public(difference, course):
            views = self._views_during(course, None)
            shown = {*self.shown, *(repr(value) for view in views for value in view.values())}
            places = {at: odds for at, odds in places.items() if repr(known[at]) not in shown}
        if any(at[0] is _BEFORE for at in places):
            # If an event contains the value itself, or a view during the action shows it, the
            # author reveals it on purpose.
            views, spelled = self._views_during(course, self.watcher), _spelled_out(course, other)
            places = {
                at: odds
                for at, odds in places.items()
                if at[0] is not _BEFORE
                or (at not in spelled and all(view.get(at[1:]) != known[at] for view in views))
            }
        if not places:
            return
        at = self._find_decided(course, seat, known, places)
        if at is None:
            return
        raise self.probe.fail(
            "events" if declared else "effects",
            f"{self._name} receives {' and '.join(map(str, difference)) or 'nothing'}, and so knows"
            f" {_spell_fact(at, known[at])}, which its view does not show and redeal changes: hide"
            " the event in view_event, or store in the state that the value is known",
        )

    def find_lost(self, seat: Seat, action: Any) -> str | None:
        """Describe a value whose place the watcher can infer, although the view hides it.

        The watcher has seen the value move into a list. In every course with the same events, the
        list contains this value, but `redeal` moves it elsewhere. Return None if there is no such
        value.
        """
        for course in self._course(self.match.state, seat, action, self._streams()):
            view = self._game.view(self.match.state, self.watcher)
            visible = values_of(view) + Counter(map(repr, _parts(course.received).values()))
            gone = visible - values_of(self._game.view(course.state, self.watcher))
            shown = _bags(self._game.view(course.state, self.watcher))
            knowledge = {secret.known for secret in secrets_in(schema_of(type(course.state)))}
            former = _bags(course.before)
            for bag, values in _bags(course.state).items():
                if not knowledge.isdisjoint(bag):
                    continue
                entered = values - former[bag] - shown[bag]
                for value in entered.keys() & gone.keys():
                    if self._is_decided(course, seat, bag, value, values[value]):
                        return (
                            f"{self._name} has seen {value}, and so knows that it is in"
                            f" {spell_path(bag)} after {action}, which its view does not show and"
                            " redeal changes: store in the state that it is known (Known), or set"
                            " views_forget = True"
                        )
        return None

    def _is_decided(
        self, course: Course, seat: Seat, bag: StatePath, value: str, number: int
    ) -> bool:
        """Return whether `bag` has `number` such values in all courses with the same events."""
        dealt = (
            self.probe.redeal(course.state, self.watcher, self.stream) for _ in range(4 * _TRIES)
        )
        same = sum(_bags(state)[bag][value] >= number for state in dealt)
        odds, cases = (same + 1) / (4 * _TRIES + 1), 0
        if odds > _LIKELY:
            return False
        for another in self._change_everything(course, seat, _LOST_TRIES):
            if another.is_indistinguishable(course):
                if _bags(another.state)[bag][value] < number:
                    return False
                cases += 1
        return odds**cases < _CERTAIN

    def _find_decided(
        self, course: Course, seat: Seat, known: Leaves, places: Mapping[StatePath, float]
    ) -> StatePath | None:
        """Return one of `places` with the same value in all courses with the same events."""
        cases = 1
        chances = dict(sorted(places.items(), key=lambda item: item[1]))
        alike: list[Case] = []
        for another in self._change_everything(course, seat, _PROOF_TRIES):
            if another.seen != course.seen:
                continue
            facts = another.facts()
            alike.append((another.received, facts))
            if another.received != course.received:
                continue
            cases += 1
            chances = {at: odds for at, odds in chances.items() if facts.get(at) == known[at]}
            if not chances:
                return None
        # The odds ignore the events, which may make a value likely without revealing it. So
        # `_find_same` tests the place with many more courses.
        if min(chances.values()) ** cases < _CERTAIN:
            at = self._find_same(course, seat, known, [*chances])
            if at is not None:
                return at
        return self._find_spelled_out(course, seat, alike, [*chances])

    def _find_same(
        self, course: Course, seat: Seat, known: Leaves, places: Sequence[StatePath]
    ) -> StatePath | None:
        """Return one of `places` with the same value in many more courses with the same events."""
        cases, left = 0, places
        courses = self._change_everything(course, seat, _FURTHER_TRIES, evenly=True)
        for tried, another in enumerate(courses):
            # Stop if the result would be uncertain even with four times the present rate of cases.
            expected = 4 * cases * _FURTHER_TRIES / max(tried, 1)
            if tried >= _RARE and len(places) * _LIKELY**expected > _CERTAIN:
                return None
            if not another.is_indistinguishable(course):
                continue
            cases += 1
            facts = another.facts()
            left = [at for at in left if facts.get(at) == known[at]]
            # The factor `len(places)` accounts for the number of places that are tested.
            if not left or len(places) * _LIKELY**cases < _CERTAIN:
                return next(iter(left), None)
        return None

    def _find_spelled_out(
        self, course: Course, seat: Seat, alike: Sequence[Case], places: Sequence[StatePath]
    ) -> StatePath | None:
        """Return one of `places` whose value the events contain in every course, or None.

        This finds values that `_find_decided` misses. For example, if an event contains a whole
        hand, no two courses have the same events, so there is nothing to compare.
        """
        cases = [(_parts(events), state) for events, state in alike]
        pairs = [*product(_parts(course.received), places)]
        left = [
            (part, place)
            for part, place in pairs
            if all(parts.get(part) == state.get(place) for parts, state in cases)
            and len({state.get(place) for _, state in cases}) > 1
        ]
        if len(cases) < _SPELLED_OUT:
            return None
        for another in self._change_everything(course, seat, _FURTHER_TRIES):
            if not left or len(pairs) * _LIKELY ** len(cases) < _CERTAIN:
                break
            if another.seen == course.seen:
                parts, state = _parts(another.received), another.facts()
                cases.append((parts, state))
                left = [
                    (part, place) for part, place in left if parts.get(part) == state.get(place)
                ]
        else:
            return None
        for _, place in left:
            # The probability of as many equal pairs if the two values were independent.
            numbers = Counter(state.get(place) for _, state in cases).values()
            if len(pairs) * prod((number / len(cases)) ** number for number in numbers) < _CERTAIN:
                return place
        return None

    def _is_public(self, events: Sequence[Event], course: Course) -> bool:
        """Return whether spectators also receive these events."""
        public = [self._game.view_event(event, course.state, None) for event in course.events]
        return all(event in public for event in events)

    def _views_during(self, course: Course, watcher: Seat | None) -> list[Leaves]:
        """Return the values in the view of `watcher` at each event of an action."""
        game, state = self._game, self.match.state.clone()
        table, views = Table(self._streams()), list[Leaves]()

        def note_view(event: Event) -> None:
            views.append(leaves(game.view(state, watcher)))

        table.watched, table.emit = True, note_view
        game.apply(state, course.action, table)
        return views

    def _open_places(self, course: Course, other: Course) -> dict[StatePath, float]:
        """Return the places that differ in two courses and that `redeal` changes.

        For each place, the result has the probability that a redeal puts the same value there. This
        is an upper bound, because values that did not occur may also be possible.
        """
        known, instead = course.facts(), other.facts()
        differ = [at for at, value in known.items() if instead.get(at) != value]
        if not differ:
            return {}
        tries = 4 * _TRIES
        dealt = []
        for _ in range(tries):
            before, after = (
                self.probe.redeal(state, self.watcher, self.stream)
                for state in (course.before, course.state)
            )
            dealt.append(replace(course, before=before, state=after).facts())
        same = Counter(at for facts in dealt for at in differ if facts.get(at) == known[at])
        return {at: (same[at] + 1) / (tries + 1) for at in differ if same[at] < tries}


def _spelled_out(course: Course, other: Course) -> set[StatePath]:
    """Return the paths of facts whose values the events contain, in both courses."""
    known, instead = course.facts(), other.facts()
    parts, others = _parts(course.received), _parts(other.received)
    return {
        at
        for at, value in known.items()
        if any(
            part == value and others.get(place) == instead.get(at) for place, part in parts.items()
        )
    }


def _spell_fact(at: StatePath, value: object) -> str:
    """Return a value of `Course.facts` as text."""
    if at[0] is _BEFORE:
        return f"{spell_path(at[1:])} = {value!r} before the action"
    return f"{spell_path(at)} = {value!r}"


def _bags(state: object) -> defaultdict[StatePath, Counter[str]]:
    """Count the values in each list of a state, and in each place outside lists."""
    bags: defaultdict[StatePath, Counter[str]] = defaultdict(Counter)
    for at, value in leaves(state).items():
        bags[at[:-1] if isinstance(at[-1], int) else at][repr(value)] += 1
    return bags


def _parts(events: Sequence[Event]) -> dict[StatePath, object]:
    """Return the values in events by path. Events that are not plain data are ignored."""
    parts: dict[StatePath, object] = {}
    for number, event in enumerate(events):
        with suppress(ContractError):
            parts.update({(number, *at): value for at, value in leaves(event).items()})
    return parts


# The tests of a match.


@dataclass(slots=True)
class TellingTrial:
    """Tests the laws of secrets in some positions of a match.

    Attributes:
        tests: The number of positions tested so far.
        imagined: Positions, each with a watcher. After the match, each position is redealt for its
            watcher and played to the end.
    """

    probe: Probe
    report: Report
    tests: int = 0
    imagined: list[tuple[AnyMatch, Seat | None]] = field(default_factory=list)
    _lookalikes: LookalikeTrial = field(default_factory=LookalikeTrial)
    _shown: set[str] = field(default_factory=set)
    _compared: set[Seat | None] = field(default_factory=set)

    def note_shown(self, match: AnyMatch) -> None:
        """Record the public values of this position, in a game with `views_forget`."""
        if self.probe.game.views_forget:
            self._shown.update(map(repr, leaves(match.view(None)).values()))

    def is_due(self, ply: int, stream: Stream) -> bool:
        """Return whether to test secrets at this ply. Always False in a game without secrets."""
        if type(self.probe.game).redeal is Game.redeal or self.tests >= _SECRET_TESTS:
            return False
        return ply < _SECRET_TESTS // 4 or stream.chance(1, 6)

    def check(self, before: AnyMatch, seat: Seat, action: Any, stream: Stream) -> None:
        """Test the redealt states before an action, and the events that each watcher receives."""
        probe = self.probe
        watchers = (*range(probe.seats), None)
        copy = stream.copy()
        for watcher in watchers:
            if not before.ply:
                check_dealt(before, watcher, stream, probe)
            for law in (check_blindness, self._lookalikes.check):
                probe.attempt("redealt", "redeal", law, before, watcher, copy, probe)
            if watcher not in self._compared:
                given = before, watcher, copy.copy(), probe
                if probe.attempt("redealt", "redeal", check_shares, *given):
                    self._compared.add(watcher)
            trial = SecretsTrial(before, watcher, stream, probe, self._shown)
            what = f"the events of {action}"
            probe.attempt("events", what, trial.check, seat, action)
            is_complete = before.game.views_forget or self.report.warnings
            if watcher is not None and not is_complete:  # the knowledge of spectators is not needed
                lost = probe.attempt("events", what, trial.find_lost, seat, action)
                if lost is not None:
                    where = f"seed {probe.seed!r}, ply {before.ply}"
                    self.report.warnings.append(f"{where}: {lost}")
        self._lookalikes.play(action)
        if self.tests % 8 == 0:
            self.imagined.append((before, stream.choice(watchers)))
        self.tests += 1

    def check_imagined(self, stream: Stream, plies: int, clock: Clock) -> None:
        """Check that redealt states can be played to the end, or for `plies` random actions."""
        for former, watcher in self.imagined:
            if not clock.plays:
                break
            self.probe.ply = former.ply
            game, state = former.game, self.probe.redeal(former.state, watcher, stream)
            what = f"a state redealt for {name_seat(watcher)}"
            table = Table(streams_like(former, f"imagined {stream.below(2**32)}"))
            try:
                for _ in range(plies):
                    seats = game.to_act(state)
                    if not seats:
                        break
                    action = stream.choice(game.legal_actions(state, seats[0]))
                    game.check(state, action)
                    game.apply(state, action, table)
                    self.probe.check_fault(f"a position after {what}", state)
                outcome = game.outcome(state)
            except LawBroken:
                raise
            except Exception as error:
                what = f"{what} cannot be played to the end: {describe_failure(error)}"
                raise self.probe.fail("redealt", what) from error
            if outcome is None and not game.to_act(state):
                raise self.probe.fail("redealt", f"{what} ends without an outcome")
