"""Effects of one's own, derived from the bases."""

from __future__ import annotations

from dataclasses import dataclass

from tests.sorcery.scenes import Scene
from typing_extensions import override

from sorcery import (
    ALL,
    OPPONENT,
    YOU,
    Effect,
    Minion,
    Moment,
    OnMinions,
    OnPlayers,
    OnSome,
    Selector,
    spell,
)
from sorcery.acting import players


@dataclass(frozen=True, slots=True)
class Swap(OnMinions):
    """Let minions swap attack and defence."""

    @override
    def act(self, moment: Moment, minion: Minion) -> None:
        more = minion.defence - minion.attack
        moment.engine.gain(minion, more, -more)


@dataclass(frozen=True, slots=True)
class Halve(OnPlayers):
    """Let players lose half of their life."""

    who: Selector = OPPONENT

    @override
    def happen(self, moment: Moment) -> None:
        for seat in players(self.who, moment):
            moment.engine.gain_life(seat, -(moment.engine.side(seat).life // 2))


@dataclass(frozen=True, slots=True)
class Tally(OnSome):
    """Gain a life for each of those that are meant, minions and players."""

    @override
    def happen(self, moment: Moment) -> None:
        moment.engine.gain_life(moment.seat, len(self.whom.found(moment)))


def cast(effect: Effect) -> Scene:
    made = Scene(cards=[spell("Odd", effect, "odd", cost=0)]).hand(1, "Odd")
    return made.board(1, "Potion Seller", "Novice Pyromancer").board(2, "Bone Golem").play("play 1")


def test_an_effect_on_minions_acts_on_one_after_the_other() -> None:
    made = cast(Swap(ALL))
    # The Pyromancer has no attack to make defence of; the Golem gains by its death.
    assert (made.minions(1), made.buried(1)) == (["Potion Seller 3/1"], ["Novice Pyromancer 1/0"])
    assert made.minions(2) == ["Bone Golem 4/2"]


def test_an_effect_on_players_acts_on_those_that_are_meant() -> None:
    made = cast(Halve())
    assert (made.side(1).life, made.side(2).life) == (20, 10)


def test_an_effect_may_act_on_minions_and_players_alike() -> None:
    assert cast(Tally(ALL | YOU)).side(1).life == 24
