"""The page on phones: the board keeps its size and place, and names of players are not broken."""

from __future__ import annotations

from typing import Any, Final

import pytest

from tests.browser.conftest import NARROW, SIDEWAYS, Visitors, mainly
from tests.browser.scenes import SCENES, Scene, constructor, played, shown
from tests.browser.screen import Screen
from tests.browser.server import Server

pytestmark = pytest.mark.slow

SMALL: Final = (320, 568)
SIZES: Final = [SMALL, NARROW, SIDEWAYS]

NOTICES: Final = """
() => {
  for (const place of ["standing", "notes"]) {
    const notice = document.createElement("p");
    notice.className = "notice";
    notice.append("Ben has been away for a long time.", document.createElement("button"));
    document.getElementById(place).append(notice);
  }
}
"""
"""Add a lasting notice with a button and a temporary one, like the notices of the page."""

BROKEN: Final = """
names => names.filter((name) =>
  name.checkVisibility() && name.offsetHeight > 1.8 * parseFloat(getComputedStyle(name).fontSize)
).length
"""
"""The number of visible names that occupy more than one line."""

CUT: Final = """
names => names.filter((name) => name.scrollWidth > name.clientWidth).map((name) => name.textContent)
"""
"""The names that are cut off."""

TITLE: Final = """
title => {
  const text = document.createRange();
  text.selectNodeContents(title);
  const lines = [...text.getClientRects()].filter(({ width }) => width > 0);
  const box = title.getBoundingClientRect();
  const shown = lines.filter(({ top, right }) => top < box.bottom && right <= box.right + 1);
  const hidden = lines.filter(({ top }) => top >= box.bottom - 1);
  return [lines.length, shown.length, hidden.length];
}
"""
"""The numbers of lines of the title: all, visible as a whole, and hidden as a whole."""

COVERED: Final = """
([selector, part]) => {
  const board = document.querySelector(part).getBoundingClientRect();
  const box = document.querySelector(selector).getBoundingClientRect();
  return box.height === 0 || box.bottom <= board.top + 1 || box.left >= board.right - 1
    || box.top >= board.bottom - 1 ? 0 : box.height;
}
"""
"""The height of an element that covers a part of the page, or 0."""


def sit(server: Server, visitors: Visitors, scene: str | Scene, size: tuple[int, int]) -> Screen:
    """Return a phone at a table that is played as far as a scene."""
    screen = visitors.come(size=size)
    screen.page.goto(played(server, SCENES[scene] if isinstance(scene, str) else scene))
    return shown(screen)


def board(screen: Screen) -> dict[str, float]:
    """Return the place and size of the board."""
    box: Any = screen.page.locator("#board").bounding_box()
    return dict(box)


@pytest.mark.parametrize("size", mainly(*SIZES))
def test_notices_neither_move_the_board_nor_cover_it_or_the_seats(
    size: tuple[int, int], server: Server, visitors: Visitors
) -> None:
    screen = sit(server, visitors, "sorcery-middle", size)
    before = board(screen)
    screen.page.evaluate(NOTICES)
    assert board(screen) == before
    for notice in ("#standing > p", "#notes > p"):
        for part in ("#board", "#seats", "#tools", "#prompt", "#quick"):
            assert screen.page.evaluate(COVERED, [notice, part]) == 0, (notice, part)


@pytest.mark.parametrize("size", mainly(*SIZES))
def test_the_board_keeps_its_size_while_a_player_looks_back_or_reads_a_hint(
    size: tuple[int, int], server: Server, visitors: Visitors
) -> None:
    screen = sit(server, visitors, "constructor-middle", size)
    before = board(screen)
    screen.page.evaluate(
        """() => {
            document.getElementById("prompt").textContent = "Hint: take heat and wifi. ".repeat(4);
            document.getElementById("because").textContent = "The only sensible move. ".repeat(9);
        }"""
    )
    assert board(screen) == before
    screen.page.click("#bar-log")
    screen.page.click("#look-back")
    screen.page.wait_for_selector("#then", state="visible")
    assert board(screen) == before


@pytest.mark.parametrize("scene", ["sorcery-names", "constructor-names", "lcr-crowd"])
def test_names_of_players_have_one_line(scene: str, server: Server, visitors: Visitors) -> None:
    screen = sit(server, visitors, scene, SMALL)
    cut = "shown => [shown.scrollWidth - shown.clientWidth, shown.getBoundingClientRect().right]"
    for width, height in SIZES:
        screen.page.set_viewport_size({"width": width, "height": height})
        for place in (".name", ".as", ".words"):
            assert screen.page.locator(f"#seats {place}").evaluate_all(BROKEN) == 0
        over, right = screen.page.locator("#seats").evaluate(cut)
        assert over <= 0
        assert right <= width


@pytest.mark.parametrize("size", mainly(SIDEWAYS, SMALL, NARROW))
def test_names_of_four_players_are_whole_beside_a_clock(
    size: tuple[int, int], server: Server, visitors: Visitors
) -> None:
    names = ["Ada", "Benedict", "Charlotte", "Dieter"]
    screen = sit(server, visitors, constructor(1, names=names, clock=5400), size)
    for place in (".name", ".as", ".clock"):
        assert screen.page.locator(f"#seats {place}").evaluate_all(CUT) == []
    assert screen.page.locator("#picture").evaluate("it => it.scrollHeight - it.clientHeight") <= 1


@pytest.mark.parametrize("scene", ["sorcery-middle", "constructor-middle", "lcr-crowd"])
def test_the_title_has_one_line_or_is_hidden_as_a_whole(
    scene: str, server: Server, visitors: Visitors
) -> None:
    screen = sit(server, visitors, scene, SMALL)
    lines = {}
    for width, height in SIZES:
        screen.page.set_viewport_size({"width": width, "height": height})
        lines[width, height] = screen.page.locator("#title").evaluate(TITLE)
    assert lines[SIDEWAYS] == [1, 1, 0]
    assert all(line in ([1, 1, 0], [1, 0, 1]) for line in lines.values()), lines
