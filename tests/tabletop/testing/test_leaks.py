"""Leaks that views do not show: the turn, past choices and forgotten cards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest

from tabletop import (
    NOBODY,
    OWNER,
    Event,
    Known,
    Options,
    Outcome,
    Seat,
    SecretGame,
    State,
    Stream,
    Streams,
    Table,
    event,
    secret,
    state,
)
from tabletop.testing import LawBroken, check_game
from tests.tabletop.games import rps

WORDS = ("yes", "no")


@state
class Council(State):
    roles: list[str] = secret(to=OWNER, back="?")
    played: int = 0


class SpyEnds(SecretGame[Council, str]):
    """The spy, whose role is hidden, plays last."""

    name = "spy-ends"
    seats = range(4, 5)

    def setup(self, options: Options, seats: int, rng: Streams) -> Council:
        roles = ["spy", "loyal", "loyal", "loyal"]
        rng["roles"].shuffle(roles)
        return Council(roles)

    def to_act(self, state: Council) -> Sequence[Seat]:
        if state.played < 4:
            return (state.played,)
        return (state.roles.index("spy"),) if state.played == 4 else ()

    def legal_actions(self, state: Council, seat: Seat) -> Sequence[str]:
        return ["go", "wait"]

    def apply(self, state: Council, action: str, table: Table) -> None:
        state.played += 1

    def outcome(self, state: Council) -> Outcome | None:
        return Outcome.draw(4) if state.played == 5 else None


def test_a_turn_that_depends_on_a_hidden_role_is_found() -> None:
    with pytest.raises(LawBroken, match=r"\bto_act .*\(\d,\).*\(\d,\)") as caught:
        check_game(SpyEnds())
    assert caught.value.law == "redealt"


@state
class Ballot(State):
    """The votes of this round, None for a seat that has not voted, and the noes of each round."""

    said: list[str | None] = secret(
        to=lambda state, seat, owner: state.is_open or seat == owner, back="?", choices=WORDS
    )
    counts: list[int] = field(default_factory=list)
    is_open: bool = False


@dataclass(frozen=True)
class Say:
    seat: Seat
    word: str = secret(to=OWNER, back="?")

    def __str__(self) -> str:
        return self.word


@event
class Counted(Event):
    """Announces the seats that voted no."""

    who: tuple[int, ...]


class SecretVote(SecretGame[Ballot, Say]):
    """Announces the secret noes of a round by name, although only their number stays known."""

    name = "secret-vote"
    seats = range(3, 4)
    opens = False

    def setup(self, options: Options, seats: int, rng: Streams) -> Ballot:
        return Ballot([None] * seats)

    def to_act(self, state: Ballot) -> Sequence[Seat]:
        waiting = [seat for seat, word in enumerate(state.said) if word is None]
        return waiting if len(state.counts) < 4 else ()

    def legal_actions(self, state: Ballot, seat: Seat) -> Sequence[Say]:
        return [Say(seat, word) for word in WORDS]

    def apply(self, state: Ballot, action: Say, table: Table) -> None:
        state.said[action.seat] = action.word
        if None not in state.said:
            state.is_open = self.opens
            table.emit(Counted(tuple(at for at, word in enumerate(state.said) if word == "no")))
            state.is_open = False
            state.counts.append(state.said.count("no"))
            state.said = [None] * len(state.said)

    def outcome(self, state: Ballot) -> Outcome | None:
        return None if self.to_act(state) else Outcome.draw(3)


class OpenVote(SecretVote):
    """Shows the votes while it announces them."""

    name = "open-vote"
    opens = True


def test_an_event_about_secret_choices_outside_the_state_is_found() -> None:
    with pytest.raises(LawBroken, match=r"said\[\d\] = '\w+'") as caught:
        check_game(SecretVote())
    assert caught.value.law == "events"


@pytest.mark.slow
def test_an_event_may_repeat_public_choices() -> None:
    assert check_game(OpenVote(), matches=2).matches == 2


@state
class Shop(State):
    hands: list[list[int]] = secret(to=OWNER, back=0, known="known")
    deck: list[int] = secret(to=NOBODY, back=0)
    market: list[int]
    known: Known[int] = field(default_factory=Known)
    turn: int = 0


class ForgetsPurchases(SecretGame[Shop, int]):
    """Moves an openly bought card into a hidden hand, and keeps nowhere that it is known."""

    name = "forgets-purchases"

    def setup(self, options: Options, seats: int, rng: Streams) -> Shop:
        deck = rng["deck"].sample(range(1, 21), 20)
        return Shop([deck[:3], deck[3:6]], deck[12:], sorted(deck[6:12]))

    def to_act(self, state: Shop) -> Sequence[Seat]:
        return (state.turn % 2,) if state.turn < 4 else ()

    def legal_actions(self, state: Shop, seat: Seat) -> Sequence[int]:
        return list(state.market)

    def apply(self, state: Shop, action: int, table: Table) -> None:
        state.market.remove(action)
        state.hands[state.turn % 2].append(action)
        state.turn += 1

    def outcome(self, state: Shop) -> Outcome | None:
        return None if state.turn < 4 else Outcome.draw(2)


class KnowsPurchases(ForgetsPurchases):
    """Keeps in the state that the other seat knows the card."""

    def apply(self, state: Shop, action: int, table: Table) -> None:
        seat = state.turn % 2
        super().apply(state, action, table)
        state.known.show(1 - seat, action, owner=seat)


def test_a_forgotten_open_card_is_a_warning() -> None:
    [warning] = check_game(ForgetsPurchases(), matches=2).warnings
    assert "hands[" in warning


def test_a_bought_card_that_stays_known_is_not_a_warning() -> None:
    assert check_game(KnowsPurchases(), matches=2).warnings == []


class OpenHands(rps.RockPaperScissors):
    """Shows each hand before both players have chosen."""

    def view(self, state: rps.Round, seat: Seat | None) -> rps.Round:
        return state.clone()

    def view_event(self, event: Event, state: rps.Round, seat: Seat | None) -> Event:
        return event

    def redeal(self, state: rps.Round, seat: Seat | None, rng: Stream) -> rps.Round:
        return state.clone()


def test_a_choice_that_others_see_while_they_choose_is_a_warning() -> None:
    report = check_game(OpenHands(), matches=1)
    assert "hide the choice" in report.open_choice
    assert report.open_choice in str(report)


class Answering(OpenHands):
    """The players may answer each other."""

    open_choices = True


def test_a_game_may_declare_that_choices_are_open() -> None:
    assert check_game(Answering(), matches=1).open_choice == ""


def test_a_hidden_simultaneous_choice_is_not_a_warning() -> None:
    assert check_game(rps.GAME, matches=1).open_choice == ""
