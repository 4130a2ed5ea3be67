"""What can be measured of how pages look: for everybody, on every screen."""

from __future__ import annotations

from importlib.resources import files
from typing import Any, Final, Literal, TypeAlias

import pytest

from tests.browser.conftest import NARROW, WIDE, Visitors, mainly
from tests.browser.policies import duel, rolling
from tests.browser.scenes import SCENES, lcr, shown, staged
from tests.browser.screen import Screen
from tests.browser.server import Server

pytestmark = pytest.mark.slow

AXE: Final = (files("tests.browser") / "data" / "axe" / "axe.min.js").read_text("utf-8")

RUN_AXE: Final = """async (within) => (await axe.run(within)).violations
    .filter(({impact}) => impact === "serious" || impact === "critical")
    .map(({id, help, nodes}) => [id, help, ...nodes.slice(0, 3).map(({html}) => html)])"""

Scheme: TypeAlias = Literal["light", "dark"]
SIZES: Final = {"wide": WIDE, "narrow": NARROW}


def barriers(screen: Screen, within: str = "html") -> list[Any]:
    """What axe-core finds within an element that keeps people out."""
    if not screen.page.evaluate("() => 'axe' in globalThis"):
        screen.page.evaluate(AXE)
    found: list[Any] = screen.page.evaluate(RUN_AXE, within)
    return found


@pytest.mark.parametrize(
    ("name", "scheme", "other"),
    [
        ("sorcery-middle", "dark", "light"),
        pytest.param("constructor-names", "light", "dark", marks=pytest.mark.matrix),
        pytest.param("lcr-over", "light", "light", marks=pytest.mark.matrix),
    ],
)
def test_nothing_at_a_table_keeps_anybody_out(
    server: Server, visitors: Visitors, name: str, scheme: Scheme, other: Scheme
) -> None:
    screen = shown(visitors.sit(staged(server, name), size=NARROW, scheme=scheme))
    assert barriers(screen) == []
    assert too_wide(screen) == 0
    assert outside(screen) == []
    assert too_small(screen) == []
    assert hidden_below(screen) == 0
    screen.page.click("#bar-actions")
    assert too_small(screen) == []
    assert too_wide(screen) == 0
    screen.page.click("#bar-log")
    assert barriers(screen, "#story") == []
    screen.page.click("#open-about")
    assert barriers(screen, "#about") == []
    assert too_wide(screen) == 0
    screen.page.click("#close-about")
    before = screen.state["svg"]
    screen.page.set_viewport_size({"width": WIDE[0], "height": WIDE[1]})
    screen.page.emulate_media(color_scheme=other)
    screen.until(lambda: screen.state["svg"] != before, "the picture of a wide screen")
    screen.settled()
    assert barriers(screen) == []
    assert too_wide(screen) == 0
    assert outside(screen) == []
    screen.page.click("#open-about")
    assert barriers(screen, "#about") == []
    assert too_wide(screen) == 0


@pytest.mark.parametrize(
    ("size", "scheme"),
    [pytest.param("wide", "dark", marks=pytest.mark.matrix), ("narrow", "light")],
)
def test_nothing_in_the_lobby_keeps_anybody_out(
    server: Server, visitors: Visitors, size: str, scheme: Scheme
) -> None:
    host = visitors.come(size=SIZES[size], scheme=scheme)
    host.page.goto(server.lobby)
    host.page.wait_for_selector("#games-list li")
    button = host.page.locator("#open-table")
    for game in ("lcr", "constructor", "sorcery"):
        host.page.locator(f"[data-game={game}]").get_by_role("button", name="Options").click()
        box = button.bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= SIZES[size][1], "the button is always visible"
        assert barriers(host, "#setup") == []
        host.page.click("#close-setup")
    host.page.locator("[data-game=lcr]").get_by_role("button", name="Play with friends").click()
    host.page.wait_for_selector("#invite[open]")
    assert barriers(host, "#invite") == []
    link = host.page.input_value("#invite-link")
    host.page.click("#close-invite")
    for page in ("the lobby", "the invitation"):
        assert barriers(host) == [], page
        assert too_wide(host) == 0
        if size == "narrow":
            assert too_small(host) == []
        host.page.goto(link)
        host.page.wait_for_selector("#sit", state="visible")


@pytest.mark.parametrize(
    ("size", "scheme"),
    [pytest.param("wide", "light", marks=pytest.mark.matrix), ("narrow", "dark")],
)
def test_nothing_on_the_hosts_page_keeps_anybody_out(
    server: Server, visitors: Visitors, size: str, scheme: Scheme
) -> None:
    opened = server.open("sorcery", names=["Ada", "Bo"])
    host = visitors.come(size=SIZES[size], scheme=scheme)
    host.page.goto(server.host)
    row = host.page.locator(f"li[data-name='{opened['table']}']")
    row.locator("summary").click()
    row.get_by_role("button", name="End Sorcery").click()
    host.page.click("#numbers summary")
    assert barriers(host) == []
    assert too_wide(host) == 0
    if size == "narrow":
        assert too_small(host) == []


def test_nothing_in_a_film_keeps_anybody_out(server: Server, visitors: Visitors) -> None:
    opened = server.open(**SCENES["lcr-over"].wish)
    screen = visitors.sit(opened["links"][0])
    before = screen.page.locator("#picture svg").bounding_box()
    server.play(opened["table"], rolling("replay"))
    screen.until(lambda: screen.over, "the end")
    screen.settled()
    after = screen.page.locator("#picture svg").bounding_box()
    assert before is not None
    assert after is not None
    assert after["height"] >= before["height"] - 1, "the board keeps its size"
    screen.until_replay_page()
    replay = visitors.follow(screen.settled(), "#replay")
    looks: list[tuple[tuple[int, int], Scheme]] = [(WIDE, "light"), (NARROW, "dark")]
    for size, scheme in looks:
        replay.page.set_viewport_size({"width": size[0], "height": size[1]})
        replay.page.emulate_media(color_scheme=scheme)
        assert barriers(replay) == []
        assert too_wide(replay) == 0


def test_who_wants_less_motion_sees_none(server: Server, visitors: Visitors) -> None:
    opened = server.open("sorcery", players=["human", "duelist"], seed="old oak")
    moving = visitors.sit(opened["links"][0], motion="no-preference")
    still = visitors.sit(opened["links"][0], motion="reduce")
    for screen in (moving, still):
        screen.page.evaluate(COUNT_ANIMATIONS)
    server.play(opened["table"], duel("motion"), 2)
    moving.until(lambda: moving.page.evaluate("() => globalThis.animations") > 0, "motion")
    still.settled()
    assert still.page.evaluate("() => globalThis.animations") == 0
    assert still.page.evaluate("() => document.getAnimations().length") == 0


COUNT_ANIMATIONS: Final = """() => {
    globalThis.animations = 0;
    const animate = Element.prototype.animate;
    Element.prototype.animate = function (...how) {
        globalThis.animations += 1;
        return animate.apply(this, how);
    };
}"""


def too_wide(screen: Screen) -> int:
    """How many pixels of a page lie beside the window."""
    script = "() => Math.max(0, document.scrollingElement.scrollWidth - innerWidth)"
    return int(screen.page.evaluate(script))


def hidden_below(screen: Screen) -> int:
    """How many pixels of the picture, at whose bottom the hand is, have to be scrolled to."""
    script = "() => picture.scrollHeight - picture.clientHeight"
    return int(screen.page.evaluate(script))


def too_small(screen: Screen) -> list[Any]:
    """Buttons and fields that are seen and smaller than a finger."""
    found: list[Any] = screen.page.evaluate(
        """() => [...document.querySelectorAll("button, a.button, select, input, textarea")]
            .filter(one => one.checkVisibility() && !["checkbox", "radio"].includes(one.type))
            .map(one => [one.id || one.textContent, one.getBoundingClientRect()])
            .filter(([, {width, height}]) => width && (width < 43.5 || height < 43.5))
            .map(([name, {width, height}]) => [name, Math.round(width), Math.round(height)])"""
    )
    return found


def outside(screen: Screen) -> list[Any]:
    """Texts of the picture that leave the picture."""
    found: list[Any] = screen.page.evaluate(
        """() => {
            const svg = document.querySelector("#picture svg");
            const {x, y, width, height} = svg.viewBox.baseVal;
            const inverse = svg.getScreenCTM().inverse();
            const corner = (left, top) => new DOMPoint(left, top).matrixTransform(inverse);
            return [...svg.querySelectorAll("text")].filter(text => {
                const box = text.getBoundingClientRect();
                const [from, to] = [corner(box.left, box.top), corner(box.right, box.bottom)];
                return box.width && (from.x < x - 1 || from.y < y - 1
                    || to.x > x + width + 1 || to.y > y + height + 1);
            }).map(text => text.textContent);
        }"""
    )
    return found


@pytest.mark.parametrize("seats", mainly(11, 6, 10))
def test_names_of_many_can_be_read(seats: int, server: Server, visitors: Visitors) -> None:
    screen = visitors.sit(server.open(**lcr(0, seats=seats).wish)["links"][0])
    assert screen.page.locator("#seats .name").count() == seats
    cut = "names => names.filter(one => one.scrollWidth > one.clientWidth).length"
    hidden = "seats => seats.scrollHeight - seats.clientHeight"
    edges = """() => ["#title", "#seats", "#tools"].flatMap(place => {
        const {left, right} = document.querySelector(place).getBoundingClientRect();
        return [left, right];
    })"""
    for width, height in (WIDE, (1100, 800)):
        screen.page.set_viewport_size({"width": width, "height": height})
        assert screen.page.locator("#seats .name").evaluate_all(cut) == 0
        assert screen.page.locator("#seats").evaluate(hidden) <= 0
        shown_edges = screen.page.evaluate(edges)
        assert shown_edges == sorted(shown_edges), "the title, seats and buttons overlap"
        assert too_wide(screen) == 0


def test_on_a_phone_the_lit_vertex_that_is_nearest_to_a_finger_is_meant(
    server: Server, visitors: Visitors
) -> None:
    wish = SCENES["constructor-beginning"].wish
    screen = visitors.sit(server.open(**wish)["links"][0], size=NARROW).settled()
    screen.until(lambda: screen.state["your_turn"], "a turn")
    screen.settled()
    missed = screen.page.evaluate(
        """async () => {
            const page = document.querySelector("script[type=module]").src;
            const {partAt} = await import(new URL("picture.js", page));
            const lit = [...document.querySelectorAll('.tt-lit[data-part^="vertex-"]')];
            const middle = part => {
                const box = part.querySelector(".tt-hit").getBoundingClientRect();
                return {x: box.x + box.width / 2, y: box.y + box.height / 2, part};
            };
            const middles = lit.map(middle);
            const missed = [];
            for (const {x, y, part} of middles) for (let turn = 0; turn < 8; turn += 1) {
                const clientX = x + 21.5 * Math.cos(turn * Math.PI / 4);
                const clientY = y + 21.5 * Math.sin(turn * Math.PI / 4);
                const away = one => Math.hypot(one.x - clientX, one.y - clientY);
                const nearest = middles.reduce((best, one) => away(one) < away(best) ? one : best);
                const met = partAt({clientX, clientY});
                if (met !== nearest.part) missed.push([part.dataset.part, turn, met?.dataset.part]);
            }
            return [lit.length, missed];
        }"""
    )
    assert missed == [54, []]
    assert too_small(screen) == []
    assert too_wide(screen) == 0
