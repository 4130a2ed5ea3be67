"""Finds the mistake behind a broken law where the law alone would mislead."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Final

from tabletop.game import AnyGame
from tabletop.match import Match
from tabletop.options import Options
from tabletop.rng import Streams
from tabletop.table import Table
from tabletop.testing.laws import LawBroken
from tabletop.testing.outside import find_source, fingerprint
from tabletop.testing.shape import wrong_application

DRAWN: Final = "somebody has drawn from the module random: draw from the streams that are handed"

_DIFFERENCES: Final = ("clone", "determinism", "enumeration", "json", "undo", "views")
"""Laws that are broken as well where something comes from outside the streams."""


@dataclass(slots=True)
class Walk:
    """A match of a trial played once more, with nothing tested.

    Args:
        game: the rules.
        seed, seats, options: of the match.
    """

    game: AnyGame
    seed: str
    seats: int
    options: Options | None
    ply: int = 0

    def explained(self, broken: LawBroken, before: object) -> LawBroken | None:
        """The error to raise instead of `broken`; None when that is clear enough.

        Args:
            broken: what a trial has found.
            before: the fingerprint of the module `random` when it began.
        """
        if broken.law == "shape":
            return None
        if not broken.ply and (wrong := self._wrong_first_move()) is not None:
            return self._fail("shape", wrong)
        drawn = fingerprint() != before
        if not drawn and broken.law not in _DIFFERENCES:
            return None
        source = find_source(self.game, lambda: self._go(broken.ply + 1))
        if drawn:
            return self._fail("determinism", str(source or DRAWN))
        if source is None:
            return None
        self.ply = broken.ply
        return self._fail("determinism", f"{broken.what}; {source}")

    def _fail(self, law: str, what: str) -> LawBroken:
        return LawBroken(self.game.name, self.seed, self.ply, law, what)

    def _wrong_first_move(self) -> str | None:
        """What is wrong with what the first `apply` returns, if it returns at all."""
        streams = Streams(self.seed)
        game, options = self.game, self.game.resolve_options(self.options or {})
        table = Table(streams)
        table.watch(True)
        try:
            state = game.setup(options, self.seats, streams)
            action = game.legal_actions(state, game.to_act(state)[0])[0]
            returned = game.apply(state, action, table)
        except Exception:
            return None
        return wrong_application(returned, state, table.events)

    def _go(self, plies: int) -> None:
        """Play, and ask whatever the rules can be asked, with the choices of the trial."""
        chance = Streams(self.seed).child("check")
        game = self.game
        match = Match(game, seed=self.seed, seats=self.seats, options=self.options)
        while match.to_act and match.ply < plies:
            self.ply = match.ply
            seat = chance["seats"].choice(match.to_act)
            legal = match.legal_actions(seat)
            state = match.state
            asks: tuple[Callable[[], object], ...] = (
                state.clone,
                partial(game.outcome, state),
                partial(game.redeal, state, seat, chance["laws"]),
                partial(match.view, seat),
                partial(game.parse, str(legal[0]), state, seat),
                *(partial(match.clone().play, action) for action in legal),
            )
            for ask in asks:
                with suppress(Exception):
                    ask()
            match.play(chance["actions"].choice(legal))
        self.ply = match.ply
        game.outcome(match.state)
