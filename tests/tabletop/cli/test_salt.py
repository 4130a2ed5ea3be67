"""`--salt`: the world of a match whose salt has been told, played again and verified."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest

from tabletop.rng.seeds import commitment
from tests.tabletop.cli.program import here

SALT = bytes(range(16))
HEX = SALT.hex()
SALTED = ("play", "sorcery", "--bot", "all", "--no-score", "--seed", "old oak", "--salt")


@pytest.fixture
def record(tmp_path: Path) -> Path:
    """A salted match of bots, recorded."""
    path = tmp_path / "match.jsonl"
    done = here(*SALTED, HEX, "--record", path, "--log", tmp_path / "draws.jsonl")
    assert done.returncode == 0, done.stderr
    return path


def test_the_same_seed_and_salt_are_the_same_world(record: Path, tmp_path: Path) -> None:
    path = tmp_path / "again.jsonl"
    here(*SALTED, HEX.upper(), "--seed", "Old Oak", "--record", path)
    one, other = (it.read_text().splitlines()[1:-1] for it in (record, path))
    assert one == other


def test_verifying_says_the_commitment(record: Path) -> None:
    done = here("replay", record, "--verify")
    assert done.stdout.splitlines()[0].endswith(" replay exactly")
    told = commitment("old oak", SALT)
    assert done.stdout.splitlines()[1:] == [f"commitment of its seed and salt: {told}"]


def test_verifying_says_nothing_of_salts_where_there_is_none(tmp_path: Path) -> None:
    path = tmp_path / "plain.jsonl"
    here("play", "lcr", "--bot", "all", "--seed", "oak", "--record", path, "--no-score")
    assert len(here("replay", path, "--verify").stdout.splitlines()) == 1


def test_the_log_of_draws_replays_as_well(record: Path, tmp_path: Path) -> None:
    done = here("diverge", record, tmp_path / "draws.jsonl")
    assert done.returncode == 0, done.stdout


def test_the_score_sheet_says_how_to_play_the_same_world_again() -> None:
    shown = here("play", "lcr", "--bot", "all", "--seed", "old oak", "--salt", HEX, "--no-record")
    again = next(line for line in shown.stdout.splitlines() if "again" in line)
    command = shlex.split(again.split("again", 1)[1])
    assert command[2:] == ["lcr", "--seed", "old oak", "--salt", HEX, "--seats", "3"]
    assert "seed     old oak (given by hand, salted)" in shown.stdout
    (sheet,) = json.loads(here("scores", "--json").stdout)
    assert sheet["salt"] == HEX
    done = here(*command[1:], "--bot", "all", "--no-record", "--no-score")
    assert done.stdout == shown.stdout[: len(done.stdout)]


@pytest.mark.parametrize(
    ("arguments", "wrong"),
    [
        (("--seed", "oak", "--salt", "abc"), "--salt 'abc': a salt is 32 hexadecimal digits"),
        (("--seed", "oak", "--salt", ""), "--salt '': a salt is 32 hexadecimal digits"),
        (("--seed", "oak", "--salt", HEX + "0"), "a salt is 32 hexadecimal digits"),
        (("--salt", HEX), "--salt: say which seed it belongs to: --seed TEXT"),
        (("--weekly", "--salt", HEX), "it goes with --seed, not --weekly or --daily"),
        (("--daily", "--salt", HEX), "it goes with --seed, not --weekly or --daily"),
    ],
)
def test_a_salt_that_makes_no_sense_is_wrong_use(arguments: tuple[str, ...], wrong: str) -> None:
    done = here("play", "lcr", "--bot", "all", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert wrong in done.stderr


def test_people_at_a_salted_table_are_not_warned_of_the_seed() -> None:
    warned = here("play", "sorcery", "--seed", "oak", typed="")
    salted = here("play", "sorcery", "--seed", "oak", "--salt", HEX, typed="")
    assert "seed" in warned.stdout.splitlines()[1]
    assert warned.stdout.splitlines()[1] not in salted.stdout


def test_a_match_like_a_salted_one_has_its_salt(record: Path, tmp_path: Path) -> None:
    path = tmp_path / "again.jsonl"
    here("play", "sorcery", "--like", record, "--bot", "all", "--record", path, "--no-score")
    one, other = (it.read_text().splitlines()[1:-1] for it in (record, path))
    assert one == other
    refused = here("play", "sorcery", "--like", record, "--salt", HEX)
    assert (refused.returncode, "the record says its own" in refused.stderr) == (2, True)
