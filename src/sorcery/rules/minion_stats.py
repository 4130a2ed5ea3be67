"""Attack and defence, computed from the history of a minion.

Gains, including damage, are permanent. Enchantments count while they are on the minion. The values
depend only on the history, so they are computed again when an enchantment is removed (Sorcery 2024
§2.3). All other modifiers are applied in the same order.
"""

from __future__ import annotations

from collections.abc import Mapping

from sorcery.cards.card import Ability, Card
from sorcery.cards.mechanics import Trigger
from sorcery.cards.modifiers import Modifier
from sorcery.cards.state import Minion, Ritual, StatChange, clamp


def refresh(minion: Minion, cards: Mapping[str, Card]) -> None:
    """Compute the attack and defence of `minion` from its history."""
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
    """Add a permanent gain to `minion`, within the limits. Consecutive gains are merged."""
    new_attack, new_defence = clamp(minion.attack + attack), clamp(minion.defence + defence)
    attack, defence = new_attack - minion.attack, new_defence - minion.defence
    minion.attack, minion.defence = new_attack, new_defence
    # Gains are merged so that the history of a minion that is hit every turn stays short.
    history = minion.history
    if history and isinstance(last := history[-1], StatChange):
        history, attack, defence = history[:-1], last.attack + attack, last.defence + defence
    minion.history = (*history, StatChange(attack, defence))


def add_enchantment(minion: Minion, name: str, cards: Mapping[str, Card]) -> None:
    """Put an enchantment on `minion`."""
    minion.history = (*minion.history, name)
    refresh(minion, cards)


def drop_top_enchantment(minion: Minion, cards: Mapping[str, Card]) -> str:
    """Remove the newest enchantment of `minion`, which must have one, and return its name."""
    history = minion.history
    place = max(place for place, item in enumerate(history) if isinstance(item, str))
    name = history[place]
    minion.history = _join_histories(history[:place], history[place + 1 :])
    refresh(minion, cards)
    return str(name)


def _join_histories(
    older: tuple[StatChange | str, ...], newer: tuple[StatChange | str, ...]
) -> tuple[StatChange | str, ...]:
    """Concatenate two parts of a history, merging the gains where they meet."""
    if older and newer:
        last, first = older[-1], newer[0]
        if isinstance(last, StatChange) and isinstance(first, StatChange):
            gain = StatChange(last.attack + first.attack, last.defence + first.defence)
            return (*older[:-1], gain, *newer[1:])
    return older + newer


def without_enchantments(minion: Minion) -> tuple[int, int]:
    """Return the attack and defence that a minion would have without its enchantments."""
    attack, defence = minion.base_attack, minion.base_defence
    for item in minion.history:
        if isinstance(item, StatChange):
            attack, defence = clamp(attack + item.attack), clamp(defence + item.defence)
    return attack, defence


def abilities_of(minion: Minion, cards: Mapping[str, Card]) -> tuple[Ability, ...]:
    """Return the abilities of the newest enchantment that grants any, or else the minion's own."""
    for item in reversed(minion.history):
        if isinstance(item, str) and cards[item].abilities:
            return cards[item].abilities
    return cards[minion.card].abilities


def triggers_of(
    source: Minion | Ritual, triggers: Mapping[str, tuple[Trigger, ...]]
) -> tuple[Trigger, ...]:
    """Return the triggers of `source`, given those of each card: its own, then the granted ones."""
    result = triggers.get(source.card, ())
    # `isinstance` is slow for the classes of states.
    for item in source.history if type(source) is Minion else ():
        if isinstance(item, str):
            result += triggers.get(item, ())
    return result


def modifiers_on(minion: Minion, cards: Mapping[str, Card]) -> tuple[Modifier, ...]:
    """Return the modifiers of `minion`: its own, then those of its enchantments, oldest first."""
    modifiers = cards[minion.card].modifiers
    for item in minion.history:
        if isinstance(item, str):
            modifiers += cards[item].modifiers
    return modifiers


def attack_obstacle(minion: Minion, cards: Mapping[str, Card]) -> str:
    """Return a sentence that explains why `minion` cannot attack, or an empty text."""
    for modifier in modifiers_on(minion, cards):
        if obstacle := modifier.attack_obstacle(minion.card):
            return obstacle
    return ""


def ability_obstacle(minion: Minion, cards: Mapping[str, Card]) -> str:
    """Return a sentence that explains why `minion` cannot use abilities, or an empty text."""
    for modifier in modifiers_on(minion, cards):
        if obstacle := modifier.ability_obstacle(minion.card):
            return obstacle
    return ""


def is_silenced(minion: Minion, cards: Mapping[str, Card]) -> bool:
    """Return whether `minion` cannot use activated abilities."""
    return bool(ability_obstacle(minion, cards))


def ability_cost(ability: Ability, minion: Minion, cards: Mapping[str, Card]) -> int:
    """Return the current cost in magic of an activated ability of `minion`, at least 0."""
    cost = ability.cost
    for modifier in modifiers_on(minion, cards):
        cost = modifier.new_cost(cost)
    return max(0, cost)


def actions_each_turn(minion: Minion, cards: Mapping[str, Card]) -> int:
    """Return the number of actions that `minion` receives at the start of its owner's turn."""
    actions = 1
    for modifier in modifiers_on(minion, cards):
        actions = modifier.new_actions(actions)
    return actions


def labels_of(minion: Minion, cards: Mapping[str, Card]) -> list[str]:
    """Return the modifier labels of `minion`, such as `silenced`, without duplicates."""
    labels = [modifier.label for modifier in modifiers_on(minion, cards) if modifier.label]
    return list(dict.fromkeys(labels))
