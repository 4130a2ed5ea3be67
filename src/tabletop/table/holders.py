"""The people behind one link of a table, and the screens on which they have opened it.

Each state is drawn once for all screens of a holder that want the same contents.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import takewhile
from typing import Any, Final, NamedTuple, Protocol, TypeAlias

from msgspec.structs import replace

from tabletop.display.console_text import Entry, Reading, Repeat, Shown, Size, Wanted
from tabletop.errors import CommandError, IllegalAction, NotPermitted, TabletopError
from tabletop.host.screen_text import printable_names, sanitize
from tabletop.protocol.changes import changes_of
from tabletop.protocol.data import event_data, seat_of
from tabletop.protocol.messages import (
    ActIn,
    ChangesOut,
    ConsentOut,
    ExplainOut,
    LineOut,
    LogOut,
    MessageIn,
    MessageOut,
    NoteOut,
    PastOut,
    RefusedOut,
    StateOut,
    TableOut,
)
from tabletop.rules.commands import Commands
from tabletop.rules.events import ActionsUndone, Event, MatchEnded, Watcher
from tabletop.states.bounds import Seat
from tabletop.table.inputs import Cut, Effect, Link, SatDown, Wake, Wants
from tabletop.table.limits import Bucket, TableLimits, TooFast
from tabletop.table.messages import (
    Changed,
    Notification,
    Observed,
    Seated,
    VoteAsked,
    VoteEnded,
)
from tabletop.table.participants import Participant
from tabletop.table.past import MAX_EVENTS, Past
from tabletop.table.session import Session
from tabletop.table.votes import RULES
from tabletop.wording import join_words

MAX_LINES: Final = 200
"""The number of last lines of the log that a new screen receives."""

MAX_ENTRIES: Final = 1000
"""The number of last events that each reader of a table can see (`Reading.log`)."""

MAX_PAST: Final = 16
"""The number of earlier positions kept for each holder, as they were sent."""

TOO_FAST: Final = 4429
"""The code of a connection that is closed because it sends too much, or reads too little."""

USUAL_SIZE: Final = Size(80, 24)
"""The size of texts for a screen that is not a terminal."""

_log = logging.getLogger("tabletop")


class Refusal(NamedTuple):
    """The answer to a request that was refused. Nothing has changed.

    Attributes:
        id: The number of the request.
        error: The reason.
        line: The line of the request, or an empty text.
    """

    id: int
    error: Exception
    line: str = ""


Answer: TypeAlias = "MessageOut | Refusal | Callable[[Presenter], MessageOut]"
"""An unread answer of a screen. A function makes the message when it is sent."""


class Presenter(Protocol):
    """Makes messages with the texts and the picture of the game (`TablePresenter`)."""

    def table(self, holder: SeatHolder, now: float) -> TableOut:
        """Return the message about the table."""

    def state(self, holder: SeatHolder, wants: Wants, now: float) -> StateOut:
        """Return the message about the state."""

    def past(self, holder: SeatHolder, seat: Seat | None, past: Past, wants: Wants) -> PastOut:
        """Return the message about an earlier position, as a seat or a spectator saw it."""

    def label(self, holder: SeatHolder, words: str) -> str:
        """Return the label of the button for an action."""

    def explain(self, holder: SeatHolder, part: str, id: int) -> ExplainOut:
        """Return the reason why a part of the picture cannot be used now."""

    def for_terminal(self, screen: Screen, state: StateOut) -> StateOut:
        """Return the message about the state with the texts of a terminal, which shows them now."""

    def refusal(self, screen: Screen, refusal: Refusal) -> RefusedOut:
        """Return the message about a refused request."""


class HoldersTable(Protocol):
    """The parts of a table that its holders use."""

    session: Session
    limits: TableLimits
    effects: list[Effect]
    commands: Commands
    hosted: bool
    together: set[Seat]

    def time_to_act(self, seats: Iterable[Seat], now: float) -> float | None:
        """The seconds in which one of these seats has to act, or None for no limit."""


class Screen:
    """A screen, with the versions of the messages that it has received.

    A slow screen receives only the newest table and state. If it leaves too many answers unread, it
    is closed.

    Attributes:
        read: The number of the last event whose news the screen has shown.
        asked: The number of the last event before the last question, or None without a question.
        shown_size: The size of the terminal at the last question or answer, or None before.
        question: The position of the last question that a terminal has received, with the text.
    """

    def __init__(self, number: int, holder: SeatHolder, wants: Wants, *, changes: bool) -> None:
        self.number = number
        self.holder = holder
        self.wants = wants
        self.answers: deque[Answer] = deque()
        self.is_cut: bool = False
        self.is_woken: bool = False
        self.read: int = holder.last_event
        self.asked: int | None = None
        self.shown_size: Size | None = None
        self.question: tuple[object, Shown] | None = None
        self._changes = changes
        self._shown: tuple[int, Wants] | None = None
        self._table = -1
        self._line = 0
        self.wake()

    def wake(self) -> None:
        """Report that messages are due."""
        if not self.is_woken:
            self.is_woken = True
            self.holder.effects.append(Wake(self.number))

    def answer(self, answer: Answer) -> None:
        """Send something to this screen alone."""
        if len(self.answers) >= self.holder.limits.waiting:
            self.cut(TOO_FAST)
        else:
            self.answers.append(answer)
            self.wake()

    def cut(self, code: int, message: str = "") -> None:
        """Close the screen after its due messages."""
        if not self.is_cut:
            self.is_cut = True
            self.holder.effects.append(Cut(self.number, code, message))

    def show_news(self, reading: Reading[Any], *, unread: int = 0) -> None:
        """Note that the news of a reading have been shown, except for the last `unread` events."""
        fresh = reading.unread[: len(reading.unread) - unread]
        if not unread:
            self.read = self.holder.last_event
        elif fresh:
            self.read = fresh[-1].number

    def show_question(self, size: Size) -> None:
        """Note that a question has been shown at a terminal of this size."""
        self.asked, self.shown_size = self.holder.last_event, size

    @property
    def size(self) -> Size:
        """The size for which texts are made."""
        return self.wants.size if self.wants.size.columns else USUAL_SIZE

    def due(self, presenter: Presenter, now: float) -> Iterator[MessageOut]:
        """Yield the messages to send now."""
        self.is_woken = False
        holder = self.holder
        if self._table != holder.table_version:
            self._table = holder.table_version
            yield holder.table_message(presenter, now)
        lines = holder.lines_after(self._line, data=self.wants.data)
        if lines:
            self._line = lines[-1].number
            yield LogOut(lines)
        shown = (holder.version, self.wants)
        if self._shown != shown:
            last, self._shown = self._shown, shown
            follows = self._changes and last is not None and last[1] == self.wants
            # The texts of a terminal depend on the last state that it has received.
            follows = follows and not self.wants.size.columns
            since = last[0] if last and follows else None
            state = holder.state_message(self.wants, presenter, now, since=since)
            if self.wants.size.columns and isinstance(state, StateOut):
                state = presenter.for_terminal(self, state)
            yield state
        while self.answers:
            answer = self.answers.popleft()
            if isinstance(answer, Refusal):
                yield presenter.refusal(self, answer)
            else:
                yield answer(presenter) if callable(answer) else answer


class SeatHolder:
    """The people behind one link, who decide for its seats.

    Args:
        link: The link.
        table: The table.
        seats: The seats, or None for all seats of people that no other holder has.

    Attributes:
        names: The names of the seats, as they can be printed.
        requests: The limit for the messages of all screens together.
        asks: The limit for chat messages and requests to other players.
        screens: The open screens by number.
        replay_page: The path of the page that replays the match, if it is over.
        next_table: The path of the table on which the same people play again, if it is open.
        covers: Whether a person at a shared screen must sit down before their secrets are shown.
        sitting: The seat whose person sat down last.
        last_event: The number of the last event.
        repeats: The lines that are entered again for seats.
        place: The place at the session.
    """

    def __init__(self, link: Link, table: HoldersTable, seats: Iterable[Seat] | None) -> None:
        self.link = link
        self.session: Session = table.session
        self.limits: TableLimits = table.limits
        self.effects: list[Effect] = table.effects
        self.names: tuple[str, ...] = printable_names(self.session.match.names)
        self.requests: Bucket = Bucket(self.limits.rate, self.limits.burst)
        self.asks: Bucket = Bucket(self.limits.messages, self.limits.messages_at_once)
        self.version: int = 0  # of the state
        self.table_version: int = 0
        self.screens: dict[int, Screen] = {}
        self.replay_page: str | None = None
        self.next_table: str | None = None
        self.covers = False
        self.sitting: Seat | None = None
        self.is_frozen: bool = False
        self.last_event: int = 0
        self.repeats: dict[Seat, Repeat] = {}
        self._is_repeating = False
        self._table = table
        self._looks = Bucket(self.limits.looks, self.limits.looks_at_once)
        self._frozen_reader: Watcher = None
        self._unworded: dict[Watcher, deque[tuple[Event, int, int]]] = {}
        self._lines: dict[Watcher, deque[LineOut]] = {}
        self._remarks: deque[LineOut] = deque(maxlen=MAX_LINES)
        self._chat: deque[LineOut] = deque(maxlen=MAX_LINES)  # separate, so that remarks stay
        self._remark_count = 0
        self._headings: dict[Watcher, tuple[Seat, str] | None] = {}
        self._new_events: list[tuple[Watcher, Event]] = []
        self._recent: list[tuple[Watcher, Event]] = []
        self._entries: dict[Watcher, deque[Entry]] = {}
        self._looked: Seat | None = None
        self._drawn: dict[Wants, _DrawnState] = {}
        self._pasts: dict[tuple[Seat | None, int, Wants], PastOut] = {}  # the last used last
        self._table_message: tuple[int, TableOut] | None = None
        self.place: Participant = self.session.join(self, seats)

    # Notifications of the session.

    def notify(self, news: Notification) -> None:
        """Receive a notification of the session (`tabletop.table.Client`)."""
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
            case Seated():
                self.refresh()
                self.refresh_table()

    def _observe(self, number: int, watcher: Watcher, event: Event) -> None:
        self._new_events.append((watcher, event))
        self.repeats = {
            seat: it for seat, it in self.repeats.items() if not isinstance(event, it.until)
        }
        entry = Entry(event, self.session.match.ply, number, self._is_repeating)
        self._entries.setdefault(watcher, deque(maxlen=MAX_ENTRIES)).append(entry)
        self.last_event = number
        unworded = self._unworded.setdefault(watcher, deque(maxlen=MAX_LINES))
        unworded.append((event, self.last_line, self.session.match.ply))
        if isinstance(event, ActionsUndone):
            self._pasts.clear()

    def _lines_of(self, watcher: Watcher) -> deque[LineOut]:
        """Return the lines about events for a watcher. New ones are put into words only now."""
        lines = self._lines.setdefault(watcher, deque(maxlen=MAX_LINES))
        unworded = self._unworded.get(watcher, ())
        while unworded:
            lines.extend(self._put_into_words(watcher, *unworded.popleft()))
        return lines

    def _put_into_words(
        self, watcher: Watcher, event: Event, number: int, ply: int
    ) -> Iterator[LineOut]:
        view, text, heading = self.session.plugin.text, "", None
        try:
            text, heading = view.event(event, self.names, watcher), view.heading(event, self.names)
        except Exception:  # the match continues without the line
            _log.exception("%s cannot be put into words", type(event).__name__)
        if heading is not None and heading[1] == text:
            text = ""
        seat, data = seat_of(event, len(self.names)), event_data(event)
        yield LineOut(number, sanitize(text), seat, ply=ply, event=data)
        if isinstance(event, ActionsUndone):
            self._headings[watcher] = None
        if heading is not None and heading != self._headings.get(watcher):
            self._headings[watcher] = heading
            yield LineOut(number, sanitize(heading[1]), heading[0], "turn", ply)

    def _vote_message(self) -> ConsentOut | None:
        """Return the open vote, or None if the holder has neither asked nor to answer."""
        vote, own = self.session.vote, set(self.place.seats)
        if vote is None or own.isdisjoint(vote.by + vote.waiting):
            return None
        asks = not own.isdisjoint(vote.by)
        who = self._named(vote.waiting if asks else vote.by)
        aim = RULES[vote.kind].aim(vote)
        return ConsentOut(vote.by[0], who, vote.kind, aim, vote.actions, yours=asks)

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

    # Requests.

    def request(self, request: MessageIn) -> None:
        """Make a request to the session.

        Raises:
            IllegalAction: The table is closed, or a person has to sit down first.
            TabletopError, ValueError: The session refuses the request.
        """
        self.check_open()
        covered = self.covered
        if covered is not None and isinstance(request, ActIn):
            raise IllegalAction(f"it is {self.names[covered]}'s turn, who has to sit down first")
        self.place.request(request)

    def check_open(self) -> None:
        """Raise `IllegalAction` if the table is closed."""
        if self.is_frozen:
            raise IllegalAction("this table is closed")

    def repeat(self, seat: Seat | None, repeat: Repeat) -> None:
        """Enter a line for a seat now, and again later if the `Repeat` demands it.

        Raises:
            TabletopError, ValueError: The line is refused.
        """
        if seat is not None and repeat.until:
            self.repeats[seat] = repeat
        self._is_repeating = True
        try:
            self.request(ActIn(repeat.line, seat=seat))
        except Exception:
            if seat is not None:
                self.repeats.pop(seat, None)
            raise
        finally:
            self._is_repeating = False

    def enter_repeats(self) -> None:
        """Enter the lines that are repeated for seats that are to act, if they are possible now."""
        while self.repeats:
            waiting = [seat for seat in self.session.waiting_for if self._can_repeat(seat)]
            if not waiting:
                return
            with suppress(TabletopError, ValueError):  # then it is not repeated again
                self.repeat(waiting[0], self.repeats[waiting[0]])

    def _can_repeat(self, seat: Seat) -> bool:
        if seat not in self.repeats or seat not in self.place.seats:
            return False
        try:
            self.place.check(self.repeats[seat].line, seat)
        except (CommandError, IllegalAction):
            return False
        return True

    def sit_down(self, seat: Seat) -> None:
        """Show the view of a seat from now on, because its person has sat down.

        Raises:
            NotPermitted: The seat is not one of this holder.
        """
        if seat not in self.place.seats:
            raise NotPermitted("this seat is not played at this screen", seat=seat)
        if self.sitting != seat:
            self.sitting = seat
            if self.covers:
                self.refresh()
        self.effects.append(SatDown(seat))

    @property
    def covered(self) -> Seat | None:
        """The seat that is to act and whose person has not sat down yet."""
        seat, match = self.seat, self.session.match
        if not self.covers or self.is_frozen or self.sitting in {None, seat}:
            return None
        if seat not in match.to_act or len(self.place.seats) < 2:
            return None
        return seat if match.view(seat) != match.view(self.sitting) else None

    def check_uncovered(self) -> None:
        """Raise `IllegalAction` if the next player at a shared screen has not sat down yet."""
        if self.covered is not None:
            raise IllegalAction("several players share this screen; take your turn first")

    # Screens.

    def open(self, number: int, wants: Wants, now: float, *, changes: bool) -> None:
        """Add a screen, which receives everything including the open vote."""
        screen = self.screens[number] = Screen(number, self, wants, changes=changes)
        self._table_message = None  # its clocks are out of date
        if self._table.time_to_act(self.place.seats, now) is not None:
            self._drawn.clear()
        vote = self._vote_message()
        if vote is not None:
            screen.answer(vote)

    def refresh(self) -> None:
        """Send a new state to every screen."""
        self.version += 1
        self._wake()

    def refresh_table(self) -> None:
        """Send a new message about the table to every screen."""
        self.table_version += 1
        self._wake()

    def rename(self) -> None:
        """Show the present names of the seats."""
        self.names = printable_names(self.session.match.names)
        self._pasts.clear()
        self.refresh()
        self.refresh_table()

    def _wake(self) -> None:
        for screen in self.screens.values():
            screen.wake()

    def send(self, message: MessageOut) -> None:
        """Send a message to every screen."""
        for screen in self.screens.values():
            screen.answer(message)

    def remark(self, text: str) -> None:
        """Add a line about the table to the log."""
        self._remarks.append(self._line(sanitize(text), None, "remark"))
        self.refresh()

    def hear(self, text: str, link: Link) -> None:
        """Add a chat message of a link to the log. The position is not drawn again."""
        self._chat.append(self._line(text, link, "chat"))
        self._wake()

    def _line(self, text: str, seat: Seat | None, kind: str) -> LineOut:
        """Return the next line of the log, which is not about an event."""
        self._remark_count += 1
        return LineOut(self.last_line, text, seat, kind, self.session.match.ply)

    def freeze(self) -> None:
        """Refuse all requests from now on."""
        self._frozen_reader = self._log_reader
        self.is_frozen = True
        self.refresh()
        self.refresh_table()

    # The contents of screens.

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The seats that the holder decides for, or all its own seats if bots have them."""
        return self.place.seats or tuple(sorted(self.place.own or ()))

    @property
    def all_seats(self) -> tuple[Seat, ...]:
        """The seats that the holder decides for, including its own seats that bots have."""
        return tuple(sorted({*self.place.seats, *(self.place.own or ())}))

    @property
    def seat(self) -> Seat | None:
        """The seat whose view is drawn: the one that is to act, or the last one that was."""
        if self.is_frozen:
            return self._looked
        own = self.seats
        asked = [seat for seat in self.session.match.to_act if seat in own]
        if asked:
            self._looked = asked[0]
        elif self._looked not in own:
            self._looked = own[0] if own else None
        return self._looked

    @property
    def is_shared(self) -> bool:
        """True if people share this link, who decide for all seats that no other link has."""
        return self.place.own is None

    @property
    def may_request(self) -> bool:
        """True if the holder may act, unlike spectators and after the end."""
        return self.place.may_request and not self.is_frozen

    def table_message(self, presenter: Presenter, now: float) -> TableOut:
        """Return the message about the table, which is made once for each version."""
        if self._table_message is None or self._table_message[0] != self.table_version:
            self._table_message = self.table_version, presenter.table(self, now)
        return self._table_message[1]

    def state_message(
        self, wants: Wants, presenter: Presenter, now: float, *, since: int | None = None
    ) -> StateOut | ChangesOut:
        """Return the message about the state, drawn once for all screens that want the same.

        For a screen that shows the version `since`, it contains only the changes.
        """
        drawn = self._drawn.get(wants)
        if drawn is None or drawn.version != self.version:
            drawn = _DrawnState(self.version, presenter.state(self, wants, now), drawn)
            self._drawn[wants] = drawn
        return drawn.message(since)

    def recent_events(self, seat: Seat | None) -> list[Event]:
        """Return the events since the last position, as a seat or a spectator has seen them."""
        return [event for watcher, event in self._recent if watcher == seat]

    def past_events(self, seat: Seat | None) -> tuple[Event, ...]:
        """Return the last events up to now, as a seat or a spectator has seen them."""
        return tuple(entry.event for entry in self._entries.get(seat, ()))[-MAX_EVENTS:]

    def reading(
        self,
        screen: Screen,
        size: Size,
        wanted: Wanted = "question",
        *,
        reader: Seat | None = None,
    ) -> Reading[Any]:
        """Return what the reader at a screen may see (`MatchTable.reading`)."""
        session = self.session
        reader = self.reader if reader is None else reader
        entries = self._entries.get(reader, ())
        log = [*entries]
        if session.match.over:
            log = [entry for entry in log if not isinstance(entry.event, MatchEnded)]
        is_asked = reader in session.waiting_for and not self.is_frozen
        return Reading(
            view=self.place.view(reader),
            seat=reader,
            names=self.names,
            players=session.players,
            here=self.place.seats,
            to_act=session.match.to_act,
            actions=self.place.legal_actions(reader) if is_asked and reader is not None else (),
            outcome=session.match.outcome,
            log=log,
            unread=_since(screen.read, log),
            asked=None if screen.asked is None else _since(screen.asked, log),
            shown_size=screen.shown_size,
            wanted=wanted,
            together=reader in self._table.together,
            size=size,
            remote=self._table.hosted,
            table=self._table.commands,
        )

    def look(self, ply: int, wants: Wants, id: int, now: float) -> Answer:
        """Return the answer with the position after `ply` actions, as its people saw it then.

        The last ones are kept, so that none is drawn twice in a row.

        Raises:
            IllegalAction: A person at a shared screen has to sit down first.
            TooFast: The limit is reached.
            ValueError: Fewer actions have been played.
        """
        self.check_uncovered()
        seat = self.reader
        line, past = self._line_at(ply), self._pasts.pop((seat, ply, wants), None)
        if past is not None:
            self._pasts[seat, ply, wants] = past
            return replace(past, id=id, log_line=line)
        self.check_looks(now)
        found: Past = self.place.past(ply, seat)

        def draw(presenter: Presenter) -> PastOut:
            if len(self._pasts) >= MAX_PAST:
                del self._pasts[next(iter(self._pasts))]
            drawn = self._pasts[seat, ply, wants] = presenter.past(self, seat, found, wants)
            return replace(drawn, id=id, log_line=line)

        return draw

    def check_looks(self, now: float) -> None:
        """Count an answer that has to be drawn, or raise `TooFast` if there are too many."""
        if not self._looks.take(now):
            raise TooFast

    @property
    def reader(self) -> Seat | None:
        """The seat whose texts and past are shown: at a shared screen, the last to sit down."""
        if (self.covers or self.is_shared) and len(self.place.seats) > 1:
            return self.sitting if self.sitting in self.place.seats else None
        return self.seat

    def _line_at(self, ply: int) -> int:
        """Return the number of the last line of the log up to the position after `ply` actions.

        After an undo it is the line about the undo, because earlier lines may be about undone
        actions.
        """
        return max((line.number for line in self._log if line.ply <= ply), default=0)

    @property
    def last_line(self) -> int:
        """The number of the last line of the log, the same for all its readers."""
        return self.last_event + self._remark_count

    @property
    def _log_reader(self) -> Watcher:
        """The watcher of the log. People who share a screen read it as spectators."""
        if self.is_frozen:
            return self._frozen_reader
        return self.seat if self.place.own is not None or len(self.place.seats) < 2 else None

    @property
    def _log(self) -> list[LineOut]:
        """The kept lines for the reader of the log, in any order."""
        return [*self._lines_of(self._log_reader), *self._remarks, *self._chat]

    def lines_after(self, number: int, *, data: bool = False) -> tuple[LineOut, ...]:
        """Return the lines of the log with higher numbers, as its reader may see them.

        Without `data` they contain only words.
        """
        if self.last_line <= number:
            return ()
        later = [line for line in self._log if line.number > number]
        new = sorted(later, key=lambda line: line.number)
        if not data:
            new = [replace(line, event=None) if line.event else line for line in new if line.text]
        return tuple(new)


def _since(number: int, log: Sequence[Entry]) -> Sequence[Entry]:
    """Return the events after the event with a number."""
    return [*takewhile(lambda entry: entry.number > number, reversed(log))][::-1]


class _DrawnState:
    """A state as it is sent: whole, or as changes of the state before it."""

    def __init__(self, version: int, state: StateOut, before: _DrawnState | None) -> None:
        self.version = version
        self.state = state
        self._before = None if before is None else (before.version, before.state)
        self._changes: ChangesOut | None = None

    def message(self, since: int | None) -> StateOut | ChangesOut:
        """The message for a screen that shows a version, or nothing if `since` is None."""
        if self._before is None or self._before[0] != since:
            return self.state
        if self._changes is None:
            self._changes = changes_of(self._before[1], self.state)
        return self._changes


class Holders:
    """All holders of a table: one for each link, and one for spectators.

    Args:
        table: The table.
        seating: The seats of each link, or None for all seats of people that no other holder has.

    Attributes:
        expected: The seats with a link of their own, which people may come to.
    """

    def __init__(self, table: HoldersTable, seating: Mapping[Seat, Iterable[Seat] | None]) -> None:
        self.expected: set[Seat] = {link for link, seats in seating.items() if seats is not None}
        self._by_link: dict[Link, SeatHolder] = {
            link: SeatHolder(link, table, seats) for link, seats in (*seating.items(), (None, ()))
        }

    def __iter__(self) -> Iterator[SeatHolder]:
        return iter(self._by_link.values())

    def __getitem__(self, link: Link) -> SeatHolder:
        return self._by_link[link]

    @property
    def screens(self) -> list[Screen]:
        """All open screens."""
        return [screen for holder in self for screen in holder.screens.values()]

    def find_screen(self, number: int) -> Screen | None:
        """Return an open screen, or None if it has been closed."""
        found = (holder.screens.get(number) for holder in self)
        return next((screen for screen in found if screen is not None), None)

    def reseating(self, seat: Seat) -> SeatHolder | None:
        """Return the holder that can change the player of a seat: its own, or any that may act."""
        having = (holder for holder in self if seat in holder.all_seats)
        acting = (holder for holder in self if holder.place.may_request)
        return next(having, None) or next(acting, None)

    @property
    def present(self) -> set[Seat]:
        """The seats for which a screen is open."""
        return {seat for holder in self if holder.screens for seat in holder.all_seats}

    @property
    def here(self) -> int:
        """The number of people with a link of their own who are present."""
        return sum(bool(self[seat].screens) for seat in self.expected)

    def set_replay_pages(self, pages: Sequence[str | None]) -> None:
        """Set the pages that replay the match: one for each seat, the last one for spectators."""
        for holder in self:
            holder.replay_page = pages[-1 if holder.link is None else holder.link]
            holder.refresh()

    def set_next_tables(self, pages: Sequence[str]) -> None:
        """Set the pages of the next table: one for each seat, the last one for spectators."""
        for holder in self:
            holder.next_table = pages[-1 if holder.link is None else holder.link]
            holder.refresh()

    def freeze(self) -> None:
        """Refuse all requests from now on."""
        for holder in self:
            holder.freeze()

    def note(self, text: str, *, logged: bool = False) -> None:
        """Send a note to everybody, and add it to the log if `logged`."""
        for holder in self:
            holder.send(NoteOut(text))
            if logged:
                holder.remark(text)

    def refresh_table(self) -> None:
        """Send everybody a new message about the table."""
        for holder in self:
            holder.refresh_table()
