"""The game at a prompt: two names, and then commands, a line each (Sorcery 2024 §1.2, §5.1)."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from sorcery.actions import Action, EndTurn, QuitGame
from sorcery.bots import WithoutTools
from sorcery.events import TurnStarted
from sorcery.hints import fitting, help_for, offers
from sorcery.requests import (
    TESTING_ONLY,
    Inspect,
    ShowBoard,
    ShowHand,
    ShowHelp,
    commands,
    inspected,
)
from sorcery.rules import Sorcery
from sorcery.screen import PLAIN, Screen, Showing
from sorcery.state import SorceryState
from sorcery.text import HELP, SorceryText, sentence
from sorcery.triggers import BrokenOff
from tabletop import (
    CommandError,
    ContractError,
    EndOfInput,
    Event,
    IllegalAction,
    Match,
    Seat,
)
from tabletop.events import ObserverFailure
from tabletop.game import Options
from tabletop.host.printable import say_error
from tabletop.registry import Plugin
from tabletop.terminal.console import Console
from tabletop.text import seed_warning
from tabletop_start import opened

PATIENCE: Final = 50
"""After so many turns in which nothing changes, bots among themselves call it a draw."""

NOBODY_WINS: Final = "The game is over; nobody wins."


@dataclass(frozen=True, slots=True)
class Start:
    """How a game begins.

    Attributes:
        seed: of all chance.
        options: of the game.
        lines: what is read before anything is asked of the console, names included.
        bots: the seats that bots play for, with their names.
        look: how the game is shown.
    """

    seed: str
    options: Options = field(default_factory=dict)
    lines: tuple[str, ...] = ()
    bots: Mapping[Seat, str] = field(default_factory=dict)
    look: Showing = PLAIN


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
        self._cards = game.edition.cards
        self._screen = Screen(console, self._cards, start.look)
        self._lines = deque(start.lines)
        self._names: list[str] = []
        self._waiting: list[str] = []
        self._told: list[str] = []  # since somebody else sat down at the keyboard
        self._last_person: Seat | None = None
        self._is_new_turn = True

    def run(self) -> None:
        """Play; the end of input is `quit`, and so is an interrupt (Sorcery 2017 §5.1.3)."""
        console = self._console
        console.say(f"{self._game.title}. Seed: {self._start.seed}")
        warning = seed_warning(self._game, people=2 - len(self._start.bots))
        if console.interactive and warning:
            console.say(warning)
        self._screen.say_what_is_drawn()
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
            bot = self._plugin.bot(name, match.chance_of(seat), seat)
            match.set_player(seat, WithoutTools(bot) if match.state.testing else bot)
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
        while not match.over:
            seat = match.to_act[0]
            is_person = match.players[seat] is None
            if self._is_new_turn:
                self._is_new_turn = False
                if is_person:
                    self._hand_over(seat, match.names)
                side, name = match.state.sides[seat], match.names[seat]
                line = f"{name}'s turn. Life: {side.life}, magic: {side.magic}."
                self._screen.turn(match.state, self._names, line, hand=is_person)
            if is_person:
                self._ask(match, seat)
            else:
                self._let_bot_act(match, seat)
            self._tell_all(match.names)
        self._end(match)

    def _hand_over(self, seat: Seat, names: Sequence[str]) -> None:
        """Let a person leave the keyboard to the next without showing their hand.

        The next one is told again what has happened meanwhile, which was wiped as well. What is
        read from a file needs no keyboard.
        """
        console = self._console
        last, self._last_person = self._last_person, seat
        told, self._told = self._told, []
        if not console.interactive or self._lines or last in (None, seat):
            return
        self._screen.wipe()
        for line in told:
            self._screen.tell(line, names)
        if console.read(f"{names[seat]}, it is your turn: press Enter. ") is None:
            raise EndOfInput("input has ended")

    def _end(self, match: Match[SorceryState, Action]) -> None:
        """Tell how a match has ended; the board as it was then goes before, unless it was quit."""
        outcome = match.outcome
        if outcome is None or outcome.abandoned:
            self._console.say(NOBODY_WINS)
            return
        self._screen.board(match.state, self._names)
        self._screen.say(SorceryText().outcome(outcome, match.names))

    # Deciding.

    def _ask(self, match: Match[SorceryState, Action], seat: Seat) -> None:
        """Do what a person says; what cannot be done changes nothing and is said why."""
        line = self._read(f"{match.names[seat]}> ")
        if not line.strip():
            return
        try:
            self._obey(match, seat, self._parse(match, line))
        except (CommandError, IllegalAction) as error:
            self._refuse(match, line, str(error))
        except ContractError as error:
            self._screen.refuse(f"{_sentence(_why(error))} Nothing has changed.")

    def _refuse(self, match: Match[SorceryState, Action], line: str, why: str) -> None:
        """Say why a line is refused, and at a terminal what would be possible."""
        if not self._console.interactive:
            self._screen.refuse(_sentence(why))
            return
        state = match.view(match.to_act[0])
        self._screen.refuse(_sentence(fitting(why, state, self._cards)))
        for offer in offers(line, state, match.legal_actions(), self._cards):
            self._screen.say(offer)

    def _parse(self, match: Match[SorceryState, Action], line: str) -> Any:
        """What a line means.

        Raises:
            CommandError: nothing.
        """
        known = match.state.testing or line.split(maxsplit=1)[0].casefold() in TESTING_ONLY
        table = commands(all_of_them=known, at_a_terminal=self._console.interactive)
        return table.parse(line)

    def _obey(self, match: Match[SorceryState, Action], seat: Seat, command: Any) -> None:
        screen, state = self._screen, match.state
        match command:
            case ShowHelp():
                at_terminal = self._console.interactive
                screen.say(help_for(state, self._cards, screen.width) if at_terminal else HELP)
            case ShowBoard():
                screen.board(state, self._names)
            case ShowHand():
                screen.hand(state.sides[seat])
            case Inspect():
                screen.card(inspected(state, self._game.edition, command))
            case action:
                match.play(action)

    def _let_bot_act(self, match: Match[SorceryState, Action], seat: Seat) -> None:
        """Let a bot act; when that cannot come to an end, its turn ends instead, or the game."""
        try:
            action = match.step()
        except ContractError as error:
            if not isinstance(error.__cause__, BrokenOff):
                raise
            self._screen.refuse(_sentence(_why(error)))
            action = self._end_turn(match)
        self._screen.tell(f"{match.names[seat]}> {action}", match.names)

    def _end_turn(self, match: Match[SorceryState, Action]) -> Action:
        """End a turn that a bot could not go on with; the game, where that cannot be, either."""
        for action in (EndTurn(), QuitGame()):
            try:
                match.play(action)
            except ContractError as error:
                if not isinstance(error.__cause__, BrokenOff):
                    raise
                self._screen.refuse(_sentence(_why(error)))
            else:
                return action
        raise AssertionError  # one can always quit

    # Telling.

    def _tell(self, event: Event, names: tuple[str, ...]) -> None:
        """Note what is to be said once the action is complete."""
        if isinstance(event, TurnStarted):
            self._is_new_turn = True  # said with the board
        else:
            self._waiting.append(sentence(event, names, fully=self._console.interactive))

    def _tell_all(self, names: Sequence[str]) -> None:
        """Say what is waiting to be said; empty lines need not be."""
        for line in filter(None, self._waiting):
            self._screen.tell(line, names)
            self._told.append(line)
        self._waiting.clear()

    def _complain(self, failure: ObserverFailure) -> None:
        say_error(f"sorcery: an observer failed: {failure.error!r}")


def _printable(name: str) -> str:
    """A name without what would break a line or a picture."""
    shown = "".join(letter if letter.isprintable() else " " for letter in name)
    return " ".join(shown.split())


def _why(error: ContractError) -> str:
    """What broke an action off."""
    cause = error.__cause__
    return str(cause) if isinstance(cause, BrokenOff) else str(error)


def _sentence(text: str) -> str:
    """`text` with a capital letter, and an end."""
    text = text[:1].upper() + text[1:]
    return text if text.endswith((".", "?", "!")) else f"{text}."
