"""Catalogues: list the initial setup for many seeds.

`Game.catalog` returns the values of a row. Rows are created lazily. If the catalogues of two
releases differ, the same seed no longer leads to the same setup (see the page "Working with
Seeds").
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple, TypeAlias

from tabletop.errors import ContractError, TabletopError
from tabletop.match.match import Match
from tabletop.rng.seeds import Seed
from tabletop.rules.game import AnyGame, CatalogValue
from tabletop.rules.options import Options
from tabletop.wording import did_you_mean, quote

MOST_SEEDS: Final = 1_000_000  # maximum number of seeds in a catalogue

SEED_COLUMN: Final = "seed"
"""Name of the first column of every catalogue. A game must not use this name for another column."""

Row: TypeAlias = Mapping[str, CatalogValue]
"""The values of one seed by column. The first column is the seed."""

_COLUMN: Final = re.compile(r"[^\W\d]\w*")
_CONDITION: Final = re.compile(rf"\s*({_COLUMN.pattern})\s*(!=|<=|>=|==|=|<|>|~)\s*(.*?)\s*")
_NUMBER: Final = re.compile(r"[+-]?[0-9]{1,18}")
_RANGE: Final = re.compile(r"(-?[0-9]{1,18})\.\.(-?[0-9]{1,18})")


class CatalogError(TabletopError, ValueError):
    """The game has no catalogue, or the seeds or a condition are invalid."""


class Condition(NamedTuple):
    """A condition that compares a column with a value.

    Attributes:
        column: Name of the column. Case is ignored.
        sign: The comparison: `=`, `!=`, `<`, `<=`, `>`, `>=`, or `~` for "contains".
        value: The value, as text.
    """

    column: str
    sign: str
    value: str

    @classmethod
    def parse(cls, text: str) -> Condition:
        """Parse a condition: `WIFI_pips >= 12`, `most=WIFI`, `hand1 ~ golem`.

        Raises:
            CatalogError: The text is not a condition.

        >>> Condition.parse("WIFI_pips >= 12")
        Condition(column='WIFI_pips', sign='>=', value='12')
        """
        match = _CONDITION.fullmatch(text)
        if match is None:
            message = "is not a condition: write COLUMN, one of = != < <= > >= ~, and a value"
            raise CatalogError(f"{quote(text)} {message}")
        column, sign, value = match.groups()
        return cls(column, "=" if sign == "==" else sign, value)

    def test(self, row: Row) -> bool:
        """Return whether the condition holds for a row.

        Two integers are compared as numbers, and other values as text, ignoring case.

        Raises:
            CatalogError: The row has no such column, or the column contains numbers and `value` is
                not an integer.
        """
        value = row[self._column_of(row)]
        left, right = str(value).casefold(), self.value.casefold()
        if self.sign == "~":
            return right in left
        compare = _SIGNS[self.sign]
        if _NUMBER.fullmatch(left) and _NUMBER.fullmatch(right):
            return compare(int(left), int(right))
        if isinstance(value, int):
            message = f"column {self.column} holds numbers: compare it with a whole number"
            raise CatalogError(f"{message}, not {quote(self.value)}")
        return compare(left, right)

    def _column_of(self, row: Row) -> str:
        if self.column in row:
            return self.column
        alike = [name for name in row if name.casefold() == self.column.casefold()]
        if len(alike) == 1:
            return alike[0]
        hint = did_you_mean(self.column, row, f"columns: {', '.join(row)}")
        raise CatalogError(f"column {self.column!r} not found{hint}")


_SIGNS: Final[Mapping[str, Callable[[Any, Any], bool]]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def read_seeds(words: Iterable[str]) -> Sequence[str | range]:
    """Parse seeds: strings such as `old oak`, numbers, and inclusive ranges such as `1..1000`.

    Raises:
        CatalogError: A range is incomplete or descending, or there are more than `MOST_SEEDS`
            seeds.
    """
    parts: list[str | range] = []
    for word in words:
        match = _RANGE.fullmatch(word.strip())
        if match is not None:
            first, last = map(int, match.groups())
            if first > last:
                raise CatalogError(f"{word}: write the smaller number first: {last}..{first}")
            parts.append(range(first, last + 1))
        elif ".." in word and any(_NUMBER.fullmatch(end.strip()) for end in word.split("..", 1)):
            raise CatalogError(f"{word}: write a range as two whole numbers, FIRST..LAST")
        else:
            parts.append(word)
    count = count_seeds(parts)
    if count > MOST_SEEDS:
        raise CatalogError(f"a catalogue may have at most {MOST_SEEDS:,} seeds, not {count:,}")
    return parts


def count_seeds(seeds: Iterable[str | range]) -> int:
    """Return the number of seeds, counting every seed of a range."""
    return sum(max(0, part.stop - part.start) if isinstance(part, range) else 1 for part in seeds)


def expand_seeds(seeds: Iterable[str | range]) -> Iterator[str]:
    """Yield the text of every seed, in order, with the ranges expanded."""
    for part in seeds:
        if isinstance(part, range):
            yield from map(str, part)
        else:
            yield part


def catalog(
    game: AnyGame,
    seeds: Iterable[Seed | str | int],
    *,
    seats: int | None = None,
    options: Options | None = None,
) -> Iterator[Row]:
    """Yield the row of each seed, one at a time.

    Args:
        game: The rules. `Game.catalog` gives the values of a row.
        seeds: Texts or numbers.
        seats: Number of seats. By default, the smallest number that the game allows.
        options: Options of the game that differ from `Game.catalog_options` and the defaults.

    Raises:
        CatalogError: The game has no catalogue.
        ContractError: The game returns an invalid row, or a row whose columns differ from those of
            the first row.
        OptionError: An option is unknown or out of range.

    >>> from tabletop.registry import load
    >>> next(catalog(load("lcr").game, ["old oak"]))
    {'seed': 'old oak', 'winner': 3, 'turns': 14, 'rolls': 35}
    """
    given = {**game.catalog_options, **(options or {})}
    columns: list[str] = []
    for seed in seeds:
        # A new match for each row, because a game may play it to see how the seed develops.
        match = Match(game, seed=seed, seats=seats, options=given)
        text = match.seed.text
        values = game.catalog(match)
        if not values:
            raise CatalogError(f"{game.name} has no catalogue")
        row: Row = {SEED_COLUMN: text, **values}
        columns = columns or list(row)
        if wrong := _wrong_row(values, row, columns):
            raise ContractError(f"{game.name}, catalogue, seed {text!r}: {wrong}")
        yield row


def _wrong_row(values: Row, row: Row, columns: Sequence[str]) -> str:
    """Describe what is wrong with a row, or return an empty string."""
    for name, value in values.items():
        if type(name) is not str or not _COLUMN.fullmatch(name) or name == SEED_COLUMN:
            return f"{name!r} is not a column: use letters, digits and _, and not 'seed'"
        # By class, because `isinstance` takes True for a number.
        if type(value) is not int and type(value) is not str:
            return f"{name} is {value!r}, which is neither a whole number nor a string"
    if list(row) != columns:
        return f"the columns are {', '.join(row)}, but the first row has {', '.join(columns)}"
    return ""
