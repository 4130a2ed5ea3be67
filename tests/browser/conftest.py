"""A server, a Chromium, and pages that are watched: every fault of a page fails its test."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import pytest
from playwright.sync_api import Browser, BrowserContext, sync_playwright

from tests.browser.chromium import ARGUMENTS, find_chromium, is_demanded, missing
from tests.browser.screen import Screen
from tests.browser.server import Server, served

WIDE = (1280, 800)
NARROW = (390, 844)
SIDEWAYS = (667, 375)


def mainly(value: object, *others: object) -> list[object]:
    """Return the values of a parameter, of which only the first is tested by `make test`."""
    return [value, *(pytest.param(it, marks=pytest.mark.matrix) for it in others)]


def browser_path() -> str:
    """Where Chromium is; where it is missing, tests are skipped, or fail where it is demanded."""
    if path := find_chromium():
        return path
    if is_demanded():
        pytest.fail(missing(), pytrace=False)
    pytest.skip(f"NOT RUN: {missing()}")


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """One Chromium for all tests of this folder that a process runs.

    It is gone before other tests begin: while it is there, no other event loop runs on this thread.
    """
    path = browser_path()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(ARGUMENTS))
        yield browser
        browser.close()


@pytest.fixture(scope="package")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for all tests that need none of their own: each opens tables of its own there."""
    with served(tmp_path_factory.mktemp("tables")) as server:
        yield server


class Visitors:
    """People at their browsers.

    Most of them have windows of one browser, because a page stores nearly everything for itself.
    Only the list of the person's own tables is shared.

    Args:
        browser: The browser.
        address: The address of a server. One page of the server stays open, so that the process of
            its pages stays, too.
    """

    def __init__(self, browser: Browser, address: str) -> None:
        self._browser = browser
        self._address = address
        self._contexts: dict[bool, BrowserContext] = {}
        self.screens: list[Screen] = []

    def come(
        self,
        *,
        size: tuple[int, int] = WIDE,
        scheme: Literal["light", "dark"] = "light",
        motion: Literal["reduce", "no-preference"] = "reduce",
        alone: bool = False,
    ) -> Screen:
        """Somebody with an empty page; `alone` in a browser of their own."""
        touch = size[0] < 600
        new = self._browser.new_context
        context = new(has_touch=touch) if alone else self._context(touch=touch)
        screen = self.another_window(context)
        screen.page.set_viewport_size({"width": size[0], "height": size[1]})
        screen.page.emulate_media(color_scheme=scheme, reduced_motion=motion)
        return screen

    def _context(self, *, touch: bool) -> BrowserContext:
        if touch not in self._contexts:
            context = self._contexts[touch] = self._browser.new_context(has_touch=touch)
            context.new_page().goto(f"{self._address}/api/games")
        return self._contexts[touch]

    def another_window(self, context: BrowserContext) -> Screen:
        """Open an empty page in a window, beside other pages of the same person.

        Chromium draws a tab in the background only once a second, and Playwright waits for that
        before each click.
        """
        if context.pages:
            with context.expect_page() as opened:
                context.pages[0].evaluate("() => { open('about:blank', '', 'popup,noopener'); }")
            screen = Screen(opened.value)
        else:
            screen = Screen(context.new_page())
        self.screens.append(screen)
        return screen

    def follow(self, screen: Screen, selector: str) -> Screen:
        """The page that a link opens in another tab."""
        pages: list[Screen] = []
        # Watched at once: a busy machine may come back from the click after the page's first words.
        screen.page.once("popup", lambda page: pages.append(Screen(page)))
        with screen.page.expect_popup():
            screen.page.click(selector)
        (opened,) = pages
        self.screens.append(opened)
        if screen.page.viewport_size is not None:
            opened.page.set_viewport_size(screen.page.viewport_size)
        opened.page.wait_for_load_state()
        return opened

    def sit(
        self,
        link: str,
        *,
        size: tuple[int, int] = WIDE,
        scheme: Literal["light", "dark"] = "light",
        motion: Literal["reduce", "no-preference"] = "reduce",
        alone: bool = False,
    ) -> Screen:
        """Somebody who has opened a link of a table, and is shown it."""
        screen = self.come(size=size, scheme=scheme, motion=motion, alone=alone)
        screen.page.goto(link)
        return screen.settled()

    def leave(self) -> list[str]:
        """Close all pages: what went wrong on them."""
        faults = [fault for screen in self.screens for fault in screen.faults]
        shared = self._contexts.values()
        for screen in self.screens:
            if screen.page.context in shared:
                screen.page.close()
            else:
                screen.page.context.close()
        self.screens.clear()
        return faults


@pytest.fixture(scope="package")
def people(browser: Browser, server: Server) -> Visitors:
    """All people who come."""
    return Visitors(browser, server.address)


@pytest.fixture
def visitors(people: Visitors) -> Iterator[Visitors]:
    """People with browsers; nothing may go wrong on any of their pages."""
    yield people
    assert people.leave() == []
