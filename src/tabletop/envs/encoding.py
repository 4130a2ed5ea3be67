"""Observations: a view as numbers in an array, by an encoder generated from the class of the state.

Every field has its places in the array, which follow from its annotation and from the notes of
`tabletop.states.bounds`. The function that writes them is generated once for a kind of matches, as
`tabletop.states.states` does it for `clone`. It writes only what is not as it was when the same seat
looked last.
"""

from __future__ import annotations

from array import array
from collections import Counter, deque
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, nullcontext
from copy import copy
from dataclasses import fields, make_dataclass
from enum import Enum
from itertools import count, groupby
from typing import Any, Final, Literal, NamedTuple, Protocol, TypeAlias, TypeVar, get_args

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

_FLOAT: Final = np.dtype(np.float32)

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
        writer = _Writer(match)
        try:
            whole = _Value(schema_of(kind), "view", match.state)
            numbers = writer.write_fields(whole, _Place(memory="written")).all
        except SchemaError as error:
            raise ContractError(error.at(kind.__qualname__)) from error
        self._zeros = writer.names["zeros"] = _zeros(len(numbers))
        title = f"observation of {kind.__module__}.{kind.__qualname__}"
        self._write: Any = compile_functions(title, writer.lines, writer.names)["write"]
        self.names: tuple[str, ...] = tuple(it.name.removeprefix(".") for it in numbers)
        self.size: int = len(numbers)
        self.low: NDArray[np.float32] = np.array([it.low for it in numbers], np.float32)
        self.high: NDArray[np.float32] = np.array([it.high for it in numbers], np.float32)
        self._blank = writer.blank
        self._memories: dict[Seat, _Memory] = {}

    def twin(self) -> Encoder:
        """Return an encoder that writes the same numbers: for another match, it is faster so."""
        other = copy(self)
        other._memories = {}
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
        me = seat or 0
        # Nobody else has it meanwhile; where writing fails, the next one begins anew.
        memory = self._memories.pop(me, None) or self._begin()
        row, written = memory
        self._write(view, me, row, written, _clip)
        if out is None:
            out = np.frombuffer(row[:], _FLOAT)
        else:
            out[:] = row
        self._memories[me] = memory
        return out

    def _begin(self) -> _Memory:
        return self._zeros[:], _fresh(self._blank)

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

        self._write(view, seat or 0, *self._begin(), clip)
        return found


_Memory: TypeAlias = tuple["array[float]", list[Any]]
"""The numbers last written for a seat, and the values that they stand for: see `_Place`."""


def _zeros(size: int) -> array[float]:
    return array("f", bytes(4 * size))


def _fresh(blank: list[Any]) -> list[Any]:
    """Return a memory of nothing, as long and as deep as a given one."""
    return [_fresh(it) if it.__class__ is list else it for it in blank]


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

    With `adds` the value is added to what others have written there. `memory` is a variable with
    a list of the values last written there and next to it, `...` for none; without it, nothing has
    been written.
    """

    start: str = ""
    offset: int = 0
    adds: bool = False
    memory: str = ""

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
    """Writes the lines that write a view. Its methods write a value at a place."""

    def __init__(self, match: AnyMatch) -> None:
        self._match = match
        self._above: list[type[Any]] = []
        self._count = count(1)
        seats = range(match.seats)
        self._relative = [{seat: (seat - me) % len(seats) for seat in seats} for me in seats]
        self.names: dict[str, Any] = {"all_seats": self._relative, "deque": deque, "fresh": _fresh}
        self.lines = ["def write(view, me, row, written, clip):", "    seats = all_seats[me]"]
        self.blank: list[Any] = []
        self._blanks = {"written": self.blank}
        self._indent = "    "

    def write(self, it: _Value, place: _Place) -> _Numbers:
        """Write any value."""
        if it.has(UNOBSERVED):
            return _Numbers([])
        if place.memory and not _has_memories(it):
            it = it._replace(source=self._name_value(it.source))
            with self._if_changed([it], place) as numbers:
                one = self.write(it, place._replace(memory=""))
                numbers.extend(one.all)
            return one
        category = self._category(it)
        if category is not None:
            return self._one_hot(category, it, place)
        writers: dict[type[Schema], Any] = {
            schema.Union: self._union,
            schema.Dataclass: self.write_fields,
            schema.Tuple: self.write_fields,
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

    # Memory.

    def _remember(self, memory: str, blank: Any = ...) -> str:
        """Return where a memory keeps one more thing, which is `blank` at first."""
        known = self._blanks[memory]
        known.append(blank)
        return f"{memory}[{len(known) - 1}]"

    @contextmanager
    def _if_changed(self, values: list[_Value], place: _Place) -> Iterator[list[_Number]]:
        """Write a block for values at a place: it stands there anew if one of them has changed.

        What has stood there is cleared: as many numbers as the block adds to the list.
        """
        part, now = values[0].part, self._name_value(", ".join(it.source for it in values))
        slot, kind = self._remember(place.memory), _collected(part)
        kept = f"{kind}({now})" if kind else now
        if kind or _is_told_by_equality(part):
            test = f"{now} != {slot}"
        else:
            test, kept = (f"{now} is not {slot}", now) if is_immutable(part) else ("True", "...")
        with self._block(f"if {test}:"):
            begin, numbers = len(self.lines), list[_Number]()
            yield numbers
            if size := len(numbers):
                zeros = f"zeros{size}"
                self.names[zeros] = _zeros(size)
                clear = f"row[{place}:{place.shift(size)}] = {zeros}"
                self.lines.insert(begin, self._indent + clear)
            self._line(f"{slot} = {kept}")

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

    def write_fields(self, it: _Value, place: _Place) -> _Numbers:
        """Write all fields of a dataclass, or all places of a tuple, in order."""
        kind, numbers, are_evident = it.part.kind, list[_Number](), False
        if kind in self._above and kind is not tuple:
            raise SchemaError(f"{kind.__name__} holds its own kind; {_LEFT_OUT}")
        secrets, given = secrets_of(kind), it.note(Fields) or Fields()
        self._above.append(kind)
        source, values = self._name_value(it.source), list[tuple[str, _Value]]()
        for at, (step, part) in enumerate(it.part.parts()):
            name = step.strip(".")
            sample, back = (_get_part(whole, at, name) for whole in (it.sample, it.back))
            back = secrets[name].back if name in secrets else back
            value = _Value(part, source + step, sample, back, given.notes.get(name, ()))
            if not value.has(UNOBSERVED):
                values.append((step, value))
        # Single values side by side are compared, and written, together.
        for are_single, group in groupby(values, lambda it: _is_single(it[1].part)):
            run, each, changed = [*group], place, nullcontext(list[_Number]())
            if are_single and place.memory:
                each = place._replace(memory="")
                start = place.shift(len(numbers))
                changed = self._if_changed([value for _, value in run], start)
            with changed as written:
                for step, value in run:
                    one: _Numbers = at_step(step, self.write, value, each.shift(len(numbers)))
                    numbers += [number.of(step) for number in one.all]
                    written.extend(one.all)
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
        each, blanks, head = "", list[Any](), f"for {one} in {items}:"
        if place.memory:
            each, slot = self._new("written"), self._remember(place.memory, blanks)
            blank = self._blanks[each] = self.names[f"blank_{each}"] = list[Any]()
            head = f"for {one}, {each} in zip({items}, {slot}):"
        with self._block(head):
            where = _Place(at, 0, adds_up or place.adds, each)
            item: _Numbers = at_step("[...]", self.write, value, where)
            if not adds_up:
                self._line(f"{at} += {len(item.all)}")
        if place.memory:
            blanks += [blank] * most
            length = self._remember(place.memory, 0)
            with self._block(f"if len({items}) < {length}:"):
                end = place.shift(most * len(item.all))
                self._line(f"row[{at}:{end}] = zeros[{at}:{end}]")
                with self._block(f"for {each} in {slot}[len({items}):{length}]:"):
                    self._line(f"{each}[:] = fresh(blank_{each})")
            self._line(f"{length} = len({items})")
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


def _is_told_by_equality(part: Schema) -> bool:
    """Check whether values of a schema never change, and are written alike where they are equal."""
    match part:
        case schema.Scalar():
            return is_immutable(part)
        case schema.Union() if len(part.members) != 1:
            return False  # True is 1, but of another class
        case schema.Dataclass() if not (part.is_frozen and _compares_all_fields(part.kind)):
            return False
        case schema.Tuple() if part.kind is not tuple and part.kind.__eq__ is not tuple.__eq__:
            return False
    parts = [it for _, it in part.parts()]
    return is_immutable(part) and all(map(_is_told_by_equality, parts))


def _compares_all_fields(kind: type[Any]) -> bool:
    """Check whether objects of a dataclass are equal only where all of their fields are."""
    made: Any = make_dataclass("Made", [it.name for it in fields(kind)])
    own, given = (getattr(it.__eq__, "__code__", None) for it in (kind, made))
    return own is not None and (own.co_code, own.co_names) == (given.co_code, given.co_names)


def _collected(part: Schema) -> str:
    """Return the class of a collection whose items equality tells apart; else nothing."""
    kinds = {list: "list", set: "set", deque: "deque", dict: "dict", Counter: "dict"}
    kind = kinds.get(part.kind, "") if isinstance(part, schema.Sequence | schema.Mapping) else ""
    return kind if all(_is_told_by_equality(it) for _, it in part.parts()) else ""


def _is_single(part: Schema) -> bool:
    """Check whether a schema is that of single values that equality tells apart, or None."""
    single = part.members[0] if isinstance(part, schema.Union) else part
    return isinstance(single, schema.Scalar) and _is_told_by_equality(part)


def _has_memories(it: _Value) -> bool:
    """Check whether each part of a value has a memory of its own, so that it can have none."""
    part = it.part
    if isinstance(part, schema.Sequence):
        adds_up = part.is_set or it.has(BAG)
        return not (adds_up or _collected(part) or is_immutable(part))
    return isinstance(part, schema.Dataclass | schema.Tuple) and not is_immutable(part)


def _get_part(whole: Any, at: int, name: str) -> Any:
    """Return a field of a value, or an item of a tuple, as far as there is one."""
    if isinstance(whole, tuple):
        return whole[at] if at < len(whole) else _NOTHING
    return getattr(whole, name, _NOTHING)
