"""What all learning environments have in common: matches one after another, seen as numbers."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from copy import deepcopy
from functools import partial
from io import BytesIO
from operator import index
from typing import Any, Final, Self, TypeAlias

import numpy as np
from gymnasium import spaces

from tabletop.display.svg import flattened
from tabletop.envs.actions import ActionIndex
from tabletop.envs.encoding import Encoder, ObservationEncoder, make_encoder
from tabletop.errors import IllegalAction, TabletopError
from tabletop.match.match import AnyMatch, Match
from tabletop.match.match_view import seat_names
from tabletop.registry import Plugin, draw_match, load
from tabletop.rng.phrases import fresh_phrase
from tabletop.rng.streams import Streams
from tabletop.rules.events import ALL
from tabletop.rules.game import AnyGame
from tabletop.rules.options import Options
from tabletop.rules.outcome import Outcome
from tabletop.states.bounds import Seat

Observation: TypeAlias = dict[str, Any]
"""`observation`: an array of `float32`; `action_mask`: an array of `int8`, 1 for a legal action.

The mask of a seat that is not to act is all zeros.
"""

METADATA: Final[dict[str, Any]] = {"render_modes": ["human", "ansi", "rgb_array"], "render_fps": 1}
"""The `metadata` of every environment: how it can be rendered, and at how many frames a second."""

ILLEGAL: Final = -1.0
"""The reward of who plays an action that is not legal, which ends the episode."""


class Episodes:
    """The matches of an environment, and what a learner is given of them.

    Args:
        game: an installed name, `module:NAME`, a path to a `.py` file, or a loaded plugin.
        seats: the number of seats; the fewest the game allows when not given.
        options: the game's options that differ from their defaults.
        points: whether rewards are the points of an outcome, and not `Outcome.returns`. Before the
            end all rewards are 0.
        max_plies: truncate a match after so many actions; never when not given.
        render_mode: `human` prints the text view, `ansi` returns it, `rgb_array` returns the
            picture as an array of (height, width, 3) bytes. Nothing is hidden in them.

    Raises:
        ContractError: the game does not list its actions, or its states have no bounds.
        OptionError: an option is unknown or out of range.
        RegistryError: there is no such game.
        ValueError: the game does not allow so many seats, there is no such mode, or no ply.
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
            raise ValueError(f"render_mode: {render_mode!r} is none of {modes}")
        if max_plies is not None and index(max_plies) < 1:
            raise ValueError(f"max_plies: {max_plies} is not 1 or more")
        self.plugin: Plugin = load(game) if isinstance(game, str) else game
        self.game: AnyGame = self.plugin.game
        self.points: bool = points
        self.render_mode: str | None = render_mode
        self.seats: int = len(seat_names(self.game, seats))
        self.max_plies: int = sys.maxsize if max_plies is None else max_plies
        self.options: Options = self.game.resolve_options(options or {})
        self.index: ActionIndex[Any] = ActionIndex(self.game, self.options, self.seats)
        self.encoder: ObservationEncoder = make_encoder(self.plugin, self.options, self.seats)

    def twin(self) -> Episodes:
        """Return the same for a match at the same time, which is encoded faster by itself."""
        other = Episodes.__new__(Episodes)
        vars(other).update(vars(self))
        if type(self.encoder) is Encoder:
            other.encoder = self.encoder.twin()
        return other

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle or copy the settings."""
        names = ("seats", "options", "points", "max_plies", "render_mode")
        return partial(Episodes, self.plugin, **{it: getattr(self, it) for it in names}), ()

    def spaces(self) -> tuple[spaces.Dict, spaces.Discrete[Any]]:
        """Make the spaces of observations and of actions."""
        low, high = (np.asarray(it, np.float32) for it in (self.encoder.low, self.encoder.high))
        mask = spaces.Box(0, 1, (self.index.size,), np.int8)
        seen = spaces.Dict({"observation": spaces.Box(low, high), "action_mask": mask})
        return seen, spaces.Discrete(self.index.size)

    def begin(self, seed: int | str) -> AnyMatch:
        """Begin the match of a seed, as `tabletop play --seed` does."""
        return Match(self.game, seed=seed, seats=self.seats, options=self.options)

    def play(self, match: AnyMatch, seat: Seat, number: int) -> bool:
        """Play the action with a number; return False, and play nothing, when it is not legal.

        Raises:
            IndexError: no action has that number.
        """
        action = self.index.action(number)
        try:
            if match.to_act != (seat,) and match.actor(action) != seat:
                return False
            match.play(action)
        except IllegalAction:
            return False
        return True

    def is_cut(self, match: AnyMatch) -> bool:
        """Check whether a match has had all its plies, and is not over."""
        return match.ply >= self.max_plies and not match.over

    def observe(self, match: AnyMatch, seat: Seat, seen: Any = None, mask: Any = None) -> Any:
        """Return what a seat sees and may do, in new arrays if none are given."""
        view = self.game.glance(match.state, seat)
        if type(self.encoder) is Encoder:
            seen = self.encoder.encode(view, seat, seen)
        else:
            seen = np.empty(self.encoder.size, np.float32) if seen is None else seen
            self.encoder.encode(view, seat, seen)
        mask = self.index.mask(match.legal_actions(seat), mask)
        return {"observation": seen, "action_mask": mask}

    def rewards(self, outcome: Outcome | None) -> Sequence[float]:
        """Return what an outcome is worth to each seat; zeros while there is none.

        Raises:
            TabletopError: points are wanted, and the outcome has none.
        """
        if outcome is None:
            return [0.0] * self.seats
        if self.points and not outcome.points:
            raise TabletopError(f"{self.game.name} counts no points: leave out points=True")
        return [float(it) for it in outcome.points] if self.points else outcome.returns

    def render(self, match: AnyMatch) -> Any:
        """Show a match in the `render_mode`.

        Raises:
            TabletopError: what a picture needs is not installed.
        """
        if self.render_mode == "rgb_array":
            return _pixels(draw_match(match, self.plugin.make_picture()))
        text = self.plugin.text.position(match.state, match.names, ALL)
        if self.render_mode == "human":
            print(text)  # noqa: T201 - this is what it means
        return text if self.render_mode == "ansi" else None


def _pixels(svg: str) -> Any:
    """Draw a picture as an array of (height, width, 3) bytes."""
    try:
        from PIL import Image
        from resvg_py import svg_to_bytes
    except ImportError as error:
        message = "pictures as pixels need more: pip install 'tabletop-rules[envs]'"
        raise TabletopError(message) from error
    with Image.open(BytesIO(svg_to_bytes(svg_string=flattened(svg, dark=False)))) as image:
        return np.array(image.convert("RGB"))


class Seeds:
    """The seeds of matches one after another: the same ones after the same seed."""

    def __init__(self) -> None:
        self._streams = Streams(fresh_phrase())

    def draw(self, bound: int) -> int:
        """Draw a number below `bound`."""
        return self._streams["episodes"].below(bound)

    def next(self, seed: int | None = None) -> int:
        """Return the seed of the next match: a given one, with which all begins again."""
        if seed is None:
            return self.draw(1 << 62)
        self._streams = Streams(seed)
        return seed


class Playing:
    """The match of an environment, which begins with the first `reset`."""

    _match: AnyMatch | None = None

    @property
    def match(self) -> AnyMatch:
        """The current match. Read it; change it only through `step`.

        Raises:
            TabletopError: `reset` has not been called yet.
        """
        if self._match is None:
            raise TabletopError("no match has begun: call reset first")
        return self._match


def episode_over() -> TabletopError:
    """Return the error for a step after the end of an episode."""
    return TabletopError("the episode is over: call reset to begin the next match")


class Agents(Playing):
    """The common part of both environments of PettingZoo.

    The agents are the seats: `player_0` and so on. The arguments are those of `Episodes`. An action
    that is not legal by its agent's mask ends the episode: that agent gets -1, the others 0 (as
    with `TerminateIllegalWrapper`).
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
        """Return the space of an agent's observations; always the same object."""
        return self._spaces[agent][0]

    def action_space(self, agent: str) -> Any:
        """Return the space of an agent's actions; always the same object."""
        return self._spaces[agent][1]

    def render(self) -> Any:
        """Show the match in the `render_mode`; see `Episodes`."""
        return self.episodes.render(self.match)

    def close(self) -> None:
        """Do nothing: there is nothing to release. PettingZoo wants it beside `render`."""
