"""Deals of limited and unique things to places."""

from __future__ import annotations

from collections import Counter
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabletop import SeedError, Streams

SEEDS = st.integers(0, 10**6)
THINGS = st.lists(st.integers(0, 30), max_size=8)
PLACES = st.lists(st.sampled_from("abcdefgh"), min_size=1, max_size=6, unique=True)


def fits(thing: int, place: str) -> bool:
    """Return whether a thing fits: multiples of 3 everywhere, others in half of the places."""
    return thing % 3 == 0 or (thing + ord(place)) % 2 == 0


def can_lie(things: list[int], spots: list[str]) -> bool:
    """Check by brute force whether there is a spot for each thing."""
    return not things or any(
        fits(things[0], spot) and can_lie(things[1:], [*spots[:number], *spots[number + 1 :]])
        for number, spot in enumerate(spots)
    )


@given(SEEDS, THINGS, PLACES, st.integers(1, 4) | st.none())
def test_each_thing_is_dealt_to_one_place_and_every_place_is_returned(
    seed: int, things: list[int], places: list[str], capacity: int | None
) -> None:
    if capacity is not None and len(things) > capacity * len(places):
        with pytest.raises(SeedError, match=r"^deal 'loot': .* \d+$"):
            Streams(seed).deal("loot", things, places, capacity=capacity)
        return
    dealt = Streams(seed).deal("loot", things, places, capacity=capacity)
    assert list(dealt) == places
    assert Counter(thing for held in dealt.values() for thing in held) == Counter(things)
    assert all(len(held) <= (capacity or len(things)) for held in dealt.values())
    stream = Streams(seed)["loot"]
    numbered = stream.deal(list(enumerate(things)), places, capacity=capacity)
    assert {place: [it for _, it in held] for place, held in numbered.items()} == dealt
    assert all(held == sorted(held) for held in numbered.values())


@given(
    SEEDS,
    st.lists(st.integers(0, 30), max_size=5),
    st.lists(st.sampled_from("abcd"), min_size=1, unique=True),
    st.integers(1, 2),
)
def test_things_are_dealt_where_they_fit_and_only_impossible_deals_fail(
    seed: int, things: list[int], places: list[str], capacity: int
) -> None:
    streams = Streams(seed)
    if can_lie(things, places * capacity):
        dealt = streams.deal("loot", things, places, fits=fits, capacity=capacity)
        assert sum(map(len, dealt.values())) == len(things)
        assert all(fits(thing, place) for place, held in dealt.items() for thing in held)
        assert all(len(held) <= capacity for held in dealt.values())
    else:
        with pytest.raises(SeedError, match=r"^deal 'loot': .* \d+$"):
            streams.deal("loot", things, places, fits=fits, capacity=capacity)
        assert streams.state() == {}


@pytest.mark.parametrize("seed", range(5))
def test_a_thing_that_fits_anywhere_does_not_take_the_only_place_of_another(seed: int) -> None:
    dealt = Streams(seed).deal(
        "keys",
        ["any", "cellar", "any too"],
        ["attic", "cellar", "hall"],
        fits=lambda key, place: key.startswith("any") or key == place,
        capacity=1,
    )
    assert dealt["cellar"] == ["cellar"]


@pytest.mark.slow
def test_all_places_that_fit_are_equally_likely() -> None:
    places = ["a", "b", "c", "d"]
    counts: Counter[str] = Counter()
    for seed in range(3000):
        dealt = Streams(seed).deal(
            "loot", ["x", "y"], places, fits=lambda thing, place: place != "d", capacity=1
        )
        counts.update(place for place, held in dealt.items() if held == ["y"])
    assert set(counts) == {"a", "b", "c"}
    assert all(900 < number < 1100 for number in counts.values())


@pytest.mark.parametrize("seed", range(10))
def test_a_full_place_gets_no_further_things(seed: int) -> None:
    dealt = Streams(seed).deal("loot", range(7), "abcd", capacity={"a": 2, "b": 0, "c": 2, "d": 3})
    assert {place: len(held) for place, held in dealt.items()} == {"a": 2, "b": 0, "c": 2, "d": 3}


@pytest.mark.parametrize(
    ("things", "most"), [("xy", 1), ("xyz", 1), ("xyzw", 2)], ids=["room", "little room", "much"]
)
def test_every_possible_deal_occurs(things: str, most: int) -> None:
    barred = {("x", "d"), ("y", "a"), ("z", "a"), ("z", "b")}
    possible = {
        spots
        for spots in product("abcd", repeat=len(things))
        if not barred.intersection(zip(things, spots, strict=True))
        and max(Counter(spots).values()) <= most
    }
    found = set()
    for seed in range(12 * len(possible)):
        dealt = Streams(seed).deal(
            "loot", things, "abcd", fits=lambda *it: it not in barred, capacity=most
        )
        found.add(tuple(place for thing in things for place in dealt if thing in dealt[place]))
    assert found == possible


def test_a_possible_deal_is_found_even_if_several_things_must_move() -> None:
    """A brute-force search decides whether a deal is possible."""
    chance = Streams("which fit")["rows"]
    for number in range(300):
        places = "abcde"[: chance.between(2, 5)]
        rows = [
            {place for place in places if chance.chance(2, 5)} for _ in range(chance.between(2, 7))
        ]
        capacity = {place: chance.between(0, 3) for place in places}
        spots = [place for place in places for _ in range(capacity[place])]
        stream = Streams(number)["loot"]
        things = [*range(len(rows))]

        def fit(thing: int, place: str, rows: list[set[str]] = rows) -> bool:
            return place in rows[thing]

        if not matched(rows, spots):
            with pytest.raises(SeedError, match="no place left"):
                stream.deal(things, places, fits=fit, capacity=capacity)
            continue
        dealt = stream.deal(things, places, fits=fit, capacity=capacity)
        assert sorted(thing for held in dealt.values() for thing in held) == things
        assert all(place in rows[thing] for place, held in dealt.items() for thing in held)
        assert all(len(held) <= capacity[place] for place, held in dealt.items())


def matched(rows: list[set[str]], spots: list[str]) -> bool:
    """Check by brute force whether there is a spot for each row."""
    return not rows or any(
        spot in rows[0] and matched(rows[1:], [*spots[:number], *spots[number + 1 :]])
        for number, spot in enumerate(spots)
        if spot not in spots[:number]
    )


def test_things_may_be_an_iterator_and_may_be_empty() -> None:
    assert Streams("x").deal("loot", iter("ab"), ["here"]) == {"here": ["a", "b"]}
    assert Streams("x").deal("loot", [], []) == {}


@pytest.mark.parametrize(
    ("places", "capacity", "wrong"),
    [
        ([], None, "'key'"),
        (["here"], 0, "'key'"),
        (["here"], -1, "'key'"),
        (["here", "there", "here"], None, "twice"),
    ],
)
def test_a_deal_without_room_or_with_a_duplicate_place_is_refused(
    places: list[str], capacity: int | None, wrong: str
) -> None:
    with pytest.raises(SeedError, match=f"deal 'loot': .*{wrong}"):
        Streams("x").deal("loot", ["key"], places, capacity=capacity)


# Capacities, and deals from a single stream.


@given(SEEDS, THINGS, PLACES, st.integers(0, 4))
def test_each_place_has_its_own_capacity(
    seed: int, things: list[int], places: list[str], more: int
) -> None:
    capacity = {place: number % 3 for number, place in enumerate(reversed(places), more)}
    spots = [place for place in places for _ in range(capacity[place])]
    stream = Streams(seed)["loot"]
    if can_lie(things, spots):
        dealt = stream.deal(things, places, fits=fits, capacity=capacity)
        assert Counter(thing for held in dealt.values() for thing in held) == Counter(things)
        assert all(len(held) <= capacity[place] for place, held in dealt.items())
        assert all(fits(thing, place) for place, held in dealt.items() for thing in held)


@pytest.mark.parametrize(
    ("capacity", "wrong"),
    [
        ({"here": 1}, "`capacity` .* no .*'there'"),
        ({"here": 1, "there": 1, "away": 1}, "`capacity` .*'away'"),
    ],
)
def test_capacity_must_name_exactly_the_places(capacity: dict[str, int], wrong: str) -> None:
    stream = Streams("x")["loot"]
    with pytest.raises(SeedError, match=wrong):
        stream.deal(["key"], ["here", "there"], capacity=capacity)
    with pytest.raises(SeedError, match=f"deal 'loot': {wrong}"):
        Streams("x").deal("loot", ["key"], ["here", "there"], capacity=capacity)
    assert stream.offset == 0


def test_a_place_with_capacity_zero_stays_empty() -> None:
    capacity = {"here": 0, "there": 2}
    assert Streams(1)["x"].deal("ab", ["here", "there"], capacity=capacity) == {
        "here": [],
        "there": ["a", "b"],
    }
    with pytest.raises(SeedError, match="'c'"):
        Streams(1)["x"].deal("abc", ["here", "there"], capacity=capacity)


PINNED_HANDS = {"a": [0, 2, 8], "b": [1, 5, 6, 9], "c": [3, 4, 7]}
PINNED_SPOTS = [0, 3, 1, 2, 6, 5, 4, 8, 7, 9]


def test_deals_never_change() -> None:
    """A seed must give the same deal in every version of Python and of tabletop."""
    cards = range(10)
    dealt = Streams("pinned").deal("hands", cards, "abc", capacity=4)
    assert dealt == PINNED_HANDS
    fitting = Streams("pinned").deal("spots", cards, cards, fits=_near, capacity=1)
    assert [held[0] for held in fitting.values()] == PINNED_SPOTS


def _near(card: int, spot: int) -> bool:
    return abs(card - spot) <= 2
