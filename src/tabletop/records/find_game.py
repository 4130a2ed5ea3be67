"""Finds the game of a record. A record names a game, but never says what code to run.

Anybody can write a record, and could name any file in it. So an installed game is found by its
name, and any other when a person says which. For the records of one's own the program remembers it:
when it begins a record in the user's records folder, it notes beside that folder where the game was
found, with a hash of the record's header. What somebody else wrote and was copied there has no
note; what is only linked there lies elsewhere. A record without a note is a stranger's, wherever it
lies.
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
    """A note on a record of the user's own: a hash of its header, and the place of its game."""

    header: str
    source: str


def plugin_of(record: Record, game: str | None, *words: str) -> Plugin:
    """Find the game of a record; the message of a `RegistryError` repeats the `words` typed.

    The game is `game`, if a person named it; else the one that the program has noted for the
    record; else the installed one of its name.
    """
    if game is not None:
        return load(game)
    source, why = origin_of(Path(record.path)), ""
    if source is not None:
        try:
            # Never from the working directory: its files may have come with the record.
            return load(source, here=False)
        except RegistryError as error:
            why = f" and not to be had where it was ({error})" if _is_place(source) else ""
    plugin = load_installed(record.header.game)
    if plugin is None:
        raise unknown_game(record, why, *words)
    return plugin


def unknown_game(record: Record, why: str, *words: str) -> RegistryError:
    """Make the error for a record whose game is not installed here, with the words to type."""
    name = quote(record.header.game)
    return RegistryError(
        f"{record.path}: its game, {name}, is not installed{why};"
        f" if you have it, type: {shlex.join(['tabletop', *words])} --game PATH"
        f" (the .py file of {name}, or module:NAME)"
    )


def is_remembered(path: Path, source: str) -> bool:
    """Check whether `resume` and `replay` will find this game for the record without `--game`."""
    return source in installed() or origin_of(path) == source


def note_origin(path: Path, source: str) -> None:
    """Note the place of the game of a record of the user's own; on failure the match goes on."""
    if not _is_own(path):
        return
    try:
        _forget_lost()
        _write(origins_directory() / path.name, Note(_hash_of_header(path), source))
    except OSError as error:
        reason = error.strerror or str(error)
        later = (
            "will ask for --game" if _is_place(source) else "will take it for a stranger's record"
        )
        print_error(f"tabletop: {origins_directory()}: cannot be written: {reason}; resume {later}")


def origin_of(path: Path) -> str | None:
    """Return the noted source of the game of a user's own record; None for any other record."""
    note = origins_directory() / path.name
    try:
        if not _is_own(path) or not (_is_safe(note.parent) and _is_safe(note)):
            return None
        noted = from_json(note.read_bytes(), Note)
        # The hash ties the note to this record: another file under the same name has no note.
        return noted.source if noted.header == _hash_of_header(path) else None
    except (OSError, ContractError):
        return None


def _is_place(source: str) -> bool:
    """Check whether it is a path or module rather than just the name of an installed game."""
    return ":" in source or ".py" in source


def _write(file: Path, note: Note) -> None:
    make_folders(file.parent, 0o700)
    with suppress(FileNotFoundError):
        file.unlink()  # of a record of the same name that has been deleted
    # O_EXCL and 0600: a planted link is not followed, and only the user can
    # change the name of the code to run.
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
    """Check whether a record lies in the user's records folder, and is no link."""
    try:
        return is_own(path) and stat.S_ISREG(path.lstat().st_mode)
    except OSError:
        return False


def _is_safe(path: Path) -> bool:
    """Check whether only the user can write to a path."""
    status = path.lstat()
    if stat.S_ISLNK(status.st_mode):
        return False
    if not hasattr(os, "geteuid"):  # Windows: the directory is the user's alone
        return True
    return status.st_uid == os.geteuid() and not status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


def _hash_of_header(path: Path) -> str:
    with path.open("rb") as file:
        header = file.readline().removeprefix(BOM_UTF8)
    return blake2b(header, digest_size=16).hexdigest()


def last_interrupted(games: Collection[str] | None = None) -> Record:
    """Return the newest record of an interrupted match that no other program is writing.

    If a newer one is in use, a line on the standard error names both.

    Args:
        games: The names of the games to look for, or None for any game.

    Raises:
        RecordInUse: Other programs are writing all of them.
        UsageError: There is none.
    """
    directory = records_directory()
    in_use: list[tuple[Path, str]] = []  # newer records and the programs that write them
    for path in sorted(directory.glob(f"*{RECORD_SUFFIX}"), key=_age):
        try:
            record = read(path)
        except RecordError:
            continue  # not ours to repair: another one may be whole
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
                f" The newest record that is free is resumed: {path}"
            )
        return record
    if in_use:
        newest, writer = in_use[0]
        raise RecordInUse(
            f"{newest}: this record is being written by {writer}, and no other interrupted match"
            " is free; go on there, or end that first"
        )
    of = "" if games is None else f" of {join_words(list(games), 'or')}"
    raise UsageError(f"there is no interrupted match{of} in {directory}; give a FILE")


def _age(path: Path) -> float:
    """Return a sort key: the newest file first."""
    try:
        return -path.stat().st_mtime_ns
    except OSError:  # gone in the meantime, or a link to nowhere
        return 0
