"""Bots that sit at a table elsewhere, in the process of the test."""

from __future__ import annotations

import sys
from argparse import Namespace

from tabletop.cli.join import _bot_of
from tests.tabletop.cli.program import ROOT
from tests.tabletop.web.served import Server, with_server

PROGRAM = f"exec:{sys.executable} {ROOT / 'examples' / 'exec_bot.py'}"


async def play(server: Server, bot: str) -> None:
    """Have a bot play a match against others that play anything, to its end."""
    opened = await server.open("lcr", players=["human", "random", "random"])
    link = server.address + opened["links"][0]
    await _bot_of(Namespace(bot=bot, game=None))(link)


@with_server(quick=True)
async def test_a_bot_of_the_game_plays_a_match_to_its_end(server: Server) -> None:
    await play(server, "random")


@with_server()
async def test_a_program_plays_a_match_to_its_end(server: Server) -> None:
    await play(server, PROGRAM)
