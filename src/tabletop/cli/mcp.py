"""The command `tabletop mcp`, a server of the Model Context Protocol for language models."""

from __future__ import annotations

import argparse
import asyncio
from typing import TYPE_CHECKING

from tabletop.cli.match_args import number_in
from tabletop.host.extras import require
from tabletop.host.user_files import user_path
from tabletop.registry import load
from tabletop.terminal.programs import OK

if TYPE_CHECKING:
    from tabletop.web.mcp_server import ModelTables


def add_mcp_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `tabletop mcp`."""
    parser.add_argument(
        "games",
        metavar="GAME",
        nargs="*",
        help="game to offer in addition to the installed games: module:NAME or path of a .py file",
    )
    parser.add_argument(
        "--http",
        metavar="PORT",
        type=number_in(0, 65535),
        help="serve streamable HTTP at http://127.0.0.1:PORT/mcp instead of standard input and"
        " output",
    )
    parser.add_argument(
        "--host",
        metavar="ADDRESS",
        default="127.0.0.1",
        help="address of the tables that models open (default: 127.0.0.1, which only this machine"
        " reaches)",
    )
    parser.add_argument(
        "--port",
        metavar="N",
        type=number_in(0, 65535),
        default=0,
        help="port of these tables (default: any free port)",
    )
    parser.add_argument(
        "--data",
        metavar="FOLDER",
        type=user_path,
        help="folder for these tables, which a later server resumes (default: a temporary folder)",
    )


def run_mcp(arguments: argparse.Namespace) -> int:
    """Serve games to language models with the Model Context Protocol.

    A model opens a table on this machine or joins one with a link. People watch and play along in a
    browser.
    """
    require("mcp", "llm", "mcp")
    require("mcp", "web", "segno", "starlette", "uvicorn", "websockets")
    from tabletop.web.mcp_server import ModelTables

    tables = ModelTables(
        [load(game) for game in arguments.games],
        host=arguments.host,
        port=arguments.port,
        directory=arguments.data,
    )
    asyncio.run(_run(tables, arguments.http))
    return OK


async def _run(tables: ModelTables, port: int | None) -> None:
    from tabletop.web.mcp_server import make_server

    server = make_server(tables)
    async with tables.running():
        if port is None:
            await server.run_stdio_async()
        else:
            await server.run_streamable_http_async(port=port)
