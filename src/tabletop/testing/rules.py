"""The laws of the declarations and results of rules: seats to act, legal actions, outcomes.

The functions `wrong_...` return a description of a fault with a remedy, or None.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Sequence
from enum import Enum
from functools import partial
from typing import Any, Final

from tabletop.match.contract_errors import SHOWN, list_problem, seats_problem
from tabletop.match.match import AnyMatch
from tabletop.rng.stream import Stream
from tabletop.rules.events import Event
from tabletop.rules.game import AnyGame, Game, Table, declaration_problem
from tabletop.rules.outcome import Outcome
from tabletop.rules.selections import spread
from tabletop.states.bounds import Seat
from tabletop.states.codec import to_json
from tabletop.testing.probe import Probe, place_in, some, streams_like
from tabletop.wording import nearest, slug, truncate

_LIKENESS: Final = 0.87
"""Minimum similarity of names that are treated as a misspelling.

`reveal` and `redeal` are less similar.
"""


_COMPARED: Final = 4  # number of choices of a seat to compare


# Declarations.


def wrong_declaration(game: AnyGame) -> str | None:
    """Describe a fault in a game's attributes or in its method names, or return None."""
    name: object = game.name
    if not isinstance(name, str) or not name or slug(name) != name:
        proposal = slug(str(name or type(game).__name__))
        return (
            f"name is {name!r}: write lower-case letters, digits and hyphens, such as"
            f' name = "{proposal or "my-game"}"'
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
        f"point_range is {bounds!r}: write the points of the worst and of the best outcome, such as"
        " (0, 25)"
    )


def misspelt_name(kind: type[Any], base: type[Any]) -> str | None:
    """Describe a name that looks like a misspelt method of the base class, or return None.

    Args:
        base: The base class. Only methods that `kind` does not override are considered.
    """
    inherited = {
        name: item
        for ancestor in reversed(base.__mro__[:-1])
        for name, item in vars(ancestor).items()
    }
    not_overridden = [
        name
        for name, item in inherited.items()
        if not name.startswith("_") and inspect.getattr_static(kind, name, None) is item
    ]
    added = {
        name: None
        for ancestor in kind.__mro__
        if ancestor not in base.__mro__ and not ancestor.__module__.startswith("tabletop.")
        for name in vars(ancestor)
    }
    for name in added:
        if name.startswith("_") or name in inherited:
            continue
        intended = nearest(name, not_overridden, likeness=_LIKENESS)
        if intended is not None:
            return (
                f"{kind.__name__} defines {name}, but not {intended}: rename {name} to {intended},"
                " or to a name that is less similar"
            )
    return None


# Actions and events.


def wrong_action(action: object) -> str | None:
    """Describe why an action cannot be compared or hashed, or return None."""
    kind = type(action)
    advice = f"write @dataclass(frozen=True) above class {kind.__name__}"
    if kind.__eq__ is object.__eq__ and not isinstance(action, Enum):
        return f"two {kind.__name__} actions with the same fields are not equal: {advice}"
    try:
        hash(action)
    except TypeError as error:
        what = f"the action {truncate(str(action), SHOWN)} is not hashable ({error})"
        return f"{what}: {advice}, and use tuples instead of lists in its fields"
    try:
        str(action)
    except Exception as error:
        remedy = "return the text that a player types for the action"
        return f"str() of a {kind.__name__} action raises {error!r}: {remedy}"
    return None


def wrong_application(returned: object, state: object, events: Iterable[object]) -> str | None:
    """Describe a fault in the result of `apply` or in its events, or return None."""
    if returned is not None and returned is not state:
        new = (
            "a new state" if isinstance(returned, type(state)) else truncate(repr(returned), SHOWN)
        )
        return (
            f"apply returns {new}, which is ignored: change the state that apply gets in place, and"
            " return nothing"
        )
    for event in events:
        if isinstance(event, type) and issubclass(event, Event):
            return f"apply emits the class {event.__name__}: emit an instance, with its fields"
        if not isinstance(event, Event):
            return (
                f"apply emits {truncate(repr(event), SHOWN)}, which is not an event: derive a class"
                " from Event, write @event above it, and emit an instance"
            )
    return None


# Seats to act, legal actions and outcomes.


def check_seats(probe: Probe, match: AnyMatch) -> bool:
    """Check that `to_act` returns valid seats without duplicates. Return whether there are any."""
    probe.ply = match.ply
    to_act = probe.attempt("seats", "to_act", probe.game.to_act, match.state)
    probe.check_shape(list_problem("to_act", to_act))
    wrong = seats_problem(to_act, probe.seats)
    if wrong is None and len(set(to_act)) != len(to_act):
        wrong = f"to_act returns a seat twice: {to_act}"
    if wrong is not None:
        raise probe.fail("seats", wrong)
    return bool(to_act)


def check_enumeration(probe: Probe, match: AnyMatch, seat: Seat) -> None:
    """Check that a seat has legal actions, with no duplicates and the same on every call."""
    before, what = probe.write(match.state), f"legal_actions for seat {seat}"
    call = partial(probe.game.legal_actions, match.state, seat)
    legal, again = (probe.attempt("enumeration", "legal_actions", call) for _ in range(2))
    probe.check_shape(list_problem("legal_actions", legal))
    probe.check_unchanged("enumeration", what, before, match.state)
    if (place := place_in(match.state, legal)) is not None:
        raise probe.fail(
            "enumeration",
            f"{what} returns {place} of the state itself, so a bot that changes the list changes"
            " the state: return a copy, such as tuple(...)",
        )
    if not legal:
        raise probe.fail("enumeration", f"seat {seat} is to act, but has no legal action")
    again = None if again is None else spread(again)
    _check_listed(probe, "enumeration", what, list(spread(legal)), again)
    passing = probe.attempt("enumeration", "passing", probe.game.passing, match.state, seat)
    if passing is not None and passing not in legal:
        raise probe.fail("enumeration", f"passing returns {passing}, which {what} does not list")


def all_actions(probe: Probe, match: AnyMatch) -> dict[Any, None] | None:
    """Check and return the result of `Game.all_actions`: None if actions are not listed."""
    call = partial(probe.game.all_actions, match.options, probe.seats)
    listed, again = (probe.attempt("all actions", "all_actions", call) for _ in range(2))
    if listed is None:
        return None
    probe.check_shape(list_problem("all_actions", listed))
    actions = probe.attempt("all actions", "all_actions", list, listed)
    _check_listed(probe, "all actions", "all_actions", actions, again)
    return dict.fromkeys(actions)


def _check_listed(
    probe: Probe, law: str, method: str, actions: Sequence[Any], again: Sequence[Any] | None
) -> None:
    """Check that a list of actions has no duplicates and equals the result of a second call."""
    for action in actions:
        probe.check_shape(wrong_action(action))
    if again is None or actions != list(again):
        raise probe.fail(law, f"{method} returns different actions on a second call")
    if len(set(actions)) < len(actions):
        twice = next(action for action in actions if actions.count(action) > 1)
        raise probe.fail(law, f"{method} returns {twice} twice")


def find_open_choice(match: AnyMatch, stream: Stream) -> str:
    """Describe a choice that a seat sees while it chooses at the same time, or return ""."""
    game, seat = match.game, stream.choice(match.to_act)
    shown: dict[tuple[Seat, bytes], object] = {}
    for action in some(spread(match.legal_actions(seat)), _COMPARED, stream):
        state = match.state.clone()
        game.apply(state, action, Table(streams_like(match, match.seed)))
        for other in {*match.to_act} & {*game.to_act(state)} - {seat}:
            shown.setdefault((other, to_json(game.view(state, other))), action)
    for other in match.to_act:
        choices = [action for (watcher, _), action in shown.items() if watcher == other]
        if len(choices) > 1:
            return (
                f"seat {other} sees whether seat {seat} has chosen {choices[0]} or {choices[1]},"
                " although both choose at the same time: hide the choice with secret(to=OWNER), or"
                " set open_choices = True in the game if the players may answer each other"
            )
    return ""


def check_no_outcome(probe: Probe, match: AnyMatch) -> None:
    """Check that there is no outcome while a seat is to act."""
    before = probe.write(match.state)
    outcome = probe.attempt("outcome", "outcome", probe.game.outcome, match.state)
    probe.check_unchanged("outcome", "outcome", before, match.state)
    if outcome is not None:
        what = f"there is an outcome, but to_act returns {match.to_act}: {outcome}"
        raise probe.fail("outcome", what)


def check_outcome(probe: Probe, match: AnyMatch) -> None:
    """Check that the outcome ranks every seat once when no seat is to act."""
    outcome = probe.attempt("outcome", "outcome", probe.game.outcome, match.state)
    if outcome is None:
        raise probe.fail("outcome", "no seat is to act, but there is no outcome")
    if not isinstance(outcome, Outcome):
        raise probe.fail("outcome", f"{outcome!r} is not an Outcome")
    ranked = sorted(seat for group in outcome.ranking for seat in group)
    if ranked != list(range(probe.seats)):
        raise probe.fail("outcome", f"{outcome.ranking} does not rank every seat exactly once")
    fault = _wrong_factions(probe.game, outcome) or _wrong_points(probe.game, outcome)
    if fault is not None:
        raise probe.fail("outcome", fault)
    for seat in range(probe.seats):
        value = probe.attempt("outcome", "utility", probe.game.utility, outcome, seat)
        if not (isinstance(value, int | float) and 0 <= value <= 1):
            what = f"utility of {outcome!r} for seat {seat} is {value!r}"
            raise probe.fail("outcome", f"{what}: return a number from 0.0 to 1.0")


def _wrong_factions(game: AnyGame, outcome: Outcome) -> str | None:
    """Describe factions that contradict the declaration of the game, or return None."""
    if game.factions and not outcome.factions and not outcome.abandoned:
        return f"factions is {game.factions!r}, but {outcome!r} has none: use Outcome.teams(...)"
    if undeclared := sorted(set(outcome.factions) - set(game.factions)):
        return f"{outcome!r} has the faction {undeclared[0]!r}: add it to Game.factions"
    return None


def _wrong_points(game: AnyGame, outcome: Outcome) -> str | None:
    """Describe points or a score that contradict the declarations of the game, or return None."""
    if not outcome.abandoned and game.cooperative != (outcome.best is not None):
        remedy = "return Outcome.together(...)" if game.cooperative else "set cooperative = True"
        return f"cooperative is {game.cooperative}, but the outcome is {outcome!r}: {remedy}"
    if game.point_range is None or outcome.abandoned:
        return None
    if not outcome.points:
        return f"point_range is {game.point_range}, but {outcome!r} has no points"
    low, high = sorted(game.point_range)
    outside = [points for points in outcome.points if not low <= points <= high]
    if outside:
        return f"{outside[0]} points are outside of point_range = {game.point_range}"
    first, last = (outcome.points[group[0]] for group in (outcome.ranking[0], outcome.ranking[-1]))
    worst, best = game.point_range
    if (first - last) * (best - worst) < 0:
        what = f"{first} points are ranked above {last}, but point_range is {game.point_range}"
        return f"{what}, from the worst to the best: check lowest_wins"
    return None
