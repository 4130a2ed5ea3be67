"""A linear value of positions: numbers that were learnt, kept in a file, and played by.

`examples/learn_values.py` learns them of any game that can be encoded; `--bot 2=learnt:values.npz`
plays by them. They rate positions like the `evaluate` of a game's module.
"""

from __future__ import annotations

import os
import zlib
from pathlib import Path
from stat import S_ISREG
from tokenize import TokenError
from typing import Any, Final, TypeAlias
from zipfile import BadZipFile, ZipFile

import numpy as np
from numpy.typing import NDArray

from tabletop.envs.encoding import ObservationEncoder, make_encoder
from tabletop.errors import ContractError
from tabletop.registry import Plugin
from tabletop.rules.game import AnyGame
from tabletop.states.bounds import Seat
from tabletop.wording import quote

LARGEST: Final = 1 << 26
"""How many bytes a file of values may unfold to."""

Arrays: TypeAlias = dict[str, NDArray[Any]]
"""What stands in a file, by name."""


class LinearValues:
    """The value of a state for a seat: weights times what the seat sees, from 0.0 to 1.0.

    Args:
        game: the rules.
        encoder: turns views into numbers; for the seats and options of the matches that are played.
        weights: a weight for each number of an observation, and at last the value of zeros.

    Raises:
        ValueError: the number of weights is wrong, or not all are finite.
    """

    def __init__(self, game: AnyGame, encoder: ObservationEncoder, weights: Any) -> None:
        weights = np.asarray(weights, np.float64)
        if weights.shape != (encoder.size + 1,):
            wanted = f"{game.name} needs {encoder.size + 1} in a row with these seats and options"
            raise ValueError(f"weights of shape {weights.shape}: {wanted}; learn them for these")
        if not np.isfinite(weights).all():
            raise ValueError("a weight is not a finite number")
        self.game: AnyGame = game
        self.encoder: ObservationEncoder = encoder
        self.weights: NDArray[np.float64] = weights
        self._row = np.empty(encoder.size)

    def __call__(self, state: Any, seat: Seat) -> float:
        """Rate a state as its view shows it to a seat.

        Raises:
            ContractError: they were loaded for fewer seats.
        """
        try:
            self.encoder.encode(self.game.glance(state, seat), seat, self._row)
        except IndexError as error:
            advice = "load them with the options and seats of the match"
            raise ContractError(
                f"{self.game.name}: the learnt values do not know seat {seat}: {advice}"
            ) from error
        value = float(self._row @ self.weights[:-1] + self.weights[-1])
        return max(0.0, min(1.0, value))

    def save(self, path: str | Path) -> None:
        """Write the weights and the name of their game into a file, whose name ends in `.npz`."""
        np.savez(path, game=self.game.name, weights=self.weights)

    @classmethod
    def load(cls, path: str | Path, plugin: Plugin | AnyGame, **match: Any) -> LinearValues:
        """Read the weights of a game from a file, which may be anybody's: it holds no code.

        Args:
            path: the file.
            plugin: the game.
            match: `options` and `seats` of the matches, as `make_encoder` takes them.

        Raises:
            ValueError: it is no such file, or that of another game or of other observations.
            OSError: it cannot be read.
            ContractError: the game cannot be encoded.
        """
        return cls.of_arrays(read_arrays(path), path, plugin, **match)

    @classmethod
    def of_arrays(
        cls, arrays: Arrays, path: str | Path, plugin: Plugin | AnyGame, **match: Any
    ) -> LinearValues:
        """Make the values of a game of what was read from a file.

        Raises:
            ContractError, ValueError: as `load` says.
        """
        game = plugin.game if isinstance(plugin, Plugin) else plugin
        try:
            name, weights = str(arrays["game"]), arrays["weights"]
        except KeyError as error:
            raise damaged(path) from error
        numeric = np.issubdtype(weights.dtype, np.floating)
        if not numeric or name != game.name:
            raise ValueError(f"{quote(str(path))} holds no learnt values of {game.name}")
        return cls(game, make_encoder(plugin, **match), weights)


_DAMAGED: Final = (
    BadZipFile,
    EOFError,
    KeyError,
    MemoryError,
    NotImplementedError,
    RuntimeError,
    TokenError,
    ValueError,
    zlib.error,
)
"""What reading an archive of arrays may raise where its bytes are wrong."""


def read_arrays(path: str | Path) -> Arrays:
    """Read the arrays in a file of what was learnt, which may be anybody's: it holds no code.

    Raises:
        ValueError: it is no such file, or too large.
        OSError: it cannot be read.
    """
    try:
        check_archive(path)
        with np.load(path, allow_pickle=False) as found:
            arrays = dict(found)
    except _DAMAGED as error:
        raise damaged(path) from error
    if not all(isinstance(it, np.ndarray) for it in arrays.values()):
        raise damaged(path)
    return arrays


def damaged(path: str | Path) -> ValueError:
    """Return the error for a file that is not what it should be."""
    return ValueError(f"{quote(str(path))} is no file of what was learnt, or too large")


def check_archive(path: str | Path, largest: int = LARGEST) -> None:
    """Check that a file is an archive, before it is read, and of how many bytes at most.

    Raises:
        ValueError: it is no ordinary file, or unfolds to more.
        BadZipFile, OSError: it is no archive, or cannot be read.
    """
    if not S_ISREG(os.stat(path).st_mode):  # a device or a pipe would be read without end
        raise ValueError("it is no ordinary file")
    with ZipFile(path) as archive:
        if sum(it.file_size for it in archive.infolist()) > largest:
            raise ValueError(f"it unfolds to more than {largest:,} bytes")
