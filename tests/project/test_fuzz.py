"""The harnesses of `fuzz`: their corpora hold, and a mistake is found, made small and kept."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from types import ModuleType

import pytest
from tools.fuzz import __main__ as program
from tools.fuzz.driver import Watch, fuzz
from tools.fuzz.findings import Finding, minimised
from tools.fuzz.json_lines import changed_lines
from tools.fuzz.judging import Verdict, judge
from tools.fuzz.making import record
from tools.fuzz.mutation import mutated
from tools.fuzz.programs import run_program
from tools.fuzz.target import CORPUS, HERE, BrokenPromiseError, Target, corpus, find, names, require

GOOD = b"a game of go\n"


def fails_with_nul(data: bytes, folder: Path) -> str:
    """A harness of something that goes wrong with a null character."""
    if b"\0" in data:
        raise IndexError("no room for that")
    (folder / "file").write_bytes(data)
    return f"{len(data)} bytes"


BROKEN = Target(fails_with_nul, lambda: [GOOD])


ACCEPTED = {
    "records": "replayed and verified",
    "saves": "played on",
    "layouts": "played on",
    "decks": "played on",
    "sheets": "kept",
    "catalogs": "_ seeds",
    "draw_logs": "nothing differs",
    "cards": "drawn",
}
"""What is said of something in a corpus that is accepted."""


@pytest.mark.slow
@pytest.mark.parametrize("name", names())
def test_what_is_in_a_corpus_breaks_no_promise_and_some_of_it_is_accepted(name: str) -> None:
    verdicts = [judge(find(name), data) for data in corpus(name)]
    assert [verdict.trace for verdict in verdicts if verdict.is_finding] == []
    assert any(ACCEPTED.get(name, "") in verdict.sign for verdict in verdicts)


@pytest.mark.slow
@pytest.mark.parametrize("name", names())
def test_what_is_made_of_a_corpus_breaks_no_promise(name: str) -> None:
    watch = Watch(name, find(name))
    fuzz(watch, corpus(name)[-1:], "a fixed seed", most=3)
    assert [finding.verdict.trace for finding in watch.findings] == []
    assert watch.runs > 3


def test_every_folder_of_the_corpus_is_that_of_a_target() -> None:
    assert {path.name for path in CORPUS.iterdir()} <= set(names())


@pytest.mark.slow
def test_a_planted_mistake_is_found_and_made_small() -> None:
    told: list[Finding] = []
    watch = Watch("planted", BROKEN, told.append)
    fuzz(watch, [GOOD], "any seed", most=200)
    (finding,) = watch.findings
    assert told == [finding]
    assert finding.data == b"\0"
    assert "IndexError: no room for that" in finding.verdict.trace


def test_a_promise_that_no_exception_tells_of_is_kept_as_well() -> None:
    def takes_nothing(data: bytes, folder: Path) -> str:
        require(not data, "too much")
        return "nothing"

    verdict = judge(Target(takes_nothing), b"x")
    assert verdict.is_finding
    assert "BrokenPromiseError: too much" in verdict.trace


@pytest.mark.slow
def test_the_same_seed_makes_the_same_inputs() -> None:
    def made(seed: str) -> list[bytes]:
        seen: list[bytes] = []
        watch = Watch("planted", BROKEN, before=seen.append)
        fuzz(watch, [b"some 12 bytes\nof text\n"], seed, most=50)
        return seen

    assert made("one") == made("one")
    assert made("one") != made("two")


def test_a_changed_line_of_a_record_mostly_has_the_check_that_fits() -> None:
    chance, whole = Random("x"), record("lcr", 0)
    said = [judge(find("records"), changed_lines(whole, chance)).sign for _ in range(20)]
    assert sum("its check does not fit" in sign for sign in said) < 10


def test_changes_of_nothing_make_something() -> None:
    chance = Random("x")
    assert any(mutated(b"", b"", chance) for _ in range(20))


def test_what_is_made_small_still_leads_to_the_same() -> None:
    verdict = judge(BROKEN, b"abc\0def")
    assert minimised(BROKEN, b"abc\0def", verdict.sign) == b"\0"


@pytest.fixture
def planted() -> Iterator[str]:
    """The name of a target that has a mistake in it, among the others."""
    module = ModuleType("tools.fuzz.targets.seeds")
    vars(module)["TARGET"] = BROKEN
    whole = sys.modules.get("tools.fuzz.targets.seeds")
    sys.modules["tools.fuzz.targets.seeds"] = module
    yield "seeds"
    del sys.modules["tools.fuzz.targets.seeds"]
    if whole is not None:
        sys.modules["tools.fuzz.targets.seeds"] = whole


def test_a_finding_is_kept_and_can_be_seen_again(
    planted: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = Finding(planted, b"\0", judge(BROKEN, b"\0")).save(tmp_path / "findings")
    assert path.read_bytes() == b"\0"
    assert f"python -m tools.fuzz reproduce {path}" in path.with_suffix(".txt").read_text("utf-8")
    assert program.main(["reproduce", str(path)]) == 1
    assert "IndexError: no room for that" in capsys.readouterr().out
    path.write_bytes(b"mended")
    assert program.main(["reproduce", str(path)]) == 0


def test_a_finding_of_one_kind_is_kept_once(tmp_path: Path) -> None:
    verdict = Verdict("IndexError", "trace")
    paths = {Finding("seeds", data, verdict).save(tmp_path) for data in (b"1", b"2")}
    assert len(paths) == 1


@pytest.mark.parametrize("words", [["nonsense"], ["reproduce", "nothing-there.input"]])
def test_what_is_no_target_is_wrong_use(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert program.main(words) == 2
    assert capsys.readouterr().err.startswith("fuzz: ")


@pytest.mark.slow
def test_the_program_runs_targets_and_tells_the_seed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["seeds", "--seconds=0.2", "--seed=x", "--engine=mutation", f"--findings={tmp_path}"]
    assert program.main(words) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("1 targets, 0.2 seconds each, with mutation; --seed x\n  seeds: ")
    assert shown.endswith("nothing was found\n")


@pytest.mark.slow
def test_an_input_that_a_process_does_not_survive_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(program, "GRACE", -59.9)  # it is taken for hanging at once
    words = ["seeds", "--seconds=60", "--engine=mutation", f"--findings={tmp_path}"]
    assert program.main(words) == 1
    assert "found: it hangs" in capsys.readouterr().out
    assert len(list(tmp_path.glob("seeds-*.input"))) == 1


@pytest.mark.slow
def test_an_input_that_keeps_the_processor_busy_ends_its_process() -> None:
    endless = "from tools.fuzz.__main__ import limit_time; limit_time(0.1)\nwhile True: pass"
    done = subprocess.run([sys.executable, "-c", endless], cwd=HERE.parents[1], check=False)
    assert done.returncode == -signal.SIGPROF


def test_a_judgement_sets_no_timer_that_could_break_into_coverage() -> None:
    def looks(data: bytes, folder: Path) -> str:
        require(not signal.getitimer(signal.ITIMER_PROF)[0], "a timer runs")
        return ""

    assert judge(Target(looks), b"") == Verdict("")


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
