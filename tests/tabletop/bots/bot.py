"""A bot for tests, in a process of its own: it does the wrong thing that its argument says."""

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


def act(told: Message, choice: int = 0) -> Message:
    return {"type": "act", "line": told["choices"][choice]["words"]}


def well(told: Message) -> None:
    say(act(told))


def crash(told: Message) -> None:
    sys.stderr.write("thinking \x1b[2Jhard\n")
    raise ValueError("out of ideas")


def late_crash(told: Message) -> None:
    if told["ply"] > 1:
        os._exit(7)
    well(told)


def killed(told: Message) -> None:
    os.kill(os.getpid(), signal.SIGSEGV)


def hang(told: Message) -> None:
    time.sleep(600)


def endless(told: Message) -> None:
    while True:
        sys.stdout.write("x" * 60000)


def noisy(told: Message) -> None:
    sys.stderr.write("so many thoughts\n" * 300_000)  # some five megabytes
    sys.stderr.flush()
    well(told)


def noted(told: Message) -> None:
    """Play well, and note the number of this process."""
    Path(sys.argv[2]).write_text(str(os.getpid()), "utf-8")
    well(told)


def with_noted_child(told: Message) -> None:
    """Hang, with a child that does not heed the usual signals."""
    start_child()
    time.sleep(600)


def sampling(told: Message) -> None:
    """Ask for samples, note them, and play the last action."""
    say({"type": "sample", "count": 3, "id": 5})
    samples = json.loads(sys.stdin.readline())
    with Path(sys.argv[2]).open("a", encoding="utf-8") as file:
        file.write(json.dumps([samples, told["view"]]) + "\n")
    say(act(told, -1))


def slow(told: Message) -> None:
    """Think for a while, but not about the first state of a match."""
    time.sleep(0.0 if told["ply"] < 2 else 3.0)
    well(told)


def numbered(told: Message) -> None:
    """Give a request a number, and wait until it is done before the next state is read."""
    say({**act(told), "id": 7})
    if json.loads(sys.stdin.readline()) != {"type": "done", "id": 7}:
        sys.exit("it was not done")


def slow_reader(told: Message) -> None:
    """Ask for more than a pipe holds, and leave it there for a while."""
    say({"type": "sample", "count": 500})
    time.sleep(0.2)
    assert len(sys.stdin.readline()) > 200_000
    well(told)


diary = well


def deaf(told: Message) -> None:
    os.close(0)
    well(told)
    time.sleep(600)


def mute(told: Message) -> None:
    os.close(1)
    time.sleep(600)


def hasty(told: Message) -> None:
    say("\n".join([json.dumps(act(told))] * 2))
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
    """Start a child that does not heed the usual signals, and note the numbers of both."""
    ignore = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(600)"
    child = subprocess.Popen([sys.executable, "-c", ignore])
    Path(sys.argv[2]).write_text(f"{os.getpid()} {child.pid}\n", "utf-8")


hang_with_child = hang


def main() -> None:
    way = sys.argv[1]
    if way == "flood":
        Path(sys.argv[2]).write_text(f"{os.getpid()}\n", "utf-8")
        while True:
            sys.stdout.write("\n" * 60000)  # faster than anybody reads
    if way == "hang_with_child":
        start_child()
    if way == "at_start":
        sys.exit("there is no such book of openings")
    for line in sys.stdin:
        told = json.loads(line)
        if way == "diary":
            with Path(sys.argv[2]).open("a", encoding="utf-8") as file:
                file.write(line)
        if told["type"] != "state" or not told["asked"]:
            continue
        if way in ANSWERS:
            say(ANSWERS[way])
        else:
            globals()[way](told)


if __name__ == "__main__":
    main()
