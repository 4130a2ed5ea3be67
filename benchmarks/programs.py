"""Moves per second of the three programs when their input is piped."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import chdir, redirect_stdout
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time
from typing import Final, TypeAlias
from unittest import mock

from benchmarks.common import Row
from constructor import GAME as CONSTRUCTOR
from constructor.program.cli import main as constructor
from lcr.program.cli import main as lcr
from sorcery import GAME as SORCERY
from sorcery.program.cli import main as sorcery
from tabletop import Random
from tabletop.records import match_from_header, read
from tabletop.rules import AnyGame

TITLE = "Programs with piped input: the program in this process, with its output and its record"

Main: TypeAlias = Callable[[Sequence[str]], int]

SEEDS: Final = ("old oak", "new pine", "tall elm")
ROLL: Final = "ends her turn"
MOST: Final = 400
"""Moves of a match of Sorcery or Constructor, at most."""

PROGRAMS: Final[Mapping[str, tuple[AnyGame, Main, tuple[str, ...], str]]] = {
    "Sorcery": (SORCERY, sorcery, (), "Ada\nBo\n"),
    "Constructor": (CONSTRUCTOR, constructor, ("-fair",), ""),
}
"""The rules, the program, its arguments, and the lines before the first move."""


def run(seconds: float) -> Iterator[Row]:
    """Run each program with the moves of random players."""
    with (
        TemporaryDirectory() as folder,
        mock.patch.dict(os.environ, XDG_STATE_HOME=folder),
        chdir(folder),
    ):
        yield _row("LCR", seconds, lambda: _run(lcr, [], "11\n42\n").count(ROLL))
        for name, (game, main, arguments, first) in PROGRAMS.items():
            inputs = [_input(game, main, [*arguments, "-seed", it], first) for it in SEEDS]

            def play(main: Main = main, inputs: list[_Input] = inputs) -> int:
                return sum(_moves(main, it) for it in inputs)

            yield _row(name, seconds, play)


_Input: TypeAlias = tuple[list[str], str, int]
"""The arguments of a program, its input and the number of moves."""


def _row(name: str, seconds: float, play: Callable[[], int]) -> Row:
    """Return the best speed of several runs. `play` runs the program and returns the moves."""
    best, until = 0.0, process_time() + seconds
    while best == 0 or process_time() < until:
        started = process_time()
        moves = play()
        best = max(best, moves / (process_time() - started))
    return Row(name, best, "moves/s")


def _input(game: AnyGame, main: Main, arguments: list[str], first: str) -> _Input:
    """Return the input for a match of random players, which has the seed of the arguments."""
    path = Path("match.jsonl")
    _run(main, [*arguments, "-record", str(path)], first)
    match = match_from_header(game, read(path).header)
    path.unlink()
    for seat in range(match.seats):
        match.set_player(seat, Random(f"player {seat}"))
    match.run(MOST)
    return arguments, first + "".join(f"{action}\n" for action in match.actions), match.ply


def _moves(main: Main, given: _Input) -> int:
    """Run a program with a record, check that it has played all moves, and return their number."""
    arguments, text, moves = given
    path = Path("match.jsonl")
    _run(main, [*arguments, "-record", str(path)], text)
    played = read(path).plies
    path.unlink()
    if played != moves:
        raise RuntimeError(f"the program has played {played} moves of {moves}")
    return moves


def _run(main: Main, arguments: Sequence[str], text: str) -> str:
    """Run a program with piped input, and return its output."""
    typed = io.TextIOWrapper(io.BytesIO(text.encode()), "utf-8")
    with mock.patch.object(sys, "stdin", typed), redirect_stdout(io.StringIO()) as shown:
        main(arguments)
    return shown.getvalue()
