"""The client of a session at a terminal: its notifications, its people, and its requests."""

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
    """A second client for the same people, next to a terminal."""

    @property
    def where(self) -> str:
        """A line with the address of the client."""

    def catch_up(self) -> None:
        """Let the client display the latest events."""

    def pause(self, seconds: float) -> None:
        """Give people who look at the client `seconds` to see the position."""

    def taken(self, seat: Seat) -> None:
        """Note that a person has taken the keyboard, so that their view can be displayed."""

    def has_taken(self, seat: Seat) -> bool:
        """Check whether a person has confirmed their turn in this client."""

    def freeze(self) -> None:
        """Keep displaying the present position, because the match does not continue."""

    def stay(self) -> None:
        """Stay open while people look at the end of the match."""


class OpenSecondView(Protocol):
    """Adds a client to a session, next to the terminal with a console."""

    def announce(self, plugin: Plugin, console: Console) -> object:
        """Print how people open the client, before there is a session."""

    def __call__(self, session: Session, console: Console) -> SecondView:
        """Return the client, which displays the session from now on."""


class EventBacklog:
    """The lines of events that readers at a screen have not seen, and the lines on the screen."""

    def __init__(self) -> None:
        self._unseen: dict[Watcher, dict[int, str]] = {}  # by the number of the event
        self._screen: dict[int, str] = {}  # only events that some reader has not seen
        self._last = 0  # the last event
        self._shown = 0  # the last event that was on the screen

    def set_readers(self, readers: Iterable[Watcher]) -> None:
        """Collect later events only for these readers."""
        self._unseen = {reader: self._unseen.get(reader, {}) for reader in readers}

    def note(self, number: int, reader: Watcher, line: str) -> None:
        """Add the line of event `number` for one reader. An empty line is not displayed."""
        self._last = number
        if reader in self._unseen:
            self._unseen[reader][number] = line

    def news(self, reader: Watcher) -> list[str]:
        """Return the lines of the events since the last update of the screen for `reader`."""
        lines = self._unseen.get(reader, {})
        fresh = {number: lines[number] for number in lines if number > self._shown}
        self._shown = self._last
        self._screen |= fresh
        return list(filter(None, fresh.values()))

    def catch_up(self, reader: Watcher, *, wiped: bool) -> list[str]:
        """Return the lines that `reader` has not seen yet, when they take the keyboard.

        Lines that are on the screen with the same text are omitted, unless the screen was `wiped`.
        """
        screen = {} if wiped else self._screen
        missed, self._unseen[reader] = self._unseen.get(reader, {}), {}
        unseen = set[int]().union(*self._unseen.values())
        self._screen = {number: self._screen[number] for number in self._screen if number in unseen}
        return [line for number, line in missed.items() if line and screen.get(number) != line]


class TerminalClient:
    """The client of a session at a terminal: one screen and one keyboard for its people.

    It collects notifications and does not print them.

    Args:
        session: The session.
        console: The input and output of lines.
        hint: A hint for newcomers, printed once before the first prompt, or an empty text.
        how_to_go_on: Returns the command that resumes a match.
        save: Copies the record to a file, or to no file if the name is empty, and returns the place
            of the record. None for a match without a record.
        second_view: The second client for the same people, or None.
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
        # A window must not change piped output.
        has_window = second_view is not None and console.interactive
        has_hints = session.gives_hints and hint_bot(session.plugin) != ""
        self.table: Commands = table_commands(hints=has_hints, window=has_window)
        self.match: AnyMatch = session.match
        self.names: tuple[str, ...] = printable_names(session.match.names)
        self.console = console
        self.event_line: Callable[[Event, Watcher], str] = self._line_of
        self.hint = hint
        self.how_to_go_on = how_to_go_on
        self.save = save
        self.last_person: Seat | None = None  # the last user of the keyboard
        self.together: set[Seat] = set()  # seats that decide at the same time
        self.looks_until: float = 0  # monotonic time before which no bot acts
        self.stale: bool = False  # whether the position must be displayed again after an undo
        self.on_change: Callable[[], object] = lambda: None  # while a line is typed
        self._backlog = EventBacklog()
        self._inbox: list[Seated | BotFailed | ActionFailed] = []
        self._notices: list[tuple[int, str]] = []  # each with its ply
        self._participant = session.join(self)
        self.update_readers()

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The seats of people for which this terminal decides, which have no other client."""
        return self._participant.seats

    def say(self, text: str = "") -> None:
        """Print a text and a newline."""
        self.console.say(text)

    def read(self, prompt: str) -> str:
        """Return the next typed line.

        Raises:
            EndOfInput: The input has ended.
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
                if not isinstance(event, MatchEnded):  # the end is printed after the last position
                    self._backlog.note(number, watcher, self.event_line(event, watcher))
                pause = self.session.plugin.text.pause(event)
                self.looks_until = max(self.looks_until, monotonic() + pause)
            case Seated():
                self._inbox.append(notification)
                self.update_readers()  # at once, because new readers receive the next events
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
        """Send a request to the session.

        Raises:
            TabletopError, ValueError: The request is refused.
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
        vote, seats = news.vote, set(self.seats)
        who, aim = self._listed(vote.by), RULES[vote.kind].aim(vote)
        if isinstance(news, VoteAsked):
            if not seats.isdisjoint(vote.waiting):
                return f"{who}: may I {aim}? Type yes or no."
            if not seats.isdisjoint(vote.by):
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
        """Return and clear the notifications about seats."""
        inbox, self._inbox = self._inbox, []
        return inbox

    # Readers.

    @property
    def reader(self) -> Seat | None:
        """The reader at the screen: the only person, or the last user of the keyboard."""
        people = self.seats
        return people[0] if len(people) == 1 else self.last_person

    def update_readers(self) -> None:
        """Collect later events only for the people at this terminal."""
        self._backlog.set_readers(dict.fromkeys([*self.seats, self.reader]))

    def news(self) -> list[str]:
        """Return the lines that the reader of the screen has not seen yet."""
        now, notices, self._notices = self.match.ply, self._notices, []
        return [*self._backlog.news(self.reader), *(text for ply, text in notices if ply == now)]

    def catch_up(self, seat: Seat, *, wiped: bool) -> list[str]:
        """Return the lines that a person who takes the keyboard has not seen yet."""
        return self._backlog.catch_up(seat, wiped=wiped)

    def hides(self, seat: Seat, other: Seat) -> bool:
        """Check whether one seat sees something that the other does not see."""
        views: list[Any] = [self.match.view(seat), self.match.view(other)]
        return bool(views[0] != views[1])

    def _line_of(self, event: Event, reader: Watcher) -> str:
        return self.session.plugin.text.event(event, self.names, reader)
