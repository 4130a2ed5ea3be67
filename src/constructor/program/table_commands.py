"""Commands that are not actions, and their answers (Constructor §4.3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from constructor.rules.actions import BEGINNING_COMMANDS, BUILDING_COMMANDS, OWNED
from constructor.rules.game import PATIENCE
from constructor.rules.production import VARIANTS
from constructor.rules.state import COLOURS, ConstructorState, Phase
from constructor.text.drawing import draw_board
from constructor.text.text_view import HELP, INVALID_COMMAND, changed_tiles, residences, statuses
from tabletop import Command, CommandError, Commands, Seat, Word
from tabletop.records import HUMAN
from tabletop.terminal import FileName
from tabletop.wording import quote


@dataclass(frozen=True, slots=True)
class Show:
    """A command that displays something: `board`, `status`, `residences`, `help` or `log`."""

    verb: str


@dataclass(frozen=True, slots=True)
class Save:
    """`save <file>`, or `save` alone, which prints the place of the record."""

    file: str | None = None


@dataclass(frozen=True, slots=True)
class Resign:
    """`resign [bot]`, at any prompt: a bot continues."""

    bot: str | None = None


@dataclass(frozen=True, slots=True)
class DeclineAll:
    """`no to all`: decline this offer and all others in the same turn."""


NO_TO_ALL: Final = "no to all"  # the command that declines an offer and all others in the same turn


_LOOKING: Final = (
    Command("board", Show, help="Show the board."),
    Command("status", Show, help="Show the points and resources of all builders."),
    Command("residences", Show, help="Show your residences."),
)
_HELP: Final = Command("help", Show, help="Show this list.")
_RESIGN: Final = Command(
    "resign",
    Resign,
    Word("bot", optional=True),
    help="Let a bot (builder, easy, fair, hard or random) continue for you.",
)

RESIGN: Final = Commands(_RESIGN)  # the command of every prompt of the program

REQUESTS: Final[Mapping[Phase, Commands]] = {
    Phase.BEGINNING: Commands(*_LOOKING, _HELP),
    Phase.BUILDING: Commands(*_LOOKING, _HELP, Command("save", Save, FileName("file"))),
}
"""The requests of the document: at the beginning of a turn and during it."""

AT_TABLE: Final = Commands(
    *_LOOKING,
    Command("log", Show, help="Show the last turns of the other builders."),
    Command(
        "save",
        Save,
        FileName("file", optional=True),
        help="Save the game in the document's format, which resumes at the beginning of a turn;"
        " without a file, show where the record is.",
    ),
    _RESIGN,
    Command(NO_TO_ALL, DeclineAll, help="Decline this offer and all others in this turn."),
)
"""The commands of every question, at a table and for people at a terminal."""

ACTIONS: Final[Mapping[Phase, Commands]] = {
    Phase.BEGINNING: BEGINNING_COMMANDS,
    Phase.BUILDING: BUILDING_COMMANDS,
}
"""The actions at the beginning of a turn and during it."""

IMPROVE_TILE: Final = "improve-tile"

USAGES: Final[Mapping[str, str]] = {line.split()[0]: line for line in HELP.splitlines()[1:]} | {
    IMPROVE_TILE: "improve-tile <tile#> <resource>",
    "resign": "resign [<bot>]",
}
"""The usage of commands, as in the help. Other commands have no arguments."""

STUCK: Final = (
    f"Nobody has built for {PATIENCE.default} turns and only bots are playing,"
    " so the game ends here."
)
"""The text of a match that `is_stuck`."""

_COLOURS: Final = ", ".join(COLOURS[:-1]) + f" and {COLOURS[-1]}"
_KINDS: Final = ", ".join(kind.name for kind in OWNED[:-1]) + f" and {OWNED[-1].name}"


def is_action(word: str, phase: Phase, variant: str) -> bool:
    """Return whether a line that starts with `word` is an action in this phase of a turn."""
    if word.casefold() == IMPROVE_TILE and not VARIANTS[variant].rich:
        return False
    return word in ACTIONS[phase]


def answer_look(what: str, state: ConstructorState, seat: Seat) -> list[str]:
    """Answer `board`, `status` or `residences`, for `seat`."""
    if what == "board":
        return [draw_board(state), changed_tiles(state)]
    return [statuses(state) if what == "status" else residences(state, seat)]


def dice_commands(state: ConstructorState) -> list[Command]:
    """Return the commands before the roll. A game with fair dice only has no `load`."""
    commands = BEGINNING_COMMANDS.commands
    return [command for command in commands if command.words != "load" or not state.fair_only]


def help_text(state: ConstructorState) -> str:
    """Return the commands of this phase, after the roll exactly those of the document."""
    if state.phase is Phase.BEGINNING:
        commands = [*dice_commands(state), *REQUESTS[state.phase].commands]
        return "\n".join([HELP.split("\n")[0], *(command.words for command in commands)])
    return f"{HELP}\n{USAGES[IMPROVE_TILE]}" if VARIANTS[state.variant].rich else HELP


def usage_of(line: str) -> str:
    """Return the spelling of the command with which a line begins."""
    word = line.split(maxsplit=1)[0].casefold()
    return USAGES.get(word, word)


def complaint(line: str, error: CommandError) -> str:
    """Return one line for a known command with wrong arguments, if possible with the wrong one."""
    words, usage = line.split(), usage_of(line)
    if len(words) == len(usage.split()):
        what = usage.split()[error.place - 1]
        word = quote(words[error.place - 1])
        if what == "<colour>":
            return f"There is no builder {word}; there are {_COLOURS}."
        if what in ("<give>", "<take>", "<resource>"):
            return f"There is no resource {word}; there are {_KINDS}."
    return INVALID_COMMAND


def is_stuck(state: ConstructorState, players: Sequence[str]) -> bool:
    """Return whether a match without `PATIENCE` is left to bots that do not end it."""
    return HUMAN not in players and not state.patience and state.idle >= PATIENCE.default
