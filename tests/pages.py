"""Runs what a page of the documentation shows, from top to bottom, in an empty folder.

- A block with a title is a file: its text is added to what the file holds already.
- A `python` block with prompts is a doctest; without, it is run. All of a page share their names.
- A `console` block is typed into a shell: lines after `$`, each followed by what it prints. The
  programs of the project run in this process.

`...` stands for any text in what a doctest or a command prints. Other blocks are only shown: `py`
is Python that stands in a file which is tested elsewhere.

A line `--8<-- "examples/NAME.py:section"` stands for that section of a file of the project, or for
the whole file without the markers of its sections, as it does when the site is built.
"""

from __future__ import annotations
import __future__

import doctest
import importlib
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

import pytest
from typing_extensions import override

from tests.program_runs import run_here

FENCE = re.compile(r"^```(\w*)([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
TITLE = re.compile(r'title="([^"]+)"')
FLAGS = doctest.ELLIPSIS
ROOT = Path(__file__).parent.parent
SNIPPET = re.compile(r'^--8<-- "([^":]+)(?::(\w+))?"$', re.MULTILINE)
MARKER = re.compile(r"^.*--8<-- \[(?:start|end):\w+\].*\n", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block: what it holds, and the line it begins at, counted from 1."""

    language: str
    title: str
    text: str
    line: int


def blocks(page: Path) -> Iterator[Block]:
    """The fenced blocks of a page, in order."""
    text = page.read_text("utf-8")
    for found in FENCE.finditer(text):
        language, info, body = found.groups()
        title = TITLE.search(info)
        line = text.count("\n", 0, found.start()) + 2
        yield Block(language, title[1] if title else "", SNIPPET.sub(shown, body), line)


def shown(snippet: re.Match[str]) -> str:
    """What a page shows of a file, without the last line break."""
    path, section = snippet.groups()
    text = (ROOT / path).read_text("utf-8")
    if section:
        found = re.search(rf"(?ms)^[^\n]*\[start:{section}\]\n(.*?)^[^\n]*\[end:{section}\]", text)
        assert found, f"{path} has no section {section}"
        text = found[1]
    return MARKER.sub("", text).removesuffix("\n")


def run_page(page: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> int:
    """Run the blocks of `page` in `folder`; how many there were to run.

    Those that `lacks_open_spiel` or `lacks_torch` are left out.

    Raises:
        AssertionError: a block does not do what the page says.
    """
    monkeypatch.chdir(folder)
    monkeypatch.syspath_prepend(folder)
    module = ModuleType(f"page_{page.stem.replace('-', '_')}")
    monkeypatch.setitem(sys.modules, module.__name__, module)
    runnable = [it for it in blocks(page) if not (lacks_open_spiel(it) or lacks_torch(it))]
    try:
        return sum(run_block(block, page, folder, module) for block in runnable)
    finally:
        forget(folder)


def lacks_open_spiel(block: Block) -> bool:
    """Whether a block needs OpenSpiel and it is not here: there is no wheel for every Python."""
    needs = block.language == "python" and "tabletop.envs import spiel" in block.text
    return needs and find_spec("pyspiel") is None


def lacks_torch(block: Block) -> bool:
    """Whether a block trains a bot, or plays with it, and PyTorch is not here."""
    needs = block.language == "console" and re.search(r"\$ tabletop train |learnt/", block.text)
    return bool(needs) and find_spec("sb3_contrib") is None


def forget(folder: Path) -> None:
    """Have what was imported out of `folder` imported anew."""
    for name, module in list(sys.modules.items()):
        if str(getattr(module, "__file__", None)).startswith(str(folder)):
            del sys.modules[name]
    importlib.invalidate_caches()


def run_block(block: Block, page: Path, folder: Path, module: ModuleType) -> bool:
    """Run a block; whether there was something to run."""
    where = f"{page.name}:{block.line}"
    if block.title:
        add_to_file(folder / block.title, block.text)
        forget(folder)
    elif block.language == "python" and ">>> " in block.text:
        run_doctest(block, where, module)
    elif block.language == "python":
        code = "\n" * (block.line - 1) + block.text
        flags = __future__.annotations.compiler_flag
        exec(compile(code, str(page), "exec", flags, dont_inherit=True), vars(module))
    elif block.language == "console":
        run_console(block, where, folder)
    else:
        return False
    return True


class Checker(doctest.OutputChecker):
    """Compares what is printed, as if the fixture `short_checks` were not used."""

    @override
    def check_output(self, want: str, got: str, optionflags: int) -> bool:
        return super().check_output(want, SHORTENED.sub("", got), optionflags)


SHORTENED = re.compile(r" \(\d+ tested\)")
CHECKER = Checker()


def add_to_file(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a", encoding="utf-8") as file:
        file.write(text)


def run_doctest(block: Block, where: str, module: ModuleType) -> None:
    test = doctest.DocTestParser().get_doctest(
        block.text, vars(module), where, where, block.line - 1
    )
    complaints: list[str] = []
    runner = doctest.DocTestRunner(CHECKER, verbose=False, optionflags=FLAGS)
    result = runner.run(test, out=complaints.append, clear_globs=False)
    vars(module).update(test.globs)
    assert result.failed == 0, "".join(complaints)


def commands(block: Block) -> Iterator[tuple[str, str]]:
    """The commands of a console block, each with what the page says it prints."""
    for part in re.split(r"^\$ ", block.text, flags=re.MULTILINE)[1:]:
        command, _, output = part.partition("\n")
        while command.endswith("\\"):
            more, _, output = output.partition("\n")
            command = f"{command[:-1].rstrip()} {more.lstrip()}"
        yield command, output


def run_console(block: Block, where: str, folder: Path) -> None:
    for command, wanted in commands(block):
        found = PROGRAM.fullmatch(command)
        printed = run_in_pipe(found, folder) if found else shell(command, folder)
        printed = re.sub(r"[ \t]+$", "", PROGRESS.sub("", printed), flags=re.MULTILINE)
        fits = CHECKER.check_output(wanted, printed, FLAGS)
        assert fits, f"{where}: `{command}` prints\n{printed}\nand not\n{wanted}"


PROGRESS = re.compile(
    r"^[^:\n]+: [\d,]+ (?:of [\d,]+, \d+%(?:; .*)?|match(?:es)? of .+ on seat .+)\n", re.MULTILINE
)
"""The lines of progress that a study prints after three seconds, on a busy machine."""

PROGRAM = re.compile(
    r"""(?:(?P<before>(?!yes)[^|]+)\s\|\s)?(?P<now>TABLETOP_NOW=\S+\s)?(?P<program>tabletop|lcr|sorcery|constructor)
    (?P<words>(?:\s(?:"[^"]*"|'[^']*'|[^\s|;<>&"'`$])+)*)
    (?:\s<\s(?P<input>\S+))?(?:\s>\s(?P<output>\S+))?(?:\s\|\s(?P<after>.+?))?(?P<status>;\secho\s\$\?)?""",
    re.VERBOSE,
)
"""A command that runs one program of the project; what is piped into it ends by itself."""


def run_in_pipe(command: re.Match[str], folder: Path) -> str:
    """Run the program of a command in this process; what the whole command prints."""
    before = command["before"] or (f"cat {command['input']}" if command["input"] else "")
    after = command["after"] or (f"cat > {command['output']}" if command["output"] else "")
    typed = shell(before, folder) if before else ""
    program = command["program"]
    place = "tabletop.cli" if program == "tabletop" else f"{program}.program.cli"
    main = importlib.import_module(place).main
    with pytest.MonkeyPatch.context() as patch:
        for name, value in private(folder).items():
            patch.setenv(name, value)
        if command["now"]:
            patch.setenv(*command["now"].strip().split("="))
        out, err, status = run_here(main, shlex.split(command["words"]), typed, together=not after)
    printed = err + shell(after, folder, out) if after else out
    return f"{printed}{status}\n" if command["status"] else printed


def unmeasured() -> dict[str, str]:
    """The environment for a program whose lines are not counted: it shows things, and is slow."""
    return {name: value for name, value in os.environ.items() if not name.startswith("COVERAGE_")}


def private(folder: Path) -> dict[str, str]:
    """The environment of a page: the home of somebody who has no scores and records yet."""
    return {
        "HOME": str(folder),
        "XDG_DATA_HOME": str(folder / ".data"),
        "XDG_STATE_HOME": str(folder / ".state"),
        "COLUMNS": "100",
        "NO_COLOR": "1",
    }


def shell(command: str, folder: Path, typed: str = "") -> str:
    """What a command prints in `folder`, on either stream."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}"
    return subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env={**unmeasured(), **private(folder), "PATH": path},
        input=typed,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        timeout=100,
        check=False,
    ).stdout
