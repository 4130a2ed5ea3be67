"""A window beside a real terminal: text and picture show the same, and either is played on."""

from __future__ import annotations

import signal
from pathlib import Path

import pexpect
import pytest

from tests.tabletop.cli.program import DUEL, TICTACTOE
from tests.tabletop.graphics.windows import address_of, at_terminal, hang_up, page_at
from tests.terminals import left

PLAY = ("tabletop", "play", TICTACTOE, "--graphics", "--seed", "oak", "--no-score")
PLAIN = (*PLAY, "--no-record")

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def _own_records(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


@pytest.mark.parametrize("term", ["xterm", "dumb"])
def test_what_is_done_in_the_window_appears_at_the_terminal_and_the_other_way_round(
    term: str,
) -> None:
    with at_terminal(*PLAIN, term=term) as child, page_at(address_of(child)) as page:
        child.expect_exact("Player 1>")
        assert page.state(0)["asked"] == [0]
        page.act("1")
        child.expect_exact("Player 1: 1")
        child.expect_exact("x . .")
        child.expect_exact("Player 2>")
        assert page.state(1)["asked"] == [1]
        child.send("5\r")
        assert "x . ." in page.state(2)["text"]
        assert page.told() == ["Player 1: 1", "Player 2: 5"]
        child.expect_exact("Player 1>")
        child.sendeof()
        assert page.closed() == (4410, "The program has ended. This is how it stood.")
        assert "Left after 2 actions" in left(child)


def test_what_has_been_typed_when_the_window_moves_begins_the_next_line() -> None:
    with at_terminal(*PLAIN) as child, page_at(address_of(child)) as page:
        child.expect_exact("Player 1>")
        page.state(0)
        child.send("se")
        child.expect_exact("se")
        page.act("1")
        child.expect_exact("Player 2>")
        child.send("ed\r")
        child.expect_exact("oak\r\n")
        child.send("quit\r")
        left(child)


def test_the_address_is_said_again_when_somebody_asks_for_it() -> None:
    with at_terminal(*PLAIN) as child:
        address = address_of(child)
        with page_at(address[:-3] + "abc") as page:  # nobody else gets in
            assert page.closed()[0] == 4401
        child.expect_exact("type `window` to see this")
        child.expect_exact("Player 1>")
        child.send("window\r")
        assert address_of(child) == address
        child.expect_exact("Player 1>")
        child.send("help\r")
        child.expect(r"window +Say where the window on this match is\.")
        child.send("windwo\r")
        child.expect_exact("did you mean `window`?")
        child.send("quit\r")
        left(child)


def test_actions_are_taken_back_from_either_side() -> None:
    with at_terminal(*PLAIN) as child, page_at(address_of(child)) as page:
        child.expect_exact("Player 1>")
        child.send("1\r")
        page.state(1)
        child.expect_exact("Player 2>")
        page.say(type="undo")
        child.expect_exact("1 action taken back")
        child.expect_exact("Player 1>")
        page.state(0)
        page.act("2")
        page.state(1)
        child.expect_exact("Player 2>")
        child.send("undo\r")
        assert page.state(0)["can_redo"]
        child.expect_exact("Player 1>")
        child.send("quit\r")
        left(child)


def test_moves_of_bots_are_shown_one_by_one() -> None:
    with (
        at_terminal(*PLAIN, "--bot", "2") as child,
        page_at(address_of(child)) as page,
    ):
        page.state(0)
        child.expect_exact("Player 1>")
        child.send("bot\r")
        last = page.until("state", lambda told: told["over"])
        plies = [told["ply"] for told in page.heard if told["type"] == "state"]
        assert sorted(set(plies)) == list(range(last["ply"] + 1))
        child.expect_exact("press Enter")
        child.send("\r")
        left(child)


def test_who_closes_the_window_leaves_the_match_alone_and_may_open_it_again() -> None:
    with at_terminal(*PLAIN) as child:
        address = address_of(child)
        with page_at(address) as page:
            page.state(0)
        child.expect_exact("Player 1>")
        child.send("1\r")
        child.expect_exact("Player 2>")
        with page_at(address) as page:
            page.state(1)
            child.send("quit\r")
            left(child)


def test_a_match_that_is_over_is_shown_until_enter_also_to_a_page_that_is_loaded_anew() -> None:
    with at_terminal(*PLAIN) as child:
        address = address_of(child)
        with page_at(address) as page:
            for ply, square in enumerate("14253"):
                page.state(ply)
                page.act(square)
            assert page.until("state", lambda told: told["over"])["asked"] == []
            child.expect_exact("Player 1 wins")
            child.expect_exact("The window stays open until you press Enter.")
            with page_at(address) as other:
                over = other.state(5)
                assert "Player 1 wins" in over["over"]["text"]
                assert not over["can_undo"]
                other.say(type="undo")
                assert "nothing more" in other.until("refused")["message"]
                child.send("\r")
                assert page.closed()[0] == other.closed()[0] == 4410
        left(child)


def test_the_program_ends_when_everybody_has_closed_a_window_that_shows_the_end() -> None:
    with at_terminal(*PLAIN) as child:
        with page_at(address_of(child)) as page:
            for ply, square in enumerate("14253"):
                page.state(ply)
                page.act(square)
            page.until("state", lambda told: told["over"])
            child.expect_exact("press Enter")
        left(child)


def test_at_a_terminal_where_nobody_looks_at_the_window_nobody_waits_at_the_end() -> None:
    with at_terminal(*PLAIN) as child:
        for square in "14253":
            child.expect_exact(">")
            child.send(f"{square}\r")
        assert "stays open" not in left(child)


def test_a_match_is_resumed_in_a_window(tmp_path: Path) -> None:
    record = str(tmp_path / "r.jsonl")
    with at_terminal(*PLAY, "--record", record) as child:
        child.expect_exact("Player 1>")
        child.send("1\rquit\r")
        left(child)
    words = ("resume", record, "--graphics", "--game", TICTACTOE, "--no-score")
    with at_terminal("tabletop", *words) as child, page_at(address_of(child)) as page:
        assert page.state(1)["asked"] == [1]
        page.act("5")
        page.state(2)
        child.expect_exact("Player 1>")
        child.send("quit\r")
        left(child)
    assert '"5"' in Path(record).read_text()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGHUP])
def test_signals_end_the_program_and_tell_the_window(number: int) -> None:
    with at_terminal(*PLAIN) as child, page_at(address_of(child)) as page:
        child.expect_exact("Player 1>")
        page.state(0)
        child.kill(number)
        assert page.closed()[0] == 4410
        assert "Left after 0 actions" in left(child)


def test_a_terminal_that_is_closed_ends_the_program_and_tells_the_window() -> None:
    with at_terminal(*PLAIN) as child, page_at(address_of(child)) as page:
        child.expect_exact("Player 1>")
        page.state(0)
        hang_up(child)
        assert page.closed()[0] == 4410


# Two people at one screen.


def sorcerers(*more: str) -> tuple[str, ...]:
    return ("sorcery", "-graphics", "-seed", "oak", "-no-record", *more)


def begin(child: pexpect.spawn[str]) -> str:
    address = address_of(child)
    for name in ("Ann", "Bob"):
        child.expect_exact("what is your name?")
        child.send(f"{name}\r")
    child.expect_exact("'s turn")
    return address


def test_the_hand_of_the_next_person_is_shown_when_they_have_sat_down() -> None:
    with at_terminal(*sorcerers()) as child, page_at(address := begin(child)) as page:
        child.expect_exact("Ann>")
        child.send("window\r")
        assert address_of(child) == address
        child.expect_exact("Ann>")
        assert [it["seat"] for it in page.state(0)["choices"]] == [0] * 5
        child.send("end\r")
        child.expect_exact("Bob, it is your turn: press Enter.")
        covered = page.state(1)
        assert [(it["words"], it["seat"]) for it in covered["choices"]] == [("ready", 1)]
        page.act("play 1", 1)
        assert "ready" in page.until("refused")["message"]
        child.send("\r")
        child.expect_exact("Bob>")
        shown = page.until("state", lambda told: len(told["choices"]) > 1)
        assert ["Recharge" in str(told) for told in (covered, shown)] == [False, True]
        child.send("quit\r")
        left(child)


def test_who_sits_down_in_the_window_is_not_asked_at_the_terminal_again() -> None:
    with at_terminal(*sorcerers()) as child, page_at(begin(child)) as page:
        child.expect_exact("Ann>")
        page.state(0)
        page.act("end")
        page.until("state", lambda told: told["choices"][0]["words"] == "ready")
        page.act("ready")
        child.expect_exact("Bob>")
        shown = page.until("state", lambda told: len(told["choices"]) > 1)
        assert {it["seat"] for it in shown["choices"]} == {1}
        page.act("end")
        child.expect_exact("Ann, it is your turn: press Enter.")
        page.say(type="undo")
        child.expect_exact("Bob>")
        child.send("quit\r")
        left(child)


def test_the_log_of_a_shared_window_tells_what_everybody_may_know() -> None:
    words = ("tabletop", "play", DUEL, "--graphics", "--no-record", "--no-score", "--seed", "oak")
    with at_terminal(*words) as child, page_at(address_of(child)) as page:
        child.expect_exact("Player 1>")
        child.send("pick rock\r")
        page.state(1)
        assert page.told()
        assert "rock" not in "".join(page.told())
        child.expect_exact("press Enter.")
        child.sendeof()
        left(child)
