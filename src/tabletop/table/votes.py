"""Votes: requests that need the consent of other players, such as an undo, a pause or a draw."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable
from contextlib import suppress
from functools import lru_cache
from typing import Final, Protocol

from msgspec import Struct
from msgspec.structs import replace
from typing_extensions import override

from tabletop.errors import IllegalAction, MatchOver, NotPermitted, OutOfDate, TabletopError
from tabletop.host.screen_text import printable_names
from tabletop.match.match import AnyMatch
from tabletop.protocol.incoming import ProposeIn
from tabletop.protocol.outgoing import HoldOut, ProposalOut
from tabletop.registry import Plugin
from tabletop.rules.commands import Command, Commands
from tabletop.states.bounds import Seat
from tabletop.table.undo import UndoManager
from tabletop.wording import join_words, plural, quote

PAUSED: Final = HoldOut("The clocks are paused", "resume", "Resume")
"""The reason why a table waits during a pause, which ends if the match continues."""


class Vote(Struct, frozen=True):
    """A request that other players must agree to.

    Attributes:
        kind: The name of the rule, such as "undo" or "pause" (`RULES`).
        by: The seats that asked.
        waiting: The seats that have not answered.
        actions: The number of actions to undo, or 0 for another kind.
    """

    kind: str
    by: tuple[Seat, ...]
    waiting: tuple[Seat, ...]
    actions: int = 0


class VoteTable(Protocol):
    """The parts of a table that the rules of votes use.

    Attributes:
        hold: The reason why the table waits, or None.
        has_clocks: Whether the table has clocks.
    """

    hold: HoldOut | None
    has_clocks: bool

    @property
    def match(self) -> AnyMatch:
        """The match."""

    @property
    def plugin(self) -> Plugin:
        """The game."""

    @property
    def people(self) -> tuple[Seat, ...]:
        """The seats that people decide for."""

    @property
    def undoing(self) -> UndoManager:
        """The rules for undo at this table."""

    @property
    def present(self) -> Collection[Seat]:
        """The seats whose players are connected."""

    def set_hold(self, hold: HoldOut | None, note: str = "", *, refusal: str = "") -> None:
        """Let the table wait or continue, and add a note to the log."""

    def replayed(self) -> None:
        """Announce a position that was not reached by an action, such as after an undo."""


class VoteRule(ABC):
    """One kind of vote: the players who must agree, and the effect of their consent.

    Attributes:
        kind: The name of the rule, and the word with which a player at a terminal proposes it.
        request: What the players call the request, such as `undo request`. Empty if the request
            never needs consent.
        label: The text of the button with which a player proposes it (`ProposeIn`). Empty for a
            vote that begins with another request.
        help: The effect of the word, for terminals.
        ends: Whether consent ends the match (`ConsentOut.ends`).
    """

    kind: str
    request: str = ""
    label: str = ""
    help: str = ""
    ends: bool = False

    def aim(self, vote: Vote) -> str:
        """Return the infinitive phrase for the effect, such as `undo 2 actions`.

        It is empty if the request never needs consent.
        """
        return ""

    @abstractmethod
    def voters(self, table: VoteTable, by: tuple[Seat, ...], actions: int) -> tuple[Seat, ...]:
        """Return the seats that must agree, or none if the request needs no consent.

        Raises:
            TabletopError, ValueError: The request is refused.
        """

    @abstractmethod
    def carry_out(self, table: VoteTable, vote: Vote) -> None:
        """Do what the players have agreed to.

        Raises:
            RecordError: The effect cannot be recorded. Nothing has changed.
        """


class _Undo(VoteRule):
    """Undo: the other people must agree. A person without a link cannot agree."""

    kind = "undo"
    request = "undo request"

    @override
    def aim(self, vote: Vote) -> str:
        return f"undo {plural(vote.actions, 'action')}"

    @override
    def voters(self, table: VoteTable, by: tuple[Seat, ...], actions: int) -> tuple[Seat, ...]:
        return table.undoing.voters(by, actions)

    @override
    def carry_out(self, table: VoteTable, vote: Vote) -> None:
        table.match.undo(vote.actions)
        table.replayed()


class _Pause(VoteRule):
    """A pause of all clocks: the other people who are connected must agree."""

    kind = "pause"
    request = "pause request"
    label = "Ask for a pause"
    help = "Ask the others to stop the clocks."

    @override
    def aim(self, vote: Vote) -> str:
        return "stop the clocks"

    @override
    def voters(self, table: VoteTable, by: tuple[Seat, ...], actions: int) -> tuple[Seat, ...]:
        _check_clocks(table, by, paused=True)
        if table.match.over:
            raise MatchOver
        return tuple(seat for seat in table.people if seat in table.present and seat not in by)

    @override
    def carry_out(self, table: VoteTable, vote: Vote) -> None:
        table.set_hold(PAUSED, f"the clocks are paused, as {_named(table.match, vote.by)} asked")


class _Resume(VoteRule):
    """The end of a pause, which needs no consent."""

    kind = "resume"
    label = "Resume the clocks"
    help = "Start the clocks again."

    @override
    def voters(self, table: VoteTable, by: tuple[Seat, ...], actions: int) -> tuple[Seat, ...]:
        _check_clocks(table, by, paused=False)
        return ()

    @override
    def carry_out(self, table: VoteTable, vote: Vote) -> None:
        table.set_hold(None, f"{_named(table.match, vote.by)} has started the clocks again")


class _Draw(VoteRule):
    """A draw: all other players must agree. A person without a link, or a bot, cannot agree."""

    kind = "draw"
    request = "offer of a draw"
    label = "Offer a draw"
    help = "End the match in a draw, if all players agree."
    ends = True

    @override
    def aim(self, vote: Vote) -> str:
        return "end the match in a draw"

    @override
    def voters(self, table: VoteTable, by: tuple[Seat, ...], actions: int) -> tuple[Seat, ...]:
        match, people = table.match, table.people
        if match.over:
            raise MatchOver
        if not table.plugin.draws or not match.has_opponents:
            raise TabletopError("players cannot agree to a draw in this game")
        remaining = [seat for seat in range(match.seats) if seat not in match.lost]
        if set(by).isdisjoint(remaining):
            raise NotPermitted("you control no seat that could still win")
        bots = [seat for seat in remaining if seat not in people]
        if bots:
            raise NotPermitted(f"a bot plays for {_named(match, bots)}, and bots accept no draw")
        others = tuple(seat for seat in remaining if seat not in by)
        table.undoing.check_present(others)
        return others

    @override
    def carry_out(self, table: VoteTable, vote: Vote) -> None:
        table.match.agree_draw()
        table.replayed()


def _check_clocks(table: VoteTable, by: tuple[Seat, ...], *, paused: bool) -> None:
    """Check that players can pause the clocks or start them again.

    Raises:
        TabletopError: The table has no clocks, or they are in this state already.
        NotPermitted: The players have no seat that a person plays.
    """
    if not table.has_clocks:
        raise TabletopError("there are no clocks at this table")
    if not by:
        raise NotPermitted("you control no seat")
    if (table.hold is not None) == paused:
        raise IllegalAction(f"the clocks are already {'paused' if paused else 'running'}")


RULES: Final[dict[str, VoteRule]] = {
    rule.kind: rule for rule in (_Undo(), _Pause(), _Resume(), _Draw())
}
"""All rules by name."""


def rule_of(kind: str) -> VoteRule:
    """Return the rule of a proposal (`ProposeIn`).

    Raises:
        TabletopError: There is none, or its vote begins with another request.
    """
    rule = RULES.get(kind)
    if rule is None or not rule.label:
        known = join_words([it.kind for it in all_proposals()], "or")
        raise TabletopError(f"{quote(kind)} cannot be proposed; players can propose {known}")
    return rule


def all_proposals() -> tuple[ProposalOut, ...]:
    """Return all proposals, including those that a table refuses now."""
    return tuple(ProposalOut(it.kind, it.label, it.help) for it in RULES.values() if it.label)


def proposals(table: VoteTable, by: tuple[Seat, ...]) -> tuple[ProposalOut, ...]:
    """Return what people with these seats can propose now."""
    possible = []
    for proposal in all_proposals():
        with suppress(TabletopError):
            RULES[proposal.kind].voters(table, by, 0)
            possible.append(proposal)
    return tuple(possible)


@lru_cache(32)
def commands_with(commands: Commands, proposed: tuple[ProposalOut, ...]) -> Commands:
    """Return commands together with those of proposals, which precede the optional commands."""
    after = ("resign", "skip", "hint", "quit")
    at = next((number for number, it in enumerate(commands.commands) if it.words in after), 0)
    more = [Command(it.kind, ProposeIn, fixed={"kind": it.kind}, help=it.help) for it in proposed]
    return Commands(*commands.commands[:at], *more, *commands.commands[at:])


class Votes:
    """The votes of a table, of which at most one is open.

    Args:
        table: The table.
        asked: Called with a vote that has begun, or that some players have agreed to, and with the
            seats whose people are to receive it.
        ended: Called at the end of a vote with the seats that refused it, or those that asked if
            they withdrew the request, and with the reason if the vote was dropped.

    Attributes:
        open: The open vote, or None.
    """

    def __init__(
        self,
        table: VoteTable,
        asked: Callable[[Vote, tuple[Seat, ...]], object],
        ended: Callable[[Vote, tuple[Seat, ...], str], object],
    ) -> None:
        self.open: Vote | None = None
        self._table = table
        self._asked = asked
        self._ended = ended

    def request(self, rule: VoteRule, by: tuple[Seat, ...], actions: int = 0) -> None:
        """Do something at once if it needs no consent, or begin a vote.

        A player who requests the same as the open vote agrees to it.

        Raises:
            NotPermitted: A different vote is open.
            TabletopError, ValueError: The rule refuses the request.
        """
        vote = self.open
        if vote is not None and vote.kind != rule.kind and rule.request:
            raise self._other_vote(vote)
        waiting = rule.voters(self._table, by, actions)
        new = Vote(rule.kind, by, waiting, actions)
        if not waiting:
            rule.carry_out(self._table, new)
            if self.open is vote and rule.request:  # players who had to agree have left since
                self._end()
        elif vote is None:
            self.open = new
            self._asked(new, by + waiting)
        elif vote.actions == actions and not set(by).isdisjoint(vote.waiting):
            self.answer(by, yes=True)
        else:
            raise self._other_vote(vote)

    def answer(self, by: tuple[Seat, ...], *, yes: bool, kind: str = "") -> None:
        """Take an answer to the open vote, and carry out the vote after the last consent.

        The players who asked can answer no, which withdraws their request.

        Args:
            by: The seats of the player who answers.
            yes: Whether they agree.
            kind: The kind of vote that they answer, or an empty text for any kind.

        Raises:
            OutOfDate: No vote of that kind is open.
            NotPermitted: Other players must answer.
            RecordError: The effect cannot be recorded. The vote stays open.
        """
        vote = self.open
        if vote is None or kind not in {"", vote.kind}:
            raise OutOfDate(f"there is no {f'{kind} ' if kind else ''}request to answer")
        if set(by).isdisjoint(vote.waiting if yes else vote.by + vote.waiting):
            raise NotPermitted("the other players must answer this request")
        if not yes:
            self._end(refused=by)
            return
        waiting = tuple(seat for seat in vote.waiting if seat not in by)
        if waiting:
            self.open = replace(vote, waiting=waiting)
            self._asked(self.open, vote.by + by)
            return
        self.open = None  # so that the effect does not drop the vote
        try:
            RULES[vote.kind].carry_out(self._table, vote)
        except BaseException:
            self.open = vote
            raise
        if self.open is None:  # no client has begun another vote meanwhile
            self._ended(vote, (), "")

    def drop(self, why: str) -> None:
        """Drop the open vote for a reason, such as "the match has continued"."""
        if self.open is not None:
            request = RULES[self.open.kind].request
            self._end(note=f"the {request} was dropped, because {why}")

    def _end(self, refused: tuple[Seat, ...] = (), note: str = "") -> None:
        vote, self.open = self.open, None
        if vote is not None:
            self._ended(vote, refused, note)

    def _other_vote(self, vote: Vote) -> NotPermitted:
        who, aim = _named(self._table.match, vote.by), RULES[vote.kind].aim(vote)
        asks = "ask" if len(vote.by) > 1 else "asks"
        return NotPermitted(f"{who} {asks} to {aim}; that request must be answered first")


def _named(match: AnyMatch, seats: Iterable[Seat]) -> str:
    names = printable_names(match.names)
    return join_words([names[seat] for seat in seats], "and")
