"""Take pictures of pages for people to look at.

    python -m tests.browser.screenshots FOLDER [WORD ...]
    python -m tests.browser.screenshots docs

Every scene is taken on a wide screen and on a phone in both orientations, light and dark. With
words, only the scenes are taken whose names contain one of them. `docs` takes the pictures of the
documentation, in `docs/images`.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable, Sequence
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

LOAD_PICTURES: Final = """() => Promise.all([...document.images].map((image) => {
    image.loading = "eager";
    return image.complete || new Promise((loaded) => { image.onload = image.onerror = loaded; });
}))"""

Come = Callable[[], Screen]
"""Returns the empty page of a new visitor."""


def lobby(server: Server, come: Come) -> Screen:
    """Return the page with the gallery of games."""
    screen = come()
    screen.page.goto(server.lobby)
    screen.page.wait_for_selector("#games-list li")
    screen.page.evaluate(LOAD_PICTURES)
    return screen


def invitation(server: Server, come: Come) -> Screen:
    """Return a lobby that shows the invitation to a new table."""
    screen = lobby(server, come)
    screen.page.locator("[data-game=lcr]").get_by_role("button", name="Play with friends").click()
    screen.page.wait_for_selector("#invite[open]")
    return screen


def invited(server: Server, come: Come) -> Screen:
    """Return the page that an invitation opens."""
    link = invitation(server, come).page.input_value("#invite-link")
    screen = come()
    screen.page.goto(link)
    screen.page.wait_for_selector("#sit", state="visible")
    return screen


def tutorial(server: Server, come: Come) -> Screen:
    """Return a table with a lesson."""
    screen = come()
    screen.page.goto(staged(server, "sorcery-beginning").replace("#", "?learn#"))
    return shown(screen)


def two_people(server: Server, come: Come, **settings: object) -> tuple[Screen, Screen]:
    """Return the pages of Ada and Bo at a new table of Sorcery."""
    links = server.open("sorcery", names=["Ada", "Bo"], seed="old oak", **settings)["links"]
    ada, bo = come(), come()
    for screen, link in ((ada, links[0]), (bo, links[1])):
        screen.page.goto(link)
        screen.settled()
    return ada, bo


def resignation(server: Server, come: Come) -> Screen:
    """Return a table that asks before a player resigns."""
    ada, _ = two_people(server, come)
    ada.page.click("#open-concede")
    return ada


def draw_offer(server: Server, come: Come) -> Screen:
    """Return the page of a player who is offered a draw."""
    ada, bo = two_people(server, come)
    bo.page.click("#open-concede")
    bo.page.click("#offer-draw")
    ada.page.wait_for_selector("#consent-yes")
    return ada


def time_loss(server: Server, come: Come) -> Screen:
    """Return the page of a player who has lost on time."""
    ada, _ = two_people(server, come, clock=1)
    ada.until(lambda: ada.over, "the end")
    return ada.settled()


def rematch(server: Server, come: Come) -> Screen:
    """Return the page of a player who is offered a rematch."""
    ada, bo = two_people(server, come)
    bo.page.click("#open-concede")
    bo.page.click("#resign")
    bo.page.click("#again")
    ada.page.wait_for_selector("#rematch", state="visible")
    return ada


MOMENTS: Final = {
    it.__name__.replace("_", "-"): it
    for it in (lobby, invitation, invited, tutorial, resignation, draw_offer, time_loss, rematch)
}
"""Scenes that need more than played actions."""


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
    """Take the pictures whose names contain one of the words."""
    wanted = [name for name in (*MOMENTS, *SCENES) if any(word in name for word in words or [""])]
    for name, (size, pixels), scheme in product(wanted, SIZES.items(), SCHEMES):
        come = partial(visitors.come, size=pixels, scheme=scheme)
        if name in MOMENTS:
            screen = MOMENTS[name](server, come)
        else:
            screen = come()
            screen.page.goto(staged(server, name))
            shown(screen)
        take(screen, folder / f"{name}-{size}-{scheme}.png")
        visitors.leave()


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
