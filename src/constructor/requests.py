"""What can be typed in the program `constructor` that is no action (Constructor §4.3)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from constructor.actions import BEGINNING_COMMANDS, BUILDING_COMMANDS, OWNED
from constructor.production import VARIANTS
from constructor.state import COLOURS, Phase
from constructor.text import HELP, INVALID_COMMAND
from tabletop import Command, CommandError, Commands, Text, Word
from tabletop.wording import shorten


@dataclass(frozen=True, slots=True)
class ShowBoard:
    """`board`."""


@dataclass(frozen=True, slots=True)
class ShowStatus:
    """`status`."""


@dataclass(frozen=True, slots=True)
class ShowResidences:
    """`residences`."""


@dataclass(frozen=True, slots=True)
class ShowHelp:
    """`help`."""


@dataclass(frozen=True, slots=True)
class ShowLog:
    """`log`, at a terminal: what the others have done, in full."""


@dataclass(frozen=True, slots=True)
class Save:
    """`save <file>`; blanks in the name of the file are its own."""

    file: str


@dataclass(frozen=True, slots=True)
class Resign:
    """`resign [bot]`, at whatever prompt: a bot plays on."""

    bot: str | None = None


_SHOWN: Final = (
    Command("board", ShowBoard),
    Command("status", ShowStatus),
    Command("residences", ShowResidences),
    Command("help", ShowHelp),
)
RESIGN: Final = Commands(Command("resign", Resign, Word("bot", optional=True)))

_SAVE: Final = Command("save", Save, Text("file"))
_LOG: Final = Command("log", ShowLog)

REQUESTS: Final[Mapping[Phase, Commands]] = {
    Phase.BEGINNING: Commands(*_SHOWN),
    Phase.BUILDING: Commands(*_SHOWN, _SAVE),
}
"""What the document lets one ask for: at the beginning of a turn and during it."""

AT_TERMINAL: Final[Mapping[Phase, Commands]] = {
    **{phase: Commands(*_SHOWN, _LOG) for phase in Phase},
    Phase.BUILDING: Commands(*_SHOWN, _LOG, _SAVE),
}
"""What a person at a terminal can ask for, also at every question."""

ACTIONS: Final[Mapping[Phase, Commands]] = {
    Phase.BEGINNING: BEGINNING_COMMANDS,
    Phase.BUILDING: BUILDING_COMMANDS,
}
"""What can be done at the beginning of a turn and during it."""

IMPROVE_TILE: Final = "improve-tile"

USAGES: Final[Mapping[str, str]] = {line.split()[0]: line for line in HELP.splitlines()[1:]} | {
    IMPROVE_TILE: "improve-tile <tile#> <resource>",
    "resign": "resign [<bot>]",
}
"""How a command is typed, in the words of the help; one that is not here is a word alone."""

_COLOURS: Final = ", ".join(COLOURS[:-1]) + f" and {COLOURS[-1]}"
_KINDS: Final = ", ".join(kind.name for kind in OWNED[:-1]) + f" and {OWNED[-1].name}"


def is_action(word: str, phase: Phase, variant: str) -> bool:
    """Whether a line that begins with `word` does something in that phase of a turn."""
    if word.casefold() == IMPROVE_TILE and not VARIANTS[variant].rich:
        return False
    return word in ACTIONS[phase]


def help_text(phase: Phase, variant: str) -> str:
    """The document's list of commands, and what else can be typed now."""
    lines = [HELP]
    if VARIANTS[variant].rich:
        lines.append(USAGES[IMPROVE_TILE])
    if phase is Phase.BEGINNING:
        words = ", ".join(command.words for command in BEGINNING_COMMANDS.commands)
        lines.append(f"Before the roll: {words}, board, status, residences, help.")
    return "\n".join(lines)


def complaint(line: str, error: CommandError) -> str:
    """What is wrong with a known command that does not fit its usage."""
    words = line.split()
    usage = USAGES.get(words[0].casefold(), words[0].casefold())
    if len(words) == len(usage.split()):
        what = usage.split()[error.place - 1]
        word = shorten(words[error.place - 1])
        if what == "<colour>":
            return f"There is no builder {word}; there are {_COLOURS}."
        if what in ("<give>", "<take>", "<resource>"):
            return f"There is no resource {word} to be had; there are {_KINDS}."
    return f"{INVALID_COMMAND}\nUsage: {usage}"
