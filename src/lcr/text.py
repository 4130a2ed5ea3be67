"""How a game reads: the lines that the course's program prints (LCR §5)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import singledispatchmethod
from typing import Final

from lcr.events import TurnEnded
from tabletop import Event, MatchEnded

PLAYERS_PROMPT: Final = "Number of players (3 to 11)? "
SEED_PROMPT: Final = "Random-number seed? "
PLAYERS_COMPLAINT: Final = "Invalid number of players. Using 3 instead.\n"
SEED_COMPLAINT: Final = "Invalid seed. Using 4823 instead.\n"
