"""A series consists of the same matches, no matter how it is batched, stored and resumed."""

from __future__ import annotations

import json
import re
import shlex
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest

from tabletop.errors import UsageError
from tabletop.records import read, replay
from tabletop.registry import load
from tabletop.studies import (
    COLUMNS,
    LocalWorkers,
    Manifest,
    Progress,
    Row,
    Series,
    Study,
    StudyError,
    simulate,
    store,
)
from tabletop.studies.simulating import Count, _Plan, _play, play_missing
from tabletop.studies.store import lock_folder
from tests.tabletop.cli.program import TICTACTOE, changed, shown
from tests.tabletop.studies.own_metrics import FILE

ROOT = Path(__file__).parents[3]

LONG = "6f79455aeb8a454a6b1779472e32e6966dec251633438949a601e956759ab19b"
"""Digest of 3,000 LCR matches without metrics."""

DIGESTS = {
    ("lcr", 40): "cfe0b20182deb437885fb687de2cbd8e006ec66f55692ca3682d90b5c7c94576",
    ("sorcery", 8): "104302ea586308f41391cbf1384d40267c62ed222f19d18f7941640a649f2861",
    ("constructor", 2): "5afce97efadce9784dc779e7a05559d383787206eebc3e8ac2f0b8a3cff26081",
}
"""Digests of the first matches of some series, equal on all machines and for the compiled wheel."""

MEASURED = "aad92942f80f88f09df5cf35e95f06d3e4843d2d0883cac7ed52072bc35e02d3"
"""Digest of four Sorcery matches with all metrics, which observe events of compiled modules."""


def rows_of(series: Series, *parts: range) -> list[Row]:
    """Return the rows of a series in order, played in batches of at most the given size."""
    batches = list(play_missing(series, parts, LocalWorkers()))
    return [row for batch in sorted(batches, key=lambda it: it.numbers[0]) for row in batch.rows]


def plain(game: str, **others: Any) -> Series:
    return Series.of(game, metrics=(), **others)


@pytest.mark.parametrize(("game", "matches"), DIGESTS)
def test_the_first_matches_of_a_series_are_the_same_everywhere(
    game: str, matches: int, tmp_path: Path
) -> None:
    bots = [load(game).best_bot]
    study = simulate(game, matches, tmp_path, bots=bots, metrics=[], workers=1)
    assert study.digest() == DIGESTS[game, matches]


def test_metrics_of_a_game_are_the_same_everywhere(tmp_path: Path) -> None:
    study = simulate("sorcery", 4, tmp_path, bots=["duelist", "random"], workers=1)
    assert len(study.manifest.metrics) > 2
    assert study.digest() == MEASURED


def test_any_size_of_batches_gives_the_same_rows() -> None:
    series = Series.of("lcr", metrics=[f"{FILE}:told", f"{FILE}:kinds"])
    rows = series.play(range(60))
    for cuts in ([0, 60], [0, 1, 2, 59, 60], [0, 31, 60]):
        parts = [range(*pair) for pair in pairwise(cuts)]
        assert rows_of(series, *parts) == rows


@pytest.mark.slow
def test_a_match_of_a_series_can_be_replayed_by_its_seed(tmp_path: Path) -> None:
    series = plain("sorcery", bots=["duelist", "random"], seeds="a name", rotated=True)
    for number, row in enumerate(series.play(range(3))):
        record = tmp_path / f"{number}.jsonl"
        bots = [f"{seat}={name}" for seat, name in enumerate(row["players"], 1)]
        words = [word for bot in bots for word in ("--bot", bot)]
        shown("play", "sorcery", "--seed", row["seed"], *words, "--record", record)
        match = replay(read(record), load("sorcery").game)
        assert match.outcome is not None
        assert (match.outcome.winners, match.ply) == (row["winners"], row["plies"])


def test_a_rotated_series_plays_each_seed_once_from_each_seat() -> None:
    series = plain("lcr", bots=["random", "random"], seats=3, rotated=True)
    assert [series.seed(number) for number in range(4)] == ["study 0", "study 0"] + ["study 1"] * 2
    other = Series("g", 3, ("a", "b"), rotated=True)
    assert [other.players(number) for number in range(3)] == [
        ("a", "b", "a"),
        ("b", "a", "b"),
        ("a", "b", "a"),
    ]


def test_an_executor_of_the_caller_plays_the_same_matches(tmp_path: Path) -> None:
    with ThreadPoolExecutor(2) as threads:
        study = simulate("lcr", 40, tmp_path, metrics=[], executor=threads, workers=2)
    assert study.digest() == DIGESTS["lcr", 40]


@pytest.mark.slow
def test_a_game_in_a_file_is_played_with_its_own_metrics(tmp_path: Path) -> None:
    path = changed(tmp_path / "own.py")
    path.write_text(
        f"{path.read_text('utf-8')}\n\ndef moves(events) -> int:\n    return len(events)\n\n\n"
        "PLUGIN = Plugin(GAME, metrics={'moves': moves})\n",
        "utf-8",
    )
    study = simulate(str(path), 5, tmp_path / "study", workers=1)
    assert study.manifest.metrics == ("moves",)
    assert all(row["moves"] > row["plies"] for row in study.rows())


@pytest.mark.slow
def test_a_bot_program_is_started_and_stopped_for_each_match(tmp_path: Path) -> None:
    bot = "exec:" + shlex.join([sys.executable, str(ROOT / "examples" / "exec_bot.py")])
    study = simulate(TICTACTOE, 2, tmp_path, bots=[bot, "random"], workers=1, metrics=[])
    assert [row["players"][0] for row in study.rows()] == [bot, bot]


def test_an_endless_match_is_stopped_without_winners() -> None:
    [row] = plain("sorcery", plies=5).play(range(1))
    assert (row["winners"], row["points"], row["plies"]) == ((), (), 5)
    assert re.search(r"\b5 plies\b", row["reason"])


def test_a_resumed_study_plays_missing_matches_and_may_grow(tmp_path: Path) -> None:
    simulate("lcr", 30, tmp_path, metrics=[], workers=1)
    files = {file.name: file.stat().st_mtime_ns for file in tmp_path.rglob("*.parquet")}
    reports: list[Progress] = []
    study = simulate(
        "lcr", 40, tmp_path, metrics=[], workers=1, resume=True, progress=reports.append
    )
    assert (reports[0].done, reports[-1].done, reports[-1].total) == (30, 40, 40)
    assert {name: (tmp_path / "000000" / name).stat().st_mtime_ns for name in files} == files
    assert (study.manifest.matches, study.digest()) == (40, DIGESTS["lcr", 40])


def test_resuming_a_complete_study_plays_nothing(tmp_path: Path) -> None:
    whole = simulate("lcr", 20, tmp_path, metrics=[], workers=1)
    reports: list[Progress] = []
    again = simulate("lcr", 20, tmp_path, metrics=[], resume=True, progress=reports.append)
    assert (again.digest(), len(reports)) == (whole.digest(), 1)


def test_a_study_of_other_matches_is_not_resumed(tmp_path: Path) -> None:
    simulate("lcr", 20, tmp_path, metrics=[], workers=1)
    with pytest.raises(StudyError, match="already"):
        simulate("lcr", 20, tmp_path, metrics=[], workers=1)
    with pytest.raises(StudyError, match=r": seats 3, not 4$"):
        simulate("lcr", 20, tmp_path, metrics=[], workers=1, seats=4, resume=True)
    with pytest.raises(UsageError, match="already has 20 matches"):
        simulate("lcr", 10, tmp_path, metrics=[], workers=1, resume=True)


@pytest.mark.parametrize("harm", ["rules", "kind"])
def test_a_study_is_not_resumed_if_its_first_match_has_another_result(
    harm: str, tmp_path: Path
) -> None:
    game, metric = changed(tmp_path / "own.py"), tmp_path / "metric.py"
    metric.write_text("def told(events) -> int:\n    return None\n", "utf-8")
    folder, words = tmp_path / "study", dict[str, Any](bots=["random"], workers=1)
    study = simulate(str(game), 3, folder, metrics=[f"{metric}:told"], **words)
    if harm == "kind":
        metric = tmp_path / "other_metric.py"
        metric.write_text("def told(events) -> str:\n    return None\n", "utf-8")
    else:
        change = ("win(state.winner", "win(1 - state.winner")
        game = changed(tmp_path / "other.py", change)
    with pytest.raises(StudyError, match=r"\bmatch 0 again\b"):
        simulate(str(game), 5, folder, metrics=[f"{metric}:told"], resume=True, **words)
    assert Study(folder).manifest == study.manifest


def test_a_resumed_study_keeps_the_source_of_its_game(tmp_path: Path) -> None:
    game = changed(tmp_path / "own.py")
    first = simulate(str(game), 2, tmp_path / "study", bots=["random"], workers=1)
    again = simulate(TICTACTOE, 3, tmp_path / "study", bots=["random"], workers=1, resume=True)
    assert (again.manifest.source, again.manifest.matches) == (first.manifest.source, 3)


def test_a_study_that_failed_before_its_first_match_starts_again(tmp_path: Path) -> None:
    with pytest.raises(StudyError, match="no such card"):
        simulate("lcr", 20, tmp_path, metrics=[f"{FILE}:raising"], workers=1)
    assert simulate("lcr", 20, tmp_path, metrics=[], workers=1).manifest.metrics == ()


def test_a_worker_with_other_versions_is_an_error() -> None:
    with pytest.raises(StudyError, match=r"\btabletop .*\blcr .*\bold$"):
        _play(plain("lcr"), range(1), "old")


def test_two_programs_cannot_play_the_same_study(tmp_path: Path) -> None:
    with (
        lock_folder(tmp_path),
        pytest.raises(StudyError, match="another program"),
    ):
        simulate("lcr", 20, tmp_path, metrics=[], workers=1)
    assert not (tmp_path / "_study.json").exists()
    assert simulate("lcr", 20, tmp_path, metrics=[], workers=1).manifest.matches == 20


# Damaged files.


@pytest.fixture
def stored(tmp_path: Path) -> Study:
    return simulate("lcr", 40, tmp_path / "study", metrics=[f"{FILE}:kinds"], workers=1)


def test_a_file_that_overlaps_the_previous_one_counts_as_damaged(tmp_path: Path) -> None:
    study = simulate("lcr", 40, tmp_path / "study", metrics=[], workers=1)
    rows = [{name: row[name] for name in COLUMNS} for row in study.rows()]
    for file in study.folder.rglob("*.parquet"):
        file.unlink()
    for numbers in (range(20), range(20, 40)):
        study.write(numbers, [rows[it] for it in numbers], COLUMNS)
    assert study.table().num_rows == 40
    [last] = study.folder.rglob("matches-000000000020-*")
    last.unlink()
    study.write(range(19, 40), rows[19:], COLUMNS)
    with pytest.raises(StudyError, match="damaged"):
        study.table()


@pytest.mark.parametrize("harm", ["cut", "empty", "flipped", "gone", "another"])
def test_matches_of_a_damaged_file_are_played_again(stored: Study, harm: str) -> None:
    whole = stored.digest()
    file = max(stored.folder.rglob("*.parquet"), key=lambda path: path.stat().st_size)
    data = file.read_bytes()
    bad = {
        "cut": data[:-20],
        "empty": b"",
        "flipped": data[:300] + bytes([data[300] ^ 1]) + data[301:],
        "another": min(stored.folder.rglob("*.parquet")).read_bytes(),
    }
    if harm == "gone":
        file.unlink()
    else:
        file.write_bytes(bad[harm])
        with pytest.raises(StudyError, match=rf"{file.name}: .*\bdamaged\b"):
            stored.table()
    kinds = [f"{FILE}:kinds"]
    again = simulate("lcr", 40, stored.folder, metrics=kinds, workers=1, resume=True)
    assert again.digest() == whole


@pytest.mark.slow
def test_any_flipped_bit_in_a_file_is_detected(stored: Study) -> None:
    file = max(stored.folder.rglob("*.parquet"))
    data = file.read_bytes()
    for place in range(0, len(data), 37):
        file.write_bytes(data[:place] + bytes([data[place] ^ 4]) + data[place + 1 :])
        with pytest.raises(StudyError, match="damaged"):
            stored.table()


def test_a_file_with_matches_of_another_file_is_deleted(stored: Study) -> None:
    whole = stored.digest()
    name = "matches-000000000000-000000000001-00000000.parquet"
    (stored.folder / "000000" / name).write_bytes(b"")
    kinds = [f"{FILE}:kinds"]
    assert simulate("lcr", 40, stored.folder, metrics=kinds, resume=True).digest() == whole


def test_an_invalid_manifest_is_an_error(stored: Study) -> None:
    file = stored.folder / "_study.json"
    manifest = json.loads(file.read_text("utf-8"))
    for change in ({"format": "tabletop-study 99"}, {"matches": "many"}, {"bots": [1]}):
        file.write_text(json.dumps({**manifest, **change}), "utf-8")
        with pytest.raises(StudyError, match=re.escape(str(file))):
            Study(stored.folder)
    file.write_text("[]", "utf-8")
    with pytest.raises(StudyError, match=r"\bdescription\b") as caught:
        Study(stored.folder)
    assert "Manifest" not in str(caught.value)  # users do not know the class name
    file.write_text(json.dumps({**manifest, "game": "/tmp/evil.py"}), "utf-8")
    with pytest.raises(StudyError, match=r"'/tmp/evil\.py'.*'lcr'"):
        simulate("lcr", 40, stored.folder, metrics=[f"{FILE}:kinds"], resume=True)


def test_a_folder_without_a_manifest_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(StudyError, match=r"study\.json: .*No such file"):
        Study(tmp_path)


def test_a_folder_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("", "utf-8")
    with pytest.raises(StudyError, match=f"{file}: File exists"):
        simulate("lcr", 20, file, metrics=[], workers=1)
    with pytest.raises(StudyError, match="Not a directory"):
        simulate("lcr", 20, file / "study", metrics=[], workers=1)


# Failing metrics and rules.


@pytest.mark.parametrize(
    ("metric", "message"),
    [
        ("raising", r"'study 0': .*'no such card'.*own_metrics\.py, line \d+"),
        ("Deaf", r"'study 0': .*: heard nothing .*own_metrics\.py, line \d+"),
        ("lying", r"'study 0': .*\blying .*'many', .*\bint\b"),
        ("rounded", r"'study 0': .*\brounded .*\b0\.5, .*\bint\b"),
        ("whether", r"'study 0': .*\bwhether .*\bTrue, .*\bint\b"),
        ("numbered", r"\bnumbered .*\{1: 2\}, .*\bMapping\[str, int\]"),
        ("huge", r"'study 0' .*'study 0' .*: .*too large"),
        ("two", r"\btwo .*\(1, 2\), .*\btuple\[int, \.\.\.\] .*\b3 seats"),
        ("unsaid", r"\bannotation .*\bunsaid .*\bNone: .*\bint, float, str, "),
        ("other", r"\bannotation .*\bother .*\bdict\[str, int\]: .*\bint, float, str, "),
        ("unknown", r"\bunknown\b.*\bannotation .*'Nowhere'"),
        ("Empty", r"\bannotation .*\bEmpty\.value .*\bNone: .*\bint, float, str, "),
    ],
)
def test_a_failing_metric_is_reported_with_its_match(
    metric: str, message: str, tmp_path: Path
) -> None:
    with pytest.raises(StudyError, match=message):
        simulate("lcr", 20, tmp_path, metrics=[f"{FILE}:{metric}"], workers=1)


def test_a_metric_may_have_parameter_types_imported_for_type_checking_only() -> None:
    [row] = Series.of("lcr", metrics=[f"{FILE}:typed"]).play(range(1))
    assert row["typed"] == (1.0, 2, 3)


def test_failing_rules_are_reported_with_match_and_line(tmp_path: Path) -> None:
    change = ("        mark = cells", "        assert False\n        mark = cells")
    path = changed(tmp_path / "bad.py", change)
    message = r"match 0, seed 'study 0': ContractError: .*AssertionError.*bad\.py, line \d+"
    with pytest.raises(StudyError, match=message):
        simulate(str(path), 5, tmp_path / "study", workers=1, bots=["random"])


def test_matches_before_a_failure_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "metric.py"
    path.write_text(
        "def late(events) -> int:\n    return 1 // (len(events) < 120)\n", encoding="utf-8"
    )
    with pytest.raises(StudyError, match="ZeroDivisionError"):
        simulate("lcr", 500, tmp_path / "study", metrics=[f"{path}:late"], workers=1)
    assert Study(tmp_path / "study").table().num_rows > 0


@pytest.mark.parametrize(
    ("others", "message"),
    [
        ({"bots": ["search:2s"]}, r"'search:2s' .*\btime\b.*\bsearch:1000\b"),
        ({"bots": ["exec:/no/such"]}, "exec:/no/such: "),
        ({"bots": ["random"] * 3}, r"^3 bots .*\b2 seats: .*--rotate \(rotated=True\)"),
        ({"seats": 7}, "2"),
        ({"metrics": ["cards"]}, r"\bsorcery .*\bmetric 'cards'"),
        ({"metrics": [f"{FILE}:nothing"]}, r":nothing: .*\bfunction\b"),
    ],
)
def test_a_series_that_cannot_be_played_is_an_error(others: Any, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        Series.of("sorcery", **others)


def test_a_manifest_contains_everything_that_determines_the_matches() -> None:
    manifest = Manifest.of(plain("lcr", options={"course-seed": 784}), 100)
    assert manifest.difference(Manifest.of(plain("lcr", options={"course-seed": 784}), 200)) == ""
    other = Manifest.of(plain("lcr", seeds="others"), 100)
    assert re.match(r"seeds 'study', not 'others', options ", manifest.difference(other))


def test_batches_last_two_seconds_and_longer_in_long_studies_or_with_many_workers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = 0.0
    monkeypatch.setattr(sys.modules[play_missing.__module__], "monotonic", lambda: now)

    def seconds(workers: int, elapsed: float, each: float = 0.335) -> float:
        """Return the duration of a batch after some seconds of play, if a match takes `each`
        seconds.
        """
        nonlocal now
        now = 0.0
        plan = _Plan([range(10**9)], workers)
        now = elapsed
        size = 1
        for _ in range(10):
            plan.learn(size, size * each)
            size = len(batch.numbers) if (batch := plan.cut()) else 0
        return size * each

    assert seconds(2, 10) == pytest.approx(2, abs=0.4)
    assert seconds(2, 1000) == pytest.approx(10, abs=0.4)
    assert seconds(2, 100_000) == pytest.approx(60, abs=0.4)
    assert seconds(1000, 10) == pytest.approx(80, abs=0.4)
    assert seconds(1000, 100_000) == pytest.approx(600, abs=0.4)
    assert seconds(2, 100_000, each=0.0002) == pytest.approx(
        4
    )  # 20,000 matches, the limit for the memory


def test_the_growth_of_batches_is_limited() -> None:
    plan = _Plan([range(100)], 1)
    assert plan.cut() == (range(1), 0)
    plan.learn(1, 1e-9)
    assert plan.cut() == (range(1, 9), 0)
    plan.learn(8, 60.0)
    assert plan.cut() == (range(9, 10), 0)


def counted(
    monkeypatch: pytest.MonkeyPatch, results: Sequence[tuple[float, int]]
) -> list[Progress]:
    """Return the reported progress if results arrive at the given seconds."""
    times = iter([0.0, *(at for at, _ in results)])
    monkeypatch.setattr("tabletop.studies.simulating.monotonic", lambda: next(times))
    reported: list[Progress] = []
    count = Count(1000, reported.append)
    for _, matches in results:
        count.add(matches)
    return reported


def test_the_rate_is_not_reported_in_the_first_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    reported = counted(monkeypatch, [(4.0, 1), (4.1, 1), (8.9, 8)])
    assert [it.rate for it in reported] == [0.0] * 4
    assert reported[-1].seconds_left == float("inf")


def test_the_rate_leaves_out_the_start_of_the_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    last = counted(monkeypatch, [(20.0, 10), (30.0, 100)])[-1]
    assert last.rate == 10.0
    assert last.seconds_left == 89.0


def test_the_rate_of_slow_matches_is_reported_with_the_first_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert counted(monkeypatch, [(50.0, 5)])[-1].rate == 0.1


def test_two_late_results_close_together_keep_the_rate(monkeypatch: pytest.MonkeyPatch) -> None:
    late = counted(monkeypatch, [(50.0, 5), (100.0, 5), (100.1, 5)])[-1]
    assert late.rate == pytest.approx(0.2, abs=0.01)


@pytest.mark.slow
@pytest.mark.parametrize("use_dictionary", [True, False])
def test_a_small_file_that_unpacks_to_a_lot_is_an_error(
    tmp_path: Path, use_dictionary: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    study = simulate("lcr", 100, tmp_path, metrics=[], workers=1)
    for file in tmp_path.rglob("*.parquet"):
        file.unlink()
    most = 1 << 22
    monkeypatch.setattr(store, "MOST_UNPACKED", most)
    text = "x" * (2 * most // 100)
    written = BytesIO()
    table = pa.table({"seed": pa.array([text] * 100)})
    pq.write_table(table, written, compression="zstd", use_dictionary=use_dictionary)
    data = written.getvalue()
    assert len(data) < most // 100
    name = f"matches-{0:012}-{99:012}-{crc32(data):08x}.parquet"
    (tmp_path / "000000" / name).write_bytes(data)
    with pytest.raises(StudyError, match=rf"{name}: .*\btoo large\b"):
        study.table(["seed"])
