"""Descriptions of actions with the names of cards and minions."""

from __future__ import annotations

from collections.abc import Mapping

from sorcery.cards.card import Card
from sorcery.cards.state import Side, SorceryState
from sorcery.rules.actions import RITUAL, Action, Attack, Discard, Play, Use
from sorcery.rules.minion_stats import abilities_of, ability_cost
from tabletop import Seat


def hint(action: Action, state: SorceryState, cards: Mapping[str, Card]) -> str:
    """Return the command and meaning of a legal action: `play 2  Fire Elemental (2)`."""
    description = meaning(action, state, cards)
    return f"{action}  {description}" if description else str(action)


def meaning(action: Action, state: SorceryState, cards: Mapping[str, Card]) -> str:
    """Describe a legal action with the names of cards, or return "" if the command is clear."""
    if isinstance(action, Attack):
        target = None if action.target is None else 1 - state.turn
        return f"{_name_actor(action, state, cards)}{_aim(state, target, action.target)}"
    if isinstance(action, Play | Use):
        aim = _aim(state, action.player, action.target)
        return f"{_name_actor(action, state, cards)}{aim}"
    return _name_actor(action, state, cards)


def _name_actor(action: Action, state: SorceryState, cards: Mapping[str, Card]) -> str:
    side = state.sides[state.turn]
    if isinstance(action, Play | Discard):
        name = side.hand[action.card].card
        return f"{name} ({cards[name].cost})" if name in cards else name
    if isinstance(action, Use):
        place, number = action.ability
        minion = side.minions[place]
        cost = ability_cost(abilities_of(minion, cards)[number], minion, cards)
        return f"{_name_minion(side, place)} ({cost} magic)"
    return _name_minion(side, action.minion) if isinstance(action, Attack) else ""


def _aim(state: SorceryState, player: Seat | None, target: int | None) -> str:
    """Return the target of an action and its owner, as the end of a sentence."""
    if player is None or target is None:
        return ""
    side = state.sides[player]
    whose = "your" if player == state.turn else "the opponent's"
    if target == RITUAL:
        return f" on {whose} {side.ritual.card}" if side.ritual else ""
    minion = side.minions[target]
    return f" on {whose} {_name_minion(side, target)} {minion.attack}/{minion.defence}"


def _name_minion(side: Side, place: int) -> str:
    """Return the name of a minion, followed by its place (from 1) if others have that name."""
    name = side.minions[place].card
    alike = sum(minion.card == name for minion in side.minions)
    return name if alike == 1 else f"{name} ({place + 1})"
