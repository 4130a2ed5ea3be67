"""Complete input of `tabletop play`. The first line names the game and the bots."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

from tabletop.cli import main
from tabletop.terminal import TABLE_COMMANDS
from tools.fuzz.making import GAMES
from tools.fuzz.programs import run_program
from tools.fuzz.target import Target, require

FLAGS: Final = ("--bot=1", "--bot=2", "--log=a.draws", "--no-score", "--no-hints", "--option=help")


def run(data: bytes, folder: Path) -> str:
    """Play with a record, resume, replay and verify the record, and read the scores."""
    first, _, typed = data.partition(b"\n")
    words = first.decode("utf-8", "replace").split()
    game = next((word for word in words if word in GAMES), "lcr")
    flags = [word for word in words if word in FLAGS]
    said = run_program(main, ["play", game, "--seed=old oak", "--record=a.jsonl", *flags], typed)
    if (folder / "a.jsonl").exists():
        lines = (folder / "a.jsonl").read_bytes().splitlines()
        require(all(isinstance(json.loads(line), dict) for line in lines), "a broken line")
        said += run_program(main, ["replay", "a.jsonl", "--verify"], b"")
        require("replay" in said, "the record does not replay")
        run_program(main, ["resume", "a.jsonl"], typed[::-1])
        said += run_program(main, ["scores", "--json"], b"")
    return said


TARGET = Target(
    run,
    words=(
        *(f"\n{command.words}\n".encode() for command in TABLE_COMMANDS.commands),
        *(b"\n/undo 3\n", b"\nredo\n", b"\nbot random 2\n", b"\nhuman 2\n", b"\n1\n", b"\n/help\n"),
        *(f"{name} ".encode() for name in (*GAMES, *FLAGS)),
    ),
)
