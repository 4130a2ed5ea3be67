"""Simulated players at a terminal."""

from __future__ import annotations

import io
from collections.abc import Callable

from tests.constructor.programs import save
from typing_extensions import override

from tabletop.terminal import Console

OFFER = "Does Blue accept this offer?"
RICH_BOTS = save(
    turn=1,
    blue="5 5 5 5 5 r h 0 B 20 B",
    red="0 0 3 1 0 r h 5 B 36 B",
    orange="9 0 0 0 0 r h 17 B 38 B",
)


class Person(Console):
    """A console at which a simulated player answers every question.

    Args:
        answer: Called with the output since the last answer. Returns the line to type, or None to
            leave.

    Attributes:
        pauses: The pauses after turns of bots, in seconds.
    """

    def __init__(self, answer: Callable[[str], str | None]) -> None:
        self.shown = io.StringIO()
        super().__init__(io.StringIO(), self.shown, ends_lines=False)
        self.interactive = True
        self.pauses: list[float] = []
        self._answer = answer
        self._from = 0

    @override
    def wait(self, seconds: float) -> None:
        self.pauses.append(seconds)

    def read(self, prompt: str) -> str | None:
        self.shown.write(prompt)
        shown = self.shown.getvalue()
        line = self._answer(shown[self._from :])
        self._from = len(shown)
        self.shown.write("^D" if line is None else f"{line}\n")
        return line


def passive(shown: str) -> str:
    """Answer like a player who only rolls, declines every trade and builds nothing."""
    if shown.endswith("Would you like to play again?\n> "):
        return "no"
    if shown.endswith(f"{OFFER}\nBlue> "):
        return "no to all"
    if "place the GEESE" in shown:
        return "7" if "already" in shown else "12"
    if shown.endswith("steal from.\nBlue> "):
        return shown.rpartition("can choose to steal from ")[2].partition(".")[0].split(",")[0]
    return "roll" if "turn.\n" in shown else "next"


def typing(*lines: str) -> Person:
    """Return a player who types these lines and leaves."""
    left = list(lines)
    return Person(lambda _: left.pop(0) if left else None)


def no_to_all(asked: list[str]) -> Callable[[str], str | None]:
    """Return the answers of a player who declines all offers of each turn with `no to all`.

    The player leaves at the beginning of their own turn.

    Args:
        asked: A list to which the colours of the builders who make an offer are added.
    """

    def answer(shown: str) -> str | None:
        if shown.endswith(f"{OFFER}\nBlue> "):
            asked.append(shown.split("\n")[-3].split(maxsplit=1)[0])
            return " No  TO all"
        return None if "Builder Blue's turn." in shown else passive(shown)

    return answer
