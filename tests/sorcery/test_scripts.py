"""The sample games, each run with the real program in both styles."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.program_runs import Printed
from tests.sorcery.programs import DATA, Player, cards_in_rows, last_board, run

SCRIPTS = sorted((DATA / "scripts").glob("*.in"))

RULED = {
    "e24_37_testing_minion_no_magic": {
        "p1": [20, 0],
        "b1": ["Earth Elemental 4/4", "Earth Elemental 4/4"],
    },
}
"""Expected results of samples that mark a rule as ambiguous and that a ruling contradicts.

In testing mode every card may be played with too little magic, not only spells.
"""


def expected(script: Path) -> dict[str, Any]:
    wanted = json.loads(script.with_suffix(".expect.json").read_text("utf-8"))
    ruled = RULED.get(script.stem, {})
    assert ruled.keys() <= set(wanted["amb"])
    return {**wanted["exp"], **ruled}


def arguments(script: Path) -> list[str]:
    wanted = json.loads(script.with_suffix(".expect.json").read_text("utf-8"))
    decks = [f"-deck{player}={script.with_suffix(f'.deck{player}')}" for player in (1, 2)]
    return [*wanted["flags"].split(), f"-edition={wanted['ed']}", *decks]


def summary(player: Player, number: int) -> dict[str, Any]:
    """Return a player in the format of the samples."""
    dead, ritual = player.graveyard, player.ritual
    return {
        f"p{number}": [player.life, player.magic],
        f"b{number}": [card.minion for card in player.minions],
        f"r{number}": None if ritual is None else f"{ritual.name} {ritual.low_right}",
        f"g{number}": None if dead is None else dead.minion,
    }


def test_there_are_samples_of_both_editions() -> None:
    assert len(SCRIPTS) == 26
    assert {script.name[:3] for script in SCRIPTS} == {"e17", "e24"}


@pytest.mark.slow
@pytest.mark.parametrize("style", ["simple", "fancy"])
@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_a_sample_ends_as_expected(script: Path, style: str, tmp_path: Path) -> None:
    check(run(tmp_path, *arguments(script), f"-style={style}", f"-init={script}"), script)


def check(printed: Printed, script: Path) -> None:
    """Compare the last output with the expected result of a sample."""
    assert (printed.stderr, printed.status) == ("", 0)
    first, second = last_board(printed.stdout)
    assert (first.name, second.name) == ("Alice", "Bob")
    seen = summary(first, 1) | summary(second, 2)
    wanted = expected(script)
    hand = [card for row in cards_in_rows(printed.stdout)[-1:] for card in row]
    if "hand" in wanted:
        assert [card.name for card in hand] == wanted.pop("hand")
    for name, numbers in wanted.pop("handstats", {}).items():
        assert f"{name} {numbers}" in {card.minion for card in hand}
    assert {key: seen[key] for key in wanted} == wanted
