"""`python -m tools.fuzz`: run all targets, or some, and tell what was found.

Exits 0 when nothing was found, 1 when something was, and 2 when it was used wrongly.
"""

from __future__ import annotations

import argparse
import re
import resource
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from random import SystemRandom
from tempfile import TemporaryDirectory
from typing import Final

from tools.fuzz.driver import Watch, fuzz
from tools.fuzz.findings import FINDINGS, Finding
from tools.fuzz.guided import fuzz_guided, is_there
from tools.fuzz.judging import Verdict, judge
from tools.fuzz.target import HERE, Target, corpus, find, names

AUTO, ATHERIS, MUTATION = "auto", "atheris", "mutation"
WORTH_IT: Final = 10.0
"""With fewer seconds for a target, atheris would spend most of them on getting ready."""

GRACE: Final = 300.0
"""So many seconds longer than it was told to may a target take, at most."""

SECONDS: Final = 60.0
"""So long may one input keep the processor busy; waiting is watched from outside."""

MOST_MEMORY: Final = 1 << 30
"""So many bytes may a process of targets hold, with all that it has loaded."""


def main(argv: Sequence[str] | None = None) -> int:
    """Do what the words of the command line say; the exit status."""
    words = list(sys.argv[1:] if argv is None else argv)
    if words[:1] == ["reproduce"]:
        return reproduce(words[1:])
    arguments = build_parser().parse_args(words)
    unknown = sorted(set(arguments.targets) - set(names()))
    if unknown:
        sys.stderr.write(f"fuzz: there is no target {unknown[0]}; targets: {', '.join(names())}\n")
        return 2
    if arguments.only is not None:
        return run_here(arguments)
    return run_all(arguments.targets or names(), arguments)


def build_parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.fuzz",
        description="Throw made-up input at all that comes from outside."
        " `python -m tools.fuzz reproduce FILE...` runs findings again.",
    )
    parser.add_argument("targets", metavar="TARGET", nargs="*", help=f"{', '.join(names())}")
    parser.add_argument("--seconds", type=float, default=60.0, help="in total (by default 60)")
    parser.add_argument("--seed", default=str(SystemRandom().randrange(10**6)), help="any text")
    parser.add_argument("--engine", choices=(AUTO, ATHERIS, MUTATION), default=AUTO)
    parser.add_argument("--findings", type=Path, default=FINDINGS, help="where findings go")
    parser.add_argument("--only", help=argparse.SUPPRESS)  # in a process of its own
    parser.add_argument("--current", type=Path, help=argparse.SUPPRESS)
    return parser


def reproduce(paths: Sequence[str]) -> int:
    """Run findings again; 1 when one of them still breaks a promise."""
    status = 0
    for path in map(Path, paths):
        name = path.name.rpartition("-")[0]
        if name not in names() or not path.is_file():
            sys.stderr.write(f"fuzz: {path}: no finding, which is a file TARGET-SIGN.input\n")
            return 2
        verdict = judge(find(name), path.read_bytes())
        sys.stdout.write(f"{path}: {verdict.sign}\n{verdict.trace}")
        status = 1 if verdict.is_finding else status
    return status


def run_all(targets: Sequence[str], arguments: argparse.Namespace) -> int:
    """Run targets, each in a process of its own, and tell what was found."""
    share = arguments.seconds / len(targets)
    engine = arguments.engine
    if engine == AUTO:
        engine = ATHERIS if is_there() and share >= WORTH_IT else MUTATION
    sys.stdout.write(f"{len(targets)} targets, {share:.1f} seconds each, with {engine};")
    sys.stdout.write(f" --seed {arguments.seed}\n")
    found = False
    for name in targets:
        sys.stdout.flush()
        found |= run_apart(name, share, engine, arguments)
    where = f"; see {arguments.findings}" if found else ""
    sys.stdout.write(f"{'something' if found else 'nothing'} was found{where}\n")
    return 1 if found else 0


def run_apart(name: str, seconds: float, engine: str, arguments: argparse.Namespace) -> bool:
    """Run a target in another process, which may hang or die; whether something was found."""
    with TemporaryDirectory() as folder:
        current = Path(folder) / "current"
        command = [
            *(sys.executable, "-m", "tools.fuzz", "--only", name, "--seconds", str(seconds)),
            *("--seed", arguments.seed, "--engine", engine, "--current", str(current)),
            *("--findings", str(arguments.findings.absolute())),
        ]
        try:
            done = subprocess.run(
                command,
                cwd=HERE.parents[1],
                capture_output=True,
                timeout=seconds + GRACE,
                check=False,
            )
        except subprocess.TimeoutExpired:
            _died(name, current, "it hangs", arguments.findings)
            return True
        said = done.stdout.decode("utf-8", "replace")
        sys.stdout.write(said)
        runs = re.search(rb"Done (\d+) runs", done.stderr)  # which atheris says
        if runs is not None:
            sys.stdout.write(f"  {name}: {int(runs[1]):,} inputs\n")
        if done.returncode not in (0, 1) or not current.is_file():
            why = f"the process ended with {done.returncode}"
            if done.returncode == -signal.SIGPROF:
                why = f"it keeps the processor busy for more than {SECONDS:g} seconds"
            why = f"{why}\n{done.stderr.decode(errors='replace')}"
            _died(name, current, why, arguments.findings)
            return True
    return "found:" in said


def _died(name: str, current: Path, why: str, findings: Path) -> None:
    """Keep the input that a process did not survive."""
    data = current.read_bytes() if current.is_file() else b""
    path = Finding(name, data, Verdict(why.splitlines()[0], why)).save(findings)
    sys.stdout.write(f"  {name}: found: {why.splitlines()[0]}: {path}\n")


def run_here(arguments: argparse.Namespace) -> int:
    """Run one target in this process, and write down what is found."""
    limit_memory()
    name: str = arguments.only
    with arguments.current.open("wb", buffering=0) as current:

        def note(data: bytes) -> None:
            current.seek(0)
            current.truncate()
            current.write(data)
            limit_time()

        def report(finding: Finding) -> None:
            path = finding.save(arguments.findings)
            sys.stdout.write(f"  {name}: found: {finding.verdict.sign}: {path}\n")
            sys.stdout.flush()

        def make(target: Target) -> Watch:
            return Watch(name, target, report, note)

        seed = f"{arguments.seed} {name}"
        if arguments.engine == ATHERIS:
            folder = arguments.current.with_name("corpus")
            folder.mkdir()
            fuzz_guided(name, make, seed, arguments.seconds, folder)
        watch = make(find(name))
        fuzz(watch, corpus(name), seed, seconds=arguments.seconds)
        sys.stdout.write(f"  {name}: {watch.runs:,} inputs, {len(watch.pool)} kinds\n")
    return 1 if watch.findings else 0


def limit_time(seconds: float = SECONDS) -> None:
    """Have the system end this process once it has been busy for so long, counted from now.

    Nothing of Python runs then: a handler that raises leaves whatever was going on half done, such
    as a lock of coverage, which is never released.
    """
    signal.setitimer(signal.ITIMER_PROF, seconds)


def limit_memory(most: int = MOST_MEMORY) -> None:
    """Have whatever needs more memory fail with a MemoryError, in this process from now on."""
    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    resource.setrlimit(resource.RLIMIT_DATA, (most, hard))


if __name__ == "__main__":
    sys.exit(main())
