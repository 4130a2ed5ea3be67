"""Bots at a table in the browser: they act one after the other, and people see each move."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final

from tabletop.records.entries import HUMAN
from tabletop.session import Session

UNHURRIED: Final = 8
"""So many moves in a row are shown at full length; three bots that trade make forty."""

HURRY: Final = 4
"""Those after them come so many times as fast: a person waits for their turn."""

SHOWING: Final = 2
"""Rounds of the loop: in the first, screens wake up and are sent what a move has changed."""


def pause_before(moves: int, pause: float) -> float:
    """How many seconds pass before a move of a bot at a table with people.

    Args:
        moves: how many moves of bots people have just waited for.
        pause: seconds before a move that nobody is kept waiting by.
    """
    return pause if moves < UNHURRIED else pause / HURRY


class BotRunner:
    """Has the bots of a session act, with a pause between their moves.

    Args:
        session: where they sit.
        pause: seconds before each move; shorter after many in a row, where people wait.
        may_act: whether they may now.
        broke_off: told of what kept them from acting.
        turn: whoever has it acts; all tables of a server share it. A move is shown before the next
            one is made: else the moves of many tables gather, and people wait for all of them.
    """

    def __init__(
        self,
        session: Session,
        pause: float,
        may_act: Callable[[], bool],
        broke_off: Callable[[Exception], object],
        turn: asyncio.Lock | None = None,
    ) -> None:
        self._session = session
        self._pause = pause
        self._may_act = may_act
        self._broke_off = broke_off
        self._turn = turn or asyncio.Lock()
        self._task: asyncio.Task[None] | None = None

    def run(self, loop: asyncio.AbstractEventLoop) -> None:
        """Have them act as long as it is their turn; nothing new when they do already."""
        if self._task is None and self._has_to_act():
            self._task = loop.create_task(self._act())

    def _has_to_act(self) -> bool:
        return self._may_act() and self._session.bot_to_act is not None

    async def _act(self) -> None:
        try:
            moves = 0
            while self._has_to_act():
                waits = HUMAN in self._session.players
                await asyncio.sleep(pause_before(moves if waits else 0, self._pause))
                async with self._turn:
                    if self._has_to_act():
                        self._session.advance()
                        moves += 1
                    for _ in range(SHOWING):
                        await asyncio.sleep(0)
        except Exception as error:
            self._broke_off(error)
        finally:
            self._task = None

    def stop(self) -> None:
        """Let them act no more."""
        if self._task is not None:
            self._task.cancel()
