"""A match as it is drawn: the picture of its game is looked for, and draws the position.

A game that has no picture is drawn as its text view on a sheet of paper.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Protocol

from tabletop.errors import RegistryError
from tabletop.events import ALL, Event, Watcher
from tabletop.game import AnyGame
from tabletop.outcome import Outcome, Seat
from tabletop.picture import Picture, Scene, turn_in_words
from tabletop.registry import Plugin
from tabletop.svg import escape, measure, rect, tag, text
from tabletop.text import TextView


class Drawable(Protocol):
    """What is drawn of a match: a `Match` is one, and so is a `Position` of it."""

    # Not the class `Match` itself: that draws itself in a notebook, and would import this module
    # in a circle.

    @property
    def game(self) -> AnyGame:
        """The rules."""

    @property
    def names(self) -> Sequence[str]:
        """The name of each seat."""

    @property
    def to_act(self) -> Sequence[Seat]:
        """The seats that are to decide."""

    @property
    def state(self) -> Any:
        """What lies on the table."""

    @property
    def outcome(self) -> Outcome | None:
        """How the match ended; None while it goes on."""

    def view(self, seat: Seat | None) -> Any:
        """What a seat, or a spectator (None), may see."""


@dataclass(frozen=True)
class TextPicture(Picture[Any]):
    """The picture of a game that has none: its text view on a sheet of paper.

    Attributes:
        view: how the game reads in a terminal.
    """

    view: TextView[Any]

    def draw(self, view: Any, scene: Scene) -> str:
        """The position in words, and whose turn it is."""
        lines = self.view.position(view, scene.names, scene.seat).splitlines() or [""]
        width = 390 if scene.narrow else 760
        size = min(20.0, (width - 40) / max(1.0, *(measure("n") * len(it) for it in lines)))
        size = max(size, 7.0)  # smaller letters cannot be read; long lines are squeezed instead
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
    """A line whose letters stand under those of the line above."""
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


def picture_of(plugin: Plugin) -> Picture[Any]:
    """How a game looks: the `PICTURE` of its module, or a sheet made of its text view.

    Raises:
        RegistryError: that is no picture, or cannot be imported.
    """
    found = _resolved(plugin.picture, plugin.source)
    if found is None:
        return TextPicture(plugin.text)
    return _made(found, plugin.game, plugin.source)


def picture_of_game(game: AnyGame) -> Picture[Any]:
    """How a game looks, when all that is known of it are its rules.

    It is looked for where the rules stand, and in the package around them.

    Raises:
        RegistryError: as `picture_of`.
    """
    # Both have been imported with the rules: nothing need be loaded for a look.
    module = type(game).__module__
    for name in (module, module.partition(".")[0]):
        found = getattr(sys.modules.get(name), "PICTURE", None)
        if found is not None:
            return _made(_resolved(found, name), game, name)
    return TextPicture(_text_of_game(game))


def _text_of_game(game: AnyGame) -> TextView[Any]:
    """How a game reads, as `picture_of_game` finds how it looks; the plain view without one."""
    module = type(game).__module__
    for name in (module, module.partition(".")[0]):
        found: object = getattr(sys.modules.get(name), "TEXT", None)
        if found is not None and not isinstance(found, TextView) and callable(found):
            found = found() if isinstance(found, type) else found(game)
        if isinstance(found, TextView):
            return found
    return TextView()


def _resolved(found: object, source: str) -> object:
    """What stands at `module:NAME`, if that is how a picture is named."""
    if not isinstance(found, str):
        return found
    module, _, name = found.partition(":")
    if not name:
        hint = "write the class itself, or module:NAME"
        raise RegistryError(f"{source}: PICTURE is the text {found!r}: {hint}")
    try:
        return getattr(import_module(module), name)
    except (ImportError, AttributeError) as error:
        raise RegistryError(f"{source}: PICTURE is {found!r}: {error}") from error


def _made(found: object, game: AnyGame, source: str) -> Picture[Any]:
    """The picture that a `PICTURE` stands for: a class, an object, or a function of the game.

    Raises:
        RegistryError: it stands for none.
    """
    made: object = found
    if isinstance(found, type) and "draw" in getattr(found, "__abstractmethods__", ()):
        raise RegistryError(f"{source}: the picture {found.__name__} has no draw(view, scene)")
    try:
        if isinstance(found, type):
            made = found()
        elif callable(found) and not isinstance(found, Picture):
            made = found(game)
    except Exception as error:
        called = getattr(found, "__name__", "it")
        raise RegistryError(f"{source}: PICTURE: calling {called} raised {error!r}") from error
    if not isinstance(made, Picture):
        what = f"the class {found.__name__}" if isinstance(found, type) else _described(made)
        hint = "derive a class from tabletop.picture.Picture"
        raise RegistryError(f"{source}: PICTURE is {what}, not a Picture: {hint}")
    return made


def _described(found: object) -> str:
    plain = found is None or isinstance(found, (bool, int, float, str))
    return repr(found) if plain else f"an object of the class {type(found).__name__}"


def drawn(
    match: Drawable,
    picture: Picture[Any] | None = None,
    seat: Watcher = ALL,
    *,
    narrow: bool = False,
    bare: bool = False,
    recent: Sequence[Event] = (),
    told: Sequence[Event] = (),
) -> str:
    """A picture of a match as it stands, that shows and cannot be clicked.

    Args:
        match: what is played.
        picture: how the game looks; found by its rules when not given.
        seat: who looks: a seat, None for a spectator, `tabletop.events.ALL` for somebody from whom
            nothing is hidden.
        narrow: whether it is for a screen as narrow as a phone's.
        bare: without a style sheet, for a page that has it.
        recent: what has happened just before, as the one who looks was told; see `Scene`.
        told: what that one was told last.
    """
    picture = picture_of_game(match.game) if picture is None else picture
    view = match.view(seat) if seat is None or isinstance(seat, int) else match.state
    scene = Scene(
        match.names,
        seat,
        match.to_act,
        narrow=narrow,
        bare=bare,
        recent=recent,
        told=told,
        outcome=match.outcome,
    )
    return picture.draw(view, scene)
