"""A missing optional library is reported with the extra that installs it."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Any, cast

import pytest
from tests.forked import run

from tabletop.errors import MissingExtra


def import_without(words: Sequence[str]) -> int:
    """Import a module in which a library is missing, and print the error."""
    module, library = words
    package = ".".join(module.split(".")[:2])
    for name in list(sys.modules):
        if name.startswith(package):
            del sys.modules[name]
    sys.modules[library] = cast("Any", None)
    try:
        import_module(module)
    except MissingExtra as error:
        print(error)
    return 0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("module", "library", "extra"),
    [
        ("tabletop.envs", "numpy", "envs"),
        ("tabletop.envs.gym", "gymnasium", "envs"),
        ("tabletop.envs.spiel", "pyspiel", "envs"),
        ("tabletop.studies.report_page", "numpy", "studies"),
        ("tabletop.studies.comparisons", "numpy", "studies"),
        ("tabletop.terminal.editor", "prompt_toolkit", "terminal"),
    ],
)
def test_a_module_without_its_library_names_the_extra(
    module: str, library: str, extra: str
) -> None:
    done = run(import_without, module, library)
    assert done.stdout.endswith(f" needs {library}: pip install 'tabletop-rules[{extra}]'\n")
