"""The requests of fronts to a session, and its notifications to them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, Protocol, TypeAlias

from msgspec import Struct

from tabletop.rules.events import Event, Watcher
from tabletop.rules.outcome import Outcome
from tabletop.session.players import ActionFailed
from tabletop.states.bounds import Seat


@dataclass(frozen=True, slots=True)
class Act:
    """Act for a seat, in the words that a person typed: an action, or the number of a listed one.

    Attributes:
        line: the typed line.
        seat: the seat that acts; the first of the front's seats that is to act when None.
        ply: The number of actions played in the position that the action answers, for clients that
            do not know its revision. After an undo, two positions may have the same number.
        revision: The `Session.revision` of the position that the action answers. The action is
            refused if the seat has acted since, or if actions were undone or redone since. The
            same action sent twice, such as by a double click, is played once without an error.
            Without `ply` and `revision`, the action answers the present position.
    """

    line: str
    seat: Seat | None = None
    ply: int | None = None
    revision: int | None = None


@dataclass(frozen=True, slots=True)
class Play:
    """Act for a seat, with the action itself: the meaning of a click on a board."""

    action: Any


@dataclass(frozen=True, slots=True)
class Undo:
    """Take back actions. At a fair table others may be asked for their consent first.

    Attributes:
        actions: the number of actions; when None, the last one of a person and all since. Where
            others must consent, it is a person of this front.
    """

    actions: int | None = None


@dataclass(frozen=True, slots=True)
class Pause:
    """Pause all clocks of a table, for which others may be asked for their consent first.

    Attributes:
        on: Whether to pause the clocks. False starts them again, which needs no consent.
    """

    on: bool


VoteKind: TypeAlias = Literal["undo", "pause"]
"""The kind of request that players vote on."""


@dataclass(frozen=True, slots=True)
class Consent:
    """Answer the open vote (`VoteAsked`).

    The client that asked can also answer no, which withdraws the request.

    Attributes:
        yes: Whether to consent.
        kind: The kind of vote that this answers, or None for any kind.
    """

    yes: bool
    kind: VoteKind | None = None


@dataclass(frozen=True, slots=True)
class Redo:
    """Play actions again that were undone.

    Attributes:
        actions: the number of actions; up to the next person's turn when None.
    """

    actions: int | None = None


@dataclass(frozen=True, slots=True)
class Reseat:
    """Change the player of a seat: hand it to a bot, or take it back.

    Attributes:
        seat: the seat.
        player: "human" (`tabletop.records.HUMAN`) or the name of a bot; letter case does
            not matter.
    """

    seat: Seat
    player: str


Request: TypeAlias = Act | Play | Undo | Pause | Consent | Redo | Reseat
"""Any request of a front."""


# Notifications.


@dataclass(frozen=True, slots=True)
class Observed:
    """An event of the match. A front with several seats is notified once for each.

    Attributes:
        number: the number of the event at this table, from 1; the same for all observers.
        watcher: its observer: a seat, or None for a spectator.
        event: the event, as that watcher may know it.
    """

    number: int
    watcher: Watcher
    event: Event


@dataclass(frozen=True, slots=True)
class Changed:
    """The position has changed: earlier pictures and texts of it are out of date.

    Attributes:
        ply: the number of actions played so far.
    """

    ply: int


@dataclass(frozen=True, slots=True)
class Asked:
    """A seat of the front is to decide. Sent once for each position."""

    seat: Seat


class Vote(Struct, frozen=True):
    """A request that other players must agree to.

    Attributes:
        kind: The kind of request.
        by: The seats that asked.
        waiting: The seats that have not answered.
        actions: The number of actions to undo, or 0 for a pause.
    """

    kind: VoteKind
    by: tuple[Seat, ...]
    waiting: tuple[Seat, ...]
    actions: int = 0


@dataclass(frozen=True, slots=True)
class VoteAsked:
    """A vote has begun, or some of its players have agreed. Answer with the request `Consent`.

    Both the clients that must answer and those that asked receive this.

    Attributes:
        vote: The open vote.
    """

    vote: Vote


@dataclass(frozen=True, slots=True)
class VoteEnded:
    """A vote has ended. Without `refused` and `note`, everybody has agreed.

    Attributes:
        vote: The vote.
        refused: The seats that refused, or those that asked if they withdrew the request.
        note: The reason if a vote was dropped, because the match has continued or a seat has a new
            player.
    """

    vote: Vote
    refused: tuple[Seat, ...] = ()
    note: str = ""


@dataclass(frozen=True, slots=True)
class Seated:
    """A seat has a new player from now on.

    Attributes:
        seat: the seat.
        player: "human" or the name of a bot.
    """

    seat: Seat
    player: str


@dataclass(frozen=True, slots=True)
class BotFailed:
    """A bot has failed. `Seated` follows, and says who plays on.

    Attributes:
        seat: its seat.
        player: its name.
        error: the exception.
    """

    seat: Seat
    player: str
    error: Exception


@dataclass(frozen=True, slots=True)
class Ended:
    """The match is over. Taking actions back may continue it.

    Attributes:
        outcome: the outcome; None when the rules give none.
    """

    outcome: Outcome | None


Notification: TypeAlias = (
    Observed | Changed | Asked | VoteAsked | VoteEnded | Seated | BotFailed | ActionFailed | Ended
)
"""Any notification of a front."""


class Front(Protocol):
    """A terminal, a browser or a program that shows a session to people and sends requests."""

    def notify(self, notification: Notification) -> object:
        """Receive a notification. An exception is reported, and affects no other front.

        A front may make requests while it is notified. Their notifications are delivered later,
        after all earlier ones.
        """
        ...
