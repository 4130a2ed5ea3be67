"""The values that rules and players must give a match, and the errors for all others.

A match checks whether a value is an action of the game, and whether it can begin from a given
state. Only `tabletop check` checks the shape of the rules' results.
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
"""Maximum letters shown of a wrong value."""


def state_problem(method: str, state: object) -> str | None:
    """Describe the fault of a state that a method returns, and what to write instead."""
    if state is None:
        return f"{method} returns None: is a `return` missing?"
    if isinstance(state, type) or not callable(getattr(state, "clone", None)):
        what = f"the class {state.__name__}" if isinstance(state, type) else kind_of(state)
        return (
            f"{method} returns {what}: a state is an instance of a dataclass with a method `clone`,"
            " which returns an equal, independent copy"
        )
    return None


def list_problem(method: str, given: object) -> str | None:
    """Describe the fault of a list of seats, or of actions, and what to write instead."""
    if isinstance(given, Sequence) and not isinstance(given, str | bytes):
        return None
    what = f"{method} returns {truncate(repr(given), SHOWN)}"
    if given is None:
        return f"{method} returns None: is a `return` missing?"
    if isinstance(given, set | frozenset):
        return f"{what}: a set has no order; write return sorted(...), or a tuple"
    if isinstance(given, int) and method == "to_act":
        return f"{what}: write return ({given},) for that one seat, and return () when it is over"
    if hasattr(given, "__next__"):
        return (
            f"{method} returns {kind_of(given)}, which is empty once it has been read: return a"
            " list or a tuple (without `yield`)"
        )
    return f"{what}, {kind_of(given)}: return a list or a tuple"


def seats_problem(given: Any, seats: int) -> str | None:
    """Describe the fault of the seats that are to act, of so many seats."""
    wrong = list_problem("to_act", given)
    if wrong is not None:
        return wrong
    for seat in given:
        if not isinstance(seat, int) or not 0 <= seat < seats:
            return f"to_act gives {seat!r}, of {plural(seats, 'seat')}: 0 to {seats - 1}"
    return None


def kind_of(value: object) -> str:
    """Name the kind of a value: `a generator`, `an int`."""
    name = type(value).__name__
    return f"an {name}" if name[:1] in "aeiou" else f"a {name}"


SHOWN_ACTIONS: Final = 3
"""Maximum legal actions named in a message."""


def read_back(game: Game[Any, A], state: Any, seat: Seat, choice: object) -> A | None:
    """Parse the text of `choice`; return the action if it equals `choice`, else None.

    Never raises.
    """
    try:
        action = game.parse(str(choice), state, seat)
        return action if type(action) is type(choice) and action == choice else None
    except Exception:
        return None


def not_an_action(game: AnyGame, choice: object, legal: Sequence[Any]) -> NotAnAction:
    """Make the error for a value that is not an action; it lists legal ones."""
    examples = ", ".join(map(short_repr, legal[:SHOWN_ACTIONS]))
    rest = f", ... ({len(legal)} in all)" if len(legal) > SHOWN_ACTIONS else ""
    reason = f"{short_repr(choice)} is no action of {game.name}; legal now: {examples}{rest}"
    if isinstance(choice, str) and legal and not isinstance(legal[0], str):
        reason += f"; for words: match.play(match.parse({short_repr(choice)}))"
    return NotAnAction(reason, action=choice)


def no_legal_action(game: AnyGame, seat: Seat, ply: int = 0) -> ContractError:
    """Make the error for a seat that is to act and has no legal action.

    Args:
        game: The rules.
        seat: The seat that is to act.
        ply: The number of the action that the seat should choose, from 1; 0 for a position that a
            bot looks ahead to, whose number is not known.
    """
    where = f"at ply {ply}" if ply else "in a position that a bot looks ahead to"
    remedy = "list at least one action, such as a pass, or leave the seat out of to_act"
    message = f"{game.name}: seat {seat} is to act {where} and has no legal action; {remedy}"
    return ContractError(message, ply=ply)


def no_action_to_try(game: AnyGame, state: Any, seat: Seat) -> ContractError:
    """Make the error for a bot that looks ahead and finds no action to try in a position."""
    if game.legal_actions(state, seat):
        return ContractError(f"{game.name}: policy returns no action for seat {seat}")
    return no_legal_action(game, seat)


def not_a_game(given: object) -> str:
    """Say that something is no game, and what was meant."""
    if isinstance(given, str):
        meant = f"load({given!r}).game, with load of tabletop.registry"
    elif isinstance(given, ModuleType):
        meant = f"{given.__name__}.GAME"
    elif isinstance(given, type):
        meant = f"{given.__name__}()"
    elif hasattr(given, "game"):
        meant = "its .game"
    else:
        meant = "an object of a class derived from Game"
    return f"{short_repr(given)} is no game: write {meant}"


def not_a_player(given: object) -> str:
    """Say that something is no player, and what was meant."""
    near = nearest("choose", [name for name in dir(given) if not name.startswith("_")])
    if isinstance(given, str):
        meant = f"load(NAME).bot({given!r}, match.bot_stream(seat)), with tabletop.registry.load"
    elif isinstance(given, type) and hasattr(given, "choose"):
        meant = f"an object of this class, {given.__name__}(...)"
    elif near:
        meant = f"its method choose(view, actions), in place of {near}"
    else:
        meant = "an object with a method choose(view, actions)"
    return f"{short_repr(given)} is no player: write {meant}"


def check_subscription(handler: object, types: Sequence[object], seat: object) -> None:
    """Raise a TypeError unless a handler, types of events and a watcher can observe a match."""
    if not callable(handler):
        raise TypeError(f"{short_repr(handler)} cannot be called with events: hand in a function")
    for kind in types:
        if not (isinstance(kind, type) and issubclass(kind, Event)):
            what = f"{short_repr(kind)} is no type of events"
            raise TypeError(f"{what}: write the class, such as ActionPlayed")
    if not (seat is None or seat == ALL or isinstance(seat, int)):
        raise TypeError(f"{short_repr(seat)} is no watcher: write a seat from 0, None or ALL")


def short_repr(thing: object) -> str:
    """Format any object as a short text for a message; never raises."""
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
    """Copy a given state, or decode its JSON; raise a `StateError` when no match can begin
    from it.
    """
    try:
        state = _through_json(given, kind)
        fault = _fault(game, state, seats)
    except StateError as error:
        raise StateError(f"{game.name}: {error}") from error.__cause__
    except Exception as error:  # rules may raise anything about an impossible state
        said = truncate(str(error) if isinstance(error, TabletopError) else repr(error))
        message = f"{game.name}: no match can begin from this state: {said}"
        raise StateError(message) from error
    if fault:
        raise StateError(f"{game.name}: no match can begin from this state: {fault}")
    return state


def _through_json(given: S | Mapping[str, Any], kind: type[S]) -> S:
    """Return the state as a record will give it back."""
    if not isinstance(given, kind | Mapping):
        what = f"a {kind.__name__}, or what JSON says of one"
        raise StateError(f"a match begins from {what}, not from a {type(given).__name__}")
    try:
        data = to_json(given)
        state = from_json(data, kind)
    except ContractError as error:
        raise StateError(str(error)) from error
    if isinstance(given, kind):
        if to_json(state) != data:
            raise StateError("JSON does not give this state back, so that nothing could replay it")
        return state
    unknown = next(_unknown(from_json(data, object), to_builtins(state), "$"), None)
    if unknown is not None:
        raise StateError(f"this is no {kind.__name__}: there is no field {truncate(unknown)}")
    return state


def _unknown(given: object, known: object, path: str) -> Iterator[str]:
    """Yield the paths of data that fit no field of the state."""
    if isinstance(given, dict) and isinstance(known, dict):
        for name, value in given.items():
            if name not in known:
                yield f"`{path}.{name}`"
            else:
                yield from _unknown(value, known[name], f"{path}.{name}")
    elif isinstance(given, list) and isinstance(known, list) and len(given) == len(known):
        for number, (one, other) in enumerate(zip(given, known, strict=True)):
            yield from _unknown(one, other, f"{path}[{number}]")


def _fault(game: Game[S, Any], state: S, seats: int) -> str:
    """Describe what is impossible in the rules' answers about a state; empty when nothing is."""
    everybody = range(seats)
    to_act = list(game.to_act(state))
    for seat in to_act:
        if seat not in everybody or to_act.count(seat) > 1:
            return f"to act are the seats {to_act}, of {seats}"
        if not game.legal_actions(state, seat):
            return f"seat {seat} is to act and can do nothing"
    outcome = game.outcome(state)
    if to_act and outcome is not None:
        return f"the seats {to_act} are to act, and it has ended as {outcome}"
    if not to_act and outcome is None:
        return "nobody is to act, and it has not ended"
    if outcome is not None and sorted(sum(outcome.ranking, ())) != list(everybody):
        return f"it has ended with the ranking {outcome.ranking}, of {plural(seats, 'seat')}"
    for watcher in (None, *everybody):
        game.view(state, watcher)
    return ""
