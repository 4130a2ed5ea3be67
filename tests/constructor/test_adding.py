"""A row more in the table of residences is one more thing to build: nothing else changes."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import constructor

TOWER = '    Residence("tower", "T", 3, (3, 2, 2, 2, 1)),\n'
CASTLE = '    Residence("castle", "C", 5, (1, 0, 2, 2, 2)),\n'
USE = """
from constructor import GAME, TEXT
from constructor.bots import Builder
from constructor.drawing import draw_board
from constructor.help import person_help
from constructor.picture import ConstructorPicture
from constructor.saves import parse_save, write_save
from constructor.state import Phase
from tabletop import Match, Streams
from tabletop.picture import Scene

players = [Builder(Streams(1)[seat]) for seat in range(4)]
match = Match(GAME, seed="a castle", options={"fair": True}, players=players)
while match.state.phase is not Phase.BUILDING:
    match.step()
state = match.state
seat, homes = state.turn, state.homes_of(state.turn)
for home in homes:
    state.levels[home] = 3
state.cards = [9] * 20
told = []
match.observe(told.append)
while seat == match.state.turn and 4 not in state.levels:
    match.step()  # the bot builds what it can pay for
vertex = state.levels.index(4)
assert vertex in homes, told
assert state.points(seat) == 3 + 5
text = " ".join(TEXT.event(event, match.names) for event in told)
assert f"builds a castle on vertex {vertex}." in text
assert "C|" in draw_board(state)
assert parse_save(write_save(state), GAME.board).levels == state.levels
assert "To a castle, 5 points: 1 BRICK, 2 GLASS, 2 HEAT, 2 WIFI." in str(person_help(state))
for narrow in (False, True):
    svg = ConstructorPicture().draw(state, Scene(match.names, narrow=narrow))
    assert f"castle on vertex {vertex}" in svg
    assert "It yields 5 of each" in svg
assert ">Castle<" in ConstructorPicture().draw(state, Scene(match.names))
match.run(2000)
print(match.over)
"""


@pytest.mark.slow
def test_a_castle_needs_a_row_and_nothing_else(tmp_path: Path) -> None:
    shutil.copytree(Path(constructor.__file__).parent, tmp_path / "constructor")
    state = tmp_path / "constructor" / "state.py"
    text = state.read_text("utf-8")
    assert text.count(TOWER) == 1
    state.write_text(text.replace(TOWER, TOWER + CASTLE), "utf-8")
    (tmp_path / "use.py").write_text(USE, "utf-8")
    done = subprocess.run(
        [sys.executable, "use.py"],
        capture_output=True,
        check=False,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        timeout=100,
    )
    assert (done.stderr.decode(), done.stdout) == ("", b"True\n")
