"""The learning network: masked PPO of sb3-contrib, reproducible on a single core."""

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
"""Target number of choices per gradient step. Batches of a round have nearly equal sizes."""


SETTINGS: Final = {
    "learning_rate": 5e-4,
    "n_epochs": 3,
    "gamma": 0.999,
    "gae_lambda": 0.95,
    "ent_coef": 0.01,
}
"""Arguments of `MaskablePPO` that differ from its defaults."""


class _Spaces(gymnasium.Env[Any, Any]):
    """An environment without behaviour. The library needs only its spaces to create a network."""

    def __init__(self, size: int, actions: int) -> None:
        self.observation_space = spaces.Box(0, 1, (size,), np.float32)
        self.action_space = spaces.Discrete(actions)


class _First(BaseFeaturesExtractor):  # type: ignore[misc]  # `Any` without the library
    """The first layer. The policy and the value network share it because it is slow."""

    def __init__(self, space: spaces.Box, width: int) -> None:
        super().__init__(space, width)
        self.layer = torch.nn.Linear(space.shape[0], width)

    def forward(self, observations: Any) -> Any:
        """Return the activations of the layer."""
        return torch.relu(self.layer(observations))


class Learner:
    """A network that learns from its own choices.

    Args:
        size: Length of an observation.
        actions: Number of actions.
        hidden: Widths of the hidden layers.
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
        """Return the network from the observation to the actions, as copies of its arrays."""
        policy = self._model.policy
        parts = [it for it in policy.mlp_extractor.policy_net if hasattr(it, "weight")]
        return [
            (it.weight.detach().numpy().T.copy(), it.bias.detach().numpy().copy())
            for it in (policy.features_extractor.layer, *parts, policy.action_net)
        ]

    def learn(self, played: Sequence[Played], seed: int) -> None:
        """Learn from the choices, at least two in total, of several matches."""
        model = self._model
        set_random_seed(seed)
        observations, packed, actions, rewards, begins = (
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
        buffer.observations[:, 0] = observations
        buffer.action_masks[:, 0] = masks
        buffer.actions[:, 0, 0] = actions
        buffer.rewards[:, 0] = rewards
        buffer.episode_starts[:, 0] = begins
        for part in np.array_split(np.arange(number), -(-number // BATCH)):
            given = torch.as_tensor(observations[part]), torch.as_tensor(actions[part])
            with torch.no_grad():
                values, log_probs, _ = model.policy.evaluate_actions(
                    *given, action_masks=torch.as_tensor(masks[part])
                )
            buffer.values[part, 0] = values.numpy().ravel()
            buffer.log_probs[part, 0] = log_probs.numpy()
        buffer.compute_returns_and_advantage(torch.zeros(1), np.ones(1))
        buffer.pos, buffer.full = number, True
        model.rollout_buffer = buffer
        batches = max(1, round(number / BATCH))
        model.batch_size = -(-number // batches)
        model.train()

    def state(self, reached: Mapping[str, int]) -> bytes:
        """Return the state of the network and the optimizer, and the progress of the training."""
        policy, out = self._model.policy, BytesIO()
        states = {"policy": policy.state_dict(), "optimizer": policy.optimizer.state_dict()}
        torch.save({**states, "reached": {**reached}}, out)
        return out.getvalue()

    def restore(self, state: bytes) -> Any:
        """Restore a state, and return the progress of the training. No code in the state is run.

        Raises:
            ValueError: The state is damaged, or belongs to a different network.
        """
        try:
            with catch_warnings(action="ignore"):
                states = torch.load(BytesIO(state), weights_only=True)
            self._model.policy.load_state_dict(states["policy"])
            self._model.policy.optimizer.load_state_dict(states["optimizer"])
            reached = states["reached"]
        except Exception as error:  # a damaged state may raise anything
            raise ValueError(
                f"{type(error).__name__}: {str(error).partition(chr(10))[0]}"
            ) from error
        if not all(it.isfinite().all() for it in self._model.policy.parameters()):
            raise ValueError("a weight is not a finite number")
        return reached
