"""Metrics for studies, compared with actions and changes of the state."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest
from tests.sorcery.scenes import BOTH, Scene

from sorcery import (
    GAME,
    GAME_2017,
    Action,
    CardDrawn,
    Edition,
    EndTurn,
    HurtOpponent,
    LifeChanged,
    MinionDamaged,
    Play,
    Sorcery,
    SorceryState,
    Trigger,
    When,
    Whose,
    minion,
)
from sorcery.bots.metrics import METRICS, DamageDealt, Drawn, Played, Turns
from tabletop import Match
from tabletop.registry import load
from tabletop.studies import Series

SorceryMatch = Match[SorceryState, Action]


def begun(game: Sorcery, seed: str, bot: str) -> SorceryMatch:
    match = Match(game, seed=seed)
    plugin = load(game.name)
    for seat in range(2):
        match.set_player(seat, plugin.bot(bot, match.bot_stream(seat), seat))
    return match


def stepped(match: SorceryMatch, look: Callable[[SorceryState], object]) -> None:
    """Play a match to its end, calling `look` with the state before each action."""
    while not match.over:
        look(match.state.clone())
        match.run(1)


MATCHES = pytest.mark.parametrize(
    ("game", "seed", "bot"),
    [
        (game, seed, bot)
        for game in (GAME, GAME_2017)
        for seed, bot in (("cards", "duelist"), ("more cards", "random"))
    ],
    ids=lambda it: it.name if isinstance(it, Sorcery) else it,
)


@MATCHES
def test_the_played_cards_are_those_in_the_log(game: Sorcery, seed: str, bot: str) -> None:
    match = begun(game, seed, bot)
    played = Played(match)
    states: list[SorceryState] = []
    stepped(match, states.append)
    expected = [Counter[str](), Counter[str]()]
    for state, action in zip(states, match.actions, strict=True):
        if isinstance(action, Play):
            expected[state.turn][state.sides[state.turn].hand[action.card].card] += 1
    assert played.value() == tuple(map(dict, expected))
    assert sum(expected[0].values()) > 0


@MATCHES
def test_the_drawn_cards_are_those_that_left_the_deck(game: Sorcery, seed: str, bot: str) -> None:
    match = begun(game, seed, bot)
    drawn = Drawn(match)
    expected = [Counter(held.card for held in side.hand) for side in match.state.sides]
    told: list[CardDrawn] = []
    match.observe(told.append, CardDrawn)
    while not match.over:
        decks = [[held.card for held in side.deck] for side in match.state.sides]
        del told[:]
        match.run(1)
        for event in told:
            expected[event.seat][decks[event.seat].pop()] += 1
    assert drawn.value() == tuple(map(dict, expected))


def test_a_minion_put_under_the_deck_can_be_drawn_again() -> None:
    decks = {"deck1": "Unsummon\n" * 3, "deck2": "Air Elemental\n" * 2}
    match = Match(GAME_2017, seed="again", options=decks)
    drawn = Drawn(match)
    for line in ("end", "play 1", "end", "play 1 2 1", "end", "end", "end"):
        match.play(match.game.parse(line, match.state, match.state.turn))
    assert drawn.value() == ({"Unsummon": 3}, {"Air Elemental": 3})


@MATCHES
def test_the_damage_is_everything_that_minions_and_players_have_lost(
    game: Sorcery, seed: str, bot: str
) -> None:
    match = begun(game, seed, bot)
    damage = DamageDealt(match)
    told: list[MinionDamaged] = []
    match.observe(told.append, MinionDamaged)
    lives: list[int] = []
    stepped(match, lambda state: lives.append(sum(side.life for side in state.sides)))
    lost = lives[0] - sum(
        side.life for side in match.state.sides
    )  # no card in this match gives life
    dealt = sum(sum(cards.values()) for cards in damage.value())
    assert dealt == lost + sum(event.amount for event in told)
    assert {card for cards in damage.value() for card in cards} <= set(game.edition.cards)


@MATCHES
def test_turns_are_the_ended_ones_and_the_last(game: Sorcery, seed: str, bot: str) -> None:
    match = begun(game, seed, bot)
    turns = Turns(match)
    outcome = match.run()
    ended = sum(isinstance(action, EndTurn) for action in match.actions)
    assert outcome is not None
    assert turns.value() == ended + bool(outcome.winners)


def test_no_turn_follows_a_stalemate() -> None:
    match = Match(GAME, seed="still", options={"deck1": "", "deck2": "", "patience": 3})
    turns = Turns(match)
    for _ in range(3):
        match.play(EndTurn())
    assert match.over
    assert turns.value() == 3


def blows(scene: Scene) -> list[tuple[str, str, int | None]]:
    """Return the damage in order: the victim, and the card and seat that caused it."""
    return [
        (event.card if isinstance(event, MinionDamaged) else "player", event.by, event.by_seat)
        for event in scene.events
        if isinstance(event, MinionDamaged | LifeChanged)
    ]


@BOTH
def test_damage_in_combat_is_caused_by_the_two_minions(edition: Edition) -> None:
    scene = Scene(edition).board(1, "Earth Elemental").board(2, "Potion Seller 1/2")
    scene.play("attack 1 1")
    assert blows(scene) == [
        ("Potion Seller", "Earth Elemental", 0),
        ("Earth Elemental", "Potion Seller", 1),
    ]
    scene = Scene(edition).board(1, "Earth Elemental").play("attack 1")
    assert blows(scene) == [("player", "Earth Elemental", 0)]


@BOTH
def test_damage_of_abilities_and_triggers_is_caused_by_their_cards(edition: Edition) -> None:
    scene = Scene(edition).board(1, "Novice Pyromancer").board(2, "Fire Elemental")
    scene.play("use 1 2 1").hand(1, "Potion Seller").play("play 1")
    assert blows(scene) == [
        ("Fire Elemental", "Novice Pyromancer", 0),
        ("Potion Seller", "Fire Elemental", 1),
    ]


def test_a_spell_continues_after_the_triggers_it_has_set_off() -> None:
    ghost = minion("Ghost", cost=0, attack=1, defence=1).having(
        Trigger(When.LEAVES, HurtOpponent(2), "haunt", Whose.THIS)
    )
    scene = Scene(cards=[ghost]).board(1, "Air Elemental").board(2, "Ghost", "Bone Golem")
    scene.hand(1, "Blizzard").play("play 1")
    assert blows(scene) == [
        ("Air Elemental", "Blizzard", 0),
        ("Ghost", "Blizzard", 0),
        ("player", "Ghost", 1),
        ("Bone Golem", "Blizzard", 0),
    ]


@pytest.mark.parametrize("game", ["sorcery", "sorcery-2017"])
def test_a_study_has_a_column_for_each_metric(game: str) -> None:
    series = Series.of(game, ["random"])
    [row] = series.play(range(1))
    assert set(METRICS) <= series.columns().keys()
    assert [len(row[name]) for name in ("drawn", "played", "damage")] == [2, 2, 2]
