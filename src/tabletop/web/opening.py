"""Opening a table: what somebody asks for, and the match that is made of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Final
from unicodedata import category

import msgspec
from msgspec import Meta, Struct

from tabletop.errors import OptionError, TabletopError
from tabletop.host.printable import printable
from tabletop.match import AnyMatch, Match
from tabletop.options import OptionValue
from tabletop.records.entries import HUMAN, Header
from tabletop.registry import Plugin
from tabletop.rng import Streams
from tabletop.scores.sheets import FRESH, GIVEN, WEEKLY, seed_of_today
from tabletop.seeds import new_salt
from tabletop.web.games import Games
from tabletop.wording import counted, cut

MOST_LETTERS: Final = 40
"""A name has so many at most."""

MOST_TEXT: Final = 16_384
"""The text of an option has so many letters at most: a deck of a thousand cards. Longer ones make
every move slow; `tabletop serve GAME --option` takes them from files of one's own."""

Word = Annotated[str, Meta(max_length=200)]


class BadWish(TabletopError):
    """No table can be opened like that; says what was wrong, and what would have been right."""


class Wish(Struct, frozen=True, forbid_unknown_fields=True):
    """What somebody wants to play.

    Attributes:
        game: its name.
        seats: how many play; as few as the game allows when not given.
        names: of the seats, from the first on; the others get one.
        players: who decides for each seat: "human", or the name of a bot; people for the others.
        options: those that differ from their defaults.
        seed: a text; empty for a fresh one.
        weekly: whether to play the seed of the week.
        casual: whether actions may be taken back freely.
        clock: seconds for each person, for the whole match; None without clocks.
    """

    game: Word
    seats: Annotated[int, Meta(ge=1, le=100)] | None = None
    names: Annotated[list[Annotated[str, Meta(max_length=1000)]], Meta(max_length=100)] = []
    players: Annotated[list[Word], Meta(max_length=100)] = []
    options: dict[Word, OptionValue] = {}
    seed: Word = ""
    weekly: bool = False
    casual: bool = False
    clock: Annotated[float, Meta(ge=1, le=10_000_000)] | None = None


@dataclass(frozen=True, slots=True)
class Setup:
    """A match that can begin.

    Attributes:
        game: what it is asked for by on this server.
        plugin: the game.
        match: the match.
        header: what its record begins with.
        casual: whether actions may be taken back freely.
        clock: seconds for each person; None without clocks.
    """

    game: str
    plugin: Plugin
    match: AnyMatch
    header: Header
    casual: bool = False
    clock: float | None = None


_DECODER: Final = msgspec.json.Decoder(Wish)


def read_wish(data: bytes) -> Wish:
    """What somebody has asked for.

    Raises:
        BadWish: it is no such thing.
    """
    try:
        return _DECODER.decode(data)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise BadWish(cut(str(error), 300)) from error


def set_up(wish: Wish, games: Games, now: datetime) -> Setup:
    """The match that somebody wants.

    Raises:
        RegistryError: there is no such game, or no such bot.
        OptionError: an option is unknown, or out of its range.
        BadWish: something else is wrong.
    """
    plugin = games.plugin(wish.game)
    if wish.weekly and wish.seed:
        raise BadWish("seed: the weekly match has a seed of its own; leave one of the two out")
    origin = WEEKLY if wish.weekly else GIVEN if wish.seed.strip() else FRESH
    seed = seed_of_today(WEEKLY, now.date()) if wish.weekly else wish.seed.strip() or None
    options = _options(plugin, wish)
    names = _names(wish, plugin)
    players = _players(wish, plugin, len(names))
    try:
        salt = salt_for(players, weekly=wish.weekly)
        match = Match(plugin.game, seed=seed, salt=salt, seats=names, options=options)
    except TabletopError:
        raise
    except Exception as error:  # options that are allowed each, and not together
        raise BadWish(f"no match can begin like that: {error}") from error
    header = header_of(plugin, match, players, origin, now)
    return Setup(wish.game, plugin, match, header, wish.casual, wish.clock)


def salt_for(players: Sequence[str], *, weekly: bool = False) -> bytes | None:
    """A salt where several people play: a seed, which people may know, gives nothing away then.

    Args:
        players: who decides for each seat.
        weekly: whether the match is to be of a world that everybody can play.
    """
    return new_salt() if players.count(HUMAN) > 1 and not weekly else None


def header_of(
    plugin: Plugin, match: AnyMatch, players: Sequence[str], origin: str, now: datetime
) -> Header:
    """What the record of a match that has just been made begins with.

    Args:
        plugin: the game.
        match: the match; any seat of it may be a bot's from now on.
        players: who decides for each seat.
        origin: where the seed comes from; see `tabletop.records.entries.Header`.
        now: when it begins.
    """
    for seat in range(match.seats):
        match.chance_of(seat)  # a record says at its start that bots may draw
    return Header.of(
        match,
        source=plugin.source,
        players=players,
        created=now.isoformat(timespec="microseconds"),
        seed_origin=origin,
    )


def _names(wish: Wish, plugin: Plugin) -> list[str]:
    """The names of the seats.

    Raises:
        BadWish: there are too many or too few.
    """
    game = plugin.game
    seats = wish.seats or max(len(wish.names), len(wish.players), game.seats[0])
    if seats not in game.seats:
        fewest, most = game.seats[0], game.seats[-1]
        wanted = str(fewest) if fewest == most else f"{fewest} to {most}"
        raise BadWish(f"seats: {game.name} is for {wanted} players, not for {seats}")
    if len(wish.names) > seats:
        raise BadWish(f"names: {counted(len(wish.names), 'name')} for {counted(seats, 'seat')}")
    given = [" ".join(printable(name).split()) for name in wish.names]
    for name in given:
        if len(name) > MOST_LETTERS:
            raise BadWish(f"names: {cut(name, 20)!r} is longer than {MOST_LETTERS} letters")
    everybody = given + [""] * (seats - len(given))
    return [
        name if _is_seen(name) else f"Player {number}" for number, name in enumerate(everybody, 1)
    ]


def _is_seen(name: str) -> bool:
    """Whether there is anything to be seen of a name: some characters have no shape."""
    return any(category(letter)[0] in "LNPS" for letter in name)


def _players(wish: Wish, plugin: Plugin, seats: int) -> list[str]:
    """Who decides for each seat.

    Raises:
        BadWish: there are too many.
        RegistryError: there is no such bot.
    """
    if len(wish.players) > seats:
        raise BadWish(
            f"players: {counted(len(wish.players), 'player')} for {counted(seats, 'seat')}"
        )
    players = [player.strip().casefold() or HUMAN for player in wish.players]
    for player in players:
        if player != HUMAN:
            plugin.bot(player, Streams(player)["unused"])  # raises when there is none
    return players + [HUMAN] * (seats - len(players))


def _options(plugin: Plugin, wish: Wish) -> dict[str, OptionValue]:
    """The options of the match: what stands in a field of the page is a text.

    Raises:
        OptionError: one is unknown, or out of its range.
    """
    known = {option.name: option for option in plugin.game.options}
    values: dict[str, OptionValue] = {}
    for name, value in wish.options.items():
        option = known.get(name)
        if option is None:
            offered = ", ".join(known) or "none"
            raise OptionError(f"{plugin.game.name} has no option {name!r}; its options: {offered}")
        if isinstance(value, str) and len(value) > MOST_TEXT:
            raise OptionError(
                f"option {name}: {len(value)} letters; {MOST_TEXT} are the most that are taken here"
                " (start the server with the game and --option for more)"
            )
        values[name] = option.parse(value) if isinstance(value, str) else option.check(value)
    return {**plugin.game.catalog_options, **values} if wish.weekly else values
