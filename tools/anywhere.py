"""Constructor with a bot that settles anywhere: it shows what vertices are worth.

    tabletop simulate tools/anywhere.py -n 20000 --bots anywhere -o studies/anywhere

Builders settle on the same vertices in every match of a layout, so that their matches say nothing
of the others. Its weights are those of a Builder.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from typing_extensions import override

from constructor import PLUGIN as CONSTRUCTOR
from constructor import Action, Builder, ConstructorState, Phase


class Anywhere(Builder):
    """A Builder that settles anywhere, each vertex equally likely."""

    @override
    def choose(self, view: ConstructorState, actions: Sequence[Action]) -> Action:
        if view.phase is Phase.SETUP:
            return self._chance.choice(actions)
        return super().choose(view, actions)


PLUGIN: Final = replace(
    CONSTRUCTOR,
    bots={"anywhere": Anywhere},
    weights={"anywhere": CONSTRUCTOR.weights["builder"]},
)
