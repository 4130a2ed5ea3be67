"""The laws of secrets: events and redealt states."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from zlib import crc32

import pytest

from tabletop import ActionPlayed, Event, Outcome, Seat, Stream, Table
from tabletop.testing import LawBroken, check_game, check_words
from tabletop.testing.probe import leaves, shared_part, spell_path
from tests.tabletop.games import cards
from tests.tabletop.testing.leaky import (
    ACTIONS,
    CARDS,
    LEAKY,
    ROUNDS,
    Auction,
    Bid,
    ForgetsPeeks,
    Opened,
    Peek,
    Sealed,
    ShoutsBids,
)

SEEDS = ["one", *(pytest.param(it, marks=pytest.mark.slow) for it in ("two", "three"))]


@pytest.mark.slow
def test_a_game_that_keeps_its_secrets_passes() -> None:
    assert check_game(Sealed(), matches=3, seeded=False).matches == 3


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("kind", LEAKY, ids=lambda kind: kind.__name__)
def test_a_game_that_reveals_a_secret_is_found(kind: type[Sealed], seed: str) -> None:
    law, said = LEAKY[kind]
    with pytest.raises(LawBroken, match=said) as caught:
        check_game(kind(), matches=10, seed=seed)
    assert caught.value.law == law


class ForgetsOpenBids(ShoutsBids):
    """Announces each bid at once, but no view shows it afterwards."""

    views_forget = True


def test_views_forget_does_not_allow_new_secrets() -> None:
    with pytest.raises(LawBroken, match=r" bids\[0\] = \d") as caught:
        check_game(ForgetsOpenBids(), matches=10)
    assert caught.value.law == "events"


class ForgetsCards(Sealed):
    """Shows all cards before the first bid, hides them later, and announces them with each bid."""

    views_forget = True

    def sees(self, state: Auction, seat: Seat | None, other: Seat) -> bool:
        begins = not state.rounds and not any(state.bids)
        return begins or super().sees(state, seat, other)

    def apply(self, state: Auction, action: Bid | Peek, table: Table) -> None:
        super().apply(state, action, table)
        table.emit(Opened(tuple(state.cards)))


@pytest.mark.slow
def test_views_forget_allows_repeated_public_information() -> None:
    report = check_game(ForgetsCards(), matches=1, seeded=False)
    assert "not searched for secrets: events that repeat" in str(report)
    ForgetsCards.views_forget = False
    with pytest.raises(LawBroken, match=r"knows cards\[\d\]"):
        check_game(ForgetsCards(), matches=1, seeded=False)


class DealsCardsToPlaces(Sealed):
    """`redeal` distributes hidden cards among the hands and the deck with wrong probabilities."""

    def redeal(self, state: Auction, seat: Seat | None, rng: Stream) -> Auction:
        dealt = super().redeal(state, seat, rng)
        unseen = [it for it in range(len(dealt.cards)) if not self.sees(state, seat, it)]
        pool = sorted(dealt.deck + [dealt.cards[it] for it in unseen])
        room = {-1: len(dealt.deck), **dict.fromkeys(unseen, 1)}
        found = rng.deal(pool, list(room), capacity=room)
        dealt.deck = found.pop(-1)
        for it, [card] in found.items():
            dealt.cards[it] = card
        return dealt


def test_a_biased_redeal_is_reported_with_both_shares() -> None:
    said = r"redeal for .* puts \d into .* in \d+ % .* it would be \d+ %: use `Stream.deal`"
    with pytest.raises(LawBroken, match=said) as caught:
        check_game(DealsCardsToPlaces(), matches=2, seats=2)
    assert caught.value.law == "redealt"


class SaysWhy(Sealed):
    """Refuses a fourth bid with a reason that contains a secret."""

    def why_not(self, state: Auction, action: Bid | Peek) -> str:
        return f"the deck ends with {state.deck[0]}"


def test_a_reason_that_reveals_a_secret_is_found() -> None:
    said = r"the reason of why_not is 'the deck ends with .*' after a redeal"
    with pytest.raises(LawBroken, match=said):
        check_game(SaysWhy(), matches=3)


class ForgetsAndTellsOne(ForgetsPeeks):
    """Sets views_forget, and announces a value to one seat whose view does not show it."""

    views_forget = True


def test_views_forget_does_not_allow_private_secrets() -> None:
    with pytest.raises(LawBroken, match=r" cards\[\d\] = \d") as caught:
        check_game(ForgetsAndTellsOne(), matches=10)
    assert caught.value.law == "events"


class ShoutsTheFirst(Sealed):
    """Announces the first action of a match to all seats."""

    def view_event(self, event: Event, state: Auction, seat: Seat | None) -> Event | None:
        match event:
            case ActionPlayed(1):
                return event
        return super().view_event(event, state, seat)


def test_view_event_gets_the_ply_of_an_action() -> None:
    with pytest.raises(LawBroken, match=r"knows bids\[0\]") as caught:
        check_game(ShoutsTheFirst(), matches=10)
    assert caught.value.ply == 0


class FailsToTell(Sealed):
    """`view_event` fails for the bids of late rounds."""

    def to_act(self, state: Auction) -> Sequence[Seat]:
        return () if state.rounds == 40 else (state.bids.index(None),)

    def outcome(self, state: Auction) -> Outcome | None:
        return Outcome.by_score(state.points) if state.rounds == 40 else None

    def view_event(self, event: Event, state: Auction, seat: Seat | None) -> Event | None:
        if isinstance(event, Opened) and state.rounds > 20:
            raise KeyError("no such round")
        return super().view_event(event, state, seat)


@pytest.mark.parametrize("check", [check_game, check_words])
def test_view_event_is_tested_for_every_event(check: Callable[..., object]) -> None:
    said = r"view_event of Opened.* raised KeyError\('no such round'\) in test_secrets.py, line \d"
    with pytest.raises(LawBroken, match=said) as caught:
        check(FailsToTell(), matches=1)
    assert caught.value.law == "events"


class TellsSpectators(Sealed):
    """Correct: an event with a single number is only for spectators."""

    def view_event(self, event: Event, state: Auction, seat: Seat | None) -> Event | None:
        if isinstance(event, Opened) and len(event.bids) == 1 and seat is not None:
            return None
        return super().view_event(event, state, seat)


class BidsOneOrTwo(TellsSpectators):
    """Correct: bids are 1 or 2."""

    def legal_actions(self, state: Auction, seat: Seat) -> Sequence[Bid | Peek]:
        return ACTIONS[1:3]

    def redeal(self, state: Auction, seat: Seat | None, rng: Stream) -> Auction:
        dealt = super().redeal(state, seat, rng)
        bids = enumerate(state.bids)
        dealt.bids = [rng.between(1, 2) if bid and it != seat else bid for it, bid in bids]
        return dealt


class TellsASum(BidsOneOrTwo):
    """Correct: spectators learn whether the sum of two bids is odd."""

    def apply(self, state: Auction, action: Bid | Peek, table: Table) -> None:
        super().apply(state, action, table)
        match state.bids:
            case [int(first), int(second), None]:
                table.emit(Opened(((first + second) % 2,)))


def test_an_event_about_a_combination_of_secrets_passes() -> None:
    report = check_game(TellsASum(), matches=1, seats=3, plies=2, stop=True, seeded=False)
    assert report.matches == 1


class SpreadsRumours(TellsSpectators):
    """Correct: an event names the card of the first seat, but is true only two times in three."""

    true = 2

    def apply(self, state: Auction, action: Bid | Peek, table: Table) -> None:
        super().apply(state, action, table)
        rng = table.rng["rumour"]
        is_true = rng.chance(self.true, 3)
        others = [card for card in CARDS if card != state.cards[0]]
        table.emit(Opened((state.cards[0] if is_true else rng.choice(others),)))


class SpreadsTheTruth(SpreadsRumours):
    """The event is always true."""

    true = 3


class HintsAtBids(BidsOneOrTwo):
    """Correct: an event tells whether a bid is 1, but is true only two times in three."""

    true = 2

    def apply(self, state: Auction, action: Bid | Peek, table: Table) -> None:
        super().apply(state, action, table)
        is_true = table.rng["rumour"].chance(self.true, 3)
        table.emit(Opened((100 + (is_true == (action == Bid(1))),)))


class TellsOfBids(HintsAtBids):
    """The event is always true."""

    true = 3


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("kind", [SpreadsRumours, HintsAtBids])
def test_an_event_that_makes_a_value_likely_passes(kind: type[Sealed], seed: str) -> None:
    assert check_game(kind(), matches=2, seed=seed, seeded=False).matches == 2


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("kind", [SpreadsTheTruth, TellsOfBids])
def test_an_event_that_determines_a_value_is_found(kind: type[Sealed], seed: str) -> None:
    with pytest.raises(LawBroken, match=r"\bspectator .* (cards|bids)\[\d\] = \d"):
        check_game(kind(), matches=2, seed=seed, seeded=False)


class Commits(TellsSpectators):
    """Correct: spectators receive a hash of all cards and a random number."""

    def apply(self, state: Auction, action: Bid | Peek, table: Table) -> None:
        super().apply(state, action, table)
        sealed = (*state.cards, *state.deck, table.rng["seal"].below(2**32))
        table.emit(Opened((100 + crc32(repr(sealed).encode()),)))


@pytest.mark.slow
def test_a_unique_event_without_secrets_passes() -> None:
    assert check_game(Commits(), matches=1, plies=1, stop=True, seeded=False).matches == 1


class LaysCardsOpen(Sealed):
    """Announces all cards after the end, but no view shows them."""

    def apply(self, state: Auction, action: Bid | Peek, table: Table) -> None:
        super().apply(state, action, table)
        if not self.to_act(state):
            table.emit(Opened((*state.cards, *state.deck)))


class LaysCardsOpenEarly(Sealed):
    """Announces them one round before the end."""

    def apply(self, state: Auction, action: Bid | Peek, table: Table) -> None:
        super().apply(state, action, table)
        if state.rounds == ROUNDS - 1 and state.bids[0] is None:
            table.emit(Opened((*state.cards, *state.deck)))


@pytest.mark.slow
def test_secrets_may_be_revealed_after_the_end() -> None:
    assert check_game(LaysCardsOpen(), matches=2, seeded=False).matches == 2


def test_secrets_may_not_be_revealed_before_the_end() -> None:
    with pytest.raises(LawBroken) as caught:
        check_game(LaysCardsOpenEarly(), matches=10)
    assert caught.value.law == "events"


def test_values_of_a_state_are_named_by_path() -> None:
    state = Auction([1, 2], [], [None, 3], [False], [0])
    found = {spell_path(at): value for at, value in leaves(state).items()}
    assert found == {
        "cards[0]": 1,
        "cards[1]": 2,
        "bids[0]": None,
        "bids[1]": 3,
        "knows[0]": False,
        "points[0]": 0,
        "rounds": 0,
    }


def test_a_shared_part_of_two_states_is_named() -> None:
    one = Auction([1], [], [None], [False], [0])
    assert shared_part(one.clone(), one) is None
    other = one.clone()
    other.deck = one.deck
    assert shared_part(other, one) == "deck (a list)"


def test_immutable_parts_may_be_shared() -> None:
    fixed = ("a", 1, None, frozenset({2}), cards.PlayCard(3))
    assert shared_part([fixed], [fixed]) is None


def test_a_shared_list_in_an_immutable_object_is_found() -> None:
    inner: list[int] = []
    assert shared_part([(inner,)], [(inner,)]) == "it[0][0] (a list)"
