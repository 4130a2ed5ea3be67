"""What is told, and that nothing a player or bot is given tells what is hidden."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.sorcery.own import matches
from tests.sorcery.scenes import BOTH, Scene

from sorcery import Edition, Sorcery, SorceryState
from sorcery.actions import Action, EndTurn
from sorcery.events import (
    AbilityUsed,
    AttackDeclared,
    CardDiscarded,
    CardDrawn,
    CardPlayed,
    ChargesChanged,
    Disenchanted,
    Enchanted,
    GameQuit,
    LifeChanged,
    MagicChanged,
    MinionDamaged,
    MinionEntered,
    MinionGained,
    MinionLeft,
    RitualEnded,
    RitualStarted,
    Triggered,
    TurnEnded,
    TurnStarted,
)
from tabletop import Event, Match, Streams, Table

WATCHERS = st.sampled_from([0, 1, None])


def told(game: Sorcery, state: SorceryState, action: Action) -> list[Event]:
    """What is told when `action` is played in a position, which changes."""
    table = Table(Streams("told"))
    table.watch(True)
    game.apply(state, action, table)
    return table.events


@settings(max_examples=40)
@given(matches(), WATCHERS, st.integers(0, 120))
def test_what_is_told_of_a_turn_does_not_depend_on_hidden_cards(
    match: Match[SorceryState, Action], seat: int | None, plies: int
) -> None:
    match.run(plies)
    if match.over:
        return
    game, state = match.game, match.state
    assert isinstance(game, Sorcery)
    other = game.redeal(state, seat, Streams("other")["cards"])
    assert game.view(other, seat) == game.view(state, seat)
    drawer = 1 - state.turn
    here, there = state.clone(), other.clone()
    assert told(game, here, EndTurn()) == told(game, there, EndTurn())
    if drawer != seat:
        assert game.view(here, seat) == game.view(there, seat)


@settings(max_examples=40)
@given(matches(), st.integers(0, 120))
def test_what_a_player_may_do_does_not_depend_on_hidden_cards(
    match: Match[SorceryState, Action], plies: int
) -> None:
    match.run(plies)
    if match.over:
        return
    game, state, seat = match.game, match.state, match.to_act[0]
    other = game.redeal(state, seat, Streams("other")["cards"])
    assert list(game.legal_actions(other, seat)) == list(game.legal_actions(state, seat))
    view = game.view(state, seat)
    assert list(game.legal_actions(view, seat)) == list(game.legal_actions(state, seat))


@BOTH
def test_nobody_is_told_which_card_was_drawn(edition: Edition) -> None:
    scene = Scene(edition).deck(2, "Blizzard").play("end")
    assert scene.told(CardDrawn) == [CardDrawn(1)]
    assert "Blizzard" not in repr(scene.events)


@BOTH
def test_a_spell_is_told_before_what_it_does(edition: Edition) -> None:
    scene = Scene(edition).hand(1, "Banish").board(2, "Air Elemental").play("play 1 2 1")
    assert scene.events == [
        CardPlayed(0, "Banish", "Air Elemental", 1),
        MagicChanged(0, 18),
        MinionLeft(1, "Air Elemental", "graveyard"),
    ]


@BOTH
def test_an_attack_is_told_blow_by_blow(edition: Edition) -> None:
    scene = Scene(edition).board(1, "Earth Elemental").board(2, "Air Elemental")
    scene.play("attack 1 1")
    assert scene.events == [
        AttackDeclared(0, "Earth Elemental", "Air Elemental"),
        MinionDamaged(1, "Air Elemental", 4, -3),
        MinionLeft(1, "Air Elemental", "graveyard"),
        MinionDamaged(0, "Earth Elemental", 1, 3),
    ]


@BOTH
def test_an_attack_on_a_player_tells_the_life_that_is_left(edition: Edition) -> None:
    scene = Scene(edition).board(1, "Earth Elemental").play("attack 1")
    assert scene.events == [AttackDeclared(0, "Earth Elemental"), LifeChanged(1, 16)]


@BOTH
def test_an_ability_is_told_before_what_it_does(edition: Edition) -> None:
    scene = Scene(edition).board(1, "Apprentice Summoner").play("use 1")
    assert scene.events == [
        AbilityUsed(0, "Apprentice Summoner", "Summon a 1/1 air elemental"),
        MagicChanged(0, 19),
        MinionEntered(0, "Air Elemental", "nowhere"),
    ]


@BOTH
def test_enchantments_and_rituals_are_told_of(edition: Edition) -> None:
    scene = Scene(edition).hand(1, "Silence", "Disenchant", "Dark Ritual", "Recharge", "Banish")
    scene.board(2, "Air Elemental")
    scene.play("play 1 2 1", "play 1 2 1", "play 1", "play 1", "play 1 1 r")
    kinds = (Enchanted, Disenchanted, RitualStarted, ChargesChanged, RitualEnded)
    assert [event for event in scene.events if isinstance(event, kinds)] == [
        Enchanted(1, "Air Elemental", "Silence"),
        Disenchanted(1, "Air Elemental", "Silence"),
        RitualStarted(0, "Dark Ritual"),
        ChargesChanged(0, "Dark Ritual", 8),
        RitualEnded(0, "Dark Ritual"),
    ]


@BOTH
def test_the_end_of_a_turn_is_told_between_its_triggers_and_the_next_turn(edition: Edition) -> None:
    scene = Scene(edition, magic=0).board(1, "Potion Seller").ritual(2, "Dark Ritual")
    scene.deck(2, "Banish").play("end")
    assert scene.events == [
        Triggered(0, "Potion Seller"),
        MinionGained(0, "Potion Seller", 0, 1),
        TurnEnded(0),
        MagicChanged(1, 1),
        CardDrawn(1),
        Triggered(1, "Dark Ritual"),
        ChargesChanged(1, "Dark Ritual", 4),
        MagicChanged(1, 2),
        TurnStarted(1),
    ]


@BOTH
def test_quitting_and_discarding_are_told(edition: Edition) -> None:
    scene = Scene(edition, testing=True).hand(1, "Banish").play("discard 1", "quit")
    assert scene.events == [CardDiscarded(0, "Banish"), GameQuit(0)]
