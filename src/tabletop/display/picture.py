"""Pictures of a position, as one viewer may see it.

A game with a picture of its own derives from `Picture`, and names the class in its `Plugin`. A game
without one is shown as its text view on a sheet of paper (`TextPicture`). Pictures are drawn from
what the viewer may see (`Game.view`), and from nothing else.

The *parts* of a picture can be clicked: a card in the hand, a place on the board. An action has a
path, the parts to click one after the other (`Picture.path`): a card, then its target. Parts that
begin a path are lit; one that is a whole path carries the words of its action (`data-action`), and
a click on it goes the way that typed words go. Between two clicks nothing is asked of the rules:
what is to be seen then is in the picture, and hidden until then (`Scene.after`).
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
    """A legal action in a picture and in the list beside it.

    Attributes:
        words: the line that a person would type for it.
        label: the text of its button.
        path: the parts of the picture to click one after the other; empty for an action that is
            only in the list.
    """

    words: str
    label: str
    path: tuple[str, ...] = ()


@dataclass(frozen=True)  # no slots: `_firsts` and `_beginnings` are kept in the object's dictionary
class Scene:
    """The circumstances of a picture: its viewer, and the moment.

    Attributes:
        names: the name of each seat.
        seat: the viewer: a seat, None for a spectator, `tabletop.ALL` to hide nothing.
        to_act: the seats that are to decide.
        choices: what the viewer can click, for each of their legal actions; see `Clickable`.
        narrow: whether it is for a screen as narrow as a phone's: draw it 390 units wide, and as
            high as it has to be.
        live: whether it can be clicked; else it only shows.
        bare: whether it leaves out the style sheet, for a page that has it.
        recent: the events since the last picture, as the viewer received them.
        told: the last events that the viewer received, `recent` and earlier ones, as far as known:
            for things on a table that are in no state, such as dice.
        outcome: how the match ended; None while it goes on.
        last: the parts, or keys of parts, that show the last action; see `Picture.last`.
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
        """The last action, if it is among `recent` and the viewer was told which it was."""
        played = [event for event in self.recent if isinstance(event, ActionPlayed)]
        return played[-1] if played and played[-1].action is not None else None

    @cached_property
    def _firsts(self) -> dict[str, str | None]:
        """The first parts of paths; with the words of an action if the part is its whole path."""
        # Once for a scene: a picture has a hundred parts, and each asks whether it is lit.
        firsts: dict[str, str | None] = {}
        for choice in self.choices:
            if choice.path:
                first, *more = choice.path
                whole = not more and first not in firsts
                firsts[first] = choice.words if whole else None
        return firsts

    @cached_property
    def _beginnings(self) -> set[tuple[str, ...]]:
        """The parts chosen so far, wherever there is a next one."""
        return {tuple(it.path[:at]) for it in self.choices for at in range(len(it.path))}

    def is_lit(self, part: str) -> bool:
        """Check whether the part begins the path of a legal action: a click does something."""
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
        """Draw a part of the picture that can be clicked, or looked at more closely, as SVG.

        Give one of its pieces the class `tt-ring`: it shows that the part is lit, chosen or
        focused.

        Args:
            part: its name, unique in the picture, by which paths name it.
            body: its pieces, as functions of `tabletop.display.svg` draw them.
            label: what it is, in a few words.
            key: its identity: a part with the same key in the next picture is the same thing, and
                travels. It must follow from the view alone.
            about: more about it, for a closer look.
            then: what is asked once it has been chosen, where more is to be clicked: "Turn it, or
                lay it here"; else the page asks in its own words.
            verb: whether it says what is done with the other parts of a path, as a button may: it
                is clicked before them or after them, whatever place it has among them.
            at: the place of its origin in the picture, in units.
            turn: its turn about that place, in degrees clockwise.
            class_: classes of its own, separated by blanks.
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
        """Draw pieces that are seen while just these parts are chosen, in this order, as SVG.

        A card where it would lie, a path that would be walked. There may be parts among the pieces,
        which are clicked next. Where no action goes on from `chosen` nothing is drawn.
        """
        if not self.live or tuple(chosen) not in self._beginnings:
            return ""
        # Hidden, but measured: what is not displayed has no size. A page shows it.
        return group(*body, class_="tt-after", visibility="hidden", data_after="\n".join(chosen))


class Picture(ABC, Generic[S]):
    """Draws the position of a match. Derive from it; only `draw` has to be written.

    Every method touches nothing but its arguments. A picture on a page has no style sheet in it, so
    colours are attributes (`fill`), the classes of `tabletop.display.svg`, or those of `style`.

    Attributes:
        style: CSS for classes of its own; their names begin with the name of the game.

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
        """Draw the whole picture: return what `whole` makes of the pieces.

        Args:
            view: the view of the viewer, not to be changed; the state where `scene.seat` is `ALL`.
            scene: the viewer, and the legal actions.
        """

    def whole(self, scene: Scene, size: tuple[float, float], *body: str, label: str) -> str:
        """Join pieces into a whole picture, the text of an SVG, alone or on a page.

        Args:
            scene: the circumstances.
            size: its width and height in units; it is drawn as large as there is room.
            body: the pieces, from the lowest to the uppermost.
            label: a description, for people who cannot see it.
        """
        return document(*size, *body, label=label, style=self.style, bare=scene.bare)

    def last(self, view: S, scene: Scene) -> Collection[str]:
        """Return the parts, or the keys of parts, that show the last action: they are marked.

        None by default. Where a part is called in `path` as it is called after the action, too, as
        the places of a board are, that is the path of `scene.played`; not where it is the third
        card of a hand.
        """
        return ()

    def marked(self, view: S, scene: Scene) -> Scene:
        """Return the scene with what `last` says."""
        return replace(scene, last=frozenset(self.last(view, scene)))

    def path(self, action: Any, view: S, seat: Seat) -> Sequence[str]:
        """Return the parts to click for an action, in order and none twice.

        None for an action that is only in the list beside the picture, as all are by default.
        """
        return ()

    def label(self, action: Any, view: S, names: Sequence[str], seat: Seat) -> str:
        """Return the label of the button for an action in the list; by default its text."""
        return str(action)

    def attempt(self, part: str, view: S, seat: Seat) -> str:
        """Return the line to type in order to do something with a part, whether it is legal or not.

        The rules explain why that line is refused. Where it is empty, as by default, or means no
        action, they are asked about the first of `Game.all_actions` that has the part in its path.
        """
        return ""


def turn_in_words(scene: Scene) -> str:
    """Say whose turn it is, or that the match is over; a viewer who is to act comes first."""
    if scene.outcome is not None or not scene.to_act:
        return "The match is over"
    if tuple(scene.to_act) == (scene.seat,):
        return "Your turn"
    others = [scene.names[seat] for seat in scene.to_act if seat != scene.seat]
    own = ["You"] if len(others) < len(scene.to_act) else []
    return f"{join_words(own + others, 'and')} to act"


def clickables(
    picture: Picture[S], view: S, actions: Sequence[Any], names: Sequence[str], seat: Seat
) -> tuple[Clickable, ...]:
    """Return what can be clicked for each legal action of a seat: the `choices` of a `Scene`."""
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
    """The picture of a game that has none: its text view on a sheet of paper.

    Attributes:
        view: the text view of the game.
    """

    view: TextView[Any]

    def draw(self, view: Any, scene: Scene) -> str:
        """Draw the position in words, and whose turn it is."""
        lines = self.view.position(view, scene.names, scene.seat).splitlines() or [""]
        width = 390 if scene.narrow else 760
        size = min(20.0, (width - 40) / max(1.0, *(measure("n") * len(it) for it in lines)))
        size = max(size, 7.0)  # smaller letters are illegible; long lines are squeezed instead
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
    """Draw a line whose letters stand under those of the line above."""
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
