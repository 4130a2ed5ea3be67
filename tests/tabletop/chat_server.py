"""A server with the chat interface of OpenAI, whose models play at random or fail."""

from __future__ import annotations

import json
import random
import re
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any, Final

WRONG: Final = {
    "garbage": "\x00\ufffd ]][[ 💥",
    "illegal": "I play [no such action].",
    "empty": "",
    "long": "x" * 1_000_000,
}
"""The answers of models that never play a legal action."""


class ChatServer(ThreadingHTTPServer):
    """Answers questions. The name of a model decides how.

    A name such as `prose-1` is a kind and a number that changes its choices: `plain` and `prose`
    choose a listed action, a kind of `WRONG` has that answer, `once` first answers badly, `429`,
    `500` and `cut` fail at the first attempt of each question, and `down` fails always.

    Attributes:
        asked: The number of questions that each model has answered.
        limit: The number of answers after which every question fails with status 401.
    """

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.asked: Counter[str] = Counter()
        self.failed: set[str] = set()
        self.limit = 10**9
        self.prompts: list[str] = []

    @property
    def url(self) -> str:
        """The address for `--llm-url`."""
        return f"http://127.0.0.1:{self.server_address[1]}/v1"


class _Handler(BaseHTTPRequestHandler):
    server: ChatServer

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        request = json.loads(body)
        model, messages = request["model"], request["messages"]
        kind, server = model.partition("-")[0], self.server
        question = model + json.dumps(messages)
        server.prompts.append("\n".join(message["content"] for message in messages))
        is_first = question not in server.failed
        server.failed.add(question)
        if sum(server.asked.values()) >= server.limit:
            self._send(401, {"error": {"message": "no credit"}})
        elif kind in {"429", "500", "down"} and (is_first or kind == "down"):
            self._send(429 if kind == "429" else 500, {"error": {"message": "busy"}})
        elif kind == "cut" and is_first:
            self._send(200, {"choices": []}, cut=True)
        elif kind == "strange":
            self._send(200, {"choices": []})
        else:
            if kind == "slow":
                time.sleep(0.05)
            server.asked[model] += 1
            answer = _answer(kind, model, messages)
            usage = {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110}
            choice = {"index": 0, "message": {"role": "assistant", "content": answer}}
            self._send(200, {"choices": [choice], "usage": usage, "model": model})

    def _send(self, status: int, data: Any, *, cut: bool = False) -> None:
        body = json.dumps(data).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("retry-after-ms", "1")
        self.send_header("content-length", str(len(body) + cut))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        """Print nothing."""


def _answer(kind: str, model: str, messages: list[dict[str, str]]) -> str:
    if kind in WRONG or (kind == "once" and len(messages) == 2):
        return WRONG.get(kind, "Let me think.")
    listed: list[str] = []
    for message in messages:
        found = re.findall(r"^\[([^\]]+)\]", message["content"], re.MULTILINE)
        listed = found or listed
    action = random.Random(model + json.dumps(messages)).choice(listed)
    return f"[{action}]" if kind == "plain" else f"I think a lot.\nSo I play [{action}]. Good luck!"


@contextmanager
def chat_server() -> Iterator[ChatServer]:
    """Run a server in a thread."""
    with ChatServer() as server:
        thread = Thread(target=server.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()
