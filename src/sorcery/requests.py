"""What can be asked at the prompt, besides what changes the game (Sorcery 2024 §5.1)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Final

from sorcery.actions import RITUAL, Attack, Place, commands_of, places_on_board
from sorcery.editions import Edition
from sorcery.reasons import missing_target, why_not
from sorcery.state import PLACES, Minion, Ritual, SorceryState
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


@dataclass(frozen=True, slots=True)
class ShowLog:
    """`log`."""


TESTING_ONLY: Final = ("draw", "discard")
"""The commands that are listed in testing mode alone (Sorcery 2024 §5.2.3)."""

HELP: Final = Command("help", ShowHelp, help="Show this list.")
HAND: Final = Command("hand", ShowHand, help="Look at your hand.")
BOARD: Final = Command("board", ShowBoard, help="Look at the board.")
LOG: Final = Command("log", ShowLog, help="Tell all that happened in your opponent's last turn.")


def inspect_command(most_minions: int) -> Command:
    """The document's own, for what is printed stays as it is; people at a terminal get more."""
    return Command(
        "inspect",
        Inspect,
        Place("minion", most_minions, field="first"),
        help="Look at a minion and its enchantments (also: describe minion).",
        aliases=("describe",),
    )


def inspect_any_command(most_minions: int) -> Command:
    """The one that people at a terminal have: it takes any card on the board."""
    cards = places_on_board(most_minions)
    return Command(
        "inspect",
        Inspect,
        Choice("player-or-card", cards, field="first"),
        Choice("card", cards, optional=True, field="second"),
        help="Look at a minion and its enchantments, or at a ritual (r), of either player.",
        aliases=("describe",),
    )


INSPECT: Final = inspect_command(PLACES)
INSPECT_ANY: Final = inspect_any_command(PLACES)
"""As they are in both editions of the document."""


@cache
def looking(most_minions: int) -> Commands:
    """What can be typed at the table of `tabletop play`, besides actions."""
    return Commands(HAND, BOARD, LOG, inspect_any_command(most_minions))


@cache
def commands(
    most_cards: int = PLACES,
    most_minions: int = PLACES,
    *,
    all_of_them: bool,
    at_a_terminal: bool,
) -> Commands:
    """The table of commands of the program.

    Args:
        most_cards: how many cards a hand holds.
        most_minions: how many minions a board holds.
        all_of_them: whether what is for testing mode alone is in it.
        at_a_terminal: whether one can ask for what the document does not speak of.
    """
    acting = [
        command
        for command in commands_of(most_cards, most_minions).commands
        if all_of_them or command.words not in TESTING_ONLY
    ]
    inspect = inspect_any_command if at_a_terminal else inspect_command
    more = [LOG] if at_a_terminal else []
    return Commands(HELP, *acting, inspect(most_minions), HAND, BOARD, *more)


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
            raise IllegalAction(why_not(state, edition, Attack(place)))
        raise IllegalAction(missing_target(state, seat, place))
    return side.minions[place]
