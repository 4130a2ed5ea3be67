"""The editions as data: cards as they are printed, and where the two differ."""

from __future__ import annotations

from dataclasses import fields

import pytest
from tests.sorcery.scenes import BOTH

from sorcery import (
    EDITIONS,
    SPRING_2017,
    SPRING_2024,
    Card,
    CardsError,
    CardType,
    Edition,
    When,
    minion,
)
from sorcery.card import plain

PRINTED_IN_BOTH = """
Air Elemental|Minion|0|1/1|||
Earth Elemental|Minion|3|4/4|||
Fire Elemental|Minion|2|2/2|||Whenever an opponent's minion enters play, deal 1 damage to it.
Potion Seller|Minion|2|1/3|||At the end of your turn, all your minions gain +0/+1.
Novice Pyromancer|Minion|1|0/1|1||Deal 1 damage to target minion
Apprentice Summoner|Minion|1|1/1|1||Summon a 1/1 air elemental
Master Summoner|Minion|3|2/3|2||Summon up to three 1/1 air elementals
Banish|Spell|2||||Destroy target minion or ritual
Recharge|Spell|1||||Your ritual gains 3 charges
Disenchant|Spell|1||||Destroy the top enchantment on target minion
Blizzard|Spell|3||||Deal 2 damage to all minions
Giant Strength|Enchantment|1|+2/+2|||
Magic Fatigue|Enchantment|0||||Enchanted minion's activated ability costs 2 more
Silence|Enchantment|1||||Enchanted minion cannot use abilities
Dark Ritual|Ritual|0|||5 (1)|At the start of your turn, gain 1 magic
Aura of Power|Ritual|1|||4 (1)|Whenever a minion enters play under your control, it gains +1/+1
Standstill|Ritual|3|||4 (2)|Whenever a minion enters play, destroy it
""".strip().splitlines()

PRINTED_IN_2024 = """
Bone Golem|Minion|2|1/3|||Gain +1/+1 whenever a minion leaves play.
Unsummon|Spell|1||||Return target minion to its owner's hand
Raise Dead|Spell|1||||Resurrect the top minion in your graveyard and set its. defence to 1
Enrage|Enchantment|2|*2/*2|||
Haste|Enchantment|1||||Enchanted minion gains +1 action each turn
""".strip().splitlines()

PRINTED_IN_2017 = """
Unsummon|Spell|1||||Put target minion on the bottom of its owner's deck
Raise Dead|Spell|1||||Resurrect the top minion in your graveyard
Thornback|Minion|2|1/4|||Whenever an opponent's minion attacks, deal 1 damage to it.
Scholar's Robe|Enchantment|1||1||Enchanted minion can draw a card
Seduction|Spell|4||||Take control of target minion of your opponent
Echo Cave|Ritual|2|||3 (1)|Whenever you play a spell, it happens again
""".strip().splitlines()


def printed(card: Card) -> str:
    """A card as a line of the tables above."""
    numbers = ""
    if card.type is CardType.MINION:
        numbers = f"{card.attack}/{card.defence}"
    elif any(any(modifier.box) for modifier in card.modifiers):
        numbers = "/".join(card.modifiers[0].box)
    ability = str(card.abilities[0].cost) if card.abilities else ""
    charges = f"{card.charges} ({card.activation})" if card.type is CardType.RITUAL else ""
    texts = [card.text] if card.text else [one.text for one in card.abilities]
    texts += [one.text for one in card.triggers]
    cells = (card.name, card.type, str(card.cost), numbers, ability, charges, *map(plain, texts))
    return " | ".join(cells)


def lines_of(table: list[str]) -> list[str]:
    """The lines of a table, with their empty cells as `printed` leaves them."""
    rows = [[cell.strip() for cell in line.split("|")] for line in table]
    return sorted(" | ".join(row if row[6] else row[:6]) for row in rows)


@pytest.mark.parametrize(
    ("edition", "table"),
    [(SPRING_2024, PRINTED_IN_2024), (SPRING_2017, PRINTED_IN_2017)],
    ids=["2024", "2017"],
)
def test_every_card_is_as_it_is_printed(edition: Edition, table: list[str]) -> None:
    assert sorted(map(printed, edition.card_set)) == lines_of([*PRINTED_IN_BOTH, *table])


def test_the_editions_differ_where_the_documents_do() -> None:
    differing = {
        part.name
        for part in fields(Edition)
        if getattr(SPRING_2024, part.name) != getattr(SPRING_2017, part.name)
    }
    assert differing == {
        "name",
        "title",
        "game",
        "card_set",
        "cards_at_start",
        "first_turn_gains",
        "actions_on_entering",
        "keeps_numbers",
        "rules",
    }


def test_each_edition_has_four_kinds_of_triggers_and_2017_one_more_for_its_ritual() -> None:
    """The fourth is "leaves play" in 2024, and of one's own choice in 2017 (§3.4)."""
    three = {When.TURN_STARTS, When.TURN_ENDS, When.ENTERS}
    assert set(SPRING_2024.triggers) == three | {When.LEAVES}
    assert set(SPRING_2017.triggers) == three | {When.ATTACKS, When.SPELL}


def test_editions_are_found_by_their_years() -> None:
    assert dict(EDITIONS) == {"2024": SPRING_2024, "2017": SPRING_2017}


@BOTH
def test_an_edition_can_be_given_more_cards_and_is_itself_as_before(edition: Edition) -> None:
    bird = minion("Bird", cost=0, attack=1, defence=1)
    more = edition.with_cards([bird])
    assert more.cards["Bird"] is bird
    assert "Bird" not in edition.cards
    assert more.held("Bird").defence == 1


@BOTH
@pytest.mark.parametrize("name", ["Banish", "BANISH"])
def test_a_name_can_be_taken_only_once(edition: Edition, name: str) -> None:
    with pytest.raises(CardsError, match=f"two cards are called '{name}'"):
        edition.with_cards([minion(name, cost=0, attack=1, defence=1)])


@BOTH
def test_the_cards_of_a_type_are_listed_in_the_order_of_the_set(edition: Edition) -> None:
    names = [card.name for card in edition.of_type(CardType.RITUAL)]
    assert names[:3] == ["Dark Ritual", "Aura of Power", "Standstill"]
