"""Knowledge of Sorcery for search bots: values of positions, and promising actions."""

from __future__ import annotations

from collections.abc import Hashable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.sorcery import own
from tests.sorcery.programs import run_here
from tests.sorcery.scenes import BOTH, Scene, on
from tests.sorcery.tables import wins_against_chance

from sorcery import (
    EVENT_MINION,
    GAME,
    GAME_2017,
    SELF,
    TARGET,
    Ability,
    Action,
    CannotAttack,
    Damage,
    Draw,
    Edition,
    Sorcery,
    SorceryState,
    Strengthen,
    Summon,
    Target,
    Together,
    When,
    Whose,
    enchantment,
    minion,
    ritual,
)
from sorcery.bots.evaluation import evaluate, key, policy
from tabletop import Match, Sampler, Streams
from tabletop.bots import ISMCTS

GAMES = {game.name: game for game in (GAME, GAME_2017)}


def tried(scene: Scene) -> list[str]:
    """Return the promising actions as typed."""
    actions = scene.game.legal_actions(scene.state, scene.state.turn)
    return [str(action) for action in policy(scene.state, actions, scene.game)]


def value(scene: Scene) -> float:
    """Return the value of a position for player 1."""
    return evaluate(scene.state, 0, scene.game)


def thinker(game: Sorcery, seed: int, iterations: int) -> ISMCTS[SorceryState, Action]:
    return ISMCTS(
        Streams(seed)["thinker"],
        game=game,
        iterations=iterations,
        evaluate=partial(evaluate, game=game),
        policy=partial(policy, game=game),
        exploration=0.15,
        key=key,
    )


# Invariants, with all kinds of cards.


@pytest.mark.slow
@given(own.matches(), st.integers(0, 80), st.integers(0, 2**32))
@settings(max_examples=100)
def test_values_add_up_to_1_and_promising_actions_are_legal_and_independent_of_hidden_cards(
    match: Match[SorceryState, Action], plies: int, seed: int
) -> None:
    """The values of both seats add up to 1, and hidden cards do not change promising actions."""
    match.run(plies)
    game, state = match.game, match.state
    values = [evaluate(state, seat, game) for seat in (0, 1)]
    assert all(0 <= one <= 1 for one in values)
    assert sum(values) == pytest.approx(1)
    if match.over:
        return
    before, actions = state.clone(), match.legal_actions()
    kept = policy(state, actions, game)
    assert kept
    assert list(kept) == [action for action in actions if action in kept]
    assert state == before
    other = game.redeal(state, state.turn, Streams(seed)["another deal"])
    assert policy(other, actions, game) == kept


# Values.


@BOTH
@pytest.mark.parametrize("winner", [0, 1, None])
def test_the_end_of_a_game_is_worth_0_or_1_or_one_half(
    edition: Edition, winner: int | None
) -> None:
    scene = Scene(edition).board(1, "Earth Elemental")
    scene.state.over, scene.state.winner = True, winner
    assert value(scene) == {0: 1.0, 1: 0.0, None: 0.5}[winner]


@BOTH
def test_more_of_everything_is_better(edition: Edition) -> None:
    usual = value(Scene(edition, magic=0))
    assert value(Scene(edition, magic=0).board(1, "Earth Elemental")) > usual
    assert value(Scene(edition, magic=0).board(2, "Earth Elemental")) < usual
    assert value(Scene(edition, magic=0).hand(1, "Earth Elemental")) > usual
    assert value(Scene(edition, magic=0).ritual(1, "Dark Ritual")) > usual
    assert value(Scene(edition, magic=2)) > usual
    hurt = Scene(edition, magic=0)
    hurt.side(1).life = 5
    assert value(hurt) < usual


@BOTH
def test_a_helpful_enchantment_raises_the_value_and_a_harmful_one_lowers_it(
    edition: Edition,
) -> None:
    scene = Scene(edition).board(2, "Master Summoner")
    usual = value(scene)
    assert value(scene.enchant(2, 1, "Magic Fatigue")) > usual
    scene = Scene(edition).board(2, "Master Summoner").enchant(2, 1, "Giant Strength")
    assert value(scene) < usual


def test_an_available_attack_counts_as_done() -> None:
    scene = Scene().board(1, "Earth Elemental")
    before = value(scene)
    assert value(scene.play("attack 1")) == before


def test_a_turn_that_can_win_is_nearly_worth_1() -> None:
    scene = Scene(life=4).board(1, "Earth Elemental").board(2, "Master Summoner")
    assert value(scene) > 0.99


def test_a_minion_that_cannot_attack_is_not_a_threat() -> None:
    chains = enchantment("Chains", cost=1).having(CannotAttack())
    scene = Scene(life=4, cards=[chains]).board(1, "Earth Elemental").enchant(1, 1, "Chains")
    assert value(scene) < 0.9


# Promising actions.


@BOTH
def test_attacks_are_in_order_and_before_the_end_of_the_turn(edition: Edition) -> None:
    scene = Scene(edition).board(1, "Earth Elemental", "Air Elemental")
    assert tried(scene) == ["attack 1"]
    assert tried(scene.play("attack 1")) == ["attack 2"]
    assert tried(scene.play("attack 2")) == ["end"]


@BOTH
def test_only_a_winning_attack_is_promising(edition: Edition) -> None:
    scene = Scene(edition, life=5).board(1, "Air Elemental", "Earth Elemental")
    scene.board(2, "Air Elemental").hand(1, "Blizzard")
    assert tried(scene) == ["attack 1"]


@BOTH
def test_a_minion_does_not_die_for_nothing(edition: Edition) -> None:
    scene = Scene(edition).board(1, "Air Elemental").board(2, "Earth Elemental", "Air Elemental")
    assert tried(scene) == ["attack 1", "attack 1 2"]
    scene.board(1, "Earth Elemental 4/1")  # both minions together can kill it
    assert tried(scene) == ["attack 1", "attack 1 1", "attack 1 2", "attack 2 1", "attack 2 2"]


@BOTH
def test_only_the_first_of_equal_choices_is_promising(edition: Edition) -> None:
    scene = Scene(edition).board(1, "Air Elemental", "Air Elemental")
    scene.board(2, "Air Elemental", "Air Elemental").hand(1, "Fire Elemental", "Fire Elemental")
    assert tried(scene) == ["attack 1", "attack 1 1", "play 1"]


@BOTH
def test_spells_and_enchantments_are_aimed_at_the_right_side(edition: Edition) -> None:
    scene = Scene(edition).board(1, "Air Elemental").board(2, "Earth Elemental")
    scene.ritual(1, "Dark Ritual").ritual(2, "Dark Ritual")
    scene.side(1).minions[0].actions = 0
    scene.hand(1, "Giant Strength", "Silence", "Banish")
    assert tried(scene) == ["play 1 1 1", "play 3 2 1", "play 3 2 r", "end"]


@BOTH
def test_a_minion_without_abilities_is_not_silenced(edition: Edition) -> None:
    scene = Scene(edition).board(2, "Earth Elemental", "Master Summoner").hand(1, "Silence")
    assert tried(scene) == ["play 1 2 2", "end"]
    assert tried(scene.enchant(2, 2, "Silence")) == ["end"]


@BOTH
def test_enchantments_are_removed_from_the_right_side(edition: Edition) -> None:
    scene = Scene(edition).hand(1, "Disenchant").board(1, "Potion Seller", "Potion Seller")
    scene.board(2, "Potion Seller", "Potion Seller")
    for own_minion in scene.side(1).minions:
        own_minion.actions = 0
    for player in (1, 2):
        scene.enchant(player, 1, "Silence").enchant(player, 2, "Giant Strength")
    assert tried(scene) == ["play 1 1 1", "play 1 2 2", "end"]


def test_an_attack_that_may_set_off_a_trigger_is_not_forced() -> None:
    scene = Scene(GAME_2017.edition).board(1, "Air Elemental").board(2, "Thornback")
    assert tried(scene) == ["attack 1", "end"]


def test_a_minion_without_attack_does_not_attack() -> None:
    scene = Scene(magic=0).board(1, "Novice Pyromancer").board(2, "Air Elemental")
    assert tried(scene) == ["end"]


def test_abilities_of_custom_cards_are_aimed_at_the_right_side() -> None:
    healer = minion("Healer", cost=1, attack=0, defence=1).having(
        Ability(0, Strengthen(TARGET, 0, 1), "mend", Target.MINION),
        Ability(0, Together(Damage(TARGET, 1), Strengthen(SELF, 1, 0)), "sap", Target.MINION),
        Ability(0, Draw(), "read"),
    )
    scene = Scene(cards=[healer]).board(1, "Healer").board(2, "Earth Elemental").deck(1, "Banish")
    assert tried(scene) == ["use 1 1 1", "use 1.2 2 1", "use 1.3", "end"]


def test_commands_of_testing_mode_are_not_promising() -> None:
    scene = Scene(testing=True).hand(1, "Air Elemental").deck(1, "Banish")
    assert tried(scene) == ["play 1", "end"]


# Bots that use this knowledge.


@pytest.mark.slow
def test_a_search_bot_does_not_start_an_endless_chain() -> None:
    hydra = minion("Hydra", cost=0, attack=9, defence=9).having(
        on(When.LEAVES, Summon("Hydra"), Whose.OWN)
    )
    furnace = ritual("Furnace", cost=0, charges=9, activation=0).having(
        on(When.ENTERS, Damage(EVENT_MINION, 9))
    )
    scene = Scene(cards=[hydra, furnace]).ritual(1, "Furnace").hand(1, "Hydra")
    actions = scene.game.legal_actions(scene.state, 0)
    sampler = Sampler(scene.game, scene.state, 0)
    assert str(thinker(scene.game, 1, 20).choose(scene.state, actions, sampler)) == "end"


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["sorcery", pytest.param("sorcery-2017", marks=pytest.mark.matrix)]
)
def test_a_search_bot_nearly_always_beats_random_moves(name: str) -> None:
    """With 60 iterations it wins at least 11 of 12 matches, with a large margin."""
    game = GAMES[name]
    assert wins_against_chance(game, 12, lambda number: thinker(game, number, 60)) >= 11


def test_a_search_tree_ignores_the_place_of_a_card_in_the_hand() -> None:
    first = Scene().hand(1, "Air Elemental", "Banish").board(2, "Earth Elemental")
    second = Scene().hand(1, "Banish", "Air Elemental").board(2, "Earth Elemental")

    def keys(scene: Scene) -> set[Hashable]:
        actions = scene.game.legal_actions(scene.state, 0)
        return {key(scene.state, action) for action in actions}

    assert keys(first) == keys(second)
    assert len(keys(first)) == 3


def test_a_search_asks_for_keys_only_after_its_own_choice() -> None:
    scene = Scene().hand(1, "Air Elemental", "Dark Ritual").hand(2, "Banish").deck(2, "Silence")
    actions = scene.game.legal_actions(scene.state, 0)
    asked: list[tuple[int, int, int]] = []

    def noted(state: SorceryState, action: Action) -> Hashable:
        own = state.sides[0]
        asked.append((state.turn, len(own.hand), own.magic))
        return action

    def chosen(**more: Any) -> Action:
        sampler = Sampler(scene.game, scene.state, 0)
        bot: ISMCTS[SorceryState, Action] = ISMCTS(
            Streams(1)["bot"],
            game=scene.game,
            iterations=40,
            evaluate=partial(evaluate, game=scene.game),
            **more,
        )
        return bot.choose(scene.state, actions, sampler)

    assert chosen(key=noted) == chosen()
    assert {turn for turn, _, _ in asked} == {0, 1}
    assert (0, 2, 20) not in asked


@pytest.mark.slow
def test_a_level_of_the_program_can_play_custom_cards(tmp_path: Path) -> None:
    deck = tmp_path / "own.deck"
    deck.write_text("Vampire Countess\nFlaming Sword\nBlood Moon\nChronicler\n" * 5)
    cards = Path(__file__).parents[2] / "examples" / "own_cards.py"
    words = [f"-cards={cards}", f"-deck1={deck}", f"-deck2={deck}", "-seed=x", "-bot=all=fair"]
    shown = run_here(words, names="").stdout
    assert "plays Vampire Countess" in shown
    assert "win" in shown
