"""Calls the rules under test, so that whatever they raise breaks a law."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from tabletop.codec import to_json
from tabletop.game import AnyGame
from tabletop.match import AnyMatch, Match
from tabletop.options import Options
from tabletop.rng import Stream
from tabletop.testing.clues import leaves, spell_place
from tabletop.testing.laws import LawBroken
from tabletop.testing.sharing import shared_part
from tabletop.testing.words import describe_failure

T = TypeVar("T")


def some(items: Sequence[T], count: int, chance: Stream) -> Sequence[T]:
    """All of `items`, or so many of them where there are more."""
    return items if len(items) <= count else chance.sample(items, count)


@dataclass(slots=True)
class Probe:
    """Calls the rules of a match under test; whatever they raise breaks a law.

    Args:
        game: the rules.
        seed, seats, options: of the match.
        ply: the moment that is tested, for messages.
    """

    game: AnyGame
    seed: str
    seats: int
    options: Options | None
    ply: int = 0

    def fail(self, law: str, what: str) -> LawBroken:
        """The error for a law that is broken at this moment."""
        return LawBroken(self.game.name, self.seed, self.ply, law, what)

    def attempt(self, law: str, what: str, act: Callable[..., Any], *arguments: Any) -> Any:
        """What `act` returns for the arguments.

        Raises:
            LawBroken: it raises; that breaks `law`, whatever it was.
        """
        try:
            return act(*arguments)
        except LawBroken:
            raise
        except Exception as error:
            raise self.fail(law, f"{what} raised {describe_failure(error)}") from error

    def check_shape(self, wrong: str | None) -> None:
        """Accept what the law of shape finds nothing `wrong` with.

        Raises:
            LawBroken: something is.
        """
        if wrong is not None:
            raise self.fail("shape", wrong)

    def check_shared(self, law: str, what: str, part: Any, state: Any) -> None:
        """Accept a `part` that has nothing in common with the state that could change.

        Raises:
            LawBroken: it has; that breaks `law`.
        """
        shared = shared_part(part, state)
        if shared is not None:
            raise self.fail(law, f"{what} shares {shared} with the state: copy it as well")

    def written(self, state: Any) -> bytes:
        """A state as JSON, to compare it with what it is after a question.

        Raises:
            LawBroken: it cannot be written.
        """
        written: bytes = self.attempt("json", "writing the state as JSON", to_json, state)
        return written

    def check_unchanged(self, law: str, what: str, before: bytes, state: Any) -> None:
        """Accept a `state` that a question has left as it was.

        Args:
            law: what is broken otherwise.
            what: the question.
            before: the state as it was `written` before the question.
            state: as it is now.

        Raises:
            LawBroken: it has changed; names what has.
        """
        after = self.written(state)
        if after != before:
            was, now = leaves(json.loads(before)), leaves(json.loads(after))
            at = next(at for at in {**was, **now} if was.get(at, was) != now.get(at, now))
            raise self.fail(
                law,
                f"{what} has changed the state ({spell_place(at)}: {was.get(at)!r} becomes"
                f" {now.get(at)!r}): only apply may do that; others change a copy, such as"
                " sorted(...)",
            )

    def make(self) -> AnyMatch:
        """The match, at its beginning."""
        return Match(self.game, seed=self.seed, seats=self.seats, options=self.options)

    def digest(self, match: AnyMatch) -> str:
        """The digest of a match.

        Raises:
            LawBroken: its state cannot be written.
        """
        digest: str = self.attempt("json", "writing the state as JSON", match.digest)
        return digest
