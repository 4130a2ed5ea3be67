"""The messages about votes on an undo and on a pause, and the players who receive them."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal, NamedTuple

import pytest

from tests.tabletop.web.served import Screen, Server, serving


class Ending(NamedTuple):
    """An answer or action that ends a vote, and the reasons and notes that each player receives.

    Ada has asked, and Cy has agreed.
    """

    kind: Literal["undo", "pause"]
    name: str
    message: dict[str, Any]
    reasons: tuple[str, str, str]
    note: str = ""


YES, NO = {"type": "consent", "yes": True}, {"type": "consent", "yes": False}
ROLL = {"type": "act", "line": "roll"}
DROPPED = "the {} request was dropped, because the match has continued"
REFUSED = "Bo refused the {} request"
WITHDRAWN = "Ada has withdrawn the request"

ENDINGS = [
    Ending("undo", "Bo", YES, ("", "", "")),
    Ending("pause", "Bo", YES, ("", "", "")),
    Ending("undo", "Bo", NO, (REFUSED.format("undo"), "", REFUSED.format("undo"))),
    Ending("pause", "Bo", NO, (REFUSED.format("pause"), "", REFUSED.format("pause"))),
    Ending("undo", "Ada", NO, ("", WITHDRAWN, WITHDRAWN)),
    Ending("pause", "Ada", NO, ("", WITHDRAWN, WITHDRAWN)),
    Ending("undo", "Bo", ROLL, ("", "", ""), DROPPED.format("undo")),
    Ending("pause", "Bo", ROLL, ("", "", ""), DROPPED.format("pause")),
]


def asked(message: dict[str, Any]) -> tuple[str, str, str, int, bool]:
    return tuple(message[it] for it in ("name", "kind", "aim", "actions", "yours"))


@pytest.mark.slow
@pytest.mark.parametrize(
    "ending", ENDINGS, ids=lambda it: f"{it.kind}-{it.name}-{it.message.get('yes', 'act')}"
)
def test_players_receive_the_vote_and_the_reason_of_its_end(ending: Ending, tmp_path: Path) -> None:
    is_undo = ending.kind == "undo"
    request = {"type": "undo"} if is_undo else {"type": "propose", "kind": "pause"}
    aim = ("undo", "undo 1 action", 1) if is_undo else ("pause", "stop the clocks", 0)

    async def test(server: Server) -> None:
        names = ["Ada", "Bo", "Cy"]
        opened = await server.open(names=names, casual=True, clock=500)
        links = opened["links"]
        async with (
            server.screen(links[0]) as ada,
            server.screen(links[1]) as bo,
            server.screen(links[2]) as cy,
            server.screen(links[2]) as second,
        ):
            screens = dict(zip(names, (ada, bo, cy), strict=True))
            await ada.until("table", lambda told: told["running"])
            await ada.say(**ROLL)
            for screen in (ada, bo, cy, second):
                await screen.at(1)
            await ada.say(**request)
            for screen in (bo, cy, second):
                assert asked(await screen.until("consent")) == ("Ada", *aim, False)
            assert asked(await ada.until("consent")) == ("Bo and Cy", *aim, True)
            async with server.screen(links[1]) as again:
                assert asked(await again.until("consent")) == ("Ada", *aim, False)
            await cy.say(type="consent", yes=True)
            assert asked(await ada.until("consent")) == ("Bo", *aim, True)
            for screen in (cy, second):  # another screen of the player who agreed
                assert asked(await screen.until("consent")) == ("", "", "", 0, False)
            await screens[ending.name].say(**ending.message)
            ended = [await screen.until("consent") for screen in (ada, bo, cy)]
            assert {asked(message) for message in ended} == {("", "", "", 0, False)}
            assert tuple(message["reason"] for message in ended) == ending.reasons
            for screen in (ada, bo, cy):
                assert await notes(screen) == ([ending.note] if ending.note else [])

    serving(test, tmp_path)


async def notes(screen: Screen) -> list[str]:
    """The notes that a screen has received."""
    await screen.say(type="consent", yes=True, id=99)  # too late, so that an answer follows
    await screen.until("refused", lambda told: told["id"] == 99)
    return [told["text"] for told in screen.heard if told["type"] == "note"]
