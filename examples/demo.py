"""A whole seeded game of each kind on the terminal, and the proof that it replays exactly.

    make demo

The kinds are the example beside this file and every game that is installed.
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
"""The lines shown of a match: at its beginning and at its end."""


def games() -> list[str]:
    """Return the games for `tabletop play`: a file's path, and the names of the installed ones."""
    return [
        str(Path(__file__).resolve().with_name("tictactoe.py")),
        *installed(),
    ]


def demonstrate(game: str) -> bool:
    """Let bots play `game`, recorded, and verify the record; whether both went well."""
    name = Path(game).stem
    print(f"\n=== {name} ===", flush=True)
    record = f"{name}.jsonl"
    told = io.StringIO()
    with contextlib.redirect_stdout(told):
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
    print(shortened(told.getvalue()))
    return (
        played == 0
        and tabletop(["replay", record, "--verify", "--game", game])
        == 0
    )


def shortened(text: str) -> str:
    """Return the beginning and the end of a text longer than a screen or two."""
    lines = text.splitlines()
    left_out = len(lines) - BEGINNING - END
    if left_out > 0:
        lines[BEGINNING:-END] = [f"... {left_out:,} lines more ..."]
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
