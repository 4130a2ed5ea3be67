"""Sentences for events, and the text view for any terminal."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, TypeAlias

from typing_extensions import override

from sorcery.cards.card import plain
from sorcery.cards.editions import SPRING_2024, Edition
from sorcery.cards.state import SorceryState
from sorcery.rules import events
from sorcery.rules.game import NO_LIFE, edition_of
from sorcery.text.frames import SIMPLE
from sorcery.text.small_board import SmallBoard
from sorcery.text.text_board import TextBoard
from tabletop import ALL, ActionPlayed, Event, Outcome, Seat, Watcher
from tabletop.display import TextView, describe_event
from tabletop.rules import AnyGame
from tabletop.wording import plural

_ROWS_BELOW: Final = 5  # reserved on a small screen, mainly for the list of actions

ENTERED: Final[Mapping[str, str]] = {
    "hand": "",  # the preceding event reported that the card was played
    "graveyard": "returns to play",
    "nowhere": "is summoned",
}
"""Verbs for a minion that enters play, by its origin."""

LEFT: Final[Mapping[str, str]] = {
    "graveyard": "dies",
    "hand": "returns to the hand",
    "deck": "goes to the bottom of the deck",
}
"""Verbs for a minion that leaves play, by its destination."""

Names: TypeAlias = Sequence[str]


def _card(name: str, place: int | None) -> str:
    """Return the name of a card, followed by its place (from 1) if the name is ambiguous."""
    return name if place is None else f"{name} ({place + 1})"


def _of(names: Names, event: Any) -> str:
    """Return the card of an event with its owner."""
    return f"{names[event.seat]}'s {_card(event.card, getattr(event, 'place', None))}"


def _on(names: Names, event: events.CardPlayed | events.AbilityUsed) -> str:
    """Return the target of a card or ability, as the end of a sentence."""
    if not event.target or event.target_seat is None:
        return ""
    return f" on {names[event.target_seat]}'s {_card(event.target, event.target_place)}"


def _attack_sentence(event: events.AttackDeclared, names: Names) -> str:
    target = f"{names[1 - event.seat]}"
    if event.target:
        target += f"'s {_card(event.target, event.target_place)}"
    return f"{names[event.seat]}'s {_card(event.minion, event.place)} attacks {target}."


def _use_sentence(event: events.AbilityUsed, names: Names) -> str:
    used = f"{_card(event.minion, event.place)}{_on(names, event)}"
    return f"{names[event.seat]} uses {used}: {plain(event.text).rstrip('.')}."


SENTENCES: Final[Mapping[type[Event], Callable[[Any, Names], str]]] = {
    ActionPlayed: lambda event, names: "",  # the events that follow describe its effects
    events.TurnStarted: lambda event, names: f"{names[event.seat]}'s turn.",
    events.TurnEnded: lambda event, names: f"{names[event.seat]} ends the turn.",
    events.CardDrawn: lambda event, names: f"{names[event.seat]} draws a card.",
    events.DrawSkipped: lambda event, names: (
        f"{names[event.seat]} draws no card:"
        f" the {'hand is full' if event.hand_is_full else 'deck is empty'}."
    ),
    events.CardDiscarded: lambda event, names: f"{names[event.seat]} discards {event.card}.",
    events.MagicChanged: lambda event, names: f"{names[event.seat]} has {event.magic} magic.",
    events.LifeChanged: lambda event, names: f"{names[event.seat]} has {event.life} life.",
    events.CardPlayed: lambda event, names: (
        f"{names[event.seat]} plays {event.card}{_on(names, event)}."
    ),
    events.AbilityUsed: _use_sentence,
    events.Triggered: lambda event, names: f"{_of(names, event)} is triggered.",
    events.MinionEntered: lambda event, names: (
        ENTERED[event.origin] and f"{_of(names, event)} {ENTERED[event.origin]}."
    ),
    events.MinionLeft: lambda event, names: f"{_of(names, event)} {LEFT[event.to]}.",
    events.MinionTaken: lambda event, names: (
        f"{names[event.seat]} takes control of {_card(event.card, event.place)}."
    ),
    events.AttackDeclared: _attack_sentence,
    events.MinionDamaged: lambda event, names: (
        f"{_of(names, event)} takes {event.amount} damage: defence {event.defence}."
    ),
    events.MinionGained: lambda event, names: (
        f"{_of(names, event)} gains {event.attack:+d}/{event.defence:+d}."
    ),
    events.Enchanted: lambda event, names: (
        f"{_of(names, event)} is enchanted with {event.enchantment}."
    ),
    events.Disenchanted: lambda event, names: f"{_of(names, event)} loses {event.enchantment}.",
    events.RitualStarted: lambda event, names: "",  # the event before has reported the card
    events.RitualEnded: lambda event, names: f"{_of(names, event)} is removed from the game.",
    events.ChargesChanged: lambda event, names: (
        f"{_of(names, event)} has {plural(event.charges, 'charge')}."
    ),
    events.GameQuit: lambda event, names: f"{names[event.seat]} quits the game.",
}
"""The sentence for each event. A sentence is empty if other events already describe the event."""


_FULL_ONLY: Final = ("place", "target_seat", "target_place")  # fields for detailed sentences


def sentence(event: Event, names: Sequence[str], *, fully: bool = False) -> str:
    """Return a short sentence for an event, or an empty string if other events describe it.

    With `fully`, the sentence is detailed: it also identifies minions that share a name, names the
    target of a card, and gives the reason if no card was drawn. Output for other programs uses
    brief sentences.
    """
    describe = SENTENCES.get(type(event))
    is_foreign = type(event).__module__.partition(".")[0] not in ("sorcery", "tabletop")
    if describe is None and is_foreign:  # an event of custom cards
        return f"{describe_event(event, names)}."
    if describe is None or (not fully and isinstance(event, events.DrawSkipped)):
        return ""
    left_out = [] if fully else [name for name in _FULL_ONLY if hasattr(event, name)]
    shown: Any = event
    return describe(replace(shown, **dict.fromkeys(left_out)) if left_out else event, names)


def rules_file(game: AnyGame) -> Path:
    """Return the path of the rulebook for the edition of `game`."""
    return Path(__file__).parent.with_name("data") / edition_of(game).rules


class SorceryText(TextView[SorceryState]):
    """The text view for tables of the program `tabletop`: board, hand and events."""

    def __init__(self, edition: Edition = SPRING_2024) -> None:
        self._board = TextBoard(edition, SIMPLE)
        self._small = SmallBoard(edition.cards)

    @classmethod
    def of(cls, game: AnyGame) -> SorceryText:
        """Return the view for a game of either edition."""
        return cls(edition_of(game))

    @override
    def position(self, view: SorceryState, names: Sequence[str], seat: Watcher = ALL) -> str:
        board = self._board.board(view, names)
        if view.over:
            return board
        return f"{board}\n{names[view.turn]}'s hand:\n{self._board.hand(view.sides[view.turn])}"

    @override
    def narrow_position(self, view: SorceryState, names: Sequence[str], seat: Watcher = ALL) -> str:
        holder = seat if isinstance(seat, int) else view.turn
        hand = view.sides[holder]
        board = self._small.board(view, names, below=len(hand.hand) + _ROWS_BELOW)
        if view.over or seat is None:  # spectators see no hand
            return board
        return f"{board}\n{names[holder]}'s hand:\n{self._small.hand(hand, most=1)}"

    @override
    def event(self, event: Event, names: Sequence[str], seat: Watcher = ALL) -> str:
        if type(event) in SENTENCES:
            return sentence(event, names, fully=seat != ALL)  # logs are less detailed
        return super().event(event, names, seat)

    @override
    def welcome(self) -> str:
        return "New here? Type `help` for the commands, or `rules` for the rules of the game."

    @override
    def heading(self, event: Event, names: Sequence[str]) -> tuple[Seat, str] | None:
        match event:
            # The events at the start of a turn come before its `TurnStarted`.
            case events.TurnEnded(seat=seat):
                return 1 - seat, f"{names[1 - seat]}'s turn."
            case events.TurnStarted(seat=seat):
                return seat, f"{names[seat]}'s turn."
        return None

    @override
    def asked(self, view: SorceryState, seat: Seat, names: Sequence[str]) -> str:
        return "Play a card, use an ability, attack, or end the turn"

    @override
    def outcome(self, outcome: Outcome, names: Sequence[str]) -> str:
        if outcome.winners and outcome.reason == NO_LIFE:
            winner = outcome.winners[0]
            return f"{names[winner]} wins: {names[1 - winner]} has no life left."
        return super().outcome(outcome, names)
