"""The start of a program: Ctrl-C meanwhile, and the modules that piped input does not need."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest
from tests.program_runs import PYTHON
from tests.signals import default_signals

IMPORTING = """
import sys, time, tabletop_start

class Slow:
    def find_spec(self, name, *_):
        print("importing", flush=True)
        time.sleep(60)

sys.meta_path.insert(0, Slow())
getattr(tabletop_start, sys.argv[1])()
"""
"""Runs a program whose import takes a minute."""


@pytest.mark.slow
@pytest.mark.parametrize("program", ["tabletop", "lcr", "constructor", "sorcery"])
def test_ctrl_c_while_modules_are_imported_shows_no_traceback(program: str) -> None:
    with (
        default_signals(),
        subprocess.Popen(
            [sys.executable, "-c", IMPORTING, program],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        ) as process,
    ):
        assert process.stdout is not None
        assert process.stdout.readline() == "importing\n"
        process.send_signal(signal.SIGINT)
        _, stderr = process.communicate(timeout=60)
    assert (process.returncode, stderr) == (-signal.SIGINT, "")


UNUSED = {
    *("asyncio", "prompt_toolkit", "sqlite3"),
    *("tabletop.table.match_table", "tabletop.terminal.client", "tabletop.terminal.loop"),
}
LISTING = """
import sys
from {0}.program.cli import main

main(sys.argv[1:])
print(*sorted(sys.modules))
"""
"""Runs a program and prints all imported modules on the last line."""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("program", "words", "typed"),
    [
        ("lcr", [], "3 42"),
        ("sorcery", ["-seed", "oak", "-bot", "2"], "Ann\n\nplay 1\nend\n"),
        ("constructor", ["-bot", "red"], "0\n51\n"),
    ],
)
def test_piped_input_needs_no_session_no_ui_and_no_event_loop(
    program: str, words: list[str], typed: str, tmp_path: Path
) -> None:
    command = [*PYTHON, "-c", LISTING.format(program), *words]
    done = subprocess.run(
        command, input=typed, capture_output=True, text=True, check=True, cwd=tmp_path, timeout=60
    )
    imported = set(done.stdout.splitlines()[-1].split())
    assert f"{program}.program.cli" in imported
    assert not imported & UNUSED
