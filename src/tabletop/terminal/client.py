"""The place of a terminal at a session: its notifications, its people, and its requests."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from time import monotonic
from typing import TYPE_CHECKING, Any, Protocol

from tabletop.errors import EndOfInput
from tabletop.host.screen_text import printable_names
from tabletop.match.match import AnyMatch
from tabletop.protocol.messages import MessageIn
from tabletop.rules.commands import Commands
from tabletop.rules.events import ActionsUndone, Event, MatchEnded, Watcher
from tabletop.session.hints import hint_bot
from tabletop.session.messages import (
    BotFailed,
    Changed,
    Notification,
    Observed,
    Seated,
    VoteAsked,
    VoteEnded,
)
from tabletop.session.players import ActionFailed
from tabletop.session.session import Session
from tabletop.session.votes import RULES
from tabletop.states.bounds import Seat
from tabletop.terminal.commands import table_commands
from tabletop.terminal.console import Console
from tabletop.wording import join_words

if TYPE_CHECKING:
    from tabletop.registry import Plugin


class SecondView(Protocol):
    """A client beside a terminal, for the same people."""

    @property
    def where(self) -> str:
        """The address of the client for people, in a line."""

    def catch_up(self) -> None:
        """Let the client show the latest events."""

    def pause(self, seconds: float) -> None:
        """Let people look at the position there for so long, if anybody does."""

    def taken(self, seat: Seat) -> None:
        """Note that a person has taken the keyboard: their view can be shown."""

    def has_taken(self, seat: Seat) -> bool:
        """Check whether a person has said there that they sit down."""

    def freeze(self) -> None:
        """Keep showing the present picture from now on: nothing more is played."""

    def stay(self) -> None:
        """Stay open while people look how it ended."""


class OpenSecondView(Protocol):
    """Has a client join a session, beside the terminal with a console."""

    def announce(self, plugin: Plugin, console: Console) -> object:
        """Say how people get to it, before there is a session."""

    def __call__(self, session: Session, console: Console) -> SecondView:
        """The client, which shows the session from now on."""


class EventBacklog:
    """The lines of events unseen by each reader at a screen, and the screen's contents."""

    def __init__(self) -> None:
        self._unseen: dict[Watcher, dict[int, str]] = {}  # by the number of the event
        self._screen: dict[int, str] = {}  # as long as some reader has not seen the event
        self._last = 0  # the last event
        self._shown = 0  # the last event that was on the screen

    def set_readers(self, readers: Iterable[Watcher]) -> None:
        """Collect the events for these readers from now on, and for no others."""
        self._unseen = {reader: self._unseen.get(reader, {}) for reader in readers}

    def note(self, number: int, reader: Watcher, line: str) -> None:
        """Add the line of event `number` for one reader; an empty one need not be said."""
        self._last = number
        if reader in self._unseen:
            self._unseen[reader][number] = line

    def news(self, reader: Watcher) -> list[str]:
        """The lines of the events since the last update of the screen, as `reader` may see them."""
        lines = self._unseen.get(reader, {})
        fresh = {number: lines[number] for number in lines if number > self._shown}
        self._shown = self._last
        self._screen |= fresh
        return list(filter(None, fresh.values()))

    def catch_up(self, reader: Watcher, *, wiped: bool) -> list[str]:
        """The lines that `reader` has not seen yet; called when they take the keyboard.

        What stands on the screen in the same words is left out, unless the screen was `wiped`.
        """
        screen = {} if wiped else self._screen
        missed, self._unseen[reader] = self._unseen.get(reader, {}), {}
        unseen = set[int]().union(*self._unseen.values())
        self._screen = {number: self._screen[number] for number in self._screen if number in unseen}
        return [line for number, line in missed.items() if line and screen.get(number) != line]


class TerminalClient:
    """The place of a terminal at a session: one screen and one keyboard for its people.

    It collects its notifications, and prints nothing by itself.

    Args:
        session: the table.
        console: the input and output of lines.
        hint: printed before the first prompt, for newcomers; empty once it has been printed.
        how_to_go_on: returns the command to go on with a match that is left.
        save: copies the record to a new file, or to none when its name is empty; says where it is.
            None for a match without a record.
        second_view: the client beside it, for the same people.
    """

    def __init__(
        self,
        session: Session,
        console: Console,
        *,
        hint: str = "",
        how_to_go_on: Callable[[], str] = lambda: "",
        save: Callable[[str], str] | None = None,
        second_view: SecondView | None = None,
    ) -> None:
        self.session = session
        self.second_view = second_view
        # What is piped is as without a window.
        has_window = second_view is not None and console.interactive
        has_hints = session.gives_hints and hint_bot(session.plugin) != ""
        self.table: Commands = table_commands(hints=has_hints, window=has_window)
        self.match: AnyMatch = session.match
        self.names: tuple[str, ...] = printable_names(
            session.match.names
        )  # as lines of text may have them
        self.console = console
        self.event_line: Callable[[Event, Watcher], str] = self._line_of
        self.hint = hint
        self.how_to_go_on = how_to_go_on
        self.save = save
        self.last_person: Seat | None = None  # the seat that had the keyboard last
        self.together: set[Seat] = set()  # the seats asked, now or before, at the same time
        self.looks_until: float = 0  # on the monotonic clock: until then no bot acts
        self.stale: bool = False  # actions have been undone: the position is to be shown again
        self.on_change: Callable[[], object] = lambda: None  # while a line is typed
        self._backlog = EventBacklog()
        self._inbox: list[Seated | BotFailed | ActionFailed] = []
        self._notices: list[tuple[int, str]] = []  # the ply after which each was news
        self._participant = session.join(self)
        self.update_readers()

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The people's seats that this terminal decides for: all that no other client has."""
        return self._participant.seats

    def say(self, text: str = "") -> None:
        """Print a text and a newline."""
        self.console.say(text)

    def read(self, prompt: str) -> str:
        """Return the next line typed.

        Raises:
            EndOfInput: input has ended.
        """
        line = self.console.read(prompt)
        if line is None:
            raise EndOfInput("input has ended")
        return line

    # The session.

    def notify(self, notification: Notification) -> None:
        """Receive a notification from the session."""
        match notification:
            case Observed(number, watcher, event):
                if isinstance(event, ActionsUndone):
                    self.stale = True
                if not isinstance(event, MatchEnded):  # that belongs after the last position
                    self._backlog.note(number, watcher, self.event_line(event, watcher))
                pause = self.session.plugin.text.pause(event)
                self.looks_until = max(self.looks_until, monotonic() + pause)
            case Seated():
                self._inbox.append(notification)
                self.update_readers()  # at once: what happens next is for the new ones as well
            case BotFailed() | ActionFailed():
                self._inbox.append(notification)
            case VoteAsked() | VoteEnded():
                if text := self._about_vote(notification):
                    self._notices.append((self.match.ply, text))
        if self.console.waits and isinstance(
            notification, Changed | Seated | BotFailed | VoteAsked | VoteEnded
        ):
            self.on_change()

    def request(self, request: MessageIn) -> None:
        """Ask the session for something.

        Raises:
            TabletopError, ValueError: it is refused.
        """
        self._participant.request(request)

    def can_answer(self, *, yes: bool) -> bool:
        """Check whether a player at this terminal can answer the open vote with yes or no."""
        vote = self.session.vote
        if vote is None:
            return False
        return not set(self.seats).isdisjoint(vote.waiting if yes else vote.by + vote.waiting)

    def _about_vote(self, news: VoteAsked | VoteEnded) -> str:
        """Return a sentence about a vote, or nothing if its effect is visible anyway."""
        vote, own = news.vote, set(self.seats)
        who, aim = self._listed(vote.by), RULES[vote.kind].aim(vote)
        if isinstance(news, VoteAsked):
            if not own.isdisjoint(vote.waiting):
                return f"{who}: may I {aim}? Type yes or no."
            if not own.isdisjoint(vote.by):
                others = self._listed(vote.waiting)
                return f"Asked {others}, who must agree first; `no` withdraws it."
            return ""
        asks = "no longer ask" if len(vote.by) > 1 else "no longer asks"
        if set(news.refused) & set(vote.by):
            return f"{who} {asks} to {aim}."
        if news.refused:
            agrees = "do not agree" if len(news.refused) > 1 else "does not agree"
            return f"{self._listed(news.refused)} {agrees} to {aim}."
        return news.note and f"({news.note})"

    def _listed(self, seats: Iterable[Seat]) -> str:
        return join_words([self.names[seat] for seat in seats], "and")

    def inbox(self) -> list[Seated | BotFailed | ActionFailed]:
        """The notifications about seats since somebody looked."""
        inbox, self._inbox = self._inbox, []
        return inbox

    # Who looks at it.

    @property
    def reader(self) -> Seat | None:
        """The reader at the screen: the only person, or the one who had the keyboard last."""
        people = self.seats
        return people[0] if len(people) == 1 else self.last_person

    def update_readers(self) -> None:
        """Collect events from now on for the people at this terminal, and for no others."""
        self._backlog.set_readers(dict.fromkeys([*self.seats, self.reader]))

    def news(self) -> list[str]:
        """The lines that the reader of the screen has not seen yet."""
        now, notices, self._notices = self.match.ply, self._notices, []
        return [*self._backlog.news(self.reader), *(text for ply, text in notices if ply == now)]

    def catch_up(self, seat: Seat, *, wiped: bool) -> list[str]:
        """Return the lines that a person who takes the keyboard has not seen yet."""
        return self._backlog.catch_up(seat, wiped=wiped)

    def hides(self, seat: Seat, other: Seat) -> bool:
        """Check whether one seat sees something that the other does not."""
        views: list[Any] = [self.match.view(seat), self.match.view(other)]
        return bool(views[0] != views[1])

    def _line_of(self, event: Event, reader: Watcher) -> str:
        return self.session.plugin.text.event(event, self.names, reader)
