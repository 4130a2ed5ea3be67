"""A new row in the table of residences is enough to add a residence."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.changed import use_changed

import constructor

TOWER = '    Residence("tower", "T", 3, (3, 2, 2, 2, 1)),\n'
CASTLE = '    Residence("castle", "C", 5, (1, 0, 2, 2, 2)),\n'
USE = """
from constructor import GAME, PLUGIN
from constructor import Improve
from constructor import Builder
from constructor.text.drawing import draw_board
from constructor.program.help_texts import person_help
from constructor import parse_save, write_save
from constructor import Phase
from tabletop import Match, Streams

players = [Builder(Streams(1)[seat]) for seat in range(4)]
match = Match(GAME, seed="a castle", options={"fair": True}, players=players)
while match.state.phase is not Phase.BUILDING:
    match.step()
state = match.state
seat, homes = state.turn, state.homes_of(state.turn)
for home in homes:
    state.levels[home] = 3
state.cards = [9] * 20
choices = {choice.words: choice for choice in shown_on_a_page("constructor:PLUGIN", match)[1]}
for home in homes:
    assert Improve(home) in match.legal_actions()
    assert choices[f"improve {home}"].path == (f"vertex-{home}",)
    assert choices[f"improve {home}"].label == f"Build a castle on vertex {home}"
events = []
match.observe(events.append)
while seat == match.state.turn and 4 not in state.levels:
    match.step()  # the bot builds what it can pay for
vertex = state.levels.index(4)
assert vertex in homes, events
assert state.points(seat) == 3 + 5
text = " ".join(PLUGIN.text.event(event, match.names) for event in events)
assert f"builds a castle on vertex {vertex}." in text
assert "C|" in draw_board(state)
assert parse_save(write_save(state), GAME.board).levels == state.levels
assert "To a castle, 5 points: 1 BRICK, 2 GLASS, 2 HEAT, 2 WIFI." in str(person_help(state))
for narrow in (False, True):
    svg, _ = shown_on_a_page("constructor:PLUGIN", match, narrow)
    assert f"castle on vertex {vertex}" in svg
    assert "It yields 5 of each" in svg
    assert narrow or ">Castle<" in svg
assert match.run(2000)
"""


@pytest.mark.slow
def test_a_new_residence_needs_only_a_table_row(tmp_path: Path) -> None:
    use_changed(constructor, [("rules/state.py", TOWER, TOWER + CASTLE)], USE, tmp_path)
