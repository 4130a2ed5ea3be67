"""Fuzzing of a target with Atheris, which is guided by coverage, and with Hypothesis."""

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

TIME_LIMIT: Final = 60
"""Maximum seconds for an input. The faulthandler of pytest stops an input that never ends."""

WORTH_IT: Final = 10.0
"""Minimum seconds per target for Atheris, which takes several seconds to start."""


def fuzz(name: str, seconds: float, findings: Path) -> None:
    """Fuzz a target, and raise the error of a broken promise for the smallest input.

    Args:
        name: The name of the target.
        seconds: The time. Some inputs are run in any case.
        findings: The folder for findings. The next run starts with them.
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
        raise RuntimeError(f"a failure that is not reproducible:\n{complaint}")


def property_of(name: str, folder: Path, most: int = 25) -> Callable[[], None]:
    """Return a function that runs the findings of a target, and then other inputs.

    Args:
        name: The name of the target.
        folder: The folder of its findings. The file `last-input` contains the input that runs, in
            case it kills the process.
        most: The number of other inputs.
    """
    target = find(name)

    @settings(
        database=DirectoryBasedExampleDatabase(folder / "hypothesis"),
        deadline=timedelta(seconds=TIME_LIMIT),
        max_examples=most,
        phases=set(Phase) - {Phase.explain},
        suppress_health_check=tuple(HealthCheck),
    )
    @given(data=target.remade(corpus(name), target.words))
    def breaks_no_promise(data: bytes) -> None:
        (folder / "last-input").write_bytes(data)
        target.judge(data)

    for path in folder.glob("*-*[0-9a-f]"):  # Atheris names findings crash-0a1b...
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
    known = (*target.words, *ODD)  # libFuzzer accepts no empty dictionary and no long words
    spelled = ("".join(f"\\x{byte:02x}" for byte in word) for word in known if len(word) <= 64)
    (folder / "words").write_text("".join(f'"{word}"\n' for word in spelled))
    words = [
        *("fuzz", f"-dict={folder}/words", f"-artifact_prefix={folder}/", "-max_len=65536"),
        *(f"-max_total_time={seconds:.0f}", f"-timeout={TIME_LIMIT}", "-rss_limit_mb=0"),
        *(f"{folder}/reached", f"{folder}/seeds"),
    ]
    atheris.Setup(words, target.judge)
    atheris.Fuzz()


if __name__ == "__main__":
    fuzz_guided(sys.argv[1], Path(sys.argv[2]), float(sys.argv[3]))
