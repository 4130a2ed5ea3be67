"""Triggers: what sets them off, in which order, and how far it can go (Sorcery 2024 §3)."""

from __future__ import annotations

import pytest
from tests.sorcery.scenes import Scene, on

from sorcery import (
    ALL,
    ENEMIES,
    OWN,
    SPRING_2017,
    SPRING_2024,
    SUBJECT,
    Ability,
    Damage,
    Destroy,
    Disenchant,
    Edition,
    GainLife,
    GainMagic,
    HurtOpponent,
    Resurrect,
    ReturnToHand,
    Sorcery,
    Strengthen,
    Summon,
    TakeControl,
    Target,
    When,
    Whose,
    enchantment,
    minion,
    ritual,
    spell,
)
from sorcery.events import Triggered
from sorcery.limits import EndlessChain
from tabletop import ContractError, Match, Options

NOW = "play 1"


# APNAP order (§1.1), for every trigger.

BEFORE = {
    When.TURN_STARTS: "end",
    When.TURN_ENDS: "end",
    When.ENTERS: "play 1",
    When.LEAVES: "play 2 1 3",
    When.DIES: "play 2 1 3",
    When.ATTACKS: "attack 3",
    When.SPELL: "play 2 1 3",
}
WATCHERS = {
    when: minion(f"Watcher {when}", cost=0, attack=1, defence=9).having(on(when, GainMagic(1)))
    for when in BEFORE
}
SHRINES = {
    when: ritual(f"Shrine {when}", cost=0, charges=9, activation=1).having(on(when, GainMagic(1)))
    for when in BEFORE
}


def test_every_kind_of_trigger_has_a_line_that_sets_it_off() -> None:
    assert set(BEFORE) == {kind for kind in vars(When).values() if isinstance(kind, When)}


@pytest.mark.parametrize("when", BEFORE)
@pytest.mark.parametrize("active", [1, 2])
def test_triggers_of_all_kinds_go_in_apnap_order(when: When, active: int) -> None:
    scene = Scene(cards=[*WATCHERS.values(), *SHRINES.values()])
    watcher, shrine = WATCHERS[when].name, SHRINES[when].name
    for player in (1, 2):
        scene.board(player, watcher, watcher, "Air Elemental")
        scene.ritual(player, shrine).hand(player, "Air Elemental", "Banish")
    if active == 2:
        scene.play("end")
    # Who is active when it happens: a turn starts for the other player.
    now = 1 - (active - 1) if when is When.TURN_STARTS else active - 1
    scene.events.clear()
    scene.play(BEFORE[when].replace(" 1 3", f" {active} 3"))
    order = [(watcher, 0), (watcher, 1), (shrine, None)]
    expected = [Triggered(seat, *which) for seat in (now, 1 - now) for which in order]
    assert scene.told(Triggered) == expected


# What a trigger stands on.


def test_a_trigger_of_a_minion_that_died_before_its_turn_in_the_chain_does_not_happen() -> None:
    killer = minion("Killer", cost=0, attack=1, defence=1).having(
        on(When.ENTERS, Damage(ENEMIES, 1))
    )
    watcher = minion("Watcher", cost=0, attack=1, defence=1).having(
        on(When.ENTERS, HurtOpponent(5))
    )
    scene = Scene(cards=[killer, watcher]).board(1, "Killer").board(2, "Watcher")
    scene.hand(1, "Air Elemental").play(NOW)
    assert (scene.minions(2), scene.side(1).life) == ([], 20)


def test_a_minion_that_dies_as_it_enters_does_not_use_its_own_entering_trigger() -> None:
    """The active player's Standstill comes first, although the minion is the opponent's."""
    herald = minion("Herald", cost=0, attack=1, defence=1).having(on(When.ENTERS, HurtOpponent(5)))
    caller = spell("Call", TakeControl(), "call", Target.MINION, cost=0)
    gift = minion("Gift", cost=0, attack=1, defence=5).having(
        on(When.TURN_STARTS, Summon("Herald"), Whose.OPPONENTS)
    )
    scene = Scene(cards=[herald, gift, caller]).board(1, "Gift").ritual(2, "Standstill")
    scene.play("end")
    assert (scene.buried(1), scene.side(2).life) == (["Herald 1/1"], 20)


def test_a_ritual_that_was_destroyed_in_the_chain_does_nothing_more() -> None:
    breaker = minion("Breaker", cost=0, attack=1, defence=1).having(
        Ability(0, Destroy(), "break", Target.RITUAL)
    )
    scene = Scene(cards=[breaker]).board(1, "Breaker").ritual(2, "Dark Ritual")
    scene.play("use 1 2 r", "end")
    assert (scene.charges(2), scene.side(2).magic) == (None, 21)


def test_a_granted_trigger_that_lost_its_enchantment_in_the_chain_does_not_happen() -> None:
    torch = enchantment("Torch", cost=0, text="burns").having(on(When.ENTERS, HurtOpponent(5)))
    wind = minion("Wind", cost=0, attack=1, defence=1).having(on(When.ENTERS, Disenchant(ENEMIES)))
    scene = Scene(cards=[torch, wind]).hand(1, "Wind").board(2, "Air Elemental")
    scene.enchant(2, 1, "Silence", "Torch").play(NOW)
    assert (scene.side(1).life, scene.side(2).minions[0].enchantments) == (20, ["Silence"])


def test_a_minion_that_changed_sides_in_the_chain_does_not_act_for_its_old_one() -> None:
    thief = minion("Thief", cost=0, attack=1, defence=1).having(
        on(When.ENTERS, TakeControl(ENEMIES))
    )
    watcher = minion("Watcher", cost=0, attack=1, defence=1).having(on(When.ENTERS, GainLife(5)))
    scene = Scene(cards=[thief, watcher]).hand(1, "Thief").board(2, "Watcher").play(NOW)
    assert scene.minions(1) == ["Thief 1/1", "Watcher 1/1"]
    assert (scene.side(1).life, scene.side(2).life) == (20, 20)


# Attacking: the trigger that 2017 leaves to choose (2017 §3.4).


def test_what_an_attack_sets_off_comes_before_the_blows_are_fixed() -> None:
    moon = ritual("Moon", cost=0, charges=9, activation=1).having(
        on(When.ATTACKS, Strengthen(SUBJECT, 1, 0))
    )
    scene = Scene(cards=[moon]).ritual(1, "Moon").board(1, "Air Elemental", "Air Elemental")
    scene.board(2, "Potion Seller").play("attack 1", "attack 2 1")
    assert (scene.side(2).life, scene.minions(2)) == (18, ["Potion Seller 1/1"])


def test_nothing_comes_of_an_attack_on_a_minion_that_a_trigger_has_taken_away() -> None:
    saviour = minion("Saviour", cost=0, attack=1, defence=1).having(
        on(When.ATTACKS, ReturnToHand(OWN))
    )
    scene = Scene(cards=[saviour]).board(1, "Earth Elemental").board(2, "Fire Elemental", "Saviour")
    scene.play("attack 1 1")
    assert scene.minions(1) == ["Earth Elemental 4/4"]
    assert scene.held(2) == ["Fire Elemental", "Saviour"]
    assert scene.refusal("attack 1") == "Earth Elemental has no action left this turn."


# Chains without end.

FURNACE = minion("Furnace", cost=0, attack=1, defence=9).having(on(When.ENTERS, Damage(SUBJECT, 1)))
MOTHER = minion("Mother", cost=0, attack=1, defence=9).having(
    on(When.ENTERS, Summon("Air Elemental"))
)
DIGGER = minion("Gravedigger", cost=0, attack=1, defence=9).having(
    on(When.ENTERS, Resurrect(defence=1))
)
HYDRA = minion("Hydra", cost=0, attack=1, defence=1).having(
    on(When.LEAVES, Summon("Hydra", 9), Whose.OWN)
)


@pytest.mark.parametrize(
    "deck",
    [
        "Furnace\nMother",
        "Furnace\nGravedigger\nAir Elemental",
        "Furnace\nHydra",
    ],
    ids=lambda deck: deck.lower().replace("\n", " and "),
)
@pytest.mark.parametrize("edition", [SPRING_2024, SPRING_2017], ids=lambda one: one.name)
def test_cards_that_feed_each_other_end_in_a_clear_error_that_changes_nothing(
    deck: str, edition: Edition
) -> None:
    game = Sorcery(edition.with_cards([FURNACE, MOTHER, DIGGER, HYDRA]))
    options: Options = {"deck1": deck, "deck2": "", "testing": True}
    match = Match(game, seed="an endless chain", options=options)
    *quiet, _ = deck.split("\n")
    for _ in quiet:
        match.play(match.parse(NOW))
    before = match.digest()
    with pytest.raises(ContractError, match="triggers set each other off without end") as caught:
        match.play(match.parse(NOW))
    assert isinstance(caught.value.__cause__, EndlessChain)
    assert match.digest() == before
    match.play(match.parse("end"))
    assert match.state.turn == 1


def test_a_long_chain_with_an_end_is_no_endless_one() -> None:
    """Ten deaths, one within the other."""
    bomb = minion("Bomb", cost=0, attack=1, defence=1).having(on(When.LEAVES, Damage(ALL, 1)))
    scene = Scene(cards=[bomb]).board(1, *["Bomb"] * 5).board(2, *["Bomb"] * 5).hand(1, "Banish")
    scene.play("play 1 1 1")
    assert (len(scene.buried(1)), len(scene.buried(2))) == (5, 5)
