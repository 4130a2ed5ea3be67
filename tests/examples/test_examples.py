"""Every example keeps the contract, or runs, warnings being errors, as its golden file says.

A golden file is written anew with `python examples/NAME.py > tests/golden/examples/NAME.txt`; read
what has changed before you commit it.
"""

from __future__ import annotations

import ast
import re
import runpy
import subprocess
import sys
from collections.abc import Iterable
from io import StringIO
from pathlib import Path

import pytest
from tests.pages import blocks, unmeasured
from tools.gallery import MOMENTS, PAGES, drawn, page_picture

from tabletop.registry import installed, load
from tabletop.studies import Series
from tabletop.testing import check_game

ROOT = Path(__file__).parents[2]
GOLDEN = ROOT / "tests" / "golden" / "examples"
DEMO = ROOT / "examples" / "demo.py"
EXAMPLES = sorted(path for path in (ROOT / "examples").glob("*.py") if path != DEMO)
RUNNING = [path for path in EXAMPLES if "__main__" in path.read_text("utf-8")]
WHOLE = [
    ROOT / "examples" / f"{name}.py"
    for name in ("beacons", "deck_builder", "flotsam", "go", "harbour", "nettles", "vacant_chair")
]
GAMES = [path for path in EXAMPLES if "\nGAME = " in path.read_text("utf-8")]


@pytest.mark.slow
@pytest.mark.parametrize("path", RUNNING, ids=lambda path: path.stem)
def test_an_example_prints_what_its_golden_file_says(
    path: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", [str(path)])
    monkeypatch.setattr(sys, "stdin", StringIO())
    runpy.run_path(str(path), run_name="__main__")
    assert capsys.readouterr() == ((GOLDEN / f"{path.stem}.txt").read_text("utf-8"), "")


def test_every_golden_file_is_that_of_an_example() -> None:
    assert [path.stem for path in sorted(GOLDEN.iterdir())] == [path.stem for path in RUNNING]


def check_example(path: Path, plies: int) -> None:
    plugin = load(str(path))
    matches = min(2, len(plugin.game.seats))
    report = check_game(plugin.game, matches=matches, plies=plies, stop=True, bots=plugin.bots)
    assert report.matches == matches


@pytest.mark.slow
@pytest.mark.usefixtures("short_checks")
@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_the_game_of_an_example_keeps_the_contract(path: Path) -> None:
    check_example(path, plies=30)


@pytest.mark.slow
@pytest.mark.matrix
@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_the_game_of_an_example_passes_complete_checks(path: Path) -> None:
    check_example(path, plies=60)


@pytest.mark.slow
def test_the_demo_plays_and_verifies_a_game_of_each_kind_and_leaves_nothing_behind(
    tmp_path: Path,
) -> None:
    result = subprocess.run(
        [sys.executable, "-W", "error", str(DEMO)],
        cwd=tmp_path,
        env=unmeasured(),
        capture_output=True,
        encoding="utf-8",
        timeout=100,
        check=False,
    )
    assert (result.stderr, result.returncode) == ("", 0)
    games = ["tictactoe", *installed()]
    lines = result.stdout.splitlines()
    assert [line for line in lines if line.startswith("===")] == [f"=== {x} ===" for x in games]
    verified = [line.split(":")[0] for line in lines if line.endswith("actions replay exactly")]
    assert verified == [f"{game}.jsonl" for game in games]
    assert lines[-1] == f"{len(games)} of {len(games)} games played, recorded and verified."
    assert list(tmp_path.iterdir()) == []


def lines_of(nodes: Iterable[ast.stmt], lines: list[str]) -> int:
    """How many lines there are in some statements; empty ones are not counted."""
    return sum(
        bool(line.strip())
        for node in nodes
        for line in lines[node.lineno - 1 : node.end_lineno or node.lineno]
    )


def is_beside_the_rules(node: ast.stmt) -> bool:
    """Whether a statement is a text view, a bot, the rules in prose, or what runs the file."""
    if isinstance(node, ast.ClassDef):
        methods = {it.name for it in node.body if isinstance(it, ast.FunctionDef)}
        return "choose" in methods or any("TextView" in ast.unparse(it) for it in node.bases)
    if isinstance(node, ast.FunctionDef):
        return node.name == "main"
    if isinstance(node, ast.Assign):
        return ast.unparse(node.targets[0]) in {"GAME", "PLUGIN", "RULES"}
    return isinstance(node, ast.If | ast.Expr)


def is_for_bots(node: ast.stmt) -> bool:
    """Whether a statement is for bots that look ahead; people play without it."""
    return isinstance(node, ast.FunctionDef) and node.name in {
        "evaluate",
        "policy",
        "belief",
    }


@pytest.mark.parametrize("path", WHOLE, ids=lambda path: path.stem)
def test_two_thirds_of_a_whole_game_are_its_rules(path: Path) -> None:
    text = path.read_text("utf-8")
    lines, tree = text.splitlines(), ast.parse(text)
    machines = lines_of(filter(is_for_bots, tree.body), lines)
    beside = lines_of(filter(is_beside_the_rules, tree.body), lines)
    every = sum(map(bool, map(str.strip, lines))) - machines
    assert (every - beside) / every >= 2 / 3


LONG = pytest.param("constructor", marks=pytest.mark.slow)


@pytest.mark.parametrize("name", [*MOMENTS, "lcr", "sorcery", LONG])
def test_a_picture_shows_a_game_as_it_looks(name: str) -> None:
    shown = page_picture(name).read_text("utf-8")
    assert drawn(name) == shown, "draw it anew with python -m tools.gallery"


CARD = re.compile(r"\*\*\[.+\]\((\w+)\.md\)\*\*\n\n[^*]*?(\d+) lines\.")
"""A card of the gallery: the page of an example, and how many lines it has."""


def test_the_gallery_says_how_long_examples_are() -> None:
    cards = CARD.findall((PAGES / "index.md").read_text("utf-8"))
    lengths = {name: int(lines) for name, lines in cards}
    assert lengths.keys() >= MOMENTS.keys()
    for name, lines in lengths.items():
        assert length(ROOT / "examples" / f"{name}.py") == lines, name


def is_import(node: ast.stmt) -> bool:
    return isinstance(node, ast.Import | ast.ImportFrom)


def length(path: Path) -> int:
    """How many lines an example has; empty ones and imports are not counted."""
    text = path.read_text("utf-8")
    tree = ast.parse(text)
    lines = text.splitlines()
    imports = lines_of((it for it in tree.body if is_import(it)), lines)
    return sum(map(bool, map(str.strip, lines))) - imports


WIDEST = 72
"""Columns of code on a page."""


def test_what_pages_of_examples_show_fits_into_their_columns() -> None:
    for page in PAGES.glob("*.md"):
        for block in blocks(page):
            lines = block.text.splitlines()
            assert max(map(len, lines)) <= WIDEST, f"{page.name}:{block.line}"


def test_a_hand_of_kuhn_poker_is_measured() -> None:
    rows = Series.of(str(ROOT / "examples" / "kuhn_poker.py"), ["random"]).play(range(30))
    assert {row["bets"] for row in rows} == {0, 1, 2}
    for row in rows:
        assert (row["bets"] == 2) == (max(row["points"]) == 2)
        [one], [other] = row["cards"]
        assert {one, other} < {"jack", "queen", "king"}
        if row["bets"] != 1:  # nobody gave up: the higher card wins
            names = ["jack", "queen", "king"]
            assert row["winners"] == (int(names.index(other) > names.index(one)),)
