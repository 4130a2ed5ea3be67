"""A missing optional library is reported with the extra that installs it."""

from __future__ import annotations

import subprocess
import sys

import pytest

BLIND = """
import sys
sys.modules[sys.argv[1]] = None
__import__(sys.argv[2])
"""


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
    command = [sys.executable, "-c", BLIND, library, module]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    last = done.stderr.splitlines()[-1]
    assert last.startswith("tabletop.errors.MissingExtra: ")
    assert last.endswith(f" needs {library}: pip install 'tabletop-rules[{extra}]'")
