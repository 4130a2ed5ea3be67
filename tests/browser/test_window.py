"""A terminal and a browser at one match: `-graphics`."""

from __future__ import annotations

import pytest

from tests.browser.conftest import Visitors
from tests.browser.policies import duel
from tests.tabletop.web.windows import address_of, at_terminal
from tests.terminals import left

pytestmark = pytest.mark.slow

PLAY = ("tabletop", "play", "sorcery", "--graphics", "--seed", "old oak", "--bot", "2=random")


def test_a_match_is_played_at_the_terminal_and_in_the_browser_in_turns(visitors: Visitors) -> None:
    with at_terminal(*PLAY, "--no-score", "--no-record") as terminal:
        screen = visitors.sit(address_of(terminal))
        terminal.expect_exact("Player 1>")
        screen.choose(duel("window")(screen.settled().state["choices"]))
        terminal.expect_exact("Player 1>")
        ply = screen.ply()
        terminal.send("end\r")
        terminal.expect_exact(" ends the turn")
        screen.until_asked_after(ply)
        terminal.send("/quit\r")
        terminal.expect_exact("Quit anyway?")
        terminal.send("yes\r")
        left(terminal)
        screen.page.get_by_text("The program has ended").first.wait_for()
