"""Digests of states whose first fields stay go on from the hash of those: with the same result."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabletop import Match, State, state
from tabletop.codec import digest, to_json
from tabletop.codec.beginnings import beginning_of
from tabletop.registry import load

NOTHING = blake2b(digest_size=16, person=b"tt.digest")


@dataclass(frozen=True)
class Tile:
    """What never changes."""

    kind: str
    value: int


@state
class Board(State):
    """A board, and what lies on it."""

    name: str
    tiles: tuple[Tile, ...]
    men: list[int]


BOARDS = tuple(
    tuple(Tile(kind, number) for number in range(length))
    for kind in ("heath", "fén")
    for length in (0, 1, 8, 40)
)
"""Some that are shared by many states, some long enough to be hashed in several blocks."""

STATES = st.builds(
    Board,
    name=st.sampled_from(["small", "großer", '"'] * 2),
    tiles=st.sampled_from(BOARDS),
    men=st.lists(st.integers(-3, 300), max_size=60),
)


def by_the_book(it: object, streams: dict[str, int]) -> str:
    data = b"[%b,%b]" % (to_json(it), to_json(streams))
    return blake2b(data, digest_size=16, person=b"tt.digest").hexdigest()


@given(st.lists(STATES, min_size=1, max_size=12), st.integers(1, 5))
def test_states_of_several_boards_in_any_order_have_the_digests_of_all_of_them(
    states: list[Board], offset: int
) -> None:
    for it in states * 2:
        assert digest(it, {"dice": offset}) == by_the_book(it, {"dice": offset})


@pytest.mark.parametrize("name", [7, None, True])
@pytest.mark.parametrize("tiles", [BOARDS[3], [*BOARDS[3]], ()])
def test_what_is_not_as_it_is_annotated_is_hashed_as_it_is(name: Any, tiles: Any) -> None:
    digest(Board("small", BOARDS[3], [1]), {})
    odd = Board(name, tiles, [1])
    assert digest(odd, {}) == by_the_book(odd, {})


def test_a_beginning_is_learned_once_for_a_board() -> None:
    beginning = beginning_of(Board, NOTHING)
    assert beginning is not None
    data = to_json([Board("small", BOARDS[3], [1])])
    start, hashed = beginning.learn(Board("small", BOARDS[3], [1]), data)
    assert data.startswith(start)
    assert b"men" not in start
    assert beginning.known == (start, hashed)


def test_only_states_that_begin_with_a_board_are_looked_at() -> None:
    def kind_of(name: str) -> type[Any]:
        return type(Match(load(name).game, seed=1).state)

    assert beginning_of(kind_of("constructor"), NOTHING) is not None
    assert beginning_of(kind_of("lcr"), NOTHING) is None
    assert beginning_of(kind_of("sorcery"), NOTHING) is None
