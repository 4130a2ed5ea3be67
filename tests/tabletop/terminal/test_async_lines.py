"""Lines read while an event loop runs are the same as those of `readline`."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Iterator
from io import BytesIO, StringIO, TextIOWrapper
from typing import TextIO

import pytest

from tabletop.terminal import Console
from tabletop.terminal.async_lines import LoopReader
from tabletop.terminal.signals import interrupts
from tests.signals import default_signals


@pytest.fixture
def loop() -> Iterator[asyncio.AbstractEventLoop]:
    loop = asyncio.new_event_loop()
    yield loop
    loop.close()


class Pipe:
    """A pipe, with the reader of its end."""

    def __init__(self) -> None:
        source, self.sink = os.pipe()
        self.stdin: TextIO = TextIOWrapper(os.fdopen(source, "rb"), "utf-8", errors="replace")

    def write(self, data: bytes) -> None:
        os.write(self.sink, data)

    def end(self) -> None:
        os.close(self.sink)


@pytest.fixture
def pipe() -> Iterator[Pipe]:
    pipe = Pipe()
    yield pipe
    pipe.stdin.close()


WRITTEN = [
    b"",
    b"\n",
    b"one\ntwo\n",
    b"a\r\nb\rc\n\nd",
    b"\xc3\xa4\xff\n",
    b"last\r",
    b"x" * 200_000,
]


@pytest.mark.parametrize("written", WRITTEN, ids=repr)
def test_lines_are_those_that_readline_reads(
    written: bytes, pipe: Pipe, loop: asyncio.AbstractEventLoop
) -> None:
    reader = LoopReader(pipe.stdin, loop)
    sent = [written[at : at + 3] for at in range(0, min(len(written), 60), 3)] + [written[60:]]

    async def send() -> None:
        for part in sent:
            if part:
                await asyncio.to_thread(pipe.write, part)
            await asyncio.sleep(0)
        pipe.end()

    sending = loop.create_task(send())
    expected = TextIOWrapper(BytesIO(written), "utf-8", errors="replace")
    while line := reader.read():
        assert line == expected.readline()
    assert expected.readline() == ""
    loop.run_until_complete(sending)


def test_others_are_served_while_a_line_is_awaited(
    pipe: Pipe, loop: asyncio.AbstractEventLoop
) -> None:
    reader, served = LoopReader(pipe.stdin, loop), []

    def serve() -> None:
        served.append(reader.waits)
        pipe.write(b"now\n")

    loop.call_later(0.01, serve)
    assert reader.read() == "now\n"
    assert served == [True]
    assert not reader.waits
    pipe.end()


def test_a_question_is_withdrawn_and_what_was_written_belongs_to_the_next(
    pipe: Pipe, loop: asyncio.AbstractEventLoop
) -> None:
    reader = LoopReader(pipe.stdin, loop)
    pipe.write(b"half")
    loop.call_later(0.01, reader.cancel_prompt)
    assert reader.read() is None
    pipe.write(b" and half\n")
    assert reader.read() == "half and half\n"
    pipe.end()


def test_a_question_that_is_left_and_withdrawn_at_once_withdraws_no_other(
    pipe: Pipe, loop: asyncio.AbstractEventLoop
) -> None:
    reader = LoopReader(pipe.stdin, loop)

    def leave() -> None:
        reader.cancel_prompt()
        signal.raise_signal(signal.SIGTERM)

    loop.call_soon(leave)
    with default_signals(), interrupts(), pytest.raises(KeyboardInterrupt):
        reader.read()
    pipe.write(b"line\n")
    assert reader.read() == "line\n"
    pipe.end()


def test_a_stream_that_is_no_file_is_read_at_once(loop: asyncio.AbstractEventLoop) -> None:
    reader = LoopReader(StringIO("one\n"), loop)
    assert [reader.read(), reader.read()] == ["one\n", ""]


def test_what_is_said_while_a_line_is_awaited_stands_above_its_prompt(
    pipe: Pipe, loop: asyncio.AbstractEventLoop
) -> None:
    out = StringIO()
    console = Console(pipe.stdin, out, loop=loop)

    def say() -> None:
        assert console.waits
        console.say("news")
        pipe.write(b"line\n")

    loop.call_later(0.01, say)
    assert console.read("> ") == "line"
    assert out.getvalue() == "> \nnews\n> \n"
    pipe.end()


def test_a_console_waits_while_its_loop_runs_and_never_within_it(
    loop: asyncio.AbstractEventLoop,
) -> None:
    console = Console(StringIO(), StringIO(), loop=loop)
    served = []

    def serve() -> None:
        console.wait(60)
        served.append(1)

    loop.call_soon(serve)
    console.wait(0.02)
    assert served == [1]
