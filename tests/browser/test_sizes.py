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
from tests.constructor.tables import full_save

pytestmark = pytest.mark.slow

EXAMPLES: Final = Path(__file__).parents[2] / "examples"
SIZES: Final = [WIDE, NARROW, (320, 568), SIDEWAYS, (1920, 1080)]

SEATS: Final = {
    "backgammon": 2,
    "beacons": 5,
    "caverns": 2,
    "chess": 2,
    "crazy_eights": 2,
    "deck_builder": 2,
    "flotsam": 2,
    "go": 2,
    "harbour": 3,
    "hearts": 4,
    "herons": 2,
    "nettles": 4,
    "peal": 4,
    "tictactoe": 2,
    "upriver": 2,
    "vacant_chair": 4,
}
"""The examples, by the names of their files, and the number of their players."""


def example(game: str, turns: int = 12, seats: int | None = None) -> Scene:
    """Return the scene of an example against bots, after some random actions."""
    players = ["human", *["random"] * ((seats or SEATS[game]) - 1)]
    name = "lamplighters" if game == "deck_builder" else game.replace("_", "-")
    wish = {"game": name, "seed": "old oak", "players": players}
    return Scene(wish, lambda seed: eager([], seed), turns)


ALL: Final = {
    **SCENES,
    "sorcery-2017": Scene({**sorcery(0).wish, "game": "sorcery-2017"}, duel, 14),
    **{name: example(name) for name in SEATS},
    "beacons-crowd": example("beacons", 3, seats=10),
    "peal-dealt": example("peal", 0),
    "upriver-dealt": example("upriver", 0),
    "crazy_eights-dealt": example("crazy_eights", 0),
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
  const boxes = texts.map((text) => [text, text.getBoundingClientRect()]);
  const opaque = [...svg.querySelectorAll("rect, circle")]
    .filter((shape) => !shape.matches(".tt-hit, .tt-ring, .tt-none"));
  const after = (first, second) =>
    first.compareDocumentPosition(second) & Node.DOCUMENT_POSITION_FOLLOWING;
  const over = boxes.flatMap(([first, one], at) => boxes.slice(at + 1).filter(([second, other]) => {
    const [left, right] = [Math.max(one.left, other.left), Math.min(one.right, other.right)];
    const [top, bottom] = [Math.max(one.top, other.top), Math.min(one.bottom, other.bottom)];
    if (right - left <= 3 || bottom - top <= 6) return false;
    return !opaque.some((shape) => {
      const box = shape.getBoundingClientRect();
      return after(first, shape) && after(shape, second) && box.left <= left + 1
        && box.right >= right - 1 && box.top <= top + 2 && box.bottom >= bottom - 2;
    });
  }).map(([second]) => `overlaps: ${read(first)} and ${read(second)}`));
  const { scrollHeight, clientHeight } = document.querySelector("#picture");
  const beside = document.scrollingElement.scrollWidth - innerWidth;
  const scrolls = scrollHeight > clientHeight + 1 ? ["the board scrolls"] : [];
  return [...small, ...cut, ...over, ...scrolls,
    ...(beside > 0 ? ["the page scrolls sideways"] : [])];
}
"""
"""The texts of the picture that are too small, cut off or on another text, and what scrolls."""

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
    offered = [load(str(EXAMPLES / f"{name}.py")) for name in SEATS]
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


def boxes_after_first_click(screen: Screen) -> list[Any]:
    """Return the same after a click on a part of the picture that plays no action yet."""
    lit = screen.page.locator("#picture .tt-lit:not([data-action])").first
    if lit.count():
        lit.click()
    clicked = boxes(screen)
    screen.page.keyboard.press("Escape")
    return clicked


@pytest.mark.parametrize(
    "name", [pytest.param(it, marks=() if it in QUICK else pytest.mark.matrix) for it in ALL]
)
def test_a_picture_can_be_read_on_every_screen_and_keeps_its_size(
    name: str, games: Server, visitors: Visitors
) -> None:
    scene = ALL[name]
    screen = visitors.come(size=SIZES[0])
    screen.page.goto(played(games, scene))
    shown(screen)
    faults, before, after = {}, {}, {}
    for size in SIZES:
        resize(screen, size)
        faults[size] = screen.page.evaluate(FAULTS) + screen.page.evaluate(LITTLE)
        before[size] = boxes(screen)
        assert boxes_after_first_click(screen) == before[size], size
    assert faults == {size: [] for size in SIZES}
    is_text = screen.page.locator("#picture .tt-sheet").count()  # it is as high as its lines
    screen.play_turns(scene.policy("turn"), 1)
    shown(screen)
    for size in reversed(SIZES):
        resize(screen, size)
        faults[size] = screen.page.evaluate(FAULTS)
        after[size] = boxes(screen)
    assert faults == {size: [] for size in SIZES}
    assert is_text or screen.over or after == before


def test_the_board_keeps_its_size_while_an_offer_is_answered(
    games: Server, visitors: Visitors
) -> None:
    names = ["Ada", "Bo", "Cy", "Di"]
    save = full_save("standard", "old oak", len(names), {})
    options = {"load": save, "fair": False}
    opened = games.open("constructor", names=names, options=options, seed="old oak")
    ada, bo = (visitors.sit(link) for link in opened["links"][:2])
    for line in ("load", "roll", "5"):
        ply = ada.ply()
        ada.type(line)
        ada.until_ply(ply + 1)
        ada.settled()
    before = [boxes(screen.settled()) for screen in (ada, bo)]
    ada.type("trade red glass heat")
    bo.part("accept").wait_for()
    assert [boxes(screen.settled()) for screen in (ada, bo)] == before
    bo.part("decline").click()
    ada.until(lambda: ada.state["your_turn"], "the answer")
    assert [boxes(screen.settled()) for screen in (ada, bo)] == before
