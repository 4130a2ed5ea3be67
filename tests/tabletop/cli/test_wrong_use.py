"""A command reports a usage error in one line, and exits with 2."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from tests.tabletop.cli.program import DUEL, TICTACTOE, refused
from tests.tabletop.told import tells

LONG = "a" * 300 + ".jsonl"
"""A name that no file system accepts."""

WRONG: list[tuple[str, str]] = [
    ("dance", "invalid choice: 'dance'"),
    ("ply lcr", "invalid choice: 'ply'; did you mean 'play'? (choose from 'games', "),
    ("games lcr", "unrecognized arguments: lcr"),
    ("completion nushell", "argument SHELL: invalid choice: 'nushell'"),
    ("completion bash chess", "argument PROGRAM: invalid choice: 'chess'"),
    ("completion bsh", "argument SHELL: invalid choice: 'bsh'; did you mean 'bash'?"),
    # Which game.
    ("play lrc", "'lrc' ... 'lcr'"),
    ("play qqq", "'qqq' ... lcr"),
    ("play nowhere.py", "tabletop: nowhere.py: "),
    ("play no_module:GAME", "no_module:GAME: ... 'no_module'"),
    ("play lcr:NO", "lcr:NO: lcr ... 'NO'"),
    # What a match is made of.
    ("play lcr --seats 2", "lcr needs 3-11 players, not 2"),
    (f"play lcr --seats {'9' * 30}", "lcr needs 3-11 players, not 99"),
    ("play lcr --seats -3", "players, not -3"),
    ("play lcr --seats few", "argument --seats: invalid int value"),
    ("play DUEL --seats 3", "duel needs 2, 4 players, not 3"),
    ("play DUEL --seats 2 --name a --name b --name c", "3 names for 2 seats"),
    ("play TICTACTOE --bot 3", "--bot '3': ... 1, 2, ... all"),
    ("play TICTACTOE --bot =random", "--bot '=random': ... 1, 2, ... all"),
    ("play DUEL --bot 1=hal", "duel ... 'hal' ... stony, easy, fair, hard, random"),
    ("play DUEL --bot 1=stoney", "'stoney'; did you mean 'stony'? its bots: "),
    ("play DUEL --option fair", "--option fair: write NAME=VALUE"),
    ("play DUEL --option x=1", "duel ... 'x' ... rounds"),
    ("play DUEL --option ruonds=3", "duel has no option 'ruonds'; did you mean 'rounds'?"),
    ("play DUEL --option rounds=ten", "rounds: 'ten' ... 1 to 9"),
    ("play DUEL --option rounds=10", "rounds: 10 ... 1 to 9"),
    ("play DUEL --option luck=1.5", "luck: 1.5 ... 0 to 1"),
    ("play DUEL --option judge=ace", "'ace' ... nobody, king"),
    ("play sorcery --option deck1=@@ir", "line 1: '@ir' is not a card"),
    ("play sorcery --option patience=@five", "patience: '@five' ... at least 0"),
    ("play TICTACTOE --seed x --weekly", "not allowed with argument"),
    ("play lcr --record x --no-record", "not allowed with argument"),
    ("play lcr --no-rec", "unrecognized arguments: --no-rec; did you mean '--no-record'?"),
    ("play lcr --sed x", "unrecognized arguments: --sed x; did you mean '--seed'?"),
    ("resume", "there is no interrupted match in"),
    ("resume nowhere.jsonl", "nowhere.jsonl: there is no such file"),
    ("play TICTACTOE --bot 1=random --llm-tokens 9", "--llm-tokens ... llm:MODEL"),
    ("serve TICTACTOE --llm-url http://x/v1", "--llm-url ... llm:MODEL"),
    ("serve --llm-tokens 9", "--llm-tokens ... GAME"),
    ("join http://127.0.0.1:1/t/a#b --llm-tokens 9", "--llm-tokens ... llm:MODEL"),
    ("tournament TICTACTOE -n 2 --bots random,easy --llm-tokens 9", "--llm-tokens ... llm:MODEL"),
    # What is shown of a record.
    ("replay", "the following arguments are required: FILE"),
    ("replay nowhere.jsonl", "nowhere.jsonl: there is no such file"),
    ("replay nowhere.jsonl --until -1", "argument --until: '-1': give 0 or more"),
    ("replay nowhere.jsonl --speed 0", "argument --speed: '0': give 0.01 to 1000"),
    ("replay nowhere.jsonl --speed nan", "argument --speed: 'nan': give 0.01 to 1000"),
    ("replay nowhere.jsonl --speed 1 --step", "--step: not allowed with argument --speed"),
    ("replay nowhere.jsonl --from 3 --until 2", "--from must be at most 2"),
    ("replay nowhere.jsonl --verify --from 0", "--verify cannot be combined with --from"),
    ("replay nowhere.jsonl --verify --seat 1", "--verify cannot be combined with --seat"),
    ("replay nowhere.jsonl --page x.html --from 1", "--page cannot be combined with --from"),
    ("replay nowhere.jsonl --page x.html --step", "--step: not allowed with argument --page"),
    ("diverge nowhere.jsonl nothing.jsonl", "nowhere.jsonl: there is no such file"),
    (f"diverge {LONG} {LONG}", f"{LONG}: there is no such file"),
    (f"replay {LONG}", f"{LONG}: there is no such file"),
    (
        "diverge a b --game lcr --game lcr --game lcr",
        "--game: name one game for both",
    ),
    # Checks, seeds, catalogues.
    ("check lrc", "'lrc' ... 'lcr'"),
    ("check lcr --matches 0", "argument --matches: '0': give 1 or more"),
    ("check lcr --seconds nan", "argument --seconds: 'nan': give 0.001 to 1000000"),
    ("check lcr --seats 3 --seats 99", "lcr needs 3-11 players, not 99"),
    ("check lcr --option x=1", "lcr ... 'x' ... course-seed"),
    ("seed -n 1000000", "argument -n: '1000000': give 1 to 100000"),
    ("seed lrc", "'lrc' ... 'lcr'"),
    ("catalog lcr --seats 2", "lcr needs 3-11 players, not 2"),
    ("catalog lcr --option course-seed", "write NAME=VALUE"),
    ("catalog lcr --option dice=3", "lcr ... 'dice' ... course-seed"),
    ("catalog lcr --seeds 9..1", "9..1: ... 1..9"),
    ("catalog lcr --seeds 1..9999999 --json", "1,000,000 seeds, not 9,999,999"),
    ("catalog lcr --where winner", "'winner' ... COLUMN"),
    ("catalog lcr --where winer=1 --csv", "'winer' ... 'winner' ... columns: "),
    ("catalog lcr --where winner=2 --where winner=Ada", "winner ... 'Ada'"),
    ("catalog lcr --csv --json", "not allowed with"),
    # Scores.
    ("scores --json --csv", "not allowed with argument"),
    ("scores lrc", "'lrc' ... 'lcr'"),
    ("scores lcr sorcery", "sorcery: name only one game, or use `import FILE...`"),
    ("scores -n 0", "argument -n: '0': give 1 or more"),
    ("scores --weekly --daily", "not allowed with argument"),
    ("scores import", "import needs one or more records"),
    ("scores --game lcr", "--game is only for `tabletop scores import FILE"),
    ("scores import x --game lrc", "'lrc' ... 'lcr'"),
    ("scores import x --weekly", "import accepts only: FILE... [--game GAME]"),
    # The server.
    ("serve --seed oak", "--seed is an option of a match: give a GAME, or set it in the lobby"),
    ("serve --bot 1", "--bot is an option of a match"),
    ("serve --port 70000", "argument --port: '70000': give 0 to 65535"),
    ("serve --public http://table.example/", "--public ... such as table.example"),
    ("serve lcr --clock 0", "argument --clock: '0': give 1 to 10000000"),
    ("serve lcr --clock 60 --move-time 9", "--move-time: cannot be combined with a clock"),
    ("serve lcr --move-time 0", "argument --move-time: '0': give 1 to 10000000"),
    ("serve lcr --increment 5", "--increment: needs a clock"),
    ("serve lcr --clock 60 --increment -1", "argument --increment: '-1': give 0 to 86400"),
    ("serve lcr --clock nan", "argument --clock: 'nan': give 1 to 10000000"),
    ("serve lcr --idle-timeout 5", "argument --idle-timeout: '5': give 10 to 10000000, or `never`"),
    ("serve --move-time 9", "--move-time is an option of a match: give a GAME"),
    ("serve --idle-timeout never", "--idle-timeout is an option of a match: give a GAME"),
    ("serve lcr --seats 2", "lcr needs 3-11 players, not 2"),
    ("serve lrc", "'lrc' ... 'lcr'"),
    ("serve --option help", "--option is an option of a match: give a GAME"),
    ("serve lcr TICTACTOE --seed oak", "--seed is an option of a match: give only one GAME, or"),
    ("serve TICTACTOE TICTACTOE", "two games are called 'tictactoe'; leave one out"),
]


@pytest.mark.parametrize(("line", "complaint"), WRONG)
def test_a_usage_error_is_explained_and_exits_with_2(
    line: str, complaint: str, state: Path, tmp_path: Path
) -> None:
    games = {"DUEL": DUEL, "TICTACTOE": TICTACTOE}
    said = refused(*(games.get(word, word) for word in shlex.split(line)))
    assert tells(said, complaint)
    assert said.count("\n") == 1 or said.startswith("usage: ")
    assert not state.exists()
    assert not (tmp_path / "data").exists()
