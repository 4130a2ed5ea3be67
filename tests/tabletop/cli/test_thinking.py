"""Bots with a budget in seconds in terminal matches: messages and interrupts."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tabletop import Match
from tabletop.match import AnyMatch
from tabletop.records import Header, Journal, read
from tabletop.registry import load
from tests.tabletop.cli.program import DUEL, TICTACTOE, at_terminal, here, records
from tests.tabletop.told import tells
from tests.terminals import left

THINKS = "Player 2 is thinking. (Ctrl-C: it plays its best action so far.)"
THOUGHT = (
    r"Player 2 has thought for \d+\.\d seconds: \d+ iterations?"
    r", \d+ % of them chose its action"
)

if TYPE_CHECKING:
    import pexpect

at_a_terminal = pytest.mark.usefixtures("_ignoring_signals")


def leave(child: pexpect.spawn[str]) -> None:
    """End the input at the next prompt."""
    child.expect_exact("Player 1> ")
    child.sendeof()
    left(child)


@pytest.mark.slow
@at_a_terminal
def test_a_bot_shows_that_it_is_thinking_and_its_estimate(state: Path) -> None:
    with at_terminal("play", TICTACTOE, "--no-score", "--bot", "2=search:0.2s") as child:
        child.expect_exact("Player 1> ")
        child.sendline("5")
        child.expect_exact(THINKS)
        child.expect(THOUGHT + r"; it puts its chances at \d+ %\.\r\n")
        child.expect(r"Player 2: [1379]\r\n")
        leave(child)
    assert read(records(state)[0]).players == ("human", "search:0.2s")


@pytest.mark.slow
@at_a_terminal
def test_a_bot_hides_its_estimate_in_games_with_secrets() -> None:
    with at_terminal("play", DUEL, "--no-record", "--bot", "2=search:0.2s") as child:
        child.expect(THOUGHT + r"\.\r\n")
        leave(child)


@pytest.mark.slow
@at_a_terminal
def test_a_bot_with_iterations_cannot_be_stopped() -> None:
    words = ("--seed", "oak", "--no-record", "--bot", "1=search:100000")
    with at_terminal("play", "sorcery", *words) as child:
        child.expect_exact("Player 1 is thinking.")
        child.sendintr()
        assert "Left after 0 actions" in left(child)


@pytest.mark.slow
@at_a_terminal
def test_ctrl_c_stops_only_a_hint() -> None:
    with at_terminal("play", "sorcery", "--seed", "oak", "--no-record") as child:
        child.expect_exact("Player 1> ")
        child.sendline("hint")
        child.expect_exact("The Hard bot is thinking.")
        child.sendintr()
        child.expect(r"Hint: .* \(rated \d+ of 100\)")
        leave(child)


@pytest.mark.slow
@at_a_terminal
def test_ctrl_c_makes_a_bot_play_and_a_second_one_ends_the_program() -> None:
    with at_terminal("play", TICTACTOE, "--no-record", "--bot", "2=search:60s") as child:
        child.expect_exact("Player 1> ")
        child.sendline("5")
        child.expect_exact(THINKS)
        child.sendintr()  # perhaps before it has begun
        child.expect(THOUGHT.replace(r"\d+\.", r"(\d+)\."))
        assert int(str(child.match[1])) < 60
        child.expect_exact("Player 1> ")
        child.sendintr()
        assert "Left after 2 actions" in left(child)


def test_with_piped_output_a_thinking_bot_prints_nothing() -> None:
    words = ("play", TICTACTOE, "--no-record", "--no-score")
    bots = [here(*words, "--bot", f"2={bot}", typed="5\n") for bot in ("search:0.01s", "random")]
    assert [len(done.stdout.splitlines()) for done in bots] == [
        len(bots[0].stdout.splitlines())
    ] * 2
    assert "think" not in bots[0].stdout


def test_a_bot_in_a_record_cannot_use_an_unlimited_budget(tmp_path: Path) -> None:
    record = tmp_path / "match.jsonl"
    match: AnyMatch = Match(load(TICTACTOE).game, seed="oak")
    Journal.create(record, match, Header.of(match, players=("human", "search:9999s"))).close()
    done = here("resume", record, "--game", TICTACTOE)
    assert done.returncode != 0
    assert tells(done.stderr, "'search:9999s': ... 100000 iterations")
