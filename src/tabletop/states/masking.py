"""The generator of views and redeals: one function for a class of states, from its schema.

The function copies a state, and asks for substitutes for what a seat does not see: which ones, says
`tabletop.rules.secrets`. Here stand how cards lie in a field, and which declarations are possible.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from enum import Enum
from functools import partial
from itertools import islice
from typing import Any, Final, Literal, NamedTuple, TypeAlias, get_args

from typing_extensions import override

from tabletop.errors import ContractError
from tabletop.states import schema
from tabletop.states.schema import Schema, fields_of, schema_of
from tabletop.states.states import Copier, compile_functions, is_immutable
from tabletop.states.type_hints import SchemaError, at_step, type_name
from tabletop.states.visibility import EVERYBODY, OWNER, Audience, Secret, secrets_of


def holds_secrets(part: Schema) -> bool:
    """Check whether something in values of a schema is secret."""
    return any(True for _ in secrets_in(part))


def secrets_in(part: Schema, above: tuple[type[Any], ...] = ()) -> Iterator[Secret]:
    """Yield the declarations of what is secret in values of a schema.

    `above` holds the classes being gone through: one may hold its own kind.
    """
    if isinstance(part, schema.Dataclass):
        if part.kind in above:
            return
        yield from secrets_of(part.kind).values()
        above = (*above, part.kind)
    for _, held in part.parts():
        yield from secrets_in(held, above)


def generate(kind: type[Any], *, glances: bool, names: Mapping[str, Any]) -> Callable[..., Any]:
    """Generate the function that copies states of a class, with substitutes for their secrets.

    Its parameters are the state, the state again, the seat, the owner (None), and what finds
    substitutes: `hidden`, `ordered` and `known` of it are called.

    Args:
        kind: the class.
        glances: whether the copy shares with the state all that is not replaced.
        names: what the function calls beside that: `shown_to` for the cards that a seat has been
            shown of an owner's pile.

    Raises:
        ContractError: it declares no secrets, or impossible ones; says what to write instead.
    """
    name = kind.__qualname__
    try:
        part = schema_of(kind)
        if not isinstance(part, schema.Dataclass) or not holds_secrets(part):
            what = "no field says who sees it; write secret(to=..., back=...), or derive from Game"
            raise ContractError(f"{name}: {what}")
        writer = _Writer(glances=glances)
        root = writer.function(part, owned=False)
    except SchemaError as error:
        raise ContractError(error.at(name)) from error
    known = {"_new": object.__new__, "deque": deque, **names, **writer.copier.names}
    made = compile_functions(f"secrets of {kind.__module__}.{name}", writer.lines, known)
    function: Callable[..., Any] = made[root]
    return function


# Layouts of cards in a field.


class CardLayout(NamedTuple):
    """A card; with `gaps`, None means no card, which all see."""

    gaps: bool

    def replaced(self, value: Any, cards: Iterator[Any]) -> Any:
        """Fill the place of the card with the next of others."""
        return None if self.gaps and value is None else next(cards)

    def cards(self, value: Any) -> Sequence[Any]:
        """Return the card, if there is one."""
        return () if self.gaps and value is None else (value,)

    def places(self, value: Any) -> Sequence[Any]:
        """Return the place of each of these cards: None for a single one."""
        return [None for _ in self.cards(value)]


class _Pile(NamedTuple):
    """Cards in a list, tuple or deque; with `gaps`, None means no card, which all see."""

    kind: type[Any]
    gaps: bool

    def replaced(self, value: Any, cards: Iterator[Any]) -> Any:
        if self.gaps:
            return self.kind([None if card is None else next(cards) for card in value])
        return self.kind(islice(cards, len(value)))

    def cards(self, value: Any) -> Sequence[Any]:
        return [card for card in value if card is not None] if self.gaps else value

    def places(self, value: Any) -> Sequence[Any]:
        return [at for at, card in enumerate(value) if not (self.gaps and card is None)]


class _Piles(NamedTuple):
    """Piles, or cards by key, in a list, tuple or dictionary: the layout and schema of each."""

    kind: type[Any]
    item: _Layout
    part: Schema
    key: Schema | None = None

    def replaced(self, value: Any, cards: Iterator[Any]) -> Any:
        if self.kind is dict:
            return {key: self.item.replaced(row, cards) for key, row in value.items()}
        return self.kind([self.item.replaced(row, cards) for row in value])

    def cards(self, value: Any) -> Sequence[Any]:
        rows = value.values() if self.kind is dict else value
        return [card for row in rows for card in self.item.cards(row)]

    def places(self, value: Any) -> Sequence[Any]:
        rows = value.items() if self.kind is dict else enumerate(value)
        return [(key, at) for key, row in rows for at in self.item.places(row)]


_Layout: TypeAlias = CardLayout | _Pile | _Piles
"""A layout of cards: `replaced` fills its places with the next of others; `cards` are its cards,
and `places` their places."""

_LITERALS: Final[dict[Any, str]] = {list: "[{}]", tuple: "tuple([{}])", deque: "deque([{}])"}


def layout_of(part: Schema, back: Any) -> _Layout:
    """Return the layout of cards in a schema's values; a card is any value the back can replace."""
    if not isinstance(back, Hashable):
        raise SchemaError(f"the back {back!r} can change; write one that never does")
    name = type_name(part.annotation)
    if _can_replace(back, part):
        if not is_immutable(part):
            raise SchemaError(f"a secret card never changes, and {name} can")
        return CardLayout(
            gaps=back is not None and isinstance(part, schema.Union) and part.optional
        )
    if isinstance(part, schema.Tuple) and part.kind is tuple:
        return _layout_of_tuple(part, back)
    held = {schema.Sequence: "item", schema.Mapping: "value"}.get(type(part))
    if held and part.origin in (*_LITERALS, dict) and get_args(part.annotation):
        inner: Schema = getattr(part, held)
        item = layout_of(inner, back)
        if isinstance(item, CardLayout) and part.origin is not dict:
            return _Pile(part.origin, item.gaps)
        if part.origin is not deque:
            return _Piles(part.origin, item, inner, getattr(part, "key", None))
    raise SchemaError(
        f"the back {back!r} cannot stand for {name}; write a back of the type of the cards, and"
        " put the cards into a list, a tuple or a dictionary"
    )


def _layout_of_tuple(part: schema.Tuple, back: Any) -> _Layout:
    """Return the layout of a tuple of fixed length, such as `tuple[Card, Card]`."""
    steps = zip(part.steps, part.items, strict=True)
    layouts = [at_step(step, layout_of, item, back) for step, item in steps]
    if all(isinstance(it, CardLayout) for it in layouts):
        return _Pile(tuple, gaps=any(it.gaps for it in layouts))
    if any(item.annotation != part.items[0].annotation for item in part.items):
        name = type_name(part.annotation)
        raise SchemaError(f"the parts of {name} are of several kinds; write one field for each")
    return _Piles(tuple, layouts[0], part.items[0])


def layouts_of(kind: type[Any]) -> dict[str, _Layout]:
    """Return the layouts of the fields of an event or action that not every seat sees.

    Raises:
        ContractError: A declaration is impossible; says what to write instead.
    """
    declared = {name: it for name, it in secrets_of(kind).items() if it.to is not EVERYBODY}
    try:
        return {
            name: at_step(f".{name}", layout_of, fields_of(kind)[name], it.back)
            for name, it in declared.items()
        }
    except SchemaError as error:
        raise ContractError(error.at(kind.__qualname__)) from error


def check_layouts(kind: type[Any]) -> None:
    """Check the secrets of a class of events or actions, as far as its annotations can be read.

    An annotation may name a class that is defined later: then `layouts_of` checks it at first use.

    Raises:
        ContractError: A declaration is impossible; says what to write instead.
    """
    if not secrets_of(kind):
        return
    try:
        fields_of(kind)
    except SchemaError:
        return
    layouts_of(kind)


def _can_replace(back: Any, part: Schema) -> bool:
    """Check whether a back can replace a value of a schema."""
    match part:
        case schema.Union():
            optional = part.optional and back is None
            return optional or any(_can_replace(back, it) for it in part.members)
        case schema.Tuple() if part.kind is tuple:
            return type(back) is tuple and len(back) == len(part.items)
        case schema.Sequence() if part.kind is tuple:
            return False
        case schema.Scalar() if part.origin is Literal:
            return type(back) in part.classes()
        case schema.Scalar() if part.is_any:
            return False
    kinds = [it for it in part.classes() if isinstance(it, type)]
    if isinstance(back, Enum):  # no card of another kind, even if it is a number or a text
        kinds = [it for it in kinds if issubclass(it, Enum)]
    return isinstance(back, tuple(kinds))


class SecretField(NamedTuple):
    """A secret field: its declaration, the layout of an owner's cards, and the number of its pool.

    `name` names its class as well; `is_one` is True for one pile, False for a row of piles by
    owners.
    """

    name: str
    declared: Secret
    layout: _Layout
    pool: int
    is_one: bool

    def pool_of(self, owner: Any) -> object:
        """Return the key of the pool in which an owner's cards are shuffled."""
        return self.pool, owner if self.declared.pool is OWNER else None

    def place(self, owner: Any) -> Any:
        """Return the owner in the form that `Known` uses."""
        return None if self.is_one else owner


# The code of the function.


class _Sharer(Copier):
    """Copies nothing."""

    @override
    def copy(self, part: Schema, value: str, depth: int = 0) -> str:
        return value


class _Writer:
    """Writes the functions for a class of states, and for the classes that it holds.

    Each copies a state; `work` is a `_Backs`, or one of the classes derived from it. With `glances`
    it is a view, which shares what is not masked.
    """

    def __init__(self, *, glances: bool) -> None:
        self.lines: list[str] = []
        self.copier = _Sharer() if glances else Copier()
        self._glances = glances
        self._pools: dict[object, int] = {}
        self._written: dict[tuple[type[Any], bool], str] = {}

    def function(self, part: schema.Dataclass, *, owned: bool) -> str:
        """Name the function for a class; `owned` is True in a list with an item per owner."""
        if (part.kind, owned) not in self._written:
            name = f"copy_{self.copier.name(part.kind)}{'_of_owner' if owned else ''}"
            # Named before it is written: a class may hold its own kind.
            self._written[part.kind, owned] = name
            self._write(part, name, owned=owned)
        return self._written[part.kind, owned]

    def _write(self, part: schema.Dataclass, name: str, *, owned: bool) -> None:
        declared = secrets_of(part.kind)
        known = {it.known: None for it in declared.values() if it.known}
        body = ["copy = _new(self.__class__)"]
        for name_of_field, held in part.fields.items():
            value, step = f"self.{name_of_field}", f".{name_of_field}"
            if name_of_field in declared:
                copied = at_step(step, self._secret, part, name_of_field, owned)
            elif name_of_field in known:
                continue
            elif holds_secrets(held):
                copied = at_step(step, self._below, held, value, owned)
            else:
                copied = at_step(step, self.copier.copy, held, value)
            body.append(f"copy{step} = {copied}")
        # Last: the knowledge follows from the dealt cards.
        body += [f"copy.{it} = work.known(self.{it})" for it in known]
        head = f"def {name}(self, state, seat, owner, work):"
        self.lines += [head, *(f"    {line}" for line in [*body, "return copy"]), "", ""]

    def _below(self, part: Schema, value: str, owned: bool) -> str:
        """Return an expression for a value that holds states with secrets."""
        below = partial(self._below, owned=True)
        match part:
            case schema.Dataclass():
                owner = "owner" if owned else "None"
                return f"{self.function(part, owned=owned)}({value}, state, seat, {owner}, work)"
            case schema.Union() if part.optional and len(part.members) == 1:
                return f"None if {value} is None else {self._below(part.members[0], value, owned)}"
            case schema.Sequence() if part.origin in (list, tuple):
                loop = f"for it in {value}" if owned else f"for owner, it in enumerate({value})"
                return _LITERALS[part.kind].format(f"{below(part.item, 'it')} {loop}")
            case schema.Mapping() if part.origin is dict:
                key = "key" if owned else "owner"
                return f"{{{key}: {below(part.value, 'it')} for {key}, it in {value}.items()}}"
        raise SchemaError(
            f"{type_name(part.annotation)} holds secrets where they cannot be kept; write a list, a"
            " dictionary or a tuple of any length, of one class"
        )

    def _secret(self, part: schema.Dataclass, field: str, owned: bool) -> str:
        """Return an expression for a secret field: the value if visible, else its substitute."""
        held, value, declared = part.fields[field], f"self.{field}", secrets_of(part.kind)[field]
        layout = layout_of(held, declared.back)
        piles = None if owned else _piles_of_owners(declared, layout, held)
        item, it = (piles.item, "it") if piles else (layout, value)
        name = type_name(held.annotation)
        _check_declared(declared, name, piles, item, is_owned=owned or piles is not None)
        full_name = f"{part.kind.__qualname__}.{field}"
        secret = SecretField(full_name, declared, item, self._pool(declared), piles is None)
        name, known = self._constant(field, secret), f"self.{declared.known}"
        test = str(declared.to is EVERYBODY)
        if declared.to is OWNER:
            test = "owner == seat"
        elif not isinstance(declared.to, Audience):
            test = f"{name}.declared.to(state, seat, owner)"
        if declared.known and isinstance(item, CardLayout):
            test = f"({test} or shown_to({known}, seat, owner))"
        seen = f"work.ordered({name}, {it})"
        if not declared.sorted_by:
            seen = self.copier.copy(piles.part if piles else held, it)
        hidden = f"work.hidden({name}, {it}, owner{', ' + known if declared.known else ''})"
        if self._glances and item == _Pile(list, gaps=False) and not declared.known:
            hidden = f"[{name}.declared.back] * len({it})"  # without a call
        both = {"True": seen, "False": hidden}.get(test, f"{seen} if {test} else {hidden}")
        if piles is None:
            return both
        if piles.kind is dict:
            return f"{{owner: {both} for owner, it in {value}.items()}}"
        return _LITERALS[piles.kind].format(f"{both} for owner, it in enumerate({value})")

    def _constant(self, field: str, secret: SecretField) -> str:
        name = f"secret_{field}"
        while self.copier.names.setdefault(name, secret) is not secret:
            name += "_"
        return name

    def _pool(self, declared: Secret) -> int:
        """Return the number of the pool: cards with one back share it, unless a name is given."""
        pool = declared.pool
        if pool is None or pool is OWNER:
            pool = (type(declared.back), declared.back, pool)
        return self._pools.setdefault(pool, len(self._pools))


def _piles_of_owners(declared: Secret, layout: _Layout, held: Schema) -> _Piles | None:
    """Return the layout of each owner's cards, where the field itself is a row by owners."""
    by_owner = declared.to is OWNER or callable(declared.to) or declared.pool is OWNER
    if not by_owner and not (declared.known and isinstance(layout, _Piles)):
        return None
    if isinstance(layout, _Piles):
        return layout
    if isinstance(layout, _Pile) and isinstance(held, schema.Tuple):
        return _Piles(layout.kind, CardLayout(layout.gaps), held.items[0])
    if isinstance(layout, _Pile) and layout.kind is not deque and isinstance(held, schema.Sequence):
        return _Piles(layout.kind, CardLayout(layout.gaps), held.item)
    return None


def _check_declared(
    declared: Secret, name: str, piles: _Piles | None, item: _Layout, *, is_owned: bool
) -> None:
    """Raise an error where parts of a declaration contradict each other."""
    is_list, is_card = item == _Pile(list, gaps=False), isinstance(item, CardLayout)
    if (declared.to is OWNER or declared.pool is OWNER) and not is_owned:
        what = f"whose it is does not follow from {name}"
        raise SchemaError(f"{what}; OWNER needs a list with one item for each seat")
    keys = piles.key.classes() if piles and piles.key and declared.to is OWNER else ()
    if not all(issubclass(kind, int) for kind in keys):
        raise SchemaError(f"{name} has keys that are no seats; write dict[Seat, ...]")
    has_no_order = declared.sorted_by and not is_list
    if has_no_order or (declared.known and not (is_list or (is_card and piles))):
        raise SchemaError(f"{name} cannot have known or sorted cards; write lists of cards")
    if declared.choices and (declared.known or declared.sorted_by):
        raise SchemaError("what is chosen is not dealt: leave out known and sorted_by")
    if declared.fits and declared.sorted_by:
        raise SchemaError("fits asks for places, and sorted_by hides them: leave out one of both")
