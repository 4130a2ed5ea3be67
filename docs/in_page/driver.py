"""The Python side of "Try it in the page": check a game that a visitor writes, and play it.

It runs in a web worker, where `worker.js` passes on the requests of the page and the answers as
JSON. Text and pictures of a game are sent to the page only as data.
"""

from __future__ import annotations

import json
import os
import sys
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import asdict
from functools import partial
from itertools import islice
from pathlib import Path
from time import monotonic
from traceback import extract_tb
from typing import Any, Final

from tabletop import Event, Match, Plugin, RegistryError, TabletopError, Watcher
from tabletop.display import Clickable, Scene, clickables, flattened
from tabletop.host import load_file, printable, printable_names, sanitize
from tabletop.protocol import (
    ActIn,
    MessageIn,
    RefusedOut,
    ReseatIn,
    StateOut,
    TableSettings,
    UndoIn,
)
from tabletop.records import HUMAN
from tabletop.registry import BotMaker, load
from tabletop.table import (
    ActionFailed,
    Ask,
    AskBot,
    BotActs,
    Effect,
    Input,
    MatchTable,
    Open,
    Replaced,
    TableLimits,
    TablePresenter,
    Tick,
)
from tabletop.testing import LawBroken, Report, check_game, check_picture, check_words
from tabletop.wording import plural

FOLDER: Final = Path("/games")
MATCHES: Final = 20
SECONDS: Final = 30.0
"""The number of matches of a check, and its approximate time limit in seconds."""

PICTURED_MATCHES, PLIES = 2, 60
"""Number of matches to draw, and of actions in each."""

LINES: Final = 60
"""The number of log lines to display."""

EVENTS: Final = 100
"""The number of last events that pictures can show."""

CHOICES: Final = 200
PAUSE: Final = 0.2
"""Seconds between two messages about the progress of a check."""

Answer = dict[str, Any]
Tell = Callable[[str], object]


def answer(question: str, tell: Tell) -> str:
    """Carry out a request of the page and return the answer, both as JSON.

    Args:
        question: An object with the name of a function in `do`, and its arguments.
        tell: Called with the progress of a long request.

    Returns:
        The result, or an `error`. If the error comes from the visitor's file, the answer also
        contains its `line`.
    """
    asked = json.loads(question)
    try:
        return json.dumps(_DOINGS[asked.pop("do")](tell=tell, **asked))
    except Exception as error:
        return json.dumps(failure(error))
    except SystemExit as error:
        return json.dumps(failure(error))


def failure(error: BaseException) -> Answer:
    """Describe an error to the author of the game, without details of the framework."""
    known = isinstance(error, TabletopError | LawBroken)
    words = str(error) if known else f"{type(error).__name__}: {error}"
    described = {"error": sanitize(words.replace(f"{FOLDER}{os.sep}", ""))}
    line = line_of(error)
    return described if line is None else {**described, "line": line}


def line_of(error: BaseException | None) -> int | None:
    """Return the line of the visitor's file that caused an error, or None."""
    line, place = None, f"{FOLDER}{os.sep}"
    while error is not None:
        if isinstance(error, SyntaxError) and (error.filename or "").startswith(place):
            line = error.lineno
        for frame in extract_tb(error.__traceback__):
            if frame.filename.startswith(place):
                line = frame.lineno
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    return line


def read_game(file: str, text: str) -> tuple[Plugin, Mapping[str, Any]]:
    """Load a game from its text. Return the game and its options for matches.

    Raises:
        RegistryError: The text does not define a game.
    """
    path = FOLDER / file
    FOLDER.mkdir(exist_ok=True)
    path.write_text(text, "utf-8")
    for name, module in list(sys.modules.items()):
        if getattr(module, "__file__", None) == str(path):
            del sys.modules[name]
    plugin = load(str(path))
    chosen = getattr(load_file(path), "CHOSEN", {})
    if not isinstance(chosen, Mapping):
        raise RegistryError(f"CHOSEN is {chosen!r}, not options and their values by name")
    return plugin, plugin.game.resolve_options(chosen)


# Checking.


def check(file: str, text: str, *, tell: Tell) -> Answer:
    """Check that a game fulfils the contract, as `tabletop check` does."""
    plugin, options = read_game(file, text)
    began = reported = monotonic()

    def follow(report: Report, doing: str) -> None:
        nonlocal reported
        if monotonic() - reported > PAUSE:
            reported = monotonic()
            tell(f"{doing}; {plural(report.plies, 'action')} so far")

    report = check_game(
        plugin.game,
        matches=MATCHES,
        seconds=SECONDS * 0.9,
        options=options,
        bots={**plugin.bots, **_short_search(plugin)},
        encoder=plugin.encoder,
        progress=follow,
    )
    left = max(1.0, (began + SECONDS - monotonic()) / 2)
    little: dict[str, Any] = {"matches": PICTURED_MATCHES, "seconds": left, "options": options}
    check_words(plugin.game, plugin.text, **little)
    check_picture(plugin.game, plugin.make_picture(), plies=PLIES, **little)
    limit = "" if report.complete else f", as far as checked within {SECONDS:.0f} seconds"
    return {"said": sanitize(f"{plugin.game.name} keeps the contract{limit}: {report}")}


def _short_search(plugin: Plugin) -> dict[str, BotMaker]:
    """Return the fastest bot that looks ahead, if the game has decisions."""
    return {"search:3": partial(plugin.bot, "search:3")} if plugin.levels else {}


# Playing.


class Table:
    """A match in the page between people at one keyboard and bots."""

    def __init__(
        self, plugin: Plugin, options: Mapping[str, Any], seed: str, seats: int | None
    ) -> None:
        game = plugin.game
        count = seats if seats is not None and seats in game.seats else game.seats[0]
        self._plugin = plugin
        self._match = Match(game, seed=seed or None, seats=count, options=options)
        self._picture = plugin.make_picture()
        self._names = printable_names(self._match.names)
        self._lines: dict[Watcher, deque[str]] = {}
        self._events: dict[Watcher, deque[Event]] = {}
        for watcher in (None, *range(count)):
            self._events[watcher] = deque(maxlen=EVENTS)
            self._match.observe(partial(self._note, watcher), seat=watcher)
        # Choose a fast bot, because Python in the page is slower and has only one thread.
        bot = "easy" if plugin.best_bot == "fair" else plugin.best_bot
        self._table = MatchTable(
            self._match,
            plugin,
            [HUMAN, *[bot] * (count - 1)],
            TableSettings(casual=True),
            0.0,
            undo="free",
            seating={0: None},
            limits=TableLimits(pause=0),
            secret=str,
        )
        self._presenter = TablePresenter(self._table)
        self._can_undo = False
        self._table.receive(Open(link=0, screen=0), monotonic())

    def _note(self, watcher: Watcher, event: Event) -> None:
        text = self._plugin.text
        self._events[watcher].append(event)
        for words in (
            text.event(event, self._names, watcher),
            (text.heading(event, self._names) or (0, ""))[1],
        ):
            self._write(watcher, words)

    def _receive(self, given: Input) -> list[Effect]:
        effects = self._table.receive(given, monotonic())
        for effect in effects:
            match effect:
                case ActionFailed(seat, errors):
                    name = self._names[seat]
                    self._write(self._viewer, f"an action of {name} has failed: {errors[0]}")
                case Replaced(seat, player, error):
                    name = self._names[seat]
                    self._write(self._viewer, f"{player} has failed for {name}: {error}")
        return effects

    def _write(self, watcher: Watcher, words: str) -> None:
        lines = self._lines.setdefault(watcher, deque(maxlen=LINES))
        if words and words not in list(lines)[-1:]:
            lines.append(sanitize(words))

    @property
    def _viewer(self) -> int | None:
        """The person to act, or else the first person, or None if only bots play."""
        return next(iter((*self._table.waiting_for, *self._table.people)), None)

    def request(self, request: MessageIn) -> None:
        """Carry out a request. A refusal raises an error."""
        self._receive(Ask(0, request))
        self._read()

    def _read(self) -> None:
        """Read the messages for the page. A refusal raises an error."""
        for message in [*self._table.due(0, self._presenter, monotonic())]:
            match message:
                case StateOut(can_undo=can_undo):
                    self._can_undo = can_undo
                case RefusedOut(message=reason):
                    raise TabletopError(reason)

    def advance(self) -> None:
        """Let the next bot act."""
        for effect in self._receive(Tick()):
            if isinstance(effect, AskBot):
                self._receive(BotActs(effect.number))

    def state(self, look: Mapping[str, bool]) -> Answer:
        """Return all data of the match that the page displays."""
        self._read()
        match, table, viewer = self._match, self._table, self._viewer
        view, plugin = match.view(viewer), self._plugin
        choices = self._choices(view, viewer)
        scene = Scene(
            self._names,
            viewer,
            to_act=match.to_act,
            choices=choices,
            narrow=look["narrow"],
            live=True,
            told=() if viewer is None else tuple(self._events[viewer]),
            outcome=match.outcome,
        )
        return {
            "svg": flattened(self._picture.draw(view, scene), dark=look["dark"]),
            "text": sanitize(plugin.text.position(view, self._names, viewer)),
            "prompt": self._prompt(view, viewer),
            "choices": [
                {
                    "words": it.words,
                    "label": printable(it.label),
                    "path": it.path,
                    "several": _several(it) if it.items else None,
                }
                for it in islice(choices, CHOICES)
            ],
            "more": max(0, len(choices) - CHOICES),
            "log": list(self._lines.get(viewer, ())),
            "seats": [
                {"name": name, "player": player}
                for name, player in zip(self._names, table.players, strict=True)
            ],
            "players": [HUMAN, *plugin.bot_names],
            "numbers": list(islice(plugin.game.seats, 20)),
            "seed": printable(match.seed.text),
            "bot": table.bot_to_act is not None,
            "undo": self._can_undo and match.ply > 0,
            "over": match.over,
            "digest": match.digest(),
        }

    def _choices(self, view: Any, viewer: int | None) -> tuple[Clickable, ...]:
        if viewer is None or viewer not in self._table.waiting_for:
            return ()
        actions = self._match.legal_actions(viewer)
        text = self._plugin.text
        return clickables(self._picture, view, actions, self._names, viewer, text)

    def _prompt(self, view: Any, viewer: int | None) -> str:
        match, text = self._match, self._plugin.text
        if match.over:
            outcome = match.outcome
            return sanitize("" if outcome is None else text.outcome(outcome, self._names))
        if viewer is None or viewer not in self._table.waiting_for:
            return f"{' and '.join(self._names[seat] for seat in match.to_act)} to act"
        asked = printable(text.asked(view, viewer, self._names))
        return f"{self._names[viewer]}: {asked or 'your turn'}"


def _several(choice: Clickable) -> Answer:
    return {"low": choice.low, "high": choice.high, "items": list(map(asdict, choice.items))}


_table: list[Table] = []
"""The current table, if any."""


def play(
    file: str, text: str, seed: str, seats: int | None, look: Mapping[str, bool], *, tell: Tell
) -> Answer:
    """Start a match of a game."""
    plugin, options = read_game(file, text)
    _table[:] = [Table(plugin, options, seed, seats)]
    return _table[0].state(look)


def act(line: str, look: Mapping[str, bool], *, tell: Tell) -> Answer:
    """Act for a person, with the words that the person typed."""
    return _request(ActIn(line), look)


def undo(look: Mapping[str, bool], *, tell: Tell) -> Answer:
    """Undo the last action of a person and all later ones."""
    return _request(UndoIn(), look)


def seat(number: int, player: str, look: Mapping[str, bool], *, tell: Tell) -> Answer:
    """Let a person or a bot decide for a seat."""
    return _request(ReseatIn(number, player), look)


def _request(request: MessageIn, look: Mapping[str, bool]) -> Answer:
    _table[0].request(request)
    return _table[0].state(look)


def advance(look: Mapping[str, bool], *, tell: Tell) -> Answer:
    """Let the next bot act."""
    _table[0].advance()
    return _table[0].state(look)


def show(look: Mapping[str, bool], *, tell: Tell) -> Answer:
    """Return the match again, for a page whose layout has changed."""
    return _table[0].state(look)


_DOINGS: Final[Mapping[str, Callable[..., Answer]]] = {
    made.__name__: made for made in (check, play, act, undo, seat, advance, show)
}
