"""The laws of the contract, and the check that a game keeps them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

from typing_extensions import override

from tabletop.codec import from_json, to_json
from tabletop.errors import IllegalAction
from tabletop.game import Game, Options, Seat, State
from tabletop.match import Match, Table
from tabletop.rng import Stream, Streams

S = TypeVar("S", bound=State)
A = TypeVar("A")

LAWS: Final = {
    "seats": "those to act are seats of the match, none twice",
    "enumeration": "a seat that is to act has legal actions, none twice, the same when asked again",
    "accepted": "every legal action is accepted, and checking it changes nothing",
    "refused": "every other action is refused with a reason, and leaves no trace",
    "views": "a view does not change when what it hides does",
    "clone": "a clone is equal and independent",
    "json": "a state survives JSON",
    "text": "every action is what its text parses to",
    "determinism": "the same seed and actions give the same match",
    "chance": "different seeds differ late in the match",
    "undo": "undoing restores the state and the streams",
    "end": "matches end",
    "outcome": "when nobody is to act, and not before, an outcome ranks every seat once",
}
"""The laws by name."""


class LawBroken(AssertionError):
    """A game broke a law of the contract.

    Attributes:
        game: the name of the game.
        seed: of the match in which it happened.
        ply: how many actions had been played.
        law: the name of the law; see `LAWS`.
    """

    def __init__(self, game: str, seed: str, ply: int, law: str, what: str) -> None:
        super().__init__(
            f"{game}, seed {seed!r}, ply {ply}: breaks the law {law!r} ({LAWS[law]}): {what}"
        )
        self.game = game
        self.seed = seed
        self.ply = ply
        self.law = law


@dataclass(slots=True)
class Report:
    """What `check_game` has done.

    Attributes:
        matches: how many matches were played to their end.
        plies: how many actions were played in them.
        refused: how many other actions were tried and refused.
    """

    matches: int = 0
    plies: int = 0
    refused: int = 0

    @override
    def __str__(self) -> str:
        return f"{self.matches} matches, {self.plies} actions, {self.refused} refusals"


def check_game(
    game: Game[Any, Any],
    *,
    matches: int = 10,
    plies: int = 2000,
    seed: str = "check",
    seats: int | Sequence[int] | None = None,
    options: Options | None = None,
) -> Report:
    """Play random matches of `game`, and test every law of the contract at each step.

    Args:
        game: the rules.
        matches: how many matches, in turn with every number of seats.
        plies: the most actions that a match may take.
        seed: another one plays other matches.
        seats: the numbers of seats to try; all that the game allows when not given.
        options: of the matches.

    Raises:
        LawBroken: a law does not hold; says the game, the seed, the ply and the law.
    """
    numbers = [seats] if isinstance(seats, int) else list(game.seats if seats is None else seats)
    report = Report()
    for number in range(matches):
        trial = _Trial(game, f"{seed} {number}", numbers[number % len(numbers)], options, plies)
        trial.run(report)
    _check_chance(game, seed, numbers, options, plies)
    return report


@dataclass(slots=True)
class _Trial:
    """One random match under test."""

    game: Game[Any, Any]
    seed: str
    seats: int
    options: Options | None
    plies: int
    ply: int = 0
    tried: list[Any] = field(default_factory=list)

    def fail(self, law: str, what: str) -> LawBroken:
        return LawBroken(self.game.name, self.seed, self.ply, law, what)

    def attempt(self, law: str, what: str, act: Callable[..., Any], *arguments: Any) -> Any:
        """What `act` returns for the arguments; whatever it raises breaks `law`."""
        try:
            return act(*arguments)
        except Exception as error:
            raise self.fail(law, f"{what} raised {error!r}") from error

    def make(self) -> Match[Any, Any]:
        return Match(self.game, seed=self.seed, seats=self.seats, options=self.options)

    def run(self, report: Report) -> None:
        match = self.attempt("determinism", "setup", self.make)
        chance = Streams(self.seed).child("check")
        digests = [self.digest(match)]
        while self.check_seats(match):
            self.ply = match.ply
            if match.ply >= self.plies:
                raise self.fail("end", f"it still goes on after {self.plies} actions")
            self.check_step(match, chance["laws"], report)
            seat = chance["seats"].choice(match.to_act)
            action = chance["actions"].choice(match.legal_actions(seat))
            self.check_action(match, action, digests)
            digests.append(self.digest(match))
            report.plies += 1
        self.ply = match.ply
        self.check_outcome(match)
        self.check_replay(match, digests)
        report.matches += 1

    def digest(self, match: Match[Any, Any]) -> str:
        digest: str = self.attempt("json", "writing the state as JSON", match.digest)
        return digest

    # The laws, in the order in which they are tested.

    def check_seats(self, match: Match[Any, Any]) -> bool:
        """Whether somebody is to act, after checking who."""
        self.ply = match.ply
        seats: tuple[Any, ...] = match.to_act
        for seat in seats:
            if not isinstance(seat, int) or not 0 <= seat < self.seats:
                raise self.fail("seats", f"{seat!r} is to act, of {self.seats} seats")
        if len(set(seats)) != len(seats):
            raise self.fail("seats", f"a seat is to act twice: {seats}")
        return bool(seats)

    def check_step(self, match: Match[Any, Any], chance: Stream, report: Report) -> None:
        if match.outcome is not None:
            raise self.fail("outcome", f"{match.to_act} are to act after the end: {match.outcome}")
        for seat in match.to_act:
            self.check_enumeration(match, seat)
        legal = [action for seat in match.to_act for action in match.legal_actions(seat)]
        self.check_accepted(match, legal)
        self.check_texts(match)
        report.refused += self.check_refused(match, legal)
        self.check_json(match)
        for seat in (*range(self.seats), None):
            self.check_view(match, seat, chance)
        self.tried.extend(action for action in legal if action not in self.tried)
        del self.tried[:-60]

    def check_enumeration(self, match: Match[Any, Any], seat: Seat) -> None:
        legal = self.game.legal_actions
        actions = list(self.attempt("enumeration", "listing", legal, match.state, seat))
        if not actions:
            raise self.fail("enumeration", f"seat {seat} is to act, and has no legal action")
        for place, action in enumerate(actions):
            if action in actions[:place]:
                raise self.fail("enumeration", f"{action} is listed twice for seat {seat}")
        if actions != list(legal(match.state, seat)):
            raise self.fail("enumeration", f"seat {seat} has other actions when asked again")

    def check_accepted(self, match: Match[Any, Any], legal: Sequence[Any]) -> None:
        before = self.digest(match)
        for action in legal:
            self.attempt("accepted", f"checking {action}", match.check, action)
            if self.digest(match) != before:
                raise self.fail("accepted", f"checking {action} has changed the state")

    def check_texts(self, match: Match[Any, Any]) -> None:
        for seat in match.to_act:
            for action in match.legal_actions(seat):
                what = f"parsing '{action}'"
                read = self.attempt("text", what, match.parse, str(action), seat)
                if read != action:
                    raise self.fail("text", f"'{action}' parses to {read!r}, not {action!r}")

    def check_refused(self, match: Match[Any, Any], legal: Sequence[Any]) -> int:
        """Try what was legal at other moments; how many were refused."""
        before = self.digest(match)
        refused = 0
        for action in self.tried:
            if action in legal:
                continue
            try:
                match.check(action)
            except IllegalAction as error:
                refused += 1
                if not str(error).strip():
                    raise self.fail("refused", f"{action} is refused without a reason") from error
            except Exception as error:
                raise self.fail("refused", f"{action}: check raised {error!r}") from error
            else:
                if self.game.lists_every_action:
                    raise self.fail("refused", f"{action} is accepted, but not listed as legal")
            if self.digest(match) != before:
                raise self.fail("refused", f"refusing {action} has changed the state")
        return refused

    def check_json(self, match: Match[Any, Any]) -> None:
        state = match.state
        kind = type(state)
        again = self.attempt("json", "reading the state", from_json, to_json(state), kind)
        if again != state:
            raise self.fail("json", f"{state!r} comes back as {again!r}")

    def check_view(self, match: Match[Any, Any], seat: Seat | None, chance: Stream) -> None:
        who = "a spectator" if seat is None else f"seat {seat}"
        before = self.digest(match)
        state = match.state
        other = self.attempt("views", f"redeal for {who}", self.game.redeal, state, seat, chance)
        view = self.attempt("views", f"view of {who}", match.view, seat)
        hides = to_json(view) != to_json(match.state)
        if hides and type(self.game).redeal is Game.redeal:
            raise self.fail("views", f"the view of {who} hides something: fill in redeal as well")
        seen = to_json(self.game.view(other, seat))
        if seen != to_json(view):
            told = f"{to_json(view).decode()} becomes {seen.decode()}"
            raise self.fail("views", f"{who} can tell what it must not see: {told}")
        if self.digest(match) != before:
            raise self.fail("views", f"making the view of {who} has changed the state")

    def check_action(self, match: Match[Any, Any], action: Any, digests: Sequence[str]) -> None:
        """Play `action`, on a clone, on a state from JSON, and with an undo in between."""
        twin = self.attempt("clone", "clone", match.clone)
        if twin.state is match.state or twin.state != match.state:
            raise self.fail("clone", "a clone is not an equal state of its own")
        read = from_json(to_json(match.state), type(match.state))
        table = Table(self.streams_of(match))
        playing = f"playing {action}"
        self.attempt("accepted", playing, twin.play, action)
        if self.digest(match) != digests[-1]:
            raise self.fail("clone", f"playing {action} on a clone has changed the original")
        self.attempt("accepted", playing, match.play, action)
        if self.digest(twin) != self.digest(match):
            raise self.fail("clone", f"playing {action} on a clone leads to another state")
        self.attempt("json", playing, self.game.apply, read, action, table)
        if to_json(read) != to_json(match.state):
            raise self.fail("json", f"playing {action} on a state from JSON leads elsewhere")
        self.check_undo(match, digests)

    def streams_of(self, match: Match[Any, Any]) -> Streams:
        """Independent streams at the positions of the match's."""
        streams = Streams(match.seed)
        self.game.setup(match.options, match.seats, streams)
        streams.restore(match.streams())
        return streams

    def check_undo(self, match: Match[Any, Any], digests: Sequence[str]) -> None:
        after = self.digest(match)
        count = min(match.ply, 3)
        for taken in range(1, count + 1):
            self.attempt("undo", "undo", match.undo)
            if self.digest(match) != digests[-taken]:
                raise self.fail("undo", f"{taken} actions taken back lead to another state")
        self.attempt("undo", "redo", match.redo, count)
        if self.digest(match) != after:
            raise self.fail("undo", "what was taken back and redone leads to another state")

    def check_outcome(self, match: Match[Any, Any]) -> None:
        outcome = match.outcome
        if outcome is None:
            raise self.fail("outcome", "nobody is to act, and there is no outcome")
        ranked = sorted(seat for group in outcome.ranking for seat in group)
        if ranked != list(range(self.seats)):
            raise self.fail("outcome", f"{outcome.ranking} does not rank every seat just once")

    def check_replay(self, match: Match[Any, Any], digests: Sequence[str]) -> None:
        again = self.make()
        for ply, action in enumerate(match.actions):
            self.ply = ply
            if self.digest(again) != digests[ply]:
                raise self.fail("determinism", "the same seed and actions lead to another state")
            self.attempt("determinism", f"playing {action}", again.play, action)
        if self.digest(again) != digests[-1]:
            raise self.fail("determinism", "the same seed and actions lead to another state")


def _check_chance(
    game: Game[Any, Any], seed: str, numbers: Sequence[int], options: Options | None, plies: int
) -> None:
    """Matches with different seeds but the same choices must differ late, if chance has a part."""
    seats = numbers[0]
    ends = set()
    drawn = False
    for number in range(8):
        match = Match(game, seed=f"{seed} chance {number}", seats=seats, options=options)
        choices = Streams(seed)["choices"]
        while not match.over and match.ply < plies:
            match.play(choices.choice(match.legal_actions()))
        drawn = drawn or bool(match.streams())
        ends.add(to_json(match.state))
    if drawn and len(ends) == 1:
        what = "8 matches with different seeds end in the same state"
        raise LawBroken(game.name, seed, match.ply, "chance", what)
