"""Deck files: names of cards, one a line (Sorcery 2024 §5.2.1, 2017 §5.2.1)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.sorcery.scenes import BOTH

from sorcery import SPRING_2017, SPRING_2024, Edition
from sorcery.decks import DeckError, packaged_deck, parse_deck

DEFAULT = """
Air Elemental, Earth Elemental, Fire Elemental, Potion Seller, Novice Pyromancer,
Apprentice Summoner, Master Summoner, Banish, Unsummon, Recharge, Disenchant, Raise Dead, Blizzard,
Giant Strength, Magic Fatigue, Silence, Dark Ritual, Aura of Power, Standstill
""".replace("\n", " ")


@BOTH
def test_the_default_deck_is_that_of_the_document_in_its_order(edition: Edition) -> None:
    deck = parse_deck(packaged_deck(), edition)
    assert [held.card for held in deck] == [name.strip() for name in DEFAULT.split(",")]


@BOTH
@given(st.data())
def test_case_white_space_and_empty_lines_do_not_matter(
    edition: Edition, data: st.DataObject
) -> None:
    names = data.draw(st.lists(st.sampled_from(sorted(edition.cards)), max_size=30))
    blank = st.text(" \t", max_size=3)
    lines = []
    for name in names:
        typed = data.draw(st.sampled_from([name, name.upper(), name.lower()]))
        before, after = data.draw(blank), data.draw(blank)
        lines += [before + typed.replace(" ", "  ") + after, data.draw(blank)]
    text = data.draw(st.sampled_from(["\n", "\r\n"])).join(lines)
    assert [held.card for held in parse_deck(text, edition)] == names


@BOTH
def test_a_deck_may_be_empty_or_large_and_hold_a_card_many_times(edition: Edition) -> None:
    assert parse_deck("", edition) == []
    assert len(parse_deck("Banish\n" * 500, edition)) == 500


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "Banish\nBansih",
            "line 2: 'Bansih' is no card of the 2024 edition; did you mean 'Banish'?",
        ),
        (
            "Dragon",
            "line 1: 'Dragon' is no card of the 2024 edition; the nearest card is 'Enrage'",
        ),
        ("?", "line 1: '?' is no card of the 2024 edition; the nearest card is 'Unsummon'"),
    ],
)
def test_an_unknown_card_is_named_with_its_line_and_the_nearest_card(
    text: str, message: str
) -> None:
    with pytest.raises(DeckError) as caught:
        parse_deck(text, SPRING_2024)
    assert str(caught.value) == message
    assert caught.value.line == int(message.split(":", maxsplit=1)[0].removeprefix("line "))


@pytest.mark.parametrize(
    ("edition", "card", "message"),
    [
        (
            SPRING_2017,
            "bone  golem",
            "'bone golem' is no card of the 2017 edition, but one of the 2024",
        ),
        (
            SPRING_2024,
            "Thornback",
            "'Thornback' is no card of the 2024 edition, but one of the 2017",
        ),
    ],
)
def test_a_card_of_another_edition_is_called_that(
    edition: Edition, card: str, message: str
) -> None:
    with pytest.raises(DeckError) as caught:
        parse_deck(card, edition)
    assert str(caught.value) == f"line 1: {message} edition"


def test_cards_of_one_s_own_can_be_named_once_the_edition_has_them() -> None:
    deck = parse_deck("thornback", SPRING_2017)
    assert [(held.card, held.attack, held.defence) for held in deck] == [("Thornback", 1, 4)]
