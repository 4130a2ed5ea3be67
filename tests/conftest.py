"""Settings and fixtures for all tests.

Property tests have no deadline, because a busy machine is not a failure. Only tests with the mark
`slow` start processes.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.processes import quick
from tests.project.built_site import build_once

# Each run generates different examples, so a few of them per run are enough.
settings.register_profile(
    "tabletop", max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("quick", settings.get_profile("tabletop"), max_examples=15)
settings.load_profile("tabletop")


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Use two workers for each core, because tests often wait for a browser or a process.

    The quick tests do not wait, so one worker for each core saves the time of collecting.
    """
    affinity = getattr(os, "sched_getaffinity", None)
    cores = len(affinity(0)) if affinity else os.cpu_count() or 1
    return cores if "not slow" in config.getoption("markexpr") else 2 * cores


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Start the longest tests first, so that no worker runs one alone at the end."""
    items.sort(key=lambda item: item.get_closest_marker("long") is None)


def pytest_collection() -> None:
    """Collect no garbage while tests are imported, because that takes a third of the time."""
    gc.disable()


def pytest_collection_finish() -> None:
    """Exclude the collected tests from garbage collections, which take half a second each."""
    gc.freeze()
    gc.enable()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """List the tests that need the mark `slow`, `long` or `matrix`, or less time."""
    reports = terminalreporter.stats.get("passed", [])
    unmarked = [
        report
        for report in reports
        if report.when == "call"
        and report.duration > (3 if "slow" in report.keywords else 0.5)
        and not {"long", "matrix"} & set(report.keywords)
    ]
    if unmarked:
        terminalreporter.section("tests that took too long for their marks")
    for report in sorted(unmarked, key=lambda report: -report.duration):
        terminalreporter.write_line(f"{report.duration:6.1f} s  {report.nodeid}")


@pytest.fixture(scope="session", autouse=True)
def _scores_of_nobody(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep scores and records of programs in temporary folders."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_DATA_HOME", str(tmp_path_factory.mktemp("data")))
        patch.setenv("XDG_STATE_HOME", str(tmp_path_factory.mktemp("state")))
        yield


@pytest.fixture(autouse=True)
def _no_neighbours_of_other_tests(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Unload the games that a test has written and loaded, so that no other test imports them."""
    yield
    place = str(tmp_path_factory.getbasetemp().resolve())
    if any(path.startswith(place) for path in sys.path):
        sys.path[:] = [path for path in sys.path if not path.startswith(place)]
        for name, module in list(sys.modules.items()):
            # A folder without an `__init__.py` has no file, and may consist of several folders.
            file = getattr(module, "__file__", None)
            places = [file] if file else map(str, getattr(module, "__path__", ()))
            if any(path.startswith(place) for path in places):
                del sys.modules[name]


@pytest.fixture
def _ignoring_signals() -> Iterator[None]:
    """Ignore signals as in the background of a shell, or under `nohup`."""
    former = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGHUP)}
    for number in former:
        signal.signal(number, signal.SIG_IGN)
    yield
    for number, handler in former.items():
        signal.signal(number, handler)


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the documentation once for all processes of a run."""
    own = tmp_path_factory.getbasetemp()
    return build_once(own.parent if "PYTEST_XDIST_WORKER" in os.environ else own)


@pytest.fixture
def short_checks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shorten `check_game` and `tabletop check`, for tests with the mark `matrix` beside them.

    They test new situations and every eleventh position, without a remark that these are few, start
    no other process, and time one move of each level.
    """
    monkeypatch.setattr("tabletop.testing.check._CLOSELY", -200)
    monkeypatch.setattr("tabletop.testing.check.check_hash_seed", lambda *_: None)
    monkeypatch.setattr("tabletop.cli.check._LEVEL_SECONDS", 0.0)
    monkeypatch.setattr("tabletop.cli.check._FEW", 0.0)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Fail a test that starts a process without the mark `slow`."""
    if item.get_closest_marker("slow") is not None:
        return (yield)
    with quick(item.nodeid):
        return (yield)
