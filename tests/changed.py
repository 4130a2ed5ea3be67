"""Changing a copy of a game as somebody would who adds something to it, and using the copy."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from types import ModuleType

SHOWN_ON_A_PAGE = """
from tabletop.display import Scene, clickables
from tabletop.registry import load

def shown_on_a_page(source, match, narrow=False):
    '''The picture that the page of a browser has for whoever is to act, and what is clicked.'''
    picture, (seat,), view = load(source).make_picture(), match.to_act, match.view(match.to_act[0])
    choices = clickables(picture, view, match.legal_actions(), match.names, seat)
    scene = Scene(match.names, seat, (seat,), choices, narrow=narrow, live=True, bare=True)
    return picture.draw(view, scene), choices
"""


def use_changed(
    package: ModuleType, edits: Iterable[tuple[str, str, str]], script: str, folder: Path
) -> None:
    """Run a script, which must not fail, with a changed copy of a package.

    Args:
        package: what is copied.
        edits: in which file what stands there once, and what stands there in the copy.
        script: may call `shown_on_a_page`.
        folder: an empty one.
    """
    assert package.__file__ is not None
    copy = folder / package.__name__
    shutil.copytree(Path(package.__file__).parent, copy)
    for name, before, after in edits:
        text = (copy / name).read_text("utf-8")
        assert text.count(before) == 1, before
        (copy / name).write_text(text.replace(before, after), "utf-8")
    (folder / "use.py").write_text(SHOWN_ON_A_PAGE + script, "utf-8")
    done = subprocess.run(
        [sys.executable, "use.py"],
        capture_output=True,
        check=False,
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(folder)},
        timeout=100,
    )
    assert (done.stderr.decode(), done.returncode) == ("", 0)
