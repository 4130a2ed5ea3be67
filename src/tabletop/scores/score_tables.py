"""Score sheets as text, tables, CSV and JSON."""

from __future__ import annotations

import csv
import io
import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from tabletop.display.text_view import together_in_words
from tabletop.host.screen_text import csv_cell, printable
from tabletop.rules.outcome import fields_of
from tabletop.scores.sheets import DAILY, FRESH, GIVEN, WEEKLY, ScoreSheet
from tabletop.states.codec import to_builtins
from tabletop.text_layout import definitions, table
from tabletop.wording import number

_ORIGINS: Final[Mapping[str, str]] = {
    GIVEN: "given by hand",
    WEEKLY: "of the week",
    DAILY: "of the day",
    FRESH: "",
    "": "",
}

_REASON_LETTERS, _OPTION_LETTERS = 48, 24
"""Maximum number of characters of a reason, and of an option value, in a table."""


def sheet_in_full(sheet: ScoreSheet, title: str = "", again: str = "") -> str:
    """Format a sheet, one line per item.

    Args:
        title: The title of the game. By default, its name.
        again: The command that starts a match with the same setup, or empty.
    """
    kind = f"{sheet.game}, rules {sheet.version}"
    rows = {"game": f"{title} ({kind})" if title else kind, "seed": seed_of(sheet)}
    for seat, name in enumerate(sheet.seats):
        points = f", {_points(sheet, seat)}" if sheet.outcome.points else ""
        rows[f"seat {seat + 1}"] = f"{name}: {sheet.players[seat]}{_standing(sheet, seat)}{points}"
    if sheet.outcome.reason:
        rows["reason"] = sheet.outcome.reason
    ended = _mark_claimed(sheet, "finished", f"{_minute(sheet)} UTC")
    rows["ended"] = f"{ended}, with tabletop {sheet.program}"
    rows["actions"] = _actions(sheet)
    rows["time"] = _time(sheet)
    rows["record"] = sheet.record or "none"
    if again:
        rows["again"] = again
    lines = definitions([(f"  {name}", printable(value)) for name, value in rows.items()])
    return f"Score sheet\n{lines}"


def score_table(sheets: Sequence[ScoreSheet], columns: int = 0) -> str:
    """Format sheets as a table, in the given order.

    Args:
        columns: The maximum width in characters, or 0 for no limit.
    """
    rows = [_row(sheet) for sheet in sheets]
    titles = ["FINISHED", "GAME", "SEED", "WON BY", "ACTIONS", "TIME", "POINTS", "REASON"]
    return table(titles, [[printable(row[title]) for title in titles] for row in rows], columns)


def score_board(sheets: Sequence[ScoreSheet], columns: int = 0) -> str:
    """Format ranked sheets as a table with places, starting at 1 for each kind of match.

    Args:
        columns: The maximum width in characters, or 0 for no limit.
    """
    rows: list[dict[str, str]] = []
    place = 0
    for index, (sheet, kind) in enumerate(zip(sheets, _kinds(sheets), strict=True)):
        place = place + 1 if index and sheets[index - 1].kind == sheet.kind else 1
        rows.append({"PLACE": str(place)} | _row(sheet) | {"GAME": kind})
    titles = list(rows[0]) if rows else []
    return table(titles, [[printable(cell) for cell in row.values()] for row in rows], columns)


def _row(sheet: ScoreSheet) -> dict[str, str]:
    """Return the cells of a sheet by column title."""
    return {
        "FINISHED": _mark_claimed(sheet, "finished", _minute(sheet)),
        "GAME": sheet.game,
        "SEED": seed_of(sheet),
        "WON BY": _winners(sheet),
        "ACTIONS": _actions(sheet),
        "TIME": _time(sheet),
        "POINTS": ", ".join(map(number, sheet.outcome.points)) or "-",
        "REASON": _shorten(sheet.outcome.reason, _REASON_LETTERS) or "-",
    }


def _kinds(sheets: Sequence[ScoreSheet]) -> list[str]:
    """Return the game of each sheet, with the options that differ among sheets of that game."""
    values: dict[tuple[str, str], set[object]] = defaultdict(set)
    aspects = [{"rules": it.version, "seats": len(it.seats), **it.options} for it in sheets]
    for sheet, aspect in zip(sheets, aspects, strict=True):
        for name, value in aspect.items():
            values[sheet.game, name].add(value)
    kinds = []
    for sheet, aspect in zip(sheets, aspects, strict=True):
        varying = {
            name: value for name, value in aspect.items() if len(values[sheet.game, name]) > 1
        }
        kinds.append(" ".join([sheet.game, *_options(varying)]))
    return kinds


def _options(options: Mapping[str, object]) -> Iterator[str]:
    """Yield the options that have a value, each as `name=value`."""
    for name, value in options.items():
        if value is not None:
            yield f"{name}={_shorten(str(value), _OPTION_LETTERS)}"


def _shorten(text: str, letters: int) -> str:
    line = " ".join(text.split())
    return line if len(line) <= letters else f"{line[: letters - 3]}..."


def _minute(sheet: ScoreSheet) -> str:
    """Format the time at which the match ended, to the minute, or a dash if it is unknown."""
    return sheet.finished.replace("T", " ")[:16] or "-"


def _time(sheet: ScoreSheet) -> str:
    """Format the duration of the match in hours, minutes and seconds: `1:02:03`, `0:12`."""
    if sheet.seconds is None:
        return "-"
    minutes, rest = divmod(round(sheet.seconds), 60)
    hours, minutes = divmod(minutes, 60)
    time = f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
    return _mark_claimed(sheet, "seconds", time)


def _mark_claimed(sheet: ScoreSheet, name: str, shown: str) -> str:
    """Mark a cell if its value was taken from an untrusted record."""
    return f"{shown} (claimed)" if name in sheet.claimed and shown != "-" else shown


def _winners(sheet: ScoreSheet) -> str:
    """Format the winners and their players, as in `Ann (human)`, or describe another ending."""
    outcome = sheet.outcome
    if outcome.abandoned:
        return "abandoned"
    if outcome.is_draw:
        return "a draw"
    if outcome.best is not None:
        return together_in_words(outcome).lower()
    named = (f"{sheet.seats[seat]} ({sheet.players[seat]})" for seat in outcome.winners)
    return ", ".join(named) or "nobody"


def _standing(sheet: ScoreSheet, seat: int) -> str:
    outcome = sheet.outcome
    if outcome.abandoned:
        return ", abandoned"
    if outcome.is_draw:
        return ", drawn"
    if outcome.best is not None:
        return f", {together_in_words(outcome).lower()}"
    return ", won" if seat in outcome.winners else ""


def _points(sheet: ScoreSheet, seat: int) -> str:
    points = number(sheet.outcome.points[seat])
    return f"{points} point" if points == "1" else f"{points} points"


def seed_of(sheet: ScoreSheet) -> str:
    """Describe the seed, whether there is a salt, and the seed's origin unless it is fresh.

    A seed that contains a parenthesis or two spaces is quoted, so that it is not confused with the
    description after it.
    """
    seed = repr(sheet.seed) if "(" in sheet.seed or "  " in sheet.seed else sheet.seed
    origin = _ORIGINS.get(sheet.seed_origin, f"from {sheet.seed_origin!r}")
    if "seed_origin" in sheet.claimed:
        origin = f"claimed to be {origin}" if origin else "imported"
    begun = "from a given position" if sheet.given_state else ""
    salted = "salted" if sheet.salt else ""
    details = ", ".join(filter(None, (origin, begun, salted)))
    return f"{seed} ({details})" if details else seed


def _actions(sheet: ScoreSheet) -> str:
    """Format the number of actions played and, if any, the number of undone actions."""
    return f"{sheet.plies} ({sheet.undone} undone)" if sheet.undone else str(sheet.plies)


def scores_as_json(sheets: Sequence[ScoreSheet]) -> str:
    """Format sheets as JSON: a list of objects."""
    return json.dumps([_as_data(sheet) for sheet in sheets], indent=2)


def _as_data(sheet: ScoreSheet) -> dict[str, Any]:
    """Convert a sheet to plain data, and add the winners' names and the unverified fields."""
    data: dict[str, Any] = to_builtins(sheet)
    data["outcome"] = {name: data["outcome"][name] for name in fields_of(sheet.outcome)}
    if sheet.outcome.best is None:
        del data["outcome"]["best"]
    return {**data, "winners": list(sheet.winners), "claimed": list(sheet.claimed)}


_CSV_FIELDS: Final = (
    *("finished", "game", "version", "seed", "seed_origin", "seats", "players", "winners"),
    *("points", "reason", "plies", "undone", "seconds", "options", "program", "record"),
    *("imported", "given_state", "key", "claimed"),
)


def scores_as_csv(sheets: Sequence[ScoreSheet]) -> str:
    """Format sheets as CSV with a header line. Items of a list are separated by `; `."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(_CSV_FIELDS)
    for sheet in sheets:
        data = {
            **_as_data(sheet),
            "points": list(sheet.outcome.points),
            "reason": sheet.outcome.reason,
            "options": " ".join(_options(sheet.options)),
        }
        writer.writerow([_csv_value(data[name]) for name in _CSV_FIELDS])
    return text.getvalue().rstrip("\n")


def _csv_value(value: object) -> object:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):  # escape each item, because some spreadsheets split at semicolons
        return "; ".join(str(csv_cell(str(item))) for item in value)
    return csv_cell(value)
