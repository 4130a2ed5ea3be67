"""`tabletop catalog`: the real program."""

from __future__ import annotations

import csv
import io
import json
import sys
from pathlib import Path
from typing import Any

import pexpect
import pytest

from tabletop.registry import load
from tests.tabletop.cli.program import TICTACTOE, Done, here
from tests.terminals import spawn

pytestmark = pytest.mark.usefixtures("_ignoring_signals")

COLUMNS = ["seed", "winner", "turns", "rolls"]


def read_csv(done: Done) -> list[dict[str, str]]:
    assert (done.returncode, done.stderr) == (0, "")
    return list(csv.DictReader(io.StringIO(done.stdout)))


def test_csv_json_and_the_table_hold_the_same() -> None:
    as_csv = read_csv(here("catalog", "lcr", "--seeds", "1..9", "old oak", "--csv"))
    as_json = json.loads(here("catalog", "lcr", "--seeds", "1..9", "old oak", "--json").stdout)
    table = here("catalog", "lcr", "--seeds", "1..9", "old oak").stdout.splitlines()
    assert [row["seed"] for row in as_csv] == [*"123456789", "old oak"]
    assert [{name: str(value) for name, value in row.items()} for row in as_json] == as_csv
    assert {type(row["turns"]) for row in as_json} == {int}
    assert [line.rsplit(None, 3) for line in table] == [
        COLUMNS,
        *(list(r.values()) for r in as_csv),
    ]


def test_boards_where_a_resource_has_the_most_pips_can_be_asked_for() -> None:
    words = ("catalog", "constructor", "--seeds", "1..200", "--csv")
    everything = read_csv(here(*words))
    asked = read_csv(here(*words, "--where", "most=WIFI", "--where", "wifi_pips >= 13"))
    assert 0 < len(asked) < 200
    assert asked == [
        row for row in everything if row["most"] == "WIFI" and int(row["WIFI_pips"]) >= 13
    ]


def test_a_table_says_how_many_of_the_seeds_fit() -> None:
    lines = here("catalog", "lcr", "--seeds", "1..1500", "--where", "winner=2").stdout.splitlines()
    assert lines[-1] == f"{len(lines) - 2:,} of 1,500 seeds"
    assert here("catalog", "lcr", "--where", "winner=9").stdout == "0 of 20 seeds\n"


def test_no_row_is_an_empty_list_and_a_heading() -> None:
    words = ("catalog", "lcr", "--where", "winner=9")
    assert json.loads(here(*words, "--json").stdout) == []
    assert here(*words, "--csv").stdout == "seed,winner,turns,rolls\n"


def test_a_long_table_has_a_heading_for_every_thousand_rows() -> None:
    lines = here("catalog", "lcr", "--seeds", "1..1001").stdout.splitlines()
    assert [number for number, line in enumerate(lines) if "winner" in line] == [0, 1001]


def test_twenty_seeds_are_shown_when_nobody_says_which() -> None:
    assert [row["seed"] for row in read_csv(here("catalog", "lcr", "--csv"))] == [
        str(seed) for seed in range(1, 21)
    ]


def test_seats_and_options_are_those_of_a_match() -> None:
    done = here("catalog", "lcr", "--seats", "5", "--option", "course-seed=4823", "--csv")
    assert len({tuple(row.values())[1:] for row in read_csv(done)}) == 1
    other = here("catalog", "lcr", "--seats", "6", "--option", "course-seed=4823", "--csv")
    assert read_csv(other) != read_csv(done)


def test_a_game_without_a_catalogue_is_a_failure() -> None:
    done = here("catalog", TICTACTOE)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "tabletop: tictactoe has no catalogue\n"


def test_a_game_of_ones_own_says_what_goes_in(tmp_path: Path) -> None:
    path = tmp_path / "coin.py"
    text = Path(TICTACTOE).read_text("utf-8")
    method = "    def catalog(self, match):\n        return {'cells': len(match.state.cells)}\n"
    path.write_text(
        text.replace("\nGAME =", f"\n{method}\nGAME =").replace("\n\n\n    def", "\n    def")
    )
    assert load(str(path)).game.name == "tictactoe"
    done = here("catalog", str(path), "--seeds", "1..2", "--csv")
    assert done.stdout == "seed,cells\n1,9\n2,9\n"


def at_terminal(*arguments: str, stdout: str = "") -> Any:
    """The program at a terminal, its output in a file when one is named."""
    script = '"$@"' + (f' > "{stdout}"' if stdout else "")
    words = ("-c", script, "sh", sys.executable, "-m", "tabletop", *arguments)
    return spawn("/bin/sh", *words, size=(40, 200))


@pytest.mark.slow
def test_a_terminal_shows_a_line_and_the_file_holds_the_rows_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "rows.csv"
    words = ("catalog", "sorcery", "--seeds", "1..600", "--csv")
    program = at_terminal(*words, stdout=str(path))
    program.expect("seeds: .*%")
    program.expect(pexpect.EOF)
    program.close()
    assert program.exitstatus == 0
    assert path.read_text("utf-8") == here(*words).stdout


@pytest.mark.slow
def test_the_line_is_wiped_away_before_a_table_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    program = at_terminal("catalog", "lcr", "--seeds", "1..1200")
    program.expect("seeds: .*%")
    program.expect(pexpect.EOF)
    program.close()
    plain = here("catalog", "lcr", "--seeds", "1..1200").stdout.splitlines()
    shown = program.before.replace("\r", "\n").split("\n")
    assert [line for line in shown if line in plain][-len(plain) :] == plain


@pytest.mark.slow
def test_the_line_is_wiped_away_when_there_is_no_row_to_show(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    program = at_terminal("catalog", "lcr", "--seeds", "1..1200", "--where", "turns<0")
    program.expect("seeds: .*%")
    program.expect(pexpect.EOF)
    program.close()
    wiped, _, said = program.before.strip().rpartition("\r")
    assert wiped
    assert said.strip() == "0 of 1,200 seeds"


@pytest.mark.slow
@pytest.mark.parametrize("form", ["--csv", "--where=turns>0"])
def test_an_interrupted_catalogue_is_a_failure_that_says_how_far_it_came(
    form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ("catalog", "lcr", "--seeds", "1..1000000", form)
    program = at_terminal(*words, stdout=str(tmp_path / "rows"))
    program.expect("seeds: .*%")
    program.sendintr()
    program.expect(r"tabletop: interrupted, and not complete: [\d,]+ of 1,000,000 seeds")
    program.expect(pexpect.EOF)
    program.close()
    assert program.exitstatus == 130 or program.signalstatus == 2  # what the shell makes of it


def test_seeds_are_utf_8_in_every_locale(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "C")
    monkeypatch.setenv("PYTHONUTF8", "0")
    monkeypatch.setenv("PYTHONCOERCECLOCALE", "0")
    plain = here("catalog", "lcr", "--seeds", "ÄRGER", "--csv").stdout.splitlines()[1]
    done = here("catalog", "lcr", "--seeds", "ärger", "--csv", "--where", "seed=ärger")
    assert done.stdout.splitlines()[1].split(",")[1:] == plain.split(",")[1:]
