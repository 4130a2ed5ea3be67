"""Seeds and conditions of catalogues, one per line. Conditions begin with `?`."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from tabletop.cli import main
from tabletop.studies import CatalogError, count_seeds, read_seeds
from tools.fuzz.programs import run_program
from tools.fuzz.target import Target

MOST: Final = 5
"""Maximum number of seeds per input."""


def run(data: bytes, folder: Path) -> str:
    """Write a catalogue as a table and as JSON."""
    lines = data.decode("utf-8", "replace").replace("\0", "").split("\n")
    seeds = [line for line in lines if line[:1] not in ("?", "-", "")]
    try:
        if count_seeds(read_seeds(seeds)) > MOST:
            return "too many"
    except CatalogError as error:
        said = str(error)
        seeds = seeds[:1]
    else:
        said = ""
    conditions = [f"--where={line[1:]}" for line in lines if line[:1] == "?"]
    if not seeds:
        seeds = ["1..2"]
    for form in ("--json", "--csv", "--seats=3"):
        said += run_program(main, ["catalog", "lcr", "--seeds", *seeds, form, *conditions], b"")
    return said


TARGET = Target(run, words=(b"\n?turns > 7", b"\n?winner ~ 3", b"\n?seed != old", b"\n1..3", b"<="))
