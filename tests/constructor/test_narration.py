"""What a person at a terminal sees of bots, and says to them."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from tests.constructor.people import OFFER, RICH_BOTS, Person, no_to_all, passive
from tests.constructor.programs import LAST_LINE, LAYOUT

from constructor import COLOURS
from constructor.beginning import Start
from constructor.program import Program
from tabletop import Options
from tabletop.records.reading import read
from tabletop.registry import load
from tabletop.terminal.console import Console

pytestmark = pytest.mark.usefixtures("folder")


def sit_down(person: Person, bots: dict[int, str], pauses: list[float] | None = None) -> str:
    """Play; all that was shown."""
    options: Options = {"load": RICH_BOTS, "fair": True}
    start = Start("a walk", options, bots, record=lambda game: Path(f"{game}.jsonl"))
    wait = (pauses if pauses is not None else []).append
    Program(load("constructor:GAME"), start, person, wait=wait).run()
    return person.shown.getvalue()


BOTS = {1: "builder", 2: "random", 3: "builder"}


def test_a_whole_game_against_bots_tells_their_turns_in_a_few_lines() -> None:
    pauses: list[float] = []
    shown = sit_down(Person(passive), BOTS, pauses)
    assert " wins with 10 building points!\nPlay it again: tabletop play " in shown
    assert shown.endswith("\nWould you like to play again?\n> no\n")
    rounds = shown.split("Blue> next\n")[1:-1]
    assert len(rounds) > 3
    for round_ in rounds:
        bots, mine, _ = round_.partition("Builder Blue's turn.\n")
        below = bots.partition(LAST_LINE)[2]
        told = [line for line in below.splitlines() if line.startswith(COLOURS)]
        assert len(told) <= 3 * 6, told
        assert bots.count(LAST_LINE) == 1, "the board is drawn for Blue alone"
        assert mine
    entries = read(Path("1.jsonl")).entries
    assert len(pauses) == sum(entry.do == "next" and entry.seat in BOTS for entry in entries)
    assert set(pauses) == {1.0}
    assert max(map(len, shown.partition("Play it again: ")[0].splitlines())) <= 80


def test_at_a_small_terminal_board_summary_and_prompt_stand_on_one_screen(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("LINES", "24")
    rounds = sit_down(Person(passive), BOTS).split("Blue> next\n")[1:-1]
    assert len(rounds) > 3
    for round_ in rounds:
        *_, below = round_.partition("Blue> roll\n")[0].split("is the edge down from it.\n")
        told, mine, _ = below.partition("Builder Blue's turn.\n")
        assert mine
        assert "Yellow rolls " in told, "what bots have done stands below the board"
        assert ("Red rolls " in told) != ("`log` tells what was before" in told)
        assert 12 + below.count("\n") + 1 <= 24, "with the board it fills no more than the screen"


def test_an_offer_that_was_refused_is_made_once_in_a_turn() -> None:
    offered: list[str] = []

    def answer(shown: str) -> str | None:
        if shown.endswith(f"{OFFER}\nBlue> "):
            offered.append(shown.split("\n")[-3])
            return "no"
        if "Builder Blue's turn." in shown:
            return None
        return passive(shown)

    sit_down(Person(answer), dict.fromkeys((1, 2, 3), "random"))
    assert len(offered) > 3
    assert len(set(offered)) == len(offered)


def test_no_to_all_declines_what_else_is_offered_in_the_turn_and_not_later() -> None:
    asked: list[str] = []

    shown = sit_down(Person(no_to_all(asked)), dict.fromkeys((1, 2, 3), "random"))
    assert len(asked) > 1
    assert len(set(asked)) == len(asked), "each bot is heard once"
    assert shown.count("Blue declines all offers in this turn.\n") == len(asked)


def test_the_log_tells_all_that_a_summary_leaves_out() -> None:
    def answer(shown: str) -> str | None:
        if "Blue> " in shown and shown.startswith("Builder Red's turn."):
            return None
        return "log" if "Builder Blue's turn." in shown else passive(shown)

    shown = sit_down(Person(answer), BOTS)
    told = shown.rpartition("Blue> log\n")[2]
    assert "Orange's turn.\nOrange rolls " in told
    assert "Builder Yellow's turn.\nYellow rolls " in told


def test_a_pause_can_be_chosen() -> None:
    pauses: list[float] = []
    start = Start("a walk", {"load": RICH_BOTS, "fair": True}, BOTS, pause=0.25)
    person = Person(lambda shown: None if "Blue's turn" in shown else passive(shown))
    Program(load("constructor:GAME"), start, person, wait=pauses.append).run()
    assert pauses == [0.25] * 3


def test_what_is_piped_waits_for_nothing() -> None:
    pauses: list[float] = []
    console = Console(io.StringIO(), io.StringIO(), ends_lines=False)
    start = Start("a walk", {"layout": LAYOUT}, dict.fromkeys(range(4), "builder"))
    Program(load("constructor:GAME"), start, console, wait=pauses.append).run()
    assert pauses == []
