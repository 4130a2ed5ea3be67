"""The check of a game's words: said at every step of random matches, to every viewer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from tabletop.display.text_view import TextView
from tabletop.match.match import AnyMatch
from tabletop.registry import plugin_of
from tabletop.rules.events import ALL, Event, Watcher
from tabletop.rules.game import AnyGame
from tabletop.rules.options import Options
from tabletop.states.codec import digest
from tabletop.testing.coverage import Coverage
from tabletop.testing.laws import LawBroken, note_fault
from tabletop.testing.probe import describe_failure, name_watcher, watched_positions
from tabletop.testing.rules import misspelt_name
from tabletop.wording import truncate

_CLOSELY: Final = 200
"""After so many plies one position of eight is said, and every event still."""


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
    """Say every position and event of random matches, to every seat, spectators and who sees all.

    No method of the text view fails, each returns what it is to return, and none changes the view
    that it is given. Who is to act is asked and prompted, and an end is said as well. After 200
    plies one position of eight is said.

    Args:
        game: the rules.
        text: the text view; that of the game's plugin when not given.
        matches: the number of matches; the numbers of seats take turns.
        plies: the most actions of a match, which then stops without a complaint.
        seconds: the time limit; None for no limit.
        seed: another one plays other matches.
        options: the options of the matches that differ from their defaults.
        faults: a list that receives one fault of each kind, as of `check_game`.
        coverage: receives the situations of the matches.

    Returns:
        The number of positions that were looked at.

    Raises:
        LawBroken: something does not hold; names the game, the seed, the ply, the method, and the
            file and the line where it failed.
        OptionError: an option is unknown or out of range.
    """
    text = plugin_of(game).text if text is None else text
    slip = misspelt_name(type(text), TextView)
    if slip is not None:
        note_fault(faults, LawBroken(game.name, seed, 0, "words", slip))
    limits: dict[str, Any] = {"matches": matches, "plies": plies, "seconds": seconds}
    limits |= {"seed": seed, "options": options, "coverage": coverage or Coverage()}
    said = 0
    for match, told, is_new, is_due in watched_positions(game, **limits):
        is_close = match.ply < _CLOSELY or match.ply % 8 == 0 or match.over
        for wrong in _faults(match, text, told, says=is_new or (is_due and is_close)):
            broken = LawBroken(game.name, match.seed.text, match.ply, "words", wrong)
            note_fault(faults, broken)
        said += 1
    return said


def _faults(
    match: AnyMatch,
    text: TextView[Any],
    told: Mapping[Watcher, Sequence[Event]],
    *,
    says: bool,
) -> Iterator[str]:
    """Yield the faults of the words for a position, if `says`, and for the events before it."""
    names = match.names
    if match.outcome is not None:  # the line of the last event says it as well, mostly
        yield from _faults_of(text, "outcome", f"of {match.outcome!r}", match.outcome, names)
    for watcher, events in told.items():
        view = match.state.clone() if watcher == ALL else match.view(watcher)
        before, who = digest(view, {}), f"for {name_watcher(watcher)}"
        if says:
            yield from _faults_of(text, "position", who, view, names, watcher)
            yield from _faults_of(text, "narrow_position", who, view, names, watcher)
        for event in events:
            shown = f"{truncate(repr(event), 60)} {who}"
            yield from _faults_of(text, "event", shown, event, names, watcher)
            yield from _faults_of(text, "heading", shown, event, names)
            yield from _faults_of(text, "pause", shown, event)
        if watcher in match.to_act:
            yield from _faults_of(text, "asked", who, view, watcher, names)
            yield from _faults_of(text, "prompt", who, view, watcher, names)
        if digest(view, {}) != before:
            yield f"position, asked or prompt {who} has changed the view that it is given"
    if match.ply == 0:
        yield from _faults_of(text, "called", "of the names", names)
        yield from _faults_of(text, "welcome", "")


def _faults_of(text: TextView[Any], method: str, what: str, *arguments: Any) -> Iterator[str]:
    """Yield what is wrong with one call of a method, if anything is."""
    called = f"{method} {what}".strip()
    try:
        found = getattr(text, method)(*arguments)
    except Exception as error:
        yield f"{called} raised {describe_failure(error)}"
        return
    match method, found:
        case ("heading", None | (int(), str())) | ("pause", int() | float()):
            return
        case "called", list() | tuple() if all(isinstance(it, str) for it in found):
            return
        case ("heading" | "pause" | "called", _):
            wanted = {
                "heading": "a seat and a text, or None",
                "pause": "a number of seconds",
                "called": "a list of texts",
            }[method]
        case _, str():
            return
        case _:
            wanted = "a text (is a `return` missing?)" if found is None else "a text"
    yield f"{called} returns {truncate(repr(found), 60)}: it is to be {wanted}"
