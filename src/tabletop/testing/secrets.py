"""The laws of secrets: a seat sees and is told no more than `redeal` leaves open.

A seat knows its `view` and the events of `view_event`. `redeal` gives the states that it cannot
tell apart. So no event may rule out a state that `redeal` gives: else the seat knows more than its
view shows.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import count, product
from math import factorial, prod, sqrt
from typing import Any, Final, TypeAlias

from tabletop.errors import ContractError, IllegalAction
from tabletop.match.contract_errors import state_problem
from tabletop.match.match import AnyMatch, Match
from tabletop.match.match_view import find_spectator_leak
from tabletop.rng.stream import Stream
from tabletop.rng.streams import Streams
from tabletop.rules.events import ActionPlayed, Event
from tabletop.rules.game import AnyGame, Game, Table
from tabletop.rules.secrets import masking_of
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

_FIRST_DEALS: Final = 4  # how many first deals are compared to see whether all have the same cards
_OTHERS: Final = 24  # with how many other matches one is compared
_DEALS: Final = 24  # how often a state is dealt anew to see whether the same always comes of it
_PLIES: Final = 8  # after how many actions matches are compared at most
_SECRET_TESTS: Final = 32  # at how many moments of a match secrets are tested, most of them early
_TRIES: Final = 6  # how many ways in which something else could have happened are tried at first
_PROOF_TRIES: Final = 400  # how many are tried to find out whether a seeming leak was chance
_LOST_TRIES: Final = 100
"""Courses to compare before a value counts as known to a seat whose view hides it."""

_FURTHER_TRIES: Final = 8000  # how many are tried where it does not look like chance
_RARE: Final = 1000  # after how many of them it is known whether the same comes too seldom
_LIKELY: Final = 0.8  # what is so likely, given the news, is not told yet
_CERTAIN: Final = 1e-6  # with a chance below this one, it was no chance
_SPELLED_OUT: Final = 20  # how often an event must say what lies somewhere to seem to tell that

_FEW_DRAWS: Final = 48  # after how many deals it is known whether there are few ways to deal
_MOST_DEALS: Final = 12  # how many ways to deal are few
_DRAWS_EACH: Final = 60  # how often each of them is dealt, more or less, to compare their shares

Deal: TypeAlias = tuple[tuple[StatePath, tuple[str, ...]], ...]
"""The values in each list of a state, sorted, by the path of the list."""

_BEFORE: Final = object()
"""The first part of the path of a value in the state before an action."""

Case: TypeAlias = tuple[Sequence[Event], Leaves]
"""The events that somebody received, and the values in the state that led to them."""


# What a seat imagines: a redealt state.


def values_of(state: object) -> Counter[str]:
    """Count the values in a state."""
    return Counter(map(repr, leaves(state).values()))


def check_dealt(match: AnyMatch, watcher: Seat | None, chance: Stream, probe: Probe) -> None:
    """Check that a redeal keeps the cards, in a game whose matches all begin with the same ones."""
    others = [other.state for other in _first_deals(match, _FIRST_DEALS)]
    cards = values_of(match.state)
    dealt_anew = any(to_json(other) != to_json(match.state) for other in others)
    if not dealt_anew or any(values_of(other) != cards for other in others):
        return
    for _ in others:
        dealt = values_of(probe.redeal(match.state, watcher, chance))
        made_up, missing = dealt - cards, cards - dealt
        if made_up:
            raise probe.fail(
                "redealt",
                f"redeal for {name_seat(watcher)} makes up {', '.join(made_up)} in place of"
                f" {', '.join(missing)}, though every match begins with the same: deal what"
                " there is",
            )


def _first_deals(match: AnyMatch, count: int) -> list[AnyMatch]:
    """New matches like this one; their seeds are fixed, so that a check always says the same."""
    seeds = [f"dealt {number}" for number in range(count)]
    return [
        Match(match.game, seed=seed, seats=match.seats, options=match.options) for seed in seeds
    ]


def check_blindness(match: AnyMatch, watcher: Seat | None, chance: Stream, probe: Probe) -> None:
    """The same draws deal the same, whichever of the states that look alike is the real one."""
    state = match.state
    other = probe.redeal(state, watcher, chance)
    drawn = chance.copy()
    one, two = probe.redeal(state, watcher, chance), probe.redeal(other, watcher, drawn)
    if to_json(one) == to_json(two):
        return
    what = difference(one, two, type(one).__name__) or "something"
    raise probe.fail(
        "redealt",
        f"what redeal deals for {name_seat(watcher)} depends on what it must not see: with the same"
        f" draws {what} when the hidden things have lain elsewhere; bring them into an order of"
        " their own before they are shuffled, as mix of tabletop.parts.cards does",
    )


def check_shares(match: AnyMatch, watcher: Seat | None, chance: Stream, probe: Probe) -> bool:
    """Compare how often each hidden value is dealt to each place with how often it should be.

    Every deal that `redeal` makes at all is as likely as it has ways to come about. Only where the
    same values are dealt each time, in few ways, that is compared; returns whether it was.
    """
    deals: Counter[Deal] = Counter()
    declared = secrets_in(schema_of(type(match.state)))
    is_placed = any(it.fits is not None for it in declared)
    first = _hidden_deal(probe.redeal(match.state, watcher, chance), is_placed)
    for number in count():
        deal = _hidden_deal(probe.redeal(match.state, watcher, chance), is_placed)
        deals[deal] += 1
        is_enough = number >= _FEW_DRAWS and number >= _DRAWS_EACH * len(deals)
        if len(deals) > _MOST_DEALS or _dealt_values(deal) != _dealt_values(first):
            return False
        if is_enough:
            break
    total = deals.total()
    ways = {deal: _ways(deal) for deal in deals}
    exact = {deal: total * way / sum(ways.values()) for deal, way in ways.items()}
    surprise = sum((deals[deal] - exact[deal]) ** 2 / exact[deal] for deal in deals)
    degrees = len(deals) - 1
    if degrees < 1 or surprise < degrees + 8 * sqrt(2 * degrees) + 40:
        return degrees > 0
    shares: dict[tuple[StatePath, str], tuple[float, float]] = {}
    for deal in deals:
        for bag, values in deal:
            for value in set(values):
                one, other = shares.get((bag, value), (0.0, 0.0))
                shares[bag, value] = one + deals[deal] / total, other + exact[deal] / total
    (bag, value), (dealt, right) = max(shares.items(), key=lambda it: abs(it[1][0] - it[1][1]))
    raise probe.fail(
        "redealt",
        f"redeal for {name_seat(watcher)} puts {value} into {spell_path(bag)} in"
        f" {100 * dealt:.0f} % of its deals; were all ways to deal equally likely it would be"
        f" {100 * right:.0f} %:"
        " deal the places to the cards, one for each card that lies there, not the cards to the"
        " places (see `Stream.deal`)",
    )


def _hidden_deal(redealt: object, is_placed: bool) -> Deal:
    """The values of a redealt state by the list that they are in, in no order within it.

    With `is_placed` each has its own place: what fits may differ within a list.
    """
    bags: defaultdict[StatePath, list[str]] = defaultdict(list)
    for path, value in leaves(redealt).items():
        bag = path[:-1] if isinstance(path[-1], int) and not is_placed else path
        bags[bag].append(repr(value))
    return tuple((bag, tuple(sorted(values))) for bag, values in bags.items())


def _dealt_values(deal: Deal) -> tuple[list[tuple[StatePath, int]], Counter[str]]:
    sizes = [(bag, len(values)) for bag, values in deal]
    return sizes, Counter(value for _, values in deal for value in values)


def _ways(deal: Deal) -> float:
    """In how many orders the values of each list can lie in it, times a constant."""
    alike = (factorial(number) for _, values in deal for number in Counter(values).values())
    return 1 / prod(alike)


@dataclass(slots=True)
class LookalikeTrial:
    """Compares a match with others in which the same was played.

    Where two of them look the same to somebody, a redeal of one must be able to become the other.
    Dice that are dealt as if they were cards cannot.
    """

    others: list[AnyMatch] = field(default_factory=list)  # of other seeds, with the same actions
    _settled: set[Seat | None] = field(default_factory=set)

    def check(self, match: AnyMatch, watcher: Seat | None, chance: Stream, probe: Probe) -> None:
        """Compare the match for one watcher, unless that was done."""
        if not match.ply and not self.others:
            self.others = _first_deals(match, _OTHERS)
        if match.game.views_forget and match.ply:
            return  # somebody may know more than the view shows
        other = None if watcher in self._settled else self._lookalike(match, watcher)
        if other is None:
            return
        real = _dealt_in(match.state)
        for _ in range(_DEALS):
            if _dealt_in(probe.redeal(match.state, watcher, chance)) != real:
                self._settled.add(watcher)
                return
        there = _dealt_in(other.state)
        raise probe.fail(
            "redealt",
            f"redeal for {name_seat(watcher)} deals what really lies there, in another order:"
            f" {_spell_values(real - there)}; in the match {other.seed!s}, which looks the same to"
            f" it, it is {_spell_values(there - real)}. What was rolled or chosen is not dealt: say"
            " what it can be, secret(..., choices=...), or draw it anew in redeal; cards that are"
            " out of play lie in the state as well",
        )

    def go_on(self, action: Any) -> None:
        """Play the next action in the other matches, as long as it is possible there."""
        kept = []
        for other in self.others if self.others and self.others[0].ply < _PLIES else ():
            try:
                other.play(action)
            except IllegalAction:
                continue
            kept.append(other)
        self.others = kept

    def _lookalike(self, match: AnyMatch, watcher: Seat | None) -> AnyMatch | None:
        """Another match that looks the same to the watcher and holds other things."""
        seen, real = to_json(match.game.view(match.state, watcher)), _dealt_in(match.state)
        for other in self.others:
            if other.ply != match.ply or _dealt_in(other.state) == real:
                continue
            if to_json(other.game.view(other.state, watcher)) == seen:
                return other
        return None


def _dealt_in(state: object) -> Counter[str]:
    """Count the values in a state, without what seats know: a redeal keeps how much that is."""
    knowledge = {it.known for it in secrets_in(schema_of(type(state))) if it.known}
    return Counter(repr(it) for at, it in leaves(state).items() if knowledge.isdisjoint(at))


def _spell_values(values: Counter[str]) -> str:
    return ", ".join(sorted(values.elements())[:6]) or "nothing"


# What a seat is shown.


def check_view(probe: Probe, match: AnyMatch, seat: Seat | None, chance: Stream) -> None:
    """Check that a view depends on nothing hidden, and shares nothing with the state."""
    game = probe.game
    who = name_seat(seat)
    state = match.state
    before = probe.write(state)
    other = probe.attempt("redealt", f"redeal for {who}", probe.redeal, state, seat, chance)
    probe.check_shape(state_problem("redeal", other))
    probe.check_unchanged("views", f"redeal for {who}", before, state)
    if any(it.fits is not None for it in secrets_in(schema_of(type(state)))):
        check = masking_of(type(state)).check_fits
        probe.attempt("redealt", f"redeal for {who}", check, state, seat)
    if type(game).view is Game.view and holds_secrets(schema_of(type(state))):
        what = f"a {type(state).__name__} declares secrets, and view shows them to {who}"
        raise probe.fail("views", f"{what}: derive {type(game).__name__} from SecretGame")
    view = probe.attempt("views", f"view of {who}", game.view, state, seat)
    probe.check_shape(state_problem("view", view))
    probe.check_unchanged("views", f"view of {who}", before, state)
    view = probe.attempt("views", f"view of {who}", match.view, seat)
    hides = probe.attempt("views", f"view of {who}", to_json, view) != before
    if hides and type(game).redeal is Game.redeal:
        raise probe.fail("views", f"the view of {who} hides something: fill in redeal as well")
    # Where all that is hidden is an order, a redealt state may well look like the view.
    masked = to_json(other) == to_json(view) and values_of(view) != values_of(state)
    if hides and masked:
        raise probe.fail("redealt", f"redeal for {who} returns the masked view, not a state")
    if type(game).view is not Game.view and view is not state:
        probe.check_shared("views", f"the view of {who}", view, state)
    to_act = probe.attempt("redealt", "to_act after redeal", game.to_act, other)
    if tuple(to_act) != match.to_act:
        raise probe.fail(
            "redealt",
            f"to_act gives {match.to_act}, and {tuple(to_act)} when the values that {who} cannot"
            " see are redealt: all see whose turn it is, so derive it from values that all see",
        )
    if seat in match.to_act:
        own, what = list(match.legal_actions(seat)), f"listing what seat {seat} may do after redeal"
        others = list(probe.attempt("redealt", what, game.legal_actions, other, seat))
        if own != others:
            odd = next((it for it in [*own, *others] if (it in own) != (it in others)), own[0])
            raise probe.fail(
                "redealt",
                f"seat {seat} may do other things when what it cannot see is dealt anew, such"
                f" as {odd}: it can tell the difference",
            )
    again = probe.attempt("views", f"view of {who} after redeal", game.view, other, seat)
    if to_json(again) != to_json(view):
        what = difference(view, again, type(view).__name__) or "its view"
        raise probe.fail(
            "views",
            f"{who} can tell what it must not see: {what} when redeal has dealt anew; let view"
            " mask it, or redeal leave it as it is",
        )


def check_spectators(probe: Probe, match: AnyMatch) -> None:
    """Check that the view of a spectator shows nothing that is hidden from a seat."""
    seat = find_spectator_leak(match)
    if seat is not None:
        raise probe.fail(
            "spectators",
            f"the view of a spectator shows values that are hidden from seat {seat}, and the"
            " player of that seat can open the link for spectators: hide them from spectators",
        )


def check_masked_events(probe: Probe, match: AnyMatch, events: Sequence[Event]) -> None:
    """Check what everybody is told of an action: nothing fails, or is hidden that `view` shows."""
    game = probe.game
    for event, seat in product(events, (*range(probe.seats), None)):
        what = f"view_event of {event} for {name_seat(seat)}"
        told = probe.attempt("told", what, game.view_event, event, match.state, seat)
        if told != event and type(game).view is Game.view:
            raise probe.fail(
                "views",
                f"{name_seat(seat)} is told {told or 'nothing'} in place of {event}, and the rules"
                " leave out view, which shows it everything: write view and redeal as well",
            )


# What a seat is told.


@dataclass(frozen=True, slots=True)
class Course:
    """The result of an action: events, those that the watcher receives, and its view afterwards."""

    action: Any
    before: Any
    state: Any
    events: tuple[Event, ...]
    told: tuple[Event, ...]
    seen: bytes

    def facts(self) -> dict[StatePath, object]:
        """Return the values in the states after and before the action, by their paths."""
        former = {(_BEFORE, *at): value for at, value in leaves(self.before).items()}
        return leaves(self.state) | former


@dataclass(slots=True)
class SecretsTrial:
    """The laws of secrets at one moment of a match, for a watcher: a seat or a spectator."""

    match: AnyMatch
    watcher: Seat | None
    chance: Stream
    probe: Probe
    shown: Collection[str] = ()  # what everybody has seen once, where views forget it
    _rng: Streams = field(init=False)

    def __post_init__(self) -> None:
        self._rng = streams_like(self.match, self.match.seed)

    @property
    def _game(self) -> AnyGame:
        return self.match.game

    @property
    def _who(self) -> str:
        return name_seat(self.watcher)

    def check(self, seat: Seat, action: Any) -> None:
        """Test the events that the watcher receives when `seat` plays `action`."""
        for course in self._course(self.match.state, seat, action, self._streams()):
            self._check_masks(course)
            declared = type(self._game).view_event is not Game.view_event
            if declared and not self._game.to_act(course.state):
                return  # all cards may be laid open when nobody has any use for a secret
            for other in self._one_thing_changed(seat, action):
                if other.seen == course.seen and other.told != course.told:
                    self._check_said(course, other, seat)
                    self._check_leak(course, other, seat)

    # What could have happened instead.

    def _streams(self, other: bool = False) -> Streams:
        """Streams where those of the match are: with its own draws to come, or with others."""
        if other:
            return streams_like(self.match, f"other {self.chance.below(2**32)}")
        return self._rng.clone()

    def _one_thing_changed(self, seat: Seat, action: Any) -> Iterator[Course]:
        """Yield courses that differ in hidden values alone, the choice alone, or chance alone."""
        state, chance = self.match.state, self.chance
        for _ in range(_TRIES):
            redealt = self.probe.redeal(state, self.watcher, chance)
            yield from self._play_imagined(redealt, seat, action, self._streams())
        legal = self._game.legal_actions(state, seat)
        # The watcher knows what it has chosen itself.
        others = [other for other in legal if other != action and seat != self.watcher]
        for other in some(others, _TRIES, chance):
            yield from self._course(state, seat, other, self._streams())
        for _ in range(_TRIES // 3):
            yield from self._course(state, seat, action, self._streams(other=True))

    def _change_everything(
        self, course: Course, seat: Seat, tries: int, *, evenly: bool = False
    ) -> Iterator[Course]:
        """Yield courses in which hidden values, the choice and chance may all differ.

        What was really chosen and drawn comes up more often than others, so that few tries find
        the same news; with `evenly` it does not, as the watcher does not know it.
        """
        state, chance = self.match.state, self.chance
        is_open = any(
            isinstance(event, ActionPlayed) and event.action == course.action
            for event in course.told
        )
        # Two and three share no divisor: each mix of another choice and other chance comes up.
        for number in range(tries):
            redealt = self.probe.redeal(state, self.watcher, chance)
            played = course.action
            if seat != self.watcher and (not is_open if evenly else number % 2):
                played = chance.choice(self._game.legal_actions(redealt, seat))
            yield from self._play_imagined(
                redealt, seat, played, self._streams(other=evenly or number % 3 > 0)
            )

    def _play_imagined(
        self, state: Any, seat: Seat, action: Any, streams: Streams
    ) -> Iterator[Course]:
        """The same in a redealt state, which is to blame when the rules fail there."""
        try:
            yield from self._course(state, seat, action, streams)
        except LawBroken as broken:
            laws = {"accepted": "redealt", "fault": "fault"}
            if broken.law not in laws:
                raise
            what = f"a state that {self._who} imagines (redeal) cannot be played on: {broken.what}"
            raise self.probe.fail(laws[broken.law], what) from broken.__cause__

    def _course(self, state: Any, seat: Seat, action: Any, streams: Streams) -> Iterator[Course]:
        """Yield the result of an action, if it is possible; else nothing."""
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
        told = tuple(event for event in views if event is not None)
        yield Course(action, before, state, tuple(events), told, to_json(game.view(state, watcher)))

    # The laws.

    def _check_masks(self, course: Course) -> None:
        """Check that the result of `view_event` depends on nothing hidden from the watcher."""
        for event in course.events:
            told = self._game.view_event(event, course.state, self.watcher)
            for _ in range(2):
                redealt = self.probe.redeal(course.state, self.watcher, self.chance)
                other = self._game.view_event(event, redealt, self.watcher)
                if other != told:
                    raise self.probe.fail(
                        "told",
                        f"what {self._who} is told of {event} depends on what it must not see:"
                        f" {told}, or {other} when that is dealt anew",
                    )

    def _check_said(self, course: Course, other: Course, seat: Seat) -> None:
        """Check that the rules say who may know of an effect, if it is hidden."""
        if type(self._game).view_event is not Game.view_event or seat == self.watcher:
            return
        if course.action != other.action and to_json(course.state) != to_json(other.state):
            raise self.probe.fail(
                "said",
                f"{self._who} cannot see whether {course.action} or {other.action} was played, and"
                " is told so all the same: say in view_event who may know of it (return the event"
                " where everybody may)",
            )

    def _check_leak(self, course: Course, other: Course, seat: Seat) -> None:
        """Check that a seat's events reveal nothing that `redeal` leaves open, before the end."""
        declared = type(self._game).view_event is not Game.view_event
        difference = [event for event in course.told if event not in other.told]
        known, places = course.facts(), self._open_places(course, other)
        if places and self._game.views_forget and self._is_public(difference, course):
            amid = self._watch_amid(course, None)
            shown = {*self.shown, *(repr(value) for view in amid for value in view.values())}
            places = {at: odds for at, odds in places.items() if repr(known[at]) not in shown}
        if any(at[0] is _BEFORE for at in places):
            # An author who publishes a value itself, or opens it meanwhile, does so on purpose.
            amid, spelled = self._watch_amid(course, self.watcher), _spelled_out(course, other)
            places = {
                at: odds
                for at, odds in places.items()
                if at[0] is not _BEFORE
                or (at not in spelled and all(view.get(at[1:]) != known[at] for view in amid))
            }
        if not places:
            return
        at = self._find_decided(course, seat, known, places)
        if at is None:
            return
        raise self.probe.fail(
            "told" if declared else "said",
            f"{self._who} is told {' and '.join(map(str, difference)) or 'nothing'}, and so knows"
            f" {_spell_fact(at, known[at])}, which its view does not show and redeal deals anew:"
            " say in view_event who may know of it, or keep in the state that it is known",
        )

    def find_lost(self, seat: Seat, action: Any) -> str | None:
        """Describe a value that the watcher sees enter a list, and that its view hides then.

        The watcher can tell where the value is, because it is there in every course with the same
        news, although `redeal` puts it elsewhere.
        """
        for course in self._course(self.match.state, seat, action, self._streams()):
            view = self._game.view(self.match.state, self.watcher)
            news = values_of(view) + Counter(map(repr, _parts(course.told).values()))
            gone = news - values_of(self._game.view(course.state, self.watcher))
            shown = _bags(self._game.view(course.state, self.watcher))
            knowledge = {it.known for it in secrets_in(schema_of(type(course.state)))}
            former = _bags(course.before)
            for bag, values in _bags(course.state).items():
                if not knowledge.isdisjoint(bag):
                    continue
                entered = values - former[bag] - shown[bag]
                for value in entered.keys() & gone.keys():
                    if self._is_decided(course, seat, bag, value, values[value]):
                        return (
                            f"{self._who} has seen {value}, and so knows that it is in"
                            f" {spell_path(bag)} after {action}, which its view does not show and"
                            " redeal deals anew: keep in the state that it is known (Known), or set"
                            " views_forget = True"
                        )
        return None

    def _is_decided(
        self, course: Course, seat: Seat, bag: StatePath, value: str, number: int
    ) -> bool:
        """Check whether `bag` has `number` such values whenever the watcher's news is the same."""
        dealt = (
            self.probe.redeal(course.state, self.watcher, self.chance) for _ in range(4 * _TRIES)
        )
        same = sum(_bags(state)[bag][value] >= number for state in dealt)
        odds, told = (same + 1) / (4 * _TRIES + 1), 0
        if odds > _LIKELY:
            return False
        for another in self._change_everything(course, seat, _LOST_TRIES):
            if another.seen == course.seen and another.told == course.told:
                if _bags(another.state)[bag][value] < number:
                    return False
                told += 1
        return odds**told < _CERTAIN

    def _find_decided(
        self, course: Course, seat: Seat, known: Leaves, places: Mapping[StatePath, float]
    ) -> StatePath | None:
        """Return one of `places` that is the same whenever the watcher's news is; else None."""
        told = 1
        chances = dict(sorted(places.items(), key=lambda item: item[1]))
        alike: list[Case] = []
        for another in self._change_everything(course, seat, _PROOF_TRIES):
            if another.seen != course.seen:
                continue
            found = another.facts()
            alike.append((another.told, found))
            if another.told != course.told:
                continue
            told += 1
            chances = {at: odds for at, odds in chances.items() if found.get(at) == known[at]}
            if not chances:
                return None
        # The odds are those without the news, which may make likely what it does not tell.
        if min(chances.values()) ** told < _CERTAIN:
            at = self._find_same(course, seat, known, [*chances])
            if at is not None:
                return at
        return self._find_spelled_out(course, seat, alike, [*chances])

    def _find_same(
        self, course: Course, seat: Seat, known: Leaves, places: Sequence[StatePath]
    ) -> StatePath | None:
        """Return one of `places` that is always the same in many more matches with this news."""
        told, left = 0, places
        courses = self._change_everything(course, seat, _FURTHER_TRIES, evenly=True)
        for tried, another in enumerate(courses):
            # It will not be certain even with four times as much luck.
            hoped = 4 * told * _FURTHER_TRIES / max(tried, 1)
            if tried >= _RARE and len(places) * _LIKELY**hoped > _CERTAIN:
                return None
            if another.seen != course.seen or another.told != course.told:
                continue
            told += 1
            found = another.facts()
            left = [at for at in left if found.get(at) == known[at]]
            # Each place could have stayed the same by chance.
            if not left or len(places) * _LIKELY**told < _CERTAIN:
                return next(iter(left), None)
        return None

    def _find_spelled_out(
        self, course: Course, seat: Seat, alike: Sequence[Case], places: Sequence[StatePath]
    ) -> StatePath | None:
        """Return one of `places` whose value is in the events, also wherever it differs.

        A seat that is told a whole hand of cards is told another one in every deal that can be
        tried, so no two deals with the same news can be compared.
        """
        cases = [(_parts(events), state) for events, state in alike]
        pairs = [*product(_parts(course.told), places)]
        left = [
            (part, place)
            for part, place in pairs
            if all(said.get(part) == state.get(place) for said, state in cases)
            and len({state.get(place) for _, state in cases}) > 1
        ]
        if len(cases) < _SPELLED_OUT:
            return None
        for another in self._change_everything(course, seat, _FURTHER_TRIES):
            if not left or len(pairs) * _LIKELY ** len(cases) < _CERTAIN:
                break
            if another.seen == course.seen:
                said, state = _parts(another.told), another.facts()
                cases.append((said, state))
                left = [it for it in left if said.get(it[0]) == state.get(it[1])]
        else:
            return None
        for _, place in left:
            # The chance of as many equal values where one has nothing to do with the other.
            values = Counter(state.get(place) for _, state in cases).values()
            if len(pairs) * prod((it / len(cases)) ** it for it in values) < _CERTAIN:
                return place
        return None

    def _is_public(self, told: Sequence[Event], course: Course) -> bool:
        """Check whether spectators receive these events too."""
        public = [self._game.view_event(event, course.state, None) for event in course.events]
        return all(event in public for event in told)

    def _watch_amid(self, course: Course, watcher: Seat | None) -> list[Leaves]:
        """Return the values in the view of `watcher` at each event of an action."""
        game, state = self._game, self.match.state.clone()
        table, views = Table(self._streams()), list[Leaves]()

        def look(event: Event) -> None:
            views.append(leaves(game.view(state, watcher)))

        table.watched, table.emit = True, look
        game.apply(state, course.action, table)
        return views

    def _open_places(self, course: Course, other: Course) -> dict[StatePath, float]:
        """Return the places that `redeal` leaves open and that differ, with the odds of the value.

        The odds are estimated from above: a value that was never dealt may still be possible.
        """
        known, instead = course.facts(), other.facts()
        differ = [at for at, value in known.items() if instead.get(at) != value]
        if not differ:
            return {}
        tries = 4 * _TRIES
        dealt = []
        for _ in range(tries):
            before, after = (
                self.probe.redeal(it, self.watcher, self.chance)
                for it in (course.before, course.state)
            )
            dealt.append(replace(course, before=before, state=after).facts())
        same = Counter(at for one in dealt for at in differ if one.get(at) == known[at])
        return {at: (same[at] + 1) / (tries + 1) for at in differ if same[at] < tries}


def _spelled_out(course: Course, other: Course) -> set[StatePath]:
    """Return the paths of facts whose values the events contain, in both courses."""
    known, instead = course.facts(), other.facts()
    parts, others = _parts(course.told), _parts(other.told)
    return {
        at
        for at, value in known.items()
        if any(it == value and others.get(part) == instead.get(at) for part, it in parts.items())
    }


def _spell_fact(at: StatePath, value: object) -> str:
    """Spell a value of `Course.facts`."""
    if at[0] is _BEFORE:
        return f"{spell_path(at[1:])} = {value!r} before the action"
    return f"{spell_path(at)} = {value!r}"


def _bags(state: object) -> defaultdict[StatePath, Counter[str]]:
    """Count the values in each list of a state, and in each place outside of lists."""
    bags: defaultdict[StatePath, Counter[str]] = defaultdict(Counter)
    for at, value in leaves(state).items():
        bags[at[:-1] if isinstance(at[-1], int) else at][repr(value)] += 1
    return bags


def _parts(events: Sequence[Event]) -> dict[StatePath, object]:
    """The values in events, by their paths; events that are no plain data have none."""
    found: dict[StatePath, object] = {}
    for number, event in enumerate(events):
        with suppress(ContractError):
            found.update({(number, *at): value for at, value in leaves(event).items()})
    return found


# At some moments of a match.


@dataclass(slots=True)
class TellingTrial:
    """Tests the masked events of a match's actions, at some of its moments."""

    probe: Probe
    report: Report
    tests: int = 0  # how many moments were tested
    # Moments that are played on, as somebody imagines them, when the match is over.
    imagined: list[tuple[AnyMatch, Seat | None]] = field(default_factory=list)
    _lookalikes: LookalikeTrial = field(default_factory=LookalikeTrial)
    _shown: set[str] = field(default_factory=set)
    _compared: set[Seat | None] = field(default_factory=set)

    def note_shown(self, match: AnyMatch) -> None:
        """Note what everybody sees now, in a game whose views forget it."""
        if self.probe.game.views_forget:
            self._shown.update(map(repr, leaves(match.view(None)).values()))

    def is_due(self, ply: int, chance: Stream) -> bool:
        """Check whether secrets are tested at this ply; never in a game without any."""
        if type(self.probe.game).redeal is Game.redeal or self.tests >= _SECRET_TESTS:
            return False
        return ply < _SECRET_TESTS // 4 or chance.chance(1, 6)

    def check(self, before: AnyMatch, seat: Seat, action: Any, chance: Stream) -> None:
        """Test the news that `action` gives each seat, and the states each imagines before it."""
        probe = self.probe
        watchers = (*range(probe.seats), None)
        apart = chance.copy()
        for watcher in watchers:
            if not before.ply:
                check_dealt(before, watcher, chance, probe)
            for law in (check_blindness, self._lookalikes.check):
                probe.attempt("redealt", "redeal", law, before, watcher, apart, probe)
            if watcher not in self._compared and self._compares_shares(before, watcher, apart):
                self._compared.add(watcher)
            trial = SecretsTrial(before, watcher, chance, probe, self._shown)
            probe.attempt("told", f"telling of {action}", trial.check, seat, action)
            is_complete = before.game.views_forget or self.report.warnings
            if watcher is not None and not is_complete:  # spectators need no memory to play
                lost = probe.attempt("told", f"telling of {action}", trial.find_lost, seat, action)
                if lost is not None:
                    where = f"seed {probe.seed!r}, ply {before.ply}"
                    self.report.warnings.append(f"{where}: {lost}")
        self._lookalikes.go_on(action)
        if self.tests % 8 == 0:  # played on when the match itself has come to its end
            self.imagined.append((before, chance.choice(watchers)))
        self.tests += 1

    def _compares_shares(self, match: AnyMatch, watcher: Seat | None, chance: Stream) -> bool:
        arguments = match, watcher, chance.copy(), self.probe
        return bool(self.probe.attempt("redealt", "redeal", check_shares, *arguments))

    def check_imagined(self, chance: Stream, plies: int, clock: Clock) -> None:
        """A redealt state can be played on at random, to its end or for so many plies."""
        for former, watcher in self.imagined:
            if not clock.plays:
                break
            self.probe.ply = former.ply
            game, state = former.game, self.probe.redeal(former.state, watcher, chance)
            what = f"a state that {name_seat(watcher)} imagines (redeal)"
            table = Table(streams_like(former, f"imagined {chance.below(2**32)}"))
            try:
                for _ in range(plies):
                    seats = game.to_act(state)
                    if not seats:
                        break
                    action = chance.choice(game.legal_actions(state, seats[0]))
                    game.check(state, action)
                    game.apply(state, action, table)
                    self.probe.check_fault(f"what follows from {what}", state)
                outcome = game.outcome(state)
            except LawBroken:
                raise
            except Exception as error:
                what = f"{what} cannot be played on: {describe_failure(error)}"
                raise self.probe.fail("redealt", what) from error
            if outcome is None and not game.to_act(state):
                raise self.probe.fail("redealt", f"{what} ends without an outcome")
