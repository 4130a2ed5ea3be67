"""The notebook among the examples runs from top to bottom, and draws what it says."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from tests.pages import unmeasured

ROOT = Path(__file__).parent.parent
NOTEBOOK = ROOT / "examples" / "notebook.ipynb"

RUN = """
import sys, nbformat
from nbclient import NotebookClient
notebook = nbformat.read(sys.argv[1], as_version=4)
NotebookClient(notebook, timeout=100, kernel_name="python3").execute()
sys.stdout.write(nbformat.writes(notebook))
"""


@pytest.fixture(scope="module")
def executed(tmp_path_factory: pytest.TempPathFactory) -> Any:
    folder = tmp_path_factory.mktemp("notebook")
    # A kernel writes where Jupyter keeps its things: not into the home of whoever runs the tests.
    places = {"JUPYTER_RUNTIME_DIR": str(folder), "IPYTHONDIR": str(folder), "HOME": str(folder)}
    done = subprocess.run(
        [sys.executable, "-c", RUN, str(NOTEBOOK)],
        cwd=folder,
        env={**unmeasured(), **places},
        capture_output=True,
        encoding="utf-8",
        timeout=100,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.slow
def test_every_cell_of_the_notebook_draws_a_picture(executed: Any) -> None:
    cells = [cell for cell in executed["cells"] if cell["cell_type"] == "code"]
    for cell in cells:
        pictures = [one["data"].get("image/svg+xml") for one in cell["outputs"] if "data" in one]
        assert len(pictures) == 1, "".join(cell["source"])
        ET.fromstring("".join(pictures[0]))


def test_the_notebook_is_kept_without_what_it_printed() -> None:
    notebook = json.loads(NOTEBOOK.read_text("utf-8"))
    code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert all(cell["outputs"] == [] and cell["execution_count"] is None for cell in code)
