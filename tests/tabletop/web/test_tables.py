"""A table in the browser: what its seats see and do."""

from __future__ import annotations

import asyncio
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
from tabletop.session import Answer
from tabletop.session.inputs import Tick
from tests.tabletop.games import race
from tests.tabletop.web.served import Server, serving, with_server


@pytest.mark.slow
@with_server(quick=True)
async def test_a_seat_is_told_of_the_table_and_shown_the_state(server: Server) -> None:
    opened = await server.open(names=["Ada", "Bo", "Cy"], players=["human", "random", "random"])
    async with server.screen(opened["links"][0]) as ada:
        table = await ada.until("table")
        state = await ada.until("state")
    assert table["names"] == ["Ada", "Bo", "Cy"]
    assert table["players"] == ["human", "random", "random"]
    assert (table["your_seats"], table["spectator"], table["present"]) == ([0], False, [True] * 3)
    assert state["your_turn"] == [0]
    assert state["prompt"] == "Roll 3 dice"
    assert [choice["words"] for choice in state["choices"]] == ["roll"]
    assert state["svg"].startswith("<svg")
    assert 'data-action="roll"' in state["svg"], "what can be done can be clicked"
    assert state["over"] is None


@with_server()
async def test_only_options_that_somebody_has_set_are_told_at_the_end(server: Server) -> None:
    opened = await server.open("sorcery", players=["random"] * 2, options={"patience": "3"})
    async with server.screen(opened["spectators"]) as screen:
        over = (await screen.until("state", lambda told: told["over"]))["over"]
    assert over["options"] == {"patience": 3}


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
        runner.table.session.advance(Answer(error="lost"))
        runner.receive(Tick())
        said = "the bot random has failed: Cy waits until somebody plays"
        for screen in (ada, bo):
            [logged] = (await screen.until("log"))["lines"][-1:]
            assert (logged["text"], logged["kind"]) == (said, "remark")
            assert (await screen.until("state"))["log_line"] == logged["number"]
            assert (await screen.until("note"))["text"] == said
            assert screen.last("table")["players"] == ["human"] * 3
        # Nobody has a link to the seat, so that anybody may give it to a bot.
        await ada.say(type="seat", seat=2, player="random")
        assert (await bo.until("note"))["text"] == "the bot random plays for Cy now"
        await bo.at(3)
    async with server.screen(opened["links"][0]) as later:
        logged = await later.until("log")
        assert said in [line["text"] for line in logged["lines"]]


@with_server()
async def test_a_log_says_whose_each_line_is_and_where_a_turn_begins(server: Server) -> None:
    opened = await server.open("sorcery", names=["Ada", "Bo"], seed="old oak")
    async with server.screen(opened["links"][0]) as ada, server.screen(opened["links"][1]):
        first = (await ada.until("state"))["turn"][0]
        async with server.screen(opened["links"][first]) as mover:
            await mover.say(type="act", line="end")
            state = await ada.at(1)
    lines = [it for told in ada.heard if told["type"] == "log" for it in told["lines"]]
    names, other = ("Ada", "Bo"), 1 - first
    turns = [(it["text"], it["seat"]) for it in lines if it["kind"] == "turn"]
    assert turns == [(f"{names[other]}'s turn.", other)]
    ended = next(it for it in lines if it["text"] == f"{names[first]} ends the turn.")
    begun = lines[lines.index(ended) + 1 :]
    assert (ended["seat"], ended["kind"]) == (first, "")
    assert begun[0]["kind"] == "turn"
    assert f"{names[other]} draws" in begun[2]["text"]
    assert all(it["seat"] == other for it in begun)
    assert state["log_line"] >= lines[-1]["number"]


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
@with_server(quick=True)
async def test_a_whole_match_is_played_with_bots(server: Server) -> None:
    opened = await server.open(players=["human", "random", "random"], seed="old oak")
    async with server.screen(opened["links"][0]) as ada:
        state, acted = await ada.until("state"), -1
        while state["over"] is None:
            if state["your_turn"] and state["ply"] > acted:
                acted = state["ply"]
                await ada.say(type="act", line=state["choices"][0]["words"], id=1)
            state = await ada.until("state")
    assert state["over"]["seed"] == "old oak"
    assert "tabletop play lcr" in state["over"]["command"]
    numbers = [
        line["number"] for told in ada.heard if told["type"] == "log" for line in told["lines"]
    ]
    assert numbers == sorted(set(numbers))


@with_server()
async def test_what_one_does_the_others_see_at_once_and_each_their_own(server: Server) -> None:
    opened = await server.open("sorcery", names=["Ada", "Bo"], seed="old oak")
    links = [*opened["links"], opened["spectators"]]
    async with (
        server.screen(links[0]) as ada,
        server.screen(links[1]) as bo,
        server.screen(links[2]) as cy,
    ):
        states = [await screen.until("state") for screen in (ada, bo, cy)]
        asked = next(seat for seat in (0, 1) if states[seat]["your_turn"])
        mover = (ada, bo)[asked]
        await mover.say(type="act", line="end", id=7)
        for screen in (ada, bo, cy):
            assert (await screen.until("state", lambda told: told["ply"] == 1))["ply"] == 1
        await cy.say(type="act", line="end", id=8)
        refused = await cy.until("refused")
        assert refused["id"] == 8
        assert "watch" in refused["message"]
        assert cy.last("state")["undo_refusal"] == "", "obvious to who only watches"


@with_server()
async def test_two_screens_of_one_seat_are_shown_the_same(server: Server) -> None:
    opened = await server.open(seats=3)
    link = opened["links"][0]
    async with server.screen(link) as desk, server.screen(link, picture="narrow") as phone:
        await desk.until("state")
        await phone.until("state")
        await desk.say(type="act", line="roll")
        first, second = await asyncio.gather(desk.at(1), phone.at(1))
        assert first["svg"] != second["svg"]
        assert first["choices"] == second["choices"]


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


@with_server()
async def test_dice_stay_in_the_picture_after_the_next_move(server: Server) -> None:
    opened = await server.open(game="constructor", players=["human", *["random"] * 3])
    async with server.screen(opened["links"][0]) as ada:

        async def do(line: str) -> dict[str, Any]:
            await ada.say(type="act", line=line, id=1)
            while not (state := await ada.until("state"))["your_turn"]:
                pass
            return state

        while not (state := await ada.until("state"))["your_turn"]:
            pass
        while state["choices"][0]["words"].isdecimal():
            state = await do(state["choices"][0]["words"])
        for line in ("load", "roll", "7"):
            state = await do(line)
        moved = await do(state["choices"][0]["words"])
    assert "Blue chose 7" in state["svg"]
    assert "Blue chose 7" in moved["svg"]


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


@with_server()
async def test_seats_and_questions_are_worded_as_the_game_does(server: Server) -> None:
    names = ["Ada", "Bo", "Cy", "Di"]
    opened = await server.open("constructor", names=names)
    links = opened["links"]
    async with server.screen(links[0]) as blue, server.screen(links[1]) as red:
        table = await blue.until("table")
        assert table["names"] == names
        assert table["seat_titles"] == ["Ada (Blue)", "Bo (Red)", "Cy (Orange)", "Di (Yellow)"]
        assert (await blue.until("state"))["prompt"] == "Choose a vertex for a basement"
        assert (await red.until("state"))["prompt"] == "Waiting for Ada"
        for screen in (blue, red):
            await screen.say(type="why", part="next")
        assert "this cannot be used now" in (await blue.until("why"))["message"]
        assert (await red.until("why"))["message"].startswith("Bo ")


@pytest.mark.slow
def test_a_table_continues_after_the_rules_cannot_apply_the_action_of_a_bot(
    tmp_path: Path,
) -> None:
    async def test(server: Server) -> None:
        opened = await server.open("race", players=["human", "runner"], options={"start": "line"})
        async with server.screen(opened["links"][0]) as ada:
            await ada.say(type="act", line="walk")
            await ada.at(2)
            assert "run failed at ply 2" in (await ada.until("note"))["text"]
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
            assert (await ada.until("why"))["message"] == "this cannot be used"

    serving(test, tmp_path, plugins=(replace(load("lcr"), game=LcrOfMany(), source="many"),))


class Endless(Sequence[Roll]):
    """Actions without an end."""

    @override
    def __len__(self) -> int:
        return 1 << 60

    @override
    def __getitem__(self, at: Any) -> Any:
        return Roll()
