"""The terminal client of a session: people at one screen play, with the texts of a game."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from functools import partial
from time import monotonic, sleep
from typing import Any, Final

from tabletop.display.console_text import ConsoleText, News, Repeat, SavedFile, Wanted
from tabletop.display.text_view import headline, seed_warning
from tabletop.errors import CommandError, EndOfInput, RecordLost, TabletopError
from tabletop.host.screen_text import print_error
from tabletop.host.user_files import reason, write_text
from tabletop.protocol.messages import ActIn, ConsentIn
from tabletop.records.format import HUMAN
from tabletop.registry import bot_label
from tabletop.rules.outcome import Outcome
from tabletop.states.bounds import Seat
from tabletop.table.messages import BotFailed
from tabletop.table.players import ActionFailed
from tabletop.terminal.client import TerminalClient
from tabletop.terminal.commands import ListActions, Quit, ShowTable, completions
from tabletop.terminal.console import Completion, PromptCancelled
from tabletop.terminal.programs import bot_failure, report_error
from tabletop.terminal.signals import begin_critical, first_interrupt
from tabletop.terminal.table_requests import carry_out
from tabletop.wording import MAX_DIGITS, plural, quote

_ANSWERS: Final = {"yes": True, "no": False}
"""The answers to a request of another person to undo actions."""

_PACE: Final = 0.4
"""Seconds before the move of a bot while a second view is shown."""

_LONG: Final = 1.0
"""Seconds after which the prompt shows that a bot without a budget in seconds is thinking."""

LEAVING: Final = ("quit", "exit")
"""The words that leave a match at other questions."""

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
    """

    texts: ConsoleText[Any] | None = None
    program: str = "tabletop"
    title: bool = True
    begin: Callable[[TerminalClient], object] | None = None
    stop: Callable[[TerminalClient], str] | None = None
    leave: Callable[[TerminalClient], object] | None = None
    news_first: bool = False


class TerminalLoop:
    """Shows the position, reads lines and lets bots act, until a match is over or left.

    Args:
        client: The client of the session.
        presentation: The presentation of the match.
    """

    def __init__(self, client: TerminalClient, presentation: Presentation = Presentation()) -> None:
        self.client = client
        self._presentation = presentation
        plugin = client.session.plugin
        self.texts: ConsoleText[Any] = presentation.texts or plugin.make_console()
        client.on_change = self._wait_for_others
        client.console.paint_with(self.texts.paint)
        self._session = client.session
        self._shown: tuple[int, Seat] | None = None
        self._numbered: tuple[int, Seat, int] = (0, 0, 0)  # ply, seat, numbers on the screen
        self._asked_now: Seat | None = None  # whose line is being typed
        self._hurries = False  # a bot was stopped, and nobody has been asked since
        self._is_warned = False

    def run(self) -> Outcome | None:
        """Play from the first line to the last. Return None if the match is left early."""
        client, match = self.client, self.client.match
        if self._presentation.begin is not None:
            self._presentation.begin(client)
        if self._presentation.title:
            so_far = f"; {plural(match.ply, 'action')} so far" if match.ply else ""
            client.say(f"{headline(match)}{so_far}")
        try:
            self.play()
        except EndOfInput:
            begin_critical()
        except KeyboardInterrupt:
            client.console.begin_line()
        else:
            begin_critical()
        if not match.over:
            self._say_left()
        return match.outcome

    def play(self) -> Outcome | None:
        """Play to the end, and show it.

        Returns:
            None if somebody has quit, or if people elsewhere are to act and this terminal cannot
            wait for them.

        Raises:
            EndOfInput: Input has ended while a person was to act.
        """
        session, match = self._session, self.client.match
        self._warn()
        while not match.over:
            self._check_stop()
            asked, together = set(match.to_act), self.client.together
            self.client.together = asked if len(asked) > 1 else together & asked
            bot = session.bot_to_act
            if bot is not None:
                self._let_bot_act(bot)
                for line in self.client.console.drop_typed():
                    ignored = f"{quote(line)} was typed while a bot was to act, and is ignored."
                    self.client.say(ignored)
            elif not self._ask_somebody():
                return None
            self.show_news()
            if self.client.second_view is not None:
                self.client.second_view.catch_up()
                self.show_news()  # about actions in the second view
        self._show(self.client.reader, "question")
        return match.outcome

    def _warn(self) -> None:
        """Warn once that the seed reveals the secrets of several people."""
        match = self.client.match
        warning = seed_warning(match.game, len(self._session.people))
        is_hidden = match.over or match.salt is not None or not self._presentation.title
        if warning and not (self._is_warned or is_hidden):
            self._is_warned = True
            self.client.say(warning)

    def _check_stop(self) -> None:
        stop = self._presentation.stop
        if stop is not None and (why := stop(self.client)):
            self.client.say(why)
            raise EndOfInput(why)

    def _say_left(self) -> None:
        if self._presentation.leave is not None:
            self._presentation.leave(self.client)
            return
        plies = plural(self.client.match.ply, "action")
        self.client.say(f"Left after {plies}{self.client.how_to_go_on()}")

    # People.

    def _ask_somebody(self) -> bool:
        """Ask one of the people to act here. Return False if they leave."""
        client = self.client
        here = [seat for seat in self._session.waiting_for if seat in client.seats]
        if here:
            return self._ask(here[0])
        if not client.console.can_wait_for_others or not client.seats:
            return False
        others = ", ".join(map(self._called, client.match.to_act))
        return self._handle_line(client.seats[0], lambda seat: f"(waiting for {others}) ")

    def _wait_for_others(self) -> None:
        """Print the news above the line that is typed, or cancel an outdated line."""
        if self._is_void(self._asked_now) or self.client.stale:
            self.client.console.cancel_prompt()  # the news follow
        else:
            self.show_news()

    def _is_void(self, asked: Seat | None) -> bool:
        """Return whether a person who is asked, or was to be asked, is not the next to act."""
        return asked not in self._session.waiting_for or self._session.bot_to_act is not None

    def _ask(self, seat: Seat) -> bool:
        """Ask a person for one line, an action or anything else. Return False if they quit."""
        client = self.client
        if not self._hand_over(seat) or self._is_void(seat):
            return True  # because of an action in the second view
        if client.stale:
            self._shown, client.stale = None, False
        ply = client.match.ply
        if client.repeats_for(seat):
            return True
        self.show_news()
        if client.match.ply != ply or client.stale or self._is_void(seat):
            return True  # somebody has acted in the meantime
        if self._shown != (ply, seat):
            self._shown = (ply, seat)
            self._show(seat, "question")
        if client.hint:
            client.say(client.hint)
            client.hint = ""
        return self._handle_line(seat, self._prompt, asked=seat)

    def _show(self, reader: Seat | None, wanted: Wanted) -> None:
        """Print a question, or a table or list that a person wants to see."""
        client = self.client
        shown = self.texts.question(client.reading(reader, wanted=wanted))
        if shown.text:
            client.say(shown.text)
            client.shown_size = client.console.size
        if reader in self._session.waiting_for or shown.text:
            client.ask()
        if reader is not None:
            self._numbered = (client.match.ply, reader, shown.numbered)

    def _prompt(self, seat: Seat) -> str:
        view, names = self.client.match.view(seat), self.client.names
        return self._session.plugin.text.prompt(view, seat, names)

    def _called(self, seat: Seat) -> str:
        """Return the name of a seat, with its role if the game mentions one."""
        return self._session.plugin.text.called(self.client.names)[seat]

    # Lines.

    def _handle_line(
        self, seat: Seat, prompt: Callable[[Seat], str], *, asked: Seat | None = None
    ) -> bool:
        """Read a line and execute it. Return False to leave."""
        self._asked_now, self._hurries = asked, False
        try:
            line = self._line_of(seat, prompt)
        except PromptCancelled:
            return True
        finally:
            self._asked_now = None
        try:
            return self._answer_vote(line) or self.handle(line, seat)
        except (EndOfInput, RecordLost):
            raise
        except (TabletopError, ValueError) as error:
            self.client.say(self.texts.refusal(line, error, self.client.reading(seat)))
            return True

    def _answer_vote(self, line: str) -> bool:
        """Answer the request of another player, or withdraw the player's own request."""
        is_yes = _ANSWERS.get(line.casefold())
        if is_yes is None or not self.client.can_answer(yes=is_yes):
            return False
        self.client.request(ConsentIn(is_yes))
        return True

    def _line_of(self, seat: Seat, prompt: Callable[[Seat], str]) -> str:
        """Read the next line that is not blank."""
        client = self.client
        with client.console.helped(lambda line: self._complete(line, seat)):
            while True:
                line = client.read(prompt(seat)).strip()
                if line:
                    return line

    def _complete(self, line: str, seat: Seat) -> list[Completion]:
        """Return the completions of a line that is being typed."""
        client, texts = self.client, self.texts
        reading = client.reading(seat)
        return completions(
            line,
            seat,
            client.session,
            texts.commands,
            lambda action: texts.meaning(action, reading),
            table=client.table,
        )

    def handle(self, line: str, seat: Seat) -> bool:
        """Execute a line: an action, a command of the game, or one of every table, in this order.

        A `/` at the beginning prefers commands of every table. Return False to leave the match.

        Raises:
            TabletopError, ValueError: The line is refused.
        """
        client, commands = self.client, self.texts.commands
        if line.startswith("/"):
            line = line[1:]
            if _first_word(line) in client.table or _first_word(line) not in commands:
                return self._carry_out(client.table.parse(line), seat)
            return self._execute(line, seat)
        is_known = _first_word(line) in commands or _first_word(line) in client.table
        if seat not in client.match.to_act and is_known:
            return self._execute(line, seat)
        try:
            self._check_number(line, seat)
            client.request(ActIn(line, seat=seat))
        except CommandError as error:
            if self.texts.is_misunderstood(line, error, client.reading(seat)):
                raise
            return self._execute(line, seat)
        client.together.discard(seat)
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

    def _execute(self, line: str, seat: Seat) -> bool:
        """Execute a command of the game or of every table. Return False to leave."""
        client, commands = self.client, self.texts.commands
        if not self.texts.is_command(line) and _first_word(line) not in commands:
            return self._carry_out(client.table.parse(line), seat)
        answer = self.texts.answer(commands.parse(line), client.reading(seat))
        client.shown_size = client.console.size
        match answer:
            case Repeat(repeated, until, text):
                if text:
                    client.say(text)
                if repeated.startswith("/"):
                    return self._carry_out(client.table.parse(repeated[1:]), seat)
                client.repeat(seat, Repeat(repeated, until))
                client.together.discard(seat)
            case SavedFile(name, content):
                self._write(name, content)
            case str() if answer:
                client.say(answer)
        return True

    def _carry_out(self, command: object, seat: Seat) -> bool:
        """Carry out a command of every table. Return False to leave."""
        match command:
            case ShowTable():
                self._show(seat, "table")
            case ListActions():
                self._show(seat, "actions")
            case Quit():
                return False
            case _:
                carry_out(command, seat, self.client, self.texts)
        return True

    def _write(self, name: str, content: str) -> None:
        try:
            write_text(name, content)
        except OSError as error:
            why = f"The game cannot be saved in {name!r}: {reason(error)}."
            raise CommandError(why) from error
        self.client.say(f"Saved in {name!r}.")

    # The keyboard.

    def _hand_over(self, seat: Seat) -> bool:
        """Give the keyboard to the next person, and print the news that they have missed.

        Return False if they have not taken it, and something else has happened.
        """
        client = self.client
        other, client.last_person = client.last_person, seat
        if other == seat:
            return True
        wiped = self._clear_for(seat, other)
        if wiped is None:
            client.last_person = other
            return False
        if client.second_view is not None:
            client.second_view.taken(seat)
        self._show_missed(seat, wiped=wiped)
        return True

    def _show_missed(self, seat: Seat, *, wiped: bool) -> None:
        def news() -> News:
            missed = self.client.catch_up(seat, wiped=wiped)
            return self.texts.news(self.client.reading(seat, unread=missed)) if missed else News()

        if text := self._guarded(news).text:
            self.client.say(text)

    def _clear_for(self, seat: Seat, other: Seat | None) -> bool | None:
        """Hide from the next person the view of the last. Return None if they do not come."""
        client, beside = self.client, self.client.second_view
        if beside is None or other is None or not beside.has_taken(seat):
            try:
                return self._wait_for_enter(seat, other)
            except PromptCancelled:  # because of an action in the second view
                if beside is None or not beside.has_taken(seat):
                    return None
        hides = other is not None and client.hides(other, seat)
        if hides:
            client.console.wipe()
        return hides

    def _wait_for_enter(self, seat: Seat, other: Seat | None) -> bool:
        """Give `seat` the keyboard without showing it the hand of `other`, its last user, if any.

        Return whether the screen was wiped.

        Raises:
            EndOfInput: Input has ended in the meantime.
        """
        client, console = self.client, self.client.console
        is_hidden = other is not None and client.hides(other, seat)
        if not console.interactive or console.is_scripted or not is_hidden:
            return False
        console.wipe()
        if self._presentation.news_first:
            self._show_missed(seat, wiped=True)
        while line := client.read(_HANDED_OVER.format(client.names[seat])).strip():
            if line.casefold() in LEAVING:
                raise EndOfInput("somebody has left")
            client.say(f"{quote(line)} is ignored. Press Enter.")
        return True

    # Bots.

    def _let_bot_act(self, seat: Seat) -> None:
        if self.client.reader not in self._session.waiting_for:
            self._show(self.client.reader, "question")
        self._pause()
        if self._session.bot_to_act != seat:
            return  # somebody has undone actions or plays instead
        bot, ply = self.client.match.players[seat], self.client.match.ply
        may_hurry = takes_seconds(bot) and self._session.people and not self._hurries
        hurry = first_interrupt(partial(self._hurry, bot, ply)) if may_hurry else nullcontext()
        with hurry, self._thinking(seat, bot):  # the text explains Ctrl-C
            self._session.advance()
        self._has_thought(seat, bot)

    def _thinking(self, seat: Seat, bot: object) -> AbstractContextManager[None]:
        """Return a context in which a terminal shows that a bot is thinking.

        For a budget in seconds, the text appears at once and explains how to stop the bot.
        """
        client, text = self.client, f"{self._called(seat)} is thinking."
        if not takes_seconds(bot):
            return client.console.meanwhile(text, after=_LONG)
        if len(client.match.legal_actions(seat)) == 1:
            return nullcontext()
        return client.console.meanwhile(f"{text} (Ctrl-C: it plays its best action so far.)")

    def _has_thought(self, seat: Seat, bot: object) -> None:
        """Show how long a bot with a budget in seconds has thought, and its result.

        Its rating could reveal its hand, so it is shown only if the game has no secrets.
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

    def _pause(self) -> None:
        """Let people look at the position, here and in the second view, before a bot acts."""
        client = self.client
        if client.second_view is not None:
            client.second_view.pause(max(_PACE, client.looks_until - monotonic()))
        if self._session.people and client.console.interactive:
            sleep(max(0, client.looks_until - monotonic()))

    def _hurry(self, bot: Any, ply: int) -> None:
        """Let a bot play its best action so far. The next Ctrl-C interrupts the program."""
        self._hurries = True
        if self.client.match.ply == ply:  # otherwise it would stop at its next move
            bot.stop()

    # News.

    def show_news(self) -> None:
        """Print the news: first those about seats, then those of the match.

        While a line is repeated for a person, the news wait for the end of the repetition.
        """
        client = self.client
        if client.will_repeat:
            return
        for news in client.inbox():
            match news:
                case ActionFailed(_, errors):
                    reading = client.reading(client.reader)
                    for error in errors:
                        client.say(self.texts.refusal("", error, reading))
                case BotFailed(_, player, error):
                    self._show_failure(player, error)
                case _:
                    by = "a person" if news.player == HUMAN else f"the {bot_label(news.player)}"
                    client.say(f"{self._called(news.seat)} is now played by {by}.")
                    self._warn()
        if client.has_unread:
            text, rest, pause = self._guarded(
                lambda: self.texts.news(client.reading(client.reader))
            )
            client.read_news(rest=rest)
            if text:
                client.say(text)
            if pause and not client.console.is_scripted:
                client.console.wait(pause)
        for notice in client.notices():
            client.say(notice)

    def _guarded(self, news: Callable[[], News]) -> News:
        """Return the news. An error in the texts of the game does not stop the match."""
        try:
            return news()
        except Exception as error:
            report_error(self._presentation.program, error)
            return News()

    def _show_failure(self, player: str, error: Exception) -> None:
        """Print that a bot has failed, followed by the last lines of an external program.

        If output is piped, the text goes to the standard error.
        """
        if os.environ.get("TABLETOP_DEBUG") and not isinstance(error, TabletopError):
            raise error  # the traceback shows the author of the bot the place
        say = self.client.say if self.client.console.interactive else print_error
        say(bot_failure(player, error))


def takes_seconds(bot: object) -> bool:
    """Return whether a bot has a budget in seconds and may be stopped early."""
    return getattr(getattr(bot, "budget", None), "seconds", None) is not None


def _first_word(line: str) -> str:
    return line.split(maxsplit=1)[0] if line.strip() else ""
