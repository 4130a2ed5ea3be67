"""Attack and defence: a fold over everything that happened to a minion, in one order of time.

Gains (damage is one) stay for good; enchantments count as long as they are on the minion. So what
a minion is worth follows from what lies on it, and taking an enchantment away needs no undoing
(Sorcery 2024 §2.3). Everything else that enchantments change is asked in the same order.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from sorcery.cards.card import Ability, Card
from sorcery.cards.mechanics import Trigger
from sorcery.cards.modifiers import Modifier
from sorcery.cards.state import MOST, Minion, StatChange, clamp

_gain: Final = lru_cache(maxsize=1024, typed=True)(StatChange)
"""A gain, the same object each time: gains are small, and a frozen object takes long to make."""


@lru_cache(maxsize=1024, typed=True)
def _history_of_gain(attack: int, defence: int) -> tuple[StatChange]:
    """Return a history of one gain, as most minions have it."""
    return (StatChange(attack, defence),)


def refresh(minion: Minion, cards: Mapping[str, Card]) -> None:
    """Work out the attack and defence of `minion` anew, from everything in its history."""
    attack, defence = minion.base_attack, minion.base_defence
    for item in minion.history:
        if isinstance(item, StatChange):
            attack, defence = clamp(attack + item.attack), clamp(defence + item.defence)
        else:
            for modifier in cards[item].modifiers:
                attack = clamp(modifier.new_attack(attack))
                defence = clamp(modifier.new_defence(defence))
    minion.attack, minion.defence = attack, defence


def add_gain(minion: Minion, attack: int, defence: int) -> None:
    """Add a permanent gain to `minion`, as far as numbers go; gains in a row are one."""
    history = minion.history
    new_attack, new_defence = minion.attack + attack, minion.defence + defence
    if not (-MOST <= new_attack <= MOST and -MOST <= new_defence <= MOST):
        new_attack, new_defence = clamp(new_attack), clamp(new_defence)
        attack, defence = new_attack - minion.attack, new_defence - minion.defence
    minion.attack, minion.defence = new_attack, new_defence
    if not history:
        minion.history = _history_of_gain(attack, defence)
        return
    last = history[-1]
    # Merged, so that a minion that is hit or strengthened every turn keeps a short history.
    if not isinstance(last, StatChange):
        minion.history = (*history, _gain(attack, defence))
    elif len(history) == 1:
        minion.history = _history_of_gain(last.attack + attack, last.defence + defence)
    else:
        minion.history = (*history[:-1], _gain(last.attack + attack, last.defence + defence))


def add_enchantment(minion: Minion, name: str, cards: Mapping[str, Card]) -> None:
    """Put an enchantment on `minion`."""
    minion.history = (*minion.history, name)
    refresh(minion, cards)


def drop_top_enchantment(minion: Minion, cards: Mapping[str, Card]) -> str:
    """Take the newest enchantment off `minion`, which has one; return its name."""
    history = minion.history
    place = max(place for place, item in enumerate(history) if isinstance(item, str))
    name = history[place]
    minion.history = _join_histories(history[:place], history[place + 1 :])
    refresh(minion, cards)
    return str(name)


def _join_histories(
    older: tuple[StatChange | str, ...], newer: tuple[StatChange | str, ...]
) -> tuple[StatChange | str, ...]:
    """Join two parts of a history; gains that now stand in a row become one."""
    if older and newer:
        last, first = older[-1], newer[0]
        if isinstance(last, StatChange) and isinstance(first, StatChange):
            gain = StatChange(last.attack + first.attack, last.defence + first.defence)
            return (*older[:-1], gain, *newer[1:])
    return older + newer


def without_enchantments(minion: Minion) -> tuple[int, int]:
    """Return the attack and defence without enchantments."""
    attack, defence = minion.base_attack, minion.base_defence
    for item in minion.history:
        if isinstance(item, StatChange):
            attack, defence = clamp(attack + item.attack), clamp(defence + item.defence)
    return attack, defence


def abilities_of(minion: Minion, cards: Mapping[str, Card]) -> tuple[Ability, ...]:
    """Return the abilities of `minion`: of the newest enchantment with any, else its own."""
    for item in reversed(minion.history):
        if isinstance(item, str) and cards[item].abilities:
            return cards[item].abilities
    return cards[minion.card].abilities


def triggers_of(minion: Minion, triggers: Mapping[str, tuple[Trigger, ...]]) -> tuple[Trigger, ...]:
    """Return the triggers of `minion` among `triggers` (by card): its own, then those granted."""
    found = triggers.get(minion.card, ())
    for item in minion.history:
        if isinstance(item, str) and item in triggers:
            found += triggers[item]
    return found


def is_enchanted(minion: Minion) -> bool:
    """Return whether `minion` is enchanted, which could change what it is or may do."""
    enchanted = False
    for item in minion.history:
        if isinstance(item, str):
            enchanted = True
            break
    return enchanted


def modifiers_on(minion: Minion, cards: Mapping[str, Card], question: str) -> tuple[Modifier, ...]:
    """Return the modifiers that answer one of `modifiers.QUESTIONS`: own ones, then by age."""
    found = cards[minion.card].by_question.get(question, ())
    for item in minion.history:
        if isinstance(item, str):
            found += cards[item].by_question.get(question, ())
    return found


def attack_obstacle(minion: Minion, cards: Mapping[str, Card]) -> str:
    """Say why `minion` cannot attack, as a sentence; empty when nothing on it forbids that."""
    found = modifiers_on(minion, cards, "attack_obstacle")
    return next(filter(None, (modifier.attack_obstacle(minion.card) for modifier in found)), "")


def ability_obstacle(minion: Minion, cards: Mapping[str, Card]) -> str:
    """Say why `minion` cannot use activated abilities, as a sentence; empty when it can."""
    found = modifiers_on(minion, cards, "ability_obstacle")
    return next(filter(None, (modifier.ability_obstacle(minion.card) for modifier in found)), "")


def is_silenced(minion: Minion, cards: Mapping[str, Card]) -> bool:
    """Return whether `minion` cannot use activated abilities."""
    return bool(ability_obstacle(minion, cards))


def ability_cost(ability: Ability, minion: Minion, cards: Mapping[str, Card]) -> int:
    """Return the cost now of an activated ability of `minion`, in magic; at least 0."""
    if not minion.history and not cards[minion.card].modifiers:
        return ability.cost
    cost = ability.cost
    for modifier in modifiers_on(minion, cards, "new_cost"):
        cost = modifier.new_cost(cost)
    return max(0, cost)


def actions_each_turn(minion: Minion, cards: Mapping[str, Card]) -> int:
    """Return the actions `minion` has at the start of its owner's turn."""
    if not cards[minion.card].modifiers and not is_enchanted(minion):
        return 1
    actions = 1
    for modifier in modifiers_on(minion, cards, "new_actions"):
        actions = modifier.new_actions(actions)
    return actions


def labels_of(minion: Minion, cards: Mapping[str, Card]) -> list[str]:
    """Return the words of the modifiers of `minion` for people: `silenced`; each once."""
    on_it = [cards[minion.card], *(cards[name] for name in minion.enchantments)]
    words = [modifier.label for card in on_it for modifier in card.modifiers if modifier.label]
    return list(dict.fromkeys(words))
