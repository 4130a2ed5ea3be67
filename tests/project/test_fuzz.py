"""The fuzz targets of `tools/fuzz`: the corpora pass, and faults are found, shrunk and stored."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import given, settings
from tools.fuzz.engine import property_of
from tools.fuzz.inputs import lines_changed
from tools.fuzz.making import record
from tools.fuzz.programs import run_program
from tools.fuzz.target import (
    CORPUS,
    HERE,
    BrokenPromiseError,
    Harness,
    Target,
    corpus,
    find,
    names,
    require,
)

Plant = Callable[[Harness], str]

ACCEPTED = {
    "records": "replayed and verified",
    "saves": "played on",
    "layouts": "played on",
    "decks": "played on",
    "sheets": "saved",
    "catalogs": "seeds",
    "draw_logs": "nothing differs",
    "cards": "drawn",
}
"""The result for an accepted input of each corpus."""


def fails_with_nul(data: bytes, folder: Path) -> str:
    """A harness that fails for a null character."""
    if b"\0" in data:
        raise IndexError("no room for that")
    (folder / "file").write_bytes(data)
    return f"{len(data)} bytes"


@pytest.fixture
def plant(monkeypatch: pytest.MonkeyPatch) -> Plant:
    """Replace a target by a harness, and return its name."""

    def planted(run: Harness) -> str:
        module = ModuleType("tools.fuzz.targets.seeds")
        vars(module)["TARGET"] = Target(run)
        monkeypatch.setitem(sys.modules, module.__name__, module)
        return "seeds"

    return planted


@pytest.mark.slow
@pytest.mark.parametrize("name", names())
def test_the_inputs_of_a_corpus_break_no_promise(name: str) -> None:
    said = [find(name).judge(data) for data in corpus(name)]
    assert any(ACCEPTED.get(name, "") in it for it in said)


@pytest.mark.slow
@pytest.mark.matrix
@pytest.mark.parametrize("name", names())
def test_generated_inputs_break_no_promise(name: str, tmp_path: Path) -> None:
    property_of(name, tmp_path, most=5)()


def test_every_folder_of_the_corpus_belongs_to_a_target() -> None:
    assert {path.name for path in CORPUS.iterdir()} <= set(names())


@pytest.mark.slow
def test_a_fault_is_found_and_shrunk_and_stored(plant: Plant, tmp_path: Path) -> None:
    name = plant(fails_with_nul)
    with pytest.raises(IndexError, match="no room for that"):
        property_of(name, tmp_path, most=20_000)()
    assert (tmp_path / "last-input").read_bytes() == b"\0" + corpus(name)[0]
    with pytest.raises(IndexError, match="no room for that"):
        property_of(name, tmp_path, most=1)()


def test_findings_of_atheris_are_run_again(plant: Plant, tmp_path: Path) -> None:
    name = plant(fails_with_nul)
    (tmp_path / "crash-0a1b").write_bytes(b"abc\0def")
    with pytest.raises(IndexError, match="no room for that"):
        property_of(name, tmp_path, most=1)()
    property_of(plant(lambda _data, _folder: ""), tmp_path, most=1)()


def test_an_input_that_kills_the_process_is_stored(plant: Plant, tmp_path: Path) -> None:
    def looks(data: bytes, folder: Path) -> str:
        require((tmp_path / "last-input").read_bytes() == data, "another one is kept")
        return ""

    property_of(plant(looks), tmp_path, most=3)()


def test_a_broken_promise_without_an_exception_is_reported() -> None:
    def takes_nothing(data: bytes, folder: Path) -> str:
        require(not data, "too much")
        return "nothing"

    with pytest.raises(BrokenPromiseError, match="too much"):
        Target(takes_nothing).judge(b"x")


def test_a_changed_line_of_a_record_usually_has_the_right_checksum() -> None:
    said = []

    @settings(max_examples=40, database=None, derandomize=True)
    @given(lines_changed([record("lcr", 0)]))
    def look(data: bytes) -> None:
        said.append(find("records").judge(data))

    look()
    assert sum("the checksum does not match" in it for it in said) < len(said) / 2


@pytest.mark.slow
def test_make_fuzz_runs_the_selected_targets() -> None:
    words = ["tools/fuzz", "-k", "seeds", "--seconds=0.2", "-p", "no:cacheprovider"]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *words],
        cwd=HERE.parents[1],
        capture_output=True,
        text=True,
        check=False,
    )
    assert "1 passed" in done.stdout, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("status", "said", "complaint", "why"),
    [
        (3, "", "no", "it exits with 3"),
        (1, "", "", "without an error message"),
        (1, "", "Traceback (most recent call last):", "a traceback"),
        (0, "\x1b[2J", "", "a control character"),
        (0, "", "a\u202eb", "a control character"),
    ],
)
def test_a_misbehaving_program_breaks_a_promise(
    status: int, said: str, complaint: str, why: str
) -> None:
    def main(words: Sequence[str]) -> int:
        sys.stdout.write(said)
        sys.stderr.write(complaint)
        return status

    with pytest.raises(BrokenPromiseError, match=why):
        run_program(main, [], b"")


def test_a_program_gets_its_input() -> None:
    def main(words: Sequence[str]) -> int:
        sys.stdout.write(f"{words} {sys.stdin.read()}\n")
        return 0

    assert run_program(main, ["a", "b"], b"typed") == "0: ['a', 'b'] typed"
