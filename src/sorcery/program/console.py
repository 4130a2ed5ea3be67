"""The texts of Sorcery at a terminal, in `tabletop play` and in the program `sorcery`.

At a terminal the board and the hand are drawn at the beginning of a person's turn, and actions are
listed with the names of cards. The turn of a bot is summarized. With piped input, `tabletop play`
prints the same as for every game, and `sorcery.program.piped` has the texts of `sorcery`.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from itertools import dropwhile, takewhile
from typing import Any, Final, NamedTuple

from typing_extensions import override

from sorcery.cards.errors import ActionAborted
from sorcery.cards.state import SorceryState
from sorcery.program.table_commands import (
    NOBODY_WINS,
    NOTES,
    SECOND_ABILITY,
    TESTING_ONLY,
    Inspect,
    commands_for,
    find_inspected,
    full_sentence,
    look_commands,
    offers,
    reason_of,
)
from sorcery.rules import events
from sorcery.rules.actions import Action, Play
from sorcery.rules.game import edition_of
from sorcery.rules.minion_stats import abilities_of
from sorcery.text.action_meanings import hint, meaning
from sorcery.text.board_display import BOARD_HEIGHT, PLAIN, Display, Showing, read_look, too_small
from sorcery.text.frames import FANCY, wrap
from sorcery.text.terminal_colours import make_harmless
from sorcery.text.text_view import sentence
from tabletop import (
    ActionPlayed,
    ActionsUndone,
    CommandError,
    Commands,
    ContractError,
    IllegalAction,
    Outcome,
    Seat,
)
from tabletop.display import (
    ConsoleText,
    Entry,
    News,
    Reading,
    Shown,
    TextView,
    Topic,
    similar_command,
)
from tabletop.records import HUMAN
from tabletop.rules import AnyGame

LISTED: Final = 9  # number of actions to list above the prompt
LISTED_IN_FEW_ROWS: Final = 5  # the same if the terminal is too low for the document's board
PAUSE: Final = 1.0  # seconds that people at a terminal have to read about each turn of a bot
SUMMED_UP: Final = 6  # lines of the summary of a turn (the command `log` shows the rest)

NOT_SUMMED_UP: Final = (
    *(ActionPlayed, events.TurnStarted, events.MagicChanged),
    *(events.ChargesChanged, events.CardDrawn, events.DrawSkipped),
)
"""Events whose result is visible on the board below a summary."""


class Told(NamedTuple):
    """An event of the log, and the turn it belongs to."""

    entry: Entry
    turn: Seat  # The seat whose turn it was. After a person's turn, the seat of the next bot.
    waits: bool  # whether the event is part of the summary of a bot's turn
    undone: bool = False  # whether its action has been undone


class SorceryConsole(ConsoleText[SorceryState]):
    """The texts of Sorcery, with the commands `hand`, `board`, `log` and `inspect`.

    Args:
        showing: The style of the board. By default, the best style that the terminal supports.
    """

    rows: int = 0

    def __init__(
        self, game: AnyGame, text: TextView[SorceryState], showing: Showing | None = None
    ) -> None:
        super().__init__(game, text)
        self._edition = edition_of(game)
        self._showing = showing
        self.commands: Commands = look_commands(self._edition.most_minions)

    def _display(self, reading: Reading[SorceryState]) -> Display:
        showing = self._showing
        if showing is None and reading.remote:
            showing = Showing(FANCY)
        elif showing is None:
            showing = read_look(None, sys.stdout) if reading.size.columns else PLAIN
        return Display(self._edition, showing, reading.size, colours=reading.colours)

    def _board_names(self, reading: Reading[SorceryState]) -> Sequence[str]:
        return reading.names

    @override
    def paint(self, text: str) -> str:
        return make_harmless(text)

    # Questions.

    @override
    def asked(self, reading: Reading[SorceryState]) -> str:
        return ""  # small screens lack the rows for it

    @override
    def question(self, reading: Reading[SorceryState]) -> Shown:
        if not reading.size.columns:
            return super().question(reading)
        if reading.outcome is not None:
            return Shown(self._ending(reading, reading.outcome))
        if reading.seat is None or not reading.actions:
            is_wanted = reading.wanted == "table"
            return Shown(self._turn(reading, hand=False) if is_wanted else "")
        if reading.wanted == "actions":
            return Shown(self._in_lines(reading, reading.actions, len(reading.actions)))
        if reading.wanted == "question" and not is_new_turn(reading):
            return Shown(self._list_actions(reading))
        display = self._display(reading)
        listed = self._list_actions_below_hand if display.is_compact else self._list_actions
        actions = listed(reading)
        turn = self._turn(reading, hand=True, below=len(actions.split("\n")))
        return Shown(f"{turn}\n{actions}")

    def _ending(self, reading: Reading[SorceryState], outcome: Outcome) -> str:
        """Return the end of the game, with the board unless a player who has seen it has quit."""
        text = self.text.outcome(outcome, reading.names)
        if outcome.abandoned:
            return text
        return f"{self._display(reading).board(reading.view, self._board_names(reading))}\n{text}"

    def _turn(self, reading: Reading[SorceryState], *, hand: bool, below: int = 0) -> str:
        view = reading.view
        hand = hand and reading.seat == view.turn
        turn = self._display(reading).turn(
            view,
            self._board_names(reading),
            reading.names[view.turn],
            hand=hand,
            playable=playable(reading) if hand else None,
            below=below + self._rows_above(reading),
        )
        explained = self._explanation(reading)
        return f"{explained}\n{turn}" if explained else turn

    def _explanation(self, reading: Reading[SorceryState]) -> str:
        """Return the reason for a compact board, if the last board was not compact."""
        size, display = reading.shown_size, self._display(reading)
        return "" if size is not None and too_small(size) else display.explanation()

    def _rows_above(self, reading: Reading[SorceryState]) -> int:
        """Return the number of rows of the summary that was printed since the last question."""
        told = [it for it in self._told(reading, reading.asked or ()) if it.waits and not it.undone]
        rows = self._summary(told, reading)
        return 1 + len(rows) if rows else 0  # and the end of the turn before

    def _list_actions(self, reading: Reading[SorceryState]) -> str:
        """List the legal actions with the names of cards, as many as there is room for.

        They have no numbers, which would look like those of the cards and minions.
        """
        most = LISTED if reading.size.rows > BOARD_HEIGHT else LISTED_IN_FEW_ROWS
        return self._in_lines(reading, reading.actions, most)

    def _list_actions_below_hand(self, reading: Reading[SorceryState]) -> str:
        """List the legal actions except for the cards, which the hand shows already."""
        free = self._display(reading).rows_below(reading.view) - self._rows_above(reading)
        others = [action for action in reading.actions if not isinstance(action, Play)]
        return self._in_lines(reading, others, max(1, min(free, LISTED_IN_FEW_ROWS)))

    def _in_lines(
        self, reading: Reading[SorceryState], actions: Sequence[Action], most: int
    ) -> str:
        """Return actions in at most `most` lines, with a reference to `actions` for the others."""
        lines = [hint(action, reading.view, self._edition.cards) for action in actions]
        if not len(lines) == len(reading.actions) <= most:
            lines = [*lines[: most - 1], f"type `actions` for all {len(reading.actions)}"]
        return "\n".join(lines)

    # Commands and refusals.

    @override
    def answer(self, command: Any, reading: Reading[SorceryState]) -> str:
        display, view = self._display(reading), reading.view
        if isinstance(command, Inspect):
            return display.card(find_inspected(view, self._edition, command))
        if command.verb == "hand":
            if reading.seat is None:
                raise CommandError("spectators have no hand")
            return display.hand(view.sides[reading.seat], playable(reading))
        if command.verb == "board":
            board = display.board(view, self._board_names(reading))
            return "\n".join(filter(None, (self._explanation(reading), board)))
        return self._opponents_turn(reading)

    def _opponents_turn(self, reading: Reading[SorceryState]) -> str:
        """Return all events of the last turn of the reader's opponent."""
        told = [
            it
            for it in self._told(reading)
            if not (it.undone or isinstance(it.entry.event, ActionPlayed | ActionsUndone))
        ]
        earlier = dropwhile(lambda it: it.turn == reading.seat, reversed(told))
        last = takewhile(lambda it: it.turn != reading.seat, earlier)
        lines = [line for it in last if (line := self._line(it, reading))]
        lines = lines[::-1] or ["Your opponent has done nothing yet."]
        return in_colour(lines, self._display(reading), reading)

    @override
    def topics(self, reading: Reading[SorceryState]) -> Sequence[Topic]:
        view = reading.view
        unlisted = () if view.testing else TESTING_ONLY
        topics = [
            topic._replace(rows=[row for row in topic.rows if row[0].split()[0] not in unlisted])
            for topic in super().topics(reading)
        ]
        first, *others = [topic for topic in topics if topic.rows]
        notes = NOTES
        if reading.size.columns:
            minions = [minion for side in view.sides for minion in side.minions]
            if all(len(abilities_of(minion, self._edition.cards)) < 2 for minion in minions):
                notes = NOTES.removesuffix(SECOND_ABILITY)  # no card of the documents has two
            notes = "\n".join(wrap(" ".join(notes.split("\n")), self._display(reading).width))
        return [first._replace(note=notes), *others]

    @override
    def refusal(self, line: str, error: Exception, reading: Reading[SorceryState]) -> str:
        display = self._display(reading)
        if isinstance(error, ContractError) and isinstance(error.__cause__, ActionAborted):
            reason = full_sentence(reason_of(error))
            return display.refusal(f"{reason} Nothing has changed." if line else reason)
        if reading.size.columns and isinstance(error, CommandError | IllegalAction):
            return self._refuse(line, error, reading)
        return super().refusal(line, error, reading)

    def _refuse(self, line: str, error: Exception, reading: Reading[SorceryState]) -> str:
        word, own = line.split(maxsplit=1)[0], (self.game.commands, self.commands)
        meant = similar_command(word, error, own, reading.table).strip().capitalize()
        reason = self._display(reading).refusal(f"{full_sentence(str(error))} {meant}".rstrip())
        hints = [hint(action, reading.view, self._edition.cards) for action in reading.actions]
        return "\n".join([reason, *offers(line, hints)])

    @override
    def table_topic(self, reading: Reading[SorceryState]) -> Topic:
        topic = super().table_topic(reading)
        # The game has a `quit` of its own, with another meaning.
        return topic._replace(
            rows=[("/quit" if it == "quit" else it, does) for it, does in topic.rows]
        )

    @override
    def meaning(self, action: Any, reading: Reading[SorceryState]) -> str:
        return meaning(action, reading.view, self._edition.cards)

    # News.

    @override
    def news(self, reading: Reading[SorceryState]) -> News:
        unread = self._told(reading, reading.unread)
        now = [line for it in unread if not it.waits and (line := self._line(it, reading))]
        later = [it for it in unread if it.waits and not it.undone]
        text = in_colour(now, self._display(reading), reading)
        if not later:
            return News(text)
        if is_bots_turn(reading):
            first = later[0].entry.number
            return News(text, unread=sum(entry.number >= first for entry in reading.unread))
        rows = self._summary(later, reading)
        summary = in_colour(rows, self._display(reading), reading)
        pause = PAUSE if rows and not reading.is_over else 0.0
        return News("\n".join(filter(None, (text, summary))), pause=pause)

    def _told(
        self, reading: Reading[SorceryState], entries: Sequence[Entry] | None = None
    ) -> list[Told]:
        """Return the events of the log, or only `entries`, with their turns."""
        told: list[Told] = []
        turn = first = first_turn(reading)
        waits = False
        for entry in reading.log:
            event = entry.event
            if isinstance(event, ActionsUndone):
                told = [it._replace(undone=it.undone or it.entry.ply > event.ply) for it in told]
                starts = [
                    it.turn
                    for it in told
                    if isinstance(it.entry.event, events.TurnStarted) and not it.undone
                ]
                turn, waits = [first, *starts][-1], False
                told.append(Told(entry, turn, waits=False))
                continue
            if isinstance(event, ActionPlayed) and reading.players[event.seat] == HUMAN:
                waits = False
            elif isinstance(event, events.TurnStarted):
                turn = event.seat
            waits = waits or is_summed_up(turn, reading)
            told.append(Told(entry, turn, waits))
            if (
                isinstance(event, events.TurnEnded)
                and is_summed_up(1 - event.seat, reading)
                and not waits
            ):
                turn = 1 - event.seat  # draws and triggers at the start of a turn belong to it
        if entries is None:
            return told
        numbers = {entry.number for entry in entries}
        return [it for it in told if it.entry.number in numbers]

    def _line(self, told: Told, reading: Reading[SorceryState]) -> str:
        """Return an event as a line of text, or ""."""
        event = told.entry.event
        if (
            isinstance(event, events.TurnStarted)
            and reading.size.columns
            and event.seat in reading.here
        ):
            return ""  # the board shows it
        return self.text.event(event, reading.names, reading.seat)

    def _summary(self, told: Sequence[Told], reading: Reading[SorceryState]) -> list[str]:
        lives = {
            it.entry.event.seat: it for it in told if isinstance(it.entry.event, events.LifeChanged)
        }
        text = " ".join(
            line
            for it in told
            if not isinstance(it.entry.event, NOT_SUMMED_UP)
            and (
                not isinstance(it.entry.event, events.LifeChanged)
                or it is lives[it.entry.event.seat]
            )
            and (line := self._line(it, reading))
        )
        rows = wrap(text, self._display(reading).width)
        if len(rows) > SUMMED_UP:
            rows[SUMMED_UP - 1 :] = ["... (type `log` for the rest)"]
        return list(filter(None, rows))


class SorceryProgram(SorceryConsole):
    """The texts of the program `sorcery` at a terminal."""

    def __init__(
        self,
        game: AnyGame,
        text: TextView[SorceryState],
        showing: Showing,
        names: Sequence[str] = (),
    ) -> None:
        super().__init__(game, text, showing)
        self._names = names

    @override
    def _board_names(self, reading: Reading[SorceryState]) -> Sequence[str]:
        return self._names or reading.names

    @override
    def question(self, reading: Reading[SorceryState]) -> Shown:
        if reading.is_over:
            outcome = reading.outcome
            is_won = outcome is not None and not outcome.abandoned
            return super().question(reading) if is_won else Shown(NOBODY_WINS)
        if reading.wanted == "actions":
            return super().question(reading)
        is_new = reading.wanted == "table" or is_new_turn(reading)
        if not is_new or is_bots_turn(reading):
            return Shown()
        return Shown(self._turn(reading, hand=bool(reading.actions)))

    @override
    def _explanation(self, reading: Reading[SorceryState]) -> str:
        size, display = reading.shown_size, self._display(reading)
        if size is None or too_small(size):  # explained at the start of the program
            return ""
        return display.explanation("-style")

    @override
    def refusal(self, line: str, error: Exception, reading: Reading[SorceryState]) -> str:
        if isinstance(error, CommandError):  # suggest all commands of the document
            try:
                table = commands_for(line, reading.view, self._edition, at_a_terminal=True)
                table.parse(line)
            except CommandError as better:
                error = better
        if not isinstance(error, ContractError):
            return self._refuse(line, error, reading)
        reason = full_sentence(reason_of(error))
        return self._display(reading).refusal(f"{reason} Nothing has changed." if line else reason)

    @override
    def table_topic(self, reading: Reading[SorceryState]) -> Topic:
        known = [command for command in reading.table.commands if command.words != "quit"]
        return Topic.of("At every table", known)

    @override
    def _line(self, told: Told, reading: Reading[SorceryState]) -> str:
        match told.entry.event:
            case events.TurnStarted():
                return ""  # the board shows it
            case ActionPlayed(seat=seat, action=action):
                is_bot = reading.players[seat] != HUMAN
                return f"{reading.names[seat]}> {action}" if is_bot else ""
            case ActionsUndone():
                return super()._line(told, reading)
            case event:
                return sentence(event, reading.names, fully=True)


def playable(reading: Reading[SorceryState]) -> set[int] | None:
    """Return the cards in hand that can be played now, from 0, or None while others are to act."""
    if not reading.actions:
        return None
    return {action.card for action in reading.actions if isinstance(action, Play)}


def is_new_turn(reading: Reading[SorceryState]) -> bool:
    """Return whether the board has to be shown, because of a new turn or an undo."""
    asked = reading.asked
    return asked is None or any(
        isinstance(it.event, events.TurnStarted | ActionsUndone) for it in asked
    )


def is_summed_up(seat: Seat, reading: Reading[SorceryState]) -> bool:
    """Return whether people at a terminal are shown a summary of the turns of `seat`."""
    return bool(reading.size.columns and reading.here) and reading.players[seat] != HUMAN


def is_bots_turn(reading: Reading[SorceryState]) -> bool:
    """Return whether a bot is to act whose turn will be summarized."""
    return any(is_summed_up(seat, reading) for seat in reading.to_act)


def first_turn(reading: Reading[SorceryState]) -> Seat:
    """Return the seat whose turn it was at the beginning of the log."""
    starts = [it.event.seat for it in reading.log if isinstance(it.event, events.TurnStarted)]
    return 1 - starts[0] if starts else reading.view.turn


def in_colour(lines: Sequence[str], display: Display, reading: Reading[SorceryState]) -> str:
    """Return lines about events, with the names of players in their colours."""
    return "\n".join(display.line(line, reading.names) for line in lines)
