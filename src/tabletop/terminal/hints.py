"""The bot that chooses a hint for a person at a terminal, who may stop it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from tabletop.errors import CommandError
from tabletop.registry import Plugin, bot_label
from tabletop.terminal.console import Console
from tabletop.terminal.signals import first_interrupt

if TYPE_CHECKING:
    from tabletop.table.bot_pool import Answer, Question


def choose_hint(question: Question, plugin: Plugin, console: Console) -> Answer:
    """Let a bot choose a hint. If the bot can be stopped, the terminal shows how.

    Raises:
        CommandError: The bot has failed.
    """
    from tabletop.table.bot_pool import answer  # needed only for hints

    label = bot_label(question.bot)
    said = f"The {label} is thinking. (Ctrl-C: it shows its best action so far.)"

    @contextmanager
    def stopping(stop: Callable[[], object]) -> Iterator[None]:
        with first_interrupt(stop), console.meanwhile(said):  # the text explains Ctrl-C
            yield

    found = answer(question, plugin, stopping=stopping)
    if found.error:
        raise CommandError(f"the {label} has failed: {found.error}")
    return found
