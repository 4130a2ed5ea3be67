"""Reports: an HTML or Markdown page about a study with win rates, lengths, metrics and differences.

The matches are read in batches, so memory use does not grow with their number. Code named in the
study is never run, because the study may be untrusted.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from contextlib import suppress
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from tabletop.host.extras import require

require("a report", "studies", "numpy")

import numpy as np

from tabletop.errors import RegistryError, UsageError
from tabletop.host.user_files import write_text
from tabletop.records.replay_command import spelled
from tabletop.registry import Plugin, is_for_command_line, load_installed
from tabletop.studies.page import Block, Command, Figure, Heading, TextTable, as_html, as_markdown
from tabletop.studies.series import (
    COLUMNS,
    MOST_PLIES,
    TEAMS,
    TOGETHER,
    Row,
    StudyError,
    metrics_of,
)
from tabletop.studies.statistics import holm
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

_CHUNK: Final = 1 << 16  # matches per batch


def report(study: Study, output: Path | str | None = None) -> tuple[Path, ...]:
    """Write a report about a study, and return the files that were written.

    Args:
        study: The study. An incomplete study is reported with the matches played so far.
        output: Path of an HTML file with embedded figures, or of a Markdown file whose figures are
            stored next to it as SVG files. By default, both are written, as `_report.html` and
            `_report.md` in the folder of the study. The names begin with `_` so that Parquet
            readers, which skip such files, can still read the folder.

    Raises:
        StudyError: The study has no matches yet or is damaged, or a file cannot be written.
        UsageError: The output is neither `.html` nor `.md`.
    """
    outputs = [study.folder / "_report.html", study.folder / "_report.md"]
    if output is not None:
        outputs = [Path(output)]
    if outputs[0].suffix not in {".html", ".md"}:
        raise UsageError(f"{outputs[0]}: name the report FILE.html or FILE.md")
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
    """Return the title and the content of the page.

    Args:
        words: Arguments that follow the folder in the command that writes this report.
    """
    manifest = study.manifest
    plugin: Plugin | None = None
    with suppress(RegistryError):  # the game may not be installed on this machine
        plugin = load_installed(manifest.game)
    content: list[Block] = []
    try:
        with np.errstate(all="ignore"):  # numbers may be too large to be squared
            matches, longest, sections = _read(study)
            for section in sections:
                if blocks := list(section.blocks()):
                    purpose = [section.purpose] if section.purpose else []
                    content += [Heading(section.title), *purpose, *blocks]
        play = shlex.join(_play_words(longest, manifest, plugin))
    except (ArithmeticError, AttributeError, LookupError, RuntimeError, TypeError, ValueError) as e:
        raise StudyError(f"{study.folder}: invalid matches of {manifest.game}: {e}") from e
    title = (plugin and plugin.game.title) or manifest.game
    return f"{title}: {matches:,} match{'es' if matches != 1 else ''}", [
        *_setup(manifest, matches),
        *_significant([it for section in sections for it in section.compared]),
        *content,
        Heading("Longest match"),
        f"The longest match has {longest['plies']:,} plies. To watch it, run:",
        Command(play),
        Heading("How to reproduce this report"),
        "These commands play the matches and write this report:",
        Command(shlex.join([*_simulate_words(manifest, plugin), "-o", str(study.folder)])),
        Command(shlex.join(["tabletop", "report", str(study.folder), *words])),
    ]


def _setup(manifest: Manifest, matches: int) -> Iterator[Block]:
    """Yield a description of the matches."""
    whole = "" if matches == manifest.matches else f" of {manifest.matches:,} (incomplete)"
    times = f" (each played {len(manifest.bots)} times)" if manifest.rotated else ""
    order = " (each moves by one seat from match to match)" if manifest.rotated else ""
    options = (f"{name}={spelled(it)}" for name, it in manifest.options.items() if it is not None)
    about = {
        "game": f"{manifest.game}, rules version {manifest.version}",
        "program": f"tabletop {manifest.program}",
        "matches": f"{matches:,}{whole}",
        "seeds": f"{manifest.seeds} 0, {manifest.seeds} 1, ...{times}",
        "seats": str(manifest.seats),
        "bots": ", ".join(manifest.bots) + order,
        "options": ", ".join(options) or "none",
    }
    yield Heading("Setup")
    yield TextTable(["", ""], list(about.items()), texts=2)


def _play_words(row: Row, manifest: Manifest, plugin: Plugin | None) -> list[str]:
    """Return the command that replays a match."""
    words = ["tabletop", "play", manifest.source or manifest.game, "--seed", row["seed"]]
    words += ["--seats", str(manifest.seats)]
    for seat, bot in enumerate(row["players"], 1):
        words += ["--bot", f"{seat}={bot}"]
    return [*words, *_option_words(manifest, plugin), "--no-record"]


def _simulate_words(manifest: Manifest, plugin: Plugin | None) -> list[str]:
    """Return the command that plays the matches of a study."""
    words = ["tabletop", "simulate", manifest.source or manifest.game, "-n", str(manifest.matches)]
    apart = any(map(is_for_command_line, manifest.bots))
    # Commands and file names may contain commas, so each bot gets its own `--bots`.
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
    """Yield the arguments for the options that differ from their defaults."""
    usual = {} if plugin is None else {it.name: it.default for it in plugin.game.options}
    for name, value in manifest.options.items():
        if value is not None and value != usual.get(name):
            yield from ("--option", f"{name}={spelled(value)}")


def _significant(compared: Sequence[Comparison]) -> Iterator[Block]:
    """Correct all p-values, and yield the table of significant differences."""
    for it, corrected in zip(compared, holm([it.apart.p for it in compared]), strict=True):
        it.corrected = float(corrected)
    differ = (it for it in compared if it.corrected < SIGNIFICANT)
    significant = sorted(differ, key=lambda it: max(it.apart.p, CERTAIN))
    yield Heading("Significant differences")
    yield (
        f"{len(significant):,} of the {len(compared):,} comparisons on this page"
        f" {'is' if len(significant) == 1 else 'are'} significant. A p-value is the probability of"
        " a difference at least this large if there is no true difference. The p-values are"
        " corrected for multiple comparisons with Holm's method, so the probability of even one"
        " false positive on this page is at most 5%. Brackets contain 95% confidence intervals."
    )
    yield (
        "A metric can label seats or matches. For each seat, bot and seat label, the win rate is"
        " compared with that of the other seats in the same match. Endings and match labels are"
        " compared with all other matches. Numbers are compared between winners and other seats,"
        " or between the matches that a seat won and all other matches. Groups with too few"
        " matches are not compared."
    )
    if significant:
        rows = [(it.section, it.label, it) for it in significant]
        yield TextTable(["section", "comparison", "difference"], rows, texts=2)


def _read(study: Study) -> tuple[int, Row, list[Section]]:
    """Read all matches. Return their number, the longest match, and the sections of the page."""
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
        by_faction = _by_faction(part, study.manifest.factions)
        for section in sections:
            section.add(by_faction if section.by_faction else part)
        at = int(np.argmax(batch.column("plies")))
        [row] = batch.slice(at, 1).select(["plies", "seed", "players"]).to_pylist()
        longest = max(longest, row, key=itemgetter("plies"))
        matches += batch.num_rows
        if study.manifest.cooperative:
            best = max(best, *(it or 0.0 for it in batch.column("best").to_pylist()))
    if not matches:
        raise StudyError(f"{study.folder}: the study has no matches yet")
    for section in sections:
        if section.column == POINTS and best:
            section.title = f"Points (maximum {best:g})"
    return matches, longest, sections


def _by_faction(part: Part, factions: Sequence[str]) -> Part:
    """Return the matches with the factions in place of the seats."""
    won = np.zeros((len(part.won), len(factions)), dtype=np.bool_)
    if factions:
        match, names = unpack_lists(part.batch.column("factions"))
        seat = np.arange(len(match)) - np.searchsorted(match, match)
        for column, faction in enumerate(factions):
            is_of_winner = part.won[match, seat] & (names.to_numpy(zero_copy_only=False) == faction)
            won[match[is_of_winner], column] = True
    return part._replace(won=won)


def _as_one(batch: pa.RecordBatch) -> pa.RecordBatch:
    """Return the matches of a cooperative game with the team as a single seat."""
    import pyarrow as pa

    for name in ("winners", POINTS):
        column = batch.column(name)
        first = pa.array([it[:1] for it in column.to_pylist()], type=column.type)
        batch = batch.set_column(batch.schema.get_field_index(name), name, first)
    return batch


def _batches(study: Study, size: int) -> Iterator[pa.RecordBatch]:
    """Yield the matches in order, in batches of about `size` that do not split a seed."""
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
    """Yield the sections of the page, one for each column with data."""
    from pyarrow import types

    bots, seats = manifest.bots, range(manifest.seats)
    named = ["" if manifest.rotated else f" ({bots[seat % len(bots)]})" for seat in seats]
    labels, rotated = [f"seat {seat + 1}{named[seat]}" for seat in seats], manifest.rotated
    if manifest.cooperative:
        labels = ["team"]
    factions = manifest.factions
    if factions:
        # With two factions, the difference of the second is the mirror image of the first.
        compared = factions[: 1 if len(factions) == 2 else None]
        yield Wins("Wins by faction", "factions", labels, rotated, tested=compared)
        same = "Players with a role win and lose with their faction, so roles are not compared."
        yield Wins("Wins by role", "roles", labels, rotated, same, tested=())
    yield Wins("Wins by seat", "", labels, rotated)
    if (
        not manifest.cooperative
        and len(set(bots)) > 1
        and (manifest.rotated or len(set(bots)) < len(seats))
    ):
        yield Wins("Wins by bot", "players", labels, rotated)
    teams: dict[str, Any] = {"seats": factions, "by_faction": True} if factions else {}
    sides: dict[str, Any] = {"seats": labels, "rotated": rotated, **teams}
    ending = (
        "An ending decides which faction wins, so endings are not compared." if factions else ""
    )
    tested = () if factions else None
    yield Groups("Endings", "reason", purpose=ending, tested=tested, **sides)
    yield Measure("Length in plies", "plies", **sides)
    yield SeatMeasure(
        "Points",
        POINTS,
        labels,
        rotated,
        "Points are part of the outcome, so they are not compared.",
    )
    more = len(TOGETHER) * manifest.cooperative + len(TEAMS) * bool(factions)
    for name in schema.names[len(COLUMNS) + more :]:
        kind = schema.field(name).type
        purpose = manifest.measured.get(name, ("", ""))[1]
        if types.is_list(kind):
            by_seat = Wins if types.is_map(kind.value_type) else SeatMeasure
            yield by_seat(name, name, labels, rotated, purpose)
        else:
            is_named = types.is_map(kind) or types.is_string(kind)
            section = Groups if is_named else Measure
            yield section(name, name, purpose=purpose, **sides)
