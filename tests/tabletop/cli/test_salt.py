"""`--salt`: a match with a published salt is played again and verified."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from tabletop.rng import commitment
from tests.tabletop.cli.program import here, kept, refused, shown
from tests.tabletop.told import tells

SALT = bytes(range(16))
HEX = SALT.hex()
SALTED = ("play", "sorcery", "--bot", "all", "--no-score", "--seed", "old oak", "--salt")


@pytest.fixture
def record(tmp_path: Path) -> Path:
    """Return the record of a salted match of bots."""
    path = tmp_path / "match.jsonl"
    shown(*SALTED, HEX, "--record", path, "--log", tmp_path / "draws.jsonl")
    return path


@pytest.mark.slow
def test_the_same_seed_and_salt_give_the_same_setup(record: Path, tmp_path: Path) -> None:
    again, like = tmp_path / "again.jsonl", tmp_path / "like.jsonl"
    shown(*SALTED, HEX.upper(), "--seed", "Old Oak", "--record", again)
    words = ("play", "sorcery", "--like", record)
    shown(*words, "--bot", "all", "--record", like, "--no-score")
    actions, *others = (path.read_text().splitlines()[1:-1] for path in (record, again, like))
    assert others == [actions, actions]
    assert "contains the salt" in refused(*words, "--salt", HEX)


def test_verify_prints_the_commitment(record: Path, tmp_path: Path) -> None:
    first, *more = shown("replay", record, "--verify").splitlines()
    assert first.endswith(" replay exactly")
    assert more == [f"commitment of its seed and salt: {commitment('old oak', SALT)}"]
    shown("diverge", record, tmp_path / "draws.jsonl")


def test_the_score_sheet_has_a_command_with_the_salt() -> None:
    told = shown("play", "lcr", "--bot", "all", "--seed", "old oak", "--salt", HEX, "--no-record")
    again = next(line for line in told.splitlines() if "again" in line)
    command = shlex.split(again.split("again", 1)[1])
    assert command[2:] == ["lcr", "--seed", "old oak", "--salt", HEX, "--seats", "3"]
    assert "seed     old oak (given by hand, salted)" in told
    (sheet,) = kept()
    assert sheet["salt"] == HEX
    assert told.startswith(shown(*command[1:], "--bot", "all", "--no-record", "--no-score"))


@pytest.mark.parametrize(
    ("words", "wrong"),
    [
        ("--seed oak --salt abc", "--salt 'abc': ... 32 "),
        ("--seed oak --salt=", "--salt '': ... 32 "),
        (f"--seed oak --salt {HEX}0", "--salt ... : ... 32 "),
        (f"--salt {HEX}", "--salt ... --seed TEXT"),
        (f"--weekly --salt {HEX}", "--salt ... --weekly"),
        (f"--daily --salt {HEX}", "--salt ... --daily"),
    ],
)
def test_an_invalid_salt_is_a_usage_error(words: str, wrong: str) -> None:
    assert tells(refused("play", "lcr", "--bot", "all", *words.split()), wrong)


def test_a_salted_table_prints_no_warning_about_the_seed() -> None:
    warned = here("play", "sorcery", "--seed", "oak", typed="")
    salted = here("play", "sorcery", "--seed", "oak", "--salt", HEX, typed="")
    assert "seed" in warned.stdout.splitlines()[1]
    assert warned.stdout.splitlines()[1] not in salted.stdout
