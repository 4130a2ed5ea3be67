"""Bots at a remote table, in the process of the test."""

from __future__ import annotations

import shlex
import sys
from contextlib import redirect_stdout
from io import StringIO

from tabletop.cli.join import remote_bot
from tabletop.table.language_models import ModelSettings
from tests.tabletop.cli.program import ROOT
from tests.tabletop.web.served import Server, with_server

PROGRAM = f"exec:{shlex.join((sys.executable, str(ROOT / 'examples' / 'exec_bot.py')))}"
END = "Player 3 wins (nobody else has chips).\n"


async def play(server: Server, bot: str) -> str:
    """Play a match of a bot against random players, and return its output."""
    opened = await server.open("lcr", players=["human", "random", "random"])
    link = server.address + opened["links"][0]
    with redirect_stdout(StringIO()) as printed:
        await remote_bot(bot, None, ModelSettings())(link)
    return printed.getvalue()


@with_server(quick=True)
async def test_a_bot_of_the_game_plays_a_match_to_its_end(server: Server) -> None:
    assert await play(server, "random") == END


@with_server()
async def test_a_program_plays_a_match_to_its_end(server: Server) -> None:
    assert await play(server, PROGRAM) == END
