"""A report contains the statistics of its rows, and treats all text as untrusted."""

from __future__ import annotations

import json
import random
import re
import shlex
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from statistics import fmean
from typing import Any

import markdown
import pytest

from tabletop.errors import UsageError
from tabletop.records import read, replay
from tabletop.registry import load
from tabletop.studies import (
    COLUMNS,
    Manifest,
    Row,
    Series,
    Study,
    StudyError,
    report,
    report_sections,
    simulate,
    wilson,
)
from tabletop.studies import report_page as reports
from tabletop.studies.page import curves
from tests.tabletop.cli.program import TICTACTOE, changed, refused, shown
from tests.tabletop.told import tells

KINDS = {
    "rounds": int,
    "heat": float,
    "opening": str,
    "income": tuple[int, ...],
    "found": Mapping[str, int],
    "cards": tuple[Mapping[str, int], ...],
}
CARDS = ["Axe", "Bell", "Coin", "Dart", "Egg"]
GOLDEN = Path(__file__).with_name("report.md")


def rows_of(matches: int, seats: int = 2) -> list[Row]:
    """Return generated rows in which the name Coin helps to win and Bell has no effect."""
    chance, rows = random.Random(7), list[Row]()
    for number in range(matches):
        cards = [
            {card: chance.randint(1, 3) for card in CARDS if chance.random() < 0.6} for _ in "ab"
        ]
        cards += [{} for _ in range(seats - 2)]
        strong = [seat for seat in range(seats) if "Coin" in cards[seat]]
        winner = chance.choice(strong or range(seats))
        is_tie = chance.random() < 0.1
        row = {
            "seed": f"made {number}",
            "players": ("plain",) * seats,
            "winners": () if is_tie else (winner,),
            "points": tuple(float(seat == winner) * chance.randint(5, 9) for seat in range(seats)),
            "plies": chance.randint(20, 60) + 10 * winner,
            "reason": "tired" if is_tie else "won",
            "rounds": chance.randint(1, 6),
            "heat": None if is_tie else round(chance.random(), 3),
            "opening": None if number % 4 == 0 else chance.choice(["quiet", "sharp"]),
            "income": tuple(chance.randint(0, 9) + 2 * (seat == winner) for seat in range(seats)),
            "found": {} if is_tie else {"gold": number % 3 + 1},
            "cards": tuple(cards),
        }
        rows.append(row)
    return rows


def made(
    folder: Path,
    rows: Sequence[Row],
    kinds: Mapping[str, Any] = KINDS,
    *,
    size: int = 50,
    **settings: Any,
) -> Study:
    """Make a study with the given rows, in files of a few matches each."""
    words: dict[str, Any] = {"seeds": "made", "seats": 2, "bots": ("plain",), "rotated": False}
    words |= {"options": {"fast": True, "hands": 3}, "plies": 100_000, "metrics": tuple(kinds)}
    words |= {"measured": {name: (name, f"The {name} of a match.") for name in kinds}, **settings}
    manifest = Manifest("made", "1", "0.1.0", len(rows), **words)
    folder.mkdir(exist_ok=True)
    (folder / "_study.json").write_text(json.dumps(asdict(manifest)), "utf-8")
    study = Study(folder)
    names = [*COLUMNS, *kinds]
    for first in range(0, len(rows), size):
        part = [{name: row[name] for name in names} for row in rows[first : first + size]]
        study.write(range(first, first + len(part)), part, {**COLUMNS, **kinds})
    return study


def text_of(study: Study) -> str:
    """Return the Markdown of a report, after checking that its HTML is valid."""
    page, text, *pictures = report(study)
    html = page.read_text("utf-8")
    assert "nan" not in re.sub(r"[^<>]*nan[^<>]*wins", "", html.lower())
    assert not re.search(r"(?:src|href)=.(?!#)", html)
    assert html.count("<svg") == len(pictures)
    assert "<!DOCTYPE svg" not in html
    return text.read_text("utf-8")


def lines_of(text: str, heading: str) -> dict[str, list[str]]:
    """Return the table cells below a heading, by the first cell of the row."""
    section = text.split(f"\n## {heading}\n")[1].split("\n## ", maxsplit=1)[0]
    rows = [line[2:-2].split(" | ") for line in section.splitlines() if line.startswith("| ")]
    return {row[0].strip(): row[1:] for row in rows}


def percent(text: str) -> float:
    return float(text.split("%", maxsplit=1)[0]) / 100


def number(text: str) -> float:
    return float(text.split(" ", maxsplit=1)[0].replace(",", ""))


@pytest.fixture
def text() -> str:
    """The report of `rows_of(400)`, which `test_a_report_equals_the_golden_file` checks."""
    return GOLDEN.read_text("utf-8")


@pytest.fixture
def undrawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Replace figures by empty ones, because drawing takes most of the time of a report."""
    monkeypatch.setattr("tabletop.studies.page._draw_svg", lambda draw, height: "<svg></svg>")


@pytest.fixture
def study(tmp_path: Path) -> Study:
    return made(tmp_path / "study", rows_of(60), {"cards": KINDS["cards"]})


@pytest.mark.slow
def test_a_report_equals_the_golden_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    made(Path("study"), rows_of(400))
    assert shown("report", "study", "-o", "report.md") == "report.md\n"
    assert Path("report.md").read_text("utf-8") == GOLDEN.read_text("utf-8")


def test_win_rates_lengths_and_points_equal_those_of_the_rows(text: str) -> None:
    rows = rows_of(400)
    for seat in (0, 1):
        won = sum(seat in row["winners"] for row in rows)
        cells = lines_of(text, "Wins by seat")[f"seat {seat + 1} (plain)"]
        low, high = wilson(won, 400)
        assert cells[:2] == ["400", f"{won / 400:.2%} ({low:.2%} to {high:.2%})"]
    apart = fmean((0 in row["winners"]) - (1 in row["winners"]) for row in rows if row["winners"])
    assert percent(lines_of(text, "Wins by seat")["seat 1 (plain)"][2]) == pytest.approx(
        apart, abs=1e-4
    )
    ties = sum(not row["winners"] for row in rows)
    assert lines_of(text, "Endings")["tired"][:2][0] == str(ties)
    plies = sorted(row["plies"] for row in rows)
    [least, *_, most, mean, _] = lines_of(text, "Length in plies")[str(plies[0])][-8:]
    assert most == str(plies[-1])
    assert number(mean) == pytest.approx(fmean(plies), abs=0.1)
    assert least == str(plies[19])  # 5 percent
    when = lines_of(text, "Length in plies")["won by seat 1 (plain)"]
    yes = fmean(row["plies"] for row in rows if row["winners"] == (0,))
    no = fmean(row["plies"] for row in rows if row["winners"] != (0,))
    assert number(when[0]) == pytest.approx(yes, abs=0.1)
    assert number(when[2]) == pytest.approx(yes - no, abs=0.1)
    points = [row["points"][seat] for row in rows for seat in row["winners"]]
    assert number(lines_of(text, "Points")["winners"][0]) == pytest.approx(fmean(points), abs=0.01)


def test_metrics_by_seat_and_by_name_equal_those_of_the_rows(text: str) -> None:
    rows = rows_of(400)
    apart = [
        row["income"][row["winners"][0]] - row["income"][1 - row["winners"][0]]
        for row in rows
        if row["winners"]
    ]
    cells = lines_of(text, "income")["winners vs. other seats"]
    assert number(cells[0]) == pytest.approx(fmean(apart), abs=0.01)
    for card in CARDS:
        seats = [(row, seat) for row in rows for seat in (0, 1) if card in row["cards"][seat]]
        has, mean, rate, against = lines_of(text, "cards")[card]
        wins = fmean(seat in row["winners"] for row, seat in seats)
        assert int(has) == len(seats)
        assert percent(rate) == pytest.approx(wins, abs=1e-4)
        assert number(mean) == pytest.approx(fmean(r["cards"][s][card] for r, s in seats), abs=0.01)
        decided = [
            r for r in rows if r["winners"] and (card in r["cards"][0]) != (card in r["cards"][1])
        ]
        within = fmean(1 if card in row["cards"][row["winners"][0]] else -1 for row in decided)
        assert percent(against) == pytest.approx(within, abs=1e-4)
    sharp = [row for row in rows if row["opening"] == "sharp"]
    cells = lines_of(text, "opening")["sharp"]
    assert cells[0] == str(len(sharp))
    assert percent(cells[2]) == pytest.approx(fmean(0 in row["winners"] for row in sharp), abs=1e-4)
    gold = [row["found"]["gold"] for row in rows if row["found"]]
    assert number(lines_of(text, "found")["gold"][2]) == pytest.approx(fmean(gold), abs=0.01)


@pytest.mark.usefixtures("undrawn")
@pytest.mark.slow
def test_a_name_of_nearly_all_seats_is_compared_by_its_count_per_winner(tmp_path: Path) -> None:
    chance, rows = random.Random(7), rows_of(300, 3)
    for row in rows:
        ore = [chance.randint(0, 9) + 2 * (seat in row["winners"]) for seat in range(3)]
        row["haul"] = tuple({"ore": number, "dust": 1} for number in ore)
    text = text_of(made(tmp_path, rows, {"haul": KINDS["cards"]}, seats=3))
    apart = []
    for row in rows:
        for winner in row["winners"]:
            ore = [names["ore"] for names in row["haul"]]
            apart.append(ore[winner] - (sum(ore) - ore[winner]) / 2)
    lines = lines_of(text, "haul")
    assert number(lines["ore"][3]) == pytest.approx(fmean(apart), abs=0.01)
    assert lines["dust"][3].strip() in {"", "0 (0 to 0)"}
    assert "| haul | ore: count per winner | +" in text


def test_only_names_that_affect_wins_are_significant(text: str) -> None:
    lines = [line for line in text.splitlines() if line.startswith("| cards |")]
    assert any(line.startswith("| cards | Coin | +100.00%") for line in lines)
    assert not any("Bell" in line for line in lines)


def test_points_are_not_compared(text: str) -> None:
    assert "\n| Points | " not in text
    assert "winners vs. other seats" not in lines_of(text, "Points")
    assert "winners vs. other seats" in lines_of(text, "income")


@pytest.mark.usefixtures("undrawn")
@pytest.mark.slow
def test_random_data_has_no_significant_differences(tmp_path: Path) -> None:
    # With rare names and many seats, a normal approximation would find many significant
    # differences.
    chance, rows = random.Random(7), rows_of(2000, 11)
    for row in rows:
        row["winners"] = (chance.randrange(11),)
        row["cards"] = tuple({f"card {chance.randrange(150)}": 1} for _ in range(11))
    study = made(tmp_path, rows, {"cards": KINDS["cards"]}, seats=11, size=2000)
    section = reports._read(study)[2][-1]
    list(section.blocks())
    by_chance = [it.apart.p < 0.05 for it in section.compared]
    assert len(by_chance) > 100
    assert sum(by_chance) < 0.08 * len(by_chance)
    assert "| cards |" not in report(study, tmp_path / "report.md")[0].read_text("utf-8")


@pytest.mark.usefixtures("undrawn")
def test_batches_of_any_size_give_the_same_page(
    study: Study, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = report(study, tmp_path / "report.md")[0].read_text("utf-8")
    monkeypatch.setattr(reports, "_CHUNK", 7)
    assert report(study, tmp_path / "report.md")[0].read_text("utf-8") == whole


HOSTILE = (
    "<script>alert(1)</script>|`![x](http://evil.example/x)` $\\frac$ *a* _b_"
    " {: onclick=x}\n# \x1b[2J"
)


@pytest.mark.slow
def test_untrusted_text_is_escaped(tmp_path: Path) -> None:
    rows = rows_of(60)
    for row in rows:
        row["players"], row["reason"], row["opening"] = (HOSTILE, "b"), HOSTILE, HOSTILE
        row["cards"] = ({HOSTILE: 1}, {})
        row["seed"] = HOSTILE
    kinds = {"opening": str, "cards": KINDS["cards"], HOSTILE: int}
    rows = [{**row, HOSTILE: 1} for row in rows]
    settings: dict[str, Any] = {
        "bots": (HOSTILE, "b"),
        "seeds": HOSTILE,
        "options": {HOSTILE: HOSTILE, "@": "@x"},
    }
    study = made(tmp_path, rows, kinds, **settings, source=HOSTILE)
    text = text_of(study)
    for page in (
        (tmp_path / "_report.html").read_text("utf-8"),
        markdown.markdown(text, extensions=["tables", "attr_list", "fenced_code"]),
    ):
        tags = set(re.findall(r"<(\w+)", page))
        assert tags.isdisjoint({"script", "a", "em", "strong"})
        assert "evil.example/x)" in page
        assert not re.search(r"<[^>]*(?:onclick|evil)", page)
        assert "\x1b" not in page
    assert len(re.findall("^#", text, re.MULTILINE)) == text.count("\n## ") + 1
    for picture in tmp_path.glob("*.svg"):
        assert "<script" not in picture.read_text("utf-8")


def plain(winners: tuple[int, ...], seats: int, points: tuple[float, ...] = ()) -> Row:
    row: Row = {"seed": "made 0", "players": ("plain",) * seats, "winners": winners}
    return {**row, "points": points, "plies": 9, "reason": "over"}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rows", "seats"),
    [
        ([plain((0,), 2)], 2),
        ([plain((), 2)] * 100, 2),
        ([plain((0, 1), 2, (1.0, 1.0))] * 100, 2),
        ([plain((place % 11,), 11) for place in range(200)], 11),
        ([plain((0,), 1, (4.0,))] * 50, 1),
        ([plain((0,), 3, (1.0, 0.0, -2.5))] * 50, 3),
    ],
    ids=["one", "nobody", "both", "eleven", "alone", "same"],
)
def test_any_study_gives_a_valid_page(tmp_path: Path, rows: list[Row], seats: int) -> None:
    text = text_of(made(tmp_path, rows, {}, seats=seats))
    assert f"| seat {seats} (plain) | " in text
    assert ("## Points" in text) == bool(rows[0]["points"])
    assert "nan" not in text.replace("plain", "")


@pytest.mark.usefixtures("undrawn")
@pytest.mark.slow
@pytest.mark.parametrize("matches", [1, 20])
def test_a_few_matches_give_no_comparisons(tmp_path: Path, matches: int) -> None:
    text = text_of(
        made(tmp_path, rows_of(matches), {name: KINDS[name] for name in ("heat", "cards")})
    )
    assert "\n0 of the 0 " in text
    assert lines_of(text, "Wins by seat")["seat 2 (plain)"][0] == str(matches)


@pytest.mark.slow
def test_numbers_that_are_too_large_to_be_squared_have_no_interval(tmp_path: Path) -> None:
    rows = [{**row, "heat": 1e200 * (number + 1)} for number, row in enumerate(rows_of(60))]
    text = text_of(made(tmp_path, rows, {"heat": float}))
    assert [*lines_of(text, "heat").values()][-1][-2:] == ["3.05e+201", "60"]


BOTH = ("strong", "weak")


def rotated(tmp_path: Path, chance: random.Random, lucky: float) -> dict[str, list[str]]:
    """Return the win rates of a rotated study in which the seat alone decides some seeds."""
    rows = []
    for _ in range(200):
        seat = chance.randrange(2) if chance.random() < lucky else None
        for first in (0, 1):
            players = (BOTH[first], BOTH[1 - first])
            winner = seat
            if winner is None:
                winner = players.index("strong" if chance.random() < 0.6 else "weak")
            rows.append({**plain((winner,), 2), "players": players})
    study = made(tmp_path, rows, {}, size=51, bots=BOTH, rotated=True)
    text = text_of(study)
    return lines_of(text, "Wins by seat") | lines_of(text, "Wins by bot")


@pytest.mark.usefixtures("undrawn")
def test_matches_with_a_common_seed_count_once_for_effects_of_the_seed(tmp_path: Path) -> None:
    cells = rotated(tmp_path, random.Random(7), 1.0)
    wins = percent(cells["seat 1"][1].split()[0])
    worth = 199 * (1.959964 / 1.971957) ** 2  # of 200 seeds, not of 400 matches, with Student's t
    low, high = wilson(wins * worth, worth)
    assert cells["seat 1"][1] == f"{wins:.2%} ({low:.2%} to {high:.2%})"
    assert cells["strong"][1].startswith("50.00% (")
    assert cells["strong"][2].startswith("+0.00% (")  # each bot wins each seed once
    assert percent(cells["strong"][2].split("(")[1].split()[0]) == 0


@pytest.mark.slow
@pytest.mark.usefixtures("undrawn")
def test_intervals_of_rotated_studies_hold_the_truth_95_times_in_100(tmp_path: Path) -> None:
    chance, held, tries = random.Random(7), Counter[str](), 60
    for number in range(tries):
        cells = rotated(tmp_path / str(number), chance, 0.5)
        for name, column, truth in (("seat 1", 1, 50), ("strong", 1, 55), ("strong", 2, 10)):
            low, high = re.findall(r"[-+.\d]+(?=%)", cells[name][column])[1:3]
            held[f"{name} {column}"] += float(low) <= truth <= float(high)
    assert all(0.89 * tries < it <= tries for it in held.values()), held


@pytest.mark.slow
def test_many_distinct_numbers_are_binned_over_their_range(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(report_sections, "_MOST_NUMBERS", 1000)
    chance = random.Random(7)
    rows = [{**plain((0,), 2), "heat": chance.gauss(100, 10)} for _ in range(5000)]
    lines = lines_of(text_of(made(tmp_path, rows, {"heat": float}, size=500)), "heat")
    values = sorted(row["heat"] for row in rows)
    [(least, cells)] = [it for it in lines.items() if it[0][0].isdigit()]
    assert float(least) == pytest.approx(values[0], abs=0.1)
    assert number(cells[2]) == pytest.approx(values[2499], abs=0.5)
    assert number(cells[6]) == pytest.approx(fmean(values), abs=0.5)


@pytest.mark.usefixtures("undrawn")
def test_too_many_names_are_counted_together(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(report_sections, "_MOST_NAMES", 10)
    rows = [{**plain((0,), 2), "opening": f"o{number}"} for number in range(50)]
    cells = lines_of(text_of(made(tmp_path, rows, {"opening": str})), "opening")
    assert cells["(others)"][0] == "40"
    assert len(cells) == 10 + 1 + 2


@pytest.mark.usefixtures("undrawn")
@pytest.mark.slow
def test_the_commands_on_a_page_reproduce_it(tmp_path: Path) -> None:
    options = {"patience": 4}
    study = simulate(
        "sorcery", 6, tmp_path / "a", bots=["duelist", "random"], workers=1, seeds="it's",
        options=options, rotated=True, metrics=["turns"],
    )  # fmt: skip
    text = report(study, tmp_path / "report.md")[0].read_text("utf-8")
    play, again, *_ = (
        shlex.split(it)[1:] for it in text.splitlines() if it[:12] == " " * 4 + "tabletop"
    )
    shown(*play[:-1], "--record", tmp_path / "r.jsonl")
    match = replay(read(tmp_path / "r.jsonl"), load("sorcery").game)
    assert match.ply == max(row["plies"] for row in study.rows())
    shown(*again[:-1], tmp_path / "b", "--workers", "1")
    other = Study(tmp_path / "b")
    assert (other.manifest, other.digest()) == (study.manifest, study.digest())


@pytest.mark.usefixtures("undrawn")
@pytest.mark.slow
def test_a_metric_from_a_file_is_described_and_named_on_the_page(tmp_path: Path) -> None:
    source = (
        "def moves(events) -> int:\n    '''Events, all.\n\n    More.'''\n    return len(events)\n"
    )
    path = changed(tmp_path / "own.py")
    path.write_text(path.read_text("utf-8") + "\n\n" + source, "utf-8")
    study = simulate(str(path), 3, tmp_path / "study", workers=1, metrics=[f"{path}:moves"])
    text = text_of(study)
    assert "\n## moves\n\nEvents, all.\n" in text
    assert f"--metric {path}:moves" in text
    assert f"tabletop play {path} " in text


def test_a_study_whose_rows_do_not_fit_its_manifest_is_an_error(tmp_path: Path) -> None:
    made(tmp_path, [plain((4,), 5)], {}, seats=3)
    message = refused("report", tmp_path, status=1)
    assert re.search(r"invalid matches of made: index 4 is out of bounds", message), message


def test_a_study_without_matches_has_no_report(tmp_path: Path) -> None:
    study = made(tmp_path, [], {})
    with pytest.raises(StudyError, match="no matches"):
        report(study)


# Matplotlib looks for fonts at its first plot, which is slow.
@pytest.mark.slow
def test_a_report_is_written_as_html_or_markdown(study: Study, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"report\.pdf: .*\.html .*\.md"):
        report(study, tmp_path / "report.pdf")
    with pytest.raises(StudyError, match=r"nowhere.*No such file or directory"):
        report(study, tmp_path / "nowhere" / "report.html")
    assert "_study.json" in refused("report", tmp_path, status=1)


@pytest.mark.usefixtures("undrawn")
def test_parquet_readers_skip_the_report_in_the_folder_of_a_study(study: Study) -> None:
    from pyarrow.parquet import read_table  # like pandas

    report(study)
    assert read_table(study.folder).equals(study.table())


def test_the_command_for_a_game_that_is_not_installed_names_all_metrics() -> None:
    manifest = Manifest.of(Series.of(TICTACTOE, ["random"], metrics=[]), 3)
    assert reports._simulate_words(manifest, None)[-2:] == ["--metric", "none"]


@pytest.mark.parametrize("library", ["matplotlib", "pyarrow"])
def test_a_report_without_its_libraries_names_the_extra(
    study: Study, library: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    output = refused("report", study.folder, status=1)
    assert tells(output, f"{library} ... 'tabletop-rules[studies]'")


def test_a_report_names_all_missing_libraries(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("tabletop.host.extras.find_spec", lambda name: None)
    output = refused("report", "nowhere", status=1)
    assert "numpy, pyarrow and matplotlib: pip install " in output


# Matplotlib looks for fonts at its first plot, which is slow.
@pytest.mark.slow
def test_curves_are_labelled_and_reproducible() -> None:
    rows = [(0.0, 50.0, 40.0, 60.0), (10.0, 70.0, 60.0, 80.0)]
    lines = {"random": rows, "<fair>": rows}
    drawn = curves(lines, 50, "choices", "% of the points")
    for words in ("random", "&lt;fair&gt;", "choices", "% of the points"):
        assert f">{words}</text>" in drawn
    assert curves(lines, 50, "choices", "% of the points") == drawn
