"""Conversations of whole tables, compared byte by byte with golden files.

`python -m tests.tabletop.web.test_conversations` rewrites `tests/golden/conversations` from the
scripts in `conversations.toml`. Read the difference before committing it: a change that nobody
wanted is a fault.
"""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.tabletop.web.conversations import GOLDEN, SCRIPTS, play, write_goldens

pytestmark = pytest.mark.slow  # each of them starts a server


@pytest.mark.parametrize("name", SCRIPTS)
def test_conversation_matches_the_golden_file(name: str, tmp_path: Path) -> None:
    assert play(name, tmp_path) == (GOLDEN / f"{name}.txt").read_text("utf-8")


def test_each_golden_file_belongs_to_a_script() -> None:
    assert {path.stem for path in GOLDEN.iterdir()} == set(SCRIPTS)


if __name__ == "__main__":
    with TemporaryDirectory() as folder:
        write_goldens(Path(folder))
