"""The rules of games are complete and match the implementation."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from constructor import Resource
from constructor.rules.production import TILE_COST, VARIANTS
from constructor.rules.state import RESIDENCE_COSTS, ROAD_COST, STOCK, WINNING_POINTS
from sorcery import EDITIONS, Card, CardType, Sorcery
from sorcery.cards.all_cards import CUSTOM
from tabletop.registry import installed, load

ROOT = Path(__file__).parents[2]
INSTALLED = list(installed())
SECTION = re.compile(r"\((?:LCR|Constructor|Sorcery\s20\d\d)\s§\d")
EDITION_NAMES = list(EDITIONS)


def rows(markdown: str) -> dict[str, list[str]]:
    """Return the other cells of each table row, by the first cell."""
    lines = [line for line in markdown.splitlines() if line.startswith("|")]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return {first: rest for first, *rest in cells}


@pytest.mark.parametrize("name", INSTALLED)
def test_every_installed_game_has_rules_with_sections(name: str) -> None:
    rules = load(name).rules
    assert rules.startswith("# ")
    assert len(SECTION.findall(rules)) > 5
    assert max(map(len, rules.splitlines())) < 100


@pytest.mark.parametrize("name", INSTALLED)
def test_the_documentation_contains_the_same_rules(name: str) -> None:
    pages = [page.read_text("utf-8") for page in (ROOT / "docs" / "rules").glob("*.md")]
    included = [re.fullmatch(r'--8<-- "(.+)"\n', page) for page in pages]
    shown = [(ROOT / page[1]).read_text("utf-8") for page in included if page is not None]
    assert len(shown) == len(pages)
    assert load(name).rules in shown


def costs(card: Card) -> list[str]:
    """Return the cells of a card before its description."""
    if card.type is CardType.MINION:
        return [str(card.cost), f"{card.attack}/{card.defence}"]
    if card.type is CardType.RITUAL:
        return [str(card.cost), str(card.charges), str(card.activation)]
    return [str(card.cost)]


@pytest.mark.parametrize("name", EDITION_NAMES)
def test_the_rules_of_sorcery_list_every_card_with_its_numbers(name: str) -> None:
    edition = EDITIONS[name]
    shown = rows(load("sorcery" if name == "2024" else f"sorcery-{name}").rules)
    for card in edition.card_set:
        if card in CUSTOM:
            assert shown[card.name][:2] == [card.type.lower(), str(card.cost)]
        else:
            assert shown[card.name][: len(costs(card))] == costs(card)
    others = {card.name for other in EDITIONS.values() for card in other.card_set}
    assert others.isdisjoint(shown.keys() - {card.name for card in edition.card_set})


@pytest.mark.parametrize("name", EDITION_NAMES)
def test_the_rules_of_sorcery_contain_the_costs_of_abilities(name: str) -> None:
    shown = rows(load("sorcery" if name == "2024" else f"sorcery-{name}").rules)
    for card in EDITIONS[name].card_set:
        for ability in card.abilities if card.type is CardType.MINION else ():
            assert f"for {ability.cost} magic" in shown[card.name][-1]


@pytest.mark.parametrize("name", EDITION_NAMES)
def test_the_rules_of_sorcery_contain_the_size_of_the_first_hand(name: str) -> None:
    edition = EDITIONS[name]
    assert f"3 magic and {edition.cards_at_start} cards" in load(Sorcery(edition).name).rules


def test_the_rules_of_constructor_contain_the_building_costs() -> None:
    shown = rows(load("constructor").rules)
    kinds = [kind.name for kind in Resource if kind is not Resource.PARK]
    assert shown[""][:5] == kinds
    buildings = ["road", "basement", "house, from a basement", "tower, from a house"]
    for building, cost in zip(buildings, (ROAD_COST, *RESIDENCE_COSTS), strict=True):
        assert shown[building][:5] == [str(amount) if amount else "" for amount in cost]


def test_the_rules_of_constructor_describe_every_variant_and_board() -> None:
    rules = load("constructor").rules
    assert all(f"**{name}**" in rules for name in VARIANTS if name != "standard")
    assert all(f"`{name}`" in rules for name in INSTALLED if name.startswith("constructor-"))
    assert f"every tile has a stock of {STOCK} resources" in rules
    assert TILE_COST == (1, 1, 0, 1, 0)
    assert "It costs 1 BRICK, 1 ENERGY and 1 HEAT" in rules
    assert f"with {WINNING_POINTS} building points" in rules
