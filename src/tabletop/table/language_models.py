"""Language models as bots: `llm:MODEL`, at any server with the chat interface of OpenAI.

Each question and its answer is stored next to the record of the match, in a file such as
`match.llm.jsonl`. If the match is played again from there, the stored answers are used, so nothing
is asked twice.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from time import monotonic
from typing import Any, Final, TypeAlias

import msgspec
from msgspec import Struct

from tabletop.display.briefing import LONGEST_ANSWER, Briefing, refusal
from tabletop.errors import RecordError, TabletopError
from tabletop.host.extras import require
from tabletop.host.user_files import reason, write_bytes
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


class Exchange(Struct, frozen=True, omit_defaults=True):
    """A question to a model and its answer.

    Attributes:
        model: The name of the model.
        seat: The seat of the model.
        ply: The number of actions before the answer.
        digest: A hash of the whole question, by which a stored answer is found again.
        messages: The messages that are new since the last exchange of the seat, in the form of the
            chat interface.
        answer: The text of the answer.
        input_tokens, output_tokens: The tokens of the question and of the answer, as far as the
            server counts them.
        seconds: The time until the answer.
        refused: The reason why the answer was refused, or empty.
    """

    model: str
    seat: Seat
    ply: int
    digest: str
    messages: tuple[Message, ...]
    answer: str
    input_tokens: int = 0
    output_tokens: int = 0
    seconds: float = 0.0
    refused: str = ""


@dataclass(slots=True)
class ModelSettings:
    """The settings of all models of a program.

    Attributes:
        url: The address of the server, such as `http://127.0.0.1:8000/v1`. By default, that of the
            library `openai`.
        most_tokens: The maximum number of tokens of all models together, or None for no limit.
        folder: A folder of records whose stored answers are counted. By default, only the tokens of
            this process are counted.
        spent: The number of tokens that this process has used.
    """

    url: str = ""
    most_tokens: int | None = None
    folder: Path | None = None
    spent: int = 0

    def check(self) -> None:
        """Raise `TabletopError` if the models have used their tokens."""
        if self.most_tokens is None:
            return
        stored = [] if self.folder is None else read_folder(self.folder)
        if self.spent + sum(it.input_tokens + it.output_tokens for it in stored) < self.most_tokens:
            return
        raise TabletopError(
            f"the models have used their {number(self.most_tokens)} tokens: allow more with"
            " --llm-tokens"
        )


class Model:
    """A language model at a server. The key is in the environment variable `OPENAI_API_KEY`.

    Args:
        name: A name such as `llm:gpt-5`.
        settings: The settings of all models.

    Raises:
        MissingExtra: The library `openai` is not installed.
        ValueError: The name has no model, or there is no key and no server of your own.
    """

    def __init__(self, name: str, settings: ModelSettings) -> None:
        require("a bot llm:MODEL", "llm", "openai")
        from openai import OpenAI

        self.name: str = name[len(MODEL) :]
        self._settings = settings
        if not self.name:
            raise ValueError("name a model, as in llm:MODEL")
        is_own = bool(settings.url or os.environ.get("OPENAI_BASE_URL"))
        key = os.environ.get("OPENAI_API_KEY") or ("none" if is_own else None)
        if key is None:
            raise ValueError("there is no key: set OPENAI_API_KEY, or name a server with --llm-url")
        self._client = OpenAI(base_url=settings.url or None, api_key=key)

    def ask(self, messages: Sequence[Message]) -> tuple[str, int, int]:
        """Return the answer, and the tokens of the question and of the answer.

        Raises:
            TabletopError: The server cannot be reached, has refused the question, or sends no
                answer, or the models have used their tokens.
        """
        from openai import OpenAIError

        self._settings.check()
        sent: Any = messages
        try:
            response = self._client.chat.completions.create(model=self.name, messages=sent)
            usage = response.usage
            tokens = (0, 0) if usage is None else (usage.prompt_tokens, usage.completion_tokens)
            answer = response.choices[0].message.content or ""
        except OpenAIError as error:
            problem: object = error
        except (AttributeError, IndexError, TypeError, ValueError) as error:
            problem = f"its answer does not have the form of a chat: {error}"
        else:
            if self._settings.folder is None:
                self._settings.spent += sum(tokens)
            return answer[-LONGEST_ANSWER:], *tokens
        problem = str(problem).rstrip(".")
        raise TabletopError(f"{MODEL}{self.name} at {self._client.base_url}: {problem}")


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
        model: The model.
    """

    def __init__(self, stream: Stream, *, seat: Seat, plugin: Plugin, model: Model) -> None:
        self._random = Random(stream)
        self._seat, self._plugin, self._model = seat, plugin, model
        self._events: list[str] = []
        self._stored: dict[str, Exchange] | None = None
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
            TabletopError: See `Model.ask`.
        """
        self._events += [told.text for told in self._briefing.events()]
        turn = self._briefing.turn()
        messages = question(self._briefing.introduction, self._events, turn)
        for _ in range(REFUSALS + 1):
            exchange = self._exchange(messages)
            try:
                action = self._briefing.read(exchange.answer)
            except TabletopError as error:
                self._keep(msgspec.structs.replace(exchange, refused=str(error)))
                messages += refused(exchange.answer, error)
            else:
                self._keep(exchange)
                return action
        return self._random.choose(view, actions)

    def _exchange(self, messages: list[Message]) -> Exchange:
        """Return the stored answer to a question, or ask the model."""
        model, seat, ply = self._model.name, self._seat, self._match.ply
        question = msgspec.json.encode([model, seat, ply, messages])
        digest = blake2b(question, digest_size=8).hexdigest()
        if self._stored is None:
            self._stored = self._read_stored()
        if digest in self._stored:
            return self._stored[digest]
        began = monotonic()
        answer, asked, answered = self._model.ask(messages)
        seconds = round(monotonic() - began, 3)
        new = tuple(message for message in messages if message not in self._told)
        self._told = messages.copy()
        return Exchange(model, seat, ply, digest, new, answer, asked, answered, seconds)

    def _path(self) -> Path | None:
        """Return the path of the exchanges, or None if the match is not recorded."""
        record = getattr(self._match.recorder, "path", None)
        return None if record is None else conversation_path(record)

    def _read_stored(self) -> dict[str, Exchange]:
        """Return the stored exchanges, and remove an incomplete last line, left by a kill."""
        path = self._path()
        if path is None or not path.is_file():
            return {}
        exchanges = read_exchanges(path)
        complete = b"".join(map(_line_of, exchanges))
        if complete != path.read_bytes():
            write_bytes(str(path), complete)
        return {exchange.digest: exchange for exchange in exchanges}

    def _keep(self, exchange: Exchange) -> None:
        """Store an exchange that is not stored yet."""
        path = self._path()
        if path is None or self._stored is None or exchange.digest in self._stored:
            return
        self._stored[exchange.digest] = exchange
        try:
            with path.open("ab") as file:
                file.write(_line_of(exchange))
        except OSError as error:
            raise RecordError(f"{path} cannot be written: {reason(error)}") from error


def _line_of(exchange: Exchange) -> bytes:
    return msgspec.json.encode(exchange) + b"\n"


def question(introduction: str, events: Sequence[str], turn: str) -> list[Message]:
    """Return the messages about a position: the rules, the events so far, and the turn."""
    if events:
        turn = "\n".join(["Events so far:", *events[-MOST_EVENTS:]]) + f"\n\n{turn}"
    return [{"role": "system", "content": introduction}, {"role": "user", "content": turn}]


def refused(answer: str, error: TabletopError) -> list[Message]:
    """Return the messages after a refused answer."""
    return [
        {"role": "assistant", "content": answer},
        {"role": "user", "content": refusal(error)},
    ]


def summarize(folder: Path) -> list[dict[str, Any]]:
    """Summarize the answers of each model in a folder of records, in alphabetical order.

    A summary has the keys `model`, `answers` and `refused` (numbers of answers and of refused
    answers), `input_tokens`, `output_tokens` and `seconds`.
    """
    by_model: dict[str, list[Exchange]] = {}
    for exchange in read_folder(folder):
        by_model.setdefault(exchange.model, []).append(exchange)
    return [
        {
            "model": model,
            "answers": len(given),
            "refused": sum(bool(it.refused) for it in given),
            "input_tokens": sum(it.input_tokens for it in given),
            "output_tokens": sum(it.output_tokens for it in given),
            "seconds": round(sum(it.seconds for it in given), 3),
        }
        for model, given in sorted(by_model.items())
    ]
