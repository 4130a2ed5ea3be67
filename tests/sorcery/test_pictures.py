"""The pieces of the picture: cards with all they say, minions, backs, and the pictures on cards."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.pictures import SVG
from tests.sorcery.programs import DATA
from tests.sorcery.scenes import Scene
from tests.sorcery.seen import lines_in, part, parts, picture_of, said

from sorcery import (
    SPRING_2017,
    SPRING_2024,
    Ability,
    CardType,
    Change,
    Draw,
    Edition,
    Trigger,
    When,
    enchantment,
    minion,
    ritual,
    spell,
)
from sorcery.faces import Face, face_of
from sorcery.pictures.art import COMPOSITIONS, composition_of
from sorcery.pictures.backs import back
from sorcery.pictures.face import SMALL_HEIGHT, SMALL_WIDTH, full, small
from sorcery.pictures.icons import arrow, as_printed, tone_of
from sorcery.pictures.lettering import HEIGHT, LEAST_ART, WIDTH, Shown, blocks, shown
from sorcery.state import MOST
from tabletop.motifs import art
from tabletop.svg import document

EDITIONS = (SPRING_2024, SPRING_2017)
ALL_CARDS = {name: card for edition in EDITIONS for name, card in edition.cards.items()}


def root(piece: str) -> ET.Element:
    return ET.fromstring(document(WIDTH, HEIGHT, piece, label="A card"))


# The cards of the game.


def test_every_card_of_the_game_has_a_picture_of_its_own() -> None:
    assert set(COMPOSITIONS) == set(ALL_CARDS)
    pictures = [art(name, 10, 10, composition=composition_of(name)) for name in ALL_CARDS]
    assert len(set(pictures)) == len(ALL_CARDS)


@pytest.mark.parametrize("edition", EDITIONS, ids=lambda edition: edition.name)
def test_a_card_says_all_that_is_printed_on_it(edition: Edition) -> None:
    for card in edition.cards.values():
        face = face_of(card)
        words = " ".join(said(root(full(shown(face, card)))))
        wanted = [*face.text.split(), *card.name.split(), str(card.cost), str(card.type)]
        for ability in card.abilities:
            wanted += [*ability.text.split(), str(ability.cost)]
        for trigger in card.triggers:
            wanted += trigger.text.split()
        wanted += [as_printed(number) for number in (face.low_left, face.low_right) if number]
        assert not [word for word in wanted if word not in words], card.name


def test_a_card_is_drawn_as_the_file_shows() -> None:
    card = SPRING_2024.cards["Disenchant"]
    drawn = document(WIDTH, HEIGHT, full(shown(face_of(card), card)), label=card.name)
    assert drawn + "\n" == (DATA / "card.svg").read_text("utf-8")


# Texts stay in their boxes, whatever they are.

WORDS = st.text(min_size=1, max_size=150).filter(str.strip)
NUMBERS = st.one_of(st.none(), st.integers(-MOST, MOST).map(str), st.sampled_from(["*2", "+9999"]))
FACES = st.builds(
    Face,
    WORDS,
    st.integers(0, MOST),
    st.sampled_from(CardType),
    st.one_of(st.just(""), WORDS),
    st.lists(st.tuples(st.integers(0, MOST), WORDS), max_size=4).map(tuple),
    st.lists(WORDS, max_size=3).map(tuple),
    st.integers(0, MOST),
    NUMBERS,
    NUMBERS,
)
SHOWN = st.builds(
    Shown,
    FACES,
    st.integers(-1, 1),
    st.integers(-1, 1),
    dearer=st.booleans(),
    silenced=st.booleans(),
    dim=st.booleans(),
    note=st.sampled_from(["", "2 actions each turn"]),
)


@settings(max_examples=150, deadline=None)
@given(SHOWN)
def test_no_text_leaves_a_card(card: Shown) -> None:
    for drawn, width, height in (
        (full(card), WIDTH, HEIGHT),
        (small(card), SMALL_WIDTH, SMALL_HEIGHT),
    ):
        for line in lines_in(root(drawn)):
            assert line.left >= 0, line
            assert line.right <= width, line
            assert line.top >= -1, line
            assert line.bottom <= height, line


@settings(max_examples=100, deadline=None)
@given(SHOWN)
def test_the_pieces_of_a_text_stand_below_each_other_and_leave_room_for_the_picture(
    card: Shown,
) -> None:
    found = blocks(card)
    for one, other in pairwise(found):
        assert one.top + one.height <= other.top + 0.01
    if found:
        assert found[0].top >= LEAST_ART
        assert found[-1].top + found[-1].height <= HEIGHT - 9


# What is seen of a minion.


def minion_words(table: Scene, place: int = 1, *, narrow: bool = False) -> list[str]:
    return said(part(picture_of(table, narrow=narrow), f"minion-0-{place - 1}"))


@pytest.mark.parametrize("narrow", [False, True], ids=["wide", "narrow"])
def test_enchantments_are_read_without_inspecting_the_newest_first(narrow: bool) -> None:
    table = Scene().board(1, "Bone Golem").enchant(1, 1, "Haste", "Giant Strength")
    words = minion_words(table, narrow=narrow)
    ribbons = [one for one in words if one.startswith(("Haste", "Giant"))]
    assert [one.split(":")[0] for one in ribbons] == ["Giant Strength", "Haste"]


def test_a_ribbon_says_what_the_enchantment_does() -> None:
    table = Scene().board(1, "Bone Golem").enchant(1, 1, "Silence", "Giant Strength", "Enrage")
    words = minion_words(table)
    assert {"Silence: no abilities", "Giant Strength: +2/+2"} <= set(words)
    assert "Enrage: \u00d72/\u00d72" in words


def test_enchantments_without_room_are_counted_and_told_on_inspection() -> None:
    names = ["Enrage", "Haste", "Silence", "Giant Strength", "Magic Fatigue"]
    svg = picture_of(Scene().board(1, "Bone Golem").enchant(1, 1, *names))
    assert "and 3 more" in said(part(svg, "minion-0-0"))
    about = part(svg, "minion-0-0").attrib["data-about"].partition("newest first:")[2]
    assert about.index("Magic Fatigue") < about.index("Silence") < about.index("Enrage")


def test_what_an_enchantment_grants_is_marked_as_gained() -> None:
    robe = Scene(SPRING_2017).board(1, "Potion Seller").enchant(1, 1, "Scholar's Robe")
    assert "Gained: Draw a card" in " ".join(minion_words(robe))
    curse = enchantment("Curse", cost=1, text="").having(
        Trigger(When.LEAVES, Draw(), "Draw a card when it dies")
    )
    table = Scene(cards=[curse]).board(1, "Bone Golem").enchant(1, 1, "Curse")
    words = " ".join(minion_words(table))
    assert "Gained: Draw a card when it dies" in words
    assert "Gained: Gain +1/+1" not in words


def test_a_silenced_minion_says_so_and_its_ability_is_crossed_out() -> None:
    table = Scene().board(1, "Novice Pyromancer", "Novice Pyromancer").enchant(1, 1, "Silence")
    svg = picture_of(table)
    crossed = [len(list(part(svg, f"minion-0-{place}").iter(f"{SVG}line"))) for place in (0, 1)]
    assert crossed == [1, 0]
    assert "Silenced" in minion_words(table)


@pytest.mark.parametrize(
    ("actions", "note"), [(0, "acts from next turn"), (1, "1 action"), (2, "2 actions")]
)
def test_a_minion_says_how_often_it_can_act(actions: int, note: str) -> None:
    table = Scene().board(1, "Bone Golem")
    table.side(1).minions[0].actions = actions
    assert note in minion_words(table)
    turned = "rotate" in part(picture_of(table), "minion-0-0").attrib["transform"]
    assert turned == (actions == 0)


def test_minions_of_who_is_not_on_turn_stand_upright_and_say_what_haste_gives() -> None:
    table = Scene().board(2, "Bone Golem", "Air Elemental").enchant(2, 1, "Haste")
    table.side(2).minions[0].actions = table.side(2).minions[1].actions = 0
    svg = picture_of(table)
    assert "2 actions each turn" in said(part(svg, "minion-1-0"))
    assert "rotate" not in part(svg, "minion-1-1").attrib["transform"]


def test_values_that_have_changed_have_a_colour_and_an_arrow() -> None:
    svg = picture_of(Scene().board(1, "Earth Elemental 6/1", "Earth Elemental"))
    classes = [
        [one.get("class", "") for one in part(svg, f"minion-0-{place}").iter(f"{SVG}path")]
        for place in (0, 1)
    ]
    assert {"tt-gain", "tt-danger"} <= set(classes[0])
    assert not {"tt-gain", "tt-danger"} & set(classes[1])


def test_an_ability_that_costs_more_says_so() -> None:
    table = Scene().board(1, "Master Summoner").enchant(1, 1, "Magic Fatigue")
    assert part(picture_of(table), "ability-0-0").attrib["aria-label"] == (
        "Ability of Master Summoner, 4 magic: Summon up to three 1/1 air elementals"
    )


@pytest.mark.parametrize("narrow", [False, True], ids=["wide", "narrow"])
def test_two_abilities_are_two_parts_and_those_beyond_stand_in_the_list(narrow: bool) -> None:
    mage = minion("Mage", cost=1, attack=1, defence=1).having(
        *(Ability(cost, Draw(), f"Draw {cost}") for cost in range(3))
    )
    table = Scene(cards=[mage]).board(1, "Mage").deck(1, *["Banish"] * 9)
    found = [name for name in parts(picture_of(table, narrow=narrow)) if "ability" in name]
    assert found == ["ability-0-0", "ability-0-1"]
    action = table.game.parse("use 1.3", table.state, 0)
    from sorcery.picture import SorceryPicture

    assert SorceryPicture(table.edition).path(action, table.state, 0) == ()


def test_buttons_of_abilities_on_a_narrow_screen_are_as_high_as_a_thumb() -> None:
    svg = picture_of(Scene().board(1, "Novice Pyromancer"), narrow=True)
    (hit,) = (
        one for one in part(svg, "ability-0-0").iter(f"{SVG}rect") if one.get("class") == "tt-hit"
    )
    assert float(hit.attrib["height"]) >= 44
    assert float(hit.attrib["width"]) >= 44


# Other pieces.


def test_a_ritual_tells_its_charges_and_what_it_takes() -> None:
    svg = picture_of(Scene().ritual(1, "Standstill", 3))
    ritual_part = part(svg, "ritual-0")
    assert {"3", "Ritual, takes 2 charges"} <= set(said(ritual_part))
    assert ritual_part.attrib["aria-label"] == "Sean's ritual: Standstill, 3 charges left"


def test_a_graveyard_shows_its_top_card_and_tells_the_others() -> None:
    svg = picture_of(Scene().graveyard(1, "Air Elemental 1/0", "Bone Golem 2/-1"))
    graveyard = part(svg, "graveyard-0")
    assert {"Bone", "Bone Golem", "Graveyard: 2 cards"} & set(said(graveyard))
    assert graveyard.attrib["data-about"].splitlines()[1:] == [
        "Bone Golem 2/-1",
        "Air Elemental 1/0",
    ]


def test_the_own_deck_tells_what_is_left_and_not_in_which_order() -> None:
    table = Scene().deck(1, "Haste", "Banish", "Haste").deck(2, "Blizzard")
    svg = picture_of(table)
    assert part(svg, "deck-0").attrib["data-about"].splitlines()[1:] == ["Banish", "2 Haste"]
    assert part(svg, "deck-1").get("data-about") is None


def test_a_card_that_cannot_be_paid_for_has_a_pale_coin() -> None:
    card = Shown(face_of(SPRING_2024.cards["Blizzard"]))
    assert full(replace(card, too_dear=True)) != full(card)
    label = part(picture_of(Scene(magic=1).hand(1, "Blizzard")), "hand-0").attrib["aria-label"]
    assert label == "Blizzard, spell, costs 3, too dear: you have 1 magic"


def test_backs_hang_on_seat_and_name() -> None:
    assert back(0, "Ada", 30, 42) == back(0, "Ada", 30, 42)
    assert len({back(seat, name, 30, 42) for seat in (0, 1) for name in ("Ada", "Bo")}) == 4


@pytest.mark.parametrize(
    ("change", "bad", "tone"),
    [(2, False, "tt-gain"), (-1, False, "tt-danger"), (2, True, "tt-danger"), (0, False, "tt-ink")],
)
def test_the_tone_of_a_change(change: int, bad: bool, tone: str) -> None:
    assert tone_of(change, bad=bad) == tone
    assert (tone in arrow(0, 0, change, bad=bad)) == bool(change)


def test_changes_are_printed_as_people_write_them() -> None:
    assert as_printed(str(Change("*", 2))) == "\u00d72"
    assert as_printed("-3") == "\u22123"


def test_cards_of_strangers_have_pictures_from_their_names() -> None:
    cards = [
        minion("Stone Bear", cost=1, attack=1, defence=1),
        spell("Zap", Draw(), "Draw a card", cost=1),
        ritual("Rain", cost=1, charges=2, activation=1),
    ]
    pictures = {full(shown(face_of(card), card)) for card in cards}
    assert len(pictures) == 3
    assert composition_of("Stone Bear").figures[-1].motif == "stone"
