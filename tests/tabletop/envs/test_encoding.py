"""Observations: the numbers of each kind of field, and errors for missing bounds."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import Enum, IntEnum, StrEnum
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tabletop import (
    OWNER,
    ContractError,
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
    secret,
    state,
)
from tabletop.envs import Encoder, ObservationEncoder, make_encoder
from tabletop.registry import load
from tabletop.rules import AnyGame
from tabletop.states import (
    BAG,
    FIXED,
    PER_SEAT,
    UNOBSERVED,
    Fields,
    Length,
    OneOf,
    PerSeat,
    Range,
    SeatOr,
)
from tests.hashes import printed
from tests.tabletop.envs.games_with_bounds import BUNDLED, EXAMPLES, FOLDER, loaded

GAMES = [
    pytest.param(name, marks=pytest.mark.slow) if name == "herons" else name
    for name in (*BUNDLED, *EXAMPLES)
]


class Still(Game[Any, str]):
    """A game with a given initial state that ends with its first action."""

    name = "still"
    seats = range(3, 4)

    def __init__(self, first: Any) -> None:
        self.first = first

    def setup(self, options: Options, seats: int, rng: Streams) -> Any:
        return self.first

    def to_act(self, state: Any) -> Sequence[Seat]:
        return (0,)

    def legal_actions(self, state: Any, seat: Seat) -> Sequence[str]:
        return ("wait",)

    def apply(self, state: Any, action: str, table: Table) -> None:
        """Do nothing."""

    def outcome(self, state: Any) -> Outcome | None:
        return None


def observed(view: Any, seat: Seat | None = 0, first: Any = None) -> dict[str, float]:
    """Return all numbers of an observation that are not 0, by name."""
    encoder = Encoder(Still(view if first is None else first))
    out = np.full(encoder.size, 7, np.float32)
    encoder.encode(view, seat, out)
    assert ((encoder.low <= out) & (out <= encoder.high)).all()
    return {name: float(it) for name, it in zip(encoder.names, out, strict=True) if it}


# Every game.


@pytest.mark.parametrize("name", GAMES)
def test_observations_of_random_matches_stay_within_their_bounds(name: str) -> None:
    plugin = loaded(name)
    encoder = make_encoder(plugin)
    out = np.empty(encoder.size, np.float32)
    match = Match(plugin.game, seed=name, players=[Random(name)] * plugin.game.seats[0])
    low, high = np.asarray(encoder.low), np.asarray(encoder.high)
    while not match.over and match.ply < 120:
        for seat in (*range(match.seats), None):
            view = match.view(seat)
            encoder.encode(view, seat, out)
            assert ((low <= out) & (out <= high)).all()
            if isinstance(encoder, Encoder):
                assert encoder.clipped(view, seat) == []
        match.run(3)


@pytest.mark.parametrize("name", GAMES)
def test_there_is_an_encoder_for_every_number_of_seats(name: str) -> None:
    plugin = loaded(name)
    sizes = [make_encoder(plugin, seats=seats).size for seats in plugin.game.seats]
    assert sizes == sorted(sizes)


def test_every_number_has_a_unique_name() -> None:
    for name in BUNDLED:
        names = Encoder(loaded(name).game).names
        assert len(set(names)) == len(names)


@pytest.mark.slow
def test_observations_do_not_depend_on_hash_seeds() -> None:
    program = (
        "from tests.tabletop.envs.games_with_bounds import *\n"
        "from tabletop.envs import Encoder\n"
        "for name in ('sorcery', 'harbour', 'constructor'):\n"
        "    print(name, *Encoder(loaded(name).game).names)\n"
    )
    [names] = printed(program)
    assert "sides[+1].hand[4].card" in names


# Single values.


class Suit(StrEnum):
    HEARTS = "h"
    SPADES = "s"


class Size(IntEnum):
    SMALL = 1
    BIG = 5


class Shape(Enum):
    ROUND = (1, 1)
    FLAT = (2, 0)


@state
class Values(State):
    points: Annotated[int, Range(-5, 5)] = 0
    height: Annotated[int, Range(2, 9)] = 2
    komi: Annotated[float, Range(0, 81)] = 0.0
    on: bool = False
    suit: Suit = Suit.HEARTS
    size: Size = Size.SMALL
    shape: Shape = Shape.FLAT
    way: Literal["up", "down"] = "up"
    card: Annotated[str, OneOf(["fool", "king"])] = "fool"
    turn: Seat = 0
    owner: Annotated[int, SeatOr(-1)] = -1
    mark: Annotated[str, SeatOr(".", "xoz")] = "."
    stones: Annotated[int, PerSeat(2)] = 0
    winner: Seat | None = None
    bid: Annotated[int | None, Range(0, 9)] = None
    key: Annotated[int, UNOBSERVED] = 10**30


def test_each_kind_of_value_is_encoded() -> None:
    assert observed(Values()) == {
        "height": 2,
        "suit=HEARTS": 1,
        "size=SMALL": 1,
        "shape=FLAT": 1,
        "way=up": 1,
        "card=fool": 1,
        "turn=+0": 1,
    }
    view = Values(
        -3, 9, 6.5, True, Suit.SPADES, Size.BIG, Shape.ROUND, "down", "king", 2, 1, "z", 6, 0, 0
    )
    assert observed(view) == {
        "points": -3,
        "height": 9,
        "komi": 6.5,
        "on": 1,
        "suit=SPADES": 1,
        "size=BIG": 1,
        "shape=ROUND": 1,
        "way=down": 1,
        "card=king": 1,
        "turn=+2": 1,
        "owner=+1": 1,
        "mark=+2": 1,
        "stones[1]": 1,
        "stones[2]": 1,
        "winner=+0": 1,
        "bid?": 1,
    }


def test_seats_are_counted_from_the_observing_seat() -> None:
    view = Values(turn=0, owner=1, winner=2)
    names = {"turn", "owner", "winner"}
    observations = [
        {name for name in observed(view, seat) if name.partition("=")[0] in names}
        for seat in (0, 1, 2, None)
    ]
    assert observations == [
        {"turn=+0", "owner=+1", "winner=+2"},
        {"turn=+2", "owner=+0", "winner=+1"},
        {"turn=+1", "owner=+2", "winner=+0"},
        {"turn=+0", "owner=+1", "winner=+2"},
    ]


@given(
    points=st.integers(-(10**9), 10**9),
    komi=st.floats(-100, 100),
    card=st.text(max_size=4) | st.sampled_from(["fool", "king"]),
    turn=st.integers(-2, 4),
)
def test_values_outside_their_bounds_are_clipped_and_reported(
    points: int, komi: float, card: str, turn: int
) -> None:
    encoder = Encoder(Still(Values()))
    out = np.empty(encoder.size, np.float32)
    view = Values(points, komi=komi, card=card, turn=turn)
    encoder.encode(view, 1, out)
    assert ((encoder.low <= out) & (out <= encoder.high)).all()
    bad = {
        "points": not -5 <= points <= 5,
        "komi": not 0 <= komi <= 81,
        "card": card not in ("fool", "king"),
        "turn": not 0 <= turn <= 2,
    }
    named = [line.partition(" must be ")[0] for line in encoder.clipped(view, 1)]
    assert named == [name for name, is_bad in bad.items() if is_bad]


def test_clipped_values_are_described() -> None:
    encoder = Encoder(Still(Values()))
    assert encoder.clipped(Values(points=8, card="jack"), 0) == [
        "points must be from -5 to 5, not 8",
        "card must be one of its declared values, not 'jack'",
    ]


def test_bounds_may_depend_on_rules_options_and_seats() -> None:
    @state
    class Pot(State):
        chips: Annotated[int, Range(0, lambda match: 3 * match.seats)] = 0
        who: Annotated[str, OneOf(lambda match: match.names)] = ""

    encoder = Encoder(Still(Pot()))
    assert encoder.high.tolist() == [9, 1, 1, 1]
    assert encoder.names == ("chips", "who=Player 1", "who=Player 2", "who=Player 3")


def test_observations_can_be_written_as_whole_numbers() -> None:
    encoder = Encoder(Still(Values(points=-4)))
    out = np.zeros((2, encoder.size), np.int16)
    encoder.encode(Values(points=-4), 0, out[1])
    assert (out[0].any(), out[1][0]) == (False, -4)


def test_marks_and_bits_of_the_observing_seat_come_first() -> None:
    view = Values(mark="x", stones=0b11_00_01)
    names = [{it for it in observed(view, me) if it[0] in "ms"} for me in range(3)]
    own = [{it for it in numbers if it.startswith(("mark", "stones"))} for numbers in names]
    assert own == [
        {"mark=+0", "stones[0]", "stones[4]", "stones[5]"},
        {"mark=+2", "stones[4]", "stones[2]", "stones[3]"},
        {"mark=+1", "stones[2]", "stones[0]", "stones[1]"},
    ]
    assert Encoder(Still(Values())).clipped(Values(stones=64), 0) == [
        "stones[0] must be from 0 to 63, not 64"
    ]


# Values with parts.


class Spot(NamedTuple):
    x: Annotated[int, Range(0, 9)]
    y: Annotated[int, Range(0, 9)]


@dataclass(frozen=True)
class Coin:
    worth: Annotated[int, Range(0, 9)]


@dataclass(frozen=True)
class Gem:
    colour: Annotated[str, OneOf(("red", "blue"))]


Pips = Annotated[int, Range(0, 6)]


@state
class Parts(State):
    row: Annotated[list[Pips], Length(3)] = field(default_factory=list)
    cells: Annotated[tuple[Pips, ...], FIXED] = (1, 2)
    scores: Annotated[list[Pips], PER_SEAT] = field(default_factory=lambda: [1, 2, 3])
    cards: Annotated[list[Pips], PerSeat(2)] = field(default_factory=lambda: [1, 2, 3, 4, 5, 6])
    spot: Spot = Spot(0, 0)
    pair: tuple[bool, Suit] = (False, Suit.HEARTS)
    queue: Annotated[deque[Pips], Length(2)] = field(default_factory=deque)
    bag: Annotated[list[Coin], Length(4), BAG] = field(default_factory=list)
    suits: Annotated[list[Suit], Length(4), BAG] = field(default_factory=list)
    things: Annotated[list[Coin | Gem], Length(2)] = field(default_factory=list)
    best: Coin | None = None


def without(numbers: dict[str, float], *names: str) -> dict[str, float]:
    return {name: it for name, it in numbers.items() if not name.startswith(names)}


ALWAYS = ("cells", "scores", "cards", "pair")


def test_a_list_is_encoded_by_item_and_length() -> None:
    view = Parts(row=[4, 0], queue=deque([5]), spot=Spot(1, 2))
    assert without(observed(view), *ALWAYS) == {
        "row[#]": 2,
        "row[0]": 4,
        "spot.x": 1,
        "spot.y": 2,
        "queue[#]": 1,
        "queue[0]": 5,
    }


def test_a_list_of_fixed_length_has_no_length_number() -> None:
    numbers = observed(Parts(cells=(5, 0)), first=Parts())
    assert {name: it for name, it in numbers.items() if name.startswith("cells")} == {"cells[0]": 5}


@pytest.mark.parametrize(
    ("seat", "scores", "cards"),
    [
        (0, [1, 2, 3], [1, 2, 3, 4, 5, 6]),
        (1, [2, 3, 1], [3, 4, 5, 6, 1, 2]),
        (None, [1, 2, 3], [1, 2, 3, 4, 5, 6]),
    ],
)
def test_items_of_the_observing_seat_come_first(
    seat: Seat | None, scores: list[int], cards: list[int]
) -> None:
    numbers = observed(Parts(), seat)
    assert [numbers[f"scores[+{at}]"] for at in range(3)] == scores
    assert [numbers[f"cards[{at}]"] for at in range(6)] == cards


def test_items_of_a_bag_are_summed() -> None:
    view = Parts(bag=[Coin(2), Coin(0), Coin(5)], suits=[Suit.SPADES, Suit.SPADES])
    numbers = {"bag[#]": 3, "bag[*].worth": 7, "suits[*]=SPADES": 2}
    assert without(observed(view), *ALWAYS) == numbers
    encoder = Encoder(Still(Parts()))
    assert encoder.high[encoder.names.index("bag[*].worth")] == 36


AtLeastTwo = Annotated[int, Range(2, 5)]


@dataclass(frozen=True)
class Offer:
    price: AtLeastTwo
    change: Annotated[int, Range(-3, -1)]


@state
class Sparse(State):
    """Fields whose numbers may be missing, although zero is not in their ranges."""

    price: AtLeastTwo | None = None
    best: Offer | Size | None = None
    row: Annotated[list[AtLeastTwo], Length(2)] = field(default_factory=list)
    bag: Annotated[list[Offer], BAG, Length(3)] = field(default_factory=list)
    seen: Annotated[frozenset[Offer], Length(3)] = frozenset()
    purse: dict[Suit, AtLeastTwo] = field(default_factory=dict)


@pytest.mark.parametrize(
    "view",
    [
        Sparse(),
        Sparse(price=5, best=Offer(2, -1), row=[5], purse={Suit.HEARTS: 2}),
        Sparse(best=Size.BIG, bag=[Offer(2, -1)], seen=frozenset({Offer(2, -1)})),
        Sparse(bag=[Offer(5, -3)] * 3, seen=frozenset({Offer(5, -3), Offer(5, -2), Offer(4, -3)})),
    ],
)
def test_numbers_of_missing_and_added_values_stay_within_their_bounds(view: Sparse) -> None:
    observed(view, first=Sparse())


def test_each_class_of_a_union_has_its_own_numbers() -> None:
    view = Parts(things=[Gem("blue"), Coin(0)], best=Coin(0))
    assert without(observed(view), *ALWAYS) == {
        "things[#]": 2,
        "things[0]:Gem.colour=blue": 1,
        "things[1]:Coin?": 1,
        "best?": 1,
    }


@state
class Keyed(State):
    seen: Annotated[set[Suit], Length(2)] = field(default_factory=set)
    purse: dict[Suit, Pips] = field(default_factory=dict)
    stock: Annotated[Counter[Size], Range(0, 9)] = field(default_factory=Counter)
    homes: dict[Seat, Spot] = field(default_factory=dict)


def test_a_set_or_dictionary_has_numbers_for_every_key() -> None:
    view = Keyed({Suit.SPADES}, {Suit.HEARTS: 3}, Counter({Size.BIG: 4}), {0: Spot(1, 0)})
    numbers = {"seen[*]=SPADES": 1, "purse[HEARTS]": 3, "stock[BIG]": 4, "homes[+0].x": 1}
    assert observed(view) == numbers
    assert "homes[+2].x" in observed(view, 1)


def test_excess_items_are_dropped_and_reported() -> None:
    encoder = Encoder(Still(Parts()))
    view = Parts(row=[1, 2, 3, 9], cells=(1, 2, 3), bag=[Coin(9)] * 5)
    assert encoder.clipped(view, 0) == [
        "row has 4 items, not 3",
        "cells has 3 items, not 2",
        "bag has 5 items, not 4",
    ]
    numbers = observed(view, first=Parts())
    assert (numbers["row[#]"], numbers["row[2]"], numbers["bag[*].worth"]) == (3, 3, 36)


def test_an_unknown_key_is_dropped_and_reported() -> None:
    encoder = Encoder(Still(Keyed()))
    view = Keyed(homes={7: Spot(1, 1)})
    assert encoder.clipped(view, 0) == ["homes[+0].x must be one of its declared values, not 7"]
    assert observed(view, first=Keyed()) == {}


@dataclass(frozen=True)
class Task:
    """A class of another library, without annotations for observations."""

    what: str
    about: int | str | None = None


def test_a_game_can_annotate_fields_of_foreign_classes() -> None:
    @state
    class Todo(State):
        top: Annotated[Task, Fields(what=OneOf(("ask", "do")), about=OneOf((1, "all")))]

    assert observed(Todo(Task("do", 1))) == {"top.what=do": 1, "top.about=1": 1}
    assert observed(Todo(Task("ask"))) == {"top.what=ask": 1}
    first = Todo(Task("do"))
    assert Encoder(Still(first)).clipped(Todo(Task("do", "none")), 0) == [
        "top.about must be one of its declared values, not 'none'"
    ]


# Secrets.


@state
class Hands(State):
    hands: Annotated[list[Annotated[list[Suit], Length(2)]], PER_SEAT] = secret(
        to=OWNER, back=Suit.HEARTS
    )
    tokens: Annotated[list[Annotated[str, OneOf(("a", "b"))]], PER_SEAT] = secret(
        to=OWNER, back="?"
    )
    ranks: Annotated[list[Annotated[int, Range(1, 5)]], PER_SEAT] = secret(to=OWNER, back=0)


class Hiding(SecretGame[Hands, str]):
    name = "hiding"
    seats = range(2, 3)
    setup, to_act, legal_actions = Still.setup, Still.to_act, Still.legal_actions
    apply, outcome = Still.apply, Still.outcome
    first = Hands([[Suit.SPADES], []], ["a", "b"], [4, 5])


def test_a_back_is_encoded_as_a_separate_value() -> None:
    encoder = Encoder(Hiding())
    out = np.zeros(encoder.size)
    encoder.encode(Match(Hiding()).view(1), 1, out)
    numbers = {name: it for name, it in zip(encoder.names, out, strict=True) if it}
    assert numbers == {
        "hands[+1][#]": 1,
        "hands[+1][0]=HEARTS": 1,
        "tokens[+0]=b": 1,
        "tokens[+1]=?": 1,
        "ranks[+0]": 5,
    }
    assert encoder.low[encoder.names.index("ranks[+1]")] == 0


# The cache of long collections.


Walk = st.lists(
    st.tuples(st.sampled_from(["play", "play", "undo", "redo", "clone", "begin"]), st.integers(0)),
    max_size=40,
)


@pytest.mark.parametrize(
    "name",
    ["constructor", "go", "flotsam", "sorcery", pytest.param("herons", marks=pytest.mark.matrix)],
)
@settings(max_examples=10)
@given(steps=Walk)
def test_an_observation_does_not_depend_on_earlier_observations(
    name: str, steps: list[tuple[str, int]]
) -> None:
    game = loaded(name).game
    encoder, match = Encoder(game), Match(game, seed=0)
    for step, number in steps:
        match = walk(match, step, number)
        for seat in (*match.to_act, None):
            view = game.glance(match.state, seat)
            anew = encoder.twin().encode(view, seat)
            assert encoder.encode(view, seat).tobytes() == anew.tobytes()


def walk(match: Match[Any, Any], step: str, number: int) -> Match[Any, Any]:
    """Move one step forward or back, or to another match."""
    if step == "begin":
        return Match(match.game, seed=number)
    if step == "clone":
        return match.clone()
    if step == "undo":
        match.undo(number % (match.ply + 1))
    elif step == "redo":
        match.redo(number % (match.undone + 1))
    elif legal := match.legal_actions():
        match.play(legal[number % len(legal)])
    return match


@dataclass(frozen=True)
class Card:
    suit: Suit
    rank: Annotated[int, Range(0, 9)] = field(default=0, compare=False)


@dataclass(frozen=True)
class Mark:
    rank: Annotated[int, Range(0, 9)]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Mark)

    __hash__ = None  # type: ignore[assignment]


Many = Length(40)


@state
class Rows(State):
    cells: Annotated[list[Pips], Many] = field(default_factory=list)
    spots: Annotated[tuple[Spot, ...], Many] = ()
    coins: Annotated[list[Coin], Many, BAG] = field(default_factory=list)
    queue: Annotated[deque[Pips], Many] = field(default_factory=deque)
    cards: Annotated[list[Card], Many] = field(default_factory=list)
    marks: Annotated[list[Mark], Many] = field(default_factory=list)
    mixed: Annotated[list[bool | Pips], Many] = field(default_factory=list)


ROWS = [
    Rows(),
    Rows(cells=[1, 2, 3], spots=(Spot(1, 2),), coins=[Coin(3)], queue=deque([4])),
    Rows(cells=[1, 2], spots=(Spot(2, 1),), coins=[Coin(3)] * 2, queue=deque([4, 4])),
    Rows(cards=[Card(Suit.HEARTS, 1)], marks=[Mark(1)], mixed=[True]),
    Rows(cards=[Card(Suit.HEARTS, 2)], marks=[Mark(2)], mixed=[1]),
]


@pytest.mark.parametrize("after", ROWS)
@pytest.mark.parametrize("before", ROWS)
def test_no_numbers_of_an_earlier_observation_remain(before: Rows, after: Rows) -> None:
    encoder = Encoder(Still(Rows()))
    encoder.encode(before, 0)
    assert encoder.encode(after, 0).tobytes() == Encoder(Still(Rows())).encode(after, 0).tobytes()


def test_a_collection_changed_in_place_is_encoded_again() -> None:
    encoder, view = Encoder(Still(Rows())), Rows(cells=[1], queue=deque([2]))
    first = encoder.encode(view, 0)
    view.cells[0] = view.queue[0] = 5
    numbers = dict(zip(encoder.names, encoder.encode(view, 0), strict=True))
    assert (numbers["cells[0]"], numbers["queue[0]"]) == (5, 5)
    assert first[encoder.names.index("cells[0]")] == 1


def test_callers_may_change_the_arrays_they_get() -> None:
    encoder = Encoder(Still(Rows()))
    view = Rows(cells=[1, 2, 3])
    expected = encoder.encode(view, 0).copy()
    for _ in range(2):
        encoder.encode(view, 0)[:] = 9
    assert (encoder.encode(view, 0) == expected).all()


def test_a_failed_encoding_leaves_the_cache_unchanged() -> None:
    encoder, wrong, right = Encoder(Still(Rows())), Rows(coins=[Coin(1), 2]), Rows(coins=[Coin(1)])  # type: ignore[list-item]
    with pytest.raises(AttributeError):
        encoder.encode(wrong, 0)
    expected = Encoder(Still(Rows())).encode(right, 0)
    assert (encoder.encode(right, 0) == expected).all()


# Missing bounds.


@dataclass(frozen=True)
class Tree:
    below: Tree | None = None


def fields_without_bounds() -> list[tuple[Any, str]]:
    return [
        (int, r"\bint .*\bAnnotated\[int, Range\(low, high\)\]"),
        (float, r"\bfloat .*\bbounds\b"),
        (str, r"\bstr .*\bAnnotated\[..., OneOf\(values\)\]"),
        (int | None, r"\bint .*\bbounds\b"),
        (list[bool], r"list\[bool\] .*\blength\b.*\bFIXED\b"),
        (Annotated[list[int], Length(3)], r"it\[...\]: int .*\bbounds\b"),
        (dict[str, bool], r"it.keys\(\): .*\bkeys .*\bAnnotated\b"),
        (Annotated[str, OneOf({"a", "b"})], r"\bOneOf .*\border\b"),
        (Annotated[int, Range(3, 1)], r"Range\(3, 1\): .*\bbounds\b"),
        (Annotated[int, Range(0, 1 << 25)], "to 16777216"),
        (Tree, r"it.below: Tree .*\bitself; .*\bUNOBSERVED\b"),
        (Annotated[list[Tree], Length(9)], r"it\[...\].below: Tree .*\bitself\b"),
    ]


@pytest.mark.parametrize(("annotation", "message"), fields_without_bounds())
def test_a_field_without_bounds_is_reported_with_a_remedy(annotation: Any, message: str) -> None:
    @state
    class Unbounded(State):
        it: annotation

    with pytest.raises(ContractError, match=rf"Unbounded\.it.*{message.removeprefix('it')}"):
        Encoder(Still(Unbounded(())))


def test_a_state_that_is_not_a_dataclass_needs_a_custom_encoder() -> None:
    class Bare:
        def clone(self) -> Bare:
            return self

    with pytest.raises(ContractError, match=r"\bBare .*\bdataclass\b"):
        Encoder(Still(Bare()))


# Custom encoders of games.


class Ones:
    size = 2
    low, high = (0, 0), (1, 1)

    def encode(self, view: Any, seat: Seat | None, out: Any) -> None:
        out[:] = 1


class OnesOfAMatch(Ones):
    def __init__(self, game: AnyGame, options: Options, seats: int) -> None: ...


@pytest.mark.parametrize("own", [Ones(), lambda game, options, seats: Ones(), OnesOfAMatch])
def test_a_game_may_provide_an_encoder(own: ObservationEncoder | Callable[..., Any]) -> None:
    assert isinstance(make_encoder(Still(Values()), encoder=own), Ones)


class AndOne:
    """The numbers of an `Encoder`, followed by a 1."""

    def __init__(self, game: AnyGame, options: Options, seats: int) -> None:
        self.state = Encoder(game, options, seats)
        self.size = self.state.size + 1
        self.low, self.high = [*self.state.low, 0.0], [*self.state.high, 1.0]

    def encode(self, view: Any, seat: Seat | None, out: Any) -> Any:
        self.state.encode(view, seat, out[:-1])
        out[-1] = 1
        return out


def test_a_custom_encoder_may_extend_the_generated_one() -> None:
    game = loaded("caverns").game
    view = Match(game, seed="oak").view(0)
    plain, own = Encoder(game), make_encoder(game, encoder=AndOne)
    numbers = plain.encode(view, 0, np.zeros(plain.size, np.float32)).tolist()
    assert any(numbers)
    assert own.encode(view, 0, np.zeros(own.size, np.float32)).tolist() == [*numbers, 1]


def test_the_encoder_of_a_plugin_is_used(tmp_path: Path) -> None:
    path = tmp_path / "seen.py"
    text = (FOLDER / "loaded_dice.py").read_text("utf-8")
    path.write_text(
        f"{text}\nfrom tests.tabletop.envs.test_encoding import Ones\n"
        "from tabletop import Plugin\nPLUGIN = Plugin(GAME, encoder=Ones())\n"
    )
    plugin = load(str(path))
    assert make_encoder(plugin).size == 2
    assert isinstance(make_encoder(plugin.game), Encoder)
