"""Triggers: what sets them off, and in which order they happen (Sorcery 2024 §3).

They go in APNAP order: first the active player's minions from left to right, then that player's
ritual, then the same for the other player (Sorcery 2024 §1.1).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias, cast

from sorcery.actions import RITUAL
from sorcery.card import Trigger, When, Whose
from sorcery.events import ChargesChanged, Triggered
from sorcery.modifiers import triggers_of
from sorcery.state import MOST, Minion, Ritual, Side, SorceryState
from tabletop import Seat, Table, TabletopError

if TYPE_CHECKING:
    from sorcery.editions import Edition
    from sorcery.engine import Engine

MOST_NESTED: Final = 40
"""How deep triggers may set each other off."""

MOST_TRIGGERED: Final = 1000
"""How many triggers one action may set off."""

_ANY, _OWN = Whose.ANY, Whose.OWN  # asked for often, and slow to look up in an enumeration


class BrokenOff(TabletopError):
    """What an action sets off cannot be played to its end. The action is taken back."""


class EndlessChain(BrokenOff):
    """Triggers set each other off without end."""


class NumberTooGreat(BrokenOff):
    """A number of the game would grow beyond `sorcery.state.MOST`."""


def too_great(what: str, number: int) -> str:
    """Why a number cannot be, as a sentence: `The life of a player would be 10,004: ...`."""
    bound = f"down to -{MOST:,}" if number < 0 else f"up to {MOST:,}"
    return f"{what} would be {number:,}: numbers go {bound}."


def hold(what: str, number: int) -> None:
    """Break an action off that makes a number too great.

    Args:
        what: is so great, as a sentence begins with it.
        number: how great it is.

    Raises:
        NumberTooGreat: it is beyond `MOST`, one way or the other.
    """
    if not -MOST <= number <= MOST:
        raise NumberTooGreat(too_great(what, number))


class Aim(NamedTuple):
    """What a card or an ability is aimed at: a minion of `seat`, or that player's ritual."""

    seat: Seat
    minion: Minion | None


def aim_at(state: SorceryState, player: Seat | None, target: int | None) -> Aim | None:
    """What is named, which must be there."""
    if player is None or target is None:
        return None
    return Aim(player, None if target == RITUAL else state.sides[player].minions[target])


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


class Triggers:
    """The triggers of one action that is being carried out; `Engine` adds what they do.

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

    def which(self, minion: Minion, seat: Seat) -> int | None:
        """The place of a minion of `seat`, from 0, if its name alone is ambiguous; else None."""
        minions = self.state.sides[seat].minions
        alike = [place for place, other in enumerate(minions) if other.card == minion.card]
        if len(alike) < 2:
            return None
        return next((place for place in alike if minions[place] is minion), None)

    # What is set off.

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
        # A moment that no card of the edition waits for ends here, before anything is collected.
        if triggers is None or self.state.over:
            return
        engine = cast("Engine", self)  # which is what it always is
        self._depth += 1
        for owner, source, own in self._with(triggers, granted=when in self.edition.granted):
            for place, trigger in enumerate(own):
                if not _concerns(trigger, owner, seat) or not self.goes_on():
                    continue
                if not self._is_there(source, owner, subject):
                    continue
                if isinstance(source, Minion) and len(triggers_of(source, triggers)) <= place:
                    continue  # it went with the enchantment that had granted it
                self._happen(Moment(engine, owner, source, aim, subject, spell), trigger)
        self._depth -= 1

    def _with(
        self, triggers: Mapping[str, tuple[Trigger, ...]], *, granted: bool
    ) -> list[tuple[Seat, Minion | Ritual, tuple[Trigger, ...]]]:
        """All on the board with one of `triggers` (by card): its owner, itself, its triggers."""
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
        """Whether the source of a trigger is still in play; a leaving minion still has its own."""
        if isinstance(source, Ritual):
            return self.side(owner).ritual is source
        place = self._place_of if source is subject else self.seat_of
        return place(source) == owner

    def _happen(self, moment: Moment, trigger: Trigger) -> None:
        """Resolve a trigger, unless it has nothing to act on or its ritual lacks the charges."""
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
            place = self.which(source, moment.seat) if isinstance(source, Minion) else None
            self.table.emit(Triggered(moment.seat, source.card, place))
            if isinstance(source, Ritual):
                self.table.emit(ChargesChanged(moment.seat, source.card, source.charges))
        effect.happen(moment)


def _concerns(trigger: Trigger, owner: Seat, seat: Seat) -> bool:
    """Whether a trigger of `owner` is set off by what `seat` has done."""
    whose = trigger.whose
    return whose is _ANY or (whose is _OWN) == (owner == seat)
