"""Positions that are looked at, by tests and by people: empty, full, and with long names."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from tests.browser.policies import building, duel, rolling
from tests.browser.screen import Policy, Screen
from tests.browser.server import Server

LONG: Final = [
    "Maximiliane Wolfeschlegelsteinhausen",
    "\U0001d54e" * 24,
    "<b>Bo</b> & 'Cy' \"Di\"",
    "WWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWW",
]
"""Names as long as they may be, and as wide."""


@dataclass(frozen=True, slots=True)
class Scene:
    """A table, and how far it is played.

    Attributes:
        wish: what is asked for when it is opened.
        policy: makes how the person plays.
        turns: how many of the person's actions are played.
    """

    wish: dict[str, Any]
    policy: Callable[[str], Policy]
    turns: int = 0


def sorcery(turns: int, **more: object) -> Scene:
    """Sorcery against a bot."""
    wish = {"game": "sorcery", "players": ["human", "duelist"], "seed": "old oak", **more}
    return Scene(wish, duel, turns)


def constructor(turns: int, **more: object) -> Scene:
    """Constructor against three bots."""
    players = ["human", "builder", "builder", "builder"]
    wish = {"game": "constructor", "players": players, "seed": "old oak", **more}
    return Scene(wish, building, turns)


def lcr(turns: int, seats: int = 4, **more: object) -> Scene:
    """LCR against bots."""
    players = ["human", *["random"] * (seats - 1)]
    wish = {"game": "lcr", "players": players, "seed": "plum", **more}
    return Scene(wish, rolling, turns)


SCENES: Final = {
    "sorcery-beginning": sorcery(0),
    "sorcery-middle": sorcery(14),
    "sorcery-over": sorcery(1000),
    "sorcery-names": sorcery(8, names=LONG[:2]),
    "constructor-beginning": constructor(0),
    "constructor-middle": constructor(30),
    "constructor-names": constructor(6, names=LONG),
    "lcr-beginning": lcr(0),
    "lcr-middle": lcr(2),
    "lcr-over": lcr(1000, names=LONG),
    "lcr-crowd": lcr(1, seats=11),
}


def staged(server: Server, name: str) -> str:
    """The link of the person at a new table that is played as far as the scene of a name is."""
    return played(server, SCENES[name])


def played(server: Server, scene: Scene) -> str:
    """The link of the person at a new table that is played as far as a scene is."""
    opened = server.open(**scene.wish)
    server.play(opened["table"], scene.policy("scene"), scene.turns)
    return str(opened["links"][0])


def shown(screen: Screen) -> Screen:
    """Wait until a page asks its person, or shows the end."""
    screen.until(
        lambda: "state" in screen.told and (screen.over or screen.state["your_turn"]), "a turn"
    )
    return screen.settled()
