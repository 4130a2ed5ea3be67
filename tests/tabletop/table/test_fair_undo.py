"""Random draws and revealed secrets cannot be undone at a fair table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tabletop import (
    NOBODY,
    OWNER,
    Event,
    Game,
    Match,
    Options,
    Outcome,
    Random,
    Seat,
    SecretGame,
    State,
    Streams,
    Table,
    event,
    secret,
    state,
)
from tabletop.registry import load
from tabletop.rng.stream import Draw
from tabletop.table.undo import find_obstacle
from tests.tabletop.cli.program import TICTACTOE
from tests.tabletop.games import cards, rps


def table(game: Game[Any, Any], *lines: str, seats: int = 2, seed: str = "oak") -> Match[Any, Any]:
    names = ["Ada", "Bo", "Cy", "Di"][:seats]
    match: Match[Any, Any] = Match(game, seed=seed, seats=names)
    for line in lines:
        match.play(match.parse(line, match.to_act[0]))
    return match


def obstacles(match: Match[Any, Any]) -> list[str]:
    """Why the last action cannot be undone, after each."""
    again = Match(match.game, seed=match.seed, seats=match.names, options=match.options)
    found = []
    for action in match.actions:
        again.play(action)
        found.append(find_obstacle(again, 1))
    return found


def test_a_die_cannot_be_taken_back() -> None:
    match = table(load("lcr").game, "roll", seats=3)
    assert (
        find_obstacle(match, 1) == "Ada's roll cannot be undone, because it includes random draws"
    )


def test_what_nobody_hides_and_no_die_decides_can_be_taken_back() -> None:
    match = table(load(TICTACTOE).game, "1", "2", "3")
    assert obstacles(match) == ["", "", ""]


def test_a_card_that_is_drawn_without_a_word_cannot_be_taken_back() -> None:
    match = table(cards.GAME)
    match.play(match.legal_actions()[0])
    assert find_obstacle(match, 1) == "", "a card that is played was its owner's to show"
    match.play(match.legal_actions()[0])
    told = f"Bo's {match.actions[-1]} cannot be undone, because it revealed something hidden"
    assert find_obstacle(match, 1) == told


@event
class Peeked(Event):
    """Somebody has looked at the next card of the deck."""

    seat: Seat
    card: int = secret(to=OWNER, back=cards.HIDDEN)


class Peeking(cards.Tricks):
    """A player who plays a card looks at the next card of the deck."""

    name = "peeking"

    def apply(self, state: cards.Trick, action: cards.PlayCard, table: Table) -> None:
        (seat,) = self.to_act(state)
        super().apply(state, action, table)
        table.emit(Peeked(seat, state.deck[-1]))


def test_an_action_that_has_told_its_actor_alone_a_secret_cannot_be_taken_back() -> None:
    match = table(Peeking())
    match.play(match.legal_actions()[0])
    told = f"Ada's {match.actions[-1]} cannot be undone, because it revealed something hidden"
    assert find_obstacle(match, 1) == told


@pytest.mark.slow
def test_cards_that_everybody_draws_from_a_known_deck_cannot_be_taken_back() -> None:
    game = load("sorcery").game
    match: Match[Any, Any] = Match(game, seed="oak", players=[Random(1), Random(2)])
    match.run(60)
    stands: set[bool] = set()
    again: Match[Any, Any] = Match(game, seed="oak")
    for action in match.actions:
        before = [len(side.hand) for side in again.state.sides]
        again.play(action)
        drew = any(
            len(side.hand) > cards for side, cards in zip(again.state.sides, before, strict=True)
        )
        assert bool(find_obstacle(again, 1)) == drew, str(action)
        stands.add(drew)
    assert stands == {True, False}


@state
class Pile(State):
    """A pile that is shuffled before the match. Each move reveals its last card."""

    cards: list[str] = secret(to=NOBODY, back="?")
    shown: list[str] = field(default_factory=list[str])


class TurnUp(SecretGame[Pile, str]):
    """Turn up a card, or pass."""

    name = "turn-up"

    def setup(self, options: Options, seats: int, rng: Streams) -> Pile:
        coins = ["heads", "tails"] * 4
        rng["pile"].shuffle(coins)
        return Pile(coins)

    def to_act(self, state: Pile) -> Sequence[Seat]:
        return (len(state.shown) % 2,) if len(state.shown) < 6 else ()

    def legal_actions(self, state: Pile, seat: Seat) -> Sequence[str]:
        return ("turn", "pass")

    def apply(self, state: Pile, action: str, table: Table) -> None:
        state.shown.append(state.cards.pop() if action == "turn" else "-")

    def outcome(self, state: Pile) -> Outcome | None:
        return None if len(state.shown) < 6 else Outcome.draw(2)


def test_a_card_that_everybody_saw_turned_up_stays_up() -> None:
    match = table(TurnUp(), "pass", "turn", "pass")
    told = "Bo's turn cannot be undone, because it revealed something hidden"
    assert obstacles(match) == ["", told, ""]


@state
class Tosses(State):
    """The coins that have been tossed."""

    heads: list[bool] = field(default_factory=list[bool])


class Toss(Game[Tosses, str]):
    """Toss a coin, five times."""

    name = "toss"

    def setup(self, options: Options, seats: int, rng: Streams) -> Tosses:
        return Tosses()

    def to_act(self, state: Tosses) -> Sequence[Seat]:
        return (len(state.heads) % 2,) if len(state.heads) < 5 else ()

    def legal_actions(self, state: Tosses, seat: Seat) -> Sequence[str]:
        return ("toss",)

    def apply(self, state: Tosses, action: str, table: Table) -> None:
        state.heads.append(table.rng["coin"].below(2) == 1)

    def outcome(self, state: Tosses) -> Outcome | None:
        return None if len(state.heads) < 5 else Outcome.draw(2)


def test_a_coin_is_not_tossed_again() -> None:
    assert "random draws" in find_obstacle(table(Toss(), "toss"), 1)


def test_a_secret_choice_can_be_taken_back() -> None:
    match = table(rps.GAME)
    match.play(rps.Show(0, "rock"))
    assert find_obstacle(match, 1) == ""


def test_the_last_obstacle_is_told_and_what_came_after_it_can_be_taken_back() -> None:
    match = table(cards.GAME)
    for _ in range(3):
        match.play(match.legal_actions()[0])
    assert [find_obstacle(match, count) for count in (1, 2)] == [
        "",
        f"Bo's {match.actions[1]} cannot be undone, because it revealed something hidden",
    ]
    assert find_obstacle(match, 3) == find_obstacle(match, 2)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["lcr", "constructor", "sorcery"])
@settings(max_examples=8)
@given(seed=st.integers(0, 10**6), plies=st.integers(1, 40))
def test_looking_back_changes_nothing(name: str, seed: int, plies: int) -> None:
    game = load(name).game
    match: Match[Any, Any] = Match(game, seed=seed)
    for seat in range(match.seats):
        match.set_player(seat, Random(match.bot_stream(seat)))
    match.run(plies)
    before = match.digest(), match.bot_offsets(), match.ply, match.undone
    find_obstacle(match, match.ply)
    assert (match.digest(), match.bot_offsets(), match.ply, match.undone) == before


@pytest.mark.slow
@settings(max_examples=8)
@given(seed=st.integers(0, 10**6))
@example(27529)  # steals from a builder who has a single resource
def test_only_a_draw_with_several_results_is_an_obstacle(seed: int) -> None:
    game, draws = load("constructor").game, list[Draw]()
    match: Match[Any, Any] = Match(game, seed=seed, seats=4, on_draw=draws.append)
    for seat in range(4):
        match.set_player(seat, Random(seat))
    for _ in range(30):
        draws.clear()
        match.run(1)
        assert bool(find_obstacle(match, 1)) == any(draw.bound > 1 for draw in draws)
