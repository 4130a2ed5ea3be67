"""Find the game of a record. A record contains the name of its game, but no code.

Anybody can write a record that contains any file name. Therefore, the name in a record finds only
installed games. For any other game, the user has to name the file, except for records that this
program has created: when the program starts a record in the user's records folder, it writes a note
next to that folder. The note contains the source of the game and a hash of the record's header. A
record that was copied into the folder has no note, and a link does not count as a file in the
folder.
"""

from __future__ import annotations

import os
import shlex
import stat
from codecs import BOM_UTF8
from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path

from tabletop.errors import ContractError, RecordError, RecordInUse, RegistryError, UsageError
from tabletop.host.paths import RECORD_SUFFIX, is_own, origins_directory, records_directory
from tabletop.host.screen_text import print_error
from tabletop.host.user_files import make_folders
from tabletop.records.file import LOCK_TIMEOUT, Record, read, writer_of
from tabletop.registry import Plugin, installed, load, load_installed
from tabletop.states.codec import from_json, to_json
from tabletop.wording import join_words, quote


@dataclass(frozen=True, slots=True)
class Note:
    """A note about one of the user's records: a hash of its header, and the source of its game."""

    header: str
    source: str


def plugin_of(record: Record, game: str | None, *words: str) -> Plugin:
    """Find the game of a record.

    The game is `game` if given, otherwise the game in the note on the record, otherwise the
    installed game of the same name.

    Args:
        words: The command as typed. Error messages suggest the same command with `--game`.

    Raises:
        RegistryError: The game cannot be found or loaded.
    """
    if game is not None:
        return load(game)
    source, why = origin_of(Path(record.path)), ""
    if source is not None:
        try:
            # Do not search the working directory, whose files may have come with the record.
            return load(source, here=False)
        except RegistryError as error:
            why = f" and cannot be loaded from where it was ({error})" if _is_place(source) else ""
    plugin = load_installed(record.header.game)
    if plugin is None:
        raise unknown_game(record, why, *words)
    return plugin


def unknown_game(record: Record, why: str, *words: str) -> RegistryError:
    """Return the error for a record whose game is not installed, with the command to type."""
    name = quote(record.header.game)
    return RegistryError(
        f"{record.path}: the game {name} is not installed{why}."
        f" If you have it, type: {shlex.join(['tabletop', *words])} --game PATH"
        f" (the .py file of {name}, or module:NAME)"
    )


def is_remembered(path: Path, source: str) -> bool:
    """Return whether `resume` and `replay` will find this game for the record without `--game`."""
    return source in installed() or origin_of(path) == source


def note_origin(path: Path, source: str) -> None:
    """Note where the game of one of the user's records was found. A failure is a warning."""
    if not _is_own(path):
        return
    try:
        _forget_lost()
        _write(origins_directory() / path.name, Note(_hash_of_header(path), source))
    except OSError as error:
        reason = error.strerror or str(error)
        later = "need --game" if _is_place(source) else "treat the record as untrusted"
        print_error(
            f"tabletop: {origins_directory()}: cannot be written: {reason} (`resume` will {later})"
        )


def origin_of(path: Path) -> str | None:
    """Return where the game of one of the user's records was found, from its note, or None."""
    note = origins_directory() / path.name
    try:
        if not _is_own(path) or not (_is_safe(note.parent) and _is_safe(note)):
            return None
        origin = from_json(note.read_bytes(), Note)
        # The hash ties the note to this record, not to another file of the same name.
        return origin.source if origin.header == _hash_of_header(path) else None
    except (OSError, ContractError):
        return None


def _is_place(source: str) -> bool:
    """Return whether `source` is a path or module instead of the name of an installed game."""
    return ":" in source or ".py" in source


def _write(file: Path, note: Note) -> None:
    make_folders(file.parent, 0o700)
    with suppress(FileNotFoundError):
        file.unlink()  # note on a deleted record of the same name
    # O_EXCL does not follow a planted link. With 0600 only the user can change the source, which
    # is code that will be run.
    descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with open(descriptor, "wb") as opened:
        opened.write(to_json(note))


def _forget_lost() -> None:
    """Delete the notes of records that no longer exist."""
    with suppress(FileNotFoundError):
        for name in set(os.listdir(origins_directory())).difference(
            os.listdir(records_directory())
        ):
            (origins_directory() / name).unlink(missing_ok=True)


def _is_own(path: Path) -> bool:
    """Return whether a record is a regular file (not a link) in the user's records folder."""
    try:
        return is_own(path) and stat.S_ISREG(path.lstat().st_mode)
    except OSError:
        return False


def _is_safe(path: Path) -> bool:
    """Return whether only the user can write to a path."""
    status = path.lstat()
    if stat.S_ISLNK(status.st_mode):
        return False
    if not hasattr(os, "geteuid"):  # on Windows, other users have no access to the directory
        return True
    return status.st_uid == os.geteuid() and not status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


def _hash_of_header(path: Path) -> str:
    with path.open("rb") as file:
        header = file.readline().removeprefix(BOM_UTF8)
    return blake2b(header, digest_size=16).hexdigest()


def last_interrupted(games: Collection[str] | None = None) -> Record:
    """Return the newest record of an interrupted match that no other program is writing.

    If a newer record is in use, print a line about both to standard error.

    Raises:
        RecordInUse: Other programs are writing all records of interrupted matches.
        UsageError: There is no interrupted match.
    """
    directory = records_directory()
    in_use: list[tuple[Path, str]] = []  # newer records and the programs that write them
    for path in sorted(directory.glob(f"*{RECORD_SUFFIX}"), key=_age):
        try:
            record = read(path)
        except RecordError:
            continue  # ignore damaged files; another record may be intact
        if record.ended or (games is not None and record.header.game not in games):
            continue
        writer = writer_of(path, 0 if in_use else LOCK_TIMEOUT)
        if writer is not None:
            in_use.append((path, writer))
            continue
        if in_use:
            newest, writer = in_use[0]
            print_error(
                f"{newest} is being written by {writer}."
                f" Resuming the newest record that no program is writing: {path}"
            )
        return record
    if in_use:
        newest, writer = in_use[0]
        raise RecordInUse(
            f"{newest}: this record is being written by {writer}, and no other interrupted match"
            " is free (continue there, or close that program first)"
        )
    of = "" if games is None else f" of {join_words(list(games), 'or')}"
    raise UsageError(f"there is no interrupted match{of} in {directory} (name a FILE)")


def _age(path: Path) -> float:
    """Return a sort key that puts the newest file first."""
    try:
        return -path.stat().st_mtime_ns
    except OSError:  # just deleted, or a broken link
        return 0
