"""check_game accepts correct games, and names the law that a broken game breaks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest

from tabletop import Game, Options, Outcome, Seat, State, Streams, Table, state
from tabletop.registry import load
from tabletop.testing import LAWS, LawBroken, check_game
from tests.tabletop.games.missions import MissionGame, Missions
from tests.tabletop.testing.broken import (
    BETS,
    BROKEN,
    TURNS,
    Bet,
    Endless,
    FailsLate,
    FreeForm,
    KeepsABonus,
    LoadedDice,
    NamesAll,
    OnlyForTwo,
    OpenChance,
    Sound,
    Starts,
    Table12,
    TellsTheSum,
    holding,
)
from tests.tabletop.testing.leaky import LEAKY
from tests.tabletop.testing.mistakes import MISTAKES
from tests.tabletop.told import tells


@pytest.mark.slow
@pytest.mark.parametrize("game", [Sound(), OpenChance(), FreeForm(), NamesAll()])
def test_a_sound_game_passes(game: Sound) -> None:
    report = check_game(game, matches=2)
    assert (report.matches, report.plies) == (2, 2 * TURNS)
    assert report.latest == TURNS - 1
    latest = f"the latest position tested after {report.latest}"
    counts = f"2 matches, {2 * TURNS} actions, {latest}, {report.refused} refusals"
    assert str(report).startswith(counts)
    assert report.refused + report.free_form > 0


@pytest.mark.slow
@pytest.mark.parametrize(("law", "make"), BROKEN)
def test_a_broken_game_fails_for_its_own_law(law: str, make: Callable[[], Sound]) -> None:
    with pytest.raises(LawBroken) as caught:
        check_game(make(), matches=6, plies=50)
    assert caught.value.law == law


def test_every_law_has_a_game_that_breaks_it() -> None:
    mistakes = {law for _, law, _, _ in MISTAKES.values()}
    broken = {law for law, _ in BROKEN} | {law for law, _ in LEAKY.values()}
    elsewhere = {"bots", "picture", "words", "observation"}  # test_bots and so on
    assert broken | mistakes | elsewhere == set(LAWS)


def test_a_failure_names_game_seed_ply_and_law() -> None:
    with pytest.raises(LawBroken) as caught:
        check_game(FailsLate(), seed="monday")
    broken = caught.value
    assert (broken.game, broken.seed, broken.ply, broken.law) == ("bets", "monday 0", 4, "accepted")
    for part in ("bets", "'monday 0'", "ply 4", "'accepted'", LAWS["accepted"], "KeyError('five')"):
        assert part in str(broken)


def test_a_leaking_view_is_reported_with_the_value() -> None:
    told = r"seat 0 reveals a value that redeal changes: \w+\.extra: \d+ becomes \d+. Hide"
    with pytest.raises(LawBroken, match=told):
        check_game(TellsTheSum())


@pytest.mark.slow
def test_equal_late_draws_are_found_although_early_ones_differ() -> None:
    with pytest.raises(LawBroken, match=r"\b8 seeds\b.* same draws\b") as caught:
        check_game(LoadedDice())
    assert caught.value.ply == TURNS // 2


def test_unseeded_matches_can_be_checked_without_the_law_of_randomness() -> None:
    assert check_game(LoadedDice(), matches=2, seeded=False).matches == 2


def test_options_reach_the_matches() -> None:
    game = load("lcr").game
    report = check_game(game, matches=2, seats=3, options={"course-seed": 1}, seeded=False)
    again = check_game(
        game, matches=2, seats=3, options={"course-seed": 1}, seeded=False, seed="another"
    )
    assert report.plies == again.plies, "the course's generator has a seed of its own"


def test_the_numbers_of_seats_can_be_chosen() -> None:
    assert check_game(OnlyForTwo(), seats=2, seeded=False, matches=1).matches == 1
    with pytest.raises(LawBroken, match="setup"):
        check_game(OnlyForTwo(), seats=[2, 3], matches=2)


def test_the_same_seed_plays_the_same_matches_and_another_seed_others() -> None:
    reports = [
        check_game(load("lcr").game, matches=1, seed=seed, seeded=False)
        for seed in ("check", "check", "other")
    ]
    assert reports[0] == reports[1]
    assert reports[0].plies != reports[2].plies


def test_a_match_may_use_the_maximum_number_of_plies() -> None:
    assert check_game(Sound(), matches=1, plies=TURNS).plies == TURNS
    with pytest.raises(LawBroken, match=f"after {TURNS - 1} actions"):
        check_game(Sound(), matches=1, plies=TURNS - 1)


def test_an_endless_match_fails_after_the_maximum_number_of_plies() -> None:
    with pytest.raises(LawBroken) as caught:
        check_game(Endless(), plies=7)
    assert (caught.value.law, caught.value.ply) == ("end", 7)


class ChangesACopy(Sound):
    """Changes a clone instead of the state."""

    def apply(self, state: Table12, action: Bet, table: Table) -> None:
        super().apply(state.clone(), action, Table(table.rng.clone()))


def test_an_endless_match_without_changes_is_reported_as_such() -> None:
    with pytest.raises(LawBroken, match=r"\bbet 0\b.* changed .*\bapply\b"):
        check_game(ChangesACopy(), plies=7)


@dataclass
class Shapes(Table12):
    """Contains values that JSON cannot express."""

    by_seat: dict[int, set[tuple[int, str | None]]] = field(default_factory=dict)

    def clone(self) -> Shapes:
        twin = Shapes(self.secrets.copy(), self.won.copy(), self.turn)
        twin.by_seat = {seat: seen.copy() for seat, seen in self.by_seat.items()}
        return twin


@dataclass
class Hidden(Shapes):
    """Contains values that are not plain data."""

    bounds: range = range(3)


class Sees(Starts):
    """The values that each seat has seen, by seat."""

    def setup(self, options: Options, seats: int, rng: Streams) -> Table12:
        return self.kind([2] * seats, [0] * seats)

    def apply(self, state: Table12, action: Bet, table: Table) -> None:
        if isinstance(state, Shapes):
            seen = state.by_seat.setdefault(state.turn % 2, set())
            seen.add((action.points, None if state.turn % 3 else "x"))
        super().apply(state, action, table)


@pytest.mark.slow
def test_states_of_any_plain_data_pass() -> None:
    assert check_game(Sees(Shapes), matches=1, seeded=False).matches == 1


@pytest.mark.parametrize(
    ("game", "what"),
    [
        (Sees(Hidden), "Hidden.bounds: range ... tuple"),
        (holding((1, 2)), "Table12.extra: (1, 2) (tuple) becomes [1, 2] (list)"),
        (holding(len), "Table12.extra: <built-in function len> ... name"),
        (Starts(KeepsABonus, bonus=1), "KeepsABonus.bonus: lost"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_a_field_that_json_does_not_preserve_is_named(game: Sound, what: str) -> None:
    with pytest.raises(LawBroken) as caught:
        check_game(game, matches=2)
    assert caught.value.law == "json"
    assert tells(str(caught.value), what)


@state
class Stairs(State):
    """The height of a climber, who falls after a careless step."""

    height: int = 0


class Climb(Game[Stairs, str]):
    """Climb 30 stairs. The contract is broken at a height that random play does not reach."""

    name = "climb"
    seats = range(1, 2)

    def setup(self, options: Options, seats: int, rng: Streams) -> Stairs:
        return Stairs()

    def to_act(self, state: Stairs) -> tuple[int, ...]:
        return (0,) if -9 < state.height < 30 else ()

    def legal_actions(self, state: Stairs, seat: int) -> list[str]:
        return ["up", "down", "down twice"]

    def apply(self, state: Stairs, action: str, table: Table) -> None:
        state.height += {"up": 1, "down": -1, "down twice": -2}[action]
        if state.height > 20:
            raise RuntimeError("it is cold up here")

    def outcome(self, state: Stairs) -> Outcome | None:
        return None if self.to_act(state) else Outcome.by_score([state.height])


class Climber:
    """Climbs."""

    def choose(self, view: Stairs, actions: Sequence[str]) -> str:
        return "up"


def test_the_longest_stopped_match_is_named() -> None:
    report = check_game(Endless(), matches=2, plies=30, stop=True, seeded=False)
    assert (report.stopped, report.went_on) == (2, ("check 0", 30))
    assert "\nthe match 'check 0' had not ended after 30 actions. If it can last" in str(report)
    report.note_length("check 7", 31, over=True)
    assert (report.stopped, report.went_on) == (2, None)


class TellsWhy(Sound):
    """Refuses actions with a reason that contains a secret."""

    def why_not(self, state: Table12, action: Bet) -> str:
        return f"the other has {state.secrets[(state.turn + 1) % len(state.won)]}"


def test_a_reason_that_reveals_a_secret_is_named_with_the_action() -> None:
    said = r"if seat \d tries Bet\(points=\d\), the reason of why_not is 'the other has \d', but"
    with pytest.raises(LawBroken, match=said):
        check_game(TellsWhy(), matches=1)


@dataclass(frozen=True)
class Own:
    """An action that names its seat."""

    seat: Seat


class TellsOthers(TellsWhy):
    """Refuses actions of the other seat with a reason that contains a secret."""

    def all_actions(self, options: Options, seats: int) -> Sequence[Any]:
        return [*BETS, *map(Own, range(seats))]

    def why_not(self, state: Table12, action: Any) -> str:
        is_other = isinstance(action, Own) and action.seat != state.turn % len(state.won)
        return super().why_not(state, action) if is_other else "no"


def test_a_reason_for_an_action_of_another_seat_names_the_seat() -> None:
    said = r"if seat (\d) tries Own\(seat=(?!\1)\d\), an action of seat (?!\1)\d, the reason"
    with pytest.raises(LawBroken, match=said):
        check_game(TellsOthers(), matches=1)


@state
class Bag(State):
    coins: dict[str, int]


class TakesTheFirstOfADict(Game[Bag, str]):
    """Depends on an order that JSON does not preserve."""

    name = "bag"

    def setup(self, options: Options, seats: int, rng: Streams) -> Bag:
        return Bag({"silver": 1, "gold": 2, "brass": 3})

    def to_act(self, state: Bag) -> Sequence[int]:
        return (len(state.coins) % 2,) if state.coins else ()

    def legal_actions(self, state: Bag, seat: int) -> Sequence[str]:
        return ("take", "throw")

    def apply(self, state: Bag, action: str, table: Table) -> None:
        del state.coins[next(iter(state.coins))]

    def outcome(self, state: Bag) -> Outcome | None:
        return None if state.coins else Outcome.draw(2)


def test_an_order_that_json_does_not_preserve_is_named() -> None:
    with pytest.raises(LawBroken, match=r"'json'.*\border\b.*\bdict\b"):
        check_game(TakesTheFirstOfADict(), matches=1)


def test_a_fault_that_only_a_bot_reaches_is_found() -> None:
    report = check_game(Climb(), matches=6)
    assert report.latest < 60
    assert tells(str(report), f"latest ... {report.latest}")
    with pytest.raises(LawBroken, match="cold up here"):
        check_game(Climb(), matches=6, bots={"climber": lambda chance: Climber()})


class Undeclared(MissionGame):
    factions = ("spies",)


class Unnamed(MissionGame):
    def outcome(self, state: Missions) -> Outcome | None:
        return Outcome.draw(len(state.roles)) if super().outcome(state) else None


@pytest.mark.parametrize(
    ("game", "remedy"),
    [(Undeclared(), "Game.factions"), (Unnamed(), "Outcome.teams")],
    ids=["a faction that is not declared", "a draw without factions"],
)
def test_factions_that_contradict_the_declaration_are_a_fault(
    game: MissionGame, remedy: str
) -> None:
    with pytest.raises(LawBroken, match=remedy):
        check_game(game, matches=1)
