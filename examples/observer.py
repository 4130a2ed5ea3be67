"""Observe matches: statistics of events over many matches.

An observer is any function that takes an event. It is called after an
action is complete, so an exception in an observer affects neither the
match nor other observers.
"""

from __future__ import annotations

from collections import Counter

from lcr import GAME, ChipPassed, DieRolled
from tabletop import Event, Match, MatchEnded, Observers, Random
from tabletop.rules import ObserverFailure


class Statistics:
    """Counts events."""

    def __init__(self) -> None:
        self.faces: Counter[str] = Counter()
        self.wins: Counter[int] = Counter()
        self.pot = 0

    def rolled(self, event: DieRolled) -> None:
        self.faces[event.face] += 1

    def passed(self, event: ChipPassed) -> None:
        self.pot += event.to is None

    def ended(self, event: MatchEnded) -> None:
        self.wins.update(event.outcome.winners)


def clumsy(event: Event) -> None:
    raise RuntimeError("this observer fails at the end of every match")


def main() -> None:
    statistics = Statistics()
    failures: list[ObserverFailure] = []
    observers = Observers()
    observers.subscribe(statistics.rolled, DieRolled)
    observers.subscribe(clumsy, MatchEnded)
    observers.subscribe(statistics.passed, ChipPassed)
    observers.subscribe(statistics.ended, MatchEnded)
    observers.on_failure = failures.append

    for number in range(100):
        Match(
            GAME,
            seed=number,
            players=[Random("nobody")] * 3,
            observers=observers,
        ).run()

    for face, count in sorted(statistics.faces.items()):
        print(f"{face:<7} {count:>5}")
    print(f"{statistics.pot} chips went into the pot")
    for seat, wins in sorted(statistics.wins.items()):
        print(f"seat {seat + 1} won {wins} of 100 matches")
    print(
        f"{len(failures)} failures of an observer were reported: {failures[0].error}"
    )


if __name__ == "__main__":
    main()
