"""The course's game at a prompt: one match after the other (Constructor §4).

It is the terminal front with a skin. What is piped in is answered as the document has it, to the
character: `constructor.document`. Who sits at a terminal follows a match as at the table of
`tabletop play constructor`, and can ask for as much: `constructor.skin`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import ClassVar, Final

from typing_extensions import override

from constructor.beginning import (
    DEFAULT_SEED,
    Playing,
    Start,
    begin,
    options_afresh,
    seed_of_game,
    setup_again,
)
from constructor.document import PROMPT, DocumentSkin
from constructor.ending import BACKUP, how_it_ended, is_stuck, keep_backup, stop_when_stuck
from constructor.hints import farewell, is_to_go_on
from constructor.log import EventLog
from constructor.setups import broken_setup
from constructor.skin import PAUSE, ConstructorSkin
from constructor.state import COLOURS
from constructor.text import PLAY_AGAIN
from tabletop import EndOfInput, Seat
from tabletop.errors import RecordLost
from tabletop.records.entries import HUMAN, Header
from tabletop.records.reading import Record
from tabletop.registry import Plugin
from tabletop.scores.sheets import FRESH
from tabletop.storage.places import utc_now
from tabletop.terminal.client import OpenSecondView, TerminalClient
from tabletop.terminal.console import Console
from tabletop.terminal.play import TerminalGame, hint_at_terminal
from tabletop.terminal.signals import begin_critical, end_critical
from tabletop.terminal.ui import TerminalUI
from tabletop.turns import snake
from tabletop.wording import counted

AS_WELL: Final = f"The game is kept in {BACKUP} as well, in the document's format."


class ProgramSkin(ConstructorSkin):
    """For people at a terminal: as at a table of one's own, and a game ends as the program's do.

    Args:
        client: what it works with.
        leave: does what is to be done when the game is left (§4.5).
        wait: lets so many seconds go by.
        pause: how many seconds to wait after a bot's turn.
    """

    program: ClassVar[str] = "constructor"

    def __init__(
        self,
        client: TerminalClient,
        *,
        leave: Callable[[], object],
        wait: Callable[[float], object],
        pause: float,
    ) -> None:
        super().__init__(client, wait=wait, pause=pause)
        self._leave = leave

    @override
    def opening(self) -> None:
        """Only what goes on is announced: the document begins with the board."""
        if self.client.match.ply:
            super().opening()

    @override
    def before(self, seat: Seat) -> None:
        stop_when_stuck(self.client)
        super().before(seat)

    @override
    def result(self) -> str:
        return how_it_ended(self.client.match)

    @override
    def left(self) -> None:
        self._leave()


class Program:
    """A session: games at a console until people have had enough.

    Args:
        plugin: the game and its bots.
        start: how games begin.
        console: where lines come from and go to.
        wait: lets so many seconds go by; `Console.wait` when not given.
        beside: has a window join beside the terminal.
    """

    def __init__(
        self,
        plugin: Plugin,
        start: Start,
        console: Console,
        *,
        wait: Callable[[float], object] | None = None,
        beside: OpenSecondView | None = None,
    ) -> None:
        self._beside = beside
        self._plugin = plugin
        self._start = start
        self._console = console
        self._wait = wait or console.wait
        self._log: EventLog | None = None
        self._games = 1
        self._match: Playing | None = None  # that is played, or was last
        self._screen: TerminalClient | None = None  # where it is
        self._was_left = False

    def first_game(self) -> Playing:
        """The game that is played first.

        Raises:
            FileError: it cannot begin from such a layout or save.
            OptionError: it cannot begin like that.
        """
        return begin(self._plugin.game, self._start.seed, self._start.options)

    def run(self, first: Playing | None = None, log: EventLog | None = None) -> None:
        """Play; when input ends or is interrupted, keep the game in `backup.sv` (§4.5).

        Args:
            first: the first game, when it has been made already.
            log: what writes down what happens, if anything does.

        Raises:
            FileError, OptionError: as in `first_game`.
            RegistryError: there is no such bot.
            TabletopError: the game could not be kept, or recorded.
        """
        self._match = match = self.first_game() if first is None else first
        self._guard(lambda: self._play(self._gone_on_with_setup(match)), log)

    def resume(self, record: Record, log: EventLog | None = None) -> None:
        """Go on with a game that was left; then as in `run`.

        Raises:
            RecordError: the record does not replay, or cannot be written.
        """
        self._guard(lambda: self._sitting(tuple(record.players)).resume(record), log)

    def _guard(self, play: Callable[[], object], log: EventLog | None) -> None:
        """Play the first game with `play`, and others after it."""
        self._log = log
        try:
            play()
            end_critical()
            while self._match is not None and not self._was_left and self._agrees(PLAY_AGAIN):
                self._play_again(self._match)
                end_critical()
        except EndOfInput:
            begin_critical()
            self._break_off()
        except KeyboardInterrupt:
            if self._console.interactive:
                self._console.begin_line()
            self._break_off()
        except RecordLost:
            self._keep()
            raise

    def _gone_on_with_setup(self, match: Playing) -> Playing:
        """The game as it was loaded, or its setup that was broken off, if a person wants that."""
        if not self._console.interactive or self._start.options.get("load") is None:
            return match
        vertices, choices = broken_setup(match.state), len(snake(match.seats))
        if vertices is not None and self._agrees(is_to_go_on(len(vertices), choices)):
            return setup_again(match, vertices)
        return match

    def _play_again(self, former: Playing) -> None:
        """Play another game; everybody plays for themselves again, but for the bots."""
        self._games += 1
        seed = seed_of_game(self._start.seed, self._games)
        self._play(begin(self._plugin.game, seed, options_afresh(former)))

    def _play(self, match: Playing) -> None:
        """Play a game to its end."""
        players = tuple(self._start.bots.get(seat, HUMAN) for seat in range(match.seats))
        origin = self._start.seed_origin
        header = Header.of(
            match,
            source=self._plugin.source,
            players=players,
            created=utc_now().isoformat(timespec="microseconds"),
            seed_origin=origin if self._games == 1 or origin == FRESH else "",
        )
        hint = ""
        if not match.options.get("load"):  # who has a save has played before
            # The seed that the program has by itself is nobody's choice.
            hint = hint_at_terminal(self._console, self._plugin, players, origin or FRESH)
        self._sitting(players, hint).play(match, header, self._start.record(self._games))

    def _sitting(self, players: tuple[str, ...], hint: str = "") -> TerminalGame:
        return TerminalGame(
            self._plugin,
            players,
            self._skin,
            self._console,
            scored=self._start.scored,
            hint=hint,
            program="constructor",
            record_option="-record",
            beside=self._beside,
            lingers=False,  # somebody is asked whether to play again
        )

    def _skin(self, client: TerminalClient) -> TerminalUI:
        """The skin of a game that begins or goes on, which is logged from here on as well."""
        self._screen, self._match = client, client.match
        if self._log is not None:
            self._log.begin(self._games, client.match)
            client.match.observe(self._log)
        pause = self._start.pause
        if not self._console.interactive:
            # `bool` stands for a function that does nothing: where nobody waits, nothing sleeps.
            wait: Callable[[], object] = partial(self._wait, pause) if pause else bool
            return DocumentSkin(client, leave=self._break_off, wait=wait)
        pause = PAUSE if pause is None else pause
        return ProgramSkin(client, leave=self._break_off, wait=self._wait, pause=pause)

    def _agrees(self, asked: str) -> bool:
        """Ask people a question until they answer yes or no; whether it is yes.

        Raises:
            EndOfInput: input ends before they do.
        """
        while True:
            self._console.say(asked)
            answer = " "
            while not answer.strip():
                line = self._console.read(PROMPT)
                if line is None:
                    raise EndOfInput("input has ended")
                answer = line
            answer = answer.strip().casefold()
            if answer in ("yes", "no"):
                return answer == "yes"

    # Leaving.

    def _keep(self) -> None:
        if self._match is not None:
            keep_backup(self._match.state)

    def _break_off(self) -> None:
        """Keep the game as it is; nobody wins. Say at a terminal how it goes on."""
        self._was_left = True
        self._keep()
        match, say = self._match, self._console.say
        if match is None or not self._console.interactive:
            return
        later = self._how_to_go_on()
        if later:
            say(f"Left after {counted(match.ply, 'action')}{later}\n{AS_WELL}")
        say(farewell(match.state, BACKUP, self._options_again()))

    def _how_to_go_on(self) -> str:
        """How the record of the game goes on; empty when there is none, or nothing to go on."""
        client = self._screen
        if client is None or client.match.over or is_stuck(client.session):
            return ""
        return client.how_to_go_on()

    def _options_again(self) -> list[str]:
        """The options beside `-load` that bring back the same seed, dice and bots."""
        seed, bots = self._start.seed, dict(self._start.bots)
        if self._screen is not None:
            players = enumerate(self._screen.session.players)
            bots = {seat: name for seat, name in players if name != HUMAN}
        words = ["-fair"] if self._start.options.get("fair") else []
        if seed != DEFAULT_SEED:
            # A seed with a dash in front would be read as another option.
            words += ["-seed", seed] if seed[:1] != "-" else [f"-seed={seed}"]
        for seat, name in sorted(bots.items()):
            is_best = name == self._plugin.best_bot
            words += ["-bot", COLOURS[seat] if is_best else f"{COLOURS[seat]}={name}"]
        return words
