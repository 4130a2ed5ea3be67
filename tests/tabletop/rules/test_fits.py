"""`fits`: a redeal is one of the possible deals, with equal probability."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable
from itertools import permutations
from typing import Any, cast

import pytest
from tests.tabletop.rules.secret_views import redealt, seen

from tabletop import (
    NOBODY,
    OWNER,
    ContractError,
    Known,
    Options,
    Outcome,
    Seat,
    SecretGame,
    State,
    Streams,
    Table,
    secret,
    state,
)
from tabletop.rules import masking_of
from tabletop.testing import LawBroken, check_game


def others(whole: Any, seat: Seat | None, owner: Seat) -> bool:
    return seat not in (None, owner)


def hinted(view: Pinned, seat: Seat | None, owner: Seat, place: int, card: int) -> bool:
    """Return whether a card is possible, given hints that the card at a place is odd or even."""
    told = view.told[owner][place]
    return told is None or card % 2 == told


@state
class Pinned(State):
    """Each seat sees the hands of the others, and hints whether cards are odd."""

    deck: list[int] = secret(to=NOBODY, back=0)
    hands: list[list[int]] = secret(to=others, back=0, fits=hinted)
    told: list[list[int | None]]


def pinned() -> Pinned:
    return Pinned([6, 7], [[1, 2, 3], [4, 5]], [[1, None, 1], [None, 1]])


def test_all_deals_that_respect_the_hints_are_equally_likely() -> None:
    draw = masking_of(Pinned).redealer(pinned(), 0)
    rng, dealt = Streams("old oak")["redeal"], Counter[tuple[int, ...]]()
    for _ in range(6000):
        other = draw(rng)
        assert other.hands[1] == [4, 5]
        dealt[(*other.hands[0], *other.deck)] += 1
    fitting = [it for it in permutations([1, 2, 3, 6, 7]) if it[0] % 2 and it[2] % 2]
    assert dealt.keys() == set(fitting)
    assert max(abs(dealt[it] - 6000 / len(fitting)) for it in fitting) < 60


def test_a_view_is_the_same_after_a_redeal() -> None:
    for seat in (0, 1, None):
        assert seen(redealt(pinned(), seat), seat) == seen(pinned(), seat)


def lacks(view: Tricks, seat: Seat | None, owner: Seat, place: int, card: str) -> bool:
    return card[0] not in view.lacking[owner]


@state
class Tricks(State):
    """Hands of cards, with the suits that each seat is known to lack."""

    hands: list[list[str]] = secret(to=OWNER, back="?", fits=lacks, known="known")
    known: Known[str]
    lacking: list[str]


def tricks() -> Tricks:
    hands = [["a1"], ["a2", "b1"], ["b2", "c1"], ["c2", "a3", "b3"]]
    whole = Tricks(hands, Known(), ["", "c", "a", ""])
    whole.known.show(0, "b1", owner=1)
    return whole


def test_missing_suits_are_dealt_to_other_seats_and_known_cards_stay() -> None:
    rng, draw = Streams("old oak")["redeal"], masking_of(Tricks).redealer(tricks(), 0)
    dealt = [draw(rng).hands for _ in range(200)]
    assert {hands[1][0] for hands in dealt} == {"b1"}
    assert {hands[1][1] for hands in dealt} == {"a2", "a3", "b2", "b3"}
    assert {card[0] for hands in dealt for card in hands[2]} == {"b", "c"}
    assert {card for hands in dealt for card in hands[3]} == {"a2", "a3", "b2", "b3", "c1", "c2"}


ASKED: list[tuple[Any, ...]] = []


def noting(view: Any, seat: Seat | None, owner: Any, place: Any, card: int) -> bool:
    ASKED.append((seat, owner, place))
    return card != 0


@state
class Layouts(State):
    one: int | None = secret(to=NOBODY, back=0, fits=noting, pool="one")
    row: list[int | None] = secret(to=NOBODY, back=0, fits=noting, pool="row")
    queue: deque[int] = secret(to=NOBODY, back=0, fits=noting, pool="queue")
    each: list[int] = secret(to=OWNER, back=0, fits=noting, pool="each")
    piles: dict[str, list[int]] = secret(to=NOBODY, back=0, fits=noting, pool="piles")


def test_fits_is_called_for_each_place_with_each_card_of_its_pool() -> None:
    ASKED.clear()
    redealt(Layouts(1, [2, None, 3], deque([4, 5]), [6, 7], {"x": [8], "y": [9, 10]}), 1)
    assert [
        (1, None, None),
        *[(1, None, 0)] * 2,
        *[(1, None, 2)] * 2,
        *[(1, None, 0)] * 2,
        *[(1, None, 1)] * 2,
        (1, 0, None),
        *[(1, None, ("x", 0))] * 3,
        *[(1, None, ("y", 0))] * 3,
        *[(1, None, ("y", 1))] * 3,
    ] == ASKED


def at_least(view: Cups, seat: Seat | None, owner: Seat, place: int, card: int) -> bool:
    return card >= view.least[owner]


@state
class Cups(State):
    dice: list[list[int]] = secret(to=OWNER, back=0, choices=range(1, 7), fits=at_least)
    least: list[int]


def test_a_rolled_value_is_redealt_as_any_roll_that_fits() -> None:
    draw = masking_of(Cups).redealer(Cups([[1], [3, 6], [5]], [1, 3, 5]), 0)
    rng = Streams("old oak")["redeal"]
    dealt = [draw(rng).dice for _ in range(200)]
    assert {tuple(dice[0]) for dice in dealt} == {(1,)}
    assert {tuple(dice[1]) for dice in dealt} == {(a, b) for a in range(3, 7) for b in range(3, 7)}
    assert {tuple(dice[2]) for dice in dealt} == {(5,), (6,)}


# Wrong functions.


def peeking(view: Pinned, seat: Seat | None, owner: Seat, place: int, card: int) -> bool:
    """Return whether the view has a back at the place of the card."""
    return view.hands[owner][place] == 0


def test_fits_sees_only_the_view_of_the_seat() -> None:
    kind = with_fits(peeking)
    assert sorted(redealt(kind([1, 2], [[3, 4]], [0]), 0).hands[0]) != [0, 0]


def number(view: Any, seat: Seat | None, owner: Seat, place: int, card: int) -> int:
    return card


def refusing(view: Any, seat: Seat | None, owner: Seat, place: int, card: int) -> bool:
    return card > 3


def counting(view: Any, seat: Seat | None, owner: Seat, place: int, card: int) -> bool:
    view.asked[0] += 1
    return True


def with_fits(fits: Callable[..., Any]) -> Any:
    """Return a class of states with hidden hands, a deck, and a count."""
    space = {
        "__annotations__": {"deck": list[int], "hands": list[list[int]], "asked": list[int]},
        "__module__": __name__,
        "deck": secret(to=NOBODY, back=0),
        "hands": secret(to=others, back=0, fits=fits),
    }
    return state(type("Odd", (State,), space))


WRONG = {
    number: r"\bOdd\.hands \(seat=\d, owner=\d, place=0, card=1\) .*\b1: .*\bTrue\b",
    refusing: r"\bOdd\.hands \(seat=1, owner=1, place=1, card=3\) refuses ",
    counting: r"\bOdd\.hands .*\bchanged\b",
}


@pytest.mark.parametrize("fits", WRONG)
def test_a_wrong_fits_is_reported_with_its_arguments(
    fits: Callable[..., Any],
) -> None:
    whole = with_fits(fits)([1, 2], [[4], [5, 3]], [0])
    ask = masking_of(type(whole)).check_fits if fits is counting else redealt
    with pytest.raises(ContractError, match=WRONG[fits]):
        ask(whole, 1)
    assert whole.asked == [0], "the state is not changed"


SPIES = ("assassin", "spy")


def is_possible(view: Night, seat: Seat | None, owner: Seat, place: None, role: str) -> bool:
    """Return whether a role agrees with the faction that a seat sees."""
    return view.roles[owner] == "?" or (view.roles[owner] == "a spy") == (role in SPIES)


@state
class Night(State):
    roles: list[str] = secret(to=OWNER, back="?", fits=is_possible)


class NightGame(SecretGame[Night, str]):
    """The seer sees the spies, and not which of them is the assassin."""

    name = "night"
    seats = range(5, 6)

    def setup(self, options: Options, seats: int, rng: Streams) -> Night:
        roles = [*SPIES, "seer", "guard", "guard"]
        rng["roles"].shuffle(roles)
        return Night(roles)

    def to_act(self, state: Night) -> tuple[Seat, ...]:
        return ()

    def legal_actions(self, state: Night, seat: Seat) -> list[str]:
        return []

    def apply(self, state: Night, action: str, table: Table) -> None:
        """There are no actions."""

    def outcome(self, state: Night) -> Outcome | None:
        return Outcome.draw(5)

    def view(self, state: Night, seat: Seat | None) -> Night:
        view = super().view(state, seat)
        if seat is not None and state.roles[seat] == "seer":
            hidden = ["a spy" if role in SPIES else "?" for role in state.roles]
            hidden[seat] = "seer"
            view.roles = hidden
        return view


def test_fits_receives_the_view_that_the_game_makes() -> None:
    night = Night(["seer", "assassin", "guard", "spy", "guard"])
    rng = Streams("old oak")["redeal"]
    dealt = {tuple(NightGame().redeal(night, 0, rng).roles) for _ in range(40)}
    assert dealt == {
        ("seer", "assassin", "guard", "spy", "guard"),
        ("seer", "spy", "guard", "assassin", "guard"),
    }
    draw = NightGame().redealer(night, 0)
    assert {tuple(draw(rng).roles) for _ in range(40)} == dealt


@pytest.mark.slow
def test_a_game_whose_view_shows_more_than_declared_keeps_the_contract() -> None:
    assert check_game(NightGame(), matches=5).matches == 5


def test_an_invalid_fits_is_refused() -> None:
    with pytest.raises(ContractError, match=r"\bfits='odd': .*\(view, seat"):
        secret(to=NOBODY, back=0, fits=cast("Any", "odd"))
    space = {
        "__annotations__": {"cards": list[int]},
        "__module__": __name__,
        "cards": secret(to=NOBODY, back=0, sorted_by=abs, fits=refusing),
    }
    with pytest.raises(ContractError, match=r"`sorted_by` .*`fits`"):
        masking_of(state(type("Odd", (State,), space)))


# A game.


class Guessing(SecretGame[Pinned, int]):
    """Guess whether your first card is odd. All seats learn the answer."""

    name = "guessing"

    def setup(self, options: Options, seats: int, rng: Streams) -> Pinned:
        deck = rng["deck"].sample(range(1, 9), 8)
        return Pinned(deck[4:], [deck[:2], deck[2:4]], [[None, None] for _ in range(seats)])

    def to_act(self, state: Pinned) -> tuple[Seat, ...]:
        told = sum(it is not None for row in state.told for it in row)
        return (told % 2,) if told < 4 else ()

    def legal_actions(self, state: Pinned, seat: Seat) -> list[int]:
        return [at for at, told in enumerate(state.told[seat]) if told is None]

    def apply(self, state: Pinned, action: int, table: Table) -> None:
        [seat] = self.to_act(state)
        state.told[seat][action] = state.hands[seat][action] % 2

    def outcome(self, state: Pinned) -> Outcome | None:
        return None if self.to_act(state) else Outcome.draw(2)


@pytest.mark.slow
def test_a_game_with_fits_passes_check_game() -> None:
    assert check_game(Guessing(), matches=2, seeded=False).matches == 2


class GuessesOdd(Guessing):
    name = "guesses-odd"

    def setup(self, options: Options, seats: int, rng: Streams) -> Any:
        whole = super().setup(options, seats, rng)
        return with_fits(self.fits)(whole.deck, whole.hands, [0])

    def to_act(self, state: Any) -> tuple[Seat, ...]:
        return (0,) if len(state.deck) > 2 else ()

    def legal_actions(self, state: Any, seat: Seat) -> list[int]:
        return [1]

    def apply(self, state: Any, action: int, table: Table) -> None:
        state.deck.pop()

    fits = staticmethod(number)


@pytest.mark.parametrize("fits", WRONG)
def test_check_game_reports_a_wrong_fits(fits: Callable[..., Any]) -> None:
    game = type("Wrong", (GuessesOdd,), {"fits": staticmethod(fits)})()
    message = r"\bredeal .*\bContractError\(.*`fits` .*\bOdd\.hands\b"
    with pytest.raises(LawBroken, match=message) as caught:
        check_game(game, matches=2, seeded=False)
    assert caught.value.law == "redealt"
