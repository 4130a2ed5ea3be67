"""A learnt policy: what a network does with what a seat sees, in a file that NumPy alone plays by.

`tabletop train` writes such files, and `--bot 2=learnt:policy.npz` plays by them.
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
"""The layers of a network, from what is seen to the actions: weights (in, out) and biases (out)."""

FORMAT: Final = "tabletop policy 1"

MOST_LAYERS: Final = 16
"""A network has so many layers at most."""

LOOKS: Final = 4
"""The states that a bot with learnt values imagines for a choice."""

_FINE: Final = 1 << 53


@dataclass(frozen=True, slots=True)
class Header:
    """What a policy was learnt for; it plays nothing else.

    Attributes:
        game: the name of the game.
        version: the version of its rules.
        seats: the number of seats.
        options: the values of all options.
        observations: a digest of what each number of an observation means, and its bounds.
        actions: a digest of the texts of all actions, in order.
        layers: how many there are.
        format: the format of the file.
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
    """How likely a learnt network finds each action, for what a seat sees.

    Args:
        plugin: the game, with what comes with it or alone.
        layers: the network.
        options: the game's options that differ from their defaults.
        seats: the number of seats; the fewest the game allows when not given.

    Attributes:
        encoder: turns views into numbers.
        index: turns actions into numbers.
        header: what it is learnt for.

    Raises:
        ContractError: the game does not list its actions, or its states have no bounds.
        ValueError: the layers do not suit the game.
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
        """Write the policy into a file, as a whole or not at all.

        Raises:
            OSError: it cannot be written.
        """
        arrays: Arrays = {"header": np.frombuffer(to_json(self.header), np.uint8)}
        for number, (weights, biases) in enumerate(self.layers):
            arrays |= {f"weights{number}": weights, f"biases{number}": biases}
        written = BytesIO()
        np.savez(written, **arrays)  # type: ignore[arg-type]  # they are no `allow_pickle`
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
        """Read the policy of a game from a file, which may be anybody's: it holds no code.

        Args:
            path: the file.
            plugin: the game.
            options: those of the match that differ from their defaults; when not given, those that
                it was learnt for.
            seats: those of the match, likewise.

        Raises:
            ValueError: it is no such file, or was learnt for another game or other matches.
            OSError: it cannot be read.
            ContractError: the game cannot be encoded, or does not list its actions.
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
        """Make the policy of a game of what was read from a file.

        Raises:
            ContractError, ValueError: as `load` says.
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
        for own, wanted, what in (
            (header.format, FORMAT, "is of another format"),
            (header.game, game.name, "was learnt for another game"),
            (header.version, game.version, "was learnt for other rules"),
            (header.seats, seats, "was learnt for other seats"),
            (header.options, settled, "was learnt for other options"),
        ):
            if wanted is not None and own != wanted:
                shown, other = (truncate(repr(it), 200) for it in (own, wanted))
                raise ValueError(f"{file} {what}: {shown}, not {other}")
        try:
            seat_names(game, header.seats)
            made = cls(plugin, layers, options=header.options, seats=header.seats)
        except (OptionError, ValueError) as error:
            raise ValueError(f"{file}: {error}") from error
        if made.header != header:
            raise ValueError(f"{file}: the states or actions of {game.name} have changed since")
        return made

    def chances(self, view: Any, seat: Seat, actions: Sequence[Any]) -> list[float]:
        """Return how likely each of the legal actions is for a seat, whose view it is.

        Raises:
            ContractError: the view or an action is not of such a match as it is learnt for.
        """
        seen, mask = np.empty(self.encoder.size, np.float32), np.zeros(self.index.size, bool)
        try:
            self.encoder.encode(view, seat, seen)
            places = [self.index.index(action) for action in actions]
        except (IndexError, ValueError) as error:
            raise ContractError(
                f"{self.header.game}: the policy was learnt for {self.header.seats} seats and"
                f" {dict(self.header.options)}: load it with the options and seats of the match"
            ) from error
        mask[places] = True
        chances = forward(self.layers, self._scaled(seen)[None], mask[None])[0, places]
        return [float(it) for it in chances]

    def bot(self, stream: Stream, seat: Seat) -> Player[Any, Any]:
        """Make a bot that draws its actions as the policy finds them likely, for `Plugin.bots`."""
        return _Learnt(stream, seat, self)


class _Learnt:
    """A player that draws its actions as a policy finds them likely.

    Args:
        stream: its chance.
        seat: the seat that it plays.
        policy: the policy.
    """

    def __init__(self, stream: Stream, seat: Seat, policy: Policy) -> None:
        self._stream, self._seat, self._policy = stream, seat, policy

    def choose(self, view: Any, actions: Sequence[Any]) -> Any:
        """Draw one of the actions."""
        chances = self._policy.chances(view, self._seat, actions)
        left = self._stream.below(_FINE) / _FINE * sum(chances)
        for action, chance in zip(actions, chances, strict=True):
            left -= chance
            if left < 0:
                return action
        return actions[max(range(len(actions)), key=chances.__getitem__)]


def scaling(encoder: ObservationEncoder) -> Callable[[Any], Any]:
    """Return what turns observations into numbers from 0 to 1, by their bounds."""
    low = np.asarray(encoder.low, np.float32)
    reach = np.asarray(encoder.high, np.float32) - low
    factor = np.divide(1, reach, out=np.zeros_like(reach), where=reach > 0)
    return lambda seen: (seen - low) * factor


def forward(layers: Layers, observations: Any, masks: Any) -> NDArray[np.float64]:
    """Return how likely a network finds each action, a row for each observation.

    Args:
        layers: the network.
        observations: rows of numbers from 0 to 1, as `scaling` has them.
        masks: rows that are true for legal actions, for one of them at least.
    """
    *hidden, (weights, biases) = layers
    rows = observations
    with np.errstate(all="ignore"):  # a stranger's weights may be beyond all bounds
        for inner, bias in hidden:
            rows = np.maximum(rows @ inner + bias, 0)
        values = np.nan_to_num(np.asarray(rows @ weights + biases, np.float64))
        values = np.where(masks, values, -np.inf)
        values -= values.max(axis=1, keepdims=True)
        likely = np.exp(values)
    reached: NDArray[np.float64] = likely / likely.sum(axis=1, keepdims=True)
    return reached


def _checked(layers: Layers, size: int, actions: int) -> Layers:
    """Return the layers, which turn so many numbers into those of so many actions."""
    if not 1 <= len(layers) <= MOST_LAYERS:
        raise ValueError(f"it has {len(layers)} layers, not 1 to {MOST_LAYERS}")
    arrays = [it for layer in layers for it in layer]
    if any(it.dtype != np.float32 for it in arrays):
        raise ValueError("a weight is no number of 32 bits")
    good = all(
        weights.ndim == 2 and weights.shape[0] and biases.shape == weights.shape[1:]
        for weights, biases in layers
    )
    widths = [weights.shape for weights, _ in layers]
    fit = good and all(one[1] == other[0] for one, other in pairwise(widths))
    if not fit or widths[0][0] != size or widths[-1][1] != actions:
        shapes = " ".join(str(it.shape) for it in arrays)
        raise ValueError(f"its layers {shapes} do not make {actions} actions of {size} numbers")
    if not all(np.isfinite(it).all() for it in arrays):
        raise ValueError("a weight is not a finite number")
    return layers


def _digest_of_observations(encoder: ObservationEncoder) -> str:
    names = encoder.names if isinstance(encoder, Encoder) else ()
    told = sha256("\n".join(names).encode())
    for bound in (encoder.low, encoder.high):
        told.update(np.asarray(bound, "<f4").tobytes())
    return told.hexdigest()


def learnt_bot(name: str, plugin: Plugin, **match: Any) -> BotMaker:
    """Return what makes the bot of a name such as `learnt:policy.npz`.

    By a policy it draws an action. With learnt values it tries each of its actions in a few states,
    and plays the one after which they are highest.

    Args:
        name: `learnt:` and the file.
        plugin: the game.
        match: `options` and `seats` of the match, as `make_encoder` takes them.

    Raises:
        ValueError: there is no file of that name, or it was not learnt for this game and match.
        ContractError: the game cannot be encoded.
    """
    file = name.removeprefix(LEARNT)
    if not file:
        raise ValueError(f"write a file of what was learnt, as in {LEARNT}policy.npz")
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
        stream, game=plugin.game, iterations=LOOKS, depth=1, evaluate=values, policy=plugin.policy
    )
