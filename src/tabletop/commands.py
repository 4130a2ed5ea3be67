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
from inspect import Parameter, signature
from itertools import groupby
from operator import attrgetter
from typing import Any, Final

from tabletop.arguments import MAX_DIGITS, Argument, Choice, Integer, Text, Word
from tabletop.errors import CommandError
from tabletop.outcome import Seat
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

_FIELD: Final = attrgetter("field")
_MISSING: Final = Parameter.empty
_NO_KEYWORD: Final = (
    Parameter.POSITIONAL_ONLY,
    Parameter.VAR_POSITIONAL,
    Parameter.VAR_KEYWORD,
)


class Command:
    """One command: its words, what may follow them, and the action it makes.

    Args:
        words: what is typed; usually one word, or several with blanks between.
        action: a class, called with the value of every argument; `spell` goes by it. Where it has
            a field `seat` that no argument names, it gets the seat that the line is parsed for.
        arguments: what follows. Optional ones come last, and the rest of the line only at the end.
            Several that stand side by side and have one `field` make a tuple of it.
        help: one line for people.
        aliases: other words for the same.
        together: whether the optional arguments stand all or none.
        fixed: fields of the action that the words alone set: `Command("guard", Play,
            fixed={"card": GUARD})`. So several commands can make one class.

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
        fixed: Mapping[str, Any] | None = None,
    ) -> None:
        self.words = " ".join(words.casefold().split())
        self.action = action
        self.arguments = arguments
        self.help = help
        self.aliases = tuple(" ".join(alias.casefold().split()) for alias in aliases)
        self.together = together
        self.fixed = dict(fixed or {})
        self.required = sum(not argument.optional for argument in arguments)
        self._groups = [(field, list(group)) for field, group in groupby(arguments, _FIELD)]
        self._check_declaration(arguments)
        self._check_fixed()
        named = {*self.fixed, *map(_FIELD, arguments)}
        self._takes_seat = "seat" not in named and self._is_parameter("seat")
        self._in_order = len(self._groups) == len(arguments) and not (fixed or self._takes_seat)

    def _check_declaration(self, arguments: Sequence[Argument]) -> None:
        if not self.words or not all(self.aliases):
            raise ValueError("a command needs a word")
        if any(argument.optional for argument in arguments[: self.required]):
            raise ValueError(f"{self.words}: an optional argument stands before a required one")
        if any(argument.takes_rest for argument in arguments[:-1]):
            raise ValueError(f"{self.words}: only the last argument can take the rest of the line")
        names = {argument.name for argument in arguments}
        fields = {field for field, _ in self._groups}
        own = {it.name.replace("-", "_") for _, group in self._groups if group[1:] for it in group}
        if len(names) != len(arguments) or fields & own:
            raise ValueError(f"{self.words}: two arguments have the same name")
        if len(fields) != len(self._groups):
            raise ValueError(f"{self.words}: arguments of one field stand side by side")
        for field, group in self._groups:
            if len({argument.optional for argument in group}) > 1:
                raise ValueError(f"{self.words}: {field} is optional in part")

    def _check_fixed(self) -> None:
        fields = {field for field, _ in self._groups}
        for field in self.fixed:
            if field in fields:
                raise ValueError(f"{self.words}: {field} is fixed, and an argument as well")
            if not self._is_parameter(field):
                raise ValueError(f"{self.words}: {self.action.__name__} takes no {field}")

    def _is_parameter(self, name: str) -> bool:
        """Whether the action can be made with a keyword argument called `name`."""
        try:
            taken = signature(self.action).parameters
        except ValueError:  # what is written in C may not say
            return False
        return name in taken and taken[name].kind not in _NO_KEYWORD

    @property
    def usage(self) -> str:
        """How it is typed: `attack MINION [TARGET]`."""
        required = [argument.name.upper() for argument in self.arguments[: self.required]]
        optional = [
            " ".join(argument.name.upper() for argument in group)
            for _, group in self._groups
            if group[0].optional
        ]
        if self.together and optional:
            optional = [" ".join(optional)]
        return " ".join([self.words, *required, *(f"[{name}]" for name in optional)])

    def parse(self, line: str, words: Sequence[str], skip: int, seat: Seat | None = None) -> Any:
        """The action of `seat` that `words` spell, `skip` of which are the command itself.

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
        return self._make(values, seat)

    def _make(self, values: list[Any], seat: Seat | None) -> Any:
        """The action with these values of the arguments."""
        if self._in_order:
            return self.action(*values)
        made = dict(self.fixed)
        given = iter(values)
        for field, group in self._groups:
            parts = tuple(next(given) for _ in group)
            is_left_out = all(part is None for part in parts)
            made[field] = parts[0] if len(parts) == 1 else None if is_left_out else parts
        if self._takes_seat and seat is not None:
            made["seat"] = seat
        elif self._takes_seat and signature(self.action).parameters["seat"].default is _MISSING:
            raise TypeError(f"{self.words}: say for whom it is parsed: parse(line, seat=...)")
        return self.action(**made)

    def _check_number(self, line: str, words: Sequence[str], skip: int, given: int) -> None:
        most = len(self.arguments)
        if given > most:
            place = skip + most + 1
            message = f"word {place}, {shorten(words[place - 1])}, is one too many"
        elif given < self.required or self._stops_short(given):
            place = skip + given + 1
            argument = self.arguments[given]
            message = f"word {place}, {argument.name}, is missing: {argument.wanted}"
        else:
            return
        raise CommandError(f"{message}; usage: {self.usage}", line=line, place=place)

    def _stops_short(self, given: int) -> bool:
        """Whether so many arguments end among some that stand all or none."""
        if self.together and self.required < given < len(self.arguments):
            return True
        return 0 < given < len(self.arguments) and (
            self.arguments[given - 1].field == self.arguments[given].field
        )

    def makes(self, action: Any) -> bool:
        """Whether `action` is of the class, and has what is fixed."""
        return type(action) is self.action and all(
            getattr(action, field) == value for field, value in self.fixed.items()
        )

    def spell(self, action: Any) -> str:
        """The line that `parse` understands as `action`; without what is fixed, and the seat.

        Raises:
            ValueError: there is none.
        """
        values: list[Any] = []
        for field, group in self._groups:
            value = getattr(action, field)
            if len(group) == 1:
                values.append(value)
                continue
            parts = (None,) * len(group) if value is None else tuple(value)
            if len(parts) != len(group):
                raise ValueError(f"{self.usage}: {field} has {len(parts)} parts")
            values += parts
        while len(values) > self.required and values[-1] is None:
            values.pop()
        if self._stops_short(len(values)):
            raise ValueError(f"{self.usage}: what is optional stands together or not at all")
        words = [arg.spell(value) for arg, value in zip(self.arguments, values, strict=False)]
        return " ".join([self.words, *words])


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

    def parse(self, line: str, *, seat: Seat | None = None) -> Any:
        """The action that `line` spells.

        Args:
            line: what was typed.
            seat: who typed it; for actions with a field `seat` that the line does not name.

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


def _differ(fixed: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Whether what is fixed in two commands tells their actions apart."""
    return any(fixed[field] != other[field] for field in fixed.keys() & other.keys())


def _rest_of(line: str, words: int) -> str:
    """`line` without its first `words` words and the blanks at its ends."""
    return line.split(None, words)[words].rstrip()
