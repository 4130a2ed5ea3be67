"""`tabletop serve`: output, errors and shutdown."""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import shlex
import signal
import socket
import sys
from pathlib import Path

import httpx
import pytest
from websockets.asyncio.client import connect

from tabletop.cli import main, serve
from tabletop.cli.table_args import settings_of
from tabletop.protocol import StateOut, TableSettings
from tabletop.protocol import connect as join
from tests.forked import end_of, start
from tests.tabletop.chat_server import chat_server
from tests.tabletop.cli.program import TICTACTOE, here, refused
from tests.tabletop.told import tells

LINK = re.compile(r"https?://[\w.]+(?::\d+)?(/t/[\w-]+)?/?#([\w-]+)")


def test_an_unavailable_address_is_reported() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        message = refused("serve", "--port", port, status=1)
        assert tells(message, f"tabletop: 127.0.0.1:{port}: Address already in use ... port\n")
    message = refused("serve", "--host", "192.0.2.1", "--port", 0, status=1)
    assert "192.0.2.1:0: Cannot assign requested address" in message


@pytest.mark.slow
def test_an_unwritable_record_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "missing" / "lcr.jsonl"
    message = refused("serve", "lcr", "--port", "0", "--record", path, status=1)
    assert tells(message, f"tabletop: {path}: ... No such file or directory\n")


def test_without_the_extra_serve_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serve, "NEEDED", ("starlette", "no_such_part"))
    message = refused("serve", "lcr", status=1)
    assert tells(message, "tabletop: serve ... no_such_part: ... 'tabletop-rules[web]'\n")


def test_option_help_is_the_same_as_for_play() -> None:
    words = ("lcr", "--option", "help")
    assert here("serve", *words).stdout == here("play", *words).stdout


@pytest.mark.parametrize(
    ("words", "settings"),
    [
        ("", TableSettings()),
        ("--clock 600", TableSettings(clock=600)),
        ("--clock 60 --increment 5 --casual", TableSettings(clock=60, increment=5, casual=True)),
        ("--idle-timeout 60", TableSettings(idle_timeout=60)),
        ("--move-time 30", TableSettings(move_time=30)),
        ("--idle-timeout never", TableSettings(idle_timeout=None)),
    ],
)
def test_a_table_has_the_settings_of_the_command_line(words: str, settings: TableSettings) -> None:
    parser = argparse.ArgumentParser()
    serve.add_serve_arguments(parser)
    assert settings_of(parser.parse_args(["lcr", *words.split()])) == settings


class Served:
    """`tabletop serve` in a separate process."""

    def __init__(self, tmp_path: Path, *words: str) -> None:
        homes = {"XDG_STATE_HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path)}
        self.process = start(main, "serve", *words, "--port", "0", environment=homes)
        self.links: list[str] = []
        self.host = ""  # the link of the host's page
        self.invitation = ""
        self.again: list[str] = []  # the commands with which bots return
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.links += [found[0] for found in LINK.finditer(line)]
            if "/i/" in line:
                self.invitation = line.split()[-1]
            if "after a restart: " in line:
                self.again.append(line.partition("after a restart: ")[2].rstrip(")\n"))
            if line.startswith("Host page"):
                self.host = line.split()[-1]
            if line.startswith("Press Ctrl-C"):
                break

    @property
    def port(self) -> str:
        return self.links[0].split("/")[2]

    def end(self, number: int) -> tuple[int, str]:
        """Interrupt the server. Return its exit code and error output."""
        self.process.send_signal(number)
        ended = end_of(self.process)
        return ended.status, ended.stderr


async def _first_state(address: str, link: str, *lines: str) -> dict[str, object]:
    """Return the state after some lines have been played."""
    page, _, token = link.replace("http", "ws").partition("#")
    path = "/t/" + page.partition("/t/")[2]
    async with connect(f"ws://{address}{path}/socket", max_queue=None) as wire:
        await wire.send(json.dumps({"type": "hello", "token": token}))
        for line in lines:
            await wire.send(json.dumps({"type": "act", "line": line}))
        async with asyncio.timeout(60):
            while True:
                message = json.loads(await wire.recv())
                if message["type"] == "state" and message["ply"] >= len(lines):
                    return dict(message)


@pytest.mark.slow
def test_a_restarted_server_resumes_its_tables(tmp_path: Path) -> None:
    served = Served(tmp_path, "lcr", "--name", "Ada", "--bot", "3")
    ada, bo, watching, lobby = served.links
    assert "/t/" not in lobby
    state = asyncio.run(_first_state(served.port, ada, "roll"))
    assert state["ply"] == 1
    served.end(signal.SIGKILL)
    again = Served(tmp_path)
    assert len(again.links) == 1
    state = asyncio.run(_first_state(again.port, bo))
    assert (state["ply"], state["your_turn"]) == (1, [1])
    state = asyncio.run(_first_state(again.port, watching))
    assert state["your_turn"] == []
    assert again.end(signal.SIGINT) == (0, "")
    again = Served(tmp_path, "--host", "0.0.0.0")
    status, err = again.end(signal.SIGTERM)
    assert status == 0
    assert "Other machines" in err


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "begins"),
    [
        (["--public", "table.example"], "https://table.example/"),
        (["--host", "0.0.0.0", "--public", "table.example"], "http://table.example:"),
    ],
)
def test_links_have_the_public_host_name(words: list[str], begins: str, tmp_path: Path) -> None:
    served = Served(tmp_path, "lcr", *words)
    served.end(signal.SIGINT)
    assert len(served.links) == 5
    assert all(link.startswith(begins) for link in served.links)


@pytest.mark.slow
def test_the_lobby_offers_several_games_and_its_link_is_permanent(tmp_path: Path) -> None:
    examples = Path(__file__).parents[3] / "examples"
    served = Served(tmp_path, str(examples / "pig.py"), str(examples / "tictactoe.py"))
    (lobby,) = served.links
    headers = {"authorization": f"Bearer {lobby.partition('#')[2]}"}
    address = f"http://{served.port}"
    offered = httpx.get(f"{address}/api/games", timeout=60).json()["games"]
    assert {"pig", "tictactoe", "lcr"} <= {it["name"] for it in offered}
    for game in ("pig", "tictactoe", "lcr"):
        asked = {"game": game}
        opened = httpx.post(f"{address}/api/tables", json=asked, headers=headers, timeout=60)
        assert opened.status_code == 201
    host = {"authorization": f"Bearer {served.host.partition('#')[2]}"}
    page = httpx.get(f"{address}/api/host", headers=host, timeout=60).json()
    assert len(page["tables"]) == 3
    served.end(signal.SIGINT)
    again = Served(tmp_path)
    again.end(signal.SIGINT)
    assert again.links[0].partition("/#")[2] == lobby.partition("/#")[2]
    assert again.host.partition("#")[2] == served.host.partition("#")[2]


HEAP = (Path(__file__).parents[3] / "examples" / "how_to" / "heap.py").read_text("utf-8")


@pytest.mark.slow
def test_the_printed_invitation_seats_everybody(tmp_path: Path) -> None:
    served = Served(tmp_path, "lcr", "--bot", "3")
    path, _, token = served.invitation.partition("#")
    address = f"http://{served.port}/api/invitations/{path.rpartition('/')[2]}/sit"
    headers = {"authorization": f"Bearer {token}"}
    answers = [httpx.post(address, headers=headers, timeout=60) for _ in range(3)]
    assert [it.status_code for it in answers] == [200, 200, 409]
    assert [it.json()["seat"] for it in answers[:2]] == [0, 1]
    served.end(signal.SIGTERM)


async def _refusal(address: str, link: str) -> tuple[str, int | None]:
    """Connect to a table. Return the messages, and the code with which the server closes."""
    page, _, token = link.partition("#")
    path = "/t/" + page.partition("/t/")[2]
    async with connect(f"ws://{address}{path}/socket", max_queue=None) as wire:
        await wire.send(json.dumps({"type": "hello", "token": token}))
        message = json.loads(await wire.recv())
        await wire.wait_closed()
        return message["message"], wire.close_code


@pytest.mark.slow
def test_a_table_with_changed_rules_is_reported_with_a_remedy(
    tmp_path: Path,
) -> None:
    game = tmp_path / "heap.py"
    game.write_text(HEAP, "utf-8")
    served = Served(tmp_path, str(game))
    link = served.links[0]
    asyncio.run(_first_state(served.port, link, "2"))
    served.end(signal.SIGINT)
    # Of another length: Python takes a file of the same second and length for unchanged.
    game.write_text(HEAP.replace('version = "1"', 'version = "2"') + "\n", "utf-8")
    again = Served(tmp_path, str(game))
    for _ in range(3):
        message, code = asyncio.run(_refusal(again.port, link))
        assert tells(message, "rules of heap")
        assert code == 4404, "a page does not try again"
    status, errors = again.end(signal.SIGINT)
    assert status == 0
    assert tells(errors, "1 table ... tabletop serve OLD.py")
    assert tells(errors, ".jsonl: ... version 1 ... heap ... version 2")
    assert errors.count(".jsonl: ") == 1


@pytest.mark.slow
def test_a_server_raises_the_limit_of_connections(tmp_path: Path) -> None:
    served = Served(tmp_path, "lcr")
    limits = Path(f"/proc/{served.process.pid}/limits").read_text("utf-8")
    served.end(signal.SIGINT)
    [(soft, hard)] = re.findall(r"^Max open files +(\d+) +(\d+)", limits, re.MULTILINE)
    assert soft == hard


@pytest.mark.slow
def test_a_second_server_in_the_same_folder_is_refused_and_names_the_first(tmp_path: Path) -> None:
    folder = tmp_path / "tables"
    first = Served(tmp_path, "lcr", "--data", str(folder))
    try:
        message = refused("serve", "lcr", "--port", "0", "--data", folder, status=1)
        assert f"the server http://{first.port} (process {first.process.pid})" in message
        assert "--data FOLDER" in message
        other = Served(tmp_path, "lcr", "--data", str(tmp_path / "others"))
        assert other.end(signal.SIGINT) == (0, "")
    finally:
        first.end(signal.SIGKILL)
    again = Served(tmp_path, "lcr", "--data", str(folder))
    assert again.end(signal.SIGINT) == (0, "")


@pytest.mark.slow
def test_a_data_folder_that_is_a_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("")
    message = refused("serve", "lcr", "--port", "0", "--data", path, status=1)
    assert str(path) in message
    assert path.read_text() == ""


async def _outcome(link: str) -> str:
    """Return the outcome of a table in words, when its match is over."""
    async with asyncio.timeout(60), join(link) as table:
        async for message in table:
            if isinstance(message, StateOut) and message.over is not None:
                return message.over.text
    raise AssertionError("the table was closed")


@pytest.mark.slow
def test_a_language_model_and_a_program_play_at_a_served_table(tmp_path: Path) -> None:
    program = shlex.join([sys.executable, TICTACTOE.replace("tictactoe", "exec_bot")])
    bots = ("--bot", "1=llm:prose", "--bot", f"2=exec:{program}")
    with chat_server() as models:
        served = Served(tmp_path, TICTACTOE, *bots, "--llm-url", models.url)
        watching = served.links[-3]
        assert asyncio.run(_outcome(watching))
        assert models.asked["prose"]
        assert served.end(signal.SIGINT) == (0, "")
        assert [f"--llm-url {models.url}" in command for command in served.again] == [True, False]


@pytest.mark.slow
def test_a_served_table_stays_open_when_its_language_model_fails(tmp_path: Path) -> None:
    with chat_server() as models:
        served = Served(tmp_path, TICTACTOE, "--bot", "1=llm:strange", "--llm-url", models.url)
        assert served.process.stderr is not None
        assert "llm:strange has left" in served.process.stderr.readline()
        state = asyncio.run(_first_state(served.port, served.links[-4]))
        assert state["turn"] == [0]
        assert served.end(signal.SIGINT) == (0, "")
