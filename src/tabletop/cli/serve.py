"""The command `tabletop serve`, which serves a table or a lobby to browsers."""

from __future__ import annotations

import argparse
import asyncio
import shlex
import sys
from collections.abc import Coroutine, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

from tabletop.cli.match_args import (
    add_match_arguments,
    add_model_arguments,
    bot_of,
    choose_like,
    choose_seed,
    make_match,
    mend_texts,
    model_settings,
    number_in,
    players_of,
    read_players,
)
from tabletop.cli.table_args import add_settings_arguments, given_settings, option_of, settings_of
from tabletop.errors import TabletopError, UsageError
from tabletop.host.extras import require
from tabletop.host.paths import utc_now
from tabletop.host.screen_text import print_error, printable
from tabletop.host.user_files import user_path
from tabletop.registry import MODEL, Plugin, is_for_command_line, load
from tabletop.scores.sheets import DAILY, WEEKLY
from tabletop.states.bounds import Seat
from tabletop.terminal.parsers import file_path
from tabletop.terminal.signals import begin_critical, deferred
from tabletop.wording import plural

if TYPE_CHECKING:
    from tabletop.web.lobby import NewTable
    from tabletop.web.server import WebServer

NEEDED: Final = ("segno", "starlette", "uvicorn", "websockets")  # the modules of the extra `web`

_OF_A_MATCH: Final = (
    *("seed", "salt", "weekly", "daily", "like", "seats", "name", "bot", "option"),
    *("llm_url", "llm_tokens", "record"),
)
"""The options that require a GAME."""

OPEN: Final = (
    "Other machines can reach this server, and the connection is not encrypted: anybody on the"
    " network path can read links and hidden cards. Use it only in a network that you trust, or"
    " behind a proxy with TLS. Anybody with a link can play its seat, and anybody who knows the"
    " address can connect."
)
"""The warning if other machines can reach the server."""


def add_serve_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "games",
        metavar="GAME",
        nargs="*",
        help="name of an installed game, module:NAME, or path of a .py file. One GAME opens a table"
        " at once. None or several only open the lobby, which offers them in addition to the"
        " installed games",
    )
    add_match_arguments(parser)
    add_model_arguments(parser)
    add_settings_arguments(parser)
    parser.add_argument("--no-chat", action="store_true", help="turn chat off")
    parser.add_argument("--record", metavar="FILE", type=file_path, help="record the match in FILE")
    parser.add_argument(
        "--data",
        metavar="FOLDER",
        type=user_path,
        help="folder for the tables and the secret key of the links, a separate one for each server"
        " (default: a folder in the user's data directory)",
    )
    parser.add_argument("--no-score", action="store_true", help="do not save scores")
    parser.add_argument(
        "--host",
        metavar="ADDRESS",
        default="127.0.0.1",
        help="address to listen on (default: 127.0.0.1, which only this machine reaches)",
    )
    parser.add_argument(
        "--port",
        metavar="N",
        type=number_in(0, 65535),
        default=8765,
        help="port to listen on, or 0 for any free port (default: 8765)",
    )
    parser.add_argument(
        "--public",
        metavar="HOST",
        action="append",
        default=[],
        help="host name under which players reach this server (repeatable)",
    )
    parser.add_argument(
        "--open-lobby",
        action="store_true",
        help="let anyone who can reach the server open tables, even without the lobby link",
    )


def run_serve(arguments: argparse.Namespace) -> int:
    """Serve a table, or a lobby in which players open tables, to browsers.

    With one GAME, the server opens a table immediately. By default, only this machine can reach the
    server. Use --host to change that. The server stores all tables and resumes them on its next
    start.
    """
    mend_texts(arguments)
    plugins = [load(game) for game in arguments.games]
    _check(arguments)
    require("serve", "web", *NEEDED)
    _raise_limit_of_files()
    loop = asyncio.new_event_loop()
    try:
        _serve(*_start(arguments, plugins, loop), loop)
    except KeyboardInterrupt:  # before `deferred` could handle it
        begin_critical()
    finally:
        loop.close()
    return 0


def _check(arguments: argparse.Namespace) -> None:
    """Reject an invalid host name, and options of a match without exactly one GAME."""
    for name in arguments.public:
        if {"/", "*"} & {*name} or not name.strip():
            raise UsageError(
                f"--public must be only a host name, such as table.example, not {name}"
            )
    settings_of(arguments)
    if len(arguments.games) == 1:
        return
    wanted = "give only one GAME" if arguments.games else "give a GAME"
    given = [it for it in _OF_A_MATCH if getattr(arguments, it) not in (None, False, [])]
    for name in (*given, *given_settings(arguments)):
        raise UsageError(
            f"{option_of(name)} is an option of a match: {wanted}, or set it in the lobby"
        )


def _start(
    arguments: argparse.Namespace, plugins: Sequence[Plugin], loop: asyncio.AbstractEventLoop
) -> tuple[WebServer, list[asyncio.Task[None]]]:
    """Start the server, open the requested table, and print the links.

    Returns:
        The server, and the tasks of bots that join the table with a link.
    """
    from tabletop.cli.join import remote_bot
    from tabletop.web.app import is_loopback
    from tabletop.web.limits import Limits
    from tabletop.web.lobby import OfferedGames
    from tabletop.web.server import WebServer

    offered = OfferedGames(plugins)
    joining: list[asyncio.Task[None]] = []
    new, guests = _new_table(arguments, plugins[0]) if len(plugins) == 1 else (None, {})
    server = WebServer(
        offered,
        loop,
        host=arguments.host,
        port=arguments.port,
        names=arguments.public,
        open_lobby=arguments.open_lobby,
        directory=arguments.data,
        scored=not arguments.no_score,
        limits=Limits(chat=not arguments.no_chat),
    )
    try:
        if new is not None:
            links = _open_table(server, new, arguments, guests)
            models = model_settings(arguments, guests.values())
            for seat, name in guests.items():
                play = remote_bot(name, new.plugin.source, models)
                joining.append(
                    loop.create_task(_join(name, play(f"{server.address}{links[seat]}")))
                )
    except BaseException:
        server.end_now()
        raise
    address = server.shared_address
    lobby, host = (it.removeprefix(server.address) for it in (server.lobby, server.host))
    _say(f"Lobby, to open tables: {address}{lobby}")
    _say(f"Host page, only for you: {address}{host}")
    if not is_loopback(arguments.host):
        print_error(f"tabletop: {OPEN}")
    if outdated := server.tables.outdated():
        number = f"{plural(len(outdated), 'table')} cannot be resumed with these rules"
        lines = "".join(f"\n  {table}" for table in outdated)
        print_error(
            f"tabletop: {number}. Serve the former rules with: tabletop serve OLD.py{lines}"
        )
    return server, joining


def _raise_limit_of_files() -> None:
    """Raise the soft limit on open files, which is often 1,024, to the hard limit."""
    try:
        import resource
    except ImportError:  # not on Windows, which has no such limit
        return
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    with suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def _new_table(arguments: argparse.Namespace, plugin: Plugin) -> tuple[NewTable, dict[Seat, str]]:
    """Return the table that the arguments describe, and the bots that join it with a link.

    Only a command line names these bots, by seat. The table itself has seats for people there,
    because a page or a stored table must not start programs or ask language models.
    """
    from tabletop.records.format import HUMAN
    from tabletop.terminal.args import with_programs
    from tabletop.web.lobby import NewTable, header_of, name_of, salt_for, seats_of_people

    now = utc_now()
    like = choose_like(arguments, plugin.game)
    origin = choose_seed(arguments, now)
    match = make_match(plugin.game, arguments, like)
    models = model_settings(arguments, map(bot_of, arguments.bot))
    equipped = with_programs(plugin, arguments.bot, "--bot", match, models)
    players = read_players(arguments.bot, match, equipped)
    guests = {seat: name for seat, name in enumerate(players) if is_for_command_line(name)}
    players = [HUMAN if seat in guests else name for seat, name in enumerate(players)]
    if like is None and origin not in {WEEKLY, DAILY}:
        # Created again with a salt: the players determine whether there is a salt, and reading the
        # players needs a match.
        match = make_match(plugin.game, arguments, salt=salt_for(players))
    header = header_of(plugin, match, players, origin, now)
    invited = tuple(seat for seat in seats_of_people(players) if seat not in guests)
    settings = settings_of(arguments)
    return NewTable(name_of(plugin), plugin, match, header, settings, invited), guests


def _open_table(
    server: WebServer, new: NewTable, arguments: argparse.Namespace, guests: Mapping[Seat, str]
) -> Sequence[str | None]:
    """Open a table, print its links, and return the links of the seats."""
    opened, match = server.tables.open(new, arguments.record), new.match
    address = server.shared_address
    _say(f"{match.game.title or match.game.name}, for {match.seats} of {players_of(match.game)}:")
    if opened.invitation is not None:
        _say(f"  for everybody, to sit down: {address}{opened.invitation}")
    for seat, (name, link) in enumerate(zip(match.names, opened.links, strict=True)):
        if seat in guests:
            again = f"tabletop join {address}{link} --bot {shlex.quote(guests[seat])}"
            if arguments.llm_url and guests[seat].startswith(MODEL):
                again += f" --llm-url {shlex.quote(arguments.llm_url)}"
            _say(f"  {printable(name)}: bot {guests[seat]} (after a restart: {again})")
        elif link is not None:
            _say(f"  {printable(name)}: {address}{link}")
    if opened.spectators is not None:
        _say(f"  to watch: {address}{opened.spectators}")
    return opened.links


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


async def _join(name: str, playing: Coroutine[Any, Any, None]) -> None:
    """Let a bot play at the table. If it fails, its seat is empty, and the server continues."""
    try:
        await playing
    except TabletopError as error:
        print_error(f"tabletop: bot {name} has left the table: {error}")


def _serve(
    server: WebServer, joining: Sequence[asyncio.Task[None]], loop: asyncio.AbstractEventLoop
) -> None:
    def leave() -> None:
        for task in joining:
            task.cancel()
        server.leave()

    try:
        with deferred(loop, leave):
            _say("Press Ctrl-C to stop the server. It resumes every match when you start it again.")
            loop.run_until_complete(server.run())
    except KeyboardInterrupt:
        begin_critical()
    finally:
        server.close()
