"""The laws of the rules' results: declarations, seats to act, legal actions, the end.

The functions `wrong_...` describe a fault in an author's words, and what to write instead; they
return None for no fault.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Sequence
from enum import Enum
from functools import partial
from typing import Any, Final

from tabletop.match.contract_errors import SHOWN, list_problem, seats_problem
from tabletop.match.match import AnyMatch
from tabletop.rules.events import Event
from tabletop.rules.game import AnyGame, Game, declaration_problem
from tabletop.rules.outcome import Outcome
from tabletop.states.bounds import Seat
from tabletop.testing.probe import Probe, place_in
from tabletop.wording import nearest, slug, truncate

_LIKENESS: Final = 0.87
"""The likeness of names that differ in a letter; that of `reveal` and `redeal` is less."""


# What a game declares.


def wrong_declaration(game: AnyGame) -> str | None:
    """Describe the fault of a game's attributes, or of the names of its methods."""
    name: object = game.name
    if not isinstance(name, str) or not name or slug(name) != name:
        meant = slug(str(name or type(game).__name__))
        return (
            f"name is {name!r}: write lower case letters, digits and hyphens, such as"
            f' name = "{meant or "my-game"}"'
        )
    return (
        declaration_problem(game)
        or _wrong_range(game.point_range)
        or misspelt_name(type(game), Game)
    )


def _wrong_range(bounds: object) -> str | None:
    match bounds:
        case None:
            return None
        case (int() | float() as worst, int() | float() as best) if worst != best:
            return None
    return (
        f"point_range is {bounds!r}: write the points of the worst and of the best end, such as"
        " (0, 25)"
    )


def misspelt_name(kind: type[Any], base: type[Any]) -> str | None:
    """Describe a public name of a class that is nearly one of its base, which it leaves out."""
    there = {name: item for it in reversed(base.__mro__[:-1]) for name, item in vars(it).items()}
    left_out = [
        name
        for name, item in there.items()
        if not name.startswith("_") and inspect.getattr_static(kind, name, None) is item
    ]
    own = {
        name: None
        for it in kind.__mro__
        if it not in base.__mro__ and not it.__module__.startswith("tabletop.")
        for name in vars(it)
    }
    for name in own:
        if name.startswith("_") or name in there:
            continue
        meant = nearest(name, left_out, likeness=_LIKENESS)
        if meant is not None:
            return (
                f"{kind.__name__} has {name}, and no {meant}: rename {name} to {meant}, or to"
                " something less like it"
            )
    return None


# Actions and events.


def wrong_action(action: object) -> str | None:
    """Say why an action cannot be compared with others, or kept in sets."""
    kind = type(action)
    advice = f"write @dataclass(frozen=True) above class {kind.__name__}"
    if kind.__eq__ is object.__eq__ and not isinstance(action, Enum):
        return f"two actions {kind.__name__} with the same fields are not equal: {advice}"
    try:
        hash(action)
    except TypeError as error:
        what = f"the action {truncate(str(action), SHOWN)} has no hash ({error})"
        return f"{what}: {advice}, and let it hold tuples in place of lists"
    try:
        str(action)
    except Exception as error:
        returns = "return the text that a player types for the action"
        return f"str() of an action {kind.__name__} raises {error!r}: {returns}"
    return None


def wrong_application(returned: object, state: object, events: Iterable[object]) -> str | None:
    """Describe the fault of the result of `apply` for a state, or of the events that it emits."""
    if returned is not None and returned is not state:
        new = (
            "a new state" if isinstance(returned, type(state)) else truncate(repr(returned), SHOWN)
        )
        return (
            f"apply returns {new}, which nobody looks at: change the state that it is given, and"
            " return nothing"
        )
    for event in events:
        if isinstance(event, type) and issubclass(event, Event):
            return f"apply emits the class {event.__name__}: make an event of it, with its fields"
        if not isinstance(event, Event):
            return (
                f"apply emits {truncate(repr(event), SHOWN)}, which is no event: derive a class"
                " from Event, write @event above it, and emit an instance"
            )
    return None


# Who acts, what can be done, and how a match ends.


def check_seats(probe: Probe, match: AnyMatch) -> bool:
    """Check that those to act are seats of the match, each once; return whether there are any."""
    probe.ply = match.ply
    given = probe.attempt("seats", "to_act", probe.game.to_act, match.state)
    probe.check_shape(list_problem("to_act", given))
    wrong = seats_problem(given, probe.seats)
    if wrong is None and len(set(given)) != len(given):
        wrong = f"to_act gives a seat twice: {given}"
    if wrong is not None:
        raise probe.fail("seats", wrong)
    return bool(given)


def check_enumeration(probe: Probe, match: AnyMatch, seat: Seat) -> None:
    """A seat that is to act has legal actions, none twice, the same when asked again."""
    before, what = probe.write(match.state), f"legal_actions for seat {seat}"
    ask = partial(probe.game.legal_actions, match.state, seat)
    given, again = (probe.attempt("enumeration", "legal_actions", ask) for _ in range(2))
    probe.check_shape(list_problem("legal_actions", given))
    probe.check_unchanged("enumeration", what, before, match.state)
    if (place := place_in(match.state, given)) is not None:
        raise probe.fail(
            "enumeration",
            f"{what} returns {place} of the state itself: a bot that takes something out of it"
            " takes it out of the state; return a copy, such as tuple(...)",
        )
    if not given:
        raise probe.fail("enumeration", f"seat {seat} is to act, and has no legal action")
    _check_listed(probe, "enumeration", what, list(given), again)


def all_actions(probe: Probe, match: AnyMatch) -> dict[Any, None] | None:
    """`Game.all_actions`, none twice, the same when asked again; None if the game lists none."""
    ask = partial(probe.game.all_actions, match.options, probe.seats)
    given, again = (probe.attempt("all actions", "all_actions", ask) for _ in range(2))
    if given is None:
        return None
    probe.check_shape(list_problem("all_actions", given))
    actions = probe.attempt("all actions", "all_actions", list, given)
    _check_listed(probe, "all actions", "all_actions", actions, again)
    return dict.fromkeys(actions)


def _check_listed(
    probe: Probe, law: str, method: str, actions: Sequence[Any], again: Sequence[Any] | None
) -> None:
    """Check that a method lists actions, none twice, and the same `again`."""
    for action in actions:
        probe.check_shape(wrong_action(action))
    if again is None or actions != list(again):
        raise probe.fail(law, f"{method} gives other actions when asked again")
    if len(set(actions)) < len(actions):
        twice = next(action for action in actions if actions.count(action) > 1)
        raise probe.fail(law, f"{method} gives {twice} twice")


def check_goes_on(probe: Probe, match: AnyMatch) -> None:
    """Check that there is no outcome as long as a seat is to act."""
    before = probe.write(match.state)
    outcome = probe.attempt("outcome", "outcome", probe.game.outcome, match.state)
    probe.check_unchanged("outcome", "outcome", before, match.state)
    if outcome is not None:
        raise probe.fail("outcome", f"to_act gives {match.to_act} after the end: {outcome}")


def check_outcome(probe: Probe, match: AnyMatch) -> None:
    """Check that the outcome ranks every seat once when no seat is to act."""
    outcome = probe.attempt("outcome", "outcome", probe.game.outcome, match.state)
    if outcome is None:
        raise probe.fail("outcome", "nobody is to act, and there is no outcome")
    if not isinstance(outcome, Outcome):
        raise probe.fail("outcome", f"{outcome!r} is no Outcome")
    ranked = sorted(seat for group in outcome.ranking for seat in group)
    if ranked != list(range(probe.seats)):
        raise probe.fail("outcome", f"{outcome.ranking} does not rank every seat just once")
    fault = _wrong_points(probe.game, outcome)
    if fault is not None:
        raise probe.fail("outcome", fault)
    for seat in range(probe.seats):
        worth = probe.attempt("outcome", "utility", probe.game.utility, outcome, seat)
        if not (isinstance(worth, int | float) and 0 <= worth <= 1):
            told = f"utility of {outcome!r} for seat {seat} is {worth!r}"
            raise probe.fail("outcome", f"{told}: return a number from 0.0 to 1.0")


def _wrong_points(game: AnyGame, outcome: Outcome) -> str | None:
    """Describe points or a score that the game has not declared."""
    if not outcome.abandoned and game.cooperative != (outcome.best is not None):
        wanted = "Outcome.together(...)" if game.cooperative else "set cooperative = True"
        return f"cooperative is {game.cooperative}, and the outcome is {outcome!r}: {wanted}"
    if game.point_range is None or outcome.abandoned:
        return None
    if not outcome.points:
        return f"point_range is {game.point_range}, and {outcome!r} has no points"
    low, high = sorted(game.point_range)
    beyond = [own for own in outcome.points if not low <= own <= high]
    return f"{beyond[0]} points lie beyond point_range = {game.point_range}" if beyond else None
