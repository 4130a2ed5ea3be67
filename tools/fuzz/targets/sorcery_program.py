"""Complete input of the program `sorcery`.

The first line contains options. An -init file follows, up to a line `--`, and then typed lines.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from sorcery import SPRING_2024
from sorcery.program.cli import main
from sorcery.program.table_commands import commands
from tools.fuzz.programs import run_program
from tools.fuzz.target import Target

FLAGS: Final = (
    *("-testing", "-edition=2017", "-style=fancy", "-style=simple", "-style=compact"),
    *("-bot=1", "-bot=2=random", "-bot=all", "-deck1=a.deck", "-deck2=custom.deck", "-deck2=none"),
)
COMMANDS: Final = commands(all_of_them=True, at_a_terminal=False).commands
STRONG: Final = "\n".join(SPRING_2024.cards)


def run(data: bytes, folder: Path) -> str:
    """Play a game."""
    first, _, rest = data.partition(b"\n")
    words = [word for word in first.decode("utf-8", "replace").split() if word in FLAGS]
    lines, _, typed = rest.partition(b"\n--\n")
    (folder / "a.deck").write_text(STRONG, "utf-8")
    (folder / "a.init").write_bytes(lines)
    return run_program(main, ["-seed=old oak", "-init=a.init", *words], typed)


TARGET = Target(
    run,
    words=(
        *(f"{flag} ".encode() for flag in FLAGS),
        *(f"\n{command.words} 1\n".encode() for command in COMMANDS),
        *(b"\nplay 1 1 1\n", b"\nplay 1 2 1\n", b"\nuse 1 2 1\n"),
        *(b"\nend\n", b"\n--\n", b"\ndraw\n"),
    ),
)
