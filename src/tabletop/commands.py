"""Command tables: what players type, from declarations.

    COMMANDS = Commands(
        Command("attack", Attack, Integer("minion", 1, 5), Integer("target", 1, 5, optional=True),
                help="Order a minion to attack a minion or the opponent."),
        Command("end", End, help="End your turn.", aliases=("pass",)),
    )

`COMMANDS.parse("ATTACK  1 2")` is `Attack(1, 2)`, and `COMMANDS.spell(Attack(1, 2))` is
`"attack 1 2"`: let the actions' `__str__` return it. White space around words and letter case do
not matter.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tabletop.command import Command
from tabletop.errors import CommandError
from tabletop.outcome import Seat
from tabletop.text_layout import definitions
from tabletop.wording import nearest, quote


class Commands:
    """A table of commands.

    Raises:
        ValueError: two commands share a word, or an action class with nothing fixed that tells them
            apart.
    """

    def __init__(self, *commands: Command) -> None:
        self.commands = commands
        self._by_words: dict[str, Command] = {}
        self._by_action: dict[type[Any], list[Command]] = {}
        for command in commands:
            for words in (command.words, *command.aliases):
                if self._by_words.setdefault(words, command) is not command:
                    raise ValueError(f"two commands are called {words!r}")
            alike = self._by_action.setdefault(command.action, [])
            if not all(_differ(command.fixed, other.fixed) for other in alike):
                raise ValueError(f"two commands make a {command.action.__name__}")
            alike.append(command)
        self._longest = max((len(words.split()) for words in self._by_words), default=1)

    def __contains__(self, words: object) -> bool:
        return isinstance(words, str) and " ".join(words.casefold().split()) in self._by_words

    def makes(self, kind: type[Any]) -> bool:
        """Whether a command makes actions of this type."""
        return kind in self._by_action

    def parse(self, line: str, *, seat: Seat | None = None) -> Any:
        """The action that `line` spells.

        Args:
            line: what was typed.
            seat: who typed it; for actions with a field `seat` that the line does not name.

        Raises:
            CommandError: no action is meant. Says which word is wrong, what is possible, and which
                command was probably meant.
        """
        words = line.split()
        if not words:
            raise CommandError(f"an empty line; possible: {self._listing()}", line=line)
        command, length = self._find(words)
        if command is None:
            raise self._unknown(line, words)
        return command.parse(line, words, length, seat)

    def _find(self, words: Sequence[str]) -> tuple[Command | None, int]:
        """The command with the most words that `words` begin with, and how many these are."""
        for length in range(min(self._longest, len(words)), 0, -1):
            command = self._by_words.get(" ".join(words[:length]).casefold())
            if command is not None:
                return command, length
        return None, 0

    def _unknown(self, line: str, words: Sequence[str]) -> CommandError:
        place = 1  # past the words that some command begins with
        while place <= len(words) and self._begun_with(words[:place]):
            place += 1
        if place <= len(words):
            what = f"word {place}, {quote(words[place - 1])}, is not a command"
        else:
            what = f"word {place} is missing"
        meant = nearest(" ".join(words[: self._longest]), self._by_words)
        meant = meant or nearest(words[0], self._by_words)
        hint = f"did you mean {meant!r}? " if meant else ""
        return CommandError(f"{what}; {hint}possible: {self._listing()}", line=line, place=place)

    def _begun_with(self, words: Sequence[str]) -> list[str]:
        """The words of every command that begins with `words`."""
        start = "".join(f"{word} " for word in words).casefold()
        return [name for name in self._by_words if f"{name} ".startswith(start)]

    def _listing(self) -> str:
        return ", ".join(command.words for command in self.commands)

    def spell(self, action: Any) -> str:
        """The line that `parse` understands as `action`.

        Raises:
            ValueError: no command makes such an action, or no line stands for it.
        """
        alike = self._by_action.get(type(action), ())
        command = next((command for command in alike if command.makes(action)), None)
        if command is None:
            what = repr(action) if alike else f"a {type(action).__name__}"
            raise ValueError(f"no command makes {what}")
        line = command.spell(action)
        # "end" with the argument "turn" is no way to say it where "end turn" is another command.
        if self._longest > 1:
            read_as = self._find(line.split()[: self._longest])
            if read_as != (command, len(command.words.split())):
                raise ValueError(f"{quote(line)} would be read as another command")
        return line

    def help(self, columns: int = 0) -> str:
        """A line for each command: how it is typed and what it does.

        Args:
            columns: how wide a line may be, so that longer ones are wrapped; 0 for any.
        """
        return definitions([(command.usage, command.help) for command in self.commands], columns)

    def complete(self, line: str) -> list[str]:
        """The words that can go on from `line`; the last word counts as begun, unless a blank
        follows it.
        """
        words = line.split()
        begun = words.pop() if words and not line[-1:].isspace() else ""
        start = len(words)
        options = [" ".join(name.split()[start:]) for name in self._begun_with(words)]
        command, length = self._find(words)
        if command is not None:
            rest = command.arguments[start - length :]
            options.extend(rest[0].candidates() if rest else ())
        return [word for word in options if word and word.casefold().startswith(begun.casefold())]


def _differ(fixed: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Whether the fixed values of two commands distinguish their actions."""
    return any(fixed[field] != other[field] for field in fixed.keys() & other.keys())
