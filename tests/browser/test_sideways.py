"""A phone that is held sideways shows the whole picture, and the prompt beside it."""

from __future__ import annotations

import pytest

from tests.browser.conftest import NARROW, SIDEWAYS, Visitors, mainly
from tests.browser.scenes import SCENES, played, shown
from tests.browser.screen import Screen
from tests.browser.server import Server

pytestmark = pytest.mark.slow

INSIDE = """
(selectors) => selectors.map((selector) => {
  const box = document.querySelector(selector).getBoundingClientRect();
  const across = box.left >= -1 && box.right <= innerWidth + 1 && box.width > 0;
  return across && box.top >= -1 && box.bottom <= innerHeight + 1;
})
"""
"""Whether elements are on the screen as a whole."""

OVERLAP = """
() => {
  const [picture, guide, bar] = ["#picture > svg", "#prompt", "#bar"].map(
    (selector) => document.querySelector(selector).getBoundingClientRect());
  const apart = (one, other) => one.right <= other.left + 1 || one.bottom <= other.top + 1;
  return [apart(picture, guide), apart(picture, bar), apart(guide, bar)];
}
"""
"""Whether the picture, the prompt and the buttons of the drawers are apart."""

IS_WIDE = """
() => {
  const box = document.querySelector("#picture > svg").viewBox.baseVal;
  return box.width > box.height;
}
"""


def sit(server: Server, visitors: Visitors, scene: str, size: tuple[int, int]) -> Screen:
    """A screen of some size at a table that is played as far as a scene is."""
    screen = visitors.come(size=size)
    screen.page.goto(played(server, SCENES[scene]))
    return shown(screen)


@pytest.mark.parametrize("scene", mainly("constructor-names", "sorcery-middle", "lcr-crowd"))
def test_the_picture_fits(scene: str, server: Server, visitors: Visitors) -> None:
    page = sit(server, visitors, scene, SIDEWAYS).page
    for width, height in (SIDEWAYS, (568, 320), (844, 390), (932, 430)):
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate(INSIDE, ["#picture > svg", "#tools", "#bar", "#prompt"]) == [True] * 4
        assert page.evaluate(OVERLAP) == [True] * 3
        assert page.evaluate(
            "() => { const { scrollHeight, clientHeight } = document.querySelector('#picture');"
            " return scrollHeight - clientHeight }"
        ) == pytest.approx(0, abs=1)


def test_a_phone_that_is_turned_gets_the_picture_for_its_new_shape(
    server: Server, visitors: Visitors
) -> None:
    screen = sit(server, visitors, "sorcery-beginning", NARROW)
    assert not screen.page.evaluate(IS_WIDE)
    screen.page.set_viewport_size({"width": SIDEWAYS[0], "height": SIDEWAYS[1]})
    screen.page.wait_for_function(IS_WIDE)
    screen.page.set_viewport_size({"width": NARROW[0], "height": NARROW[1]})
    screen.page.wait_for_function(f"() => !({IS_WIDE})()")


def test_the_actions_drawer_opens_beside_the_buttons(server: Server, visitors: Visitors) -> None:
    page = sit(server, visitors, "constructor-middle", SIDEWAYS).page
    page.click("#bar-actions")
    page.wait_for_selector("#choices button", state="visible")
    assert page.evaluate(INSIDE, ["#actions .close", "#bar-actions"]) == [True, True]
    page.click("#bar-actions")
    page.wait_for_selector("#actions", state="hidden")
