"""What stands on a card."""

from __future__ import annotations

from tests.sorcery.scenes import Scene

from sorcery import (
    SPRING_2017,
    SPRING_2024,
    Ability,
    CannotAttack,
    Dearer,
    Draw,
    GainLife,
    GainMagic,
    Numbers,
    Trigger,
    When,
    enchantment,
    minion,
    spell,
)
from sorcery.faces import all_in_full, face_of, face_of_held, face_of_minion, face_of_ritual
from sorcery.state import HIDDEN, Held, Ritual

CARDS = SPRING_2024.cards

SWISS_KNIFE = minion("Swiss Knife", cost=2, attack=1, defence=4).having(
    Ability(1, Draw(), "Draw a card"),
    Ability(2, GainLife(1), "Gain 1 life"),
    Trigger(When.TURN_ENDS, GainMagic(1), "At the end of every turn, gain 1 magic"),
    Trigger(When.TURN_STARTS, GainLife(1), "At the start of every turn, gain 1 life"),
)
LECTURE = spell("Lecture", Draw(), "word " * 40, cost=1)


def test_the_cards_of_both_editions_show_everything() -> None:
    cards = (*SPRING_2024.card_set, *SPRING_2017.card_set)
    assert [card.name for card in cards if not face_of(card).fits] == []


def test_a_minion_on_the_board_shows_what_it_is_worth_now() -> None:
    scene = Scene().board(1, "Air Elemental 1/0").enchant(1, 1, "Giant Strength", "Enrage")
    face = face_of_minion(scene.side(1).minions[0], CARDS)
    assert (face.low_left, face.low_right) == ("6", "4")


def test_magic_fatigue_shows_in_the_cost_of_an_ability() -> None:
    scene = Scene().board(1, "Novice Pyromancer").enchant(1, 1, "Magic Fatigue", "Magic Fatigue")
    assert face_of_minion(scene.side(1).minions[0], CARDS).box == 5


def test_the_ability_of_the_newest_enchantment_that_grants_one_replaces_the_others() -> None:
    gift = enchantment("Gift", cost=1, text="Enchanted minion can: gain life").having(
        Ability(3, GainLife(1), "Life")
    )
    scene = Scene(SPRING_2017, cards=[gift]).board(1, "Master Summoner")
    scene.enchant(1, 1, "Gift", "Scholar's Robe")
    minion, cards = scene.side(1).minions[0], scene.edition.cards
    assert face_of_minion(minion, cards).abilities == ((1, "Draw a card"),)
    scene.enchant(1, 1, "Gift")
    assert face_of_minion(minion, cards).lines == ["Life"]


def test_triggers_that_enchantments_grant_are_added() -> None:
    grant = Trigger(When.TURN_ENDS, Draw(), "Draw at the end.")
    gift = enchantment("Gift", cost=1, text="").having(grant)
    scene = Scene(cards=[gift]).board(1, "Bone Golem").enchant(1, 1, "Gift")
    face = face_of_minion(scene.side(1).minions[0], scene.edition.cards)
    assert face.lines == ["Gain +1/+1 whenever a minion", "leaves play.", "Draw at the end."]


def test_a_ritual_on_the_board_shows_the_charges_that_are_left() -> None:
    face = face_of_ritual(Ritual("Standstill", 0), CARDS)
    assert (face.box, face.low_left, face.low_right) == (2, None, "0")


def test_a_minion_in_hand_or_graveyard_shows_the_numbers_that_it_has_kept() -> None:
    face = face_of_held(Held("Bone Golem", 2, -1), CARDS)
    assert face is not None
    assert (face.low_left, face.low_right) == ("2", "-1")


def test_a_hidden_card_shows_nothing() -> None:
    assert face_of_held(Held(HIDDEN), CARDS) is None


def test_an_enchantment_that_changes_one_number_has_one_box() -> None:
    face = face_of(enchantment("Edge", cost=1).having(Numbers("*2")))
    assert (face.low_left, face.low_right) == ("*2", None)


def test_what_does_not_fit_is_cut_and_said_to_be() -> None:
    lecture = face_of(LECTURE)
    assert not lecture.fits
    assert lecture.lines == ["word word word word word word"] * 4 + ["word word word word word..."]


def test_every_ability_and_trigger_is_on_the_face_and_told_in_full() -> None:
    face = face_of(SWISS_KNIFE)
    assert (face.box, face.fits) == (1, False)
    assert face.lines == ["Draw a card", "2: Gain 1 life", "At the end of every..."]
    assert all_in_full([face, face_of(CARDS["Banish"]), face, None]) == [
        "Swiss Knife (Minion, cost 2, 1/4)",
        "  ability 1, cost 1: Draw a card",
        "  ability 2, cost 2: Gain 1 life",
        "  At the end of every turn, gain 1 magic",
        "  At the start of every turn, gain 1 life",
    ]


def test_numbers_that_do_not_fit_are_told_in_full() -> None:
    held = face_of_held(Held("Air Elemental", 32768, 4), CARDS)
    assert all_in_full([held]) == ["Air Elemental (Minion, cost 0, 32768/4)"]


def test_a_ritual_is_told_in_full_with_its_charges() -> None:
    face = face_of_ritual(Ritual("Dark Ritual", 10000), CARDS)
    assert face.in_full() == [
        "Dark Ritual (Ritual, cost 0, activation cost 1, 10000 charges)",
        "  At the start of your turn, gain 1 magic",
    ]


def test_what_is_peculiar_to_a_minion_is_said_even_where_its_text_does_not() -> None:
    wall = minion("Wall", cost=1, attack=0, defence=5).having(CannotAttack(), Dearer(1))
    said = minion("Fence", cost=1, attack=0, defence=5, text="It stands.").having(CannotAttack())
    scene = Scene(cards=[wall, said]).board(1, "Wall")
    assert face_of(wall).lines == ["Cannot attack. Abilities +1"]
    assert face_of(said).lines == ["It stands."]
    assert face_of_minion(scene.side(1).minions[0], scene.edition.cards).low_right == "5"
