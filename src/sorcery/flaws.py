"""What is wrong with a card as somebody wrote it, and what to write instead."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Final, ParamSpec, TypeVar

from tabletop import TabletopError

P = ParamSpec("P")
R = TypeVar("R")


class CardsError(TabletopError, ValueError):
    """A card, or a set of cards, makes no sense. The message names the card and the reason."""


MODIFIERS: Final = {
    "silences": "Silenced()",
    "ability_cost": "Dearer(2)",
    "actions": "MoreActions(1)",
}
"""What was a keyword of `enchantment` once, and the modifier that says it now, as an example."""


def with_named_numbers(*names: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Refuse numbers without names, and changes by keyword, with what to write instead.

    Cards were written `minion("Bird", 0, 1, 1)` before their numbers had names.

    Args:
        names: the numbers, in the order in which they stood then.

    Returns:
        A decorator for a function that makes a card.
    """

    def decorate(make: Callable[P, R]) -> Callable[P, R]:
        @wraps(make)
        def checked(*args: P.args, **kwargs: P.kwargs) -> R:
            numbers = [one for one in args if type(one) is int]
            card, function = str(args[0] if args else kwargs.get("name")), make.__name__
            if numbers:
                raise CardsError(_unnamed(card, function, numbers, names, len(args)))
            if len(args) > 1 and function != "spell":
                written = f'{function}("{card}", ...).having({args[1]!r})'
                raise CardsError(f"{card}: what it has stands behind; write: {written}")
            if function == "enchantment":
                _refuse_keywords(card, kwargs)
            missing = [name for name in names if name not in kwargs]
            if missing:
                needed = ", ".join(f"{name}=..." for name in missing)
                raise CardsError(f"{card}: {function} needs {needed}")
            return make(*args, **kwargs)

        return checked

    return decorate


def _unnamed(
    card: str, function: str, numbers: Sequence[int], names: Sequence[str], count: int
) -> str:
    named = ", ".join(f"{name}={number}" for name, number in zip(names, numbers, strict=False))
    more = count > 1 + len(numbers)
    rest = "..., " if more and function == "spell" else ""
    having = ".having(...)" if more and function != "spell" else ""
    return f'{card}: numbers have names; write: {function}("{card}", {rest}{named}){having}'


def _refuse_keywords(card: str, keywords: dict[str, object]) -> None:
    changes = [keywords.get(name) for name in ("attack", "defence")]
    if any(changes):
        written = ", ".join('""' if change is None else f'"{change}"' for change in changes)
        text = f"Numbers({written})"
    else:
        text = next((MODIFIERS[name] for name in MODIFIERS if name in keywords), "")
    if text:
        raise CardsError(
            f"{card}: what an enchantment does is a modifier;"
            f' write: enchantment("{card}", cost=...).having({text})'
        )
