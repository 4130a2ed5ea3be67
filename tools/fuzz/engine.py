"""Fuzzing a target: with Atheris, which knows what code an input has reached, and Hypothesis."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from datetime import timedelta
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from time import monotonic
from typing import Any, Final

from hypothesis import HealthCheck, Phase, example, given, settings
from hypothesis.database import DirectoryBasedExampleDatabase

from tools.fuzz.inputs import ODD
from tools.fuzz.target import HERE, corpus, find

PATIENCE: Final = 60
"""So many seconds may one input take. One that never ends is ended by pytest's faulthandler."""

WORTH_IT: Final = 10.0
"""With fewer seconds for a target, Atheris would spend most of them on getting ready."""


def fuzz(name: str, seconds: float, findings: Path) -> None:
    """Fuzz a target for so many seconds; raise what broke a promise, made small.

    Args:
        name: of the target.
        seconds: how long; some inputs are run in any case.
        findings: the folder of what is kept: the next run begins with it.
    """
    until = monotonic() + seconds
    folder = findings / name
    folder.mkdir(parents=True, exist_ok=True)
    complaint = ""
    if seconds >= WORTH_IT and find_spec("atheris") is not None:
        command = [sys.executable, "-m", "tools.fuzz.engine", name, str(folder), str(seconds / 2)]
        done = subprocess.run(command, cwd=HERE.parents[1], capture_output=True, check=False)
        complaint = done.stderr.decode(errors="replace") if done.returncode else ""
    run = property_of(name, folder)
    run()
    while monotonic() < until:
        run()
    if complaint:
        raise RuntimeError(f"this cannot be seen again:\n{complaint}")


def property_of(name: str, folder: Path, most: int = 25) -> Callable[[], None]:
    """Return what runs the findings of a target, and then others inputs.

    Args:
        name: of the target.
        folder: of its findings; `last-input` in it tells which one a process has not survived.
        most: how many other inputs.
    """
    target = find(name)

    @settings(
        database=DirectoryBasedExampleDatabase(folder / "hypothesis"),
        deadline=timedelta(seconds=PATIENCE),
        max_examples=most,
        phases=set(Phase) - {Phase.explain},
        suppress_health_check=tuple(HealthCheck),
    )
    @given(data=target.remade(corpus(name), target.words))
    def breaks_no_promise(data: bytes) -> None:
        (folder / "last-input").write_bytes(data)
        target.judge(data)

    for path in folder.glob("*-*[0-9a-f]"):  # crash-0a1b..., as Atheris calls what it has found
        breaks_no_promise = example(data=path.read_bytes())(breaks_no_promise)
    return breaks_no_promise


def fuzz_guided(name: str, folder: Path, seconds: float) -> None:
    """Fuzz a target with Atheris, which ends the process."""
    atheris: Any = import_module("atheris")
    packages = ["tabletop", "lcr", "constructor", "sorcery"]
    with atheris.instrument_imports(include=packages, enable_loader_override=False):
        target = find(name)
    for kind in ("reached", "seeds"):
        (folder / kind).mkdir(exist_ok=True)
    for number, data in enumerate(corpus(name)):
        (folder / "seeds" / str(number)).write_bytes(data)
    known = (*target.words, *ODD)  # libFuzzer takes no empty dictionary, and no long words
    spelled = ("".join(f"\\x{byte:02x}" for byte in word) for word in known if len(word) <= 64)
    (folder / "words").write_text("".join(f'"{word}"\n' for word in spelled))
    words = [
        *("fuzz", f"-dict={folder}/words", f"-artifact_prefix={folder}/", "-max_len=65536"),
        *(f"-max_total_time={seconds:.0f}", f"-timeout={PATIENCE}", "-rss_limit_mb=0"),
        *(f"{folder}/reached", f"{folder}/seeds"),
    ]
    atheris.Setup(words, target.judge)
    atheris.Fuzz()


if __name__ == "__main__":
    fuzz_guided(sys.argv[1], Path(sys.argv[2]), float(sys.argv[3]))
