"""The texts of a game: the document's messages, to the character, and a view for any terminal.

`message` says what the document says and nothing else; `ConstructorText` says more, for those who
play at the `tabletop` program's table.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Final

from typing_extensions import override

from constructor.rules.events import (
    BasementChosen,
    DiceChosen,
    DiceRolled,
    GameWon,
    GeesePlaced,
    NothingGained,
    ResidenceBuilt,
    ResourcesGained,
    ResourcesLost,
    ResourceStolen,
    RoadBuilt,
    SetupEnded,
    TileChanged,
    TradeAnswered,
    TradeOffered,
    TurnBegan,
    VictimsFound,
)
from constructor.rules.state import (
    COLOURS,
    LEVEL_LETTERS,
    RESIDENCES,
    STOCK,
    WINNING_POINTS,
    ConstructorState,
    Cost,
    Phase,
    Resource,
    Tile,
)
from constructor.text.drawing import draw_board
from tabletop import ALL, ActionPlayed, Event, Outcome, Seat, Watcher
from tabletop.display import TextView

HELP: Final = """\
Valid commands:
board
status
residences
build-road <edge#>
build-res <housing#>
improve <housing#>
trade <colour> <give> <take>
next
save <file>
help"""
"""The text that the command `help` prints (Constructor §4.3)."""

PROMPT: Final = "> "
"""The document's prompt."""

INVALID_COMMAND: Final = "Invalid command."
PLAY_AGAIN: Final = "Would you like to play again?"
ASKED: Final[Mapping[Phase, str]] = {
    Phase.SETUP: "Choose a vertex for a basement",
    Phase.BEGINNING: "Roll the dice",
    Phase.CHOOSING_ROLL: "Say what the loaded dice show",
    Phase.BUILDING: "Build, trade, or end the turn",
    Phase.ANSWERING: "Accept or decline the offer",
    Phase.PLACING_GEESE: "Choose a tile for the geese",
    Phase.STEALING: "Choose whom to steal from",
    Phase.OVER: "",
}
"""The decision of each phase, in few words."""
LEVEL_NAMES: Final = tuple(residence.name for residence in RESIDENCES)


def status(state: ConstructorState, seat: Seat) -> str:
    """Return the status of a builder (Constructor §2.7)."""
    brick, energy, glass, heat, wifi = state.hand(seat)
    return (
        f"{COLOURS[seat]} has {state.points(seat)} building points, {brick} brick, "
        f"{energy} energy, {glass} glass, {heat} heat, and {wifi} WiFi."
    )


def statuses(state: ConstructorState) -> str:
    """Return the status of every builder, in the order of the seats (Constructor §4.3)."""
    return "\n".join(status(state, seat) for seat in range(state.seats))


def residences(state: ConstructorState, seat: Seat) -> str:
    """Say what a builder has built (Constructor §2.7)."""
    homes = [(vertex, LEVEL_LETTERS[state.levels[vertex] - 1]) for vertex in state.homes_of(seat)]
    return "\n".join([f"{COLOURS[seat]} has built:", *(f"{at} {what}" for at, what in homes)])


def question(state: ConstructorState) -> str:
    """Return the question before the prompt (Constructor §4); empty during a turn."""
    if state.phase is Phase.SETUP:
        return f"Builder {COLOURS[state.order[0]]}, where do you want to build a basement?"
    if state.phase is Phase.CHOOSING_ROLL:
        return "Input a roll between 2 and 12:"
    if state.phase is Phase.ANSWERING and state.offer is not None:
        return f"Does {COLOURS[state.offer.seat]} accept this offer?"
    if state.phase is Phase.PLACING_GEESE:
        return "Choose where to place the GEESE."
    return "Choose a builder to steal from." if state.phase is Phase.STEALING else ""


def turn_begins(state: ConstructorState) -> str:
    """Return the text that begins a turn: board, whose turn it is, status (Constructor §4.2)."""
    return f"{draw_board(state)}\n{whose_turn(state)}"


def whose_turn(state: ConstructorState) -> str:
    """Say whose turn it is, and the status of that builder (Constructor §4.2)."""
    return f"Builder {COLOURS[state.turn]}'s turn.\n{status(state, state.turn)}"


def _amounts(cost: Cost) -> list[str]:
    return [f"{amount} {Resource(kind).name}" for kind, amount in enumerate(cost) if amount]


def amounts(cost: Cost) -> str:
    """Spell amounts of each kind: `1 BRICK, 2 WIFI`."""
    return ", ".join(_amounts(cost))


def how_it_ended(outcome: Outcome | None, state: ConstructorState) -> str:
    """Say how a game has ended, as the document's program does; empty while it is not over."""
    if outcome is None:
        return ""
    winners = outcome.winners
    if len(winners) == 1 and (points := state.points(winners[0])) >= WINNING_POINTS:
        return message(GameWon(winners[0], points))
    return TextView[ConstructorState]().outcome(outcome, COLOURS)


def message(event: Event) -> str:
    """Return the document's message for an event, without a final newline; empty for none."""
    said = ""
    match event:
        case ResourcesGained(seat, amounts):
            said = "\n".join([f"Builder {COLOURS[seat]} gained:", *_amounts(amounts)])
        case NothingGained():
            said = "No builders gained resources."
        case ResourcesLost(seat, amounts):
            lost = f"Builder {COLOURS[seat]} loses {sum(amounts)} resources to the geese."
            said = "\n".join([f"{lost} They lose:", *_amounts(amounts)])
        case TradeOffered(seat, to, give, take):
            said = f"{COLOURS[seat]} offers {COLOURS[to]} one {give.name} for one {take.name}."
        case VictimsFound(seat, ()):
            said = f"Builder {COLOURS[seat]} has no builders to steal from."
        case VictimsFound(seat, victims):
            names = ", ".join(COLOURS[victim] for victim in victims)
            said = f"Builder {COLOURS[seat]} can choose to steal from {names}."
        case ResourceStolen(seat, victim, kind):
            said = f"Builder {COLOURS[seat]} steals {kind.name} from builder {COLOURS[victim]}."
        case GameWon(seat, points):
            said = f"Builder {COLOURS[seat]} wins with {points} building points!"
    return said


def describe(event: Event) -> str:
    """Describe an event, in a line or more, also where the document prints nothing."""
    said = message(event)
    match event:
        case BasementChosen(seat, vertex):
            said = f"{COLOURS[seat]} builds a basement on vertex {vertex}."
        case TurnBegan(seat):
            said = f"Builder {COLOURS[seat]}'s turn."
        case DiceChosen(seat, fair):
            said = f"{COLOURS[seat]} takes {'fair' if fair else 'loaded'} dice."
        case DiceRolled(seat, total, dice):
            shown = " (" + " + ".join(map(str, dice)) + ")" if dice else ""
            said = f"{COLOURS[seat]} rolls {total}{shown}."
        case RoadBuilt(seat, edge):
            said = f"{COLOURS[seat]} builds a road on edge {edge}."
        case ResidenceBuilt(seat, vertex, level):
            said = f"{COLOURS[seat]} builds a {LEVEL_NAMES[level - 1]} on vertex {vertex}."
        case TileChanged(number, tile):
            left = "" if tile.left is None else f", {tile.left} left"
            said = f"Tile {number} produces {kinds_of(tile)}{left}."
        case TradeAnswered(to=to, accepted=accepted):
            said = f"{COLOURS[to]} {'accepts' if accepted else 'declines'}."
        case GeesePlaced(seat, tile=number):
            said = f"{COLOURS[seat]} moves the geese to tile {number}."
    return said


def kinds_of(tile: Tile) -> str:
    """Spell the kinds that a tile produces: `HEAT`, or `HEAT and WIFI`."""
    return tile.kind.name if tile.also is None else f"{tile.kind.name} and {tile.also.name}"


def as_typed(event: Event, state: ConstructorState, bots: Collection[Seat]) -> str:
    """Return the document's text for an event, and `state` after it; bots seem to type."""
    match event:
        case ActionPlayed(seat=seat, action=action):
            return f"{PROMPT}{action}" if seat in bots else ""
        case TurnBegan():
            return turn_begins(state)
        case GameWon():
            return ""  # stands at the end, as for a save that is over when it is loaded
    return message(event)


class ConstructorText(TextView[ConstructorState]):
    """The view for any terminal; builders with a name are called by it as well: `Ada (Blue)`."""

    @override
    def called(self, names: Sequence[str]) -> Sequence[str]:
        return labels(names)

    @override
    def position(self, view: ConstructorState, names: Sequence[str], seat: Watcher = ALL) -> str:
        people = [label for label in labels(names) if label not in COLOURS]
        parts = (draw_board(view), changed_tiles(view), statuses(view), ", ".join(people))
        return "\n".join(filter(None, parts))

    @override
    def event(self, event: Event, names: Sequence[str], seat: Watcher = ALL) -> str:
        if isinstance(event, ActionPlayed | SetupEnded):
            return ""  # the events that follow describe all of it
        return by_names(describe(event), names) or super().event(event, names, seat)

    @override
    def heading(self, event: Event, names: Sequence[str]) -> tuple[Seat, str] | None:
        if not isinstance(event, TurnBegan):
            return None
        return event.seat, by_names(describe(event), names)

    @override
    def asked(self, view: ConstructorState, seat: Seat, names: Sequence[str]) -> str:
        return ASKED[view.phase]

    @override
    def outcome(self, outcome: Outcome, names: Sequence[str]) -> str:
        return super().outcome(outcome, labels(names))

    @override
    def welcome(self) -> str:
        return "New here? Type `help` for the commands, or `rules` for the rules of the game."

    @override
    def prompt(self, view: ConstructorState, seat: Seat, names: Sequence[str]) -> str:
        asked = question(view)
        prompt = f"{labels(names)[seat]}> "
        return f"{asked}\n{prompt}" if asked else prompt


def labels(names: Sequence[str]) -> list[str]:
    """Return the label of each seat: its colour, with the name that a person gave, if any."""
    return [  # not strict: there may be fewer builders than colours
        colour if name in (f"Player {number}", colour) else f"{name} ({colour})"
        for number, (name, colour) in enumerate(zip(names, COLOURS, strict=False), 1)
    ]


def by_names(text: str, names: Sequence[str]) -> str:
    """Return a text that speaks of builders who have a name by it, and not by their colour."""
    called = {
        colour: name
        for name, colour, label in zip(names, COLOURS, labels(names), strict=False)
        if label != colour
    }
    return _BUILDER.sub(lambda it: called.get(it[1], it[0]), text)


_BUILDER: Final = re.compile(rf"(?:\b[Bb]uilder )?\b({'|'.join(COLOURS)})\b")


def changes_of_tiles(state: ConstructorState) -> list[TileChanged]:
    """Return the tiles that differ from those at the start of a game of the variant."""
    return [
        TileChanged(number, tile)
        for number, tile in enumerate(state.tiles)
        if tile.also is not None or tile.left not in (None, STOCK)
    ]


def changed_tiles(state: ConstructorState) -> str:
    """Return a line for each tile that a variant has changed, or that can run dry."""
    return "\n".join(
        describe(TileChanged(number, tile))
        for number, tile in enumerate(state.tiles)
        if tile.also is not None or tile.left is not None
    )
