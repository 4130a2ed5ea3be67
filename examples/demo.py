"""Play and verify a seeded match of each game on the terminal.

    make demo

The games are the example next to this file and all installed games.
"""

from __future__ import annotations

import contextlib
import io
import sys
import tempfile
from pathlib import Path

from tabletop.cli import main as tabletop
from tabletop.registry import installed

SEED = "three old friends"
BEGINNING, END = 24, 16


def games() -> list[str]:
    """Return the path of a game file, and the installed names."""
    return [
        str(Path(__file__).resolve().with_name("tictactoe.py")),
        *installed(),
    ]


def demonstrate(game: str) -> bool:
    """Record and verify a match. Return whether both succeeded."""
    name = Path(game).stem
    print(f"\n=== {name} ===", flush=True)
    record = f"{name}.jsonl"
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        played = tabletop(
            [
                "play",
                game,
                "--seed",
                SEED,
                "--bot",
                "all",
                "--no-score",
                "--record",
                record,
            ]
        )
    print(shortened(output.getvalue()))
    return (
        played == 0
        and tabletop(["replay", record, "--verify", "--game", game])
        == 0
    )


def shortened(text: str) -> str:
    """Return a text without its middle lines if it is long."""
    lines = text.splitlines()
    left_out = len(lines) - BEGINNING - END
    if left_out > 0:
        lines[BEGINNING:-END] = [f"... {left_out:,} more lines ..."]
    return "\n".join(lines)


def main() -> int:
    with (
        tempfile.TemporaryDirectory() as folder,
        contextlib.chdir(folder),
    ):
        done = [demonstrate(game) for game in games()]
    print(
        f"\n{sum(done)} of {len(done)} games played, recorded and verified."
    )
    return 0 if all(done) else 1


if __name__ == "__main__":
    sys.exit(main())
