"""The calls during a move are those of `docs/design/moves.md`."""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any, Final

import pytest
from tests.tabletop.terminal.playing import connection
from tests.tabletop.web.served import Server, serving

from tabletop import Match
from tabletop.match import AnyMatch
from tabletop.records import Journal
from tabletop.registry import load
from tabletop.terminal import Console, TerminalClient

PAGE: Final = Path(__file__).parents[2] / "docs" / "design" / "moves.md"
ITEM: Final = re.compile(r"^\d+\. `([\w.]+)`", re.MULTILINE)
INHERITED: Final = {
    "lcr.rules.game.Lcr.apply": "tabletop.rules.game.Game.apply",
}
"""Names on the page for methods of base classes and protocols."""

Way = tuple[str, ...]


def ways_on_the_page() -> dict[str, Way]:
    """Return the functions of each list on the page, by its heading."""
    sections = PAGE.read_text("utf-8").split("\n## ")[1:]
    return {it.partition("\n")[0]: tuple(ITEM.findall(it)) for it in sections}


WAYS: Final = ways_on_the_page()


@contextmanager
def traced() -> Iterator[list[str]]:
    """Record the functions of the project that are called, in order."""
    calls: list[str] = []

    def note(frame: FrameType, event: str, _: Any) -> None:
        name = f"{frame.f_globals.get('__name__', '')}.{frame.f_code.co_qualname}"
        if event == "call" and name.startswith(("tabletop.", "lcr.")):
            calls.append(name)
            if name in INHERITED:
                calls.append(INHERITED[name])

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        yield calls
    finally:
        sys.setprofile(before)


def assert_called(way: Way, calls: list[str]) -> None:
    """Check that the functions of a list are called in this order."""
    later, before = iter(calls), "the beginning"
    for name in way:
        assert name in later, f"{name} is not called after {before}"
        before = name


def at_a_terminal(path: Path, players: tuple[str, ...], line: str) -> list[str]:
    """Return the calls during a typed line, or the first move of a bot."""
    plugin = load("lcr")
    match: AnyMatch = Match(plugin.game, seed="old oak", seats=len(players))
    console = Console(io.StringIO(line), io.StringIO())
    with Journal.create(path, match) as journal:
        at_table = connection(match, plugin, players, console, journal)
        terminal = TerminalClient(at_table, console)
        with traced() as calls, pytest.raises(EOFError):
            terminal.play()
    assert match.ply >= 1
    return calls


@pytest.fixture(scope="module")
def typed(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    path = tmp_path_factory.mktemp("typed") / "match.jsonl"
    return at_a_terminal(path, ("human",) * 3, "roll\n")


@pytest.fixture(scope="module")
def clicked(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    calls: list[str] = []

    async def click(server: Server) -> None:
        opened = await server.open("lcr", players=["human"] * 3)
        async with server.screen(opened["links"][0]) as screen:
            choice = (await screen.until("state"))["choices"][0]
            with traced() as noted:
                await screen.say(type="act", line=choice["words"])
                await screen.at(1)
            calls.extend(noted)

    serving(click, tmp_path_factory.mktemp("clicked"))
    return calls


OUT: Final = "Out: to the record and the table"


@pytest.mark.parametrize("heading", ["In: a typed line", OUT, "Out: to a terminal"])
def test_a_typed_line_calls_the_functions_of_the_page(heading: str, typed: list[str]) -> None:
    assert_called(WAYS[heading], typed)


@pytest.mark.parametrize("heading", ["In: a bot's choice", OUT])
def test_a_bots_choice_calls_the_functions_of_the_page(heading: str, tmp_path: Path) -> None:
    calls = at_a_terminal(tmp_path / "match.jsonl", ("random", "human", "human"), "")
    assert_called(WAYS[heading], calls)


@pytest.mark.parametrize("heading", ["In: a click", OUT, "Out: to a browser"])
def test_a_click_calls_the_functions_of_the_page(heading: str, clicked: list[str]) -> None:
    assert_called(WAYS[heading], clicked)


def test_a_wrong_order_of_functions_is_found(typed: list[str]) -> None:
    *way, last = WAYS["In: a typed line"]
    with pytest.raises(AssertionError, match=r"carry_out is not called after .*Game\.apply"):
        assert_called((*way[:3], last, *way[3:]), typed)
