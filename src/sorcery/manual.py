"""What `help` says: a line for each way to type a command, made of the table of commands.

What is printed for programs is the document's list, to the character (Sorcery 2024 §5.1.1).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from sorcery.card import Card
from sorcery.hints import has_two_abilities
from sorcery.requests import INSPECT, INSPECT_ANY, commands
from sorcery.state import SorceryState
from sorcery.styles import wrap
from tabletop import Commands

_TITLE: Final = "Commands: "
_SECOND_ABILITY: Final = " The second ability of minion 1 is used as 1.2."

FORMS: Final[Mapping[str, tuple[tuple[str, str], ...]]] = {
    "attack MINION [TARGET]": (
        ("attack minion other-minion", "Let a minion attack a minion of your opponent."),
        ("attack minion", "Let a minion attack your opponent."),
    ),
    INSPECT_ANY.usage: (
        ("inspect minion", INSPECT.help),
        ("inspect player minion", "Look at a minion of either player."),
        ("inspect [player] r", "Look at a ritual."),
    ),
}
"""Commands that are explained in several lines, by their usage."""

NOTES: Final = f"""\
Cards and minions are counted from 1, from the left. A target-player is 1 or 2, and a target-card a
minion of that player, or r for the ritual.{_SECOND_ABILITY}"""
"""What stands below the commands."""


def _lines(table: Commands) -> Iterator[str]:
    """The lines of the commands of a table, set in below each other."""
    start = _TITLE
    for command in table.commands:
        for typed, text in FORMS.get(command.usage, ((command.usage.lower(), command.help),)):
            yield f"{start}{typed} -- {text}"
            start = " " * len(_TITLE)


HELP: Final = "\n".join([*_lines(commands(all_of_them=False, at_a_terminal=False)), NOTES])
"""What the command `help` prints where nobody sits (Sorcery 2024 §5.1.1)."""


def notes_for(state: SorceryState, cards: Mapping[str, Card], width: int) -> list[str]:
    """What stands below the commands at a terminal; second abilities only where there is one.

    Args:
        state: what lies on the table.
        cards: which cards there are.
        width: of the terminal, in cells.
    """
    notes = NOTES if has_two_abilities(state, cards) else NOTES.removesuffix(_SECOND_ABILITY)
    return wrap(" ".join(notes.split("\n")), width)
