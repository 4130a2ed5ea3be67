"""Cells of CSV that no spreadsheet takes for a formula."""

from __future__ import annotations

import re
from typing import Final

from tabletop.host.printable import printable

_NUMBER: Final = re.compile(r"[+-]?\d+(\.\d+)?")
_BEGINS_FORMULA: Final = (*"=+-@", *"\uff1d\uff0b\uff0d\uff20", *"\t\r\n")
"""The middle ones are those before them as East Asian keyboards have them."""


def csv_cell(value: object) -> object:
    """A value as a cell: numbers as they are, texts on one line.

    What a spreadsheet would calculate begins with an apostrophe, which makes it a text. So does
    what follows a semicolon, where cells end for those that have commas in their numbers.
    """
    if not isinstance(value, str):
        return value
    return ";".join(map(_cell, value.split(";")))


def _cell(text: str) -> str:
    is_formula = text.lstrip(" ").startswith(_BEGINS_FORMULA) and not _NUMBER.fullmatch(text)
    return f"'{printable(text)}" if is_formula else printable(text)
