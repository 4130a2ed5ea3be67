"""A server, a Chromium, and pages that are watched: every fault of a page fails its test."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import pytest
from playwright.sync_api import Browser, BrowserContext, sync_playwright

from tests.browser.chromium import ARGUMENTS, find_chromium, missing
from tests.browser.screen import Screen
from tests.browser.server import Server, served

WIDE = (1280, 800)
NARROW = (390, 844)


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """One Chromium for all tests of this folder that a process runs.

    It is gone before other tests begin: while it is there, no other event loop runs on this thread.
    """
    path = find_chromium()
    if path is None:
        pytest.fail(missing(), pytrace=False)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(ARGUMENTS))
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for the tests of a module: each test opens tables of its own there."""
    with served(tmp_path_factory.mktemp("tables")) as server:
        yield server


class Visitors:
    """People who come with a browser each: every one has cookies and storage of their own."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self.contexts: list[BrowserContext] = []
        self.screens: list[Screen] = []

    def come(
        self,
        *,
        size: tuple[int, int] = WIDE,
        scheme: Literal["light", "dark"] = "light",
        motion: Literal["reduce", "no-preference"] = "reduce",
    ) -> Screen:
        """Somebody with an empty page."""
        context = self._browser.new_context(
            viewport={"width": size[0], "height": size[1]},
            color_scheme=scheme,
            reduced_motion=motion,
            has_touch=size[0] < 600,
        )
        self.contexts.append(context)
        return self.another_tab(context)

    def another_tab(self, context: BrowserContext) -> Screen:
        """An empty page beside others of the same person."""
        screen = Screen(context.new_page())
        self.screens.append(screen)
        return screen

    def follow(self, screen: Screen, selector: str) -> Screen:
        """The page that a link opens in another tab."""
        with screen.page.expect_popup() as opening:
            screen.page.click(selector)
        opened = Screen(opening.value)
        self.screens.append(opened)
        opened.page.wait_for_load_state()
        return opened

    def sit(
        self,
        link: str,
        *,
        size: tuple[int, int] = WIDE,
        scheme: Literal["light", "dark"] = "light",
        motion: Literal["reduce", "no-preference"] = "reduce",
    ) -> Screen:
        """Somebody who has opened a link of a table, and is shown it."""
        screen = self.come(size=size, scheme=scheme, motion=motion)
        screen.page.goto(link)
        return screen.settled()


@pytest.fixture
def visitors(browser: Browser) -> Iterator[Visitors]:
    """People with browsers; nothing may go wrong on any of their pages."""
    people = Visitors(browser)
    yield people
    faults = [fault for screen in people.screens for fault in screen.faults]
    for context in people.contexts:
        context.close()
    assert faults == []
