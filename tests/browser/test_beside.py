"""What a table has beside the match: the rules to read, sounds and notifications."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tabletop import Plugin
from tabletop.registry import load
from tests.browser.conftest import NARROW, Visitors
from tests.browser.policies import building
from tests.browser.screen import Screen
from tests.browser.server import Server, served
from tests.tabletop.cli.program import TICTACTOE

pytestmark = pytest.mark.slow

RULES = """\
# Rules of <b>heaps</b>

Take *one* or **two**; a `stone` counts [as said](https://example.org/stones), not
[so](javascript:alert(1)), nor <script>alert(1)</script> <img src=x onerror=alert(1)>.

- first
    - inside it
- second

| stone | worth |
|-------|------:|
| red   | 3     |

```
take <2>
```
"""


@pytest.fixture
def ruled(tmp_path: Path) -> Iterator[Server]:
    """A server that offers a game with such rules, and one with none."""
    game = load(TICTACTOE).game
    with served(tmp_path, games=[Plugin(game, rulebook=RULES, source=TICTACTOE)]) as server:
        yield server


def test_rules_are_made_of_elements_and_nothing_in_them_is_markup(
    ruled: Server, visitors: Visitors
) -> None:
    screen = visitors.come()
    screen.page.goto(ruled.open("tictactoe")["spectators"])
    page = screen.settled().page
    page.click("#open-rules")
    body = page.locator("#rules[open] #rules-body")
    body.wait_for()
    names = body.locator("> *").evaluate_all("all => all.map((it) => it.localName)")
    assert names == ["h3", "p", "ul", "div", "pre"]
    assert body.locator("h3").text_content() == "Rules of <b>heaps</b>"
    assert body.locator("em, strong, p code").all_text_contents() == ["one", "two", "stone"]
    assert body.locator("li").count() == 3
    assert body.locator("li li").text_content() == "inside it"
    assert body.locator("th, td").all_text_contents() == ["stone", "worth", "red", "3"]
    assert body.locator("pre").text_content() == "take <2>"
    links = body.locator("a").evaluate_all("all => all.map((it) => [it.href, it.rel])")
    assert links == [["https://example.org/stones", "noopener noreferrer"]]
    assert body.locator("script, img, b, iframe").count() == 0
    assert "<script>alert(1)</script>" in (body.locator("> p").text_content() or "")
    page.keyboard.press("Escape")
    assert not body.is_visible()
    assert page.evaluate("() => document.activeElement.id") == "open-rules"
    screen.page.close()


def test_on_a_phone_the_rules_are_found_under_table(server: Server, visitors: Visitors) -> None:
    opened = server.open("sorcery", players=["human", "duelist"], seed="old oak")
    page = visitors.sit(opened["links"][0], size=NARROW).page
    page.locator("#open-about").tap()
    page.get_by_role("button", name="Read the rules").tap()
    page.locator("#rules[open] h3", has_text="Sorcery").wait_for()
    assert not page.locator("#about").is_visible()
    wide = page.evaluate("() => document.getElementById('rules-body').scrollWidth")
    assert wide <= NARROW[0]


# Sounds and notifications.

STUBS = """
window.played = [];
class Tone {
  constructor() { this.frequency = { setValueAtTime: (hertz) => (this.hertz ??= hertz) }; }
  connect(to) { return to; } start() { window.played.push(this.hertz); } stop() {}
}
class Gain {
  constructor() { this.gain = { setValueAtTime() {}, exponentialRampToValueAtTime() {} }; }
  connect(to) { return to; }
}
window.AudioContext = class { currentTime = 0; destination = {}; state = "running";
  createOscillator() { return new Tone(); } createGain() { return new Gain(); } resume() {} };
window.notes = [];
window.answer = "granted";
window.Notification = class { constructor(title, { body }) { window.notes.push([title, body]); }
  static permission = "default"; addEventListener() {} close() {}
  static async requestPermission() { this.permission = window.answer; return window.answer; } };
Object.defineProperty(document, "hidden", { get: () => Boolean(window.away) });
"""
"""What a browser can do, noted down: no test has ears."""


def with_stubs(visitors: Visitors, link: str) -> Screen:
    """A page of somebody whose browser notes down what it plays and shows."""
    screen = visitors.come(alone=True)
    screen.page.add_init_script(STUBS)
    screen.page.goto(link)
    return screen.settled()


def noted(screen: Screen, name: str) -> list[Any]:
    found: list[Any] = screen.page.evaluate(f"() => window.{name}")
    return found


def with_people(server: Server) -> dict[str, Any]:
    """A table of four, who choose first basements there and back again: 0 1 2 3 3 2 1 0."""
    # Dice between people hang on a salt that is another one each time; this order does not.
    return server.open("constructor", players=["human"] * 4)


def test_sounds_come_after_the_first_click_until_they_are_switched_off(
    server: Server, visitors: Visitors
) -> None:
    opened = with_people(server)
    bo = with_stubs(visitors, opened["links"][1])

    def plays(actions: int, ply: int) -> None:
        server.play(opened["table"], building("x"), actions)
        bo.until_ply(ply)

    plays(1, 1)
    assert bo.state["your_turn"]
    assert noted(bo, "played") == [], "browsers allow no sound before a click"
    assert bo.page.is_checked("#sound")
    bo.page.click("#title")
    plays(1, 2)
    assert noted(bo, "played") == [], "what one does oneself makes none"
    plays(1, 3)
    assert noted(bo, "played") == [392], "a soft one for a move of another player"
    plays(3, 6)
    assert bo.state["your_turn"]
    assert noted(bo, "played") == [392, 587]
    bo.page.click("#sound")
    plays(2, 8)
    assert noted(bo, "played") == [392, 587]
    assert noted(bo, "notes") == []
    bo.page.reload()
    assert not bo.settled().page.is_checked("#sound"), "it is kept"
    bo.page.click("#sound")
    assert noted(bo, "played") == [587], "so it sounds"


def test_sounds_do_not_pile_up_where_a_browser_lets_none_be_heard(
    server: Server, visitors: Visitors
) -> None:
    opened = with_people(server)
    screen = visitors.come(alone=True)
    screen.page.add_init_script(STUBS.replace('"running"', '"suspended"'))
    screen.page.goto(opened["links"][1])
    screen.settled()
    assert screen.page.is_checked("#sound")
    screen.page.evaluate(
        "() => Object.defineProperty(navigator, 'userActivation', {value: {isActive: false}})"
    )
    screen.page.click("#title")
    server.play(opened["table"], building("x"), 5)
    screen.until_ply(5)
    assert noted(screen, "played") == []
    screen.page.evaluate("() => { navigator.userActivation.isActive = true; }")
    for _ in range(2):
        screen.page.click("#sound")
    assert noted(screen, "played") == [587], "whoever is there wakes it"


def test_a_notification_comes_while_a_page_is_hidden_and_a_refusal_is_said(
    server: Server, visitors: Visitors
) -> None:
    opened = with_people(server)
    bo = with_stubs(visitors, opened["links"][1])
    bo.page.click("#open-about")
    bo.page.evaluate("() => { window.answer = 'denied'; }")
    bo.page.click("#notify")
    bo.page.locator("#alerts-error", has_text="Notifications are blocked").wait_for()
    assert not bo.page.is_checked("#notify")
    bo.page.evaluate("() => { window.answer = 'granted'; }")
    bo.page.click("#notify")
    bo.until(lambda: bo.page.is_checked("#notify"), "a permission")
    assert bo.text("#alerts-error") == ""
    bo.page.evaluate("() => { window.away = true; }")
    server.play(opened["table"], building("x"), 1)
    bo.until(lambda: noted(bo, "notes"), "a notification")
    assert noted(bo, "notes") == [["Your turn", bo.table["title"]]]
    bo.page.evaluate("() => { window.away = false; }")
    server.play(opened["table"], building("x"), 5)
    bo.until_ply(6)
    assert bo.state["your_turn"]
    assert len(noted(bo, "notes")) == 1, "whoever looks needs none"


def test_who_only_watches_gets_no_notification(server: Server, visitors: Visitors) -> None:
    opened = server.open("lcr", players=["human", "human", "human"])
    screen = visitors.sit(opened["spectators"])
    assert screen.page.locator("#sound").is_visible()
    screen.page.click("#open-about")
    assert not screen.page.locator("#notify").is_visible()
