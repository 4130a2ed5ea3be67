"""Language models as bots: `llm:MODEL`, at any server with the chat interface of OpenAI.

Each question and its answer is stored next to the record of the match, in a file such as
`match.llm.jsonl`. If the match is played again from there, the stored answers are used, so nothing
is asked twice.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from hashlib import blake2b
from pathlib import Path
from time import monotonic
from typing import Any, Final, NamedTuple, TypeAlias

import msgspec
from msgspec import Struct

from tabletop.display.briefing import LONGEST_ANSWER, Briefing, refusal
from tabletop.errors import RecordError, TabletopError
from tabletop.host.extras import require
from tabletop.host.user_files import reason, write_bytes, write_text
from tabletop.match.match import AnyMatch
from tabletop.match.players import Random, Sampler
from tabletop.registry import MODEL, Plugin
from tabletop.rng.stream import Stream
from tabletop.rules.events import ALL, Watcher
from tabletop.rules.game import AnyGame
from tabletop.rules.outcome import Outcome
from tabletop.states.bounds import Seat
from tabletop.wording import number

Message: TypeAlias = dict[str, str]
"""A message of the chat interface, with its `role` and its `content`."""

ENDING: Final = ".llm.jsonl"
"""The ending of a file of exchanges, which replaces the ending of the record."""

REFUSALS: Final = 2
"""Number of refused answers in a row that a model may correct. Then a random action is played."""

MOST_EVENTS: Final = 200
"""Maximum number of earlier events in a question."""


class TokensSpent(TabletopError):
    """The models have used all tokens that they may use."""


class Exchange(Struct, frozen=True, omit_defaults=True):
    """A question to a model and its answer.

    Attributes:
        model: The name of the model.
        seat: The seat of the model.
        ply: The number of actions before the answer.
        attempt: The number of refused answers to this question before.
        digest: A hash of the whole question, by which a stored answer is found again.
        messages: The messages that are new since the last exchange of the seat, in the form of the
            chat interface.
        answer: The text of the answer.
        refused: The reason why the answer was refused, or empty.
        input_tokens, output_tokens: The tokens of the question and of the answer, as far as the
            server counts them.
        seconds: The time until the answer.
    """

    model: str
    seat: Seat
    ply: int
    attempt: int
    digest: str
    messages: tuple[Message, ...]
    answer: str
    refused: str = ""
    input_tokens: int = 0
    output_tokens: int = 0
    seconds: float = 0.0

    @property
    def tokens(self) -> int:
        """The tokens of the question and of the answer."""
        return self.input_tokens + self.output_tokens


@dataclass(slots=True)
class ModelSettings:
    """The settings of all models of a program.

    Attributes:
        url: The address of the server, such as `http://127.0.0.1:8000/v1`. By default, that of the
            library `openai`.
        most_tokens: The maximum number of tokens of all models together, or None for no limit.
        ledger: A file that counts the tokens of several processes. By default, only the tokens of
            this process are counted.
    """

    url: str = ""
    most_tokens: int | None = None
    ledger: Path | None = None
    _spent: int = field(default=0, repr=False)

    def check(self) -> None:
        """Raise `TokensSpent` if no further question may be asked."""
        if self.most_tokens is not None and self._total(0) >= self.most_tokens:
            raise TokensSpent(
                f"the models have used their {number(self.most_tokens)} tokens: allow more with"
                " --llm-tokens"
            )

    def spend(self, tokens: int) -> None:
        """Count the tokens of an exchange."""
        self._total(tokens)

    def _total(self, more: int) -> int:
        """Add tokens, and return their new number."""
        if self.ledger is None:
            self._spent += more
            return self._spent
        from filelock import FileLock

        with FileLock(f"{self.ledger}.lock"):
            total = int(self.ledger.read_text("ascii")) if self.ledger.is_file() else 0
            if more:
                total += more
                write_text(str(self.ledger), str(total))
        return total


def conversation_path(record: Path) -> Path:
    """Return the path of the exchanges of a match, given the path of its record."""
    return record.with_suffix(ENDING)


def read_exchanges(path: Path) -> list[Exchange]:
    """Return the exchanges in a file, without an incomplete last line. Empty if there is no file.

    Raises:
        RecordError: The file cannot be read, or is damaged.
    """
    try:
        lines = path.read_bytes().split(b"\n")[:-1]
    except FileNotFoundError:
        return []
    except OSError as error:
        raise RecordError(f"{path} cannot be read: {reason(error)}") from error
    try:
        return [msgspec.json.decode(line, type=Exchange) for line in lines]
    except msgspec.MsgspecError as error:
        raise RecordError(f"{path} is damaged: {error}") from error


def _read_complete(path: Path) -> list[Exchange]:
    """Return the exchanges in a file, and remove an incomplete last line, left by a kill."""
    exchanges = read_exchanges(path)
    data = path.read_bytes() if path.is_file() else b""
    if data and not data.endswith(b"\n"):
        write_bytes(str(path), data[: data.rfind(b"\n") + 1])
    return exchanges


def read_folder(folder: Path) -> list[Exchange]:
    """Return the exchanges of all matches in a folder of records and its subfolders."""
    return [it for path in sorted(folder.rglob(f"*{ENDING}")) for it in read_exchanges(path)]


def answers_for(watcher: Watcher, record: Path, game: AnyGame) -> dict[int, str]:
    """Return the answers next to a record that a watcher may read, by the number of the action.

    An answer may name hidden cards. In a game that hides something, only the seat of the model and
    a watcher who may see everything read it.
    """
    return {
        exchange.ply + 1: f"{MODEL}{exchange.model}: {exchange.answer}"
        for exchange in read_exchanges(conversation_path(record))
        if not exchange.refused and (watcher in {ALL, exchange.seat} or not game.hides_something)
    }


class LanguageModel:
    """A bot that asks a language model for its actions.

    A question contains the rules, the events so far and the position, in the words of `Briefing`.
    After `REFUSALS` + 1 refused answers, a random action is played.

    Args:
        stream: The random stream of the bot.
        seat: The seat of the bot.
        plugin: The game.
        model: The name of the model.
        settings: The settings of all models.
    """

    def __init__(
        self, stream: Stream, *, seat: Seat, plugin: Plugin, model: str, settings: ModelSettings
    ) -> None:
        self._random = Random(stream)
        self._seat, self._plugin, self._model, self._settings = seat, plugin, model, settings
        self._client = client_of(settings)
        self._events: list[str] = []
        self._stored: dict[tuple[int, int, str], Exchange] | None = None
        self._told: list[Message] = []  # the messages of the last exchange

    def join(self, match: AnyMatch, players: Sequence[str] = ()) -> None:
        """Begin to observe the match of the seat."""
        self._match = match
        text, rules = self._plugin.text, self._plugin.rules
        self._briefing = Briefing(match, text, rules, self._seat)

    def close(self, outcome: Outcome | None) -> None:
        """End the observation of the match."""
        self._briefing.close()

    def choose(self, view: Any, actions: Sequence[Any], sampler: Sampler[Any]) -> Any:
        """Return the action that the model chooses.

        Raises:
            RecordError: The exchange cannot be stored.
            TabletopError: The server cannot be reached, or has refused the question.
            TokensSpent: The models may not use more tokens.
        """
        messages = self._question()
        for attempt in range(REFUSALS + 1):
            exchange = self._exchange(attempt, messages)
            try:
                action = self._briefing.read(exchange.answer)
            except TabletopError as error:
                self._keep(msgspec.structs.replace(exchange, refused=str(error)))
                messages += refused(exchange.answer, error)
            else:
                self._keep(exchange)
                return action
        return self._random.choose(view, actions)

    def _question(self) -> list[Message]:
        """Return the messages about the present position."""
        self._events += [told.text for told in self._briefing.events()]
        events = "\n".join(self._events[-MOST_EVENTS:])
        parts = [f"Events so far:\n{events}"] if events else []
        turn = "\n\n".join([*parts, self._briefing.turn()])
        return [
            {"role": "system", "content": self._briefing.introduction},
            {"role": "user", "content": turn},
        ]

    def _exchange(self, attempt: int, messages: list[Message]) -> Exchange:
        """Return the stored answer to a question, or ask the model."""
        if self._stored is None:
            path = self._path()
            given = [] if path is None else _read_complete(path)
            self._stored = {(it.seat, it.ply, it.digest): it for it in given}
        digest = blake2b(msgspec.json.encode([self._model, messages]), digest_size=8).hexdigest()
        known = self._stored.get((self._seat, self._match.ply, digest))
        if known is not None:
            return msgspec.structs.replace(known, refused="")
        self._settings.check()
        began = monotonic()
        answer, usage = ask(self._client, self._model, messages)
        exchange = Exchange(
            self._model,
            self._seat,
            self._match.ply,
            attempt,
            digest,
            tuple(message for message in messages if message not in self._told),
            answer[-LONGEST_ANSWER:],
            input_tokens=usage[0],
            output_tokens=usage[1],
            seconds=round(monotonic() - began, 3),
        )
        self._told = messages.copy()
        self._settings.spend(exchange.tokens)
        return exchange

    def _path(self) -> Path | None:
        """Return the path of the exchanges, or None if the match is not recorded."""
        record = getattr(self._match.recorder, "path", None)
        return None if record is None else conversation_path(record)

    def _keep(self, exchange: Exchange) -> None:
        """Store an exchange that is not stored yet."""
        key = exchange.seat, exchange.ply, exchange.digest
        if self._stored is None or key in self._stored:
            return
        self._stored[key] = exchange
        path = self._path()
        if path is None:
            return
        try:
            with path.open("ab") as file:
                file.write(msgspec.json.encode(exchange) + b"\n")
        except OSError as error:
            raise RecordError(f"{path} cannot be written: {reason(error)}") from error


def client_of(settings: ModelSettings) -> Any:
    """Return a client for the server of the models.

    The key is in the environment variable `OPENAI_API_KEY`. A server of your own may need none.

    Raises:
        MissingExtra: The library `openai` is not installed.
        ValueError: There is no key, and no server of your own.
    """
    require("a bot llm:MODEL", "llm", "openai")
    from openai import OpenAI

    is_own = bool(settings.url or os.environ.get("OPENAI_BASE_URL"))
    key = os.environ.get("OPENAI_API_KEY") or ("none" if is_own else None)
    if key is None:
        raise ValueError("there is no key: set OPENAI_API_KEY, or name a server with --llm-url")
    return OpenAI(base_url=settings.url or None, api_key=key)


def ask(client: Any, model: str, messages: Sequence[Message]) -> tuple[str, tuple[int, int]]:
    """Return the answer of a model, and the tokens of the question and the answer.

    Raises:
        TabletopError: The server cannot be reached, has refused the question, or sends no answer.
    """
    from openai import OpenAIError

    try:
        response = client.chat.completions.create(model=model, messages=messages)
        usage = response.usage
        tokens = (0, 0) if usage is None else (usage.prompt_tokens, usage.completion_tokens)
        return response.choices[0].message.content or "", tokens
    except OpenAIError as error:
        problem: object = error
    except (AttributeError, IndexError, TypeError, ValueError) as error:
        problem = f"its answer does not have the form of a chat: {error}"
    raise TabletopError(f"{MODEL}{model} at {client.base_url}: {problem}")


def refused(answer: str, error: TabletopError) -> list[Message]:
    """Return the messages after a refused answer."""
    return [
        {"role": "assistant", "content": answer},
        {"role": "user", "content": refusal(error)},
    ]


def model_of(name: str, settings: ModelSettings) -> str:
    """Return the model in a name such as `llm:gpt-5`, to which questions can be sent.

    Raises:
        MissingExtra: The library `openai` is not installed.
        ValueError: The name has no model, or there is no key.
    """
    model = name[len(MODEL) :]
    if not model:
        raise ValueError("name a model, as in llm:MODEL")
    client_of(settings)
    return model


def model_bot(name: str, plugin: Plugin, settings: ModelSettings) -> Callable[..., LanguageModel]:
    """Return a bot factory for a name such as `llm:gpt-5`.

    Raises:
        MissingExtra: The library `openai` is not installed.
        ValueError: The name has no model, or there is no key.
    """
    model = model_of(name, settings)
    return partial(LanguageModel, plugin=plugin, model=model, settings=settings)


class ModelSummary(NamedTuple):
    """The answers of a model in all matches of a folder.

    Attributes:
        model: The name of the model.
        answers: Number of answers.
        refused: Number of refused answers among them.
        input_tokens, output_tokens: Tokens of all questions and answers.
        seconds: Seconds for all answers.
    """

    model: str
    answers: int
    refused: int
    input_tokens: int
    output_tokens: int
    seconds: float


def summarize(exchanges: Iterable[Exchange]) -> list[ModelSummary]:
    """Return the summary of each model, in alphabetical order."""
    by_model: dict[str, list[Exchange]] = {}
    for exchange in exchanges:
        by_model.setdefault(exchange.model, []).append(exchange)
    return [
        ModelSummary(
            model,
            len(given),
            sum(bool(it.refused) for it in given),
            sum(it.input_tokens for it in given),
            sum(it.output_tokens for it in given),
            round(sum(it.seconds for it in given), 3),
        )
        for model, given in sorted(by_model.items())
    ]
