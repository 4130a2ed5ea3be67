"""The actions of a player, and the commands that players type for them (Sorcery 2024 §5.1).

Places are counted from 0 in actions, and from 1 in typed commands.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from typing_extensions import override

from sorcery.cards.state import PLACES
from tabletop import Choice, Command, Commands, Integer, Ordinal, Seat

RITUAL: Final = -1  # the place of a player's ritual, typed as `r`


@dataclass(frozen=True, slots=True)
class EndTurn:
    """End the turn (Sorcery 2024 §5.1.2)."""

    def __str__(self) -> str:
        return "end"


@dataclass(frozen=True, slots=True)
class QuitGame:
    """End the game at once, without a winner (Sorcery 2024 §5.1.3)."""

    def __str__(self) -> str:
        return "quit"


@dataclass(frozen=True, slots=True)
class DrawCard:
    """Draw a card (Sorcery 2024 §5.1.4). Only in testing mode."""

    def __str__(self) -> str:
        return "draw"


@dataclass(frozen=True, slots=True)
class Discard:
    """Discard a card from the hand (Sorcery 2024 §5.1.5). Only in testing mode."""

    card: int

    def __str__(self) -> str:
        return f"discard {self.card + 1}"


@dataclass(frozen=True, slots=True)
class Attack:
    """Attack a minion of the opponent, or the opponent (Sorcery 2024 §5.1.6)."""

    minion: int
    target: int | None = None

    def __str__(self) -> str:
        target = "" if self.target is None else f" {self.target + 1}"
        return f"attack {self.minion + 1}{target}"


@dataclass(frozen=True, slots=True)
class Play:
    """Play a card from the hand (Sorcery 2024 §5.1.7).

    Attributes:
        card: Place of the card in the hand.
        player: Owner of the target, or None without a target.
        target: Place of that player's minion, `RITUAL`, or None without a target.
    """

    card: int
    player: Seat | None = None
    target: int | None = None

    def __str__(self) -> str:
        return f"play {self.card + 1}{_spell_target(self.player, self.target)}"


@dataclass(frozen=True, slots=True)
class Use:
    """Use an activated ability of a minion (Sorcery 2024 §5.1.8).

    Attributes:
        ability: Place of the minion, and number of the ability. Most minions have at most one
            ability.
        player, target: The target, as in `Play`.
    """

    ability: tuple[int, int]
    player: Seat | None = None
    target: int | None = None

    def __str__(self) -> str:
        return f"use {_spell_ability(self.ability)}{_spell_target(self.player, self.target)}"


Action = EndTurn | QuitGame | DrawCard | Discard | Attack | Play | Use


def _spell_target(player: Seat | None, target: int | None) -> str:
    if player is None or target is None:
        return ""
    return f" {player + 1} {'r' if target == RITUAL else target + 1}"


def _spell_ability(ability: tuple[int, int]) -> str:
    minion, number = ability
    return f"{minion + 1}.{number + 1}" if number else str(minion + 1)


class AbilityPlace(Ordinal):
    """An ability of one of `count` minions. `2` is the first of minion 2, `2.2` the second."""

    @override
    def parse(self, word: str) -> Any:
        minion, _, ability = word.partition(".")
        number = Integer("ability", 1, 99).parse(ability) - 1 if "." in word else 0
        return super().parse(minion), number

    @override
    def spell(self, value: Any) -> str:
        return _spell_ability(value)

    @property
    @override
    def wanted(self) -> str:
        return f"{super().wanted} (or 2.2 for a second ability)"


_PLAYER: Final = Choice("target-player", {"1": 0, "2": 1}, optional=True, field="player")


def places_on_board(most_minions: int) -> dict[str, int]:
    """Return the typed names of the cards on a player's board: numbers of minions, and `r`."""
    return {str(place + 1): place for place in range(most_minions)} | {"r": RITUAL}


@cache
def commands_of(most_cards: int, most_minions: int) -> Commands:
    """Return the commands for a hand and a board of these sizes."""
    target = Choice("target-card", places_on_board(most_minions), optional=True, field="target")
    return Commands(
        Command("end", EndTurn, help="End your turn; the other player is next."),
        Command("quit", QuitGame, help="Leave the game; nobody wins."),
        Command(
            "attack",
            Attack,
            Ordinal("minion", most_minions),
            Ordinal("target", most_minions, optional=True),
            help="Let a minion attack a minion of your opponent, or your opponent.",
        ),
        Command(
            "play",
            Play,
            Ordinal("card", most_cards),
            _PLAYER,
            target,
            together=True,
            help="Play a card, at a target if need be.",
        ),
        Command(
            "use",
            Use,
            AbilityPlace("minion", most_minions, field="ability"),
            _PLAYER,
            target,
            together=True,
            help="Use a minion's ability, likewise.",
        ),
        Command("draw", DrawCard, help="Draw a card (in testing mode)."),
        Command(
            "discard",
            Discard,
            Ordinal("card", most_cards),
            help="Discard a card (in testing mode).",
        ),
    )


COMMANDS: Final = commands_of(PLACES, PLACES)  # the commands for the board sizes of both editions
