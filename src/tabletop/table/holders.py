"""All people at a table, and the events of its match that they observe."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Final

from tabletop.display.console_text import Entry
from tabletop.protocol.outgoing import NoteOut
from tabletop.rules.events import Event, Watcher
from tabletop.states.bounds import Seat
from tabletop.table.inputs import Link
from tabletop.table.perspective import TableFacts
from tabletop.table.players import no_seat
from tabletop.table.seat_holder import HoldersTable, Screen, SeatHolder
from tabletop.table.votes import Vote

COUNTED: Final = 1.0
"""Seconds between two messages about the number of spectators, because many may come and go."""


class Holders:
    """All holders of a table: one for each link, and one for spectators.

    Args:
        table: The table.
        seating: The seats of each link, or None for all seats of people that no other holder has.

    Attributes:
        expected: The seats with a link of their own, which people may come to.

    Raises:
        ValueError: A seat does not exist, or belongs to two links.
    """

    def __init__(self, table: HoldersTable, seating: Mapping[Seat, Iterable[Seat] | None]) -> None:
        self.expected: set[Seat] = {link for link, seats in seating.items() if seats is not None}
        self._table = table
        self._players = table.bots_and_people
        self._by_link: dict[Link, SeatHolder] = {
            link: SeatHolder(link, table, seats, self._seats_of)
            for link, seats in (*seating.items(), (None, ()))
        }
        self._check_seats()
        self._number = 0  # of the last event
        self._watched: set[Watcher] = set()

    def begin(self) -> None:
        """Let everybody see the table, when it is complete, and observe its match."""
        for holder in self:
            holder.perspective = self._table.perspective(holder.link)
        # Observers are called in order. The first observer numbers the events for the others.
        self._table.stops.append(self._players.match.observe(self._count))
        self._observe()

    def _check_seats(self) -> None:
        match, owned = self._players.match, set[Seat]()
        for holder in self:
            for seat in holder.own or ():
                if not 0 <= seat < match.seats:
                    raise ValueError(no_seat(match, seat))
                if seat in owned:
                    raise ValueError(f"{match.names[seat]} already has a link")
                owned.add(seat)

    def __iter__(self) -> Iterator[SeatHolder]:
        return iter(self._by_link.values())

    def __getitem__(self, link: Link) -> SeatHolder:
        return self._by_link[link]

    @property
    def screens(self) -> list[Screen]:
        """All open screens."""
        return [screen for holder in self for screen in holder.screens.values()]

    def find_screen(self, number: int) -> Screen | None:
        """Return an open screen, or None if it has been closed."""
        found = (holder.screens.get(number) for holder in self)
        return next((screen for screen in found if screen is not None), None)

    def reseating(self, seat: Seat) -> SeatHolder | None:
        """Return the holder that can change the player of a seat: its own, or any that may act."""
        having = (holder for holder in self if seat in holder.all_seats)
        acting = (holder for holder in self if holder.has_seat)
        return next(having, None) or next(acting, None)

    def deciding_for(self, seat: Seat) -> list[SeatHolder]:
        """Return the holders that decide for a seat, if a person plays it.

        This is the owner of the seat. If there is none, they are all holders that share the seats
        without an owner.
        """
        for holder in self:
            if holder.own is not None and seat in holder.own:
                return [holder]
        return [holder for holder in self if holder.own is None]

    def _seats_of(self, holder: SeatHolder) -> tuple[Seat, ...]:
        """Return the seats of people for which a holder decides."""
        return tuple(seat for seat in self._players.people if holder in self.deciding_for(seat))

    @property
    def present(self) -> set[Seat]:
        """The seats for which a screen is open."""
        return {seat for holder in self if holder.screens for seat in holder.all_seats}

    @property
    def here(self) -> int:
        """The number of people with a link of their own who are present."""
        return sum(bool(self[seat].screens) for seat in self.expected)

    @property
    def watching(self) -> int:
        """The number of screens of spectators."""
        return len(self[None].screens)

    def show(self, news: Callable[[SeatHolder], object]) -> None:
        """Show something to everybody."""
        for holder in self:
            holder.perspective.show(partial(news, holder))

    def set_pages(self, *, replay: Sequence[str | None] = (), next: Sequence[str] = ()) -> None:
        """Set the pages after the end: one for each seat, and the last one for spectators."""

        def show(holder: SeatHolder) -> None:
            at = -1 if holder.link is None else holder.link
            holder.replay_page = replay[at] if replay else holder.replay_page
            holder.next_table = next[at] if next else holder.next_table
            holder.refresh()

        self.show(show)

    def note(self, text: str, *, logged: bool = False) -> None:
        """Send a note to everybody. If `logged`, it is in the log, which terminals print, too."""
        self.show(lambda holder: holder.send(NoteOut(text), terminals=not logged))
        if logged:
            self.show(lambda holder: holder.remark(text))

    def refresh_table(self) -> None:
        """Send everybody a new message about the table."""
        self.show(SeatHolder.refresh_table)

    # News.

    def _observe(self) -> None:
        """Observe the match once for each seat that somebody may see."""
        for holder in self:
            seats = holder.played_seats
            watchers = holder.perspective.watchers
            watchers.update(seats, holder.own or ())
            # People at one screen are spectators between their turns, and after the last has lost.
            if not holder.own:
                watchers.add(None)
            for watcher in sorted(watchers - self._watched, key=str):
                self._watched.add(watcher)
                note = partial(self._note, watcher)
                self._table.stops.append(self._players.match.observe(note, seat=watcher))

    def _count(self, event: Event) -> None:
        self._number += 1

    def _note(self, watcher: Watcher, event: Event) -> None:
        ply = self._players.match.ply
        for holder in self:
            if watcher in holder.perspective.watchers:
                entry = Entry(event, ply, self._number, holder.is_repeating)
                holder.perspective.show(partial(holder.observe, watcher, entry))

    def seated(self) -> None:
        """Show everybody the new player of a seat."""
        self._observe()
        self.show(SeatHolder.refresh)
        self.refresh_table()

    def vote_asked(self, vote: Vote, seats: Iterable[Seat]) -> None:
        """Show the open vote to the people of some seats, even if a bot plays a seat."""
        wanted = set(seats)
        for holder in self:
            if not wanted.isdisjoint(holder.all_seats):
                holder.vote_asked()

    def vote_ended(self, vote: Vote, refused: tuple[Seat, ...], note: str) -> None:
        """Show everybody with a seat that a vote has ended (`Votes`)."""
        for holder in self:
            if holder.all_seats:
                holder.vote_ended(vote, refused, note)


class Announcements:
    """Sends everybody a new message about the table when some of its facts have changed.

    Args:
        holders: The people.
        facts: Returns the facts at a time.
    """

    def __init__(self, holders: Holders, facts: Callable[[float], TableFacts]) -> None:
        self._holders = holders
        self._facts = facts
        self._shown: TableFacts | None = None  # in the last message
        self._shown_watching = 0
        self._count_at: float | None = None  # when the number of spectators is sent

    @property
    def deadline(self) -> float | None:
        """The time of the next message about the number of spectators, if one is due."""
        return self._count_at if self._shown_watching != self._holders.watching else None

    def tick(self, now: float) -> None:
        """Send a new message if the last message is out of date."""
        facts = self._facts(now)
        # Clocks run on each screen, and bots announce themselves that they think.
        shown = facts._replace(spectator_count=0, clock=(), thinking="")
        if shown == self._shown and facts.spectator_count == self._shown_watching:
            return
        if shown == self._shown:
            if self._count_at is None:
                self._count_at = now + COUNTED
            if now < self._count_at:
                return
        self._shown, self._shown_watching = shown, facts.spectator_count
        self._count_at = None
        self._holders.refresh_table()

    def clocks_changed(self) -> None:
        """Note that a clock has changed, so that a new message is due."""
        self._shown = None
