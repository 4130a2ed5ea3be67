"""Pictures of a position, as seen by one viewer.

A game with its own picture derives from `Picture` and passes the class to its `Plugin`. For any
other game, `TextPicture` draws the text view on a sheet of paper. A picture is drawn only from the
viewer's `Game.view`.

The *parts* of a picture can be clicked, for example a card in the hand or a place on the board. The
path of an action is the sequence of parts to click (`Picture.path`), for example a card and its
target. The first part of each path is lit. A part that is a complete path carries the text of its
action in the attribute `data-action`, and a click on it plays the action in the same way as typed
text. The page does not call the rules between two clicks, so content that appears after the first
click is already in the picture, but hidden (`Scene.after`).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from textwrap import TextWrapper
from typing import Any, ClassVar, Final, Generic, Required, TypedDict, TypeVar, Unpack

from tabletop.display.boxes import Box, Column, Label, Pad, Panel, Stack
from tabletop.display.svg import LEAST, document, escape, group, measure, rect, tag, tag_title
from tabletop.display.text_view import TextView, usable_label
from tabletop.rules.events import ALL, ActionPlayed, Event, Watcher
from tabletop.rules.outcome import Outcome
from tabletop.rules.selections import Selections, split
from tabletop.states.bounds import Seat
from tabletop.states.states import State
from tabletop.wording import join_words

S = TypeVar("S", bound=State)

_PLAIN: Final = TextView[Any]()


@dataclass(frozen=True, slots=True)
class Clickable:
    """A legal action in a picture and in the list next to it.

    Attributes:
        words: The line that a player would type.
        label: The label of its button.
        path: The parts of the picture to click in order. Empty for an action that gets a
            button next to the picture.
        items: If the player chooses several items, the word, label and part of each item, to
            click in any order after `path`. The words of the action are followed by theirs.
        low: The minimum number of items.
        high: The maximum number of items.
    """

    words: str
    label: str
    path: tuple[str, ...] = ()
    items: tuple[Clickable, ...] = ()
    low: int = 0
    high: int = 0


_ROOMS: Final[Mapping[tuple[bool, bool], tuple[float, float]]] = {
    (False, False): (760, 560),
    (False, True): (515, 319),
    (True, False): (390, 580),
    (True, True): (320, 345),
}
"""The width and height of the picture, by whether the screen is narrow and short."""

_TALLEST: Final = (1.0, 1.071, 1.3)
"""Maximum height of a picture, relative to its room, before its boxes shrink.

The numbers are for short, narrow and wide screens, most of which have more height than the room.
"""

_CROWD: Final = 6
"""Number of seats above which the header of the page leaves a narrow picture only its room."""


class _Description(TypedDict, total=False):
    """The arguments of `Scene.part` that describe a part."""

    label: Required[str]
    key: str
    about: str
    then: str
    verb: bool
    like: str
    turn: float
    class_: str


@dataclass(frozen=True)  # no slots, because `cached_property` needs a `__dict__`
class Scene:
    """The viewer of a picture, and its context.

    Attributes:
        names: The name of each seat.
        seat: The viewer: a seat, None for a spectator, or `tabletop.ALL` to hide nothing.
        to_act: The seats that are to act.
        choices: The legal actions that the viewer can click.
        narrow: Whether the screen is narrow, such as a phone's in portrait orientation.
        short: Whether the screen is short, such as a small phone's, or a phone's in landscape
            orientation.
        live: Whether the picture can be clicked.
        bare: Whether to omit the style sheet, for a page that already contains it.
        recent: The events since the last picture, in the form that the viewer received.
        told: The last events that the viewer received, including `recent`. Use these events to draw
            things that the state does not contain, such as dice.
        outcome: The outcome, or None if the match is not over.
        last: The parts, or keys of parts, that show the last action; see `Picture.last`.
        question: The question of `TextView.asked` if only the viewer is to act, or an empty text.
    """

    names: Sequence[str]
    seat: Watcher = ALL
    to_act: Sequence[Seat] = ()
    choices: Sequence[Clickable] = ()
    narrow: bool = False
    short: bool = False
    live: bool = False
    bare: bool = False
    recent: Sequence[Event] = ()
    told: Sequence[Event] = ()
    outcome: Outcome | None = None
    last: Collection[str] = ()
    question: str = ""

    @property
    def heading(self) -> str:
        """The question to the viewer, or else whose turn it is or how the match has ended."""
        return self.question or turn_in_words(self)

    @property
    def room(self) -> tuple[float, float]:
        """The width and height of a picture that fills its place on the page.

        One unit is about one pixel, so texts need a size of 12. On large screens it is more.
        """
        return _ROOMS[self.narrow, self.short]

    @property
    def played(self) -> ActionPlayed | None:
        """The last action, if it is in `recent` and visible to the viewer, or None."""
        played = [event for event in self.recent if isinstance(event, ActionPlayed)]
        return played[-1] if played and played[-1].action is not None else None

    @cached_property
    def _firsts(self) -> dict[str, str | None]:
        """The first parts of paths, with the text of the action if the path has one part."""
        # Cached, because a picture may have a hundred parts, and each checks whether it is lit.
        firsts: dict[str, str | None] = {}
        for choice in self.choices:
            for path in [choice.path] if choice.path else [item.path for item in choice.items]:
                for first in path[:1]:
                    whole = len(path) == 1 and first not in firsts and not choice.items
                    firsts[first] = choice.words if whole else None
        return firsts

    @cached_property
    def _beginnings(self) -> set[tuple[str, ...]]:
        """All incomplete sequences of clicks."""
        return {
            tuple(choice.path[:length])
            for choice in self.choices
            for length in range(len(choice.path))
        }

    def is_lit(self, part: str) -> bool:
        """Return whether a part is the first part of a legal action's path."""
        return part in self._firsts

    def is_played_by(self, part: str) -> bool:
        """Return whether a click on a part plays an action, without a second click."""
        return self._firsts.get(part) is not None

    def part(
        self,
        part: str,
        *body: str,
        label: str,
        key: str = "",
        about: str = "",
        then: str = "",
        verb: bool = False,
        like: str = "",
        at: tuple[float, float] | None = None,
        turn: float = 0,
        class_: str = "",
    ) -> str:
        """Draw a part of the picture that can be clicked or inspected.

        Give one of its elements the class `tt-ring`, which shows that the part is lit, chosen or
        focused.

        Args:
            part: The name of the part, unique in the picture, which is used in paths.
            body: The elements, as created by the functions of `tabletop.display.svg`.
            label: A short description.
            key: The identity of the part. If the next picture has a part with the same key, the
                page animates the movement. The key must be derived from the view alone.
            about: A longer description, shown on closer inspection.
            then: The prompt between a click on this part and the next click, such as "Place the
                tile (click it to turn it)". By default, the page has a prompt of its own.
            verb: Whether the part is a verb that applies to the other parts of a path, such as a
                button. It can be clicked before or after them, regardless of its position in the
                path.
            like: The name of an equal part, such as the first of several equal cards. A player can
                click either of them for a path that contains only `like`.
            at: The position of its origin in the picture.
            turn: The rotation around that position in degrees, clockwise.
            class_: Further CSS classes, separated by spaces.
        """
        first = part if self.is_lit(part) else like
        lit, last = self.is_lit(first), part in self.last or (key and key in self.last)
        marks = "tt-lit" if lit else "", "tt-last" if last else ""
        classes = " ".join(filter(None, ("tt-part", *marks, class_)))
        title = label if not about or about == label else f"{label}\n{about}"
        return group(
            tag_title(title),
            *body,
            at=at,
            turn=turn,
            class_=classes,
            data_part=part,
            data_key=key or None,
            data_action=self._firsts.get(first),
            data_about=about or None,
            data_then=then or None,
            data_verb="" if verb else None,
            data_like=like or None,
            aria_label=f"{label}, just now" if last else label,
            role="button" if self.live else "img",
            tabindex="0" if self.live else None,
        )

    def after(self, chosen: Sequence[str], *body: str) -> str:
        """Draw elements that are visible only after a click on exactly these parts.

        For example, show a card at its destination, or the path of a piece. The elements may
        contain parts, which are clicked next. The result is empty if no legal action's path begins
        with `chosen`.
        """
        if not self.live or tuple(chosen) not in self._beginnings:
            return ""
        # `display: none` would prevent pages from measuring the size of the elements.
        return group(*body, class_="tt-after", visibility="hidden", data_after="\n".join(chosen))


class Part(Box):
    """A box that is a clickable part of the picture, with a ring around its area.

    Args:
        scene: The viewer and the context of the picture.
        part: The name of the part, as in `Scene.part`.
        child: The content.
        radius: The radius of the corners of the ring, or None if the content contains the ring.
        weight: The share of the leftover space in a row or column.
        more: The other arguments of `Scene.part`: `label` (required), `key`, `about`, `then`,
            `verb`, `like`, `turn` and `class_`. `turn` rotates the part around its centre.
    """

    def __init__(
        self,
        scene: Scene,
        part: str,
        child: Box,
        *,
        radius: float | None = 8,
        weight: float = 0,
        **more: Unpack[_Description],
    ) -> None:
        super().__init__(None, child.width, weight=weight)
        self._scene, self._part, self._child = scene, part, child
        self._radius, self._more = radius, more

    def height_in(self, width: float, *, least: bool = False) -> float:
        """Return the height of the content."""
        return self._child.height_in(width, least=least)

    def place(self, x: float, y: float, width: float, height: float) -> str:
        """Draw the part. A click anywhere in its area counts."""
        left, top = (-width / 2, -height / 2) if self._more.get("turn") else (0, 0)
        area = left, top, width, height
        ring = "" if self._radius is None else rect(*area, "tt-ring", self._radius)
        body = rect(*area, "tt-hit"), self._child.place(*area), ring
        return self._scene.part(self._part, *body, at=(x - left, y - top), **self._more)


def button(
    scene: Scene,
    part: str,
    words: str,
    *,
    size: float = 16,
    about: str = "",
    verb: bool = False,
    weight: float = 0,
) -> Part:
    """Return a button, in muted colours while it cannot be clicked.

    Args:
        scene: The viewer and the context of the picture.
        part: The name of the part.
        words: The label.
        size: The font size. The button is at least 44 high and wide, large enough for a finger.
        about: A longer description.
        verb: See `Scene.part`.
        weight: The share of the leftover space in a row or column.
    """
    lit = scene.is_lit(part)
    ground = Panel("tt-card" if lit else "tt-paper-deep", 10)
    colour = "" if lit else "tt-text-muted"
    label = Label(words, size, colour, anchor="middle", bold=lit)
    child = Stack(ground, label, pad=6, width=max(44, label.width + 28), height=44)
    return Part(scene, part, child, radius=10, weight=weight, label=words, about=about, verb=verb)


class Picture(ABC, Generic[S]):
    """Base class of pictures of a position. Only `draw` is required.

    Methods must depend only on their arguments. A picture on a page does not contain the style
    sheet, so define colours with attributes (`fill`), with the classes of `tabletop.display.svg`,
    or with classes from `style`.

    Attributes:
        style: CSS for additional classes. Their names must start with the name of the game.

    >>> from tabletop.display import text
    >>> class Sheet(Picture):
    ...     def draw(self, view, scene):
    ...         words = text(20, 40, f"{view} stones", size=20, room=350)
    ...         return self.whole(scene, (390, 60), words, label="The heap")
    >>> Sheet().draw(7, Scene(names=["Ann", "Bo"])).startswith("<svg")
    True
    """

    style: ClassVar[str] = ""

    @abstractmethod
    def draw(self, view: S, scene: Scene) -> str:
        """Draw the whole picture and return the result of `whole`.

        Args:
            view: The view of the viewer, or the state if `scene.seat` is `ALL`. It must not be
                changed.
            scene: The viewer and the context of the picture.
        """

    def whole(self, scene: Scene, size: tuple[float, float], *body: str, label: str) -> str:
        """Join elements into a complete SVG picture.

        Args:
            scene: The viewer and the context of the picture.
            size: The width and height in units. The picture is scaled to the available space.
            body: The elements, from back to front.
            label: A description for people who cannot see the picture.
        """
        return document(*size, *body, label=label, style=self.style, bare=scene.bare)

    def lay_out(
        self,
        scene: Scene,
        box: Box,
        *,
        label: str,
        wide: tuple[float, float] = _ROOMS[False, False],
        fills: bool = True,
        pad: Pad = 8,
        ground: str = "tt-cloth",
    ) -> str:
        """Draw a tree of boxes as a complete picture on a cloth.

        The picture fills `scene.room`, so boxes with a weight grow. If the boxes are higher, they
        shrink as far as their texts can be read, and the picture is higher if necessary. On a wide
        screen, it is also wider if the boxes are wider.

        Args:
            scene: The viewer and the context of the picture.
            box: The content, such as a `Column`.
            label: A description for people who cannot see the picture.
            wide: The width and height that it fills on a wide screen, in place of the room.
            fills: Whether the picture is at least as high as the room.
            pad: The margin around the content, as in `Stack`.
            ground: The classes of the background.
        """
        tree = Stack(Panel(ground), box, pad=pad)
        width, height = scene.room
        if not scene.narrow:
            width, height = (min(width, wide[0]), min(height, wide[1])) if scene.short else wide
        is_wide = not (scene.narrow or scene.short)
        width = max(width, tree.width) if is_wide else width
        is_low = scene.short or (scene.narrow and len(scene.names) > _CROWD)
        most = scene.room[1] * _TALLEST[0 if is_low else 1 + is_wide]
        natural = tree.height_in(width)
        if natural > most:
            natural = max(most, tree.height_in(width, least=True))
        height = max(height * fills, natural)
        return self.whole(scene, (width, height), tree.place(0, 0, width, height), label=label)

    def last(self, view: S, scene: Scene) -> Collection[str]:
        """Return the parts (or their keys) that the page marks because they show the last action.

        Empty by default. Return the path of `scene.played` if its parts have the same names after
        the action, like the places of a board. This does not work for names with a changing index,
        such as the third card of a hand.
        """
        return ()

    def marked(self, view: S, scene: Scene) -> Scene:
        """Return a copy of the scene that includes the result of `last`."""
        return replace(scene, last=frozenset(self.last(view, scene)))

    def path(self, action: Any, view: S, seat: Seat) -> Sequence[str]:
        """Return the parts to click for an action, in order and without duplicates.

        Empty by default: the action gets a button next to the picture. If the legal actions are
        `Selections`, the path of the action with all items ends with one part for each item, in
        the order of the items. Equal items have different parts. The player clicks the items in
        any order.
        """
        return ()

    def label(self, action: Any, view: S, names: Sequence[str], seat: Seat) -> str:
        """Return the label of the button for an action.

        Empty by default: the button has the words of `TextView.label`. Words get a capital letter,
        unlike a code such as `e5` or `qs`.
        """
        return ""

    def attempt(self, part: str, view: S, seat: Seat) -> str:
        """Return the line that a player would type to use a part that cannot be clicked now.

        The page shows why the rules refuse that line. If the line is empty (the default) or cannot
        be parsed, the page tries the actions of `Game.all_actions`, or else of the lines of
        `Game.commands`: those whose path begins with the part, or else those whose path contains
        it. It shows their reason if the rules refuse all of them with the same reason.

        If the player has chosen other parts before, the page first tries the actions whose path
        begins with all these parts, and then this line.
        """
        return ""


def turn_in_words(scene: Scene) -> str:
    """Return a sentence about whose turn it is, or who has won."""
    if scene.outcome is not None and scene.outcome.is_draw:
        return "A draw"
    if scene.outcome is not None and scene.outcome.winners:
        winners = [scene.names[seat] for seat in scene.outcome.winners]
        return f"{join_words(winners, 'and')} {'win' if winners[1:] else 'wins'}"
    if scene.outcome is not None or not scene.to_act:
        return "The match is over"
    if tuple(scene.to_act) == (scene.seat,):
        return "Your turn"
    others = [scene.names[seat] for seat in scene.to_act if seat != scene.seat]
    viewer = ["You"] if len(others) < len(scene.to_act) else []
    if not viewer and len(others) == 1:
        return f"{others[0]}'s turn"
    return f"Waiting for {join_words([*map(str.lower, viewer), *others], 'and')}"


def clickables(
    picture: Picture[S],
    view: S,
    actions: Sequence[Any],
    names: Sequence[str],
    seat: Seat,
    text: TextView[S] = _PLAIN,
) -> tuple[Clickable, ...]:
    """Return the `choices` of a `Scene`: the clickable parts of each legal action of a seat.

    `Selections` are a single choice, after the other actions.

    Args:
        picture: The picture.
        view: The view of the seat.
        actions: The legal actions.
        names: The name of each seat.
        seat: The seat.
        text: The text view of the game, for the labels that the picture leaves to it.
    """
    singles, selections = split(actions)
    listed = (
        Clickable(
            str(action),
            button_label(picture, text, action, view, names, seat),
            tuple(picture.path(action, view, seat)),
        )
        for action in singles
    )
    return (*listed, *(_choice_of(picture, view, it, names, seat, text) for it in selections))


def _choice_of(
    picture: Picture[S],
    view: S,
    chosen: Selections[Any],
    names: Sequence[str],
    seat: Seat,
    text: TextView[S],
) -> Clickable:
    label = button_label(picture, text, chosen.make(()), view, names, seat)
    path = tuple(picture.path(chosen.make(chosen.items), view, seat))
    first = len(path) - len(chosen.items)
    items = []
    for at, item in enumerate(chosen.items):
        alone = button_label(picture, text, chosen.make((item,)), view, names, seat)
        part = path[first + at : first + at + 1] if first >= 0 else ()
        word = chosen.word(item)
        items.append(Clickable(word, alone.removeprefix(label).strip() or word, part))
    before = path[: max(0, first)]
    return Clickable(chosen.words, label, before, tuple(items), chosen.low, chosen.high)


def button_label(
    picture: Picture[S],
    text: TextView[S],
    action: Any,
    view: S,
    names: Sequence[str],
    seat: Seat,
) -> str:
    """Return the label of the button for an action, from the picture or else from the text view."""
    label = picture.label(action, view, names, seat)
    if label:
        return label
    label = usable_label(text, action, view)
    first = label.split(" ", maxsplit=1)[0]
    return label[0].upper() + label[1:] if len(first) > 2 and first.isalpha() else label


@dataclass(frozen=True)
class TextPicture(Picture[Any]):
    """The picture of a game without its own picture: its text view on a sheet of paper.

    Attributes:
        view: The text view of the game.
    """

    view: TextView[Any]

    def draw(self, view: Any, scene: Scene) -> str:
        """Draw the text of the position, and whose turn it is."""
        pad = 8 if scene.short else 12
        room = (scene.room[0] - 2 * pad - 16) / measure("n")
        broken = TextWrapper(int(room / LEAST), subsequent_indent="  ", break_on_hyphens=False)
        text = self.view.position(view, scene.names, scene.seat)
        lines = [piece for line in text.splitlines() for piece in broken.wrap(line) or [""]]
        high = (scene.room[1] - 4 * pad) / (1.35 * len(lines) or 1) if scene.short else 20.0
        size = min(20.0, room / max(1, *map(len, lines)), max(high, LEAST))
        rows = [Box(partial(_draw_mono, line, size), height=1.35 * size) for line in lines]
        turn = turn_in_words(scene)
        # The page next to a short picture shows whose turn it is.
        title = [] if scene.short else [Label(turn, 17, bold=True), Box(height=14)]
        sheet = Column(*title, *rows)
        return self.lay_out(
            scene,
            Stack(Panel("tt-card", 10), sheet, pad=pad),
            label=turn,
            fills=False,
            ground="tt-cloth tt-sheet",
        )


def _draw_mono(line: str, size: float, width: float, height: float) -> str:
    exact = min(width, measure("n", size) * len(line)) if line else None
    return tag(
        "text",
        escape(line.replace(" ", "\u00a0")),
        y=size,
        font_size=size,
        font_family="ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,monospace",
        textLength=exact,
        lengthAdjust="spacingAndGlyphs" if line else None,
    )
