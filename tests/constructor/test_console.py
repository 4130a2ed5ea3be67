"""The terminal interface of Constructor in `tabletop play constructor`."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest
from tests.constructor.people import RICH_BOTS, Person, no_to_all, typing
from tests.constructor.programs import LAST_LINE, LAYOUT, RICH, SETUP

from constructor import BuildResidence, BuildRoad, Constructor, Decline, Improve, PlaceGeese, Settle
from constructor.program.help_texts import meaning
from constructor.program.piped import ConstructorDialogue
from tabletop import Match, Options
from tabletop.match import AnyMatch
from tabletop.registry import load
from tabletop.table import Players
from tabletop.terminal import Console, LocalConnection, LocalTable

pytestmark = pytest.mark.usefixtures("folder")

HUMAN = "human"


def sit_down(
    console: Console,
    *,
    saved: str | None = RICH,
    bots: Mapping[int, str] | None = None,
    names: Sequence[str] | int = 4,
    variant: str = "standard",
) -> AnyMatch:
    """Play a match with the game's UI until input ends."""
    plugin = load("constructor")
    options: Options = {"variant": variant, "fair": False}
    if saved is not None:
        options = {"load": saved, "fair": bool(bots)}
    match: AnyMatch = Match(plugin.game, seed="a walk", seats=names, options=options)
    players = [(bots or {}).get(seat, HUMAN) for seat in range(4)]
    with LocalTable(match, plugin, players, console) as table:
        LocalConnection(table, console).run()
    return match


def at_terminal(*lines: str, saved: str | None = RICH, variant: str = "standard") -> list[str]:
    """Return the output before the first line and after each line, at a terminal."""
    person = typing(*lines)
    sit_down(person, saved=saved, variant=variant)
    shown = person.shown.getvalue()
    answers = []
    for line in lines:
        before, _, shown = shown.partition(f"> {line}\n")
        answers.append(before)
    return [*answers, shown.partition("> ^D")[0]]


def piped(*lines: str, saved: str | None = RICH) -> str:
    """Return the whole output for piped lines."""
    out = io.StringIO()
    sit_down(Console(io.StringIO("".join(f"{line}\n" for line in lines)), out), saved=saved)
    return out.getvalue()


# Commands that show the game.


@pytest.mark.parametrize("show", [piped, lambda *lines: "".join(at_terminal(*lines))])
def test_commands_of_the_course_work_at_every_table(show: Callable[..., str], folder: Path) -> None:
    shown = show("status", "residences", "board", "log", "save my game.sv")
    assert "Blue has 2 building points, 5 brick" in shown
    assert "Blue has built:\n0 B\n20 B\n" in shown
    assert shown.count(LAST_LINE) == 2
    assert "Nobody else has done anything yet.\n" in shown
    assert "Saved in 'my game.sv'.\n" in shown
    assert (folder / "my game.sv").read_text() == RICH


def test_piped_input_behaves_as_at_every_table() -> None:
    shown = piped("roll", "12", "zzz")
    assert shown.count(LAST_LINE) == 3  # the position is shown for every action
    assert "unknown command 'zzz'" in shown


def test_bot_takes_over_after_resigning() -> None:
    person = typing("resign random", "seed", "resign nobody")
    match = sit_down(person)
    shown = person.shown.getvalue()
    assert "Blue is now played by the Random bot.\n" in shown
    assert "nobody" in shown.rpartition("> resign nobody\n")[2]
    assert match.ply > 0


# At a terminal.


def test_command_with_wrong_arguments_shows_its_usage() -> None:
    _, shown, other, *_ = at_terminal("roll 7", "roll", "12")
    assert "Invalid command.\nUsage: roll\n" in shown + other


def test_board_is_shown_once_per_turn() -> None:
    shown = at_terminal("roll", "12", "build-road 0", "next")
    assert [text.count(LAST_LINE) for text in shown] == [1, 0, 0, 0, 1]
    assert shown[3] == "Blue builds a road on edge 0.\nBlue"
    assert "Builder Red's turn.\n" in shown[4]


def test_board_is_redrawn_during_the_setup() -> None:
    first, second = at_terminal("0", saved=None)
    assert first.count(LAST_LINE) == 1
    assert second.startswith("Blue builds a basement on vertex 0.\n")
    assert "|BB|-- 0--| 1|" in second


def test_undo_restores_the_position_and_removes_log_lines() -> None:
    shown = at_terminal("roll", "12", "build-road 0", "next", "undo 2", "redo", "log")
    taken_back, played_again = shown[5:7]
    assert taken_back.startswith("2 actions undone\n")
    assert "|BB|-- 0--| 1|" in taken_back
    assert taken_back.endswith("5 heat, and 5 WiFi.\nBlue")
    assert "Blue builds a road on edge 0." in played_again
    assert "next" not in shown[7]
    assert "Nobody else has done anything yet." in shown[7]


def test_log_still_contains_the_setup_after_undoing_turns() -> None:
    shown = at_terminal(*SETUP.split(), "roll", "3", "next", "undo", "log", saved=None)
    assert "Red builds a basement on vertex 5.\n" in shown[-1]
    assert "Red's turn" not in shown[-1]


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("nxt", "Invalid command.\n`next`: only during a turn, after the roll.\n"),
        ("rol", "Invalid command.\nDid you mean `roll`?\n"),
        ("und", "Invalid command.\nDid you mean `undo`?\n"),
        ("zzz", "Invalid command.\n"),
        ("77", "there is no action 77 (actions are numbered from 1 to 3).\n"),
    ],
)
def test_unknown_input_gets_a_suggestion(line: str, answer: str) -> None:
    assert at_terminal(line)[1] == f"{answer}Blue"


def test_help_fits_a_screen_with_current_commands_next_to_the_prompt(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("LINES", "24")
    told = at_terminal("roll", "help", "3", "help")
    assert told[2].rpartition("\n\n")[2].startswith("Now:\n<roll>  The total of your loaded dice")
    now = told[4].rpartition("\n\n")[2]
    assert now.startswith("Now:\nbuild-road <edge#> ")
    assert "\nnext " in now
    for shown in (told[2], told[4]):
        assert shown.count("\n") < 24
        assert "`help all` explains these words." in shown


def test_named_players_are_shown_with_their_names() -> None:
    person = typing()
    sit_down(person, names=["Ada", "Player 2", "Bo", "Player 4"])
    assert "\nAda (Blue), Bo (Orange)\n" in person.shown.getvalue()
    assert "Ada (Blue)> " in person.shown.getvalue()


def test_builders_have_their_colours_at_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert "|\x1b[1;94mBB\x1b[0m|" in at_terminal()[0]
    monkeypatch.setenv("NO_COLOR", "1")
    assert "|BB|" in at_terminal()[0]
    assert "\x1b" not in piped("board")


def test_views_and_help_work_at_every_question() -> None:
    asked = ["board", "status", "residences", "log", "help"]
    questions = {
        "roll": "<roll>",
        "7": "<tile#>",
        "2": "<colour>",
        "red": "build-road <edge#>",
    }
    shown = at_terminal(*(word for line in questions for word in (line, *asked)))
    for number, answer in enumerate(questions.values()):
        board, status, built, log, told = shown[6 * number + 2 : 6 * number + 7]
        assert LAST_LINE in board
        assert "Yellow has 2 building points" in status
        assert "Blue has built:\n0 B\n20 B" in built
        assert "Nobody else has done anything yet." in log
        assert f"\n{answer} " in told.partition("\nNow:")[2]
        assert told.count("\n") <= 58, "it fits a screen of 60 lines"


def test_recipient_of_an_offer_sees_own_residences_and_no_to_all() -> None:
    asked = ["residences", "help", "perhaps", "no to al", "no"]
    *_, built, told, both, meant, declined = at_terminal(
        "roll", "12", "trade red wifi brick", *asked
    )
    assert "Red has built:\n5 B\n36 B" in built
    assert "no to all" in told
    assert "possible: yes, no, no to all." in " ".join(both.split())
    assert "Did you mean `no to all`?" in meant
    assert declined == "Red declines.\nBlue"


def test_changed_tiles_are_announced_and_listed_below_the_board() -> None:
    shown = at_terminal(*SETUP.split(), "roll", "3", "next", saved=None, variant="scarce")
    assert shown[-2] == "Builder Blue gained:\n1 BRICK\nTile 0 produces BRICK, 19 left.\nBlue"
    assert f"{LAST_LINE}\nTile 0 produces BRICK, 19 left.\nBuilder Red's turn.\n" in shown[-1]


# Bots.

BOTS = {1: "builder", 2: "random", 3: "builder"}


def test_no_to_all_declines_further_offers_only_in_the_same_turn() -> None:
    asked: list[str] = []

    person = Person(no_to_all(asked))
    match = sit_down(person, saved=RICH_BOTS, bots=dict.fromkeys((1, 2, 3), "random"))
    assert len(asked) > 1
    assert len(set(asked)) == len(asked), "each bot is heard once"
    said = person.shown.getvalue().count("Blue declines all offers in this turn.\n")
    assert said == len(asked)
    assert match.actions.count(Decline()) > len(asked), "others were declined by themselves"


def test_no_to_all_without_an_offer_is_refused() -> None:
    assert at_terminal("no to all")[1] == "there is no offer for you to decline\nBlue"


# Hints.


def test_hints_show_tiles_and_costs() -> None:
    game = Constructor()
    state = Match(game, seed="oak", options={"layout": LAYOUT}).state
    assert meaning(Settle(0), state) == "BRICK 3"
    assert meaning(Settle(8), state) == "BRICK 3, ENERGY 10, PARK"
    assert meaning(PlaceGeese(4), state) == "PARK"
    assert meaning(BuildRoad(3), state) == "1 HEAT, 1 WIFI"
    assert meaning(BuildResidence(0), state).startswith("BRICK 3; costs 1 BRICK")
    state.levels[3] = 1
    assert meaning(Improve(3), state) == "2 GLASS, 3 HEAT"
    assert "`no to all`" in meaning(Decline(), state)


@pytest.mark.parametrize(("player", "who"), [("human", "A person"), ("random", "The bot random")])
def test_piped_output_names_the_new_player_of_a_seat(player: str, who: str) -> None:
    out = io.StringIO()
    plugin = load("constructor")
    match: AnyMatch = Match(plugin.game, seed="oak", seats=4)
    dialogue = ConstructorDialogue(
        Players(match, plugin, [HUMAN] * 4),
        Console(io.StringIO(), out),
        best_bot="builder",
        pause=lambda: None,
        leave=lambda: None,
    )
    dialogue.seated(1, player)
    assert out.getvalue() == f"{who} plays on for Red.\n"
