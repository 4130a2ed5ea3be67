"""What seats see of secrets, and what could be there instead."""

from __future__ import annotations

from typing import TypeVar

from tabletop import Seat, Streams
from tabletop.rules import masking_of

T = TypeVar("T")


def seen(thing: T, seat: Seat | None) -> T:
    """What a seat sees of something with secrets."""
    shown: T = masking_of(type(thing)).view(thing, seat)
    return shown


def redealt(thing: T, seat: Seat | None, seed: str = "anew") -> T:
    """Something else that a seat cannot tell from it."""
    other: T = masking_of(type(thing)).redeal(thing, seat, Streams(seed)["redeal"])
    return other
