"""Triggers: what sets them off, and in which order they happen (Sorcery 2024 §3).

They go in APNAP order: first the active player's minions from left to right, then that player's
ritual, then the same for the other player (Sorcery 2024 §1.1).
"""

from __future__ import annotations

from typing import Final, TypeAlias

from typing_extensions import override

from sorcery.card import Trigger
from sorcery.effect import Aim, Effect, Moment
from sorcery.events import ChargesChanged, Triggered
from sorcery.index import Waiting
from sorcery.limits import EndlessChain
from sorcery.modifiers import triggers_of
from sorcery.state import Minion, Ritual
from sorcery.triggers import When, Whose
from sorcery.zones import Zones
from tabletop import Seat

MOST_NESTED: Final = 40
"""How deep triggers may set each other off."""

MOST_TRIGGERED: Final = 1000
"""How many triggers one action may set off."""

# Asked for often, and slow to look up in an enumeration.
_ANY, _OPPONENTS, _THIS = Whose.ANY, Whose.OPPONENTS, Whose.THIS

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
        waiting, state = self.index.waiting.get(when), self.state
        # A moment that no card of the edition waits for ends here, before anything is collected.
        if waiting is None or state.over:
            return
        # Collected before any of them happens: what enters play meanwhile was not there (§3).
        found: list[Found] = []
        for owner, minions, rituals in waiting.places[state.turn][seat]:
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
        if found:
            self._set_off(waiting, found, seat, (subject, spell, aim))

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
        effect.happen(moment)


def _concerns(trigger: Trigger, owner: Seat, seat: Seat) -> bool:
    """Whether a trigger of `owner` is set off by what `seat` has done."""
    whose = trigger.whose
    return whose is _ANY or (whose is not _OPPONENTS) == (owner == seat)
