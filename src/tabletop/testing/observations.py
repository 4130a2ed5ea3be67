"""The laws of learning environments: actions have indices, observations stay within their bounds.

They are tested where the extra `envs` is installed, and where the state says the bounds of all its
fields or the game brings an encoder of its own.
"""

from __future__ import annotations

from typing import Any

from tabletop.errors import ContractError
from tabletop.match.match import AnyMatch
from tabletop.rng.stream import Stream
from tabletop.states import bounds
from tabletop.states.bounds import Seat
from tabletop.states.schema import Schema, schema_of
from tabletop.testing.probe import Probe, name_seat


class ObservationTrial:
    """The actions and views of a match as numbers.

    Args:
        probe: calls the rules.
        own: the encoder of the game, if it brings one.

    Attributes:
        left_out: why observations are not tested; empty where they are, and where nobody wants
            them: where the game does not list its actions, or its state says no bounds at all.
    """

    def __init__(self, probe: Probe, own: object = None) -> None:
        self._probe = probe
        self._encoder: Any = None
        self._index: Any = None
        self.left_out: str = ""
        game, options, seats = probe.game, probe.options, probe.seats
        if game.all_actions(game.resolve_options(options or {}), seats) is None:
            return
        try:
            from tabletop.envs.actions import ActionIndex
            from tabletop.envs.encoding import make_encoder
        except ImportError as error:  # says which library is missing
            self.left_out = str(error)
            return
        self._index = probe.attempt("all actions", "indexing", ActionIndex, game, options, seats)
        try:
            self._encoder = make_encoder(game, options, seats, encoder=own)
        except ContractError as error:
            if _says_bounds(schema_of(type(probe.make().state))):
                self.left_out = str(error).partition(";")[0]
        except Exception as error:
            raise probe.fail("observation", f"making the encoder raised {error!r}") from error

    def check_indices(self, legal: list[Any]) -> None:
        """Check that every legal action has one index."""
        if self._index is None:
            return
        probe = self._probe
        mask = probe.attempt("all actions", "masking the legal actions", self._index.mask, legal)
        if mask.sum() != len(legal):
            raise probe.fail("all actions", "two legal actions have one index")

    def check(self, match: AnyMatch, seat: Seat | None, chance: Stream) -> None:
        """Check that an observation stays within its bounds, and shows nothing that is hidden."""
        if self._encoder is None:
            return
        import numpy as np

        probe, game = self._probe, match.game
        view = match.view(seat)
        numbers = self._encode(view, seat)
        for outside in getattr(self._encoder, "clipped", lambda view, seat: [])(view, seat):
            raise probe.fail("observation", f"{outside}: give it wider bounds")
        low, high = (np.asarray(it, np.float32) for it in (self._encoder.low, self._encoder.high))
        for at in np.flatnonzero(~((low <= numbers) & (numbers <= high))):
            bounds = f"from {low[at]:g} to {high[at]:g}"
            what = f"number {at} of {name_seat(seat)} is {numbers[at]:g}, not {bounds}"
            raise probe.fail("observation", what)
        other = game.view(game.redeal(match.state, seat, chance), seat)
        if (self._encode(other, seat) != numbers).any():
            what = "an equal view, of what is hidden dealt anew, is encoded in another way"
            raise probe.fail("observation", f"{name_seat(seat)}: {what}")

    def _encode(self, view: Any, seat: Seat | None) -> Any:
        import numpy as np

        # What an encoder leaves out must not be what has been there before.
        numbers = np.full(self._encoder.size, np.nan, np.float32)
        self._probe.attempt("observation", "encode", self._encoder.encode, view, seat, numbers)
        return numbers


def _says_bounds(part: Schema, above: tuple[Schema, ...] = ()) -> bool:
    """Check whether fields of a class have bounds; `above` holds the classes being checked."""
    notes = [it for it in part.notes if it is not bounds.UNOBSERVED]
    if any(type(it).__module__ == bounds.__name__ for it in notes):
        return True
    return part not in above and any(_says_bounds(it, (*above, part)) for _, it in part.parts())
