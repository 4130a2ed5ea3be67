"""The notebooks among the examples run from top to bottom, and draw what they say."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from tests.pages import unmeasured

ROOT = Path(__file__).parents[2]
NOTEBOOKS = sorted((ROOT / "examples").glob("*.ipynb"))
PICTURES = {"notebook": [1, 1, 1, 1], "study": [0, 1, 1]}
"""The pictures that each cell of a notebook draws."""

RUN = """
import json, sys, nbformat
from nbclient import NotebookClient
done = []
for path in sys.argv[1:]:
    notebook = nbformat.read(path, as_version=4)
    NotebookClient(notebook, timeout=100, kernel_name="python3").execute()
    done.append(notebook)
json.dump(done, sys.stdout)
"""


def execute(notebooks: Sequence[Path], folder: Path) -> Any:
    """Run notebooks; return them with what their cells have printed and drawn."""
    # A kernel writes where Jupyter keeps its things: not into the home of whoever runs the tests.
    places = {"JUPYTER_RUNTIME_DIR": str(folder), "IPYTHONDIR": str(folder), "HOME": str(folder)}
    done = subprocess.run(
        [sys.executable, "-c", RUN, *map(str, notebooks)],
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
@pytest.mark.matrix  # `test_picture.py` tests the pictures of Jupyter without starting it
def test_the_cells_of_notebooks_draw_pictures(tmp_path: Path) -> None:
    for notebook, done in zip(NOTEBOOKS, execute(NOTEBOOKS, tmp_path), strict=True):
        outputs = [cell["outputs"] for cell in done["cells"] if cell["cell_type"] == "code"]
        cells = [[it["data"].get("image/svg+xml") for it in cell] for cell in outputs]
        drawn = [[picture for picture in cell if picture] for cell in cells]
        assert [len(pictures) for pictures in drawn] == PICTURES[notebook.stem], notebook
        for picture in (picture for pictures in drawn for picture in pictures):
            ET.fromstring("".join(picture))


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_kept_without_what_it_printed(notebook: Path) -> None:
    cells = json.loads(notebook.read_text("utf-8"))["cells"]
    code = [cell for cell in cells if cell["cell_type"] == "code"]
    assert all(cell["outputs"] == [] and cell["execution_count"] is None for cell in code)
