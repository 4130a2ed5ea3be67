"""The inputs and effects of a `MatchTable`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias

from tabletop.display.console_text import PIPED, Size
from tabletop.protocol.incoming import Drawing, MessageIn
from tabletop.states.bounds import Seat
from tabletop.table.players import ActionFailed, Replaced

if TYPE_CHECKING:
    from tabletop.table.bot_pool import Answer

Link: TypeAlias = Seat | None
"""The link that opens a table: the link of a seat, or None for the link of spectators."""


@dataclass(frozen=True, slots=True)
class Wants:
    """The contents that a screen wants in each state in addition to the words (`HelloIn`).

    A terminal wants texts for its `size`, and other screens none.
    """

    picture: Drawing = ""
    data: bool = False
    size: Size = PIPED
    lessons: bool = False


WIDE: Final = Wants("wide")
"""The contents that most pages want."""


COLUMNS: Final = (80, 100, 120, 160, 200)
"""The widths for which texts are made."""

ROWS: Final = (24, 30, 40, 50, 60)
"""The heights for which texts are made."""


def rounded_size(columns: int, rows: int) -> Size:
    """Return the size of the texts for a terminal, or `PIPED` without columns."""
    if not columns:
        return PIPED
    return Size(_rounded(columns, COLUMNS), _rounded(rows, ROWS))


def _rounded(number: int, steps: tuple[int, ...]) -> int:
    return max((it for it in steps if it <= number), default=steps[0])


# Inputs.


@dataclass(frozen=True, slots=True)
class Open:
    """A screen is opened.

    Attributes:
        link: The link that it opens.
        screen: The number of the screen, which the driver chooses.
        wants: The contents of states.
        changes: Whether the screen accepts `ChangesOut` in place of a state.
    """

    link: Link
    screen: int
    wants: Wants = Wants()
    changes: bool = False


@dataclass(frozen=True, slots=True)
class Close:
    """A screen is closed."""

    screen: int


@dataclass(frozen=True, slots=True)
class Ask:
    """A screen has sent a request."""

    screen: int
    message: MessageIn


@dataclass(frozen=True, slots=True)
class Tick:
    """The deadline of the table has come."""


@dataclass(frozen=True, slots=True)
class BotBegun:
    """A worker process has begun with a question."""

    number: int


@dataclass(frozen=True, slots=True)
class BotChose:
    """A worker process has answered a question."""

    number: int
    answer: Answer


@dataclass(frozen=True, slots=True)
class BotActs:
    """The bot in the match is to choose and act now, without a worker process."""

    number: int


@dataclass(frozen=True, slots=True)
class BotRefused:
    """A question cannot be put to a bot now, or has ended after `DropBot`."""

    number: int
    error: Exception


@dataclass(frozen=True, slots=True)
class Reseat:
    """The program that runs the table changes the player of a seat. Errors are raised."""

    seat: Seat
    player: str


@dataclass(frozen=True, slots=True)
class HandOver:
    """Another person has a seat from now on. The match may have a new name for the seat.

    Attributes:
        seat: The seat.
        note: The note for everybody at the table.
    """

    seat: Seat
    note: str


@dataclass(frozen=True, slots=True)
class Reserve:
    """Seats are kept for their players for a while, as if they had just left."""

    seats: Sequence[Seat]


@dataclass(frozen=True, slots=True)
class Next:
    """A table for the same players has been opened.

    Attributes:
        pages: Its page for each seat, and last the page for spectators.
        screen: The screen that has requested it, if any.
        id: The number of the request.
    """

    pages: Sequence[str]
    screen: int | None = None
    id: int = 0


@dataclass(frozen=True, slots=True)
class Refused:
    """The driver refuses a request of a screen, such as to play again.

    Attributes:
        screen: The screen.
        id: The number of the request.
        error: The reason.
    """

    screen: int
    id: int
    error: Exception


@dataclass(frozen=True, slots=True)
class ReplayPages:
    """The match can be replayed: on a page for each seat, and last the page for spectators."""

    pages: Sequence[str | None]


@dataclass(frozen=True, slots=True)
class Hurry:
    """The next bot need not pause before its move, because no page shows the pause.

    Attributes:
        watched: Whether people look at the position for as long as the game wants.
    """

    watched: bool


@dataclass(frozen=True, slots=True)
class Freeze:
    """Nothing is played any more: every request is refused, and the screens stay as they are."""


@dataclass(frozen=True, slots=True)
class Shut:
    """The table is closed, with a code of the WebSocket protocol and a message for its screens."""

    code: int
    message: str = ""


Input: TypeAlias = (
    Open
    | Close
    | Ask
    | Tick
    | BotBegun
    | BotChose
    | BotActs
    | BotRefused
    | Reseat
    | HandOver
    | Reserve
    | Next
    | Refused
    | ReplayPages
    | Hurry
    | Freeze
    | Shut
)
"""Everything that happens to a table."""


# Effects.


@dataclass(frozen=True, slots=True)
class Wake:
    """Messages are due for a screen (`MatchTable.due`)."""

    screen: int


@dataclass(frozen=True, slots=True)
class Cut:
    """A screen is to be closed after its due messages."""

    screen: int
    code: int
    message: str = ""


@dataclass(frozen=True, slots=True)
class AskBot:
    """A bot is to choose (`MatchTable.question`).

    Attributes:
        number: The number of the question.
        seat: The seat that the bot chooses for.
        hint_for: The screen whose person wants a hint, or None if the bot is to act.
        resident: Whether the bot in the match can choose at once (`BotActs`).
        people_wait: Whether people at the table wait for it.
    """

    number: int
    seat: Seat
    hint_for: int | None
    resident: bool
    people_wait: bool


@dataclass(frozen=True, slots=True)
class DropBot:
    """The answer to a question is not needed any more."""

    number: int


@dataclass(frozen=True, slots=True)
class OpenNext:
    """A table for the same players is to be opened. The answer is `Next` or `Refused`."""

    screen: int
    id: int


@dataclass(frozen=True, slots=True)
class Keep:
    """The state of the table has changed, so it may have to be saved."""


@dataclass(frozen=True, slots=True)
class SatDown:
    """A person has sat down at a shared screen of this table."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Fault:
    """A failure for the log, which is not the fault of a client."""

    message: str
    error: Exception


Effect: TypeAlias = (
    Wake | Cut | AskBot | DropBot | OpenNext | Keep | SatDown | Fault | Replaced | ActionFailed
)
"""Everything that the driver of a table is to do."""
