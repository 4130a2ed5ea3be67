"""How games of the program end: won, stuck, or left (4.4, 4.5)."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.constructor.programs import RICH, save
from tests.constructor.tables import GAMES

from constructor.beginning import Playing, begin
from constructor.ending import BACKUP, how_it_ended, is_stuck, keep_backup
from constructor.rules import PATIENCE
from tabletop import TabletopError
from tabletop.registry import load
from tabletop.session import Session


def loaded(text: str) -> Playing:
    return begin(GAMES["standard"], "x", {"load": text})


def test_a_winner_is_named_with_all_their_points() -> None:
    won = loaded(save(turn=1, blue="0 0 0 0 0 r h 0 T 20 T 51 T 44 H", yellow="0 0 0 0 0 r h"))
    assert how_it_ended(won) == "Builder Blue wins with 11 building points!"


@pytest.mark.parametrize(("player", "stuck"), [("random", True), ("human", False)])
def test_only_bots_whom_people_have_left_alone_are_stuck(player: str, stuck: bool) -> None:
    match = loaded(RICH)
    with Session(match, load("constructor"), [*["random"] * 3, player]) as session:
        assert not is_stuck(session)
        match.state.idle = PATIENCE.default
        assert is_stuck(session) == stuck
    assert how_it_ended(match) == ""


def test_a_backup_is_a_save(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    keep_backup(loaded(RICH).state)
    assert (tmp_path / BACKUP).read_text("utf-8") == RICH
    (tmp_path / BACKUP).unlink()
    (tmp_path / BACKUP).mkdir()
    with pytest.raises(TabletopError, match=r"backup\.sv cannot be written: Is a directory"):
        keep_backup(loaded(RICH).state)
