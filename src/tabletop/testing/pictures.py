"""The check of the pictures of a game, in random matches and for every watcher."""

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
from tabletop.rules.selections import split, spread
from tabletop.states.codec import digest
from tabletop.testing.coverage import Coverage
from tabletop.testing.laws import LawBroken, note_fault
from tabletop.testing.probe import describe_failure, name_watcher, watched_positions
from tabletop.testing.rules import misspelt_name
from tabletop.wording import did_you_mean, truncate

T = TypeVar("T")

_AWKWARD: Final = ' <&">'  # added to the name of every player, to test that names are escaped

_NO_NUMBER = re.compile(
    r' (?:[cr]?[xy][12]?|r|d|points|width|height|viewBox|transform|font-size)="[^"]*\b(nan|inf)\b'
)
_CLASS = re.compile(r"\.([a-z][\w-]*)")
_CLOSELY: Final = 8
"""In one out of `_CLOSELY` positions, all elements are checked: their classes, rings and places."""

_DRAWN_PLIES: Final = 200
"""Number of plies of a match after which only positions with a new situation are drawn."""

_MARGIN: Final = 1.0
"""Units by which an element may extend beyond the picture, such as half of a border's width."""

_FORBIDDEN = re.compile(
    r"<(script|foreignObject|iframe|image|use|a)\b| (on\w+|href|xlink:href|id|style)="
)


class _Faulty(Exception):
    """A picture has a fault."""


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
    """Draw random matches for every seat, for spectators and for an omniscient watcher.

    At every position, the check tests that

    - no method fails, returns a value of the wrong type, or changes the view,
    - the picture is well-formed SVG without scripts, links and ids, even with unusual names of
      players,
    - the picture is the same when it is drawn again,
    - the names of its parts are unique, and it contains all parts that can be clicked.

    In one out of eight positions, and at the end, the check also tests that every clickable part
    has a ring, that all classes exist, and that no element is cut off at the border. If the picture
    inherits `draw` from the framework, as a `CardTable` does, no text may be shortened with `…`.

    Args:
        game: The rules.
        picture: The picture, or None for the picture of the game's plugin.
        matches: The number of matches. They cycle through the numbers of seats.
        plies: The maximum number of actions of a match. A longer match is stopped.
        seconds: The time limit, or None for no limit.
        seed: The start of the seeds of the matches.
        options: The options of the matches that differ from their defaults.
        faults: A list that receives one fault of each kind, as in `check_game`.
        coverage: Receives the situations in the matches, and the numbers of positions that were met
            and drawn.

    Returns:
        The number of pictures drawn.

    Raises:
        LawBroken: A picture has a fault. The error names the game, the seed, the ply and the
            fault.
        OptionError: An option is unknown or out of range.
        RegistryError: The plugin's `picture` is not a picture, or cannot be imported.
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
    """Return the numbers of clicks that the legal actions may take."""
    lengths: set[object] = set()
    with suppress(Exception):  # reported when the position is drawn
        for seat in match.to_act:
            view = match.view(seat)
            actions = spread(match.legal_actions(seat))
            lengths.update(("clicks", len(picture.path(it, view, seat))) for it in actions)
    return lengths


def _check_position(
    match: AnyMatch,
    picture: Picture[Any],
    recent: Mapping[Watcher, Sequence[Event]],
    faults: list[LawBroken] | None,
) -> int:
    """Check the pictures of a position, and return their number."""
    # Only a `draw` of the framework shortens texts by itself, so only there they must fit.
    is_ready = type(picture).draw.__module__.startswith("tabletop.display.")
    long = [f"{name}{_AWKWARD}" for name in match.names]
    short = [name[-1:] for name in match.names]
    closely = match.ply % _CLOSELY == 0 or match.over
    for (seat, events), narrow in product(recent.items(), (False, True)):
        try:
            scene = _scene(match, picture, seat, events, long, narrow=narrow)
            _check_one(match, picture, scene)
            if closely:  # a short picture may omit parts, whose actions the page lists
                draw = partial(picture.draw, _view(match, seat), replace(scene, short=True))
                _read(_call("draw", draw))
            if is_ready and closely:
                scene = _scene(match, picture, seat, events, short, narrow=narrow)
                draw = partial(picture.draw, _view(match, seat), scene)
                _check_texts(_read(_call("draw", draw)))
        except _Faulty as faulty:
            width = "narrow" if narrow else "wide"
            message = f"the {width} picture for {name_watcher(seat)} {faulty}"
            broken = LawBroken(match.game.name, match.seed.text, match.ply, "picture", message)
            broken.__cause__ = faulty.__cause__
            note_fault(faults, broken)
    return 2 * len(recent)


def _call(method: str, call: Callable[[], T]) -> T:
    try:
        return call()
    except Exception as error:
        raise _Faulty(f"fails: {method} raised {describe_failure(error)}") from error


def _check_text(method: str, what: str, result: object) -> None:
    if not isinstance(result, str):
        hint = ": is a `return` missing?" if result is None else ", which is not a string"
        raise _Faulty(f"fails: {method} returns {truncate(repr(result), 60)}{what}{hint}")


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
    """Return the scene of a picture, and check the paths and labels of the legal actions."""
    names, events = tuple(called), tuple(recent)
    scene = Scene(
        *(names, seat, match.to_act),
        narrow=narrow,
        recent=events,
        told=events,
        outcome=match.outcome,
    )
    if not isinstance(seat, int):
        return scene
    view, actions = match.view(seat), match.legal_actions(seat)
    _, selections = split(actions)
    for action in (*spread(actions), *(it.make(it.items) for it in selections)):
        _check_path(action, _call("path", partial(picture.path, action, view, seat)))
        label = _call("label", partial(picture.label, action, view, names, seat))
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
    """Check the type of the result of `last`, and return the parts that show the last action."""
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
    scene = replace(scene, last=_check_last(_call("last", partial(picture.last, view, scene))))
    svg = _call("draw", partial(picture.draw, view, scene))
    _check_text("draw", "", svg)
    if digest(view, {}) != before:
        raise _Faulty("changed the view")
    if _call("draw", partial(picture.draw, view, scene)) != svg:
        raise _Faulty("differs when it is drawn again")
    root = _read(svg)
    _check_forbidden(svg)
    parts = _parts(root)
    for choice in scene.choices:
        missing = next((part for part in choice.path if part not in parts), None)
        if missing is not None:
            raise _Faulty(
                f"has no part {missing!r}, which {choice.words!r} needs as a click target"
            )
    if match.ply % _CLOSELY == 0 or match.over:
        _check_classes(root, picture.style)
        if scene.live:
            _check_rings(parts)
        _check_borders(root)
    if isinstance(seat, int):
        for part in (part for part in parts if not scene.is_lit(part)):
            attempt = _call("attempt", partial(picture.attempt, part, view, seat))
            _check_text("attempt", f" for the part {part!r}", attempt)


# Cached, because watchers with equal views get equal pictures.
@lru_cache(maxsize=16)
def _read(svg: str) -> ET.Element:
    """Parse a picture and return its root element."""
    try:
        return ET.fromstring(svg)
    except ET.ParseError as error:
        lines, (number, column) = svg.encode().split(b"\n"), error.position
        line = lines[number - 1] if number <= len(lines) else b""
        near = line[max(0, column - 40) : column + 20].decode(errors="ignore")
        hint = "write names and other texts with `text`, `paragraph` or `escape`"
        raise _Faulty(f"is not well-formed: {error}, near {near!r} ({hint})") from error


def _check_forbidden(svg: str) -> None:
    """Check that a picture contains nothing that is unsafe in a page."""
    forbidden = _FORBIDDEN.search(svg)
    if forbidden:
        raise _Faulty(f"contains {forbidden[0].strip()}, which is not safe in a page")
    if svg.count("<style") > 1:
        raise _Faulty("contains a <style> element: put the CSS into `style` of the picture")
    no_number = _NO_NUMBER.search(svg)
    if no_number:
        raise _Faulty(f'has {no_number[1]} in place of a number: {no_number[0].strip()}..."')


def _parts(root: ET.Element) -> dict[str, ET.Element]:
    """Return the parts of a picture by name."""
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
    for name in sorted({name for element in root.iter() for name in _classes(element)}):
        if name.startswith("tt-") and name not in known:
            hint = did_you_mean(name, sorted(CLASSES))
            raise _Faulty(f"has an unknown class {name!r}{hint}")


def _check_rings(parts: dict[str, ET.Element]) -> None:
    for part, element in parts.items():
        if not any("tt-ring" in _classes(piece) for piece in element):
            raise _Faulty(
                f"has a part {part!r} without a ring, which highlights it as clickable, chosen or"
                " focused: give one of its direct children the class `tt-ring`"
            )


@lru_cache(maxsize=16)
def _check_texts(root: ET.Element) -> None:
    """Check that no text was truncated, because touch screens do not show the `<title>`."""
    for element in root.iter():
        title = element.find("{*}title")
        if title is None or not title.text:
            continue
        *_, shown = element.itertext()
        is_text = all(it.tag.rpartition("}")[2] in {"title", "text"} for it in element)
        if is_text and shown.endswith(ELLIPSIS) and not title.text.endswith(ELLIPSIS):
            raise _Faulty(
                f"shortens {truncate(title.text, 60)!r} to {shown!r} ({len(title.text)} characters,"
                f" room for {len(shown)}), even with short names: use fewer words, or more room"
            )


@lru_cache(maxsize=16)
def _check_borders(root: ET.Element) -> None:
    """Check that no element is cut off at the border. Paths are not checked."""
    _, _, width, height = _numbers(root.get("viewBox", ""))
    for name, part, points in _shapes(root, _Frame()):
        across, down = [point.real for point in points], [point.imag for point in points]
        left, right, top, bottom = min(across), max(across), min(down), max(down)
        if max(-left, -top, right - width, bottom - height) > _MARGIN:
            where = f" in the part {part!r}" if part else ""
            raise _Faulty(
                f"is {width:g} by {height:g}, but a <{name}>{where} from {left:.0f} to"
                f" {right:.0f}, {top:.0f} to {bottom:.0f} is cut off at the border"
            )


# Positions of shapes. A point is a complex number: x + y * 1j.

_UNSEEN: Final = frozenset(
    {"defs", "clipPath", "mask", "pattern", "symbol", "marker", "linearGradient", "radialGradient"}
)
"""Elements whose content is not drawn at that point of the picture."""

_NUMBER: Final = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
_TRANSFORM: Final = re.compile(r"(\w+)\s*\(([^)]*)\)")


class _Frame(NamedTuple):
    """The coordinate system of an element: its origin and its two unit vectors."""

    origin: complex = 0
    x: complex = 1
    y: complex = 1j

    def place(self, point: complex) -> complex:
        """Convert a point of the element to the coordinates of the picture."""
        return self.origin + self.x * point.real + self.y * point.imag

    def transform(self, transform: str) -> _Frame:
        """Return the frame of a child element with the attribute `transform`."""
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
                case "rotate":  # by an angle, around a point
                    turn = cmath.rect(1, radians(a))
                    step = _Frame(complex(b, c) * (1 - turn), turn, 1j * turn)
            origin = frame.place(step.origin)
            x, y = frame.place(step.x) - frame.origin, frame.place(step.y) - frame.origin
            frame = _Frame(origin, x, y)
        return frame


def _shapes(
    element: ET.Element, frame: _Frame, part: str = ""
) -> Iterator[tuple[str, str, Sequence[complex]]]:
    """Yield the name, part and points of each shape in an element, except clipped shapes."""
    for child in element:
        name = child.tag.rpartition("}")[2]
        if name in _UNSEEN or "clip-path" in child.attrib or "mask" in child.attrib:
            continue
        inner_part = child.get("data-part", part)
        inner = frame.transform(child.get("transform", ""))
        if "tt-hit" not in _classes(child):
            with suppress(ValueError):
                points = list(map(inner.place, _points(name, child)))
                if points:
                    yield name, inner_part, points
        if name != "svg":
            yield from _shapes(child, inner, inner_part)


def _numbers(text: str) -> tuple[float, ...]:
    return tuple(map(float, _NUMBER.findall(text)))


def _points(name: str, element: ET.Element) -> list[complex]:
    """Return points with the same extent as a shape before its transform.

    Empty for other elements.

    Raises:
        ValueError: A length has a unit, so its size in the picture is unknown.
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
            # The parts of letters below the baseline are ignored.
            return _corners(value("x") - share * width, value("y") - 0.7 * size, width, 0.7 * size)
    return []


def _corners(x: float, y: float, width: float, height: float) -> list[complex]:
    return [complex(x + dx, y + dy) for dx in (0, width) for dy in (0, height)]
