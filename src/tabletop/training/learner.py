"""The network that learns: masked PPO of sb3-contrib, on one core, the same each time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from io import BytesIO
from typing import Any, Final
from warnings import catch_warnings

import gymnasium
import numpy as np
import torch
from gymnasium import spaces
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.buffers import MaskableRolloutBuffer
from stable_baselines3.common.logger import Logger
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from stable_baselines3.common.utils import set_random_seed

from tabletop.envs.policies import Layers
from tabletop.training.self_play import Played

BATCH: Final = 512
"""The gradient is that of so many choices, or a few more or less, so that batches are alike."""


SETTINGS: Final = {
    "learning_rate": 5e-4,
    "n_epochs": 3,
    "gamma": 0.999,
    "gae_lambda": 0.95,
    "ent_coef": 0.01,
}
"""The arguments of `MaskablePPO` that are not its own defaults."""


class _Spaces(gymnasium.Env[Any, Any]):
    """Says what is seen and done, which is all that the library needs to make a network."""

    def __init__(self, size: int, actions: int) -> None:
        self.observation_space = spaces.Box(0, 1, (size,), np.float32)
        self.action_space = spaces.Discrete(actions)


class _First(BaseFeaturesExtractor):  # type: ignore[misc]  # without the library it is anything
    """The first layer, which what acts and what rates share: most of the time goes by in it."""

    def __init__(self, space: spaces.Box, width: int) -> None:
        super().__init__(space, width)
        self.layer = torch.nn.Linear(space.shape[0], width)

    def forward(self, seen: Any) -> Any:
        """Return what the layer makes of what is seen."""
        return torch.relu(self.layer(seen))


class Learner:
    """A network that learns from what it has decided.

    Args:
        size: how many numbers it sees.
        actions: how many actions there are.
        hidden: how wide its hidden layers are.
        seed: what its first weights are drawn with.
    """

    def __init__(self, size: int, actions: int, hidden: Sequence[int], seed: int) -> None:
        torch.set_num_threads(1)
        torch.use_deterministic_algorithms(mode=True)
        self._model = MaskablePPO(
            "MlpPolicy",
            _Spaces(size, actions),
            n_steps=BATCH,
            batch_size=BATCH,
            policy_kwargs={
                "features_extractor_class": _First,
                "features_extractor_kwargs": {"width": hidden[0]},
                "net_arch": [*hidden[1:]],
                "activation_fn": torch.nn.ReLU,
            },
            seed=seed,
            device="cpu",
            **SETTINGS,
        )
        self._model.set_logger(Logger(None, []))

    def layers(self) -> Layers:
        """Return the network from what is seen to the actions, as arrays of its own."""
        policy = self._model.policy
        parts = [it for it in policy.mlp_extractor.policy_net if hasattr(it, "weight")]
        return [
            (it.weight.detach().numpy().T.copy(), it.bias.detach().numpy().copy())
            for it in (policy.features_extractor.layer, *parts, policy.action_net)
        ]

    def learn(self, played: Sequence[Played], seed: int) -> None:
        """Learn from two choices or more; the seed is that of the order in which they are taken."""
        model = self._model
        set_random_seed(seed)
        seen, packed, actions, rewards, begins = (
            np.concatenate([getattr(it, name) for it in played])
            for name in ("observations", "masks", "actions", "rewards", "begins")
        )
        number = len(actions)
        buffer = MaskableRolloutBuffer(
            number,
            model.observation_space,
            model.action_space,
            "cpu",
            gae_lambda=model.gae_lambda,
            gamma=model.gamma,
        )
        masks = np.unpackbits(packed, axis=1, count=model.action_space.n)
        buffer.observations[:, 0] = seen
        buffer.action_masks[:, 0] = masks
        buffer.actions[:, 0, 0] = actions
        buffer.rewards[:, 0] = rewards
        buffer.episode_starts[:, 0] = begins
        for part in np.array_split(np.arange(number), -(-number // BATCH)):
            given = torch.as_tensor(seen[part]), torch.as_tensor(actions[part])
            with torch.no_grad():
                values, likely, _ = model.policy.evaluate_actions(
                    *given, action_masks=torch.as_tensor(masks[part])
                )
            buffer.values[part, 0] = values.numpy().ravel()
            buffer.log_probs[part, 0] = likely.numpy()
        buffer.compute_returns_and_advantage(torch.zeros(1), np.ones(1))
        buffer.pos, buffer.full = number, True
        model.rollout_buffer = buffer
        batches = max(1, round(number / BATCH))
        model.batch_size = -(-number // batches)
        model.train()

    def state(self, reached: Mapping[str, int]) -> bytes:
        """Return all that goes on changing, with how far that is, as `restore` takes it."""
        policy, out = self._model.policy, BytesIO()
        states = {"policy": policy.state_dict(), "optimizer": policy.optimizer.state_dict()}
        torch.save({**states, "reached": {**reached}}, out)
        return out.getvalue()

    def restore(self, state: bytes) -> Any:
        """Go on from a state, and return how far that is; reading it can run no code.

        Raises:
            ValueError: it is no state of such a network.
        """
        try:
            with catch_warnings(action="ignore"):
                found = torch.load(BytesIO(state), weights_only=True)
            self._model.policy.load_state_dict(found["policy"])
            self._model.policy.optimizer.load_state_dict(found["optimizer"])
            reached = found["reached"]
        except Exception as error:  # there are many ways to be damaged
            raise ValueError(
                f"{type(error).__name__}: {str(error).partition(chr(10))[0]}"
            ) from error
        if not all(it.isfinite().all() for it in self._model.policy.parameters()):
            raise ValueError("a weight is not a finite number")
        return reached
