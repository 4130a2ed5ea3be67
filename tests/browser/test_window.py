"""A terminal and a browser at one match: `-graphics`."""

from __future__ import annotations

import pytest

from tests.browser.conftest import Visitors
from tests.browser.policies import duel
from tests.tabletop.graphics.windows import address_of, at_terminal
from tests.terminals import left

pytestmark = pytest.mark.slow

PLAY = ("tabletop", "play", "sorcery", "--graphics", "--seed", "old oak", "--bot", "2=random")


def test_a_match_is_played_at_the_terminal_and_in_the_browser_in_turns(visitors: Visitors) -> None:
    with at_terminal(*PLAY, "--no-score", "--no-record") as terminal:
        screen = visitors.sit(address_of(terminal))
        decide = duel("window")
        for _ in range(2):
            terminal.expect_exact("Player 1>")
            screen.choose(decide(screen.settled().state["choices"]))
            terminal.expect_exact("Player 1>")
            ply = screen.ply()
            terminal.send("end\r")
            terminal.expect_exact(" ends the turn")
            screen.until_asked_after(ply)
        terminal.send("quit\r")
        left(terminal)
        screen.page.get_by_text("The program has ended").first.wait_for()


def test_what_is_clicked_is_told_by_the_program_of_the_document(visitors: Visitors) -> None:
    with at_terminal("sorcery", "-graphics", "-seed", "old oak", "-no-record") as terminal:
        address = address_of(terminal)
        for name in ("Ada", "Bo"):
            terminal.expect_exact("what is your name?")
            terminal.send(f"{name}\r")
        screen = visitors.sit(address)
        terminal.expect(r"Ada\S*.s turn")
        screen.choose({"words": "end", "path": ["end"]})
        terminal.expect_exact(" ends the turn")
        terminal.expect_exact("Bo, it is your turn: press Enter.")
        terminal.send("\r")
        terminal.expect(r"Bo\S*.s turn")
        terminal.send("quit\r")
        left(terminal)
