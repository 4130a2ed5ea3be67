"""The time to make the input of a learner: view, encoding, and mask of legal actions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from benchmarks.common import Contender, Row, Target, optional_module, race
from tabletop import Match, Random
from tabletop.registry import load

TITLE = "Observations: microseconds for the view of a position, its encoding, and the mask"

ENCODE = Target(30, at_least=False)
MASK = Target(15, at_least=False)
GAMES = ("sorcery", "constructor")
MATCHES, PLIES, APART = 8, 400, 5


def run(seconds: float) -> Iterator[Row]:
    """Time positions of random matches, including late ones."""
    if optional_module("numpy") is None:
        yield Row("observations", note="the extra `envs` is not installed")
        return
    for name in GAMES:
        yield from observed(name, seconds)


def observed(name: str, seconds: float) -> Iterator[Row]:
    """Yield the times for one game."""
    import numpy as np

    from tabletop.envs import ActionIndex, make_encoder

    game = load(name).game
    encoder, index = make_encoder(game), ActionIndex(game)
    out, mask = np.zeros(encoder.size, np.float32), np.zeros(index.size, np.int8)
    matches = list(positions(game))
    views = [(match.view(match.to_act[0]), match.to_act[0]) for match in matches]
    legal = [match.legal_actions() for match in matches]
    acts: dict[str, Contender] = {
        "view": _each(matches, lambda match: match.view(match.to_act[0])),
        "encode": _each(views, lambda it: encoder.encode(it[0], it[1], out)),
        "mask": _each(legal, lambda actions: index.mask(actions, mask)),
    }
    result = race(acts, seconds)
    for what, target, size in (
        ("view", None, ""),
        ("encode", ENCODE, f", {encoder.size} numbers"),
        ("mask", MASK, f", {index.size} actions"),
    ):
        yield Row(f"{name}: {what}{size}", 1e6 / result.speed(what), "us", target=target)


def positions(game: Any) -> Iterator[Match[Any, Any]]:
    """Yield positions of random matches."""
    for number in range(MATCHES):
        match = Match(game, seed=number, players=[Random(number)] * game.seats[0])
        while not match.over and match.ply < PLIES:
            yield match.clone()
            match.run(APART)


def _each(things: Sequence[Any], act: Callable[[Any], object]) -> Contender:
    def work(count: int) -> int:
        for at in range(count):
            act(things[at % len(things)])
        return count

    return work
