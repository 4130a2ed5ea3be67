"""A page about a study: who wins, how long it takes, every metric, and what is no accident.

The matches are read in parts: a report of a million of them takes no more memory than one of a
thousand. What stands in a study may be somebody else's: nothing of it is run.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from contextlib import suppress
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tabletop.host.extras import require

require("a report", "studies", "numpy")

import numpy as np

from tabletop.errors import RegistryError, UsageError
from tabletop.host.user_files import write_text
from tabletop.records.replay_command import spelled
from tabletop.registry import Plugin, is_for_command_line, load_installed
from tabletop.studies.page import (
    Block,
    Command,
    Figure,
    Heading,
    TextTable,
    as_html,
    as_markdown,
)
from tabletop.studies.series import COLUMNS, MOST_PLIES, TOGETHER, Row, StudyError, metrics_of
from tabletop.studies.statistics import (
    holm,
)
from tabletop.studies.store import Manifest, Study, name_in_errors

if TYPE_CHECKING:
    import pyarrow as pa
from tabletop.studies.report_sections import (
    CERTAIN,
    POINTS,
    SIGNIFICANT,
    Comparison,
    Groups,
    Measure,
    Part,
    SeatMeasure,
    Section,
    Wins,
    unpack_lists,
)

_CHUNK: Final = 1 << 16  # so many matches are looked at at once


def report(study: Study, output: Path | str | None = None) -> tuple[Path, ...]:
    """Write a page about a study, and return the files that were written.

    Args:
        study: the study; the page is about those of its matches that have been played.
        output: `FILE.html`, which has all in itself, or `FILE.md`, which has its pictures beside
            it; by default both, as `_report.html` and `_report.md` in the folder of the study:
            what reads Parquet passes names with a `_` over.

    Raises:
        StudyError: no match has been played, the study is damaged, or a file cannot be written.
        UsageError: the name of the file ends otherwise.
    """
    outputs = [study.folder / "_report.html", study.folder / "_report.md"]
    if output is not None:
        outputs = [Path(output)]
    if outputs[0].suffix not in {".html", ".md"}:
        raise UsageError(f"{outputs[0]}: a report is FILE.html or FILE.md")
    title, blocks = _contents(study, [] if output is None else ["-o", str(output)])
    pictures = [it.svg for it in blocks if isinstance(it, Figure)]
    written: dict[Path, str] = {}
    for file in outputs:
        if file.suffix == ".html":
            written[file] = as_html(title, blocks)
        else:
            beside = [file.with_name(f"{file.stem}-{n}.svg") for n in range(1, len(pictures) + 1)]
            written[file] = as_markdown(title, blocks, [it.name for it in beside])
            written |= zip(beside, pictures, strict=True)
    for file, text in written.items():
        with name_in_errors(file):
            write_text(str(file), text)
    return tuple(written)


def _contents(study: Study, words: Sequence[str]) -> tuple[str, list[Block]]:
    """Return the title of the page, and what stands on it; the words are those of the command."""
    manifest = study.manifest
    plugin: Plugin | None = None
    with suppress(RegistryError):  # the game need not be installed where the report is made
        plugin = load_installed(manifest.game)
    told: list[Block] = []
    try:
        with np.errstate(all="ignore"):  # of a number too large for a square
            matches, longest, sections = _read(study)
            for section in sections:
                if blocks := list(section.blocks()):
                    purpose = [section.purpose] if section.purpose else []
                    told += [Heading(section.title), *purpose, *blocks]
        again = shlex.join(_play_words(longest, manifest, plugin))
    except (ArithmeticError, AttributeError, LookupError, RuntimeError, TypeError, ValueError) as e:
        raise StudyError(f"{study.folder}: no matches of {manifest.game}: {e}") from e
    title = (plugin and plugin.game.title) or manifest.game
    return f"{title}: {matches:,} match{'es' if matches != 1 else ''}", [
        *_say_what_was_played(manifest, matches),
        *_significant([it for section in sections for it in section.compared]),
        *told,
        Heading("The longest match"),
        f"It takes {longest['plies']:,} plies. This plays it again, to be looked at:",
        Command(again),
        Heading("How this was made"),
        "These commands play the study, and write this report:",
        Command(shlex.join([*_simulate_words(manifest, plugin), "-o", str(study.folder)])),
        Command(shlex.join(["tabletop", "report", str(study.folder), *words])),
    ]


def _say_what_was_played(manifest: Manifest, matches: int) -> Iterator[Block]:
    """Say what was played."""
    whole = "" if matches == manifest.matches else f" of {manifest.matches:,}: not yet all"
    times = f", each {len(manifest.bots)} times" if manifest.rotated else ""
    order = "; each moves on by a seat from match to match" if manifest.rotated else ""
    options = (f"{name}={spelled(it)}" for name, it in manifest.options.items() if it is not None)
    about = {
        "game": f"{manifest.game}, version {manifest.version} of its rules",
        "program": f"tabletop {manifest.program}",
        "matches": f"{matches:,}{whole}",
        "seeds": f"{manifest.seeds} 0, {manifest.seeds} 1, ...{times}",
        "seats": str(manifest.seats),
        "bots": ", ".join(manifest.bots) + order,
        "options": ", ".join(options) or "none",
    }
    yield Heading("What was played")
    yield TextTable(["", ""], list(about.items()), texts=2)


def _play_words(row: Row, manifest: Manifest, plugin: Plugin | None) -> list[str]:
    """Return the command that plays a match again."""
    words = ["tabletop", "play", manifest.source or manifest.game, "--seed", row["seed"]]
    words += ["--seats", str(manifest.seats)]
    for seat, bot in enumerate(row["players"], 1):
        words += ["--bot", f"{seat}={bot}"]
    return [*words, *_option_words(manifest, plugin), "--no-record"]


def _simulate_words(manifest: Manifest, plugin: Plugin | None) -> list[str]:
    """Return the command that plays the matches of a study."""
    words = ["tabletop", "simulate", manifest.source or manifest.game, "-n", str(manifest.matches)]
    apart = any(map(is_for_command_line, manifest.bots))
    # Commands and names of files may have commas in them: each is an argument of its own then.
    for bots in manifest.bots if apart else [",".join(manifest.bots)]:
        words += ["--bots", bots]
    words += ["--seats", str(manifest.seats), "--seeds", manifest.seeds]
    words += ["--rotate"] if manifest.rotated else []
    words += ["--plies", str(manifest.plies)] if manifest.plies != MOST_PLIES else []
    places = [manifest.measured.get(name, (name, ""))[0] for name in manifest.metrics]
    if plugin is None or places != [*metrics_of(plugin)]:
        words += ["--metric", *(places or ["none"])]
    return [*words, *_option_words(manifest, plugin)]


def _option_words(manifest: Manifest, plugin: Plugin | None) -> Iterator[str]:
    """Yield the words that set those options that are not as they would be anyway."""
    usual = {} if plugin is None else {it.name: it.default for it in plugin.game.options}
    for name, value in manifest.options.items():
        if value is not None and value != usual.get(name):
            yield from ("--option", f"{name}={spelled(value)}")


def _significant(compared: Sequence[Comparison]) -> Iterator[Block]:
    """Correct all probabilities, and say which differences are no accident."""
    for it, corrected in zip(compared, holm([it.apart.p for it in compared]), strict=True):
        it.corrected = float(corrected)
    differ = (it for it in compared if it.corrected < SIGNIFICANT)
    found = sorted(differ, key=lambda it: max(it.apart.p, CERTAIN))
    yield Heading("What is significant")
    yield (
        f"Of {len(compared):,} comparisons on this page {len(found):,}"
        f" {'is' if len(found) == 1 else 'are'} significant. Their p is the chance of a difference"
        " so large, or larger, if in truth there is none. It is corrected by the method of Holm, so"
        " that of many comparisons few are significant by chance: the chance that even one of them"
        " is an accident is below 5%. In brackets are 95% intervals."
    )
    yield (
        "Who wins is compared with the others in the same match, as a difference of win rates; a"
        " number with other matches, or with the other seats. What was seen too seldom is not"
        " compared."
    )
    if found:
        rows = [(it.where, it.what, it) for it in found]
        yield TextTable(["in", "what", "difference"], rows, texts=2)


def _read(study: Study) -> tuple[int, Row, list[Section]]:
    """Read all matches; return their number, the longest one, and the sections of the page."""
    matches, longest, sections, best = 0, Row(plies=-1), list[Section](), 0.0
    each_seed = len(study.manifest.bots) if study.manifest.rotated else 1
    for read in _batches(study, _CHUNK // each_seed * each_seed):
        sections = sections or list(_sections(read.schema, study.manifest))
        batch = _as_one(read) if study.manifest.cooperative else read
        match, winners = unpack_lists(batch.column("winners"))
        cluster = np.arange(batch.num_rows) // each_seed
        seats = 1 if study.manifest.cooperative else study.manifest.seats
        part = Part(batch, np.zeros((batch.num_rows, seats), dtype=np.bool_), cluster)
        part.won[match, np.asarray(winners)] = True
        for section in sections:
            section.add(part)
        at = int(np.argmax(batch.column("plies")))
        [row] = batch.slice(at, 1).select(["plies", "seed", "players"]).to_pylist()
        longest = max(longest, row, key=itemgetter("plies"))
        matches += batch.num_rows
        if study.manifest.cooperative:
            best = max(best, *(it or 0.0 for it in batch.column("best").to_pylist()))
    if not matches:
        raise StudyError(f"{study.folder}: no match has been played")
    for section in sections:
        if section.column == POINTS and best:
            section.title = f"Points of {best:g}"
    return matches, longest, sections


def _as_one(batch: pa.RecordBatch) -> pa.RecordBatch:
    """Return the matches with all seats, which win or lose together, as one."""
    import pyarrow as pa

    for name in ("winners", POINTS):
        column = batch.column(name)
        first = pa.array([it[:1] for it in column.to_pylist()], type=column.type)
        batch = batch.set_column(batch.schema.get_field_index(name), name, first)
    return batch


def _batches(study: Study, size: int) -> Iterator[pa.RecordBatch]:
    """Yield the matches in order, so many at a time: a batch ends where a seed does."""
    import pyarrow as pa

    rest: pa.Table | None = None
    for read in study.tables():
        table = read if rest is None else pa.concat_tables([rest, read])
        whole = table.num_rows // size * size
        yield from table.slice(0, whole).combine_chunks().to_batches(max_chunksize=size)
        rest = table.slice(whole)
    if rest is not None and rest.num_rows:
        yield from rest.combine_chunks().to_batches(max_chunksize=size)


def _sections(schema: pa.Schema, manifest: Manifest) -> Iterator[Section]:
    """Yield the sections of the page: one of each column that tells something."""
    from pyarrow import types

    bots, seats = manifest.bots, range(manifest.seats)
    named = ["" if manifest.rotated else f" ({bots[seat % len(bots)]})" for seat in seats]
    labels, rotated = [f"seat {seat + 1}{named[seat]}" for seat in seats], manifest.rotated
    if manifest.cooperative:
        labels = ["all together"]
    yield Wins("Who wins", "", labels, rotated)
    if (
        not manifest.cooperative
        and len(set(bots)) > 1
        and (manifest.rotated or len(set(bots)) < len(seats))
    ):
        yield Wins("Which bot wins", "players", labels, rotated)
    yield Groups("How it ended", "reason", labels, rotated)
    yield Measure("Length in plies", "plies", labels, rotated)
    yield SeatMeasure(
        "Points", POINTS, labels, rotated, "Points are part of the outcome, and are not compared."
    )
    for name in schema.names[len(COLUMNS) + len(TOGETHER) * manifest.cooperative :]:
        kind = schema.field(name).type
        section: type[Section] = Measure
        if types.is_list(kind):
            section = Wins if types.is_map(kind.value_type) else SeatMeasure
        elif types.is_map(kind) or types.is_string(kind):
            section = Groups
        yield section(name, name, labels, rotated, manifest.measured.get(name, ("", ""))[1])
