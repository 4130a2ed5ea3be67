"""The log of events."""

from __future__ import annotations

import json
from pathlib import Path

from tests.constructor.programs import SETUP, backup, lines, run, run_here
from tests.tabletop.told import tells

from constructor import (
    GAME,
    Resource,
    ResourcesLost,
    Tile,
    TileChanged,
    TradeOffered,
    VictimsFound,
    format_layout,
)
from constructor.text.event_log import format_event
from tabletop import ActionPlayed, Match, MatchEnded, Outcome

TYPED = SETUP + lines("roll", "7", "9", "next")


def test_log_has_one_line_per_event(tmp_path: Path) -> None:
    run(tmp_path, "-log", "events", typed=TYPED)
    assert (tmp_path / "events").read_text("utf-8").splitlines()[17:] == [
        "7 BasementChosen seat=Red vertex=36",
        "8 ActionPlayed seat=Blue action=20",
        "8 BasementChosen seat=Blue vertex=20",
        "8 SetupEnded",
        "8 TurnBegan seat=Blue",
        "9 ActionPlayed seat=Blue action=roll",
        "10 ActionPlayed seat=Blue action=7",
        "10 DiceRolled seat=Blue total=7 dice=-",
        "11 ActionPlayed seat=Blue action=9",
        "11 GeesePlaced seat=Blue tile=9",
        "11 VictimsFound seat=Blue victims=-",
        "12 ActionPlayed seat=Blue action=next",
        "12 TurnBegan seat=Red",
    ]


def test_log_is_appended_with_a_header_for_each_game(tmp_path: Path) -> None:
    for _ in range(2):
        run(tmp_path, "-log", "events", typed="0\n")
    logged = (tmp_path / "events").read_text("utf-8").splitlines()
    game = [line for line in logged if line[:1].isdigit() or line.startswith("game")]
    played = ["1 ActionPlayed seat=Blue action=0", "1 BasementChosen seat=Blue vertex=0"]
    assert game == ["game 1", *played] * 2


def test_log_header_is_sufficient_to_replay_the_game(folder: Path) -> None:
    run_here(["-log", "events", "-seed", "br\u00e4ve\nold", "-random-board", "-fair"])
    name, seed, options, version, *_ = (folder / "events").read_text("utf-8").splitlines()
    assert (name, seed) == ("game 1", 'seed: "br\u00e4ve\\nold"')
    told = json.loads(options.removeprefix("options: "))
    match = Match(GAME, seed=json.loads(seed.removeprefix("seed: ")), seats=4, options=told)
    assert format_layout(match.state.tiles) == backup(folder)[5]
    assert told["fair"] is True
    assert version.startswith(f"version: constructor {GAME.version} (tabletop-rules ")


def test_unwritable_log_is_reported_once_and_the_game_continues(tmp_path: Path) -> None:
    printed = run(tmp_path, "-log", "/dev/full", typed=TYPED)
    assert printed.stdout == run(tmp_path, typed=TYPED).stdout
    assert tells(printed.stderr, "constructor: -log '/dev/full': No space left on device")
    assert (printed.stderr.count("\n"), printed.status) == (1, 0)


def test_log_shows_field_values_as_words() -> None:
    rich = Tile(Resource.HEAT, 8, Resource.WIFI, 12)
    events = {
        TradeOffered(0, 1, Resource.BRICK, Resource.WIFI): "TradeOffered seat=Blue to=Red"
        " give=BRICK take=WIFI",
        ResourcesLost(2, (5, 0, 0, 0, 1)): "ResourcesLost seat=Orange amounts=5,0,0,0,1",
        VictimsFound(3, (0, 1)): "VictimsFound seat=Yellow victims=Blue,Red",
        TileChanged(4, rich): "TileChanged number=4 tile=HEAT+WIFI:12",
        TileChanged(4, Tile(Resource.HEAT, 8)): "TileChanged number=4 tile=HEAT",
        MatchEnded(Outcome.win(0, 4)): "MatchEnded outcome='Blue wins.'",
        ActionPlayed(3, 2, "next"): "ActionPlayed seat=Orange action=next",
    }
    assert {event: format_event(event) for event in events} == events
