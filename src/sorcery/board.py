"""What lies on the table while an action is carried out: where minions are, and what has room."""

from __future__ import annotations

from sorcery.editions import Edition
from sorcery.effect import Effect
from sorcery.state import Held, Minion, Side, SorceryState
from tabletop import Seat, Table


class Board:
    """What can be asked of the table during one action; `sorcery.zones.Zones` changes it.

    Minions are compared by identity everywhere: there may be two that are equal.

    Attributes:
        state: what lies on the table.
        table: chance, and where events go.
        edition: the numbers and cards that are played with.
        index: the cards of the edition, sorted.
    """

    __slots__ = (
        "_depth",
        "_effect",
        "_leaving",
        "_sides",
        "_triggered",
        "edition",
        "index",
        "state",
        "table",
    )

    def __init__(self, state: SorceryState, table: Table, edition: Edition) -> None:
        self.state = state
        self._sides = state.sides
        self.table = table
        self.edition = edition
        self.index = edition.index
        # Minions whose leaving sets triggers off just now, with their owners, where they go, and
        # the defence with which they would return from there.
        self._leaving: list[tuple[Minion, Seat, str, int | None]] = []
        self._effect: Effect | None = None  # that is being carried out
        # `Engine` counts with these. They are set here because an engine is made for every action
        # of every simulation, and a second __init__ would be measurable.
        self._depth = 0
        self._triggered = 0

    def goes_on(self) -> bool:
        """Whether nobody has lost yet: when somebody has, nothing more happens."""
        return not self.state.over

    def side(self, seat: Seat) -> Side:
        """What `seat` has."""
        return self._sides[seat]

    def minions(self) -> list[Minion]:
        """All minions in APNAP order."""
        turn = self.state.turn
        sides = self._sides
        return sides[turn].minions + sides[1 - turn].minions

    def seat_of(self, minion: Minion) -> Seat | None:
        """Whose board `minion` is on; None when it has left, or is about to."""
        if self._leaving and self._is_leaving(minion):
            return None
        return self._place_of(minion)

    def _is_leaving(self, minion: Minion) -> bool:
        return any(other is minion for other, _, _, _ in self._leaving)

    def _place_of(self, minion: Minion) -> Seat | None:
        first, second = self._sides
        for other in first.minions:
            if other is minion:
                return 0
        for other in second.minions:
            if other is minion:
                return 1
        return None

    def is_here(self, minion: Minion) -> bool:
        """Whether `minion` is on a board, be it about to leave."""
        return self._place_of(minion) is not None

    def which(self, minion: Minion, seat: Seat) -> int | None:
        """The place of a minion of `seat`, from 0, if its name alone is ambiguous; else None."""
        minions = self._sides[seat].minions
        alike = [place for place, other in enumerate(minions) if other.card == minion.card]
        if len(alike) < 2:
            return None
        return next((place for place in alike if minions[place] is minion), None)

    def printed(self, name: str) -> Held:
        """The card called `name` as it is printed."""
        return self.edition.held(name)

    def cost(self, name: str) -> int:
        """What the card called `name` costs, in magic."""
        return self.index.cards[name].cost

    def has_room(self, seat: Seat) -> bool:
        """Whether another minion fits on the board of `seat`; one that is leaving takes no place.

        What a minion summons as it dies may take its place.
        """
        minions = len(self._sides[seat].minions)
        if self._leaving:
            minions -= sum(owner == seat for _, owner, _, _ in self._leaving)
        return minions < self.index.most_minions

    def has_hand_room(self, seat: Seat) -> bool:
        """Whether another card fits into a hand; a minion on its way there has its place."""
        cards = len(self._sides[seat].hand)
        if self._leaving:
            cards += sum(owner == seat and to == "hand" for _, owner, to, _ in self._leaving)
        return cards < self.index.most_cards
