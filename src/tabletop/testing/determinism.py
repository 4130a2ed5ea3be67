"""The laws of states that must come again: from a clone, from JSON, by undo and from the seed."""

from __future__ import annotations

import random
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, Final

from tabletop.errors import ContractError
from tabletop.match.match import AnyMatch
from tabletop.rules.events import Event
from tabletop.rules.game import Table
from tabletop.states.codec import check_plain, difference, find_problem, from_json, to_json
from tabletop.testing.laws import LawBroken
from tabletop.testing.probe import Probe, find_held_twice, streams_like
from tabletop.testing.rules import wrong_application
from tabletop.wording import plural

_PURE: Final = (
    "setup and apply may use only the state, the options, the action and the streams: not random,"
    " os.urandom, the time, id() or hash(), and nothing that is kept in the Game or in a module"
)

_DRAWN: Final = (
    "the rules draw from the module random, which no seed governs: draw from the streams that"
    ' setup, apply and redeal are given, such as rng["cards"].shuffle(cards) or'
    ' table.rng["dice"].roll(6)'
)

_NO_ORDER: Final = "the order of a dict or a set is no part of a state: go through sorted(...)"

_CONSEQUENCES: Final = ("clone", "enumeration", "json", "undo", "views")
"""Laws that are broken as well where the rules are not deterministic."""


def check_beginning(probe: Probe, match: AnyMatch) -> None:
    """The first state can be written as JSON, and is the same whenever the match is made."""
    try:
        check_plain(type(match.state))
    except ContractError as error:
        raise probe.fail("json", str(error)) from error
    if probe.digest(match) != probe.digest(probe.attempt("setup", "setup", probe.make)):
        what = f"the same seed leads to another first state: {_PURE}"
        raise probe.fail("determinism", what)


def check_clone(probe: Probe, match: AnyMatch) -> None:
    """A clone is equal and independent, and shares nothing that can change."""
    twin = probe.attempt("clone", "clone", match.clone)
    if twin.state is match.state:
        raise probe.fail("clone", "a clone is the state itself: make another object")
    what = difference(match.state, twin.state, type(match.state).__name__)
    if what is not None:
        raise probe.fail("clone", f"a clone is no equal state: {what}")
    probe.check_shared("clone", "a clone", twin.state, match.state)
    if (places := find_held_twice(match.state)) is not None:
        raise probe.fail(
            "clone",
            f"{places[0]} and {places[1]} are one and the same object: what changes in one changes"
            " in the other, and in a clone they are apart; [[] for _ in range(n)] makes n lists,"
            " [[]] * n a single one",
        )


def check_json(probe: Probe, match: AnyMatch) -> None:
    """The state survives JSON."""
    state = match.state
    kind = type(state)
    try:
        what = difference(state, from_json(to_json(state), kind), kind.__name__)
    except ContractError as error:
        what = find_problem(state, kind.__name__) or str(error)
    if what is not None:
        raise probe.fail("json", what)


def check_action(
    probe: Probe, match: AnyMatch, action: Any, digests: Sequence[str]
) -> Sequence[Event]:
    """Play an action on the match, a clone, a state from JSON, and after an undo; its events.

    All of them must lead to the same. `digests` are those of the match after each ply so far.
    """
    twin = match.clone()
    read = from_json(to_json(match.state), type(match.state))
    table = Table(streams_like(match, probe.seed))
    table.watch(True)
    playing = f"playing {action}"
    probe.attempt("accepted", playing, twin.play, action)
    if probe.digest(match) != digests[-1]:
        raise probe.fail("clone", f"playing {action} on a clone has changed the original")
    probe.attempt("accepted", playing, match.play, action)
    if probe.digest(twin) != probe.digest(match):
        raise probe.fail("clone", f"playing {action} on a clone leads to another state")
    returned = probe.attempt("json", playing, probe.game.apply, read, action, table)
    probe.check_shape(wrong_application(returned, read, table.events))
    after = to_json(read)
    if after != to_json(match.state):
        probe.attempt("seats", "to_act", probe.game.to_act, read)  # the match has asked it as well
        probe.check_unchanged("seats", "to_act", after, read)
        what = difference(match.state, read, type(match.state).__name__)
        where = f"playing {action} on a state from JSON leads elsewhere"
        kept = repr(match.state) == repr(from_json(to_json(match.state), type(match.state)))
        hint = "" if kept else f"; {_NO_ORDER}"
        raise probe.fail("json", f"{where}: {what}{hint}")
    _check_undo(probe, match, digests)
    return table.events


def _check_undo(probe: Probe, match: AnyMatch, digests: Sequence[str]) -> None:
    after = probe.digest(match)
    count = min(match.ply, 3)
    for taken in range(1, count + 1):
        probe.attempt("undo", "undo", match.undo)
        if probe.digest(match) != digests[-taken]:
            raise probe.fail(
                "undo", f"{plural(taken, 'action')} taken back: that leads to another state"
            )
    probe.attempt("undo", "redo", match.redo, count)
    if probe.digest(match) != after:
        raise probe.fail("undo", "what was taken back and redone leads to another state")


def check_replay(probe: Probe, match: AnyMatch, digests: Sequence[str]) -> None:
    """The same seed and actions give the same match; `digests` are those after each ply."""
    again = probe.make()
    for ply, digest in enumerate(digests):
        probe.ply = ply
        if ply:
            action = match.actions[ply - 1]
            probe.attempt("determinism", f"playing {action}", again.play, action)
        if probe.digest(again) != digest:
            raise probe.fail("determinism", f"the same seed and actions lead elsewhere: {_PURE}")


# Randomness from outside the streams.


def random_state() -> object:
    """Changes when somebody draws from the module `random`, or seeds it."""
    return random.getstate()


def check_undrawn(probe: Probe, before: object) -> None:
    """Check that the module `random` has not been used since its `random_state` was `before`."""
    if random_state() != before:
        raise probe.fail("determinism", _DRAWN)


def diagnose(
    probe: Probe, broken: LawBroken, actions: Sequence[Any], before: object
) -> LawBroken | None:
    """The mistake behind a broken law, where the law alone would mislead; None otherwise."""
    probe.ply = broken.ply
    if broken.law == "shape":
        return None
    if random_state() != before:
        return probe.fail("determinism", _DRAWN)
    if broken.law in _CONSEQUENCES and _course(probe, actions) != _course(probe, actions):
        return probe.fail("determinism", f"{broken.what}; {_PURE}")
    return None


def _course(probe: Probe, actions: Sequence[Any]) -> list[str]:
    """The digests of a match in which `actions` are played, as far as that is possible."""
    digests = []
    with suppress(Exception):
        match = probe.make()
        digests.append(match.digest())
        for action in actions:
            match.play(action)
            digests.append(match.digest())
    return digests
