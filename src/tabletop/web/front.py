"""The browser front of a session: one for each seat, and one for spectators.

However many screens look at it, a state is drawn once, when one of them is to show it.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Iterable
from typing import Any, Final

from tabletop.errors import IllegalAction
from tabletop.events import ActionsUndone, Event, Watcher
from tabletop.host.printable import harmless, printable_names
from tabletop.outcome import Seat
from tabletop.picture import Picture
from tabletop.session import (
    Act,
    Asked,
    Changed,
    Ended,
    News,
    Observed,
    Place,
    Play,
    Refused,
    Request,
    Session,
    UndoAsked,
    UndoDropped,
)
from tabletop.web.limits import Bucket
from tabletop.web.messages import ConsentTold, LineTold, StateTold, TableTold, Told, as_json
from tabletop.web.showing import SIT_DOWN, Look
from tabletop.web.viewer import Viewer
from tabletop.wording import listed

KEPT_LINES: Final = 200
"""So many of the last lines of the log are sent to a screen that comes."""

KEPT_EVENTS: Final = 100
"""How many events before a picture it may show something of."""

_log = logging.getLogger("tabletop")


class WebFront:
    """Sits at a session for the people who have one link.

    Args:
        session: the table.
        seats: the seats that they decide for; none for spectators. None for all people's seats that
            no other front has.
        picture: how the game looks.
        table: says what is told of the table.
        hears: told of news that concern more than this front.
        bucket: how much all screens of the link may ask for.

    Attributes:
        bucket: the same.
        covers: whether people who share it say that they have sat down before what only they may
            see is shown.
        on_taken: called when somebody has said so.
        holder: the seat whose person did last.
        place: where it sits.
        viewers: the screens that look.
        version: rises whenever there is another state to be shown.
        table_version: rises whenever there is something new to be told of the table.
        film: where the match can be watched again, once it is over.
        next: the page of the table where the same people play again, once somebody has opened it.
    """

    def __init__(
        self,
        session: Session,
        seats: Iterable[Seat] | None,
        picture: Picture[Any],
        *,
        table: Callable[[WebFront], TableTold],
        hears: Callable[[WebFront, News], object],
        bucket: Bucket,
    ) -> None:
        self.bucket = bucket
        self.version = 0
        self.table_version = 0
        self.viewers: set[Viewer] = set()
        self.film: str | None = None
        self.next: str | None = None
        self._proposed: UndoAsked | None = None
        self.covers = False
        self.on_taken: Callable[[], object] = bool
        self.holder: Seat | None = None
        self._frozen = False
        self._reads: Watcher = None  # whose log is shown, once it is frozen
        self._session = session
        self._picture = picture
        self._table = table
        self._hears = hears
        self._names = printable_names(session.match.names)
        self._lines: dict[Watcher, deque[LineTold]] = {}
        self._remarks: deque[LineTold] = deque(maxlen=KEPT_LINES)
        self._remarked = 0  # how many there were
        self._number = 0  # of the last event
        self._headings: dict[Watcher, tuple[Seat, str] | None] = {}
        self._happened: list[tuple[Watcher, Event]] = []
        self._recent: list[tuple[Watcher, Event]] = []
        self._told_to: dict[Watcher, deque[Event]] = {}
        self._looked: Seat | None = None
        self._drawn: dict[bool, _Drawn] = {}
        self._told: tuple[int, str] | None = None
        self._refused: Exception | None = None
        self.place: Place = session.join(self, seats)

    # The session.

    def notify(self, news: News) -> None:
        """Receive news; see `tabletop.session.Front`."""
        match news:
            case Observed(number, watcher, event):
                self._note(number, watcher, event)
            case Refused(_, error):
                self._refused = error
            case UndoAsked():
                self._proposed = news
                self.tell(self._asked_for_consent(news))
            case UndoDropped():
                self._take_question_away()
            case Changed():
                self._proposed = None
                self._recent, self._happened = self._happened, []
                self.renew()
            case Asked() | Ended():
                self.renew()
            case _:
                self.renew()
                self.retell()
        self._hears(self, news)

    def _note(self, number: int, watcher: Watcher, event: Event) -> None:
        self._happened.append((watcher, event))
        self._told_to.setdefault(watcher, deque(maxlen=KEPT_EVENTS)).append(event)
        self._number = number
        reads = self._session.plugin.text
        text, heading = reads.event(event, self._names, watcher), reads.heading(event, self._names)
        if heading is not None and heading[1] == text:
            text = ""
        lines = self._lines.setdefault(watcher, deque(maxlen=KEPT_LINES))
        if text:
            seat = getattr(event, "seat", None)
            is_seat = isinstance(seat, int) and 0 <= seat < len(self._names)
            lines.append(LineTold(self._line, harmless(text), seat if is_seat else None))
        if isinstance(event, ActionsUndone):
            self._headings[watcher] = None
        if heading is not None and heading != self._headings.get(watcher):
            self._headings[watcher] = heading
            lines.append(LineTold(self._line, harmless(heading[1]), heading[0], "turn"))

    @property
    def _line(self) -> int:
        """The number of the last line of the log, which everybody at this front counts alike."""
        return self._number + self._remarked

    def remark(self, text: str) -> None:
        """Write something into the log that concerns the table."""
        self._remarked += 1
        self._remarks.append(LineTold(self._line, harmless(text), kind="remark"))
        self.renew()

    def request(self, request: Request) -> Exception | None:
        """Ask the session for something; why it was refused, if it was."""
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
        """Have the next person say that they have sat down; nothing else can be done before."""
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
                self.renew()

    # What is shown.

    @property
    def covered(self) -> Seat | None:
        """The seat that is to decide, while its person has not said that they have sat down."""
        seat, match = self.seat, self._session.match
        if not self.covers or self._frozen or self.holder in {None, seat}:
            return None
        if seat not in match.to_act or len(self.place.seats) < 2:
            return None
        return seat if match.view(seat) != match.view(self.holder) else None

    def freeze(self) -> None:
        """Show from now on what is shown now, also when the session has been closed."""
        self._reads = self._reader
        self.renew()
        self.retell()
        self._frozen = True
        self.table_text()
        for narrow in (False, True):
            self.state_text(narrow=narrow)

    @property
    def seat(self) -> Seat | None:
        """The seat for which the picture is drawn: the one that is to decide, or was last."""
        if self._frozen:
            return self._looked
        own = self.place.seats or tuple(sorted(self.place.own or ()))
        asked = [seat for seat in self._session.match.to_act if seat in own]
        if asked:
            self._looked = asked[0]
        elif self._looked not in own:
            self._looked = own[0] if own else None
        return self._looked

    @property
    def is_here(self) -> bool:
        """Whether somebody looks."""
        return bool(self.viewers)

    def renew(self) -> None:
        """Have the state shown anew."""
        if not self._frozen:
            self.version += 1
            self._wake()

    def retell(self) -> None:
        """Have told anew who sits at the table."""
        if not self._frozen:
            self.table_version += 1
            self._wake()

    def tell(self, message: Told) -> None:
        """Tell every screen something."""
        for viewer in self.viewers:
            viewer.tell(message)

    def welcome(self, viewer: Viewer) -> None:
        """Show everything to a screen that comes, and ask it what others were asked before."""
        self.viewers.add(viewer)
        if not self._frozen:
            self._told = None  # clocks have gone on since
        if self._proposed is not None:
            viewer.tell(self._asked_for_consent(self._proposed))

    def _asked_for_consent(self, news: UndoAsked) -> ConsentTold:
        who = listed([self._names[seat] for seat in news.seats], "and")
        return ConsentTold(news.seats[0], who, news.actions)

    def _take_question_away(self) -> None:
        proposed, self._proposed = self._proposed, None
        if proposed is not None:
            self.tell(ConsentTold(proposed.seats[0], "", 0))

    def _wake(self) -> None:
        for viewer in self.viewers:
            viewer.wake.set()

    def look(self) -> Look:
        """What is to be seen now."""
        seat, covered, match = self.seat, self.covered, self._session.match
        may_request = self.place.may_request and not self._frozen
        shown = None if covered is not None else seat
        undo = self._session.can_undo(self.place)
        return Look(
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
        """The message about the table, made once."""
        if self._told is None or self._told[0] != self.table_version:
            self._told = self.table_version, as_json(self._table(self))
        return self._told[1]

    def state_text(self, *, narrow: bool, since: int | None = None) -> str:
        """The message about the state, drawn once for all screens of that width.

        Args:
            narrow: whether the screen is.
            since: the version that it shows; what has changed since then is enough for it.
        """
        drawn = self._drawn.get(narrow)
        if drawn is None or drawn.version != self.version:
            before = None if drawn is None else (drawn.version, drawn.state)
            drawn = _Drawn(self.version, self._state(narrow=narrow), before)
            self._drawn[narrow] = drawn
        return drawn.text(since)

    def _state(self, *, narrow: bool) -> StateTold:
        look = self.look()
        try:
            return look.state(narrow=narrow)
        except Exception:  # a table at which nothing can be shown can still take back
            _log.exception("%s cannot be shown", self._session.match.game.name)
            return look.failed()

    @property
    def _reader(self) -> Watcher:
        """Whose log is shown: people who share a screen read in it what everybody may know."""
        if self._frozen:
            return self._reads
        return self.seat if self.place.own is not None or len(self.place.seats) < 2 else None

    def lines_after(self, number: int) -> tuple[LineTold, ...]:
        """The lines of the log with higher numbers, as the seat that looks may know them."""
        if self._line <= number:
            return ()
        lines = [*self._lines.get(self._reader, ()), *self._remarks]
        return tuple(line for line in sorted(lines, key=lambda line: line.n) if line.n > number)


class _Drawn:
    """A state as it is sent: whole, or what has changed since the one that was drawn before it.

    Args:
        version: of the front when it was drawn.
        state: what is sent, whole.
        before: the one before it, and its version.
    """

    def __init__(
        self, version: int, state: StateTold, before: tuple[int, StateTold] | None
    ) -> None:
        self.version = version
        self.state = state
        self._before = before
        self._texts: dict[bool, str] = {}

    def text(self, since: int | None) -> str:
        """The message for a screen that shows a version, or None; each is written once."""
        before = self._before if self._before and self._before[0] == since else None
        if bool(before) not in self._texts:
            state = self.state.since(before[1]) if before else self.state
            self._texts[bool(before)] = as_json(state)
        return self._texts[bool(before)]
