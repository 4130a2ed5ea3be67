"""Environments for reinforcement learning and for language models.

Each kind of environment has its own module, because each needs a different library: `aec` and
`parallel` (PettingZoo), and `gym` and `vector` (Gymnasium) for games that implement `all_actions`.
For any game, there are `spiel` (OpenSpiel), `text` (TextArena) and `openenv` (OpenEnv). The last
two need the extra `llm`, the others the extra `envs`.
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
