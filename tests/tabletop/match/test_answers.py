"""What rules must not answer is told their author in words, wherever a match meets it."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import Any

import pytest

from tabletop import ContractError, Match, Random, Streams
from tabletop.cli import main
from tabletop.registry import load

ADVICE = " (`tabletop check` looks for such faults)"
RULES = """
from dataclasses import dataclass

from tabletop import Game, Outcome


@dataclass
class State:
    left: int = 3

    def clone(self):
        return State(self.left)


class Count(Game):
    name = "count"

    def setup(self, options, seats, rng):
        return State()

    def to_act(self, state):
        return [state.left % 2] if state.left else []

    def legal_actions(self, state, seat):
        return ["one"]

    def apply(self, state, action, table):
        state.left -= 1

    def outcome(self, state):
        return None if state.left else Outcome.draw(2)
"""

TO_ACT = "return [state.left % 2] if state.left else []"
LEGAL = 'return ["one"]'
ANSWERS = {
    "a generator": (LEGAL, 'yield "one"', "legal_actions returns a generator, which is empty once"),
    "no return": (LEGAL, '["one"]', "legal_actions returns None: is a `return` missing?"),
    "a set": (LEGAL, 'return {"one"}', "legal_actions returns {'one'}: a set has no order; write"),
    "a dict": (LEGAL, 'return {"one": 1}', "legal_actions returns {'one': 1}, a dict: return a"),
    "nothing": (LEGAL, "return []", "legal_actions returns [] for seat 1, which is to act: to_act"),
    "one seat": (TO_ACT, "return state.left % 2", "to_act returns 1: write return (1,) for that"),
    "nobody": (TO_ACT, "pass", "to_act returns None: is a `return` missing?"),
    "seats in a set": (TO_ACT, "return {0}", "to_act returns {0}: a set has no order; write"),
    "no state": ("return State()", "State()", "setup returns None: is a `return` missing?"),
    "later": (
        TO_ACT,
        "return [1] if state.left > 2 else 1 if state.left else ()",
        "to_act returns 1:",
    ),
    "a text at the end": ("Outcome.draw(2)", '"a draw"', "outcome returns 'a draw', a str: return"),
}


@pytest.fixture
def file_of(tmp_path: Path) -> Callable[[str], Path]:
    def write(answer: str) -> Path:
        right, wrong, _ = ANSWERS[answer]
        assert right in RULES
        path = tmp_path / "count.py"
        path.write_text(RULES.replace(right, wrong))
        return path

    return write


def first_of_each(match: Match[Any, Any]) -> None:
    while match.to_act:
        match.play(match.legal_actions()[0])
    assert match.outcome is not None


def by_text(match: Match[Any, Any]) -> None:
    while not match.over:
        match.play(match.parse("one", match.to_act[0]))
    assert match.outcome is not None


def by_bots(match: Match[Any, Any]) -> None:
    for seat in range(2):
        match.set_player(seat, Random(Streams("x")["bot", seat]))
    assert match.run() is not None


def by_steps(match: Match[Any, Any]) -> None:
    for seat in range(2):
        match.set_player(seat, Random(Streams("x")["bot", seat]))
    while not match.over:
        match.step()
    assert match.outcome is not None


@pytest.mark.parametrize("way", [first_of_each, by_text, by_bots, by_steps])
@pytest.mark.parametrize("answer", ANSWERS)
def test_a_match_says_what_is_wrong_with_an_answer_of_the_rules(
    answer: str, way: Callable[[Match[Any, Any]], None], file_of: Callable[[str], Path]
) -> None:
    game = load(str(file_of(answer))).game
    with pytest.raises(ContractError) as caught:
        way(Match(game, seed="x"))
    assert str(caught.value).startswith(f"count: {ANSWERS[answer][2]}")
    assert str(caught.value).endswith(ADVICE)


@pytest.mark.parametrize("bots", [[], ["--bot", "all"]], ids=["by hand", "by bots"])
@pytest.mark.parametrize("answer", ["a generator", "no state", "a text at the end"])
def test_so_does_the_program(
    answer: str,
    bots: list[str],
    file_of: Callable[[str], Path],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr("sys.stdin", TextIOWrapper(BytesIO(b"one\n" * 9)))
    words = ["play", str(file_of(answer)), "--no-record", "--no-score", *bots]
    assert main(words) == 1
    said = capsys.readouterr().err
    assert said.startswith(f"tabletop: count: {ANSWERS[answer][2]}")
    assert "looks for such faults" in said
    assert "Traceback" not in said


@pytest.mark.parametrize("way", [by_bots, by_steps])
def test_a_seat_that_there_is_not_is_named(
    way: Callable[[Match[Any, Any]], None], tmp_path: Path
) -> None:
    path = tmp_path / "count.py"
    path.write_text(RULES.replace(TO_ACT, "return [2]"))
    with pytest.raises(ContractError, match="count: to_act gives 2, of 2 seats: 0 to 1"):
        way(Match(load(str(path)).game, seed="x"))


def test_what_a_player_fails_with_is_not_put_down_to_the_rules() -> None:
    class Clumsy(Random):
        def choose(self, view: object, legal: object) -> Any:
            raise TypeError("clumsy")

    match = Match(load("lcr").game, seed="x", players=[Clumsy(Streams("x")["bot"])])
    for play in (match.run, match.step):
        with pytest.raises(TypeError, match=r"^clumsy$") as caught:
            play()
        assert caught.value.__cause__ is None
