"""The metrics of a match for studies (see `tabletop.studies`)."""

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
    """The number of turns of both players, including the last turn."""

    def __init__(self, match: SorceryMatch) -> None:
        self._match = match
        self._ended = 0
        match.observe(self._count, TurnEnded)

    def _count(self, event: TurnEnded) -> None:
        self._ended += 1

    def value(self) -> int:
        """Return the number of turns that have begun."""
        state = self._match.state
        # A draw for lack of change ends with a turn, and no other turn begins.
        is_stalemate = state.over and state.winner is None and not state.quit
        return self._ended + (not is_stalemate)


class Drawn:
    """The cards that each player has drawn, including the first hand."""

    def __init__(self, match: SorceryMatch) -> None:
        self._match = match
        # Cards that were in a deck or returned to it, and are not there now, have been drawn.
        self._decks = [
            Counter(card.card for card in (*side.hand, *side.deck)) for side in match.state.sides
        ]
        match.observe(self._add_to_deck, MinionLeft)

    def _add_to_deck(self, event: MinionLeft) -> None:
        if event.to == "deck":
            self._decks[event.seat][event.card] += 1

    def value(self) -> tuple[Mapping[str, int], ...]:
        """Return for each seat the number of cards drawn, by card name."""
        sides = self._match.state.sides
        return tuple(
            dict(deck - Counter(card.card for card in side.deck))
            for deck, side in zip(self._decks, sides, strict=True)
        )


class Played:
    """The cards that each player has played."""

    def __init__(self, match: SorceryMatch) -> None:
        self._played = [Counter[str]() for _ in range(match.seats)]
        match.observe(self._count, CardPlayed)

    def _count(self, event: CardPlayed) -> None:
        self._played[event.seat][event.card] += 1

    def value(self) -> tuple[Mapping[str, int], ...]:
        """Return for each seat the number of cards played, by card name."""
        return tuple(map(dict, self._played))


class DamageDealt:
    """The damage that the cards of each player have dealt to minions and players."""

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
        """Return for each seat the damage dealt, by card name."""
        return tuple(map(dict, self._dealt))


METRICS: Final[Mapping[str, type]] = {
    "turns": Turns,
    "drawn": Drawn,
    "played": Played,
    "damage": DamageDealt,
}
