"""The messages between a client and a table: `...In` from the client, `...Out` to the client.

Each incoming message is validated before it is used. A message of an unknown type, with an unknown
field or with a text that is too long is refused, and the answer describes a valid one.
"""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Annotated, Any, Final, Literal, TypeAlias

import msgspec
from msgspec import Meta, Struct

from tabletop.errors import TabletopError
from tabletop.states.bounds import Seat
from tabletop.wording import truncate

PROTOCOL: Final = 1
"""The version of the protocol. Fields and messages may be added to it; what is there stays."""

MAX_BYTES: Final = 4096
"""The largest message that a client may send."""

MAX_SAMPLES: Final = 1000
"""The most states that are drawn for one request; a table may draw fewer."""

Line: TypeAlias = Annotated[str, Meta(max_length=2000)]
Name: TypeAlias = Annotated[str, Meta(max_length=100)]
Number: TypeAlias = Annotated[int, Meta(ge=0, le=2**53 - 1)]
SeatNumber: TypeAlias = Annotated[int, Meta(ge=0, le=999)]
Said: TypeAlias = Annotated[str, Meta(min_length=1, max_length=500)]

Drawing: TypeAlias = Literal["", "wide", "narrow"]
"""The picture that a client wants: none, or for a wide or a narrow screen."""

Reason: TypeAlias = Literal[
    "invalid", "words", "illegal", "refused", "record", "failed", "token", "stopped", "busy"
]
"""Why something is refused.

- `invalid`: it is no message of this protocol;
- `words`: the words mean no action;
- `illegal`: the rules, or whose turn it is, do not allow it now;
- `refused`: this table, or this server, does not allow it, or not to this client;
- `record`: the table cannot save it at the moment, and nothing has changed;
- `failed`: the rules of the game have failed at it, and nothing was done;
- `token`: the link opens nothing here;
- `stopped`: the table stands still until its host does something;
- `busy`: there is no room or no time for it; trying again later may help.
"""


class InvalidMessage(TabletopError):
    """A client has sent an invalid message; the text describes a valid one."""


class HalfCharacter(InvalidMessage):
    """A text of a message contains half of a character: a surrogate without its other half.

    Attributes:
        id: The `id` of the message; 0 for none.
    """

    def __init__(self, id: int) -> None:
        super().__init__(
            "the text contains half of a character, such as of an emoji; send it whole"
        )
        self.id = id


class _In(Struct, frozen=True, tag_field="type", forbid_unknown_fields=True):
    """The base of incoming messages."""


class HelloIn(_In, frozen=True, tag="hello"):
    """The first message of a connection.

    Attributes:
        token: the token of the link: what stands behind its `#`.
        protocol: the version that the client speaks; see `PROTOCOL`.
        picture: the picture that each state is to have.
        data: whether views, actions and events are sent as data as well.
        changes: whether later states may be sent as `ChangesOut`.
    """

    token: Name
    protocol: Number = PROTOCOL
    picture: Drawing = ""
    data: bool = True
    changes: bool = False


class ActIn(_In, frozen=True, tag="act"):
    """An action as a person would type it, and its seat if the connection has several.

    `revision` is the one of the state that the action answers. The action is refused if the seat
    has acted since, or if actions were undone or redone since. The same action sent twice, such as
    by a double click, is played once without an error. A client may send `ply` instead, but after
    an undo two states may have the same `ply`.

    Here and below: a request with an `id` above 0 is answered by one message with this `id`:
    `DoneOut`, `RefusedOut`, or the answer to a question.
    """

    line: Line
    id: Number = 0
    seat: SeatNumber | None = None
    ply: Number | None = None
    revision: Number | None = None


class UndoIn(_In, frozen=True, tag="undo"):
    """Undo actions, for which other players may be asked for their consent first.

    Attributes:
        actions: The number of actions, or None for the player's last action and all since.
    """

    id: Number = 0
    actions: Number | None = None


class RedoIn(_In, frozen=True, tag="redo"):
    """Redo undone actions.

    Attributes:
        actions: The number of actions, or None for all up to the next person's turn.
    """

    id: Number = 0
    actions: Number | None = None


class ConsentIn(_In, frozen=True, tag="consent"):
    """The answer to a person who asks for something; who has asked may say no as well.

    Attributes:
        pause: whether it answers a request for a pause, or one to take back; None for whichever is
            open.
    """

    yes: bool
    id: Number = 0
    pause: bool | None = None


class ReseatIn(_In, frozen=True, tag="seat"):
    """Change the player of a seat: "human", or the name of a bot."""

    seat: SeatNumber
    player: Name
    id: Number = 0


class PlayAgainIn(_In, frozen=True, tag="again"):
    """Open a table for the same people, each a seat further, once the match is over."""

    id: Number = 0


class ExplainIn(_In, frozen=True, tag="why"):
    """Ask why a part of the picture cannot be used now."""

    part: Name
    id: Number = 0


class HintIn(_In, frozen=True, tag="hint"):
    """Ask what a bot would do; the answer is a `HintOut` or a refusal."""

    id: Number = 0


class LayoutIn(_In, frozen=True, tag="layout"):
    """Ask for another picture from now on: the screen has become narrow or wide."""

    picture: Drawing


class SayIn(_In, frozen=True, tag="say"):
    """Say something to all who are at the table; only who sits there may.

    It becomes one line of the log, and is written nowhere else.
    """

    text: Said
    id: Number = 0


class LookIn(_In, frozen=True, tag="look"):
    """Ask for the position after so many actions, as this connection was shown it then."""

    ply: Number
    id: Number = 0


class RulesIn(_In, frozen=True, tag="rules"):
    """Ask for the rules of the game."""

    id: Number = 0


class SampleIn(_In, frozen=True, tag="sample"):
    """Ask for states that a seat which is to act cannot tell from the real one.

    A table may draw fewer than `count`, but at least one.
    """

    count: Annotated[int, Meta(ge=1, le=MAX_SAMPLES)] = 1
    id: Number = 0
    seat: SeatNumber | None = None


class PauseIn(_In, frozen=True, tag="pause"):
    """Ask the others to stop all clocks (`on`), or let them run again.

    Nobody is asked to let them run; whoever acts does it as well.
    """

    on: bool
    id: Number = 0


MessageIn: TypeAlias = (
    HelloIn
    | ActIn
    | UndoIn
    | RedoIn
    | ConsentIn
    | ReseatIn
    | PlayAgainIn
    | ExplainIn
    | HintIn
    | LayoutIn
    | SayIn
    | LookIn
    | RulesIn
    | SampleIn
    | PauseIn
)
"""Every message that a client can send."""

_DECODER: Final = msgspec.json.Decoder(MessageIn)


def decode(text: str | bytes) -> MessageIn:
    """Return the message of a client.

    Raises:
        HalfCharacter: The message is valid except for half of a character in a text.
        InvalidMessage: The message is invalid.
    """
    data = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
    if len(data) > MAX_BYTES:
        raise InvalidMessage(f"a message of {len(data)} bytes: {MAX_BYTES} are the most")
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


class _Out(Struct, frozen=True, tag_field="type"):
    """The base of outgoing messages."""


class BotOut(Struct, frozen=True):
    """A bot that can be chosen: its name, and the heading under which it stands in a list."""

    name: str
    group: str


class TableOut(_Out, frozen=True, tag="table"):
    """The seats and players of a table; sent first, and again after each change.

    Attributes:
        protocol: the version that the server speaks.
        game, title: the name of the game, and what it is called.
        version: the version of its rules.
        options: the options of the match, told to a bot of its host alone: they may hold decks.
            Everybody else is told in the end; see `OverOut`.
        called: the names as the game writes them, such as `Ada (Blue)`.
        players: the player of each seat: "human", or the name of a bot.
        you: the seats that this connection decides for.
        bots: the bots that a seat can be given to, from the plainest names on.
        here: for each seat, whether its person is connected; true for a bot.
        watching: how many watch without a seat.
        offered: the seats that the others may give to a bot: their people have been away for long,
            or have not acted for `patience`.
        patience: the seconds after which the seat of who is here, and does not act, is offered;
            None for never.
        casual: whether people may undo even actions with draws.
        free_undo: whether everything can be undone without asking anybody.
        clock: the seconds that each seat has left; None for a seat without a clock.
        running: the seats whose clocks run.
        increment: the seconds that a seat gains with each of its actions.
        move_time: the seconds for each action; None where they are for the whole match.
        paused: whether all clocks stand still, as everybody has agreed; bots wait as well.
        commitment: the commitment to the seed and the salt, which nobody knows before the end; None
            without a salt.
        hosted: whether there is a lobby, and the same people can play again.
        hints: whether people may ask what a bot would do.
        chat: whether who sits here may say something.
        rules: whether the rules of the game can be asked for.
        thinking: what is said of a bot that thinks now; empty for none.
        watch: the path of the page for who watches, to be handed on; empty where that is not told.
    """

    game: str
    title: str
    version: str
    names: tuple[str, ...]
    called: tuple[str, ...]
    players: tuple[str, ...]
    you: tuple[Seat, ...]
    protocol: int = PROTOCOL
    options: dict[str, int | float | str | bool | None] = {}
    spectator: bool = False
    bots: tuple[BotOut, ...] = ()
    here: tuple[bool, ...] = ()
    watching: int = 0
    offered: tuple[Seat, ...] = ()
    patience: float | None = None
    casual: bool = False
    free_undo: bool = False
    clock: tuple[float | None, ...] = ()
    running: tuple[Seat, ...] = ()
    increment: float = 0
    move_time: float | None = None
    paused: bool = False
    commitment: str | None = None
    hosted: bool = False
    hints: bool = False
    chat: bool = False
    rules: bool = False
    thinking: str = ""
    watch: str = ""


class DataOut(Struct, frozen=True):
    """An action or an event as data: the name of its class, and its fields as JSON.

    `tabletop schema` describes both.
    """

    type: str
    value: Any


class ChoiceOut(Struct, frozen=True):
    """A legal action.

    Attributes:
        words: what to send in `ActIn.line` to choose it.
        label: what it is called on a button.
        path: the parts of the picture to click for it, one after the other; empty for none.
        seat: whose action it is.
        action: the same as data, where that was asked for.
    """

    words: str
    label: str
    path: tuple[str, ...]
    seat: Seat
    action: DataOut | None = None


class OverOut(Struct, frozen=True):
    """The outcome of a match, and links for afterwards.

    Attributes:
        text: the outcome in words.
        winners, points: of the match; no points where all seats win or lose together.
        reason: why it has ended, in words; may be empty.
        outcome: the whole outcome as data: `ranking`, `reason`, `abandoned`, `points` and `best`.
        seed: the seed; empty for a bot of the table's host, whose other matches may have it too.
        options: the options that differ from their defaults.
        again: the command that plays the same world again.
        film: the path of the page that replays the match.
        next: the page of the table where the same people play again, with the reader's own token
            behind its `#`; without one, the same token opens it.
    """

    text: str
    winners: tuple[Seat, ...] = ()
    points: tuple[int | float, ...] = ()
    reason: str = ""
    outcome: Any = None
    seed: str = ""
    options: dict[str, int | float | str | bool | None] = {}
    again: str = ""
    salt: str | None = None
    film: str | None = None
    next: str | None = None


class StateOut(_Out, frozen=True, tag="state"):
    """The position as one seat sees it; sent after each change.

    Attributes:
        ply: the number of actions played so far.
        seat: the seat whose view it is; None for a spectator.
        turn: the seats that are to act.
        asked: those of them that this connection decides for.
        prompt: the question of the game, in words.
        choices: the legal actions of `asked`.
        more: the number of legal actions not among `choices`.
        can_undo, can_redo: whether this connection may do that, or may ask the others for it.
        no_undo: the reason why nothing can be undone; empty where it is obvious.
        commands: the usage of the commands.
        line: the number of the last line of the log up to this position.
        over: how the match ended; None before.
        deadline: the seconds in which to act; None for no limit.
        text: the position in words.
        svg: the picture; empty where none was asked for.
        view: what the seat sees of the state, as JSON, where data was asked for.
        revision: The number of the position. It grows with each change, undo included, and never
            repeats; 0 for a bot program, whose answers need none.
    """

    ply: int
    seat: Seat | None
    turn: tuple[Seat, ...]
    asked: tuple[Seat, ...] = ()
    prompt: str = ""
    choices: tuple[ChoiceOut, ...] = ()
    more: int = 0
    can_undo: bool = False
    can_redo: bool = False
    no_undo: str = ""
    commands: tuple[str, ...] = ()
    line: int = 0
    over: OverOut | None = None
    deadline: float | None = None
    text: str = ""
    svg: str = ""
    view: Any = None
    revision: int = 0


Pieces: TypeAlias = tuple[Any, ...]
"""A text or a list as pieces of an earlier one; see `tabletop.protocol.pieces_of`."""


class ChangesOut(_Out, frozen=True, tag="changes"):
    """A state that follows the last one this connection got, as far as it differs from it.

    Attributes:
        fields: the fields that have other values now.
        pieces: the fields of which only pieces are new: `svg`, `text` and `choices`.
    """

    fields: dict[str, Any]
    pieces: dict[str, Pieces]


class PastOut(_Out, frozen=True, tag="past"):
    """The answer to `LookIn`: an earlier position, as this connection was shown it then.

    Attributes:
        ply: the number of actions played then, of the present line of play.
        text: the position in words.
        svg: the picture, which cannot be clicked; empty where none was asked for.
        view: what the seat saw of the state, as JSON, where data was asked for.
        line: the number of the last line of the log up to that position; 0 for none that is kept.
    """

    id: int
    ply: int
    text: str = ""
    svg: str = ""
    view: Any = None
    line: int = 0


class LineOut(Struct, frozen=True):
    """A line of the log.

    Attributes:
        n: later lines have higher numbers.
        text: the words; empty for an event that the game has no words for.
        seat: the seat that acted, that speaks, or whose turn begins; None for nobody.
        kind: "turn" for the heading of a turn, "remark" for a line about the table, "chat" for
            what somebody said; else empty.
        ply: the number of actions that were played then.
        event: the event as data, where that was asked for.
    """

    n: int
    text: str
    seat: Seat | None = None
    kind: str = ""
    ply: int = 0
    event: DataOut | None = None


class LogOut(_Out, frozen=True, tag="log"):
    """New lines of the log, as this seat may know them."""

    lines: tuple[LineOut, ...]


class DoneOut(_Out, frozen=True, tag="done"):
    """A request was carried out."""

    id: int


class RefusedOut(_Out, frozen=True, tag="refused"):
    """A request was refused, and nothing has changed."""

    id: int
    reason: Reason
    message: str


class ExplainOut(_Out, frozen=True, tag="why"):
    """The answer to `ExplainIn`."""

    id: int
    message: str


class HintOut(_Out, frozen=True, tag="hint"):
    """The answer to `HintIn`: what a bot would do for a seat, and how sure it is.

    Without `words` there is none: the position has changed meanwhile. `because` says in lines what
    speaks for it, and what the bot thinks of other actions.
    """

    id: int
    seat: Seat
    words: str = ""
    sure: str = ""
    because: tuple[str, ...] = ()


class RulesOut(_Out, frozen=True, tag="rules"):
    """The answer to `RulesIn`: the rules of the game, as Markdown."""

    id: int
    text: str


class SamplesOut(_Out, frozen=True, tag="samples"):
    """The answer to `SampleIn`: whole states as JSON, drawn from what the seat knows.

    Where nothing is hidden, that is the real one.
    """

    id: int
    seat: Seat
    states: tuple[Any, ...]


class ConsentOut(_Out, frozen=True, tag="consent"):
    """A request to take so many actions back, or to stop the clocks (`pause`).

    With neither it is no more, and `why` says why. `name` is whose request it is; where the reader
    has made it (`waits`), who must answer.
    """

    seat: Seat
    name: str
    actions: int = 0
    pause: bool = False
    waits: bool = False
    why: str = ""


class NoteOut(_Out, frozen=True, tag="note"):
    """A short message about the table."""

    text: str


class ErrorOut(_Out, frozen=True, tag="error"):
    """An error; the server closes the connection after it."""

    message: str
    reason: Reason = "invalid"


MessageOut: TypeAlias = (
    TableOut
    | StateOut
    | ChangesOut
    | PastOut
    | LogOut
    | DoneOut
    | RefusedOut
    | ExplainOut
    | HintOut
    | RulesOut
    | SamplesOut
    | ConsentOut
    | NoteOut
    | ErrorOut
)
"""Every message that the server can send."""

_ENCODER: Final = msgspec.json.Encoder()


def encode(message: Struct) -> str:
    """Write a message as the text to send."""
    return _ENCODER.encode(message).decode("utf-8", "replace")
