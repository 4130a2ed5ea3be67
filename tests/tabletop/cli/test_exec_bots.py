"""Bots that are programs: only the command line starts them, and they end with the match."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from constructor.program.cli import main as constructor
from sorcery.program.cli import main as sorcery
from tabletop import Match
from tabletop.match import AnyMatch
from tabletop.protocol import TableSettings
from tabletop.records import Header, read
from tabletop.registry import bot_label, load
from tabletop.web.lobby import NewTable
from tests import terminals
from tests.program_runs import run_here
from tests.tabletop.bots.programs import BOT, command, has_ended
from tests.tabletop.cli.program import (
    TICTACTOE,
    at_terminal,
    here,
    kept,
    records,
    refused,
    shown,
)
from tests.tabletop.told import tells
from tests.tabletop.web.served import Server, serving
from tests.terminals import WIDE, abandon, leave_by, left

BEST = load(TICTACTOE).best_bot

pytestmark = pytest.mark.slow


def play(bot: str, *more: object) -> Sequence[object]:
    return ("play", TICTACTOE, "--seed", "oak", "--bot", f"2={bot}", "--no-score", *more)


def test_with_piped_input_a_failing_bot_is_one_line_on_standard_error() -> None:
    bot = command("words")
    done = here(*play(bot, "--no-record"), typed="1\n9\n")
    assert tells(done.stderr, f"{bot} ... : ... 'let me think': ... JSON ... .\n")
    assert done.stderr.count("\n") == 1
    assert done.returncode == 0
    assert done.stdout.count(f"Player 2 is now played by the {bot_label(BEST)}.") == 1
    assert "has failed" not in done.stdout
    assert "Traceback" not in done.stdout


def test_at_a_terminal_a_failing_bot_is_shown_on_the_screen(tmp_path: Path) -> None:
    with at_terminal(*play(command("crash"), "--no-record", "--no-hints")) as child:
        child.expect("Player 1> ")
        child.sendline("1")
        child.expect(r"The bot exec:[^\n]* crash has failed: it ended with status 1\.\r\n")
        child.expect(r"  \| ValueError: out of ideas\r\n")
        child.expect(rf"Player 2 is now played by the {bot_label(BEST)}\.\r\n")
        child.expect("Player 1> ")
        abandon(child)
        left(child)


@pytest.mark.parametrize("way", ["quit", "Ctrl-C", "Ctrl-D", "SIGTERM", "SIGHUP"])
def test_a_program_ends_with_the_match(way: str, tmp_path: Path) -> None:
    note = tmp_path / "pid"
    with at_terminal(*play(command("noted", note), "--no-record", "--no-hints")) as child:
        child.expect("Player 1> ")
        child.sendline("9")
        child.expect("Player 2: 1")
        child.expect("Player 1> ")
        abandon(child) if way == "quit" else leave_by(child, way)
        left(child)
        assert has_ended(int(note.read_text("utf-8")))


@pytest.mark.parametrize("way", ["Ctrl-C", "SIGTERM", "SIGHUP"])
def test_a_thinking_program_can_be_interrupted(way: str, tmp_path: Path) -> None:
    note = tmp_path / "pids"
    bot = command("with_noted_child", note, seconds=600)
    with at_terminal(*play(bot, "--no-record", "--no-hints")) as child:
        child.expect("Player 1> ")
        child.sendline("9")
        child.expect("Player 1: 9|9\r\n")
        while not (note.exists() and len(note.read_text("utf-8").split()) == 2):
            time.sleep(0.05)
        leave_by(child, way)
        left(child)
    assert all(has_ended(int(pid)) for pid in note.read_text("utf-8").split())


def test_closing_the_terminal_ends_the_program(tmp_path: Path) -> None:
    note = tmp_path / "pid"
    with at_terminal(*play(command("noted", note), "--no-record", "--no-hints")) as child:
        child.expect("Player 1> ")
        child.sendline("9")
        child.expect("Player 2: 1")
        child.close(force=False)
    assert has_ended(int(note.read_text("utf-8")))


def test_resuming_starts_no_program_and_uses_the_best_bot(tmp_path: Path) -> None:
    record, note = tmp_path / "match.jsonl", tmp_path / "pid"
    bot = command("noted", note)
    shown(*play(bot, "--record", record), typed="9\n")
    assert read(record).players == ("human", bot)
    note.unlink()
    shown("replay", record, "--game", TICTACTOE, "--verify")
    done = here("resume", record, "--game", TICTACTOE, "--no-score", typed="8\n")
    assert tells(done.stderr, f"{bot} ... : ... command ... program.\n")
    assert done.stderr.count("\n") == 1
    assert f"Player 2 is now played by the {bot_label(BEST)}." in done.stdout
    assert read(record).players == ("human", BEST)
    shown("replay", record, "--game", TICTACTOE, "--verify")
    assert not note.exists()


def test_the_score_book_names_the_program_without_starting_it(tmp_path: Path, state: Path) -> None:
    note = tmp_path / "pid"
    bot = command("noted", note)
    words = ("play", TICTACTOE, "--seed", "oak", "--bot", f"2={bot}")
    shown(*words, typed="9\n8\n7\n")
    note.unlink()
    [sheet] = kept()
    assert sheet["players"] == ["human", bot]
    [record] = (path for path in records(state) if path.suffix == ".jsonl")
    shown("scores", "import", record, "--game", TICTACTOE)
    assert not note.exists()


def test_visitors_of_a_server_start_no_program(tmp_path: Path) -> None:
    note = tmp_path / "note"
    bot = f"exec:touch {note}"
    why = "command ... program"

    async def test(server: Server) -> None:
        answer = await server.post(game="lcr", players=["human", bot, "random"])
        assert answer.status_code == 400
        assert tells(answer.text, why)
        opened = await server.open("lcr", players=["human", "random", "random"])
        async with server.screen(opened["links"][0]) as screen:
            await screen.until("state")
            await screen.say(type="seat", seat=0, player="exec:true")
            assert tells(str(await screen.until("refused")), why)

    serving(test, tmp_path)
    assert not note.exists()


def test_a_table_resumes_without_the_program_in_its_record(tmp_path: Path) -> None:
    note = tmp_path / "note"
    bot = f"exec:touch {note}"
    plugin = load("lcr")
    match: AnyMatch = Match(plugin.game, seed="oak", seats=3)
    header = Header.of(match, players=("human", bot, "random"))

    async def test(server: Server) -> None:
        new = NewTable("lcr", plugin, match, header, TableSettings())
        opened = server.hosting.tables.open(new)
        assert opened.links[0] is not None
        async with server.screen(opened.links[0]) as screen:
            await screen.until("state")
            await screen.say(type="act", line="roll")
            note = await screen.until("note")
            assert note["text"] == (
                f"the bot {bot} has failed: the Random bot plays for Player 2 now"
            )
            await screen.at(3)

    serving(test, tmp_path)
    assert not note.exists()


def test_sorcery_and_constructor_accept_program_bots(tmp_path: Path) -> None:
    well, crash = command("well"), command("crash")
    printed = run_here(sorcery, ["-seed", "oak", "-bot", f"2={well}"], "Ada\nBo\nend\nquit\n")
    assert (printed.status, printed.stderr) == (0, "")
    printed = run_here(sorcery, ["-seed", "oak", "-bot", f"2={crash}"], "Ada\n\nend\nquit\n")
    assert tells(printed.stderr.splitlines()[0], f"{crash} ... : ... status 1")
    assert "Exec" in printed.stdout
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path)
        printed = run_here(constructor, ["-bot", f"red={crash}"], "0\n")
    assert tells(printed.stderr.splitlines()[0], f"{crash} ... : ... status 1")


def test_a_missing_command_is_a_usage_error() -> None:
    message = refused(*play("exec:./no-such-bot"))
    assert tells(message, "--bot '2=exec:./no-such-bot': ... './no-such-bot' ... not found")
    assert message.count("\n") == 1


def test_no_message_suggests_the_program_of_a_record(tmp_path: Path) -> None:
    record = tmp_path / "match.jsonl"
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path)
        words = ["-bot", f"orange={command('well')}", "-record", str(record)]
        assert run_here(constructor, words, "0\n").status == 0
    assert "exec:" in record.read_text("utf-8")
    words = ["-resume", str(record)]
    with terminals.at_terminal(constructor, *words, size=WIDE, cwd=tmp_path) as child:
        child.expect("Red>")
        leave_by(child, "Ctrl-C")
        output = left(child)
    assert "constructor -load backup.sv -bot Orange" in output
    assert "exec:" not in output


def test_a_program_has_no_terminal_to_read_from(tmp_path: Path) -> None:
    script = tmp_path / "reader.py"
    script.write_text(
        "import json, sys\n"
        "try:\n"
        "    open('/dev/tty')\n"
        "    sys.exit('it has a terminal')\n"
        "except OSError:\n"
        "    pass\n"
        "import runpy; sys.argv = ['bot.py', 'well']\n"
        f"runpy.run_path({str(BOT)!r}, run_name='__main__')\n",
        "utf-8",
    )
    with at_terminal(*play(f"exec:python3 {script}", "--no-record", "--no-hints")) as child:
        child.expect("Player 1> ")
        child.sendline("9")
        child.expect("Player 2: 1")
        abandon(child)
        left(child)
