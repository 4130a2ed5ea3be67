"""Putting a match at a point that it has not been played to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tabletop.match import AnyMatch
from tabletop.match.history import Checkpoint


def put_at(
    match: AnyMatch, state: Any, streams: Mapping[str, int], actions: Sequence[Any] = ()
) -> None:
    """Let `match` stand in `state` and at these offsets of streams, as if after these actions."""
    match._table.rng.restore(streams)
    match._state, match._to_act = state, match.game.to_act(state)
    match._history.log[:] = actions
    match._history.checkpoints = [Checkpoint(len(actions), state.clone(), dict(streams))]
