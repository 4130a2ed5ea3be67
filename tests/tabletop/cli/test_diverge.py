"""`tabletop diverge`: the first difference between two records or draw logs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from tabletop import Match
from tabletop.records import DrawLog, Header, Journal
from tabletop.registry import load
from tabletop.rules import AnyGame
from tests.program_runs import piped
from tests.tabletop.cli.program import changed, here, refused
from tests.tabletop.told import tells

RACE = Path(__file__).parents[1] / "games" / "race.py"
OLD = "record of race, version 1, seed 'Old Oak'"
NEWER = ('name = "race"', 'version = "2"\n    name = "race"')


def played(
    path: Path,
    moves: Sequence[str | int],
    *,
    seed: str = "Old Oak",
    game: Path = RACE,
    seats: int = 2,
    goal: int = 40,
    loser: int | None = None,
) -> Path:
    """Write the record of a match and its log. A number in `moves` undoes that many actions.

    At the end, `loser` loses on time.
    """
    rules: AnyGame = load(str(game)).game
    with DrawLog.create(path.with_suffix(".log")) as log:
        match = Match(rules, seed=seed, seats=seats, options={"goal": goal}, on_draw=log.draw)
        log.follow(match)
        with Journal.create(path, match, Header.of(match, source=str(game))):
            for move in moves:
                match.undo(move) if isinstance(move, int) else match.play(move)
            if loser is not None:
                match.concede(loser, "time")
    return path


def log_of(record: Path) -> Path:
    return record.with_suffix(".log")


def diverged(one: Path, other: Path, *games: object) -> tuple[int, list[str]]:
    """Return the exit code and the lines after the two that name the files."""
    words = [word for game in games or (RACE,) for word in ("--game", game)]
    done = here("diverge", one, other, *words)
    assert done.stderr == ""
    first, second, *lines = done.stdout.splitlines()
    assert first.startswith(f"A: {one}: ")
    assert second.startswith(f"B: {other}: ")
    return done.returncode, lines


@pytest.fixture
def pair(tmp_path: Path) -> tuple[Path, Path]:
    """Two matches that differ in their third action."""
    one = played(tmp_path / "a.jsonl", ["run", "walk", "walk", "walk"])
    return one, played(tmp_path / "b.jsonl", ["run", "walk", "run"])


def test_a_concession_in_only_one_record_is_shown(tmp_path: Path) -> None:
    one = played(tmp_path / "a.jsonl", ["run", "walk"])
    other = played(tmp_path / "b.jsonl", ["run", "walk"], loser=1)
    assert diverged(one, other) == (
        1,
        [
            "first different action: step 2",
            "  A: line 3: seat 1: walk",
            "  B: line 3: seat 1: walk, then seat 2 lost on time",
        ],
    )


def test_a_concession_before_the_first_action_is_shown(tmp_path: Path) -> None:
    one = played(tmp_path / "a.jsonl", [])
    other = played(tmp_path / "b.jsonl", [], loser=0)
    code, lines = diverged(one, other)
    assert (code, lines[0]) == (1, "first different action: the setup")


def test_equal_concessions_do_not_differ(tmp_path: Path) -> None:
    pair = [played(tmp_path / name, ["run"], loser=1) for name in ("a.jsonl", "b.jsonl")]
    assert diverged(*pair)[0] == 0


def test_a_record_with_a_concession_does_not_differ_from_its_log(tmp_path: Path) -> None:
    record = played(tmp_path / "a.jsonl", ["run"], loser=1)
    assert diverged(record, log_of(record))[0] == 0


def test_the_first_draw_and_the_first_action_that_differ_are_shown(
    pair: tuple[Path, Path],
) -> None:
    one, other = pair
    done = here("diverge", one, other, "--game", RACE)
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout == (
        f"A: {one}: {OLD}\n"
        f"B: {other}: {OLD}\n"
        "first different draw: draw 9, in step 3\n"
        "  A: line 4: no further draw\n"
        "  B: line 4: dice/1 at 3: 1 of 0 to 5\n"
        "first different action: step 3\n"
        "  A: line 4: seat 2: walk\n"
        "  B: line 4: seat 2: run\n"
    )


def test_a_log_can_be_compared_with_a_record(pair: tuple[Path, Path]) -> None:
    one, other = pair
    logged = [
        "first different draw: draw 9, in step 3",
        "  A: line 13: no further draw",
        "  B: line 13: dice/1 at 3: 1 of 0 to 5",
        "first different action: step 3",
        "  A: line 13: seat 2: walk",
        "  B: line 15: seat 2: run",
    ]
    recorded = [logged[0], logged[1].replace("13", "4"), logged[2].replace("13", "4")]
    recorded += [logged[3], "  A: line 4: seat 2: walk", "  B: line 4: seat 2: run"]
    for first, files in ((log_of(one), logged), (one, recorded)):
        for second, texts in ((log_of(other), logged), (other, recorded)):
            lines = [files[0], files[1], texts[2], files[3], files[4], texts[5]]
            assert diverged(first, second) == (1, lines)


def test_records_and_logs_may_be_pipes(pair: tuple[Path, Path]) -> None:
    for one, other in (pair, map(log_of, pair)):
        with piped(one.read_bytes()) as first, piped(other.read_bytes()) as second:
            assert diverged(Path(first), Path(second)) == diverged(one, other)


@pytest.mark.parametrize("moves", [[], ["run", "walk", 1, "run", "run", 2, "walk"]])
def test_a_match_is_equal_to_its_log_and_to_its_replay(
    moves: list[str | int], tmp_path: Path
) -> None:
    record = played(tmp_path / "a.jsonl", moves)
    twin = played(tmp_path / "b.jsonl", moves, seed="  old OAK ")
    draws = log_of(record).read_text().count('"stream"')
    for other in (record, log_of(record), twin, log_of(twin)):
        assert diverged(record, other) == (
            0,
            [f"nothing differs: {len(moves)} steps, {draws} draws"],
        )


def test_the_shorter_of_two_matches_is_reported_as_ended(tmp_path: Path) -> None:
    long = played(tmp_path / "a.jsonl", ["walk", "walk", 1])
    short = played(tmp_path / "b.jsonl", ["walk", "walk"])
    action = "first different action: step 3"
    taken_back = "  B: line 4: 1 action undone"
    assert diverged(short, long) == (1, [action, "  A: it has ended", taken_back])


def test_different_seeds_options_and_seats_are_reported(tmp_path: Path) -> None:
    one = played(tmp_path / "a.jsonl", ["walk"])
    other = played(tmp_path / "b.jsonl", ["walk"], seed="New Oak", seats=3, goal=50)
    status, lines = diverged(one, other)
    assert status == 1
    assert lines[:3] == [
        "options differs: A {'goal': 40, 'start': 'anywhere'}, B {'goal': 50, 'start': 'anywhere'}",
        "seed differs: A 'Old Oak', B 'New Oak'",
        "seats differs: A 2, B 3",
    ]
    assert lines[3] == "first different draw: draw 1, in the setup"
    assert lines[4].startswith("  A: line 1: start at 0: ")


def test_other_rules_are_found_at_the_first_draw(tmp_path: Path) -> None:
    rules = changed(tmp_path / "other.py", ("dice.roll(6, 2)", "dice.roll(8, 2)"), game=RACE)
    one = played(tmp_path / "a.jsonl", ["walk", "run"])
    other = played(tmp_path / "b.jsonl", ["walk", "run"], game=rules)
    assert diverged(one, log_of(other)) == (
        1,
        [
            "first different draw: draw 5, in step 2",
            "  A: line 3: dice/0 at 0: 3 of 0 to 5",
            "  B: line 8: dice/0 at 0: 4 of 0 to 7",
        ],
    )


def test_rules_with_equal_draws_are_found_by_the_state(tmp_path: Path) -> None:
    rules = changed(tmp_path / "other.py", ("+= steps", "+= steps + (steps == 4)"), game=RACE)
    moves = ["walk"] * 6
    one = played(tmp_path / "a.jsonl", moves)
    other = played(tmp_path / "b.jsonl", moves, game=rules)
    status, lines = diverged(one, log_of(other))
    assert status == 1
    assert lines[0].startswith("first different state: after step ")
    step = int(lines[0].rsplit(maxsplit=1)[1])
    assert lines[1].startswith(f"  A: line {step + 1}: seat ")
    assert len(lines) == 3


def test_the_actions_of_a_record_that_does_not_replay_are_compared(
    tmp_path: Path,
) -> None:
    slow = ('PACES = ("walk", "run")', 'PACES = ("walk",)')
    rules = changed(tmp_path / "slow.py", NEWER, slow, game=RACE)
    record = played(tmp_path / "a.jsonl", ["walk", "run", "walk"])
    other = played(tmp_path / "b.jsonl", ["walk", "run", "run"])
    status, lines = diverged(record, other, rules)
    assert status == 1
    for name, (fault, remark) in {"A": lines[:2], "B": lines[2:4]}.items():
        assert tells(fault, f"{name} ... : line 3: action 2, 'run', ... 'run' ... walk")
        assert tells(remark, f"  ... draws of {name} ... unknown")
    assert lines[4:] == [
        "first different action: step 3",
        "  A: line 4: seat 2: walk",
        "  B: line 4: seat 2: run",
    ]
    same = diverged(record, record, rules)
    assert same[0] == 1
    assert same[1][-1] == "nothing else differs: 3 steps, 4 draws"


def test_an_action_that_was_not_completed_is_named(tmp_path: Path) -> None:
    record = played(tmp_path / "a.jsonl", ["walk"])
    text = log_of(record).read_text()
    cut = tmp_path / "cut.log"
    cut.write_text(text[: text.index('{"ply":1')])
    assert diverged(cut, record) == (
        1,
        [
            "first different action: step 1",
            "  A: line 6: an action that was not completed",
            "  B: line 2: seat 2: walk",
        ],
    )


def test_damaged_and_foreign_files_are_failures(tmp_path: Path, pair: tuple[Path, Path]) -> None:
    one, other = pair
    log_of(one).write_text(log_of(one).read_text() + "nothing\n")
    other.write_text(other.read_text().replace('"walk"', '"fly"', 1) + "[]\n")
    letter = tmp_path / "letter"
    letter.write_text("Dear Ann,\n")
    for file, complaint in (
        (log_of(one), "line 16 ... JSON"),
        (other, "line 5 ... JSON"),
        (letter, "line 1: "),
        (tmp_path, "Is a directory"),
    ):
        for files in ((file, one), (one, file)):
            said = refused("diverge", *files, "--game", RACE, status=1)
            assert said.startswith(f"tabletop: {file}: ")
            assert tells(said, complaint)
