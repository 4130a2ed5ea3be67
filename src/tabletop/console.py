"""The terminal session that every game's program is made of.

A `Session` lets people and bots play one match: it shows the position and the numbered legal
actions, reads lines, tells what happens, and offers what every table offers (`undo`, `bot`, ...).
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any, Final, Protocol

from tabletop.choices import told
from tabletop.errors import (
    CommandError,
    ContractError,
    EndOfInput,
    IllegalAction,
    RecordError,
    RecordLost,
    RegistryError,
    TabletopError,
)
from tabletop.events import ActionsUndone, ObserverFailure
from tabletop.game import Outcome, Seat
from tabletop.match import Match
from tabletop.narration import Narrator
from tabletop.players import read_action
from tabletop.printable import printable, printable_names, say_error
from tabletop.record import HUMAN
from tabletop.registry import Plugin
from tabletop.requests import (
    TABLE_COMMANDS,
    Help,
    ListActions,
    Redo,
    ShowRules,
    ShowTable,
    TakeBack,
    TakeOver,
    TellSeed,
    Undo,
    table_hint,
)
from tabletop.rulebook import no_rules, shown
from tabletop.terminal import Console, tell_all
from tabletop.text import list_actions, seed_warning

__all__ = ["Clerk", "Console", "Session", "tell_all"]

LEAVING: Final = ("quit", "exit")


class Clerk(Protocol):
    """Notes who decides for a seat; a `Journal` does."""

    def seated(self, seat: Seat, player: str) -> None:
        """`player` decides for `seat` from now on."""


class Session:
    """One match at a terminal.

    Args:
        match: what is played.
        plugin: how it reads, and which bots there are.
        players: who decides for each seat: "human", or the name of a bot.
        console: where lines come from and go to.
        clerk: the match's record, to be told when a seat changes hands.
        hint: said before the first prompt, to people who may need it.

    Raises:
        RegistryError: there is no such bot.
    """

    def __init__(
        self,
        match: Match[Any, Any],
        plugin: Plugin,
        players: Sequence[str],
        console: Console,
        clerk: Clerk | None = None,
        *,
        hint: str = "",
    ) -> None:
        self._match = match
        self._names = printable_names(match.names)
        self._plugin = plugin
        self._text = plugin.text
        self._console = console
        self._clerk = clerk
        self._hint = hint
        self._warned = False
        self._players = list(players)
        self._together: set[Seat] = set()  # who is asked, or was, at the same time as others
        self._shown: tuple[int, Seat] | None = None
        self._last_human: Seat | None = None
        for seat, name in enumerate(players):
            if name != HUMAN:
                match.set_player(seat, plugin.bot(name, match.chance_of(seat), seat))
        self._narrator = Narrator(match, self._text)
        self._listen()
        match.observe(self._show_again, ActionsUndone)
        match.on_observer_failure(self._complain)

    def run(self) -> Outcome | None:
        """Play on to the end.

        Returns:
            The outcome; None when somebody quit before.

        Raises:
            EndOfInput: input has ended while a person was to act.
            RecordLost: the match cannot be written down any more.
            TabletopError: a bot has failed, and only bots play.
        """
        match = self._match
        self._warn()
        while not match.over:
            people = [seat for seat in match.to_act if self._players[seat] == HUMAN]
            together = set(match.to_act)
            self._together = together if len(together) > 1 else self._together & together
            # Bots do not wait for people who choose at the same time; but their moves would drop
            # what was taken back, and can be played again.
            if len(people) < len(match.to_act) and not (people and match.undone):
                self._let_bot_act(next(seat for seat in match.to_act if seat not in people))
            elif not self._ask(people[0]):
                return None
            self._say_news()
        self._console.say()
        reader = self._reader()
        self._console.say(self._text.position(match.view(reader), self._names, reader))
        if match.outcome is not None:
            self._console.say(self._text.outcome(match.outcome, self._names))
        return match.outcome

    def _warn(self) -> None:
        """Say once, where several people have something to hide, that the seed tells it."""
        warning = seed_warning(self._match.game, self._players.count(HUMAN))
        if warning and not self._warned and not self._match.over:
            self._warned = True
            self._console.say(warning)

    def _let_bot_act(self, seat: Seat) -> None:
        """Let a bot act; when it fails, people say who plays on for it."""
        try:
            self._match.step(seat)
        except (ContractError, EndOfInput, RecordError):
            raise  # no failure of the bot
        except Exception as error:
            ours = isinstance(error, TabletopError)
            if not ours and (HUMAN not in self._players or os.environ.get("TABLETOP_DEBUG")):
                raise  # whoever wrote the bot can see where
            failed = f"bot {self._players[seat]} has failed: {error if ours else told(error)}"
            if HUMAN not in self._players:
                raise TabletopError(f"the {failed}") from error
            self._console.say(f"The {failed}.")
            self._seat_another(seat)

    def _seat_another(self, seat: Seat) -> None:
        """Ask who plays on for a bot that has failed."""
        name = self._match.names[seat]
        question = f"Who plays on for {name}? Enter for the bot random, `human`, or a bot's name: "
        while True:
            line = self._console.read(question)
            if line is None or line.strip().casefold() in LEAVING:
                raise EndOfInput("input has ended")
            try:
                return self._replace(seat, line.strip() or "random")
            except CommandError as error:
                self._console.say(str(error))

    def _ask(self, seat: Seat) -> bool:
        """Have a person decide, or say something else; False when they quit."""
        self._hand_over(seat)
        view = self._match.view(seat)
        if self._shown != (self._match.ply, seat):
            self._shown = (self._match.ply, seat)
            if seat in self._together and len(self._match.legal_actions(seat)) == 1:
                self._list(seat)  # asked with others, with nothing to decide
            else:
                self._show(seat)
        if self._hint:
            self._console.say(self._hint)
            self._hint = ""
        line = self._console.read(self._text.prompt(view, seat, self._names))
        if line is None:
            raise EndOfInput("input has ended")
        try:
            return self._obey(line.strip(), seat)
        except RecordLost:  # nothing more can be played until that is mended
            raise
        except (CommandError, IllegalAction, RegistryError, ValueError) as error:
            self._console.say(str(error))
        return True

    def _hand_over(self, seat: Seat) -> None:
        """Let a person leave the keyboard to the next without showing their hand.

        The next one is told what they could not read since they last had the keyboard.
        """
        other, self._last_human = self._last_human, seat
        if other == seat:
            return
        wiped = self._console.interactive and other is not None and self._hides(other, seat)
        if wiped:
            self._console.wipe()
            name = self._names[seat]
            if self._console.read(f"{name}, it is your turn: press Enter. ") is None:
                raise EndOfInput("input has ended")
        for line in self._narrator.catch_up(seat, wiped=wiped):
            self._console.say(line)

    def _hides(self, seat: Seat, other: Seat) -> bool:
        """Whether one seat sees what the other does not."""
        match = self._match
        views: list[Any] = [match.view(seat), match.view(other)]
        return bool(views[0] != views[1])

    def _show(self, seat: Seat) -> None:
        self._console.say()
        self._console.say(self._text.position(self._match.view(seat), self._names, seat))
        self._list(seat)

    def _list(self, seat: Seat) -> None:
        self._console.say(list_actions(self._match.legal_actions(seat)))

    def _obey(self, line: str, seat: Seat) -> bool:
        if not line:
            return True
        if line.startswith("/"):
            return self._serve(TABLE_COMMANDS.parse(line[1:]), seat)
        match = self._match
        try:
            actions, texts = match.legal_actions(seat), match.action_texts
            action = read_action(match.game, line, match.view(seat), seat, actions, texts=texts)
        except CommandError as error:
            commands = match.game.commands
            word = line.split(maxsplit=1)[0]
            if word not in TABLE_COMMANDS or (commands is not None and word in commands):
                hint = table_hint(word, str(error), commands)
                self._console.say(f"{error}\n({hint}`help` tells what can be typed)")
                return True
            return self._serve(TABLE_COMMANDS.parse(line), seat)
        match.play(action)
        self._together.discard(seat)
        return True

    def _serve(self, request: object, seat: Seat) -> bool:
        """Do what every table offers; False to leave."""
        match request:
            case Help() | ShowRules():
                self._explain(request)
            case ListActions():
                actions = self._match.legal_actions(seat)
                self._console.say(list_actions(actions, most=len(actions)))
            case ShowTable():
                self._show(seat)
            case Undo(actions):
                self._match.undo(self._since_last_turn() if actions is None else actions)
            case Redo(actions):
                self._redo(actions)
            case TakeOver(name, other):
                if other is None and name and name.isascii() and name.isdecimal():
                    other, name = int(name[:9]), None  # `bot 2`: which bot may be left out
                self._replace(seat if other is None else other - 1, name or "random")
            case TakeBack(other):
                self._replace(other - 1, HUMAN)
            case TellSeed():
                self._console.say(printable(self._match.seed.text))
            case _:
                return False
        return True

    def _explain(self, request: Help | ShowRules) -> None:
        if isinstance(request, Help):
            self._help()
            return
        rules = self._plugin.rules
        text = shown(rules, at_terminal=self._console.interactive)
        self._console.say(text if rules else f"{no_rules(self._match.game)}.")

    def _help(self) -> None:
        commands = self._match.game.commands
        if commands is not None:
            self._console.say(commands.help())
        else:
            self._console.say("Type the number of an action, or its text.")
        self._console.say("\nAt every table (with / in front where the game has the same word):")
        self._console.say(TABLE_COMMANDS.help())

    def _since_last_turn(self) -> int:
        """How many actions lie after the last time that a person was to act."""
        past, actions = self._match.clone(), self._match.actions
        count = 0
        while past.ply:
            past.undo()
            count += 1
            if self._players[past.actor(actions[past.ply])] == HUMAN:
                return count
        raise ValueError("nothing can be taken back: nobody has acted yet")

    def _redo(self, actions: int | None) -> None:
        """Play undone actions again; when not told how many, until a person is to act."""
        match = self._match
        if not match.undone:
            raise ValueError("nothing can be played again: nothing has been taken back")
        match.redo(actions or 1)
        while actions is None and match.undone and self._players[self._next_again()] != HUMAN:
            match.redo()

    def _next_again(self) -> Seat:
        """Whose action would be played again next."""
        ahead = self._match.clone()
        ahead.redo()
        return self._match.actor(ahead.actions[-1])

    def _replace(self, seat: Seat, name: str) -> None:
        if not 0 <= seat < self._match.seats:
            raise CommandError(f"there is no seat {seat + 1}; seats are 1 to {self._match.seats}")
        name = name.casefold()
        player = None
        if name != HUMAN:
            try:
                player = self._plugin.bot(name, self._match.chance_of(seat), seat)
            except RegistryError as error:
                raise CommandError(str(error)) from error
        if self._clerk is not None:
            self._clerk.seated(seat, name)
        self._match.set_player(seat, player)
        self._players[seat] = name
        self._listen()
        by = "a person" if player is None else f"the bot {name}"
        self._console.say(f"{self._names[seat]} is now played by {by}.")
        self._warn()

    def _listen(self) -> None:
        """Have the narrator listen for everybody who sits at this screen."""
        people = [seat for seat, player in enumerate(self._players) if player == HUMAN]
        self._narrator.listen(dict.fromkeys([*people, self._reader()]))

    def _reader(self) -> Seat | None:
        """Who looks at the screen: the only person, or who had the keyboard last.

        Before anybody had it, when there are several, it is told as to spectators (None).
        """
        people = [seat for seat, player in enumerate(self._players) if player == HUMAN]
        return people[0] if len(people) == 1 else self._last_human

    def _say_news(self) -> None:
        for line in self._narrator.news(self._reader()):
            self._console.say(line)

    def _show_again(self, event: ActionsUndone) -> None:
        self._shown = None

    def _complain(self, failure: ObserverFailure) -> None:
        say_error(f"tabletop: an observer failed: {failure.error!r}")
