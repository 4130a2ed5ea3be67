"""The conversation with one screen: requests in, states, logs and answers out."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, suppress
from itertools import chain, islice
from secrets import token_hex
from typing import Any, Final

from msgspec.structs import replace
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from tabletop.display.rulebook import no_rules
from tabletop.errors import (
    CommandError,
    IllegalAction,
    NotPermitted,
    RecordError,
    TabletopError,
)
from tabletop.protocol.messages import (
    PROTOCOL,
    ActIn,
    ConsentIn,
    DoneOut,
    ErrorOut,
    ExplainIn,
    ExplainOut,
    HalfCharacter,
    HelloIn,
    HintIn,
    InvalidMessage,
    LayoutIn,
    LookIn,
    MessageIn,
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
    UndoIn,
    decode,
    encode,
)
from tabletop.rng.stream import Stream
from tabletop.rng.streams import Streams
from tabletop.session.messages import Act, Redo
from tabletop.session.participants import acting_seat
from tabletop.states.bounds import Seat
from tabletop.states.codec import to_builtins
from tabletop.web.client import TOO_FAST, Client, Screen
from tabletop.web.limits import AddressUse, Bucket, DoorClosed, Limits, TooFast
from tabletop.web.listing import CANNOT_SAVE, TableStopped
from tabletop.web.render import Wants
from tabletop.web.store import StoreError
from tabletop.web.table import STOPPED, WebTable
from tabletop.web.tokens import NotAdmitted, SeatTaken

INVALID: Final = 4400
NOT_ADMITTED: Final = 4401
NO_HELLO: Final = 4408
UNAVAILABLE: Final = 4503
"""The codes that a connection is closed with, besides those of the protocol."""

NOT_NOW: Final = "this cannot be used now; parts with a ring can"
"""Said of a part of the picture whose action is not even understood at this moment."""

NOTHING: Final = "this cannot be used"
"""Said of a part of the picture that no action has."""

_TRIED: Final = 2_000
"""So many actions are looked through for one with a part: a table waits meanwhile."""

_log = logging.getLogger("tabletop")


class ConnectionLost(Exception):
    """The other end has closed the connection."""


class CloseConnection(TabletopError):
    """The server closes a connection with a code, and sends a message that says why."""

    def __init__(self, code: int, message: str = "") -> None:
        super().__init__(message)
        self.code = code


class Transport:
    """A WebSocket that carries texts; each method may raise `ConnectionLost`."""

    def __init__(self, socket: WebSocket) -> None:
        self._socket = socket

    async def receive(self) -> str | bytes:
        """The next message."""
        try:
            message = await self._socket.receive()
        except (RuntimeError, WebSocketDisconnect) as error:
            raise ConnectionLost from error
        if message["type"] != "websocket.receive":
            raise ConnectionLost
        text: str | None = message.get("text")
        data: bytes | None = message.get("bytes")
        return text if text is not None else data or b""

    async def send(self, text: str) -> None:
        """Send a message."""
        await self._send(self._socket.send_text(text))

    async def close(self, code: int) -> None:
        """Close the connection."""
        if self._socket.application_state is not WebSocketState.DISCONNECTED:
            await self._send(self._socket.close(code))

    async def _send(self, sending: Awaitable[None]) -> None:
        try:
            await sending
        except (RuntimeError, OSError, WebSocketDisconnect) as error:
            raise ConnectionLost from error


class PendingHellos:
    """The connections that have not said hello yet; of more than `most`, the oldest are closed."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._waiting: dict[asyncio.Timeout, None] = {}

    @asynccontextmanager
    async def wait(self, seconds: float) -> AsyncIterator[None]:
        """Give the block so many seconds to receive a hello; else raise `CloseConnection`."""
        try:
            async with asyncio.timeout(seconds) as timeout:
                self._waiting[timeout] = None
                if len(self._waiting) > self._most:
                    oldest = next(iter(self._waiting))
                    del self._waiting[oldest]
                    if not oldest.expired():  # by itself, at this very moment
                        oldest.reschedule(asyncio.get_running_loop().time())
                yield
        except TimeoutError:
            raise CloseConnection(NO_HELLO, "no hello message arrived in time") from None
        finally:
            self._waiting.pop(timeout, None)


async def handle_socket(
    transport: Transport,
    admit: Callable[[str], tuple[WebTable, Client]],
    limits: Limits,
    pending: PendingHellos,
    use: AddressUse,
) -> None:
    """Serve a screen until it leaves, or the server closes the connection.

    `admit` finds the table and the client that a token opens; `use` is that of the address that the
    connection comes from.
    """
    with suppress(ConnectionLost):
        try:
            async with pending.wait(limits.hello):
                hello = decode(await transport.receive())
            if not isinstance(hello, HelloIn):
                raise InvalidMessage('the first message has to be {"type":"hello","token":...}')
            if hello.protocol != PROTOCOL:
                said = f"this server speaks version {PROTOCOL} of the protocol"
                raise InvalidMessage(f"{said}, not version {hello.protocol}")
            table, client = admit(hello.token)
            await _serve(transport, table, client, use, hello)
        except TabletopError as error:
            await turn_away(transport, error, limits.sending)


async def turn_away(transport: Transport, error: TabletopError, seconds: float) -> None:
    """Say why a connection is closed, and close it; at most for so many seconds."""
    code, reason = _ending_of(error)
    with suppress(TimeoutError, ConnectionLost):
        async with asyncio.timeout(seconds):
            if str(error):
                await transport.send(encode(ErrorOut(str(error), reason)))
            await transport.close(code)


def _ending_of(error: TabletopError) -> tuple[int, Reason]:
    """The code that a connection is closed with for an error, and the reason that it is told."""
    match error:
        case CloseConnection(code=code):
            return code, "busy"
        case InvalidMessage():
            return INVALID, "invalid"
        case DoorClosed() | SeatTaken():
            return NOT_ADMITTED, "refused"
        case NotAdmitted():
            return NOT_ADMITTED, "token"
        case TableStopped():
            return STOPPED, "stopped"
        case _:
            return UNAVAILABLE, "busy"


async def _serve(
    transport: Transport, table: WebTable, client: Client, use: AddressUse, hello: HelloIn
) -> None:
    limits = table.limits
    most = limits.screens if client.place.may_request else limits.spectators
    if len(client.screens) >= most:
        raise CloseConnection(UNAVAILABLE, "this link is open on too many screens")
    wants = Wants(hello.picture, hello.data)
    screen = Screen(client, wants, changes=hello.changes, openings=use.openings)
    table.connect(client, screen)
    try:
        async with asyncio.TaskGroup() as tasks:  # both go on until one of them raises
            tasks.create_task(_receive(transport, table, client, screen, use.messages))
            tasks.create_task(_send(transport, screen, limits.sending))
    except ExceptionGroup as ended:
        raise ended.exceptions[0] from None
    finally:
        table.disconnect(client, screen)


async def _send(transport: Transport, screen: Screen, seconds: float) -> None:
    """Send all due messages, as long as the screen stays."""
    while True:
        await screen.wake.wait()
        screen.wake.clear()
        closing = screen.closing  # asked before: what is said last may come while this is sent
        for text in _due(screen):
            try:
                async with asyncio.timeout(seconds):
                    await transport.send(text)
            except TimeoutError:
                raise CloseConnection(TOO_FAST) from None
            await asyncio.sleep(0)  # notices a lost connection: asyncio logs what is sent into one
        if closing is not None:
            raise CloseConnection(closing)


def _due(screen: Screen) -> list[str]:
    """The messages that are due, all of the same moment."""
    try:
        return list(screen.due())
    except Exception as error:
        _log.exception("the position cannot be shown")
        message = "the rules of this game fail: the position cannot be shown"
        raise CloseConnection(UNAVAILABLE, message) from error


async def _receive(
    transport: Transport, table: WebTable, client: Client, screen: Screen, address: Bucket
) -> None:
    """Handle messages. A screen that sends too many is closed; a link or an address waits."""
    clock = asyncio.get_running_loop().time
    limits = table.limits
    bucket = Bucket(limits.rate, limits.burst, clock())
    while True:
        text = await transport.receive()
        if not bucket.take(clock()):
            raise CloseConnection(TOO_FAST, "too many messages; slow down")
        try:
            message = decode(text)
        except HalfCharacter as error:
            screen.send(RefusedOut(error.id, "refused", str(error)))
            continue
        await asyncio.sleep(max(client.bucket.wait(clock()), address.wait(clock())))
        if screen.closing is None:  # else the record of the match may be closed
            handle_message(table, client, screen, message)


# The messages of a screen.


def handle_message(table: WebTable, client: Client, screen: Screen, message: MessageIn) -> None:
    """Carry out a request of a screen after its hello, and answer it.

    Raises:
        InvalidMessage: it is another hello.
    """
    match message:
        case HelloIn():
            raise InvalidMessage("a hello message was sent before")
        case LayoutIn(picture):
            screen.wants = Wants(picture, screen.wants.data)
            screen.wake.set()
            return
        case ExplainIn(part, number):
            screen.send(ExplainOut(number, explain(client, part)))
            return
    try:
        is_answered = _answers(table, client, screen, message)
        if not is_answered:
            _carry_out(table, client, screen, message)
    except (RecordError, StoreError) as error:  # with paths of the host
        _log.error("a table of %s: %s", client.session.match.game.name, error)
        screen.send(RefusedOut(message.id, "record", CANNOT_SAVE))
    except (TabletopError, ValueError) as error:
        screen.send(RefusedOut(message.id, reason_of(error), str(error)))
    except Exception:  # rules that fail hurt nobody else
        what = "say" if isinstance(message, SayIn) else message  # words of people go into no log
        _log.exception("%r has failed", what)
        said = "the rules of the game failed, and nothing has changed"
        screen.send(RefusedOut(message.id, "failed", said))
    else:
        if message.id and not is_answered:
            screen.send(DoneOut(message.id))


def reason_of(error: Exception) -> Reason:
    """Why a request is refused with an error."""
    match error:
        case CommandError():
            return "words"
        case NotPermitted():
            return "refused"
        case IllegalAction():
            return "illegal"
        case TooFast():
            return "busy"
        case _:
            return "refused"


def _answers(table: WebTable, client: Client, screen: Screen, message: MessageIn) -> bool:
    """Answer a question of a screen, now or later; return whether it is one."""
    match message:
        case HintIn(number):
            table.bots.hint(client, screen, number)
            return True
        case LookIn(ply, number):
            now = asyncio.get_running_loop().time()
            screen.send(replace(client.look(ply, screen.wants, now), id=number))
            return True
        case RulesIn(number):
            if not table.rules:
                raise TabletopError(no_rules(client.session.match.game))
            screen.send(RulesOut(number, table.rules))
            return True
        case SampleIn(count, number, seat):
            # Nobody can know this chance: else how the rules deal might tell what they began with.
            rng = Streams(token_hex())["samples"]
            screen.send(SamplesOut(number, *samples(client, count, seat, rng)))
            return True
    return False


def _carry_out(table: WebTable, client: Client, screen: Screen, message: MessageIn) -> None:
    """Carry out a request of a client that is no question."""
    match message:
        case ReseatIn(seat, player):
            table.reseat_for(client, seat, player)
        case PlayAgainIn():
            table.replay_actions(client, screen.openings)
        case ActIn(line, _, seat, ply, revision):
            client.request(Act(line, seat, ply, revision))
        case RedoIn():
            client.request(Redo())
        case UndoIn():
            table.undo(client)
        case PauseIn(on):
            table.pause(client, on=on)
        case ConsentIn(yes, _, pause):
            table.consent(client, yes=yes, pause=pause)
        case SayIn(text):
            table.say(client, text)


def samples(
    client: Client, count: int, seat: Seat | None, rng: Stream
) -> tuple[Seat, tuple[Any, ...]]:
    """Draw states that a seat of a client, which is to act, cannot tell from the real one.

    Raises:
        TabletopError: none are drawn for this client, or not now.
    """
    if client.covered is not None:
        raise IllegalAction("several players share this screen; take your turn first")
    match = client.session.match
    acting = acting_seat(match, client.place.seats, seat)
    sampler, number = match.sampler(acting), min(count, client.limits.samples)
    return acting, tuple(to_builtins(sampler.sample(rng)) for _ in range(number))


def explain(client: Client, part: str) -> str:
    """Say why a part of the picture cannot be used now."""
    seat = None if client.covered is not None else client.seat
    if seat is None:
        return "you are watching and have no seat"
    try:
        tried = client.picture.attempt(part, client.place.view(seat), seat)
        # Nobody has typed these words: a remark about those that mean nothing would not help.
        for words in chain([tried] if tried else [], _words_with(client, part, seat)):
            with suppress(CommandError):
                client.place.check(words, seat)
                return f"this can be done: {words}"
    except (TabletopError, ValueError) as error:
        return str(error)
    except Exception:  # a stranger's rules may fail on an unknown part
        _log.exception("%r has failed", part)
        return NOTHING
    return NOT_NOW if tried else NOTHING


def _words_with(client: Client, part: str, seat: Seat) -> Iterator[str]:
    """Yield the texts of the actions that have a part in their paths, legal or not.

    Of very many actions only the first are looked through.
    """
    match, view = client.session.match, client.place.view(seat)
    for action in islice(match.game.all_actions(match.options, match.seats) or (), _TRIED):
        path: Sequence[str] = ()
        with suppress(Exception):  # a picture need not know the path of what cannot be done
            path = client.picture.path(action, view, seat)
        if part in path:
            yield str(action)
