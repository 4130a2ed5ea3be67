"""The commands that every table has, as they are carried out at a terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from tabletop.display.console_text import ConsoleText, topics_that_fit
from tabletop.errors import CommandError, ContractError
from tabletop.host.screen_text import printable
from tabletop.protocol.messages import RedoIn, ReseatIn, UndoIn
from tabletop.records.format import HUMAN
from tabletop.registry import bot_label
from tabletop.states.bounds import Seat
from tabletop.table.hints import because, estimate, hint_lines, hint_question
from tabletop.terminal.client import TerminalClient
from tabletop.terminal.commands import (
    AskHint,
    Help,
    ReturnSeat,
    SaveMatch,
    ShowRules,
    TakeOver,
    TellSeed,
    TellWindow,
)
from tabletop.terminal.signals import first_interrupt


def carry_out(command: object, seat: Seat, client: TerminalClient, texts: ConsoleText[Any]) -> None:
    """Carry out a command of every table, except those that show the table or leave it.

    Raises:
        TabletopError, ValueError: The command is refused.
    """
    match command:
        case Help(everything):
            _show_help(seat, client, texts, everything=everything is not None)
        case ShowRules(heading):
            _show_rules(client, heading)
        case UndoIn() | RedoIn():
            client.request(command)
        case TakeOver(name, other):
            client.request(_hand_over(name, other, seat, client.session.plugin.best_bot))
        case ReturnSeat(other):
            client.request(ReseatIn(other - 1, HUMAN))
        case _:
            client.say(_answer(command, seat, client))


def _answer(command: object, seat: Seat, client: TerminalClient) -> str:
    match command:
        case TellSeed():
            return printable(client.match.seed.text)
        case TellWindow():
            return "" if client.second_view is None else client.second_view.where
        case AskHint():
            return _hint(client, seat)
        case SaveMatch(file):
            if client.save is None:
                raise CommandError("this match is not recorded, so it cannot be saved")
            return client.save(file or "")
    raise ContractError(f"{command!r} is not a command of every table")


def _show_help(
    seat: Seat, client: TerminalClient, texts: ConsoleText[Any], *, everything: bool
) -> None:
    """Explain the commands.

    At a terminal, those for the present decision come last, next to the prompt, and the text fits
    the screen: commands for which there is no room are listed without their effect.
    """
    if client.console.interactive:
        topics = texts.topics(client.reading(seat))
        client.say(topics_that_fit(topics, client.console.size, everything=everything))
    else:
        topics = texts.topics(client.reading(None))
        client.say("\n\n".join(topic.in_full(0) for topic in topics))


def _hint(client: TerminalClient, seat: Seat) -> str:
    """Return the action that a bot would choose for a seat, with its reasons."""
    question = hint_question(client.session, seat)
    from tabletop.table.bot_pool import answer  # needed only for hints

    said = f"The {bot_label(question.bot)} is thinking. (Ctrl-C: it shows its best action so far.)"

    @contextmanager
    def stopping(stop: Callable[[], object]) -> Iterator[None]:
        with first_interrupt(stop), client.console.meanwhile(said):  # the text explains Ctrl-C
            yield

    found = answer(question, client.session.plugin, stopping=stopping)
    if found.error:
        raise CommandError(f"the {bot_label(question.bot)} has failed: {found.error}")
    return hint_lines(found.action, estimate(found), because(found))


def _show_rules(client: TerminalClient, heading: str | None) -> None:
    rules, game = client.session.plugin.rules, client.match.game
    from tabletop.display.rulebook import find_sections, no_rules, shown  # needed only here

    if not rules:
        client.say(f"{no_rules(game)}.")
        return
    chosen = rules if heading is None else find_sections(rules, heading)
    client.console.show_pages(shown(chosen, at_terminal=client.console.interactive))


def _hand_over(name: str | None, number: int | None, seat: Seat, best_bot: str) -> ReseatIn:
    """Return the request that a bot continues for the seat with a number, or for `seat`."""
    if number is None and name and name.isascii() and name.isdecimal():
        number, name = int(name[:9]), None  # `bot 2` leaves out the name
    return ReseatIn(seat if number is None else number - 1, name or best_bot)
