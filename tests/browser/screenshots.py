"""Pictures of pages, for people to look at.

    python -m tests.browser.screenshots FOLDER [WORD ...]
    python -m tests.browser.screenshots docs

Every scene is shown wide, narrow and sideways, light and dark; with words, only those whose names
hold one.
With `docs` those of the documentation are taken anew, in `docs/images`.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Sequence
from functools import partial
from io import BytesIO
from itertools import product
from pathlib import Path
from typing import Final, Literal
from unittest import mock

from PIL import Image
from playwright.sync_api import sync_playwright

from tabletop.registry import load
from tests.browser.chromium import ARGUMENTS, find_chromium, missing
from tests.browser.conftest import NARROW, SIDEWAYS, WIDE, Visitors
from tests.browser.policies import eager
from tests.browser.scenes import SCENES, Scene, constructor, played, shown, sorcery, staged
from tests.browser.screen import Screen
from tests.browser.server import Server, served

SIZES: Final = {"wide": WIDE, "narrow": NARROW, "sideways": SIDEWAYS}
Scheme = Literal["light", "dark"]
SCHEMES: Final[tuple[Scheme, ...]] = ("light", "dark")
IMAGES: Final = Path(__file__).parents[2] / "docs" / "images"
SHOWN: Final = {
    "sorcery": sorcery(7, names=["Ada", "Bo"]),
    "constructor": constructor(42, names=["Ada", "Bo", "Cy", "Di"]),
}
"""The scenes of the pictures in the documentation."""
CANOES: Final = Path(__file__).parents[2] / "examples" / "canoes.py"
RIVERS: Final = Scene(
    {"game": "upriver", "names": ["Ada", "Bo"], "players": ["human", "easy"], "seed": "old oak"},
    partial(eager, ["lay", "draw"]),
    35,
)
"""A game with a page of its own, and its scene."""


def main(arguments: Sequence[str]) -> int:
    """Make the pictures; 2 for wrong use, 1 where there is no browser."""
    if not arguments or arguments[0].startswith("-"):
        sys.stderr.write(f"{__doc__}\n")
        return 2
    path = find_chromium()
    if path is None:
        sys.stderr.write(f"screenshots: {missing()}\n")
        return 1
    for_docs = list(arguments) == ["docs"]
    folder = IMAGES if for_docs else Path(arguments[0])
    folder.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as tables,
        mock.patch.dict(os.environ, {"XDG_DATA_HOME": tables, "XDG_STATE_HOME": tables}),
        served(Path(tables), games=[load(str(CANOES))]) as server,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=path, args=list(ARGUMENTS))
        visitors = Visitors(browser, server.address)
        if for_docs:
            photograph_for_docs(server, visitors)
        else:
            photograph(server, visitors, folder, arguments[1:])
        browser.close()
    return 0


def photograph(server: Server, visitors: Visitors, folder: Path, words: Sequence[str]) -> None:
    """All pictures whose names hold one of the words."""
    wanted = [name for name in ("lobby", *SCENES) if any(word in name for word in words or [""])]
    for name, (size, pixels), scheme in product(wanted, SIZES.items(), SCHEMES):
        screen = visitors.come(size=pixels, scheme=scheme)
        if name == "lobby":
            screen.page.goto(server.lobby)
            screen.page.wait_for_selector("#games-list li")
        else:
            screen.page.goto(staged(server, name))
            shown(screen.settled())
        take(screen, folder / f"{name}-{size}-{scheme}.png")
        screen.page.close()


def photograph_for_docs(server: Server, visitors: Visitors) -> None:
    """A wide picture of each game in the middle of a match, and a narrow one of all of them."""
    for game, scene in SHOWN.items():
        keep(looked_at(server, visitors, scene, WIDE, "light"), IMAGES / f"{game}.png")
    phones = [looked_at(server, visitors, scene, NARROW, "dark") for scene in SHOWN.values()]
    both = Image.new("RGB", (NARROW[0] * len(phones), NARROW[1]))
    for place, phone in enumerate(phones):
        both.paste(phone, (place * NARROW[0], 0))
    keep(both, IMAGES / "phone.png")
    faced = visitors.come(size=(780, 660))
    faced.page.goto(played(server, RIVERS))
    faced.page.frame_locator("#frame").locator(".river").first.wait_for()
    keep(opened(faced.page.screenshot()), IMAGES / "canoes.png")


def looked_at(
    server: Server, visitors: Visitors, scene: Scene, size: tuple[int, int], scheme: Scheme
) -> Image.Image:
    """A screenshot of a scene."""
    screen = visitors.come(size=size, scheme=scheme)
    screen.page.goto(played(server, scene))
    picture = shown(screen.settled()).page.screenshot()
    screen.page.close()
    return opened(picture)


def opened(picture: bytes) -> Image.Image:
    """A picture out of a file."""
    return Image.open(BytesIO(picture)).convert("RGB")


def keep(picture: Image.Image, path: Path) -> None:
    """Write a picture in 256 colours, which nobody sees and which is a third of the bytes."""
    picture.quantize(256, dither=Image.Dither.NONE).save(path, optimize=True)
    sys.stdout.write(f"{path}\n")


def take(screen: Screen, path: Path) -> None:
    """A picture of a page as it is."""
    screen.page.screenshot(path=path, full_page=path.name.startswith("lobby"))
    sys.stdout.write(f"{path}\n")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
