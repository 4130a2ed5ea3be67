"""Metrics, compared with the log of a match."""

from __future__ import annotations

import pytest

from lcr import GAME, ROLL, TurnEnded
from lcr.metrics import METRICS, Chips, Turns
from tabletop import Match
from tabletop.studies import Series


@pytest.mark.parametrize(("seats", "seed"), [(3, "a"), (4, "b"), (11, "c")])
def test_turns_and_chips_match_the_log(seats: int, seed: str) -> None:
    match = Match(GAME, seed=seed, seats=seats)
    turns, chips = Turns(match), Chips(match)
    told: list[TurnEnded] = []
    match.observe(told.append, TurnEnded)
    while not match.over:
        match.play(ROLL)
    assert turns.value() == tuple(
        [event.seat for event in told].count(seat) for seat in range(seats)
    )
    assert sum(turns.value()) == match.ply
    assert chips.value() == tuple(match.state.chips)
    assert [seat for seat, own in enumerate(chips.value()) if own] == [match.state.winner]


def test_study_has_a_column_for_each_metric() -> None:
    series = Series.of("lcr", seats=5)
    columns = series.columns()
    [row] = series.play(range(1))
    assert {name: columns[name] for name in METRICS} == dict.fromkeys(METRICS, tuple[int, ...])
    assert sum(row["turns"]) == row["plies"]
    assert len(row["chips"]) == 5
