"""The lobby: the games on offer, requests for tables, and the matches for them."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, Final

from msgspec import Meta, Struct, field
from msgspec.structs import replace

from tabletop.display.svg import LAST, STYLE, TOKENS
from tabletop.errors import OptionError, RegistryError, TabletopError
from tabletop.host.screen_text import distinct_names, is_visible, printable
from tabletop.match.match import AnyMatch, Match
from tabletop.match.match_view import find_spectator_leak
from tabletop.protocol.settings import MOST_SEATS, TableSettings
from tabletop.records.format import HUMAN, Header
from tabletop.registry import Plugin, bot_label, installed, load
from tabletop.rng.seeds import new_salt
from tabletop.rng.streams import Streams
from tabletop.rules.game import default_names
from tabletop.rules.options import OptionValue
from tabletop.scores.sheets import FRESH, GIVEN, WEEKLY, seed_of_today
from tabletop.states.bounds import Seat
from tabletop.table.bot_names import bots_of, refuse_bot
from tabletop.table.bot_turns import ASK_HOST
from tabletop.table.presenter import picture_for
from tabletop.web.gallery import MOST_LETTERS
from tabletop.wording import did_you_mean, join_words, plural, truncate

MAX_NAME: Final = 40  # letters

TRIED: Final = 20
"""Number of actions of a random match to search for information that spectators must not see."""

MOST_MINE: Final = 50  # maximum number of tables in one request for their state

MAX_OPTION: Final = 16_384
"""Maximum number of letters of an option, enough for a deck of a thousand cards.

Longer texts slow down every action. The host can set them with `tabletop serve GAME --option`.
"""

_log = logging.getLogger("tabletop")

Word = Annotated[str, Meta(max_length=200)]
LongWord = Annotated[str, Meta(max_length=1000)]


class OfferedGames:
    """The games that a server offers: those given at its start, and the installed games.

    Raises:
        RegistryError: Two of the given games have the same name.
    """

    def __init__(self, given: Iterable[Plugin] = (), *, all_installed: bool = True) -> None:
        self._loaded: dict[str, Plugin] = {}
        for plugin in given:
            if self._loaded.setdefault(name_of(plugin), plugin) is not plugin:
                raise RegistryError(f"two games are called {name_of(plugin)!r}; leave one out")
        self._given = [*self._loaded]
        self._sees_more: dict[tuple[object, ...], bool] = {}
        self._names = sorted(installed()) if all_installed else []

    def plugin(self, name: str) -> Plugin:
        """Return the game with a name.

        Raises:
            RegistryError: The game is not offered, or cannot be loaded. The reason is in the log
                only, because it may contain paths of this machine.
        """
        plugin = self._loaded.get(name)
        if plugin is None:
            if name not in self._names:
                names = [*self._names, *self._loaded.keys() - set(self._names)]
                hint = did_you_mean(name, names, f"offered: {join_words(names, 'and')}")
                raise RegistryError(f"there is no game {name!r} here{hint}")
            try:
                plugin = self._loaded[name] = load(name, here=False)
            except RegistryError as error:
                _log.warning("%s", error)
                raise RegistryError(f"the game {name!r} cannot be loaded; {ASK_HOST}") from None
        return plugin

    def spectators_see_more(self, name: str, match: AnyMatch) -> bool:
        """Return whether a spectator sees more than a seat may in a match like this one.

        The answer is the same for all matches of a game with the same seats and options. It is
        found in a separate random match, because hidden cards may be dealt only after some actions.
        """
        kind = name, match.seats, tuple(match.options.items())
        if kind not in self._sees_more:
            self._sees_more[kind] = _spectators_see_more(match)
        return self._sees_more[kind]

    def plugins(self) -> Iterator[tuple[str, Plugin]]:
        """Yield all games with their names, except games that cannot be loaded."""
        for name in dict.fromkeys([*self._loaded, *self._names]):
            with suppress(RegistryError):  # it is in the log
                yield name, self.plugin(name)

    def as_message(self) -> dict[str, list[dict[str, Any]]]:
        """Return the list of games for the lobby, those given at the server's start first."""
        games = {
            name: _game_message(name, plugin)
            for name, plugin in self.plugins()
            if min(plugin.game.seats) <= MOST_SEATS
        }
        first = [games.pop(name) for name in self._given if name in games]
        return {"games": first + sorted(games.values(), key=lambda it: it["title"].casefold())}

    def style(self) -> str:
        """Return the style sheet of all pictures."""
        styles = dict.fromkeys(picture_for(plugin).style for _, plugin in self.plugins())
        return "\n".join([TOKENS, LAST, STYLE, *filter(None, styles)])


def _spectators_see_more(match: AnyMatch) -> bool:
    """Play a random match like another one, and search for a view that reveals too much."""
    trial: AnyMatch = Match(match.game, seed="0", seats=match.seats, options=match.options)
    stream = Streams("0")["choices"]
    try:
        while find_spectator_leak(trial) is None:
            if trial.over or trial.ply >= TRIED:
                return False
            trial.play(stream.choice(trial.legal_actions(trial.to_act[0])))
    except Exception:  # the table reports failing rules to its players
        return False
    return True


def name_of(plugin: Plugin) -> str:
    """Return the name by which a server offers a game."""
    return plugin.source if plugin.source in installed() else plugin.game.name


def _game_message(name: str, plugin: Plugin) -> dict[str, Any]:
    """Return the data of a game for the lobby. `name` is its name in requests."""
    game = plugin.game
    options = [
        {
            "name": option.name,
            "label": option.title,
            "type": option.type.__name__,
            "default": option.default,
            "choices": option.choices,
            "help": option.help,
            "low": option.low,
            "high": option.high,
        }
        for option in game.options
    ]
    return {
        "name": name,
        "title": game.title or game.name,
        "seats": [seats for seats in game.seats if seats <= MOST_SEATS],
        "options": options,
        "bots": bots_of(plugin),
        "rival": plugin.usual_level if plugin.levels else plugin.best_bot,
        "tutor": next(iter(plugin.levels), plugin.best_bot),
        "lessons": plugin.lessons is not None and plugin.page is None,
        "summary": plugin.summary,
        "minutes": plugin.minutes,
        "rules": bool(plugin.rulebook),
    }


class InvalidRequest(TabletopError):
    """A request for a table is invalid. The message names the fault and a valid value."""


class TableRequest(TableSettings, frozen=True, forbid_unknown_fields=True):
    """A request for a table: the settings of the table, and the fields below for its match.

    Attributes:
        game: The name of the game.
        seats: The number of seats. By default as few as the game and the other fields allow.
        names: The names of the first seats. A seat without a name gets its default name, such as
            "Player 3". A name that another seat has gets the number of its seat, such as "Ada (3)".
        players: The players of the first seats: "human", or the name of a bot. The other seats are
            for people.
        options: The options that differ from their defaults.
        seed: The seed, or empty for a random one.
        weekly: Whether to play the seed of the week.
    """

    game: Word
    seats: Annotated[int, Meta(ge=1, le=MOST_SEATS)] | None = None
    names: Annotated[list[Annotated[str, Meta(max_length=1000)]], Meta(max_length=MOST_SEATS)] = (
        field(default_factory=list)
    )
    players: Annotated[list[Word], Meta(max_length=MOST_SEATS)] = field(default_factory=list)
    options: dict[Word, OptionValue] = field(default_factory=dict)
    seed: Word = ""
    weekly: bool = False

    @property
    def settings(self) -> TableSettings:
        """The settings of the table, without the fields about its match."""
        return TableSettings(**{it: getattr(self, it) for it in TableSettings.__struct_fields__})


@dataclass(frozen=True, slots=True)
class NewTable:
    """A match for a new table, with the settings of the table.

    Attributes:
        invited: The seats that people take with the invitation.
    """

    game: str
    plugin: Plugin
    match: AnyMatch
    header: Header
    settings: TableSettings
    invited: tuple[Seat, ...] = ()


class JoinRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A request for a free seat, with the name of the player, or an empty text."""

    name: LongWord = ""


class LinkText(Struct, frozen=True, forbid_unknown_fields=True):
    """A request for the QR code of a link."""

    link: Annotated[str, Meta(min_length=1, max_length=MOST_LETTERS)]


class KnownTable(Struct, frozen=True, forbid_unknown_fields=True):
    """A table for which a visitor has a link.

    Attributes:
        table: The name of the table.
        token: The token of the link, or of the person who opened the table.
        seat: The token of a seat, to find out whether it is to act, or an empty text.
    """

    table: Word
    token: Word
    seat: Word = ""


class Mine(Struct, frozen=True, forbid_unknown_fields=True):
    """A request for the state of tables for which a visitor has links."""

    tables: Annotated[list[KnownTable], Meta(max_length=MOST_MINE)]


def new_table(request: TableRequest, games: OfferedGames, now: datetime) -> NewTable:
    """Create the match of a request.

    Raises:
        RegistryError: The game or a bot does not exist.
        OptionError: An option is unknown or out of its range.
        InvalidRequest: The request has another fault.
    """
    plugin = games.plugin(request.game)
    if request.weekly and request.seed:
        raise InvalidRequest("seed: the weekly match has its own seed; leave one of the two out")
    origin = WEEKLY if request.weekly else GIVEN if request.seed.strip() else FRESH
    seed = seed_of_today(WEEKLY, now.date()) if request.weekly else request.seed.strip() or None
    options = _options(plugin, request)
    names = _names(request, plugin)
    players = _players(request, plugin, len(names))
    settings = replace(request.settings, open=_open_seats(request, players))
    try:
        salt = salt_for(players, weekly=request.weekly)
        match = Match(plugin.game, seed=seed, salt=salt, seats=names, options=options)
    except TabletopError:
        raise
    except Exception as error:  # a combination of options that the game does not allow
        raise InvalidRequest(f"a match cannot start with these settings: {error}") from error
    header = header_of(plugin, match, players, origin, now)
    invited = seats_of_people(players)[1:]  # the first is for the person who opens the table
    return NewTable(request.game, plugin, match, header, settings, invited)


def seats_of_people(players: Sequence[str]) -> tuple[Seat, ...]:
    """Return the seats of people."""
    return tuple(seat for seat, player in enumerate(players) if player == HUMAN)


def salt_for(players: Sequence[str], *, weekly: bool = False) -> bytes | None:
    """Return a salt if several people play, to hide secrets, except in the weekly match."""
    return new_salt() if players.count(HUMAN) > 1 and not weekly else None


def header_of(
    plugin: Plugin, match: AnyMatch, players: Sequence[str], origin: str, now: datetime
) -> Header:
    """Return the header of the record of a new match."""
    return Header.of(
        match,
        source=plugin.source,
        players=players,
        created=now.isoformat(timespec="microseconds"),
        seed_origin=origin,
    )


def _names(request: TableRequest, plugin: Plugin) -> list[str]:
    """Return the names of the seats."""
    game = plugin.game
    seats = request.seats or max(len(request.names), len(request.players), game.seats[0])
    if seats not in game.seats:
        fewest, most = game.seats[0], game.seats[-1]
        wanted = str(fewest) if fewest == most else f"{fewest} to {most}"
        raise InvalidRequest(f"seats: {game.name} is for {wanted} players, not for {seats}")
    if len(request.names) > seats:
        raise InvalidRequest(
            f"names: {plural(len(request.names), 'name')} for {plural(seats, 'seat')}"
        )
    given = [clean_name(name, "names") for name in request.names]
    return distinct_names(given, default_names(game, seats))


def clean_name(text: str, where: str) -> str:
    """Return a name as it is displayed, empty for none, or raise `InvalidRequest`."""
    name = " ".join(printable(text).split())
    if len(name) > MAX_NAME:
        raise InvalidRequest(f"{where}: {truncate(name, 20)!r} is longer than {MAX_NAME} letters")
    return name if is_visible(name) else ""


def _players(request: TableRequest, plugin: Plugin, seats: int) -> list[str]:
    """Return the player of each seat."""
    if len(request.players) > seats:
        raise InvalidRequest(
            f"players: {plural(len(request.players), 'player')} for {plural(seats, 'seat')}"
        )
    players = [player.strip().casefold() or HUMAN for player in request.players]
    for player in players:
        if player != HUMAN and (refusal := refuse_bot(plugin, player)) is not None:
            raise refusal
    return players + [HUMAN] * (seats - len(players))


def _open_seats(request: TableRequest, players: Sequence[str]) -> tuple[Seat, ...]:
    """Return the seats that can be taken from the lobby."""
    for seat in request.open:
        if seat >= len(players):
            numbers = f"seats are numbered from 0 to {len(players) - 1}"
            raise InvalidRequest(f"open: there is no seat {seat}; {numbers}")
        if players[seat] != HUMAN:
            raise InvalidRequest(
                f"open: the {bot_label(players[seat])} plays seat {seat}."
                " Only people's seats can be taken"
            )
    return tuple(sorted(set(request.open)))


def _options(plugin: Plugin, request: TableRequest) -> dict[str, OptionValue]:
    """Return the options of the match. Values from fields of the page are texts."""
    known = {option.name: option for option in plugin.game.options}
    values: dict[str, OptionValue] = {}
    for name, value in request.options.items():
        option = known.get(name)
        if option is None:
            offered = ", ".join(known) or "none"
            raise OptionError(f"{plugin.game.name} has no option {name!r}; its options: {offered}")
        if isinstance(value, str) and len(value) > MAX_OPTION:
            raise OptionError(
                f"option {name} has {len(value)} letters, but only {MAX_OPTION} are allowed here"
                " (for more, start the server with the game and --option)"
            )
        values[name] = option.parse(value) if isinstance(value, str) else option.check(value)
    return {**plugin.game.catalog_options, **values} if request.weekly else values
