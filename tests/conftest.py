"""What holds for all tests: no clock for properties, and no scores or records of whoever runs them.

A busy machine is no failure of a property. And only tests with the mark `slow` start processes.
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

# Examples are others in every run: what many of them would find, many runs find.
settings.register_profile(
    "tabletop", max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("thorough", settings.get_profile("tabletop"), max_examples=100)
settings.register_profile("quick", settings.get_profile("tabletop"), max_examples=15)
settings.load_profile("tabletop")


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Three workers for two cores: a third of the time, tests wait for a browser or a process.

    Quick ones never wait: a worker for each core is enough, and less time goes by on collecting.
    """
    affinity = getattr(os, "sched_getaffinity", None)
    cores = len(affinity(0)) if affinity else os.cpu_count() or 1
    return cores if config.getoption("markexpr") == "not slow" else cores + cores // 2


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """What is collected stays to the end: nobody looks for garbage among it, and rarely elsewhere.

    Python looks at every 700 new objects, and would be at it for a thirtieth of the time.
    """
    gc.disable()
    yield
    gc.enable()
    gc.freeze()
    gc.set_threshold(20_000)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The longest tests begin first: what began last would run on alone."""
    items.sort(key=lambda item: item.get_closest_marker("long") is None)


@pytest.fixture(scope="session", autouse=True)
def _scores_of_nobody(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Programs keep their scores and records in directories of the tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_DATA_HOME", str(tmp_path_factory.mktemp("data")))
        patch.setenv("XDG_STATE_HOME", str(tmp_path_factory.mktemp("state")))
        yield


@pytest.fixture(autouse=True)
def _no_neighbours_of_other_tests(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A test finds no files beside the games that another test has written and loaded."""
    yield
    place = str(tmp_path_factory.getbasetemp().resolve())
    if any(path.startswith(place) for path in sys.path):
        sys.path[:] = [path for path in sys.path if not path.startswith(place)]
        for name, module in list(sys.modules.items()):
            # A folder without an `__init__.py` has no file, and lies in several places.
            file = getattr(module, "__file__", None)
            places = [file] if file else map(str, getattr(module, "__path__", ()))
            if any(it.startswith(place) for it in places):
                del sys.modules[name]


@pytest.fixture
def _ignoring_signals() -> Iterator[None]:
    """A test that runs as in the background of a shell, or under `nohup`."""
    former = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGHUP)}
    for number in former:
        signal.signal(number, signal.SIG_IGN)
    yield
    for number, handler in former.items():
        signal.signal(number, handler)


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The documentation as a site, built once for all processes of a run."""
    own = tmp_path_factory.getbasetemp()
    return build_once(own.parent if "PYTEST_XDIST_WORKER" in os.environ else own)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Fail a test that starts a process without saying so."""
    if item.get_closest_marker("slow") is not None:
        return (yield)
    with quick(item.nodeid):
        return (yield)
