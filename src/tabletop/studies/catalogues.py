"""Catalogues: what each of many seeds holds before the first move (Working with Seeds).

`Game.catalog` gives the values of a row. Rows are made lazily, one at a time. Keep the catalogue of
a release: where that of the next release differs, worlds have changed.
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

MOST_SEEDS: Final = 1_000_000
"""Maximum seeds in a catalogue."""

SEED_COLUMN: Final = "seed"
"""The first column of every catalogue; no game may use its name."""

Row: TypeAlias = Mapping[str, CatalogValue]
"""A row: the values of a seed, by column; the seed itself comes first."""

_COLUMN: Final = re.compile(r"[^\W\d]\w*")
_CONDITION: Final = re.compile(rf"\s*({_COLUMN.pattern})\s*(!=|<=|>=|==|=|<|>|~)\s*(.*?)\s*")
_NUMBER: Final = re.compile(r"[+-]?[0-9]{1,18}")
_RANGE: Final = re.compile(r"(-?[0-9]{1,18})\.\.(-?[0-9]{1,18})")


class CatalogError(TabletopError, ValueError):
    """A game has no catalogue, or what is asked of one, seeds or a condition, makes no sense."""


class Condition(NamedTuple):
    """A test of a row: its value in a column, compared with another one.

    Letter case does not matter in `column`; `sign` is `=`, `!=`, `<`, `<=`, `>`, `>=`, or `~` for
    "contains"; `value` is the text as written.
    """

    column: str
    sign: str
    value: str

    @classmethod
    def parse(cls, text: str) -> Condition:
        """Parse a condition: `WIFI_pips >= 12`, `most=WIFI`, `hand1 ~ golem`.

        Raises:
            CatalogError: the text is not a condition.

        >>> Condition.parse("WIFI_pips >= 12")
        Condition(column='WIFI_pips', sign='>=', value='12')
        """
        found = _CONDITION.fullmatch(text)
        if found is None:
            message = "is no condition: write COLUMN, one of = != < <= > >= ~, and a value"
            raise CatalogError(f"{quote(text)} {message}")
        column, sign, value = found.groups()
        return cls(column, "=" if sign == "==" else sign, value)

    def test(self, row: Row) -> bool:
        """Test `row`: compare two numbers as such, and texts without letter case.

        Raises:
            CatalogError: the row has no such column, or the column holds numbers and `value` is
                none.
        """
        value = row[self._column_of(row)]
        own, wanted = str(value).casefold(), self.value.casefold()
        if self.sign == "~":
            return wanted in own
        compare = _SIGNS[self.sign]
        if _NUMBER.fullmatch(own) and _NUMBER.fullmatch(wanted):
            return compare(int(own), int(wanted))
        if isinstance(value, int):
            message = f"{self.column} is a number, and {quote(self.value)} is not a whole one"
            raise CatalogError(message)
        return compare(own, wanted)

    def _column_of(self, row: Row) -> str:
        if self.column in row:
            return self.column
        alike = [name for name in row if name.casefold() == self.column.casefold()]
        if len(alike) == 1:
            return alike[0]
        hint = did_you_mean(self.column, row, f"columns: {', '.join(row)}")
        raise CatalogError(f"there is no column {self.column!r}{hint}")


_SIGNS: Final[Mapping[str, Callable[[Any, Any], bool]]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def read_seeds(words: Iterable[str]) -> Sequence[str | range]:
    """Parse words like `old oak`, `7` and `1..1000`: texts, and ranges with both ends in.

    Raises:
        CatalogError: a range has no end or runs backwards, or there are too many seeds.
    """
    parts: list[str | range] = []
    for word in words:
        found = _RANGE.fullmatch(word.strip())
        if found is not None:
            first, last = map(int, found.groups())
            if first > last:
                raise CatalogError(f"{word}: a range goes up: {last}..{first}")
            parts.append(range(first, last + 1))
        elif ".." in word and any(_NUMBER.fullmatch(end.strip()) for end in word.split("..", 1)):
            raise CatalogError(f"{word}: a range is two whole numbers, FIRST..LAST")
        else:
            parts.append(word)
    count = count_of(parts)
    if count > MOST_SEEDS:
        raise CatalogError(f"{count:,} seeds are too many; a catalogue has at most {MOST_SEEDS:,}")
    return parts


def count_of(seeds: Iterable[str | range]) -> int:
    """Count the seeds, ranges in full."""
    return sum(max(0, part.stop - part.start) if isinstance(part, range) else 1 for part in seeds)


def each_of(seeds: Iterable[str | range]) -> Iterator[str]:
    """Yield the text of every seed, in order."""
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
    """Yield a row for each of `seeds`, made lazily.

    Args:
        game: the rules; `Game.catalog` gives the values of a row.
        seeds: any texts or numbers.
        seats: the number of seats; the fewest that the game allows when not given.
        options: the game's options that differ from `Game.catalog_options` and their defaults.

    Raises:
        CatalogError: the game has no catalogue.
        ContractError: its result is no row, or has not the columns of the first row.
        OptionError: an option is unknown or out of range.

    >>> from tabletop.registry import load
    >>> next(catalog(load("lcr").game, ["old oak"]))
    {'seed': 'old oak', 'winner': 3, 'turns': 14, 'rolls': 35}
    """
    given = {**game.catalog_options, **(options or {})}
    columns: list[str] = []
    for seed in seeds:
        # A fresh match for each row: a game may play it on to see where the seed leads.
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
    """Describe the fault of a row of a game; empty for a good row."""
    for name, value in values.items():
        if type(name) is not str or not _COLUMN.fullmatch(name) or name == SEED_COLUMN:
            return f"{name!r} is no column: that is a word of letters, digits and _, not 'seed'"
        # By class: `isinstance` takes True for a number.
        if type(value) is not int and type(value) is not str:
            return f"{name} is {value!r}, neither a whole number nor a text"
    if list(row) != columns:
        return f"the columns are {', '.join(row)}, and were {', '.join(columns)}"
    return ""
