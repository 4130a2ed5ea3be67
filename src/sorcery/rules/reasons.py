"""Reasons for refusing actions (Sorcery 2024 §2, §5.1).

`sorcery.rules.legal` decides which actions are legal. This module explains why an action is not. It
returns the first reason that applies. The last possible reason is returned without a test, because
all others were excluded.
"""

from __future__ import annotations

from sorcery.cards.card import Ability, CardType, Target
from sorcery.cards.editions import Edition
from sorcery.cards.state import Minion, SorceryState
from sorcery.rules.actions import (
    RITUAL,
    Action,
    Attack,
    Discard,
    DrawCard,
    EndTurn,
    Play,
    Use,
    aim_at,
)
from sorcery.rules.legal import effect_obstacle
from sorcery.rules.minion_stats import abilities_of, ability_cost, ability_obstacle, attack_obstacle
from tabletop import Seat

_MINION, _NOTHING = CardType.MINION, Target.NOTHING  # attribute access on an enumeration is slow


def why_not(state: SorceryState, edition: Edition, action: Action) -> str:
    """Return a sentence that explains why `action`, which is not legal, is refused."""
    if isinstance(action, EndTurn):
        return ""
    if isinstance(action, Attack):
        return _attack_obstacle(state, edition, action)
    if isinstance(action, Play):
        return _play_obstacle(state, edition, action)
    if isinstance(action, Use):
        return _use_obstacle(state, edition, action)
    if isinstance(action, DrawCard | Discard):
        return _testing_obstacle(state, action)
    return ""  # the game can be quit at any time


def _missing(noun: str, place: int, number: int, *, owner: str = "You have") -> str:
    """Return a sentence if there is nothing at `place`, or an empty text if there is."""
    if 0 <= place < number:
        return ""
    if number == 0:
        return f"{owner} no {noun}s."
    count = f"only {number} {noun}s" if number > 1 else f"only 1 {noun}"
    return f"There is no {noun} {place + 1}: {owner[0].lower()}{owner[1:]} {count}."


def _minion_obstacle(state: SorceryState, place: int) -> str:
    minions = state.sides[state.turn].minions
    missing = _missing("minion", place, len(minions))
    if missing:
        return missing
    minion = minions[place]
    return "" if minion.actions > 0 else f"{minion.card} can act from your next turn."


def _attack_obstacle(state: SorceryState, edition: Edition, action: Attack) -> str:
    obstacle = _minion_obstacle(state, action.minion)
    if not obstacle:
        minion = state.sides[state.turn].minions[action.minion]
        obstacle = attack_obstacle(minion, edition.cards)
    if obstacle or action.target is None:
        return obstacle
    targets = len(state.sides[1 - state.turn].minions)
    return _missing("minion", action.target, targets, owner="Your opponent has")


def _play_obstacle(state: SorceryState, edition: Edition, action: Play) -> str:
    side = state.sides[state.turn]
    missing = _missing("card", action.card, len(side.hand))
    if missing:
        return missing
    card = edition.cards.get(side.hand[action.card].card)
    if card is None:
        return "That card is hidden."
    aimed = _target_obstacle(state, card.name, card.target, action.player, action.target)
    if aimed:
        return aimed
    if card.type is _MINION and len(side.minions) >= edition.most_minions:
        return "Your board is full."
    aim = aim_at(state, action.player, action.target)
    obstacle = effect_obstacle(state, edition, card.effect, aim, 1)
    return obstacle or _price(state, card.name, card.cost)


def _use_obstacle(state: SorceryState, edition: Edition, action: Use) -> str:
    place, number = action.ability
    minions = state.sides[state.turn].minions
    missing = _missing("minion", place, len(minions))
    if missing:
        return missing
    minion = minions[place]
    abilities = abilities_of(minion, edition.cards)
    if not 0 <= number < len(abilities):
        other = f" {number + 1}" if number else ""
        return f"{minion.card} has no activated ability{other}."
    obstacle = ability_obstacle(minion, edition.cards) or _minion_obstacle(state, place)
    return obstacle or _ability_obstacle(state, edition, minion, abilities[number], action)


def _ability_obstacle(
    state: SorceryState, edition: Edition, minion: Minion, ability: Ability, action: Use
) -> str:
    name = f"the ability of {minion.card}"
    aimed = _target_obstacle(state, name, ability.target, action.player, action.target)
    if aimed:
        return aimed
    aim = aim_at(state, action.player, action.target)
    obstacle = effect_obstacle(state, edition, ability.effect, aim, 0)
    cost = ability_cost(ability, minion, edition.cards)
    return obstacle or _price(state, name, cost)


def _target_obstacle(
    state: SorceryState, name: str, wanted: Target, player: Seat | None, target: int | None
) -> str:
    if player is None and target is None:
        return "" if wanted is _NOTHING else f"{_capital(name)} needs a target: {wanted}."
    if wanted is _NOTHING:
        return f"{_capital(name)} takes no target."
    if player not in (0, 1) or target is None:
        return "A target is a card of player 1 or of player 2."
    if wanted is (Target.MINION if target == RITUAL else Target.RITUAL):
        return f"{_capital(name)} needs another target: {wanted}."
    return missing_target(state, player, target)


def _capital(name: str) -> str:
    """Return `name` with a capital letter, for the beginning of a sentence."""
    return name[0].upper() + name[1:]


def missing_target(state: SorceryState, player: Seat, target: int) -> str:
    """Return why a player's card cannot be a target, as a sentence, or an empty text if it can."""
    side = state.sides[player]
    if target == RITUAL:
        return "" if side.ritual else f"Player {player + 1} has no ritual."
    return _missing("minion", target, len(side.minions), owner=f"Player {player + 1} has")


def _price(state: SorceryState, name: str, cost: int) -> str:
    magic = state.sides[state.turn].magic
    return f"{_capital(name)} costs {cost} magic, but you have {magic}."


def _testing_obstacle(state: SorceryState, action: DrawCard | Discard) -> str:
    if not state.testing:
        command = "Draw" if isinstance(action, DrawCard) else "Discard"
        return f"{command} is possible in testing mode only."
    side = state.sides[state.turn]
    if isinstance(action, Discard):
        return _missing("card", action.card, len(side.hand))
    if not side.deck:
        return "Your deck is empty."
    return "Your hand is full."
