"""Bots of the person at this machine: programs, and files of learnt values.

Only a command line or a call may name one, never a record or a page: who names it says what is run
here, and what is read.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from tabletop.registry import LEARNT, PROGRAM, BotMaker, Plugin, is_for_command_line
from tabletop.rules.options import Options


def with_own_bots(
    plugin: Plugin,
    names: Iterable[str],
    *,
    options: Options | None = None,
    seats: int | None = None,
) -> Plugin:
    """Return the plugin with bots whose names are like `exec:./mybot` or `learnt:FILE`.

    Args:
        plugin: the plugin.
        names: the names of bots; those that the plugin knows by itself are passed over.
        options: what learnt values have to suit; by default what is usual.
        seats: as `options`.

    Raises:
        ContractError, ValueError: there is no such program or file, or it does not suit the game.
    """
    own: dict[str, BotMaker] = {}
    for name in filter(is_for_command_line, names):
        if name.startswith(LEARNT):
            own[name] = _learnt(name, plugin, options, seats)
        else:
            from tabletop.bots.external import external_bot

            own[name] = external_bot(name.removeprefix(PROGRAM))
    return replace(plugin, bots={**plugin.bots, **own}) if own else plugin


def _learnt(name: str, plugin: Plugin, options: Options | None, seats: int | None) -> BotMaker:
    from tabletop.envs.policies import learnt_bot

    return learnt_bot(name, plugin, options=options, seats=seats)
