"""Pictures of a position, as a particular viewer may see it.

A game with its own picture derives from `Picture` and passes the class to its `Plugin`. A game
without one uses `TextPicture`, which draws its text view on a sheet of paper. Pictures are drawn
only from the view of the viewer (`Game.view`).

The *parts* of a picture can be clicked, for example a card in the hand or a place on the board. The
path of an action is the sequence of parts to click (`Picture.path`), for example a card and its
target. The first part of each path is lit. A part that is a complete path carries the text of its
action in the attribute `data-action`, and a click on it plays the action in the same way as typed
text. The rules are not called between two clicks. Content that appears after the first click is
part of the picture, but hidden (`Scene.after`).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, Generic, TypeVar

from tabletop.display.svg import document, escape, group, measure, rect, tag, tag_title, text
from tabletop.display.text_view import TextView
from tabletop.rules.events import ALL, ActionPlayed, Event, Watcher
from tabletop.rules.outcome import Outcome
from tabletop.states.bounds import Seat
from tabletop.states.states import State
from tabletop.wording import join_words

S = TypeVar("S", bound=State)


@dataclass(frozen=True, slots=True)
class Clickable:
    """A legal action in a picture and in the list next to it.

    Attributes:
        words: The line that a player would type.
        label: The label of its button.
        path: The parts of the picture to click in order. Empty for an action that is only in the
            list.
    """

    words: str
    label: str
    path: tuple[str, ...] = ()


@dataclass(frozen=True)  # no slots, because `cached_property` needs a `__dict__`
class Scene:
    """The viewer and the circumstances of a picture.

    Attributes:
        names: The name of each seat.
        seat: The viewer: a seat, None for a spectator, or `tabletop.ALL` to hide nothing.
        to_act: The seats that are to act.
        choices: The legal actions that the viewer can click.
        narrow: Whether the screen is as narrow as that of a phone. Draw the picture 390 units wide
            and as high as necessary.
        live: Whether the picture can be clicked.
        bare: Whether to omit the style sheet, for a page that already contains it.
        recent: The events since the last picture, as the viewer received them.
        told: The last events that the viewer received, including `recent`. Use it to draw things
            that are not in the state, such as dice.
        outcome: The outcome, or None if the match is not over.
        last: The parts, or keys of parts, that show the last action; see `Picture.last`.
    """

    names: Sequence[str]
    seat: Watcher = ALL
    to_act: Sequence[Seat] = ()
    choices: Sequence[Clickable] = ()
    narrow: bool = False
    live: bool = False
    bare: bool = False
    recent: Sequence[Event] = ()
    told: Sequence[Event] = ()
    outcome: Outcome | None = None
    last: Collection[str] = ()

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
            if choice.path:
                first, *more = choice.path
                whole = not more and first not in firsts
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
        """Check whether a part is the first part of the path of a legal action."""
        return part in self._firsts

    def part(
        self,
        part: str,
        *body: str,
        label: str,
        key: str = "",
        about: str = "",
        then: str = "",
        verb: bool = False,
        at: tuple[float, float] | None = None,
        turn: float = 0,
        class_: str = "",
    ) -> str:
        """Draw a part of the picture that can be clicked or inspected, as SVG.

        Give one of its elements the class `tt-ring`, which shows that the part is lit, chosen or
        focused.

        Args:
            part: The name of the part, unique in the picture, which is used in paths.
            body: The elements, as created by the functions of `tabletop.display.svg`.
            label: A short description.
            key: The identity of the part. If the next picture has a part with the same key, the
                page animates the movement. The key must be derived from the view alone.
            about: A longer description, shown on closer inspection.
            then: The prompt after the part has been clicked and more clicks follow, such as "Turn
                it, or lay it here". By default, the page uses a prompt of its own.
            verb: Whether the part is a verb that applies to the other parts of a path, such as a
                button. It can be clicked before or after them, regardless of its position in the
                path.
            at: The position of its origin in the picture.
            turn: The rotation around that position in degrees, clockwise.
            class_: Further CSS classes, separated by blanks.
        """
        lit, last = self.is_lit(part), part in self.last or (key and key in self.last)
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
            data_action=self._firsts.get(part),
            data_about=about or None,
            data_then=then or None,
            data_verb="" if verb else None,
            aria_label=f"{label}, just now" if last else label,
            role="button" if self.live else "img",
            tabindex="0" if self.live else None,
        )

    def after(self, chosen: Sequence[str], *body: str) -> str:
        """Draw elements that are visible only while exactly these parts are chosen, as SVG.

        For example, show a card at its destination, or the path of a piece. The elements may
        contain parts, which are clicked next. The result is empty if `chosen` does not begin the
        path of a legal action.
        """
        if not self.live or tuple(chosen) not in self._beginnings:
            return ""
        # `display: none` would prevent pages from measuring the size of the elements.
        return group(*body, class_="tt-after", visibility="hidden", data_after="\n".join(chosen))


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
            view: The view of the viewer, or the state if `scene.seat` is `ALL`. Must not be
                changed.
            scene: The viewer and the circumstances.
        """

    def whole(self, scene: Scene, size: tuple[float, float], *body: str, label: str) -> str:
        """Join elements into a complete SVG picture.

        Args:
            scene: The viewer and the circumstances.
            size: The width and height in units. The picture is scaled to the available space.
            body: The elements, from back to front.
            label: A description for people who cannot see the picture.
        """
        return document(*size, *body, label=label, style=self.style, bare=scene.bare)

    def last(self, view: S, scene: Scene) -> Collection[str]:
        """Return the parts, or keys of parts, that show the last action, to mark them.

        By default empty. If the parts in `path` have the same names after the action, as the places
        of a board do, return the path of `scene.played`. This is not possible if a part is named
        after an index that changes, such as the third card of a hand.
        """
        return ()

    def marked(self, view: S, scene: Scene) -> Scene:
        """Return the scene with the result of `last`."""
        return replace(scene, last=frozenset(self.last(view, scene)))

    def path(self, action: Any, view: S, seat: Seat) -> Sequence[str]:
        """Return the parts to click for an action, in order and without duplicates.

        By default empty, for an action that is only in the list next to the picture.
        """
        return ()

    def label(self, action: Any, view: S, names: Sequence[str], seat: Seat) -> str:
        """Return the label of an action in the list. By default its text."""
        return str(action)

    def attempt(self, part: str, view: S, seat: Seat) -> str:
        """Return the line that a player would type to use a part, even if the action is illegal.

        The rules explain the refusal of that line. If the line is empty (the default) or cannot be
        parsed, they explain the refusal of the first action in `Game.all_actions` whose path
        contains the part.
        """
        return ""


def turn_in_words(scene: Scene) -> str:
    """Return a sentence about whose turn it is, or that the match is over."""
    if scene.outcome is not None or not scene.to_act:
        return "The match is over"
    if tuple(scene.to_act) == (scene.seat,):
        return "Your turn"
    others = [scene.names[seat] for seat in scene.to_act if seat != scene.seat]
    viewer = ["You"] if len(others) < len(scene.to_act) else []
    return f"{join_words(viewer + others, 'and')} to act"


def clickables(
    picture: Picture[S], view: S, actions: Sequence[Any], names: Sequence[str], seat: Seat
) -> tuple[Clickable, ...]:
    """Return the `choices` of a `Scene`: the clickable parts of each legal action of a seat."""
    return tuple(
        Clickable(
            str(action),
            picture.label(action, view, names, seat),
            tuple(picture.path(action, view, seat)),
        )
        for action in actions
    )


@dataclass(frozen=True)
class TextPicture(Picture[Any]):
    """The picture of a game without its own picture: its text view on a sheet of paper.

    Attributes:
        view: The text view of the game.
    """

    view: TextView[Any]

    def draw(self, view: Any, scene: Scene) -> str:
        """Draw the text of the position, and whose turn it is."""
        lines = self.view.position(view, scene.names, scene.seat).splitlines() or [""]
        width = 390 if scene.narrow else 760
        size = min(20.0, (width - 40) / max(1.0, *(measure("n") * len(line) for line in lines)))
        size = max(size, 7.0)  # long lines are condensed instead of using illegible letters
        rows = [
            _mono(20, 66 + 1.35 * size * row, line, size, width - 40)
            for row, line in enumerate(lines)
        ]
        height = 74 + 1.35 * size * len(lines)
        return self.whole(
            scene,
            (width, height),
            rect(0, 0, width, height, "tt-cloth tt-sheet"),
            rect(8, 8, width - 16, height - 16, "tt-card", 10),
            text(20, 36, turn_in_words(scene), 17, width - 40, bold=True),
            *rows,
            label=turn_in_words(scene),
        )


def _mono(x: float, y: float, line: str, size: float, room: float) -> str:
    """Draw a line of text in a monospaced font."""
    width = min(room, measure("n", size) * len(line))
    words = line.replace(" ", "\u00a0")
    return tag(
        "text",
        escape(words),
        x=x,
        y=y,
        font_size=size,
        font_family="ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,monospace",
        textLength=width if line else None,
        lengthAdjust="spacingAndGlyphs" if line else None,
    )
