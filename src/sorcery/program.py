"""The game at a prompt: two names, and then commands, a line each (Sorcery 2024 §1.2, §5.1)."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from shutil import get_terminal_size
from typing import Any, Final

from sorcery.actions import COMMANDS, Action, Attack, EndTurn, Place
from sorcery.checks import obstacle_to
from sorcery.drawing import BOARD_WIDTH, Look
from sorcery.events import TurnStarted
from sorcery.rules import Sorcery
from sorcery.state import MOST_MINIONS, SorceryState
from sorcery.styles import SIMPLE, Style
from sorcery.text import HELP, SorceryText, sentence
from sorcery.triggers import EndlessChain
from tabletop import (
    Command,
    CommandError,
    Commands,
    ContractError,
    EndOfInput,
    Event,
    IllegalAction,
    Match,
    Seat,
)
from tabletop.console import Console, tell_all
from tabletop.events import ObserverFailure
from tabletop.game import Options
from tabletop.printable import say_error
from tabletop.registry import Plugin
from tabletop.text import seed_warning
from tabletop_start import opened

PATIENCE: Final = 50
"""After so many turns in which nothing changes, bots among themselves call it a draw."""

NOBODY_WINS: Final = "The game is over; nobody wins."


@dataclass(frozen=True, slots=True)
class ShowHelp:
    """`help`."""


@dataclass(frozen=True, slots=True)
class Inspect:
    """`inspect minion`, or `describe minion`."""

    minion: int


@dataclass(frozen=True, slots=True)
class ShowHand:
    """`hand`."""


@dataclass(frozen=True, slots=True)
class ShowBoard:
    """`board`."""


TESTING_ONLY: Final = ("draw", "discard")
"""What is not told of outside of testing mode (Sorcery 2024 §5.2.3)."""

_ASKED: Final = (
    Command("inspect", Inspect, Place("minion", MOST_MINIONS), aliases=("describe",)),
    Command("hand", ShowHand),
    Command("board", ShowBoard),
)
_HELP: Final = Command("help", ShowHelp)
ALL_COMMANDS: Final = Commands(_HELP, *COMMANDS.commands, *_ASKED)
"""Everything that can be typed."""

TOLD_COMMANDS: Final = Commands(
    _HELP,
    *(command for command in COMMANDS.commands if command.words not in TESTING_ONLY),
    *_ASKED,
)
"""Everything that `help` tells of."""


@dataclass(frozen=True, slots=True)
class Start:
    """How a game begins.

    Attributes:
        seed: of all chance.
        options: of the game.
        lines: what is read before anything is asked of the console, names included.
        bots: the seats that bots play for, with their names.
        style: what pictures are drawn with.
    """

    seed: str
    options: Options = field(default_factory=dict)
    lines: tuple[str, ...] = ()
    bots: Mapping[Seat, str] = field(default_factory=dict)
    style: Style = SIMPLE


class Program:
    """One game at a console.

    Args:
        game: the rules, with all cards.
        plugin: which bots there are.
        start: how the game begins.
        console: where lines come from, after those of `start`, and go to.
    """

    def __init__(self, game: Sorcery, plugin: Plugin, start: Start, console: Console) -> None:
        self._game = game
        self._plugin = plugin
        self._start = start
        self._console = console
        self._look = Look(game.edition.cards, start.style)
        self._lines = deque(start.lines)
        self._names: list[str] = []
        self._waiting: list[str] = []
        self._is_new_turn = True

    def run(self) -> None:
        """Play; the end of input is `quit`, and so is an interrupt (Sorcery 2017 §5.1.3)."""
        console = self._console
        console.say(f"{self._game.title}. Seed: {self._start.seed}")
        warning = seed_warning(self._game, people=2 - len(self._start.bots))
        if console.interactive and warning:
            console.say(warning)
        columns = get_terminal_size().columns
        if console.interactive and columns < BOARD_WIDTH:
            console.say(f"The board is {BOARD_WIDTH} columns wide, and your terminal {columns}.")
        opened()
        try:
            self._play(self._begin())
        except EndOfInput:
            console.say(NOBODY_WINS)
        except KeyboardInterrupt:
            console.say(f"\n{NOBODY_WINS}")

    def _begin(self) -> Match[SorceryState, Action]:
        """Ask for the names, and make the match."""
        names = self._names = [self._ask_name(seat) for seat in range(2)]
        if len(set(names)) < len(names):  # else nobody would know whose turn it is
            names = [f"{name} ({seat})" for seat, name in enumerate(names, 1)]
        bots = self._start.bots
        patience = PATIENCE if len(bots) == len(names) else 0
        match = Match(
            self._game,
            seed=self._start.seed,
            seats=names,
            options={**self._start.options, "patience": patience},
        )
        for seat, name in bots.items():
            match.set_player(seat, self._plugin.bot(name, match.chance_of(seat), seat))
        match.observe(lambda event: self._tell(event, match.names))
        match.on_observer_failure(self._complain)
        return match

    def _ask_name(self, seat: Seat) -> str:
        """The name of a player: a whole line."""
        question = f"Player {seat + 1}, what is your name?"
        bots = self._start.bots
        if not self._console.interactive:
            self._console.say(question)
        try:
            name = _printable(self._read(f"{question} "))
        except EndOfInput:
            if len(bots) < 2:
                raise
            name = ""  # bots among themselves need nobody's answer
        return name or (bots[seat].capitalize() if seat in bots else f"Player {seat + 1}")

    def _read(self, prompt: str) -> str:
        """The next line; a prompt is shown only where somebody types.

        Raises:
            EndOfInput: there is none.
        """
        console = self._console
        if self._lines:
            line = self._lines.popleft()
            if console.interactive:
                console.say(prompt + line)
            return line
        typed = console.read(prompt if console.interactive else "")
        if typed is None:
            raise EndOfInput("input has ended")
        return typed

    def _play(self, match: Match[SorceryState, Action]) -> None:
        """Play a match to its end."""
        say = self._console.say
        while not match.over:
            seat = match.to_act[0]
            if self._is_new_turn:
                self._is_new_turn = False
                side, name = match.state.sides[seat], match.names[seat]
                say(self._look.board(match.state, self._names))
                say(f"{name}'s turn. Life: {side.life}, magic: {side.magic}.")
            if match.players[seat] is None:
                self._ask(match, seat)
            else:
                self._let_bot_act(match, seat)
            tell_all(self._waiting, self._console)
        self._end(match)

    def _end(self, match: Match[SorceryState, Action]) -> None:
        """Tell how a match has ended; the board as it was then goes before, unless it was quit."""
        outcome = match.outcome
        if outcome is None or outcome.abandoned:
            self._console.say(NOBODY_WINS)
            return
        self._console.say(self._look.board(match.state, self._names))
        self._console.say(SorceryText().outcome(outcome, match.names))

    # Deciding.

    def _ask(self, match: Match[SorceryState, Action], seat: Seat) -> None:
        """Do what a person says; what cannot be done changes nothing and is said why."""
        line = self._read(f"{match.names[seat]}> ")
        if not line.strip():
            return
        try:
            self._obey(match, seat, self._parse(match, line))
        except (CommandError, IllegalAction) as error:
            self._console.say(_sentence(str(error)))
        except ContractError as error:
            self._console.say(_sentence(f"{_why(error)}. Nothing has changed"))

    def _parse(self, match: Match[SorceryState, Action], line: str) -> Any:
        """What a line means.

        Raises:
            CommandError: nothing.
        """
        known = match.state.testing or line.split(maxsplit=1)[0].casefold() in TESTING_ONLY
        return (ALL_COMMANDS if known else TOLD_COMMANDS).parse(line)

    def _obey(self, match: Match[SorceryState, Action], seat: Seat, command: Any) -> None:
        say, state = self._console.say, match.state
        match command:
            case ShowHelp():
                say(HELP)
            case ShowBoard():
                say(self._look.board(state, self._names))
            case ShowHand():
                say(self._look.hand(state.sides[seat]))
            case Inspect(place):
                minions = state.sides[seat].minions
                if place >= len(minions):  # for the same reason it could not attack
                    raise IllegalAction(obstacle_to(state, self._game.edition, Attack(place)))
                say(self._look.inspection(minions[place]))
            case action:
                match.play(action)

    def _let_bot_act(self, match: Match[SorceryState, Action], seat: Seat) -> None:
        """Let a bot act; when it would set off triggers without end, its turn ends instead."""
        try:
            action = match.step()
        except ContractError as error:
            if not isinstance(error.__cause__, EndlessChain):
                raise
            self._console.say(_sentence(_why(error)))
            match.play(action := EndTurn())
        self._console.say(f"{match.names[seat]}> {action}")

    # Telling.

    def _tell(self, event: Event, names: tuple[str, ...]) -> None:
        """Note what is to be said once the action is complete."""
        if isinstance(event, TurnStarted):
            self._is_new_turn = True  # said with the board
        else:
            self._waiting.append(sentence(event, names))

    def _complain(self, failure: ObserverFailure) -> None:
        say_error(f"sorcery: an observer failed: {failure.error!r}")


def _printable(name: str) -> str:
    """A name without what would break a line or a picture."""
    shown = "".join(letter if letter.isprintable() else " " for letter in name)
    return " ".join(shown.split())


def _why(error: ContractError) -> str:
    """What broke an action off."""
    cause = error.__cause__
    return str(cause) if isinstance(cause, EndlessChain) else str(error)


def _sentence(text: str) -> str:
    """`text` with a capital letter, and an end."""
    text = text[:1].upper() + text[1:]
    return text if text.endswith((".", "?", "!")) else f"{text}."
