"""`quit` at a terminal asks before a match is lost permanently."""

from __future__ import annotations

from pathlib import Path

import pytest

from tabletop import Match
from tabletop.match import AnyMatch
from tabletop.records import HUMAN, Header
from tabletop.registry import load
from tabletop.terminal import Console, LocalConnection, LocalTable, Presentation
from tabletop.terminal.recording import new_recording
from tests.streams import Terminal
from tests.tabletop.cli.program import DUEL, TICTACTOE
from tests.tabletop.terminal.playing import play

QUESTION = "Quit anyway?"


def test_a_match_without_a_record_is_left_only_after_a_yes() -> None:
    match, shown = play(TICTACTOE, "5", "quit", "no", "1", "quit", "yes", "2", terminal=True)
    assert match.ply == 2
    assert shown.count(QUESTION) == 2


def test_a_second_quit_confirms_the_first() -> None:
    match, _ = play(TICTACTOE, "5", "quit", "quit", "1", terminal=True)
    assert match.ply == 1


@pytest.mark.parametrize(
    ("lines", "terminal"),
    [(["quit"], True), (["5", "quit"], False)],
    ids=["nothing was played", "piped input"],
)
def test_nobody_is_asked_if_nothing_is_lost(lines: list[str], terminal: bool) -> None:
    assert QUESTION not in play(TICTACTOE, *lines, terminal=terminal)[1]


def test_an_action_that_abandons_the_match_is_confirmed_if_it_is_called_quit() -> None:
    match, shown = play("sorcery", "end", "", "quit", "no", "quit", "yes", terminal=True)
    assert match.over
    assert shown.count("This ends the match permanently, and nobody wins.") == 2
    assert QUESTION not in play(DUEL, "table", terminal=True)[1]


@pytest.mark.parametrize("keeps", ["record", "program"])
def test_nobody_is_asked_if_the_match_can_be_resumed(keeps: str, tmp_path: Path) -> None:
    plugin, out = load(TICTACTOE), Terminal()
    console = Console(Terminal("5\nquit\n"), out)
    match: AnyMatch = Match(plugin.game, seed="oak")
    header = Header.of(match, source=plugin.source, players=(HUMAN, HUMAN))
    path = tmp_path / "match.jsonl" if keeps == "record" else None
    presentation = Presentation(keeps=keeps == "program")
    with (
        new_recording(match, header, plugin.source, path, scored=False) as recording,
        LocalTable(match, plugin, [HUMAN, HUMAN], console, recorder=recording.recorder) as table,
    ):
        LocalConnection(table, console, presentation, recording).run()
    assert QUESTION not in out.getvalue()
