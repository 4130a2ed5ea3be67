"""The same with atheris, which knows what code an input has reached."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from random import Random
from typing import Any, Final

from tools.fuzz.driver import Watch, remade
from tools.fuzz.target import Target, corpus, find

PACKAGES: Final = ["tabletop", "lcr", "constructor", "sorcery"]


def is_there() -> bool:
    """Return whether atheris is installed."""
    return find_spec("atheris") is not None


def fuzz_guided(
    name: str, make: Callable[[Target], Watch], seed: str, seconds: float, folder: Path
) -> None:
    """Fuzz a target for so many seconds. It ends the process: call it in one of its own.

    Args:
        name: of the target.
        make: what looks at its inputs.
        seed: decides what is made of them.
        seconds: how long.
        folder: an empty one, where the inputs are kept that reach more.
    """
    atheris: Any = import_module("atheris")
    with atheris.instrument_imports(include=PACKAGES, enable_loader_override=False):
        watch = make(find(name))
    chance = Random(seed)
    for number, data in enumerate(corpus(name)):
        (folder / f"{number:04}").write_bytes(data)
        watch.look(data)

    def changed(data: bytes, most: int, number: int) -> bytes:
        if chance.random() < 0.5:
            return remade(watch.target, data, chance.choice(watch.pool or [data]), chance)[:most]
        other: bytes = atheris.Mutate(data, most)
        return other

    words = [
        *("fuzz", str(folder), f"-max_total_time={max(int(seconds), 1)}", "-max_len=65536"),
        f"-artifact_prefix={folder.parent}/",  # our own driver keeps what is found
        *(f"-seed={chance.randrange(1, 2**31)}", "-timeout=60", "-rss_limit_mb=0"),
    ]

    def one(data: bytes) -> None:
        watch.look(data)

    atheris.Setup(words, one, custom_mutator=changed)
    atheris.Fuzz()
