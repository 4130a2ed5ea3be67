"""The folder of a study: a manifest, and one Parquet file for each batch of its matches.

All files are written whole or not at all. A file says in its name which matches it holds, and the
checksum of its bytes (CRC-32): what is missing, was cut or has changed is found, and a study can be
broken off anywhere.
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

ArrowTable: TypeAlias = "pa.Table"
"""A table of Arrow."""

FORMAT: Final = "tabletop-study 1"
"""The `format` of the folder of a study, with its version."""

MOST_BYTES: Final = 1 << 30
"""A file of a study with more is none: a batch has some megabytes."""

MOST_UNPACKED: Final = 1 << 28
"""Bytes of the matches in one file, in memory. A small file may unpack to very much."""

_ROWS: Final = 1024
"""Matches unpacked at a time."""

MANIFEST: Final = "_study.json"
"""The file in that folder which says what the matches are."""

_TOGETHER: Final = 1_000_000
"""The files of so many matches lie in one folder: to write into one with very many is slow."""

_FILE: Final = re.compile(r"matches-(\d{12})-(\d{12})-[\da-f]{8}\.parquet", re.ASCII)


@dataclass(frozen=True, slots=True)
class Manifest:
    """What the matches of a study are: with the same rules, bots and metrics, they are the same.

    Attributes:
        game, version: the name of the game, and the version of its rules.
        program: the version of tabletop.
        matches: how many are played, from number 0.
        seeds, seats, bots, rotated, options, plies: as in `Series`.
        metrics: the names of what is measured beside the outcome.
        format: the format of the folder.
        source: how the game was found, as `registry.load` takes it; for people to read, as it may
            be somebody else's.
        measured: of each metric, where it was found, and the first line of its docstring.
        cooperative: whether all seats win or lose together.
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

    @classmethod
    def of(cls, series: Series, matches: int) -> Manifest:
        """Make the manifest of a study of the first matches of a series."""
        plugin = series.plugin()
        found = series.measures(plugin)
        places = map(_place_and_purpose, series.metrics, found.values())
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
            metrics=tuple(found),
            source=series.game,
            measured=dict(zip(found, places, strict=True)),
            cooperative=plugin.game.cooperative,
        )

    def difference(self, other: Manifest) -> str:
        """Say in what the matches of another study are others; empty where they are the same."""
        own, given = asdict(self), asdict(other)
        may_differ = {"matches", "source", "measured", "cooperative"}
        wrong = (name for name in own if name not in may_differ and own[name] != given[name])
        return ", ".join(f"{name} {own[name]!r}, not {given[name]!r}" for name in wrong)


def _place_and_purpose(source: MetricSource, metric: Callable[..., Any]) -> tuple[str, str]:
    """Return where a metric is found, and what it is: the first line of its docstring."""
    place = source if isinstance(source, str) else f"{source.__module__}:{source.__qualname__}"
    return place, cleandoc(metric.__doc__ or "").partition("\n")[0]


class Study:
    """The matches of a study, in a folder.

    Attributes:
        folder: the folder.
        manifest: what the matches are.

    Raises:
        StudyError: there is no study in it.
        TabletopError: a library is not installed.
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
            raise StudyError(f"{file}: {reason(error)}; a study has this file") from error
        except ContractError as error:
            raise StudyError(f"{file}: {error}") from error
        if self.manifest.format != FORMAT:
            raise StudyError(f"{file}: the format is {self.manifest.format!r}, not {FORMAT!r}")

    @classmethod
    def begin(
        cls, folder: Path | str, series: Series, matches: int, *, resume: bool = False
    ) -> Study:
        """Make the folder of a study, or open the one that is to be resumed.

        Of one that is resumed a match is played again: it has to come out as it did. A change of
        the rules, a bot or a metric that this match does not meet goes unnoticed.

        Args:
            folder: the folder; it may exist, but not hold matches unless they are resumed.
            series: what the matches are.
            matches: how many are played; of a study that is resumed there may be more now.
            resume: whether to go on with a study that may be there.

        Raises:
            StudyError: there is a study already, or another one, or nothing can be written there.
            UsageError: a study that is resumed has more matches.
        """
        folder, manifest = Path(folder), Manifest.of(series, matches)
        study = cls(folder) if (folder / MANIFEST).exists() else None
        if study and any(folder.glob("*/*.parquet")):  # one that failed before is begun anew
            former = study.manifest
            if not resume:
                message = "there is a study already: resume it, or name another folder"
                raise StudyError(f"{folder}: {message}")
            if difference := former.difference(manifest):
                raise StudyError(f"{folder}: this is another study: {difference}")
            if former.matches > manifest.matches:
                message = f"the study has {former.matches} matches: give so many, or more"
                raise UsageError(f"{folder}: {manifest.matches} matches: {message}")
            study._check_first(series)
            manifest = replace(former, matches=matches)  # it says where game and metrics were found
        with name_in_errors(folder):
            write_text(str(folder / MANIFEST), json.dumps(asdict(manifest), indent=1) + "\n")
        return cls(folder)

    def _check_first(self, series: Series) -> None:
        """Raise `StudyError` if the first match that is stored comes out otherwise now."""
        whole = ((numbers[:1], table) for numbers, _, table in self._files() if table is not None)
        for first, table in islice(whole, 1):
            rows = table.slice(0, 1), _table(series.play(first), series.columns())
            former, now = ((it.schema, repr(it.to_pylist())) for it in rows)  # nan is not nan
            if former != now:
                why = "the rules, a bot or a metric has changed"
                raise StudyError(f"{self.folder}: match {first[0]} comes out otherwise now: {why}")

    def write(self, numbers: range, rows: Sequence[Row], columns: Mapping[str, Any]) -> None:
        """Write a batch of matches: a file whole, or none.

        Args:
            numbers: the numbers of the matches.
            rows: their rows, in order.
            columns: the columns, and what they hold.

        Raises:
            StudyError: it cannot be written.
        """
        import pyarrow.parquet as pq

        written = BytesIO()
        pq.write_table(
            _table(rows, columns),
            written,
            compression="zstd",
            # Seeds differ, and begin alike: a dictionary of them gains nothing, this encoding much.
            use_dictionary=[name for name in columns if name != "seed"],
            column_encoding={"seed": "DELTA_BYTE_ARRAY"},
        )
        data = written.getvalue()
        name = f"matches-{numbers.start:012}-{numbers.stop - 1:012}-{crc32(data):08x}.parquet"
        file = self.folder / f"{numbers.start // _TOGETHER:06}" / name
        with name_in_errors(file):
            file.parent.mkdir(exist_ok=True)
            write_bytes(str(file), data)

    def missing(self) -> list[range]:
        """Return the numbers of the matches that are still to be played, in order.

        Files that were cut or changed are removed: their matches are missing.

        Raises:
            StudyError: a file cannot be read, or not be removed.
        """
        found, wanted = [], 0
        for numbers, file, table in self._files():
            if table is None:
                with name_in_errors(file):
                    file.unlink()
            else:
                found.append(range(wanted, numbers.start))
                wanted = numbers.stop
        found.append(range(wanted, self.manifest.matches))
        return [numbers for numbers in found if numbers]

    def tables(self, columns: Sequence[str] | None = None) -> Iterator[ArrowTable]:
        """Yield the matches as tables of Arrow, a batch each, in order of their numbers.

        Args:
            columns: the names of the columns; all of them when not given.

        Raises:
            StudyError: a file is damaged, or cannot be read.
        """
        for _, file, table in self._files(columns):
            if table is None:
                why = "damaged; resume the study, which plays its matches again"
                raise StudyError(f"{file}: {why}")
            yield table

    def table(self, columns: Sequence[str] | None = None) -> ArrowTable:
        """Return all matches as one table of Arrow, in order of their numbers.

        Raises:
            StudyError: a file is damaged, or no match has been played.
        """
        import pyarrow as pa

        tables = list(self.tables(columns))
        if not tables:
            raise StudyError(f"{self.folder}: no match has been played")
        return pa.concat_tables(tables)

    def rows(self) -> Iterator[Row]:
        """Yield the rows of the matches that were played, in order of their numbers."""
        for table in self.tables():
            yield from table.to_pylist(maps_as_pydicts="strict")

    def digest(self) -> str:
        """Return a digest of all rows, the same however they were played and stored."""
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
        """Yield the numbers of the matches in each file, the file, and the matches, in order.

        There are none where the file is damaged, or holds matches that stand in another as well.
        """
        with name_in_errors(self.folder):
            named = [(_FILE.fullmatch(it.name), it) for it in self.folder.glob("*/*.parquet")]
        found = [(range(int(it[1]), int(it[2]) + 1), file) for it, file in named if it]
        wanted = 0
        for numbers, file in sorted(found, key=lambda it: it[0].start):
            table = None if numbers.start < wanted else self._read(numbers, file, columns)
            yield numbers, file, table
            wanted = wanted if table is None else numbers.stop

    def _read(self, numbers: range, file: Path, columns: Sequence[str] | None) -> ArrowTable | None:
        """Return the matches in a file; None where it is damaged."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        with name_in_errors(file):  # what cannot be read is not taken for damaged
            data = read_bytes(file, MOST_BYTES)
        if not file.stem.endswith(f"{crc32(data):08x}"):
            return None
        try:
            # Not a file of Python: a thread of Arrow would read it, and aborts a program that ends
            # at that moment.
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
                raise StudyError(f"{file}: unpacks to more than {most} MB; no batch has as much")
            table = pa.Table.from_batches(batches)
        except (OSError, ValueError, pa.ArrowException):
            return None
        return table if table.num_rows == len(numbers) else None


@contextmanager
def name_in_errors(path: Path) -> Iterator[None]:
    """Have a failure of the disk name the path."""
    try:
        yield
    except OSError as error:
        raise StudyError(f"{path}: {reason(error)}") from error


@contextmanager
def lock_folder(folder: Path | str) -> Iterator[None]:
    """Make the folder of a study, and keep other programs from playing it meanwhile.

    Raises:
        StudyError: another program plays the study, or nothing can be written there.
        TabletopError: a library is not installed.
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
            raise StudyError(f"{folder}: another program plays this study now") from error
    try:
        yield
    finally:
        lock.release()


def _table(rows: Sequence[Row], columns: Mapping[str, Any]) -> ArrowTable:
    """Return rows as they are stored."""
    import pyarrow as pa

    schema = pa.schema({name: _arrow_type(kind) for name, kind in columns.items()})
    try:
        return pa.Table.from_pylist(rows, schema)
    except (ArithmeticError, ValueError) as error:  # beyond 64 bits, or no Unicode
        where = f"seeds {quote(rows[0]['seed'])} to {quote(rows[-1]['seed'])}"
        raise StudyError(f"{where} cannot be stored: {error}") from error


def _leaves(name: str, array: Any) -> Iterator[tuple[str, bytes]]:
    """Yield the parts of a column, as bytes that only depend on what it holds."""
    import pyarrow as pa

    yield f"{name} null", array.is_null().to_numpy(zero_copy_only=False).tobytes()
    # What lies under a null may be anything, and is not to change the digest.
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
    """Return the type of Arrow for what a column holds; see `tabletop.studies.KINDS`."""
    import pyarrow as pa

    plain = {int: pa.int64(), float: pa.float64(), str: pa.string()}
    if kind in plain:
        return plain[kind]
    if get_origin(kind) is tuple:
        return pa.list_(_arrow_type(get_args(kind)[0]))
    return pa.map_(*map(_arrow_type, get_args(kind)))
