"""Actions as numbers, and masks of the legal actions."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final, Generic, TypeVar

import numpy as np

from tabletop.errors import ContractError
from tabletop.match.contract_errors import short_repr
from tabletop.rules.game import Game
from tabletop.rules.options import Options

A = TypeVar("A")

_BYTE: Final = np.dtype(
    np.int8
)  # looked up once, because the lookup takes as long as making an array


class ActionIndex(Generic[A]):
    """The index of every action of a match, which is its position in `Game.all_actions`.

    Args:
        game: The rules.
        options: Options of the game that differ from their defaults.
        seats: Number of seats. By default, the smallest number that the game allows.

    Attributes:
        actions: All actions, in order.
        size: Number of actions.

    Raises:
        ContractError: The game does not implement `all_actions`.

    >>> from tabletop.registry import load
    >>> index = ActionIndex(load("sorcery").game)
    >>> index.size, str(index.action(7)), index.index(index.action(7))
    (162, 'use 1 1 1', 7)
    """

    def __init__(
        self, game: Game[Any, A], options: Options | None = None, seats: int | None = None
    ) -> None:
        given = game.all_actions(game.resolve_options(options or {}), seats or game.seats[0])
        if given is None:
            raise ContractError(
                f"{game.name} does not list its actions: implement all_actions, which returns"
                " every action that can ever be legal"
            )
        self._name = game.name
        self.actions: tuple[A, ...] = tuple(given)
        self.size: int = len(self.actions)
        self._by_value = {action: at for at, action in enumerate(self.actions)}
        # Most actions are shared objects, and a lookup by identity takes a fifth of the time of a
        # hash.
        self._by_id = {id(action): at for at, action in enumerate(self.actions)}

    def action(self, index: int) -> A:
        """Return the action with this index.

        Raises:
            IndexError: No action has that index.
            TypeError: The index is not an integer.
        """
        try:
            if 0 <= index < self.size:
                return self.actions[index]
        except TypeError as error:
            raise TypeError(f"an action must be a whole number, not {short_repr(index)}") from error
        raise IndexError(f"{self._name} has no action {index}: 0 to {self.size - 1}")

    def index(self, action: A) -> int:
        """Return the index of an action, from 0 to `size` - 1.

        Raises:
            ValueError: `Game.all_actions` does not contain the action.
        """
        index = self._by_id.get(id(action))
        if index is None:
            index = self._by_value.get(action)
            # By type too, because 1, 1.0 and True are equal.
            if index is None or type(self.actions[index]) is not type(action):
                raise ValueError(f"{action!r} is not among all_actions of {self._name}")
        return index

    def mask(self, legal: Iterable[A], out: Any = None) -> Any:
        """Return a mask of actions: 1 at the index of each legal action, 0 at all others.

        Args:
            legal: The legal actions, such as `Match.legal_actions`.
            out: Array of `size` numbers or booleans to write into, or a `memoryview` of bytes,
                which is faster. By default, a new array of `int8`.

        Raises:
            ValueError: `Game.all_actions` does not contain one of the actions.
        """
        row, by_id = bytearray(self.size), self._by_id
        if not isinstance(legal, (list, tuple)):
            legal = tuple(legal)
        try:
            for action in legal:
                row[by_id[id(action)]] = 1
        except KeyError:
            for action in legal:
                row[self.index(action)] = 1
        if out is None:
            return np.frombuffer(row, _BYTE)
        out[:] = row
        return out
