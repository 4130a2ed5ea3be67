"""The endless caverns of `examples/caverns.py`: what a seed holds, and what a save has to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tabletop import Match, Random, Streams
from tabletop.codec import from_json, to_json
from tabletop.host.modules import load_file
from tabletop.match import AnyMatch
from tabletop.records.file import read
from tabletop.records.format import Header
from tabletop.records.journal import Journal
from tabletop.records.replay import replay
from tabletop.registry import load
from tests.tabletop.midway import put_at

PATH = Path(__file__).parent.parent / "examples" / "caverns.py"
caverns: Any = load_file(PATH)  # not on the path, as no game in a file of one's own is
PLUGIN = load(str(PATH))
GAME = PLUGIN.game

KEYS = st.integers(0, 2**62 - 1)
NEAR = st.integers(-30, 30)
SPOTS = st.lists(st.tuples(NEAR, NEAR), min_size=1, max_size=12, unique=True)


def explored(seed: str, steps: int, seats: int = 1, oil: int = 3000) -> AnyMatch:
    """A match in which so many steps were taken."""
    match = Match(GAME, seed=seed, seats=seats, options={"oil": oil})
    for seat in range(seats):
        match.set_player(seat, PLUGIN.bot("wanderer", Streams(seed)["bot", seat]))
    match.run(steps)
    return match


# The map.


@pytest.mark.slow
@given(KEYS, SPOTS)
@settings(max_examples=30)
def test_the_map_does_not_depend_on_the_order_of_visits(
    key: int, spots: list[tuple[int, int]]
) -> None:
    caverns.chunk.cache_clear()
    forth = {spot: caverns.chunk(key, *spot) for spot in spots}
    caverns.chunk.cache_clear()
    back = {spot: caverns.chunk(key, *spot) for spot in reversed(spots)}
    assert forth == back


@pytest.mark.slow
@given(KEYS, NEAR, NEAR)
@settings(max_examples=50)
def test_a_door_is_open_on_both_sides(key: int, x: int, y: int) -> None:
    here = set(caverns.open_ways(key, x, y))
    for dx, dy in caverns.WAYS.values():
        there = set(caverns.open_ways(key, x + dx, y + dy))
        assert ((dx, dy) in here) == ((-dx, -dy) in there)


@given(KEYS, NEAR, NEAR)
@settings(max_examples=50)
def test_one_way_at_least_leads_nearer_to_the_start(key: int, x: int, y: int) -> None:
    distances = [abs(x + dx) + abs(y + dy) for dx, dy in caverns.open_ways(key, x, y)]
    assert distances
    assert (x, y) == (0, 0) or min(distances) < abs(x) + abs(y)


def neighbours(state: Any, cell: tuple[int, int]) -> Iterator[tuple[int, int]]:
    for dx, dy in caverns.WAYS.values():
        if state.cell(cell[0] + dx, cell[1] + dy) != "#":
            yield cell[0] + dx, cell[1] + dy


def steps_to(state: Any, start: tuple[int, int], most: int) -> dict[tuple[int, int], int]:
    """Every cell that can be reached in `most` steps, and in how many."""
    steps, edge = {start: 0}, [start]
    for number in range(1, most + 1):
        edge = [
            cell
            for old in edge
            for cell in neighbours(state, old)
            if steps.setdefault(cell, number) == number
        ]
        edge = list(dict.fromkeys(edge))
    return steps


@pytest.mark.parametrize("seed", range(5))
def test_the_way_out_and_every_pile_near_the_start_can_be_reached(seed: int) -> None:
    state = Match(GAME, seed=seed).state
    reached = steps_to(state, (3, 3), 40)
    assert [cell for cell in reached if state.cell(*cell) == ">"]
    for x, y in caverns.chunks(0, 2):
        pile = caverns.chunk(state.map_key, x, y).pile
        assert pile is None or (x * 7 + pile[0], y * 7 + pile[1]) in reached


def test_different_seeds_have_different_maps() -> None:
    assert (
        len({caverns.chunk(Match(GAME, seed=seed).state.map_key, 1, 1) for seed in range(50)}) == 50
    )


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


def way_to(state: Any, start: tuple[int, int], goal: tuple[int, int]) -> list[str]:
    """The actions that lead from a cell to another."""
    steps = steps_to(state, goal, 60)
    actions, cell = [], start
    while cell != goal:
        after = min(neighbours(state, cell), key=lambda near: steps.get(near, 99))
        step = (after[0] - cell[0], after[1] - cell[1])
        actions += [way for way, by in caverns.WAYS.items() if by == step]
        cell = after
    return actions


@pytest.mark.slow
def test_two_explorers_find_the_same_whichever_pile_they_open_first() -> None:
    one, other = (Match(GAME, seed="old oak") for _ in range(2))
    state = one.state
    piles = [cell for cell in steps_to(state, (3, 3), 25) if state.cell(*cell) == "$"][:2]
    near, far = piles
    forth = found(one, [*way_to(state, (3, 3), near), "open", *way_to(state, near, far), "open"])
    back = found(other, [*way_to(state, (3, 3), far), "open", *way_to(state, far, near), "open"])
    assert len(forth) == 2
    assert forth == back[::-1]


def test_a_pile_is_opened_once() -> None:
    match = Match(GAME, seed="old oak")
    pile = next(
        cell for cell in steps_to(match.state, (3, 3), 25) if match.state.cell(*cell) == "$"
    )
    found(match, [*way_to(match.state, (3, 3), pile), "open"])
    assert "open" not in match.legal_actions()
    assert match.state.cell(*pile) == "."


# What there is only once.


@pytest.mark.parametrize("seed", range(5))
def test_everybody_who_is_unique_waits_in_one_chunk_not_too_far_away(seed: int) -> None:
    unmet = Match(GAME, seed=seed).state.unmet
    assert sorted(who for _, _, who in unmet) == sorted(caverns.ENCOUNTERS)
    assert len({(x, y) for x, y, _ in unmet}) == len(unmet)
    assert {(x, y) for x, y, _ in unmet} <= set(caverns.chunks(1, caverns.NOT_FAR))


@pytest.mark.slow
@pytest.mark.parametrize("seats", [1, 4])
def test_nobody_is_met_twice(seats: int) -> None:
    met: list[tuple[int, str]] = []
    for seed in range(8):
        match = Match(GAME, seed=seed, seats=seats, options={"oil": 400})
        heard: list[Any] = []
        match.observe(heard.append, caverns.Met)
        for seat in range(seats):
            match.set_player(seat, PLUGIN.bot("wanderer", Streams(seed)["bot", seat]))
        match.run()
        met += [(seed, told.who) for told in heard]
    assert met
    assert len(set(met)) == len(met)


# Moving things.


def test_what_is_laid_down_stays_there_until_somebody_takes_it() -> None:
    match = explored("three old friends", 100, seats=2)
    carrier = max(range(2), key=lambda seat: len(match.state.explorers[seat].bag))
    while match.state.seat != carrier:
        match.step()
    own = match.state.explorers[carrier]
    thing = own.bag[0]
    count = own.bag.count(thing)
    match.play(f"drop {thing}")
    assert own.bag.count(thing) == count - 1
    assert match.state.dropped == [(own.x, own.y, thing)]
    assert match.state.cell(own.x, own.y) == "*"
    match.step()
    match.play(f"take {thing}")
    assert (own.bag.count(thing), match.state.dropped) == (count, [])


# The end.


def test_who_comes_out_wins_with_the_treasure() -> None:
    match = Match(GAME, seed="old oak", seats=1)
    goal = next(c for c in steps_to(match.state, (3, 3), 40) if match.state.cell(*c) == ">")
    found(match, way_to(match.state, (3, 3), goal))
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
    caverns.chunk.cache_clear()  # nothing of the world lives on beside the save
    restored = from_json(save, caverns.Caverns)
    assert restored == match.state
    place = match.state.explorers[0]
    around = [(place.x + dx, place.y + dy) for dy in range(-30, 31) for dx in range(-30, 31)]
    assert [restored.cell(*cell) for cell in around] == [match.state.cell(*cell) for cell in around]
    assert restored.loot_key == match.state.loot_key


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
    match.set_player(0, PLUGIN.bot("wanderer", Streams("old oak")["bot", 0]))
    with Journal.create(tmp_path / "record.jsonl", match, Header.of(match, source=str(PATH))):
        match.run(300)
    assert replay(read(tmp_path / "record.jsonl"), GAME).state == match.state


# What is hidden.


def test_nobody_sees_what_piles_hold_nor_where_somebody_waits() -> None:
    match = explored("old oak", 50)
    view = match.view(0)
    assert (view.loot_key, view.unmet) == (0, [])
    assert view.map_key == match.state.map_key


def test_the_lamp_shines_on_the_same_however_the_hidden_is_dealt() -> None:
    match = explored("old oak", 50)
    other = GAME.redeal(match.state, 0, Streams("other")["deal"])
    assert (other.loot_key, other.unmet) != (match.state.loot_key, match.state.unmet)
    shown = [PLUGIN.text.position(GAME.view(state, 0), ["Ada"]) for state in (match.state, other)]
    assert shown[0] == shown[1]
    assert "@" in shown[0]


# What a learner sees.


def test_an_observation_holds_the_cells_that_the_lamp_shines_on() -> None:
    np, envs = pytest.importorskip("numpy"), pytest.importorskip("tabletop.envs")
    match = explored("oak", 40)
    encoder, own = envs.make_encoder(PLUGIN), match.state.explorers[0]
    seen = encoder.encode(match.view(0), 0, np.zeros(encoder.size, np.float32))
    lit = seen[-4 * len(caverns.Lit.CELLS) :].reshape(-1, 4)
    for (dx, dy), kinds in zip(caverns.Lit.CELLS, lit, strict=True):
        cell = match.state.cell(own.x + dx, own.y + dy)
        assert [cell == kind for kind in caverns.Lit.SHOWN] == kinds.tolist()
