"""A client of a session: the people behind one link, and the screens that they have open.

However many screens a client has, each state is drawn once for all of them.
"""

from __future__ import annotations

import logging
from asyncio import Event
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final

from tabletop.errors import IllegalAction
from tabletop.events import ActionsUndone, Watcher
from tabletop.events import Event as GameEvent
from tabletop.host.sanitize import printable_names, sanitize
from tabletop.outcome import Seat
from tabletop.picture import Picture
from tabletop.session import (
    Act,
    Asked,
    Changed,
    Ended,
    Notification,
    Observed,
    Participant,
    Play,
    Refused,
    Request,
    Session,
    UndoAsked,
    UndoDropped,
)
from tabletop.web.limits import Bucket, Limits
from tabletop.web.messages import (
    ConsentOut,
    ErrorOut,
    LineOut,
    LogOut,
    MessageOut,
    NoteOut,
    StateOut,
    TableOut,
    encode,
)
from tabletop.web.render import SIT_DOWN, StateRenderer, picture_for
from tabletop.wording import join_words

MAX_LINES: Final = 200
"""A new screen gets so many of the last lines of the log."""

MAX_EVENTS: Final = 100
"""A picture may show something of so many of the last events."""

_log = logging.getLogger("tabletop")


class Screen:
    """One screen, and what it still has to be sent.

    Nothing piles up for a slow screen: of states and tables only the newest is sent, of the log the
    missing lines, and a screen that leaves too many answers unread (`waiting`) is closed.

    Attributes:
        wake: set when there is something to send.
        closing: the code to close the connection with; None while it stays open.
    """

    def __init__(self, client: Client, *, waiting: int, narrow: bool = False) -> None:
        self.wake = Event()
        self.closing: int | None = None
        self._client = client
        self._narrow = narrow
        self._most = waiting
        self._answers: deque[MessageOut] = deque()
        self._shown: tuple[int, bool] | None = None
        self._table = -1
        self._line = 0
        self.wake.set()

    @property
    def narrow(self) -> bool:
        """Whether the screen is as narrow as that of a phone."""
        return self._narrow

    @narrow.setter
    def narrow(self, narrow: bool) -> None:
        self._narrow = narrow
        self.wake.set()

    def send(self, message: MessageOut) -> None:
        """Send a message to this screen alone."""
        if len(self._answers) >= self._most:
            self.close(4429)
        else:
            self._answers.append(message)
            self.wake.set()

    def close(self, code: int, message: str = "") -> None:
        """Close the connection with a code of the WebSocket protocol, after all that waits."""
        if self.closing is None:
            self.closing = code
            if message:
                self._answers.append(ErrorOut(message))
        self.wake.set()

    def due(self) -> Iterator[str]:
        """The messages to send now."""
        client = self._client
        if self._table != client.table_version:
            self._table = client.table_version
            yield client.table_text()
        lines = client.lines_after(self._line)
        if lines:
            self._line = lines[-1].n
            yield encode(LogOut(lines))
        shown = (client.version, self._narrow)
        if self._shown != shown:
            last, self._shown = self._shown, shown
            since = last[0] if last and last[1] == self._narrow else None
            yield client.state_text(narrow=self._narrow, since=since)
        while self._answers:
            yield encode(self._answers.popleft())


class Client:
    """Sits at a session for the people behind one link.

    Args:
        session: the session.
        seats: the seats that they decide for; none for spectators; None for all seats of people
            that no other client has.
        picture: the picture of the game.
        table: makes the message about the table.
        notify_table: called with each notification.
        bucket: how many messages all screens of the link may send.

    Attributes:
        place: its place at the session.
        screens: the open screens.
        version: rises with each new state.
        table_version: rises with each change of the table.
        film: the path of the page that replays the match, once it is over.
        next: the page of the table where the same people play again.
        covers: whether people who share a screen must say that they have sat down before it shows
            what only they may see.
        holder: the seat whose person sat down last.
        on_taken: called when somebody has sat down.
    """

    def __init__(
        self,
        session: Session,
        seats: Iterable[Seat] | None,
        picture: Picture[Any],
        *,
        table: Callable[[Client], TableOut],
        notify_table: Callable[[Client, Notification], object],
        bucket: Bucket,
    ) -> None:
        self.bucket = bucket
        self.version = 0
        self.table_version = 0
        self.screens: set[Screen] = set()
        self.film: str | None = None
        self.next: str | None = None
        self.covers = False
        self.on_taken: Callable[[], object] = bool
        self.holder: Seat | None = None
        self._session = session
        self._picture = picture
        self._table = table
        self._notify_table = notify_table
        self._names = printable_names(session.match.names)
        self._frozen = False
        self._frozen_reader: Watcher = None
        self._undo_asked: UndoAsked | None = None
        self._refused: Exception | None = None
        self._last_event = 0
        self._lines: dict[Watcher, deque[LineOut]] = {}
        self._remarks: deque[LineOut] = deque(maxlen=MAX_LINES)
        self._remark_count = 0
        self._headings: dict[Watcher, tuple[Seat, str] | None] = {}
        self._new_events: list[tuple[Watcher, GameEvent]] = []
        self._recent: list[tuple[Watcher, GameEvent]] = []
        self._told_to: dict[Watcher, deque[GameEvent]] = {}
        self._looked: Seat | None = None
        self._drawn: dict[bool, _DrawnState] = {}
        self._table_text: tuple[int, str] | None = None
        self.place: Participant = session.join(self, seats)

    # Notifications of the session.

    def notify(self, news: Notification) -> None:
        """Receive a notification; see `tabletop.session.Front`."""
        match news:
            case Observed(number, watcher, event):
                self._observe(number, watcher, event)
            case Refused(_, error):
                self._refused = error
            case UndoAsked():
                self._undo_asked = news
                self.send(self._consent_message(news))
            case UndoDropped():
                asked, self._undo_asked = self._undo_asked, None
                if asked is not None:
                    self.send(ConsentOut(asked.seats[0], "", 0))
            case Changed():
                self._undo_asked = None
                self._recent, self._new_events = self._new_events, []
                self.refresh()
            case Asked() | Ended():
                self.refresh()
            case _:
                self.refresh()
                self.refresh_table()
        self._notify_table(self, news)

    def _observe(self, number: int, watcher: Watcher, event: GameEvent) -> None:
        self._new_events.append((watcher, event))
        self._told_to.setdefault(watcher, deque(maxlen=MAX_EVENTS)).append(event)
        self._last_event = number
        view = self._session.plugin.text
        text, heading = view.event(event, self._names, watcher), view.heading(event, self._names)
        if heading is not None and heading[1] == text:
            text = ""
        lines = self._lines.setdefault(watcher, deque(maxlen=MAX_LINES))
        if text:
            seat = getattr(event, "seat", None)
            is_seat = isinstance(seat, int) and 0 <= seat < len(self._names)
            lines.append(LineOut(self._line, sanitize(text), seat if is_seat else None))
        if isinstance(event, ActionsUndone):
            self._headings[watcher] = None
        if heading is not None and heading != self._headings.get(watcher):
            self._headings[watcher] = heading
            lines.append(LineOut(self._line, sanitize(heading[1]), heading[0], "turn"))

    def _consent_message(self, news: UndoAsked) -> ConsentOut:
        who = join_words([self._names[seat] for seat in news.seats], "and")
        return ConsentOut(news.seats[0], who, news.actions)

    # Requests of its people.

    def request(self, request: Request) -> Exception | None:
        """Ask the session for something; the reason when it is refused."""
        if self._frozen:
            return IllegalAction("nothing more can be done here")
        covered = self.covered
        if covered is not None and isinstance(request, Act | Play):
            return self._sit_down(covered, request)
        self._refused = None
        self.place.request(request)
        refused, self._refused = self._refused, None
        return refused

    def _sit_down(self, seat: Seat, request: Act | Play) -> Exception | None:
        """Let the next person sit down; they can do nothing else before."""
        if isinstance(request, Act) and request.line.strip().casefold() == SIT_DOWN:
            self.taken(seat)
            self.on_taken()
            return None
        return IllegalAction(f"it is {self._names[seat]}'s turn: type {SIT_DOWN} first")

    def taken(self, seat: Seat) -> None:
        """Show what a seat may see from now on: its person has sat down."""
        if self.holder != seat:
            self.holder = seat
            if self.covers:
                self.refresh()

    @property
    def covered(self) -> Seat | None:
        """The seat that is to act and whose person has not sat down yet."""
        seat, match = self.seat, self._session.match
        if not self.covers or self._frozen or self.holder in {None, seat}:
            return None
        if seat not in match.to_act or len(self.place.seats) < 2:
            return None
        return seat if match.view(seat) != match.view(self.holder) else None

    # Screens.

    @property
    def is_here(self) -> bool:
        """Whether a screen is open."""
        return bool(self.screens)

    def add_screen(self, screen: Screen) -> None:
        """Show everything to a new screen, with the open question about an undo."""
        self.screens.add(screen)
        if not self._frozen:
            self._table_text = None  # clocks have gone on since
        if self._undo_asked is not None:
            screen.send(self._consent_message(self._undo_asked))

    def refresh(self) -> None:
        """Send a new state to every screen."""
        if not self._frozen:
            self.version += 1
            self._wake()

    def refresh_table(self) -> None:
        """Send a new message about the table to every screen."""
        if not self._frozen:
            self.table_version += 1
            self._wake()

    def _wake(self) -> None:
        for screen in self.screens:
            screen.wake.set()

    def send(self, message: MessageOut) -> None:
        """Send a message to every screen."""
        for screen in self.screens:
            screen.send(message)

    def remark(self, text: str) -> None:
        """Add a line about the table to the log."""
        self._remark_count += 1
        self._remarks.append(LineOut(self._line, sanitize(text), kind="remark"))
        self.refresh()

    def freeze(self) -> None:
        """Show from now on what is shown now, also when the session has been closed."""
        self._frozen_reader = self._reader
        self.refresh()
        self.refresh_table()
        self._frozen = True
        self.table_text()
        for narrow in (False, True):
            self.state_text(narrow=narrow)

    # What screens show.

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The seats that it decides for; if bots have all of its own, these."""
        return self.place.seats or tuple(sorted(self.place.own or ()))

    @property
    def seat(self) -> Seat | None:
        """The seat whose view is drawn: the one that is to act, or was the last to."""
        if self._frozen:
            return self._looked
        own = self.seats
        asked = [seat for seat in self._session.match.to_act if seat in own]
        if asked:
            self._looked = asked[0]
        elif self._looked not in own:
            self._looked = own[0] if own else None
        return self._looked

    def renderer(self) -> StateRenderer:
        """What renders the current state."""
        seat, covered, match = self.seat, self.covered, self._session.match
        may_request = self.place.may_request and not self._frozen
        shown = None if covered is not None else seat
        undo = self._session.can_undo(self.place)
        return StateRenderer(
            self._session,
            self.place,
            shown,
            self._picture,
            covered=covered,
            recent=[event for watcher, event in self._recent if watcher == shown],
            told=tuple(self._told_to.get(shown, ())),
            film=self.film,
            next=self.next,
            line=self._line,
            can_undo=may_request and bool(undo),
            no_undo=undo.reason if may_request and not undo else "",
            can_redo=may_request and match.undone > 0,
        )

    def table_text(self) -> str:
        """The message about the table; each version is made once."""
        if self._table_text is None or self._table_text[0] != self.table_version:
            self._table_text = self.table_version, encode(self._table(self))
        return self._table_text[1]

    def state_text(self, *, narrow: bool, since: int | None = None) -> str:
        """The message about the state, drawn once for all screens of the same width.

        Args:
            narrow: whether the screen is narrow.
            since: the version that the screen shows; the message may hold only changes of it.
        """
        drawn = self._drawn.get(narrow)
        if drawn is None or drawn.version != self.version:
            drawn = _DrawnState(self.version, self._state(narrow=narrow), drawn)
            self._drawn[narrow] = drawn
        return drawn.text(since)

    def _state(self, *, narrow: bool) -> StateOut:
        renderer = self.renderer()
        try:
            return renderer.state(narrow=narrow)
        except Exception:  # people can still take back what led here
            _log.exception("%s cannot be shown", self._session.match.game.name)
            return renderer.failed_state()

    @property
    def _line(self) -> int:
        """The number of the last line of the log, the same for all who read it here."""
        return self._last_event + self._remark_count

    @property
    def _reader(self) -> Watcher:
        """Whose log is shown: people who share a screen read what everybody may know."""
        if self._frozen:
            return self._frozen_reader
        return self.seat if self.place.own is not None or len(self.place.seats) < 2 else None

    def lines_after(self, number: int) -> tuple[LineOut, ...]:
        """The lines of the log with higher numbers, as its reader may know them."""
        if self._line <= number:
            return ()
        lines = [*self._lines.get(self._reader, ()), *self._remarks]
        return tuple(line for line in sorted(lines, key=lambda line: line.n) if line.n > number)


class _DrawnState:
    """A state as it is sent: whole, or as changes of the state before it; each is encoded once."""

    def __init__(self, version: int, state: StateOut, before: _DrawnState | None) -> None:
        self.version = version
        self.state = state
        self._before = None if before is None else (before.version, before.state)
        self._texts: dict[bool, str] = {}

    def text(self, since: int | None) -> str:
        """The message for a screen that shows a version; None for one that shows nothing."""
        before = self._before if self._before and self._before[0] == since else None
        if bool(before) not in self._texts:
            state = self.state.changes_since(before[1]) if before else self.state
            self._texts[bool(before)] = encode(state)
        return self._texts[bool(before)]


class Clients:
    """All clients of a table: one for each link.

    Attributes:
        expected: the seats that have a link of their own, for somebody to come to.
    """

    def __init__(
        self,
        session: Session,
        limits: Limits,
        *,
        table: Callable[[Client], TableOut],
        notify_table: Callable[[Client, Notification], object],
    ) -> None:
        self.expected: set[Seat] = set()
        self._session = session
        self._limits = limits
        self._picture = picture_for(session.plugin)
        self._table = table
        self._notify_table = notify_table
        self._by_link: dict[Seat | None, Client] = {}

    def add(self, link: Seat | None, seats: Iterable[Seat] | None) -> None:
        """Let a client join.

        Args:
            link: the seat of its link; None for spectators.
            seats: the seats it decides for; None for all that no other client has.
        """
        if link is not None and seats is not None:
            self.expected.add(link)
        self._by_link[link] = Client(
            self._session,
            seats,
            self._picture,
            table=self._table,
            notify_table=self._notify_table,
            bucket=Bucket(self._limits.rate, self._limits.burst),
        )

    def __iter__(self) -> Iterator[Client]:
        return iter(self._by_link.values())

    def __getitem__(self, link: Seat | None) -> Client:
        return self._by_link[link]

    def who_can_reseat(self, seat: Seat) -> Client | None:
        """The client that can change who decides for a seat: its own, or any that may act."""
        having = (client for client in self if seat in all_seats(client))
        acting = (client for client in self if client.place.may_request)
        return next(having, None) or next(acting, None)

    @property
    def has_due(self) -> bool:
        """Whether some screen still has to be sent something."""
        return any(screen.wake.is_set() for client in self for screen in client.screens)

    @property
    def connections(self) -> int:
        """How many screens are open."""
        return sum(len(client.screens) for client in self)

    @property
    def present(self) -> set[Seat]:
        """The seats for which a screen is open."""
        return {seat for client in self if client.is_here for seat in all_seats(client)}

    def set_films(self, films: Sequence[str | None]) -> None:
        """Tell each seat, and spectators (the last), where the match is replayed."""
        for link, client in self._by_link.items():
            client.film = films[-1 if link is None else link]
            client.refresh()

    def set_next(self, page: str) -> None:
        """Tell everybody where the same people play again."""
        for client in self:
            client.next = page
            client.refresh()

    def note(self, text: str, *, logged: bool = False) -> None:
        """Send a note to everybody, and add it to the log if wanted."""
        for client in self:
            client.send(NoteOut(text))
            if logged:
                client.remark(text)

    def refresh_table(self) -> None:
        """Send a new message about the table to everybody."""
        for client in self:
            client.refresh_table()

    def close(self, code: int, message: str) -> None:
        """Close every screen, and leave the session."""
        for client in self:
            for screen in client.screens:
                screen.close(code, message)
            client.place.leave()


def all_seats(client: Client) -> tuple[Seat, ...]:
    """The seats that a client decides for, or would if no bot did."""
    return tuple(sorted({*client.place.seats, *(client.place.own or ())}))
