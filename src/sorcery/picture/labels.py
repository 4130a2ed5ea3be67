"""The labels of parts of the table, and the texts about them for a closer look."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Final

from sorcery.cards.card import Card, CardType
from sorcery.cards.state import CardInstance, Minion, SorceryState
from sorcery.picture.cards import TIMES, as_printed
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
    """Label a legal action's button: `Play Banish (2) on the opponent's Bone Golem 1/3`."""
    return _VERBS[type(action)] + meaning(action, view, cards)


# Minions.


def note_of(minion: Minion, cards: Mapping[str, Card], *, active: bool, brief: bool) -> str:
    """Say how often a minion can act, or when; empty where that need not be said."""
    if active and minion.actions:
        return plural(minion.actions, "action")
    if active:
        return "next turn" if brief else "acts from next turn"
    each_turn = actions_each_turn(minion, cards)
    if each_turn == 1:
        return ""
    return f"{each_turn} actions" if brief else f"{each_turn} actions each turn"


def name_of_minion(minion: Minion, cards: Mapping[str, Card], *, active: bool) -> str:
    """Describe a minion briefly: `Fire Elemental, minion, 2 attack, 2 defence, can act`."""
    said = [minion.card, "minion", f"{minion.attack} attack", f"{minion.defence} defence"]
    if active and minion.actions == 1:
        said.append("can act")
    elif active and minion.actions:
        said.append(f"can act {minion.actions} times")
    elif active:
        said.append("can act from your next turn")
    said += labels_of(minion, cards)
    if minion.enchantments:
        said.append("enchanted with " + ", ".join(reversed(minion.enchantments)))
    return ", ".join(said)


def about_minion(minion: Minion, cards: Mapping[str, Card]) -> str:
    """Describe a minion as it is now, as it is printed, and its enchantments, the newest first."""
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


def ribbons_of(minion: Minion, cards: Mapping[str, Card], *, brief: bool) -> list[tuple[str, bool]]:
    """Return the enchantments of a minion, newest first, in few words; and whether each forbids."""
    found = []
    for name, run in groupby(reversed(minion.enchantments)):
        count = len(list(run))
        words = name if count == 1 else f"{name} {TIMES}{count}"
        effect = "" if brief else _in_short(cards[name])
        forbids = {"attack_obstacle", "ability_obstacle"} & cards[name].by_question.keys()
        found.append((f"{words}: {effect}" if effect else words, bool(forbids)))
    return found


def _in_short(card: Card) -> str:
    """Say in a few words what an enchantment does."""
    said = [as_printed(str(one)) if any(one.box) else str(one) for one in card.modifiers]
    if card.abilities or card.triggers:
        said.append("new ability")
    return ", ".join(filter(None, said))


# Other cards.


def name_of_face(face: Face) -> str:
    """Describe a card in a few words: `Blizzard, spell, costs 3`."""
    said = [face.name, str(face.kind).lower(), f"costs {face.cost}"]
    if face.kind is CardType.MINION:
        said += [f"{face.low_left} attack", f"{face.low_right} defence"]
    return ", ".join(said)


def about_graveyard(cards: Sequence[CardInstance]) -> str:
    """Return the cards of a graveyard, the top first."""
    if not cards:
        return "No minions lie here."
    lines = [f"{held.card} {held.attack}/{held.defence}" for held in reversed(cards)]
    return "\n".join(["From the top:", *lines])


def about_deck(cards: Sequence[CardInstance], *, seen: bool) -> str:
    """List the cards left in a deck, in no order, for a viewer who may know them."""
    if not seen or not cards:
        return ""
    counts = Counter(held.card for held in cards)
    lines = [f"{count} {name}" if count > 1 else name for name, count in sorted(counts.items())]
    return "\n".join(["Left in it, in an order that is not told:", *lines])
