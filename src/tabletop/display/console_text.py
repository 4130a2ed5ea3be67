"""The texts of a match at a terminal: questions, news, refusals and answers to commands.

A game with better texts derives from `ConsoleText` and passes the class to the `Plugin`:
`console=HeapConsole`. The methods do not print, and they change nothing. They receive a `Reading`,
which contains everything that the reader at the screen may see.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Any, Final, Generic, Literal, NamedTuple, TypeAlias, TypeVar

from tabletop.display.text_view import (
    SHOWN_ACTIONS,
    TextView,
    actions_that_fit,
    list_actions,
    usable_label,
)
from tabletop.errors import CommandError, ContractError
from tabletop.host.screen_text import sanitize
from tabletop.rules.commands import Command, Commands
from tabletop.rules.events import ALL, Event, Watcher
from tabletop.rules.game import AnyGame
from tabletop.rules.outcome import Outcome
from tabletop.rules.selections import examples, split
from tabletop.states.bounds import Seat
from tabletop.states.states import State
from tabletop.text_layout import definitions, fit
from tabletop.wording import nearest, several_in_words

S = TypeVar("S", bound=State)

_MARGIN: Final = 2
"""Rows that `help` leaves free: for the line that asks for it, and for the prompt."""

_PIPED_COLUMNS: Final = 80
"""The width of a list of legal actions in piped output."""

_FEWEST: Final = 3
"""Minimum number of rows for the legal actions, regardless of the height of the position."""

Wanted: TypeAlias = Literal["question", "table", "actions"]
"""The reason for a question: a new position, or the command `table` or `actions`."""


class Size(NamedTuple):
    """The size of a terminal in cells. Both are 0 if output is piped."""

    columns: int = 0
    rows: int = 0


PIPED: Final = Size()  # the size of piped output

NO_COMMANDS: Final = Commands()


class Entry(NamedTuple):
    """An event in the log of a reader."""

    event: Event
    ply: int
    """The number of actions that had been played."""
    number: int
    """The number of the event, which is the same for all readers."""
    repeated: bool = False
    """Whether the event follows from a line that was entered by a `Repeat`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading(Generic[S]):
    """The information of a reader at a screen.

    Attributes:
        view: The view of the reader.
        seat: The seat of the reader. None for a spectator, and before one of several people at the
            screen has taken the keyboard.
        names: The name of each seat.
        players: The player of each seat: "human" or the name of a bot.
        here: The seats of the people at this screen.
        to_act: The seats that are to act.
        actions: The legal actions of the reader, empty if the reader is not to act.
        outcome: The outcome of a match that is over, or None.
        log: The events since the reader has joined, oldest first, limited to the last thousand.
        unread: The events in `log` that `ConsoleText.news` has not reported yet.
        asked: The events in `log` since the last question at this screen. None before the first
            question.
        shown_size: The size of the terminal at the last question or answer, or None before.
        wanted: The reason for the question.
        together: Whether the reader chooses at the same time as other seats.
        size: The size of the terminal.
        below: Rows to leave free for other text between the question and the prompt.
        colours: Whether the texts may contain the colours that `ConsoleText.paint` keeps.
        remote: Whether the terminal belongs to another machine, so that the output of this process
            does not show which characters the terminal supports.
        table: The commands of every table.
    """

    view: S
    seat: Seat | None
    names: Sequence[str]
    players: Sequence[str]
    here: Sequence[Seat]
    to_act: Sequence[Seat]
    actions: Sequence[Any] = ()
    outcome: Outcome | None = None
    log: Sequence[Entry] = ()
    unread: Sequence[Entry] = ()
    asked: Sequence[Entry] | None = None
    shown_size: Size | None = None
    wanted: Wanted = "question"
    together: bool = False
    size: Size = PIPED
    below: int = 0
    colours: bool = False
    remote: bool = False
    table: Commands = NO_COMMANDS

    @property
    def is_over(self) -> bool:
        """Whether the match is over."""
        return not self.to_act


class Shown(NamedTuple):
    """A question.

    Attributes:
        text: The text above the prompt, or "".
        numbered: The number of listed actions that can be typed as a number.
    """

    text: str = ""
    numbered: int = 0


class News(NamedTuple):
    """News about events.

    Attributes:
        text: The text, or "".
        unread: The number of the last events that stay unread, such as the unfinished turn of a
            bot.
        pause: Seconds to wait after the text, so that people can read it.
    """

    text: str = ""
    unread: int = 0
    pause: float = 0.0


class Repeat(NamedTuple):
    """A line that is entered for the person who typed a command.

    Attributes:
        line: The line. A `/` at its beginning means a command of every table.
        until: Classes of events. If there are any, the line is entered again whenever the seat is
            to act and the line is possible, until the first event of one of these classes.
        text: A text to print before, or "".
    """

    line: str
    until: tuple[type[Event], ...] = ()
    text: str = ""


class SavedFile(NamedTuple):
    """A file to write for the person who typed a command."""

    name: str
    content: str


class Topic(NamedTuple):
    """Commands that `help` explains together: the usage and the effect of each.

    The title may be empty. The note contains further information.
    """

    title: str
    rows: Sequence[tuple[str, str]] = ()
    note: str = ""

    @classmethod
    def of(cls, title: str, commands: Sequence[Command], note: str = "") -> Topic:
        """Create a topic from the usage and the help of commands."""
        return cls(title, [(command.usage, command.help) for command in commands], note)

    def in_full(self, columns: int) -> str:
        """Return every command with its effect, in lines of at most `columns`, or 0 for any."""
        title = f"{self.title}:" if self.title else ""
        return "\n".join(filter(None, (title, definitions(self.rows, columns), self.note)))

    def in_short(self) -> str:
        """Return the commands without their arguments, or the note if there are no commands."""
        typed = [takewhile(lambda it: it[0].islower(), row[0].split()) for row in self.rows]
        names = [" ".join(words) or row[0] for words, row in zip(typed, self.rows, strict=True)]
        return f"{self.title}: {', '.join(names)}" if names else self.note


def topics_that_fit(topics: Sequence[Topic], size: Size, *, everything: bool) -> str:
    """Return topics in reverse order, so that the first topic is next to the prompt.

    If the screen has no room, the last topics are shortened first.

    Args:
        everything: Whether to explain all topics in full.
    """
    columns, text = max(0, size.columns - 1), ""
    for full in range(len(topics), -1, -1):
        short = [topic.in_short() for topic in reversed(topics[full:])]
        short = [*short, "`help all` explains these words."] if short else []
        in_full = [topic.in_full(columns) for topic in reversed(topics[:full])]
        text = fit("\n\n".join(filter(None, ("\n".join(short), *in_full))), columns)
        if everything or text.count("\n") < size.rows - _MARGIN:
            break
    return text


def similar_command(
    word: str, error: Exception | None, own: Sequence[Commands | None], table: Commands
) -> str:
    """Return a hint on the command that was probably meant by an unknown word, or "".

    The hint ends with a space. There is none if the error already contains a suggestion, or if the
    word is the beginning of a command.

    Args:
        word: The first word of a line.
        error: The error of the line.
        own: The commands of the game, which are suggested first.
        table: The commands of every table.
    """
    tables = [it for it in own if it is not None]
    suggests = isinstance(error, CommandError) and error.suggests
    if suggests or any(word in it for it in (*tables, table)):
        return ""
    words = [command.words for it in tables for command in it.commands]
    meant = nearest(word, words) or nearest(word, [command.words for command in table.commands])
    return "" if meant is None else f"did you mean `{meant}`? "


class ConsoleText(Generic[S]):
    """The texts of a game at a terminal, with defaults that work for every game.

    Override methods to give a game better texts or further commands:

    >>> class Brief(ConsoleText):
    ...     def news(self, reading):
    ...         return News(f"{len(reading.unread)} events")

    A typed line is an action of the game, one of `commands`, or a command of every table, in this
    order.

    Args:
        game: The rules.
        text: The text view of the game.

    Attributes:
        game: The rules.
        text: The text view of the game.
        commands: Further commands of the game, such as `hand`. `answer` returns their answers.
        rows: The maximum number of lines for the legal actions, or 0 for no limit. A longer list
            has columns. Actions that do not fit are only counted, until a player types `actions`.
    """

    commands: Commands = NO_COMMANDS
    rows: int = 7

    def __init__(self, game: AnyGame, text: TextView[S]) -> None:
        self.game = game
        self.text = text

    def answer(self, command: Any, reading: Reading[S]) -> str | Repeat | SavedFile:
        """Return the answer to one of `commands`: a text, a line to enter, or a file to write.

        Raises:
            CommandError: The command is not possible now.
            ContractError: The class has commands, but does not override this method.
        """
        raise ContractError(f"{type(self).__name__} has commands, but does not override answer")

    def question(self, reading: Reading[S]) -> Shown:
        """Return the text above the prompt of a person who is to act in a new position.

        The method is also called for the commands `table` and `actions` (`reading.wanted`), before
        a bot acts (then `reading.seat` is not to act), and at the end of the match. Spectators and
        people who are not to act want the position with the command `table`. By default, the
        text is the position and the legal actions, and at the end the position and the outcome. If
        several people share the screen and the game hides nothing, everybody sees the position from
        the same side.
        """
        view, names = reading.view, reading.names
        is_shared = len(reading.here) > 1 and not self.game.hides_something
        seat: Watcher = ALL if is_shared else reading.seat
        if reading.is_over:
            outcome = reading.outcome
            ending = "" if outcome is None else f"\n{self.text.outcome(outcome, names)}"
            return Shown(f"\n{self.text.position(view, names, seat)}{ending}")
        if not reading.actions:
            is_wanted = reading.wanted == "table"
            return Shown(f"\n{self.text.position(view, names, seat)}" if is_wanted else "")
        is_obvious = reading.together and len(reading.actions) == 1
        if reading.wanted == "actions" or (reading.wanted == "question" and is_obvious):
            everything = reading.wanted == "actions"
            listed = self.listed(reading, everything=everything)
            text = "\n".join(filter(None, (self.asked(reading), listed.text)))
            return Shown(text, listed.numbered)
        position = f"\n{self.text.position(view, names, seat)}"
        above = "\n".join(filter(None, (position, self.asked(reading))))
        listed = self.listed(reading, above=above)
        return Shown(f"{above}\n{listed.text}", listed.numbered)

    def asked(self, reading: Reading[S]) -> str:
        """Return the line between the position and the legal actions of a player who is to act.

        By default, the question of `TextView.asked`.
        """
        seat = reading.seat
        return "" if seat is None else self.text.asked(reading.view, seat, reading.names)

    def news(self, reading: Reading[S]) -> News:
        """Return a text about the unread events, by default the line of each event."""
        lines = [
            self.text.event(entry.event, reading.names, reading.seat) for entry in reading.unread
        ]
        return News("\n".join(filter(None, lines)))

    def refusal(self, line: str, error: Exception, reading: Reading[S]) -> str:
        """Return the reason for refusing a line, or raise the error to end the program.

        Args:
            line: The line, or "" for the action of a bot that the rules could not apply.
            error: The error, a `TabletopError` or `ValueError`.
            reading: The information of the reader.
        """
        if isinstance(error, ContractError) and line:
            raise error
        if not self.is_misunderstood(line, error, reading):
            return str(error)
        own = self.game.commands, self.commands
        meant = similar_command(line.split(maxsplit=1)[0], error, own, reading.table)
        return f"{error}\n({meant}`help` lists the commands)"

    def topics(self, reading: Reading[S]) -> Sequence[Topic]:
        """Return the topics of `help`, starting with the commands that are possible now.

        With piped output, the reader is a spectator, and all commands of the game come first.
        """
        everything = reading.seat is None
        game = () if self.game.commands is None else self.game.commands.commands
        now = [it for it in game if everything or any(map(it.makes, examples(reading.actions)))]
        later = [it for it in game if it not in now]
        explained = {(it.words, it.help) for it in game}
        glossary = self.text.glossary(reading.view, reading.seat).items()
        hint = "" if game else "Type the number of an action, or its text."
        topics = [
            Topic.of("" if everything else "Now", now, hint),
            Topic.of("Also in this game", later),
            Topic.of("More commands of this game", self.commands.commands),
            Topic("Words", [row for row in glossary if row not in explained]),
            self.table_topic(reading),
        ]
        return [topic for topic in topics if topic.rows or topic.note]

    def meaning(self, action: Any, reading: Reading[S]) -> str:
        """Explain an action in a few words next to its completion, or return "" (the default)."""
        return ""

    def paint(self, text: str) -> str:
        """Return a text with colours for a terminal, and without other escape sequences."""
        return sanitize(text)

    # For methods that override those above.

    def listed(self, reading: Reading[S], *, above: str = "", everything: bool = False) -> Shown:
        """List the legal actions with their numbers.

        A list that is longer than `rows`, or than the free rows of the screen, has columns.

        Args:
            reading: The information of the reader.
            above: The text above the list on the same screen.
            everything: Whether to list all actions. By default, the rest are only counted.
        """
        singles, selections = split(reading.actions)
        actions = [usable_label(self.text, action, reading.view) for action in singles]
        more = [
            several_in_words(it.words, it.low, it.high, map(it.word, it.items)) for it in selections
        ]
        # Many terminals wrap a line that fills the last column.
        columns, rows, most = (reading.size.columns or _PIPED_COLUMNS) - 1, self.rows, SHOWN_ACTIONS
        if reading.size.columns:
            used = len(fit(above, columns).split("\n")) if above else 0
            free = max(_FEWEST, reading.size.rows - used - reading.below - 1 - len(more))
            rows = min(free, rows or free)
        if rows:
            most = actions_that_fit(actions, columns, rows)
        most = len(actions) if everything else min(most, len(actions))
        return Shown(list_actions(actions, most, columns=columns, rows=rows, more=more), most)

    def is_misunderstood(self, line: str, error: Exception, reading: Reading[S]) -> bool:
        """Return whether a line is refused because its words are not an action or a command."""
        is_other = not line or line.startswith("/") or self.is_command(line)
        if not isinstance(error, CommandError) or is_other:
            return False
        word, game = line.split(maxsplit=1)[0], self.game.commands
        is_known = word in self.commands or word in reading.table
        return not is_known or (game is not None and word in game)

    def is_command(self, line: str) -> bool:
        """Return whether a line is one of `commands`."""
        try:
            self.commands.parse(line)
        except CommandError:
            return False
        return True

    def table_topic(self, reading: Reading[S]) -> Topic:
        """Return the topic of the commands of every table."""
        title = "At every table (with / in front where the game has the same word)"
        return Topic.of(title, reading.table.commands)
