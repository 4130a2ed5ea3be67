"""`tabletop tournament` with language models, at a local server."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.tabletop.chat_server import ChatServer, chat_server
from tests.tabletop.cli.program import TICTACTOE, here, refused

pytestmark = [pytest.mark.slow, pytest.mark.long]

BOTS = ("--bots", "llm:prose,llm:once,random", "-n", "2", "--workers", "1")


@pytest.fixture
def server() -> Iterator[ChatServer]:
    with chat_server() as running:
        yield running


def words(server: ChatServer, records: Path, *more: str) -> list[str]:
    """Return the words of a tournament."""
    where = ["--records", str(records), "--llm-url", server.url]
    return ["tournament", TICTACTOE, *BOTS, *where, *more]


def rating_of(output: str) -> str:
    """Return the output without the seconds that answers took."""
    return re.sub(r"\d+\.\d\d$", "", output, flags=re.MULTILINE)


def test_a_tournament_reports_refused_answers_and_tokens(
    server: ChatServer, tmp_path: Path
) -> None:
    done = here(*words(server, tmp_path / "records", "--json"))
    assert done.returncode == 0
    data = json.loads(done.stdout)
    assert {it["bot"] for it in data["elo"]} == {"llm:prose", "llm:once", "random"}
    once, prose = data["models"]
    assert (once["model"], prose["model"]) == ("once", "prose")
    assert 2 * once["refused"] == once["answers"] == server.asked["once"]
    assert prose["refused"] == 0
    assert prose["input_tokens"] == 100 * server.asked["prose"]


def test_each_match_has_a_record_and_its_conversation(server: ChatServer, tmp_path: Path) -> None:
    assert here(*words(server, tmp_path)).returncode == 0
    records = [path for path in tmp_path.rglob("match-*.jsonl") if ".llm" not in path.name]
    assert len(records) == 6
    for record in records:
        assert here("replay", "--verify", record, "--game", TICTACTOE).returncode == 0
    with_models = [path for path in records if "llm" in path.parent.name]
    assert all(path.with_suffix(".llm.jsonl").is_file() for path in with_models)


def test_a_killed_tournament_continues_without_asking_again(
    server: ChatServer, tmp_path: Path
) -> None:
    bots = ("--bots", "hard")
    expected = here(*words(server, tmp_path / "whole", *bots)).stdout
    assert "hard" in expected
    asked = server.asked.copy()
    server.asked.clear()
    command = [sys.executable, "-m", "tabletop", *words(server, tmp_path / "killed", *bots)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
        while sum(server.asked.values()) < 20 and process.poll() is None:
            time.sleep(0.01)
        process.send_signal(signal.SIGKILL)
    done = here(*words(server, tmp_path / "killed", *bots))
    assert done.returncode == 0
    assert rating_of(done.stdout) == rating_of(expected)
    # The answer that was on its way at the kill is asked for again.
    assert sum(asked.values()) <= sum(server.asked.values()) <= sum(asked.values()) + 1


def test_a_tournament_stops_at_its_tokens_and_continues_with_more(
    server: ChatServer, tmp_path: Path
) -> None:
    stopped = here(*words(server, tmp_path, "--llm-tokens", "1000"))
    assert stopped.returncode == 1
    assert "--llm-tokens" in stopped.stderr
    asked = sum(server.asked.values())
    assert asked == 10
    assert here(*words(server, tmp_path)).returncode == 0


def test_a_tournament_continues_after_the_server_refused(
    server: ChatServer, tmp_path: Path
) -> None:
    server.limit = 15
    stopped = here(*words(server, tmp_path))
    assert stopped.returncode == 1
    assert "no credit" in stopped.stderr
    server.limit = 10**9
    assert here(*words(server, tmp_path)).returncode == 0


def test_a_failed_tournament_leaves_only_records_and_answers(
    server: ChatServer, tmp_path: Path
) -> None:
    records = ("--records", str(tmp_path), "--llm-url", server.url)
    bots = ("--bots", "llm:prose,llm:strange,random", "-n", "2", "--workers", "2")
    assert here("tournament", TICTACTOE, *bots, *records).returncode == 1
    assert {path.suffix for path in tmp_path.rglob("*.*")} == {".jsonl"}


def test_models_need_a_folder_for_their_answers(server: ChatServer) -> None:
    done = here("tournament", TICTACTOE, *BOTS, "--llm-url", server.url)
    assert done.returncode == 2
    assert "--records" in done.stderr


def test_a_server_of_models_that_cannot_be_reached_is_named(tmp_path: Path) -> None:
    url = "http://127.0.0.1:1/v1"
    done = here("tournament", TICTACTOE, *BOTS, "--records", str(tmp_path), "--llm-url", url)
    assert done.returncode == 1
    assert url in done.stderr
    assert "Error:" not in done.stderr


def test_a_folder_of_records_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    bots = ["--bots", "random,easy", "-n", "2", "--records", str(file)]
    assert refused("tournament", TICTACTOE, *bots, status=1).count(str(file)) == 1


def test_matches_of_other_seeds_keep_the_records(tmp_path: Path) -> None:
    bots = ["--bots", "random,easy", "-n", "2", "--records", str(tmp_path)]
    for seeds in ("spring", "autumn"):
        assert here("tournament", TICTACTOE, *bots, "--seeds", seeds).returncode == 0
    assert len([*tmp_path.rglob("match-*.jsonl")]) == 4


def test_a_replay_page_shows_the_answers(server: ChatServer, tmp_path: Path) -> None:
    record = tmp_path / "match.jsonl"
    bots = ["--bot", "1=llm:prose", "--bot", "2=random"]
    line = ["play", TICTACTOE, *bots, "--record", record, "--no-score", "--llm-url", server.url]
    assert here(*line).returncode == 0
    page = here("replay-page", record, "-o", tmp_path / "page.html", "--game", TICTACTOE)
    assert page.returncode == 0
    written = (tmp_path / "page.html").read_text("utf-8")
    assert written.count("I think a lot.") == server.asked["prose"]
