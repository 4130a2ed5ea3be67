"""The terminal front of a session: whoever sits at one screen plays, with the skin of a game."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from tabletop.errors import CommandError, ContractError, EndOfInput, TabletopError
from tabletop.events import ObserverFailure
from tabletop.host.printable import say_error
from tabletop.outcome import Outcome, Seat
from tabletop.session import BotFailed, Consent, FrontFailure, Reseat
from tabletop.terminal.offers import Withdrawn
from tabletop.terminal.screen import Screen
from tabletop.terminal.signals import begin_critical
from tabletop.terminal.skin import Skin, SkinMaker

_ANSWERS: Final = {"yes": True, "no": False}
"""What is typed when somebody elsewhere wants to take actions back."""

_PACE: Final = 0.4
"""Seconds before the move of a bot, while somebody looks at the front beside."""

_LEAVING: Final = ("quit", "exit")


class TerminalFront:
    """People at one terminal play a match.

    It shows the position and the numbered legal actions, reads lines, tells what happens, and has
    bots act, until the match is over or somebody leaves.

    Args:
        screen: their place at the session.
        skin: how it looks; as `tabletop play` does by default.

    Attributes:
        screen: the same.
        skin: what was made of it.
    """

    def __init__(self, screen: Screen, skin: SkinMaker = Skin) -> None:
        self.screen = screen
        self.skin = skin(screen)
        screen.words = self.skin.event
        screen.on_change = self._wait_for_others
        self._session = screen.session
        self._shown: tuple[int, Seat] | None = None
        self._asked_now: Seat | None = None  # whose line is being typed

    def run(self) -> Outcome | None:
        """Play from the first line to the last.

        Returns:
            The outcome; None when the match was left before it was over.

        Raises:
            RecordLost: the match cannot be written down any more.
            TabletopError: a bot has failed, and only bots play.
        """
        self.skin.opening()
        try:
            self.play()
        except EndOfInput:
            begin_critical()
        except KeyboardInterrupt:
            self.skin.interrupted()
        else:
            begin_critical()
        if not self.skin.over():
            self.skin.left()
        return self.screen.match.outcome

    def play(self) -> Outcome | None:
        """Play on to the end, and show it.

        Returns:
            The outcome; None when somebody quit before, or when people elsewhere are to decide and
            this terminal cannot wait for them (`Console.can_wait_for_others`).

        Raises:
            EndOfInput: input has ended while a person was to act.
            RecordLost: the match cannot be written down any more.
            TabletopError: a bot has failed, and only bots play.
        """
        session, match = self._session, self.screen.match
        self.skin.begin()
        while not self.skin.over():
            self._see_who_is_asked()
            bot = session.bot_to_act
            if session.vacant:
                self._seat_another(session.vacant[0])
            elif bot is not None:
                self._let_bot_act(bot)
            elif not self._ask_somebody():
                return None
            self.skin.show_news(self.screen.news())
            if self.screen.neighbour is not None:
                self.screen.neighbour.catch_up()
        self.skin.ending()
        return match.outcome

    def _see_who_is_asked(self) -> None:
        """Update which seats are asked at the same time as others."""
        asked, together = set(self.screen.match.to_act), self.screen.together
        self.screen.together = asked if len(asked) > 1 else together & asked

    # People.

    def _ask_somebody(self) -> bool:
        """Ask one of the people to act here; False when they leave."""
        here = [seat for seat in self._session.waiting_for if seat in self.screen.seats]
        if here:
            return self._ask(here[0])
        return self._wait() if self.screen.console.can_wait_for_others else False

    def _wait(self) -> bool:
        """Read lines while people elsewhere are to act; False to leave."""
        return bool(self.screen.seats) and self._obey_line(self.screen.seats[0], self.skin.waiting)

    def _wait_for_others(self) -> None:
        """Print the news of others above the line that is typed; cancel it when it is void."""
        screen, session = self.screen, self._session
        is_void = self._asked_now not in screen.match.to_act or screen.stale
        if is_void or session.bot_to_act is not None or session.vacant:
            screen.console.withdraw()  # the rest is said then
        else:
            self.skin.show_news(screen.news())

    def _ask(self, seat: Seat) -> bool:
        """Ask a person for one line, an action or anything else; False when they quit."""
        screen, skin = self.screen, self.skin
        self._hand_over(seat)
        if seat not in screen.match.to_act:
            return True  # that has been taken back at the front beside
        if screen.stale:
            self._shown, screen.stale = None, False
        ply = screen.match.ply
        skin.before(seat)
        if screen.match.ply != ply:
            return True  # that has decided for them
        if self._shown != (ply, seat):
            self._shown = (ply, seat)
            skin.asked(seat)
        if screen.hint:
            screen.say(screen.hint)
            screen.hint = ""
        return self._obey_line(seat, skin.prompt, asked=seat)

    def _obey_line(
        self, seat: Seat, prompt: Callable[[Seat], str], *, asked: Seat | None = None
    ) -> bool:
        """Read a line and obey it; False to leave."""
        self._asked_now = asked
        try:
            line = self._line_of(seat, prompt)
        except Withdrawn:
            self._process_inbox()
            return True
        finally:
            self._asked_now = None
        try:
            stays = self._answer(line) or self.skin.obey(line, seat)
        except (TabletopError, ValueError) as error:
            if isinstance(error, EndOfInput):
                raise
            self.skin.refused(line, error, seat)
            stays = True
        self._process_inbox()
        return stays

    def _answer(self, line: str) -> bool:
        """Answer somebody elsewhere who wants to take actions back.

        Returns:
            Whether the line is one. Where nobody waits, `yes` and `no` mean what they always do.
        """
        is_yes = _ANSWERS.get(line.casefold())
        if is_yes is None or not self.screen.is_asked_to_undo:
            return False
        self.screen.request(Consent(is_yes))
        return True

    def _line_of(self, seat: Seat, prompt: Callable[[Seat], str]) -> str:
        """Read the next line that is not blank."""
        screen = self.screen
        with screen.console.helped(lambda line: self.skin.complete(line, seat)):
            while True:
                line = screen.read(prompt(seat)).strip()
                if line:
                    return line

    def _hand_over(self, seat: Seat) -> None:
        """Pass the keyboard to the next person, and show them what they have missed."""
        screen = self.screen
        other, screen.last_person = screen.last_person, seat
        if other == seat:
            return
        wiped = self._clear_for(seat, other)
        if wiped is None:
            screen.last_person = other  # what was asked is void
            return
        if screen.neighbour is not None:
            screen.neighbour.taken(seat)
        self.skin.show_news(screen.catch_up(seat, wiped=wiped))

    def _clear_for(self, seat: Seat, other: Seat | None) -> bool | None:
        """Let the next person see nothing of what the last one saw; None when that is void now."""
        screen = self.screen
        if screen.neighbour is None or other is None or not screen.neighbour.has_taken(seat):
            with suppress(Withdrawn):  # by what somebody has done at the front beside
                return self.skin.hand_over(seat, other)
            if seat not in screen.match.to_act:
                return None
        hides = other is not None and screen.hides(other, seat)
        if hides:
            screen.console.wipe()
        return hides

    # Bots.

    def _let_bot_act(self, seat: Seat) -> None:
        self.skin.before(seat)
        if self.screen.neighbour is not None:
            self.screen.neighbour.pause(_PACE)
            if self._session.bot_to_act != seat:
                return  # somebody has taken it back there, or plays instead
        try:
            self._session.advance()
        except ContractError as error:
            self.skin.bot_broke_off(seat, error)
        self._process_inbox()

    def _seat_another(self, seat: Seat) -> None:
        """Ask who plays on for a bot that has failed."""
        screen = self.screen
        name = screen.names[seat]
        question = f"Who plays on for {name}? Enter for the bot random, `human`, or a bot's name: "
        while seat in self._session.vacant:
            line = screen.read(question).strip()
            if line.casefold() in _LEAVING:
                raise EndOfInput("input has ended")
            try:
                screen.request(Reseat(seat, line or "random"))
            except CommandError as error:
                screen.say(str(error))
        self._process_inbox()

    def _process_inbox(self) -> None:
        """Print the news about seats."""
        for news in self.screen.inbox():
            if isinstance(news, BotFailed):
                if os.environ.get("TABLETOP_DEBUG") and not isinstance(news.error, TabletopError):
                    raise news.error  # whoever wrote the bot can see where
                self.skin.bot_failed(news.player, news.error)
            else:
                self.screen.update_readers()
                self.skin.seated(news.seat, news.player)


def complaint(program: str, failure: FrontFailure | ObserverFailure) -> None:
    """Report the failure of an observer, or of this front, on the standard error."""
    say_error(f"{program}: an observer failed: {failure.error!r}")
