"""The laws of what players look ahead from: what `redeal` gives must not depend on what is hidden.

A player is handed a `Sampler`, and so chance of its own in which states are drawn. With the same
draws, two states that look the same to it must give the same: else it could tell them apart.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

from tabletop.codec import difference, to_json
from tabletop.errors import IllegalAction
from tabletop.match import AnyMatch, Match
from tabletop.outcome import Seat
from tabletop.rng import Stream
from tabletop.testing.laws import LawBroken
from tabletop.testing.redealing import values_of
from tabletop.testing.words import called

_OTHERS: Final = 24
"""With how many other matches one is compared."""

_DEALS: Final = 24
"""How often a state is dealt anew to see whether the same always comes of it."""

_PLIES: Final = 8
"""After how many actions matches are compared at most."""


def check_blindness(
    match: AnyMatch,
    watcher: Seat | None,
    chance: Stream,
    fail: Callable[[str, str], LawBroken],
) -> None:
    """The same draws deal the same, whichever of the states that look alike is the real one.

    Raises:
        LawBroken: they do not.
    """
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
        " their own before they are shuffled, as mix of tabletop.parts.piles does",
    )


@dataclass(slots=True)
class LookalikeTrial:
    """Compares a match with others in which the same was played.

    Where two of them look the same to somebody, what is dealt anew in one must be able to become
    what lies in the other. Dice that are dealt as if they were cards cannot.

    Attributes:
        others: matches of other seeds, in which the same actions were played as in this one.
    """

    others: list[AnyMatch] = field(default_factory=list)
    _settled: set[Seat | None] = field(default_factory=set)

    def check(
        self,
        match: AnyMatch,
        watcher: Seat | None,
        chance: Stream,
        fail: Callable[[str, str], LawBroken],
    ) -> None:
        """Compare the match for one watcher, unless that was done.

        Raises:
            LawBroken: what is dealt anew is always the same as what really lies there.
        """
        if not match.ply:
            self._begin(match)
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
            f" {_spelled(real - there)}; in the match {other.seed!s}, which looks the same to it,"
            f" it is {_spelled(there - real)}. What was rolled or chosen is not dealt: say what it"
            " can be, secret(..., choices=...), or draw it anew in redeal; cards that are out of"
            " play lie in the state as well",
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

    def _begin(self, match: AnyMatch) -> None:
        # Fixed seeds: a check of the same game says the same every time.
        if not self.others:
            seeds = [f"dealt {number}" for number in range(_OTHERS)]
            self.others = [
                Match(match.game, seed=seed, seats=match.seats, options=match.options)
                for seed in seeds
            ]

    def _lookalike(self, match: AnyMatch, watcher: Seat | None) -> AnyMatch | None:
        """Another match that looks the same to the watcher and holds other things."""
        seen, real = to_json(match.game.view(match.state, watcher)), values_of(match.state)
        for other in self.others:
            if other.ply != match.ply or values_of(other.state) == real:
                continue
            if to_json(other.game.view(other.state, watcher)) == seen:
                return other
        return None


def _spelled(values: Counter[str]) -> str:
    return ", ".join(sorted(values.elements())[:6]) or "nothing"
