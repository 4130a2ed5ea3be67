"""The texts of all games at a terminal: they keep no memory, and change nothing."""

from __future__ import annotations

from copy import deepcopy
from typing import Any, Final

import pytest
from tests.streams import Terminal
from typing_extensions import override

from tabletop import Match
from tabletop.display import ConsoleText, News, Reading, Repeat, SavedFile, Shown
from tabletop.match import AnyMatch
from tabletop.records import HUMAN
from tabletop.registry import load
from tabletop.terminal import Console, LocalConnection, LocalTable, Presentation

LINES: Final = {
    "sorcery": ("hand", "board", "end", "log", "play 1", "end", "undo", "nonsense", "end", "quit"),
    "constructor": ("0", "board", "status", "log", "undo", "1", "nonsense", "table", "quit"),
    "lcr": ("roll", "undo", "roll", "nonsense", "roll"),
    "examples/tictactoe.py": ("5", "undo", "5", "actions", "nonsense", "quit"),
}


class Forgetful(ConsoleText[Any]):
    """The texts of a game, created again for each call, with a check that nothing changes."""

    def _texts(self, reading: Reading[Any]) -> ConsoleText[Any]:
        kept = deepcopy(reading.view)
        texts = load(self.source).make_console()
        texts.question(reading)
        texts.news(reading)
        assert reading.view == kept
        return texts

    def __init__(self, source: str) -> None:
        plugin = load(source)
        super().__init__(plugin.game, plugin.text)
        self.source = source
        self.commands = plugin.make_console().commands

    @override
    def paint(self, text: str) -> str:
        return load(self.source).make_console().paint(text)

    @override
    def question(self, reading: Reading[Any]) -> Shown:
        return self._texts(reading).question(reading)

    @override
    def news(self, reading: Reading[Any]) -> News:
        return self._texts(reading).news(reading)

    @override
    def answer(self, command: Any, reading: Reading[Any]) -> str | Repeat | SavedFile:
        return self._texts(reading).answer(command, reading)

    @override
    def refusal(self, line: str, error: Exception, reading: Reading[Any]) -> str:
        return self._texts(reading).refusal(line, error, reading)


def transcript_of(source: str, texts: ConsoleText[Any] | None) -> str:
    plugin, out = load(source), Terminal()
    seats = plugin.game.seats[0]
    match: AnyMatch = Match(plugin.game, seed="old oak", seats=seats)
    players = [HUMAN, *["random"] * (seats - 1)]
    typed = Terminal("".join(f"{line}\n" for line in LINES[source]))
    console = Console(typed, out)
    with LocalTable(match, plugin, players, console) as table:
        LocalConnection(table, console, Presentation(texts=texts)).run()
    return out.getvalue()


@pytest.mark.parametrize("source", LINES)
def test_texts_are_stateless_and_change_nothing(
    source: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Console, "wait", lambda console, seconds: None)
    assert transcript_of(source, Forgetful(source)) == transcript_of(source, None)
