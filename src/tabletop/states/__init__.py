"""What follows from the fields of a state: copies, JSON and digests, bounds, and who sees what.

A state is a dataclass of plain data, declared with `@state`; its annotations say the rest. Notes in
them bound the values, so that observations can be encoded; `secret` declares who sees a field.
"""

from tabletop.states.bounds import (
    BAG,
    FIXED,
    PER_SEAT,
    UNOBSERVED,
    Fields,
    Length,
    Mark,
    OneOf,
    PerSeat,
    Range,
    SeatOr,
    Setting,
)
from tabletop.states.codec import check_plain, difference, digest, from_json, key, to_json
from tabletop.states.type_hints import SchemaError
from tabletop.states.visibility import Audience, Sight

__all__ = [
    "BAG",
    "FIXED",
    "PER_SEAT",
    "UNOBSERVED",
    "Audience",
    "Fields",
    "Length",
    "Mark",
    "OneOf",
    "PerSeat",
    "Range",
    "SchemaError",
    "SeatOr",
    "Setting",
    "Sight",
    "check_plain",
    "difference",
    "digest",
    "from_json",
    "key",
    "to_json",
]
