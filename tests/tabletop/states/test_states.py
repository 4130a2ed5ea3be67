"""`@state`: a dataclass with a generated `clone`."""

from __future__ import annotations

import copy
import inspect
import pickle
import traceback
from collections import Counter, deque
from collections.abc import Hashable
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from typing import Annotated, Any, Generic, Literal, NamedTuple, NewType, TypeVar

import pytest

from tabletop import ContractError, State, state
from tabletop.states import digest, from_json, to_json
from tabletop.testing.probe import shared_part

CardId = NewType("CardId", int)
C = TypeVar("C", bound=Hashable)
S = TypeVar("S", bound=State)


class Suit(Enum):
    HEARTS = "hearts"
    SPADES = "spades"


class Way(NamedTuple):
    name: str
    steps: list[int]


@dataclass(frozen=True)
class Claim:
    seat: int
    before: Claim | None = None


@dataclass
class Purse:
    """A plain class with its own `clone`."""

    coins: list[int]

    def clone(self) -> Purse:
        return Purse(self.coins.copy())


@state
class Pile(State, Generic[C]):
    cards: list[C] = field(default_factory=list)


@state
class Holder(State, Generic[S]):
    held: list[S] = field(default_factory=list)


@state
class Node(State):
    name: str
    below: list[Node] = field(default_factory=list)
    twin: Node | None = None


@state
class Position(State):
    turn: int
    card: CardId
    suit: Suit
    phase: Literal["bid", "play"]
    claim: Claim | None
    rows: list[list[int]]
    by_suit: dict[Suit, list[int]]
    sets: dict[str, dict[int, set[int]]]
    queue: deque[list[int]]
    counts: Counter[str]
    pair: tuple[list[int], int]
    many: tuple[list[int], ...]
    way: Way
    pile: Pile[Suit]
    holder: Holder[Node]
    purse: Purse | None
    choice: int | list[int] | Pile[int] | None
    noted: Annotated[frozenset[Claim], "a note"]
    drawn: list[int] = field(default_factory=list, init=False)


def full_table() -> Position:
    table = Position(
        turn=1,
        card=CardId(7),
        suit=Suit.SPADES,
        phase="bid",
        claim=Claim(1, Claim(0)),
        rows=[[1], [2, 3]],
        by_suit={Suit.HEARTS: [1]},
        sets={"a": {1: {2, 3}}},
        queue=deque([[1], [2]]),
        counts=Counter("aab"),
        pair=([1], 2),
        many=([1], [2]),
        way=Way("home", [1, 2]),
        pile=Pile([Suit.HEARTS]),
        holder=Holder([Node("leaf", [Node("below")], Node("twin"))]),
        purse=Purse([5]),
        choice=[4],
        noted=frozenset({Claim(3)}),
    )
    table.drawn.append(9)
    return table


def test_a_copy_is_equal_and_shares_only_immutable_values() -> None:
    table = full_table()
    twin = table.clone()
    assert twin == table
    assert digest(twin, {}) == digest(table, {})
    assert pickle.loads(pickle.dumps(twin)) == table
    assert from_json(to_json(twin), Position) == table
    assert copy.copy(twin) == copy.deepcopy(table)
    assert shared_part(table, twin) is None
    assert twin.claim is table.claim
    assert twin.noted is table.noted, "immutable values are shared"
    for choice in (3, Pile([4]), None):
        table.choice = choice
        assert table.clone() == table
        assert shared_part(table, table.clone()) is None


def test_none_in_an_optional_field_is_copied_as_none() -> None:
    @state
    class Open(State):
        held: list[int] | Pile[int] | None

    for held in ([1], Pile([1]), None):
        whole = Open(held)
        assert whole.clone() == whole
        assert shared_part(whole, whole.clone()) is None


def test_fields_are_slots_unless_slots_is_false() -> None:
    @state(slots=False)
    class Loose(State):
        cards: list[int]

        @cached_property
        def total(self) -> int:
            return sum(self.cards)

    loose = Loose([1, 2])
    assert loose.total == 3
    twin = loose.clone()
    twin.cards.append(4)
    assert twin.total == 7  # cached values are not copied
    assert not hasattr(full_table(), "__dict__")


def test_kw_only_makes_fields_keyword_only() -> None:
    @state(kw_only=True)
    class Named(State):
        cards: list[int] = field(default_factory=list)
        turn: int

    assert Named(turn=2).clone() == Named(turn=2, cards=[])


def test_a_derived_state_copies_inherited_fields_too() -> None:
    @state
    class Deeper(Node):
        marks: list[int] = field(default_factory=list)

    deeper = Deeper("a", [Node("b")], None, [1])
    twin = deeper.clone()
    assert twin == deeper
    assert type(twin) is Deeper
    assert shared_part(twin, deeper) is None


def test_a_class_that_adds_only_methods_needs_no_decorator() -> None:
    class Speaking(Node):
        __slots__ = ()

        def said(self) -> str:
            return self.name.upper()

    assert Speaking("ann").clone().said() == "ANN"


def test_a_generic_base_class_is_copied_with_its_type_arguments() -> None:
    V = TypeVar("V")

    @state
    class Shelf(Pile[Suit]):
        pass

    assert Shelf([Suit.SPADES]).clone() == Shelf([Suit.SPADES])

    @dataclass(frozen=True)
    class Box(Generic[V]):
        held: V

    @state
    class Room(State):
        boxes: list[Box[int]]

    assert "copy.boxes = self.boxes.copy()" in inspect.getsource(Room.clone)


def test_a_class_keeps_its_own_clone() -> None:
    @state
    class Own(State):
        cards: list[int]

        def clone(self) -> Own:
            return Own([*self.cards, 0])

    assert Own([1]).clone() == Own([1, 0])


def test_the_source_of_a_clone_is_available_to_inspect_and_tracebacks() -> None:
    source = inspect.getsource(Node.clone)
    assert source.splitlines() == [
        "def clone(self):",
        '    """Return an equal, independent copy."""',
        "    copy = _new(self.__class__)",
        "    copy.name = self.name",
        "    copy.below = [it.clone() for it in self.below]",
        "    copy.twin = None if self.twin is None else self.twin.clone()",
        "    return copy",
    ]
    no_nodes: Any = 5
    with pytest.raises(TypeError) as caught:
        Node("odd", no_nodes).clone()
    assert "copy.below = [it.clone()" in "".join(traceback.format_exception(caught.value))


def test_two_classes_with_the_same_name_keep_their_own_source() -> None:
    def made(kind: type[object]) -> Any:
        space = {"__annotations__": {"it": kind}, "__module__": __name__}
        twice: Any = state(type("Twice", (State,), space))
        return twice.clone

    one, two = made(list[int]), made(int)
    assert "self.it.copy()" in inspect.getsource(one)
    assert "copy.it = self.it\n" in inspect.getsource(two)


def test_clone_raises_for_a_class_without_state_or_its_own_clone() -> None:
    class Bare(State):
        pass

    @dataclass(slots=True)
    class Longer(Node):
        marks: list[int] = field(default_factory=list)

    for node in (Bare(), Longer("a", [], None, [1])):
        kind = type(node).__name__
        with pytest.raises(ContractError, match=f"{kind} .*clone: .*@state"):
            node.clone()
