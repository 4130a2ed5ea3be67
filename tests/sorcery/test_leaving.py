"""Minions that are leaving play can gain, and be sent elsewhere (Sorcery 2024 §2.2, §3.4)."""

from __future__ import annotations

import pytest
from tests.sorcery.scenes import Scene

from sorcery import (
    ITSELF,
    SPRING_2017,
    SPRING_2024,
    SUBJECT,
    Ability,
    Card,
    CardsError,
    Damage,
    Destroy,
    Disenchant,
    Draw,
    Edition,
    Effect,
    PutUnderDeck,
    ReturnToHand,
    ReturnToPlay,
    Selector,
    Strengthen,
    Summon,
    TakeControl,
    Together,
    Trigger,
    When,
    Whose,
    minion,
    ritual,
)
from sorcery.events import MinionLeft
from sorcery.triggers import TriggerEvent


def phoenix(effect: Effect, when: TriggerEvent = When.DIES) -> Card:
    """A 1/1 with a trigger of its own."""
    return minion("Phoenix", cost=0, attack=1, defence=1).having(
        Trigger(when, effect, "Rises", Whose.THIS)
    )


def falls(effect: Effect, edition: Edition = SPRING_2017, when: TriggerEvent = When.DIES) -> Scene:
    """A phoenix has attacked a minion that is too strong for it."""
    scene = Scene(edition, cards=[phoenix(effect, when)])
    return scene.board(1, "Phoenix").board(2, "Earth Elemental").play("attack 1 1")


@pytest.mark.parametrize("whom", [SUBJECT, ITSELF])
@pytest.mark.parametrize("when", [When.DIES, When.LEAVES])
@pytest.mark.parametrize(
    ("effect", "place"),
    [(ReturnToHand, "hand"), (PutUnderDeck, "deck")],
)
def test_a_dying_minion_is_sent_elsewhere(
    effect: type[ReturnToHand | PutUnderDeck], place: str, when: TriggerEvent, whom: Selector
) -> None:
    scene = falls(effect(whom), when=when)
    side = scene.side(1)
    assert [held.card for held in getattr(side, place)] == ["Phoenix"]
    assert (side.minions, side.graveyard) == ([], [])
    assert [event.to for event in scene.told(MinionLeft)] == [place]


def test_of_several_that_send_it_elsewhere_the_last_one_counts() -> None:
    graves = ritual("Open Graves", cost=0, charges=1, activation=1).having(
        Trigger(When.DIES, PutUnderDeck(SUBJECT), "Under the deck")
    )
    cards = [phoenix(ReturnToHand(ITSELF)), graves]
    scene = Scene(cards=cards).ritual(1, "Open Graves").board(1, "Phoenix")
    scene.board(2, "Earth Elemental").play("attack 1 1")
    assert (scene.held(1), len(scene.side(1).deck), scene.charges(1)) == ([], 1, 0)


def test_a_minion_that_leaves_for_another_place_than_the_graveyard_does_not_die() -> None:
    returning = Trigger(When.LEAVES, ReturnToHand(ITSELF), "Returns", Whose.THIS)
    mourning = Trigger(When.DIES, Draw(), "Draws", Whose.THIS)
    swift = minion("Swift", cost=0, attack=1, defence=1).having(returning, mourning)
    scene = Scene(cards=[swift]).board(1, "Swift").board(2, "Earth Elemental")
    scene.deck(1, "Banish").play("attack 1 1")
    assert scene.held(1) == ["Swift"]


def test_a_dying_minion_does_not_go_into_a_full_hand() -> None:
    scene = Scene(SPRING_2017, cards=[phoenix(ReturnToHand(ITSELF))]).board(1, "Phoenix")
    scene.hand(1, *["Banish"] * 5).board(2, "Earth Elemental").play("attack 1 1")
    assert (scene.held(1), scene.buried(1)) == (["Banish"] * 5, ["Phoenix 1/1"])


def test_a_dying_minion_keeps_what_its_trigger_gives_it() -> None:
    """In 2024 it keeps its numbers, so that it must gain defence to be of use again (§2.2)."""
    scene = falls(Together(Strengthen(SUBJECT, 0, 4), ReturnToHand(SUBJECT)), SPRING_2024)
    assert [(held.attack, held.defence) for held in scene.side(1).hand] == [(1, 1)]


def test_a_dying_minion_returns_to_play_from_the_graveyard() -> None:
    scene = falls(ReturnToPlay(ITSELF, 2))
    assert (scene.minions(1), scene.buried(1)) == (["Phoenix 1/2"], [])
    assert [event.to for event in scene.told(MinionLeft)] == ["graveyard"]


def test_a_dying_minion_whose_place_is_taken_stays_in_the_graveyard() -> None:
    cards = [phoenix(Together(Summon("Air Elemental"), ReturnToPlay(ITSELF, 2)))]
    scene = Scene(cards=cards).board(1, "Phoenix", *["Potion Seller"] * 4)
    scene.board(2, "Earth Elemental").play("attack 1 1")
    assert scene.minions(1)[-1] == "Air Elemental 1/1"
    assert scene.buried(1) == ["Phoenix 1/-3"]


@pytest.mark.parametrize("effect", [Damage(SUBJECT), Destroy(SUBJECT), TakeControl(SUBJECT)])
@pytest.mark.parametrize("when", [When.DIES, When.LEAVES])
def test_what_does_nothing_to_a_leaving_minion_is_refused(
    effect: Effect, when: TriggerEvent
) -> None:
    name = type(effect).__name__
    with pytest.raises(CardsError, match=f"{name} does nothing to a minion that leaves play"):
        SPRING_2024.with_cards([phoenix(Together(effect, Draw()), when)])


def test_on_itself_it_is_refused_where_it_is_itself_that_leaves() -> None:
    with pytest.raises(CardsError, match="Disenchant does nothing to a minion that leaves play"):
        SPRING_2024.with_cards([phoenix(Disenchant(ITSELF))])
    mourner = minion("Mourner", cost=0, attack=1, defence=1).having(
        Trigger(When.DIES, Damage(ITSELF), "Hurts", Whose.OPPONENTS)
    )
    assert SPRING_2024.with_cards([mourner]).cards["Mourner"] is mourner


def test_nothing_returns_to_play_that_does_not_leave_it() -> None:
    idle = minion("Idle", cost=0, attack=1, defence=1).having(
        Ability(1, ReturnToPlay(ITSELF), "Returns")
    )
    with pytest.raises(CardsError, match="a minion that leaves play, and none does"):
        SPRING_2024.with_cards([idle])
