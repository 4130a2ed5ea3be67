"""Goats: who sends one goat too many onto the bridge?"""

from __future__ import annotations

from dataclasses import field

from tabletop import Seat, State, state


@state
class Bridge(State):
    """The herds, the points, and the goats on the bridge.

    A goat is its weight, 1 to 6.
    """

    herds: list[list[int]]
    points: list[int]
    load: list[int] = field(default_factory=list[int])
    seat: Seat = 0
