"""The program `lcr`: the course's own game of Left, Center, Right, exactly (LCR §5)."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from lcr import GAME
from lcr.program.prompts import ByteReader, Dialogue, Output, read_int, read_unsigned
from lcr.rules.dice import dice_of
from lcr.rules.events import TurnEnded
from lcr.rules.names import course_names, parse_names
from lcr.rules.state import ROLL, SEATS
from lcr.text import (
    PLAYERS_COMPLAINT,
    PLAYERS_PROMPT,
    SEED_COMPLAINT,
    SEED_PROMPT,
    CourseLines,
)
from tabletop import Integer, Match, MatchEnded, TabletopError
from tabletop.errors import UsageError
from tabletop.host import TextFileError, read_text, reason
from tabletop.terminal import (
    OK,
    PlainParser,
    SayVersion,
    add_contest_options,
    guarded,
    read_contest,
)
from tabletop.web import add_graphics_option, graphics_session
from tabletop.wording import quote

DEFAULT_PLAYERS: Final = 3
DEFAULT_SEED: Final = 4823
SEEDS: Final = range(1 << 32)
MOST_BYTES: Final = 1 << 16
"""A file beyond this is no list of names."""

_SWEPT: Final = (3, 4)
"""For how many players `lcr sweep` plays by default."""

_PLAYERS_WANTED: Final = Integer("players", SEATS[0], SEATS[-1])
_NUMBER: Final = re.compile(r"[-+]?\d*")
_SEED_WANTED: Final = Integer("seed", SEEDS[0], SEEDS[-1])


def build_parser() -> argparse.ArgumentParser:
    """Return the parser of the program itself; `lcr sweep` has its own."""
    parser = PlainParser(
        prog="lcr",
        usage="lcr [-h] [--players N] [--seed S | --weekly | --daily] [--names FILE]\n"
        "           [--graphics] [--version]\n"
        "       lcr sweep ...",
        description="Play Left, Center, Right, the dice game, as the course's program does."
        " What no option says is asked for on standard output and read from standard input.",
        epilog="`lcr sweep` plays the games of all seeds; see `lcr sweep --help`."
        " `tabletop play lcr` plays the same game move by move, recorded, with undo and"
        " replay, with a seed in words or with `--option course-seed=S`.",
        allow_abbrev=False,
    )
    parser.add_argument(
        *("--players", "-players"), metavar="N", help=f"how many play: {_PLAYERS_WANTED.wanted}"
    )
    parser.add_argument(
        *("--seed", "-seed"),
        metavar="S",
        help=f"of the course's dice: {_SEED_WANTED.wanted}; or any other text, for dice of its own",
    )
    add_contest_options(parser)
    parser.add_argument(
        *("--names", "-names"),
        metavar="FILE",
        help="take the players' names from FILE: 3 to 11, one a line",
    )
    add_graphics_option(parser, "-graphics", "--graphics")
    parser.add_argument("--version", action=SayVersion, nargs=0, help="say the version and leave")
    return parser


def build_sweep_parser() -> argparse.ArgumentParser:
    """Return the parser of `lcr sweep`."""
    parser = PlainParser(
        prog="lcr sweep",
        description="Play the 1,000,000 different games for each number of players, and tell how"
        " long they take and who wins.",
        allow_abbrev=False,
    )
    parser.add_argument(
        "--players",
        metavar="N",
        nargs="+",
        action="extend",
        help=f"for how many players: {_PLAYERS_WANTED.wanted}"
        f" (by default {' and '.join(map(str, _SWEPT))})",
    )
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run the program; its exit status.

    When both numbers are asked for, that is 0 whatever is answered, as it is in the course.
    """
    words = list(sys.argv[1:] if argv is None else argv)
    return guarded("lcr", lambda: _run(words))


def _run(words: Sequence[str]) -> int:
    if words[:1] == ["sweep"]:
        return run_sweep(build_sweep_parser().parse_args(words[1:]))
    return run_game(build_parser().parse_args(words))


def run_game(arguments: argparse.Namespace) -> int:
    """Play one game, asking for the values not given."""
    read_contest(arguments, {})
    players, seed = arguments.players, arguments.seed
    if players is not None:
        players = _read("--players", players, _PLAYERS_WANTED)
    if seed is not None and _NUMBER.fullmatch(seed):
        seed = _read("--seed", seed, _SEED_WANTED)
    names = course_names() if arguments.names is None else _names_in(arguments.names)
    _check_enough(arguments.names, names, players)
    with graphics_session(arguments.graphics) as graphics:
        out = Output(sys.stdout)
        dialogue = Dialogue(ByteReader(sys.stdin.buffer), out, Output(sys.stderr))
        if players is None:
            players = dialogue.ask(
                PLAYERS_PROMPT, read_int, PLAYERS_COMPLAINT, accepted=SEATS, default=DEFAULT_PLAYERS
            )
            _check_enough(arguments.names, names, players)
        if seed is None:
            seed = dialogue.ask(
                SEED_PROMPT, read_unsigned, SEED_COMPLAINT, accepted=SEEDS, default=DEFAULT_SEED
            )
        if graphics.beside is None:
            play(names[:players], seed, out.write)
        else:
            from lcr.program.window_game import play_beside

            play_beside(names[:players], seed, out, graphics.beside, graphics.loop)
        out.flush()
    # With all answers asked for it is the course's program, which ignores errors of its output.
    if out.failure is not None and (arguments.players or arguments.seed):
        raise out.failure
    return OK


def play(names: Sequence[str], seed: int | str, write: Callable[[str], object]) -> None:
    """Play one game, and write the lines of the course's program; a number is for its dice."""
    match = Match(GAME, seed=seed, seats=names, options=dice_of(seed))
    match.observe(CourseLines(names, write), TurnEnded, MatchEnded)
    while not match.over:
        match.play(ROLL)


def run_sweep(arguments: argparse.Namespace) -> int:
    """Play all games for some numbers of players, and print the totals."""
    given = arguments.players or map(str, _SWEPT)
    numbers = [_read("--players", text, _PLAYERS_WANTED) for text in given]
    try:
        from lcr.sweep import as_json, as_table, sweep
    except ImportError as error:
        message = f"sweep needs NumPy: pip install 'tabletop-rules[simulation]' ({error})"
        raise TabletopError(message) from error
    from tabletop.terminal import ProgressLine

    line = ProgressLine()
    results = [sweep(players, partial(line.show_bar, f"{players} players")) for players in numbers]
    line.wipe()
    sys.stdout.write(as_json(results) if arguments.json else as_table(results))
    return OK


def _read(option: str, text: str, wanted: Integer) -> int:
    """Read the number in the value of an option."""
    try:
        return wanted.parse(text)
    except ValueError:
        raise UsageError(f"{option} {quote(text)}: give {wanted.wanted}") from None


def _names_in(path: str) -> tuple[str, ...]:
    """Read the names in a file."""
    try:
        return parse_names(read_text(path, MOST_BYTES))
    except (OSError, TextFileError) as error:
        why = reason(error) if isinstance(error, OSError) else error
        raise UsageError(f"--names {path!r}: {why}") from error


def _check_enough(path: str | None, names: Sequence[str], players: int | None) -> None:
    if path is not None and players is not None and players > len(names):
        raise UsageError(f"--names {path!r}: {len(names)} names are too few for {players} players")
