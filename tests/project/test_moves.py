"""A move goes as `docs/design/moves.md` tells: who calls whom is noted while one is played."""

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
from tests.tabletop.terminal.playing import front
from tests.tabletop.web.served import Server, serving

from tabletop import Match
from tabletop.match import AnyMatch
from tabletop.records import Journal
from tabletop.registry import load
from tabletop.terminal import Console

PAGE: Final = Path(__file__).parents[2] / "docs" / "design" / "moves.md"
ITEM: Final = re.compile(r"^(\d+)\. `([\w.]+)`", re.MULTILINE)
INHERITED: Final = {
    "lcr.rules.game.Lcr.apply": "tabletop.rules.game.Game.apply",
    "tabletop.terminal.client.TerminalClient.notify": "tabletop.session.messages.Front.notify",
}
"""What stands for a method of a base class or protocol on the page."""

Way = tuple[str, ...]


def ways_on_the_page() -> dict[str, list[Way]]:
    """The lists of functions on the page, by the heading that they stand under."""
    found: dict[str, list[Way]] = {}
    for section in PAGE.read_text("utf-8").split("\n## ")[1:]:
        lists: list[list[str]] = []
        for number, name in ITEM.findall(section):
            if number == "1":
                lists.append([])
            lists[-1].append(name)
        found[section.partition("\n")[0]] = [tuple(names) for names in lists]
    return found


WAYS: Final = ways_on_the_page()


@contextmanager
def traced() -> Iterator[set[Way]]:
    """For each call meanwhile, the functions of ours that were running, the outermost first."""
    ways: set[Way] = set()

    def note(frame: FrameType, event: str, _: Any) -> None:
        if event != "call" or not name_of(frame).startswith(("tabletop.", "lcr.")):
            return
        names: list[str] = []
        above: FrameType | None = frame
        while above is not None:
            names.append(name_of(above))
            above = above.f_back
        ways.add(tuple(it for it in reversed(names) if it.startswith(("tabletop.", "lcr."))))

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        yield ways
    finally:
        sys.setprofile(before)


def name_of(frame: FrameType) -> str:
    return f"{frame.f_globals.get('__name__', '')}.{frame.f_code.co_qualname}"


def assert_called(way: Way, calls: set[Way]) -> None:
    """A call of the last function came from the others, each called by the one before it."""
    last = {way[-1], *(own for own, base in INHERITED.items() if base == way[-1])}
    ends = [call for call in calls if call[-1] in last]
    found = {call[call.index(way[0]) : -1] for call in ends if way[0] in call}
    assert way[:-1] in found, f"{way[-1]} is called by {found or ends}"


def at_a_terminal(path: Path, players: tuple[str, ...], line: str) -> set[Way]:
    """What is called while one line is typed, or a bot makes the first move."""
    plugin = load("lcr")
    match: AnyMatch = Match(plugin.game, seed="old oak", seats=len(players))
    console = Console(io.StringIO(line), io.StringIO())
    with Journal.create(path, match) as journal:
        terminal = front(match, plugin, players, console, journal)
        with traced() as calls, pytest.raises(EOFError):
            terminal.play()
    assert match.ply >= 1
    return calls


@pytest.fixture(scope="module")
def typed(tmp_path_factory: pytest.TempPathFactory) -> set[Way]:
    path = tmp_path_factory.mktemp("typed") / "match.jsonl"
    return at_a_terminal(path, ("human",) * 3, "roll\n")


@pytest.fixture(scope="module")
def clicked(tmp_path_factory: pytest.TempPathFactory) -> set[Way]:
    calls: set[Way] = set()

    async def click(server: Server) -> None:
        opened = await server.open("lcr", players=["human"] * 3)
        async with server.screen(opened["links"][0]) as screen:
            choice = (await screen.until("state"))["choices"][0]
            with traced() as noted:
                await screen.say(type="act", line=choice["words"])
                await screen.at(1)
            calls.update(noted)

    serving(click, tmp_path_factory.mktemp("clicked"))
    return calls


OUT: Final = ("Out: to the record", "Out: to the session", "Out: from the session to its clients")


@pytest.mark.parametrize("heading", ["In: a typed line", *OUT, "Out: to a terminal"])
def test_a_typed_line_goes_the_way_of_the_page(heading: str, typed: set[Way]) -> None:
    for way in WAYS[heading]:
        assert_called(way, typed)


def test_a_bots_choice_goes_the_way_of_the_page(tmp_path: Path) -> None:
    calls = at_a_terminal(tmp_path / "match.jsonl", ("random", "human", "human"), "")
    for way in WAYS["In: a bot's choice"]:
        assert_called(way, calls)


@pytest.mark.parametrize("heading", ["In: a click", "Out: to a browser"])
def test_a_click_goes_the_way_of_the_page(heading: str, clicked: set[Way]) -> None:
    for way in WAYS[heading]:
        assert_called(way, clicked)


def test_every_way_is_about_a_dozen_functions() -> None:
    assert len(WAYS) == 8
    assert all(2 <= len(way) <= 13 for ways in WAYS.values() for way in ways)


def test_a_function_left_out_or_put_in_is_found(typed: set[Way]) -> None:
    [way] = WAYS["In: a typed line"]
    for wrong in ((*way[:4], *way[5:]), (*way[:4], way[2], *way[4:])):
        with pytest.raises(AssertionError, match=r"Game\.apply is called by"):
            assert_called(wrong, typed)
