"""A session: one match, who sits where, what each seat could observe, and the fronts to notify."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from tabletop.errors import (
    CommandError,
    ContractError,
    EndOfInput,
    IllegalAction,
    RecordError,
    TabletopError,
)
from tabletop.events import ALL, Event, ObserverFailure, Watcher
from tabletop.match import AnyMatch, Recorder
from tabletop.outcome import Seat
from tabletop.records.format import HUMAN
from tabletop.registry import Plugin
from tabletop.session.moves import act, redo, understood
from tabletop.session.news import BotFailed, Front, Refused, Seated
from tabletop.session.notifying import FrontFailure, Notifier
from tabletop.session.place import Place
from tabletop.session.requests import Act, Consent, Play, Redo, Request, Reseat, Undo
from tabletop.session.seating import Seating
from tabletop.session.undoing import Proposal, UndoAnswer, Undoing, UndoPolicy

if TYPE_CHECKING:
    from typing import Self


class Session:
    """One match, and those who sit at it.

    Use it with `with`, or close it at the end.

    Args:
        match: what is played.
        plugin: how it reads, and which bots there are.
        players: who decides for each seat: "human", or the name of a bot.
        recorder: writes everything down, also who decides for a seat. What it raises takes a move
            back, and the request that led to it is refused.
        keep_score: called once when the session is closed after a match that has ended.
        on_failure: called with each failure of a front or an observer; without it, failures are
            logged.
        undo: what may be taken back, and whether others are asked: "free", "casual" or "fair"; see
            `tabletop.session.undoing.UndoPolicy`.

    Raises:
        RegistryError: there is no such bot.
        ValueError: there is no such policy.
    """

    def __init__(
        self,
        match: AnyMatch,
        plugin: Plugin,
        players: Sequence[str],
        *,
        recorder: Recorder | None = None,
        keep_score: Callable[[], object] | None = None,
        on_failure: Callable[[FrontFailure | ObserverFailure], object] | None = None,
        undo: UndoPolicy = "free",
    ) -> None:
        self._match = match
        self._plugin = plugin
        self._recorder = recorder
        self._keep_score = keep_score
        self._seating = Seating(match, plugin, players)
        if recorder is not None:
            match.set_recorder(recorder)
        self._notifier = Notifier(match, self._seating, on_failure)
        self._undoing = Undoing(match, self._seating, self._notifier, undo)
        if on_failure is not None:
            match.on_observer_failure(on_failure)

    # What there is to know.

    @property
    def match(self) -> AnyMatch:
        """The match. Read it, but change it through requests alone: else no front is notified."""
        return self._match

    @property
    def plugin(self) -> Plugin:
        """How it reads, and which bots there are."""
        return self._plugin

    @property
    def players(self) -> tuple[str, ...]:
        """Who decides for each seat: "human", or the name of a bot."""
        return self._seating.players

    @property
    def people(self) -> tuple[Seat, ...]:
        """The seats that people decide for."""
        return self._seating.people

    @property
    def waiting_for(self) -> tuple[Seat, ...]:
        """The seats that people are to decide for now."""
        return self._seating.waiting_for

    @property
    def vacant(self) -> tuple[Seat, ...]:
        """The seats that are to act, and whose bots have failed."""
        return self._seating.vacant

    @property
    def bot_to_act(self) -> Seat | None:
        """The seat whose bot `advance` would ask; None when none is.

        Bots do not wait for people who choose at the same time; but their moves would drop what was
        taken back, and can be played again.
        """
        return self._seating.bot_to_act

    def seats_of(self, place: Place) -> tuple[Seat, ...]:
        """The people's seats that a place decides for."""
        return self._notifier.seats_of(place)

    def events(self, watcher: Watcher) -> tuple[Event, ...]:
        """The last events that a watcher could observe, since some front watches for it."""
        return self._notifier.events(watcher)

    @property
    def proposal(self) -> Proposal | None:
        """What somebody has asked to take back, while others have not answered."""
        return self._undoing.proposal

    @property
    def undo_is_free(self) -> bool:
        """Whether everything may be taken back, and nobody is asked."""
        return self._undoing.is_free

    def can_undo(self, place: Place, actions: int | None = None) -> UndoAnswer:
        """Whether a front may take back actions now; nothing changes, and nobody is asked.

        Args:
            place: of the front.
            actions: as in `Undo`.

        Returns:
            What is true when it may; else it says why not.
        """
        return self._undoing.answer(place, actions)

    # Sitting down.

    def join(
        self, front: Front, seats: Iterable[Seat] | None = None, *, sees_all: bool = False
    ) -> Place:
        """Let a front join, at any moment.

        Args:
            front: who is notified of what happens from now on.
            seats: the seats that it decides for, no other front's; none for a spectator. Without
                it, all people's seats that no other front has, now and later; several fronts that
                join so decide for them together.
            sees_all: whether it observes everything, hidden or not (`tabletop.events.ALL`): a log,
                or a program whose document says so.

        Raises:
            ValueError: there is no such seat, or another front has it.
        """
        own = None if seats is None else set(seats)
        for seat in own or ():
            if not 0 <= seat < self._match.seats:
                raise ValueError(_no_seat(self._match, seat))
            if self._notifier.is_owned(seat):
                raise ValueError(f"{self._match.names[seat]} has a front already")
        place = Place(self, front, own, self._notifier.leave)
        if sees_all:
            place.watchers.add(ALL)
        self._notifier.join(place)
        self._undoing.joined(place)
        self._notifier.deliver()
        return place

    # Requests.

    def handle(self, place: Place, request: Request) -> None:
        """Carry out a front's request, or notify it that it was refused."""
        try:
            if not place.may_request:
                raise IllegalAction("who has no seat here only watches")
            self._do(place, request)
        except (TabletopError, ValueError) as error:
            self._notifier.send(place, Refused(request, error))
        self._notifier.deliver()

    def check(self, place: Place, line: str, seat: Seat | None) -> None:
        """Accept what a line means for a seat of a place now, or raise; nothing changes."""
        self._match.check(understood(self._match, line, self._acting(place, seat)))

    def _do(self, place: Place, request: Request) -> None:
        match request:
            case Act(line, seat):
                act(self._match, line, self._acting(place, seat))
                self._changed()
            case Play(action):
                self._acting(place, self._match.actor(action))
                self._match.play(action)
                self._changed()
            case Undo(actions):
                if self._undoing.undo(place, actions):
                    self._changed()
            case Consent(yes):
                if self._undoing.consent(place, yes=yes):
                    self._changed()
            case Redo(actions):
                self._undoing.check_redo(place, actions)
                redo(self._match, actions, self.people, self._changed)
            case Reseat(seat, player):
                self._reseat(place, seat, player.casefold())

    def _acting(self, place: Place, seat: Seat | None) -> Seat:
        """The seat that a front acts for.

        Raises:
            IllegalAction: it is not its own, or not to act.
        """
        if self._match.over:
            raise IllegalAction("the match is over")
        own = self.seats_of(place)
        if seat is None:
            seat = next((it for it in self._match.to_act if it in own), None)
            if seat is None:
                raise IllegalAction("it is not your turn")
        name = self._match.names[seat] if 0 <= seat < self._match.seats else f"seat {seat + 1}"
        if seat not in own:
            raise IllegalAction(f"{name} is not yours to act for", seat=seat)
        if seat not in self._match.to_act:
            raise IllegalAction(f"{name} is not to act now", seat=seat)
        return seat

    def _reseat(self, place: Place, seat: Seat, name: str) -> None:
        """Let somebody else decide for a seat.

        Raises:
            CommandError: there is no such seat or bot, or another front has the seat.
        """
        match = self._match
        if not 0 <= seat < match.seats:
            raise CommandError(_no_seat(match, seat))
        holders = self._notifier.places_of(seat)
        is_held = bool(holders) and (bool(holders[0].own) or self._seating.is_person(seat))
        if is_held and place not in holders:
            raise CommandError(f"{match.names[seat]} sits elsewhere: this is theirs to say")
        self._seating.put(seat, name)
        self._undoing.seated(seat)
        if name == HUMAN and place.own is not None:
            place.own.add(seat)
        self._notifier.subscribe()
        self._notifier.broadcast(Seated(seat, name))
        self._notifier.ask()

    # Bots.

    def advance(self) -> bool:
        """Let the next bot act, if it is one's turn; whether one did (or failed to).

        A bot that fails while people sit at the table leaves its seat vacant; they are told.

        Raises:
            ContractError, RecordError: the rules or the recorder failed, and not the bot.
            TabletopError: the bot failed, and only bots play.
        """
        seat = self.bot_to_act
        if seat is None:
            return False
        try:
            self._match.step(seat)
        except (ContractError, EndOfInput, RecordError):
            raise
        except Exception as error:
            name = self._seating.player(seat)
            if not self.people:
                if not isinstance(error, TabletopError):
                    raise  # whoever wrote the bot can see where
                raise TabletopError(f"the bot {name} has failed: {error}") from error
            self._seating.failed(seat)
            self._notifier.broadcast(BotFailed(seat, name, error))
            self._notifier.deliver()
        else:
            self._changed()
        return True

    def play_for_bot(self, action: Any) -> None:
        """Play an action in place of a bot that cannot; for the program that runs the session.

        Raises:
            IllegalAction: it is not allowed, or it is no bot's turn.
        """
        if self._seating.is_person(self._match.actor(action)):
            raise IllegalAction("this seat is a person's to act for")
        self._match.play(action)
        self._changed()

    def replayed(self) -> None:
        """Notify the fronts of what was played on the match without a request: from a record."""
        self._changed()

    def _changed(self) -> None:
        self._seating.changed()
        self._undoing.changed()
        self._notifier.changed()

    # The end.

    def close(self) -> None:
        """Leave the match alone, and keep its score if it has ended. Closing twice is no harm."""
        keep_score, self._keep_score = self._keep_score, None
        self._notifier.close()
        if self._recorder is not None and self._match.recorder is self._recorder:
            self._match.set_recorder(None)
        if keep_score is not None and self._match.over:
            keep_score()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        if error is not None:
            self._keep_score = None  # what was broken off has no score
        self.close()


def _no_seat(match: AnyMatch, seat: Seat) -> str:
    return f"there is no seat {seat + 1}; seats are 1 to {match.seats}"
