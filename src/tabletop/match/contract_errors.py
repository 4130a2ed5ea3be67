"""Checks of the values that a match gets from rules and players, and the errors for invalid values.

A match checks whether a value is an action of the game, and whether it can start from a given
state. Only `tabletop check` checks the types of the values that rules return.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import ModuleType
from typing import Any, Final, TypeVar

from tabletop.errors import ContractError, NotAnAction, StateError, TabletopError
from tabletop.rules.events import ALL, Event
from tabletop.rules.game import AnyGame, Game
from tabletop.states.bounds import Seat
from tabletop.states.codec import from_json, to_builtins, to_json
from tabletop.states.states import State
from tabletop.wording import SHOWN_LETTERS, nearest, plural, truncate

S = TypeVar("S", bound=State)
A = TypeVar("A")

SHOWN: Final = 60
"""Maximum number of characters of an invalid value in a message."""


def state_problem(method: str, state: object) -> str | None:
    """Describe the fault in a state that `method` returns, with a remedy, or return None."""
    if state is None:
        return f"{method} returns None: is a `return` missing?"
    if isinstance(state, type) or not callable(getattr(state, "clone", None)):
        value = f"the class {state.__name__}" if isinstance(state, type) else kind_of(state)
        return (
            f"{method} returns {value}: a state is an instance of a dataclass with a method"
            " `clone`, which returns an equal, independent copy"
        )
    return None


def list_problem(method: str, given: object) -> str | None:
    """Describe the fault in a list of seats or actions, with a remedy, or return None."""
    if isinstance(given, Sequence) and not isinstance(given, str | bytes):
        return None
    message = f"{method} returns {truncate(repr(given), SHOWN)}"
    if given is None:
        return f"{method} returns None: is a `return` missing?"
    if isinstance(given, set | frozenset):
        return f"{message}, a set, which has no order, instead of sorted(...) or a tuple"
    if isinstance(given, int) and method == "to_act":
        return f"{message} instead of ({given},), or () when the match is over"
    if hasattr(given, "__next__"):
        return (
            f"{method} returns {kind_of(given)}, which can be read only once, instead of a list"
            " or a tuple (without `yield`)"
        )
    return f"{message}, {kind_of(given)}, instead of a list or a tuple"


def seats_problem(given: Any, seats: int) -> str | None:
    """Describe the fault in the seats that `to_act` returns, or return None."""
    problem = list_problem("to_act", given)
    if problem is not None:
        return problem
    for seat in given:
        if not isinstance(seat, int) or not 0 <= seat < seats:
            return f"to_act returns the seat {seat!r}, but the seats are 0 to {seats - 1}"
    return None


def kind_of(value: object) -> str:
    """Return the type of a value with its article: `a generator`, `an int`."""
    name = type(value).__name__
    return f"an {name}" if name[:1] in "aeiou" else f"a {name}"


SHOWN_ACTIONS: Final = 3
"""Maximum number of legal actions in a message."""


def read_back(game: Game[Any, A], state: Any, seat: Seat, choice: object) -> A | None:
    """Return the action in the text of `choice` if it equals `choice`, or None. Never raises."""
    try:
        action = game.parse(str(choice), state, seat)
        return action if type(action) is type(choice) and action == choice else None
    except Exception:
        return None


def not_an_action(game: AnyGame, choice: object, legal: Sequence[Any]) -> NotAnAction:
    """Return the error for a value that is not an action, with examples of legal actions."""
    examples = ", ".join(map(short_repr, legal[:SHOWN_ACTIONS]))
    rest = f", ... {len(legal)} in all" if len(legal) > SHOWN_ACTIONS else ""
    reason = f"{short_repr(choice)} is not an action of {game.name} (legal: {examples}{rest})"
    if isinstance(choice, str) and legal and not isinstance(legal[0], str):
        reason += f"; to play words, write match.play(match.parse({short_repr(choice)}))"
    return NotAnAction(reason, action=choice)


def no_legal_action(game: AnyGame, seat: Seat, ply: int = 0) -> ContractError:
    """Return the error for a seat that is to act but has no legal action.

    Args:
        ply: The number of the action to choose, starting at 1, or 0 if the number is unknown
            because a bot examines the position.
    """
    where = f"at ply {ply}" if ply else "in a position that a bot examines"
    remedy = "list at least one action, such as a pass, or leave the seat out of to_act"
    message = f"{game.name}: seat {seat} is to act {where} but has no legal action ({remedy})"
    return ContractError(message, ply=ply)


def no_action_to_try(game: AnyGame, state: Any, seat: Seat) -> ContractError:
    """Return the error for a search bot that finds no action in a position."""
    if game.legal_actions(state, seat):
        return ContractError(f"{game.name}: policy returns no action for seat {seat}")
    return no_legal_action(game, seat)


def not_a_game(given: object) -> str:
    """Return the error message for an object that is not a game, with a suggested fix."""
    if isinstance(given, str):
        remedy = f"load({given!r}).game, with load from tabletop.registry"
    elif isinstance(given, ModuleType):
        remedy = f"{given.__name__}.GAME"
    elif isinstance(given, type):
        remedy = f"{given.__name__}()"
    elif hasattr(given, "game"):
        remedy = "its attribute .game"
    else:
        remedy = "an instance of a subclass of Game"
    return f"{short_repr(given)} is not a game (pass {remedy})"


def not_a_player(given: object) -> str:
    """Return the error message for an object that is not a player, with a suggested fix."""
    near = nearest("choose", [name for name in dir(given) if not name.startswith("_")])
    if isinstance(given, str):
        remedy = (
            f"pass load(NAME).bot({given!r}, match.bot_stream(seat)), with load from"
            " tabletop.registry"
        )
    elif isinstance(given, type) and hasattr(given, "choose"):
        remedy = f"pass an instance, {given.__name__}(...)"
    elif near:
        remedy = f"rename its method {near} to choose(view, actions)"
    else:
        remedy = "pass an object with a method choose(view, actions)"
    return f"{short_repr(given)} is not a player ({remedy})"


def check_subscription(handler: object, types: Sequence[object], seat: object) -> None:
    """Raise a TypeError if the handler, the event types or the watcher are invalid."""
    if not callable(handler):
        raise TypeError(f"a handler must be a function of one event, not {short_repr(handler)}")
    for kind in types:
        if not (isinstance(kind, type) and issubclass(kind, Event)):
            message = "an event type must be a class such as ActionPlayed"
            raise TypeError(f"{message}, not {short_repr(kind)}")
    if not (seat is None or seat == ALL or isinstance(seat, int)):
        raise TypeError(f"a watcher must be a seat, None or ALL, not {short_repr(seat)}")


def short_repr(thing: object) -> str:
    """Format any object as a short text for a message. Never raises."""
    try:
        text = repr(thing)
    except Exception:
        text = f"<{type(thing).__name__}>"
    if len(text) > SHOWN_LETTERS:
        text = f"{text[:SHOWN_LETTERS]}..."
    return text if text.isprintable() else ascii(text)


def state_to_begin_from(
    game: Game[S, Any], given: S | Mapping[str, Any], kind: type[S], seats: int
) -> S:
    """Copy a given initial state, or decode its JSON data.

    Raises:
        StateError: A match cannot start from this state.
    """
    try:
        state = _through_json(given, kind)
        fault = _fault(game, state, seats)
    except StateError as error:
        raise StateError(f"{game.name}: {error}") from error.__cause__
    except Exception as error:  # rules may raise anything about an impossible state
        fault = truncate(str(error) if isinstance(error, TabletopError) else repr(error))
        message = f"{game.name}: a match cannot start from this state: {fault}"
        raise StateError(message) from error
    if fault:
        raise StateError(f"{game.name}: a match cannot start from this state: {fault}")
    return state


def _through_json(given: S | Mapping[str, Any], kind: type[S]) -> S:
    """Return the state as it is read from a record, after a conversion to JSON and back."""
    if not isinstance(given, kind | Mapping):
        message = f"a match starts from a {kind.__name__} or its JSON data"
        raise StateError(f"{message}, not from a {type(given).__name__}")
    try:
        data = to_json(given)
        state = from_json(data, kind)
    except ContractError as error:
        raise StateError(str(error)) from error
    if isinstance(given, kind):
        if to_json(state) != data:
            raise StateError("this state changes when it is saved as JSON and loaded again")
        return state
    unknown = next(_unknown(from_json(data, object), to_builtins(state), "$"), None)
    if unknown is not None:
        raise StateError(f"{kind.__name__} has no field {truncate(unknown)}")
    return state


def _unknown(given: object, known: object, path: str) -> Iterator[str]:
    """Yield the paths of values in JSON data that belong to no field of the state."""
    if isinstance(given, dict) and isinstance(known, dict):
        for name, value in given.items():
            if name not in known:
                yield f"`{path}.{name}`"
            else:
                yield from _unknown(value, known[name], f"{path}.{name}")
    elif isinstance(given, list) and isinstance(known, list) and len(given) == len(known):
        for number, (item, other) in enumerate(zip(given, known, strict=True)):
            yield from _unknown(item, other, f"{path}[{number}]")


def _fault(game: Game[S, Any], state: S, seats: int) -> str:
    """Describe how the rules contradict each other for a state, or return an empty string."""
    everybody = range(seats)
    to_act = list(game.to_act(state))
    for seat in to_act:
        if seat not in everybody or to_act.count(seat) > 1:
            return f"to_act returns {to_act}, not distinct seats from 0 to {seats - 1}"
        if not game.legal_actions(state, seat):
            return f"seat {seat} is to act, but has no legal action"
    outcome = game.outcome(state)
    if to_act and outcome is not None:
        return f"the seats {to_act} are to act, but the match has the outcome {outcome}"
    if not to_act and outcome is None:
        return "no seat is to act, but the match has no outcome"
    if outcome is not None and sorted(sum(outcome.ranking, ())) != list(everybody):
        return f"the outcome ranks {outcome.ranking}, but the match has {plural(seats, 'seat')}"
    for watcher in (None, *everybody):
        game.view(state, watcher)
    return ""
