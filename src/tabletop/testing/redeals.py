"""The laws of redeals: the right cards, all equally likely, and independent of hidden values."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from itertools import count
from math import factorial, prod, sqrt
from typing import Any, Final, TypeAlias

from tabletop.errors import IllegalAction
from tabletop.match.match import AnyMatch, Match
from tabletop.rng.stream import Stream
from tabletop.states.bounds import Seat
from tabletop.states.codec import difference, to_json
from tabletop.states.masking import secrets_in
from tabletop.states.schema import schema_of
from tabletop.testing.probe import Probe, StatePath, leaves, name_seat, spell_path

_FIRST_DEALS: Final = 4  # initial deals to compare, to find out whether all have the same cards
_OTHERS: Final = 24  # other matches to compare a match with
_DEALS: Final = 24  # redeals of a state, to find out whether they always contain the same values
_PLIES: Final = 8  # actions after which matches are no longer compared
_FEW_DRAWS: Final = 48  # minimum number of redeals to compare the shares of deals
_MOST_DEALS: Final = 12  # maximum number of different deals to compare
_DRAWS_EACH: Final = 60  # minimum average number of redeals per different deal

Deal: TypeAlias = tuple[tuple[StatePath, tuple[str, ...]], ...]
"""The sorted values in each list of a state, with the path of the list."""


def values_of(state: object) -> Counter[str]:
    """Count the values in a state."""
    return Counter(map(repr, leaves(state).values()))


def check_dealt(match: AnyMatch, watcher: Seat | None, stream: Stream, probe: Probe) -> None:
    """Check that a redeal contains the cards with which all matches of the game start."""
    others = [other.state for other in _first_deals(match, _FIRST_DEALS)]
    cards = values_of(match.state)
    is_random = any(to_json(other) != to_json(match.state) for other in others)
    if not is_random or any(values_of(other) != cards for other in others):
        return
    for _ in others:
        dealt = values_of(probe.redeal(match.state, watcher, stream))
        invented, missing = dealt - cards, cards - dealt
        if invented:
            raise probe.fail(
                "redealt",
                f"redeal for {name_seat(watcher)} invents {', '.join(invented)} in place of"
                f" {', '.join(missing)}, although every match starts with the same values: redeal"
                " the values of the state",
            )


def _first_deals(match: AnyMatch, count: int) -> list[AnyMatch]:
    """Return matches of the same game, with fixed seeds so that a check is reproducible."""
    seeds = [f"dealt {number}" for number in range(count)]
    return [
        Match(match.game, seed=seed, seats=match.seats, options=match.options) for seed in seeds
    ]


def check_blindness(match: AnyMatch, watcher: Seat | None, stream: Stream, probe: Probe) -> None:
    """Check that a redeal does not depend on hidden values.

    With the same draws, the redeals of two states with the same view must be equal.
    """
    state = match.state
    other = probe.redeal(state, watcher, stream)
    copy = stream.copy()
    first, second = probe.redeal(state, watcher, stream), probe.redeal(other, watcher, copy)
    if to_json(first) == to_json(second):
        return
    what = difference(first, second, type(first).__name__) or "something"
    raise probe.fail(
        "redealt",
        f"redeal for {name_seat(watcher)} depends on hidden values: with the same draws and the"
        f" same view, {what}. Sort the hidden values before you shuffle them, as mix of"
        " tabletop.parts.cards does",
    )


def check_shares(match: AnyMatch, watcher: Seat | None, stream: Stream, probe: Probe) -> bool:
    """Check that `redeal` returns each possible deal with the right probability.

    The probability of a deal is proportional to the number of orderings of the values that lead to
    this deal. The test requires that all redeals contain the same values, and that few different
    deals are possible.

    Returns:
        Whether the test was possible.
    """
    deals: Counter[Deal] = Counter()
    declared = secrets_in(schema_of(type(match.state)))
    is_placed = any(declaration.fits is not None for declaration in declared)
    first = _hidden_deal(probe.redeal(match.state, watcher, stream), is_placed)
    for number in count():
        deal = _hidden_deal(probe.redeal(match.state, watcher, stream), is_placed)
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
                share, right = shares.get((bag, value), (0.0, 0.0))
                shares[bag, value] = share + deals[deal] / total, right + exact[deal] / total
    (bag, value), (share, right) = max(shares.items(), key=lambda it: abs(it[1][0] - it[1][1]))
    raise probe.fail(
        "redealt",
        f"redeal for {name_seat(watcher)} puts {value} into {spell_path(bag)} in"
        f" {100 * share:.0f} % of its deals, but if all deals were equally likely, it would be"
        f" {100 * right:.0f} %: use `Stream.deal`, which deals places to cards and not cards to"
        " places",
    )


def _hidden_deal(redealt: object, is_placed: bool) -> Deal:
    """Return the values of a redealt state by list, without their order in the list.

    With `is_placed`, the order is kept, because different values may fit different places.
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
    """Return the number of orderings of the values that lead to a deal, up to a constant factor."""
    alike = (factorial(number) for _, values in deal for number in Counter(values).values())
    return 1 / prod(alike)


@dataclass(slots=True)
class LookalikeTrial:
    """Compares a match with matches of other seeds and the same actions.

    If two matches have the same view, a redeal of one must be able to return the state of the
    other. This fails, for example, if `redeal` shuffles hidden dice like cards.
    """

    others: list[AnyMatch] = field(default_factory=list)  # other seeds, same actions
    _settled: set[Seat | None] = field(default_factory=set)

    def check(self, match: AnyMatch, watcher: Seat | None, stream: Stream, probe: Probe) -> None:
        """Compare the match for a watcher, unless this watcher has already passed the test."""
        if not match.ply and not self.others:
            self.others = _first_deals(match, _OTHERS)
        if match.game.views_forget and match.ply:
            return  # a watcher may know more than the view shows
        other = None if watcher in self._settled else self._lookalike(match, watcher)
        if other is None:
            return
        real = _dealt_in(match.state)
        for _ in range(_DEALS):
            if _dealt_in(probe.redeal(match.state, watcher, stream)) != real:
                self._settled.add(watcher)
                return
        there = _dealt_in(other.state)
        raise probe.fail(
            "redealt",
            f"redeal for {name_seat(watcher)} only reorders the real values"
            f" ({_spell_values(real - there)}), but the match {other.seed!s}, with the same view,"
            f" contains other values ({_spell_values(there - real)}): declare the possible values"
            " of rolled or chosen secrets with secret(..., choices=...), or draw them again in"
            " redeal, and keep cards that are out of play in the state",
        )

    def play(self, action: Any) -> None:
        """Play an action in the other matches, and drop those in which it is illegal."""
        kept = []
        for other in self.others if self.others and self.others[0].ply < _PLIES else ():
            try:
                other.play(action)
            except IllegalAction:
                continue
            kept.append(other)
        self.others = kept

    def _lookalike(self, match: AnyMatch, watcher: Seat | None) -> AnyMatch | None:
        """Return a match with the same view but different values, or None."""
        seen, real = to_json(match.game.view(match.state, watcher)), _dealt_in(match.state)
        for other in self.others:
            if other.ply != match.ply or _dealt_in(other.state) == real:
                continue
            if to_json(other.game.view(other.state, watcher)) == seen:
                return other
        return None


def _dealt_in(state: object) -> Counter[str]:
    """Count the values in a state, except in fields that record which cards are known."""
    knowledge = {secret.known for secret in secrets_in(schema_of(type(state))) if secret.known}
    values = leaves(state).items()
    return Counter(repr(value) for at, value in values if knowledge.isdisjoint(at))


def _spell_values(values: Counter[str]) -> str:
    return ", ".join(sorted(values.elements())[:6]) or "nothing"
