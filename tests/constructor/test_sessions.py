"""How games of the program begin: in the middle of a setup, from a file, and afresh."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.constructor.programs import RICH, save
from tests.constructor.tables import GAMES

from constructor.rules import PATIENCE
from constructor.sessions import (
    BACKUP,
    Playing,
    begin,
    keep_backup,
    options_afresh,
)
from constructor.text import how_it_ended
from constructor.ui import is_stuck
from tabletop import TabletopError
from tabletop.host.files import TextFileError
from tabletop.registry import load
from tabletop.session import Session

TILES = " ".join(["4 12"] * 18 + ["5 7"])


def test_a_file_that_makes_no_sense_is_told_by_its_line() -> None:
    with pytest.raises(TextFileError, match="line 1: 0 numbers, but 19 tiles need two each"):
        begin(GAMES["standard"], "x", {"layout": ""})
    with pytest.raises(TextFileError, match="line 1: this is no saved game"):
        begin(GAMES["standard"], "x", {"load": "0"})


def test_after_a_saved_game_the_next_one_has_the_same_tiles_and_dice() -> None:
    match = begin(GAMES["standard"], "x", {"load": save(layout=TILES), "fair": True})
    same = {"layout": TILES, "variant": "standard", "fair": True, "patience": 0}
    assert options_afresh(match) == same


def test_any_other_game_begins_again_as_it_did() -> None:
    match = begin(GAMES["standard"], "x", {"random-board": True, "variant": "rich"})
    afresh = options_afresh(match)
    assert (afresh["random-board"], afresh["variant"], afresh["load"]) == (True, "rich", None)


# How games of the program end: won, stuck, or left (4.4, 4.5).


def loaded(text: str) -> Playing:
    return begin(GAMES["standard"], "x", {"load": text})


def test_a_winner_is_named_with_all_their_points() -> None:
    won = loaded(save(turn=1, blue="0 0 0 0 0 r h 0 T 20 T 51 T 44 H", yellow="0 0 0 0 0 r h"))
    assert how_it_ended(won.outcome, won.state) == "Builder Blue wins with 11 building points!"


@pytest.mark.parametrize(("player", "stuck"), [("random", True), ("human", False)])
def test_only_bots_whom_people_have_left_alone_are_stuck(player: str, stuck: bool) -> None:
    match = loaded(RICH)
    with Session(match, load("constructor"), [*["random"] * 3, player]) as session:
        assert not is_stuck(session)
        match.state.idle = PATIENCE.default
        assert is_stuck(session) == stuck
    assert how_it_ended(match.outcome, match.state) == ""


def test_a_backup_is_a_save(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    keep_backup(loaded(RICH).state)
    assert (tmp_path / BACKUP).read_text("utf-8") == RICH
    (tmp_path / BACKUP).unlink()
    (tmp_path / BACKUP).mkdir()
    with pytest.raises(TabletopError, match=r"backup\.sv cannot be written: Is a directory"):
        keep_backup(loaded(RICH).state)
