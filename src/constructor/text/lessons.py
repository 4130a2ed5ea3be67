"""The tutorial of Constructor."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from constructor.rules.actions import (
    Action,
    BuildResidence,
    BuildRoad,
    EndTurn,
    Improve,
    Trade,
)
from constructor.rules.state import ConstructorState, Phase
from tabletop import Seat

PHASES: Final[Mapping[Phase, Sequence[str]]] = {
    Phase.SETUP: (
        "The first builder with 10 points wins. Begin with two free basements, worth 1 each.",
        "Click a corner with a ring. Red numbers are rolled most often.",
    ),
    Phase.BEGINNING: (
        "Roll the dice. All tiles with this number produce for the buildings at their corners.",
    ),
    Phase.CHOOSING_ROLL: ("With loaded dice, you choose the number.",),
    Phase.ANSWERING: (
        "Accept a trade only if it helps you at least as much as the other builder.",
    ),
    Phase.PLACING_GEESE: (
        "On a 7 you move the geese. Choose a tile of your rivals: it produces nothing.",
    ),
    Phase.STEALING: ("Choose a builder at this tile, and steal a random resource.",),
}
"""The sentences of each phase."""

ACTIONS: Final[Mapping[type[Action], str]] = {
    BuildRoad: "Roads lead to new places: click an edge with a ring to build one.",
    BuildResidence: "Click a corner with a ring to build a basement. It needs a road of yours.",
    Improve: "Click your basement to make it a house (2 points), and later a tower (3 points).",
    Trade: "To offer a trade, click a resource that you have, then one that another builder has.",
}
"""The sentence for each kind of action, shown when such an action is possible."""


def lessons(view: ConstructorState, seat: Seat, actions: Sequence[Action]) -> Iterator[str]:
    """Yield the sentences of the tutorial that apply to a position."""
    yield from PHASES.get(view.phase, ())
    kinds = {type(action) for action in actions}
    yield from (text for kind, text in ACTIONS.items() if kind in kinds)
    if kinds == {EndTurn}:
        yield "You cannot pay for anything: end your turn. Rolls of others bring resources, too."
    yield "Point at a part of the board to read about it. Hint shows what a bot would do."
