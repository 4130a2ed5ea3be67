"""The laws of reproducible states: from a clone, from JSON, after an undo and from the seed."""

from __future__ import annotations

import random
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, Final

from tabletop.errors import ContractError
from tabletop.match.match import AnyMatch
from tabletop.rules.events import Event
from tabletop.rules.game import Table
from tabletop.rules.selections import spread
from tabletop.states.codec import check_plain, difference, find_problem, from_json, to_json
from tabletop.testing.laws import NO_ORDER, LawBroken
from tabletop.testing.probe import Probe, find_held_twice, name_seat, streams_like
from tabletop.testing.rules import wrong_application
from tabletop.wording import plural, truncate

_PURE: Final = (
    "setup and apply may depend only on the state, the options, the action and the streams: not on"
    " random, os.urandom, the time, id() or hash(), or on data stored in the Game or in a module"
)

_DRAWN: Final = (
    "the rules use the module random, which does not depend on the seed: use the streams that"
    ' setup, apply and redeal receive, such as rng["cards"].shuffle(cards) or'
    ' table.rng["dice"].roll(6)'
)

_CONSEQUENCES: Final = ("clone", "enumeration", "json", "undo", "views")
"""Laws that nondeterministic rules break as a consequence."""


def check_beginning(probe: Probe, match: AnyMatch) -> None:
    """Check that the first state can be written as JSON, and depends only on the seed."""
    try:
        check_plain(type(match.state))
    except ContractError as error:
        raise probe.fail("json", str(error)) from error
    if probe.digest(match) != probe.digest(probe.attempt("setup", "setup", probe.make)):
        what = f"the same seed leads to another first state: {_PURE}"
        raise probe.fail("determinism", what)


def check_clone(probe: Probe, match: AnyMatch) -> None:
    """Check that a clone is equal and independent, and shares no mutable object."""
    twin = probe.attempt("clone", "clone", match.clone)
    if twin.state is match.state:
        raise probe.fail("clone", "clone returns the state itself: create another object")
    what = difference(match.state, twin.state, type(match.state).__name__)
    if what is not None:
        raise probe.fail("clone", f"a clone is not equal to the state: {what}")
    probe.check_shared("clone", "a clone", twin.state, match.state)
    if (places := find_held_twice(match.state)) is not None:
        raise probe.fail(
            "clone",
            f"{places[0]} and {places[1]} are the same object, so a change to one changes the"
            " other, but not in a clone: [[] for _ in range(n)] creates n lists, [[]] * n only one",
        )


def check_json(probe: Probe, match: AnyMatch) -> None:
    """Check that the state does not change if it is written as JSON and read again."""
    state = match.state
    kind = type(state)
    try:
        what = difference(state, from_json(to_json(state), kind), kind.__name__)
    except ContractError as error:
        what = find_problem(state, kind.__name__) or str(error)
    if what is not None:
        raise probe.fail("json", what)


def check_order(probe: Probe, match: AnyMatch) -> None:
    """Check that legal actions and views are the same on a state read from JSON."""
    states = match.state, from_json(to_json(match.state), type(match.state))
    for seat in match.to_act:
        legal, other = (list(spread(match.game.legal_actions(it, seat))) for it in states)
        if legal != other:
            before, after = (truncate(", ".join(map(str, it)), 80) for it in (legal, other))
            what = f"legal_actions for seat {seat} is different on a state from JSON"
            why = f"because {NO_ORDER} ({after} instead of {before})"
            raise probe.fail("json", f"{what}, {why}")
    for seat in (*range(probe.seats), None):
        view, read = (to_json(match.game.view(it, seat)) for it in states)
        if view != read:
            what = f"the view of {name_seat(seat)} is different on a state from JSON"
            raise probe.fail("json", f"{what}, because {NO_ORDER}")


def check_action(
    probe: Probe, match: AnyMatch, action: Any, digests: Sequence[str]
) -> Sequence[Event]:
    """Play an action on the match, on a clone, on a state from JSON, and after an undo.

    All must lead to the same state.

    Args:
        digests: The digests of the match after each ply so far.

    Returns:
        The events of the action.
    """
    twin = match.clone()
    read = from_json(to_json(match.state), type(match.state))
    table = Table(streams_like(match, probe.seed))
    table.watch(True)
    playing = f"playing {action}"
    probe.attempt("accepted", playing, twin.play, action)
    if probe.digest(match) != digests[-1]:
        raise probe.fail("clone", f"playing {action} on a clone changed the original")
    probe.attempt("accepted", playing, match.play, action)
    if probe.digest(twin) != probe.digest(match):
        raise probe.fail("clone", f"playing {action} on a clone leads to another state")
    returned = probe.attempt("json", playing, probe.game.apply, read, action, table)
    probe.check_shape(wrong_application(returned, read, table.events))
    after = to_json(read)
    if after != to_json(match.state):
        probe.attempt("seats", "to_act", probe.game.to_act, read)  # like the match
        probe.check_unchanged("seats", "to_act", after, read)
        what = difference(match.state, read, type(match.state).__name__)
        where = f"playing {action} on a state from JSON leads to another state"
        kept = repr(match.state) == repr(from_json(to_json(match.state), type(match.state)))
        hint = "" if kept else f", because {NO_ORDER}"
        raise probe.fail("json", f"{where}: {what}{hint}")
    _check_undo(probe, match, digests)
    return table.events


def _check_undo(probe: Probe, match: AnyMatch, digests: Sequence[str]) -> None:
    after = probe.digest(match)
    count = min(match.ply, 3)
    for taken in range(1, count + 1):
        probe.attempt("undo", "undo", match.undo)
        if probe.digest(match) != digests[-taken]:
            what = f"undoing {plural(taken, 'action')} leads to another state"
            raise probe.fail("undo", what)
    probe.attempt("undo", "redo", match.redo, count)
    if probe.digest(match) != after:
        raise probe.fail("undo", "an undo and a redo lead to another state")


def check_replay(probe: Probe, match: AnyMatch, digests: Sequence[str]) -> None:
    """Check that the same seed and actions give the `digests` of the match after each ply."""
    again = probe.make()
    for ply, digest in enumerate(digests):
        probe.ply = ply
        if ply:
            action = match.actions[ply - 1]
            probe.attempt("determinism", f"playing {action}", again.play, action)
        if probe.digest(again) != digest:
            what = f"the same seed and actions lead to a different state: {_PURE}"
            raise probe.fail("determinism", what)


def check_undrawn(probe: Probe, before: object) -> None:
    """Check that nothing has used the module `random` since its state was `before`."""
    if random.getstate() != before:
        raise probe.fail("determinism", _DRAWN)


def diagnose(
    probe: Probe, broken: LawBroken, actions: Sequence[Any], before: object
) -> LawBroken | None:
    """Return the fault that caused `broken` if the law alone would be misleading, or None."""
    probe.ply = broken.ply
    if broken.law == "shape":
        return None
    if random.getstate() != before:
        return probe.fail("determinism", _DRAWN)
    if broken.law in _CONSEQUENCES and _course(probe, actions) != _course(probe, actions):
        return probe.fail("determinism", f"{broken.what}; {_PURE}")
    return None


def _course(probe: Probe, actions: Sequence[Any]) -> list[str]:
    """Return the digests of a match after each of `actions`, up to the first error."""
    digests = []
    with suppress(Exception):
        match = probe.make()
        digests.append(match.digest())
        for action in actions:
            match.play(action)
            digests.append(match.digest())
    return digests
