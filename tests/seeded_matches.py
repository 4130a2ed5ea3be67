"""Prints what a seeded match of every installed game comes to, a line each.

python -m tests.seeded_matches > tests/golden/seeded_matches.txt
"""

from __future__ import annotations

import sys
from hashlib import blake2b

from tabletop import Match, Random, Streams
from tabletop.registry import installed, load

SEED = "three old friends"
PLIES = 400


def fingerprint(game: str) -> str:
    """How many actions a match of bots has, and what stands for all it has led to, one by one."""
    match = Match(load(game).game, seed=SEED)
    for seat in range(match.seats):
        match.set_player(seat, Random(Streams("bots")["player", seat]))
    led_to = blake2b(match.digest().encode(), digest_size=16)
    while not match.over and match.ply < PLIES:
        match.run(1)
        led_to.update(f"{match.actions[-1]} {match.digest()}".encode())
    return f"{match.ply} {led_to.hexdigest()}"


if __name__ == "__main__":
    for name in installed():
        sys.stdout.write(f"{name} {fingerprint(name)}\n")
