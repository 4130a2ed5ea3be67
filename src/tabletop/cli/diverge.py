"""The command `tabletop diverge`, which finds the first difference between two matches."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Iterator
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
    parser.add_argument("first", metavar="FILE", type=user_path, help="A: a record or a draw log")
    parser.add_argument(
        "second", metavar="FILE", type=user_path, help="B: another record or draw log"
    )
    parser.add_argument(
        "--game",
        metavar="GAME",
        action="append",
        default=[],
        help="the game of the records (give it twice if A and B need different ones)",
    )


def run_diverge(arguments: argparse.Namespace) -> int:
    """Find the first draw, the first action and the first state in which two matches differ.

    A and B may each be a record or a draw log. The exit code is 0 if the matches are equal and 1 if
    they differ.
    """
    games, paths = arguments.game, (arguments.first, arguments.second)
    if len(games) > 2:
        raise UsageError("--game: name one game for both, or one for A and one for B")
    first, last = (games[0], games[-1]) if games else (None, None)
    sides = [_open(path, game, paths) for path, game in zip(paths, (first, last), strict=True)]
    console = Console()
    for letter, side in zip("AB", sides, strict=True):
        header = side.header
        origin = f"{side.kind} of {header.game}, version {header.version}, seed {header.seed!r}"
        console.say(printable(f"{letter}: {side.path}: {origin}"))
    try:
        comparison = compare(*sides)
    except KeyboardInterrupt as error:
        raise Interrupted("interrupted before the comparison was complete") from error
    for line in _describe(comparison, *sides):
        console.say(line)
    return OK if comparison.same and not any(side.note for side in sides) else FAILURE


def _open(path: Path, game: str | None, paths: Iterable[Path]) -> Source:
    if not file_exists(path):
        raise UsageError(f"{path}: there is no such file")
    words = ("diverge", *map(str, paths))
    return open_source(path, lambda record: plugin_of(record, game, *words).game)


def _describe(comparison: Comparison, first: Source, second: Source) -> list[str]:
    headers = comparison.headers
    lines = [f"{name} differs: A {value!r}, B {other!r}" for name, value, other in headers]
    for letter, side in (("A", first), ("B", second)):
        if side.note:
            lines.append(f"{letter} does not replay: {side.note}")
            lines.append(f"  the draws of {letter} are unknown from there on")
    draw, action, state = comparison.draw, comparison.action, comparison.state
    if draw is not None:
        title = f"first different draw: draw {draw.draw}, in {_place(draw)}"
        place = draw.place
        lines += _describe_both(title, draw, lambda step: _draw(step, place))
    if action is not None:
        title = f"first different action: {_place(action)}"
        lines += _describe_both(title, action, _describe_step)
    if state is not None and all(
        divergence is None or state.step < divergence.step for divergence in (draw, action)
    ):
        title = f"first different state: after {_place(state)}"
        lines += _describe_both(title, state, _describe_step)
    if draw is action is state is None:
        nothing = "nothing else differs" if lines else "nothing differs"
        steps, draws = plural(comparison.steps, "step"), plural(comparison.draws, "draw")
        lines.append(f"{nothing}: {steps}, {draws}")
    return lines


def _place(divergence: Divergence) -> str:
    return f"step {divergence.step}" if divergence.step else "the setup"


def _describe_both(
    title: str, divergence: Divergence, describe: Callable[[Step], str]
) -> list[str]:
    sides = (("A", divergence.first), ("B", divergence.second))
    texts = ((name, "it has ended" if step is None else describe(step)) for name, step in sides)
    return [title, *(f"  {name}: {text}" for name, text in texts)]


def _draw(step: Step, place: int) -> str:
    if step.draws is None or place >= len(step.draws):
        return f"line {step.line}: no further draw"
    draw = step.draws[place]
    return (
        f"line {step.lines[place]}: {draw.stream} at {draw.offset}:"
        f" {draw.result} of 0 to {draw.bound - 1}"
    )


def _describe_step(step: Step) -> str:
    return f"line {step.line}: {', then '.join([_action(step), *_concessions(step)])}"


def _action(step: Step) -> str:
    if step.undo is not None:
        return f"{plural(step.undo, 'action')} undone"
    if step.do is not None and step.seat is not None:
        return f"seat {step.seat + 1}: {step.do}"
    return "the setup" if step.digest else "an action that was not completed"


def _concessions(step: Step) -> Iterator[str]:
    for seat, reason in step.conceded or ():
        if seat is None or reason == "draw":
            yield "the players agreed to a draw"
        else:
            yield f"seat {seat + 1} {'resigned' if reason == 'resigned' else 'lost on time'}"
