"""What a game, or a program, may change of how a terminal front behaves.

A plugin's module may have a `SKIN` beside `TEXT` and `BOTS`: a class derived from `Skin`. A program
makes its front with one of its own. What a skin does not override is as at every table.
"""

from __future__ import annotations

from collections.abc import Callable
from shutil import get_terminal_size
from typing import ClassVar, Final, TypeAlias

from tabletop.commands import Commands
from tabletop.errors import CommandError, ContractError, RecordLost, TabletopError
from tabletop.events import Event, Watcher
from tabletop.match.choices import short_repr
from tabletop.outcome import Seat
from tabletop.records.entries import HUMAN
from tabletop.session import Act
from tabletop.terminal.completion import completions
from tabletop.terminal.obeying import obey
from tabletop.terminal.offers import Completion
from tabletop.terminal.screen import Screen
from tabletop.terminal.title import title_of
from tabletop.terminal.words import Help, ShowTable, table_hint
from tabletop.text import list_actions, seed_warning
from tabletop.wording import counted

_HANDED_OVER: Final = "{}, it is your turn: press Enter. "


class Skin:
    """How a terminal front behaves: as `tabletop play` does, unless a method is overridden.

    One is made for each match at a terminal, and may keep what it likes.

    Args:
        screen: what it works with: `screen.say`, `screen.match`, `screen.session`,
            `screen.request`.

    Attributes:
        screen: the same.
        commands: what can be typed besides the game's actions and the words of every table; what a
            line spells is given to `serve`.
        program: what complaints on the standard error begin with.
    """

    commands: Commands = Commands()
    program: ClassVar[str] = "tabletop"

    def __init__(self, screen: Screen) -> None:
        self.screen = screen
        self._warned = False

    # From the first line to the last.

    def opening(self) -> None:
        """Say what is played, before all else."""
        match = self.screen.match
        so_far = f"; {counted(match.ply, 'action')} so far" if match.ply else ""
        self.screen.say(f"{title_of(match)}{so_far}")

    def begin(self) -> None:
        """Say what people need to know before anybody decides. By default it `warn`s them."""
        self.warn()

    def warn(self) -> None:
        """Warn once, where several people have secrets, that the seed reveals them.

        Of a match with a salt it tells nothing.
        """
        match = self.screen.match
        warning = seed_warning(match.game, len(self.screen.session.people))
        if warning and not self._warned and not match.over and match.salt is None:
            self._warned = True
            self.screen.say(warning)

    def over(self) -> bool:
        """Whether nothing more is to be played: the match is over."""
        return self.screen.match.over

    def ending(self) -> None:
        """Show how a match has ended: the last position, and the outcome."""
        screen, match = self.screen, self.screen.match
        text, reader = screen.session.plugin.text, screen.reader
        screen.say()
        screen.say(text.position(match.view(_seat_of(reader)), screen.names, reader))
        if match.outcome is not None:
            screen.say(text.outcome(match.outcome, screen.names))

    def interrupted(self) -> None:
        """Do what is to be done at once after Ctrl-C: what follows begins a line."""
        self.screen.console.begin_line()

    def left(self) -> None:
        """Say how to go on with a match that is left before it is over."""
        plies = counted(self.screen.match.ply, "action")
        self.screen.say(f"Left after {plies}{self.screen.how_to_go_on()}")

    # Deciding.

    def before(self, seat: Seat) -> None:
        """Say what comes before each decision, be it of a person or a bot. By default nothing.

        It may decide for a person, with a request: then nobody is asked.
        """

    def asked(self, seat: Seat) -> None:
        """Show a person a position that they have not been shown, and what can be done in it."""
        actions = self.screen.match.legal_actions(seat)
        if seat in self.screen.together and len(actions) == 1:
            self.screen.say(list_actions(actions))  # asked with others, with nothing to decide
        else:
            self.show(seat)

    def show(self, seat: Seat) -> None:
        """Show a seat the position, and what it can do."""
        screen, match = self.screen, self.screen.match
        screen.say()
        screen.say(screen.session.plugin.text.position(match.view(seat), screen.names, seat))
        screen.say(list_actions(match.legal_actions(seat)))

    def prompt(self, seat: Seat) -> str:
        """The prompt of a person who is to act."""
        view, names = self.screen.match.view(seat), self.screen.names
        return self.screen.session.plugin.text.prompt(view, seat, names)

    def waiting(self, seat: Seat) -> str:
        """The prompt while people elsewhere are to act."""
        names = self.screen.names
        others = ", ".join(names[other] for other in self.screen.match.to_act)
        return f"(waiting for {others}) "

    def obey(self, line: str, seat: Seat) -> bool:
        """Obey a line; False to leave the match.

        By default it is an action, a word of this skin, or one of every table, in this order. A `/`
        in front passes the game over. It is not asked about the `yes` or `no` that answers somebody
        elsewhere, who wants to take actions back.

        Args:
            line: what was typed, without the blanks at its ends; never empty.
            seat: who is asked.

        Raises:
            CommandError, IllegalAction, ValueError, ContractError, RecordLost: that cannot be done;
                it goes to `refused`.
        """
        word = line.split(maxsplit=1)[0]
        if line.startswith("/"):
            return self.ask_table(line[1:], seat, table_first=True)
        if seat not in self.screen.match.to_act and self._is_known(word):
            return self.ask_table(line, seat)  # people elsewhere are to act
        try:
            self.screen.request(Act(line, seat))
        except CommandError as error:
            game = self.screen.match.game.commands
            if (game is not None and word in game) or not self._is_known(word):
                self.misunderstood(line, error, seat)
                return True
            return self.ask_table(line, seat)
        self.screen.together.discard(seat)
        return True

    def misunderstood(self, line: str, error: CommandError, seat: Seat) -> None:
        """Say that a line is no action, nor anything else that can be typed.

        Args:
            line: what was typed.
            error: what the game has said to it.
            seat: who has typed it.
        """
        word, game = line.split(maxsplit=1)[0], self.screen.match.game.commands
        hint = table_hint(word, str(error), game, self.commands, self.screen.table)
        self.screen.say(f"{error}\n({hint}`help` tells what can be typed)")

    def ask_table(self, line: str, seat: Seat, *, table_first: bool = False) -> bool:
        """Obey a line in the words of this skin or of every table; False to leave.

        Args:
            line: what was typed.
            seat: who has typed it.
            table_first: whether a word that both have is that of every table.
        """
        word = line.split(maxsplit=1)[0] if line.strip() else ""
        if word in self.commands and not (table_first and word in self.screen.table):
            return self.serve(self.commands.parse(line), seat)
        return self.serve_table(self.screen.table.parse(line), seat)

    def serve(self, request: object, seat: Seat) -> bool:
        """Do what one of this skin's `commands` asks for; False to leave."""
        raise ContractError(f"{type(self).__name__} has commands, and does not serve them")

    def serve_table(self, request: object, seat: Seat) -> bool:
        """Do what every table offers; False to leave."""
        match request:
            case Help():
                self.help()
            case ShowTable():
                self.show(seat)
            case _:
                return obey(self.screen, request, seat)
        return True

    def help(self) -> None:
        """Say what can be typed."""
        game = self.screen.match.game.commands
        if game is not None:
            self.screen.say(game.help(self.columns()))
        else:
            self.screen.say("Type the number of an action, or its text.")
        columns = self.columns()
        if self.commands.commands:
            self.screen.say("\nTo look, and whatever else this game has:")
            self.screen.say(self.commands.help(columns))
        self.table_help()

    def table_help(self) -> None:
        """Say what can be typed at every table."""
        self.screen.say("\nAt every table (with / in front where the game has the same word):")
        self.screen.say(self.screen.table.help(self.columns()))

    def columns(self) -> int:
        """How wide a line may be at a terminal; 0 for any where input is piped."""
        return get_terminal_size().columns - 1 if self.screen.console.interactive else 0

    def refused(self, line: str, error: Exception, seat: Seat) -> None:
        """Say why something cannot be done, or raise the error, which ends the program.

        Raises:
            RecordLost: nothing more can be played until that is mended.
            ContractError: the rules failed.
        """
        if isinstance(error, (RecordLost, ContractError)):
            raise error
        self.screen.say(str(error))

    # News.

    def event(self, event: Event, reader: Watcher) -> str:
        """An event as a line of text; empty for events not worth a line."""
        return self.screen.session.plugin.text.event(event, self.screen.names, reader)

    def show_news(self, lines: list[str]) -> None:
        """Say what has happened, a line an event."""
        for line in lines:
            self.screen.say(line)

    def seated(self, seat: Seat, player: str) -> None:
        """Say that somebody else decides for a seat."""
        by = "a person" if player == HUMAN else f"the bot {player}"
        self.screen.say(f"{self.screen.names[seat]} is now played by {by}.")
        self.warn()

    def bot_failed(self, player: str, error: Exception) -> None:
        """Say that a bot has failed; people are asked next who plays on for it."""
        said = str(error) if isinstance(error, TabletopError) else short_repr(error)
        self.screen.say(f"The bot {player} has failed: {said}.")

    def bot_broke_off(self, seat: Seat, error: ContractError) -> None:
        """Do something else in place of an action of a bot that broke the rules off.

        Raises:
            ContractError: by default.
        """
        raise error

    def hand_over(self, seat: Seat, other: Seat | None) -> bool:
        """Let a person leave the keyboard to the next without showing their hand.

        Args:
            seat: who takes it.
            other: who had it; None in the beginning.

        Returns:
            Whether nothing is to be seen any more of what was shown.

        Raises:
            EndOfInput: input has ended meanwhile.
        """
        screen = self.screen
        if not screen.console.interactive or other is None or not screen.hides(other, seat):
            return False
        screen.console.wipe()
        screen.read(_HANDED_OVER.format(screen.names[seat]))
        return True

    # Typing.

    def complete(self, line: str, seat: Seat) -> list[Completion]:
        """What can go on from a line that is being typed, with hints; for Tab."""
        screen = self.screen
        return completions(line, seat, screen.session, self.commands, self.hint, table=screen.table)

    def hint(self, action: object) -> str:
        """What an action means, in a few words, where it does not say so itself; for Tab."""
        return ""

    def _is_known(self, word: str) -> bool:
        return word in self.commands or word in self.screen.table


SkinMaker: TypeAlias = Callable[[Screen], Skin]
"""Makes the skin of a match at a screen: a class derived from `Skin`, mostly."""


def _seat_of(reader: Watcher) -> Seat | None:
    """The seat whose view a reader is shown; a reader who may see everything gets a spectator's."""
    return reader if isinstance(reader, int) else None
