"""How values are copied, by their annotations: what cannot change is shared, the rest copied."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Sequence
from types import NoneType
from typing import Any, Final, Literal, TypeVar, get_args, get_origin

from tabletop.codec.annotations import bare, spelled
from tabletop.codec.shape import Misfit
from tabletop.states.annotated import tuple_hints
from tabletop.states.fixed import bounds_of, is_fixed, is_union
from tabletop.states.refusing import trouble

_OWN_NAMES: Final = frozenset({"self", "copy", "it", "key"})
_HOLDS: Final = {
    list: "list[int]",
    deque: "deque[int]",
    set: "set[int]",
    dict: "dict[str, int]",
    Counter: "Counter[str]",
}
"""What can be changed and copied, and how it is annotated."""


class Copying:
    """Writes the expressions that copy values.

    Args:
        own: the class that is being made, and will have a `clone`.

    Attributes:
        names: what the names in the expressions stand for.
    """

    def __init__(self, own: type[Any] | None = None) -> None:
        self._own = own
        self.names: dict[str, Any] = {}

    def named(self, thing: Any) -> str:
        """The name of a class, or of something else, in the expressions."""
        wanted = name = getattr(thing, "__name__", "value")
        if wanted in _OWN_NAMES:
            wanted = name = f"{wanted}_"
        number = 1
        while self.names.setdefault(name, thing) is not thing:
            number += 1
            name = f"{wanted}_{number}"
        return name

    def copied(self, hint: Any, value: str, depth: int = 0) -> str:
        """An expression for an equal, independent copy; `value` itself where it can be shared.

        Args:
            hint: how the value is annotated.
            value: an expression for the value, such as `self.hands`.
            depth: in how many loops the expression stands.

        Raises:
            Misfit: it cannot be copied safely; says what to write instead.
        """
        hint = bare(hint)
        if is_fixed(hint):
            return value
        origin = get_origin(hint) or hint
        if is_union(hint):
            return self._one_of([bare(it) for it in get_args(hint)], value, depth)
        if isinstance(hint, TypeVar) and any(bounds_of(hint)):
            return self._one_of([bare(it) for it in bounds_of(hint)], value, depth)
        if origin in _HOLDS:
            return self._container(hint, origin, value, depth)
        if origin is frozenset:
            raise Misfit(f"{spelled(hint)} has items that can change; write what never changes")
        if isinstance(origin, type) and issubclass(origin, tuple):
            return self._tuple(hint, origin, value, depth)
        if hint is self._own or origin is self._own or callable(getattr(origin, "clone", None)):
            return f"{value}.clone()"
        raise Misfit(trouble(hint))

    def _container(self, hint: Any, origin: Any, value: str, depth: int) -> str:
        items = get_args(hint)
        if not items:
            name, written = spelled(hint), _HOLDS[origin]
            raise Misfit(f"{name} does not say what it holds; write, for instance, {written}")
        if origin in (dict, set, Counter) and not is_fixed(items[0]):
            what = "keys" if origin is not set else "items"
            raise Misfit(f"{spelled(hint)} has {what} that can change; write what never changes")
        variable = loop_name("it", depth)
        item = self._below(
            "[...]", items[-1] if origin is not Counter else int, variable, depth + 1
        )
        if item == variable:
            return f"{value}.copy()"
        if origin is dict:
            key = loop_name("key", depth)
            return f"{{{key}: {item} for {key}, {variable} in {value}.items()}}"
        if origin is deque:
            return f"{self.named(deque)}([{item} for {variable} in {value}], {value}.maxlen)"
        return f"[{item} for {variable} in {value}]"

    def _tuple(self, hint: Any, origin: Any, value: str, depth: int) -> str:
        items = get_args(hint)
        if origin is tuple and not items:
            raise Misfit("tuple does not say what it holds; write tuple[int, ...], for instance")
        if len(items) == 2 and items[1] is ...:
            variable = loop_name("it", depth)
            item = self._below("[...]", items[0], variable, depth + 1)
            return f"tuple([{item} for {variable} in {value}])"
        if origin is tuple:
            each = [
                self._below(f"[{at}]", it, f"{value}[{at}]", depth) for at, it in enumerate(items)
            ]
            return f"({', '.join(each)}{',' * (len(each) == 1)})"
        parts = tuple_hints(hint).items()
        each = [self._below(f".{name}", it, f"{value}.{name}", depth) for name, it in parts]
        return f"{self.named(origin)}({', '.join(each)})"

    def _below(self, step: str, hint: Any, value: str, depth: int) -> str:
        try:
            return self.copied(hint, value, depth)
        except Misfit as error:
            error.path.append(step)
            raise

    def _one_of(self, hints: Sequence[Any], value: str, depth: int) -> str:
        """A copy of one of several kinds: what can change is told from the rest by its class."""
        ways: dict[str, list[Any]] = {}
        for hint in hints:
            ways.setdefault(self.copied(hint, value, depth), []).append(hint)
        shared = ways.pop(value, [])
        if not ways:
            return value
        none_only = [bare(it) for it in shared] in ([NoneType], [None])
        rest = f"None if {value} is None else " if none_only else ""
        if len(ways) == 1 and (none_only or not shared):
            return f"{rest}{next(iter(ways))}"
        _tell_apart([*ways.values(), shared])
        tests = [
            f"{way} if isinstance({value}, {self._classes(kinds)}) else "
            for way, kinds in ways.items()
        ]
        return "".join([*tests, value])

    def _classes(self, hints: Sequence[Any]) -> str:
        names = [self.named(kind) for hint in hints for kind in _classes(hint)]
        return names[0] if len(names) == 1 else f"({', '.join(names)})"


def loop_name(word: str, depth: int) -> str:
    """What the variable of a loop is called that stands in so many others."""
    return word if not depth else f"{word}{depth + 1}"


def _classes(hint: Any) -> list[type[Any]]:
    """The classes of values that are annotated so."""
    hint = bare(hint)
    if get_origin(hint) is Literal:
        return [type(it) for it in get_args(hint)]
    if is_union(hint) or isinstance(hint, TypeVar):
        held = get_args(hint) if is_union(hint) else bounds_of(hint)
        return [kind for it in held for kind in _classes(it)]
    kind = get_origin(hint) or hint
    return [kind] if isinstance(kind, type) else [NoneType]


def _tell_apart(ways: Sequence[Sequence[Any]]) -> None:
    """Accept kinds that are copied in different ways, or say which cannot be told apart.

    Raises:
        Misfit: a value may be of two of them.
    """
    for at, own in enumerate(ways):
        for one in own:
            for other in [it for way in ways[at + 1 :] for it in way]:
                if any(
                    issubclass(mine, its) or issubclass(its, mine)
                    for mine in _classes(one)
                    for its in _classes(other)
                ):
                    both = f"{spelled(one)} and {spelled(other)}"
                    raise Misfit(f"nothing tells {both} apart; write one kind, or dataclasses")
