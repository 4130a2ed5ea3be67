"""Links open a table also after a mail or chat program has changed them."""

from __future__ import annotations

from pathlib import Path

import pytest
from websockets.asyncio.client import connect as dial
from websockets.exceptions import InvalidStatus

from tabletop.protocol import connect
from tests.tabletop.web.served import Server, serving, with_server


@with_server(quick=True)
async def test_a_link_with_punctuation_behind_it_opens_its_seat(server: Server) -> None:
    opened = await server.open()
    for end in (".", ")", ">", ").", "!", ",", '"'):
        async with server.screen(opened["links"][1] + end) as screen:
            assert (await screen.until("table"))["your_seats"] == [1]


@with_server()
async def test_a_client_in_python_opens_a_link_whose_hash_is_escaped(server: Server) -> None:
    link = (await server.open())["links"][1].replace("#", "%23")
    async with connect(f"{server.address}{link}.") as table:
        async for _ in table:
            if table.table is not None:
                assert table.table.your_seats == (1,)
                return


@with_server()
async def test_a_page_with_an_escaped_hash_redirects_to_the_link(server: Server) -> None:
    link = (await server.open())["links"][0]
    for path in (link, f"/#{server.key}", "/host#key"):
        answer = await server.web.get(path.replace("#", "%23"))
        assert (answer.status_code, answer.headers["location"]) == (307, path)


@with_server()
async def test_no_escaped_hash_redirects_to_another_server(server: Server) -> None:
    answer = await server.web.get(f"{server.address}//elsewhere.example%23token")
    assert answer.headers["location"] == "/elsewhere.example#token"


@pytest.mark.slow
@pytest.mark.parametrize("headers", [{"Origin": "http://elsewhere.example"}, {"Host": "elsewhere"}])
def test_a_refused_socket_leaves_nothing_in_the_log(
    headers: dict[str, str], tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def check(server: Server) -> None:
        path = (await server.open())["links"][0].partition("#")[0]
        address = server.address.replace("http", "ws")
        with pytest.raises(InvalidStatus):
            async with dial(f"{address}{path}/socket", additional_headers=headers):
                pass

    serving(check, tmp_path)
    assert [it.message for it in caplog.records if it.levelname == "ERROR"] == []
