"""The tools of the site: Markdown extension, command reference and source pages."""

from __future__ import annotations

import inspect
import re
from argparse import ArgumentParser
from collections.abc import Callable
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

import pytest
from markdown import Markdown
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File
from mkdocs.structure.pages import Page
from tools import source_pages
from tools.site_markdown import commands_of

from constructor.program.cli import build_parser as build_constructor
from lcr.program.cli import build_parser as build_lcr
from sorcery.program.cli import build_parser as build_sorcery
from tabletop import Game
from tabletop.cli import COMMANDS, build_parser

ROOT = Path(__file__).parents[2]
REFERENCE = ROOT / "docs" / "reference"
BESIDE_THE_NAMES = {"command-line", "index", "glossary", "releases"}


def shown(text: str) -> str:
    """Return the HTML of a page with this text."""
    return str(Markdown(extensions=["tools.site_markdown"]).convert(text))


def test_an_option_in_code_does_not_break_after_its_dashes() -> None:
    assert shown("`play --bot 2=x`, `a-b`, `-3`") == (
        '<p><code>play <span class="option">--bot</span> 2=x</code>, '
        "<code>a-b</code>, <code>-3</code></p>"
    )
    assert "option" not in shown("    play --bot")


@pytest.mark.slow
def test_every_option_of_a_command_is_on_its_page() -> None:
    page = commands_of("tabletop")
    for name in COMMANDS:
        section = page.partition(f"\n### tabletop {name}\n")[2].partition("\n### ")[0]
        assert section, name
        missing = [option for option in options_in(help_of(name)) if option not in section]
        assert missing == [], name
    for block in re.findall(r"```text\n(.*?)```", page, re.DOTALL):
        assert max(map(len, block.splitlines())) <= 72, block


def options_in(text: str) -> set[str]:
    return set(re.findall(r"(?<![\w-])--?[a-z][\w-]*", text)) - {"-h", "--help"}


def help_of(command: str) -> str:
    printed = StringIO()
    with redirect_stdout(printed), pytest.raises(SystemExit):
        build_parser([command]).parse_args([command, "--help"])
    return printed.getvalue()


@pytest.mark.parametrize(
    ("program", "build"),
    [("lcr", build_lcr), ("constructor", build_constructor), ("sorcery", build_sorcery)],
)
def test_every_option_of_a_game_s_program_is_on_its_page(
    program: str, build: Callable[[], ArgumentParser]
) -> None:
    page = commands_of(program)
    assert page.startswith(f"## {program}\n")
    rows = "".join(line for line in page.splitlines() if line.startswith("|"))
    assert {option for option in options_in(build().format_usage()) if option not in rows} == set()


def test_an_unknown_program_is_named() -> None:
    with pytest.raises(ValueError, match="there is no program chess; there are tabletop, lcr"):
        shown('<div class="tabletop-commands" data-program="chess"></div>')


@pytest.mark.slow
def test_a_python_block_with_prompts_is_shown_as_a_session() -> None:
    text = "```python\nx = 1\n```\n\n```python\n# a dialogue\n>>> x\n1\n```\n"
    extensions = ["tools.site_markdown", "pymdownx.superfences", "pymdownx.highlight"]
    page = Markdown(extensions=extensions).convert(text)
    assert page.count('<span class="gp">&gt;&gt;&gt; </span>') == 1
    assert page.count('<span class="go">1</span>') == 1


def test_a_source_page_has_an_anchor_for_each_line() -> None:
    path = Path(inspect.getfile(Game))
    line = path.read_text("utf-8").splitlines().index("class Table:") + 1
    page = source_pages.page_of(path)
    assert "<h1>src/tabletop/rules/game.py</h1>" in page
    assert f'<i id="L{line}">class Table:</i>' in page
    assert "-&gt;" in page


def test_the_name_of_an_example_links_to_its_file() -> None:
    file = File("how-to/tricks.md", "docs", "site", use_directory_urls=False)
    page = Page("Tricks", file, MkDocsConfig())
    code = "<code>examples/hearts.py</code>"
    leads = f'<a href="../source/examples/hearts.py.html">{code}</a>'
    inside = (
        f'<a href="../examples/hearts.html">{code}</a> <pre><code>examples/hearts.py</code></pre>'
    )
    shown = source_pages.on_page_content(f"<p>{code} {inside}</p>", page)
    assert shown == f"<p>{leads} {inside}</p>"


def test_pages_of_the_reference_start_with_links_to_explanations() -> None:
    explained = re.compile(r"\]\((\.\./)+(concepts|how-to|play|tutorial|design)/[\w/-]+\.md")
    pages = {
        page.relative_to(REFERENCE).with_suffix("").as_posix(): page.read_text("utf-8")
        for page in REFERENCE.rglob("*.md")
    }
    lacking = {name for name, text in pages.items() if not explained.search(text.split("\n\n")[1])}
    assert lacking == BESIDE_THE_NAMES
