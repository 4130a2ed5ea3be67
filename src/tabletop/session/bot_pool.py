"""Bots in worker processes, and the questions and answers that are sent as plain data.

    seat = players.next_bot()
    chance = match.bot_stream(seat)
    question = Question.of(plugin, "hard", match.state, seat, chance=chance)
    pool = Pool()
    answer = await pool.ask(question)
    players.step(answer)

Each question gets a new bot. A bot with a budget in iterations chooses the same action, and leaves
its random stream at the same offset, as a bot in the match.
"""

from __future__ import annotations

import os
import pickle
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext, suppress
from dataclasses import dataclass, field, replace
from functools import lru_cache
from operator import attrgetter
from queue import SimpleQueue
from threading import Thread, Timer
from traceback import format_exc
from typing import IO, TYPE_CHECKING, Any, Final, Self, TypeAlias, cast

from tabletop.bots.search import most_visited
from tabletop.bots.search_bot import SearchBot
from tabletop.errors import TabletopError
from tabletop.match.match import AnyMatch
from tabletop.match.players import Sampler, ask
from tabletop.registry import Plugin, load
from tabletop.rng.stream import Stream
from tabletop.rng.streams import Streams
from tabletop.states.bounds import Seat
from tabletop.states.codec import from_json, to_json
from tabletop.states.states import State

if TYPE_CHECKING:
    import asyncio  # slow to import, and most sessions ask nobody elsewhere

TRIES: Final = 3
"""A choice is made so often, where the process that makes it dies."""

PATIENCE: Final = 120.0
"""A bot has so many seconds for a choice."""

_SECONDS: Final = re.compile(r":[0-9.]+s$", re.IGNORECASE)
"""The end of the name of a bot whose budget is in seconds."""

_PROGRAM: Final = "from tabletop.session.bot_pool import serve; serve()"


def kind_of(state: State) -> tuple[str, str]:
    """Return where the class of a state is found: its module, and its name there."""
    kind = type(state)
    return kind.__module__, kind.__qualname__


@dataclass(frozen=True, slots=True)
class Question:
    """A choice that a bot is to make.

    Attributes:
        source: the name by which the game is loaded; see `Plugin.source`.
        bot: the name of the bot.
        seat: the seat that chooses.
        kind: where the state's class is found; see `kind_of`.
        state: the state as JSON.
        chance: the stream of the bot.
        seconds: a bot with a method `stop` is stopped after this time; None for never.
    """

    source: str
    bot: str
    seat: Seat
    kind: tuple[str, str]
    state: bytes
    chance: Stream
    seconds: float | None = None

    @classmethod
    def of(
        cls,
        plugin: Plugin,
        bot: str,
        state: State,
        seat: Seat,
        *,
        chance: Stream,
        seconds: float | None = None,
    ) -> Self:
        """Ask a bot of a game about a state; the state and the stream are copied.

        Raises:
            ContractError: JSON cannot express the state.
        """
        return cls(
            source=plugin.source,
            bot=bot,
            seat=seat,
            kind=kind_of(state),
            state=to_json(state),
            chance=chance.copy(),
            seconds=seconds,
        )


@dataclass(frozen=True, slots=True)
class Answer:
    """What a bot has chosen.

    Attributes:
        action: the text of the action.
        offset: the offset that its stream has reached.
        share: how sure it is of that, from 0.0 to 1.0; None if it does not say. See
            `tabletop.bots.SearchResult`, also for the value.
        value: how good it takes that, from 0.0 (lost) to 1.0 (won); None if it does not say.
        counts_wins: whether that is the part of its tries that were won.
        tries: how often each action was tried, by its text, and the sum of what that was worth;
            empty for a bot that tries none.
        alone: whether a bot that looks ahead had no other action that is worth trying.
        error: why there is no choice; empty when there is one.
        trace: the traceback of an error of the bot, for a log.
    """

    action: str = ""
    offset: int = 0
    share: float | None = None
    value: float | None = None
    counts_wins: bool = False
    tries: Mapping[str, tuple[int, float]] = field(default_factory=dict)
    alone: bool = False
    error: str = ""
    trace: str = ""

    def player(self, match: AnyMatch, seat: Seat) -> Answered:
        """Return a player for `Match.step` at the match, which must not have changed meanwhile."""
        return Answered(self, match, seat)


class Answered:
    """A player that was asked elsewhere: it plays the answer, and its stream goes where it went."""

    def __init__(self, answer: Answer, match: AnyMatch, seat: Seat) -> None:
        self._answer = answer
        self._match = match
        self._seat = seat

    def choose(self, view: Any, actions: Sequence[Any]) -> Any:
        """Return the choice.

        Raises:
            TabletopError: there is none.
            CommandError: it is no action.
        """
        if self._answer.error:
            error = TabletopError(self._answer.error)
            error.add_note(self._answer.trace)
            raise error
        self._match.bot_stream(self._seat).offset = self._answer.offset
        return self._match.parse(self._answer.action, self._seat)


Stopping: TypeAlias = Callable[[Callable[[], object]], AbstractContextManager[object]]
"""Makes a context of what stops a bot, and may call that within it."""


def answer(
    question: Question, plugin: Plugin | None = None, *, stopping: Stopping = nullcontext
) -> Answer:
    """Have a bot choose, here and now. An error is an answer: not every exception can be sent.

    Args:
        question: what is to be chosen.
        plugin: the game, where it is at hand; else it is loaded by its source.
        stopping: makes the context in which a bot thinks that can be stopped.
    """
    try:
        found = plugin or _load(question.source)  # first: the state's class comes with the game
        module, name = question.kind
        kind = attrgetter(name)(sys.modules[module])
        return _choose(question, found, from_json(question.state, kind), stopping)
    except (Exception, SystemExit) as error:
        said = str(error) if isinstance(error, TabletopError) else repr(error)
        return Answer(error=said, trace=format_exc())


_load = lru_cache(maxsize=16)(load)


def _choose(question: Question, plugin: Plugin, state: Any, stopping: Stopping) -> Answer:
    game, seat, chance = plugin.game, question.seat, question.chance
    bot: Any = plugin.bot(question.bot, chance, seat)
    view, actions = game.view(state, seat), game.legal_actions(state, seat)
    if plugin.bot_actions is not None:
        actions = plugin.bot_actions(view, actions)
    own = view.clone() if view is state else view
    stop = getattr(bot, "stop", None)
    with ExitStack() as thinking:
        if stop is not None:
            thinking.enter_context(stopping(stop))
            thinking.enter_context(_stopped_after(question.seconds, stop))
        action = ask(bot, own, actions, Sampler(game, state, seat))
    search = getattr(bot, "last_search", None)
    share, value = getattr(search, "share", None), getattr(search, "value", None)
    wins = bool(getattr(search, "counts_wins", False))
    known = {} if search is None else getattr(bot, "statistics", {})
    tries = {str(tried): count for tried, count in known.items()}
    alone = isinstance(bot, SearchBot) and search is None
    return Answer(str(action), chance.offset, share, value, wins, tries, alone)


@contextmanager
def _stopped_after(seconds: float | None, stop: Callable[[], object]) -> Iterator[None]:
    """Stop a bot when it has thought for so long."""
    if seconds is None:
        yield
        return
    timer = Timer(seconds, stop)
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


@dataclass(frozen=True, slots=True)
class Asker:
    """Who has a bot choose, where many do.

    Attributes:
        people: whether people wait for the choice; theirs come first.
        shares: names of what has asked, such as a visitor and a table: who has had less time of
            the processes comes before who has had more, by the first name, then by the next.
    """

    people: bool = True
    shares: tuple[str, ...] = ()


@dataclass(slots=True, eq=False)
class _Waiting:
    """A question that waits for a process."""

    asker: Asker
    is_long: bool
    begun: asyncio.Future[None]


class Pool:
    """Processes in which bots think, each started when it is needed.

    Bots with a budget in seconds leave one process to the others, if there are several.

    Args:
        size: how many there are at most; by default one less than the machine has processors, and
            at least two.

    Attributes:
        waiting: how many questions wait for a process.
        thinking: how many are being answered.
    """

    def __init__(self, size: int | None = None) -> None:
        self.size: int = size or max(2, (os.cpu_count() or 1) - 1)
        self._queue: list[_Waiting] = []
        self._busy: list[_Waiting] = []
        self._used: defaultdict[str, float] = defaultdict(float)  # seconds, since all were idle
        self._idle: list[Worker] = []
        self._all: set[Worker] = set()
        self._closed = False

    @property
    def waiting(self) -> int:
        """How many questions wait for a process."""
        return len(self._queue)

    @property
    def thinking(self) -> int:
        """How many questions are being answered."""
        return len(self._busy)

    async def ask(
        self,
        question: Question,
        begins: Callable[[], object] = lambda: None,
        asker: Asker = Asker(),
    ) -> Answer:
        """Have a bot choose, as soon as a process is free and it is the asker's turn.

        When this is cancelled, nobody waits for the answer any more: its process is ended.

        Args:
            question: what is to be chosen.
            begins: called when a process begins with it.
            asker: who asks; among equals, who asks first is answered first.
        """
        import asyncio

        loop = asyncio.get_running_loop()
        own = _Waiting(asker, bool(_SECONDS.search(question.bot)), loop.create_future())
        self._queue.append(own)
        self._begin()
        try:
            await own.begun
            began = loop.time()
            begins()
            try:
                return await self._answer(question)
            finally:
                for share in asker.shares:
                    self._used[share] += loop.time() - began
        finally:
            (self._queue if own in self._queue else self._busy).remove(own)
            self._begin()

    def _begin(self) -> None:
        """Give free processes to the questions whose turn it is."""
        if not self._queue and not self._busy:
            self._used.clear()
        while len(self._busy) < self.size:
            all_long = sum(it.is_long for it in self._busy) >= max(1, self.size - 1)
            ready = [
                it for it in self._queue if not (it.begun.cancelled() or (it.is_long and all_long))
            ]
            if not ready:
                return
            chosen = min(ready, key=self._rank)
            self._queue.remove(chosen)
            self._busy.append(chosen)
            chosen.begun.set_result(None)

    def _rank(self, waiting: _Waiting) -> tuple[float, ...]:
        asker = waiting.asker
        return (not asker.people, *(self._used.get(share, 0.0) for share in asker.shares))

    async def ask_trees(self, question: Question, trees: int) -> Answer:
        """Have several searches think about one question at once, and add up what they tried.

        Each draws from a stream of its own, so that the number of trees decides the answer, and
        not that of processes. Each has all of the budget that the bot's name says.

        Args:
            question: what is to be chosen, for a bot that grows a tree (ISMCTS).
            trees: how many of them, at least 1.
        """
        import asyncio

        chance = question.chance.copy()
        streams = Streams(chance.below(1 << 62))
        asked = [replace(question, chance=streams["tree", number]) for number in range(trees)]
        answers = await asyncio.gather(*map(self.ask, asked))
        tries: dict[str, tuple[int, float]] = {}
        for answer in answers:
            if not answer.tries:  # a failure; or there is but one action
                return replace(answer, offset=chance.offset)
            for action, (visits, total) in answer.tries.items():
                before = tries.get(action, (0, 0.0))
                tries[action] = before[0] + visits, before[1] + total
        action, value, share = most_visited(tries)
        wins = all(answer.counts_wins for answer in answers)
        return Answer(action, chance.offset, share, value, wins, tries)

    async def _answer(self, question: Question) -> Answer:
        import asyncio

        for _ in range(TRIES):
            if self._closed:
                return Answer(error="the worker processes are closed")
            try:
                worker = self._idle.pop() if self._idle else Worker()
            except OSError as error:
                return Answer(error=f"a worker process cannot be started: {error.strerror}")
            self._all.add(worker)
            try:
                async with asyncio.timeout(PATIENCE):
                    found = await asyncio.to_thread(worker.ask, question)
            except BaseException as error:  # also when nobody waits any more
                self._all.discard(worker)
                worker.end()
                if isinstance(error, TimeoutError):
                    return Answer(error=f"it has not chosen within {PATIENCE:.0f} seconds")
                if not isinstance(error, WorkerDied):
                    raise
            else:
                self._idle.append(worker)
                return found
        return Answer(error=f"its process has died {TRIES} times")

    def close(self) -> None:
        """End all processes at once, and start no more."""
        self._closed = True
        for worker in self._all:
            worker.end()


class Worker:
    """A process that makes one choice at a time.

    It is a Python of its own. One of `concurrent.futures` would run the user's program once more to
    find what it is sent, and could not be ended alone: a bot that hangs or crashes would take those
    of other tables with it.
    """

    def __init__(self) -> None:
        path = os.pathsep.join(place or os.curdir for place in sys.path)
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-c", _PROGRAM],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": path},
            start_new_session=True,  # Ctrl-C at a terminal is not for it
        )
        self._questions = cast("IO[bytes]", self._process.stdin)
        self._answers = cast("IO[bytes]", self._process.stdout)

    def ask(self, question: Question) -> Answer:
        """Return the answer, or raise `WorkerDied`; for a thread, which waits for it."""
        try:
            pickle.dump(question, self._questions)
            self._questions.flush()
            found: Answer = pickle.load(self._answers)
        except (EOFError, OSError, ValueError, pickle.UnpicklingError) as error:
            raise WorkerDied from error
        return found

    def end(self) -> None:
        """End the process at once, whatever it does; nobody waits for that."""
        self._process.kill()
        Thread(target=self._clean_up).start()

    def _clean_up(self) -> None:
        with suppress(BrokenPipeError), self._process:
            pass


class WorkerDied(Exception):
    """The process has ended, and has not answered."""


def serve() -> None:
    """Answer the questions that come in, until the process that has started this one is gone."""
    out = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # what a bot prints is no answer
    asked: SimpleQueue[Question] = SimpleQueue()
    Thread(target=_listen, args=(asked,), daemon=True).start()
    while True:
        pickle.dump(answer(asked.get()), out)
        out.flush()


def _listen(asked: SimpleQueue[Question]) -> None:
    """Take in questions. At their end nobody wants an answer: whatever thinks is ended with it."""
    try:
        while True:
            asked.put(pickle.load(sys.stdin.buffer))
    finally:
        os._exit(0)
