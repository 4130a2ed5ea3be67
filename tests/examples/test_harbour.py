"""The rules of `examples/harbour.py`: claims, challenges, blocks, and their order."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest

from tabletop import Match, Streams
from tabletop.display import Scene, clickables
from tabletop.host import load_file
from tabletop.match import AnyMatch

harbour: Any = load_file(Path(__file__).parents[2] / "examples" / "harbour.py")


def sitting(*hands: str, coins: int = 2) -> AnyMatch:
    """A match in which these hands are held, and seat 0 is to act."""
    match = Match(harbour.GAME, seed=1, seats=len(hands))
    match.state.hands[:] = [hand.split() for hand in hands]
    match.state.coins[:] = [coins] * len(hands)
    return match


def play(match: AnyMatch, *lines: str) -> AnyMatch:
    for line in lines:
        match.play(match.parse(line))
    return match


def legal(match: AnyMatch) -> list[str]:
    return [str(action) for action in match.legal_actions()]


THREE = ("reeve knife", "guard guard", "smuggler knife")


def test_what_everybody_lets_pass_is_done_and_the_next_one_has_the_turn() -> None:
    match = play(sitting(*THREE), "tax", "pass", "pass")
    assert match.state.coins == [5, 2, 2]
    assert match.to_act == (1,)


def test_the_others_are_asked_one_after_the_other_in_the_order_of_seats() -> None:
    match = play(sitting(*THREE), "tax")
    assert match.to_act == (1,)
    assert play(match, "pass").to_act == (2,)


def test_who_doubts_the_truth_loses_a_card_and_the_deed_is_done() -> None:
    match = play(sitting(*THREE), "tax", "doubt")
    assert match.to_act == (1,)
    assert legal(match) == ["lose guard"]
    play(match, "lose guard")
    assert match.state.lost == [[], ["guard"], []]
    assert match.state.coins == [5, 2, 2]
    assert len(match.state.hands[0]) == 2


def test_who_is_doubted_with_reason_loses_a_card_and_the_turn() -> None:
    match = play(sitting("guard knife", *THREE[1:]), "tax", "doubt")
    assert legal(match) == ["lose guard", "lose knife"]
    play(match, "lose knife")
    assert match.state.coins == [2, 2, 2]
    assert match.to_act == (1,)


def test_a_blocked_robbery_takes_nothing() -> None:
    match = play(sitting(*THREE), "rob 2", "pass", "pass", "block guard", "pass", "pass")
    assert match.state.coins == [2, 2, 2]


def test_a_block_that_is_doubted_with_reason_does_not_stop_the_deed() -> None:
    match = play(sitting(*THREE), "rob 3", "pass", "pass", "block guard", "doubt", "lose knife")
    assert match.state.coins == [4, 2, 0]


def test_a_block_that_is_doubted_without_reason_stands() -> None:
    match = play(sitting(*THREE), "rob 2", "pass", "pass", "block guard", "pass", "doubt")
    play(match, legal(match)[0])
    assert match.state.coins == [2, 2, 2]
    assert match.state.lost[0]


def test_only_who_is_robbed_may_block_but_alms_are_blocked_by_anybody() -> None:
    assert play(sitting(*THREE), "rob 3", "pass", "pass").to_act == (2,)
    match = play(sitting(*THREE), "alms", "pass")
    assert match.to_act == (2,)
    play(match, "block reeve", "pass", "pass")
    assert match.state.coins == [2, 2, 2]


def test_a_stab_costs_three_coins_even_when_it_is_blocked() -> None:
    match = sitting(*THREE, coins=3)
    play(match, "stab 2", "pass", "pass", "block guard", "pass", "pass")
    assert match.state.coins == [0, 3, 3]
    assert match.state.lost == [[], [], []]


def test_who_wrongly_doubts_a_stab_may_lose_both_cards() -> None:
    match = play(sitting("knife reeve", *THREE[1:], coins=3), "stab 2", "doubt", "lose guard")
    play(match, "pass", "lose guard")
    assert match.state.hands[1] == []
    assert match.to_act == (2,)


@pytest.mark.parametrize(("coins", "raids"), [(6, False), (7, True)])
def test_a_raid_takes_seven_coins(coins: int, raids: bool) -> None:
    assert ("raid 2" in legal(sitting(*THREE, coins=coins))) == raids


def test_with_ten_coins_one_must_raid() -> None:
    assert legal(sitting(*THREE, coins=10)) == ["raid 2", "raid 3"]


def test_the_last_one_with_a_card_wins() -> None:
    match = play(sitting("knife", "guard", coins=7), "raid 2", "lose guard")
    assert match.outcome is not None
    assert match.outcome.winners == (0,)


def test_hands_of_others_are_dealt_anew_with_the_deck() -> None:
    match = sitting(*THREE)
    rng = Streams("dealt anew")["redeal"]
    deals = [harbour.GAME.redeal(match.state, 0, rng).hands for _ in range(20)]
    assert {tuple(hands[0]) for hands in deals} == {("reeve", "knife")}
    assert len({tuple(hands[1]) for hands in deals}) > 5


def test_the_log_says_who_does_what_to_whom() -> None:
    match, lines, names = sitting(*THREE, coins=3), [], ["Ann", "Bo", "Cid"]
    match.observe(lambda event: lines.append(harbour.HarbourText().event(event, names, 0)))
    play(match, "stab 2", "pass", "doubt", "lose smuggler")
    assert lines[0] == "Ann claims to be the knife to stab Bo."
    assert "Cid challenges Ann, who shows the knife." in lines
    assert "Cid loses the smuggler." in lines


def test_a_challenge_is_asked_for_in_words() -> None:
    match, names = play(sitting(*THREE), "tax"), ["Ann", "Bo", "Cid"]
    question = harbour.HarbourText().asked(match.state, 1, names)
    assert question == "Ann claims to be the reeve. Challenge?"
    picture = harbour.HarbourPicture()
    labels = [picture.label(it, match.state, names, 1) for it in match.legal_actions()]
    assert labels == ["Pass", "Challenge"]


def test_buttons_and_cards_have_rules_texts() -> None:
    match, picture = sitting(*THREE), harbour.HarbourPicture()
    choices = clickables(picture, match.view(0), match.legal_actions(), match.names, 0)
    root = ET.fromstring(picture.draw(match.view(0), Scene(match.names, 0, (0,), choices)))
    about = {it.get("data-part"): it.get("data-about") for it in root.iter()}
    assert "3 coins" in (about["do tax"] or "")
    assert about["reeve"]


@pytest.mark.parametrize("narrow", [False, True])
def test_the_table_has_the_same_height_before_during_and_after_a_turn(narrow: bool) -> None:
    picture, heights = harbour.HarbourPicture(), set()
    match = sitting(*THREE)
    for line in ("", "tax", "pass", "pass"):
        play(match, *line.split())
        view, acts = match.view(0), match.to_act == (0,)
        choices = clickables(picture, view, match.legal_actions(0) if acts else [], match.names, 0)
        scene = Scene(match.names, 0, match.to_act, choices, narrow=narrow)
        heights.add(ET.fromstring(picture.draw(view, scene)).get("height"))
    assert heights == {"580" if narrow else "560"}


def test_lost_cards_are_titled_with_the_name_of_their_player() -> None:
    match = play(sitting(*THREE, coins=3), "stab 2", "pass", "doubt", "lose smuggler")
    names = ["Ann", "Bo", "Cid"]
    assert "Cid's lost cards: Smuggler" in harbour.HarbourText().position(match.view(0), names, 0)


def test_the_button_of_an_aimed_action_asks_for_its_target() -> None:
    match, picture = sitting(*THREE, coins=3), harbour.HarbourPicture()
    choices = clickables(picture, match.view(0), match.legal_actions(), match.names, 0)
    scene = Scene(match.names, 0, (0,), choices, live=True)
    root = ET.fromstring(picture.draw(match.view(0), scene))
    then = {it.get("data-part"): it.get("data-then") for it in root.iter()}
    assert then["do rob"] == "Rob whom?"
    assert then["do tax"] is None
