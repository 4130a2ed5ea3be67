"""The catalogues of this release: what fifty seeds of every game hold before the first move.

A catalogue is written anew with

    tabletop catalog GAME --seeds 1..48 "old oak" "three old friends" --csv

into `tests/golden/catalogs/GAME.csv`. Where it differs, worlds have changed: raise the version of
the game, and say so in the changelog.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tabletop.registry import installed

CATALOGS = Path(__file__).parent / "golden" / "catalogs"
SEEDS = ["1..48", "old oak", "three old friends"]


def catalog(game: str, **environment: str) -> str:
    """What the real program writes."""
    command = [sys.executable, "-W", "error", "-m", "tabletop", "catalog", game, "--csv", "--seeds"]
    done = subprocess.run(
        [*command, *SEEDS],
        env={**os.environ, **environment},
        capture_output=True,
        encoding="utf-8",
        timeout=100,
        check=False,
    )
    assert (done.stderr, done.returncode) == ("", 0)
    return done.stdout


def test_every_bundled_game_has_a_catalogue_and_no_other_has() -> None:
    assert sorted(path.stem for path in CATALOGS.iterdir()) == sorted(installed())


@pytest.mark.slow
@pytest.mark.parametrize("game", installed())
@pytest.mark.parametrize("salt", ["1", "4711"])
def test_the_worlds_of_a_game_are_those_of_the_release(game: str, salt: str) -> None:
    expected = (CATALOGS / f"{game}.csv").read_text("utf-8").splitlines()
    written = catalog(game, PYTHONHASHSEED=salt).splitlines()
    changed = [
        now.partition(",")[0] for was, now in zip(expected, written, strict=False) if was != now
    ]
    assert written == expected, (
        f"the worlds of {game} have changed, for the seeds {', '.join(changed) or 'at the end'}:"
        " records and seeds that people have shared do not mean the same any more"
    )
