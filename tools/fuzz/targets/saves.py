"""Saved games of Constructor."""

from __future__ import annotations

from pathlib import Path

from constructor import STANDARD, parse_save, write_save
from constructor.program.cli import MOST_BYTES
from constructor.text import drawing, text_view
from tabletop.host import TextFileError, read_text
from tools.fuzz.making import fresh
from tools.fuzz.target import Target, require

GOES_ON = 40


def run(data: bytes, folder: Path) -> str:
    """Read a save, write it again, and play on from it."""
    path = folder / "g.sv"
    path.write_bytes(data)
    try:
        saved = read_text(str(path), MOST_BYTES)
        state = parse_save(saved, STANDARD)
    except TextFileError as error:
        return str(error)
    written = write_save(state)
    require(write_save(parse_save(written, STANDARD)) == written, "it is not saved as it was")
    match = fresh("constructor", options={"load": saved})
    require(write_save(match.state) == written, "the match does not begin as it was saved")
    for plies in (0, GOES_ON):
        match.run(plies)
        drawing.draw_board(match.state)
        text_view.statuses(match.state)
        text_view.changed_tiles(match.state)
        text_view.residences(match.state, match.state.turn)
        parse_save(write_save(match.state), STANDARD)
    return "played on"


TARGET = Target(run, words=(b" r ", b" h ", b"0 B", b"53 T", b"variant living", b"-:-", b"WIFI:12"))
