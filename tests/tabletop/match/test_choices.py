"""A value that is not an action of the game gets the same error everywhere and changes nothing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from types import SimpleNamespace
from typing import Any, NoReturn

import pytest
from tests.tabletop.games import cards, race, rps, walk
from tests.tabletop.told import tells

from constructor import ChooseRoll, PlaceGeese, Settle, Steal
from sorcery import Attack
from tabletop import Game, IllegalAction, Match, Outcome, Random
from tabletop.errors import NotAnAction
from tabletop.match import AnyMatch
from tabletop.match.contract_errors import short_repr
from tabletop.registry import installed, load


class Touchy:
    """An object that cannot be compared, hashed or printed."""

    def __eq__(self, other: object) -> NoReturn:
        raise RuntimeError("do not touch")

    def __hash__(self) -> NoReturn:
        raise TypeError("unhashable")

    def __repr__(self) -> NoReturn:
        raise RuntimeError("do not look")


@dataclass(frozen=True)
class Stranger:
    """An action of another game."""

    seat: int = 0

    def __str__(self) -> str:
        return "walk"


CHOICES: dict[str, tuple[Callable[[], Any], str]] = {
    "nothing": (lambda: None, "None"),
    "a number": (lambda: 3.5, "3.5"),
    "several": (lambda: (1, "walk"), "(1, 'walk')"),
    "a list": (lambda: ["roll"], "['roll']"),
    "a touchy object": (Touchy, "<Touchy>"),
    "an action of another game": (Stranger, "Stranger(seat=0)"),
    "a class": (lambda: Stranger, "<class "),
}
BUNDLED = [load(name).game for name in installed()]
GAMES = {game.name: game for game in [*BUNDLED, cards.GAME, race.GAME, rps.GAME, walk.GAME]}


class Bot:
    """A bot that returns a given value."""

    def __init__(self, make: Callable[[], Any]) -> None:
        self.make = make
        self.asked = 0

    def choose(self, view: Any, actions: Sequence[Any]) -> Any:
        self.asked += 1
        return self.make()

    def refused(self, error: IllegalAction) -> None:
        """Without `NotAnAction`, the bot would be asked again forever."""


@pytest.mark.parametrize("choice", CHOICES)
@pytest.mark.parametrize("game", GAMES)
def test_every_game_reports_a_value_that_is_not_an_action(game: str, choice: str) -> None:
    make, shown = CHOICES[choice]
    bot = Bot(make)
    match = Match(GAMES[game], seed=1, players=[bot])
    legal = match.legal_actions()
    before = match.digest(), match.streams(), match.ply
    with pytest.raises(NotAnAction) as caught:
        match.step()
    message = str(caught.value)
    who = f"{match.names[match.to_act[0]]}, played by Bot"
    assert message.startswith(f"{who}: {shown}")
    assert tells(message, f"{shown} ... {game} ... {legal[0]!r}")
    assert (caught.value.seat, type(caught.value.action)) == (match.to_act[0], type(make()))
    for refuse in (match.check, match.play):
        with pytest.raises(NotAnAction) as caught:
            refuse(make())
        assert str(caught.value).startswith(shown)
        assert str(caught.value) == caught.value.reason
    assert (match.digest(), match.streams(), match.ply) == before
    assert bot.asked == 1


@pytest.mark.parametrize("nonsense", ["text", None, Touchy()])
def test_an_action_with_nonsense_values_is_not_an_action(nonsense: Any) -> None:
    match = Match(load("sorcery").game, seed=1, players=[Bot(lambda: Attack(nonsense, nonsense))])
    with pytest.raises(NotAnAction, match=r"\bBot: .* sorcery\b"):
        match.step()


@pytest.mark.parametrize(
    ("game", "action", "reason"),
    [(cards.GAME, cards.PlayCard(99), "you do not hold the 99"), (race.GAME, "fly", "fly ")],
)
def test_an_action_that_is_not_legal_now_has_the_reason_of_the_rules(
    game: Any, action: Any, reason: str
) -> None:
    match: AnyMatch = Match(game, seed=1)
    bot = type("Deaf", (), {"choose": lambda self, view, actions: action})()
    match.set_player(match.to_act[0], bot)
    with pytest.raises(IllegalAction, match=f"played by Deaf: {reason}") as caught:
        match.step()
    assert not isinstance(caught.value, NotAnAction)
    assert caught.value.reason.startswith(reason)


@dataclass
class Auction:
    """The highest bid."""

    bid: int = 0

    def clone(self) -> Auction:
        return Auction(self.bid)


@dataclass(frozen=True)
class Bid:
    """`bid N`, with too many values to list."""

    money: int

    def __str__(self) -> str:
        return f"bid {self.money}"


class Auctions(Game[Auction, Any]):
    """A game with free-form actions, no command table, and rules that do not check their input."""

    name = "auction"
    lists_every_action = False

    def setup(self, options: Any, seats: int, rng: Any) -> Auction:
        return Auction()

    def to_act(self, state: Auction) -> Sequence[int]:
        return () if state.bid else (0,)

    def legal_actions(self, state: Auction, seat: int) -> Sequence[str]:
        return ("pass",)

    def check(self, state: Auction, action: Any) -> None:
        if action != "pass" and 99 % action.money:
            raise IllegalAction("bid a divisor of 99")

    def apply(self, state: Auction, action: Any, table: Any) -> None:
        state.bid = action.money

    def outcome(self, state: Auction) -> Outcome | None:
        return Outcome(((0,), (1,))) if state.bid else None

    def parse(self, text: str, state: Auction, seat: int) -> Any:
        word, _, number = text.partition(" ")
        return Bid(int(number)) if word == "bid" else super().parse(text, state, seat)


def told_to(choice: Any) -> Any:
    """Return `choice`, with a type that hides its class from mypy."""
    return choice


def test_a_free_form_action_must_equal_the_action_that_its_text_means() -> None:
    match = Match(Auctions(), seed=1, players=[Bot(lambda: Bid(11))])
    assert match.step() == Bid(11)
    for nonsense in (None, 7, Stranger(), Touchy()):
        match = Match(Auctions(), seed=1, players=[Bot(partial(told_to, nonsense))])
        with pytest.raises(NotAnAction, match=r"\bauction\b.*'pass'"):
            match.step()


def test_an_error_of_the_rules_for_a_real_action_is_raised() -> None:
    match = Match(Auctions(), seed=1)
    with pytest.raises(ZeroDivisionError):
        match.play(Bid(0))
    assert match.ply == 0


def test_a_value_that_the_rules_accept_without_a_check_can_still_be_refused() -> None:
    match = Match(Auctions(), seed=1)
    with pytest.raises(NotAnAction, match=r"\bauction\b.*'pass'"):
        match.check(SimpleNamespace(money=11))


def test_every_legal_action_of_every_game_is_accepted() -> None:
    for game in GAMES.values():
        match: AnyMatch = Match(game, seed=1)
        seat = match.to_act[0]
        for action in match.legal_actions():
            assert match._is_action(seat, action, ())


def test_the_error_message_is_one_printable_line() -> None:
    class Loud:
        def __repr__(self) -> str:
            return "\x1b[31m" + "a\n" * 99

    shown = short_repr(Loud())
    assert shown.isprintable()
    assert len(shown) < 200


class _Meddler:
    """A bot that chooses for the other seat."""

    def choose(self, view: Any, actions: Any) -> Any:
        return rps.Show(1, "rock")


def test_a_player_cannot_choose_for_another_seat() -> None:
    match = Match(rps.GAME, seed=1, seats=["Ann", "Bo"])
    match.set_player(0, _Meddler())
    with pytest.raises(IllegalAction, match=r"^Ann\b.*\b_Meddler: .*\bBo\b.* rock$"):
        match.step()
    assert (match.ply, match.to_act) == (0, (0, 1))


@pytest.mark.parametrize("action", [Settle(3), ChooseRoll(5), PlaceGeese(3), Steal(2)], ids=repr)
def test_an_action_that_parses_only_while_it_is_legal_is_refused_with_the_reason(
    action: Any,
) -> None:
    match = Match(load("constructor").game, seed=1)
    for seat in range(match.seats):
        match.set_player(seat, Random(seat))
    match.run(40)
    with pytest.raises(IllegalAction) as refused:
        match.play(action)
    assert type(refused.value) is IllegalAction
    assert refused.value.action == action
