"""The rules of `examples/hearts.py`: passing three ways, following suit, points; and its bot."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tabletop import IllegalAction, Match, Random, Streams
from tabletop.display import Scene
from tabletop.host import load_file
from tabletop.match import AnyMatch
from tabletop.parts.cards import BACK, Card, CardsPassed, Trick, card

hearts: Any = load_file(Path(__file__).parents[2] / "examples" / "hearts.py")


def cards(text: str) -> list[Card]:
    return [card(word) for word in text.split()]


def dealt(seed: int = 1) -> AnyMatch:
    return Match(hearts.GAME, seed=seed, players=[Random(seat) for seat in range(4)])


def passed(seed: int = 1) -> AnyMatch:
    match = dealt(seed)
    while match.state.passing:
        match.step()
    return match


def held(
    *hands: str, won: tuple[str, ...] = ("", "", "", ""), scores: tuple[int, ...] = (0, 0, 0, 0)
) -> AnyMatch:
    """A match in which these hands are held, nothing is passed any more, and seat 0 leads."""
    state = hearts.Round([0] * 4, number=0, passing=False)
    state.hands, state.won = [cards(it) for it in hands], [cards(it) for it in won]
    state.trick, state.scores = Trick.led_by(0, 4), list(scores)
    return Match(hearts.GAME, seed=1, state=state)


def play(match: AnyMatch, text: str) -> None:
    for word in text.split():
        match.play(match.parse(word))


def legal(match: AnyMatch) -> str:
    return " ".join(map(str, match.legal_actions()))


@pytest.mark.parametrize(("number", "steps"), [(0, 1), (1, 3), (2, 2), (4, 1)])
def test_cards_are_passed_to_the_left_to_the_right_and_across(number: int, steps: int) -> None:
    match = dealt()
    match.state.number = number
    given = [match.state.hands[seat][:3] for seat in range(4)]
    for seat in (2, 0, 3, 1):
        for one in given[seat]:
            match.play(hearts.Move(seat, one, gives=True))
    for seat in range(4):
        assert set(given[seat]) <= set(match.state.hands[(seat + steps) % 4])


def fourth_hand() -> AnyMatch:
    """A match at the beginning of the hand in which nobody passes cards on."""
    match = held("5c", "4c", "3c", "ah")
    match.state.number = 2
    play(match, "5c 4c 3c ah")
    return match


def test_in_every_fourth_hand_nobody_passes_and_who_holds_the_two_of_clubs_leads_it() -> None:
    match = fourth_hand()
    first = [card("2c") in hand for hand in match.state.hands].index(True)
    assert not match.state.passing
    assert match.to_act == (first,)
    assert legal(match) == "2c"
    play(match, "2c")
    assert match.to_act == ((first + 1) % 4,)


def test_the_hand_after_that_passes_to_the_left_again() -> None:
    match = held("5c", "4c", "3c", "ah")
    match.state.number = 3
    play(match, "5c 4c 3c ah")
    text, view = hearts.PLUGIN.text, match.view(0)
    assert match.to_act == (0, 1, 2, 3)
    assert text.asked(view, 0, match.names) == "Pass 3 to the left"


def test_the_last_trick_of_a_hand_lies_until_the_two_of_clubs_is_led() -> None:
    match = fourth_hand()
    assert match.view(None).trick.cards == cards("5c 4c 3c ah")
    play(match, "2c")
    assert match.view(None).trick.played == cards("2c")


def test_people_are_told_that_nobody_passes() -> None:
    text, match = hearts.PLUGIN.text, fourth_hand()
    assert text.position(match.view(0), match.names, 0).startswith("nobody passes cards in this")
    drawn = hearts.HeartsPicture().draw(match.view(0), Scene(match.names, 0, to_act=match.to_act))
    assert "nobody passes cards in this hand" in drawn
    assert text.asked(match.view(0), 0, match.names) == ""


def test_ratings_of_a_hand_begin_with_who_leads_it() -> None:
    match = fourth_hand()
    before = [hearts.evaluate(match.state, seat) for seat in range(4)]
    play(match, "2c")
    assert [hearts.evaluate(match.state, seat) for seat in range(4)] == before


def test_only_two_seats_are_told_what_is_passed_on() -> None:
    match = dealt()
    told: dict[Any, list[Any]] = {seat: [] for seat in (0, 1, 2, None)}
    for seat, heard in told.items():
        match.observe(heard.append, CardsPassed, seat=seat)
    while match.state.passing:
        match.step()
    seen = {seat: BACK not in heard[1].cards for seat, heard in told.items()}  # from 0 to 1
    assert seen == {0: True, 1: True, 2: False, None: False}


def test_nobody_sees_what_others_put_aside() -> None:
    match = dealt()
    told: list[Any] = []
    match.observe(told.append, seat=1)
    match.play(match.legal_actions(0)[0])
    assert match.view(1).aside[0] == [BACK]
    assert [event.action for event in told] == [None]


def test_what_was_passed_on_stays_known_to_the_giver_when_cards_are_dealt_anew() -> None:
    match = passed()
    known = match.state.known.cards(0, 1)
    assert len(known) == 3
    rng = Streams("dealt anew")["redeal"]
    for _ in range(10):
        assert set(known) <= set(hearts.GAME.redeal(match.state, 0, rng).hands[1])


def test_nobody_is_imagined_to_hold_a_suit_that_they_have_not_followed() -> None:
    match = held("5c 2d", "kc 3d", "ah as", "7c ac")
    play(match, "5c kc ah")
    rng = Streams("dealt anew")["redeal"]
    dealt_anew = [hearts.GAME.redeal(match.state, 3, rng).hands for _ in range(50)]
    assert {one.suit for hands in dealt_anew for one in hands[2]} <= set("dhs")


def test_the_two_of_clubs_is_led() -> None:
    assert legal(passed()) == "2c"


def test_suit_is_followed_and_the_trick_stays_until_its_winner_leads() -> None:
    match = held("5c 2d", "kc 3d", "ah as", "7c ac")
    play(match, "5c")
    assert legal(match) == "kc"
    play(match, "kc as 7c")
    assert match.to_act == (1,)
    assert match.state.trick.cards == cards("5c kc as 7c")


def test_hearts_are_not_led_before_somebody_has_points() -> None:
    hands = ("5c 2h", "kc 3d", "ah as", "7c ac")
    assert legal(held(*hands)) == "5c"
    assert legal(held(*hands, won=("", "3h", "", ""))) == "5c 2h"
    assert legal(held("3h 2h", *hands[1:])) == "3h 2h"


def test_nobody_plays_points_in_the_first_trick_who_holds_something_else() -> None:
    match = passed()
    play(match, "2c")
    match.state.hands[match.to_act[0]][:] = cards("qs 2h 3h 4h 5h 6h 7h 8h 9h th jh qh 3s")
    assert legal(match) == "3s"


@pytest.mark.parametrize(
    ("word", "why"),
    [("kc", r"\bhold kc$"), ("as", r"\bfollow suit\b.*\bclubs$")],
)
def test_a_card_that_may_not_be_played_is_refused_with_the_reason(word: str, why: str) -> None:
    match = held("5c 2d", "7c as", "kc 2s", "4c ac")
    play(match, "5c")
    with pytest.raises(IllegalAction, match=why):
        match.play(match.parse(word))


def test_a_heart_is_a_point_and_the_queen_of_spades_thirteen() -> None:
    match = held("5c 2d", "kc 3d", "ah as", "qs 9d")
    play(match, "5c kc ah qs")
    assert [hearts.worth(pile) for pile in match.state.won] == [0, 14, 0, 0]


HEARTS = "2h 3h 4h 5h 6h 7h 8h 9h th jh qh kh"


@pytest.mark.parametrize(
    ("won", "scores"),
    [
        ((f"{HEARTS} qs", "", "", ""), [0, 26, 26, 26]),
        ((HEARTS, "qs", "", ""), [13, 13, 0, 0]),
    ],
)
def test_who_takes_all_points_gives_them_to_the_others(
    won: tuple[str, ...], scores: list[int]
) -> None:
    match = held("5c", "4c", "3c", "ah", won=won)
    play(match, "5c 4c 3c ah")
    assert match.state.scores == scores
    assert [len(hand) for hand in match.state.hands] == [13] * 4
    assert match.state.passing


def test_whoever_has_the_fewest_points_at_a_hundred_wins() -> None:
    won = ("", "", HEARTS, "qs")
    match = held("5c", "4c", "3c", "ah", won=won, scores=(20, 5, 95, 60))
    play(match, "5c 4c 3c ah")
    assert match.outcome is not None
    assert match.outcome.ranking == ((1,), (0,), (3,), (2,))
    best, *others = (hearts.GAME.utility(match.outcome, seat) for seat in (1, 0, 3, 2))
    assert 1 > best > others[0] > others[1] > others[2] > 0


def test_a_round_goes_on_after_a_complete_trick_when_people_have_seen_it() -> None:
    text, trick = hearts.HeartsText(), tuple(cards("5c 4c 3c ah"))
    assert text.pause(hearts.Took(0, trick)) == 2.5
    assert text.pause(CardsPassed(0, 1, trick[:3])) == 0


@pytest.mark.slow
def test_the_bot_beats_players_who_play_anything() -> None:
    for number in range(4):
        players = [Random(seat) for seat in range(4)]
        match = Match(hearts.GAME, seed=number, players=[hearts.Keen(), *players[1:]])
        match.run()
        assert match.outcome is not None
        assert match.outcome.winners == (0,)
