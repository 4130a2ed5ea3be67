"""A bot for tests, in a process of its own: it does the wrong thing that its argument says."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

Message = dict[str, Any]


def say(answer: object) -> None:
    sys.stdout.write(f"{answer if isinstance(answer, str) else json.dumps(answer)}\n")
    sys.stdout.flush()


def well(told: Message) -> None:
    say({"id": told["id"], "action": 0})


def crash(told: Message) -> None:
    sys.stderr.write("thinking \x1b[2Jhard\n")
    raise ValueError("out of ideas")


def late_crash(told: Message) -> None:
    if told["id"] > 1:
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
    say({"id": told["id"], "sample": 3})
    samples = json.loads(sys.stdin.readline())
    with Path(sys.argv[2]).open("a", encoding="utf-8") as file:
        file.write(json.dumps([told["id"], samples, told["view"]]) + "\n")
    say({"id": told["id"], "action": len(told["actions"]) - 1})


def slow_reader(told: Message) -> None:
    """Ask for more than a pipe holds, and leave it there for a while."""
    say({"id": told["id"], "sample": 500})
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
    answers = [{"id": told["id"] + ahead, "action": 0} for ahead in (0, 1)]
    say("\n".join(map(json.dumps, answers)))
    time.sleep(600)


ANSWERS: dict[str, Callable[[int], object]] = {
    "words": lambda request: "let me think",
    "blank": lambda request: "",
    "deep": lambda request: "[" * 100_000,
    "list": lambda request: [request, 0],
    "nothing": lambda request: {"id": request},
    "no_id": lambda request: {"action": 0},
    "old": lambda request: {"id": request - 1, "action": 0},
    "number": lambda request: {"id": request, "action": 9},
    "negative": lambda request: {"id": request, "action": -1},
    "true": lambda request: {"id": request, "action": True},
    "unknown": lambda request: {"id": request, "action": "castle"},
    "illegal": lambda request: {"id": request, "action": "1"},
    "many": lambda request: {"id": request, "sample": 10**9},
    "none": lambda request: {"id": request, "sample": 0},
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
    if way == "blind":
        say({"id": 1, "action": 0})
        time.sleep(600)
    for line in sys.stdin:
        told = json.loads(line)
        if way == "diary":
            with Path(sys.argv[2]).open("a", encoding="utf-8") as file:
                file.write(line)
        if told["type"] != "choose":
            continue
        if way in ANSWERS:
            say(ANSWERS[way](told["id"]))
        else:
            globals()[way](told)


if __name__ == "__main__":
    main()
