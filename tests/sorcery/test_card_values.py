"""Cards as values, modifiers, and the values of minions and players."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.sorcery.scenes import Scene
from typing_extensions import override

from sorcery import (
    EVENT_MINION,
    SELF,
    SPRING_2024,
    TARGET,
    YOU,
    Ability,
    AbilityCost,
    Action,
    CannotAttack,
    Card,
    CardsError,
    Change,
    Damage,
    ExtraActions,
    GainLife,
    GainMagic,
    Minion,
    Modifier,
    Recharge,
    Silenced,
    Sorcery,
    SorceryState,
    Stats,
    Strengthen,
    Target,
    Trigger,
    When,
    Whose,
    add_enchantment,
    add_gain,
    drop_top_enchantment,
    enchantment,
    minion,
    ritual,
    spell,
)
from sorcery.cards.state import MOST, Ritual
from sorcery.picture.labels import about_minion, name_of_minion, ribbons_of
from sorcery.rules.minion_stats import abilities_of, refresh, without_enchantments
from sorcery.text.card_faces import face_of
from sorcery.text.small_board import SmallBoard
from tabletop import Match, Options


@pytest.mark.parametrize(
    ("change", "text", "made"),
    [(Change("+", 2), "+2", 5), (Change("-", 4), "-4", -1), (Change("*", 3), "*3", 9)],
)
def test_a_change_is_formatted_as_printed(change: Change, text: str, made: int) -> None:
    assert (str(change), change.apply(3)) == (text, made)


@pytest.mark.parametrize("name", ["", " ", "Air  Elemental", " Bird", "Two\nLines"])
def test_card_names_are_words_separated_by_single_blanks(name: str) -> None:
    with pytest.raises(CardsError, match=re.escape(repr(name))):
        minion(name, cost=0, attack=1, defence=1)


def test_a_minion_may_have_any_number_of_abilities_and_triggers() -> None:
    sing = Ability(1, GainLife(YOU, 1), "Sing")
    wake = Trigger(When.TURN_STARTS, GainLife(YOU, 1), "Wake")
    sleep = Trigger(When.TURN_ENDS, GainLife(YOU, 1), "Sleep")
    bird = minion("Bird", cost=0, attack=1, defence=1).having(
        sing,
        wake,
        sing,
        sleep,
        wake,
    )
    assert bird.abilities == (sing, sing)
    assert bird.triggers == (wake, sleep, wake)


# Modifiers: changes by enchantments. The rules apply them without knowing their classes.


@dataclass(frozen=True, slots=True)
class Halved(Modifier):
    """A custom modifier: halves attack, makes abilities free, and limits actions to one."""

    label: ClassVar[str] = "weary"

    @override
    def new_attack(self, attack: int) -> int:
        return attack // 2

    @override
    def new_actions(self, actions: int) -> int:
        return min(actions, 1)

    @override
    def new_cost(self, cost: int) -> int:
        return 0


HEAL = Ability(2, GainLife(YOU, 1), "Gain 1 life")
MODIFIED = (
    enchantment("Shackles", cost=1, text="Enchanted minion cannot attack").having(CannotAttack()),
    enchantment("Weariness", cost=1, text="Enchanted minion is weary").having(Halved()),
    enchantment("Discount", cost=1, text="Abilities cost 5 less").having(AbilityCost(-5)),
    enchantment("Blessing", cost=1).having(
        Stats("+1", "*2"),
        ExtraActions(1),
        Silenced(),
    ),
    minion("Wall", cost=1, attack=3, defence=6, text="It cannot attack.").having(
        CannotAttack(), HEAL
    ),
    minion("Twins", cost=1, attack=1, defence=1, text="It acts twice a turn.").having(
        ExtraActions(1)
    ),
)


def scene() -> Scene:
    return Scene(cards=MODIFIED)


def listed(made: Scene) -> list[str]:
    return [str(one) for one in made.game.legal_actions(made.state, made.state.turn)]


def test_a_minion_that_cannot_attack_strikes_back_and_uses_abilities() -> None:
    made = scene().board(1, "Earth Elemental").board(2, "Air Elemental").enchant(1, 1, "Shackles")
    assert made.refusal("attack 1") == "Earth Elemental cannot attack."
    assert made.refusal("attack 1 1") == "Earth Elemental cannot attack."
    assert listed(made) == ["end"]
    made = scene().board(1, "Wall").board(2, "Air Elemental")
    assert listed(made) == ["use 1", "end"]
    assert made.play("use 1").side(1).life == 21
    assert made.play("end").play("attack 1 1").buried(2) == ["Air Elemental 1/-2"]


def test_a_minion_can_have_modifiers_of_its_own() -> None:
    made = scene().board(1, "Twins").play("end", "end", "attack 1", "attack 1")
    assert made.side(2).life == 18
    assert made.refusal("attack 1") == "Twins can act from your next turn."


def test_the_text_of_a_minions_modifiers_is_below_its_abilities() -> None:
    wall = face_of(scene().edition.cards["Wall"])
    assert wall.lines() == ["Gain 1 life", "It cannot attack."]


def test_abilities_never_cost_less_than_0() -> None:
    made = scene().board(1, "Novice Pyromancer").enchant(1, 1, "Discount")
    assert made.play("use 1 1 1").side(1).magic == 20


def test_the_rules_apply_an_unknown_modifier() -> None:
    made = scene().board(1, "Master Summoner 5/3").enchant(1, 1, "Haste", "Weariness")
    assert made.minions(1) == ["Master Summoner 2/3"]
    made.play("use 1", "end", "end")
    assert made.side(1).magic == 21, "the ability was free"
    assert made.side(1).minions[0].actions == 1


def test_a_change_of_actions_takes_effect_immediately() -> None:
    made = scene().board(1, "Air Elemental").hand(1, "Haste", "Weariness").play("play 1 1 1")
    assert made.side(1).minions[0].actions == 2
    assert made.play("play 1 1 1").side(1).minions[0].actions == 1


def test_an_enchantment_that_forbids_something_is_marked() -> None:
    made = scene().board(1, "Wall").enchant(1, 1, "Blessing", "Shackles", "Weariness")
    one, cards = made.side(1).minions[0], made.edition.cards
    ribbons = ribbons_of(one, cards)
    assert ribbons == [("Weariness", False), ("Shackles", True), ("Blessing", True)]
    assert "cannot attack, silenced, weary" in name_of_minion(one, cards, active=True)
    assert "Wall cannot attack." in about_minion(one, cards)
    board = SmallBoard(cards).board(made.state, ["Ann", "Bob"])
    assert "cannot attack; silenced; weary" in board


def test_custom_modifiers_cannot_exceed_the_limits() -> None:
    @dataclass(frozen=True, slots=True)
    class Squared(Modifier):
        @override
        def new_attack(self, attack: int) -> int:
            return attack * attack

    made = Scene(cards=[enchantment("Square", cost=0).having(Squared())]).hand(1, "Square")
    made.board(1, "Air Elemental 101/1", "Air Elemental 99/1")
    assert made.play("play 1 1 1").minions(1)[0] == "Air Elemental 9999/1"


@pytest.mark.parametrize("text", ["2", "x2", "+", "+-2", "+2.5", " +2", "+\u0662"])
def test_a_change_needs_a_sign(text: str) -> None:
    with pytest.raises(CardsError, match=re.escape(repr(text))):
        Stats(text)


def test_a_minion_cannot_have_stats_modifiers() -> None:
    with pytest.raises(CardsError, match=r"^Odd: .*\bStats\b.*\benchantments\b"):
        Scene(cards=[minion("Odd", cost=0, attack=1, defence=1).having(Stats("+1"))])


# Attack and defence as a fold over the history (Sorcery 2024 §2.3).


CARDS = SPRING_2024.cards
ENRAGE, GIANT, SILENCE = "Enrage", "Giant Strength", "Silence"


def made(*happenings: str | int, attack: int = 4, defence: int = 4) -> Minion:
    """Return a minion with a history: enchantments by name, damage by number."""
    made = Minion("Earth Elemental", attack, defence, attack, defence)
    for happening in happenings:
        if isinstance(happening, int):
            add_gain(made, 0, -happening)
        else:
            add_enchantment(made, happening, CARDS)
    return made


@pytest.mark.parametrize(
    ("happenings", "numbers", "left"),
    [
        ((ENRAGE, 2), (8, 6), (4, 2)),
        ((2, ENRAGE), (8, 4), (4, 2)),
        ((ENRAGE, GIANT), (10, 10), (8, 8)),
        ((GIANT, ENRAGE), (12, 12), (6, 6)),
        ((ENRAGE, ENRAGE), (16, 16), (8, 8)),
        ((GIANT, 5, ENRAGE), (12, 2), (6, 1)),
        ((ENRAGE, 5, SILENCE), (8, 3), (8, 3)),
    ],
)
def test_changes_apply_in_the_order_in_which_they_happened(
    happenings: tuple[str | int, ...], numbers: tuple[int, int], left: tuple[int, int]
) -> None:
    one = made(*happenings)
    assert (one.attack, one.defence) == numbers
    drop_top_enchantment(one, CARDS)
    assert (one.attack, one.defence) == left


def test_the_documents_example_of_two_enchantments() -> None:
    """§2.3: a 2/2 with +1/+1 and then *2/*2 is 6/6, and in the other order 5/5."""
    more = enchantment("More", cost=0).having(Stats("+1", "+1"))
    cards = {"More": more, ENRAGE: CARDS[ENRAGE]}
    first, second = (Minion("Fire Elemental", 2, 2, 2, 2) for _ in range(2))
    for one, names in ((first, ("More", ENRAGE)), (second, (ENRAGE, "More"))):
        for name in names:
            add_enchantment(one, name, cards)
    assert (first.attack, first.defence) == (6, 6)
    assert (second.attack, second.defence) == (5, 5)


def test_the_newest_enchantment_may_be_followed_by_damage() -> None:
    one = made(GIANT, 1, ENRAGE, 3)
    assert (one.attack, one.defence) == (12, 7)
    assert drop_top_enchantment(one, CARDS) == ENRAGE
    assert (one.attack, one.defence) == (6, 2)
    assert drop_top_enchantment(one, CARDS) == GIANT
    assert (one.attack, one.defence) == (4, 0)


HAPPENINGS = st.lists(
    st.one_of(
        st.sampled_from([ENRAGE, GIANT, SILENCE, "drop"]),
        st.tuples(st.integers(-3, 3), st.integers(-3, 3)),
    ),
    max_size=12,
)


@given(HAPPENINGS)
def test_values_equal_a_fold_over_the_whole_history(
    happenings: list[str | tuple[int, int]],
) -> None:
    one, history = made(), list[str | tuple[int, int]]()
    for happening in happenings:
        if isinstance(happening, tuple):
            add_gain(one, *happening)
            history.append(happening)
        elif happening != "drop":
            add_enchantment(one, happening, CARDS)
            history.append(happening)
        elif one.enchantments:
            name = drop_top_enchantment(one, CARDS)
            del history[len(history) - 1 - history[::-1].index(name)]
        assert (one.attack, one.defence) == folded(history)
    gains = [item for item in history if isinstance(item, tuple)]
    assert without_enchantments(one) == folded([*gains])


def folded(history: list[str | tuple[int, int]]) -> tuple[int, int]:
    """Return attack and defence of a 4/4, computed in the simplest way."""
    attack = defence = 4
    for item in history:
        if isinstance(item, tuple):
            attack, defence = attack + item[0], defence + item[1]
        elif item == ENRAGE:
            attack, defence = attack * 2, defence * 2
        elif item == GIANT:
            attack, defence = attack + 2, defence + 2
    return attack, defence


# Abilities and triggers from enchantments.

LIFE = Ability(0, GainLife(YOU, 1), "Gain 1 life")
MAGIC = Ability(0, GainMagic(YOU, 1), "Gain 1 magic")
BANDAGE = enchantment("Bandage", cost=0, text="Enchanted minion can heal").having(LIFE)
BATTERY = enchantment("Battery", cost=0, text="Enchanted minion can charge").having(MAGIC)
TORCH = enchantment("Torch", cost=0, text="Burns what enters").having(
    Trigger(When.ENTERS, Damage(EVENT_MINION, 1), "burn", Whose.OPPONENTS)
)
TWIN = minion("Twin Mage", cost=1, attack=1, defence=9).having(
    Ability(1, GainLife(YOU, 2), "Gain 2 life"),
    Ability(2, Damage(TARGET, 3), "Deal 3 damage", Target.MINION),
    Trigger(When.TURN_STARTS, GainMagic(YOU, 1), "magic", Whose.OWN),
    Trigger(When.TURN_STARTS, Strengthen(SELF, 1, 0), "grow", Whose.OWN),
    Trigger(When.TURN_ENDS, GainLife(YOU, 1), "life", Whose.OWN),
)
OWN = (BANDAGE, BATTERY, TORCH, TWIN)


def test_the_newest_enchantment_with_abilities_replaces_all_others() -> None:
    scene = Scene(cards=OWN).board(1, "Twin Mage").enchant(1, 1, "Bandage", "Battery", "Silence")
    mage = scene.side(1).minions[0]
    cards = scene.edition.cards
    assert abilities_of(mage, cards) == (MAGIC,)
    drop_top_enchantment(mage, cards)
    drop_top_enchantment(mage, cards)
    assert abilities_of(mage, cards) == (LIFE,)
    drop_top_enchantment(mage, cards)
    assert abilities_of(mage, cards) == TWIN.abilities


def test_all_of_several_abilities_and_triggers_work() -> None:
    scene = Scene(cards=OWN).board(1, "Twin Mage").board(2, "Earth Elemental")
    assert scene.play("use 1").side(1).life == 22
    scene.side(1).minions[0].actions = 1
    assert scene.play("use 1.2 2 1").minions(2) == ["Earth Elemental 4/1"]
    assert scene.side(1).magic == 20 - 1 - 2
    scene = Scene(cards=OWN).board(1, "Twin Mage").play("end", "end")
    assert (scene.side(1).life, scene.side(1).magic) == (21, 22)
    assert scene.minions(1) == ["Twin Mage 2/9"]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("use 1.3", "Twin Mage has no activated ability 3."),
        ("use 1.2", "The ability of Twin Mage needs a target: a minion."),
        ("use 1.1 1 1", "The ability of Twin Mage takes no target."),
        ("use 2", "There is no minion 2: you have only 1 minion."),
    ],
)
def test_using_a_missing_ability_is_refused(line: str, reason: str) -> None:
    assert Scene(cards=OWN).board(1, "Twin Mage").refusal(line) == reason


def test_a_granted_trigger_is_added_and_leaves_with_its_enchantment() -> None:
    scene = Scene(cards=OWN).board(2, "Fire Elemental").enchant(2, 1, "Torch")
    assert scene.hand(1, "Potion Seller").play("play 1").minions(1) == ["Potion Seller 1/1"]
    scene = Scene(cards=OWN).board(1, "Air Elemental").board(2, "Air Elemental")
    scene.enchant(2, 1, "Torch").hand(1, "Disenchant", "Air Elemental")
    assert scene.play("play 1 2 1", "play 1").minions(1) == ["Air Elemental 1/1"] * 2


def test_a_change_can_subtract() -> None:
    weak = enchantment("Weakness", cost=0).having(Stats("-1", "-1"))
    scene = Scene(cards=[weak]).hand(1, "Weakness", "Weakness").board(2, "Fire Elemental")
    assert scene.play("play 1 2 1").minions(2) == ["Fire Elemental 1/1"]
    assert scene.play("play 1 2 1").minions(2) == []


# Growing numbers stop at 9,999, and a turn can always end.


SWELL = minion("Swell", cost=0, attack=1, defence=1).having(
    Trigger(When.TURN_ENDS, Strengthen(SELF, 0, 900), "Swell", Whose.OWN)
)
WILT = minion("Wilt", cost=0, attack=0, defence=9).having(
    Trigger(When.TURN_ENDS, Strengthen(SELF, -4000, 0), "Wilt", Whose.OWN)
)
GAIN_LIFE = spell("Life", GainLife(YOU, 9_000), "Gain 9,000 life", cost=0)
GAIN_MAGIC = spell("Magic", GainMagic(YOU, 9_000), "Gain 9,000 magic", cost=0)
CHARGE = spell("Charge", Recharge(9_000), "Gain 9,000 charges", cost=0)
WELL = ritual("Well", cost=0, charges=1_000, activation=1).having(
    Trigger(When.SPELL, GainLife(YOU, 0), "Nothing")
)
SHIELD = enchantment("Shield", cost=0).having(Stats("-1", "+9996"))
GREAT = (SWELL, WILT, GAIN_LIFE, GAIN_MAGIC, CHARGE, WELL, SHIELD)


def played(*cards: str) -> Match[SorceryState, Action]:
    """Return a match in testing mode in which the active player holds these cards."""
    game = Sorcery(Scene(cards=GREAT).edition)
    options: Options = {"testing": True, "deck1": "\n".join(cards), "deck2": ""}
    return Match(game, seed="numbers", options=options)


def test_numbers_of_a_player_stop_at_the_limit() -> None:
    match = played("Life", "Life", "Magic", "Magic", "Well")
    for _ in range(4):
        match.play(match.parse("play 1"))
    assert (match.state.sides[0].life, match.state.sides[0].magic) == (MOST, MOST)
    match = played("Well", "Charge", "Charge")
    for _ in range(3):
        match.play(match.parse("play 1"))
    assert match.state.sides[0].ritual == Ritual(
        "Well", MOST - 1
    )  # the magic was spent on the spell


@pytest.mark.parametrize(
    ("card", "turns", "shown"), [(SWELL, 12, "Swell 1/9999"), (WILT, 3, "Wilt -9999/9")]
)
def test_an_endlessly_growing_trigger_stops_at_the_limit(
    card: Card, turns: int, shown: str
) -> None:
    match = played(card.name)
    match.play(match.parse("play 1"))
    for _ in range(2 * turns + 1):
        match.play(match.parse("end"))
    (one,) = match.state.sides[0].minions
    assert f"{one.card} {one.attack}/{one.defence}" == shown
    anew = one.clone()
    refresh(anew, SPRING_2024.cards)
    assert anew == one


def test_numbers_of_minions_and_lives_stop_at_the_limit() -> None:
    scene = Scene(cards=GREAT).board(1, "Air Elemental 5000/1", "Air Elemental 1/4")
    scene.hand(1, "Enrage", "Shield").play("play 1 1 1", "play 1 1 2")
    assert scene.minions(1) == ["Air Elemental 9999/2", "Air Elemental 0/9999"]
    scene = Scene(life=1).board(1, "Air Elemental 9999/1").play("attack 1")
    assert scene.side(2).life == 1 - MOST
