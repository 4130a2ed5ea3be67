"""Bots that think do not block other tables, and late answers are dropped."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tabletop import Plugin
from tabletop.cli import main
from tabletop.match import AnyMatch
from tabletop.protocol.incoming import HintIn
from tabletop.protocol.outgoing import HintOut
from tabletop.records import read, replay
from tabletop.registry import bot_label, load
from tabletop.table import bot_turns as bots_module
from tests.forked import start
from tests.tabletop.bots.gates import GAME, Gates, gone
from tests.tabletop.bots.test_questions import new_match
from tests.tabletop.table.sittings import at_game
from tests.tabletop.web.served import QUICK, Server, serving
from tests.tabletop.web.served import Screen as Client

pytestmark = pytest.mark.slow  # each of them starts a server, and processes

TICTACTOE = "examples/tictactoe.py"


@pytest.fixture
def gates(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Gates:
    """The gates of bots, which think as long as a test wants."""
    folder = tmp_path / "gates"
    folder.mkdir()
    monkeypatch.setenv("GATES", str(folder))
    monkeypatch.setattr(bots_module, "UNSAID", 0.0)
    return Gates(folder)


def plugins(*games: str) -> tuple[Plugin, ...]:
    return tuple(map(load, games))


def match_of(server: Server, opened: dict[str, Any]) -> AnyMatch:
    """The match of a table."""
    return server.hosting.tables.listing.live[opened["table"]].table.match


async def open_gated(server: Server, *players: str, **more: object) -> dict[str, Any]:
    """A table of the race, where the first seat is to act first."""
    options = {"start": "line"}
    names = ["Ada", "Bob", "Cy"][: len(players)]
    return await server.open("gated", players=[*players], names=names, options=options, **more)


@asynccontextmanager
async def sat(server: Server, *players: str) -> AsyncIterator[tuple[dict[str, Any], Client]]:
    """Sit a person down on the first seat of such a table."""
    opened = await open_gated(server, *players)
    async with server.screen(opened["links"][0]) as ada:
        await ada.until("state")
        yield opened, ada


def test_other_tables_go_on_while_a_bot_thinks_and_people_are_told_that_it_does(
    tmp_path: Path, gates: Gates
) -> None:
    async def test(server: Server) -> None:
        opened = await open_gated(server, "patient", "human")
        other = await open_gated(server, "human", "random")
        async with (
            server.screen(opened["links"][1]) as ada,
            server.screen(other["links"][0]) as bo,
        ):
            await gates.asked(0)
            told = await ada.until("table", lambda told: told["thinking"])
            assert told["thinking"] == "Ada is thinking"
            # All of another match while the bot thinks.
            state = await bo.until("state")
            while not state["over"]:
                if state["your_turn"]:
                    await bo.say(type="act", line="walk")
                state = await bo.until("state")
            assert match_of(server, opened).ply == 0
            gates.open(0)
            await ada.at(1)
            assert ada.last("table")["thinking"] == ""

    serving(test, tmp_path, plugins=plugins(GAME))


def test_a_table_whose_bot_waits_for_those_of_others_says_so(tmp_path: Path, gates: Gates) -> None:
    async def test(server: Server) -> None:
        server.hosting.tables._pool.size = 1
        first = await open_gated(server, "patient", "human")
        async with server.screen(first["links"][1]):
            await gates.asked(0)
            second = await open_gated(server, "own", "human")
            async with server.screen(second["links"][1]) as bo:
                told = await bo.until("table", lambda told: told["thinking"])
                assert told["thinking"] == "Ada waits until bots of other tables have thought"
                gates.open(0)
                await bo.at(1)

    serving(test, tmp_path, plugins=plugins(GAME))


def test_what_is_undone_while_a_bot_thinks_is_thought_of_no_more(
    tmp_path: Path, gates: Gates
) -> None:
    async def test(server: Server) -> None:
        async with sat(server, "human", "patient") as (opened, ada):
            await ada.say(type="act", line="walk")
            first = await gates.asked(1)
            await ada.say(type="undo")
            await ada.until("state", lambda told: told["ply"] == 0)
            await gone(first)
            await ada.say(type="act", line="run")
            await gates.asked(1, other_than=first)
            gates.open(1)
            await ada.at(2)
        match = match_of(server, opened)
        assert match.actions[0] == "run"
        assert match.bot_draws[0].ply == 2

    serving(test, tmp_path, plugins=plugins(GAME))


def test_a_seat_that_is_handed_on_while_its_bot_thinks_is_played_by_the_next(
    tmp_path: Path, gates: Gates
) -> None:
    async def test(server: Server) -> None:
        async with sat(server, "human", "human") as (opened, ada):
            await ada.say(type="seat", seat=0, player="patient")
            process = await gates.asked(0)
            await ada.say(type="seat", seat=0, player="human")
            await ada.until("state", lambda told: told["your_turn"] == [0])
            await gone(process)
            gates.open(0)
            await ada.say(type="act", line="walk")
            await ada.at(1)
        assert match_of(server, opened).bot_draws == ()

    serving(test, tmp_path, plugins=plugins(GAME))


def test_a_table_that_is_left_ends_the_thoughts_of_its_bots(tmp_path: Path, gates: Gates) -> None:
    processes: list[int] = []

    async def test(server: Server) -> None:
        async with sat(server, "human", "patient") as (opened, ada):
            await ada.say(type="act", line="walk")
            processes.append(await gates.asked(1))
        await gone(processes[0])  # as soon as nobody has been there for a while
        gates.open(1)
        async with server.screen(opened["links"][0]) as ada:
            await ada.until("state", lambda told: told["ply"] >= 2)

    serving(test, tmp_path, limits=replace(QUICK, unload=0.05), plugins=plugins(GAME))


@pytest.mark.parametrize("bot", ["crash", "nonsense"])
def test_a_bot_that_fails_loses_its_seat_with_a_message(
    tmp_path: Path, gates: Gates, bot: str
) -> None:
    async def test(server: Server) -> None:
        opened = await open_gated(server, bot, "human")
        async with server.screen(opened["links"][1]) as ada:
            said = await ada.until("note")
            assert said["text"] == f"the {bot_label(bot)} has failed: the Own bot plays for Ada now"
            await ada.at(1)

    serving(test, tmp_path, plugins=plugins(GAME))


def test_the_log_contains_the_traceback_of_a_bot_in_another_process(
    tmp_path: Path, gates: Gates, caplog: pytest.LogCaptureFixture
) -> None:
    async def test(server: Server) -> None:
        opened = await open_gated(server, "crash", "human")
        async with server.screen(opened["links"][1]) as ada:
            await ada.at(1)

    serving(test, tmp_path, plugins=plugins(GAME))
    assert "Traceback" in caplog.text
    assert "in choose" in caplog.text


def test_a_match_of_bots_that_think_is_the_one_that_is_played_without_a_pool(
    tmp_path: Path,
) -> None:
    record: list[Path] = []

    async def test(server: Server) -> None:
        opened = await server.open("tictactoe", players=["easy", "search:40"])
        async with server.screen(opened["spectators"]) as screen:
            await screen.until("state", lambda told: told["over"])
        live = server.hosting.tables.listing.live[opened["table"]]
        record.append(Path(live.saved.record))

    plugin = load(TICTACTOE)
    here = new_match(TICTACTOE)
    for seat, name in enumerate(("easy", "search:40")):
        here.set_player(seat, plugin.bot(name, here.bot_stream(seat), seat))
    here.run()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tabletop.table.bot_names.SEARCHES", ("search:40",))
        serving(test, tmp_path, plugins=(plugin,))
    played = replay(read(record[0]), plugin.game)
    assert played.actions == here.actions
    assert played.bot_draws == here.bot_draws


# Hints.


def test_only_the_player_who_asks_receives_a_hint(tmp_path: Path) -> None:
    async def test(server: Server) -> None:
        opened = await server.open("tictactoe")
        async with (
            server.screen(opened["links"][0]) as ada,
            server.screen(opened["links"][1]) as bo,
            server.screen(opened["spectators"]) as watcher,
        ):
            state = await ada.until("state")
            assert ada.last("table")["hints"]
            await ada.say(type="hint", id=7)
            told = await ada.until("hint")
            assert (told["id"], told["seat"]) == (7, 0)
            assert told["words"] in [choice["words"] for choice in state["choices"]]
            assert told["confidence"].startswith("estimated win chance ")
            await bo.say(type="hint", id=8)
            assert "not your turn" in (await bo.until("refused"))["message"]
            await watcher.say(type="hint", id=9)
            assert "control no seat" in (await watcher.until("refused"))["message"]
            for screen in (bo, watcher):
                assert not [it for it in screen.heard if it["type"] == "hint"]

    serving(test, tmp_path, plugins=plugins(TICTACTOE))


def test_a_hint_is_refused_at_a_table_without_hints(tmp_path: Path) -> None:
    async def test(server: Server) -> None:
        opened = await server.open("tictactoe", players=["human", "easy"], no_hints=True)
        async with server.screen(opened["links"][0]) as ada:
            await ada.until("state")
            assert not ada.last("table")["hints"]
            await ada.say(type="hint", id=7)
            assert "turned off" in (await ada.until("refused"))["message"]

    serving(test, tmp_path, plugins=plugins(TICTACTOE))


def test_a_hint_for_a_position_that_has_changed_is_dropped(
    tmp_path: Path, gates: Gates, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tabletop.table.hints.hint_bot", lambda plugin: "patient")

    async def test(server: Server) -> None:
        opened = await open_gated(server, "human", "human", casual=True)
        async with server.screen(opened["links"][0]) as ada:
            await ada.until("state")
            await ada.say(type="hint", id=7)
            process = await gates.asked(0)
            await ada.say(type="hint", id=8)
            assert "already" in (await ada.until("refused"))["message"]
            await ada.say(type="act", line="walk")
            told = await ada.until("hint")
            assert (told["id"], told["words"]) == (7, "")
            await gone(process)

    serving(test, tmp_path, plugins=plugins(GAME))


def test_a_hint_is_refused_while_too_many_choices_wait(tmp_path: Path, gates: Gates) -> None:
    async def test(server: Server) -> None:
        opened = await server.open("tictactoe", casual=True)
        async with server.screen(opened["links"][0]) as ada:
            await ada.until("state")
            await ada.say(type="hint", id=7)
            assert "try again soon" in (await ada.until("refused"))["message"]

    serving(test, tmp_path, limits=replace(QUICK, hints=0), plugins=plugins(TICTACTOE))


def test_a_window_beside_a_terminal_gives_hints_without_a_pool(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("tabletop.table.hints.hint_bot", lambda plugin: "easy")

    at = at_game(load(TICTACTOE), ["human", "human"], seating={0: None}, hosted=False, undo="free")
    at.open(0)
    at.hear(0)
    at.ask(0, HintIn(3))
    [hint] = at.told(0, HintOut)
    assert hint.id == 3
    assert at.match.parse(hint.words, 0) in at.match.legal_actions(0)
    tried, others = hint.reasons
    assert re.fullmatch(r"\d+ of 20 simulations chose this action", tried)
    assert re.fullmatch(r"next best: x on \d \(\d+ %\), x on \d \(\d+ %\)", others)


# Which bots there are.


def test_the_lobby_lists_bots_by_strength_then_the_game_s_own(tmp_path: Path) -> None:
    async def test(server: Server) -> None:
        games = {it["name"]: it for it in (await server.web.get("/api/games")).json()["games"]}
        assert [bot["name"] for bot in games["sorcery"]["bots"]][:4] == [
            "easy",
            "fair",
            "hard",
            "duelist",
        ]
        assert games["sorcery"]["rival"] == "fair"
        assert [bot["name"] for bot in games["lcr"]["bots"]] == ["random"]

    serving(test, tmp_path)


@pytest.mark.parametrize(
    "bot", ["search:999999999", "search:3600s", "exec:true", "llm:gpt", "deep"]
)
def test_no_seat_is_given_to_a_bot_that_is_not_on_the_list(tmp_path: Path, bot: str) -> None:
    async def test(server: Server) -> None:
        answer = await server.post(game="sorcery", players=["human", bot])
        assert answer.status_code == 400
        opened = await server.open("sorcery", players=["human", "random"])
        async with server.screen(opened["links"][0]) as ada:
            await ada.until("state")
            await ada.say(type="seat", seat=0, player=bot, id=3)
            assert (await ada.until("refused"))["id"] == 3
            assert ada.last("table")["players"] == ["human", "random"]

    serving(test, tmp_path)


# The program.


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_a_signal_that_ends_the_server_ends_the_thoughts_of_bots(
    tmp_path: Path, gates: Gates, number: signal.Signals
) -> None:
    words = ["serve", GAME, "--seats", "2", "--bot", "1=patient", "--option", "start=line"]
    words += ["--port", "0"]
    variables = {"XDG_STATE_HOME": str(tmp_path)}

    async def run() -> None:
        nowhere = subprocess.DEVNULL
        with start(
            main, *words, environment=variables, stdout=nowhere, new_session=True
        ) as program:
            try:
                process = await gates.asked(0)
                os.killpg(program.pid, number)  # as a terminal does
                _, stderr = await asyncio.to_thread(program.communicate)
            finally:
                program.kill()
        await gone(process)
        assert stderr == ""

    asyncio.run(run())
