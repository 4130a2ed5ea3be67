"""Players, and the arguments with which they are called."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from tests.tabletop.games import cards, race, rps, walk

from tabletop import (
    BlindPlayer,
    CommandError,
    EndOfInput,
    IllegalAction,
    Match,
    Random,
    Scripted,
    Streams,
)


class Highest:
    """A player without a base class, as a user would write it."""

    def __init__(self) -> None:
        self.given: list[tuple[Any, Sequence[Any]]] = []

    def choose(self, view: cards.Trick, actions: Sequence[cards.PlayCard]) -> cards.PlayCard:
        self.given.append((view, actions))
        return actions[-1]


def test_a_player_is_given_its_view_and_the_legal_actions() -> None:
    player = Highest()
    match = Match(cards.GAME, seed=1, players=[player])
    view, actions = match.view(0), match.legal_actions()
    assert match.step() == actions[-1]
    assert player.given == [(view, actions)]
    assert player.given[0][0] is not match.state
    assert set(player.given[0][0].hands[1]) == {cards.HIDDEN}


def test_a_player_may_change_its_view() -> None:
    class Vandal:
        def choose(self, view: race.Track, actions: Sequence[str]) -> str:
            view.places[:] = [999] * len(view.places)
            view.won = True
            return actions[0]

    match = Match(race.GAME, seed=1, seats=1, players=[Vandal()])
    calm = Match(race.GAME, seed=1, seats=1, players=[Scripted(["walk"])])
    match.step()
    calm.step()
    assert match.digest() == calm.digest()


def test_the_player_of_a_seat_can_be_changed_at_any_time() -> None:
    match = Match(walk.GAME, seed=1, players=[Scripted(["left"]), Scripted(["right"])])
    match.run(2)
    match.set_player(0, Scripted(["wait"]))
    match.run(1)
    stop = match.observe(lambda event: match.set_player(0, Scripted(["left"])))
    match.set_player(1, Random(1))
    match.run(2)
    stop()
    match.set_player(1, None)
    assert (match.actions[:3], match.actions[4]) == (("left", "right", "wait"), "left")
    assert match.players[1] is None
    match.set_player(1, Scripted([]))
    with pytest.raises(EndOfInput, match="script"):
        match.run()
    assert match.ply == 5


def test_random_players_with_the_same_seed_choose_the_same() -> None:
    actions = list(range(100))
    chosen = [[Random(seed).choose(None, actions) for _ in range(3)] for seed in ("a", "A ", 5)]
    assert chosen[0] == chosen[1] != chosen[2]
    stream = Streams("a")["choices"]
    assert Random(stream).choose(None, actions) == chosen[0][0]
    assert stream.offset == 1
    assert {Random(stream).choose(None, "abc") for _ in range(100)} == set("abc")


def test_a_blind_player_that_overrides_choose_receives_the_view() -> None:
    class Peeking(BlindPlayer):
        seen: object = None

        def pick(self, count: int) -> int:
            raise AssertionError("it chooses by itself")

        def choose(self, view: Any, actions: Sequence[Any]) -> Any:
            self.seen = view
            return actions[0]

    player = Peeking()
    match: Match[walk.Path, str] = Match(walk.GAME, seed=1, players=[player])
    match.run(1)
    assert player.seen == walk.Path()


def test_a_script_is_made_of_actions_and_of_their_texts() -> None:
    script: list[rps.Show | str] = [rps.Show(0, "rock"), " Paper"]
    match = Match(rps.GAME, seed=1)
    match.set_player(0, Scripted(script))
    match.set_player(1, Scripted(["scissors", "rock"]))
    match.run(4)
    assert [str(action) for action in match.actions] == ["rock", "scissors", "paper", "rock"]


def test_a_script_with_an_unknown_or_illegal_action_raises_an_error() -> None:
    match = Match(cards.GAME, seed=1)
    match.set_player(0, Scripted(["trump", cards.PlayCard(99)]))
    with pytest.raises(CommandError, match="'trump'") as caught:
        match.step()
    assert caught.value.line == "trump"
    with pytest.raises(IllegalAction, match=r"\bhold .*\b99$"):
        match.step()
    assert match.ply == 0


def test_a_person_may_type_the_number_of_an_action_or_its_text() -> None:
    for line in ("2", " right ", "RIGHT"):
        assert Match(walk.GAME, seed=1).parse(line, numbered=True) == "right"


def test_a_program_cannot_use_the_number_of_an_action() -> None:
    with pytest.raises(CommandError):
        Match(walk.GAME, seed=1).parse("2")


class Listed(walk.LongWalk):
    """A game with given actions."""

    def __init__(self, *actions: str) -> None:
        self.actions = actions

    def legal_actions(self, state: walk.Path, seat: int) -> Sequence[str]:
        return self.actions


def test_if_actions_are_numbers_a_number_is_not_a_place_in_the_list() -> None:
    match = Match(Listed("30", "20", "10"), seed=1)
    assert match.parse("20", numbered=True) == "20"
    with pytest.raises(CommandError, match=r"'1' .*: 30, 20, 10"):
        match.parse("1", numbered=True)


def test_a_number_beyond_the_list_suggests_the_action_that_ends_with_it() -> None:
    match = Match(Listed("bid 23", "raise 24", "bid 24"), seed=1)
    with pytest.raises(CommandError, match=r" 23 .*'bid 23'\?$"):
        match.parse("23", numbered=True)
    with pytest.raises(CommandError, match=r"no action 24 "):
        match.parse("24", numbered=True)


@pytest.mark.parametrize("line", ["4", "0", "999999999", "-1", "²", "1.0", "9" * 5000])
def test_a_number_beyond_the_list_is_refused_or_parsed_as_words(line: str) -> None:
    is_number = len(line) < 10 and line.isascii() and line.isdecimal()
    message = f"there is no action {line} " if is_number else ": left"
    with pytest.raises(CommandError, match=message) as caught:
        Match(walk.GAME, seed=1).parse(line, numbered=True)
    assert (caught.value.line, caught.value.place) == (line, int(is_number))
