"""Choices of several things at a table: messages, requests, lists at a terminal, and bots."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pytest

from tabletop import (
    Choice,
    Command,
    Commands,
    Game,
    Match,
    Options,
    Outcome,
    Plugin,
    Seat,
    Selections,
    Several,
    Spelled,
    State,
    Streams,
    Table,
    state,
)
from tabletop.bots import ISMCTS, FlatMonteCarlo
from tabletop.display import Face, Size
from tabletop.display.briefing import Briefing
from tabletop.match import AnyMatch
from tabletop.table.presenter import MAX_CHOICES
from tabletop.testing import LawBroken, check_game, check_picture
from tests.potluck import DISHES, PLUGIN, Feast, Kitchen, Kitchens, Potluck, Put, Unordered
from tests.tabletop.table.sittings import Person, at_game


def test_a_state_contains_the_items_and_their_parts_instead_of_all_selections() -> None:
    with Person(at_game(PLUGIN), 0) as ada:
        home, put = ada.at(0)["choices"]
    assert home["words"] == "stay"
    assert "several" not in home
    assert (put["words"], put["label"], put["path"]) == ("put", "Put", [])
    items = [(it["words"], it["path"]) for it in put["several"]["items"]]
    assert (put["several"]["low"], put["several"]["high"]) == (1, 3)
    assert items == [
        ("bread", ["bread"]),
        ("bread", ["bread-2"]),
        ("cake", ["cake"]),
        ("soup", ["soup"]),
    ]


class Unlisted(Potluck):
    """Potluck with all its actions only in the command table."""

    name = "unlisted"

    def all_actions(self, options: Options, seats: int) -> None:
        """Leave the actions to the command table."""


class Shelf(Kitchens):
    """A dish that nobody has is on a shelf."""

    def piles(self, view: Kitchen, seat: object) -> Mapping[str, Sequence[Face]]:
        return {"shelf": [Face("rice")]}


def test_a_part_that_only_a_command_names_has_the_reason_of_the_rules() -> None:
    with Person(at_game(Plugin(Unlisted(), picture=Shelf)), 0) as ada:
        ada.say(type="why", part="rice")
        assert (ada.until("why"))["message"] == "you cannot choose rice from bread bread cake soup"


@dataclass(frozen=True)
class Lend(Spelled):
    """Lend dishes other than bread, which belongs to everybody."""

    seat: Seat
    dishes: tuple[str, ...]

    def __post_init__(self) -> None:
        if "bread" in self.dishes:
            raise ValueError("nobody lends bread")


class Lending(Unlisted):
    """A potluck at which some lines make no action."""

    commands = Commands(Command("lend", Lend, Several(Choice("dishes", DISHES), 1, 2)))

    def legal_actions(self, state: Kitchen, seat: int) -> Sequence[Any]:
        dishes = [dish for dish in state.hands[seat] if dish != "bread"]
        return Selections(Lend, "dishes", dishes, 1, 2, seat=seat)


def test_lines_that_make_no_action_do_not_hide_the_reason_of_other_lines() -> None:
    with Person(at_game(Plugin(Lending(), picture=Shelf)), 0) as ada:
        ada.say(type="why", part="rice")
        assert (ada.until("why"))["message"] == "you cannot choose rice from cake soup"


@dataclass(frozen=True)
class Gift:
    """Give dishes, or a sum of money."""

    dishes: tuple[str, ...] = ()
    money: int = 0

    def __str__(self) -> str:
        return f"pay {self.money}" if self.money else " ".join(["give", *self.dishes])


@state
class Given(State):
    """Whether something has been given."""

    gift: bool = False


class Gifts(Game[Given, Gift]):
    """A player gives dishes or one of more sums than a message can list."""

    name = "gifts"
    seats = range(1, 2)

    def setup(self, options: Options, seats: int, rng: Streams) -> Given:
        return Given()

    def to_act(self, state: Given) -> Sequence[Seat]:
        return () if state.gift else (0,)

    def legal_actions(self, state: Given, seat: Seat) -> Sequence[Gift]:
        sums = [Gift(money=money) for money in range(1, MAX_CHOICES + 2)]
        return Selections(Gift, "dishes", ["bread", "cake"], 1, also=sums)

    def apply(self, state: Given, action: Gift, table: Table) -> None:
        state.gift = True

    def outcome(self, state: Given) -> Outcome | None:
        return Outcome.by_score([1]) if state.gift else None


def test_selections_are_sent_although_there_are_too_many_single_actions_for_a_message() -> None:
    with Person(at_game(Plugin(Gifts()), ["human"]), 0) as ada:
        first = ada.at(0)
    *singles, give = first["choices"]
    assert (len(singles), first["more_choices"]) == (MAX_CHOICES, 1)
    assert [it["words"] for it in give["several"]["items"]] == ["bread", "cake"]


def test_items_are_played_in_the_order_of_the_clicks() -> None:
    sitting = at_game(PLUGIN)
    with Person(sitting, 0) as ada:
        ada.say(type="act", line="put soup bread")
        ada.at(1)
    assert sitting.match.state.hands[0] == ["bread", "cake"]


def test_items_that_a_seat_does_not_have_are_refused() -> None:
    with Person(at_game(PLUGIN), 0) as ada:
        ada.say(type="act", line="put rice")
        assert ada.until("refused")["reason"] == "illegal"


def test_a_terminal_lists_the_items_in_a_line() -> None:
    sitting = at_game(PLUGIN)
    sitting.open(0)
    reading = sitting.reading(0, Size(80, 24))
    assert sitting.table.questions.texts.listed(reading).text.splitlines() == [
        "1  stay",
        "put, and 1 to 3 of: bread bread cake soup",
    ]


def test_a_briefing_of_a_language_model_lists_the_items_in_a_line() -> None:
    match = Match(Potluck(), seed=1)
    briefing = Briefing(match, PLUGIN.text, "", 0)
    assert "[put], and 1 to 3 of: bread bread cake soup" in briefing.turn()
    assert briefing.read("[put soup bread]") == Put(0, ("bread", "soup"))


@pytest.mark.slow
@pytest.mark.parametrize("kind", [ISMCTS, FlatMonteCarlo])
def test_search_bots_choose_from_very_many_selections(kind: Any) -> None:
    match: AnyMatch = Match(Feast(), seed=1)
    for seat in range(2):
        match.set_player(seat, kind(match.bot_stream(seat), game=match.game, iterations=20))
    outcome = match.run()
    assert outcome is not None


@pytest.mark.slow
def test_games_with_selections_keep_the_contract() -> None:
    assert check_game(Potluck(), matches=3).tested > 3
    assert check_game(Feast(), matches=1).tested
    assert check_picture(Potluck(), Kitchens(), matches=2)


def test_a_command_that_reads_items_only_in_order_breaks_the_law_of_text() -> None:
    with pytest.raises(LawBroken) as caught:
        check_game(Unordered(), matches=3)
    assert caught.value.law == "text"
    assert "Several(...)" in caught.value.what
