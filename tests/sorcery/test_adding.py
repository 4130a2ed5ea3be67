"""A card, trigger and effect that are added in one place work everywhere.

Bots play them, text and picture show them, and players can click them in a browser.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from tests.sorcery.scenes import Scene
from tests.sorcery.seen import parts, picture_of
from tests.tabletop.web.served import Server, serving
from typing_extensions import override

from sorcery import (
    SELF,
    SPRING_2024,
    TARGET,
    Ability,
    Duelist,
    EffectContext,
    Minion,
    OnMinions,
    Sorcery,
    Strengthen,
    Target,
    Trigger,
    TriggerEvent,
    When,
    Whose,
    minion,
    plugin_with,
)
from sorcery.cards.all_cards import CARDS_2024
from sorcery.picture import SorceryPicture
from sorcery.text.card_faces import face_of
from sorcery.text.small_board import SmallBoard
from sorcery.text.text_view import SorceryText, sentence
from tabletop import Match, Streams
from tabletop.registry import load

STUNG = When("whenever a minion is stung")


@dataclass(frozen=True, slots=True)
class Sting(OnMinions):
    """A new effect: deal 1 damage to minions and fire a new event."""

    @override
    def act(self, context: EffectContext, minion: Minion) -> None:
        context.engine.damage(minion, 1)
        context.engine.fire(STUNG, context.seat)


def on(when: TriggerEvent) -> Trigger:
    return Trigger(when, Strengthen(SELF, 1), "Gain +1/+0", Whose.OWN)


BADGER = minion("Badger", cost=1, attack=1, defence=2).having(on(When.TURN_ENDS))
HORNET = minion("Hornet", cost=1, attack=1, defence=2).having(
    Ability(0, Sting(TARGET), "Sting target minion", Target.MINION), on(STUNG)
)
"""A card with existing mechanics, and a card with a new trigger and a new effect."""

ADDED = [BADGER, HORNET]
EDITION = replace(SPRING_2024, name="more", card_set=(*CARDS_2024, *ADDED))
"""An edition with two additional cards that have no art, text or labels of their own."""

GAME = Sorcery(EDITION, deck="Badger\nHornet\nEarth Elemental\n" * 7)
PLUGIN = plugin_with(GAME)


def scene() -> Scene:
    return Scene(EDITION).board(1, "Badger", "Hornet").hand(1, "Badger").board(2, "Hornet")


def test_bots_play_added_cards_to_the_end() -> None:
    bots = [Duelist(Streams("bots")[name], game=GAME) for name in ("first", "second")]
    match = Match(GAME, seed="added", players=bots, options={"patience": 10})
    assert match.run() is not None


def test_a_new_trigger_and_a_new_effect_happen() -> None:
    made = scene().play("use 2 2 1")
    assert made.minions(1) == ["Badger 1/2", "Hornet 2/2"]
    assert made.minions(2) == ["Hornet 1/1"]
    told = [sentence(one, ["Ann", "Bob"]) for one in made.events]
    assert "Ann uses Hornet: Sting target minion." in told
    assert "Ann's Hornet is triggered." in told


@pytest.mark.parametrize("name", ["Badger", "Hornet"])
def test_added_cards_are_shown_as_text(name: str) -> None:
    made = scene()
    assert name in SorceryText(EDITION).position(made.state, ["Ann", "Bob"])
    assert name in SmallBoard(EDITION.cards).board(made.state, ["Ann", "Bob"])
    assert face_of(EDITION.cards[name]).fits


@pytest.mark.parametrize("narrow", [False, True])
def test_added_cards_are_drawn_and_can_be_clicked(narrow: bool) -> None:
    made, picture = scene(), SorceryPicture(EDITION)
    found = parts(picture_of(made, narrow=narrow))
    assert {"minion-0-0", "minion-0-1", "ability-1-0", "hand-0"} <= found.keys()
    for action in made.game.legal_actions(made.state, 0):
        assert set(picture.path(action, made.state, 0)) <= found.keys()
        assert picture.label(action, made.state, ["Ann", "Bob"], 0)


@pytest.mark.slow
def test_added_cards_are_clicked_in_a_browser(tmp_path: Path) -> None:
    """A page shows the picture and sends the command of the clicked parts."""
    # The source refers to this file, from which worker processes of bots load the game.
    plugin = load(__file__)

    async def clicks(server: Server) -> None:
        options = {"testing": True}
        wish = {"names": ["Ann", "Bob"], "players": ["human", "duelist"], "options": options}
        opened = await server.open(GAME.name, **wish)
        async with server.screen(opened["links"][0]) as ann:
            for clicked in (["hand-0"], ["hand-0"], ["end"]):
                state = await ann.until("state", lambda told: told["your_turn"] == [0])
                words = {tuple(it["path"]): it["words"] for it in state["choices"]}
                await ann.say(type="act", line=words[tuple(clicked)])
            state = await ann.until("state", lambda it: it["your_turn"] == [0] and it["ply"] > 4)
            assert all(name in state["svg"] for name in ("Badger", "Hornet"))
            path = ["ability-1-0", "minion-0-0"]
            (sting,) = (it for it in state["choices"] if it["path"] == path)
            assert sting["label"] == "Use Hornet (0 magic) on your Badger 2/2"
            await ann.say(type="act", line=sting["words"])
            lines = (await ann.until("log", lambda told: "triggered" in str(told)))["lines"]
            assert "Ann's Hornet is triggered." in [line["text"] for line in lines]

    serving(clicks, tmp_path, plugins=(plugin,))
