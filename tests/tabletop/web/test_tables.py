"""A table in the browser: views and actions of its seats."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path
from statistics import median
from typing import Any

import pytest
from typing_extensions import override

from lcr import Lcr, LcrState, Roll
from tabletop import ALL, Options, Seat, Watcher
from tabletop.display import TextView
from tabletop.protocol import ActIn
from tabletop.registry import load
from tabletop.table import Answer
from tabletop.table.inputs import Tick
from tests.tabletop.games import race
from tests.tabletop.web.served import Server, serving, with_server


@with_server()
async def test_everybody_is_told_once_who_plays_on_for_a_failed_bot(
    server: Server,
) -> None:
    opened = await server.open(names=["Ada", "Bo", "Cy"], players=["human", "human", "random"])
    async with (
        server.screen(opened["links"][0]) as ada,
        server.screen(opened["links"][1]) as bo,
    ):
        for screen in (ada, bo):
            await screen.until("state")
        runner = next(iter(server.hosting.tables.listing.live.values())).runner
        for seat in (0, 1):
            runner.table.holders[seat].request(ActIn("roll"))
        runner.table.requests.advance(Answer(error="lost"))
        runner.receive(Tick())
        said = "the Random bot has failed: Cy waits until somebody plays"
        for screen in (ada, bo):
            [logged] = (await screen.until("log"))["lines"][-1:]
            assert (logged["text"], logged["kind"]) == (said, "remark")
            assert (await screen.until("state"))["log_line"] == logged["number"]
            assert (await screen.until("note"))["text"] == said
            assert screen.last("table")["players"] == ["human"] * 3
        # Nobody has a link to the seat, so that anybody may give it to a bot.
        await ada.say(type="seat", seat=2, player="random")
        assert (await bo.until("note"))["text"] == "the Random bot plays for Cy now"
        await bo.at(3)
    async with server.screen(opened["links"][0]) as later:
        logged = await later.until("log")
        assert said in [line["text"] for line in logged["lines"]]


@pytest.mark.slow
def test_no_command_names_a_folder_of_the_host(tmp_path: Path) -> None:
    game = tmp_path / "folder of the host" / "race game.py"
    game.parent.mkdir()
    game.write_text(Path(race.__file__).read_text("utf-8"), "utf-8")

    async def test(server: Server) -> None:
        opened = await server.open("race", players=["random", "random"], seed="old oak")
        async with server.screen(opened["spectators"]) as screen:
            over = (await screen.until("state", lambda told: told["over"]))["over"]
        assert over["command"] == "tabletop play 'race game.py' --seed 'old oak' --seats 2"
        assert "folder" not in "".join(screen.texts)

    serving(test, tmp_path / "tables", plugins=(load(str(game)),))


@pytest.mark.slow
@pytest.mark.parametrize("game", ["sorcery", "constructor"])
def test_a_screen_is_sent_what_a_move_has_changed_and_shows_what_a_new_one_does(
    game: str, tmp_path: Path
) -> None:
    async def test(server: Server) -> None:
        seats = 2 if game == "sorcery" else 4
        opened = await server.open(game, players=["human"] * seats, seed="old oak")
        link = opened["spectators"]
        async with AsyncExitStack() as stack:
            players = [await stack.enter_async_context(server.screen(it)) for it in opened["links"]]
            near = await stack.enter_async_context(server.screen(link))
            state, sizes = await near.until("state"), []
            for ply in range(1, 12):
                player = players[state["turn"][0]]
                choices = (await player.at(ply - 1))["choices"]
                await player.say(type="act", line=choices[-1]["words"])
                state = await near.at(ply)
                sizes.append(len(near.texts[-1]))
                if ply == 6:
                    await near.say(type="layout", picture="narrow")
                    await near.until("state")
                    await near.say(type="layout", picture="wide")
                    state = await near.until("state")
            async with server.screen(link) as newcomer:
                assert await newcomer.until("state") == state
                whole = len(newcomer.texts[-1])
        assert median(sizes) < whole * 0.5

    serving(test, tmp_path)


class Falters(Lcr):
    """LCR, of which nobody can be shown anything after the first roll."""

    name = "falters"

    @override
    def view(self, state: LcrState, seat: Seat | None) -> LcrState:
        if state.seat:
            raise KeyError("boom")
        return super().view(state, seat)


@pytest.mark.slow
def test_a_position_that_the_rules_cannot_show_is_said_and_can_be_taken_back(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def test(server: Server) -> None:
        opened = await server.open("falters", casual=True, seats=3, seed="old oak")
        async with server.screen(opened["links"][0]) as ada:
            await ada.until("state")
            await ada.say(type="act", line="roll", id=1)
            failed = await ada.at(1)
            assert failed["prompt"].startswith("The rules of the game failed at this position")
            assert failed["svg"].startswith("<svg")
            assert failed["can_undo"]

    serving(test, tmp_path, plugins=(replace(load("lcr"), game=Falters(), source="falters"),))
    assert "falters cannot be shown" in caplog.text


class Wordless(TextView[Any]):
    @override
    def position(self, view: Any, names: Sequence[str], seat: Watcher = ALL) -> str:
        raise KeyError("boom")


@pytest.mark.slow
def test_words_that_cannot_be_found_do_not_take_the_picture_away(tmp_path: Path) -> None:
    async def test(server: Server) -> None:
        opened = await server.open("wordless", seats=3, seed="old oak")
        async with server.screen(opened["links"][0]) as ada:
            state = await ada.until("state")
            assert state["text"] == ""
            assert [choice["words"] for choice in state["choices"]] == ["roll"]

    class LcrWithoutWords(Lcr):
        name = "wordless"

    plugin = replace(load("lcr"), game=LcrWithoutWords(), text=Wordless(), source="wordless")
    serving(test, tmp_path, plugins=(plugin,))


@pytest.mark.slow
def test_a_table_continues_after_the_rules_cannot_apply_the_action_of_a_bot(
    tmp_path: Path,
) -> None:
    async def test(server: Server) -> None:
        opened = await server.open("race", players=["human", "runner"], options={"start": "line"})
        async with server.screen(opened["links"][0]) as ada:
            await ada.say(type="act", line="walk")
            await ada.at(2)
            assert "an action of Player 2 has failed" in (await ada.until("note"))["text"]
            assert ada.last("table")["players"] == ["human", "runner"]

    serving(test, tmp_path, plugins=(load("tests.tabletop.games.race:FAULTY"),))


@pytest.mark.slow
def test_a_click_on_nothing_is_answered_however_many_actions_there_are(tmp_path: Path) -> None:
    class LcrOfMany(Lcr):
        name = "many"

        @override
        def all_actions(self, options: Options, seats: int) -> Sequence[Roll]:
            return Endless()

    async def test(server: Server) -> None:
        opened = await server.open("many", seats=3, seed="old oak")
        async with server.screen(opened["links"][0]) as ada:
            await ada.until("state")
            await ada.say(type="why", part="nowhere")
            assert "cannot be used now" in (await ada.until("why"))["message"]

    serving(test, tmp_path, plugins=(replace(load("lcr"), game=LcrOfMany(), source="many"),))


class Endless(Sequence[Roll]):
    """Actions without an end."""

    @override
    def __len__(self) -> int:
        return 1 << 60

    @override
    def __getitem__(self, at: Any) -> Any:
        return Roll()
