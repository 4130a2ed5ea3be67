"""The built site in a browser: search results and copy buttons."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import WIDE
from tests.browser.files import served

pytestmark = pytest.mark.slow

TIMEOUT: Final = 60_000
"""Milliseconds for the search to read its index on a busy machine."""

FOUND: Final = {
    "simultaneous": "how-to/simultaneous-choice.html",
    "reward": "how-to/learning-environments.html",
    "undo": "how-to/undo-limits.html",
    "pip install": "index.html",
    "draw a card": "how-to/parts/piles.html",
    "deck building": "how-to/deck-building.html",
    "dominion": "how-to/deck-building.html",
    "choose several cards": "how-to/choose-several.html",
    "ai opponent": "questions.html",
    "hidden role": "how-to/hidden-roles.html",
    "hidden roles": "how-to/hidden-roles.html",
    "werewolf": "how-to/hidden-roles.html",
    "resistance": "how-to/hidden-roles.html",
    "voting": "how-to/hidden-roles.html",
    "teams": "how-to/hidden-roles.html",
    "promotion": "how-to/board-pieces.html",
    "flip board": "how-to/board-pieces.html",
    "draw by repetition": "how-to/board-pieces.html",
    "minimax": "how-to/board-pieces.html",
    "alpha-beta": "concepts/bots.html",
    "notation": "how-to/board-pieces.html",
    "knight moves": "how-to/parts/grid.html",
    "reshuffle": "how-to/parts/piles.html",
    "null game": "how-to/parts/cards.html",
    "tie-break": "concepts/contract.html",
    "card text in the terminal": "how-to/pictures.html",
    "option validation": "concepts/contract.html",
    "bluff": "how-to/claims.html",
    "bridge": "how-to/bridge.html",
    "euchre": "how-to/tricks.html",
    "trump": "how-to/parts/cards.html",
    "simultaneous moves": "how-to/simultaneous-choice.html",
    "save": "how-to/save-and-replay.html",
    "bot": "how-to/own-bot.html",
    "score": "concepts/contract.html",
    "balance": "how-to/study-balance.html",
    "embed": "how-to/embed-a-match.html",
    "packaging": "how-to/package-a-game.html",
    "multiplayer": "questions.html",
    "online": "questions.html",
    "timer": "questions.html",
    "deploy": "how-to/deploy.html",
    "translate": "questions.html",
    "docker": "questions.html",
    "discord": "questions.html",
    "license": "questions.html",
    "run 10,000 games": "questions.html",
    "hide a card": "questions.html",
    "publish": "questions.html",
    "save a match": "how-to/save-and-replay.html",
    "reproducible": "concepts/determinism.html",
    "hexes": "questions.html",
    "@state": "concepts/state.html",
    "version": "how-to/new-version-of-rules.html",
    "trick taking": "how-to/tricks.html",
    "rng": "concepts/randomness.html",
    "matchmaking": "how-to/deploy.html",
    "reconnect": "how-to/deploy.html",
    "save game": "how-to/save-and-replay.html",
    "train an agent": "how-to/train-an-agent.html",
}
"""The page of the first search result, by words."""


@pytest.fixture(scope="module")
def page(browser: Browser, site: Path) -> Iterator[Page]:
    """The first page, served by a local server."""
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


@pytest.mark.matrix
def test_the_search_finds_the_page_that_is_meant(page: Page) -> None:
    box = page.locator(".md-search__input")
    answers = page.locator(".md-search-result__item > a")
    for words, place in FOUND.items():
        box.click()
        box.fill("")
        box.press("End")  # the search runs when a key is released
        expect(answers).to_have_count(0, timeout=TIMEOUT)  # wait until earlier results are gone
        box.fill(words)
        box.press("End")
        expect(answers.first).to_have_attribute("href", f"{page.url}{place}", timeout=TIMEOUT)


def test_a_letter_finds_nothing(page: Page) -> None:
    box = page.locator(".md-search__input")
    box.click()
    box.fill("undo")
    box.press("End")
    expect(page.locator(".md-search-result__item").first).to_be_visible(timeout=TIMEOUT)
    box.fill("a")
    box.press("End")
    expect(page.locator(".md-search-result__item").first).to_be_hidden()


def test_the_site_is_searched_and_read_from_a_folder(browser: Browser, site: Path) -> None:
    page = browser.new_page(viewport={"width": WIDE[0], "height": WIDE[1]})
    page.goto((site / "index.html").as_uri())
    box = page.locator(".md-search__input")
    box.click()
    box.fill("hexes")
    box.press("End")
    first = page.locator(".md-search-result__item > a").first
    expect(first).to_have_attribute("href", re.compile("questions.html"), timeout=TIMEOUT)
    first.click()
    expect(page.get_by_role("heading", name="Is there a board of hexes?")).to_be_visible()
    page.close()


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
    assert re.match(r'""".+"""\n\nfrom tabletop import', copy("class Heap"))
