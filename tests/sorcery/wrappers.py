"""Custom effects that contain other effects in different ways."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from typing_extensions import override

from sorcery import ENEMIES, Condition, Effect, EffectContext, Minion, Need, Selector


@dataclass(frozen=True, slots=True)
class Twice(Effect):
    """A custom wrapper."""

    effect: Effect

    @override
    def happen(self, context: EffectContext) -> None:
        for _ in range(2):
            self.effect.happen(context)


@dataclass(frozen=True)
class ByLife(Effect):
    """A custom effect with effects in a mapping, a condition and a selector."""

    table: dict[str, tuple[Effect, ...]]
    condition: Condition | None = None
    targets: Selector = ENEMIES

    @override
    def happen(self, context: EffectContext) -> None:
        """Do nothing."""


class Plain(Effect):
    """A custom effect that is not a dataclass."""

    def __init__(self, *effects: Effect) -> None:
        self.effects = list(effects)

    @override
    def happen(self, context: EffectContext) -> None:
        """Do nothing."""


@dataclass(frozen=True, slots=True)
class ForEach(Effect):
    """An effect that happens once for each of some minions, as if that minion had caused it."""

    gives: ClassVar[frozenset[Need]] = frozenset({Need.EVENT_MINION})

    targets: Selector
    effect: Effect

    @override
    def happen(self, context: EffectContext) -> None:
        for one in self.targets.select(context):
            if isinstance(one, Minion):
                self.effect.happen(replace(context, subject=one))
