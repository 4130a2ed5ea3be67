"""A score sheet to keep, and ways to change what is kept."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

from tabletop import Outcome
from tabletop.scores import ScoreSheet

SHEET = ScoreSheet(
    game="race",
    version="1",
    seed="Old Oak",
    seats=("Ann", "Bo"),
    players=("human", "random"),
    outcome=Outcome.win(0, 2, "at the goal"),
    plies=9,
    seed_origin="fresh",
    options={"goal": 7, "start": "line", "fair": True, "motto": None},
    undone=2,
    seconds=61.5,
    finished="2026-11-21T12:00:00+00:00",
    program="1.2",
    record="möglich.jsonl",
    key="90af",
)


def at(hour: int, **change: Any) -> ScoreSheet:
    """The sheet of a match that ended at that hour."""
    changed = replace(SHEET, finished=f"2026-11-21T{hour:02}:00:00+00:00")
    return replace(changed, **change)


def copy_first(path: Path, count: int) -> None:
    """Keep so many copies of the first sheet in a book, all at once."""
    columns = "key, game, seed, seed_origin, finished, people, imported, sheet"
    copy = f"INSERT INTO sheets SELECT NULL, {columns} FROM sheets WHERE id = 1"
    sql(path, "BEGIN", *[copy] * count, "COMMIT")


def sql(path: Path, *statements: str) -> None:
    """Have something done to a database."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for statement in statements:
            connection.execute(statement)
