"""Observations: a view as numbers in an array, by an encoder generated from the class of the state.

Every field has its places in the array, which follow from its annotation and from the notes of
`tabletop.states.bounds`. The function that writes them is generated once for a kind of matches, as
`tabletop.states.states` does it for `clone`. It keeps the numbers of long collections: those that
are as they were when the same seat looked last are copied.
"""

from __future__ import annotations

from array import array
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from copy import copy
from dataclasses import fields, make_dataclass
from enum import Enum
from itertools import count
from typing import Any, Final, Literal, NamedTuple, Protocol, TypeVar, get_args

import numpy as np
from numpy.typing import NDArray

from tabletop.errors import ContractError
from tabletop.match.match import AnyMatch, Match
from tabletop.registry import Plugin
from tabletop.rules.game import AnyGame
from tabletop.rules.options import Options
from tabletop.states import schema
from tabletop.states.bounds import (
    BAG,
    FIXED,
    UNOBSERVED,
    Fields,
    Length,
    OneOf,
    PerSeat,
    Range,
    Seat,
    SeatOr,
)
from tabletop.states.schema import Schema, schema_of
from tabletop.states.states import compile_functions, is_immutable
from tabletop.states.type_hints import SchemaError, at_step, type_name
from tabletop.states.visibility import secrets_of

T = TypeVar("T")

_SEAT: Final = schema_of(Seat).notes[0]
_NOTHING: Final = object()
"""Stands for a value or a back that is not known."""

_FLOAT: Final = np.dtype(np.float32)  # looked up once: it takes as long as to make an array

_LONG: Final = 4
"""Collections that may have so many items are kept, and written where they have changed."""

_FEW: Final = 128
"""Observations of no more numbers are written whole: to compare and to keep takes as long."""

_NEVER: Final = (..., ())
"""Stands for a value that has never been written."""

_EXACT: Final = 2**24
"""Whole numbers up to this are written exactly."""

_LEFT_OUT: Final = "UNOBSERVED leaves it out"
_ONE_OF: Final = f"write Annotated[..., OneOf(values)]; {_LEFT_OUT}"


class ObservationEncoder(Protocol):
    """Writes views as `size` numbers, each from its `low` to its `high`: the encoder of a game."""

    size: int
    low: Any
    high: Any

    def encode(self, view: Any, seat: Seat | None, out: Any) -> Any:
        """Write the observation of `seat`, whose view it is, into an array; see `Encoder`."""


def make_encoder(
    plugin: Plugin | AnyGame,
    options: Options | None = None,
    seats: int | None = None,
    *,
    own: object = None,
) -> ObservationEncoder:
    """Return the encoder for matches of a game: its own, or else one made from its states.

    Args:
        plugin: a game with what comes with it; or the rules alone, which bring no encoder.
        options: the game's options that differ from their defaults.
        seats: the number of seats; the fewest the game allows when not given.
        own: the encoder that the game brings, or a function or class that makes one; by default
            that of the plugin.

    Raises:
        ContractError: some field of the state has no bounds; names it, and says what to write.
    """
    game = plugin.game if isinstance(plugin, Plugin) else plugin
    made: Any = plugin.encoder if isinstance(plugin, Plugin) else own
    if made is None:
        made = Encoder(game, options, seats)
    elif isinstance(made, type) or not hasattr(made, "encode"):
        made = made(game, game.resolve_options(options or {}), seats or game.seats[0])
    encoder: ObservationEncoder = made
    return encoder


class Encoder:
    """Writes views as numbers: one encoder for all matches with the same options and seats.

    Args:
        game: the rules.
        options: as of `make_encoder`.
        seats: as of `make_encoder`.

    Attributes:
        size: the number of numbers in an observation.
        low: the least value of each, an array of `float32`.
        high: the greatest value of each.
        names: the meaning of each, such as `sides[+1].life`: of the seat after the one that looks.

    Raises:
        ContractError: some field of the state has no bounds; names it, and says what to write.
    """

    def __init__(
        self, game: AnyGame, options: Options | None = None, seats: int | None = None
    ) -> None:
        match = Match(game, seed="encoder", options=options, seats=seats)
        kind = type(match.state)
        if not isinstance(schema_of(kind), schema.Dataclass):
            raise ContractError(f"{kind.__qualname__} is no dataclass: bring an encoder")
        whole = _Value(schema_of(kind), "view", match.state)
        try:
            writer = _Writer(match, keeps=True)
            numbers = writer.write(whole, _Place()).all
            if len(numbers) <= _FEW:
                writer = _Writer(match, keeps=False)
                writer.write(whole, _Place())
        except SchemaError as error:
            raise ContractError(error.at(kind.__qualname__)) from error
        title = f"observation of {kind.__module__}.{kind.__qualname__}"
        self._write: Any = compile_functions(title, writer.lines, writer.names)["write"]
        self.names: tuple[str, ...] = tuple(it.name.removeprefix(".") for it in numbers)
        self.size: int = len(numbers)
        self.low: NDArray[np.float32] = np.array([it.low for it in numbers], np.float32)
        self.high: NDArray[np.float32] = np.array([it.high for it in numbers], np.float32)
        self._zeros = array("f", bytes(4 * self.size))
        # For each seat that looks, values and their numbers; always both at once, for threads.
        self._kept: list[list[Any]] = [[_NEVER] * writer.kept for _ in range(match.seats)]

    def twin(self) -> Encoder:
        """Return an encoder of the same numbers: the matches of each keep to themselves."""
        other = copy(self)
        other._kept = [[_NEVER] * len(kept) for kept in self._kept]
        return other

    def encode(self, view: Any, seat: Seat | None, out: Any = None) -> Any:
        """Write the observation of `seat` into `out`, an array of `size` numbers, and return it.

        A number beyond its bounds is written as the bound next to it, an unknown value as zeros.

        Args:
            view: the view of that seat, as `Match.view` returns it.
            seat: the seat that looks, from which seats are counted; a spectator (None) counts them
                from seat 0.
            out: an array of floats or whole numbers, or the `memoryview` of one of `float32`, which
                is faster; a new one of `float32` when not given.
        """
        me, row = seat or 0, self._zeros[:]
        self._write(view, me, row, self._kept[me], _clip)
        if out is None:
            return np.frombuffer(row, _FLOAT)
        out[:] = row
        return out

    def clipped(self, view: Any, seat: Seat | None) -> list[str]:
        """Return which values of a view lie outside of their bounds, in words."""
        found: list[str] = []

        def clip(value: Any, low: Any, high: Any, at: int) -> Any:
            name = "".join(self.names[at : at + 1]).partition("=")[0]
            if low is not None:
                found.append(f"{name} is {value!r}, not from {low} to {high}")
            elif high is None:
                found.append(f"{name} is {value!r}, not one of its values")
            else:
                found.append(f"{name.rpartition('[')[0]} has {value} items, not {high}")
            return _clip(value, low, high, at)

        self._write(view, seat or 0, self._zeros[:], [_NEVER] * len(self._kept[0]), clip)
        return found


def _clip(value: Any, low: Any, high: Any, at: int) -> Any:
    """Return the bound next to a value outside of its bounds; None where it has none."""
    return None if low is None else low if value < low else high


# The source of the function that writes a view.


class _Value(NamedTuple):
    """A value to be written: its schema, an expression for it, and what is known of it.

    `sample` is the value in the first state, `back` what views show in its place, as far as there
    are such; `given` are notes on what it is a part of.
    """

    part: Any
    source: str
    sample: Any = _NOTHING
    back: Any = _NOTHING
    given: tuple[Any, ...] = ()

    def note(self, kind: type[T]) -> T | None:
        """Return the note of a kind; None without one."""
        return next((it for it in (*self.part.notes, *self.given) if isinstance(it, kind)), None)

    def has(self, mark: object) -> bool:
        """Check whether there is a note that has no parameters."""
        return any(it is mark for it in (*self.part.notes, *self.given))


class _Place(NamedTuple):
    """The place of a value in the array: `offset` after the variable `start`, if there is one.

    With `adds` the value is added to what others have written there.
    """

    start: str = ""
    offset: int = 0
    adds: bool = False

    def put(self, value: str, at: str = "") -> str:
        """Return a statement that writes a value, so many places on as the expression `at` says."""
        place = " + ".join(filter(None, (self.start, at, str(self.offset or ""))))
        return f"row[{place or '0'}] {'+=' if self.adds else '='} {value}"

    def shift(self, steps: int) -> _Place:
        return self._replace(offset=self.offset + steps)

    def __str__(self) -> str:
        return f"{self.start} + {self.offset}" if self.start else str(self.offset)


class _Number(NamedTuple):
    """A number of an observation: its meaning, and its bounds."""

    name: str
    low: float = 0
    high: float = 1

    def of(self, step: str, times: float = 1) -> _Number:
        """Return the number as that of a part, or as the sum of so many."""
        return _Number(step + self.name, self.low * times, self.high * times)


class _Numbers(NamedTuple):
    """The numbers of a value; `are_evident` if no value is zeros alone, so that they mean none."""

    all: list[_Number]
    are_evident: bool = False


class _Category(NamedTuple):
    """What is told apart: names, a table of indices, and the test for values that have one."""

    names: list[str]
    table: str
    test: str = ""


class _Writer:
    """Writes the lines that write a view. Its methods write a value at a place.

    `kept` is how many values are kept, each with its numbers; with `keeps` False none is.
    """

    def __init__(self, match: AnyMatch, *, keeps: bool) -> None:
        self._match = match
        self._keeps, self.kept = keeps, 0
        self._above: list[type[Any]] = []
        self._count = count(1)
        seats = range(match.seats)
        self._relative = [{seat: (seat - me) % len(seats) for seat in seats} for me in seats]
        self.names: dict[str, Any] = {"all_seats": self._relative, "deque": deque}
        self.lines = ["def write(view, me, row, kept, clip):", "    seats = all_seats[me]"]
        self._indent = "    "

    def write(self, it: _Value, place: _Place) -> _Numbers:
        """Write any value."""
        if it.has(UNOBSERVED):
            return _Numbers([])
        # In a loop, a value would be compared with that of another turn.
        if self._keeps and not place.start and self._is_long(it):
            return self._keep(it, place)
        return self._write(it, place)

    def _is_long(self, it: _Value) -> bool:
        """Check whether a value has many items, and equality tells whether one has changed."""
        part, one_of = it.part, it.note(OneOf)
        if one_of or not isinstance(part, schema.Sequence):
            return False
        return _is_told_by_equality(part.item) and self._lengths(it)[1] >= _LONG

    def _keep(self, it: _Value, place: _Place) -> _Numbers:
        """Write a collection if it is not as it was last; and keep it, with its numbers."""
        source, slot, last = self._name_value(it.source), f"kept[{self.kept}]", self._new("last")
        self.kept += 1
        with self._block(f"if {source} == ({last} := {slot})[0]:"):
            copied = len(self.lines)
        with self._block("else:"):
            numbers = self._write(it._replace(source=source), place)
            row = f"row[{place}:{place.shift(len(numbers.all))}]"
            self._line(f"{slot} = {it.part.kind.__name__}({source}), {row}")
        self.lines[copied] = f"{self._indent}    {row} = {last}[1]"
        return numbers

    def _write(self, it: _Value, place: _Place) -> _Numbers:
        """Write a value anew."""
        category = self._category(it)
        if category is not None:
            return self._one_hot(category, it, place)
        writers: dict[type[Schema], Any] = {
            schema.Union: self._union,
            schema.Dataclass: self._fields,
            schema.Tuple: self._fields,
            schema.Sequence: self._sequence,
            schema.Mapping: self._mapping,
        }
        written: _Numbers = writers.get(type(it.part), self._number)(it, place)
        return written

    def _line(self, line: str) -> None:
        self.lines.append(self._indent + line)

    @contextmanager
    def _block(self, head: str) -> Iterator[None]:
        """Write a block; what is written meanwhile stands in it."""
        self._line(head)
        before = len(self.lines)
        self._indent += "    "
        yield
        if len(self.lines) == before:
            self._line("pass")
        self._indent = self._indent[4:]

    def _new(self, word: str, value: str = "") -> str:
        """Return the name of a new variable, which is set to the value if one is given."""
        name = f"{word}{next(self._count)}"
        if value:
            self._line(f"{name} = {value}")
        return name

    def _name_value(self, source: str) -> str:
        """Return the name of a variable that has the value of an expression."""
        return source if source.isidentifier() else self._new("it", source)

    def _resolve_bound(self, bound: Any) -> Any:
        """Return a bound; where it is a function, what that says for these matches."""
        is_function = callable(bound) and not isinstance(bound, Iterable)
        return bound(self._match) if is_function else bound

    # Single values.

    def _category(self, it: _Value) -> _Category | None:
        """Return the category that a value stands for; None for any other value."""
        part, nobody, one_of = it.part, it.note(SeatOr), it.note(OneOf)
        if nobody or it.has(_SEAT):
            names, table = [f"+{seat}" for seat in range(self._match.seats)], "seats"
            if nobody and nobody.marks is not None:
                table = self._new("known")
                relative = self.names["all_seats"]
                marked = [
                    {mark: it[seat] for seat, mark in enumerate(nobody.marks)} for it in relative
                ]
                self.names[table], table = marked, f"{table}[me]"
            return _Category(names, table, f"!= {nobody.nobody!r}" if nobody else "")
        values = self._resolve_bound(one_of.values) if one_of else None
        if isinstance(values, set | frozenset):
            raise SchemaError("OneOf a set, which has no order; write a list or a tuple")
        if part.origin is Literal:
            values = get_args(part.annotation)
        elif values is None and isinstance(part.origin, type) and issubclass(part.origin, Enum):
            values = part.origin
        if values is None:
            return None
        values = [*values]
        if it.back not in values and isinstance(it.back, tuple(part.classes())):
            values.insert(0, it.back)
        table = self._new("known")
        self.names[table] = {value: at for at, value in enumerate(values)}
        names = [one.name if isinstance(one, Enum) else str(one) for one in values]
        is_optional = isinstance(part, schema.Union) and part.optional and None not in values
        return _Category(names, table, "is not None" if is_optional else "")

    def _one_hot(self, category: _Category, it: _Value, place: _Place) -> _Numbers:
        """Write a 1 at the index of a category."""
        with self._block(f"if {it.source} {category.test}:" if category.test else "if True:"):
            with self._block("try:"):
                self._line(place.put("1.0", f"{category.table}[{it.source}]"))
            with self._block("except KeyError:"):
                self._line(f"clip({it.source}, None, None, {place})")
        return _Numbers([_Number(f"={name}") for name in category.names], not category.test)

    def _number(self, it: _Value, place: _Place) -> _Numbers:
        """Write a truth value, or a number with a range."""
        bounds, each = Range(0, 1) if it.part.origin is bool else it.note(Range), it.note(PerSeat)
        if each:
            return self._bits(it, place, each.each)
        if bounds is None:
            name = type_name(it.part.annotation)
            amount = f"write Annotated[{name}, Range(low, high)], or OneOf(values) for no amount"
            advice = amount if it.part.origin in (int, float) else _ONE_OF
            raise SchemaError(f"{name} has no bounds for an observation; {advice}")
        low, high = self._resolve_bound(bounds.low), self._resolve_bound(bounds.high)
        if isinstance(it.back, int | float):
            low, high = min(low, it.back), max(high, it.back)
        if not -_EXACT <= low <= high <= _EXACT:
            raise SchemaError(f"Range({low}, {high}): the lower bound comes first, up to {_EXACT}")
        # What is written into is all zeros, and most numbers are zero.
        with self._block(f"if {it.source}:" if low <= 0 <= high else "if True:"):
            fits = f"{low} <= (it := {it.source}) <= {high}"
            self._line(place.put(f"it if {fits} else clip(it, {low}, {high}, {place})"))
        return _Numbers([_Number("", low, high)])

    def _bits(self, it: _Value, place: _Place, each: int) -> _Numbers:
        """Write a whole number with so many bits for each seat."""
        size, bits = each * self._match.seats, self._new("bits", it.source)
        with self._block(f"if {bits} >> {size}:"):
            self._line(f"clip({bits}, 0, {(1 << size) - 1}, {place})")
        self._line(f"{bits} &= {(1 << size) - 1}")
        # Put twice side by side and shifted, the bits of the seat that observes come first.
        self._line(f"{bits} = ({bits} | {bits} << {size}) >> me * {each} & {(1 << size) - 1}")
        with self._block(f"while {bits}:"):
            self._line(place.shift(-1).put("1.0", f"({bits} & -{bits}).bit_length()"))
            self._line(f"{bits} &= {bits} - 1")
        return _Numbers([_Number(f"[{at}]") for at in range(size)])

    # Values with parts.

    def _union(self, it: _Value, place: _Place) -> _Numbers:
        """Write the member that a value is; with a mark where its zeros would not tell."""
        members = it.part.members
        source, given, numbers = self._name_value(it.source), (*it.part.notes, *it.given), []
        for at, member in enumerate(members):
            test, step = f"{source} is not None", ""
            if len(members) > 1:
                kinds, step = self._new("kinds"), f":{type_name(member.origin)}"
                self.names[kinds] = tuple(member.classes())
                test = f"{source}.__class__ in {kinds}"
            with self._block(f"{'el' * bool(at)}if {test}:"):
                one = self.write(_Value(member, source, it.sample, it.back, given), place)
                place = place.shift(len(one.all))
                numbers += [number.of(step) for number in one.all]
                if not one.are_evident:
                    self._line(place.put("1.0"))
                    place = place.shift(1)
                    numbers.append(_Number(f"{step}?"))
        return _Numbers(numbers, not it.part.optional)

    def _fields(self, it: _Value, place: _Place) -> _Numbers:
        """Write all fields of a dataclass, or all places of a tuple, in order."""
        kind, numbers, are_evident = it.part.kind, list[_Number](), False
        if kind in self._above and kind is not tuple:
            raise SchemaError(f"{kind.__name__} holds its own kind; {_LEFT_OUT}")
        secrets, given = secrets_of(kind), it.note(Fields) or Fields()
        self._above.append(kind)
        source = self._name_value(it.source)
        for at, (step, part) in enumerate(it.part.parts()):
            name = step.strip(".")
            sample, back = (_get_part(whole, at, name) for whole in (it.sample, it.back))
            back = secrets[name].back if name in secrets else back
            value = _Value(part, source + step, sample, back, given.notes.get(name, ()))
            one: _Numbers = at_step(step, self.write, value, place.shift(len(numbers)))
            numbers += [number.of(step) for number in one.all]
            are_evident |= one.are_evident
        self._above.pop()
        return _Numbers(numbers, are_evident)

    def _sequence(self, it: _Value, place: _Place) -> _Numbers:
        """Write a collection: each item in turn, or all added up, and then how many there are."""
        is_set, seats = it.part.is_set, it.note(PerSeat)
        least, most = self._lengths(it)
        is_list = it.part.kind in (list, tuple)
        items, one = self._new("it", it.source if is_list else f"[*{it.source}]"), self._new("one")
        with self._block(f"if len({items}) {'!=' if least == most else '>'} {most}:"):
            self._line(f"clip(len({items}), None, {most}, {place})")
            self._line(f"{items} = {items}[:{most}]")
        if seats:
            with self._block("if me:"):
                first = f"me * {seats.each}"
                self._line(f"{items} = {items}[{first}:] + {items}[:{first}]")
        sample = next(iter(it.sample), _NOTHING) if isinstance(it.sample, Iterable) else _NOTHING
        value = _Value(it.part.item, one, sample, it.back)
        at, adds_up = self._new("at", str(place)), is_set or it.has(BAG)
        with self._block(f"for {one} in {items}:"):
            where = _Place(at, 0, adds_up or place.adds)
            item: _Numbers = at_step("[...]", self.write, value, where)
            if not adds_up:
                self._line(f"{at} += {len(item.all)}")
        if adds_up:
            numbers = [number.of("[*]", 1 if is_set else most) for number in item.all]
            counted = not item.are_evident
        else:
            sign = "+" if seats and seats.each == 1 else ""
            numbers = [it.of(f"[{sign}{at}]") for at in range(most) for it in item.all]
            counted = least != most
        if counted:
            self._line(place.shift(len(numbers)).put(f"len({items})"))
            numbers.append(_Number("[#]", 0, most))
        return _Numbers(numbers)

    def _lengths(self, it: _Value) -> tuple[int, int]:
        """Return the least and the greatest length of a collection."""
        seats, length = it.note(PerSeat), it.note(Length)
        if seats or (it.has(FIXED) and it.sample is not _NOTHING):
            size = seats.each * self._match.seats if seats else len(it.sample)
            return size, size
        if length is None:
            name = type_name(it.part.annotation)
            raise SchemaError(
                f"{name} has no length for an observation; write Annotated[{name}, Length(most)],"
                f" PER_SEAT for an item a seat, or FIXED if it is always as long; {_LEFT_OUT}"
            )
        return 0, self._resolve_bound(length.most)

    def _mapping(self, it: _Value, place: _Place) -> _Numbers:
        """Write the values, each at the place of its key."""
        keys = self._category(_Value(it.part.key, ""))
        if keys is None:
            raise SchemaError(f"nothing says which keys there are; {_ONE_OF}", [".keys()"])
        key, at, one = self._new("key"), self._new("at"), self._new("one")
        samples = it.sample.values() if isinstance(it.sample, dict) else ()
        value = _Value(it.part.value, one, next(iter(samples), _NOTHING), it.back, it.part.notes)
        with self._block(f"for {key}, {one} in {it.source}.items():"):
            with self._block(f"if {key} not in {keys.table}:"):
                self._line(f"clip({key}, None, None, {place})")
                self._line("continue")
            step = len(self.lines)
            item: _Numbers = at_step("[...]", self.write, value, _Place(at, 0, place.adds))
            where = f"{at} = {keys.table}[{key}] * {len(item.all)} + {place}"
            self.lines.insert(step, f"{self._indent}{where}")
        return _Numbers([number.of(f"[{key}]") for key in keys.names for number in item.all])


# What tells that a value has changed.


def _is_told_by_equality(part: Schema, above: tuple[type[Any], ...] = ()) -> bool:
    """Check whether equal values of a schema are written alike, and never change.

    `above` holds the classes being checked: one may hold its own kind.
    """
    match part:
        case schema.Scalar():
            return is_immutable(part)
        case schema.Union() if len(part.members) != 1:
            return False  # 1 is equal to True, and has another place
        case schema.Dataclass():
            if part.kind in above or not _compares_all_fields(part.kind):
                return False
            above = (*above, part.kind)
        case schema.Tuple() if part.kind.__eq__ is not tuple.__eq__:
            return False
    return is_immutable(part) and all(_is_told_by_equality(it, above) for _, it in part.parts())


def _compares_all_fields(kind: type[Any]) -> bool:
    """Check whether objects of a dataclass are equal only where all of their fields are."""
    made = make_dataclass("Made", [it.name for it in fields(kind)])
    codes = [getattr(it.__eq__, "__code__", None) for it in (kind, made)]
    own, given = ([getattr(it, name, "") for name in ("co_code", "co_names")] for it in codes)
    return own == given


def _get_part(whole: Any, at: int, name: str) -> Any:
    """Return a field of a value, or an item of a tuple, as far as there is one."""
    if isinstance(whole, tuple):
        return whole[at] if at < len(whole) else _NOTHING
    return getattr(whole, name, _NOTHING)
