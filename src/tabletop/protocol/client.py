"""A client in Python: a program that sits at a table on a server, by the link to a seat.

    async with connect("http://127.0.0.1:8765/t/...#...") as table:
        async for message in table:
            if isinstance(message, StateOut) and message.asked:
                await table.act(message.choices[0].words)

It needs the extra `web` (websockets).
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING, Any, Final, TypeAlias, TypeVar
from urllib.parse import urlsplit

import msgspec
from msgspec.structs import replace

from tabletop.errors import TabletopError
from tabletop.host.extras import require
from tabletop.protocol.changes import state_after
from tabletop.protocol.messages import (
    ActIn,
    ConsentIn,
    Drawing,
    ErrorOut,
    ExplainIn,
    ExplainOut,
    HelloIn,
    HintIn,
    HintOut,
    LineOut,
    LogOut,
    LookIn,
    MessageIn,
    MessageOut,
    PastOut,
    PauseIn,
    PlayAgainIn,
    Reason,
    RedoIn,
    RefusedOut,
    ReseatIn,
    RulesIn,
    RulesOut,
    SampleIn,
    SamplesOut,
    SayIn,
    StateOut,
    TableOut,
    UndoIn,
)
from tabletop.states.bounds import Seat

if TYPE_CHECKING:
    from websockets.asyncio.client import ClientConnection

Request: TypeAlias = (
    ActIn
    | UndoIn
    | RedoIn
    | ConsentIn
    | ReseatIn
    | PlayAgainIn
    | ExplainIn
    | HintIn
    | SayIn
    | LookIn
    | RulesIn
    | SampleIn
    | PauseIn
)
"""A message that is answered."""

PAUSES: Final = (0.4, 1.0, 2.0, 4.0, 8.0, 15.0)
"""The seconds before each new try to come back; the last one repeats."""

TRY_AGAIN: Final = (4408, 4429)
"""The codes of connections that are closed for good, but for these: they came too late, or sent too
much.
"""

MAX_MESSAGE: Final = 1 << 24
"""The longest message that a server may send, in bytes, and the largest state."""

PATIENCE: Final = 10.0
"""A server has so many seconds to answer hello."""

ANSWERED: Final = 150.0
"""A request is answered within so many seconds: a bot may think about it for two minutes."""

_RATE: Final = 15.0
_AT_ONCE: Final = 30
"""So many messages are sent per second, and at once: a server closes the connection for more."""

_UNREAD: Final = 4
"""So many of the longest messages may wait to be read."""

_FAULTY: Final = (1002, 1007, 1009)
"""The codes that this end closes a connection with for what came: it would come again."""

T = TypeVar("T")


class TableClosed(TabletopError):
    """A table has been closed to this client, or cannot be reached; the message says why.

    Attributes:
        reason: the `Reason` that the server gave; empty for none.
    """

    def __init__(self, message: str, *, reason: str = "") -> None:
        super().__init__(message)
        self.reason = reason


class RequestRefused(TabletopError):
    """A table has refused a request; nothing has changed.

    Attributes:
        reason: the `Reason` why.
    """

    def __init__(self, message: str, *, reason: Reason) -> None:
        super().__init__(message)
        self.reason: Reason = reason


class RequestLost(TabletopError):
    """A request was not answered, mostly for a lost connection: the next state shows what is done.

    The message says why.
    """


@asynccontextmanager
async def connect(
    link: str,
    *,
    picture: Drawing = "",
    data: bool = True,
    on_lost: Callable[[float, str], object] = lambda seconds, why: None,
    max_bytes: int = MAX_MESSAGE,
) -> AsyncIterator[RemoteTable]:
    """Sit down at the table of a link, and come back to it whenever the connection is lost.

    Args:
        link: the link to a seat, or for spectators: `http://HOST/t/TABLE#TOKEN`.
        picture: the picture that each state is to have.
        data: whether views, actions and events are sent as data as well.
        on_lost: called when the connection is lost, with the seconds until the next try and what
            is known of why. Once it is back, a `TableOut` comes.
        max_bytes: the longest message that the server may send, and the largest state.

    Raises:
        MissingExtra: websockets is not installed.
        TableClosed: it is no such link, it opens nothing, or the server cannot be reached.
    """
    require("joining a table", "web", "websockets")
    address, token = parse_link(link)
    hello = HelloIn(token, picture=picture, data=data, changes=True)
    table = RemoteTable(address, hello, on_lost, max_bytes)
    try:
        await table._begin()
        yield table
    finally:
        await table._end()


def parse_link(link: str) -> tuple[str, str]:
    """Return the address of the socket of a link, and its token.

    Mail programs may have written the `#` of the link as `%23`.

    Raises:
        TableClosed: The text is not a link to a table.
    """
    said = f"{link!r} is not a link to a table, which looks like http://HOST:PORT/t/TABLE#TOKEN"
    try:
        found = urlsplit(link.strip().replace("%23", "#", 1))
        _ = found.port  # it is read when it is asked for
    except ValueError:
        raise TableClosed(said) from None
    scheme = {"http": "ws", "https": "wss"}.get(found.scheme)
    if scheme is not None and found.netloc and found.path in {"", "/"}:
        does = "open it in a browser, join a table there, and give the address of its page"
        raise TableClosed(f"{link!r} is the link of a lobby, not of a seat: {does}")
    _, *path = found.path.split("/")
    if scheme is None or not found.netloc or len(path) < 2 or path[0] != "t" or not path[1]:
        raise TableClosed(said)
    if not found.fragment:
        raise TableClosed(
            f"{link!r} is incomplete; copy the whole link, including the part after #"
        )
    return f"{scheme}://{found.netloc}/t/{path[1]}/socket", found.fragment


class RemoteTable:
    """A table that this program has joined; `connect` makes it.

    Iterating over it gives the messages of the table in their order: `ChangesOut` has become a
    whole `StateOut`, and answers go to who has asked. It ends with `TableClosed`. A program that
    leaves very many of them unread loses the table.

    Attributes:
        table: what was told of the table last.
        state: the last state; None before the first.
        line: the number of the last line of the log that came.
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
        self.line: int = 0
        self._address = address
        self._hello = hello
        self._on_lost = on_lost
        self._max_bytes = max_bytes
        self._socket: ClientConnection | None = None
        self._messages: asyncio.Queue[tuple[int, MessageOut | Exception]] = asyncio.Queue()
        self._unread = 0  # the bytes of messages in it, of each state as a whole
        self._plain: dict[str, Any] = {}  # the last state, as it came
        self._error: ErrorOut | None = None  # what was said last before a connection was closed
        self._is_found = False  # the table has been heard
        self._is_back = False  # no log has come since the connection began
        self._tries = 0  # since the table was heard last
        self._asked: dict[int, asyncio.Future[Any]] = {}
        self._number = 0
        self._paced = 0.0  # messages are sent up to here, as if one came after the other
        self._reading: asyncio.Task[None] | None = None

    # What the table tells.

    def __aiter__(self) -> AsyncIterator[MessageOut]:
        return self

    async def __anext__(self) -> MessageOut:
        size, message = await self._messages.get()
        self._unread -= size
        if isinstance(message, Exception):
            self._messages.put_nowait((0, message))  # for whoever asks again
            raise message
        return message

    async def _begin(self) -> None:
        """Connect for the first time, and wait for the answer to hello."""
        await self._open()
        try:
            async with asyncio.timeout(PATIENCE):
                while not self._is_found:
                    if not await self._hear_one():
                        raise self._why_closed()
        except TimeoutError:
            raise TableClosed("the server does not answer") from None
        self._reading = asyncio.get_running_loop().create_task(self._read())

    async def _open(self) -> None:
        from websockets.asyncio.client import connect as connect_socket
        from websockets.exceptions import WebSocketException

        class Direct(connect_socket):
            """A connection to this server and no other, wherever it sends those who come."""

            def process_redirect(self, exc: Exception) -> Exception:
                return exc

        try:
            self._socket = await Direct(self._address, max_size=self._max_bytes, close_timeout=1)
        except (OSError, WebSocketException) as error:
            is_refused = isinstance(error, ConnectionRefusedError)
            why = "there is no server at this address" if is_refused else error
            where = urlsplit(self._address).netloc
            raise TableClosed(f"{where} cannot be reached: {why}") from None
        self._error, self._is_back = None, True
        with suppress(RequestLost):  # it is found out when nothing comes
            await self.send(self._hello)

    async def _read(self) -> None:
        """Hear messages until the table is closed for good, and end with that."""
        ending: Exception
        try:
            ending = await self._hear_all()
        except Exception as error:  # also of `on_lost`: whoever reads is told
            ending = error
        self._lose_requests()
        self._messages.put_nowait((0, ending))
        if self._socket is not None:
            await self._socket.close()

    async def _hear_all(self) -> TableClosed:
        """Hear messages, and come back after each loss; return why there will be no more."""
        while True:
            while await self._hear_one():
                pass
            lost = self._why_closed()
            if self._is_over():
                return lost
            self._lose_requests()
            await self._come_back(lost)

    async def _come_back(self, lost: TableClosed) -> None:
        """Try to connect again, until that is done."""
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

    async def _hear_one(self) -> bool:
        """Hear a message; False when the connection has ended.

        Raises:
            TableClosed: it is nothing that can be read.
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
        """Take a message in; any error but `TableClosed` means that it is none."""
        plain, size = self._whole(msgspec.json.decode(text), len(text))
        if plain["type"] not in _TAGS:
            return  # a later version of the protocol tells more
        message: MessageOut = msgspec.convert(plain, MessageOut)
        asked = self._asked.pop(getattr(message, "id", 0), None)
        if asked is not None:
            _answer(asked, message)
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
                    return  # they had come before the connection was lost
            case ErrorOut():
                self._error = message
                return
        self._unread += size
        if self._unread > _UNREAD * self._max_bytes:
            raise TableClosed("the server sends messages faster than they can be read")
        self._messages.put_nowait((size, message))

    def _whole(self, plain: dict[str, Any], size: int) -> tuple[dict[str, Any], int]:
        """A message of so many bytes, and the bytes that it takes: changes become a whole state."""
        if plain["type"] != "changes":
            return plain, size
        plain = state_after(self._plain, plain, self._max_bytes)
        size = len(msgspec.json.encode(plain))  # a short message can make a long state
        if size > self._max_bytes:
            raise ValueError(f"its state would have more than {self._max_bytes} bytes")
        return plain, size

    def _new(self, lines: tuple[LineOut, ...]) -> tuple[LineOut, ...]:
        """The lines of the log that have not come yet; after a loss they come anew."""
        last, is_back = lines[-1].n if lines else 0, self._is_back
        self._is_back = False
        new = tuple(line for line in lines if line.n > self.line)
        if new or is_back:  # a server that has begun anew counts anew
            self.line = last
        return new

    def _why_closed(self) -> TableClosed:
        """Why the connection was closed, as far as it is known."""
        if self._error is not None:
            return TableClosed(self._error.message, reason=self._error.reason)
        return TableClosed("the connection was lost")

    def _is_over(self) -> bool:
        code = 0 if self._socket is None else self._socket.close_code or 0
        return 4400 <= code < 4500 and code not in TRY_AGAIN

    def _lose_requests(self) -> None:
        for asked in self._asked.values():
            if not asked.done():
                asked.set_exception(RequestLost("the connection was lost before the answer came"))
        self._asked.clear()

    async def _end(self) -> None:
        if self._reading is not None:
            self._reading.cancel()
            with suppress(asyncio.CancelledError):
                await self._reading
        self._lose_requests()
        if self._socket is not None:
            await self._socket.close()

    # What its people want. Each may raise `RequestRefused`, `RequestLost` or `TableClosed`.

    async def request(self, message: Request) -> Any:
        """Send a request, and return its answer: `DoneOut`, or the answer to a question."""
        self._number += 1
        number, asked = self._number, asyncio.get_running_loop().create_future()
        self._asked[number] = asked
        try:
            async with asyncio.timeout(ANSWERED):
                await self.send(replace(message, id=number))
                return await asked
        except TimeoutError:
            raise RequestLost("the table has not answered") from None
        finally:
            self._asked.pop(number, None)

    async def send(self, message: MessageIn) -> None:
        """Send a message as it is; an answer comes among the messages.

        Its `id` must not be that of a `request`.
        """
        from websockets.exceptions import ConnectionClosed

        now = asyncio.get_running_loop().time()
        self._paced = max(self._paced, now - _AT_ONCE / _RATE) + 1 / _RATE
        await asyncio.sleep(max(0.0, self._paced - now))
        if self._socket is None:
            raise RequestLost("there is no connection")
        try:
            await self._socket.send(msgspec.json.encode(message).decode())
        except ConnectionClosed:
            raise RequestLost("the connection is lost") from None

    async def act(self, line: str, seat: Seat | None = None) -> None:
        """Act in the words of a choice, or as a person would type it, in the last state."""
        revision = None if self.state is None else self.state.revision
        await self.request(ActIn(line, 0, seat, revision=revision))

    async def undo(self) -> None:
        """Take back the last action of this client and all since, or ask the others for it."""
        await self.request(UndoIn())

    async def redo(self) -> None:
        """Play the actions again that were undone."""
        await self.request(RedoIn())

    async def consent(self, yes: bool, *, pause: bool | None = None) -> None:
        """Answer a `ConsentOut`, for a pause or not; None for whatever is asked now."""
        await self.request(ConsentIn(yes, pause=pause))

    async def reseat(self, seat: Seat, player: str) -> None:
        """Change the player of a seat: "human", or the name of a bot."""
        await self.request(ReseatIn(seat, player))

    async def replay_actions(self) -> None:
        """Open a table for the same people, once the match is over; `StateOut.over` tells it."""
        await self.request(PlayAgainIn())

    async def say(self, text: str) -> None:
        """Send a message to everybody at the table."""
        await self.request(SayIn(text))

    async def pause(self, on: bool) -> None:
        """Stop all clocks, or let them run again, if the others agree."""
        await self.request(PauseIn(on))

    async def hint(self) -> HintOut:
        """Ask what a bot would do."""
        return await self._answer(HintIn(), HintOut)

    async def explain(self, part: str) -> str:
        """Ask why a part of the picture cannot be used now."""
        return (await self._answer(ExplainIn(part), ExplainOut)).message

    async def look(self, ply: int) -> PastOut:
        """Ask for the position after so many actions, as this client was shown it then."""
        return await self._answer(LookIn(ply), PastOut)

    async def rules(self) -> str:
        """Ask for the rules of the game, as Markdown."""
        return (await self._answer(RulesIn(), RulesOut)).text

    async def sample(self, count: int = 1, seat: Seat | None = None) -> SamplesOut:
        """Ask for states that a seat to act cannot tell from the real one."""
        return await self._answer(SampleIn(count, 0, seat), SamplesOut)

    async def _answer(self, message: Request, kind: type[T]) -> T:
        answer = await self.request(message)
        if not isinstance(answer, kind):
            raise TableClosed(f"the server has answered {type(answer).__name__}")
        return answer


def _answer(asked: asyncio.Future[Any], message: MessageOut) -> None:
    if asked.done():  # whoever asked has left
        return
    if isinstance(message, RefusedOut):
        asked.set_exception(RequestRefused(message.message, reason=message.reason))
    else:
        asked.set_result(message)


def _unreadable(why: object) -> TableClosed:
    return TableClosed(f"the server sent an invalid message: {why}")


_NO_MESSAGE: Final = (
    *(msgspec.MsgspecError, RecursionError),
    *(ValueError, TypeError, LookupError, AttributeError),
)
"""What is raised by data of other types than a message has."""

_TAGS: Final = {str(kind.__struct_config__.tag) for kind in MessageOut.__args__}
_KEPT: Final = ("type", *StateOut.__struct_fields__)
