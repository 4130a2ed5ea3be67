"""A process pool: bounded, in order, and complete again after any failure of a process."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Final

import pytest

from tabletop.registry import load
from tabletop.table import Answer, Asker, Pool, answer
from tabletop.table import bot_pool as pool_module
from tabletop.table.bot_pool import TRIES
from tests.tabletop.bots.gates import GAME, Gates, gone, is_there, kill, question
from tests.tabletop.bots.test_questions import new_match

pytestmark = pytest.mark.slow  # every test starts processes

MASKS = "examples/masks.py"
Body = Callable[[Pool], Awaitable[None]]


@pytest.fixture
def gates(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Gates:
    """Return the gates of bots whose processes start after this call."""
    monkeypatch.setenv("GATES", str(tmp_path))
    return Gates(tmp_path)


def with_pool(body: Body, size: int = 1) -> None:
    """Run a test with a pool, and check that its processes have ended."""

    async def run() -> None:
        pool = Pool(size)
        try:
            await body(pool)
        finally:
            workers = [worker._process.pid for worker in pool._all]
            pool.close()
            for worker in workers:
                await gone(worker)

    asyncio.run(run())


def test_a_bot_chooses_in_the_pool_as_in_this_process() -> None:
    plugin, match = load(MASKS), new_match(MASKS)
    asked = [question(plugin, name, match) for name in ("easy", "flat:30", "random")]

    async def body(pool: Pool) -> None:
        there = [await pool.ask(it) for it in asked]
        assert there == [answer(it) for it in asked]
        assert len({worker._process.pid for worker in pool._all}) == 1

    with_pool(body)


def test_output_errors_and_results_of_bots_do_no_harm() -> None:
    plugin, match = load(GAME), new_match()

    async def body(pool: Pool) -> None:
        own = await pool.ask(question(plugin, "own", match))
        assert own.action in match.legal_actions()
        assert await pool.ask(question(plugin, "chatty", match)) == own
        assert (await pool.ask(question(plugin, "crash", match))).error.startswith("Peculiar(")
        assert (await pool.ask(question(plugin, "nonsense", match))).action == "None"
        assert await pool.ask(question(plugin, "own", match)) == own

    with_pool(body)


def test_questions_wait_in_turn_if_all_processes_are_busy(gates: Gates) -> None:
    plugin, match = load(GAME), new_match(seats=4)
    begun: list[int] = []

    async def body(pool: Pool) -> None:
        asked = [
            asyncio.ensure_future(
                pool.ask(question(plugin, "patient", match, seat), partial(begun.append, seat))
            )
            for seat in range(4)
        ]
        await gates.asked(0)
        await gates.asked(1)
        assert (begun, pool.waiting) == ([0, 1], 2)
        gates.open(1)
        await asked[1]
        await gates.asked(2)
        assert (begun, pool.waiting) == ([0, 1, 2], 1)
        for seat in (0, 2, 3):
            gates.open(seat)
        await asyncio.gather(*asked)
        assert (begun, pool.waiting, len(pool._all)) == ([0, 1, 2, 3], 0, 2)

    with_pool(body, size=2)


async def order(pool: Pool, gates: Gates, askers: Sequence[tuple[str, Asker]]) -> list[int]:
    """Return the order in which questions start while a bot of seat 0 is busy."""
    plugin, match = load(GAME), new_match(seats=4)
    begun: list[int] = []

    def ask(seat: int, bot: str, asker: Asker) -> asyncio.Future[Answer]:
        begins = partial(begun.append, seat)
        return asyncio.ensure_future(pool.ask(question(plugin, bot, match, seat), begins, asker))

    tasks = [ask(seat, bot, asker) for seat, (bot, asker) in enumerate(askers)]
    await gates.asked(0)
    for seat in range(len(askers)):
        gates.open(seat)
    await asyncio.gather(*tasks)
    return begun


def test_visitors_with_less_time_come_first_and_players_before_visitors(gates: Gates) -> None:
    many, few, bots = (
        ("patient", Asker(shares=("many",))),
        Asker(shares=("few",)),
        Asker(people=False),
    )

    async def body(pool: Pool) -> None:
        askers = [many, ("patient", bots), many, ("patient", few)]
        assert await order(pool, gates, askers) == [0, 3, 2, 1]
        assert not pool._used

    with_pool(body)


def test_a_bot_with_a_budget_in_seconds_leaves_a_process_to_the_others() -> None:
    plugin, match = load(MASKS), new_match(MASKS)
    begun: list[int] = []

    async def body(pool: Pool) -> None:
        bots = ["search:0.2s", "search:0.2s", "easy"]
        asked = [
            pool.ask(question(plugin, bot, match), partial(begun.append, number))
            for number, bot in enumerate(bots)
        ]
        await asyncio.gather(*asked)
        assert begun == [0, 2, 1]

    with_pool(body, size=2)


def test_a_killed_process_is_replaced_and_the_choice_repeated(gates: Gates) -> None:
    plugin, match = load(GAME), new_match()

    async def body(pool: Pool) -> None:
        asked = asyncio.ensure_future(pool.ask(question(plugin, "patient", match, 0)))
        first = await gates.asked()
        kill(first)
        second = await gates.asked(other_than=first)
        gates.open()
        assert await asked == answer(question(plugin, "own", match, 0))
        kill(second)  # an idle process
        await gone(second)
        found = await pool.ask(question(plugin, "own", match, 0))
        assert found == await asked

    with_pool(body)


def test_a_bot_that_ends_its_processes_gets_only_a_few(gates: Gates) -> None:
    plugin, match = load(GAME), new_match()

    async def body(pool: Pool) -> None:
        reply = await pool.ask(question(plugin, "fatal", match))
        assert f" died {TRIES} times" in reply.error
        assert gates.deaths == TRIES

    with_pool(body)


def test_a_bot_that_hangs_is_given_up(gates: Gates, monkeypatch: pytest.MonkeyPatch) -> None:
    plugin, match = load(GAME), new_match()

    async def body(pool: Pool) -> None:
        await pool.ask(question(plugin, "own", match))
        [worker] = pool._all
        monkeypatch.setattr(pool_module, "CHOICE_TIMEOUT", 0.1)
        reply = await pool.ask(question(plugin, "patient", match, 0))
        assert "not chosen" in reply.error
        await gone(worker._process.pid)

    with_pool(body)


def test_a_search_that_nobody_waits_for_is_stopped(gates: Gates) -> None:
    plugin, match = load(GAME), new_match()

    async def body(pool: Pool) -> None:
        asked = asyncio.ensure_future(pool.ask(question(plugin, "patient", match, 0)))
        process = await gates.asked()
        asked.cancel()
        await gone(process)
        assert not (await pool.ask(question(plugin, "own", match))).error

    with_pool(body)


def test_a_closed_pool_starts_no_processes() -> None:
    plugin, match = load(GAME), new_match()

    async def body(pool: Pool) -> None:
        pool.close()
        reply = await pool.ask(question(plugin, "own", match))
        assert "closed" in reply.error
        assert not pool._all

    with_pool(body)


def test_a_process_is_in_no_group_that_a_terminal_interrupts(gates: Gates) -> None:
    async def body(pool: Pool) -> None:
        asked = asyncio.ensure_future(pool.ask(question(load(GAME), "patient", new_match(), 0)))
        process = await gates.asked()
        assert os.getsid(process) == process
        gates.open()
        assert not (await asked).error

    with_pool(body)


def test_trees_combine_to_the_same_choice_on_any_number_of_processes() -> None:
    plugin, match = load(MASKS), new_match(MASKS)
    asked, found = question(plugin, "search:20", match), []

    async def body(pool: Pool) -> None:
        found.append(await pool.ask_trees(asked, 3))

    for size in (1, 2):
        with_pool(body, size)
    first, second = found
    assert first == second
    assert sum(visits for visits, _ in first.tries.values()) == 60
    assert first.offset == question(plugin, "search:20", match).stream.offset + 2, "one draw"
    match.step(None, first.player(match, match.to_act[0]))
    assert str(match.actions[-1]) == first.action


@pytest.mark.parametrize("bot", ["crash", "own"])
def test_an_answer_without_a_tree_is_returned_unchanged(bot: str) -> None:
    asked = question(load(GAME), bot, new_match())

    async def body(pool: Pool) -> None:
        found = await pool.ask_trees(asked, 2)
        assert bool(found.error) == (bot == "crash")
        assert found.offset > asked.stream.offset

    with_pool(body)


PROGRAM: Final = """
import asyncio
from tabletop.table import Pool
from tabletop.registry import load
from tests.tabletop.bots.gates import GAME, question
from tests.tabletop.bots.test_questions import new_match

asyncio.run(Pool(1).ask(question(load(GAME), "patient", new_match(), 0)))
"""
"""A program without cleanup, and without a guard for processes that import it again."""


@pytest.fixture
def program(gates: Gates) -> Iterator[subprocess.Popen[bytes]]:
    """Yield a program in whose pool a bot waits."""
    file, path = gates.folder / "program.py", os.pathsep.join(sys.path)
    file.write_text(PROGRAM, "utf-8")
    with subprocess.Popen(
        [sys.executable, str(file)], env={**os.environ, "PYTHONPATH": path}
    ) as process:
        yield process
        process.kill()


def test_no_process_is_left_when_the_asking_program_is_killed(
    gates: Gates, program: subprocess.Popen[bytes]
) -> None:
    async def run() -> None:
        process = await gates.asked()
        assert is_there(process)
        program.kill()
        await gone(process)

    asyncio.run(run())
