"""Copies, JSON, digests, bounds and visibility, derived from the fields of a state.

A state is a dataclass of plain data, declared with `@state`. Notes in its annotations, such as
`Range`, bound the values for observations. `secret` declares which seats see a field.
"""

from tabletop.states.bounds import (
    BAG,
    FIXED,
    PER_SEAT,
    UNOBSERVED,
    Fields,
    Length,
    Mark,
    MatchBound,
    OneOf,
    PerSeat,
    Range,
    SeatOr,
)
from tabletop.states.codec import check_plain, difference, digest, from_json, key, to_json
from tabletop.states.type_hints import SchemaError
from tabletop.states.visibility import Audience, VisibilityFunction

__all__ = [
    "BAG",
    "FIXED",
    "PER_SEAT",
    "UNOBSERVED",
    "Audience",
    "Fields",
    "Length",
    "Mark",
    "MatchBound",
    "OneOf",
    "PerSeat",
    "Range",
    "SchemaError",
    "SeatOr",
    "VisibilityFunction",
    "check_plain",
    "difference",
    "digest",
    "from_json",
    "key",
    "to_json",
]
