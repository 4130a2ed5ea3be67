"""What stands on a card, however deep: in effects, selectors and amounts of anybody's."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass

from sorcery.answers import is_ours
from sorcery.card import Card
from sorcery.effect import Mechanic
from sorcery.modifier import Modifier


def has_own_classes(cards: Iterable[Card]) -> bool:
    """Whether anything on some cards is of a class that does not come with the game."""
    for card in cards:
        effects = [
            card.effect,
            *(ability.effect for ability in card.abilities),
            *(trigger.effect for trigger in card.triggers),
        ]
        things = [*card.modifiers, *(one for effect in effects for one in all_in(effect))]
        if not all(is_ours(type(one)) for one in things):
            return True
    return False


def all_in(thing: object) -> Iterator[Mechanic]:
    """Each mechanic in something on a card, itself among them; nothing may stand in itself."""
    if isinstance(thing, Mechanic):
        yield thing
    for held in held_by(thing):
        yield from all_in(held)


def held_by(thing: object) -> Iterator[object]:
    """What something on a card consists of: its fields, and what is in rows and tables."""
    if isinstance(thing, str):
        return
    if isinstance(thing, set | frozenset):
        yield from sorted(thing, key=repr)  # so that the same flaw is told every time
    elif isinstance(thing, Collection):
        yield from thing
        yield from thing.values() if isinstance(thing, Mapping) else ()
    elif is_dataclass(thing) and not isinstance(thing, type | Card | Modifier):
        yield from (getattr(thing, item.name) for item in fields(thing))
    elif isinstance(thing, Mechanic):
        yield from getattr(thing, "__dict__", {}).values()
        yield from (getattr(thing, slot, None) for slot in _slots(type(thing)))


def _slots(kind: type) -> Iterator[str]:
    """The slots of a class and its bases, as Python calls private ones."""
    for base in kind.__mro__:
        slots = base.__dict__.get("__slots__", ())
        for slot in (slots,) if isinstance(slots, str) else slots:
            is_private = slot.startswith("__") and not slot.endswith("__")
            yield f"_{base.__name__.lstrip('_')}{slot}" if is_private else slot
