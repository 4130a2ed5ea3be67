"""Effects: what cards do, named after what they do, for cards to be composed of.

An effect is a value. It acts on those its selector means (`sorcery.cards.selectors`), as much as
its amount is worked out to be (`sorcery.cards.amounts`), once, before it acts on the first. An
effect of one's own derives from one of the bases.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from typing_extensions import override

from sorcery.cards.amounts import Condition, Number, worked_out
from sorcery.cards.errors import CardsError
from sorcery.cards.mechanics import Effect, EffectContext, Kind, Need, PlayContext
from sorcery.cards.selectors import TARGET, YOU, Selector, aim_now
from sorcery.cards.state import CardInstance, Minion
from tabletop import Seat

# Bases.


@dataclass(frozen=True, slots=True)
class OnSome(Effect):
    """The base of effects on the things that a selector finds: fill in `happen`.

    Attributes:
        whom: the selector of its targets.
    """

    whom: Selector = TARGET

    @override
    def is_possible(self, context: EffectContext) -> bool:
        return self.whom.is_there(context)


class OnMinions(OnSome):
    """The base of effects that act on minions, one after the other: fill in `act`."""

    takes: ClassVar[frozenset[Kind]] = frozenset({Kind.MINIONS})

    @override
    def happen(self, context: EffectContext) -> None:
        for one in self.whom.found(context):
            if context.engine.goes_on() and isinstance(one, Minion):
                self.act(context, one)

    @abstractmethod
    def act(self, context: EffectContext, minion: Minion) -> None:
        """Apply the effect to one minion."""


def players(whom: Selector, context: EffectContext) -> list[Seat]:
    """Return the players that a selector means."""
    return [one for one in whom.found(context) if isinstance(one, int)]


@dataclass(frozen=True, slots=True)
class OnPlayers(Effect):
    """The base of effects on players alone.

    Attributes:
        whom: the selector of the players.
    """

    takes: ClassVar[frozenset[Kind]] = frozenset({Kind.PLAYERS})

    whom: Selector = YOU


# Effects.


@dataclass(frozen=True, slots=True)
class Damage(OnSome):
    """Deal `amount` damage to minions and players, who lose so much life; none below 1."""

    takes_leaving: ClassVar[bool] = False

    amount: Number = 1

    @override
    def happen(self, context: EffectContext) -> None:
        amount = worked_out(self.amount, context)
        context.engine.damage_all(self.whom.found(context), amount)


@dataclass(frozen=True, slots=True)
class Strengthen(OnSome):
    """Let minions gain attack and defence for good."""

    takes: ClassVar[frozenset[Kind]] = frozenset({Kind.MINIONS})

    attack: Number = 0
    defence: Number = 0

    @override
    def happen(self, context: EffectContext) -> None:
        attack, defence = worked_out(self.attack, context), worked_out(self.defence, context)
        context.engine.gain_all(self.whom.found(context), attack, defence)


class Destroy(OnMinions):
    """Destroy minions; a named ritual is removed from the game."""

    takes_rituals: ClassVar[bool] = True
    takes_leaving: ClassVar[bool] = False

    @override
    def happen(self, context: EffectContext) -> None:
        aim = context.aim
        if self.whom is TARGET and aim is not None and aim.minion is None:
            context.engine.end_ritual(aim.seat)
        else:
            OnMinions.happen(self, context)

    @override
    def act(self, context: EffectContext, minion: Minion) -> None:
        context.engine.destroy(minion)


class ReturnToHand(OnMinions):
    """Return minions to their owners' hands; a named one cannot go into a full hand.

    One that is leaving play goes there instead: "when this dies, return it to its owner's hand".
    """

    @override
    def act(self, context: EffectContext, minion: Minion) -> None:
        context.engine.return_to_hand(minion)

    @override
    def obstacle(self, context: PlayContext) -> str:
        aim = context.aim
        if self.whom is not TARGET or aim is None:
            return ""
        spent = context.spent if aim.seat == context.seat else 0
        full = len(context.state.sides[aim.seat].hand) - spent >= context.edition.most_cards
        return "The hand of the minion's owner is full." if full else ""


class PutUnderDeck(OnMinions):
    """Put minions on the bottom of their owners' decks; one that is leaving goes there instead."""

    @override
    def act(self, context: EffectContext, minion: Minion) -> None:
        context.engine.put_under_deck(minion)


class Disenchant(OnMinions):
    """Destroy the newest enchantment on minions; a named one must have one."""

    takes_leaving: ClassVar[bool] = False

    @override
    def act(self, context: EffectContext, minion: Minion) -> None:
        context.engine.disenchant(minion)

    @override
    def obstacle(self, context: PlayContext) -> str:
        aim = context.aim
        if self.whom is not TARGET or aim is None or aim.minion is None:
            return ""
        if not aim.minion.history or not aim.minion.enchantments:
            return f"{aim.minion.card} has no enchantments."
        return ""


class TakeControl(OnMinions):
    """Take minions of the opponent over, as far as there is room."""

    takes_leaving: ClassVar[bool] = False

    @override
    def act(self, context: EffectContext, minion: Minion) -> None:
        context.engine.take(context.seat, minion)

    @override
    def obstacle(self, context: PlayContext) -> str:
        aim = context.aim
        is_own = self.whom is TARGET and aim is not None and aim.seat == context.seat
        return context.full_board or ("That minion is yours already." if is_own else "")


@dataclass(frozen=True, slots=True)
class Summon(Effect):
    """Put up to `count` new minions of one kind into play, as far as there is room."""

    card: str
    count: Number = 1

    @override
    def happen(self, context: EffectContext) -> None:
        engine = context.engine
        held = engine.printed(self.card)
        for _ in range(worked_out(self.count, context)):
            if engine.goes_on() and engine.has_room(context.seat):
                engine.enter(context.seat, held, "nowhere")

    @override
    def obstacle(self, context: PlayContext) -> str:
        return context.full_board


@dataclass(frozen=True, slots=True)
class ReturnToPlay(OnMinions):
    """Let minions that are leaving play return from the graveyard at once, as far as there is room.

    For triggers when a minion dies or leaves play, and `EVENT_MINION` or `SELF` there. Where
    minions keep their numbers (2024), one without defence dies again, unless it is given another.

    Attributes:
        defence: with which they return; as they have left when that is None.
    """

    needs: ClassVar[frozenset[Need]] = frozenset({Need.LEAVING})

    defence: Number | None = None

    @override
    def act(self, context: EffectContext, minion: Minion) -> None:
        defence = None if self.defence is None else worked_out(self.defence, context)
        context.engine.bring_back(minion, defence)


@dataclass(frozen=True, slots=True)
class Resurrect(Effect):
    """Put the top minion of one's graveyard into play, with another `defence` if one is given."""

    defence: Number | None = None

    @override
    def happen(self, context: EffectContext) -> None:
        engine = context.engine
        graveyard = engine.side(context.seat).graveyard
        if graveyard and engine.has_room(context.seat):
            held = graveyard.pop()
            if self.defence is not None:
                held = CardInstance(held.card, held.attack, worked_out(self.defence, context))
            engine.enter(context.seat, held, "graveyard")

    @override
    def obstacle(self, context: PlayContext) -> str:
        return context.full_board if context.side.graveyard else "Your graveyard is empty."


@dataclass(frozen=True, slots=True)
class Recharge(Effect):
    """Let one's ritual gain charges."""

    charges: Number

    @override
    def happen(self, context: EffectContext) -> None:
        context.engine.charge(context.seat, worked_out(self.charges, context))

    @override
    def obstacle(self, context: PlayContext) -> str:
        return "" if context.side.ritual else "You have no ritual."


@dataclass(frozen=True, slots=True)
class GainMagic(OnPlayers):
    """Let players gain magic, or lose it where `amount` is negative."""

    amount: Number = 1

    @override
    def happen(self, context: EffectContext) -> None:
        amount = worked_out(self.amount, context)
        for seat in players(self.whom, context):
            context.engine.gain_magic(seat, amount)


@dataclass(frozen=True, slots=True)
class GainLife(OnPlayers):
    """Let players gain life, or lose it where `amount` is negative."""

    amount: Number = 1

    @override
    def happen(self, context: EffectContext) -> None:
        amount = worked_out(self.amount, context)
        for seat in players(self.whom, context):
            if context.engine.goes_on():
                context.engine.gain_life(seat, amount)


@dataclass(frozen=True, slots=True)
class HurtOpponent(Effect):
    """Let the opponent lose life."""

    amount: Number

    @override
    def happen(self, context: EffectContext) -> None:
        context.engine.gain_life(1 - context.seat, -worked_out(self.amount, context))


@dataclass(frozen=True, slots=True)
class Draw(OnPlayers):
    """Let players draw cards, as far as a hand has room and a deck has any."""

    count: Number = 1

    @override
    def happen(self, context: EffectContext) -> None:
        count = worked_out(self.count, context)
        for seat in players(self.whom, context):
            for _ in range(count):
                context.engine.draw(seat)

    @override
    def obstacle(self, context: PlayContext) -> str:
        if self.whom is not YOU:
            return ""  # others draw as they can
        if not context.side.deck:
            return "Your deck is empty."
        full = len(context.side.hand) - context.spent >= context.edition.most_cards
        return "Your hand is full." if full else ""


# Effects that hold others.


@dataclass(frozen=True, slots=True)
class RepeatSpell(Effect):
    """Cast the spell that set this off once more, at the same target if it is still there."""

    needs: ClassVar[frozenset[Need]] = frozenset({Need.SPELL})

    @override
    def happen(self, context: EffectContext) -> None:
        effect = context.spell
        if effect is not None:
            effect.happen(EffectContext(context.engine, context.seat, aim=aim_now(context)))

    @override
    def is_possible(self, context: EffectContext) -> bool:
        effect = context.spell
        aim = aim_now(context)
        if effect is None or (context.aim is not None and aim is None):
            return False
        engine = context.engine
        return not effect.obstacle(PlayContext(engine.state, engine.edition, context.seat, aim, 0))


@dataclass(frozen=True, slots=True)
class Together(Effect):
    """Several effects, one after the other."""

    effects: tuple[Effect, ...]

    def __init__(self, *effects: Effect) -> None:
        if not effects:
            raise CardsError("Together holds no effects; write: Together(Draw(), Damage())")
        object.__setattr__(self, "effects", effects)

    @override
    def happen(self, context: EffectContext) -> None:
        for effect in self.effects:
            if context.engine.goes_on() and effect.is_possible(context):
                effect.happen(context)

    @override
    def is_possible(self, context: EffectContext) -> bool:
        return any(effect.is_possible(context) for effect in self.effects)

    @override
    def obstacle(self, context: PlayContext) -> str:
        return next(filter(None, (effect.obstacle(context) for effect in self.effects)), "")


@dataclass(frozen=True, slots=True)
class If(Effect):
    """An effect that happens only if something is true then, and perhaps another if it is not.

    It can be played either way, as long as one of the two effects could happen.
    """

    condition: Condition
    then: Effect
    otherwise: Effect | None = None

    def _effect(self, context: EffectContext) -> Effect | None:
        return self.then if self.condition.holds(context) else self.otherwise

    @override
    def happen(self, context: EffectContext) -> None:
        effect = self._effect(context)
        if effect is not None and effect.is_possible(context):
            effect.happen(context)

    @override
    def is_possible(self, context: EffectContext) -> bool:
        effect = self._effect(context)
        return effect is not None and effect.is_possible(context)

    @override
    def obstacle(self, context: PlayContext) -> str:
        obstacle = self.then.obstacle(context)
        if obstacle and self.otherwise is not None and not self.otherwise.obstacle(context):
            return ""
        return obstacle
