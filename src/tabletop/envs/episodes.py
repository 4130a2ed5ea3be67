"""The common part of all learning environments: consecutive matches with observations."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from copy import deepcopy
from functools import cached_property, partial
from io import BytesIO
from operator import index
from typing import Any, Final, Self, TypeAlias

import numpy as np
from gymnasium import spaces

from tabletop.display.svg import flattened
from tabletop.envs.actions import ActionIndex
from tabletop.envs.encoding import Encoder, ObservationEncoder, make_encoder
from tabletop.errors import ContractError, IllegalAction, TabletopError
from tabletop.match.match import AnyMatch, Match
from tabletop.match.match_view import seat_names
from tabletop.registry import Plugin, draw_match, load
from tabletop.rng.phrases import fresh_phrase
from tabletop.rng.streams import Streams
from tabletop.rules.events import ALL
from tabletop.rules.game import AnyGame, Game
from tabletop.rules.options import Options
from tabletop.rules.outcome import Outcome
from tabletop.states.bounds import Seat

Observation: TypeAlias = dict[str, Any]
"""A dict with `observation`, an array of `float32`, and `action_mask`, an array of `int8`.

The mask is 1 for legal actions. The mask of a seat that is not to act is all zeros.
"""

METADATA: Final[dict[str, Any]] = {"render_modes": ["human", "ansi", "rgb_array"], "render_fps": 1}
"""The `metadata` of every environment: its render modes and its frames per second."""

ILLEGAL: Final = -1.0  # reward of an agent that plays an illegal action, which ends the episode


class Episodes:
    """The matches of an environment, with observations and rewards.

    Args:
        game: An installed name, `module:NAME`, a path to a `.py` file, or a loaded plugin.
        seats: Number of seats. By default, the smallest number that the game allows.
        options: Options of the game that differ from their defaults.
        points: Whether rewards are the points of the outcome instead of `Outcome.returns`. Until
            the end of a match, all rewards are 0.
        max_plies: Number of actions after which a match is truncated. By default, there is no
            limit.
        render_mode: `human` prints the text view, `ansi` returns it, and `rgb_array` returns the
            picture as an array of (height, width, 3) bytes. All three modes show hidden
            information.

    Raises:
        OptionError: An option is unknown or out of range.
        RegistryError: The game is not found.
        TypeError: `game` is a `Game` instead of its plugin.
        ValueError: The game does not allow this number of seats, the render mode is unknown, or
            `max_plies` is below 1.
    """

    def __init__(
        self,
        game: str | Plugin,
        *,
        seats: int | None = None,
        options: Options | None = None,
        points: bool = False,
        max_plies: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        if render_mode not in {None, *METADATA["render_modes"]}:
            modes = ", ".join(METADATA["render_modes"])
            raise ValueError(f"render_mode must be one of {modes}, not {render_mode!r}")
        if max_plies is not None and index(max_plies) < 1:
            raise ValueError(f"max_plies must be at least 1, not {max_plies}")
        if isinstance(game, Game):
            raise TypeError(
                f"{type(game).__name__} is only the rules: pass its plugin, such as"
                f" Plugin({type(game).__name__}()), or the path of its file"
            )
        self.plugin: Plugin = load(game) if isinstance(game, str) else game
        self.game: AnyGame = self.plugin.game
        self.points: bool = points
        self.render_mode: str | None = render_mode
        self.seats: int = len(seat_names(self.game, seats))
        self.max_plies: int = sys.maxsize if max_plies is None else max_plies
        self.options: Options = self.game.resolve_options(options or {})

    @cached_property
    def index(self) -> ActionIndex[Any]:
        """The numbers of all actions. Raises `ContractError` if the game does not list them."""
        return ActionIndex(self.game, self.options, self.seats)

    @cached_property
    def encoder(self) -> ObservationEncoder:
        """The encoder. Raises `ContractError` if the state has fields without bounds."""
        return make_encoder(self.plugin, self.options, self.seats)

    @cached_property
    def listed(self) -> ActionIndex[Any] | None:
        """The numbers of all actions, or None if the game does not implement `all_actions`."""
        is_listed = self.game.all_actions(self.options, self.seats) is not None
        return self.index if is_listed else None

    @cached_property
    def fault(self) -> str:
        """The reason why there are no tensors, or an empty text."""
        try:
            self.spaces()
        except ContractError as error:
            return str(error)
        return ""

    def twin(self) -> Episodes:
        """Return a copy for a simultaneous match, with its own encoder cache."""
        other = Episodes.__new__(Episodes)
        vars(other).update(vars(self))
        if type(self.encoder) is Encoder:
            other.encoder = self.encoder.twin()
        return other

    def __reduce__(self) -> tuple[Any, ...]:
        names = ("seats", "options", "points", "max_plies", "render_mode")
        return partial(Episodes, self.plugin, **{it: getattr(self, it) for it in names}), ()

    def spaces(self) -> tuple[spaces.Dict, spaces.Discrete[Any]]:
        """Return the spaces of observations and actions."""
        mask = spaces.Box(0, 1, (self.index.size,), np.int8)
        low, high = (np.asarray(it, np.float32) for it in (self.encoder.low, self.encoder.high))
        observations = spaces.Dict({"observation": spaces.Box(low, high), "action_mask": mask})
        return observations, spaces.Discrete(self.index.size)

    def begin(self, seed: int | str) -> AnyMatch:
        """Begin the match that `tabletop play --seed` plays with this seed."""
        return Match(self.game, seed=seed, seats=self.seats, options=self.options)

    def play(self, match: AnyMatch, seat: Seat, number: int) -> bool:
        """Play the action with this index, or return False if the action is not legal.

        Raises:
            IndexError: No action has that index.
        """
        action = self.index.action(number)
        try:
            if match.to_act != (seat,) and match.actor(action) != seat:
                return False
            match.play(action)
        except IllegalAction:
            return False
        return True

    def is_truncated(self, match: AnyMatch) -> bool:
        """Return whether a match has reached `max_plies` before its end."""
        return match.ply >= self.max_plies and not match.over

    def observe(self, match: AnyMatch, seat: Seat, row: Any = None, mask: Any = None) -> Any:
        """Return the `Observation` of a seat.

        Args:
            match: The match.
            seat: The seat.
            row: Array for the observation. By default, a new one.
            mask: Array for the mask. By default, a new one.
        """
        view = self.game.glance(match.state, seat)
        if type(self.encoder) is Encoder:
            row = self.encoder.encode(view, seat, row)
        else:
            row = np.empty(self.encoder.size, np.float32) if row is None else row
            self.encoder.encode(view, seat, row)
        mask = self.index.mask(match.legal_actions(seat), mask)
        return {"observation": row, "action_mask": mask}

    def infos(self, outcome: Outcome | None) -> Sequence[dict[str, Any]]:
        """Return the faction and the role of each seat, if the outcome names them."""
        if outcome is None:
            return [{} for _ in range(self.seats)]
        named = {"faction": outcome.factions, "role": outcome.roles}
        return [
            {key: names[seat] for key, names in named.items() if names}
            for seat in range(self.seats)
        ]

    def rewards(self, outcome: Outcome | None) -> Sequence[float]:
        """Return the reward of each seat for an outcome, or zeros before the end.

        Raises:
            TabletopError: `points` is set, but the outcome has no points.
        """
        if outcome is None:
            return [0.0] * self.seats
        if self.points and not outcome.points:
            raise TabletopError(f"{self.game.name} has no points: leave out points=True")
        return [float(it) for it in outcome.points] if self.points else outcome.returns

    def render(self, match: AnyMatch) -> Any:
        """Show a match in the `render_mode`.

        Raises:
            TabletopError: A library for pictures is not installed.
        """
        if self.render_mode == "rgb_array":
            return _pixels(draw_match(match, self.plugin.make_picture()))
        text = self.plugin.text.position(match.state, match.names, ALL)
        if self.render_mode == "human":
            print(text)  # noqa: T201 - the mode prints by definition
        return text if self.render_mode == "ansi" else None


def _pixels(svg: str) -> Any:
    """Render an SVG picture to an array of (height, width, 3) bytes."""
    try:
        from PIL import Image
        from resvg_py import svg_to_bytes
    except ImportError as error:
        message = "render_mode rgb_array needs an extra: pip install 'tabletop-rules[envs]'"
        raise TabletopError(message) from error
    with Image.open(BytesIO(svg_to_bytes(svg_string=flattened(svg, dark=False)))) as image:
        return np.array(image.convert("RGB"))


class Seeds:
    """A reproducible sequence of match seeds."""

    def __init__(self) -> None:
        self._streams = Streams(fresh_phrase())

    def draw(self, bound: int) -> int:
        """Return a random number below `bound`."""
        return self._streams["episodes"].below(bound)

    def next(self, seed: int | None = None) -> int:
        """Return the seed of the next match. A given seed restarts the sequence."""
        if seed is None:
            return self.draw(1 << 62)
        self._streams = Streams(seed)
        return seed


class Playing:
    """The current match of an environment, which the first `reset` begins."""

    _match: AnyMatch | None = None

    @property
    def match(self) -> AnyMatch:
        """The current match. Do not change it other than through `step`.

        Raises:
            TabletopError: `reset` has not been called yet.
        """
        if self._match is None:
            raise TabletopError("the environment has no match yet: call reset first")
        return self._match


def episode_over() -> TabletopError:
    """Return the error for a step after the end of an episode."""
    return TabletopError("the episode is over: call reset to begin the next match")


class Agents(Playing):
    """The base class of both PettingZoo environments.

    The agents are the seats: `player_0` and so on. The arguments are those of `Episodes`. An action
    that is illegal by the agent's mask ends the episode: the agent gets -1 and the others 0, as
    with `TerminateIllegalWrapper`.
    """

    def __init__(self, game: str | Plugin, **settings: Any) -> None:
        self.episodes: Episodes = Episodes(game, **settings)
        self.seeds: Seeds = Seeds()
        name = f"{self.episodes.game.name.replace('-', '_')}_v0"
        self.metadata: dict[str, Any] = {**METADATA, "name": name, "is_parallelizable": True}
        self.render_mode: str | None = self.episodes.render_mode
        self.possible_agents: list[str] = [f"player_{seat}" for seat in range(self.episodes.seats)]
        self.agents: list[str] = []
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._spaces = {agent: self.episodes.spaces() for agent in self.possible_agents}

    def __copy__(self) -> Self:
        return deepcopy(self)  # a shallow copy would share the match

    def observation_space(self, agent: str) -> Any:
        """Return the observation space of an agent. Every call returns the same object."""
        return self._spaces[agent][0]

    def action_space(self, agent: str) -> Any:
        """Return the action space of an agent. Every call returns the same object."""
        return self._spaces[agent][1]

    def render(self) -> Any:
        """Show the match in the `render_mode`; see `Episodes`."""
        return self.episodes.render(self.match)

    def close(self) -> None:
        """Do nothing. PettingZoo requires this method."""
