"""Capture all messages to every seat in random matches, and search them for secrets.

    python -m tests.tabletop.web.secrecy 1000

plays that many matches of all games through screens, and checks every text:

- It does not contain a token, a seed, a salt, a position of a stream, a digest, or the name of a
  card that neither the view of the seat nor an event has ever revealed to it.
- After an action, the messages are the same, byte for byte, if the cards that the seat cannot see
  are redealt: picture, choices, position in words, log, and the reasons for refusals.
- Looking back at that position later shows the same again.
"""

from __future__ import annotations

import json
import re
import sys
import time
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from sorcery import Sorcery
from tabletop import ALL, Event, Match, Plugin, Random, Seat, SeedError, Stream, Streams
from tabletop.display import Size
from tabletop.display.briefing import Briefing
from tabletop.display.console_text import Entry
from tabletop.match import AnyMatch
from tabletop.match.history import Checkpoint
from tabletop.protocol import TableSettings, state_after
from tabletop.protocol.incoming import (
    ActIn,
    AskIn,
    ConsentIn,
    Drawing,
    ExplainIn,
    HelpIn,
    LayoutIn,
    LookIn,
    MessageIn,
    ProposeIn,
    RedoIn,
    ReseatIn,
    RulesIn,
    SampleIn,
    SayIn,
    SitIn,
    UndoIn,
)
from tabletop.protocol.outgoing import PastOut, encode
from tabletop.records import HUMAN
from tabletop.registry import load
from tabletop.rules import OptionValue
from tabletop.states.codec import to_builtins
from tabletop.table import Past, UndoPolicy
from tabletop.table.inputs import WIDE, Ask, Fault, Input, Open, Shut, Tick, Wants
from tabletop.table.limits import TableLimits
from tabletop.table.match_table import MatchTable
from tabletop.table.presenter import TablePresenter
from tabletop.table.reader_log import MAX_ENTRIES
from tabletop.table.seat_holder import Screen, SeatHolder
from tabletop.web.tokens import hash_token, new_seat_tokens
from tests.tabletop.midway import put_at

ROOT: Final = Path(__file__).parents[3]
FAR: Final = 731_000_000_000_000
"""The start of streams, so that their positions are numbers that do not occur elsewhere."""

SHORTEST: Final = 4
"""Minimum length of a word to search for, because shorter words occur by chance."""

OF_THE_TABLE: Final = ("remark", "chat")
"""The kinds of lines that follow from no state."""

_PART: Final = re.compile(r'data-part=\\"([^"\\]+)\\"')


class Leak(Exception):
    """A seat was sent what it must not know."""


@dataclass(frozen=True)
class Kind:
    """Matches of a game.

    Attributes:
        source: The source by which the game is loaded.
        plies: Maximum number of actions.
        options: The options of each match.
        twin_every: The number of texts from one comparison with a redealt state to the next.
        open: Words of cards that are also on every table, such as the names of its columns.
    """

    source: str
    plies: int = 400
    options: Mapping[str, OptionValue] = field(default_factory=dict)
    twin_every: int = 5
    open: frozenset[str] = frozenset()


def _decks(source: str) -> dict[str, OptionValue]:
    """Decks without a common card: whoever holds one knows none of the other."""
    # What a summoner calls is named on it.
    game = load(source).game
    assert isinstance(game, Sorcery)
    names = sorted(set(game.edition.cards) - {"Air Elemental"})
    return {"deck1": "\n".join(names[::2] * 2), "deck2": "\n".join(names[1::2] * 2)}


WARES: Final = frozenset({"amber", "pearls", "rum", "silk"})
ROLES: Final = frozenset({"keeper", "lookout", "ringleader", "wrecker"})
TOWN: Final = frozenset(
    (
        *("candle", "lantern", "star", "tree", "gate", "tower", "smoke", "flame", "hourglass"),
        *("shield", "bell", "crystal", "key", "book", "hammer", "claw", "eye", "ring"),
        *("chalice", "storm"),
    )
)
RIVERS: Final = frozenset({"ash", "birch", "cedar", "elm", "fir"})

KINDS: Final = (
    Kind("sorcery", options=_decks("sorcery")),
    Kind("tests/tabletop/games/sealed.py", twin_every=1),
    Kind("examples/masks.py", twin_every=1),
    Kind("sorcery"),
    Kind("examples/simultaneous.py", twin_every=1),
    Kind("lcr"),
    Kind("constructor", plies=120, options={"patience": 4}, twin_every=40),
    Kind("tests/tabletop/games/cards.py", twin_every=1),
    Kind("tests/tabletop/games/rps.py", twin_every=1),
    Kind("sorcery-2017", options=_decks("sorcery-2017")),
    Kind("constructor-small", plies=120, options={"patience": 4}, twin_every=40),
    Kind("constructor-square", plies=120, options={"patience": 4}, twin_every=40),
    Kind("examples/caverns.py", plies=80),
    Kind("examples/tictactoe.py"),
    Kind("examples/herons.py", plies=20),
    Kind("tests/tabletop/games/race.py"),
    Kind("examples/crazy_eights.py", plies=80),
    Kind("examples/flotsam.py", plies=80, open=WARES),
    Kind("examples/beacons.py", plies=40, open=ROLES),
    Kind("examples/deck_builder.py", plies=60, open=TOWN),
    Kind("examples/harbour.py", plies=80),
    Kind("examples/hearts.py", plies=80),
    Kind("examples/kuhn_poker.py", twin_every=1),
    Kind("examples/liars_dice.py", plies=80),
    Kind("examples/mire_cards.py", plies=80, open=frozenset({"Bog Maw"})),  # its title has it
    Kind("examples/nettles.py", plies=80),
    Kind("examples/peal.py", plies=40),
    Kind("examples/own_cards.py", plies=80, open=frozenset({"Vampire Countess"})),
    Kind("examples/upriver.py", plies=80, open=RIVERS),
    Kind("examples/vacant_chair.py", twin_every=1),
    Kind("examples/backgammon.py", plies=40),
    Kind("examples/go.py", plies=40),
    Kind("examples/chess.py", plies=40),
    Kind("examples/loaded_dice.py", plies=80),
    Kind("examples/pig.py", plies=80),
)
"""All games: the installed ones, those of the examples, and some of the tests."""


@cache
def plugin_of(source: str) -> Plugin:
    return load(str(ROOT / source) if source.endswith(".py") else source)


@dataclass
class Found:
    """Counts of the checks.

    Attributes:
        matches, texts, letters: The numbers of matches, of their texts, and of letters.
        twins: The number of texts compared with those of a redealt state.
        pasts: The number of compared positions to which a seat looked back.
        words: The number of searches for hidden words.
        plies: The number of actions played.
    """

    matches: int = 0
    texts: int = 0
    letters: int = 0
    twins: int = 0
    pasts: int = 0
    words: int = 0
    plies: int = 0

    def __str__(self) -> str:
        return (
            f"{self.matches} matches, {self.plies} actions: {self.texts} texts with"
            f" {self.letters} letters were sent; {self.words} times a hidden name was looked for,"
            f" and {self.twins} looks were compared with those of what was dealt anew, {self.pasts}"
            " of them by looking back. No leak."
        )


def strings(value: object) -> Iterator[str]:
    """All texts in a value of plain data."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for inner in value.values():
            yield from strings(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from strings(inner)


def words_in(values: Iterable[object]) -> set[str]:
    return {word for value in values for word in strings(to_builtins(value))}


class Trial:
    """A match that is played through the messages of its screens.

    Args:
        kind: The game.
        number: A number that selects the match.
        found: Counts the checks.
    """

    def __init__(self, kind: Kind, number: int, found: Found) -> None:
        self.kind, self.found = kind, found
        self.plugin = plugin_of(kind.source)
        self.chance: Stream = Streams(f"{kind.source} {number}")["trial"]
        self.seed = f"quagga-{number}-nightjar"
        self.seats = self.chance.choice(list(self.plugin.game.seats)[:4])
        self.salted = self.chance.chance(1, 2)
        salt = bytes(self.chance.below(256) for _ in range(16)) if self.salted else None
        self.match = self._match(salt)
        self.start: list[Checkpoint[Any]] = []
        self._go_far(self.match)
        self.players = self._players()
        self.tokens, tokens, spectators = new_seat_tokens([True] * self.seats)
        own = [token for token in [*tokens, spectators] if token]
        self.never = [*own, *map(hash_token, own)]
        self.secrets = [self.seed, str(FAR)[:9], *([salt.hex()] if salt else ())]
        self.is_casual = self.chance.chance(1, 3)
        self.raw: list[Event] = []
        self.numbered = 0
        self.match.observe(self.raw.append, seat=ALL)
        self.told: dict[Seat | None, list[Event]] = {}
        self.known: dict[Seat | None, set[str]] = {}
        watchers: list[Seat | None] = [*range(self.seats), None]
        for watcher in watchers:
            self.told[watcher] = []
            self.known[watcher] = set(_vocabulary(self.plugin, self.match))
            self.match.observe(self.told[watcher].append, seat=watcher)
        undo: UndoPolicy = "casual" if self.is_casual else "fair"
        self.table = self._table(self.match, self.players, undo)
        self.presenter = TablePresenter(self.table)
        self.now = 0.0
        self.holders = {watcher: self.table.holders[watcher] for watcher in watchers}
        self.screens = {watcher: number for number, watcher in enumerate(watchers)}
        self.briefings = {
            seat: Briefing(self.match, self.plugin.text, "", seat) for seat in range(self.seats)
        }
        self.shown: dict[Seat | None, dict[str, Any]] = {}
        self.pasts: dict[object, PastOut] = {}
        for watcher, number in self.screens.items():
            self.receive(Open(watcher, number, self._wants(), changes=True))
        self.was_over = False

    def _wants(self) -> Wants:
        """A picture, data, or both."""
        chance = self.chance
        pictures: list[Drawing] = ["wide", "wide", "narrow"]
        size = Size(80, 24) if chance.chance(1, 4) else Size()
        return Wants(chance.choice(pictures), chance.chance(1, 2), size)

    def _match(self, salt: bytes | None) -> AnyMatch:
        names = [f"Player {number}" for number in range(1, self.seats + 1)]
        return Match(
            self.plugin.game, seed=self.seed, salt=salt, seats=names, options=self.kind.options
        )

    def _go_far(self, match: AnyMatch) -> None:
        """Begin with all streams far from their start."""
        scout = match.clone()
        for seat in range(scout.seats):
            scout.set_player(seat, Random(str(seat)))
        scout.run(40)
        far = {name: FAR + match.streams().get(name, 0) for name in scout.streams()}
        try:
            put_at(match, match.state, far)
            self.start = match._history.checkpoints
        except SeedError:  # a stream of the game's own, which counts otherwise
            self.match = self._match(match.salt)

    def _players(self) -> list[str]:
        bots = [*self.plugin.bots, HUMAN, HUMAN, HUMAN]
        return [HUMAN, *(self.chance.choice(bots) for _ in range(self.seats - 1))]

    def _table(self, match: AnyMatch, players: Sequence[str], undo: UndoPolicy) -> MatchTable:
        limits = TableLimits(pause=0, waiting=1000, messages_at_once=10**6, looks_at_once=10**6)
        return MatchTable(
            match,
            self.plugin,
            players,
            TableSettings(clock=600, increment=5, idle_timeout=60),
            0,
            seating={seat: [seat] for seat in range(self.seats)},
            limits=limits,
            clock=[600.0] * self.seats,
            secret=lambda: "s",
            undo=undo,
        )

    def receive(self, given: Input) -> None:
        """Pass an input to the table."""
        for effect in self.table.receive(given, self.now):
            if isinstance(effect, Fault):
                raise effect.error

    # Playing.

    def play(self) -> None:
        """Play it to its end, and look at everything that is sent."""
        self.look(set())
        before = -1
        for _ in range(3 * self.kind.plies):
            match = self.match
            if match.over or match.ply >= self.kind.plies:
                break
            before = match.ply
            del self.raw[:]
            one_action = self.step()
            self.now += 0.1
            self.receive(Tick())
            due = match.ply == before + 1 and one_action
            self.look({*self.screens} if due else set())
        self.found.matches += 1
        self.found.plies += self.match.ply
        self.receive(Shut(1001))
        self.table.close()

    def step(self) -> bool:
        """Do what a bot, or somebody at a screen, does next; whether it was to be an action."""
        table, chance = self.table, self.chance
        if chance.chance(1, 8):
            self.say(chance.choice([*self.screens]), self.odd_message())
            return False
        if table.requests.advance():
            return True
        if not table.waiting_for:
            return False
        seat = chance.choice(table.waiting_for)
        choices = self.presenter.state(self.holders[seat], WIDE, self.now).choices
        choice = chance.choice(choices)
        words = [choice.words]
        if choice.several is not UNSET:
            items = [item.words for item in choice.several.items]
            words += chance.sample(items, choice.several.low)
        self.say(seat, ActIn(" ".join(words), 1, choice.seat))
        return True

    def odd_message(self) -> MessageIn:
        """Something else than the next action."""
        chance = self.chance
        seat = chance.below(self.seats)
        messages: list[MessageIn] = [
            ActIn("play 1", 2, seat),
            ActIn("", 3),
            UndoIn(4),
            RedoIn(5),
            ConsentIn(True),
            ConsentIn(False),
            ConsentIn(chance.chance(1, 2), kind=chance.choice(["", "undo", "pause"])),
            ProposeIn(chance.choice(["pause", "resume"]), 14),
            SayIn("well done", 15),
            ReseatIn(seat, "random", 6),
            ReseatIn(seat, HUMAN, 7),
            LayoutIn(chance.choice(["wide", "narrow", ""])),
            LayoutIn("", 100, 40),
            AskIn(chance.choice(["hand", "board", "log", "status", "/table", "/actions"]), 16),
            HelpIn(17),
            SitIn(seat, 18),
            ExplainIn(f"hand-{1 + chance.below(4)}", 8),
            SampleIn(2, 9),
            SampleIn(1, 10, seat),
            LookIn(chance.below(self.match.ply + 2), 11),
            LookIn(self.match.ply, 12),
            RulesIn(13),
        ]
        return chance.choice(messages)

    def say(self, seat: Seat | None, message: MessageIn) -> None:
        self.receive(Ask(self.screens[seat], message))

    # Looking.

    def look(self, compared: set[Seat | None]) -> None:
        """Look at all that is sent now; that of some is compared with what was dealt anew."""
        self.was_over = self.was_over or self.match.over
        # Keep the checkpoint with the streams that start far off, which the match would drop.
        kept = [it for it in self.match._history.checkpoints if it.ply]
        self.match._history.checkpoints = [*self.start, *kept]
        stands: set[str] | None = None
        for watcher, screen in self.screens.items():
            known = self.known[watcher]
            events = self.told[watcher]
            known |= words_in([self.match.view(watcher), *events])
            count = len(events)
            events.clear()
            if self.was_over:  # the options are public at the end, including decks
                known |= set(_lines(self.match.options))
            if stands is None:
                stands = {word for word in words_in([self.match.state]) if len(word) >= SHORTEST}
            shown = copy(self.holders[watcher].screens[screen])
            due = self.table.due(screen, self.presenter, self.now)
            texts = [self.whole(watcher, encode(message)) for message in due]
            wants = self.holders[watcher].screens[screen].wants
            for text in texts:
                # Samples may equal the real state by chance, and are checked by comparison. Rules
                # name all cards.
                is_free = text.startswith(('{"type":"samples"', '{"type":"rules"'))
                hidden = set[str]() if is_free else stands - known - self.kind.open
                self.search(watcher, text, hidden)
                if text.startswith('{"type":"past"'):
                    self.look_again(watcher, wants, msgspec.json.decode(text, type=PastOut))
            if watcher is not None:
                self.search(watcher, self.prompt(watcher), stands - known - self.kind.open)
            # An outcome may count hidden cards, such as the points of those left in hands.
            is_due = watcher in compared and not self.match.over
            if is_due and self.chance.chance(1, self.kind.twin_every):
                self.compare(watcher, shown, texts, count)

    def prompt(self, seat: Seat) -> str:
        """Return what a language model in a seat reads."""
        briefing = self.briefings[seat]
        turn = briefing.turn() if seat in self.match.to_act else ""
        return "\n".join([*(told.text for told in briefing.events()), turn])

    def whole(self, watcher: Seat | None, text: str) -> str:
        """What a screen makes of a text: of a state whose changes are told, all of it."""
        if text.startswith('{"type":"changes"'):
            self.shown[watcher] = state_after(self.shown[watcher], json.loads(text))
        elif text.startswith('{"type":"state"'):
            self.shown[watcher] = json.loads(text)
        else:
            return text
        return json.dumps(self.shown[watcher], ensure_ascii=False, separators=(",", ":"))

    def search(self, watcher: Seat | None, text: str, hidden: set[str]) -> None:
        """Look for what must not stand in a text."""
        found = self.found
        found.texts += 1
        found.letters += len(text)
        found.words += len(hidden)
        secrets = [*self.never, self.match.digest()]
        if not self.was_over:
            secrets += self.secrets
        for secret in [*secrets, *sorted(hidden)]:
            if secret in text:
                at = text.index(secret)
                where = text[max(0, at - 60) : at + 60]
                raise Leak(f"{self.kind.source}: {watcher} is sent {secret!r}: {where}")

    def compare(self, watcher: Seat | None, shown: Screen, texts: list[str], told: int) -> None:
        """Whether the same is sent when what the watcher cannot see is dealt anew."""
        if not self.match.game.hides_something:
            self.found.twins += 1  # there is nothing to deal
            return
        match, game = self.match, self.plugin.game
        dealt = game.redeal(match.state, watcher, self.chance)
        twin = self._match(match.salt)
        put_at(twin, dealt, {}, match.actions)
        table = self._table(twin, self.table.players, "casual")
        table.requests.positions.revision = self.table.requests.positions.revision
        presenter, client = TablePresenter(table), table.holders[watcher]
        own: SeatHolder = self.holders[watcher]
        shown_log, log = own.perspective.log, client.perspective.log
        before = shown_log.entries(watcher)
        remarks = sum(it["kind"] in OF_THE_TABLE for it in _lines_of(texts))
        log._remark_count = shown_log._remark_count - remarks
        log._entries[watcher] = deque(before[: len(before) - told], MAX_ENTRIES)
        table.together = set(self.table.together)
        first = self.table.holders._number - len(self.raw) + 1
        for number, raw in enumerate(self.raw, first):
            event = game.view_event(raw, dealt, watcher)
            if event is not None:
                client.observe(watcher, Entry(event, twin.ply, number))
        client.position_changed()
        client._looked = own._looked
        log._remark_count = shown_log._remark_count
        wants = own.screens[shown.number].wants
        table.receive(Open(watcher, 0, wants), self.now)
        for name in ("read", "asked", "shown_size", "question"):  # a terminal shows these texts
            setattr(client.screens[0], name, getattr(shown, name))
        due = table.due(0, presenter, self.now)
        sent, again = _comparable(texts), _comparable(map(encode, due))
        for text in sent.get("state", ()):
            for part in sorted(set(_PART.findall(texts[-1])))[:3]:
                asked = ExplainIn(part)
                if self.presenter.explain(own, asked) != presenter.explain(client, asked):
                    raise Leak(f"{self.kind.source}: {watcher} is told why of {part}")
            if again.get("state") != [text]:
                raise Leak(f"{self.kind.source}: the state of {watcher} tells: {text} {again}")
        if sent.get("log", []) != again.get("log", []):
            raise Leak(f"{self.kind.source}: the log of {watcher} tells: {sent} {again}")
        self.compare_samples(watcher, table)
        self.compare_past(watcher, wants, own, client, presenter)
        self.found.twins += 1
        table.receive(Shut(1001), self.now)
        table.close()

    def compare_samples(self, watcher: Seat | None, other: MatchTable) -> None:
        """Whether the same states are drawn for a seat that is to act, whatever is hidden."""
        if watcher in self.match.to_act and watcher in self.holders[watcher].played_seats:
            drawn = [
                it.questions.samples(it.holders[watcher], 1, watcher) for it in (self.table, other)
            ]
            if drawn[0] != drawn[1]:
                raise Leak(f"{self.kind.source}: the samples of {watcher} tell: {drawn}")

    def compare_past(
        self,
        watcher: Seat | None,
        wants: Wants,
        own: SeatHolder,
        client: SeatHolder,
        presenter: TablePresenter,
    ) -> None:
        """Whether who looks back at the present position is shown the same, whatever is hidden."""
        match, twin = self.match, client.perspective.match
        past = own.perspective.past(match.ply, watcher)
        anew = (self.plugin.game.view_event(raw, twin.state, watcher) for raw in self.raw)
        recent = tuple(event for event in anew if event is not None)
        told = (*past.told[: len(past.told) - len(past.recent)], *recent)
        dealt = Past(match.ply, twin.view(watcher), twin.to_act, twin.outcome, recent, told)
        again = presenter.past(client, watcher, dealt, wants)
        shown = replace(self.looked(own, match.ply, wants), log_line=0)
        if shown != again:
            what = difference(shown, again)
            raise Leak(f"{self.kind.source}: the past of {watcher} tells: {what}")
        self.pasts[self.moment(watcher, wants, match.ply)] = shown
        other = self.looked(own, self.chance.below(match.ply + 1), wants)
        self.look_again(watcher, wants, other)

    def looked(self, holder: SeatHolder, ply: int, wants: Wants) -> PastOut:
        """Return the answer to a screen that looks back."""
        answer = holder.look(ply, wants, 0, self.now)
        past = answer(self.presenter) if callable(answer) else answer
        assert isinstance(past, PastOut)
        return past

    def look_again(self, watcher: Seat | None, wants: Wants, told: PastOut) -> None:
        """Whether a position that was compared when it was the present one is shown as it was."""
        before = self.pasts.get(self.moment(watcher, wants, told.ply))
        if before is not None:
            self.found.pasts += 1
            again = replace(told, id=0, log_line=0)
            if again != before:
                what = difference(before, again)
                raise Leak(f"{self.kind.source}: {watcher} looks back at something else: {what}")

    def moment(self, watcher: Seat | None, wants: Wants, ply: int) -> object:
        """A position of the present line of play, as a screen sees it."""
        return watcher, wants, *map(str, self.match.actions[:ply])


def difference(one: PastOut, other: PastOut) -> str:
    """Where two positions differ first, and how."""
    texts = [str(msgspec.structs.asdict(it)) for it in (one, other)]
    differing = (at for at, letters in enumerate(zip(*texts, strict=False)) if len({*letters}) > 1)
    at = next(differing, 0)
    return " or ".join(repr(text[max(0, at - 80) : at + 80]) for text in texts)


def _lines_of(texts: Iterable[str]) -> list[dict[str, Any]]:
    """The lines of the log among messages."""
    messages = map(json.loads, texts)
    return [line for it in messages if it["type"] == "log" for line in it["lines"]]


def _comparable(texts: Iterable[str]) -> dict[str, list[Any]]:
    """Messages by their type, without what follows from the past and not from the position."""
    found: dict[str, list[Any]] = {}
    for text in texts:
        message = json.loads(text)
        message.pop("can_undo", None)
        message.pop("undo_refusal", None)
        message.pop("can_redo", None)
        message.pop("deadline", None)
        if message["type"] == "log":  # lines about the table are public
            lines = message["lines"]
            message["lines"] = [line for line in lines if line["kind"] not in OF_THE_TABLE]
            if not message["lines"]:
                continue
        found.setdefault(message["type"], []).append(message)
    return found


def _vocabulary(plugin: Plugin, match: AnyMatch) -> Iterator[str]:
    """Yield words that are public at any time."""
    yield from match.names
    yield from match.options
    actions = plugin.game.all_actions(match.options, match.seats)
    for action in match.legal_actions() if actions is None else actions:
        yield str(action)
        yield from words_in([action])


def _lines(options: Mapping[str, OptionValue]) -> Iterator[str]:
    for value in options.values():
        if isinstance(value, str):
            yield from value.split("\n")


def run(matches: int, kinds: Iterable[Kind] = KINDS, first: int = 0) -> Found:
    """Play so many matches, of the kinds in turn.

    Raises:
        Leak: somebody was sent what they must not know.
    """
    found = Found()
    all_kinds = tuple(kinds)

    for number in range(first, first + matches):
        Trial(all_kinds[number % len(all_kinds)], number, found).play()
    return found


def main(arguments: list[str]) -> int:
    began = time.monotonic()
    found = run(int(arguments[0]) if arguments else 100)
    print(f"{found} {time.monotonic() - began:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
