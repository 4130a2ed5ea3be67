"""Values in words: seats by name, rows kept apart, sets in one order."""

from __future__ import annotations

from dataclasses import dataclass, field, make_dataclass
from enum import Enum
from typing import Any

from tabletop import NOBODY, OWNER, Event, Seat, event, secret
from tabletop.parts.flow import Todo
from tabletop.text_view import TextView, describe_event, format_fields

NAMES = ("Ann", "Bo", "Cy")


@dataclass
class Street:
    todo: list[Todo] = field(default_factory=list)


def test_at_whom_something_is_aimed_is_said_by_name() -> None:
    street = Street([Todo("rob", 0, target=2)])
    assert format_fields(street, NAMES) == {"todo": "(what rob, by Ann, seats -, target Cy)"}


def test_seats_are_known_where_annotations_are_no_texts() -> None:
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


def test_rows_are_kept_apart_and_sets_have_one_order() -> None:
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


def test_hands_are_said_by_name_and_backs_are_counted() -> None:
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
