"""The loop that all targets share: the corpus first, then whatever can be made of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import count
from math import inf
from random import Random
from time import monotonic

from tools.fuzz.findings import Finding, minimised
from tools.fuzz.judging import Verdict, judge
from tools.fuzz.mutation import mutated
from tools.fuzz.target import Target


@dataclass(slots=True)
class Watch:
    """Looks at every input that is run, and keeps those of which something new came.

    Attributes:
        name: the name of the target.
        target: what is run.
        report: told of every new finding, made small.
        before: told of every input before it is run.
        runs: how many inputs were run.
        pool: the inputs worth changing.
        findings: what broke a promise, one for each kind.
    """

    name: str
    target: Target
    report: Callable[[Finding], object] = str
    before: Callable[[bytes], object] = bytes
    runs: int = 0
    pool: list[bytes] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    _seen: set[str] = field(default_factory=set)

    def look(self, data: bytes) -> Verdict:
        """Run an input."""
        self.before(data)
        self.runs += 1
        verdict = judge(self.target, data)
        if verdict.sign in self._seen:
            return verdict
        self._seen.add(verdict.sign)
        if not verdict.is_finding:
            self.pool.append(data)
            return verdict
        small = minimised(self.target, data, verdict.sign)
        finding = Finding(self.name, small, judge(self.target, small))
        self.findings.append(finding)
        self.report(finding)
        return verdict


def fuzz(
    watch: Watch, inputs: list[bytes], seed: str, *, seconds: float = inf, most: int = 0
) -> None:
    """Run the inputs of a corpus, and then others made of them.

    Args:
        watch: looks at them.
        inputs: the corpus.
        seed: decides what is made; the same seed makes the same inputs in the same order.
        seconds: how long; the corpus is gone through in any case.
        most: how many inputs at most, the corpus not counted; 0 for as many as there is time for.
    """
    until = monotonic() + seconds
    for data in inputs:
        watch.look(data)
    for number, data in zip(count(1), others(watch, inputs, Random(seed)), strict=False):
        if monotonic() > until:
            break
        watch.look(data)
        if number == most:
            break


def others(watch: Watch, inputs: list[bytes], chance: Random) -> Iterator[bytes]:
    """Inputs without end, half of them made of the corpus, and half of what came of it."""
    while True:
        pool = watch.pool if chance.random() < 0.5 else inputs
        data, other = chance.choice(pool or [b""]), chance.choice(pool or [b""])
        yield remade(watch.target, data, other, chance)


def remade(target: Target, data: bytes, other: bytes, chance: Random) -> bytes:
    """Make an input of another one, in the way of the target or in that of all."""
    if target.mutate is not None and chance.random() < 0.75:
        data = target.mutate(data, chance)
        if chance.random() < 0.8:
            return data
    return mutated(data, other, chance, target.words)
