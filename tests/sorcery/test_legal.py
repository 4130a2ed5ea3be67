"""The list of legal actions, and the values of minions, follow from separate tests and folds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.sorcery.own import CARDS, matches
from typing_extensions import override

from sorcery import (
    SPRING_2024,
    Action,
    Attack,
    CardType,
    Discard,
    DrawCard,
    Edition,
    Effect,
    EndTurn,
    Modifier,
    Play,
    PlayContext,
    Sorcery,
    SorceryState,
    Stats,
    Target,
    Use,
    When,
    enchantment,
    minion,
)
from sorcery.rules.actions import RITUAL
from sorcery.rules.legal import aim_at, legal_actions
from sorcery.rules.minion_stats import (
    abilities_of,
    ability_cost,
    actions_each_turn,
    attack_obstacle,
    is_silenced,
    refresh,
)
from tabletop import Match, Random, Seat


@dataclass(frozen=True, slots=True)
class Rooted(Modifier):
    """Cannot attack if its name is long, acts twice, and pays one magic less for abilities."""

    @override
    def new_actions(self, actions: int) -> int:
        return actions + 1

    @override
    def new_cost(self, cost: int) -> int:
        return cost - 1

    @override
    def attack_obstacle(self, minion: str) -> str:
        return f"{minion} is rooted." if len(minion) > 12 else ""


WILD = SPRING_2024.with_cards(
    (
        *CARDS,
        enchantment("Roots", cost=0, text="Rooted").having(Rooted()),
        enchantment("Frenzy", cost=0, text="Great").having(Stats("*9", "*9")),
        minion("Ent", cost=1, attack=1, defence=4, text="Rooted").having(Rooted()),
    )
)
GAMES = {"with own classes": Sorcery(WILD)}


@st.composite
def wild_matches(draw: st.DrawFn) -> Match[SorceryState, Action]:
    """Draw a match with many cards of custom classes."""
    names = [card.name for card in WILD.card_set]
    often = st.sampled_from([*names, *names[-6:] * 6])
    decks = [draw(st.lists(often, min_size=8, max_size=25)) for _ in range(2)]
    return Match(
        GAMES["with own classes"],
        seed=draw(st.integers(0, 2**32)),
        options={f"deck{number}": "\n".join(deck) for number, deck in enumerate(decks, 1)},
        players=[Random("first"), Random("second")],
    )


def edition_of(match: Match[SorceryState, Action]) -> Edition:
    assert isinstance(match.game, Sorcery)
    return match.game.edition


def places(state: SorceryState, target: Target) -> Iterator[tuple[Seat | None, int | None]]:
    """Yield all available targets of a kind."""
    if target is Target.NOTHING:
        yield None, None
        return
    for seat, side in enumerate(state.sides):
        if target is not Target.RITUAL:
            yield from ((seat, place) for place in range(len(side.minions)))
        if target is not Target.MINION and side.ritual is not None:
            yield seat, RITUAL


def aimed(
    state: SorceryState, edition: Edition, target: Target, effect: Effect | None, spent: int
) -> Iterator[tuple[Seat | None, int | None]]:
    """Return the targets without an obstacle to an effect, tested one by one."""
    for player, place in places(state, target):
        aim = aim_at(state, player, place)
        context = PlayContext(state, edition, state.turn, aim, spent)
        if effect is None or not effect.obstacle(context):
            yield player, place


def list_separately(state: SorceryState, edition: Edition) -> list[Action]:
    """Return the legal actions, testing every minion, card and target separately."""
    cards, own, other = edition.cards, state.sides[state.turn], state.sides[1 - state.turn]
    magic = 10**9 if state.testing else own.magic
    found: list[Action] = []
    for place, one in enumerate(own.minions):
        if one.actions <= 0:
            continue
        if not attack_obstacle(one, cards):
            found += [Attack(place), *(Attack(place, at) for at in range(len(other.minions)))]
        if is_silenced(one, cards):
            continue
        for which, ability in enumerate(abilities_of(one, cards)):
            if ability_cost(ability, one, cards) <= magic:
                free = aimed(state, edition, ability.target, ability.effect, 0)
                found += [Use((place, which), *at) for at in free]
    for place, held in enumerate(own.hand):
        card = cards[held.card]
        crowded = card.type is CardType.MINION and len(own.minions) >= edition.most_minions
        if card.cost <= magic and not crowded:
            free = aimed(state, edition, card.target, card.effect, 1)
            found += [Play(place, *at) for at in free]
    if state.testing:
        found += map(Discard, range(len(own.hand)))
        found += [DrawCard()] * (bool(own.deck) and len(own.hand) < edition.most_cards)
    return [*found, EndTurn()]


@pytest.mark.slow
@settings(max_examples=40)
@given(st.one_of(matches(), wild_matches()))
def test_the_listed_actions_are_those_found_by_separate_tests(
    match: Match[SorceryState, Action],
) -> None:
    edition = edition_of(match)
    for _ in range(60):
        if match.over:
            break
        assert legal_actions(match.state, edition) == list_separately(match.state, edition)
        match.step()


@pytest.mark.slow
@settings(max_examples=40)
@given(st.one_of(matches(), wild_matches()))
def test_values_and_actions_follow_from_the_history_of_a_minion(
    match: Match[SorceryState, Action],
) -> None:
    edition = edition_of(match)
    while not match.over and match.ply < 60:
        match.step()
        began = match.actions[-1] == EndTurn()
        for seat, side in enumerate(match.state.sides):
            for one in side.minions:
                anew = one.clone()
                refresh(anew, edition.cards)
                assert (one.attack, one.defence) == (anew.attack, anew.defence)
                if began and seat == match.state.turn and waits_for_nothing(match):
                    assert one.actions == actions_each_turn(one, edition.cards)


def waits_for_nothing(match: Match[SorceryState, Action]) -> bool:
    """Return whether no trigger at the start of a turn could change the actions of minions."""
    state, edition = match.state, edition_of(match)
    waiting = edition.triggers.get(When.TURN_STARTS)
    names = [one.card for side in state.sides for one in side.minions]
    names += [side.ritual.card for side in state.sides if side.ritual is not None]
    names += [name for side in state.sides for one in side.minions for name in one.enchantments]
    return waiting is None or waiting.keys().isdisjoint(names)
