"""Texts of Constructor: the exact messages of the document, and a view for terminals.

`message` returns only the messages of the document. `ConstructorText` describes all events and is
the view of the program `tabletop`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Final

from typing_extensions import override

from constructor.rules import events
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
from tabletop.wording import join_words

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

PROMPT: Final = "> "  # the prompt of the document

INVALID_COMMAND: Final = "Invalid command."
PLAY_AGAIN: Final = "Would you like to play again?"
DECISIONS: Final[Mapping[Phase, str]] = {
    Phase.SETUP: "Choose a vertex for a basement",
    Phase.BEGINNING: "Roll the dice",
    Phase.CHOOSING_ROLL: "Choose your roll",
    Phase.BUILDING: "Build, trade, or end the turn",
    Phase.ANSWERING: "Accept or decline the offer",
    Phase.PLACING_GEESE: "Choose a tile for the geese",
    Phase.STEALING: "Choose a builder to steal from",
    Phase.OVER: "",
}
"""A short description of the decision in each phase."""
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
    """Return the list of a builder's residences (Constructor §2.7)."""
    homes = [(vertex, LEVEL_LETTERS[state.levels[vertex] - 1]) for vertex in state.homes_of(seat)]
    lines = (f"{vertex} {letter}" for vertex, letter in homes)
    return "\n".join([f"{COLOURS[seat]} has built:", *lines])


def question(state: ConstructorState) -> str:
    """Return the question before the prompt, or an empty string during a turn (Constructor §4)."""
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
    """Return the text at the beginning of a turn: board, turn and status (Constructor §4.2)."""
    return f"{draw_board(state)}\n{whose_turn(state)}"


def whose_turn(state: ConstructorState) -> str:
    """Return the line that announces a turn and the status of the builder (Constructor §4.2)."""
    return f"Builder {COLOURS[state.turn]}'s turn.\n{status(state, state.turn)}"


def _amounts(cost: Cost) -> list[str]:
    return [f"{amount} {Resource(kind).name}" for kind, amount in enumerate(cost) if amount]


def amounts(cost: Cost) -> str:
    """Return amounts of each kind as text, such as `1 BRICK, 2 WIFI`."""
    return ", ".join(_amounts(cost))


def result_text(outcome: Outcome | None, state: ConstructorState) -> str:
    """Return the result of a game with the document's message, or "" if the game is not over."""
    if outcome is None:
        return ""
    winners = outcome.winners
    if len(winners) == 1 and (points := state.points(winners[0])) >= WINNING_POINTS:
        return message(events.GameWon(winners[0], points))
    return TextView[ConstructorState]().outcome(outcome, COLOURS)


def message(event: Event) -> str:
    """Return the message of the document for an event, or an empty string if it has none."""
    text = ""
    match event:
        case events.ResourcesGained(seat, amounts):
            text = "\n".join([f"Builder {COLOURS[seat]} gained:", *_amounts(amounts)])
        case events.NothingGained():
            text = "No builders gained resources."
        case events.ResourcesLost(seat, amounts):
            loss = f"Builder {COLOURS[seat]} loses {sum(amounts)} resources to the geese."
            text = "\n".join([f"{loss} They lose:", *_amounts(amounts)])
        case events.TradeOffered(seat, to, give, take):
            text = f"{COLOURS[seat]} offers {COLOURS[to]} one {give.name} for one {take.name}."
        case events.VictimsFound(seat, ()):
            text = f"Builder {COLOURS[seat]} has no builders to steal from."
        case events.VictimsFound(seat, victims):
            names = ", ".join(COLOURS[victim] for victim in victims)
            text = f"Builder {COLOURS[seat]} can choose to steal from {names}."
        case events.ResourceStolen(seat, victim, kind):
            text = f"Builder {COLOURS[seat]} steals {kind.name} from builder {COLOURS[victim]}."
        case events.GameWon(seat, points):
            text = f"Builder {COLOURS[seat]} wins with {points} building points!"
    return text


def describe(event: Event) -> str:
    """Describe an event, including events for which the document has no message."""
    match event:
        case events.TurnBegan(seat):
            return f"Builder {COLOURS[seat]}'s turn."
        case events.DiceRolled(seat, total, ()):
            return f"{COLOURS[seat]} rolls {total}."
        case events.TileChanged(number, tile):
            return f"Tile {number} produces {kinds_of(tile)}{_left_on(tile)}."
        case events.TradeAnswered(to=to, accepted=accepted):
            return f"{COLOURS[to]} {'accepts' if accepted else 'declines'}."
    return message(event) or _sentence(event, COLOURS)


def kinds_of(tile: Tile) -> str:
    """Return the kinds that a tile produces as text, such as `HEAT` or `HEAT and WIFI`."""
    return tile.kind.name if tile.also is None else f"{tile.kind.name} and {tile.also.name}"


def as_typed(event: Event, state: ConstructorState, bots: Collection[Seat]) -> str:
    """Return the text that the document's program prints for an event, given the state after it.

    The actions of `bots` are shown after a prompt, as if they were typed.
    """
    match event:
        case ActionPlayed(seat=seat, action=action):
            return f"{PROMPT}{action}" if seat in bots else ""
        case events.TurnBegan():
            return turn_begins(state)
        case events.GameWon():
            return ""  # the caller prints the result, which a save may contain from the start
    return message(event)


class ConstructorText(TextView[ConstructorState]):
    """The view for terminals, which adds the names of players to colours, as in `Ada (Blue)`."""

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
        if isinstance(event, ActionPlayed | events.SetupEnded | events.TradeOffered):
            return ""  # the events that follow describe the action
        return sentence(event, labels(names)) or super().event(event, names, seat)

    @override
    def heading(self, event: Event, names: Sequence[str]) -> tuple[Seat, str] | None:
        if not isinstance(event, events.TurnBegan):
            return None
        return event.seat, sentence(event, labels(names))

    @override
    def asked(self, view: ConstructorState, seat: Seat, names: Sequence[str]) -> str:
        return decision(view, labels(names))

    @override
    def outcome(self, outcome: Outcome, names: Sequence[str]) -> str:
        return super().outcome(outcome, labels(names))

    @override
    def welcome(self) -> str:
        return "New here? Type `help` for the commands, or `rules` for the rules of the game."

    @override
    def prompt(self, view: ConstructorState, seat: Seat, names: Sequence[str]) -> str:
        line = question(view)
        prompt = f"{labels(names)[seat]}> "
        return f"{line}\n{prompt}" if line else prompt


def decision(view: ConstructorState, names: Sequence[str]) -> str:
    """Return the question to the builder who is to act."""
    offer = view.offer
    if offer is None:
        return DECISIONS[view.phase]
    give, take = resources({offer.give: 1}), resources({offer.take: 1})
    return f"{names[view.turn]} offers {give} for {take}. Accept?"


def resources(amounts: Mapping[Resource, int]) -> str:
    """Return amounts of resources in words, such as `1 brick, 2 WiFi`."""
    return ", ".join(f"{amount} {kind_in_words(kind)}" for kind, amount in amounts.items())


def kind_in_words(kind: Resource) -> str:
    """Return a kind of resource in words: in lower case, except for WiFi."""
    return "WiFi" if kind is Resource.WIFI else kind.name.lower()


def sentence(event: Event, names: Sequence[str]) -> str:
    """Describe an event in a sentence for the log of a table, or return "" for other events."""
    match event:
        case events.VictimsFound(seat, victims):
            others = join_words([names[victim] for victim in victims], "or") or "nobody"
            return f"{names[seat]} can steal from {others}."
        case events.GameWon(seat, points):
            return f"{names[seat]} wins with {points} building points."
        case events.TurnBegan(seat):
            return f"{names[seat]}'s turn."
        case events.DiceRolled(seat, total, ()):
            return f"{names[seat]} chooses {total} with loaded dice."
        case events.TileChanged(number, tile):
            return f"Tile {number} produces {products(tile)}{_left_on(tile)}."
    return _sentence_about_resources(event, names) or _sentence(event, names)


def _sentence(event: Event, names: Sequence[str]) -> str:
    """Describe an event for which the document has no message."""
    text = ""
    match event:
        case events.BasementChosen(seat, vertex):
            text = f"{names[seat]} builds a basement on vertex {vertex}."
        case events.DiceChosen(seat, fair):
            text = f"{names[seat]} takes {'fair' if fair else 'loaded'} dice."
        case events.DiceRolled(seat, total, (first, second)):
            text = f"{names[seat]} rolls {total} ({first} + {second})."
        case events.RoadBuilt(seat, edge):
            text = f"{names[seat]} builds a road on edge {edge}."
        case events.ResidenceBuilt(seat, vertex, level):
            text = f"{names[seat]} builds a {LEVEL_NAMES[level - 1]} on vertex {vertex}."
        case events.GeesePlaced(seat, tile):
            text = f"{names[seat]} moves the geese to tile {tile}."
    return text


def _sentence_about_resources(event: Event, names: Sequence[str]) -> str:
    match event:
        case events.ResourcesGained(seat, gained):
            return f"{names[seat]} gets {_list(gained)}."
        case events.NothingGained():
            return "Nobody gets resources."
        case events.ResourcesLost(seat, lost):
            return f"{names[seat]} loses {_list(lost)} to the geese."
        case events.TradeAnswered(seat, to, give, take, accepted):
            offer = f"{names[seat]} offers {names[to]} {resources({give: 1})}"
            answer = "accepted" if accepted else "declined"
            return f"{offer} for {resources({take: 1})}: {answer}."
        case events.ResourceStolen(seat, victim, kind):
            return f"{names[seat]} steals {resources({kind: 1})} from {names[victim]}."
    return ""


def products(tile: Tile) -> str:
    """Return the kinds that a tile produces in words, such as `heat and WiFi`."""
    kinds = [tile.kind] if tile.also is None else [tile.kind, tile.also]
    return join_words([*map(kind_in_words, kinds)], "and")


def _left_on(tile: Tile) -> str:
    return "" if tile.left is None else f", {tile.left} left"


def _list(cost: Cost) -> str:
    return resources({Resource(kind): amount for kind, amount in enumerate(cost) if amount})


def labels(names: Sequence[str]) -> list[str]:
    """Return the label of each seat: its colour, with the name of the player if it has one."""
    return [  # not strict: there may be fewer builders than colours
        colour if name in (f"Player {number}", colour) else f"{name} ({colour})"
        for number, (name, colour) in enumerate(zip(names, COLOURS, strict=False), 1)
    ]


def changes_of_tiles(state: ConstructorState) -> list[events.TileChanged]:
    """Return an event for each tile that has changed since the start of a game of the variant."""
    return [
        events.TileChanged(number, tile)
        for number, tile in enumerate(state.tiles)
        if tile.also is not None or tile.left not in (None, STOCK)
    ]


def changed_tiles(state: ConstructorState) -> str:
    """Return a line for each tile that has been improved or that has a limited stock."""
    return "\n".join(
        describe(events.TileChanged(number, tile))
        for number, tile in enumerate(state.tiles)
        if tile.also is not None or tile.left is not None
    )
