"""What happens on the table: zones, deaths and triggers, one thing at a time.

Deaths happen at once, each with its triggers, before the next thing happens. Triggers go in APNAP
order: first the active player's minions from left to right, then that player's ritual, then the
same for the other player (Sorcery 2024 §1.1, §3).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from sorcery.card import Trigger, When, Whose
from sorcery.events import (
    CardDrawn,
    ChargesChanged,
    Disenchanted,
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
    Triggered,
)
from sorcery.modifiers import (
    actions_each_turn,
    add_enchantment,
    add_gain,
    drop_top_enchantment,
    triggers_of,
    without_enchantments,
)
from sorcery.state import MOST_CARDS, MOST_MINIONS, Held, Minion, Ritual, Side, SorceryState
from tabletop import Seat, Table, TabletopError

if TYPE_CHECKING:
    from sorcery.editions import Edition

MOST_NESTED: Final = 40
"""How deep triggers may set each other off."""

MOST_TRIGGERED: Final = 1000
"""How many triggers one action may set off."""

# Asked for often, and slow to look up in an enumeration.
_ANY, _OWN = Whose.ANY, Whose.OWN
_ENTERS, _LEAVES = When.ENTERS, When.LEAVES


class EndlessChain(TabletopError):
    """Triggers set each other off without end. The action that began it is taken back."""


class Aim(NamedTuple):
    """What a card or an ability is aimed at: a minion of `seat`, or that player's ritual."""

    seat: Seat
    minion: Minion | None


Source: TypeAlias = Minion | Ritual | None
"""What an effect comes from: something on the board, or a spell (None)."""


@dataclass(slots=True)
class Moment:
    """When an effect happens: who causes it, what with, and to whom.

    Attributes:
        engine: the table to act on.
        seat: whose effect it is.
        source: the minion or ritual whose ability it is; None for a spell.
        aim: what was named when it was played or used.
        subject: the minion that set a trigger off.
        spell: the card that was played, for triggers that spells set off.
    """

    engine: Engine
    seat: Seat
    source: Source = None
    aim: Aim | None = None
    subject: Minion | None = None
    spell: str = ""


class Engine:
    """One action being carried out.

    Attributes:
        state: what lies on the table.
        table: chance, and who is told.
        edition: the numbers and cards that are played with.
    """

    __slots__ = ("_cards", "_depth", "_leaving", "_triggered", "edition", "state", "table")

    def __init__(self, state: SorceryState, table: Table, edition: Edition) -> None:
        self.state = state
        self.table = table
        self.edition = edition
        self._cards = edition.cards
        self._leaving: list[tuple[Minion, Seat, str]] = []
        self._depth = 0
        self._triggered = 0

    # What there is.

    def goes_on(self) -> bool:
        """Whether nobody has lost yet: when somebody has, nothing more happens."""
        return not self.state.over

    def side(self, seat: Seat) -> Side:
        """What `seat` has."""
        return self.state.sides[seat]

    def minions(self) -> list[Minion]:
        """All minions in APNAP order."""
        turn = self.state.turn
        return [*self.state.sides[turn].minions, *self.state.sides[1 - turn].minions]

    def seat_of(self, minion: Minion) -> Seat | None:
        """Whose board `minion` is on; None when it has left, or is about to."""
        for other, _, _ in self._leaving:
            if other is minion:
                return None
        return self._place_of(minion)

    def _place_of(self, minion: Minion) -> Seat | None:
        for seat, side in enumerate(self.state.sides):
            for other in side.minions:
                if other is minion:
                    return seat
        return None

    # What happens to minions.

    def damage(self, minion: Minion, amount: int) -> None:
        """Deal damage to a minion on the board; none when `amount` is not positive."""
        seat = self.seat_of(minion)
        if seat is None or amount <= 0:
            return
        add_gain(minion, 0, -amount)
        if self.table.watched:
            self.table.emit(MinionDamaged(seat, minion.card, amount, minion.defence))
        self._bury_if_dead(minion)

    def gain(self, minion: Minion, attack: int, defence: int) -> None:
        """Let a minion gain for good; also one that is just leaving."""
        seat = self._place_of(minion)
        if seat is None:
            return
        add_gain(minion, attack, defence)
        if self.table.watched:
            self.table.emit(MinionGained(seat, minion.card, attack, defence))
        self._bury_if_dead(minion)

    def enchant(self, minion: Minion, name: str) -> None:
        """Put an enchantment on a minion; Haste and its like give their actions at once."""
        seat = self.seat_of(minion)
        if seat is None:
            return
        add_enchantment(minion, name, self._cards)
        minion.actions += self._cards[name].actions
        if self.table.watched:
            self.table.emit(Enchanted(seat, minion.card, name))
        self._bury_if_dead(minion)

    def disenchant(self, minion: Minion) -> None:
        """Destroy the newest enchantment on a minion that has one."""
        seat = self.seat_of(minion)
        if seat is None or not minion.enchantments:
            return
        name = drop_top_enchantment(minion, self._cards)
        if self.table.watched:
            self.table.emit(Disenchanted(seat, minion.card, name))
        self._bury_if_dead(minion)

    def destroy(self, minion: Minion) -> None:
        """Let a minion die, whatever its defence is."""
        self._leave(minion, "graveyard")

    def return_to_hand(self, minion: Minion) -> None:
        """Put a minion into its owner's hand, unless that is full."""
        seat = self.seat_of(minion)
        if seat is not None and self.has_hand_room(seat):
            self._leave(minion, "hand")

    def put_under_deck(self, minion: Minion) -> None:
        """Put a minion on the bottom of its owner's deck."""
        self._leave(minion, "deck")

    def _bury_if_dead(self, minion: Minion) -> None:
        if minion.defence <= 0 and self.seat_of(minion) is not None:
            self._leave(minion, "graveyard")

    def _leave(self, minion: Minion, to: str) -> None:
        """Let a minion leave play: first the triggers, its own too, then its enchantments go."""
        seat = self.seat_of(minion)
        if seat is None:
            return
        self._leaving.append((minion, seat, to))
        self.fire(_LEAVES, seat, minion)
        self._leaving.pop()
        side = self.side(seat)
        side.minions[:] = [other for other in side.minions if other is not minion]
        self.state.idle = 0
        held = self._held(minion)
        if to == "hand":
            side.hand.append(held)
        elif to == "deck":
            side.deck.insert(0, held)
        else:
            side.graveyard.append(held)
        if self.table.watched:
            self.table.emit(MinionLeft(seat, minion.card, to, tuple(minion.enchantments)))

    def _held(self, minion: Minion) -> Held:
        """The card that a minion becomes when it leaves the board."""
        if not self.edition.keeps_numbers:
            return self.edition.held(minion.card)
        attack, defence = without_enchantments(minion)
        return Held(minion.card, attack, defence)

    def enter(self, seat: Seat, held: Held, origin: str) -> None:
        """Put a minion on the right end of a board that has room, with all that follows.

        It comes from the "hand", the "graveyard" or "nowhere".
        """
        side = self.side(seat)
        minion = Minion(held.card, held.attack, held.defence, held.attack, held.defence)
        minion.actions = self.edition.actions_on_entering
        side.minions.append(minion)
        self.state.idle = 0
        if self.table.watched:
            self.table.emit(MinionEntered(seat, minion.card, origin))
        self._bury_if_dead(minion)
        self.fire(_ENTERS, seat, minion)

    def has_room(self, seat: Seat) -> bool:
        """Whether another minion fits on the board of `seat`."""
        return len(self.side(seat).minions) < MOST_MINIONS

    def has_hand_room(self, seat: Seat) -> bool:
        """Whether another card fits into a hand; a minion on its way there has its place."""
        cards = len(self.state.sides[seat].hand)
        if self._leaving:
            cards += sum(owner == seat and to == "hand" for _, owner, to in self._leaving)
        return cards < MOST_CARDS

    def take(self, seat: Seat, minion: Minion) -> None:
        """Let `seat` take a minion over, with all that is on it. It neither leaves nor enters."""
        owner = self.seat_of(minion)
        if owner is None or owner == seat or not self.has_room(seat):
            return
        before = self.side(owner)
        before.minions[:] = [other for other in before.minions if other is not minion]
        self.side(seat).minions.append(minion)
        minion.actions = self.edition.actions_on_entering
        self.state.idle = 0
        if self.table.watched:
            self.table.emit(MinionTaken(seat, minion.card))

    def ready(self, seat: Seat) -> None:
        """Give the minions of `seat` their actions for a turn."""
        for minion in self.state.sides[seat].minions:
            minion.actions = actions_each_turn(minion, self._cards) if minion.history else 1

    # What happens to rituals and players.

    def start_ritual(self, seat: Seat, name: str) -> None:
        """Put a ritual on the board; one that is there already is removed from the game."""
        self.end_ritual(seat)
        self.side(seat).ritual = Ritual(name, self._cards[name].charges)
        if self.table.watched:
            self.table.emit(RitualStarted(seat, name))

    def end_ritual(self, seat: Seat) -> None:
        """Remove the ritual of `seat` from the game, if there is one."""
        side = self.side(seat)
        if side.ritual is not None:
            if self.table.watched:
                self.table.emit(RitualEnded(seat, side.ritual.card))
            side.ritual = None

    def charge(self, seat: Seat, amount: int) -> None:
        """Let the ritual of `seat`, if there is one, gain charges, or lose them."""
        ritual = self.side(seat).ritual
        if ritual is not None:
            ritual.charges = max(0, ritual.charges + amount)
            if self.table.watched:
                self.table.emit(ChargesChanged(seat, ritual.card, ritual.charges))

    def gain_magic(self, seat: Seat, amount: int) -> None:
        """Let `seat` gain magic, or lose it; never below 0."""
        side = self.state.sides[seat]
        side.magic = max(0, side.magic + amount)
        if self.table.watched:
            self.table.emit(MagicChanged(seat, side.magic))

    def gain_life(self, seat: Seat, amount: int) -> None:
        """Let `seat` gain life, or lose it; with none left the game is over at once."""
        side = self.side(seat)
        side.life += amount
        if amount:
            self.state.idle = 0
        if self.table.watched:
            self.table.emit(LifeChanged(seat, side.life))
        if side.life <= 0 and not self.state.over:
            self.state.over = True
            self.state.winner = 1 - seat

    def draw(self, seat: Seat) -> None:
        """Draw a card, unless the hand is full or the deck empty."""
        side = self.state.sides[seat]
        if side.deck and self.has_hand_room(seat):
            side.hand.append(side.deck.pop())
            if self.table.watched:
                self.table.emit(CardDrawn(seat))

    # Triggers.

    def fire(
        self,
        when: When,
        seat: Seat,
        subject: Minion | None = None,
        *,
        spell: str = "",
        aim: Aim | None = None,
    ) -> None:
        """Let every trigger happen that `when` sets off, in APNAP order.

        Args:
            when: what has happened.
            seat: whose turn, minion or spell it was.
            subject: the minion that entered, leaves or attacks.
            spell: the card that was played.
            aim: what it was played at.

        Raises:
            EndlessChain: triggers set each other off without end.
        """
        triggers = self.edition.triggers.get(when)
        if triggers is None or self.state.over:
            return
        self._depth += 1
        for owner, source, own in self._with(triggers, granted=when in self.edition.granted):
            for place, trigger in enumerate(own):
                if not _concerns(trigger, owner, seat) or not self.goes_on():
                    continue
                if not self._is_there(source, owner, subject):
                    continue
                if isinstance(source, Minion) and len(triggers_of(source, triggers)) <= place:
                    continue  # it went with the enchantment that had granted it
                self._happen(Moment(self, owner, source, aim, subject, spell), trigger)
        self._depth -= 1

    def _with(
        self, triggers: Mapping[str, tuple[Trigger, ...]], *, granted: bool
    ) -> list[tuple[Seat, Minion | Ritual, tuple[Trigger, ...]]]:
        """What on the board has any of `triggers`, by card: whose it is, what, and its triggers."""
        found: list[tuple[Seat, Minion | Ritual, tuple[Trigger, ...]]] = []
        turn, sides = self.state.turn, self.state.sides
        for owner in (turn, 1 - turn):
            side = sides[owner]
            for minion in side.minions:
                if granted and minion.history:
                    found.append((owner, minion, triggers_of(minion, triggers)))
                elif minion.card in triggers:
                    found.append((owner, minion, triggers[minion.card]))
            ritual = side.ritual
            if ritual is not None and ritual.card in triggers:
                found.append((owner, ritual, triggers[ritual.card]))
        return found

    def _is_there(self, source: Minion | Ritual, owner: Seat, subject: Minion | None) -> bool:
        """Whether what a trigger stands on is still there; who is leaving has its own trigger."""
        if isinstance(source, Ritual):
            return self.side(owner).ritual is source
        place = self._place_of if source is subject else self.seat_of
        return place(source) == owner

    def _happen(self, moment: Moment, trigger: Trigger) -> None:
        """Let a trigger happen, unless it has nothing to act on or the charges do not last."""
        effect, source = trigger.effect, moment.source
        if not effect.is_possible(moment):
            return
        if isinstance(source, Ritual):
            activation = self._cards[source.card].activation
            if source.charges < activation:
                return
            source.charges -= activation
        self._triggered += 1
        if self._triggered > MOST_TRIGGERED or self._depth > MOST_NESTED:
            card = "" if source is None else source.card
            raise EndlessChain(f"triggers set each other off without end, {card} among them")
        if self.table.watched and source is not None:
            self.table.emit(Triggered(moment.seat, source.card))
            if isinstance(source, Ritual):
                self.table.emit(ChargesChanged(moment.seat, source.card, source.charges))
        effect.happen(moment)


def _concerns(trigger: Trigger, owner: Seat, seat: Seat) -> bool:
    """Whether a trigger of `owner` is set off by what `seat` has done."""
    whose = trigger.whose
    return whose is _ANY or (whose is _OWN) == (owner == seat)
