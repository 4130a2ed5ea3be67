"""When triggers happen, and their effects on minions that leave play."""

from __future__ import annotations

import copy
import pickle
from dataclasses import dataclass

import pytest
from tests.sorcery.scenes import BOTH, Scene
from typing_extensions import override

from sorcery import (
    ALL,
    EVENT_MINION,
    OPPONENT,
    SELF,
    SPRING_2017,
    SPRING_2024,
    TARGET,
    YOU,
    Ability,
    AttackOf,
    Card,
    CardsError,
    Damage,
    Destroy,
    Disenchant,
    Draw,
    Edition,
    Effect,
    EffectContext,
    GainLife,
    Minion,
    MinionLeft,
    Need,
    OnMinions,
    PutUnderDeck,
    ReturnToHand,
    ReturnToPlay,
    Selector,
    Strengthen,
    Summon,
    TakeControl,
    Target,
    Together,
    Trigger,
    TriggerEvent,
    When,
    Whose,
    enchantment,
    minion,
    ritual,
    spell,
)


def this(when: TriggerEvent, *, life: int = 1) -> Trigger:
    return Trigger(when, GainLife(YOU, life), "life", Whose.THIS)


HERALD = minion("Herald", cost=0, attack=1, defence=1).having(this(When.ENTERS))
GHOST = minion("Ghost", cost=0, attack=1, defence=1).having(this(When.DIES))
SPIRIT = minion("Spirit", cost=0, attack=1, defence=1).having(this(When.LEAVES))
KNIGHT = minion("Knight", cost=0, attack=1, defence=9).having(this(When.ATTACKS))
OWN_CARDS = (HERALD, GHOST, SPIRIT, KNIGHT)


def test_a_trigger_on_this_minions_entering_or_attacking_ignores_other_minions() -> None:
    made = Scene(cards=OWN_CARDS).hand(1, "Herald", "Air Elemental", "Herald").play("play 1")
    assert made.side(1).life == 21
    assert made.play("play 1").side(1).life == 21
    assert made.play("play 1").side(1).life == 22, "the second one, and not the first again"
    made = Scene(cards=OWN_CARDS).board(1, "Knight", "Knight", "Air Elemental")
    assert made.play("attack 3").side(1).life == 20
    assert made.play("attack 1").side(1).life == 21


@BOTH
def test_a_trigger_on_this_minions_death_ignores_other_ways_of_leaving(edition: Edition) -> None:
    made = Scene(edition, cards=OWN_CARDS).board(1, "Ghost", "Spirit", "Ghost", "Spirit")
    made.hand(1, "Unsummon", "Unsummon", "Banish", "Banish")
    assert made.play("play 1 1 1", "play 1 1 1").side(1).life == 21, "the Spirit left, and no death"
    assert made.play("play 1 1 1", "play 1 1 1").side(1).life == 23


def test_a_trigger_on_any_death_includes_all_minions() -> None:
    vulture = minion("Vulture", cost=0, attack=1, defence=3).having(
        Trigger(When.DIES, Strengthen(SELF, 1, 1), "feast")
    )
    made = Scene(cards=[vulture]).board(1, "Vulture", "Air Elemental").board(2, "Air Elemental")
    made.hand(1, "Unsummon").play("attack 2 1").play("play 1 1 1")
    assert made.buried(1) == ["Air Elemental 1/0"]
    assert made.held(1) == [["Vulture", "3/5"][0]]


def test_a_dying_minion_has_its_values_during_its_triggers() -> None:
    revenge = Trigger(When.DIES, Damage(OPPONENT, AttackOf(SELF)), "revenge", Whose.THIS)
    bomb = minion("Bomb", cost=0, attack=3, defence=1).having(revenge)
    made = Scene(cards=[bomb]).board(1, "Bomb").enchant(1, 1, "Enrage").hand(1, "Banish")
    assert made.play("play 1 1 1").side(2).life == 14


def test_an_enchantment_grants_a_trigger_of_this_minion() -> None:
    words = enchantment("Last Words", cost=0, text="life").having(this(When.DIES, life=5))
    made = Scene(cards=[words]).board(1, "Air Elemental", "Air Elemental")
    made.enchant(1, 2, "Last Words").hand(1, "Banish", "Banish")
    assert made.play("play 1 1 1").side(1).life == 20
    assert made.play("play 1 1 1").side(1).life == 25


# Minions summoned by a dying minion may take its place.

EGG = minion("Egg", cost=0, attack=0, defence=1).having(
    Trigger(When.DIES, Summon("Air Elemental"), "hatch", Whose.THIS)
)
NEST = minion("Nest", cost=0, attack=0, defence=1).having(
    Trigger(When.LEAVES, Summon("Air Elemental", 3), "hatch", Whose.THIS)
)


@BOTH
def test_a_minion_summoned_by_a_dying_one_takes_its_place_on_a_full_board(edition: Edition) -> None:
    made = Scene(edition, cards=[EGG]).board(1, "Egg", *["Potion Seller"] * 4)
    made.hand(1, "Banish").play("play 1 1 1")
    assert made.minions(1) == [*["Potion Seller 1/3"] * 4, "Air Elemental 1/1"]
    assert made.buried(1) == ["Egg 0/1"]


def test_minions_summoned_by_dying_ones_take_only_the_places_that_become_free() -> None:
    made = Scene(cards=[NEST]).board(1, "Nest", *["Potion Seller"] * 4)
    made.hand(1, "Banish").play("play 1 1 1")
    assert made.minions(1) == [*["Potion Seller 1/3"] * 4, "Air Elemental 1/1"]
    flood = spell("Flood", Damage(ALL, 1), "flood", cost=0)
    made = Scene(cards=[EGG, flood]).board(1, *["Egg"] * 5).hand(1, "Flood").play("play 1")
    assert made.minions(1) == ["Air Elemental 1/1"] * 5
    watcher = minion("Watcher", cost=0, attack=1, defence=9).having(
        Trigger(When.DIES, Summon("Air Elemental"), "come")
    )
    made = Scene(cards=[watcher]).board(1, *["Watcher"] * 5).board(2, "Air Elemental")
    made.hand(1, "Banish").play("play 1 2 1")
    assert made.minions(1) == ["Watcher 1/9"] * 5


# A custom event.

HEALED = When("whenever a minion is healed", Need.EVENT_MINION)


@dataclass(frozen=True, slots=True)
class Heal(OnMinions):
    """Give minions defence and emit an event."""

    amount: int = 1

    @override
    def act(self, context: EffectContext, minion: Minion) -> None:
        context.engine.gain(minion, 0, self.amount)
        seat = context.engine.seat_of(minion)
        if seat is not None:
            context.engine.fire(HEALED, seat, minion)


def test_a_custom_event_is_a_phrase_and_a_call_of_fire() -> None:
    nurse = minion("Nurse", cost=0, attack=1, defence=1).having(
        Trigger(HEALED, Strengthen(EVENT_MINION, 1), "cheer", Whose.OWN), this(HEALED)
    )
    bandage = spell("Bandage", Heal(TARGET), "heal", Target.MINION, cost=0)
    made = Scene(cards=[nurse, bandage]).board(1, "Nurse", "Air Elemental").board(2, "Nurse")
    made.hand(1, "Bandage", "Bandage", "Bandage").play("play 1 1 2")
    assert (made.minions(1)[1], made.side(1).life) == ("Air Elemental 2/2", 20)
    assert made.play("play 1 1 1").side(1).life == 21
    assert made.play("play 1 2 1").minions(2) == ["Nurse 2/2"]
    assert (made.side(1).life, made.side(2).life) == (21, 21)


def test_events_are_compared_by_phrase_and_can_be_copied_and_pickled() -> None:
    for kind in (HEALED, When.SPELL):
        for twin in (copy.deepcopy(kind), pickle.loads(pickle.dumps(kind))):
            assert (twin, hash(twin), twin.gives) == (kind, hash(kind), kind.gives)
    assert HEALED != When.SPELL


# Minions that are leaving play can gain, and can be redirected (Sorcery 2024 §2.2, §3.4).


def phoenix(effect: Effect, when: TriggerEvent = When.DIES) -> Card:
    """Return a 1/1 with a trigger."""
    return minion("Phoenix", cost=0, attack=1, defence=1).having(
        Trigger(when, effect, "Rises", Whose.THIS)
    )


def falls(effect: Effect, edition: Edition = SPRING_2017, when: TriggerEvent = When.DIES) -> Scene:
    """Return a scene in which a phoenix has attacked a minion that is too strong for it."""
    scene = Scene(edition, cards=[phoenix(effect, when)])
    return scene.board(1, "Phoenix").board(2, "Earth Elemental").play("attack 1 1")


@pytest.mark.parametrize("selector", [EVENT_MINION, SELF])
@pytest.mark.parametrize("when", [When.DIES, When.LEAVES])
@pytest.mark.parametrize(
    ("effect", "place"),
    [(ReturnToHand, "hand"), (PutUnderDeck, "deck")],
)
def test_a_dying_minion_can_be_redirected(
    effect: type[ReturnToHand | PutUnderDeck], place: str, when: TriggerEvent, selector: Selector
) -> None:
    scene = falls(effect(selector), when=when)
    side = scene.side(1)
    assert [held.card for held in getattr(side, place)] == ["Phoenix"]
    assert (side.minions, side.graveyard) == ([], [])
    assert [event.to for event in scene.told(MinionLeft)] == [place]


def test_the_last_of_several_redirections_counts() -> None:
    graves = ritual("Open Graves", cost=0, charges=1, activation=1).having(
        Trigger(When.DIES, PutUnderDeck(EVENT_MINION), "Under the deck")
    )
    cards = [phoenix(ReturnToHand(SELF)), graves]
    scene = Scene(cards=cards).ritual(1, "Open Graves").board(1, "Phoenix")
    scene.board(2, "Earth Elemental").play("attack 1 1")
    assert (scene.held(1), len(scene.side(1).deck), scene.charges(1)) == ([], 1, 0)


def test_a_minion_on_its_way_to_another_zone_than_the_graveyard_does_not_die() -> None:
    returning = Trigger(When.LEAVES, ReturnToHand(SELF), "Returns", Whose.THIS)
    mourning = Trigger(When.DIES, Draw(), "Draws", Whose.THIS)
    swift = minion("Swift", cost=0, attack=1, defence=1).having(returning, mourning)
    scene = Scene(cards=[swift]).board(1, "Swift").board(2, "Earth Elemental")
    scene.deck(1, "Banish").play("attack 1 1")
    assert scene.held(1) == ["Swift"]


def test_a_dying_minion_does_not_return_to_a_full_hand() -> None:
    scene = Scene(SPRING_2017, cards=[phoenix(ReturnToHand(SELF))]).board(1, "Phoenix")
    scene.hand(1, *["Banish"] * 5).board(2, "Earth Elemental").play("attack 1 1")
    assert (scene.held(1), scene.buried(1)) == (["Banish"] * 5, ["Phoenix 1/1"])


def test_a_dying_minion_keeps_gains_from_its_trigger() -> None:
    """In 2024 it keeps its values, so it must gain defence to be useful again (§2.2)."""
    scene = falls(Together(Strengthen(EVENT_MINION, 0, 4), ReturnToHand(EVENT_MINION)), SPRING_2024)
    assert [(held.attack, held.defence) for held in scene.side(1).hand] == [(1, 1)]


def test_a_dying_minion_returns_to_play_from_the_graveyard() -> None:
    scene = falls(ReturnToPlay(SELF, 2))
    assert (scene.minions(1), scene.buried(1)) == (["Phoenix 1/2"], [])
    assert [event.to for event in scene.told(MinionLeft)] == ["graveyard"]


def test_a_dying_minion_whose_place_is_taken_stays_in_the_graveyard() -> None:
    cards = [phoenix(Together(Summon("Air Elemental"), ReturnToPlay(SELF, 2)))]
    scene = Scene(cards=cards).board(1, "Phoenix", *["Potion Seller"] * 4)
    scene.board(2, "Earth Elemental").play("attack 1 1")
    assert scene.minions(1)[-1] == "Air Elemental 1/1"
    assert scene.buried(1) == ["Phoenix 1/-3"]


@pytest.mark.parametrize(
    "effect", [Damage(EVENT_MINION), Destroy(EVENT_MINION), TakeControl(EVENT_MINION)]
)
@pytest.mark.parametrize("when", [When.DIES, When.LEAVES])
def test_an_effect_that_cannot_affect_a_leaving_minion_is_refused(
    effect: Effect, when: TriggerEvent
) -> None:
    name = type(effect).__name__
    with pytest.raises(CardsError, match=rf"\b{name} .*\bleaves play\b"):
        SPRING_2024.with_cards([phoenix(Together(effect, Draw()), when)])


def test_an_effect_that_cannot_affect_its_own_leaving_minion_is_refused() -> None:
    with pytest.raises(CardsError, match=r"\bDisenchant .*\bleaves play\b"):
        SPRING_2024.with_cards([phoenix(Disenchant(SELF))])
    mourner = minion("Mourner", cost=0, attack=1, defence=1).having(
        Trigger(When.DIES, Damage(SELF), "Hurts", Whose.OPPONENTS)
    )
    assert SPRING_2024.with_cards([mourner]).cards["Mourner"] is mourner
    idle = minion("Idle", cost=0, attack=1, defence=1).having(
        Ability(1, ReturnToPlay(SELF), "Returns")
    )
    with pytest.raises(CardsError, match=r"\bleaves play, .*\bno minion\b"):
        SPRING_2024.with_cards([idle])
