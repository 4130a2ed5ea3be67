"""Draw logs, which are read and compared with a valid log and a record."""

from __future__ import annotations

from pathlib import Path

from tabletop import RecordError
from tabletop.cli import main
from tabletop.records import read_log
from tools.fuzz.inputs import lines_changed
from tools.fuzz.making import draw_log, record
from tools.fuzz.programs import run_program
from tools.fuzz.target import Target, require


def run(data: bytes, folder: Path) -> str:
    """Read a log, and find where it diverges from others."""
    path = folder / "a.draws"
    path.write_bytes(data)
    (folder / "b.draws").write_bytes(draw_log("sorcery"))
    (folder / "c.jsonl").write_bytes(record("sorcery", 12))
    try:
        _, steps = read_log(path)
        said = f"{min(len(steps), 20)} steps "
    except RecordError as error:
        said = str(error)
    for other in ("b.draws", "c.jsonl"):
        said += run_program(main, ["diverge", "a.draws", other], b"")
    require(path.read_bytes() == data, "reading has changed the log")
    return said


TARGET = Target(
    run,
    lambda: (draw_log(name) for name in ("sorcery", "lcr", "constructor")),
    remade=lines_changed,
)
