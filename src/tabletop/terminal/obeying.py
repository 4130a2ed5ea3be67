"""What somebody asks for in the words of every table is done."""

from __future__ import annotations

from tabletop.host.printable import printable
from tabletop.outcome import Seat
from tabletop.records.entries import HUMAN
from tabletop.session import Redo, Reseat, Undo
from tabletop.terminal.screen import Screen
from tabletop.terminal.words import (
    ListActions,
    SaveMatch,
    ShowRules,
    TakeBack,
    TakeOver,
    TellSeed,
    TellWindow,
)
from tabletop.text import list_actions


def obey(screen: Screen, request: object, seat: Seat) -> bool:
    """Do what every table offers besides help and the position; False to leave.

    Args:
        screen: where.
        request: one of `tabletop.terminal.words`, or of a session.
        seat: who asks.
    """
    match request:
        case ShowRules():
            _show_rules(screen)
        case ListActions():
            actions = screen.match.legal_actions(seat)
            screen.say(list_actions(actions, most=len(actions)))
        case Undo() | Redo():
            screen.request(request)
        case TakeOver(name, other):
            screen.request(_hand_over(name, other, seat, screen.session.plugin.best_bot))
        case TakeBack(other):
            screen.request(Reseat(other - 1, HUMAN))
        case _:
            return _tell(screen, request)
    return True


def _tell(screen: Screen, request: object) -> bool:
    """Tell about the match what no rules decide; False when it is to be left."""
    match request:
        case TellSeed():
            screen.say(printable(screen.match.seed.text))
        case SaveMatch(file):
            screen.say(screen.save(file or ""))
        case TellWindow():
            screen.say("" if screen.neighbour is None else screen.neighbour.where)
        case _:
            return False
    return True


def _show_rules(screen: Screen) -> None:
    rules, game = screen.session.plugin.rules, screen.match.game
    from tabletop.rulebook import no_rules, shown  # only who asks for rules needs it

    text = shown(rules, at_terminal=screen.console.interactive)
    screen.say(text if rules else f"{no_rules(game)}.")


def _hand_over(name: str | None, number: int | None, seat: Seat, best_bot: str) -> Reseat:
    """Have a bot play on for the seat of that number, or for `seat`, who asks for it."""
    if number is None and name and name.isascii() and name.isdecimal():
        number, name = int(name[:9]), None  # `bot 2`: which bot may be left out
    return Reseat(seat if number is None else number - 1, name or best_bot)
