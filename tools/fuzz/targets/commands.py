"""Typed lines, parsed with every command table."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from constructor.program.table_commands import ACTIONS, REQUESTS, RESIGN
from sorcery.program.table_commands import commands as sorcery_commands
from tabletop import CommandError, Commands, IllegalAction
from tabletop.terminal import TABLE_COMMANDS
from tools.fuzz.making import GAMES, fresh
from tools.fuzz.target import Target, require


def tables() -> Mapping[str, Commands]:
    """Return all command tables by name."""
    found: dict[str, Commands] = {"table": TABLE_COMMANDS, "resign": RESIGN}
    found["sorcery"] = sorcery_commands(all_of_them=True, at_a_terminal=False)
    found["sorcery told"] = sorcery_commands(all_of_them=False, at_a_terminal=False)
    found["sorcery at a terminal"] = sorcery_commands(all_of_them=True, at_a_terminal=True)
    for phase, commands in [*ACTIONS.items(), *REQUESTS.items()]:
        found[f"constructor {len(found)} {phase.name}"] = commands
    return found


TABLES: Final = tables()


def run(data: bytes, folder: Path) -> str:
    """Parse lines with every command table, and play them in a match of every game."""
    text = data.decode("utf-8", "surrogateescape")
    said = [parsed(commands, line) for line in text.split("\n")[:3] for commands in TABLES.values()]
    said += [obeyed(name, text.split("\n")[:20]) for name in GAMES]
    return " ".join(said)


def parsed(commands: Commands, line: str) -> str:
    """Parse a line with a command table. The text of the result must parse to the same action."""
    require(all(commands.complete(line)), "an empty completion")
    try:
        action = commands.parse(line)
    except CommandError as error:
        require(str(error) and error.place >= 0, "a refusal without a message")
        return "-"
    try:
        again = commands.spell(action)
    except ValueError:
        return "~"
    require(commands.parse(again) == action, f"{again!r} is understood as something else")
    return type(action).__name__


def obeyed(name: str, lines: list[str]) -> str:
    """Play lines in a match. A refused line must not change anything."""
    match = fresh(name)
    done = 0
    for line in lines:
        if match.over:
            break
        before = match.digest()
        try:
            match.play(match.parse(line, numbered=True))
            done += 1
        except (CommandError, IllegalAction):
            require(match.digest() == before, f"{line!r} was refused, and has changed something")
    return str(done)


def examples() -> list[bytes]:
    """Return the texts of actions in running matches."""
    found = []
    for name in GAMES:
        match = fresh(name)
        lines: list[Any] = []
        while not match.over and len(lines) < 15:
            lines.append(match.step())
        found.append("\n".join(map(str, lines)).encode())
    return found


TARGET = Target(
    run,
    examples,
    words=tuple(
        sorted({command.words.encode() for table in TABLES.values() for command in table.commands})
    ),
)
