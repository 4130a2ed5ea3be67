"""What a server knows of all tables, in memory or not: found, listed, forgotten in time."""

from __future__ import annotations

import logging
from collections.abc import Callable, Container
from datetime import datetime
from functools import partial
from pathlib import Path

from msgspec.structs import replace

from tabletop.errors import TabletopError
from tabletop.match import AnyMatch
from tabletop.records.reading import read, read_end
from tabletop.records.record import replay
from tabletop.storage.keeping import keep_once
from tabletop.web.films import Film, film_of_record
from tabletop.web.games import Games
from tabletop.web.reloading import MORE, TableLost
from tabletop.web.shelf import Kept, Shelf
from tabletop.web.tokens import NotAdmitted, hashed, is_same

_log = logging.getLogger("tabletop")


class Register:
    """What is kept of each table, on top of the shelf where it is written.

    To begin with it looks through what other servers have left there: tables nobody came back to
    are forgotten, and scores that a killed server has not kept are kept now.

    Args:
        games: what can be played.
        shelf: where tables are kept.
        now: tells when it is; in UTC.
        scored: whether the scores of matches that have ended are kept.
    """

    def __init__(
        self, games: Games, shelf: Shelf, now: Callable[[], datetime], *, scored: bool
    ) -> None:
        self._games = games
        self._shelf = shelf
        self._now = now
        self._scored = scored
        self._known: dict[str, Kept] = {}
        self._take_over()

    def find(self, name: str) -> Kept | None:
        """What is kept of a table; None when there is no such one.

        Raises:
            TableLost: it is damaged.
        """
        try:
            return self._known.get(name) or self._shelf.get(name)
        except TabletopError as error:
            _log.error("%s", error)
            raise TableLost(f"what was kept of this table cannot be read; {MORE}") from error

    def listed(self) -> list[Kept]:
        """The tables whose matches are not over, or at which somebody still is; newest first."""
        return sorted(self._known.values(), key=lambda kept: kept.created, reverse=True)

    def enter(self, kept: Kept) -> None:
        """Write a new table down.

        Raises:
            ShelfError: it cannot be written.
        """
        self._shelf.put(kept)
        self.note(kept)

    def note(self, kept: Kept) -> None:
        """Know from now on what has become of a table, without writing it down."""
        self._known[kept.table] = kept

    def keep(self, kept: Kept) -> None:
        """Write down what has become of a table; what cannot be written is logged."""
        try:
            self._shelf.put(kept)
        except TabletopError as error:
            _log.error("%s", error)

    def put_away(self, kept: Kept, match: AnyMatch, source: str) -> Kept:
        """Write a table down that leaves memory, with the score of its match if that is over.

        Returns:
            What is kept of it now.
        """
        if kept.over:
            self._known.pop(kept.table, None)
        else:
            self.note(kept)
        if match.over and not kept.scored:
            if self._scored:
                keep_once(match, Path(kept.record), source)
            kept = replace(kept, scored=True)
        self.keep(kept)
        return kept

    def tidy(self, in_use: Container[str]) -> None:
        """Forget tables that are old, unless they are in use."""
        now = self._now().timestamp()
        for kept in self._shelf.all():
            if kept.table not in in_use and self._shelf.is_old(kept, now):
                self._forget(kept.table)

    def film(self, name: str) -> Film:
        """What makes a film of a table.

        Args:
            name: what a seat, or a spectator, was told when the match was over.

        Raises:
            NotAdmitted: there is no such film.
            TabletopError: the table cannot be read.
        """
        table, _, token = name.partition(".")
        kept = self.find(table)
        fits = [is_same(token, hashed(film)) for film in ([] if kept is None else kept.films)]
        if kept is None or not any(fits):
            raise NotAdmitted("there is no such film here")
        door = fits.index(True)
        seat = door if door < len(kept.names) else None
        return partial(film_of_record, self._games.plugin(kept.game), Path(kept.record), seat)

    def _take_over(self) -> None:
        now = self._now().timestamp()
        for shelved in self._shelf.all():
            kept = shelved if shelved.over else _caught_up(shelved)
            if kept.over and self._scored and not kept.scored:
                self._keep_score_left(kept)
            if self._shelf.is_old(kept, now):
                self._forget(kept.table)
            elif not kept.over:
                self.note(kept)
                if kept != shelved:
                    self.keep(kept)

    def _keep_score_left(self, kept: Kept) -> None:
        """Keep the score of a match that was over when the server before this one was killed."""
        try:
            plugin = self._games.plugin(kept.game)
            match = replay(read(kept.record), plugin.game)
        except TabletopError as error:
            _log.warning("table %s: its score is not kept: %s", kept.table, error)
        else:
            keep_once(match, Path(kept.record), plugin.source)
        self.keep(replace(kept, scored=True))

    def _forget(self, name: str) -> None:
        self._known.pop(name, None)
        try:
            self._shelf.remove(name)
        except TabletopError as error:
            _log.warning("%s", error)


def film_link(kept: Kept, film: str) -> str:
    """The path of a film of a table."""
    return f"/film/{kept.table}.{film}"


def _caught_up(kept: Kept) -> Kept:
    """What is kept of a table, with the actions that its record has.

    A server that was killed has written every action to the record, and not how many there were.
    """
    try:
        return replace(kept, ply=read_end(kept.record).plies)
    except TabletopError:  # told to whoever comes to the table
        return kept
