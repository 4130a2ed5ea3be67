"""The hidden hands of `examples/masks.py`: who is shown and told what."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tabletop import Match, Streams
from tabletop.host import load_file
from tabletop.match import AnyMatch
from tabletop.parts.cards import BACK

masks: Any = load_file(Path(__file__).parents[2] / "examples" / "masks.py")


def court(*hands: list[int], deck: tuple[int, ...] = (3, 3, 4)) -> AnyMatch:
    """A match in which these hands are held, and seat 0 is to act."""
    match = Match(masks.GAME, seed=1, seats=len(hands))
    state = match.state
    state.hands[:], state.deck[:] = map(list, hands), deck
    return match


def heard(match: AnyMatch) -> dict[int | None, list[Any]]:
    told: dict[int | None, list[Any]] = {}
    for watcher in (*range(match.seats), None):
        match.observe(told.setdefault(watcher, []).append, seat=watcher)
    return told


def test_what_a_spy_sees_is_told_to_the_spy_and_to_who_was_seen() -> None:
    match = court([masks.SPY, 3], [5], [4])
    told = heard(match)
    match.play(masks.Play(masks.SPY, 1))
    seen = {watcher: events[1].card for watcher, events in told.items()}
    assert seen == {0: 5, 1: 5, 2: masks.HIDDEN, None: masks.HIDDEN}


def test_what_a_spy_has_seen_stays_in_its_view_and_in_its_imagination() -> None:
    match = court([masks.SPY, 3], [5], [4])
    match.play(masks.Play(masks.SPY, 1))
    shown = {watcher: match.view(watcher).hands[1] for watcher in (0, 2, None)}
    assert shown == {0: [5, 0], 2: [0, 0], None: [0, 0]}
    rng = Streams("dealt anew")["redeal"]
    guesses = [masks.GAME.redeal(match.state, 0, rng).hands[1][0] for _ in range(20)]
    assert guesses == [5] * 20


def test_a_card_that_was_seen_and_played_is_not_known_any_more() -> None:
    match = court([masks.SPY, 3], [4], [4], deck=(3, 3))
    match.play(masks.Play(masks.SPY, 1))
    match.play(masks.Play(4))
    assert match.view(0).hands[1] == [masks.HIDDEN]


def test_which_of_two_equal_cards_was_played_nobody_knows() -> None:
    match = court([masks.SPY, 3], [4], [5], deck=(3, 4))
    match.play(masks.Play(masks.SPY, 1))
    match.play(masks.Play(4))
    assert match.state.hands[1] == [4]
    assert match.view(0).hands[1] == [masks.HIDDEN]


def test_a_spy_that_looks_again_knows_one_card() -> None:
    match = court([masks.SPY, masks.SPY], [4], deck=(1, 3, 3))
    for action in (masks.Play(masks.SPY, 1), masks.Play(3), masks.Play(masks.SPY, 1)):
        match.play(action)
    assert match.state.known.cards(0, 1) == match.state.hands[1][:1] == [4]


def test_a_guess_is_heard_by_everybody() -> None:
    match = court([masks.WATCHMAN, 3], [5], [4])
    told = heard(match)
    match.play(masks.Play(masks.WATCHMAN, 1, 4))
    assert all(events[1] == masks.Guessed(0, 1, 4, False) for events in told.values())


def test_a_drawn_card_is_told_to_who_drew_it() -> None:
    match = court([3, 3], [5], [4], deck=(2,))
    told = heard(match)
    match.play(masks.Play(3))
    drawn = {watcher: events[1].cards for watcher, events in told.items()}
    assert drawn == {0: (BACK,), 1: (2,), 2: (BACK,), None: (BACK,)}
