"""The main loop of a match at a terminal, with the UI of a game."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import nullcontext
from functools import partial
from time import monotonic, sleep
from typing import Any, Final

from tabletop.errors import EndOfInput, TabletopError
from tabletop.protocol.messages import ConsentIn
from tabletop.rules.outcome import Outcome
from tabletop.session.messages import BotFailed
from tabletop.session.players import ActionFailed
from tabletop.states.bounds import Seat
from tabletop.terminal.client import TerminalClient
from tabletop.terminal.console import PromptCancelled
from tabletop.terminal.signals import begin_critical, first_interrupt
from tabletop.terminal.ui import TerminalUI, UIMaker, takes_seconds

_ANSWERS: Final = {"yes": True, "no": False}
"""The answers to a request of another player."""

_PACE: Final = 0.4
"""Seconds before the move of a bot, if a second view is open."""


class TerminalLoop:
    """Prints the position, reads lines and lets bots act until a match is over or left."""

    def __init__(self, client: TerminalClient, ui: UIMaker = TerminalUI) -> None:
        self.client = client
        self.ui: TerminalUI = ui(client)
        client.event_line = self.ui.event
        client.on_change = self._wait_for_others
        self._session = client.session
        self._shown: tuple[int, Seat] | None = None
        self._asked_now: Seat | None = None  # the seat whose line is being typed
        self._hurries = False  # whether a bot was stopped since the last question

    def run(self) -> Outcome | None:
        """Play the match with its first and last lines. Return None if the match was left."""
        self.ui.opening()
        try:
            self.play()
        except EndOfInput:
            begin_critical()
        except KeyboardInterrupt:
            self.ui.interrupted()
        else:
            begin_critical()
        if not self.ui.over():
            self.ui.left()
        return self.client.match.outcome

    def play(self) -> Outcome | None:
        """Play to the end, and print it.

        Return None if a player has left, or if people elsewhere are to act and this terminal cannot
        wait for them. Raise `EndOfInput` if the input ends during a person's turn.
        """
        session, match = self._session, self.client.match
        self.ui.begin()
        while not self.ui.over():
            to_act, together = set(match.to_act), self.client.together
            self.client.together = to_act if len(to_act) > 1 else together & to_act
            bot = session.bot_to_act
            if bot is not None:
                self._let_bot_act(bot)
                for line in self.client.console.drop_typed():
                    self.ui.typed_too_early(line)
            elif not self._ask_somebody():
                return None
            self._tell_news()
            if self.client.second_view is not None:
                self.client.second_view.catch_up()
                self._tell_news()  # about actions in the second view meanwhile
        self.ui.ending()
        return match.outcome

    # People.

    def _ask_somebody(self) -> bool:
        """Ask one of the people to act here. Return False to leave."""
        here = [seat for seat in self._session.waiting_for if seat in self.client.seats]
        if here:
            return self._ask(here[0])
        if not self.client.console.can_wait_for_others or not self.client.seats:
            return False
        return self._handle_line(self.client.seats[0], self.ui.waiting)  # others are to act

    def _wait_for_others(self) -> None:
        """Print news above the typed line, or cancel a prompt that is no longer valid."""
        if self._is_void(self._asked_now) or self.client.stale:
            self.client.console.cancel_prompt()  # the news is printed afterwards
        else:
            self._tell_news()

    def _is_void(self, asked: Seat | None) -> bool:
        """Check whether a person who is asked is not the next to decide any more."""
        return asked not in self._session.waiting_for or self._session.bot_to_act is not None

    def _ask(self, seat: Seat) -> bool:
        """Ask a person for one line. Return False to leave."""
        client, ui = self.client, self.ui
        if not self._hand_over(seat) or self._is_void(seat):
            return True  # somebody has acted in the second view
        if client.stale:
            self._shown, client.stale = None, False
        ply = client.match.ply
        ui.before(seat)
        if client.match.ply != ply or client.stale or self._is_void(seat):
            return True  # `before` or another client has decided
        self._tell_news()
        if self._shown != (ply, seat):
            self._shown = (ply, seat)
            ui.asked(seat)
        if client.hint:
            client.say(client.hint)
            client.hint = ""
        return self._handle_line(seat, ui.prompt, asked=seat)

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
            stays = self._answer(line) or self.ui.handle(line, seat)
        except (TabletopError, ValueError) as error:
            if isinstance(error, EndOfInput):
                raise
            self.ui.refused(line, error, seat)
            stays = True
        return stays

    def _answer(self, line: str) -> bool:
        """Answer the request of another player, or withdraw the player's own request."""
        is_yes = _ANSWERS.get(line.casefold())
        if is_yes is None or not self.client.can_answer(yes=is_yes):
            return False
        self.client.request(ConsentIn(is_yes))
        return True

    def _line_of(self, seat: Seat, prompt: Callable[[Seat], str]) -> str:
        """Read the next line that is not blank."""
        client = self.client
        with client.console.helped(lambda line: self.ui.complete(line, seat)):
            while True:
                line = client.read(prompt(seat)).strip()
                if line:
                    return line

    def _hand_over(self, seat: Seat) -> bool:
        """Give the keyboard to the next person, and print the news that they have missed.

        Return False if they have not taken it because something else has happened.
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
        self.ui.show_news(client.catch_up(seat, wiped=wiped))
        return True

    def _clear_for(self, seat: Seat, other: Seat | None) -> bool | None:
        """Hide the view of the last person. Return None if the next has not taken the keyboard."""
        client, beside = self.client, self.client.second_view
        if beside is None or other is None or not beside.has_taken(seat):
            try:
                return self.ui.hand_over(seat, other)
            except PromptCancelled:  # somebody has acted in the second view
                if beside is None or not beside.has_taken(seat):
                    return None
        hides = other is not None and client.hides(other, seat)
        if hides:
            client.console.wipe()
        return hides

    # Bots.

    def _let_bot_act(self, seat: Seat) -> None:
        self.ui.before(seat)
        self._pause()
        if self._session.bot_to_act != seat:
            return  # meanwhile an action was undone, or a person plays for the bot
        bot, ply = self.client.match.players[seat], self.client.match.ply
        may_hurry = takes_seconds(bot) and self._session.people and not self._hurries
        hurry = first_interrupt(partial(self._hurry, bot, ply)) if may_hurry else nullcontext()
        with hurry, self.ui.thinking(seat, bot):
            self._session.advance()
        self.ui.has_thought(seat, bot)

    def _pause(self) -> None:
        """Wait before a bot acts, so that people here and in the second view see the position."""
        client = self.client
        if client.second_view is not None:
            client.second_view.pause(max(_PACE, client.looks_until - monotonic()))
        if self._session.people and client.console.interactive:
            sleep(max(0, client.looks_until - monotonic()))

    def _hurry(self, bot: Any, ply: int) -> None:
        """Let a bot play its best action so far. The next Ctrl-C is for the program."""
        self._hurries = True
        if self.client.match.ply == ply:  # otherwise it would stop at its next move
            bot.stop()

    # News.

    def _tell_news(self) -> None:
        """Print the news, first about seats, then about the match."""
        for news in self.client.inbox():
            if isinstance(news, ActionFailed):
                for error in news.errors:
                    self.ui.bot_action_failed(error)
            elif isinstance(news, BotFailed):
                if os.environ.get("TABLETOP_DEBUG") and not isinstance(news.error, TabletopError):
                    raise news.error  # the author of the bot can see where
                self.ui.bot_failed(news.player, news.error)
            else:
                self.ui.seated(news.seat, news.player)
        self.ui.show_news(self.client.news())
