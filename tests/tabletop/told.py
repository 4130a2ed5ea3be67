"""What a message must hold in whatever words: names, numbers, and what would be right.

One test of a family of messages, beside what raises them, pins the words. Others ask for what the
message is about.
"""

from __future__ import annotations

import re


def tells(text: str, parts: str) -> bool:
    """Say whether one line of a text has these parts, divided by ` ... `, in this order."""
    return re.search(".*".join(map(re.escape, parts.split(" ... "))), text) is not None
