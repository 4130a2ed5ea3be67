"""A game as a Gymnasium environment: one learner, and bots on the other seats.

    import gymnasium
    import tabletop.envs.gym
    env = gymnasium.make("tabletop/sorcery-v0", bots="duelist")

Importing this module registers all installed games as `tabletop/NAME-v0`, for `gymnasium.make` and
`gymnasium.make_vec`. For a game in a file, use `Env("path.py")`.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from typing import Any, Final, Self, TypeAlias

import gymnasium
from typing_extensions import override

from tabletop.envs.episodes import (
    ILLEGAL,
    METADATA,
    Episodes,
    Observation,
    Playing,
    Seeds,
    episode_over,
)
from tabletop.errors import TabletopError
from tabletop.match.match import AnyMatch
from tabletop.registry import Plugin, installed
from tabletop.states.bounds import Seat
from tabletop.wording import no_seat, plural

Bots: TypeAlias = str | Sequence[str] | None
"""The bot that plays all other seats, or a list with one bot per other seat. None means the game's
best bot. With an empty list, the learner plays all seats.
"""

MOST_MATCHES: Final = 1000
"""Maximum number of consecutive matches that may end before the learner's first choice."""


class Learner(Playing):
    """A sequence of matches that a learner plays against bots or itself.

    A copy, also by `pickle`, continues with the same bots and the same draws.

    Args:
        seat: Seat of the learner, or None to draw a seat for each match.

    Attributes:
        seat: Seat for which the learner is to act, or last acted.

    Raises:
        RegistryError: The game does not have such a bot (raised by `begin`).
        ValueError: The game does not have this seat, or the number of bots is wrong.
    """

    def __init__(self, episodes: Episodes, seat: Seat | None = 0, bots: Bots = None) -> None:
        others = episodes.seats - 1
        if bots is None or isinstance(bots, str):
            bots = [bots or episodes.plugin.best_bot] * others
        if len(bots) not in {0, others}:
            given = f"{plural(len(bots), 'bot')} for {plural(others, 'other seat')}"
            raise ValueError(f"{given}: give one for each seat")
        if seat is not None and not 0 <= seat <= others:
            raise ValueError(no_seat(seat, episodes.seats))
        self.episodes: Episodes = episodes
        self._fixed, self._bots, self._seeds = seat, bots, Seeds()
        self.seat: Seat = seat or 0

    def begin(self, seed: int | None = None) -> None:
        """Begin the match with this seed or the next one, up to the learner's first choice.

        Matches that end before that choice are skipped.

        Raises:
            TabletopError: The learner did not get a choice in `MOST_MATCHES` matches.
        """
        for _ in range(MOST_MATCHES):
            self._match = self.episodes.begin(self._seeds.next(seed))
            if self._bots:
                draw, seats = self._seeds.draw, self._match.seats
                self.seat = draw(seats) if self._fixed is None else self._fixed
                self._seat_bots(self._match)
            self._play_on()
            if not self.match.over:
                return
            seed = None
        name = self.episodes.game.name
        raise TabletopError(f"{name}: {MOST_MATCHES} matches ended before the learner could act")

    def __setstate__(self, values: dict[str, Any]) -> None:
        vars(self).update(values)
        if self._match is not None and self._bots:  # the copy of a match has no players
            self._seat_bots(self._match)

    def _seat_bots(self, match: AnyMatch) -> None:
        """Create new bots for a match. The bots draw from random streams of the match."""
        others = (seat for seat in range(match.seats) if seat != self.seat)
        for seat, name in zip(others, self._bots, strict=True):
            bot = self.episodes.plugin.bot(name, match.bot_stream(seat), seat)
            match.set_player(seat, bot)

    def _play_on(self) -> None:
        """Play until the learner is to act, or the match is over or truncated."""
        match = self.match
        if not self._bots:
            self.seat = next(iter(match.to_act), self.seat)
            return
        while (
            match.to_act and self.seat not in match.to_act and not self.episodes.is_truncated(match)
        ):
            match.run(1)

    def step(self, number: int) -> tuple[Sequence[float], bool, bool]:
        """Play the learner's action and the replies of the bots.

        Returns:
            The rewards of all seats (empty before the end), whether the match is over, and whether
            it is truncated.

        Raises:
            IndexError: No action has that index.
            TypeError: The index is not an integer.
        """
        episodes, match = self.episodes, self.match
        if not episodes.play(match, self.seat, number):
            return [ILLEGAL * (seat == self.seat) for seat in range(match.seats)], True, False
        self._play_on()
        if match.to_act:
            return (), False, episodes.is_truncated(match)
        return episodes.rewards(match.outcome), True, False


class Env(gymnasium.Env[Observation, int]):
    """A Gymnasium environment.

    A step consists of an action of the learner and all replies of the bots.

    The reward is that of the learner. An illegal action ends the episode with the reward -1.
    `info["seat"]` is the seat of the observation. At the end of a match, `info` contains the
    `faction` and the `role` of the learner if the outcome names them. The arguments are those of
    `Learner` and `Episodes`.
    """

    metadata = METADATA

    def __init__(
        self, game: str | Plugin, *, seat: Seat | None = 0, bots: Bots = None, **settings: Any
    ) -> None:
        self.learner: Learner = Learner(Episodes(game, **settings), seat, bots)
        self.render_mode: str | None = self.learner.episodes.render_mode
        self.observation_space, self.action_space = self.learner.episodes.spaces()
        self._is_over = False

    def __copy__(self) -> Self:
        return deepcopy(self)  # a shallow copy would share the match

    @property
    def match(self) -> AnyMatch:
        """The current match; see `Learner.match`."""
        return self.learner.match

    @override
    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
        super().reset(seed=seed)
        self.learner.begin(seed)
        self._is_over = False
        return self._observe()

    @override
    def step(self, action: int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        if self._is_over:
            raise episode_over()
        seat = self.learner.seat
        rewards, over, truncated = self.learner.step(action)
        self._is_over = over or truncated
        observation, info = self._observe()
        info |= self.learner.episodes.infos(self.match.outcome)[seat]
        return observation, float(rewards[seat]) if rewards else 0.0, over, truncated, info

    def _observe(self) -> tuple[Observation, dict[str, Any]]:
        if self.render_mode == "human":
            self.render()
        seat = self.learner.seat
        return self.learner.episodes.observe(self.match, seat), {"seat": seat}

    def action_masks(self) -> Any:
        """Return the mask of legal actions, as MaskablePPO of sb3-contrib requires."""
        legal = self.match.legal_actions(self.learner.seat)
        return self.learner.episodes.index.mask(legal).astype(bool)

    @override
    def render(self) -> Any:
        return self.learner.episodes.render(self.match)


for _name in installed():  # this does not load the games
    gymnasium.register(
        f"tabletop/{_name}-v0",
        entry_point="tabletop.envs.gym:Env",
        vector_entry_point="tabletop.envs.vector:Env",
        kwargs={"game": _name},
    )
