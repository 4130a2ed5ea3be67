"""The laws of learning environments: each action has an index, and observations stay within bounds.

These laws are tested only if the extra `envs` is installed, and if the state declares the bounds of
all its fields or the game has its own encoder.
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
    """Tests the indices of actions and the encoded observations of a match.

    Args:
        own: The game's own encoder, or None.

    Attributes:
        left_out: The reason why observations are not tested. Empty if they are tested, or if the
            game does not list its actions or declares no bounds.
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
        except ImportError as error:  # the message names the missing library
            self.left_out = str(error)
            return
        self._index = probe.attempt("all actions", "indexing", ActionIndex, game, options, seats)
        try:
            self._encoder = make_encoder(game, options, seats, encoder=own)
        except ContractError as error:
            if _has_bounds(schema_of(type(probe.make().state))):
                self.left_out = str(error).partition(";")[0]
        except Exception as error:
            raise probe.fail("observation", f"creating the encoder raised {error!r}") from error

    def check_indices(self, legal: list[Any]) -> None:
        """Check that every legal action has a unique index."""
        if self._index is None:
            return
        probe = self._probe
        mask = probe.attempt("all actions", "masking the legal actions", self._index.mask, legal)
        if mask.sum() != len(legal):
            raise probe.fail("all actions", "two legal actions have the same index")

    def check(self, match: AnyMatch, seat: Seat | None, stream: Stream) -> None:
        """Check that an observation stays within its bounds and depends on no hidden value."""
        if self._encoder is None:
            return
        numbers = self.check_bounds(match, seat)
        game = match.game
        other = game.view(game.redeal(match.state, seat, stream), seat)
        if (self._encode(other, seat) != numbers).any():
            what = "the view of a redealt state is the same, but its encoding differs"
            raise self._probe.fail("observation", f"{name_seat(seat)}: {what}")

    def check_bounds(self, match: AnyMatch, seat: Seat | None) -> Any:
        """Check that an observation stays within its bounds, and return its numbers."""
        if self._encoder is None:
            return None
        import numpy as np

        probe, view = self._probe, match.view(seat)
        numbers = self._encode(view, seat)
        for outside in getattr(self._encoder, "clipped", lambda view, seat: [])(view, seat):
            raise probe.fail("observation", f"{outside}: declare wider bounds")
        encoder = self._encoder
        low, high = (np.asarray(bound, np.float32) for bound in (encoder.low, encoder.high))
        for at in np.flatnonzero(~((low <= numbers) & (numbers <= high))):
            bounds = f"must be from {low[at]:g} to {high[at]:g}"
            what = f"number {at} for {name_seat(seat)} {bounds}, not {numbers[at]:g}"
            raise probe.fail("observation", what)
        return numbers

    def _encode(self, view: Any, seat: Seat | None) -> Any:
        import numpy as np

        # Start with NaN, so that a number that the encoder does not write is out of bounds.
        numbers = np.full(self._encoder.size, np.nan, np.float32)
        self._probe.attempt("observation", "encode", self._encoder.encode, view, seat, numbers)
        return numbers


def _has_bounds(part: Schema, above: tuple[Schema, ...] = ()) -> bool:
    """Return whether any field of a class has bounds. `above` contains the enclosing classes."""
    notes = [note for note in part.notes if note is not bounds.UNOBSERVED]
    if any(type(note).__module__ == bounds.__name__ for note in notes):
        return True
    return part not in above and any(_has_bounds(it, (*above, part)) for _, it in part.parts())
