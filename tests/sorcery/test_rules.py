"""The rules: legal actions, refusals with their reasons, and the results of actions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.sorcery.own import matches
from tests.sorcery.scenes import BOTH, Scene
from tests.tabletop.told import tells

from sorcery import (
    GAME,
    GAME_2017,
    SPRING_2017,
    SPRING_2024,
    Action,
    Attack,
    Discard,
    DrawCard,
    Edition,
    EndTurn,
    MagicChanged,
    MinionDamaged,
    Modifier,
    Play,
    QuitGame,
    Sorcery,
    SorceryState,
    TurnEnded,
    TurnStarted,
    Use,
    enchantment,
    packaged_deck,
)
from sorcery.rules.actions import RITUAL
from tabletop import (
    ContractError,
    IllegalAction,
    Match,
    OptionError,
    Options,
    Outcome,
    Random,
    Streams,
    Table,
)

IN_ORDER: Options = {"testing": True}
DEFAULT = packaged_deck().splitlines()


def game_of(edition: Edition) -> Sorcery:
    return Sorcery(edition)


# The start (§1.2).


@BOTH
def test_both_players_start_with_20_life(edition: Edition) -> None:
    assert [side.life for side in Match(game_of(edition)).state.sides] == [20, 20]


def test_the_editions_start_with_20_life_and_their_hands() -> None:
    first, second = Match(GAME, options=IN_ORDER).state.sides
    assert (first.magic, second.magic) == (4, 3)
    assert [held.card for held in first.hand] == DEFAULT[:5]
    assert [held.card for held in second.hand] == DEFAULT[:5]
    options: Options = {"deck1": "\n".join(DEFAULT[:3]), **IN_ORDER}
    side = Match(GAME, options=options).state.sides[0]
    assert (len(side.hand), side.deck) == (3, [])


def test_2017_starts_with_4_cards_and_player_1_gains_nothing_in_the_first_turn() -> None:
    match = Match(GAME_2017, options=IN_ORDER)
    first, second = match.state.sides
    assert (first.magic, second.magic) == (3, 3)
    assert [held.card for held in first.hand] == DEFAULT[:4]
    match.play(match.parse("end"))
    second = match.state.sides[1]
    assert (second.magic, [held.card for held in second.hand]) == (4, DEFAULT[:5])


@BOTH
def test_each_deck_is_shuffled_by_a_stream_of_its_own(edition: Edition) -> None:
    match = Match(game_of(edition), seed="shuffled")
    cards = [[held.card for held in (*side.hand, *side.deck)] for side in match.state.sides]
    assert sorted(cards[0]) == sorted(cards[1]) == sorted(DEFAULT)
    assert cards[0] != cards[1]
    empty: Options = {"deck1": ""}
    other = Match(game_of(edition), seed="shuffled", options=empty)
    assert other.state.sides[1] == match.state.sides[1]


def test_an_unknown_card_in_a_deck_is_named_with_its_line_and_the_nearest_card() -> None:
    with pytest.raises(OptionError) as caught:
        Match(GAME, options={"deck2": "Air Elemental\n\nAir Elemantal\n"})
    fault = "option deck2: line 3: 'Air Elemantal' ... 'Air Elemental'"
    assert tells(str(caught.value), fault)


# Turns (§1.2).


@BOTH
def test_a_turn_gives_1_magic_and_a_card_if_the_hand_has_room(edition: Edition) -> None:
    scene = Scene(edition, magic=0).deck(2, "Banish", "Blizzard").ritual(2, "Dark Ritual")
    scene.deck(1, "Banish").play("end")
    assert (scene.side(1).magic, scene.held(1)) == (0, [])
    assert (scene.side(2).magic, scene.held(2)) == (2, ["Banish"])
    assert scene.told(TurnEnded) == [TurnEnded(0)]
    assert scene.told(TurnStarted) == [TurnStarted(1)]
    assert [event.magic for event in scene.told(MagicChanged)] == [1, 2]
    scene = Scene(edition).deck(2, "Banish").hand(2, *["Blizzard"] * 5).play("end")
    assert scene.held(2) == ["Blizzard"] * 5
    assert len(scene.side(2).deck) == 1


# The end (§1.2, §5.1.3).


@BOTH
def test_a_player_with_0_life_loses_and_quitting_has_no_winner(edition: Edition) -> None:
    scene = Scene(edition, life=4).board(1, "Earth Elemental").play("attack 1")
    assert scene.game.outcome(scene.state) == Outcome.win(0, 2, "the other player has no life left")
    assert scene.game.to_act(scene.state) == ()
    match = Match(game_of(edition))
    match.play(match.parse("quit"))
    assert match.over
    assert match.outcome == Outcome.abandon(2, "quit")


@BOTH
def test_a_game_ends_by_the_idle_limit_or_by_loss_of_life(edition: Edition) -> None:
    options: Options = {"deck1": "", "deck2": "", "patience": 3}
    match = Match(game_of(edition), options=options, players=[Random("a"), Random("b")])
    outcome = match.run(100)
    assert outcome is not None
    assert outcome.is_draw
    assert match.ply == 3
    options = {"deck1": "", "deck2": "", "patience": 0}
    match = Match(game_of(edition), options=options, players=[Random("a"), Random("b")])
    assert match.run(300) is None


# Views of a seat.


@BOTH
def test_a_view_contains_neither_the_other_hand_nor_the_order_of_any_deck(edition: Edition) -> None:
    game = game_of(edition)
    state = Match(game, seed="hidden").state
    for seat in (0, 1):
        view = game.view(state, seat)
        own, other = view.sides[seat], view.sides[1 - seat]
        assert own.hand == state.sides[seat].hand
        assert own.deck == sorted(state.sides[seat].deck, key=lambda held: held.card)
        assert {held.card for held in (*other.hand, *other.deck)} == {"?"}
        assert len(other.hand) == len(state.sides[1 - seat].hand)
        assert len(other.deck) == len(state.sides[1 - seat].deck)
    spectator = game.view(state, None)
    assert {held.card for side in spectator.sides for held in (*side.hand, *side.deck)} == {"?"}


@BOTH
def test_hidden_cards_in_a_view_cannot_be_played(edition: Edition) -> None:
    game = game_of(edition)
    match = Match(game, seed="ahead")
    view = match.view(0)
    game.apply(view, match.parse("end"), Table(Streams("a guess")))
    assert [str(action) for action in game.legal_actions(view, 1)] == ["end"]
    scene = Scene(edition)
    scene.state = view
    assert scene.refusal("play 1") == "That card is hidden."


@BOTH
def test_a_redealt_position_has_the_same_cards_in_other_places(edition: Edition) -> None:
    game = game_of(edition)
    state = Match(game, seed="dealt").state
    dealt = game.redeal(state, 0, Streams("anew")["cards"])
    assert dealt.sides[0].hand == state.sides[0].hand
    assert dealt != state
    for before, after in zip(state.sides, dealt.sides, strict=True):
        cards = [sorted(held.card for held in (*side.hand, *side.deck)) for side in (before, after)]
        assert cards[0] == cards[1]


def test_a_game_may_have_a_deck_of_its_own() -> None:
    match = Match(Sorcery(deck="Haste\nEnrage"), options=IN_ORDER)
    assert [held.card for held in match.state.sides[1].hand] == ["Haste", "Enrage"]


# Custom cards that fail.


@dataclass(frozen=True, slots=True)
class Picky(Modifier):
    """Fails when the rules ask whether a certain minion may attack."""

    def attack_obstacle(self, minion: str) -> str:
        if minion == "Potion Seller":
            raise LookupError("no idea")
        return ""


def test_an_action_after_which_a_custom_card_would_fail_is_undone() -> None:
    riddle = enchantment("Riddle", cost=0, text="asks").having(Picky())
    deck = "Air Elemental\nPotion Seller\nRiddle\nRiddle"
    game = Sorcery(SPRING_2024.with_cards([riddle]), deck=deck)
    match = Match(game, options={**IN_ORDER, "patience": 0})
    for line in ("play 1", "play 1", "end", "end", "play 1 1 1"):
        match.play(match.parse(line))
    before = match.digest()
    with pytest.raises(ContractError, match="no idea"):
        match.play(match.parse("play 1 1 2"))
    assert match.digest() == before
    assert match.legal_actions()


# Actions, combat and costs (Sorcery 2024 §2.2, §5.2.3; 2017 §2.2).


# Actions (§2.2).


def test_2024_a_minion_has_no_action_in_the_turn_in_which_it_enters() -> None:
    scene = Scene().hand(1, "Air Elemental").play("play 1")
    assert scene.refusal("attack 1") == "Air Elemental can act from your next turn."
    assert scene.play("end", "end", "attack 1").side(2).life == 19


def test_2017_a_minion_can_act_in_the_turn_in_which_it_enters_or_is_summoned() -> None:
    scene = Scene(SPRING_2017).hand(1, "Air Elemental").play("play 1", "attack 1")
    assert scene.side(2).life == 19
    scene = Scene(SPRING_2017).board(1, "Apprentice Summoner").play("use 1", "attack 2")
    assert scene.side(2).life == 19


@BOTH
def test_a_minion_acts_once_a_turn_however_long_it_waits(edition: Edition) -> None:
    scene = Scene(edition).board(1, "Novice Pyromancer").board(2, "Potion Seller")
    scene.play("use 1 2 1")
    reason = "Novice Pyromancer can act from your next turn."
    assert scene.refusal("attack 1") == scene.refusal("use 1 2 1") == reason
    scene.play("end", "end", "attack 1")
    assert scene.refusal("attack 1 1") == reason
    scene = Scene(edition).board(1, "Air Elemental").play("end", "end", "end", "end", "attack 1")
    assert scene.refusal("attack 1") == "Air Elemental can act from your next turn."


# Combat (§2.2).


@BOTH
def test_both_minions_strike_whatever_their_attack_even_if_they_die(edition: Edition) -> None:
    scene = Scene(edition).board(1, "Novice Pyromancer", "Novice Pyromancer")
    scene.board(2, "Potion Seller").play("attack 1", "attack 2 1")
    assert (scene.side(2).life, scene.minions(2)) == (20, ["Potion Seller 1/3"])
    assert scene.minions(1) == ["Novice Pyromancer 0/1"]
    scene = Scene(edition).board(1, "Fire Elemental").board(2, "Potion Seller").play("attack 1 1")
    assert (scene.minions(1), scene.minions(2)) == (["Fire Elemental 2/1"], ["Potion Seller 1/1"])
    scene = Scene(edition).board(1, "Fire Elemental").board(2, "Fire Elemental").play("attack 1 1")
    assert (scene.minions(1), scene.minions(2)) == ([], [])
    struck = [(event.seat, event.amount) for event in scene.told(MinionDamaged)]
    assert struck == [(1, 2), (0, 2)]


def test_both_blows_are_fixed_first_and_the_attackers_lands_first() -> None:
    # The defender gains attack as it dies, but its blow does not change.
    scene = Scene().board(1, "Earth Elemental").board(2, "Bone Golem", "Bone Golem")
    scene.play("attack 1 1")
    assert scene.minions(1) == ["Earth Elemental 4/3"]
    assert scene.minions(2) == ["Bone Golem 2/4"]
    # An attacking Bone Golem has gained from the death it caused when the defender strikes.
    scene = Scene().board(1, "Bone Golem 3/1").board(2, "Air Elemental").play("attack 1 1")
    assert scene.minions(1) == ["Bone Golem 4/1"]


def test_the_documents_example_of_values_kept_in_2024() -> None:
    scene = Scene().board(1, "Earth Elemental").board(2, "Air Elemental").play("attack 1 1")
    assert (scene.buried(2), scene.minions(1)) == (["Air Elemental 1/-3"], ["Earth Elemental 4/3"])


def test_the_documents_example_of_values_restored_in_2017() -> None:
    scene = Scene(SPRING_2017).board(1, "Earth Elemental").board(2, "Air Elemental")
    scene.deck(1).hand(2, "Unsummon").play("attack 1 1", "end", "play 1 1 1")
    assert scene.buried(2) == ["Air Elemental 1/1"]
    assert [(held.attack, held.defence) for held in scene.side(1).deck] == [(4, 4)]


# Testing mode (§5.2.3).


@BOTH
@pytest.mark.parametrize("line", ["play 1 2 1", "play 2", "play 3", "play 4 1 1", "use 1"])
def test_in_testing_mode_too_little_magic_pays_for_anything(edition: Edition, line: str) -> None:
    scene = Scene(edition, testing=True, magic=1).board(1, "Master Summoner")
    scene.hand(1, "Banish", "Earth Elemental", "Standstill", "Magic Fatigue", "Air Elemental")
    scene.board(2, "Air Elemental").enchant(1, 1, "Magic Fatigue")
    cost = 0 if line == "play 4 1 1" else 2
    assert scene.play(line).side(1).magic == (1 if cost == 0 else 0)


@BOTH
def test_in_testing_mode_an_affordable_cost_is_paid_in_full(edition: Edition) -> None:
    scene = Scene(edition, testing=True, magic=5).hand(1, "Blizzard").play("play 1")
    assert scene.side(1).magic == 2


@BOTH
@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("play 1", "Blizzard costs 3 magic, but you have 2."),
        ("use 1", "The ability of Master Summoner costs 4 magic, but you have 2."),
    ],
)
def test_outside_testing_mode_the_full_cost_must_be_paid(
    edition: Edition, line: str, reason: str
) -> None:
    scene = Scene(edition, magic=2).board(1, "Master Summoner").enchant(1, 1, "Magic Fatigue")
    assert scene.hand(1, "Blizzard").refusal(line) == reason


@BOTH
def test_draw_draws_a_card_in_testing_mode_if_there_is_a_card_and_room(edition: Edition) -> None:
    scene = Scene(edition, testing=True).deck(1, "Banish", "Blizzard").play("draw")
    assert (scene.held(1), len(scene.side(1).deck)) == (["Banish"], 1)
    scene = Scene(edition, testing=True)
    assert scene.refusal("draw") == "Your deck is empty."
    scene.deck(1, "Banish").hand(1, *["Blizzard"] * 5)
    assert scene.refusal("draw") == "Your hand is full."


@BOTH
def test_discard_removes_a_card_from_the_game_in_testing_mode(edition: Edition) -> None:
    scene = Scene(edition, testing=True).hand(1, "Banish", "Air Elemental", "Blizzard")
    scene.play("discard 2")
    assert (scene.held(1), scene.side(1).graveyard) == (["Banish", "Blizzard"], [])
    assert scene.refusal("discard 3") == "There is no card 3: you have only 2 cards."


@BOTH
@pytest.mark.parametrize("line", ["draw", "discard 1"])
def test_draw_and_discard_need_testing_mode(edition: Edition, line: str) -> None:
    scene = Scene(edition).hand(1, "Banish").deck(1, "Banish")
    expected = f"{line.removesuffix(' 1').capitalize()} is possible in testing mode only."
    assert scene.refusal(line) == expected


# The listed actions are exactly the legal ones.


PLACES = range(6)
PLAYERS = (None, -1, 0, 1, 2)
TARGETS = (None, RITUAL - 1, RITUAL, *PLACES)


def every_action() -> Iterator[Action]:
    """Yield every possible value of an action, and some impossible ones."""
    yield EndTurn()
    yield DrawCard()
    yield from map(Discard, (-1, *PLACES))
    yield from (Attack(*places) for places in product((-1, *PLACES), (None, -1, *PLACES)))
    yield from (Play(*parts) for parts in product((-1, *PLACES), PLAYERS, TARGETS))
    for place, which, player, target in product((-1, *PLACES), (-1, 0, 1, 2), PLAYERS, TARGETS):
        yield Use((place, which), player, target)


EVERY_ACTION = tuple(every_action())


@pytest.mark.slow
@settings(max_examples=6)
@given(matches())
def test_the_listed_actions_are_exactly_the_legal_ones(match: Match[SorceryState, Action]) -> None:
    for _ in range(8):
        match.run(4)
        if match.over:
            break
        listed = list(match.legal_actions())
        allowed = {action for action in EVERY_ACTION if is_allowed(match, action)}
        assert allowed == set(listed)
        assert len(allowed) == len(listed)


@pytest.mark.slow
@settings(max_examples=25)
@given(matches())
def test_the_text_of_a_legal_action_parses_to_the_action(
    match: Match[SorceryState, Action],
) -> None:
    for _ in range(8):
        match.run(4)
        for action in match.legal_actions():
            assert match.parse(str(action)) == action


@pytest.mark.slow
@settings(max_examples=25)
@given(matches(), st.lists(st.sampled_from(EVERY_ACTION), max_size=30))
def test_every_refusal_has_a_reason(
    match: Match[SorceryState, Action], actions: list[Action]
) -> None:
    match.run(20)
    before = match.digest()
    for action in actions:
        if not match.over and not is_allowed(match, action):
            with pytest.raises(IllegalAction) as caught:
                match.play(action)
            assert str(caught.value) == match.game.why_not(match.state, action)
            assert str(caught.value)
    assert match.digest() == before


def is_allowed(match: Match[SorceryState, Action], action: Action) -> bool:
    try:
        match.check(action)
    except IllegalAction:
        return False
    return True


@BOTH
def test_only_quitting_is_not_listed_and_a_turn_can_always_end(edition: Edition) -> None:
    scene = Scene(edition)
    scene.game.check(scene.state, QuitGame())
    assert QuitGame() not in scene.game.legal_actions(scene.state, 0)
    scene = Scene(edition)
    assert scene.game.legal_actions(scene.state, 0) == [EndTurn()]


# A refusal has a reason and changes nothing (ruling 1). Messages of cards are tested with them.


@BOTH
@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("play 3", "There is no card 3: you have only 2 cards."),
        ("play 2", "Your board is full."),
        ("play 1 1 1", "Blizzard takes no target."),
        ("attack 1 2", "There is no minion 2: your opponent has only 1 minion."),
        ("use 1", "Potion Seller has no activated ability."),
        ("use 1 1 1", "Potion Seller has no activated ability."),
    ],
)
def test_an_impossible_action_is_refused_with_a_reason(
    edition: Edition, line: str, reason: str
) -> None:
    scene = Scene(edition).board(1, *["Potion Seller"] * 5).board(2, "Potion Seller")
    assert scene.hand(1, "Blizzard", "Air Elemental").refusal(line) == reason


@BOTH
@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("play 1", "You have no cards."),
        ("attack 1", "You have no minions."),
        ("use 2", "You have no minions."),
    ],
)
def test_a_missing_card_or_minion_is_refused(edition: Edition, line: str, reason: str) -> None:
    assert Scene(edition).refusal(line) == reason


@BOTH
def test_an_attack_needs_an_existing_target(edition: Edition) -> None:
    scene = Scene(edition).board(1, "Air Elemental")
    assert scene.refusal("attack 1 1") == "Your opponent has no minions."


def test_a_target_is_a_player_and_a_card() -> None:
    scene = Scene().hand(1, "Banish").board(1, "Air Elemental")
    for half in (Play(0, 0, None), Play(0, None, 0), Play(0, 2, 0)):
        with pytest.raises(IllegalAction, match=r"\btarget .*\bplayer 1\b.*\bplayer 2\b"):
            scene.game.check(scene.state, half)
