"""Score sheets as text, CSV and JSON."""

from __future__ import annotations

import csv
import io
import json
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from tabletop.codec import to_builtins
from tabletop.host.printable import printable
from tabletop.scores.sheets import DAILY, FRESH, GIVEN, WEEKLY, ScoreSheet
from tabletop.terminal.cells import csv_cell
from tabletop.wording import number

_ORIGINS: Final[Mapping[str, str]] = {
    GIVEN: "given by hand",
    WEEKLY: "of the week",
    DAILY: "of the day",
    FRESH: "",
    "": "",
}


SHOWN_REASON: Final = 48
"""So much of a reason stands in a table."""


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
    ended = _as_claimed(sheet, "finished", f"{_minute(sheet)} UTC")
    rows["ended"] = f"{ended}, with tabletop {sheet.program}"
    rows["actions"] = actions_of(sheet)
    rows["time"] = _time(sheet)
    rows["record"] = sheet.record or "none"
    if again:
        rows["again"] = again
    width = max(map(len, rows))
    lines = (f"  {name:<{width}}  {printable(value)}" for name, value in rows.items())
    return "\n".join(["Score sheet", *lines])


def _minute(sheet: ScoreSheet) -> str:
    return sheet.finished.replace("T", " ")[:16] or "-"


def _time(sheet: ScoreSheet) -> str:
    return _as_claimed(sheet, "seconds", duration(sheet.seconds))


def _as_claimed(sheet: ScoreSheet, name: str, shown: str) -> str:
    """A cell, which says so when it is only what a record says of itself."""
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


def points_of(sheet: ScoreSheet) -> str:
    """The points of every seat, in their order; a dash where the game has none."""
    return ", ".join(map(number, sheet.outcome.points)) or "-"


def reason_of(sheet: ScoreSheet) -> str:
    """What ended the match, cut when it is very long; a dash when nobody said."""
    text = " ".join(sheet.outcome.reason.split())
    return (text if len(text) <= SHOWN_REASON else f"{text[: SHOWN_REASON - 3]}...") or "-"


def seed_of(sheet: ScoreSheet) -> str:
    """The seed, where it came from unless the program drew it, and whether it tells all.

    A seed that could be read as one with its origin stands in quotes.
    """
    seed = repr(sheet.seed) if "(" in sheet.seed or "  " in sheet.seed else sheet.seed
    origin = _ORIGINS.get(sheet.seed_origin, f"from {sheet.seed_origin!r}")
    if "seed_origin" in sheet.claimed:
        origin = f"claimed to be {origin}" if origin else "imported"
    begun = "from a given position" if sheet.given_state else ""
    said = ", ".join(filter(None, (origin, begun)))
    return f"{seed} ({said})" if said else seed


def options_of(sheet: ScoreSheet) -> str:
    """The options that were chosen, on one line."""
    return " ".join(_spelled(sheet.options))


def _spelled(options: Mapping[str, object]) -> Iterator[str]:
    for name, value in options.items():
        if value is not None:
            yield f"{name}={_shortened(value)}"


def _shortened(value: object) -> str:
    text = " ".join(str(value).split())
    return text if len(text) <= 24 else f"{text[:21]}..."


def actions_of(sheet: ScoreSheet) -> str:
    """How many actions were played; how many more, when some were taken back."""
    return f"{sheet.plies} ({sheet.undone} taken back)" if sheet.undone else str(sheet.plies)


def duration(seconds: float | None) -> str:
    """A time in hours, minutes and whole seconds: `1:02:03`, `0:12`."""
    if seconds is None:
        return "-"
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def result_of(sheet: ScoreSheet) -> str:
    """The winners and who played for each: `Ann (human)`; else how the match ended."""
    outcome = sheet.outcome
    if outcome.abandoned:
        return "abandoned"
    if outcome.is_draw:
        return "a draw"
    named = (f"{sheet.seats[seat]} ({sheet.players[seat]})" for seat in outcome.winners)
    return ", ".join(named) or "nobody"


_COLUMNS: Final[Mapping[str, Callable[[ScoreSheet], str]]] = {
    "FINISHED": lambda sheet: _as_claimed(sheet, "finished", _minute(sheet)),
    "GAME": lambda sheet: sheet.game,
    "SEED": seed_of,
    "WON BY": result_of,
    "ACTIONS": actions_of,
    "TIME": _time,
    "POINTS": points_of,
    "REASON": reason_of,
}


def table(sheets: Sequence[ScoreSheet]) -> str:
    """Sheets as a table, in the order they are in."""
    return _aligned(list(_COLUMNS), [[cell(it) for cell in _COLUMNS.values()] for it in sheets])


def board(sheets: Sequence[ScoreSheet]) -> str:
    """Ranked sheets as a table with places, which begin anew with each kind of match."""
    rows = []
    place = 0
    for row, (sheet, kind) in enumerate(zip(sheets, _kinds(sheets), strict=True)):
        place = place + 1 if row and sheets[row - 1].kind == sheet.kind else 1
        cells = {name: cell(sheet) for name, cell in _COLUMNS.items()} | {"GAME": kind}
        rows.append([str(place), *cells.values()])
    return _aligned(["PLACE", *_COLUMNS], rows)


def _kinds(sheets: Sequence[ScoreSheet]) -> list[str]:
    """The game of each sheet, with whatever sheets of that game differ in."""
    values: dict[tuple[str, str], set[object]] = defaultdict(set)
    aspects = [{"rules": it.version, "seats": len(it.seats), **it.options} for it in sheets]
    for sheet, own in zip(sheets, aspects, strict=True):
        for name, value in own.items():
            values[sheet.game, name].add(value)
    kinds = []
    for sheet, own in zip(sheets, aspects, strict=True):
        apart = {name: value for name, value in own.items() if len(values[sheet.game, name]) > 1}
        kinds.append(" ".join([sheet.game, *_spelled(apart)]))
    return kinds


def _aligned(titles: list[str], rows: list[list[str]]) -> str:
    lines = [titles, *([printable(cell) for cell in row] for row in rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join(
        "  ".join(f"{cell:<{width}}" for cell, width in zip(line, widths, strict=True)).rstrip()
        for line in lines
    )


def plain(sheet: ScoreSheet) -> dict[str, Any]:
    """A sheet as plain data, with the names of those who won, and what is only claimed."""
    data: dict[str, Any] = to_builtins(sheet)
    data["winners"] = list(sheet.winners)
    data["claimed"] = list(sheet.claimed)
    return data


def as_json(sheets: Sequence[ScoreSheet]) -> str:
    """Sheets as JSON: a list of objects."""
    return json.dumps([plain(sheet) for sheet in sheets], indent=2)


CSV_FIELDS: Final = (
    "finished",
    "game",
    "version",
    "seed",
    "seed_origin",
    "seats",
    "players",
    "winners",
    "points",
    "reason",
    "plies",
    "undone",
    "seconds",
    "options",
    "program",
    "record",
    "imported",
    "given_state",
    "key",
    "claimed",
)


def as_csv(sheets: Sequence[ScoreSheet]) -> str:
    """Sheets as CSV, with a line of titles; what is a list is written with `; ` between."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(CSV_FIELDS)
    for sheet in sheets:
        data = {
            **plain(sheet),
            "points": list(sheet.outcome.points),
            "reason": sheet.outcome.reason,
            "options": options_of(sheet),
        }
        writer.writerow([_cell(data[name]) for name in CSV_FIELDS])
    return text.getvalue().rstrip("\n")


def _cell(value: object) -> object:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):  # some spreadsheets take each part for a cell
        return "; ".join(str(csv_cell(str(item))) for item in value)
    return csv_cell(value)
