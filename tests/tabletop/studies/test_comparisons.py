"""Tournaments: all pairings play the same seeds, and the results do not depend on the workers."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tabletop.cli import main
from tabletop.cli.study_args import ShownProgress
from tabletop.errors import UsageError
from tabletop.studies import (
    LocalWorkers,
    Pool,
    Progress,
    Series,
    StudyInterrupted,
    Tournament,
    compare_teams,
    tournament,
)
from tabletop.studies.comparisons import points_of
from tests.program_runs import run_here
from tests.tabletop.told import tells

PEAL = str(Path(__file__).parents[3] / "examples" / "peal.py")
BIDS = str(Path(__file__).with_name("bidding.py"))
HIGH, LOW = "bidder:bid=9", "bidder:bid=2"


def play(*bots: str, matches: int = 40, **others: Any) -> Tournament:
    return tournament(BIDS, bots, matches, LocalWorkers(), **others)


def test_all_pairings_play_the_same_seeds_from_both_seats() -> None:
    result = play(HIGH, LOW, "bidder")
    pairs = [(HIGH, LOW), (HIGH, "bidder"), (LOW, "bidder")]
    assert [(each.first, each.second) for each in result.pairings] == pairs
    for each in result.pairings:
        rows = Series.of(BIDS, [each.first, each.second], rotated=True).play(range(40))
        assert each.points == sum(points_of(row, each.first) for row in rows)
        assert {row["seed"] for row in rows} == {f"study {number}" for number in range(20)}


def test_the_stronger_bot_has_a_higher_elo_rating() -> None:
    result = play(LOW, HIGH, "bidder", "meek")
    elo = dict(zip(result.bots, result.elo(), strict=True))
    assert sorted(elo, key=lambda bot: elo[bot].value) == ["meek", LOW, "bidder", HIGH]
    assert elo[LOW] == (0, 0, 0, 1)  # the first bot is the reference
    assert elo[HIGH].low > 0 > elo["meek"].high


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_two_equal_bots_get_half_of_the_points_with_any_number_of_seats(seats: int) -> None:
    [pairing] = play("bidder", "bidder:bid=3", seats=seats, options={"start": 10}).pairings
    assert pairing.points == 20


@pytest.mark.parametrize(
    ("winners", "points"), [((0,), 1), ((1,), 0), ((0, 1), 0.5), ((0, 1, 2), 2 / 3), ((), 0.5)]
)
def test_winning_seats_share_a_point_and_a_draw_gives_half_a_point(
    winners: tuple[int, ...], points: float
) -> None:
    row = {"players": ("a", "b", "a"), "winners": winners}
    assert points_of(row, "a") == points
    assert points_of(row, "b") == pytest.approx(1 - points)


def test_a_decided_pairing_ends_early() -> None:
    reports: list[Progress] = []
    result = play(HIGH, LOW, "bidder", matches=400, elo=(0, 50), progress=reports.append)
    first = result.pairings[0]
    assert first.matches < 100
    assert first.stronger
    assert reports[-1].done == reports[-1].total < 1200


def interrupt_after(matches: int) -> Callable[[Progress], None]:
    def interrupt(progress: Progress) -> None:
        if progress.done >= matches:
            raise KeyboardInterrupt

    return interrupt


def test_an_interrupted_tournament_returns_its_results_so_far() -> None:
    whole = play(HIGH, LOW, "bidder")
    with pytest.raises(StudyInterrupted, match=r"\b\d+ of 120 ") as stopped:
        play(HIGH, LOW, "bidder", progress=interrupt_after(45))
    result = stopped.value.result
    assert isinstance(result, Tournament)
    assert result.pairings[0] == whole.pairings[0]
    assert all(2 < each.matches <= 40 for each in result.pairings)
    assert {*result.bots} == {bot for each in result.pairings for bot in each[:2]}
    with pytest.raises(StudyInterrupted) as stopped:
        play(HIGH, LOW, progress=interrupt_after(1))
    assert stopped.value.result is None


@pytest.mark.slow
def test_an_interrupted_comparison_of_teams_uses_the_seeds_that_both_bots_played() -> None:
    with pytest.raises(StudyInterrupted) as stopped:
        compare_teams(PEAL, ["random", "ringer"], 8, LocalWorkers(), progress=interrupt_after(11))
    assert isinstance(stopped.value.result, list)
    first, *others = stopped.value.result
    assert first == compare_teams(PEAL, ["random", "ringer"], 8, LocalWorkers())[0]
    for team in others:
        expected = compare_teams(PEAL, ["random", "ringer"], team.matches, LocalWorkers())[1]
        assert team._replace(best=0) == expected._replace(best=0)


def test_results_before_ctrl_c_are_printed(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    interrupt = interrupt_after(45)
    monkeypatch.setattr(ShownProgress, "show", lambda self, progress: interrupt(progress))
    words = ["tournament", BIDS, "-n", "40", "--workers", "1", "--bots", f"{HIGH},{LOW},bidder"]
    assert main(words) == 130
    shown = capsys.readouterr()
    assert re.search(r"^1 bidder:bid=9 +0 ", shown.out, re.MULTILINE), shown.out
    assert re.search(r"tabletop: interrupted after \d+ of 120 matches\n", shown.err), shown.err
    assert main([*words, "--json"]) == 130
    assert json.loads(capsys.readouterr().out)["pairings"][0]["matches"] == 40


@pytest.mark.slow
def test_a_pairing_ends_at_the_same_match_on_any_workers() -> None:
    with Pool(2) as pool:
        result = tournament(BIDS, [HIGH, "bidder"], 400, pool, elo=(0, 50))
    assert result == play(HIGH, "bidder", matches=400, elo=(0, 50))
    assert result.pairings[0].matches < 400


@pytest.mark.parametrize(
    ("bots", "others", "error"),
    [
        ([HIGH], {}, "two bots"),
        (["learnt:x.npz,random"], {}, "all different"),
        ([HIGH, LOW, HIGH], {}, "two bots"),
        ([HIGH, LOW], {"matches": 7}, "must be even"),
        ([HIGH, LOW], {"seats": 1}, "at least 2 seats"),
        ([HIGH, LOW], {"elo": (30, 0)}, r"^30 and 0 .*\bElo\b"),
    ],
)
def test_an_impossible_comparison_is_an_error(
    bots: list[str], others: dict[str, Any], error: str
) -> None:
    with pytest.raises(UsageError, match=error):
        play(*bots, **others)


def run(*words: str) -> tuple[str, str, int]:
    return run_here(main, [*words, "--workers", "1"])


# Matplotlib looks for fonts at its first plot, which is slow.
@pytest.mark.slow
def test_the_program_prints_ratings_and_draws_them(tmp_path: Path) -> None:
    file = tmp_path / "elo.svg"
    words = ("tournament", BIDS, "--bots", f"meek,{HIGH}", "-n", "60")
    out, err, status = run(*words, "--sprt=-50,50", "--picture", str(file))
    assert (err, status) == ("", 0)
    lines = out.splitlines()
    assert lines[0].split() == ["bot", "Elo", "95", "%", "points", "n", "of", "1", "of", "2"]
    assert lines[1].split()[:2] == ["2", HIGH]
    assert " or more " in lines[1]  # it won all matches, so there is no upper bound
    assert re.fullmatch(rf"meek against {HIGH}: the lower difference .* \d\d matches", lines[3])
    drawn = file.read_bytes()
    data = json.loads(run(*words, "--sprt=-50,50", "--json", "--picture", str(file))[0])
    assert file.read_bytes() == drawn
    assert data["pairings"][0]["points"] == 0
    assert [each["bot"] for each in data["elo"]] == ["meek", HIGH]
    assert data["elo"][1]["low"] > 0
    assert data["elo"][1]["high"] is None


@pytest.mark.slow
def test_a_picture_that_cannot_be_drawn_does_not_lose_the_results(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ("tournament", BIDS, "--bots", "meek,bidder", "-n", "4", "--picture")
    for name in ("elo.png", "nowhere/elo.svg"):
        out, err, status = run(*words, str(tmp_path / name))
        assert (out, status) == ("", 2)
        assert re.search(r": argument --picture: .*\.svg\b", err)
    (tmp_path / "is.svg").mkdir()
    out, err, status = run(*words, str(tmp_path / "is.svg"))
    assert (out.split()[0], status) == ("bot", 1)
    assert "is.svg: " in err
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    out, err, status = run(*words, str(tmp_path / "elo.svg"))
    assert (out, status) == ("", 1)
    assert "pip install" in err


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (("tournament", BIDS, "--bots", "bidder:bid=99,meek"), "from 0 to 10, not '99'"),
    ],
)
def test_wrong_use_is_reported_in_one_line(words: tuple[str, ...], error: str) -> None:
    out, err, status = run(*words, "-n", "4")
    assert (out, err.count("\n"), status) == ("", 1, 2)
    assert tells(err, error)
