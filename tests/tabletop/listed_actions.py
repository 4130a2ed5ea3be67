"""The lists of legal actions that language models read."""

from __future__ import annotations

import re


def first_action(listed: str) -> str:
    """Return the first action of a list, with as few things as it may choose, in brackets."""
    found = re.search(r"^\[(.*?)\](?:, and (\d+).*? of: (.*))?", listed, re.MULTILINE)
    assert found is not None
    words, low, items = found.groups()
    return f"[{' '.join([words, *(items or '').split()[: int(low or 0)]])}]"
