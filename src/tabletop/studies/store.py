"""The folder of a study: a manifest, and one Parquet file per batch of matches.

All files are written atomically. The name of a batch file contains the numbers of its matches and a
checksum (CRC-32) of its bytes, so missing, truncated and changed files are detected. A study can
therefore be interrupted at any time.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from hashlib import sha256
from inspect import cleandoc
from io import BytesIO
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeAlias, get_args, get_origin
from zlib import crc32

from tabletop.errors import ContractError, UsageError
from tabletop.host.extras import require
from tabletop.host.user_files import make_folders, read_bytes, reason, write_bytes, write_text
from tabletop.rules.options import OptionValue
from tabletop.scores.save_score import program_version
from tabletop.states.codec import from_json
from tabletop.studies.series import MetricSource, Row, Series, StudyError
from tabletop.wording import quote

if TYPE_CHECKING:
    import pyarrow as pa

ArrowTable: TypeAlias = "pa.Table"  # a `pyarrow.Table`

FORMAT: Final = "tabletop-study 1"
"""The value of `format` in the manifest, with the version of the format."""

MOST_BYTES: Final = 1 << 30
"""Maximum size of a file that is read. A batch is a few megabytes."""

MOST_UNPACKED: Final = 1 << 28
"""Maximum size in memory of the matches in one file, in bytes.

The limit is necessary because a small file may unpack to a large table.
"""

_ROWS: Final = 1024  # number of matches that are unpacked at a time

MANIFEST: Final = "_study.json"
"""Name of the manifest file, which describes the matches of the study."""

_MATCHES_PER_FOLDER: Final = 1_000_000
"""Number of matches stored per subfolder. Writing to a folder with very many files is slow."""

_FILE: Final = re.compile(r"matches-(\d{12})-(\d{12})-[\da-f]{8}\.parquet", re.ASCII)


@dataclass(frozen=True, slots=True)
class Manifest:
    """The description of the matches of a study, which determines their results.

    Attributes:
        game, version: Name of the game, and version of its rules.
        program: Version of tabletop.
        matches: Number of matches, counted from match 0.
        seeds, seats, bots, rotated, options, plies: See `Series`.
        metrics: Names of the metrics.
        format: Format of the folder.
        source: Name by which `registry.load` found the game, for information only. The source is
            never loaded from a manifest, because the folder may be untrusted.
        measured: For each metric, the place where it was found, and the first line of its
            docstring.
        cooperative: Whether all seats win or lose together.
        factions: Names of the teams as which seats win; see `Game.factions`.
    """

    game: str
    version: str
    program: str
    matches: int
    seeds: str
    seats: int
    bots: tuple[str, ...]
    rotated: bool
    options: dict[str, OptionValue]
    plies: int
    metrics: tuple[str, ...]
    format: str = FORMAT
    source: str = ""
    measured: dict[str, tuple[str, str]] = field(default_factory=dict)
    cooperative: bool = False
    factions: tuple[str, ...] = ()

    @classmethod
    def of(cls, series: Series, matches: int) -> Manifest:
        """Create the manifest for a study of the first `matches` matches of a series."""
        plugin = series.plugin()
        metrics = series.measures(plugin)
        places = map(_place_and_purpose, series.metrics, metrics.values())
        return cls(
            game=plugin.game.name,
            version=plugin.game.version,
            program=program_version(),
            matches=matches,
            seeds=series.seeds,
            seats=series.seats,
            bots=series.bots,
            rotated=series.rotated,
            options=dict(plugin.game.resolve_options(series.options)),
            plies=series.plies,
            metrics=tuple(metrics),
            source=series.game,
            measured=dict(zip(metrics, places, strict=True)),
            cooperative=plugin.game.cooperative,
            factions=plugin.game.factions,
        )

    def difference(self, other: Manifest) -> str:
        """Say how the matches differ from those of another study, or return an empty string."""
        stored, given = asdict(self), asdict(other)
        may_differ = {"matches", "source", "measured", "cooperative", "factions"}
        wrong = (name for name in stored if name not in may_differ and stored[name] != given[name])
        return ", ".join(f"{name} {stored[name]!r}, not {given[name]!r}" for name in wrong)


def _place_and_purpose(source: MetricSource, metric: Callable[..., Any]) -> tuple[str, str]:
    """Return the place where a metric is defined, and the first line of its docstring."""
    place = source if isinstance(source, str) else f"{source.__module__}:{source.__qualname__}"
    return place, cleandoc(metric.__doc__ or "").partition("\n")[0]


class Study:
    """The stored matches of a study.

    Attributes:
        folder: Path of the folder.
        manifest: Description of the matches.

    Raises:
        StudyError: The folder does not contain a study.
        TabletopError: A required library is not installed.
    """

    def __init__(self, folder: Path | str) -> None:
        require("a study", "studies", "numpy", "pyarrow")
        self.folder: Path = Path(folder)
        file = self.folder / MANIFEST
        try:
            self.manifest: Manifest = from_json(
                read_bytes(file, MOST_BYTES), Manifest, "description of a study"
            )
        except OSError as error:
            raise StudyError(f"{file}: {reason(error)} (every study has this file)") from error
        except ContractError as error:
            raise StudyError(f"{file}: {error}") from error
        if self.manifest.format != FORMAT:
            raise StudyError(f"{file}: the format is {self.manifest.format!r}, not {FORMAT!r}")

    @classmethod
    def begin(
        cls, folder: Path | str, series: Series, matches: int, *, resume: bool = False
    ) -> Study:
        """Create the folder of a study, or open a study in order to resume it.

        When a study is resumed, its first stored match is played again, and the result must be the
        stored result. A changed rule, bot or metric is therefore detected only if the change
        affects this match.

        Args:
            folder: Path of the folder. The folder may exist, but must not contain matches unless
                `resume` is true.
            series: The matches.
            matches: Number of matches. A resumed study may have more matches than before.
            resume: Whether to continue an existing study in the folder.

        Raises:
            StudyError: The folder contains a study (without `resume`) or a study of different
                matches, or cannot be written.
            UsageError: The study to be resumed has more than `matches` matches.
        """
        folder, manifest = Path(folder), Manifest.of(series, matches)
        study = cls(folder) if (folder / MANIFEST).exists() else None
        # A study that failed before its first batch was stored starts again from scratch.
        if study and any(folder.glob("*/*.parquet")):
            former = study.manifest
            if not resume:
                message = "the folder already contains a study (resume it, or name another folder)"
                raise StudyError(f"{folder}: {message}")
            if difference := former.difference(manifest):
                message = f"the folder contains a different study: {difference}"
                raise StudyError(f"{folder}: {message}")
            if former.matches > manifest.matches:
                message = (
                    f"the study already has {former.matches} matches; ask for at least that many"
                )
                raise UsageError(f"{folder}: {message}")
            study._check_first(series)
            # Keeps the original places of the game and the metrics.
            manifest = replace(former, matches=matches)
        with name_in_errors(folder):
            write_text(str(folder / MANIFEST), json.dumps(asdict(manifest), indent=1) + "\n")
        return cls(folder)

    def _check_first(self, series: Series) -> None:
        """Raise `StudyError` if playing the first stored match again gives a different result."""
        whole = ((numbers[:1], table) for numbers, _, table in self._files() if table is not None)
        for first, table in islice(whole, 1):
            rows = table.slice(0, 1), _table(series.play(first), series.columns())
            # Compared as text, because nan differs from nan.
            former, now = ((row.schema, repr(row.to_pylist())) for row in rows)
            if former != now:
                message = f"playing match {first[0]} again gives a different result"
                why = "the rules, a bot or a metric has changed"
                raise StudyError(f"{self.folder}: {message}: {why}")

    def write(self, numbers: range, rows: Sequence[Row], columns: Mapping[str, Any]) -> None:
        """Write a batch of matches to a file, atomically.

        Args:
            numbers: Numbers of the matches.
            rows: Rows of the matches, in the order of their numbers.
            columns: Names of the columns, and the types of their values.

        Raises:
            StudyError: The file cannot be written.
        """
        import pyarrow.parquet as pq

        written = BytesIO()
        pq.write_table(
            _table(rows, columns),
            written,
            compression="zstd",
            # All seeds differ but share a prefix, so a dictionary gains nothing, and delta encoding
            # saves a lot.
            use_dictionary=[name for name in columns if name != "seed"],
            column_encoding={"seed": "DELTA_BYTE_ARRAY"},
        )
        data = written.getvalue()
        name = f"matches-{numbers.start:012}-{numbers.stop - 1:012}-{crc32(data):08x}.parquet"
        file = self.folder / f"{numbers.start // _MATCHES_PER_FOLDER:06}" / name
        with name_in_errors(file):
            file.parent.mkdir(exist_ok=True)
            write_bytes(str(file), data)

    def missing(self) -> list[range]:
        """Return the numbers of the matches that still have to be played, in order.

        Truncated and changed files are deleted, and their matches count as missing.

        Raises:
            StudyError: A file cannot be read or deleted.
        """
        gaps, expected = [], 0
        for numbers, file, table in self._files():
            if table is None:
                with name_in_errors(file):
                    file.unlink()
            else:
                gaps.append(range(expected, numbers.start))
                expected = numbers.stop
        gaps.append(range(expected, self.manifest.matches))
        return [gap for gap in gaps if gap]

    def tables(self, columns: Sequence[str] | None = None) -> Iterator[ArrowTable]:
        """Yield the matches as Arrow tables, one per batch, in the order of their numbers.

        Args:
            columns: Names of the columns to read. By default, all columns.

        Raises:
            StudyError: A file is damaged or cannot be read.
        """
        for _, file, table in self._files(columns):
            if table is None:
                message = "the file is damaged (resume the study to play these matches again)"
                raise StudyError(f"{file}: {message}")
            yield table

    def table(self, columns: Sequence[str] | None = None) -> ArrowTable:
        """Return all matches as one Arrow table, in the order of their numbers.

        Args:
            columns: Names of the columns to read. By default, all columns.

        Raises:
            StudyError: A file is damaged, or the study has no matches yet.
        """
        import pyarrow as pa

        tables = list(self.tables(columns))
        if not tables:
            raise StudyError(f"{self.folder}: the study has no matches yet")
        return pa.concat_tables(tables)

    def rows(self) -> Iterator[Row]:
        """Yield the rows of the stored matches, in the order of their numbers."""
        for table in self.tables():
            yield from table.to_pylist(maps_as_pydicts="strict")

    def digest(self) -> str:
        """Return a SHA-256 digest of all rows, independent of how they were batched and stored."""
        parts: dict[str, Any] = {}
        for table in self.tables():
            for name in table.column_names:
                for leaf, data in _leaves(name, table.column(name).combine_chunks()):
                    parts.setdefault(leaf, sha256()).update(data)
        lines = [f"{leaf} {parts[leaf].hexdigest()}\n" for leaf in sorted(parts)]
        return sha256("".join(lines).encode()).hexdigest()

    def _files(
        self, columns: Sequence[str] | None = None
    ) -> Iterator[tuple[range, Path, ArrowTable | None]]:
        """Yield numbers, path and table (None if damaged or repeated) of each file, in order."""
        with name_in_errors(self.folder):
            named = [(_FILE.fullmatch(it.name), it) for it in self.folder.glob("*/*.parquet")]
        files = [(range(int(it[1]), int(it[2]) + 1), file) for it, file in named if it]
        expected = 0
        for numbers, file in sorted(files, key=lambda it: it[0].start):
            table = None if numbers.start < expected else self._read(numbers, file, columns)
            yield numbers, file, table
            expected = expected if table is None else numbers.stop

    def _read(self, numbers: range, file: Path, columns: Sequence[str] | None) -> ArrowTable | None:
        """Return the matches in a file, or None if the file is damaged."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        with name_in_errors(file):  # an unreadable file is an error, not a damaged file
            data = read_bytes(file, MOST_BYTES)
        if not file.stem.endswith(f"{crc32(data):08x}"):
            return None
        try:
            # A buffer instead of a Python file object, because an Arrow thread that reads a Python
            # file aborts the program if it exits at that moment.
            parquet = pq.ParquetFile(pa.BufferReader(data))
            if parquet.metadata.num_rows != len(numbers):
                return None
            stored = range(parquet.num_row_groups)
            size = sum(parquet.metadata.row_group(it).total_byte_size for it in stored)
            batches = []
            if size <= MOST_UNPACKED:
                wanted = None if columns is None else list(columns)
                for batch in parquet.iter_batches(_ROWS, columns=wanted, use_threads=False):
                    batches.append(batch)
                    size += batch.nbytes
                    if size > MOST_UNPACKED:
                        break
            if size > MOST_UNPACKED:
                most = MOST_UNPACKED >> 20
                raise StudyError(f"{file}: unpacks to more than {most} MB, which is too large")
            table = pa.Table.from_batches(batches)
        except (OSError, ValueError, pa.ArrowException):
            return None
        return table if table.num_rows == len(numbers) else None


@contextmanager
def name_in_errors(path: Path) -> Iterator[None]:
    """Convert an `OSError` in the block to a `StudyError` that names the path."""
    try:
        yield
    except OSError as error:
        raise StudyError(f"{path}: {reason(error)}") from error


@contextmanager
def lock_folder(folder: Path | str) -> Iterator[None]:
    """Create the folder of a study, and keep other programs from writing to it during the block.

    Raises:
        StudyError: Another program is playing this study, or the folder cannot be written.
        TabletopError: A required library is not installed.
    """
    from filelock import FileLock, Timeout

    folder = Path(folder)
    require("a study", "studies", "numpy", "pyarrow")
    with name_in_errors(folder):
        make_folders(folder)
        lock = FileLock(folder / ".lock")
        try:
            lock.acquire(timeout=0)
        except Timeout as error:
            raise StudyError(f"{folder}: another program is playing this study") from error
    try:
        yield
    finally:
        lock.release()


def _table(rows: Sequence[Row], columns: Mapping[str, Any]) -> ArrowTable:
    """Return rows as an Arrow table with the given columns."""
    import pyarrow as pa

    schema = pa.schema({name: _arrow_type(kind) for name, kind in columns.items()})
    try:
        return pa.Table.from_pylist(rows, schema)
    except (ArithmeticError, ValueError) as error:  # an integer beyond 64 bits, or a lone surrogate
        where = f"seeds {quote(rows[0]['seed'])} to {quote(rows[-1]['seed'])}"
        raise StudyError(f"{where} cannot be stored: {error}") from error


def _leaves(name: str, array: Any) -> Iterator[tuple[str, bytes]]:
    """Yield the parts of a column as bytes that depend only on its values."""
    import pyarrow as pa

    yield f"{name} null", array.is_null().to_numpy(zero_copy_only=False).tobytes()
    # The memory under a null is arbitrary and must not affect the digest.
    if pa.types.is_string(array.type):
        texts = [text.encode() for text in array.fill_null("").to_pylist()]
        yield f"{name} lengths", b"".join(len(text).to_bytes(8, "little") for text in texts)
        yield name, b"".join(texts)
    elif not pa.types.is_nested(array.type):
        yield name, array.fill_null(0).to_numpy().tobytes()
    else:
        ends = array.offsets.to_numpy()
        yield f"{name} lengths", (ends[1:] - ends[:-1]).tobytes()
        is_map = pa.types.is_map(array.type)
        parts = (array.keys, array.items) if is_map else (array.flatten(),)
        for number, part in enumerate(parts):
            yield from _leaves(f"{name} {number}", part)


def _arrow_type(kind: Any) -> Any:
    """Return the Arrow type for a column of one of the types in `tabletop.studies.KINDS`."""
    import pyarrow as pa

    plain = {int: pa.int64(), float: pa.float64(), str: pa.string()}
    if kind in plain:
        return plain[kind]
    if get_origin(kind) is tuple:
        return pa.list_(_arrow_type(get_args(kind)[0]))
    return pa.map_(*map(_arrow_type, get_args(kind)))
