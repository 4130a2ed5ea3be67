"""The actions of a builder and the command tables that parse them (Constructor §4).

The phase decides which command table parses a line. A bare number is a vertex during the setup, a
total while loaded dice are rolled, and a tile while the geese are placed. Parsing accepts every
whole number, and the rules check later whether the action is legal.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from typing_extensions import override

from constructor.rules.state import COLOURS, KINDS, Phase, Resource
from tabletop import Argument, Choice, Command, CommandError, Commands, Seat
from tabletop.wording import MAX_DIGITS, quote

OWNED: Final = tuple(Resource)[:KINDS]  # the kinds of resources that can be owned and traded


@dataclass(frozen=True, slots=True)
class Settle:
    """Choose a vertex for one of the first basements (Constructor §4.1)."""

    vertex: int

    def __str__(self) -> str:
        return str(self.vertex)


@dataclass(frozen=True, slots=True)
class UseLoadedDice:
    """Switch to loaded dice (Constructor §4.2)."""

    def __str__(self) -> str:
        return "load"


@dataclass(frozen=True, slots=True)
class UseFairDice:
    """Switch to fair dice (Constructor §4.2)."""

    def __str__(self) -> str:
        return "fair"


@dataclass(frozen=True, slots=True)
class Roll:
    """Roll the dice (Constructor §4.2). With loaded dice, a `ChooseRoll` follows."""

    def __str__(self) -> str:
        return "roll"


@dataclass(frozen=True, slots=True)
class ChooseRoll:
    """Choose the total of loaded dice, 2 to 12 (Constructor §2.8.1)."""

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
    """Improve a basement to a house, or a house to a tower (Constructor §3.2)."""

    vertex: int

    def __str__(self) -> str:
        return f"improve {self.vertex}"


@dataclass(frozen=True, slots=True)
class ImproveTile:
    """Make a tile produce a second kind of resource (variants "rich" and "living")."""

    tile: int
    kind: Resource

    def __str__(self) -> str:
        return f"improve-tile {self.tile} {self.kind.name}"


@dataclass(frozen=True, slots=True)
class Trade:
    """Offer another builder one resource for another (Constructor §3.5.4)."""

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
    """Steal a random resource from a builder at the tile with the geese (Constructor §3.6)."""

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

MOMENTS: Final[Mapping[type[Any], Phase]] = {
    Settle: Phase.SETUP,
    **dict.fromkeys((UseLoadedDice, UseFairDice, Roll), Phase.BEGINNING),
    ChooseRoll: Phase.CHOOSING_ROLL,
    **dict.fromkeys((BuildRoad, BuildResidence, Improve), Phase.BUILDING),
    **dict.fromkeys((ImproveTile, Trade, EndTurn), Phase.BUILDING),
    **dict.fromkeys((Accept, Decline), Phase.ANSWERING),
    PlaceGeese: Phase.PLACING_GEESE,
    Steal: Phase.STEALING,
}
"""The phase in which each type of action is legal (Constructor §4)."""


class Number(Argument):
    """An integer of any size.

    Only the first `MAX_DIGITS` digits of a very long number are used, which is still more than any
    board needs.

    Args:
        name: The name in help texts and messages.
        wanted: The meaning of the number for error messages, such as "the number of an edge".
    """

    def __init__(self, name: str, wanted: str) -> None:
        super().__init__(name)
        self._wanted = wanted

    @override
    def parse(self, word: str) -> int:
        digits = word[1:] if word[:1] in ("+", "-") else word
        if not (digits.isascii() and digits.isdecimal()):
            raise ValueError(word)
        # Python refuses to convert thousands of digits, and its error would not help players.
        size = int(digits.lstrip("0")[:MAX_DIGITS] or "0")
        return -size if word[0] == "-" else size

    @property
    @override
    def wanted(self) -> str:
        return self._wanted


_EDGE: Final = Number("edge", "the number of an edge")
_VERTEX: Final = Number("vertex", "the number of a vertex")
_TILE: Final = Number("tile", "the number of a tile")
_ROLL: Final = Number("roll", "a roll between 2 and 12")
_COLOUR: Final = Choice(
    "colour", {colour: seat for seat, colour in enumerate(COLOURS)}, field="seat"
)
_KINDS: Final = {kind.name: kind for kind in OWNED}

BEGINNING_COMMANDS: Final = Commands(
    Command("load", UseLoadedDice, help="Use loaded dice, whose total you choose."),
    Command("fair", UseFairDice, help="Use fair dice."),
    Command("roll", Roll, help="Roll the dice."),
)
"""The commands at the beginning of a turn (Constructor §4.2)."""

BUILDING_COMMANDS: Final = Commands(
    Command("build-road", BuildRoad, _EDGE, help="Build a road."),
    Command("build-res", BuildResidence, _VERTEX, help="Build a basement."),
    Command("improve", Improve, _VERTEX, help="Improve a residence."),
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
        _TILE,
        Choice("resource", _KINDS, field="kind"),
        help="Make a tile produce a second kind of resource (variants rich and living).",
    ),
)
"""The commands during a turn (Constructor §4.3)."""

ANSWER_COMMANDS: Final = Commands(
    Command("yes", Accept, help="Accept the offer."),
    Command("no", Decline, help="Decline the offer."),
)

ALL_COMMANDS: Final = Commands(
    *BEGINNING_COMMANDS.commands, *BUILDING_COMMANDS.commands, *ANSWER_COMMANDS.commands
)

_BY_PHASE: Final[Mapping[Phase, Commands]] = {
    Phase.BEGINNING: BEGINNING_COMMANDS,
    Phase.BUILDING: BUILDING_COMMANDS,
    Phase.ANSWERING: ANSWER_COMMANDS,
}

_ARGUMENTS: Final[Mapping[Phase, tuple[Argument, Callable[[Any], Action]]]] = {
    Phase.SETUP: (_VERTEX, Settle),
    Phase.CHOOSING_ROLL: (_ROLL, ChooseRoll),
    Phase.PLACING_GEESE: (_TILE, PlaceGeese),
    Phase.STEALING: (_COLOUR, Steal),
}
"""The argument and the action of the phases in which a line has an argument without a command."""


def parse(text: str, phase: Phase) -> Action:
    """Parse a line that a player enters in `phase`.

    Raises:
        CommandError: The text is not an action of this phase.
    """
    if phase in _BY_PHASE:
        action: Action = _BY_PHASE[phase].parse(text)
        return action
    if phase not in _ARGUMENTS:
        raise CommandError("the game is over", line=text)
    argument, make = _ARGUMENTS[phase]
    word = text.strip()
    try:
        return make(argument.parse(word))
    except ValueError:
        message = f"{quote(word)} is not {argument.wanted}"
        raise CommandError(message, line=text, place=1) from None
