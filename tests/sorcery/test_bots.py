"""The Duelist plays legally, ignores hidden cards, and beats random moves."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.sorcery.programs import run_here
from tests.sorcery.scenes import BOTH, Scene
from tests.sorcery.tables import wins_against_chance

import lcr
from sorcery import (
    EVENT_MINION,
    GAME,
    GAME_2017,
    SPRING_2024,
    Action,
    Card,
    Damage,
    Duelist,
    Edition,
    Effect,
    EffectContext,
    Sorcery,
    SorceryState,
    Summon,
    Trigger,
    When,
    Whose,
    minion,
    packaged_deck,
    ritual,
    spell,
)
from sorcery.bots.players import bot_actions
from sorcery.rules.actions import Discard, DrawCard
from tabletop import Match, Random, Sampler, Streams
from tabletop.match import AnyMatch
from tabletop.registry import load
from tabletop.table import Players

GAMES = {game.name: game for game in (GAME, GAME_2017)}
DECKS = {"sorcery": "default.deck", "sorcery-2017": "custom.deck"}


def duelist(game: Sorcery, seed: int = 1) -> Duelist:
    return Duelist(Streams(seed)["duelist"], game=game)


def choose(game: Sorcery, state: SorceryState, seed: int = 1) -> Action:
    """Return the Duelist's choice in a position, and check that it is legal."""
    seat = state.turn
    actions = game.legal_actions(state, seat)
    action = duelist(game, seed).choose(game.view(state, seat), actions, Sampler(game, state, seat))
    assert action in actions
    return action


def chosen(scene: Scene) -> str:
    return str(choose(scene.game, scene.state))


@st.composite
def reached(draw: st.DrawFn) -> Match[SorceryState, Action]:
    """Draw a match of either edition after some random actions, possibly in testing mode."""
    game = GAMES[draw(st.sampled_from(sorted(GAMES)))]
    deck = packaged_deck(DECKS[game.name]) if draw(st.booleans()) else None
    match = Match(
        game,
        seed=draw(st.integers(0, 2**32)),
        options={"deck1": deck, "deck2": deck, "testing": draw(st.booleans())},
        players=[Random(1), Random(2)],
    )
    match.run(draw(st.integers(0, 60)))
    return match


@pytest.mark.slow
@given(reached())
@settings(max_examples=60)
def test_the_duelist_plays_legally_from_any_position(
    match: Match[SorceryState, Action],
) -> None:
    game = GAMES[match.game.name]
    for seat in range(match.seats):
        match.set_player(seat, duelist(game, seat))
    before = match.ply
    match.run(20)
    assert match.over or match.ply == before + 20


@pytest.mark.slow
@given(reached(), st.integers(0, 2**32))
@settings(max_examples=60)
def test_the_choice_does_not_depend_on_hidden_cards(
    match: Match[SorceryState, Action], seed: int
) -> None:
    if match.over:
        return
    game, state = GAMES[match.game.name], match.state
    other = game.redeal(state, state.turn, Streams(seed)["another deal"])
    assert choose(game, state, seed) == choose(game, other, seed)


@pytest.mark.slow
@pytest.mark.parametrize("testing", [False, True], ids=["", "testing"])
@pytest.mark.parametrize("name", GAMES)
def test_two_duelists_play_whole_matches(name: str, testing: bool) -> None:
    game = GAMES[name]
    for seed in range(2):
        players = [duelist(game, 2 * seed + seat) for seat in (0, 1)]
        match = Match(game, seed=seed, options={"testing": testing}, players=players)
        outcome = match.run(3000)
        assert outcome is not None
        assert "quit" not in outcome.reason


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_the_duelist_beats_random_moves(name: str) -> None:
    """The Duelist wins at least 24 of 30 matches. `benchmarks` measures 90 % over many more."""
    game = GAMES[name]
    assert wins_against_chance(game, 30, lambda number: duelist(game, number)) >= 24


# Choices in given positions.


@BOTH
def test_the_duelist_wins_when_it_can(edition: Edition) -> None:
    scene = Scene(edition, life=4).board(1, "Earth Elemental").board(2, "Master Summoner")
    assert chosen(scene) == "attack 1"


@BOTH
def test_the_duelist_removes_a_minion_of_the_opponent_rather_than_its_own(
    edition: Edition,
) -> None:
    scene = Scene(edition, magic=2).hand(1, "Banish")
    scene.board(1, "Earth Elemental").board(2, "Air Elemental", "Earth Elemental")
    scene.side(1).minions[0].actions = 0
    assert chosen(scene) == "play 1 2 2"


@BOTH
def test_the_duelist_strengthens_its_own_minions_and_weakens_the_others(edition: Edition) -> None:
    scene = Scene(edition, magic=1).board(1, "Air Elemental").board(2, "Apprentice Summoner")
    scene.side(1).minions[0].actions = 0
    assert chosen(scene.hand(1, "Giant Strength")) == "play 1 1 1"
    scene.side(1).hand.clear()
    assert chosen(scene.hand(1, "Magic Fatigue")) == "play 1 2 1"


@BOTH
def test_the_duelist_keeps_a_card_that_would_harm_itself(edition: Edition) -> None:
    scene = Scene(edition, magic=3).hand(1, "Blizzard").board(1, "Potion Seller", "Air Elemental")
    for own in scene.side(1).minions:
        own.actions = 0
    assert chosen(scene) == "end"


@BOTH
def test_the_duelist_does_not_make_suicidal_attacks(edition: Edition) -> None:
    scene = Scene(edition).board(1, "Air Elemental").board(2, "Earth Elemental")
    assert chosen(scene) == "attack 1"


def test_the_duelist_considers_triggers_at_the_end_of_the_turn() -> None:
    """The potion at the end of the turn affects all minions that are in play by then."""
    scene = Scene(magic=0).hand(1, "Air Elemental").board(1, "Potion Seller")
    scene.side(1).minions[0].actions = 0
    assert chosen(scene) == "play 1"


# Unknown cards.


@dataclass(frozen=True, slots=True)
class LoseTheirPrice(Effect):
    """Make the opponent lose life equal to the cost of the first card in the opponent's hand."""

    def happen(self, context: EffectContext) -> None:
        engine, other = context.engine, 1 - context.seat
        hand = engine.side(other).hand
        engine.gain_life(other, -engine.cost(hand[0].card) if hand else 0)


HYDRA = minion("Hydra", cost=0, attack=9, defence=9).having(
    Trigger(When.LEAVES, Summon("Hydra"), "comes back", Whose.OWN)
)
FURNACE = ritual("Furnace", cost=0, charges=9, activation=0).having(
    Trigger(When.ENTERS, Damage(EVENT_MINION, 9), "burns")
)
EXTORTION = spell("Extortion", LoseTheirPrice(), "They lose what a card of theirs costs.", cost=0)


def with_cards(*cards: Card) -> Scene:
    return Scene(SPRING_2024, cards=cards)


def test_the_duelist_does_not_start_an_endless_chain() -> None:
    scene = with_cards(HYDRA, FURNACE).ritual(1, "Furnace").hand(1, "Hydra")
    assert [str(action) for action in scene.game.legal_actions(scene.state, 0)] == ["play 1", "end"]
    assert chosen(scene) == "end"


@pytest.mark.parametrize("theirs", ["Banish", "Air Elemental"])
def test_a_card_that_reads_hidden_cards_does_not_stop_the_duelist(theirs: str) -> None:
    scene = with_cards(EXTORTION).hand(1, "Extortion", "Earth Elemental").hand(2, theirs)
    assert chosen(scene) == "play 2"


# Setup of the bot.


def test_the_duelist_plays_no_other_game() -> None:
    with pytest.raises(TypeError, match=r"\bDuelist .* lcr$"):
        Duelist(Streams(1)["duelist"], game=lcr.GAME)


@pytest.mark.parametrize("name", ["random", "duelist", "fair"])
def test_bots_of_the_program_neither_draw_nor_discard_in_testing_mode(name: str) -> None:
    shown = run_here(["-testing", "-seed=tools", f"-bot=all={name}"], names="").stdout
    played = [line.partition("> ")[2].split()[0] for line in shown.splitlines() if "> " in line]
    assert {"play", "attack", "end"} <= set(played)
    assert not {"draw", "discard"} & set(played)


def test_bots_at_a_table_never_use_testing_commands() -> None:
    match: AnyMatch = Match(GAME, seed="x", options={"testing": True, "patience": 20})
    with Players(match, load("sorcery"), ["random", "random"]) as players:
        while players.next_bot() is not None:
            players.step()
    assert match.over
    assert not [action for action in match.actions if isinstance(action, DrawCard | Discard)]


def test_only_testing_commands_are_filtered() -> None:
    scene = Scene(testing=True).hand(1, "Air Elemental").deck(1, "Banish")
    actions = scene.game.legal_actions(scene.state, 0)
    assert [str(action) for action in actions] == ["play 1", "discard 1", "draw", "end"]
    assert [str(action) for action in bot_actions(scene.state, actions)] == ["play 1", "end"]
    usual = scene.game.legal_actions(Scene().state, 0)
    assert bot_actions(Scene().state, usual) is usual
