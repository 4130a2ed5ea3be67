"""The client in JavaScript, as a page of somebody else imports it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.server import Server

pytestmark = pytest.mark.slow

BEGIN = """async ([link, options]) => {
  const { connect } = await import("/tabletop.js");
  const table = connect(link, options);
  const told = [];
  for (const name of ["table", "log", "note", "consent", "connected", "lost", "ended"])
    table.on(name, (it) => told.push(name === "ended" ? `ended: ${it.reason}` : name));
  const states = [];
  const heard = [];
  table.on("state", (state, before, changed) => {
    told.push("state");
    const { fields, view, lines } = changed;
    states.push([before?.ply ?? null, state.ply, fields, view, lines.length]);
    for (const one of [...heard]) one(state);
  });
  const until = (wanted) => new Promise((resolve) => {
    const look = (state) => { if (state && wanted(state)) resolve(state); };
    heard.push(look);
    look(table.state);
  });
  const tried = (asked) => asked.then((it) => it ?? "done", (error) => [error.name, error.reason]);
  Object.assign(globalThis, { table, told, states, until, tried, connect });
}"""


@pytest.fixture
def page(server: Server, browser: Browser) -> Iterator[Page]:
    """An empty page of the server, which leaves the client to the test."""
    page = browser.new_page()
    page.goto(f"{server.address}/api/games")
    yield page
    page.close()


def sit(page: Page, link: str, **options: object) -> None:
    """Connect to a table: `table`, and what has been told of it, are names of the page then."""
    page.evaluate(BEGIN, [link, options])
    page.evaluate("until(() => true)")


def links_of(server: Server, players: list[str], game: str = "lcr") -> list[str]:
    """The links of a new table."""
    links: list[str] = server.open(game, players=players, seed="old oak")["links"]
    return links


def test_a_state_comes_with_what_has_changed_since(server: Server, page: Page) -> None:
    link = links_of(server, ["human", "human", "human"])[0]
    sit(page, link)
    assert page.evaluate("told.slice(0, 2)") == ["connected", "table"]
    first = page.evaluate("states[0]")
    assert first[:2] == [None, 0]
    assert {"ply", "view", "choices"} <= set(first[2])
    assert first[4] == 0  # what was before one came is no news
    assert page.evaluate("tried(table.act(table.state.choices[0]))") == "done"
    before, ply, fields, view, lines = page.evaluate("states[1]")
    assert (before, ply) == (0, 1)
    assert {"ply", "view", "turn"} <= set(fields)
    assert "seat" not in fields
    assert set(view) <= set(page.evaluate("Object.keys(table.state.view)"))
    assert lines == page.evaluate("table.lines.length") > 0
    assert page.evaluate("table.lines.some(({ event }) => event.type === 'ActionPlayed')")


@pytest.mark.parametrize("data", [True, False])
def test_a_client_gets_the_data_and_the_picture_that_it_wants(
    server: Server, page: Page, *, data: bool
) -> None:
    link = links_of(server, ["human", "human", "human"])[0]
    sit(page, link, data=data)
    assert (page.evaluate("table.state.view !== null"), page.evaluate("table.state.svg")) == (
        data,
        "",
    )
    page.evaluate("table.layout('narrow')")
    assert page.evaluate("until(({ svg }) => svg.startsWith('<svg')).then(() => true)")


def test_what_is_refused_breaks_a_promise_with_the_reason(server: Server, page: Page) -> None:
    links = links_of(server, ["human", "human", "human"])
    sit(page, links[0])
    for asked, reason in {
        "table.act('dance')": "words",
        "table.act('roll', { seat: 1 })": "refused",
        "table.reseat(0, 'deep blue')": "refused",
        "table.undo()": "refused",
    }.items():
        assert [asked, *page.evaluate(f"tried({asked})")] == [asked, "TableError", reason]
    assert page.evaluate("tried(table.explain('chips'))") != ""
    page.evaluate("globalThis.first = table.state.revision")
    assert page.evaluate("tried(table.act(table.state.choices[0], { revision: first }))") == "done"
    again = "tried(table.act('roll', { revision: first }))"
    assert page.evaluate(again) == "done"  # a double click is one
    assert page.evaluate("table.state.ply") == 1


def test_any_request_of_the_protocol_can_be_sent_by_its_type(server: Server, page: Page) -> None:
    sit(page, links_of(server, ["human", "human", "human"])[0])
    samples = page.evaluate("tried(table.request('sample', { count: 2 }))")
    assert len(samples["states"]) == 2
    assert page.evaluate("tried(table.request('say', { text: 'hello' }))") == "done"
    refusal = page.evaluate("tried(table.request('seat', { seat: 0, player: 'deep blue' }))")
    assert refusal == ["TableError", "refused"]


def test_a_wrong_call_says_what_would_be_right_and_shows_no_token(
    server: Server, page: Page
) -> None:
    sit(page, links_of(server, ["human", "human", "human"])[0])
    said: list[str] = page.evaluate("""() => {
      const calls = [
        () => connect("/t/x#secret"),
        () => connect(`${location.origin}/#secret`),
        () => connect(`${location.origin}/t/x#y`, { pictures: "wide" }),
        () => table.on("sate", () => {}),
      ];
      const said = (call) => { try { return call(); } catch (error) { return String(error); } };
      return calls.map(said);
    }""")
    assert [it.partition(":")[0] for it in said] == ["TypeError"] * 4
    assert "https://HOST/t/TABLE#TOKEN" in said[0]
    assert "picture or data" in said[2]
    assert "state" in said[3]
    assert "secret" not in "".join(said)


@pytest.mark.parametrize("token", ["wrong", "cut%2"])
def test_a_link_that_opens_nothing_ends_it_and_a_retry_asks_again(
    server: Server, page: Page, token: str
) -> None:
    link = links_of(server, ["human", "human", "human"])[0].partition("#")[0]
    page.evaluate(BEGIN, [f"{link}#{token}", {}])
    page.wait_for_function("() => told.length === 1")
    assert page.evaluate("told") == ["ended: token"]
    assert page.evaluate("tried(table.hint())") == ["TableError", "unsent"]
    page.evaluate("table.retry()")
    page.wait_for_function("() => told.length === 2")
    assert page.evaluate("told") == ["ended: token"] * 2


def test_who_was_cut_off_comes_back_and_nothing_is_sent_twice(server: Server, page: Page) -> None:
    links = links_of(server, ["human", "human", "human"])
    sent: list[str] = []
    page.on("websocket", lambda it: it.on("framesent", lambda text: sent.append(str(text))))
    sit(page, links[0])
    lines = page.evaluate("tried(table.act('roll')).then(() => table.lines.length)")
    answer = page.evaluate_handle("() => ({ asked: tried(table.request('sample', { count: 1 })) })")
    server.cut()
    page.wait_for_function("() => told.filter((it) => it === 'connected').length === 2")
    page.wait_for_function("() => states.length > 2")
    assert "lost" in page.evaluate("told")
    assert answer.evaluate("({ asked }) => asked")[0] == "TableError"
    assert page.evaluate("states.at(-1)")[:2] == [1, 1]
    assert page.evaluate("table.lines.length") == lines
    assert sum('"act"' in text for text in sent) == 1
    assert sum('"hello"' in text for text in sent) == 2
    page.evaluate("table.close()")
    count = page.evaluate("told.length")
    server.cut()
    page.wait_for_timeout(100)
    assert page.evaluate("told.length") == count
    assert page.evaluate("tried(table.act('roll'))") == ["TableError", "unsent"]


def test_who_has_asked_and_is_cut_off_is_told_that_the_answer_is_lost(
    server: Server, page: Page
) -> None:
    sit(page, links_of(server, ["human", "human", "human"])[0])
    lost: Any = page.evaluate(
        "() => { const asked = tried(table.act('roll')); table.close(); return asked; }"
    )
    assert lost == ["TableError", "lost"]


def test_it_runs_without_a_document(server: Server, page: Page) -> None:
    link = links_of(server, ["human", "human", "human"])[0]
    with page.expect_worker() as starting:
        page.evaluate("new Worker('/tabletop.js', { type: 'module' })")
    worker = starting.value
    worker.evaluate(BEGIN, [link, {}])
    assert worker.evaluate("until(({ your_turn }) => your_turn.length).then(({ ply }) => ply)") == 0
    assert worker.evaluate("tried(table.act('roll'))") == "done"
    assert worker.evaluate("table.state.ply") == 1
