"""The people behind one link of a table, and the screens on which they have opened it.

Each state is drawn once for all screens of a holder that want the same contents.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import takewhile
from typing import Any, Final, NamedTuple, Protocol, TypeAlias

from msgspec.structs import replace

from tabletop.display.console_text import Entry, Reading, Repeat, Shown, Size, Wanted
from tabletop.errors import CommandError, IllegalAction, NotPermitted, TabletopError
from tabletop.protocol.changes import changes_of
from tabletop.protocol.incoming import ActIn, ExplainIn, MessageIn
from tabletop.protocol.outgoing import (
    ChangesOut,
    ConsentOut,
    ExplainOut,
    LineOut,
    LogOut,
    MessageOut,
    NoteOut,
    PastOut,
    RefusedOut,
    StateOut,
    TableOut,
)
from tabletop.rules.commands import Commands
from tabletop.rules.events import ActionsUndone, MatchEnded, Watcher
from tabletop.states.bounds import Seat
from tabletop.table.acting import acting_seat
from tabletop.table.inputs import Cut, Effect, Link, SatDown, Wake, Wants
from tabletop.table.limits import Bucket, TableLimits, TooFast
from tabletop.table.past import Past
from tabletop.table.perspective import Perspective
from tabletop.table.players import Players
from tabletop.table.votes import RULES, Vote, Votes
from tabletop.wording import join_words

WATCHING: Final = "you are watching and have no seat"
"""The reason why a spectator cannot make a request."""

MAX_PAST: Final = 16
"""The number of earlier positions kept for each holder, as they were sent."""

TOO_FAST: Final = 4429
"""The code of a connection that is closed because it sends too much, or reads too little."""

USUAL_SIZE: Final = Size(80, 24)
"""The size of texts for a screen that is not a terminal."""


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

    def explain(self, holder: SeatHolder, asked: ExplainIn) -> ExplainOut:
        """Return the reason why a part of the picture cannot be used now."""

    def for_terminal(self, screen: Screen, state: StateOut) -> StateOut:
        """Return the message about the state with the texts of a terminal, which shows them now."""

    def refusal(self, screen: Screen, refusal: Refusal) -> RefusedOut:
        """Return the message about a refused request."""


class HolderRequests(Protocol):
    """The parts of `MatchRequests` that holders use."""

    votes: Votes
    refusal: str

    def carry_out(self, holder: SeatHolder, request: MessageIn) -> None:
        """Carry out a request, or raise the reason against it."""


class HoldersTable(Protocol):
    """The parts of a table that its holders use."""

    limits: TableLimits
    effects: list[Effect]
    hosted: bool
    stops: list[Callable[[], object]]

    @property
    def requests(self) -> HolderRequests:
        """The rules for requests."""

    @property
    def bots_and_people(self) -> Players:
        """The player of each seat."""

    def perspective(self, link: Link) -> Perspective:
        """Return what the people behind a link see of the table."""

    def time_to_act(self, seats: Iterable[Seat], now: float) -> float | None:
        """The seconds in which one of these seats has to act, or None for no limit."""

    def commands_of(self, holder: SeatHolder) -> Commands:
        """Return the commands that people at a terminal have in every game."""


class DrawnState:
    """A state as it is sent: whole, or as changes of the state before it."""

    def __init__(self, version: int, state: StateOut, before: DrawnState | None) -> None:
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


class Screen:
    """A screen, with the versions of the messages that it has received.

    A slow screen receives only the newest table and state. If it leaves too many answers unread, it
    is closed.

    Attributes:
        read: The number of the last event whose news the screen has shown.
        asked: The number of the last event before the last question, or None without a question.
        shown_size: The size of the terminal at the last question or answer, or None before.
        question: The position of the last question that a terminal has received, with the text.
        wants: The contents of states.
        size: The size for which texts are made.
        below, colours: See `Reading`. A terminal of this process sets them.
    """

    def __init__(self, number: int, holder: SeatHolder, wants: Wants, *, changes: bool) -> None:
        self.number = number
        self.holder = holder
        self.want(wants)
        self.below: int = 0
        self.colours: bool = False
        self.answers: deque[Answer] = deque()
        self.is_cut: bool = False
        self.is_woken: bool = False
        self.read: int = holder.perspective.log.last_event
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
            self.read = self.holder.perspective.log.last_event
        elif fresh:
            self.read = fresh[-1].number

    def show_question(self) -> None:
        """Note that a question has been shown at a terminal."""
        self.asked, self.shown_size = self.holder.perspective.log.last_event, self.size

    def want(self, wants: Wants) -> None:
        """Change the contents of later states."""
        self.wants: Wants = wants
        self.size: Size = wants.size if wants.size.columns else USUAL_SIZE

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
        seats_of: Returns the seats of people for which a holder decides.

    Attributes:
        own: The seats of this holder only, or None if it shares the seats that no other has.
        perspective: What its people see of the table.
        messages: The limit for the messages of all screens together.
        asks: The limit for chat messages and requests to other players.
        screens: The open screens by number.
        replay_page: The path of the page that replays the match, if it is over.
        next_table: The path of the table on which the same people play again, if it is open.
        covers: Whether a person at a shared screen must sit down before their secrets are shown.
        sitting: The seat whose person sat down last.
        repeats: The lines that are entered again for seats.
        is_repeating: Whether such a line is being entered.
    """

    def __init__(
        self,
        link: Link,
        table: HoldersTable,
        seats: Iterable[Seat] | None,
        seats_of: Callable[[SeatHolder], tuple[Seat, ...]],
    ) -> None:
        self.link = link
        self.own: set[Seat] | None = None if seats is None else set(seats)
        self.perspective: Perspective  # when the table is complete
        self.limits: TableLimits = table.limits
        self.effects: list[Effect] = table.effects
        self.messages: Bucket = Bucket(self.limits.rate, self.limits.burst)
        self.asks: Bucket = Bucket(self.limits.messages, self.limits.messages_at_once)
        self.version: int = 0  # of the state
        self.table_version: int = 0
        self.screens: dict[int, Screen] = {}
        self.replay_page: str | None = None
        self.next_table: str | None = None
        self.covers = False
        self.sitting: Seat | None = None
        self.repeats: dict[Seat, Repeat] = {}
        self._seats_of = seats_of
        self._players: Players = table.bots_and_people
        self._taken: set[Seat] = set()  # those of `own` that it has taken from a bot
        self.is_repeating: bool = False
        self._table = table
        self._looks = Bucket(self.limits.looks, self.limits.looks_at_once)
        self._looked: Seat | None = None
        self._drawn: dict[Wants, DrawnState] = {}
        self._pasts: dict[tuple[Seat | None, int, Wants], PastOut] = {}  # the last used last
        self._table_message: tuple[int, TableOut] | None = None

    # Seats.

    @property
    def played_seats(self) -> tuple[Seat, ...]:
        """The seats of people for which this holder decides."""
        return self._seats_of(self)

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The seats that the holder decides for, or all its own seats if bots have them."""
        return self.played_seats or tuple(sorted(self.own or ()))

    @property
    def all_seats(self) -> tuple[Seat, ...]:
        """The seats that the holder decides for, including its own seats that bots have."""
        return tuple(sorted({*self.played_seats, *(self.own or ())}))

    @property
    def is_shared(self) -> bool:
        """True if people share this link, who decide for all seats that no other link has."""
        return self.own is None

    @property
    def has_seat(self) -> bool:
        """True for a holder with a seat, False for spectators."""
        return self.own is None or bool(self.own)

    @property
    def may_request(self) -> bool:
        """True for a holder with a seat, unless nobody can change the match now."""
        return self.has_seat and not self._table.requests.refusal

    def check_seat(self) -> None:
        """Raise `NotPermitted` for spectators."""
        if not self.has_seat:
            raise NotPermitted(WATCHING)

    def take(self, seat: Seat) -> None:
        """Take a seat until a bot decides for it again."""
        if self.own is not None and seat not in self.own:
            self.own.add(seat)
            self._taken.add(seat)

    def give_back(self, seat: Seat) -> None:
        """Give back a seat that was taken, and stop observing its events."""
        if self.own is not None and seat in self._taken:
            self._taken.remove(seat)
            self.own.remove(seat)
            self.perspective.watchers.discard(seat)

    def check(self, line: str, seat: Seat | None = None) -> None:
        """Raise an error unless a line means a legal action for a seat now. Nothing changes.

        The default seat is the first of this holder's seats that is to act.

        Raises:
            CommandError: The line does not mean an action.
            IllegalAction: The action is not allowed now.
        """
        match = self._players.match
        seat = acting_seat(match, self.played_seats, seat)
        match.check(self._players.plugin.text.parse(match, line, seat))

    # News.

    def observe(self, watcher: Watcher, entry: Entry) -> None:
        """Receive an event as a watcher may see it."""
        self.perspective.log.observe(watcher, entry)
        if isinstance(entry.event, ActionsUndone):
            self._pasts.clear()
        self.repeats = {
            seat: it for seat, it in self.repeats.items() if not isinstance(entry.event, it.until)
        }

    def position_changed(self) -> None:
        """Show a new position."""
        self.perspective.log.position_changed()
        self.refresh()

    def vote_asked(self) -> None:
        """Send the open vote (`Votes`)."""
        self.send(self._vote_message() or ConsentOut(0, ""))

    def _vote_message(self) -> ConsentOut | None:
        """Return the open vote, or None if the holder has neither asked nor to answer."""
        vote, own = self._table.requests.votes.open, set(self.played_seats)
        if vote is None or own.isdisjoint(vote.by + vote.waiting):
            return None
        asks = not own.isdisjoint(vote.by)
        who = self._named(vote.waiting if asks else vote.by)
        rule = RULES[vote.kind]
        return ConsentOut(
            vote.by[0], who, rule.kind, rule.aim(vote), vote.actions, yours=asks, ends=rule.ends
        )

    def vote_ended(self, vote: Vote, refused: tuple[Seat, ...], note: str) -> None:
        """Send the end of a vote, and the reason for those who asked (`Votes`)."""
        own, why = set(self.all_seats), ""
        if refused and own.isdisjoint(refused):
            who, withdrawn = self._named(refused), not set(vote.by).isdisjoint(refused)
            does = "has withdrawn the" if withdrawn else f"refused the {vote.kind}"
            why = f"{who} {does} request"
        self.send(ConsentOut(vote.by[0], "", reason=why))
        if note:
            self.send(NoteOut(note))

    def _named(self, seats: Iterable[Seat]) -> str:
        return join_words([self.perspective.names[seat] for seat in seats], "and")

    # Requests.

    def request(self, request: MessageIn) -> None:
        """Make a request.

        Raises:
            IllegalAction: Nobody can change the match now, or a person has to sit down first.
            TabletopError, ValueError: The request is refused (`MatchRequests.carry_out`).
        """
        self.check_open()
        if isinstance(request, ActIn):
            self.check_uncovered()
        self._table.requests.carry_out(self, request)

    def check_open(self) -> None:
        """Raise `IllegalAction` if nobody can change the match now."""
        if self._table.requests.refusal:
            raise IllegalAction(self._table.requests.refusal)

    def repeat(self, seat: Seat | None, repeat: Repeat) -> None:
        """Enter a line for a seat now, and again later if the `Repeat` demands it.

        Raises:
            TabletopError, ValueError: The line is refused.
        """
        if seat is not None and repeat.until:
            self.repeats[seat] = repeat
        self.is_repeating = True
        try:
            self.request(ActIn(repeat.line, seat=seat))
        except Exception:
            if seat is not None:
                self.repeats.pop(seat, None)
            raise
        finally:
            self.is_repeating = False

    def enter_repeats(self) -> None:
        """Enter the lines that are repeated for seats that are to act, if they are possible now."""
        while self.repeats:
            waiting = [seat for seat in self._players.waiting_for if self._can_repeat(seat)]
            if not waiting:
                return
            with suppress(TabletopError, ValueError):  # then it is not repeated again
                self.repeat(waiting[0], self.repeats[waiting[0]])

    def _can_repeat(self, seat: Seat) -> bool:
        if seat not in self.repeats or seat not in self.played_seats:
            return False
        try:
            self.check(self.repeats[seat].line, seat)
        except (CommandError, IllegalAction):
            return False
        return True

    def sit_down(self, seat: Seat) -> None:
        """Show the view of a seat from now on, because its person has sat down.

        Raises:
            NotPermitted: The seat is not one of this holder.
        """
        if seat not in self.played_seats:
            raise NotPermitted("this seat is not played at this screen", seat=seat)
        if self.sitting != seat:
            self.sitting = seat
            if self.covers:
                self.refresh()
        self.effects.append(SatDown(seat))

    @property
    def covered(self) -> Seat | None:
        """The seat that is to act and whose person has not sat down yet."""
        seat, match = self.seat, self.perspective.match
        if not self.covers or self._table.requests.refusal or self.sitting in {None, seat}:
            return None
        if seat not in match.to_act or len(self.played_seats) < 2:
            return None
        return seat if match.view(seat) != match.view(self.sitting) else None

    def check_uncovered(self) -> None:
        """Raise `IllegalAction` if the next player at a shared screen has not sat down yet."""
        covered = self.covered
        if covered is not None:
            name = self.perspective.names[covered]
            raise IllegalAction(f"it is {name}'s turn, who has to sit down first")

    # Screens.

    def open(self, number: int, wants: Wants, now: float, *, changes: bool) -> None:
        """Add a screen, which receives everything including the open vote."""
        screen = self.screens[number] = Screen(number, self, wants, changes=changes)
        self._table_message = None  # its clocks are out of date
        if self._table.time_to_act(self.played_seats, now) is not None:
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
        self.perspective.rename()
        self._pasts.clear()
        self.refresh()
        self.refresh_table()

    def _wake(self) -> None:
        for screen in self.screens.values():
            screen.wake()

    def send(self, message: MessageOut, *, terminals: bool = True) -> None:
        """Send a message to every screen, or to every screen that is not a terminal."""
        for screen in self.screens.values():
            if terminals or not screen.wants.size.columns:
                screen.answer(message)

    def remark(self, text: str) -> None:
        """Add a line about the table to the log."""
        self.perspective.log.remark(text, self.perspective.match.ply)
        self.refresh()

    def hear(self, text: str, link: Link) -> None:
        """Add a chat message of a link to the log. The position is not drawn again."""
        self.perspective.log.hear(text, link, self.perspective.match.ply)
        self._wake()

    # The contents of screens.

    @property
    def seat(self) -> Seat | None:
        """The seat whose view is drawn: the seat that is to act, or that acted last."""
        own = self.seats
        asked = [seat for seat in self.perspective.match.to_act if seat in own]
        if asked:
            self._looked = asked[0]
        elif self._looked not in own:
            self._looked = own[0] if own else None
        return self._looked

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
            drawn = DrawnState(self.version, presenter.state(self, wants, now), drawn)
            self._drawn[wants] = drawn
        return drawn.message(since)

    def reading(
        self,
        screen: Screen,
        wanted: Wanted = "question",
        *,
        reader: Seat | None = None,
    ) -> Reading[Any]:
        """Return what the reader at a screen may see, for the texts of a terminal.

        Args:
            screen: The screen.
            wanted: The reason for a question.
            reader: The seat of a person at the screen. By default, the person who sat down last.
        """
        sees = self.perspective
        match, table = sees.match, sees.table
        reader = self.reader if reader is None else reader
        log = sees.log.entries(reader)
        if match.over:
            log = [entry for entry in log if not isinstance(entry.event, MatchEnded)]
        is_asked = reader in match.to_act and reader in self.played_seats and self.may_request
        return Reading(
            view=sees.view(reader),
            seat=reader,
            names=sees.names,
            players=table.players,
            here=self.played_seats,
            to_act=match.to_act,
            actions=sees.legal_actions(reader) if is_asked and reader is not None else (),
            outcome=match.outcome,
            log=log,
            unread=_since(screen.read, log),
            asked=None if screen.asked is None else _since(screen.asked, log),
            shown_size=screen.shown_size,
            wanted=wanted,
            together=reader in table.together,
            size=screen.size,
            below=screen.below,
            colours=screen.colours,
            remote=self._table.hosted,
            table=self._table.commands_of(self),
        )

    def look(self, ply: int, wants: Wants, id: int, now: float) -> Answer:
        """Return the answer with the position after `ply` actions, as its people saw it then.

        The last answers are kept, so that no position is drawn twice in a row.

        Raises:
            IllegalAction: A person at a shared screen has to sit down first.
            TooFast: The limit is reached.
            ValueError: Fewer actions have been played.
        """
        self.check_uncovered()
        seat = self.reader
        line = self.perspective.log.line_at(ply, self._log_reader)
        past = self._pasts.pop((seat, ply, wants), None)
        if past is not None:
            self._pasts[seat, ply, wants] = past
            return replace(past, id=id, log_line=line)
        self.check_looks(now)
        found = self.perspective.past(ply, seat)

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
        if (self.covers or self.is_shared) and len(self.played_seats) > 1:
            return self.sitting if self.sitting in self.played_seats else None
        return self.seat

    @property
    def _log_reader(self) -> Watcher:
        """The watcher of the log. People who share a screen read it as spectators."""
        return self.seat if self.own is not None or len(self.played_seats) < 2 else None

    def lines_after(self, number: int, *, data: bool = False) -> tuple[LineOut, ...]:
        """Return the lines of the log with higher numbers, as its reader may see them.

        Without `data` they contain only words.
        """
        return self.perspective.log.lines_after(number, self._log_reader, data=data)


def _since(number: int, log: Sequence[Entry]) -> Sequence[Entry]:
    """Return the events after the event with a number."""
    return [*takewhile(lambda entry: entry.number > number, reversed(log))][::-1]
