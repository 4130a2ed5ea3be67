"""Options and files of the program `constructor` (Constructor §5)."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.constructor.programs import (
    DATA,
    LAYOUT,
    PICTURE,
    SETUP,
    backup,
    lines,
    pieces,
    run_here,
    save,
)
from tests.program_runs import piped
from tests.tabletop.cli.program import here as tabletop
from tests.tabletop.cli.program import shown
from tests.tabletop.told import tells

from constructor.program.cli import build_parser
from tabletop.records import read

ALL_WIFI = " ".join(["4 12"] * 19)


def first_board(*arguments: str) -> str:
    """Return the board that the program prints before the first question."""
    printed = run_here(arguments)
    assert (printed.stderr, printed.status) == ("", 0)
    return printed.stdout.partition("Builder")[0]


def refused(*arguments: str) -> str:
    """Return the error message for refused options, and check that no file has changed."""
    before = {path: path.stat().st_mtime_ns for path in Path.cwd().iterdir()}
    printed = run_here(arguments)
    assert (printed.stdout, printed.status) == ("", 2)
    assert printed.stderr.startswith("constructor: ")
    assert printed.stderr.count("\n") == 1
    assert {path: path.stat().st_mtime_ns for path in Path.cwd().iterdir()} == before
    return printed.stderr.removeprefix("constructor: ").rstrip("\n")


# Layouts (3.5.5, 3.8).


def test_without_a_layout_the_packaged_one_is_used(folder: Path) -> None:
    assert first_board().splitlines()[14:] == PICTURE.splitlines()[14:]


def test_a_layout_in_the_current_directory_is_used(folder: Path) -> None:
    (folder / "layout.txt").write_text(ALL_WIFI + "\n")
    assert first_board().count("WIFI") == 19
    assert backup(folder)[5:] == [ALL_WIFI]  # and without a PARK the geese are nowhere


def test_board_option_overrides_the_layout_in_the_current_directory(folder: Path) -> None:
    (folder / "layout.txt").write_text("no layout at all\n")
    (folder / "other layout").write_text("\ufeff" + ALL_WIFI.replace(" ", "\r\n"))
    assert first_board("-board", "other layout").count("WIFI") == 19


def test_board_option_overrides_random_board_in_any_order(folder: Path) -> None:
    (folder / "w.txt").write_text(ALL_WIFI)
    assert first_board("-random-board", "-board", "w.txt").count("WIFI") == 19
    assert first_board("--board=w.txt", "--random-board").count("WIFI") == 19


def test_random_board_uses_the_documents_tiles_and_depends_on_the_seed(folder: Path) -> None:
    boards = [first_board("-random-board", f"-seed={seed}") for seed in ("old oak", "", "-5") * 2]
    assert boards[:3] == boards[3:]
    assert len(set(boards)) == 3
    assert [boards[0].count(name) for name in ("WIFI", "HEAT", "BRICK", "ENERGY", "GLASS")] == [
        3,
        3,
        4,
        4,
        4,
    ]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (b"", "line 1: 0 numbers, ... 19 tiles ... 38"),
        (b"0 3\n1 x", "line 2: 'x' ... whole number"),
        (b"0 3\n\xff\xfe", "line 2: byte 0xff ... UTF-8"),
        (b"0 3 " * 300_000, "too long ... 1048576 bytes"),
    ],
)
def test_malformed_layout_error_names_the_line(text: bytes, why: str, folder: Path) -> None:
    (folder / "layout.txt").write_bytes(text)
    assert tells(refused(), f"'layout.txt': ... {why}")
    assert tells(refused("-board", "layout.txt"), f"-board 'layout.txt': ... {why}")


# Saves (3.7).


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "line 1: ... 0 of the 6 "),
        (save(rest="4\nmore\n"), "line 8: ... 'more'"),
        ("\x00\x01ELF\n" * 9, "line 1: ... builder ... 0 to 3"),
    ],
)
def test_malformed_save_error_names_the_line(text: str, why: str, folder: Path) -> None:
    (folder / "g.sv").write_text(text)
    assert tells(refused("-load", "g.sv"), f"-load 'g.sv': {why}")


def test_files_may_be_pipes(folder: Path) -> None:
    with piped(save(layout=ALL_WIFI)) as path:
        assert first_board("-load", path).count("WIFI") == 19
    with piped(ALL_WIFI) as path:
        assert first_board("-board", path).count("WIFI") == 19


def test_an_endless_device_is_refused(folder: Path) -> None:
    for option in ("-load", "-board"):
        assert tells(refused(option, "/dev/zero"), f"{option} '/dev/zero': ... too long")


def test_save_determines_the_board(folder: Path) -> None:
    (folder / "layout.txt").write_text("no layout")
    (folder / "g.sv").write_text(save(layout=ALL_WIFI, rest="3\n"))
    assert first_board("-random-board", "-load", "g.sv").count("WIFI") == 19
    assert backup(folder)[5:] == [ALL_WIFI, "3"]


@pytest.mark.parametrize("rest", ["", "\n", "-1\n", "-1\n\n \n"])
def test_old_saves_without_geese_load(rest: str, folder: Path) -> None:
    (folder / "g.sv").write_text(save(rest=rest))
    assert "GEESE" not in first_board("-load", "g.sv")
    assert backup(folder)[5:] == [LAYOUT]


# Damaged files.

WHOLE = {
    "-load": [
        (DATA / "savefile.txt").read_bytes(),
        f"{save()}variant living WIFI:3 -:20 -:20 -:20 -:-{' -:20' * 14}\n".encode(),
    ],
    "-board": [LAYOUT.encode(), b"4 12\n" * 19],
}
PIECES = [*b"r,h,B,0,-1,99,6,x,variant,1e3,+1,".split(b","), b"\xef", b"\n", b"\r"]


@pytest.mark.slow
@given(st.data())
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_damaged_file_loads_or_error_names_the_line(folder: Path, data: st.DataObject) -> None:
    option = data.draw(st.sampled_from(list(WHOLE)))
    whole = data.draw(st.sampled_from(WHOLE[option]))
    start, end = sorted(data.draw(st.tuples(*[st.integers(0, len(whole))] * 2)))
    damaged = whole[:start] + data.draw(st.sampled_from(PIECES)) + whole[min(end, start + 3) :]
    (folder / "damaged").write_bytes(data.draw(st.sampled_from([damaged, damaged[:start]])))
    (folder / "backup.sv").unlink(missing_ok=True)
    if run_here([option, "damaged"]).status == 0:
        kept = backup(folder)
        assert run_here(["-load", "backup.sv"]).status == 0
        assert backup(folder) == kept
    else:
        assert re.match(rf"{option} 'damaged': line [1-9]\d*: \S", refused(option, "damaged"))


# Invalid options.


@pytest.mark.parametrize("option", ["-load", "--board", "-log"])
def test_unreadable_file_is_refused(option: str, folder: Path) -> None:
    name = f"-{option.lstrip('-')}"
    assert refused(option, ".") == f"{name} '.': Is a directory"
    assert refused(option, "no/such") == f"{name} 'no/such': No such file or directory"


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["-load", "a", "-board", "b"], "-load ... -board "),
        (["-load", "a", "-variant", "rich"], "-load ... -variant "),
        (["-load"], "argument -load: expected one argument"),
        (["-seed"], "argument -seed: expected one argument"),
        (["-seeds", "5"], "no option '-seeds'; ... '-seed'?"),
        (["game"], "no option 'game'"),
        (["-weekly", "-seed", "x"], "-weekly ... -seed "),
        (["-weekly", "-load", "x"], "-weekly ... -load "),
        (["-board", "x", "-weekly"], "-weekly ... -board "),
        (["-daily", "-seed", "x"], "-daily ... -seed ... day"),
        (["-daily", "-weekly"], "-weekly ... -daily "),
        (["-pause", "-1"], "argument -pause: '-1' ... 0 to 3600"),
        (["-pause", "nan"], "argument -pause: 'nan' "),
        (["-record", "."], "argument -record: '.' ... folder"),
        (["-variant", "mad"], "argument -variant: invalid choice: 'mad'"),
        (["-bot", "Green"], "-bot 'Green': ... Blue, Red, Orange, Yellow, ... all"),
        (["-bot", "red=hal"], "-bot 'red=hal': ... 'hal'; ... builder,"),
    ],
)
def test_invalid_options_are_refused(arguments: list[str], why: str, folder: Path) -> None:
    assert tells(refused(*arguments), why)


# Seeds (5).

LINES = SETUP + lines("fair", "roll", "0", "Red", "next", "fair", "roll", "3", "Blue", "next")


def test_every_game_without_a_seed_is_the_same(folder: Path) -> None:
    runs = [run_here([], LINES), run_here([], LINES)]
    assert runs[0] == runs[1]
    assert "seed" not in runs[0].stdout


def test_new_seed_prints_a_fresh_phrase(folder: Path) -> None:
    told = [run_here(["-seed", word, "-random-board"]).stdout for word in ("new", "NEW")]
    seeds = [text.partition("\n")[0].removeprefix("Seed: ") for text in told]
    assert seeds[0] != seeds[1]
    for seed, text in zip(seeds, told, strict=True):
        assert len(seed.split()) == 3
        again = run_here(["-random-board", "-seed", seed]).stdout
        assert f"Seed: {seed}\n{again}" == text


@pytest.mark.parametrize("contest", ["weekly", "daily"])
def test_weekly_and_daily_matches_are_the_same_in_both_programs(
    contest: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TABLETOP_NOW", "2026-11-21")
    (folder / "layout.txt").write_text("0 3 " * 19)  # which is not of the week
    printed = run_here([f"-{contest}", "-record", "program.jsonl"], "0\n")
    tabletop("play", "constructor", f"--{contest}", "--record", "table.jsonl", typed="0\n")
    program, table = (read(folder / name).header for name in ("program.jsonl", "table.jsonl"))
    assert (program.seed, program.seed_origin) == (table.seed, contest)
    assert program.options == table.options
    assert program.options["fair"]
    assert program.options["random-board"]
    assert printed.stdout.startswith(f"Seed: {program.seed}\n")


@pytest.mark.slow
def test_finished_weekly_match_is_ranked_with_piped_input(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(folder))
    printed = run_here(["-weekly", "-bot", "all", "-record", "game.jsonl"])
    assert "Score" not in printed.stdout
    assert len(shown("scores", "constructor", "--weekly").splitlines()) == 2


# Dice (2.8).


def test_fair_option_forbids_loaded_dice(folder: Path) -> None:
    shown = pieces(run_here(["-fair"], SETUP + lines("load", "roll")).stdout)
    assert shown[9] == "This game is played with fair dice.\n"
    assert "Input a roll" not in shown[10]
    assert backup(folder)[0] == "0"


def test_fair_option_applies_to_resumed_games(folder: Path) -> None:
    (folder / "g.sv").write_text(save())
    shown = pieces(run_here(["-load", "g.sv", "-fair"], lines("load", "roll")).stdout)
    assert shown[1] == "This game is played with fair dice.\n"
    assert "Input a roll" not in shown[2]


def test_fair_option_applies_to_the_game_after_a_resumed_game(folder: Path) -> None:
    (folder / "g.sv").write_text(
        save(blue="0 0 0 0 0 r h 0 T 20 T 51 T 44 B", yellow="0 0 0 0 0 r h")
    )
    printed = run_here(["-load", "g.sv", "-fair"], f"yes\n{SETUP}load\n")
    assert printed.stdout.endswith("> This game is played with fair dice.\n> ")


# Help, version and closed streams.


def test_help_and_version_are_printed(folder: Path) -> None:
    for option in ("-h", "--help", "-help"):
        printed = run_here([option])
        assert (printed.stderr, printed.status) == ("", 0)
        for word in ("-seed", "-load", "-board", "-random-board", "-variant", "-bot", "-log"):
            assert word in printed.stdout
    assert run_here(["-version"]) == run_here(["--version"]) == run_here(["-V"])
    assert run_here(["-version"]).stdout.startswith("constructor 0.")


@pytest.mark.slow
def test_closed_streams_do_not_cause_a_failure(tmp_path: Path) -> None:
    command = f"'{sys.executable}' -m constructor"
    for closed in ("<&- >&- 2>&-", "| head -n 1"):
        done = subprocess.run(
            ["/bin/sh", "-c", f"{command} {closed}"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
            cwd=tmp_path,
        )
        assert (done.stderr, done.returncode) == (b"", 0), closed


# The parser of options (5).


def test_the_usage_line_has_every_option_with_one_dash() -> None:
    usage = " ".join(build_parser().format_usage().split())
    assert usage == (
        "usage: constructor [-h] [-version] [-seed TEXT] [-weekly | -daily] [-load FILE]"
        " [-board FILE] [-random-board] [-fair] [-variant NAME] [-bot COLOUR[=NAME]]"
        " [-pause SECONDS] [-log FILE] [-graphics] [-record FILE | -no-record | -resume [FILE]]"
    )


def test_options_may_have_two_dashes() -> None:
    typed = ["-pause", "0.5", "-bot", "red", "-bot=blue=random", "-fair", "-resume"]
    one = build_parser().read(typed)
    two = build_parser().read([f"-{word}" if word[0] == "-" else word for word in typed])
    assert one == two
    assert (one.pause, one.bot, one.fair, one.resume) == (0.5, ["red", "blue=random"], True, True)
