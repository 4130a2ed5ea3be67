"""The tutorial of Sorcery."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sorcery.cards.state import SorceryState
from sorcery.rules.actions import Action, Attack, EndTurn, Play, QuitGame, Use
from tabletop import Seat


def lessons(view: SorceryState, seat: Seat, actions: Sequence[Action]) -> Iterator[str]:
    """Yield the sentences of the tutorial that apply to a position."""
    kinds = {type(action) for action in actions}
    own = view.sides[seat]
    yield "A player without life loses. Life is the number next to the heart."
    yield "Cards cost magic: the cost is in the coin, and your magic is next to the crystals."
    if Attack in kinds:
        yield "A minion with a ring can attack: click it, then your opponent or a minion there."
    if Use in kinds:
        yield "The button at a minion is an ability. It costs magic and the action of the minion."
    if Play in kinds:
        yield "You can play a card with a ring now: click it, and then a target if it needs one."
    if own.minions and Attack not in kinds:
        yield "A minion that enters play can act from your next turn on."
    if own.ritual is not None:
        yield "A ritual acts by itself until it has used up its charges."
    if kinds <= {EndTurn, QuitGame}:
        yield "Nothing else is possible: end your turn. Each turn brings a card and 1 magic."
    yield "Point at a card, or rest a finger on it, to read it. Hint shows what a bot would do."
