"""The program `lcr`, whose output equals that of the course's program."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.forked import start
from tests.lcr.programs import (
    NAMES,
    PLAYERS_COMPLAINT,
    PLAYERS_PROMPT,
    SEED_COMPLAINT,
    SEED_PROMPT,
    course_lines,
    course_program,
    goldens,
    run,
)
from tests.program_runs import PYTHON, Printed, piped, process
from tests.tabletop.cli.program import shown
from tests.tabletop.told import tells

from lcr import GAME
from lcr.program.cli import main
from tabletop.host import utc_now
from tabletop.records import read, replay
from tabletop.scores import WEEKLY
from tabletop.scores.sheets import seed_of_today

GOLDENS = goldens()
LCR = [*PYTHON, "-m", "lcr"]
TOKENS = st.one_of(
    st.sampled_from([b"-", b"+", b" ", b"\n", b"\t", b"\v", b"\f", b"\r", b"\0", b"x", b"\xa0"]),
    st.integers(-1, 12).map(lambda number: str(number).encode()),
    st.integers(-(2**65), 2**65).map(lambda number: str(number).encode()),
    st.sampled_from([2**31, 2**32, 2**63, 2**64]).flatmap(
        lambda bound: st.integers(bound - 12, bound + 12).map(lambda number: str(number).encode())
    ),
    st.binary(max_size=3),
)


@pytest.mark.parametrize(("stdin", "printed"), GOLDENS)
def test_output_equals_the_reference_program(stdin: bytes, printed: Printed) -> None:
    assert run(stdin=stdin) == printed


def test_model_agrees_with_the_reference_program() -> None:
    assert len(GOLDENS) == 40
    assert [course_program(stdin) for stdin, _ in GOLDENS] == [printed for _, printed in GOLDENS]


@pytest.mark.slow
@settings(deadline=None, max_examples=60)
@given(st.lists(TOKENS, max_size=6).map(b"".join))
def test_output_equals_the_model_for_any_input(stdin: bytes) -> None:
    assert run(stdin=stdin) == course_program(stdin)


@pytest.mark.parametrize(
    "stdin",
    [
        b"",
        b"4 9",
        b"+4\n+9",
        b"\xff\xfe\x00\n\x80",
        b"\xef\xbb\xbf4 9",
        b"\xc2\xa05\n42\n",
        bytes(range(256)),
        b"4294967299 4294967296",
        b"5\n" + b"9" * 100_000,
        b"\n" * 100_000 + b"5",
    ],
)
def test_junk_and_unusual_numbers_are_read_as_in_c(stdin: bytes) -> None:
    assert run(stdin=stdin) == course_program(stdin)


def test_the_number_of_players_and_the_seed_can_be_given_as_options() -> None:
    assert run("--players", "5", "--seed", "42") == Printed(course_lines(5, 42), "")


@pytest.mark.slow
def test_standard_input_is_not_read_if_both_numbers_are_options() -> None:
    with start(main, "--players", "3", "--seed", "784") as program:
        assert program.stdout is not None
        assert program.stdout.read() == course_lines(3, 784)
        assert program.wait() == 0


def test_only_missing_values_are_prompted() -> None:
    printed = run("--players", "6", stdin=b"7")
    assert printed == Printed(SEED_PROMPT + course_lines(6, 7), "")
    printed = run("--seed", "4294967295", stdin=b"12")
    assert printed == Printed(PLAYERS_PROMPT + course_lines(3, 2**32 - 1), PLAYERS_COMPLAINT)


def test_a_file_of_names_may_be_a_pipe() -> None:
    with piped("Zoe\nLukasz\nAnn\n") as names:
        printed = run("--players", "3", "--seed", "5", "--names", names)
    assert printed == Printed(course_lines(3, 5, ("Zoe", "Lukasz", "Ann")), "")


def test_a_file_of_names_replaces_those_of_the_course(tmp_path: Path) -> None:
    names = ("Zoë", "Łukasz", "李", "Ann")
    file = tmp_path / "names"
    file.write_text("\n".join(names), "utf-8")
    printed = run("--names", str(file), stdin=b"4 5")
    assert printed == Printed(PLAYERS_PROMPT + SEED_PROMPT + course_lines(4, 5, names), "")


@pytest.mark.slow
def test_characters_that_the_output_cannot_encode_are_replaced(tmp_path: Path) -> None:
    file = tmp_path / "names"
    file.write_text("Zoë\n李\nAnn\n", "utf-8")
    printed = process(
        "lcr", "--names", str(file), typed=b"3 5", environment={"PYTHONIOENCODING": "ascii"}
    )
    lines = course_lines(3, 5, ("Zo?", "?", "Ann"))
    assert printed == Printed(PLAYERS_PROMPT + SEED_PROMPT + lines, "")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--players", "2"], "--players '2': ... 3 to 11"),
        (["--players", "12"], "--players '12': ... 3 to 11"),
        (["--players", "5x"], "--players '5x': ... 3 to 11"),
        (["--players", ""], "--players '': ... 3 to 11"),
        (["--seed", "-1"], "--seed '-1': ... 0 to 4294967295"),
        (["--seed", "4294967296"], "--seed '4294967296': ... 0 to 4294967295"),
        (["--seed", "1", "--weekly"], "-weekly ... -seed ... week"),
        (["--names", "no/such"], "--names 'no/such': No such file or directory"),
    ],
)
def test_invalid_option_is_refused_with_a_one_line_error(
    arguments: list[str], message: str
) -> None:
    printed = run(*arguments)
    assert tells(printed.stderr, f"lcr: {message}")
    assert (printed.stdout, printed.stderr.count("\n"), printed.status) == ("", 1, 2)


def test_a_folder_is_no_file_for_a_record() -> None:
    printed = run("--record", ".")
    assert (printed.stdout, printed.status) == ("", 2)
    assert "'.' is a folder" in printed.stderr


def test_an_unknown_option_is_refused() -> None:
    printed = run("--player", "5")
    assert printed.status == 2
    assert tells(printed.stderr, "lcr: error: ... --player 5; ... '--players'?\n")


def test_fewer_names_than_players_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "names"
    file.write_text("a\nb\nc\nd\n")
    message = f"lcr: --names {str(file)!r}: 4 names are too few for 5 players\n"
    assert run("--names", str(file), "--players", "5") == Printed("", message, 2)
    asked = run("--names", str(file), stdin=b"5\n1\n")
    assert asked == Printed(PLAYERS_PROMPT, message, 2)


@pytest.mark.slow
def test_complaints_appear_after_their_prompts() -> None:
    printed = shell("LCR 2>&1")
    text = PLAYERS_PROMPT + PLAYERS_COMPLAINT + SEED_PROMPT + SEED_COMPLAINT
    assert printed == Printed(text + course_lines(3, 4823), "")


def shell(command: str) -> Printed:
    """Run the program with redirected streams, as a shell does."""
    program = " ".join(f"'{word}'" for word in LCR)
    done = subprocess.run(
        ["/bin/sh", "-c", command.replace("LCR", program)],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
    )
    return Printed(done.stdout.decode(), done.stderr.decode(), done.returncode)


def test_text_seed_always_gives_the_same_dice() -> None:
    lines = run("--players", "3", "-seed", "two cats")
    assert lines == run("-players", "3", "--seed", "two cats")
    assert lines.stdout.endswith(" won!\n")
    assert lines.stdout != run("--players", "3", "--seed", "two dogs").stdout


def test_weekly_and_daily_seeds_are_shared() -> None:
    weekly, daily = (run("--players", "3", option) for option in ("-weekly", "--daily"))
    by_hand = run("--players", "3", "--seed", seed_of_today(WEEKLY, utc_now().date()))
    assert weekly.stdout == by_hand.stdout
    assert weekly.stdout != daily.stdout
    assert daily.stdout.endswith(" won!\n")


@pytest.fixture
def first_of_december(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Set a fixed date and an empty directory for scores."""
    monkeypatch.setenv("TABLETOP_NOW", "2026-12-01")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))


@pytest.mark.usefixtures("first_of_december")
@pytest.mark.parametrize(("option", "seed"), [("-weekly", "2026-W49"), ("--daily", "2026-12-01")])
def test_weekly_and_daily_seed_is_printed_on_standard_error(option: str, seed: str) -> None:
    assert seed in run("--players", "3", option).stderr


@pytest.mark.usefixtures("first_of_december")
@pytest.mark.parametrize("recorded", [[], ["--record", "game.jsonl"]])
@pytest.mark.parametrize("contest", ["weekly", "daily"])
def test_weekly_and_daily_matches_are_ranked(
    contest: str, recorded: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    played = run("--players", "3", f"--{contest}", *recorded)
    board = shown("scores", "lcr", f"--{contest}").splitlines()
    assert len(board) == 2
    assert played.stdout.splitlines()[-1].removesuffix(" won!") in board[1]


@pytest.mark.usefixtures("first_of_december")
def test_match_with_another_seed_has_no_score() -> None:
    run("--players", "3", "--seed", "old oak")
    assert shown("scores", "lcr") == shown("scores", "constructor")


@pytest.mark.parametrize("seed", ["784", "old oak"])
def test_a_recorded_match_replays_exactly(seed: str, tmp_path: Path) -> None:
    file = tmp_path / "game.jsonl"
    played = run("--players", "4", "--seed", seed, "--record", str(file))
    match = replay(read(file), GAME)
    assert match.outcome is not None
    winner = match.names[match.outcome.winners[0]]
    assert played.stdout.endswith(f"\n{winner} won!\n")


def test_record_does_not_replace_an_existing_file(tmp_path: Path) -> None:
    file = tmp_path / "game.jsonl"
    file.write_text("precious")
    printed = run("--record", str(file))
    assert printed.status == 1
    assert printed.stdout == "", "no question is asked"
    assert file.read_text() == "precious"


@pytest.mark.slow
@pytest.mark.parametrize(
    "options", ["", pytest.param("--players 3 --seed 4823", marks=pytest.mark.matrix)]
)
def test_closed_pipe_is_not_a_failure(options: str) -> None:
    printed = shell(f"{{ LCR {options}; echo $? >&2; }} | :")
    complaints = "" if options else PLAYERS_COMPLAINT + SEED_COMPLAINT
    assert printed == Printed("", f"{complaints}0\n")


STREAMS = [
    "<&- >&- 2>&-",
    ">/dev/full",
    pytest.param("2>&-", marks=pytest.mark.matrix),
    pytest.param("2>/dev/full", marks=pytest.mark.matrix),
]


@pytest.mark.slow
@pytest.mark.parametrize("closed", STREAMS)
def test_status_is_0_with_closed_streams(closed: str) -> None:
    printed = shell(f"LCR {closed}")
    stdout = PLAYERS_PROMPT + SEED_PROMPT + course_lines(3, 4823)
    complaints = PLAYERS_COMPLAINT + SEED_COMPLAINT
    assert printed == Printed(
        "" if " >" in f" {closed}" else stdout, "" if "2>" in closed else complaints
    )


@pytest.mark.slow
def test_full_disk_is_a_failure_with_options() -> None:
    message = "lcr: output: No space left on device\n"
    assert shell("LCR --players 3 --seed 1 >/dev/full") == Printed("", message, 1)


@pytest.mark.slow
def test_installed_command_runs_the_module() -> None:
    command = Path(sys.executable).with_name("lcr")
    done = subprocess.run(
        [command, "--players", "11", "--seed", "1"], capture_output=True, check=False
    )
    assert done.stdout.decode() == course_lines(11, 1)
    assert NAMES[10] in course_lines(11, 1)
