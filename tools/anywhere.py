"""Constructor with a bot that settles on random vertices, to measure the value of each vertex.

    tabletop simulate tools/anywhere.py -n 20000 --bots anywhere -o studies/anywhere

Builders settle on the same vertices in every match of a layout, so their matches contain no data
about the other vertices. The weights of the bot are those of a Builder.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from typing_extensions import override

from constructor import PLUGIN as CONSTRUCTOR
from constructor import Action, Builder, ConstructorState, Phase


class Anywhere(Builder):
    """A Builder that settles on random vertices, each with the same probability."""

    @override
    def choose(self, view: ConstructorState, actions: Sequence[Action]) -> Action:
        if view.phase is Phase.SETUP:
            return self._stream.choice(actions)
        return super().choose(view, actions)


PLUGIN: Final = replace(
    CONSTRUCTOR,
    bots={"anywhere": Anywhere},
    weights={"anywhere": CONSTRUCTOR.weights["builder"]},
)
