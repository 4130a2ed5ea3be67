"""Findings: what broke a promise, made small and written down with how to see it again."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from time import monotonic
from typing import Final

from tools.fuzz.judging import Verdict, judge
from tools.fuzz.target import HERE, Target

FINDINGS: Final = HERE / "findings"
PATIENCE: Final = 30.0
"""So many seconds are spent on making a finding smaller."""


@dataclass(frozen=True, slots=True)
class Finding:
    """An input that breaks a promise.

    Attributes:
        target: the name of the harness.
        data: the input.
        verdict: what came of it.
    """

    target: str
    data: bytes
    verdict: Verdict

    def save(self, folder: Path = FINDINGS) -> Path:
        """Write it down, the input beside a text that says what happens; where the input lies."""
        folder.mkdir(parents=True, exist_ok=True)
        sign = blake2b(self.verdict.sign.encode(), digest_size=4).hexdigest()
        path = folder / f"{self.target}-{sign}.input"
        path.write_bytes(self.data)
        again = f"To see it again:\n\n    .venv/bin/python -m tools.fuzz reproduce {path}\n"
        shown = f"{self.target}: {self.verdict.sign}\n\n{again}\n{self.verdict.trace}"
        path.with_suffix(".txt").write_text(shown, "utf-8", "backslashreplace")
        return path


def minimised(target: Target, data: bytes, sign: str, seconds: float = PATIENCE) -> bytes:
    """Return a part of `data` with the same finding, the smallest found in so many seconds."""
    until = monotonic() + seconds
    size = max(len(data) // 2, 1)
    while size and monotonic() < until:
        start = 0
        shrunk = False
        while start < len(data) and monotonic() < until:
            less = data[:start] + data[start + size :]
            if judge(target, less).sign == sign:
                data, shrunk = less, True
            else:
                start += size
        if not shrunk or size > 1:
            size //= 2
    return data
