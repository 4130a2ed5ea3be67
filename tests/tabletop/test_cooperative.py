"""A match that all win or lose together: how it is told, kept, rated and learnt from."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tabletop import Match, Outcome, Random, Scripted, Streams, draw_match
from tabletop.bots import ISMCTS
from tabletop.cli import main
from tabletop.display import TextView
from tabletop.envs import aec
from tabletop.errors import UsageError
from tabletop.records import Journal, read, replay
from tabletop.registry import load
from tabletop.scores import ScoreSheet, ranked
from tabletop.studies import LocalWorkers, Series, compare, compare_teams, tournament
from tabletop.testing import LawBroken, check_game
from tests.program_runs import run_here
from tests.tabletop.games import rope
from tests.tabletop.scoresheets import at

NAMES = ["Ann", "Bo", "Cy"]
GAME = rope.GAME
SOURCE = str(rope.__file__)


def played(*actions: str, seats: int = 2) -> Match[rope.Rope, str]:
    match: Match[rope.Rope, str] = Match(GAME, seed="old oak", seats=seats)
    for action in actions:
        match.play(action)
    return match


PULLS = ("pull", "rest", "pull", "rest", "pull")


def test_all_have_won_with_the_best_score_and_nobody_has_drawn() -> None:
    some, best = Outcome.together(18, 3, best=25), Outcome.together(25, 3, best=25)
    assert (some.winners, best.winners) == ((), (0, 1, 2))
    assert not some.is_draw
    assert not best.is_draw
    assert (some.share, Outcome.draw(3).share) == (0.72, None)
    assert some.points == (18, 18, 18)


@pytest.mark.parametrize(("score", "worth"), [(0, -1), (5, -0.5), (10, 0), (20, 1)])
def test_returns_go_from_minus_one_to_one_with_the_score(score: int, worth: float) -> None:
    assert Outcome.together(score, 2, best=20).returns == (worth, worth)


@pytest.mark.parametrize(("score", "best"), [(-1, 5), (6, 5), (0, 0), (1, -1), (1, float("inf"))])
def test_a_score_beyond_the_best_or_below_nothing_is_refused(score: float, best: float) -> None:
    with pytest.raises(ValueError, match=str(best)):
        Outcome.together(score, 2, best=best)


def test_who_play_together_are_one_group_with_the_same_points() -> None:
    for ranking, points in ((((0,), (1,)), (3, 3)), (((0, 1),), (3, 4)), (((0, 1),), ())):
        with pytest.raises(ValueError, match="the same score"):
            Outcome(ranking, points=points, best=5)


@pytest.mark.parametrize(
    ("outcome", "said"),
    [
        (Outcome.together(18, 3, best=25, reason="no cards left"), "18 of 25"),
        (Outcome.together(1, 3), "Everybody wins"),
        (Outcome.together(0, 3, reason="the bridge fell"), "Everybody loses (the bridge fell)"),
    ],
)
def test_a_line_says_what_they_have_reached(outcome: Outcome, said: str) -> None:
    line = TextView[Any]().outcome(outcome, NAMES)
    assert said in line
    assert "Points" not in line


def test_a_record_keeps_the_score_and_the_best_one(tmp_path: Path) -> None:
    match = played()
    with Journal.create(tmp_path / "match.jsonl", match):
        for action in PULLS:
            match.play(action)
    record = read(tmp_path / "match.jsonl")
    assert replay(record, GAME).outcome == match.outcome == Outcome.together(3, 2, best=5)


def test_of_sheets_the_one_with_the_better_score_comes_first() -> None:
    def sheet(score: int) -> ScoreSheet:
        return at(1, outcome=Outcome.together(score, 2, best=5), plies=score + 1)

    shown = [it.outcome.points[0] for it in ranked([sheet(2), sheet(5), sheet(0), sheet(4)])]
    assert shown == [5, 4, 2, 0]


def test_a_learner_is_rewarded_for_what_all_have_reached() -> None:
    env = aec.Env(load(SOURCE), seats=2)
    env.reset(seed=1)
    rewards: dict[str, float] = {}
    for agent in env.agent_iter():
        _, reward, over, _, _ = env.last()
        rewards[agent] = reward
        env.step(None if over else 1)
    assert rewards == {"player_0": 1, "player_1": 1}


def test_open_spiel_is_told_that_all_have_the_same_utility() -> None:
    pyspiel = pytest.importorskip("pyspiel")
    spiel: Any = pytest.importorskip("tabletop.envs.spiel")
    game = spiel.load_game(SOURCE, seats=3)
    assert game.get_type().utility == pyspiel.GameType.Utility.IDENTICAL
    state = game.new_initial_state()
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[-1])
    assert state.returns() == [1, 1, 1]


def test_a_bot_that_looks_ahead_plays_for_the_score_of_all() -> None:
    bots = [ISMCTS(Streams(seat)["bot"], game=GAME, iterations=60) for seat in range(3)]
    match = Match(GAME, seed="old oak", seats=3, players=bots)
    outcome = match.run()
    assert outcome is not None
    assert outcome.winners == (0, 1, 2)


class Lucky(rope.Pulling):
    name = "lucky"

    def __init__(self, outcome: Outcome, **declared: object) -> None:
        self._outcome = outcome
        vars(self).update(declared)

    def outcome(self, state: rope.Rope) -> Outcome | None:
        return None if self.to_act(state) else self._outcome


@pytest.mark.parametrize(
    ("declared", "outcome", "fault"),
    [
        ({"cooperative": False}, Outcome.together(1, 2), "cooperative is False"),
        ({"cooperative": True}, Outcome.draw(2), "cooperative is True"),
        ({"point_range": (0, 5)}, Outcome.together(7, 2, best=9), "7 points are outside"),
        ({"point_range": 5}, Outcome.together(1, 2), "point_range is 5"),
        ({"point_range": (3, 3)}, Outcome.together(1, 2), "point_range is "),
        (
            {"cooperative": False, "point_range": (0, 5)},
            Outcome.win(0, 2),
            "has no points",
        ),
        ({"utility": lambda outcome, seat: 7}, Outcome.together(1, 2), "utility of .* is 7"),
        ({"utility": lambda outcome, seat: None}, Outcome.together(1, 2), "is None"),
    ],
)
def test_the_kit_names_an_outcome_that_is_not_as_declared(
    declared: dict[str, object], outcome: Outcome, fault: str
) -> None:
    with pytest.raises(LawBroken, match=fault):
        check_game(Lucky(outcome, seats=range(2, 3), **declared), matches=1)


@pytest.mark.slow
def test_the_kit_accepts_a_cooperative_game() -> None:
    check_game(GAME, matches=4)


@pytest.mark.parametrize(
    ("bounds", "points", "worth"),
    [
        ((0, 10), (2, 10), [0.2, 1]),
        ((26, 0), (13, 0), [0.5, 1]),
        ((-2, 2), (-2, 2), [0, 1]),
        ((0, 5), (7, -1), [1, 0]),
    ],
)
def test_where_points_have_bounds_an_end_is_worth_its_points(
    bounds: tuple[float, float], points: Sequence[float], worth: list[float]
) -> None:
    game = Lucky(Outcome.draw(2), cooperative=False, point_range=bounds)
    outcome = Outcome.by_score(points)
    assert [game.utility(outcome, seat) for seat in (0, 1)] == worth


@pytest.mark.parametrize(
    ("outcome", "worth"),
    [
        (Outcome.win(1, 2), [0, 1]),
        (Outcome.win(1, 3), [0.25, 1, 0.25]),
        (Outcome.by_score([3, 3, 1]), [0.75, 0.75, 0]),
        (Outcome.draw(4), [0.5] * 4),
        (Outcome.abandon(2), [0, 0]),
        (Outcome.win(0, 1), [1]),
    ],
)
def test_without_bounds_an_end_is_worth_its_place(outcome: Outcome, worth: list[float]) -> None:
    assert [GAME.utility(outcome, seat) for seat in range(len(worth))] == worth


def test_a_picture_of_the_end_can_be_drawn() -> None:
    assert "The match is over" in draw_match(played(*PULLS))


@pytest.mark.slow
def test_simulate_says_what_all_have_reached(tmp_path: Path) -> None:
    words = ["simulate", SOURCE, "-n", "50", "--bots", "random", "--workers", "1"]
    words += ["-o", str(tmp_path / "study")]
    printed = run_here(main, words)
    assert "together" in printed.stdout
    assert re.search(r"^2\.\d of 5 points on average", printed.stdout, re.MULTILINE)
    assert "seat 1" not in printed.stdout
    assert "nobody" not in printed.stdout
    run_here(main, ["report", str(tmp_path / "study")])
    assert "\n## Points (maximum 5)\n" in (tmp_path / "study" / "_report.md").read_text()


def test_bots_are_compared_by_what_each_reaches_in_all_seats_with_the_same_seeds() -> None:
    guesses, best = compare_teams(SOURCE, ["random", "search:20"], 20, LocalWorkers(), seats=3)
    rows = Series.of(SOURCE, ["random"], seats=3).play(range(20))
    assert guesses.points.value == sum(row["points"][0] for row in rows) / 20
    assert guesses.points.low < guesses.points.value < guesses.points.high
    assert (best.points.value, best.best, best.matches) == (5, 5, 20)
    assert best.apart.value == best.points.value - guesses.points.value
    assert best.apart.low > 0 == guesses.apart.value


@pytest.mark.slow
def test_a_tournament_says_the_mean_points_of_each_bot_and_no_elo() -> None:
    words = ["tournament", SOURCE, "-n", "20", "--workers", "1", "--bots", "random,search:20"]
    said = run_here(main, words).stdout
    assert re.search(r"^in all seats +points of 5 +95 %", said)
    assert re.search(r"^2 search:20 +5\.00 .*\n1 random +2\.", said, re.MULTILINE)
    assert "Elo" not in said
    told = json.loads(run_here(main, [*words, "--json"]).stdout)
    assert [it["points"]["value"] > 4 for it in told] == [False, True]
    assert run_here(main, [*words, "--sprt=0,30"]).status


def test_a_cooperative_game_has_no_tournament_and_other_games_have_no_teams() -> None:
    for play in (tournament, compare_teams):
        wrong = SOURCE if play is tournament else "lcr"
        with pytest.raises(UsageError, match="cooperative"):
            play(wrong, ["random", "search:20"], 2, LocalWorkers())


def test_two_values_of_an_option_differ_in_the_points_of_all() -> None:
    one, other = (Series.of(SOURCE, [bot], seats=2) for bot in ("random", "search:20"))
    found = {it.name: it for it in compare(one, other, 10, LocalWorkers())}
    assert found.keys() == {"wins", "points", "plies"}
    assert found["points"].second == 5


def test_a_player_can_lose_for_all() -> None:
    players: list[Any] = [Scripted(["rest"] * 3), Random("other")]
    outcome = Match(GAME, seed=1, seats=2, players=players).run()
    assert outcome is not None
    assert outcome.winners == ()
