"""An option that is a fraction: typed, recorded, replayed, and among the scores."""

from __future__ import annotations

import json
from pathlib import Path

from tests.tabletop.cli.program import here

COIN = """
from dataclasses import dataclass
from tabletop import Game, Option, Outcome

LUCK = Option("luck", 0.5, "How likely it is to win.", low=0, high=1)

@dataclass
class Coin:
    luck: float
    won: bool | None = None
    def clone(self):
        return Coin(self.luck, self.won)

class Toss(Game[Coin, str]):
    name = "toss"
    seats = range(2, 3)
    options = (LUCK,)
    def setup(self, options, seats, rng):
        return Coin(LUCK.of(options))
    def to_act(self, state):
        return (0,) if state.won is None else ()
    def legal_actions(self, state, seat):
        return ("toss",)
    def apply(self, state, action, table):
        state.won = table.rng["coin"].below(1000) < 1000 * state.luck
    def outcome(self, state):
        return None if state.won is None else Outcome.win(0 if state.won else 1, 2)
"""


def test_a_fraction_can_be_chosen_recorded_replayed_and_compared(
    tmp_path: Path, state: Path
) -> None:
    file, record = tmp_path / "toss.py", tmp_path / "toss.jsonl"
    file.write_text(COIN)
    game = str(file)
    told = here("play", game, "--option", "help").stdout
    assert told == "luck: How likely it is to win. (a number from 0 to 1; by default 0.5)\n"
    for luck in ("1", "1.0"):
        done = here(
            *("play", game, "--bot", "all", "--seed", "x", "--option", f"luck={luck}"),
            *("--record", str(record)),
        )
        assert (done.returncode, done.stderr) == (0, "")
        assert json.loads(record.read_text().splitlines()[0])["options"] == {"luck": 1.0}
        record.rename(record.with_suffix(f".{luck}.jsonl"))
    done = here("replay", "--verify", "--game", game, str(record.with_suffix(".1.jsonl")))
    assert "1 action replays exactly" in done.stdout
    sheets = json.loads(here("scores", "--json").stdout)
    assert [sheet["options"] for sheet in sheets] == [{"luck": 1.0}] * 2


def test_a_fraction_out_of_range_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "toss.py"
    file.write_text(COIN)
    done = here("play", str(file), "--option", "luck=1.5")
    assert done.returncode == 2
    assert "option luck: 1.5 is not a number from 0 to 1" in done.stderr
