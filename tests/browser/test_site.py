"""The built site in a browser: what its search finds, and what its buttons copy."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import WIDE
from tests.browser.files import served

pytestmark = pytest.mark.slow

PATIENCE: Final = 60_000
"""So many milliseconds there are for the search to read its index: machines are busy."""

FOUND: Final = {
    "simultaneous": "how-to/simultaneous-choice/",
    "reward": "guide/environments/",
    "undo": "how-to/undo-limits/",
    "pip install": "",
    "draw a card": "guide/parts/piles/",
    "save": "play/tabletop/",
    "bot": "how-to/own-bot/",
    "score": "guide/contract/",
    "balance": "how-to/study-balance/",
    "embed": "how-to/embed-a-match/",
    "packaging": "how-to/package-a-game/",
}
"""Where the first answer of the search is to lead."""


@pytest.fixture(scope="module")
def page(browser: Browser, site: Path) -> Iterator[Page]:
    """The first page, as a server on this machine serves it."""
    with served(site) as (address, _):
        context = browser.new_context(
            base_url=address,
            viewport={"width": WIDE[0], "height": WIDE[1]},
            permissions=["clipboard-read", "clipboard-write"],
        )
        page = context.new_page()
        page.goto("")
        yield page
        context.close()


def test_the_search_finds_the_page_that_is_meant(page: Page) -> None:
    box = page.locator(".md-search__input")
    first = page.locator(".md-search-result__item > a").first
    for words, place in FOUND.items():
        box.click()
        box.fill(words)
        box.press("End")  # it looks when a key goes up
        expect(first).to_have_attribute("href", f"{page.url}{place}", timeout=PATIENCE)


def test_what_is_copied_is_code_without_prompts_and_answers(page: Page) -> None:
    def copy(words: str) -> str:
        block = page.locator(".highlight", has_text=words)
        block.hover()
        block.get_by_role("button").click()
        copied: str = page.evaluate("navigator.clipboard.readText()")
        return copied

    page.goto("")
    assert copy("tabletop check nim.py") == (
        "tabletop check nim.py\n"
        "tabletop play nim.py --bot 1=hard --bot 2=random \\\n"
        '  --seed "old oak" --no-record --no-score | tail -n 1'
    )
    assert copy("from nim import Nim").startswith(
        "from nim import Nim\n"
        "from tabletop import Match, Random\n"
        'match = Match(Nim(), seed="brave old world")\n'
        "match.play(3)\n"
        "match.state\n"
        "match.undo()\n"
    )
    assert copy("class Heap").startswith("from tabletop import Game, Outcome, State, state\n\n\n@")
