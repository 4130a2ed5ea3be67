"""Triggers: what sets them off, and in which order they happen (Sorcery 2024 §3).

They go in APNAP order: first the active player's minions from left to right, then that player's
ritual, then the same for the other player (Sorcery 2024 §1.1).
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final, TypeAlias

from typing_extensions import override

from sorcery.card import CardType, Trigger
from sorcery.effect import Aim, Effect, Moment
from sorcery.events import ChargesChanged, Triggered
from sorcery.index import Waiting
from sorcery.limits import CardFailed, EndlessChain
from sorcery.modifiers import triggers_of
from sorcery.state import BACK, MOST, Held, Minion, Ritual
from sorcery.triggers import Need, When, Whose
from sorcery.zones import Zones
from tabletop import Seat

MOST_NESTED: Final = 40
"""How deep triggers may set each other off."""

MOST_TRIGGERED: Final = 1000
"""How many triggers one action may set off."""

# Asked for often, and slow to look up in an enumeration.
_ANY, _OPPONENTS, _THIS = Whose.ANY, Whose.OPPONENTS, Whose.THIS

_MINIONS: Final = (CardType.MINION,)
_RITUALS: Final = (CardType.RITUAL,)
_EVERY: Final = tuple(CardType)

Found: TypeAlias = tuple[Seat, Minion | Ritual, tuple[Trigger, ...]]
"""The owner, the minion or ritual, and its triggers."""


class Engine(Zones):
    """One action being carried out: what happens in the zones, and the triggers it sets off."""

    __slots__ = ()

    @override
    def fire(
        self,
        when: When,
        seat: Seat,
        subject: Minion | None = None,
        spell: Effect | None = None,
        aim: Aim | None = None,
    ) -> None:
        if subject is None and spell is None and when.gives:
            raise self._failed(_without_cause(when))
        waiting, state = self.index.waiting.get(when), self.state
        # A moment that no card of the edition waits for ends here, before anything is collected.
        if waiting is None or state.over:
            return
        # Collected before any of them happens: what enters play meanwhile was not there (§3).
        found = self._found(waiting, seat)
        if found:
            self._set_off(waiting, found, seat, (subject, spell, aim))

    def _found(self, waiting: Waiting, seat: Seat) -> list[Found]:
        """The triggers on the board that wait for a moment of `seat`, in APNAP order."""
        found: list[Found] = []
        for owner, minions, rituals in waiting.places[self.state.turn][seat]:
            side = self._sides[owner]
            if minions is not None:
                for minion in side.minions:
                    if minion.history and waiting.granted:
                        found.append((owner, minion, triggers_of(minion, minions)))
                    elif minion.card in minions:
                        found.append((owner, minion, minions[minion.card]))
            if rituals is not None:
                ritual = side.ritual
                if ritual is not None and ritual.card in rituals:
                    found.append((owner, ritual, rituals[ritual.card]))
        return found

    def _set_off(
        self,
        waiting: Waiting,
        found: list[Found],
        seat: Seat,
        cause: tuple[Minion | None, Effect | None, Aim | None],
    ) -> None:
        """Let what has been found happen, in that order.

        Each is asked again when it is its turn, since those before it may have taken it away.

        Args:
            waiting: which cards wait for the moment.
            found: what was on the board then.
            seat: whose moment it is.
            cause: the minion or the spell that has set it off, and what that was played at.
        """
        self._depth += 1
        subject, spell, aim = cause
        for owner, source, own in found:
            for place, trigger in enumerate(own):
                if self._is_set_off(waiting, (owner, source, place), trigger, seat, subject):
                    self._happen(Moment(self, owner, source, aim, subject, spell), trigger)
        self._depth -= 1

    def _is_set_off(
        self,
        waiting: Waiting,
        place: tuple[Seat, Minion | Ritual, int],
        trigger: Trigger,
        seat: Seat,
        subject: Minion | None,
    ) -> bool:
        """Whether a trigger that has been found is one for this moment, and still there.

        Args:
            waiting: which cards wait for the moment.
            place: whose it is, on what it stands, and which of the triggers there it is.
            trigger: the trigger itself.
            seat: whose moment it is.
            subject: the minion that has entered, leaves or attacks.
        """
        owner, source, number = place
        if not _concerns(trigger, owner, seat) or self.state.over:
            return False
        if trigger.whose is _THIS and source is not subject:
            return False
        if not self._is_there(source, owner, subject):
            return False
        if not waiting.granted or not isinstance(source, Minion):
            return True
        # One that was granted goes with its enchantment.
        return len(triggers_of(source, waiting.minions)) > number

    def _is_there(self, source: Minion | Ritual, owner: Seat, subject: Minion | None) -> bool:
        """Whether the source of a trigger is still in play; a leaving minion is, for its own."""
        side = self._sides[owner]
        for minion in side.minions:
            if minion is source:
                # One that is about to leave is gone for all triggers but its own.
                return source is subject or not self._is_leaving(minion)
        return side.ritual is source

    def _happen(self, moment: Moment, trigger: Trigger) -> None:
        """Resolve a trigger, unless it has nothing to act on or its ritual lacks the charges."""
        effect, source = trigger.effect, moment.source
        if not effect.is_possible(moment):
            return
        ritual = self._sides[moment.seat].ritual
        if source is ritual and ritual is not None:
            activation = self.index.cards[ritual.card].activation
            if ritual.charges < activation:
                return
            ritual.charges -= activation
        self._triggered += 1
        if self._triggered > MOST_TRIGGERED or self._depth > MOST_NESTED:
            card = "" if source is None else source.card
            raise EndlessChain(f"triggers set each other off without end, {card} among them")
        if self.table.watched and source is not None:
            place = self.which(source, moment.seat) if isinstance(source, Minion) else None
            self.table.emit(Triggered(moment.seat, source.card, place))
            if isinstance(source, Ritual):
                self.table.emit(ChargesChanged(moment.seat, source.card, source.charges))
        self.resolve(effect, moment)

    def resolve(self, effect: Effect, moment: Moment) -> None:
        """Carry out an effect of a card.

        Raises:
            CardFailed: an effect of somebody's own has left on the table what cannot be there.
        """
        before, self._effect = self._effect, effect
        effect.happen(moment)
        if self.index.has_own_classes:
            for seat in (0, 1):
                what = self._nonsense(seat)
                if what:
                    raise self._failed(what)
        self._effect = before

    def _failed(self, what: str) -> CardFailed:
        """The error for what the card has done whose effect is carried out."""
        names = (
            card.name
            for card in self.index.cards.values()
            if card.effect is self._effect
            or any(ability.effect is self._effect for ability in card.abilities)
            or any(trigger.effect is self._effect for trigger in card.triggers)
        )
        return CardFailed(f"{next(names, 'A card')} {what}.")

    def _nonsense(self, seat: Seat) -> str:
        """How an effect has left the side of a player as it cannot be; empty when all is well."""
        side, player = self._sides[seat], f"player {seat + 1}"
        for what, number in (("life", side.life), ("magic", side.magic)):
            if not _is_number(number):
                return (
                    f"has left {player} with {what} {number!r}: numbers are whole, up to {MOST:,}"
                )
        for zone, kind, types, things in (
            ("hand", Held, _EVERY, side.hand),
            ("deck", Held, _EVERY, side.deck),
            ("graveyard", Held, _MINIONS, side.graveyard),
            ("board", Minion, _MINIONS, side.minions),
            ("ritual slot", Ritual, _RITUALS, [] if side.ritual is None else [side.ritual]),
        ):
            for thing in things:
                if not (isinstance(thing, kind) and self._is_sound(thing, types)):
                    card = "card" if types is _EVERY else types[0].lower()
                    right = f"a {kind.__name__} of a {card}, with whole numbers, can be there"
                    return f"has put {thing!r} into the {zone} of {player}; {right}"
        held, most = len(side.hand), self.index.most_cards
        return f"has left {player} with {held} cards; a hand holds {most}" if held > most else ""

    def _is_sound(self, thing: Held | Minion | Ritual, types: Collection[CardType]) -> bool:
        """Whether something is a card of one of these types, or hidden, with numbers in bounds."""
        if thing == BACK:
            return True
        card = self.index.cards.get(thing.card)
        if card is None or card.type not in types:
            return False
        if isinstance(thing, Ritual):
            return _is_number(thing.charges)
        if not (_is_number(thing.attack) and _is_number(thing.defence)):
            return False
        if isinstance(thing, Held):
            return True
        cards = [self.index.cards.get(name) for name in thing.enchantments]
        fits = all(one is not None and one.type is CardType.ENCHANTMENT for one in cards)
        return fits and _is_number(thing.actions)


def _without_cause(when: When) -> str:
    what = "spell" if Need.SPELL in when.gives else "minion"
    return f"fires {str(when)!r} without the {what} that sets it off"


def _is_number(number: object) -> bool:
    return type(number) is int and -MOST <= number <= MOST


def _concerns(trigger: Trigger, owner: Seat, seat: Seat) -> bool:
    """Whether a trigger of `owner` is set off by what `seat` has done."""
    whose = trigger.whose
    return whose is _ANY or (whose is not _OPPONENTS) == (owner == seat)
