"""Helpers that run the real program `sorcery` and parse its output."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import pytest
from tests import program_runs
from tests.program_runs import PYTHON, Printed, as_bytes

from sorcery.program.cli import main
from sorcery.text.frames import ASCII
from sorcery.text.text_board import BOARD_WIDTH, CARD_HEIGHT, CARD_WIDTH

DATA = Path(__file__).with_name("data")
SORCERY = [*PYTHON, "-m", "sorcery"]
BOARD_HEIGHT = 56
ROWS = (1, 12, 33, 44)
"""First rows of the cards on the board: player 1, minions, minions, player 2."""

FIRST_LINES = ("-" * BOARD_WIDTH, f"╔{'═' * (BOARD_WIDTH - 2)}╗")


def run(folder: Path, *arguments: str, typed: str | bytes = "") -> Printed:
    """Run the program in `folder`, in this process."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        return run_here(arguments, typed, names="")


def process(
    folder: Path,
    *arguments: str,
    typed: str | bytes = "",
    environment: Mapping[str, str] | None = None,
) -> Printed:
    """Run the program in `folder` as a separate process, and check that it prints no traceback."""
    speaks = {"PYTHONIOENCODING": "utf-8", **(environment or {})}
    return program_runs.process("sorcery", *arguments, typed=typed, cwd=folder, environment=speaks)


def run_here(
    arguments: Sequence[str] = (), typed: str | bytes = "", names: str = "Sean\nTen\n"
) -> Printed:
    """Run the program in this process, which is faster. Both players have names."""
    return program_runs.run_here(main, arguments, names.encode() + as_bytes(typed))


class Shown(NamedTuple):
    """A card as read from its picture. Missing boxes are empty.

    Attributes:
        name, cost, kind: Contents of the upper boxes.
        box: Contents of the box beside the text.
        text: Text without blanks, so that line breaks do not matter.
        low_left, low_right: Contents of the lower boxes.
    """

    name: str
    cost: str
    kind: str
    box: str
    text: str
    low_left: str
    low_right: str

    @property
    def minion(self) -> str:
        """Name, attack and defence in the format of the samples."""
        return f"{self.name} {self.low_left}/{self.low_right}"


def read_card(rows: Sequence[str]) -> Shown | None:
    """Return the card in a picture, or None for an empty slot."""
    rows = [row.translate(ASCII) for row in rows]
    assert [len(row) for row in rows] == [CARD_WIDTH] * CARD_HEIGHT
    if not rows[1].strip("| "):
        return None
    has_box = rows[6].startswith("|------ ")
    numbers = rows[8].endswith("------|")
    text = [row[8 if has_box else 1 : -1] for row in rows[5 : 8 if numbers else 10]]
    return Shown(
        name=rows[1][2:25].rstrip(),
        cost=rows[1][27:31].strip(),
        kind=rows[3].strip("| "),
        box=rows[5][1:6].strip() if has_box else "",
        text="".join("".join(text).split()),
        low_left=rows[9][1:6].strip() if numbers else "",
        low_right=rows[9][27:32].strip() if numbers else "",
    )


def read_row(rows: Sequence[str], start: int = 0) -> list[Shown]:
    """Return the cards in a row, from the left to the first empty slot."""
    places = range(start, len(rows[0]) - start, CARD_WIDTH)
    cards = [read_card([row[place : place + CARD_WIDTH] for row in rows]) for place in places]
    return [card for card in cards if card is not None]


class Player(NamedTuple):
    """A player as shown on the board."""

    name: str
    life: int
    magic: int
    minions: list[Shown]
    ritual: Shown | None
    graveyard: Shown | None


def read_board(rows: Sequence[str]) -> tuple[Player, Player]:
    """Return both players as shown on a board."""
    assert [len(row) for row in rows] == [BOARD_WIDTH] * BOARD_HEIGHT

    def slot(top: int, place: int) -> list[str]:
        start = 1 + place * CARD_WIDTH
        return [row[start : start + CARD_WIDTH].translate(ASCII) for row in rows[top:][:11]]

    def player(top: int, minions: int) -> Player:
        box = slot(top, 2)
        named, numbers = (box[3], box[9]) if top == ROWS[0] else (box[7], box[1])
        return Player(
            named.strip("| "),
            int(numbers[1:6]),
            int(numbers[27:32]),
            read_row(rows[minions : minions + CARD_HEIGHT], start=1),
            read_card(slot(top, 0)),
            read_card(slot(top, 4)),
        )

    return player(ROWS[0], ROWS[1]), player(ROWS[3], ROWS[2])


def boards(text: str) -> list[list[str]]:
    """Return the rows of each printed board."""
    lines = text.splitlines()
    found: list[list[str]] = []
    place = 0
    while place < len(lines):
        if lines[place] not in FIRST_LINES:
            place += 1
            continue
        found.append(lines[place : place + BOARD_HEIGHT])
        place += BOARD_HEIGHT  # skip the last line, which looks like the first
    return found


def last_board(text: str) -> tuple[Player, Player]:
    """Return both players as shown on the last printed board."""
    return read_board(boards(text)[-1])


def cards_in_rows(text: str) -> list[list[Shown]]:
    """Return the rows of cards printed outside of boards: hands, minions and enchantments."""
    lines = text.splitlines()
    blocks = [lines[place : place + CARD_HEIGHT] for place in range(len(lines))]
    return [read_row(block) for block in blocks if _is_row(block)]


def _is_row(block: Sequence[str]) -> bool:
    widths = {len(row) for row in block}
    if len(block) < CARD_HEIGHT or len(widths) > 1 or not 0 < len(block[0]) <= BOARD_WIDTH - 2:
        return False
    starts = [row.translate(ASCII)[:3] for row in block]
    across = [number for number, start in enumerate(starts) if start == "|--"]
    return len(block[0]) % CARD_WIDTH == 0 and {0, 2, 4, 10} <= set(across) and 1 not in across
