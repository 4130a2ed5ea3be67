"""`tabletop simulate`: arguments, progress and summary."""

from __future__ import annotations

import itertools
import os
import re
import sys
from pathlib import Path

import pytest

from tabletop.cli.study_args import ShownProgress
from tabletop.studies import Progress, Study
from tests.tabletop.cli.program import at_terminal, here, refused, shown
from tests.tabletop.studies.own_metrics import FILE
from tests.tabletop.studies.test_simulate import LONG
from tests.tabletop.told import tells

SUMMARY = r"""12 matches of sorcery in \d+ s
wins +matches +95 %
seat 1  duelist +\d+\.\d\d%  \d+\.\d\d% to \d+\.\d\d%
seat 2  random +\d+\.\d\d%  \d+\.\d\d% to \d+\.\d\d%
nobody +0\.00%  0\.00% to 24\.25%
\d+\.\d plies on average \(\d+\.\d to \d+\.\d at 95 %\), \d+ to \d+
digest [\da-f]{64}
(.+): `tabletop report \1` writes a report
"""


@pytest.mark.slow
def test_a_study_has_a_summary(tmp_path: Path) -> None:
    words = ("simulate", "sorcery", "-n", "12", "--bots", "duelist,random", "--workers", "1")
    done = here(*words, "--metric", "none", "-o", tmp_path / "study")  # a slow one shows progress
    assert re.fullmatch(SUMMARY, done.stdout)
    assert Study(tmp_path / "study").manifest.metrics == ()


@pytest.mark.slow
def test_the_default_bot_is_fast(tmp_path: Path) -> None:
    for game, bot in (("sorcery", "fair"), ("lcr", "random")):
        shown("simulate", game, "-n", "2", "--workers", "1", "-o", tmp_path / game)
        assert Study(tmp_path / game).manifest.bots == (bot,)


@pytest.mark.slow
def test_all_options_reach_the_series(tmp_path: Path) -> None:
    shown(
        *("simulate", "lcr", "--matches", "4", "--bots", "random,random", "--seats", "4"),
        *("--seeds", "other", "--option", "course-seed=7", "--rotate", "--plies", "9"),
        *("--metric", "turns", f"{FILE}:told", "--workers", "1", "--output", tmp_path),
    )
    manifest = Study(tmp_path).manifest
    assert (manifest.seeds, manifest.seats, manifest.rotated) == ("other", 4, True)
    assert (manifest.options["course-seed"], manifest.plies) == (7, 9)
    assert (manifest.bots, manifest.metrics) == (("random", "random"), ("turns", "told"))
    assert [row["seed"] for row in Study(tmp_path).rows()] == ["other 0"] * 2 + ["other 1"] * 2


def test_resume_starts_a_study_or_continues_it(
    tmp_path: Path,
) -> None:
    words = ("simulate", "lcr", "--workers", "1", "-o", tmp_path, "--resume")
    shown(*words, "-n", "5")
    assert shown(*words, "-n", "9").startswith("9 matches of lcr in ")
    said = refused(*words, "-n", "5")
    assert tells(said, "already has 9 matches")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("lcr -n 0", "argument -n/--matches: '0': ... 1 "),
        ("lcr -n 1e5", "argument -n/--matches: '1e5': ... 1 "),
        ("lcr -n 5 --workers 0", "argument --workers: '0': ... 1 "),
        ("lcr -n 5 --workers 2 --cluster local:2", "not allowed with argument"),
        ("lcr -n 5 --bots hard", "lcr ... 'hard' ... random"),
        ("lcr -n 5 --bots random, --seats 3", "lcr ... '' ... random"),
        ("lcr -n 5 --seats 2", "lcr ... 3 to 11 ... 2"),
        ("lcr -n 5 --option dice=3", "lcr ... 'dice' ... course-seed"),
        (
            "lcr -n 5 --metric cards",
            "'cards'; its metrics: turns, chips; your own: FILE.py:NAME",
        ),
        ("lcr -n 5 --metric none turns", "--metric none ... other"),
        ("lcr -n 5 --metric none.py:x", "none.py: "),
        ("lcr -n 5 --metric turns turns", "columns ... same name"),
        ("sorcery -n 5 --bots search:1s", "'search:1s' "),
        ("sorcery -n 5 --bots learnt:/none", "learnt:/none: "),
        ("nothing -n 5", "'nothing' ... lcr"),
        ("lcr -n 5 --workers 1 --seeds x --resume=1", "ignored explicit argument '1'"),
    ],
)
def test_invalid_arguments_are_refused_with_a_remedy(
    words: str, message: str, tmp_path: Path
) -> None:
    assert tells(refused("simulate", *words.split(), "-o", tmp_path / "study"), message)
    assert not (tmp_path / "study").exists()


def test_a_folder_without_a_name_is_refused() -> None:
    assert "folder is missing" in refused("simulate", "lcr", "-n", "5", "-o", "")


def test_an_existing_study_is_not_overwritten(tmp_path: Path) -> None:
    words = ("simulate", "lcr", "-n", "5", "--workers", "1", "-o", tmp_path)
    shown(*words)
    said = refused(*words, status=1)
    assert tells(said, f"tabletop: {tmp_path}: ... resume")


def test_bots_that_are_programs_may_have_commas(tmp_path: Path) -> None:
    words = ("--bots", "random", "--bots", "exec:/no/such -a 1,2")
    said = refused("simulate", "sorcery", "-n", "5", *words, "-o", tmp_path)
    assert tells(said, "random and exec:/no/such -a 1,2: ... '/no/such'")


def test_without_a_terminal_progress_is_printed_in_lines(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    times = itertools.count(0.0, 40.0)
    monkeypatch.setattr("tabletop.cli.study_args.monotonic", lambda: next(times))
    progress = ShownProgress("lcr", "2,000 matches of random on seat 1")
    progress.show(Progress(0, 2000, 0.0))
    progress.show(Progress(500, 2000, 12.5))
    progress.show(Progress(600, 2000, 0.05))
    assert capsys.readouterr().err == (
        "lcr: 2,000 matches of random on seat 1\n"
        "lcr: 0 of 2,000, 0%; starting workers\n"
        "lcr: 500 of 2,000, 25%; 12 a second, 2 min left\n"
        "lcr: 600 of 2,000, 30%; 0.05 a second, 7 h 47 min left\n"
    )


@pytest.mark.parametrize(("columns", "bar"), [(120, 20), (63, 12), (50, 0)])
def test_the_progress_bar_leaves_room_for_the_remaining_time(
    columns: int, bar: int, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    size = os.terminal_size((columns, 24))
    monkeypatch.setattr("tabletop.terminal.progress.get_terminal_size", lambda: size)
    ShownProgress("lcr").show(Progress(500, 1000, 811.0))
    line = capsys.readouterr().err.strip()
    assert line.endswith("500 of 1,000, 50%; 811 a second, 1 s left")
    assert line.count("#") == bar // 2


@pytest.mark.slow
def test_a_terminal_shows_one_line_that_is_removed(tmp_path: Path) -> None:
    words = ("simulate", "lcr", "-n", "3000", "--metric", "none", "--workers", "1")
    with at_terminal(*words, "-o", tmp_path) as terminal:
        terminal.expect(r"lcr: \[#* *\] [\d,]+ of 3,000, \d+%")
        terminal.expect(f"\r +\r3,000 matches of lcr in .*digest {LONG}")


def test_without_a_folder_only_the_summary_is_printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(temporary))
    words = ("simulate", "lcr", "-n", "20", "--workers", "1")
    stored = shown(*words, "-o", tmp_path / "study").splitlines()
    monkeypatch.chdir(temporary)
    printed = shown(*words).splitlines()
    assert printed[1:-1] == stored[1:-2], "the same summary, without the digest of the study"
    assert "nothing is stored" in printed[-1]
    assert list(temporary.iterdir()) == []


def test_a_study_without_a_folder_cannot_be_resumed() -> None:
    assert "-o DIR" in refused("simulate", "lcr", "-n", "20", "--resume")


def test_a_summary_needs_no_pyarrow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert "plies on average" in shown("simulate", "lcr", "-n", "5", "--workers", "1")


@pytest.mark.parametrize("library", ["numpy", "pyarrow"])
def test_a_missing_library_is_named(
    library: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    done = here("simulate", "lcr", "-n", "5", "-o", tmp_path / "study")
    assert done.returncode == 1
    assert tells(done.stderr, f"{library} ... 'tabletop-rules[studies]'")
    assert not (tmp_path / "study").exists()
