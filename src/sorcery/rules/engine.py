"""The engine: one action being carried out, with the changes it makes and the triggers it sets off.

Deaths happen at once, each with its triggers, before the next thing happens. In combat and under
Blizzard, too, one minion dies after the other (Sorcery 2024 §1.1, §3.4).

Triggers go in APNAP order: first the active player's minions from left to right, then that player's
ritual, then the same for the other player (Sorcery 2024 §1.1, §3).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, TypeAlias

from sorcery.cards.editions import Edition
from sorcery.cards.errors import CardFailed, EndlessChain
from sorcery.cards.mechanics import (
    Effect,
    EffectContext,
    Need,
    TargetRef,
    Trigger,
    TriggerEvent,
    When,
    Whose,
)
from sorcery.cards.state import MOST, CardInstance, Minion, Ritual, Side, SorceryState
from sorcery.cards.trigger_index import TriggerIndex
from sorcery.cards.validation import check_table
from sorcery.rules.events import (
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
    Triggered,
)
from sorcery.rules.minion_stats import (
    actions_each_turn,
    add_enchantment,
    add_gain,
    drop_top_enchantment,
    triggers_of,
    without_enchantments,
)
from tabletop import Seat, Table

MOST_NESTED: Final = 40
"""The greatest depth of triggers that set each other off."""

MOST_TRIGGERED: Final = 1000
"""The most triggers that one action may set off."""

# Asked for often, and slow to look up in an enumeration.
_ANY, _OPPONENTS, _THIS = Whose.ANY, Whose.OPPONENTS, Whose.THIS
_ENTERS, _LEAVES, _DIES = When.ENTERS, When.LEAVES, When.DIES

_BACK = "play"
"""The destination of a minion that dies, and returns from the graveyard at once."""

_DEATHS = ("graveyard", _BACK)

_kept: Final = lru_cache(maxsize=1024, typed=True)(CardInstance)
"""A card with the numbers it has kept; shared, because a frozen object takes long to make."""

Found: TypeAlias = tuple[Seat, Minion | Ritual, tuple[Trigger, ...]]
"""The owner, the minion or ritual, and its triggers."""


class Engine:
    """The engine of one action: questions about the state, changes to it, and triggers.

    Effects know it as `sorcery.EffectEngine`, which says more of what they ask.
    Every method that changes the state emits the event of that change, so that none can be
    forgotten. Minions are compared by identity everywhere: there may be two that are equal.

    Attributes:
        state: the state of the match.
        table: chance, and where events go.
        edition: the numbers and cards that are played with.
        index: the cards of the edition, sorted.
        cause: the card that acts now and whose it is: the one that damage is from.
    """

    __slots__ = (
        "_card",
        "_depth",
        "_leaving",
        "_sides",
        "_triggered",
        "cause",
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
        self.cause: tuple[str, Seat | None] = ("", None)
        # Minions whose leaving sets triggers off just now, with their owners, where they go, and
        # the defence with which they would return from there.
        self._leaving: list[tuple[Minion, Seat, str, int | None]] = []
        self._depth = 0  # of triggers that set each other off
        self._triggered = 0
        self._card = ""  # whose effect happens, where effects may be somebody's own

    def is_running(self) -> bool:
        """True while nobody has lost: afterwards, nothing more happens."""
        return not self.state.over

    def side(self, seat: Seat) -> Side:
        """Return the side of `seat`."""
        return self._sides[seat]

    def minions(self) -> list[Minion]:
        """Return all minions in APNAP order."""
        turn = self.state.turn
        sides = self._sides
        return sides[turn].minions + sides[1 - turn].minions

    def seat_of(self, minion: Minion) -> Seat | None:
        """Return the seat whose board `minion` is on; None when it has left, or is about to."""
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
        """Return whether `minion` is on a board, be it about to leave."""
        return self._place_of(minion) is not None

    def ambiguous_place(self, minion: Minion, seat: Seat) -> int | None:
        """Return the place of a minion of `seat`, from 0, if its name is ambiguous; else None."""
        minions = self._sides[seat].minions
        alike = [place for place, other in enumerate(minions) if other.card == minion.card]
        if len(alike) < 2:
            return None
        return next((place for place in alike if minions[place] is minion), None)

    def printed(self, name: str) -> CardInstance:
        """Return the card called `name` as it is printed."""
        return self.edition.printed(name)

    def cost(self, name: str) -> int:
        """Return what the card called `name` costs, in magic."""
        return self.index.cards[name].cost

    def has_room(self, seat: Seat) -> bool:
        """Return whether a minion fits on the board of `seat`; one that is leaving takes no place.

        What a minion summons as it dies may take its place.
        """
        minions = len(self._sides[seat].minions)
        if self._leaving:
            minions -= sum(owner == seat for _, owner, _, _ in self._leaving)
        return minions < self.index.most_minions

    def has_hand_room(self, seat: Seat) -> bool:
        """Return whether a card fits into a hand; a minion on its way there has its place."""
        cards = len(self._sides[seat].hand)
        if self._leaving:
            cards += sum(owner == seat and to == "hand" for _, owner, to, _ in self._leaving)
        return cards < self.index.most_cards

    # Changes to minions.

    def damage(self, minion: Minion, amount: int) -> None:
        """Deal damage to a minion on the board; none when `amount` is not positive."""
        seat = self.seat_of(minion)
        if seat is None or amount <= 0:
            return
        add_gain(minion, 0, -amount)
        # Here and below: events are made only for listeners. Simulations make none.
        if self.table.watched:
            left, place = minion.defence, self.ambiguous_place(minion, seat)
            self.table.emit(MinionDamaged(seat, minion.card, amount, left, place, *self.cause))
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
                MinionGained(seat, minion.card, attack, defence, self.ambiguous_place(minion, seat))
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
            self.table.emit(Enchanted(seat, minion.card, name, self.ambiguous_place(minion, seat)))
        if minion.defence <= 0:
            self._leave(minion, "graveyard")

    def disenchant(self, minion: Minion) -> None:
        """Destroy the newest enchantment on a minion that has one."""
        seat = self.seat_of(minion)
        if seat is None or not minion.enchantments:
            return
        name = drop_top_enchantment(minion, self.index.cards)
        if self.table.watched:
            self.table.emit(
                Disenchanted(seat, minion.card, name, self.ambiguous_place(minion, seat))
            )
        if minion.defence <= 0:
            self._leave(minion, "graveyard")

    def destroy(self, minion: Minion) -> None:
        """Let a minion die, whatever its defence is."""
        self._leave(minion, "graveyard")

    def return_to_hand(self, minion: Minion) -> None:
        """Put a minion into its owner's hand, unless that is full; one that is leaving, too."""
        seat = self._place_of(minion)
        if seat is not None and self.has_hand_room(seat):
            self._redirect(minion, "hand")
            self._leave(minion, "hand")

    def put_under_deck(self, minion: Minion) -> None:
        """Put a minion on the bottom of its owner's deck; one that is leaving goes there, too."""
        self._redirect(minion, "deck")
        self._leave(minion, "deck")

    def bring_back(self, minion: Minion, defence: int | None = None) -> None:
        """Let a minion that is leaving return to play from the graveyard, if there is room then."""
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
        # Looked up again: a trigger may just have sent it elsewhere (see `_redirect`).
        if self._leaving[-1][2] in _DEATHS:
            self.fire(_DIES, seat, minion)
        _, _, to, defence = self._leaving.pop()
        returns, to = to == _BACK, "graveyard" if to == _BACK else to
        side = self._sides[seat]
        place = self.ambiguous_place(minion, seat) if self.table.watched else None
        _remove(minion, side.minions)
        self.state.idle = 0
        held = self._turn_into_card(minion)
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
                held = CardInstance(held.card, held.attack, defence)
            self.enter(seat, held, "graveyard")

    def _turn_into_card(self, minion: Minion) -> CardInstance:
        """Return the card that a minion becomes when it leaves the board."""
        if not self.edition.keeps_numbers:
            return self.edition.printed(minion.card)
        attack, defence = without_enchantments(minion)
        return _kept(minion.card, attack, defence)

    def enter(self, seat: Seat, held: CardInstance, origin: str) -> None:
        """Put a minion on the right end of a board that has room, with all that follows."""
        side = self._sides[seat]
        minion = Minion(held.card, held.attack, held.defence, held.attack, held.defence)
        minion.actions = self.edition.actions_on_entering
        side.minions.append(minion)
        self.state.idle = 0
        if self.table.watched:
            self.table.emit(
                MinionEntered(seat, minion.card, origin, self.ambiguous_place(minion, seat))
            )
        if minion.defence <= 0:
            self._leave(minion, "graveyard")
        self.fire(_ENTERS, seat, minion)

    def take(self, seat: Seat, minion: Minion) -> None:
        """Let `seat` take a minion over, with all that is on it. It neither leaves nor enters."""
        owner = self.seat_of(minion)
        if owner is None or owner == seat or not self.has_room(seat):
            return
        place = self.ambiguous_place(minion, owner) if self.table.watched else None
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

    # Changes to rituals and players.

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
        magic = side.magic + amount
        side.magic = magic if 0 <= magic <= MOST else max(0, min(MOST, magic))
        if self.table.watched:
            self.table.emit(MagicChanged(seat, side.magic))

    def gain_life(self, seat: Seat, amount: int) -> None:
        """Let `seat` gain life, or lose it; with none left the game is over at once."""
        side = self._sides[seat]
        side.life = min(MOST, side.life + amount)
        if amount:
            self.state.idle = 0
        if self.table.watched:
            self.table.emit(LifeChanged(seat, side.life, *self.cause))
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

    # Triggers.

    def fire(
        self,
        when: TriggerEvent,
        seat: Seat,
        subject: Minion | None = None,
        spell: Effect | None = None,
        aim: TargetRef | None = None,
    ) -> None:
        """Resolve every trigger that `when` sets off, in APNAP order.

        Raises:
            EndlessChain: triggers set each other off without end.
            CardFailed: somebody's own effect leaves out the minion or spell that sets them off.
        """
        waiting = self.index.waiting.get(when)
        # A moment that no card of the edition waits for ends here, before anything is collected.
        if waiting is None or self.state.over:
            return
        if self._card and subject is None and spell is None and when.gives:
            what = "spell" if Need.SPELL in when.gives else "minion"
            raise CardFailed(f"{self._card} fires {str(when)!r} without the {what} that does so")
        # Collected before any of them happens: a minion that enters meanwhile was not there (§3).
        found = self._find_triggers(waiting)
        if found:
            self._set_off(waiting, found, seat, (subject, spell, aim))

    def _find_triggers(self, waiting: TriggerIndex) -> list[Found]:
        """Return the triggers on the board that wait for a moment, in APNAP order."""
        found: list[Found] = []
        minions, rituals, turn = waiting.minions, waiting.rituals, self.state.turn
        for owner in (turn, 1 - turn):
            side = self._sides[owner]
            if waiting.granted:
                found += [(owner, one, triggers_of(one, minions)) for one in side.minions]
            elif minions:
                for minion in side.minions:
                    if minion.card in minions:
                        found.append((owner, minion, minions[minion.card]))
            if rituals and (ritual := side.ritual) is not None and ritual.card in rituals:
                found.append((owner, ritual, rituals[ritual.card]))
        return found

    def _set_off(
        self,
        waiting: TriggerIndex,
        found: list[Found],
        seat: Seat,
        cause: tuple[Minion | None, Effect | None, TargetRef | None],
    ) -> None:
        """Resolve the triggers found, in that order.

        Each is asked again when it is its turn, since those before it may have taken it away.
        """
        self._depth += 1
        subject, spell, aim = cause
        for owner, source, own in found:
            for place, trigger in enumerate(own):
                if self._is_set_off(waiting, (owner, source, place), trigger, seat, subject):
                    self._happen(EffectContext(self, owner, source, aim, subject, spell), trigger)
        # Not in a `finally`: after an error the action is taken back, and this engine is gone.
        self._depth -= 1

    def _is_set_off(
        self,
        waiting: TriggerIndex,
        place: tuple[Seat, Minion | Ritual, int],
        trigger: Trigger,
        seat: Seat,
        subject: Minion | None,
    ) -> bool:
        """Return whether a trigger that has been found is one for this moment, and still there."""
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
        """Return whether a trigger's source is still in play; a leaving minion is, for its own."""
        side = self._sides[owner]
        for minion in side.minions:
            if minion is source:
                # One that is about to leave is gone for all triggers but its own.
                return source is subject or not self._is_leaving(minion)
        return side.ritual is source

    def _happen(self, context: EffectContext, trigger: Trigger) -> None:
        """Resolve a trigger, unless it has nothing to act on or its ritual lacks the charges."""
        effect, source = trigger.effect, context.source
        if not effect.is_possible(context):
            return
        ritual = self._sides[context.seat].ritual
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
            place = (
                self.ambiguous_place(source, context.seat) if isinstance(source, Minion) else None
            )
            self.table.emit(Triggered(context.seat, source.card, place))
            if isinstance(source, Ritual):
                self.table.emit(ChargesChanged(context.seat, source.card, source.charges))
        self.resolve("" if source is None else source.card, effect, context)

    def resolve(self, card: str, effect: Effect, context: EffectContext) -> None:
        """Let an effect of a card happen.

        Raises:
            CardFailed: somebody's own effect has left on the table what cannot lie there.
        """
        former, self.cause = self.cause, (card, context.seat)
        if self.index.has_custom_classes:
            before, self._card = self._card, card
            effect.happen(context)
            check_table(self.state, self.index.cards, card)
            self._card = before
        else:
            effect.happen(context)
        self.cause = former


def _remove(minion: Minion, minions: list[Minion]) -> None:
    """Take a minion off a board, by identity: some may be equal, and they are not this one."""
    for place, other in enumerate(minions):
        if other is minion:
            del minions[place]
            return


def _concerns(trigger: Trigger, owner: Seat, seat: Seat) -> bool:
    """Return whether a trigger of `owner` is set off by what `seat` has done."""
    whose = trigger.whose
    return whose is _ANY or (whose is not _OPPONENTS) == (owner == seat)
