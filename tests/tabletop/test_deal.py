"""Dealing limited and unique things out to places."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabletop import SeedError, Streams

SEEDS = st.integers(0, 10**6)
THINGS = st.lists(st.integers(0, 30), max_size=8)
PLACES = st.lists(st.sampled_from("abcdefgh"), min_size=1, max_size=6, unique=True)


def fits(thing: int, place: str) -> bool:
    """A thing that is a multiple of 3 goes anywhere, others to half of the places."""
    return thing % 3 == 0 or (thing + ord(place)) % 2 == 0


def can_lie(things: list[int], spots: list[str]) -> bool:
    """Whether there is a spot for each thing, found by trying everything."""
    return not things or any(
        fits(things[0], spot) and can_lie(things[1:], [*spots[:number], *spots[number + 1 :]])
        for number, spot in enumerate(spots)
    )


@given(SEEDS, THINGS, PLACES, st.integers(1, 4) | st.none())
def test_each_thing_lies_in_exactly_one_place_and_every_place_is_told_of(
    seed: int, things: list[int], places: list[str], room: int | None
) -> None:
    if room is not None and len(things) > room * len(places):
        with pytest.raises(SeedError, match="no place left"):
            Streams(seed).deal("loot", things, places, room=room)
        return
    dealt = Streams(seed).deal("loot", things, places, room=room)
    assert list(dealt) == places
    assert Counter(thing for held in dealt.values() for thing in held) == Counter(things)
    assert all(len(held) <= (room or len(things)) for held in dealt.values())


@given(SEEDS, THINGS, PLACES)
def test_things_lie_in_the_order_in_which_they_were_dealt(
    seed: int, things: list[int], places: list[str]
) -> None:
    numbered = list(enumerate(things))
    for held in Streams(seed).deal("loot", numbered, places).values():
        assert held == sorted(held)


@given(
    SEEDS,
    st.lists(st.integers(0, 30), max_size=5),
    st.lists(st.sampled_from("abcd"), min_size=1, unique=True),
    st.integers(1, 2),
)
def test_things_lie_where_they_fit_and_dealing_fails_only_where_it_cannot_succeed(
    seed: int, things: list[int], places: list[str], room: int
) -> None:
    streams = Streams(seed)
    if can_lie(things, places * room):
        dealt = streams.deal("loot", things, places, fits=fits, room=room)
        assert sum(map(len, dealt.values())) == len(things)
        assert all(fits(thing, place) for place, held in dealt.items() for thing in held)
        assert all(len(held) <= room for held in dealt.values())
    else:
        with pytest.raises(SeedError, match=r"deal 'loot': there is no place left for \d+"):
            streams.deal("loot", things, places, fits=fits, room=room)
        assert streams.state() == {}


@pytest.mark.parametrize("seed", range(20))
def test_a_thing_that_fits_anywhere_leaves_the_only_place_of_a_later_one(seed: int) -> None:
    dealt = Streams(seed).deal(
        "keys",
        ["any", "cellar", "any too"],
        ["attic", "cellar", "hall"],
        fits=lambda key, place: key.startswith("any") or key == place,
        room=1,
    )
    assert dealt["cellar"] == ["cellar"]


@given(SEEDS, THINGS, PLACES)
def test_what_is_dealt_out_does_not_depend_on_other_streams_nor_they_on_it(
    seed: int, things: list[int], places: list[str]
) -> None:
    busy, quiet = Streams(seed), Streams(seed)
    busy["dice"].roll(6, 10)
    busy.deal("guests", [1, 2, 3], places)
    busy.at("cave", 1).roll(6)
    assert busy.deal("loot", things, places) == quiet.deal("loot", things, places)
    quiet["dice"].roll(6, 10)
    assert busy["dice"].below(10**9) == quiet["dice"].below(10**9)


def test_all_places_that_fit_are_equally_likely() -> None:
    places = ["a", "b", "c", "d"]
    counts: Counter[str] = Counter()
    for seed in range(3000):
        dealt = Streams(seed).deal(
            "loot", ["x", "y"], places, fits=lambda thing, place: place != "d", room=1
        )
        counts.update(place for place, held in dealt.items() if held == ["y"])
    assert set(counts) == {"a", "b", "c"}
    assert all(900 < number < 1100 for number in counts.values())


def test_an_iterator_of_things_is_dealt_out_too() -> None:
    assert Streams("x").deal("loot", iter("ab"), ["here"]) == {"here": ["a", "b"]}


def test_nothing_can_be_dealt_out_to_nowhere_but_something_cannot() -> None:
    assert Streams("x").deal("loot", [], []) == {}
    with pytest.raises(SeedError, match="deal 'loot': there is no place left for 'key'"):
        Streams("x").deal("loot", ["key"], [])


@pytest.mark.parametrize("room", [0, -1])
def test_places_without_room_hold_nothing(room: int) -> None:
    with pytest.raises(SeedError, match="there is no place left for 'key'"):
        Streams("x").deal("loot", ["key"], ["here"], room=room)


def test_a_place_that_is_there_twice_is_refused() -> None:
    with pytest.raises(SeedError, match="deal 'loot': a place is there twice"):
        Streams("x").deal("loot", ["key"], ["here", "there", "here"])
