"""The requests of people at a table: actions, undo, votes, resigning, and the players of seats."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Protocol

from tabletop.errors import CommandError, NotPermitted, TabletopError
from tabletop.match.match import AnyMatch
from tabletop.protocol.incoming import (
    ActIn,
    ConsentIn,
    MessageIn,
    ProposeIn,
    RedoIn,
    ReseatIn,
    ResignIn,
    UndoIn,
)
from tabletop.protocol.outgoing import HoldOut, ProposalOut
from tabletop.records.format import HUMAN
from tabletop.registry import Plugin
from tabletop.rules.concessions import LossReason
from tabletop.states.bounds import Seat
from tabletop.table.acting import Positions, acting_seat, check_control
from tabletop.table.bot_names import hint_bot
from tabletop.table.holders import Holders
from tabletop.table.players import ActionFailed, Players, Replaced, no_seat
from tabletop.table.seat_holder import WATCHING, SeatHolder
from tabletop.table.undo import UndoAnswer, UndoManager, UndoPolicy, redo
from tabletop.table.votes import PAUSED, RULES, VoteRule, Votes, proposals, rule_of

if TYPE_CHECKING:
    from tabletop.table.bot_pool import Answer


class MatchFollower(Protocol):
    """The parts of a table that follow its match. The people know of a change already."""

    def position_changed(self) -> None:
        """Note a new position."""

    def seated(self, seat: Seat, failed: Replaced | None) -> None:
        """Note the new player of a seat, and the bot that has failed there."""

    def held(self, note: str) -> None:
        """Note that the table waits or continues, and add a note to the log."""

    def action_failed(self, failed: ActionFailed) -> None:
        """Note that another action was played in place of a bot's action."""


class MatchRequests:
    """Carries out requests and the actions of bots, and shows the result to everybody.

    Args:
        table: The table.
        players: The bots and people.
        holders: The people at their links.
        undo: The rule for undo: "free", "casual" or "fair".
        hints: Whether players may request hints.

    Attributes:
        players: The bots and people.
        positions: The numbers of positions.
        undoing: The rules for undo.
        votes: The votes.
        hold: The reason why bots, clocks and limits of time wait, as clients show it, or None.
        refusal: The reason why nobody can change the match now, or an empty text.
        has_clocks: Whether the table has clocks.
        hints_allowed: Whether the settings of the table permit hints.

    Raises:
        ValueError: The rule for undo does not exist.
    """

    def __init__(
        self,
        table: MatchFollower,
        players: Players,
        holders: Holders,
        *,
        undo: UndoPolicy,
        hints: bool,
    ) -> None:
        self.players: Players = players
        self.positions: Positions = Positions(players.match, players.plugin.text)
        self.undoing: UndoManager = UndoManager(
            players, lambda seat: bool(holders.deciding_for(seat)), undo
        )
        self.votes: Votes = Votes(self, holders.vote_asked, holders.vote_ended)
        self.hold: HoldOut | None = None
        self.refusal: str = ""
        self.has_clocks: bool = False
        self.hints_allowed: bool = hints
        self._table = table
        self._holders = holders

    # For the rules of votes (`VoteTable`).

    @property
    def match(self) -> AnyMatch:
        """The match."""
        return self.players.match

    @property
    def plugin(self) -> Plugin:
        """The game."""
        return self.players.plugin

    @property
    def people(self) -> tuple[Seat, ...]:
        """The seats that people decide for."""
        return self.players.people

    @property
    def present(self) -> Collection[Seat]:
        """The seats whose players are connected."""
        return self._holders.present

    @property
    def waits(self) -> bool:
        """True while bots, passes, clocks and limits of time wait."""
        return self.hold is not None or self.refusal != ""

    def set_hold(self, hold: HoldOut | None, note: str = "", *, refusal: str = "") -> None:
        """Let the table wait for these reasons or continue, and add a note to the log."""
        self.hold, self.refusal = hold, refusal
        self._table.held(note)

    # Questions.

    @property
    def gives_hints(self) -> bool:
        """True if people may request hints. Games without good bots have none."""
        return self.hints_allowed and hint_bot(self.plugin) != ""

    def can_undo(self, holder: SeatHolder, actions: int | None = None) -> UndoAnswer:
        """Check whether a holder may undo actions now, without asking for consent."""
        if not holder.has_seat:
            return UndoAnswer(actions or 0, reason=WATCHING)
        return self.undoing.can_undo(holder.played_seats, actions)

    def can_resign(self, holder: SeatHolder) -> tuple[Seat, ...]:
        """Return the seats of a holder that may resign now."""
        match = self.match
        if match.over or not match.has_opponents or not self.plugin.resign:
            return ()
        return tuple(seat for seat in holder.played_seats if seat not in match.lost)

    def proposals(self, holder: SeatHolder) -> tuple[ProposalOut, ...]:
        """Return what a holder can propose to the others now."""
        return proposals(self, holder.played_seats) if holder.may_request else ()

    def is_limited(self, holder: SeatHolder, request: MessageIn) -> bool:
        """Check whether a request counts for the limit of requests to other players.

        It does if they must agree, or if it never needs consent, such as the end of a pause.
        """
        own = holder.played_seats
        try:
            found = self._vote_on(own, request)
            return found is not None and bool(
                found[0].voters(self, own, found[1]) or not found[0].request
            )
        except (TabletopError, ValueError):  # the request will be refused
            return False

    def _vote_on(self, own: tuple[Seat, ...], request: MessageIn) -> tuple[VoteRule, int] | None:
        """Return the rule and the number of actions to undo of a request that may need consent.

        Raises:
            TabletopError: The request is refused.
        """
        match request:
            case UndoIn(actions=actions):
                return RULES["undo"], self.undoing.count(own, actions)
            case ProposeIn(kind):
                return rule_of(kind), 0
        return None

    # Requests.

    def carry_out(self, holder: SeatHolder, request: MessageIn) -> None:
        """Carry out the request of a holder. The result is shown to everybody before this returns.

        Raises:
            TabletopError, ValueError: The request is refused. The class of the error identifies the
                reason, such as `NotYourTurn`, or `NotPermitted` for a spectator. Nothing has
                changed. After a `RecordLost`, the record must be moved to another file first.
        """
        holder.check_seat()
        own = holder.played_seats
        match request:
            case ActIn(line, seat=seat):
                if not self.positions.is_repeated(own, request):
                    self.positions.play(line, acting_seat(self.match, own, seat))
                    self._changed()
            case ResignIn(seat=seat):
                self._resign(own, seat)
            case ConsentIn(yes, kind=kind):
                self.votes.answer(own, yes=yes, kind=kind)
            case RedoIn(actions=actions):
                self.undoing.check_redo(own, actions)
                redo(self.match, actions, self.people, self.replayed)
            case ReseatIn(seat, player):
                self._reseat(holder, seat, player)
            case _:
                found = self._vote_on(own, request)
                if found is None:
                    raise TypeError(f"{type(request).__name__} is not a request to a table")
                self.votes.request(found[0], own, found[1])

    def _resign(self, own: tuple[Seat, ...], seat: Seat | None) -> None:
        if not self.plugin.resign:
            raise TabletopError("players cannot resign in this game")
        if seat is None:
            seats = own if len(own) == 1 else [it for it in self.match.to_act if it in own]
            if not seats:
                raise CommandError("name the seat that resigns")
            seat = seats[0]
        check_control(self.match, own, seat)
        self.concede(seat, "resigned")

    def concede(self, seat: Seat, reason: LossReason) -> None:
        """Let a seat lose (`Match.concede`).

        Raises:
            RecordError: This cannot be recorded. Nothing has changed.
            TabletopError: The seat cannot lose now.
        """
        self.match.concede(seat, reason)
        self._changed()

    def _reseat(self, holder: SeatHolder, seat: Seat, player: str) -> None:
        match = self.match
        if not 0 <= seat < match.seats:
            raise CommandError(no_seat(match, seat))
        deciding = self._holders.deciding_for(seat)
        is_held = bool(deciding) and (bool(deciding[0].own) or self.players.is_person(seat))
        if is_held and holder not in deciding:
            raise NotPermitted(f"{match.names[seat]} sits elsewhere and must do this in person")
        if seat in match.lost and player.casefold() == HUMAN:
            raise NotPermitted(f"{match.names[seat]} has lost this match, so a bot plays on")
        self.players.put(seat, player)
        if self.players.is_person(seat):
            holder.take(seat)
        else:
            for it in deciding:
                it.give_back(seat)
        self._seated(seat)

    def _seated(self, seat: Seat, failed: Replaced | None = None) -> None:
        self.undoing.seated(seat)
        self.votes.drop("a seat has a new player")
        self._holders.seated()
        if not self.people:
            self._end_pause("only bots are playing")
        self._table.seated(seat, failed)

    # Bots.

    def advance(self, answer: Answer | None = None) -> bool:
        """Let the next bot act (`Players.step`). Return False if no bot is to act.

        Args:
            answer: The choice of the bot, if a worker process has made it.

        Raises:
            ContractError, RecordError: The rules or the recorder failed, and not the bot.
        """
        if self.players.next_bot() is None:
            return False
        match self.players.step(answer):
            case Replaced() as failed:
                self._seated(failed.seat, failed)
            case ActionFailed() as failed_action:
                self._table.action_failed(failed_action)
                self._changed()
            case None:
                self._changed()
        return True

    def replayed(self) -> None:
        """Note a position that no request to act has led to, such as after an undo."""
        self._changed(by_action=False)

    def _changed(self, *, by_action: bool = True) -> None:
        self.positions.changed(by_action=by_action)
        self.undoing.changed()
        self.votes.drop("the match has continued")
        self._holders.show(SeatHolder.position_changed)
        self._end_pause("the match has continued")
        self._table.position_changed()

    def _end_pause(self, why: str) -> None:
        if self.hold is PAUSED:
            self.set_hold(None, f"the clocks are running again, because {why}")
