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

from collections.abc import Sequence
from typing import Any

from tabletop.arguments import MAX_DIGITS, Argument, Choice, Integer, Text, Word
from tabletop.errors import CommandError
from tabletop.wording import nearest, shorten

__all__ = [
    "MAX_DIGITS",
    "Argument",
    "Choice",
    "Command",
    "Commands",
    "Integer",
    "Text",
    "Word",
    "nearest",
    "shorten",
]


class Command:
    """One command: its words, what may follow them, and the action it makes.

    Args:
        words: what is typed; usually one word, or several with blanks between.
        action: a class, called with the value of every argument; `spell` goes by it.
        arguments: what follows. Optional ones come last, and the rest of the line only at the end.
        help: one line for people.
        aliases: other words for the same.
        together: whether the optional arguments stand all or none.

    Raises:
        ValueError: the declaration makes no sense.
    """

    def __init__(
        self,
        words: str,
        action: type[Any],
        *arguments: Argument,
        help: str = "",
        aliases: Sequence[str] = (),
        together: bool = False,
    ) -> None:
        self.words = " ".join(words.casefold().split())
        self.action = action
        self.arguments = arguments
        self.help = help
        self.aliases = tuple(" ".join(alias.casefold().split()) for alias in aliases)
        self.together = together
        self.required = sum(not argument.optional for argument in arguments)
        if not self.words or not all(self.aliases):
            raise ValueError("a command needs a word")
        if any(argument.optional for argument in arguments[: self.required]):
            raise ValueError(f"{self.words}: an optional argument stands before a required one")
        if any(argument.takes_rest for argument in arguments[:-1]):
            raise ValueError(f"{self.words}: only the last argument can take the rest of the line")
        if len({argument.field for argument in arguments}) != len(arguments):
            raise ValueError(f"{self.words}: two arguments have the same name")

    @property
    def usage(self) -> str:
        """How it is typed: `attack MINION [TARGET]`."""
        required = [argument.name.upper() for argument in self.arguments[: self.required]]
        optional = [argument.name.upper() for argument in self.arguments[self.required :]]
        if self.together and optional:
            optional = [" ".join(optional)]
        return " ".join([self.words, *required, *(f"[{name}]" for name in optional)])

    def parse(self, line: str, words: Sequence[str], skip: int) -> Any:
        """The action that `words` spell, the first `skip` of which are the command itself.

        Raises:
            CommandError: they spell none; names the word and its place.
        """
        given = list(words[skip:])
        if self.arguments and self.arguments[-1].takes_rest and len(given) >= len(self.arguments):
            cut = len(self.arguments) - 1
            given[cut:] = [_rest_of(line, skip + cut)]
        self._check_number(line, words, skip, len(given))
        values: list[Any] = [None] * len(self.arguments)
        for index, word in enumerate(given):
            argument = self.arguments[index]
            try:
                values[index] = argument.parse(word)
            except ValueError:
                place = skip + index + 1
                raise CommandError(
                    f"word {place}, {shorten(word)}, is not {argument.wanted}"
                    f" ({argument.name}); usage: {self.usage}",
                    line=line,
                    place=place,
                ) from None
        return self.action(*values)

    def _check_number(self, line: str, words: Sequence[str], skip: int, given: int) -> None:
        most = len(self.arguments)
        if given > most:
            place = skip + most + 1
            message = f"word {place}, {shorten(words[place - 1])}, is one too many"
        elif given < self.required or (self.together and self.required < given < most):
            place = skip + given + 1
            argument = self.arguments[given]
            message = f"word {place}, {argument.name}, is missing: {argument.wanted}"
        else:
            return
        raise CommandError(f"{message}; usage: {self.usage}", line=line, place=place)

    def spell(self, action: Any) -> str:
        """The line that `parse` understands as `action`.

        Raises:
            ValueError: there is none.
        """
        values = [getattr(action, argument.field) for argument in self.arguments]
        while len(values) > self.required and values[-1] is None:
            values.pop()
        if self.together and self.required < len(values) < len(self.arguments):
            raise ValueError(f"{self.usage}: what is optional stands together or not at all")
        words = [arg.spell(value) for arg, value in zip(self.arguments, values, strict=False)]
        return " ".join([self.words, *words])


class Commands:
    """A table of commands.

    Raises:
        ValueError: two commands share a word, or an action class.
    """

    def __init__(self, *commands: Command) -> None:
        self.commands = commands
        self._by_words: dict[str, Command] = {}
        self._by_action: dict[type[Any], Command] = {}
        for command in commands:
            for words in (command.words, *command.aliases):
                if self._by_words.setdefault(words, command) is not command:
                    raise ValueError(f"two commands are called {words!r}")
            if self._by_action.setdefault(command.action, command) is not command:
                raise ValueError(f"two commands make a {command.action.__name__}")
        self._longest = max((len(words.split()) for words in self._by_words), default=1)

    def __contains__(self, words: object) -> bool:
        return isinstance(words, str) and " ".join(words.casefold().split()) in self._by_words

    def parse(self, line: str) -> Any:
        """The action that `line` spells.

        Raises:
            CommandError: it spells none. Says which word is at fault, what is possible, and which
                command was probably meant.
        """
        words = line.split()
        if not words:
            raise CommandError(f"an empty line; possible: {self._listing()}", line=line)
        command, length = self._find(words)
        if command is None:
            raise self._unknown(line, words)
        return command.parse(line, words, length)

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
            what = f"word {place}, {shorten(words[place - 1])}, is not a command"
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
        command = self._by_action.get(type(action))
        if command is None:
            raise ValueError(f"no command makes a {type(action).__name__}")
        line = command.spell(action)
        # "end" with the argument "turn" is no way to say it where "end turn" is another command.
        if self._longest > 1:
            read_as = self._find(line.split()[: self._longest])
            if read_as != (command, len(command.words.split())):
                raise ValueError(f"{shorten(line)} would be read as another command")
        return line

    def help(self) -> str:
        """A line for each command: how it is typed and what it does."""
        width = max((len(command.usage) for command in self.commands), default=0)
        return "\n".join(
            f"{command.usage:<{width}}  {command.help}".rstrip() for command in self.commands
        )

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


def _rest_of(line: str, words: int) -> str:
    """`line` without its first `words` words and the blanks at its ends."""
    return line.split(None, words)[words].rstrip()
