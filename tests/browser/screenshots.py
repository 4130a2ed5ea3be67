"""Pictures of pages, for people to look at.

    python -m tests.browser.screenshots FOLDER [WORD ...]

Every scene is shown wide and narrow, light and dark; with words, only those whose names hold one.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Sequence
from itertools import product
from pathlib import Path
from typing import Final, Literal

from playwright.sync_api import sync_playwright

from tests.browser.chromium import ARGUMENTS, find_chromium, missing
from tests.browser.conftest import NARROW, WIDE, Visitors
from tests.browser.scenes import SCENES, shown, staged
from tests.browser.screen import Screen
from tests.browser.server import Server, served

SIZES: Final = {"wide": WIDE, "narrow": NARROW}
SCHEMES: Final[tuple[Literal["light", "dark"], ...]] = ("light", "dark")


def main(arguments: Sequence[str]) -> int:
    """Make the pictures; 2 for wrong use, 1 where there is no browser."""
    if not arguments or arguments[0].startswith("-"):
        sys.stderr.write(f"{__doc__}\n")
        return 2
    path = find_chromium()
    if path is None:
        sys.stderr.write(f"screenshots: {missing()}\n")
        return 1
    folder = Path(arguments[0])
    folder.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as tables,
        served(Path(tables)) as server,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=path, args=list(ARGUMENTS))
        photograph(server, Visitors(browser, server.address), folder, arguments[1:])
        browser.close()
    return 0


def photograph(server: Server, visitors: Visitors, folder: Path, words: Sequence[str]) -> None:
    """All pictures whose names hold one of the words."""
    wanted = [name for name in ("lobby", *SCENES) if any(word in name for word in words or [""])]
    for name, (size, pixels), scheme in product(wanted, SIZES.items(), SCHEMES):
        screen = visitors.come(size=pixels, scheme=scheme)
        if name == "lobby":
            screen.page.goto(server.lobby)
            screen.page.wait_for_selector("#people-list li")
        else:
            screen.page.goto(staged(server, name))
            shown(screen.settled())
        take(screen, folder / f"{name}-{size}-{scheme}.png")
        screen.page.close()


def take(screen: Screen, path: Path) -> None:
    """A picture of a page as it is."""
    screen.page.screenshot(path=path, full_page=path.name.startswith("lobby"))
    sys.stdout.write(f"{path}\n")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
