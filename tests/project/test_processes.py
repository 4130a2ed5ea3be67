"""`make quick` runs tests that start no process, and a hanging test is stopped and named."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.processes import ProcessStarted, quick


def test_a_test_without_the_mark_slow_can_start_no_process() -> None:
    with quick("a test"), pytest.raises(ProcessStarted, match="a test starts a process"):
        subprocess.run([sys.executable, "--version"], check=True)


@pytest.mark.slow
def test_a_test_with_the_mark_slow_can_start_a_process() -> None:
    subprocess.run([sys.executable, "--version"], check=True, capture_output=True)


HANGING = """
import threading

def test_waits_for_itself():
    lock = threading.Lock()
    with lock, lock:
        pass

def test_after_it():
    pass
"""


@pytest.mark.slow
def test_a_hanging_test_is_stopped_and_named(tmp_path: Path) -> None:
    (tmp_path / "test_hanging.py").write_text(HANGING)
    project = Path(__file__).parents[2] / "pyproject.toml"
    config = ["-c", str(project), "--rootdir", str(tmp_path)]
    options = ["-o", "faulthandler_timeout=1", "--numprocesses=1", "--dist=worksteal"]
    words = ["-p", "xdist.plugin", *config, *options, str(tmp_path)]
    command = [sys.executable, "-m", "pytest", *words]
    alone = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    done = subprocess.run(command, env=alone, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "crashed while running 'test_hanging.py::test_waits_for_itself'" in done.stdout
    assert "1 failed, 1 passed" in done.stdout
    assert "in test_waits_for_itself" in done.stderr
