"""Learnt policies: networks that map observations to probabilities of actions, stored in files.

`tabletop train` writes such files, and `--bot 2=learnt:policy.npz` plays with them. This needs only
NumPy.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tabletop.bots.expectimax import Expectimax
from tabletop.envs.actions import ActionIndex
from tabletop.envs.encoding import Encoder, ObservationEncoder, make_encoder
from tabletop.envs.values import Arrays, LinearValues, damaged, read_arrays
from tabletop.errors import ContractError, OptionError
from tabletop.host.user_files import user_path, write_bytes
from tabletop.match.match_view import seat_names
from tabletop.match.players import Player
from tabletop.registry import LEARNT, BotMaker, Plugin
from tabletop.rng.stream import Stream
from tabletop.rules.game import AnyGame
from tabletop.rules.options import Options, OptionValue
from tabletop.states.bounds import Seat
from tabletop.states.codec import from_json, to_json
from tabletop.wording import quote, truncate

Layers: TypeAlias = Sequence[tuple[NDArray[np.float32], NDArray[np.float32]]]
"""The layers of a network from observation to actions: weights (in, out) and biases (out)."""

FORMAT: Final = "tabletop policy 1"

MOST_LAYERS: Final = 16  # maximum number of layers

ITERATIONS: Final = 4
"""Number of redealt states in which a bot with learnt values tries each legal action."""

_FINE: Final = 1 << 53


@dataclass(frozen=True, slots=True)
class Header:
    """The game and the settings for which a policy was learnt.

    The policy can play only this game with these settings.

    Attributes:
        game: Name of the game.
        version: Version of its rules.
        seats: Number of seats.
        options: Values of all options.
        observations: Digest of the names and the bounds of the numbers in an observation.
        actions: Digest of the texts of all actions, in order.
        layers: Number of layers.
        format: Format of the file.
    """

    game: str
    version: str
    seats: int
    options: dict[str, OptionValue]
    observations: str
    actions: str
    layers: int
    format: str = FORMAT


class Policy:
    """A learnt network that returns a probability for each legal action.

    Args:
        plugin: A plugin, or a game alone.
        layers: Layers of the network.
        options: Options of the game that differ from their defaults.
        seats: Number of seats. By default, the smallest number that the game allows.

    Attributes:
        encoder: Encoder of observations.
        index: Index of the actions.
        header: The game and the settings of the policy.

    Raises:
        ContractError: The game does not list its actions, or its state has fields without bounds.
        ValueError: The layers do not fit the game.
    """

    def __init__(
        self,
        plugin: Plugin | AnyGame,
        layers: Layers,
        *,
        options: Options | None = None,
        seats: int | None = None,
    ) -> None:
        game = plugin.game if isinstance(plugin, Plugin) else plugin
        seats, settled = seats or game.seats[0], game.resolve_options(options or {})
        self.encoder: ObservationEncoder = make_encoder(plugin, settled, seats)
        self.index: ActionIndex[Any] = ActionIndex(game, settled, seats)
        self.layers: Layers = _checked(layers, self.encoder.size, self.index.size)
        self.header: Header = Header(
            game=game.name,
            version=game.version,
            seats=seats,
            options=dict(settled),
            observations=_digest_of_observations(self.encoder),
            actions=sha256("\n".join(map(str, self.index.actions)).encode()).hexdigest(),
            layers=len(layers),
        )
        self._scaled = scaling(self.encoder)

    def save(self, path: str | Path) -> None:
        """Write the policy to a file, atomically.

        Raises:
            OSError: The file cannot be written.
        """
        arrays: Arrays = {"header": np.frombuffer(to_json(self.header), np.uint8)}
        for number, (weights, biases) in enumerate(self.layers):
            arrays |= {f"weights{number}": weights, f"biases{number}": biases}
        written = BytesIO()
        np.savez(written, **arrays)  # type: ignore[arg-type]  # mypy takes the arrays for `allow_pickle`
        write_bytes(str(path), written.getvalue())

    @classmethod
    def load(
        cls,
        path: str | Path,
        plugin: Plugin | AnyGame,
        *,
        options: Options | None = None,
        seats: int | None = None,
    ) -> Policy:
        """Read the policy of a game from a file. The file may be untrusted: no code in it is run.

        Args:
            path: The file.
            plugin: The game.
            options: Options of the match that differ from their defaults. By default, those of the
                policy.
            seats: Number of seats of the match. By default, that of the policy.

        Raises:
            ValueError: The file is not a policy, or was learnt for a different game or with
                different settings.
            OSError: The file cannot be read.
            ContractError: The game has no encoder, or does not list its actions.
        """
        return cls.of_arrays(read_arrays(path), path, plugin, options=options, seats=seats)

    @classmethod
    def of_arrays(
        cls,
        arrays: Arrays,
        path: str | Path,
        plugin: Plugin | AnyGame,
        *,
        options: Options | None = None,
        seats: int | None = None,
    ) -> Policy:
        """Create the policy of a game from the arrays of a file.

        Raises:
            ContractError, ValueError: See `load`.
        """
        file = quote(str(path))
        try:
            header = from_json(arrays["header"].tobytes(), Header)
            numbers = range(min(header.layers, MOST_LAYERS + 1))
            layers = [(arrays[f"weights{it}"], arrays[f"biases{it}"]) for it in numbers]
        except (ContractError, KeyError, ValueError) as error:
            raise damaged(path) from error
        game = plugin.game if isinstance(plugin, Plugin) else plugin
        settled = None if options is None else dict(game.resolve_options(options))
        for stored, wanted, problem in (
            (header.format, FORMAT, "has another format"),
            (header.game, game.name, "was learnt for another game"),
            (header.version, game.version, "was learnt for another version of the rules"),
            (header.seats, seats, "was learnt for another number of seats"),
            (header.options, settled, "was learnt for other options"),
        ):
            if wanted is not None and stored != wanted:
                shown, other = (truncate(repr(it), 200) for it in (stored, wanted))
                raise ValueError(f"{file} {problem}: {shown}, not {other}")
        try:
            seat_names(game, header.seats)
            policy = cls(plugin, layers, options=header.options, seats=header.seats)
        except (OptionError, ValueError) as error:
            raise ValueError(f"{file}: {error}") from error
        if policy.header != header:
            raise ValueError(
                f"{file}: the states or actions of {game.name} have changed since: train it again"
            )
        return policy

    def probabilities(self, view: Any, seat: Seat, actions: Sequence[Any]) -> list[float]:
        """Return the probability of each legal action.

        Args:
            view: View of the seat.
            seat: The seat that is to act.
            actions: The legal actions.

        Raises:
            ContractError: The view or an action belongs to a match with different options or seats.
        """
        row, mask = np.empty(self.encoder.size, np.float32), np.zeros(self.index.size, bool)
        try:
            self.encoder.encode(view, seat, row)
            indices = [self.index.index(action) for action in actions]
        except (IndexError, ValueError) as error:
            raise ContractError(
                f"{self.header.game}: the policy was learnt for {self.header.seats} seats and"
                f" {dict(self.header.options)}: load it with the options and seats of the match"
            ) from error
        mask[indices] = True
        reached = forward(self.layers, self._scaled(row)[None], mask[None])[0, indices]
        return [float(probability) for probability in reached]

    def bot(self, stream: Stream, seat: Seat) -> Player[Any, Any]:
        """Create a bot that draws actions with the policy's probabilities, for `Plugin.bots`."""
        return _Learnt(stream, seat, self)


class _Learnt:
    """A player that draws its actions with the probabilities of a policy."""

    def __init__(self, stream: Stream, seat: Seat, policy: Policy) -> None:
        self._stream, self._seat, self._policy = stream, seat, policy

    def choose(self, view: Any, actions: Sequence[Any]) -> Any:
        """Draw one of the actions."""
        probabilities = self._policy.probabilities(view, self._seat, actions)
        left = self._stream.below(_FINE) / _FINE * sum(probabilities)
        for action, probability in zip(actions, probabilities, strict=True):
            left -= probability
            if left < 0:
                return action
        # Reached only by rounding.
        return actions[max(range(len(actions)), key=probabilities.__getitem__)]


def scaling(encoder: ObservationEncoder) -> Callable[[Any], Any]:
    """Return a function that scales observations to numbers from 0 to 1 by their bounds."""
    low = np.asarray(encoder.low, np.float32)
    reach = np.asarray(encoder.high, np.float32) - low
    factor = np.divide(1, reach, out=np.zeros_like(reach), where=reach > 0)
    return lambda seen: (seen - low) * factor


def forward(layers: Layers, observations: Any, masks: Any) -> NDArray[np.float64]:
    """Return the probabilities of all actions, one row per observation.

    Args:
        observations: Rows of numbers from 0 to 1; see `scaling`.
        masks: Rows of booleans, true for legal actions. Each row has at least one legal action.
    """
    *hidden, (weights, biases) = layers
    rows = observations
    with np.errstate(all="ignore"):  # the weights of an untrusted file may overflow
        for inner, bias in hidden:
            rows = np.maximum(rows @ inner + bias, 0)
        values = np.nan_to_num(np.asarray(rows @ weights + biases, np.float64))
        values = np.where(masks, values, -np.inf)
        values -= values.max(axis=1, keepdims=True)
        likely = np.exp(values)
    reached: NDArray[np.float64] = likely / likely.sum(axis=1, keepdims=True)
    return reached


def _checked(layers: Layers, size: int, actions: int) -> Layers:
    """Check that the layers map an observation to the actions, and return them."""
    if not 1 <= len(layers) <= MOST_LAYERS:
        raise ValueError(f"the network has {len(layers)} layers, not 1 to {MOST_LAYERS}")
    arrays = [it for layer in layers for it in layer]
    if any(it.dtype != np.float32 for it in arrays):
        raise ValueError("a weight is not a 32-bit number")
    good = all(
        weights.ndim == 2 and weights.shape[0] and biases.shape == weights.shape[1:]
        for weights, biases in layers
    )
    widths = [weights.shape for weights, _ in layers]
    fit = good and all(first[1] == second[0] for first, second in pairwise(widths))
    if not fit or widths[0][0] != size or widths[-1][1] != actions:
        shapes = " ".join(str(it.shape) for it in arrays)
        raise ValueError(f"layers of shape {shapes} do not map {size} numbers to {actions} actions")
    if not all(np.isfinite(it).all() for it in arrays):
        raise ValueError("a weight is not a finite number")
    return layers


def _digest_of_observations(encoder: ObservationEncoder) -> str:
    names = encoder.names if isinstance(encoder, Encoder) else ()
    digest = sha256("\n".join(names).encode())
    for bound in (encoder.low, encoder.high):
        digest.update(np.asarray(bound, "<f4").tobytes())
    return digest.hexdigest()


def learnt_bot(name: str, plugin: Plugin, **match: Any) -> BotMaker:
    """Return a function that creates the bot for a name such as `learnt:policy.npz`.

    If the file contains a policy, the bot draws an action with its probabilities. If the file
    contains learnt values, the bot tries each action in `ITERATIONS` redealt states, and plays the
    action with the highest mean value.

    Args:
        name: The prefix `learnt:` and the path of the file.
        match: `options` and `seats` of the match, as for `make_encoder`.

    Raises:
        ValueError: The file is not found, or was not learnt for this game and these settings.
        ContractError: The game has no encoder.
    """
    file = name.removeprefix(LEARNT)
    if not file:
        raise ValueError(f"name a learnt file, as in {LEARNT}policy.npz")
    path = user_path(file)
    try:
        arrays = read_arrays(path)
    except OSError as error:
        raise ValueError(f"{quote(file)} cannot be read: {error.strerror}") from error
    if "header" in arrays:
        policy = Policy.of_arrays(arrays, path, plugin, **match)
        return policy.bot
    values = LinearValues.of_arrays(arrays, path, plugin, **match)
    return lambda stream: Expectimax(
        stream,
        game=plugin.game,
        iterations=ITERATIONS,
        depth=1,
        evaluate=values,
        policy=plugin.policy,
    )
