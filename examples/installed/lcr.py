"""Left, Center, Right, but everybody begins with two chips.

Change the number, or another rule, and play. `CHOSEN` holds options of
the match: {"course-seed": 42} rolls the dice of the course's program.
"""

from dataclasses import replace

import lcr
from lcr import Lcr, LcrState
from tabletop import Options, Streams


class QuickLcr(Lcr):
    """The rules that are installed, with another beginning."""

    name = "lcr-quick"

    def setup(
        self, options: Options, seats: int, rng: Streams
    ) -> LcrState:
        """Give everybody two chips in place of three."""
        state = super().setup(options, seats, rng)
        state.chips = [2] * seats
        return state


PLUGIN = replace(lcr.PLUGIN, game=QuickLcr())
CHOSEN: dict[str, int] = {}
