"""Effects: the parts of cards that change the match.

An effect is a value. An effect acts on the minions and players that its selector selects
(`sorcery.cards.selectors`). Its amount (`sorcery.cards.amounts`) is computed once, before the
effect acts on the first minion or player. A custom effect derives from one of the base classes.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from typing_extensions import override

from sorcery.cards.amounts import Condition, Number, value_of
from sorcery.cards.errors import CardsError
from sorcery.cards.mechanics import Effect, EffectContext, Kind, Need, PlayContext
from sorcery.cards.selectors import TARGET, YOU, Selector, aim_now
from sorcery.cards.state import CardInstance, Minion
from tabletop import Seat

# Base classes.


@dataclass(frozen=True, slots=True)
class OnSome(Effect):
    """Base class of effects on the minions and players that a selector selects. Implement `happen`.

    Attributes:
        targets: Selects the minions and players to act on.
    """

    targets: Selector = TARGET

    @override
    def is_possible(self, context: EffectContext) -> bool:
        return self.targets.is_there(context)


class OnMinions(OnSome):
    """Base class of effects that act on minions one by one. Implement `act`."""

    takes: ClassVar[frozenset[Kind]] = frozenset({Kind.MINIONS})

    @override
    def happen(self, context: EffectContext) -> None:
        for minion in self.targets.select(context):
            if context.engine.is_running() and isinstance(minion, Minion):
                self.act(context, minion)

    @abstractmethod
    def act(self, context: EffectContext, minion: Minion) -> None:
        """Apply the effect to one minion."""


def seats_in(targets: Selector, context: EffectContext) -> list[Seat]:
    """Return the players that a selector selects."""
    return [seat for seat in targets.select(context) if isinstance(seat, int)]


@dataclass(frozen=True, slots=True)
class OnPlayers(Effect):
    """Base class of effects that act only on players.

    Attributes:
        targets: Selects the players to act on.
    """

    takes: ClassVar[frozenset[Kind]] = frozenset({Kind.PLAYERS})

    targets: Selector = YOU


# Effects.


@dataclass(frozen=True, slots=True)
class Damage(OnSome):
    """Deal `amount` damage to minions, or make players lose that much life.

    Amounts below 1 have no effect.
    """

    takes_leaving: ClassVar[bool] = False

    amount: Number = 1

    @override
    def happen(self, context: EffectContext) -> None:
        amount = value_of(self.amount, context)
        context.engine.damage_all(self.targets.select(context), amount)


@dataclass(frozen=True, slots=True)
class Strengthen(OnSome):
    """Give minions attack and defence permanently."""

    takes: ClassVar[frozenset[Kind]] = frozenset({Kind.MINIONS})

    attack: Number = 0
    defence: Number = 0

    @override
    def happen(self, context: EffectContext) -> None:
        attack, defence = value_of(self.attack, context), value_of(self.defence, context)
        context.engine.gain_all(self.targets.select(context), attack, defence)


class Destroy(OnMinions):
    """Destroy minions. If the named target is a ritual, remove it from the game."""

    takes_rituals: ClassVar[bool] = True
    takes_leaving: ClassVar[bool] = False

    @override
    def happen(self, context: EffectContext) -> None:
        aim = context.aim
        if self.targets is TARGET and aim is not None and aim.minion is None:
            context.engine.end_ritual(aim.seat)
        else:
            OnMinions.happen(self, context)

    @override
    def act(self, context: EffectContext, minion: Minion) -> None:
        context.engine.destroy(minion)


class ReturnToHand(OnMinions):
    """Return minions to their owners' hands. A named minion cannot return to a full hand.

    A minion that is leaving play goes to the hand instead of the graveyard, as in "when this dies,
    return it to its owner's hand".
    """

    @override
    def act(self, context: EffectContext, minion: Minion) -> None:
        context.engine.return_to_hand(minion)

    @override
    def obstacle(self, context: PlayContext) -> str:
        aim = context.aim
        if self.targets is not TARGET or aim is None:
            return ""
        spent = context.spent if aim.seat == context.seat else 0
        full = len(context.state.sides[aim.seat].hand) - spent >= context.edition.most_cards
        return "The hand of the minion's owner is full." if full else ""


class PutUnderDeck(OnMinions):
    """Put minions on the bottom of their owners' decks, including minions that are leaving play."""

    @override
    def act(self, context: EffectContext, minion: Minion) -> None:
        context.engine.put_under_deck(minion)


class Disenchant(OnMinions):
    """Destroy the newest enchantment on each minion. A named minion must have an enchantment."""

    takes_leaving: ClassVar[bool] = False

    @override
    def act(self, context: EffectContext, minion: Minion) -> None:
        context.engine.disenchant(minion)

    @override
    def obstacle(self, context: PlayContext) -> str:
        aim = context.aim
        if self.targets is not TARGET or aim is None or aim.minion is None:
            return ""
        if not aim.minion.history or not aim.minion.enchantments:
            return f"{aim.minion.card} has no enchantments."
        return ""


class TakeControl(OnMinions):
    """Take control of minions of the opponent, as long as there is room on the board."""

    takes_leaving: ClassVar[bool] = False

    @override
    def act(self, context: EffectContext, minion: Minion) -> None:
        context.engine.take(context.seat, minion)

    @override
    def obstacle(self, context: PlayContext) -> str:
        aim = context.aim
        is_own = self.targets is TARGET and aim is not None and aim.seat == context.seat
        return context.full_board or ("That minion is yours already." if is_own else "")


@dataclass(frozen=True, slots=True)
class Summon(Effect):
    """Put up to `count` new minions of one card into play, as long as the board has room."""

    card: str
    count: Number = 1

    @override
    def happen(self, context: EffectContext) -> None:
        engine = context.engine
        held = engine.printed(self.card)
        for _ in range(value_of(self.count, context)):
            if engine.is_running() and engine.has_room(context.seat):
                engine.enter(context.seat, held, "nowhere")

    @override
    def obstacle(self, context: PlayContext) -> str:
        return context.full_board


@dataclass(frozen=True, slots=True)
class ReturnToPlay(OnMinions):
    """Return minions that are leaving play to the board at once, if there is room.

    Use this effect with `EVENT_MINION` or `SELF`, in triggers on a minion that dies or leaves play.
    In editions in which minions keep their attack and defence (2024), a minion without any defence
    left dies again when it returns, unless `defence` sets a higher value.

    Attributes:
        defence: Defence of a returned minion, or None to keep the value with which it left.
    """

    needs: ClassVar[frozenset[Need]] = frozenset({Need.LEAVING})

    defence: Number | None = None

    @override
    def act(self, context: EffectContext, minion: Minion) -> None:
        defence = None if self.defence is None else value_of(self.defence, context)
        context.engine.bring_back(minion, defence)


@dataclass(frozen=True, slots=True)
class Resurrect(Effect):
    """Put the top minion of the player's graveyard into play.

    Attributes:
        defence: Defence of the minion, or None to keep its value in the graveyard.
    """

    defence: Number | None = None

    @override
    def happen(self, context: EffectContext) -> None:
        engine = context.engine
        graveyard = engine.side(context.seat).graveyard
        if graveyard and engine.has_room(context.seat):
            held = graveyard.pop()
            if self.defence is not None:
                held = CardInstance(held.card, held.attack, value_of(self.defence, context))
            engine.enter(context.seat, held, "graveyard")

    @override
    def obstacle(self, context: PlayContext) -> str:
        return context.full_board if context.side.graveyard else "Your graveyard is empty."


@dataclass(frozen=True, slots=True)
class Recharge(Effect):
    """Add charges to the player's ritual."""

    charges: Number

    @override
    def happen(self, context: EffectContext) -> None:
        context.engine.charge(context.seat, value_of(self.charges, context))

    @override
    def obstacle(self, context: PlayContext) -> str:
        return "" if context.side.ritual else "You have no ritual."


@dataclass(frozen=True, slots=True)
class GainMagic(OnPlayers):
    """Add magic to players, or remove magic if `amount` is negative."""

    amount: Number = 1

    @override
    def happen(self, context: EffectContext) -> None:
        amount = value_of(self.amount, context)
        for seat in seats_in(self.targets, context):
            context.engine.gain_magic(seat, amount)


@dataclass(frozen=True, slots=True)
class GainLife(OnPlayers):
    """Add life to players, or remove life if `amount` is negative."""

    amount: Number = 1

    @override
    def happen(self, context: EffectContext) -> None:
        amount = value_of(self.amount, context)
        for seat in seats_in(self.targets, context):
            if context.engine.is_running():
                context.engine.gain_life(seat, amount)


@dataclass(frozen=True, slots=True)
class HurtOpponent(Effect):
    """Make the opponent lose life."""

    amount: Number

    @override
    def happen(self, context: EffectContext) -> None:
        context.engine.gain_life(1 - context.seat, -value_of(self.amount, context))


@dataclass(frozen=True, slots=True)
class Draw(OnPlayers):
    """Make players draw cards while their hands have room and their decks have cards."""

    count: Number = 1

    @override
    def happen(self, context: EffectContext) -> None:
        count = value_of(self.count, context)
        for seat in seats_in(self.targets, context):
            for _ in range(count):
                context.engine.draw(seat)

    @override
    def obstacle(self, context: PlayContext) -> str:
        if self.targets is not YOU:
            return ""  # other players draw as many cards as they can
        if not context.side.deck:
            return "Your deck is empty."
        full = len(context.side.hand) - context.spent >= context.edition.most_cards
        return "Your hand is full." if full else ""


# Effects that contain other effects.


@dataclass(frozen=True, slots=True)
class RepeatSpell(Effect):
    """Repeat the spell that set off this trigger, at the same target if that is still there."""

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
    """A sequence of effects."""

    effects: tuple[Effect, ...]

    def __init__(self, *effects: Effect) -> None:
        if not effects:
            raise CardsError("Together needs effects, for example Together(Draw(), Damage())")
        object.__setattr__(self, "effects", effects)

    @override
    def happen(self, context: EffectContext) -> None:
        for effect in self.effects:
            if context.engine.is_running() and effect.is_possible(context):
                effect.happen(context)

    @override
    def is_possible(self, context: EffectContext) -> bool:
        return any(effect.is_possible(context) for effect in self.effects)

    @override
    def obstacle(self, context: PlayContext) -> str:
        return next(filter(None, (effect.obstacle(context) for effect in self.effects)), "")


@dataclass(frozen=True, slots=True)
class If(Effect):
    """An effect that happens only if a condition is true, with an optional alternative.

    The card can be played if one of the two effects could happen, whether or not the condition is
    true.
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
