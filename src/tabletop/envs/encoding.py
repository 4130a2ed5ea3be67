"""Observations: a view as numbers in an array, by an encoder generated from the class of the state.

Every field has its places in the array, which follow from its annotation and from the notes of
`tabletop.bounds`. The function that writes them is generated once for a kind of matches, as
`tabletop.states` does it for `clone`.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Sequence
from enum import Enum
from itertools import count, repeat
from typing import Any, Final, Literal, NamedTuple, Protocol, get_args

import numpy as np

from tabletop import schema
from tabletop.annotations import SchemaError, at_step, type_name
from tabletop.bounds import BAG, FIXED, UNOBSERVED, Fields, Length, OneOf, PerSeat, Range, SeatOr
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


class ObservationEncoder(Protocol):
    """Writes views as numbers for learners: an `Encoder`, or one that a game brings.

    Attributes:
        size: the number of numbers in an observation.
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
        own: the encoder that the game brings, or a function that makes one; by default `ENCODER`.

    Raises:
        ContractError: some field of the state has no bounds; names it, and says what to write.
    """
    game = plugin.game if isinstance(plugin, Plugin) else plugin
    made: Any = plugin.encoder if isinstance(plugin, Plugin) else own
    if made is None:
        made = Encoder(game, options, seats)
    elif not hasattr(made, "encode"):
        made = made(game, game.resolve_options(options or {}), seats or game.seats[0])
    encoder: ObservationEncoder = made
    return encoder


class Encoder:
    """Writes views as numbers: one encoder for all matches with the same options and seats.

    Args:
        game: the rules.
        options: the game's options that differ from their defaults.
        seats: the number of seats; the fewest the game allows when not given.

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
            raise ContractError(f"{kind.__qualname__} is no dataclass: bring an ENCODER")
        writer = _Writer(match)
        try:
            whole = writer.feature(schema_of(kind), match.state, _NOTHING)
        except SchemaError as error:
            raise ContractError(error.at(kind.__qualname__)) from error
        lines = ["def write(view, me, row, clip):", "    seats = all_seats[me]"]
        lines += _indented(whole.write("view", _Place()))
        title = f"observation of {kind.__module__}.{kind.__qualname__}"
        self._write: Any = compile_functions(title, lines, writer.names)["write"]
        self.names = tuple(it.name.removeprefix(".") for it in whole.numbers)
        self.size = len(whole.numbers)
        self.low = np.array([it.low for it in whole.numbers], np.float32)
        self.high = np.array([it.high for it in whole.numbers], np.float32)
        self._zeros = array("f", bytes(4 * self.size))

    def encode(self, view: Any, seat: Seat | None, out: Any) -> None:
        """Write the observation of `seat` into `out`, an array of `size` numbers.

        A number beyond its bounds is written as the bound next to it, an unknown value as zeros.

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

        def clip(value: Any, low: Any, high: Any, at: int) -> Any:
            name = "".join(self.names[at : at + 1]).partition("=")[0].removesuffix("[#]")
            bounds = "one of its values" if low is None else f"from {low} to {high}"
            found.append(f"{name} is {value!r}, not {bounds}")
            return _clip(value, low, high, at)

        self._write(view, seat or 0, self._zeros[:], clip)
        return found


def _clip(value: Any, low: Any, high: Any, at: int) -> Any:
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
        """Return a statement that writes a value, so many places on as the expression `at` says."""
        place = " + ".join(filter(None, (self.start, at, str(self.offset or ""))))
        return f"row[{place or '0'}] {'+=' if self.adds else '='} {value}"

    def shifted(self, steps: int) -> _Place:
        return self._replace(offset=self.offset + steps)

    @property
    def source(self) -> str:
        """An expression for the place itself."""
        return f"{self.start} + {self.offset}" if self.start else str(self.offset)


class _Number(NamedTuple):
    """A number of an observation: its meaning, and its bounds."""

    name: str
    low: float = 0
    high: float = 1

    def at(self, step: str, times: float = 1) -> _Number:
        """Return the number as that of a part, or as the sum of so many."""
        return _Number(step + self.name, self.low * times, self.high * times)


class _Feature(NamedTuple):
    """The numbers of a value, and the lines that write them for an expression.

    `is_evident` is True where no value is written as zeros alone, so that they mean: no value.
    """

    numbers: list[_Number]
    write: Callable[[str, _Place], list[str]]
    is_evident: bool = False

    def marked(self) -> _Feature:
        """Return the feature after a number that says that there is a value, if one is needed."""
        if self.is_evident:
            return self

        def write(value: str, place: _Place) -> list[str]:
            return [place.put("1.0"), *self.write(value, place.shifted(1))]

        return _Feature([_Number("?"), *self.numbers], write, is_evident=True)


class _Category(NamedTuple):
    """The values that are told apart: their names, and the name of a table of their indices.

    `test` is what a value has to pass that has an index: some stand for nobody.
    """

    names: list[str]
    table: str
    test: str = ""


def _indented(lines: Iterable[str]) -> list[str]:
    return [f"    {line}" for line in lines]


class _Writer:
    """Makes the features of a class of states, and the names in their source.

    Each method is given the schema of a value; the value in the first state and the back that views
    show in its place, as far as there are such; and notes on it.
    """

    def __init__(self, match: AnyMatch) -> None:
        self._match = match
        self._above: list[Schema] = []
        self._count = count(1)
        seats = range(match.seats)
        relative = [{seat: (seat - me) % len(seats) for seat in seats} for me in seats]
        self.names: dict[str, Any] = {"all_seats": relative}

    def feature(self, part: Schema, sample: Any, back: Any, *given: Any) -> _Feature:
        """Return the feature of a value; notes may be `given` to the whole of a union."""
        notes = (*part.notes, *given)
        if UNOBSERVED in notes:
            return _Feature([], lambda value, place: ["pass"])
        category = self._category(part, back, notes)
        if category is not None:
            return self._one_hot(category)
        if any(part.annotation == it.annotation for it in self._above):
            raise SchemaError(f"{type_name(part.annotation)} holds its own kind; {_LEFT_OUT}")
        makers: dict[type[Schema], Any] = {
            schema.Union: self._union,
            schema.Dataclass: self._dataclass,
            schema.Tuple: self._tuple,
            schema.Sequence: self._sequence,
            schema.Mapping: self._mapping,
        }
        made: _Feature = makers.get(type(part), self._number)(part, sample, back, notes)
        return made

    def _fresh(self, word: str) -> str:
        return f"{word}{next(self._count)}"

    def _asked(self, bound: Any) -> Any:
        """Return a bound; where it is a function, what that says for these matches."""
        is_function = callable(bound) and not isinstance(bound, Iterable)
        return bound(self._match) if is_function else bound

    # Single values.

    def _category(self, part: Schema, back: Any, notes: Sequence[Any]) -> _Category | None:
        """Return the category that a value stands for; None for any other value."""
        test = next((f"!= {it.nobody}" for it in notes if isinstance(it, SeatOr)), "")
        if test or _SEAT in notes:
            return _Category([f"+{seat}" for seat in range(self._match.seats)], "seats", test)
        values = next((self._asked(it.values) for it in notes if isinstance(it, OneOf)), None)
        if isinstance(values, set | frozenset):
            raise SchemaError("OneOf a set, which has no order; write a list or a tuple")
        if part.origin is Literal:
            values = get_args(part.annotation)
        elif values is None and isinstance(part.origin, type) and issubclass(part.origin, Enum):
            values = part.origin
        if values is None:
            return None
        values = [*values]
        if back not in values and isinstance(back, tuple(part.classes())):
            values.insert(0, back)
        table = self._fresh("known")
        self.names[table] = {value: at for at, value in enumerate(values)}
        names = [it.name if isinstance(it, Enum) else str(it) for it in values]
        is_optional = isinstance(part, schema.Union) and part.optional and None not in values
        return _Category(names, table, "is not None" if is_optional else "")

    def _one_hot(self, category: _Category) -> _Feature:
        """Return a feature with a 1 at the index of a category."""

        def write(value: str, place: _Place) -> list[str]:
            lines = [
                "try:",
                f"    {place.put('1.0', f'{category.table}[{value}]')}",
                "except KeyError:",
                f"    clip({value}, None, None, {place.source})",
            ]
            test = f"if {value} {category.test}:"
            return [test, *_indented(lines)] if category.test else lines

        numbers = [_Number(f"={name}") for name in category.names]
        return _Feature(numbers, write, is_evident=not category.test)

    def _number(self, part: Schema, sample: Any, back: Any, notes: Sequence[Any]) -> _Feature:
        """Return the feature of a truth value, or of a number with a range."""
        bounds = next((it for it in notes if isinstance(it, Range)), None)
        if part.origin is bool:
            bounds = Range(0, 1)
        elif bounds is None:
            name = type_name(part.annotation)
            amount = f"write Annotated[{name}, Range(low, high)], or OneOf(values) for no amount"
            advice = amount if part.origin in (int, float) else _ONE_OF
            raise SchemaError(f"{name} has no bounds for an observation; {advice}")
        low, high = self._asked(bounds.low), self._asked(bounds.high)
        if isinstance(back, int | float):
            low, high = min(low, back), max(high, back)
        if not -_EXACT <= low <= high <= _EXACT:
            raise SchemaError(f"Range({low}, {high}): the lower bound comes first, up to {_EXACT}")

        def write(value: str, place: _Place) -> list[str]:
            beyond = f"clip(it, {low}, {high}, {place.source})"
            line = place.put(f"it if {low} <= (it := {value}) <= {high} else {beyond}")
            # What is written into is all zeros, and most numbers are zero.
            return [f"if {value}:", f"    {line}"] if low <= 0 <= high else [line]

        return _Feature([_Number("", low, high)], write)

    # Values with parts.

    def _union(self, part: schema.Union, sample: Any, back: Any, notes: Sequence[Any]) -> _Feature:
        """Return the features of all members, each marked where its zeros would not tell."""
        made = [self.feature(it, sample, back, *notes).marked() for it in part.members]
        kinds = [self._fresh("kinds") for _ in made]
        self.names |= {kind: (*it.classes(),) for kind, it in zip(kinds, part.members, strict=True)}
        only = len(made) == 1

        def write(value: str, place: _Place) -> list[str]:
            it, lines = self._fresh("it"), list[str]()
            for kind, one in zip(kinds, made, strict=True):
                test = f"{it} is not None" if only else f"isinstance({it}, {kind})"
                lines += [f"{'el' * bool(lines)}if {test}:", *_indented(one.write(it, place))]
                place = place.shifted(len(one.numbers))
            return [f"{it} = {value}", *lines]

        steps = ["" if only else f":{type_name(it.origin)}" for it in part.members]
        each = zip(steps, made, strict=True)
        numbers = [it.at(step) for step, one in each for it in one.numbers]
        return _Feature(numbers, write, is_evident=not part.optional)

    def _dataclass(
        self, part: schema.Dataclass, sample: Any, back: Any, notes: Sequence[Any]
    ) -> _Feature:
        """Return the features of all fields, in order."""
        self._above.append(part)
        secrets = secrets_of(part.kind)
        samples = [getattr(sample, name, _NOTHING) for name in part.fields]
        backs = [
            secrets[name].back if name in secrets else getattr(back, name, _NOTHING)
            for name in part.fields
        ]
        made = self._parts(part, samples, backs, notes)
        self._above.pop()
        return made

    def _tuple(self, part: schema.Tuple, sample: Any, back: Any, notes: Sequence[Any]) -> _Feature:
        """Return the features of all places, in order."""
        samples = sample if isinstance(sample, tuple) else repeat(_NOTHING)
        backs = back if isinstance(back, tuple) else repeat(_NOTHING)
        return self._parts(part, samples, backs, notes)

    def _parts(
        self, part: Schema, samples: Iterable[Any], backs: Iterable[Any], notes: Sequence[Any]
    ) -> _Feature:
        """Return the features of the parts of a value."""
        given: dict[str, Any] = next((it.notes for it in notes if isinstance(it, Fields)), {})
        made = [
            (step, at_step(step, self.feature, held, sample, back, *given.get(step, ())))
            for (step, held), sample, back in zip(part.parts(), samples, backs, strict=False)
        ]

        def write(value: str, place: _Place) -> list[str]:
            it = self._fresh("it")
            lines = [f"{it} = {value}"]
            for step, one in made:
                lines += one.write(f"{it}{step}", place) if one.numbers else []
                place = place.shifted(len(one.numbers))
            return lines

        numbers = [it.at(step) for step, one in made for it in one.numbers]
        return _Feature(numbers, write, is_evident=any(one.is_evident for _, one in made))

    def _sequence(
        self, part: schema.Sequence, sample: Any, back: Any, notes: Sequence[Any]
    ) -> _Feature:
        """Return the features of a collection: of each item in turn, or of all added up."""
        first = next(iter(sample), _NOTHING) if isinstance(sample, Iterable) else _NOTHING
        item: _Feature = at_step("[...]", self.feature, part.item, first, back)
        each = next((it.each for it in notes if isinstance(it, PerSeat)), 0)
        least, most = self._lengths(part, sample, notes, each)
        is_bag = BAG in notes or part.is_set
        counted = not (least == most or (is_bag and item.is_evident))

        def write(value: str, place: _Place) -> list[str]:
            it, at, one = self._fresh("it"), self._fresh("at"), self._fresh("one")
            lines = [
                f"{it} = {value if part.kind in (list, tuple) else f'[*{value}]'}",
                f"if len({it}) {'!=' if least == most else '>'} {most}:",
                f"    clip(len({it}), {least}, {most}, {place.source})",
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
            numbers += [it.at("[*]", 1 if part.is_set else most) for it in item.numbers]
        else:
            sign = "+" if each == 1 else ""
            numbers += [it.at(f"[{sign}{at}]") for at in range(most) for it in item.numbers]
        return _Feature(numbers, write)

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
                f" PER_SEAT for an item a seat, or FIXED if it is always as long; {_LEFT_OUT}"
            )
        return 0, self._asked(most)

    def _mapping(
        self, part: schema.Mapping, sample: Any, back: Any, notes: Sequence[Any]
    ) -> _Feature:
        """Return the features of the values, each at the place of its key."""
        keys = self._category(part.key, _NOTHING, part.key.notes)
        if keys is None:
            raise SchemaError(f"nothing says which keys there are; {_ONE_OF}", [".keys()"])
        first = next(iter(sample.values()), _NOTHING) if isinstance(sample, dict) else _NOTHING
        item: _Feature = at_step("[...]", self.feature, part.value, first, back, *notes)

        def write(value: str, place: _Place) -> list[str]:
            key, at, one = self._fresh("key"), self._fresh("at"), self._fresh("one")
            return [
                f"for {key}, {one} in {value}.items():",
                f"    {at} = {keys.table}.get({key})",
                f"    if {at} is None:",
                f"        clip({key}, None, None, {place.source})",
                "        continue",
                f"    {at} = {at} * {len(item.numbers)} + {place.source}",
                *_indented(item.write(one, _Place(at, 0, place.adds))),
            ]

        return _Feature([it.at(f"[{key}]") for key in keys.names for it in item.numbers], write)
