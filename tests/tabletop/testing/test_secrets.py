"""The laws of secrets: who is told what, and what a seat imagines."""

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


@pytest.mark.slow
def test_a_game_that_keeps_its_secrets_passes() -> None:
    assert check_game(Sealed(), matches=3, seeded=False).matches == 3


@pytest.mark.parametrize("seed", ["one", "two", "three"])
@pytest.mark.parametrize("kind", LEAKY, ids=lambda kind: kind.__name__)
def test_a_game_that_lets_a_secret_out_is_found(kind: type[Sealed], seed: str) -> None:
    law, said = LEAKY[kind]
    with pytest.raises(LawBroken, match=said) as caught:
        check_game(kind(), matches=10, seed=seed)
    assert caught.value.law == law


class ForgetsOpenBids(ShoutsBids):
    """Opens each bid at once, for all to hear, and shows it to nobody afterwards."""

    views_forget = True


def test_where_views_forget_what_nobody_had_seen_is_kept_all_the_same() -> None:
    with pytest.raises(LawBroken, match=r" bids\[0\] = \d") as caught:
        check_game(ForgetsOpenBids(), matches=10)
    assert caught.value.law == "told"


class ForgetsCards(Sealed):
    """Shows all cards before the first bid, and forgets them; a bid tells everybody all cards."""

    views_forget = True

    def sees(self, state: Auction, seat: Seat | None, other: Seat) -> bool:
        begins = not state.rounds and not any(state.bids)
        return begins or super().sees(state, seat, other)

    def apply(self, state: Auction, action: Bid | Peek, table: Table) -> None:
        super().apply(state, action, table)
        table.emit(Opened(tuple(state.cards)))


@pytest.mark.slow
def test_a_view_may_forget_what_all_have_seen_and_be_told_again() -> None:
    report = check_game(ForgetsCards(), matches=2, seeded=False)
    assert "not searched for secrets: events that repeat" in str(report)
    ForgetsCards.views_forget = False
    with pytest.raises(LawBroken, match=r"knows cards\[\d\]"):
        check_game(ForgetsCards(), matches=10, seeded=False)


class DealsCardsToPlaces(Sealed):
    """Takes the cards that nobody sees to a hand or the deck, whichever: one hand is as a deck."""

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


def test_cards_that_are_dealt_to_places_too_often_are_named_with_both_shares() -> None:
    said = r"redeal for .* puts \d into .* in \d+ % .* it would be \d+ %: use `Stream.deal`"
    with pytest.raises(LawBroken, match=said) as caught:
        check_game(DealsCardsToPlaces(), matches=2, seats=2)
    assert caught.value.law == "redealt"


class SaysWhy(Sealed):
    """Refuses a fourth bid with what nobody may know."""

    def why_not(self, state: Auction, action: Bid | Peek) -> str:
        return f"the deck ends with {state.deck[0]}"


def test_a_reason_that_tells_a_secret_is_found() -> None:
    said = r"the reason of why_not is 'the deck ends with .*' after a redeal"
    with pytest.raises(LawBroken, match=said):
        check_game(SaysWhy(), matches=3)


class ForgetsAndTellsOne(ForgetsPeeks):
    """Says that views forget, and tells one seat alone what its view does not show."""

    views_forget = True


def test_what_one_seat_alone_is_told_is_kept_all_the_same() -> None:
    with pytest.raises(LawBroken, match=r" cards\[\d\] = \d") as caught:
        check_game(ForgetsAndTellsOne(), matches=10)
    assert caught.value.law == "told"


class ShoutsTheFirst(Sealed):
    """Tells everybody the first action of a match."""

    def view_event(self, event: Event, state: Auction, seat: Seat | None) -> Event | None:
        match event:
            case ActionPlayed(1):
                return event
        return super().view_event(event, state, seat)


def test_an_action_is_told_with_its_own_number() -> None:
    with pytest.raises(LawBroken, match=r"knows bids\[0\]") as caught:
        check_game(ShoutsTheFirst(), matches=10)
    assert caught.value.ply == 0


class FailsToTell(Sealed):
    """Fails to say who is told of the bids of late rounds."""

    def to_act(self, state: Auction) -> Sequence[Seat]:
        return () if state.rounds == 40 else (state.bids.index(None),)

    def outcome(self, state: Auction) -> Outcome | None:
        return Outcome.by_score(state.points) if state.rounds == 40 else None

    def view_event(self, event: Event, state: Auction, seat: Seat | None) -> Event | None:
        if isinstance(event, Opened) and state.rounds > 20:
            raise KeyError("no such round")
        return super().view_event(event, state, seat)


@pytest.mark.parametrize("check", [check_game, check_words])
def test_who_is_told_is_asked_of_every_event(check: Callable[..., object]) -> None:
    said = r"view_event of Opened.* raised KeyError\('no such round'\) in test_secrets.py, line \d"
    with pytest.raises(LawBroken, match=said) as caught:
        check(FailsToTell(), matches=1)
    assert caught.value.law == "told"


class TellsSpectators(Sealed):
    """Sound: what is opened alone, a single number, is for spectators only."""

    def view_event(self, event: Event, state: Auction, seat: Seat | None) -> Event | None:
        if isinstance(event, Opened) and len(event.bids) == 1 and seat is not None:
            return None
        return super().view_event(event, state, seat)


class BidsOneOrTwo(TellsSpectators):
    """Sound: bids are 1 or 2."""

    def legal_actions(self, state: Auction, seat: Seat) -> Sequence[Bid | Peek]:
        return ACTIONS[1:3]

    def redeal(self, state: Auction, seat: Seat | None, rng: Stream) -> Auction:
        dealt = super().redeal(state, seat, rng)
        bids = enumerate(state.bids)
        dealt.bids = [rng.between(1, 2) if bid and it != seat else bid for it, bid in bids]
        return dealt


class TellsASum(BidsOneOrTwo):
    """Sound: spectators are told whether the sum of two bids is odd."""

    def apply(self, state: Auction, action: Bid | Peek, table: Table) -> None:
        super().apply(state, action, table)
        match state.bids:
            case [int(first), int(second), None]:
                table.emit(Opened(((first + second) % 2,)))


def test_what_follows_from_a_secret_and_a_secret_choice_together_betrays_neither() -> None:
    report = check_game(TellsASum(), matches=1, seats=3, plies=2, stop=True, seeded=False)
    assert report.matches == 1


class SpreadsRumours(TellsSpectators):
    """Sound: spectators hear which card the first seat has, and two times in three it is true."""

    true = 2

    def apply(self, state: Auction, action: Bid | Peek, table: Table) -> None:
        super().apply(state, action, table)
        rng = table.rng["rumour"]
        is_true = rng.chance(self.true, 3)
        others = [card for card in CARDS if card != state.cards[0]]
        table.emit(Opened((state.cards[0] if is_true else rng.choice(others),)))


class SpreadsTheTruth(SpreadsRumours):
    """It is always true."""

    true = 3


class HintsAtBids(BidsOneOrTwo):
    """Sound: spectators hear of each bid whether it is 1, and two times in three it is true."""

    true = 2

    def apply(self, state: Auction, action: Bid | Peek, table: Table) -> None:
        super().apply(state, action, table)
        is_true = table.rng["rumour"].chance(self.true, 3)
        table.emit(Opened((100 + (is_true == (action == Bid(1))),)))


class TellsOfBids(HintsAtBids):
    """It is always true."""

    true = 3


@pytest.mark.parametrize("seed", ["one", "two", "three"])
@pytest.mark.parametrize("kind", [SpreadsRumours, HintsAtBids])
def test_what_news_makes_likely_it_does_not_tell(kind: type[Sealed], seed: str) -> None:
    assert check_game(kind(), matches=2, seed=seed, seeded=False).matches == 2


@pytest.mark.parametrize("seed", ["one", "two", "three"])
@pytest.mark.parametrize("kind", [SpreadsTheTruth, TellsOfBids])
def test_what_is_true_whenever_there_is_such_news_is_told(kind: type[Sealed], seed: str) -> None:
    with pytest.raises(LawBroken, match=r"a spectator receives .* knows (cards|bids)\[\d\] = \d"):
        check_game(kind(), matches=2, seed=seed, seeded=False)


class Commits(TellsSpectators):
    """Sound: spectators are given a seal of all cards, in which a random number is as well."""

    def apply(self, state: Auction, action: Bid | Peek, table: Table) -> None:
        super().apply(state, action, table)
        sealed = (*state.cards, *state.deck, table.rng["seal"].below(2**32))
        table.emit(Opened((100 + crc32(repr(sealed).encode()),)))


@pytest.mark.slow
def test_news_that_differs_in_every_deal_and_spells_nothing_out_passes() -> None:
    assert check_game(Commits(), matches=1, plies=1, stop=True, seeded=False).matches == 1


class LaysCardsOpen(Sealed):
    """Tells everybody all cards when it is over, and shows them to nobody."""

    def apply(self, state: Auction, action: Bid | Peek, table: Table) -> None:
        super().apply(state, action, table)
        if not self.to_act(state):
            table.emit(Opened((*state.cards, *state.deck)))


class LaysCardsOpenEarly(Sealed):
    """Does it one round before the end."""

    def apply(self, state: Auction, action: Bid | Peek, table: Table) -> None:
        super().apply(state, action, table)
        if state.rounds == ROUNDS - 1 and state.bids[0] is None:
            table.emit(Opened((*state.cards, *state.deck)))


@pytest.mark.slow
def test_what_was_secret_may_be_told_when_the_match_is_over() -> None:
    assert check_game(LaysCardsOpen(), matches=2, seeded=False).matches == 2


def test_what_is_secret_may_not_be_told_before_the_match_is_over() -> None:
    with pytest.raises(LawBroken, match="breaks the law 'told'"):
        check_game(LaysCardsOpenEarly(), matches=10)


def test_the_values_of_a_state_are_named_by_where_they_stand() -> None:
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


def test_what_two_states_share_is_named() -> None:
    one = Auction([1], [], [None], [False], [0])
    assert shared_part(one.clone(), one) is None
    other = one.clone()
    other.deck = one.deck
    assert shared_part(other, one) == "deck (a list)"


def test_what_never_changes_may_be_shared() -> None:
    fixed = ("a", 1, None, frozenset({2}), cards.PlayCard(3))
    assert shared_part([fixed], [fixed]) is None


def test_a_list_in_something_fixed_is_found() -> None:
    inner: list[int] = []
    assert shared_part([(inner,)], [(inner,)]) == "it[0][0] (a list)"
