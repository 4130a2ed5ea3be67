"""A game as a PettingZoo AEC environment, in which agents act one after the other.

    from tabletop.envs import aec
    env = aec.Env("nettles.py")

Importing this module registers all installed games as `tabletop/NAME-v0`, for `pettingzoo.make`.
"""

from __future__ import annotations

from typing import Any

import pettingzoo
from typing_extensions import override

from tabletop.envs.episodes import ILLEGAL, Agents, Observation, episode_over
from tabletop.registry import installed


class Env(Agents, pettingzoo.AECEnv[str, Observation, int]):
    """A PettingZoo environment in which agents act in turn.

    Agents that choose simultaneously do not see each other's choices.
    """

    @override
    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        self._match = self.episodes.begin(self.seeds.next(seed))
        self.agents: list[str] = self.possible_agents[:]
        self.rewards: dict[str, float] = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations: dict[str, bool] = dict.fromkeys(self.agents, False)
        self.truncations: dict[str, bool] = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection: str
        self._skip_agent_selection = None
        self._go_on()

    @override
    def observe(self, agent: str) -> Any:
        return self.episodes.observe(self.match, self._seats[agent])

    @override
    def step(self, action: int | None) -> None:
        match = self.match
        if not self.agents:
            raise episode_over()
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
        elif action is None:
            raise ValueError(f"{agent} is to act, so it needs an action instead of None")
        elif self.episodes.play(match, self._seats[agent], action):
            self._go_on()
        else:
            self._end(self.terminations, {agent: ILLEGAL})

    def _go_on(self) -> None:
        """Select the agent that is to act, or end the episode."""
        match = self.match
        if not (to_act := match.to_act):
            rewards = self.episodes.rewards(match.outcome)
            self.infos = dict(zip(self.agents, self.episodes.infos(match.outcome), strict=True))
            self._end(self.terminations, dict(zip(self.agents, rewards, strict=True)))
        elif self.episodes.is_truncated(match):
            self._end(self.truncations, {})
        else:
            self.agent_selection = self.possible_agents[to_act[0]]
        if self.render_mode == "human":
            self.render()

    def _end(self, ended: dict[str, bool], rewards: dict[str, float]) -> None:
        """End the episode. Every agent then has a last turn, in which the action must be None."""
        self.rewards |= rewards
        self._accumulate_rewards()
        ended |= dict.fromkeys(self.agents, True)
        self.agent_selection = self.agents[0]


for _name in installed():  # this does not load the games
    _place = "tabletop.envs.aec:Env"
    pettingzoo.register("aec", f"tabletop/{_name}-v0", _place, kwargs={"game": _name})
