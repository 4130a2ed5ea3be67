"""The skin of a game: found, imported, and checked when it is made."""

from __future__ import annotations

from importlib import import_module

from tabletop.errors import RegistryError
from tabletop.registry import Plugin
from tabletop.terminal.screen import Screen
from tabletop.terminal.skin import Skin, SkinMaker


def skin_of(plugin: Plugin) -> SkinMaker:
    """What makes the skin of a game: its module's `SKIN`, or the one of every table.

    Raises:
        RegistryError: that is no skin.
    """
    found = plugin.skin
    if isinstance(found, str):
        module, _, name = found.partition(":")
        try:
            found = getattr(import_module(module), name)
        except (ImportError, AttributeError) as error:
            raise RegistryError(f"{plugin.source}: SKIN is {plugin.skin!r}: {error}") from error
    if found is None:
        return Skin
    if not callable(found):
        raise RegistryError(f"{plugin.source}: SKIN is {found!r}, not a class derived from Skin")
    maker = found

    def make(screen: Screen) -> Skin:
        skin: object = maker(screen)
        if not isinstance(skin, Skin):
            raise RegistryError(f"{plugin.source}: SKIN makes {skin!r}, which is no Skin")
        return skin

    return make
