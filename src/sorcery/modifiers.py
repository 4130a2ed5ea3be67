"""Attack and defence: a fold over everything that happened to a minion, in one order of time.

Gains (damage is one) stay for good; enchantments count as long as they are on the minion. So what
a minion is worth follows from what lies on it, and taking an enchantment away needs no undoing
(Sorcery 2024 §2.3).
"""

from __future__ import annotations

from collections.abc import Mapping

from sorcery.card import Ability, Card, Trigger
from sorcery.state import Gain, Minion


def refresh(minion: Minion, cards: Mapping[str, Card]) -> None:
    """Work out the attack and defence of `minion` anew, from everything in its history."""
    attack, defence = minion.base_attack, minion.base_defence
    for item in minion.history:
        if isinstance(item, Gain):
            attack += item.attack
            defence += item.defence
            continue
        card = cards[item]
        if card.attack_change is not None:
            attack = card.attack_change.apply(attack)
        if card.defence_change is not None:
            defence = card.defence_change.apply(defence)
    minion.attack, minion.defence = attack, defence


def add_gain(minion: Minion, attack: int, defence: int) -> None:
    """Add a permanent gain to `minion`; consecutive gains are merged into one."""
    history = minion.history
    last = history[-1] if history else None
    # Merged, so that a minion that is hit or strengthened every turn keeps a short history.
    if isinstance(last, Gain):
        gain = Gain(last.attack + attack, last.defence + defence)
        minion.history = (*history[:-1], gain)
    else:
        minion.history = (*history, Gain(attack, defence))
    minion.attack += attack
    minion.defence += defence


def add_enchantment(minion: Minion, name: str, cards: Mapping[str, Card]) -> None:
    """Put an enchantment on `minion`."""
    minion.history = (*minion.history, name)
    refresh(minion, cards)


def enchanted(minion: Minion, card: Card) -> tuple[int, int]:
    """The attack and defence of `minion` with one more enchantment, which would be its newest."""
    attack, defence = minion.attack, minion.defence
    if card.attack_change is not None:
        attack = card.attack_change.apply(attack)
    if card.defence_change is not None:
        defence = card.defence_change.apply(defence)
    return attack, defence


def drop_top_enchantment(minion: Minion, cards: Mapping[str, Card]) -> str:
    """Take the newest enchantment off `minion`, which has one.

    Returns:
        Its name.
    """
    history = minion.history
    place = max(place for place, item in enumerate(history) if isinstance(item, str))
    name = history[place]
    minion.history = _joined(history[:place], history[place + 1 :])
    refresh(minion, cards)
    return str(name)


def _joined(older: tuple[Gain | str, ...], newer: tuple[Gain | str, ...]) -> tuple[Gain | str, ...]:
    """Two parts of a history, with gains that now stand in a row kept as one."""
    if older and newer:
        last, first = older[-1], newer[0]
        if isinstance(last, Gain) and isinstance(first, Gain):
            gain = Gain(last.attack + first.attack, last.defence + first.defence)
            return (*older[:-1], gain, *newer[1:])
    return older + newer


def without_enchantments(minion: Minion) -> tuple[int, int]:
    """The attack and defence that are left when all enchantments go."""
    attack, defence = minion.base_attack, minion.base_defence
    for item in minion.history:
        if isinstance(item, Gain):
            attack += item.attack
            defence += item.defence
    return attack, defence


def abilities_of(minion: Minion, cards: Mapping[str, Card]) -> tuple[Ability, ...]:
    """The activated abilities of `minion`: of the newest enchantment with any, else its own."""
    for item in reversed(minion.history):
        if isinstance(item, str) and cards[item].abilities:
            return cards[item].abilities
    return cards[minion.card].abilities


def triggers_of(minion: Minion, triggers: Mapping[str, tuple[Trigger, ...]]) -> tuple[Trigger, ...]:
    """The triggers of `minion` among `triggers` (by card): its own, then those it was granted."""
    found = triggers.get(minion.card, ())
    for item in minion.history:
        if isinstance(item, str) and item in triggers:
            found += triggers[item]
    return found


def is_silenced(minion: Minion, cards: Mapping[str, Card]) -> bool:
    """Whether `minion` cannot use activated abilities."""
    return any(isinstance(item, str) and cards[item].silences for item in minion.history)


def extra_cost(minion: Minion, cards: Mapping[str, Card]) -> int:
    """How much more magic the activated abilities of `minion` cost."""
    extra = 0
    for item in minion.history:
        if isinstance(item, str):
            extra += cards[item].ability_cost
    return extra


def actions_each_turn(minion: Minion, cards: Mapping[str, Card]) -> int:
    """How many actions `minion` has at the start of its owner's turn."""
    actions = 1
    for item in minion.history:
        if isinstance(item, str):
            actions += cards[item].actions
    return actions
