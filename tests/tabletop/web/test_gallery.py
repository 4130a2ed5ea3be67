"""The gallery of the lobby: pictures, rules and data of games, QR codes and addresses."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest import mock
from xml.etree import ElementTree as ET

import pytest

from tabletop import Plugin
from tabletop.display import Picture, Scene
from tabletop.registry import load
from tabletop.web.gallery import gallery_picture
from tabletop.web.server import shared_address
from tests.tabletop.web.served import QUICK, Server, serving, with_server

GO = load("examples/go.py")
DICE = load("examples/liars_dice.py")  # it has no picture


class Failing(Picture[Any]):
    """A picture that cannot be drawn."""

    def draw(self, view: Any, scene: Scene) -> str:
        raise ValueError("/srv/secret.txt")


FAILING: Plugin = replace(load("examples/pig.py"), picture=Failing)


@with_server(plugins=(GO,))
async def test_the_list_of_games_has_the_data_of_their_cards(server: Server) -> None:
    games = {it["name"]: it for it in (await server.web.get("/api/games")).json()["games"]}
    go = games["go"]
    assert (go["summary"], go["minutes"], go["rules"]) == (GO.summary, GO.minutes, True)
    assert (go["seats"], go["rival"]) == ([2], "fair")
    assert games["lcr"]["rival"] == "random"


@with_server(plugins=(GO, DICE))
async def test_each_game_has_a_picture_that_runs_no_script(server: Server) -> None:
    for name in ("go", "liars-dice", "sorcery"):
        answer = await server.web.get(f"/api/games/{name}/picture")
        assert answer.headers["content-type"] == "image/svg+xml"
        assert answer.headers["content-security-policy"].startswith("sandbox;")
        assert ET.fromstring(answer.text).tag.endswith("svg")
    headers = {"if-none-match": answer.headers["etag"]}
    again = await server.web.get("/api/games/sorcery/picture", headers=headers)
    assert again.status_code == 304


@with_server(plugins=(FAILING,))
async def test_a_picture_that_fails_says_nothing_about_the_machine(server: Server) -> None:
    answer = await server.web.get("/api/games/pig/picture")
    assert answer.status_code == 500
    assert "secret" not in answer.text


@with_server(plugins=(FAILING,))
async def test_a_picture_is_tried_only_once(server: Server) -> None:
    with mock.patch.object(Failing, "draw", side_effect=ValueError) as draw:
        asked = [server.web.get("/api/games/pig/picture") for _ in range(3)]
        answers = await asyncio.gather(*asked)
        answers.append(await server.web.get("/api/games/pig/picture"))
    assert [answer.status_code for answer in answers] == [500] * 4
    assert draw.call_count == 1


@with_server(plugins=(GO,), limits=replace(QUICK, address_rate=0.001, address_burst=2))
async def test_pictures_count_against_the_limit_of_an_address(server: Server) -> None:
    answers = [await server.web.get("/api/games/go/picture") for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200, 200, 429]


@with_server(plugins=(GO,))
async def test_the_rules_of_a_game_are_read_before_a_table_is_opened(server: Server) -> None:
    assert (await server.web.get("/api/games/go/rules")).json() == {"rules": GO.rules}
    for what in ("rules", "picture"):
        assert (await server.web.get(f"/api/games/chess/{what}")).status_code == 404


@pytest.mark.slow
def test_answers_about_a_game_that_cannot_be_loaded_name_no_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "broken_game.py").write_text("import no_such_neighbour\n", "utf-8")
    info = tmp_path / "broken_game-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Name: broken_game\nVersion: 1.0\n", "utf-8")
    points = "[tabletop.games]\nbroken = broken_game:PLUGIN\n"
    (info / "entry_points.txt").write_text(points, "utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))

    async def test(server: Server) -> None:
        answers = [await server.web.get(f"/api/games/broken/{it}") for it in ("picture", "rules")]
        answers.append(await server.post(game="broken"))
        for answer in answers:
            assert 400 <= answer.status_code < 500
            assert "no_such_neighbour" not in answer.text
            assert str(tmp_path) not in answer.text

    serving(test, tmp_path / "tables")
    assert "no_such_neighbour" in caplog.text


def test_a_picture_shows_a_position_after_some_actions() -> None:
    assert "Your turn" in gallery_picture(GO)
    assert gallery_picture(GO) == gallery_picture(GO)
    assert gallery_picture(GO).count("<circle") > gallery_picture(replace(GO, picture=None)).count(
        "<circle"
    )


@with_server()
async def test_a_link_is_drawn_as_a_qr_code(server: Server) -> None:
    drawn = [
        await server.web.post("/api/qr", json={"link": f"http://192.0.2.1:8765/i/{it}#token"})
        for it in ("one", "two")
    ]
    assert [it.headers["content-type"] for it in drawn] == ["image/svg+xml"] * 2
    assert drawn[0].text != drawn[1].text
    assert ET.fromstring(drawn[0].text).tag.endswith("svg")


@with_server()
async def test_an_empty_or_long_text_gets_no_qr_code(server: Server) -> None:
    for body in ({"link": ""}, {"link": "x" * 201}, {}, {"text": "x"}):
        assert (await server.web.post("/api/qr", json=body)).status_code == 400


@with_server(limits=replace(QUICK, openings=0.001, openings_at_once=2))
async def test_qr_codes_are_drawn_at_a_limited_rate_for_one_address(server: Server) -> None:
    answers = [await server.web.post("/api/qr", json={"link": "x"}) for _ in range(3)]
    assert [it.status_code for it in answers] == [200, 200, 429]


@pytest.mark.parametrize(
    ("host", "names", "shared"),
    [
        ("127.0.0.1", [], "http://127.0.0.1:8765"),
        ("192.0.2.7", [], "http://127.0.0.1:8765"),
        ("127.0.0.1", ["table.example"], "https://table.example"),
        ("0.0.0.0", ["table.example"], "http://table.example:8765"),
    ],
)
def test_links_for_others_have_the_name_under_which_they_reach_the_server(
    host: str, names: list[str], shared: str
) -> None:
    assert shared_address("http://127.0.0.1:8765", host, names) == shared
