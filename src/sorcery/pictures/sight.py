"""What is drawn, for whom, and what is the same thing in two pictures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from sorcery.card import Card
from sorcery.state import HIDDEN, SorceryState
from tabletop import ALL, Seat
from tabletop.picture import Scene


@dataclass(frozen=True)
class Sight:
    """A view of the table, for whoever looks.

    Attributes:
        view: what that one may see.
        scene: who it is, and what can be done.
        cards: which cards there are.
    """

    view: SorceryState
    scene: Scene
    cards: Mapping[str, Card]

    @property
    def below(self) -> Seat:
        """Who sits at the lower side: the one who looks, else player 2, as on the text board."""
        seat = self.scene.seat
        return seat if isinstance(seat, int) and seat in (0, 1) else 1

    @property
    def above(self) -> Seat:
        """Who sits at the upper side."""
        return 1 - self.below

    @property
    def plays(self) -> bool:
        """Whether the one who looks has a seat, and buttons to click."""
        return self.scene.live and self.scene.seat == self.below

    def sees_hand(self, seat: Seat) -> bool:
        """Whether the cards in a hand are seen from their faces."""
        hand = self.view.sides[seat].hand
        return self.scene.seat in (seat, ALL) and all(held.card != HIDDEN for held in hand)

    def is_active(self, seat: Seat) -> bool:
        """Whether it is the turn of that seat."""
        return seat == self.view.turn and not self.view.over

    @cached_property
    def keys(self) -> Mapping[tuple[Seat, str, int], str]:
        """What each card is called that travels, by its seat, zone and place.

        Cards of one name are counted from the graveyard over the board to the hand, so that one
        that is played, and one that dies, keeps what it is called.
        """
        return dict(self._keys())

    def _keys(self) -> Iterator[tuple[tuple[Seat, str, int], str]]:
        for seat, side in enumerate(self.view.sides):
            seen: Counter[str] = Counter()
            rituals = [side.ritual.card] if side.ritual else []
            zones = {
                "graveyard": [held.card for held in side.graveyard],
                "minion": [minion.card for minion in side.minions],
                "ritual": rituals,
                "hand": [held.card for held in side.hand],
            }
            for zone, names in zones.items():
                for place, name in enumerate(names):
                    yield (seat, zone, place), f"{seat}/{name}/{seen[name]}"
                    seen[name] += 1
