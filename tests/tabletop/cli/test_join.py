"""`tabletop join`: players at a terminal, bots and programs at a table on a server."""

from __future__ import annotations

import io
import json
import shlex
import subprocess
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

import pexpect
import pytest

from tabletop.cli import main
from tabletop.protocol import read_invitation, take_seat
from tests.forked import end_of, run, start
from tests.program_runs import Printed
from tests.tabletop.bots.programs import command, has_ended
from tests.tabletop.chat_server import chat_server
from tests.tabletop.cli.program import (
    ROOT,
    TICTACTOE,
    at_terminal,
    changed,
    process,
    refused,
)
from tests.tabletop.told import tells
from tests.tabletop.web.elsewhere import Elsewhere, elsewhere
from tests.terminals import SEQUENCE, leave_by, left

pytestmark = pytest.mark.slow

ENDS = r"\(`again` plays again, `quit` leaves\) "
BO_IS_HERE = r"(Ada \(you\), Bo|\(Bo is here\))\r\n"
MY_TURN = "(Ada|Bo|Player 1)>"
THE_TURN = "(Ada|Player 1)>"
EXAMPLE = f"exec:{shlex.join([sys.executable, str(ROOT / 'examples' / 'exec_bot.py')])}"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Elsewhere]:
    with elsewhere(tmp_path_factory.mktemp("server"), TICTACTOE) as found:
        yield found


def person(link: str, size: tuple[int, int] = (24, 80)) -> AbstractContextManager[pexpect.spawn]:
    """Return a player at a terminal of the smallest size."""
    return at_terminal("join", link, size=size)


@contextmanager
def ada_and_bo(server: Elsewhere) -> Iterator[tuple[pexpect.spawn, pexpect.spawn]]:
    """Return two players at terminals, at a table of tic-tac-toe. It is Ada's turn."""
    ada, bo, _ = server.open("tictactoe", names=["Ada", "Bo"])
    with person(ada) as first:
        first.expect_exact("Tic-tac-toe: Ada (you), Bo (away)\r\n")
        first.expect(MY_TURN)
        with person(bo) as second:
            first.expect(BO_IS_HERE)
            first.expect(MY_TURN)
            second.expect_exact("Tic-tac-toe: Ada, Bo (you)\r\n")
            second.expect(r"\(Waiting for Ada\)")
            yield first, second


def bot(link: str, name: str, game: str = "") -> subprocess.Popen[str]:
    """Run a bot in a separate process until the match is over."""
    more = ["--game", game] if game else []
    return start(main, "join", link, "--bot", name, *more)


# People.


def play_a_match(first: pexpect.spawn, second: pexpect.spawn) -> None:
    """Play until the first player wins. It is already that player's turn."""
    first.sendline("1")
    for child, cell in [(second, 4), (first, 2), (second, 5), (first, 3)]:
        child.expect(MY_TURN)
        child.sendline(str(cell))


def test_two_people_play_a_match_at_terminals(server: Elsewhere) -> None:
    with ada_and_bo(server) as (first, second):
        play_a_match(first, second)
        for child in (first, second):
            child.expect_exact("x x x\r\no o .\r\n. . .\r\nAda wins (three in a row).\r\n")
            child.expect(r"To see it again:\s+http://127.0.0.1:\d+/replay/\S+\r\n")
            child.expect(ENDS)
            child.sendline("quit")
            left(child)


def test_messages_appear_above_the_typed_line(server: Elsewhere) -> None:
    with ada_and_bo(server) as (first, second):
        first.send("say good ")
        second.sendline("say hello")
        first.expect(r"\r\nBo: hello\r\nAda> ")
        first.sendline("luck")
        second.expect(r"Ada: good luck\r\n")
        second.send("say thank ")
        first.sendline("5")
        second.expect(r"Ada: 5\r\n(.*\r\n)*Bo> ")
        second.sendline("you")
        first.expect(r"Bo: thank you\r\n")


def test_an_undo_asks_the_other_players(server: Elsewhere) -> None:
    with ada_and_bo(server) as (first, second):
        first.sendline("5")
        first.expect(r"\(Waiting for Bo\)")
        first.sendline("undo")
        first.expect_exact("(asked Bo, who must agree first; `no` withdraws it)")
        second.expect_exact("(Ada asks to undo 1 action: type yes or no)")
        second.sendline("no")
        first.expect_exact("(Bo refused the undo request)")
        first.sendline("undo")
        second.expect_exact("(Ada asks to undo 1 action: type yes or no)")
        second.sendline("yes")
        first.expect(r"1 action undone\r\n")
        first.expect_exact(". . .\r\n. . .\r\n. . .\r\n")
        first.expect(MY_TURN)
        first.sendline("6")
        second.expect_exact(". . .\r\n. . x\r\n. . .\r\n")


def test_a_player_resigns_after_a_question(server: Elsewhere) -> None:
    first, second, _ = server.open("tictactoe", names=["Ada", "Bo"])
    with person(first) as ada, person(second) as bo:
        ada.expect(BO_IS_HERE)
        ada.sendline("resign")
        ada.expect_exact("Resign anyway? (yes or no)")
        ada.sendline("yes")
        bo.expect_exact("Bo wins (Ada resigned).")


def test_a_command_of_the_game_with_the_same_name_asks_no_question(server: Elsewhere) -> None:
    players = ["human", "random", "random", "human"]
    with person(server.open("constructor", *players)[0]) as child:
        child.expect("Blue>")
        child.sendline("resign")
        assert child.expect(["anyway", "bot plays for"]) == 1


def test_a_refused_action_shows_the_reason_and_keeps_the_turn(server: Elsewhere) -> None:
    ada, _ = server.open("tictactoe", "human", "random")
    with person(ada) as child:
        for typed, message in {
            "castle": r"'castle' is not possible here; .*\r\n\(`help` lists the commands\)",
            "tabel": r"\(did you mean `table`\? `help` lists",
            "bot nobody": "tictactoe has no bot 'nobody'",
            "resume": "",
            "human 9": "there is no seat 9",
            "/frob": "'frob'",
            "look": "look",
            "redo": "no undone action",
        }.items():
            child.expect(MY_TURN)
            child.sendline(typed)
            child.expect(message)
        child.expect(MY_TURN)
        leave_by(child, "Ctrl-D")
        assert "You have left the table. The same link leads back." in left(child)


def test_tab_completes_the_words_of_the_game_and_of_every_table(
    server: Elsewhere, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", "xterm")
    ada, _ = server.open("sorcery", "human", "random")
    with person(ada) as child:
        child.expect(THE_TURN)
        for typed, offered in {
            "": ("play", "end"),
            "a": ("actions", "again"),
            "/a": ("actions", "again"),
            "bot ": ("fair",),
        }.items():
            child.send(f"{typed}\t")  # what is suggested in grey is the first of these alone
            for word in offered:
                child.expect(word)
            child.send("\x15")  # Ctrl-U: nothing is typed
        child.sendline("/quit")
        left(child)


def test_a_position_and_help_fit_a_small_terminal(server: Elsewhere) -> None:
    ada, _ = server.open("sorcery", "human", "random")
    with person(ada) as child:
        child.logfile_read = seen = io.StringIO()
        for line in ("help", "/quit"):
            child.expect(THE_TURN)
            child.sendline(line)
        left(child)
    position, _, words = SEQUENCE.sub("", seen.getvalue()).partition("help\n")
    for screen in (position, words):
        assert max(map(len, screen.splitlines())) <= 80
        assert 5 < screen.count("\n") < 24


def test_texts_follow_the_size_of_the_terminal(server: Elsewhere) -> None:
    ada, _ = server.open("sorcery", "human", "random")
    with person(ada) as child:
        child.expect(THE_TURN)
        assert "compact board" in child.before
        child.setwinsize(60, 200)
        child.logfile_read = seen = io.StringIO()
        for line in ("table", "/quit"):
            child.sendline(line)
            child.expect(THE_TURN if line == "table" else "left the table")
    assert max(map(len, SEQUENCE.sub("", seen.getvalue()).splitlines())) > 120


@pytest.mark.parametrize(
    ("way", "term"),
    [("Ctrl-C", "xterm"), ("SIGTERM", "xterm"), ("SIGHUP", "xterm"), ("Ctrl-C", "dumb")],
)
def test_a_signal_leaves_the_table(
    way: str, term: str, server: Elsewhere, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", term)
    with ada_and_bo(server) as (first, second):
        leave_by(second, way)
        assert "The same link leads back" in left(second)
        first.expect(r"\(Bo is away\)")


def test_a_terminal_that_is_closed_leaves_the_table(server: Elsewhere) -> None:
    with ada_and_bo(server) as (first, second):
        second.close(force=False)
        first.expect(r"\(Bo is away\)")
        assert has_ended(second.pid)


def test_the_same_people_play_again(server: Elsewhere) -> None:
    with ada_and_bo(server) as (first, second):
        play_a_match(first, second)
        first.expect(ENDS)
        first.sendline("again")
        second.expect(r"\(Ada would like to play again and has opened a table\)")
        second.sendline("again")
        first.expect(r"Tic-tac-toe: Bo.*, Ada \(you\)")
        second.expect(MY_TURN)
        second.sendline("9")
        first.expect_exact(". . .\r\n. . .\r\n. . x\r\n")


def test_a_spectator_sees_the_position_and_the_actions(server: Elsewhere) -> None:
    ada, _, watching = server.open("tictactoe", names=["Ada", "Bo"])
    with person(watching) as watcher:
        watcher.expect(r"Tic-tac-toe: Ada \(away\), Bo \(away\); you watch\r\n")
        watcher.expect(r"\(Waiting for Ada\)")
        watcher.sendline("5")
        watcher.expect("you are watching")
        with person(ada) as first:
            first.expect(MY_TURN)
            first.sendline("5")
            watcher.expect(r"Ada: 5\r\n")
            watcher.expect(r"\(Waiting for Bo\)")
        watcher.sendline("table")
        watcher.expect_exact(". . .\r\n. x .\r\n. . .\r\n")


def test_piped_lines_are_used_when_a_seat_is_to_act(server: Elsewhere) -> None:
    ada, bo, _ = server.open("tictactoe", names=["Ada", "Bo"])
    waiting = bot(bo, "random", TICTACTOE)
    done = run(main, "join", ada, typed="1\n2\n3\n4\n5\n6\n7\n8\n9\nquit\n")
    assert (done.status, done.stderr) == (0, "")
    assert done.stdout.count("Bo: ") >= 2
    ended = end_of(waiting)
    assert ended.stdout.strip() in done.stdout
    assert ended.status == 0


# Invitations.


def test_an_invitation_asks_for_a_name_and_takes_a_seat(server: Elsewhere) -> None:
    invitation = server.invite("tictactoe", names=["Ada"])
    with person(invitation) as child:
        child.expect_exact("Tic-tac-toe: Ada, Player 2 (1 free seat)\r\n")
        child.expect("Your name .*Player 2.*: ")
        child.sendline("Bo")
        child.expect_exact("You sit at Tic-tac-toe as Bo. To come back, run:\r\n")
        child.expect(r"tabletop join '(http://[^']*)'")
        link = child.match.group(1).replace("\r\n", "")
        child.expect_exact("Ada (away), Bo (you)")
        leave_by(child, "Ctrl-D")
        left(child)
    with person(link) as child:
        child.expect_exact("Bo (you)")


def test_a_name_can_be_given_with_an_invitation(server: Elsewhere) -> None:
    invitation = server.invite("tictactoe")
    with at_terminal("join", invitation, "--name", "Bo") as child:
        child.expect_exact("Bo (you)")


def test_an_invitation_takes_no_seat_if_the_player_quits(server: Elsewhere) -> None:
    invitation = server.invite("tictactoe")
    with person(invitation) as child:
        child.expect("Your name")
        child.sendline("quit")
        assert "no seat" in left(child)
    assert len(read_invitation(invitation).free_seats) == 1


def test_an_invitation_to_a_full_table_names_the_link_to_watch(server: Elsewhere) -> None:
    invitation = server.invite("tictactoe", open=[1])
    take_seat(invitation)
    message = refused("join", invitation, status=1)
    assert tells(message, "no seat is free ... tabletop join 'http://")


def test_a_bot_takes_a_seat_with_an_invitation(server: Elsewhere) -> None:
    invitation, ada = server.invite("tictactoe"), server.opened["links"][0]
    bo = start(main, "join", invitation, "--bot", "random", "--game", TICTACTOE, "--name", "Bo")
    other = end_of(bot(server.address + ada, "random", TICTACTOE))
    ended = end_of(bo)
    assert (ended.status, ended.stderr) == (0, "")
    assert ended.stdout.splitlines()[-1:] == other.stdout.splitlines()
    assert "as Bo" in ended.stdout


def test_a_language_model_plays_at_a_table(server: Elsewhere) -> None:
    first, second, _ = server.open("tictactoe", names=["Ada", "Bo"])
    with chat_server() as chat:
        # Not forked, because this process has the threads of the chat server.
        line = ["-m", "tabletop", "join", first, "--bot", "llm:once", "--llm-url", chat.url]
        pipe = subprocess.PIPE
        with subprocess.Popen([sys.executable, *line], stdout=pipe, stderr=pipe) as model:
            other = process("join", second, "--bot", "random", "--game", TICTACTOE)
            stdout, stderr = model.communicate(timeout=60)
    assert (model.returncode, stderr.decode(), stdout.decode()) == (0, "", other.stdout)
    assert "Refused" in chat.prompts[1]
    assert "Ada" in chat.prompts[0]


# Links, and servers.


@pytest.mark.parametrize(
    ("link", "why"),
    [
        ("here", "'here' ... http://HOST:PORT/t/TABLE#TOKEN"),
        ("http://127.0.0.1:1/t/x", "'http://127.0.0.1:1/t/x' ... #"),
        ("http://127.0.0.1:1/i/x", "'http://127.0.0.1:1/i/x' ... invitation ... #"),
        ("http://127.0.0.1:1/replay/x", "'http://127.0.0.1:1/replay/x' ... #TOKEN"),
    ],
)
def test_an_invalid_link_is_a_usage_error(link: str, why: str) -> None:
    assert tells(refused("join", link), why)


def test_an_unknown_link_ends_with_the_reason(server: Elsewhere) -> None:
    [ada, *_] = server.open("tictactoe")
    message = refused("join", f"{ada}x", status=1)
    assert tells(message, "tabletop: table not found ... #")
    for kind in ("t", "i"):
        message = refused("join", f"http://127.0.0.1:1/{kind}/x#y", status=1)
        assert tells(message, "tabletop: 127.0.0.1:1 ... no server")
        assert message.count("\n") == 1
    message = refused("join", f"{server.invite('tictactoe')}x", status=1)
    assert tells(message, "tabletop: ... invitation is not valid ... #")


def test_a_language_model_needs_a_name() -> None:
    link = "http://127.0.0.1:1/t/x#y"
    message = refused("join", link, "--bot", "llm:", "--llm-url", "http://127.0.0.1:1/v1")
    assert tells(message, "llm:MODEL")


def test_a_name_belongs_to_an_invitation(server: Elsewhere) -> None:
    [ada, *_] = server.open("tictactoe")
    assert tells(refused("join", ada, "--name", "Bo"), "--name ... invitation")


def test_without_its_library_the_command_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "websockets", None)
    message = refused("join", "http://127.0.0.1:1/t/x#y", status=1)
    assert tells(message, " websockets: ... 'tabletop-rules[web]'\n")


def test_a_client_reconnects_to_a_restarted_server(tmp_path: Path) -> None:
    with elsewhere(tmp_path, TICTACTOE) as server:
        ada, bo, _ = server.open("tictactoe", names=["Ada", "Bo"])
        playing = bot(bo, "random", TICTACTOE)
        with person(ada) as child:
            child.expect(BO_IS_HERE)
            child.sendline("1")
            child.expect("Bo: ")
            child.expect(MY_TURN)
            server.stop()
            child.expect(r"; trying again\)")
            child.sendline("9")
            child.expect("the connection was lost")
            server.start()
            child.expect(r"\(the table is back\)")
            child.sendline("table")
            child.expect_exact("x ")
            child.sendline("actions")
            child.expect("possible: ")
            child.sendline("quit")
            left(child)
        playing.terminate()
        assert end_of(playing).status == 0


# Bots.


@pytest.mark.parametrize(
    ("game", "names"),
    [
        ("tictactoe", ["search:50", EXAMPLE]),
        pytest.param("sorcery", ["fair", "search:20"], marks=pytest.mark.matrix),
        pytest.param("lcr", ["random", EXAMPLE, "random"], marks=pytest.mark.matrix),
    ],
)
def test_bots_play_a_match_at_a_server(game: str, names: list[str], server: Elsewhere) -> None:
    *links, _ = server.open(game, *["human"] * len(names))
    files = {"tictactoe": TICTACTOE}
    playing = [
        bot(link, name, "" if name is EXAMPLE else files.get(game, ""))
        for link, name in zip(links, names, strict=True)
    ]
    ended = [end_of(it) for it in playing]
    assert {it.stderr for it in ended} == {""}
    assert {it.status for it in ended} == {0}
    assert len({it.stdout for it in ended}) == 1
    assert ended[0].stdout.count("\n") == 1


def test_a_bot_consents_to_an_undo_and_declines_a_draw(server: Elsewhere) -> None:
    ada, bo, _ = server.open("tictactoe", names=["Ada", "Bo"])
    playing = bot(bo, "random", TICTACTOE)
    with person(ada) as child:
        child.expect(BO_IS_HERE)
        child.sendline("1")
        child.expect("Bo: ")
        child.expect(MY_TURN)
        child.sendline("undo")
        child.expect("2 actions undone")
        child.expect_exact(". . .\r\n. . .\r\n. . .\r\n")
        child.expect(MY_TURN)
        child.sendline("9")
        child.expect("Bo: ")
        child.expect(MY_TURN)
        child.sendline("draw")
        child.expect("Bo refused the draw request")
    playing.terminate()
    assert end_of(playing) == Printed("")


@pytest.mark.long
def test_the_choice_of_a_program_is_dropped_after_an_undo(server: Elsewhere) -> None:
    ada, bo, _ = server.open("tictactoe", names=["Ada", "Bo"])
    playing = bot(bo, command("slow"))
    with person(ada) as child:
        child.expect(BO_IS_HERE)
        child.sendline("1")
        child.expect_exact("x o .\r\n. . .\r\n. . .\r\n")
        child.expect(MY_TURN)
        child.sendline("9")
        child.expect(r"\(Waiting for Bo\)")
        child.sendline("undo")
        child.expect("1 action undone")
        child.expect_exact("x o .\r\n. . .\r\n. . .\r\n")
        child.expect(MY_TURN)
        child.sendline("8")
        child.expect("Bo: 3")
        child.expect_exact("x o o\r\n. . .\r\n. x .\r\n")
    playing.terminate()
    assert end_of(playing) == Printed("")


def test_an_unsuitable_bot_is_a_usage_error(server: Elsewhere, tmp_path: Path) -> None:
    ada, _, watching = server.open("tictactoe")
    file = ["--game", TICTACTOE]
    assert tells(refused("join", watching, "--bot", "random", *file), "spectators")
    assert tells(refused("join", watching, "--bot", EXAMPLE), "spectators")
    assert tells(refused("join", ada, "--bot", "random"), "'tictactoe' ... --game")
    assert tells(refused("join", ada, "--bot", "radnom", *file), "mean 'random'?")
    assert tells(refused("join", ada, "--bot", "random", "--game", "lcr"), "table ... tictactoe")
    assert tells(refused("join", ada, "--game", "lcr"), "--game ... --bot")
    assert tells(refused("join", ada, "--bot", "exec:./no-such-bot"), "'./no-such-bot'")
    other = changed(
        tmp_path / "other.py", ('name = "tictactoe"', 'name = "tictactoe"\n    version = "2"')
    )
    message = refused("join", ada, "--bot", "random", "--game", str(other))
    assert tells(message, "table ... tictactoe, version 1, ... your ... tictactoe, version 2")


def messages(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_a_program_gets_the_same_messages_as_at_a_local_table(
    server: Elsewhere, tmp_path: Path
) -> None:
    ada, bo, _ = server.open("tictactoe", names=["Ada", "Bo"])
    playing = bot(bo, command("diary", tmp_path / "diary"))
    with person(ada) as child:
        child.expect(BO_IS_HERE)
        for cell in (9, 8, 7):
            child.expect(MY_TURN)
            child.sendline(str(cell))
        child.expect("Ada wins")
    ended = end_of(playing)
    assert ended == Printed("Ada wins (three in a row).\n")
    received = messages(tmp_path / "diary")
    assert received[0]["type"] == "table"
    assert {it["type"] for it in received} <= {"table", "log", "state", "note"}
    asked = [it for it in received if it["type"] == "state" and it["your_turn"]]
    assert [it["ply"] for it in asked] == [1, 3]
    assert asked[0]["choices"][0]["action"] == {"type": "Place", "value": {"cell": 0}}
    assert asked[0]["deadline"] == 30.0
    assert received[-1]["over"]["outcome"]["ranking"] == [[0], [1]]


def test_a_failing_program_leaves_with_the_reason(server: Elsewhere) -> None:
    for way, why in {
        "crash": "the program has failed: it ended with status 1",
        "unknown": "the program has failed: the request was refused: 'castle' is not possible",
        "old": "it answered ply 0 instead of ply ",
    }.items():
        [ada, *_] = server.open("tictactoe", "human", "random")
        ended = end_of(bot(ada, command(way)))
        assert ended.status == 1
        assert tells(ended.stderr, why)
        assert "Traceback" not in ended.stderr


def test_a_hanging_program_is_ended(server: Elsewhere, tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    [ada, *_] = server.open("tictactoe", "human", "random")
    ended = end_of(bot(ada, command("hang_with_child", pids, seconds=0.5)))
    assert tells(ended.stderr, "tabletop: ... program ... failed: ... 0.5 seconds\n")
    assert ended.stderr.count("\n") == 1
    assert all(has_ended(int(pid)) for pid in pids.read_text("utf-8").split())


def test_a_program_may_ask_for_samples(server: Elsewhere, tmp_path: Path) -> None:
    ada, bo, _ = server.open("sorcery", names=["Ada", "Bo"])
    playing = bot(bo, command("sampling", tmp_path / "notes"))
    with person(ada) as child:
        child.expect(THE_TURN)
        child.sendline("end")
        child.expect("Bo (plays|ends)")
    playing.terminate()
    assert end_of(playing).status == 0
    [samples, _] = json.loads((tmp_path / "notes").read_text("utf-8").splitlines()[0])
    assert (samples["type"], samples["id"], samples["seat"]) == ("samples", 5, 1)
    assert len(samples["states"]) == 3
