"""The documentation as Markdown files, for readers without a browser."""

from __future__ import annotations

import inspect
import re
import subprocess
import sys
import zipfile
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from tools import dist, text_pages

NAMED = re.compile(r"^::: ([\w.]+)$", re.MULTILINE)
BUILD = "from tools import build_backend as b; print(b.build_wheel('..'))"


@pytest.fixture(scope="module")
def texts() -> dict[str, str]:
    """Return the text of each page by its name."""
    return dict(text_pages.pages())


@pytest.mark.slow
def test_the_index_lists_every_page_by_its_title(texts: dict[str, str]) -> None:
    listed = re.findall(r"^- \[(.+)\]\((.+)\)$", text_pages.index(), re.MULTILINE)
    assert [name for _, name in listed] == [*texts]
    for title, name in listed:
        assert texts[name].startswith(f"# {title}") or f"\n# {title}" in texts[name]


@pytest.mark.slow
def test_links_between_pages_lead_to_text(texts: dict[str, str]) -> None:
    for name, text in texts.items():
        for link in re.findall(r"\]\(([^:)#]+\.md)", text):
            path = (Path("/", name).parent / link).resolve().relative_to("/").as_posix()
            assert path in texts, f"{name}: {link}"


@pytest.mark.slow
def test_snippets_buttons_and_lists_of_options_become_text(texts: dict[str, str]) -> None:
    assert "\nclass " in texts["tutorial/2-moves.md"]
    for name, text in texts.items():
        prose = re.sub(r"(?s)^( *)```.*?^\1```", "", text, flags=re.MULTILINE)
        assert not re.search(r'^ *--8<--|^<div class="tabletop|^::: ', prose, re.MULTILINE), name


# One test for all pages, because each worker that runs a part would render the pages first.
@pytest.mark.slow
def test_pages_of_the_reference_have_the_docstrings_of_their_names(texts: dict[str, str]) -> None:
    for page in text_pages.ROOT.glob("docs/reference/*.md"):
        text = texts[f"reference/{page.name}"]
        for name in NAMED.findall(page.read_text("utf-8")):
            module, _, last = name.rpartition(".")
            thing: Any
            try:
                thing = import_module(name)
            except ModuleNotFoundError:
                thing = getattr(import_module(module), last)
            if inspect.ismodule(thing) or inspect.isclass(thing) or inspect.isroutine(thing):
                assert (inspect.getdoc(thing) or "").partition("\n")[0] in text, name
            else:
                assert last in text, name


@pytest.mark.slow
def test_members_of_a_class_have_signatures_and_docstrings(texts: dict[str, str]) -> None:
    text = texts["reference/tabletop.md"]
    _, _, apply = text.partition("## tabletop.Game.apply\n")
    assert apply.lstrip().startswith("```python\n")
    assert "def apply(self, state: S, action: A, table: Table) -> None" in apply[:200]
    assert "\n## tabletop.Game._" not in text


@pytest.mark.slow
def test_a_class_has_the_signature_of_its_init(texts: dict[str, str]) -> None:
    _, _, selections = texts["reference/tabletop.md"].partition("## tabletop.Selections\n")
    assert "*, also: Sequence[A]=()" in selections.partition("\n## ")[0]


@pytest.mark.slow
def test_a_wheel_contains_all_pages(tmp_path: Path, texts: dict[str, str]) -> None:
    copy = tmp_path / "copy"
    dist.copy_sources(dist.ROOT, copy)
    subprocess.run([sys.executable, "-c", BUILD], cwd=copy, check=True, capture_output=True)
    [wheel] = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        assert archive.read("tabletop/docs/llms.txt").decode() == text_pages.index()
        for name, text in texts.items():
            assert archive.read(f"tabletop/docs/{name}").decode() == text
