"""A wheel tried as a user would: installed into empty environments, without the source tree.

`python -m tools.try_wheel` takes the wheel in `dist/` (`make dist` builds it). For every Python
from 3.11 on that is found here it makes an empty environment, installs the wheel without extras and
then with all that are for users, and runs all programs from an empty folder. In one more it makes a
package of each kind (`tabletop new`), installs them beside the wheel, and plays them through the
registry. Exits 0 when all went well, and else 1. Packages come from where pip takes them.
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
"""The versions of Python that are tried, where they are installed."""

MAKERS: Final = {"bench", "dev", "docs", "fuzz", "release"}
"""The extras for those who work on the project; the wheel is for others."""

LARGE: Final = {"train"}
"""The extras that bring gigabytes: `make training` tries them."""

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
"""Lines that work without extras, and say the same with every Python."""

MORE: Final = {
    "tabletop completion bash": "completion",
    "tabletop picture match.jsonl -o match.png": "pictures",
    "lcr sweep --players 3 --json": "simulation",
    "tabletop simulate lcr -n 20 --workers 1 -o study": "studies",
    "tabletop simulate lcr -n 20 --cluster local:1 -o cluster": "cluster",
}
"""Lines that need more; without it, they name an extra."""

MODULES: Final = (
    "tabletop.envs.aec",
    "tabletop.envs.gym",
    "tabletop.envs.spiel",
    "tabletop.terminal.editor",
    "tabletop.web.server",
)
"""What is imported from the wheel with all extras, beside what the lines above do."""

_TABLE: Final = re.compile(r"http://[^#\s]+/t/[^#\s]+")
"""The address of the page of a table."""


class TrialError(Exception):
    """Something does not work; says what was run, and what came of it."""


@dataclass(frozen=True)
class Environment:
    """An environment with an empty folder to work in.

    Attributes:
        folder: where both lie.
        title: what it is called.
    """

    folder: Path
    title: str

    @property
    def bin(self) -> Path:
        """The folder of its programs."""
        return self.folder / "venv" / "bin"

    @property
    def variables(self) -> dict[str, str]:
        """What its programs are told: nothing of the project, and nothing of the user."""
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
            said = done.stdout[-2000:]
            raise TrialError(f"{self.title}: {line!r} ends with {done.returncode}:\n{said}")
        return done.stdout

    def install(self, *words: str) -> None:
        """Install packages, with the pip of the environment that this program runs in.

        Raises:
            TrialError: pip fails.
        """
        pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]
        command = [*pip, "--python", str(self.bin / "python"), "install", "--no-compile", *words]
        work = self.folder / "work"
        done = subprocess.run(command, cwd=work, capture_output=True, text=True, check=False)
        if done.returncode:
            raise TrialError(f"{self.title}: {' '.join(words)} cannot be installed: {done.stderr}")

    def fetch_page(self, game: str) -> None:
        """Serve a table for a game, and fetch its page as a browser would.

        Raises:
            TrialError: the server does not say where the table is, or there is no page.
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
        # pyenv has a command for each of its versions, which only runs where it is switched on.
        kept = sorted(map(str, installed.glob(f"{version}.*/bin/python")))
        found = (f"python{version}", *kept, sys.executable)
        good = (it for it in found if shutil.which(it) and version_of(it) == version)
        if python := next(good, None):
            yield version, python


def version_of(python: str) -> str:
    """Return the version of a Python, such as `3.12`; empty when it does not run."""
    asked = "import sys; print('%d.%d' % sys.version_info[:2])"
    done = subprocess.run([python, "-c", asked], capture_output=True, text=True, check=False)
    return done.stdout.strip()


def extras_of(wheel: Path) -> list[str]:
    """Return the extras of a wheel that are for users, but for large ones."""
    with zipfile.ZipFile(wheel) as opened:
        [metadata] = [name for name in opened.namelist() if name.endswith(".dist-info/METADATA")]
        told = Parser().parsestr(opened.read(metadata).decode())
    return sorted(set(told.get_all("Provides-Extra", [])) - MAKERS - LARGE)


def try_wheel(environment: Environment, wheel: Path) -> dict[str, str]:
    """Try the wheel without any extra, and then with all of them; what `RUNS` said, by the line."""
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
    said = {line: environment.run(line) for line in RUNS}
    if different := [line for line in RUNS if optimized[line] != said[line]]:
        raise TrialError(f"{environment.title}: different output with -OO: {different[0]!r}")
    elsewhere = {"tabletop serve lcr": "web", "tabletop train lcr -o learnt": "train"}
    for line, extra in {**MORE, **elsewhere}.items():
        if f"pip install 'tabletop-rules[{extra}]'" not in environment.run(line, status=1):
            raise TrialError(f"{environment.title}: {line!r} does not name the extra {extra}")
    environment.install(f"{wheel}[{','.join(extras_of(wheel))}]")
    for line in MORE:
        environment.run(line)
    environment.run(f"python -c 'import {', '.join(MODULES)}'")
    environment.fetch_page("lcr")
    return said


def try_new_packages(environment: Environment, wheel: Path) -> dict[str, str]:
    """Make a package of each kind, install them beside the wheel, and play them by their names."""
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
    """What is tried in an environment of its own.

    Attributes:
        title: what it is called.
        python: the path of its Python.
        test: what is done with the environment and the wheel; returns what programs have said.
    """

    title: str
    python: str
    test: Callable[[Environment, Path], dict[str, str]]

    def run(self, wheel: Path, folder: Path) -> dict[str, str]:
        """Make the environment in a new folder, and test the wheel there; what programs said.

        Raises:
            TrialError: something does not work.
        """
        began = monotonic()
        (folder / "work").mkdir(parents=True)
        venv = [self.python, "-m", "venv", "--without-pip", str(folder / "venv")]
        subprocess.run(venv, check=True)
        said = self.test(Environment(folder, self.title), wheel)
        print(f"{self.title}: all is well ({monotonic() - began:.0f} s)", flush=True)
        return said


def trials() -> list[Trial]:
    """Return all trials, one for each Python and one for new packages."""
    found = list(pythons())
    return [
        *(Trial(f"Python {version}", python, try_wheel) for version, python in found),
        Trial("Packages of `tabletop new`", found[0][1], try_new_packages),
    ]


def main() -> int:
    """Try the wheel everywhere, two trials at a time; the exit status."""
    wheels = list(DIST.glob("*-none-any.whl"))
    if len(wheels) != 1:
        sys.stderr.write("try_wheel: there is not one wheel in dist/: `make dist` builds it\n")
        return 1
    failures: list[str] = []
    said: dict[str, set[str]] = {line: set() for line in RUNS}
    with TemporaryDirectory() as name, ThreadPoolExecutor(max_workers=2) as pool:
        begun = [
            pool.submit(trial.run, wheels[0], Path(name, str(number)))
            for number, trial in enumerate(trials())
        ]
        for future in begun:
            try:
                for line, words in future.result().items():
                    said[line].add(words)
            except TrialError as error:
                failures.append(str(error))
    failures += [f"{line!r} says more than one thing" for line in RUNS if len(said[line]) > 1]
    sys.stderr.write("".join(f"try_wheel: {failure}\n" for failure in failures))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
