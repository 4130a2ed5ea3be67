"""Bots in worker processes, and the questions and answers that are sent as plain data.

    seat = players.next_bot()
    stream = match.bot_stream(seat)
    question = Question.of(plugin, "hard", match.state, seat, stream=stream)
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
    import asyncio  # slow to import, and most sessions do not need it

TRIES: Final = 3
"""Number of attempts at a choice if the worker process dies."""

CHOICE_TIMEOUT: Final = 120.0
"""Maximum seconds for a choice."""

_SECONDS: Final = re.compile(r":[0-9.]+s$", re.IGNORECASE)
"""The end of the name of a bot with a budget in seconds."""

_PROGRAM: Final = "from tabletop.table.bot_pool import serve; serve()"


def kind_of(state: State) -> tuple[str, str]:
    """Return the module and the qualified name of the class of a state."""
    kind = type(state)
    return kind.__module__, kind.__qualname__


@dataclass(frozen=True, slots=True)
class Question:
    """A choice that a bot has to make.

    Attributes:
        source: The name by which the game is loaded. See `Plugin.source`.
        bot: The name of the bot.
        seat: The seat that chooses.
        kind: The module and name of the state class. See `kind_of`.
        state: The state as JSON.
        stream: The random stream of the bot.
        seconds: Seconds after which a bot with a method `stop` is stopped, or None for never.
    """

    source: str
    bot: str
    seat: Seat
    kind: tuple[str, str]
    state: bytes
    stream: Stream
    seconds: float | None = None

    @classmethod
    def of(
        cls,
        plugin: Plugin,
        bot: str,
        state: State,
        seat: Seat,
        *,
        stream: Stream,
        seconds: float | None = None,
    ) -> Self:
        """Return a question to a bot about a state. The state and the stream are copied.

        Raises:
            ContractError: JSON cannot express the state.
        """
        return cls(
            source=plugin.source,
            bot=bot,
            seat=seat,
            kind=kind_of(state),
            state=to_json(state),
            stream=stream.copy(),
            seconds=seconds,
        )


@dataclass(frozen=True, slots=True)
class Answer:
    """The choice of a bot.

    Attributes:
        action: The text of the action.
        offset: The offset of the bot's stream after the choice.
        share: The certainty of the choice, from 0.0 to 1.0, or None if the bot does not estimate
            it. See `tabletop.bots.SearchResult`, also for the value.
        value: The rating of the action, from 0.0 (lost) to 1.0 (won), or None if the bot does not
            estimate it.
        counts_wins: Whether the value is the fraction of won iterations.
        tries: For each action, by its text, the number of iterations and the sum of their values.
            Empty for a bot without iterations.
        alone: Whether a bot that looks ahead had only one sensible action.
        error: The reason why there is no choice, or an empty text.
        trace: The traceback of an error of the bot, for a log.
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
        """Return a player for `Match.step`. The match must not have changed meanwhile."""
        return Answered(self, match, seat)


class Answered:
    """A player with a choice made elsewhere. It plays the choice and sets its stream's offset."""

    def __init__(self, answer: Answer, match: AnyMatch, seat: Seat) -> None:
        self._answer = answer
        self._match = match
        self._seat = seat

    def choose(self, view: Any, actions: Sequence[Any]) -> Any:
        """Return the choice.

        Raises:
            TabletopError: The bot has failed.
            CommandError: The choice is not an action.
        """
        if self._answer.error:
            error = TabletopError(self._answer.error)
            error.add_note(self._answer.trace)
            raise error
        self._match.bot_stream(self._seat).offset = self._answer.offset
        return self._match.parse(self._answer.action, self._seat)


Stopping: TypeAlias = Callable[[Callable[[], object]], AbstractContextManager[object]]
"""Makes the context of a bot that thinks, given the function that stops the bot."""


def answer(
    question: Question, plugin: Plugin | None = None, *, stopping: Stopping = nullcontext
) -> Answer:
    """Let a bot choose in this process. An error becomes part of the answer.

    Exceptions are not raised, because some of them cannot be sent between processes.

    Args:
        question: The choice to make.
        plugin: The game. By default, it is loaded by its source.
        stopping: Makes the context for a bot that can be stopped.
    """
    try:
        plugin = plugin or _load(question.source)  # load first, to import the class of the state
        module, name = question.kind
        kind = attrgetter(name)(sys.modules[module])
        return _choose(question, plugin, from_json(question.state, kind), stopping)
    except (Exception, SystemExit) as error:
        message = str(error) if isinstance(error, TabletopError) else repr(error)
        return Answer(error=message, trace=format_exc())


_load = lru_cache(maxsize=16)(load)


def _choose(question: Question, plugin: Plugin, state: Any, stopping: Stopping) -> Answer:
    game, seat, stream = plugin.game, question.seat, question.stream
    bot: Any = plugin.bot(question.bot, stream, seat)
    view, actions = game.view(state, seat), game.legal_actions(state, seat)
    if plugin.bot_actions is not None:
        actions = plugin.bot_actions(view, actions)
    view = view.clone() if view is state else view
    stop = getattr(bot, "stop", None)
    with ExitStack() as thinking:
        if stop is not None:
            thinking.enter_context(stopping(stop))
            thinking.enter_context(_stopped_after(question.seconds, stop))
        action = ask(bot, view, actions, Sampler(game, state, seat))
    search = getattr(bot, "last_search", None)
    share, value = getattr(search, "share", None), getattr(search, "value", None)
    wins = bool(getattr(search, "counts_wins", False))
    statistics = {} if search is None else getattr(bot, "statistics", {})
    tries = {str(tried): count for tried, count in statistics.items()}
    alone = isinstance(bot, SearchBot) and search is None
    return Answer(str(action), stream.offset, share, value, wins, tries, alone)


@contextmanager
def _stopped_after(seconds: float | None, stop: Callable[[], object]) -> Iterator[None]:
    """Stop a bot after `seconds` of thought."""
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
    """The origin of a question, which decides when it is answered.

    Attributes:
        people: Whether people wait for the choice. Such questions are answered first.
        shares: Names of the origin, such as a visitor and a table. Questions whose first name has
            used less time of the processes are answered first. Further names decide ties.
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
    """Processes in which bots think, started when needed.

    Bots with a budget in seconds leave one process to other bots, if there are several processes.

    Args:
        size: Maximum number of processes, by default one less than the number of processors, and at
            least two.

    Attributes:
        waiting: The number of questions that wait for a process.
        thinking: The number of questions that are being answered.
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
        """The number of questions that wait for a process."""
        return len(self._queue)

    @property
    def thinking(self) -> int:
        """The number of questions that are being answered."""
        return len(self._busy)

    async def ask(
        self,
        question: Question,
        begins: Callable[[], object] = lambda: None,
        asker: Asker = Asker(),
    ) -> Answer:
        """Let a bot choose as soon as a process is free and it is the asker's turn.

        If this call is cancelled, its process is ended.

        Args:
            question: The choice to make.
            begins: Called when a process begins to think.
            asker: The origin of the question. Questions with the same rank are answered in order.
        """
        import asyncio

        loop = asyncio.get_running_loop()
        waiting = _Waiting(asker, bool(_SECONDS.search(question.bot)), loop.create_future())
        self._queue.append(waiting)
        self._begin()
        try:
            await waiting.begun
            began = loop.time()
            begins()
            try:
                return await self._answer(question)
            finally:
                for share in asker.shares:
                    self._used[share] += loop.time() - began
        finally:
            (self._queue if waiting in self._queue else self._busy).remove(waiting)
            self._begin()

    def _begin(self) -> None:
        """Give free processes to the next questions."""
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
        """Let several searches think about one question at the same time, and add up their results.

        Each search has its own random stream, so the answer depends on the number of trees, but not
        on the number of processes. Each search has the whole budget of the bot's name.

        Args:
            question: The choice to make, for a bot that grows a tree (ISMCTS).
            trees: The number of searches, at least 1.
        """
        import asyncio

        stream = question.stream.copy()
        streams = Streams(stream.below(1 << 62))
        questions = [replace(question, stream=streams["tree", number]) for number in range(trees)]
        answers = await asyncio.gather(*map(self.ask, questions))
        tries: dict[str, tuple[int, float]] = {}
        for answer in answers:
            if not answer.tries:  # a failure, or only one action
                return replace(answer, offset=stream.offset)
            for action, (visits, total) in answer.tries.items():
                before = tries.get(action, (0, 0.0))
                tries[action] = before[0] + visits, before[1] + total
        action, value, share = most_visited(tries)
        wins = all(answer.counts_wins for answer in answers)
        return Answer(action, stream.offset, share, value, wins, tries)

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
                async with asyncio.timeout(CHOICE_TIMEOUT):
                    answer = await asyncio.to_thread(worker.ask, question)
            except BaseException as error:  # also if the call was cancelled
                self._all.discard(worker)
                worker.end()
                if isinstance(error, TimeoutError):
                    return Answer(error=f"it has not chosen within {CHOICE_TIMEOUT:.0f} seconds")
                if not isinstance(error, WorkerDied):
                    raise
            else:
                self._idle.append(worker)
                return answer
        return Answer(error=f"its process has died {TRIES} times")

    def close(self) -> None:
        """End all processes at once. No further processes are started."""
        self._closed = True
        for worker in self._all:
            worker.end()


class Worker:
    """A process that makes one choice at a time.

    It is a separate Python interpreter. `concurrent.futures` would run the main module of the
    program again, and could not end a single process. A bot that hangs or crashes would then affect
    other tables.
    """

    def __init__(self) -> None:
        path = os.pathsep.join(place or os.curdir for place in sys.path)
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-c", _PROGRAM],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": path},
            start_new_session=True,  # not interrupted by Ctrl-C at a terminal
        )
        self._questions = cast("IO[bytes]", self._process.stdin)
        self._answers = cast("IO[bytes]", self._process.stdout)

    def ask(self, question: Question) -> Answer:
        """Return the answer, or raise `WorkerDied`. Call this in a thread, because it waits."""
        try:
            pickle.dump(question, self._questions)
            self._questions.flush()
            answer: Answer = pickle.load(self._answers)
        except (EOFError, OSError, ValueError, pickle.UnpicklingError) as error:
            raise WorkerDied from error
        return answer

    def end(self) -> None:
        """End the process at once, without waiting for it."""
        self._process.kill()
        Thread(target=self._clean_up).start()

    def _clean_up(self) -> None:
        with suppress(BrokenPipeError), self._process:
            pass


class WorkerDied(Exception):
    """The process has ended without an answer."""


def serve() -> None:
    """Answer questions until the parent process ends."""
    out = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # keep printed text apart
    questions: SimpleQueue[Question] = SimpleQueue()
    Thread(target=_listen, args=(questions,), daemon=True).start()
    while True:
        pickle.dump(answer(questions.get()), out)
        out.flush()


def _listen(questions: SimpleQueue[Question]) -> None:
    """Receive questions. At the end of input, exit at once, even while a bot thinks."""
    try:
        while True:
            questions.put(pickle.load(sys.stdin.buffer))
    finally:
        os._exit(0)
