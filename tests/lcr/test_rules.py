"""The rules of the game (LCR §2 and §5)."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.lcr.programs import course_turns

from lcr import DIE, GAME, ROLL, ChipPassed, DieRolled, LcrState, Roll, TurnEnded
from tabletop import Event, IllegalAction, Match, OptionError, Outcome, Streams, Table
from tabletop.testing import check_game, scripted_streams

DOT, LEFT, CENTER, RIGHT = 0, 3, 4, 5
SEATS = st.integers(3, 11)
COURSE_SEEDS = st.one_of(st.none(), st.integers(0, 2**32 - 1))


def turn(state: LcrState, *dice: int) -> list[Event]:
    """Play a turn with loaded dice and return its events."""
    streams = scripted_streams({"dice": dice})
    table = Table(streams)
    table.watch(True)
    GAME.apply(state, ROLL, table)
    assert streams["dice"].offset == len(dice)
    return table.events


def new_match(seats: int, course_seed: int | None, seed: str = "x") -> Match[LcrState, Roll]:
    return Match(GAME, seed=seed, seats=seats, options={"course-seed": course_seed})


@pytest.mark.slow
@pytest.mark.parametrize(
    ("seats", "seed"), [(3, None), pytest.param(11, None, marks=pytest.mark.matrix), (4, 10**9)]
)
def test_the_rules_keep_the_contract(seats: int, seed: int | None) -> None:
    options = {"course-seed": seed}
    found = check_game(GAME, matches=1, seats=seats, options=options, seeded=seed is None)
    assert found.matches == 1


@pytest.mark.parametrize("seats", [2, 12])
def test_the_game_is_for_3_to_11(seats: int) -> None:
    with pytest.raises(ValueError, match="3 to 11 players"):
        new_match(seats, None)


def test_a_dot_keeps_the_chip() -> None:
    for dot in (0, 1, 2):
        state = LcrState([1, 2, 3, 3])
        turn(state, dot)
        assert (state.chips, state.pot) == ([1, 2, 3, 3], 0)


@pytest.mark.parametrize(
    ("seat", "roll", "chips", "pot"),
    [
        (0, LEFT, [0, 2, 1, 1], 0),
        (3, LEFT, [2, 1, 1, 0], 0),
        (0, RIGHT, [0, 1, 1, 2], 0),
        (3, RIGHT, [1, 1, 2, 0], 0),
        (2, CENTER, [1, 1, 0, 1], 1),
    ],
)
def test_left_is_the_next_seat_right_the_previous_seat_and_center_the_pot(
    seat: int, roll: int, chips: list[int], pot: int
) -> None:
    state = LcrState([1, 1, 1, 1], seat=seat)
    turn(state, roll)
    assert (state.chips, state.pot) == (chips, pot)


@pytest.mark.parametrize(("chips", "dice"), [(1, 1), (2, 2), (3, 3), (4, 3), (9, 3)])
def test_a_die_is_rolled_for_each_chip_but_never_more_than_three(chips: int, dice: int) -> None:
    state = LcrState([chips, 1, 1])
    turn(state, *[CENTER] * dice)
    assert state == LcrState([chips - dice, 1, 1], pot=dice, seat=1)


def test_seat_without_chips_is_skipped_until_it_receives_one() -> None:
    state = LcrState([1, 0, 0, 2])
    turn(state, DOT)
    assert state.seat == 3
    turn(state, DOT, RIGHT)
    assert state == LcrState([1, 0, 1, 1], seat=0)
    turn(state, DOT)
    assert state.seat == 2


def test_the_game_ends_after_a_turn_not_after_a_die() -> None:
    state = LcrState([2, 1, 0], pot=6)
    turn(state, DOT, DOT)
    turn(state, LEFT)
    assert state.chips == [2, 0, 1]
    state = LcrState([2, 0, 1], pot=6, seat=2)
    turn(state, CENTER)
    assert state == LcrState([2, 0, 0], pot=7, seat=None)
    assert GAME.to_act(state) == ()
    assert GAME.outcome(state) == Outcome(((0,), (1, 2)), "nobody else has chips")


def test_one_seat_may_have_all_chips_between_two_dice() -> None:
    state = LcrState([0, 0, 2], pot=7, seat=2)
    turn(state, CENTER, RIGHT)
    assert state == LcrState([0, 1, 0], pot=8, seat=None)


def test_events_report_dice_chips_and_the_end_of_the_turn() -> None:
    assert turn(LcrState([4, 1, 1]), LEFT, DOT, CENTER) == [
        DieRolled(0, LEFT, DIE[LEFT]),
        ChipPassed(0, 1),
        DieRolled(0, DOT, DIE[DOT]),
        DieRolled(0, CENTER, DIE[CENTER]),
        ChipPassed(0, None),
        TurnEnded(0, 2),
    ]


def test_rolling_is_the_only_action() -> None:
    match = new_match(3, 42)
    stranger: Any = "pass"
    with pytest.raises(IllegalAction, match=r"^pass .*\broll$"):
        match.game.check(match.state, stranger)
    with pytest.raises(IllegalAction, match=r"'pass' .*\blcr\b.* Roll\(\)"):
        match.play(stranger)
    assert match.ply == 0
    assert match.parse(" ROLL ") == ROLL
    assert str(ROLL) == "roll"


def test_rolling_after_the_game_is_refused() -> None:
    state = LcrState([0, 4, 0], pot=5, seat=None)
    message = "the game is over: only one player has chips"
    with pytest.raises(IllegalAction, match=message):
        GAME.check(state, ROLL)
    with pytest.raises(IllegalAction, match=message):
        GAME.apply(state, ROLL, Table(Streams("x")))
    assert state == LcrState([0, 4, 0], pot=5, seat=None)


@settings(deadline=None)
@given(SEATS, COURSE_SEEDS, st.text(max_size=5))
def test_events_account_for_every_chip_and_the_last_roller_never_wins(
    seats: int, course_seed: int | None, seed: str
) -> None:
    match = new_match(seats, course_seed, seed)
    assert match.state == LcrState([3] * seats, pot=0, seat=0)
    chips, pot = [3] * seats, 0

    def account(event: Event) -> None:
        nonlocal pot
        if isinstance(event, ChipPassed):
            chips[event.seat] -= 1
            if event.to is None:
                pot += 1
            else:
                chips[event.to] += 1
        elif isinstance(event, TurnEnded):
            assert chips[event.seat] == event.chips

    match.observe(account)
    failures: list[object] = []
    match.on_observer_failure(failures.append)
    roller = None
    while not match.over:
        [roller] = match.to_act
        assert match.state.chips[roller] > 0
        match.play(ROLL)
        assert min(match.state.chips) >= 0
        assert (chips, pot) == (match.state.chips, match.state.pot)
        assert sum(chips) + pot == 3 * seats
    assert failures == []
    winner = match.state.winner
    assert match.outcome == Outcome.win(winner or 0, seats, "nobody else has chips")
    assert winner != roller
    assert [seat for seat, chips in enumerate(match.state.chips) if chips] == [winner]


@settings(deadline=None)
@given(SEATS, st.integers(0, 2**32 - 1))
def test_course_seed_gives_the_courses_game(seats: int, course_seed: int) -> None:
    match = new_match(seats, course_seed)
    for seat, dice, chips in course_turns(seats, course_seed):
        drawn = match.streams().get("dice", 0)
        assert match.to_act == (seat,)
        match.play(ROLL)
        assert match.state.chips == list(chips)
        assert match.streams() == {"dice": drawn + dice}
    assert match.over


def test_match_seed_is_ignored_with_a_course_seed() -> None:
    ends = [play_out(new_match(5, 42, seed)) for seed in ("one", "other")]
    assert ends[0] == ends[1]


def rolls(match: Match[LcrState, Roll]) -> list[int]:
    """Return all rolls of a match."""
    shown: list[int] = []
    match.observe(lambda event: shown.append(event.roll), DieRolled)
    play_out(match)
    return shown


def play_out(match: Match[LcrState, Roll]) -> LcrState:
    while not match.over:
        match.play(ROLL)
    return match.state


def test_without_a_course_seed_the_dice_come_from_the_seed_of_the_match() -> None:
    shown = rolls(new_match(6, None, "brave old world"))
    stream = Streams("brave old world")["dice"]
    assert shown == [stream.below(6) for _ in shown]
    assert rolls(new_match(6, None, "Brave Old World ")) == shown
    assert rolls(new_match(6, None, "brave new world")) != shown


@pytest.mark.parametrize("course_seed", [-1, 2**32, "42"])
def test_a_course_seed_out_of_range_is_refused(course_seed: int | str) -> None:
    with pytest.raises(OptionError, match=r"\b0 to 4294967295\b"):
        Match(GAME, seats=3, options={"course-seed": course_seed})
