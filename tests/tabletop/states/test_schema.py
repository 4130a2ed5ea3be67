"""Types in states: values survive JSON, or the error names the field."""

from __future__ import annotations

import json
import pickle
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field, make_dataclass
from enum import Enum, Flag, IntEnum, StrEnum
from types import UnionType
from typing import (
    Any,
    ClassVar,
    Final,
    Generic,
    Literal,
    NamedTuple,
    NewType,
    TypeVar,
    Union,
    get_origin,
)

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.hashes import printed
from tests.tabletop.told import tells

from tabletop import ContractError, State, state
from tabletop.rng import HashStream
from tabletop.states import check_plain, difference, digest, from_json, key, to_json
from tabletop.states.codec import find_problem
from tabletop.testing.probe import shared_part

T = TypeVar("T", bound=Hashable)


class Suit(Enum):
    HEARTS = "hearts"
    SPADES = "spades"


class Rank(IntEnum):
    TEN = 10
    ACE = 1


class Phase(StrEnum):
    BID = "bid"
    PLAY = "play"


class Way(Enum):
    NORTH = (-1, 0)
    EAST = (0, 1)


class Sides(Flag):
    LEFT = 1
    RIGHT = 2


class Place(NamedTuple):
    row: int
    suit: Suit = Suit.HEARTS


@dataclass(frozen=True)
class Gain:
    points: int


@dataclass(frozen=True)
class Loss:
    points: int


@state
class Pile(State, Generic[T]):
    cards: list[T]


@state
class Claim(State):
    """A state that contains its own type."""

    suit: Suit
    answers: list[Claim] = field(default_factory=list)
    seen: set[Suit] = field(default_factory=set)


Coins = NewType("Coins", int)

Kind = tuple[Any, st.SearchStrategy[Any]]
"""An annotation and a strategy for its values."""

INTS = st.integers(-(2**70), 2**70)
TEXTS = st.text(max_size=3)
CLAIMS: st.SearchStrategy[Claim] = st.recursive(
    st.builds(Claim, st.sampled_from(Suit), st.just([]), st.sets(st.sampled_from(Suit))),
    lambda inner: st.builds(
        Claim, st.sampled_from(Suit), st.lists(inner, max_size=2), st.sets(st.sampled_from(Suit))
    ),
    max_leaves=4,
)

HASHABLE: Final[list[Kind]] = [
    (int, INTS),
    (str, TEXTS),
    (bool, st.booleans()),
    (float, st.floats(allow_nan=False, allow_infinity=False)),
    (bytes, st.binary(max_size=3)),
    (Coins, st.integers(0, 9)),
    (Literal["a", "b"], st.sampled_from(["a", "b"])),
    *((kind, st.sampled_from(kind)) for kind in (Suit, Rank, Phase, Way)),
    (Sides, st.sampled_from([Sides.LEFT, Sides.LEFT | Sides.RIGHT, Sides(0)])),
    (Place, st.builds(Place, st.integers(0, 9), st.sampled_from(Suit))),
    (Gain, st.builds(Gain, st.integers(0, 9))),
]
OTHERS: Final[list[Kind]] = [
    (Claim, CLAIMS),
    (Pile[Suit | int], st.builds(Pile, st.lists(st.sampled_from(Suit) | INTS, max_size=2))),
    (Counter[Suit], st.dictionaries(st.sampled_from(Suit), st.integers(1, 3)).map(Counter)),
    (Any, st.none() | TEXTS | st.lists(INTS, max_size=2)),
]


def cast_away(kind: Any) -> Any:
    """Return a generated class as `Any`, because mypy does not know it."""
    return kind


def name_of(kind: Any) -> str:
    """Return the name by which a union distinguishes the type."""
    origin = get_origin(kind) or kind
    if origin in (Any, Union, UnionType):
        return "any"
    return {Coins: "int", Literal: "str"}.get(origin, getattr(origin, "__name__", str(origin)))


LIST, SET, FROZEN, DICT, TUPLE, DEQUE = map(cast_away, (list, set, frozenset, dict, tuple, deque))


@st.composite
def hashable(draw: st.DrawFn) -> Kind:
    """Draw a type for keys and items of sets."""
    first, second = draw(st.sampled_from(HASHABLE)), draw(st.sampled_from(HASHABLE))
    kinds: list[Kind] = [
        first,
        (TUPLE[first[0], second[0]], st.tuples(first[1], second[1])),
        (TUPLE[first[0], ...], st.lists(first[1], max_size=3).map(tuple)),
        (FROZEN[first[0]], st.frozensets(first[1], max_size=3)),
        (first[0] | None, st.none() | first[1]),
    ]
    return draw(st.sampled_from(kinds))


@st.composite
def plain(draw: st.DrawFn, depth: int = 2) -> Kind:
    """Draw an annotation of plain data."""
    if depth == 0:
        return draw(hashable() | st.sampled_from(OTHERS))
    item, key = draw(plain(depth - 1)), draw(hashable())
    kinds: list[Kind] = [
        key,
        item,
        (LIST[item[0]], st.lists(item[1], max_size=3)),
        (DEQUE[item[0]], st.lists(item[1], max_size=3).map(deque)),
        (TUPLE[item[0], key[0]], st.tuples(item[1], key[1])),
        (SET[key[0]], st.sets(key[1], max_size=4)),
        (DICT[key[0], item[0]], st.dictionaries(key[1], item[1], max_size=4)),
    ]
    names = name_of(item[0]), name_of(key[0])
    if names[0] != names[1] and "any" not in names:
        kinds.append((item[0] | key[0], item[1] | key[1]))
    return draw(st.sampled_from(kinds))


def state_of(kind: Any) -> Any:
    """Return a class with a field of this type: a state, or a dataclass if it has no clone."""
    space = {"__annotations__": {"held": kind}, "__module__": __name__}
    try:
        made: Any = state(type("Table", (State,), space))
    except ContractError:
        made = make_dataclass("Table", [("held", kind)])
    globals()["Table"] = made  # pickles find a class under its name
    return made


def shuffled(value: Any, rng: Any) -> Any:
    """Return an equal value that was built in another order."""
    if isinstance(value, (dict, set, frozenset)) and not isinstance(value, Counter):
        items = list(value.items() if isinstance(value, dict) else value)
        rng.shuffle(items)
        return type(value)(items)
    if isinstance(value, (list, deque)):
        return type(value)(shuffled(item, rng) for item in value)
    return value


@pytest.mark.slow
@given(st.data(), plain(), st.randoms(use_true_random=False))
def test_plain_data_survives_json_and_copies_are_independent(
    data: st.DataObject, kind: Kind, rng: Any
) -> None:
    annotation, values = kind
    table = state_of(annotation)
    check_plain(table)
    held = table(data.draw(values))
    again = from_json(to_json(held), table)
    assert again == held
    assert difference(held, again, "Table") is None
    assert digest(again, {}) == digest(held, {})
    twin = table(shuffled(held.held, rng))
    assert to_json(twin) == to_json(held)
    if hasattr(table, "clone"):
        assert_copied(held)


def assert_copied(table: Any) -> None:
    """Check that a copy is equal, has the same JSON, and shares only immutable values."""
    twin = table.clone()
    assert twin == table
    assert difference(table, twin, "Table") is None
    assert to_json(twin) == to_json(table)
    assert pickle.loads(pickle.dumps(twin)) == table
    assert shared_part(table, twin) is None


@dataclass
class Hand:
    """A state with a field of every type."""

    by_seat: dict[int, str]
    by_suit: dict[Suit, int]
    by_cell: dict[tuple[int, int], Gain | Loss]
    seen: set[Suit]
    ways: frozenset[Way]
    places: set[Place]
    changes: list[Gain | Loss | None]
    counted: Counter[Rank]
    groups: set[frozenset[int]]
    phase: Phase | int = 0


HAND = Hand(
    {10: "ten", 2: "two"},
    {Suit.SPADES: 1, Suit.HEARTS: 2},
    {(1, 0): Gain(1), (0, 5): Loss(2)},
    set(Suit),
    frozenset(Way),
    {Place(2), Place(1, Suit.SPADES)},
    [Loss(1), Gain(1), None],
    Counter({Rank.TEN: 2}),
    {frozenset({1, 2}), frozenset({3}), frozenset()},
    Phase.BID,
)


def test_the_json_of_each_type() -> None:
    assert to_json(HAND, order=None).decode() == (
        '{"by_seat":[[2,"two"],[10,"ten"]],"by_suit":[["hearts",2],["spades",1]],'
        '"by_cell":[[[0,5],{"Loss":{"points":2}}],[[1,0],{"Gain":{"points":1}}]],'
        '"seen":["hearts","spades"],"ways":["EAST","NORTH"],"places":[[1,"spades"],[2,"hearts"]],'
        '"changes":[{"Loss":{"points":1}},{"Gain":{"points":1}},null],"counted":[[10,2]],'
        '"groups":[[1,2],[3],[]],"phase":"bid"}'
    )


PRINT_IT = """
from tabletop.states import digest, key
from tests.tabletop.states.test_schema import HAND
print(digest(HAND, {}), key(HAND).hex(), key([{"oak", "elm", "ash"}, {"b": 1, "a": 2}]).hex())
"""


@pytest.mark.slow
def test_digests_and_keys_are_the_same_in_every_process() -> None:
    plain_key = key([{"oak", "elm", "ash"}, {"b": 1, "a": 2}])
    assert printed(PRINT_IT) == {f"{digest(HAND, {})} {key(HAND).hex()} {plain_key.hex()}\n"}


class Unknown:
    """A class that is not a dataclass."""


class Derived(Claim):
    """A derived class without its own `@dataclass`."""

    extra: int = 0


COSTS: dict[str, Any] = {"COSTS": {"road": 1}}
CONSTANT = make_dataclass("Constant", [("turn", int)], namespace=COSTS)
SHARED = make_dataclass("Shared", [("turn", int)], namespace=COSTS | {"hands": [0]})


@pytest.mark.parametrize(
    ("annotation", "where", "instead"),
    [
        (complex, "Table.held: complex", "tuple of two numbers"),
        (dict[int, list[Unknown]], "Table.held[...][...]: Unknown", "@dataclass"),
        (dict[Unknown, int], "Table.held.keys(): Unknown", "@dataclass"),
        (tuple[int, range], "Table.held[1]: range", "tuple ... start"),
        (Callable[[int], int] | None, "Table.held: ", "function"),
        (defaultdict[str, int], "Table.held: ", "dict"),
        (HashStream, "Table.held: HashStream", "table.rng"),
        (list[int] | list[str], "Table.held: ", "several types ... list"),
        ("list[Nowhere]", "Table: ", "annotations ... 'Nowhere'"),
        (Pile[Derived], "Table.held.cards[...]: Derived", "@dataclass"),
        (SHARED, "Table.held.hands: ", "hands: list[...] = field(default_factory=list)"),
    ],
    ids=str,
)
def test_a_type_that_is_not_plain_data_is_refused_with_its_path_and_a_replacement(
    annotation: Any, where: str, instead: str
) -> None:
    with pytest.raises(ContractError) as caught:
        check_plain(make_dataclass("Table", [("held", annotation)]))
    assert str(caught.value).startswith(where)
    assert tells(str(caught.value), instead)


@dataclass
class Annotated:
    """A class variable needs `ClassVar` or a name in capitals."""

    costs: ClassVar[dict[str, int]] = {"road": 1}
    turn: int = 0


@pytest.mark.parametrize("kind", [CONSTANT, Annotated])
def test_names_in_capitals_and_class_variables_are_constants(kind: Any) -> None:
    check_plain(kind)


@dataclass
class Loose:
    """A class for values that its annotations do not allow."""

    changes: list[Gain | Loss] = field(default_factory=list)
    seen: set[Suit] = field(default_factory=set)
    names: dict[str, Any] = field(default_factory=dict)
    rate: float = 0.5


def loose(**attributes: Any) -> Loose:
    """Return a `Loose` with the given attributes."""
    state = Loose()
    vars(state).update(attributes)
    return state


@pytest.mark.parametrize(
    ("state", "problem"),
    [
        (loose(changes=[Gain(1), 3]), "Loose.changes[1]: 3 (int) ... Gain or Loss"),
        (loose(seen=["hearts"]), "Loose.seen: ['hearts'] (list) ... set"),
        (Loose(names={"a": {1: 2}}), "Loose.names['a']: ... key 1 "),
        (Loose(names={"a": {1, "b"}}), "Loose.names['a']: ... no order"),
        (Loose(names={"a": [1, len]}), "Loose.names['a'][1]: <built-in function len> "),
        (Loose(names={"a": Unknown}), "plain data: ... name"),
    ],
)
def test_an_error_names_the_value_that_json_cannot_represent(state: Loose, problem: str) -> None:
    with pytest.raises(ContractError) as caught:
        to_json(state)
    assert str(caught.value).startswith("Loose ")
    assert tells(str(caught.value), problem)
    with pytest.raises(ContractError, match=r"^Loose "):
        digest(state, {})


@pytest.mark.parametrize(
    ("state", "problem"),
    [
        (Loose(rate=float("nan")), "Loose.rate: JSON cannot represent nan"),
        (Loose(rate=float("-inf")), "Loose.rate: JSON cannot represent -inf"),
        (Loose(names={"a": "\ud800"}), r"Loose.names['a']: '\ud800' contains half a character"),
    ],
)
def test_find_problem_finds_numbers_and_texts_without_json(state: Loose, problem: str) -> None:
    assert (find_problem(state, "Loose") or "").startswith(problem)


@pytest.mark.parametrize(
    ("state", "change"),
    [
        (Loose(rate=1), "Loose.rate: 1 (int) becomes 1.0 (float)"),
        (Loose(names={"a": (1,)}), "Loose.names['a']: (1,) (tuple) becomes [1] (list)"),
        (Loose(names={"a": Rank.ACE}), "Loose.names['a']: 1 (Rank) becomes 1 (int)"),
        (Loose(names={"a": {1}}), "Loose.names['a']: {1} (set) becomes [1] (list)"),
        (loose(won=3), "Loose.won: lost because it is not a field: annotate it, as in `won: int`"),
    ],
)
def test_difference_names_a_value_that_changes_in_json(state: Loose, change: str) -> None:
    assert difference(state, from_json(to_json(state), Loose), "Loose") == change


@pytest.mark.parametrize(
    ("field_", "data", "problem"),
    [
        ("by_seat", '{"1":"x"}', "$.by_seat: ... array, ... dict"),
        ("by_seat", "[[1]]", "$.by_seat: ... pairs"),
        ("by_seat", '[["x","y"]]', "$.by_seat.keys()['x']: Expected `int`, got `str`"),
        ("changes", '[{"Win":{}}]', "$.changes[0]: ... Gain, Loss, "),
        ("changes", '[{"Gain":{}}]', "$.changes[0]: ... `points`"),
        ("ways", '["UP"]', "$.ways[0]: 'UP' ... Way"),
        ("places", '[[1,"clubs"]]', "$.places[0][1]: Invalid enum value 'clubs'"),
        ("seen", "3", "$.seen: ... array, ... int"),
    ],
)
def test_from_json_refuses_invalid_data_and_names_the_wrong_part(
    field_: str, data: str, problem: str
) -> None:
    content = json.loads(to_json(HAND)) | {field_: json.loads(data)}
    with pytest.raises(ContractError, match=r"\bHand: ") as caught:
        from_json(json.dumps(content), Hand)
    assert tells(str(caught.value), problem)


@dataclass
class OneOf:
    """A sequence may be a list, which is also the class of the decoded value."""

    order: Sequence[Gain | Loss] = ()


def test_a_sequence_must_be_a_list() -> None:
    order: list[Gain | Loss] = [Gain(1), Loss(2)]
    assert from_json(to_json(OneOf(order)), OneOf).order == order
    with pytest.raises(ContractError, match=r"OneOf\.order: .*\(tuple\).*\blist\b"):
        to_json(OneOf((Gain(1),)))
