"""Programs with piped input: dialogues, records and scores, with or without a window."""

from __future__ import annotations

import asyncio
import io
import os
from collections.abc import Sequence
from dataclasses import replace as changed_to
from pathlib import Path
from typing import Any

import pytest
from typing_extensions import override

from tabletop import CommandError, ContractError, Event, Match, MatchEnded, Plugin, Seat
from tabletop.errors import TabletopError
from tabletop.match import AnyMatch
from tabletop.protocol import ActIn, MessageIn, ReseatIn
from tabletop.records import HUMAN, Header, read
from tabletop.registry import load
from tabletop.table import Players
from tabletop.terminal import Console, LocalTable, PipedDialogue, PipedGame, Playing
from tests.tabletop.cli.program import TICTACTOE
from tests.tabletop.games import rps
from tests.tabletop.terminal.beside import FakeWindow, Opener

PLAIN = load(TICTACTOE)


class Crash:
    """A bot that fails."""

    def choose(self, view: Any, actions: Sequence[Any]) -> Any:
        raise TabletopError("out of ideas")


PLUGIN = changed_to(PLAIN, bots={**PLAIN.bots, "crash": lambda stream: Crash()})
TO_A_WIN = "1\n4\n2\n5\n3\n"


class Marks(PipedDialogue):
    """A dialogue that understands numbers of squares, and prints all events."""

    prompt = "? "

    def __init__(self, playing: Playing, console: Console) -> None:
        super().__init__(playing, console)
        playing.match.observe(self._note)

    def _note(self, event: Event) -> None:
        self.lines.append(type(event).__name__)

    @override
    def begin(self) -> None:
        self.console.say("begin")

    @override
    def answer(self, line: str, seat: Seat) -> None:
        word, _, bot = line.partition(" ")
        try:
            if word == "bot":
                self.playing.put(seat, bot)
            else:
                self.playing.play(self.playing.match.parse(line, seat))
        except CommandError as error:
            self.console.say(f"refused: {error}")

    @override
    def seated(self, seat: Seat, player: str) -> None:
        self.console.say(f"seat {seat}: {player}")

    @override
    def ending(self) -> None:
        self.console.say("over")

    @override
    def left(self, *, interrupted: bool) -> None:
        self.console.say("interrupted" if interrupted else "left")


def new_match() -> AnyMatch:
    return Match(PLAIN.game, seed="oak")


def typed(
    text: str,
    players: Sequence[str] = (HUMAN, HUMAN),
    *,
    match: AnyMatch | None = None,
    path: Path | None = None,
    plugin: Plugin = PLUGIN,
    seed_origin: str = "",
) -> list[str]:
    """Return the printed lines of a match with this input."""
    match, out = match or new_match(), io.StringIO()
    game = PipedGame(plugin, tuple(players), Marks, Console(io.StringIO(text), out), "marks")
    header = Header.of(match, players=tuple(players), seed_origin=seed_origin)
    game.play(match, header, path)
    return out.getvalue().splitlines()


def test_lines_are_played_until_the_match_is_over() -> None:
    match = new_match()
    lines = typed(f"{TO_A_WIN}6\n", match=match)
    assert match.over
    assert lines[0] == "begin"
    assert lines[-2:] == [MatchEnded.__name__, "over"]


def test_the_end_of_input_leaves_the_match() -> None:
    assert typed("1\n")[-1] == "left"


def test_empty_lines_repeat_the_prompt() -> None:
    out = io.StringIO()
    console = Console(io.StringIO("\n  \n"), out, ends_lines=False)
    PipedGame(PLUGIN, (HUMAN, HUMAN), Marks, console, "marks").play(
        match := new_match(), Header.of(match), None
    )
    assert out.getvalue() == "begin\n? ? ? left\n"


def test_ctrl_c_leaves_the_match() -> None:
    class Interrupted(Console):
        @override
        def read(self, prompt: str) -> str | None:
            raise KeyboardInterrupt

    out, match = io.StringIO(), new_match()
    game = PipedGame(PLUGIN, (HUMAN, HUMAN), Marks, Interrupted(io.StringIO(), out), "marks")
    game.play(match, Header.of(match), None)
    assert out.getvalue() == "begin\ninterrupted\n"


def test_bots_act_without_input() -> None:
    match = new_match()
    assert typed("", ["random", "random"], match=match)[-1] == "over"


def test_a_bot_that_takes_over_is_announced_and_acts() -> None:
    match = new_match()
    lines = typed("bot random\n", match=match)
    assert "seat 0: random" in lines
    assert match.ply == 1


def test_an_unknown_bot_is_refused_and_the_person_is_asked_again() -> None:
    match = new_match()
    lines = typed("bot nobody\n1\n", match=match)
    assert any("nobody" in line for line in lines)
    assert match.ply == 1


def test_a_failing_bot_is_reported_on_standard_error_and_replaced(
    capsys: pytest.CaptureFixture[str],
) -> None:
    match = new_match()
    lines = typed("1\n", [HUMAN, "crash"], match=match)
    assert capsys.readouterr().err == "The bot crash has failed: out of ideas.\n"
    assert f"seat 1: {PLUGIN.best_bot}" in lines
    assert match.ply == 2


def test_a_failing_bot_can_be_debugged(monkeypatch: pytest.MonkeyPatch) -> None:
    class Faulty:
        def choose(self, view: Any, actions: Sequence[Any]) -> Any:
            return 1 / 0

    monkeypatch.setenv("TABLETOP_DEBUG", "1")
    plugin = changed_to(PLAIN, bots={**PLAIN.bots, "faulty": lambda stream: Faulty()})
    with pytest.raises(ZeroDivisionError):
        typed("", ["faulty", HUMAN], plugin=plugin)


def test_rules_that_fail_for_a_bot_end_the_program(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any) -> None:
        raise KeyError("gone")

    monkeypatch.setattr(type(PLAIN.game), "apply", fail)
    with pytest.raises(ContractError):
        typed("", ["random", HUMAN])


def test_a_failing_observer_is_reported_and_the_match_continues(
    capsys: pytest.CaptureFixture[str],
) -> None:
    match = new_match()
    match.observe(lambda event: 1 / 0)
    assert typed(TO_A_WIN, match=match)[-1] == "over"
    assert capsys.readouterr().err.startswith("marks: an observer failed: ZeroDivisionError")


# Records.


def test_a_match_is_recorded_and_resumed(tmp_path: Path) -> None:
    path = tmp_path / "g.jsonl"
    typed("1\nbot random\n", path=path)
    record = read(path)
    assert record.players == ("human", "random")
    out = io.StringIO()
    game = PipedGame(PLUGIN, record.players, Marks, Console(io.StringIO("9\n"), out), "marks")
    game.resume(record)
    assert read(path).plies > record.plies


# Beside a window.


def beside(
    players: Sequence[str], requests: Sequence[MessageIn], lines: str = ""
) -> tuple[AnyMatch, str]:
    """Return the match and the output if these requests come from the window at the first prompt.

    Afterwards the lines are typed, and input ends.
    """
    loop = asyncio.new_event_loop()
    source, sink = os.pipe()
    match, out = new_match(), io.StringIO()

    def plan(window: FakeWindow) -> None:
        loop.call_soon(window.do, requests)
        loop.call_soon(os.write, sink, lines.encode())
        loop.call_soon(os.close, sink)

    with os.fdopen(source, "r", encoding="utf-8") as stdin:
        console = Console(stdin, out, ends_lines=False, loop=loop)
        game = PipedGame(PLUGIN, tuple(players), Marks, console, "marks", beside=Opener(plan))
        game.play(match, Header.of(match), None)
    loop.close()
    return match, out.getvalue()


def test_an_action_in_the_window_is_printed_and_the_next_person_is_asked() -> None:
    match, shown = beside([HUMAN, HUMAN], [ActIn("1")], "5\n")
    assert [str(action) for action in match.actions] == ["1", "5"]
    assert shown.startswith("begin\n? \nActionPlayed\n")


def test_a_bot_seated_in_the_window_acts() -> None:
    match, shown = beside([HUMAN, HUMAN], [ReseatIn(0, "random")])
    assert "seat 0: random\n" in shown
    assert match.ply == 1


def test_a_failing_bot_beside_a_window_is_replaced(capsys: pytest.CaptureFixture[str]) -> None:
    match, shown = beside(["crash", HUMAN], [])
    assert f"seat 0: {PLUGIN.best_bot}\n" in shown
    assert "out of ideas" in capsys.readouterr().err
    assert match.ply == 1


@pytest.mark.parametrize("bad", [("put", 0, "nobody"), ("play", "nonsense")], ids=["put", "play"])
def test_requests_are_refused_alike_with_and_without_a_window(bad: tuple[Any, ...]) -> None:
    def refusal(playing: Playing) -> type[BaseException]:
        method, *arguments = bad
        with pytest.raises(TabletopError) as refused:
            getattr(playing, method)(*arguments)
        return refused.type

    alone = Players(new_match(), PLUGIN, [HUMAN, HUMAN])
    console = Console(io.StringIO(), io.StringIO())
    with LocalTable(new_match(), PLUGIN, [HUMAN, HUMAN], console, window=Opener()) as table:
        assert refusal(alone) is refusal(table)


def test_an_action_beside_a_window_is_that_of_its_seat_if_several_are_to_act() -> None:
    match, console = Match(rps.GAME, seed="oak"), Console(io.StringIO(), io.StringIO())
    plugin = Plugin(rps.GAME, levels={})
    with LocalTable(match, plugin, [HUMAN, HUMAN], console, window=Opener()) as table:
        table.play(rps.Show(1, "rock"))
    assert match.actions == (rps.Show(1, "rock"),)
