"""Writes what a class of states declares: its view, and how what is unseen is dealt anew.

For every class that holds secrets there are three functions: `view_X` makes a masked copy,
`gather_X` collects what is not seen, by pools, and `deal_X` makes a copy of what was collected and
shuffled.
"""

from __future__ import annotations

from dataclasses import is_dataclass
from types import NoneType
from typing import Any, Final, get_args, get_origin

from tabletop.codec.annotations import bare, spelled
from tabletop.codec.shape import Misfit
from tabletop.fields import secrets_of
from tabletop.secrets.field import SecretField
from tabletop.states.annotated import field_hints
from tabletop.states.copying import Copying
from tabletop.states.fixed import is_union

_PASSED: Final = "state, seat"


def holds_secrets(hint: Any, known: tuple[Any, ...] = ()) -> bool:
    """Whether something in what is annotated so is secret."""
    hint = bare(hint)
    kind = get_origin(hint) or hint
    if isinstance(kind, type) and is_dataclass(kind):
        if kind in known:
            return False
        held = field_hints(hint).values()
        return bool(secrets_of(kind)) or any(holds_secrets(it, (*known, kind)) for it in held)
    return any(holds_secrets(it, known) for it in get_args(hint))


class Writing:
    """The functions for a class of states, and for those that it holds.

    Attributes:
        lines: their definitions.
        copying: writes how the rest is copied; has what the names in the lines stand for.
    """

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.copying = Copying()
        self._written: dict[tuple[type[Any], bool], str] = {}
        self._pools: dict[object, int] = {}

    def function(self, hint: Any, *, owned: bool) -> str:
        """How the functions for a class are called after their first word; writes them if needed.

        Args:
            hint: the class.
            owned: whether a list on the way to it has said whose it is.

        Raises:
            Misfit: something is declared that cannot be; says what to write instead.
        """
        kind = get_origin(hint) or hint
        if (kind, owned) not in self._written:
            name = f"{self.copying.named(kind)}{'_of_owner' if owned else ''}"
            self._written[kind, owned] = name
            self._write(hint, kind, name, owned=owned)
        return self._written[kind, owned]

    def _write(self, hint: Any, kind: type[Any], name: str, *, owned: bool) -> None:
        hints = field_hints(hint)
        declared = secrets_of(kind)
        view, gather, deal, after = [], [], [], []
        known = {it.known for it in declared.values() if it.known}
        for field, held in hints.items():
            own, value = f"copy.{field}", f"self.{field}"
            try:
                if field in declared:
                    one = SecretField(
                        field,
                        hint=held,
                        declared=declared[field],
                        hints=hints,
                        copying=self.copying,
                        pools=self._pools,
                        owned=owned,
                    )
                    view.append(f"{own} = {one.view()}")
                    gather += one.gather()
                    deal += one.deal()
                    after += one.after()
                elif field in known:
                    view.append(f"{own} = of_seat({value}, seat)")
                elif holds_secrets(held):
                    view.append(f"{own} = {self._below('view', held, value, owned=owned)}")
                    gather += self._gather_below(held, value, owned=owned)
                    deal.append(f"{own} = {self._below('deal', held, value, owned=owned)}")
                else:
                    copied = self.copying.copied(held, value)
                    view.append(f"{own} = {copied}")
                    deal.append(f"{own} = {copied}")
            except Misfit as error:
                error.path.append(f".{field}")
                raise
        new, end = "copy = _new(self.__class__)", "return copy"
        self._define(f"view_{name}(self, {_PASSED}, owner)", [new, *view, end])
        self._define(f"gather_{name}(self, {_PASSED}, owner, pools)", gather or ["pass"])
        self._define(f"deal_{name}(self, {_PASSED}, owner, pools, rng)", [new, *deal, *after, end])

    def _define(self, head: str, body: list[str]) -> None:
        self.lines += [f"def {head}:", *(f"    {line}" for line in body), "", ""]

    def _call(self, act: str, hint: Any, value: str, *, owned: bool) -> str:
        more = {"view": "", "gather": ", pools", "deal": ", pools, rng"}[act]
        name = self.function(hint, owned=owned)
        return f"{act}_{name}({value}, {_PASSED}, {'owner' if owned else 'None'}{more})"

    def _below(self, act: str, hint: Any, value: str, *, owned: bool) -> str:
        """An expression for what holds states with secrets, masked or dealt anew."""
        hint = bare(hint)
        kind, item = _held(hint)
        if kind is None:
            return self._call(act, hint, value, owned=owned)
        if kind is NoneType:
            return f"None if {value} is None else {self._below(act, item, value, owned=owned)}"
        inner = self._below(act, item, "it", owned=True)
        if kind is dict:
            key = "key" if owned else "owner"
            return f"{{{key}: {inner} for {key}, it in {value}.items()}}"
        loop = f"for it in {value}" if owned else f"for owner, it in enumerate({value})"
        return f"[{inner} {loop}]" if kind is list else f"tuple([{inner} {loop}])"

    def _gather_below(self, hint: Any, value: str, *, owned: bool) -> list[str]:
        hint = bare(hint)
        kind, item = _held(hint)
        if kind is None:
            return [self._call("gather", hint, value, owned=owned)]
        head = f"if {value} is not None:"
        if kind is dict:
            head = f"for {'_' if owned else 'owner'}, it in {value}.items():"
        elif kind is not NoneType:
            head = f"for it in {value}:" if owned else f"for owner, it in enumerate({value}):"
        inner = self._gather_below(
            item, value if kind is NoneType else "it", owned=owned or kind is not NoneType
        )
        return [head, *(f"    {line}" for line in inner)]


def _held(hint: Any) -> tuple[Any, Any]:
    """In what states with secrets are held (None: it is one; NoneType: it may be one), and which.

    Raises:
        Misfit: in something else.
    """
    origin, items = get_origin(hint) or hint, get_args(hint)
    if is_dataclass(origin):
        return None, hint
    if is_union(hint):
        rest = [it for it in items if bare(it) not in (None, NoneType)]
        if len(rest) == 1:
            return NoneType, rest[0]
    elif origin in (list, dict) and items:
        return origin, items[-1]
    elif origin is tuple and items[1:] == (...,):
        return tuple, items[0]
    raise Misfit(
        f"{spelled(hint)} holds secrets where they cannot be kept; write a list, a dictionary or a"
        " tuple of any length, of one class"
    )
