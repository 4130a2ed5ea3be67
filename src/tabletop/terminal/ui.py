"""The UI at a terminal: text and commands that a game or a program may change.

A `Plugin` may have a `ui`: a class derived from `TerminalUI`. A
program passes its own. Methods that it does not override do what `tabletop play` does.
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
    SaveMatch,
    ShowRules,
    ShowTable,
    TakeBack,
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
"""The rows of a screen that `help` leaves free: for the line that asks for it, and the prompt."""

_FEWEST: Final = 3
"""The fewest rows of a screen for the legal actions, however large the position is."""

LEAVING: Final = ("quit", "exit")
"""The words to leave with where something else is asked."""

_LONG: Final = 1.0
"""Seconds after which it is said of a bot without a budget in seconds that it thinks."""

_HANDED_OVER: Final = "{}, it is your turn: press Enter. "


class Topic(NamedTuple):
    """Words that `help` explains together: the form and the effect of each.

    The title may be empty; the note adds further facts.
    """

    title: str
    rows: Sequence[tuple[str, str]] = ()
    note: str = ""

    @classmethod
    def of(cls, title: str, commands: Sequence[Command], note: str = "") -> Topic:
        """Make a topic of some commands, with the words and helps of their declarations."""
        return cls(title, [(command.usage, command.help) for command in commands], note)

    def in_full(self, columns: int) -> str:
        """Every word with its meaning, in lines of so many columns; 0 for any."""
        title = f"{self.title}:" if self.title else ""
        return "\n".join(filter(None, (title, definitions(self.rows, columns), self.note)))

    def in_short(self) -> str:
        """List the words alone, without their arguments; the note where there is none."""
        typed = [takewhile(lambda it: it[0].islower(), row[0].split()) for row in self.rows]
        names = [" ".join(words) or row[0] for words, row in zip(typed, self.rows, strict=True)]
        return f"{self.title}: {', '.join(names)}" if names else self.note


def topics_that_fit(topics: Sequence[Topic], columns: int, *, everything: bool) -> str:
    """Explain topics in lines of so many columns (0 for any), the first of them last.

    Where the screen has no room for all of them, the last ones list their words alone, unless
    `everything` is asked for.
    """
    rows = get_terminal_size().lines - _MARGIN
    for full in range(len(topics), -1, -1):
        short = [topic.in_short() for topic in reversed(topics[full:])]
        short = [*short, "`help all` explains these words."] if short else []
        said = [topic.in_full(columns) for topic in reversed(topics[:full])]
        text = fit("\n\n".join(filter(None, ("\n".join(short), *said))), columns)
        if everything or text.count("\n") < rows:
            break
    return text


class TerminalUI:
    """The behaviour of a terminal client: as `tabletop play`, unless a method is overridden.

    A new one is made for each match at a terminal, and may have attributes of its own.

    Args:
        client: its client, with `client.say`, `client.match`, `client.session`, `client.request`.

    Attributes:
        commands: the words besides the game's actions and those of every table; `execute` receives
            the action of a line.
    """

    commands: Commands = Commands()

    def __init__(self, client: TerminalClient) -> None:
        self.client = client
        self._warned = False
        self._numbered: tuple[int, Seat, int] = (0, 0, 0)  # ply, seat, numbers on the screen

    # From the first line to the last.

    def opening(self) -> None:
        """Say the game and the seed, before all else."""
        match = self.client.match
        so_far = f"; {plural(match.ply, 'action')} so far" if match.ply else ""
        self.client.say(f"{headline(match)}{so_far}")

    def begin(self) -> None:
        """Tell people the facts they need before anybody decides. By default `warn` them."""
        self.warn()

    def warn(self) -> None:
        """Warn once, where several people have secrets and no salt, that the seed reveals them."""
        match = self.client.match
        warning = seed_warning(match.game, len(self.client.session.people))
        if warning and not self._warned and not match.over and match.salt is None:
            self._warned = True
            self.client.say(warning)

    def over(self) -> bool:
        """Return whether nothing more is to be played: the match is over."""
        return self.client.match.over

    def ending(self) -> None:
        """Show how a match has ended: the last position, and the outcome."""
        client, match = self.client, self.client.match
        text, reader = client.session.plugin.text, client.reader
        client.say()
        client.say(text.position(match.view(reader), client.names, reader))
        if match.outcome is not None:
            client.say(text.outcome(match.outcome, client.names))

    def interrupted(self) -> None:
        """React at once to Ctrl-C: the next text begins a line."""
        self.client.console.begin_line()

    def left(self) -> None:
        """Say how to go on with a match that is left before it is over."""
        plies = plural(self.client.match.ply, "action")
        self.client.say(f"Left after {plies}{self.client.how_to_go_on()}")

    # Deciding.

    def before(self, seat: Seat) -> None:
        """Say something before each decision, be it of a person or a bot. By default nothing.

        The method may decide for a person, with a request: then nobody is asked.
        """

    def asked(self, seat: Seat) -> None:
        """Show a person a new position, and the legal actions in it."""
        actions = self.client.match.legal_actions(seat)
        if seat in self.client.together and len(actions) == 1:
            self.client.say(self.listed(seat))  # asked with others, with nothing to decide
        else:
            self.show(seat)

    def show(self, seat: Seat) -> None:
        """Show a seat the position, and its legal actions."""
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
        """List the legal actions of a seat, with the numbers that it may type from now on.

        At a terminal a long list has columns, and no more rows than the screen has free.

        Args:
            seat: the seat.
            above: the rows of the screen for what stands above the list.
            everything: whether to list all actions, however many there are.
            texts: the text of each action; its own when not given.
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
        """Return the prompt of a person who is to act."""
        view, names = self.client.match.view(seat), self.client.names
        return self.client.session.plugin.text.prompt(view, seat, names)

    def _called(self, seat: Seat) -> str:
        """Return what a seat is called: its name, with its role where the game says one."""
        return self.client.session.plugin.text.called(self.client.names)[seat]

    def waiting(self, seat: Seat) -> str:
        """The prompt while people elsewhere are to act."""
        others = ", ".join(map(self._called, self.client.match.to_act))
        return f"(waiting for {others}) "

    def handle(self, line: str, seat: Seat) -> bool:
        """Execute a line, which is not empty; False to leave the match.

        By default it is an action, a word of this UI, or one of every table, in this order. A `/`
        in front passes the game over.

        Raises:
            TabletopError, ValueError: that cannot be done; the error goes to `refused`.
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
        """Raise `CommandError` for the number of an action that is not on the screen with it."""
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
            match.parse(line, seat)  # the game's own words may be numbers
        except CommandError:
            raise CommandError(
                f"no action on the screen has the number {line}: type its text, or `actions`",
                line=line,
                place=1,
            ) from None

    def misunderstood(self, line: str, error: CommandError, seat: Seat) -> None:
        """Say that a line cannot be typed; `error` is the game's answer to it."""
        word, game = line.split(maxsplit=1)[0], self.client.match.game.commands
        hint = table_hint(word, error, game, self.commands, self.client.table)
        self.client.say(f"{error}\n({hint}`help` lists the commands)")

    def run_command(self, line: str, seat: Seat, *, table_first: bool = False) -> bool:
        """Execute a command of this UI or of every table; False to leave.

        A word that both have is that of every table if `table_first`.
        """
        word = line.split(maxsplit=1)[0] if line.strip() else ""
        if word in self.commands and not (table_first and word in self.client.table):
            return self.execute(self.commands.parse(line), seat)
        return self.execute_table(self.client.table.parse(line), seat)

    def execute(self, request: object, seat: Seat) -> bool:
        """Execute one of the `commands` of this UI; False to leave.

        Raises:
            ContractError: the UI declares commands, and does not override this.
        """
        raise ContractError(f"{type(self).__name__} has commands, and does not execute them")

    def execute_table(self, request: object, seat: Seat) -> bool:
        """Execute a command of every table; False to leave.

        Raises:
            ContractError: it is none of them.
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
            case TakeBack(other):
                client.request(ReseatIn(other - 1, HUMAN))
            case TellSeed() | TellWindow() | AskHint() | SaveMatch():
                client.say(_told(client, request, seat))
            case Quit():
                return False
            case _:
                raise ContractError(f"{request!r} is not a command of every table")
        return True

    def help(self, seat: Seat, *, everything: bool = False) -> None:
        """Explain the words that can be typed.

        At a terminal, the words of this moment come last, nearest to the prompt, and all fits the
        screen: where there is no room, words are listed without their meaning, unless `everything`
        is asked for.
        """
        columns = self.columns()
        if not columns:
            topics = self.topics(None)
            self.client.say("\n\n".join(topic.in_full(columns) for topic in topics))
            return
        topics = self.topics(seat)
        self.client.say(topics_that_fit(topics, columns, everything=everything))

    def topics(self, seat: Seat | None) -> Sequence[Topic]:
        """Return the topics of `help`; for a given seat, its legal actions come first."""
        match, own = self.client.match, self.commands.commands
        game = () if match.game.commands is None else match.game.commands.commands
        actions = () if seat is None else match.legal_actions(seat)
        now = [it for it in game if seat is None or any(map(it.makes, actions))]
        later = [it for it in game if it not in now]
        hint = "" if game else "Type the number of an action, or its text."
        topics = [
            Topic.of("" if seat is None else "Now", now, hint),
            Topic.of("Also in this game", later),
            Topic.of("More commands of this game", own),
            self.table_topic(),
        ]
        return [topic for topic in topics if topic.rows or topic.note]

    def table_topic(self) -> Topic:
        """Return the topic of the words at every table."""
        title = "At every table (with / in front where the game has the same word)"
        return Topic.of(title, self.client.table.commands)

    def columns(self) -> int:
        """Return the maximum width of a line at a terminal; 0 for any where input is piped."""
        return get_terminal_size().columns - 1 if self.client.console.interactive else 0

    def refused(self, line: str, error: Exception, seat: Seat) -> None:
        """Say why something cannot be done, or raise the error, which ends the program.

        `RecordLost` and `ContractError` are raised: nothing more can be played.
        """
        if isinstance(error, (RecordLost, ContractError)):
            raise error
        self.client.say(str(error))

    # News.

    def event(self, event: Event, reader: Watcher) -> str:
        """An event as a line of text; empty for events not worth a line."""
        return self.client.session.plugin.text.event(event, self.client.names, reader)

    def show_news(self, lines: list[str]) -> None:
        """Print news, a line an event."""
        for line in lines:
            self.client.say(line)

    def seated(self, seat: Seat, player: str) -> None:
        """Say that a seat has a new player."""
        by = "a person" if player == HUMAN else f"the bot {player}"
        self.client.say(f"{self._called(seat)} is now played by {by}.")
        self.warn()

    def bot_failed(self, player: str, error: Exception) -> None:
        """Say that a bot has failed. If output is piped, print this on standard error.

        The next message names the successor.
        """
        say = self.client.say if self.client.console.interactive else print_error
        say(bot_failure(player, error))

    def typed_too_early(self, line: str) -> None:
        """Say that a line, typed while a bot was to act, is not carried out."""
        self.client.say(f"{quote(line)} was typed while a bot was to act, and is ignored.")

    def thinking(self, seat: Seat, bot: object) -> AbstractContextManager[None]:
        """Return a context in which a terminal says that a bot is thinking.

        With a budget in seconds it says so at once, and how to stop it; else after a second.
        """
        client, said = self.client, f"{self._called(seat)} is thinking."
        if not takes_seconds(bot):
            return client.console.meanwhile(said, after=_LONG)
        if len(client.match.legal_actions(seat)) == 1:
            return nullcontext()
        return client.console.meanwhile(f"{said} (Ctrl-C: it plays its best action so far.)")

    def has_thought(self, seat: Seat, bot: object) -> None:
        """Say at a terminal what a bot with a budget in seconds thought: how long, and how sure.

        How it rates its position may tell what it holds: only where nothing is hidden it is said.
        """
        search = getattr(bot, "last_search", None)
        if not (self.client.console.interactive and takes_seconds(bot)) or search is None:
            return
        name, count = self._called(seat), plural(search.iterations, "iteration")
        said = f"{name} has thought for {search.seconds:.1f} seconds: {count}"
        if search.share is not None:
            said += f", {100 * search.share:.0f} % sure of its move"
        if not self.client.match.game.hides_something:
            chances = f"puts its chances at {100 * search.value:.0f} %"
            rates = f"rates its position {search.value:.2f}"
            said += f"; it {chances if search.counts_wins else rates}"
        self.client.say(f"{said}.")

    def bot_action_failed(self, error: ContractError) -> None:
        """Print that the rules could not apply the action of a bot."""
        self.client.say(str(error))

    def hand_over(self, seat: Seat, other: Seat | None) -> bool:
        """Give `seat` the keyboard without showing it the hand of `other`, its last user, if any.

        Returns whether the screen was wiped. Raises `EndOfInput` when input has ended meanwhile.
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

    # Typing.

    def complete(self, line: str, seat: Seat) -> list[Completion]:
        """Return the completions of a line being typed, with hints; for Tab."""
        client = self.client
        return completions(line, seat, client.session, self.commands, self.hint, table=client.table)

    def hint(self, action: object) -> str:
        """Explain an action in a few words, where its text does not; for Tab."""
        return ""

    def _is_known(self, word: str) -> bool:
        return word in self.commands or word in self.client.table


def _told(
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
    """Have a bot think about the decision of a seat; a line about what it would do."""
    question = hint_question(client.session, seat)
    from tabletop.session.bot_pool import answer  # only who asks for hints needs it

    said = f"{question.bot} is thinking. (Ctrl-C: it shows its best action so far.)"

    @contextmanager
    def stopping(stop: Callable[[], object]) -> Iterator[None]:
        with first_interrupt(stop), client.console.meanwhile(said):  # it says what Ctrl-C does
            yield

    found = answer(question, client.session.plugin, stopping=stopping)
    if found.error:
        raise CommandError(f"the bot {question.bot} has failed: {found.error}")
    said = f"hint: {found.action} ({how_sure(found, question.bot)})"
    return "\n".join([said, *because(found)])


def _show_rules(client: TerminalClient, heading: str | None) -> None:
    rules, game = client.session.plugin.rules, client.match.game
    from tabletop.display.rulebook import find_sections, no_rules, shown  # only who asks needs it

    if not rules:
        client.say(f"{no_rules(game)}.")
        return
    chosen = rules if heading is None else find_sections(rules, heading)
    client.console.show_pages(shown(chosen, at_terminal=client.console.interactive))


def _hand_over(name: str | None, number: int | None, seat: Seat, best_bot: str) -> ReseatIn:
    """Have a bot play on for the seat of that number, or for `seat`, which asks for it."""
    if number is None and name and name.isascii() and name.isdecimal():
        number, name = int(name[:9]), None  # `bot 2`: which bot may be left out
    return ReseatIn(seat if number is None else number - 1, name or best_bot)


def takes_seconds(bot: object) -> bool:
    """Check whether a bot has a budget in seconds: it may be stopped before they are over."""
    return getattr(getattr(bot, "budget", None), "seconds", None) is not None


UIMaker: TypeAlias = Callable[[TerminalClient], TerminalUI]
"""Makes the ui of a match at a screen: a class derived from `TerminalUI`, mostly."""


def load_ui(plugin: Plugin) -> UIMaker:
    """Return the maker of the UI of a game: its own, or the one of every table.

    Raises:
        RegistryError: its `ui` is no UI, or cannot be imported.
    """
    found = plugin.import_attribute("ui")
    if found is None:
        return TerminalUI
    if not callable(found):
        raise RegistryError(
            f"{plugin.source}: ui is {found!r}, not a class derived from TerminalUI"
        )
    maker: UIMaker = found
    return maker
