"""What can be asked at the prompt, besides what changes the game (Sorcery 2024 §5.1)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Final

from sorcery.actions import COMMANDS, RITUAL, Attack, Place
from sorcery.checks import missing_target, obstacle_to
from sorcery.editions import Edition
from sorcery.state import MOST_MINIONS, Minion, Ritual, SorceryState
from tabletop import Choice, Command, CommandError, Commands, IllegalAction


@dataclass(frozen=True, slots=True)
class ShowHelp:
    """`help`."""


@dataclass(frozen=True, slots=True)
class Inspect:
    """`inspect minion`, `inspect r`, or either with a player before it; also `describe`.

    Attributes:
        first: a minion, or `RITUAL`; with `second`, the player who has it.
        second: a minion of that player, or `RITUAL`.
    """

    first: int
    second: int | None = None


@dataclass(frozen=True, slots=True)
class ShowHand:
    """`hand`."""


@dataclass(frozen=True, slots=True)
class ShowBoard:
    """`board`."""


TESTING_ONLY: Final = ("draw", "discard")
"""The commands that are listed in testing mode alone (Sorcery 2024 §5.2.3)."""

_CARDS: Final = {str(place + 1): place for place in range(MOST_MINIONS)} | {"r": RITUAL}

HELP: Final = Command("help", ShowHelp, help="Show this list.")
HAND: Final = Command("hand", ShowHand, help="Look at your hand.")
BOARD: Final = Command("board", ShowBoard, help="Look at the board.")
# The document's own, for what is printed stays as it is; people at a terminal can ask for more.
INSPECT: Final = Command(
    "inspect",
    Inspect,
    Place("minion", MOST_MINIONS, field="first"),
    help="Look at a minion and its enchantments (also: describe minion).",
    aliases=("describe",),
)
INSPECT_ANY: Final = Command(
    "inspect",
    Inspect,
    Choice("player-or-card", _CARDS, field="first"),
    Choice("card", _CARDS, optional=True, field="second"),
    help="Look at a minion and its enchantments, or at a ritual (r), of either player.",
    aliases=("describe",),
)

LOOKING: Final = Commands(HAND, BOARD, INSPECT_ANY)
"""What can be typed at the table of `tabletop play`, besides actions."""


@cache
def commands(*, all_of_them: bool, at_a_terminal: bool) -> Commands:
    """The table of commands of the program.

    Args:
        all_of_them: whether what is for testing mode alone is in it.
        at_a_terminal: whether one can inspect what the document does not speak of.
    """
    acting = [
        command for command in COMMANDS.commands if all_of_them or command.words not in TESTING_ONLY
    ]
    inspect = INSPECT_ANY if at_a_terminal else INSPECT
    return Commands(HELP, *acting, inspect, HAND, BOARD)


def inspected(state: SorceryState, edition: Edition, request: Inspect) -> Minion | Ritual:
    """The card that a request means: one of the active player, unless a player is named.

    Raises:
        CommandError: there is no such player.
        IllegalAction: there is no such card.
    """
    if request.second is None:
        seat, place = state.turn, request.first
    else:
        seat, place = request.first, request.second
        if seat not in (0, 1):
            raise CommandError("word 2 is no player: players are 1 and 2", place=2)
    side = state.sides[seat]
    if place == RITUAL:
        if side.ritual is None:
            whose = "You have" if request.second is None else f"Player {seat + 1} has"
            raise IllegalAction(f"{whose} no ritual.")
        return side.ritual
    if place >= len(side.minions):
        if request.second is None:  # for the same reason it could not attack
            raise IllegalAction(obstacle_to(state, edition, Attack(place)))
        raise IllegalAction(missing_target(state, seat, place))
    return side.minions[place]
