"""The endless caverns of `examples/caverns.py`: what a seed holds, and what a save has to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.tabletop.midway import put_at

from tabletop import ContractError, Match, Random, Stream, Streams
from tabletop.host import load_file
from tabletop.match import AnyMatch
from tabletop.records import Header, Journal, read, replay
from tabletop.registry import load
from tabletop.states import from_json, to_json

PATH = Path(__file__).parents[2] / "examples" / "caverns.py"
caverns: Any = load_file(PATH)  # not on the path, as no game in a file of one's own is
PLUGIN = load(str(PATH))
GAME = PLUGIN.game

Place: TypeAlias = tuple[int, int]

KEYS = st.integers(0, 2**62 - 1)
NEAR = st.integers(-30, 30)
BACK = ("south", "west", "north", "east")
START = (0, 0)
SPOTS = st.lists(st.tuples(NEAR, NEAR), min_size=1, max_size=12, unique=True)


class Wanderer:
    """Opens every pile it comes to, and never leaves."""

    def __init__(self, chance: Stream) -> None:
        self.chance = chance

    def choose(self, view: Any, actions: Sequence[str]) -> str:
        ways = [action for action in actions if action in caverns.WAYS]
        return "open" if "open" in actions else self.chance.choice(ways)


def explored(seed: str, steps: int, seats: int = 1, oil: int = 3000) -> AnyMatch:
    """A match in which so many steps were taken."""
    players = [Wanderer(Streams(seed)["bot", seat]) for seat in range(seats)]
    match = Match(GAME, seed=seed, seats=seats, options={"oil": oil}, players=players)
    match.run(steps)
    return match


# The map.


def forget_the_world() -> None:
    caverns.inward_ways.cache_clear()
    caverns.has_pile.cache_clear()


def cavern(key: int, x: int, y: int) -> tuple[Any, ...]:
    """All that the map has at a place."""
    return (*caverns.open_ways(key, x, y), caverns.has_pile(key, x, y))


@pytest.mark.slow
@given(KEYS, SPOTS)
@settings(max_examples=30)
def test_the_map_does_not_depend_on_the_order_of_visits(
    key: int, spots: list[tuple[int, int]]
) -> None:
    forget_the_world()
    forth = {spot: cavern(key, *spot) for spot in spots}
    forget_the_world()
    back = {spot: cavern(key, *spot) for spot in reversed(spots)}
    assert forth == back


@pytest.mark.slow
@given(KEYS, NEAR, NEAR)
@settings(max_examples=50)
def test_a_way_leads_there_and_back(key: int, x: int, y: int) -> None:
    here = caverns.open_ways(key, x, y)
    for (way, (dx, dy)), back in zip(caverns.WAYS.items(), BACK, strict=True):
        assert (way in here) == (back in caverns.open_ways(key, x + dx, y + dy))


@given(KEYS, NEAR, NEAR)
@settings(max_examples=50)
def test_one_way_at_least_leads_nearer_to_the_start(key: int, x: int, y: int) -> None:
    steps = [caverns.WAYS[way] for way in caverns.open_ways(key, x, y)]
    distances = [abs(x + dx) + abs(y + dy) for dx, dy in steps]
    assert distances
    assert (x, y) == (0, 0) or min(distances) < abs(x) + abs(y)


def neighbours(state: Any, place: Place) -> Iterator[tuple[str, Place]]:
    for way in caverns.open_ways(state.map_key, *place):
        yield way, (place[0] + caverns.WAYS[way][0], place[1] + caverns.WAYS[way][1])


def steps_to(state: Any, start: Place, most: int) -> dict[Place, int]:
    """Every cavern that can be reached in `most` steps, and in how many."""
    steps, edge = {start: 0}, [start]
    for number in range(1, most + 1):
        edge = [
            place
            for old in edge
            for _, place in neighbours(state, old)
            if steps.setdefault(place, number) == number
        ]
        edge = list(dict.fromkeys(edge))
    return steps


@pytest.mark.parametrize("seed", range(5))
def test_the_way_out_and_every_pile_near_the_start_can_be_reached(seed: int) -> None:
    state = Match(GAME, seed=seed).state
    reached = steps_to(state, START, caverns.FAR)
    assert reached[state.exit] == caverns.FAR
    for pile in caverns.near_piles(state.map_key):
        assert reached[pile] == abs(pile[0]) + abs(pile[1])


def test_different_seeds_have_different_maps() -> None:
    keys = [Match(GAME, seed=seed).state.map_key for seed in range(50)]
    maps = {tuple(cavern(key, *place) for place in caverns.ring(5)) for key in keys}
    assert len(maps) == 50


# Loot.


@given(KEYS, SPOTS)
@settings(max_examples=30)
def test_the_loot_of_a_pile_does_not_depend_on_who_opens_which_first(
    key: int, spots: list[tuple[int, int]]
) -> None:
    found = {spot: caverns.loot(key, *spot) for spot in spots}
    assert {spot: caverns.loot(key, *spot) for spot in reversed(spots)} == found


def test_all_sorts_of_loot_are_found_as_often_as_they_should_be() -> None:
    counts = Counter(caverns.loot(7, x, y) for x in range(50) for y in range(40))
    total = sum(caverns.LOOT.values())
    for thing, weight in caverns.LOOT.items():
        assert abs(counts[thing] - 2000 * weight / total) < 100


def found(match: AnyMatch, actions: Sequence[str]) -> list[str]:
    heard: list[str] = []
    stop = match.observe(lambda told: heard.append(told.thing), caverns.Found)
    for action in actions:
        match.play(action)
    stop()
    return heard


def way_to(state: Any, start: Place, goal: Place) -> list[str]:
    """The actions that lead from a cavern to another."""
    steps = steps_to(state, goal, 30)
    actions, place = [], start
    while place != goal:
        way, place = min(neighbours(state, place), key=lambda near: steps.get(near[1], 99))
        actions.append(way)
    return actions


@pytest.mark.slow
def test_two_explorers_find_the_same_whichever_pile_they_open_first() -> None:
    one, other = (Match(GAME, seed="old oak") for _ in range(2))
    state = one.state
    near, far = caverns.near_piles(state.map_key)[:2]
    forth = found(one, [*way_to(state, START, near), "open", *way_to(state, near, far), "open"])
    back = found(other, [*way_to(state, START, far), "open", *way_to(state, far, near), "open"])
    assert len(forth) == 2
    assert forth == back[::-1]


def test_a_pile_is_opened_once() -> None:
    match = Match(GAME, seed="old oak")
    pile = caverns.near_piles(match.state.map_key)[0]
    found(match, [*way_to(match.state, START, pile), "open"])
    assert "open" not in match.legal_actions()
    assert not match.state.has_pile(pile)


# What there is only once.


@pytest.mark.parametrize("seed", range(5))
def test_every_relic_lies_in_one_of_the_piles_near_the_start(seed: int) -> None:
    state = Match(GAME, seed=seed).state
    assert sorted(state.relics.values()) == sorted(caverns.RELICS)
    assert set(state.relics) <= set(caverns.near_piles(state.map_key))


def test_a_relic_is_found_in_its_pile() -> None:
    match = Match(GAME, seed="old oak")
    place, relic = next(iter(match.state.relics.items()))
    assert found(match, [*way_to(match.state, START, place), "open"]) == [relic]
    assert match.state.explorers[0].treasure == caverns.VALUES[relic]
    assert relic not in match.state.relics.values()


@pytest.mark.slow
@pytest.mark.parametrize("seats", [1, 4])
def test_no_relic_is_found_twice(seats: int) -> None:
    relics: list[tuple[int, str]] = []
    for seed in range(8):
        players = [Wanderer(Streams(seed)["bot", seat]) for seat in range(seats)]
        match = Match(GAME, seed=seed, seats=seats, options={"oil": 400}, players=players)
        heard: list[Any] = []
        match.observe(heard.append, caverns.Found)
        match.run()
        relics += [(seed, told.thing) for told in heard if told.thing in caverns.RELICS]
    assert relics
    assert len(set(relics)) == len(relics)


# The end.


def test_who_comes_out_wins_with_the_treasure() -> None:
    match = Match(GAME, seed="old oak", seats=1)
    found(match, way_to(match.state, START, match.state.exit))
    match.play("leave")
    assert match.over
    assert match.outcome is not None
    assert match.outcome.winners == (0,)


def test_nobody_wins_when_every_lamp_has_gone_out() -> None:
    match = Match(GAME, seed="old oak", seats=2, options={"oil": 5}, players=[Random(1), Random(2)])
    outcome = match.run()
    assert outcome is not None
    assert (outcome.abandoned, match.ply) == (True, 10)


# Saves.


@pytest.mark.slow
@pytest.mark.parametrize("seed", ["old oak", "three old friends", "deep dark hole", "1", "5"])
def test_a_save_after_a_thousand_steps_has_less_than_600_bytes_and_restores_the_same_world(
    seed: str,
) -> None:
    match = explored(seed, 1000)
    assert match.ply == 1000
    save = to_json(match.state)
    assert len(save) < 600
    forget_the_world()  # nothing of the world lives on beside the save
    restored = from_json(save, caverns.Caverns)
    assert restored == match.state
    x, y = match.state.explorers[0].place
    around = [(x + dx, y + dy) for dy in range(-9, 10) for dx in range(-9, 10)]
    assert seen(restored, around) == seen(match.state, around)
    assert restored.loot_key == match.state.loot_key


def seen(state: Any, places: Sequence[Place]) -> list[Any]:
    """What is at places of a world, opened piles left out."""
    return [(*cavern(state.map_key, *place), state.has_pile(place)) for place in places]


def test_a_save_goes_on_as_the_match_would_have() -> None:
    match = explored("old oak", 500)
    state, streams = from_json(to_json(match.state), caverns.Caverns), match.streams()
    later = explored("old oak", 500)
    actions = match.actions
    other = Match(GAME, seed="old oak", options={"oil": 3000})
    put_at(other, state, streams, actions)
    match.run(300)
    other.set_player(0, later.players[0])
    other.run(300)
    assert other.state == match.state
    assert other.actions == match.actions


def test_a_record_restores_the_same_world(tmp_path: Path) -> None:
    match = Match(GAME, seed="old oak", options={"oil": 3000})
    match.set_player(0, Wanderer(Streams("old oak")["bot", 0]))
    with Journal.create(tmp_path / "record.jsonl", match, Header.of(match, source=str(PATH))):
        match.run(300)
    assert replay(read(tmp_path / "record.jsonl"), GAME).state == match.state


# What is hidden.


def test_nobody_sees_what_piles_hold_nor_where_relics_lie() -> None:
    match = explored("old oak", 50)
    view = match.view(0)
    assert (view.loot_key, view.relics) == (0, {})
    assert view.map_key == match.state.map_key


def test_the_lamp_shines_on_the_same_however_the_hidden_is_dealt() -> None:
    match = explored("old oak", 50)
    other = GAME.redeal(match.state, 0, Streams("other")["deal"])
    assert (other.loot_key, other.relics) != (match.state.loot_key, match.state.relics)
    shown = [PLUGIN.text.position(GAME.view(state, 0), ["Ada"]) for state in (match.state, other)]
    assert shown[0] == shown[1]
    assert "@" in shown[0]


def test_a_relic_is_dealt_anew_to_a_pile_that_nobody_has_opened() -> None:
    match = Match(GAME, seed="old oak")
    closed = set(caverns.near_piles(match.state.map_key))
    for pile in sorted(closed)[:6]:
        if pile not in match.state.relics:
            match.state.opened.append(pile)
            closed.remove(pile)
    for number in range(20):
        other = GAME.redeal(match.state, 0, Streams(number)["deal"])
        assert sorted(other.relics.values()) == sorted(caverns.RELICS)
        assert set(other.relics) <= closed


def test_a_view_cannot_be_dealt_anew() -> None:
    view = Match(GAME, seed="old oak").view(0)
    with pytest.raises(ContractError, match=r"\ba view\b"):
        GAME.redeal(view, 0, Streams("other")["deal"])
