"""A whole seeded game of each kind on the terminal, and the proof that it replays exactly.

    make demo

The kinds are the example beside this file and every game that is installed.
"""

from __future__ import annotations

import contextlib
import sys
import tempfile
from pathlib import Path

from tabletop.cli import main as tabletop
from tabletop.registry import installed

SEED = "three old friends"


def games() -> list[str]:
    """What `tabletop play` takes: a path to a file, and the names of the installed games."""
    return [str(Path(__file__).resolve().with_name("tictactoe.py")), *installed()]


def demonstrate(game: str) -> bool:
    """Let bots play `game`, recorded, and verify the record; whether both went well."""
    name = Path(game).stem
    print(f"\n=== {name} ===", flush=True)
    record = f"{name}.jsonl"
    play = ["play", game, "--seed", SEED, "--bot", "all", "--record", record]
    return tabletop(play) == 0 and tabletop(["replay", record, "--verify"]) == 0


def main() -> int:
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        done = [demonstrate(game) for game in games()]
    print(f"\n{sum(done)} of {len(done)} games played, recorded and verified.")
    return 0 if all(done) else 1


if __name__ == "__main__":
    sys.exit(main())
