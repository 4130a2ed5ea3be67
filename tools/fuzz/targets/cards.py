"""Names and texts of cards from an untrusted file: draw and inspect the cards.

An input has four lines: a name, a text, the text of an ability, and numbers.
"""

from __future__ import annotations

from pathlib import Path

from sorcery import (
    YOU,
    Ability,
    Card,
    CardsError,
    GainLife,
    Trigger,
    When,
    enchantment,
    minion,
)
from sorcery.text.card_faces import all_in_full, face_of
from sorcery.text.text_board import CARD_WIDTH, draw_card
from tabletop.wording import width_of
from tools.fuzz.target import Target, require


def run(data: bytes, folder: Path) -> str:
    """Create cards, and draw them."""
    name, text, ability, numbers, *_ = [*data.decode("utf-8", "replace").split("\n"), *[""] * 4]
    try:
        cards = made(name, text, ability, [int(word) for word in numbers.split()[:3]])
    except ValueError:  # CardsError is one
        return "no card"
    for card in cards:
        face = face_of(card)
        rows = draw_card(face)
        require(set(map(width_of, rows)) == {CARD_WIDTH}, f"{card.type} of a wrong width")
        all_in_full([face])
    return "drawn"


def made(name: str, text: str, ability: str, numbers: list[int]) -> list[Card]:
    """Create cards with these words.

    Raises:
        ValueError: Such cards are not possible.
    """
    cost, attack, defence = [*numbers, 1, 1, 1][:3]
    try:
        traits = (
            Ability(cost, GainLife(YOU, 1), ability),
            Trigger(When.TURN_STARTS, GainLife(YOU, 1), text),
        )
        return [
            minion(name, cost=cost, attack=attack, defence=defence).having(*traits),
            enchantment(name, cost=cost, text=text).having(*traits),
        ]
    except CardsError as error:
        raise ValueError(str(error)) from error


TARGET = Target(run, words=("漢字".encode(), "e\u0301".encode(), "\u200b".encode(), b"-9 0 99"))
