"""Studies, reports and tournaments of games that players win as teams."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from tabletop import Streams
from tabletop.registry import load
from tabletop.studies import LocalWorkers, Study, report, simulate, tournament
from tabletop.studies.comparisons import duel
from tests.tabletop.cli.program import here, refused
from tests.tabletop.games import missions

MISSIONS = str(Path(missions.__file__))
ROLES = {"assassin", "spy", "seer", "guard"}

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Study:
    folder = tmp_path_factory.mktemp("study")
    return simulate(MISSIONS, 300, folder, bots=["random"], seats=5, workers=1)


@pytest.fixture(scope="module")
def page(study: Study) -> str:
    file = study.folder / "page.md"
    report(study, file)
    return file.read_text(encoding="utf-8")


def section(page: str, title: str) -> str:
    return page.partition(f"## {title}\n")[2].partition("\n## ")[0]


def test_a_study_stores_the_faction_and_the_role_of_each_seat(study: Study) -> None:
    for row in study.rows():
        assert Counter(row["factions"]) == {"spies": 2, "loyal": 3}
        assert set(row["roles"]) == ROLES


def test_a_report_gives_the_win_rate_of_each_faction_and_role(study: Study, page: str) -> None:
    wins = sum(row["factions"][row["winners"][0]] == "spies" for row in study.rows())
    rate = f"{wins / 300:.2%}"
    assert f"| spies | 600 | {rate} " in section(page, "Wins by faction")
    assert f"| assassin | 300 | {rate} " in section(page, "Wins by role")


def test_a_report_compares_neither_the_ending_nor_the_roles_of_a_winning_team(page: str) -> None:
    significant = section(page, "Significant differences")
    assert "| Wins by faction | spies |" in significant
    assert "| Wins by role |" not in significant
    assert "| Endings |" not in significant


def test_one_of_two_factions_is_compared_because_the_other_is_its_mirror_image(page: str) -> None:
    assert "| loyal |" not in section(page, "Significant differences")


def test_simulate_prints_the_win_rates_of_factions_and_roles() -> None:
    done = here("simulate", MISSIONS, "-n", "20", "--seats", "5", "--bots", "random")
    lines = [line.split() for line in done.stdout.splitlines()]
    rates = {line[1]: line[2] for line in lines if line and line[0] in {"faction", "role"}}
    assert set(rates) == {"spies", "loyal"} | ROLES
    assert rates["spies"] == rates["assassin"] == rates["spy"]
    assert rates["loyal"] == rates["seer"]


def test_a_tournament_counts_the_wins_of_both_bots_by_faction_and_role() -> None:
    result = tournament(MISSIONS, ["random", "easy"], 20, LocalWorkers(), seats=5)
    [pairing] = result.pairings
    first, second = pairing.sides["faction spies"]
    assert first.seats + second.seats == 40
    assert {name for name in pairing.sides if name.startswith("role ")} == {
        f"role {role}" for role in ROLES
    }
    assert pairing.data()["sides"]["faction spies"][0]["seats"] == first.seats


def test_by_faction_one_bot_plays_all_seats_of_a_faction_and_then_the_others() -> None:
    series = duel(MISSIONS, ["random", "easy"], seats=5, by_faction=True)
    rows = series.play(range(10))
    for first, second in zip(rows[::2], rows[1::2], strict=True):
        sides = [*zip(first["players"], first["factions"], strict=True)]
        assert len(set(sides)) == 2
        assert first["factions"] == second["factions"]
        swapped = {*zip(first["players"], second["players"], strict=True)}
        assert swapped == {("random", "easy"), ("easy", "random")}


def test_a_tournament_by_faction_counts_all_seats_of_a_faction_for_each_bot() -> None:
    words = ("--bots", "random,easy", "-n", "4", "--seats", "5", "--by-faction", "--workers", "1")
    done = here("tournament", MISSIONS, *words)
    assert re.search(r"faction spies +\d of 4 +\d of 4\n", done.stdout)


def test_a_game_without_factions_is_refused_by_faction() -> None:
    words = ("--bots", "random,duelist", "-n", "4", "--by-faction")
    assert "declares no factions" in refused("tournament", "sorcery", *words)


def test_the_log_names_the_winning_faction() -> None:
    plugin = load(MISSIONS)
    state = plugin.game.setup({}, 3, Streams("oak"))
    state.turns = 6
    outcome = plugin.game.outcome(state)
    assert outcome is not None
    assert "(loyal)" in plugin.text.outcome(outcome, ["Ann", "Bo", "Cy"])
