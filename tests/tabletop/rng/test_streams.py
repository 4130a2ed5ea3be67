"""Families of streams: names, independence, places, children, saving and copying."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabletop import SeedError, Stream, Streams
from tabletop.rng import HashStream, StreamName
from tabletop.testing import ScriptedStream

KEY = bytes(range(32))
PARTS = st.text(st.characters(exclude_categories=()), max_size=4) | st.integers()
ODD_PARTS = st.text(st.sampled_from('ab/>"\\1-_. \n\u00e9'), max_size=4) | st.integers(-3, 12)
NAMES: st.SearchStrategy[StreamName] = st.one_of(
    PARTS, ODD_PARTS, st.lists(PARTS | ODD_PARTS, min_size=1, max_size=3).map(tuple)
)
MOVES = st.lists(
    st.tuples(st.sampled_from(["dice", "bots/dice", "bots/deep/deck", "a>b"]), st.integers(1, 70)),
    max_size=6,
)


def words(stream: Stream, count: int = 4) -> list[int]:
    return [stream.below(2**32) for _ in range(count)]


def at(streams: Streams, path: str) -> Stream:
    """Return the stream at `path`: the names of children, then the name of the stream."""
    *families, name = path.split("/")
    for family in families:
        streams = streams.child(family)
    return streams[name]


def play(streams: Streams, moves: list[tuple[str, int]]) -> list[int]:
    """Shuffle numbers with the stream of each move, and return the last number of each shuffle."""
    drawn = []
    for path, count in moves:
        items = list(range(count + 1))
        at(streams, path).shuffle(items)
        drawn.append(items[-1])
    return drawn


# Independence.


@given(MOVES)
def test_draws_do_not_depend_on_the_order_in_which_streams_are_used(
    moves: list[tuple[str, int]],
) -> None:
    together = play(Streams("seed"), moves)
    for own in {path for path, _ in moves}:
        alone = play(Streams("seed"), [(path, count) for path, count in moves if path == own])
        assert [n for n, (path, _) in zip(together, moves, strict=True) if path == own] == alone


def test_opening_a_stream_twice_returns_the_same_object() -> None:
    streams = Streams("seed")
    assert streams["dice"] is streams["dice"] is streams[("dice",)]
    assert streams["deck", 1] is streams["deck", 1]
    assert streams.child("bots") is streams.child("bots") is streams.child(("bots",))


@given(st.lists(NAMES, min_size=2, max_size=2, unique=True))
def test_different_names_give_different_streams(names: list[StreamName]) -> None:
    one, other = (name if isinstance(name, tuple) else (name,) for name in names)
    assert (one == other) == (words(Streams("seed")[one]) == words(Streams("seed")[other]))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (("a", "b"), "a/b"),
        (("a", "b"), '"a"/"b"'),
        (1, "1"),
        (-1, "-1"),
        (("deck", 1), ("deck", "1")),
        (("deck", 11), ("deck", 1, 1)),
        ("a", "A"),
        ("a", "a "),
        ("", " "),
        ("é", "e\u0301"),
        ("é", "\\xe9"),
        ('"', '\\"'),
        ("a>b", ("a", "b")),
        (("a", ""), "a"),
    ],
)
def test_names_that_look_similar_are_different_streams(one: StreamName, other: StreamName) -> None:
    streams = Streams("seed")
    assert words(streams[one]) != words(streams[other])
    assert words(Streams("s").child(one)["x"]) != words(Streams("s").child(other)["x"])
    assert len(streams.state()) == 2


def test_a_stream_a_place_and_a_child_with_the_same_name_are_independent() -> None:
    streams = Streams("seed")
    family, other = streams.child("cave"), streams.child("hall")
    drawn = [streams["cave"], streams.at("cave"), family["cave"], family.at("cave")]
    drawn += [other["cave"], family.child("cave")["cave"]]
    assert len({tuple(words(stream)) for stream in drawn}) == 6
    place = words(streams.at("cave", 3, 4))
    assert words(streams.at("cave", 3, 4)) == place != words(streams.at("cave", 4, 3))
    assert "cave/3/4" not in streams.state(), "places are not part of the state"


# Invalid names.

NO_NAMES: list[object] = [
    (), None, True, 1.0, b"a", ["a"], {}, ("a", None), ("a", False), ("a", 1.5), ("a", ["b"]),
    (("a",),), frozenset("a"), ("deck", True), ("deck", 1.0),
]  # fmt: skip


@pytest.mark.parametrize("name", NO_NAMES, ids=repr)
def test_an_invalid_name_is_refused_and_opens_no_stream(name: StreamName) -> None:
    streams = Streams("seed")
    for equal in (streams[1], streams["deck", 1]):
        assert equal.offset == 0
    part: Any = name
    for open_it in (streams.__getitem__, streams.child, lambda it: streams.at("cave", part)):
        with pytest.raises(SeedError, match=re.escape(repr(name))):
            open_it(name)
    with pytest.raises(SeedError, match=re.escape(repr(name))):
        streams.install(name, HashStream(KEY))
    assert streams.state() == {}


# Saving and copying.


@given(MOVES, MOVES, MOVES)
def test_restored_streams_repeat_their_draws(
    before: list[tuple[str, int]], after: list[tuple[str, int]], astray: list[tuple[str, int]]
) -> None:
    streams = Streams("seed")
    play(streams, before)
    state = streams.state()
    expected = play(streams, after)
    play(streams, astray)
    streams.restore(state)
    assert streams.state() == state
    assert play(streams, after) == expected


@given(MOVES, MOVES, MOVES)
def test_a_clone_has_the_same_draws_and_does_not_advance_the_original(
    before: list[tuple[str, int]], after: list[tuple[str, int]], astray: list[tuple[str, int]]
) -> None:
    streams = Streams("seed")
    play(streams, before)
    state = streams.state()
    twin, lost = streams.clone(), streams.clone()
    play(lost, astray)
    assert twin.state() == streams.state() == state
    assert play(twin, after) == play(streams, after)
    assert twin.state() == streams.state()


@given(st.lists(st.tuples(NAMES, NAMES), max_size=5))
def test_streams_with_any_names_in_children_with_any_names_are_saved(
    names: list[tuple[StreamName, StreamName]],
) -> None:
    streams = Streams("seed")
    for family, name in names:
        words(streams.child(family)[name])
        words(streams[name])
    restored = Streams("seed")
    restored.restore(streams.state())
    for family, name in names:
        assert words(restored.child(family)[name]) == words(streams.child(family)[name])
        assert words(restored[name]) == words(streams[name])


@given(MOVES)
def test_the_order_of_a_state_does_not_depend_on_the_order_of_use(
    moves: list[tuple[str, int]],
) -> None:
    forth, back = Streams("seed"), Streams("seed")
    play(forth, [(path, 1) for path, _ in moves])
    play(back, [(path, 1) for path, _ in reversed(moves)])
    assert list(forth.state().items()) == list(back.state().items())


def test_a_state_has_readable_names_of_streams() -> None:
    streams = Streams("seed")
    for name in ("dice", ("deck", 1), ("a/b", "x y"), 'say "hi" > now', -3):
        streams[name].below(6)
    streams.child(("bots", 2)).child("deep")["guess"].below(6)
    assert streams.state() == {
        '"a/b"/"x y"': 1,
        '"say \\"hi\\" \\x3e now"': 1,
        "-3": 1,
        "bots/2>deep>guess": 1,
        "deck/1": 1,
        "dice": 1,
    }


def test_restoring_resets_streams_that_the_state_does_not_contain() -> None:
    streams = Streams("seed")
    assert (streams["dice"].offset, streams.child("bots")["dice"].offset) == (0, 0)
    assert streams.state() == {}, "nothing has been drawn"
    first = words(streams["dice"]), words(streams.child("bots")["dice"])
    streams.restore({})
    assert (words(streams["dice"]), words(streams.child("bots")["dice"])) == first


def test_restored_offsets_are_kept_for_streams_that_are_opened_later() -> None:
    streams = Streams("seed")
    saved = {"bots>deep>dice": 2, "bots>dice": 3, "dice": 4}
    streams.restore(saved)
    assert streams.state() == saved
    bots = streams.child("bots")
    assert streams.state() == saved
    assert bots.state() == {"deep>dice": 2, "dice": 3}
    offsets = bots.child("deep")["dice"].offset, bots["dice"].offset
    assert (offsets, streams["dice"].offset) == ((2, 3), 4)
    assert streams.state() == saved
    waiting = Streams("seed")
    waiting.restore(saved)
    twin = waiting.clone()
    assert (twin.state(), twin["dice"].offset, twin.child("bots")["dice"].offset) == (saved, 4, 3)
    other = Streams("seed")
    for state in (saved, {"deck": 1}):
        other.restore(state)
    assert other.state() == {"deck": 1}, "offsets of unopened streams are reset"
    assert (other["dice"].offset, other.child("bots")["dice"].offset) == (0, 0)


@pytest.mark.parametrize("offset", [-1, 2**70])
@pytest.mark.parametrize("name", ["dice", "new", "bots>dice"])
def test_a_state_with_an_invalid_offset_is_refused_and_nothing_changes(
    name: str, offset: int
) -> None:
    streams = Streams("seed")
    play(streams, [("deck", 5), ("dice", 5), ("bots/dice", 5)])
    before = streams.state()
    saved: Mapping[str, int] = {"deck": 1, name: offset}
    with pytest.raises(SeedError, match=f"stream {name}: the offset .*not {offset}"):
        streams.restore(saved)
    assert streams.state() == before


# Installed streams.


def test_an_installed_stream_is_saved_restored_and_copied_like_others() -> None:
    streams = Streams("seed")
    loaded = ScriptedStream([5, 4, 3])
    streams.install(("dice",), loaded)
    assert streams["dice"] is loaded
    assert streams["dice"].below(6) == 5
    assert streams.state() == {"dice": 1}
    twin = streams.clone()
    assert (twin["dice"].below(6), streams["dice"].below(6)) == (4, 4)
    streams.restore({"dice": 1})
    assert streams["dice"].below(6) == 4
    assert twin["dice"].below(6) == 3
    other = Streams("seed")
    other.restore({"dice": 2})
    other.install("dice", ScriptedStream([5, 4, 3]))
    assert other["dice"].below(6) == 3, "the restored offset was kept"


def test_restoring_offset_zero_resets_a_stream() -> None:
    streams = Streams("old oak")
    first = words(streams["dice"])
    streams.restore({"dice": 0})
    assert words(streams["dice"]) == first
