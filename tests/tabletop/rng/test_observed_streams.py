"""Listeners to draws: they change no draws, and do not receive draws of copied matches."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.tabletop.games import cards, race, rps, walk
from tests.tabletop.rng.test_rng import DRAWS

from tabletop import Match, Random, Stream, Streams
from tabletop.rng import Draw, HashStream, ObservedStream
from tabletop.rules import AnyGame

GAMES: list[AnyGame] = [cards.GAME, race.GAME, rps.GAME, walk.GAME]


NAMES = ["dice", ("deck", 1), 3, "an odd name>"]


def opened(streams: Streams, place: tuple[str, Any]) -> Stream:
    kind, name = place
    if kind == "at":
        return streams.at("cave", 3, -1)
    return streams.child("weather")[name] if kind == "child" else streams[name]


places = st.tuples(st.sampled_from(["own", "child", "at"]), st.sampled_from(NAMES))
deeds = st.lists(st.tuples(places, st.sampled_from(sorted(DRAWS))), max_size=30)


@given(deeds=deeds, since=st.integers(0, 30))
def test_a_listener_changes_no_draws(deeds: list[tuple[tuple[str, Any], str]], since: int) -> None:
    heard: list[Draw] = []
    told, quietly = Streams("old oak"), Streams("old oak")
    for number, (place, deed) in enumerate(deeds):
        if number == since:
            told.set_listener(heard.append)
        draw = DRAWS[deed]
        assert draw(opened(told, place)) == draw(opened(quietly, place))
        assert told.state() == quietly.state()
    assert (heard == []) == (len(deeds) <= since)


@given(deeds=deeds)
def test_reported_names_and_offsets_are_those_of_the_state(
    deeds: list[tuple[tuple[str, Any], str]],
) -> None:
    heard: list[Draw] = []
    streams = Streams("old oak")
    streams.set_listener(heard.append)
    for place, deed in deeds:
        heard.clear()
        before = streams.state()
        DRAWS[deed](opened(streams, place))
        assert heard
        assert len({draw.stream for draw in heard}) == 1
        assert all(0 <= draw.result < draw.bound for draw in heard)
        if place[0] != "at":
            assert heard[0].offset == before.get(heard[0].stream, 0)
            assert streams.state()[heard[0].stream] > heard[-1].offset


def test_a_draw_contains_stream_offset_bound_and_result() -> None:
    heard: list[Draw] = []
    streams = Streams("old oak")
    streams.set_listener(heard.append)
    streams["deck", 1].roll(6, 2)
    streams.child("weather").child("north")["wind"].below(9)
    streams.at("cave", 3, -1).chance(1, 2)
    streams.install("coin", HashStream(b"k" * 32))
    result = streams["coin"].below(10)
    quietly = Streams("old oak")
    dice = [quietly["deck", 1].below(6) for _ in range(2)]
    wind = quietly.child("weather").child("north")["wind"].below(9)
    assert heard == [
        Draw("deck/1", 0, 6, dice[0]),
        Draw("deck/1", 1, 6, dice[1]),
        Draw("weather>north>wind", 0, 9, wind),
        Draw("cave/3/-1", 0, 2, quietly.at("cave", 3, -1).below(2)),
        Draw("coin", 0, 10, result),
    ]


def test_a_new_listener_replaces_the_previous_one_and_none_removes_it() -> None:
    first: list[Draw] = []
    second: list[Draw] = []
    streams = Streams("x")
    for listener in (first.append, second.append, None):
        streams.set_listener(listener)
        streams["dice"].below(6)
        streams.child("weather")["wind"].below(6)
    assert [draw.stream for draw in first] == [draw.stream for draw in second]
    assert [draw.offset for draw in first + second] == [0, 0, 1, 1]


def test_clones_have_no_listener_but_copies_of_a_stream_keep_it() -> None:
    heard: list[Draw] = []
    streams = Streams("x")
    streams.set_listener(heard.append)
    streams["dice"].below(6)
    streams.child("weather")["wind"].below(6)
    twin = streams.clone()
    assert twin["dice"].below(6) == streams["dice"].below(6)
    twin.child("weather")["wind"].below(6)
    twin["new"].below(6)
    twin.at("cave", 1).below(6)
    assert [draw.stream for draw in heard] == ["dice", "weather>wind", "dice"]


def test_an_observed_stream_has_the_offset_of_its_inner_stream() -> None:
    heard: list[Draw] = []
    stream = ObservedStream(HashStream(b"k" * 32), "coin", heard.append)
    stream.offset = 5
    twin = stream.copy()
    assert twin.below(6) == stream.below(6)
    assert (stream.offset, stream.inner.offset) == (6, 6)
    assert [draw.offset for draw in heard] == [5, 5]


@given(game=st.sampled_from(GAMES), seed=st.integers(0, 99), plies=st.integers(0, 60))
def test_a_listener_does_not_change_a_match(game: AnyGame, seed: int, plies: int) -> None:
    heard: list[Draw] = []
    pair = [
        Match(game, seed=seed, seats=2, players=[Random(1), Random(2)], on_draw=listener)
        for listener in (heard.append, None)
    ]
    for match in pair:
        match.run(plies)
        match.undo(match.ply // 2)
        match.run(plies)
    assert pair[0].digest() == pair[1].digest()
    assert pair[0].actions == pair[1].actions
    assert (heard == []) == (pair[0].streams() == {})


def test_a_match_reports_the_draws_of_the_setup_and_of_every_action() -> None:
    heard: list[Draw] = []
    match = Match(race.GAME, seed=1, seats=2, on_draw=heard.append)
    assert [draw.stream for draw in heard] == ["start"] * 3
    heard.clear()
    match.play("run")
    dice = f"dice/{1 - match.state.turn}"
    assert [draw.stream for draw in heard] == [dice, dice, "weather>wind"]


@pytest.mark.parametrize("plies", [5, 200])
def test_undo_keeps_the_listener_and_does_not_report_replayed_draws(plies: int) -> None:
    heard: list[Draw] = []
    match = Match(walk.GAME, seed=1, players=[Random(1), Random(2)], on_draw=heard.append)
    match.run(plies)
    first = heard.copy()
    heard.clear()
    match.undo(plies - 1)
    assert heard == []
    match.redo(plies - 1)
    assert heard == first[1:]


def test_a_failed_action_keeps_the_listener() -> None:
    heard: list[Draw] = []

    class Slippery(walk.LongWalk):
        fails = True

        def apply(self, state: walk.Path, action: str, table: Any) -> None:
            super().apply(state, action, table)
            if self.fails:
                raise OverflowError("slipped")

    game = Slippery()
    match = Match(game, seed=1, on_draw=heard.append)
    with pytest.raises(Exception, match="slipped"):
        match.play("left")
    game.fails = False
    match.play("left")
    assert heard[0] == heard[1]
    assert len(heard) == 2
