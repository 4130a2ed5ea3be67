"""Rules that fail in one way or another when they are asked to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tabletop import Game, Options, Outcome, Seat, Streams, Table

FAILURES = ("check", "apply", "view", "event", "legal", "to_act", "outcome")


@dataclass(slots=True)
class Fuse:
    """How far it has burnt, and what fails then."""

    burnt: int
    what: str

    def clone(self) -> Fuse:
        return Fuse(self.burnt, self.what)


class Bomb(Game[Fuse, str]):
    """Wait, or make it fail."""

    name = "bomb"
    seats = range(2, 3)

    def setup(self, options: Options, seats: int, rng: Streams) -> Fuse:
        return Fuse(0, "")

    def to_act(self, state: Fuse) -> list[Seat]:
        if state.what == "to_act":
            raise ZeroDivisionError(state.what)
        return [state.burnt % 2]

    def legal_actions(self, state: Fuse, seat: Seat) -> list[str]:
        if state.what == "legal":
            raise KeyError(state.what)
        return ["wait", *FAILURES]

    def check(self, state: Fuse, action: str) -> None:
        if action == "check":
            raise RuntimeError(action)

    def apply(self, state: Fuse, action: str, table: Table) -> None:
        if action == "apply":
            raise RecursionError(action)
        state.burnt += 1
        state.what = action

    def outcome(self, state: Fuse) -> Outcome | None:
        if state.what == "outcome":
            raise MemoryError(state.what)
        return None

    def view(self, state: Fuse, seat: Seat | None) -> Fuse:
        if state.what == "view":
            raise AttributeError(state.what)
        return state

    def view_event(self, event: Any, state: Fuse, seat: Seat | None) -> Any:
        if state.what == "event":
            raise TypeError(state.what)
        return event


GAME = Bomb()
