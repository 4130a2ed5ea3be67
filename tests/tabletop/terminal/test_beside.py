"""A terminal with a window notices actions in the window at any moment, without waiting."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from typing_extensions import override

from tabletop import ActionPlayed, Match, Plugin
from tabletop.display import ConsoleText, News, Reading
from tabletop.match import AnyMatch
from tabletop.protocol import ActIn, HintIn, MessageIn, ReseatIn
from tabletop.records import HUMAN, Header, read
from tabletop.registry import load
from tabletop.table import Ask, Effect, Hurry, Input, MatchTable, Tick
from tabletop.terminal import (
    Console,
    LocalConnection,
    LocalTable,
    Presentation,
    TerminalClient,
    TerminalGame,
)
from tests.streams import Terminal
from tests.tabletop.cli.program import DUEL, TICTACTOE
from tests.tabletop.terminal.beside import PAGE, FakeWindow, Keyboard

Step = str | Sequence[MessageIn]
"""A line that is typed, or what is done in the window instead while the terminal waits for one."""

PAGE_ACTS: Final = Ask(PAGE, ActIn("1"))

HANDED_OVER = "Player 2, it is your turn: press Enter. "


class Desk(Console):
    """A terminal that answers each prompt with the next step and stores the output before it."""

    window: FakeWindow

    def __init__(self, loop: asyncio.AbstractEventLoop, steps: Sequence[Step]) -> None:
        source, self.sink = os.pipe()
        self.stdin = Keyboard(os.fdopen(source, "rb"), "utf-8")
        self.out = Terminal()
        super().__init__(self.stdin, self.out, loop=loop)
        self.prompts: list[str] = []
        self.shown: list[str] = []
        self.loop = loop
        self._steps = list(steps)
        self.in_pause: list[MessageIn] = []

    def announce(self, plugin: Plugin, console: Console) -> object:
        """Do nothing, because no address needs to be announced."""

    def __call__(
        self, table: MatchTable, console: Console, elsewhere: Callable[[Effect], bool]
    ) -> FakeWindow:
        self.window = FakeWindow(table, elsewhere)
        return self.window

    @override
    def read(self, prompt: str) -> str | None:
        if "Quit anyway?" in prompt:
            return "yes"
        self.prompts.append(prompt)
        self.shown.append(self.out.getvalue())
        self.out.seek(0)
        self.out.truncate()
        step = self._steps.pop(0) if self._steps else "quit"
        if isinstance(step, str):
            self._type(step)
        else:
            self.loop.call_soon(self._do, step)
        self._is_withdrawn = False
        return super().read(prompt)

    @override
    def wait(self, seconds: float) -> None:
        requests, self.in_pause = self.in_pause, []
        self.window.do(requests)

    @override
    def cancel_prompt(self) -> None:
        self._is_withdrawn = True
        super().cancel_prompt()

    def _type(self, line: str) -> None:
        os.write(self.sink, f"{line}\n".encode())

    def _do(self, requests: Sequence[MessageIn]) -> None:
        self.window.do(requests)
        if not self._is_withdrawn:
            self._type("quit")


@contextmanager
def table(
    game: str,
    *steps: Step,
    players: Sequence[str] = (HUMAN, HUMAN),
    texts: type[ConsoleText[Any]] | None = None,
) -> Iterator[tuple[TerminalClient, Desk]]:
    """A match at such a terminal."""
    loop = asyncio.new_event_loop()
    plugin, desk = replace(load(game), console=texts), Desk(loop, steps)
    match: AnyMatch = Match(plugin.game, seed="oak", seats=len(players))
    with (
        closing(loop),
        open(desk.sink, "wb"),
        desk.stdin,
        LocalTable(match, plugin, players, desk, window=desk) as at_table,
    ):
        yield TerminalClient(LocalConnection(at_table, desk), desk), desk


def test_a_seat_that_is_given_to_a_bot_when_it_is_to_take_the_keyboard_is_not_asked() -> None:
    with table(DUEL, "pick paper", [ReseatIn(1, "random")]) as (terminal, desk):
        terminal.play()
        assert desk.prompts == ["Player 1> ", HANDED_OVER, "Player 1> "]
        assert "Player 2 has chosen." not in desk.shown[1]
        assert "revealed" in desk.shown[2], "the bot has played"


def test_news_do_not_take_the_keyboard_for_who_has_not_pressed_enter() -> None:
    with table(DUEL, "pick paper", [ReseatIn(0, "random")], "") as (terminal, desk):
        terminal.play()
        assert desk.prompts == ["Player 1> ", HANDED_OVER, HANDED_OVER, "Player 2> "]


class Slow(ConsoleText[Any]):
    """Texts with a pause after all news."""

    @override
    def news(self, reading: Reading[Any]) -> News:
        return super().news(reading)._replace(pause=1.0)


def test_a_seat_that_is_given_to_a_bot_during_a_pause_is_not_asked() -> None:
    with table(TICTACTOE, "5", texts=Slow) as (terminal, desk):
        desk.in_pause = [ReseatIn(1, "random")]
        terminal.play()
        assert desk.prompts == ["Player 1> "] * 2


def test_what_is_done_while_the_window_catches_up_is_told_before_the_next_prompt() -> None:
    with table(TICTACTOE, "5") as (terminal, desk):
        desk.window.meanwhile = [ActIn("1"), ReseatIn(1, "random")]
        terminal.play()
        assert desk.prompts == ["Player 1> "] * 2
        assert "Player 2: 1\n" in desk.shown[1]
        assert "Player 2 is now played by the Random bot.\n" in desk.shown[1]


def test_whoever_sits_down_while_another_types_is_told_all_from_then_on() -> None:
    in_window: Step = [ReseatIn(1, HUMAN), ActIn("pick rock", seat=0), ActIn("pick paper", seat=0)]
    players = (HUMAN, "random")
    with table(DUEL, in_window, "", players=players) as (terminal, desk):
        terminal.play()
        assert desk.prompts == ["Player 1> ", HANDED_OVER, "Player 2> "]
        assert "revealed (shapes rock" in desk.shown[2]


def test_only_hints_that_a_person_wants_at_the_terminal_are_printed_there() -> None:
    with table(TICTACTOE, "hint", [HintIn()]) as (terminal, desk):
        terminal.play()
        assert "Hint: " in desk.shown[1]
        assert "Hint: " not in desk.out.getvalue()


class Files(Desk):
    """A terminal whose record continues in another file.

    Args:
        loop: The loop of the window.
        folder: The folder of the files.
        meanwhile: What happens in the window while the terminal asks for a file.
        steps: The steps afterwards.
    """

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        folder: Path,
        meanwhile: Sequence[Input] = (PAGE_ACTS,),
        steps: Sequence[Step] = (),
    ) -> None:
        super().__init__(loop, ["5", str(folder / "other.jsonl"), *steps])
        self.record = folder / "record.jsonl"
        self._meanwhile = meanwhile

    @override
    def read(self, prompt: str) -> str | None:
        if prompt.startswith("Continue the record"):
            for given in self._meanwhile:
                self.loop.call_soon(self.window.receive, given)
        return super().read(prompt)


def play_and_lose(
    desk: Files, players: tuple[str, ...] = (HUMAN, HUMAN), plies: int = 0
) -> AnyMatch:
    """Play a match of tic-tac-toe whose record is lost after some actions."""
    plugin = load(TICTACTOE)
    match: AnyMatch = Match(plugin.game, seed="oak")

    def lose(event: object = None) -> None:
        if match.ply == plies and desk.record.exists():
            desk.record.rename(desk.record.with_suffix(".away"))

    match.observe(lose, ActionPlayed)
    game = TerminalGame(
        plugin,
        players,
        Presentation(begin=lambda _: lose()),
        console=desk,
        scored=False,
        beside=desk,
    )
    with closing(desk.loop), open(desk.sink, "wb"), desk.stdin:
        game.play(match, Header.of(match, players=players), desk.record)
    return match


def test_a_bot_that_is_asked_again_does_not_end_the_question_for_a_file(tmp_path: Path) -> None:
    desk = Files(asyncio.new_event_loop(), tmp_path, (Hurry(False), Tick()))
    match = play_and_lose(desk, (HUMAN, "random"), plies=1)
    assert match.ply == 2
    assert read(tmp_path / "other.jsonl").plies == 2


def test_actions_on_the_page_are_news_again_after_a_lost_record_has_a_new_file(
    tmp_path: Path,
) -> None:
    desk = Files(asyncio.new_event_loop(), tmp_path, steps=[[ActIn("1")]])
    play_and_lose(desk)
    assert desk.prompts[-2:] == ["Player 2> ", "Player 1> "]
    assert "not to act" not in desk.shown[-1], "the line for Player 2 is cancelled"


def test_actions_on_the_page_are_refused_until_a_lost_record_has_a_new_file(
    tmp_path: Path,
) -> None:
    desk = Files(asyncio.new_event_loop(), tmp_path)
    match = play_and_lose(desk)
    assert [str(it) for it in match.actions] == ["5"]
    assert [it.do for it in read(tmp_path / "other.jsonl").entries if it.do] == ["5"]
    assert "Player 1: 5" in "".join(desk.shown)
