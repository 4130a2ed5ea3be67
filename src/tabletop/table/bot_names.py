"""The bots that clients of a table can choose."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from tabletop.errors import RegistryError
from tabletop.protocol.outgoing import BotOut
from tabletop.records.format import HUMAN
from tabletop.registry import LEVELS, Plugin, bot_label
from tabletop.rng.streams import Streams

SEARCHES: Final = ("search:1s", "search:2s", "search:5s", "search:10s")
"""The bots with a budget that can be chosen in a browser."""


def bots_of(plugin: Plugin) -> tuple[BotOut, ...]:
    """The bots of a game that can be chosen in a browser: by strength, then the game's own."""
    names = plugin.bot_names
    groups = {
        "Bots, from easy to hard": [name for name in LEVELS if name in names],
        "Made for this game": [it for it in names if it not in LEVELS and it != "random"],
        "With seconds for a move": SEARCHES if plugin.levels else (),
        "Plays anything legal": ["random"],
    }
    return tuple(
        BotOut(name, group, bot_label(name)) for group, bots in groups.items() for name in bots
    )


def player_labels(players: Sequence[str]) -> tuple[str, ...]:
    """Return what people call the bot of each seat, and an empty text for a person."""
    return tuple("" if player == HUMAN else bot_label(player) for player in players)


def hint_bot(plugin: Plugin) -> str:
    """Return the name of the bot that gives hints in a game, or an empty text if none searches."""
    if "hard" in plugin.bot_names:
        return "hard"
    return plugin.best_bot if plugin.best_bot != "random" else ""


def refuse_bot(plugin: Plugin, name: str) -> RegistryError | None:
    """Return the reason why a browser may not choose a bot, or None if it may."""
    names = [bot.name for bot in bots_of(plugin)]
    if name.casefold() in names:
        return None
    try:
        plugin.bot(name, Streams("unused")["choices"])
    except RegistryError as error:
        return error
    offered = ", ".join(names)
    return RegistryError(f"{plugin.game.name} has no bot {name!r} here; its bots: {offered}")
