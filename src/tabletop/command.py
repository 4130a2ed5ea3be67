"""One command: what is typed for one kind of action."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from inspect import Parameter, signature
from itertools import groupby
from operator import attrgetter
from typing import Any, Final

from tabletop.arguments import Argument
from tabletop.errors import CommandError
from tabletop.outcome import Seat
from tabletop.wording import plural, quote

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
            CommandError: they do not spell one; names the word and its place.
        """
        given = list(words[skip:])
        if self.arguments and self.arguments[-1].takes_rest and len(given) >= len(self.arguments):
            cut = len(self.arguments) - 1
            # From the line, not from its words: blanks inside of a text are its own.
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
                    f"word {place}, {quote(word)}, is not {argument.wanted}"
                    f" ({argument.name}); usage: {self.usage}",
                    line=line,
                    place=place,
                ) from None
        return self._make(values, seat)

    def _make(self, values: list[Any], seat: Seat | None) -> Any:
        """The action with these values of the arguments."""
        # The usual case, and much the fastest: the arguments are the fields, in their order.
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
            message = f"word {place}, {quote(words[place - 1])}, is one too many"
        elif given < self.required or self._stops_short(given):
            place = skip + given + 1
            argument = self.arguments[given]
            message = f"word {place}, {argument.name}, is missing: {argument.wanted}"
        else:
            return
        raise CommandError(f"{message}; usage: {self.usage}", line=line, place=place)

    def _stops_short(self, given: int) -> bool:
        """Whether the arguments given end inside an all-or-nothing group."""
        if self.together and self.required < given < len(self.arguments):
            return True
        return 0 < given < len(self.arguments) and (
            self.arguments[given - 1].field == self.arguments[given].field
        )

    def makes(self, action: Any) -> bool:
        """Whether the command makes `action`: its class and its fixed values agree."""
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
                raise ValueError(f"{self.usage}: {field} has {plural(len(parts), 'part')}")
            values += parts
        while len(values) > self.required and values[-1] is None:
            values.pop()
        if self._stops_short(len(values)):
            raise ValueError(f"{self.usage}: what is optional stands together or not at all")
        words = [arg.spell(value) for arg, value in zip(self.arguments, values, strict=False)]
        return " ".join([self.words, *words])


def _rest_of(line: str, words: int) -> str:
    """`line` without its first `words` words and the blanks at its ends."""
    return line.split(None, words)[words].rstrip()
