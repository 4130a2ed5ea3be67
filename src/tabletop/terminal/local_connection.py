"""The connection of a terminal to a table in this process, with the texts of the game."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final, TypeVar

from tabletop.display.console_text import (
    ConsoleText,
    News,
    Reading,
    Topic,
    Wanted,
)
from tabletop.display.text_view import headline, seed_warning
from tabletop.errors import (
    CommandError,
    ContractError,
    EndOfInput,
    RecordLost,
    TabletopError,
)
from tabletop.host.screen_text import print_error, printable
from tabletop.host.user_files import save_game
from tabletop.protocol.incoming import ActIn, AskIn, RedoIn, Request
from tabletop.protocol.outgoing import MessageOut, TextOut
from tabletop.records.format import HUMAN
from tabletop.registry import bot_label
from tabletop.rules.action_text import complete_text
from tabletop.rules.commands import Commands
from tabletop.rules.events import ActionsUndone, Event, Watcher
from tabletop.rules.outcome import Outcome
from tabletop.rules.selections import split
from tabletop.states.bounds import Seat
from tabletop.table.players import Replaced
from tabletop.terminal.client import TerminalClient
from tabletop.terminal.commands import (
    LEAVING,
    LOSSES,
    SaveMatch,
    TakeOver,
    TellSeed,
    TellWindow,
    completions,
    first_word,
    not_numbered,
    table_commands,
)
from tabletop.terminal.console import Completion, Console, PromptCancelled
from tabletop.terminal.local_table import LocalTable
from tabletop.terminal.programs import bot_failure, report_error
from tabletop.terminal.seen_events import SeenEvents
from tabletop.terminal.thinking import ThinkingBots
from tabletop.text_layout import fit
from tabletop.wording import MAX_DIGITS, plural, quote

if TYPE_CHECKING:
    from tabletop.terminal.recording import Recording

T = TypeVar("T")

_HANDED_OVER: Final = "{}, it is your turn: press Enter. "


@dataclass(frozen=True, slots=True, kw_only=True)
class Presentation:
    """The presentation of a match by a program. By default, it is that of `tabletop play`.

    Attributes:
        texts: The texts of the game. By default, those of its plugin.
        program: The name of the program, which starts its error messages.
        title: Whether the title and the seed are shown first.
        begin: Called before the first decision of a new or resumed match.
        stop: Called before each decision. Returns the reason for leaving the match, or "".
        leave: Prints a text about a match that is left. By default, the number of actions and how
            to resume the match.
        news_first: Whether the next person at the keyboard sees the news before pressing Enter.
        keeps: Whether a match without a record can be resumed in another way.
        hint: A hint for newcomers, printed once before the first prompt, or an empty text.
        record_option: The spelling of the option that records a match.
    """

    texts: ConsoleText[Any] | None = None
    program: str = "tabletop"
    title: bool = True
    begin: Callable[[LocalConnection], object] | None = None
    stop: Callable[[LocalConnection], str] | None = None
    leave: Callable[[LocalConnection], object] | None = None
    news_first: bool = False
    keeps: bool = False
    hint: str = ""
    record_option: str = "--record"


class LocalConnection:
    """The connection of a terminal to its own table. It is a `tabletop.terminal.Connection`.

    Args:
        local: The table.
        console: The input and output of lines.
        presentation: The presentation of the match.
        recording: The record of the match, or None. If a request cannot be recorded, the people
            choose another file, and the request is repeated.
    """

    def __init__(
        self,
        local: LocalTable,
        console: Console,
        presentation: Presentation = Presentation(),
        recording: Recording | None = None,
    ) -> None:
        self.local = local
        self.match = local.match
        self.console = console
        self.is_over: bool = False
        self._table = local.table
        self._presentation = presentation
        self._hint = presentation.hint
        self._recording = recording
        self.texts: ConsoleText[Any] = presentation.texts or local.plugin.make_console()
        console.paint_with(self.texts.paint)
        requests, holder = local.table.requests, local.holder
        has_optional = {
            "resign": requests.can_resign(holder) and "resign" not in self.texts.commands,
            "skip": local.table.passing.exists,
            "hint": requests.gives_hints,
            "window": local.window is not None and console.interactive,  # not in piped output
        }
        local.table.commands = table_commands(*(word for word, has in has_optional.items() if has))
        local.on_change = self._changed
        local.table.questions.texts = self.texts
        self._screen = local.screen
        self._seen = SeenEvents(self._line_of)
        self._bots = ThinkingBots(local, console)
        self._players = local.players  # as the news have announced them
        self._last_person: Seat | None = None  # the last user of the keyboard
        self._asked: Seat | None = None  # whose line is being typed
        self._noticed: object = None  # at the last change
        self._shown: tuple[int, Seat] | None = None
        self._numbered: tuple[int, Seat, int] = (0, 0, 0)  # ply, seat, numbers on the screen
        self._is_stale = False  # whether the position must be displayed again after an undo
        self._is_warned = False
        local.match.observe(self._note_undo, ActionsUndone)

    def run(self) -> Outcome | None:
        """Play the match from its first line to its last. Return None if it is left early."""
        if self._presentation.begin is not None:
            self._presentation.begin(self)
        if self._presentation.title:
            so_far = f"; {plural(self.match.ply, 'action')} so far" if self.match.ply else ""
            self.console.say(f"{headline(self.match)}{so_far}")
        TerminalClient(self, self.console).run()
        if self.match.over:
            return self.match.outcome
        if self._presentation.leave is not None:
            self._presentation.leave(self)
        else:
            plies = plural(self.match.ply, "action")
            self.console.say(f"Left after {plies}{self.how_to_go_on()}")
        return None

    def how_to_go_on(self) -> str:
        """Return the command that resumes the match, or an empty text."""
        return "" if self._recording is None else self._recorded(self._recording.how_to_go_on)

    def _recorded(self, do: Callable[[], T]) -> T:
        """Call a function, again whenever a lost record has been moved to another file."""
        while True:
            try:
                return do()
            except RecordLost as lost:
                if self._recording is None:
                    raise
                self.local.on_change = lambda: None  # it must not cancel the question for a file
                self._recording.move(lost, self.players, self.console)
                self.local.on_change = self._changed

    @property
    def players(self) -> tuple[str, ...]:
        """The player of each seat: "human" or the name of a bot."""
        return self._table.players

    @property
    def commands(self) -> Commands:
        """The commands of every table that are available here."""
        return self._table.commands_of(self.local.holder)

    def loss(self, line: str) -> str:
        """Return what is lost permanently if a line is carried out, or ""."""
        word, match = line.strip().casefold(), self.match
        command = word.removeprefix("/")
        loss = LOSSES.get(command, "") if command in self.commands else ""
        is_costly = loss or (command in LEAVING and match.ply)
        if not self.console.interactive or self._asked is None or not is_costly:
            return ""
        if not word.startswith("/"):
            with suppress(CommandError):  # the word of this table is meant
                return self._loss_by_action(word, self._asked)
        if loss or self._is_recorded or self._presentation.keeps:
            return loss
        return "This match is not recorded, so it cannot be resumed."

    @property
    def _is_recorded(self) -> bool:
        return self._recording is not None and self._recording.journal is not None

    def _loss_by_action(self, word: str, seat: Seat) -> str:
        """Return what is lost by an action. Raise `CommandError` if a word is not an action."""
        ahead = self.match.clone()
        action = self.local.plugin.text.parse(ahead, word, seat)
        with suppress(TabletopError, ValueError):  # it will be refused
            ahead.play(action)
        is_end = ahead.outcome is not None and ahead.outcome.abandoned
        return "This ends the match permanently, and nobody wins." if is_end else ""

    # Turns.

    def ask(self) -> str | None:
        """Let a bot act, or print the next question and return its prompt (`Connection.ask`)."""
        self._asked = None
        self._show_news()
        self._warn()
        self.local.settle()
        self._show_news()  # about actions on the page
        if self.match.over:
            self._show("question")
            self.is_over = True
            return None
        self._check_stop()
        if self._table.bot_to_act is None:
            return self._ask(self._table.waiting_for[0])
        if self.local.holder.reader not in self._table.waiting_for:
            self._show("question")
        self._recorded(self._bots.let_act)
        for line in self.console.drop_typed():
            ignored = f"{quote(line)} was typed while a bot was to act, and is ignored."
            self.console.say(ignored)
        return None

    def _warn(self) -> None:
        """Warn once that the seed reveals the secrets of several people."""
        match = self.match
        warning = seed_warning(match.game, len(self._table.people))
        is_hidden = match.over or match.salt is not None or not self._presentation.title
        if warning and not (self._is_warned or is_hidden):
            self._is_warned = True
            self.console.say(warning)

    def _check_stop(self) -> None:
        stop = self._presentation.stop
        if stop is not None and (why := stop(self)):
            self.console.say(why)
            raise EndOfInput(why)

    def _changed(self) -> None:
        """Print the news above the line that is typed, or cancel an outdated line."""
        noticed = self._noteworthy
        if noticed == self._noticed or not self.console.waits:
            return
        self._noticed = noticed
        if self._is_void(self._asked) or self._is_stale:
            self.console.cancel_prompt()  # the news follow
        else:
            self._show_news()

    @property
    def _noteworthy(self) -> object:
        """A value that changes with everything at the table that concerns the terminal."""
        local, revision = self.local, self._table.requests.positions.revision
        return revision, local.players, local.is_bot_asked, local.holder.sitting

    def _is_void(self, asked: Seat | None) -> bool:
        """Return whether a person who is asked, or was to be asked, is not the next to act."""
        return asked not in self._table.waiting_for or self._table.bot_to_act is not None

    def _ask(self, seat: Seat) -> str | None:
        if not self._hand_over(seat) or self._is_void(seat):
            return None  # because of an action on the page
        if self._is_stale:
            self._shown, self._is_stale = None, False
        ply = self.match.ply
        self._show_news()
        if self.match.ply != ply or self._is_stale or self._is_void(seat):
            return None  # somebody has acted in the meantime
        if self._shown != (ply, seat):
            self._shown = (ply, seat)
            self._show("question")
        if self._hint:
            self.console.say(self._hint)
            self._hint = ""
        self._asked, self._bots.hurries, self._noticed = seat, False, self._noteworthy
        return self.local.plugin.text.prompt(self.match.view(seat), seat, self._names)

    # Texts.

    @property
    def _names(self) -> tuple[str, ...]:
        return self.local.holder.perspective.names

    def _called(self, seat: Seat) -> str:
        """Return the name of a seat, with its role if the game mentions one."""
        return self.local.plugin.text.called(self._names)[seat]

    def _reading(self, wanted: Wanted = "question", *, reader: Seat | None = None) -> Reading[Any]:
        """Return what a reader may see, by default the person who has the keyboard."""
        self._describe_terminal()
        return self.local.holder.reading(self._screen, wanted, reader=reader)

    def _describe_terminal(self) -> None:
        """Note for the texts which size and colours the terminal has now."""
        screen, console = self._screen, self.console
        screen.size, screen.colours = console.size, console.colours
        if console.interactive:
            screen.below = len(fit(self._hint, max(0, console.size.columns - 1)).splitlines())

    def _show(self, wanted: Wanted) -> None:
        reading = self._reading(wanted)
        shown = self.texts.question(reading)
        if shown.text:
            self.console.say(shown.text)
            self._screen.show_question()
        elif reading.actions:
            self._screen.asked = self.local.holder.perspective.log.last_event
        if reading.seat is not None:
            self._numbered = (self.match.ply, reading.seat, shown.numbered)

    def topics(self) -> Sequence[Topic]:
        """Return the topics of `help`. With piped output, they are those of a spectator."""
        reading = self._reading()
        if not self.console.interactive:
            reading = replace(reading, seat=None, view=self.match.view(None), actions=())
        return self.texts.topics(reading)

    def refusal(self, line: str, error: Exception) -> str:
        """Return the text for a line that was refused."""
        return self.texts.refusal(line, error, self._reading())

    def complete(self, line: str) -> Sequence[Completion]:
        """Return the words that can follow a line that is being typed."""
        if (command := line.removeprefix("/")).casefold().startswith("help "):
            lines = [f"help {row[0].split()[0]}" for it in self.topics() for row in it.rows]
            return [*map(Completion, complete_text(command, lines))]
        reading = self._reading()
        return completions(
            line,
            self._asked or 0,
            self.match,
            self.local.plugin,
            self.texts.commands,
            hint=lambda action: self.texts.meaning(action, reading),
            table=self.commands,
        )

    # News.

    def _note_undo(self, event: Event) -> None:
        self._is_stale = True

    def _show_news(self) -> None:
        """Print the news: failures of bots, then the events, then the new players of seats."""
        for failure in self.local.take_failures():
            if isinstance(failure, Replaced):
                self._show_failure(failure.player, failure.error)
            else:
                reading = self._reading()
                for error in failure.errors:
                    self.console.say(self.texts.refusal("", error, reading))
        if self._screen.read != self.local.holder.perspective.log.last_event:
            self._show_events()
        self._announce_players()

    def _show_events(self) -> None:
        """Print the texts of unread events."""
        reading = self._reading()
        text, rest, pause = self._guarded(lambda: self.texts.news(reading))
        self._screen.show_news(reading, unread=rest)
        self._seen.show(reading.unread[: len(reading.unread) - rest], reading.seat)
        if text:
            self.console.say(text)
        if pause and not self.console.is_scripted:
            self.console.wait(pause)

    def _announce_players(self) -> None:
        """Print which seats have a new player."""
        before, self._players = self._players, self.players
        for seat, player in enumerate(self._players):
            if player != before[seat]:
                by = "a person" if player == HUMAN else f"the {bot_label(player)}"
                self.console.say(f"{self._called(seat)} is now played by {by}.")
                self._warn()

    def _guarded(self, news: Callable[[], News]) -> News:
        """Return the news. An error in the texts of the game does not stop the match."""
        try:
            return news()
        except Exception as error:
            report_error(self._presentation.program, error)
            return News()

    def _line_of(self, event: Event, reader: Watcher) -> str:
        return self.local.plugin.text.event(event, self._names, reader)

    def _show_failure(self, player: str, error: Exception) -> None:
        """Print that a bot has failed, followed by the last lines of an external program.

        If output is piped, the text goes to the standard error.
        """
        if os.environ.get("TABLETOP_DEBUG") and not isinstance(error, TabletopError):
            raise error  # the traceback shows the author of the bot the place
        say = self.console.say if self.console.interactive else print_error
        say(bot_failure(player, error))

    # Lines.

    def interpret(self, line: str) -> Any:
        """Play an action, or carry out a command of the game (`Connection.interpret`)."""
        seat, commands = self._asked or 0, self.texts.commands
        if line.startswith("/"):
            line = line[1:]
            if first_word(line) in self.commands or first_word(line) not in commands:
                return self.commands.parse(line)
            return AskIn(line)
        try:
            self._check_number(line, seat)
            self.request(ActIn(line, seat=seat))
        except CommandError as error:
            if self.texts.is_misunderstood(line, error, self._reading()):
                raise
            is_of_game = self.texts.is_command(line) or first_word(line) in commands
            return AskIn(line) if is_of_game else self.commands.parse(line)
        return None

    def _check_number(self, line: str, seat: Seat) -> None:
        """Raise `CommandError` for the number of an action that is not on the screen with it."""
        match = self.match
        if not (line.isascii() and line.isdecimal()):
            return
        actions, _ = split(match.legal_actions(seat))
        ply, reader, shown = self._numbered
        if (ply, reader) != (match.ply, seat):
            shown = 0
        if not shown < int(line[:MAX_DIGITS]) <= len(actions):
            return
        view = match.view(seat)
        try:  # the game's own words may be numbers
            match.parse(line, seat, label=lambda action: self.texts.text.label(action, view))
        except CommandError:
            raise not_numbered(line) from None

    def save(self, name: str, content: str) -> str:
        """Save a file that the game has made (`Connection.save`)."""
        save_game(name, content)
        return f"Saved in {name!r}."

    def request(self, message: Request) -> MessageOut | None:
        """Send a request to the table (`Connection.request`)."""
        if isinstance(message, RedoIn) and message.actions:  # it may be lost between two actions
            rest = self.match.undone - message.actions
            return self._recorded(lambda: self.local.request(RedoIn(0, self.match.undone - rest)))
        self._describe_terminal()
        answer = self._recorded(lambda: self.local.request(message))
        if isinstance(answer, TextOut) and answer.numbered:
            self._numbered = (self.match.ply, self._asked or 0, answer.numbered)
        return answer

    def carry_out(self, command: object) -> str:
        """Carry out a command that only a table in this process has (`Connection.carry_out`)."""
        seat, window = self._asked or 0, self.local.window
        match command:
            case TakeOver():
                self.request(command.request(seat, self.local.plugin.best_bot))
            case TellSeed():
                return printable(self.match.seed.text)
            case TellWindow() if window is not None:
                return window.where
            case SaveMatch(file):
                if self._recording is None or not self._is_recorded:
                    why = "this match is not recorded, so it cannot be saved"
                    raise CommandError(f"{why} (see {self._presentation.record_option} FILE)")
                return self._recorded(partial(self._recording.save, file or ""))
            case _:
                raise ContractError(f"{command!r} is not a command of every table")
        return ""

    # The keyboard.

    def _hand_over(self, seat: Seat) -> bool:
        """Give the keyboard to the next person, and print the news that they have missed.

        Return False if they have not taken it, and something else has happened.
        """
        if self._last_person != seat:
            wiped = self._clear_for(seat, self._last_person)
            if wiped is None:
                return False
            self._last_person = seat
            self.local.sit_down(seat)
            self._show_missed(seat, wiped=wiped)
        elif self.local.holder.sitting != seat:
            self.local.sit_down(seat)
        return True

    def _show_missed(self, seat: Seat, *, wiped: bool) -> None:
        reading, seats = self._reading(reader=seat), self.local.holder.all_seats

        def news() -> News:
            missed = self._seen.catch_up(seat, reading.log, seats, wiped=wiped)
            return self.texts.news(replace(reading, unread=missed)) if missed else News()

        if text := self._guarded(news).text:
            self.console.say(text)

    def _clear_for(self, seat: Seat, other: Seat | None) -> bool | None:
        """Hide from the next person the view of the last. Return None if they do not come."""
        if other is None or self.local.holder.sitting != seat:
            try:
                return self._wait_for_enter(seat, other)
            except PromptCancelled:  # because of an action on the page
                if self.local.holder.sitting != seat:
                    return None
        hides = other is not None and self._hides(other, seat)
        if hides:
            self.console.wipe()
        return hides

    def _wait_for_enter(self, seat: Seat, other: Seat | None) -> bool:
        """Give `seat` the keyboard without showing it the hand of `other`, its last user, if any.

        Return whether the screen was wiped.

        Raises:
            EndOfInput: Input has ended in the meantime.
        """
        console = self.console
        if not console.interactive or console.is_scripted:
            return False
        if other is None or not self._hides(other, seat):
            return False
        console.wipe()
        if self._presentation.news_first:
            self._show_missed(seat, wiped=True)
        self._noticed = self._noteworthy
        while line := console.read(_HANDED_OVER.format(self._names[seat])):
            if not (line := line.strip()):
                break
            if line.casefold() in LEAVING:
                raise EndOfInput("somebody has left")
            console.say(f"{quote(line)} is ignored. Press Enter.")
        if line is None:
            raise EndOfInput
        return True

    def _hides(self, seat: Seat, other: Seat) -> bool:
        """Return whether one seat sees something that the other does not see."""
        views: list[Any] = [self.match.view(seat), self.match.view(other)]
        return bool(views[0] != views[1])
