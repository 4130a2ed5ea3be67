"""Play at a table on a server from a terminal, with the texts that the server sends.

The game need not be installed, because the table sends the position, the log and the legal actions
as text. The server is not trusted. The console sanitizes everything that it sends.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Sequence
from shutil import get_terminal_size
from typing import Any, Final
from urllib.parse import urljoin, urlsplit

from tabletop.display.console_text import Size, Topic, similar_command, topics_that_fit
from tabletop.display.rulebook import find_sections, shown
from tabletop.display.text_view import SHOWN_ACTIONS, actions_that_fit, list_actions
from tabletop.errors import CommandError, ContractError
from tabletop.protocol.client import (
    RemoteTable,
    RequestLost,
    RequestRefused,
    TableClosed,
    connect,
)
from tabletop.protocol.messages import (
    ConsentIn,
    ConsentOut,
    HintOut,
    LineOut,
    LogOut,
    LookIn,
    MessageOut,
    NoteOut,
    PassIn,
    PauseIn,
    PlayAgainIn,
    RedoIn,
    Request,
    ReseatIn,
    SayIn,
    StateOut,
    TableOut,
    UndoIn,
)
from tabletop.records.format import HUMAN
from tabletop.rules.action_text import complete_text
from tabletop.rules.commands import Command, Commands, Integer, Text
from tabletop.states.bounds import Seat
from tabletop.table.hints import hint_lines
from tabletop.table.participants import WATCHING
from tabletop.terminal.commands import (
    TABLE_COMMANDS,
    AskHint,
    Help,
    ListActions,
    Quit,
    ReturnSeat,
    ShowRules,
    ShowTable,
    TakeOver,
)
from tabletop.terminal.console import Completion, Console, PromptCancelled
from tabletop.terminal.signals import begin_critical, run
from tabletop.text_layout import fit
from tabletop.wording import MAX_DIGITS, plural

MAX_MESSAGE: Final = 1 << 20
"""Maximum size in bytes of a message from a server, and of a state."""

_FEWEST: Final = 3
"""Minimum number of rows for the legal actions, even below a large position."""

_LOG_AT_FIRST: Final = 10
"""Number of log lines displayed to a person who joins."""

_FEW_NOTES: Final = 9
"""Maximum number of notes, and of log lines, that wait for a counterpart with the same text."""

_LONG: Final = 1.0
"""Seconds after which the terminal displays that a bot is thinking about a hint."""


_AS_AT_HOME: Final = (Help, ShowRules, ListActions, ShowTable, TakeOver, ReturnSeat)

REMOTE_COMMANDS: Final = Commands(
    *(it for it in TABLE_COMMANDS.commands if it.action in _AS_AT_HOME),
    Command("undo", UndoIn, help="Undo your last action and all since, if the others agree."),
    Command("redo", RedoIn, help="Repeat undone actions."),
    Command("yes", ConsentIn, fixed={"yes": True}, help="Agree to a request."),
    Command("no", ConsentIn, fixed={"yes": False}, help="Refuse a request, or withdraw your own."),
    Command("hint", AskHint, help="Show the action that a bot would choose."),
    Command("say", SayIn, Text("text"), help="Send a message to everybody at the table."),
    Command(
        "look",
        LookIn,
        Integer("actions", 0, 10**9, field="ply"),
        help="Show the position after this many actions.",
    ),
    Command("pause", PauseIn, fixed={"on": True}, help="Ask the others to stop the clocks."),
    Command("go on", PauseIn, fixed={"on": False}, help="Start the clocks again."),
    Command("skip", PassIn, help="Pass on all reactions until the end of the turn."),
    Command("again", PlayAgainIn, help="Play again with the same people, once the match is over."),
    Command("quit", Quit, help="Leave the table. The same link leads back.", aliases=("exit",)),
)
"""The commands at a remote table, in addition to those of its game."""

_FOR_SEATS: Final = {it.words for it in REMOTE_COMMANDS.commands} - {
    "help",
    "rules",
    "actions",
    "table",
    "look",
    "quit",
}
"""The commands that only players can use."""

_OURS: Final = {it.words.split()[0] for it in REMOTE_COMMANDS.commands} | {"?", "exit"}


class RemoteTerminal:
    """People at a terminal who play at a table on a server.

    Args:
        console: Reads and prints lines, and runs `loop` meanwhile.
        loop: The event loop that receives the messages of the table.
        link: The link to the table.
    """

    def __init__(self, console: Console, loop: asyncio.AbstractEventLoop, link: str) -> None:
        self._console = console
        self._loop = loop
        self._link = link
        self._table: RemoteTable
        self._lost = ""  # the reason why there is no connection
        self._ended: Exception | None = None  # the reason why the table is closed
        self._next: str | None = None  # the link to the table of the rematch
        self._seating: TableOut | None = None  # the table message that was printed last
        self._has_log = False
        self._remarks: list[str] = []  # recent log lines about the table
        self._notes: list[str] = []  # recent notes, most of which are also log lines
        self._consent: ConsentOut | None = None  # the open request
        self._state: StateOut | None = None  # the last state that was received
        self._news = asyncio.Event()
        self._shown: object = None  # the question that was displayed last
        self._question: object = None  # the question that the typed line answers
        self._replay = ""  # the path of the last replay page that was printed
        self._listed = 0  # the number of actions on the screen that have a number

    def run(self) -> str | None:
        """Play until the table is left. Return the link to the table of a rematch, or None.

        Raises:
            TableClosed: The table is closed or cannot be reached.
        """
        context = connect(self._link, data=False, on_lost=self._lose, max_bytes=MAX_MESSAGE)
        self._table = self._await(context.__aenter__())
        hearing = self._loop.create_task(self._hear())
        try:
            self._play()
        except KeyboardInterrupt:
            self._console.begin_line()
        finally:
            begin_critical()
            hearing.cancel()
            self._await(context.__aexit__(None, None, None))
        if self._ended is not None:
            raise self._ended
        if self._next is None and not self._is_over:
            self._console.say("You have left the table. The same link leads back.")
        return self._next

    def _await(self, work: Coroutine[Any, Any, Any]) -> Any:
        """Run the loop until `work` is done. A signal interrupts it and is handled afterwards."""
        task = self._loop.create_task(work)
        try:
            run(self._loop, asyncio.wait([task]))
            return task.result()
        finally:
            task.cancel()

    def _ask(self, work: Coroutine[Any, Any, Any]) -> Any:
        """Send a request, and wait until all messages before the answer have been printed."""

        async def ask() -> Any:
            answer = await work
            while self._state is not self._table.state and self._ended is None:
                await asyncio.sleep(0)
            return answer

        return self._await(ask())

    @property
    def _is_over(self) -> bool:
        return self._state is not None and self._state.over is not None

    # Messages from the table.

    async def _hear(self) -> None:
        try:
            async for message in self._table:
                self._tell(message)
        except Exception as error:  # the table is closed, or its messages cause an error
            self._ended = error
        self._news.set()
        self._console.cancel_prompt()

    def _lose(self, seconds: float, why: str) -> None:
        if why != self._lost:  # otherwise it was printed before
            self._lost = why
            self._console.say(f"({why}; trying again)")

    def _tell(self, message: MessageOut) -> None:
        match message:
            case LogOut(lines):
                self._tell_log(lines)
            case StateOut():
                before, self._state = self._state, message
                if before is not None and before.ply != message.ply:
                    self._consent = None  # an action ends the request
                if self._question_of(message) != self._question:
                    self._console.cancel_prompt()
            case TableOut():
                self._tell_of_seats(message)
            case NoteOut(text):
                if text in self._remarks:
                    self._remarks.remove(text)
                else:
                    self._console.say(f"({text})")
                    self._notes = [*self._notes, text][-_FEW_NOTES:]
            case ConsentOut():
                self._tell_of_request(message)
        self._news.set()

    def _tell_log(self, lines: Sequence[LineOut]) -> None:
        texts = [
            self._line_in_words(line)
            for line in lines
            if line.text and line.kind != "turn" and not self._was_noted(line)
        ]
        if not self._has_log and self._console.interactive:
            texts = texts[-_LOG_AT_FIRST:]
        self._has_log = True
        if texts:
            self._console.say("\n".join(texts))

    def _was_noted(self, line: LineOut) -> bool:
        """Return whether a note had the text of a line. If not, a later note with it is omitted."""
        if line.kind != "remark":
            return False
        if line.text in self._notes:
            self._notes.remove(line.text)
            return True
        self._remarks = [*self._remarks, line.text][-_FEW_NOTES:]
        return False

    def _line_in_words(self, line: LineOut) -> str:
        return f"{self._name(line.seat)}: {line.text}" if line.kind == "chat" else line.text

    def _name(self, seat: Seat | None) -> str:
        names = self._table.table.names
        return names[seat] if seat is not None and 0 <= seat < len(names) else "somebody"

    def _tell_of_seats(self, table: TableOut) -> None:
        """Print who is at the table, and later who comes and goes. The log has other changes."""
        before, self._seating = self._seating, table
        if self._lost:
            self._lost = ""
            self._console.say("(the table is back)")
        if before is None:
            self._console.say(f"{table.title}: {_seats_in_words(table)}")
            return
        for seat, (name, was, now) in enumerate(
            zip(table.names, before.present, table.present, strict=False)
        ):
            played = {*before.players[seat : seat + 1], *table.players[seat : seat + 1]}
            if was != now and played == {HUMAN}:  # a bot is always present
                self._console.say(f"({name} is {'here' if now else 'away'})")

    def _tell_of_request(self, consent: ConsentOut) -> None:
        self._consent = consent if consent.kind else None
        if self._consent is None:
            if consent.reason:
                self._console.say(f"({consent.reason})")
        elif consent.yours:
            self._console.say(f"(asked {consent.name}, who must agree first; `no` withdraws it)")
        else:
            self._console.say(f"({consent.name} asks to {consent.aim}: type yes or no)")

    # Input.

    def _play(self) -> None:
        """Read lines and carry them out until the table is closed or left."""
        stays = True
        while stays and self._ended is None:
            self._show_news()
            is_typed = self._console.interactive and self._state is not None
            if is_typed or self._can_answer:
                stays = self._read()
            else:  # a piped line is for a later question
                self._news.clear()
                self._await(self._news.wait())

    @property
    def _can_answer(self) -> bool:
        state, asks = self._state, self._consent is not None and not self._consent.yours
        return asks or (state is not None and (bool(state.your_turn) or state.over is not None))

    def _read(self) -> bool:
        """Read a line and carry it out. Return False to leave."""
        self._question = None if self._state is None else self._question_of(self._state)
        with self._console.helped(self._complete):
            try:
                line = self._console.read(self._prompt())
            except PromptCancelled:
                return True
            finally:
                self._question = None
        return line is not None and self._handle(line.strip())

    def _question_of(self, state: StateOut) -> object:
        """Return a value that identifies a question. If it changes, the prompt is shown again."""
        page = "" if state.over is None else state.over.replay_page or "none yet"
        return state.ply, state.your_turn, state.prompt, page

    @property
    def _can_play_again(self) -> bool:
        return self._table.table.hosted and not self._table.table.spectator

    def _commands(self) -> list[Command]:
        """Return the commands that are available at this table for this client."""
        table = self._table.table
        without = set() if table.hints else {"hint"}
        without |= set() if table.settings.chat else {"say"}
        without |= set() if table.hosted else {"again"}
        without |= _FOR_SEATS if table.spectator else set()
        return [it for it in REMOTE_COMMANDS.commands if it.words not in without]

    def _prompt(self) -> str:
        state = self._state
        if state is None:
            return ""
        if state.over is not None:
            again = "`again` plays again, " if self._can_play_again else ""
            return f"({again}`quit` leaves) "
        return f"{state.prompt}> " if state.your_turn else f"({state.prompt}) "

    def _show_news(self) -> None:
        """Display the position at a new question and at first, and the end of the match."""
        state, before = self._state, self._shown
        if state is None:
            return
        self._shown = state.ply, state.your_turn, state.text, state.over is None
        if before is None or (
            before != self._shown and (state.your_turn or state.over is not None)
        ):
            self._show(state)
        page = "" if state.over is None else state.over.replay_page or ""
        if page and page != self._replay:
            self._replay = page
            self._console.say(f"To see it again: {self._address(page)}")

    def _show(self, state: StateOut) -> None:
        say = self._console.say
        say()
        say(state.text)
        clocks = "" if state.over else self._clocks_in_words()
        if clocks:
            say(clocks)
        if state.over is not None:
            say(state.over.text)
        elif state.your_turn:
            above = len(fit(state.text, self._columns()).split("\n")) + 1 + bool(clocks)
            self._list(state, above=above)

    def _clocks_in_words(self) -> str:
        table = self._table.table
        clocks = zip(table.names, table.clock, strict=False)
        times = [f"{name} {_time(left)}" for name, left in clocks if left is not None]
        return f"Time left: {', '.join(times)}" if times else ""

    def _columns(self) -> int:
        """Return the width of a line at a terminal, or 0 for no limit if input is piped."""
        return get_terminal_size().columns - 1 if self._console.interactive else 0

    def _list(self, state: StateOut, *, above: int = 0, everything: bool = False) -> None:
        """List the legal actions with their numbers, as many as fit on the screen."""
        columns, texts = self._columns(), [it.words for it in state.choices]
        rows = max(_FEWEST, get_terminal_size().lines - above - 1) if columns else 0
        most = actions_that_fit(texts, columns, rows) if columns else SHOWN_ACTIONS
        self._listed = len(texts) if everything else min(most, len(texts))
        if texts:
            self._console.say(list_actions(texts, self._listed, columns=columns, rows=rows))
        if state.more_choices and everything:
            self._console.say(f"... and {state.more_choices} more that can be typed")

    # Completion.

    def _complete(self, line: str) -> list[Completion]:
        """Return the words that can follow a line, first those of legal actions, then commands."""
        state, table = self._state, self._table.table
        words = [] if state is None or line.startswith("/") else _words_after(line, state)
        command = line.removeprefix("/")
        if command.casefold().startswith("bot "):
            words += complete_text(command, [f"bot {it.name}" for it in table.bots])
        words += REMOTE_COMMANDS.complete(command)
        return list(map(Completion, dict.fromkeys(words)))

    # Commands.

    def _handle(self, line: str) -> bool:
        """Carry out a line. Return False to leave."""
        if not line:
            return True
        try:
            command = self._command_of(line)
            if command is not None:
                return self._execute(command)
            self._check_number(line)
            self._ask(self._table.act(line))
        except RequestRefused as refused:
            self._console.say(self._refusal(line, refused))
        except (RequestLost, CommandError) as error:
            self._console.say(str(error))
        except TableClosed as closed:
            self._ended = closed
        return True

    def _refusal(self, line: str, refused: RequestRefused) -> str:
        """Return the message for a line that was refused."""
        message = str(refused)
        if refused.reason != "words":
            return message
        word = line.split(maxsplit=1)[0]
        suggests = "did you mean" in message
        hint = "" if suggests else similar_command(word, None, (), REMOTE_COMMANDS)
        return f"{message}\n({hint}`help` lists the commands)"

    def _check_number(self, line: str) -> None:
        """Raise `CommandError` for the number of an action that is not numbered on the screen."""
        state = self._state
        if state is None or not (line.isascii() and line.isdecimal()):
            return
        if any(it.words.isdecimal() for it in state.choices):
            return
        if self._listed < int(line[:MAX_DIGITS]) <= len(state.choices) + state.more_choices:
            raise CommandError(
                f"no action on the screen has the number {line}: type its text, or `actions`"
            )

    def _command_of(self, line: str) -> object:
        """Return the table command in a line, or None for an action of the game.

        The words of the game take precedence on the client's turn, unless the line starts with `/`.
        """
        if line.startswith("/"):
            return REMOTE_COMMANDS.parse(line[1:])
        word, state = line.split(maxsplit=1)[0].casefold(), self._state
        if word in {"yes", "no"} and self._consent is not None:
            return ConsentIn(word == "yes")
        games = list[str]()
        if state is not None and state.your_turn:
            games = [*(it.words for it in state.choices), *state.commands]
        if word not in _OURS or any(it.casefold().split()[:1] == [word] for it in games):
            return None
        return REMOTE_COMMANDS.parse(line)

    def _execute(self, command: object) -> bool:
        """Execute a table command. Return False to leave."""
        state = self._state
        match command:
            case Quit():
                return False
            case PlayAgainIn():
                return self._play_again()
            case Help(everything):
                self._help(everything=everything is not None)
            case ShowTable() | ListActions() if state is None:
                raise CommandError("the table has not sent its position yet")
            case ShowTable() if state is not None:
                self._show(state)
            case ListActions() if state is not None:
                self._list(state, everything=True)
            case ShowRules(heading):
                self._show_rules(heading)
            case AskHint():
                self._say_hint()
            case LookIn(ply):
                past = self._ask(self._table.look(ply))
                self._console.say(f"After {plural(past.ply, 'action')}:\n{past.text}")
            case _:
                self._ask(self._table.request(self._request_of(command)))
        return True

    def _request_of(self, command: object) -> Request:
        """Return the message to the table for a command."""
        match command:
            case ConsentIn(yes):
                return ConsentIn(yes, kind=self._consent.kind if self._consent else "")
            case ReturnSeat(number):
                return ReseatIn(number - 1, HUMAN)
            case TakeOver(name, number):
                return self._hand_over(name, number)
        if isinstance(command, Request):
            return command
        raise ContractError(f"{command!r} is not a command of a remote table")

    def _hand_over(self, name: str | None, number: int | None) -> ReseatIn:
        """Let a bot play for the seat with a number, or for the client's own seat."""
        table = self._table.table
        if number is None and name and name.isascii() and name.isdecimal():
            number, name = int(name[:9]), None  # `bot 2`: a seat without the name of a bot
        if number is None and not table.your_seats:
            raise CommandError(WATCHING)
        best = [it.name for it in table.bots if it.group == table.bots[0].group][-1:]
        return ReseatIn(
            table.your_seats[0] if number is None else number - 1, name or "".join(best)
        )

    def _help(self, *, everything: bool) -> None:
        """Describe the commands, starting with those that are usable now."""
        state = self._state
        usages = () if state is None else state.commands
        firsts = set() if state is None else {it.words.split(" ")[0] for it in state.choices}
        now = [it for it in usages if it.split(" ")[0] in firsts]
        title = "At every table (with / in front where the game has the same word)"
        topics = [
            Topic("", (), "\n".join(now) or "Type the number of an action, or its text."),
            Topic("", (), "\n".join(it for it in usages if it not in now) if everything else ""),
            Topic.of(title, self._commands()),
        ]
        topics = [it for it in topics if it.rows or it.note]
        size = Size(self._console.size.columns, get_terminal_size().lines)
        self._console.say(topics_that_fit(topics, size, everything=everything))

    def _show_rules(self, heading: str | None) -> None:
        rules = self._ask(self._table.rules())
        chosen = rules if heading is None else find_sections(rules, heading)
        self._console.show_pages(shown(chosen, at_terminal=self._console.interactive))

    def _say_hint(self) -> None:
        with self._console.meanwhile("A bot is thinking.", after=_LONG):
            hint: HintOut = self._ask(self._table.hint())
        if not hint.words:
            self._console.say("no hint, because the position has changed")
            return
        self._console.say(hint_lines(hint.words, hint.confidence, hint.reasons))

    def _play_again(self) -> bool:
        """Request a table for a rematch. Return False if its link is known."""
        self._ask(self._table.play_again())
        state = self._state
        if state is None or state.over is None or state.over.next_table is None:
            return True
        token = urlsplit(state.over.next_table).fragment or urlsplit(self._link).fragment
        self._next = f"{self._address(state.over.next_table)}#{token}"
        return False

    def _address(self, path: str) -> str:
        """Return the address of a page of this server, even if `path` names another server."""
        return urljoin(self._link, f"/{urlsplit(path).path.lstrip('/')}")


def _seats_in_words(table: TableOut) -> str:
    """Return the seats with their players, and which players are away."""
    here = table.present or (True,) * len(table.seat_titles)
    seats = []
    for seat, (title, label, is_here) in enumerate(
        zip(table.seat_titles, table.player_labels, here, strict=False)
    ):
        who = "you" if seat in table.your_seats else label
        marks = [*filter(None, [who]), *["away"] * (not is_here)]
        seats.append(f"{title} ({', '.join(marks)})" if marks else title)
    return ", ".join(seats) + ("; you watch" if table.spectator else "")


def _time(seconds: float) -> str:
    minutes, rest = divmod(max(0, int(seconds)), 60)
    return f"{minutes}:{rest:02}"


def _words_after(line: str, state: StateOut) -> list[str]:
    """Return the words of legal actions and of commands of the game that can follow a line."""
    words = complete_text(line, [it.words for it in state.choices])
    if len(line.split()) > 1 or line[-1:].isspace():
        return words
    begun = line.casefold()
    names = (it.split()[0] for it in state.commands if it.split())
    return [*words, *(it for it in names if it.casefold().startswith(begun))]
