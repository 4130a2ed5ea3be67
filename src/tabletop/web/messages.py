"""The JSON messages between a page and the server: `...In` from the page, `...Out` to the page.

Each incoming message is validated before it is used. A message of an unknown type, with an unknown
field or with a text that is too long is refused, and the answer describes a valid one.
"""

from __future__ import annotations

from typing import Annotated, Final, TypeAlias

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from tabletop.errors import TabletopError
from tabletop.states.bounds import Seat
from tabletop.wording import truncate

MAX_BYTES: Final = 4096
"""The largest message that a client may send."""

Line: TypeAlias = Annotated[str, Meta(max_length=2000)]
Name: TypeAlias = Annotated[str, Meta(max_length=100)]
Number: TypeAlias = Annotated[int, Meta(ge=0, le=2**53 - 1)]
SeatNumber: TypeAlias = Annotated[int, Meta(ge=0, le=999)]


class InvalidMessage(TabletopError):
    """A client has sent an invalid message; the text describes a valid one."""


class _In(Struct, frozen=True, tag_field="type", forbid_unknown_fields=True):
    """The base of incoming messages."""


class HelloIn(_In, frozen=True, tag="hello"):
    """The first message of a connection: the token of its link, and how wide its screen is."""

    token: Name
    narrow: bool = False


class ActIn(_In, frozen=True, tag="act"):
    """An action as a person would type it, and its seat where a connection has several.

    `ply` is that of the state which it answers: see `tabletop.session.Act`.

    A refusal repeats the `id`, here and below.
    """

    line: Line
    id: Number = 0
    seat: SeatNumber | None = None
    ply: Number | None = None


class UndoIn(_In, frozen=True, tag="undo"):
    """Take back my last action and all actions since."""

    id: Number = 0


class RedoIn(_In, frozen=True, tag="redo"):
    """Play the actions again that were taken back."""

    id: Number = 0


class ConsentIn(_In, frozen=True, tag="consent"):
    """The answer to a person who asks to take actions back."""

    yes: bool
    id: Number = 0


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
    """The screen has become narrow or wide."""

    narrow: bool


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
)
"""Every message that a client can send."""

_DECODER: Final = msgspec.json.Decoder(MessageIn)


def decode(text: str | bytes) -> MessageIn:
    """Read a message of a client, or raise `InvalidMessage`."""
    data = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
    if len(data) > MAX_BYTES:
        raise InvalidMessage(f"a message of {len(data)} bytes: {MAX_BYTES} are the most")
    try:
        sent: MessageIn = _DECODER.decode(data)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise InvalidMessage(f"invalid message: {truncate(str(error), 200)}") from error
    return sent


class _Out(Struct, frozen=True, tag_field="type"):
    """The base of outgoing messages."""


class BotOut(Struct, frozen=True):
    """A bot that can be chosen: its name, and the heading under which it stands in a list."""

    name: str
    group: str


class TableOut(_Out, frozen=True, tag="table"):
    """The seats and players of a table; sent first, and again after each change.

    Attributes:
        called: the names as the game writes them, such as `Ada (Blue)`.
        players: the player of each seat: "human", or the name of a bot.
        you: the seats that this connection decides for.
        bots: the bots that a seat can be given to, from the plainest names on.
        here: for each seat, whether its person is connected; true for a bot.
        offered: the seats of people who are away for long, and that a bot may take over.
        casual: whether people may undo even actions with draws.
        free_undo: whether everything can be undone without asking anybody.
        clock: the seconds that each seat has left; None for a seat without a clock.
        running: the seats whose clocks run.
        commitment: the commitment to the seed and the salt, which nobody knows before the end; None
            without a salt.
        hosted: whether there is a lobby, and the same people can play again.
        hints: whether people may ask what a bot would do.
        thinking: what is said of a bot that thinks now; empty for none.
    """

    game: str
    title: str
    names: tuple[str, ...]
    called: tuple[str, ...]
    players: tuple[str, ...]
    you: tuple[Seat, ...]
    spectator: bool
    bots: tuple[BotOut, ...]
    here: tuple[bool, ...]
    offered: tuple[Seat, ...]
    casual: bool
    free_undo: bool
    clock: tuple[float | None, ...]
    running: tuple[Seat, ...]
    commitment: str | None = None
    hosted: bool = False
    hints: bool = False
    thinking: str = ""


class ChoiceOut(Struct, frozen=True):
    """A legal action; see `tabletop.display.Clickable`."""

    words: str
    label: str
    path: tuple[str, ...]
    seat: Seat


class OverOut(Struct, frozen=True):
    """The outcome of a match, and links for afterwards.

    Attributes:
        text: the outcome in words.
        options: the options that differ from their defaults.
        again: the command that plays the same world again.
        film: the path of the page that replays the match.
        next: the page of the table where the same people play again; the same tokens open it.
    """

    text: str
    winners: tuple[Seat, ...]
    points: tuple[int | float, ...]
    reason: str
    seed: str
    options: dict[str, int | float | str | bool | None]
    again: str
    salt: str | None = None
    film: str | None = None
    next: str | None = None


TextChanges: TypeAlias = tuple[str | tuple[int, int], ...]
"""A text as changes of an earlier one; see `text_changes`."""


class StateOut(_Out, frozen=True, tag="state"):
    """The position as one seat sees it; sent after each change.

    The first state that a screen gets is whole. In each later one, `svg` and `text` are changes of
    the last state that this screen got.

    Attributes:
        turn: the seats that are to act.
        asked: those of them that this connection decides for.
        prompt: the question of the game, in words.
        more: the number of legal actions not among `choices`.
        can_undo, can_redo: whether this connection may do that, or may ask the others for it.
        no_undo: the reason why nothing can be undone; empty where it is obvious.
        text: the position in words.
        commands: the usage of the commands.
        line: the number of the last line of the log up to this position.
    """

    ply: int
    svg: str | TextChanges
    turn: tuple[Seat, ...]
    asked: tuple[Seat, ...] = ()
    prompt: str = ""
    choices: tuple[ChoiceOut, ...] = ()
    more: int = 0
    can_undo: bool = False
    can_redo: bool = False
    no_undo: str = ""
    text: str | TextChanges = ""
    commands: tuple[str, ...] = ()
    over: OverOut | None = None
    line: int = 0

    def changes_since(self, last: StateOut) -> StateOut:
        """The state for a screen that has got `last`; both are whole."""
        svg = text_changes(str(last.svg), str(self.svg), "<g")
        return replace(self, svg=svg, text=text_changes(str(last.text), str(self.text), "\n"))


def text_changes(before: str, now: str, cut: str) -> TextChanges:
    """Write a text as changes of an earlier one; `static/pieces.js` puts it together again.

    Both are cut into pieces at each `cut`. Each piece of `now` is written as a text, or as a range
    (from, before) of pieces of `before`.
    """
    old = before.split(cut)
    places = {piece: place for place, piece in enumerate(old)}
    pieces: list[str | tuple[int, int]] = []
    first = after = -1  # the range that the last pieces of `now` come from
    for piece in now.split(cut):
        if 0 < after < len(old) and old[after] == piece:
            after += 1
            pieces[-1] = first, after
        elif piece in places:
            first, after = places[piece], places[piece] + 1
            pieces.append((first, after))
        else:
            after = -1
            pieces.append(piece)
    return tuple(pieces)


class LineOut(Struct, frozen=True):
    """A line of the log.

    Attributes:
        n: later lines have higher numbers.
        seat: the seat that acted, or whose turn begins; None for nobody.
        kind: "turn" for the heading of a turn, "remark" for a line about the table; else empty.
    """

    n: int
    text: str
    seat: Seat | None = None
    kind: str = ""


class LogOut(_Out, frozen=True, tag="log"):
    """New lines of the log, as this seat may know them."""

    lines: tuple[LineOut, ...]


class RefusedOut(_Out, frozen=True, tag="refused"):
    """The reason why a request was refused."""

    id: int
    message: str


class ExplainOut(_Out, frozen=True, tag="why"):
    """The answer to `ExplainIn`."""

    id: int
    message: str


class HintOut(_Out, frozen=True, tag="hint"):
    """The answer to `HintIn`: what a bot would do for a seat, and how sure it is.

    Without `words` there is none: the position has changed meanwhile.
    """

    id: int
    seat: Seat
    words: str = ""
    sure: str = ""


class ConsentOut(_Out, frozen=True, tag="consent"):
    """A request to take so many actions back; with 0 it is no more, and `why` says why.

    `name` is whose request it is; where the reader has made it (`waits`), who must answer.
    """

    seat: Seat
    name: str
    actions: int
    waits: bool = False
    why: str = ""


class NoteOut(_Out, frozen=True, tag="note"):
    """A short message about the table."""

    text: str


class ErrorOut(_Out, frozen=True, tag="error"):
    """An error; the server closes the connection after it."""

    message: str


MessageOut: TypeAlias = (
    TableOut
    | StateOut
    | LogOut
    | RefusedOut
    | ExplainOut
    | HintOut
    | ConsentOut
    | NoteOut
    | ErrorOut
)
"""Every message that the server can send."""

_ENCODER: Final = msgspec.json.Encoder()


def encode(message: Struct) -> str:
    """Write a message as the text to send."""
    return _ENCODER.encode(message).decode("utf-8", "replace")
