"""What the fields of effects, selectors and amounts hold: what their annotations name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Final

from sorcery.amounts import Amount, Condition
from sorcery.effect import Effect, Mechanic
from sorcery.effects import Damage, Draw, Summon
from sorcery.flaws import no_such
from sorcery.selector import Selector
from sorcery.triggers import When

FIELDS: Final[Mapping[str, tuple[type, ...]]] = {
    "Selector": (Selector,),
    "Number": (int, Amount),
    "Amount": (Amount,),
    "Effect": (Effect,),
    "Condition": (Condition,),
    "When": (When,),
    "int": (int,),
    "str": (str,),
    "bool": (bool,),
}
"""What a field of a mechanic may hold, by its annotation."""

ROWS: Final[Mapping[str, type]] = {
    "tuple[Effect, ...]": Effect,
    "tuple[Selector, ...]": Selector,
}
"""What each part of a field may be, by the annotation of the field."""

AT_LEAST_0: Final = ((Damage, "amount"), (Draw, "count"), (Summon, "count"))
"""The numbers with which an effect would do nothing if they were negative."""


def flaw_of_fields(thing: Mechanic) -> str:
    """What is wrong with the fields of a mechanic, as a phrase; empty when nothing is."""
    return _ill_typed(thing) or _negative(thing)


def _ill_typed(thing: object) -> str:
    """Which field of a mechanic is of a wrong type, as a phrase; empty when none is."""
    if is_dataclass(thing) and not isinstance(thing, type):
        name = type(thing).__name__
        for item in fields(thing):
            # Annotations are texts in most files of cards; those that are not known are let be.
            named = item.type if isinstance(item.type, str) else getattr(item.type, "__name__", "")
            value = getattr(thing, item.name)
            if value is None and named.endswith(" | None"):
                continue
            named = named.removesuffix(" | None")
            wanted = FIELDS.get(named)
            is_odd = isinstance(value, bool) and bool not in (wanted or ())
            if wanted and (is_odd or not isinstance(value, wanted)):
                return f"the {item.name} of {name} is {no_such(value, named)}"
            each = ROWS.get(named)
            if each is not None and (flaw := _ill_filled(value, each)):
                return f"{name} {flaw} among its {item.name}"
    return ""


def _negative(thing: Mechanic) -> str:
    """Which number of an effect is negative though it then does nothing, as a phrase."""
    for kind, field in AT_LEAST_0:
        value = getattr(thing, field, None) if type(thing) is kind else None
        if isinstance(value, int) and value < 0:
            return f"the {field} of {kind.__name__} is {value}, and it is at least 0"
    return ""


def _ill_filled(row: object, each: type) -> str:
    """What is wrong with a row, as a phrase; empty when it holds things of one kind alone."""
    if not isinstance(row, tuple | list) or not row:
        return f"has no {each.__name__}"
    odd = [one for one in row if not isinstance(one, each)]
    return f"has {odd[0]!r}, which is no {each.__name__}," if odd else ""
