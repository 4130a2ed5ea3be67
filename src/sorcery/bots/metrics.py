"""What studies measure of a match: see `tabletop.studies`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Final, TypeAlias

from sorcery.cards.state import SorceryState
from sorcery.rules.actions import Action
from sorcery.rules.events import CardPlayed, LifeChanged, MinionDamaged, MinionLeft, TurnEnded
from tabletop import Match

SorceryMatch: TypeAlias = Match[SorceryState, Action]


class Turns:
    """Turns of both players together, the last one included."""

    def __init__(self, match: SorceryMatch) -> None:
        self._match = match
        self._ended = 0
        match.observe(self._count, TurnEnded)

    def _count(self, event: TurnEnded) -> None:
        self._ended += 1

    def value(self) -> int:
        """Return the number of turns that have begun."""
        state = self._match.state
        # No turn follows the one that a match without change ends with.
        is_stalemate = state.over and state.winner is None and not state.quit
        return self._ended + (not is_stalemate)


class Drawn:
    """Cards that each player has drawn, those of the first hand among them."""

    def __init__(self, match: SorceryMatch) -> None:
        self._match = match
        # What was in a deck, or has been put there, and is not in it any more has been drawn.
        self._decks = [
            Counter(held.card for held in (*side.hand, *side.deck)) for side in match.state.sides
        ]
        match.observe(self._add_to_deck, MinionLeft)

    def _add_to_deck(self, event: MinionLeft) -> None:
        if event.to == "deck":
            self._decks[event.seat][event.card] += 1

    def value(self) -> tuple[Mapping[str, int], ...]:
        """Return the number of cards of each seat, by name."""
        sides = self._match.state.sides
        return tuple(
            dict(deck - Counter(held.card for held in side.deck))
            for deck, side in zip(self._decks, sides, strict=True)
        )


class Played:
    """Cards that each player has played."""

    def __init__(self, match: SorceryMatch) -> None:
        self._played = [Counter[str]() for _ in range(match.seats)]
        match.observe(self._count, CardPlayed)

    def _count(self, event: CardPlayed) -> None:
        self._played[event.seat][event.card] += 1

    def value(self) -> tuple[Mapping[str, int], ...]:
        """Return the number of cards of each seat, by name."""
        return tuple(map(dict, self._played))


class DamageDealt:
    """Damage that each player's cards have dealt to minions and to players."""

    def __init__(self, match: SorceryMatch) -> None:
        self._dealt = [Counter[str]() for _ in range(match.seats)]
        self._lives = [side.life for side in match.state.sides]
        match.observe(self._count_damage, MinionDamaged)
        match.observe(self._change, LifeChanged)

    def _count_damage(self, event: MinionDamaged) -> None:
        if event.by_seat is not None:
            self._dealt[event.by_seat][event.by] += event.amount

    def _change(self, event: LifeChanged) -> None:
        lost = self._lives[event.seat] - event.life
        self._lives[event.seat] = event.life
        if lost > 0 and event.by_seat is not None:
            self._dealt[event.by_seat][event.by] += lost

    def value(self) -> tuple[Mapping[str, int], ...]:
        """Return the damage of each seat, by the name of the card."""
        return tuple(map(dict, self._dealt))


METRICS: Final[Mapping[str, type]] = {
    "turns": Turns,
    "drawn": Drawn,
    "played": Played,
    "damage": DamageDealt,
}
"""The metrics by name."""
