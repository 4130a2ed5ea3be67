"""A client of a session: the people behind one link, and the screens that they have open.

However many screens a client has, each state is drawn once for all of them.
"""

from __future__ import annotations

import logging
from asyncio import Event
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, Protocol, get_args

from msgspec.structs import replace

from tabletop.display.picture import Picture
from tabletop.errors import ContractError, IllegalAction
from tabletop.host.screen_text import printable, printable_names, sanitize
from tabletop.protocol.changes import changes_of
from tabletop.protocol.data import event_data, seat_of
from tabletop.protocol.messages import (
    ActIn,
    ConsentOut,
    Drawing,
    ErrorOut,
    LineOut,
    LogOut,
    MessageIn,
    MessageOut,
    NoteOut,
    PastOut,
    StateOut,
    TableOut,
    encode,
)
from tabletop.rules.events import ActionsUndone, Watcher
from tabletop.rules.events import Event as GameEvent
from tabletop.session.messages import (
    Asked,
    Changed,
    Ended,
    Notification,
    Observed,
    VoteAsked,
    VoteEnded,
)
from tabletop.session.participants import Participant
from tabletop.session.past import MAX_EVENTS
from tabletop.session.session import Session
from tabletop.session.votes import RULES
from tabletop.states.bounds import Seat
from tabletop.web.limits import Bucket, Limits, TooFast
from tabletop.web.render import SIT_DOWN, WIDE, StateRenderer, Wants, picture_for
from tabletop.wording import join_words

MAX_LINES: Final = 200
"""A new screen gets so many of the last lines of the log."""

MAX_PAST: Final = 16
"""So many earlier positions are kept for each client, as they are sent."""

TOO_FAST: Final = 4429
"""The code of a connection that is closed because it sends too much, or reads too little."""

_EVERYTHING: Final = tuple(
    Wants(picture, data) for picture in get_args(Drawing) for data in (False, True)
)

_log = logging.getLogger("tabletop")


class TableOfClients(Protocol):
    """The table of clients, as far as they know it."""

    session: Session
    limits: Limits

    def message_to(self, client: Client) -> TableOut:
        """The message about the table to a client."""

    def time_to_act(self, seats: Iterable[Seat]) -> float | None:
        """The seconds in which one of these seats has to act; None for no limit."""


class Screen:
    """A screen, and its unsent messages.

    Nothing piles up for a slow screen: of states and tables only the newest is sent, of the log the
    missing lines, and a screen that leaves too many answers unread (`waiting`) is closed.
    """

    def __init__(
        self,
        client: Client,
        wants: Wants = WIDE,
        *,
        changes: bool = False,
        openings: Bucket | None = None,
    ) -> None:
        self.wake: Event = Event()  # set when there is something to send
        self.closing: int | None = None  # the code to close the connection with
        self.wants = wants
        self.openings = openings  # of tables, that are left to its address; None for any number
        self._changes = changes
        self._client = client
        self._answers: deque[MessageOut] = deque()
        self._shown: tuple[int, Wants] | None = None
        self._table = -1
        self._line = 0
        self.wake.set()

    def send(self, message: MessageOut) -> None:
        """Send a message to this screen alone."""
        if len(self._answers) >= self._client.limits.waiting:
            self.close(TOO_FAST)
        else:
            self._answers.append(message)
            self.wake.set()

    def close(self, code: int, message: str = "") -> None:
        """Close the connection with a code of the WebSocket protocol, after all that waits."""
        if self.closing is None:
            self.closing = code
            if message:
                self._answers.append(ErrorOut(message, "stopped"))
        self.wake.set()

    def due(self) -> Iterator[str]:
        """The messages to send now."""
        client = self._client
        if self._table != client.table_version:
            self._table = client.table_version
            yield client.table_text()
        lines = client.lines_after(self._line, data=self.wants.data)
        if lines:
            self._line = lines[-1].number
            yield encode(LogOut(lines))
        shown = (client.version, self.wants)
        if self._shown != shown:
            last, self._shown = self._shown, shown
            follows = self._changes and last is not None and last[1] == self.wants
            yield client.state_text(self.wants, since=last[0] if last and follows else None)
        while self._answers:
            yield encode(self._answers.popleft())


class Client:
    """Sits at a session for the people behind one link.

    They decide for `seats`; None stands for all seats of people that no other client has.
    """

    def __init__(
        self, table: TableOfClients, seats: Iterable[Seat] | None, picture: Picture[Any]
    ) -> None:
        self._table = table
        self.session: Session = table.session
        self.limits: Limits = table.limits
        self.picture = picture
        self.names: tuple[str, ...] = printable_names(self.session.match.names)
        # For all screens together.
        self.bucket: Bucket = Bucket(self.limits.rate, self.limits.burst)
        self.messages: Bucket = Bucket(self.limits.messages, self.limits.messages_at_once)
        self.looks: Bucket = Bucket(self.limits.looks, self.limits.looks_at_once)
        self.version: int = 0  # of the state
        self.table_version: int = 0
        self.screens: set[Screen] = set()
        self.replay_page: str | None = None  # the path of the page that replays the match
        self.next_table: str | None = None  # the path of the table where the same people play again
        self.covers = False  # whether who shares a screen sits down before it shows their secrets
        self.holder: Seat | None = None  # whose person sat down last
        self.on_taken: Callable[[], object] = lambda: None
        self._frozen = False
        self._frozen_reader: Watcher = None
        self._last_event = 0
        self._lines: dict[Watcher, deque[LineOut]] = {}
        self._remarks: deque[LineOut] = deque(maxlen=MAX_LINES)
        self._chat: deque[LineOut] = deque(maxlen=MAX_LINES)  # which no remarks push out
        self._remark_count = 0
        self._headings: dict[Watcher, tuple[Seat, str] | None] = {}
        self._new_events: list[tuple[Watcher, GameEvent]] = []
        self._recent: list[tuple[Watcher, GameEvent]] = []
        self._told_to: dict[Watcher, deque[GameEvent]] = {}
        self._looked: Seat | None = None
        self._drawn: dict[Wants, _DrawnState] = {}
        self._past: dict[tuple[Seat | None, int, Wants], PastOut] = {}  # the last used last
        self._table_text: tuple[int, str] | None = None
        self.place: Participant = self.session.join(self, seats)

    # Notifications of the session.

    def notify(self, news: Notification) -> None:
        """Receive a notification; see `tabletop.session.Client`."""
        match news:
            case Observed(number, watcher, event):
                self._observe(number, watcher, event)
            case VoteAsked():
                self.send(self._vote_message() or ConsentOut(0, ""))
            case VoteEnded():
                self._vote_ended(news)
            case Changed():
                self._recent, self._new_events = self._new_events, []
                self.refresh()
            case Asked() | Ended():
                self.refresh()
            case _:
                self.refresh()
                self.refresh_table()

    def _observe(self, number: int, watcher: Watcher, event: GameEvent) -> None:
        self._new_events.append((watcher, event))
        self._told_to.setdefault(watcher, deque(maxlen=MAX_EVENTS)).append(event)
        self._last_event = number
        view = self.session.plugin.text
        text, heading = view.event(event, self.names, watcher), view.heading(event, self.names)
        if heading is not None and heading[1] == text:
            text = ""
        lines = self._lines.setdefault(watcher, deque(maxlen=MAX_LINES))
        seat, ply = seat_of(event, len(self.names)), self.session.match.ply
        data = event_data(event)
        lines.append(LineOut(self.last_line, sanitize(text), seat, ply=ply, event=data))
        if isinstance(event, ActionsUndone):
            self._headings[watcher] = None
            self._past.clear()
        if heading is not None and heading != self._headings.get(watcher):
            self._headings[watcher] = heading
            said = sanitize(heading[1])
            lines.append(LineOut(self.last_line, said, heading[0], "turn", ply))

    def _vote_message(self) -> ConsentOut | None:
        """Return the open vote, or None if the client has neither asked nor to answer."""
        vote, own = self.session.vote, set(self.place.seats)
        if vote is None or own.isdisjoint(vote.by + vote.waiting):
            return None
        asks = not own.isdisjoint(vote.by)
        who = self._named(vote.waiting if asks else vote.by)
        return ConsentOut(vote.by[0], who, vote.actions, vote.kind == "pause", asks)

    def _vote_ended(self, news: VoteEnded) -> None:
        vote, own, why = news.vote, set(self.all_seats), ""
        informs_all = RULES[vote.kind].informs_all
        if news.refused and own.isdisjoint(news.refused):
            who, withdrawn = self._named(news.refused), not set(vote.by).isdisjoint(news.refused)
            does = "has withdrawn the" if withdrawn else f"refused the {vote.kind}"
            why = f"{who} {does} request"
        elif not informs_all and not own.isdisjoint(vote.by):
            why = news.note
        self.send(ConsentOut(vote.by[0], "", reason=why))
        if news.note and informs_all:
            self.send(NoteOut(news.note))

    def _named(self, seats: Iterable[Seat]) -> str:
        return join_words([self.names[seat] for seat in seats], "and")

    # Requests of its people.

    def request(self, request: MessageIn) -> None:
        """Ask the session for something.

        Raises:
            TabletopError, ValueError: it is refused.
        """
        if self._frozen:
            raise IllegalAction("this table is closed")
        covered = self.covered
        if covered is not None and isinstance(request, ActIn):
            self._sit_down(covered, request)
            return
        self.place.request(request)

    def _sit_down(self, seat: Seat, request: ActIn) -> None:
        """Let the next person sit down; they can do nothing else before."""
        if request.line.strip().casefold() != SIT_DOWN:
            raise IllegalAction(f"it is {self.names[seat]}'s turn: type {SIT_DOWN} first")
        self.taken(seat)
        self.on_taken()

    def taken(self, seat: Seat) -> None:
        """Show the view of a seat from now on: its person has sat down."""
        if self.holder != seat:
            self.holder = seat
            if self.covers:
                self.refresh()

    @property
    def covered(self) -> Seat | None:
        """The seat that is to act and whose person has not sat down yet."""
        seat, match = self.seat, self.session.match
        if not self.covers or self._frozen or self.holder in {None, seat}:
            return None
        if seat not in match.to_act or len(self.place.seats) < 2:
            return None
        return seat if match.view(seat) != match.view(self.holder) else None

    # Screens.

    def add_screen(self, screen: Screen) -> None:
        """Show everything to a new screen, including the open vote."""
        self.screens.add(screen)
        if not self._frozen:
            self._table_text = None  # clocks have gone on since
            if self._table.time_to_act(self.place.seats) is not None:
                self._drawn.clear()
        vote = self._vote_message()
        if vote is not None:
            screen.send(vote)

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

    def renamed(self) -> None:
        """Show the names of the seats as they are now."""
        self.names = printable_names(self.session.match.names)
        self._past.clear()
        self.refresh()
        self.refresh_table()

    def _wake(self) -> None:
        for screen in self.screens:
            screen.wake.set()

    def send(self, message: MessageOut) -> None:
        """Send a message to every screen."""
        for screen in self.screens:
            screen.send(message)

    def remark(self, text: str) -> None:
        """Add a line about the table to the log."""
        self._remarks.append(self._line(sanitize(text), None, "remark"))
        self.refresh()

    def hear(self, text: str, seat: Seat) -> None:
        """Add what the person of a seat says to the log; the position is not drawn anew for it."""
        if not self._frozen:
            self._chat.append(self._line(text, seat, "chat"))
            self._wake()

    def _line(self, text: str, seat: Seat | None, kind: str) -> LineOut:
        """The next line of the log, which is about no event."""
        self._remark_count += 1
        return LineOut(self.last_line, text, seat, kind, self.session.match.ply)

    def freeze(self) -> None:
        """Keep showing the present state from now on, also when the session has been closed."""
        self._frozen_reader = self._reader
        self.refresh()
        self.refresh_table()
        self._frozen = True
        self.table_text()
        for wants in _EVERYTHING:
            self.state_text(wants)

    # What screens show.

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The seats that it decides for; if bots have all of its own, these."""
        return self.place.seats or tuple(sorted(self.place.own or ()))

    @property
    def all_seats(self) -> tuple[Seat, ...]:
        """The seats that it decides for, or would if no bot did."""
        return tuple(sorted({*self.place.seats, *(self.place.own or ())}))

    @property
    def seat(self) -> Seat | None:
        """The seat whose view is drawn: the one that is to act, or was the last to."""
        if self._frozen:
            return self._looked
        own = self.seats
        asked = [seat for seat in self.session.match.to_act if seat in own]
        if asked:
            self._looked = asked[0]
        elif self._looked not in own:
            self._looked = own[0] if own else None
        return self._looked

    @property
    def may_request(self) -> bool:
        """True if the client may act: not for spectators, and not at the end."""
        return self.place.may_request and not self._frozen

    def table_text(self) -> str:
        """The message about the table; each version is made once."""
        if self._table_text is None or self._table_text[0] != self.table_version:
            self._table_text = self.table_version, encode(self._table.message_to(self))
        return self._table_text[1]

    def state_text(self, wants: Wants, *, since: int | None = None) -> str:
        """Return the message about the state, drawn once for all screens that want the same.

        For a screen that shows the version `since` it holds only the changes.
        """
        drawn = self._drawn.get(wants)
        if drawn is None or drawn.version != self.version:
            drawn = _DrawnState(self.version, self._state(wants), drawn)
            self._drawn[wants] = drawn
        return drawn.text(since)

    def _state(self, wants: Wants) -> StateOut:
        covered = self.covered
        renderer = self._renderer(self.seat if covered is None else None, covered)
        try:
            state = renderer.state(wants)
            return replace(state, deadline=self._table.time_to_act(state.your_turn))
        except Exception as error:  # players can still undo the action that led here
            _log.exception("%s cannot be shown", self.session.match.game.name)
            if isinstance(error, ContractError) and error.ply:  # no legal action
                return renderer.failed_state(str(error))
            return renderer.failed_state()

    def _renderer(self, seat: Seat | None, covered: Seat | None = None) -> StateRenderer:
        """The renderer of what a seat sees."""
        return StateRenderer(
            self.session,
            self.place,
            self.picture,
            self.names,
            seat=seat,
            covered=covered,
            recent=[event for watcher, event in self._recent if watcher == seat],
            told=tuple(self._told_to.get(seat, ())),
            last_line=self.last_line,
            may_request=self.may_request,
            replay_page=self.replay_page,
            next_table=self.next_table,
        )

    def label(self, words: str) -> str:
        """What the button of an action of its seat is called; its words where that is not known."""
        try:
            action = self.session.match.parse(words, self.seat)
            view, seat = self.place.view(self.seat), self.seat or 0
            return printable(self.picture.label(action, view, self.names, seat))
        except Exception:  # a stranger's picture may fail: its buttons are called so as well then
            return words

    def look(self, ply: int, wants: Wants, now: float) -> PastOut:
        """Return the position after `ply` actions, as its people were shown it then.

        The last ones are kept, so that none is drawn twice in a row.

        Raises:
            IllegalAction: who shares the screen has to sit down first.
            TooFast: too many have been asked for.
            ValueError: so many actions have not been played.
        """
        if self.covered is not None:
            raise IllegalAction("several players share this screen; take your turn first")
        seat = self._who_looks_back
        past = self._past.pop((seat, ply, wants), None)
        if past is None:
            if not self.looks.take(now):
                raise TooFast("too many messages; wait a moment and try again")
            past = self._renderer(seat).past(self.place.past(ply, seat), wants)
            if len(self._past) >= MAX_PAST:
                del self._past[next(iter(self._past))]
        self._past[seat, ply, wants] = past
        return replace(past, log_line=self._line_at(ply))

    @property
    def _who_looks_back(self) -> Seat | None:
        """The seat whose past is shown: where people share a screen, that of who has it."""
        if self.covers and len(self.place.seats) > 1:
            return self.holder if self.holder in self.place.seats else None
        return self.seat

    def _line_at(self, ply: int) -> int:
        """The number of the last line of the log up to the position after `ply` actions.

        After an undo that is the line that tells of it: lines before it may be of other actions.
        """
        return max((line.number for line in self._log if line.ply <= ply), default=0)

    @property
    def last_line(self) -> int:
        """The number of the last line of the log, the same for all who read it here."""
        return self._last_event + self._remark_count

    @property
    def _reader(self) -> Watcher:
        """The watcher of the log: people who share a screen read it as spectators."""
        if self._frozen:
            return self._frozen_reader
        return self.seat if self.place.own is not None or len(self.place.seats) < 2 else None

    @property
    def _log(self) -> list[LineOut]:
        """The lines that are kept for the reader of the log, in no order."""
        return [*self._lines.get(self._reader, ()), *self._remarks, *self._chat]

    def lines_after(self, number: int, *, data: bool = False) -> tuple[LineOut, ...]:
        """The lines of the log with higher numbers, as its reader may know them.

        Without `data` they are words alone.
        """
        if self.last_line <= number:
            return ()
        later = [line for line in self._log if line.number > number]
        new = sorted(later, key=lambda line: line.number)
        if not data:
            new = [replace(line, event=None) if line.event else line for line in new if line.text]
        return tuple(new)


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
            state = changes_of(before[1], self.state) if before else self.state
            self._texts[bool(before)] = encode(state)
        return self._texts[bool(before)]


class Clients:
    """All clients of a table: one for each link; see `WebTable` for `seating`."""

    def __init__(
        self, table: TableOfClients, seating: Mapping[Seat, Iterable[Seat] | None]
    ) -> None:
        # The seats that have a link of their own, for somebody to come to.
        self.expected: set[Seat] = {link for link, seats in seating.items() if seats is not None}
        picture = picture_for(table.session.plugin)
        self._by_link: dict[Seat | None, Client] = {
            link: Client(table, seats, picture) for link, seats in (*seating.items(), (None, ()))
        }

    def __iter__(self) -> Iterator[Client]:
        return iter(self._by_link.values())

    def __getitem__(self, link: Seat | None) -> Client:
        return self._by_link[link]

    def seat_of(self, client: Client) -> Seat | None:
        """The seat whose link opens a client; None for spectators."""
        return next(link for link, it in self._by_link.items() if it is client)

    def who_can_reseat(self, seat: Seat) -> Client | None:
        """Return the client that can change the player of a seat: its own, or any that may act."""
        having = (client for client in self if seat in client.all_seats)
        acting = (client for client in self if client.place.may_request)
        return next(having, None) or next(acting, None)

    @property
    def has_due(self) -> bool:
        """True if some screen has unsent messages."""
        return any(screen.wake.is_set() for client in self for screen in client.screens)

    @property
    def connections(self) -> int:
        """The number of open screens."""
        return sum(len(client.screens) for client in self)

    @property
    def present(self) -> set[Seat]:
        """The seats for which a screen is open."""
        return {seat for client in self if client.screens for seat in client.all_seats}

    @property
    def here(self) -> int:
        """How many of the people who have a link of their own are here."""
        return sum(bool(self[seat].screens) for seat in self.expected)

    def set_replay_pages(self, pages: Sequence[str | None]) -> None:
        """Tell each seat, and spectators (the last), where the match is replayed."""
        for link, client in self._by_link.items():
            client.replay_page = pages[-1 if link is None else link]
            client.refresh()

    def set_next(self, pages: Sequence[str]) -> None:
        """Tell each seat, and spectators (the last), where the same people play again."""
        for link, client in self._by_link.items():
            client.next_table = pages[-1 if link is None else link]
            client.refresh()

    def note(self, text: str, *, logged: bool = False) -> None:
        """Send a note to everybody, and add it to the log if wanted."""
        for client in self:
            client.send(NoteOut(text))
            if logged:
                client.remark(text)

    def refresh_table(self) -> None:
        """Send everybody a new message about the table."""
        for client in self:
            client.refresh_table()

    def close(self, code: int, message: str) -> None:
        """Close every screen, and leave the session."""
        for client in self:
            for screen in client.screens:
                screen.close(code, message)
            client.place.leave()
