"""The messages from a client to a table, whose names end in `In`.

Each message is validated. A message with an unknown type, an unknown field or a text that is too
long is refused. The refusal describes a valid message.
"""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Annotated, Final, Literal, TypeAlias

import msgspec
from msgspec import Meta, Struct

from tabletop.errors import TabletopError
from tabletop.wording import truncate

PROTOCOL: Final = 2
"""Version of the protocol. Later additions of fields and messages do not change it."""

MAX_BYTES: Final = 4096
"""Size limit of a message from a client, in bytes."""

MAX_SAMPLES: Final = 1000
"""Limit of the number of states in one request. A table may have a lower limit."""

Line: TypeAlias = Annotated[str, Meta(max_length=2000)]
Name: TypeAlias = Annotated[str, Meta(max_length=100)]
Number: TypeAlias = Annotated[int, Meta(ge=0, le=2**53 - 1)]
SeatNumber: TypeAlias = Annotated[int, Meta(ge=0, le=999)]
Cells: TypeAlias = Annotated[int, Meta(ge=0, le=9999)]
ChatText: TypeAlias = Annotated[str, Meta(min_length=1, max_length=500)]

Drawing: TypeAlias = Literal["", "wide", "narrow", "small", "landscape"]
"""The picture that a client requests: none, or one for a wide screen, a phone, a small phone, or a
phone in landscape orientation."""


class InvalidMessage(TabletopError):
    """A client has sent an invalid message. The text describes a valid one."""


class HalfCharacter(InvalidMessage):
    """A text of a message contains half of a character: a surrogate without its other half.

    Attributes:
        id: The `id` of the message, or 0 if it has none.
    """

    def __init__(self, id: int) -> None:
        super().__init__(
            "the text contains half of a character, such as of an emoji; send it whole"
        )
        self.id = id


class _In(Struct, frozen=True, tag_field="type", forbid_unknown_fields=True):
    """The base of messages from a client."""


class _Request(_In, frozen=True):
    """The base of requests without required fields.

    Attributes:
        id: The number of the request, which its answer contains, or 0 for no answer.
    """

    id: Number = 0


class HelloIn(_In, frozen=True, tag="hello"):
    """The first message of a connection.

    Attributes:
        token: The token of the link, which is the part after `#`.
        protocol: The version of the protocol that the client uses; see `PROTOCOL`.
        picture: The picture that each state contains.
        data: Whether views, actions and events are also sent as data.
        changes: Whether later states may be sent as `ChangesOut`.
        columns, rows: The size of a terminal, or 0 for another client. A terminal receives texts of
            the game for terminals (`StateOut.text`, `news`, `numbered` and `prompt`,
            `ChoiceOut.hint` and `RefusedOut.message`). The server rounds the size down, to 80, 100,
            120, 160 or 200 columns and 24, 30, 40, 50 or 60 rows, or up to 80 columns and 24 rows.
        lessons: Whether states contain the sentences of the tutorial.
    """

    token: Name
    protocol: Number = PROTOCOL
    picture: Drawing = ""
    data: bool = True
    changes: bool = False
    columns: Cells = 0
    rows: Cells = 0
    lessons: bool = False


class ActIn(_In, frozen=True, tag="act"):
    """An action in the words that a player would type, and its seat if the connection has several.

    `revision` is the `StateOut.revision` of the state that the action answers. The action is
    refused if the seat has acted since that state, or if actions were undone or redone. An action
    that arrives twice, for example because of a double click, is played once without an error. A
    client may send `ply` in place of `revision`, but after an undo two states may have the same
    `ply`.

    A request (of this or another type) with an `id` above 0 gets exactly one answer with the same
    `id`: `DoneOut`, `RefusedOut`, or the answer to a question.
    """

    line: Line
    id: Number = 0
    seat: SeatNumber | None = None
    ply: Number | None = None
    revision: Number | None = None


class UndoIn(_Request, frozen=True, tag="undo"):
    """Undo actions, for which other players may be asked for their consent first.

    Attributes:
        actions: The number of actions, or None for the player's last action and all since.
    """

    actions: Number | None = None


class RedoIn(_Request, frozen=True, tag="redo"):
    """Redo undone actions.

    Attributes:
        actions: The number of actions, or None for all up to the next person's turn.
    """

    actions: Number | None = None


class ConsentIn(_In, frozen=True, tag="consent"):
    """The answer to an open request. The player who made the request may withdraw it with "no".

    Attributes:
        kind: The `ConsentOut.kind` of the request that this answers. If it is empty, the answer is
            for the open request, whatever its kind.
    """

    yes: bool
    id: Number = 0
    kind: Name = ""


class ReseatIn(_In, frozen=True, tag="seat"):
    """Set the player of a seat: "human", or the name of a bot."""

    seat: SeatNumber
    player: Name
    id: Number = 0


class PlayAgainIn(_Request, frozen=True, tag="again"):
    """Open a table for the same people after the match. Everybody moves to the next seat."""


class ExplainIn(_In, frozen=True, tag="why"):
    """Request the reason why a part of the picture cannot be used now.

    Attributes:
        part: The part.
        chosen: The parts that the player has chosen before, in order.
    """

    part: Name
    id: Number = 0
    chosen: tuple[Name, ...] = ()


class HintIn(_Request, frozen=True, tag="hint"):
    """Request the action that a bot would play. The answer is a `HintOut` or a refusal."""


class LayoutIn(_In, frozen=True, tag="layout"):
    """Request another picture or other texts in later states, because the size has changed.

    Attributes:
        picture: The picture that each state contains.
        columns, rows: The size of a terminal, as in `HelloIn`.
    """

    picture: Drawing
    columns: Cells = 0
    rows: Cells = 0


class SayIn(_In, frozen=True, tag="say"):
    """Send a chat message to everybody at the table. Spectators cannot chat.

    The message becomes a line of the log. It is not stored in the record.
    """

    text: ChatText
    id: Number = 0


class LookIn(_In, frozen=True, tag="look"):
    """Request the position after `ply` actions, as this connection saw it then."""

    ply: Number
    id: Number = 0


class RulesIn(_Request, frozen=True, tag="rules"):
    """Request the rules of the game."""


class SampleIn(_In, frozen=True, tag="sample"):
    """Request states that a seat to act cannot distinguish from the real state.

    A table may draw fewer than `count` states, but at least one.
    """

    count: Annotated[int, Meta(ge=1, le=MAX_SAMPLES)] = 1
    id: Number = 0
    seat: SeatNumber | None = None


class ProposeIn(_In, frozen=True, tag="propose"):
    """Propose something to the other players, or do it at once if it needs no consent.

    Attributes:
        kind: The kind of the proposal, which is in `StateOut.proposals` if it is possible.
    """

    kind: Name
    id: Number = 0


class ResignIn(_Request, frozen=True, tag="resign"):
    """Resign: the seat loses. With more than two seats, a bot plays on for it.

    Attributes:
        seat: The seat, which is in `StateOut.can_resign`. By default the only seat of the
            connection, or its seat to act.
    """

    seat: SeatNumber | None = None


class PassIn(_In, frozen=True, tag="pass"):
    """Pass now and until the end of the turn (`on`), or decide again.

    Games whose rules define `Game.passing` have reactions on which a player can pass.
    """

    on: bool = True
    seat: SeatNumber | None = None
    id: Number = 0


class AskIn(_In, frozen=True, tag="ask"):
    """Enter a command of the game that only shows information, such as `hand` or `board`.

    `TableOut.commands` lists these commands. In addition, `/table` shows the position again, and
    `/actions` all legal actions. The answer is a `TextOut`. A command such as `no to all` enters
    an action, now and again whenever the seat is to act.
    """

    line: Line
    id: Number = 0


class HelpIn(_Request, frozen=True, tag="help"):
    """Request the commands of the game, those that are possible now first."""


class SitIn(_In, frozen=True, tag="sit"):
    """Sit down at a shared screen or keyboard, which shows the view of the seat from now on."""

    seat: SeatNumber
    id: Number = 0


Request: TypeAlias = (
    ActIn
    | UndoIn
    | RedoIn
    | ConsentIn
    | ReseatIn
    | PlayAgainIn
    | ExplainIn
    | HintIn
    | SayIn
    | LookIn
    | RulesIn
    | SampleIn
    | ProposeIn
    | ResignIn
    | PassIn
    | AskIn
    | HelpIn
    | SitIn
)
"""A message that the table answers."""

MessageIn: TypeAlias = HelloIn | LayoutIn | Request
"""All messages that a client can send."""

_DECODER: Final = msgspec.json.Decoder(MessageIn)


def decode(text: str | bytes) -> MessageIn:
    """Return the message of a client.

    Raises:
        HalfCharacter: The message is valid except for half of a character in a text.
        InvalidMessage: The message is invalid.
    """
    data = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
    if len(data) > MAX_BYTES:
        raise InvalidMessage(f"the message has {len(data)} bytes; send at most {MAX_BYTES}")
    try:
        sent: MessageIn = _DECODER.decode(data)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        _refuse_half_characters(data)
        raise InvalidMessage(f"invalid message: {truncate(str(error), 200)}") from error
    return sent


def _refuse_half_characters(data: bytes) -> None:
    """Raise `HalfCharacter` if a message is valid with "?" in place of unpaired surrogates."""
    with suppress(msgspec.MsgspecError, ValueError, RecursionError):
        text = json.dumps(json.loads(data), ensure_ascii=False)
        sent = _DECODER.decode(text.encode("utf-8", "replace"))
        raise HalfCharacter(getattr(sent, "id", 0))
