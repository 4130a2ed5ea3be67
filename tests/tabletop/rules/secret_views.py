"""Views and redeals of states."""

from __future__ import annotations

from typing import TypeVar

from tabletop import Seat, Streams
from tabletop.rules import masking_of

T = TypeVar("T")


def seen(thing: T, seat: Seat | None) -> T:
    """Return the view of a seat."""
    shown: T = masking_of(type(thing)).view(thing, seat)
    return shown


def redealt(thing: T, seat: Seat | None, seed: str = "anew") -> T:
    """Return a state that looks the same to a seat."""
    other: T = masking_of(type(thing)).redeal(thing, seat, Streams(seed)["redeal"])
    return other
