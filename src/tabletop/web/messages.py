"""What travels between the page and the server: JSON texts, each a message of one type.

What a client sends is validated before anybody looks at it: an unknown type, a field too many, a
text too long is nonsense, and is answered with what would have been right.
"""

from __future__ import annotations

from typing import Annotated, Final, TypeAlias

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from tabletop.errors import TabletopError
from tabletop.outcome import Seat
from tabletop.wording import cut

MOST_BYTES: Final = 4096
"""A message of a client is at most so long."""

Line: TypeAlias = Annotated[str, Meta(max_length=2000)]
Name: TypeAlias = Annotated[str, Meta(max_length=100)]
Number: TypeAlias = Annotated[int, Meta(ge=0, le=2**53 - 1)]
SeatNumber: TypeAlias = Annotated[int, Meta(ge=0, le=999)]


class Nonsense(TabletopError):
    """A client has sent what is no message; says what would have been right."""


class _Sent(Struct, frozen=True, tag_field="type", forbid_unknown_fields=True):
    """The base of what a client sends."""


class Hello(_Sent, frozen=True, tag="hello"):
    """Who is there: the first message of a connection.

    Attributes:
        token: from the fragment of the link.
        narrow: whether the screen is as narrow as a phone's.
    """

    token: Name
    narrow: bool = False


class ActOn(_Sent, frozen=True, tag="act"):
    """An action, in the words that a person would type.

    Attributes:
        line: the words.
        id: comes back with a refusal.
        seat: whose action it is, where one connection has several seats.
    """

    line: Line
    id: Number = 0
    seat: SeatNumber | None = None


class UndoOne(_Sent, frozen=True, tag="undo"):
    """Take back one's last action, and all since."""

    id: Number = 0


class RedoOne(_Sent, frozen=True, tag="redo"):
    """Play again what was taken back."""

    id: Number = 0


class Consenting(_Sent, frozen=True, tag="consent"):
    """The answer to somebody who wants to take back."""

    yes: bool
    id: Number = 0


class SeatFor(_Sent, frozen=True, tag="seat"):
    """Let somebody else decide for a seat: a bot by its name, or "human"."""

    seat: SeatNumber
    player: Name
    id: Number = 0


class PlayAgain(_Sent, frozen=True, tag="again"):
    """Open a table with the same people, seats turned: once the match is over."""

    id: Number = 0


class Why(_Sent, frozen=True, tag="why"):
    """Why nothing can be done with a part of the picture."""

    part: Name
    id: Number = 0


class Layout(_Sent, frozen=True, tag="layout"):
    """The screen has become narrow, or wide again."""

    narrow: bool


class Pong(_Sent, frozen=True, tag="pong"):
    """A sign of life."""


Sent: TypeAlias = (
    Hello | ActOn | UndoOne | RedoOne | Consenting | SeatFor | PlayAgain | Why | Layout | Pong
)
"""Everything that a client can send."""

_DECODER: Final = msgspec.json.Decoder(Sent)


def read_message(text: str | bytes) -> Sent:
    """The message that a client has sent.

    Raises:
        Nonsense: it is none.
    """
    data = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
    if len(data) > MOST_BYTES:
        raise Nonsense(f"a message of {len(data)} bytes: {MOST_BYTES} are the most")
    try:
        sent: Sent = _DECODER.decode(data)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise Nonsense(f"this is no message: {cut(str(error), 200)}") from error
    return sent


class _Told(Struct, frozen=True, tag_field="type"):
    """The base of what a client is told."""


class TableTold(_Told, frozen=True, tag="table"):
    """Who sits where; told at first and whenever it changes.

    Attributes:
        game, title: what is played.
        names: the name of each seat.
        called: the same as the game says it, which may know more of a seat: `Ada (Blue)`.
        players: who decides for each seat: "human", or the name of a bot.
        you: the seats that this connection decides for.
        spectator: whether it has none.
        bots: who else can decide for a seat.
        here: whether somebody is connected for each seat; bots always are.
        offered: the seats whose people have been gone for long, and that may be given to a bot.
        casual: whether people may take back what chance has shown, too.
        free_undo: whether everything may be taken back, and nobody is asked.
        clock: the seconds that each seat has left, None for a seat without a clock.
        running: the seats whose clocks run.
        salted: whether chance hangs on a salt that nobody knows before the end.
        commitment: what the salt is held to.
        hosted: whether the table stands among others, with a lobby, and can be opened again.
    """

    game: str
    title: str
    names: tuple[str, ...]
    called: tuple[str, ...]
    players: tuple[str, ...]
    you: tuple[Seat, ...]
    spectator: bool
    bots: tuple[str, ...]
    here: tuple[bool, ...]
    offered: tuple[Seat, ...]
    casual: bool
    free_undo: bool
    clock: tuple[float | None, ...]
    running: tuple[Seat, ...]
    salted: bool = False
    commitment: str | None = None
    hosted: bool = False


class ChoiceTold(Struct, frozen=True):
    """Something that can be done; see `tabletop.picture.Clickable`."""

    words: str
    label: str
    path: tuple[str, ...]
    seat: Seat


class OverTold(Struct, frozen=True):
    """How a match ended.

    Attributes:
        text: in words.
        winners: who has won.
        points: of each seat, where the game has some.
        reason: what ended it.
        seed: what it was made of.
        options: those that differ from their defaults.
        again: the command that plays the same world again.
        salt: what chance hung on besides the seed.
        film: where it can be watched again.
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


Changes: TypeAlias = tuple[str | tuple[int, int], ...]
"""What a text has become since the last one; see `changed`."""


class StateTold(_Told, frozen=True, tag="state"):
    """What lies on the table, for whoever looks; told each time something has changed.

    A screen is told the first one whole. Of each that follows, `svg` and `text` say what has
    changed since the last one that this screen was told.

    Attributes:
        ply: how many actions have been played.
        line: the number of the last line of the log that led here: those after it belong to a
            later position.
        svg: the picture.
        turn: the seats that are to decide.
        asked: those of them that this connection decides for.
        prompt: what is wanted, in words.
        choices: what can be done now.
        more: how many choices are not listed.
        can_undo, can_redo: whether one may do that, or ask the others for it.
        no_undo: why actions cannot be taken back; empty where nobody would wonder.
        text: the position in words.
        commands: how actions are typed.
        over: how it ended; None while it goes on.
    """

    ply: int
    svg: str | Changes
    turn: tuple[Seat, ...]
    asked: tuple[Seat, ...]
    prompt: str
    choices: tuple[ChoiceTold, ...]
    more: int
    can_undo: bool
    can_redo: bool
    no_undo: str
    text: str | Changes
    commands: tuple[str, ...]
    over: OverTold | None
    line: int = 0

    def since(self, last: StateTold) -> StateTold:
        """The same, for a screen that was told `last` before; both are whole."""
        svg = changed(str(last.svg), str(self.svg), "<g")
        return replace(self, svg=svg, text=changed(str(last.text), str(self.text), "\n"))


def changed(before: str, now: str, cut: str) -> Changes:
    """What has to be said of a text to somebody who has the one before it.

    Both are cut into pieces at each `cut`, which `static/pieces.js` does as well.

    Returns:
        The pieces of `now`: a text, or from which to before which piece of `before`.
    """
    old = before.split(cut)
    places = {piece: place for place, piece in enumerate(old)}
    pieces: list[str | tuple[int, int]] = []
    first = after = -1  # the pieces of `before` that the last pieces of `now` are
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


class LineTold(Struct, frozen=True):
    """A line of the log.

    Attributes:
        n: its number, which rises from event to event.
        text: what has happened.
        seat: who has done it, or whose turn begins; None for nobody.
        kind: "turn" for the heading of a turn, "remark" for what concerns the table and not the
            match; else empty.
    """

    n: int
    text: str
    seat: Seat | None = None
    kind: str = ""


class LogTold(_Told, frozen=True, tag="log"):
    """What has happened, as this seat may know it."""

    lines: tuple[LineTold, ...]


class RefusedTold(_Told, frozen=True, tag="refused"):
    """Why something that was asked for was not done."""

    id: int
    line: str
    message: str


class WhyTold(_Told, frozen=True, tag="why"):
    """The answer to `Why`."""

    id: int
    message: str


class ConsentTold(_Told, frozen=True, tag="consent"):
    """Somebody asks to take actions back; with no actions, they ask no more."""

    seat: Seat
    name: str
    actions: int


class NoteTold(_Told, frozen=True, tag="note"):
    """Something that concerns the table and not the match.

    Attributes:
        text: what it is.
    """

    text: str


class ErrorTold(_Told, frozen=True, tag="error"):
    """What is wrong; the connection is closed then."""

    message: str
    fatal: bool = True


Told: TypeAlias = (
    TableTold | StateTold | LogTold | RefusedTold | WhyTold | ConsentTold | NoteTold | ErrorTold
)
"""Everything that a client is told."""

_ENCODER: Final = msgspec.json.Encoder()


def as_json(message: Struct) -> str:
    """A message as a text to send."""
    return _ENCODER.encode(message).decode("utf-8", "replace")
