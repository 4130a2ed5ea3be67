"""Legal actions that choose several things, without a list of all combinations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from copy import copy
from functools import lru_cache
from sys import maxsize
from typing import Any, Generic, TypeVar, overload

from typing_extensions import override

from tabletop.errors import ContractError
from tabletop.wording import meant_words, nearest, quote

A = TypeVar("A")


class Selections(Sequence[A], Generic[A]):
    """The actions that choose from `low` to `high` of some items, for `Game.legal_actions`.

    The actions are created when they are read, so a choice of 13 cards from 52 needs no memory.
    Equal items count as copies: of two coppers, an action contains none, one or two. Clients let a
    player choose the items in any order, one at a time.

    Args:
        kind: The class of the actions.
        field: The field for the chosen items, which are passed as a sorted tuple.
        items: The items to choose from. They must be sortable.
        low: The minimum number of items in an action.
        high: The maximum number, or None for all items. If there are fewer items, the maximum is
            their number.
        also: Other legal actions, which may be further selections, as a keyword argument.
        fixed: The other fields of the actions, as keyword arguments, such as `seat=seat`.

    Attributes:
        items: All items, sorted.
        low: The minimum number of items in an action.
        high: The maximum number of items in an action.
        also: The other actions, which are at the start of the sequence.

    Raises:
        ContractError: There are too many actions for a sequence: 2**63 or more.

    >>> from dataclasses import dataclass
    >>> @dataclass(frozen=True)
    ... class Trash:
    ...     cards: tuple[str, ...]
    ...     def __str__(self):
    ...         return " ".join(["trash", *self.cards])
    >>> legal = Selections(Trash, "cards", ["ore", "elm", "ore"], 0, 2)
    >>> [str(action) for action in legal]
    ['trash', 'trash elm', 'trash ore', 'trash elm ore', 'trash ore ore']
    >>> len(Selections(Trash, "cards", range(52), 13, 13))
    635013559600
    """

    def __init__(
        self,
        kind: type[A],
        field: str,
        items: Iterable[Any],
        low: int = 0,
        high: int | None = None,
        *,
        also: Sequence[A] = (),
        **fixed: Any,
    ) -> None:
        counts = Counter(items)
        self.items: tuple[Any, ...] = tuple(sorted(counts.elements()))
        self.low = low
        self.high: int = len(self.items) if high is None else min(high, len(self.items))
        self.also = also
        self._kind, self._field, self._fixed = kind, field, fixed
        self._values = tuple(dict.fromkeys(self.items))
        self._counts = tuple(counts[value] for value in self._values)
        self._ways = _count_ways(self._counts, self.high)
        self._size = len(also) + sum(self._ways[0][low : self.high + 1])
        if self._size > maxsize:
            raise ContractError(
                f"choosing {low} to {self.high} of {len(self.items)} items is possible in 2**63 or"
                " more ways, which are too many: reduce the items or the maximum, or let the"
                " player choose in several actions"
            )

    def make(self, items: Iterable[Any]) -> A:
        """Return the action with these items, even if it is not legal."""
        return self._kind(**{self._field: tuple(sorted(items))}, **self._fixed)

    @property
    def words(self) -> str:
        """The text of the action without items, to which a player adds the words of the items."""
        return str(self.make(()))

    def word(self, item: Any) -> str:
        """Return the word of an item in the text of an action."""
        return str(self.make((item,))).removeprefix(self.words).strip()

    @override
    def __len__(self) -> int:
        return self._size

    @overload
    def __getitem__(self, index: int) -> A: ...
    @overload
    def __getitem__(self, index: slice) -> list[A]: ...
    @override
    def __getitem__(self, index: int | slice) -> A | list[A]:
        if isinstance(index, slice):
            return [self[at] for at in range(*index.indices(self._size))]
        if not -self._size <= index < self._size:
            raise IndexError(index)
        rest = index % self._size
        if rest < len(self.also):
            return self.also[rest]
        rest -= len(self.also)
        size = self.low
        while rest >= self._ways[0][size]:
            rest -= self._ways[0][size]
            size += 1
        chosen: list[Any] = []
        for at, value in enumerate(self._values):
            for count in range(min(self._counts[at], size - len(chosen)), -1, -1):
                ways = self._ways[at + 1][size - len(chosen) - count]
                if rest < ways:
                    chosen += [value] * count
                    break
                rest -= ways
        return self.make(chosen)

    @override
    def __contains__(self, action: object) -> bool:
        return action in self.also or self._is_selection(action)

    def _is_selection(self, action: Any) -> bool:
        if type(action) is not self._kind:
            return False
        chosen = Counter(getattr(action, self._field))
        return (
            self.low <= chosen.total() <= self.high
            and chosen <= Counter(self.items)
            and self.make(chosen.elements()) == action
        )

    def why_not(self, action: Any) -> str:
        """Return the reason why an action with these fields is not legal, or "" for other actions.

        >>> from tabletop import Command, Commands, Integer, Several, Spelled
        >>> from dataclasses import dataclass
        >>> @dataclass(frozen=True)
        ... class Keep(Spelled):
        ...     dice: tuple[int, ...]
        >>> DICE = Several(Integer("dice", 1, 6))
        >>> COMMANDS = Commands(Command("keep", Keep, DICE))
        >>> legal = Selections(Keep, "dice", [2, 4, 4], 1, 2)
        >>> legal.why_not(Keep((4, 4, 4))), legal.why_not(Keep(()))
        ('you cannot choose 4 4 4 from 2 4 4', 'choose 1 to 2, not 0')
        """
        if type(action) is not self._kind:
            return ""
        items = getattr(action, self._field)
        if self.make(items) != action:
            return ""
        if not Counter(items) <= Counter(self.items):
            chosen, all_words = (" ".join(map(self.word, it)) for it in (items, self.items))
            return f"you cannot choose {chosen} from {all_words}"
        number = f"{self.low} to {self.high}" if self.low < self.high else f"exactly {self.low}"
        return "" if action in self else f"choose {number}, not {len(items)}"

    def complaint(self, text: str) -> str:
        """Return the reason why a typed text chooses wrong items, or "" for other texts.

        >>> from tabletop import Choice, Command, Commands, Several, Spelled
        >>> from dataclasses import dataclass
        >>> @dataclass(frozen=True)
        ... class Trash(Spelled):
        ...     cards: tuple[str, ...]
        >>> CARDS = Several(Choice("cards", ["elm", "ore", "oak"]))
        >>> COMMANDS = Commands(Command("trash", Trash, CARDS))
        >>> legal = Selections(Trash, "cards", ["ore", "elm", "ore"], 0, 2)
        >>> legal.complaint("trash 1 ore")
        "you cannot choose '1' from elm ore ore"
        """
        items = {self.word(item).casefold(): item for item in self.items}
        begin, words = self.words.casefold().split(), text.casefold().split()
        if words[: len(begin)] != begin:
            return ""
        words = words[len(begin) :]
        unknown = next((word for word in words if word not in items), None)
        if unknown is None:
            return self.why_not(self.make(items[word] for word in words))
        all_words = " ".join(map(self.word, self.items))
        hint = meant_words(nearest(unknown, [*items]))
        return f"you cannot choose {quote(unknown)} from {all_words}{hint}" if begin else ""

    @override
    def index(self, value: Any, start: int = 0, stop: int | None = None) -> int:
        """Return the index of an action.

        Raises:
            ValueError: The sequence does not contain the action.
        """
        if value in self.also:
            return self.also.index(value)
        if not self._is_selection(value):
            raise ValueError(f"{value!r} is not one of the actions")
        chosen = Counter(getattr(value, self._field))
        left = chosen.total()
        place = len(self.also) + sum(self._ways[0][self.low : left])
        for at, item in enumerate(self._values):
            most = min(self._counts[at], left)
            more = range(chosen[item] + 1, most + 1)
            place += sum(self._ways[at + 1][left - count] for count in more)
            left -= chosen[item]
        return place


@lru_cache(maxsize=1024)
def _count_ways(counts: tuple[int, ...], high: int) -> tuple[tuple[int, ...], ...]:
    """Return, by the index of the first kind of items and by size, the number of selections."""
    ways = [(1, *[0] * high)]
    for count in reversed(counts):
        after = ways[0]
        ways.insert(
            0,
            tuple(
                sum(after[size - taken] for taken in range(min(count, size) + 1))
                for size in range(high + 1)
            ),
        )
    return tuple(ways)


def split(actions: Sequence[A]) -> tuple[Sequence[A], list[Selections[A]]]:
    """Return the actions to list one by one, and the selections."""
    selections: list[Selections[A]] = []
    while isinstance(actions, Selections):
        selections.append(actions)
        actions = actions.also
    return actions, selections


def shorten(actions: Sequence[A], most: int) -> Sequence[A]:
    """Return all selections, and at most `most` of the actions to list one by one."""
    if not isinstance(actions, Selections):
        return actions[:most]
    shorter = copy(actions)
    shorter.also = shorten(actions.also, most)
    shorter._size += len(shorter.also) - len(actions.also)
    return shorter


def examples(actions: Sequence[A]) -> list[A]:
    """Return the actions to list one by one, and one action of each kind of selection."""
    listed, selections = split(actions)
    return [*listed, *(it.make(it.items[: it.low]) for it in selections)]


def spread(actions: Sequence[A], most: int = 200) -> Sequence[A]:
    """Return the actions, or `most` of them at equal distances if they are many selections."""
    if not isinstance(actions, Selections) or len(actions) <= most:
        return actions
    return [actions[at * len(actions) // most] for at in range(most)]
