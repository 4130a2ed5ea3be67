"""A terminal and other clients at a fair table ask each other for consent."""

from __future__ import annotations

import io
from contextlib import suppress
from typing import Any

from tabletop import EndOfInput, Match
from tabletop.protocol import ActIn, ConsentIn, MessageIn, UndoIn
from tabletop.records import HUMAN
from tabletop.registry import load
from tabletop.table import Asked, Notification, Participant, Session, Vote, VoteAsked, VoteEnded
from tabletop.terminal import Console, TerminalClient, TerminalLoop
from tests.tabletop.cli.program import DUEL, TICTACTOE


class Elsewhere:
    """Somebody who sits elsewhere, and does the next thing when they are asked something."""

    place: Participant

    def __init__(self, *requests: MessageIn) -> None:
        self.heard: list[Notification] = []
        self._requests = list(requests)

    def notify(self, news: Notification) -> None:
        self.heard.append(news)
        is_asked = isinstance(news, VoteAsked) and 1 in news.vote.waiting
        if self._requests and (is_asked or isinstance(news, Asked)):
            self.place.request(self._requests.pop(0))
            if self._requests and isinstance(self._requests[0], UndoIn):
                self.place.request(self._requests.pop(0))


def play(game: str, *lines: str, bo: Elsewhere) -> tuple[Match[Any, Any], str]:
    """Let Ada type lines while Bo is elsewhere. Return the match and Ada's output."""
    plugin = load(game)
    match: Match[Any, Any] = Match(plugin.game, seed="oak", seats=["Ada", "Bo"])
    session = Session(match, plugin, (HUMAN, HUMAN), undo="fair")
    bo.place = session.join(bo, [1])
    stdout = io.StringIO()
    console = Console(io.StringIO("".join(f"{line}\n" for line in lines)), stdout)
    with suppress(EndOfInput):
        TerminalLoop(TerminalClient(session, console)).play()
    return match, stdout.getvalue()


def test_a_terminal_is_asked_and_agrees() -> None:
    bo = Elsewhere(ActIn("2"), UndoIn(), ActIn("3"))
    match, shown = play(TICTACTOE, "1", "yes", bo=bo)
    assert "Bo: may I undo 1 action? Type yes or no.\n" in shown
    assert "1 action undone" in shown
    assert [str(action) for action in match.actions] == ["1", "3"]


def test_a_terminal_is_asked_and_refuses() -> None:
    bo = Elsewhere(ActIn("2"), UndoIn())
    match, shown = play(TICTACTOE, "1", "NO", bo=bo)
    assert match.ply == 2
    assert bo.heard[-1] == VoteEnded(Vote("undo", (1,), (0,), 1), (0,))
    assert "Ada does not agree to undo 1 action.\n" in shown


def test_a_terminal_may_play_on_instead() -> None:
    bo = Elsewhere(ActIn("2"), UndoIn())
    match, shown = play(TICTACTOE, "1", "5", bo=bo)
    assert match.ply == 3
    assert "the undo request was dropped" in shown


def test_a_terminal_asks_and_is_told_the_answer() -> None:
    yes, no = (
        Elsewhere(ActIn("2"), ConsentIn(yes=True)),
        Elsewhere(ActIn("2"), ConsentIn(yes=False)),
    )
    match, shown = play(TICTACTOE, "1", "undo", bo=yes)
    assert match.ply == 0
    assert yes.heard.count(VoteAsked(Vote("undo", (0,), (1,), 2))) == 1
    match, shown = play(TICTACTOE, "1", "undo", "table", bo=no)
    assert match.ply == 2
    assert "Bo does not agree to undo 2 actions.\n" in shown


def test_a_terminal_is_told_that_others_must_agree() -> None:
    match, shown = play(TICTACTOE, "1", "undo", "table", bo=Elsewhere(ActIn("2")))
    assert match.ply == 2
    assert "Asked Bo, who must agree first; `no` withdraws it.\n" in shown


def test_a_terminal_withdraws_what_it_has_asked_for() -> None:
    bo = Elsewhere(ActIn("2"))
    match, shown = play(TICTACTOE, "1", "undo", "no", "table", bo=bo)
    assert match.ply == 2
    assert "Ada no longer asks to undo 2 actions.\n" in shown
    assert isinstance(bo.heard[-1], VoteEnded)


def test_a_terminal_alone_knows_no_such_words() -> None:
    plugin = load(DUEL)
    match: Match[Any, Any] = Match(plugin.game, seed="oak")
    session, stdout = Session(match, plugin, (HUMAN, HUMAN), undo="fair"), io.StringIO()
    with suppress(EndOfInput):
        TerminalLoop(TerminalClient(session, Console(io.StringIO("yes\n"), stdout))).play()
    assert "`help` lists the commands" in stdout.getvalue()


def test_a_game_with_texts_of_its_own_can_answer() -> None:
    plugin = load("sorcery")
    match: Match[Any, Any] = Match(plugin.game, seed="oak", seats=["Ada", "Bo"])
    session = Session(match, plugin, (HUMAN, HUMAN), undo="casual")
    bo = Elsewhere(ActIn("end"), UndoIn())
    bo.place = session.join(bo, [1])
    console = Console(io.StringIO("end\nyes\n"), io.StringIO())
    with suppress(EndOfInput):
        TerminalLoop(TerminalClient(session, console)).play()
    assert match.ply == 1
