"""What the contract of a game brings along: outcomes, options, and the defaults of `Game`."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabletop import CommandError, IllegalAction, Match, Option, OptionError, Outcome, Streams
from tabletop.game import OptionValue, find_by_text
from tests.tabletop.games import cards, race, rps, walk


def test_the_winner_stands_before_all_others_who_are_tied() -> None:
    outcome = Outcome.win(1, 3, "by nose")
    assert outcome.ranking == ((1,), (0, 2))
    assert outcome.winners == (1,)
    assert outcome.reason == "by nose"
    assert [outcome.rank(seat) for seat in range(3)] == [1, 0, 1]
    assert not outcome.is_draw


def test_who_plays_alone_can_win() -> None:
    assert Outcome.win(0, 1).ranking == ((0,),)
    assert Outcome.win(0, 1).winners == (0,)


def test_nobody_wins_a_draw() -> None:
    outcome = Outcome.draw(2, "no cards left")
    assert outcome.is_draw
    assert outcome.winners == ()
    assert outcome.ranking == ((0, 1),)


def test_an_abandoned_match_is_no_draw_and_nobody_wins() -> None:
    outcome = Outcome.abandon(2, "rain")
    assert outcome.abandoned
    assert not outcome.is_draw
    assert outcome.winners == ()
    assert outcome.reason == "rain"


def test_several_can_win_together() -> None:
    assert Outcome(((0, 2), (1,))).winners == (0, 2)
    assert not Outcome(((0, 2), (1,))).is_draw


@given(st.lists(st.integers(-5, 5), min_size=1, max_size=6))
def test_scores_rank_every_seat_once_and_the_highest_first(scores: list[int]) -> None:
    outcome = Outcome.by_score(scores)
    ranked = [seat for group in outcome.ranking for seat in group]
    assert sorted(ranked) == list(range(len(scores)))
    for one, score in enumerate(scores):
        for other, another in enumerate(scores):
            assert (score > another) == (outcome.rank(one) < outcome.rank(other))


def test_an_outcome_knows_only_its_own_seats() -> None:
    with pytest.raises(ValueError, match="does not rank seat 2"):
        Outcome.draw(2).rank(2)


NUMBER = Option("rounds", 3, low=1, high=9)
FREE = Option("deck", kind=int)
FLAG = Option("open", default=False)
WORD = Option("edition", "2024", choices=("2017", "2024", "Gold"))
TEXT = Option("motto")


@pytest.mark.parametrize(
    ("option", "text", "value"),
    [
        (NUMBER, " 9 ", 9),
        (NUMBER, "+1", 1),
        (FREE, "-7", -7),
        (FLAG, "Yes", True),
        (FLAG, "off", False),
        (WORD, " gold ", "Gold"),
        (TEXT, "any thing", "any thing"),
    ],
)
def test_an_option_reads_what_it_takes(option: Option, text: str, value: OptionValue) -> None:
    read = option.parse(text)
    assert read == value
    assert type(read) is type(value)


@pytest.mark.parametrize(
    ("option", "text"),
    [
        (NUMBER, "0"),
        (NUMBER, "10"),
        (NUMBER, "three"),
        (NUMBER, ""),
        (NUMBER, "²"),
        (NUMBER, "9" * 5000),
        (FLAG, "perhaps"),
        (WORD, "2018"),
    ],
)
def test_an_option_refuses_anything_else_and_names_itself(option: Option, text: str) -> None:
    with pytest.raises(OptionError) as caught:
        option.parse(text)
    assert str(caught.value).startswith(f"option {option.name}: ")
    assert str(caught.value).endswith(f" is not {option.wanted}")
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize(
    ("option", "wanted"),
    [
        (NUMBER, "a whole number from 1 to 9"),
        (FREE, "a whole number"),
        (Option("a", 1, low=0), "a whole number of at least 0"),
        (Option("a", 1, high=5), "a whole number of at most 5"),
        (FLAG, "yes or no"),
        (WORD, "2017, 2024, Gold"),
        (TEXT, "any text"),
    ],
)
def test_an_option_says_what_it_takes(option: Option, wanted: str) -> None:
    assert option.wanted == wanted


@pytest.mark.parametrize(
    ("option", "value"), [(NUMBER, True), (NUMBER, "3"), (NUMBER, None), (FLAG, 1), (TEXT, 5)]
)
def test_an_option_refuses_a_value_of_another_type(option: Option, value: OptionValue) -> None:
    with pytest.raises(OptionError, match=f"option {option.name}: "):
        option.check(value)


def test_an_option_without_a_default_may_stay_unset() -> None:
    assert TEXT.check(None) is None
    assert FREE.check(None) is None


def test_options_that_are_not_given_have_their_defaults() -> None:
    assert race.GAME.resolve_options({"goal": 9}) == {"goal": 9, "start": "anywhere"}
    assert race.GAME.resolve_options({}) == {"goal": 40, "start": "anywhere"}
    assert walk.GAME.resolve_options({}) == {}


def test_an_unknown_option_is_refused_and_the_known_ones_are_named() -> None:
    with pytest.raises(OptionError, match="race has no option 'gaol'; its options: goal, start"):
        race.GAME.resolve_options({"gaol": 9})
    with pytest.raises(OptionError, match="its options: none"):
        walk.GAME.resolve_options({"goal": 9})


def test_what_is_not_listed_is_refused_by_default() -> None:
    state = race.GAME.setup(race.GAME.resolve_options({}), 2, Streams("x"))
    race.GAME.check(state, "walk")
    with pytest.raises(IllegalAction, match="fly is not possible now"):
        race.GAME.check(state, "fly")


def test_where_several_may_act_each_is_checked_for_its_own_seat() -> None:
    state = rps.GAME.setup({"rounds": 1}, 3, Streams("x"))
    state.chosen[0] = "rock"
    rps.GAME.check(state, rps.Show(2, "rock"))
    with pytest.raises(IllegalAction):
        rps.GAME.check(state, rps.Show(0, "rock"))


def test_a_game_without_commands_reads_the_texts_of_legal_actions() -> None:
    state = rps.GAME.setup({"rounds": 1}, 2, Streams("x"))
    assert rps.GAME.parse("  PAPER ", state, 1) == rps.Show(1, "paper")
    with pytest.raises(
        CommandError, match=r"did you mean 'rock'\? possible: rock, paper"
    ) as caught:
        rps.GAME.parse("rok", state, 1)
    assert caught.value.line == "rok"


def test_a_game_with_commands_reads_what_they_understand() -> None:
    state = cards.GAME.setup({}, 2, Streams("x"))
    assert cards.GAME.parse("play 7", state, 0) == cards.PlayCard(7)


def test_a_long_list_of_possibilities_is_cut() -> None:
    actions = [f"go {number} {number}" for number in range(50)]
    assert find_by_text("go  7   7", actions) == "go 7 7"
    with pytest.raises(CommandError, match=r"go 11 11, \.\.\.$"):
        find_by_text("xyz", actions)


def test_by_default_nothing_is_hidden_and_a_redeal_is_a_copy() -> None:
    match = Match(walk.GAME, seed=1)
    match.play("left")
    state = match.state
    assert walk.GAME.view(state, 0) is state
    guess = walk.GAME.redeal(state, 0, Streams("guess")["cards"])
    assert guess == state
    assert guess is not state


@given(st.text(), st.sampled_from([0, 1, None]))
def test_a_redeal_looks_the_same_to_the_seat_it_is_made_for(seed: str, seat: int | None) -> None:
    match = Match(cards.GAME, seed=seed)
    match.play(match.legal_actions()[0])
    guess = cards.GAME.redeal(match.state, seat, Streams(seed)["guess"])
    assert cards.GAME.view(guess, seat) == match.view(seat)
