"""The design pages refer to existing code."""

from __future__ import annotations

import re
from doctest import DocTestParser
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from tests.lcr.programs import NAMES as NAMES_IN_COURSE
from tests.lcr.programs import goldens

PAGES = sorted((Path(__file__).parents[2] / "docs" / "design").glob("*.md"))
NAME = re.compile(r"`((?:tabletop|lcr|constructor|sorcery)(?:\.\w+)+)`")
NAMES = sorted({name for page in PAGES for name in NAME.findall(page.read_text("utf-8"))})


def found(name: str) -> object:
    """The module, class, function or field of that name.

    Raises:
        AttributeError: there is none.
    """
    module, *rest = name.split(".")
    thing: object = import_module(module)
    for part in rest:
        if hasattr(thing, part):
            thing = getattr(thing, part)
        elif part not in getattr(thing, "__annotations__", {}):
            module = f"{getattr(thing, '__name__', name)}.{part}"
            try:
                thing = import_module(module)
            except ModuleNotFoundError:
                raise AttributeError(f"there is no {name}") from None
    return thing


def test_code_that_a_design_page_names_exists() -> None:
    assert len(NAMES) > 100
    for name in NAMES:
        assert found(name) is not None, name


@pytest.mark.parametrize("name", ["sorcery.nothing", "sorcery.rules.engine.Engine.nothing"])
def test_missing_code_on_a_design_page_is_found(name: str) -> None:
    with pytest.raises(AttributeError, match=name):
        found(name)


def test_each_question_of_the_specifications_is_answered() -> None:
    constructor, sorcery = (
        re.findall(r"^## (.+)$", page.read_text("utf-8"), re.MULTILINE)
        for page in PAGES
        if page.stem in {"constructor", "sorcery"}
    )
    numbered = [heading for heading in constructor if heading[0].isdigit()]
    assert [heading.split(".")[0] for heading in numbered] == [*"1234567"]
    asked = [heading for heading in sorcery if heading.endswith(")")]
    sections = [heading.rpartition("(")[2].rstrip(")") for heading in asked]
    assert sections == ["§2.2", "§2.3", "§4.4.2", "§5.2.4; 2017 §5.2", "2017 §6.5"]


@pytest.mark.parametrize(
    ("game", "section"),
    [
        ("lcr", "The generator"),
        ("lcr", "Results"),
        ("lcr", "Testing"),
        ("lcr", "Shortcomings"),
        ("sorcery", "Extra features"),
        ("constructor", "Class diagrams"),
        ("constructor", "Extra features"),
    ],
)
def test_a_design_document_has_the_required_sections(game: str, section: str) -> None:
    (page,) = (page for page in PAGES if page.stem == game)
    _, found, after = page.read_text("utf-8").partition(f"\n## {section}")
    assert found
    assert len(after.partition("\n## ")[0].split()) > 50


def test_the_program_on_the_page_plays_the_games_of_the_reference_program() -> None:
    (page,) = (page for page in PAGES if page.stem == "lcr")
    first, *_ = DocTestParser().get_examples(page.read_text("utf-8"))
    program: dict[str, Any] = {}
    exec(first.source, program)
    runs = [
        (answers, printed.stdout.rpartition("? ")[2])
        for stdin, printed in goldens()
        if re.fullmatch(rb"\d+ \d+", answers := b" ".join(stdin.split())) and not printed.stderr
    ]
    assert len(runs) > 20
    for answers, lines in runs:
        players, seed = map(int, answers.split())
        assert program["play"](NAMES_IN_COURSE[:players], seed) == lines
