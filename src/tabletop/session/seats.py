"""Who decides for each seat of a match: people, and bots, which may have failed."""

from __future__ import annotations

from collections.abc import Sequence

from tabletop.errors import CommandError, RegistryError
from tabletop.match import AnyMatch
from tabletop.outcome import Seat
from tabletop.records.format import HUMAN
from tabletop.registry import Plugin


class Seats:
    """Who decides for each seat; bots are asked by the match itself.

    Args:
        match: what is played; it is handed its bots.
        plugin: which bots there are.
        players: who decides for each seat: "human", or the name of a bot.

    Raises:
        RegistryError: there is no such bot.
    """

    def __init__(self, match: AnyMatch, plugin: Plugin, players: Sequence[str]) -> None:
        self._match = match
        self._plugin = plugin
        self._players = list(players)
        self._failed: set[Seat] = set()  # in this position
        for seat, name in enumerate(players):
            if name != HUMAN:
                match.set_player(seat, plugin.bot(name, match.chance_of(seat), seat))

    @property
    def players(self) -> tuple[str, ...]:
        """Who decides for each seat: "human", or the name of a bot."""
        return tuple(self._players)

    @property
    def people(self) -> tuple[Seat, ...]:
        """The seats that people decide for."""
        return tuple(seat for seat, player in enumerate(self._players) if player == HUMAN)

    @property
    def waiting_for(self) -> tuple[Seat, ...]:
        """The seats that people are to decide for now."""
        return tuple(seat for seat in self._match.to_act if self.is_person(seat))

    @property
    def vacant(self) -> tuple[Seat, ...]:
        """The seats that are to act, and whose bots have failed."""
        return tuple(seat for seat in self._match.to_act if seat in self._failed)

    @property
    def bot_to_act(self) -> Seat | None:
        """The seat whose bot is to act next; see `Session.bot_to_act`."""
        match = self._match
        if match.undone and self.waiting_for:
            return None
        bots = (seat for seat in match.to_act if not self.is_person(seat))
        return next((seat for seat in bots if seat not in self._failed), None)

    def player(self, seat: Seat) -> str:
        """Who decides for a seat: "human", or the name of a bot."""
        return self._players[seat]

    def is_person(self, seat: Seat) -> bool:
        """Whether a person decides for a seat."""
        return self._players[seat] == HUMAN

    def put(self, seat: Seat, name: str) -> None:
        """Let somebody decide for a seat from now on, once that is written down.

        Args:
            seat: one of the match.
            name: "human", or that of a bot.

        Raises:
            CommandError: there is no such bot.
            RecordError: it could not be recorded.
        """
        match, player = self._match, None
        if name != HUMAN:
            try:
                player = self._plugin.bot(name, match.chance_of(seat), seat)
            except RegistryError as error:
                raise CommandError(str(error)) from error
        if match.recorder is not None:
            match.recorder.seated(seat, name)
        match.set_player(seat, player)
        self._players[seat] = name
        self._failed.discard(seat)

    def failed(self, seat: Seat) -> None:
        """Note that a bot has failed: it is not asked again in this position."""
        self._failed.add(seat)

    def changed(self) -> None:
        """Note that the match has gone on or back: all bots are asked again."""
        self._failed.clear()
