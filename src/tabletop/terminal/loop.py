"""The terminal client of a session: people at one screen play, with the UI of a game."""

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
"""The answers to a request of another person to take actions back."""

_PACE: Final = 0.4
"""Seconds before the move of a bot, while the client beside is shown."""


class TerminalLoop:
    """Shows the position, reads lines and has bots act, until a match is over or left."""

    def __init__(self, client: TerminalClient, ui: UIMaker = TerminalUI) -> None:
        self.client = client
        self.ui: TerminalUI = ui(client)
        client.event_line = self.ui.event
        client.on_change = self._wait_for_others
        self._session = client.session
        self._shown: tuple[int, Seat] | None = None
        self._asked_now: Seat | None = None  # whose line is being typed
        self._hurries = False  # a bot was stopped, and nobody has been asked since

    def run(self) -> Outcome | None:
        """Play from the first line to the last; None when the match was left before it was over."""
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
        """Play on to the end, and show it.

        None when somebody quit before, or when people elsewhere are to decide and this terminal
        cannot wait for them. `EndOfInput` is raised where a person was to act.
        """
        session, match = self._session, self.client.match
        self.ui.begin()
        while not self.ui.over():
            asked, together = set(match.to_act), self.client.together
            self.client.together = asked if len(asked) > 1 else together & asked
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
                self._tell_news()  # of what somebody has done there meanwhile
        self.ui.ending()
        return match.outcome

    # People.

    def _ask_somebody(self) -> bool:
        """Ask one of the people to act here; False when they leave."""
        here = [seat for seat in self._session.waiting_for if seat in self.client.seats]
        if here:
            return self._ask(here[0])
        if not self.client.console.can_wait_for_others or not self.client.seats:
            return False
        return self._handle_line(self.client.seats[0], self.ui.waiting)  # others are to act

    def _wait_for_others(self) -> None:
        """Print the news of others above the line that is typed; cancel it when it is void."""
        if self._is_void(self._asked_now) or self.client.stale:
            self.client.console.cancel_prompt()  # the rest is said then
        else:
            self._tell_news()

    def _is_void(self, asked: Seat | None) -> bool:
        """Check whether a person who is asked, or was to be asked, is not the next to decide."""
        return asked not in self._session.waiting_for or self._session.bot_to_act is not None

    def _ask(self, seat: Seat) -> bool:
        """Ask a person for one line, an action or anything else; False when they quit."""
        client, ui = self.client, self.ui
        if not self._hand_over(seat) or self._is_void(seat):
            return True  # by what was done at the client beside
        if client.stale:
            self._shown, client.stale = None, False
        ply = client.match.ply
        ui.before(seat)
        if client.match.ply != ply or client.stale or self._is_void(seat):
            return True  # that has decided for them, or somebody else while it took its time
        self._tell_news()  # which has come meanwhile
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
        """Read a line and execute it; False to leave."""
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
        """Pass the keyboard to the next person, and show them the news they have missed.

        Returns False if they have not taken it, and something else has happened.
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
        """Hide from the next person the view of the last; None if they have not taken its place."""
        client, beside = self.client, self.client.second_view
        if beside is None or other is None or not beside.has_taken(seat):
            try:
                return self.ui.hand_over(seat, other)
            except PromptCancelled:  # by what somebody has done at the client beside
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
            return  # somebody has taken it back meanwhile, or plays instead
        bot, ply = self.client.match.players[seat], self.client.match.ply
        may_hurry = takes_seconds(bot) and self._session.people and not self._hurries
        hurry = first_interrupt(partial(self._hurry, bot, ply)) if may_hurry else nullcontext()
        with hurry, self.ui.thinking(seat, bot):  # it says what Ctrl-C does
            self._session.advance()
        self.ui.has_thought(seat, bot)

    def _pause(self) -> None:
        """Let people look at the position, here and at the client beside, before a bot acts."""
        client = self.client
        if client.second_view is not None:
            client.second_view.pause(max(_PACE, client.looks_until - monotonic()))
        if self._session.people and client.console.interactive:
            sleep(max(0, client.looks_until - monotonic()))

    def _hurry(self, bot: Any, ply: int) -> None:
        """Have a bot play what it has found; the next Ctrl-C is for the program."""
        self._hurries = True
        if self.client.match.ply == ply:  # else it would hurry the next time
            bot.stop()

    # News.

    def _tell_news(self) -> None:
        """Print the news: first those about seats, then of the match."""
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
