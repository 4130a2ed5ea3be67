"""Score books with changed bytes, as on a faulty disk."""

from __future__ import annotations

from pathlib import Path

from tabletop.errors import ScoresError
from tabletop.records import read
from tabletop.scores import ScoreBook, verified
from tools.fuzz.making import book, game, record
from tools.fuzz.target import Target


def run(data: bytes, folder: Path) -> str:
    """Read a score book, and store a sheet in it."""
    path = folder / "scores.sqlite3"
    path.write_bytes(data)
    (folder / "match.jsonl").write_bytes(record("lcr", 100_000))
    sheet = verified(read(folder / "match.jsonl"), game("lcr"))
    told: list[str] = []
    kept = ScoreBook(path, told.append)
    said = []
    for deed in (
        lambda: len(kept.find()),
        lambda: kept.finished_here("lcr"),
        lambda: len(kept.find(game="lcr", seed="old oak", seed_origin="given", most=3)),
        lambda: kept.add(sheet),
        lambda: kept.add_new(sheet),
        lambda: len(kept.find()),
    ):
        try:
            said.append(str(deed()))
        except ScoresError as error:
            said.append(str(error).rpartition(":")[2])
    return " ".join(said + told).replace(str(folder), "")


TARGET = Target(run, lambda: (book(),), words=(b"sheets", b"CREATE TABLE", b"\xff\xfe", b"ttSc"))
