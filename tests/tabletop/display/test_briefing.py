"""The texts with which a language model plays."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.tabletop.midway import put_at

from tabletop import Event, Match, Random, Streams, TabletopError
from tabletop.display.briefing import Briefing, Form, action_in, listed_choices
from tabletop.match import AnyMatch
from tabletop.protocol import ChoiceOut, StateOut
from tabletop.registry import Plugin, load

EXAMPLES = Path(__file__).parents[3] / "examples"
SECRETIVE = ("sorcery", *(str(EXAMPLES / f"{it}.py") for it in ("hearts", "harbour", "masks")))


def briefing_of(match: AnyMatch, plugin: Plugin, seat: int, **settings: Any) -> Briefing:
    """Return the briefing of a seat."""
    return Briefing(match, plugin.text, plugin.rules, seat, **settings)


@pytest.mark.parametrize("form", ["words", "json"])
@pytest.mark.parametrize("game", SECRETIVE, ids=lambda it: Path(it).stem)
def test_a_turn_does_not_depend_on_what_the_seat_cannot_see(game: str, form: Form) -> None:
    plugin, stream = load(game), Streams("deal")["deal"]
    seats = plugin.game.seats[0]
    players = [Random(seat) for seat in range(seats)]
    match: AnyMatch = Match(plugin.game, seed="oak", seats=seats, players=players)
    for _ in range(12):
        match.run(3)
        if match.over:
            break
        seat = match.to_act[0]
        twin: AnyMatch = Match(plugin.game, seed="oak", seats=seats)
        put_at(twin, plugin.game.redeal(match.state, seat, stream), {}, match.actions)
        told = [briefing_of(it, plugin, seat, form=form).turn() for it in (match, twin)]
        assert told[0] == told[1]


@pytest.mark.parametrize("game", SECRETIVE, ids=lambda it: Path(it).stem)
def test_the_reason_of_a_refusal_does_not_depend_on_what_the_seat_cannot_see(game: str) -> None:
    plugin, stream = load(game), Streams("deal")["deal"]
    seats = plugin.game.seats[0]
    answers = [str(it) for it in plugin.game.all_actions({}, seats) or ()][::7][:150]
    assert answers
    players = [Random(seat) for seat in range(seats)]
    match: AnyMatch = Match(plugin.game, seed="oak", seats=seats, players=players)
    for _ in range(6):
        match.run(5)
        if match.over:
            break
        seat = match.to_act[0]
        twin: AnyMatch = Match(plugin.game, seed="oak", seats=seats)
        put_at(twin, plugin.game.redeal(match.state, seat, stream), {}, match.actions)
        first, second = (briefing_of(it, plugin, seat) for it in (match, twin))
        for answer in answers:
            assert reply_to(first, answer) == reply_to(second, answer), answer


def reply_to(briefing: Briefing, answer: str) -> str:
    """Return the action that is read from an answer, or the reason for its refusal."""
    try:
        return str(briefing.read(f"[{answer}]"))
    except TabletopError as error:
        return str(error)


def test_events_are_those_that_the_seat_may_see() -> None:
    plugin = load("sorcery")
    match: AnyMatch = Match(plugin.game, seed="oak", players=[Random(1), Random(2)])
    seats = [briefing_of(match, plugin, seat) for seat in (0, 1)]
    seen: tuple[list[Event], list[Event]] = ([], [])
    for seat in (0, 1):
        match.observe(seen[seat].append, seat=seat)
    match.run(60)
    for seat in (0, 1):
        lines = [plugin.text.event(event, match.names, seat) for event in seen[seat]]
        assert [told.text for told in seats[seat].events()] == [line for line in lines if line]
        assert seats[seat].events() == []


@pytest.mark.parametrize(("form", "words"), [("words", "[Nf3]"), ("json", "[g1f3]")])
def test_actions_are_listed_in_the_notation_that_people_type(form: Form, words: str) -> None:
    plugin = load(str(EXAMPLES / "chess.py"))
    briefing = briefing_of(Match(plugin.game, seed="oak"), plugin, 0, form=form)
    assert words in briefing.turn().splitlines()
    assert briefing.read(words) == "g1f3"


@pytest.mark.parametrize(
    ("answer", "action"),
    [
        ("[play 3]", "play 3"),
        ("First [a], then I decide: [ play 3 ].", "play 3"),
        ("I think.\n\nplay 3\n", "play 3"),
        ("[[play 3]]", "play 3"),
    ],
)
def test_the_action_of_an_answer(answer: str, action: str) -> None:
    assert action_in(answer) == action


@pytest.mark.parametrize("answer", ["", " \n\t\n"])
def test_an_empty_answer_is_an_error(answer: str) -> None:
    with pytest.raises(TabletopError):
        action_in(answer)


def test_choices_that_a_table_does_not_list_are_explained_by_the_forms_of_actions() -> None:
    choices = tuple(ChoiceOut(words, words, (), seat) for seat, words in enumerate(["play 1", "x"]))
    commands = ("play CARD", "pass")
    state = StateOut(3, 0, (0,), choices=choices, more_choices=7, commands=commands)
    first, more = listed_choices(state, 0).splitlines()
    assert first == "[play 1]"
    assert all(words in more for words in ("7", *commands))
