"""A ready table for a card game, and the same in words.

A picture of such a game only says which cards lie where:

    class Drawing(CardTable[Position]):
        def status(self, view, seat):
            return plural(view.points[seat], "point")

Cards and piles are parts: click them in the order in which an action's text names them (`qs`,
`meld 7h 8h 9h`, `deck`). An action that names none of them has a button. Cards that are no French
ones are drawn from a `Face`. `CardText` says in lines of text what such a table shows.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from math import ceil
from typing import Any, ClassVar, Final, TypeVar

from tabletop.display.picture import Clickable, Picture, Scene, turn_in_words
from tabletop.display.playing_cards import (
    HIGH,
    STRIP,
    Face,
    card_name,
    card_part,
    card_row,
    playing_card,
    readable,
)
from tabletop.display.svg import FLOOR, group, measure, rect, seat_mark, text, wrap
from tabletop.display.text_view import TextView
from tabletop.parts.cards import BACK, Card, CardsPassed, Trick
from tabletop.parts.claims import Blocked, Challenged
from tabletop.rules.events import ALL, ActionPlayed, Event, Watcher
from tabletop.states.bounds import Seat
from tabletop.states.states import State
from tabletop.text_layout import in_columns
from tabletop.wording import plural

S = TypeVar("S", bound=State)

_SMALL_PILE: Final = 36.0
"""The width of a card in a pile that has lines of its own."""

_TOUCH: Final = 45
"""The width of a card in a hand that a finger can hit, on a narrow screen."""

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
"""The columns and rows of seats, clockwise from the one that looks: three columns have room."""

_CARD_PART: Final = re.compile("( of [0-9]+|-[0-9]+)$")
"""What the name of a part has beside its card: its seat in a trick, the number of an equal one."""

_DO: Final = "do "
"""The beginning of the name of a button, which goes on with the text of its action."""

_BY_PLACE: Final = re.compile(r"[0-9]+\.[0-9]+")
"""The name of a card in a hand that is called by its place."""

_PLATE: Final = "seat "
"""The beginning of the name of a plate that is clicked, which goes on with the seat's number."""


class CardTable(Picture[S]):
    """The picture of a card game for up to eight; a field `hands` of the state is all it needs.

    The seat that looks is at the bottom, with its hand; the others sit round the table, in turn to
    the left. Hands of others of which a card is seen lie in rows below them.

    Attributes:
        buttons: words of actions that are buttons of their own, clicked before the cards and seats
            or after them: `("steal", "bite")` where `steal 2` and `bite 2` are two actions. A text
            of which nothing else can be clicked is a button as a whole. Both have the words of
            `label`: of `steal 2 (thief)` without what else is clicked, if that is the same for all.
    """

    buttons: ClassVar[Collection[str]] = ()

    def hands(self, view: S) -> Sequence[Sequence[Card | Face]]:
        """Return the hand of each seat, with `BACK` for a card that is not seen.

        By default the field `hands` of the state.

        Raises:
            TypeError: the state has no such field.
        """
        hands: Sequence[Sequence[Card | Face]] | None = getattr(view, "hands", None)
        if hands is None:
            raise TypeError(
                f"{type(view).__name__} has no field hands: write a method hands in"
                f" {type(self).__name__} that returns the hand of each seat"
            )
        return hands

    def aim(self, action: Any) -> Seat | None:
        """Return the seat that an action is aimed at, if its text has the number of it.

        It is clicked by its name on the table. By default there is none.
        """
        return None

    def place(self, action: Any) -> int | None:
        """Return the place in the hand, from 0, of the own card that an action is about.

        Its text has the number of it, from 1. By default there is none: texts name cards.
        """
        return None

    def trick(self, view: S) -> Trick | None:
        """Return the trick, of which each card lies before its seat.

        By default the field `trick` of the state, if it has one.
        """
        trick = getattr(view, "trick", None)
        return trick if isinstance(trick, Trick) else None

    def piles(self, view: S, seat: Watcher) -> Mapping[str, Sequence[Card | Face]]:
        """Return other cards on the table, by a name for each pile; by default none.

        They lie in a row each; cards face down are one back with their number. An action whose text
        has the name of a pile is a click on it: `deck`.
        """
        return {}

    def status(self, view: S, seat: Seat) -> str:
        """Return what stands below the name of a seat, such as its points; by default nothing."""
        return ""

    def note(self, view: S, scene: Scene) -> str:
        """Return the note beside the turn, such as the trump; by default nothing.

        Further lines of it stand below the turn.
        """
        return ""

    def path(self, action: Any, view: S, seat: Seat) -> Sequence[str]:
        """Return what the words of an action name: its aim, its place, cards, piles, `buttons`.

        A button for the whole action if there is none of them.
        """
        piles, place = self.piles(view, seat), self.place(action)
        shown = [*self.hands(view)[seat], *(card for pile in piles.values() for card in pile)]
        known, aim = {*map(str, shown), *piles} - {""}, self.aim(action)
        named = []
        for word in str(action).split():
            if aim is not None and word == str(aim + 1):
                named.append(f"{_PLATE}{word}")
                aim = None
            elif place is not None and word == str(place + 1):
                named.append(f"{seat + 1}.{word}")
                place = None
            elif word in known:
                named.append(word)
            elif word in self.buttons:
                named.append(f"{_DO}{word}")
        return tuple(dict.fromkeys(named)) or (f"{_DO}{action}",)

    def last(self, view: S, scene: Scene) -> Collection[str]:
        """Return the cards and piles on the table that the last action names, and its aim.

        The plate of who has acted if there is none of them.
        """
        if (played := scene.played) is None:
            return ()
        words, seat, aim = str(played.action).split(), played.seat, self.aim(played.action)
        piles, trick = self.piles(view, scene.seat), self.trick(view)
        lying = {*piles, *(str(card) for pile in piles.values() for card in pile)}
        lying -= {str(card) for hand in self.hands(view) for card in hand}  # equal ones
        found = [word for word in words if word in lying]
        if trick is not None and str(trick.cards[seat]) in words:
            found.append(f"{trick.cards[seat]} of {seat + 1}")
        if aim is not None:
            found.append(f"{_PLATE}{aim + 1}")
        return found or [f"{_PLATE}{seat + 1}"]

    def attempt(self, part: str, view: S, seat: Seat) -> str:
        """Return the card, the pile or the text of the button that was clicked."""
        if part.startswith(_PLATE) or _BY_PLACE.fullmatch(part):
            return ""
        return part.removeprefix(_DO) if part.startswith(_DO) else _CARD_PART.sub("", part)

    def draw(self, view: S, scene: Scene) -> str:
        """Draw the seats round the table, the trick, the piles, the buttons and the hands."""
        note, *below = self.note(view, scene).split("\n")
        turn = turn_in_words(scene)
        said = "; ".join(filter(None, (turn, note)))
        width, top = (390, 46.0) if scene.narrow else (760, 46.0)
        heading = said
        if note and FLOOR * measure(said, 18, bold=True) > width - 24:  # it would be cut
            heading, below = turn, [note, *below]
        body = [text(width / 2, 29, heading, 18, width - 24, anchor="middle", bold=True)]
        for line in (it for long in below for it in _lines(long, 14, width - 24)):
            body.append(text(width / 2, top + 4, line, 14, width - 24, anchor="middle"))
            top += 20
        for draw in (
            self._draw_seats,
            self._draw_shown,
            self._draw_piles,
            self._draw_buttons,
            self._draw_hand,
        ):
            drawn, top = draw(view, scene, width, top)
            body.append(drawn)
        ground = rect(0, 0, width, top, "tt-cloth")
        return self.whole(scene, (width, top), ground, *body, label=said)

    def _draw_seats(self, view: S, scene: Scene, width: float, top: float) -> tuple[str, float]:
        hands, trick = self.hands(view), self.trick(view)
        seats, first = len(hands), scene.seat if isinstance(scene.seat, int) else 0
        if seats not in _PLACES:
            raise ValueError(f"{seats} seats do not fit round a table: {max(_PLACES)} do")
        card = (48.0 if scene.narrow else 64.0) if trick is not None else 0
        cell = (width - 16) / 3, 46 + HIGH * card + (8 if card else 0)
        drawn, bottom = [], top
        for place, (column, row) in enumerate(_PLACES[seats]):
            seat = (first + place) % seats
            # Who looks has the plate beside the hand.
            is_own = seat == scene.seat
            x, y = 8 + column * cell[0], top + row * cell[1]
            bottom = max(bottom, y + cell[1] - 46 * is_own)
            # Whoever sits below has the plate below the card, all others above it.
            is_below = place == 0
            plate_y = y + (cell[1] - 44 if is_below else 0)
            if not is_own:
                drawn.append(self._plate(view, scene, seat, (x + 3, plate_y, cell[0] - 6)))
            lies = trick.cards[seat] if trick is not None else None
            if trick is None or lies is None:
                continue
            # Cards lie to the middle; at the sides even further, where no plate is in the way.
            across = (cell[0] - card) * (1 - column / 2)
            across += (1 - column) * cell[0] * 0.25 * (row < _PLACES[seats][0][1])
            at = (x + across, y + (0 if is_below else 46))
            does = "leads" if seat == trick.leader else ""
            if trick.winner is not None:
                does = "takes" if seat == trick.winner else ""
            drawn.append(self._lying(scene, seat, lies, at, card, does))
        return "".join(drawn), bottom + 6

    def _lying(
        self, scene: Scene, seat: Seat, card: Card, at: tuple[float, float], width: float, does: str
    ) -> str:
        """A card of the trick, and what its seat does with it: lead, or take the trick."""
        drawn = card_part(scene, f"{card} of {seat + 1}", card, at, width)
        if not does:
            return drawn
        high, x, y = HIGH * width, *at
        frame = rect(x, y, width, high, "tt-none tt-stroke-accent", width / 14, stroke_width=4)
        pill = rect(x + 1, y + high - 17, width - 2, 16, "tt-paper tt-stroke-accent", 8)
        words = text(x + width / 2, y + high - 5, does, 12, width - 6, anchor="middle", bold=True)
        return drawn + (frame if does == "takes" else "") + pill + words

    def _plate(self, view: S, scene: Scene, seat: Seat, box: tuple[float, float, float]) -> str:
        """The name of a seat, its status, and how many cards it holds."""
        x, y, width = box
        hand, said = self.hands(view)[seat], self.status(view, seat)
        acts = seat in scene.to_act and scene.outcome is None
        looks = {"stroke_width": 3} if acts else {}
        frame = rect(
            x, y, width, 40, "tt-paper tt-stroke-accent" if acts else "tt-paper", 8, **looks
        )
        count = str(len(hand))
        room = width - 66
        body = (
            frame,
            seat_mark(seat, x + 18, y + 20, 12),
            text(x + 34, y + 17, scene.names[seat], 14, room, bold=True),
            text(x + 34, y + 33, said, 12, room, "tt-text-muted"),
            group(playing_card(BACK, 20), at=(x + width - 26, y + 6)),
            rect(x + width - 27, y + 13, 22, 14, "tt-paper", 4),
            text(x + width - 16, y + 24, count, 12, 20, anchor="middle", bold=True),
        )
        part = f"{_PLATE}{seat + 1}"
        # Where seats are aimed at, a click on one that cannot be now asks why not.
        is_aim = scene.live and type(self).aim is not CardTable.aim
        is_named = part in scene.last or any(part in choice.path for choice in scene.choices)
        if not is_aim and not is_named:
            return group(*body)
        ring, finger = rect(x, y, width, 40, "tt-ring", 8), rect(x, y - 2, width, 44, "tt-hit")
        return scene.part(part, *body, finger, ring, label=scene.names[seat], about=said)

    def _draw_piles(self, view: S, scene: Scene, width: float, top: float) -> tuple[str, float]:
        """Three piles side by side; below them those of which each card can only be read alone."""
        piles, hands = self.piles(view, scene.seat), self.hands(view)
        if not piles:
            return "", top
        shown = {
            name: [BACK] * bool(pile) if BACK in pile else [*pile] for name, pile in piles.items()
        }
        card, room = 48.0, (width - 16) / min(len(piles), 3)
        fits = {name: len(it) <= readable(it, room - 14, card) for name, it in shown.items()}
        room = (width - 16) / max(1, min(sum(fits.values()), 3))
        drawn, seen = [], [it for hand in hands for it in hand if it != BACK]
        x, high = 8.0, 0.0
        for name in sorted(piles, key=lambda name: not fits[name]):
            own, size = (room, card) if fits[name] else (width - 16, _SMALL_PILE)
            if x + own > width:
                x, top = 8.0, top + high
            rows = max(1, ceil(len(shown[name]) / readable(shown[name], own - 14, size)))
            each, high = ceil(len(shown[name]) / rows), rows * (HIGH * size + 6) + 24
            box = (x + 4, top + 19, own - 8, high - 24)
            title = f"{name}: {plural(len(piles[name]), 'card')}" if BACK in piles[name] else name
            body = [rect(*box, "tt-hit", 6)]
            body.append(text(x + own / 2, top + 13, title, 13, own - 8, anchor="middle"))
            for row in range(rows):
                cards = shown[name][row * each :][:each]
                y = top + 22 + row * (HIGH * size + 6)
                laid = card_row(scene, cards, x + 7, y, own - 14, size, drawn_before=seen)
                body.append(laid)
                seen += cards
            drawn.append(scene.part(name, *body, rect(*box, "tt-ring", 6), label=title))
            x += own
        return "".join(drawn), top + high + 4

    def _draw_buttons(self, view: S, scene: Scene, width: float, top: float) -> tuple[str, float]:
        x, y, drawn = 10.0, top, []
        own = {f"{_DO}{word}": word for word in self.buttons}
        labels: dict[str, str] = {}
        for it in scene.choices:
            if it.path and it.path[0].startswith(_DO) and it.path[0] not in own:
                labels.setdefault(it.path[0], it.label)
        for part, word in own.items():
            said = {_label_of(it, part, scene.names) for it in scene.choices if part in it.path}
            if said:
                labels[part] = said.pop() if len(said) == 1 else word
        for part, label in labels.items():
            wide = min(width - 20, measure(label, 15, bold=True) + 28)
            if x + wide > width - 10:
                x, y = 10.0, y + 50
            body = (
                rect(0, 0, wide, 44, "tt-card", 10),
                text(wide / 2, 27, label, 15, wide - 16, anchor="middle", bold=True),
                rect(0, 0, wide, 44, "tt-ring", 10),
            )
            drawn.append(scene.part(part, *body, label=label, verb=part in own, at=(x, y)))
            x += wide + 8
        return "".join(drawn), y + 52 if drawn else top

    def _draw_hand(self, view: S, scene: Scene, width: float, top: float) -> tuple[str, float]:
        """The plate of who looks, and their hand."""
        drawn, seen = [], list[Card | Face]()
        if isinstance(scene.seat, int):
            own, plate = self._named(view)[scene.seat], (width - 16) / 3
            box = (8 + plate + 3, top, plate - 6)
            drawn.append(self._plate(view, scene, scene.seat, box))
            top += 46
            card = 52.0 if scene.narrow else 72.0
            apart = _TOUCH if scene.narrow else STRIP * card
            rows = ceil(len(own) / (1 + (width - 20 - card) // apart))
            each = ceil(len(own) / max(1, rows))
            for row in range(rows):
                cards = own[row * each :][:each]
                drawn.append(card_row(scene, cards, 10, top, width - 20, card, drawn_before=seen))
                seen += cards
                top += HIGH * card + 6
        return "".join(drawn), top + 4

    def _draw_shown(self, view: S, scene: Scene, width: float, top: float) -> tuple[str, float]:
        """The hands of others of which a card is seen."""
        hands, drawn = self._named(view), list[str]()
        # Of equal cards those of who looks are the first.
        seen = [*hands[scene.seat]] if isinstance(scene.seat, int) else []
        for seat, hand in enumerate(hands):
            if seat == scene.seat or all(it == BACK for it in hand):
                continue
            card = 56 if any(isinstance(it, Face) for it in hand) else 36
            name = text(10, top + 30, scene.names[seat], 14, 76, bold=True)
            laid = card_row(scene, hand, 92, top, width - 102, card, drawn_before=seen)
            drawn.append(name + laid)
            seen += [it for it in hand if it != BACK]
            top += HIGH * card + 6
        return "".join(drawn), top + 4 * bool(drawn)

    def _named(self, view: S) -> list[list[Card | Face]]:
        """The hands; cards without a name are called by their places."""
        return [
            [_called(card, f"{seat}.{at}") for at, card in enumerate(hand, 1)]
            for seat, hand in enumerate(self.hands(view), 1)
        ]


def _lines(words: str, size: float, room: float) -> Sequence[str]:
    """Wrap a text that would be cut even if it shrinks."""
    return wrap(words, size, room) if FLOOR * measure(words, size) > room else [words]


def _label_of(choice: Clickable, part: str, names: Sequence[str]) -> str:
    """Return the label of an action without the words for which other parts of it are clicked."""
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
    for word in clicked:  # once: a seat and what it is told may have the same number
        at = next((at for at, it in enumerate(words) if it.strip(",:;()") == word), None)
        if at is not None:
            del words[at]
    return " ".join(words)


def _called(card: Card | Face, place: str) -> Card | Face:
    """Name a card that has no name by its place."""
    return replace(card, name=place) if isinstance(card, Face) and not card.name else card


# The same in words.


def cards_in_words(cards: Sequence[Card | Face]) -> str:
    """Write cards in a line, two blanks between suits; those face down are counted.

    >>> from tabletop.parts.cards import card
    >>> cards_in_words([card("9h"), card("kh"), card("2s"), BACK, BACK])
    '9h kh  2s and 2 more'
    >>> cards_in_words([Face("r2", "R2", note="red ?"), Face("crown")])
    'R2 (red ?)  crown'
    """
    seen = [it for it in cards if it != BACK]
    hidden = len(cards) - len(seen)
    if not seen:
        return plural(hidden, "card") if hidden else "-"
    rows = groupby(seen, lambda it: it.suit if isinstance(it, Card) else card_name(it))
    more = f" and {hidden} more" if hidden else ""
    return "  ".join(" ".join(map(_written, row)) for _, row in rows) + more


def _written(card: Card | Face) -> str:
    if isinstance(card, Card):
        return str(card)
    note = " ".join(card.note.split("\n"))
    return (card.words or card.name) + (f" ({note})" if note else "")


def _noted_once(cards: Sequence[Card | Face], noted: set[Card | Face]) -> list[Card | Face]:
    """Return cards without the notes of those in `noted`, to which the others are added."""
    left = list[Card | Face]()
    for card in cards:
        is_new = card not in noted
        noted.add(card)
        left.append(card if is_new or isinstance(card, Card) else replace(card, note=""))
    return left


class CardText(TextView[S]):
    """The words of a card game: what its `CardTable` shows, in lines. Only `table` is needed.

    The note comes first, then a line for each seat: its name, its card in the trick behind `>` if
    it leads, its status, its hand; and a line for each pile, where the note of a card that has been
    said before is left out. That a seat has chosen what others do not see is no line of its own.

    Attributes:
        table: the picture of the game.
    """

    table: ClassVar[CardTable[Any]]

    def position(self, view: S, names: Sequence[str], seat: Watcher = ALL) -> str:
        """Say what the table shows."""
        table, trick = self.table, self.table.trick(view)
        lies = [""] * len(names)
        if trick is not None and (any(trick.cards) or trick.next_leader is not None):
            marks = [">" if it == trick.leader else " " for it in range(len(names))]
            lies = [f"{mark} {it or '-'!s}" for mark, it in zip(marks, trick.cards, strict=True)]
        status = [table.status(view, it) for it in range(len(names))]
        hands = map(cards_in_words, table.hands(view))
        lines = [it for it in table.note(view, Scene(names, seat)).split("\n") if it]
        lines += in_columns([names, lies, status, [*hands]])
        noted = {card for hand in table.hands(view) for card in hand}
        for name, cards in table.piles(view, seat).items():
            lines.append(f"{name}: {cards_in_words(_noted_once(cards, noted))}")
        return "\n".join(lines)

    def event(self, event: Event, names: Sequence[str], seat: Watcher = ALL) -> str:
        """Format an event, those of `parts` as well; nothing for a choice not seen."""
        match event:
            case ActionPlayed(action=None):
                return ""
            case Blocked(by, role):
                return f"{names[by]} claims {role} to block it."
            case Challenged(by, claimer, role, lied=True):
                return f"{names[claimer]} has no {role}: {names[by]} was right to doubt it."
            case Challenged(by, claimer, role):
                return f"{names[claimer]} shows the {role} that {names[by]} doubted."
            case CardsPassed(seat=who, giver=giver, cards=cards):
                return f"{names[giver]} passes {names[who]} {cards_in_words(sorted(cards))}."
        return super().event(event, names, seat)
