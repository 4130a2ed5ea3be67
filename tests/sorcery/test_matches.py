"""Invariants in random matches with random decks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.sorcery.own import GAMES, matches

from sorcery import (
    Action,
    CardDiscarded,
    CardPlayed,
    CardType,
    Disenchanted,
    Edition,
    Enchanted,
    MinionEntered,
    MinionLeft,
    MinionTaken,
    RitualEnded,
    RitualStarted,
    Side,
    Sorcery,
    SorceryState,
)
from tabletop import Event, Match, Options
from tabletop.testing import check_game


def steps(match: Match[SorceryState, Action], most: int = 400) -> Iterator[SorceryState]:
    """Yield the states of a match, including the first and the last."""
    yield match.state
    while not match.over and match.ply < most:
        match.step()
        yield match.state


class Ledger:
    """Counts all cards from the events alone.

    Cards in hand and deck are counted together, because events do not contain drawn cards.
    """

    def __init__(self, game: Sorcery, state: SorceryState) -> None:
        self.edition = game.edition
        self.unseen = [Counter(held.card for held in (*s.hand, *s.deck)) for s in state.sides]
        self.board = [Counter[str](), Counter[str]()]
        self.buried = [Counter[str](), Counter[str]()]
        self.rituals: list[str | None] = [None, None]
        self.enchantments = Counter[str]()

    def record(self, event: Event) -> None:
        match event:
            case CardPlayed(seat, card) | CardDiscarded(seat, card):
                self.unseen[seat][card] -= 1
            case RitualStarted(seat, card):
                assert self.rituals[seat] is None
                self.rituals[seat] = card
            case RitualEnded(seat, card):
                assert self.rituals[seat] == card
                self.rituals[seat] = None
            case _:
                self._record_minions(event)

    def _record_minions(self, event: Event) -> None:
        match event:
            case MinionEntered(seat, card, origin):
                self.board[seat][card] += 1
                if origin == "graveyard":
                    self.buried[seat][card] -= 1
            case MinionLeft(seat, card, to, dropped):
                self.board[seat][card] -= 1
                (self.buried if to == "graveyard" else self.unseen)[seat][card] += 1
                self.enchantments.subtract(dropped)
            case MinionTaken(seat, card):
                self.board[seat][card] += 1
                self.board[1 - seat][card] -= 1
            case Enchanted(_, _, enchantment):
                self.enchantments[enchantment] += 1
            case Disenchanted(_, _, enchantment):
                self.enchantments[enchantment] -= 1
            case _:
                pass

    def check(self, state: SorceryState) -> None:
        enchantments = Counter[str]()
        for seat, side in enumerate(state.sides):
            unseen = Counter(held.card for held in (*side.hand, *side.deck))
            assert unseen == self.unseen[seat]
            assert Counter(minion.card for minion in side.minions) == self.board[seat]
            assert Counter(held.card for held in side.graveyard) == self.buried[seat]
            assert (side.ritual and side.ritual.card) == self.rituals[seat]
            for minion in side.minions:
                enchantments.update(minion.enchantments)
        assert enchantments == self.enchantments


@pytest.mark.slow
@settings(max_examples=40)
@given(matches())
def test_no_card_is_lost_or_duplicated_and_limits_are_kept(
    match: Match[SorceryState, Action],
) -> None:
    assert isinstance(match.game, Sorcery)
    ledger = Ledger(match.game, match.state)
    match.observe(ledger.record)
    match.on_observer_failure(partial(pytest.fail, "the ledger does not balance"))
    for state in steps(match):
        ledger.check(state)
        for side in state.sides:
            check_limits(side, match.game.edition)


def check_limits(side: Side, edition: Edition) -> None:
    kinds = {card.name: card.type for card in edition.card_set}
    assert len(side.hand) <= edition.most_cards
    assert len(side.minions) <= edition.most_minions
    assert side.magic >= 0
    assert side.ritual is None or side.ritual.charges >= 0
    assert all(minion.defence > 0 for minion in side.minions)
    assert all(minion.actions >= 0 for minion in side.minions)
    assert all(kinds[held.card] is CardType.MINION for held in side.graveyard)
    for minion in side.minions:
        assert kinds[minion.card] is CardType.MINION
        assert all(kinds[name] is CardType.ENCHANTMENT for name in minion.enchantments)


@pytest.mark.slow
@settings(max_examples=40)
@given(matches(st.sampled_from(["2017", "2024"])))
def test_every_match_ends_and_a_player_without_life_has_lost(
    match: Match[SorceryState, Action],
) -> None:
    """The own cards are left out: a Shaman can resurrect a minion without defence for ever."""
    outcome = match.run(plies=20_000)
    assert outcome is not None
    dead = [seat for seat, side in enumerate(match.state.sides) if side.life <= 0]
    assert len(dead) <= 1
    assert outcome.is_draw if not dead else outcome.winners == (1 - dead[0],)


@pytest.mark.slow
def test_the_contract_is_kept() -> None:
    assert check_game(GAMES["2024"], matches=1).matches == 1


@pytest.mark.slow
def test_the_contract_is_kept_in_testing_mode_with_a_deck_of_all_cards() -> None:
    game = GAMES["2017 with own cards"]
    every = "\n".join(card.name for card in game.edition.card_set)
    options: Options = {"deck1": every, "deck2": every, "testing": True}
    # After shuffling, few draws remain, and `seeded` would require more.
    report = check_game(game, matches=1, plies=10, stop=True, options=options, seeded=False)
    assert report.matches == 1
