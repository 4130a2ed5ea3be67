"""`tabletop catalog`: the real program."""

from __future__ import annotations

import csv
import io
import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pexpect
import pytest

from tabletop.cli import main
from tests.signals import reset_signals
from tests.tabletop.cli.program import TICTACTOE, changed, refused, shown
from tests.terminals import at_terminal, left

pytestmark = pytest.mark.usefixtures("_ignoring_signals")

COLUMNS = ["seed", "winner", "turns", "rolls"]


def read_csv(*words: object) -> list[dict[str, str]]:
    """Return the rows of a catalogue."""
    return list(csv.DictReader(io.StringIO(shown("catalog", *words, "--csv"))))


def test_csv_json_and_the_table_contain_the_same_rows() -> None:
    words = ("lcr", "--seeds", "1..9", "old oak")
    as_csv = read_csv(*words)
    as_json = json.loads(shown("catalog", *words, "--json"))
    table = shown("catalog", *words).splitlines()
    assert [row["seed"] for row in as_csv] == [*"123456789", "old oak"]
    assert [{name: str(value) for name, value in row.items()} for row in as_json] == as_csv
    assert {type(row["turns"]) for row in as_json} == {int}
    cells = [line.rsplit(None, 3) for line in table]
    assert cells == [COLUMNS, *(list(row.values()) for row in as_csv)]


def test_conditions_find_boards_by_their_most_frequent_resource() -> None:
    words = ("constructor", "--seeds", "1..200")
    asked = read_csv(*words, "--where", "most=WIFI", "--where", "wifi_pips >= 13")
    assert 0 < len(asked) < 200
    assert asked == [
        row for row in read_csv(*words) if row["most"] == "WIFI" and int(row["WIFI_pips"]) >= 13
    ]


def test_a_table_with_conditions_has_the_number_of_matching_seeds() -> None:
    lines = shown("catalog", "lcr", "--seeds", "1..30", "--where", "winner=2").splitlines()
    assert lines[-1] == f"{len(lines) - 2:,} of 30 seeds"


def test_twenty_seeds_are_listed_by_default() -> None:
    assert [row["seed"] for row in read_csv("lcr")] == [str(seed) for seed in range(1, 21)]
    words = ("catalog", "lcr", "--where", "winner=9")
    assert shown(*words) == "0 of 20 seeds\n"
    assert json.loads(shown(*words, "--json")) == []
    assert shown(*words, "--csv") == "seed,winner,turns,rolls\n"


def test_a_catalogue_needs_the_method_catalog(tmp_path: Path) -> None:
    message = refused("catalog", TICTACTOE, status=1)
    assert message.startswith("tabletop: tictactoe ")
    assert (message.count("\n"), "catalogue" in message) == (1, True)
    method = "    def catalog(self, match):\n        return {'cells': len(match.state.cells)}\n"
    start = "    def outcome(self"
    path = changed(tmp_path / "coin.py", (start, f"{method}\n{start}"))
    message = shown("catalog", path, "--seeds", "1..2", "--csv")
    assert message == "seed,cells\n1,9\n2,9\n"


@contextmanager
def with_progress(
    *arguments: str, first: Callable[[], None] = reset_signals
) -> Iterator[pexpect.spawn[str]]:
    """Run the program at a terminal, where it shows its progress."""
    with at_terminal(main, "catalog", *arguments, size=(40, 200), first=first) as program:
        program.expect(r"seeds: \[#* *\] [\d,]+ of [\d,]+, \d+%")
        yield program


@pytest.mark.slow
def test_progress_is_shown_at_the_terminal_and_not_in_the_file(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    words = ("sorcery", "--seeds", "1..300", "--csv")

    def write_to_file() -> None:
        os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT), 1)

    with with_progress(*words, first=write_to_file) as program:
        left(program)
    assert path.read_text("utf-8") == shown("catalog", *words)


@pytest.mark.slow
def test_the_progress_line_is_removed_before_a_table() -> None:
    words = ("lcr", "--seeds", "1..600")
    plain = shown("catalog", *words).splitlines()
    with with_progress(*words) as program:
        program.expect(pexpect.EOF)
        lines = (program.before or "").replace("\r", "\n").split("\n")
    assert [line for line in lines if line in plain][-len(plain) :] == plain


@pytest.mark.slow
def test_an_interrupted_catalogue_reports_the_number_of_seeds() -> None:
    with with_progress("lcr", "--seeds", "1..1000000") as program:
        program.sendintr()
        program.expect(r"tabletop: interrupted after [\d,]+ of 1,000,000 seeds")
        left(program, 130)
