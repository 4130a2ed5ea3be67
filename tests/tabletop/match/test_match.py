"""A match is played, viewed by its seats, undone and cloned."""

from __future__ import annotations

from typing import Any, cast

import pytest
from tests.tabletop.games import cards, race, rps, walk

from tabletop import (
    CommandError,
    IllegalAction,
    Match,
    Outcome,
    Random,
    Scripted,
    Seed,
    SeedError,
    Streams,
    Table,
    TabletopError,
)
from tabletop.errors import MatchOver, NotYourTurn
from tabletop.rules import AnyGame

RUNS = ["run", "walk", "run", "run", "walk"]


def raced(plies: int = 5, **more: Any) -> Match[race.Track, str]:
    match = Match(race.GAME, seed="old oak", seats=3, **more)
    for action in (RUNS * plies)[:plies]:
        match.play(action)
    return match


def test_a_match_has_the_arguments_it_was_made_with_as_attributes() -> None:
    match = Match(race.GAME, seed=" Old Oak ", seats=["Ann", "Bo"], options={"goal": 7})
    assert match.game is race.GAME
    assert match.seed == Seed("old oak")
    assert match.seed.text == "Old Oak"
    assert match.names == ("Ann", "Bo")
    assert match.seats == 2
    assert match.options == {"goal": 7, "start": "anywhere"}
    assert match.players == (None, None)
    options: Any = match.options
    with pytest.raises(TypeError):
        options["goal"] = 8


def test_by_default_a_match_has_the_fewest_seats_and_a_new_seed_phrase() -> None:
    assert Match(rps.GAME).names == ("Player 1", "Player 2")
    assert Match(rps.GAME, seats=4).seats == 4
    assert len(Match(walk.GAME).seed.text.split()) == 3
    assert Match(walk.GAME).seed != Match(walk.GAME).seed


@pytest.mark.parametrize(
    ("game", "seats", "error", "wrong"),
    [
        *((rps.GAME, n, ValueError, r"^rps .*\b2 to 4\b") for n in (1, 5, 0, -1)),
        (rps.GAME, ["Ann"], ValueError, r"^rps .*\b2 to 4\b"),
        (walk.GAME, 3, ValueError, r"^longwalk .*\b2\b.*\b3$"),
        (race.GAME, "Ann", TypeError, "not 'Ann'"),
        *(
            (rps.GAME, seats_given, TypeError, r"^seats .*\bnumber\b.*\blist\b")
            for seats_given in (2.0, True, {"Ann"})
        ),
        (rps.GAME, ["Ann", 2], TypeError, r"^seats: .*\bname\b.* 2$"),
    ],
)
def test_the_wrong_number_of_seats_is_refused(
    game: AnyGame, seats: int | list[str], error: type[Exception], wrong: str
) -> None:
    with pytest.raises(error, match=wrong):
        Match(game, seats=seats)


def test_more_players_than_seats_are_refused() -> None:
    with pytest.raises(ValueError, match="no seat 3"):
        Match(walk.GAME, players=[Random(1)] * 3)


def test_a_match_is_played_to_its_end() -> None:
    match = Match(walk.GAME, seed=1, players=[Random(1), Random(2)])
    assert match.run(10) is None
    assert (match.ply, match.over) == (10, False)
    outcome = match.run()
    assert outcome == match.outcome == Outcome.draw(2)
    assert (match.ply, match.over) == (walk.STEPS, True)
    assert [*match.to_act] == []
    assert match.legal_actions() == match.legal_actions(0) == ()


def test_no_action_can_be_played_after_the_end() -> None:
    match = Match(race.GAME, seed=1, seats=1, options={"goal": 1, "start": "line"})
    match.play("walk")
    for refused in (lambda: match.play("walk"), lambda: match.parse("walk"), match.step):
        with pytest.raises(MatchOver):
            refused()


def test_several_seats_may_be_to_act_in_any_order() -> None:
    match = Match(rps.GAME, seed=1, seats=3)
    assert [*match.to_act] == [0, 1, 2]
    match.play(rps.Show(1, "rock"))
    assert [*match.to_act] == [0, 2]
    assert match.legal_actions(1) == ()
    assert match.legal_actions() == match.legal_actions(0)
    match.play(rps.Show(2, "scissors"))
    match.play(rps.Show(0, "scissors"))
    assert [*match.to_act] == [0, 1, 2]
    assert match.state.points == [0, 1, 0]


def test_a_simultaneous_choice_is_hidden_until_all_seats_have_chosen() -> None:
    match = Match(rps.GAME, seed=1)
    match.play(rps.Show(1, "rock"))
    assert match.view(0).chosen == [None, rps.HIDDEN]
    assert match.view().chosen == [None, rps.HIDDEN]
    assert match.view(1).chosen == [None, "rock"]


def test_each_seat_sees_only_its_own_hand() -> None:
    match = Match(cards.GAME, seed="cards", seats=3)
    for seat in (0, 1, 2, None):
        view = match.view(seat)
        for other, hand in enumerate(view.hands):
            assert hand == match.state.hands[other] if other == seat else {*hand} == {0}
        assert {*view.deck} == {0}


def test_a_view_is_a_copy_even_when_nothing_is_hidden() -> None:
    match = raced()
    before = match.digest()
    match.view(0).places[0] = 99
    match.view().goal = 1
    assert match.digest() == before


ILLEGAL = [
    ("fly", "^fly "),
    (None, r"^None .*: 'walk', 'run'\)$"),
    (["walk"], r"^\['walk'\] .*: 'walk', 'run'\)$"),
]


@pytest.mark.parametrize(("action", "reason"), ILLEGAL)
def test_an_illegal_action_is_refused_with_the_reason_and_changes_nothing(
    action: Any, reason: str
) -> None:
    match = raced()
    match.undo()
    before = match.digest(), match.streams(), match.actions, match.undone
    for refused in (match.check, match.play):
        with pytest.raises(IllegalAction, match=reason) as caught:
            refused(action)
        assert caught.value.action == action
        assert caught.value.seat == match.to_act[0]
    assert (match.digest(), match.streams(), match.actions, match.undone) == before


def test_the_reason_of_a_refusal_comes_from_the_rules() -> None:
    match = Match(cards.GAME, seed=1)
    (card, *_) = match.state.hands[1]
    with pytest.raises(IllegalAction, match=rf"\bhold .*\b{card}$") as caught:
        match.play(cards.PlayCard(card))
    assert caught.value.reason == str(caught.value)


def test_if_several_seats_may_act_an_action_names_its_seat() -> None:
    match = Match(rps.GAME, seed=1)
    stranger = rps.Show(cast("Any", None), "rock")
    with pytest.raises(IllegalAction, match="`seat`") as caught:
        match.play(stranger)
    assert caught.value.seat is None
    match = Match(rps.GAME, seed=1, seats=3)
    match.play(rps.Show(1, "rock"))
    before = match.digest()
    with pytest.raises(NotYourTurn, match=r"\bPlayer 2\b") as caught:
        match.play(rps.Show(1, "paper"))
    assert caught.value.seat == 1
    assert match.digest() == before
    assert match.actor(rps.Show(2, "paper")) == 2


def test_a_line_is_parsed_for_the_seat_that_typed_it() -> None:
    match = Match(rps.GAME, seed=1, seats=3)
    assert match.parse("rock") == rps.Show(0, "rock")
    assert match.parse("rock", 2) == rps.Show(2, "rock")
    match.play(rps.Show(2, "rock"))
    with pytest.raises(IllegalAction, match=r"^Player 3 "):
        match.parse("rock", 2)
    with pytest.raises(CommandError, match=r"'well'.* rock"):
        match.parse("well")


@pytest.mark.parametrize("count", [0, 1, 64, 65, 299, 300])
def test_any_number_of_actions_can_be_undone_and_redone(count: int) -> None:
    match = Match(walk.GAME, seed="far")
    digests = [match.digest()]
    for number in range(300):
        match.play(walk.ACTIONS[number % 3])
        digests.append(match.digest())
    match.undo(count)
    assert match.ply == 300 - count
    assert match.undone == count
    assert match.digest() == digests[300 - count]
    match.redo(count)
    assert match.digest() == digests[300]
    assert match.undone == 0


def test_redo_reports_draws_and_undo_does_not() -> None:
    draws: list[object] = []
    match = raced(on_draw=draws.append)
    before = len(draws)
    match.undo(2)
    assert len(draws) == before
    match.redo()
    assert len(draws) > before


def test_undone_actions_are_dropped_when_another_action_is_played() -> None:
    match = raced()
    match.undo(2)
    match.play("walk")
    assert match.undone == 0
    with pytest.raises(ValueError, match="from 0 to 0, not 1"):
        match.redo()
    match.undo(2)
    match.set_player(match.to_act[0], Random(1))
    match.run(1)
    assert match.undone == 0


@pytest.mark.parametrize("count", [-1, 6])
def test_more_actions_than_were_played_cannot_be_undone(count: int) -> None:
    match = raced()
    match.undo()
    before = match.digest()
    with pytest.raises(ValueError, match=f"from 0 to 4, not {count}"):
        match.undo(count)
    with pytest.raises(ValueError, match=f"from 0 to 1, not {count}"):
        match.redo(count)
    assert (match.digest(), match.ply, match.undone) == (before, 4, 1)


def test_a_clone_has_neither_players_nor_observers() -> None:
    events: list[object] = []
    match = raced(players=[Random(1)])
    match.observe(events.append)
    twin = match.clone()
    assert twin.players == (None, None, None)
    twin.play("walk")
    twin.undo()
    assert events == []


def test_the_digest_depends_on_the_state_and_the_streams() -> None:
    one = Match(race.GAME, seed=1, seats=2, options={"start": "line"})
    same = Match(race.GAME, seed=1, seats=2, options={"start": "line"})
    other = Match(race.GAME, seed=1, seats=2, options={"start": "line", "goal": 41})
    assert one.digest() == same.digest() != other.digest()
    assert len(one.digest()) == 32
    one.play("walk")
    one.state.places[0], one.state.turn = 0, 0
    assert one.state == same.state
    assert one.digest() != same.digest(), "a stream has been drawn from"


def test_streams_returns_every_stream_that_was_drawn_from() -> None:
    match = raced(4)
    assert list(match.streams()) == ["dice/0", "dice/1", "dice/2", "start", "weather>wind"]


def test_looking_ahead_with_a_separate_table_does_not_change_the_match() -> None:
    match = raced()
    before = match.digest()
    guess = match.view(match.to_act[0])
    table = Table(Streams("a guess"))
    match.game.apply(guess, "run", table)
    assert guess != match.state
    assert match.digest() == before
    assert table.events == []
    table.watch(True)
    match.game.apply(guess, "walk", table)
    assert len(table.events) == 1


def test_a_seat_with_a_player_does_not_wait_for_one_without() -> None:
    match = Match(rps.GAME, seed=1, seats=["Ann", "Bob", "Cy"], players=[None, None, Random(3)])
    assert match.step().seat == 2
    with pytest.raises(TabletopError, match=r"^Ann "):
        match.step()
    assert match.to_act == (0, 1)


def test_run_plays_until_only_seats_without_a_player_are_to_act() -> None:
    match = Match(rps.GAME, seed=1, seats=3, players=[None, Scripted(["rock"]), Random(3)])
    with pytest.raises(TabletopError, match=r"^Player 1 .*\bplayer$"):
        match.run()
    assert (match.ply, match.to_act) == (2, (0,))


def test_step_can_ask_one_of_several_seats() -> None:
    match = Match(rps.GAME, seed=1, seats=3, players=[Random(1), Random(2), None])
    assert match.step(seat=1).seat == 1
    with pytest.raises(NotYourTurn, match=r"\bPlayer 2\b"):
        match.step(seat=1)
    with pytest.raises(NotYourTurn, match=r"\bseat 8\b"):
        match.step(seat=7)
    for seat in (-1, 3):
        with pytest.raises(ValueError, match=f"no seat {seat + 1}"):
            match.set_player(seat, Random(1))
    with pytest.raises(TabletopError, match=r"^Player 3 "):
        match.step(seat=2)
    assert match.step().seat == 0


@pytest.mark.parametrize("seat", [2, -1])
@pytest.mark.parametrize(
    "method", ["legal_actions", "view", "sampler", "bot_stream", "seat_history"]
)
def test_a_seat_that_the_match_does_not_have_is_refused(method: str, seat: int) -> None:
    match = Match(walk.GAME, seed=1)
    with pytest.raises(ValueError, match="no seat"):
        getattr(match, method)(seat)


@pytest.mark.parametrize("seat", [5.0, "1", 0.5])
@pytest.mark.parametrize(
    "method", ["legal_actions", "view", "sampler", "bot_stream", "seat_history"]
)
def test_a_seat_that_is_not_a_whole_number_is_refused(method: str, seat: Any) -> None:
    match = Match(walk.GAME, seed=1)
    with pytest.raises(TypeError):
        getattr(match, method)(seat)


@pytest.mark.parametrize("seed", [1.5, b"x", True, "\ud800", "old \udcff oak", ()])
def test_an_invalid_seed_is_refused_when_the_match_is_made(seed: Any) -> None:
    with pytest.raises(SeedError):
        Match(walk.GAME, seed=seed)
