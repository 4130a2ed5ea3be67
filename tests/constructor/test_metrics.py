"""Metrics, compared with the actions and hands of a match."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import Any, NamedTuple

import pytest

from constructor import (
    BOARDS,
    GAME,
    Accept,
    Action,
    ChooseRoll,
    ConstructorState,
    EndTurn,
    PlaceGeese,
    Resource,
    Roll,
    Settle,
    Steal,
)
from constructor.bots.metrics import METRICS
from constructor.rules.layouts import pips
from constructor.rules.state import KINDS
from tabletop import Match
from tabletop.registry import load
from tabletop.studies import Series

BOARD_VERTEX_TILES = BOARDS["standard"].vertex_tiles


class Step(NamedTuple):
    """An action with its seat and the states before and after it."""

    seat: int
    action: Action
    before: ConstructorState
    after: ConstructorState

    def gained(self, seat: int) -> list[int]:
        """Return the cards of each kind that a seat has gained."""
        pairs = zip(self.before.hand(seat), self.after.hand(seat), strict=True)
        return [after - before for before, after in pairs]


class Played(NamedTuple):
    """The steps of a match and the values of its metrics."""

    steps: list[Step]
    values: dict[str, Any]

    def by_seat(self, kind: type[Action]) -> tuple[int, ...]:
        counted = Counter(step.seat for step in self.steps if isinstance(step.action, kind))
        return tuple(counted[seat] for seat in range(4))


@cache
def played(random_board: bool) -> Played:
    match = Match(GAME, seed="measured", options={"random-board": random_board})
    plugin = load("constructor")
    for seat in range(4):
        match.set_player(seat, plugin.bot("builder", match.bot_stream(seat), seat))
    metrics = {name: metric(match) for name, metric in METRICS.items()}
    steps = []
    while not match.over:
        before, [seat] = match.state.clone(), match.to_act
        match.run(1)
        steps.append(Step(seat, match.actions[-1], before, match.state.clone()))
    return Played(steps, {name: metric.value() for name, metric in metrics.items()})


BOARDS_PLAYED = pytest.mark.parametrize("random_board", [False, True], ids=["standard", "random"])
pytestmark = [pytest.mark.slow, BOARDS_PLAYED]


def test_basements_metric_matches_the_log(random_board: bool) -> None:
    match = played(random_board)
    chosen: list[dict[str, int]] = [{} for _ in range(4)]
    for step in match.steps:
        if isinstance(step.action, Settle):
            chosen[step.seat][str(step.action.vertex)] = 1
    assert match.values["basements"] == tuple(chosen)
    assert [len(vertices) for vertices in chosen] == [2, 2, 2, 2]


def test_pips_metric_matches_the_tiles_around_basements(random_board: bool) -> None:
    match = played(random_board)
    tiles = match.steps[0].before.tiles
    expected = [0] * 4
    for seat, chosen in enumerate(match.values["basements"]):
        for vertex in map(int, chosen):
            expected[seat] += sum(pips(tiles[it]) for it in BOARD_VERTEX_TILES[vertex])
    assert match.values["pips"] == tuple(expected)


def test_income_metric_matches_the_gains_of_rolls(random_board: bool) -> None:
    match = played(random_board)
    income = [[0] * KINDS for _ in range(4)]
    for step in match.steps:
        if isinstance(step.action, Roll | ChooseRoll):
            for seat in range(4):
                for kind, amount in enumerate(step.gained(seat)):
                    income[seat][kind] += max(0, amount)  # the geese take on a 7, and none is given
    names = [kind.name for kind in Resource if kind is not Resource.PARK]
    assert match.values["income"] == tuple(dict(zip(names, own, strict=True)) for own in income)


def test_trades_metric_counts_accepted_trades(random_board: bool) -> None:
    match = played(random_board)
    trades = [0] * 4
    for step in match.steps:
        if isinstance(step.action, Accept):
            for seat in range(4):
                trades[seat] += any(step.gained(seat))
    assert match.values["trades"] == tuple(trades)
    assert sum(trades) == 2 * sum(match.by_seat(Accept)) > 0


def test_geese_metric_counts_moves_after_a_seven(random_board: bool) -> None:
    match = played(random_board)
    assert match.values["geese"] == match.by_seat(PlaceGeese)
    assert sum(match.values["geese"]) > 0


def test_lost_metric_counts_cards_lost_to_geese_and_theft(random_board: bool) -> None:
    match = played(random_board)
    lost = [0] * 4
    for step in match.steps:
        if isinstance(step.action, Roll | ChooseRoll | Steal):
            for seat in range(4):
                lost[seat] -= min(0, sum(step.gained(seat)))
    assert match.values["lost"] == tuple(lost)
    assert sum(lost) > 0


def test_turns_metric_counts_all_turns(random_board: bool) -> None:
    match = played(random_board)
    assert match.values["turns"] == sum(match.by_seat(EndTurn)) + 1


def test_study_has_a_column_for_each_metric(random_board: bool) -> None:
    series = Series.of("constructor", ["easy"], options={"random-board": random_board}, plies=200)
    [row] = series.play(range(1))
    assert set(METRICS) <= series.columns().keys()
    assert [len(row[name]) for name in ("basements", "pips", "income")] == [4, 4, 4]
