"""Invitations, read and accepted by a program, also from servers that answer anything."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread

import pytest
from tests.tabletop.cli.program import refused

from tabletop.protocol import TableClosed, is_invitation, parse_link, read_invitation, take_seat

TABLE = (
    '{"title": "G", "names": ["Ada", "Bo"], "free_seats": [1], "spectator_path": "//evil/t/x#w"}'
)
SEAT = '{"title": "G", "names": ["Ada", "Bo"], "seat": 1, "link": "//evil/t/x#seat"}'


@contextmanager
def answering(*answers: tuple[int, str]) -> Iterator[tuple[str, list[str]]]:
    """Yield an invitation to a server that gives these answers, and the paths of its requests."""
    paths = list[str]()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            status, text = answers[len(paths)]
            paths.append(self.path)
            self.rfile.read(int(self.headers["content-length"]))
            self.send_response(status)
            self.send_header("location", "http://127.0.0.1:1/elsewhere")
            self.end_headers()
            self.wfile.write(text.encode("utf-8", "surrogatepass"))

        def log_message(self, *_: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/i/table%23token", paths
        server.shutdown()
        thread.join()


@pytest.mark.slow
def test_a_seat_is_taken_with_an_invitation() -> None:
    with answering((200, TABLE), (200, SEAT)) as (link, paths):
        invitation = read_invitation(link)
        assert (invitation.title, invitation.free_seats) == ("G", (1,))
        taken = take_seat(link, "Bo")
    assert paths == ["/api/invitations/table", "/api/invitations/table/sit"]
    assert (taken.names[taken.seat], parse_link(taken.link)[1]) == ("Bo", "seat")


@pytest.mark.slow
def test_the_links_of_a_server_lead_to_the_same_server() -> None:
    with answering((200, TABLE), (200, SEAT)) as (link, _):
        invitation = read_invitation(link)
        taken = take_seat(link)
    base = link.partition("/i/")[0]
    assert invitation.watch == f"{base}/t/x#w"
    assert taken.link == f"{base}/t/x#seat"


@pytest.mark.slow
def test_a_link_of_a_server_is_quoted_in_a_command_for_a_shell() -> None:
    full = TABLE.replace("[1]", "[]").replace("x#w", "x';touch evil;'#w")
    with answering((200, full)) as (link, _):
        message = refused("join", link, status=1)
    command = message.partition(" run: ")[2]
    watch = link.partition("/i/")[0] + "/t/x';touch evil;'#w"
    assert shlex.split(command) == ["tabletop", "join", watch]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("status", "text", "reason"),
    [
        (409, '{"error": "no seat is free"}', "no seat is free"),
        (302, "", "does not answer as a tabletop server"),
        (500, "<html>", "does not answer as a tabletop server"),
        (200, "[" * 100_000, "does not answer as a tabletop server"),
        (200, '{"title": 3}', "does not answer as a tabletop server"),
        (200, SEAT.replace("1", "9"), "does not answer as a tabletop server"),
        (200, "\ud800", "does not answer as a tabletop server"),
    ],
)
def test_a_refusal_or_an_answer_of_another_kind_is_an_error(
    status: int, text: str, reason: str
) -> None:
    with answering((status, text)) as (link, _), pytest.raises(TableClosed, match=reason):
        take_seat(link)


@pytest.mark.parametrize(
    "link",
    ["http://127.0.0.1:1/i/b#тест", "http://127.0.0.1:1/i/тест#c", f"http://{'ü' * 70}/i/b#c"],
)
def test_an_invitation_in_letters_that_a_request_cannot_contain_is_an_error(link: str) -> None:
    with pytest.raises(TableClosed, match="copy the whole link"):
        read_invitation(link)


@pytest.mark.parametrize(
    ("link", "expected"),
    [
        ("http://a/i/b#c", True),
        (" https://a.b:1/i/b%23c\n", True),
        ("http://a/i/b", False),
        ("http://a/t/b#c", False),
        ("http://a/i/b/sit#c", False),
        ("ftp://a/i/b#c", False),
        ("http://[a/i/b#c", False),
        ("/i/b#c", False),
        ("http://a/i/#c", False),
        ("http://a:b/i/b#c", False),
    ],
)
def test_an_invitation_is_recognized(link: str, expected: bool) -> None:
    assert is_invitation(link) == expected


def test_an_invitation_is_not_the_link_of_a_seat() -> None:
    with pytest.raises(TableClosed, match="invitation"):
        parse_link("http://a/i/b#c")
