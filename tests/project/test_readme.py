"""The README is tested as a doctest, and its commands and links exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.pages import blocks, run_page

ROOT = Path(__file__).parents[2]
README = ROOT / "README.md"


@pytest.mark.slow
def test_the_code_of_the_readme_works(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert run_page(README, tmp_path, monkeypatch) == len(list(blocks(README)))


def test_every_make_command_of_the_contributing_page_exists() -> None:
    named = re.findall(r"`make ([a-z]+)", (ROOT / "CONTRIBUTING.md").read_text("utf-8"))
    targets = re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
    assert {"regenerate", "test"} <= set(named) <= set(targets)


def test_every_make_command_of_the_readme_exists() -> None:
    named = re.findall(r"\bmake ([a-z]+)", README.read_text("utf-8"))
    targets = re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
    assert {"demo", "test"} <= set(named) <= set(targets)


def test_every_link_of_the_readme_has_a_target() -> None:
    links = re.findall(r"\]\(([^)]+)\)", README.read_text("utf-8"))
    assert links
    assert [link for link in links if not (ROOT / link).exists()] == []
