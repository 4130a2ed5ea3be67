"""Actions in words: what a legal action does, by the names of cards and minions."""

from __future__ import annotations

from collections.abc import Mapping

from sorcery.cards.card import Card
from sorcery.cards.state import Side, SorceryState
from sorcery.rules.actions import RITUAL, Action, Attack, Discard, Play, Use
from sorcery.rules.minion_stats import abilities_of, ability_cost
from tabletop import Seat


def hint(action: Action, state: SorceryState, cards: Mapping[str, Card]) -> str:
    """Spell a legal action, with its meaning: `play 2  Fire Elemental (2)`."""
    meant = meaning(action, state, cards)
    return f"{action}  {meant}" if meant else str(action)


def meaning(action: Action, state: SorceryState, cards: Mapping[str, Card]) -> str:
    """Explain a legal action by the names of cards; empty where it says so itself."""
    if isinstance(action, Attack):
        target = None if action.target is None else 1 - state.turn
        return f"{_name_actor(action, state, cards)}{_aim(state, target, action.target)}"
    if isinstance(action, Play | Use):
        aim = _aim(state, action.player, action.target)
        return f"{_name_actor(action, state, cards)}{aim}"
    return _name_actor(action, state, cards)


def _name_actor(action: Action, state: SorceryState, cards: Mapping[str, Card]) -> str:
    """Return the card or minion that an action begins with, and its cost; empty without one."""
    side = state.sides[state.turn]
    if isinstance(action, Play | Discard):
        name = side.hand[action.card].card
        return f"{name} ({cards[name].cost})" if name in cards else name
    if isinstance(action, Use):
        place, which = action.ability
        minion = side.minions[place]
        cost = ability_cost(abilities_of(minion, cards)[which], minion, cards)
        return f"{_which(side, place)} ({cost} magic)"
    return _which(side, action.minion) if isinstance(action, Attack) else ""


def _aim(state: SorceryState, player: Seat | None, target: int | None) -> str:
    """Name the target of an action, and its owner."""
    if player is None or target is None:
        return ""
    side = state.sides[player]
    whose = "your" if player == state.turn else "the opponent's"
    if target == RITUAL:
        return f" on {whose} {side.ritual.card}" if side.ritual else ""
    minion = side.minions[target]
    return f" on {whose} {_which(side, target)} {minion.attack}/{minion.defence}"


def _which(side: Side, place: int) -> str:
    """Return a minion by its name; one of several that are alike with its place, from 1."""
    name = side.minions[place].card
    alike = sum(minion.card == name for minion in side.minions)
    return name if alike == 1 else f"{name} ({place + 1})"
