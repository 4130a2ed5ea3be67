"""A game as an environment of PettingZoo in which agents act one after another (AEC).

    from tabletop.envs import aec
    env = aec.Env("nettles.py")

Every installed game is `tabletop/NAME-v0` for `pettingzoo.make` once this module is imported.

Seats that choose at the same time do so one after another, and none sees what the others chose.
"""

from __future__ import annotations

from typing import Any

import pettingzoo
from pettingzoo import AECEnv
from typing_extensions import override

from tabletop.envs.episodes import ILLEGAL, Agents, Observation
from tabletop.registry import Plugin, installed


class Env(Agents, AECEnv[str, Observation, int]):  # type: ignore[misc]
    """A PettingZoo environment; agents are the seats, `player_0` and so on.

    An action that is not legal ends the episode: its agent gets -1 and the others 0, as with
    PettingZoo's `TerminateIllegalWrapper`.

    Args:
        game: an installed name, `module:NAME`, a path to a `.py` file, or a loaded plugin.
        settings: keyword arguments of `tabletop.envs.episodes.Episodes`.
    """

    def __init__(self, game: str | Plugin, **settings: Any) -> None:
        super().__init__(game, **settings)
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}

    @override
    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        self.match = self.episodes.begin(self.seeds.next(seed))
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._skip_agent_selection = None
        self._go_on()

    @override
    def observe(self, agent: str) -> Observation:
        seen: Observation = self.episodes.observe(self.match, self._seats[agent])
        return seen

    @override
    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
        elif action is None:
            raise ValueError(f"{agent} is to act: None is no action")
        elif self.episodes.play(self.match, self._seats[agent], action):
            self._go_on()
        else:
            self._end(self.terminations, {agent: ILLEGAL})

    def _go_on(self) -> None:
        """Turn to the agent that is to act, or end the episode."""
        match = self.match
        if not (to_act := match.to_act):
            rewards = self.episodes.rewards(match.outcome)
            self._end(self.terminations, dict(zip(self.agents, rewards, strict=True)))
        elif self.episodes.is_cut(match):
            self._end(self.truncations, {})
        else:
            self.agent_selection = self.possible_agents[to_act[0]]
        if self.render_mode == "human":
            self.render()

    def _end(self, ended: dict[str, bool], rewards: dict[str, float]) -> None:
        """End the episode; every agent has its last turn, with None for an action."""
        self.rewards |= rewards
        self._accumulate_rewards()
        ended |= dict.fromkeys(self.agents, True)
        self.agent_selection = self.agents[0]


for _name in installed():  # none of them is loaded
    pettingzoo.register(
        "aec", f"tabletop/{_name}-v0", "tabletop.envs.aec:Env", kwargs={"game": _name}
    )
