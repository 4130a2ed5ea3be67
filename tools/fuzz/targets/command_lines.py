"""Command lines of all programs, one word per line, without words that name a place."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

import constructor.program.cli
import lcr.program.cli
import sorcery.program.cli
import tabletop.cli
from tools.fuzz.making import GAMES, draw_log, record
from tools.fuzz.programs import run_program
from tools.fuzz.target import Target

PROGRAMS: Final[Mapping[str, Callable[[Sequence[str]], int]]] = {
    "tabletop": tabletop.cli.main,
    "lcr": lcr.program.cli.main,
    "constructor": constructor.program.cli.main,
    "sorcery": sorcery.program.cli.main,
}
LONG: Final = ("check", "sweep", "catalog", "--speed", "-speed", "completion")
"""Words of slow commands, or of commands that have their own target."""

SHORT: Final = (
    *("play", "replay", "resume", "diverge", "scores", "import", "seed", "games", "-n", "--help"),
    *("--seed", "--seats", "--name", "--bot", "--option", "--weekly", "--daily", "--no-record"),
    *("--record", "--no-score", "--log", "--game", "--verify", "--step", "--from", "--until"),
    *("--seat", "--anyway", "--json", "--csv", "--version", "--players", "--names", "a.jsonl"),
    *("-load", "-board", "-random-board", "-variant", "rich", "-deck1", "-init", "-testing"),
    *("-edition", "-style", "-cards", "a.draws", "all", "1", "2=random", "red", *PROGRAMS, *GAMES),
)


def run(data: bytes, folder: Path) -> str:
    """Run a program with these words and empty input."""
    (folder / "a.jsonl").write_bytes(record("lcr", 6))
    (folder / "a.draws").write_bytes(draw_log("lcr", 6))
    program, *words = data.decode("utf-8", "surrogateescape").replace("\0", "").split("\n")[:12]
    if any(is_risky(word) for word in words):
        return "left out"
    return run_program(PROGRAMS.get(program, tabletop.cli.main), words, b"1\n2\nquit\n")


def is_risky(word: str) -> bool:
    """Return whether a word is slow, names code to import, or leads out of the folder."""
    return word.startswith(LONG) or any(mark in word for mark in "/\\:~") or ".py" in word


TARGET = Target(run, words=tuple(f"\n{word}\n".encode() for word in SHORT))
