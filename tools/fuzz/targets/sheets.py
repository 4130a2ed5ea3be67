"""Records of others, whose scores are imported and shown in every format."""

from __future__ import annotations

from pathlib import Path

from tabletop.cli import main
from tools.fuzz.inputs import lines_changed
from tools.fuzz.making import record
from tools.fuzz.programs import run_program
from tools.fuzz.target import Target, require


def run(data: bytes, folder: Path) -> str:
    """Import a record next to a valid record, which must be listed in any case."""
    (folder / "bad.jsonl").write_bytes(data)
    (folder / "good.jsonl").write_bytes(record("lcr", 100_000))
    said = run_program(main, ["scores", "import", "bad.jsonl", "good.jsonl"], b"")
    for form in ([], ["--json"], ["--csv"], ["--weekly"], ["--seed=old oak", "lcr"]):
        shown = run_program(main, ["scores", *form], b"")
        require(shown.startswith("0:"), f"scores {form}: {shown}")
    return said


TARGET = Target(
    run,
    lambda: (record(name, 100_000) for name in ("lcr", "constructor-small")),
    remade=lines_changed,
)
