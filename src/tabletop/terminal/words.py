"""What a person can type at every table, whatever is played."""

from __future__ import annotations

from dataclasses import dataclass

from tabletop.arguments import Choice, Integer, Text, Word
from tabletop.command import Command
from tabletop.commands import Commands
from tabletop.session import Redo, Undo
from tabletop.wording import nearest


@dataclass(frozen=True, slots=True)
class Help:
    """`help`, which is short at a terminal, and `help all`."""

    all: str | None = None


@dataclass(frozen=True, slots=True)
class ShowRules:
    """`rules`."""


@dataclass(frozen=True, slots=True)
class ListActions:
    """`actions`."""


@dataclass(frozen=True, slots=True)
class ShowTable:
    """`table`."""


@dataclass(frozen=True, slots=True)
class TakeOver:
    """`bot [NAME] [SEAT]`."""

    name: str | None = None
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class TakeBack:
    """`human SEAT`."""

    seat: int


@dataclass(frozen=True, slots=True)
class TellSeed:
    """`seed`."""


@dataclass(frozen=True, slots=True)
class SaveMatch:
    """`save [FILE]`; blanks in the name of the file are its own."""

    file: str | None = None


@dataclass(frozen=True, slots=True)
class TellWindow:
    """`window`."""


@dataclass(frozen=True, slots=True)
class Quit:
    """`quit`."""


TABLE_COMMANDS = Commands(
    Command(
        "help",
        Help,
        Choice("all", ("all",), optional=True),
        help="Show what can be typed now, or everything with `all`.",
        aliases=("?",),
    ),
    Command("rules", ShowRules, help="Show the rules of the game."),
    Command("actions", ListActions, help="List every legal action with its number."),
    Command("table", ShowTable, help="Show the position again."),
    Command(
        "undo",
        Undo,
        Integer("actions", 1, 10**9, optional=True),
        help="Take back the last action of a person and all since, or as many as you say.",
    ),
    Command(
        "redo",
        Redo,
        Integer("actions", 1, 10**9, optional=True),
        help="Play again what was taken back, up to the next person's turn.",
    ),
    Command(
        "bot",
        TakeOver,
        Word("name", optional=True),
        Integer("seat", 1, 10**4, optional=True),
        help="Let a bot play on for you, or for another seat.",
    ),
    Command(
        "human",
        TakeBack,
        Integer("seat", 1, 10**4),
        help="Let a person play on for a seat instead of a bot.",
    ),
    Command("seed", TellSeed, help="Say the seed."),
    Command(
        "save",
        SaveMatch,
        Text("file", optional=True),
        help="Say where the match is recorded, or copy its record to a new file.",
    ),
    Command("quit", Quit, help="Leave; the match can be resumed.", aliases=("exit",)),
)

BESIDE_WINDOW = Commands(
    *TABLE_COMMANDS.commands[:-1],
    Command("window", TellWindow, help="Say where the window on this match is."),
    TABLE_COMMANDS.commands[-1],
)
"""The same at a terminal with a window beside it."""


def table_hint(
    word: str,
    complaint: str,
    commands: Commands | None,
    skin: Commands | None = None,
    table: Commands = TABLE_COMMANDS,
) -> str:
    """Which word was probably meant by one that means nothing, with a blank behind; or nothing.

    The game's own words come first, also those that mean nothing at this moment. A word that means
    something was meant: what is wrong is what follows it.

    Args:
        word: what was typed.
        complaint: what the game has said to it; where that suggests something, nothing is added.
        commands: the game's table.
        skin: the words of a skin.
        table: those of the table; see `Screen.table`.
    """
    tables = [it for it in (commands, skin, table) if it is not None]
    if "did you mean" in complaint or any(word in it for it in tables):
        return ""
    own = [command.words for it in (commands, skin) if it for command in it.commands]
    meant = nearest(word, own) or nearest(word, [command.words for command in table.commands])
    return "" if meant is None else f"did you mean `{meant}`? "
