"""Show in the reference where each name is defined.

The place is a label next to the heading, such as `src/tabletop/rules/game.py:41`.
`tools/source_pages.py` turns the labels into links.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import griffe

_ROOT = Path(__file__).resolve().parents[1]


class Sources(griffe.Extension):
    """Labels modules, classes and functions with their file and first line."""

    def on_object(self, *, obj: griffe.Object, **kwargs: Any) -> None:
        if (obj.is_class or obj.is_function or obj.is_module) and isinstance(obj.filepath, Path):
            path = obj.filepath.relative_to(_ROOT).as_posix()
            obj.labels.add(f"{path}:{obj.lineno or 1}")
