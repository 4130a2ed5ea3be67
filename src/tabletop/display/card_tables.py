"""A ready-made table for card games and social deduction, and the same information as text.

A picture of such a game only needs to return its cards, or words about each player:

    class Drawing(CardTable[Position]):
        def status(self, view, seat):
            return plural(view.points[seat], "point")

Cards and piles are clickable parts. A player clicks them in the order of their names in the text of
an action, such as `qs`, `meld 7h 8h 9h` or `deck`. An action without such a name has a button.
Cards that do not belong to the French deck are drawn from a `Face`. `CardText` describes the table
in lines of text.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import chain, groupby
from math import ceil
from textwrap import wrap
from typing import Any, ClassVar, Final, TypeVar

from tabletop.display.boxes import Box, Column, Flow, Grid, Image, Label, Panel, Row, Stack, mark
from tabletop.display.compositions import art
from tabletop.display.picture import Clickable, Part, Picture, Scene
from tabletop.display.playing_cards import (
    HIGH,
    STRIP,
    Face,
    card_name,
    card_row,
    playing_card,
    readable,
)
from tabletop.display.svg import measure
from tabletop.display.text_view import TextView, seats_in
from tabletop.parts.cards import (
    BACK,
    Card,
    CardsDrawn,
    CardsPassed,
    DeckShuffled,
    Trick,
    french_deck,
)
from tabletop.parts.claims import Blocked, Challenged
from tabletop.rules.events import ALL, ActionPlayed, Event, Watcher
from tabletop.states.bounds import Seat
from tabletop.states.states import State
from tabletop.states.visibility import secrets_of
from tabletop.text_layout import in_columns, side_by_side
from tabletop.wording import join_words, plural

S = TypeVar("S", bound=State)

_PLATE: Final = "seat "  # the prefix of the part for a seat's plate, before the seat number
_MARKET: Final = "market "  # the prefix of a part in the market, before the name of its card
_DO: Final = "do "  # the prefix of a button's part, before the text of its action

_BY_PLACE: Final = re.compile(r"[0-9]+\.[0-9]+")
"""The name of a card in a hand that is identified by its index."""

_PILE: Final = 48.0  # width of a card in a pile
_SMALL_PILE: Final = 36.0  # width of a card in a pile that needs more than one line
_LARGE_PILE: Final = 84.0  # width of a card in a pile on a wide screen if the players have no cards
_FEW: Final = 6  # maximum number of cards of the French deck in a pile with large cards
_GAP: Final = 8.0  # distance between piles

_SHORT_PAD: Final = 5  # the margin on a short screen
_SHORT_CARD: Final = 38.0  # width of a card in a trick on a short screen
_SHORT_PLATE: Final = 84.0  # the width of the plate next to the cards of a seat on a short screen
_BETWEEN: Final = 6.0  # distance between buttons
_MANY: Final = 4  # the number of buttons with the same first word from which on they share the word
_PLATE_HEIGHT: Final = 44  # height of the plate of a seat, large enough to tap

_LOW: Final = 34.0
_LOW_HAND: Final = 40.0
"""Minimum height of a card in a row, and in the hand of the viewer, if there is too little room."""

_LARGEST: Final = (110.0, 140.0)
"""Maximum width of a card in a hand that grows, on a narrow and on a wide screen."""

_TILE: Final = 46.0  # height of a tile of the market, large enough to tap
_TILE_GAP: Final = 4.0  # distance between tiles of the market

_TOUCH: Final = 45.0
"""Minimum visible width of a card in a hand on a narrow screen, wide enough to tap."""

_PLACES: Final[Mapping[int, Sequence[tuple[float, float]]]] = {
    1: ((1, 0),),
    2: ((1, 1), (1, 0)),
    3: ((1, 1), (0, 0.3), (2, 0.3)),
    4: ((1, 1), (0, 0.5), (1, 0), (2, 0.5)),
    5: ((1, 1.6), (0, 1), (0.47, 0), (1.53, 0), (2, 1)),
    6: ((1, 1.7), (0, 1.3), (0, 0.3), (1, 0), (2, 0.3), (2, 1.3)),
    7: ((1, 2), (0, 2), (0, 1), (0.47, 0), (1.53, 0), (2, 1), (2, 2)),
    8: ((1, 2), (0, 2), (0, 1), (0, 0), (1, 0), (2, 0), (2, 1), (2, 2)),
}
"""The columns (0 to 2) and rows of the seats by number of seats, clockwise from the viewer."""

_FRENCH: Final = {str(card): card for card in french_deck()}
"""The cards of the French deck by their texts."""


class CardTable(Picture[S]):
    """The picture of a game for up to eight players with cards, or for any number without cards.

    The viewer sits at the bottom with the cards of its hand. The other seats are at the top, or
    around the cards of a trick, clockwise. Hands of other seats with visible cards are shown below.
    If the players have no cards, all of them are side by side, each with its `status`.

    Attributes:
        buttons: Words of actions that get their own button. A player clicks the button before or
            after the cards and seats that the action names. For example, `("steal", "bite")`
            distinguishes the actions `steal 2` and `bite 2`. If all actions of the button have the
            same `label` apart from the clicked parts, the button shows that label, or else the
            word. An action that names no part has a button for its whole text.
    """

    buttons: ClassVar[Collection[str]] = ()

    def hands(self, view: S, seat: Watcher) -> Sequence[Sequence[Card | Face]]:
        """Return the hand of each seat, with `BACK` for each hidden card.

        By default, the `face` of each card in the field `hands` of the state, in the order of
        `Trick.sorted` if there is a trick, and `BACK` for the cards that the field declares as
        secret. A state without this field is a table of players without cards.

        Args:
            view: The view of the viewer.
            seat: The viewer: a seat, None for a spectator, or `ALL`.
        """
        hands: Sequence[Sequence[Any]] = getattr(view, "hands", ())
        trick, declared = self.trick(view), secrets_of(type(view)).get("hands")
        if trick is not None:
            hands = [trick.sorted(hand) for hand in hands]
        backs = (BACK, declared.back if declared else BACK)
        return [[BACK if card in backs else self.face(card) for card in hand] for hand in hands]

    def face(self, card: Any) -> Card | Face:
        """Return the face of a visible card of the field `hands`. By default, the card itself.

        Override this method for cards other than playing cards, and use it in `piles` and `market`.
        """
        shown: Card | Face = card
        return shown

    def aim(self, action: Any) -> Seat | Collection[Seat] | None:
        """Return the target seat or seats of an action, or None.

        The text of the action must contain the seat numbers. To choose a target, a player clicks
        the plate of the seat. By default, the seats in all fields of the action that are annotated
        with `Seat` (or with a sequence of seats), except the field `seat`.
        """
        return seats_in(action)

    def place(self, action: Any) -> int | None:
        """Return the index in the hand of the card that an action is about, or None.

        The text of the action must contain the number of the card, counted from 1. None by default,
        because most games name cards in the text.
        """
        return None

    def trick(self, view: S) -> Trick | None:
        """Return the current trick, or None.

        The cards of the trick are drawn in front of the seats.

        By default, the field `trick` of the state if it has one.
        """
        trick = getattr(view, "trick", None)
        return trick if isinstance(trick, Trick) else None

    def piles(self, view: S, seat: Watcher) -> Mapping[str, Sequence[Card | Face]]:
        """Return the other cards on the table by the name of their pile. Empty by default.

        The piles are next to each other. A pile with face-down cards is drawn as one card back with
        the number of cards. A player clicks a pile for an action whose text contains the name of
        the pile, such as `deck`.
        """
        return {}

    def market(self, view: S) -> Sequence[Face]:
        """Return the cards that players can take, such as the supply of a deck builder.

        They are drawn as tiles with their picture, name and note. Empty by default.
        """
        return ()

    def takes(self, action: Any) -> bool:
        """Return whether the card that an action names is in the market. False by default.

        A card of the market and an equal card in the hand are different parts.
        """
        return False

    def title(self, pile: str, names: Sequence[str]) -> str:
        """Return the title of a pile. By default, the name of the pile."""
        return pile

    def status(self, view: S, seat: Seat) -> str:
        """Return the text below the name of a seat, such as its points. Empty by default.

        It may have several lines if the players have no cards.
        """
        return ""

    def about(self, word: str) -> str:
        """Return the rules text of a word in `buttons`, shown when a player points at its button.

        Empty by default. The rules text of a card is in its `Face`.
        """
        return ""

    def note(self, view: S, scene: Scene) -> str:
        """Return a note to show below the line about the turn, such as the trump.

        Empty by default. It may have several lines.
        """
        return ""

    def path(self, action: Any, view: S, seat: Seat) -> Sequence[str]:
        """Return the parts that the words of an action name: target, card, pile or button.

        If the words name no part, the path is a button for the whole action.
        """
        piles, place = self.piles(view, seat), self.place(action)
        hands = self.hands(view, seat)
        shown = [*(hands[seat] if hands else ()), *chain(*piles.values())]
        known, aims = {*map(str, shown), *piles} - {""}, self._targets(action)
        in_market = {*map(str, self.market(view))} if self.takes(action) else set[str]()
        named = list[str]()
        for word in str(action).split():
            if word in aims:
                named.append(f"{_PLATE}{word}")
                aims.remove(word)
            elif place is not None and word == str(place + 1):
                named.append(f"{seat + 1}.{word}")
                place = None
            elif word in in_market:
                named.append(f"{_MARKET}{word}")
            elif word in known:
                copies = sum(part == word or part.startswith(f"{word}-") for part in named)
                named.append(f"{word}-{copies + 1}" if copies else word)
            elif word in self.buttons:
                named.append(f"{_DO}{word}")
        return tuple(dict.fromkeys(named)) or (f"{_DO}{action}",)

    def _targets(self, action: Any) -> list[str]:
        """Return the number of each target seat, as in the text of the action."""
        aim = self.aim(action)
        seats = [] if aim is None else [aim] if isinstance(aim, int) else aim
        return [str(seat + 1) for seat in seats]

    def last(self, view: S, scene: Scene) -> Collection[str]:
        """Return the cards and piles of the last action that are on the table, and its targets.

        If there are none, the result is the plate of the seat that acted.
        """
        if (played := scene.played) is None:
            return ()
        words, seat = str(played.action).split(), played.seat
        piles, trick = self.piles(view, scene.seat), self.trick(view)
        visible = {*piles, *map(str, chain(*piles.values()))}
        visible -= {*map(str, chain(*self.hands(view, scene.seat)))}  # equal cards
        parts = [word for word in words if word in visible]
        if self.takes(played.action):
            parts = [f"{_MARKET}{card}" for card in self.market(view) if str(card) in words]
        if trick is not None and str(trick.cards[seat]) in words:
            parts.append(f"{trick.cards[seat]} of {seat + 1}")
        parts += [f"{_PLATE}{aim}" for aim in self._targets(played.action)]
        return parts or [f"{_PLATE}{seat + 1}"]

    def draw(self, view: S, scene: Scene) -> str:
        """Draw the seats around the table, the trick, the piles, the buttons and the hands."""
        drawing = _Drawing(self, view, scene)
        label = _in_one_line([drawing.turn, *drawing.notes])
        return self.lay_out(scene, drawing.tree(), label=label, pad=drawing.pad)


class _Drawing:
    """One picture of a `CardTable`: its contents for the viewer, and their arrangement as boxes.

    The contents are requested from the table once. In `hands`, each card has a name.
    """

    def __init__(self, table: CardTable[Any], view: Any, scene: Scene) -> None:
        self.table, self.scene, self.turn = table, scene, scene.heading
        self.notes = table.note(view, scene).split("\n")
        self.statuses = [table.status(view, seat) for seat in range(len(scene.names))]
        self.hands = [
            [_called(card, f"{number}.{at}") for at, card in enumerate(hand, 1)]
            for number, hand in enumerate(table.hands(view, scene.seat), 1)
        ]
        self.trick, self.market = table.trick(view), table.market(view)
        self.piles = table.piles(view, scene.seat)
        self.pad = _SHORT_PAD if scene.short else 8
        self.width = scene.room[0] - 2 * self.pad  # without margins
        first = scene.seat if isinstance(scene.seat, int) else 0
        self.clockwise = [*range(first, len(scene.names)), *range(first)]

    def tree(self) -> Box:
        """Return all boxes of the table."""
        if self.scene.short:
            return self._short_tree()
        return Column(
            Label(self.turn, 18, anchor="middle", bold=True, wrap=True),
            *(Label(line, 14, anchor="middle", wrap=True) for line in self.notes if line),
            *self._seats(),
            *self._visible_hands.values(),
            *self._market(),
            Flow(*self._piles(), gap=_GAP),
            Flow(*self._buttons(), gap=_BETWEEN),
            *self._own_hand(),
            gap=6,
        )

    def _short_tree(self) -> Box:
        """Return the table for a short screen, with all seats side by side.

        The page next to it shows whose turn it is.
        """
        scene, wide = self.scene, self.width
        note = _in_one_line(self.notes)
        words = [Label(note, 13, anchor="middle", wrap=True)] if note else []
        beside = {} if self.trick else self._visible_hands
        order = [seat for seat in self.clockwise if seat not in beside]
        columns = len(order) if self.trick or len(order) <= 4 else ceil(len(order) / 2)
        plates = [self._short_seat(seat, counted=not beside) for seat in order]
        piles, buttons, cards = self._piles(), self._buttons(), self._own_hand()
        hand: list[Box] = [Stack(Column(*cards, gap=4), width=0, weight=1)]
        if not self.table.buttons and sum(button.width for button in buttons) <= wide / 3:
            hand, buttons = [*hand, Column(Row(*buttons, gap=_BETWEEN))], []
        elif not scene.narrow and buttons:
            across = max(160, wide - sum(pile.width + _GAP for pile in piles))
            flow = Stack(Flow(*buttons, gap=_BETWEEN), width=across)
            piles, buttons = [Row(Stack(Flow(*piles, gap=_GAP), weight=1), flow, width=wide)], []
        if beside and order == [scene.seat]:
            hand, plates = [Stack(*plates, width=_SHORT_PLATE), *hand], []
        seats = Grid(*plates, columns=max(1, columns), gap=4)
        return Column(
            *words,
            seats if self.hands else self._players(),
            Grid(*self._visible_hands.values(), columns=1 if scene.narrow else 2, gap=4),
            *self._market(),
            Flow(*piles, gap=_GAP),
            Flow(*buttons, gap=_BETWEEN),
            Row(*hand, gap=_BETWEEN, weight=2 * bool(cards)),
            gap=4,
        )

    # The seats.

    def _seats(self) -> list[Box]:
        """Return the plates of other seats, and the cards of the trick in front of all seats.

        Without a trick, the plate of a seat with visible cards is next to them.
        """
        if not self.hands:
            return [self._players()]
        seats = len(self.hands)
        if seats not in _PLACES:
            raise ValueError(f"a card table has at most {max(_PLACES)} seats, not {seats}")
        if self.trick:
            return [self._around(self.trick)]
        beside = (self.scene.seat, *self._visible_hands)
        plates = [self._plate(seat) for seat in self.clockwise if seat not in beside]
        thirds = (Stack(plate, width=self.width / 3 - 6) for plate in plates)
        return [Flow(*thirds, gap=6), Box(weight=1)] if plates else []

    def _players(self) -> Box:
        """Return the plates of players without cards, side by side."""
        seats = len(self.scene.names)
        columns = ceil(seats / ceil(seats / 5))
        if self.scene.narrow:
            columns = 3 if self.scene.short else 2
        return Grid(*map(self._plate, range(seats)), columns=columns, gap=6)

    def _around(self, trick: Trick) -> Box:
        """Return the seats in three columns around the cards of the trick."""
        viewer, card = self.scene.seat, 48.0 if self.scene.narrow else 64.0
        high = 54 + HIGH * card
        placed = list(zip(self.clockwise, _PLACES[len(self.hands)], strict=True))
        bottom, (_, middle) = placed[0]

        def draw(width: float, height: float) -> str:
            wide, drawn = width / 3, []
            for seat, (column, row) in placed:
                x, y = column * wide, row * high
                # The seat at the bottom has its plate below its card, other seats above.
                is_below = seat == bottom
                if seat != viewer:
                    plate_y = y + high - _PLATE_HEIGHT if is_below else y
                    drawn.append(self._plate(seat).place(x + 3, plate_y, wide - 6, _PLATE_HEIGHT))
                # Cards are drawn towards the middle, and further where no plate is in the way.
                x += (wide - card) * (1 - column / 2) + (1 - column) * wide * 0.25 * (row < middle)
                y += 0 if is_below else 46
                drawn.append(self._trick_card(trick, seat, card).place(x, y, card, HIGH * card))
            return "".join(drawn)

        # The plate of the viewer is drawn next to the hand.
        lowest = max((row + 1) * high - 46 * (seat == viewer) for seat, (_, row) in placed)
        return Box(draw, height=lowest)

    def _trick_card(self, trick: Trick, seat: Seat, width: float) -> Box:
        """Return the card of a seat in the trick, marked if the seat leads or takes the trick."""
        card, size = trick.cards[seat], (width, HIGH * width)
        if card is None:
            return Box(None, *size)
        mark = "takes" if seat == trick.winner else ""
        if trick.winner is None and seat == trick.leader:
            mark = "leads"
        shown = Image(playing_card(card, width), *size)
        name, radius = f"{card} of {seat + 1}", width / 14
        box: Box = Part(
            self.scene, name, shown, radius=radius, label=card_name(card), key=str(card)
        )
        if mark:
            words = Label(mark, 12, anchor="middle", bold=True)
            pill = Stack(Panel("tt-paper tt-stroke-accent", 8), words, height=16)
            frame = Panel("tt-none tt-stroke-accent", radius, stroke_width=4)
            marks = Stack(frame if mark == "takes" else Box(), Column(pill, anchor="end"), pad=1)
            box = Stack(box, marks)
        return Row(box)

    def _short_seat(self, seat: Seat, *, counted: bool) -> Box:
        """Return the plate of a seat on a short screen, with its card in the trick below."""
        cards = [self._trick_card(self.trick, seat, _SHORT_CARD)] if self.trick else []
        return Column(self._plate(seat, counted=counted), *cards, gap=3)

    def _plate(self, seat: Seat, *, counted: bool = True) -> Box:
        """Return the name of a seat, its status, and the number of its cards if `counted`."""
        scene, name, part = self.scene, self.scene.names[seat], f"{_PLATE}{seat + 1}"
        frame: Box = Panel("tt-paper", 8)
        if seat in scene.to_act and scene.outcome is None:
            line = Stack(Panel("tt-accent", 2), height=4)  # a ring would mean: click here
            frame = Stack(frame, Column(Box(weight=1), line), pad=(8, 0))
        if self.hands:
            height = 38 if scene.short else _PLATE_HEIGHT
            plate = Stack(frame, self._on_plate(seat, counted=counted), pad=(3, 2), height=height)
        else:
            plate = Stack(frame, self._player(seat), pad=3 if scene.short else 6)
        # If actions have targets, a click on an illegal target shows the reason.
        is_aim = scene.live and type(self.table).aim is not CardTable.aim
        is_named = part in scene.last or any(part in choice.path for choice in scene.choices)
        if self.hands and not is_aim and not is_named:
            return plate
        return Part(scene, part, plate, label=name, about=self.statuses[seat])

    def _on_plate(self, seat: Seat, *, counted: bool) -> Box:
        """Return the name and the status of a player with cards, and their number if `counted`."""
        lines, status = [Label(self.scene.names[seat], 14, bold=True)], self.statuses[seat]
        if status:
            lines.append(Label(status, 12, "tt-text-muted"))
        words = Column(*lines, width=0, weight=1)
        if not counted or (self.scene.short and self.scene.narrow):
            return Row(mark(seat, 11), words, gap=3)
        number = Label(str(len(self.hands[seat])), 12, anchor="middle", bold=True)
        count = Stack(Panel("tt-paper", 4), number, width=22, height=14)
        cards = Stack(Image(playing_card(BACK, 20), 20, HIGH * 20), Column(count), width=22)
        return Row(mark(seat, 12), words, cards, gap=4)

    def _player(self, seat: Seat) -> Box:
        """Return the name and the status of a player without cards."""
        short, status = self.scene.short, self.statuses[seat]
        is_small = short or self.scene.narrow
        size, name = 12 if is_small else 15, self.scene.names[seat]
        title = [mark(seat, size - 2 - short), Label(name, size + 2, bold=True, weight=1)]
        if short:
            status = ", ".join(filter(None, status.split("\n")))
        if seat == self.scene.seat and is_small:  # next to the name, it would cut the name off
            status = f"(you) {status}"
        elif seat == self.scene.seat:
            title.append(Label("(you)", size))
        # Empty lines keep their height, so that nothing moves when they are filled.
        lines = (line or " " for line in status.split("\n"))
        words = (Label(line, size, "tt-text-muted", wrap=True) for line in lines)
        return Column(Row(*title, gap=4), *words, gap=0 if short else 2, anchor="start")

    # The hands.

    def _own_hand(self) -> list[Box]:
        """Return the plate and the hand of the viewer."""
        scene = self.scene
        if not isinstance(scene.seat, int) or not self.hands:
            return []
        card, apart = (52.0, _TOUCH) if scene.narrow else (72.0, STRIP * 72)
        if scene.short:
            card, apart = (42.0 if scene.narrow else 52.0), 36
        hand, each = self.hands[scene.seat], int(1 + (self.width - card) // apart)
        rows = self._rows(hand, each, card, [], is_hand=True) if hand else []
        if scene.short:  # all plates are side by side
            return rows
        return [Row(Stack(self._plate(scene.seat), width=self.width / 3 - 6)), *rows]

    @cached_property
    def _visible_hands(self) -> dict[Seat, Box]:
        """The hands of other seats that contain visible cards, next to their plates."""
        scene, rows = self.scene, dict[Seat, Box]()
        # Equal cards are numbered from the hand of the viewer on.
        seen = [*self.hands[scene.seat]] if self.hands and isinstance(scene.seat, int) else []
        for seat, hand in enumerate(self.hands):
            if seat == scene.seat or all(card == BACK for card in hand):
                continue
            size = 66 if any(isinstance(card, Face) for card in hand) else 36
            name: Box = Label(scene.names[seat], 14, bold=True)
            if self.trick is None:
                name = self._plate(seat, counted=False)
            plate = Stack(Column(name), width=_SHORT_PLATE if scene.short else 110)
            rows[seat] = Row(plate, _CardRow(scene, hand, size, [*seen]), gap=4)
            seen += [card for card in hand if card != BACK]
        return rows

    def _rows(
        self,
        cards: Sequence[Card | Face],
        most: int,
        size: float,
        seen: Sequence[Card | Face],
        *,
        is_hand: bool = False,
    ) -> list[Box]:
        """Split cards into one or more rows of equal length with at most `most` cards each."""
        each = max(1, ceil(len(cards) / max(1, ceil(len(cards) / most))))
        return [
            _CardRow(self.scene, cards[at : at + each], size, [*seen, *cards[:at]], is_hand=is_hand)
            for at in range(0, max(1, len(cards)), each)
        ]

    # The other cards, and the buttons.

    def _piles(self) -> list[Box]:
        """Return the piles. A pile with many cards is wider than others."""
        scene, drawn = self.scene, list[Box]()
        seen = [card for card in chain(*self.hands) if card != BACK]
        for name, pile in self.piles.items():
            cards = [BACK] * bool(pile) if BACK in pile else [*pile]
            is_low = len(cards) > _FEW and not any(isinstance(card, Face) for card in cards)
            size = _SMALL_PILE if is_low else _PILE if self.hands or scene.narrow else _LARGE_PILE
            title = self.table.title(name, scene.names)
            if BACK in pile:
                title = f"{title}: {plural(len(pile), 'card')}"
            words = Label(title, 13, anchor="middle", weight=1)
            natural = max(len(cards) * (size + 4), size, measure(title, 13))
            width = min(self.width, natural + 14)
            rows = self._rows(cards, readable(cards, width - 14, size), size, seen)
            content: Box = Column(Stack(words, height=20), *rows, gap=4)
            if scene.short and scene.narrow and len(self.piles) == 1:
                content = Row(words, Stack(Column(*rows, gap=4), weight=3), gap=4)
            lines = Stack(content, pad=(7, 0), width=width)
            drawn.append(Part(scene, name, lines, radius=6, label=title))
            seen += cards
        return drawn

    def _market(self) -> list[Box]:
        """Return the market as rows of tiles, at least 44 high to be touched."""
        columns = 3 if self.scene.narrow else 6
        width = (self.width - _TILE_GAP * (columns - 1)) / columns
        tiles = [self._tile(face, width) for face in self.market]
        return [Grid(*tiles, columns=columns, gap=_TILE_GAP), Box(weight=1)] if tiles else []

    def _tile(self, face: Face, width: float) -> Box:
        """Return a card of the market: its picture, and its name and note next to it."""
        part, is_short = f"{_MARKET}{face}", self.scene.short
        ground = Panel("tt-card" if self.scene.is_lit(part) else "tt-paper-deep", 8)
        size, high = _TILE - 10, 38 if is_short else _TILE
        picture = [] if is_short else [Box(width=4)]
        if face.art and not is_short:
            picture = [Image(art(face.art, size, size), size, size)]
        notes = (Label(line, 12) for line in face.note.split("\n") if line)
        words = Column(Label(face.words or face.name, 14, bold=True), *notes, weight=1, width=0)
        row, pad = Row(*picture, words, gap=4), (4, 2) if is_short else 5
        tile = Stack(ground, row, pad=pad, width=width, height=high)
        return Part(self.scene, part, tile, label=card_name(face), about=face.about, key=part)

    def _buttons(self) -> list[Box]:
        """Return the buttons, and the words that several of them share as captions."""
        scene, labels = self.scene, self._button_labels()
        buttons, captions = list[Box](), set[str]()
        shared = Counter(label.partition(" ")[0] for label in labels.values() if " " in label)
        for part, label in labels.items():
            first, _, rest = label.partition(" ")
            is_shared = rest and shared[first] >= _MANY
            if is_shared and first not in captions:
                captions.add(first)
                buttons.append(Label(first, 15, bold=True))
            shown, most = rest if is_shared else label, self.width - 28
            words = Label(shown, 15, anchor="middle", bold=True, most=most)
            pad = 10 if scene.short else 14
            width = max(44, words.width + 2 * pad)
            body = Stack(Panel("tt-card", 10), words, pad=(pad, 0), width=width, height=44)
            word = part.removeprefix(_DO)
            about, verb = self.table.about(word), word in self.table.buttons
            then = f"{label} whom?" if self._is_aimed(part) else ""
            buttons.append(
                Part(scene, part, body, radius=10, label=label, about=about, then=then, verb=verb)
            )
        if not buttons and self.table.buttons and scene.outcome is None:
            # So that nothing moves when the turn begins, unless the cards need the room.
            return [Box(height=44, least=0)]
        return buttons

    def _button_labels(self) -> dict[str, str]:
        """Return the label of each button by its part: first actions, then the words `buttons`."""
        choices, labels = self.scene.choices, dict[str, str]()
        for choice in choices:
            for part in choice.path[:1]:
                if part.startswith(_DO) and part.removeprefix(_DO) not in self.table.buttons:
                    labels.setdefault(part, choice.label)
        for word in self.table.buttons:
            part, names = f"{_DO}{word}", self.scene.names
            texts = {_label_of(choice, part, names) for choice in choices if part in choice.path}
            if texts == {word}:
                labels[part] = word.capitalize()  # such as "No", which looks like a code
            elif texts:
                labels[part] = min(texts) if len(texts) == 1 else word
        return labels

    def _is_aimed(self, part: str) -> bool:
        """Return whether a button is clicked before a seat, and nothing else."""
        paths = (choice.path for choice in self.scene.choices if part in choice.path)
        others = {*chain(*paths)} - {part}
        return bool(others) and all(other.startswith(_PLATE) for other in others)


class _CardRow(Box):
    """Cards side by side, as drawn by `card_row`.

    With `is_hand`, the cards grow with the height of the row, as long as they do not overlap.
    """

    def __init__(
        self,
        scene: Scene,
        cards: Sequence[Card | Face],
        size: float,
        seen: Sequence[Card | Face],
        *,
        is_hand: bool = False,
    ) -> None:
        low = _LOW_HAND if is_hand else _LOW
        super().__init__(None, 0, HIGH * size, weight=2 if is_hand else 1, least=low)
        self._is_hand = is_hand
        self._scene, self._cards, self._size, self._seen = scene, cards, size, seen

    def place(self, x: float, y: float, width: float, height: float) -> str:
        """Draw the cards, or the outline of a card if there are none."""
        size, each = self._size, width / max(1, len(self._cards)) - 4
        if not self._cards:
            frame = Panel("tt-none tt-stroke-line", size / 14)
            return frame.place(x + (width - size) / 2, y, size, min(height, HIGH * size))
        if self._is_hand:
            most = _LARGEST[not self._scene.narrow and not self._scene.short]
            low = min(0.25 * size, max(0, HIGH * size - height))  # a low card is wider
            size = max(size, min(most, max(size + low, height / HIGH), each))
        if any(isinstance(card, Face) for card in self._cards):
            size = min(size, max(_SMALL_PILE, each))  # an overlapped card would hide its text
        row = self._scene, self._cards, x, y, width, size
        return card_row(*row, drawn_before=self._seen, is_hand=self._is_hand, height=height)


def _in_one_line(sentences: Sequence[str]) -> str:
    return ". ".join(sentence.rstrip(".") for sentence in sentences if sentence)


def _label_of(choice: Clickable, part: str, names: Sequence[str]) -> str:
    """Return the label of an action without the words for the other parts of its path."""
    label, clicked = choice.label, list[str]()
    for other in choice.path:
        if other.startswith(_PLATE):
            number = other.removeprefix(_PLATE)
            label = label.replace(names[int(number) - 1], number)
            clicked.append(number)
        elif other != part:
            place = other.rpartition(".")[2] if _BY_PLACE.fullmatch(other) else other
            clicked.append(place.removeprefix(_DO))
    words = label.split()
    for word in clicked:  # remove one occurrence only: another may have a different meaning
        at = next((at for at, other in enumerate(words) if other.strip(",:;()") == word), None)
        if at is not None:
            del words[at]
    return " ".join(words)


def _called(card: Card | Face, place: str) -> Card | Face:
    """Identify a card without a name by its index."""
    return replace(card, name=place) if isinstance(card, Face) and not card.name else card


# The text of a card game.


def cards_in_words(cards: Sequence[Card | Face | str | int]) -> str:
    """Format cards for a sentence: their names, or the number of cards if some are face down.

    >>> from tabletop.parts.cards import card
    >>> cards_in_words([card("kh"), card("2s")])
    'the king of hearts and the 2 of spades'
    >>> cards_in_words([Face("r2", "R2"), Face("crown")])
    'R2 and crown'
    """
    if BACK in cards:
        return "a card" if len(cards) == 1 else plural(len(cards), "card")
    names = [f"the {card_name(it)}" if isinstance(it, Card) else _written(it) for it in cards]
    return join_words(names, "and")


def _in_groups(cards: Sequence[Card | Face], trick: Trick | None) -> str:
    """Format a pile or a hand, with two spaces between suits, and the number of other cards."""
    seen = [card for card in cards if card != BACK]
    hidden = len(cards) - len(seen)
    if not seen:
        return plural(hidden, "card") if hidden else "-"

    more = f" and {hidden} more" if hidden else ""
    if any(isinstance(card, Face) for card in seen):
        return "  ".join(map(_written, seen)) + more

    def group(card: Any) -> object:
        return card.suit if trick is None else trick.suit_of(card)

    return "  ".join(" ".join(map(_written, row)) for _, row in groupby(seen, group)) + more


def _written(card: Card | Face | str | int) -> str:
    if not isinstance(card, Face):
        return str(card)
    note = " ".join(card.note.split("\n"))
    return (card.words or card.name) + (f" ({note})" if note else "")


def _break(line: str, indent: int) -> list[str]:
    """Break a line of cards between words, and indent its continuation."""
    start = " " * (indent if indent < _COLUMNS // 2 else 4)
    return wrap(
        line, _COLUMNS, subsequent_indent=start, break_long_words=False, break_on_hyphens=False
    )


_COLUMNS: Final = 79  # the longest line of a card table as text, for terminals of 80 columns


class CardText(TextView[S]):
    """The text of a card game: the contents of its `CardTable` as lines. Only `table` is required.

    In the log, a seat "plays" the words of its action, or "passes". A subclass with its own `verbs`
    keeps these two phrases with `{**CardText.verbs, ...}`. Cards of the French deck have their
    names in words.

    The note comes first. Each seat has a line with its name, its card in the trick (after `>` for
    the leader), its status and its hand. The cards of the market follow. Each pile has a line. A
    secret choice of a seat has no line in the log.

    Attributes:
        table: The picture of the game.
    """

    table: ClassVar[CardTable[Any]]
    verbs: ClassVar[Mapping[str, str]] = {"": "plays {}", "pass": "passes"}

    def position(self, view: S, names: Sequence[str], seat: Watcher = ALL) -> str:
        """Format the contents of the table."""
        table, trick, seats = self.table, self.table.trick(view), range(len(names))
        played = [""] * len(names)
        if trick is not None and (any(trick.cards) or trick.next_leader is not None):
            marks = [">" if place == trick.leader else " " for place in range(len(names))]
            played = [
                f"{mark} {card or '-'!s}" for mark, card in zip(marks, trick.cards, strict=True)
            ]
        status = [", ".join(filter(None, table.status(view, at).split("\n"))) for at in seats]
        hands = [_in_groups(hand, trick) for hand in table.hands(view, seat)]
        if not hands:
            hands, status = status, [f"{names[at]}{' (you)' * (at == seat)}" for at in seats]
            names = [str(at + 1) for at in seats]
        lines = [line for line in table.note(view, Scene(names, seat)).split("\n") if line]
        before = [names, played, status]
        indent = 2 + max(map(len, in_columns(before)))
        for row in in_columns([*before, hands]):
            lines += _break(row, indent)
        lines += side_by_side([_written(card) for card in table.market(view)], _COLUMNS)
        for name, cards in table.piles(view, seat).items():
            title = table.title(name, names)
            lines += _break(f"{title}: {_in_groups(cards, trick)}", 4)
        return "\n".join(lines)

    def event(self, event: Event, names: Sequence[str], seat: Watcher = ALL) -> str:
        """Format an event, including the events of `tabletop.parts`. Empty for a secret choice."""
        match event:
            case ActionPlayed(action=None):
                line = ""
            case _ if type(event).__name__ in self.verbs:
                line = super().event(event, names, seat)
            case Blocked(by, role):
                line = f"{names[by]} claims to be the {role} to block this."
            case Challenged(by, claimer, role, lied=True):
                line = f"{names[by]} challenges {names[claimer]}, who is not the {role}."
            case Challenged(by, claimer, role):
                line = f"{names[by]} challenges {names[claimer]}, who shows the {role}."
            case CardsDrawn(drawer, cards):
                line = f"{names[drawer]} draws {cards_in_words(cards)}."
            case DeckShuffled(dealer):
                line = f"{names[dealer]} shuffles the deck."
            case CardsPassed(seat=receiver, giver=giver, cards=cards):
                line = f"{names[giver]} passes {names[receiver]} {cards_in_words(sorted(cards))}."
            case _:
                line = super().event(event, names, seat)
        return line

    def glossary(self, view: S, seat: Watcher = ALL) -> Mapping[str, str]:
        """Return `Face.about` of the visible cards, and the texts of the buttons."""
        table = self.table
        rows = [table.market(view), *table.hands(view, seat), *table.piles(view, seat).values()]
        texts = {card.name: card.about for row in rows for card in row if isinstance(card, Face)}
        texts |= {word: table.about(word) for word in table.buttons}
        return {word: text for word, text in texts.items() if word and text}

    def _action_in_words(self, action: Any, words: str, names: Sequence[str]) -> str:
        each = words.split(" ")
        for number in self.table._targets(action):
            if number in each:
                each[each.index(number)] = names[int(number) - 1]
        return " ".join(
            cards_in_words([_FRENCH[word] for word in run]) if is_cards else " ".join(run)
            for is_cards, run in groupby(each, _FRENCH.__contains__)
        )
