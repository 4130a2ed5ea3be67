"""Tuning: reproducible trials, also after interruptions, and better weights."""

from __future__ import annotations

import json
import os
import resource
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tabletop import Streams
from tabletop.cli import main
from tabletop.errors import UsageError
from tabletop.registry import load
from tabletop.studies import LocalWorkers, Progress, StudyError, Tuned, tune
from tests.forked import run
from tests.program_runs import Printed, run_here

BIDS = str(Path(__file__).with_name("bidding.py"))


def tuned(folder: Path, **others: Any) -> Tuned:
    settings = {"bot": "bidder", "trials": 15, "matches": 20, "check": 40, **others}
    return tune(BIDS, folder, LocalWorkers(), **settings)


def trials(folder: Path) -> list[tuple[dict[str, float], float]]:
    """Return the weights and values of all trials, as Optuna reads them."""
    import optuna
    from optuna.storages.journal import JournalFileBackend

    storage = optuna.storages.JournalStorage(JournalFileBackend(str(folder / "trials.log")))
    study = optuna.load_study(study_name="tune", storage=storage)
    return [(trial.params, trial.values[0]) for trial in study.trials]


@pytest.mark.slow
def test_tuned_weights_win_with_other_seeds(tmp_path: Path) -> None:
    result = tuned(tmp_path)
    assert result.weights["bid"] > 3
    assert result.check.matches == 40
    assert result.check.interval[0] > 0.5
    assert result.bot == f"bidder:bid={result.weights['bid']}:nothing={result.weights['nothing']!r}"
    load(BIDS).bot(result.bot, Streams(1)["bot"])
    written = json.loads((tmp_path / "weights.json").read_text())
    assert written["weights"] == result.weights
    assert written["check"]["share"] == result.check.share


def test_the_first_trial_has_the_default_weights(tmp_path: Path) -> None:
    assert tuned(tmp_path, trials=1).share == 0.5
    assert trials(tmp_path) == [({"bid": 3, "nothing": 0.5}, 0.5)]


@pytest.mark.slow
def test_interrupted_and_resumed_trials_are_the_same(tmp_path: Path) -> None:
    def stop(progress: Progress) -> None:
        if progress.done > 20 * 7 + 3:
            raise KeyboardInterrupt

    whole = tuned(tmp_path / "whole")
    with pytest.raises(KeyboardInterrupt):
        tuned(tmp_path / "broken", progress=stop)
    assert len(trials(tmp_path / "broken")) == 7
    assert tuned(tmp_path / "broken", resume=True) == whole
    assert trials(tmp_path / "broken") == trials(tmp_path / "whole")


def test_an_incomplete_line_of_a_killed_program_is_removed(tmp_path: Path) -> None:
    whole = tuned(tmp_path, trials=3)
    with tmp_path.joinpath("trials.log").open("a") as journal:
        journal.write('{"op_code": 5, "worker_id"')
    assert tuned(tmp_path, trials=3, resume=True) == whole
    assert len(trials(tmp_path)) == 3


def test_a_folder_with_trials_is_not_overwritten(tmp_path: Path) -> None:
    tuned(tmp_path, trials=1)
    with pytest.raises(StudyError, match="already contains trials"):
        tuned(tmp_path, trials=1)
    with pytest.raises(StudyError, match=r"\bmatches and bots\b"):
        tuned(tmp_path, trials=1, matches=4, against="meek", resume=True)


DAMAGED = {
    "no trial": '{"op_code": 1}',
    "a list": "[]",
    "a number": "5",
    "text": "trials",
    "nested": "[" * 100_000 + "]" * 100_000,
}


@pytest.mark.parametrize("damage", DAMAGED)
def test_a_damaged_journal_is_an_error(tmp_path: Path, damage: str) -> None:
    tmp_path.joinpath("trials.log").write_text(f"{DAMAGED[damage]}\n")
    with pytest.raises(StudyError, match=r"trials\.log: .*\bOptuna\b"):
        tuned(tmp_path, resume=True)


@pytest.mark.parametrize("kind", ["pipe", "device", "loop", "folder"])
def test_a_journal_that_is_not_a_file_is_an_error(tmp_path: Path, kind: str) -> None:
    journal = tmp_path / "trials.log"
    match kind:
        case "pipe":
            os.mkfifo(journal)
        case "device":
            journal.symlink_to("/dev/zero")
        case "loop":
            journal.symlink_to(journal)
        case _:
            journal.mkdir()
    with pytest.raises(StudyError, match=r"trials\.log: "):
        tuned(tmp_path, resume=True)


def main_with_small_files(arguments: Sequence[str]) -> int:
    """Run the program, which cannot write a file of more than 1,000 bytes."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
    return main(arguments)


@pytest.mark.slow
def test_a_full_disk_is_reported_with_the_path(tmp_path: Path) -> None:
    words = ["tune", BIDS, "--bot", "bidder", "--trials", "9", "--matches", "2", "--check", "2"]
    done = run(main_with_small_files, *words, "--workers", "1", "-o", tmp_path)
    assert done == Printed("", f"tabletop: {tmp_path / 'trials.log'}: File too large\n", 1)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"trials": 0}, r"\btrials .*\bnot 0$"),
        ({"matches": 3}, r"\bmatches .*\beven\b.*\bnot 3$"),
        ({"check": 0}, r"\bmatches .*\beven\b.*\bnot 0$"),
    ],
)
def test_invalid_numbers_are_an_error_before_anything_is_written(
    tmp_path: Path, wrong: dict[str, int], message: str
) -> None:
    with pytest.raises(UsageError, match=message):
        tuned(tmp_path, **wrong)
    assert not list(tmp_path.iterdir())


def test_a_bot_without_weights_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"^'meek' .*\bno weights\b"):
        tuned(tmp_path, bot="meek")
    with pytest.raises(UsageError, match=r"^'bidder:bid=4' contains "):
        tuned(tmp_path, bot="bidder:bid=4")


def test_the_program_prints_the_weights_as_python(tmp_path: Path) -> None:
    words = ["tune", BIDS, "--bot", "bidder", "-o", str(tmp_path), "--workers", "1"]
    numbers = ["--trials", "1", "--matches", "4", "--check", "4"]
    out, err, status = run_here(main, [*words, *numbers])
    assert (err, status) == ("", 0)
    assert out.splitlines() == [
        "best of 1 trial, with 50.0% of the points:",
        "{'bid': 3, 'nothing': 0.5}",
        "bidder:bid=3:nothing=0.5",
        "against bidder, new seeds: 50.0% of 4 matches (15.0% to 85.0%)",
    ]
    assert run_here(main, [*words, *numbers]).status == 1
    assert run_here(main, [*words, *numbers, "--resume"]).stdout == out
