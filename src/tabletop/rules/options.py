"""Options: the choices made when a match is made."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import KW_ONLY, dataclass
from math import inf, isfinite
from typing import Any, Final, Generic, TypeAlias, cast

from typing_extensions import TypeVar

from tabletop.errors import OptionError
from tabletop.wording import MAX_DIGITS, did_you_mean, quote

OptionValue: TypeAlias = int | float | str | bool | None
"""The value of an option; None means not set."""

Options: TypeAlias = Mapping[str, OptionValue]
"""The options of one match: every option the game declares, by name."""

OptionKind: TypeAlias = type[int] | type[float] | type[str] | type[bool]
"""The type of an option's values."""

V = TypeVar("V", bound=OptionValue, default=Any)
_UNSET: Final[Any] = None


@dataclass(frozen=True, slots=True)
class Option(Generic[V]):
    """A choice to make when a match is made.

    Keep it as a constant: `of` reads it, with its type, from the options of a match. Annotate one
    without a default: `LIMIT: Option[int | None] = Option("limit", kind=int)`.

    >>> CHIPS = Option("chips", 3, "Chips at the start", low=1)
    >>> CHIPS.of({"chips": 5}) + 1
    6

    Attributes:
        name: letters, digits and hyphens.
        default: the value unless another is chosen; None for an option that may stay unset.
        help: one line for people.
        kind: `int`, `float`, `str` or `bool`; when not given, the type of the default, and `str`
            where that is None.
        low, high: the range of an `int` or `float` option, both included; None for no bound.
        choices: the possible values of a `str` option; any text will do when there are none.
    """

    name: str
    default: V = _UNSET
    help: str = ""
    _: KW_ONLY
    kind: OptionKind | None = None
    low: float | None = None
    high: float | None = None
    choices: tuple[str, ...] = ()

    @property
    def type(self) -> OptionKind:
        """The type of the option's values."""
        if self.kind is not None:
            return self.kind
        default: OptionValue = self.default
        return str if default is None else type(default)

    def of(self, options: Options) -> V:
        """Return the option's value in `options`; its default when they do not name it.

        Args:
            options: values by name, as `Game.setup` is given them.

        Raises:
            OptionError: the option does not take this value.
        """
        return cast("V", self.check(options.get(self.name, self.default)))

    @property
    def wanted(self) -> str:
        """The values that the option takes, in words: `a whole number from 1 to 9`."""
        if self.type is bool:
            return "yes or no"
        if self.type is str:
            return ", ".join(self.choices) if self.choices else "any text"
        number = "a whole number" if self.type is int else "a number"
        if self.low is not None and self.high is not None:
            return f"{number} from {self.low} to {self.high}"
        if self.high is not None:
            return f"{number} of at most {self.high}"
        return number + ("" if self.low is None else f" of at least {self.low}")

    def parse(self, text: str) -> OptionValue:
        """Return the value that `text` spells: what somebody has typed.

        Outer blanks and letter case do not matter, except where any text will do. Truth values are
        spelled `yes`, `true`, `on` or `1`, and `no`, `false`, `off` or `0`. No text spells None.

        Raises:
            OptionError: the text spells no value that the option takes.

        >>> Option("pace", "slow", choices=("slow", "fast")).parse("FAST")
        'fast'
        >>> Option("open-hands", False).parse("yes")
        True
        """
        word = text.strip()
        if self.type is bool and word.casefold() in _TRUTHS:
            return _TRUTHS[word.casefold()]
        if self.type is int and _WHOLE.fullmatch(word):
            if len(word.lstrip("+-")) <= MAX_DIGITS:
                return self.check(int(word))
            if self.high is None:
                raise OptionError(f"option {self.name}: {quote(word)} is too large a number")
        if self.type is float and _DECIMAL.fullmatch(word) and isfinite(float(word)):
            return self.check(float(word))
        if self.type is str:
            match = [choice for choice in self.choices if choice.casefold() == word.casefold()]
            return self.check(match[0] if match else text)
        raise self._refuse(text)

    def check(self, value: OptionValue) -> OptionValue:
        """Return `value` if the option takes it; an int becomes a float where the option is one.

        None is taken by an option whose default is None. True and False are no numbers.

        Raises:
            OptionError: it is of another type, out of range, not finite, or none of the choices.
        """
        if value is None and self.default is None:
            return None
        if type(value) is int and self.type is float:
            # A float cannot hold so large a number.
            value = float(value) if abs(value) < 10**MAX_DIGITS else inf
        if type(value) is not self.type:
            raise self._refuse(value)
        if isinstance(value, float) and not isfinite(value):
            raise self._refuse(value)
        if isinstance(value, str) and self.choices and value not in self.choices:
            raise self._refuse(value)
        if isinstance(value, int | float):
            too_low = self.low is not None and value < self.low
            if too_low or (self.high is not None and value > self.high):
                raise self._refuse(value)
        return value

    def _refuse(self, value: object) -> OptionError:
        shown = quote(value) if isinstance(value, str) else repr(value)
        hint = did_you_mean(str(value), self.choices)
        return OptionError(f"option {self.name}: {shown} is not {self.wanted}{hint}")


def unknown_option(name: str, game: str, options: Iterable[Option]) -> OptionError:
    """Return the error that a game of this name has these options, and not that one."""
    names = [option.name for option in options]
    hint = did_you_mean(name, names, f"its options: {', '.join(names) or 'none'}")
    return OptionError(f"{game} has no option {name!r}{hint}")


_TRUTHS: Final = dict.fromkeys(("yes", "true", "on", "1"), True) | dict.fromkeys(
    ("no", "false", "off", "0"), False
)
_WHOLE: Final = re.compile("[+-]?[0-9]+")
_DECIMAL: Final = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?")
