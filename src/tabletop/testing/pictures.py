"""The check of a game's picture: drawn at every step of random matches, for every viewer."""

from __future__ import annotations

import cmath
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache, partial
from itertools import product
from math import radians
from typing import Any, Final, NamedTuple, TypeVar
from xml.etree import ElementTree as ET

from tabletop.display.picture import Picture, Scene, clickables
from tabletop.display.svg import CLASSES, ELLIPSIS, measure
from tabletop.match.match import AnyMatch
from tabletop.registry import plugin_of
from tabletop.rules.events import Event, Watcher
from tabletop.rules.game import AnyGame
from tabletop.rules.options import Options
from tabletop.states.codec import digest
from tabletop.testing.coverage import Coverage
from tabletop.testing.laws import LawBroken, note_fault
from tabletop.testing.probe import describe_failure, name_watcher, watched_positions
from tabletop.testing.rules import misspelt_name
from tabletop.wording import did_you_mean, truncate

T = TypeVar("T")

_AWKWARD: Final = ' <&">'  # part of every player's name: some people are called so

_NO_NUMBER = re.compile(
    r' (?:[cr]?[xy][12]?|r|d|points|width|height|viewBox|transform|font-size)="[^"]*\b(nan|inf)\b'
)
_CLASS = re.compile(r"\.([a-z][\w-]*)")
_CLOSELY: Final = 8
"""In one of so many positions each piece of a picture is looked at: its class, ring and place."""

_DRAWN_PLIES: Final = 200
"""Plies of a match after which only positions with a new situation are drawn."""

_MARGIN: Final = 1.0
"""The distance by which pieces may lie outside a picture, in its units: a border's width."""

_FORBIDDEN = re.compile(
    r"<(script|foreignObject|iframe|image|use|a)\b| (on\w+|href|xlink:href|id|style)="
)


class _Faulty(Exception):
    """Something is wrong with a picture; says what."""


def check_picture(
    game: AnyGame,
    picture: Picture[Any] | None = None,
    *,
    matches: int = 5,
    plies: int = 200,
    seconds: float | None = None,
    seed: str = "check",
    options: Options | None = None,
    faults: list[LawBroken] | None = None,
    coverage: Coverage | None = None,
) -> int:
    """Draw every position of random matches, for every seat, spectators, and those who see all.

    A picture is one well-formed SVG without scripts, links and ids, whatever people are called; it
    is the same when it is drawn again, and drawing it changes nothing. No two of its parts have the
    same name, and whatever can be done by clicking has its parts in it. No method fails, and each
    returns what it is to return. In one position of eight, and at the end, parts have rings where
    they can be clicked, classes are those that there are, no piece is cut off at the border, and in
    a picture whose `draw` is ready, as that of a `CardTable`, no text ends in `…` for want of room.

    Args:
        game: the rules.
        picture: the picture; that of the game's plugin when not given.
        matches: the number of matches; the numbers of seats take turns.
        plies: the most actions of a match, which then stops without a complaint.
        seconds: the time limit for drawing positions; None for no limit.
        seed: another one plays other matches.
        options: the options of the matches that differ from their defaults.
        faults: a list that receives one fault of each kind, as of `check_game`.
        coverage: receives the situations of the matches, and the numbers of positions met and
            drawn.

    Returns:
        The number of pictures drawn.

    Raises:
        LawBroken: something does not hold; names the game, the seed, the ply and the fault.
        OptionError: an option is unknown or out of range.
        RegistryError: `picture` of the plugin is no picture, or cannot be imported.
    """
    picture = plugin_of(game).make_picture() if picture is None else picture
    slip = misspelt_name(type(picture), Picture)
    if slip is not None:
        note_fault(faults, LawBroken(game.name, seed, 0, "picture", slip))
    coverage = coverage or Coverage()
    limits: dict[str, Any] = {"matches": matches, "plies": plies, "seconds": seconds}
    limits |= {"seed": seed, "options": options, "coverage": coverage}
    pictures = 0
    for match, recent, is_new, is_due in watched_positions(
        game, **limits, more=partial(_path_lengths, picture)
    ):
        coverage.met += 1
        if is_new or (is_due and match.ply < _DRAWN_PLIES):
            coverage.drawn += 1
            pictures += _check_position(match, picture, recent, faults)
    return pictures


def _path_lengths(picture: Picture[Any], match: AnyMatch) -> set[object]:
    """Return the numbers of clicks that the legal actions take."""
    lengths: set[object] = set()
    with suppress(Exception):  # found when the position is drawn
        for seat in match.to_act:
            view = match.view(seat)
            actions = match.legal_actions(seat)
            lengths.update(("clicks", len(picture.path(it, view, seat))) for it in actions)
    return lengths


def _check_position(
    match: AnyMatch,
    picture: Picture[Any],
    recent: Mapping[Watcher, Sequence[Event]],
    faults: list[LawBroken] | None,
) -> int:
    """Check the pictures of a position; return their number."""
    # The words of a ready picture are all that its author can mend.
    is_ready = type(picture).draw.__module__.startswith("tabletop.display.")
    long, short = ([f"{it}{_AWKWARD}" for it in match.names], [it[-1:] for it in match.names])
    for (seat, events), narrow in product(recent.items(), (False, True)):
        try:
            _check_one(match, picture, _scene(match, picture, seat, events, long, narrow=narrow))
            if is_ready and (match.ply % _CLOSELY == 0 or match.over):
                scene = _scene(match, picture, seat, events, short, narrow=narrow)
                _check_texts(_read(_ask("draw", partial(picture.draw, _view(match, seat), scene))))
        except _Faulty as faulty:
            width = "narrow" if narrow else "wide"
            message = f"the {width} picture for {name_watcher(seat)} {faulty}"
            broken = LawBroken(match.game.name, match.seed.text, match.ply, "picture", message)
            broken.__cause__ = faulty.__cause__
            note_fault(faults, broken)
    return 2 * len(recent)


def _ask(method: str, ask: Callable[[], T]) -> T:
    try:
        return ask()
    except Exception as error:
        raise _Faulty(f"fails: {method} raised {describe_failure(error)}") from error


def _check_text(method: str, what: str, found: object) -> None:
    if not isinstance(found, str):
        hint = ": is a `return` missing?" if found is None else ", which is no text"
        raise _Faulty(f"fails: {method} returns {truncate(repr(found), 60)}{what}{hint}")


def _view(match: AnyMatch, seat: Watcher) -> Any:
    return match.view(seat) if seat is None or isinstance(seat, int) else match.state.clone()


def _scene(
    match: AnyMatch,
    picture: Picture[Any],
    seat: Watcher,
    recent: Sequence[Event],
    called: Sequence[str],
    *,
    narrow: bool,
) -> Scene:
    """The scene of a picture; what its methods say of the legal actions is checked on the way."""
    names, told = tuple(called), tuple(recent)
    scene = Scene(
        *(names, seat, match.to_act),
        narrow=narrow,
        recent=told,
        told=told,
        outcome=match.outcome,
    )
    if not isinstance(seat, int):
        return scene
    view, actions = match.view(seat), match.legal_actions(seat)
    for action in actions:
        _check_path(action, _ask("path", partial(picture.path, action, view, seat)))
        label = _ask("label", partial(picture.label, action, view, names, seat))
        _check_text("label", f" for {str(action)!r}", label)
    choices = clickables(picture, view, actions, names, seat)
    return replace(scene, choices=choices, live=bool(choices))


def _check_path(action: object, path: object) -> None:
    if not isinstance(path, tuple | list) or not all(isinstance(part, str) for part in path):
        hint = "return a tuple of the names of its parts, or () for none"
        raise _Faulty(f"fails: path returns {truncate(repr(path), 60)} for {str(action)!r}: {hint}")
    twice = next((part for part, count in Counter(path).items() if count > 1), None)
    if twice is not None:
        raise _Faulty(f"fails: path returns the part {twice!r} twice for {str(action)!r}")


def _check_last(last: object) -> frozenset[str]:
    """The parts that show the last action."""
    if (
        isinstance(last, Collection)
        and not isinstance(last, str)
        and all(isinstance(part, str) for part in last)
    ):
        return frozenset(last)
    hint = "return the names of parts, or () for none"
    raise _Faulty(f"fails: last returns {truncate(repr(last), 60)}: {hint}")


def _check_one(match: AnyMatch, picture: Picture[Any], scene: Scene) -> None:
    seat, view = scene.seat, _view(match, scene.seat)
    before = digest(view, {})
    scene = replace(scene, last=_check_last(_ask("last", partial(picture.last, view, scene))))
    svg = _ask("draw", partial(picture.draw, view, scene))
    _check_text("draw", "", svg)
    if digest(view, {}) != before:
        raise _Faulty("has changed the view that it was drawn from")
    if _ask("draw", partial(picture.draw, view, scene)) != svg:
        raise _Faulty("differs when it is drawn again")
    root = _read(svg)
    _check_forbidden(svg)
    parts = _parts(root)
    for choice in scene.choices:
        missing = next((part for part in choice.path if part not in parts), None)
        if missing is not None:
            raise _Faulty(f"has no part {missing!r}, that is to be clicked for {choice.words!r}")
    if match.ply % _CLOSELY == 0 or match.over:
        _check_classes(root, picture.style)
        if scene.live:
            _check_rings(parts)
        _check_borders(root)
    if isinstance(seat, int):
        for part in parts:
            attempt = _ask("attempt", partial(picture.attempt, part, view, seat))
            _check_text("attempt", f" for the part {part!r}", attempt)


# Who may see the same is drawn the same: one picture in a few is new.
@lru_cache(maxsize=16)
def _read(svg: str) -> ET.Element:
    """The root of a picture that is well-formed."""
    try:
        return ET.fromstring(svg)
    except ET.ParseError as error:
        lines, (number, column) = svg.encode().split(b"\n"), error.position
        line = lines[number - 1] if number <= len(lines) else b""
        near = line[max(0, column - 40) : column + 20].decode(errors="ignore")
        hint = "names and other words go through `text`, `paragraph` or `escape`"
        raise _Faulty(f"is not well-formed: {error}, near {near!r} ({hint})") from error


def _check_forbidden(svg: str) -> None:
    """A picture holds nothing that no page can show."""
    forbidden = _FORBIDDEN.search(svg)
    if forbidden:
        raise _Faulty(f"has {forbidden[0].strip()} in it: no page can show that safely")
    if svg.count("<style") > 1:
        raise _Faulty("has a <style> among its pieces: its CSS belongs into `style` of the picture")
    no_number = _NO_NUMBER.search(svg)
    if no_number:
        raise _Faulty(f'has {no_number[1]} for a number: {no_number[0].strip()}..."')


def _parts(root: ET.Element) -> dict[str, ET.Element]:
    """The parts of a picture by name."""
    parts: dict[str, ET.Element] = {}
    for element in root.iter():
        part = element.get("data-part")
        if part in parts:
            raise _Faulty(f"has two parts called {part!r}")
        if part is not None:
            parts[part] = element
    return parts


def _classes(element: ET.Element) -> list[str]:
    return element.get("class", "").split()


def _check_classes(root: ET.Element, style: str) -> None:
    known = CLASSES.union(_CLASS.findall(style))
    for name in sorted({name for it in root.iter() for name in _classes(it)}):
        if name.startswith("tt-") and name not in known:
            hint = did_you_mean(name, sorted(CLASSES))
            raise _Faulty(f"has the class {name!r}, which there is not{hint}")


def _check_rings(parts: dict[str, ET.Element]) -> None:
    for part, element in parts.items():
        if not any("tt-ring" in _classes(piece) for piece in element):
            raise _Faulty(
                f"has a part {part!r} without a ring: nobody sees that it is lit, chosen or"
                " focused. Give one of the pieces right in it the class `tt-ring`"
            )


@lru_cache(maxsize=16)
def _check_texts(root: ET.Element) -> None:
    """Check that no text was cut: then what it says is in a title, which a finger never sees."""
    for element in root.iter():
        title = element.find("{*}title")
        if title is None or not title.text:
            continue
        *_, shown = element.itertext()
        is_text = all(it.tag.rpartition("}")[2] in {"title", "text"} for it in element)
        if is_text and shown.endswith(ELLIPSIS) and not title.text.endswith(ELLIPSIS):
            raise _Faulty(
                f"cuts {truncate(title.text, 60)!r} to {shown!r} ({len(title.text)} letters, room"
                f" for {len(shown)}), however short names are: use fewer words, or give it more"
                " room"
            )


@lru_cache(maxsize=16)
def _check_borders(root: ET.Element) -> None:
    """Check that no piece is cut off at the border; paths are not checked."""
    _, _, width, height = _numbers(root.get("viewBox", ""))
    for name, part, points in _shapes(root, _Frame()):
        across, down = [point.real for point in points], [point.imag for point in points]
        left, right, top, bottom = min(across), max(across), min(down), max(down)
        if max(-left, -top, right - width, bottom - height) > _MARGIN:
            where = f" in the part {part!r}" if part else ""
            raise _Faulty(
                f"is {width:g} by {height:g}, and has a <{name}>{where} at {left:.0f} to"
                f" {right:.0f}, {top:.0f} to {bottom:.0f}: a piece is cut off"
            )


# Where shapes lie. A point is a complex number: x + y * 1j.

_UNSEEN: Final = frozenset(
    {"defs", "clipPath", "mask", "pattern", "symbol", "marker", "linearGradient", "radialGradient"}
)
"""Elements that are not drawn where they stand."""

_NUMBER: Final = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
_TRANSFORM: Final = re.compile(r"(\w+)\s*\(([^)]*)\)")


class _Frame(NamedTuple):
    """The coordinates of an element: its origin in the picture, and its units across and down."""

    origin: complex = 0
    x: complex = 1
    y: complex = 1j

    def place(self, point: complex) -> complex:
        """Return the place in the picture of a point of the element."""
        return self.origin + self.x * point.real + self.y * point.imag

    def transform(self, transform: str) -> _Frame:
        """The frame of an element in this one that has the attribute `transform`."""
        frame = self
        for name, inside in _TRANSFORM.findall(transform):
            numbers = _numbers(inside)
            a, b, c = (*numbers, 0.0, 0.0)[:3]
            step = _Frame()
            match name:
                case "translate":
                    step = _Frame(complex(a, b))
                case "scale":
                    step = _Frame(0, a, 1j * (b if len(numbers) > 1 else a))
                case "rotate":  # by an angle, about a point
                    turn = cmath.rect(1, radians(a))
                    step = _Frame(complex(b, c) * (1 - turn), turn, 1j * turn)
            origin = frame.place(step.origin)
            x, y = frame.place(step.x) - frame.origin, frame.place(step.y) - frame.origin
            frame = _Frame(origin, x, y)
        return frame


def _shapes(
    element: ET.Element, frame: _Frame, part: str = ""
) -> Iterator[tuple[str, str, Sequence[complex]]]:
    """The shapes in an element, each with its part and points of it; none that are clipped."""
    for child in element:
        name = child.tag.rpartition("}")[2]
        if name in _UNSEEN or "clip-path" in child.attrib or "mask" in child.attrib:
            continue
        own, inner = child.get("data-part", part), frame.transform(child.get("transform", ""))
        if "tt-hit" not in _classes(child):
            with suppress(ValueError):
                points = list(map(inner.place, _points(name, child)))
                if points:
                    yield name, own, points
        if name != "svg":
            yield from _shapes(child, inner, own)


def _numbers(text: str) -> tuple[float, ...]:
    return tuple(map(float, _NUMBER.findall(text)))


def _points(name: str, element: ET.Element) -> list[complex]:
    """Points on the border of a shape or in it, before it is moved; none for other elements.

    A length with a unit, which depends on where the picture is shown, is a ValueError.
    """

    def value(key: str) -> float:
        return float(element.get(key, 0))

    match name:
        case "rect" | "svg":
            return _corners(value("x"), value("y"), value("width"), value("height"))
        case "circle" | "ellipse":
            centre = complex(value("cx"), value("cy"))
            across, down = value("r") or value("rx"), 1j * (value("r") or value("ry"))
            return [centre - across, centre + across, centre - down, centre + down]
        case "line":
            return [complex(value("x1"), value("y1")), complex(value("x2"), value("y2"))]
        case "polygon" | "polyline":
            numbers = _numbers(element.get("points", ""))
            return list(map(complex, numbers[::2], numbers[1::2]))
        case "text" if words := "".join([element.text or "", *(it.tail or "" for it in element)]):
            size = value("font-size")
            width = value("textLength") or measure(words, size)
            share = {"middle": 0.5, "end": 1.0}.get(element.get("text-anchor", ""), 0.0)
            # Without what its letters have below the line.
            return _corners(value("x") - share * width, value("y") - 0.7 * size, width, 0.7 * size)
    return []


def _corners(x: float, y: float, width: float, height: float) -> list[complex]:
    return [complex(x + dx, y + dy) for dx in (0, width) for dy in (0, height)]
