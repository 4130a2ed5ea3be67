"""Learning environments: any game with `all_actions`, as numbers. They need the extra `envs`."""

from tabletop.host.extras import require

require("a learning environment", "envs", "numpy", "gymnasium", "pettingzoo")

from tabletop.envs.actions import ActionIndex
from tabletop.envs.encoding import Encoder, ObservationEncoder, make_encoder

__all__ = ["ActionIndex", "Encoder", "ObservationEncoder", "make_encoder"]
