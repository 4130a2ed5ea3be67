"""The bots and people of a match: whose turn it is, replacements, and random streams."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from tabletop import CommandError, ContractError, Match, Plugin, RegistryError
from tabletop.errors import NotAnAction, NotYourTurn, RecordLost
from tabletop.match import AnyMatch
from tabletop.records import HUMAN, Journal, read
from tabletop.registry import load
from tabletop.table import ActionFailed, Answer, Players, Question, Replaced, answer
from tests.tabletop.cli.program import TICTACTOE
from tests.tabletop.games import race
from tests.tabletop.table.failing_bots import GAME, PLUGIN, Full


def seat_players(*names: str, plugin: Plugin = PLUGIN) -> Players:
    match: AnyMatch = Match(plugin.game, seed="oak")
    return Players(match, plugin, names or (HUMAN, HUMAN))


def play(players: Players, line: str) -> None:
    players.play(players.match.parse(line, players.waiting_for[0]))


def test_a_bot_acts_only_when_it_is_its_turn() -> None:
    players = seat_players(HUMAN, "random")
    assert (players.waiting_for, players.next_bot()) == ((0,), None)
    with pytest.raises(NotYourTurn):
        players.step()
    play(players, "5")
    assert (players.waiting_for, players.next_bot()) == ((), 1)
    assert players.step() is None
    assert players.match.ply == 2


def test_a_bot_that_alone_is_to_act_acts_after_undo() -> None:
    players = seat_players(HUMAN, "random")
    play(players, "5")
    players.step()
    players.match.undo(1)
    assert players.next_bot() == 1


def test_a_bot_waits_for_people_who_choose_at_the_same_time_only_after_undo() -> None:
    players = seat_players(HUMAN, "random", plugin=load("examples/simultaneous.py"))
    assert players.next_bot() == 1
    players.step()
    players.match.undo(1)
    assert players.next_bot() is None


def test_the_game_must_have_the_bot() -> None:
    with pytest.raises(RegistryError, match=r"^tictactoe .*'hal'"):
        seat_players(HUMAN, "hal")


@pytest.mark.parametrize(("seat", "player"), [(0, "hal"), (2, HUMAN), (-1, "random")])
def test_an_unknown_bot_or_seat_is_refused(seat: int, player: str) -> None:
    players = seat_players()
    with pytest.raises(CommandError):
        players.put(seat, player)
    assert players.players == (HUMAN, HUMAN)


def test_a_change_of_players_is_recorded(tmp_path: Path) -> None:
    players = seat_players()
    with Journal.create(tmp_path / "match.jsonl", players.match) as journal:
        players.match.set_recorder(journal)
        players.put(1, "Random")
    assert players.players == read(tmp_path / "match.jsonl").players == (HUMAN, "random")
    assert players.people == (0,)


def test_a_change_of_players_that_cannot_be_recorded_is_refused() -> None:
    players = seat_players("random", "random")
    players.match.set_recorder(Full())
    with pytest.raises(RecordLost):
        players.put(0, HUMAN)
    with pytest.raises(RecordLost):
        players.step()
    assert players.players == ("random", "random")
    assert players.match.players[0] is not None
    assert (players.match.ply, players.match.bot_offsets()) == (0, Match(GAME).bot_offsets())


@pytest.mark.parametrize(
    ("bot", "successor"),
    [("crash", "nonsense"), ("nonsense", "random"), ("random", HUMAN)],
)
def test_a_failed_bot_is_replaced_by_the_best_bot_then_random_then_a_person(
    bot: str, successor: str
) -> None:
    players = seat_players(bot, HUMAN)
    assert players.plugin.best_bot == "nonsense"
    replaced = players.step(Answer(error="out of ideas"))
    assert isinstance(replaced, Replaced)
    assert (replaced.seat, replaced.player, replaced.successor) == (0, bot, successor)
    assert str(replaced.error) == "out of ideas"
    assert players.players == (successor, HUMAN)
    assert players.match.ply == 0


def test_the_replacement_contains_the_error_of_the_bot() -> None:
    players = seat_players("crash", "random")
    for error in (ZeroDivisionError, NotAnAction):
        replaced = players.step()
        assert isinstance(replaced, Replaced)
        assert isinstance(replaced.error, error)
    assert players.step() is None


@pytest.mark.parametrize(
    ("game", "bots"),
    [
        (TICTACTOE, ("easy", "search:30")),
        pytest.param("examples/masks.py", ("easy", "flat:20"), marks=pytest.mark.slow),
        pytest.param("sorcery", ("duelist", "random"), marks=pytest.mark.slow),
    ],
)
def test_bots_draw_the_same_here_and_elsewhere_and_after_dropped_questions(
    game: str, bots: tuple[str, str]
) -> None:
    plugin = load(game)
    here, elsewhere = seat_players(*bots, plugin=plugin), seat_players(*bots, plugin=plugin)

    def ask() -> Answer:
        match, seat = elsewhere.match, elsewhere.next_bot()
        assert seat is not None
        stream = match.bot_stream(seat)
        return answer(Question.of(plugin, bots[seat], match.state, seat, stream=stream), plugin)

    def step(plies: int) -> None:
        for _ in range(plies):
            if not here.match.over:
                assert here.step() is None
                ask()  # an answer that comes too late is dropped
                assert elsewhere.step(ask()) is None

    step(6)
    for players in (here, elsewhere):
        players.match.undo(3)
    step(8)
    assert elsewhere.match.actions == here.match.actions
    assert elsewhere.match.bot_offsets() == here.match.bot_offsets()


def test_an_action_is_played_for_a_bot_whose_action_has_failed() -> None:
    players = seat_players("runner", plugin=race.FAULTY)
    failed = players.step()
    assert isinstance(failed, ActionFailed)
    assert (failed.seat, len(failed.errors)) == (0, 2)
    assert isinstance(failed.errors[0].__cause__, ZeroDivisionError)
    assert players.match.actions == ("walk",)
    assert players.players == ("runner",)


@pytest.mark.parametrize("instead", [[], ["walk"]])
def test_an_error_of_the_rules_is_raised_if_no_other_action_can_be_applied(
    instead: list[str],
) -> None:
    game = race.FaultyRace(["run", "walk"], instead)
    players = seat_players("runner", plugin=replace(race.FAULTY, game=game))
    with pytest.raises(ContractError):
        players.step()
    assert (players.match.ply, players.players) == (0, ("runner",))


def test_bots_choose_only_from_their_own_actions_here_and_elsewhere() -> None:
    def slow(state: race.Track, actions: Sequence[str]) -> Sequence[str]:
        return [action for action in actions if action == "walk"]

    plugin = Plugin(race.GAME, bot_actions=slow)
    players = seat_players("random", plugin=plugin)
    stream = players.match.bot_stream(0)
    for _ in range(10):
        question = Question.of(plugin, "random", players.match.state, 0, stream=stream)
        assert answer(question, plugin).action == "walk"
        assert players.step() is None
    assert set(players.match.actions) == {"walk"}
    assert players.match.legal_actions(0) == ("walk", "run")


@pytest.mark.slow
def test_players_import_no_event_loop_and_no_processes() -> None:
    script = "import sys; from tabletop.table import Players; print(*sys.modules)"
    ran = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True)
    assert {"asyncio", "subprocess"}.isdisjoint(ran.stdout.split())
