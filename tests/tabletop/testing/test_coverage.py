"""A check tests new situations first, and reports which ones it has not covered."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from typing_extensions import override

from tabletop import Event, Game, Options, Outcome, Seat, State, Streams, Table, event, state
from tabletop.cli import main
from tabletop.display import Picture, Scene, rect
from tabletop.testing import LawBroken, check_game, check_picture
from tabletop.testing.coverage import kind_of
from tests.program_runs import run_here
from tests.tabletop.testing.broken import FailsLate

pytestmark = pytest.mark.slow

GOAL = 90


@state
class Walk(State):
    at: int = 0
    became: str = ""


@event
class Rested(Event):
    """Is never emitted."""


class Track(Game[Walk, str]):
    """Walk to the end of a long track, and get promoted there."""

    name = "track"
    seats = range(1, 2)

    def setup(self, options: Options, seats: int, rng: Streams) -> Walk:
        return Walk()

    def to_act(self, state: Walk) -> Sequence[Seat]:
        return () if state.became else (0,)

    def legal_actions(self, state: Walk, seat: Seat) -> Sequence[str]:
        return ["queen", "rook"] if state.at >= GOAL else ["step 1"]

    def all_actions(self, options: Options, seats: int) -> Sequence[str]:
        return ["step 1", "queen", "rook", "rest"]

    def apply(self, state: Walk, action: str, table: Table) -> None:
        if action == "step 1":
            state.at += 1
        else:
            state.became = action

    def outcome(self, state: Walk) -> Outcome | None:
        return Outcome.draw(1) if state.became else None


class LacksPromotion(Picture[Any]):
    """Has parts for every action but `queen` and `rook`."""

    @override
    def draw(self, view: Any, scene: Scene) -> str:
        part = scene.part("step 1", rect(0, 0, 9, 9, "tt-ring"), label="Step")
        return self.whole(scene, (9, 9), part, label="A track")

    @override
    def path(self, action: Any, view: Any, seat: Seat) -> tuple[str, ...]:
        return (action,)


def test_a_missing_part_late_in_a_match_is_found() -> None:
    with pytest.raises(LawBroken, match="no part 'queen'"):
        check_picture(Track(), LacksPromotion(), matches=1, plies=2000, seconds=60)


class SlowToTest(Track):
    """Takes a second for each view, which only tests call."""

    def __init__(self) -> None:
        self.seconds = 0.0

    @override
    def view(self, state: Walk, seat: Seat | None) -> Walk:
        self.seconds += 1
        return state


def test_slow_tests_leave_time_for_every_match(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = SlowToTest()
    monkeypatch.setattr("tabletop.testing.laws.monotonic", lambda: game.seconds)
    report = check_game(game, matches=9, seconds=200, seeded=False)
    assert (report.matches, report.stopped) == (9, 0)
    assert 0 < report.tested < report.plies


class FailsTwice(FailsLate):
    """Fails late in a match, and shares its state with clones."""

    def outcome(self, state: Any) -> Any:
        outcome = super().outcome(state)
        return 5 if outcome else outcome


def test_with_a_list_for_faults_one_of_each_kind_is_reported() -> None:
    faults: list[LawBroken] = []
    check_game(FailsTwice(), matches=6, seeded=False, faults=faults)
    check_picture(Track(), LacksPromotion(), matches=1, plies=2000, faults=faults)
    laws = [fault.law for fault in faults]
    assert laws.count("picture") == 1  # although it is in the pictures of all viewers and widths
    assert "accepted" in laws


@pytest.fixture(scope="module")
def track_file(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return the file of a game with an action, an event and an option that no match covers."""
    path = tmp_path_factory.mktemp("games") / "track.py"
    source = Path(__file__).read_text("utf-8")
    body = source[source.index("GOAL =") : source.index("class LacksPromotion")]
    body = body.replace(
        "seats = range(1, 2)",
        'seats = range(1, 2)\n    options = (Option("fog", False, help="Hide."),)',
    )
    path.write_text(
        "from collections.abc import Sequence\n"
        "from tabletop import *\nfrom tabletop import Option\n" + body,
        "utf-8",
    )
    return str(path)


def test_a_check_lists_the_situations_without_coverage(track_file: str) -> None:
    done = run_here(main, ["check", track_file, "--matches", "2", "--only", "rules"])
    assert done.status == 0
    assert "track: actions never played: 1 of 4 (rest)\n" in done.stdout
    assert "track: events never emitted: 1 of 1 (Rested)\n" in done.stdout
    assert "track: options never set: 1 of 1 (fog)\n" in done.stdout
    assert "track: options never read by setup: 1 of 1 (fog)\n" in done.stdout


def test_only_the_selected_part_is_checked(track_file: str) -> None:
    text = Path(track_file).read_text("utf-8").replace('"rest"]', '"queen"]')
    broken = Path(track_file).with_name("broken.py")
    broken.write_text(text, "utf-8")
    for part, status in (("rules", 1), ("pictures", 0)):
        done = run_here(main, ["check", str(broken), "--matches", "1", "--only", part])
        assert done.status == status, part
    assert re.fullmatch(r"track: no faults in \d+ pictures", done.stdout.splitlines()[0])
    done = run_here(main, ["check", track_file, "--matches", "1", "--only", "bots"])
    assert re.match(r"track: no faults in \d+ bots?\n", done.stdout)


@pytest.mark.parametrize(
    ("action", "kind"),
    [("buy 3", "buy #"), ("e7e8q", "##q"), ("axb8", "axb#"), ("rook10", "rook#")],
)
def test_actions_that_differ_only_in_numbers_or_squares_are_of_one_kind(
    action: str, kind: str
) -> None:
    assert kind_of(action, Track()) == kind


def test_a_check_reports_faults_of_the_rules_and_of_the_picture(track_file: str) -> None:
    text = Path(track_file).read_text("utf-8").replace('"rest"]', '"queen"]')
    text = text.replace("class Track", "from tabletop.display import Picture\n\n\nclass Track")
    text += (
        "class Bare(Picture):\n"
        "    def draw(self, view, scene):\n"
        '        return "<svg"\n\n\n'
        "PLUGIN = Plugin(Track(), picture=Bare)\n"
    )
    broken = Path(track_file).with_name("twice.py")
    broken.write_text(text.replace("import Option\n", "import Option, Plugin\n"), "utf-8")
    done = run_here(main, ["check", str(broken), "--matches", "1"])
    assert done.status == 1
    laws = re.findall(r"breaks the law '([\w ]+)'", done.stderr)
    assert {"all actions", "picture"} <= set(laws)
