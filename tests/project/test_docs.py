"""Pages and docstrings are correct, and the site is complete and self-contained."""

from __future__ import annotations

import doctest
import re
import tomllib
from collections.abc import Iterator
from html import unescape
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from pkgutil import resolve_name

import pytest
from tests.pages import (
    Block,
    add_to_file,
    blocks,
    lacks_open_spiel,
    lacks_torch,
    run_page,
    shell,
)
from tests.project.built_site import inventory

from tabletop.cli.new import package

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src"
DOCS = ROOT / "docs"
PAGES = [page for page in sorted(DOCS.rglob("*.md")) if any(blocks(page))]
CHECKED_PAGES = [
    page for page in PAGES if re.search(r"check_game\(|tabletop check ", page.read_text("utf-8"))
]
OURS = "|".join(sorted(path.parent.name for path in SOURCE.glob("*/__init__.py")))
DIRECTIVE = re.compile(r"^::: ([\w.]+)$", re.MULTILINE)
PLAY_MANY = {"simulating", "comparisons", "rule_comparisons"}
MODULES = [path for path in sorted(SOURCE.rglob("*.py")) if ">>> " in path.read_text("utf-8")]

PACKAGES = [
    (page, block)
    for page in PAGES
    for block in blocks(page)
    if block.title.endswith("pyproject.toml")
]


def name_of(page: Path) -> str:
    return page.relative_to(DOCS).with_suffix("").as_posix()


def check_page(page: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run all blocks of a page except those that need a library that is not installed."""
    shown = [block for block in blocks(page) if block.language in {"sh", "text", "py"}]
    lacking = [block for block in blocks(page) if lacks_open_spiel(block)]
    elsewhere = [block for block in blocks(page) if lacks_torch(block)]
    run = run_page(page, folder, monkeypatch)
    assert run == len(list(blocks(page))) - len(shown) - len(lacking) - len(elsewhere)
    if lacking:
        pytest.skip(f"line {lacking[0].line}: OpenSpiel is not installed; all other blocks ran")


@pytest.mark.slow
@pytest.mark.usefixtures("short_checks")
@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_a_page_does_what_it_shows(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    check_page(page, tmp_path, monkeypatch)


@pytest.mark.slow
@pytest.mark.matrix
@pytest.mark.parametrize("page", CHECKED_PAGES, ids=name_of)
def test_a_page_does_what_it_shows_under_complete_checks(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    check_page(page, tmp_path, monkeypatch)


@pytest.mark.parametrize(
    "path",
    [pytest.param(it, marks=pytest.mark.slow) if it.stem in PLAY_MANY else it for it in MODULES],
    ids=lambda path: path.stem,
)
def test_a_docstring_does_what_it_shows(path: Path) -> None:
    name = ".".join(path.relative_to(SOURCE).with_suffix("").parts).removesuffix(".__init__")
    failed, attempted = doctest.testmod(import_module(name))
    assert attempted > 0
    assert failed == 0


@pytest.mark.slow
def test_names_in_the_reference_can_be_imported(site: Path) -> None:
    assert [name for name in inventory(site) if not can_be_imported(name)] == []


def can_be_imported(name: str) -> bool:
    """Return whether a name is that of a module, or of an attribute of a module."""
    if name.startswith("tabletop.envs.spiel") and find_spec("pyspiel") is None:
        return True  # OpenSpiel has no wheel for the newest Python
    try:
        resolve_name(name)
    except (ImportError, AttributeError):
        return False
    return True


@pytest.mark.slow
def test_names_that_pages_import_are_in_the_reference(site: Path) -> None:
    shown = set(inventory(site))
    imported = {name: name_of(page) for page in PAGES for name in imports_of(page)}
    assert {name: page for name, page in imported.items() if name not in shown} == {}


def imports_of(page: Path) -> Iterator[str]:
    """Yield the names of the project's packages that the code of a page imports."""
    for block in blocks(page):
        if block.language in {"python", "py"}:
            for found in re.finditer(
                rf"\bfrom ((?:{OURS})(?:\.\w+)*) import (\([^)]*\)|[^\n#]*)", block.text
            ):
                words = re.sub(
                    r"[().]|^\.\.\. |^>>> |\bas \w+|#.*", " ", found[2], flags=re.MULTILINE
                )
                yield from (f"{found[1]}.{name}" for name in words.replace(",", " ").split())


def test_every_block_of_a_page_is_tested() -> None:
    for page in DOCS.rglob("*.md"):
        fences = page.read_text("utf-8").count("```")
        assert fences == 2 * len(list(blocks(page))), page


def test_lines_of_code_fit_a_narrow_page() -> None:
    generated = DOCS / "studies"  # reports, with commands to copy whole
    wide = [
        f"{name_of(page)}:{block.line}: {line}"
        for page in PAGES
        if generated not in page.parents
        for block in blocks(page)
        if block.title != "a session"  # a message is one line, however long
        for line in block.text.splitlines()
        if len(line) > 72
    ]
    assert wide == []


def test_there_are_packages_on_the_pages() -> None:
    assert {name_of(page) for page, _ in PACKAGES} >= {"how-to/variants", "tutorial/8-share"}


@pytest.mark.parametrize(("page", "block"), PACKAGES, ids=[page.stem for page, _ in PACKAGES])
def test_a_package_on_a_page_depends_on_this_distribution(page: Path, block: Block) -> None:
    own = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["name"]
    package = tomllib.loads(block.text)
    assert package["project"]["dependencies"] == [own]  # what is called tabletop is a stranger's
    # The first that makes wheels without a package for it.
    assert package["build-system"]["requires"] == ["setuptools>=70.1"], f"{page}:{block.line}"


def test_no_page_installs_another_distribution() -> None:
    pages = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *PAGES, *ROOT.glob("examples/*.py")]
    for page in pages:
        text = page.read_text("utf-8")
        assert not re.search(
            r"(pip3? install|uv add|pipx install)[^`\n]*\btabletop(?![-/.])\b", text
        ), page


@pytest.mark.slow
def test_the_package_of_the_page_on_packages_is_found_once_it_is_installed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "$ tabletop new " in (DOCS / "how-to" / "package-a-game.md").read_text("utf-8")
    for path, text in package("heap", "board").items():
        add_to_file(tmp_path / path, text)
    project = tomllib.loads((tmp_path / "pyproject.toml").read_text("utf-8"))["project"]
    installed = tmp_path / "src" / f"{project['name'].replace('-', '_')}-1.0.0.dist-info"
    installed.mkdir()
    points = project["entry-points"]["tabletop.games"]
    lines = ["[tabletop.games]", *(f"{name} = {value}" for name, value in points.items())]
    (installed / "entry_points.txt").write_text("\n".join(lines), "utf-8")
    (installed / "METADATA").write_text(f"Name: {project['name']}\nVersion: 1.0.0\n", "utf-8")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "src"))
    games = shell("tabletop games", tmp_path)
    assert re.search(r"^heap +2 +1 +Heap$", games, re.MULTILINE), games


def test_files_that_pages_include_exist() -> None:
    broken = re.compile(r"^.*8 +<.*$|^.*<-? +-+ *\"|^--8<--.*$", re.MULTILINE)
    for page in sorted(DOCS.rglob("*.md")):
        for line in broken.findall(page.read_text(encoding="utf-8")):
            marker = re.fullmatch(r'--8<-- "([^":]+)(?::\w+)?"', line)
            assert marker, f"{page.name}: {line}"
            assert (ROOT / marker[1]).is_file(), f"{page.name}: {line}"


IMPORTED = re.compile(
    r"^(?:>>> )? *from ((?:tabletop|sorcery|constructor|lcr)\b[\w.]*) import", re.MULTILINE
)
"""The modules of the project from which pages and examples import."""


def test_the_reference_has_every_module_that_pages_and_examples_import_from() -> None:
    pages = (DOCS / "reference").rglob("*.md")
    documented = {name for page in pages for name in DIRECTIVE.findall(page.read_text("utf-8"))}
    shown = [*DOCS.rglob("*.md"), *(ROOT / "examples").rglob("*.py"), ROOT / "README.md"]
    imported = {name for path in shown for name in IMPORTED.findall(path.read_text("utf-8"))}
    packages = {name for name in imported if (ROOT / "src" / name.replace(".", "/")).is_dir()}
    assert imported - packages - documented == set()


def test_the_first_page_of_the_reference_links_to_all_others() -> None:
    reference = DOCS / "reference"
    linked = re.findall(r"\]\(([\w./-]+\.md)\)", (reference / "index.md").read_text("utf-8"))
    pages = {page.relative_to(reference).as_posix() for page in reference.rglob("*.md")}
    assert pages - {"index.md", *linked} == set()


FETCHED = re.compile(
    r"<(?!a\s)\w[^>]*\s(?:src|href|srcset|data|poster)=[\"']?(?:https?:)?//[^>]*>"
    r"|(?:url\(\s*|@import\s+)['\"]?(?:https?:)?//[^)'\"]*"
)
"""External files that a browser loads to show a page, without links."""


@pytest.mark.slow
@pytest.mark.long
def test_the_site_is_built_without_warnings_or_external_files(site: Path) -> None:
    pages = list(site.rglob("*.html"))
    assert len(pages) > 20
    for path in (*pages, *site.rglob("*.css")):
        text = path.read_text("utf-8")
        assert FETCHED.findall(text) == [], path
        # A prompt that is not shown as code is taken for a quotation.
        assert "<blockquote>" not in text or "reference" not in path.parts, path
    rules = (site / "reference" / "rules.html").read_text("utf-8")
    assert '<span class="gp">&gt;&gt;&gt; </span>' in rules


WIDE = re.compile(r'<div class="([^"]*)"><pre>(.*?)</pre>|<pre><code>(.*?)</code></pre>', re.DOTALL)
"""Code on the site, with the classes of the element around it."""


@pytest.mark.slow
@pytest.mark.long
def test_lines_of_code_in_docstrings_fit_a_narrow_page(site: Path) -> None:
    wide = [
        f"{path.parent.name}: {line}"
        for path in (site / "reference").rglob("*.html")
        for around, marked, plain in WIDE.findall(path.read_text("utf-8"))
        if "doc-signature" not in around
        for line in unescape(re.sub(r"<[^>]+>", "", marked or plain)).splitlines()
        if len(line) > 72
    ]
    assert wide == []


def test_an_external_file_of_a_page_is_found() -> None:
    for piece in ('<img alt="x" src="//a.b/c">', "url(https://a.b)", '@import "http://a.b"'):
        assert FETCHED.search(piece), piece
    assert not FETCHED.search('<a href="https://a.b"><img src="c.png">')
