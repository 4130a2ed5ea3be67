"""The program `sorcery`: the game at a prompt, with its options (Sorcery 2024 §5.2).

Everything that the options name is read and judged before anything is asked.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Final

from sorcery.bots import BOTS
from sorcery.display import COMPACT, Showing, read_look
from sorcery.document_ui import Program
from sorcery.editions import EDITIONS, SPRING_2024, DeckError, Edition, packaged_deck, parse_deck
from sorcery.errors import CardsError
from sorcery.frames import STYLES
from sorcery.plugins import (
    edition_names,
    find_edition,
    known_editions,
    plugin_cards,
    with_cards,
    with_own_cards,
)
from sorcery.rules import Sorcery
from sorcery.text import SorceryText
from tabletop.errors import UsageError
from tabletop.graphics import Graphics, add_graphics_option, graphics_session
from tabletop.host.files import TextFileError, read_lines, read_text, reason
from tabletop.options import OptionValue
from tabletop.records.file import Record
from tabletop.registry import Plugin, load, load_installed
from tabletop.rng.phrases import fresh_phrase
from tabletop.scores.sheets import FRESH, GIVEN
from tabletop.terminal.args import (
    CONTESTS,
    ProgramParser,
    add_contest_options,
    add_record_options,
    as_text,
    check_alone,
    choose_record,
    find_record,
    read_bots,
    read_contest,
)
from tabletop.terminal.console import Console
from tabletop.terminal.programs import OK, guarded
from tabletop.wording import quote

DEFAULT_DECK: Final = "default.deck"
"""The deck of a player for whom no option names another."""

PACKAGED_DECKS: Final = (DEFAULT_DECK, "custom.deck")
"""The decks that come with the package, for where there is no file of that name."""


def build_parser() -> ProgramParser:
    """The parser of the program."""
    parser = ProgramParser(
        prog="sorcery",
        description="Play Sorcery: two players, each with a deck of cards, and who has no life"
        " left loses. `help` at the prompt tells what can be typed.",
        epilog="Options may be spelled with one dash or two, and stand in any order."
        " `tabletop replay`, `tabletop resume` and `tabletop scores` know the records and scores of"
        " this program, too.",
    )
    for player in (1, 2):
        parser.add_argument(
            f"-deck{player}",
            f"--deck{player}",
            metavar="FILE",
            help=f"player {player}'s deck: names of cards, one a line; by default {DEFAULT_DECK}."
            f" Where there is no file of that name, {' and '.join(PACKAGED_DECKS)} are those of the"
            " package",
        )
    parser.add_argument(
        "-init",
        "--init",
        metavar="FILE",
        help="read FILE first, a command a line, beginning with the names of the players",
    )
    parser.add_argument(
        "-testing",
        "--testing",
        action="store_true",
        help="testing mode: decks in order, draw and discard, cards for too little magic",
    )
    parser.add_argument(
        "-edition",
        "--edition",
        metavar="NAME",
        help="which edition to play: 2024 (the default), 2017, or one of an installed package",
    )
    parser.add_argument(
        "-style",
        "--style",
        metavar="NAME",
        choices=(*STYLES, COMPACT),
        help="how to draw: simple, fancy, or compact, in 80 columns; by default fancy where the"
        " terminal can show it, and compact where it is too small",
    )
    parser.add_argument(
        "-seed",
        "--seed",
        metavar="TEXT",
        help="any text; by default a fresh phrase, said at the start",
    )
    add_contest_options(parser, ", with the decks of the edition")
    parser.add_argument(
        "-cards",
        "--cards",
        metavar="FILE.py",
        action="append",
        default=[],
        help="add the cards of a Python file, which is run: only one that you trust; repeat",
    )
    parser.add_argument(
        "-bot",
        "--bot",
        metavar="SEAT[=NAME]",
        action="append",
        default=[],
        help=f"let a bot ({', '.join(BOTS)}, or random) play for player 1 or 2, or `all`; repeat",
    )
    add_graphics_option(parser, "-graphics", "--graphics")
    add_record_options(parser)
    return parser


MOST_BYTES: Final = 1 << 24
"""What is longer is neither a deck nor a list of commands."""

SEATS: Final = {"1": (0,), "2": (1,), "all": (0, 1)}
"""What -bot can name."""

IN_RECORDS: Final = (
    "deck1",
    "deck2",
    "init",
    "testing",
    "seed",
    *CONTESTS,
    "cards",
    "bot",
    "edition",
)
"""The options that a record has answered already."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the program; its exit status."""
    words = list(sys.argv[1:] if argv is None else argv)
    return guarded("sorcery", lambda: _run(words))


def _run(words: Sequence[str]) -> int:
    arguments = build_parser().read(words)
    look = read_look(arguments.style, sys.stdout)
    if arguments.resume is not None:
        given = {name: getattr(arguments, name) for name in IN_RECORDS}
        check_alone(arguments, given)
        record = find_record(arguments, games())
        with graphics_session(arguments.graphics) as graphics:
            resume(record, look, graphics)
        return OK
    edition = read_edition(arguments)
    plugin, is_found = plugin_of_edition(edition)
    lines = () if arguments.init is None else read_init(arguments.init)
    contest = read_contest(arguments, {"deck1": "decks", "deck2": "decks", "testing": "rules"})
    options = {} if contest else read_decks(arguments, edition)
    bots = read_bots(arguments.bot, SEATS, plugin)
    with graphics_session(arguments.graphics) as graphics:
        console = Console(ends_lines=False, first=lines, loop=graphics.loop)
        seed: str | None = arguments.seed
        Program(
            plugin,
            console,
            seed=fresh_phrase(plugin.game.vocabulary) if seed is None else as_text(seed).strip(),
            seed_origin=contest or (FRESH if seed is None else GIVEN),
            options={**options, "testing": arguments.testing},
            bots=bots,
            look=look,
            record=read_record(arguments, plugin, console, is_found=is_found),
            scored=console.interactive and is_found,
            beside=graphics.beside,
        ).run()
    return OK


def games() -> set[str]:
    """The games of all editions: those of this package, and those of others that name theirs."""
    found = {edition.game for edition in EDITIONS.values()}
    for name in edition_names():
        with suppress(CardsError):  # one that cannot be loaded is no game that was left
            found.add(find_edition(name).game)
    return found


def plugin_of_edition(edition: Edition) -> tuple[Plugin, bool]:
    """The game with the cards of an edition, and whether `tabletop` finds that very game by name.

    Only such a game can be replayed from a record, and compared with others by its score.
    """
    plugin = load_installed(edition.game)
    if plugin is not None:
        found = plugin.game
        if isinstance(found, Sorcery) and found.edition == edition:
            return plugin, True
    plugin = load("sorcery:GAME")
    game = Sorcery(edition)
    return replace(plugin, game=game, text=SorceryText(edition)), False


def read_record(
    arguments: argparse.Namespace, plugin: Plugin, console: Console, *, is_found: bool
) -> Path | None:
    """Where the record goes; None when there is to be none.

    Raises:
        UsageError: one is asked for, and no program could replay it.
        RecordError: there is no place for one.
    """
    if arguments.record is not None and not is_found:
        raise UsageError(
            "-record: a record is replayed with a game that has a name, and these are in none;"
            " make a game of them (Sorcery(edition), see the guide) for `tabletop play`"
        )
    return choose_record(arguments, plugin.game, interactive=console.interactive and is_found)


def resume(record: Record, look: Showing, graphics: Graphics) -> None:
    """Go on with a recorded game.

    Raises:
        RecordError: it does not replay, or cannot be written.
    """
    console = Console(ends_lines=False, loop=graphics.loop)
    Program(
        load(record.header.game),
        console,
        record.header.seed,
        look=look,
        scored=console.interactive,
        beside=graphics.beside,
    ).resume(record)


def read_edition(arguments: argparse.Namespace) -> Edition:
    """The edition that is played, with the cards of plugins and of one's own.

    Raises:
        UsageError: there is no such edition, or cards cannot be loaded, or do not go together.
    """
    names = edition_names()
    name = SPRING_2024.name if arguments.edition is None else arguments.edition
    if name.casefold() not in map(str.casefold, names):
        unknown = f"invalid choice: {quote(name)}{known_editions(name)}"
        raise UsageError(f"argument -edition: {unknown} (sorcery -h tells the options)")
    try:
        edition = find_edition(name)
    except CardsError as error:
        raise UsageError(f"-edition {quote(name)}: {error}") from error
    try:
        edition = with_cards(edition, plugin_cards())
        for path in arguments.cards:
            edition = with_own_cards(edition, path)
    except CardsError as error:
        raise UsageError(str(error)) from error
    return edition


def read_decks(arguments: argparse.Namespace, edition: Edition) -> dict[str, OptionValue]:
    """The decks of both players, by the names of the game's options.

    The deck that the game has by itself is left out: so a match is the same as one that was begun
    with `tabletop play`, and is played again by a short command.

    Raises:
        UsageError: a deck cannot be read, or names a card that does not exist.
    """
    options: dict[str, OptionValue] = {}
    for name in ("deck1", "deck2"):
        text = read_deck(getattr(arguments, name), f"-{name} ", edition)
        if text != packaged_deck(edition.default_deck):
            options[name] = text
    return options


def read_deck(path: str | None, option: str, edition: Edition) -> str:
    """The text of a deck file, which is checked.

    Raises:
        UsageError: it cannot be read, or names a card that does not exist.
    """
    if path is None:
        # Its own deck, unless there is a default one in the current directory (§5.2.1).
        name = DEFAULT_DECK if Path(DEFAULT_DECK).exists() else edition.default_deck
    else:
        name = path
    where = repr(name) if path is None else f"{option}{name!r}"
    try:
        text = _deck_text(name)
        parse_deck(text, edition)
    except FileNotFoundError:
        raise UsageError(f"{where}: there is no such file") from None
    except OSError as error:
        raise UsageError(f"{where}: {reason(error)}") from error
    except (TextFileError, DeckError) as error:
        raise UsageError(f"{where}: {error}") from error
    return text


def _deck_text(name: str) -> str:
    """The text of a file; where there is none, that of the package's deck of the same name."""
    try:
        return read_text(name, MOST_BYTES)
    except FileNotFoundError:
        if name not in PACKAGED_DECKS:
            raise
        return packaged_deck(name)


def read_init(path: str) -> tuple[str, ...]:
    """The lines of the file of `-init`, which are read before anything is asked.

    Raises:
        UsageError: they cannot be read.
    """
    try:
        return read_lines(path, MOST_BYTES)
    except FileNotFoundError:
        raise UsageError(f"-init {path!r}: there is no such file") from None
    except OSError as error:
        raise UsageError(f"-init {path!r}: {reason(error)}") from error
    except TextFileError as error:
        raise UsageError(f"-init {path!r}: {error}") from error
