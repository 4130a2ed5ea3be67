"""Bots that only a command line names: programs, files of learned values, and language models.

Only a command line or a function call may name such a bot, never a record or a page, because the
name determines which program runs, which file is read, and which server receives questions.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from tabletop.registry import LEARNT, MODEL, PROGRAM, BotMaker, Plugin, is_for_command_line
from tabletop.rules.options import Options

if TYPE_CHECKING:
    from tabletop.table.language_models import ModelSettings


def with_local_bots(
    plugin: Plugin,
    names: Iterable[str],
    *,
    options: Options | None = None,
    seats: int | None = None,
    models: ModelSettings | None = None,
) -> Plugin:
    """Return the plugin with additional bots: `exec:./mybot`, `learnt:FILE` or `llm:MODEL`.

    Args:
        plugin: The plugin.
        names: The names of bots. Other names are ignored.
        options: The options of the match, for learned values. The default is the game's defaults.
        seats: The number of seats, for learned values. The default is the game's default.
        models: The settings of language models.

    Raises:
        ContractError, ValueError: The program or file does not exist, or does not fit the game.
    """
    local: dict[str, BotMaker] = {}
    for name in filter(is_for_command_line, names):
        if name.startswith(LEARNT):
            local[name] = _learnt(name, plugin, options, seats)
        elif name.startswith(MODEL):
            from tabletop.table.language_models import LanguageModel, Model, ModelSettings

            model = Model(name, models or ModelSettings())
            local[name] = partial(LanguageModel, plugin=plugin, model=model)
        else:
            from tabletop.bots.external import external_bot

            made = external_bot(name.removeprefix(PROGRAM))
            local[name] = partial(made, parse=plugin.text.parse)
    return replace(plugin, bots={**plugin.bots, **local}) if local else plugin


def _learnt(name: str, plugin: Plugin, options: Options | None, seats: int | None) -> BotMaker:
    from tabletop.envs.policies import learnt_bot

    return learnt_bot(name, plugin, options=options, seats=seats)
