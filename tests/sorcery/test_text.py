"""Sentences for events, and the text view of the program `tabletop`."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.sorcery.own import matches
from tests.sorcery.scenes import BOTH, Scene

from sorcery import (
    GAME,
    GAME_2017,
    PLUGIN,
    SPRING_2017,
    SPRING_2024,
    Action,
    CardDiscarded,
    CardDrawn,
    ChargesChanged,
    Edition,
    EndTurn,
    GameQuit,
    MagicChanged,
    MinionEntered,
    MinionGained,
    RitualStarted,
    Sorcery,
    SorceryState,
    Triggered,
    TurnEnded,
    TurnStarted,
    plugin_with,
)
from sorcery.rules import events
from sorcery.rules.game import NO_LIFE
from sorcery.text.text_view import SENTENCES, SorceryText, sentence
from tabletop import ActionPlayed, ActionsUndone, Event, Match, Outcome, Streams, Table, event
from tabletop.registry import load

TEXT = PLUGIN.text
PEOPLE = ["Sean", "Ten"]
KINDS = {
    kind for kind in vars(events).values() if isinstance(kind, type) and issubclass(kind, Event)
}


def lines_of(scene: Scene) -> list[str]:
    return [line for line in (sentence(one, PEOPLE) for one in scene.events) if line]


def test_the_game_of_each_edition_has_a_view_with_its_cards() -> None:
    for name, game, edition in (
        ("sorcery", GAME, SPRING_2024),
        ("sorcery-2017", GAME_2017, SPRING_2017),
    ):
        text = load(name).text
        assert isinstance(text, SorceryText)
        match = Match(game, seed="x", options={"testing": True, "deck1": "Unsummon"})
        wanted = "hand" if edition is SPRING_2024 else "om of its owner's deck"
        shown = plugin_with(game).text.position(match.view(0), PEOPLE)
        assert wanted in shown
        assert text.position(match.view(0), PEOPLE) == shown


def test_a_position_is_the_board_and_the_hand_of_the_active_player() -> None:
    match = Match(GAME, seed="x", seats=PEOPLE, options={"testing": True})
    rows = TEXT.position(match.view(0), PEOPLE).splitlines()
    assert rows[56] == "Sean's hand:"
    assert len(rows) == 56 + 1 + 11
    assert "Air Elemental" in rows[58]


def test_a_narrow_position_fits_a_small_screen_and_shows_the_viewers_hand() -> None:
    match = Match(GAME, seed="x", seats=PEOPLE, options={"testing": True})
    for seat in (0, 1):
        rows = TEXT.narrow_position(match.view(seat), PEOPLE, seat).splitlines()
        assert f"{PEOPLE[seat]}'s hand:" in rows
        assert max(map(len, rows)) <= 80
        assert len(rows) <= 20
    spectators = TEXT.narrow_position(match.view(None), PEOPLE, None)
    assert "hand:" not in spectators
    assert "Elemental" not in spectators


def test_the_other_hand_is_face_down_and_no_hand_is_shown_at_the_end() -> None:
    match = Match(GAME, seed="x", seats=PEOPLE, options={"testing": True})
    shown = TEXT.position(match.view(1), PEOPLE)
    assert "Elemental" not in shown
    assert shown.splitlines()[58] == "".join(["|" + "." * 31 + "|"] * 5)
    match = Match(GAME, seed="x", seats=PEOPLE)
    match.play(match.parse("quit"))
    assert len(TEXT.position(match.view(), PEOPLE).splitlines()) == 56


def test_the_outcome_names_the_winner_and_the_loser() -> None:
    text = TEXT
    assert text.outcome(Outcome.win(1, 2, NO_LIFE), PEOPLE) == "Ten wins: Sean has no life left."
    assert text.outcome(Outcome.draw(2, "nothing has changed"), PEOPLE).startswith("A draw")


SAYINGS: dict[str, tuple[Callable[[], Scene], list[str]]] = {
    "an attack at a minion": (
        lambda: Scene().board(1, "Earth Elemental").board(2, "Air Elemental").play("attack 1 1"),
        [
            "Sean's Earth Elemental attacks Ten's Air Elemental.",
            "Ten's Air Elemental takes 4 damage: defence -3.",
            "Ten's Air Elemental dies.",
            "Sean's Earth Elemental takes 1 damage: defence 3.",
        ],
    ),
    "an attack at the opponent": (
        lambda: Scene().board(1, "Air Elemental").play("attack 1"),
        ["Sean's Air Elemental attacks Ten.", "Ten has 19 life."],
    ),
    "an enchantment": (
        lambda: Scene().hand(1, "Haste").board(2, "Air Elemental").play("play 1 2 1"),
        [
            "Sean plays Haste.",
            "Sean has 19 magic.",
            "Ten's Air Elemental is enchanted with Haste.",
        ],
    ),
    "an ability": (
        lambda: Scene().board(1, "Apprentice Summoner").play("use 1"),
        [
            "Sean uses Apprentice Summoner: Summon a 1/1 air elemental.",
            "Sean has 19 magic.",
            "Sean's Air Elemental is summoned.",
        ],
    ),
    "a resurrection": (
        lambda: Scene().hand(1, "Raise Dead").graveyard(1, "Bone Golem").play("play 1"),
        ["Sean plays Raise Dead.", "Sean has 19 magic.", "Sean's Bone Golem returns to play."],
    ),
    "a ritual that another one replaces": (
        lambda: Scene().hand(1, "Dark Ritual").ritual(1, "Standstill").play("play 1"),
        ["Sean plays Dark Ritual.", "Sean's Standstill is removed from the game."],
    ),
    "a trigger": (
        lambda: (
            Scene()
            .board(1, "Bone Golem")
            .hand(1, "Unsummon")
            .board(1, "Air Elemental")
            .play("play 1 1 2")
        ),
        [
            "Sean plays Unsummon.",
            "Sean has 19 magic.",
            "Sean's Bone Golem is triggered.",
            "Sean's Bone Golem gains +1/+1.",
            "Sean's Air Elemental returns to the hand.",
        ],
    ),
    "the end of a turn": (
        lambda: Scene().deck(2, "Banish").play("end"),
        ["Sean ends the turn.", "Ten has 21 magic.", "Ten draws a card.", "Ten's turn."],
    ),
    "a spell of 2017": (
        lambda: Scene(SPRING_2017).hand(1, "Seduction").board(2, "Thornback").play("play 1 2 1"),
        ["Sean plays Seduction.", "Sean has 16 magic.", "Sean takes control of Thornback."],
    ),
}


@pytest.mark.parametrize("what", SAYINGS)
def test_events_have_short_sentences(what: str) -> None:
    play, lines = SAYINGS[what]
    assert lines_of(play()) == lines


FULLER: dict[str, tuple[Callable[[], Scene], list[str]]] = {
    "which of two attacks which of two": (
        lambda: (Scene().board(1, *["Earth Elemental"] * 2).board(2, *["Air Elemental"] * 2)).play(
            "attack 2 1"
        ),
        [
            "Sean's Earth Elemental (2) attacks Ten's Air Elemental (1).",
            "Ten's Air Elemental (1) takes 4 damage: defence -3.",
            "Ten's Air Elemental (1) dies.",
            "Sean's Earth Elemental (2) takes 1 damage: defence 3.",
        ],
    ),
    "what a spell is played on": (
        lambda: (
            Scene()
            .hand(1, "Banish", "Haste", "Disenchant", "Banish")
            .ritual(2, "Standstill")
            .board(1, *["Air Elemental"] * 2)
            .play("play 1 2 r", "play 1 1 2", "play 1 1 2", "play 1 1 2")
        ),
        [
            "Sean plays Banish on Ten's Standstill.",
            "Sean has 18 magic.",
            "Ten's Standstill is removed from the game.",
            "Sean plays Haste on Sean's Air Elemental (2).",
            "Sean has 17 magic.",
            "Sean's Air Elemental (2) is enchanted with Haste.",
            "Sean plays Disenchant on Sean's Air Elemental (2).",
            "Sean has 16 magic.",
            "Sean's Air Elemental (2) loses Haste.",
            "Sean plays Banish on Sean's Air Elemental (2).",
            "Sean has 14 magic.",
            "Sean's Air Elemental (2) dies.",
        ],
    ),
    "which of two uses an ability on what": (
        lambda: Scene().board(1, *["Novice Pyromancer"] * 2).play("use 2 1 1"),
        [
            (
                "Sean uses Novice Pyromancer (2) on Sean's Novice Pyromancer (1): Deal 1 damage to"
                " target minion."
            ),
            "Sean has 19 magic.",
            "Sean's Novice Pyromancer (1) takes 1 damage: defence 0.",
            "Sean's Novice Pyromancer (1) dies.",
        ],
    ),
    "which of two is triggered, gains, and enters": (
        lambda: (
            Scene()
            .board(1, *["Bone Golem"] * 2, "Air Elemental")
            .hand(1, "Banish", "Air Elemental", "Air Elemental")
            .play("play 1 1 3", "play 1", "play 1")
        ),
        [
            "Sean plays Banish on Sean's Air Elemental.",
            "Sean has 18 magic.",
            "Sean's Bone Golem (1) is triggered.",
            "Sean's Bone Golem (1) gains +1/+1.",
            "Sean's Bone Golem (2) is triggered.",
            "Sean's Bone Golem (2) gains +1/+1.",
            "Sean's Air Elemental dies.",
            "Sean plays Air Elemental.",
            "Sean plays Air Elemental.",
        ],
    ),
    "which of two changes sides": (
        lambda: (Scene(SPRING_2017).hand(1, "Seduction").board(2, *["Thornback"] * 2)).play(
            "play 1 2 2"
        ),
        [
            "Sean plays Seduction on Ten's Thornback (2).",
            "Sean has 16 magic.",
            "Sean takes control of Thornback (2).",
        ],
    ),
    "a hand that is full": (
        lambda: Scene().hand(2, *["Banish"] * 5).deck(2, "Banish").play("end"),
        [
            "Sean ends the turn.",
            "Ten has 21 magic.",
            "Ten draws no card: the hand is full.",
            "Ten's turn.",
        ],
    ),
    "a deck that is empty": (
        lambda: Scene().play("end"),
        [
            "Sean ends the turn.",
            "Ten has 21 magic.",
            "Ten draws no card: the deck is empty.",
            "Ten's turn.",
        ],
    ),
}


@pytest.mark.parametrize("what", FULLER)
def test_full_sentences_name_places_targets_and_reasons(what: str) -> None:
    play, lines = FULLER[what]
    scene, text = play(), TEXT
    assert [line for one in scene.events if (line := sentence(one, PEOPLE, fully=True))] == lines
    assert [line for one in scene.events if (line := text.event(one, PEOPLE, 1))] == lines


@pytest.mark.parametrize("what", FULLER)
def test_short_sentences_name_neither_place_nor_target_nor_reason(what: str) -> None:
    told = " ".join(lines_of(FULLER[what][0]()))
    assert not re.search(r"\(\d\)| on |no card", told)
    assert told == " ".join(
        line for one in FULLER[what][0]().events if (line := TEXT.event(one, PEOPLE))
    )


def test_an_event_that_others_describe_has_no_sentence() -> None:
    text = TEXT
    for quiet in (
        MinionEntered(0, "Air Elemental", "hand"),
        RitualStarted(0, "Dark Ritual"),
        ActionPlayed(1, 0, "play 1"),
    ):
        assert text.event(quiet, PEOPLE) == ""


def test_every_event_of_the_game_has_a_sentence() -> None:
    assert KINDS - {Event} - SENTENCES.keys() == set()


def test_other_events_are_described_as_in_every_game() -> None:
    @event
    class Withered(Event):
        seat: int
        cards: int

    assert sentence(Withered(1, 2), PEOPLE) == "Ten: withered (cards 2)."
    assert TEXT.event(Withered(1, 2), PEOPLE) == "Ten: withered (cards 2)"
    assert TEXT.event(ActionsUndone(1, 0), PEOPLE) == "1 action undone"


@pytest.mark.parametrize(("charges", "said"), [(0, "0 charges"), (1, "1 charge"), (2, "2 charges")])
def test_a_single_charge_is_in_the_singular(charges: int, said: str) -> None:
    changed = ChargesChanged(0, "Dark Ritual", charges)
    assert sentence(changed, PEOPLE) == f"Sean's Dark Ritual has {said}."


# Events, and no leak of hidden information to a player or bot.


WATCHERS = st.sampled_from([0, 1, None])


def told(game: Sorcery, state: SorceryState, action: Action) -> list[Event]:
    """Play `action` in a position, which changes, and return the events."""
    table = Table(Streams("told"))
    table.watch(True)
    game.apply(state, action, table)
    return table.events


@pytest.mark.slow
@settings(max_examples=40)
@given(matches(), WATCHERS, st.integers(0, 120))
def test_events_and_legal_actions_do_not_depend_on_hidden_cards(
    match: Match[SorceryState, Action], seat: int | None, plies: int
) -> None:
    match.run(plies)
    if match.over:
        return
    game, state = match.game, match.state
    assert isinstance(game, Sorcery)
    other = game.redeal(state, seat, Streams("other")["cards"])
    assert game.view(other, seat) == game.view(state, seat)
    if seat == state.turn:
        legal = list(game.legal_actions(state, seat))
        assert list(game.legal_actions(other, seat)) == legal
        assert list(game.legal_actions(game.view(state, seat), seat)) == legal
    drawer = 1 - state.turn
    here, there = state.clone(), other.clone()
    assert told(game, here, EndTurn()) == told(game, there, EndTurn())
    if drawer != seat:
        assert game.view(here, seat) == game.view(there, seat)


@BOTH
def test_no_event_reveals_a_drawn_card(edition: Edition) -> None:
    scene = Scene(edition).deck(2, "Blizzard").play("end")
    assert scene.told(CardDrawn) == [CardDrawn(1)]
    assert "Blizzard" not in repr(scene.events)


@BOTH
def test_the_end_of_a_turn_is_between_its_triggers_and_the_next_turn(edition: Edition) -> None:
    scene = Scene(edition, magic=0).board(1, "Potion Seller").ritual(2, "Dark Ritual")
    scene.deck(2, "Banish").play("end")
    assert scene.events == [
        Triggered(0, "Potion Seller"),
        MinionGained(0, "Potion Seller", 0, 1),
        TurnEnded(0),
        MagicChanged(1, 1),
        CardDrawn(1),
        Triggered(1, "Dark Ritual"),
        ChargesChanged(1, "Dark Ritual", 4),
        MagicChanged(1, 2),
        TurnStarted(1),
    ]


@BOTH
def test_quitting_and_discarding_have_events(edition: Edition) -> None:
    scene = Scene(edition, testing=True).hand(1, "Banish").play("discard 1", "quit")
    assert scene.events == [CardDiscarded(0, "Banish"), GameQuit(0)]
