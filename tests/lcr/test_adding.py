"""Changes that a new face of the die needs in rules, picture and sweep."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.changed import use_changed

import lcr
from lcr import DIE, Face, picture, sweep
from lcr.rules import events

NEVER = "    assert_never(face)\n"
CASE = "        case Face.ACROSS:\n            return "
RIGHT = "        chips[seat - 1] += moves & MOST_DICE\n"
ACROSS = [
    ("rules/dice.py", '    RIGHT = "right"\n', '    RIGHT = "right"\n    ACROSS = "across"\n'),
    ("rules/dice.py", "DIE: Final = (Face.DOT,", "DIE: Final = (Face.ACROSS,"),
    ("rules/events.py", NEVER, f"{CASE}ChipPassed(seat, clockwise(seat, seats, 2))\n{NEVER}"),
    ("picture.py", NEVER, f'{CASE}"A", "M-.5 .74H.5"\n{NEVER}'),
    ("sweep.py", NEVER, f"{CASE}1 << _GIVEN | 1 << 6\n{NEVER}"),
    ("sweep.py", "seat_chips -= moves >> _GIVEN", "seat_chips -= moves >> _GIVEN & MOST_DICE"),
    (
        "sweep.py",
        RIGHT,
        f"{RIGHT}        chips[(seat + 2) % self._players] += moves >> 6\n",
    ),
]
"""Changes that add a face which passes a chip to the second seat on the left."""

USE = """
from lcr import GAME, PLUGIN, ChipPassed, DieRolled, Face
from lcr.sweep import play
from tabletop import Match, Random
from tabletop.testing import check_game, check_picture

def match_of(course_seed):
    players = [Random(str(seat)) for seat in range(5)]
    return Match(GAME, seats=5, options={"course-seed": course_seed}, players=players)

match, events = match_of(0), []
match.observe(events.append)
while not any(isinstance(event, DieRolled) and event.face is Face.ACROSS for event in events):
    events.clear()
    match.step()
lines = [PLUGIN.text.event(event, match.names) for event in events]
seat = events[0].seat
assert f"Across: 1 chip to Player {(seat + 2) % 5 + 1}." in lines, lines
assert ChipPassed(seat, (seat + 2) % 5) in events
svg, choices = shown_on_a_page("lcr:PLUGIN", match)
assert [choice.path for choice in choices] == [("dice",)]
assert 'data-action="roll"' in svg
check_game(GAME, matches=1, seats=3)
check_picture(GAME, matches=1, plies=10)
for seed in range(20):
    match = match_of(seed)
    winners = match.run().winners
    games = play([seed], 5)
    assert (games.winners[0], games.turns[0]) == (winners[0], match.ply)
"""


@pytest.mark.slow
def test_a_new_face_needs_changes_to_die_events_picture_and_sweep(tmp_path: Path) -> None:
    use_changed(lcr, ACROSS, USE, tmp_path)


def test_unknown_face_raises_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    assert picture.die(Face.DOT, 60)
    monkeypatch.setattr(sweep, "DIE", ("across", *DIE[1:]))
    across: Any = "across"
    for use in (
        lambda: events._event_of_face(0, across, 3),
        lambda: picture.die(across, 60),
        sweep._moves,
    ):
        with pytest.raises(AssertionError, match="Expected code to be unreachable"):
            use()
