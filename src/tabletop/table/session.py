"""A session: one match, its seats, the events that each seat could observe, and its clients."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from tabletop.errors import CommandError, NotPermitted, OutOfDate, TabletopError
from tabletop.match.match import AnyMatch
from tabletop.match.observers import Recorder
from tabletop.protocol.messages import (
    ActIn,
    ConsentIn,
    MessageIn,
    PauseIn,
    RedoIn,
    ReseatIn,
    ResignIn,
)
from tabletop.records.format import HUMAN
from tabletop.registry import Plugin
from tabletop.rules.concessions import LossReason
from tabletop.rules.events import ObserverFailure
from tabletop.states.bounds import Seat
from tabletop.table.messages import BotFailed, Client, Seated, Vote, VoteAsked
from tabletop.table.participants import (
    ClientFailure,
    Dispatcher,
    Participant,
    acting_seat,
    parse_action,
)
from tabletop.table.players import ActionFailed, Players, Replaced, no_seat
from tabletop.table.undo import UndoAnswer, UndoManager, UndoPolicy, redo
from tabletop.table.votes import Pausable, Votes, draw_voters, find_rule, resume

if TYPE_CHECKING:
    from typing import Self

    from tabletop.table.bot_pool import Answer


class Session:
    """A match and the participants at its table.

    Use a session in a `with` statement, or close it at the end.

    Args:
        match: The match, to which the session adds its bots.
        plugin: The text view and the bots of the game.
        players: The player of each seat: "human" or the name of a bot.
        recorder: Records everything, including the players of seats. If it raises an error, the
            action is undone and its request refused.
        on_failure: Called with each failure of a client or an observer. By default, failures are
            logged.
        undo: The rule for undo: "free", "casual" or "fair". See `tabletop.table.UndoPolicy`.

    Attributes:
        undoing: The rules for undo, for votes. Programs use `can_undo` and requests.
        pausable: The clocks, if the program that runs the session has some.

    Raises:
        RegistryError: A bot does not exist.
        ValueError: The rule for undo does not exist.
    """

    def __init__(
        self,
        match: AnyMatch,
        plugin: Plugin,
        players: Sequence[str],
        *,
        recorder: Recorder | None = None,
        on_failure: Callable[[ClientFailure | ObserverFailure], object] | None = None,
        undo: UndoPolicy = "free",
    ) -> None:
        self._match = match
        self._players = Players(match, plugin, players)
        self._revision = self._oldest = 1  # of the present and of the oldest valid position
        self._answered: dict[Seat, _Answer] = {}  # the last action of each seat
        self._recorder = recorder
        if recorder is not None:
            match.set_recorder(recorder)
        self._dispatcher = Dispatcher(match, lambda: self.people, on_failure)
        self.undoing: UndoManager = UndoManager(match, self._dispatcher, undo)
        self.pausable: Pausable | None = None
        self._votes = Votes(self, self._dispatcher.announce)
        if on_failure is not None:
            match.on_observer_failure(on_failure)

    # Reading.

    @property
    def match(self) -> AnyMatch:
        """The match. Read it, but change it only through requests, so that clients are notified."""
        return self._match

    @property
    def plugin(self) -> Plugin:
        """The text view and the bots of the game."""
        return self._players.plugin

    @property
    def players(self) -> tuple[str, ...]:
        """The player of each seat: "human", or the name of a bot."""
        return self._players.players

    @property
    def people(self) -> tuple[Seat, ...]:
        """The seats that people decide for."""
        return self._players.people

    @property
    def revision(self) -> int:
        """Number of the position. It grows with each change, even an undo, and never repeats."""
        return self._revision

    def is_person(self, seat: Seat) -> bool:
        """Check whether a person decides for a seat."""
        return self._players.is_person(seat)

    @property
    def waiting_for(self) -> tuple[Seat, ...]:
        """The seats of people that are to act."""
        return self._players.waiting_for

    @property
    def bot_to_act(self) -> Seat | None:
        """The seat of the bot that is to act next (`Players.next_bot`)."""
        return self._players.next_bot()

    @property
    def vote(self) -> Vote | None:
        """The open vote, such as on an undo, or None."""
        return self._votes.open

    @property
    def undo_is_free(self) -> bool:
        """True if everything may be undone without consent."""
        return self.undoing.is_free

    @property
    def gives_hints(self) -> bool:
        """True if people may request hints, which they may not at a fair table."""
        return self.undoing.policy != "fair"

    def can_undo(self, participant: Participant, actions: int | None = None) -> UndoAnswer:
        """Check whether a client may undo actions now, without asking for consent."""
        return self.undoing.can_undo(participant, actions)

    def can_resign(self, participant: Participant) -> tuple[Seat, ...]:
        """Return the seats of a client that may resign now."""
        match = self._match
        if match.over or not match.has_opponents or not self.plugin.resign:
            return ()
        return tuple(seat for seat in participant.seats if seat not in match.lost)

    def can_offer_draw(self, participant: Participant) -> bool:
        """Check whether a client may offer a draw now, even if other people are away."""
        try:
            draw_voters(self, participant.seats)
        except TabletopError:
            return False
        return True

    def needs_consent(self, participant: Participant, request: MessageIn) -> bool:
        """Check whether other players must agree to a request before it is carried out."""
        try:
            found = find_rule(self, participant, request)
            return found is not None and bool(found[0].voters(self, participant.seats, found[1]))
        except (TabletopError, ValueError):  # the request will be refused
            return False

    # Clients.

    def join(self, client: Client, seats: Iterable[Seat] | None = None) -> Participant:
        """Let a client join, at any moment.

        Args:
            client: The client, which is notified of all events from now on.
            seats: The seats for which it decides, which no other client has. Empty for a spectator.
                By default, all seats of people without an owner, now and later. Several such
                clients share these seats.

        Raises:
            ValueError: A seat does not exist, or another client has it.
        """
        own = None if seats is None else set(seats)
        for seat in own or ():
            if not 0 <= seat < self._match.seats:
                raise ValueError(no_seat(self._match, seat))
            if self._dispatcher.is_owned(seat):
                raise ValueError(f"{self._match.names[seat]} is already reserved by a client")
        participant = Participant(client, own, self._match, self._dispatcher, self._do)
        self._dispatcher.join(participant)
        vote = self.vote
        if vote is not None and not set(participant.seats).isdisjoint(vote.by + vote.waiting):
            self._dispatcher.send(participant, VoteAsked(vote))
        return participant

    # Requests.

    def _do(self, participant: Participant, request: MessageIn) -> None:
        """Carry out a client's request, or raise the reason against it."""
        match request:
            case ActIn(line, seat=seat):
                if self._repeats(participant, request):
                    return
                seat = acting_seat(self._match, participant.seats, seat)
                answer = _Answer(self._match.ply, self._revision, line)
                self._match.play(parse_action(self._match, line, seat))
                self._answered[seat] = answer
                self._changed()
            case ResignIn(seat=seat):
                self._resign(participant, seat)
            case PauseIn(on=False):
                resume(self, participant.seats)
            case ConsentIn(yes, kind=kind):
                self._votes.answer(participant.seats, yes=yes, kind=kind)
            case RedoIn(actions=actions):
                self.undoing.check_redo(participant, actions)
                redo(self._match, actions, self.people, self._jumped)
            case ReseatIn(seat, player):
                self._reseat(participant, seat, player)
            case _:
                self._ask_others(participant, request)

    def _resign(self, participant: Participant, seat: Seat | None) -> None:
        own = participant.seats
        if not self.plugin.resign:
            raise TabletopError("players cannot resign in this game")
        if seat is None:
            seats = own if len(own) == 1 else [it for it in self._match.to_act if it in own]
            if not seats:
                raise CommandError("name the seat that resigns")
            seat = seats[0]
        if seat not in own:
            raise NotPermitted("you do not control this seat")
        self.concede(seat, "resigned")

    def concede(self, seat: Seat, reason: LossReason) -> None:
        """Let a seat lose (`Match.concede`), and notify the clients.

        Raises:
            RecordError: This cannot be recorded. Nothing has changed.
            TabletopError: The seat cannot lose now.
        """
        self._match.concede(seat, reason)
        self._changed()

    def _ask_others(self, participant: Participant, request: MessageIn) -> None:
        found = find_rule(self, participant, request)
        if found is None:
            raise TypeError(f"{type(request).__name__} is not a request to a session")
        rule, actions = found
        self._votes.request(rule, participant.seats, actions)

    def _repeats(self, participant: Participant, act: ActIn) -> bool:
        """Return whether an action has been played already.

        Raises:
            OutOfDate: The action answers a different position.
        """
        seats = participant.seats if act.seat is None else (act.seat,)
        answers = [self._answered[it] for it in seats if it in self._answered]
        if act.revision is not None:
            answered, oldest, newest = act.revision, self._oldest, self._revision
            acted = [(answer.revision, answer.line) for answer in answers]
        elif act.ply is not None:
            answered, oldest, newest = act.ply, 0, self._match.ply
            acted = [(answer.ply, answer.line) for answer in answers]
        else:
            return False
        if (answered, act.line) in acted:
            return True
        has_acted = any(position >= answered for position, _ in acted)
        if has_acted or not oldest <= answered <= newest:
            raise OutOfDate("the position has changed; choose again")
        return False

    def _reseat(self, participant: Participant, seat: Seat, player: str) -> None:
        match = self._match
        if not 0 <= seat < match.seats:
            raise CommandError(no_seat(match, seat))
        holders = self._dispatcher.participants_of(seat)
        is_held = bool(holders) and (bool(holders[0].own) or self.is_person(seat))
        if is_held and participant not in holders:
            raise NotPermitted(f"{match.names[seat]} sits elsewhere and must do this in person")
        if seat in match.lost and player.casefold() == HUMAN:
            raise NotPermitted(f"{match.names[seat]} has lost this match, so a bot plays on")
        self._players.put(seat, player)
        if self.is_person(seat):
            participant.take(seat)
        else:
            for holder in holders:
                holder.give_back(seat)
        self._announce(seat)

    def _announce(self, seat: Seat) -> None:
        """Notify the clients of the new player of a seat."""
        self.undoing.seated(seat)
        self._votes.reseated()
        self._dispatcher.subscribe()
        self._dispatcher.broadcast(Seated(seat, self.players[seat]))

    def handed_over(self) -> None:
        """Note that another person has a seat, so that earlier requests must be repeated."""
        self._votes.reseated()

    # Bots.

    def advance(self, answer: Answer | None = None) -> bool:
        """Let the next bot act (`Players.step`). Return False if no bot is to act.

        Clients are notified of an action, or of a failure and the successor.

        Args:
            answer: The choice of the bot, if a worker process has made it.

        Raises:
            ContractError, RecordError: The rules or the recorder failed, and not the bot.
            Exception: The bot failed, and the session has no people and no client to notify.
        """
        if self.bot_to_act is None:
            return False
        is_watched = bool(self.people) or self._dispatcher.has_clients
        match self._players.step(answer):
            case Replaced(seat, name, error):
                if not is_watched:  # the result would count as that of the bots named at first
                    raise error
                self._dispatcher.broadcast(BotFailed(seat, name, error))
                self._announce(seat)
            case ActionFailed() as failed:
                self._dispatcher.broadcast(failed)
                self._changed()
            case None:
                self._changed()
        return True

    def replayed(self) -> None:
        """Notify the clients of actions that were played on the match without a request."""
        self._jumped()

    def _jumped(self) -> None:
        """Notify the clients of a position that is not the result of an action."""
        self._oldest = self._revision + 1
        self._changed()

    def _changed(self) -> None:
        self._revision += 1
        here = self._match.ply
        self._answered = {seat: it for seat, it in self._answered.items() if it.ply < here}
        self.undoing.changed()
        self._votes.continued()
        self._dispatcher.changed()

    # The end.

    def close(self) -> None:
        """Stop all notifications and end bot programs. Closing twice is harmless."""
        self._dispatcher.close()
        self._players.close()
        if self._recorder is not None and self._match.recorder is self._recorder:
            self._match.set_recorder(None)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class _Answer(NamedTuple):
    """An action that a seat has played, with the position that the action answered."""

    ply: int
    revision: int
    line: str
