"""Sorcery in `tabletop play`: queries, and the display at a terminal."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from tests.sorcery.own import CARDS as OWN_CARDS
from tests.sorcery.scenes import Scene
from tests.streams import Terminal

from sorcery import (
    EVENT_MINION,
    GAME,
    SPRING_2024,
    Action,
    Damage,
    Sorcery,
    SorceryState,
    Summon,
    Trigger,
    When,
    minion,
    plugin_with,
)
from sorcery.program.console import PAUSE, SUMMED_UP, SorceryConsole
from tabletop import Match, Stream
from tabletop.records import HUMAN
from tabletop.registry import load
from tabletop.terminal import Console, LocalConnection, LocalTable
from tabletop.wording import width_of

SMALL, LARGE = (80, 24), (180, 70)


class Eager:
    """A bot that plays the first action, which is a card if it has one."""

    def __init__(self, chance: Stream) -> None:
        """Ignore the random stream."""

    def choose(self, view: SorceryState, actions: Sequence[Action]) -> Action:
        return actions[0]


def crowded() -> SorceryState:
    """Return the fullest position: full boards, rituals and hands."""
    scene = Scene()
    for player in (1, 2):
        scene.board(player, *["Novice Pyromancer"] * 5).ritual(player, "Standstill")
        scene.hand(player, *["Banish"] * 5)
    return scene.state


def played(
    *lines: str,
    size: tuple[int, int] | None = SMALL,
    players: Sequence[str] = (HUMAN, HUMAN),
    game: Sorcery = GAME,
    state: SorceryState | None = None,
    **options: str | bool,
) -> str:
    """Return the output for these lines, at a terminal of a given size or for piped input."""
    plugin = plugin_with(game)
    plugin = replace(plugin, bots={**plugin.bots, "eager": Eager})
    seats, chosen = ["Ada", "Bo"], {"testing": True, **options}
    match = Match(game, seed="x", seats=seats, options=chosen, state=state)
    kind = io.StringIO if size is None else Terminal
    out, typed = kind(), kind("".join(f"{line}\n" for line in lines))
    with pytest.MonkeyPatch.context() as patch:
        columns, rows = size or SMALL
        patch.setenv("COLUMNS", str(columns))
        patch.setenv("LINES", str(rows))
        patch.setenv("TERM", "dumb")
        console = Console(typed, out)
        LocalConnection(LocalTable(match, plugin, players, console), console).run()
    return out.getvalue()


def test_both_editions_use_these_texts() -> None:
    for name in ("sorcery", "sorcery-2017"):
        assert isinstance(load(name).make_console(), SorceryConsole)


# Queries, at a terminal or in piped input.


def test_hand_and_board_can_be_shown() -> None:
    shown = played("hand", "board", "help", size=None)
    assert shown.count("| Air Elemental           |   0 |") == 2
    assert shown.count("-" * 167) == 4
    assert "Look at a minion and its enchantments, or at a ritual (r), of either player." in shown


def test_help_fits_the_screen_and_ends_with_the_current_commands() -> None:
    told = played("help", testing=False).rpartition("Ada> At every")[2].rpartition("\nAda>")[0]
    others, also, now = told.split("\n\n")
    assert "hand, board, log, inspect" in others
    assert "attack MINION" in also
    assert "use MINION" in also
    assert now.startswith("Now:\nend ")
    assert "\nplay CARD" in now
    assert now.endswith("or r for the ritual.")
    assert told.count("\n") < 24
    assert "undo [ACTIONS]" not in told
    assert "undo [ACTIONS]" in played("help all")


def test_help_mentions_second_abilities_only_if_a_minion_has_one() -> None:
    scene = Scene(cards=OWN_CARDS).board(2, "Twin Mage")
    shown = played("help", state=scene.state, game=Sorcery(scene.edition))
    assert "is used as 1.2" in " ".join(shown.split())
    assert "1.2" not in played("help")


def test_help_lists_testing_commands_only_in_testing_mode() -> None:
    for size in (SMALL, None):
        assert "discard CARD" in played("help", size=size)
        assert "discard CARD" not in played("help", size=size, testing=False)


@pytest.mark.parametrize("width", [40, 80, 120])
def test_help_fits_the_width_of_the_terminal(width: int) -> None:
    told = played("help all", size=(width, 60)).rpartition("Ada> At every")[2]
    assert max(map(width_of, told.splitlines())) <= width


# At a terminal.


def test_a_small_terminal_gets_a_compact_board_once_per_turn() -> None:
    shown = played()
    assert "A compact board is shown instead.\n" in shown
    assert "-style" not in shown
    assert "> Ada (1): life 20, magic 4, hand 5, deck 14, graveyard 0\n" in shown
    line = "> Ada (1): "
    assert played("play 1", "play 1").count(line) == 1
    assert played("play 1", "play 1", "undo").count(line) == 2


def test_actions_are_listed_with_the_names_of_cards() -> None:
    assert "\ndiscard 5  Novice Pyromancer (1)\nend\n" in played("actions")
    shown = played(size=LARGE)
    assert "\nplay 1  Air Elemental (0)\nplay 2  Earth Elemental (3)\n" in shown
    assert "\ntype `actions` for all 11\n" in shown


def test_a_number_alone_plays_nothing_because_it_is_ambiguous() -> None:
    shown = played("actions", "1", size=LARGE)
    assert "No action on the screen has the number 1: type its text, or `actions`" in shown
    assert "Ada plays" not in shown


def test_on_a_small_terminal_cards_in_hand_are_not_listed_again() -> None:
    shown = played(state=Scene().hand(1, "Haste", "Enrage").board(1, "Bone Golem").state)
    turn = shown[shown.index("> Ada (1)") : shown.index("Ada> ")]
    assert (turn.count("Haste"), turn.count("Enrage")) == (1, 1)
    assert turn.count("magic 20") == 2  # one for each player
    listed = turn[turn.index("attack 1") :]
    assert listed == "attack 1  Bone Golem\nend\ntype `actions` for all 4\n"


def test_cards_that_cannot_be_played_are_not_offered() -> None:
    shown = played("hand", state=Scene(magic=2).hand(1, "Recharge", "Enrage", "Bone Golem").state)
    for hand in (shown, shown[shown.index("Ada> ") :]):
        assert "     1  Recharge (1)" in hand
        assert "\n     2  Enrage (2)" in hand
        assert "\nplay 3  Bone Golem (2)" in hand


def test_a_turn_fits_a_small_terminal_with_the_hand_and_the_actions() -> None:
    shown = played(state=crowded())
    turn = shown[shown.index("> Ada (1)") :].split("Ada> ")[0]
    assert len(turn.splitlines()) + 1 <= 24  # and the prompt
    assert "\nplay 5  Banish (2)" in turn
    assert "\ntype `actions` for all " in turn


def test_a_hand_is_wiped_before_the_other_player_takes_over() -> None:
    before, after = played("end", "", "quit").split("\x1b[2J")
    assert "Ada's turn.\n" in before
    assert "Bo, it is your turn: press Enter. " in after
    assert "Ada ends the turn.\n" in after


def test_the_last_board_is_shown_except_to_a_player_who_has_quit() -> None:
    assert played("quit").count("Bo (2): ") == 1
    assert played(players=("random", "duelist")).count("Bo (2): ") == 1


# Aborted actions.


FURNACE = minion("Furnace", cost=0, attack=1, defence=9).having(
    Trigger(When.ENTERS, Damage(EVENT_MINION, 1), "Burn")
)
MOTHER = minion("Mother", cost=0, attack=1, defence=9).having(
    Trigger(When.ENTERS, Summon("Air Elemental"), "Bear")
)
FEEDING = Sorcery(SPRING_2024.with_cards([FURNACE, MOTHER]))
BOTH: dict[str, Any] = {"deck1": "Furnace\nMother\n", "deck2": "Furnace\nMother\n"}
"""Two cards that set each other off without end."""


def test_endless_triggers_are_reported_and_the_match_continues() -> None:
    lines = ("play 1", "play 1", "inspect 2", "end", "seed")
    shown = played(*lines, size=None, game=FEEDING, **BOTH)
    assert "endlessly" in shown
    assert ". Nothing has changed.\n" in shown
    assert "you have only 1 minion" in shown
    assert "Ada ends the turn.\n" in shown


def test_a_bot_that_sets_off_endless_triggers_ends_its_turn() -> None:
    players = (HUMAN, "eager")
    shown = played("end", size=None, game=FEEDING, players=players, **BOTH)
    after = shown.split("endlessly", 1)[1].split("\n")
    assert after[1] == "Bo ends the turn."


# Turns of bots.

AGAINST_BOT = (HUMAN, "eager")


@pytest.fixture
def waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Return the pauses in seconds for people to read."""
    waited: list[float] = []
    monkeypatch.setattr(Console, "wait", lambda console, seconds: waited.append(seconds))
    return waited


def test_the_turn_of_a_bot_is_summed_up_above_the_next_board(waits: list[float]) -> None:
    shown = played("end", "end", "quit", players=AGAINST_BOT, testing=False)
    assert "Bo's turn." not in shown
    assert shown.count("> Ada (1): ") == 3  # no board is drawn for Bo
    first_round = shown.split("Ada> ")[1].split("\n")
    assert len(first_round) <= SMALL[1]
    place = next(number for number, row in enumerate(first_round) if row.startswith("Bo plays"))
    assert first_round[:place] == ["Ada ends the turn."]
    assert "Bo ends the turn." in " ".join(first_round[place : place + SUMMED_UP])
    assert not [row for row in first_round if row.startswith(("Bo has", "Bo draws", "Ada has"))]
    assert waits == [PAUSE, PAUSE]


def test_a_long_turn_is_summed_up_in_few_lines_and_log_shows_all(waits: list[float]) -> None:
    scene = Scene().board(1, *["Air Elemental"] * 5).board(2, *["Air Elemental"] * 5)
    scene.hand(2, "Blizzard")
    shown = played("end", "log", "quit", players=(HUMAN, "eager"), state=scene.state)
    _, summed_up, log, _ = shown.split("Ada> ")
    rows = summed_up.split("\n")
    assert rows.index("... (type `log` for the rest)") == SUMMED_UP
    assert len([line for line in log.split("\n") if "dies" in line]) == 10


def test_log_shows_the_opponents_last_turn_without_undone_actions(
    waits: list[float],
) -> None:
    shown = played("log", "end", "log", "undo", "log", "quit", players=AGAINST_BOT)
    parts = shown.split("Ada> ")
    assert "Your opponent has done nothing yet.\n" in parts[1]
    assert "Bo has 4 magic.\n" in parts[3]
    assert "Bo ends the turn.\n" in parts[3]
    assert "Your opponent has done nothing yet.\n" in parts[5]


def test_piped_output_reports_the_turn_of_a_bot_event_by_event(waits: list[float]) -> None:
    shown = played("end", "log", size=None, players=AGAINST_BOT)
    assert "Bo has 4 magic.\n" in shown
    assert shown.count("Bo ends the turn.\n") == 2  # and once by `log`
    assert waits == []


def test_a_winning_bot_is_summed_up_before_the_last_board(waits: list[float]) -> None:
    scene = Scene(life=1).board(2, "Earth Elemental")
    shown = played("end", players=(HUMAN, "duelist"), state=scene.state)
    end = shown.split("Ada> ")[1]
    assert end.index("Bo's Earth Elemental attacks Ada.") < end.index("Bo (2): life")
    assert "Bo wins: Ada has no life left." in end
