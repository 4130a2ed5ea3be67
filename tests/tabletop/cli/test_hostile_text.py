"""Untrusted text in the real programs: it never controls a terminal or a spreadsheet."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from importlib import import_module
from pathlib import Path

import pexpect
import pytest

from tabletop.host.screen_text import csv_cell
from tabletop.records import read
from tabletop.scores import ScoreBook
from tests.program_runs import run_here
from tests.tabletop.cli.program import TICTACTOE, WIN, at_terminal, changed, here, refused, shown
from tests.tabletop.scoresheets import SHEET

EVIL = "\x1b]0;p\x07\x1b[2J\x9b31m\b\r\x7f\u202eevil\u2066\u2028!"
"""Titles, colours, backspace, overrides, isolates, separators."""

OBEYED = [*map(chr, [*range(10), *range(11, 32), *range(127, 160)]), *"\u202e\u2066\u2028\u2029"]


def assert_harmless(*texts: str) -> None:
    for text in texts:
        assert [letter for letter in OBEYED if letter in text] == []


def test_names_seeds_and_paths_are_escaped_during_a_match(tmp_path: Path) -> None:
    path = tmp_path / f"m{EVIL.replace('/', '')}.jsonl"
    words = ["--seed", f"s{EVIL}", "--name", f"n{EVIL}", "--record", path]
    game = ["--game", TICTACTOE]
    for command in (
        ["play", TICTACTOE, *words],
        ["resume", path, *game],
        ["replay", path, *game],
        ["replay", path, *game, "--verify"],
        ["diverge", path, path, *game],
    ):
        done = here(*command, typed="1\nseed\nquit\n")
        assert done.returncode == 0
        assert "evil" in done.stdout
        assert_harmless(done.stdout, done.stderr)
    assert read(path).header.seed == f"s{EVIL}"  # what is kept is what was given


def test_names_seeds_and_paths_add_no_lines(tmp_path: Path) -> None:
    path = tmp_path / "m\nforged.jsonl"
    words = ["--name", "Ann\nforged wins", "--seed", "oak\nforged", "--record", path]
    for done in (
        here("play", TICTACTOE, *words, typed=f"seed\n{WIN}"),
        here("replay", path, "--game", TICTACTOE),
        here("replay", path, "--game", TICTACTOE, "--verify"),
        here("diverge", path, path, "--game", TICTACTOE),
        here("scores"),
    ):
        assert done.returncode == 0
        assert "forged" in done.stdout
        assert [line for line in done.stdout.splitlines() if line.startswith("forged")] == []


@pytest.mark.parametrize(
    "arguments",
    [
        [EVIL],
        ["games", EVIL],
        ["play", EVIL],
        ["play", f"{EVIL}.py"],
        ["play", "lcr", "--option", f"course-seed={EVIL}"],
        ["play", "lcr", "--bot", f"1={EVIL}"],
        ["play", "lcr", "--seats", EVIL],
        ["replay", EVIL],
        ["scores", EVIL],
        ["scores", "--seed", EVIL],
        ["catalog", "lcr", "--where", EVIL],
    ],
)
def test_arguments_are_quoted_and_escaped(arguments: list[str]) -> None:
    done = here(*arguments)
    assert done.stdout + done.stderr
    assert_harmless(done.stdout, done.stderr)


def test_errors_of_loaded_code_and_titles_are_escaped(tmp_path: Path) -> None:
    game = tmp_path / "game.py"
    evil = f"{EVIL}a\nb"
    game.write_text(f"raise ValueError({evil!r})\n")
    said = refused("play", game)
    assert len(said.splitlines()) == 1
    assert_harmless(said)
    game = changed(tmp_path / "titled.py", ('"Tic-tac-toe"', repr(EVIL)))
    assert_harmless(shown("play", game, "--no-record", "--no-score", typed=WIN))


@pytest.mark.parametrize(
    ("program", "arguments", "typed"),
    [
        ("sorcery", [f"-{EVIL}"], ""),
        ("sorcery", ["-deck1", "evil.txt"], ""),
        ("sorcery", ["-seed", EVIL, "-bot", "all"], ""),
        ("sorcery", [], f"{EVIL}\n{EVIL}\n{EVIL}\nquit\n"),
        ("constructor", ["-board", "evil.txt"], ""),
        ("constructor", ["-load", "evil.txt"], ""),
        ("constructor", ["-bot", EVIL], ""),
        ("constructor", [], f"{EVIL}\n"),
        ("lcr", ["--names", "evil.txt"], ""),
        ("lcr", ["--names", "names.txt", "--seed", "1", "--players", "3"], ""),
    ],
)
def test_the_programs_of_the_games_escape_texts(
    program: str,
    arguments: list[str],
    typed: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "evil.txt").write_text(f"{EVIL}\n")
    (tmp_path / "names.txt").write_text("Ann \u202eevil\nBob\nEve\u2028\n")
    printed = run_here(import_module(f"{program}.program.cli").main, arguments, typed)
    assert printed.stdout + printed.stderr
    assert_harmless(printed.stdout, printed.stderr)


@pytest.mark.slow
def test_a_real_terminal_gets_escaped_texts() -> None:
    with at_terminal("play", TICTACTOE, "--no-record", "--name", f"n{EVIL}") as program:
        program.expect("evil[^\n]*> ")
        program.sendline("quit")
        program.expect(pexpect.EOF)
        assert_harmless((program.before or "").replace("\r\n", "\n"))


# JSON and CSV.


def test_json_escapes_control_characters(book: Path) -> None:
    ScoreBook(book).add(replace(SHEET, seed=EVIL, seats=("möglich", EVIL)))
    done = here("scores", "--json")
    assert done.stdout.isascii()
    assert_harmless(done.stdout)
    [sheet] = json.loads(done.stdout)
    assert (sheet["seed"], sheet["seats"]) == (EVIL, ["möglich", EVIL])
    done = here("catalog", "lcr", "--json", "--seeds", EVIL)
    assert done.stdout.isascii()
    assert json.loads(done.stdout)[0]["seed"] == EVIL


@pytest.mark.parametrize("first", ["=", "-", "\t", " =", "\uff1d"])
def test_csv_contains_no_formulas(first: str, book: Path) -> None:
    formula = f"{first}HYPERLINK(1)"
    ScoreBook(book).add(replace(SHEET, seed=formula, seats=("Ann", formula), options={formula: 1}))
    catalog = here("catalog", "lcr", "--csv", f"--seeds={formula}")
    for done in (here("scores", "--csv"), catalog):
        assert done.returncode == 0
        for row in csv.reader(io.StringIO(done.stdout)):
            for cell in row:
                for part in cell.split("; "):
                    assert not part.lstrip(" ").startswith(tuple("=+@\t\r\uff1d")), cell
                    assert not part.startswith("-H"), cell


@pytest.mark.parametrize(
    ("value", "cell"),
    [
        *((it, it) for it in (-3, 2.5, "-3", "+3", "-2.50", "old oak", "a=b", "3-4", None)),
        ("=1+1", "'=1+1"),
        ("-1+1", "'-1+1"),
        ("oak;=1+1; =2;-3", "oak;'=1+1;' =2;-3"),
        ("a\x1bb\nc", "a\N{REPLACEMENT CHARACTER}b\N{REPLACEMENT CHARACTER}c"),
    ],
)
def test_a_csv_cell_like_a_formula_starts_with_an_apostrophe(value: object, cell: object) -> None:
    assert csv_cell(value) == cell
