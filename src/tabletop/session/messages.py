"""The requests of fronts to a session, and its notifications to them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

from tabletop.rules.events import Event, Watcher
from tabletop.rules.outcome import Outcome
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
class Consent:
    """Answer a request to undo actions; see `UndoAsked`.

    A front that has asked may say no as well: this withdraws its request.

    Attributes:
        yes: whether to consent.
    """

    yes: bool


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


Request: TypeAlias = Act | Play | Undo | Consent | Redo | Reseat
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


@dataclass(frozen=True, slots=True)
class UndoAsked:
    """Another front asks to undo actions. Answer with the request `Consent`.

    Attributes:
        seats: the seats that ask.
        actions: the number of actions to take back.
    """

    seats: tuple[Seat, ...]
    actions: int


@dataclass(frozen=True, slots=True)
class UndoDropped:
    """A request to undo actions was dropped; the actions stand.

    Attributes:
        seats: the seats that asked.
        actions: the number of actions asked about.
        refused: the seats that refused; none when something else was done meanwhile.
    """

    seats: tuple[Seat, ...]
    actions: int
    refused: tuple[Seat, ...]


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
    Observed | Changed | Asked | UndoAsked | UndoDropped | Seated | BotFailed | Ended
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
