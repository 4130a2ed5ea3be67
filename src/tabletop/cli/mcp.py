"""The command `tabletop mcp`, a server of the Model Context Protocol for language models."""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from tabletop.cli.match_args import number_in
from tabletop.host.extras import require
from tabletop.registry import Plugin, load
from tabletop.terminal.programs import OK
from tabletop.terminal.signals import run

if TYPE_CHECKING:
    from starlette.applications import Starlette

_HERE: Final = "127.0.0.1"
"""The address of the server for models. The tables may have another address."""


def add_mcp_arguments(parser: argparse.ArgumentParser) -> None:
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
        help="serve streamable HTTP at http://127.0.0.1:PORT/mcp, with 0 at any free port, instead"
        " of standard input and output",
    )
    parser.add_argument(
        "--host",
        metavar="ADDRESS",
        default="127.0.0.1",
        help="address of the tables that models open (default: 127.0.0.1, which only this machine"
        " reaches)",
    )


def run_mcp(arguments: argparse.Namespace) -> int:
    """Serve games to language models with the Model Context Protocol.

    A model opens a table on this machine or joins one with a link. People watch and play along in a
    browser.
    """
    require("mcp", "llm", "mcp")
    games = [load(game) for game in arguments.games]
    with asyncio.Runner() as runner:
        try:
            run(runner.get_loop(), _run(games, arguments.host, arguments.http))
        except KeyboardInterrupt:
            os._exit(OK)  # nothing can stop the thread in which the library reads standard input
    return OK


async def _run(games: Iterable[Plugin], host: str, port: int | None) -> None:
    from tabletop.web.mcp_server import model_server

    async with model_server(games, host) as server:
        if port is None:
            serving = asyncio.create_task(server.run_stdio_async())
            await asyncio.wait([serving])
            serving.result()
        else:
            await _serve_http(server.streamable_http_app(host=_HERE), port)


async def _serve_http(app: Starlette, port: int) -> None:
    import uvicorn

    from tabletop.web.server import address_of, listen

    listening = listen(_HERE, port)
    sys.stdout.write(f"{address_of(listening, _HERE)}/mcp\n")
    sys.stdout.flush()
    config = uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=2)
    await uvicorn.Server(config).serve(sockets=[listening])
