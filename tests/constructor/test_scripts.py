"""The samples that came with the assignment, each run against the real program."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.constructor.programs import DATA, run

SCRIPTS = sorted((DATA / "scripts").glob("*.in"))


def test_there_are_samples() -> None:
    assert len(SCRIPTS) == 14


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_a_sample_gives_the_messages_and_saves_that_it_says(script: Path, tmp_path: Path) -> None:
    wanted = json.loads(script.with_suffix(".expect.json").read_text("utf-8"))
    for name, text in wanted["files"].items():
        (tmp_path / name).write_text(text, "utf-8")
    arguments = script.with_suffix(".args").read_text("utf-8").split()
    printed = run(tmp_path, *arguments, typed=script.read_bytes())
    assert (printed.stderr, printed.status) == ("", 0)
    assert [text for text in wanted["must"] if text not in printed.stdout] == []
    assert [text for text in wanted["mustnot"] if text in printed.stdout] == []
    for name, lines in wanted["saves"].items():
        assert (tmp_path / name).read_text("utf-8").splitlines() == [str(line) for line in lines]
