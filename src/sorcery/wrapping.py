"""Effects that hold others: several at once, one under a condition, a spell once more.

They are made like any other effect. What they hold stands in their fields, where it is found when
cards are checked (`sorcery.soundness`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from typing_extensions import override

from sorcery.amounts import Condition
from sorcery.effect import Effect, Moment, Prospect
from sorcery.flaws import CardsError, no_such
from sorcery.triggers import Need
from sorcery.whom import aim_now


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
        for effect in effects:
            if isinstance(effect, list | tuple):
                raise CardsError(
                    f"Together takes effects, not a {type(effect).__name__} of them;"
                    " write: Together(Draw(), GainLife(1))"
                )
            if not isinstance(effect, Effect):
                raise CardsError(f"what Together holds is {no_such(effect, 'Effect')}")
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
