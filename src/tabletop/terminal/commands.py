"""The commands that can be typed at every table: declared, completed and executed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tabletop.errors import CommandError
from tabletop.host.sanitize import printable
from tabletop.records.format import HUMAN
from tabletop.registry import MEANINGS
from tabletop.rules.action_text import complete_text, normalize
from tabletop.rules.commands import Choice, Command, Commands, Integer, Text, Word
from tabletop.rules.outcome import Seat
from tabletop.session import Redo, Reseat, Session, Undo
from tabletop.session.hints import hint_question, how_sure
from tabletop.terminal.console import Completion
from tabletop.terminal.signals import first_interrupt
from tabletop.wording import nearest

if TYPE_CHECKING:
    from tabletop.terminal.client import TerminalClient


@dataclass(frozen=True, slots=True)
class Help:
    """`help`, which is short at a terminal, and `help all`."""

    all: str | None = None


@dataclass(frozen=True, slots=True)
class ShowRules:
    """`rules [HEADING]`."""

    heading: str | None = None


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
class AskHint:
    """`hint`."""


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
    Command(
        "rules",
        ShowRules,
        Text("heading", optional=True),
        help="Show the rules of the game, or the part whose heading has your words.",
    ),
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

_HINT = Command(
    "hint", AskHint, help="Ask what a bot would do in your place, and how sure it is of winning."
)
_WINDOW = Command("window", TellWindow, help="Say where the window on this match is.")


def table_commands(*, hints: bool, window: bool) -> Commands:
    """Return the commands of a table, with those for hints and for a window where there are any."""
    *others, leave = TABLE_COMMANDS.commands
    return Commands(*others, *[_HINT] * hints, *[_WINDOW] * window, leave)


def table_hint(
    word: str,
    complaint: str,
    commands: Commands | None,
    ui: Commands | None = None,
    table: Commands = TABLE_COMMANDS,
) -> str:
    """Which word was probably meant by one that means nothing, with a blank behind; or nothing.

    The commands of the game and the UI come before those of the table. Nothing is added to a
    complaint that suggests something, nor where the word itself means something.
    """
    tables = [it for it in (commands, ui, table) if it is not None]
    if "did you mean" in complaint or any(word in it for it in tables):
        return ""
    own = [command.words for it in (commands, ui) if it for command in it.commands]
    meant = nearest(word, own) or nearest(word, [command.words for command in table.commands])
    return "" if meant is None else f"did you mean `{meant}`? "


def completions(
    line: str,
    seat: Seat,
    session: Session,
    commands: Commands,
    hint: Callable[[Any], str],
    *,
    table: Commands = TABLE_COMMANDS,
) -> list[Completion]:
    """The words that can follow `line`, each once, with those legal now first.

    The last word counts as begun, unless a blank follows it.
    """
    match, tables = session.match, (commands, table)
    if line.startswith("/"):
        return [
            Completion(word, _of_bot(line, word)) for word in _of_table(line[1:], session, tables)
        ]
    actions = match.legal_actions(seat)
    legal = complete_text(line, actions)
    found = {word: Completion(word, _meaning(line, word, actions, hint)) for word in legal}
    is_first = not line.strip() or (len(line.split()) == 1 and not line[-1:].isspace())
    more: Iterable[str] = match.complete(line, seat) if is_first or not legal else ()
    for word in (*more, *_of_table(line, session, tables)):
        found.setdefault(word, Completion(word, _of_bot(line, word)))
    return list(found.values())


def _of_table(line: str, session: Session, tables: Iterable[Commands]) -> Iterator[str]:
    """The words of the UI and of every table that can follow a line."""
    words = line.split()
    typed = len(words) - (not line[-1:].isspace() if line else 0)
    if typed == 1 and words[0].casefold() == "bot":
        begun = words[1].casefold() if len(words) > 1 else ""
        names = [name for name in session.plugin.bot_names if " " not in name]  # no command
        names += [name for name in MEANINGS if ":" in name and session.plugin.levels]
        yield from (name for name in names if name.startswith(begun))
        return
    for table in tables:
        yield from table.complete(line)


def _of_bot(line: str, word: str) -> str:
    """A hint on what follows `bot`, where that is a bot which every game has."""
    return MEANINGS.get(word, "") if line.lstrip("/").casefold().startswith("bot ") else ""


def _meaning(line: str, word: str, actions: Iterable[Any], hint: Callable[[Any], str]) -> str:
    """A hint on the only action that the line can still mean with `word`; else empty."""
    before = line.split()[: None if line[-1:].isspace() else -1] if line else []
    text = normalize(" ".join([*before, word]))
    meant = [action for action in actions if normalize(str(action)) == text]
    return hint(meant[0]) if len(meant) == 1 else ""


def execute(client: TerminalClient, request: object, seat: Seat) -> bool:
    """Execute a table command other than `help`, `table` and `actions`; False to leave."""
    match request:
        case ShowRules(heading):
            _show_rules(client, heading)
        case Undo() | Redo():
            client.request(request)
        case TakeOver(name, other):
            client.request(_hand_over(name, other, seat, client.session.plugin.best_bot))
        case TakeBack(other):
            client.request(Reseat(other - 1, HUMAN))
        case TellSeed() | TellWindow() | AskHint():
            client.say(_told(client, request, seat))
        case SaveMatch(file):
            if client.save is None:
                raise CommandError("there is nothing to save: this match is not recorded")
            client.say(client.save(file or ""))
        case _:
            return False
    return True


def _told(client: TerminalClient, request: TellSeed | TellWindow | AskHint, seat: Seat) -> str:
    match request:
        case TellSeed():
            return printable(client.match.seed.text)
        case TellWindow():
            return "" if client.second_view is None else client.second_view.where
        case AskHint():
            return _hint(client, seat)


def _hint(client: TerminalClient, seat: Seat) -> str:
    """Have a bot think about the decision of a seat; a line about what it would do."""
    question = hint_question(client.session, seat)
    from tabletop.bots.pool import answer  # only who asks for hints needs it

    said = f"{question.bot} is thinking. (Ctrl-C: it says what it has found so far.)"

    @contextmanager
    def stopping(stop: Callable[[], object]) -> Iterator[None]:
        with first_interrupt(stop), client.console.meanwhile(said):  # it says what Ctrl-C does
            yield

    found = answer(question, client.session.plugin, stopping=stopping)
    if found.error:
        raise CommandError(f"the bot {question.bot} has failed: {found.error}")
    return f"hint: {found.action} ({how_sure(found, question.bot)})"


def _show_rules(client: TerminalClient, heading: str | None) -> None:
    rules, game = client.session.plugin.rules, client.match.game
    from tabletop.display.rulebook import find_sections, no_rules, shown  # only who asks needs it

    if not rules:
        client.say(f"{no_rules(game)}.")
        return
    chosen = rules if heading is None else find_sections(rules, heading)
    client.console.show_pages(shown(chosen, at_terminal=client.console.interactive))


def _hand_over(name: str | None, number: int | None, seat: Seat, best_bot: str) -> Reseat:
    """Have a bot play on for the seat of that number, or for `seat`, which asks for it."""
    if number is None and name and name.isascii() and name.isdecimal():
        number, name = int(name[:9]), None  # `bot 2`: which bot may be left out
    return Reseat(seat if number is None else number - 1, name or best_bot)
