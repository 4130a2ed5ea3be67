"""A MkDocs hook that adds source pages and pages of text to the site.

The reference and the examples link to the source pages.

`docs/_sources.py` labels each name with its file and line.
"""

from __future__ import annotations

import re
from html import escape
from pathlib import Path
from typing import Any, Final

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.pages import Page
from mkdocs.utils import get_relative_url

from tools import text_pages

ROOT: Final = Path(__file__).resolve().parents[1]

_LABEL: Final = re.compile(
    r'<small class="doc doc-label doc-label-src/[^"]*"><code>src/([\w/]+\.py):(\d+)</code></small>'
)
_EXAMPLE: Final = re.compile(
    r"<(a|pre)\b.*?</\1>|<code>(?P<file>examples/\w+\.py)</code>", re.DOTALL
)
_PAGE: Final = """\
<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex">
<title>{name}</title>
<style>
:root {{ color-scheme: light dark; font: 14px/1.4 ui-monospace, Menlo, Consolas, monospace; }}
pre {{ counter-reset: line; font: inherit; }}
i {{ counter-increment: line; font-style: normal; scroll-margin-top: 20vh; }}
i::before {{ color: GrayText; content: counter(line); display: inline-block; margin-right: 1em;
  min-width: 3em; text-align: right; }}
i:target {{ background: Mark; color: MarkText; }}
</style>
<h1>{name}</h1>
<pre>
{lines}
</pre>
"""


def page_of(path: Path) -> str:
    """Return a page with the contents of a file and an anchor for each line: `#L1`, `#L2`, ..."""
    lines = escape(path.read_text("utf-8"), quote=False).splitlines()
    marked = (f'<i id="L{number}">{line}</i>' for number, line in enumerate(lines, 1))
    return _PAGE.format(name=path.relative_to(ROOT).as_posix(), lines="\n".join(marked))


def on_page_content(html: str, page: Page, **_: object) -> str:
    """Turn the labels and the names of examples into links."""

    def link(found: re.Match[str]) -> str:
        url = get_relative_url(f"source/{found[1]}.html", page.url)
        return f'<a class="source" href="{url}#L{found[2]}">source</a>'

    def link_example(found: re.Match[str]) -> str:
        if not found["file"]:
            return found[0]  # it is a link already, or code
        url = get_relative_url(f"source/{found['file']}.html", page.url)
        return f'<a href="{url}">{found[0]}</a>'

    return _EXAMPLE.sub(link_example, _LABEL.sub(link, html))


def on_env(env: object, config: MkDocsConfig, **_: object) -> None:
    """Remove names that are imported only for type checking, because users cannot import them."""
    plugins: Any = config.plugins
    inventory = plugins["mkdocstrings"].handlers.inventory
    for name in [name for name in inventory if _is_for_types_alone(name)]:
        del inventory[name]


def _is_for_types_alone(name: str) -> bool:
    """Check whether a module imports a name only for type checking."""
    module, _, last = name.rpartition(".")
    path = ROOT.joinpath("src", *module.split(".")).with_suffix(".py")
    if not path.is_file():
        return False
    guarded = re.search(r"(?ms)^if TYPE_CHECKING:\n(.*?)^\S", path.read_text("utf-8"))
    return guarded is not None and re.search(rf"\b{last}\b", guarded[1]) is not None


def on_post_build(config: MkDocsConfig, **_: object) -> None:
    """Write a page for each file of the packages and for each example, and each page as text."""
    for path in (*sorted((ROOT / "src").rglob("*.py")), *sorted(ROOT.glob("examples/*.py"))):
        name = path.relative_to(ROOT).as_posix().removeprefix("src/")
        place = Path(config.site_dir, "source", f"{name}.html")
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(page_of(path), "utf-8", newline="\n")
    text_pages.write(Path(config.site_dir))
