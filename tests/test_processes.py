"""`make quick` runs tests that start no process, and nobody has to remember which those are."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.processes import ProcessStarted, quick


def test_a_test_without_the_mark_slow_can_start_no_process() -> None:
    with quick("a test"), pytest.raises(ProcessStarted, match="a test starts a process"):
        subprocess.run([sys.executable, "--version"], check=True)


@pytest.mark.slow
def test_one_with_the_mark_can() -> None:
    subprocess.run([sys.executable, "--version"], check=True, capture_output=True)
