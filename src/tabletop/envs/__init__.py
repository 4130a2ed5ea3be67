"""Environments for reinforcement learning and for language models.

Each kind of environment has its own module, because each needs a different library: `aec` and
`parallel` (PettingZoo), `gym` and `vector` (Gymnasium), and `spiel` (OpenSpiel) for games that
implement `all_actions`, with the extra `envs`. For any game, `text` (TextArena) and `openenv`
(OpenEnv) need the extra `llm`.
"""

from tabletop.host.extras import require

require("a learning environment", "envs", "numpy", "gymnasium", "pettingzoo")

from tabletop.envs.actions import ActionIndex
from tabletop.envs.encoding import Encoder, ObservationEncoder, make_encoder
from tabletop.envs.episodes import Episodes
from tabletop.envs.policies import Policy
from tabletop.envs.values import LinearValues

__all__ = [
    "ActionIndex",
    "Encoder",
    "Episodes",
    "LinearValues",
    "ObservationEncoder",
    "Policy",
    "make_encoder",
]
