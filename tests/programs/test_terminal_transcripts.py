"""Transcripts of the programs with a person at a terminal, compared with golden files.

`python -m tests.programs.test_terminal_transcripts` rewrites `tests/golden/terminals` from the
scripts in `terminal_transcripts.toml`. Read the difference before committing it.
"""

from __future__ import annotations

import io
import re
import shlex
import shutil
import tomllib
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import pexpect
import pytest
from tests.terminals import SEQUENCE, at_terminal, until_it_reads

from constructor.program.cli import main as constructor
from lcr.program.cli import main as lcr
from sorcery.program.cli import main as sorcery
from tabletop.cli import main as tabletop

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("_ignoring_signals")]

ROOT: Final = Path(__file__).parents[2]
GOLDEN: Final = ROOT / "tests" / "golden" / "terminals"
SCRIPTS: Final[dict[str, dict[str, Any]]] = tomllib.loads(
    Path(__file__).with_name("terminal_transcripts.toml").read_text("utf-8")
)
MAINS: Final = {
    "constructor": constructor,
    "lcr": lcr,
    "sorcery": sorcery,
    "tabletop": tabletop,
}
PROMPT: Final = r"(> |\? |Enter\. |\) )$"
"""The end of every text after which a program waits for a line."""

NAME_OF_RECORD: Final = re.compile(r"\d{8}T\d{6}-[0-9a-f]{6}")
TIME_OF_SCORE: Final = re.compile(r"(?m)^  (ended|time) .*$")


def transcript(name: str, folder: Path) -> str:
    """Return what the terminal shows, including the typed lines. The folder has to be empty."""
    script, shown = SCRIPTS[name], io.StringIO()
    work = folder / "work"
    work.mkdir(parents=True)
    for game in script.get("games", ()):
        shutil.copy(ROOT / "examples" / game, work)
    for file, text in script.get("files", {}).items():
        (work / file).write_text(text, "utf-8")
    for run in script["runs"].split("$ ")[1:]:
        shown.write(f"$ {run.splitlines()[0]}\n")
        _run(run.splitlines(), work, shown)
    text = SEQUENCE.sub("", shown.getvalue())
    text = re.sub(rf"\s+{re.escape(str(folder))}", " FOLDER", text)  # wrapped if it is long
    return TIME_OF_SCORE.sub(r"  \1 ...", NAME_OF_RECORD.sub("TIME", text))


def _run(lines: list[str], work: Path, shown: io.StringIO) -> None:
    """Start a program, and type each line when it waits for one."""
    program, *arguments = shlex.split(lines[0])
    settings = {"TERM": "dumb", "PYTHONIOENCODING": "utf-8", "LC_ALL": "C.UTF-8"}
    settings |= {"XDG_STATE_HOME": str(work.parent), "XDG_DATA_HOME": str(work.parent)}
    with at_terminal(
        MAINS[program], *arguments, size=(60, 100), cwd=work, environment=settings
    ) as child:
        child.logfile_read = shown
        for line in lines[1:]:
            child.expect(PROMPT)
            until_it_reads(child)
            match line:
                case "^C":
                    child.sendintr()
                case "^D":
                    child.sendeof()
                case _:
                    child.sendline(line)
            child.expect_exact("\r\n")
        child.expect(pexpect.EOF)
        child.wait()
        shown.write(f"(exit status {child.exitstatus})\n")


@pytest.mark.parametrize("name", SCRIPTS)
def test_transcript_matches_the_golden_file(name: str, tmp_path: Path) -> None:
    assert transcript(name, tmp_path) == (GOLDEN / f"{name}.txt").read_text("utf-8")


if __name__ == "__main__":
    for name in SCRIPTS:
        with TemporaryDirectory() as folder:
            (GOLDEN / f"{name}.txt").write_text(transcript(name, Path(folder)), "utf-8")
