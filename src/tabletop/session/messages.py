"""What a front may ask of a session, and what a session notifies its fronts of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

from tabletop.events import Event, Watcher
from tabletop.outcome import Outcome, Seat


@dataclass(frozen=True, slots=True)
class Act:
    """Act for a seat, in the words that a person typed: an action, or the number of a listed one.

    Attributes:
        line: the words.
        seat: whose action it is; the first of the front's seats that is to act when None.
    """

    line: str
    seat: Seat | None = None


@dataclass(frozen=True, slots=True)
class Play:
    """Act for a seat, with the action itself: what a click on a board means."""

    action: Any


@dataclass(frozen=True, slots=True)
class Undo:
    """Take back actions. At a fair table others may be asked for their consent first.

    Attributes:
        actions: how many; the last one of a person and all since when None. Where that takes the
            consent of others, it is a person of this front.
    """

    actions: int | None = None


@dataclass(frozen=True, slots=True)
class Consent:
    """Answer somebody who has asked to take back actions; see `UndoAsked`.

    Who has asked may say no as well: then nothing is asked any more.

    Attributes:
        yes: whether they may.
    """

    yes: bool


@dataclass(frozen=True, slots=True)
class Redo:
    """Play actions again that were taken back.

    Attributes:
        actions: how many; up to the next person's turn when None.
    """

    actions: int | None = None


@dataclass(frozen=True, slots=True)
class Reseat:
    """Let somebody else decide for a seat: hand it to a bot, or take it back.

    Attributes:
        seat: which one.
        player: "human" (`tabletop.records.format.HUMAN`) or the name of a bot; letter case does
            not matter.
    """

    seat: Seat
    player: str


Request: TypeAlias = Act | Play | Undo | Consent | Redo | Reseat
"""Everything that a front may ask."""


# Notifications.


@dataclass(frozen=True, slots=True)
class Observed:
    """Something has happened. A front with several seats is notified once for each.

    Attributes:
        number: counts what has happened at this table, from 1; the same for all who observe it.
        watcher: who observes it: a seat, or None for a spectator.
        event: what happened, as that watcher may know it.
    """

    number: int
    watcher: Watcher
    event: Event


@dataclass(frozen=True, slots=True)
class Changed:
    """The position has changed: what was shown of it is out of date.

    Attributes:
        ply: how many actions have been played by now.
    """

    ply: int


@dataclass(frozen=True, slots=True)
class Asked:
    """One of the front's seats is to decide. Sent once for each position."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Refused:
    """A request of this front was refused; nothing has changed.

    Attributes:
        request: what was asked.
        error: why not. A `RecordLost` says that nothing more can be written down.
    """

    request: Request
    error: Exception


@dataclass(frozen=True, slots=True)
class UndoAsked:
    """Somebody else asks to take back actions. The answer is the request `Consent`.

    Attributes:
        seats: who asks.
        actions: how many are to be taken back.
    """

    seats: tuple[Seat, ...]
    actions: int


@dataclass(frozen=True, slots=True)
class UndoDropped:
    """What somebody has asked to take back stands, and is asked no more.

    Attributes:
        seats: who asked.
        actions: how many were to be taken back.
        refused: who did not agree; nobody when something else was done meanwhile.
    """

    seats: tuple[Seat, ...]
    actions: int
    refused: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class Seated:
    """Somebody else decides for a seat from now on.

    Attributes:
        seat: which one.
        player: "human" or the name of a bot.
    """

    seat: Seat
    player: str


@dataclass(frozen=True, slots=True)
class BotFailed:
    """A bot has failed. Its seat waits until a `Reseat` says who plays on for it.

    Attributes:
        seat: whose bot it was.
        player: its name.
        error: what it raised.
    """

    seat: Seat
    player: str
    error: Exception


@dataclass(frozen=True, slots=True)
class Ended:
    """The match is over. It may go on all the same: somebody may take actions back.

    Attributes:
        outcome: how it ended; None when the rules do not say.
    """

    outcome: Outcome | None


Notification: TypeAlias = (
    Observed | Changed | Asked | Refused | UndoAsked | UndoDropped | Seated | BotFailed | Ended
)
"""Everything that a front is notified of."""


class Front(Protocol):
    """Shows a session to people, and says what they want: a terminal, a browser, a program."""

    def notify(self, notification: Notification) -> object:
        """Receive a notification. An exception is reported, and affects no other front.

        A front may make requests while it is notified. What comes of them is delivered later, when
        everybody has received what came before.
        """
        ...
