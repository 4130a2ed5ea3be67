"""The commands of the prompt that are not actions, with the help (Sorcery 2024 §5.1).

Piped input gets exactly the document's texts. People at a terminal get more.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from sorcery.cards.editions import Edition
from sorcery.cards.errors import ActionAborted
from sorcery.cards.state import PLACES, Minion, Ritual, SorceryState
from sorcery.rules.actions import RITUAL, Attack, commands_of, places_on_board
from sorcery.rules.legal import missing_target, why_not
from tabletop import (
    Argument,
    Choice,
    Command,
    CommandError,
    Commands,
    ContractError,
    IllegalAction,
    Ordinal,
)
from tabletop.terminal import with_place


@dataclass(frozen=True, slots=True)
class Show:
    """A command that displays something: `help`, `hand`, `board`, or our own `log`."""

    verb: str


@dataclass(frozen=True, slots=True)
class Inspect:
    """`inspect minion`, `inspect r`, or either with a player before it; also `describe`."""

    first: int  # A minion or `RITUAL`. With `second`, it is the player.
    second: int | None = None  # a minion of that player, or `RITUAL`


TESTING_ONLY: Final = ("draw", "discard")  # only in testing mode (Sorcery 2024 §5.2.3)

HELP_COMMAND: Final = Command("help", Show, help="Show this list.")
LOOKING: Final = tuple(
    Command(word, Show, help=text)
    for word, text in (
        ("hand", "Look at your hand."),
        ("board", "Look at the board."),
        ("log", "Show everything that happened in your opponent's last turn."),
    )
)


def _inspect_command(most_minions: int, *, at_a_terminal: bool) -> Command:
    """Return the document's command, or at a terminal a command for any card on the board."""
    cards = places_on_board(most_minions)
    arguments: list[Argument] = [Ordinal("minion", most_minions, field="first")]
    text = "Look at a minion and its enchantments (also: describe minion)."
    if at_a_terminal:
        arguments = [
            Choice("player-or-card", cards, field="first"),
            Choice("card", cards, optional=True, field="second"),
        ]
        text = "Look at a minion and its enchantments, or at a ritual (r), of either player."
    return Command("inspect", Inspect, *arguments, help=text, aliases=("describe",))


@cache
def look_commands(most_minions: int) -> Commands:
    """Return the commands of `tabletop play` that are not actions."""
    return Commands(*LOOKING, _inspect_command(most_minions, at_a_terminal=True))


@cache
def commands(
    most_cards: int = PLACES,
    most_minions: int = PLACES,
    *,
    all_of_them: bool,
    at_a_terminal: bool,
) -> Commands:
    """Return the commands of the program.

    In testing mode, all of them are available. At a terminal, there are also commands that the
    document does not specify.
    """
    acting = [
        command
        for command in commands_of(most_cards, most_minions).commands
        if all_of_them or command.words not in TESTING_ONLY
    ]
    inspect = _inspect_command(most_minions, at_a_terminal=at_a_terminal)
    shown = LOOKING if at_a_terminal else LOOKING[:-1]
    return Commands(HELP_COMMAND, *acting, inspect, *shown)


def commands_for(
    line: str, state: SorceryState, edition: Edition, *, at_a_terminal: bool
) -> Commands:
    """Return the commands that a line may name, with those of testing mode if it names them."""
    is_listed = state.testing or line.split(maxsplit=1)[0].casefold() in TESTING_ONLY
    return commands(
        edition.most_cards,
        edition.most_minions,
        all_of_them=is_listed,
        at_a_terminal=at_a_terminal,
    )


def find_inspected(state: SorceryState, edition: Edition, request: Inspect) -> Minion | Ritual:
    """Return the card that a request means, by default of the active player.

    Raises:
        CommandError: The player does not exist.
        IllegalAction: The card does not exist.
    """
    if request.second is None:
        seat, place = state.turn, request.first
    else:
        seat, place = request.first, request.second
        if seat not in (0, 1):
            raise CommandError("word 2 is not a player; the players are 1 and 2", place=2)
    side = state.sides[seat]
    if place == RITUAL:
        if side.ritual is None:
            whose = "You have" if request.second is None else f"Player {seat + 1} has"
            raise IllegalAction(f"{whose} no ritual.")
        return side.ritual
    if place >= len(side.minions):
        if request.second is None:  # the reason is the same as for an attack
            raise IllegalAction(why_not(state, edition, Attack(place)))
        raise IllegalAction(missing_target(state, seat, place))
    return side.minions[place]


# Help, and possible actions with the names of cards.

WITH_ARGUMENTS: Final = ("play", "use", "attack", "discard")  # their arguments are suggested
MOST_OFFERED: Final = 12  # suggestions, as many as targets on the document's board


def offers(line: str, hints: Sequence[str]) -> list[str]:
    """Return hints of legal actions that start with the first words of a refused line."""
    words = line.casefold().split()
    if not words or words[0] not in WITH_ARGUMENTS:
        return []
    matching: list[str] = []
    for start in (" ".join(words[:2]), words[0]):
        matching = matching or [text for text in hints if text.startswith(f"{start} ")]
    lines = [f"  {text}" for text in matching[:MOST_OFFERED]]
    if len(matching) > MOST_OFFERED:
        lines.append(f"  ... and {len(matching) - MOST_OFFERED} more")
    return ["Possible now:", *lines] if lines else []


SECOND_ABILITY: Final = " The second ability of minion 1 is used as 1.2."
NOTES: Final = f"""\
Cards and minions are counted from 1, from the left. A target-player is 1 or 2, and a target-card a
minion of that player, or r for the ritual.{SECOND_ABILITY}"""

HELP: Final = f"""\
Commands: help -- Show this list.
          end -- End your turn; the other player is next.
          quit -- Leave the game; nobody wins.
          attack minion other-minion -- Let a minion attack a minion of your opponent.
          attack minion -- Let a minion attack your opponent.
          play card [target-player target-card] -- Play a card, at a target if need be.
          use minion [target-player target-card] -- Use a minion's ability, likewise.
          inspect minion -- Look at a minion and its enchantments (also: describe minion).
          hand -- Look at your hand.
          board -- Look at the board.
{NOTES}"""
"""The text of the command `help` with piped input (Sorcery 2024 §5.1.1)."""

# Refusals.


def reason_of(error: ContractError) -> str:
    """Return why an action could not be applied. If a card has failed, add the file and line."""
    cause = error.__cause__
    return str(cause) if isinstance(cause, ActionAborted) else with_place(error)


def full_sentence(text: str) -> str:
    """Return `text` with a capital letter and a full stop."""
    text = text[:1].upper() + text[1:]
    return text if text.endswith((".", "?", "!")) else f"{text}."


NOBODY_WINS: Final = "The game is over; nobody wins."
