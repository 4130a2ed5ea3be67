"""The check of a game's picture: drawn at every step of random matches, for everybody who looks."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from functools import partial
from html import unescape
from itertools import product
from time import monotonic
from typing import Any, Final, TypeVar
from xml.parsers import expat

from tabletop.codec import digest
from tabletop.events import ALL, Watcher
from tabletop.game import AnyGame
from tabletop.match import AnyMatch, Match
from tabletop.options import Options
from tabletop.picture import Clickable, Picture, Scene, clickables, picture_of_game
from tabletop.players import Random
from tabletop.rng import Streams
from tabletop.svg import CLASSES
from tabletop.testing.laws import LawBroken
from tabletop.testing.probe import called, describe_failure
from tabletop.testing.svg_bounds import Contents, read_contents
from tabletop.wording import nearest

T = TypeVar("T")

_AWKWARD: Final = ' <&">'  # what stands in the names of those who play: some people are called so

_NO_NUMBER = re.compile(
    r' (?:[cr]?[xy][12]?|r|d|points|width|height|viewBox|transform|font-size)="[^"]*\b(nan|inf)\b'
)
_PART = re.compile(r' data-part="([^"]*)"')
_CLASS = re.compile(r"\.([a-z][\w-]*)")
_CLOSELY: Final = 8
"""Every piece is looked at in one of so many positions: a picture may have a thousand pieces."""

_MARGIN: Final = 1.0
"""So far, in its units, pieces of a picture may lie outside: borders are that wide."""

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
) -> int:
    """Draw every position of random matches, for every seat, spectators, and those who see all.

    A picture is one well-formed SVG without scripts, links and ids, whatever people are called; it
    is the same when it is drawn again, and drawing it changes nothing. No two of its parts have the
    same name, and whatever can be done by clicking has its parts in it. They have rings where they
    can be clicked, classes are those that there are, and no piece is cut off at the border. No
    method fails, and each returns what it is to return.

    Args:
        game: the rules.
        picture: how it looks; found by the rules when not given.
        matches: how many, in turn with every number of seats.
        plies: the most actions of a match.
        seconds: after so long no more positions are drawn; without it all are.
        seed: another one plays other matches.
        options: of the matches.

    Returns:
        How many pictures were drawn.

    Raises:
        LawBroken: something does not hold; says the game, the seed, the ply and what.
    """
    picture = picture_of_game(game) if picture is None else picture
    pictures, began = 0, monotonic()
    for number in range(matches):
        name = f"{seed} {number}"
        seats = game.seats[number % len(game.seats)]
        match = Match(game, seed=name, seats=seats, options=options or {})
        for seat in range(seats):
            match.set_player(seat, Random(Streams(name)["player", seat]))
        while True:
            pictures += _check_position(match, picture)
            if seconds is not None and monotonic() >= began + seconds:
                return pictures
            if match.over or match.ply >= plies:
                break
            match.step()
    return pictures


def _check_position(match: AnyMatch, picture: Picture[Any]) -> int:
    count = 0
    watchers: tuple[Watcher, ...] = (ALL, None, *range(match.seats))
    for seat, narrow in product(watchers, (False, True)):
        try:
            _check_one(match, picture, _scene(match, picture, seat, narrow=narrow))
        except _Faulty as faulty:
            size = "narrow" if narrow else "wide"
            message = f"the {size} picture for {_called(seat)} {faulty}"
            raise LawBroken(
                match.game.name, match.seed.text, match.ply, "picture", message
            ) from faulty.__cause__
        count += 1
    return count


def _called(seat: Watcher) -> str:
    return called(seat) if seat is None or isinstance(seat, int) else "who sees all"


def _asked(method: str, ask: Callable[[], T]) -> T:
    try:
        return ask()
    except Exception as error:
        raise _Faulty(f"fails: {method} raised {describe_failure(error)}") from error


def _text(method: str, what: str, found: object) -> str:
    if not isinstance(found, str):
        hint = ": is a `return` missing?" if found is None else ", which is no text"
        raise _Faulty(f"fails: {method} returns {_short(found)}{what}{hint}")
    return found


def _short(found: object) -> str:
    words = repr(found)
    return words if len(words) <= 60 else f"{words[:57]}..."


def _scene(match: AnyMatch, picture: Picture[Any], seat: Watcher, *, narrow: bool) -> Scene:
    names = tuple(f"{name}{_AWKWARD}" for name in match.names)
    choices: tuple[Clickable, ...] = ()
    if isinstance(seat, int):
        view = match.view(seat)
        actions = match.legal_actions(seat)
        for action in actions:
            _check_path(action, _asked("path", partial(picture.path, action, view, seat)))
            label = _asked("label", partial(picture.label, action, view, names, seat))
            _text("label", f" for {str(action)!r}", label)
        choices = clickables(picture, view, actions, names, seat)
    return Scene(
        names,
        seat,
        match.to_act,
        choices,
        narrow=narrow,
        live=bool(choices),
        outcome=match.outcome,
    )


def _check_path(action: object, path: object) -> None:
    words = str(action)
    if isinstance(path, str):
        raise _Faulty(f"fails: path returns {path!r} for {words!r}: write ({path!r},) for one part")
    if not isinstance(path, (tuple, list)):
        hint = "return the names of its parts, or () for none"
        raise _Faulty(f"fails: path returns {_short(path)} for {words!r}: {hint}")
    if len(set(path)) < len(path):
        twice = next(part for part, count in Counter(path).items() if count > 1)
        raise _Faulty(f"fails: path returns the part {twice!r} twice for {words!r}")
    wrong = next((part for part in path if not isinstance(part, str)), None)
    if wrong is not None:
        hint = f"which is no name of a part ({type(wrong).__name__})"
        raise _Faulty(f"fails: path returns {_short(wrong)} for {words!r}, {hint}")


def _check_one(match: AnyMatch, picture: Picture[Any], scene: Scene) -> None:
    seat = scene.seat
    view = match.view(seat) if seat is None or isinstance(seat, int) else match.state.clone()
    before = digest(view, {})
    svg = _text("draw", "", _asked("draw", partial(picture.draw, view, scene)))
    if digest(view, {}) != before:
        raise _Faulty("has changed the view that it was drawn from")
    if _asked("draw", partial(picture.draw, view, scene)) != svg:
        raise _Faulty("differs when it is drawn again")
    _check_svg(svg)
    parts = Counter(map(unescape, _PART.findall(svg)))
    _check_parts(parts, scene)
    if match.ply % _CLOSELY == 0 or match.over:
        shown = read_contents(svg)
        _check_classes(shown, picture.style)
        _check_rings(shown, scene)
        _check_borders(shown)
    if isinstance(seat, int):
        for part in parts:
            attempt = _asked("attempt", partial(picture.attempt, part, view, seat))
            _text("attempt", f" for the part {part!r}", attempt)


def _check_svg(svg: str) -> None:
    try:
        expat.ParserCreate().Parse(svg, True)
    except expat.ExpatError as error:
        raise _Faulty(f"is not well-formed: {error}{_near(svg, error)}") from error
    forbidden = _FORBIDDEN.search(svg)
    if forbidden:
        raise _Faulty(f"has {forbidden[0].strip()} in it: no page can show that safely")
    if svg.count("<style") > 1:
        raise _Faulty("has a <style> among its pieces: its CSS belongs into `style` of the picture")
    no_number = _NO_NUMBER.search(svg)
    if no_number:
        raise _Faulty(f'has {no_number[1]} for a number: {no_number[0].strip()}..."')


def _near(svg: str, error: expat.ExpatError) -> str:
    """What stands where it is not well-formed, and what is often the cause."""
    lines = svg.encode().split(b"\n")
    line = lines[error.lineno - 1] if error.lineno <= len(lines) else b""
    near = line[max(0, error.offset - 40) : error.offset + 20].decode(errors="ignore")
    hint = "names and other words go through `text`, `paragraph` or `escape`"
    return f", near {near!r} ({hint})" if near else ""


def _check_classes(shown: Contents, style: str) -> None:
    own = {it for it in _CLASS.findall(style) if it.startswith("tt-")}
    for name in sorted({it for classes in shown.classes for it in classes.split()}):
        if name.startswith("tt-") and name not in CLASSES and name not in own:
            meant = nearest(name, sorted(CLASSES))
            hint = f"; did you mean {meant!r}?" if meant else ""
            raise _Faulty(f"has the class {name!r}, which there is not{hint}")


def _check_rings(shown: Contents, scene: Scene) -> None:
    if not scene.live:
        return  # nothing can be clicked, nor focused
    bare = next((part for part in shown.parts if part not in shown.ringed), None)
    if bare is not None:
        raise _Faulty(
            f"has a part {bare!r} without a ring: nobody sees that it is lit, chosen or focused."
            " Give one of the pieces right in it the class `tt-ring`"
        )


def _check_borders(shown: Contents) -> None:
    for name, part, left, top, right, bottom in shown.cut_off(_MARGIN):
        where = f" in the part {part!r}" if part else ""
        across, down = f"{left:.0f} to {right:.0f}", f"{top:.0f} to {bottom:.0f}"
        size = f"{shown.width:g} by {shown.height:g}"
        raise _Faulty(
            f"is {size}, and has a <{name}>{where} at {across}, {down}: a piece is cut off"
        )


def _check_parts(parts: Counter[str], scene: Scene) -> None:
    twice = next((part for part, count in parts.items() if count > 1), None)
    if twice is not None:
        raise _Faulty(f"has two parts called {twice!r}")
    for choice in scene.choices:
        missing = next((part for part in choice.path if part not in parts), None)
        if missing is not None:
            raise _Faulty(f"has no part {missing!r}, that is to be clicked for {choice.words!r}")
