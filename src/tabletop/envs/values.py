"""Linear evaluations of positions: learnt weights, stored in a file.

`examples/learn_values.py` learns the weights for any game that can be encoded, and `--bot
2=learnt:values.npz` plays with them. Learnt values rate positions in the same way as the `evaluate`
of a plugin.
"""

from __future__ import annotations

import os
from pathlib import Path
from stat import S_ISREG
from typing import Any, Final, TypeAlias
from zipfile import ZipFile

import numpy as np
from numpy.typing import NDArray

from tabletop.envs.encoding import ObservationEncoder, make_encoder
from tabletop.errors import ContractError
from tabletop.registry import Plugin
from tabletop.rules.game import AnyGame
from tabletop.states.bounds import Seat
from tabletop.wording import quote

LARGEST: Final = 1 << 26  # maximum size in bytes of the unpacked content of a file
Arrays: TypeAlias = dict[str, NDArray[Any]]  # the arrays of a file, by name


class LinearValues:
    """A linear evaluation: weights times the observation of a seat, clipped to 0.0 to 1.0.

    Args:
        game: The rules.
        encoder: Encoder for the seats and options of the matches.
        weights: One weight per number of an observation, followed by a constant term.

    Raises:
        ValueError: The number of weights is wrong, or a weight is not finite.
    """

    def __init__(self, game: AnyGame, encoder: ObservationEncoder, weights: Any) -> None:
        weights = np.asarray(weights, np.float64)
        if weights.shape != (encoder.size + 1,):
            needed = f"{game.name} needs {encoder.size + 1} weights with these seats and options"
            raise ValueError(f"weights of shape {weights.shape}: {needed}, so learn them again")
        if not np.isfinite(weights).all():
            raise ValueError("a weight is not a finite number")
        self.game: AnyGame = game
        self.encoder: ObservationEncoder = encoder
        self.weights: NDArray[np.float64] = weights
        self._row = np.empty(encoder.size)

    def __call__(self, state: Any, seat: Seat) -> float:
        """Rate a state by the observation of a seat.

        Raises:
            ContractError: The values were loaded for fewer seats.
        """
        try:
            self.encoder.encode(self.game.glance(state, seat), seat, self._row)
        except IndexError as error:
            advice = "load them with the options and seats of the match"
            raise ContractError(
                f"{self.game.name}: the learnt values do not cover seat {seat}: {advice}"
            ) from error
        value = float(self._row @ self.weights[:-1] + self.weights[-1])
        return max(0.0, min(1.0, value))

    def save(self, path: str | Path) -> None:
        """Write the weights and the name of the game to a file. A missing `.npz` is appended."""
        np.savez(path, game=self.game.name, weights=self.weights)

    @classmethod
    def load(cls, path: str | Path, plugin: Plugin | AnyGame, **match: Any) -> LinearValues:
        """Read the weights of a game from a file. The file may be untrusted: no code in it is run.

        Args:
            path: The file.
            plugin: The game.
            match: `options` and `seats` of the matches, as for `make_encoder`.

        Raises:
            ValueError: The file contains no values, or values for a different game or different
                observations.
            OSError: The file cannot be read.
            ContractError: The game has no encoder.
        """
        return cls.of_arrays(read_arrays(path), path, plugin, **match)

    @classmethod
    def of_arrays(
        cls, arrays: Arrays, path: str | Path, plugin: Plugin | AnyGame, **match: Any
    ) -> LinearValues:
        """Create the values of a game from the arrays of a file.

        Raises:
            ContractError, ValueError: See `load`.
        """
        game = plugin.game if isinstance(plugin, Plugin) else plugin
        try:
            name, weights = str(arrays["game"]), arrays["weights"]
        except KeyError as error:
            raise damaged(path) from error
        numeric = np.issubdtype(weights.dtype, np.floating)
        if not numeric or name != game.name:
            raise ValueError(f"{quote(str(path))} does not contain learnt values of {game.name}")
        return cls(game, make_encoder(plugin, **match), weights)


def read_arrays(path: str | Path) -> Arrays:
    """Read the arrays of a learnt file. The file may be untrusted: no code in it is run.

    Raises:
        ValueError: The file is not a learnt file, or is too large.
        OSError: The file cannot be read.
    """
    try:
        check_archive(path)
        with np.load(path, allow_pickle=False) as archive:
            arrays = dict(archive)
    except OSError:
        raise
    except Exception as error:  # NumPy and `zipfile` raise anything for a damaged archive
        raise damaged(path) from error
    if not all(isinstance(it, np.ndarray) for it in arrays.values()):
        raise damaged(path)
    return arrays


def damaged(path: str | Path) -> ValueError:
    """Return the error for a file that is damaged or not a learnt file."""
    return ValueError(f"{quote(str(path))} is damaged, too large, or not a learnt file")


def check_archive(path: str | Path, largest: int = LARGEST) -> None:
    """Check the kind and the size of an archive before it is read.

    Args:
        largest: Maximum size in bytes of the unpacked content.

    Raises:
        ValueError: The file is not a regular file, or its content is too large.
        BadZipFile, OSError: The file is not an archive, or cannot be read.
    """
    if not S_ISREG(os.stat(path).st_mode):  # reading a device or a pipe might never end
        raise ValueError("it is not a regular file")
    with ZipFile(path) as archive:
        if sum(it.file_size for it in archive.infolist()) > largest:
            raise ValueError(f"its content is larger than {largest:,} bytes")
