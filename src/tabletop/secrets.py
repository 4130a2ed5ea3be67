"""Secrets that are declared once: `SecretGame` makes views, masked events and redeals of them.

`tabletop.visibility.secret` says who sees a field; `tabletop.Known` holds what seats have been
shown. For every class of states that holds secrets, three functions are written from its schema:
`view_X` makes a masked copy, `collect_X` collects what is not seen, by pools, and `deal_X` makes a
copy of what was collected and shuffled. `docs/guide/secrets.md` tells how it goes together.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import fields
from enum import Enum
from itertools import islice
from types import NoneType
from typing import Any, Final, Literal, NamedTuple, TypeAlias, TypeVar, get_args

from typing_extensions import override

from tabletop import known_cards, schema
from tabletop.annotations import SchemaError, at_step, type_name
from tabletop.codec import in_fixed_order
from tabletop.errors import ContractError
from tabletop.events import ActionPlayed, Event
from tabletop.game import Game
from tabletop.known_cards import Known
from tabletop.outcome import Seat
from tabletop.rng import Stream
from tabletop.schema import Schema, fields_of, schema_of
from tabletop.states import Copier, State, compile_functions, is_immutable
from tabletop.visibility import EVERYBODY, NOBODY, OWNER, Secret, secrets_of

S = TypeVar("S", bound=State)
A = TypeVar("A")

EventView: TypeAlias = Callable[[Any, Any, Seat | None, Seat | None], Any]
"""Gives an event or action, of a state, that belongs to an owner, as a seat may know it."""


class SecretGame(Game[S, A]):
    """A game whose states, events and actions say with `secret` who sees what.

    `view` masks every card that a seat does not see with the back that its field names. `redeal`
    collects those cards by pools, shuffles each, and deals them to the same places; known cards
    stay. `view_event` masks the secret fields of events, and tells of an action with a secret field
    only that somebody has chosen. Each can be overridden, and asked with `super()`.

    What a class of states declares is looked at when the class of the game is made.
    """

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        for base in getattr(cls, "__orig_bases__", ()):
            for kind in get_args(base)[:1]:
                if isinstance(kind, type) and hasattr(kind, "__dataclass_fields__"):
                    masking_of(kind)

    @override
    def view(self, state: S, seat: Seat | None) -> S:
        """What `seat`, or a spectator (None), sees of the state."""
        shown: S = masking_of(type(state)).view(state, seat)
        return shown

    @override
    def view_event(self, event: Event, state: S, seat: Seat | None) -> Event | None:
        """The event with its secret fields masked, as far as `seat` does not see them."""
        thing: Any = event.action if isinstance(event, ActionPlayed) else event
        event_view = event_view_of(type(thing))
        if event_view is None:
            return event
        seen = event_view(thing, state, getattr(event, "seat", None), seat)
        if seen is thing:
            return event
        if isinstance(event, ActionPlayed):
            return ActionPlayed(event.ply, event.seat, None)
        masked: Event = seen
        return masked

    @override
    def redeal(self, state: S, seat: Seat | None, rng: Stream) -> S:
        """Another state that looks the same to `seat`, with what it does not see dealt anew."""
        other: S = masking_of(type(state)).redeal(state, seat, rng)
        return other


class Masking(NamedTuple):
    """The functions that follow from the secrets of a class of states.

    Attributes:
        view: of a state, what a seat or a spectator sees of it.
        redeal: of a state, another one that a seat or a spectator cannot tell from it.
    """

    view: Callable[[Any, Seat | None], Any]
    redeal: Callable[[Any, Seat | None, Stream], Any]


_maskings: dict[type[Any], Masking] = {}
_event_views: dict[type[Any], EventView | None] = {}
"""What was made, by class: making it takes far longer than to look at one state."""


def holds_secrets(part: Schema, above: tuple[type[Any], ...] = ()) -> bool:
    """Whether something in values of a schema is secret.

    Args:
        part: the schema.
        above: classes that are being looked at: one may hold its own kind.
    """
    if isinstance(part, schema.Dataclass):
        if part.kind in above:
            return False
        if secrets_of(part.kind):
            return True
        above = (*above, part.kind)
    return any(holds_secrets(held, above) for _, held in part.parts())


def masking_of(kind: type[Any]) -> Masking:
    """The functions that follow from the secrets of a class of states; made once.

    Raises:
        ContractError: it declares none, or what cannot be; says what to write instead.
    """
    if kind not in _maskings:
        _maskings[kind] = _make_masking(kind)
    return _maskings[kind]


def _make_masking(kind: type[Any]) -> Masking:
    name = kind.__qualname__
    try:
        part = schema_of(kind)
        if not isinstance(part, schema.Dataclass) or not holds_secrets(part):
            what = "no field says who sees it; write secret(to=..., back=...), or derive from Game"
            raise ContractError(f"{name}: {what}")
        writer = _StateWriter()
        root = writer.function(part, owned=False)
    except SchemaError as error:
        raise ContractError(error.at(name)) from error
    lines = [*writer.lines, *_ROOT.format(root=root).splitlines()]
    names = {**_TOOLS, **writer.copier.names}
    made = compile_functions(f"secrets of {kind.__module__}.{name}", lines, names)
    return Masking(made["view"], made["redeal"])


_ROOT: Final = '''\
def view(state, seat):
    """What `seat`, or a spectator, sees."""
    return view_{root}(state, state, seat, None)


def redeal(state, seat, rng):
    """Another state that `seat`, or a spectator, cannot tell from this one."""
    pools = {{}}
    collect_{root}(state, state, seat, None, pools)
    for key, cards in pools.items():
        cards = list(cards) if type(cards) is tuple else in_fixed_order(cards)
        rng.shuffle(cards)
        pools[key] = iter(cards)
    return deal_{root}(state, state, seat, None, pools, rng)
'''


def _refuse_view(unseen: Sequence[Any], back: Any) -> None:
    """Raise an error where a back lies among the cards that a seat does not see."""
    # None may also say that there is nothing to see.
    if back is not None and back in unseen:
        raise ContractError(
            f"redeal found the back {back!r} in the place of a card: it is asked of the whole"
            " state, and this is a view of it, which has lost what there is to deal. A player that"
            " looks ahead takes a `sampler` in `choose`; a back must stand for no card"
        )


_TOOLS: Final = {
    "_new": object.__new__,
    "islice": islice,
    "deque": deque,
    "in_fixed_order": in_fixed_order,
    "refuse_view": _refuse_view,
    "arranged": known_cards.arranged,
    "followed": known_cards.followed,
    "knows": known_cards.knows,
    "masked": known_cards.masked,
    "of_seat": known_cards.of_seat,
    "unseen": known_cards.unseen,
}


def event_view_of(kind: type[Any]) -> EventView | None:
    """The function that gives an event or action as a seat may know it; None if all know all.

    It is called with the event, the state, the owner and the seat, and returns the event itself
    where the seat may know all of it.

    Raises:
        ContractError: a field is declared as it cannot be.
    """
    if kind not in _event_views:
        _event_views[kind] = _make_event_view(kind)
    return _event_views[kind]


def _make_event_view(kind: type[Any]) -> EventView | None:
    declared = {name: it for name, it in secrets_of(kind).items() if it.to is not EVERYBODY}
    if not declared:
        return None
    names: dict[str, Any] = {"Kind": kind, "deque": deque}
    tests, values = [], []
    for item in fields(kind):
        name, value = item.name, f"self.{item.name}"
        if name in declared:
            secret = declared[name]
            names |= {f"back_{name}": secret.back, f"to_{name}": secret.to}
            try:
                part = fields_of(kind)[name]
                layout = at_step(f".{name}", layout_of, part, secret.back)
            except SchemaError as error:
                raise ContractError(error.at(kind.__qualname__)) from error
            test = f"to_{name}(state, seat, self)"
            if secret.to is NOBODY:
                test = "False"
            elif secret.to is OWNER:
                test = "seat is not None and owner == seat"
            tests.append(f"    sees_{name} = {test}")
            value = f"{value} if sees_{name} else {_mask(layout, value, f'back_{name}')}"
        values.append(f"{name}={value}")
    lines = [
        "def seen(self, state, owner, seat):",
        *tests,
        f"    if {' and '.join(f'sees_{name}' for name in declared)}:",
        "        return self",
        f"    return Kind({', '.join(values)})",
    ]
    title = f"secrets of {kind.__module__}.{kind.__qualname__}"
    seen: EventView = compile_functions(title, lines, names)["seen"]
    return seen


# How cards lie in a field.


class Card(NamedTuple):
    """One card.

    Attributes:
        gaps: whether None stands for no card, which all see.
    """

    gaps: bool


class Pile(NamedTuple):
    """Cards in a row.

    Attributes:
        kind: list, tuple or deque.
        gaps: whether None stands for no card, which all see.
    """

    kind: type[Any]
    gaps: bool


class Piles(NamedTuple):
    """Several piles, or cards by key.

    Attributes:
        kind: list, tuple or dict.
        item: the layout of each.
        part: the schema of each.
        key: the schema of the keys of a dictionary.
    """

    kind: type[Any]
    item: Layout
    part: Schema
    key: Schema | None = None


Layout: TypeAlias = Card | Pile | Piles

_LITERALS: Final[dict[Any, str]] = {list: "[{}]", tuple: "tuple([{}])", deque: "deque([{}])"}


def layout_of(part: Schema, back: Any) -> Layout:
    """How cards lie in values of a schema; a card is whatever the back can stand for.

    Raises:
        SchemaError: the back is no such card, or there is something in the way to it.
    """
    if not isinstance(back, Hashable):
        raise SchemaError(f"the back {back!r} can change; write one that never does")
    name = type_name(part.annotation)
    if _can_replace(back, part):
        if not is_immutable(part):
            raise SchemaError(f"a secret card never changes, and {name} can")
        return Card(gaps=back is not None and isinstance(part, schema.Union) and part.optional)
    held = {schema.Sequence: "item", schema.Mapping: "value"}.get(type(part))
    if held and part.origin in (*_LITERALS, dict) and get_args(part.annotation):
        inner: Schema = getattr(part, held)
        item = layout_of(inner, back)
        if isinstance(item, Card) and part.origin is not dict:
            return Pile(part.origin, item.gaps)
        if part.origin is not deque:
            return Piles(part.origin, item, inner, getattr(part, "key", None))
    raise SchemaError(
        f"the back {back!r} is no {name}, and this is no list of what it could stand for; write a"
        " back of the kind of the cards, in lists, tuples, or values of dictionaries"
    )


def _can_replace(back: Any, part: Schema) -> bool:
    """Whether a back can stand for a value of a schema."""
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


def _replace(layout: Layout, value: str, card: str) -> str:
    """An expression for the same with another card in the place of each."""
    match layout:
        case Card(gaps):
            return f"None if {value} is None else {card}" if gaps else card
        case Pile(kind, gaps):
            item = f"None if card is None else {card}" if gaps else card
            return _LITERALS[kind].format(f"{item} for card in {value}")
        case Piles(kind, item):
            inner = _replace(item, "row", card)
            if kind is dict:
                return f"{{key: {inner} for key, row in {value}.items()}}"
            return _LITERALS[kind].format(f"{inner} for row in {value}")


def _mask(layout: Layout, value: str, back: str) -> str:
    """An expression for the same with backs in the place of all cards."""
    if isinstance(layout, Pile) and not layout.gaps:
        if layout.kind is tuple:
            return f"({back},) * len({value})"
        backs = f"[{back}] * len({value})"
        return backs if layout.kind is list else f"deque({backs})"
    if isinstance(layout, Piles) and layout.kind is list:
        return f"[{_mask(layout.item, 'row', back)} for row in {value}]"
    return _replace(layout, value, back)


def _deal(layout: Layout, value: str, cards: str) -> str:
    """An expression for the same with cards from an iterator."""
    if isinstance(layout, Pile) and not layout.gaps:
        return f"{layout.kind.__name__}(islice({cards}, len({value})))"
    if isinstance(layout, Piles) and layout.kind is list:
        return f"[{_deal(layout.item, 'row', cards)} for row in {value}]"
    return _replace(layout, value, f"next({cards})")


def _collect(layout: Layout, value: str) -> list[str]:
    """Statements that append all cards of it to the list `pool`."""
    match layout:
        case Card(gaps):
            line = f"pool.append({value})"
            return [f"if {value} is not None:", f"    {line}"] if gaps else [line]
        case Pile(_, gaps):
            held = f"[card for card in {value} if card is not None]" if gaps else value
            return [f"pool += {held}"]
        case Piles(kind, item):
            rows = f"{value}.values()" if kind is dict else value
            return [f"for row in {rows}:", *_indented(_collect(item, "row"))]


def _indented(lines: list[str]) -> list[str]:
    return [f"    {line}" for line in lines]


# The functions of a class of states.


class _StateWriter:
    """Writes the functions for a class of states, and for those that it holds.

    Attributes:
        lines: their definitions.
        copier: writes how the rest is copied; has what the names in the lines stand for.
        pools: the numbers of the pools by what their cards have in common.
    """

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.copier = Copier()
        self.pools: dict[object, int] = {}
        self._written: dict[tuple[type[Any], bool], str] = {}

    def function(self, part: schema.Dataclass, *, owned: bool) -> str:
        """The name of the functions for a class after their first word; writes them if needed.

        `owned` says whether a list on the way to the class has said whose it is.
        """
        if (part.kind, owned) not in self._written:
            name = f"{self.copier.name(part.kind)}{'_of_owner' if owned else ''}"
            self._written[part.kind, owned] = name
            self._write(part, name, owned=owned)
        return self._written[part.kind, owned]

    def _write(self, part: schema.Dataclass, name: str, *, owned: bool) -> None:
        new, end = "copy = _new(self.__class__)", "return copy"
        view, collect, deal, after = [new], [], [new], []
        declared = secrets_of(part.kind)
        known = {it.known for it in declared.values() if it.known}
        for field, held in part.fields.items():
            own, value = f"copy.{field}", f"self.{field}"
            try:
                if field in declared:
                    one = _FieldWriter(self, part, field, declared[field], owned=owned)
                    view.append(f"{own} = {one.view()}")
                    collect += one.collect()
                    deal.append(f"{own} = {one.deal()}")
                    after += one.after()
                elif field in known:
                    view.append(f"{own} = of_seat({value}, seat)")
                elif holds_secrets(held):
                    view.append(f"{own} = {self._below('view', held, value, owned=owned)}")
                    collect += self._collect_below(held, value, owned=owned)
                    deal.append(f"{own} = {self._below('deal', held, value, owned=owned)}")
                else:
                    copied = f"{own} = {self.copier.copy(held, value)}"
                    view.append(copied)
                    deal.append(copied)
            except SchemaError as error:
                error.path.append(f".{field}")
                raise
        for head, body in (
            (f"view_{name}(self, state, seat, owner)", [*view, end]),
            (f"collect_{name}(self, state, seat, owner, pools)", collect or ["pass"]),
            (f"deal_{name}(self, state, seat, owner, pools, rng)", [*deal, *after, end]),
        ):
            self.lines += [f"def {head}:", *_indented(body), "", ""]

    def _call(self, act: str, part: schema.Dataclass, value: str, *, owned: bool) -> str:
        more = {"view": "", "collect": ", pools", "deal": ", pools, rng"}[act]
        name = self.function(part, owned=owned)
        return f"{act}_{name}({value}, state, seat, {'owner' if owned else 'None'}{more})"

    def _below(self, act: str, part: Schema, value: str, *, owned: bool) -> str:
        """An expression for what holds states with secrets, masked or dealt anew."""
        if isinstance(part, schema.Dataclass):
            return self._call(act, part, value, owned=owned)
        kind, item = _held(part)
        if kind is NoneType:
            return f"None if {value} is None else {self._below(act, item, value, owned=owned)}"
        inner = self._below(act, item, "it", owned=True)
        if kind is dict:
            key = "key" if owned else "owner"
            return f"{{{key}: {inner} for {key}, it in {value}.items()}}"
        loop = f"for it in {value}" if owned else f"for owner, it in enumerate({value})"
        return _LITERALS[kind].format(f"{inner} {loop}")

    def _collect_below(self, part: Schema, value: str, *, owned: bool) -> list[str]:
        if isinstance(part, schema.Dataclass):
            return [self._call("collect", part, value, owned=owned)]
        kind, item = _held(part)
        if kind is NoneType:
            lines = self._collect_below(item, value, owned=owned)
            return [f"if {value} is not None:", *_indented(lines)]
        head = f"for it in {value}:" if owned else f"for owner, it in enumerate({value}):"
        if kind is dict:
            head = f"for {'_' if owned else 'owner'}, it in {value}.items():"
        return [head, *_indented(self._collect_below(item, "it", owned=True))]


def _held(part: Schema) -> tuple[type[Any], Schema]:
    """In what states with secrets are held (NoneType: there may be none), and their schema."""
    match part:
        case schema.Union() if part.optional and len(part.members) == 1:
            return NoneType, part.members[0]
        case schema.Sequence() if part.origin in (list, tuple):
            return part.kind, part.item
        case schema.Mapping() if part.origin is dict:
            return dict, part.value
    raise SchemaError(
        f"{type_name(part.annotation)} holds secrets where they cannot be kept; write a list, a"
        " dictionary or a tuple of any length, of one class"
    )


class _FieldWriter:
    """Writes the expressions for one secret field: who sees it, what others see, how to deal it."""

    def __init__(
        self,
        writer: _StateWriter,
        part: schema.Dataclass,
        name: str,
        declared: Secret,
        *,
        owned: bool,
    ) -> None:
        self._names = writer.copier.names
        self._copier = writer.copier
        self._declared = declared
        self._name = name
        self._value = f"self.{name}"
        self._part = part.fields[name]
        self._layout = layout_of(self._part, declared.back)
        self._piles = self._piles_of_owners(owned=owned)
        """What each owner has, where this field is what says whose it is; else None."""
        self._item = self._piles.item if self._piles else self._layout
        self._item_value = "it" if self._piles else self._value
        self._owned = owned or self._piles is not None
        self._owner = "owner" if self._piles is not None else "None"  # as `Known` has it
        self._known = self._known_field(part.fields)
        self._back = self._constant("BACK", declared.back)
        kind = declared.pool
        if kind is None or kind is OWNER:
            kind = (type(declared.back), declared.back, kind)
        pool = writer.pools.setdefault(kind, len(writer.pools))
        # Seats count from 0, and what all have in common is below that.
        self._pool_key = str(-1 - pool)
        if declared.pool is OWNER:
            self._pool_key = f"({pool}, owner)" if pool else "owner"
        self._check()

    def _constant(self, word: str, thing: Any) -> str:
        name = f"{word}_{self._name}"
        while self._names.setdefault(name, thing) is not thing:
            name += "_"
        return name

    def _piles_of_owners(self, *, owned: bool) -> Piles | None:
        declared, layout = self._declared, self._layout
        by_owner = (
            declared.to is OWNER
            or callable(declared.to)
            or declared.pool is OWNER
            or (declared.known and isinstance(layout, Piles))
        )
        if owned or not by_owner:
            return None
        if isinstance(layout, Piles):
            return layout
        if isinstance(layout, Pile) and isinstance(self._part, schema.Sequence):
            is_row = layout.kind is not deque
            return Piles(layout.kind, Card(layout.gaps), self._part.item) if is_row else None
        return None

    def _known_field(self, held: Mapping[str, Schema]) -> str:
        known = self._declared.known
        if known and (known not in held or held[known].origin is not Known):
            raise SchemaError(
                f"known={known!r} is no field of the class; write {known}: Known[...]"
            )
        return known and f"self.{known}"

    def _check(self) -> None:
        """Raise an error where parts of what is declared contradict each other."""
        declared, piles, item = self._declared, self._piles, self._item
        name = type_name(self._part.annotation)
        if (declared.to is OWNER or declared.pool is OWNER) and not self._owned:
            raise SchemaError(
                f"whose it is does not follow from {name}; OWNER needs a list with one item for"
                " each seat"
            )
        if piles and piles.key and declared.to is OWNER and not _is_int(piles.key):
            raise SchemaError(f"{name} has keys that are no seats; write dict[Seat, ...]")
        if declared.known and not (item == Pile(list, gaps=False) or isinstance(item, Card)):
            raise SchemaError(f"{name} cannot have known cards; write lists of cards")
        if declared.known and isinstance(item, Card) and piles is None:
            raise SchemaError("known is for piles of cards; say with `to` who sees the only one")
        if declared.sorted_by and item != Pile(list, gaps=False):
            raise SchemaError(f"{name} cannot be sorted; write lists of cards")
        if declared.choices and (declared.known or declared.sorted_by):
            raise SchemaError("what is chosen is not dealt: leave out known and sorted_by")

    def _seen(self) -> str:
        """An expression for whether `seat` sees what `owner` has."""
        to = self._declared.to
        if to is EVERYBODY or to is NOBODY:
            test = str(to is EVERYBODY)
        elif to is OWNER:
            test = "owner == seat"
        else:
            owner = "owner" if self._owned else "None"
            test = f"{self._constant('sees', to)}(state, seat, {owner})"
        if self._known and isinstance(self._item, Card):
            shown = f"knows({self._known}, seat, owner)"
            return shown if test == "False" else f"({test} or {shown})"
        return test

    def _for_each(self, seen: str, unseen: str) -> str:
        """An expression for the field, from those for what one owner has."""
        piles, test = self._piles, self._seen()
        item = {"True": seen, "False": unseen}.get(test, f"{seen} if {test} else {unseen}")
        if piles is None:
            return item
        if piles.kind is dict:
            return f"{{owner: {item} for owner, it in {self._value}.items()}}"
        return _LITERALS[piles.kind].format(f"{item} for owner, it in enumerate({self._value})")

    def _owners(self, value: str) -> str:
        """An expression for the owners and what they have."""
        is_dict = self._piles is not None and self._piles.kind is dict
        return f"{value}.items()" if is_dict else f"enumerate({value})"

    def _sorted(self) -> str:
        """An expression for what one owner has, as those see it who see it."""
        key = self._declared.sorted_by
        if key is None:
            part = self._piles.part if self._piles else self._part
            return self._copier.copy(part, self._item_value)
        return f"sorted({self._item_value}, key={self._constant('key', key)})"

    def view(self) -> str:
        """An expression for what a seat sees."""
        hidden = _mask(self._item, self._item_value, self._back)
        if self._known and isinstance(self._item, Pile):
            what = f"{self._known}, {self._item_value}, {self._back}"
            hidden = f"masked({what}, seat, {self._owner})"
        return self._for_each(self._sorted(), hidden)

    def collect(self) -> list[str]:
        """Statements that collect what a seat does not see, and refuse to where that is backs."""
        value, test = self._item_value, self._seen()
        cards = _collect(self._item, value)
        if self._known and isinstance(self._item, Pile):
            cards = [f"pool += unseen({self._known}, {value}, seat, {self._owner})"]
        unseen = ["pool = []", *cards, f"refuse_view(pool, {self._back})"]
        if not self._declared.choices:
            unseen.append(f"pools.setdefault({self._pool_key}, []).extend(pool)")
        seen = []
        if self._declared.sorted_by:  # the cards are seen, and their order is not
            seen = [f"pools[id({value})] = tuple({self._sorted()})"]  # in a fixed order already
        if test in ("True", "False"):
            lines = seen if test == "True" else unseen
        elif seen:
            lines = [f"if {test}:", *_indented(seen), "else:", *_indented(unseen)]
        else:
            unless = "owner != seat" if test == "owner == seat" else f"not {test}"
            lines = [f"if {unless}:", *_indented(unseen)]
        if self._piles is None or not lines:
            return lines
        return [f"for owner, it in {self._owners(self._value)}:", *_indented(lines)]

    def deal(self) -> str:
        """An expression for what a seat sees, with other cards for the rest."""
        value, cards = self._item_value, f"pools[{self._pool_key}]"
        if self._declared.choices:
            choices = self._constant("choices", self._declared.choices)
            unseen = _replace(self._item, value, f"rng.choice({choices})")
        elif self._known and isinstance(self._item, Pile):
            unseen = f"arranged({self._known}, {value}, seat, {self._owner}, {cards})"
        else:
            unseen = _deal(self._item, value, cards)
        seen = f"list(pools[id({value})])" if self._declared.sorted_by else self._sorted()
        return self._for_each(seen, unseen)

    def after(self) -> list[str]:
        """Statements that have others know as many of the cards that were dealt as before."""
        if not self._known:
            return []
        new, test = f"copy.{self._name}", self._seen()
        if self._piles is None:
            piles = f"{{}} if {test} else {{None: {new}}}"
        else:
            pile = "[it]" if isinstance(self._item, Card) else "it"
            piles = f"{{owner: {pile} for owner, it in {self._owners(new)} if not {test}}}"
        return [f"copy.{self._declared.known} = followed({self._known}, {piles})"]


def _is_int(key: Schema) -> bool:
    return isinstance(key.annotation, type) and issubclass(key.annotation, int)
