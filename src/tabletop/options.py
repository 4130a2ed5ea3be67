"""What can be chosen when a match is made."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from tabletop.errors import OptionError
from tabletop.wording import shorten

OptionValue: TypeAlias = int | str | bool | None
"""What an option of a game can be set to; None means not set."""

Options: TypeAlias = Mapping[str, OptionValue]
"""The options of one match: every option the game declares, by name."""


@dataclass(frozen=True, slots=True)
class Option:
    """One thing that can be chosen when a match is made.

    Attributes:
        name: letters, digits and hyphens.
        default: the value when nobody chooses; its type is the option's, unless it is None.
        help: one line for people.
        kind: `int`, `str` or `bool`; taken from the default when not given.
        low, high: the range of an `int` option, both included.
        choices: the values of a `str` option, when not any text will do.
    """

    name: str
    default: OptionValue = None
    help: str = ""
    kind: type[int] | type[str] | type[bool] | None = None
    low: int | None = None
    high: int | None = None
    choices: tuple[str, ...] = ()

    @property
    def type(self) -> type[int] | type[str] | type[bool]:
        """The type of the option's values."""
        if self.kind is not None:
            return self.kind
        return str if self.default is None else type(self.default)

    @property
    def wanted(self) -> str:
        """The values it takes, in words."""
        if self.type is bool:
            return "yes or no"
        if self.type is str:
            return ", ".join(self.choices) if self.choices else "any text"
        if self.low is not None and self.high is not None:
            return f"a whole number from {self.low} to {self.high}"
        if self.high is not None:
            return f"a whole number of at most {self.high}"
        return "a whole number" + ("" if self.low is None else f" of at least {self.low}")

    def parse(self, text: str) -> OptionValue:
        """The value that `text` spells.

        Raises:
            OptionError: it spells none that the option takes.
        """
        word = text.strip()
        if self.type is bool and word.casefold() in _TRUTHS:
            return _TRUTHS[word.casefold()]
        if self.type is int and _is_number(word):
            return self.check(int(word))
        if self.type is str:
            match = [choice for choice in self.choices if choice.casefold() == word.casefold()]
            return self.check(match[0] if match else text)
        raise self._refuse(text)

    def check(self, value: OptionValue) -> OptionValue:
        """`value`, when the option takes it.

        Raises:
            OptionError: it is of another type or out of range.
        """
        if value is None and self.default is None:
            return None
        if type(value) is not self.type:
            raise self._refuse(value)
        if isinstance(value, str) and self.choices and value not in self.choices:
            raise self._refuse(value)
        too_low = self.low is not None and isinstance(value, int) and value < self.low
        too_high = self.high is not None and isinstance(value, int) and value > self.high
        if too_low or too_high:
            raise self._refuse(value)
        return value

    def _refuse(self, value: object) -> OptionError:
        shown = shorten(value) if isinstance(value, str) else repr(value)
        return OptionError(f"option {self.name}: {shown} is not {self.wanted}")


_TRUTHS = {"yes": True, "true": True, "on": True, "1": True} | {
    "no": False,
    "false": False,
    "off": False,
    "0": False,
}


def _is_number(word: str) -> bool:
    digits = word[1:] if word[:1] in "+-" else word
    return digits.isascii() and digits.isdecimal() and len(digits) < 19
