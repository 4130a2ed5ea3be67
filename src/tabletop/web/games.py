"""The games that a server offers: those that are installed, and those that it was started with."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from typing import Any

from msgspec import Struct

from tabletop.errors import RegistryError
from tabletop.options import Option, OptionValue
from tabletop.registry import Plugin, installed, load
from tabletop.svg import STYLE, TOKENS
from tabletop.web.showing import picture_for
from tabletop.wording import listed, nearest

_log = logging.getLogger("tabletop")


class OptionTold(Struct, frozen=True):
    """An option of a game, as the lobby offers it."""

    name: str
    type: str
    default: OptionValue
    choices: tuple[str, ...]
    help: str
    low: float | None
    high: float | None


class GameTold(Struct, frozen=True):
    """A game, as the lobby offers it.

    Attributes:
        name: what it is asked for by.
        title: what it is called.
        seats: how many can play.
        options: what can be chosen.
        bots: who can play for a seat.
        secrets: whether it hides something from some seat.
    """

    name: str
    title: str
    seats: tuple[int, ...]
    options: tuple[OptionTold, ...]
    bots: tuple[str, ...]
    secrets: bool


class Games:
    """The games that a server offers.

    Args:
        given: games that it was started with, besides the installed ones.
        all_installed: whether those that are installed are offered as well.
    """

    def __init__(self, given: Iterable[Plugin] = (), *, all_installed: bool = True) -> None:
        self._loaded: dict[str, Plugin] = {}
        self._names = sorted(installed()) if all_installed else []
        for plugin in given:
            self._loaded[name_of(plugin)] = plugin

    def plugin(self, name: str) -> Plugin:
        """The game with a name.

        Raises:
            RegistryError: this server offers no such game.
        """
        found = self._loaded.get(name)
        if found is None:
            if name not in self._names:
                names = [*self._names, *self._loaded.keys() - set(self._names)]
                meant = nearest(name, names)
                hint = f"; did you mean {meant!r}?" if meant else ""
                offered = listed(names, "and")
                raise RegistryError(f"there is no game {name!r} here{hint} offered: {offered}")
            found = self._loaded[name] = load(name, here=False)
        return found

    def plugins(self) -> Iterator[tuple[str, Plugin]]:
        """All of them, with their names; those that cannot be loaded are left out."""
        for name in dict.fromkeys([*self._loaded, *self._names]):
            try:
                yield name, self.plugin(name)
            except RegistryError as error:
                _log.warning("%s", error)

    def told(self) -> dict[str, list[GameTold]]:
        """What the lobby is told of them."""
        games = [_told(name, plugin) for name, plugin in self.plugins()]
        return {"games": sorted(games, key=lambda game: game.title.casefold())}

    def style(self) -> str:
        """The style sheet of their pictures: colours, and the classes that they use."""
        styles = dict.fromkeys(picture_for(plugin).style for _, plugin in self.plugins())
        return "\n".join([TOKENS, STYLE, *filter(None, styles)])


def name_of(plugin: Plugin) -> str:
    """What a game is asked for by: how it is installed, or its own name."""
    return plugin.source if plugin.source in installed() else plugin.game.name


def _told(name: str, plugin: Plugin) -> GameTold:
    game = plugin.game
    return GameTold(
        name=name,
        title=game.title or game.name,
        seats=tuple(game.seats),
        options=tuple(map(_option_told, game.options)),
        bots=tuple(plugin.bots),
        secrets=game.hides_something,
    )


def _option_told(option: Option[Any]) -> OptionTold:
    return OptionTold(
        name=option.name,
        type=option.type.__name__,
        default=option.default,
        choices=option.choices,
        help=option.help,
        low=option.low,
        high=option.high,
    )
