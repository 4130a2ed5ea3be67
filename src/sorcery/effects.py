"""Effects: what cards do, named after what they do, for cards to be composed of.

An effect is a value. It acts on those its selector means (`sorcery.selectors`), as much as its
amount is worked out to be (`sorcery.amounts`), once, before it acts on the first. An effect of
one's own derives from one of the bases.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from typing_extensions import override

from sorcery.amounts import Condition, Number, worked_out
from sorcery.errors import CardsError
from sorcery.mechanics import Aim, Effect, Kind, Moment, Need, Prospect
from sorcery.minion_stats import is_enchanted
from sorcery.selectors import TARGET, YOU, Selector, aim_now
from sorcery.state import Held, Minion
from tabletop import Seat

# Bases.


@dataclass(frozen=True, slots=True)
class OnSome(Effect):
    """The base of effects that act on what a selector finds: fill in `happen`.

    Attributes:
        whom: what it acts on.
    """

    whom: Selector = TARGET

    @override
    def is_possible(self, moment: Moment) -> bool:
        return self.whom.is_there(moment)


class OnMinions(OnSome):
    """The base of effects that act on minions, one after the other: fill in `act`."""

    __slots__ = ()

    takes: ClassVar[frozenset[Kind]] = frozenset({Kind.MINIONS})

    @override
    def happen(self, moment: Moment) -> None:
        for one in self.whom.found(moment):
            if moment.engine.goes_on() and isinstance(one, Minion):
                self.act(moment, one)

    @abstractmethod
    def act(self, moment: Moment, minion: Minion) -> None:
        """Do it to one minion."""


def players(who: Selector, moment: Moment) -> list[Seat]:
    """The players that a selector means."""
    return [one for one in who.found(moment) if isinstance(one, int)]


class OnPlayers(Effect):
    """The base of effects on players alone."""

    __slots__ = ()

    takes: ClassVar[frozenset[Kind]] = frozenset({Kind.PLAYERS})


# Effects.


@dataclass(frozen=True, slots=True)
class Damage(OnSome):
    """Deal `amount` damage to minions and players, who lose so much life; none below 1."""

    takes_leaving: ClassVar[bool] = False

    amount: Number = 1

    @override
    def happen(self, moment: Moment) -> None:
        amount = worked_out(self.amount, moment)
        moment.engine.damage_all(self.whom.found(moment), amount)


@dataclass(frozen=True, slots=True)
class Strengthen(OnSome):
    """Let minions gain attack and defence for good."""

    takes: ClassVar[frozenset[Kind]] = frozenset({Kind.MINIONS})

    attack: Number = 0
    defence: Number = 0

    @override
    def happen(self, moment: Moment) -> None:
        attack, defence = worked_out(self.attack, moment), worked_out(self.defence, moment)
        moment.engine.gain_all(self.whom.found(moment), attack, defence)


class Destroy(OnMinions):
    """Destroy minions; a named ritual is removed from the game."""

    __slots__ = ()

    takes_rituals: ClassVar[bool] = True
    takes_leaving: ClassVar[bool] = False

    @override
    def happen(self, moment: Moment) -> None:
        aim = moment.aim
        if self.whom is TARGET and aim is not None and aim.minion is None:
            moment.engine.end_ritual(aim.seat)
        else:
            OnMinions.happen(self, moment)

    @override
    def act(self, moment: Moment, minion: Minion) -> None:
        moment.engine.destroy(minion)


class ReturnToHand(OnMinions):
    """Return minions to their owners' hands; a named one cannot go into a full hand.

    One that is leaving play goes there instead: "when this dies, return it to its owner's hand".
    """

    __slots__ = ()

    @override
    def act(self, moment: Moment, minion: Minion) -> None:
        moment.engine.return_to_hand(minion)

    @override
    def obstacle(self, prospect: Prospect) -> str:
        aim = prospect.aim
        if self.whom is not TARGET or aim is None:
            return ""
        spent = prospect.spent if aim.seat == prospect.seat else 0
        full = len(prospect.state.sides[aim.seat].hand) - spent >= prospect.edition.most_cards
        return "The hand of the minion's owner is full." if full else ""

    @override
    def possible_at(self, prospect: Prospect, aims: Sequence[Aim]) -> Sequence[bool]:
        if self.whom is not TARGET:
            return [True] * len(aims)
        most, sides = prospect.edition.most_cards, prospect.state.sides
        has_room = [len(side.hand) < most for side in sides]
        has_room[prospect.seat] = len(sides[prospect.seat].hand) - prospect.spent < most
        return [has_room[seat] for seat, _ in aims]


class PutUnderDeck(OnMinions):
    """Put minions on the bottom of their owners' decks; one that is leaving goes there instead."""

    __slots__ = ()

    @override
    def act(self, moment: Moment, minion: Minion) -> None:
        moment.engine.put_under_deck(minion)


class Disenchant(OnMinions):
    """Destroy the newest enchantment on minions; a named one must have one."""

    __slots__ = ()

    takes_leaving: ClassVar[bool] = False

    @override
    def act(self, moment: Moment, minion: Minion) -> None:
        moment.engine.disenchant(minion)

    @override
    def obstacle(self, prospect: Prospect) -> str:
        aim = prospect.aim
        if self.whom is not TARGET or aim is None or aim.minion is None:
            return ""
        if not aim.minion.history or not aim.minion.enchantments:
            return f"{aim.minion.card} has no enchantments."
        return ""

    @override
    def possible_at(self, prospect: Prospect, aims: Sequence[Aim]) -> Sequence[bool]:
        if self.whom is not TARGET:
            return [True] * len(aims)
        return [minion is None or is_enchanted(minion) for _, minion in aims]


class TakeControl(OnMinions):
    """Take minions of the opponent over, as far as there is room."""

    __slots__ = ()

    takes_leaving: ClassVar[bool] = False

    @override
    def act(self, moment: Moment, minion: Minion) -> None:
        moment.engine.take(moment.seat, minion)

    @override
    def obstacle(self, prospect: Prospect) -> str:
        if len(prospect.state.sides[prospect.seat].minions) >= prospect.edition.most_minions:
            return "Your board is full."
        aim = prospect.aim
        if self.whom is TARGET and aim is not None and aim.seat == prospect.seat:
            return "That minion is yours already."
        return ""


@dataclass(frozen=True, slots=True)
class Summon(Effect):
    """Put up to `count` new minions of one kind into play, as far as there is room."""

    card: str
    count: Number = 1

    @override
    def happen(self, moment: Moment) -> None:
        engine = moment.engine
        held = engine.printed(self.card)
        for _ in range(worked_out(self.count, moment)):
            if engine.goes_on() and engine.has_room(moment.seat):
                engine.enter(moment.seat, held, "nowhere")

    @override
    def obstacle(self, prospect: Prospect) -> str:
        full = len(prospect.state.sides[prospect.seat].minions) >= prospect.edition.most_minions
        return "Your board is full." if full else ""


@dataclass(frozen=True, slots=True)
class ReturnToPlay(OnMinions):
    """Let minions that are leaving play return from the graveyard at once, as far as there is room.

    For triggers when a minion dies or leaves play, and `SUBJECT` or `ITSELF` there. Where minions
    keep their numbers (2024), one without defence dies again, unless it is given another.

    Attributes:
        defence: with which they return; as they have left when that is None.
    """

    needs: ClassVar[frozenset[Need]] = frozenset({Need.LEAVING})

    defence: Number | None = None

    @override
    def act(self, moment: Moment, minion: Minion) -> None:
        defence = None if self.defence is None else worked_out(self.defence, moment)
        moment.engine.bring_back(minion, defence)


@dataclass(frozen=True, slots=True)
class Resurrect(Effect):
    """Put the top minion of one's graveyard into play, with another `defence` if one is given."""

    defence: Number | None = None

    @override
    def happen(self, moment: Moment) -> None:
        engine = moment.engine
        graveyard = engine.side(moment.seat).graveyard
        if graveyard and engine.has_room(moment.seat):
            held = graveyard.pop()
            if self.defence is not None:
                held = Held(held.card, held.attack, worked_out(self.defence, moment))
            engine.enter(moment.seat, held, "graveyard")

    @override
    def obstacle(self, prospect: Prospect) -> str:
        side = prospect.state.sides[prospect.seat]
        if not side.graveyard:
            return "Your graveyard is empty."
        return "Your board is full." if len(side.minions) >= prospect.edition.most_minions else ""


@dataclass(frozen=True, slots=True)
class Recharge(Effect):
    """Let one's ritual gain charges."""

    charges: Number

    @override
    def happen(self, moment: Moment) -> None:
        moment.engine.charge(moment.seat, worked_out(self.charges, moment))

    @override
    def obstacle(self, prospect: Prospect) -> str:
        missing = prospect.state.sides[prospect.seat].ritual is None
        return "You have no ritual." if missing else ""


@dataclass(frozen=True, slots=True)
class GainMagic(OnPlayers):
    """Let players gain magic, or lose it where `amount` is negative."""

    amount: Number
    who: Selector = YOU

    @override
    def happen(self, moment: Moment) -> None:
        amount = worked_out(self.amount, moment)
        for seat in players(self.who, moment):
            moment.engine.gain_magic(seat, amount)


@dataclass(frozen=True, slots=True)
class GainLife(OnPlayers):
    """Let players gain life, or lose it where `amount` is negative."""

    amount: Number
    who: Selector = YOU

    @override
    def happen(self, moment: Moment) -> None:
        amount = worked_out(self.amount, moment)
        for seat in players(self.who, moment):
            if moment.engine.goes_on():
                moment.engine.gain_life(seat, amount)


@dataclass(frozen=True, slots=True)
class HurtOpponent(Effect):
    """Let the opponent lose life."""

    amount: Number

    @override
    def happen(self, moment: Moment) -> None:
        moment.engine.gain_life(1 - moment.seat, -worked_out(self.amount, moment))


@dataclass(frozen=True, slots=True)
class Draw(OnPlayers):
    """Let players draw cards, as far as a hand has room and a deck has any."""

    count: Number = 1
    who: Selector = YOU

    @override
    def happen(self, moment: Moment) -> None:
        count = worked_out(self.count, moment)
        for seat in players(self.who, moment):
            for _ in range(count):
                moment.engine.draw(seat)

    @override
    def obstacle(self, prospect: Prospect) -> str:
        if self.who is not YOU:
            return ""  # others draw as they can
        side = prospect.state.sides[prospect.seat]
        if not side.deck:
            return "Your deck is empty."
        return (
            "Your hand is full."
            if len(side.hand) - prospect.spent >= prospect.edition.most_cards
            else ""
        )


# Effects that hold others.


@dataclass(frozen=True, slots=True)
class RepeatSpell(Effect):
    """Cast the spell that set this off once more, at the same target if it is still there."""

    needs: ClassVar[frozenset[Need]] = frozenset({Need.SPELL})

    @override
    def happen(self, moment: Moment) -> None:
        effect = moment.spell
        if effect is not None:
            effect.happen(Moment(moment.engine, moment.seat, aim=aim_now(moment)))

    @override
    def is_possible(self, moment: Moment) -> bool:
        effect = moment.spell
        aim = aim_now(moment)
        if effect is None or (moment.aim is not None and aim is None):
            return False
        engine = moment.engine
        return not effect.obstacle(Prospect(engine.state, engine.edition, moment.seat, aim, 0))


@dataclass(frozen=True, slots=True)
class Together(Effect):
    """Several effects, one after the other."""

    effects: tuple[Effect, ...]

    def __init__(self, *effects: Effect) -> None:
        if not effects:
            raise CardsError("Together holds no effects; write: Together(Draw(), GainLife(1))")
        object.__setattr__(self, "effects", effects)

    @override
    def happen(self, moment: Moment) -> None:
        for effect in self.effects:
            if moment.engine.goes_on() and effect.is_possible(moment):
                effect.happen(moment)

    @override
    def is_possible(self, moment: Moment) -> bool:
        return any(effect.is_possible(moment) for effect in self.effects)

    @override
    def obstacle(self, prospect: Prospect) -> str:
        return next(filter(None, (effect.obstacle(prospect) for effect in self.effects)), "")


@dataclass(frozen=True, slots=True)
class If(Effect):
    """An effect that happens only if something is true then, and perhaps another if it is not.

    It can be played either way, as long as one of the two effects could happen.
    """

    condition: Condition
    then: Effect
    otherwise: Effect | None = None

    def _effect(self, moment: Moment) -> Effect | None:
        return self.then if self.condition.holds(moment) else self.otherwise

    @override
    def happen(self, moment: Moment) -> None:
        effect = self._effect(moment)
        if effect is not None and effect.is_possible(moment):
            effect.happen(moment)

    @override
    def is_possible(self, moment: Moment) -> bool:
        effect = self._effect(moment)
        return effect is not None and effect.is_possible(moment)

    @override
    def obstacle(self, prospect: Prospect) -> str:
        obstacle = self.then.obstacle(prospect)
        if obstacle and self.otherwise is not None and not self.otherwise.obstacle(prospect):
            return ""
        return obstacle
