"""What happens on the table: zones and deaths, one thing at a time.

Deaths happen at once, each with its triggers, before the next thing happens. In combat and under
Blizzard, too, one minion dies after the other (Sorcery 2024 §1.1, §3.4).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from sorcery.board import Board
from sorcery.effect import Aim, Effect
from sorcery.events import (
    CardDiscarded,
    CardDrawn,
    ChargesChanged,
    Disenchanted,
    DrawSkipped,
    Enchanted,
    LifeChanged,
    MagicChanged,
    MinionDamaged,
    MinionEntered,
    MinionGained,
    MinionLeft,
    MinionTaken,
    RitualEnded,
    RitualStarted,
)
from sorcery.modifiers import (
    actions_each_turn,
    add_enchantment,
    add_gain,
    drop_top_enchantment,
    without_enchantments,
)
from sorcery.state import MOST, Held, Minion, Ritual
from sorcery.triggers import When
from tabletop import Seat

_ENTERS, _LEAVES, _DIES = When.ENTERS, When.LEAVES, When.DIES

_BACK = "play"
"""Where a minion is going that dies, and returns from the graveyard at once."""

_DEATHS = ("graveyard", _BACK)

_kept: Final = lru_cache(maxsize=1024, typed=True)(Held)
"""A card with the numbers it has kept; shared, because a guarded object takes long to make."""


class Zones(Board, ABC):
    """The zones of both players while one action is carried out; `Engine` adds the triggers.

    It does what `sorcery.effect.Operations` promises to effects. Every method changes the state and
    emits the event of that change, so that none can be forgotten.
    """

    __slots__ = ()

    @abstractmethod
    def fire(
        self,
        when: When,
        seat: Seat,
        subject: Minion | None = None,
        spell: Effect | None = None,
        aim: Aim | None = None,
    ) -> None:
        """Let every trigger happen that `when` sets off, in APNAP order.

        Args:
            when: what has happened.
            seat: whose turn, minion or spell it was.
            subject: the minion that entered, leaves or attacks.
            spell: the effect of the spell that was played.
            aim: what it was played at.

        Raises:
            EndlessChain: triggers set each other off without end.
        """

    # What happens to minions.

    def damage(self, minion: Minion, amount: int) -> None:
        """Deal damage to a minion on the board; none when `amount` is not positive."""
        seat = self.seat_of(minion)
        if seat is None or amount <= 0:
            return
        add_gain(minion, 0, -amount)
        # Here and below: events are made only if somebody hears of them. Simulations make none.
        if self.table.watched:
            self.table.emit(
                MinionDamaged(seat, minion.card, amount, minion.defence, self.which(minion, seat))
            )
        if minion.defence <= 0:
            self._leave(minion, "graveyard")

    def damage_all(self, found: Sequence[Minion | Seat], amount: int) -> None:
        """Deal damage to minions, and to players, who lose so much life, one after the other."""
        state = self.state
        for one in found:
            if state.over:
                return
            if isinstance(one, Minion):
                self.damage(one, amount)
            elif amount > 0:
                self.gain_life(one, -amount)

    def gain(self, minion: Minion, attack: int, defence: int) -> None:
        """Give a minion attack and defence for good, even while it is leaving."""
        seat = self._place_of(minion)
        if seat is None:
            return
        add_gain(minion, attack, defence)
        if self.table.watched:
            self.table.emit(
                MinionGained(seat, minion.card, attack, defence, self.which(minion, seat))
            )
        if minion.defence <= 0:
            self._leave(minion, "graveyard")

    def gain_all(self, found: Sequence[Minion | Seat], attack: int, defence: int) -> None:
        """Give the minions among `found` attack and defence for good, one after the other."""
        state = self.state
        for one in found:
            if not state.over and isinstance(one, Minion):
                self.gain(one, attack, defence)

    def enchant(self, minion: Minion, name: str) -> None:
        """Put an enchantment on a minion; Haste and its like give their actions at once."""
        seat = self.seat_of(minion)
        if seat is None:
            return
        before = actions_each_turn(minion, self.index.cards)
        add_enchantment(minion, name, self.index.cards)
        minion.actions += actions_each_turn(minion, self.index.cards) - before
        if self.table.watched:
            self.table.emit(Enchanted(seat, minion.card, name, self.which(minion, seat)))
        if minion.defence <= 0:
            self._leave(minion, "graveyard")

    def disenchant(self, minion: Minion) -> None:
        """Destroy the newest enchantment on a minion that has one."""
        seat = self.seat_of(minion)
        if seat is None or not minion.enchantments:
            return
        name = drop_top_enchantment(minion, self.index.cards)
        if self.table.watched:
            self.table.emit(Disenchanted(seat, minion.card, name, self.which(minion, seat)))
        if minion.defence <= 0:
            self._leave(minion, "graveyard")

    def destroy(self, minion: Minion) -> None:
        """Let a minion die, whatever its defence is."""
        self._leave(minion, "graveyard")

    def return_to_hand(self, minion: Minion) -> None:
        """Put a minion into its owner's hand, unless that is full.

        One that is leaving goes there instead of where it would go.
        """
        seat = self._place_of(minion)
        if seat is not None and self.has_hand_room(seat):
            self._redirect(minion, "hand")
            self._leave(minion, "hand")

    def put_under_deck(self, minion: Minion) -> None:
        """Put a minion on the bottom of its owner's deck.

        One that is leaving goes there instead of where it would go.
        """
        self._redirect(minion, "deck")
        self._leave(minion, "deck")

    def bring_back(self, minion: Minion, defence: int | None = None) -> None:
        """Let a minion that is leaving return to play from the graveyard, if there is room then.

        Args:
            minion: one that is leaving; of others nothing becomes.
            defence: with which it returns; as it has left when that is None.
        """
        self._redirect(minion, _BACK, defence)

    def _redirect(self, minion: Minion, to: str, defence: int | None = None) -> None:
        """Let a minion that is leaving go elsewhere; where several say so, the last one counts."""
        for place, (other, seat, _, _) in enumerate(self._leaving):
            if other is minion:
                self._leaving[place] = (minion, seat, to, defence)

    def _leave(self, minion: Minion, to: str) -> None:
        """Let a minion leave play: first the triggers, its own too, then its enchantments go.

        Its place on the board is free for what they put into play (see `has_room`). They may send
        it elsewhere; one that is on its way to another place than the graveyard does not die.
        """
        seat = self.seat_of(minion)
        if seat is None:
            return
        # Its triggers still find it on the board; it can gain there, but not leave once more.
        self._leaving.append((minion, seat, to, None))
        self.fire(_LEAVES, seat, minion)
        if self._leaving[-1][2] in _DEATHS:
            self.fire(_DIES, seat, minion)
        _, _, to, defence = self._leaving.pop()
        returns, to = to == _BACK, "graveyard" if to == _BACK else to
        side = self._sides[seat]
        place = self.which(minion, seat) if self.table.watched else None
        _remove(minion, side.minions)
        self.state.idle = 0
        held = self._held(minion)
        if to == "hand":
            side.hand.append(held)
        elif to == "deck":
            # The top of a deck is the end of its list, so that drawing is cheap.
            side.deck.insert(0, held)
        else:
            side.graveyard.append(held)
        if self.table.watched:
            self.table.emit(MinionLeft(seat, minion.card, to, tuple(minion.enchantments), place))
        if returns and self.has_room(seat):
            side.graveyard.pop()
            if defence is not None:
                held = Held(held.card, held.attack, defence)
            self.enter(seat, held, "graveyard")

    def _held(self, minion: Minion) -> Held:
        """The card that a minion becomes when it leaves the board."""
        if not self.edition.keeps_numbers:
            return self.edition.held(minion.card)
        attack, defence = without_enchantments(minion)
        return _kept(minion.card, attack, defence)

    def enter(self, seat: Seat, held: Held, origin: str) -> None:
        """Put a minion on the right end of a board that has room, with all that follows.

        It comes from the "hand", the "graveyard" or "nowhere".
        """
        side = self._sides[seat]
        minion = Minion(held.card, held.attack, held.defence, held.attack, held.defence)
        minion.actions = self.edition.actions_on_entering
        side.minions.append(minion)
        self.state.idle = 0
        if self.table.watched:
            self.table.emit(MinionEntered(seat, minion.card, origin, self.which(minion, seat)))
        if minion.defence <= 0:
            self._leave(minion, "graveyard")
        self.fire(_ENTERS, seat, minion)

    def take(self, seat: Seat, minion: Minion) -> None:
        """Let `seat` take a minion over, with all that is on it. It neither leaves nor enters."""
        owner = self.seat_of(minion)
        if owner is None or owner == seat or not self.has_room(seat):
            return
        place = self.which(minion, owner) if self.table.watched else None
        _remove(minion, self.side(owner).minions)
        self._sides[seat].minions.append(minion)
        minion.actions = self.edition.actions_on_entering
        self.state.idle = 0
        if self.table.watched:
            self.table.emit(MinionTaken(seat, minion.card, place))

    def ready(self, seat: Seat) -> None:
        """Give the minions of `seat` their actions for a turn."""
        cards = self.index.cards
        for minion in self._sides[seat].minions:
            history = minion.history
            # Most have nothing on them, or one gain: they are not asked further.
            touched = history and (len(history) > 1 or isinstance(history[0], str))
            if touched or cards[minion.card].modifiers:
                minion.actions = actions_each_turn(minion, cards)
            else:
                minion.actions = 1

    # What happens to rituals and players.

    def start_ritual(self, seat: Seat, name: str) -> None:
        """Put a ritual on the board; one that is there already is removed from the game."""
        self.end_ritual(seat)
        self._sides[seat].ritual = Ritual(name, self.index.cards[name].charges)
        if self.table.watched:
            self.table.emit(RitualStarted(seat, name))

    def end_ritual(self, seat: Seat) -> None:
        """Remove the ritual of `seat` from the game, if there is one."""
        side = self._sides[seat]
        if side.ritual is not None:
            if self.table.watched:
                self.table.emit(RitualEnded(seat, side.ritual.card))
            side.ritual = None

    def charge(self, seat: Seat, amount: int) -> None:
        """Let the ritual of `seat`, if there is one, gain charges, or lose them."""
        ritual = self._sides[seat].ritual
        if ritual is not None:
            ritual.charges = max(0, min(MOST, ritual.charges + amount))
            if self.table.watched:
                self.table.emit(ChargesChanged(seat, ritual.card, ritual.charges))

    def gain_magic(self, seat: Seat, amount: int) -> None:
        """Let `seat` gain magic, or lose it; never below 0."""
        side = self._sides[seat]
        side.magic = max(0, min(MOST, side.magic + amount))
        if self.table.watched:
            self.table.emit(MagicChanged(seat, side.magic))

    def gain_life(self, seat: Seat, amount: int) -> None:
        """Let `seat` gain life, or lose it; with none left the game is over at once."""
        side = self._sides[seat]
        side.life = min(MOST, side.life + amount)
        if amount:
            self.state.idle = 0
        if self.table.watched:
            self.table.emit(LifeChanged(seat, side.life))
        if side.life <= 0 and not self.state.over:
            self.state.over = True
            self.state.winner = 1 - seat

    def discard(self, seat: Seat, place: int) -> None:
        """Discard the card at a place of a hand, counted from 0; it leaves the game."""
        held = self._sides[seat].hand.pop(place)
        self.table.emit(CardDiscarded(seat, held.card))

    def draw(self, seat: Seat) -> None:
        """Draw a card, unless the hand is full or the deck empty."""
        side = self._sides[seat]
        if side.deck and self.has_hand_room(seat):
            side.hand.append(side.deck.pop())
            if self.table.watched:
                self.table.emit(CardDrawn(seat))
        elif self.table.watched:
            self.table.emit(DrawSkipped(seat, hand_is_full=not self.has_hand_room(seat)))


def _remove(minion: Minion, minions: list[Minion]) -> None:
    """Take a minion off a board, by identity: some may be equal, and they are not this one."""
    for place, other in enumerate(minions):
        if other is minion:
            del minions[place]
            return
