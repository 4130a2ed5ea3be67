"""The board of a small terminal, as the files show it that people can read."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.sorcery.own import matches
from tests.sorcery.programs import DATA, run_here
from tests.sorcery.scenes import Scene
from tests.sorcery.tables import NAMES, empty, full, longest

from sorcery import (
    CannotAttack,
    Minion,
    Sorcery,
    SorceryState,
    minion,
)
from sorcery.actions import Action
from sorcery.colours import unpainted
from sorcery.small_board import HEIGHT, WIDTH, SmallBoard, can_act
from sorcery.text_board import EMPTY_HAND
from tabletop import Match
from tabletop.wording import width_of

SCENES = {
    "empty": (empty, NAMES),
    "full": (full, NAMES),
    "longest": (longest, ("Bartholomew Featherstonehaugh", "漢字かな混じりの名前は長い")),
}


def screen(scene: Scene, names: tuple[str, str]) -> str:
    """What a person sees at the start of a turn, but for the prompt."""
    look, side = SmallBoard(scene.edition.cards), scene.side(1)
    hand = look.brief_hand(side)
    below = 1 + len(hand.splitlines())
    turn = f"{names[0]}'s turn. Life: {side.life}, magic: {side.magic}."
    return f"{look.board(scene.state, names, below=below)}\n{turn}\n{hand}\n"


@pytest.mark.parametrize("which", SCENES)
def test_a_turn_begins_as_its_picture_shows(which: str) -> None:
    scene, names = SCENES[which]
    shown = screen(scene(), names)
    assert shown == (DATA / f"compact_{which}.txt").read_text("utf-8")
    assert len(shown.splitlines()) < HEIGHT
    assert max(map(width_of, shown.splitlines())) <= WIDTH


def test_a_board_that_has_all_the_rows_says_more() -> None:
    look = SmallBoard(full().edition.cards)
    board = look.board(full().state, NAMES)
    cut = [line for line in board.splitlines() if line.endswith("...")]
    assert [line.split("  ")[1] for line in cut] == ["r Aura of Power"]  # the last to have more
    assert screen(full(), NAMES).count("...") > 1
    assert len(board.splitlines()) < HEIGHT


def test_inspecting_and_a_hand_tell_everything_that_cards_say() -> None:
    scene = full()
    look, side = SmallBoard(scene.edition.cards), scene.side(1)
    assert side.ritual is not None
    told = (look.inspection(side.minions[0]), look.ritual(side.ritual), look.hand(side))
    assert "\n\n".join(told) + "\n" == (DATA / "compact_cards.txt").read_text("utf-8")
    assert look.hand(scene.side(2)).startswith("play 1  Recharge (1)  Spell; ")
    scene.side(2).hand.clear()
    assert look.hand(scene.side(2)) == look.brief_hand(scene.side(2)) == EMPTY_HAND


@pytest.mark.parametrize(
    ("actions", "said"),
    [(0, "can act from your next turn"), (1, "1 action"), (2, "2 actions")],
)
def test_a_minion_of_the_active_player_says_when_it_can_act(actions: int, said: str) -> None:
    assert can_act(Minion("Air Elemental", 1, 1, 1, 1, actions)) == said


def test_what_a_minion_says_of_its_modifiers_stands_in_hand_and_once_on_the_board() -> None:
    wall = minion("Wall", cost=0, attack=1, defence=5, text="Cannot attack").having(CannotAttack())
    scene = Scene(cards=[wall]).hand(1, "Wall").board(1, "Wall")
    look = SmallBoard(scene.edition.cards)
    assert look.hand(scene.side(1)) == "play 1  Wall (0)  Minion; 1/5; Cannot attack"
    assert "1 Wall 1/5  1 action; cannot attack\n" in look.board(scene.state, NAMES)


def test_a_game_that_is_over_says_nothing_of_actions() -> None:
    scene = Scene(life=1).board(1, "Air Elemental").board(2, "Air Elemental").play("attack 1")
    board = SmallBoard(scene.edition.cards).board(scene.state, NAMES)
    assert "act" not in board
    assert ">" not in board


@settings(max_examples=30, deadline=None)
@given(matches(), st.integers(0, 120), st.integers(1, 200), st.integers(1, 70))
def test_whatever_lies_there_fits_the_screen_and_colours_change_no_letter(
    match: Match[SorceryState, Action], plies: int, width: int, height: int
) -> None:
    match.run(plies)
    game, state = match.game, match.state
    assert isinstance(game, Sorcery)
    look = SmallBoard(game.edition.cards, width, height)
    side = state.sides[state.turn]
    below = 1 + max(1, len(side.hand))
    rows = f"{look.board(state, NAMES, below=below)}\n{look.brief_hand(side)}".splitlines()
    assert len(rows) + 2 <= max(height, HEIGHT)
    assert max(map(width_of, rows)) <= max(width, 40)
    for line in range(1, 3):
        named = {one.card[:23] for one in state.sides[line - 1].minions}
        assert all(any(name in row for row in rows) for name in named) or width < 40
    painted = look._replace(coloured=True)
    assert unpainted(painted.board(state, NAMES)) == look.board(state, NAMES)
    assert unpainted(painted.hand(side)) == look.hand(side)


def test_the_option_draws_it_where_nobody_looks_too() -> None:
    shown = run_here(["-testing", "-seed=x", "-style=compact"], "board\nhand\nquit\n").stdout
    assert max(map(len, shown.splitlines())) <= WIDTH
    assert shown.count("> Sean (1): life 20, magic 4, hand 5, deck 14, graveyard 0\n") == 2
    assert shown.count("play 1  Air Elemental (0)  Minion; 1/1\n") == 1
