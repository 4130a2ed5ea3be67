"""The engine carries out one action: it changes the state and resolves the triggers.

A minion dies immediately, and the triggers of its death are resolved, before anything else happens.
Even in combat and with Blizzard, minions die one after another (Sorcery 2024 §1.1, §3.4).

Triggers are resolved in APNAP order: the active player's minions from left to right, then that
player's ritual, then the same for the other player (Sorcery 2024 §1.1, §3).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from typing_extensions import override

from sorcery.cards.editions import Edition
from sorcery.cards.errors import CardFailed, EndlessChain
from sorcery.cards.mechanics import (
    Effect,
    EffectContext,
    EffectEngine,
    Need,
    TargetRef,
    Trigger,
    TriggerEvent,
    When,
    Whose,
)
from sorcery.cards.state import MOST, CardInstance, Minion, Ritual, SorceryState
from sorcery.cards.validation import check_table
from sorcery.rules import events
from sorcery.rules.minion_stats import (
    actions_each_turn,
    add_enchantment,
    add_gain,
    drop_top_enchantment,
    triggers_of,
    without_enchantments,
)
from tabletop import Event, Seat, Table

MOST_NESTED: Final = 40  # maximum depth of triggers that set each other off
MOST_TRIGGERED: Final = 1000  # maximum number of triggers that one action may set off
_BACK = "play"  # the destination of a minion that dies and returns to play at once

_DEATHS = ("graveyard", _BACK)

SourceTriggers: TypeAlias = tuple[Seat, Minion | Ritual, tuple[Trigger, ...]]
"""The triggers of a minion or ritual, with this minion or ritual and its owner."""


class Engine(EffectEngine):
    """The engine for one action: changes to the state, and triggers.

    Every method that changes the state also emits the event of that change, so that no caller can
    forget the event. Minions are always compared by identity, because two different minions may be
    equal.

    Attributes:
        state: The state of the match.
        table: Random streams of the match, and the method `emit` for events.
        edition: Numbers and cards of the game.
        cause: The card that acts now and its owner, which are reported as the source of damage.
    """

    edition: Edition

    def __init__(self, state: SorceryState, table: Table, edition: Edition) -> None:
        self.state = state
        self._sides = state.sides
        self.table = table
        self.edition = edition
        self._cards = edition.cards
        self._triggers = edition.triggers
        self.cause: tuple[str, Seat | None] = ("", None)
        # Minions whose leaving is setting off triggers now: the minion, its owner, its destination,
        # and the defence with which it would return to play.
        self._leaving: list[tuple[Minion, Seat, str, int | None]] = []
        self._depth = 0  # nested triggers
        self._triggered = 0
        self._card = ""  # the card whose effect happens, kept only if there are custom classes

    @override
    def seat_of(self, minion: Minion) -> Seat | None:
        return None if self._leaving and self._is_leaving(minion) else self._place_of(minion)

    def _is_leaving(self, minion: Minion) -> bool:
        return any(other is minion for other, _, _, _ in self._leaving)

    def _place_of(self, minion: Minion) -> Seat | None:
        for seat, side in enumerate(self._sides):
            for other in side.minions:
                if other is minion:
                    return seat
        return None

    @override
    def is_here(self, minion: Minion) -> bool:
        return self._place_of(minion) is not None

    def ambiguous_place(self, minion: Minion, seat: Seat) -> int | None:
        """Return the place (from 0) of a minion of `seat`, or None if its name is unambiguous."""
        minions = self._sides[seat].minions
        alike = [place for place, other in enumerate(minions) if other.card == minion.card]
        if len(alike) < 2:
            return None
        return next((place for place in alike if minions[place] is minion), None)

    @override
    def printed(self, name: str) -> CardInstance:
        return self.edition.printed(name)

    @override
    def cost(self, name: str) -> int:
        return self._cards[name].cost

    @override
    def has_room(self, seat: Seat) -> bool:
        minions = len(self._sides[seat].minions)
        if self._leaving:
            minions -= sum(owner == seat for _, owner, _, _ in self._leaving)
        return minions < self.edition.most_minions

    def has_hand_room(self, seat: Seat) -> bool:
        """Return whether a hand has room for a card, counting minions on their way to it."""
        cards = len(self._sides[seat].hand)
        if self._leaving:
            cards += sum(owner == seat and to == "hand" for _, owner, to, _ in self._leaving)
        return cards < self.edition.most_cards

    # Changes to minions.

    @override
    def damage(self, minion: Minion, amount: int) -> None:
        seat = self.seat_of(minion)
        if seat is None or amount <= 0:
            return
        add_gain(minion, 0, -amount)
        by, by_seat = self.cause
        left = minion.defence
        self._changed(events.MinionDamaged, seat, minion, amount, left, by=by, by_seat=by_seat)

    @override
    def gain(self, minion: Minion, attack: int, defence: int) -> None:
        seat = self._place_of(minion)
        if seat is None:
            return
        add_gain(minion, attack, defence)
        self._changed(events.MinionGained, seat, minion, attack, defence)

    @override
    def enchant(self, minion: Minion, name: str) -> None:
        seat = self.seat_of(minion)
        if seat is None:
            return
        before = actions_each_turn(minion, self._cards)
        add_enchantment(minion, name, self._cards)
        minion.actions += actions_each_turn(minion, self._cards) - before
        self._changed(events.Enchanted, seat, minion, name)

    @override
    def disenchant(self, minion: Minion) -> None:
        seat = self.seat_of(minion)
        if seat is None or not minion.enchantments:
            return
        name = drop_top_enchantment(minion, self._cards)
        self._changed(events.Disenchanted, seat, minion, name)

    def _changed(
        self, kind: Callable[..., Event], seat: Seat, minion: Minion, *details: object, **by: object
    ) -> None:
        """Emit an event about a minion, which dies if it has no defence left."""
        # Here and below, events are created only for observers. Simulations have none.
        if self.table.watched:
            place = self.ambiguous_place(minion, seat)
            self.table.emit(kind(seat, minion.card, *details, place=place, **by))
        if minion.defence <= 0:
            self._leave(minion, "graveyard")

    @override
    def destroy(self, minion: Minion) -> None:
        self._leave(minion, "graveyard")

    @override
    def return_to_hand(self, minion: Minion) -> None:
        seat = self._place_of(minion)
        if seat is not None and self.has_hand_room(seat):
            self._redirect(minion, "hand")
            self._leave(minion, "hand")

    @override
    def put_under_deck(self, minion: Minion) -> None:
        self._redirect(minion, "deck")
        self._leave(minion, "deck")

    @override
    def bring_back(self, minion: Minion, defence: int | None = None) -> None:
        self._redirect(minion, _BACK, defence)

    def _redirect(self, minion: Minion, to: str, defence: int | None = None) -> None:
        """Change the destination of a minion that is leaving. The last change counts."""
        for place, (other, seat, _, _) in enumerate(self._leaving):
            if other is minion:
                self._leaving[place] = (minion, seat, to, defence)

    def _leave(self, minion: Minion, to: str) -> None:
        """Remove a minion from play: resolve triggers, including its own, then drop enchantments.

        During the triggers, the minion no longer takes up a place on the board (see `has_room`).
        The triggers may change its destination. Only a minion on its way to the graveyard dies.
        """
        seat = self.seat_of(minion)
        if seat is None:
            return
        # For its own triggers it is still on the board: it can gain, but not leave again.
        self._leaving.append((minion, seat, to, None))
        self.fire(When.LEAVES, seat, minion)
        # Read again, because a trigger may have changed the destination (see `_redirect`).
        if self._leaving[-1][2] in _DEATHS:
            self.fire(When.DIES, seat, minion)
        _, _, to, defence = self._leaving.pop()
        returns, to = to == _BACK, "graveyard" if to == _BACK else to
        side = self._sides[seat]
        place = self.ambiguous_place(minion, seat) if self.table.watched else None
        _remove(minion, side.minions)
        self.state.idle = 0
        card = self._turn_into_card(minion)
        if to == "hand":
            side.hand.append(card)
        elif to == "deck":
            # The top of a deck is the end of the list, which makes drawing cheap.
            side.deck.insert(0, card)
        else:
            side.graveyard.append(card)
        if self.table.watched:
            self.table.emit(
                events.MinionLeft(seat, minion.card, to, tuple(minion.enchantments), place)
            )
        if returns and self.has_room(seat):
            side.graveyard.pop()
            if defence is not None:
                card = CardInstance(card.card, card.attack, defence)
            self.enter(seat, card, "graveyard")

    def _turn_into_card(self, minion: Minion) -> CardInstance:
        """Return the card that a minion becomes when it leaves the board."""
        if not self.edition.keeps_numbers:
            return self.edition.printed(minion.card)
        attack, defence = without_enchantments(minion)
        return CardInstance(minion.card, attack, defence)

    @override
    def enter(self, seat: Seat, card: CardInstance, origin: str) -> None:
        side = self._sides[seat]
        minion = Minion(card.card, card.attack, card.defence, card.attack, card.defence)
        minion.actions = self.edition.actions_on_entering
        side.minions.append(minion)
        self.state.idle = 0
        self._changed(events.MinionEntered, seat, minion, origin)
        self.fire(When.ENTERS, seat, minion)

    @override
    def take(self, seat: Seat, minion: Minion) -> None:
        owner = self.seat_of(minion)
        if owner is None or owner == seat or not self.has_room(seat):
            return
        place = self.ambiguous_place(minion, owner) if self.table.watched else None
        _remove(minion, self.side(owner).minions)
        self._sides[seat].minions.append(minion)
        minion.actions = self.edition.actions_on_entering
        self.state.idle = 0
        if self.table.watched:
            self.table.emit(events.MinionTaken(seat, minion.card, place))

    def ready(self, seat: Seat) -> None:
        """Give the minions of `seat` their actions at the start of a turn."""
        for minion in self._sides[seat].minions:
            minion.actions = actions_each_turn(minion, self._cards)

    # Changes to rituals and players.

    @override
    def start_ritual(self, seat: Seat, name: str) -> None:
        self.end_ritual(seat)
        self._sides[seat].ritual = Ritual(name, self._cards[name].charges)
        if self.table.watched:
            self.table.emit(events.RitualStarted(seat, name))

    @override
    def end_ritual(self, seat: Seat) -> None:
        side = self._sides[seat]
        if side.ritual is not None:
            if self.table.watched:
                self.table.emit(events.RitualEnded(seat, side.ritual.card))
            side.ritual = None

    @override
    def charge(self, seat: Seat, amount: int) -> None:
        ritual = self._sides[seat].ritual
        if ritual is not None:
            ritual.charges = max(0, min(MOST, ritual.charges + amount))
            if self.table.watched:
                self.table.emit(events.ChargesChanged(seat, ritual.card, ritual.charges))

    @override
    def gain_magic(self, seat: Seat, amount: int) -> None:
        side = self._sides[seat]
        side.magic = max(0, min(MOST, side.magic + amount))
        if self.table.watched:
            self.table.emit(events.MagicChanged(seat, side.magic))

    @override
    def gain_life(self, seat: Seat, amount: int) -> None:
        side = self._sides[seat]
        side.life = min(MOST, side.life + amount)
        if amount:
            self.state.idle = 0
        if self.table.watched:
            self.table.emit(events.LifeChanged(seat, side.life, *self.cause))
        if side.life <= 0 and not self.state.over:
            self.state.over = True
            self.state.winner = 1 - seat

    @override
    def discard(self, seat: Seat, place: int) -> None:
        card = self._sides[seat].hand.pop(place)
        self.table.emit(events.CardDiscarded(seat, card.card))

    @override
    def draw(self, seat: Seat) -> None:
        side = self._sides[seat]
        if side.deck and self.has_hand_room(seat):
            side.hand.append(side.deck.pop())
            if self.table.watched:
                self.table.emit(events.CardDrawn(seat))
        elif self.table.watched:
            self.table.emit(events.DrawSkipped(seat, hand_is_full=not self.has_hand_room(seat)))

    # Triggers.

    @override
    def fire(
        self,
        when: TriggerEvent,
        seat: Seat,
        subject: Minion | None = None,
        spell: Effect | None = None,
        aim: TargetRef | None = None,
    ) -> None:
        waiting = self._triggers.get(when)
        # Most events have no triggers in the edition, so return before collecting any.
        if waiting is None or self.state.over:
            return
        if self._card and subject is None and spell is None and when.gives:
            missing = "spell" if Need.SPELL in when.gives else "minion"
            raise CardFailed(f"{self._card} fires {str(when)!r} without its {missing}")
        # Collected first, because a minion that enters meanwhile does not count (§3).
        sources = self._find_triggers(waiting)
        self._depth += 1
        for owner, source, triggers in sources:
            for place, trigger in enumerate(triggers):
                # An earlier trigger may have removed the source, or the enchantment that granted
                # this trigger.
                if (
                    self.is_running()
                    and _concerns(trigger, owner, source, seat, subject)
                    and self._is_there(source, owner, subject)
                    and place < len(triggers_of(source, waiting))
                ):
                    context = EffectContext(self, owner, source, aim, subject, spell)
                    self._resolve_trigger(trigger, source, context)
        # No `finally`: after an error the match undoes the action and drops this engine.
        self._depth -= 1

    def _find_triggers(self, waiting: Mapping[str, tuple[Trigger, ...]]) -> list[SourceTriggers]:
        """Return the triggers on the board for an event, in APNAP order."""
        return [
            (owner, source, triggers)
            for owner in (self.state.turn, 1 - self.state.turn)
            for source in (*self._sides[owner].minions, self._sides[owner].ritual)
            if source is not None and (triggers := triggers_of(source, waiting))
        ]

    def _is_there(self, source: Minion | Ritual, owner: Seat, subject: Minion | None) -> bool:
        """Return whether a trigger's source is in play, or is leaving and triggers itself."""
        side = self._sides[owner]
        for minion in side.minions:
            if minion is source:
                return source is subject or not self._is_leaving(minion)
        return side.ritual is source

    def _resolve_trigger(
        self, trigger: Trigger, source: Minion | Ritual, context: EffectContext
    ) -> None:
        """Resolve a trigger, unless its effect is impossible or its ritual lacks the charges."""
        if not trigger.effect.is_possible(context):
            return
        seat = context.seat
        if isinstance(source, Ritual):
            activation = self._cards[source.card].activation
            if source.charges < activation:
                return
            source.charges -= activation
        self._triggered += 1
        if self._triggered > MOST_TRIGGERED or self._depth > MOST_NESTED:
            raise EndlessChain(f"triggers activate each other endlessly, including {source.card}")
        if self.table.watched:
            place = None if isinstance(source, Ritual) else self.ambiguous_place(source, seat)
            self.table.emit(events.Triggered(seat, source.card, place))
            if isinstance(source, Ritual):
                self.table.emit(events.ChargesChanged(seat, source.card, source.charges))
        self.resolve(source.card, trigger.effect, context)

    def resolve(self, card: str, effect: Effect, context: EffectContext) -> None:
        """Carry out an effect of a card.

        Raises:
            CardFailed: A custom effect left an invalid state.
        """
        former, self.cause = self.cause, (card, context.seat)
        if self.edition.has_custom_classes:
            before, self._card = self._card, card
            effect.happen(context)
            check_table(self.state, self._cards, card)
            self._card = before
        else:
            effect.happen(context)
        self.cause = former


def _remove(minion: Minion, minions: list[Minion]) -> None:
    """Remove a minion from a board by identity, because other minions may be equal."""
    for place, other in enumerate(minions):
        if other is minion:
            del minions[place]
            return


def _concerns(
    trigger: Trigger, owner: Seat, source: Minion | Ritual, seat: Seat, subject: Minion | None
) -> bool:
    """Return whether an event of player `seat` can set off a trigger of `owner`."""
    if trigger.whose is Whose.ANY:
        return True
    if trigger.whose is Whose.THIS and source is not subject:
        return False
    return (trigger.whose is not Whose.OPPONENTS) == (owner == seat)
