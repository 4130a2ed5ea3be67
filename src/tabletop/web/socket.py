"""The conversation with one screen: receive requests, send states, logs and answers."""

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
from tabletop.session.participants import acting_seat
from tabletop.states.bounds import Seat
from tabletop.states.codec import to_builtins
from tabletop.web.client import TOO_FAST, Client, Screen
from tabletop.web.limits import AddressBlocked, AddressUse, Bucket, Limits, TooFast
from tabletop.web.listing import CANNOT_SAVE, TableStopped
from tabletop.web.render import Wants
from tabletop.web.store import StoreError
from tabletop.web.table import STOPPED, WebTable
from tabletop.web.tokens import NotAdmitted, SeatTaken

INVALID: Final = 4400
NOT_ADMITTED: Final = 4401
NO_HELLO: Final = 4408
UNAVAILABLE: Final = 4503
"""The codes for closing a connection, in addition to those of the protocol."""

NOT_NOW: Final = "this cannot be used now; parts with a ring can"
"""The explanation for a part of the picture whose action is not known at this moment."""

NOTHING: Final = "this cannot be used"
"""The explanation for a part of the picture that does not belong to any action."""

_TRIED: Final = 2_000
"""Maximum number of actions to search for a part. The table is blocked during the search."""

_log = logging.getLogger("tabletop")


class ConnectionLost(Exception):
    """The client has closed the connection."""


class CloseConnection(TabletopError):
    """The server closes a connection with a code, after it has sent the message of this error."""

    def __init__(self, code: int, message: str = "") -> None:
        super().__init__(message)
        self.code = code


class Transport:
    """A WebSocket that transports text. Each method may raise `ConnectionLost`."""

    def __init__(self, socket: WebSocket) -> None:
        self._socket = socket

    async def receive(self) -> str | bytes:
        """Return the next message."""
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
    """The connections without a hello message, at most `most`. The oldest are closed first."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._waiting: dict[asyncio.Timeout, None] = {}

    @asynccontextmanager
    async def wait(self, seconds: float) -> AsyncIterator[None]:
        """Wait up to `seconds` for a hello in the block. Raise `CloseConnection` if it is late."""
        try:
            async with asyncio.timeout(seconds) as timeout:
                self._waiting[timeout] = None
                if len(self._waiting) > self._most:
                    oldest = next(iter(self._waiting))
                    del self._waiting[oldest]
                    if not oldest.expired():  # its own time may have run out just now
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
    """Serve a screen until it leaves or the server closes the connection.

    Args:
        transport: The connection.
        admit: Returns the table and the client for a token.
        limits: The limits of the server.
        pending: All connections without a hello message.
        use: The resources used by the address of the connection.
    """
    with suppress(ConnectionLost):
        try:
            async with pending.wait(limits.hello):
                hello = decode(await transport.receive())
            if not isinstance(hello, HelloIn):
                raise InvalidMessage('the first message must be {"type":"hello","token":...}')
            if hello.protocol != PROTOCOL:
                supported = f"this server speaks version {PROTOCOL} of the protocol"
                raise InvalidMessage(f"{supported}, not version {hello.protocol}")
            table, client = admit(hello.token)
            await _serve(transport, table, client, use, hello)
        except TabletopError as error:
            await turn_away(transport, error, limits.sending)


async def turn_away(transport: Transport, error: TabletopError, seconds: float) -> None:
    """Send the reason for closing a connection and close it. Give up after `seconds`."""
    code, reason = _ending_of(error)
    with suppress(TimeoutError, ConnectionLost):
        async with asyncio.timeout(seconds):
            if str(error):
                await transport.send(encode(ErrorOut(str(error), reason)))
            await transport.close(code)


def _ending_of(error: TabletopError) -> tuple[int, Reason]:
    """Return the code for closing a connection after an error, and the reason for the client."""
    match error:
        case CloseConnection(code=code):
            return code, "busy"
        case InvalidMessage():
            return INVALID, "invalid"
        case AddressBlocked() | SeatTaken():
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
        async with asyncio.TaskGroup() as tasks:  # both run until one of them raises
            tasks.create_task(_receive(transport, table, client, screen, use.messages))
            tasks.create_task(_send(transport, screen, limits.sending))
    except ExceptionGroup as ended:
        raise ended.exceptions[0] from None
    finally:
        table.disconnect(client, screen)


async def _send(transport: Transport, screen: Screen, seconds: float) -> None:
    """Send all due messages until the connection is closed."""
    while True:
        await screen.wake.wait()
        screen.wake.clear()
        closing = screen.closing  # read before sending, because the last message may come later
        for text in _due(screen):
            try:
                async with asyncio.timeout(seconds):
                    await transport.send(text)
            except TimeoutError:
                raise CloseConnection(TOO_FAST) from None
            await asyncio.sleep(0)  # detects a lost connection, or asyncio would log each send
        if closing is not None:
            raise CloseConnection(closing)


def _due(screen: Screen) -> list[str]:
    """Return the messages that are due, all of the same moment."""
    try:
        return list(screen.due())
    except Exception as error:
        _log.exception("the position cannot be shown")
        message = "the position cannot be shown, because the rules of this game failed"
        raise CloseConnection(UNAVAILABLE, message) from error


async def _receive(
    transport: Transport, table: WebTable, client: Client, screen: Screen, address: Bucket
) -> None:
    """Handle messages. A screen that sends too many is disconnected. A link or an address waits."""
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
        if screen.closing is None:  # otherwise the record of the match may be closed
            handle_message(table, client, screen, message)


# The messages of a screen.


def handle_message(table: WebTable, client: Client, screen: Screen, message: MessageIn) -> None:
    """Carry out and answer a request of a screen after its hello message.

    Raises:
        InvalidMessage: The message is another hello message.
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
    except (RecordError, StoreError) as error:  # the messages contain paths of the host
        _log.error("a table of %s: %s", client.session.match.game.name, error)
        screen.send(RefusedOut(message.id, "record", CANNOT_SAVE))
    except (TabletopError, ValueError) as error:
        screen.send(RefusedOut(message.id, reason_of(error), str(error)))
    except Exception:  # an error in rules must not affect other tables
        request = "say" if isinstance(message, SayIn) else message  # chat must not be logged
        _log.exception("%r has failed", request)
        reason = "the rules of the game failed, and nothing has changed"
        screen.send(RefusedOut(message.id, "failed", reason))
    else:
        if message.id and not is_answered:
            screen.send(DoneOut(message.id))


def reason_of(error: Exception) -> Reason:
    """Return the reason for refusing a request after an error."""
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
    """Answer a question of a screen, now or later. Return whether the message is a question."""
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
            # Use a secret seed, because the way in which rules deal may reveal a known one.
            rng = Streams(token_hex())["samples"]
            screen.send(SamplesOut(number, *samples(client, count, seat, rng)))
            return True
    return False


def _carry_out(table: WebTable, client: Client, screen: Screen, message: MessageIn) -> None:
    """Carry out a request of a client that is not a question."""
    match message:
        case ReseatIn(seat, player):
            table.reseat_for(client, seat, player)
        case PlayAgainIn():
            table.play_again(client, screen.openings)
        case ActIn() | RedoIn() | ConsentIn():
            client.request(message)
        case UndoIn():
            table.undo(client, message)
        case PauseIn(on):
            table.pause(client, on=on)
        case SayIn(text):
            table.say(client, text)


def samples(
    client: Client, count: int, seat: Seat | None, rng: Stream
) -> tuple[Seat, tuple[Any, ...]]:
    """Draw states that an acting seat of a client cannot distinguish from the real state.

    Raises:
        TabletopError: The client may not request samples, or not at this moment.
    """
    if client.covered is not None:
        raise IllegalAction("several players share this screen; take your turn first")
    match = client.session.match
    acting = acting_seat(match, client.place.seats, seat)
    sampler, number = match.sampler(acting), min(count, client.limits.samples)
    return acting, tuple(to_builtins(sampler.sample(rng)) for _ in range(number))


def explain(client: Client, part: str) -> str:
    """Return the reason why a part of the picture cannot be used now."""
    seat = None if client.covered is not None else client.seat
    if seat is None:
        return "you are watching and have no seat"
    try:
        tried = client.picture.attempt(part, client.place.view(seat), seat)
        # Nobody has typed these words, so an error message about words would not help.
        for words in chain([tried] if tried else [], _words_with(client, part, seat)):
            with suppress(CommandError):
                client.place.check(words, seat)
                return f"this can be done: {words}"
    except (TabletopError, ValueError) as error:
        return str(error)
    except Exception:  # rules may fail on an unknown part
        _log.exception("%r has failed", part)
        return NOTHING
    return NOT_NOW if tried else NOTHING


def _words_with(client: Client, part: str, seat: Seat) -> Iterator[str]:
    """Yield the texts of the actions that have a part in their paths, legal or not.

    At most `_TRIED` actions are searched.
    """
    match, view = client.session.match, client.place.view(seat)
    for action in islice(match.game.all_actions(match.options, match.seats) or (), _TRIED):
        path: Sequence[str] = ()
        with suppress(Exception):  # a picture may not know the paths of illegal actions
            path = client.picture.path(action, view, seat)
        if part in path:
            yield str(action)
