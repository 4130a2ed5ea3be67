"""A game as a PettingZoo parallel environment, in which agents act at the same time.

    from tabletop.envs import parallel
    env = parallel.Env("nettles.py")

Use this for games with simultaneous choices. In other games, only one agent acts at each step. The
masks of all other agents contain only zeros, and the actions of these agents are ignored.

Importing this module registers all installed games as `tabletop/NAME-v0`, for `pettingzoo.make`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pettingzoo
from typing_extensions import override

from tabletop.envs.episodes import ILLEGAL, Agents, Observation, episode_over
from tabletop.registry import installed


class Env(Agents, pettingzoo.ParallelEnv[str, Observation, int]):
    """A PettingZoo environment in which all agents act at the same time.

    The actions are played in the order of the seats. An action is skipped if the actions of lower
    seats have made it illegal.
    """

    @override
    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
        self._match = self.episodes.begin(self.seeds.next(seed))
        self.agents: list[str] = self.possible_agents[:]
        return self._observe_all(), {agent: {} for agent in self.agents}

    @override
    def step(self, actions: Mapping[str, int]) -> tuple[Any, Any, Any, Any, Any]:
        episodes, match, agents = self.episodes, self.match, self.possible_agents
        if not self.agents:
            raise episode_over()
        numbers = {seat: actions[agents[seat]] for seat in match.to_act}
        for number in numbers.values():
            episodes.index.action(number)  # raises an error for an invalid action number
        rewards = dict.fromkeys(agents, 0.0)
        wrong = [seat for seat, number in numbers.items() if not self._masks[seat][number]]
        if wrong:
            rewards |= {agents[seat]: ILLEGAL for seat in wrong}
        else:
            for seat, number in numbers.items():
                if seat in match.to_act:
                    episodes.play(match, seat, number)
            rewards |= zip(agents, episodes.rewards(match.outcome), strict=True)
        over, cut = bool(wrong) or match.over, not wrong and episodes.is_truncated(match)
        self.agents = [] if over or cut else agents[:]
        if self.render_mode == "human":
            self.render()
        ended = dict.fromkeys(agents, over), dict.fromkeys(agents, cut)
        infos = dict(zip(agents, episodes.infos(match.outcome), strict=True))
        return self._observe_all(), rewards, *ended, infos

    def _observe_all(self) -> dict[str, Observation]:
        """Return the observations, and copy the masks, because callers may change the arrays."""
        observe = self.episodes.observe
        observations = [observe(self.match, seat) for seat in range(self.episodes.seats)]
        self._masks = [bytes(it["action_mask"]) for it in observations]
        return dict(zip(self.possible_agents, observations, strict=True))


for _name in installed():  # this does not load the games
    _place = "tabletop.envs.parallel:Env"
    pettingzoo.register("parallel", f"tabletop/{_name}-v0", _place, kwargs={"game": _name})
