"""Every picture fits its screen, and its texts can be read, from small phones to large screens."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from tabletop.registry import load
from tests.browser.conftest import NARROW, SIDEWAYS, WIDE, Visitors
from tests.browser.policies import duel, eager
from tests.browser.scenes import SCENES, Scene, played, shown, sorcery
from tests.browser.screen import Screen
from tests.browser.server import Server, served

pytestmark = pytest.mark.slow

EXAMPLES: Final = Path(__file__).parents[2] / "examples"
SIZES: Final = [WIDE, NARROW, (320, 568), SIDEWAYS, (1920, 1080)]

OFFERED: Final = (
    "backgammon",
    "chess",
    "crazy_eights",
    "go",
    "harbour",
    "hearts",
    "herons",
    "tictactoe",
)
"""The examples, by the names of their files."""


def example(game: str) -> Scene:
    """Return the scene of an example against a bot, after some random actions."""
    seats = {"harbour": 3, "hearts": 4}.get(game, 2)
    players = ["human", *["random"] * (seats - 1)]
    wish = {"game": game.replace("_", "-"), "seed": "old oak", "players": players}
    return Scene(wish, lambda seed: eager([], seed), 12)


ALL: Final = {
    **SCENES,
    "sorcery-2017": Scene({**sorcery(0).wish, "game": "sorcery-2017"}, duel, 14),
    **{name: example(name) for name in OFFERED},
}
QUICK: Final = {"sorcery-names", "go"}
"""The scenes that are checked at each change. The others are repeated in the whole suite only."""

FAULTS: Final = """
() => {
  const svg = document.querySelector("#picture > svg");
  const texts = [...svg.querySelectorAll("text")].filter((text) => text.textContent.trim()
    && text.checkVisibility({ visibilityProperty: true, opacityProperty: true }));
  const read = (text) => [...text.childNodes].filter(({ localName }) => localName !== "title")
    .map(({ textContent }) => textContent).join("");
  const height = (text) => {
    const { a, b } = text.getScreenCTM();
    return parseFloat(getComputedStyle(text).fontSize) * Math.hypot(a, b);
  };
  const small = texts.filter((text) => height(text) < 11.95)
    .map((text) => `small: ${read(text)} (${height(text).toFixed(1)} px)`);
  const frame = svg.getBoundingClientRect();
  const cut = texts.filter((text) => {
    const box = text.getBoundingClientRect();
    return box.left < frame.left - 2 || box.right > frame.right + 2
      || box.top < frame.top - 2 || box.bottom > frame.bottom + 2;
  }).map((text) => `cut off: ${read(text)}`);
  const { scrollHeight, clientHeight } = document.querySelector("#picture");
  const beside = document.scrollingElement.scrollWidth - innerWidth;
  return [...small, ...cut, ...(scrollHeight > clientHeight + 1 ? ["the board scrolls"] : []),
    ...(beside > 0 ? ["the page scrolls sideways"] : [])];
}
"""
"""The texts of the picture that are smaller than 12 pixels or cut off, and what scrolls."""

LITTLE: Final = """
() => [...document.querySelectorAll("body *")].filter((element) => !element.closest("svg, .unseen")
    && element.checkVisibility({ visibilityProperty: true })
    && element.getBoundingClientRect().width > 1
    && [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim())
    && parseFloat(getComputedStyle(element).fontSize) < 11.95)
  .map(({ id, className, localName }) => id || className || localName)
"""
"""The elements next to the picture whose text is smaller than 12 pixels."""


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with the examples."""
    offered = [load(str(EXAMPLES / f"{name}.py")) for name in OFFERED]
    with served(tmp_path_factory.mktemp("games"), games=offered) as server:
        yield server


def resize(screen: Screen, size: tuple[int, int]) -> None:
    """Resize a window, and wait for the picture of that size."""
    before = len(screen.received)
    narrow = "(max-width: 760px), (max-height: 480px)"
    kind = f"() => [matchMedia('{narrow}').matches, innerWidth > innerHeight, innerHeight < 740]"
    old = screen.page.evaluate(kind)
    screen.page.set_viewport_size({"width": size[0], "height": size[1]})
    new = screen.page.evaluate(kind)
    if (old[0] or new[0]) and old != new:
        screen.until(lambda: len(screen.received) > before, f"the picture for {size}")
    screen.settled()
    screen.page.evaluate("() => new Promise(requestAnimationFrame)")


def boxes(screen: Screen) -> list[Any]:
    """Return the places of the board and of the picture in it."""
    return [screen.page.locator(it).bounding_box() for it in ("#board", "#picture > svg")]


@pytest.mark.parametrize(
    "name", [pytest.param(it, marks=() if it in QUICK else pytest.mark.matrix) for it in ALL]
)
def test_a_picture_fits_and_can_be_read_on_every_screen(
    name: str, games: Server, visitors: Visitors
) -> None:
    scene = ALL[name]
    screen = visitors.come(size=SIZES[0])
    screen.page.goto(played(games, scene))
    shown(screen)
    faults = {}
    for size in SIZES:
        resize(screen, size)
        faults[size] = screen.page.evaluate(FAULTS) + screen.page.evaluate(LITTLE)
    assert faults == {size: [] for size in SIZES}


@pytest.mark.matrix
@pytest.mark.parametrize("size", [(320, 568), NARROW, SIDEWAYS])
@pytest.mark.parametrize("name", ["sorcery-middle", "constructor-middle", "lcr-middle", "go"])
def test_the_board_keeps_its_size_during_a_turn(
    name: str, size: tuple[int, int], games: Server, visitors: Visitors
) -> None:
    scene = ALL[name]
    screen = visitors.come(size=size)
    screen.page.goto(played(games, scene))
    shown(screen)
    before = boxes(screen)
    lit = screen.page.locator("#picture .tt-lit").first
    if lit.count() and not lit.get_attribute("data-action"):
        lit.click()
        assert boxes(screen) == before
        screen.page.keyboard.press("Escape")
    screen.play_turns(scene.policy("turn"), 1)
    assert boxes(shown(screen)) == before
