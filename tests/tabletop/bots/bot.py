"""A bot program for tests, which behaves as its argument says."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

Message = dict[str, Any]


def say(answer: object) -> None:
    sys.stdout.write(f"{answer if isinstance(answer, str) else json.dumps(answer)}\n")
    sys.stdout.flush()


def act(message: Message, choice: int = 0) -> Message:
    return {"type": "act", "line": message["choices"][choice]["words"]}


def well(message: Message) -> None:
    say(act(message))


def labels(message: Message) -> None:
    say({"type": "act", "line": {0: "e4", 1: "e5", 2: "Nf3"}.get(message["ply"], "resigns")})


def crash(message: Message) -> None:
    sys.stderr.write("thinking \x1b[2Jhard\n")
    raise ValueError("out of ideas")


def late_crash(message: Message) -> None:
    if message["ply"] > 1:
        os._exit(7)
    well(message)


def killed(message: Message) -> None:
    os.kill(os.getpid(), signal.SIGSEGV)


def hang(message: Message) -> None:
    time.sleep(600)


def endless(message: Message) -> None:
    while True:
        sys.stdout.write("x" * 60000)


def noisy(message: Message) -> None:
    sys.stderr.write("still thinking\n" * 300_000)  # about five megabytes
    sys.stderr.flush()
    well(message)


def noted(message: Message) -> None:
    """Play well, and write the id of this process to a file."""
    Path(sys.argv[2]).write_text(str(os.getpid()), "utf-8")
    well(message)


def with_noted_child(message: Message) -> None:
    """Hang, with a child process that ignores SIGTERM."""
    start_child()
    time.sleep(600)


def sampling(message: Message) -> None:
    """Request samples, write them to a file, and play the last action."""
    say({"type": "sample", "count": 3, "id": 5})
    samples = json.loads(sys.stdin.readline())
    with Path(sys.argv[2]).open("a", encoding="utf-8") as file:
        file.write(json.dumps([samples, message["view"]]) + "\n")
    say(act(message, -1))


def slow(message: Message) -> None:
    """Wait before each action except the first of a match."""
    time.sleep(0.0 if message["ply"] < 2 else 3.0)
    well(message)


def numbered(message: Message) -> None:
    """Send an action with an id, and wait until it is done."""
    say({**act(message), "id": 7})
    if json.loads(sys.stdin.readline()) != {"type": "done", "id": 7}:
        sys.exit("it was not done")


def slow_reader(message: Message) -> None:
    """Request more samples than a pipe can hold, and read them late."""
    say({"type": "sample", "count": 500})
    time.sleep(0.2)
    assert len(sys.stdin.readline()) > 200_000
    well(message)


diary = well


def deaf(message: Message) -> None:
    os.close(0)
    well(message)
    time.sleep(600)


def mute(message: Message) -> None:
    os.close(1)
    time.sleep(600)


def hasty(message: Message) -> None:
    say("\n".join([json.dumps(act(message))] * 2))
    time.sleep(600)


ANSWERS: dict[str, object] = {
    "words": "let me think",
    "blank": "",
    "deep": "[" * 100_000,
    "list": ["act", "1"],
    "nothing": {"type": "act"},
    "no_type": {"line": "1"},
    "castles": {"type": "castle"},
    "undoes": {"type": "undo"},
    "hello": {"type": "hello", "token": "x"},
    "old": {"type": "act", "line": "1", "ply": 0},
    "other": {"type": "act", "line": "1", "seat": 0},
    "number": {"type": "act", "line": 1},
    "unknown": {"type": "act", "line": "castle"},
    "illegal": {"type": "act", "line": "1"},
    "many": {"type": "sample", "count": 10**9},
    "none": {"type": "sample", "count": 0},
    "extra": {"type": "act", "line": "2", "why": "I like it"},
}


def start_child() -> None:
    """Start a child process that ignores SIGTERM, and write both process ids to a file."""
    ignore = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(600)"
    child = subprocess.Popen([sys.executable, "-c", ignore])
    Path(sys.argv[2]).write_text(f"{os.getpid()} {child.pid}\n", "utf-8")


hang_with_child = hang


def main() -> None:
    way = sys.argv[1]
    if way == "flood":
        Path(sys.argv[2]).write_text(f"{os.getpid()}\n", "utf-8")
        while True:
            sys.stdout.write("\n" * 60000)  # faster than the reader
    if way == "hang_with_child":
        start_child()
    if way == "at_start":
        sys.exit("there is no such book of openings")
    for line in sys.stdin:
        message = json.loads(line)
        if way == "diary":
            with Path(sys.argv[2]).open("a", encoding="utf-8") as file:
                file.write(line)
        if message["type"] != "state" or not message["your_turn"]:
            continue
        if way in ANSWERS:
            say(ANSWERS[way])
        else:
            globals()[way](message)


if __name__ == "__main__":
    main()
