"""Tests of the wheel in empty environments, without the source tree.

`python -m tools.try_wheel` tests the wheel in `dist/`, which `make dist` builds. For every
installed Python from 3.11 on, it creates an empty environment, installs the wheel first without
extras and then with all extras for users, and runs all programs in an empty folder. In another
environment, it creates a package of each kind with `tabletop new`, installs them, and plays them.
The exit code is 0 for success and 1 for a failure. uv installs the dependencies, because pip takes
ten times as long for several environments.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from email.parser import Parser
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from typing import Final
from urllib.request import urlopen

from tabletop.cli import COMMANDS
from tabletop.cli.new import KINDS
from tools.dist import DIST

VERSIONS: Final = ("3.11", "3.12", "3.13", "3.14", "3.15")
"""The versions of Python to test, if they are installed."""

MAKERS: Final = {"bench", "dev", "docs", "fuzz", "mutants", "release"}
"""The extras for developers of the project, which are not tested."""

LARGE: Final = {"train"}
"""The extras that need gigabytes. `make training` tests them."""

PROGRAMS: Final = ("tabletop", "lcr", "constructor", "sorcery")

RUNS: Final = (
    "tabletop games",
    "tabletop check lcr --matches 1",
    "tabletop play sorcery --bot all=random --seed oak --no-score --record match.jsonl",
    "tabletop replay match.jsonl --verify",
    "tabletop picture match.jsonl -o match.svg",
    "lcr --players 3 --seed 7",
    "constructor -random-board -seed oak -bot all -no-record",
    "sorcery -seed oak -bot all=random -no-record",
)
"""Commands that work without extras, and have the same output with every Python."""

MORE: Final = {
    "tabletop completion bash": "completion",
    "tabletop picture match.jsonl -o match.png": "pictures",
    "lcr sweep --players 3 --json": "simulation",
    "tabletop simulate lcr -n 20 --workers 1 -o study": "studies",
    "tabletop simulate lcr -n 20 --cluster local:1 -o cluster": "cluster",
}
"""Commands that need an extra. Without it, they print its name."""

MODULES: Final = (
    "tabletop.envs.aec",
    "tabletop.envs.gym",
    "tabletop.envs.spiel",
    "tabletop.envs.text",
    "tabletop.terminal.editor",
    "tabletop.web.server",
)
"""Further modules to import from the wheel with all extras."""

_TABLE: Final = re.compile(r"http://[^#\s]+/t/[^#\s]+")
"""The address of the page of a table."""


class TrialError(Exception):
    """A command failed. The message contains the command and its output."""


@dataclass(frozen=True)
class Environment:
    """An environment with an empty folder to work in.

    Attributes:
        folder: The folder of both.
        title: The name in messages.
    """

    folder: Path
    title: str

    @property
    def bin(self) -> Path:
        """The folder of its programs."""
        return self.folder / "venv" / "bin"

    @property
    def variables(self) -> dict[str, str]:
        """The environment variables of its programs, without those of the project and the user."""
        home = self.folder / "home"
        return {
            "PATH": f"{self.bin}{os.pathsep}{os.environ['PATH']}",
            "HOME": str(home),
            "XDG_STATE_HOME": str(home / "state"),
            "XDG_DATA_HOME": str(home / "data"),
        }

    def run(self, line: str, *, status: int = 0, optimized: bool = False) -> str:
        """Run one of its programs in the empty folder and return all its output.

        Args:
            line: The command line.
            status: The expected exit status.
            optimized: Whether Python runs without docstrings and assertions, as with `-OO`.

        Raises:
            TrialError: The program exits with another status, or shows a traceback.
        """
        program, *words = shlex.split(line)
        optimize = {"PYTHONOPTIMIZE": "2"} if optimized else {}
        done = subprocess.run(
            [str(self.bin / program), *words],
            cwd=self.folder / "work",
            env={**self.variables, **optimize},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=300,
            encoding="utf-8",
            check=False,
        )
        if done.returncode != status or "Traceback" in done.stdout:
            output = done.stdout[-2000:]
            raise TrialError(f"{self.title}: {line!r} exits with {done.returncode}:\n{output}")
        return done.stdout

    def install(self, *words: str) -> None:
        """Install packages, with the uv of the environment that this program runs in.

        Raises:
            TrialError: uv fails.
        """
        uv = [sys.executable, "-m", "uv", "pip", "install", "--quiet"]
        command = [*uv, "--python", str(self.bin / "python"), *words]
        work = self.folder / "work"
        done = subprocess.run(command, cwd=work, capture_output=True, text=True, check=False)
        if done.returncode:
            raise TrialError(f"{self.title}: {' '.join(words)} cannot be installed: {done.stderr}")

    def fetch_page(self, game: str) -> None:
        """Serve a table for a game, and fetch its page as a browser would.

        Raises:
            TrialError: If the server does not print the address of the table, or has no page.
        """
        command = [str(self.bin / "tabletop"), "serve", "--port", "0", game]
        with subprocess.Popen(
            command,
            cwd=self.folder / "work",
            env=self.variables,
            stdout=subprocess.PIPE,
            text=True,
        ) as server:
            assert server.stdout is not None
            addresses = (_TABLE.search(line) for line in server.stdout)
            try:
                address = next(filter(None, addresses), None)
                if address is None or b"<html" not in urlopen(address[0], timeout=60).read():
                    raise TrialError(f"{self.title}: there is no page of a table for {game}")
            except OSError as error:
                raise TrialError(f"{self.title}: the page of {game}: {error}") from error
            finally:
                server.terminate()


def pythons() -> Iterator[tuple[str, str]]:
    """Yield the versions that are installed here, each with the path of its program."""
    installed = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv", "versions")
    for version in VERSIONS:
        # pyenv has a command for each of its versions, but it fails unless that one is activated.
        paths = sorted(map(str, installed.glob(f"{version}.*/bin/python")))
        candidates = (f"python{version}", *paths, sys.executable)
        good = (path for path in candidates if shutil.which(path) and version_of(path) == version)
        if python := next(good, None):
            yield version, python


def version_of(python: str) -> str:
    """Return the version of a Python, such as `3.12`, or an empty text if it does not run."""
    code = "import sys; print('%d.%d' % sys.version_info[:2])"
    done = subprocess.run([python, "-c", code], capture_output=True, text=True, check=False)
    return done.stdout.strip()


def extras_of(wheel: Path) -> list[str]:
    """Return the extras of a wheel that are for users, except large ones."""
    with zipfile.ZipFile(wheel) as archive:
        [path] = [name for name in archive.namelist() if name.endswith(".dist-info/METADATA")]
        metadata = Parser().parsestr(archive.read(path).decode())
    return sorted(set(metadata.get_all("Provides-Extra", [])) - MAKERS - LARGE)


def try_wheel(environment: Environment, wheel: Path) -> dict[str, str]:
    """Test the wheel without extras and with all of them. Return the output of each of `RUNS`."""
    environment.install(str(wheel))
    version = wheel.name.split("-")[1]
    for program in PROGRAMS:
        if f"{program} {version} " not in environment.run(f"{program} --version"):
            raise TrialError(f"{environment.title}: {program} is not {version}")
        environment.run(f"{program} --help")
    for command in COMMANDS:
        environment.run(f"tabletop {command} --help", optimized=True)
    optimized = {line: environment.run(line, optimized=True) for line in RUNS}
    (environment.folder / "work" / "match.jsonl").unlink()
    outputs = {line: environment.run(line) for line in RUNS}
    if different := [line for line in RUNS if optimized[line] != outputs[line]]:
        raise TrialError(f"{environment.title}: different output with -OO: {different[0]!r}")
    others = {"tabletop serve lcr": "web", "tabletop train lcr -o learnt": "train"}
    for line, extra in {**MORE, **others}.items():
        if f"pip install 'tabletop-rules[{extra}]'" not in environment.run(line, status=1):
            raise TrialError(f"{environment.title}: {line!r} does not name the extra {extra}")
    environment.install(f"{wheel}[{','.join(extras_of(wheel))}]")
    for line in MORE:
        environment.run(line)
    environment.run(f"python -c 'import {', '.join(MODULES)}'")
    environment.fetch_page("lcr")
    return outputs


def try_new_packages(environment: Environment, wheel: Path) -> dict[str, str]:
    """Create a package of each kind, install them in addition to the wheel, and play them."""
    environment.install(str(wheel))
    names = [f"own_{kind}" for kind in KINDS]
    for name, kind in zip(names, KINDS, strict=True):
        environment.run(f"tabletop new {name} --kind {kind}")
    environment.install("pyroma", *(word for name in names for word in ("-e", f"./{name}[dev]")))
    for name in names:
        environment.run(f"pyroma --min=10 {name}")
        game, record = name.replace("_", "-"), f"{name}.jsonl"
        environment.run(f"tabletop play {game} --bot all --seed oak --no-score --record {record}")
        environment.run(f"tabletop replay {record} --verify")
        environment.run(f"tabletop picture {record} -o {name}.svg")
        environment.run(f"tabletop check {game} --matches 5")
        environment.fetch_page(game)
    environment.run(f"python -m pytest -q {' '.join(f'{name}/tests' for name in names)}")
    environment.run(f"python -m mypy --strict {' '.join(names)}")
    return {}


@dataclass(frozen=True)
class Trial:
    """A test in a separate environment.

    Attributes:
        title: The name in messages.
        python: The path of its Python.
        test: Tests the wheel in the environment, and returns the output of each command.
    """

    title: str
    python: str
    test: Callable[[Environment, Path], dict[str, str]]

    def run(self, wheel: Path, folder: Path) -> dict[str, str]:
        """Create the environment in a new folder, and test the wheel there.

        Raises:
            TrialError: If a command fails.
        """
        began = monotonic()
        (folder / "work").mkdir(parents=True)
        venv = [self.python, "-m", "venv", "--without-pip", str(folder / "venv")]
        subprocess.run(venv, check=True)
        outputs = self.test(Environment(folder, self.title), wheel)
        print(f"{self.title}: passed ({monotonic() - began:.0f} s)", flush=True)
        return outputs


def trials() -> list[Trial]:
    """Return all trials, one for each Python and one for new packages."""
    available = list(pythons())
    return [
        *(Trial(f"Python {version}", python, try_wheel) for version, python in available),
        Trial("Packages of `tabletop new`", available[0][1], try_new_packages),
    ]


def main() -> int:
    """Run all trials, two at a time, and return the exit code."""
    wheels = list(DIST.glob("*-none-any.whl"))
    if len(wheels) != 1:
        sys.stderr.write("try_wheel: dist/ must contain one wheel: build it with `make dist`\n")
        return 1
    failures: list[str] = []
    outputs: dict[str, set[str]] = {line: set() for line in RUNS}
    with TemporaryDirectory() as name, ThreadPoolExecutor(max_workers=2) as pool:
        begun = [
            pool.submit(trial.run, wheels[0], Path(name, str(number)))
            for number, trial in enumerate(trials())
        ]
        for future in begun:
            try:
                for line, output in future.result().items():
                    outputs[line].add(output)
            except TrialError as error:
                failures.append(str(error))
    failures += [f"the output of {line!r} varies" for line in RUNS if len(outputs[line]) > 1]
    sys.stderr.write("".join(f"try_wheel: {failure}\n" for failure in failures))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
