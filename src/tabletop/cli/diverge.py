"""Command that says where two records, or logs of draws, differ."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable
from pathlib import Path

from tabletop.errors import UsageError
from tabletop.host.screen_text import printable
from tabletop.host.user_files import file_exists, user_path
from tabletop.records.comparing import Comparison, Divergence, Source, compare, open_source
from tabletop.records.draw_log import Step
from tabletop.records.find_game import plugin_of
from tabletop.terminal.console import Console
from tabletop.terminal.programs import FAILURE, OK, Interrupted
from tabletop.wording import plural


def add_diverge_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `tabletop diverge`."""
    parser.add_argument(
        "first", metavar="FILE", type=user_path, help="A: a record, or a log of draws"
    )
    parser.add_argument("second", metavar="FILE", type=user_path, help="B: another")
    parser.add_argument(
        "--game",
        metavar="GAME",
        action="append",
        default=[],
        help="the game that records are of; twice: that of A and that of B",
    )


def run_diverge(arguments: argparse.Namespace) -> int:
    """Say where two matches part: the first draw and the first action in which they differ.

    A and B are records, or logs of draws, in any mixture. Exits 0 when nothing differs, and 1 when
    something does.
    """
    games, paths = arguments.game, (arguments.first, arguments.second)
    if len(games) > 2:
        raise UsageError("--game: give one for both, or one for A and one for B")
    first, last = (games[0], games[-1]) if games else (None, None)
    sides = [_open(path, game, paths) for path, game in zip(paths, (first, last), strict=True)]
    console = Console()
    for letter, side in zip("AB", sides, strict=True):
        header = side.header
        made = f"{side.kind} of {header.game}, version {header.version}, seed {header.seed!r}"
        console.say(printable(f"{letter}: {side.path}: {made}"))
    try:
        found = compare(*sides)
    except KeyboardInterrupt as error:
        raise Interrupted("interrupted, and not compared") from error
    for line in _describe(found, *sides):
        console.say(line)
    return OK if found.same and not any(side.note for side in sides) else FAILURE


def _open(path: Path, game: str | None, paths: Iterable[Path]) -> Source:
    if not file_exists(path):
        raise UsageError(f"{path}: there is no such file")
    words = ("diverge", *map(str, paths))
    return open_source(path, lambda record: plugin_of(record, game, *words).game)


def _describe(found: Comparison, first: Source, second: Source) -> list[str]:
    lines = [f"{name} differs: A {one!r}, B {other!r}" for name, one, other in found.headers]
    for letter, side in (("A", first), ("B", second)):
        if side.note:
            lines.append(f"{letter} does not replay: {side.note}")
            lines.append(f"  what {letter} drew is not known from there on")
    if (draw := found.draw) is not None:
        title = f"first different draw: draw {draw.draw}, in {_place(draw)}"
        lines += _about(title, draw, lambda step: _draw(step, draw.place))
    if found.action is not None:
        lines += _about(f"first different action: {_place(found.action)}", found.action, _say_step)
    state = found.state
    if state is not None and all(
        parting is None or state.step < parting.step for parting in (found.draw, found.action)
    ):
        title = f"first different state: after {_place(state)}"
        lines += _about(title, state, _say_step if state.step else _setup)
    if found.draw is found.action is found.state is None:
        nothing = "nothing else differs" if lines else "nothing differs"
        lines.append(f"{nothing}: {plural(found.steps, 'step')}, {plural(found.draws, 'draw')}")
    return lines


def _place(parting: Divergence) -> str:
    return f"step {parting.step}" if parting.step else "the setup"


def _about(title: str, parting: Divergence, tell: Callable[[Step], str]) -> list[str]:
    sides = (("A", parting.first), ("B", parting.second))
    told = ((letter, "it has ended" if step is None else tell(step)) for letter, step in sides)
    return [title, *(f"  {letter}: {text}" for letter, text in told)]


def _draw(step: Step, place: int) -> str:
    if step.draws is None or place >= len(step.draws):
        return f"line {step.line}: draws nothing more"
    draw = step.draws[place]
    return (
        f"line {step.lines[place]}: {draw.stream} at {draw.offset}:"
        f" {draw.result} of 0 to {draw.bound - 1}"
    )


def _setup(step: Step) -> str:
    return f"line {step.line}: the setup"


def _say_step(step: Step) -> str:
    if step.undo is not None:
        return f"line {step.line}: {plural(step.undo, 'action')} undone"
    if step.do is None or step.seat is None:
        return f"line {step.line}: an action that was not completed"
    return f"line {step.line}: seat {step.seat + 1}: {step.do}"
