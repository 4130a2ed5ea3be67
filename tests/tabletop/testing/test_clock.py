"""The time limit and the amount of work of `check_game`."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count

import pytest

from tabletop import Random, Seat
from tabletop.testing import Report, check_game
from tests.tabletop.testing.broken import TURNS, Bet, FailsLate, Sound, Table12


@pytest.fixture
def ticking(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make each reading of the clock advance it by a second."""
    seconds = count()
    monkeypatch.setattr("tabletop.testing.laws.monotonic", lambda: float(next(seconds)))


@pytest.mark.slow
@pytest.mark.usefixtures("ticking")
def test_tests_without_time_are_reported() -> None:
    report = check_game(Sound(), matches=9, seconds=100, bots={"any": Random})
    assert not report.complete
    assert 0 < report.matches < 9
    assert report.stopped == 1
    assert report.left_out == ["the law 'randomness'", "another PYTHONHASHSEED", "the bot any"]
    summary = str(report)
    assert summary.startswith(f"{report.matches} of 9 matches, {report.plies} actions (")
    assert summary.endswith(" the law 'randomness', another PYTHONHASHSEED and the bot any")


@pytest.mark.usefixtures("ticking")
def test_a_long_match_is_played_to_its_end_without_tests() -> None:
    report = check_game(Sound(), matches=1, seconds=60, seeded=False)
    assert (report.matches, report.stopped, report.plies) == (1, 0, TURNS)
    assert 0 < report.tested < TURNS
    assert f"{TURNS} actions ({report.tested} tested)" in str(report)


def test_without_time_the_report_claims_nothing() -> None:
    report = check_game(FailsLate(), matches=2, seconds=1e-9)
    assert (report.matches, report.plies, report.complete) == (0, 0, False)
    assert str(report).startswith("0 of 2 matches, 0 actions, ")
    for seconds in (0, -1, float("nan")):
        with pytest.raises(ValueError, match=r"\bseconds\b.* 0"):
            check_game(Sound(), seconds=seconds)


@pytest.mark.slow
@pytest.mark.usefixtures("another_python")
def test_with_enough_time_all_tests_run() -> None:
    report = check_game(Sound(), matches=1, seconds=1e9)
    assert report.complete
    assert not report.one_hash_seed
    assert report.tested == report.plies


def test_a_check_reports_its_progress() -> None:
    told: list[tuple[int, str]] = []

    def hear(report: Report, doing: str) -> None:
        told.append((report.plies, doing))

    check_game(Sound(), matches=2, bots={"any": Random}, progress=hear)
    assert told[0] == (0, "match 1 of 2")
    doing = list(dict.fromkeys(doing for _, doing in told))
    assert doing == [
        *("match 1 of 2", "match 2 of 2"),
        *("the law 'randomness'", "another PYTHONHASHSEED", "the bot any"),
    ]


class Wide(Sound):
    """Correct: has many legal actions, and counts the calls."""

    asked = 0

    def legal_actions(self, state: Table12, seat: Seat) -> Sequence[Bet]:
        self.asked += 1
        return [Bet(points) for points in range(state.turn, 100)]


@pytest.mark.slow
def test_only_some_of_hundreds_of_actions_are_tried_at_a_step() -> None:
    game = Wide()
    check_game(game, matches=1, seeded=False)
    assert game.asked < 200 * TURNS  # 300 a step and more, if each were parsed and checked at each
