"""A race whose bots are controlled by tests, through files in the folder GATES."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tabletop import Plugin, Stream
from tests.tabletop.games.race import Race


class GatedRace(Race):
    """The race under a different name."""

    name = "gated"


class Bot:
    """Chooses with its random stream, so that the stream advances."""

    def __init__(self, stream: Stream, seat: int) -> None:
        self._stream = stream
        self._seat = seat
        self._gates = Path(os.environ.get("GATES", "."))

    def choose(self, view: Any, actions: Sequence[str]) -> str:
        return self._stream.choice(actions)


class Patient(Bot):
    """Writes its process id to a file, and waits until the gate of its seat is open."""

    def choose(self, view: Any, actions: Sequence[str]) -> str:
        asked = self._gates / f"asked-{self._seat}"
        asked.with_suffix(".new").write_text(str(os.getpid()))
        asked.with_suffix(".new").rename(asked)
        while not (self._gates / f"open-{self._seat}").exists():
            time.sleep(0.01)
        return super().choose(view, actions)


class Chatty(Bot):
    """Prints to the standard output, which carries the answers."""

    def choose(self, view: Any, actions: Sequence[str]) -> str:
        print("hm")
        os.write(sys.stdout.fileno(), b"hm\n")
        return super().choose(view, actions)


class Fatal(Bot):
    """Kills its process."""

    def choose(self, view: Any, actions: Sequence[str]) -> str:
        with (self._gates / "deaths").open("a") as deaths:
            deaths.write("x")
        os._exit(3)


class Peculiar(Exception):
    """An error that cannot be pickled."""

    def __init__(self, one: object, other: object) -> None:
        super().__init__(f"{one} and {other}")


class Crash(Bot):
    """Raises an error that cannot be pickled."""

    def choose(self, view: Any, actions: Sequence[str]) -> str:
        raise Peculiar("this", lambda: "that")


class Nonsense(Bot):
    """Returns an invalid action."""

    def choose(self, view: Any, actions: Sequence[str]) -> Any:
        return None


PLUGIN = Plugin(
    GatedRace(),
    bots={
        "own": Bot,
        "patient": Patient,
        "chatty": Chatty,
        "fatal": Fatal,
        "crash": Crash,
        "nonsense": Nonsense,
    },
)
