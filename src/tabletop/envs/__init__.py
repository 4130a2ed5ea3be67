"""Matches for learning programs: any game with `all_actions`, as numbers.

Each kind of environment is a module of its own, as each needs another library: `aec` and `parallel`
(PettingZoo), `gym` and `vector` (Gymnasium), `spiel` (OpenSpiel). All need the extra `envs`.
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
