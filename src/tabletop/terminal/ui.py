"""The user interface at a terminal: texts and commands that a game or a program can change.

A `Plugin` may have a `ui`, which is a class derived from `TerminalUI`. A program passes its own
class. Methods that it does not override behave as in `tabletop play`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from itertools import takewhile
from shutil import get_terminal_size
from typing import Final, NamedTuple, TypeAlias

from tabletop.display.text_view import (
    SHOWN_ACTIONS,
    actions_that_fit,
    headline,
    list_actions,
    seed_warning,
)
from tabletop.errors import (
    CommandError,
    ContractError,
    EndOfInput,
    RecordLost,
    RegistryError,
)
from tabletop.host.screen_text import print_error, printable
from tabletop.protocol.messages import ActIn, RedoIn, ReseatIn, UndoIn
from tabletop.records.format import HUMAN
from tabletop.registry import Plugin
from tabletop.rules.commands import Command, Commands
from tabletop.rules.events import Event, Watcher
from tabletop.session.hints import because, hint_question, how_sure
from tabletop.states.bounds import Seat
from tabletop.terminal.client import TerminalClient
from tabletop.terminal.commands import (
    AskHint,
    Help,
    ListActions,
    Quit,
    ReturnSeat,
    SaveMatch,
    ShowRules,
    ShowTable,
    TakeOver,
    TellSeed,
    TellWindow,
    completions,
    table_hint,
)
from tabletop.terminal.console import Completion
from tabletop.terminal.programs import bot_failure
from tabletop.terminal.signals import first_interrupt
from tabletop.text_layout import definitions, fit
from tabletop.wording import MAX_DIGITS, plural, quote

_MARGIN: Final = 2
"""Rows of a screen that `help` leaves free, for the typed line and the prompt."""

_FEWEST: Final = 3
"""Minimum number of rows for the legal actions, even below a large position."""

LEAVING: Final = ("quit", "exit")
"""The words for leaving at any question."""

_LONG: Final = 1.0
"""Seconds after which a terminal displays that a bot without a time budget is thinking."""

_HANDED_OVER: Final = "{}, it is your turn: press Enter. "


class Topic(NamedTuple):
    """Commands that `help` describes together, with the usage and effect of each.

    The title may be empty. The note adds further facts.
    """

    title: str
    rows: Sequence[tuple[str, str]] = ()
    note: str = ""

    @classmethod
    def of(cls, title: str, commands: Sequence[Command], note: str = "") -> Topic:
        """Make a topic of commands, with their declared usage and help."""
        return cls(title, [(command.usage, command.help) for command in commands], note)

    def in_full(self, columns: int) -> str:
        """Return all commands with their descriptions, in lines of `columns` (0 for no limit)."""
        title = f"{self.title}:" if self.title else ""
        return "\n".join(filter(None, (title, definitions(self.rows, columns), self.note)))

    def in_short(self) -> str:
        """Return the names of the commands without arguments, or the note if there are none."""
        typed = [takewhile(lambda it: it[0].islower(), row[0].split()) for row in self.rows]
        names = [" ".join(words) or row[0] for words, row in zip(typed, self.rows, strict=True)]
        return f"{self.title}: {', '.join(names)}" if names else self.note


def topics_that_fit(topics: Sequence[Topic], columns: int, *, everything: bool) -> str:
    """Describe topics in lines of `columns` (0 for no limit), the first topic last.

    If the screen has no room for all of them, the last topics list only the names of commands. With
    `everything`, all are described in any case.
    """
    rows = get_terminal_size().lines - _MARGIN
    for full in range(len(topics), -1, -1):
        short = [topic.in_short() for topic in reversed(topics[full:])]
        short = [*short, "`help all` explains these words."] if short else []
        described = [topic.in_full(columns) for topic in reversed(topics[:full])]
        text = fit("\n\n".join(filter(None, ("\n".join(short), *described))), columns)
        if everything or text.count("\n") < rows:
            break
    return text


class TerminalUI:
    """The behaviour of a terminal client. Override methods to change it.

    Each match at a terminal has a new instance, which may have further attributes.

    Args:
        client: The client, with `client.say`, `client.match`, `client.session` and
            `client.request`.

    Attributes:
        commands: Further commands, in addition to the actions of the game and the table commands.
            `execute` receives the parsed command.
    """

    commands: Commands = Commands()

    def __init__(self, client: TerminalClient) -> None:
        self.client = client
        self._warned = False
        self._numbered: tuple[int, Seat, int] = (0, 0, 0)  # ply, seat, numbers on the screen

    # The start and the end of a match.

    def opening(self) -> None:
        """Print the game and the seed, before any other text."""
        match = self.client.match
        so_far = f"; {plural(match.ply, 'action')} so far" if match.ply else ""
        self.client.say(f"{headline(match)}{so_far}")

    def begin(self) -> None:
        """Print information that people need before the first decision. By default, call `warn`."""
        self.warn()

    def warn(self) -> None:
        """Print once that the seed reveals secrets, if several people have secrets and no salt."""
        match = self.client.match
        warning = seed_warning(match.game, len(self.client.session.people))
        if warning and not self._warned and not match.over and match.salt is None:
            self._warned = True
            self.client.say(warning)

    def over(self) -> bool:
        """Return whether the match is over."""
        return self.client.match.over

    def ending(self) -> None:
        """Print the last position and the outcome."""
        client, match = self.client, self.client.match
        text, reader = client.session.plugin.text, client.reader
        client.say()
        client.say(text.position(match.view(reader), client.names, reader))
        if match.outcome is not None:
            client.say(text.outcome(match.outcome, client.names))

    def interrupted(self) -> None:
        """React to Ctrl-C at once, so that the next text starts a new line."""
        self.client.console.begin_line()

    def left(self) -> None:
        """Print how to resume a match that is left before the end."""
        plies = plural(self.client.match.ply, "action")
        self.client.say(f"Left after {plies}{self.client.how_to_go_on()}")

    # Decisions.

    def before(self, seat: Seat) -> None:
        """Print something before each decision of a person or a bot. By default, do nothing.

        The method may send a request that decides for a person, who is then not asked.
        """

    def asked(self, seat: Seat) -> None:
        """Print a new position for a person, with the legal actions."""
        actions = self.client.match.legal_actions(seat)
        if seat in self.client.together and len(actions) == 1:
            self.client.say(self.listed(seat))  # asked at the same time as others, without a choice
        else:
            self.show(seat)

    def show(self, seat: Seat) -> None:
        """Print the position for a seat, with its legal actions."""
        client = self.client
        view = client.match.view(seat)
        position = client.session.plugin.text.position(view, client.names, seat)
        client.say()
        client.say(position)
        client.say(self.listed(seat, above=1 + len(fit(position, self.columns()).split("\n"))))

    def listed(
        self,
        seat: Seat,
        *,
        above: int = 0,
        everything: bool = False,
        texts: Sequence[str] = (),
    ) -> str:
        """List the legal actions of a seat, with the numbers that may be typed from now on.

        At a terminal, a long list has columns, and at most as many rows as are free on the screen.

        Args:
            seat: The seat.
            above: The rows of the screen above the list.
            everything: Whether to list all actions.
            texts: The text of each action, by default its standard text.
        """
        match, columns = self.client.match, self.columns()
        actions = match.legal_actions(seat)
        below = 1 + len(fit(self.client.hint, columns).splitlines())  # the prompt, and a hint
        rows = max(_FEWEST, get_terminal_size().lines - above - below) if columns else 0
        most = actions_that_fit(texts or actions, columns, rows) if columns else SHOWN_ACTIONS
        most = len(actions) if everything else min(most, len(actions))
        self._numbered = (match.ply, seat, most)
        return list_actions(texts or actions, most, columns=columns, rows=rows)

    def prompt(self, seat: Seat) -> str:
        """Return the prompt for a person who is to act."""
        view, names = self.client.match.view(seat), self.client.names
        return self.client.session.plugin.text.prompt(view, seat, names)

    def _called(self, seat: Seat) -> str:
        """Return the name of a seat, with its role if the game has roles."""
        return self.client.session.plugin.text.called(self.client.names)[seat]

    def waiting(self, seat: Seat) -> str:
        """Return the prompt while people elsewhere are to act."""
        others = ", ".join(map(self._called, self.client.match.to_act))
        return f"(waiting for {others}) "

    def handle(self, line: str, seat: Seat) -> bool:
        """Execute a line that is not empty. Return False to leave the match.

        By default, the line is an action, a command of this UI or a table command, in this order. A
        line that starts with `/` is not an action.

        Raises:
            TabletopError, ValueError: The line is refused. The error is passed to `refused`.
        """
        word = line.split(maxsplit=1)[0]
        if line.startswith("/"):
            return self.run_command(line[1:], seat, table_first=True)
        if seat not in self.client.match.to_act and self._is_known(word):
            return self.run_command(line, seat)  # people elsewhere are to act
        try:
            self._check_number(line, seat)
            self.client.request(ActIn(line, seat=seat))
        except CommandError as error:
            game = self.client.match.game.commands
            if (game is not None and word in game) or not self._is_known(word):
                self.misunderstood(line, error, seat)
                return True
            return self.run_command(line, seat)
        self.client.together.discard(seat)
        return True

    def _check_number(self, line: str, seat: Seat) -> None:
        """Raise `CommandError` for the number of an action that is not numbered on the screen."""
        match = self.client.match
        if seat not in match.to_act or not (line.isascii() and line.isdecimal()):
            return
        actions = match.legal_actions(seat)
        ply, reader, shown = self._numbered
        if (ply, reader) != (match.ply, seat):
            shown = 0
        if not shown < int(line[:MAX_DIGITS]) <= len(actions):
            return
        if any(str(action).isdecimal() for action in actions):
            return
        try:
            match.parse(line, seat)  # commands of the game may be numbers
        except CommandError:
            raise CommandError(
                f"no action on the screen has the number {line}: type its text, or `actions`",
                line=line,
                place=1,
            ) from None

    def misunderstood(self, line: str, error: CommandError, seat: Seat) -> None:
        """Print that a line is not understood. `error` is the refusal of the game."""
        word, game = line.split(maxsplit=1)[0], self.client.match.game.commands
        hint = table_hint(word, error, game, self.commands, self.client.table)
        self.client.say(f"{error}\n({hint}`help` lists the commands)")

    def run_command(self, line: str, seat: Seat, *, table_first: bool = False) -> bool:
        """Execute a command of this UI or a table command. Return False to leave.

        If both have the same word, the UI takes precedence unless `table_first`.
        """
        word = line.split(maxsplit=1)[0] if line.strip() else ""
        if word in self.commands and not (table_first and word in self.client.table):
            return self.execute(self.commands.parse(line), seat)
        return self.execute_table(self.client.table.parse(line), seat)

    def execute(self, request: object, seat: Seat) -> bool:
        """Execute one of the `commands` of this UI. Return False to leave.

        Raises:
            ContractError: The UI declares commands, but does not override this method.
        """
        raise ContractError(f"{type(self).__name__} has commands, but does not override `execute`")

    def execute_table(self, request: object, seat: Seat) -> bool:
        """Execute a table command. Return False to leave.

        Raises:
            ContractError: The request is not a table command.
        """
        client = self.client
        match request:
            case Help():
                self.help(seat, everything=request.all is not None)
            case ShowTable():
                self.show(seat)
            case ListActions():
                client.say(self.listed(seat, everything=True))
            case ShowRules(heading):
                _show_rules(client, heading)
            case UndoIn() | RedoIn():
                client.request(request)
            case TakeOver(name, other):
                client.request(_hand_over(name, other, seat, client.session.plugin.best_bot))
            case ReturnSeat(other):
                client.request(ReseatIn(other - 1, HUMAN))
            case TellSeed() | TellWindow() | AskHint() | SaveMatch():
                client.say(_information(client, request, seat))
            case Quit():
                return False
            case _:
                raise ContractError(f"{request!r} is not a table command")
        return True

    def help(self, seat: Seat, *, everything: bool = False) -> None:
        """Describe the commands.

        At a terminal, the commands that are usable now come last, nearest to the prompt, and the
        text fits the screen. If there is no room, commands are listed without a description, unless
        `everything` is set.
        """
        columns = self.columns()
        if not columns:
            topics = self.topics(None)
            self.client.say("\n\n".join(topic.in_full(columns) for topic in topics))
            return
        topics = self.topics(seat)
        self.client.say(topics_that_fit(topics, columns, everything=everything))

    def topics(self, seat: Seat | None) -> Sequence[Topic]:
        """Return the topics of `help`, for a given seat with its legal actions first."""
        match = self.client.match
        game = () if match.game.commands is None else match.game.commands.commands
        actions = () if seat is None else match.legal_actions(seat)
        now = [it for it in game if seat is None or any(map(it.makes, actions))]
        later = [it for it in game if it not in now]
        hint = "" if game else "Type the number of an action, or its text."
        topics = [
            Topic.of("" if seat is None else "Now", now, hint),
            Topic.of("Also in this game", later),
            Topic.of("More commands of this game", self.commands.commands),
            self.table_topic(),
        ]
        return [topic for topic in topics if topic.rows or topic.note]

    def table_topic(self) -> Topic:
        """Return the topic of the table commands."""
        title = "At every table (with / in front where the game has the same word)"
        return Topic.of(title, self.client.table.commands)

    def columns(self) -> int:
        """Return the maximum width of a line at a terminal, or 0 for no limit if input is piped."""
        return get_terminal_size().columns - 1 if self.client.console.interactive else 0

    def refused(self, line: str, error: Exception, seat: Seat) -> None:
        """Print why a line is refused. An error that ends the program is raised again.

        `RecordLost` and `ContractError` end the program, because the match cannot continue.
        """
        if isinstance(error, (RecordLost, ContractError)):
            raise error
        self.client.say(str(error))

    # Events.

    def event(self, event: Event, reader: Watcher) -> str:
        """Return an event as a line of text, or an empty text to print nothing."""
        return self.client.session.plugin.text.event(event, self.client.names, reader)

    def show_news(self, lines: list[str]) -> None:
        """Print lines about events."""
        for line in lines:
            self.client.say(line)

    def seated(self, seat: Seat, player: str) -> None:
        """Print that a seat has a new player."""
        by = "a person" if player == HUMAN else f"the bot {player}"
        self.client.say(f"{self._called(seat)} is now played by {by}.")
        self.warn()

    def bot_failed(self, player: str, error: Exception) -> None:
        """Print that a bot has failed, on standard error if output is piped.

        The next message names the successor.
        """
        say = self.client.say if self.client.console.interactive else print_error
        say(bot_failure(player, error))

    def typed_too_early(self, line: str) -> None:
        """Print that a line typed during a bot's turn is ignored."""
        self.client.say(f"{quote(line)} was typed while a bot was to act, and is ignored.")

    def thinking(self, seat: Seat, bot: object) -> AbstractContextManager[None]:
        """Return a context in which a terminal displays that a bot is thinking.

        With a time budget, the text is displayed at once and describes how to stop the bot.
        Otherwise it is displayed after a second.
        """
        client, text = self.client, f"{self._called(seat)} is thinking."
        if not takes_seconds(bot):
            return client.console.meanwhile(text, after=_LONG)
        if len(client.match.legal_actions(seat)) == 1:
            return nullcontext()
        return client.console.meanwhile(f"{text} (Ctrl-C: it plays its best action so far.)")

    def has_thought(self, seat: Seat, bot: object) -> None:
        """Print how long a bot with a time budget has thought, and how certain it is.

        Its rating of the position may reveal hidden information, so it is printed only if the game
        hides nothing.
        """
        search = getattr(bot, "last_search", None)
        if not (self.client.console.interactive and takes_seconds(bot)) or search is None:
            return
        name, count = self._called(seat), plural(search.iterations, "iteration")
        text = f"{name} has thought for {search.seconds:.1f} seconds: {count}"
        if search.share is not None:
            text += f", {100 * search.share:.0f} % sure of its move"
        if not self.client.match.game.hides_something:
            chances = f"puts its chances at {100 * search.value:.0f} %"
            rates = f"rates its position {search.value:.2f}"
            text += f"; it {chances if search.counts_wins else rates}"
        self.client.say(f"{text}.")

    def bot_action_failed(self, error: ContractError) -> None:
        """Print that the rules could not apply the action of a bot."""
        self.client.say(str(error))

    def hand_over(self, seat: Seat, other: Seat | None) -> bool:
        """Give the keyboard to `seat` without revealing the view of `other`, its last user, if any.

        Returns:
            Whether the screen was wiped.

        Raises:
            EndOfInput: The input has ended meanwhile.
        """
        client = self.client
        if not client.console.interactive or other is None or not client.hides(other, seat):
            return False
        client.console.wipe()
        while line := client.read(_HANDED_OVER.format(client.names[seat])).strip():
            if line.casefold() in LEAVING:
                raise EndOfInput("somebody has left")
            client.say(f"{quote(line)} is ignored. Press Enter.")
        return True

    # Completion.

    def complete(self, line: str, seat: Seat) -> list[Completion]:
        """Return completions with hints for a line that is being typed."""
        client = self.client
        return completions(line, seat, client.session, self.commands, self.hint, table=client.table)

    def hint(self, action: object) -> str:
        """Return a short explanation of an action for completions, or an empty text."""
        return ""

    def _is_known(self, word: str) -> bool:
        return word in self.commands or word in self.client.table


def _information(
    client: TerminalClient, request: TellSeed | TellWindow | AskHint | SaveMatch, seat: Seat
) -> str:
    match request:
        case TellSeed():
            return printable(client.match.seed.text)
        case TellWindow():
            return "" if client.second_view is None else client.second_view.where
        case AskHint():
            return _hint(client, seat)
        case SaveMatch(file):
            if client.save is None:
                raise CommandError("this match is not recorded, so it cannot be saved")
            return client.save(file or "")


def _hint(client: TerminalClient, seat: Seat) -> str:
    """Let a bot think about the decision of a seat, and return its suggestion as text."""
    question = hint_question(client.session, seat)
    from tabletop.session.bot_pool import answer  # needed only for hints

    text = f"{question.bot} is thinking. (Ctrl-C: it shows its best action so far.)"

    @contextmanager
    def stopping(stop: Callable[[], object]) -> Iterator[None]:
        with first_interrupt(stop), client.console.meanwhile(text):
            yield

    choice = answer(question, client.session.plugin, stopping=stopping)
    if choice.error:
        raise CommandError(f"the bot {question.bot} has failed: {choice.error}")
    suggestion = f"hint: {choice.action} ({how_sure(choice, question.bot)})"
    return "\n".join([suggestion, *because(choice)])


def _show_rules(client: TerminalClient, heading: str | None) -> None:
    rules, game = client.session.plugin.rules, client.match.game
    from tabletop.display.rulebook import find_sections, no_rules, shown  # only for rules

    if not rules:
        client.say(f"{no_rules(game)}.")
        return
    chosen = rules if heading is None else find_sections(rules, heading)
    client.console.show_pages(shown(chosen, at_terminal=client.console.interactive))


def _hand_over(name: str | None, number: int | None, seat: Seat, best_bot: str) -> ReseatIn:
    """Return a request that a bot plays for the seat with a number, or for `seat`."""
    if number is None and name and name.isascii() and name.isdecimal():
        number, name = int(name[:9]), None  # `bot 2`: a seat without the name of a bot
    return ReseatIn(seat if number is None else number - 1, name or best_bot)


def takes_seconds(bot: object) -> bool:
    """Check whether a bot has a budget in seconds, so that it may be stopped earlier."""
    return getattr(getattr(bot, "budget", None), "seconds", None) is not None


UIMaker: TypeAlias = Callable[[TerminalClient], TerminalUI]
"""Function that makes the UI of a match, usually a class derived from `TerminalUI`."""


def load_ui(plugin: Plugin) -> UIMaker:
    """Return the maker of the UI of a game, by default `TerminalUI`.

    Raises:
        RegistryError: The `ui` of the plugin is not a UI or cannot be imported.
    """
    ui = plugin.import_attribute("ui")
    if ui is None:
        return TerminalUI
    if not callable(ui):
        raise RegistryError(f"{plugin.source}: ui is {ui!r}, not a class derived from TerminalUI")
    maker: UIMaker = ui
    return maker
