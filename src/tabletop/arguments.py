"""What follows the words of a command: numbers, choices, words and text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from typing_extensions import override

from tabletop.wording import join_words, quote

MAX_DIGITS: Final = 18
"""The most digits of a number, which then fits into 64 bits; longer ones are never converted."""


class Argument:
    """A word or more that follows a command; the base of the kinds below.

    Args:
        name: how it is called in help and messages.
        optional: whether it may be left out; the action then gets None. Only at the end.
        field: the attribute of the action that holds it; the name, with `_` for `-`, by default.
    """

    takes_rest = False
    """Whether it takes the rest of the line instead of one word."""

    def __init__(self, name: str, *, optional: bool = False, field: str = "") -> None:
        self.name = name
        self.optional = optional
        self.field = field or name.replace("-", "_")

    def parse(self, word: str) -> Any:
        """The value that `word` spells.

        Raises:
            ValueError: the word does not spell a value.
        """
        return word

    def spell(self, value: Any) -> str:
        """The word that `parse` understands as `value`.

        Raises:
            ValueError: no word stands for it.
        """
        if value is None:
            raise ValueError(f"no word stands for a {self.name} that was left out")
        word = str(value)
        if word.split() != [word]:
            raise ValueError(f"{self.name}: {quote(word)} is not one word")
        return word

    @property
    def wanted(self) -> str:
        """What `parse` understands, in words."""
        return "a word"

    def candidates(self) -> Sequence[str]:
        """The words that can stand here, as far as they are few; for completion."""
        return ()


class Integer(Argument):
    """A whole number from `low` to `high`, both included.

    Numbers beyond them are spelled all the same, so that a refusal can name them.

    Raises:
        ValueError: there is no such number, or one has more than 18 digits.
    """

    def __init__(
        self, name: str, low: int, high: int, *, optional: bool = False, field: str = ""
    ) -> None:
        super().__init__(name, optional=optional, field=field)
        if not -(10**MAX_DIGITS) < low <= high < 10**MAX_DIGITS:
            raise ValueError(f"{name}: no whole numbers of up to {MAX_DIGITS} digits lie there")
        self.low = low
        self.high = high

    @override
    def parse(self, word: str) -> int:
        digits = word[1:] if word[:1] in ("+", "-") else word
        if not (digits.isascii() and digits.isdecimal() and len(digits) <= MAX_DIGITS):
            raise ValueError(word)
        number = int(word)
        if not self.low <= number <= self.high:
            raise ValueError(word)
        return number

    @property
    @override
    def wanted(self) -> str:
        return f"a whole number from {self.low} to {self.high}"

    @override
    def candidates(self) -> Sequence[str]:
        # A hundred at most: nobody chooses from a longer list.
        return [str(number) for number in range(self.low, min(self.high, self.low + 99) + 1)]


class Choice(Argument):
    """One of several words, each standing for a value.

    Args:
        choices: words, which stand for themselves, or a mapping from word to value. Several words
            may stand for one value; it is spelled by the first.

    Raises:
        ValueError: there is no word, one is given twice or cannot be typed as one word.
    """

    def __init__(
        self,
        name: str,
        choices: Iterable[str] | Mapping[str, Any],
        *,
        optional: bool = False,
        field: str = "",
    ) -> None:
        super().__init__(name, optional=optional, field=field)
        table = choices if isinstance(choices, Mapping) else {word: word for word in choices}
        self._words: list[str] = list(table)
        self._values = {word.casefold(): value for word, value in table.items()}
        if not self._words or any(word.split() != [word] for word in self._words):
            raise ValueError(f"{name}: a choice needs words without blanks")
        if len(self._values) != len(self._words):
            raise ValueError(f"{name}: a word is given twice; letter case does not matter")

    @override
    def parse(self, word: str) -> Any:
        try:
            return self._values[word.casefold()]
        except KeyError:
            raise ValueError(word) from None

    @override
    def spell(self, value: Any) -> str:
        # One after the other, and not by a table: values need not be hashable.
        for word in self._words:
            if self._values[word.casefold()] == value:
                return word
        raise ValueError(f"no word of {self.name} stands for {value!r}")

    @property
    @override
    def wanted(self) -> str:
        return join_words(self._words, "or")

    @override
    def candidates(self) -> Sequence[str]:
        return self._words


class Word(Argument):
    """Any one word."""


class Text(Argument):
    """The rest of the line, at least one word; blanks at its ends do not count."""

    takes_rest = True

    @override
    def spell(self, value: Any) -> str:
        text = str(value)
        if value is None or not text or text != text.strip():
            raise ValueError(f"{self.name}: {value!r} is not text without blanks at its ends")
        return text

    @property
    @override
    def wanted(self) -> str:
        return "some text"
