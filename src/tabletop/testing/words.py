"""The check of the texts of a game, in random matches and for every watcher."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, Final

from tabletop.display.text_view import TextView
from tabletop.errors import CommandError
from tabletop.match.match import AnyMatch
from tabletop.registry import plugin_of
from tabletop.rules.events import ALL, Event, Watcher
from tabletop.rules.game import AnyGame
from tabletop.rules.options import Options
from tabletop.states.codec import digest, from_json, to_json
from tabletop.testing.coverage import Coverage
from tabletop.testing.laws import NO_ORDER, LawBroken, note_fault
from tabletop.testing.probe import describe_failure, name_watcher, watched_positions
from tabletop.testing.rules import misspelt_name
from tabletop.wording import truncate

_CLOSELY: Final = 200
"""Number of plies after which only every eighth position is tested. Events are always tested."""


def check_words(
    game: AnyGame,
    text: TextView[Any] | None = None,
    *,
    matches: int = 5,
    plies: int = 2000,
    seconds: float | None = None,
    seed: str = "check",
    options: Options | None = None,
    faults: list[LawBroken] | None = None,
    coverage: Coverage | None = None,
) -> int:
    """Test the text view of a game in random matches.

    Every position and event is described for every seat, for spectators and for an omniscient
    watcher. The check also calls the methods for questions, prompts and outcomes. No method may
    fail, return a value of the wrong type, or change the view that it receives. The text of an
    outcome by resignation contains its reason. After 200 plies of a match, only every eighth
    position is described.

    Args:
        game: The rules.
        text: The text view, or None for the text view of the game's plugin.
        matches: The number of matches. They cycle through the numbers of seats.
        plies: The maximum number of actions of a match. A longer match is stopped.
        seconds: The time limit, or None for no limit.
        seed: The start of the seeds of the matches.
        options: The options of the matches that differ from their defaults.
        faults: A list that receives one fault of each kind, as in `check_game`.
        coverage: Receives the situations in the matches.

    Returns:
        The number of positions in the matches.

    Raises:
        LawBroken: The text view has a fault. The error names the game, the seed, the ply, the
            method, and the file and line of an exception.
        OptionError: An option is unknown or out of range.
    """
    text = plugin_of(game).text if text is None else text
    slip = misspelt_name(type(text), TextView)
    if slip is not None:
        note_fault(faults, LawBroken(game.name, seed, 0, "words", slip))
    limits: dict[str, Any] = {"matches": matches, "plies": plies, "seconds": seconds}
    limits |= {"seed": seed, "options": options, "coverage": coverage or Coverage()}
    positions = 0
    for match, recent, is_new, is_due in watched_positions(game, **limits):
        is_close = match.ply < _CLOSELY or match.ply % 8 == 0 or match.over
        describes = is_new or (is_due and is_close)
        for wrong in _faults(match, text, recent, describes=describes):
            broken = LawBroken(game.name, match.seed.text, match.ply, "words", wrong)
            note_fault(faults, broken)
        positions += 1
    return positions


def _faults_after_losses(match: AnyMatch, text: TextView[Any]) -> Iterator[str]:
    """Yield the faults of the outcome if all seats but the first resign."""
    for seat in range(1, match.seats):
        match.concede(seat)
    outcome = match.outcome
    if outcome is None:
        return
    faults = [*_faults_of(text, "outcome", f"of {outcome!r}", outcome, match.names)]
    yield from faults
    if not faults and outcome.reason not in text.outcome(outcome, match.names):
        yield f"outcome of {outcome!r} does not contain its reason"


def _faults(
    match: AnyMatch,
    text: TextView[Any],
    recent: Mapping[Watcher, Sequence[Event]],
    *,
    describes: bool,
) -> Iterator[str]:
    """Yield the faults of the texts for a position.

    Args:
        recent: The events since the last position, for each watcher. These events are always
            tested.
        describes: Whether to test the position as well.
    """
    names = match.names
    if not match.ply and match.has_opponents:
        yield from _faults_after_losses(match.clone(), text)
    if match.outcome is not None:  # a direct call, because the last event may not call the method
        yield from _faults_of(text, "outcome", f"of {match.outcome!r}", match.outcome, names)
    for watcher, events in recent.items():
        view = match.state.clone() if watcher == ALL else match.view(watcher)
        before, whom = digest(view, {}), f"for {name_watcher(watcher)}"
        if describes:
            yield from _faults_of(text, "position", whom, view, names, watcher)
            yield from _faults_of(text, "narrow_position", whom, view, names, watcher)
            yield from _faulty_order(text, view, names, watcher, whom)
        for event in events:
            shown = f"{truncate(repr(event), 60)} {whom}"
            yield from _faults_of(text, "event", shown, event, names, watcher)
            yield from _faults_of(text, "heading", shown, event, names)
            yield from _faults_of(text, "pause", shown, event)
        if watcher in match.to_act:
            yield from _faults_of(text, "asked", whom, view, watcher, names)
            yield from _faults_of(text, "prompt", whom, view, watcher, names)
            if describes:
                yield from _faulty_labels(match, text, view, watcher)
        if digest(view, {}) != before:
            yield f"position, asked or prompt {whom} changed the view"
    if match.ply == 0:
        yield from _faults_of(text, "called", "of the names", names)
        yield from _faults_of(text, "welcome", "")


def _faulty_order(
    text: TextView[Any], view: Any, names: Sequence[str], watcher: Watcher, whom: str
) -> Iterator[str]:
    """Yield a fault if the text of a position depends on the order of a dictionary in the view."""
    read = from_json(to_json(view), type(view))
    with suppress(Exception):  # reported as a fault of `position`
        if text.position(view, names, watcher) != text.position(read, names, watcher):
            yield f"position {whom} is different for a view from JSON, because {NO_ORDER}"


def _faulty_labels(match: AnyMatch, text: TextView[Any], view: Any, seat: Any) -> Iterator[str]:
    """Yield the faults of the labels of legal actions, which players may type."""
    for action in match.legal_actions(seat):
        faults = [*_faults_of(text, "label", f"of {str(action)!r}", action, view)]
        yield from faults
        if faults or type(text).label is TextView.label:
            continue
        label = text.label(action, view)
        try:
            typed = text.parse(match, label, seat)
        except CommandError:
            typed = None
        if typed != action:
            yield (
                f"label of {str(action)!r} returns {label!r}, which also means another action:"
                " return different labels"
            )


def _faults_of(text: TextView[Any], method: str, what: str, *arguments: Any) -> Iterator[str]:
    """Call a method of a text view, and yield a description of the fault if there is one."""
    call = f"{method} {what}".strip()
    try:
        result = getattr(text, method)(*arguments)
    except Exception as error:
        yield f"{call} raised {describe_failure(error)}"
        return
    match method, result:
        case ("heading", None | (int(), str())) | ("pause", int() | float()):
            return
        case "called", list() | tuple() if all(isinstance(name, str) for name in result):
            return
        case ("heading" | "pause" | "called", _):
            wanted = {
                "heading": "a seat and a string, or None",
                "pause": "a number of seconds",
                "called": "a list of strings",
            }[method]
        case _, str():
            return
        case _:
            wanted = "a string (is a `return` missing?)" if result is None else "a string"
    yield f"{call} returns {truncate(repr(result), 60)}: return {wanted}"
