"""Observations: encode a view as numbers, with an encoder generated from the state class.

Every field has a fixed position in the array, which depends on its annotation and on the notes of
`tabletop.states.bounds`. The function that writes the array is generated once per game, options and
seats, like `clone` in `tabletop.states.states`. It caches long collections: if a collection has not
changed since the last observation of the same seat, its numbers are copied from the cache.
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
_NOTHING: Final = object()  # marks an unknown value or an unknown `back`

_FLOAT: Final = np.dtype(
    np.float32
)  # looked up once, because the lookup takes as long as making an array

_LONG: Final = 4  # minimum possible number of items of a collection that is cached

_FEW: Final = 128
"""Observations up to this size are written without a cache, which would not be faster."""

_NEVER: Final = (..., ())  # marks a cache entry that has not been written yet
_EXACT: Final = 2**24  # integers up to this number are exact in `float32`

_LEAVE_OUT: Final = "use UNOBSERVED to leave it out"
_ONE_OF: Final = f"write Annotated[..., OneOf(values)], or {_LEAVE_OUT}"


class ObservationEncoder(Protocol):
    """The encoder of a game, which writes a view as `size` numbers between `low` and `high`."""

    size: int
    low: Any
    high: Any

    def encode(self, view: Any, seat: Seat | None, out: Any) -> Any:
        """Write the observation of a seat into an array. See `Encoder.encode`."""


def make_encoder(
    plugin: Plugin | AnyGame,
    options: Options | None = None,
    seats: int | None = None,
    *,
    encoder: object = None,
) -> ObservationEncoder:
    """Return the encoder of a game, which is generated from its state class by default.

    Args:
        plugin: A plugin, or only a game, which has no encoder of its own.
        options: Options of the game that differ from their defaults.
        seats: Number of seats. By default, the smallest number that the game allows.
        encoder: Encoder of the game, or a function or class that creates an encoder, if `plugin` is
            only a game. By default, a generated encoder.

    Raises:
        ContractError: A field of the state has no bounds. The message names the field and the
            annotation to write.
    """
    game = plugin.game if isinstance(plugin, Plugin) else plugin
    source: Any = plugin.encoder if isinstance(plugin, Plugin) else encoder
    if source is None:
        source = Encoder(game, options, seats)
    elif isinstance(source, type) or not hasattr(source, "encode"):
        source = source(game, game.resolve_options(options or {}), seats or game.seats[0])
    made: ObservationEncoder = source
    return made


class Encoder:
    """A generated encoder for all matches with the same options and seats.

    Args:
        game: The rules.
        options: Options of the game that differ from their defaults.
        seats: Number of seats. By default, the smallest number that the game allows.

    Attributes:
        size: Length of an observation.
        low: Minimum of each number, an array of `float32`.
        high: Maximum of each number, an array of `float32`.
        names: Meaning of each number, such as `sides[+1].life` for the seat after the observing
            seat.

    Raises:
        ContractError: A field of the state has no bounds. The message names the field and the
            annotation to write.
    """

    def __init__(
        self, game: AnyGame, options: Options | None = None, seats: int | None = None
    ) -> None:
        match = Match(game, seed="encoder", options=options, seats=seats)
        kind = type(match.state)
        if not isinstance(schema_of(kind), schema.Dataclass):
            raise ContractError(f"{kind.__qualname__} is not a dataclass: provide an encoder")
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
        # By observing seat, pairs of a collection and its numbers. A pair is replaced as a whole,
        # so threads never mix two pairs.
        self._cache: list[list[Any]] = [[_NEVER] * writer.slots for _ in range(match.seats)]

    def twin(self) -> Encoder:
        """Return an encoder with its own cache, for a simultaneous match."""
        other = copy(self)
        other._cache = [[_NEVER] * len(slots) for slots in self._cache]
        return other

    def encode(self, view: Any, seat: Seat | None, out: Any = None) -> Any:
        """Write the observation of a seat into an array, and return the array.

        A number outside its bounds is replaced by the nearest bound, and an unknown value by zeros.

        Args:
            view: View of that seat, as `Match.view` returns it.
            seat: The observing seat. Seats are counted from this seat, or from seat 0 for a
                spectator (None).
            out: Array of floats or integers, or a `memoryview` of a `float32` array, which is
                faster. By default, a new `float32` array.
        """
        me, row = seat or 0, self._zeros[:]
        self._write(view, me, row, self._cache[me], _clip)
        if out is None:
            return np.frombuffer(row, _FLOAT)
        out[:] = row
        return out

    def clipped(self, view: Any, seat: Seat | None) -> list[str]:
        """Describe the values of a view that are out of bounds, one message per value."""
        messages: list[str] = []

        def clip(value: Any, low: Any, high: Any, at: int) -> Any:
            name = "".join(self.names[at : at + 1]).partition("=")[0]
            if low is not None:
                messages.append(f"{name} must be from {low} to {high}, not {value!r}")
            elif high is None:
                messages.append(f"{name} must be one of its declared values, not {value!r}")
            else:
                messages.append(f"{name.rpartition('[')[0]} has {value} items, not {high}")
            return _clip(value, low, high, at)

        self._write(view, seat or 0, self._zeros[:], [_NEVER] * len(self._cache[0]), clip)
        return messages


def _clip(value: Any, low: Any, high: Any, at: int) -> Any:
    """Return the bound nearest to an out-of-bounds value, or None if there are no bounds."""
    return None if low is None else low if value < low else high


# Generation of the function that writes a view.


class _Value(NamedTuple):
    """A value to be written: its schema, and an expression for it in the generated code.

    Attributes:
        part: Schema of the value.
        source: Expression for the value.
        sample: The value in the initial state, if known.
        back: Placeholder that views show for the value if it is hidden, if known.
        given: Notes of the value that contains this value.
    """

    part: Any
    source: str
    sample: Any = _NOTHING
    back: Any = _NOTHING
    given: tuple[Any, ...] = ()

    def note(self, kind: type[T]) -> T | None:
        """Return the value's note of this class, or None."""
        return next((it for it in (*self.part.notes, *self.given) if isinstance(it, kind)), None)

    def has(self, mark: object) -> bool:
        """Return whether this note, which has no parameters, is present."""
        return any(it is mark for it in (*self.part.notes, *self.given))


class _Place(NamedTuple):
    """The position of a value in the array: `offset`, plus the variable `start` if there is one.

    With `adds`, the value is added to the number at that position.
    """

    start: str = ""
    offset: int = 0
    adds: bool = False

    def put(self, value: str, at: str = "") -> str:
        """Return a statement that writes a value, shifted by the expression `at`."""
        place = " + ".join(filter(None, (self.start, at, str(self.offset or ""))))
        return f"row[{place or '0'}] {'+=' if self.adds else '='} {value}"

    def shift(self, steps: int) -> _Place:
        return self._replace(offset=self.offset + steps)

    def __str__(self) -> str:
        return f"{self.start} + {self.offset}" if self.start else str(self.offset)


class _Number(NamedTuple):
    """A number of an observation: its meaning and its bounds."""

    name: str
    low: float = 0
    high: float = 1

    def of(self, step: str, least: int = 1, most: int = 1) -> _Number:
        """Return the number as a part of a container that adds several values, or may lack them.

        Args:
            step: Step from the container to this number, for the name.
            least: Minimum number of values. With 0, the number may be 0.
            most: Maximum number of values.
        """
        low, high = min(self.low * least, self.low * most), max(self.high * least, self.high * most)
        return _Number(step + self.name, low, high)


class _Numbers(NamedTuple):
    """The numbers of a value.

    `are_evident` means that no value is encoded entirely as zeros, so only a missing value is.
    """

    all: list[_Number]
    are_evident: bool = False


class _Category(NamedTuple):
    """A one-hot encoding.

    Attributes:
        names: Names of the categories.
        table: Lookup table from values to their indices, as an expression.
        test: Condition for values that have a category. Empty if all have one.
    """

    names: list[str]
    table: str
    test: str = ""


class _Writer:
    """Generates the code that writes a view. Each method handles a value at a position.

    `slots` is the number of cached collections. Without `keeps`, nothing is cached.
    """

    def __init__(self, match: AnyMatch, *, keeps: bool) -> None:
        self._match = match
        self._keeps, self.slots = keeps, 0
        self._above: list[type[Any]] = []
        self._count = count(1)
        seats = range(match.seats)
        self._relative = [{seat: (seat - me) % len(seats) for seat in seats} for me in seats]
        self.names: dict[str, Any] = {"all_seats": self._relative, "deque": deque}
        self.lines = ["def write(view, me, row, cache, clip):", "    seats = all_seats[me]"]
        self._indent = "    "

    def write(self, it: _Value, place: _Place) -> _Numbers:
        """Generate the code for any value."""
        if it.has(UNOBSERVED):
            return _Numbers([])
        # Not in loops, where one cache slot would serve several values.
        if self._keeps and not place.start and self._is_long(it):
            return self._keep(it, place)
        return self._write(it, place)

    def _is_long(self, it: _Value) -> bool:
        """Return whether a value may have many items and can be compared to detect changes."""
        part, one_of = it.part, it.note(OneOf)
        if one_of or not isinstance(part, schema.Sequence):
            return False
        return _is_comparable(part.item) and self._lengths(it)[1] >= _LONG

    def _keep(self, it: _Value, place: _Place) -> _Numbers:
        """Generate code that copies an unchanged collection's numbers, or caches new numbers."""
        source, slot, last = self._name_value(it.source), f"cache[{self.slots}]", self._new("last")
        self.slots += 1
        with self._block(f"if {source} == ({last} := {slot})[0]:"):
            copied = len(self.lines)
        with self._block("else:"):
            numbers = self._write(it._replace(source=source), place)
            row = f"row[{place}:{place.shift(len(numbers.all))}]"
            self._line(f"{slot} = {it.part.kind.__name__}({source}), {row}")
        self.lines[copied] = f"{self._indent}    {row} = {last}[1]"
        return numbers

    def _write(self, it: _Value, place: _Place) -> _Numbers:
        """Generate the code for a value without a cache."""
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
        numbers: _Numbers = writers.get(type(it.part), self._number)(it, place)
        return numbers

    def _line(self, line: str) -> None:
        self.lines.append(self._indent + line)

    @contextmanager
    def _block(self, head: str) -> Iterator[None]:
        """Indent the lines that are written in a `with` statement below a head."""
        self._line(head)
        before = len(self.lines)
        self._indent += "    "
        yield
        if len(self.lines) == before:
            self._line("pass")
        self._indent = self._indent[4:]

    def _new(self, word: str, value: str = "") -> str:
        """Return the name of a new variable, and set the variable if a value is given."""
        name = f"{word}{next(self._count)}"
        if value:
            self._line(f"{name} = {value}")
        return name

    def _name_value(self, source: str) -> str:
        """Return the name of a variable that holds the value of an expression."""
        return source if source.isidentifier() else self._new("it", source)

    def _resolve_bound(self, bound: Any) -> Any:
        """Return a bound. If the bound is a function, call it with the match."""
        is_function = callable(bound) and not isinstance(bound, Iterable)
        return bound(self._match) if is_function else bound

    # Single values.

    def _category(self, it: _Value) -> _Category | None:
        """Return the categories of a value, or None if it is not categorical."""
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
            raise SchemaError("OneOf needs an order: write a list or a tuple instead of a set")
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
        names = [value.name if isinstance(value, Enum) else str(value) for value in values]
        is_optional = isinstance(part, schema.Union) and part.optional and None not in values
        return _Category(names, table, "is not None" if is_optional else "")

    def _one_hot(self, category: _Category, it: _Value, place: _Place) -> _Numbers:
        """Generate code that writes a 1 at the index of the category."""
        with self._block(f"if {it.source} {category.test}:" if category.test else "if True:"):
            with self._block("try:"):
                self._line(place.put("1.0", f"{category.table}[{it.source}]"))
            with self._block("except KeyError:"):
                self._line(f"clip({it.source}, None, None, {place})")
        return _Numbers([_Number(f"={name}") for name in category.names], not category.test)

    def _number(self, it: _Value, place: _Place) -> _Numbers:
        """Generate the code for a boolean, or for a number with a range."""
        bounds, each = Range(0, 1) if it.part.origin is bool else it.note(Range), it.note(PerSeat)
        if each:
            return self._bits(it, place, each.each)
        if bounds is None:
            name = type_name(it.part.annotation)
            amount = f"write Annotated[{name}, Range(low, high)], or OneOf(values) for categories"
            advice = amount if it.part.origin in (int, float) else _ONE_OF
            raise SchemaError(f"{name} has no bounds for an observation: {advice}")
        low, high = self._resolve_bound(bounds.low), self._resolve_bound(bounds.high)
        if isinstance(it.back, int | float):
            low, high = min(low, it.back), max(high, it.back)
        if not -_EXACT <= low <= high <= _EXACT:
            raise SchemaError(
                f"Range({low}, {high}): bounds must be from -{_EXACT} to {_EXACT}, the lower first"
            )
        # Zeros need not be written, because the array starts with zeros, and most numbers are zero.
        with self._block(f"if {it.source}:" if low <= 0 <= high else "if True:"):
            fits = f"{low} <= (it := {it.source}) <= {high}"
            self._line(place.put(f"it if {fits} else clip(it, {low}, {high}, {place})"))
        return _Numbers([_Number("", low, high)])

    def _bits(self, it: _Value, place: _Place, each: int) -> _Numbers:
        """Generate the code for an integer that has a fixed number of bits per seat."""
        size, bits = each * self._match.seats, self._new("bits", it.source)
        with self._block(f"if {bits} >> {size}:"):
            self._line(f"clip({bits}, 0, {(1 << size) - 1}, {place})")
        self._line(f"{bits} &= {(1 << size) - 1}")
        # Doubled and shifted, so that the bits of the observing seat come first.
        self._line(f"{bits} = ({bits} | {bits} << {size}) >> me * {each} & {(1 << size) - 1}")
        with self._block(f"while {bits}:"):
            self._line(place.shift(-1).put("1.0", f"({bits} & -{bits}).bit_length()"))
            self._line(f"{bits} &= {bits} - 1")
        return _Numbers([_Number(f"[{at}]") for at in range(size)])

    # Values with parts.

    def _union(self, it: _Value, place: _Place) -> _Numbers:
        """Generate the code for a union. Members that may be all zeros get an extra 1."""
        members = it.part.members
        source, given, numbers = self._name_value(it.source), (*it.part.notes, *it.given), []
        least = int(len(members) == 1 and not it.part.optional)
        for at, member in enumerate(members):
            test, step = f"{source} is not None", ""
            if len(members) > 1:
                kinds, step = self._new("kinds"), f":{type_name(member.origin)}"
                self.names[kinds] = tuple(member.classes())
                test = f"{source}.__class__ in {kinds}"
            with self._block(f"{'el' * bool(at)}if {test}:"):
                written = self.write(_Value(member, source, it.sample, it.back, given), place)
                place = place.shift(len(written.all))
                numbers += [number.of(step, least) for number in written.all]
                if not written.are_evident:
                    self._line(place.put("1.0"))
                    place = place.shift(1)
                    numbers.append(_Number(f"{step}?"))
        return _Numbers(numbers, not it.part.optional)

    def _fields(self, it: _Value, place: _Place) -> _Numbers:
        """Generate the code for all fields of a dataclass, or all items of a tuple, in order."""
        kind, numbers, are_evident = it.part.kind, list[_Number](), False
        if kind in self._above and kind is not tuple:
            raise SchemaError(f"{kind.__name__} contains itself; {_LEAVE_OUT}")
        secrets, given = secrets_of(kind), it.note(Fields) or Fields()
        self._above.append(kind)
        source = self._name_value(it.source)
        for at, (step, part) in enumerate(it.part.parts()):
            name = step.strip(".")
            sample, back = (_get_part(whole, at, name) for whole in (it.sample, it.back))
            back = secrets[name].back if name in secrets else back
            value = _Value(part, source + step, sample, back, given.notes.get(name, ()))
            written: _Numbers = at_step(step, self.write, value, place.shift(len(numbers)))
            numbers += [number.of(step) for number in written.all]
            are_evident |= written.are_evident
        self._above.pop()
        return _Numbers(numbers, are_evident)

    def _sequence(self, it: _Value, place: _Place) -> _Numbers:
        """Generate the code for a collection: the items in turn or their sum, then the length."""
        is_set, seats = it.part.is_set, it.note(PerSeat)
        least, most = self._lengths(it)
        is_list = it.part.kind in (list, tuple)
        items = self._new("items", it.source if is_list else f"[*{it.source}]")
        element = self._new("item")
        with self._block(f"if len({items}) {'!=' if least == most else '>'} {most}:"):
            self._line(f"clip(len({items}), None, {most}, {place})")
            self._line(f"{items} = {items}[:{most}]")
        if seats:
            with self._block("if me:"):
                first = f"me * {seats.each}"
                self._line(f"{items} = {items}[{first}:] + {items}[:{first}]")
        sample = next(iter(it.sample), _NOTHING) if isinstance(it.sample, Iterable) else _NOTHING
        value = _Value(it.part.item, element, sample, it.back)
        at, adds_up = self._new("at", str(place)), is_set or it.has(BAG)
        with self._block(f"for {element} in {items}:"):
            where = _Place(at, 0, adds_up or place.adds)
            item: _Numbers = at_step("[...]", self.write, value, where)
            if not adds_up:
                self._line(f"{at} += {len(item.all)}")
        if adds_up:
            # The values of a set differ, so each category has at most one.
            most_equal = 1 if is_set and self._category(value) else most
            numbers = [number.of("[*]", least, most_equal) for number in item.all]
            counted = not item.are_evident
        else:
            sign = "+" if seats and seats.each == 1 else ""
            each = int(least == most)  # else the last places may be empty
            numbers = [it.of(f"[{sign}{at}]", each) for at in range(most) for it in item.all]
            counted = least != most
        if counted:
            self._line(place.shift(len(numbers)).put(f"len({items})"))
            numbers.append(_Number("[#]", 0, most))
        return _Numbers(numbers)

    def _lengths(self, it: _Value) -> tuple[int, int]:
        """Return the minimum and maximum length of a collection."""
        seats, length = it.note(PerSeat), it.note(Length)
        if seats or (it.has(FIXED) and it.sample is not _NOTHING):
            size = seats.each * self._match.seats if seats else len(it.sample)
            return size, size
        if length is None:
            name = type_name(it.part.annotation)
            raise SchemaError(
                f"{name} has no length for an observation: write Annotated[{name}, Length(most)],"
                f" PER_SEAT for one item per seat, FIXED for a constant length, or {_LEAVE_OUT}"
            )
        return 0, self._resolve_bound(length.most)

    def _mapping(self, it: _Value, place: _Place) -> _Numbers:
        """Generate the code for the values of a mapping, each at the position of its key."""
        keys = self._category(_Value(it.part.key, ""))
        if keys is None:
            raise SchemaError(f"the possible keys are not known: {_ONE_OF}", [".keys()"])
        key, at, content = self._new("key"), self._new("at"), self._new("value")
        samples = it.sample.values() if isinstance(it.sample, dict) else ()
        sample = next(iter(samples), _NOTHING)
        value = _Value(it.part.value, content, sample, it.back, it.part.notes)
        with self._block(f"for {key}, {content} in {it.source}.items():"):
            with self._block(f"if {key} not in {keys.table}:"):
                self._line(f"clip({key}, None, None, {place})")
                self._line("continue")
            step = len(self.lines)
            item: _Numbers = at_step("[...]", self.write, value, _Place(at, 0, place.adds))
            where = f"{at} = {keys.table}[{key}] * {len(item.all)} + {place}"
            self.lines.insert(step, f"{self._indent}{where}")
        return _Numbers([number.of(f"[{key}]", 0) for key in keys.names for number in item.all])


# Detection of changed values.


def _is_comparable(part: Schema, above: tuple[type[Any], ...] = ()) -> bool:
    """Return whether the values of a schema are immutable and encoded equally if equal.

    `above` contains the classes that are being checked, because a class may contain itself.
    """
    match part:
        case schema.Scalar():
            return is_immutable(part)
        case schema.Union() if len(part.members) != 1:
            return False  # 1 equals True, but has a different position
        case schema.Dataclass():
            if part.kind in above or not _compares_all_fields(part.kind):
                return False
            above = (*above, part.kind)
        case schema.Tuple() if part.kind.__eq__ is not tuple.__eq__:
            return False
    return is_immutable(part) and all(_is_comparable(it, above) for _, it in part.parts())


def _compares_all_fields(kind: type[Any]) -> bool:
    """Return whether objects of a dataclass are equal only if all of their fields are equal."""
    model = make_dataclass("Model", [it.name for it in fields(kind)])
    codes = [getattr(it.__eq__, "__code__", None) for it in (kind, model)]
    actual, expected = ([getattr(it, name, "") for name in ("co_code", "co_names")] for it in codes)
    return actual == expected


def _get_part(whole: Any, at: int, name: str) -> Any:
    """Return a field of an object or an item of a tuple, or `_NOTHING`."""
    if isinstance(whole, tuple):
        return whole[at] if at < len(whole) else _NOTHING
    return getattr(whole, name, _NOTHING)
