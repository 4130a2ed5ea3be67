"""Map actions to the parts of a picture to click, and clicks on other parts to commands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from constructor.rules.actions import (
    OWNED,
    Accept,
    BuildResidence,
    BuildRoad,
    ChooseRoll,
    Decline,
    EndTurn,
    Improve,
    ImproveTile,
    PlaceGeese,
    Roll,
    Settle,
    Steal,
    Trade,
    UseFairDice,
    UseLoadedDice,
)
from constructor.rules.production import VARIANTS
from constructor.rules.state import COLOURS, ConstructorState, Phase, Resource
from constructor.text.text_view import LEVEL_NAMES, kind_in_words, labels, resources
from tabletop import Seat

DICE: Final = "dice"
FAIR: Final = "fair"
LOADED: Final = "loaded"
ACCEPT: Final = "accept"
DECLINE: Final = "decline"
NEXT: Final = "next"
"""Parts of a picture that are buttons. Each button performs a complete action."""

_BUTTONS: Final[Mapping[type[Any], tuple[str, str]]] = {
    Roll: (DICE, "Roll the dice"),
    UseFairDice: (FAIR, "Take fair dice"),
    UseLoadedDice: (LOADED, "Take loaded dice"),
    Accept: (ACCEPT, "Accept the offer"),
    Decline: (DECLINE, "Decline the offer"),
    EndTurn: (NEXT, "End the turn"),
}
"""The button of an action and its label."""


def builder_part(seat: Seat) -> str:
    """Return the clickable part for a builder."""
    return f"builder-{COLOURS[seat].lower()}"


def wanted_part(seat: Seat, kind: Resource) -> str:
    """Return the clickable part for a resource of another builder."""
    return f"{builder_part(seat)}-{kind.name.lower()}"


def hand_part(kind: Resource) -> str:
    """Return the clickable part for a resource in the viewer's hand."""
    return f"hand-{kind.name.lower()}"


def path_of(action: Any) -> Sequence[str]:
    """Return the parts to click for an action, in order."""
    parts: tuple[str, ...]
    match action:
        case Settle(vertex) | BuildResidence(vertex) | Improve(vertex):
            parts = (f"vertex-{vertex}",)
        case BuildRoad(edge):
            parts = (f"edge-{edge}",)
        case PlaceGeese(tile):
            parts = (f"tile-{tile}",)
        case ImproveTile(tile, kind):
            parts = (f"tile-{tile}", hand_part(kind))
        case Trade(other, give, take):
            parts = (hand_part(give), wanted_part(other, take))
        case Steal(other):
            parts = (builder_part(other),)
        case ChooseRoll(total):
            parts = (f"roll-{total}",)
        case _:
            parts = (_BUTTONS[type(action)][0],)
    return parts


def label_of(action: Any, view: ConstructorState, names: Sequence[str]) -> str:
    """Return the label of a button for an action."""
    match action:
        case Settle(vertex) | BuildResidence(vertex):
            label = f"Build a basement on vertex {vertex}"
        case Improve(vertex):
            label = f"Build a {LEVEL_NAMES[view.levels[vertex]]} on vertex {vertex}"
        case BuildRoad(edge):
            label = f"Build a road on edge {edge}"
        case PlaceGeese(tile):
            kind = kind_in_words(view.tiles[tile].kind)
            label = f"Put the geese on tile {tile}, {kind}"
        case ImproveTile(tile, kind):
            label = f"Make tile {tile} also produce {kind_in_words(kind)}"
        case Trade(other, give, take):
            offer = f"{resources({give: 1})} for {resources({take: 1})}"
            label = f"Offer {labels(names)[other]} {offer}"
        case Steal(other):
            label = f"Steal from {labels(names)[other]}"
        case ChooseRoll(total):
            label = str(total)
        case _:
            label = _BUTTONS[type(action)][1]
    return label


def attempt_of(part: str, view: ConstructorState, seat: Seat) -> str:
    """Return the command that a click on a part stands for, or "" if there is none.

    The rules refuse the command with a reason, which the player sees.
    """
    name, _, rest = part.partition("-")
    if rest.isdecimal():
        return _on_board(name, int(rest), view, seat)
    if name == "hand":
        give = Resource[rest.upper()]
        take = next(kind for kind in OWNED if kind is not give)
        return str(Trade((seat + 1) % view.seats, give, take))
    if name == "builder":
        return _with_builder(rest, view, seat)
    return next((str(kind()) for kind, (button, _) in _BUTTONS.items() if button == part), "")


def _on_board(name: str, number: int, view: ConstructorState, seat: Seat) -> str:
    action: object = ""
    match name:
        case "vertex" if view.phase is Phase.SETUP:
            action = Settle(number)
        case "vertex":
            is_own = view.homes[number] == seat
            action = Improve(number) if is_own else BuildResidence(number)
        case "edge":
            action = BuildRoad(number)
        case "tile" if view.phase is Phase.PLACING_GEESE:
            action = PlaceGeese(number)
        case "tile" if VARIANTS[view.variant].rich:
            kind = next(kind for kind in OWNED if kind is not view.tiles[number].kind)
            action = ImproveTile(number, kind)
        case "roll":
            action = ChooseRoll(number)
    return str(action)


def _with_builder(rest: str, view: ConstructorState, seat: Seat) -> str:
    colour, _, kind = rest.partition("-")
    other = [name.lower() for name in COLOURS].index(colour)
    if not kind:
        return str(Steal(other)) if view.phase is Phase.STEALING else ""
    take = Resource[kind.upper()]
    give = max((kind for kind in OWNED if kind is not take), key=lambda kind: view.hand(seat)[kind])
    if view.phase is Phase.BUILDING and view.hand(seat)[give] and view.hand(other)[take]:
        return ""  # the trade is possible, but the player must click a card of their own first
    return str(Trade(other, give, take))
