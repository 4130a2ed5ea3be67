"""Pictures and terminals never draw from the streams of the rules."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest
from tests.tabletop.cli.program import DUEL, here
from tests.tabletop.games import cards, race

from tabletop import Event, Match, Plugin, Random
from tabletop.display.text_view import list_actions
from tabletop.match import AnyMatch
from tabletop.records import Header, Journal, read, replay
from tabletop.registry import installed, load
from tabletop.rng import Draw

PLIES = 20
SAME_TEXT = {"sorcery-2017", "constructor-small", "constructor-square"}
"""Variants with the texts of another game."""
GAMES = [*sorted(installed().keys() - SAME_TEXT), DUEL, str(cards.__file__), str(race.__file__)]


def shown_position(plugin: Plugin, match: AnyMatch, event: Event) -> None:
    for seat in (None, *range(match.seats)):
        plugin.text.position(match.view(seat), match.names, seat)
    plugin.text.position(match.state.clone(), match.names)


def told_event(plugin: Plugin, match: AnyMatch, event: Event) -> None:
    plugin.text.event(event, match.names)
    for seat in (None, *range(match.seats)):
        masked = match.game.view_event(event, match.state, seat)
        if masked is not None:
            plugin.text.event(masked, match.names, seat)


def asked_person(plugin: Plugin, match: AnyMatch, event: Event) -> None:
    for seat in match.to_act:
        plugin.text.prompt(match.view(seat), seat, match.names)
        list_actions(match.legal_actions(seat))
    if match.outcome is not None:
        plugin.text.outcome(match.outcome, match.names)


def tried_ahead(plugin: Plugin, match: AnyMatch, event: Event) -> None:
    ahead = match.clone()
    for seat in range(ahead.seats):
        ahead.set_player(seat, Random(99))
    ahead.run(3)


def look(plugin: Plugin, match: AnyMatch, event: Event) -> None:
    for watcher in (shown_position, told_event, asked_person, tried_ahead):
        watcher(plugin, match, event)


def played(plugin: Plugin, *, watched: bool) -> tuple[str, list[Draw], list[str]]:
    """Return the digest of a match at its end, every draw of its rules, and its actions."""
    draws: list[Draw] = []
    match = Match(plugin.game, seed="Old Oak", on_draw=draws.append)
    for seat in range(match.seats):
        match.set_player(seat, Random(seat))
    failed: list[object] = []
    match.on_observer_failure(failed.append)
    if watched:
        match.observe(partial(look, plugin, match))
    match.run(PLIES)
    assert failed == []
    return match.digest(), draws, [str(action) for action in match.actions]


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES, ids=lambda name: Path(name).stem)
def test_a_match_is_the_same_with_and_without_a_display(name: str) -> None:
    plugin = load(name)
    assert played(plugin, watched=True) == played(plugin, watched=False)


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(installed()))
def test_showing_a_record_does_not_change_it(name: str, tmp_path: Path) -> None:
    game, path = load(name).game, tmp_path / "match.jsonl"
    match = Match(game, seed="Old Oak")
    for seat in range(match.seats):
        match.set_player(seat, Random(seat))
    with Journal.create(path, match, Header.of(match, source=name)):
        match.run(20)
    before = path.read_bytes()
    for view in ([], ["--seat", "1"], ["--seat", "all"]):
        assert here("replay", path, *view).returncode == 0
    assert path.read_bytes() == before
    assert replay(read(path), game).digest() == match.digest()
