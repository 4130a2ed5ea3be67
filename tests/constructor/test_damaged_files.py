"""Saves and layouts with anything in them: they load, or are refused; nothing in between."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.constructor.programs import DATA, LAYOUT, RICH, run_here, save

SAVES = [
    (DATA / "savefile.txt").read_bytes(),
    RICH.encode(),
    save(rest="-1\n", blue="1 22 333 4444 55555 r 71 0 h 53 T").encode(),
    (save() + "variant living " + "WIFI:3 -:20 -:20 -:20 -:- " + "-:20 " * 14 + "\n").encode(),
]
LAYOUTS = [LAYOUT.encode(), b"4 12\n" * 19]
REFUSAL = re.compile(r"constructor: -(?:load|board) 'damaged': line (\d+): \S.*\n", re.ASCII)
LINE_END = re.compile(rb"\r\n|\r|\n")
WORDS = [b"r", b"h", b"B", b"0", b"-1", b"99", b"6", b"x", b"variant", b"1e3", b"+1", b"\xef", b""]


@st.composite
def damaged(draw: st.DrawFn, whole: list[bytes]) -> bytes:
    """One of some files, cut short, with bytes changed, or with words more or fewer."""
    data = draw(st.sampled_from(whole))
    place = draw(st.integers(0, len(data)))
    kind = draw(st.sampled_from(["cut", "byte", "insert", "word", "line", "junk"]))
    if kind == "cut":
        return data[:place]
    if kind == "byte":
        return data[:place] + draw(st.binary(min_size=1, max_size=1)) + data[place + 1 :]
    if kind == "insert":
        return data[:place] + draw(st.binary(min_size=1, max_size=4)) + data[place:]
    if kind == "junk":
        return draw(st.binary(max_size=80))
    between = b"\n" if kind == "line" else b" "
    pieces = data.split(between)
    at = draw(st.integers(0, len(pieces) - 1))
    return between.join([*pieces[:at], draw(st.sampled_from(WORDS)), *pieces[at + 1 :]])


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder that the program is run in, again and again."""
    with pytest.MonkeyPatch.context() as patch:
        path = tmp_path_factory.mktemp("damaged")
        patch.chdir(path)
        yield path


def loads_or_is_refused(folder: Path, option: str, data: bytes) -> None:
    (folder / "damaged").write_bytes(data)
    (folder / "backup.sv").unlink(missing_ok=True)
    printed = run_here([option, "damaged"])
    if printed.status == 0:
        assert printed.stderr == ""
        assert printed.stdout.endswith("> ")
        kept = (folder / "backup.sv").read_text("utf-8")
        assert run_here(["-load", "backup.sv"]).status == 0
        assert (folder / "backup.sv").read_text("utf-8") == kept
        return
    assert (printed.stdout, printed.status) == ("", 2)
    found = REFUSAL.fullmatch(printed.stderr)
    assert found is not None, printed.stderr
    assert 1 <= int(found[1]) <= len(LINE_END.split(data))
    assert not (folder / "backup.sv").exists()


@pytest.mark.slow
@settings(max_examples=80)
@given(damaged(SAVES))
def test_a_damaged_save_loads_or_is_refused_with_its_line(folder: Path, data: bytes) -> None:
    loads_or_is_refused(folder, "-load", data)


@pytest.mark.slow
@settings(max_examples=40)
@given(damaged(LAYOUTS))
def test_a_damaged_layout_loads_or_is_refused_with_its_line(folder: Path, data: bytes) -> None:
    loads_or_is_refused(folder, "-board", data)
