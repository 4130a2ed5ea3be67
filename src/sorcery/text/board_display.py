"""The display at a terminal: the document's board or a compact one, plain or in colours.

Output that is not interactive always uses the document's board without colours.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Mapping, Sequence
from typing import Final, NamedTuple, TextIO

from sorcery.cards.card import Card
from sorcery.cards.editions import Edition
from sorcery.cards.state import PLACES, Minion, Ritual, Side, SorceryState
from sorcery.text.frames import ASCII, FANCY, SIMPLE, STYLES, Style, wrap
from sorcery.text.small_board import HEIGHT, SmallBoard
from sorcery.text.terminal_colours import (
    PLAYERS,
    Tone,
    by_player,
    paint,
)
from sorcery.text.text_board import CARD_HEIGHT, EMPTY_HAND, TextBoard, board_width
from tabletop.display import Size

BOARD_HEIGHT: Final = 56
FEWEST_ROWS: Final = BOARD_HEIGHT + 3
"""Rows that the document's board needs, with a line for the turn, the hand in one line, and the
prompt."""

WIDEST: Final = 120  # Maximum length of lines. Longer lines are hard to read.
COMPACT: Final = "compact"  # value of the option `-style` for the compact board


class Showing(NamedTuple):
    """The style and size of the display."""

    style: Style
    compact: bool | None = None  # the compact board, by default if the terminal is too small


PLAIN: Final = Showing(SIMPLE, compact=False)  # the document's board in ASCII


class Display:
    """Draws the boards, hands and cards of a match for a screen, or for piped output of size 0."""

    def __init__(
        self, edition: Edition, showing: Showing, size: Size, *, colours: bool = False
    ) -> None:
        self._edition = edition
        self._showing = showing
        self._size = size
        self._coloured = colours
        self._full = TextBoard(edition, showing.style, colours)
        self._compact = SmallBoard(edition.cards)
        if size.columns:
            height = max(size.rows, HEIGHT)
            self._compact = SmallBoard(edition.cards, self.width, height, coloured=colours)
        self.is_compact: bool = bool(showing.compact)
        if showing.compact is None and size.columns:
            self.is_compact = bool(too_small(size, edition.most_minions))

    # Lines.

    def line(self, text: str, names: Sequence[str]) -> str:
        """Return the line of an event, with the player's name at its start in its colour."""
        return by_player(text, names) if self._coloured else text

    def refusal(self, text: str) -> str:
        """Return the reason for refusing an action."""
        if self._size.columns:
            text = "\n".join(wrap(text, self.width))
        return self._paint(text, Tone.REFUSED)

    @property
    def width(self) -> int:
        """Width of lines in cells: the width of the terminal, but at most `WIDEST`."""
        return min(self._size.columns, WIDEST)

    def explanation(self, option: str = "") -> str:
        """Return that the terminal is too small for the document's board, or ""."""
        if not self._size.columns or self._showing.compact:
            return ""
        text = too_small(self._size, self._edition.most_minions)
        if text and self._showing.compact is None:
            text += "\nA compact board is shown instead"
            if option:
                text += f". Use {option} {self._full.style.name} for the full board"
            text += "."
        return text

    # Pictures.

    def board(self, state: SorceryState, names: Sequence[str], *, below: int = 0) -> str:
        """Return the board, which leaves `below` rows free under it."""
        if self.is_compact:
            return self._compact.board(state, names, below=below)
        return self._full.board(state, names)

    def turn(
        self,
        state: SorceryState,
        names: Sequence[str],
        name: str,
        *,
        hand: bool = False,
        playable: Collection[int] | None = None,
        below: int = 0,
    ) -> str:
        """Return the beginning of a turn: the board, the player's name, and the hand on a screen.

        Sentences contain `name`, and the board `names`. Cards in the hand at the places `playable`
        are marked. `below` rows are left free, not counting the prompt.
        """
        side, on_screen = state.sides[state.turn], bool(self._size.columns)
        hand = hand and on_screen
        below += 1 + (max(1, len(side.hand)) if hand else 0)
        line = f"{name}'s turn."
        if not (self.is_compact and on_screen):  # a compact board includes these
            line += f" Life: {side.life}, magic: {side.magic}."
        parts = [
            self.board(state, names, below=below),
            self._paint(line, PLAYERS[state.turn]),
            *([self._hand_at_a_turn(side, playable)] if hand else []),
        ]
        return "\n".join(parts)

    def hand(self, side: Side, playable: Collection[int] | None = None) -> str:
        """Return a hand, in which the cards in `playable` are marked."""
        if self.is_compact:
            return self._compact.hand(side, playable if self._size.columns else None)
        return self._full.hand(side)

    def card(self, card: Minion | Ritual) -> str:
        """Return a minion with its enchantments, or a ritual."""
        board = self._compact if self.is_compact else self._full
        return board.inspection(card) if isinstance(card, Minion) else board.ritual(card)

    def _hand_at_a_turn(self, side: Side, playable: Collection[int] | None) -> str:
        if self.is_compact:
            return self._compact.hand(side, playable, most=1)
        if self._size.rows >= BOARD_HEIGHT + 2 + CARD_HEIGHT:
            return self.hand(side)
        return hand_in_a_line(side, self._edition.cards)

    def _paint(self, text: str, tone: Tone) -> str:
        return paint(text, tone) if self._coloured else text

    def rows_below(self, state: SorceryState) -> int:
        """Return the number of rows, at least 1, below a compact board, its hand and the prompt."""
        above = self._compact.fewest_rows(state) + 1 + max(1, len(state.sides[state.turn].hand))
        return max(1, self._size.rows - above - 1)


def too_small(size: Size, most_minions: int = PLACES) -> str:
    """Return the reason why the terminal is too small for the document's board, or ""."""
    width, (columns, rows) = board_width(most_minions), size
    if columns < width:
        return f"The board is {width} columns wide, but your terminal has only {columns} columns."
    if rows < FEWEST_ROWS:
        return f"The board needs {FEWEST_ROWS} rows, but your terminal has only {rows}."
    return ""


def hand_in_a_line(side: Side, cards: Mapping[str, Card]) -> str:
    """Return a hand in one line, with names and costs only."""
    if not side.hand:
        return EMPTY_HAND
    cards_in_hand = (
        f"{place} {card.card} ({cards[card.card].cost})" for place, card in enumerate(side.hand, 1)
    )
    return f"Your hand: {', '.join(cards_in_hand)}."


def read_look(name: str | None, out: TextIO) -> Showing:
    """Return the requested display, or by default the best display that `out` supports."""
    style = STYLES.get(name or "")
    if style is not None:
        return Showing(style, compact=False)
    try:
        "".join((*map(chr, ASCII), *FANCY.logo)).encode(out.encoding or "ascii")
        style = FANCY if out.isatty() and shows_unicode() else SIMPLE
    except (UnicodeEncodeError, LookupError):
        style = SIMPLE
    return Showing(style, compact=True if name == COMPACT else None)


def shows_unicode() -> bool:
    """Return whether the environment supports Unicode. The C locale and a vt100 do not."""
    if os.name != "posix":
        return True
    variable = os.environ.get
    kind = variable("LC_CTYPE", "")
    if kind in {"C.UTF-8", "C.utf8", "UTF-8"}:  # Python itself sets these in the C locale
        kind = ""
    locale = variable("LC_ALL") or kind or variable("LANG", "")
    return locale not in {"", "C", "POSIX"} and not re.match(r"vt\d", variable("TERM", ""))
