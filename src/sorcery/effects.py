"""What cards do: mechanics, named after what they do, for cards to be composed of.

An effect is a value. It acts on what its `whom` says: the target that was named, the minion that
set a trigger off, the source itself, or all minions of some kind.
"""

from __future__ import annotations

from typing import ClassVar

from typing_extensions import override

from sorcery.effect import Effect, Moment, Prospect
from sorcery.state import Held, Minion
from sorcery.whom import OnMinions, Whom, aim_now
from tabletop.classes import frozen

_TARGET = Whom.TARGET  # asked for often, and slow to look up in an enumeration


@frozen
class Damage(OnMinions):
    """Deal `amount` damage to minions."""

    amount: int = 1

    @override
    def act(self, moment: Moment, minion: Minion) -> None:
        moment.engine.damage(minion, self.amount)


@frozen
class Strengthen(OnMinions):
    """Let minions gain attack and defence for good."""

    attack: int = 0
    defence: int = 0

    @override
    def act(self, moment: Moment, minion: Minion) -> None:
        moment.engine.gain(minion, self.attack, self.defence)


@frozen
class Destroy(OnMinions):
    """Destroy minions; a named ritual is removed from the game."""

    takes_rituals: ClassVar[bool] = True

    @override
    def happen(self, moment: Moment) -> None:
        aim = moment.aim
        if self.whom is Whom.TARGET and aim is not None and aim.minion is None:
            moment.engine.end_ritual(aim.seat)
        else:
            OnMinions.happen(self, moment)

    @override
    def act(self, moment: Moment, minion: Minion) -> None:
        moment.engine.destroy(minion)


@frozen
class ReturnToHand(OnMinions):
    """Return minions to their owners' hands; a named one cannot go into a full hand."""

    @override
    def act(self, moment: Moment, minion: Minion) -> None:
        moment.engine.return_to_hand(minion)

    @override
    def obstacle(self, prospect: Prospect) -> str:
        aim = prospect.aim
        if self.whom is not _TARGET or aim is None:
            return ""
        spent = prospect.spent if aim.seat == prospect.seat else 0
        full = len(prospect.state.sides[aim.seat].hand) - spent >= prospect.edition.most_cards
        return "The hand of the minion's owner is full." if full else ""


@frozen
class PutUnderDeck(OnMinions):
    """Put minions on the bottom of their owners' decks."""

    @override
    def act(self, moment: Moment, minion: Minion) -> None:
        moment.engine.put_under_deck(minion)


@frozen
class Disenchant(OnMinions):
    """Destroy the newest enchantment on minions; a named one must have one."""

    @override
    def act(self, moment: Moment, minion: Minion) -> None:
        moment.engine.disenchant(minion)

    @override
    def obstacle(self, prospect: Prospect) -> str:
        aim = prospect.aim
        if self.whom is _TARGET and aim and aim.minion and not aim.minion.enchantments:
            return f"{aim.minion.card} has no enchantments."
        return ""


@frozen
class TakeControl(OnMinions):
    """Take minions of the opponent over, as far as there is room."""

    @override
    def act(self, moment: Moment, minion: Minion) -> None:
        moment.engine.take(moment.seat, minion)

    @override
    def obstacle(self, prospect: Prospect) -> str:
        if len(prospect.state.sides[prospect.seat].minions) >= prospect.edition.most_minions:
            return "Your board is full."
        if prospect.aim is not None and prospect.aim.seat == prospect.seat:
            return "That minion is yours already."
        return ""


@frozen
class Summon(Effect):
    """Put up to `count` new minions of one kind into play, as far as there is room."""

    card: str
    count: int = 1

    @override
    def happen(self, moment: Moment) -> None:
        engine = moment.engine
        held = engine.printed(self.card)
        for _ in range(self.count):
            if engine.goes_on() and engine.has_room(moment.seat):
                engine.enter(moment.seat, held, "nowhere")

    @override
    def obstacle(self, prospect: Prospect) -> str:
        full = len(prospect.state.sides[prospect.seat].minions) >= prospect.edition.most_minions
        return "Your board is full." if full else ""


@frozen
class Resurrect(Effect):
    """Put the top minion of one's graveyard into play, with another `defence` if one is given."""

    defence: int | None = None

    @override
    def happen(self, moment: Moment) -> None:
        engine = moment.engine
        graveyard = engine.side(moment.seat).graveyard
        if graveyard and engine.has_room(moment.seat):
            held = graveyard.pop()
            if self.defence is not None:
                held = Held(held.card, held.attack, self.defence)
            engine.enter(moment.seat, held, "graveyard")

    @override
    def obstacle(self, prospect: Prospect) -> str:
        side = prospect.state.sides[prospect.seat]
        if not side.graveyard:
            return "Your graveyard is empty."
        return "Your board is full." if len(side.minions) >= prospect.edition.most_minions else ""


@frozen
class Recharge(Effect):
    """Let one's ritual gain charges."""

    charges: int

    @override
    def happen(self, moment: Moment) -> None:
        moment.engine.charge(moment.seat, self.charges)

    @override
    def obstacle(self, prospect: Prospect) -> str:
        missing = prospect.state.sides[prospect.seat].ritual is None
        return "You have no ritual." if missing else ""


@frozen
class GainMagic(Effect):
    """Gain magic."""

    amount: int

    @override
    def happen(self, moment: Moment) -> None:
        moment.engine.gain_magic(moment.seat, self.amount)


@frozen
class GainLife(Effect):
    """Gain life."""

    amount: int

    @override
    def happen(self, moment: Moment) -> None:
        moment.engine.gain_life(moment.seat, self.amount)


@frozen
class HurtOpponent(Effect):
    """Let the opponent lose life."""

    amount: int

    @override
    def happen(self, moment: Moment) -> None:
        moment.engine.gain_life(1 - moment.seat, -self.amount)


@frozen
class Draw(Effect):
    """Draw cards, as far as the hand has room and the deck has any."""

    count: int = 1

    @override
    def happen(self, moment: Moment) -> None:
        for _ in range(self.count):
            moment.engine.draw(moment.seat)

    @override
    def obstacle(self, prospect: Prospect) -> str:
        side = prospect.state.sides[prospect.seat]
        if not side.deck:
            return "Your deck is empty."
        return (
            "Your hand is full."
            if len(side.hand) - prospect.spent >= prospect.edition.most_cards
            else ""
        )


@frozen
class RepeatSpell(Effect):
    """Cast the spell that set this off once more, at the same target if it is still there."""

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


@frozen
class Together(Effect):
    """Several effects, one after the other."""

    effects: tuple[Effect, ...]

    def __init__(self, *effects: Effect) -> None:
        object.__setattr__(self, "effects", effects)

    @override
    def parts(self) -> tuple[Effect, ...]:
        return tuple(part for effect in self.effects for part in effect.parts())

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
