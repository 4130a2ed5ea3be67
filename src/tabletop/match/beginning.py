"""Beginning a match from a given state instead of what `Game.setup` makes.

Such a state comes from a test, a puzzle or a record that somebody wrote. What can be found out
about it is found out before a match begins from it; whether a match could ever come there nobody
can tell.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, TypeVar

from tabletop.codec import from_json, to_builtins, to_json
from tabletop.errors import ContractError, StateError, TabletopError
from tabletop.game import AnyGame, Game, State
from tabletop.outcome import Outcome
from tabletop.wording import plural, truncate

S = TypeVar("S", bound=State)


def state_to_begin_from(
    game: Game[S, Any], given: S | Mapping[str, Any], kind: type[S], seats: int
) -> S:
    """A state of its own for a match, equal to the given one.

    Args:
        game: the rules.
        given: a state, or what JSON says of one.
        kind: of what type the states of this match are.
        seats: how many play.

    Raises:
        StateError: it is no state of the game, JSON does not give it back, or the rules make no
            sense of it.
    """
    try:
        state = _through_json(given, kind)
        fault = _fault(game, state, seats)
    except StateError as error:
        raise StateError(f"{game.name}: {error}") from error.__cause__
    except Exception as error:  # whatever rules make of a state that cannot be
        said = truncate(str(error) if isinstance(error, TabletopError) else repr(error))
        message = f"{game.name}: no match can begin from this state: {said}"
        raise StateError(message) from error
    if fault:
        raise StateError(f"{game.name}: no match can begin from this state: {fault}")
    return state


def _through_json(given: S | Mapping[str, Any], kind: type[S]) -> S:
    """The state as a record will give it back.

    Raises:
        StateError: it does not; says what is wrong.
    """
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
    """The paths of data that no field of the state stands for."""
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
    """What is impossible in what the rules answer about a state; empty when nothing is."""
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
    if not to_act and not isinstance(outcome, Outcome):
        return "nobody is to act, and it has not ended"
    if outcome is not None and sorted(sum(outcome.ranking, ())) != list(everybody):
        return f"it has ended with the ranking {outcome.ranking}, of {plural(seats, 'seat')}"
    for watcher in (None, *everybody):
        game.view(state, watcher)
    return ""


@lru_cache(maxsize=256)
def _default_names(seats: int) -> tuple[str, ...]:
    return tuple(f"Player {number}" for number in range(1, seats + 1))


def seat_names(game: AnyGame, seats: int | Sequence[str] | None) -> tuple[str, ...]:
    """The names of the seats: those given, or "Player 1" and so on.

    Raises:
        ValueError: the game is not for that many.
    """
    if type(seats) is int and seats in game.seats:  # as nearly always
        return _default_names(seats)
    if seats is None:
        return _default_names(game.seats[0])
    if isinstance(seats, str):
        raise TypeError(f"seats: a number or a list of names, not the text {seats!r}")
    number = seats if isinstance(seats, int) else len(seats)
    if number not in game.seats:
        fewest, most = game.seats[0], game.seats[-1]
        wanted = str(fewest) if fewest == most else f"{fewest} to {most}"
        raise ValueError(f"{game.name} is for {wanted} players, not for {number}")
    return _default_names(seats) if isinstance(seats, int) else tuple(seats)
