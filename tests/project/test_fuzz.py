"""The harnesses of `tools/fuzz`: corpora hold, and a mistake is found, made small and kept."""

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
    "sheets": "kept",
    "catalogs": "seeds",
    "draw_logs": "nothing differs",
    "cards": "drawn",
}
"""What is said of something in a corpus that is accepted."""


def fails_with_nul(data: bytes, folder: Path) -> str:
    """A harness of something that goes wrong with a null character."""
    if b"\0" in data:
        raise IndexError("no room for that")
    (folder / "file").write_bytes(data)
    return f"{len(data)} bytes"


@pytest.fixture
def plant(monkeypatch: pytest.MonkeyPatch) -> Plant:
    """Put a harness in the place of a target; its name."""

    def planted(run: Harness) -> str:
        module = ModuleType("tools.fuzz.targets.seeds")
        vars(module)["TARGET"] = Target(run)
        monkeypatch.setitem(sys.modules, module.__name__, module)
        return "seeds"

    return planted


@pytest.mark.slow
@pytest.mark.parametrize("name", names())
def test_what_is_in_a_corpus_breaks_no_promise_and_some_of_it_is_accepted(name: str) -> None:
    said = [find(name).judge(data) for data in corpus(name)]
    assert any(ACCEPTED.get(name, "") in it for it in said)


@pytest.mark.slow
@pytest.mark.parametrize("name", names())
def test_what_is_made_of_a_corpus_breaks_no_promise(name: str, tmp_path: Path) -> None:
    property_of(name, tmp_path, most=5)()


def test_every_folder_of_the_corpus_is_that_of_a_target() -> None:
    assert {path.name for path in CORPUS.iterdir()} <= set(names())


@pytest.mark.slow
def test_a_planted_mistake_is_found_and_made_small_and_the_next_run_begins_with_it(
    plant: Plant, tmp_path: Path
) -> None:
    name = plant(fails_with_nul)
    with pytest.raises(IndexError, match="no room for that"):
        property_of(name, tmp_path, most=20_000)()
    assert (tmp_path / "last-input").read_bytes() == b"\0" + corpus(name)[0]
    with pytest.raises(IndexError, match="no room for that"):
        property_of(name, tmp_path, most=1)()


def test_what_atheris_has_found_is_run_until_it_is_mended(plant: Plant, tmp_path: Path) -> None:
    name = plant(fails_with_nul)
    (tmp_path / "crash-0a1b").write_bytes(b"abc\0def")
    with pytest.raises(IndexError, match="no room for that"):
        property_of(name, tmp_path, most=1)()
    property_of(plant(lambda _data, _folder: ""), tmp_path, most=1)()


def test_an_input_that_a_process_does_not_survive_is_kept(plant: Plant, tmp_path: Path) -> None:
    def looks(data: bytes, folder: Path) -> str:
        require((tmp_path / "last-input").read_bytes() == data, "another one is kept")
        return ""

    property_of(plant(looks), tmp_path, most=3)()


def test_a_promise_that_no_exception_tells_of_is_kept_as_well() -> None:
    def takes_nothing(data: bytes, folder: Path) -> str:
        require(not data, "too much")
        return "nothing"

    with pytest.raises(BrokenPromiseError, match="too much"):
        Target(takes_nothing).judge(b"x")


def test_a_changed_line_of_a_record_mostly_has_the_check_that_fits() -> None:
    said = []

    @settings(max_examples=40, database=None)
    @given(lines_changed([record("lcr", 0)]))
    def look(data: bytes) -> None:
        said.append(find("records").judge(data))

    look()
    assert sum("the checksum does not match" in it for it in said) < len(said) / 2


@pytest.mark.slow
def test_make_fuzz_runs_the_targets_that_are_chosen() -> None:
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
        (1, "", "", "does not say why"),
        (1, "", "Traceback (most recent call last):", "a traceback"),
        (0, "\x1b[2J", "", "moves a terminal"),
        (0, "", "a\u202eb", "moves a terminal"),
    ],
)
def test_a_program_that_misbehaves_breaks_a_promise(
    status: int, said: str, complaint: str, why: str
) -> None:
    def main(words: Sequence[str]) -> int:
        sys.stdout.write(said)
        sys.stderr.write(complaint)
        return status

    with pytest.raises(BrokenPromiseError, match=why):
        run_program(main, [], b"")


def test_a_program_is_given_what_is_typed() -> None:
    def main(words: Sequence[str]) -> int:
        sys.stdout.write(f"{words} {sys.stdin.read()}\n")
        return 0

    assert run_program(main, ["a", "b"], b"typed") == "0: ['a', 'b'] typed"
