"""Effects that hold others, each in a way of its own, as somebody may have written them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from typing_extensions import override

from sorcery import ENEMIES, Condition, Effect, EffectContext, Minion, Need, Selector


@dataclass(frozen=True, slots=True)
class Twice(Effect):
    """A wrapper that somebody has written."""

    effect: Effect

    @override
    def happen(self, context: EffectContext) -> None:
        for _ in range(2):
            self.effect.happen(context)


@dataclass(frozen=True)
class ByLife(Effect):
    """One that holds effects in a table, a condition, and whom it is about."""

    table: dict[str, tuple[Effect, ...]]
    condition: Condition | None = None
    targets: Selector = ENEMIES

    @override
    def happen(self, context: EffectContext) -> None:
        """Do nothing."""


class Plain(Effect):
    """One that is no dataclass."""

    def __init__(self, *effects: Effect) -> None:
        self.effects = list(effects)

    @override
    def happen(self, context: EffectContext) -> None:
        """Do nothing."""


@dataclass(frozen=True, slots=True)
class ForEach(Effect):
    """Let an effect happen for each of some minions, as if that had set it off."""

    gives: ClassVar[frozenset[Need]] = frozenset({Need.EVENT_MINION})

    targets: Selector
    effect: Effect

    @override
    def happen(self, context: EffectContext) -> None:
        for one in self.targets.select(context):
            if isinstance(one, Minion):
                self.effect.happen(replace(context, subject=one))
