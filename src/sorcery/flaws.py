"""What is wrong with a card as somebody wrote it, and what to write instead."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from inspect import Parameter, signature
from typing import Final, ParamSpec, TypeVar

from tabletop import TabletopError

P = ParamSpec("P")
R = TypeVar("R")


class CardsError(TabletopError, ValueError):
    """A card, or a set of cards, makes no sense. The message names the card and the reason."""


KINDS: Final = {
    "int": "no whole number",
    "Number": "no whole number, and no amount",
    "Amount": "no amount",
    "str": "no text",
    "bool": "neither True nor False",
    "When": "no When",
    "Whose": "no Whose",
    "Target": "no Target",
}
"""What something of a wrong type is not, by the name of the right one."""


def no_such(value: object, kind: str) -> str:
    """What is wrong with `value` where something of another type belongs, and what is meant."""
    shown = f"{value!r}, which is {KINDS.get(kind, f'no {kind}')}"
    return (
        f"the class {value.__name__}; write: {call_of(value)}" if isinstance(value, type) else shown
    )


def call_of(kind: type) -> str:
    """How one of a class is made: `CannotAttack()`, or `Damage(...)` if given something."""
    given = signature(kind).parameters.values()
    is_bare = all(
        one.default is not Parameter.empty or one.kind is Parameter.VAR_POSITIONAL for one in given
    )
    return f"{kind.__name__}()" if is_bare else f"{kind.__name__}(...)"


def meant(name: str, known: Iterable[str]) -> str:
    """`; did you mean ...?` for the nearest of the known names; empty when none is near."""
    from difflib import get_close_matches  # only needed when something is wrong

    nearest = get_close_matches(name, [*known], 1)
    return f"; did you mean {nearest[0]}?" if nearest else ""


def in_plain_words(error: BaseException) -> str:
    """What a file of cards raised: a name that When, Whose and the like lack comes with theirs."""
    kind = getattr(error, "obj", None)
    if isinstance(error, AttributeError) and isinstance(kind, type) and error.name:
        known = [name for name in vars(kind) if name.isupper() and not name.startswith("_")]
        if known:
            near = meant(error.name, known)
            listed = ", ".join(known)
            return f"there is no {kind.__name__}.{error.name}{near or ';'} there is: {listed}"
    return str(error) if isinstance(error, CardsError) else f"{type(error).__name__}: {error}"


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
        known = tuple(signature(make).parameters)

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
            for word in [word for word in kwargs if word not in known]:
                raise CardsError(f"{card}: {function} takes no {word}{meant(word, known)}")
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
