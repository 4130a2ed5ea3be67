"""The data from which a picture of Constructor is drawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from constructor.rules.events import (
    DiceRolled,
    ResourcesGained,
    ResourcesLost,
    ResourceStolen,
    TradeAnswered,
    TurnBegan,
)
from constructor.rules.state import KINDS, ConstructorState, Phase
from constructor.text.text_view import decision
from tabletop import ActionsUndone, Seat
from tabletop.display import Scene


@dataclass(frozen=True)
class PictureContext:
    """A view of the state and the scene, with values computed from both.

    The names in the scene are the labels of the builders: the name, if any, and the colour.
    """

    view: ConstructorState
    scene: Scene

    @property
    def is_wide(self) -> bool:
        """Whether the screen is larger than a phone's."""
        return not (self.scene.narrow or self.scene.short)

    @property
    def viewer(self) -> Seat | None:
        """The seat of the viewer, or None for a spectator."""
        seat = self.scene.seat
        return seat if isinstance(seat, int) and seat >= 0 else None

    @property
    def others(self) -> list[Seat]:
        """The builders other than the viewer, in the order of turns after the viewer."""
        seats, viewer = self.view.seats, self.viewer
        if viewer is None:
            return list(range(seats))
        return [(viewer + step) % seats for step in range(1, seats)]

    @property
    def chooses_roll(self) -> bool:
        """Whether the viewer chooses the total of loaded dice."""
        return self.view.phase is Phase.CHOOSING_ROLL and self.scene.seat in self.scene.to_act

    @cached_property
    def rolled(self) -> DiceRolled | None:
        """The roll of this turn, or None before the roll or if the roll is unknown."""
        for event in reversed(self.scene.told or self.scene.recent):
            if isinstance(event, DiceRolled):
                return event
            if isinstance(event, TurnBegan | ActionsUndone):
                break
        return None

    @cached_property
    def changes(self) -> Sequence[int]:
        """Resources just gained or lost, indexed as `changes[seat * KINDS + kind]`."""
        changes = [0] * len(self.view.cards)

        def add(seat: Seat, kind: int, amount: int) -> None:
            changes[seat * KINDS + kind] += amount

        for event in self.scene.recent:
            match event:
                case ResourcesGained(seat, amounts):
                    for kind, amount in enumerate(amounts):
                        add(seat, kind, amount)
                case ResourcesLost(seat, amounts):
                    for kind, amount in enumerate(amounts):
                        add(seat, kind, -amount)
                case ResourceStolen(seat, victim, kind):
                    add(seat, kind, 1)
                    add(victim, kind, -1)
                case TradeAnswered(seat, to, give, take, True):
                    add(seat, give, -1)
                    add(seat, take, 1)
                    add(to, give, 1)
                    add(to, take, -1)
        return changes

    @property
    def decision(self) -> str:
        """A short description of the next decision, or the reason why the game has ended."""
        outcome = self.scene.outcome
        return outcome.reason if outcome is not None else decision(self.view, self.scene.names)
