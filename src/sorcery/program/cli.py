"""The program `sorcery` and its options (Sorcery 2024 §5.2).

All files that options name are read and checked before the first question.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from sorcery import plugin_with
from sorcery.bots.players import BOTS
from sorcery.cards.editions import (
    EDITIONS,
    SPRING_2024,
    DeckError,
    Edition,
    add_cards_from_file,
    add_plugin_cards,
    packaged_deck,
    parse_deck,
)
from sorcery.cards.errors import CardsError
from sorcery.program.piped import SorceryDialogue
from sorcery.program.table_commands import NOBODY_WINS
from sorcery.rules.game import HAND, PATIENCE, Sorcery, edition_of
from sorcery.text.board_display import COMPACT, PLAIN, Display, Showing, read_look
from sorcery.text.frames import STYLES
from tabletop import EndOfInput, Match, Options, Plugin, RegistryError, Seat
from tabletop.display import seed_warning
from tabletop.errors import UsageError
from tabletop.host import TextFileError, print_error, read_lines, read_text, reason, utc_now
from tabletop.match import AnyMatch
from tabletop.records import HUMAN, Header, Record
from tabletop.registry import installed, load, load_installed
from tabletop.rng import fresh_phrase
from tabletop.rules import OptionValue
from tabletop.scores import FRESH, GIVEN
from tabletop.terminal import (
    CONTESTS,
    OK,
    Console,
    PipedGame,
    ProgramParser,
    add_contest_options,
    add_record_options,
    as_text,
    check_alone,
    choose_record,
    find_record,
    guarded,
    read_bots,
    read_contest,
    with_programs,
)
from tabletop.web import add_graphics_option, graphics_session
from tabletop.wording import did_you_mean, join_words, plural, quote

if TYPE_CHECKING:
    from tabletop.terminal import LocalConnection, OpenWindow, TerminalGame

DEFAULT_DECK: Final = "default.deck"  # the deck of a player if no option names another
PACKAGED_DECKS: Final = (DEFAULT_DECK, "custom.deck", "full.deck")  # used unless such a file exists


def build_parser() -> ProgramParser:
    """Return the parser of the program."""
    parser = ProgramParser(
        prog="sorcery",
        description="Play Sorcery, a card game for two players with a deck each. A player without"
        " life loses. Type `help` at the prompt for the commands.",
        epilog="Options start with one dash or two and may be given in any order."
        " `tabletop replay`, `tabletop resume` and `tabletop scores` also work with the records and"
        " scores of this program.",
    )

    def option(name: str, text: str, **how: Any) -> None:
        parser.add_argument(f"-{name}", f"--{name}", help=text, **how)

    several: dict[str, Any] = {"action": "append", "default": []}
    for player in (1, 2):
        option(
            f"deck{player}",
            f"player {player}'s deck: names of cards, one per line, by default {DEFAULT_DECK}."
            f" {join_words(PACKAGED_DECKS, 'and')} name packaged decks unless such a file exists",
            metavar="FILE",
        )
    option(
        "init",
        "read commands from FILE first, one per line, starting with the names of the players",
        metavar="FILE",
    )
    option(
        "testing",
        "testing mode: do not shuffle the decks, allow `draw` and `discard`, and allow cards that"
        " cost more magic than the player has",
        action="store_true",
    )
    option(
        "hand",
        "cards in each hand at the start, 0 to 5, by default 5, or 4 in the 2017 edition, with or"
        " without -testing. `-hand 5` matches Sorcery 2017 §5.2.1",
        metavar="N",
    )
    option(
        "edition",
        "edition to play: 2024 (the default), 2017, or one from an installed package",
        metavar="NAME",
    )
    option(
        "style",
        "style of the board: simple (ASCII), fancy (Unicode), or compact (80 columns), by default"
        " compact if the terminal is too small, or else fancy if it supports Unicode",
        metavar="NAME",
        choices=(*STYLES, COMPACT),
    )
    option(
        "seed",
        "seed of the match, any text, by default a random phrase, printed at the start",
        metavar="TEXT",
    )
    add_contest_options(parser, ", with the decks of the edition")
    option(
        "cards",
        "add the cards of a Python file, which is run, so use only files that you trust (may be"
        " repeated)",
        metavar="FILE.py",
        **several,
    )
    option(
        "bot",
        f"let a bot play for player 1, 2 or `all` (may be repeated), by default {next(iter(BOTS))}."
        " The bots easy, fair and hard search further and further, search:2s searches for 2 seconds"
        " per move, random plays at random, exec:COMMAND runs your own program",
        metavar="SEAT[=NAME]",
        **several,
    )
    add_graphics_option(parser, "-graphics", "--graphics")
    add_record_options(parser)
    return parser


PREFIX: Final = "sorcery-"  # the prefix of the name of a game for an edition other than the default
MOST_BYTES: Final = 1 << 24  # maximum size of a deck or a list of commands, in bytes
SEATS: Final = {"1": (0,), "2": (1,), "all": (0, 1)}  # the seats that -bot can name

IN_RECORDS: Final = (
    "deck1",
    "deck2",
    "init",
    "testing",
    "hand",
    "seed",
    *CONTESTS,
    "cards",
    "bot",
    "edition",
)
"""The options that a record already contains."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the program, and return its exit status."""
    words = list(sys.argv[1:] if argv is None else argv)
    return guarded("sorcery", lambda: _run(words))


def _run(words: Sequence[str]) -> int:
    arguments = build_parser().read(words)
    look = read_look(arguments.style, sys.stdout)
    if arguments.resume is not None:
        given = {name: getattr(arguments, name) for name in IN_RECORDS}
        check_alone(arguments, given)
        games = {name for name in installed() if name == "sorcery" or name.startswith(PREFIX)}
        record = find_record(arguments, games)
        with graphics_session(arguments.graphics) as graphics:
            console = Console(ends_lines=False, loop=graphics.loop)
            Program(
                load(record.header.game),
                console,
                record.header.seed,
                look=look,
                is_found=True,
                beside=graphics.beside,
            ).resume(record)
        return OK
    edition = _read_edition(arguments)
    plugin, is_found = _plugin_of_edition(edition)
    lines: tuple[str, ...] = ()
    if arguments.init is not None:
        with _name_in_errors(f"-init {arguments.init!r}"):
            lines = read_lines(arguments.init, MOST_BYTES)
    fixed = {"deck1": "decks", "deck2": "decks", "testing": "rules", "hand": "hands"}
    contest = read_contest(arguments, fixed)
    options = {} if contest else _read_decks(arguments, edition)
    hand = {} if arguments.hand is None else {"hand": HAND.parse(arguments.hand)}
    plugin = with_programs(plugin, arguments.bot)
    bots = read_bots(arguments.bot, SEATS, plugin)
    with graphics_session(arguments.graphics) as graphics:
        console = Console(ends_lines=False, first=lines, loop=graphics.loop)
        seed: str | None = arguments.seed
        Program(
            plugin,
            console,
            seed=fresh_phrase(plugin.game.vocabulary) if seed is None else as_text(seed).strip(),
            seed_origin=contest or (FRESH if seed is None else GIVEN),
            options={**options, "testing": arguments.testing, **hand},
            bots=bots,
            look=look,
            record=_record_path(arguments, plugin, console, is_found=is_found),
            is_found=is_found,
            beside=graphics.beside,
        ).run()
    return OK


def _plugin_of_edition(edition: Edition) -> tuple[Plugin, bool]:
    """Return the game with an edition's cards, and whether `tabletop` finds that game by name.

    Only such a game can be replayed from a record, and compared with others by its score.
    """
    plugin = load_installed(edition.game)
    if plugin is not None:
        game = plugin.game
        if isinstance(game, Sorcery) and game.edition == edition:
            return plugin, True
    return plugin_with(Sorcery(edition)), False


def _record_path(
    arguments: argparse.Namespace, plugin: Plugin, console: Console, *, is_found: bool
) -> Path | None:
    if arguments.record is not None and not is_found:
        raise UsageError(
            "-record: a match with added cards cannot be recorded, because no named game has them."
            " Define a game with Sorcery(edition), see the guide, and use `tabletop play`"
        )
    return choose_record(arguments, plugin.game, interactive=console.interactive and is_found)


def _read_edition(arguments: argparse.Namespace) -> Edition:
    """Return the edition, with the cards of packages and of -cards."""
    wanted = SPRING_2024.name if arguments.edition is None else arguments.edition
    others = (name.removeprefix(PREFIX) for name in installed() if name.startswith(PREFIX))
    names = {name.casefold(): name for name in (*EDITIONS, *others)}
    name = names.get(wanted.casefold())
    if name is None:
        hint = did_you_mean(wanted, names.values())
        raise UsageError(
            f"argument -edition: invalid choice: {quote(wanted)}{hint} (choose from"
            f" {', '.join(map(repr, names.values()))}) (sorcery -h lists the options)"
        )
    try:
        edition = EDITIONS.get(name) or edition_of(load(PREFIX + name).game)
        edition = add_plugin_cards(edition)
        for path in arguments.cards:
            edition = add_cards_from_file(edition, path)
    except (CardsError, RegistryError) as error:
        raise UsageError(str(error)) from error
    return edition


@contextmanager
def _name_in_errors(where: str) -> Iterator[None]:
    """Name the option in the error of a file that cannot be read or is malformed."""
    try:
        yield
    except FileNotFoundError:
        raise UsageError(f"{where}: there is no such file") from None
    except DeckError as error:
        raise UsageError(f"{where}: {error} (-cards FILE.py adds cards of your own)") from error
    except (OSError, TextFileError) as error:
        raise UsageError(f"{where}: {reason(error)}") from error


def _read_decks(arguments: argparse.Namespace, edition: Edition) -> dict[str, OptionValue]:
    """Return the decks of both players, by the names of the game's options.

    The default deck is omitted. The match is therefore the same as in `tabletop play`, and the
    command that plays it again is short.
    """
    options: dict[str, OptionValue] = {}
    for option in ("deck1", "deck2"):
        name = getattr(arguments, option)
        where = f"-{option} {name!r}"
        if name is None:
            # A default deck in the current directory replaces that of the edition (§5.2.1).
            name = DEFAULT_DECK if Path(DEFAULT_DECK).exists() else edition.default_deck
            where = repr(name)
        with _name_in_errors(where):
            text = _deck_text(name)
            if not parse_deck(text, edition):
                print_error(f"sorcery: {where}: the deck is empty")
        if text != packaged_deck(edition.default_deck):
            options[option] = text
    return options


def _deck_text(name: str) -> str:
    """Return the text of a file or, if it does not exist, of the packaged deck of that name."""
    try:
        return read_text(name, MOST_BYTES)
    except FileNotFoundError:
        if name not in PACKAGED_DECKS:
            raise
        return packaged_deck(name)


@dataclass(frozen=True)
class Program:
    """A game at a console."""

    plugin: Plugin
    console: Console
    seed: str
    seed_origin: str = ""  # see `tabletop.scores`
    options: Options = field(default_factory=dict)
    bots: Mapping[Seat, str] = field(default_factory=dict)
    look: Showing = PLAIN
    record: Path | None = None  # the path of the record, or None for no record
    is_found: bool = False  # whether `tabletop` finds the game by its name, so that it has scores
    beside: OpenWindow | None = None  # opens a window next to the terminal

    def run(self) -> None:
        """Play. The end of input and Ctrl-C have the effect of `quit` (Sorcery 2017 §5.1.3)."""
        console = self.console
        self._say_what_is_played(people=2 - len(self.bots))
        if self.beside is not None:
            self.beside.announce(self.plugin, console)
        try:
            names = [self._ask_name(seat) for seat in range(2)]
        except EndOfInput:
            console.say(NOBODY_WINS)
        except KeyboardInterrupt:
            console.begin_line()
            console.say(NOBODY_WINS)
        else:
            self._play(names)

    def resume(self, record: Record) -> None:
        """Continue a game from its record."""
        self._say_what_is_played(record.players.count(HUMAN))
        self._game(tuple(record.players)).resume(record)

    def _say_what_is_played(self, people: int) -> None:
        console, game = self.console, self.plugin.game
        console.say(f"{game.title}. Seed: {self.seed}")
        warning = seed_warning(game, people)
        if console.interactive and warning:
            console.say(warning)
        explained = self._display().explanation("-style")
        if explained:
            console.say(explained)

    def _display(self) -> Display:
        return Display(edition_of(self.plugin.game), self.look, self.console.size)

    def _play(self, names: Sequence[str]) -> None:
        match = self._begin(names)
        players = tuple(self.bots.get(seat, HUMAN) for seat in range(2))
        header = Header.of(
            match,
            source=self.plugin.source,
            players=players,
            created=utc_now().isoformat(timespec="microseconds"),
            seed_origin=self.seed_origin,
        )
        self._game(players, names).play(match, header, self.record)

    def _game(
        self, players: tuple[str, ...], names: Sequence[str] = ()
    ) -> TerminalGame | PipedGame:
        """Return the match at a terminal or with piped input."""
        if not self.console.interactive:
            return PipedGame(
                self.plugin,
                players,
                partial(SorceryDialogue, display=self._display(), names=names),
                self.console,
                program="sorcery",
                counts_contests=self.is_found,
                beside=self.beside,
            )
        # Piped programs start faster without these modules.
        from sorcery.program.console import SorceryProgram
        from tabletop.scores import newcomers_hint
        from tabletop.terminal import Presentation, TerminalGame

        plugin = self.plugin

        return TerminalGame(
            plugin,
            players,
            Presentation(
                texts=SorceryProgram(plugin.game, plugin.text, self.look, names),
                program="sorcery",
                title=False,  # it is printed before the names are asked for
                leave=_leave,
                news_first=True,
                hint=newcomers_hint(plugin, players, self.seed_origin),
                record_option="-record",
            ),
            self.console,
            scored=self.is_found,
            beside=self.beside,
        )

    def _begin(self, names: Sequence[str]) -> AnyMatch:
        if len(set(names)) < len(names):  # otherwise nobody could see whose turn it is
            names = [f"{name} ({seat})" for seat, name in enumerate(names, 1)]
        is_shared = self.seed_origin in CONTESTS or len(self.bots) == len(names)
        options = {**self.options, "patience": PATIENCE.default if is_shared else 0}
        return Match(self.plugin.game, seed=self.seed, seats=names, options=options)

    def _ask_name(self, seat: Seat) -> str:
        """Ask for the name of a player, which is a whole line. An empty line is a default."""
        question = f"Player {seat + 1}, what is your name?"
        bots, console = self.bots, self.console
        if console.interactive and seat in bots:  # a person answers for the bot
            name = _name_of(bots[seat])
            question = f"Player {seat + 1} is a bot: what is its name? (Enter: {name})"
        if not console.interactive:
            console.say(question)
        typed = console.read(f"{question} " if console.interactive else "")
        if typed is None and len(bots) < 2:  # two bots need no input
            raise EndOfInput
        # One line without control characters, which would break the board.
        shown = "".join(letter if letter.isprintable() else " " for letter in typed or "")
        name = " ".join(shown.split())
        return name or (_name_of(bots[seat]) if seat in bots else f"Player {seat + 1}")


def _leave(connection: LocalConnection) -> None:
    """Print how to resume a recorded game. Without a record, nobody wins."""
    later = connection.how_to_go_on()
    plies = plural(connection.match.ply, "action")
    connection.console.say(f"Left after {plies}{later}" if later else NOBODY_WINS)


def _name_of(bot: str) -> str:
    """Return the name of a bot as a player, without the part after a colon."""
    return bot.partition(":")[0].capitalize()
