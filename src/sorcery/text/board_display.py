"""The display at a terminal: the document's board or a small one, plain or in colours.

Where nobody looks, and all that is printed is read by a program, it is the document's, plain.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Mapping, Sequence
from shutil import get_terminal_size
from typing import Final, NamedTuple, TextIO

from sorcery.cards.card import Card
from sorcery.cards.editions import Edition
from sorcery.cards.state import PLACES, Minion, Ritual, Side, SorceryState
from sorcery.text.frames import FANCY, SIMPLE, STYLES, Style, wrap
from sorcery.text.small_board import HEIGHT, WIDTH, SmallBoard
from sorcery.text.terminal_colours import (
    PLAYERS,
    Tone,
    by_player,
    make_harmless,
    paint,
    strip_paint,
)
from sorcery.text.text_board import CARD_HEIGHT, EMPTY_HAND, TextBoard, board_width
from tabletop.terminal import Console, shows_colours

BOARD_HEIGHT: Final = 56
FEWEST_ROWS: Final = BOARD_HEIGHT + 3
"""Rows of a terminal that fits the document's board, a line for the turn, the hand in a
line, and the prompt."""

WIDEST: Final = 120
"""Longer lines are hard to read."""

COMPACT: Final = "compact"
"""The value of the option `-style` for the compact board."""


class Showing(NamedTuple):
    """The display of a game: style and size."""

    style: Style
    compact: bool | None = None
    """True for the compact board; None for: at a terminal that is too small."""


PLAIN: Final = Showing(SIMPLE, compact=False)
"""The document's, in ASCII."""


class Display:
    """Shows a game at a console: lines, boards, hands and cards.

    `option` asks for another style; it is empty where there is none.
    """

    def __init__(
        self, console: Console, edition: Edition, showing: Showing, *, option: str = "-style"
    ) -> None:
        self._console = console
        self._showing = showing
        self._cards = edition.cards
        self._coloured = console.interactive and shows_colours()
        style = showing.style._replace(breaks_words=edition.breaks_words)
        self._look = TextBoard(edition.cards, style, edition.most_minions, coloured=self._coloured)
        self._option = option
        self._said_why = False

    # Lines.

    def say(self, text: str) -> None:
        """Print a text of any number of lines, which may be painted."""
        if self._coloured:
            self._console.say_painted(make_harmless(text))
        else:
            self._console.say(strip_paint(text))

    def show_line(self, line: str, names: Sequence[str]) -> None:
        """Print an event, with the name of a player in their colour."""
        self.say(by_player(line, names))

    def refuse(self, line: str) -> None:
        """Print why an action is refused."""
        if self._console.interactive:
            line = "\n".join(wrap(line, self.width))
        self.say(paint(line, Tone.REFUSED))

    @property
    def width(self) -> int:
        """The width of lines in cells: of the terminal, but at most `WIDEST`."""
        return min(get_terminal_size().columns, WIDEST)

    def say_what_is_drawn(self) -> None:
        """Print once that the terminal is too small for the document's board, and the effect."""
        if not self._console.interactive or self._said_why or self._showing.compact:
            return
        reason = too_small(self._look.columns)
        self._said_why = bool(reason)
        if reason and self._showing.compact is None:
            reason += "\nA compact one is drawn instead"
            if self._option:
                reason += f"; {self._option} {self._look.style.name} draws the whole one"
            reason += "."
        if reason:
            self.say(reason)

    # Pictures.

    def board(self, state: SorceryState, names: Sequence[str], *, below: int = 0) -> None:
        """Show the board, with room for `below` rows under it."""
        if self.is_compact:
            self.say_what_is_drawn()
            self.say(self._compact().board(state, names, below=below))
            return
        self.say(self._look.board(state, names))

    def turn(
        self,
        state: SorceryState,
        names: Sequence[str],
        name: str,
        *,
        hand: bool = False,
        playable: Collection[int] | None = None,
        below: int = 0,
    ) -> None:
        """Show the beginning of a turn: the board, whose turn it is, and the hand at a terminal.

        Args:
            state: the state of the match.
            names: of the players, as they stand on the board.
            name: of the active player, as people call them.
            hand: whether the hand of the active player is shown.
            playable: the cards of it that can be played now, from 0; None to mark none.
            below: the rows needed below it, without the prompt.
        """
        side = state.sides[state.turn]
        hand = hand and self._console.interactive
        below += 1 + (max(1, len(side.hand)) if hand else 0)
        self.board(state, names, below=below)
        line = f"{name}'s turn."
        if not (self.is_compact and self._console.interactive):  # where the board says the rest
            line += f" Life: {side.life}, magic: {side.magic}."
        self.say(paint(line, PLAYERS[state.turn]))
        if hand:
            self._hand_at_a_turn(side, playable)

    def hand(self, side: Side, playable: Collection[int] | None = None) -> None:
        """Show a hand, and mark the cards in `playable`."""
        if self.is_compact:
            self.say(self._compact().hand(side, playable if self._console.interactive else None))
        else:
            self.say(self._look.hand(side))

    def card(self, card: Minion | Ritual) -> None:
        """Show a minion with its enchantments, or a ritual."""
        look = self._compact() if self.is_compact else self._look
        self.say(look.inspection(card) if isinstance(card, Minion) else look.ritual(card))

    def _hand_at_a_turn(self, side: Side, playable: Collection[int] | None) -> None:
        if self.is_compact:
            self.say(self._compact().hand(side, playable, most=1))
        elif get_terminal_size().lines >= BOARD_HEIGHT + 2 + CARD_HEIGHT:
            self.hand(side)
        else:
            self.say(hand_in_a_line(side, self._cards))

    # The choice of board, and the room for it.

    @property
    def is_compact(self) -> bool:
        """True while the compact board is drawn."""
        if self._showing.compact is not None:
            return self._showing.compact
        return self._console.interactive and bool(too_small(self._look.columns))

    def rows_below(self, state: SorceryState) -> int:
        """Return the rows beside a compact board, a turn line, hand and prompt: at least 1."""
        above = self._compact().fewest_rows(state) + 1 + max(1, len(state.sides[state.turn].hand))
        return max(1, get_terminal_size().lines - above - 1)

    def _compact(self) -> SmallBoard:
        if not self._console.interactive:
            return SmallBoard(self._cards)
        height = max(get_terminal_size().lines, HEIGHT)
        return SmallBoard(self._cards, self.width, height, coloured=self._coloured)


def too_small(most_minions: int = PLACES) -> str:
    """Say why the terminal is too small for the document's board; empty when it is not."""
    width = board_width(most_minions)
    columns, rows = get_terminal_size((WIDTH, HEIGHT))
    if columns < width:
        return f"The board is {width} columns wide, and your terminal {columns}."
    if rows < FEWEST_ROWS:
        return f"The board needs {FEWEST_ROWS} rows, and your terminal has {rows}."
    return ""


def hand_in_a_line(side: Side, cards: Mapping[str, Card]) -> str:
    """Return a hand by names and costs alone."""
    if not side.hand:
        return EMPTY_HAND
    held = (
        f"{place} {one.card} ({cards[one.card].cost})" for place, one in enumerate(side.hand, 1)
    )
    return f"Your hand: {', '.join(held)}."


def read_look(name: str | None, out: TextIO) -> Showing:
    """Return the display that was asked for; else one that `out` can show."""
    asked = STYLES.get(name or "")
    if asked is not None:
        return Showing(asked, compact=False)
    try:
        "".join(map(str, FANCY)).encode(out.encoding or "ascii")
        style = FANCY if out.isatty() and shows_unicode() else SIMPLE
    except (UnicodeEncodeError, LookupError):
        style = SIMPLE
    return Showing(style, compact=True if name == COMPACT else None)


def shows_unicode() -> bool:
    """Return whether the environment has more than ASCII: not for a vt100, nor in the C locale."""
    if os.name != "posix":
        return True
    told = os.environ.get
    kind = told("LC_CTYPE", "")
    if kind in {"C.UTF-8", "C.utf8", "UTF-8"}:  # what Python itself makes of the C locale
        kind = ""
    locale = told("LC_ALL") or kind or told("LANG", "")
    return locale not in {"", "C", "POSIX"} and not re.match(r"vt\d", told("TERM", ""))
