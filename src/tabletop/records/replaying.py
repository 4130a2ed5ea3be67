"""Replays the entries of a record one by one, and compares the match with what they say of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from tabletop.codec import digest, from_json, to_json
from tabletop.errors import (
    CommandError,
    ContractError,
    IllegalAction,
    RecordError,
    RecordMismatch,
)
from tabletop.match import AnyMatch
from tabletop.outcome import Outcome, Seat
from tabletop.records.checkpoints import describe_error
from tabletop.records.entries import Entry
from tabletop.records.reading import Record
from tabletop.wording import counted, cut, number, shorten


def named(record: Record, error: RecordError) -> RecordError:
    """`error` with the path of the record in front."""
    return type(error)(f"{record.path}: {error}", line=error.line)


def replay_entry(match: AnyMatch, entry: Entry) -> None:
    """Apply one entry of a record to a match.

    Raises:
        RecordMismatch: it cannot be done, or leads to something else than the record says.
    """
    try:
        _replay_entry(match, entry)
    except RecordError:
        raise
    except Exception as error:  # whatever rules make of a state that cannot be
        raise mismatch(entry, f"the rules fail here: {describe_error(error)}") from error


def _replay_entry(match: AnyMatch, entry: Entry) -> None:
    if entry.undo is not None:
        match.undo(entry.undo)
        _compare(match, entry, f"taking back {entry.undo}")
    elif entry.do is not None and entry.seat is not None:
        _replay_action(match, entry.do, entry.seat, entry)
    elif entry.checkpoint is not None:
        _compare_checkpoint(match, entry)
    if entry.end is not None and not _ended_alike(entry.end, match.outcome):
        then, now = (
            _describe_outcome(outcome, match.names) for outcome in (entry.end, match.outcome)
        )
        raise mismatch(entry, f"the match ended as {then}, now as {now}")


def _ended_alike(then: Outcome, now: Outcome | None) -> bool:
    """Whether a match ended as recorded; older records have no points."""
    if now is not None and not then.points:
        now = replace(now, points=())
    return then == now


def _replay_action(match: AnyMatch, text: str, seat: Seat, entry: Entry) -> None:
    ply, shown = match.ply + 1, shorten(text)
    try:
        action = match.parse(text, seat)
        actor = match.actor(action)
        if actor == seat:
            if entry.chance is not None:  # as if the bot had been asked
                match.chance_of(seat).offset = entry.chance
            match.play(action)
    except (CommandError, IllegalAction, ContractError) as error:
        raise mismatch(entry, f"action {ply}, {shown}, is refused now: {error}") from error
    if actor != seat:
        whose = f"is now {match.names[actor]}'s, not {match.names[seat]}'s"
        raise mismatch(entry, f"action {ply}, {shown}, {whose}")
    _compare(match, entry, f"action {ply}, {shown},")


def _compare_checkpoint(match: AnyMatch, entry: Entry) -> None:
    told = entry.checkpoint or 0
    if told != match.ply:
        what = f"a checkpoint after {counted(told, 'action')}: played {match.ply}"
        raise mismatch(entry, what)
    restored(entry, type(match.state))
    _compare(match, entry, f"what was played up to checkpoint {entry.checkpoint}")
    if chances_at(entry) != match.chances():
        what = "tells of other chances of bots than the actions before it"
        raise mismatch(entry, f"checkpoint {entry.checkpoint} {what}")


def _describe_outcome(outcome: Outcome | None, names: Sequence[str]) -> str:
    """An outcome in words: who came first, second and so on, and the points of each seat."""
    if outcome is None:
        return "a match that goes on"
    places = [
        f"{place}. {' and '.join(names[seat] for seat in group if 0 <= seat < len(names))}"
        for place, group in enumerate(outcome.ranking, 1)
    ]
    points = f", points {', '.join(map(number, outcome.points))}" if outcome.points else ""
    why = f"{'abandoned: ' * outcome.abandoned}{outcome.reason}"
    return f"{', '.join(places)} ({why}){points}"


def _compare(match: AnyMatch, entry: Entry, what: str) -> None:
    if entry.digest is not None and entry.digest != match.digest():
        raise mismatch(entry, f"{what} leads to another state now")


def mismatch(entry: Entry, what: str) -> RecordMismatch:
    """The error for an entry that the match does not agree with."""
    return RecordMismatch(f"line {entry.line}: {cut(what)}", line=entry.line)


def restored(entry: Entry, kind: type[Any]) -> Any:
    """The state that a checkpoint holds.

    Raises:
        RecordMismatch: the data is not a state of the game, or its digest differs.
    """
    try:
        state = from_json(to_json(entry.state), kind)
        stands_for = digest(state, entry.streams or {})
    except ContractError as error:
        raise mismatch(entry, f"the checkpoint is damaged: {error}") from error
    if stands_for != entry.digest:
        raise mismatch(entry, "the checkpoint is damaged: it is not what its digest stands for")
    return state


def chances_at(checkpoint: Entry) -> dict[Seat, int]:
    """How far the chance of bots was drawn there; those at their start are left out."""
    offsets = enumerate(checkpoint.chances or ())
    return {seat: offset for seat, offset in offsets if offset}
