"""What people say to each other at a table, and how many only watch."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tabletop.web.served import Screen, Server, serving, with_server


async def chat(screen: Screen) -> dict[str, object]:
    """The next line that somebody says."""
    while True:
        told = await screen.until("log")
        for line in told["lines"]:
            if line["kind"] == "chat":
                return dict(line)


@with_server(quick=True)
async def test_half_an_emoji_is_refused_and_the_connection_stays(server: Server) -> None:
    opened = await server.open(seats=3)
    async with server.screen(opened["links"][0]) as ada:
        for number, message in enumerate(({"type": "say", "text": "\ud83d"}, ACT), 1):
            await ada.say(**message, id=number)
            refused = await ada.until("refused")
            assert (refused["id"], refused["reason"]) == (number, "refused")
        await ada.say(type="say", text="\U0001f600", id=3)
        assert (await ada.until("done"))["id"] == 3


ACT = {"type": "act", "line": "roll \udc00"}
"""An action whose words contain the second half of a character alone."""


@with_server()
async def test_what_is_said_draws_no_position_anew(server: Server) -> None:
    opened = await server.open(seats=3)
    async with server.screen(opened["links"][0]) as ada, server.screen(opened["links"][1]) as bo:
        await ada.until("state")
        await bo.until("state")
        await bo.say(type="say", text="hello")
        said = await chat(ada)
        await ada.say(type="act", line="roll")
        state = await ada.at(1)
        assert sum('"type":"state"' in text or '"changes"' in text for text in ada.texts) == 2
        assert state["log_line"] > said["number"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("one\n\ntwo\t three", "one two three"),
        ("  \x1b[2Jclear", "\N{REPLACEMENT CHARACTER}[2Jclear"),
        ("\N{RIGHT-TO-LEFT OVERRIDE}abc", "\N{REPLACEMENT CHARACTER}abc"),
        ("<b>bold</b> & 'so on'", "<b>bold</b> & 'so on'"),
        ("x" * 500, "x" * 500),
    ],
)
@pytest.mark.slow
def test_what_is_said_is_one_line_that_obeys_nobody(text: str, said: str, tmp_path: Path) -> None:
    async def test(server: Server) -> None:
        opened = await server.open(seats=3)
        async with server.screen(opened["links"][0]) as ada:
            await ada.say(type="say", text=text)
            assert (await chat(ada))["text"] == said

    serving(test, tmp_path)


@with_server()
async def test_words_that_nobody_can_see_are_refused_and_too_many_are_no_message(
    server: Server,
) -> None:
    opened = await server.open(seats=3)
    async with server.screen(opened["links"][0]) as ada:
        for text in (" ", "\n", "\N{ZERO WIDTH SPACE}", "\N{COMBINING ACUTE ACCENT}"):
            await ada.say(type="say", text=text, id=4)
            assert "message is empty" in (await ada.until("refused"))["message"]
        await ada.say(type="say", text="x" * 501)
        assert await ada.closed() == 4400


@with_server()
async def test_what_people_say_is_written_nowhere(server: Server) -> None:
    opened = await server.open(players=["human", "human", "random"])
    async with server.screen(opened["links"][0]) as ada:
        await ada.say(type="say", text="quagga nightjar")
        await chat(ada)
        await ada.say(type="act", line="roll")
        await ada.at(1)
    live = server.hosting.tables.listing.live[opened["table"]]
    record = Path(live.saved.record)
    server.hosting.tables._unload(live)
    files = [record, *server.directory.glob("**/*.json")]
    assert len(files) > 1
    assert not [file for file in files if b"quagga" in file.read_bytes()]
    async with server.screen(opened["links"][0]) as ada:
        await ada.until("state")
    assert "quagga" not in "".join(ada.texts), "it is forgotten with the table"


# Who watches.


@with_server()
async def test_spectators_who_come_and_go_make_no_storm_of_messages(server: Server) -> None:
    opened = await server.open(seats=3)
    async with server.screen(opened["links"][0]) as ada:
        await ada.until("state")
        for _ in range(20):
            async with server.screen(opened["spectators"]) as cy:
                await cy.until("state")
        async with server.screen(opened["spectators"]):
            await ada.until("table", lambda told: told["spectator_count"] == 1)
        assert sum('"type":"table"' in text for text in ada.texts) < 12
