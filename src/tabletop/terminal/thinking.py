"""The bots of a table in this process: a terminal shows that they think, and Ctrl-C stops them."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from functools import partial
from typing import Any, Final

from tabletop.states.bounds import Seat
from tabletop.terminal.console import Console
from tabletop.terminal.local_table import LocalTable
from tabletop.terminal.signals import first_interrupt
from tabletop.wording import plural

_LONG: Final = 1.0
"""Seconds after which the prompt shows that a bot without a budget in seconds is thinking."""


class ThinkingBots:
    """Lets the bots of a table think while its terminal waits.

    Args:
        local: The table.
        console: The console of the terminal.

    Attributes:
        hurries: Whether a bot was stopped, so that the next Ctrl-C interrupts the program.
    """

    def __init__(self, local: LocalTable, console: Console) -> None:
        self.hurries: bool = False
        self._local = local
        self._match = local.match
        self._console = console

    def let_act(self) -> None:
        """Let the next bot think and act, unless an action on the page comes first."""
        table = self._local.table
        self._local.wait_for_bot()
        seat = table.bot_to_act
        if seat is None or not self._local.is_bot_asked:
            return
        bot = self._match.players[seat]
        may_hurry = takes_seconds(bot) and table.people and not self.hurries
        stop = partial(self._hurry, bot, self._match.ply)
        hurry = first_interrupt(stop) if may_hurry else nullcontext()
        with hurry, self._thinking(seat, bot):  # the text explains Ctrl-C
            self._local.let_bot_act()
        self._has_thought(seat, bot)

    def _hurry(self, bot: Any, ply: int) -> None:
        """Let a bot play its best action so far."""
        self.hurries = True
        if self._match.ply == ply:  # otherwise it would stop at its next move
            bot.stop()

    def _called(self, seat: Seat) -> str:
        """Return the name of a seat, with its role if the game mentions one."""
        return self._local.plugin.text.called(self._local.holder.perspective.names)[seat]

    def _thinking(self, seat: Seat, bot: object) -> AbstractContextManager[None]:
        """Return a context in which a terminal shows that a bot is thinking.

        For a budget in seconds, the text appears at once and explains how to stop the bot.
        """
        text = f"{self._called(seat)} is thinking."
        if not takes_seconds(bot):
            return self._console.meanwhile(text, after=_LONG)
        if len(self._match.legal_actions(seat)) == 1:
            return nullcontext()
        return self._console.meanwhile(f"{text} (Ctrl-C: it plays its best action so far.)")

    def _has_thought(self, seat: Seat, bot: object) -> None:
        """Show how long a bot with a budget in seconds has thought, and its result.

        Its rating could reveal its hand, so it is shown only if the game has no secrets.
        """
        search = getattr(bot, "last_search", None)
        if not (self._console.interactive and takes_seconds(bot)) or search is None:
            return
        name, count = self._called(seat), plural(search.iterations, "iteration")
        text = f"{name} has thought for {search.seconds:.1f} seconds: {count}"
        if search.share is not None:
            text += f", {100 * search.share:.0f} % of them chose its action"
        if not self._match.game.hides_something:
            chances = f"puts its chances at {100 * search.value:.0f} %"
            rates = f"rates its position {search.value:.2f}"
            text += f"; it {chances if search.counts_wins else rates}"
        self._console.say(f"{text}.")


def takes_seconds(bot: object) -> bool:
    """Return whether a bot has a budget in seconds and may be stopped early."""
    return getattr(getattr(bot, "budget", None), "seconds", None) is not None
