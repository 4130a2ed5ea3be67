"""Options of a match."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import KW_ONLY, dataclass
from math import inf, isfinite
from typing import Any, Final, Generic, TypeAlias, cast

from typing_extensions import TypeVar

from tabletop.errors import OptionError
from tabletop.wording import MAX_DIGITS, did_you_mean, quote

OptionValue: TypeAlias = int | float | str | bool | None
"""The value of an option. None means that the option is not set."""

Options: TypeAlias = Mapping[str, OptionValue]
"""The options of a match: the value of every option of the game by name."""

OptionKind: TypeAlias = type[int] | type[float] | type[str] | type[bool]
"""The type of an option's values."""

V = TypeVar("V", bound=OptionValue, default=Any)
_UNSET: Final[Any] = None


@dataclass(frozen=True, slots=True)
class Option(Generic[V]):
    """An option of a match, such as the number of chips at the start.

    Store the option in a constant and read its value from the options of a match with `of`, which
    returns the right type. Annotate an option without a default:
    `LIMIT: Option[int | None] = Option("limit", kind=int)`.

    >>> CHIPS = Option("chips", 3, "Chips at the start", low=1)
    >>> CHIPS.of({"chips": 5}) + 1
    6

    Attributes:
        name: The name: letters, digits and hyphens.
        default: The default value. None if the option may stay unset.
        help: A line of help.
        kind: `int`, `float`, `str` or `bool`. By default, the type of the default value, or `str`
            if that is None.
        low, high: The smallest and largest value of an `int` or `float` option. None for no limit.
        choices: The possible values of a `str` option. If empty, any text is allowed.
        read: A function that reads a value, such as the notation of a position. If it raises a
            ValueError, the value is refused with the message as the reason. Options call it for
            values that satisfy all other conditions, but not for None, and ignore the result.
        label: The name of its field in forms. By default the name as words, such as "Open hands".

    >>> def read(code):
    ...     if not code.isalpha():
    ...         raise ValueError("write letters only")
    >>> Option("code", "oak", read=read).parse("elm")
    'elm'
    """

    name: str
    default: V = _UNSET
    help: str = ""
    _: KW_ONLY
    kind: OptionKind | None = None
    low: float | None = None
    high: float | None = None
    choices: tuple[str, ...] = ()
    read: Callable[[Any], object] | None = None
    label: str = ""

    @property
    def title(self) -> str:
        """The label, or the name as words if there is none."""
        return self.label or self.name.replace("-", " ").capitalize()

    @property
    def type(self) -> OptionKind:
        """The type of the option's values."""
        if self.kind is not None:
            return self.kind
        default: OptionValue = self.default
        return str if default is None else type(default)

    def of(self, options: Options) -> V:
        """Return the value of the option in `options`, or the default value if it is missing.

        Args:
            options: Values by name, such as the argument of `Game.setup`.

        Raises:
            OptionError: The value is not allowed.
        """
        return cast("V", self.check(options.get(self.name, self.default)))

    @property
    def wanted(self) -> str:
        """A description of the allowed values, such as `a whole number from 1 to 9`."""
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
        """Parse a typed value.

        Letter case and surrounding spaces are ignored, unless the option allows any text. For a
        `bool` option, `yes`, `true`, `on` or `1` mean True, and `no`, `false`, `off` or `0` mean
        False. None cannot be typed.

        Raises:
            OptionError: The text is not an allowed value.

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
                raise OptionError(f"option {self.name}: the number {quote(word)} is too large")
        if self.type is float and _DECIMAL.fullmatch(word) and isfinite(float(word)):
            return self.check(float(word))
        if self.type is str:
            matches = [choice for choice in self.choices if choice.casefold() == word.casefold()]
            return self.check(matches[0] if matches else text)
        raise self._refuse(text)

    def check(self, value: OptionValue) -> OptionValue:
        """Return `value` if it is allowed. A `float` option converts integers.

        None is allowed if the default is None. True and False are not accepted as numbers.

        Raises:
            OptionError: The value has the wrong type, is out of range, is not finite, or is not one
                of the choices.
        """
        if value is None and self.default is None:
            return None
        if type(value) is int and self.type is float:
            # Very large numbers may not fit into a float. Infinity is refused below.
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
        if self.read is not None:
            try:
                self.read(value)
            except ValueError as error:
                reason = f"{_shown(value)} is not possible: {error}"
                raise OptionError(f"option {self.name}: {reason}") from error
        return value

    def _refuse(self, value: object) -> OptionError:
        hint = did_you_mean(str(value), self.choices)
        return OptionError(f"option {self.name}: {_shown(value)} is not {self.wanted}{hint}")


def _shown(value: object) -> str:
    return quote(value) if isinstance(value, str) else repr(value)


def unknown_option(name: str, game: str, options: Iterable[Option]) -> OptionError:
    """Return the error for an option that a game does not have."""
    names = [option.name for option in options]
    hint = did_you_mean(name, names, f"its options: {', '.join(names) or 'none'}")
    return OptionError(f"{game} has no option {name!r}{hint}")


_TRUTHS: Final = dict.fromkeys(("yes", "true", "on", "1"), True) | dict.fromkeys(
    ("no", "false", "off", "0"), False
)
_WHOLE: Final = re.compile("[+-]?[0-9]+")
_DECIMAL: Final = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?")
