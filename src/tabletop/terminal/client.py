"""The client of a terminal: it reads lines, and carries out the commands of every table."""

from __future__ import annotations

from typing import TYPE_CHECKING, get_args

from tabletop.display.console_text import topics_that_fit
from tabletop.errors import CommandError, EndOfInput, RecordLost, TabletopError
from tabletop.protocol.incoming import AskIn, HintIn, Request, ReseatIn, RulesIn
from tabletop.protocol.outgoing import HintOut, MessageOut, RulesOut, TextOut
from tabletop.records.format import HUMAN
from tabletop.table.hints import hint_lines
from tabletop.terminal.commands import Help, Quit, ReturnSeat, ShowRules
from tabletop.terminal.console import Console, PromptCancelled
from tabletop.terminal.signals import begin_critical
from tabletop.text_layout import definitions
from tabletop.wording import quote

if TYPE_CHECKING:
    from tabletop.terminal.connection import Connection


class TerminalClient:
    """People at a terminal who play at a table.

    Args:
        connection: The connection to the table.
        console: Reads and prints lines.
    """

    def __init__(self, connection: Connection, console: Console) -> None:
        self._connection = connection
        self._console = console

    def run(self) -> None:
        """Play until the table is over or left, also by the end of input or Ctrl-C."""
        try:
            self.play()
        except EndOfInput:
            begin_critical()
        except KeyboardInterrupt:
            self._console.begin_line()
        else:
            begin_critical()

    def play(self) -> None:
        """Play until the table is over or left.

        Raises:
            EndOfInput: Input has ended.
        """
        stays = True
        while stays and not self._connection.is_over:
            prompt = self._connection.ask()
            line = "" if prompt is None else self._read(prompt)
            if line:
                stays = self._handle(line)

    def _read(self, prompt: str) -> str:
        """Return the next line that is not blank, or "" if the question was cancelled."""
        line = ""
        with self._console.helped(self._connection.complete):
            while not line:
                try:
                    typed = self._console.read(prompt)
                except PromptCancelled:
                    return ""
                if typed is None:
                    raise EndOfInput
                line = typed.strip()
        return line

    def _handle(self, line: str) -> bool:
        """Carry out a line. Return False to leave."""
        try:
            if not self._confirms(line, self._connection.loss(line)):
                return True
            command = self._connection.interpret(line)
            return command is None or self._carry_out(command)
        except (EndOfInput, RecordLost):
            raise
        except (TabletopError, ValueError) as error:
            self._console.say(self._connection.refusal(line, error))
            return True

    def _confirms(self, line: str, loss: str) -> bool:
        """Ask whether a line may lose something permanently, and return the answer.

        The same line again means yes.
        """
        if not loss:
            return True
        try:
            word = line.removeprefix("/").casefold()
            answer = self._console.read(f"{loss} {word.capitalize()} anyway? (yes or no) ")
        except PromptCancelled:
            return False
        if answer is None:
            raise EndOfInput
        return answer.strip().casefold() in {"yes", "y", word}

    def _carry_out(self, command: object) -> bool:
        """Carry out a command of every table. Return False to leave."""
        connection, console = self._connection, self._console
        match command:
            case Quit():
                return False
            case AskIn():
                return self._look(command)
            case ReturnSeat(seat):
                connection.request(ReseatIn(seat - 1, HUMAN))
            case Help(word):
                self._show_help(word)
            case ShowRules(heading):
                self._show_rules(heading)
            case HintIn():
                self._show_hint(connection.request(command))
            case _ if isinstance(command, get_args(Request)):
                connection.request(command)
            case _:
                text = connection.carry_out(command)
                if text:
                    console.say(text)
        return True

    def _look(self, question: AskIn) -> bool:
        """Print the answer to a command that shows information. Return False to leave."""
        answer = self._connection.request(question)
        if not isinstance(answer, TextOut):
            return True
        if answer.file:
            self._console.say(self._connection.save(answer.file, answer.text))
        elif answer.text:
            self._console.say(answer.text)
        return not answer.line or self._carry_out(self._connection.commands.parse(answer.line))

    def _show_help(self, word: str | None) -> None:
        """Explain the commands, or a command or a card.

        At a terminal, those for the present decision come last, next to the prompt, and the text
        fits the screen: commands for which there is no room are listed without their effect.
        """
        console, topics = self._console, self._connection.topics()
        if word is not None and word != "all":
            start, rows = f"{word} ".casefold(), [row for topic in topics for row in topic.rows]
            about = [row for row in rows if f"{row[0]} ".casefold().startswith(start)]
            if not about:
                raise CommandError(f"no help on {quote(word)} (`help all` lists all words)")
            console.say(definitions(about, max(0, console.size.columns - 1)))
        elif console.interactive:
            console.say(topics_that_fit(topics, console.size, everything=word == "all"))
        else:
            console.say("\n\n".join(topic.in_full(0) for topic in topics))

    def _show_hint(self, hint: MessageOut | None) -> None:
        if isinstance(hint, HintOut) and hint.words:
            self._console.say(hint_lines(hint.words, hint.confidence, hint.reasons))
        else:
            self._console.say("no hint, because the position has changed")

    def _show_rules(self, heading: str | None) -> None:
        answer = self._connection.request(RulesIn())
        from tabletop.display.rulebook import find_sections, shown  # needed only here

        if isinstance(answer, RulesOut):
            chosen = answer.text if heading is None else find_sections(answer.text, heading)
            at_terminal = self._console.interactive
            self._console.show_pages(shown(chosen, at_terminal=at_terminal))
