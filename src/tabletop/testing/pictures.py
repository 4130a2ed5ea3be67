"""The check of a game's picture: drawn at every step of random matches, for everybody who looks."""

from __future__ import annotations

import re
from collections import Counter
from itertools import product
from typing import Any
from xml.parsers import expat

from tabletop.codec import digest
from tabletop.drawing import picture_of_game
from tabletop.events import ALL, Watcher
from tabletop.game import AnyGame
from tabletop.match import AnyMatch, Match
from tabletop.options import Options
from tabletop.picture import Clickable, Picture, Scene, clickables
from tabletop.players import Random
from tabletop.rng import Streams
from tabletop.testing.laws import LawBroken

_PART = re.compile(r' data-part="([^"]*)"')
_FORBIDDEN = re.compile(
    r"<(script|foreignObject|iframe|image|use|a)\b| (on\w+|href|xlink:href|id|style)="
)


def check_picture(
    game: AnyGame,
    picture: Picture[Any] | None = None,
    *,
    matches: int = 5,
    plies: int = 200,
    seed: str = "check",
    options: Options | None = None,
) -> int:
    """Draw every position of random matches, for every seat, spectators, and those who see all.

    A picture is one well-formed SVG without scripts, links and ids; it is the same when it is drawn
    again, and drawing it changes nothing. No two of its parts have the same name, and whatever can
    be done by clicking has its parts in it.

    Args:
        game: the rules.
        picture: how it looks; found by the rules when not given.
        matches: how many, in turn with every number of seats.
        plies: the most actions of a match.
        seed: another one plays other matches.
        options: of the matches.

    Returns:
        How many pictures were drawn.

    Raises:
        LawBroken: something does not hold; says the game, the seed, the ply and what.
    """
    picture = picture_of_game(game) if picture is None else picture
    drawn = 0
    for number in range(matches):
        name = f"{seed} {number}"
        seats = game.seats[number % len(game.seats)]
        match = Match(game, seed=name, seats=seats, options=options or {})
        for seat in range(seats):
            match.set_player(seat, Random(Streams(name)["player", seat]))
        while True:
            drawn += _check_position(match, picture)
            if match.over or match.ply >= plies:
                break
            match.step()
    return drawn


def _check_position(match: AnyMatch, picture: Picture[Any]) -> int:
    drawn = 0
    watchers: tuple[Watcher, ...] = (ALL, None, *range(match.seats))
    for seat, narrow in product(watchers, (False, True)):
        wrong = _wrong(match, picture, _scene(match, picture, seat, narrow=narrow))
        if wrong:
            size = "narrow" if narrow else "wide"
            message = f"the {size} picture for {_called(seat)} {wrong}"
            raise LawBroken(match.game.name, match.seed.text, match.ply, "picture", message)
        drawn += 1
    return drawn


def _called(seat: Watcher) -> str:
    if seat is None:
        return "a spectator"
    return f"seat {seat + 1}" if isinstance(seat, int) else "who sees all"


def _scene(match: AnyMatch, picture: Picture[Any], seat: Watcher, *, narrow: bool) -> Scene:
    choices: tuple[Clickable, ...] = ()
    if isinstance(seat, int):
        actions = match.legal_actions(seat)
        choices = clickables(picture, match.view(seat), actions, match.names, seat)
    return Scene(
        match.names,
        seat,
        match.to_act,
        choices,
        narrow=narrow,
        live=bool(choices),
        outcome=match.outcome,
    )


def _wrong(match: AnyMatch, picture: Picture[Any], scene: Scene) -> str:
    """What is wrong with the picture of a scene; empty when nothing is."""
    seat = scene.seat
    view = match.view(seat) if seat is None or isinstance(seat, int) else match.state.clone()
    before = digest(view, {})
    svg = picture.draw(view, scene)
    if digest(view, {}) != before:
        return "has changed the view that it was drawn from"
    if picture.draw(view, scene) != svg:
        return "differs when it is drawn again"
    try:
        expat.ParserCreate().Parse(svg, True)
    except expat.ExpatError as error:
        return f"is not well-formed: {error}"
    forbidden = _FORBIDDEN.search(svg)
    if forbidden:
        return f"has {forbidden[0].strip()} in it: no page can show that safely"
    return _wrong_parts(svg, scene)


def _wrong_parts(svg: str, scene: Scene) -> str:
    parts = Counter(_PART.findall(svg))
    twice = next((part for part, count in parts.items() if count > 1), None)
    if twice is not None:
        return f"has two parts called {twice!r}"
    for choice in scene.choices:
        missing = next((part for part in choice.path if part not in parts), None)
        if missing is not None:
            return f"has no part {missing!r}, that is to be clicked for {choice.words!r}"
    return ""
