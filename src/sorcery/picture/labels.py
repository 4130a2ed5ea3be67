"""Labels and descriptions of the parts of a table, for tooltips and screen readers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Final

from sorcery.cards.card import Card, CardType
from sorcery.cards.state import CardInstance, Minion, SorceryState
from sorcery.picture.cards import TIMES
from sorcery.rules.actions import Action, Attack, Discard, DrawCard, EndTurn, Play, QuitGame, Use
from sorcery.rules.minion_stats import (
    actions_each_turn,
    attack_obstacle,
    is_silenced,
    labels_of,
)
from sorcery.text.action_meanings import meaning
from sorcery.text.card_faces import Face, face_of, face_of_minion
from tabletop.wording import plural

_VERBS: Final[Mapping[type[Action], str]] = {
    EndTurn: "End turn",
    QuitGame: "Quit the game",
    DrawCard: "Draw a card",
    Discard: "Discard ",
    Play: "Play ",
    Attack: "Attack with ",
    Use: "Use ",
}


def label_of(action: Action, view: SorceryState, cards: Mapping[str, Card]) -> str:
    """Return the label of an action: `Play Banish (2) on the opponent's Bone Golem 1/3`."""
    return _VERBS[type(action)] + meaning(action, view, cards)


# Minions.


def note_of(minion: Minion, cards: Mapping[str, Card], *, active: bool) -> str:
    """Return a note on when and how often a minion can act, or "" if there is nothing unusual."""
    if active and minion.actions:
        return plural(minion.actions, "action")
    if active:
        return "next turn"
    each_turn = actions_each_turn(minion, cards)
    return "" if each_turn == 1 else f"{each_turn} actions"


def name_of_minion(minion: Minion, cards: Mapping[str, Card], *, active: bool) -> str:
    """Return a brief description: `Fire Elemental, minion, 2 attack, 2 defence, can act`."""
    items = [minion.card, "minion", f"{minion.attack} attack", f"{minion.defence} defence"]
    if active and minion.actions == 1:
        items.append("can act")
    elif active and minion.actions:
        items.append(f"can act {minion.actions} times")
    elif active:
        items.append("can act from your next turn")
    items += labels_of(minion, cards)
    if minion.enchantments:
        items.append("enchanted with " + ", ".join(reversed(minion.enchantments)))
    return ", ".join(items)


def about_minion(minion: Minion, cards: Mapping[str, Card]) -> str:
    """Return a full description of a minion: current and printed values, and enchantments."""
    printed = cards[minion.card]
    lines = face_of_minion(minion, cards).in_full()
    if (minion.attack, minion.defence) != (printed.attack, printed.defence):
        lines.append(f"Printed: {printed.attack}/{printed.defence}.")
    if is_silenced(minion, cards):
        lines.append("Silenced: it cannot use its abilities.")
    obstacle = attack_obstacle(minion, cards)
    if obstacle:
        lines.append(obstacle)
    if minion.enchantments:
        lines.append("Enchantments, newest first:")
    for name in reversed(minion.enchantments):
        lines += face_of(cards[name]).in_full()
    return "\n".join(lines)


def ribbons_of(minion: Minion, cards: Mapping[str, Card]) -> list[tuple[str, bool]]:
    """Return the enchantments, newest first, and whether each forbids attacks or abilities."""
    ribbons = []
    for name, run in groupby(reversed(minion.enchantments)):
        count = len(list(run))
        words = name if count == 1 else f"{name} {TIMES}{count}"
        forbids = any(
            modifier.attack_obstacle(minion.card) or modifier.ability_obstacle(minion.card)
            for modifier in cards[name].modifiers
        )
        ribbons.append((words, forbids))
    return ribbons


# Other cards.


def name_of_face(face: Face) -> str:
    """Describe a card in a few words: `Blizzard, spell, costs 3`."""
    items = [face.name, str(face.kind).lower(), f"costs {face.cost}"]
    if face.kind is CardType.MINION:
        items += [f"{face.low_left} attack", f"{face.low_right} defence"]
    return ", ".join(items)


def about_graveyard(cards: Sequence[CardInstance]) -> str:
    """Return a list of the cards in a graveyard, from the top."""
    if not cards:
        return "The graveyard is empty."
    lines = [f"{card.card} {card.attack}/{card.defence}" for card in reversed(cards)]
    return "\n".join(["From the top:", *lines])


def about_deck(cards: Sequence[CardInstance], *, seen: bool) -> str:
    """Return a sorted list of the cards in a deck, or an empty text if it is not the viewer's."""
    if not seen or not cards:
        return ""
    counts = Counter(card.card for card in cards)
    lines = [f"{count} {name}" if count > 1 else name for name, count in sorted(counts.items())]
    return "\n".join(["Cards left, in alphabetical order:", *lines])
