"""The laws of `redeal`: what a seat imagines is a whole state, made without what is hidden.

Players that look ahead are given such states, with draws of their own. With the same draws, two
states that look the same to a seat must give the same: else it could tell them apart.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

from tabletop.codec import difference, to_json
from tabletop.errors import IllegalAction
from tabletop.game import Table
from tabletop.match import AnyMatch, Match
from tabletop.outcome import Seat
from tabletop.rng import Stream
from tabletop.testing.laws import LawBroken
from tabletop.testing.probe import called, describe_failure, leaves, streams_like

Fail: TypeAlias = Callable[[str, str], LawBroken]
"""Makes the error for a law and what broke it."""

_FIRST_DEALS: Final = 4  # how many first deals are compared to see whether all have the same cards
_OTHERS: Final = 24  # with how many other matches one is compared
_DEALS: Final = 24  # how often a state is dealt anew to see whether the same always comes of it
_PLIES: Final = 8  # after how many actions matches are compared at most


def values_of(state: object) -> Counter[str]:
    """How often each value stands in a state."""
    return Counter(map(repr, leaves(state).values()))


def is_masked(redealt: Any, view: Any, state: Any) -> bool:
    """Whether a redealt state is the view itself, with masks where secrets should be.

    Where all that is hidden is an order, a redealt state may well look like the view.
    """
    return to_json(redealt) == to_json(view) and values_of(view) != values_of(state)


def check_dealt(match: AnyMatch, watcher: Seat | None, chance: Stream, fail: Fail) -> None:
    """Where every match begins with the same cards in another order, redealing must keep them."""
    others = [other.state for other in _first_deals(match, _FIRST_DEALS)]
    cards = values_of(match.state)
    dealt_anew = any(to_json(other) != to_json(match.state) for other in others)
    if not dealt_anew or any(values_of(other) != cards for other in others):
        return
    for _ in range(_FIRST_DEALS):
        dealt = values_of(match.game.redeal(match.state, watcher, chance))
        made_up, missing = dealt - cards, cards - dealt
        if made_up:
            raise fail(
                "redealt",
                f"redeal for {called(watcher)} makes up {', '.join(made_up)} in place of"
                f" {', '.join(missing)}, though every match begins with the same: deal what"
                " there is",
            )


def _first_deals(match: AnyMatch, count: int) -> list[AnyMatch]:
    """New matches like this one; their seeds are fixed, so that a check always says the same."""
    seeds = [f"dealt {number}" for number in range(count)]
    return [
        Match(match.game, seed=seed, seats=match.seats, options=match.options) for seed in seeds
    ]


def check_imagined(
    match: AnyMatch, watcher: Seat | None, chance: Stream, plies: int, fail: Fail
) -> None:
    """A redealt state can be played on at random, to its end."""
    game, state = match.game, match.game.redeal(match.state, watcher, chance)
    what = f"a state that {called(watcher)} imagines (redeal)"
    table = Table(streams_like(match, f"imagined {chance.below(2**32)}"))
    try:
        for _ in range(plies):
            seats = game.to_act(state)
            if not seats:
                break
            action = chance.choice(game.legal_actions(state, seats[0]))
            game.check(state, action)
            game.apply(state, action, table)
        outcome = game.outcome(state)
    except Exception as error:
        raise fail("redealt", f"{what} cannot be played on: {describe_failure(error)}") from error
    if outcome is None and not game.to_act(state):
        raise fail("redealt", f"{what} ends without an outcome")


def check_imagined_actions(
    match: AnyMatch, redealt: Any, own: Sequence[Any], seat: Seat, fail: Fail
) -> None:
    """What a seat may do does not depend on what it cannot see."""
    others = list(match.game.legal_actions(redealt, seat))
    if own != others:
        odd = next((one for one in [*own, *others] if (one in own) != (one in others)), own[0])
        raise fail(
            "redealt",
            f"seat {seat} may do other things when what it cannot see is dealt anew, such"
            f" as {odd}: it can tell the difference",
        )


def check_blindness(match: AnyMatch, watcher: Seat | None, chance: Stream, fail: Fail) -> None:
    """The same draws deal the same, whichever of the states that look alike is the real one."""
    game, state = match.game, match.state
    other = game.redeal(state, watcher, chance)
    drawn = chance.copy()
    one, two = game.redeal(state, watcher, chance), game.redeal(other, watcher, drawn)
    if to_json(one) == to_json(two):
        return
    what = difference(one, two, type(one).__name__) or "something"
    raise fail(
        "redealt",
        f"what redeal deals for {called(watcher)} depends on what it must not see: with the same"
        f" draws {what} when the hidden things have lain elsewhere; bring them into an order of"
        " their own before they are shuffled, as mix of tabletop.parts.cards does",
    )


@dataclass(slots=True)
class LookalikeTrial:
    """Compares a match with others in which the same was played.

    Where two of them look the same to somebody, what is dealt anew in one must be able to become
    what lies in the other. Dice that are dealt as if they were cards cannot.
    """

    others: list[AnyMatch] = field(default_factory=list)  # of other seeds, with the same actions
    _settled: set[Seat | None] = field(default_factory=set)

    def check(self, match: AnyMatch, watcher: Seat | None, chance: Stream, fail: Fail) -> None:
        """Compare the match for one watcher, unless that was done."""
        if not match.ply and not self.others:
            self.others = _first_deals(match, _OTHERS)
        if match.game.views_forget and match.ply:
            return  # somebody may know more than the view shows
        other = None if watcher in self._settled else self._lookalike(match, watcher)
        if other is None:
            return
        real = values_of(match.state)
        for _ in range(_DEALS):
            if values_of(match.game.redeal(match.state, watcher, chance)) != real:
                self._settled.add(watcher)
                return
        there = values_of(other.state)
        raise fail(
            "redealt",
            f"redeal for {called(watcher)} deals what really lies there, in another order:"
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
        seen, real = to_json(match.game.view(match.state, watcher)), values_of(match.state)
        for other in self.others:
            if other.ply != match.ply or values_of(other.state) == real:
                continue
            if to_json(other.game.view(other.state, watcher)) == seen:
                return other
        return None


def _spell_values(values: Counter[str]) -> str:
    return ", ".join(sorted(values.elements())[:6]) or "nothing"
