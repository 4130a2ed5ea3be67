"""The client of a session at a terminal: its notifications, its people, and its requests."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from itertools import takewhile
from time import monotonic
from typing import TYPE_CHECKING, Any, Final, Protocol

from tabletop.display.console_text import Entry, Reading, Repeat, Size, Wanted
from tabletop.errors import CommandError, EndOfInput, IllegalAction, TabletopError
from tabletop.host.screen_text import printable_names
from tabletop.match.match import AnyMatch
from tabletop.protocol.messages import ActIn, MessageIn
from tabletop.rules.commands import Commands
from tabletop.rules.events import ActionsUndone, Event, MatchEnded, Watcher
from tabletop.states.bounds import Seat
from tabletop.table.hints import hint_bot
from tabletop.table.messages import (
    BotFailed,
    Changed,
    Notification,
    Observed,
    Seated,
    VoteAsked,
    VoteEnded,
)
from tabletop.table.players import ActionFailed
from tabletop.table.session import Session
from tabletop.table.votes import RULES
from tabletop.terminal.commands import table_commands
from tabletop.terminal.console import Console
from tabletop.text_layout import fit
from tabletop.wording import join_words

if TYPE_CHECKING:
    from tabletop.registry import Plugin

_KEPT: Final = 1000
"""The number of last events in the log of a reader."""


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
    """The log of each reader at a screen, the events that a reader has not seen, and the screen.

    Args:
        line_of: Returns the line of an event for a reader. Readers who take the keyboard are not
            shown a line again that is still on the screen.
    """

    def __init__(self, line_of: Callable[[Event, Watcher], str]) -> None:
        self._line_of = line_of
        self._logs: dict[Watcher, deque[Entry]] = {}
        self._unseen: dict[Watcher, dict[int, Entry]] = {}  # by the number of the event
        self._screen: dict[int, tuple[Event, Watcher]] = {}  # events not seen by all readers
        self._last = 0  # the number of the last event
        self._shown = 0  # the number of the last event that was on the screen
        self._asked: int | None = None  # the last event before the last question

    def set_readers(self, readers: Iterable[Watcher]) -> None:
        """Collect the events for these readers from now on, and for no others."""
        readers = tuple(readers)
        self._unseen = {reader: self._unseen.get(reader, {}) for reader in readers}
        kept: dict[Watcher, deque[Entry]] = {}
        for reader in readers:
            kept[reader] = self._logs.get(reader) or deque(maxlen=_KEPT)
        self._logs = kept

    def note(self, reader: Watcher, entry: Entry) -> None:
        """Add an event as one reader may see it."""
        self._last = entry.number
        if reader in self._unseen:
            self._unseen[reader][entry.number] = entry
            self._logs[reader].append(entry)

    def log(self, reader: Watcher) -> Sequence[Entry]:
        """Return the events since the reader has joined."""
        return tuple(self._logs.get(reader, ()))

    def unread(self, reader: Watcher) -> Sequence[Entry]:
        """Return the events since the last update of the screen, as the reader may see them."""
        return self._since(self._shown, reader)

    def _since(self, number: int, reader: Watcher) -> Sequence[Entry]:
        """Return the events in the log of a reader after the event with a number."""
        newest_first = reversed(self._logs.get(reader, ()))
        return [*takewhile(lambda entry: entry.number > number, newest_first)][::-1]

    def read(self, reader: Watcher, *, rest: int = 0) -> None:
        """Note that the unread events are on the screen, except for the last `rest`."""
        unread = self.unread(reader)
        fresh = unread[: len(unread) - rest]
        self._shown = self._last if not rest else fresh[-1].number if fresh else self._shown
        self._screen |= {it.number: (it.event, reader) for it in fresh}

    def ask(self) -> None:
        """Note that a question is on the screen."""
        self._asked = self._last

    def asked(self, reader: Watcher) -> Sequence[Entry] | None:
        """Return the events since the last question, or None if there was no question."""
        if self._asked is None:
            return None
        return self._since(self._asked, reader)

    def catch_up(self, reader: Watcher, *, wiped: bool) -> Sequence[Entry]:
        """Return the events that `reader`, who takes the keyboard, has not seen yet.

        Events whose lines are on the screen are left out, unless the screen was `wiped`.
        """
        screen = {} if wiped else self._screen
        missed, self._unseen[reader] = self._unseen.get(reader, {}), {}
        unseen = set[int]().union(*self._unseen.values())
        self._screen = {number: self._screen[number] for number in self._screen if number in unseen}
        return [
            entry
            for number, entry in missed.items()
            if number not in screen
            or self._line_of(*screen[number]) != self._line_of(entry.event, reader)
        ]


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
        self.hint = hint
        self.how_to_go_on = how_to_go_on
        self.save = save
        self.last_person: Seat | None = None  # the last user of the keyboard
        self.together: set[Seat] = set()  # seats that decide at the same time
        self.looks_until: float = 0  # monotonic time before which no bot acts
        self.stale: bool = False  # whether the position must be displayed again after an undo
        self.on_change: Callable[[], object] = lambda: None  # while a line is typed
        self.repeats: dict[Seat, Repeat] = {}  # lines that are entered again for a seat
        self._repeating = False  # whether such a line is being executed
        self.shown_size: Size | None = None  # of the terminal at the last question or answer
        self._backlog = EventBacklog(self._line_of)
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
                    entry = Entry(event, self.match.ply, number, self._repeating)
                    self._backlog.note(watcher, entry)
                self.repeats = {
                    seat: it for seat, it in self.repeats.items() if not isinstance(event, it.until)
                }
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

    def notices(self) -> list[str]:
        """Return the sentences about votes since the last call."""
        notices, self._notices = self._notices, []
        return [text for ply, text in notices if ply == self.match.ply]

    def reading(
        self,
        reader: Seat | None,
        *,
        wanted: Wanted = "question",
        unread: Sequence[Entry] | None = None,
    ) -> Reading[Any]:
        """Return what a reader at this screen may see.

        Args:
            reader: A seat of this screen, or None for a spectator.
            wanted: The reason for a question.
            unread: The events to report. By default, those since the last update of the screen.
        """
        match, console, backlog = self.match, self.console, self._backlog
        is_asked = reader in self.session.waiting_for
        return Reading(
            view=match.view(reader),
            seat=reader,
            names=self.names,
            players=self.session.players,
            here=self.seats,
            to_act=match.to_act,
            actions=match.legal_actions(reader) if is_asked and reader is not None else (),
            outcome=match.outcome,
            log=backlog.log(reader),
            unread=backlog.unread(reader) if unread is None else unread,
            asked=backlog.asked(reader),
            shown_size=self.shown_size,
            wanted=wanted,
            together=reader in self.together,
            size=console.size,
            below=len(fit(self.hint, max(0, console.size.columns - 1)).splitlines()),
            colours=console.colours,
            table=self.table,
        )

    @property
    def has_unread(self) -> bool:
        """Whether the reader at the screen has unread events."""
        return bool(self._backlog.unread(self.reader))

    def read_news(self, *, rest: int) -> None:
        """Note that the news are on the screen, except for the last `rest` events."""
        self._backlog.read(self.reader, rest=rest)

    def ask(self) -> None:
        """Note that a question is on the screen."""
        self._backlog.ask()

    def catch_up(self, seat: Seat, *, wiped: bool) -> Sequence[Entry]:
        """Return the events that a person who takes the keyboard has not seen yet."""
        return self._backlog.catch_up(seat, wiped=wiped)

    def repeat(self, seat: Seat, repeat: Repeat) -> None:
        """Enter a line for a seat, and again later if the `Repeat` demands it.

        Raises:
            TabletopError, ValueError: The line is refused.
        """
        if repeat.until:
            self.repeats[seat] = repeat
        self._repeating = True
        try:
            self.request(ActIn(repeat.line, seat=seat))
        except (TabletopError, ValueError):
            self.repeats.pop(seat, None)
            raise
        finally:
            self._repeating = False

    @property
    def will_repeat(self) -> bool:
        """Whether a line is to be repeated now for a seat."""
        return any(self._can_repeat(seat) for seat in self.session.waiting_for)

    def _can_repeat(self, seat: Seat) -> bool:
        repeat = self.repeats.get(seat)
        if repeat is None:
            return False
        try:
            self._participant.check(repeat.line, seat)
        except (CommandError, IllegalAction):
            return False
        return True

    def repeats_for(self, seat: Seat) -> bool:
        """Enter the line that is repeated for a seat, if there is one and it is possible now."""
        if not self._can_repeat(seat):
            return False
        self.repeat(seat, self.repeats[seat])
        return True

    def hides(self, seat: Seat, other: Seat) -> bool:
        """Check whether one seat sees something that the other does not see."""
        views: list[Any] = [self.match.view(seat), self.match.view(other)]
        return bool(views[0] != views[1])

    def _line_of(self, event: Event, reader: Watcher) -> str:
        return self.session.plugin.text.event(event, self.names, reader)
