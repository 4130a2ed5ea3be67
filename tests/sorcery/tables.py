"""Example tables: an empty one, a full one, and one with the longest possible texts.

Also a function that plays matches against random moves.
"""

from __future__ import annotations

from collections.abc import Callable

from tests.sorcery.scenes import Scene

from sorcery import Ability, Action, Draw, Sorcery, SorceryState, minion
from sorcery.cards.state import MOST
from tabletop import Match, Random
from tabletop.match import AnyPlayer

NAMES = ("Sean", "Ten")


def empty() -> Scene:
    return Scene(magic=3)


def full() -> Scene:
    """Return a full board in the middle of Sean's turn."""
    scene = Scene(magic=2)
    for player in (1, 2):
        scene.board(player, "Fire Elemental", "Novice Pyromancer", "Master Summoner")
        scene.board(player, "Potion Seller", "Bone Golem").graveyard(player, "Air Elemental 1/-3")
        scene.deck(player, *["Blizzard"] * 12).enchant(player, 2, "Silence")
        scene.enchant(player, 1, "Giant Strength", "Enrage", "Enrage")
    scene.ritual(1, "Dark Ritual", 4).ritual(2, "Aura of Power", 1).enchant(2, 5, "Haste")
    scene.hand(1, "Earth Elemental", "Banish", "Giant Strength", "Standstill", "Raise Dead")
    scene.hand(2, "Recharge").side(1).minions[3].actions = 0
    return scene


LONGEST = minion(
    "Chancellor of the Sunken Archives of Ys", cost=12, attack=MOST, defence=MOST
).having(
    Ability(10, Draw(), "Draw a card, and then think about what it could have been instead"),
    Ability(3, Draw(), "Draw a card"),
)


def longest() -> Scene:
    """Return a position in which all texts are as long as possible."""
    scene = Scene(cards=[LONGEST], magic=MOST, life=MOST)
    for player in (1, 2):
        scene.board(player, *[LONGEST.name] * 5).graveyard(player, LONGEST.name)
        scene.ritual(player, "Aura of Power", MOST).deck(player, *["Banish"] * 999)
        for place in range(1, 6):
            scene.enchant(player, place, *["Magic Fatigue", "Haste"] * 3)
    scene.side(1).minions[0].actions = 4
    return scene.hand(1, *[LONGEST.name] * 5)


def wins_against_chance(
    game: Sorcery, matches: int, made: Callable[[int], AnyPlayer[SorceryState, Action]]
) -> int:
    """Return the number of matches that a new player per match wins against `Random`.

    The player alternates between the seats.
    """
    won = 0
    for number in range(matches):
        seat = number % 2
        players: list[AnyPlayer[SorceryState, Action]] = [Random(number), Random(number)]
        players[seat] = made(number)
        outcome = Match(game, seed=number, players=players).run()
        won += outcome is not None and outcome.winners == (seat,)
    return won
