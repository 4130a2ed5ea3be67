"""Writes the expressions for one secret field: who sees it, what others see, how it is dealt."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, get_origin

from tabletop.codec.annotations import bare, spelled
from tabletop.codec.shape import Misfit
from tabletop.fields import EVERYBODY, NOBODY, OWNER, Secret
from tabletop.secrets.known import Known
from tabletop.secrets.shapes import (
    Card,
    Pile,
    Rows,
    Shape,
    dealt,
    gathered,
    masked,
    replaced,
    shape_of,
)
from tabletop.states.copying import Copying
from tabletop.states.fixed import is_union

_TRUE: Final = "True"
_FALSE: Final = "False"


class SecretField:
    """One secret field of a class of states.

    Args:
        name: of the field.
        hint: its annotation.
        declared: what is said of it.
        hints: the annotations of all fields of the class.
        copying: writes copies, and names things.
        pools: the numbers of the pools by what their cards have in common.
        owned: whether a list on the way to the class has said whose it is.

    Raises:
        Misfit: what is declared does not fit the annotation.
    """

    def __init__(
        self,
        name: str,
        *,
        hint: Any,
        declared: Secret,
        hints: Mapping[str, Any],
        copying: Copying,
        pools: dict[object, int],
        owned: bool,
    ) -> None:
        self._declared = declared
        self._copying = copying
        self._value = f"self.{name}"
        self._name = name
        self._hint = bare(hint)
        self._shape = shape_of(hint, declared.back)
        self._rows = self._rows_of_owners(owned=owned)
        """What each owner has, where this field is what says whose it is; else None."""
        self._owned = owned or self._rows is not None
        self._known = self._known_field(hints)
        self._back = self._constant("BACK", declared.back)
        kind = declared.pool
        if kind is None or kind is OWNER:
            kind = (type(declared.back), declared.back, kind)
        self._pool = pools.setdefault(kind, len(pools))
        self._check()

    def _constant(self, word: str, thing: Any) -> str:
        name = f"{word}_{self._name}"
        while self._copying.names.setdefault(name, thing) is not thing:
            name += "_"
        return name

    def _rows_of_owners(self, *, owned: bool) -> Rows | None:
        declared, shape = self._declared, self._shape
        by_owner = (
            declared.to is OWNER
            or callable(declared.to)
            or declared.pool is OWNER
            or (declared.known and isinstance(shape, Rows))
        )
        if owned or not by_owner:
            return None
        if isinstance(shape, Rows):
            return shape
        if isinstance(shape, Pile) and shape.kind in (list, tuple):
            args = self._hint.__args__
            return Rows(shape.kind, Card(shape.gaps), args[0], int)
        return None

    def _known_field(self, hints: Mapping[str, Any]) -> str:
        known = self._declared.known
        if not known:
            return ""
        hint = bare(hints.get(known, int))
        if (get_origin(hint) or hint) is not Known:
            raise Misfit(f"known={known!r} is no field of the class; write {known}: Known[...]")
        return f"self.{known}"

    def _check(self) -> None:
        """Accept what is declared.

        Raises:
            Misfit: parts of it contradict each other.
        """
        declared, item = self._declared, self._rows.item if self._rows else self._shape
        if (declared.to is OWNER or declared.pool is OWNER) and not self._owned:
            raise Misfit(
                f"whose it is does not follow from {spelled(self._hint)}; OWNER needs a list with"
                " one item for each seat"
            )
        if self._rows is not None and declared.to is OWNER and not _is_int(self._rows.key):
            raise Misfit(f"{spelled(self._hint)} has keys that are no seats; write dict[Seat, ...]")
        if declared.known and not (item == Pile(list, gaps=False) or isinstance(item, Card)):
            raise Misfit(f"{spelled(self._hint)} cannot have known cards; write lists of cards")
        if declared.known and isinstance(item, Card) and self._rows is None:
            raise Misfit("known is for piles of cards; say with `to` who sees the only one")
        if declared.sorted_by and item != Pile(list, gaps=False):
            raise Misfit(f"{spelled(self._hint)} cannot be sorted; write lists of cards")
        if declared.choices and (declared.known or declared.sorted_by):
            raise Misfit("what is chosen is not dealt: leave out known and sorted_by")

    # Who sees it.

    def _seen(self) -> str:
        """An expression for whether `seat` sees what `owner` has."""
        to = self._declared.to
        own = "owner" if self._owned else "None"
        if to in (NOBODY, EVERYBODY):
            test = _TRUE if to is EVERYBODY else _FALSE
        elif to is OWNER:
            test = "owner == seat"
        else:
            test = f"{self._constant('sees', to)}(state, seat, {own})"
        if self._known and isinstance(self._item, Card):
            shown = f"knows({self._known}, seat, owner)"
            return shown if test == _FALSE else f"({test} or {shown})"
        return test

    @property
    def _item(self) -> Shape:
        return self._rows.item if self._rows else self._shape

    @property
    def _owner(self) -> str:
        """Under which owner `Known` speaks of a pile."""
        return "owner" if self._rows is not None else "None"

    def _for_each(self, seen: str, unseen: str) -> str:
        """An expression for the field, from those for what one owner has."""
        rows, test = self._rows, self._seen()
        item = f"{seen} if {test} else {unseen}"
        if test in (_TRUE, _FALSE):
            item = seen if test == _TRUE else unseen
        if rows is None:
            return item
        if rows.kind is dict:
            return f"{{owner: {item} for owner, it in {self._value}.items()}}"
        made = f"[{item} for owner, it in enumerate({self._value})]"
        return made if rows.kind is list else f"tuple({made})"

    @property
    def _one(self) -> str:
        """An expression for what one owner has."""
        return self._value if self._rows is None else "it"

    def _copied(self) -> str:
        hint = self._hint if self._rows is None else self._rows.hint
        return self._copying.copied(hint, self._one)

    # What is written.

    def view(self) -> str:
        """An expression for what a seat sees."""
        hidden = masked(self._item, self._one, self._back)
        if self._known and isinstance(self._item, Pile):
            hidden = f"masked({self._known}, {self._one}, {self._back}, seat, {self._owner})"
        return self._for_each(self._sorted(), hidden)

    def _sorted(self) -> str:
        key = self._declared.sorted_by
        if key is None:
            return self._copied()
        return f"sorted({self._one}, key={self._constant('key', key)})"

    def gather(self) -> list[str]:
        """Statements that collect what a seat does not see, and refuse to where that is backs."""
        test = self._seen()
        unseen = ["pool = []", *self._gathered(), f"refuse_view(pool, {self._back})"]
        if not self._declared.choices:
            unseen.append(f"pools.setdefault({self._key()}, []).extend(pool)")
        seen: list[str] = []
        if self._declared.sorted_by:
            seen = [f"pools[{self._own_key}] = tuple({self._sorted()})"]  # in order already
        if test == _TRUE:
            lines = seen
        elif test == _FALSE:
            lines = unseen
        elif seen:
            lines = [f"if {test}:", *_indented(seen), "else:", *_indented(unseen)]
        else:
            unless = "owner != seat" if test == "owner == seat" else f"not {test}"
            lines = [f"if {unless}:", *_indented(unseen)]
        if self._rows is None or not lines:
            return lines
        pairs = f"{self._value}.items()"
        if self._rows.kind is not dict:
            pairs = f"enumerate({self._value})"
        return [f"for owner, it in {pairs}:", *_indented(lines)]

    def _gathered(self) -> list[str]:
        if self._known and isinstance(self._item, Pile):
            return [f"pool += unseen({self._known}, {self._one}, seat, {self._owner})"]
        return gathered(self._item, self._one)

    def _key(self) -> str:
        """The key of the pool: seats count from 0, and what all have in common is below that."""
        if self._declared.pool is not OWNER:
            return str(-1 - self._pool)
        return f"({self._pool}, owner)" if self._pool else "owner"

    @property
    def _own_key(self) -> str:
        """The pool of a pile whose cards are seen, and whose order is not."""
        return f"id({self._one})"  # no number of a pool is as great

    def deal(self) -> list[str]:
        """Statements that give the copy what a seat sees, and other cards for the rest."""
        chosen = self._declared.choices
        if chosen:
            draw = f"rng.choice({self._constant('choices', chosen)})"
            unseen = replaced(self._item, self._one, draw)
        elif self._known and isinstance(self._item, Pile):
            cards = f"pools[{self._key()}]"
            unseen = f"arranged({self._known}, {self._one}, seat, {self._owner}, {cards})"
        else:
            unseen = dealt(self._item, self._one, f"pools[{self._key()}]")
        seen = self._copied()
        if self._declared.sorted_by:
            seen = f"list(pools[{self._own_key}])"
        return [f"copy.{self._name} = {self._for_each(seen, unseen)}"]

    def after(self) -> list[str]:
        """Statements that have others know as many of the cards that were dealt as before."""
        if not self._known:
            return []
        new, test = f"copy.{self._name}", self._seen()
        if self._rows is None:
            piles = f"{{}} if {test} else {{None: {new}}}"
        else:
            pairs = f"{new}.items()" if self._rows.kind is dict else f"enumerate({new})"
            pile = "[it]" if isinstance(self._item, Card) else "it"
            piles = f"{{owner: {pile} for owner, it in {pairs} if not {test}}}"
        name = self._declared.known
        return [f"copy.{name} = followed(self.{name}, {piles})"]


def _indented(lines: list[str]) -> list[str]:
    return [f"    {line}" for line in lines]


def _is_int(hint: Any) -> bool:
    hint = bare(hint)
    return isinstance(hint, type) and issubclass(hint, int) and not is_union(hint)
