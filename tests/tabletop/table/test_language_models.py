"""Language models as bots, played by a local server with the chat interface of OpenAI."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tabletop import Match, TabletopError
from tabletop.match import AnyMatch
from tabletop.records import Journal
from tabletop.registry import load
from tabletop.table import with_local_bots
from tabletop.table.language_models import (
    REFUSALS,
    Model,
    ModelSettings,
    conversation_path,
    read_exchanges,
    summarize,
)
from tests.tabletop.chat_server import WRONG, ChatServer, chat_server
from tests.tabletop.envs.games_to_learn import VARIED, title

pytestmark = pytest.mark.slow

EXAMPLES = Path(__file__).parents[3] / "examples"
TICTACTOE = str(EXAMPLES / "tictactoe.py")


@pytest.fixture
def server() -> Iterator[ChatServer]:
    with chat_server() as running:
        yield running


def play(
    server: ChatServer, *bots: str, game: str = TICTACTOE, record: Path | None = None, **given: Any
) -> AnyMatch:
    """Play a match between bots."""
    names = [bot if bot == "random" else f"llm:{bot}" for bot in bots]
    plugin = with_local_bots(load(game), names, models=ModelSettings(server.url, **given))
    match: AnyMatch = Match(plugin.game, seed="oak", seats=len(bots))
    joined = []
    for seat, name in enumerate(names):
        bot: Any = plugin.bot(name, match.bot_stream(seat), seat)
        match.set_player(seat, bot)
        if name != "random":
            bot.join(match)
            joined.append(bot)
    journal = None if record is None else Journal.create(record, match)
    try:
        match.run(40)
    finally:
        if journal is not None:
            journal.close()
        for bot in joined:
            bot.close(match.outcome)
    return match


@pytest.mark.parametrize("kind", ["plain", "prose", "once", "429", "500", "cut", "slow"])
def test_a_model_plays_a_whole_match(server: ChatServer, kind: str) -> None:
    assert play(server, kind, "random").over


@pytest.mark.parametrize(
    "game",
    [VARIED[0], *(pytest.param(it, marks=pytest.mark.matrix) for it in VARIED[1:])],
    ids=title,
)
def test_models_play_games_of_different_kinds(server: ChatServer, game: str) -> None:
    seats = load(game).game.seats[0]
    match = play(server, *["prose"] * seats, game=game)
    assert match.over or match.ply == 40


@pytest.mark.parametrize("kind", WRONG)
def test_after_refused_answers_a_random_action_is_played(
    server: ChatServer, kind: str, tmp_path: Path
) -> None:
    record = tmp_path / "match.jsonl"
    assert play(server, kind, "random", record=record).over
    exchanges = read_exchanges(conversation_path(record))
    assert all(exchange.refused for exchange in exchanges)
    assert len(exchanges) % (REFUSALS + 1) == 0


def test_a_refusal_is_followed_by_its_reason(server: ChatServer, tmp_path: Path) -> None:
    record = tmp_path / "match.jsonl"
    play(server, "once", "random", record=record)
    first, second, *_ = read_exchanges(conversation_path(record))
    assert first.refused
    assert first.refused in second.messages[-1]["content"]
    assert not second.refused


@pytest.mark.parametrize("kind", ["down", "strange"])
def test_a_server_that_fails_is_an_error_with_the_reason(server: ChatServer, kind: str) -> None:
    with pytest.raises(TabletopError, match=f"llm:{kind}"):
        play(server, kind, "random")


def test_the_reason_of_a_lost_connection_ends_without_a_full_stop() -> None:
    model = Model("llm:gpt", ModelSettings("http://127.0.0.1:9/v1"))
    with pytest.raises(TabletopError, match=r"\w$"):
        model.ask([{"role": "user", "content": "Hello"}])


def test_stored_answers_are_not_asked_for_again(server: ChatServer, tmp_path: Path) -> None:
    record = tmp_path / "match.jsonl"
    first = play(server, "prose", "once", record=record)
    asked = server.asked.copy()
    record.unlink()
    again = play(server, "prose", "once", record=record)
    assert again.actions == first.actions
    assert server.asked == asked


def test_a_match_continues_after_an_answer_that_was_only_partly_stored(
    server: ChatServer, tmp_path: Path
) -> None:
    record = tmp_path / "match.jsonl"
    play(server, "prose", "random", record=record)
    path = conversation_path(record)
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:-1]) + lines[-1][:20])
    record.unlink()
    asked = sum(server.asked.values())
    assert play(server, "prose", "random", record=record).over
    assert sum(server.asked.values()) == asked + 1
    assert len(read_exchanges(path)) == len(lines)


def test_models_stop_when_they_have_used_their_tokens(server: ChatServer) -> None:
    with pytest.raises(TabletopError, match="--llm-tokens"):
        play(server, "plain", "random", most_tokens=200)
    assert sum(server.asked.values()) == 2


def test_processes_count_tokens_together(server: ChatServer, tmp_path: Path) -> None:
    given: dict[str, Any] = {"most_tokens": 700, "folder": tmp_path}
    play(server, "plain", "random", record=tmp_path / "first.jsonl", **given)
    with pytest.raises(TabletopError, match="--llm-tokens"):
        play(server, "plain", "plain", record=tmp_path / "second.jsonl", **given)


def test_a_summary_counts_answers_refusals_and_tokens(server: ChatServer, tmp_path: Path) -> None:
    play(server, "once", "random", record=tmp_path / "match.jsonl")
    (summary,) = summarize(tmp_path)
    answers = server.asked["once"]
    assert (summary["model"], summary["answers"]) == ("once", answers)
    assert 2 * summary["refused"] == answers
    assert (summary["input_tokens"], summary["output_tokens"]) == (100 * answers, 10 * answers)


def test_questions_contain_no_card_that_the_seat_has_not_seen(server: ChatServer) -> None:
    kuhn = str(EXAMPLES / "kuhn_poker.py")
    match = play(server, "plain", "random", game=kuhn)
    plugin = load(kuhn)
    fresh: AnyMatch = Match(plugin.game, seed="oak", seats=2)
    own = plugin.text.plain_position(fresh.view(0), fresh.names, 0)
    assert own in server.prompts[0]
    assert plugin.text.plain_position(match.state, fresh.names) not in server.prompts[0]


def test_a_model_needs_a_key_or_a_server(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    with pytest.raises(ValueError, match="OPENAI_API_KEY"):
        with_local_bots(load(TICTACTOE), ["llm:gpt"])


def test_a_bot_needs_the_name_of_a_model() -> None:
    with pytest.raises(ValueError, match="llm:MODEL"):
        with_local_bots(load(TICTACTOE), ["llm:"])
