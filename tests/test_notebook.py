"""The notebooks among the examples run from top to bottom, and draw what they say."""

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
NOTEBOOKS = sorted((ROOT / "examples").glob("*.ipynb"))
PICTURES = {"notebook": [1, 1, 1, 1], "study": [0, 1, 1]}
"""The pictures that each cell of a notebook draws."""

RUN = """
import sys, nbformat
from nbclient import NotebookClient
notebook = nbformat.read(sys.argv[1], as_version=4)
NotebookClient(notebook, timeout=100, kernel_name="python3").execute()
sys.stdout.write(nbformat.writes(notebook))
"""


def execute(notebook: Path, folder: Path) -> Any:
    """Run a notebook; return it with what its cells have printed and drawn."""
    # A kernel writes where Jupyter keeps its things: not into the home of whoever runs the tests.
    places = {"JUPYTER_RUNTIME_DIR": str(folder), "IPYTHONDIR": str(folder), "HOME": str(folder)}
    done = subprocess.run(
        [sys.executable, "-c", RUN, str(notebook)],
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
@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_the_cells_of_a_notebook_draw_pictures(notebook: Path, tmp_path: Path) -> None:
    cells = [
        [one["data"]["image/svg+xml"] for one in cell["outputs"] if "image/svg+xml" in one["data"]]
        for cell in execute(notebook, tmp_path)["cells"]
        if cell["cell_type"] == "code"
    ]
    assert [len(pictures) for pictures in cells] == PICTURES[notebook.stem]
    for picture in (picture for pictures in cells for picture in pictures):
        ET.fromstring("".join(picture))


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_kept_without_what_it_printed(notebook: Path) -> None:
    cells = json.loads(notebook.read_text("utf-8"))["cells"]
    code = [cell for cell in cells if cell["cell_type"] == "code"]
    assert all(cell["outputs"] == [] and cell["execution_count"] is None for cell in code)
