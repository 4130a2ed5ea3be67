"""The refusals of tables, clients and programs."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

SOURCE = Path(__file__).parents[2] / "src"

WORD = re.compile(r"[A-Za-z]+")

PLACES = (
    "tabletop/table",
    "tabletop/protocol",
    "tabletop/terminal",
    "tabletop/web",
    "sorcery/program",
    "constructor/program",
    "lcr/program",
)


def raised_sentences(path: Path) -> Iterator[str]:
    """Yield the sentences in `raise` statements, with `{}` for each value in them."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
            for argument in node.exc.args:
                parts = argument.values if isinstance(argument, ast.JoinedStr) else [argument]
                words = [it.value if isinstance(it, ast.Constant) else "{}" for it in parts]
                yield "".join(map(str, words))


def test_each_refusal_is_written_once() -> None:
    files = [path for place in PLACES for path in (SOURCE / place).rglob("*.py")]
    written = Counter(sentence for path in files for sentence in raised_sentences(path))
    sentences = {it: count for it, count in written.items() if len(WORD.findall(it)) > 3}
    assert len(sentences) > 100
    assert [it for it, count in sentences.items() if count > 1] == []
