"""Comparisons of rules: over the same seeds, with one or more options, and with early stopping."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tabletop.cli import main
from tabletop.errors import UsageError
from tabletop.studies import (
    Difference,
    LocalWorkers,
    Pool,
    Progress,
    Series,
    Study,
    compare,
    vary,
)
from tabletop.studies.statistics import matches_needed, paired_difference, watched_difference
from tests.program_runs import run_here
from tests.tabletop.told import tells

BIDS = str(Path(__file__).with_name("bidding.py"))
HIGH, LOW = "bidder:bid=9", "bidder:bid=2"
WINS = "wins, seat 1"


def bidding(**options: Any) -> Series:
    return Series.of(BIDS, ["bidder"], seats=2, metrics=(), options=options)


def test_two_values_of_an_option_are_compared_over_the_same_seeds() -> None:
    fair = Series.of(BIDS, ["bidder"], seats=2)
    start = Series.of(BIDS, ["bidder"], seats=2, options={"start": 4})
    differences = {each.name: each for each in compare(fair, start, 100, LocalWorkers())}
    # Names of bots and text metrics are not numbers.
    seats = ("seat 1", "seat 2")
    of_seats = [f"{name}, {seat}" for name in ("points", "bids") for seat in seats]
    assert differences.keys() == {*(f"wins, {it}" for it in seats), *of_seats, "plies", "highest"}
    points = differences["points, seat 1"]
    assert points.apart[:3] == (4, 4, 4)  # the die rolls are the same
    assert points.second - points.first == pytest.approx(4)
    assert points.p == 0
    wins = differences["wins, seat 1"]
    assert wins.second > wins.first
    assert wins.apart.low < wins.second - wins.first < wins.apart.high
    assert differences["bids, seat 1"].p == 1


def test_p_values_are_corrected_for_the_number_of_comparisons() -> None:
    first, other = (Series.of(BIDS, ["bidder"], seats=2, options={"start": it}) for it in (0, 1))
    differences = compare(first, other, 30, LocalWorkers())
    assert all(each.p >= each.apart.p for each in differences)
    assert any(each.p > each.apart.p for each in differences)


def test_a_match_without_a_value_is_excluded() -> None:
    bidding, meek = (Series.of(BIDS, [bot], seats=1) for bot in ("bidder", "meek"))
    assert "highest" not in {each.name for each in compare(bidding, meek, 10, LocalWorkers())}


def needed_for(power: float, first: Series, other: Series, matches: int) -> dict[str, int | None]:
    return {
        it.name: it.needed for it in compare(first, other, matches, LocalWorkers(), power=power)
    }


def test_power_gives_the_number_of_matches_needed() -> None:
    first, other = (Series.of(BIDS, ["bidder"], seats=2, options={"start": it}) for it in (0, 4))
    differences = compare(first, other, 60, LocalWorkers(), power=0.1)
    wins = next(it for it in differences if it.name == "wins, seat 1")
    deviation = wins.apart.error(59) * 60**0.5
    assert wins.needed == matches_needed(0.1, deviation, comparisons=len(differences))
    # Everything else is shared by the matches of a seed. Without common seeds, more matches would
    # be needed.
    alone = (wins.first * (1 - wins.first) + wins.second * (1 - wins.second)) ** 0.5
    assert wins.needed < matches_needed(0.1, alone, comparisons=len(differences)) / 1.5
    # Seat 1 has 4 more points in every match, so these differences have no variance.
    assert next(it for it in differences if it.name == "points, seat 1").needed is None
    assert all(it.needed is None for it in compare(first, other, 10, LocalWorkers()))


def test_with_rotated_bots_the_number_of_matches_needed_is_a_multiple_of_the_bots() -> None:
    first, other = (
        Series.of(BIDS, [HIGH, LOW, "meek"], seats=2, rotated=True, options={"start": it})
        for it in (0, 4)
    )
    matches = needed_for(0.1, first, other, 90)["wins, seat 1"]
    assert matches is not None
    assert matches % 3 == 0
    fewer = needed_for(0.2, first, other, 90)["wins, seat 1"]
    assert fewer is not None
    assert matches > fewer


def test_series_with_different_seeds_are_not_compared() -> None:
    first, other = (Series.of(BIDS, seeds=seeds) for seeds in ("here", "there"))
    with pytest.raises(UsageError, match=r"^seeds .*'here'.*'there'"):
        compare(first, other, 10, LocalWorkers())


def of_wins(differences: list[Difference]) -> dict[str, Difference]:
    return {it.effect: it for it in differences if it.name == WINS}


def test_effects_of_several_options_equal_those_of_a_repeated_measures_anova() -> None:
    # Computed with AnovaRM of statsmodels 0.15.0, with both options within the seeds: F and p.
    differences = of_wins(
        vary(bidding(), {"start": [0, 4], "double": [False, True]}, 60, LocalWorkers())
    )
    expected = {
        "start=4": (27.012386850881366, 2.6446353297088008e-06),
        "double=yes": (13.24489795918369, 0.0005766722974544727),
        "start=4 x double=yes": (13.24489795918368, 0.0005766722974544753),
    }
    assert differences.keys() == expected.keys()
    for effect, (ratio, p) in expected.items():
        apart = differences[effect].apart
        assert (apart.value / apart.error(59)) ** 2 == pytest.approx(ratio)
        assert apart.p == pytest.approx(p)


def test_with_three_values_two_are_compared_with_the_first_as_in_a_regression() -> None:
    # Computed with OLS of statsmodels, "won ~ C(start) * double" with double at -0.5 and 0.5, and
    # the seeds as clusters. Its errors are larger by the root of (360 - 1) / (360 - 6), because
    # there are six parameters.
    differences = of_wins(
        vary(bidding(), {"start": [0, 4, 8], "double": [False, True]}, 60, LocalWorkers())
    )
    expected = {
        "start=4": (0.25833333333333286, 0.05005466518139063),
        "start=8": (0.39999999999999913, 0.06079093419863768),
        "start=4 x double=yes": (0.1833333333333329, 0.05072974971707738),
        "start=8 x double=yes": (0.09999999999999931, 0.039331530121600886),
    }
    for effect, (value, error) in expected.items():
        assert differences[effect].apart.value == pytest.approx(value)
        assert differences[effect].apart.error(59) == pytest.approx(error * (354 / 359) ** 0.5)
    together = differences["start=4 x double=yes"]
    assert (together.first, together.second) == (
        0,
        together.apart.value,
    )  # doubling a start of 0 has no effect


def test_two_values_of_one_option_equal_a_comparison_of_two_series() -> None:
    pair = compare(bidding(start=2), bidding(start=5), 40, LocalWorkers(), power=0.1)
    [*differences] = vary(bidding(), {"start": [2, 5]}, 40, LocalWorkers(), power=0.1)
    assert [it._replace(effect="") for it in differences] == pair
    assert {it.effect for it in differences} == {"start=5"}


@pytest.mark.parametrize("values", [[3], [3, 5, 3]])
def test_an_option_with_one_value_is_an_error(values: list[int]) -> None:
    with pytest.raises(UsageError, match=r"\bstart .*\btwo\b"):
        vary(bidding(), {"start": values}, 10, LocalWorkers())


@pytest.mark.parametrize(
    ("start", "apart", "larger"),
    [
        (9, 0.05, True),
        (1, 0.2, False),
        pytest.param(4, 0.18, None, marks=pytest.mark.slow),
    ],
)
def test_play_stops_when_the_data_decide_about_a_difference(
    start: int, apart: float, larger: bool | None
) -> None:
    reports: list[Progress] = []
    differences = compare(
        *(bidding(), bidding(start=start), 800, LocalWorkers()),
        until=(WINS, apart),
        progress=reports.append,
    )
    assert {
        it.name: it.larger for it in differences if it.larger is not None or it.name == WINS
    } == {WINS: larger}
    [wins] = of_wins(differences).values()
    assert (wins.matches == 800) == (larger is None)
    assert reports[-1].done == reports[-1].total == 2 * wins.matches
    # The interval must hold at any stopping time, so it is wider than that of a fixed number.
    [settled] = of_wins(
        compare(bidding(), bidding(start=start), wins.matches, LocalWorkers())
    ).values()
    assert wins.apart.value == settled.apart.value
    assert wins.apart.low < settled.apart.low < settled.apart.high < wins.apart.high


@pytest.mark.slow
def test_with_several_options_play_stops_when_all_effects_are_decided() -> None:
    options: dict[str, list[Any]] = {"start": [0, 9], "double": [False, True]}
    differences = vary(bidding(), options, 2000, LocalWorkers(), until=(WINS, 0.1))
    effects = of_wins(differences)
    assert effects["start=9"].larger
    assert {it.larger for it in effects.values()} <= {True, False}
    assert 100 < differences[0].matches < 2000


@pytest.mark.slow
def test_play_stops_at_the_same_match_on_any_workers() -> None:
    series = bidding(), bidding(start=2)
    with Pool(2) as pool:
        differences = compare(*series, 2000, pool, until=(WINS, 0.15))
    assert differences == compare(*series, 2000, LocalWorkers(), until=(WINS, 0.15))
    assert differences[0].matches < 2000


@pytest.mark.slow
def test_a_resumed_comparison_stops_where_it_would_have_stopped(tmp_path: Path) -> None:
    series, until = (bidding(), bidding(start=2)), (WINS, 0.15)

    def interrupt(progress: Progress) -> None:
        if progress.done > 330:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        compare(*series, 2000, LocalWorkers(), until=until, folder=tmp_path, progress=interrupt)
    reports: list[Progress] = []
    again: dict[str, Any] = {"folder": tmp_path, "resume": True, "progress": reports.append}
    differences = compare(*series, 2000, LocalWorkers(), until=until, **again)
    assert reports[0].done > 300
    assert differences == compare(*series, 2000, LocalWorkers(), until=until)
    for folder, single in zip(("1", "2"), series, strict=True):
        rows = list(Study(tmp_path / folder).rows())
        assert len(rows) == differences[0].matches
        assert rows[-1]["winners"] == list(single.play(range(len(rows)))[-1]["winners"])


def chances(name: str, number: int, chance: np.random.Generator) -> tuple[Any, Any]:
    """Return two series of random numbers whose means differ by 0.05."""
    shared, separate = chance.random((2, number))
    if name == "wins":
        return shared < 0.3, np.where(chance.random(number) < 0.5, shared, separate) < 0.35
    if name == "seldom":
        return shared < 0, shared < 0.05
    return shared, shared + chance.exponential(0.3, number) - 0.25


@pytest.mark.slow
@pytest.mark.parametrize("name", ["wins", "seldom", "skewed"])
def test_intervals_of_all_interim_analyses_together_have_95_percent_coverage(
    name: str,
) -> None:
    chance, looks = np.random.default_rng(7), [int(100 * 1.25**it) for it in range(13)]
    wrong = plain = 0
    for _ in range(300):
        first, second = chances(name, looks[-1], chance)
        at_looks = [watched_difference(second[:it], first[:it]) for it in looks]
        wrong += not all(it.low <= 0.05 <= it.high for it in at_looks)
        settled = [paired_difference(second[:it], first[:it]) for it in looks]
        plain += not all(it.low <= 0.05 <= it.high for it in settled)
    assert wrong / 300 < 0.05 < plain / 300


def test_a_watched_p_value_is_the_level_at_which_the_interval_ends_at_0() -> None:
    values = np.random.default_rng(7).normal(1, 10, 1000)
    estimate = watched_difference(values, np.zeros(1000))
    assert estimate.low < 0
    assert estimate.p > 0.05
    moved = watched_difference(values - estimate.low, np.zeros(1000))
    assert moved.p == pytest.approx(
        0.05, rel=0.02
    )  # the largest difference is another one, so the error changes


def test_if_all_matches_are_equal_a_watched_difference_is_unknown() -> None:
    estimate = watched_difference(np.ones(500), np.ones(500))
    assert estimate.value == 0
    assert np.isnan(estimate.low)
    assert estimate.p == 1
    data = Difference("wins", 1, 1, estimate, 1, 500).data()
    assert json.loads(json.dumps(data, allow_nan=False))["apart"] == [0, None, None, 1]


def run(*words: str) -> tuple[str, str, int]:
    return run_here(main, [*words, "--workers", "1"])


@pytest.mark.slow
def test_the_program_marks_significant_differences_with_a_star() -> None:
    words = ("compare", BIDS, "--seats", "2", "-n", "50", "--option", "start=2", "--bots", "bidder")
    out, err, status = run(*words, "--against", "start=9")
    assert (err, status) == ("", 0)
    rows = {line.split("  ")[0]: line for line in out.splitlines()}
    assert rows["points, seat 1"].split()[-5:] == ["+7", "+7", "to", "+7", "*"]
    assert not rows["plies"].endswith("*")
    titles, *lines = run(*words, "--against", "start=9", "--power", "0.1")[0].splitlines()
    assert titles.endswith("n for 0.1")
    assert lines[0].split()[-1].isdigit()
    assert next(line for line in lines if line.startswith("points, seat 1")).endswith(" ?")
    data = json.loads(run(*words, "--other", BIDS, "--json")[0])
    assert data[0]["name"] == "wins, seat 1"
    assert data[0]["apart"] == [0, 0, 0, 1]


def test_the_program_prints_effects_and_interactions() -> None:
    words = ("compare", BIDS, "--seats", "2", "-n", "30", "--bots", "bidder", "--metric", "none")
    out, err, status = run(*words, "--vary", "start=0,9", "--vary", "double=no,yes")
    assert (err, status) == ("", 0)
    titles, *rows = out.splitlines()
    assert titles.split()[:3] == ["effect", "mean", "of"]
    assert {row.split("  ")[0] for row in rows} == {"start=9", "double=yes", "start=9 x double=yes"}
    [points] = [it for it in rows if it.startswith("start=9 x") and "points, seat 1" in it]
    assert points.split()[-7:-4] == ["0", "9", "+9"]
    data = json.loads(run(*words, "--vary", "start=0,9", "--json")[0])
    assert data[0]["effect"] == "start=9"


@pytest.mark.slow
def test_the_program_prints_why_it_stopped(tmp_path: Path) -> None:
    words = ["compare", BIDS, "--seats", "2", "-n", "900", "--bots", "bidder", "--metric", "none"]
    words += ["--against", "start=9", "--until", f"{WINS}=0.1", "-o", str(tmp_path / "kept")]
    out, err, status = run(*words)
    assert (err, status) == ("", 0)
    known = f"{WINS}: the difference is larger than 0.1, after 100 matches per series"
    assert out.splitlines()[-1] == known
    assert run(*words, "--resume")[0] == out
    assert tells(run(*words)[1], "already contains a study")


@pytest.mark.parametrize(
    ("words", "error"),
    [
        ((), "nothing ... --against NAME=VALUE ... --other GAME ... --vary"),
        (("--against", "9"), "--against 9: ... NAME=VALUE"),
        (("--against", "end=9"), "option 'end'"),
        (("--against", "start=9", "--power", "0"), "must not be 0"),
        (
            ("--against", "start=9", "--vary", "start=0,9"),
            "--vary ... combined ... --other",
        ),
        (("--vary", "start"), "--vary start: ... NAME=VALUE"),
        (("--vary", "end=0,9"), "option 'end'"),
        (("--vary", "start=0,99"), "option start: 99"),
        (("--vary", "start=0,9", "--option", "start=3"), "--vary start=0,9: --option ... start"),
        (("--vary", "start=0"), "start ... two values"),
        (("--vary", "start=0,9", "--resume"), "tabletop: --resume ... -o DIR"),
        (
            ("--vary", "start=0,9", "--until", "win=0.1"),
            "'win' ... wins, seat 1",
        ),
        (("--vary", "start=0,9", "--until", "plies=0"), "plies: ... not 0"),
        (("--vary", "start=0,9", "--until", "plies=1", "--power", "1"), "not allowed with"),
        (("--vary", "start=0,9", "--until", "plies"), "'plies' ... 'wins, seat 1="),
    ],
)
def test_wrong_use_is_reported_in_one_line(words: tuple[str, ...], error: str) -> None:
    out, err, status = run("compare", BIDS, "-n", "4", *words)
    assert (out, status) == ("", 2)
    assert tells(err, error)
