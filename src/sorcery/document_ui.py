"""The game at a prompt: two names, and then commands, a line each (Sorcery 2024 §1.2, §5.1).

It is the terminal's loop with a UI that says everything as the document does. What the document
does not have (records, scores, undo) is there for people at a terminal, and for who asks for it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from pathlib import Path
from typing import Final

from typing_extensions import override

from sorcery.display import PLAIN, Display, Showing
from sorcery.events import TurnStarted
from sorcery.rules import edition_of
from sorcery.table_commands import (
    HELP,
    TESTING_ONLY,
    Inspect,
    Show,
    commands,
)
from sorcery.text import sentence
from sorcery.ui import SorceryUI, full_sentence, reason_of
from tabletop import (
    ActionPlayed,
    ActionsUndone,
    Commands,
    ContractError,
    EndOfInput,
    Event,
    Match,
    Options,
    Seat,
    Watcher,
)
from tabletop.errors import RecordLost
from tabletop.host.paths import utc_now
from tabletop.match import AnyMatch
from tabletop.records.file import Record
from tabletop.records.format import HUMAN, Header
from tabletop.registry import Plugin
from tabletop.session import Play
from tabletop.terminal.args import CONTESTS
from tabletop.terminal.client import OpenSecondView, TerminalClient
from tabletop.terminal.console import Console
from tabletop.terminal.play import TerminalGame, hint_at_terminal
from tabletop.terminal.ui import Topic
from tabletop.text import seed_warning
from tabletop.wording import plural

PATIENCE: Final = 50
"""After so many turns in which nothing changes, bots among themselves call it a draw."""

NOBODY_WINS: Final = "The game is over; nobody wins."


class DocumentUI(SorceryUI):
    """The UI of the program: what is printed is the document's; a terminal gets more.

    Args:
        client: what it works with.
        pictures: where the game is shown.
        names: of the players, as they stand on the board; as in the match when there are none.
    """

    program = "sorcery"

    def __init__(
        self, client: TerminalClient, pictures: Display, names: Sequence[str] = ()
    ) -> None:
        super().__init__(client, pictures)
        self._board_names = names or client.names
        # What is piped in is answered as the document has it: its `help` names no other words.
        known = client.table.commands if self._at_terminal else ()
        self._table = Commands(*(it for it in known if it.words != "quit"))

    # From the first line to the last.

    @override
    def opening(self) -> None:
        """Do nothing: the title is printed before the names are asked for."""

    @override
    def warn(self) -> None:
        """Do nothing: the warning is printed with the title."""

    @override
    def ending(self) -> None:
        """Show how the game has ended, with the board as it was then unless it was quit."""
        self._sum_up()
        outcome = self.client.match.outcome
        if outcome is None or outcome.abandoned:
            self.client.say(NOBODY_WINS)
            return
        self._pictures.board(self._seen(), self._board_names)
        self.client.say(self.client.session.plugin.text.outcome(outcome, self.client.names))

    @override
    def left(self) -> None:
        """The end of input is `quit`, and so is an interrupt (Sorcery 2017 §5.1.3).

        At a terminal a game that is recorded is not over: it is said how to go on with it.
        """
        later = self.client.how_to_go_on() if self._at_terminal else ""
        plies = plural(self.client.match.ply, "action")
        self.client.say(f"Left after {plies}{later}" if later else NOBODY_WINS)

    # Deciding.

    @override
    def before(self, seat: Seat) -> None:
        super().before(seat)
        if self._is_new_turn and not self._is_summed_up(seat):
            self._is_new_turn = False
            self._show_turn(seat, hand=self.client.match.players[seat] is None)

    @override
    def asked(self, seat: Seat) -> None:
        """Do nothing: the board is shown at the start of a turn, by `before`."""

    @override
    def show(self, seat: Seat) -> None:
        self._show_turn(seat, hand=True)

    @override
    def prompt(self, seat: Seat) -> str:
        """The name of the player at a terminal; empty where input is piped."""
        return f"{self.client.names[seat]}> " if self._at_terminal else ""

    @override
    def handle(self, line: str, seat: Seat) -> bool:
        word = line.split(maxsplit=1)[0].casefold()
        if word in self._table:
            return self.execute_table(self._table.parse(line), seat)
        is_known = self.client.match.state.testing or word in TESTING_ONLY
        table = commands(
            self._edition.most_cards,
            self._edition.most_minions,
            all_of_them=is_known,
            at_a_terminal=self._at_terminal,
        )
        match table.parse(line):
            case Show("help"):
                self.help(seat)
            case (Show() | Inspect()) as request:
                return self.execute(request, seat)
            case action:
                self.client.request(Play(action))
        return True

    @override
    def help(self, seat: Seat, *, everything: bool = False) -> None:
        if self._at_terminal:
            super().help(seat, everything=everything)
        else:
            self.client.say(HELP)

    @override
    def table_topic(self) -> Topic:
        return Topic.of("At every table", self._table.commands)

    @override
    def refused(self, line: str, error: Exception, seat: Seat) -> None:
        if isinstance(error, RecordLost):
            raise error
        if isinstance(error, ContractError):
            self._pictures.refuse(f"{full_sentence(reason_of(error))} Nothing has changed.")
        elif self._at_terminal:
            self._refuse(line, error, seat)
        else:
            self._pictures.refuse(full_sentence(str(error)))

    @override
    def hand_over(self, seat: Seat, other: Seat | None) -> bool:
        """Wipe the hand of one player, show the next what has happened, and wait for a key.

        Nothing is wiped while lines come from the file of `-init`.
        """
        client = self.client
        if not self._at_terminal or other is None or client.console.is_scripted:
            return False
        client.console.wipe()
        self.show_news(client.catch_up(seat, wiped=True))
        client.read(f"{client.names[seat]}, it is your turn: press Enter. ")
        return True

    # News.

    @override
    def line_of(self, event: Event, reader: Watcher) -> str:
        match event:
            case TurnStarted():
                return ""  # said with the board
            case ActionPlayed(seat=seat, action=action):
                is_bot = self.client.match.players[seat] is not None
                return f"{self.client.names[seat]}> {action}" if is_bot else ""
            case ActionsUndone():
                return super().line_of(event, reader)
        return sentence(event, self.client.names, fully=self._at_terminal)


@dataclass(frozen=True)
class Program:
    """One game at a console.

    Attributes:
        plugin: what is played: the rules, with all cards.
        console: where lines come from and go to.
        seed: of all chance.
        seed_origin: where it comes from; see `tabletop.scores`.
        options: of the game.
        bots: the seats that bots play for, with their names.
        look: how the game is shown.
        record: where the record goes; None when there is to be none.
        scored: whether the score is kept and shown.
        beside: has a window join beside the terminal.
    """

    plugin: Plugin
    console: Console
    seed: str
    seed_origin: str = ""
    options: Options = field(default_factory=dict)
    bots: Mapping[Seat, str] = field(default_factory=dict)
    look: Showing = PLAIN
    record: Path | None = None
    scored: bool = False
    beside: OpenSecondView | None = None

    def run(self) -> None:
        """Play; the end of input is `quit`, and so is an interrupt (Sorcery 2017 §5.1.3)."""
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
        """Go on with a game that was left."""
        self._say_what_is_played(record.players.count(HUMAN))
        self._table(tuple(record.players), ()).resume(record)

    @cached_property
    def _pictures(self) -> Display:
        return Display(self.console, edition_of(self.plugin.game), self.look)

    def _say_what_is_played(self, people: int) -> None:
        console, game = self.console, self.plugin.game
        console.say(f"{game.title}. Seed: {self.seed}")
        warning = seed_warning(game, people)
        if console.interactive and warning:
            console.say(warning)
        self._pictures.say_what_is_drawn()

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
        hint = hint_at_terminal(self.console, self.plugin, players, self.seed_origin)
        self._table(players, names, hint).play(match, header, self.record)

    def _table(
        self, players: tuple[str, ...], names: Sequence[str], hint: str = ""
    ) -> TerminalGame:
        return TerminalGame(
            self.plugin,
            players,
            partial(DocumentUI, pictures=self._pictures, names=names),
            self.console,
            scored=self.scored,
            hint=hint,
            program="sorcery",
            record_option="-record",
            beside=self.beside,
        )

    def _begin(self, names: Sequence[str]) -> AnyMatch:
        """Make the match."""
        if len(set(names)) < len(names):  # else nobody would know whose turn it is
            names = [f"{name} ({seat})" for seat, name in enumerate(names, 1)]
        is_shared = self.seed_origin in CONTESTS or len(self.bots) == len(names)
        options = {**self.options, "patience": PATIENCE if is_shared else 0}
        return Match(self.plugin.game, seed=self.seed, seats=names, options=options)

    def _ask_name(self, seat: Seat) -> str:
        """Ask for the name of a player, a whole line; a default stands for an empty one."""
        question = f"Player {seat + 1}, what is your name?"
        bots, console = self.bots, self.console
        if console.interactive and seat in bots:  # it would not answer
            name = bots[seat].capitalize()
            question = f"Player {seat + 1} is a bot: what is its name? (Enter: {name})"
        if not console.interactive:
            console.say(question)
        typed = console.read(f"{question} " if console.interactive else "")
        if typed is None and len(bots) < 2:  # bots among themselves need nobody's answer
            raise EndOfInput("input has ended")
        # On one line, without control characters, which would break a picture.
        shown = "".join(letter if letter.isprintable() else " " for letter in typed or "")
        name = " ".join(shown.split())
        return name or (bots[seat].capitalize() if seat in bots else f"Player {seat + 1}")
