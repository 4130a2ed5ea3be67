"""Score sheets as tables, CSV and JSON."""

from __future__ import annotations

import csv
import io
import json
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from tabletop.codec import to_builtins
from tabletop.host.printable import printable
from tabletop.host.wrapping import tabled
from tabletop.scores.sheets import ScoreSheet
from tabletop.storage.sheettext import actions_of, as_claimed, minute_of, seed_of, time_of
from tabletop.terminal.cells import csv_cell
from tabletop.wording import number

_SHOWN_REASON: Final = 48
"""How many letters of a reason stand in a table."""


def _points_of(sheet: ScoreSheet) -> str:
    """The points of each seat, in order; a dash in a game without points."""
    return ", ".join(map(number, sheet.outcome.points)) or "-"


def reason_of(sheet: ScoreSheet) -> str:
    """The reason of the outcome, cut to a column; a dash when there is none."""
    text = " ".join(sheet.outcome.reason.split())
    return (text if len(text) <= _SHOWN_REASON else f"{text[: _SHOWN_REASON - 3]}...") or "-"


def _options_of(sheet: ScoreSheet) -> str:
    """The options that were chosen, on one line."""
    return " ".join(_spelled(sheet.options))


def _spelled(options: Mapping[str, object]) -> Iterator[str]:
    for name, value in options.items():
        if value is not None:
            yield f"{name}={_shortened(value)}"


def _shortened(value: object) -> str:
    text = " ".join(str(value).split())
    return text if len(text) <= 24 else f"{text[:21]}..."


def _result_of(sheet: ScoreSheet) -> str:
    """The winners and who played for each: `Ann (human)`; else how the match ended."""
    outcome = sheet.outcome
    if outcome.abandoned:
        return "abandoned"
    if outcome.is_draw:
        return "a draw"
    named = (f"{sheet.seats[seat]} ({sheet.players[seat]})" for seat in outcome.winners)
    return ", ".join(named) or "nobody"


_COLUMNS: Final[Mapping[str, Callable[[ScoreSheet], str]]] = {
    "FINISHED": lambda sheet: as_claimed(sheet, "finished", minute_of(sheet)),
    "GAME": lambda sheet: sheet.game,
    "SEED": seed_of,
    "WON BY": _result_of,
    "ACTIONS": actions_of,
    "TIME": time_of,
    "POINTS": _points_of,
    "REASON": reason_of,
}


def table(sheets: Sequence[ScoreSheet], columns: int = 0) -> str:
    """Sheets as a table, in the order they are in.

    Args:
        sheets: how matches ended.
        columns: how wide it may be; see `tabletop.host.wrapping.tabled`.
    """
    rows = [[cell(it) for cell in _COLUMNS.values()] for it in sheets]
    return _tabled(list(_COLUMNS), rows, columns)


def board(sheets: Sequence[ScoreSheet], columns: int = 0) -> str:
    """Ranked sheets as a table with places, which begin anew with each kind of match.

    Args:
        sheets: how matches ended, the best of each kind first.
        columns: how wide it may be, as in `table`.
    """
    rows = []
    place = 0
    for row, (sheet, kind) in enumerate(zip(sheets, _kinds(sheets), strict=True)):
        place = place + 1 if row and sheets[row - 1].kind == sheet.kind else 1
        cells = {name: cell(sheet) for name, cell in _COLUMNS.items()} | {"GAME": kind}
        rows.append([str(place), *cells.values()])
    return _tabled(["PLACE", *_COLUMNS], rows, columns)


def _kinds(sheets: Sequence[ScoreSheet]) -> list[str]:
    """The game of each sheet, with the options in which the sheets of that game differ."""
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


def _tabled(titles: list[str], rows: list[list[str]], columns: int) -> str:
    return tabled(titles, [[printable(cell) for cell in row] for row in rows], columns)


def plain(sheet: ScoreSheet) -> dict[str, Any]:
    """A sheet as plain data, with the winners' names, and the names of fields only claimed."""
    data: dict[str, Any] = to_builtins(sheet)
    data["winners"] = list(sheet.winners)
    data["claimed"] = list(sheet.claimed)
    return data


def as_json(sheets: Sequence[ScoreSheet]) -> str:
    """Sheets as JSON: a list of objects."""
    return json.dumps([plain(sheet) for sheet in sheets], indent=2)


_CSV_FIELDS: Final = (
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
    writer.writerow(_CSV_FIELDS)
    for sheet in sheets:
        data = {
            **plain(sheet),
            "points": list(sheet.outcome.points),
            "reason": sheet.outcome.reason,
            "options": _options_of(sheet),
        }
        writer.writerow([_cell(data[name]) for name in _CSV_FIELDS])
    return text.getvalue().rstrip("\n")


def _cell(value: object) -> object:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):  # some spreadsheets take each part for a cell
        return "; ".join(str(csv_cell(str(item))) for item in value)
    return csv_cell(value)
