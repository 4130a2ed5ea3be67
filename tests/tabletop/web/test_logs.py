"""What the server logs and prints holds no token: whoever reads it can sit nowhere."""

from __future__ import annotations

import logging
from contextlib import suppress
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed

from tests.tabletop.web.served import Server, serving

pytestmark = pytest.mark.slow  # each of them starts a server

TRACE = 5
LOGGERS = ("", "uvicorn", "uvicorn.error", "uvicorn.access", "uvicorn.asgi", "tabletop", "asyncio")


def test_no_log_however_talkative_and_no_output_holds_a_token(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    tokens: list[str] = []

    async def test(server: Server) -> None:
        for name in LOGGERS:  # before the server begins to listen
            caplog.set_level(TRACE, logger=name)
        tokens.append(server.key)
        opened = await server.open(players=["human", "human", "random"])
        links = [link for link in [*opened["links"], opened["spectators"]] if link]
        tokens.extend(link.partition("#")[2] for link in links)
        async with server.screen(links[0]) as ada, server.screen(links[1]) as bo:
            await ada.say(type="act", line="roll")
            await ada.say(type="act", line="dance")
            for seat, screen in enumerate((ada, bo)):
                await screen.say(type="seat", seat=seat, player="random")
            over = await ada.until("state", lambda told: told["over"] and told["over"]["film"])
            await bo.socket.send('{"type":"hello","token":"' + tokens[1] + '"}')
            assert await bo.closed() == 4400
        film: str = over["over"]["film"]
        tokens.append(film.partition(".")[2])
        assert (await server.web.get(film)).status_code == 200
        other = await server.open()
        async with server.socket(other["links"][0]) as screen:
            await screen.say(type="hello", token=tokens[1])
            assert await screen.closed() == 4401
        async with server.socket(other["links"][0]) as screen:
            with suppress(ConnectionClosed):
                await screen.socket.send('{"token":"' + tokens[1] + '"')
            assert await screen.closed() == 4400
        housed = next(it for it in server.hosting.tables._live.values() if it.saved.over)
        housed.table._bots_failed(RuntimeError("broken"))  # the log can be read at all
        Path(housed.saved.record).unlink()
        assert (await server.web.get(film)).status_code == 500

    serving(test, tmp_path)
    printed = capfd.readouterr()
    said = "\n".join(_told(record) for record in caplog.records if _is_ours(record))
    assert "a bot has failed" in said
    assert "uvicorn.error connection open" in said
    assert len(tokens) == 5
    for token in tokens:
        assert len(token) >= 22
        for text in (said, printed.out, printed.err):
            assert token not in text


def _is_ours(record: logging.LogRecord) -> bool:
    """Whether the server has logged it, and not the browser that the test has."""
    return not record.name.startswith(("httpx", "httpcore", "websockets.client"))


def _told(record: logging.LogRecord) -> str:
    return logging.Formatter("%(name)s %(message)s").format(record)
