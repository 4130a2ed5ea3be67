"""Observations: a view as numbers in an array, by an encoder generated from the class of the state.

Every field has its places in the array, which follow from its annotation and from the notes of
`tabletop.bounds`. The source of the function that writes them is generated once for a kind of
matches, as `tabletop.states` does it for `clone`. `docs/guide/learning.md` explains the layout.
"""

from __future__ import annotations

from array import array
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from enum import Enum
from itertools import count, repeat
from typing import Any, Final, Literal, NamedTuple, Protocol, get_args

import numpy as np

from tabletop import schema
from tabletop.annotations import SchemaError, at_step, type_name
from tabletop.bounds import (
    BAG,
    FIXED,
    UNOBSERVED,
    Length,
    OneOf,
    PerSeat,
    Range,
    SeatOr,
)
from tabletop.errors import ContractError
from tabletop.game import AnyGame
from tabletop.match import AnyMatch, Match
from tabletop.options import Options
from tabletop.outcome import Seat
from tabletop.registry import Plugin
from tabletop.schema import Schema, schema_of
from tabletop.states import compile_functions
from tabletop.visibility import secrets_of

_SEAT: Final = schema_of(Seat).notes[0]
_NOTHING: Final = object()
"""Stands for a value or a back that is not known."""

_EXACT: Final = 2**24
"""Whole numbers up to this are written exactly."""

_LEFT_OUT: Final = "UNOBSERVED leaves it out"
_ONE_OF: Final = f"write Annotated[..., OneOf(values)]; {_LEFT_OUT}"
_RANGE: Final = "write Annotated[{0}, Range(low, high)], or OneOf(values) for what is no amount"


class ObservationEncoder(Protocol):
    """What a learner needs to see a game as numbers; `Encoder`, or one that a game brings.

    Attributes:
        size: how many numbers an observation has.
        low: the least value of each.
        high: the greatest value of each.
    """

    size: int
    low: Any
    high: Any

    def encode(self, view: Any, seat: Seat | None, out: Any) -> None:
        """Write the observation of `seat`, whose view it is, into an array of `size` numbers."""
        ...


def make_encoder(
    plugin: Plugin | AnyGame, options: Options | None = None, seats: int | None = None
) -> ObservationEncoder:
    """Return the encoder for matches of a game: its own, or else one made from its states.

    Args:
        plugin: a game with what comes with it; or the rules alone, which bring no encoder.
        options: the game's options that differ from their defaults.
        seats: the number of seats; the fewest the game allows when not given.

    Raises:
        ContractError: some field of the state has no bounds; names it, and says what to write.
    """
    game = plugin.game if isinstance(plugin, Plugin) else plugin
    own: Any = plugin.encoder if isinstance(plugin, Plugin) else None
    if own is None:
        return Encoder(game, options, seats)
    made: ObservationEncoder = own
    if not hasattr(own, "encode"):
        made = own(game, game.resolve_options(options or {}), seats or game.seats[0])
    return made


class Encoder:
    """Writes views as numbers. It is made from the first state of a match, for all matches alike.

    Args:
        game: the rules.
        options: the game's options that differ from their defaults.
        seats: the number of seats; the fewest the game allows when not given.

    Attributes:
        size: how many numbers an observation has.
        low: the least value of each, an array of `float32`.
        high: the greatest value of each.
        names: what each means, such as `sides[+1].life`: of the seat after the one that looks.

    Raises:
        ContractError: some field of the state has no bounds; names it, and says what to write.
    """

    def __init__(
        self, game: AnyGame, options: Options | None = None, seats: int | None = None
    ) -> None:
        match = Match(game, seed="encoder", options=options, seats=seats)
        kind = type(match.state)
        part = schema_of(kind)
        if not isinstance(part, schema.Dataclass):
            raise ContractError(
                f"{kind.__qualname__} is no dataclass: bring an ENCODER of your own"
            )
        writer = _Writer(match)
        try:
            whole = writer.feature(part, match.state, _NOTHING)
        except SchemaError as error:
            raise ContractError(error.at(kind.__qualname__)) from error
        lines = ["def write(view, me, row, clip):", *_indented(whole.write("view", _Place()))]
        title = f"observation of {kind.__module__}.{kind.__qualname__}"
        self._write: Any = compile_functions(title, lines, writer.names)["write"]
        self.names = tuple(it.name.removeprefix(".") for it in whole.numbers)
        self.size = len(whole.numbers)
        self.low = np.array([it.low for it in whole.numbers], np.float32)
        self.high = np.array([it.high for it in whole.numbers], np.float32)
        self._zeros = array("f", bytes(4 * self.size))

    def encode(self, view: Any, seat: Seat | None, out: Any) -> None:
        """Write the observation of `seat` into `out`, an array of `size` numbers.

        Values outside of their bounds are written as the nearest bound, or not at all.

        Args:
            view: the view of that seat, as `Match.view` returns it.
            seat: the seat that looks, from which seats are counted; a spectator (None) counts them
                from seat 0.
            out: an array of floats or whole numbers.
        """
        row = self._zeros[:]
        self._write(view, seat or 0, row, _clip)
        out[:] = np.frombuffer(row, np.float32)

    def clipped(self, view: Any, seat: Seat | None) -> list[str]:
        """Return which values of a view lie outside of their bounds, in words."""
        found: list[str] = []

        def clip(value: Any, low: Any, high: Any, name: str) -> Any:
            bounds = "one of its values" if low is None else f"from {low} to {high}"
            found.append(f"{name} is {value!r}, not {bounds}")
            return _clip(value, low, high, name)

        self._write(view, seat or 0, self._zeros[:], clip)
        return found


def _clip(value: Any, low: Any, high: Any, name: str) -> Any:
    """Return the bound next to a value outside of its bounds; None where it has none."""
    return None if low is None else low if value < low else high


# The features of a value, and the source that writes them.


class _Place(NamedTuple):
    """The place of a value in the array: `offset` after the variable `start`, if there is one.

    With `adds` the value is added to what others have written there.
    """

    start: str = ""
    offset: int = 0
    adds: bool = False

    def put(self, value: str, at: str = "") -> str:
        """Return a statement that writes a value, so many places on as the variable `at` says."""
        place = " + ".join(filter(None, (self.start, at, str(self.offset or ""))))
        return f"row[{place or '0'}] {'+=' if self.adds else '='} {value}"

    def shifted(self, steps: int) -> _Place:
        return self._replace(offset=self.offset + steps)

    @property
    def source(self) -> str:
        """An expression for the place itself."""
        return f"{self.start} + {self.offset}" if self.start else str(self.offset)


class _Number(NamedTuple):
    """A number of an observation: what it means, and its bounds."""

    name: str
    low: float = 0
    high: float = 1

    def at(self, step: str, times: float = 1) -> _Number:
        """Return the number as one of a part, or as the sum of so many."""
        return _Number(step + self.name, self.low * times, self.high * times)


class _Feature(NamedTuple):
    """The numbers of a value, and the lines that write them.

    `is_evident` is True where no value is written as zeros alone, so that they mean: no value.
    """

    numbers: list[_Number]
    write: Callable[[str, _Place], list[str]]
    is_evident: bool = False

    def marked(self) -> _Feature:
        """Return the feature after a number that says that there is a value, if that is needed."""
        if self.is_evident:
            return self

        def write(value: str, place: _Place) -> list[str]:
            return [place.put("1.0"), *self.write(value, place.shifted(1))]

        return _Feature([_Number("?"), *self.numbers], write, is_evident=True)


class _Category(NamedTuple):
    """The values that are told apart: their names, and an expression for the index of `{0}`.

    The index of another value is None; `nobody` is a value without one.
    """

    names: list[str]
    source: str
    nobody: int | None = None


def _indented(lines: Iterable[str]) -> list[str]:
    return [f"    {line}" for line in lines]


class _Writer:
    """Makes the features of a class of states, and the names in their source."""

    def __init__(self, match: AnyMatch) -> None:
        self._match = match
        self._steps: list[str] = []
        self._above: list[type[Any]] = []
        self._count = count(1)
        self.names: dict[str, Any] = {}

    def feature(
        self, part: Schema, sample: Any, back: Any, given: tuple[Any, ...] = ()
    ) -> _Feature:
        """Return the feature of a value.

        Args:
            part: its schema.
            sample: the value in the first state, as far as there is one.
            back: what views show in its place, as far as it can be hidden.
            given: notes that stand on the whole, such as a union.
        """
        notes = (*part.notes, *given)
        if UNOBSERVED in notes:
            return _Feature([], lambda value, place: ["pass"])
        if isinstance(part, schema.Union):
            return self._union(part, sample, back, notes)
        category = self._category(part, back, notes)
        if category is not None:
            return self._one_hot(category)
        makers: dict[type[Schema], Any] = {
            schema.Dataclass: self._dataclass,
            schema.Tuple: self._tuple,
            schema.Sequence: self._sequence,
            schema.Mapping: self._mapping,
        }
        made: _Feature = makers.get(type(part), self._number)(part, sample, back, notes)
        return made

    def _below(self, step: str, part: Schema, sample: Any, back: Any) -> _Feature:
        """Return the feature of a part; errors and messages name the step to it."""
        self._steps.append(step)
        made: _Feature = at_step(step, self.feature, part, sample, back)
        self._steps.pop()
        return made

    def _path(self) -> str:
        return "".join(self._steps).removeprefix(".")

    def _fresh(self, word: str) -> str:
        return f"{word}{next(self._count)}"

    def _named(self, thing: Any) -> str:
        name = self._fresh("known")
        self.names[name] = thing
        return name

    def _settled(self, bound: Any) -> Any:
        """Return a bound; a function is asked what it is for these matches."""
        return bound(self._match) if callable(bound) else bound

    # Single values.

    def _category(self, part: Schema, back: Any, notes: Sequence[Any]) -> _Category | None:
        """Return the category that a value stands for; None for any other value."""
        nobody = next((it.nobody for it in notes if isinstance(it, SeatOr)), None)
        if nobody is not None or _SEAT in notes:
            seats = self._match.seats
            index = f"({{0}} - me) % {seats} if 0 <= {{0}} < {seats} else None"
            return _Category([f"+{seat}" for seat in range(seats)], index, nobody)
        values = self._values(part, notes)
        if not values:
            return None
        if back not in values and isinstance(back, tuple(part.classes())):
            values.insert(0, back)
        names = [it.name if isinstance(it, Enum) else str(it) for it in values]
        first = values[0]
        if isinstance(first, int) and values == [*range(first, first + len(values))]:
            index = f"{{0}} - {first:d} if {first:d} <= {{0}} <= {values[-1]:d} else None"
            return _Category(names, index)
        known = self._named({value: at for at, value in enumerate(values)})
        return _Category(names, f"{known}.get({{0}})")

    def _values(self, part: Schema, notes: Sequence[Any]) -> list[Any]:
        """Return the possible values of a category; none for what is not one."""
        for it in notes:
            if isinstance(it, OneOf):
                values = it.values if isinstance(it.values, Iterable) else self._settled(it.values)
                if isinstance(values, set | frozenset):
                    raise SchemaError("a set has no order; write OneOf of a list or a tuple")
                return list(values)
        if part.origin is Literal:
            return list(get_args(part.annotation))
        is_enum = isinstance(part.origin, type) and issubclass(part.origin, Enum)
        return list(part.origin) if is_enum else []

    def _one_hot(self, category: _Category) -> _Feature:
        """Return a feature with a 1 at the index of a category."""
        path = self._path()

        def write(value: str, place: _Place) -> list[str]:
            it, at = self._fresh("it"), self._fresh("at")
            lines = [
                f"{at} = {category.source.format(it)}",
                f"if {at} is not None:",
                f"    {place.put('1.0', at)}",
                "else:",
                f"    clip({it}, None, None, {path!r})",
            ]
            if category.nobody is not None:
                lines = [f"if {it} != {category.nobody}:", *_indented(lines)]
            return [f"{it} = {value}", *lines]

        numbers = [_Number(f"={name}") for name in category.names]
        return _Feature(numbers, write, is_evident=category.nobody is None)

    def _number(self, part: Schema, sample: Any, back: Any, notes: Sequence[Any]) -> _Feature:
        """Return the feature of a truth value, or of a number with a range."""
        if part.origin is bool:
            return _Feature(
                [_Number("")], lambda value, place: [f"if {value}:", f"    {place.put('1.0')}"]
            )
        bounds = next((it for it in notes if isinstance(it, Range)), None)
        if bounds is None:
            name = type_name(part.annotation)
            advice = _RANGE.format(name) if part.origin in (int, float) else _ONE_OF
            raise SchemaError(f"{name} has no bounds for an observation; {advice}")
        low, high = self._settled(bounds.low), self._settled(bounds.high)
        if isinstance(back, int | float):
            low, high = min(low, back), max(high, back)
        if not -_EXACT <= low <= high <= _EXACT:
            raise SchemaError(
                f"Range({low}, {high}) is no range of up to {_EXACT}, the lower first"
            )
        path = self._path()

        def write(value: str, place: _Place) -> list[str]:
            it = self._fresh("it")
            fitting = f"{it} if {low} <= {it} <= {high} else clip({it}, {low}, {high}, {path!r})"
            lines = [place.put(fitting)]
            if low <= 0 <= high:  # what is written into is all zeros
                lines = [f"if {it}:", *_indented(lines)]
            return [f"{it} = {value}", *lines]

        return _Feature([_Number("", low, high)], write)

    # Values with parts.

    def _union(
        self, part: schema.Union, sample: Any, back: Any, notes: tuple[Any, ...]
    ) -> _Feature:
        """Return the features of all members, each marked where its zeros would not tell."""
        members = [(it, self.feature(it, sample, back, notes).marked()) for it in part.members]
        only = len(members) == 1

        def write(value: str, place: _Place) -> list[str]:
            it = self._fresh("it")
            lines = [f"{it} = {value}"]
            for member, one in members:
                kinds = self._named(tuple(member.classes()))
                test = f"{it} is not None" if only else f"isinstance({it}, {kinds})"
                word = "if" if len(lines) == 1 else "elif"
                lines += [f"{word} {test}:", *_indented(one.write(it, place))]
                place = place.shifted(len(one.numbers))
            return lines

        steps = ["" if only else f":{type_name(member.origin)}" for member, _ in members]
        each = zip(steps, members, strict=True)
        numbers = [it.at(step) for step, (_, one) in each for it in one.numbers]
        return _Feature(numbers, write, is_evident=not part.optional)

    def _tuple(self, part: schema.Tuple, sample: Any, back: Any, notes: Sequence[Any]) -> _Feature:
        """Return the features of all places."""
        samples = sample if isinstance(sample, tuple) else repeat(_NOTHING)
        backs = back if isinstance(back, tuple) else repeat(_NOTHING)
        return self._parts(zip(part.steps, part.items, samples, backs, strict=False))

    def _dataclass(
        self, part: schema.Dataclass, sample: Any, back: Any, notes: Sequence[Any]
    ) -> _Feature:
        """Return the features of all fields, in order."""
        if part.kind in self._above:
            raise SchemaError(f"{part.kind.__name__} holds its own kind; {_LEFT_OUT}")
        self._above.append(part.kind)
        secrets = secrets_of(part.kind)
        made = self._parts(
            (
                f".{name}",
                held,
                getattr(sample, name, _NOTHING),
                secrets[name].back if name in secrets else getattr(back, name, _NOTHING),
            )
            for name, held in part.fields.items()
        )
        self._above.pop()
        return made

    def _parts(self, parts: Iterable[tuple[str, Schema, Any, Any]]) -> _Feature:
        """Return the features of parts: of each the step to it, its schema, its sample and back."""
        made = [(part[0], self._below(*part)) for part in parts]

        def write(value: str, place: _Place) -> list[str]:
            it = self._fresh("it")
            lines = [f"{it} = {value}"]
            for step, one in made:
                if one.numbers:
                    lines += one.write(f"{it}{step}", place)
                place = place.shifted(len(one.numbers))
            return lines

        numbers = [it.at(step) for step, one in made for it in one.numbers]
        return _Feature(numbers, write, is_evident=any(one.is_evident for _, one in made))

    def _sequence(
        self, part: schema.Sequence, sample: Any, back: Any, notes: Sequence[Any]
    ) -> _Feature:
        """Return the features of a collection: of each item in turn, or of all added up."""
        first = next(iter(sample), _NOTHING) if isinstance(sample, Iterable) else _NOTHING
        item = self._below("[...]", part.item, first, back)
        if part.is_set:
            return self._set(part, item)
        each = next((it.each for it in notes if isinstance(it, PerSeat)), 0)
        least, most = self._lengths(part, sample, notes, each)
        is_bag, path = BAG in notes, self._path()
        counted = not (least == most or (is_bag and item.is_evident))

        def write(value: str, place: _Place) -> list[str]:
            it, at, one = self._fresh("it"), self._fresh("at"), self._fresh("one")
            lines = [
                f"{it} = {f'list({value})' if part.kind is deque else value}",
                f"if len({it}) {'!=' if least == most else '>'} {most}:",
                f"    clip(len({it}), {least}, {most}, {f'the length of {path}'!r})",
                f"    {it} = {it}[:{most}]",
            ]
            if each:
                lines += ["if me:", f"    {it} = {it}[me * {each}:] + {it}[:me * {each}]"]
            lines += [place.put(f"len({it})")] * counted
            start = place.shifted(counted)
            if is_bag:
                body = item.write(one, start._replace(adds=True))
            else:
                lines.append(f"{at} = {start.source}")
                body = [*item.write(one, _Place(at, 0, place.adds)), f"{at} += {len(item.numbers)}"]
            return [*lines, f"for {one} in {it}:", *_indented(body)]

        numbers = [_Number("[#]", 0, most)] * counted
        if is_bag:
            numbers += [it.at("[*]", most) for it in item.numbers]
        else:
            sign = "+" if each == 1 else ""
            numbers += [it.at(f"[{sign}{at}]") for at in range(most) for it in item.numbers]
        return _Feature(numbers, write)

    def _set(self, part: schema.Sequence, item: _Feature) -> _Feature:
        """Return the feature of a set: that of all its items together."""
        if not item.is_evident:
            name = type_name(part.annotation)
            raise SchemaError(f"{name} has items that are not told apart; {_ONE_OF}")

        def write(value: str, place: _Place) -> list[str]:
            one = self._fresh("one")
            return [f"for {one} in {value}:", *_indented(item.write(one, place))]

        return item._replace(write=write, is_evident=False)

    def _lengths(
        self, part: Schema, sample: Any, notes: Sequence[Any], each: int
    ) -> tuple[int, int]:
        """Return the least and the greatest length of a list; `each` items are for each seat."""
        if each or (FIXED in notes and sample is not _NOTHING):
            size = each * self._match.seats or len(sample)
            return size, size
        most = next((it.most for it in notes if isinstance(it, Length)), None)
        if most is None:
            name = type_name(part.annotation)
            raise SchemaError(
                f"{name} has no length for an observation; write Annotated[{name}, Length(most)],"
                f" or PER_SEAT for an item a seat, or FIXED if it is always as long; {_LEFT_OUT}"
            )
        return 0, self._settled(most)

    def _mapping(
        self, part: schema.Mapping, sample: Any, back: Any, notes: Sequence[Any]
    ) -> _Feature:
        """Return the features of the values, each at the place of its key."""
        keys = self._category(part.key, _NOTHING, part.key.notes)
        if keys is None:
            raise SchemaError(f"nothing says which keys there are; {_ONE_OF}", [".keys()"])
        first = next(iter(sample.values()), _NOTHING) if isinstance(sample, dict) else _NOTHING
        item = self._below("[...]", part.value, first, back)
        path = self._path()

        def write(value: str, place: _Place) -> list[str]:
            key, at, one = self._fresh("key"), self._fresh("at"), self._fresh("one")
            return [
                f"for {key}, {one} in {value}.items():",
                f"    {at} = {keys.source.format(key)}",
                f"    if {at} is None:",
                f"        clip({key}, None, None, {f'a key of {path}'!r})",
                "        continue",
                f"    {at} = {at} * {len(item.numbers)} + {place.source}",
                *_indented(item.write(one, _Place(at, 0, place.adds))),
            ]

        return _Feature([it.at(f"[{key}]") for key in keys.names for it in item.numbers], write)
