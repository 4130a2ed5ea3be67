"""A whole seeded game of each kind on the terminal, and the proof that it replays exactly.

make demo
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from tabletop.cli import main as tabletop
from tabletop.registry import installed

SEED = "three old friends"
GAMES = [str(Path(__file__).with_name("tictactoe.py")), *installed()]


def demonstrate(game: str, record: Path) -> bool:
    """Let bots play `game`, recorded, and verify the record; whether both went well."""
    print(f"\n=== {Path(game).stem} ===", flush=True)
    play = ["play", game, "--seed", SEED, "--bot", "all", "--record", str(record)]
    return not tabletop(play) and not tabletop(["replay", str(record), "--verify"])


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        records = [Path(folder) / f"{number}.jsonl" for number in range(len(GAMES))]
        done = [demonstrate(game, record) for game, record in zip(GAMES, records, strict=True)]
    print(f"\n{sum(done)} of {len(done)} games played, recorded and verified.")
    return 0 if all(done) else 1


if __name__ == "__main__":
    sys.exit(main())
