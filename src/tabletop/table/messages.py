"""The notifications of a session to its clients."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, TypeAlias

from msgspec import Struct

from tabletop.rules.events import Event, Watcher
from tabletop.states.bounds import Seat
from tabletop.table.players import ActionFailed


@dataclass(frozen=True, slots=True)
class Observed:
    """An event of the match. A client with several seats receives one notification for each.

    Attributes:
        number: The number of the event at this table, from 1, which is the same for all observers.
        watcher: The observer: a seat, or None for a spectator.
        event: The event, as that watcher may see it.
    """

    number: int
    watcher: Watcher
    event: Event


@dataclass(frozen=True, slots=True)
class Changed:
    """The position has changed, so earlier pictures and texts are out of date.

    Attributes:
        ply: The number of actions played so far.
    """

    ply: int


class Vote(Struct, frozen=True):
    """A request that other players must agree to.

    Attributes:
        kind: The kind of request, such as "undo" or "pause".
        by: The seats that asked.
        waiting: The seats that have not answered.
        actions: The number of actions to undo, or 0 for another kind.
    """

    kind: str
    by: tuple[Seat, ...]
    waiting: tuple[Seat, ...]
    actions: int = 0


@dataclass(frozen=True, slots=True)
class VoteAsked:
    """A vote has begun, or some of its players have agreed. Answer with `ConsentIn`.

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
        seat: The seat.
        player: "human" or the name of a bot.
    """

    seat: Seat
    player: str


@dataclass(frozen=True, slots=True)
class BotFailed:
    """A bot has failed. A `Seated` notification with its successor follows.

    Attributes:
        seat: The seat of the bot.
        player: The name of the bot.
        error: The exception.
    """

    seat: Seat
    player: str
    error: Exception


Notification: TypeAlias = (
    Observed | Changed | VoteAsked | VoteEnded | Seated | BotFailed | ActionFailed
)
"""Any notification of a client."""


class Client(Protocol):
    """The people behind one link of a table, or the table itself."""

    def notify(self, notification: Notification) -> object:
        """Receive a notification. An exception is reported, and does not affect other clients."""
        ...
