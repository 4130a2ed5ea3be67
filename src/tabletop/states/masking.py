"""Generate the functions that create views and redealt states, from the schema of a state.

A generated function copies a state and replaces the hidden cards. The object `work`, which
`tabletop.rules.secrets` passes to it, supplies the replacements. This module defines the layouts of
cards in a field and checks the declarations of secrets.
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
    """Return whether values of a schema contain secret fields."""
    return any(True for _ in secrets_in(part))


def secrets_in(part: Schema, above: tuple[type[Any], ...] = ()) -> Iterator[Secret]:
    """Yield the declarations of all secret fields in values of a schema.

    `above` contains the enclosing classes, because a class may contain its own type.
    """
    if isinstance(part, schema.Dataclass):
        if part.kind in above:
            return
        yield from secrets_of(part.kind).values()
        above = (*above, part.kind)
    for _, inner in part.parts():
        yield from secrets_in(inner, above)


def generate(kind: type[Any], *, glances: bool, names: Mapping[str, Any]) -> Callable[..., Any]:
    """Generate the function that copies states of a class and replaces their hidden cards.

    Its parameters are the state, the state again, the seat, the owner (None), and an object whose
    methods `hidden`, `ordered` and `known` return the replacements.

    Args:
        kind: The class of the states.
        glances: Whether the copy shares all values that are not hidden with the state.
        names: Other functions that the generated function calls, by name. The only one is
            `shown_to`, which returns the cards of an owner that a seat has been shown.

    Raises:
        ContractError: The class declares no secrets, or the declarations contradict each other or
            the annotations. The message suggests a correction.
    """
    name = kind.__qualname__
    try:
        part = schema_of(kind)
        if not isinstance(part, schema.Dataclass) or not holds_secrets(part):
            problem = "no field is secret: declare one with secret(to=..., back=...), or use Game"
            raise ContractError(f"{name}: {problem}")
        writer = _Writer(glances=glances)
        root = writer.function(part, owned=False)
    except SchemaError as error:
        raise ContractError(error.at(name)) from error
    known = {"_new": object.__new__, "deque": deque, **names, **writer.copier.names}
    functions = compile_functions(f"secrets of {kind.__module__}.{name}", writer.lines, known)
    function: Callable[..., Any] = functions[root]
    return function


# Layouts of the cards in a field.


class CardLayout(NamedTuple):
    """A single card. With `gaps`, it may be None for "no card", which is visible to all seats."""

    gaps: bool

    def replaced(self, value: Any, cards: Iterator[Any]) -> Any:
        """Return the next of `cards`, or None if there is no card to replace."""
        return None if self.gaps and value is None else next(cards)

    def cards(self, value: Any) -> Sequence[Any]:
        """Return the card as a sequence, which is empty if there is no card."""
        return () if self.gaps and value is None else (value,)

    def places(self, value: Any) -> Sequence[Any]:
        """Return the place of each card. The place of a single card is None."""
        return [None for _ in self.cards(value)]


class _Pile(NamedTuple):
    """Cards in a list, tuple or deque.

    With `gaps`, items may be None for "no card", which is visible to all seats.
    """

    kind: type[Any]
    gaps: bool

    def replaced(self, value: Any, cards: Iterator[Any]) -> Any:
        if self.gaps:
            return self.kind([None if card is None else next(cards) for card in value])
        return self.kind(islice(cards, len(value)))

    def cards(self, value: Any) -> Sequence[Any]:
        return [card for card in value if card is not None] if self.gaps else value

    def places(self, value: Any) -> Sequence[Any]:
        return [index for index, card in enumerate(value) if not (self.gaps and card is None)]


class _Piles(NamedTuple):
    """Piles or cards in a list, tuple or dictionary: the layout and the schema of each."""

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
        return [(key, place) for key, row in rows for place in self.item.places(row)]


_Layout: TypeAlias = CardLayout | _Pile | _Piles
"""A layout of cards in a field. `cards` returns the cards in a value, `places` returns their
places, and `replaced` returns a copy of the value with other cards at these places.
"""

_LITERALS: Final[dict[Any, str]] = {list: "[{}]", tuple: "tuple([{}])", deque: "deque([{}])"}


def layout_of(part: Schema, back: Any) -> _Layout:
    """Return the layout of the cards in a field. Cards are the values that `back` can replace."""
    if not isinstance(back, Hashable):
        raise SchemaError(f"the back {back!r} is mutable: use an immutable value")
    name = type_name(part.annotation)
    if _can_replace(back, part):
        if not is_immutable(part):
            raise SchemaError(f"a secret card must be immutable, but {name} can change")
        return CardLayout(
            gaps=back is not None and isinstance(part, schema.Union) and part.optional
        )
    if isinstance(part, schema.Tuple) and part.kind is tuple:
        return _layout_of_tuple(part, back)
    inner_name = {schema.Sequence: "item", schema.Mapping: "value"}.get(type(part))
    if inner_name and part.origin in (*_LITERALS, dict) and get_args(part.annotation):
        inner: Schema = getattr(part, inner_name)
        item = layout_of(inner, back)
        if isinstance(item, CardLayout) and part.origin is not dict:
            return _Pile(part.origin, item.gaps)
        if part.origin is not deque:
            return _Piles(part.origin, item, inner, getattr(part, "key", None))
    raise SchemaError(
        f"the back {back!r} does not have the type of the cards in {name}: use a back of that"
        " type, and put the cards into a list, a tuple or a dictionary"
    )


def _layout_of_tuple(part: schema.Tuple, back: Any) -> _Layout:
    """Return the layout of a tuple of fixed length, such as `tuple[Card, Card]`."""
    steps = zip(part.steps, part.items, strict=True)
    layouts = [at_step(step, layout_of, item, back) for step, item in steps]
    if all(isinstance(layout, CardLayout) for layout in layouts):
        return _Pile(tuple, gaps=any(layout.gaps for layout in layouts))
    if any(item.annotation != part.items[0].annotation for item in part.items):
        name = type_name(part.annotation)
        raise SchemaError(f"the items of {name} have several types: declare a field for each")
    return _Piles(tuple, layouts[0], part.items[0])


def layouts_of(kind: type[Any]) -> dict[str, _Layout]:
    """Return the layouts of the fields of an event or action that are hidden from some seat.

    Raises:
        ContractError: A declaration contradicts its annotation. The message suggests a correction.
    """
    secrets = {
        name: secret for name, secret in secrets_of(kind).items() if secret.to is not EVERYBODY
    }
    try:
        return {
            name: at_step(f".{name}", layout_of, fields_of(kind)[name], secret.back)
            for name, secret in secrets.items()
        }
    except SchemaError as error:
        raise ContractError(error.at(kind.__qualname__)) from error


def check_layouts(kind: type[Any]) -> None:
    """Check the secret fields of a class of events or actions when it is defined.

    If an annotation refers to a class that is defined later, `layouts_of` checks it on first use.

    Raises:
        ContractError: A declaration contradicts its annotation. The message suggests a correction.
    """
    if not secrets_of(kind):
        return
    try:
        fields_of(kind)
    except SchemaError:
        return
    layouts_of(kind)


def _can_replace(back: Any, part: Schema) -> bool:
    """Return whether a back can replace values of a schema."""
    match part:
        case schema.Union():
            optional = part.optional and back is None
            return optional or any(_can_replace(back, member) for member in part.members)
        case schema.Tuple() if part.kind is tuple:
            return type(back) is tuple and len(back) == len(part.items)
        case schema.Sequence() if part.kind is tuple:
            return False
        case schema.Scalar() if part.origin is Literal:
            return type(back) in part.classes()
        case schema.Scalar() if part.is_any:
            return False
    kinds = [kind for kind in part.classes() if isinstance(kind, type)]
    if isinstance(back, Enum):  # an IntEnum or StrEnum member must not replace an int or a str
        kinds = [kind for kind in kinds if issubclass(kind, Enum)]
    return isinstance(back, tuple(kinds))


class SecretField(NamedTuple):
    """A secret field of a class.

    Attributes:
        name: The names of the class and the field.
        declared: The declaration.
        layout: The layout of the cards of one owner.
        pool: The number of the pool with which the cards are shuffled in a redeal.
        is_one: Whether the field has a single owner instead of one item per owner.
    """

    name: str
    declared: Secret
    layout: _Layout
    pool: int
    is_one: bool

    def pool_of(self, owner: Any) -> object:
        """Return the key of the pool with which an owner's cards are shuffled."""
        return self.pool, owner if self.declared.pool is OWNER else None

    def place(self, owner: Any) -> Any:
        """Return the owner in the form that `Known` stores."""
        return None if self.is_one else owner


# The generated code.


class _Sharer(Copier):
    """A copier that shares all values instead of copying them."""

    @override
    def copy(self, part: Schema, value: str, depth: int = 0) -> str:
        return value


class _Writer:
    """Writes the functions for a class of states and for the classes that it contains.

    The parameter `work` of the functions is a `_Backs` of `tabletop.rules.secrets`, or an instance
    of a class derived from it. With `glances`, the copy shares all values that are not replaced.
    """

    def __init__(self, *, glances: bool) -> None:
        self.lines: list[str] = []
        self.copier = _Sharer() if glances else Copier()
        self._glances = glances
        self._pools: dict[object, int] = {}
        self._written: dict[tuple[type[Any], bool], str] = {}

    def function(self, part: schema.Dataclass, *, owned: bool) -> str:
        """Return the name of the function for a class.

        `owned` is True if the object is in a list or dictionary with one item per owner.
        """
        if (part.kind, owned) not in self._written:
            name = f"copy_{self.copier.name(part.kind)}{'_of_owner' if owned else ''}"
            # Registered before it is written, because a class may contain its own type.
            self._written[part.kind, owned] = name
            self._write(part, name, owned=owned)
        return self._written[part.kind, owned]

    def _write(self, part: schema.Dataclass, name: str, *, owned: bool) -> None:
        declared = secrets_of(part.kind)
        known = {secret.known: None for secret in declared.values() if secret.known}
        body = ["copy = _new(self.__class__)"]
        for name_of_field, inner in part.fields.items():
            value, step = f"self.{name_of_field}", f".{name_of_field}"
            if name_of_field in declared:
                copied = at_step(step, self._secret, part, name_of_field, owned)
            elif name_of_field in known:
                continue
            elif holds_secrets(inner):
                copied = at_step(step, self._below, inner, value, owned)
            else:
                copied = at_step(step, self.copier.copy, inner, value)
            body.append(f"copy{step} = {copied}")
        # The `Known` fields come last, because `work.known` depends on the cards dealt above.
        body += [f"copy.{name} = work.known(self.{name})" for name in known]
        head = f"def {name}(self, state, seat, owner, work):"
        self.lines += [head, *(f"    {line}" for line in [*body, "return copy"]), "", ""]

    def _below(self, part: Schema, value: str, owned: bool) -> str:
        """Return an expression that copies a value which contains secret fields."""
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
            f"{type_name(part.annotation)} cannot contain secrets: use a list, a dictionary, or a"
            " tuple of any length, with items of one class"
        )

    def _secret(self, part: schema.Dataclass, field: str, owned: bool) -> str:
        """Return an expression for a secret field: a copy if visible, or else a replacement."""
        inner, value, declared = part.fields[field], f"self.{field}", secrets_of(part.kind)[field]
        layout = layout_of(inner, declared.back)
        piles = None if owned else _piles_of_owners(declared, layout, inner)
        item, cards = (piles.item, "it") if piles else (layout, value)
        name = type_name(inner.annotation)
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
        seen = f"work.ordered({name}, {cards})"
        if not declared.sorted_by:
            seen = self.copier.copy(piles.part if piles else inner, cards)
        hidden = f"work.hidden({name}, {cards}, owner{', ' + known if declared.known else ''})"
        if self._glances and item == _Pile(list, gaps=False) and not declared.known:
            hidden = f"[{name}.declared.back] * len({cards})"  # avoids a call
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
        """Return the number of the field's pool. Fields without a named pool share one per back."""
        pool = declared.pool
        if pool is None or pool is OWNER:
            pool = (type(declared.back), declared.back, pool)
        return self._pools.setdefault(pool, len(self._pools))


def _piles_of_owners(declared: Secret, layout: _Layout, part: Schema) -> _Piles | None:
    """Return the layout of a field with an item for each owner, or None for a single owner."""
    by_owner = declared.to is OWNER or callable(declared.to) or declared.pool is OWNER
    if not by_owner and not (declared.known and isinstance(layout, _Piles)):
        return None
    if isinstance(layout, _Piles):
        return layout
    if isinstance(layout, _Pile) and isinstance(part, schema.Tuple):
        return _Piles(layout.kind, CardLayout(layout.gaps), part.items[0])
    if isinstance(layout, _Pile) and layout.kind is not deque and isinstance(part, schema.Sequence):
        return _Piles(layout.kind, CardLayout(layout.gaps), part.item)
    return None


def _check_declared(
    declared: Secret, name: str, piles: _Piles | None, item: _Layout, *, is_owned: bool
) -> None:
    """Raise an error if parts of a declaration contradict each other."""
    is_list, is_card = item == _Pile(list, gaps=False), isinstance(item, CardLayout)
    if (declared.to is OWNER or declared.pool is OWNER) and not is_owned:
        raise SchemaError(f"OWNER needs one item per seat, but {name} is not a list of such items")
    keys = piles.key.classes() if piles and piles.key and declared.to is OWNER else ()
    if not all(issubclass(kind, int) for kind in keys):
        raise SchemaError(f"the keys of {name} are not seats: write dict[Seat, ...]")
    has_no_order = declared.sorted_by and not is_list
    if has_no_order or (declared.known and not (is_list or (is_card and piles))):
        raise SchemaError(f"{name} cannot have known or sorted cards: use lists of cards")
    if declared.choices and (declared.known or declared.sorted_by):
        raise SchemaError("values with `choices` are not dealt: leave out `known` and `sorted_by`")
    if declared.fits and declared.sorted_by:
        raise SchemaError("`sorted_by` hides the places that `fits` needs: leave out one of them")
