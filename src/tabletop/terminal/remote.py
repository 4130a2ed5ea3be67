"""The connection of a terminal to a table on a server, with the texts that the server sends.

The game need not be installed, because the table sends texts for terminals (`HelloIn.columns`). The
server is not trusted. The console sanitizes everything that it sends.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Sequence
from contextlib import nullcontext, suppress
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from msgspec import UNSET

from tabletop.display.console_text import Size, Topic
from tabletop.errors import CommandError
from tabletop.protocol.client import (
    RemoteTable,
    RequestLost,
    RequestRefused,
    TableClosed,
    connect,
    page_address,
)
from tabletop.protocol.incoming import (
    AskIn,
    ConsentIn,
    HelpIn,
    HintIn,
    LayoutIn,
    LookIn,
    PlayAgainIn,
    Request,
)
from tabletop.protocol.outgoing import (
    ConsentOut,
    HelpOut,
    LineOut,
    LogOut,
    MessageOut,
    NoteOut,
    PastOut,
    StateOut,
    TableOut,
    TextOut,
)
from tabletop.records.format import HUMAN
from tabletop.rules.action_text import complete_text
from tabletop.rules.commands import Commands
from tabletop.states.bounds import Seat
from tabletop.table.votes import all_proposals, commands_with
from tabletop.terminal.commands import (
    LEAVING,
    LOSSES,
    REMOTE_COMMANDS,
    LookBack,
    TakeOver,
    first_word,
    not_numbered,
    proposals_in,
    remote_commands,
    words_after,
)
from tabletop.terminal.console import Completion, Console
from tabletop.terminal.signals import begin_critical, run
from tabletop.wording import MAX_DIGITS, plural

if TYPE_CHECKING:
    from typing import Self

MAX_MESSAGE: Final = 1 << 20
"""Maximum size in bytes of a message from a server, and of a state."""

_LOG_AT_FIRST: Final = 10
"""Number of log lines displayed to a person who joins."""

_LONG: Final = 1.0
"""Seconds after which the terminal displays that a bot is thinking about a hint."""

_PIPED: Final = Size(80, 60)
"""The size of texts for piped output."""


class RemoteConnection:
    """The connection of a terminal to a table on a server. It is a `Connection`.

    Use it in a `with` statement, which joins the table and leaves it.

    Args:
        console: Reads and prints lines, and runs `loop` meanwhile.
        loop: The event loop that receives the messages of the table.
        link: The link to the table.

    Attributes:
        is_over: True if the table is closed or the players continue at another table.
        next_link: The link to the table of a rematch, or None.

    Raises:
        TableClosed: On entering, if the table cannot be joined. On leaving, if it was closed.
    """

    def __init__(self, console: Console, loop: asyncio.AbstractEventLoop, link: str) -> None:
        self.is_over: bool = False
        self.next_link: str | None = None
        self._console = console
        self._loop = loop
        self._link = link
        self._size = self._first_size = self._wanted_size
        self._context = connect(
            link,
            data=False,
            columns=self._size.columns,
            rows=self._size.rows,
            on_lost=self._lose,
            max_bytes=MAX_MESSAGE,
        )
        self._table: RemoteTable
        self._hearing: asyncio.Task[None]
        self._lost = ""  # the reason why there is no connection
        self._ended: Exception | None = None  # the reason why the table is closed
        self._seating: TableOut | None = None  # the table message that was printed last
        self._has_log = False  # whether this connection has received the last lines of the log
        self._is_back = False  # whether an earlier connection was lost
        self._consent: ConsentOut | None = None  # the open request
        self._state: StateOut | None = None  # the last state that was received
        self._news = asyncio.Event()
        self._shown: object = None  # the question that was displayed last
        self._asked: object = None  # the question that the typed line answers
        self._replay = ""  # the path of the last replay page that was printed
        self._numbered = 0  # the number of actions on the screen that have a number

    def __enter__(self) -> Self:
        self._table = self._await(self._context.__aenter__())
        self._hearing = self._loop.create_task(self._hear())
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        begin_critical()
        self._hearing.cancel()
        self._await(self._context.__aexit__(None, None, None))
        if self._ended is not None and error is None:
            raise self._ended
        if self.next_link is None and not self._is_match_over:
            self._console.say("You have left the table. The same link leads back.")

    def _await(self, work: Coroutine[Any, Any, Any]) -> Any:
        """Run the loop until `work` is done. A signal interrupts it and is handled afterwards."""
        task = self._loop.create_task(work)
        try:
            run(self._loop, asyncio.wait([task]))
            return task.result()
        finally:
            task.cancel()

    @property
    def commands(self) -> Commands:
        """The commands of every table that are available here."""
        return remote_commands(self._table.table, self._state)

    @property
    def _known(self) -> Commands:
        """The commands that are understood, with those that the table will refuse."""
        possible = proposals_in(self._state)
        kinds = {it.kind for it in possible}
        refused = tuple(it for it in all_proposals() if it.kind not in kinds)
        return commands_with(REMOTE_COMMANDS, possible + refused)

    @property
    def _wanted_size(self) -> Size:
        return self._console.size if self._console.interactive else _PIPED

    @property
    def _is_match_over(self) -> bool:
        return self._state is not None and self._state.over is not None

    # Messages from the table.

    async def _hear(self) -> None:
        try:
            async for message in self._table:
                self._receive(message)
        except Exception as error:  # the table is closed, or its messages cause an error
            self._end(error)
        self._news.set()
        self._console.cancel_prompt()

    def _end(self, error: Exception) -> None:
        self._ended, self.is_over = error, True

    def _lose(self, seconds: float, why: str) -> None:
        self._has_log, self._is_back = False, True
        self._size = self._first_size  # with which the connection begins again
        if why != self._lost:  # otherwise it was printed before
            self._lost = why
            self._console.say(f"({why}; trying again)")

    def _receive(self, message: MessageOut) -> None:
        match message:
            case LogOut(lines):
                self._show_log(lines)
            case StateOut():
                self._show_state(message)
            case TableOut():
                self._show_seats(message)
            case NoteOut(text):
                self._console.say(f"({text})")
            case ConsentOut():
                self._show_request(message)
        self._news.set()

    def _show_log(self, lines: Sequence[LineOut]) -> None:
        """Print lines about the table, and the lines of events that no state reports as news."""
        texts = [
            f"{self._name(line.seat)}: {line.text}" if line.kind == "chat" else line.text
            for line in lines
            if line.text and line.kind != "turn" and (line.kind or not self._has_log)
        ]
        if not self._has_log and not self._is_back and self._console.interactive:
            texts = texts[-_LOG_AT_FIRST:]
        self._has_log = True
        if texts:
            self._console.say("\n".join(texts))

    def _name(self, seat: Seat | None) -> str:
        names = self._table.table.names
        return names[seat] if seat is not None and 0 <= seat < len(names) else "somebody"

    def _show_state(self, state: StateOut) -> None:
        """Print news, a new question, and the end of the match."""
        before, self._state = self._state, state
        self._has_log = True  # a table without lines sends no log
        if before is not None and before.ply != state.ply:
            self._consent = None  # an action ends the request
        if state.news:
            self._console.say(state.news)
        question = state.revision, state.your_turn, state.text, state.over is None
        if question != self._shown:
            self._shown, self._numbered = question, state.numbered
            clocks = "" if state.over else self._clocks_in_words()
            for text in (state.text, clocks if state.text else ""):
                if text:
                    self._console.say(text)
        page = "" if state.over is None else state.over.replay_page or ""
        if page and page != self._replay:
            self._replay = page
            self._console.say(f"To see it again: {page_address(self._link, page)}")
        if self._prompted_for(state) != self._asked:
            self._console.cancel_prompt()

    def _prompted_for(self, state: StateOut) -> object:
        """Return a value that identifies a prompt. If it changes, the prompt is shown again."""
        page = "" if state.over is None else state.over.replay_page or "none yet"
        return state.revision, state.your_turn, state.prompt, page

    def _clocks_in_words(self) -> str:
        table = self._table.table
        clocks = zip(table.names, table.clock, strict=False)
        times = [f"{name} {_time(left)}" for name, left in clocks if left is not None]
        return f"Time left: {', '.join(times)}" if times else ""

    def _show_seats(self, table: TableOut) -> None:
        """Print who is at the table, and later who comes and goes. The log has other changes."""
        before, self._seating = self._seating, table
        if self._lost:
            self._lost = ""
            self._console.say("(the table is back)")
        if before is None:
            self._console.say(f"{table.title}: {_seats_in_words(table)}")
            if table.hold is not None:
                self._console.say(f"({table.hold.text})")
            return
        for seat, (name, was, now) in enumerate(
            zip(table.names, before.present, table.present, strict=False)
        ):
            played = {*before.players[seat : seat + 1], *table.players[seat : seat + 1]}
            if was != now and played == {HUMAN}:  # a bot is always present
                self._console.say(f"({name} is {'here' if now else 'away'})")

    def _show_request(self, consent: ConsentOut) -> None:
        self._consent = consent if consent.kind else None
        if self._consent is None:
            if consent.reason:
                self._console.say(f"({consent.reason})")
        elif consent.yours:
            self._console.say(f"(asked {consent.name}, who must agree first; `no` withdraws it)")
        else:
            self._console.say(f"({consent.name} asks to {consent.aim}: type yes or no)")

    # Questions.

    def loss(self, line: str) -> str:
        """Return what is lost permanently if a line is carried out, or ""."""
        word = line.strip().casefold()
        is_action = self._is_action_word(word)
        if not self._console.interactive:
            return ""
        if word in LEAVING and is_action:
            return "This ends the match for everybody. (`/quit` only leaves the table.)"
        is_of_game = is_action or word in self._looking_words
        is_loss = word.removeprefix("/") == "resign" and "resign" in self.commands
        return LOSSES["resign"] if is_loss and not is_of_game else ""

    def ask(self) -> str | None:
        """Wait until a line can be read, and return its prompt, or None if the table is closed.

        Piped lines are read only when the person can answer.
        """
        self._follow_size()
        while not self.is_over:
            state = self._state
            if state is not None and (self._console.interactive or self._can_answer(state)):
                self._asked = self._prompted_for(state)
                return self._prompt(state)
            self._news.clear()
            self._await(self._news.wait())
        return None

    def _follow_size(self) -> None:
        """Request texts for the present size of the terminal if it has changed."""
        size = self._wanted_size
        if size != self._size:
            with suppress(RequestLost):  # the next line is another opportunity
                self._await(self._table.send(LayoutIn("", size.columns, size.rows)))
                self._size = size

    def _can_answer(self, state: StateOut) -> bool:
        asks = self._consent is not None and not self._consent.yours
        return asks or bool(state.your_turn) or state.over is not None

    def _prompt(self, state: StateOut) -> str:
        if state.over is not None:
            table = self._table.table
            again = "`again` plays again, " if table.hosted and not table.spectator else ""
            return f"({again}`quit` leaves) "
        return state.prompt if state.your_turn else f"({state.prompt}) "

    def topics(self) -> Sequence[Topic]:
        """Return the topics of `help`, without commands that this table does not have."""
        answer = self.request(HelpIn())
        missing = {it.usage for it in REMOTE_COMMANDS.commands} - {
            it.usage for it in self.commands.commands
        }
        topics = answer.topics if isinstance(answer, HelpOut) else ()
        return [
            Topic(it.title, [row for row in it.rows if row[0] not in missing], it.note)
            for it in topics
        ]

    def complete(self, line: str) -> Sequence[Completion]:
        """Return the words that can follow a line, first those of legal actions, then commands."""
        state, table, command = self._state, self._table.table, line.removeprefix("/")
        words = list[Completion]()
        if state is not None and command == line:
            words += _words_after(line, state, table.commands)
        if command.casefold().startswith("bot "):
            bots = complete_text(command, [f"bot {it.name}" for it in table.bots])
            words += map(Completion, bots)
        words += map(Completion, self.commands.complete(command))
        found = dict[str, Completion]()
        for completion in words:
            found.setdefault(completion.word, completion)
        return [*found.values()]

    # Lines.

    def interpret(self, line: str) -> Any:
        """Play an action, or carry out a command of the game (`Connection.interpret`)."""
        self._follow_size()
        word, looks = first_word(line), self._looking_words
        if line.startswith("/"):
            line, word = line[1:], word[1:]
            is_ours = word in self._known or word not in looks
            return self._known.parse(line) if is_ours else AskIn(line)
        if word in {"yes", "no"} and self._consent is not None:
            return ConsentIn(word == "yes", kind=self._consent.kind)
        is_action = self._is_action_word(word)
        if word in looks and not is_action:
            return AskIn(line)
        if word in self._known and not is_action:
            return self._known.parse(line)
        try:
            self._check_number(line)
            self._wait_for(self._table.act(line))
        except RequestRefused as refused:
            if refused.reason != "words" or word not in looks:
                raise
            return AskIn(line)
        return None

    @property
    def _looking_words(self) -> set[str]:
        """The first words of commands of the game that only show information."""
        return {first_word(usage) for usage in self._table.table.commands}

    def _is_action_word(self, word: str) -> bool:
        """Return whether a word begins an action or a command of the game on the person's turn."""
        state = self._state
        if state is None or not state.your_turn:
            return False
        lines = (*(choice.words for choice in state.choices), *state.commands)
        return any(first_word(line) == word for line in lines)

    def _check_number(self, line: str) -> None:
        """Raise `CommandError` for the number of an action that is not numbered on the screen."""
        state = self._state
        if state is None or not (line.isascii() and line.isdecimal()):
            return
        if any(it.words.isdecimal() for it in state.choices):
            return
        if self._numbered < int(line[:MAX_DIGITS]) <= len(state.choices) + state.more_choices:
            raise not_numbered(line)

    def save(self, name: str, content: str) -> str:
        """Refuse a file of a server (`Connection.save`)."""
        raise CommandError("a game on a server cannot be saved in a file here")

    def request(self, message: Request) -> MessageOut | None:
        """Send a request, and return its answer when all earlier messages have been printed.

        Raises:
            RequestRefused: The table has refused it.
            RequestLost: The connection was lost before the answer arrived.
        """
        thinking = self._console.meanwhile("A bot is thinking.", after=_LONG)
        with thinking if isinstance(message, HintIn) else nullcontext():
            answer: MessageOut | None = self._wait_for(self._table.request(message))
        if isinstance(answer, TextOut):
            self._numbered = max(self._numbered, answer.numbered)
        state = self._state
        is_again = isinstance(message, PlayAgainIn)
        if is_again and state is not None and state.over is not None and state.over.next_table:
            page = page_address(self._link, state.over.next_table)
            if not urlsplit(page).fragment:
                page = f"{page}#{urlsplit(self._link).fragment}"
            self.next_link, self.is_over = page, True
        return answer

    def _wait_for(self, work: Coroutine[Any, Any, Any]) -> Any:
        """Send a request, and wait until all messages before the answer have been printed."""

        async def ask() -> Any:
            answer = await work
            while self._state is not self._table.state and self._ended is None:
                await asyncio.sleep(0)
            return answer

        try:
            return self._await(ask())
        except TableClosed as closed:
            self._end(closed)
            return None

    def carry_out(self, command: object) -> str:
        """Carry out a command that is not a request, and return a text about it."""
        match command:
            case LookBack(ply):
                past = self.request(LookIn(ply))
                if isinstance(past, PastOut):
                    return f"After {plural(past.ply, 'action')}:\n{past.text}"
            case TakeOver():
                table = self._table.table
                seat = table.your_seats[0] if table.your_seats else None
                best = [it.name for it in table.bots if it.group == table.bots[0].group][-1:]
                self.request(command.request(seat, "".join(best)))
        return ""

    def refusal(self, line: str, error: Exception) -> str:
        """Return the text for a line that was refused, which the table has made."""
        return str(error)


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


def _words_after(line: str, state: StateOut, looking: Sequence[str]) -> list[Completion]:
    """Return the words of legal actions and of commands of the game that can follow a line."""
    labels = {it.label: it for it in state.choices if it.several is UNSET}
    several = [
        (choice.words, [it.words for it in choice.several.items])
        for choice in state.choices
        if choice.several is not UNSET
    ]
    words = words_after(line, labels, several, lambda it: it.hint)
    words = words or [*map(Completion, complete_text(line, [it.words for it in state.choices]))]
    if len(line.split()) > 1 or line[-1:].isspace():
        return words
    names = {first_word(usage): None for usage in (*state.commands, *looking) if usage.strip()}
    return [*words, *(Completion(it) for it in names if it.startswith(line.casefold()))]
