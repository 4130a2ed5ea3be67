"""Digests, which are made of what never changes only once, are those of the whole state as JSON."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from enum import Enum, IntEnum
from hashlib import blake2b
from pathlib import Path
from random import Random as Chance
from typing import Any, Literal

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tabletop import ContractError, Match, Random, State, state
from tabletop.codec import digest, key, to_json
from tabletop.codec.mirrors import LONG, json_mirror
from tabletop.codec.writtenonce import (
    MOST_KNOWN,
    MOST_PARTS,
    MOST_SEEN,
    WrittenOnce,
    fixed_parts,
)
from tabletop.game import AnyGame
from tabletop.registry import installed, load
from tests.hashes import printed

EXAMPLES = Path(__file__).parents[2] / "examples"
WITH_RULES = ("caverns", "flotsam", "go", "harbour", "masks", "nettles", "simultaneous")
"""Examples that are games."""


def plain(state: object, streams: dict[str, int]) -> str:
    """A digest by the book: the hash of all of it as JSON."""
    data = b"[" + to_json(state) + b"," + to_json(streams) + b"]"
    return blake2b(data, digest_size=16, person=b"tt.digest").hexdigest()


def games() -> list[AnyGame]:
    examples = [str(EXAMPLES / f"{name}.py") for name in WITH_RULES]
    return [load(name).game for name in (*installed(), *examples)]


@pytest.mark.parametrize("game", games(), ids=lambda it: it.name)
@settings(max_examples=6, deadline=None, suppress_health_check=list(HealthCheck))
@given(seed=st.integers(0, 10_000), back=st.integers(1, 9))
def test_the_digest_of_every_state_is_that_of_all_of_it(
    game: AnyGame, seed: int, back: int
) -> None:
    match = Match(game, seed=seed)
    for seat in range(match.seats):
        match.set_player(seat, Random(seed))
    keys: dict[bytes, bytes] = {}
    for _ in range(40):
        match.run(1)
        if match.ply % 7 == 6:
            match.undo(min(back, match.ply))
        for one in (match, match.clone()):
            whole = match.state
            assert one.digest() == plain(whole, match.streams())
            assert keys.setdefault(key(one.state), to_json(whole)) == to_json(whole)
            for watcher in (None, *range(match.seats)):
                view = one.view(watcher)
                assert digest(view, {}) == plain(view, {})


class Kind(IntEnum):
    PARK = 1
    GLASS = 2


@dataclass(frozen=True)
class Tile:
    kind: Kind
    value: int
    left: int | None = None
    side: Literal["up", "down"] = "up"


@dataclass(frozen=True)
class Plan:
    name: str
    tiles: tuple[Tile, ...]


@state
class Area(State):
    tiles: tuple[Tile, ...]
    roads: list[int]


@state
class World(State):
    plan: Plan
    areas: list[Area]
    home: Area | None = None
    named: dict[str, int] = field(default_factory=dict)


def tiles(number: int = 10) -> tuple[Tile, ...]:
    return tuple(Tile(Kind.GLASS, value) for value in range(number))


def world() -> World:
    return World(Plan("flat", tiles()), [Area(tiles(12), [0] * 9)], Area(tiles(), []), {"b": 1})


def agree(one: World, times: int = 3) -> None:
    for _ in range(times):  # the third time everything is known
        assert digest(one, {"dice": 3}) == plain(one, {"dice": 3})


def test_what_is_made_from_annotations_is_used_for_such_states() -> None:
    say = json_mirror(World)
    assert say is not None
    assert to_json(say(world())) == to_json(world())


def test_what_is_changed_in_place_is_never_taken_for_what_it_was() -> None:
    one = world()
    agree(one)
    home = one.home
    assert home is not None
    one.areas[0].roads[3] = 7
    agree(one)
    one.areas.append(Area(tiles(), [1]))
    agree(one)
    home.roads.append(2)
    agree(one)
    one.home = None
    one.named["a"] = 2
    agree(one)
    one.areas[0].tiles = (*one.areas[0].tiles[:-1], Tile(Kind.PARK, 0))
    agree(one)
    agree(one.clone())


def test_what_is_equal_and_written_otherwise_is_not_mixed_up() -> None:
    one = world()
    agree(one)
    values: list[Any] = [True, 1, 1.0, Kind.PARK]
    for value in values:
        odd = Tile(Kind.GLASS, value)
        one.plan = Plan("flat", (odd, *tiles()))
        agree(one)
        one.areas[0].tiles = (odd, *tiles())
        agree(one)
        one.areas[0].roads[0] = value
        agree(one)


def test_what_can_change_against_its_annotation_is_written_each_time() -> None:
    one, hidden = world(), [1, 2]
    odd: Any = (hidden, *tiles())
    for place in (one.areas[0], one):
        setattr(place, "tiles" if isinstance(place, Area) else "plan", odd)
        agree(one)
        hidden.append(3)
        agree(one)
    values: Any = list(tiles())
    one.areas[0].tiles = values
    agree(one)
    values.append(5)
    agree(one)


def test_a_state_that_is_not_what_it_says_has_the_digest_of_what_it_is() -> None:
    one = world()
    agree(one)
    odd: Any = {"no": 1}
    one.areas = odd
    agree(one)
    odd = (Area(tiles(), []),)
    one.areas = odd
    agree(one)
    odd = [Plan("not an area", ())]
    one.areas = odd
    agree(one)


def test_a_state_that_json_cannot_say_is_refused_by_name() -> None:
    one = world()
    agree(one)
    thing: Any = object()
    one.areas = [Area(tiles(), [thing])]
    for make in (lambda: digest(one, {}), lambda: key(one)):
        with pytest.raises(ContractError, match=r"World\.areas\[0\]\.roads\[0\]"):
            make()


def test_equal_states_have_one_key_however_often_they_are_asked() -> None:
    one = world()
    keys = {key(it) for it in (one, one.clone(), world(), one, world()) for _ in range(3)}
    assert len(keys) == 1
    one.areas[0].roads[0] = 1
    assert key(one) not in keys


KEYED = """
from tests.tabletop.test_codec_mirrors import world
from tabletop.codec import key
print(key(world()).hex())
"""


@pytest.mark.slow
def test_keys_are_the_same_in_every_process() -> None:
    assert printed(KEYED) == {f"{key(world()).hex()}\n"}


# What is known.


class Colour(Enum):
    RED = "red"
    MIXED = ("red", "blue")


@dataclass
class Loose:
    number: int


@dataclass(frozen=True)
class Half:
    parts: list[int]


@pytest.mark.parametrize("value", [1, "x", None, (1, ("x", None)), Tile(Kind.PARK, 1), Colour.RED])
def test_what_never_changes_is_told(value: object) -> None:
    assert fixed_parts(value)


@pytest.mark.parametrize("value", [[], {}, (1, []), Loose(1), Half([1]), Colour.MIXED, object()])
def test_what_can_change_is_told(value: object) -> None:
    assert not fixed_parts(value)


def test_what_is_known_is_bounded_and_keeps_its_values() -> None:
    known: WrittenOnce[bytes] = WrittenOnce(lambda value: repr(value).encode())
    for number in range(2 * MOST_KNOWN):
        value = (number,)
        for _ in range(3):
            assert (known.made.get(id(value)) or known.learn(value)) == repr(value).encode()
        assert len(known.made) <= MOST_KNOWN
        assert len(known._seen) <= MOST_SEEN
        assert known.made.keys() == known._kept.keys()


def test_large_values_do_not_pile_up() -> None:
    known: WrittenOnce[int] = WrittenOnce(lambda value: 1)
    most = 0
    for number in range(50):
        value = (number,) * (MOST_PARTS // 20)
        for _ in range(3):
            known.learn(value)
        most = max(most, len(known.made))
        assert known.made.keys() == known._kept.keys()
    assert 10 < most < 20


def test_threads_that_write_at_once_get_what_they_would_alone() -> None:
    def work(seed: int) -> bool:
        chance, right = Chance(seed), True
        for _ in range(400):
            one = World(Plan("x", tiles(LONG + chance.randrange(9))), [Area(tiles(), [seed])])
            right &= all(digest(one, {}) == plain(one, {}) for _ in range(3))
        return right

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(work, range(8)))
