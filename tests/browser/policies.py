"""How the tests decide, seeing only what a page lists."""

from __future__ import annotations

import random
from collections.abc import Sequence

from tests.browser.screen import Choice, Policy


def eager(wishes: Sequence[str], seed: str) -> Policy:
    """Whatever stands first in the wishes and is possible; among equals, one by chance.

    Args:
        wishes: the first words of actions; one that is "1" stands for all whole numbers.
        seed: of the chance.
    """
    chance = random.Random(seed)

    def decide(choices: list[Choice]) -> Choice:
        kinds = [kind_of(choice) for choice in choices]
        wanted = next((wish for wish in wishes if wish in kinds), None)
        fitting = [
            choice
            for choice, kind in zip(choices, kinds, strict=True)
            if wanted is None or kind == wanted
        ]
        choice = chance.choice(fitting)
        several = choice.get("several")
        if not several:
            return choice
        items = chance.sample(several["items"], several["low"])
        line = " ".join(part["words"] for part in (choice, *items))
        return {**choice, "words": line}

    return decide


def kind_of(choice: Choice) -> str:
    """The first word of an action; "1" for a bare number."""
    first = str(choice["words"]).split()[0]
    return "1" if first.isdecimal() else first


def duel(seed: str) -> Policy:
    """Sorcery: attack while something can, play what can be played, then end the turn."""
    return eager(["attack", "play", "use", "end"], seed)


def building(seed: str) -> Policy:
    """Constructor: build what can be built, trade nothing, pass on."""
    return eager(["improve", "build-res", "build-road", "1", "roll", "yes", "next"], seed)


def rolling(seed: str) -> Policy:
    """LCR: there is little to decide."""
    return eager([], seed)
