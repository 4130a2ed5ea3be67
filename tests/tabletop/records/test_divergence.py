"""Comparing two matches by their actions and draws."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.tabletop.games import race

from tabletop import Match
from tabletop.records import (
    Comparison,
    DrawLog,
    Header,
    Journal,
    Source,
    Step,
    compare,
    open_source,
)
from tabletop.rng import Draw

HEADER = Header("race", "1", "oak", ("Ann", "Bo"))
DRAW, OTHER = Draw("dice/0", 0, 6, 3), Draw("dice/0", 0, 6, 4)


def side(*steps: Step, header: Header = HEADER) -> Source:
    return Source("a file", "log", header, [Step(1, ()), *steps])


def step(do: str, *draws: Draw, digest: str | None = None) -> Step:
    return Step(2, draws, (2,) * len(draws), 0, do, digest=digest)


def test_equal_steps_and_draws_are_counted() -> None:
    steps = step("walk", DRAW), step("run", DRAW, OTHER)
    assert compare(side(*steps), side(*steps)) == Comparison([], steps=2, draws=3)


def test_the_first_of_several_differences_is_found() -> None:
    one = side(step("walk", DRAW), step("walk", DRAW, DRAW), step("run", OTHER))
    other = side(step("walk", DRAW), step("walk", DRAW, OTHER), step("walk", DRAW))
    found = compare(one, other)
    assert found.draw is not None
    assert (found.draw.step, found.draw.draw, found.draw.place) == (2, 3, 1)
    assert found.action is not None
    assert found.action.step == 3
    assert not found.same


def test_unknown_draws_are_not_compared() -> None:
    unknown = Step(2, None, (), 0, "walk")
    found = compare(side(unknown), side(step("walk", DRAW)))
    assert found == Comparison([], steps=1, _known=False)


def test_digests_are_compared_if_both_sides_have_one() -> None:
    one = side(step("walk"), step("walk", digest="a"))
    assert compare(one, side(step("walk", digest="x"), step("walk", digest="a"))).same
    one = side(step("walk"), step("walk", digest="a"))
    state = compare(one, side(step("walk", digest="x"), step("walk", digest="b"))).state
    assert state is not None
    assert state.step == 2


@pytest.mark.parametrize(
    ("seed", "same"), [(" OAK ", True), ("oak", True), ("elm", False), ("o ak", False)]
)
def test_seeds_are_compared_in_their_canonical_form(seed: str, same: bool) -> None:
    header = Header("race", "1", seed, ("Ann", "Bo"))
    assert compare(side(), side(header=header)).same == same


paces = st.lists(st.sampled_from(race.PACES), max_size=8)


@given(one=paces, other=paces)
def test_the_first_different_action_is_where_the_lists_of_actions_diverge(
    tmp_path_factory: pytest.TempPathFactory, one: Sequence[str], other: Sequence[str]
) -> None:
    folder = tmp_path_factory.mktemp("pair")
    sides = [played(folder / f"{number}", moves) for number, moves in enumerate((one, other))]
    found = compare(*sides)
    length = max(len(one), len(other))
    parts = [number for number in range(length) if one[number : number + 1] != other[number:][:1]]
    if parts:
        assert found.action is not None
        assert found.action.step == parts[0] + 1
        assert found.draw is not None
        assert found.draw.step == parts[0] + 1
    else:
        assert found.same


def played(path: Path, moves: Sequence[str]) -> Source:
    """Write a match, as a record if it has many actions, otherwise as a log."""
    record, logged = path.with_suffix(".jsonl"), path.with_suffix(".log")
    with DrawLog.create(logged) as log:
        match = Match(race.GAME, seed="oak", on_draw=log.draw, options={"goal": 1000})
        log.follow(match)
        with Journal.create(record, match):
            for move in moves:
                match.play(move)
    return open_source(record if len(moves) > 4 else logged, lambda _: race.GAME)
