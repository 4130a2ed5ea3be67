"""Command that serves a table, or a lobby, to browsers."""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Sequence
from contextlib import suppress
from math import inf
from socket import AF_INET, SOCK_DGRAM, socket
from typing import TYPE_CHECKING, Final

from tabletop.cli.match_args import (
    add_match_arguments,
    choose_like,
    choose_seed,
    make_match,
    mend_texts,
    number_in,
    players_of,
    read_players,
)
from tabletop.errors import UsageError
from tabletop.host.extras import require
from tabletop.host.paths import utc_now
from tabletop.host.screen_text import print_error, printable
from tabletop.host.user_files import user_path
from tabletop.registry import Plugin, load
from tabletop.scores.sheets import DAILY, WEEKLY
from tabletop.terminal.args import file_path
from tabletop.terminal.signals import begin_critical, deferred
from tabletop.wording import plural

if TYPE_CHECKING:
    from tabletop.web.clocks import Pace
    from tabletop.web.lobby import NewTable
    from tabletop.web.server import WebServer

NEEDED: Final = ("starlette", "uvicorn", "websockets")
"""The modules of the extra `web`."""

_OF_A_MATCH: Final = (
    *("seed", "salt", "weekly", "daily", "like", "seats", "name", "bot", "option"),
    *("casual", "clock", "increment", "move_time", "patience", "record"),
)
"""The options that need a GAME."""

OPEN: Final = (
    "Other machines reach this server. What is sent is not encrypted: whoever can listen on the way"
    " sees links and hands; put a server with TLS before it for anything but a network that you"
    " trust. Who has a link has its seat, and anybody who knows the address can knock."
)
"""A warning where other machines can reach the server."""


def add_serve_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `tabletop serve`."""
    parser.add_argument(
        "games",
        metavar="GAME",
        nargs="*",
        help="a name, module:NAME, or a path to a .py file: a table is opened; without it, and with"
        " several, there is the lobby alone, which offers them besides the installed ones",
    )
    add_match_arguments(parser)
    parser.add_argument(
        "--casual", action="store_true", help="let people take back whatever they like"
    )
    clocks = parser.add_mutually_exclusive_group()
    clocks.add_argument(
        "--clock",
        metavar="SECONDS",
        type=number_in(1, 10_000_000, float),
        help="give each person so long for the match",
    )
    clocks.add_argument(
        "--move-time",
        metavar="SECONDS",
        type=number_in(1, 10_000_000, float),
        help="give each person so long for each action",
    )
    parser.add_argument(
        "--increment",
        metavar="SECONDS",
        type=number_in(0, 86_400, float),
        help="add so much to the clock of a match with each action",
    )
    parser.add_argument(
        "--patience",
        metavar="SECONDS",
        type=_read_patience,
        help="who is to act and does not for so long may be replaced by a bot, if others say so;"
        " `never` for no one (default: 300, and `never` where there are clocks)",
    )
    parser.add_argument("--no-chat", action="store_true", help="let nobody talk at tables")
    parser.add_argument("--record", metavar="FILE", type=file_path, help="write the record there")
    parser.add_argument(
        "--data",
        metavar="FOLDER",
        type=user_path,
        help="keep tables and the key of all links there: each server needs a folder of its own"
        " (default: a folder of the user)",
    )
    parser.add_argument("--no-score", action="store_true", help="keep no score")
    parser.add_argument(
        "--host", metavar="ADDRESS", default="127.0.0.1", help="listen there (default: 127.0.0.1)"
    )
    parser.add_argument(
        "--port",
        metavar="N",
        type=number_in(0, 65535),
        default=8765,
        help="0 for any (default: 8765)",
    )
    parser.add_argument(
        "--public",
        metavar="HOST",
        action="append",
        default=[],
        help="a name that people reach this server by; repeat",
    )
    parser.add_argument(
        "--open-lobby",
        action="store_true",
        help="let everybody who reaches the server open tables, and not only who has the link",
    )


def _read_patience(word: str) -> float:
    """Read how long people wait for somebody: seconds, or infinity for `never`."""
    if word.casefold() == "never":
        return inf
    try:
        return number_in(10, 10_000_000, float)(word)
    except argparse.ArgumentTypeError as error:
        raise argparse.ArgumentTypeError(f"{error}, or `never`") from None


def run_serve(arguments: argparse.Namespace) -> int:
    """Play in a browser: serve a table for a game, or a lobby in which tables are opened.

    With one GAME a table of it is opened at once. Only this machine reaches the server, unless
    --host says otherwise. Everything is recorded: a server that is started again goes on with every
    table where it was.
    """
    mend_texts(arguments)
    plugins = [load(game) for game in arguments.games]
    _check(arguments)
    require("serve", "web", *NEEDED)
    _raise_limit_of_files()
    loop = asyncio.new_event_loop()
    try:
        _serve(_start(arguments, plugins, loop), loop)
    except KeyboardInterrupt:  # before `deferred` could handle it
        begin_critical()
    finally:
        loop.close()
    return 0


def _check(arguments: argparse.Namespace) -> None:
    """Refuse a host that is no name, and options of a match where none is begun."""
    for name in arguments.public:
        if {"/", "*"} & {*name} or not name.strip():
            raise UsageError(f"--public {name}: write the name alone, such as table.example")
    if arguments.increment and arguments.clock is None:
        raise UsageError("--increment is added to the clock of a match: give --clock as well")
    if len(arguments.games) == 1:
        return
    wanted = "name one GAME" if arguments.games else "name a GAME"
    for name in _OF_A_MATCH:
        value = getattr(arguments, name)
        if value is not None and value is not False and value != []:
            option = name.replace("_", "-")
            raise UsageError(f"--{option} is about a match: {wanted}; in the lobby it is chosen")


def _start(
    arguments: argparse.Namespace, plugins: Sequence[Plugin], loop: asyncio.AbstractEventLoop
) -> WebServer:
    """Start the server, open the table that was asked for, and print the links."""
    from tabletop.web.app import is_loopback
    from tabletop.web.lobby import OfferedGames
    from tabletop.web.server import WebServer

    offered = OfferedGames(plugins)
    new = _new_table(arguments, plugins[0]) if len(plugins) == 1 else None
    server = WebServer(
        offered,
        loop,
        host=arguments.host,
        port=arguments.port,
        names=arguments.public,
        open_lobby=arguments.open_lobby,
        directory=arguments.data,
        scored=not arguments.no_score,
        chat=not arguments.no_chat,
    )
    try:
        if new is not None:
            _open_table(server, new, arguments)
    except BaseException:
        server.end_now()
        raise
    address = _address(server, arguments)
    lobby, host = (it.removeprefix(server.address) for it in (server.lobby, server.host))
    _say(f"The lobby, where tables are opened: {address}{lobby}")
    _say(f"The host's page, for you alone: {address}{host}")
    if not is_loopback(arguments.host):
        print_error(f"tabletop: {OPEN}")
    if outdated := server.tables.outdated():
        many = f"{plural(len(outdated), 'table')} stand{'s' * (len(outdated) == 1)} still"
        lines = "".join(f"\n  {it}" for it in outdated)
        print_error(
            f"tabletop: {many}: tabletop serve OLD.py, with the former rules, goes on{lines}"
        )
    return server


def _raise_limit_of_files() -> None:
    """Let the server have as many connections as this system allows; at first it is 1,024."""
    try:
        import resource
    except ImportError:  # not on Windows, which has no such limit
        return
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    with suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def _new_table(arguments: argparse.Namespace, plugin: Plugin) -> NewTable:
    from tabletop.web.lobby import NewTable, header_of, name_of, salt_for

    now = utc_now()
    like = choose_like(arguments, plugin.game)
    origin = choose_seed(arguments, now)
    match = make_match(plugin.game, arguments, like)
    players = read_players(arguments.bot, match, plugin)
    if like is None and origin not in {WEEKLY, DAILY}:
        # Made anew: whether it needs a salt depends on who plays, and that was read with a match.
        match = make_match(plugin.game, arguments, salt=salt_for(players))
    header = header_of(plugin, match, players, origin, now)
    return NewTable(name_of(plugin), plugin, match, header, arguments.casual, _pace_of(arguments))


def _pace_of(arguments: argparse.Namespace) -> Pace:
    from tabletop.web.clocks import Pace, usual_patience

    patience = arguments.patience
    if patience is None:
        patience = usual_patience(arguments.clock, arguments.move_time)
    never = patience == inf
    return Pace(
        arguments.clock,
        arguments.increment or 0,
        arguments.move_time,
        None if never else patience,
    )


def _open_table(server: WebServer, new: NewTable, arguments: argparse.Namespace) -> None:
    opened, match = server.tables.open(new, arguments.record), new.match
    address = _address(server, arguments)
    _say(f"{match.game.title or match.game.name}, for {match.seats} of {players_of(match.game)}:")
    for name, link in zip(match.names, opened.links, strict=True):
        if link is not None:
            _say(f"  {printable(name)}: {address}{link}")
    if opened.spectators is not None:
        _say(f"  to watch: {address}{opened.spectators}")


def _address(server: WebServer, arguments: argparse.Namespace) -> str:
    """Return the address by which people reach the server.

    That is the name they were told with --public: through a server with TLS where this one listens
    on this machine alone. Else it is where it listens, and of all addresses the one that other
    machines see.
    """
    from tabletop.web.app import is_everywhere, is_loopback

    port = server.address.rpartition(":")[2]
    if arguments.public:
        [name, *_] = arguments.public
        return f"https://{name}" if is_loopback(arguments.host) else f"http://{name}:{port}"
    if is_everywhere(arguments.host):
        return f"http://{_find_own_address()}:{port}"
    return server.address


def _find_own_address() -> str:
    """Return the address of this machine for others; where there is no network, its own."""
    with socket(AF_INET, SOCK_DGRAM) as asked:
        try:
            asked.connect(("192.0.2.1", 9))  # nobody's address: a way is looked up, nothing sent
        except OSError:
            return "127.0.0.1"
        address: str = asked.getsockname()[0]
        return address


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def _serve(server: WebServer, loop: asyncio.AbstractEventLoop) -> None:
    try:
        with deferred(loop, server.leave):
            _say("Ctrl-C ends the server; every match goes on when it is started again.")
            loop.run_until_complete(server.run())
    except KeyboardInterrupt:
        begin_critical()
    finally:
        server.close()
