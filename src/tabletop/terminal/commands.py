"""The commands available in every match at a terminal, and their completion."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from typing_extensions import override

from tabletop.display.text_view import usable_label
from tabletop.errors import CommandError
from tabletop.protocol.incoming import (
    AskIn,
    ConsentIn,
    HintIn,
    PassIn,
    PlayAgainIn,
    RedoIn,
    ReseatIn,
    ResignIn,
    SayIn,
    UndoIn,
)
from tabletop.protocol.outgoing import ProposalOut, StateOut, TableOut
from tabletop.registry import BOT_DESCRIPTIONS
from tabletop.rules.action_text import complete_items, complete_text, normalize
from tabletop.rules.commands import Command, Commands, Integer, Text, Word
from tabletop.rules.selections import split
from tabletop.states.bounds import Seat
from tabletop.table.seat_holder import WATCHING
from tabletop.table.votes import commands_with
from tabletop.terminal.console import Completion

if TYPE_CHECKING:
    from tabletop.match.match import AnyMatch
    from tabletop.registry import Plugin

LEAVING: Final = ("quit", "exit")
"""The words that leave a match, also at other questions."""

LOSSES: Final = {
    "draw": "This ends the match in a draw.",
    "resign": "A player who resigns loses the match.",
}
"""The effects of commands that a terminal carries out after a question."""


@dataclass(frozen=True, slots=True)
class Help:
    """`help`, which is short at a terminal, `help all`, or `help WORD`."""

    word: str | None = None


@dataclass(frozen=True, slots=True)
class ShowRules:
    """`rules [HEADING]`."""

    heading: str | None = None


@dataclass(frozen=True, slots=True)
class TakeOver:
    """`bot [NAME] [SEAT]`."""

    name: str | None = None
    seat: int | None = None

    def request(self, seat: Seat | None, best_bot: str) -> ReseatIn:
        """Return the request that a bot plays for a seat.

        Args:
            seat: The seat if the command names none. None for a spectator.
            best_bot: The name of the bot if the command names none.

        Raises:
            CommandError: A spectator has not named a seat.
        """
        name, number = self.name, self.seat
        if number is None and name and name.isascii() and name.isdecimal():
            number, name = int(name[:9]), None  # `bot 2`: a seat without the name of a bot
        if number is not None:
            seat = number - 1
        if seat is None:
            raise CommandError(WATCHING)
        return ReseatIn(seat, name or best_bot)


@dataclass(frozen=True, slots=True)
class ReturnSeat:
    """`human SEAT`."""

    seat: int


@dataclass(frozen=True, slots=True)
class TellSeed:
    """`seed`."""


class FileName(Text):
    """A file name: the rest of the line, without the quotes that may surround it."""

    @override
    def parse(self, word: str) -> str:
        is_quoted = len(word) > 1 and word[0] in "\"'" and word[0] == word[-1]
        return word[1:-1] if is_quoted else word


@dataclass(frozen=True, slots=True)
class SaveMatch:
    """`save [FILE]`. The name of the file may contain blanks."""

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
        Text("word", optional=True),
        help="Explain the commands for now, `all`, or one command or card.",
        aliases=("?",),
    ),
    Command(
        "rules",
        ShowRules,
        Text("heading", optional=True),
        help="Show the rules of the game, or the sections whose heading matches.",
    ),
    Command(
        "actions",
        AskIn,
        fixed={"line": "/actions"},
        help="List every legal action with its number.",
    ),
    Command("table", AskIn, fixed={"line": "/table"}, help="Show the position again."),
    Command(
        "undo",
        UndoIn,
        Integer("actions", 1, 10**9, optional=True),
        help="Undo the last action of a person and all since, or this many.",
    ),
    Command(
        "redo",
        RedoIn,
        Integer("actions", 1, 10**9, optional=True),
        help="Repeat undone actions, up to the next person's turn.",
    ),
    Command(
        "bot",
        TakeOver,
        Word("name", optional=True),
        Integer("seat", 1, 10**4, optional=True),
        help="Let a bot play for you, or for another seat.",
    ),
    Command(
        "human",
        ReturnSeat,
        Integer("seat", 1, 10**4),
        help="Give a seat back to a person.",
    ),
    Command("seed", TellSeed, help="Show the seed."),
    Command(
        "save",
        SaveMatch,
        FileName("file", optional=True),
        help="Show the file of the record, or copy it to a new file.",
    ),
    Command("quit", Quit, help="Leave the match, which can be resumed.", aliases=("exit",)),
)
"""The commands available in every match."""

_RESIGN = Command("resign", ResignIn, help="Resign the match, which you lose.")
_SKIP = Command("skip", PassIn, help="Pass on all reactions until the end of the turn.")
_HINT = Command("hint", HintIn, help="Show the action that a bot would choose.")
_WINDOW = Command("window", TellWindow, help="Show the address of the window.")


@dataclass(frozen=True, slots=True)
class LookBack:
    """`look PLY`."""

    ply: int


_SHARED = ("help", "rules", "actions", "table", "undo", "redo", "bot", "human")

REMOTE_COMMANDS = Commands(
    *(it for it in TABLE_COMMANDS.commands if it.words in _SHARED),
    _HINT,
    Command("yes", ConsentIn, fixed={"yes": True}, help="Agree to a request."),
    Command("no", ConsentIn, fixed={"yes": False}, help="Refuse a request, or withdraw your own."),
    Command("say", SayIn, Text("text"), help="Send a message to everybody at the table."),
    Command(
        "look",
        LookBack,
        Integer("actions", 0, 10**9, field="ply"),
        help="Show the position after this many actions.",
    ),
    _SKIP,
    _RESIGN,
    Command("again", PlayAgainIn, help="Play again with the same people, once the match is over."),
    Command("quit", Quit, help="Leave the table. The same link leads back.", aliases=("exit",)),
)
"""The commands at a table on a server. A table refuses those that it does not allow."""

_WATCHING = ("help", "rules", "actions", "table", "look", "quit")
"""The commands of spectators."""


def remote_commands(table: TableOut, state: StateOut | None) -> Commands:
    """Return the commands that a client on a server can use, as far as its messages show."""
    without = {
        "hint": not table.hints,
        "say": not table.settings.chat,
        "again": not table.hosted,
        "skip": state is None or state.passes is None,
        "resign": state is None or not state.can_resign,
    }
    possible = (
        command
        for command in REMOTE_COMMANDS.commands
        if not without.get(command.words) and (not table.spectator or command.words in _WATCHING)
    )
    return commands_with(Commands(*possible), proposals_in(state))


def proposals_in(state: StateOut | None) -> tuple[ProposalOut, ...]:
    """Return the proposals in a state from a server, except for those that cannot be commands."""
    proposed = () if state is None else state.proposals
    kinds = Counter(it.kind for it in proposed)
    return tuple(
        it
        for it in proposed
        if re.fullmatch("[a-z]+", it.kind)
        and kinds[it.kind] == 1
        and it.kind not in REMOTE_COMMANDS
    )


def not_numbered(line: str) -> CommandError:
    """Return the error for the number of an action that is not on the screen with it."""
    message = f"no action on the screen has the number {line}: type its text, or `actions`"
    return CommandError(message, line=line, place=1)


def first_word(line: str) -> str:
    """Return the first word of a line in lower case, or an empty text."""
    return line.split(maxsplit=1)[0].casefold() if line.strip() else ""


def table_commands(*optional: str) -> Commands:
    """Return the commands for a match, with those of the optional ones that are available."""
    *others, leave = TABLE_COMMANDS.commands
    more = (it for it in (_RESIGN, _SKIP, _HINT, _WINDOW) if it.words in optional)
    return Commands(*others, *more, leave)


def completions(
    line: str,
    seat: Seat,
    match: AnyMatch,
    plugin: Plugin,
    commands: Commands,
    *,
    hint: Callable[[Any], str],
    table: Commands = TABLE_COMMANDS,
) -> list[Completion]:
    """Return the distinct words that can follow `line`, those that are legal now first.

    The last word of `line` counts as incomplete unless a blank follows it.
    """
    tables = (commands, table)
    if line.startswith("/"):
        return [
            Completion(word, _of_bot(line, word)) for word in _of_table(line[1:], plugin, tables)
        ]
    actions, selections = split(match.legal_actions(seat))
    view = match.view(seat)
    labels = {usable_label(plugin.text, action, view): action for action in actions}
    several = [(it.words, [*map(it.word, it.items)]) for it in selections]
    words = {it.word: it for it in words_after(line, labels, several, hint)}
    is_command = match.game.commands is not None and len(f"{line}.".split()) == 1
    more = match.complete(line, seat) if is_command or not words else ()
    for word in (*more, *_of_table(line, plugin, tables)):
        words.setdefault(word, Completion(word, _of_bot(line, word)))
    return list(words.values())


def words_after(
    line: str,
    labels: Mapping[str, Any],
    several: Iterable[tuple[str, Sequence[str]]],
    hint: Callable[[Any], str],
) -> list[Completion]:
    """Return the words of actions, by their labels, and of items that can follow a line."""
    before = f"{line}.".split()[:-1]
    meant = {normalize(label): it for label, it in labels.items()}
    found = []
    for word in complete_text(line, labels):
        action = meant.get(normalize(" ".join([*before, word])))
        found.append(Completion(word, "" if action is None else hint(action)))
    for words, items in several:
        offered = [*complete_text(line, [words]), *complete_items(line, words, items)]
        found += map(Completion, offered)
    return found


def _of_table(line: str, plugin: Plugin, tables: Iterable[Commands]) -> Iterator[str]:
    """Yield the words of the commands in `tables` that can follow `line`."""
    words = line.split()
    typed = len(words) - (not line[-1:].isspace() if line else 0)
    if typed == 1 and words[0].casefold() == "bot":
        begun = words[1].casefold() if len(words) > 1 else ""
        names = [name for name in plugin.bot_names if " " not in name]  # typable names
        names += [name for name in BOT_DESCRIPTIONS if ":" in name and plugin.levels]
        yield from (name for name in names if name.startswith(begun))
        return
    for table in tables:
        yield from table.complete(line)


def _of_bot(line: str, word: str) -> str:
    """Return a hint on a bot that every game has, if `line` is a `bot` command."""
    return BOT_DESCRIPTIONS.get(word, "") if line.lstrip("/").casefold().startswith("bot ") else ""
