"""How a game reads: what happens as short sentences, and a view for any terminal."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, TypeAlias

from typing_extensions import override

from sorcery.card import plain
from sorcery.drawing import Look
from sorcery.editions import SPRING_2024, Edition
from sorcery.events import (
    AbilityUsed,
    AttackDeclared,
    CardDiscarded,
    CardDrawn,
    CardPlayed,
    ChargesChanged,
    Disenchanted,
    Enchanted,
    GameQuit,
    LifeChanged,
    MagicChanged,
    MinionDamaged,
    MinionEntered,
    MinionGained,
    MinionLeft,
    MinionTaken,
    RitualEnded,
    RitualStarted,
    Triggered,
    TurnEnded,
    TurnStarted,
)
from sorcery.rules import Sorcery
from sorcery.state import SorceryState
from sorcery.styles import SIMPLE
from tabletop import ALL, ActionPlayed, Event, Game, Outcome, Watcher
from tabletop.text import TextView

HELP: Final = """\
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
Cards and minions are counted from 1, from the left. A target-player is 1 or 2, and a target-card a
minion of that player, or r for the ritual. The second ability of minion 1 is used as 1.2."""
"""What the command `help` prints (Sorcery 2024 §5.1.1)."""

ENTERED: Final[Mapping[str, str]] = {
    "hand": "",  # it has been told that it was played
    "graveyard": "returns to play",
    "nowhere": "is summoned",
}
"""What is said of a minion that enters play, by where it comes from."""

LEFT: Final[Mapping[str, str]] = {
    "graveyard": "dies",
    "hand": "returns to the hand",
    "deck": "goes to the bottom of the deck",
}
"""What is said of a minion that leaves play, by where it goes."""

Names: TypeAlias = Sequence[str]


def _of(names: Names, event: Any) -> str:
    """The card of an event, with whose it is."""
    return f"{names[event.seat]}'s {event.card}"


def _moved(words: str, event: Any, names: Names) -> str:
    return f"{_of(names, event)} {words}." if words else ""


def _attacked(event: AttackDeclared, names: Names) -> str:
    target = f"{names[1 - event.seat]}"
    if event.target:
        target += f"'s {event.target}"
    return f"{names[event.seat]}'s {event.minion} attacks {target}."


def _used(event: AbilityUsed, names: Names) -> str:
    return f"{names[event.seat]} uses {event.minion}: {plain(event.text).rstrip('.')}."


def _charged(event: ChargesChanged, names: Names) -> str:
    charges = "1 charge" if event.charges == 1 else f"{event.charges} charges"
    return f"{_of(names, event)} has {charges}."


SENTENCES: Final[Mapping[type[Event], Callable[[Any, Names], str]]] = {
    ActionPlayed: lambda event, names: "",  # what comes of it is told
    TurnStarted: lambda event, names: f"{names[event.seat]}'s turn.",
    TurnEnded: lambda event, names: f"{names[event.seat]} ends the turn.",
    CardDrawn: lambda event, names: f"{names[event.seat]} draws a card.",
    CardDiscarded: lambda event, names: f"{names[event.seat]} discards {event.card}.",
    MagicChanged: lambda event, names: f"{names[event.seat]} has {event.magic} magic.",
    LifeChanged: lambda event, names: f"{names[event.seat]} has {event.life} life.",
    CardPlayed: lambda event, names: f"{names[event.seat]} plays {event.card}.",
    AbilityUsed: _used,
    Triggered: lambda event, names: f"{_of(names, event)} is triggered.",
    MinionEntered: lambda event, names: _moved(ENTERED[event.origin], event, names),
    MinionLeft: lambda event, names: _moved(LEFT[event.to], event, names),
    MinionTaken: lambda event, names: f"{names[event.seat]} takes control of {event.card}.",
    AttackDeclared: _attacked,
    MinionDamaged: lambda event, names: (
        f"{_of(names, event)} takes {event.amount} damage: defence {event.defence}."
    ),
    MinionGained: lambda event, names: (
        f"{_of(names, event)} gains {event.attack:+d}/{event.defence:+d}."
    ),
    Enchanted: lambda event, names: f"{_of(names, event)} is enchanted with {event.enchantment}.",
    Disenchanted: lambda event, names: f"{_of(names, event)} loses {event.enchantment}.",
    RitualStarted: lambda event, names: "",  # it has been told that it was played
    RitualEnded: lambda event, names: f"{_of(names, event)} is removed from the game.",
    ChargesChanged: _charged,
    GameQuit: lambda event, names: f"{names[event.seat]} quits the game.",
}
"""How each event is told."""


def sentence(event: Event, names: Sequence[str]) -> str:
    """What happened, in a short sentence; empty when other sentences say it."""
    say = SENTENCES.get(type(event))
    return "" if say is None else say(event, names)


def rules_file(game: Game[Any, Any]) -> Path:
    """The rules of the edition that `game` is, for people to read."""
    edition = game.edition if isinstance(game, Sorcery) else SPRING_2024
    return Path(__file__).with_name("data") / edition.rules


class SorceryText(TextView[SorceryState]):
    """The view for the `tabletop` program's table: board and hand, and what happens.

    Args:
        edition: whose cards are drawn.
    """

    def __init__(self, edition: Edition = SPRING_2024) -> None:
        self._look = Look(edition.cards, SIMPLE)

    @classmethod
    def of(cls, game: Game[Any, Any]) -> SorceryText:
        """The view for a game of either edition."""
        return cls(game.edition) if isinstance(game, Sorcery) else cls()

    @override
    def position(self, view: SorceryState, names: Sequence[str], seat: Watcher = ALL) -> str:
        board = self._look.board(view, names)
        if view.over:
            return board
        return f"{board}\n{names[view.turn]}'s hand:\n{self._look.hand(view.sides[view.turn])}"

    @override
    def event(self, event: Event, names: Sequence[str], seat: Watcher = ALL) -> str:
        return (
            sentence(event, names)
            if type(event) in SENTENCES
            else super().event(event, names, seat)
        )

    @override
    def outcome(self, outcome: Outcome, names: Sequence[str]) -> str:
        if outcome.winners:
            winner = outcome.winners[0]
            return f"{names[winner]} wins: {names[1 - winner]} has no life left."
        return super().outcome(outcome, names)
