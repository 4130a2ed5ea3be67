"""Complete input of the program `constructor`. The first line contains options."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from constructor.program.cli import main
from constructor.program.table_commands import ACTIONS, REQUESTS
from tools.fuzz.programs import run_program
from tools.fuzz.target import Target, require

FLAGS: Final = (
    *("-random-board", "-variant=rich", "-variant=scarce", "-variant=living", "-log=a.log"),
    *("-bot=red", "-bot=orange=random", "-bot=all", "-load=backup.sv", "-board=no.txt"),
)


def run(data: bytes, folder: Path) -> str:
    """Play, and resume the saved game."""
    first, _, typed = data.partition(b"\n")
    words = [word for word in first.decode("utf-8", "replace").split() if word in FLAGS]
    typed = typed.replace(b"/", b"_")  # keep saved files in the folder
    said = run_program(main, ["-seed=old oak", *words], typed)
    if (folder / "backup.sv").exists():
        again = run_program(main, ["-load=backup.sv"], b"")
        require(again.startswith("0:"), f"the game that was kept cannot be loaded: {again}")
    left = [path.name for path in folder.glob(".*")]
    require(not left, f"left behind: {left}")
    return said


TARGET = Target(
    run,
    words=(
        *(f"{flag} ".encode() for flag in FLAGS),
        *sorted(
            f"\n{command.words} ".encode()
            for tables in (ACTIONS, REQUESTS)
            for table in tables.values()
            for command in table.commands
        ),
        *(b"\nroll\n", b"\nfair\n", b"\nload\n", b"\nyes\n", b"\nresign\n", b"\nsave a.sv\n"),
    ),
)
