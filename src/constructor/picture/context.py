"""What a picture of Constructor is drawn from: what somebody sees, and what has just happened."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from constructor.events import (
    DiceRolled,
    GeesePlaced,
    ResidenceBuilt,
    ResourcesGained,
    ResourcesLost,
    ResourceStolen,
    RoadBuilt,
    TradeAnswered,
    TurnBegan,
)
from constructor.state import KINDS, ConstructorState
from constructor.text import ASKED, labels
from tabletop import ActionsUndone, Seat
from tabletop.picture import Scene


@dataclass(frozen=True)
class PictureContext:
    """A view, for whom it is drawn, and what follows from both.

    Attributes:
        view: what the one who looks may see.
        scene: who that is, what can be done, and what has happened since the last picture.
    """

    view: ConstructorState
    scene: Scene

    @cached_property
    def called(self) -> list[str]:
        """What each builder is called: the colour, and the name that somebody gave."""
        return labels(self.scene.names)

    @property
    def own(self) -> Seat | None:
        """The builder who looks; None for somebody who only watches."""
        seat = self.scene.seat
        return seat if isinstance(seat, int) and seat >= 0 else None

    @cached_property
    def others(self) -> list[Seat]:
        """The builders beside the one who looks, in the order of turns after that one."""
        seats, own = self.view.seats, self.own
        if own is None:
            return list(range(seats))
        return [(own + step) % seats for step in range(1, seats)]

    @cached_property
    def rolled(self) -> DiceRolled | None:
        """What the dice have shown in this turn; None before, or when it is not known."""
        for event in reversed(self.scene.told or self.scene.recent):
            if isinstance(event, DiceRolled):
                return event
            if isinstance(event, TurnBegan | ActionsUndone):
                break
        return None

    @cached_property
    def fresh(self) -> set[str]:
        """The roads and residences that were built, and the geese that were moved, just now."""
        keys = set()
        for event in self.scene.recent:
            match event:
                case RoadBuilt(edge=edge):
                    keys.add(f"edge-{edge}")
                case ResidenceBuilt(vertex=vertex):
                    keys.add(f"vertex-{vertex}")
                case GeesePlaced(tile=tile):
                    keys.add(f"tile-{tile}")
        return keys

    @cached_property
    def changes(self) -> Sequence[int]:
        """What everybody has gained or lost just now: `changes[seat * KINDS + kind]`."""
        changes = [0] * len(self.view.cards)
        for event in self.scene.recent:
            match event:
                case ResourcesGained(seat, amounts):
                    _add(changes, seat, amounts, 1)
                case ResourcesLost(seat, amounts):
                    _add(changes, seat, amounts, -1)
                case ResourceStolen(seat, victim, kind):
                    changes[seat * KINDS + kind] += 1
                    changes[victim * KINDS + kind] -= 1
                case TradeAnswered(seat, to, give, take, True):
                    for who, what, amount in (
                        (seat, give, -1),
                        (seat, take, 1),
                        (to, give, 1),
                        (to, take, -1),
                    ):
                        changes[who * KINDS + what] += amount
        return changes

    @property
    def asked(self) -> str:
        """What is to be done now, in few words."""
        outcome = self.scene.outcome
        return outcome.reason if outcome is not None else ASKED[self.view.phase]


def remembered(scene: Scene, lit: bool, draw: Callable[..., str], *shown: object) -> str:
    """What `draw(scene, *shown)` draws.

    Most parts stay as they are from one picture to the next: those that cannot be clicked now are
    drawn once and remembered by all that they show.
    """
    return draw(scene, *shown) if lit else _idle(draw, scene.narrow, scene.live, *shown)


@lru_cache(maxsize=16384)
def _idle(draw: Callable[..., str], narrow: bool, live: bool, *shown: object) -> str:
    return draw(Scene((), narrow=narrow, live=live), *shown)


def _add(changes: list[int], seat: Seat, amounts: Sequence[int], sign: int) -> None:
    for kind, amount in enumerate(amounts):
        changes[seat * KINDS + kind] += sign * amount
