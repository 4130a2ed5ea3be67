"""Catalogs of this release: the initial setup of every game for fifty seeds.

Rewrite a catalog with

    tabletop catalog GAME --seeds 1..48 "old oak" "three old friends" --csv

into `tests/golden/catalogs/GAME.csv`. If the file changes, seeds give other setups: increase the
version of the game and add the change to the changelog.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tabletop.registry import installed

CATALOGS = Path(__file__).parents[1] / "golden" / "catalogs"
SEEDS = ["1..48", "old oak", "three old friends"]


PROGRAM = """
import sys
from tabletop.cli import main
for game in sys.argv[1].split():
    print("==", game, flush=True)
    main(["catalog", game, "--csv", "--seeds", *sys.argv[2:]])
"""
"""Prints the catalogs of the games named in its first argument, each with a heading."""


def catalogs() -> dict[str, list[str]]:
    """Return the lines of the catalog of each bundled game."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", PROGRAM, " ".join(installed()), *SEEDS],
        env={**os.environ, "PYTHONHASHSEED": "4711"},
        capture_output=True,
        encoding="utf-8",
        timeout=100,
        check=False,
    )
    assert (done.stderr, done.returncode) == ("", 0)
    parts = (part.splitlines() for part in done.stdout.split("== ")[1:])
    return {name: lines for name, *lines in parts}


def test_exactly_the_bundled_games_have_a_catalog() -> None:
    assert sorted(path.stem for path in CATALOGS.iterdir()) == sorted(installed())


@pytest.mark.slow
def test_setups_match_the_catalog_of_the_release() -> None:
    for game, written in catalogs().items():
        expected = (CATALOGS / f"{game}.csv").read_text("utf-8").splitlines()
        pairs = zip(expected, written, strict=False)
        changed = [now.partition(",")[0] for was, now in pairs if was != now]
        assert written == expected, (
            f"the worlds of {game} have changed, for the seeds {', '.join(changed) or 'at the end'}"
            ": records and seeds that people have shared do not mean the same any more"
        )
