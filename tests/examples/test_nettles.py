"""The rules of `examples/nettles.py`: passing, following suit, stings."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tabletop import ALL, Match, Random, Streams
from tabletop.host import load_file
from tabletop.match import AnyMatch
from tabletop.parts.cards import BACK, Card, Suit, Trick, card

nettles: Any = load_file(Path(__file__).parents[2] / "examples" / "nettles.py")


def cards(text: str) -> list[Card]:
    return [card(word) for word in text.split()]


def dealt(seed: int = 1) -> AnyMatch:
    return Match(nettles.GAME, seed=seed, players=[Random(seat) for seat in range(4)])


def passed(seed: int = 1) -> AnyMatch:
    match = dealt(seed)
    while match.state.passing:
        match.step()
    return match


def trick(*hands: str, leader: int = 0, taken: tuple[int, ...] = (0, 0, 0, 0)) -> AnyMatch:
    """A match in which these hands are held, nothing is passed any more, and `leader` leads."""
    match = passed()
    state = match.state
    state.hands[:] = [cards(hand) for hand in hands]
    state.taken[:], state.trick = taken, Trick.led_by(leader, seats=4)
    return match


def play(match: AnyMatch, text: str) -> None:
    for word in text.split():
        match.play(match.parse(word))


def legal(match: AnyMatch) -> str:
    return " ".join(map(str, match.legal_actions()))


def test_everybody_passes_three_cards_to_the_left_at_the_same_time() -> None:
    match = dealt()
    assert match.to_act == (0, 1, 2, 3)
    given = [match.state.hands[seat][:3] for seat in range(4)]
    for seat in (2, 0, 3, 1):
        for one in given[seat]:
            match.play(nettles.Move(seat, one, gives=True))
    held = [{*match.state.hands[(seat + 1) % 4], *match.state.trick.played} for seat in range(4)]
    assert all(own >= set(three) for own, three in zip(held, given, strict=True))


def test_nobody_sees_what_others_put_aside() -> None:
    match = dealt()
    told: list[Any] = []
    match.observe(told.append, seat=1)
    match.play(match.legal_actions(0)[0])
    assert match.view(1).aside[0] == [BACK]
    assert [event.action for event in told] == [None]


def test_the_two_of_clubs_begins_and_its_neighbour_is_next() -> None:
    match = passed()
    assert match.state.trick.played == cards("2c")
    assert match.to_act == ((match.state.trick.leader + 1) % 4,)


def test_what_was_passed_on_stays_known_to_the_giver_when_cards_are_dealt_anew() -> None:
    match = passed()
    known = match.state.known.cards(0, 1)
    assert known
    rng = Streams("dealt anew")["redeal"]
    for _ in range(10):
        assert set(known) <= set(nettles.GAME.redeal(match.state, 0, rng).hands[1])


def test_suit_is_followed_and_the_highest_of_it_takes_the_trick() -> None:
    match = trick("5c 2d", "kc 3d", "ah as", "7c ac")
    play(match, "5c")
    assert legal(match) == "kc"
    play(match, "kc as 7c")
    assert match.state.trick.turn == 1


def test_hearts_are_not_led_before_somebody_is_stung() -> None:
    hands = ("5c 2h", "kc 3d", "ah as", "7c ac")
    assert legal(trick(*hands)) == "5c"
    assert legal(trick(*hands, taken=(0, 1, 0, 0))) == "5c 2h"
    assert legal(trick("3h 2h", *hands[1:])) == "3h 2h"


def test_nothing_that_stings_is_played_in_the_first_trick_if_there_is_something_else() -> None:
    match = passed()
    match.state.hands[match.to_act[0]][:] = cards("qs 2h 3h 4h 5h 6h 7h 8h 9h th jh qh 3s")
    assert legal(match) == "3s"


def test_hearts_sting_once_and_the_wasp_thirteen_times() -> None:
    match = trick("5c 2d", "kc 3d", "ah as", "qs 9d")
    play(match, "5c kc ah qs")
    assert match.state.taken == [0, 14, 0, 0]


def test_who_takes_everything_is_not_stung_but_the_others_are() -> None:
    match = trick("5c", "4c", "3c", "kh", taken=(25, 0, 0, 0))
    play(match, "5c 4c 3c kh")
    assert match.state.scores == [0, 26, 26, 26]
    assert [len(hand) for hand in match.state.hands] == [13] * 4


def test_whoever_is_stung_least_wins() -> None:
    match = trick("5c", "4c", "3c", "kd", taken=(0, 7, 7, 12))
    match.state.scores[:] = [10, 20, 43, 5]
    play(match, "5c 4c 3c kd")
    assert match.outcome is not None
    assert match.outcome.ranking == ((0,), (3,), (1,), (2,))


def test_every_round_has_twenty_six_stings_or_three_times_as_many() -> None:
    match = dealt(3)
    taken: list[Any] = []
    match.observe(taken.append, nettles.Took, seat=ALL)
    match.run()
    rounds = sum(event.stings or 0 for event in taken) // 26
    assert sum(event.stings or 0 for event in taken) == 26 * rounds
    assert sum(match.state.scores) in range(26 * rounds, 78 * rounds + 1, 52)
    assert Suit.HEARTS in {one.suit for event in taken for one in event.cards}
