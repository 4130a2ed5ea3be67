"""The program `lcr`: exactly the course's game of Left, Center, Right (LCR §5)."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from lcr.program.prompts import ByteReader, Dialogue, Output, read_int, read_unsigned
from lcr.rules.events import TurnEnded
from lcr.rules.names import course_names, parse_names
from lcr.rules.state import ROLL, SEATS, LcrState, Roll
from lcr.text import (
    PLAYERS_COMPLAINT,
    PLAYERS_PROMPT,
    SEED_COMPLAINT,
    SEED_PROMPT,
    CourseLines,
)
from tabletop import Integer, MatchEnded, TabletopError
from tabletop.errors import UsageError
from tabletop.host import TextFileError, read_text, reason
from tabletop.terminal import (
    CONTESTS,
    OK,
    PlainParser,
    SayVersion,
    add_contest_options,
    file_path,
    guarded,
)
from tabletop.web import add_graphics_option, graphics_session
from tabletop.wording import quote

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from tabletop import Match
    from tabletop.terminal import Recording
    from tabletop.web import Graphics

DEFAULT_PLAYERS: Final = 3
DEFAULT_SEED: Final = 4823
SEEDS: Final = range(1 << 32)
MOST_BYTES: Final = 1 << 16  # maximum size of a file of names, in bytes
_SWEPT: Final = (3, 4)  # the default numbers of players of `lcr sweep`

_PLAYERS_WANTED: Final = Integer("players", SEATS[0], SEATS[-1])
_NUMBER: Final = re.compile(r"[-+]?\d*")
_SEED_WANTED: Final = Integer("seed", SEEDS[0], SEEDS[-1])


def build_parser() -> argparse.ArgumentParser:
    """Return the parser of the program. `lcr sweep` has its own parser."""
    parser = PlainParser(
        prog="lcr",
        usage="lcr [-h] [--players N] [--seed S | --weekly | --daily] [--names FILE]\n"
        "           [--record FILE] [--graphics] [--version]\n"
        "       lcr sweep ...",
        description="Play Left, Center, Right, the dice game, as the course's program does."
        " The program prompts for missing values on standard output and reads them from standard"
        " input.",
        epilog="`lcr sweep` plays the games of all seeds; see `lcr sweep --help`."
        " `tabletop play lcr` plays the same game move by move, with records, undo and replays,"
        " with a seed phrase or with `--option course-seed=S`. `tabletop replay` shows the records"
        " of this program, and `tabletop scores lcr --weekly` the scores of the week.",
        allow_abbrev=False,
    )
    parser.add_argument(
        *("--players", "-players"), metavar="N", help=f"number of players: {_PLAYERS_WANTED.wanted}"
    )
    parser.add_argument(
        *("--seed", "-seed"),
        metavar="S",
        help=f"seed of the course's dice: {_SEED_WANTED.wanted}, or any text for other dice",
    )
    add_contest_options(parser, ", and keep the score")
    parser.add_argument(
        *("--names", "-names"),
        metavar="FILE",
        help="read the players' names from FILE: 3 to 11 names, one per line",
    )
    parser.add_argument(
        *("--record", "-record"),
        metavar="FILE",
        type=file_path,
        help="write a record of the game to a new FILE (by default there is no record)",
    )
    add_graphics_option(parser, "-graphics", "--graphics")
    parser.add_argument(
        *("--version", "-V"), action=SayVersion, nargs=0, help="show the version and exit"
    )
    return parser


def build_sweep_parser() -> argparse.ArgumentParser:
    """Return the parser of `lcr sweep`."""
    parser = PlainParser(
        prog="lcr sweep",
        description="Play the 1,000,000 different games for each number of players, and show how"
        " long they take and which seats win.",
        allow_abbrev=False,
    )
    parser.add_argument(
        "--players",
        metavar="N",
        nargs="+",
        action="extend",
        help=f"numbers of players: {_PLAYERS_WANTED.wanted}"
        f" (by default {' and '.join(map(str, _SWEPT))})",
    )
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run the program, and return its exit status.

    If the program asks for both numbers, the status is 0 for any answers, as in the course.
    """
    words = list(sys.argv[1:] if argv is None else argv)
    return guarded("lcr", lambda: _run(words))


def _run(words: Sequence[str]) -> int:
    if words[:1] == ["sweep"]:
        return run_sweep(build_sweep_parser().parse_args(words[1:]))
    return run_game(build_parser().parse_args(words))


def run_game(arguments: argparse.Namespace) -> int:
    """Play one game, asking for values that are not given."""
    from lcr.plugin import GAME  # the help needs neither the game nor a match
    from tabletop.terminal import choose_record, read_contest

    contest = read_contest(arguments, {})
    record = choose_record(arguments, GAME, interactive=False)
    players, seed = arguments.players, arguments.seed
    if players is not None:
        players = _read("--players", players, _PLAYERS_WANTED)
    if seed is not None and _NUMBER.fullmatch(seed):
        seed = _read("--seed", seed, _SEED_WANTED)
    names = course_names() if arguments.names is None else _names_in(arguments.names)
    _check_enough(arguments.names, names, players)
    with graphics_session(arguments.graphics) as graphics:
        out, complaints = Output(sys.stdout), Output(sys.stderr)
        if contest:
            complaints.write(f"The seed of the {CONTESTS[contest]}: {seed}\n")
            complaints.flush()
        dialogue = Dialogue(ByteReader(sys.stdin.buffer), out, complaints)
        if players is None:
            players = dialogue.ask(
                PLAYERS_PROMPT, read_int, PLAYERS_COMPLAINT, accepted=SEATS, default=DEFAULT_PLAYERS
            )
            _check_enough(arguments.names, names, players)
        if seed is None:
            seed = dialogue.ask(
                SEED_PROMPT, read_unsigned, SEED_COMPLAINT, accepted=SEEDS, default=DEFAULT_SEED
            )
        from tabletop import Match

        options = {"course-seed": seed} if isinstance(seed, int) else {}
        match = Match(GAME, seed=seed, seats=names[:players], options=options)
        run = partial(_play, match, out, graphics)
        if contest or record is not None:
            with _recorded(match, contest, record) as recording:
                run()
            if contest:
                recording.keep_score()
        else:  # most games need neither records nor scores
            run()
        out.flush()
    # With all answers asked for it is the course's program, which ignores errors of its output.
    if out.failure is not None and (arguments.players or arguments.seed):
        raise out.failure
    return OK


def _play(match: Match[LcrState, Roll], out: Output, graphics: Graphics) -> None:
    if graphics.beside is None:
        play(match, out.write)
        return
    from lcr.program.window_game import play_beside

    play_beside(match, out, graphics.beside, graphics.loop)


def play(match: Match[LcrState, Roll], write: Callable[[str], object]) -> None:
    """Play a match to its end, and write the lines of the course's program."""
    match.observe(CourseLines(match.names, write), TurnEnded, MatchEnded)
    while not match.over:
        match.play(ROLL)


def _recorded(
    match: Match[LcrState, Roll], contest: str, path: Path | None
) -> AbstractContextManager[Recording]:
    """Return a context in which a match is recorded in a new file, if there is a path."""
    from lcr.plugin import GAME
    from tabletop.host import utc_now
    from tabletop.records import HUMAN, Header
    from tabletop.scores import GIVEN
    from tabletop.terminal import new_recording

    header = Header.of(
        match,
        source=GAME.name,
        players=(HUMAN,) * match.seats,
        created=utc_now().isoformat(timespec="microseconds"),
        seed_origin=contest or GIVEN,
    )
    return new_recording(match, header, GAME.name, path, scored=bool(contest))


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
    try:
        return wanted.parse(text)
    except ValueError:
        raise UsageError(f"{option} {quote(text)}: give {wanted.wanted}") from None


def _names_in(path: str) -> tuple[str, ...]:
    try:
        return parse_names(read_text(path, MOST_BYTES))
    except (OSError, TextFileError) as error:
        raise UsageError(f"--names {path!r}: {reason(error)}") from error


def _check_enough(path: str | None, names: Sequence[str], players: int | None) -> None:
    if path is not None and players is not None and players > len(names):
        raise UsageError(f"--names {path!r}: {len(names)} names are too few for {players} players")
