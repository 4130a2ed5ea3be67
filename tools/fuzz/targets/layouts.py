"""Tile layouts of Constructor."""

from __future__ import annotations

from pathlib import Path

from constructor import STANDARD, format_layout, parse_layout
from constructor.program.cli import MOST_BYTES
from constructor.text import drawing
from tabletop.host import TextFileError, read_text
from tools.fuzz.making import fresh
from tools.fuzz.target import Target, require

GOES_ON = 20


def run(data: bytes, folder: Path) -> str:
    """Read a layout, write it again, and play on it."""
    path = folder / "layout.txt"
    path.write_bytes(data)
    try:
        layout = read_text(str(path), MOST_BYTES)
        tiles = parse_layout(layout, STANDARD)
    except TextFileError as error:
        return str(error)
    require(parse_layout(format_layout(tiles), STANDARD) == tiles, "it is not spelled as it was")
    match = fresh("constructor", options={"layout": layout})
    match.run(GOES_ON)
    drawing.draw_board(match.state)
    return "played on"


TARGET = Target(run)
