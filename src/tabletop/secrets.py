"""Secrets declared once: `SecretGame` makes views, masked events and redeals of them.

`tabletop.visibility.secret` declares who sees a field; `Known` holds the cards that seats have been
shown. For every class of states with secrets, one function is generated from its schema: it copies
the visible values, and asks for substitutes for the rest. A view substitutes backs, and a redeal
the same cards shuffled. `docs/guide/secrets.md` explains the whole.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import partial
from itertools import chain, islice, repeat
from typing import Annotated, Any, Final, Generic, Literal, NamedTuple, TypeAlias, TypeVar, get_args

from typing_extensions import override

from tabletop import schema
from tabletop.annotations import SchemaError, at_step, cached_by_class, type_name
from tabletop.bounds import UNOBSERVED
from tabletop.codec import in_fixed_order
from tabletop.errors import ContractError
from tabletop.events import ActionPlayed, Event
from tabletop.game import Game
from tabletop.outcome import Seat
from tabletop.rng import Stream
from tabletop.schema import Schema, fields_of, schema_of
from tabletop.states import Copier, State, compile_functions, is_immutable, state
from tabletop.visibility import EVERYBODY, OWNER, Audience, Secret, Sight, secrets_of

S = TypeVar("S", bound=State)
A = TypeVar("A")
C = TypeVar("C", bound=Hashable)


class SecretGame(Game[S, A]):
    """A game whose states, events and actions declare with `secret` who sees a field.

    `view` masks every card that a seat does not see with the back that its field names. `redeal`
    collects those cards by pools, shuffles each, and deals them to the same places; known cards
    stay. `view_event` masks the secret fields of events, and of an action with a secret field
    reveals only that somebody has chosen. Each can be overridden, and called with `super()`.

    The declarations of a class of states are checked when the class of the game is made.
    """

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        for base in getattr(cls, "__orig_bases__", ()):
            for kind in get_args(base)[:1]:
                if isinstance(kind, type) and hasattr(kind, "__dataclass_fields__"):
                    masking_of(kind)

    @override
    def view(self, state: S, seat: Seat | None) -> S:
        """Return the view of `seat`, or of a spectator (None)."""
        shown: S = masking_of(type(state)).view(state, seat)
        return shown

    @override
    def glance(self, state: S, seat: Seat | None) -> S:
        """Return a view to be read at once: faster than `view`, if that is not overridden."""
        if type(self).view is not SecretGame.view:
            return super().glance(state, seat)
        shown: S = glance_of(type(state))(state, seat)
        return shown

    @override
    def redealer(self, state: S, seat: Seat | None) -> Callable[[Stream], S]:
        """Return `redeal` for one state: faster than it, where nobody has overridden that."""
        if type(self).redeal is not SecretGame.redeal:
            return super().redealer(state, seat)
        return masking_of(type(state)).redealer(state, seat)

    @override
    def view_event(self, event: Event, state: S, seat: Seat | None) -> Event | None:
        """Mask the secret fields of an event, as far as `seat` does not see them."""
        thing: Any = event.action if isinstance(event, ActionPlayed) else event
        event_view = _event_view_of(type(thing))
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
        """Return another state that looks the same to `seat`, with all it cannot see dealt anew."""
        other: S = masking_of(type(state)).redeal(state, seat, rng)
        return other


# Cards that seats have been shown.


@dataclass(frozen=True, slots=True)
class Shown(Generic[C]):
    """A card that a seat has been shown.

    Attributes:
        seat: the seat that has been shown it.
        card: the card.
        owner: the owner of its pile; None where the field is one pile.
        at: its place in the pile; None where the order matters to its owner alone.
    """

    seat: Seat
    card: C
    owner: Seat | None = None
    at: int | None = None


@state
class Known(State, Generic[C]):
    """The cards of one secret field that seats have been shown, the latest last.

    It is a multiset: of equal cards, a seat knows as many as it has been shown. A view shows a seat
    those cards, and a redeal leaves them in their pile. The rules keep it up to date: `forget` a
    card when it leaves its pile, or may have.
    """

    # A view shows them in their piles as well.
    shown: Annotated[list[Shown[C]], UNOBSERVED] = field(default_factory=list)

    def show(
        self, seat: Seat, card: C, owner: Seat | None = None, *, at: int | None = None
    ) -> None:
        """Have `seat` know one more `card` in the pile of `owner`; at one place it knows one.

        Equal cards count as often as they are shown. A seat that sees a pile again may see the same
        cards: write `show_all` for that.
        """
        entry = Shown(seat, card, owner, at)
        if at is None or entry not in self.shown:
            self.shown.append(entry)

    def show_all(self, seat: Seat, cards: Iterable[C], owner: Seat | None = None) -> None:
        """Have `seat` know the whole pile of `owner`, in place of its earlier knowledge of it."""
        self.shown = [it for it in self.shown if (it.seat, it.owner) != (seat, owner)]
        self.shown += [Shown(seat, card, owner) for card in cards]

    def cards(self, seat: Seat | None, owner: Seat | None = None) -> list[C]:
        """Return the known cards of `seat` in the pile of `owner`; equal ones as often as known."""
        return [it.card for it in self.shown if it.seat == seat and it.owner == owner]

    def forget(self, card: C, owner: Seat | None = None) -> None:
        """Have every seat know one `card` less in the pile of `owner`: it has left."""
        gone: set[Seat] = set()
        kept = []
        for it in self.shown:
            if (it.card, it.owner) == (card, owner) and it.seat not in gone:
                gone.add(it.seat)
            else:
                kept.append(it)
        self.shown = kept

    def forget_all(self, owner: Seat | None = None) -> None:
        """Erase all knowledge of the pile of `owner`: it has been shuffled."""
        self.shown = [it for it in self.shown if it.owner != owner]


def _located(entries: Sequence[Shown[Any]], pile: Sequence[Any]) -> list[int]:
    """Return the places of the cards that a seat has been shown of a pile."""
    taken = {it.at for it in entries}
    found = []
    for entry in entries:
        at = entry.at
        if at is None:
            left = (at for at, card in enumerate(pile) if card == entry.card and at not in taken)
            at = next(left, -1)
            taken.add(at)
        if not 0 <= at < len(pile) or pile[at] != entry.card:
            raise ContractError(
                f"{entry} is not so: the pile is {pile!r}; call forget when a card leaves its pile"
            )
        found.append(at)
    return found


def _of(known: Known[Any], seat: Seat | None, owner: Any) -> list[Shown[Any]]:
    return [it for it in known.shown if it.seat == seat and it.owner == owner]


def _arranged(
    known: Known[Any], pile: Sequence[Any], seat: Seat | None, owner: Any, rest: Iterator[Any]
) -> list[Any]:
    """Arrange a pile: cards that `seat` has been shown, and those of `rest` in the other places.

    Where the order does not matter, the known cards come first: their real places are not for the
    seat to know.
    """
    entries = _of(known, seat, owner)
    _located(entries, pile)
    fixed = {it.at: it.card for it in entries if it.at is not None}
    loose = iter([it.card for it in entries if it.at is None])
    cards = chain(loose, rest)
    return [fixed[at] if at in fixed else next(cards) for at in range(len(pile))]


def _unseen(known: Known[Any], pile: Sequence[Any], seat: Seat | None, owner: Any) -> Sequence[Any]:
    """Return the cards of a pile that `seat` has not been shown."""
    entries = _of(known, seat, owner)
    if not entries:
        return pile
    found = _located(entries, pile)
    return [it for at, it in enumerate(pile) if at not in found]


def _followed(known: Known[Any], dealt: Mapping[Any, Sequence[Any]]) -> Known[Any]:
    """Adapt what seats know to piles dealt anew: the same number of cards, of the new piles.

    The seat for which a pile was dealt must not learn which of its cards others have been shown, so
    their real knowledge is not used: the cards at the front are taken, or at the known places.
    """
    shown = []
    fronts: dict[tuple[Seat, Any], Iterator[Any]] = {}
    for it in known.shown:
        if it.owner not in dealt:
            shown.append(it)
            continue
        pile = dealt[it.owner]
        if (it.seat, it.owner) not in fronts:
            taken = {entry.at for entry in _of(known, it.seat, it.owner)}
            free = [card for at, card in enumerate(pile) if at not in taken]
            fronts[it.seat, it.owner] = iter(free)
        card = next(fronts[it.seat, it.owner]) if it.at is None else pile[it.at]
        shown.append(replace(it, card=card))
    return Known(shown)


# Views and redeals of a class of states.


class Masking:
    """The view and the redeal of a class of states.

    `replaced` copies a state, with substitutes for the values that a seat does not see.
    """

    def __init__(self, replaced: Callable[..., Any]) -> None:
        self.replaced = replaced

    def view(self, state: Any, seat: Seat | None) -> Any:
        """Return the view of a seat, or of a spectator."""
        return self.replaced(state, state, seat, None, _Backs(seat))

    def redeal(self, state: Any, seat: Seat | None, rng: Stream) -> Any:
        """Return another state that a seat, or a spectator, cannot tell from this one."""
        return self.redealer(state, seat)(rng)

    def redealer(self, state: Any, seat: Seat | None) -> Callable[[Stream], Any]:
        """Return `redeal` of a state that does not change any more: its cards are sorted once."""
        collected = _Collected(seat)
        self.replaced(state, state, seat, None, collected)
        for key, cards in collected.pools.items():
            collected.pools[key] = cards if type(cards) is tuple else in_fixed_order(cards)
        return lambda rng: self.replaced(state, state, seat, None, _Dealt(collected, rng))


def holds_secrets(part: Schema, above: tuple[type[Any], ...] = ()) -> bool:
    """Check whether something in values of a schema is secret.

    `above` holds the classes being checked: one may hold its own kind.
    """
    if isinstance(part, schema.Dataclass):
        if part.kind in above:
            return False
        if secrets_of(part.kind):
            return True
        above = (*above, part.kind)
    return any(holds_secrets(held, above) for _, held in part.parts())


@cached_by_class  # reading and compiling a class takes long
def masking_of(kind: type[Any]) -> Masking:
    """Return the masking of a class of states, from its declared secrets.

    Raises:
        ContractError: it declares none, or impossible ones; says what to write instead.
    """
    return _masking(kind, glances=False)


@cached_by_class
def glance_of(kind: type[Any]) -> Callable[[Any, Seat | None], Any]:
    """Return a function that makes views to be read at once, and neither kept nor changed.

    They share all that is not masked with the state.
    """
    return _masking(kind, glances=True).view


def _masking(kind: type[Any], *, glances: bool) -> Masking:
    """Make the masking of a class; see `masking_of`."""
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
    names = {"_new": object.__new__, "deque": deque, "_of": _of, **writer.copier.names}
    title = f"secrets of {kind.__module__}.{name}"
    return Masking(compile_functions(title, writer.lines, names)[root])


@cached_by_class
def _event_view_of(kind: type[Any]) -> Callable[..., Any] | None:
    """Return the function that masks an event or action for a seat; None if all know all.

    It returns the event itself where the seat may know all of it.
    """
    declared = {name: it for name, it in secrets_of(kind).items() if it.to is not EVERYBODY}
    if not declared:
        return None
    try:
        layouts = {
            name: at_step(f".{name}", _layout_of, fields_of(kind)[name], it.back)
            for name, it in declared.items()
        }
    except SchemaError as error:
        raise ContractError(error.at(kind.__qualname__)) from error

    def seen(thing: Any, state: Any, owner: Seat | None, seat: Seat | None) -> Any:
        masked = {
            name: layouts[name].replaced(getattr(thing, name), repeat(it.back))
            for name, it in declared.items()
            if not _sees(it.to, state, seat, owner, thing)
        }
        return replace(thing, **masked) if masked else thing

    return seen


def _sees(
    to: Audience | Sight, state: Any, seat: Seat | None, owner: Seat | None, thing: Any
) -> bool:
    """Check whether a seat sees a field of an event or action."""
    is_own = seat is not None and owner == seat
    return to is OWNER and is_own if isinstance(to, Audience) else to(state, seat, thing)


# Layouts of cards in a field.


class _Card(NamedTuple):
    """A card; with `gaps`, None means no card, which all see."""

    gaps: bool

    def replaced(self, value: Any, cards: Iterator[Any]) -> Any:
        return None if self.gaps and value is None else next(cards)

    def cards(self, value: Any) -> Sequence[Any]:
        return () if self.gaps and value is None else (value,)


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


_Layout: TypeAlias = _Card | _Pile | _Piles
"""A layout of cards: `replaced` fills its places with the next of others; `cards` are its cards."""

_LITERALS: Final[dict[Any, str]] = {list: "[{}]", tuple: "tuple([{}])", deque: "deque([{}])"}


def _layout_of(part: Schema, back: Any) -> _Layout:
    """Return the layout of cards in a schema's values; a card is any value the back can replace."""
    if not isinstance(back, Hashable):
        raise SchemaError(f"the back {back!r} can change; write one that never does")
    name = type_name(part.annotation)
    if _can_replace(back, part):
        if not is_immutable(part):
            raise SchemaError(f"a secret card never changes, and {name} can")
        return _Card(gaps=back is not None and isinstance(part, schema.Union) and part.optional)
    held = {schema.Sequence: "item", schema.Mapping: "value"}.get(type(part))
    if held and part.origin in (*_LITERALS, dict) and get_args(part.annotation):
        inner: Schema = getattr(part, held)
        item = _layout_of(inner, back)
        if isinstance(item, _Card) and part.origin is not dict:
            return _Pile(part.origin, item.gaps)
        if part.origin is not deque:
            return _Piles(part.origin, item, inner, getattr(part, "key", None))
    raise SchemaError(
        f"the back {back!r} is no {name}, and this is no list of what it could stand for; write a"
        " back of the kind of the cards, in lists, tuples, or values of dictionaries"
    )


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


# Substitutes for secrets.


class _SecretField(NamedTuple):
    """A secret field: its declaration, the layout of an owner's cards, and the number of its pool.

    `is_one` is True for one pile, False for a row of piles by owners.
    """

    declared: Secret
    layout: _Layout
    pool: int
    is_one: bool

    def pool_of(self, owner: Any) -> object:
        return self.pool, owner if self.declared.pool is OWNER else None

    def place(self, owner: Any) -> Any:
        """Return the owner in the form that `Known` uses."""
        return None if self.is_one else owner


class _Backs:
    """Replaces the values that a seat does not see by backs: a view."""

    def __init__(self, seat: Seat | None) -> None:
        self.seat = seat

    def hidden(
        self, secret: _SecretField, value: Any, owner: Any, known: Known[Any] | None = None
    ) -> Any:
        """Return the substitute for an owner's cards, some of which a seat may have been shown."""
        return self.replaced(secret, value, owner, known, repeat(secret.declared.back))

    def replaced(
        self,
        secret: _SecretField,
        value: Any,
        owner: Any,
        known: Known[Any] | None,
        cards: Iterator[Any],
    ) -> Any:
        if known is None or isinstance(secret.layout, _Card):
            return secret.layout.replaced(value, cards)
        return _arranged(known, value, self.seat, secret.place(owner), cards)

    def ordered(self, secret: _SecretField, value: Any) -> Any:
        """Return visible cards whose order is hidden."""
        return sorted(value, key=secret.declared.sorted_by)

    def known(self, known: Known[Any]) -> Known[Any]:
        """Return the knowledge about shown cards; called last."""
        return Known([it for it in known.shown if it.seat == self.seat])


class _Collected(_Backs):
    """Collects the values that a seat does not see, by pools; discard the copy made meanwhile."""

    def __init__(self, seat: Seat | None) -> None:
        super().__init__(seat)
        self.pools: dict[object, Any] = {}

    @override
    def hidden(
        self, secret: _SecretField, value: Any, owner: Any, known: Known[Any] | None = None
    ) -> Any:
        declared = secret.declared
        if known is None or isinstance(secret.layout, _Card):
            cards = secret.layout.cards(value)
        else:
            cards = _unseen(known, value, self.seat, secret.place(owner))
        if declared.back is not None and declared.back in cards:  # None may mean no card
            raise ContractError(
                f"redeal found the back {declared.back!r} in the place of a card: it is asked of"
                " the whole state, and this is a view of it, which has lost what there is to deal."
                " A player that looks ahead takes a `sampler` in `choose`; a back must stand for no"
                " card"
            )
        if not declared.choices:
            self.pools.setdefault(secret.pool_of(owner), []).extend(cards)
        return value

    @override
    def ordered(self, secret: _SecretField, value: Any) -> Any:
        # A tuple has a fixed order already.
        self.pools[id(value)] = tuple(super().ordered(secret, value))
        return value


class _Dealt(_Backs):
    """Deals the collected cards."""

    def __init__(self, collected: _Collected, rng: Stream) -> None:
        super().__init__(collected.seat)
        self._rng = rng
        self._pools: dict[object, Iterator[Any]] = {}
        self._dealt: dict[int, dict[Any, Any]] = {}  # by known cards, and by owner
        for key, cards in collected.pools.items():
            shuffled = list(cards)
            rng.shuffle(shuffled)
            self._pools[key] = iter(shuffled)

    @override
    def hidden(
        self, secret: _SecretField, value: Any, owner: Any, known: Known[Any] | None = None
    ) -> Any:
        if choices := secret.declared.choices:
            cards: Iterator[Any] = (self._rng.choice(choices) for _ in repeat(None))
        else:
            cards = self._pools[secret.pool_of(owner)]
        new = self.replaced(secret, value, owner, known, cards)
        if known is not None:
            pile = [new] if isinstance(secret.layout, _Card) else new
            self._dealt.setdefault(id(known), {})[secret.place(owner)] = pile
        return new

    @override
    def ordered(self, secret: _SecretField, value: Any) -> Any:
        return list(self._pools[id(value)])

    @override
    def known(self, known: Known[Any]) -> Known[Any]:
        return _followed(known, self._dealt.get(id(known), {}))


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
        layout = _layout_of(held, declared.back)
        piles = None if owned else _piles_of_owners(declared, layout, held)
        item, it = (piles.item, "it") if piles else (layout, value)
        name = type_name(held.annotation)
        _check_declared(declared, name, piles, item, is_owned=owned or piles is not None)
        secret = _SecretField(declared, item, self._pool(declared), piles is None)
        name, known = self._constant(field, secret), f"self.{declared.known}"
        test = str(declared.to is EVERYBODY)
        if declared.to is OWNER:
            test = "owner == seat"
        elif not isinstance(declared.to, Audience):
            test = f"{name}.declared.to(state, seat, owner)"
        if declared.known and isinstance(item, _Card):
            test = f"({test} or _of({known}, seat, owner))"
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

    def _constant(self, field: str, secret: _SecretField) -> str:
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
    if isinstance(layout, _Pile) and layout.kind is not deque and isinstance(held, schema.Sequence):
        return _Piles(layout.kind, _Card(layout.gaps), held.item)
    return None


def _check_declared(
    declared: Secret, name: str, piles: _Piles | None, item: _Layout, *, is_owned: bool
) -> None:
    """Raise an error where parts of a declaration contradict each other."""
    is_list, is_card = item == _Pile(list, gaps=False), isinstance(item, _Card)
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
