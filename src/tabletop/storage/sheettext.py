"""A score sheet as text, a line for each thing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tabletop.host.printable import printable
from tabletop.scores.sheets import DAILY, FRESH, GIVEN, WEEKLY, ScoreSheet
from tabletop.wording import number

_ORIGINS: Final[Mapping[str, str]] = {
    GIVEN: "given by hand",
    WEEKLY: "of the week",
    DAILY: "of the day",
    FRESH: "",
    "": "",
}


def sheet_in_full(sheet: ScoreSheet, title: str = "", again: str = "") -> str:
    """A sheet, a line for each thing, as it is shown when a match has ended.

    Args:
        sheet: how the match ended.
        title: what the game is called.
        again: what is typed to play the same world again.
    """
    kind = f"{sheet.game}, rules {sheet.version}"
    rows = {"game": f"{title} ({kind})" if title else kind, "seed": seed_of(sheet)}
    for seat, name in enumerate(sheet.seats):
        points = f", {_points(sheet, seat)}" if sheet.outcome.points else ""
        rows[f"seat {seat + 1}"] = f"{name}: {sheet.players[seat]}{_standing(sheet, seat)}{points}"
    if sheet.outcome.reason:
        rows["reason"] = sheet.outcome.reason
    ended = as_claimed(sheet, "finished", f"{minute_of(sheet)} UTC")
    rows["ended"] = f"{ended}, with tabletop {sheet.program}"
    rows["actions"] = actions_of(sheet)
    rows["time"] = time_of(sheet)
    rows["record"] = sheet.record or "none"
    if again:
        rows["again"] = again
    width = max(map(len, rows))
    lines = (f"  {name:<{width}}  {printable(value)}" for name, value in rows.items())
    return "\n".join(["Score sheet", *lines])


def minute_of(sheet: ScoreSheet) -> str:
    """When the match ended, to the minute; a dash when it is unknown."""
    return sheet.finished.replace("T", " ")[:16] or "-"


def time_of(sheet: ScoreSheet) -> str:
    """How long the match took."""
    return as_claimed(sheet, "seconds", _duration(sheet.seconds))


def as_claimed(sheet: ScoreSheet, name: str, shown: str) -> str:
    """A cell, marked when its value is only claimed by a record."""
    return f"{shown} (claimed)" if name in sheet.claimed and shown != "-" else shown


def _standing(sheet: ScoreSheet, seat: int) -> str:
    outcome = sheet.outcome
    if outcome.abandoned:
        return ", abandoned"
    if outcome.is_draw:
        return ", drawn"
    return ", won" if seat in outcome.winners else ""


def _points(sheet: ScoreSheet, seat: int) -> str:
    own = number(sheet.outcome.points[seat])
    return f"{own} point" if own == "1" else f"{own} points"


def seed_of(sheet: ScoreSheet) -> str:
    """The seed, where it came from unless the program drew it, and whether it tells all.

    A seed that could be read as one with its origin stands in quotes.
    """
    seed = repr(sheet.seed) if "(" in sheet.seed or "  " in sheet.seed else sheet.seed
    origin = _ORIGINS.get(sheet.seed_origin, f"from {sheet.seed_origin!r}")
    if "seed_origin" in sheet.claimed:
        origin = f"claimed to be {origin}" if origin else "imported"
    begun = "from a given position" if sheet.given_state else ""
    salted = "salted" if sheet.salt else ""
    said = ", ".join(filter(None, (origin, begun, salted)))
    return f"{seed} ({said})" if said else seed


def actions_of(sheet: ScoreSheet) -> str:
    """How many actions were played; how many more, when some were taken back."""
    return f"{sheet.plies} ({sheet.undone} taken back)" if sheet.undone else str(sheet.plies)


def _duration(seconds: float | None) -> str:
    """A time in hours, minutes and whole seconds: `1:02:03`, `0:12`."""
    if seconds is None:
        return "-"
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
