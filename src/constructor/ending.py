"""How games of the program end: won, stuck, or left (Constructor §4.4, §4.5)."""

from __future__ import annotations

from typing import Final

from constructor.events import GameWon
from constructor.rules import PATIENCE
from constructor.saves import write_save
from constructor.state import COLOURS, WINNING_POINTS, ConstructorState
from constructor.text import message
from tabletop import TabletopError
from tabletop.host.files import write_text
from tabletop.match import AnyMatch
from tabletop.session import Session
from tabletop.terminal.textfiles import reason
from tabletop.text import TextView

BACKUP: Final = "backup.sv"
"""Where a game is kept when input ends (Constructor §4.5)."""

STUCK: Final = f"Nobody has built for {PATIENCE.default} turns: the game ends without a winner."


def is_stuck(session: Session) -> bool:
    """Whether nobody is left to see that nothing can be built any more: see `PATIENCE`."""
    return not session.people and bool(session.match.state.idle >= PATIENCE.default)


def how_it_ended(match: AnyMatch) -> str:
    """How a game that is over, or stuck, has ended."""
    outcome = match.outcome
    if outcome is None:
        return STUCK
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
