"""A window next to a real terminal: both show the same match, and people play in both."""

from __future__ import annotations

import re
import sys
from contextlib import ExitStack
from pathlib import Path

import pytest
from httpx import get

from tests import terminals
from tests.tabletop.cli.program import DUEL, TICTACTOE, here
from tests.tabletop.web.windows import NO_DISPLAY, address_of, at_terminal, hang_up, page_at
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
        assert page.state(0)["your_turn"] == [0]
        page.act("1")
        child.expect_exact("Player 1: 1")
        child.expect_exact("x . .")
        child.expect_exact("Player 2>")
        assert page.state(1)["your_turn"] == [1]
        child.send("5\r")
        assert "x . ." in page.state(2)["text"]
        assert page.told() == ["Player 1: 1", "Player 2: 5"]
        child.expect_exact("Player 1>")
        child.sendeof()
        assert page.closed() == (4410, "The program has ended. This is the last position.")
        assert "Left after 2 actions" in left(child)


def test_the_address_is_said_again_and_the_window_may_be_closed_and_opened_again() -> None:
    with at_terminal(*PLAIN) as child:
        address = address_of(child)
        with page_at(address[:-3] + "abc") as page:  # nobody else gets in
            assert page.closed()[0] == 4401
        child.expect_exact("type `window` to see this")
        with page_at(address) as page:
            page.state(0)
        child.expect_exact("Player 1>")
        child.send("window\r")
        assert address_of(child) == address
        child.expect_exact("Player 1>")
        child.send("help\r")
        child.expect(r"window +Show the address of the window\.")
        child.send("windwo\r")
        child.expect_exact("did you mean `window`?")
        child.send("1\r")
        child.expect_exact("Player 2>")
        with page_at(address) as page:
            page.state(1)
            child.send("quit\r")
            child.expect_exact("Quit anyway?")
            child.send("yes\r")
            left(child)


def test_actions_are_taken_back_from_either_side_and_a_line_that_is_typed_goes_on() -> None:
    with at_terminal(*PLAIN) as child, page_at(address_of(child)) as page:
        child.expect_exact("Player 1>")
        child.send("1\r")
        page.state(1)
        child.expect_exact("Player 2>")
        page.say(type="undo")
        child.expect_exact("1 action undone")
        child.expect_exact("Player 1>")
        page.state(0)
        child.send("se")
        child.expect_exact("se")
        page.act("2")
        page.state(1)
        child.expect_exact("Player 2>")
        child.send("ed\r")
        child.expect_exact("oak\r\n")
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


def test_a_match_that_is_over_is_shown_until_enter_also_to_a_page_that_is_loaded_anew() -> None:
    with at_terminal(*PLAIN) as child:
        address = address_of(child)
        with page_at(address) as page:
            for ply, square in enumerate("14253"):
                page.state(ply)
                page.act(square)
            assert page.until("state", lambda told: told["over"])["your_turn"] == []
            child.expect_exact("Player 1 wins")
            child.expect_exact("The window stays open until you press Enter.")
            with page_at(address) as other:
                over = other.state(5)
                assert "Player 1 wins" in over["over"]["text"]
                assert not over["can_undo"]
                root = address.partition("/t/")[0]
                replay = get(root + over["over"]["replay_page"], timeout=60)
                assert "as spectators saw it" in replay.text
                assert replay.text.count('"lines": ') == 6
                assert get(f"{root}/replay/here", timeout=60).status_code == 404
                other.say(type="undo")
                assert "this table is closed" in other.until("refused")["message"]
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
    here(*PLAY[1:3], "--seed", "oak", "--no-score", "--record", record, typed="1\nquit\n")
    words = ("resume", record, "--graphics", "--game", TICTACTOE, "--no-score")
    with at_terminal("tabletop", *words) as child, page_at(address_of(child)) as page:
        assert page.state(1)["your_turn"] == [1]
        page.act("5")
        page.state(2)
        child.expect_exact("Player 1>")
        child.send("quit\r")
        left(child)
    assert '"5"' in Path(record).read_text()


def test_a_lost_record_is_reported_once_at_a_terminal_with_a_window(tmp_path: Path) -> None:
    record = tmp_path / "match.jsonl"
    words = ("-m", *PLAY, "--record", record)  # a copy of this process would log errors elsewhere
    with terminals.at_terminal(sys.executable, *words, environment=NO_DISPLAY) as child:
        child.expect_exact("Player 1>")
        record.unlink()
        child.send("5\r")
        child.expect_exact("Continue the record in which file?")
        assert len(re.findall(r"has\s+been\s+deleted", str(child.before))) == 1
        child.send("quit\r")
        left(child, status=1)


@pytest.mark.parametrize("way", ["Ctrl-C", "hang-up"])
def test_the_end_of_a_program_is_told_to_the_window(way: str) -> None:
    with at_terminal(*PLAIN) as child, page_at(address_of(child)) as page:
        child.expect_exact("Player 1>")
        page.state(0)
        if way == "hang-up":
            hang_up(child)
        else:
            child.send("\x03")
        assert page.closed()[0] == 4410
        if way == "Ctrl-C":
            assert "Left after 0 actions" in left(child)


# Two people at one screen.


def test_who_shares_a_screen_sees_a_hand_when_they_have_sat_down_at_either_side() -> None:
    words = ("sorcery", "-graphics", "-seed", "oak", "-no-record")
    with at_terminal(*words) as child, ExitStack() as stack:
        address = address_of(child)
        for name in ("Ann", "Bob"):
            child.expect_exact("what is your name?")
            child.send(f"{name}\r")
        child.expect_exact("Ann>")
        page = stack.enter_context(page_at(address))
        assert [it["seat"] for it in page.state(0)["choices"]] == [0] * 5
        child.send("end\r")
        child.expect_exact("Bob, it is your turn: press Enter.")
        covered = page.state(1)
        assert (covered["covered"], covered["choices"]) == (1, [])
        page.act("play 1", 1)
        assert page.until("refused")["reason"] == "illegal"
        child.send("\r")
        child.expect_exact("Bob>")
        shown = page.until("state", lambda told: len(told["choices"]) > 1)
        assert ["Recharge" in str(told) for told in (covered, shown)] == [False, True]
        assert {it["seat"] for it in shown["choices"]} == {1}
        page.act("end")
        child.expect_exact("Ann, it is your turn: press Enter.")
        page.until("state", lambda told: told["covered"] == 0)
        page.say(type="sit", seat=0)
        child.expect_exact("Ann>")
        page.until("state", lambda told: len(told["choices"]) > 1)
        page.act("end")
        child.expect_exact("Bob, it is your turn: press Enter.")
        page.say(type="undo")
        child.expect_exact("Ann>")
        child.sendeof()
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
