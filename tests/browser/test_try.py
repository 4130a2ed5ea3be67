"""Games are tried in a page of the built site: by Python in the browser, with nothing installed."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import redirect_stdout
from pathlib import Path
from typing import Final, Literal
from urllib.parse import unquote

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.conftest import NARROW, WIDE
from tests.browser.files import served
from tests.browser.screen import Screen
from tests.browser.test_looks import barriers

pytestmark = [pytest.mark.slow, pytest.mark.long]

EXAMPLES: Final = Path(__file__).parents[2] / "examples"

TIMEOUT: Final = 100_000
"""So many milliseconds there are for Python to start: machines are busy."""

MATCHES: Final = """\
from tabletop import Match
from tabletop.registry import installed, load

for name in sorted(installed()):
    plugin = load(name)
    options = {it.name: 20 for it in plugin.game.options if it.name == "patience"}
    seats = plugin.game.seats[-1]
    match = Match(plugin.game, seed="the same everywhere", seats=seats, options=options)
    for seat in range(match.seats):
        match.set_player(seat, plugin.bot(plugin.best_bot, match.bot_stream(seat), seat))
    match.run()
    print(name, match.ply, match.digest())
"""
"""Plays every bundled game with its best bot, and prints how the matches end."""

REACHING_OUT: Final = """\
from js import Blob, URL, Worker
from pyodide.ffi import create_proxy, to_js

TRIES = '''
const address = "ADDRESS/leak";
const tries = {
    fetch: () => fetch(address),
    module: () => import(address),
    request: () => {
        const made = new XMLHttpRequest();
        made.open("GET", address, false);
        made.send();
    },
    script: () => importScripts(address),
    socket: () => new Promise((good, bad) => {
        const made = new WebSocket(address.replace("http", "ws"));
        made.onopen = good;
        made.onerror = bad;
    }),
};
(async () => {
    for (const [name, attempt] of Object.entries(tries)) {
        try {
            await attempt();
            postMessage(name + " got out");
        } catch { /* as it should be */ }
    }
    postMessage("all tried");
})().catch((error) => postMessage(String(error)));
'''
worker = Worker.new(URL.createObjectURL(Blob.new(to_js([TRIES]))))
worker.onmessage = create_proxy(lambda event: print(event.data))
"""
"""Tries to reach a server, by all that scripts have, from a worker without the mended `fetch`."""


class Trial:
    """The editor of a page, and what is done there."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.screen = Screen(page)
        # A Python that is stopped as it starts still loads a module from its own memory.
        self.screen.forgiven.append("request: blob:null/")
        self.rules = page.locator("textarea")
        self.status = page.locator(".tt-try-status")
        self.error = page.locator(".tt-try-error")
        self.prompt = page.locator(".tt-try-prompt")
        self.printed = page.locator(".tt-try-printed")

    def press(self, name: str) -> None:
        self.page.get_by_role("button", name=name, exact=True).click()

    def open(self) -> None:
        self.page.locator(".tabletop-try > button").click()
        expect(self.rules).not_to_have_value("")
        self.original = self.rules.input_value()

    def change(self, old: str, new: str) -> None:
        assert old in self.original
        self.rules.fill(self.original.replace(old, new))


@pytest.fixture(scope="module", autouse=True)
def _patience() -> None:
    """What a page should do is waited for; only this module expects anything of Playwright."""
    expect.set_options(timeout=TIMEOUT)


@pytest.fixture(scope="module")
def address(site: Path) -> Iterator[tuple[str, list[str]]]:
    with served(site) as serving:
        yield serving


@pytest.fixture(scope="module")
def trial(browser: Browser, address: tuple[str, list[str]]) -> Iterator[Trial]:
    """The page of tic-tac-toe, with its editor open: one Python for most tests."""
    page = browser.new_page(viewport={"width": WIDE[0], "height": WIDE[1]})
    made = Trial(page)
    page.goto(f"{address[0]}examples/tictactoe.html")
    made.open()
    yield made
    page.close()
    assert made.screen.faults == []


@pytest.fixture
def visitor(browser: Browser) -> Iterator[Trial]:
    """Somebody with a page of their own, as narrow as a phone."""
    page = browser.new_page(viewport={"width": NARROW[0], "height": NARROW[1]})
    yield Trial(page)
    page.close()


def test_from_a_folder_the_button_says_why_it_cannot(visitor: Trial, site: Path) -> None:
    visitor.page.goto(f"{(site / 'index.html').as_uri()}")
    visitor.page.locator(".tabletop-try > button").click()
    said = visitor.page.get_by_role("alert")
    expect(said).to_contain_text("opened from a folder, where browsers cannot start Python")


def test_nothing_of_it_is_fetched_before_somebody_asks(
    visitor: Trial, address: tuple[str, list[str]]
) -> None:
    base, asked = address
    asked.clear()
    visitor.page.goto(base, wait_until="networkidle")
    assert {path for path in asked if "in_page" in path} == {
        "/in_page/page.js",
        "/in_page/style.css",
    }
    assert visitor.screen.faults == []


def test_a_game_is_played_with_the_picture_the_list_and_the_line(trial: Trial) -> None:
    page = trial.page
    trial.press("Play")
    expect(trial.prompt).to_have_text("Player 1: your turn")
    page.get_by_label("Player 2").select_option("random")
    page.locator('.tt-try-picture [data-part="cell-5"]').click()
    log = page.get_by_label("What has happened")
    expect(log).to_contain_text("Player 1: 5\nPlayer 2: ")
    expect(trial.prompt).to_have_text("Player 1: your turn")
    page.get_by_label("Or type it").fill("5")
    page.keyboard.press("Enter")
    expect(trial.error).to_contain_text("cell 5 is taken")
    before = log.text_content() or ""
    page.locator(".tt-try-choices button").first.click()
    expect(log).not_to_have_text(before)
    expect(trial.error).to_be_empty()
    assert page.locator(".tt-try-picture img").get_attribute("src", timeout=0) is not None


def test_nothing_at_the_table_keeps_people_out(trial: Trial) -> None:
    schemes: tuple[Literal["dark", "light"], ...] = ("dark", "light")
    for scheme in schemes:
        trial.page.emulate_media(color_scheme=scheme)
        trial.page.wait_for_timeout(300)  # colours fade
        assert barriers(trial.screen, ".tt-try-bench") == []


@pytest.mark.matrix
def test_all_bundled_games_end_as_they_do_with_this_python(trial: Trial) -> None:
    here = io.StringIO()
    with redirect_stdout(here):
        exec(MATCHES, {})
    newest = "import sys\nassert sys.version_info[:2] == (3, 14)\n"
    trial.rules.fill(f"{newest}{MATCHES}\nPLUGIN = plugin\n")
    trial.press("Play")
    expect(trial.prompt).to_be_visible()
    ended = here.getvalue()
    assert len(ended.splitlines()) == 6
    assert trial.printed.text_content() == ended


@pytest.mark.matrix
def test_a_game_is_checked(trial: Trial) -> None:
    trial.rules.fill(trial.original)
    trial.press("Check")
    expect(trial.status).to_contain_text("tictactoe keeps the contract: 20 matches")
    expect(trial.status).to_contain_text("another Python process cannot be started")
    expect(trial.status).not_to_contain_text("Errno")


@pytest.mark.matrix
def test_a_tile_is_seen_where_it_would_lie_and_turned_before_it_is_laid(trial: Trial) -> None:
    page = trial.page
    picture, log = page.locator(".tt-try-picture"), page.get_by_label("What has happened")
    trial.rules.fill((EXAMPLES / "herons.py").read_text("utf-8"))
    page.get_by_label("Seed").fill("plum")
    trial.press("Play")
    expect(trial.prompt).to_contain_text("Player 1: Place ")

    def part(name: str) -> Locator:
        return picture.locator(f'[data-part="{name}"]')

    def drawn() -> str:
        """The source of the image."""
        return unquote(picture.locator("img").get_attribute("src") or "")

    expect(part("1,0=0")).to_be_hidden()
    part("1,0").click()
    expect(trial.prompt).to_have_text("Place the tile (click it to turn it)")
    assert drawn().count('visibility="visible"') == 1
    part("1,0>1").click()
    expect(part("1,0=0")).to_be_hidden()
    expect(part("1,0=1")).to_be_visible()
    page.locator(".tt-try-choices").get_by_role("button", name="Show all").click()
    assert 'visibility="visible"' not in drawn()
    part("1,0").click()
    part("1,0>1").click()
    part("1,0=1").click()
    expect(log).to_contain_text("Player 1 places a tile (right).")


def test_a_mistake_is_shown_with_the_line_where_it_is(trial: Trial) -> None:
    trial.change("state.free -= 1", "state.fre -= 1")
    line = trial.original[: trial.original.index("state.free -= 1")].count("\n") + 1
    trial.press("Check")
    expect(trial.error).to_contain_text("has no attribute 'fre'")
    trial.press(f"Go to line {line}")
    selected = "area => area.value.slice(area.selectionStart, area.selectionEnd)"
    assert trial.rules.evaluate(selected).strip() == "state.fre -= 1"


def test_what_runs_there_reaches_nothing(trial: Trial, address: tuple[str, list[str]]) -> None:
    base, asked = address
    trial.screen.forgiven += ["Content Security Policy", "leak"]
    trial.rules.fill(REACHING_OUT.replace("ADDRESS/", base))
    trial.press("Play")
    expect(trial.printed).to_have_text("all tried\n")
    assert [path for path in asked if "leak" in path] == []
    assert trial.page.evaluate("document.querySelector('iframe').sandbox.value") == "allow-scripts"


def test_an_endless_loop_is_stopped(trial: Trial) -> None:
    trial.rules.fill("print('round')\nwhile True:\n    pass\n")
    trial.press("Play")
    expect(trial.printed).to_have_text("round\n")
    expect(trial.status).to_contain_text("in an endless loop, press Stop", timeout=60_000)
    trial.press("Stop")
    expect(trial.status).to_have_text("Stopped.")
    assert trial.page.locator("iframe").count() == 0
    expect(trial.page.get_by_role("button", name="Play", exact=True)).to_be_enabled()


def test_a_link_shows_a_game_and_runs_nothing(
    trial: Trial, visitor: Trial, address: tuple[str, list[str]]
) -> None:
    rules = "raise SystemExit('it ran')  # <img src=x onerror=alert(1)>\n"
    trial.rules.fill(rules)
    trial.page.get_by_label("Seed").fill("a <b>seed</b>")
    trial.press("Copy a link")
    expect(trial.status).to_contain_text("address bar")
    asked = address[1]
    asked.clear()
    visitor.page.goto(trial.page.url)
    expect(visitor.rules).to_have_value(rules)
    expect(visitor.page.get_by_label("Seed")).to_have_value("a <b>seed</b>")
    expect(visitor.page.get_by_text("the author of the link wrote it")).to_be_visible()
    assert [path for path in asked if "in_page/files" in path] == []
    assert visitor.page.locator("iframe").count() == 0
    assert visitor.screen.faults == []


@pytest.mark.parametrize(
    ("words", "why"), [("A" * 24001, "too long"), ("!", ""), ("q1YqLs9ML1GyUipKTVGqBQA", "")]
)
def test_a_link_that_holds_no_game_says_so(
    visitor: Trial, address: tuple[str, list[str]], words: str, why: str
) -> None:
    visitor.page.goto(f"{address[0]}#try={words}")
    said = visitor.page.get_by_role("alert")
    expect(said).to_contain_text("This link cannot be opened")
    expect(said).to_contain_text(why)


def test_tab_indents_and_leaves_after_escape(trial: Trial) -> None:
    trial.rules.fill("")
    keys = trial.page.keyboard
    keys.press("Tab")
    keys.type("x")
    keys.press("Tab")
    expect(trial.rules).to_have_value("    x   ")
    keys.press("Escape")
    keys.press("Tab")
    expect(trial.page.get_by_label("Seed")).to_be_focused()
    expect(trial.rules).to_have_value("    x   ")


def test_the_editor_fits_a_phone(trial: Trial) -> None:
    trial.page.set_viewport_size({"width": NARROW[0], "height": NARROW[1]})
    wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert trial.page.evaluate(wide) == 0
