"""`tabletop resume` on a long match: it goes on from a checkpoint."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tabletop import Match, Random
from tabletop.codec import digest
from tabletop.records.entries import Header, sealed
from tabletop.records.journal import CHECKPOINT_LINES, Journal
from tabletop.records.reading import read
from tabletop.records.record import replay
from tests.tabletop.cli.program import here
from tests.tabletop.games import walk

WALK = Path(__file__).parents[1] / "games" / "walk.py"
PLIES = 2 * CHECKPOINT_LINES + 500
FIRST = CHECKPOINT_LINES
"""After so many actions stands the first checkpoint."""


@pytest.fixture
def long(tmp_path: Path) -> Path:
    """The record of a match that is far from its end."""
    path = tmp_path / "long.jsonl"
    match = Match(walk.GAME, seed="oak", players=[Random(1), Random(2)])
    with Journal.create(path, match, Header.of(match, source=str(WALK))):
        match.run(PLIES)
    return path


def test_a_long_match_is_resumed_played_on_and_replays_exactly(long: Path) -> None:
    done = here("resume", str(long), "--game", str(WALK), typed="left\nright\nundo\nquit\n")
    assert (done.returncode, done.stderr) == (0, "")
    assert f"seed: oak; {PLIES} actions so far\n" in done.stdout
    assert f"Left after {PLIES + 1} actions" in done.stdout
    record = read(long)
    assert record.plies == PLIES + 1
    assert record.seconds > 0
    done = here("replay", long, "--game", WALK, "--verify")
    assert done.stdout == f"{long}: {PLIES + 1} actions replay exactly; the match has not ended\n"


@pytest.mark.slow
def test_actions_from_before_the_checkpoint_can_be_taken_back(long: Path) -> None:
    done = here("resume", long, "--game", WALK, typed=f"undo {PLIES - 3}\nleft\nquit\n")
    assert (done.returncode, done.stderr) == (0, "")
    assert f"{PLIES - 3} actions taken back\n" in done.stdout
    assert replay(read(long), walk.GAME).ply == 4
    done = here("resume", long, "--game", WALK, typed="quit\n")
    assert "seed: oak; 4 actions so far\n" in done.stdout


def test_a_damaged_checkpoint_is_refused_with_its_line(long: Path) -> None:
    text = long.read_text()
    long.write_text(text.replace('"place":', '"place":1'))
    done = here("resume", long, "--game", WALK)
    assert done.returncode == 1
    assert done.stderr == (
        f"tabletop: {long}: line {2 * CHECKPOINT_LINES + 3} is damaged:"
        " its check does not fit: it is not what was written\n"
    )


def test_a_line_in_front_of_the_checkpoint_is_not_looked_at_before_it_is_needed(
    long: Path,
) -> None:
    lines = long.read_text().splitlines(keepends=True)
    lines[4] = "{}\n"
    long.write_text("".join(lines))
    done = here("resume", long, "--game", WALK, typed=f"undo {PLIES}\nquit\n")
    assert done.returncode == 0
    assert f"{long}: line 5 is damaged: it says not just one of" in done.stdout
    assert f"Left after {PLIES} actions" in done.stdout


def test_a_checkpoint_of_another_match_is_refused(long: Path) -> None:
    lines = long.read_text().splitlines(keepends=True)
    other = sealed({"checkpoint": 5, "state": 1, "streams": {}, "players": ["a"], "digest": "x"})
    assert "check" in other
    lines.insert(2 * CHECKPOINT_LINES + 10, str(other).replace("'", '"') + "\n")
    long.write_text("".join(lines))
    done = here("resume", long, "--game", WALK)
    assert done.returncode == 1
    assert f"line {2 * CHECKPOINT_LINES + 11} is damaged: " in done.stderr


def test_undoing_behind_a_false_checkpoint_is_refused_and_changes_nothing(long: Path) -> None:
    """It is sealed as a true one is, and only playing all before it shows that it is none."""
    lines = long.read_text().splitlines(keepends=True)
    [place] = [at for at, line in enumerate(lines) if f'"checkpoint":{FIRST}' in line]
    checkpoint = {**json.loads(lines[place])}
    del checkpoint["check"]
    checkpoint["state"]["place"] += 1000
    state = walk.Path(**checkpoint["state"])
    checkpoint["digest"] = digest(state, checkpoint["streams"])
    header = "".join(lines[:place])
    long.write_text(header + json.dumps(sealed(checkpoint)) + "\n")
    done = here("resume", long, "--game", WALK, typed=f"undo {FIRST}\nundo 1\nredo\nleft\nquit\n")
    assert done.returncode == 0
    refusal = f"line {place + 1}: what was played up to checkpoint {FIRST} leads to another state"
    assert done.stdout.count(f"{long}: {refusal}") == 2
    assert "taken back\n" not in done.stdout.replace("nothing has been taken back\n", "")
    assert f"Left after {FIRST + 1} actions" in done.stdout
    done = here("replay", "--verify", long, "--game", WALK)
    assert done.returncode == 1
    assert refusal in done.stderr
