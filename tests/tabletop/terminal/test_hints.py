"""The word `hint` at a terminal."""

from __future__ import annotations

import re

import pytest

from tabletop.records import HUMAN
from tests.tabletop.cli.program import TICTACTOE
from tests.tabletop.terminal.playing import play
from tests.tabletop.told import tells


@pytest.mark.slow
def test_hint_says_what_a_bot_would_do_and_nothing_is_played() -> None:
    match, shown = play(TICTACTOE, "hint")
    said = (
        r"^Hint: [1-9] \(estimated win chance \d+ %\)$\n"
        r"^\d+ of 1000 simulations chose this action$\n"
        r"^next best: [1-9] \(\d+ %\), [1-9] \(\d+ %\)$"
    )
    assert re.search(said, shown, re.MULTILINE)
    assert match.ply == 0


@pytest.mark.slow
def test_a_hint_has_the_label_of_the_action() -> None:
    shown = play("examples/chess.py", "hint")[1]
    (words,) = re.findall(r"^Hint: (\S+) ", shown, re.MULTILINE)
    (others,) = re.findall(r"^next best: (.*)$", shown, re.MULTILINE) or [""]
    listed = re.findall(r"\d+  (\S+)", shown)
    assert {words, *re.findall(r"(\S+) \(", others)} <= {*listed}


def test_help_lists_it_where_there_are_hints_alone() -> None:
    assert "\nhint " in play(TICTACTOE, "help")[1]
    lcr = play("lcr", "help", "hint", players=[HUMAN] * 3)[1]
    assert "\nhint " not in lcr
    assert "unknown command 'hint'" in lcr


def test_a_bot_that_fails_to_give_one_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tabletop.table.hints.hint_bot", lambda plugin: "deep")
    monkeypatch.setattr("tabletop.table.match_requests.hint_bot", lambda plugin: "deep")
    shown = play("lcr", "hint", players=[HUMAN] * 3)[1]
    assert tells(shown, "the Deep bot has failed: lcr ... 'deep'")
