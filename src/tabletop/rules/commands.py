"""Command tables: the commands that players type, declared as data.

    COMMANDS = Commands(
        Command(
            "attack", Attack, Integer("minion", 1, 5),
            Integer("target", 1, 5, optional=True),
            help="Order a minion to attack a minion or the opponent.",
        ),
        Command("end", End, help="End your turn.", aliases=("pass",)),
    )

`COMMANDS.parse("ATTACK  1 2")` returns `Attack(1, 2)`, and `COMMANDS.spell(Attack(1, 2))` returns
`"attack 1 2"`, which is also the text of the action if the class of the action derives from
`Spelled`. Lines may use any letter case and extra spaces.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from inspect import Parameter, signature
from itertools import groupby, product
from operator import attrgetter
from typing import Any, ClassVar, Final

from typing_extensions import override

from tabletop.errors import CommandError
from tabletop.states.bounds import Seat
from tabletop.text_layout import definitions
from tabletop.wording import MAX_DIGITS, join_words, meant_words, nearest, plural, quote


class Argument:
    """An argument of a command: one word, or the rest of the line. Base class of all arguments.

    For a custom type of argument, override `parse` and `wanted`. Also override `spell` if the word
    for a value differs from `str(value)`, and `candidates` if only a few words are possible.

    Args:
        name: The name in help and messages.
        optional: Whether a line may end without the argument. Its value is then None.
        field: The attribute of the action that contains the value. By default, the name with `_`
            instead of `-`.

    >>> class Square(Argument):
    ...     @property
    ...     def wanted(self):
    ...         return "a square, such as e4"
    ...     def parse(self, word):
    ...         return "abcdefgh".index(word[0]), int(word[1:])
    ...     def spell(self, value):
    ...         return f"{'abcdefgh'[value[0]]}{value[1]}"
    >>> Square("to").parse("e4"), Square("to").spell((4, 4))
    ((4, 4), 'e4')
    """

    def __init__(self, name: str, *, optional: bool = False, field: str = "") -> None:
        self.name = name
        self.optional = optional
        self.field: str = field or name.replace("-", "_")

    def parse(self, word: str) -> Any:
        """Parse `word`, and return its value.

        Raises:
            ValueError: The word is not valid for this argument.
        """
        return word

    def spell(self, value: Any) -> str:
        """Return the word for which `parse` returns `value`. By default, this is `str(value)`.

        Raises:
            ValueError: No word stands for the value, for example if it is None or has two words.
        """
        if value is None:
            raise ValueError(f"{self.name}: a missing value cannot be spelled")
        word = str(value)
        if word.split() != [word]:
            raise ValueError(f"{self.name}: {quote(word)} is not one word")
        return word

    @property
    def wanted(self) -> str:
        """A description of the words that `parse` accepts, for messages."""
        return "a word"

    def candidates(self) -> Sequence[str]:
        """Return the possible words for completion, or an empty sequence if there are too many."""
        return ()


class Integer(Argument):
    """An integer from `low` to `high`, both included: `3`, `+3` or `-3`.

    `spell` also accepts numbers outside this range, because error messages may quote such numbers.

    Raises:
        ValueError: `low` is greater than `high`, or one of the two has more than 18 digits.
    """

    def __init__(
        self, name: str, low: int, high: int, *, optional: bool = False, field: str = ""
    ) -> None:
        super().__init__(name, optional=optional, field=field)
        if not -(10**MAX_DIGITS) < low <= high < 10**MAX_DIGITS:
            limit = f"{MAX_DIGITS} digits"
            raise ValueError(
                f"{name}: {low} to {high} is not a range of numbers of at most {limit}"
            )
        self.low = low
        self.high = high

    @override
    def parse(self, word: str) -> int:
        digits = word[1:] if word[:1] in ("+", "-") else word
        if not (digits.isascii() and digits.isdecimal() and len(digits) <= MAX_DIGITS):
            raise ValueError(word)
        number = int(word)
        if not self.low <= number <= self.high:
            raise ValueError(word)
        return number

    @property
    @override
    def wanted(self) -> str:
        return f"a whole number from {self.low} to {self.high}"

    @override
    def candidates(self) -> Sequence[str]:
        # At most 100, because a longer list does not help the player.
        return [str(number) for number in range(self.low, min(self.high, self.low + 99) + 1)]


class Ordinal(Integer):
    """The number of a seat, or of a card in a row.

    Players count from 1, but the value counts from 0.

    Args:
        count: The number of seats or cards. Players type a number from 1 to `count`.

    >>> Ordinal("player", 4, field="target").parse("2")
    1
    """

    def __init__(self, name: str, count: int, *, optional: bool = False, field: str = "") -> None:
        super().__init__(name, 1, count, optional=optional, field=field)

    @override
    def parse(self, word: str) -> int:
        return super().parse(word) - 1

    @override
    def spell(self, value: int | None) -> str:
        return super().spell(None if value is None else value + 1)


class Choice(Argument):
    """A choice between several words, each of which has a value.

    Args:
        choices: The words, which are their own values, or a mapping from words to values. If
            several words have the same value, the first is used to spell it.

    Raises:
        ValueError: There are no words, a word is given twice, or a word contains spaces.

    >>> Choice("piece", {"rook": 5, "bishop": 3}).parse("Rook")
    5
    """

    def __init__(
        self,
        name: str,
        choices: Iterable[str] | Mapping[str, Any],
        *,
        optional: bool = False,
        field: str = "",
    ) -> None:
        super().__init__(name, optional=optional, field=field)
        table = choices if isinstance(choices, Mapping) else {word: word for word in choices}
        self._words: list[str] = list(table)
        self._values = {word.casefold(): value for word, value in table.items()}
        if not self._words or any(word.split() != [word] for word in self._words):
            raise ValueError(f"{name}: a choice needs words without spaces")
        if len(self._values) != len(self._words):
            raise ValueError(f"{name}: a word is given twice (letter case does not matter)")

    @override
    def parse(self, word: str) -> Any:
        try:
            return self._values[word.casefold()]
        except KeyError:
            raise ValueError(word) from None

    @override
    def spell(self, value: Any) -> str:
        # A dictionary by value would need hashable values.
        for word in self._words:
            if self._values[word.casefold()] == value:
                return word
        word, meaning = next(iter(self._values.items()))
        raise ValueError(f"{self.name}: {word} spells {meaning!r}, but no word spells {value!r}")

    @property
    @override
    def wanted(self) -> str:
        return join_words(self._words, "or")

    @override
    def candidates(self) -> Sequence[str]:
        return self._words


class Word(Argument):
    """A single word."""


class Text(Argument):
    """The rest of the line: at least one word. Spaces at both ends are removed."""

    @override
    def spell(self, value: Any) -> str:
        text = str(value)
        if value is None or not text or text != text.strip():
            raise ValueError(f"{self.name}: {value!r} is not text without spaces at its ends")
        return text

    @property
    @override
    def wanted(self) -> str:
        return "some text"


class Several(Argument):
    """From `low` to `high` words for the same argument, in any order.

    Only the last argument of a command can be a `Several`.

    The value is a sorted tuple. A player repeats the word of an item to choose it more than once.
    The rules list the legal actions with `Selections`.

    Args:
        argument: The argument for each word. Its values must be sortable.
        low: The minimum number of words.
        high: The maximum number, or None for no limit.

    Raises:
        ValueError: `low` is greater than `high`.

    >>> from dataclasses import dataclass
    >>> @dataclass(frozen=True)
    ... class Trash(Spelled):
    ...     cards: tuple[str, ...]
    >>> CARDS = Several(Choice("cards", ["copper", "estate"]), 0, 4)
    >>> COMMANDS = Commands(Command("trash", Trash, CARDS))
    >>> COMMANDS.parse("trash estate copper estate")
    Trash(cards=('copper', 'estate', 'estate'))
    >>> str(Trash(()))
    'trash'
    """

    def __init__(self, argument: Argument, low: int = 0, high: int | None = None) -> None:
        super().__init__(argument.name, optional=low == 0, field=argument.field)
        if high is not None and not 0 <= low <= high:
            raise ValueError(f"{argument.name}: {low} to {high} is not a range of numbers")
        self.argument = argument
        self.low = low
        self.high = high

    @override
    def parse(self, word: str) -> tuple[Any, ...]:
        return tuple(sorted(map(self.argument.parse, word.split())))

    @override
    def spell(self, value: Any) -> str:
        return " ".join(map(self.argument.spell, value))

    @property
    @override
    def wanted(self) -> str:
        return self.argument.wanted

    @override
    def candidates(self) -> Sequence[str]:
        return self.argument.candidates()


_FIELD: Final = attrgetter("field")


def _placeholder(argument: Argument) -> str:
    return argument.name.upper() + ("..." if isinstance(argument, Several) else "")


class Command:
    """A command: its words, its arguments, and the action that it creates.

    Args:
        words: The words to type: usually one word, or several separated by spaces.
        action: The class of the action. Each argument's value is passed as the parameter named by
            its `field`, and `spell` reads the attribute of the same name. If the class also has a
            parameter `seat` that is not an argument, the seat that typed the line is passed. A
            parameter `verb` gets the words of the command, so that several commands can create the
            same class.
        arguments: The arguments that follow the words. Optional arguments come last. Only the last
            argument can be a `Text` or `Several`. Adjacent arguments with the same `field` form a
            tuple.
        help: A line that describes the command.
        aliases: Other words for the command.
        together: Whether the optional arguments must be given all together or not at all.
        fixed: Fields of the action that the command sets to a constant: `Command("guard", Play,
            fixed={"card": GUARD})`. This also distinguishes commands that create the same class.

    Raises:
        ValueError: There are no words, the arguments cannot be in this order, two of them have the
            same name, or a field is both fixed and an argument.
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
        self.words: str = " ".join(words.casefold().split())
        self.action = action
        self.arguments = arguments
        self.help = help
        self.aliases: tuple[str, ...] = tuple(
            " ".join(alias.casefold().split()) for alias in aliases
        )
        self.together = together
        self.fixed: dict[str, Any] = dict(fixed or {})
        self.required: int = sum(not argument.optional for argument in arguments)
        self._groups = [(field, list(group)) for field, group in groupby(arguments, _FIELD)]
        self._check()
        named = {*self.fixed, *map(_FIELD, arguments)}
        if "verb" not in named and self._is_parameter("verb"):
            self.fixed["verb"] = self.words
        self._takes_seat = "seat" not in named and self._is_parameter("seat")
        self._in_order = not (self.fixed or self._takes_seat) and self._are_parameters_in_order()

    def _check(self) -> None:
        optional = [argument.optional for argument in self.arguments]
        fields = [field for field, _ in self._groups]
        fixed = join_words(sorted(self.fixed.keys() & fields), "and")
        problem = ""
        if not self.words or not all(self.aliases):
            problem = "a command needs a word"
        elif optional != sorted(optional):
            problem = "an optional argument is before a required argument"
        elif any(isinstance(argument, (Text, Several)) for argument in self.arguments[:-1]):
            problem = "only the last argument can take the rest of the line"
        elif len({argument.name for argument in self.arguments}) != len(self.arguments):
            problem = "two arguments have the same name"
        elif len(set(fields)) != len(fields):
            problem = "arguments with the same field must be neighbours"
        elif any(len({argument.optional for argument in group}) > 1 for _, group in self._groups):
            problem = "arguments with the same field must be all optional or all required"
        elif fixed:
            problem = f"{fixed} is both fixed and an argument"
        if problem:
            raise ValueError(f"{self.words}: {problem}")

    def _parameters(self) -> list[str]:
        """Return the names of the parameters of the action, or [] if they are unknown."""
        try:
            return [*signature(self.action).parameters]
        except ValueError:  # classes written in C may have no signature
            return []

    def _is_parameter(self, name: str) -> bool:
        """Return whether the action has a parameter called `name`."""
        return name in self._parameters()

    def _are_parameters_in_order(self) -> bool:
        """Return whether the values of the arguments can be passed to the action by position."""
        fields, parameters = [*map(_FIELD, self.arguments)], self._parameters()
        if len(self._groups) != len(fields):
            return False
        # Parameters with other names also receive the values by position.
        return parameters[: len(fields)] == fields or not {*fields} <= {*parameters}

    @property
    def usage(self) -> str:
        """The form of the command, such as `attack MINION [TARGET]`."""
        required = [_placeholder(argument) for argument in self.arguments[: self.required]]
        optional = [
            " ".join(map(_placeholder, group)) for _, group in self._groups if group[0].optional
        ]
        if self.together and optional:
            optional = [" ".join(optional)]
        return " ".join([self.words, *required, *(f"[{name}]" for name in optional)])

    def parse(self, line: str, words: Sequence[str], skip: int, seat: Seat | None = None) -> Any:
        """Parse `words`, and return the action, even if the action is illegal.

        `Commands.parse` calls this method.

        Args:
            line: The line as typed.
            words: The words of the line.
            skip: The number of words at the start of `words` that belong to the command or alias.
            seat: The seat that typed the line.

        Raises:
            CommandError: The words do not spell an action. The message names the wrong word and its
                position.
            TypeError: The action needs a `seat`, but none is given.
        """
        given = list(words[skip:])
        arguments = [*self.arguments]
        last, cut = arguments[-1] if arguments else None, len(arguments) - 1
        if isinstance(last, Text) and len(given) > cut:
            # Taken from the line and not from its words, to keep spaces inside the text.
            given[cut:] = [line.split(None, skip + cut)[skip + cut].rstrip()]
        elif isinstance(last, Several):
            most = max(last.low, len(given) - cut) if last.high is None else last.high
            arguments[cut:] = [last.argument] * most
        self._check_number(line, words, skip, len(given), arguments)
        values: list[Any] = [None] * len(arguments)
        for index, word in enumerate(given):
            argument = arguments[index]
            try:
                values[index] = argument.parse(word)
            except ValueError:
                place = skip + index + 1
                known = [it for it in argument.candidates() if not it.isdecimal()]
                hint = meant_words(nearest(word, known), f"usage: {self.usage}")
                raise CommandError(
                    f"word {place}, {quote(word)}, is not {argument.wanted}"
                    f" ({argument.name}){hint}",
                    line=line,
                    place=place,
                ) from None
        if isinstance(last, Several):
            values[cut:] = [tuple(sorted(values[cut : len(given)]))]
        return self._make(values, seat)

    def _make(self, values: list[Any], seat: Seat | None) -> Any:
        """Return the action with these argument values."""
        if self._in_order:  # the usual case: the arguments are the fields, in their order
            return self.action(*values)
        keywords = dict(self.fixed)
        remaining = iter(values)
        for field, group in self._groups:
            parts = tuple(next(remaining) for _ in group)
            is_left_out = all(part is None for part in parts)
            keywords[field] = parts[0] if len(parts) == 1 else None if is_left_out else parts
        if self._takes_seat and seat is not None:
            keywords["seat"] = seat
        elif (
            self._takes_seat
            and signature(self.action).parameters["seat"].default is Parameter.empty
        ):
            raise TypeError(f"{self.words}: the action needs a seat: use parse(line, seat=...)")
        return self.action(**keywords)

    def _check_number(
        self,
        line: str,
        words: Sequence[str],
        skip: int,
        given: int,
        arguments: Sequence[Argument],
    ) -> None:
        most, last = len(arguments), self.arguments[-1] if self.arguments else None
        least = self.required + (max(0, last.low - 1) if isinstance(last, Several) else 0)
        if given > most:
            place = skip + most + 1
            message = f"word {place}, {quote(words[place - 1])}, is one too many"
        elif given < least or self._stops_short(given):
            place = skip + given + 1
            argument = arguments[given]
            message = f"word {place}, {argument.name}, is missing: {argument.wanted}"
        else:
            return
        raise CommandError(f"{message}; usage: {self.usage}", line=line, place=place)

    def _stops_short(self, given: int) -> bool:
        """Return whether `given` arguments end inside a group that must be given together."""
        if self.together and self.required < given < len(self.arguments):
            return True
        return 0 < given < len(self.arguments) and (
            self.arguments[given - 1].field == self.arguments[given].field
        )

    def makes(self, action: Any) -> bool:
        """Return whether `action` has the class and the fixed values of the command."""
        return type(action) is self.action and all(
            getattr(action, field) == value for field, value in self.fixed.items()
        )

    def spell(self, action: Any) -> str:
        """Return the line for which `parse` returns `action`.

        Fixed fields and the seat are ignored.

        Raises:
            ValueError: There is no such line.
        """
        values: list[Any] = []
        for field, group in self._groups:
            value = getattr(action, field)
            if len(group) == 1:
                values.append(value)
                continue
            parts = (None,) * len(group) if value is None else tuple(value)
            if len(parts) != len(group):
                raise ValueError(f"{self.usage}: {field} has {plural(len(parts), 'part')}")
            values += parts
        while len(values) > self.required and values[-1] in (None, ()):
            values.pop()
        if self._stops_short(len(values)):
            raise ValueError(f"{self.usage}: give all of the optional arguments or none of them")
        words = [arg.spell(value) for arg, value in zip(self.arguments, values, strict=False)]
        return " ".join(filter(None, [self.words, *words]))


class Spelled:
    """Base class of actions whose `str` is their line in the command table.

    If several command tables have a command for the class, the table that was created first is
    used.

    >>> from dataclasses import dataclass
    >>> @dataclass(frozen=True)
    ... class Play(Spelled):
    ...     at: int
    >>> CARD = Ordinal("card", 5, field="at")
    >>> COMMANDS = Commands(Command("play", Play, CARD))
    >>> str(Play(2))
    'play 3'
    """

    __slots__ = ()

    _table: ClassVar[Commands | None] = None

    def __str__(self) -> str:
        if self._table is None:
            raise TypeError(f"no command table has a command for {type(self).__name__}")
        return self._table.spell(self)


class Commands:
    """A command table.

    Args:
        commands: The commands, in the order in which help lists them.

    Attributes:
        commands: The commands.

    Raises:
        ValueError: Two commands have the same words, or create the same class of actions without
            different `fixed` values.

    >>> from dataclasses import dataclass
    >>> @dataclass(frozen=True)
    ... class Take:
    ...     count: int
    >>> table = Commands(Command("take", Take, Integer("count", 1, 3)))
    >>> table.parse("take 2"), table.spell(Take(3)), table.complete("ta")
    (Take(count=2), 'take 3', ['take'])
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
            for other in alike:
                both = command.fixed.keys() & other.fixed.keys()
                if any(command.fixed[field] != other.fixed[field] for field in both):
                    continue
                raise ValueError(
                    f"{other.words!r} and {command.words!r} both make {command.action.__name__}:"
                    " add a field `verb` to the class, or set a field with `fixed`"
                )
            alike.append(command)
            if issubclass(command.action, Spelled) and "_table" not in vars(command.action):
                command.action._table = self
        self._longest = max((len(words.split()) for words in self._by_words), default=1)

    def __contains__(self, words: str) -> bool:
        return " ".join(words.casefold().split()) in self._by_words

    def makes(self, kind: type[Any]) -> bool:
        """Return whether a command creates actions of this class."""
        return kind in self._by_action

    def command_of(self, action: Any) -> Command | None:
        """Return the command that creates `action`, or None if there is none."""
        alike = self._by_action.get(type(action), ())
        return next((command for command in alike if command.makes(action)), None)

    def not_now(self, line: str, actions: Iterable[Any]) -> CommandError | None:
        """Return the error for a line whose command makes none of the legal actions, or None."""
        actions = list(actions)
        command, _ = self._find(line.split())
        possible = [it for it in self.commands if any(map(it.makes, actions))]
        if command is None or command in possible or not possible:
            return None
        usages = ", ".join(it.usage for it in possible)
        message = f"{quote(command.words)} is not possible now; possible: {usages}"
        return CommandError(message, line=line, place=1)

    def parse(self, line: str, *, seat: Seat | None = None) -> Any:
        """Parse `line`, and return the action, even if the action is illegal.

        Args:
            line: The typed line.
            seat: The seat that typed the line, for actions with a field `seat` that is not an
                argument.

        Raises:
            CommandError: The line does not spell an action. The message names the wrong word,
                the possible words and the most similar command.
            TypeError: The action needs a `seat`, but none is given.
        """
        words = line.split()
        if not words:
            raise CommandError(
                f"the line is empty (type one of: {self._list_commands()})", line=line
            )
        command, length = self._find(words)
        if command is None:
            raise self._unknown(line, words)
        return command.parse(line, words, length, seat)

    def _find(self, words: Sequence[str]) -> tuple[Command | None, int]:
        """Return the command that shares the most leading words with `words`, and their number."""
        for length in range(min(self._longest, len(words)), 0, -1):
            command = self._by_words.get(" ".join(words[:length]).casefold())
            if command is not None:
                return command, length
        return None, 0

    def _unknown(self, line: str, words: Sequence[str]) -> CommandError:
        place = 1  # skip the words with which some command begins
        while place <= len(words) and self._find_beginning_with(words[:place]):
            place += 1
        is_unknown = place <= len(words)
        if is_unknown:
            problem = f"unknown command {quote(' '.join(words[:place]))}"
        else:
            problem = f"word {place} is missing"
        # First compare as many words as the longest command has, then only the first word, because
        # arguments may follow it.
        meant = nearest(" ".join(words[: self._longest]), self._by_words)
        meant = meant or nearest(words[0], self._by_words)
        hint = meant_words(
            meant, "" if meant and is_unknown else f"possible: {self._list_commands()}"
        )
        return CommandError(f"{problem}{hint}", line=line, place=place, suggests=meant is not None)

    def _find_beginning_with(self, words: Sequence[str]) -> list[str]:
        """Return the full words of every command whose first words are `words`."""
        start = "".join(f"{word} " for word in words).casefold()
        return [name for name in self._by_words if f"{name} ".startswith(start)]

    def _list_commands(self) -> str:
        return ", ".join(command.words for command in self.commands)

    def spell(self, action: Any) -> str:
        """Return the line for which `parse` returns `action`.

        Raises:
            ValueError: No command creates such an action, or no line spells it.
        """
        command = self.command_of(action)
        if command is None:
            name = repr(action) if self.makes(type(action)) else type(action).__name__
            raise ValueError(f"no command makes {name}")
        line = command.spell(action)
        # If "end turn" is another command, "end" with the argument "turn" cannot be typed.
        if self._longest > 1:
            read_as = self._find(line.split()[: self._longest])
            if read_as != (command, len(command.words.split())):
                raise ValueError(f"{quote(line)} would be read as another command")
        return line

    def help(self, columns: int = 0) -> str:
        """Return a line of help for each command: its usage and its description.

        Args:
            columns: The maximum width of a line, or 0 for no limit. Longer lines are wrapped.
        """
        return definitions([(command.usage, command.help) for command in self.commands], columns)

    def lines(self) -> Iterator[str]:
        """Yield the lines of commands whose arguments list their candidates, even illegal lines.

        All optional arguments are given. A `Several` repeats one word as often as necessary.

        >>> from dataclasses import dataclass
        >>> @dataclass(frozen=True)
        ... class Take:
        ...     count: int = 0
        >>> takes = Command("take", Take, Integer("count", 1, 2))
        >>> [*Commands(takes).lines()]
        ['take 1', 'take 2']
        """
        for command in self.commands:
            words = []
            for argument in command.arguments:
                count = max(1, argument.low) if isinstance(argument, Several) else 1
                words.append([" ".join([word] * count) for word in argument.candidates()])
            yield from map(" ".join, product([command.words], *words))

    def complete(self, line: str) -> list[str]:
        """Return the words that can continue `line`.

        If the line does not end with a space, its last word is treated as incomplete and completed.
        """
        words = line.split()
        begun = words.pop() if words and not line[-1:].isspace() else ""
        start = len(words)
        options = [" ".join(name.split()[start:]) for name in self._find_beginning_with(words)]
        command, length = self._find(words)
        if command is not None:
            several = [it for it in command.arguments[-1:] if isinstance(it, Several)]
            rest = [*command.arguments[start - length :], *several]
            options.extend(rest[0].candidates() if rest else ())
        return [word for word in options if word and word.casefold().startswith(begun.casefold())]
