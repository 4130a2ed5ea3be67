"""Input of the program `lcr`, followed by a NUL and the file of names."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

from lcr.program.cli import main
from lcr.program.prompts import ByteReader, read_int, read_unsigned
from tools.fuzz.programs import run_program
from tools.fuzz.target import Target, require


def run(data: bytes, folder: Path) -> str:
    """Play a game. The course's program exits with 0 for any input."""
    typed, zero, names = data.partition(b"\0")
    number = read_int(ByteReader(BytesIO(typed)))
    require(number is None or -(2**31) <= number < 2**31, f"no int: {number}")
    number = read_unsigned(ByteReader(BytesIO(typed)))
    require(number is None or 0 <= number < 2**32, f"no unsigned: {number}")
    if not zero:
        said = run_program(main, [], typed)
        require(said.startswith("0:"), f"it fails: {said}")
        return said
    (folder / "names").write_bytes(names)
    return run_program(main, ["--names", "names"], typed)


TARGET = Target(run, words=(b"3", b"11", b"4823", b"\0", b"\n", b"+", b"-"))
