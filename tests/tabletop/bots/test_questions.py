"""A bot that is asked elsewhere plays like one in the match, and reports errors in its answer."""

from __future__ import annotations

import pytest

from tabletop import CommandError, Match, TabletopError
from tabletop.match import AnyMatch
from tabletop.registry import load
from tabletop.table import Question, answer
from tests.tabletop.bots.gates import GAME, question


def new_match(game: str = GAME, seats: int = 2) -> AnyMatch:
    """Return a match whose dice are the same each time."""
    match: AnyMatch = Match(load(game).game, seed="old oak", seats=seats)
    return match


@pytest.mark.parametrize(
    ("game", "bots"),
    [
        (GAME, ("own", "random")),
        ("examples/tictactoe.py", ("easy", "search:30")),
        pytest.param("examples/masks.py", ("easy", "flat:20"), marks=pytest.mark.slow),
        pytest.param("sorcery", ("duelist", "random"), marks=pytest.mark.slow),
    ],
)
def test_a_bot_elsewhere_plays_and_draws_the_same_as_in_the_match(
    game: str, bots: tuple[str, str]
) -> None:
    plugin = load(game)
    here, elsewhere = new_match(game), new_match(game)
    for seat, name in enumerate(bots):
        here.set_player(seat, plugin.bot(name, here.bot_stream(seat), seat))

    def step(plies: int) -> None:
        for _ in range(plies):
            if not here.over:
                here.step()
                seat = elsewhere.to_act[0]
                found = answer(question(plugin, bots[seat], elsewhere))
                elsewhere.step(seat, found.player(elsewhere, seat))

    step(8)
    for match in (here, elsewhere):
        match.undo(3)
    step(10)
    assert elsewhere.actions == here.actions
    assert elsewhere.bot_offsets() == here.bot_offsets()
    assert elsewhere.digest() == here.digest()


def test_an_error_of_a_bot_is_an_answer_and_its_player_raises_it() -> None:
    match = new_match()
    found = answer(question(load(GAME), "crash", match))
    assert found.error.startswith("Peculiar('this and <function")
    assert "in choose" in found.trace
    with pytest.raises(TabletopError, match="Peculiar") as caught:
        match.step(None, found.player(match, match.to_act[0]))
    assert caught.value.__notes__ == [found.trace]
    assert match.ply == 0


def test_an_invalid_answer_is_refused_when_it_is_played() -> None:
    match = new_match()
    found = answer(question(load(GAME), "nonsense", match))
    assert (found.action, found.error) == ("None", "")
    with pytest.raises(CommandError):
        match.step(None, found.player(match, match.to_act[0]))


def test_a_missing_game_is_reported_in_the_answer() -> None:
    asked = question(load("lcr"), "random", new_match("lcr", seats=3))
    unknown = Question("nothing", *[getattr(asked, name) for name in Question.__slots__[1:]])
    assert "'nothing'" in answer(unknown).error


@pytest.mark.slow
def test_a_bot_that_can_be_stopped_respects_the_time_limit() -> None:
    match = new_match("examples/tictactoe.py")
    seat, plugin = match.to_act[0], load("examples/tictactoe.py")
    asked = Question.of(
        plugin, "search:60s", match.state, seat, stream=match.bot_stream(seat), seconds=0.05
    )
    found = answer(asked)
    assert match.parse(found.action, seat) in match.legal_actions(seat)
    assert found.value is not None
    assert 0 <= found.value <= 1
