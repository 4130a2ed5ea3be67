"""How games of the program end: won, left, or broken off (Constructor §4.4, §4.5)."""

from __future__ import annotations

from typing import Final

from constructor.events import GameWon
from constructor.rules import PATIENCE
from constructor.saves import write_save
from constructor.state import COLOURS, WINNING_POINTS, ConstructorState
from constructor.text import message
from tabletop import EndOfInput, TabletopError
from tabletop.host.files import write_text
from tabletop.match import AnyMatch
from tabletop.session import Session
from tabletop.terminal.client import TerminalClient
from tabletop.terminal.textfiles import reason
from tabletop.text import TextView

BACKUP: Final = "backup.sv"
"""Where a game is kept when input ends (Constructor §4.5)."""

STUCK: Final = (
    f"Nobody has built for {PATIENCE.default} turns, and only bots are left:"
    " the game is broken off."
)


def is_stuck(session: Session) -> bool:
    """Whether people have left a match to bots that has no `PATIENCE`, and these do not end it."""
    state = session.match.state
    return not (session.people or state.patience) and bool(state.idle >= PATIENCE.default)


def stop_when_stuck(client: TerminalClient) -> None:
    """Say so, and leave the match, when it is stuck.

    Raises:
        EndOfInput: it is.
    """
    if is_stuck(client.session):
        client.say(STUCK)
        raise EndOfInput("only bots are left, and they are stuck")


def how_it_ended(match: AnyMatch) -> str:
    """How a game that is over has ended; empty while it is not."""
    outcome = match.outcome
    if outcome is None:
        return ""
    winners = outcome.winners
    if len(winners) == 1 and (points := match.state.points(winners[0])) >= WINNING_POINTS:
        return message(GameWon(winners[0], points))
    return TextView[ConstructorState]().outcome(outcome, COLOURS)


def keep_backup(state: ConstructorState) -> None:
    """Keep a game as it is, in the document's format.

    Raises:
        TabletopError: it cannot be kept.
    """
    try:
        write_text(BACKUP, write_save(state))
    except OSError as error:
        raise TabletopError(f"{BACKUP} cannot be written: {reason(error)}") from error
