"""The laws of `redeal`: what a seat imagines has the cards that there are, and can be played on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any, Final

from tabletop.codec import to_json
from tabletop.match import AnyMatch, Match
from tabletop.outcome import Seat
from tabletop.rng import Stream, Streams
from tabletop.seeds import Seed
from tabletop.table import Table
from tabletop.testing.clues import leaves
from tabletop.testing.laws import LawBroken
from tabletop.testing.words import called, describe_failure

_DEALS: Final = 4
"""How many first deals are compared to see whether all have the same cards."""


def check_dealt(
    match: AnyMatch,
    watcher: Seat | None,
    chance: Stream,
    fail: Callable[[str, str], LawBroken],
) -> None:
    """Where every match begins with the same cards in another order, redealing must keep them.

    Raises:
        LawBroken: cards were made up, or are missing.
    """
    # Fixed seeds: a check of the same game says the same every time.
    seeds = [f"dealt {number}" for number in range(_DEALS)]
    others = [
        Match(match.game, seed=seed, seats=match.seats, options=match.options).state
        for seed in seeds
    ]
    cards = values_of(match.state)
    dealt_anew = any(to_json(other) != to_json(match.state) for other in others)
    if not dealt_anew or any(values_of(other) != cards for other in others):
        return
    for _ in range(_DEALS):
        dealt = values_of(match.game.redeal(match.state, watcher, chance))
        made_up, missing = dealt - cards, cards - dealt
        if made_up:
            raise fail(
                "redealt",
                f"redeal for {called(watcher)} makes up {', '.join(made_up)} in place of"
                f" {', '.join(missing)}, though every match begins with the same: deal what"
                " there is",
            )


def values_of(state: object) -> Counter[str]:
    """How often each value stands in a state."""
    return Counter(map(repr, leaves(state).values()))


def check_imagined(
    match: AnyMatch,
    watcher: Seat | None,
    chance: Stream,
    plies: int,
    fail: Callable[[str, str], LawBroken],
) -> None:
    """Play a redealt state on at random, to its end.

    Raises:
        LawBroken: it cannot be, or has no end.
    """
    game, state = match.game, match.game.redeal(match.state, watcher, chance)
    who = called(watcher)
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
        message = (
            f"a state that {who} imagines (redeal) cannot be played on: {describe_failure(error)}"
        )
        raise fail("redealt", message) from error
    if outcome is None and not game.to_act(state):
        raise fail("redealt", f"a state that {who} imagines (redeal) ends without an outcome")


def streams_like(match: AnyMatch, seed: Seed | str) -> Streams:
    """Streams of `seed` and the salt of `match`, at the offsets that its own streams have."""
    streams = Streams(seed, match.salt)
    match.game.setup(match.options, match.seats, streams)  # which may install some of its own
    streams.restore(match.streams())
    return streams


def is_masked(redealt: Any, view: Any, state: Any) -> bool:
    """Whether a redealt state is the view itself, with masks where secrets should be.

    Where all that is hidden is an order, a redealt state may well look like the view.
    """
    if to_json(redealt) != to_json(view):
        return False
    return values_of(view) != values_of(state)
