"""The display at a terminal: the document's board or a compact one, plain or in colours.

Output that is not interactive always uses the document's board without colours.
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
from sorcery.text.frames import ASCII, FANCY, SIMPLE, STYLES, Style, wrap
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
"""Rows that the document's board needs, with a line for the turn, the hand in one line, and the
prompt."""

WIDEST: Final = 120
"""Maximum length of lines. Longer lines are hard to read."""

COMPACT: Final = "compact"
"""Value of the option `-style` for the compact board."""


class Showing(NamedTuple):
    """The style and size of the display."""

    style: Style
    compact: bool | None = None
    """Whether to use the compact board. None means to use it if the terminal is too small."""


PLAIN: Final = Showing(SIMPLE, compact=False)
"""The document's board in ASCII."""


class Display:
    """Prints the lines, boards, hands and cards of a match on a console.

    `option` is the name of the option that selects a style, or empty if there is no such option.
    """

    def __init__(
        self, console: Console, edition: Edition, showing: Showing, *, option: str = "-style"
    ) -> None:
        self._console = console
        self._showing = showing
        self._cards = edition.cards
        self._coloured = console.interactive and shows_colours()
        self._board = TextBoard(edition, showing.style, self._coloured)
        self._option = option
        self._explained = False

    # Lines.

    def say(self, text: str) -> None:
        """Print a text, which may have several lines and may be painted."""
        if self._coloured:
            self._console.say_painted(make_harmless(text))
        else:
            self._console.say(strip_paint(text))

    def show_line(self, line: str, names: Sequence[str]) -> None:
        """Print an event, with the player's name at its beginning in the player's colour."""
        self.say(by_player(line, names))

    def refuse(self, line: str) -> None:
        """Print the reason for refusing an action."""
        if self._console.interactive:
            line = "\n".join(wrap(line, self.width))
        self.say(paint(line, Tone.REFUSED))

    @property
    def width(self) -> int:
        """Width of lines in cells: the width of the terminal, but at most `WIDEST`."""
        return min(get_terminal_size().columns, WIDEST)

    def explain_compact_board(self) -> None:
        """Print once that the terminal is too small for the document's board."""
        if not self._console.interactive or self._explained or self._showing.compact:
            return
        reason = too_small(self._board.edition.most_minions)
        self._explained = bool(reason)
        if reason and self._showing.compact is None:
            reason += "\nA compact board is shown instead"
            if self._option:
                reason += f". Use {self._option} {self._board.style.name} for the full board"
            reason += "."
        if reason:
            self.say(reason)

    # Pictures.

    def board(self, state: SorceryState, names: Sequence[str], *, below: int = 0) -> None:
        """Show the board, leaving `below` rows free under it."""
        if self.is_compact:
            self.explain_compact_board()
            self.say(self._compact().board(state, names, below=below))
            return
        self.say(self._board.board(state, names))

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
        """Show the beginning of a turn: the board, the player's name, and the hand.

        The hand is shown only on an interactive console.

        Args:
            state: The state of the match.
            names: Names of the players on the board.
            name: Name of the active player in sentences.
            hand: Whether to show the hand of the active player.
            playable: Places (from 0) of the cards that can be played now, or None to mark none.
            below: Number of rows to leave free below, not counting the prompt.
        """
        side = state.sides[state.turn]
        hand = hand and self._console.interactive
        below += 1 + (max(1, len(side.hand)) if hand else 0)
        self.board(state, names, below=below)
        line = f"{name}'s turn."
        if not (self.is_compact and self._console.interactive):  # a compact board includes these
            line += f" Life: {side.life}, magic: {side.magic}."
        self.say(paint(line, PLAYERS[state.turn]))
        if hand:
            self._hand_at_a_turn(side, playable)

    def hand(self, side: Side, playable: Collection[int] | None = None) -> None:
        """Show a hand, marking the cards in `playable`."""
        if self.is_compact:
            self.say(self._compact().hand(side, playable if self._console.interactive else None))
        else:
            self.say(self._board.hand(side))

    def card(self, card: Minion | Ritual) -> None:
        """Show a minion with its enchantments, or a ritual."""
        board = self._compact() if self.is_compact else self._board
        self.say(board.inspection(card) if isinstance(card, Minion) else board.ritual(card))

    def _hand_at_a_turn(self, side: Side, playable: Collection[int] | None) -> None:
        if self.is_compact:
            self.say(self._compact().hand(side, playable, most=1))
        elif get_terminal_size().lines >= BOARD_HEIGHT + 2 + CARD_HEIGHT:
            self.hand(side)
        else:
            self.say(hand_in_a_line(side, self._cards))

    # Choice of the board, and free rows.

    @property
    def is_compact(self) -> bool:
        """Whether the compact board is shown."""
        if self._showing.compact is not None:
            return self._showing.compact
        return self._console.interactive and bool(too_small(self._board.edition.most_minions))

    def rows_below(self, state: SorceryState) -> int:
        """Return the number of rows that remain free, at least 1.

        These are the rows left after a compact board, the turn line, the hand and the prompt have
        been drawn.
        """
        above = self._compact().fewest_rows(state) + 1 + max(1, len(state.sides[state.turn].hand))
        return max(1, get_terminal_size().lines - above - 1)

    def _compact(self) -> SmallBoard:
        if not self._console.interactive:
            return SmallBoard(self._cards)
        height = max(get_terminal_size().lines, HEIGHT)
        return SmallBoard(self._cards, self.width, height, coloured=self._coloured)


def too_small(most_minions: int = PLACES) -> str:
    """Return the reason why the terminal is too small for the document's board, or ""."""
    width = board_width(most_minions)
    columns, rows = get_terminal_size((WIDTH, HEIGHT))
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
