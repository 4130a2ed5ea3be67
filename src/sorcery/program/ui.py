"""The terminal interface of Sorcery in `tabletop play`, and in the program `sorcery` at a terminal.

At a terminal, the board is drawn at the start of a person's turn, with the hand, and actions are
listed with the names of cards. The turn of a bot is summarized. With piped input, `tabletop play`
prints the same as for every game, and `sorcery.program.piped` has the texts of `sorcery`.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from itertools import dropwhile, takewhile
from shutil import get_terminal_size
from typing import Final, NamedTuple

from typing_extensions import override

from sorcery.cards.errors import ActionAborted
from sorcery.cards.state import SorceryState
from sorcery.program.refusals import full_sentence, reason_of
from sorcery.program.table_commands import (
    NOBODY_WINS,
    NOTES,
    SECOND_ABILITY,
    TESTING_ONLY,
    Inspect,
    Show,
    commands,
    find_inspected,
    look_commands,
    offers,
)
from sorcery.rules.actions import Action, Play
from sorcery.rules.events import (
    CardDrawn,
    ChargesChanged,
    DrawSkipped,
    LifeChanged,
    MagicChanged,
    TurnEnded,
    TurnStarted,
)
from sorcery.rules.game import edition_of
from sorcery.rules.minion_stats import abilities_of
from sorcery.text.action_meanings import hint, meaning
from sorcery.text.board_display import BOARD_HEIGHT, PLAIN, Display, read_look
from sorcery.text.frames import wrap
from sorcery.text.text_view import sentence
from tabletop import (
    ActionPlayed,
    ActionsUndone,
    CommandError,
    Commands,
    ContractError,
    Event,
    IllegalAction,
    Outcome,
    Seat,
    Watcher,
)
from tabletop.errors import RecordLost
from tabletop.protocol import ActIn
from tabletop.records import HUMAN
from tabletop.terminal import ListActions, TerminalClient, TerminalUI, Topic, table_hint
from tabletop.wording import plural

LISTED: Final = 9
"""Number of actions listed at the start of a turn."""

LISTED_IN_FEW_ROWS: Final = 5
"""Number of actions listed if the terminal is not high enough for the document's board."""


PAUSE: Final = 1.0
"""Seconds that people at a terminal have for each turn of a bot."""

SUMMED_UP: Final = 6
"""Maximum number of lines in the summary of a turn. `log` shows the rest."""

NOT_SUMMED_UP: Final = (TurnStarted, MagicChanged, ChargesChanged, CardDrawn, DrawSkipped)
"""Events whose result is visible on the board below a summary."""


class Told(NamedTuple):
    """An event and its text, which is empty if the texts of other events describe it."""

    event: Event
    text: str
    ply: int
    turn: Seat
    """The seat whose turn it was. After a person's turn, the seat of the next bot."""


class SorceryUI(TerminalUI):
    """Boards and hands that fit the terminal, cards by name, and `hand`, `board`, `inspect`.

    `pictures` displays the game, by default in a style that the terminal supports.
    """

    def __init__(self, client: TerminalClient, pictures: Display | None = None) -> None:
        super().__init__(client)
        self._edition = edition_of(client.match.game)
        self._cards = self._edition.cards
        self.commands = look_commands(self._edition.most_minions)
        self._at_terminal = client.console.interactive
        if pictures is None:
            showing = read_look(None, sys.stdout) if self._at_terminal else PLAIN
            pictures = Display(client.console, self._edition, showing, option="")
        self._pictures = pictures
        self._is_new_turn = True  # whether the board must be displayed again
        self._board_names: Sequence[str] = client.names
        self._told: list[Told] = []
        self._ply, self._turn = client.match.ply, client.match.state.turn
        self._shown = 0  # the number of items of `_told` that were printed or summarized
        self._rows_above = 0  # the rows of the summary above the next board

    # The start and the end of a match.

    @override
    def ending(self) -> None:
        self._sum_up()
        outcome = self.client.match.outcome
        if not self._at_terminal or outcome is None:
            super().ending()
        else:
            self._show_end(outcome)

    def _show_end(self, outcome: Outcome) -> None:
        """Print the end of the game, with the board unless a player has quit."""
        if not outcome.abandoned:  # a player who has quit has seen the board
            reader = self.client.reader
            view = self.client.match.view(reader if isinstance(reader, int) else None)
            self._pictures.board(view, self._board_names)
        self.client.say(self.client.session.plugin.text.outcome(outcome, self.client.names))

    # Decisions.

    @override
    def before(self, seat: Seat) -> None:
        if not self._is_summed_up(seat) and self._sum_up() and not self.client.console.is_scripted:
            self.client.console.wait(PAUSE)

    def _is_summed_up(self, seat: Seat) -> bool:
        """Return whether people at a terminal see a summary of the turns of `seat`."""
        is_bot = self.client.session.players[seat] != HUMAN
        return self._at_terminal and bool(self.client.seats) and is_bot

    def _sum_up(self) -> bool:
        """Print a summary of new turns of bots. Return whether there was anything to print."""
        rows = wrap(
            summary([told for told in self._told[self._shown :] if told.text]), self._pictures.width
        )
        self._shown = len(self._told)
        if len(rows) > SUMMED_UP:
            rows[SUMMED_UP - 1 :] = ["... (type `log` for the rest)"]
        self.show_news(list(filter(None, rows)))
        self._rows_above = 1 + len(rows) if any(rows) else 0  # and the end of the previous turn
        return any(rows)

    @override
    def asked(self, seat: Seat) -> None:
        if self._is_new_turn or not self._at_terminal:
            self.show(seat)
        else:
            self.client.say(self._list_actions(seat))

    @override
    def show(self, seat: Seat) -> None:
        self._is_new_turn = False
        if not self._at_terminal:
            super().show(seat)
            return
        compact = self._pictures.is_compact
        listed = self._list_actions_below_hand(seat) if compact else self._list_actions(seat)
        self._show_turn(seat, hand=True, below=len(listed.split("\n")))
        self.client.say(listed)

    def _show_turn(self, seat: Seat, *, hand: bool, below: int = 0) -> None:
        """Print the board, the player to act, and at a terminal the hand."""
        view: SorceryState = self.client.match.view(seat)
        hand = hand and seat == view.turn
        below, self._rows_above = below + self._rows_above, 0
        name, playable = self.client.names[view.turn], self._playable(seat) if hand else None
        self._pictures.turn(
            view, self._board_names, name, hand=hand, playable=playable, below=below
        )

    def _playable(self, seat: Seat) -> set[int] | None:
        """Return the cards that a seat can play now, from 0, or None if others are to act."""
        match = self.client.match
        if seat not in match.to_act:
            return None
        return {it.card for it in match.legal_actions(seat) if isinstance(it, Play)}

    def _list_actions(self, seat: Seat, most: int | None = None) -> str:
        """List the legal actions with the names of cards, as far as there is room.

        The actions have no numbers, because those could be confused with numbers of cards and
        minions.
        """
        if most is None:
            rows = get_terminal_size().lines
            most = LISTED if rows > BOARD_HEIGHT else LISTED_IN_FEW_ROWS
        return self._in_lines(self.client.match.legal_actions(seat), most)

    def _list_actions_below_hand(self, seat: Seat) -> str:
        """List the legal actions except cards, which are already visible in the hand."""
        view: SorceryState = self.client.match.view(seat)
        actions = self.client.match.legal_actions(seat)
        most = max(1, min(self._pictures.rows_below(view) - self._rows_above, LISTED_IN_FEW_ROWS))
        return self._in_lines(
            [it for it in actions if not isinstance(it, Play)], most, len(actions)
        )

    def _in_lines(self, actions: Sequence[Action], most: int, of: int | None = None) -> str:
        """Return actions in at most `most` lines, with a reference to `actions` for the others."""
        state, of = self.client.match.state, len(actions) if of is None else of
        lines = [hint(action, state, self._cards) for action in actions]
        if not len(lines) == of <= most:
            lines = [*lines[: most - 1], f"type `actions` for all {of}"]
        return "\n".join(lines)

    @override
    def execute_table(self, request: object, seat: Seat) -> bool:
        if isinstance(request, ListActions) and self._at_terminal:
            self.client.say(self._list_actions(seat, len(self.client.match.legal_actions(seat))))
            return True
        return super().execute_table(request, seat)

    @override
    def execute(self, request: object, seat: Seat) -> bool:
        view: SorceryState = self.client.match.view(seat)
        match request:
            case Show("hand"):
                self._pictures.hand(view.sides[seat], self._playable(seat))
            case Show("board"):
                self._pictures.board(view, self._board_names)
            case Show("log"):
                self._show_log(seat)
            case Inspect():
                self._pictures.card(find_inspected(view, self._edition, request))
        return True

    def _show_log(self, seat: Seat) -> None:
        """Print the whole last turn of the opponent of `seat`."""
        earlier = dropwhile(lambda told: told.turn == seat, reversed(self._told))
        last = [
            told.text for told in takewhile(lambda told: told.turn != seat, earlier) if told.text
        ]
        self.show_news(last[::-1] or ["Your opponent has done nothing yet."])

    @override
    def topics(self, seat: Seat | None) -> Sequence[Topic]:
        view = self.client.match.view(None)
        unlisted = () if view.testing else TESTING_ONLY
        topics = [
            topic._replace(rows=[row for row in topic.rows if row[0].split()[0] not in unlisted])
            for topic in super().topics(seat)
        ]
        first, *others = [topic for topic in topics if topic.rows]
        notes = NOTES
        if self._at_terminal:
            there = [minion for side in view.sides for minion in side.minions]
            if all(len(abilities_of(minion, self._cards)) < 2 for minion in there):
                notes = NOTES.removesuffix(
                    SECOND_ABILITY
                )  # no card of the documents has two abilities
            notes = "\n".join(wrap(" ".join(notes.split("\n")), self._pictures.width))
        return [first._replace(note=notes), *others]

    @override
    def misunderstood(self, line: str, error: CommandError, seat: Seat) -> None:
        if self._at_terminal:
            self._refuse(line, error, seat)
        else:
            super().misunderstood(line, error, seat)

    @override
    def refused(self, line: str, error: Exception, seat: Seat) -> None:
        if isinstance(error, ContractError) and isinstance(error.__cause__, ActionAborted):
            self._pictures.refuse(f"{full_sentence(reason_of(error))} Nothing has changed.")
        elif self._at_terminal and isinstance(error, CommandError | IllegalAction):
            self._refuse(line, error, seat)
        else:
            super().refused(line, error, seat)

    def _refuse(self, line: str, error: Exception, seat: Seat) -> None:
        """Print why a line is refused, with the word that was meant and the possible ones."""
        match, view = self.client.match, self.client.match.view(seat)
        reason = full_sentence(str(error))
        word, table = line.split(maxsplit=1)[0], self.client.table
        meant = table_hint(word, error, match.game.commands, self.commands, table)
        self._pictures.refuse(f"{reason} {meant.strip().capitalize()}".rstrip())
        hints = [hint(action, view, self._cards) for action in match.legal_actions(seat)]
        for offer in offers(line, hints):
            self._pictures.say(offer)

    @override
    def bot_action_failed(self, error: ContractError) -> None:
        self._pictures.refuse(full_sentence(reason_of(error)))

    # Events.

    @override
    def event(self, event: Event, reader: Watcher) -> str:
        if isinstance(event, TurnStarted | ActionsUndone):
            self._is_new_turn = True
        text = self.line_of(event, reader)
        return self._note(event, text) if reader == self.client.reader else text

    def line_of(self, event: Event, reader: Watcher) -> str:
        """Return an event as a line of text, or an empty text to print nothing."""
        if isinstance(event, TurnStarted) and self._at_terminal:
            is_human = self.client.session.players[event.seat] == HUMAN
            if is_human and event.seat in self.client.seats:
                return ""  # the board is drawn with it
        return super().event(event, reader)

    def _note(self, event: Event, text: str) -> str:
        """Store an event for `log`. Return the text to print now, empty in a bot's turn."""
        match event:
            case ActionPlayed(ply=ply):
                self._ply = ply
                return "" if self._is_summed_up(self._turn) else text
            case ActionsUndone(ply=ply):
                self._ply, self._turn = ply, self.client.match.state.turn
                self._told = [told for told in self._told if told.ply <= ply]
                self._shown = len(self._told)
                return text
            case TurnStarted(seat=seat):
                self._turn = seat
        self._told.append(Told(event, text, self._ply, self._turn))
        is_next = self._shown == len(self._told) - 1  # there is nothing to summarize
        if not is_next or self._is_summed_up(self._turn):
            return ""
        self._shown += 1
        if isinstance(event, TurnEnded) and self._is_summed_up(1 - event.seat):
            self._turn = 1 - event.seat  # draws and triggers at a turn's start
        return text

    @override
    def show_news(self, lines: list[str]) -> None:
        for line in lines:
            self._pictures.show_line(line, self.client.names)

    @override
    def hint(self, action: object) -> str:
        state = self.client.match.state
        return meaning(action, state, self._cards) if isinstance(action, Action) else ""


def summary(told: Sequence[Told]) -> str:
    """Summarize a turn in a paragraph, without facts that the board below shows."""
    lives = {it.event.seat: it for it in told if isinstance(it.event, LifeChanged)}
    return " ".join(
        it.text
        for it in told
        if not isinstance(it.event, NOT_SUMMED_UP)
        and (not isinstance(it.event, LifeChanged) or it is lives[it.event.seat])
    )


# The program `sorcery` (Sorcery 2024 §1.2, §5.1).


class DocumentUI(SorceryUI):
    """The interface of the program `sorcery` at a terminal, with the commands of the document.

    `names` are the names of the players on the board, by default those of the match.
    """

    def __init__(
        self, client: TerminalClient, pictures: Display, names: Sequence[str] = ()
    ) -> None:
        super().__init__(client, pictures)
        self._board_names = names or client.names
        self._table = Commands(*(it for it in client.table.commands if it.words != "quit"))

    # The start and the end of a match.

    @override
    def opening(self) -> None:
        """Do nothing, because the program prints the title before it asks for names."""

    @override
    def warn(self) -> None:
        """Do nothing, because the warning is printed with the title."""

    @override
    def ending(self) -> None:
        """Print the end of the game, with the board unless a player has quit."""
        self._sum_up()
        outcome = self.client.match.outcome
        if outcome is None or outcome.abandoned:
            self.client.say(NOBODY_WINS)
        else:
            self._show_end(outcome)

    @override
    def left(self) -> None:
        """Print how to resume a recorded game. Without a record, nobody wins."""
        later = self.client.how_to_go_on()
        plies = plural(self.client.match.ply, "action")
        self.client.say(f"Left after {plies}{later}" if later else NOBODY_WINS)

    # Decisions.

    @override
    def before(self, seat: Seat) -> None:
        super().before(seat)
        if self._is_new_turn and not self._is_summed_up(seat):
            self._is_new_turn = False
            self._show_turn(seat, hand=self.client.match.players[seat] is None)

    @override
    def asked(self, seat: Seat) -> None:
        """Do nothing, because `before` shows the board at the start of a turn."""

    @override
    def show(self, seat: Seat) -> None:
        self._show_turn(seat, hand=True)

    @override
    def prompt(self, seat: Seat) -> str:
        return f"{self.client.names[seat]}> "

    @override
    def handle(self, line: str, seat: Seat) -> bool:
        word = line.split(maxsplit=1)[0].casefold()
        if word in self._table:
            return self.execute_table(self._table.parse(line), seat)
        is_listed = self.client.match.state.testing or word in TESTING_ONLY
        table = commands(
            self._edition.most_cards,
            self._edition.most_minions,
            all_of_them=is_listed,
            at_a_terminal=True,
        )
        match table.parse(line):
            case Show("help"):
                self.help(seat)
            case (Show() | Inspect()) as request:
                return self.execute(request, seat)
            case action:
                self.client.request(ActIn(str(action)))
        return True

    @override
    def table_topic(self) -> Topic:
        return Topic.of("At every table", self._table.commands)

    @override
    def refused(self, line: str, error: Exception, seat: Seat) -> None:
        if isinstance(error, RecordLost):
            raise error
        if isinstance(error, ContractError):
            self._pictures.refuse(f"{full_sentence(reason_of(error))} Nothing has changed.")
        else:
            self._refuse(line, error, seat)

    @override
    def hand_over(self, seat: Seat, other: Seat | None) -> bool:
        """Wipe the hand of one player, show the next player the news, and wait for a key.

        Nothing is wiped while lines come from the file of `-init`.
        """
        client = self.client
        if other is None or client.console.is_scripted:
            return False
        client.console.wipe()
        self.show_news(client.catch_up(seat, wiped=True))
        client.read(f"{client.names[seat]}, it is your turn: press Enter. ")
        return True

    # Events.

    @override
    def line_of(self, event: Event, reader: Watcher) -> str:
        match event:
            case TurnStarted():
                return ""  # the board marks the start of a turn
            case ActionPlayed(seat=seat, action=action):
                is_bot = self.client.match.players[seat] is not None
                return f"{self.client.names[seat]}> {action}" if is_bot else ""
            case ActionsUndone():
                return super().line_of(event, reader)
        return sentence(event, self.client.names, fully=True)
