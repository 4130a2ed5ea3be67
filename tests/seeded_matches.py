"""Prints what seeded matches of every installed game come to, a line each.

python -m tests.seeded_matches > tests/golden/seeded_matches.txt
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from hashlib import blake2b

from tabletop import Match, Random, Streams
from tabletop.match import AnyMatch
from tabletop.registry import installed, load

SEED = "three old friends"
BOTS_SEED = "sorcery-12"
"""Among bots whose weights were floating-point numbers it went another way on Python 3.12."""
PLIES = 400


def lines() -> Iterator[str]:
    """The lines of the golden file: each game between players at random, then between its bots."""
    for name in installed():
        plugin = load(name)
        match = Match(plugin.game, seed=SEED)
        for seat in range(match.seats):
            match.set_player(seat, Random(Streams("bots")["player", seat]))
        yield f"{name} {_fingerprint(match)}\n"
        for bot in plugin.bots:
            match = Match(plugin.game, seed=BOTS_SEED)
            for seat in range(match.seats):
                match.set_player(seat, plugin.bot(bot, match.bot_stream(seat), seat))
            yield f"{name} {bot} {_fingerprint(match)}\n"


def _fingerprint(match: AnyMatch) -> str:
    """How many actions a match of bots has, and what stands for all it has led to, one by one."""
    led_to = blake2b(match.digest().encode(), digest_size=16)
    while not match.over and match.ply < PLIES:
        match.run(1)
        led_to.update(f"{match.actions[-1]} {match.digest()}".encode())
    return f"{match.ply} {led_to.hexdigest()}"


if __name__ == "__main__":
    sys.stdout.writelines(lines())
