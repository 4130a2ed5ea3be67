"""The default text view of a game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, make_dataclass
from enum import Enum
from typing import Any, ClassVar

import pytest
from tests.tabletop.games import cards, race, walk

from tabletop import (
    ALL,
    NOBODY,
    OWNER,
    ActionPlayed,
    ActionsUndone,
    ContractError,
    Event,
    Match,
    MatchEnded,
    Outcome,
    Seat,
    Watcher,
    event,
    secret,
)
from tabletop.display import ConsoleText, Reading, Size, TextView, describe_event, seed_warning
from tabletop.display.text_view import SEED_TELLS, format_fields, list_actions, usable_label
from tabletop.parts.cards import BACK, CardsDrawn
from tabletop.parts.flow import Pending
from tabletop.registry import load
from tabletop.wording import width_of

NAMES = ["Ann", "Bo", "Cy"]


@dataclass
class Board:
    stones: list[int] = field(default_factory=lambda: [3, 1])
    king: str | None = None
    empty: tuple[int, ...] = ()
    owners: dict[str, int] = field(default_factory=lambda: {"b": 2, "a": 1})
    nobody: dict[str, int] = field(default_factory=dict)
    name: str = "the board"

    def clone(self) -> Board:
        return Board()


class Plain:
    """A state that is not a dataclass."""

    def __init__(self) -> None:
        self.stones = [1, 2]
        self.turn = 0

    def clone(self) -> Plain:
        return Plain()


class Bare:
    """A state without fields."""

    __slots__ = ()

    def clone(self) -> Bare:
        return self


def test_a_position_is_its_fields_one_a_line() -> None:
    assert TextView[Board]().position(Board(), NAMES) == (
        "stones  3 1\nking    -\nempty   -\nowners  b: 2, a: 1\nnobody  -\nname    the board"
    )
    assert TextView[walk.Path]().position(walk.Path(3, -1), NAMES) == "steps  3\nplace  -1"


def test_a_position_of_a_plain_class_is_its_attributes() -> None:
    assert TextView[Plain]().position(Plain(), NAMES) == "stones  1 2\nturn    0"
    assert TextView[Bare]().position(Bare(), NAMES) == ""


def test_the_str_of_a_state_is_used() -> None:
    state = cards.Trick([], [[1], [2]], [], 0, [0, 0])
    assert TextView[cards.Trick]().position(state, NAMES) == "hands [[1], [2]], on the table []"


@event
class TreasureFound(Event):
    seat: int
    gold: int
    where: str


@event
class Rain(Event):
    pass


@event
class SeatLost(Event):
    seat: int | None


@pytest.mark.parametrize(
    ("told", "said"),
    [
        (ActionPlayed(1, 2, "left"), "Cy: left"),
        (ActionsUndone(1, 4), "1 action undone"),
        (ActionsUndone(3, 4), "3 actions undone"),
        (MatchEnded(Outcome.win(1, 3)), "Bo wins."),
        (TreasureFound(1, 5, "cave"), "Bo: treasure found (gold 5, where cave)"),
        (Rain(), "rain"),
        (SeatLost(0), "Ann: seat lost"),
        (SeatLost(None), "seat lost"),
        (SeatLost(9), "seat lost"),
    ],
)
def test_an_event_is_formatted_as_a_line(told: Event, said: str) -> None:
    assert TextView[Any]().event(told, NAMES) == said


def test_an_event_of_a_plain_class_is_formatted_with_its_attributes() -> None:
    class DoorOpened(Event):
        def __init__(self) -> None:
            self.seat = 0
            self.door = 3

    assert describe_event(DoorOpened(), NAMES) == "Ann: door opened (door 3)"


@pytest.mark.parametrize(
    ("outcome", "said"),
    [
        (Outcome.win(0, 3, "all chips"), "Ann wins (all chips)."),
        (Outcome(((0, 2), (1,))), "Ann and Cy win."),
        (Outcome.draw(3), "A draw."),
        (Outcome.draw(3, "no moves"), "A draw (no moves)."),
        (Outcome.abandon(3, "rain"), "Abandoned (rain)."),
        (Outcome.abandon(3), "Abandoned."),
        (
            Outcome.by_score([2, 7, 0.5], "deck empty"),
            "Bo wins (deck empty). Points: Ann 2, Bo 7, Cy 0.5.",
        ),
        (
            Outcome.by_score([2, 7, 2], lowest_wins=True),
            "Ann and Cy win. Points: Ann 2, Bo 7, Cy 2.",
        ),
        (Outcome.draw(3, points=[4, 4, 4]), "A draw. Points: Ann 4, Bo 4, Cy 4."),
        (
            Outcome.abandon(3, "rain", points=[1, 2, 3]),
            "Abandoned (rain). Points: Ann 1, Bo 2, Cy 3.",
        ),
        (Outcome(((0, 1, 2), (3,))), "Ann, Bo and Cy win."),
    ],
)
def test_an_outcome_is_formatted_as_a_line(outcome: Outcome, said: str) -> None:
    assert TextView[Any]().outcome(outcome, NAMES) == said


def test_actions_are_listed_with_numbers_up_to_a_maximum() -> None:
    listed = list_actions([f"go {number}" for number in range(100)]).splitlines()
    assert (listed[0], listed[9]) == (" 1  go 0", "10  go 9")
    assert len(listed) == 41
    assert listed[-1] == "... and 60 more (type `actions` for all)"
    assert list_actions(["a", "b"], most=2) == "1  a\n2  b"
    assert TextView[Any]().prompt(None, 1, NAMES) == "Bo> ", "who is to type is named"


def test_actions_that_are_numbers_are_not_numbered() -> None:
    assert list_actions([3, 1, 2]) == "possible: 3 1 2"
    assert list_actions(list(range(9)), most=3) == "possible: 0 1 2 ..."


@event
class Seized(Event):
    """A seat takes things of other seats."""

    seat: Seat
    victim: Seat | None
    witnesses: tuple[Seat, ...]
    coins: int


@dataclass
class Chairs:
    turn: Seat = 1
    order: list[Seat] = field(default_factory=lambda: [2, 0])
    winner: Seat | None = None
    rounds: int = 1

    def clone(self) -> Chairs:
        return Chairs()


@dataclass
class Street:
    todo: list[Pending] = field(default_factory=lambda: [Pending("rob", 0, (1, 2), about="gold")])

    def clone(self) -> Street:
        return Street()


def test_players_with_secrets_are_warned_about_the_seed() -> None:
    assert seed_warning(load("sorcery").game, people=2) == SEED_TELLS
    assert seed_warning(load("sorcery").game, people=1) == ""
    assert seed_warning(race.GAME, people=4) == ""


def test_seats_in_nested_data_are_formatted_by_name() -> None:
    seized = "Ann: seized (victim {}, witnesses {}, coins 1)"
    assert describe_event(Seized(0, 2, (1, 2), 1), NAMES) == seized.format("Cy", "Bo, Cy")
    assert describe_event(Seized(0, None, (), 1), NAMES) == seized.format("-", "-")
    assert TextView[Chairs]().position(Chairs(), NAMES) == (
        "turn    Bo\norder   Cy, Ann\nwinner  -\nrounds  1"
    )
    assert TextView[Street]().position(Street(), NAMES) == (
        "todo  (what rob, by Ann, seats Bo, Cy, about gold)"
    )
    aimed = Street([Pending("rob", 0, target=2)])
    assert format_fields(aimed, NAMES) == {"todo": "(what rob, by Ann, seats -, target Cy)"}


def test_seats_are_recognized_in_evaluated_annotations() -> None:
    kind: Any = make_dataclass(
        "Late", [("turn", Seat), ("claim", tuple[Seat, int] | None), ("coins", dict[Seat, int])]
    )
    assert TextView[Any]().position(kind(1, (2, 2), {0: 1, 2: 2}), NAMES) == (
        "turn   Bo\nclaim  Cy 2\ncoins  Ann: 1, Cy: 2"
    )
    assert TextView[Any]().position(kind(0, None, {}), NAMES) == "turn   Ann\nclaim  -\ncoins  -"
    kind = make_dataclass("Late", [("dice", tuple[int, ...]), ("left", "int | None")])
    assert TextView[Any]().position(kind((0, 1), 2), NAMES) == "dice  0 1\nleft  2"


class Suit(Enum):
    RED_HEARTS = 1


def test_rows_are_separated_and_sets_are_sorted() -> None:
    kind: Any = make_dataclass("Late", ["rows", "sets", "words", "suit"])
    said = TextView[Any]().position(
        kind([[1, 2], [], [3]], {10, 9}, frozenset("ba"), Suit.RED_HEARTS), NAMES
    )
    assert said == "rows   1 2; -; 3\nsets   9 10\nwords  a b\nsuit   red hearts"


@dataclass
class Side:
    hand: list[int] = secret(to=OWNER, back=0)


@dataclass
class Hands:
    sides: list[Side]
    row: list[int]
    deck: list[int] = secret(to=NOBODY, back=0)
    hands: list[list[int]] = secret(to=OWNER, back=0)
    bids: tuple[int | None, ...] = secret(to=OWNER, back=0)
    kept: dict[Seat, list[int]] = secret(to=OWNER, back=0)


def test_hands_are_labelled_with_names_and_backs_are_counted() -> None:
    hands = Hands(
        [Side([0, 0, 0]), Side([4])],
        [0, 0],
        [0] * 44,
        [[7, 0, 0, 5], [0], []],
        (0, 3, None),
        {1: [0, 0]},
    )
    assert TextView[Any]().position(hands, NAMES).splitlines() == [
        "sides  (hand 3 hidden) (hand 4)",
        "row    0 0",
        "deck   44 hidden",
        "hands  Ann: 7 (2 hidden) 5; Bo: 1 hidden; Cy: -",
        "bids   Ann: hidden; Bo: 3; Cy: -",
        "kept   Bo: 2 hidden",
    ]


@event
class Passed(Event):
    seat: Seat
    cards: tuple[int, ...] = secret(to=OWNER, back=0)


def test_hidden_cards_of_an_event_are_counted() -> None:
    assert describe_event(Passed(1, (0, 0, 0)), NAMES) == "Bo: passed (cards 3 hidden)"


@pytest.mark.parametrize(
    ("text", "cells"),
    [
        ("oak", 3),
        ("e\N{COMBINING ACUTE ACCENT}", 1),
        ("\N{DECIDUOUS TREE}", 2),
        ("\N{HEAVY BLACK HEART}\N{VARIATION SELECTOR-16}", 2),
        ("\N{MAN}\N{ZERO WIDTH JOINER}\N{WOMAN}", 2),
        ("\N{REGIONAL INDICATOR SYMBOL LETTER D}\N{REGIONAL INDICATOR SYMBOL LETTER E}", 2),
    ],
)
def test_a_letter_of_several_characters_has_the_width_of_one(text: str, cells: int) -> None:
    assert width_of(text) == cells


def test_the_log_has_the_phrase_for_the_first_word_of_an_action() -> None:
    class Words(TextView[Any]):
        verbs: ClassVar[Mapping[str, str]] = {"lay": "lays {}", "draw": "draws a card", "pass": ""}

    actions = ["lay elm 7", "draw", "pass", "swap"]
    lines = [Words().event(ActionPlayed(1, 0, it), NAMES) for it in actions]
    assert lines == ["Ann lays elm 7.", "Ann draws a card.", "", "Ann: swap"]


@dataclass(frozen=True)
class Rob:
    """Take coins from seats."""

    seats: tuple[Seat, ...]
    coins: int

    def __str__(self) -> str:
        return "rob"


def test_the_phrase_of_an_action_may_contain_its_fields_with_the_names_of_seats() -> None:
    class Words(TextView[Any]):
        verbs: ClassVar[Mapping[str, str]] = {"rob": "takes {coins} coins from {seats}"}

    assert Words().event(ActionPlayed(1, 0, Rob((1, 0), 3)), NAMES) == (
        f"{NAMES[0]} takes 3 coins from {NAMES[1]} and {NAMES[0]}."
    )


@dataclass(frozen=True)
class Trash:
    """Trash some woods."""

    woods: tuple[str, ...]

    def __str__(self) -> str:
        return " ".join(["trash", *self.woods])


@pytest.mark.parametrize("phrase", ["trashes {}", "trashes {woods}"])
def test_the_items_of_an_action_are_joined_as_in_a_sentence(phrase: str) -> None:
    class Words(TextView[Any]):
        verbs: ClassVar[Mapping[str, str]] = {"trash": phrase}

    chosen = ("elm", "oak", "yew"), ("elm",), ()
    lines = [Words().event(ActionPlayed(1, 0, Trash(it)), NAMES) for it in chosen]
    phrases = "elm, oak and yew", "elm", "nothing"
    assert lines == [f"{NAMES[0]} trashes {it}." for it in phrases]


def test_a_phrase_with_an_unknown_field_is_refused_with_the_fields() -> None:
    for phrase in ("takes {coin}", "takes {coins", "takes {0} {1}"):

        class Words(TextView[Any]):
            verbs: ClassVar[Mapping[str, str]] = {"rob": phrase}

        with pytest.raises(ContractError, match=r"'rob'.* Rob has only .*\{seats\} and \{coins\}"):
            Words().event(ActionPlayed(1, 0, Rob((1,), 3)), NAMES)


def test_a_label_that_fails_is_replaced_by_the_text_of_the_action() -> None:
    class Words(TextView[Any]):
        def label(self, action: Any, view: Any) -> str:
            raise KeyError(action)

    assert usable_label(Words(), Rob((1,), 3), None) == "rob"


@event
class Found(Event):
    """A seat has found a card."""

    seat: Seat
    card: str = secret(to=OWNER, back="?")


@event
class Dawn(Event):
    """A day begins."""

    day: int


def test_an_event_has_the_phrase_of_its_class() -> None:
    class Words(TextView[Any]):
        verbs: ClassVar[Mapping[str, str]] = {"Found": "finds {card}", "Dawn": "It is day {day}"}

    lines = [Words().event(it, NAMES) for it in (Found(0, "an elm"), Found(0, "?"), Dawn(3))]
    assert lines == ["Ann finds an elm.", "Ann finds a card.", "It is day 3."]


def test_a_phrase_counts_hidden_cards() -> None:
    class Words(TextView[Any]):
        verbs: ClassVar[Mapping[str, str]] = {"CardsDrawn": "draws {cards}"}

    lines = [Words().event(CardsDrawn(0, (BACK,) * count), NAMES) for count in (1, 2)]
    assert lines == ["Ann draws 1 card.", "Ann draws 2 cards."]


def test_the_rest_of_an_action_without_arguments_is_nothing() -> None:
    class Words(TextView[Any]):
        verbs: ClassVar[Mapping[str, str]] = {"trash": "trashes {}"}

    assert Words().event(ActionPlayed(1, 0, "trash"), NAMES) == "Ann trashes nothing."


def test_an_empty_phrase_for_other_actions_leaves_out_hidden_actions() -> None:
    class Words(TextView[Any]):
        verbs: ClassVar[Mapping[str, str]] = {"lay": "lays {}", "": ""}

    lines = [Words().event(ActionPlayed(1, 0, it), NAMES) for it in (None, "yes", "lay elm")]
    assert lines == ["", "", "Ann lays elm."]
    assert TextView[Any]().event(ActionPlayed(1, 0, None), NAMES) == "Ann has chosen."


class Chips(TextView[Any]):
    """Names an action by the chips of its seat in the position before."""

    def label(self, action: Any, view: Any) -> str:
        return f"{action} for {view.chips[view.seat]}"


def test_the_log_has_the_label_of_an_action_in_the_position_before() -> None:
    match, lines = Match(load("lcr").game, seed="a"), list[str]()
    for seat in (ALL, None, 0):
        match.observe(lambda it: lines.append(Chips().event(it, NAMES)), ActionPlayed, seat=seat)
    match.play(match.legal_actions()[0])
    assert lines == [f"{NAMES[0]}: roll for 3"] * 3


def test_a_list_at_a_terminal_has_the_labels_of_actions() -> None:
    match = Match(load("lcr").game, seed="a")
    reading = Reading(
        view=match.view(0),
        seat=0,
        names=NAMES,
        players=("human", "human"),
        here=(0, 1),
        to_act=match.to_act,
        actions=match.legal_actions(),
    )
    assert "1  roll for 3" in ConsoleText(match.game, Chips()).question(reading).text


@pytest.mark.parametrize(("rows", "lines"), [(9, 3), (40, 7)])
def test_a_list_has_at_most_seven_lines_and_no_more_than_the_screen_has_free(
    rows: int, lines: int
) -> None:
    match = Match(load("lcr").game, seed="a")
    reading = Reading(
        view=match.view(0),
        seat=0,
        names=NAMES,
        players=("human", "human"),
        here=(0,),
        to_act=(0,),
        actions=[f"a long action with the number {number}" for number in range(20)],
        size=Size(40, rows),
    )
    text = ConsoleText[Any](match.game, TextView()).listed(reading, above="a\n" * 6).text
    assert len(text.rstrip().splitlines()) == lines


class Sides(TextView[Any]):
    """Names the reader for whom a position is formatted."""

    def position(self, view: Any, names: Sequence[str], seat: Watcher = ALL) -> str:
        return f"for {seat}"


@pytest.mark.parametrize(
    ("game", "here", "side"), [("lcr", (0, 1), "all"), ("lcr", (1,), "1"), ("sorcery", (0, 1), "1")]
)
def test_people_who_share_a_screen_see_positions_without_secrets_from_one_side(
    game: str, here: Sequence[Seat], side: str
) -> None:
    match = Match(load(game).game, seed="a")
    reading = Reading(
        view=match.view(1),
        seat=1,
        names=NAMES,
        players=("human", "human"),
        here=here,
        to_act=(1,),
        wanted="table",
    )
    assert ConsoleText(match.game, Sides()).question(reading).text.casefold() == f"\nfor {side}"


def test_other_actions_have_the_phrase_for_an_empty_word() -> None:
    class Words(TextView[Any]):
        verbs: ClassVar[Mapping[str, str]] = {"": "goes {}", "open": "opens a pile"}

    lines = [Words().event(ActionPlayed(1, 0, it), NAMES) for it in ("north west", "open")]
    assert lines == ["Ann goes north west.", "Ann opens a pile."]
