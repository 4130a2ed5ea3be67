"""What a secret field is made of, from single cards to piles in lists; and how each is masked."""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable
from dataclasses import dataclass
from enum import Enum
from types import NoneType
from typing import Any, Final, Literal, TypeAlias, get_args, get_origin

from tabletop.codec.annotations import bare, spelled
from tabletop.codec.shape import Misfit
from tabletop.states.fixed import is_fixed, is_union

_ROWS: Final = (list, tuple, dict)
_PILES: Final[dict[Any, str]] = {list: "[{}]", tuple: "tuple([{}])", deque: "deque([{}])"}


@dataclass(frozen=True, slots=True)
class Card:
    """One card.

    Attributes:
        gaps: whether None stands for no card, which all see.
    """

    gaps: bool


@dataclass(frozen=True, slots=True)
class Pile:
    """Cards in a row.

    Attributes:
        kind: list, tuple or deque.
        gaps: whether None stands for no card, which all see.
    """

    kind: type[Any]
    gaps: bool


@dataclass(frozen=True, slots=True)
class Rows:
    """Several of a kind: piles, or cards by key.

    Attributes:
        kind: list, tuple or dict.
        item: what each of them is.
        hint: its annotation.
        key: the annotation of the keys, `int` where there are none.
    """

    kind: type[Any]
    item: Shape
    hint: Any
    key: Any


Shape: TypeAlias = Card | Pile | Rows


def shape_of(hint: Any, back: Any) -> Shape:
    """What an annotation is made of; a card is whatever the back can stand for.

    Raises:
        Misfit: the back is no such card, or there is something in the way to it.
    """
    hint = bare(hint)
    if not isinstance(back, Hashable):
        raise Misfit(f"the back {back!r} can change; write one that never does")
    if _fits(back, hint):
        if not is_fixed(hint):
            raise Misfit(f"a secret card never changes, and {spelled(hint)} can")
        return Card(gaps=back is not None and _may_be_none(hint))
    origin, items = get_origin(hint) or hint, get_args(hint)
    whole = origin is not tuple or (len(items) == 2 and items[1] is ...)
    if origin in (*_PILES, dict) and items and whole:
        held = items[-1] if origin is dict else items[0]
        item = shape_of(held, back)
        if isinstance(item, Card) and origin is not dict:
            return Pile(origin, item.gaps)
        if origin in _ROWS:
            return Rows(origin, item, held, items[0] if origin is dict else int)
    raise Misfit(
        f"the back {back!r} is no {spelled(hint)}, and this is no list of what it could stand for;"
        " write a back of the kind of the cards, in lists, tuples, or values of dictionaries"
    )


def _may_be_none(hint: Any) -> bool:
    return is_union(hint) and any(it in (None, NoneType) for it in map(bare, get_args(hint)))


def _fits(back: Any, hint: Any) -> bool:
    """Whether a back can stand for what is annotated so."""
    hint = bare(hint)
    if is_union(hint):
        return any(_fits(back, it) for it in get_args(hint))
    if get_origin(hint) is Literal:
        return type(back) in {type(it) for it in get_args(hint)}
    if hint in (None, NoneType):
        return back is None
    kind = get_origin(hint) or getattr(hint, "__bound__", None) or hint
    if kind is tuple:
        items = get_args(hint)
        return type(back) is tuple and len(items) == len(back) and ... not in items
    return isinstance(kind, type) and isinstance(back, kind) and not _is_other_member(back, kind)


def _is_other_member(back: Any, kind: type[Any]) -> bool:
    """Whether the back is a member of an enumeration, and the cards are not."""
    return isinstance(back, Enum) and not issubclass(kind, Enum)


def replaced(shape: Shape, value: str, card: str) -> str:
    """An expression for the same with another card in the place of each.

    Args:
        shape: what `value` is.
        value: an expression for it.
        card: an expression for a card.
    """
    match shape:
        case Card(gaps):
            return f"None if {value} is None else {card}" if gaps else card
        case Pile(kind, gaps):
            item = f"None if card is None else {card}" if gaps else card
            return _PILES[kind].format(f"{item} for card in {value}")
        case Rows(kind, item):
            inner = replaced(item, "row", card)
            if kind is dict:
                return f"{{key: {inner} for key, row in {value}.items()}}"
            return _PILES[kind].format(f"{inner} for row in {value}")


def masked(shape: Shape, value: str, back: str) -> str:
    """An expression for the same with backs in the place of all cards."""
    if isinstance(shape, Pile) and not shape.gaps:
        if shape.kind is tuple:
            return f"({back},) * len({value})"
        backs = f"[{back}] * len({value})"
        return backs if shape.kind is list else f"deque({backs})"
    if isinstance(shape, Rows) and shape.kind is list:
        return f"[{masked(shape.item, 'row', back)} for row in {value}]"
    return replaced(shape, value, back)


def dealt(shape: Shape, value: str, cards: str) -> str:
    """An expression for the same with cards from an iterator."""
    if isinstance(shape, Pile) and not shape.gaps:
        return f"{shape.kind.__name__}(islice({cards}, len({value})))"
    if isinstance(shape, Rows) and shape.kind is list:
        return f"[{dealt(shape.item, 'row', cards)} for row in {value}]"
    return replaced(shape, value, f"next({cards})")


def gathered(shape: Shape, value: str) -> list[str]:
    """Statements that append all cards of it to the list `pool`."""
    match shape:
        case Card(gaps):
            line = f"pool.append({value})"
            return [f"if {value} is not None:", f"    {line}"] if gaps else [line]
        case Pile(_, gaps):
            held = f"[card for card in {value} if card is not None]" if gaps else value
            return [f"pool += {held}"]
        case Rows(kind, item):
            rows = f"{value}.values()" if kind is dict else value
            return [f"for row in {rows}:", *(f"    {line}" for line in gathered(item, "row"))]
