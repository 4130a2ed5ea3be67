"""Turns, combat and the end of the game (Sorcery 2024 §1.2, §2.2; 2017 §1.2, §2.2)."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from tests.sorcery.scenes import BOTH, Scene

from sorcery import GAME, GAME_2017, SPRING_2024, Edition, Modifier, Sorcery, enchantment
from sorcery.decks import packaged_deck
from sorcery.events import MagicChanged, TurnEnded, TurnStarted
from tabletop import ContractError, Match, OptionError, Options, Outcome, Random, Streams, Table

IN_ORDER: Options = {"testing": True}
DEFAULT = packaged_deck().splitlines()


def game_of(edition: Edition) -> Sorcery:
    return Sorcery(edition)


# The start (§1.2).


@BOTH
def test_both_players_start_with_20_life(edition: Edition) -> None:
    assert [side.life for side in Match(game_of(edition)).state.sides] == [20, 20]


def test_2024_starts_with_5_cards_and_player_1_s_first_turn_is_like_any_other() -> None:
    first, second = Match(GAME, options=IN_ORDER).state.sides
    assert (first.magic, second.magic) == (4, 3)
    assert [held.card for held in first.hand] == DEFAULT[:5]
    assert [held.card for held in second.hand] == DEFAULT[:5]


def test_2017_starts_with_4_cards_and_player_1_gains_nothing_on_the_first_turn() -> None:
    match = Match(GAME_2017, options=IN_ORDER)
    first, second = match.state.sides
    assert (first.magic, second.magic) == (3, 3)
    assert [held.card for held in first.hand] == DEFAULT[:4]
    match.play(match.parse("end"))
    second = match.state.sides[1]
    assert (second.magic, [held.card for held in second.hand]) == (4, DEFAULT[:5])


def test_a_small_deck_makes_a_small_hand_and_a_draw_in_2024() -> None:
    options: Options = {"deck1": "\n".join(DEFAULT[:3]), **IN_ORDER}
    side = Match(GAME, options=options).state.sides[0]
    assert (len(side.hand), side.deck) == (3, [])


@BOTH
def test_an_empty_deck_is_no_reason_not_to_play(edition: Edition) -> None:
    options: Options = {"deck1": "", "deck2": "", "patience": 0}
    match = Match(game_of(edition), options=options)
    for _ in range(4):
        match.play(match.parse("end"))
    assert [side.hand for side in match.state.sides] == [[], []]


@BOTH
def test_decks_are_shuffled_each_by_a_stream_of_its_own(edition: Edition) -> None:
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
    assert "option deck2: line 3: 'Air Elemantal' is no card" in str(caught.value)
    assert "did you mean 'Air Elemental'?" in str(caught.value)


# Turns (§1.2).


@BOTH
def test_a_turn_brings_1_magic_and_a_card_and_then_what_starts_with_it(edition: Edition) -> None:
    scene = Scene(edition, magic=0).deck(2, "Banish", "Blizzard").ritual(2, "Dark Ritual")
    scene.play("end")
    assert (scene.side(2).magic, scene.held(2)) == (2, ["Banish"])
    assert scene.told(TurnEnded) == [TurnEnded(0)]
    assert scene.told(TurnStarted) == [TurnStarted(1)]
    assert [event.magic for event in scene.told(MagicChanged)] == [1, 2]


@BOTH
def test_nobody_draws_into_a_full_hand(edition: Edition) -> None:
    scene = Scene(edition).deck(2, "Banish").hand(2, *["Blizzard"] * 5).play("end")
    assert scene.held(2) == ["Blizzard"] * 5
    assert len(scene.side(2).deck) == 1


@BOTH
def test_the_other_player_gains_and_draws_nothing(edition: Edition) -> None:
    scene = Scene(edition, magic=0).deck(1, "Banish").play("end")
    assert (scene.side(1).magic, scene.held(1)) == (0, [])


# The end (§1.2, §5.1.3).


@BOTH
def test_whose_life_is_0_loses_at_once(edition: Edition) -> None:
    scene = Scene(edition, life=4).board(1, "Earth Elemental").play("attack 1")
    assert scene.game.outcome(scene.state) == Outcome.win(0, 2, "the other player has no life left")
    assert scene.game.to_act(scene.state) == ()


@BOTH
def test_quit_ends_the_game_without_a_winner(edition: Edition) -> None:
    match = Match(game_of(edition))
    match.play(match.parse("quit"))
    assert match.over
    assert match.outcome == Outcome.abandon(2, "quit")


@BOTH
def test_a_game_in_which_nothing_changes_is_drawn_by_patience(edition: Edition) -> None:
    options: Options = {"deck1": "", "deck2": "", "patience": 3}
    match = Match(game_of(edition), options=options, players=[Random("a"), Random("b")])
    outcome = match.run(100)
    assert outcome is not None
    assert outcome.is_draw
    assert match.ply == 3


@BOTH
def test_without_patience_only_life_ends_the_game(edition: Edition) -> None:
    options: Options = {"deck1": "", "deck2": "", "patience": 0}
    match = Match(game_of(edition), options=options, players=[Random("a"), Random("b")])
    assert match.run(300) is None


# What a seat may see.


@BOTH
def test_a_view_holds_neither_the_other_hand_nor_the_order_of_any_deck(edition: Edition) -> None:
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
def test_who_looks_ahead_in_a_view_finds_cards_that_nobody_can_play(edition: Edition) -> None:
    game = game_of(edition)
    match = Match(game, seed="ahead")
    view = match.view(0)
    game.apply(view, match.parse("end"), Table(Streams("a guess")))
    assert [str(action) for action in game.legal_actions(view, 1)] == ["end"]
    scene = Scene(edition)
    scene.state = view
    assert scene.refusal("play 1") == "That card is hidden."


@BOTH
def test_a_position_dealt_anew_has_the_same_cards_in_other_places(edition: Edition) -> None:
    game = game_of(edition)
    state = Match(game, seed="dealt").state
    dealt = game.redeal(state, 0, Streams("anew")["cards"])
    assert dealt.sides[0].hand == state.sides[0].hand
    assert dealt != state
    for before, after in zip(state.sides, dealt.sides, strict=True):
        cards = [sorted(held.card for held in (*side.hand, *side.deck)) for side in (before, after)]
        assert cards[0] == cards[1]


def test_a_game_is_named_after_its_edition_or_as_one_likes() -> None:
    assert (GAME.name, GAME_2017.name) == ("sorcery", "sorcery-2017")
    assert Sorcery(SPRING_2024, name="house").name == "house"


def test_a_game_may_come_with_a_deck_of_its_own() -> None:
    match = Match(Sorcery(deck="Haste\nEnrage"), options=IN_ORDER)
    assert [held.card for held in match.state.sides[1].hand] == ["Haste", "Enrage"]


# Cards of one's own that fail.


@dataclass(frozen=True, slots=True)
class Picky(Modifier):
    """Fails when it is asked whether a certain minion may attack."""

    def attack_obstacle(self, minion: str) -> str:
        if minion == "Potion Seller":
            raise LookupError("no idea")
        return ""


def test_an_action_after_which_a_card_of_one_s_own_would_fail_is_taken_back() -> None:
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
