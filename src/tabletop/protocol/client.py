"""A Python client: join a table on a server with the link to a seat.

    async with connect("http://127.0.0.1:8765/t/...#...") as table:
        async for message in table:
            if isinstance(message, StateOut) and message.your_turn:
                await table.act(message.choices[0].words)

It needs the extra `web` (websockets).
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING, Any, Final, TypeVar
from urllib.parse import urljoin, urlsplit

import msgspec
from msgspec.structs import replace

from tabletop.errors import TabletopError
from tabletop.host.extras import require
from tabletop.protocol.changes import state_after
from tabletop.protocol.incoming import (
    ActIn,
    AskIn,
    ConsentIn,
    Drawing,
    ExplainIn,
    HelloIn,
    HelpIn,
    HintIn,
    LookIn,
    MessageIn,
    PassIn,
    PlayAgainIn,
    ProposeIn,
    RedoIn,
    Request,
    ReseatIn,
    ResignIn,
    RulesIn,
    SampleIn,
    SayIn,
    SitIn,
    UndoIn,
    decode,
)
from tabletop.protocol.outgoing import (
    ErrorOut,
    ExplainOut,
    HelpOut,
    HintOut,
    LineOut,
    LogOut,
    MessageOut,
    PastOut,
    Reason,
    RefusedOut,
    RulesOut,
    SamplesOut,
    StateOut,
    TableOut,
    TextOut,
    TopicOut,
)
from tabletop.states.bounds import Seat

if TYPE_CHECKING:
    from websockets.asyncio.client import ClientConnection

PAUSES: Final = (0.4, 1.0, 2.0, 4.0, 8.0, 15.0)
"""Seconds before each attempt to reconnect. The last value repeats."""

TRY_AGAIN: Final = (4408, 4429)
"""Codes in the range 4400-4499 after which the client reconnects: late, or too many messages."""

MAX_MESSAGE: Final = 1 << 24
"""Maximum size in bytes of a message from a server, and of a state."""

HELLO_TIMEOUT: Final = 10.0
"""Seconds for which the client waits until the server answers the hello message."""

ANSWERED: Final = 150.0
"""Seconds for which a request waits for its answer. A bot may think about one for two minutes."""

_RATE: Final = 15.0
_AT_ONCE: Final = 30
"""Client-side rate limit: messages per second and burst size. The server limit is higher."""

_UNREAD: Final = 4
"""Number of messages of maximum size that may be unread."""

_FAULTY: Final = (1002, 1007, 1009)
"""Codes with which the client closes a connection after invalid data, without reconnecting."""

_LOST: Final = "the connection was lost"

T = TypeVar("T")


def unreachable(address: str, error: Exception) -> TableClosed:
    """Return the error for a server that cannot be reached."""
    is_refused = isinstance(error, ConnectionRefusedError)
    why = "there is no server at this address" if is_refused else error
    return TableClosed(f"{address} cannot be reached: {why}")


class TableClosed(TabletopError):
    """The server has closed the connection to a table, refused an invitation, or is unreachable.

    The message contains the cause.

    Attributes:
        reason: The `Reason` from the server, or an empty text if it gave none.
    """

    def __init__(self, message: str, *, reason: str = "") -> None:
        super().__init__(message)
        self.reason = reason


class RequestRefused(TabletopError):
    """A table has refused a request, and nothing has changed.

    Attributes:
        reason: The `Reason` for the refusal.
    """

    def __init__(self, message: str, *, reason: Reason) -> None:
        super().__init__(message)
        self.reason: Reason = reason


class RequestLost(TabletopError):
    """A request was not answered, usually because the connection was lost.

    The next state shows whether the request was carried out. The message contains the cause.
    """


@asynccontextmanager
async def connect(
    link: str,
    *,
    picture: Drawing = "",
    data: bool = True,
    columns: int = 0,
    rows: int = 0,
    on_lost: Callable[[float, str], object] = lambda seconds, why: None,
    max_bytes: int = MAX_MESSAGE,
) -> AsyncIterator[RemoteTable]:
    """Join the table of a link, and reconnect whenever the connection is lost.

    Args:
        link: The link to a seat, or for spectators: `http://HOST/t/TABLE#TOKEN`.
        picture: The kind of picture to receive with each state, by default none.
        data: Whether to receive views, actions and events as data, too.
        columns: Characters in a line of a terminal, to receive texts for it (`HelloIn`).
        rows: Lines of the terminal.
        on_lost: Called when the connection is lost, with the seconds until the next attempt and the
            cause, as far as it is known. After reconnecting, the client receives a `TableOut`.
        max_bytes: Maximum size in bytes of a message from the server, and of a state.

    Raises:
        MissingExtra: websockets is not installed.
        TableClosed: The link is not valid, or the server cannot be reached.
    """
    require("joining a table", "web", "websockets")
    address, token = parse_link(link)
    hello = HelloIn(token, picture=picture, data=data, changes=True, columns=columns, rows=rows)
    table = RemoteTable(address, hello, on_lost, max_bytes)
    try:
        await table._begin()
        yield table
    finally:
        await table._end()


def page_address(link: str, path: str) -> str:
    """Return the address of a page of the server of a link.

    It is a page of this server even if `path`, which a server has sent, names another server.
    """
    parts = urlsplit(path)
    return urljoin(link, f"/{parts.path.lstrip('/')}#{parts.fragment}")


def parse_link(link: str) -> tuple[str, str]:
    """Return the address of the socket for a link, and its token.

    A `#` that a mail program has replaced by `%23` is accepted.

    Raises:
        TableClosed: The text is not a link to a table. An invitation is not (`take_seat`).
    """
    wrong = (
        f"{link!r} is not a link to a table, which looks like http://HOST:PORT/t/TABLE#TOKEN,"
        " or with /i/ if it is an invitation"
    )
    try:
        parts = urlsplit(link.strip().replace("%23", "#", 1))
        _ = parts.port  # raises an error for an invalid port
    except ValueError:
        raise TableClosed(wrong) from None
    scheme = {"http": "ws", "https": "wss"}.get(parts.scheme)
    if scheme is not None and parts.netloc and parts.path in {"", "/"}:
        remedy = "open it in a browser, and use the invitation of a table, or its address"
        raise TableClosed(f"{link!r} is the link of a lobby, not of a seat; {remedy}")
    _, *path = parts.path.split("/")
    if (
        scheme is None
        or not parts.netloc
        or len(path) < 2
        or path[0] not in {"t", "i"}
        or not path[1]
    ):
        raise TableClosed(wrong)
    if not parts.fragment:
        raise TableClosed(
            f"{link!r} is incomplete; copy the whole link of a seat or of the invitation,"
            " including the part after #"
        )
    if path[0] == "i":
        raise TableClosed(f"{link!r} is an invitation; take a seat with it first")
    return f"{scheme}://{parts.netloc}/t/{path[1]}/socket", parts.fragment


class RemoteTable:
    """A table that this program has joined, created by `connect`.

    Iterating over it yields the messages of the table in order. A `ChangesOut` is converted to a
    complete `StateOut`. Answers are returned by the method that sent the request, and not yielded.
    The iteration ends with a `TableClosed` exception. A program that leaves too many messages
    unread is disconnected from the table.

    Attributes:
        table: The last description of the table.
        state: The last state, or None before the first.
        line: The number of the last line of the log that was received.
    """

    table: TableOut

    def __init__(
        self,
        address: str,
        hello: HelloIn,
        on_lost: Callable[[float, str], object],
        max_bytes: int,
    ) -> None:
        self.state: StateOut | None = None
        self.log_line: int = 0
        self._address = address
        self._hello = hello
        self._on_lost = on_lost
        self._max_bytes = max_bytes
        self._socket: ClientConnection | None = None
        self._messages: asyncio.Queue[tuple[int, MessageOut | Exception]] = asyncio.Queue()
        self._unread = 0  # the bytes of messages in the queue, with complete states
        self._plain: dict[str, Any] = {}  # the last state as decoded JSON
        self._error: ErrorOut | None = None  # the last error message before a connection closed
        self._is_found = False  # whether the table has ever answered
        self._is_back = False  # whether the log is still expected on this connection
        self._tries = 0  # attempts to connect since the table last answered
        self._pending: dict[int, asyncio.Future[Any]] = {}
        self._number = 0
        self._paced = 0.0  # time at which all messages are sent at a constant rate
        self._reading: asyncio.Task[None] | None = None

    # Messages from the table.

    def __aiter__(self) -> AsyncIterator[MessageOut]:
        return self

    async def __anext__(self) -> MessageOut:
        size, message = await self._messages.get()
        self._unread -= size
        if isinstance(message, Exception):
            self._messages.put_nowait((0, message))  # for the next reader
            raise message
        return message

    async def _begin(self) -> None:
        """Connect for the first time, and wait for the answer to the hello message."""
        await self._open()
        try:
            async with asyncio.timeout(HELLO_TIMEOUT):
                while not self._is_found:
                    if not await self._hear_next():
                        raise self._why_closed()
        except TimeoutError:
            raise TableClosed("the server does not answer") from None
        self._reading = asyncio.get_running_loop().create_task(self._read())

    async def _open(self) -> None:
        from websockets.asyncio.client import connect as connect_socket
        from websockets.exceptions import WebSocketException

        class Direct(connect_socket):
            """A connection that does not follow redirects to other servers."""

            def process_redirect(self, exc: Exception) -> Exception:
                return exc

        try:
            self._socket = await Direct(self._address, max_size=self._max_bytes, close_timeout=1)
        except (OSError, UnicodeError, WebSocketException) as error:  # Unicode: in the host
            raise unreachable(urlsplit(self._address).netloc, error) from None
        self._error, self._is_back = None, True
        with suppress(RequestLost):  # the next `recv` detects the lost connection
            await self.send(self._hello)

    async def _read(self) -> None:
        """Receive messages until the table is closed permanently, and queue the reason."""
        ending: Exception
        try:
            ending = await self._hear_all()
        except Exception as error:  # also from `on_lost`, for the reader
            ending = error
        self._lose_requests()
        self._messages.put_nowait((0, ending))
        if self._socket is not None:
            await self._socket.close()

    async def _hear_all(self) -> TableClosed:
        """Receive messages and reconnect after each loss. Return the reason for the end."""
        while True:
            while await self._hear_next():
                pass
            lost = self._why_closed()
            if self._is_over():
                return lost
            self._lose_requests()
            await self._come_back(lost)

    async def _come_back(self, lost: TableClosed) -> None:
        """Try to connect again until that succeeds."""
        while True:
            pause = PAUSES[min(self._tries, len(PAUSES) - 1)]
            self._tries += 1
            self._on_lost(pause, str(lost))
            await asyncio.sleep(pause)
            try:
                await self._open()
            except TableClosed as error:
                lost = error
            else:
                return

    async def _hear_next(self) -> bool:
        """Receive a message. Return False when the connection has ended.

        Raises:
            TableClosed: The server sent invalid data.
        """
        from websockets.exceptions import ConnectionClosed

        if self._socket is None:
            return False
        try:
            text = await self._socket.recv()
        except ConnectionClosed as closed:
            sent = None if closed.rcvd_then_sent else closed.sent
            if sent is not None and sent.code in _FAULTY:
                raise _unreadable(sent.reason or "no WebSocket") from None
            return False
        try:
            self._hear(text if isinstance(text, bytes) else text.encode())
        except _NO_MESSAGE as error:
            raise _unreadable(error) from None
        return True

    def _hear(self, text: bytes) -> None:
        """Process a message. Any error except `TableClosed` means that the message is invalid."""
        plain, size = self._whole(msgspec.json.decode(text), len(text))
        if plain["type"] not in _TAGS:
            return  # a later version of the protocol has further messages
        message: MessageOut = msgspec.convert(plain, MessageOut)
        future = self._pending.pop(getattr(message, "id", 0), None)
        if future is not None:
            _answer(future, message)
            return
        match message:
            case TableOut():
                self.table, self._is_found, self._tries = message, True, 0
            case StateOut():
                self._plain = {it: plain[it] for it in _KEPT if it in plain}
                self.state = message
            case LogOut(lines):
                message = LogOut(self._new(lines))
                if not message.lines:
                    return  # all were received before the connection was lost
            case ErrorOut():
                self._error = message
                return
        self._unread += size
        if self._unread > _UNREAD * self._max_bytes:
            raise TableClosed("the server sends messages faster than they can be read")
        self._messages.put_nowait((size, message))

    def _whole(self, plain: dict[str, Any], size: int) -> tuple[dict[str, Any], int]:
        """Return a message and its size in bytes, with changes converted to a complete state."""
        if plain["type"] != "changes":
            return plain, size
        plain = state_after(self._plain, plain, self._max_bytes)
        size = len(msgspec.json.encode(plain))  # a short message can make a long state
        if size > self._max_bytes:
            raise ValueError(f"its state would have more than {self._max_bytes} bytes")
        return plain, size

    def _new(self, lines: tuple[LineOut, ...]) -> tuple[LineOut, ...]:
        """Return the new lines of a log. After a loss, the server sends all lines again."""
        last, is_back = lines[-1].number if lines else 0, self._is_back
        self._is_back = False
        new = tuple(line for line in lines if line.number > self.log_line)
        if new or is_back:  # a restarted server counts from the start
            self.log_line = last
        return new

    def _why_closed(self) -> TableClosed:
        """Return the reason for closing the connection, as far as it is known."""
        if self._error is not None:
            return TableClosed(self._error.message, reason=self._error.reason)
        return TableClosed(_LOST)

    def _is_over(self) -> bool:
        code = 0 if self._socket is None else self._socket.close_code or 0
        return 4400 <= code < 4500 and code not in TRY_AGAIN

    def _lose_requests(self) -> None:
        for future in self._pending.values():
            if not future.done():
                future.set_exception(
                    RequestLost("the connection was lost before the answer arrived")
                )
        self._pending.clear()

    async def _end(self) -> None:
        if self._reading is not None:
            self._reading.cancel()
            with suppress(asyncio.CancelledError):
                await self._reading
        self._lose_requests()
        if self._socket is not None:
            await self._socket.close()

    # Requests. Each may raise `RequestRefused`, `RequestLost` or `TableClosed`.

    async def request(self, message: Request) -> Any:
        """Send a request and return its answer: `DoneOut`, or the answer to a question."""
        self._number += 1
        number, future = self._number, asyncio.get_running_loop().create_future()
        self._pending[number] = future
        try:
            async with asyncio.timeout(ANSWERED):
                await self.send(replace(message, id=number))
                return await future
        except TimeoutError:
            raise RequestLost("the table did not answer") from None
        finally:
            self._pending.pop(number, None)

    async def send(self, message: MessageIn) -> None:
        """Send a message unchanged. An answer to it is one of the messages of the iteration.

        Its `id` must differ from the numbers of `request`, which count from 1.

        Raises:
            InvalidMessage: The message is too long, for example. A server would end the connection.
            RequestLost: There is no connection.
        """
        from websockets.exceptions import ConnectionClosed

        data = msgspec.json.encode(message).decode()
        decode(data)
        now = asyncio.get_running_loop().time()
        self._paced = max(self._paced, now - _AT_ONCE / _RATE) + 1 / _RATE
        await asyncio.sleep(max(0.0, self._paced - now))
        if self._socket is None:
            raise RequestLost("there is no connection")
        try:
            await self._socket.send(data)
        except ConnectionClosed:
            raise RequestLost(_LOST) from None

    async def act(self, line: str, seat: Seat | None = None) -> None:
        """Send an action, as the words of a choice or as a person would type it.

        The action is refused if the table has changed since the last state.
        """
        revision = None if self.state is None else self.state.revision
        await self.request(ActIn(line, 0, seat, revision=revision))

    async def undo(self) -> None:
        """Undo the last action of this client and all later ones, or ask the others for consent."""
        await self.request(UndoIn())

    async def redo(self) -> None:
        """Repeat the actions that were undone."""
        await self.request(RedoIn())

    async def consent(self, yes: bool, *, kind: str = "") -> None:
        """Answer a `ConsentOut`.

        Args:
            yes: Whether to agree.
            kind: The `kind` of the `ConsentOut`. By default, any open request is answered.
        """
        await self.request(ConsentIn(yes, kind=kind))

    async def reseat(self, seat: Seat, player: str) -> None:
        """Change the player of a seat to "human" or to the name of a bot."""
        await self.request(ReseatIn(seat, player))

    async def play_again(self) -> None:
        """Open a table for a rematch. `StateOut.over` then contains its address."""
        await self.request(PlayAgainIn())

    async def say(self, text: str) -> None:
        """Send a message to everybody at the table."""
        await self.request(SayIn(text))

    async def propose(self, kind: str) -> None:
        """Propose one of `StateOut.proposals` to the other players, such as "draw"."""
        await self.request(ProposeIn(kind))

    async def resign(self, seat: Seat | None = None) -> None:
        """Let a seat lose, by default the only seat of this client, or its seat to act."""
        await self.request(ResignIn(seat=seat))

    async def pass_turn(self, on: bool = True) -> None:
        """Pass on all reactions until the end of the turn, or decide again."""
        await self.request(PassIn(on))

    async def hint(self) -> HintOut:
        """Request the action that a bot would choose."""
        return await self._answer(HintIn(), HintOut)

    async def explain(self, part: str, chosen: Sequence[str] = ()) -> str:
        """Request the reason why a part of the picture cannot be used after the chosen parts."""
        return (await self._answer(ExplainIn(part, chosen=tuple(chosen)), ExplainOut)).message

    async def look(self, ply: int) -> PastOut:
        """Request the position after `ply` actions, as this client saw it then."""
        return await self._answer(LookIn(ply), PastOut)

    async def rules(self) -> str:
        """Request the rules of the game as Markdown."""
        return (await self._answer(RulesIn(), RulesOut)).text

    async def enter(self, line: str) -> TextOut:
        """Enter a command of the game that only shows information (`AskIn`)."""
        return await self._answer(AskIn(line), TextOut)

    async def help(self) -> tuple[TopicOut, ...]:
        """Request the commands of the game, those that are possible now first."""
        return (await self._answer(HelpIn(), HelpOut)).topics

    async def sit(self, seat: Seat) -> None:
        """Sit down at a shared screen, which shows the view of the seat from now on."""
        await self.request(SitIn(seat))

    async def sample(self, count: int = 1, seat: Seat | None = None) -> SamplesOut:
        """Request states that an acting seat cannot distinguish from the real state."""
        return await self._answer(SampleIn(count, 0, seat), SamplesOut)

    async def _answer(self, message: Request, kind: type[T]) -> T:
        answer = await self.request(message)
        if not isinstance(answer, kind):
            raise TableClosed(f"the server sent an unexpected answer: {type(answer).__name__}")
        return answer


def _answer(future: asyncio.Future[Any], message: MessageOut) -> None:
    if future.done():  # the request was cancelled
        return
    if isinstance(message, RefusedOut):
        future.set_exception(RequestRefused(message.message, reason=message.reason))
    else:
        future.set_result(message)


def _unreadable(why: object) -> TableClosed:
    return TableClosed(f"the server sent an invalid message: {why}")


_NO_MESSAGE: Final = (
    *(msgspec.MsgspecError, RecursionError),
    *(ValueError, TypeError, LookupError, AttributeError),
)
"""Exceptions raised by data that is not a valid message."""

_TAGS: Final = {str(kind.__struct_config__.tag) for kind in MessageOut.__args__}
_KEPT: Final = ("type", *StateOut.__struct_fields__)
