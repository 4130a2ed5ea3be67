"""`tabletop replay`: a recorded match is shown, verified, stepped through, or seen by a seat."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from time import monotonic
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tabletop import Match, Random, Streams
from tabletop.records import Header, Journal, Stepper, read, replay
from tabletop.registry import load
from tabletop.terminal import Console
from tests.program_runs import piped
from tests.tabletop.cli.program import DUEL, TICTACTOE, WIN, changed, here, own, refused, shown
from tests.tabletop.cli.program import shown as shown_by
from tests.tabletop.games import cards, walk
from tests.tabletop.told import tells

CARDS = Path(__file__).parents[1] / "games" / "cards.py"
KEYS = "Enter or n: next step, b: back, a number: go to that step, q: quit\n"
EMPTY, ONE, TWO = ". . .\n. . .\n. . .\n", "x . .\n. . .\n. . .\n", "x . .\no . .\n. . .\n"
FIVE, SIX = "x x x\no o .\n. . .\n", "x x .\no o .\n. . .\n"
TITLE = "Tic-tac-toe, seed: oak\n"
END = f"{FIVE}Player 1 wins (three in a row).\n"
NEWER = ('name = "tic', 'version = "7"\n    name = "tic')


def replayed(*arguments: object) -> str:
    """Return the output of a successful replay."""
    return shown_by("replay", *arguments)


def test_a_replay_shows_the_match_as_it_was_played(won: Path) -> None:
    assert replayed(won) == (
        f"{TITLE}{EMPTY}Player 1: 1\nPlayer 2: 4\nPlayer 1: 2\nPlayer 2: 5\n"
        f"Player 1: 6\n1 action undone\nPlayer 1: 3\n{END}"
    )


def test_a_record_may_be_a_pipe(won: Path) -> None:
    with piped(won.read_bytes()) as path:
        assert replayed(path, "--game", TICTACTOE) == replayed(won)


def test_the_page_of_a_record_in_a_pipe_needs_a_name(won: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    with piped(won.read_bytes()) as path:
        assert "-o FILE.html" in refused("replay-page", path, "--game", TICTACTOE)
    with piped(won.read_bytes()) as path:
        shown_by("replay-page", path, "--game", TICTACTOE, "-o", page)
    assert page.exists()


def test_a_record_that_is_resumed_must_be_a_file(won: Path) -> None:
    with piped(won.read_bytes()) as path:
        assert tells(refused("resume", path, status=1), "save ... file")


def test_a_record_that_an_editor_has_saved_is_replayed(won: Path) -> None:
    shown = replayed(won)
    whole = won.read_bytes()
    for data in (b"\xef\xbb\xbf" + whole, whole + b"\n", whole.replace(b"\n", b"\r\n") + b"\r\n"):
        won.write_bytes(data)
        assert replayed(won, "--game", TICTACTOE) == shown


def test_a_record_that_an_editor_has_saved_is_resumed(state: Path) -> None:
    path = own(state, "match.jsonl")
    here("play", TICTACTOE, "--record", path, typed="1\n4\n")
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes() + b"\n\n")
    here("resume", path, typed="2\n5\n3\n")
    assert read(path).ended


def test_a_replay_starts_and_stops_at_the_given_steps(won: Path) -> None:
    assert replayed(won, "--until", 2).endswith(f"Player 2: 4\n{TWO}(2 actions)\n")
    assert replayed(won, "--until", 0) == f"{TITLE}{EMPTY}(0 actions)\n"
    assert replayed(won, "--until", 99) == replayed(won)
    assert replayed(won, "--from", 6) == f"{TITLE}{SIX}Player 1: 3\n{END}"
    assert replayed(won, "--from", 7) == replayed(won, "--from", 99) == f"{TITLE}{END}"
    assert replayed(won, "--from", 1, "--until", 2) == (
        f"{TITLE}{ONE}Player 2: 4\n{TWO}(2 actions)\n"
    )


def test_a_complete_or_unfinished_record_is_verified(won: Path) -> None:
    assert replayed(won, "--verify") == f"{won}: 5 actions replay exactly\n"
    assert replayed(won, "--verify", "--until", 1) == f"{won}: 1 action replays exactly\n"
    whole = won.read_bytes()
    won.write_bytes(whole[: whole.index(b'{"undo"')] + b'{"und')
    assert replayed(won, "--verify") == (
        f"{won}: the last line is incomplete and was left out\n"
        f"{won}: 5 actions replay exactly, but the match has not ended\n"
    )


# Other rules, and what cannot be replayed.


@pytest.mark.parametrize("how", [[], ["--verify"]])
def test_a_record_that_replays_differently_is_a_failure_with_its_line(
    how: list[str], won: Path, tmp_path: Path
) -> None:
    other = ("state.free -= 1", "state.free -= 1 + (cell == 3)")
    done = here("replay", won, "--game", changed(tmp_path / "other.py", other), *how)
    assert done.returncode == 1
    assert done.stderr.startswith(f"tabletop: {won}: line 3: action 2, '4', ")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("how", [[], ["--verify"]])
def test_other_rules_need_the_option_anyway(how: list[str], won: Path, tmp_path: Path) -> None:
    words = ("replay", won, "--game", changed(tmp_path / "later.py", NEWER), *how)
    versions = "version 1 ... tictactoe ... version 7"
    message = here(*words).stderr
    assert tells(message, f"tabletop: {won}: line 1: ... {versions}")
    assert tells(message, "version 7 ... --anyway")
    shown = shown_by(*words, "--anyway", typed="\n" * 9)
    assert tells(shown.splitlines()[0], f"{won}: ... {versions}")
    assert shown.count("Player 1 wins") == (how != ["--verify"])


@pytest.mark.parametrize("how", [["--step"], ["--speed", "1000"], ["--from", "2"]])
def test_other_rules_replay_up_to_the_first_difference(
    how: list[str], won: Path, tmp_path: Path
) -> None:
    other = ("state.free -= 1", "state.free -= 1 + (cell == 4)")
    rules = changed(tmp_path / "later.py", NEWER, other)
    done = here("replay", won, "--game", rules, "--anyway", *how, typed="\n" * 9)
    assert done.returncode == 1
    assert done.stdout.endswith("Player 2: 5\nx x .\no o .\n. . .\n")
    assert done.stderr.startswith(f"tabletop: {won}: line 5: action 4, '5', ")
    assert done.stderr.count("\n") == 1


def test_a_damaged_record_is_a_failure_with_its_line(won: Path) -> None:
    lines = won.read_text().splitlines(keepends=True)
    lines[2] = lines[2].replace("do", "be")
    won.write_text("".join(lines))
    for how in ([], ["--verify"]):
        said = refused("replay", won, *how, status=1)
        assert said.startswith(f"tabletop: {won}: line 3 ")


def test_a_record_of_a_moved_game_is_replayed_with_the_named_game(
    state: Path, tmp_path: Path
) -> None:
    game, record = changed(tmp_path / "game.py"), own(state, "record.jsonl")
    here("play", game, "--record", record, typed=WIN)
    moved = game.rename(tmp_path / "moved.py")
    message = refused("replay", record)
    assert tells(message, f"tabletop: {record}: ... 'tictactoe' ... not installed ... ({game}: ")
    assert tells(message, f"tabletop replay {record} --game PATH")
    assert replayed(record, "--game", moved).endswith("Player 1 wins (three in a row).\n")


def test_a_game_without_its_file_is_found_by_its_name(state: Path, tmp_path: Path) -> None:
    game, record = tmp_path / "game.py", own(state, "record.jsonl")
    game.write_text("from lcr import PLUGIN")
    here("play", game, "--record", record, "--bot", "all")
    game.unlink()
    assert shown("replay", record, "--verify").endswith("replay exactly\n")


NO_RECORDS = {
    "nothing": (b"", "line 1: not a record: the file is empty"),
    "a letter": (b"Dear Ann,\nhow are you?\n", "line 1: not a record of a match"),
    "a directory": (None, "Is a directory"),
}


@pytest.mark.parametrize("case", NO_RECORDS)
def test_a_file_that_is_not_a_record_is_a_failure(case: str, tmp_path: Path) -> None:
    data, complaint = NO_RECORDS[case]
    path = tmp_path / "file"
    path.mkdir() if data is None else path.write_bytes(data)
    said = refused("resume", path, status=1)
    assert said.startswith(f"tabletop: {path}: ")
    assert complaint in said


# From a given position.


def test_a_match_from_a_given_position_is_replayed_and_verified(
    tmp_path: Path,
) -> None:
    path, forged = tmp_path / "puzzle.jsonl", tmp_path / "forged.jsonl"
    game: Any = load(TICTACTOE).game
    state = replace(game.setup({}, 2, Streams(1)), cells=list("xx.oo...."), free=5)
    match = Match(game, seed="two in a row", state=state)
    Journal.create(path, match, Header.of(match, source=TICTACTOE)).close()
    text, named = path.read_text(), ("--game", TICTACTOE)
    title = "Tic-tac-toe, seed: two in a row, from a given position\n"
    assert replayed(path, *named) == f"{title}{SIX}(0 actions)\n"
    said = here("resume", path, *named, typed="9\nundo\nundo\n3\n").stdout
    assert said.startswith(title)
    assert "seed     two in a row (imported, from a given position)\n" in said
    verified = f"{path}: 1 action from a given position replays exactly\n"
    assert replayed(path, *named, "--verify") == verified
    forged.write_text(text[: text.index(',"check"')].replace('"x","x",', "") + "}\n")
    said = refused("replay", forged, *named, status=1)
    assert tells(said, f"tabletop: {forged}: line 1: ... tictactoe: ")


# Step by step.


def stepped(path: Path, *keys: str) -> str:
    """Return the output of a stepped replay after its first lines. Each key is an input line."""
    shown = shown_by("replay", path, "--step", typed="".join(f"{key}\n" for key in keys))
    first = f"{TITLE}{EMPTY}{KEYS}"
    assert shown.startswith(first)
    return shown.removeprefix(first)


def at(step: int) -> str:
    """Return the prompt at a step of the won match."""
    return f"-- {step} of 7, Enter {'for the next' if step < 7 else 'to quit'} \n"


TAKEN = "x x .\no o x\n. . .\n"
AGAIN = f"1 action undone\n{SIX}{at(6)}"
HALF = f"Player 1: 1\n{ONE}{at(1)}Player 2: 4\n{TWO}{at(2)}"
NO_STEP = "There is no step {}. Steps are numbered from 0 to 7.\n"


@pytest.mark.parametrize(
    ("keys", "shown"),
    [
        *(((key, "q"), f"Player 1: 1\n{ONE}{at(1)}") for key in ("", "n", " N ")),
        *(((key, "q"), f"{KEYS}{at(0)}") for key in ("x", "-1", "?", "b b", "٣x")),
        *((keys, "") for keys in (("q",), ("quit",), ("exit",), ())),
        (("7", "", "n"), f"{END}{at(7)}"),
        (
            ("n", "n", "b", "b", "b", "q"),
            f"{HALF}{ONE}{at(1)}{EMPTY}{at(0)}This is the beginning.\n{at(0)}",
        ),
        (("5", "n", "b", "n", "b", "q"), f"{TAKEN}{at(5)}{f'{AGAIN}{TAKEN}{at(5)}' * 2}"),
        (
            ("7", "1", "0", "7", "b", "q"),
            f"{END}{at(7)}{ONE}{at(1)}{EMPTY}{at(0)}{END}{at(7)}{SIX}{at(6)}",
        ),
        (("8", "9" * 14, "q"), "".join(NO_STEP.format(it) + at(0) for it in ("8", "9" * 14))),
    ],
)
def test_keys_step_through_a_match(keys: tuple[str, ...], shown: str, won: Path) -> None:
    assert stepped(won, *keys) == f"{at(0)}{shown}"


def test_the_program_steps_through_a_whole_match_and_quits(won: Path) -> None:
    assert stepped(won, *[""] * 8).endswith(f"{at(5)}{AGAIN}Player 1: 3\n{END}{at(7)}")


def test_a_stepped_replay_may_be_interrupted(won: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(console: Console, prompt: str) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr(Console, "read", interrupt)
    assert stepped(won) == "\n"


def test_a_replay_with_a_speed_shows_every_position(won: Path) -> None:
    began = monotonic()
    shown = replayed(won, "--speed", 50, "--until", 2)
    assert monotonic() - began > 2 / 50
    assert shown == f"{TITLE}{EMPTY}Player 1: 1\n{ONE}Player 2: 4\n{TWO}(2 actions)\n"


# Who sees what.


@pytest.mark.parametrize("seat", [None, "1", "2", "all"])
@pytest.mark.parametrize("how", [[], ["--step"]])
def test_a_replay_shows_what_one_seat_sees_or_everything(
    seat: str | None, how: list[str], tmp_path: Path
) -> None:
    path = tmp_path / "cards.jsonl"
    match = Match(cards.GAME, seed="oak", seats=["Ann", "Bo"], players=[Random(1), Random(2)])
    with Journal.create(path, match, Header.of(match, source=str(CARDS))):
        match.run(5)
    views = [] if seat is None else ["--seat", seat]
    shown = here("replay", path, "--game", CARDS, *how, *views, typed="\n" * 9).stdout
    for plies in (0, 5):
        now = replay(read(path), cards.GAME, until=plies)
        seen = now.state if seat == "all" else now.view(int(seat) - 1 if seat else None)
        assert str(seen) in shown
    seen_hands = {None: [False, False], "1": [True, False], "2": [False, True]}
    hands = [str(hand) in shown for hand in match.state.hands]
    assert hands == seen_hands.get(seat, [True, True])


def test_a_secret_choice_is_shown_only_to_its_seat(tmp_path: Path) -> None:
    path = tmp_path / "duel.jsonl"
    typed = "pick rock\npick paper\npick scissors\nquit\n"
    here("play", DUEL, "--seed", "oak", "--record", path, typed=typed)
    first, second, third = "Player 1: pick rock\n", "Player 2: pick paper\n", "pick scissors\n"
    told = {
        (): [False, True, False],
        ("--seat", "1"): [True, True, True],
        ("--seat", "2"): [False, True, False],
        ("--seat", "ALL"): [True, True, True],
    }
    for views, expected in told.items():
        shown = here("replay", path, "--game", DUEL, *views).stdout
        assert [line in shown for line in (first, second, third)] == expected
        assert shown.count("Player 1 has chosen.\n") == 2 * (not expected[0])
        assert ("hidden" in shown) == (expected != [True, True, True] or views[1] == "2")


@pytest.mark.parametrize("seat", ["0", "3", "x", "٢"])
def test_an_unknown_seat_is_a_usage_error(won: Path, seat: str) -> None:
    message = refused("replay", won, f"--seat={seat}")
    assert tells(message, f"tabletop: --seat {seat}: ... 1 to 2 ... all\n")


@settings(max_examples=20, deadline=None)
@given(
    moves=st.lists(st.integers(-9, 9), min_size=1, max_size=8),
    ways=st.lists(st.integers(0, 60), max_size=8),
)
def test_every_step_looks_the_same_forward_and_back(
    moves: list[int], ways: list[int], tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("steps") / "walk.jsonl"
    match = Match(walk.GAME, seed=5, players=[Random(1), Random(2)])
    with Journal.create(path, match):
        digests = [match.digest()]
        for count in moves:
            for _ in range(count):
                match.run(1)
                digests.append(match.digest())
            if count < 0 < match.ply:
                match.undo(min(-count, match.ply))
                digests.append(match.digest())
    stepper = Stepper(read(path), walk.GAME)
    assert stepper.steps == len(digests) - 1
    for way in [*ways, stepper.steps, 0]:
        step = min(way, stepper.steps)
        stepper.go(step)
        assert (stepper.at, stepper.match.digest()) == (step, digests[step])
