"""The files of a game's own page, and their permissions."""

from __future__ import annotations

import asyncio
import io
import re
from dataclasses import replace
from pathlib import Path

import httpx
import pytest
from tools.message_types import LINE, PACKAGE, TYPES, message_types, package_text
from websockets.exceptions import InvalidHandshake

from lcr import PLUGIN as LCR
from tabletop import Match, Plugin, RegistryError
from tabletop.terminal import Console, LocalTable
from tabletop.web import LocalWindow
from tabletop.web.faces import MAX_FILE
from tests.tabletop.web.served import Server, serving

STATIC = TYPES.parent
INDEX = "<!doctype html><title>Chips</title>\n"


@pytest.fixture
def faced(tmp_path: Path) -> Plugin:
    """LCR with a page, next to files that do not belong to the page."""
    page = tmp_path / "page"
    (page / "sub").mkdir(parents=True)
    for name, text in {
        "../secret.js": "secret",
        "index.html": INDEX,
        "sub/more.html": INDEX,
        "face.js": "// Ada ✓\n",
        "face.css": "",
        "face.exe": "",
        ".env.js": "secret",
        "sub/.git.js": "secret",
        "mask.svg": "<svg xmlns='http://www.w3.org/2000/svg'/>",
    }.items():
        (page / name).write_text(text, "utf-8")
    with (page / "huge.png").open("wb") as huge:
        huge.truncate(MAX_FILE + 1)
    (page / "out.js").symlink_to(tmp_path / "secret.js")
    return replace(LCR, game=Chips(), page=page)


class Chips(type(LCR.game)):  # type: ignore[misc]
    """LCR without a page, under another name."""

    name = "chips"


def place_of(opened: dict[str, str]) -> str:
    """The address of a table."""
    return f"/t/{opened['table']}"


def test_a_table_of_a_game_with_a_page_has_a_frame_for_it_and_the_plain_page(
    faced: Plugin, tmp_path: Path
) -> None:
    async def test(server: Server) -> None:
        place, other = place_of(await server.open("chips")), place_of(await server.open("lcr"))
        around = await server.web.get(place)
        (sandbox,) = re.findall(r'<iframe[^>]* sandbox="([^"]*)"', around.text)
        assert set(sandbox.split()) == {"allow-scripts", "allow-forms", "allow-pointer-lock"}
        policy = around.headers["content-security-policy"]
        assert "frame-src 'self'" in policy
        assert "frame-ancestors 'none'" in policy
        page = await server.web.get(f"{place}/page/")
        assert page.text == INDEX
        alone = await server.web.get(f"{place}/page/", headers={"sec-fetch-dest": "document"})
        assert (alone.status_code, alone.headers["location"]) == (307, place)
        ours = (await server.web.get(f"{place}/plain")).text
        assert 'id="picture"' in ours
        assert 'id="picture"' in (await server.web.get(other)).text
        assert (await server.web.get(f"{other}/plain")).headers["location"] == other
        assert (await server.web.get(f"{other}/page/")).status_code == 404
        assert (await server.web.get("/t/nowhere/page/")).status_code == 404

    serving(test, tmp_path / "tables", plugins=(faced,))


def test_each_file_of_a_page_of_a_game_runs_in_a_sandbox_that_only_our_page_may_frame(
    faced: Plugin, tmp_path: Path
) -> None:
    async def test(server: Server) -> None:
        place = place_of(await server.open("chips"))
        for name in ("", "index.html", "sub/more.html", "face.js", "mask.svg"):
            answer = await server.web.get(f"{place}/page/{name}")
            assert answer.status_code == 200, name
            policy = answer.headers["content-security-policy"]
            assert policy.startswith("sandbox allow-scripts ")
            assert "allow-same-origin" not in policy
            assert "default-src 'none'" in policy
            assert "frame-ancestors 'self'" in policy
            assert answer.headers["x-frame-options"] == "SAMEORIGIN"
            assert answer.headers["access-control-allow-origin"] == "*"
            assert answer.headers["cross-origin-resource-policy"] == "cross-origin"
            assert answer.headers["cache-control"] == "no-cache"
        face = await server.web.get(f"{place}/page/face.js")
        assert face.headers["content-type"] == "text/javascript; charset=utf-8"
        assert face.text == "// Ada ✓\n"
        same = {"if-none-match": face.headers["etag"]}
        assert (await server.web.get(f"{place}/page/face.js", headers=same)).status_code == 304

    serving(test, tmp_path / "tables", plugins=(faced,))


def test_the_window_beside_a_terminal_shows_the_page_of_the_game(faced: Plugin) -> None:
    loop = asyncio.new_event_loop()
    window = LocalWindow(faced, loop)
    match = Match(faced.game, seed="old oak", seats=3)
    console = Console(io.StringIO(), io.StringIO())
    window.show(LocalTable(match, faced, ["human"] * 3, console).table)

    async def look() -> httpx.Response:
        async with httpx.AsyncClient(follow_redirects=True) as web:
            return await web.get(window.new_link())

    page = loop.run_until_complete(look())
    assert "<iframe" in page.text
    assert str(page.url) == window.address
    window.close()
    loop.close()


def test_no_other_file_of_the_machine_is_served(faced: Plugin, tmp_path: Path) -> None:
    async def test(server: Server) -> None:
        place = place_of(await server.open("chips"))
        for name in (
            "..%2fsecret.js",
            "%2e%2e/secret.js",
            "sub/..%2f..%2fsecret.js",
            "..%5csecret.js",
            str(tmp_path / "secret.js"),
            "/" + str(tmp_path / "secret.js"),
            ".env.js",
            "sub/.git.js",
            "out.js",
            "face.exe",
            "face.js%00.png",
            "huge.png",
            "sub",
            "sub/",
            "nothing.js",
            "x" * 300 + ".js",
        ):
            answer = await server.web.get(f"{place}/page/{name}")
            assert answer.status_code == 404, name
            assert "secret" not in answer.text
        assert (await server.web.post(f"{place}/page/face.js")).status_code == 405

    serving(test, tmp_path / "tables", plugins=(faced,))


def test_a_page_without_an_origin_may_load_its_files_and_nothing_else(
    faced: Plugin, tmp_path: Path
) -> None:
    async def test(server: Server) -> None:
        opened = await server.open("chips")
        place = place_of(opened)
        key = {"authorization": f"Bearer {server.key}"}

        async def status(origin: str, path: str, method: str = "GET") -> int:
            asked = await server.web.request(method, path, headers={"origin": origin, **key})
            return asked.status_code

        for path in (f"{place}/page/", f"{place}/page/face.js", "/tabletop.js", "/tabletop.d.ts"):
            assert await status("null", path) == 200
            assert await status("https://evil.example", path) == 403
        (script,) = re.findall(r'"(/static/[^"]*/frame.js)"', (await server.web.get(place)).text)
        for path in (
            "/",
            "/api/games",
            "/api/tables",
            place,
            f"{place}/plain",
            "/replay/x",
            script,
        ):
            assert await status("null", path) == 403
        assert await status("null", "/api/tables", "POST") == 403

        for origin in ("null", "https://evil.example"):
            with pytest.raises(InvalidHandshake):
                async with server.socket(opened["links"][0], origin=origin):
                    pass

    serving(test, tmp_path / "tables", plugins=(faced,))


def test_the_client_in_javascript_is_at_an_address_that_stays(tmp_path: Path) -> None:
    async def test(server: Server) -> None:
        for name in ("tabletop.js", "tabletop.d.ts"):
            answer: httpx.Response = await server.web.get(f"/{name}")
            assert answer.text == (STATIC / name).read_text("utf-8")
            assert answer.headers["cache-control"] == "no-cache"
            same = {"if-none-match": answer.headers["etag"]}
            assert (await server.web.get(f"/{name}", headers=same)).status_code == 304
        kind = (await server.web.get("/tabletop.js")).headers["content-type"]
        assert kind.startswith("text/javascript")
        assert (await server.web.get("/tabletop.py")).status_code == 404

    serving(test, tmp_path)


def test_a_folder_that_is_no_page_is_refused_where_it_is_declared(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    for page in (tmp_path / "nowhere", tmp_path / "empty", str(tmp_path)):
        with pytest.raises(
            RegistryError, match=r"page is .*, not the path of a folder with an ind"
        ):
            replace(LCR, page=page)  # type: ignore[arg-type]


def test_the_types_of_messages_are_those_of_the_protocol() -> None:
    _, _, below = TYPES.read_text("utf-8").partition(LINE)
    assert below == f"\n{message_types()}", "run: python -m tools.message_types"


def test_all_messages_are_public_names_of_the_protocol() -> None:
    assert PACKAGE.read_text("utf-8") == package_text(), "run: python -m tools.message_types"


def test_the_methods_of_the_client_in_javascript_have_types() -> None:
    module, types = ((STATIC / f"tabletop.{end}").read_text("utf-8") for end in ("js", "d.ts"))
    table = module[module.index("export class Table {") :].partition("\n}")[0]
    methods = set(re.findall(r"^  (\w+)\(.*\{$", table, re.MULTILINE)) - {"constructor"}
    declared = types[types.index("export class Table {") :].partition("\n}")[0]
    assert set(re.findall(r"^  (\w+)[(<]", declared, re.MULTILINE)) == methods


def test_our_page_has_no_other_way_to_a_table() -> None:
    for file in STATIC.glob("*.js"):
        if file.name != "tabletop.js":
            assert "WebSocket" not in file.read_text("utf-8"), file.name
