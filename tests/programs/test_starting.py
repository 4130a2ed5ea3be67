"""Ctrl-C while a program is starting."""

from __future__ import annotations

import signal
import subprocess
import sys

import pytest
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
