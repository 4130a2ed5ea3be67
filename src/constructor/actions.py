"""What a builder may do, and the command tables that spell it (Constructor §4).

Which table reads a line depends on what is being decided: a bare number is a vertex during the
setup, a roll for loaded dice, and a tile for the geese. The tables accept any whole number; which
of them are possible is for the rules to say.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

from constructor.state import COLOURS, KINDS, Phase, Resource
from tabletop import Choice, Command, CommandError, Commands, Integer, Seat
from tabletop.commands import MAX_DIGITS, shorten

_MOST: Final = 10**MAX_DIGITS - 1
OWNED: Final = tuple(Resource)[:KINDS]
"""The kinds of resources that can be owned and traded."""


@dataclass(frozen=True, slots=True)
class Settle:
    """Choose a vertex for one of the first basements (Constructor §4.1)."""

    vertex: int

    def __str__(self) -> str:
        return str(self.vertex)


@dataclass(frozen=True, slots=True)
class UseLoadedDice:
    """Take loaded dice from now on (Constructor §4.2)."""

    def __str__(self) -> str:
        return "load"


@dataclass(frozen=True, slots=True)
class UseFairDice:
    """Take fair dice from now on (Constructor §4.2)."""

    def __str__(self) -> str:
        return "fair"


@dataclass(frozen=True, slots=True)
class Roll:
    """Roll the dice; with loaded dice the total is asked for (Constructor §4.2)."""

    def __str__(self) -> str:
        return "roll"


@dataclass(frozen=True, slots=True)
class ChooseRoll:
    """Say what loaded dice show, 2 to 12 (Constructor §2.8.1)."""

    total: int

    def __str__(self) -> str:
        return str(self.total)


@dataclass(frozen=True, slots=True)
class BuildRoad:
    """Build a road on an edge (Constructor §3.3)."""

    edge: int

    def __str__(self) -> str:
        return f"build-road {self.edge}"


@dataclass(frozen=True, slots=True)
class BuildResidence:
    """Build a basement on a vertex (Constructor §3.1)."""

    vertex: int

    def __str__(self) -> str:
        return f"build-res {self.vertex}"


@dataclass(frozen=True, slots=True)
class Improve:
    """Improve a residence: basement to house, house to tower (Constructor §3.2)."""

    vertex: int

    def __str__(self) -> str:
        return f"improve {self.vertex}"


@dataclass(frozen=True, slots=True)
class ImproveTile:
    """Have a tile produce a second kind as well (variants "rich" and "living")."""

    tile: int
    kind: Resource

    def __str__(self) -> str:
        return f"improve-tile {self.tile} {self.kind.name}"


@dataclass(frozen=True, slots=True)
class Trade:
    """Offer a builder one resource for another (Constructor §3.5.4)."""

    seat: Seat
    give: Resource
    take: Resource

    def __str__(self) -> str:
        return f"trade {COLOURS[self.seat]} {self.give.name} {self.take.name}"


@dataclass(frozen=True, slots=True)
class EndTurn:
    """Pass control to the next builder (Constructor §4.3)."""

    def __str__(self) -> str:
        return "next"


@dataclass(frozen=True, slots=True)
class Accept:
    """Accept the offer of a trade (Constructor §3.5.4)."""

    def __str__(self) -> str:
        return "yes"


@dataclass(frozen=True, slots=True)
class Decline:
    """Decline the offer of a trade (Constructor §3.5.4)."""

    def __str__(self) -> str:
        return "no"


@dataclass(frozen=True, slots=True)
class PlaceGeese:
    """Move the geese to a tile (Constructor §3.6)."""

    tile: int

    def __str__(self) -> str:
        return str(self.tile)


@dataclass(frozen=True, slots=True)
class Steal:
    """Steal a random resource from a builder at the geese (Constructor §3.6)."""

    seat: Seat

    def __str__(self) -> str:
        return COLOURS[self.seat]


Action: TypeAlias = (
    Settle
    | UseLoadedDice
    | UseFairDice
    | Roll
    | ChooseRoll
    | BuildRoad
    | BuildResidence
    | Improve
    | ImproveTile
    | Trade
    | EndTurn
    | Accept
    | Decline
    | PlaceGeese
    | Steal
)

_COLOUR: Final = Choice(
    "colour", {colour: seat for seat, colour in enumerate(COLOURS)}, field="seat"
)
_KINDS: Final = {kind.name: kind for kind in OWNED}

BEGINNING_COMMANDS: Final = Commands(
    Command("load", UseLoadedDice, help="Use loaded dice: say what they show."),
    Command("fair", UseFairDice, help="Use fair dice."),
    Command("roll", Roll, help="Roll the dice."),
)
"""What can be typed at the beginning of a turn (Constructor §4.2)."""

BUILDING_COMMANDS: Final = Commands(
    Command("build-road", BuildRoad, Integer("edge", -_MOST, _MOST), help="Build a road."),
    Command(
        "build-res", BuildResidence, Integer("vertex", -_MOST, _MOST), help="Build a basement."
    ),
    Command("improve", Improve, Integer("vertex", -_MOST, _MOST), help="Improve a residence."),
    Command(
        "trade",
        Trade,
        _COLOUR,
        Choice("give", _KINDS),
        Choice("take", _KINDS),
        help="Offer a builder one resource for another.",
    ),
    Command("next", EndTurn, help="Pass control to the next builder."),
    Command(
        "improve-tile",
        ImproveTile,
        Integer("tile", -_MOST, _MOST),
        Choice("resource", _KINDS, field="kind"),
        help="Have a tile produce another kind as well (variants rich and living).",
    ),
)
"""What can be typed during a turn (Constructor §4.3)."""

ANSWER_COMMANDS: Final = Commands(
    Command("yes", Accept, help="Accept the offer."),
    Command("no", Decline, help="Decline the offer."),
)

ALL_COMMANDS: Final = Commands(
    *BEGINNING_COMMANDS.commands, *BUILDING_COMMANDS.commands, *ANSWER_COMMANDS.commands
)
"""Everything that is typed as a command, at whatever moment."""

_BY_PHASE: Final[Mapping[Phase, Commands]] = {
    Phase.BEGINNING: BEGINNING_COMMANDS,
    Phase.BUILDING: BUILDING_COMMANDS,
    Phase.ANSWERING: ANSWER_COMMANDS,
}


def parse(text: str, phase: Phase) -> Action:
    """The action that `text` spells while `phase` is being decided.

    Raises:
        CommandError: it spells none.
    """
    commands = _BY_PHASE.get(phase)
    if commands is not None:
        action: Action = commands.parse(text)
        return action
    if phase is Phase.SETUP:
        return Settle(_number(text, "the number of a vertex"))
    if phase is Phase.CHOOSING_ROLL:
        return ChooseRoll(_number(text, "a roll between 2 and 12"))
    if phase is Phase.PLACING_GEESE:
        return PlaceGeese(_number(text, "the number of a tile"))
    if phase is Phase.STEALING:
        return Steal(_colour(text))
    raise CommandError("the game is over", line=text)


def _number(text: str, wanted: str) -> int:
    try:
        return Integer("number", -_MOST, _MOST).parse(text.strip())
    except ValueError:
        raise CommandError(f"{shorten(text.strip())} is not {wanted}", line=text, place=1) from None


def _colour(text: str) -> Seat:
    try:
        seat: Seat = _COLOUR.parse(text.strip())
    except ValueError:
        message = f"{shorten(text.strip())} is not {_COLOUR.wanted}"
        raise CommandError(message, line=text, place=1) from None
    return seat
